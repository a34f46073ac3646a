"""Typed answers: types, the choice, rules at their edges, errors, bounds."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import importlib.util
import json
import pickle
import subprocess
import sys
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from typing_extensions import TypedDict

import jsonsift
from jsonsift import (
    CandidateKind,
    JSONSiftError,
    NoJSONError,
    Rule,
    SchemaError,
    Stream,
    extract,
    extract_all,
    extract_json,
    observe,
)
from jsonsift._observe import Record
from jsonsift.batch import extract_many
from jsonsift.linear import Family, assert_linear
from jsonsift.schema.judge import make_judge


class Colour(enum.Enum):
    RED = "r"
    DARK_GREEN = "dg"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Item(BaseModel):
    sku: str
    qty: int
    price: Decimal = Decimal(0)


class Order(BaseModel):
    number: str = Field(alias="orderNumber")
    items: list[Item]
    colour: Colour = Colour.RED
    level: Level | None = None
    due: datetime.date | None = None
    id: uuid.UUID | None = None
    tags: set[str] = set()


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Point(NamedTuple):
    x: int
    y: int = 0


class Movie(TypedDict, total=False):
    title: str
    year: int


@dataclasses.dataclass
class Job:
    title: str
    skills: list[str] = dataclasses.field(default_factory=list)


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    day: datetime.date
    pair: tuple[int, ...]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class User(msgspec.Struct, rename="camel"):
    full_name: str
    age: int
    tags: list[str] = []


class Get(msgspec.Struct, tag=True):
    key: str


class Put(msgspec.Struct, tag=True):
    key: str
    price: Decimal
    at: datetime.date | None = None


def rules_of(reply: str, schema: Any, **options: Any) -> list[str]:
    return [
        one.rule.label for one in extract(reply, schema=schema, **options).coercions
    ]


# --------------------------------------------------------------------------- types

TYPED: Final[list[Any]] = [
    (
        '{"Order Number": 7, "items": {"sku": 12, "qty": "3 x", "price": "$1,234.50"}, '
        '"colour": "dark green", "level": "high", "due": "2024-01-02", "tags": "new"}',
        Order,
        Order(
            orderNumber="7",
            items=[Item(sku="12", qty=3, price=Decimal("1234.50"))],
            colour=Colour.DARK_GREEN,
            level=Level.HIGH,
            due=datetime.date(2024, 1, 2),
            tags={"new"},
        ),
    ),
    ('{"number": "7", "items": []}', Order, Order(orderNumber="7", items=[])),
    (
        '{"value": "1", "children": {"value": "2", "children": {"value": "3"}}}',
        Tree,
        Tree(value=1, children=[Tree(value=2, children=[Tree(value=3)])]),
    ),
    ('{"Kind": "Dog", "name": "Rex"}', Pet, Dog(kind="dog", name="Rex")),
    ('[{"kind": "CAT", "lives": "9"}]', list[Pet], [Cat(kind="cat", lives=9)]),
    ('{"y": "2", "x": "1 m"}', Point, Point(1, 2)),
    ('["1 m", 2]', Point, Point(1, 2)),
    ('{"Title": "Alien", "year": "in 1979"}', Movie, {"title": "Alien", "year": 1979}),
    ('{"title": "smith", "skills": "iron"}', Job, Job("smith", ["iron"])),
    (
        '{"day": "2024-01-02", "pair": [1, 2]}',
        Strict,
        Strict(day=datetime.date(2024, 1, 2), pair=(1, 2)),
    ),
    (
        '{"Day": "2024-01-02", "pair": 5, "z": 0}',
        Strict,
        Strict(day=datetime.date(2024, 1, 2), pair=(5,)),
    ),
    ('{"A": "1 x", "b": 2}', Open, Open(a=1, b=2)),  # type: ignore[call-arg]
    ('{"a": "1 x", "b": [2]}', dict[str, int], {"a": 1, "b": 2}),
    ('{"a": 1, "b": 2}', list[tuple[str, int]], [("a", 1), ("b", 2)]),
    ('[["a", 1], ["b", "2 x"]]', dict[str, int], {"a": 1, "b": 2}),
    ("The total is 1,234.50 dollars.", Decimal, Decimal("1234.50")),
    ("It is Dark Green.", Colour, Colour.DARK_GREEN),
    ("null", Item | None, None),
    ("None", Item | None, None),
    ('{"sku": "a", "qty": 1}', pydantic.TypeAdapter(Item), Item(sku="a", qty=1)),
    (
        '{"full_name": "Ada", "age": "36 years", "tags": "x"}',
        User,
        User("Ada", 36, ["x"]),
    ),
    ('[{"fullName": "Ada", "age": 36}]', list[User], [User("Ada", 36)]),
    (
        '{"type": "put", "key": 1, "price": "$1,234.50", "at": "2024-01-02"}',
        Get | Put,
        Put("1", Decimal("1234.50"), datetime.date(2024, 1, 2)),
    ),
    ('{"type": "Put", "key": 1, "price": 1.5}', Get | Put, Put("1", Decimal("1.5"))),
]


@pytest.mark.parametrize(("reply", "schema", "expected"), TYPED)
def test_types(reply: str, schema: Any, expected: Any) -> None:
    """A kind of type would not be understood, or its value be of another type."""
    value = extract_json(reply, schema=schema)
    assert value == expected
    assert type(value) is type(expected)
    fenced = f"Certainly.\n\n```json\n{reply}\n```\nAnything else?"
    if reply[0] in "{[":
        assert extract_json(fenced, schema=schema) == expected


@pytest.mark.parametrize("wrong", ["Invoice", 5, ["int"], b"{}"])
def test_what_is_no_schema(wrong: Any) -> None:
    """A mistake of the caller's would look like a reply that does not fit."""
    with pytest.raises(TypeError, match="schema="):
        extract_json("{}", schema=wrong)


