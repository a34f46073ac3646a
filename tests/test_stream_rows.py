"""The rows of other projects about streams and cut texts, as a stream shows them.

They are not ours to commit: see ``test_peer_rows``.  A row with a schema waits for
streams with one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

import jsonsift
from jsonsift import Stream

SHARED: Final = Path(
    os.environ.get("JSONSIFT_SHARED") or Path(__file__).parents[2] / "shared"
)
ROWS: Final = SHARED / "peer-cases" / "frameworks.jsonl"
pytestmark = pytest.mark.skipif(
    not ROWS.is_file(),
    reason="no shared rows beside the checkout (JSONSIFT_SHARED says where they are)",
)

READ_BY_LOADS: Final = (
    "vercel/fixjson/5", "vercel/fixjson/13", "vercel/fixjson/14", "vercel/fixjson/18",
    "vercel/fixjson/20", "vercel/fixjson/22", "vercel/fixjson/23", "vercel/fixjson/24",
    "vercel/fixjson/25",
)  # fmt: skip
# What close() gives is another value than the row's, and why.
DISPUTED_ANSWERS: Final = {
    **dict.fromkeys(
        READ_BY_LOADS, "a reply that is a cut scalar is prose; loads reads it"
    ),
    **dict.fromkeys(
        ("vercel/fixjson/2", "vercel/fixjson/4"), "half a literal alone is a word"
    ),
    "langchain/partial2": "the brace in the cut string answers to the one that is open",
    "langchain/partial10": "a bare word that the text ends with is kept as a string",
}  # fmt: skip
# What is shown before close() is less than the row's value, and why.
DISPUTED_VIEWS: Final = {
    **dict.fromkeys(
        ("baml/parser/partial_array", "langchain/partial11", "vercel/fixjson/6",
         "vercel/fixjson/7", "vercel/fixjson/31", "vercel/fixjson/35",
         "vercel/fixjson/37", "vercel/fixjson/39", "vercel/fixjson/41",
         "langchain/stream_codeblock"),
        "a number or literal shows when it has ended: 12 may become 123",
    ),
    "vercel/fixjson/27": "a reply that is one string shows at its end",
    "langchain/stream_joke": "a short string in a list waits: it may be a key",
    "vercel/fixjson/30": "a short string in a list waits: it may be a key",
}  # fmt: skip


def _rows() -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").split("\n") if line]
    return [
        row
        for row in rows
        if not row.get("schema")
        and (row["partial"] or "chunks" in row or "partials" in row)
    ]


def _is_equal(one: Any, other: Any) -> bool:
    """Numbers by value, booleans strictly, the order of keys left alone."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _is_equal(value, other[key]) for key, value in one.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    return bool(one == other)


def _run(row: dict[str, Any]) -> tuple[list[Any], Any, bool]:
    """The different values shown, the answer, and whether there was none."""
    stream = Stream()
    shown: list[Any] = []
    for chunk in row.get("chunks") or [row.get("input") or ""]:
        stream.feed(chunk)
        value = stream.snapshot()
        if value is not None and (not shown or not _is_equal(shown[-1], value)):
            shown.append(value)
    try:
        return shown, stream.close().value, False
    except jsonsift.NoJSONError:
        return shown, None, True


def test_rows_give_their_values() -> None:
    """A stream would end in another value than the one it was written for."""
    wrong = []
    for row in _rows():
        _, answer, none = _run(row)
        expected = none if row["expect_error"] else not none
        right = expected and (row["expect_error"] or _is_equal(answer, row["expected"]))
        if not right:
            wrong.append(row["id"])
        if row["id"] in READ_BY_LOADS:
            assert _is_equal(jsonsift.loads(row["input"]), row["expected"])
    assert sorted(wrong) == sorted(DISPUTED_ANSWERS)


def test_rows_show_their_values() -> None:
    """A stream would show less, or other values, than the ones it stands for."""
    wrong = []
    for row in _rows():
        shown, _, none = _run(row)
        if none or row["id"] in DISPUTED_ANSWERS:
            continue
        right = True
        if row["partial"]:
            right = bool(shown) and _is_equal(shown[-1], row["expected"])
        if "partials" in row:
            right = len(shown) == len(row["partials"]) and all(
                map(_is_equal, shown, row["partials"])
            )
        if not right:
            wrong.append(row["id"])
    assert sorted(wrong) == sorted(DISPUTED_VIEWS)
