"""The items of a list within a schema: where they stand, and of which type they are.

It walks the schema itself beside its nodes: a node knows what the text may be, only
the type knows what becomes of it.  Where it cannot tell the type of an item, because
the path leads through a union of several, say, it says so and guesses nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
import typing
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple

from .nodes import (
    AnyNode,
    Field,
    ListNode,
    MapNode,
    Node,
    ObjectNode,
    fold_text,
    list_arms,
)

__all__ = ["UNKNOWN", "Step", "find_answer_items", "find_item_schema", "find_steps"]

UNKNOWN: Final[Any] = object()  # no schema could be found
_LISTS: Final = (list, tuple, deque, Sequence, Iterable, Collection)
_MAPS: Final = (dict, Mapping)
_DEFINITIONS: Final = ("$defs", "definitions")
_NAMED: Final = 8  # keys in a message


class Step(NamedTuple):
    """One key of a path: the object it is looked up in, and what it is called there.

    ``node`` is None where any key may stand, or where there are several objects.
    ``folds`` tells whether a key of another form is surely meant: a type that needs no
    such field may take the value without it.
    """

    names: tuple[str, ...]
    node: ObjectNode | None
    folds: bool

    def find_key(self, value: dict[str, Any], seen: int) -> str | None:
        """The key of the value that is meant, sought in those behind the first ones."""
        for name in self.names[:1] if self.node is not None else self.names:
            if name in value:
                return name
        if self.node is None or not self.folds:
            return None
        for key in itertools.islice(reversed(value), max(len(value) - seen, 0)):
            if key not in self.node.by_key:
                field = self.node.find_folded(key)
                if field is not None and field.key == self.names[0]:
                    return key
        return None


def find_steps(
    root: Node, keys: tuple[str, ...], folds: Callable[[Field], bool]
) -> tuple[Step, ...]:
    """How the schema calls the keys that lead to a list.

    Raises:
        ValueError: by the schema no list can stand there.
    """
    steps = []
    arms = list(list_arms(root))
    for key in keys:
        below: list[Node] = []
        found: list[tuple[ObjectNode, Field]] = []
        for arm in arms:
            if isinstance(arm, AnyNode):
                below.append(arm)
            elif isinstance(arm, MapNode):
                below.append(arm.values)
            elif isinstance(arm, ObjectNode):
                field = arm.by_key.get(key) or arm.find_folded(key)
                if field is not None:
                    below.append(field.node)
                    found.append((arm, field))
                elif arm.extra == "keep":
                    below.append(AnyNode())
            elif isinstance(arm, ListNode):  # a named tuple
                named = zip(arm.names, arm.first, strict=False)
                below += [
                    one for name, one in named if fold_text(name) == fold_text(key)
                ]
        if not below:
            known = _name_keys(arms)
            raise ValueError(f"{_show(keys)}: the schema has no {key!r} there{known}")
        several = [(one.key, one.name, *one.others) for _, one in found]
        names = tuple(dict.fromkeys((*itertools.chain(*several), key)))
        alone = len(below) == len(found) == 1
        node = found[0][0] if alone else None
        steps.append(Step(names, node, alone and folds(found[0][1])))
        arms = [arm for one in below for arm in list_arms(one)]
    if not any(isinstance(arm, (AnyNode, ListNode)) for arm in arms):
        raise ValueError(f"{_show(keys)}: by the schema no list stands there")
    return tuple(steps)


def _show(keys: tuple[str, ...]) -> str:
    return f"path={'.'.join(keys)}[*]"


def _name_keys(arms: list[Node]) -> str:
    keys = [
        repr(one.key)
        for arm in arms
        if isinstance(arm, ObjectNode)
        for one in arm.fields
    ]
    more = ", …" if len(keys) > _NAMED else ""
    return f", but {', '.join(keys[:_NAMED])}{more}" if keys else ""


def find_answer_items(answer: Any, steps: tuple[Step, ...]) -> list[Any]:
    """The items of the list in a typed value."""
    value = _leave_root(answer)
    for step in steps:
        for name in step.names:
            if isinstance(value, Mapping):
                if name in value:
                    value = value[name]
                    break
            else:
                attribute = _rename(type(value), name)
                if hasattr(value, attribute):
                    value = getattr(value, attribute)
                    break
        else:
            return []
        value = _leave_root(value)
    is_list = isinstance(value, Collection) and not isinstance(value, (str, bytes))
    return list(value) if is_list and not isinstance(value, Mapping) else []


def _leave_root(value: Any) -> Any:
    return value.root if _is_root(type(value)) else value


def _is_root(kind: Any) -> bool:
    """Whether it is a pydantic RootModel, which is its one field."""
    return bool(getattr(kind, "__pydantic_root_model__", False))


def _rename(kind: Any, key: str) -> str:
    """The attribute of a msgspec.Struct that the text calls ``key``."""
    keys: tuple[str, ...] = getattr(kind, "__struct_encode_fields__", ())
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return names[keys.index(key)] if key in keys else key


# ------------------------------------------------------------------------- types


def find_item_schema(schema: Any, steps: tuple[Step, ...]) -> Any:
    """The schema of one item, of the kind that the whole one is; or ``UNKNOWN``."""
    if isinstance(schema, Mapping):
        return _find_in_json_schema(schema, steps)
    if hasattr(schema, "core_schema") and not isinstance(schema, type):
        schema = getattr(schema, "_type", UNKNOWN)  # a TypeAdapter
    kind = schema
    for step in steps:
        below = [hint for arm in _list_arms(kind) for hint in _list_hints(arm, step)]
        kind = below[0] if len(below) == 1 else UNKNOWN
    return _only(_read_item(arm) for arm in _list_arms(kind))


def _only(found: Iterable[Any]) -> Any:
    known = [one for one in found if one is not UNKNOWN]
    return known[0] if len(known) == 1 else UNKNOWN


def _list_arms(kind: Any) -> Iterator[Any]:
    """The types that a type stands for, without None."""
    stack = [kind]
    while stack:
        one = stack.pop()
        origin = typing.get_origin(one)
        if origin is typing.Annotated:
            stack.append(typing.get_args(one)[0])
        elif origin is typing.Union or isinstance(one, UnionType):
            stack.extend(typing.get_args(one))
        elif hasattr(one, "__value__"):  # a name made with ``type``
            stack.append(one.__value__)
        elif hasattr(one, "__supertype__"):
            stack.append(one.__supertype__)
        elif isinstance(one, type) and _is_root(one):
            stack.append(typing.cast("Any", one).model_fields["root"].annotation)
        elif one is not None and one is not NoneType:
            yield one


def _list_hints(kind: Any, step: Step) -> Iterator[Any]:
    """The type of what stands at a key, if the type has it."""
    if typing.get_origin(kind) in _MAPS:
        yield typing.get_args(kind)[1]
        return
    if not isinstance(kind, type):
        return
    if hasattr(kind, "model_fields"):
        hints = {name: one.annotation for name, one in kind.model_fields.items()}
    elif (
        dataclasses.is_dataclass(kind)
        or hasattr(kind, "__total__")  # a TypedDict, of typing or its extensions
        or hasattr(kind, "__struct_fields__")
    ):
        try:
            hints = typing.get_type_hints(kind, include_extras=True)
        except (NameError, TypeError):  # a name that is known elsewhere only
            return
    else:
        return
    for name in step.names:
        hint = hints.get(_rename(kind, name), UNKNOWN)
        if hint is not UNKNOWN:
            yield _leave_qualifier(hint)
            return


def _leave_qualifier(hint: Any) -> Any:
    """The type in ``Required[…]`` and the like."""
    qualified = typing.get_origin(hint) in (typing.Required, typing.NotRequired)
    return typing.get_args(hint)[0] if qualified else hint


def _read_item(kind: Any) -> Any:
    """The type of a list's items."""
    if kind is Any or kind is list:
        return Any
    args = typing.get_args(kind)
    origin = typing.get_origin(kind)
    if origin is tuple and not (len(args) == 2 and args[1] is ...):
        return UNKNOWN
    known = origin in _LISTS and args and not isinstance(args[0], typing.TypeVar)
    return args[0] if known else UNKNOWN