@pytest.mark.parametrize(
    "wrong", [{"type": "text"}, {"properties": []}, {"$ref": "http://x.test/s"}]
)
def test_invalid_json_schemas(wrong: Any) -> None:
    """They would be taken for schemas that nothing fits."""
    with pytest.raises(ValueError, match="not a valid JSON Schema"):
        extract_json('{"a": 1}', schema=wrong)


@pytest.mark.parametrize("wrong", ["some", {"all", "safe"}, {"all", "key-form"}])
def test_unknown_coercions(wrong: Any) -> None:
    """A policy that was mistyped would be taken for another."""
    with pytest.raises(ValueError, match="coerce="):
        extract_json("{}", schema=dict, coerce=wrong)


def test_hooks_make_no_typed_values() -> None:
    """A hook would be taken and never called."""
    for call in (extract, extract_all, extract_json):
        with pytest.raises(ValueError, match="hooks"):
            call("[1]", schema=list[int], parse_int=str)


@pytest.mark.parametrize(
    "call", [extract, extract_all, extract_json, lambda _, **more: Stream(**more)]
)
@pytest.mark.parametrize("coerce", ["off", "safe", {"all", "drop-item"}, "nonsense"])
def test_coercion_needs_a_schema(call: Any, coerce: Any) -> None:
    """It would be taken and ignored."""
    with pytest.raises(ValueError, match="give schema= too"):
        call("[1]", coerce=coerce)
    with pytest.raises(ValueError, match="give schema= too"):
        extract_many(["[1]"], coerce=coerce)


def test_outcome_of_a_coerced_value() -> None:
    """A value that was changed to fit would be called valid."""
    seen: list[Record] = []
    with observe(seen.append):
        for reply in ('{"sku": "a", "qty": "2 x"}', '{"sku": "a", "qty": 2}'):
            found = extract(reply, schema=Item)
            assert found.outcome == seen[-1].outcome
        extract('{sku: "a", "qty": "2 x"}', schema=Item)
        extract('{"sku": "a", "qty": "2 x"', schema=Item)
        extract_all('{"sku": "a", "qty": 1} or {"sku": "b", "qty": "1 x"}', schema=Item)
    assert [one.outcome for one in seen] == [
        "coerced",
        "valid",
        "repaired",
        "cut",
        "coerced",
    ]
    (row,) = extract_many(['{"sku": "a", "qty": "2 x"}'], schema=Item)
    assert (row.status, row.complete) == ("coerced", True)


def test_order_of_a_union_is_part_of_the_type() -> None:
    """Equal types, of which the second would be given the first one's order."""
    reply = '{"a": "1 x"}'
    first = extract_json(reply, schema=dict[str, Literal["1x"] | int])
    other = extract_json(reply, schema=dict[str, int | Literal["1x"]])
    assert first == other == {"a": "1x"}
    text = '{"v": [1, 2]}'
    assert extract_json(text, schema=dict[str, list[int] | list[str]]) == {"v": [1, 2]}


# ---------------------------------------------------------------------- JSON Schema


def test_keywords_of_json_schema() -> None:
    """A way to write a type would be taken for any value."""
    schema = {
        "definitions": {"n": {"type": "integer"}},
        "allOf": [
            {"properties": {"a": {"$ref": "#/definitions/n"}}, "required": ["a"]},
            {"properties": {"b": {"type": ["string", "null"]}}},
        ],
        "properties": {"c": {"type": ["boolean", "null"]}, "d": {"const": "x"}},
        "type": "object",
    }
    reply = '{"A": "5", "b": null, "c": "yes", "d": "X"}'
    assert extract_json(reply, schema=schema) == {
        "a": 5,
        "b": None,
        "c": True,
        "d": "x",
    }
    with pytest.raises(SchemaError):
        extract_json("{}", schema=schema)


def test_tuples_and_patterns_of_json_schema() -> None:
    """Limits would be known to the validator only, and another arm not be tried."""
    schema = {
        "prefixItems": [
            {"anyOf": [{"type": "string", "pattern": "^[0-9]+$"}, {"type": "boolean"}]},
            {"type": "string", "maxLength": 2},
        ],
        "items": False,
        "minItems": 2,
    }
    assert extract_json('["yes", "ab"]', schema=schema) == [True, "ab"]
    for reply in ('["yes", "abc"]', '["yes"]', '["12", "ab", 1]'):
        with pytest.raises(SchemaError):
            extract_json(reply, schema=schema)


def test_a_value_that_only_the_validator_understands() -> None:
    """A schema that the rules cannot read would refuse what it accepts."""
    schema = {"type": "object", "properties": {"a": False}, "required": []}
    assert extract_json('{"b": 1}', schema=schema) == {}
    assert extract_json('{"b": 1}', schema=schema, coerce="off") == {"b": 1}
    with pytest.raises(SchemaError):
        extract_json('{"a": 1}', schema=schema)


