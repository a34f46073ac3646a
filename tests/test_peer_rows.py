"""The rows that other projects test themselves with, and what people reported.

They are not ours to commit: they are read from ``shared`` beside the checkout, or from
where JSONSIFT_SHARED says, and skipped when they are not there.  Each test holds what
is reached now, row by row, above the bar that was set in advance.
"""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import jsonsift

from .every_way import assert_replays, is_same, run_every_way

SHARED: Final = Path(
    os.environ.get("JSONSIFT_SHARED") or Path(__file__).parents[2] / "shared"
)
pytestmark = pytest.mark.skipif(
    not (SHARED / "peer-cases").is_dir(),
    reason="no shared rows beside the checkout (JSONSIFT_SHARED says where they are)",
)

# Rows that we hold to be wrong, or to have two fair answers.
DISPUTED: Final = {
    "baml/v2024/untyped/test_prefixed_incompleted_string": (
        "expects prose back as a string; nothing in it is JSON, so ours is NoJSONError"
    ),
    "instructor/TestJSONExtractionEdgeCases.test_multiple_json_objects": (
        "expects the first of two objects in prose; our rule takes the longest"
    ),
}
REPAIR: Final = "peer-cases/repair.jsonl"
FRAMEWORKS: Final = "peer-cases/frameworks.jsonl"
REPORTED: Final = "cases/reported.jsonl"
CRASH: Final = "peer-cases/must_not_crash.jsonl"

Row = dict[str, Any]
REFUSED: Final = object()


class Score(NamedTuple):
    total: int
    wrong: dict[str, Any]

    @property
    def share(self) -> float:
        return 1 - len(self.wrong) / self.total