# ------------------------------------------------------------------- JSON Schema


def _find_in_json_schema(schema: Mapping[str, Any], steps: tuple[Step, ...]) -> Any:
    """The schema of an item as one by itself, with the definitions it may refer to."""
    part: Any = schema
    for step in steps:
        part = _find_part(schema, part)
        properties = part.get("properties")
        fields = properties if isinstance(properties, Mapping) else {}
        part = next((fields[name] for name in step.names if name in fields), None)
    items = _find_part(schema, part).get("items")
    if not isinstance(items, Mapping) or any(map(items.__contains__, _DEFINITIONS)):
        return UNKNOWN
    shared = {name: schema[name] for name in _DEFINITIONS if name in schema}
    alone = {**shared, **items}
    if "$schema" in schema:
        alone["$schema"] = schema["$schema"]
    return alone if all(map(_leads_to_definition, _list_refs(alone))) else UNKNOWN


def _find_part(schema: Mapping[str, Any], part: Any) -> Mapping[str, Any]:
    """What a schema refers to, or its one arm beside null; empty if it is another."""
    for _ in range(64):
        if not isinstance(part, Mapping):
            break
        arms = [one for one in part.get("anyOf", ()) if one != {"type": "null"}]
        if "$ref" in part:
            path = str(part["$ref"]).split("/")
            known = schema.get(path[1]) if len(path) == 3 else None
            part = known.get(path[2]) if isinstance(known, Mapping) else None
        elif len(arms) == 1:
            part = arms[0]
        elif any(key in part for key in ("anyOf", "oneOf", "allOf", "prefixItems")):
            break
        else:
            return part
    return {}


def _list_refs(schema: Any) -> Iterator[str]:
    stack = [schema]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            for key, value in one.items():
                if key in ("$ref", "$dynamicRef", "$id"):
                    yield str(value)
                else:
                    stack.append(value)
        elif isinstance(one, list):
            stack.extend(one)


def _leads_to_definition(ref: str) -> bool:
    return ref.startswith(tuple(f"#/{name}/" for name in _DEFINITIONS))