def test_limits_of_the_validator_hold() -> None:
    """The rules would return what the schema forbids."""
    schema = {"properties": {"n": {"type": "integer", "maximum": 9}}}
    with pytest.raises(SchemaError, match="10 is greater") as caught:
        extract_json('{"n": "10"}', schema=schema)
    assert caught.value.path == ("n",)
    big = {"properties": {"n": {"type": "integer", "multipleOf": 0.1}}}
    with pytest.raises(SchemaError, match="usual size"):
        extract_json('{"n": 1%s}' % ("0" * 400), schema=big)


# ----------------------------------------------------------------------- the choice


def test_choice_between_values() -> None:
    """A draft that fits less would be taken, or cost not be told from place."""
    reply = 'Not {"sku": "a", "qty": "2 x"} but\n```json\n{"sku": "b", "qty": 1}\n```'
    assert extract_json(reply, schema=Item) == Item(sku="b", qty=1)
    reply = 'So {"sku": "a", "qty": 2}, not\n```json\n{"sku": "b", "qty": "1 x"}\n```'
    assert extract_json(reply, schema=Item) == Item(sku="a", qty=2)
    reply = '```json\n{"sku": "a"}\n```\nor\n```json\n{"sku": "b", "qty": 1}\n```'
    assert extract_json(reply, schema=Item) == Item(sku="b", qty=1)


def test_ties_are_for_pick() -> None:
    """Equal fits would be chosen between by their length."""
    reply = 'Now {"sku": "a", "qty": 1}, then {"sku": "bbb", "qty": 2}.'
    skus = {
        pick: extract_json(reply, schema=Item, pick=pick).sku
        for pick in ("best", "first", "last")
    }
    assert skus == {"best": "a", "first": "a", "last": "bbb"}


def test_a_value_of_no_known_key_loses() -> None:
    """An object of which nothing is known would fit a type without required fields."""
    reply = 'First {"x": 1, "y": 2}, then {"title": "Alien"}.'
    assert extract_json(reply, schema=Movie) == {"title": "Alien"}
    assert extract_json('{"x": 1}', schema=Movie) == {}


def test_lists_of_all_values() -> None:
    """Several values would be one too many where a list is wanted."""
    reply = 'One {"sku": "a", "qty": 1}, two {"sku": "b", "qty": "2 x"}.'
    found = extract(reply, schema=list[Item])
    assert [item.qty for item in found.value] == [1, 2]
    assert found.coercions[0].rule is Rule.LIST_OF_ALL
    lines = '{"sku": "a", "qty": 1}\n{"sku": "b", "qty": 2}'
    assert len(extract_json(lines, schema=list[Item])) == 2
    assert extract_json(lines, schema=Item).sku == "a"
    # a real list before one made of a single value
    reply = 'As {"sku": "?", "qty": 0}: [{"sku": "a", "qty": "1 x"}, {"sku": "b"}]'
    reply = reply.replace('"b"}', '"b", "qty": 2}')
    assert [item.sku for item in extract_json(reply, schema=list[Item])] == ["a", "b"]


def test_no_list_of_all_where_joining_is_forbidden() -> None:
    """A reply that must be valid JSON would be put together, or a limit passed."""
    reply = 'One {"sku": "a", "qty": 1}, and {"sku": "b", "qty": 2}.'
    assert len(extract_json(reply, schema=list[Item], repair="off")) == 1
    assert len(extract_json(reply, schema=list[Item], coerce="safe")) == 1
    assert len(extract_json(reply, schema=list[Item], max_depth=1)) == 1
    found = extract(reply, schema=list[Item], timings=True)
    assert found.timings is not None
    assert found.timings["validate"].ns > 0


def test_extract_all_leaves_out_what_does_not_fit() -> None:
    """Values of another type would end the list, or stand in it."""
    reply = 'A {"sku": "a", "qty": 1}, {"b": 2} and {"sku": "c", "qty": "3 x"}.'
    founds = extract_all(reply, schema=Item)
    assert [(found.value.sku, len(found.coercions)) for found in founds] == [
        ("a", 0),
        ("c", 1),
    ]


def test_what_only_looks_like_json() -> None:
    """Words in braces would never be an answer, or be one before real JSON."""
    assert extract_json("[red, blue] it is.", schema=list[str]) == ["red", "blue"]
    assert extract_json("{n: b} is it.", schema=dict[str, str]) == {"n": "b"}
    sdl = "type Query {\n  name: String\n  age: Int\n}"
    with pytest.raises(JSONSiftError):
        extract_json(sdl, schema=Item)


def test_reasoning_is_no_answer() -> None:
    """A number thought of would be the answer."""
    assert extract_json("<think>5? no, 6</think> So 7.", schema=int) == 7
    with pytest.raises(JSONSiftError):
        extract_json("<think>5</think> I don't know.", schema=int)
    assert extract_json("<think>{}</think>\nYes.", schema=str) == "Yes."
    draft = '<think>{"sku": "a", "qty": 1}</think> Which one?'
    with pytest.raises(NoJSONError):
        extract_json(draft, schema=Item)
    assert extract_json(draft, schema=Item, reasoning="fallback").sku == "a"


