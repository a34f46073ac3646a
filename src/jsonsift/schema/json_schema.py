"""A JSON Schema read into nodes.

It reads the keywords that say which kind of value is wanted; limits such as
``maximum`` are for the validator.  Understood beyond the standard: ``x-alias`` (the
key that the text uses for a property), ``x-enum-aliases`` and ``x-enum-descriptions``
(texts for the values of an enum), ``x-enum-names`` and ``x-names``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from .nodes import (
    MISSING,
    AnyNode,
    Choice,
    ChoiceNode,
    Field,
    ListNode,
    MapNode,
    Node,
    ObjectNode,
    RefNode,
    ScalarNode,
    UnionNode,
    list_arms,
    read_mapping,
)

__all__ = ["SchemaReader"]

_KINDS: Final = ("string", "integer", "number", "boolean", "null", "array", "object")
_ALIASES: Final = ("x-alias", "x-enum-aliases")
# Which keyword, when there is no ``type``, says what is meant.
_TELLING: Final = {
    "properties": "object",
    "additionalProperties": "object",
    "patternProperties": "object",
    "required": "object",
    "items": "array",
    "prefixItems": "array",
    "pattern": "string",
    "maxLength": "string",
    "minLength": "string",
}
_BESIDE: Final = ("anyOf", "oneOf", "allOf", "$ref")
# Keywords that only describe, so that ``allOf`` with one schema is that schema.
_DESCRIPTIVE: Final = ("title", "description", "default", "examples", "deprecated")


class SchemaReader:
    """Reads one schema; ``renames`` is True when it uses aliases of ours."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.renames = False
        self._known: dict[str, RefNode] = {}

    def read(self) -> Node:
        """The node of the whole schema."""
        return self._read(self.schema)

    def _read(self, schema: Any) -> Node:
        if schema is False:
            return UnionNode(())
        if not isinstance(schema, Mapping):
            return AnyNode()
        self.renames = self.renames or any(key in schema for key in _ALIASES)
        if "$ref" in schema:
            return self._read_ref(str(schema["$ref"]))
        if "const" in schema:
            return self._read_choices([schema["const"]], schema)
        if isinstance(schema.get("enum"), list):
            return self._read_choices(schema["enum"], schema)
        for keyword in ("anyOf", "oneOf"):
            if isinstance(schema.get(keyword), list):
                return self._read_union(schema[keyword])
        if isinstance(schema.get("allOf"), list):
            return self._read_all_of(schema)
        return self._read_typed(schema)

    def _read_ref(self, ref: str) -> RefNode:
        known = self._known.get(ref)
        if known is None:
            known = self._known[ref] = RefNode(ref)
            known.target = self._read(self._look_up(ref))
        return known

    def _look_up(self, ref: str) -> Any:
        """What a reference within the schema points at; any value for others."""
        if not ref.startswith("#"):
            return True
        at: Any = self.schema
        for step in ref[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(at, Mapping) and step in at:
                at = at[step]
            elif isinstance(at, list) and step.isdigit() and int(step) < len(at):
                at = at[int(step)]
            else:
                return True
        return at

    def _read_union(self, schemas: list[Any]) -> Node:
        """A union; all its literals are one choice, so that two named are one too many.

        Arms that refer to others by name are looked into only once all are known.
        """
        arms: list[Node] = []
        choices: list[Choice] = []
        at = -1
        for schema in schemas:
            arm = self._read(schema)
            if isinstance(arm, ChoiceNode):
                at = len(arms) if at < 0 else at
                choices.extend(arm.choices)
            else:
                arms.append(arm)
        if choices:
            arms.insert(at, ChoiceNode(tuple(choices)))
        return arms[0] if len(arms) == 1 else UnionNode(tuple(arms))

    def _read_all_of(self, schema: Mapping[str, Any]) -> Node:
        """Several schemas at once: objects are merged, for others the first tells."""
        parts = [part for part in schema["allOf"] if isinstance(part, Mapping)]
        rest = {k: v for k, v in schema.items() if k != "allOf"}
        if not all(k in _DESCRIPTIVE or k.startswith("x-") for k in rest):
            parts.append(rest)
        if not parts:
            return AnyNode()
        if len(parts) == 1:
            return self._read(parts[0])
        nodes = [node for part in parts for node in list_arms(self._read(part))]
        objects = [node for node in nodes if isinstance(node, ObjectNode)]
        if len(objects) < 2:
            telling = (n for n in nodes if not isinstance(n, AnyNode))
            return next(telling, AnyNode())
        merged: dict[str, Field] = {}
        for one in objects:
            for field in one.fields:
                if field.name not in merged or field.required:
                    merged[field.name] = field
        keeps = any(one.extra == "keep" for one in objects)
        whole = ObjectNode(objects[0].title, (), "keep" if keeps else "drop")
        whole.set_fields(merged.values())
        return whole

    def _read_typed(self, schema: Mapping[str, Any]) -> Node:
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._read_union([{**schema, "type": one} for one in kind])
        if kind is None:
            kind = next((_TELLING[key] for key in _TELLING if key in schema), None)
        if kind == "object":
            return self._read_object(schema)
        if kind == "array":
            return self._read_array(schema)
        if kind not in _KINDS:
            return AnyNode()
        return ScalarNode(
            kind,
            str(schema.get("format", "")),
            _compile_pattern(schema.get("pattern")) if kind == "string" else None,
            _count(schema.get("minLength")) or 0,
            _count(schema.get("maxLength")),
        )

    def _read_array(self, schema: Mapping[str, Any]) -> Node:
        prefix = schema.get("prefixItems")
        items = schema.get("items", True)
        if isinstance(items, list):  # drafts before 2020-12
            prefix, items = items, schema.get("additionalItems", True)
        first = tuple(map(self._read, prefix)) if isinstance(prefix, list) else ()
        names = [read_mapping(one).get("title", "") for one in prefix or ()]
        closed = items is False or _count(schema.get("maxItems")) == len(first) > 0
        return ListNode(
            None if closed else self._read(items),
            first,
            tuple(map(str, names)) if all(names) else (),
            _count(schema.get("minItems")) or 0,
        )

    def _read_object(self, schema: Mapping[str, Any]) -> Node:
        extra = schema.get("additionalProperties")
        properties = read_mapping(schema.get("properties"))
        if not properties:
            patterns = list(read_mapping(schema.get("patternProperties")).values())
            if extra not in (None, True, False):
                patterns.append(extra)
            if len(patterns) == 1:
                return MapNode(self._read(patterns[0]))
            return MapNode(self._read_union(patterns) if patterns else AnyNode())
        keeps = extra not in (None, False)
        policy = "keep" if keeps else "drop" if extra is None else "forbid"
        node = ObjectNode(str(schema.get("title", "")), (), policy)
        required = schema.get("required", ())
        node.set_fields(
            self._read_field(str(name), one, name in required)
            for name, one in properties.items()
        )
        return node

    def _read_field(self, name: str, schema: Any, required: bool) -> Field:
        keywords = read_mapping(schema)
        alias = keywords.get("x-alias")
        key = alias if isinstance(alias, str) else name
        others = keywords.get("x-names")
        return Field(
            name,
            key,
            self._read(schema),
            required,
            keywords.get("default", MISSING),
            tuple(map(str, others)) if isinstance(others, list) else (),
        )

    def _read_choices(self, values: list[Any], schema: Mapping[str, Any]) -> Node:
        aliases = read_mapping(schema.get("x-enum-aliases"))
        told = read_mapping(schema.get("x-enum-descriptions"))
        names = schema.get("x-enum-names")
        named = isinstance(names, list) and len(names) == len(values)
        choices = []
        for at, value in enumerate(values):
            label = value if isinstance(value, str) else ""
            alias = aliases.get(label)
            text = alias if isinstance(alias, str) else label
            description = str(told.get(label, ""))
            texts = (text,) if text else ()
            also = (str(names[at]),) if named and names else ()
            choices.append(Choice(value, texts, also, description, alias is not None))
        return ChoiceNode(tuple(choices))


def _compile_pattern(pattern: Any) -> re.Pattern[str] | None:
    """The pattern, if Python reads it; the validator may know more dialects."""
    try:
        return re.compile(pattern) if isinstance(pattern, str) else None
    except re.error:
        return None


def _count(value: Any) -> int | None:
    return value if type(value) is int else None
