"""What holds for every type and every reply, by generated models, values and texts."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple, Union

import jsonschema
import pydantic
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import jsonsift
from jsonsift import JSONSiftError, NoJSONError, SchemaError, extract_json

SETTINGS: Final = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"
    UNKNOWN = 7


class Point(NamedTuple):
    x: int
    y: float = 0.5


class Tree(pydantic.BaseModel):
    label: str
    children: list[Tree] = []


LEAVES: Final[list[Any]] = [
    int,
    float,
    str,
    bool,
    type(None),
    Any,
    Decimal,
    datetime.date,
    datetime.datetime,
    uuid.UUID,
    Colour,
    Point,
    Tree,
    Literal["a", "b", 3],
    pydantic.PositiveInt,
    pydantic.constr(min_length=2),
]
NAMES: Final = ["name", "id", "first_name", "items", "x", "URL", "größe"]


def make_model(fields: dict[str, tuple[Any, int]], extra: str) -> Any:
    """A model; a field is required, or has a default, or an alias."""
    made: dict[str, Any] = {}
    for name, (kind, how) in fields.items():
        options = [
            ...,
            pydantic.Field(default=None),
            pydantic.Field(alias=name.upper() + "-x"),
        ]
        optional: Any = Union[kind, None]  # noqa: UP007, kind may be None
        made[name] = (optional if how == 1 else kind, options[how])
    config = pydantic.ConfigDict(extra=extra)  # type: ignore[typeddict-item]
    return pydantic.create_model("Made", __config__=config, **made)


def model_of(kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.dictionaries(
        st.sampled_from(NAMES), st.tuples(kinds, st.integers(0, 2)), max_size=4
    )
    return st.builds(make_model, fields, st.sampled_from(["ignore", "allow", "forbid"]))


def nest(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda kind: list[kind]),  # type: ignore[valid-type]
        inner.map(lambda kind: dict[str, kind]),  # type: ignore[valid-type]
        inner.map(lambda kind: tuple[kind, int]),  # type: ignore[valid-type]
        st.tuples(inner, inner).map(lambda two: Union[two]),  # noqa: UP007
        model_of(inner),
    )


TYPES: Final = st.recursive(st.sampled_from(LEAVES), nest, max_leaves=6)
MODELS: Final = model_of(TYPES)
SCALARS: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(0, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(
        ["red", "a", "3", "2024-01-02", "1,5", "yes", "", "[1]", '{"x": 1}']
    ),
)


def fitting(schema: Any) -> st.SearchStrategy[Any]:
    """JSON values, most of them made to look like what the type takes."""
    written = pydantic.TypeAdapter(schema).json_schema()
    return values_of(written, written.get("$defs", {}), 3)


def values_of(schema: Any, defs: Any, depth: int) -> st.SearchStrategy[Any]:
    if isinstance(schema, bool):
        return SCALARS
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return st.one_of([values_of(one, defs, depth) for one in schema["anyOf"]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from([*schema.get("enum", []), schema.get("const", "red")])
    kind = schema.get("type")
    if kind == "object" and "properties" in schema and depth:
        properties = schema["properties"]
        required = schema.get("required", [])
        parts = {k: values_of(v, defs, depth - 1) for k, v in properties.items()}
        return st.fixed_dictionaries(
            {key: parts[key] for key in parts if key in required},
            optional={key: parts[key] for key in parts if key not in required},
        )
    if kind == "object" and depth:
        inner = values_of(schema.get("additionalProperties") or {}, defs, depth - 1)
        return st.dictionaries(st.text(max_size=4), inner, max_size=3)
    if kind == "array" and depth:
        if "prefixItems" in schema:
            items = [values_of(one, defs, depth - 1) for one in schema["prefixItems"]]
            return st.tuples(*items).map(list)
        return st.lists(values_of(schema.get("items", {}), defs, depth - 1), max_size=3)
    by_kind: dict[Any, st.SearchStrategy[Any]] = {
        "integer": st.integers(-5, 10**6),
        "number": st.floats(-1e9, 1e9) | st.integers(0, 99),
        "boolean": st.booleans(),
        "null": st.none(),
        "object": st.just({}),
        "array": st.just([]),
    }
    by_format = {
        "date": st.dates().map(str),
        "date-time": st.datetimes().map(lambda at: at.isoformat()),
        "uuid": st.uuids().map(str),
    }
    plain = by_format.get(schema.get("format", ""), SCALARS)
    return by_kind.get(kind, plain) if kind != "string" else plain | st.text(max_size=5)


REPLIES: Final = st.sampled_from(
    [
        "{}",
        "Here is the answer:\n\n```json\n{}\n```\nAnything else?",
        "Sure!\n{}\nThat is all.",
        "<think>Maybe 5 of {{them}}.</think>\n{}",
    ]
)


def is_same(one: Any, other: Any) -> bool:
    """Of the same type and of equal parts, through and through."""
    return type(one) is type(other) and repr(one) == repr(other)


@SETTINGS
@given(data=st.data(), schema=TYPES, reply=REPLIES)
def test_what_pydantic_accepts_is_returned(
    data: st.DataObject, schema: Any, reply: str
) -> None:
    """A rule would change a value that is right as it stands."""
    value = data.draw(fitting(schema) | SCALARS)
    text = reply.replace("{}", json.dumps(value, ensure_ascii=False))
    try:
        parsed = extract_json(text)
        expected = pydantic.TypeAdapter(schema).validate_python(parsed)
    except (JSONSiftError, pydantic.ValidationError):
        assume(False)
    assert is_same(extract_json(text, schema=schema), expected)
    found = jsonsift.extract(text, schema=schema, coerce="off")
    assert is_same(found.value, expected)
    assert found.coercions == ()


@SETTINGS
@given(data=st.data(), schema=TYPES, reply=REPLIES)
def test_what_comes_out_is_valid(data: st.DataObject, schema: Any, reply: str) -> None:
    """A value that the type refuses would be returned, or a foreign error raised."""
    value = data.draw(fitting(schema) | st.dictionaries(st.text(max_size=4), SCALARS))
    text = reply.replace("{}", json.dumps(value, ensure_ascii=False))
    adapter = pydantic.TypeAdapter(schema)
    for coerce in ("all", "safe"):
        try:
            made = extract_json(text, schema=schema, coerce=coerce)
        except (NoJSONError, SchemaError):
            continue
        adapter.validate_python(made)


@SETTINGS
@given(data=st.data(), schema=TYPES, reply=REPLIES)
def test_what_comes_out_of_a_json_schema_is_valid(
    data: st.DataObject, schema: Any, reply: str
) -> None:
    """A value that the schema refuses would be returned, or a foreign error raised."""
    value = data.draw(fitting(schema) | st.dictionaries(st.text(max_size=4), SCALARS))
    text = reply.replace("{}", json.dumps(value, ensure_ascii=False))
    written = pydantic.TypeAdapter(schema).json_schema()
    for coerce in ("all", "safe", "off"):
        try:
            made = extract_json(text, schema=written, coerce=coerce)
        except (NoJSONError, SchemaError):
            continue
        jsonschema.validate(made, written)


PROSE: Final = st.text(
    st.characters(blacklist_characters="{}[]<>`｛｝［］", blacklist_categories=["Cs"]),
    max_size=60,
)


@SETTINGS
@given(schema=MODELS, text=PROSE | st.sampled_from(["5", "red", '"a"']))
def test_no_object_is_made_of_prose(schema: Any, text: str) -> None:
    """A model would be filled from words that never were its fields."""
    assume(len(schema.model_fields) != 1)
    with pytest.raises((NoJSONError, SchemaError)):
        extract_json(text, schema=schema)


@SETTINGS
@given(data=st.data(), schema=MODELS)
def test_a_required_field_is_never_filled_from_nothing(
    data: st.DataObject, schema: Any
) -> None:
    """An answer would hold a value that the model never gave."""
    needed = [
        field.alias or name
        for name, field in schema.model_fields.items()
        if field.is_required()
    ]
    assume(len(schema.model_fields) > 1 and needed)
    value = data.draw(fitting(schema).filter(lambda one: isinstance(one, dict)))
    value.pop(data.draw(st.sampled_from(needed)), None)
    with pytest.raises((NoJSONError, SchemaError)):
        extract_json(json.dumps(value), schema=schema)


@SETTINGS
@given(schema=TYPES, text=st.text(max_size=80))
def test_only_documented_errors(schema: Any, text: str) -> None:
    """A reply would end in a foreign exception."""
    told = ""
    try:
        extract_json(text, schema=schema)
    except JSONSiftError as error:
        told = error.feedback()
    assert len(told) < 2000