def test_words_are_not_read_from_json() -> None:
    """A number within an object would be taken for the answer."""
    with pytest.raises(SchemaError):
        extract_json('{"a": {"n": 5}, "b": 1}', schema=int)
    assert extract_json('It is 7. {"n": [5, 6]}', schema=int) == 7


def test_text_of_the_reply() -> None:
    """A string would be another text than the reply's."""
    assert extract_json('The {"a": 1}!', schema=str) == 'The {"a": 1}!'
    assert extract_json('"quoted"', schema=str) == "quoted"
    assert extract_json('"[1, 2]"', schema=str) == "[1, 2]"
    assert extract_json('"[1, 2]"', schema=list[int]) == [1, 2]
    found = extract("Just words", schema=str)
    assert (found.value, found.kind) == ("Just words", CandidateKind.WHOLE)
    assert json.loads(found.text) == "Just words"
    with pytest.raises(NoJSONError):
        extract_json("Just words", schema=list[str])
    with pytest.raises(NoJSONError):
        extract_json("Just words", schema=str, coerce="off")
    with pytest.raises(NoJSONError):
        extract_json("Just words", schema=str, repair="safe")


def test_text_that_is_a_date() -> None:
    """A reply that is nothing but a date would not be one, or any reply would."""
    day = extract_json(" 2024-01-02\n", schema=datetime.date)
    assert day == datetime.date(2024, 1, 2)
    with pytest.raises(NoJSONError):
        extract_json("No date is known.", schema=datetime.date)
    with pytest.raises(NoJSONError):
        extract_json("2024-01-02", schema={"type": "string", "format": "date"})


class Opaque:
    """A class that JSON Schema has no word for."""

    def __init__(self, text: str) -> None:
        self.text = text


def make_opaque(value: Any) -> Opaque:
    if not isinstance(value, str):
        raise ValueError("no text")
    return Opaque(value)


class Holder(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    inner: Annotated[Opaque, pydantic.PlainValidator(make_opaque)]
    count: int = Field(validation_alias=pydantic.AliasChoices("n", "count"))


def test_types_without_a_json_schema() -> None:
    """A type of the user's own would be an error, or be decided by the rules."""
    held = extract_json('{"inner": "x", "N": "2 x"}', schema=Holder)
    assert (held.inner.text, held.count) == ("x", 2)
    with pytest.raises(SchemaError, match="no text"):
        extract_json('{"inner": 1, "n": 2}', schema=Holder)


def test_text_as_it_stands() -> None:
    """A number wanted as text would lose the digits that were written."""
    reply = (
        "{a: 1.50, b: 007, 'c': {x: 1, y: [2,]}, d: True, e: 12345678901234567890123}"
    )
    value = extract_json(reply, schema=dict[str, str])
    assert value == {
        "a": "1.50",
        "b": "007",
        "c": "{x: 1, y: [2,]}",
        "d": "True",
        "e": "12345678901234567890123",
    }
    escaped = '{"k\\u00e9\\"y": {"a": [1.0, {"b": 2.00}]}, "z": "{\\"n\\": 3.0}"}'
    schema = {
        "properties": {
            'ké"y': {"properties": {"a": {"items": {"type": "string"}}}},
            "z": {"properties": {"n": {"type": "string"}}},
        }
    }
    assert extract_json(escaped, schema=schema) == {
        'ké"y': {"a": ["1.0", '{"b": 2.00}']},
        "z": {"n": "3.0"},
    }


# ------------------------------------------------------------------- rules at edges

NUMBERS: Final = [
    ("1,234", 1234),
    ("1,234,567.89", 1234567.89),
    ("12,34,567", 1234567),
    ("$1,23,456", 123456),
    ("1'234.5", 1234.5),
    ("1’234’567", 1234567),
    ("1 234,5", 1234.5),
    ("1\u202f234", 1234),
    ("12,5", 12.5),
    ("0,125", 0.125),
    ("-$1,234.56", -1234.56),
    ("$-5", -5),
    ("+€ 3", 3),
    ("−7", -7),
    ("US$5.50", 5.5),
    ("5 €", 5),
    (".5", 0.5),
    ("50%", 50),
    ("3/4", 0.75),
    ("1e3", 1000),
    ("12,111,123.", 12111123),
    ("about 5 apples", 5),
    ("Save up to 20% on it", 20),
    ("1.234,56", None),
    ("1.234.567", None),
    ("$1.23.456", None),
    ("1,23", 1.23),
    ("1,2345", None),
    ("12,34,56", None),
    ("5 of 6", None),
    ("5-10", None),
    ("10:30", None),
    ("2024-05-01", None),
    ("28558C", None),
    ("10k", None),
    ("k1", None),
    ("v-1", None),
    ("1/0", None),
    ("1 23", None),
    ("--5", None),
    ("five", None),
    ("", None),
    ("9" * 500, None),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_numbers_in_text(text: str, number: float | None) -> None:
    """A number would be read as another, or where there is none or more than one."""
    reply = json.dumps({"n": text})
    schema = {"properties": {"n": {"type": "number"}}, "required": ["n"]}
    value = extract_json(reply, schema=schema, default=None)
    assert (value and value["n"]) == number


def test_integers_are_not_rounded() -> None:
    """A number would become another one."""
    for text in ("5.5", '"5.5"', '"$5.50"', '"1/3"'):
        with pytest.raises(SchemaError):
            extract_json(
                f'{{"n": {text}}}', schema={"properties": {"n": {"type": "integer"}}}
            )
    assert extract_json(
        '{"n": "5.0"}', schema={"properties": {"n": {"type": "integer"}}}
    ) == {"n": 5}


CHOICES: Final = ["spam", "not_spam", "señor", "C++", "high risk", "中文"]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("SPAM", "spam"),
        ("Not spam", "not_spam"),
        ("It is not spam at all", "not_spam"),
        ("senor", "señor"),
        ("high-risk!", "high risk"),
        ("**High Risk**, I'd say", "high risk"),
        ("spam spam not_spam", "spam"),
        ("这是中文吗", "中文"),
        ("spam or not_spam", None),
        ("spammer", None),
        ("ham", None),
        ("", None),
        ("+", None),
    ],
)
def test_choices(text: str, choice: str | None) -> None:
    """A choice would be found within a word, or picked where two are named."""
    schema = {"properties": {"c": {"enum": CHOICES}}, "required": ["c"]}
    value = extract_json(json.dumps({"c": text}), schema=schema, default=None)
    assert (value and value["c"]) == choice


