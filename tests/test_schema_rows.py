"""The rows with a schema that other projects test themselves with.

They are not ours to commit; see test_peer_rows.py for where they are read from.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import jsonsift
from jsonsift.schema.judge import make_judge

from .test_peer_rows import FRAMEWORKS, SHARED, Row, is_equal, read_rows, text_of

pytestmark = pytest.mark.skipif(
    not (SHARED / "peer-cases").is_dir(),
    reason="no shared rows beside the checkout (JSONSIFT_SHARED says where they are)",
)

# Rows that we hold to be wrong, or to have two fair answers.
DISPUTED: Final = {
    "baml/v2024/test_unions/test_email_regex": (
        "which of two types is told by a check in the language of BAML's templates, "
        "which is no part of JSON Schema; ours takes the first that fits"
    ),
}


def list_rows(*, error: bool) -> list[Row]:
    return [
        row
        for row in read_rows(FRAMEWORKS)
        if row["schema"] and not row["partial"] and bool(row["expect_error"]) is error
    ]


def read_typed(row: Row) -> Any:
    try:
        return jsonsift.extract_json(text_of(row), schema=row["schema"])
    except jsonsift.JSONSiftError as error:
        return error


def test_rows_come_out_right() -> None:
    """A typed reply that was read right would be read wrong."""
    rows = list_rows(error=False)
    assert len(rows) >= 239
    wrong = {}
    for row in rows:
        value = read_typed(row)
        if not is_equal(value, row["expected"]):
            wrong[row["id"]] = value
    assert wrong.keys() == DISPUTED.keys()
    assert len(DISPUTED) <= 8
    assert len(wrong) <= 0.03 * len(rows)


@pytest.mark.parametrize("coerce", ["all", "safe", "off"])
def test_rows_without_a_fit_are_refused(coerce: str) -> None:
    """A value would be made up where none fits."""
    rows = list_rows(error=True)
    assert len(rows) >= 31
    for row in rows:
        with pytest.raises(jsonsift.JSONSiftError):
            jsonsift.extract_json(text_of(row), schema=row["schema"], coerce=coerce)


def test_unfinished_rows_show_what_has_come() -> None:
    """A stream would show a half number, or an object without its fields."""
    rows = [r for r in read_rows(FRAMEWORKS) if r["schema"] and r["partial"]]
    assert len(rows) >= 16
    for row in rows:
        judge = make_judge(row["schema"], "all", json.loads)
        found = jsonsift.extract(text_of(row))
        open_path = None if found.complete else found.open_path
        shown = judge.read_partial(found.value, open_path)
        assert is_equal(shown, row["expected"]), row["id"]
