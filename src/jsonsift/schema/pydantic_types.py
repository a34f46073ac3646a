"""The JSON Schema of a pydantic type, with what the rules need and pydantic leaves out.

That is the names of an enum's members, the names of fields that have an alias, and that
a Decimal keeps its digits.  What has no JSON Schema (any class, a callable) is left
open: the validator decides.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaValue,
    JsonSchemaWarningKind,
)
from pydantic_core import core_schema

__all__ = ["write_schema"]


class _Writer(GenerateJsonSchema):
    """pydantic's own generator, which refuses nothing."""

    def handle_invalid_for_json_schema(
        self, schema: core_schema.CoreSchema, error_info: str
    ) -> JsonSchemaValue:
        return {}

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Nobody sees this schema."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        return {"type": "number", "format": "decimal"}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        written = super().enum_schema(schema)
        written["enum"] = [member.value for member in schema["members"]]
        written["x-enum-names"] = [member.name for member in schema["members"]]
        return written


def write_schema(adapter: TypeAdapter[Any]) -> dict[str, Any]:
    """The schema of what the type validates, fields under their aliases."""
    written = adapter.json_schema(schema_generator=_Writer, by_alias=True)
    named = adapter.json_schema(schema_generator=_Writer, by_alias=False)
    _add_names(written, named)
    return written


def _add_names(written: Any, named: Any) -> None:
    """Note the name of each field that has an alias: both list them in one order."""
    stack = [(written, named)]
    while stack:
        one, other = stack.pop()
        if isinstance(one, list) and isinstance(other, list):
            stack.extend(zip(one, other, strict=False))
        if not isinstance(one, dict) or not isinstance(other, dict):
            continue
        fields, names = one.get("properties"), other.get("properties")
        if isinstance(fields, dict) and isinstance(names, dict):
            if len(fields) == len(names):
                pairs = list(zip(fields.items(), names.items(), strict=True))
                for (key, field), (name, other_field) in pairs:
                    stack.append((field, other_field))
                    if key != name:
                        field["x-names"] = [name]
        stack.extend(
            (one[key], other[key])
            for key in one
            if key in other and key not in ("properties", "default", "examples")
        )