def test_choices_of_other_kinds() -> None:
    """A literal that is no string would only be found as it is."""
    one = {"enum": [1, True, "THREE", None]}
    for text, value in [
        ("1", 1),
        ('"1"', 1),
        ("true", True),
        ('"three"', "THREE"),
        ('{"v": 1}', 1),
        ('["no", 1]', 1),
        ('"none"', None),
    ]:
        assert repr(extract_json(text, schema=one)) == repr(value)
    for text in ('{"v": [1]}', '{"v": 1, "w": 2}', "2", '"2"', "[1, true]"):
        with pytest.raises(JSONSiftError):
            extract_json(text, schema=one)


def test_an_alias_replaces_the_value() -> None:
    """The name that a prompt hides would be taken where the model means another."""
    schema = {"enum": ["A", "B"], "x-enum-aliases": {"A": "car", "B": "car-2"}}
    assert extract_json("car-2!", schema=schema) == "B"
    assert extract_json('"Car"', schema=schema) == "A"
    for text in ("A", '"A"', "car or car-2"):
        with pytest.raises(JSONSiftError):
            extract_json(text, schema=schema)


def test_keys() -> None:
    """A key would be found within another, or one of two be dropped silently."""
    schema = {
        "properties": {"id": {"type": "integer"}, "idea": {}, "a_b": {}, "ab": {}},
        "required": ["id"],
    }
    assert extract_json('{"ID ": 1, "Idea": 2}', schema=schema) == {"id": 1, "idea": 2}
    assert extract_json('{"id": 1, "A-B": 2}', schema=schema) == {"id": 1}
    assert extract_json('{"id": 1, "Id": 2}', schema=schema) == {"id": 1}
    with pytest.raises(SchemaError):
        extract_json('{"ide": 1}', schema=schema)
    with pytest.raises(SchemaError, match="one key for 'id'"):
        extract_json('{"Id": 1, "ID": 2}', schema=schema)


def test_text_that_may_be_text_stays_so() -> None:
    """A string would be read as something else though strings are allowed."""
    kinds = [int, float, bool, None, Literal["x"]]
    for kind in kinds:
        for text in ("12 apples", "yes", "None", "an x"):
            reply = json.dumps([text])
            assert extract_json(reply, schema=list[kind | str]) == [text]  # type: ignore[valid-type]


def test_one_and_many() -> None:
    """A value would be wrapped or picked where that is a guess between several."""
    assert rules_of('[{"sku": "a", "qty": 1}]', Item) == ["only-item"]
    with pytest.raises(SchemaError, match="several items fit"):
        extract_json('[{"sku": "a", "qty": 1}, {"sku": "b", "qty": 2}]', schema=Item)
    assert extract_json('[{"x": 1}, {"sku": "b", "qty": 2}]', schema=Item).sku == "b"
    assert (
        extract_json('{"items": [{"sku": "a", "qty": 1}]}', schema=list[Item])[0].qty
        == 1
    )
    assert extract_json('{"item": {"sku": "a", "qty": 1}}', schema=Item).qty == 1


def test_requested_rules() -> None:
    """Items would be dropped, or lists be empty, unasked."""
    schema = {
        "properties": {"n": {"type": "array", "items": {"type": "integer"}}, "m": {}},
        "required": ["n"],
    }
    for reply in ('{"n": [1, "x"]}', '{"m": 1}'):
        with pytest.raises(SchemaError):
            extract_json(reply, schema=schema)
    asked = {"all", "drop-item", "empty-list"}
    assert extract_json('{"n": [1, "x"]}', schema=schema, coerce=asked) == {"n": [1]}
    found = extract('{"m": 1}', schema=schema, coerce=asked)
    assert found.value == {"n": [], "m": 1}
    assert [(c.path, c.rule.label) for c in found.coercions] == [(("n",), "empty-list")]


def test_defaults_are_copies() -> None:
    """A value would change a schema, and with it the next answer."""
    schema: Any = {"properties": {"tags": {"default": []}, "a": {}}}
    extract_json('{"a": 1}', schema=schema)["tags"].append(1)
    assert extract_json('{"a": 1}', schema=schema)["tags"] == []


