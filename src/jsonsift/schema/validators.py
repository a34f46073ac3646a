"""The validators that have the last word: pydantic, msgspec and jsonschema.

A target is a schema made ready: the node that the rules work on, and a validator that
takes a plain value and gives the typed one, or says why not.  Targets are kept, so that
a type is compiled once.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from .._types import Problem
from .json_schema import SchemaReader
from .nodes import AnyNode, Node, ScalarNode, find_node, resolve_node

__all__ = ["RefusedError", "Target", "compile_target"]

_KEPT: Final = 256  # targets
_TOLD: Final = 64  # problems of one value
_BEYOND: Final = (RecursionError, ArithmeticError)
_OWN: Final = ("jsonsift", "pydantic", "msgspec")  # whose code a validation runs
_NEEDS: Final = 'schema= needs: pip install "jsonsift[schema]"'


class RefusedError(Exception):
    """The validator does not take a value; ``reason`` is its own error."""

    def __init__(self, reason: Exception, problems: tuple[Problem, ...]) -> None:
        super().__init__()
        self.reason = reason
        self.problems = problems


class Target(NamedTuple):
    """A schema made ready.

    ``validate`` raises RefusedError.  ``is_type`` is False for a JSON Schema: it takes
    keys that it does not name, and leaves defaults to the rules.  ``renames`` is True
    where the keys or choices of the text are others than those of the value.
    """

    node: Node
    validate: Callable[[Any], Any]
    is_type: bool
    renames: bool = False


def compile_target(schema: Any) -> Target:
    """The target of a type or of a JSON Schema.

    Raises:
        TypeError: it is neither.
        ValueError: the JSON Schema is not valid.
        ImportError: the package that knows such types is not installed.
    """
    if isinstance(schema, Mapping):
        return _compile_text(orjson.dumps(dict(schema)))
    if isinstance(schema, (str, bytes, int, float, list)):
        raise TypeError(
            f"schema={schema!r}: use a type, a TypeAdapter or a JSON Schema as a dict"
        )
    try:
        hash(schema)
    except TypeError:  # metadata that cannot be hashed: not kept
        return _compile_type(schema)
    # of equal types, such as int | str and str | int, the order may tell
    return _compile_known(schema, repr(schema))


@functools.lru_cache(maxsize=_KEPT)
def _compile_known(schema: Any, order: str) -> Target:
    del order
    return _compile_type(schema)


def _compile_type(schema: Any) -> Target:
    if _mentions_struct(schema):
        return _compile_msgspec(schema)
    return _compile_pydantic(schema)


# ------------------------------------------------------------------- JSON Schema


@functools.lru_cache(maxsize=_KEPT)
def _compile_text(text: bytes) -> Target:
    """The target of a JSON Schema.  References outside it are never fetched."""
    try:
        import jsonschema
        import referencing
    except ImportError as error:
        raise ImportError(_NEEDS) from error
    schema = orjson.loads(text)
    kind = jsonschema.validators.validator_for(schema)
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(f"not a valid JSON Schema: {error.message}") from error
    validator = kind(schema, registry=referencing.Registry())

    def validate(value: Any) -> Any:
        try:
            errors = list(itertools.islice(validator.iter_errors(value), _TOLD))
        except (re.error, referencing.exceptions.Unresolvable) as error:
            raise ValueError(f"not a valid JSON Schema: {error}") from error
        except _BEYOND as error:
            raise _refuse_beyond(error, value) from None
        if errors:
            problems = (
                Problem(tuple(one.absolute_path), one.instance, _say(one.message))
                for one in errors
            )
            raise RefusedError(errors[0], tuple(problems))
        return value

    reader = SchemaReader(schema)
    return Target(reader.read(), validate, False, reader.renames)


def _refuse_beyond(error: Exception, value: Any) -> RefusedError:
    """A value that is more than the validator can take."""
    deep = isinstance(error, RecursionError)
    wanted = "less nesting" if deep else "a number of a usual size"
    return RefusedError(error, (Problem((), value, wanted),))


def _is_callers(error: Exception) -> bool:
    """Whether code of the caller's raised it, such as a validator in a model."""
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in _OWN:
            return True
        trace = trace.tb_next
    return False


def _say(message: str) -> str:
    """A validator's sentence as what is wanted."""
    return f"a value that passes ({message[:200]})"


# ---------------------------------------------------------------------- pydantic