def read_rows(name: str) -> Iterator[Row]:
    for line in (SHARED / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def text_of(row: Row) -> Any:
    """The input; bytes where it isn't UTF-8."""
    if row.get("input_b64"):
        return base64.b64decode(row["input_b64"])
    if "repeat" in row:
        unit, times = row["repeat"]
        return unit * times
    return row["input"] if "input" in row else "".join(row.get("chunks", []))


def accepted(row: Row) -> list[Any]:
    others = (row.get(key) or [] for key in ("alts", "alternatives", "also_ok"))
    return [row["expected"], *(value for values in others for value in values)]


def is_equal(actual: Any, expected: Any) -> bool:
    """Numbers by value, booleans strictly, the order of keys left alone."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, dict) and isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(
            is_equal(actual[key], expected[key]) for key in actual
        )
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(is_equal, actual, expected))
    return bool(actual == expected)


def score(rows: Iterator[Row], read: Callable[[Any], Any]) -> Score:
    """How many rows come out right, and what came out of the others."""
    total, wrong = 0, {}
    for row in rows:
        total += 1
        try:
            value = read(text_of(row))
        except jsonsift.JSONSiftError as error:
            value = error
        if not any(is_equal(value, one) for one in accepted(row)):
            wrong[row["id"]] = value
    return Score(total, wrong)


def read_all(text: Any) -> list[Any]:
    return [found.value for found in jsonsift.extract_all(text)]


def _untyped(*, multi: bool = False, error: bool = False) -> Iterator[Row]:
    for row in read_rows(FRAMEWORKS):
        if not row["schema"] and not row["partial"]:
            if bool(row["expect_error"]) is error:
                if error or bool(row.get("multi")) is multi:
                    yield row


def _containers() -> Iterator[Row]:
    for row in read_rows(REPAIR):
        if isinstance(row["expected"], (dict, list)):
            yield row


def _reported() -> Iterator[Row]:
    return (row for row in read_rows(REPORTED) if "check" not in row)


# name, rows, call, how many rows there are at least, the bar set in advance
BARS: Final[list[Any]] = [
    pytest.param(_containers, jsonsift.extract_json, 434, 0.92, id="containers"),
    pytest.param(lambda: read_rows(REPAIR), jsonsift.loads, 534, 0.93, id="loads"),
    pytest.param(_reported, jsonsift.extract_json, 143, 0.80, id="reported"),
    pytest.param(_untyped, jsonsift.extract_json, 181, 0.96, id="untyped"),
    pytest.param(lambda: _untyped(multi=True), read_all, 12, 0.96, id="multi"),
]


@pytest.mark.parametrize(("rows", "read", "count", "bar"), BARS)
def test_rows_come_out_right(
    rows: Callable[[], Iterator[Row]],
    read: Callable[[Any], Any],
    count: int,
    bar: float,
) -> None:
    """A reply that was read right would be read wrong: only disputed rows may be."""
    result = score(rows(), read)
    assert result.total >= count
    assert result.share >= bar
    open_ones = {k: v for k, v in result.wrong.items() if k not in DISPUTED}
    assert open_ones == {}


def test_disputed_rows_are_still_there_and_still_differ() -> None:
    """The list of disputes would hold rows that are gone or that come out right."""
    rows = (row for row in read_rows(FRAMEWORKS) if row["id"] in DISPUTED)
    assert score(rows, jsonsift.extract_json).wrong.keys() == DISPUTED.keys()


def test_rows_without_json_are_refused() -> None:
    """A value would be made up for a text that holds none."""
    rows = list(_untyped(error=True))
    assert len(rows) >= 27
    for row in rows:
        value = jsonsift.extract_json(text_of(row), default=REFUSED)
        assert value is REFUSED, row["id"]


def _checked() -> list[Any]:
    if not (SHARED / REPORTED).is_file():
        return []
    rows = [row for row in read_rows(REPORTED) if "check" in row]
    return [pytest.param(row, id=row["id"]) for row in rows]


@pytest.mark.parametrize("row", _checked())
def test_reported_checks(row: Row) -> None:
    """A reported crash or endless loop would be back."""
    check = row["check"]
    began = time.process_time()
    try:
        value: Any = jsonsift.extract_json(text_of(row))
    except jsonsift.JSONSiftError as error:
        value = error
    assert time.process_time() - began < check.get("seconds", 2)
    if check["kind"] == "nested-list-or-documented-error":
        depth = 0
        while isinstance(value, list) and value:
            value, depth = value[0], depth + 1
        assert isinstance(value, jsonsift.LimitError) or depth + 1 == check["depth"]
    else:
        assert check["kind"] == "terminates"


def test_valid_rows_equal_json_loads() -> None:
    """Valid JSON of the JSONTestSuite would come out otherwise than from json.loads."""
    rows = [row for row in read_rows(REPAIR) if "/y_" in row["id"]]
    assert len(rows) >= 59
    for row in rows:
        expected = json.loads(row["input"])
        found = jsonsift.loads(row["input"])
        if "\\uD8" not in row["input"].upper() and "\\UD8" not in row["input"].upper():
            assert is_same(found, expected), row["id"]
        if isinstance(expected, (dict, list)):
            extraction = jsonsift.extract(row["input"])
            assert is_same(extraction.value, expected), row["id"]
            assert extraction.edits == (), row["id"]


@pytest.mark.parametrize(
    "read", [jsonsift.extract_json, jsonsift.extract_all, jsonsift.loads]
)
def test_nothing_crashes(read: Callable[[Any], Any]) -> None:
    """A text would end in a foreign exception, or take longer than a second."""
    rows = list(read_rows(CRASH))
    assert len(rows) >= 323
    slow = {}
    for row in rows:
        text = text_of(row)
        began = time.process_time()
        try:
            found = read(text)
        except jsonsift.JSONSiftError:
            found = []
        spent = time.process_time() - began
        if spent >= 1:
            slow[row["id"]] = spent
        if read is jsonsift.extract_all:
            for extraction in found:
                assert_replays(extraction)
    assert slow == {}


@pytest.mark.parametrize("name", [REPAIR, REPORTED, FRAMEWORKS])
def test_rows_agree_every_way(name: str) -> None:
    """A row would be read otherwise in pieces, within other text or by one build."""
    for row in read_rows(name):
        text = text_of(row)
        if isinstance(text, str):
            call = jsonsift.loads if name == REPAIR else jsonsift.extract
            run_every_way(call, text)