# --------------------------------------------------------------------------- errors


def test_errors_name_what_is_wrong() -> None:
    """A caller could not tell what to ask for again."""
    with pytest.raises(SchemaError) as caught:
        extract_json(
            '{"orderNumber": "7", "items": [{"sku": "a", "qty": "many"}, {"qty": 1}]}',
            schema=Order,
        )
    error = caught.value
    assert error.path == ("items", 0, "qty")
    assert (error.found, error.wanted) == ("many", "an integer")
    assert [one.path for one in error.problems] == [
        ("items", 0, "qty"),
        ("items", 1, "sku"),
    ]
    assert error.value["items"][0] == {"sku": "a", "qty": "many"}
    assert isinstance(error.reason, pydantic.ValidationError)
    assert str(error).endswith('expected an integer, found "many" (and 1 more)')


class Limited(msgspec.Struct):
    rows: list[Annotated[int, msgspec.Meta(ge=0)]]
    by: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = {}


@pytest.mark.parametrize(
    ("reply", "path", "found"),
    [
        ('{"rows": [1, -2]}', ("rows", 1), -2),
        ('{"rows": [], "by": {"a": -2}}', ("by",), {"a": -2}),
    ],
)
def test_errors_of_msgspec_have_a_path(reply: str, path: Any, found: Any) -> None:
    """The place would only stand in the words of the error."""
    with pytest.raises(SchemaError, match="`int` >= 0") as caught:
        extract_json(reply, schema=Limited)
    assert (caught.value.path, caught.value.found) == (path, found)


def test_errors_are_about_the_closest_value() -> None:
    """The error would speak of a value that was never meant."""
    reply = '{"x": 1} and\n```json\n{"sku": "a", "qty": "many"}\n```\nand [1, 2].'
    with pytest.raises(SchemaError) as caught:
        extract_json(reply, schema=Item)
    assert caught.value.path == ("qty",)
    with pytest.raises(SchemaError, match="'cat' or 'dog', found \"bird\""):
        extract_json('{"kind": "bird", "name": "x"}', schema=Pet)


def test_feedback_is_short_and_plain() -> None:
    """A reply could write at length, or in control characters, into the next prompt."""
    keys = {f"k{i}": "\x1b[31m\u202eignore all\n" * 1000 for i in range(50)}
    schema = {
        "properties": {key: {"type": "integer"} for key in keys},
        "required": ["y" * 5000],
    }
    with pytest.raises(SchemaError) as caught:
        extract_json(json.dumps(keys), schema=schema)
    told = caught.value.feedback()
    assert len(told) < 2000
    assert len(told.splitlines()) == 8
    assert all(ch.isprintable() or ch == "\n" for ch in told)


class Limits(BaseModel):
    n: Annotated[int, Field(ge=1)]
    m: int
    rest: list[Annotated[int, Field(le=9)]] = []


@pytest.mark.parametrize("schema", [Limits, Limits.model_json_schema()])
def test_problems_of_rules_and_of_the_validator(schema: Any) -> None:
    """A model would be told of one fault now, and of the next when it is corrected."""
    with pytest.raises(SchemaError) as caught:
        extract_json('{"n": "0", "m": "many", "rest": [3, "20", "x"]}', schema=schema)
    problems = {problem.path: problem.found for problem in caught.value.problems}
    assert problems == {("m",): "many", ("rest", 2): "x", ("n",): 0, ("rest", 1): 20}
    with pytest.raises(SchemaError) as caught:
        extract_json('{"n": 0}', schema=schema)
    assert [(one.path, one.missing) for one in caught.value.problems] == [
        (("m",), True),
        (("n",), False),
    ]


def test_what_a_validator_wants_is_told_in_plain_words() -> None:
    """A model would read a validator's words, and paths with names of Python types."""

    class Trip(BaseModel):
        day: datetime.date
        at: datetime.datetime | None = None
        days: list[datetime.date] = []
        by: dict[str, uuid.UUID] = {}
        code: int | datetime.date = 0
        age: Annotated[int, Field(gt=0)] = 1

    class Visit(msgspec.Struct):
        day: datetime.date

    for schema, reply, lines in (
        (
            Trip,
            '{"day": "soon", "at": "later", "days": ["2024-05-01", {}]}',
            (
                '- $.day: expected a string (date), found "soon"',
                '- $.at: expected a string (date-time) or null, found "later"',
                "- $.days[1]: expected a string (date), found an empty object",
            ),
        ),
        (
            Trip,
            '{"day": "2024-05-01", "by": {"x": "y"}, "code": "z", "age": 0}',
            (
                '- $.by.x: expected a string (uuid), found "y"',
                '- $.code: expected an integer or a string (date), found "z"',
                "- $.age: expected a value that passes (Input should be greater than 0)"
                ", found 0",
            ),
        ),
        (
            Visit,
            '{"day": "soon"}',
            ('- $.day: expected a string (date), found "soon"',),
        ),
    ):
        with pytest.raises(SchemaError) as caught:
            extract_json(reply, schema=schema)
        told = caught.value.feedback().splitlines()[1:-1]
        assert sorted(told) == sorted(lines)