def _compile_pydantic(schema: Any) -> Target:
    try:
        import pydantic
    except ImportError as error:
        raise ImportError(_NEEDS) from error
    from .pydantic_types import write_schema

    given = isinstance(schema, pydantic.TypeAdapter)
    adapter: Any = schema if given else pydantic.TypeAdapter(schema)
    node = SchemaReader(write_schema(adapter)).read()
    # strict types take dates, sets and the like from JSON only
    strict = "'strict': True" in repr(adapter.core_schema)

    def validate(value: Any) -> Any:
        try:
            return adapter.validate_python(value)
        except pydantic.ValidationError as error:
            if strict:
                taken = _validate_as_json(adapter, value)
                if taken is not None:
                    return taken[0]
            # the arms of a union may say the same
            told = {one[::2]: one for one in _list_problems(error, node)}
            raise RefusedError(error, tuple(told.values())) from None
        except _BEYOND as error:
            if _is_callers(error):
                raise
            raise _refuse_beyond(error, value) from None

    return Target(node, validate, True)


def _validate_as_json(adapter: Any, value: Any) -> tuple[Any] | None:
    from pydantic import ValidationError

    try:
        return (adapter.validate_json(orjson.dumps(value)),)
    except (ValidationError, TypeError):  # TypeError: integers beyond 64 bits
        return None


# Errors that say no more than which kind of value is wanted, in Python's words.
_KIND_ERRORS: Final = ("_parsing", "_type", "_from_float")
_CHOICE_ERRORS: Final = ("enum", "literal_error", "missing")


def _list_problems(error: Any, root: Node) -> Iterator[Problem]:
    told = error.errors(include_url=False, include_context=False)[:_TOLD]
    for one in told:
        loc = tuple(x for x in one["loc"] if isinstance(x, (str, int)))
        path, node = find_node(root, loc)
        kind = one["type"]
        missing = kind == "missing"
        wanted = "a value" if missing else _say(one["msg"])
        if kind in _CHOICE_ERRORS or kind.endswith(_KIND_ERRORS):
            wanted = _name_kind(node, one["input"]) or wanted
        yield Problem(path, None if missing else one["input"], wanted, missing)


def _name_kind(node: Node, found: Any) -> str:
    """What a node wants, if it is anything in particular, and not what was found."""
    node = resolve_node(node)
    says_nothing = isinstance(node, AnyNode)
    if isinstance(node, ScalarNode) and isinstance(found, str):
        says_nothing = node.kind == "string" and not node.format
    return "" if says_nothing else node.wanted


# ----------------------------------------------------------------------- msgspec


def _mentions_struct(schema: Any) -> bool:
    """Whether a msgspec.Struct is the type, or one of its arguments."""
    if "msgspec" not in sys.modules:  # then nobody can have made one
        return False
    import msgspec

    stack = [schema]
    while stack:
        one = stack.pop()
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            return True
        stack.extend(typing.get_args(one))
    return False


def _compile_msgspec(schema: Any) -> Target:
    import msgspec

    def validate(value: Any) -> Any:
        try:
            return msgspec.convert(value, schema)
        except msgspec.ValidationError as error:
            problem = _read_problem(str(error), value, node)
            raise RefusedError(error, (problem,)) from None
        except _BEYOND as error:
            if _is_callers(error):
                raise
            raise _refuse_beyond(error, value) from None

    written = msgspec.json.schema(schema)
    _mark_decimals(written)
    node = SchemaReader(written).read()
    return Target(node, validate, True)


_KIND_MESSAGE: Final = re.compile(r"Invalid |Expected `[^`]*`, got")
_AT: Final = re.compile(r" - at `\$([^`]*)`\Z")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def _read_problem(message: str, value: Any, root: Node) -> Problem:
    """The problem in msgspec's words: "Expected … - at `$.items[0].n`".

    Where it writes ``[...]`` for any key of a map, the path ends.
    """
    match = _AT.search(message)
    path: list[str | int] = []
    for name, index in _STEP.findall(match[1].partition("[...]")[0] if match else ""):
        step = name or int(index)
        if isinstance(value, dict) and step not in value:
            break
        if isinstance(value, list) and not (index and int(index) < len(value)):
            break
        if not isinstance(value, (dict, list)):
            break
        value = value[step]
        path.append(step)
    wanted = _say(_AT.sub("", message))
    if _KIND_MESSAGE.match(message):
        wanted = _name_kind(find_node(root, tuple(path))[1], value) or wanted
    return Problem(tuple(path), value, wanted)


def _mark_decimals(schema: Any) -> None:
    """A Decimal is a number to the rules, though msgspec writes it as a string."""
    stack = [schema]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if one.get("format") == "decimal":
                one["type"] = "number"
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
