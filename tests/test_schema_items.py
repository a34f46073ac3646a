"""The items of a typed list while it is written: ``Stream(schema=…).items``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar

import msgspec
import pydantic
import pytest
from typing_extensions import TypedDict

from jsonsift import SchemaError, Stream

from .every_way import BUILDS, use_build

T = TypeVar("T")


class Row(pydantic.BaseModel):
    n: int
    kind: Literal["low", "high"] = "low"


class Table(pydantic.BaseModel):
    title: str = ""
    rows: list[Row]


class Aliased(pydantic.BaseModel):
    rows: list[Row] | None = pydantic.Field(None, alias="theRows")


class Page(pydantic.BaseModel, Generic[T]):
    rows: Sequence[T]


class Rows(pydantic.RootModel[list[Row]]):
    pass


@dataclasses.dataclass
class Point:
    n: int


@dataclasses.dataclass
class Line:
    rows: Annotated[list[Point], "points"]


class Open(TypedDict, total=False):
    rows: tuple[Row, ...]


class Entry(msgspec.Struct):
    n: int


class Ledger(msgspec.Struct, rename="pascal"):
    rows: list[Entry]


class Pair(NamedTuple):
    n: int
    rows: list[Row]


class Nested(pydantic.BaseModel):
    tables: dict[str, Table]


SCHEMA: Final = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}},
    "$defs": {
        "row": {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "by": {"default": "ada"}},
        }
    },
}
TWO: Final = '{"rows": [{"n": 1}, {"n": "2"}, {"n": 3}'
LIST: Final = '[{"n": 1}, {"n": "2 boxes"}, {"n": 3}]'

# schema, path, reply, how many come before the reply ends
EARLY: Final = (
    (Table, "rows[*]", TWO, 2),
    (Table, "$.rows[*]", '{"title": "x", "Rows": [{"n": 1}, '
     '{"n": 2, "Kind": "HIGH"}, {"n": 3', 1),
    (Aliased, "theRows[*]", TWO.replace("rows", "the_rows"), 0),
    (Aliased, "rows[*]", TWO.replace("rows", "theRows") + "]}", 3),
    (Page[Row], "rows[*]", TWO, 2),
    (Page[Any], "rows[*]", TWO, 2),
    (Rows, "[*]", LIST, 3),
    (Line, ("rows",), TWO, 2),
    (Open, "rows[*]", TWO, 2),
    (Ledger, "rows[*]", TWO.replace("rows", "Rows"), 2),
    (list[Entry], "[*]", LIST, 3),
    (Nested, "tables.a.rows[*]", '{"tables": {"a": ' + TWO, 2),
    (list[Row], "[*]", LIST, 3),
    (list[Row], "[*]", '{"n": 1}\n{"n": 2}\n{"n": 3}', 2),
    (pydantic.TypeAdapter(list[Row]), "[*]", LIST, 3),
    (list[list[Row]], "[*]", '[[{"n": 1}], {"n": 2}, [{"n": 3}]]', 3),
    (list[int], "[*]", '[1, "2", "three is 3", 4.0]', 4),
    # of these the reply's own text is the item, or nobody knows what they become;
    # of the second row above the type alone would drop the kind
    (list[str], "[*]", '["a long string, longer than sixty-four characters, which '
     'shows at once", 1.50, "b", "c"]', 1),
    (set[int], "[*]", "[1, 2, 3]", 0),
    (Pair, "rows[*]", '{"n": 1, "rows": [{"n": 1}, {"n": 2}]}', 0),
    (tuple[int, str], "[*]", '[1, "a"]', 0),
    (list[Row] | list[Point], "[*]", LIST, 0),
    (SCHEMA, "rows[*]", TWO + "]}", 3),
    (SCHEMA, "rows[*]", TWO, 2),
    # the answer is another value than the first that is JSON, or not a list as yet
    (Table, "rows[*]", '{"answer": ' + TWO + "]}}", 0),
    (Table, "rows[*]", '{"rows": {"n": 1}}', 0),
)  # fmt: skip


def _read_items(value: Any) -> list[Any]:
    for name in ("tables", "a", "rows"):
        if isinstance(value, dict):
            value = value.get(name, value)
        else:
            value = getattr(value, name, value)
    value = getattr(value, "root", value)
    return list(value or ())


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_items_are_those_of_the_answer(build: str, size: int) -> None:
    """Items would be lost or come twice, or be of one type early and another late."""
    with use_build(build):
        for schema, path, reply, early in EARLY:
            stream = Stream(schema=schema)
            items: list[Any] = []
            for at in range(0, len(reply), size):
                stream.feed(reply[at : at + size])
                items += stream.take_items(path)
            assert len(items) == early, (schema, items)
            items += list(stream.items([], path))
            answer = _read_items(stream.close().value)
            assert items == answer, (schema, items)
            assert list(map(type, items)) == list(map(type, answer))
            assert stream.take_items(path) == []


def test_a_list_that_the_schema_has_not() -> None:
    """A path that cannot be would wait for ever."""
    for schema, path, words in (
        (Table, "rowz[*]", "no 'rowz' there, but 'title', 'rows'"),
        (Table, "[*]", "no list"),
        (Table, "title[*]", "no list"),
        (Table, "rows.n[*]", "no 'n'"),
        (Nested, "tables.a[*]", "no list"),
        (SCHEMA, "rowz[*]", "no 'rowz'"),
        (list[Row], "rows[*]", "no 'rows'"),
    ):
        with pytest.raises(ValueError, match=words):
            next(Stream(schema=schema).items([TWO], path))
    loose = Stream(schema=dict[str, Any]).items([TWO], "rows[*]")
    assert next(loose) == {"n": 1}


def test_items_that_do_not_fit() -> None:
    """An item that the answer has not would be acted on, or the others be lost."""
    reply = '[{"n": 1}, {"n": "many"}, {"n": 3}, {"n": 4}'
    stream = Stream(schema=list[Row])
    stream.feed(reply)
    assert stream.take_items() == [Row(n=1)]
    with pytest.raises(SchemaError):
        stream.close()
    assert stream.take_items() == []
    dropping = Stream(schema=list[Row], coerce={"all", "drop-item"})
    dropping.feed(reply)
    assert dropping.take_items() == [Row(n=1), Row(n=3)]
    assert list(dropping.items(["]"])) == [Row(n=4)]
    strict = Stream(schema=Table, coerce="off")
    strict.feed('{"rows": [{"n": 1}, {"n": 2}], "Rows": [{"n": 3}]}')
    assert strict.take_items("Rows[*]") == [Row(n=1), Row(n=2)]


def test_keys_of_another_form_among_many() -> None:
    """A list would be missed whose key comes late."""
    stream = Stream(schema=Table)
    stream.feed('{"title": "x"')
    for at in range(50):
        stream.feed(f', "k{at}": {at}')
        assert stream.take_items("rows[*]") == []
    stream.feed(', "ROWS": [{"n": 1}, ')
    assert stream.take_items("rows[*]") == [Row(n=1)]