def test_a_key_that_the_type_ignores_is_no_problem() -> None:
    """A model would be told to leave out what nobody minds."""

    class Loose(BaseModel):
        a: int

    class Tight(Loose):
        model_config = ConfigDict(extra="forbid")

    plain = {"properties": {"a": {"type": "integer"}, "c": {}}}
    renamed = {"properties": {"a": {"x-alias": "A"}}}
    reply = '{"a": "x", "b": 2}'
    for schema, paths in (
        (Loose, [("a",)]),
        (Tight, [("a",), ("b",)]),
        (plain, [("a",)]),
        ({**plain, "additionalProperties": False}, [("a",), ("b",)]),
        (renamed, [("a",), ("b",)]),  # "a" is no field, nor may it be taken for one
    ):
        with pytest.raises(SchemaError) as caught:
            extract_json(reply, schema=schema, coerce="off")
        assert [one.path for one in caught.value.problems] == paths
    kept = extract_json('{"b": 2, "a": 1}', schema=plain, coerce="off")
    assert list(kept.items()) == [("b", 2), ("a", 1)]


def test_a_problem_is_told_once() -> None:
    """The validator would be heard about what a rule has said, in other words."""
    either = {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}
    schema = {
        "properties": {
            "u": {"type": "array", "items": either},
            "k": {"type": "integer"},
            "b": {"type": "string"},
        },
        "required": ["a", "b"],
        "minProperties": 9,
    }
    with pytest.raises(SchemaError) as caught:
        extract_json('{"u": [1, "x"], "k": "y", "a": 1}', schema=schema)
    paths = sorted(map(str, (one.path for one in caught.value.problems)))
    assert paths == ["('b',)", "('k',)", "('u', 1)"]
    with pytest.raises(SchemaError) as caught:
        extract_json('{"kind": "bird", "name": 5, "n": "z"}', schema=Pet)
    assert [one.path for one in caught.value.problems] == [("kind",)]


def test_a_validator_may_not_bear_half_a_value() -> None:
    """What it raises about a value that was made for an error would be raised."""

    class Pair(BaseModel):
        low: int
        high: int

        @model_validator(mode="before")
        @classmethod
        def compare(cls, value: Any) -> Any:
            if isinstance(value, dict) and type(value["low"]) is int:
                assert value["low"] < int(value["high"])
                return {"low": value["low"] / (value["low"] - 3), **value}
            return value

    with pytest.raises(SchemaError) as caught:
        extract_json('{"low": "3", "high": "x"}', schema=Pair)
    assert [one.path for one in caught.value.problems] == [("high",)]


@pytest.mark.parametrize("error", [ZeroDivisionError, RecursionError, KeyError])
def test_errors_of_validators_are_the_callers(error: type[Exception]) -> None:
    """A fault in the caller's code would be told as one of the reply."""

    class Strange(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def check(cls, value: int) -> int:
            raise error("theirs")

    with pytest.raises(error, match="theirs"):
        extract_json('{"n": 1}', schema=Strange, default=None)


def test_feedback_says_that_the_reply_was_cut() -> None:
    """A model would look for a fault where only the end is missing."""
    with pytest.raises(SchemaError, match="the reply breaks off") as caught:
        extract_json('{"sku": "A', schema=Item)
    assert not caught.value.complete
    assert caught.value.feedback().splitlines() == [
        "Your reply breaks off inside its JSON. It does not fit the schema:",
        "- $.qty is missing: expected an integer",
        "Reply with the whole JSON only.",
    ]


def test_errors_can_be_pickled() -> None:
    """An error could not come back from another process."""
    with pytest.raises(SchemaError) as caught:
        extract_json(
            '{"qty": 1}', schema={"required": ["sku"], "properties": {"sku": {}}}
        )
    error = caught.value
    error.reason = None
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.problems, copy.value, str(copy)) == (
        error.problems,
        error.value,
        str(error),
    )


def test_default_stands_in() -> None:
    """A default would be no help against an answer that does not fit."""
    assert extract_json('{"a": 1}', schema=Item, default=None) is None
    assert extract_json("Sorry.", schema=Item, default=0) == 0


# --------------------------------------------------------------------------- bounds


def test_deep_values() -> None:
    """A deep value would end in a RecursionError, or hide a good one."""
    deep = '{"value": 1, "children": [' * 150 + "]}" * 150
    good = '{"value": "2 x", "children": []}'
    assert extract_json(deep, schema=Tree).value == 1
    deep = deep.replace("1", '"1 x"')
    with pytest.raises(SchemaError):
        extract_json(deep, schema=Tree)
    assert extract_json(f"{deep} or {good}", schema=Tree) == Tree(value=2)
    levels = '{"value": "1 x", "children": [' * 25 + "]}" * 25
    assert extract_json(levels, schema=Tree).children[0].value == 1


def test_schemas_that_go_round() -> None:
    """A type that only names itself would never end."""
    schema = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
    with pytest.raises(JSONSiftError):
        extract_json('{"a": 1}', schema=schema, coerce="off")
    wrap = {
        "$ref": "#/$defs/F",
        "$defs": {
            "F": {
                "type": "object",
                "properties": {
                    "f": {"anyOf": [{"$ref": "#/$defs/F"}, {"type": "integer"}]}
                },
                "required": ["f"],
            }
        },
    }
    assert extract_json("5", schema=wrap) == {"f": 5}
    assert extract_json('{"f": {"f": "5"}}', schema=wrap) == {"f": {"f": 5}}


def make_union(arms: int) -> Any:
    """Arms that differ in one tag only."""
    return {
        "type": "array",
        "items": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"tag": {"const": f"t{i}"}, "n": {"type": "integer"}},
                    "required": ["tag", "n"],
                }
                for i in range(arms)
            ]
        },
    }


# What the replies are made of, and the schema that they must be fitted to.
GROWING: Final[list[Any]] = [
    pytest.param(
        Family("[", '{"tag": "T7", "n": "5 x"},', '{"tag": "T7", "n": "5 x"}]'),
        make_union(20),
        id="union",
    ),
    pytest.param(Family("", "word 1, "), {"type": "integer"}, id="numbers"),
    pytest.param(Family("1", ","), {"type": "integer"}, id="marks"),
    pytest.param(Family("", "spa not_spa m "), {"enum": CHOICES}, id="choices"),
    pytest.param(
        Family("", '{"sku": 1} '),
        {"type": "array", "items": {"required": ["a"], "properties": {"a": {}}}},
        id="objects",
    ),
    pytest.param(
        Family('{"a": "', "[", '"}'),
        {"properties": {"a": {"type": "array"}}},
        id="inner",
    ),
    pytest.param(
        Family("[", '[1.5, {"a": 2}],', '[1.5, {"a": 2}]]'),
        {"items": {"items": {"type": "string"}}},
        id="texts",
    ),
    pytest.param(
        Family("", "{a: b} or "),
        {"type": "array", "items": {"type": "integer"}},
        id="doubtful",
    ),
]


@pytest.mark.linear
@pytest.mark.parametrize(("family", "schema"), GROWING)
def test_time_is_linear_in_the_reply(family: Family, schema: Any) -> None:
    """A reply could cost time that grows faster than its length."""
    assert_linear(
        lambda reply: extract_json(reply, schema=schema, default=None),
        [family],
        sizes=(512, 2_048, 8_192, 32_768),
        step_sizes=(),
    )


# -------------------------------------------------------------------------- partial


def test_unfinished_values() -> None:
    """A stream would show half a number or choice, or hide what has come."""
    judge = make_judge(Order, "all", json.loads)
    shown = judge.read_partial(
        {"orderNumber": "7", "items": [{"sku": "a", "qty": 1}, {}]}, None
    )
    assert shown["orderNumber"] == "7"
    assert shown["items"][0]["qty"] == 1
    assert shown["items"][1] == {"sku": None, "qty": None, "price": None}
    assert shown["level"] is None
    assert judge.read_partial({}, None)["items"] == []
    pet = make_judge(Cat, "all", json.loads)
    assert pet.read_partial({"kind": "ca"}, ("kind",)) == {"kind": None, "lives": None}
    assert pet.read_partial({"kind": "cat", "lives": 1}, ("lives",))["lives"] is None
    assert (
        judge.read_partial({"orderNumber": "7"}, ("orderNumber",))["orderNumber"] == "7"
    )


# ----------------------------------------------------------------------- type checks

SNIPPET: Final = """
from pydantic import BaseModel
from jsonsift import extract_json

class Item(BaseModel):
    sku: str

reveal_type(extract_json("", schema=Item))
reveal_type(extract_json("", schema=int, coerce="safe"))
reveal_type(extract_json("", schema=list[Item]))
reveal_type(extract_json("", schema=Item, default=None))
reveal_type(extract_json("", pick="first"))
reveal_type(extract_json("", schema={"type": "string"}))
"""
REVEALED: Final = [
    "Item",
    "int",
    "list[Item]",
    "Item | None",
    "Any",
    "Any",
]


def check_snippet(folder: Path, command: list[str]) -> list[str]:
    path = folder / "snippet.py"
    path.write_text(SNIPPET)
    source = str(Path(jsonsift.__file__).parents[1])
    config = {"extraPaths": [source]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    ran = subprocess.run(
        [sys.executable, "-m", *command, path.name],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    quotes = str.maketrans({"“": '"', "”": '"'})
    out = ran.stdout.translate(quotes)
    assert "error" not in out.replace("0 errors", ""), out
    lines = [
        line for line in out.splitlines() if "evealed type" in line or "Type of" in line
    ]
    return [
        line.rpartition(" is ")[2].strip('"').replace("snippet.", "") for line in lines
    ]


@pytest.mark.parametrize(
    ("tool", "command"),
    [("mypy", ["mypy", "--strict", "--no-error-summary"]), ("pyright", ["pyright"])],
)
def test_static_types(tmp_path: Path, tool: str, command: list[str]) -> None:
    """A typed call would be ``Any`` to a type checker."""
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    revealed = check_snippet(tmp_path, command)
    clean = [
        one.replace("builtins.", "").replace("pydantic.main.", "") for one in revealed
    ]
    assert clean == REVEALED


def test_import_without_the_packages() -> None:
    """A missing package would not be named."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['pydantic', 'jsonschema']))\n"
        "import jsonsift\n"
        "for schema in (int, {}):\n"
        "    try: jsonsift.extract_json('1', schema=schema)\n"
        "    except ImportError as error: print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.count("jsonsift[schema]") == 2
