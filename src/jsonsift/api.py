"""The public calls: arguments to options, and what was found to what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, wraps
from os import PathLike
from time import perf_counter_ns, time_ns
from typing import (
    IO,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
)

from ._build import read_at_once, read_broken
from ._errors import LimitError, NoJSONError, SchemaError
from ._fit import Coerce, Fitter, load_judge
from ._locate import begins_with_words, is_marker
from ._observe import OBSERVERS, describe_call, notify, wants_stages
from ._options import (
    MAX_DEPTH,
    USUAL,
    Hook,
    Options,
    PairsHook,
    Reasoning,
    RepairName,
    make_options,
)
from ._parsed import FAILED, UNSURE
from ._sift import Sifter
from ._strict import Hooks
from ._types import Extraction, Repair

__all__ = [
    "extract",
    "extract_all",
    "extract_json",
    "from_file",
    "load",
    "loads",
    "repair_json",
]

Text: TypeAlias = str | bytes | bytearray | memoryview
Found = TypeVar("Found", Extraction, list[Extraction])
Pick: TypeAlias = Literal["best", "first", "last"]
Engine: TypeAlias = Literal["jsonsift", "json-repair"]
T = TypeVar("T")
D = TypeVar("D")

_MISSING: Final[Any] = object()
_DATA: Final = ("const", "default", "enum", "examples")  # no schemas, in a schema
_TEXTS: Final = (str, bytes, bytearray, memoryview)


def extract(
    reply: Text,
    *,
    pick: Pick = "best",
    repair: RepairName = "all",
    reasoning: Reasoning = "skip",
    engine: Engine = "jsonsift",
    max_depth: int = MAX_DEPTH,
    max_length: int | None = None,
    parse_int: Hook = None,
    parse_float: Hook = None,
    parse_constant: Hook = None,
    object_pairs_hook: PairsHook = None,
    timings: bool = False,
    schema: Any = None,
    coerce: Coerce = "all",
) -> Extraction:
    """The JSON value in a model's reply, with where it stood and what was repaired.

    Args:
        reply: what the model wrote; bytes are decoded (see ``decode``).
        pick: which value, when there are several: the "best" one (docs say how),
            the "first" or the "last".
        repair: which repairs are allowed: "all"; "safe", those with one reading only;
            or "off", none: the JSON must be valid.
        reasoning: "skip" what stands in reasoning blocks, or take it as a "fallback"
            when there is no JSON outside.
        engine: "jsonsift", or "json-repair" for that package's repairs, which are
            not linear in time and get at most 100,000 characters.
        max_depth: how deeply the value may be nested, at most 1024.
        max_length: how many characters the reply may have.
        parse_int, parse_float, parse_constant, object_pairs_hook: as in json.loads;
            they are called once, for the answer, and their own errors pass through.
        timings: measure each stage into ``Extraction.timings``.
        schema: what is wanted: a type (of pydantic, msgspec, or any that pydantic's
            TypeAdapter takes), or a JSON Schema as a dict.  It decides between the
            values of the reply, and ``Extraction.value`` is the typed value.  Hooks
            cannot be given beside it.
        coerce: which rules may make a value fit: "all", "safe", those with one
            reading only, or "off"; or a collection of one of these and of the names
            of rules that are used on request only: {"all", "drop-item"}.  It says
            something only beside ``schema``, and is refused without it.

    Raises:
        NoJSONError: there is no JSON in the reply.
        SchemaError: there is, but none that fits the schema.
        BrokenJSONError: there is, but it needs a repair that ``repair`` forbids.
        LimitError: a limit was passed.
        TypeError: ``reply`` is neither text nor bytes.
        ValueError: an option has no such value, or does not go with another.

    >>> found = extract('Sure! {"name": "Ada", "born": 1815,} Anything else?')
    >>> found.value
    {'name': 'Ada', 'born': 1815}
    >>> found.edits
    (Edit(start=34, end=35, replacement='', kind=EditKind.COMMA),)
    """
    options = make_options(
        pick=pick,
        repair=repair,
        reasoning=reasoning,
        engine=engine,
        max_depth=max_depth,
        max_length=max_length,
        hooks=Hooks(parse_int, parse_float, parse_constant, object_pairs_hook),
        timings=timings,
    )
    if schema is not None or coerce != "all":
        judge = load_judge(schema, coerce)
        find = partial(Fitter.find_fitting, judge=judge)
        return _sift_observed("extract", reply, options, find, Fitter)
    if timings or OBSERVERS:
        return _sift_observed("extract", reply, options, Sifter.find_best)
    return Sifter(_read_text(reply), options).find_best()


class ReadOptions(TypedDict, total=False):
    """The options that ``extract_json`` shares with ``extract``."""

    pick: Pick
    repair: RepairName
    reasoning: Reasoning
    engine: Engine
    max_depth: int
    max_length: int | None
    parse_int: Hook
    parse_float: Hook
    parse_constant: Hook
    object_pairs_hook: PairsHook
    coerce: Coerce


def _take_short_way(read: Callable[..., Any]) -> Callable[..., Any]:
    """Have a call with no option but ``default``, as nearly all are, pass none: to fill
    in a dozen takes longer than to read a short reply.
    """

    @wraps(read)
    def extract_json(reply: Text, *, default: Any = _MISSING, **options: Any) -> Any:
        if options or type(reply) is not str or OBSERVERS:
            return read(reply, default=default, **options)
        try:
            return read_at_once(reply, _read_further)
        except NoJSONError as error:
            if default is _MISSING or error.is_callers:
                raise
            return default

    return extract_json


@overload
def extract_json(
    reply: Text, *, schema: type[T], **options: Unpack[ReadOptions]
) -> T: ...
@overload
def extract_json(
    reply: Text, *, schema: type[T], default: D, **options: Unpack[ReadOptions]
) -> T | D: ...
@overload
def extract_json(
    reply: Text,
    *,
    schema: Any = ...,
    default: Any = ...,
    **options: Unpack[ReadOptions],
) -> Any: ...
@_take_short_way
def extract_json(
    reply: Text,
    *,
    default: Any = _MISSING,
    pick: Pick = "best",
    repair: RepairName = "all",
    reasoning: Reasoning = "skip",
    engine: Engine = "jsonsift",
    max_depth: int = MAX_DEPTH,
    max_length: int | None = None,
    parse_int: Hook = None,
    parse_float: Hook = None,
    parse_constant: Hook = None,
    object_pairs_hook: PairsHook = None,
    schema: Any = None,
    coerce: Coerce = "all",
) -> Any:
    """The JSON value in a model's reply; with ``schema`` a value of that type.

    With ``default`` that is returned when there is no JSON, or none that fits the
    schema, in place of NoJSONError and SchemaError.  The other options and errors are
    those of ``extract``.

    >>> extract_json('Here you are: {"ok": True}')
    {'ok': True}
    >>> extract_json("I can't help with that.", default=None)
    """
    try:
        return extract(
            reply,
            pick=pick,
            repair=repair,
            reasoning=reasoning,
            engine=engine,
            max_depth=max_depth,
            max_length=max_length,
            parse_int=parse_int,
            parse_float=parse_float,
            parse_constant=parse_constant,
            object_pairs_hook=object_pairs_hook,
            schema=schema,
            coerce=coerce,
        ).value
    except (NoJSONError, SchemaError) as error:
        if default is _MISSING or error.is_callers:
            raise
        return default


def _read_further(
    reply: str,
    found: Any,
    find: Callable[[Sifter], Extraction] = Sifter.find_best,
) -> Any:
    """The value that the usual options read, where ``read_at_once`` found none."""
    if found is UNSURE:
        return find(Sifter(reply, USUAL, wants_value=True)).value
    if found is FAILED:
        found = None
        is_list = reply[:1] == "[" and not is_marker(reply, 0)
        if is_list and not begins_with_words(reply):
            found = read_broken(reply)
            if type(found) is dict or type(found) is list:
                return found
    # what is no value is a run, or None
    return find(Sifter(reply, USUAL, tried=True, run=found, wants_value=True)).value


def _load_further(text: str, found: Any) -> Any:
    """The same where the whole text is one value."""
    return _read_further(text, found, Sifter.read_as_value)


def extract_all(
    reply: Text,
    *,
    repair: RepairName = "all",
    reasoning: Reasoning = "skip",
    engine: Engine = "jsonsift",
    max_depth: int = MAX_DEPTH,
    max_length: int | None = None,
    parse_int: Hook = None,
    parse_float: Hook = None,
    parse_constant: Hook = None,
    object_pairs_hook: PairsHook = None,
    schema: Any = None,
    coerce: Coerce = "all",
) -> list[Extraction]:
    """All JSON values in a reply, in reading order; an empty list when there are none.

    Values with nothing but space, commas or comments between them are one list.
    Values that need a forbidden repair are left out, and with ``schema`` those that do
    not fit it.  The options and the other
    errors are those of ``extract``.

    >>> [found.value for found in extract_all('First {"a": 1}, then {"a": 2}.')]
    [{'a': 1}, {'a': 2}]
    """
    options = make_options(
        repair=repair,
        reasoning=reasoning,
        engine=engine,
        max_depth=max_depth,
        max_length=max_length,
        hooks=Hooks(parse_int, parse_float, parse_constant, object_pairs_hook),
    )
    if schema is not None or coerce != "all":
        judge = load_judge(schema, coerce)
        find = partial(Fitter.find_all_fitting, judge=judge)
        return _sift_observed("extract_all", reply, options, find, Fitter)
    if OBSERVERS:
        return _sift_observed("extract_all", reply, options, Sifter.find_all)
    return Sifter(_read_text(reply), options).find_all()


def loads(
    text: Text,
    *,
    repair: RepairName = "all",
    max_depth: int = MAX_DEPTH,
    max_length: int | None = None,
    parse_int: Hook = None,
    parse_float: Hook = None,
    parse_constant: Hook = None,
    object_pairs_hook: PairsHook = None,
) -> Any:
    """A lenient ``json.loads``: the whole text is meant to be one value.

    Scalars count too.  A text that is a value with prose around it is read as a reply.
    Options and errors are those of ``extract``.

    >>> loads("{'a': 1, // one\\n b: .5}")
    {'a': 1, 'b': 0.5}
    >>> loads("None")
    """
    options = make_options(
        repair=repair,
        max_depth=max_depth,
        max_length=max_length,
        hooks=Hooks(parse_int, parse_float, parse_constant, object_pairs_hook),
    )
    return _load_value("loads", text, options)


def load(fp: IO[str] | IO[bytes], **options: Any) -> Any:
    """``loads`` of what a file object holds.

    >>> import io
    >>> load(io.StringIO("[1, 2,]"))
    [1, 2]
    """
    return loads(fp.read(), **options)


def from_file(path: str | PathLike[str], **options: Any) -> Any:
    """``loads`` of a file, whatever its encoding.

    Raises:
        OSError: the file cannot be read.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "list.json")
    ...     _ = path.write_bytes("[1, 'é',]".encode("utf-16"))
    ...     from_file(path)
    [1, 'é']
    """
    with open(path, "rb") as file:
        return load(file, **options)


def repair_json(
    json_str: Text = "",
    return_objects: bool = False,
    skip_json_loads: bool = False,
    logging: bool = False,
    json_fd: IO[str] | IO[bytes] | None = None,
    chunk_length: int = 0,
    stream_stable: bool = False,
    strict: bool = False,
    schema: Any = None,
    schema_repair_mode: Literal["standard"] = "standard",
    *,
    ensure_ascii: bool = True,
    **dumps_options: Any,
) -> Any:
    """The text as strict JSON: a drop-in for json_repair's function of this name.

    docs/migrating.md lists what differs.

    Args:
        json_str: the text.
        return_objects: return the value in place of its text.
        logging: return the value and the list of edits, and of coercions.
        json_fd: a file to read the text from.
        strict: allow safe repairs only (see ``repair`` of ``extract``).
        schema: a JSON Schema, True or False, or a model of pydantic, whose JSON Schema
            is meant: the value is made to fit it, and stays plain data.
        schema_repair_mode: "standard".  "salvage" is refused: it fills required fields
            with values that nobody wrote.
        ensure_ascii, dumps_options: as in ``json.dumps``.
        skip_json_loads, chunk_length, stream_stable: taken, since callers of
            json_repair pass them, and without effect: valid text is always parsed
            first at no cost, files are read whole, and a prefix of a text always
            gives a prefix of its value.

    Raises:
        NoJSONError, BrokenJSONError, LimitError: as ``loads``.
        SchemaError: there is JSON, but none that fits the schema.
        ValueError: a wrong schema or mode, or ``strict`` beside a schema.

    >>> repair_json("{'a': [1, 2")
    '{"a": [1, 2]}'
    >>> repair_json("{'a': [1, 2", return_objects=True)
    {'a': [1, 2]}
    >>> repair_json('{"a": "5"', schema={"properties": {"a": {"type": "integer"}}})
    '{"a": 5}'
    """
    del skip_json_loads, chunk_length, stream_stable
    _check_schema_mode(schema, schema_repair_mode, strict)
    source = json_fd.read() if json_fd is not None else json_str
    options = USUAL._replace(repair=Repair.SAFE) if strict else USUAL
    if schema is None and not logging:
        value = _load_value("repair_json", source, options)
    else:
        find: Callable[[Any], Extraction] = Sifter.read_as_value
        if schema is not None:
            judge = load_judge(_write_json_schema(schema), "all")
            find = partial(Fitter.find_fitting, judge=judge)
        sifter_type = Sifter if schema is None else Fitter
        found = _sift_observed("repair_json", source, options, find, sifter_type)
        if logging:
            return found.value, [*found.edits, *found.coercions]
        value = found.value
        del found  # its text and edits: the value and its text take enough room
    if return_objects:
        return value
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, **dumps_options)
    except RecursionError:
        hint = "for json.dumps on this stack"
        raise LimitError("nested too deeply", hint=hint) from None


def _load_value(call: str, source: Text, options: Options) -> Any:
    """The whole text as one value, by the shortest way."""
    if OBSERVERS:
        return _sift_observed(call, source, options, Sifter.read_as_value).value
    if options is not USUAL or type(source) is not str or source[:1] not in ("{", "["):
        sifter = Sifter(_read_text(source), options, wants_value=True)
        return sifter.read_as_value().value
    return read_at_once(source, _load_further)


def _check_schema_mode(schema: Any, mode: str, strict: bool) -> None:
    """Refuse what json_repair refuses, and the mode that makes values up."""
    if mode == "salvage":
        raise ValueError(
            'schema_repair_mode="salvage" makes up values that nobody wrote; see '
            "extract_json(schema=, coerce=) for rules that drop or empty a list's items"
        )
    if mode != "standard":
        raise ValueError(f"schema_repair_mode={mode!r}: use 'standard'")
    if schema is not None and strict:
        raise ValueError("schema= and strict= cannot be used together")


def _write_json_schema(schema: Any) -> dict[str, Any]:
    """The JSON Schema that json_repair takes a schema for.

    It keeps the keys that a schema does not name, where that does not forbid them.
    """
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if hasattr(schema, "model_json_schema"):
        schema = schema.model_json_schema()
    if not isinstance(schema, dict):
        raise ValueError(
            f"schema={schema!r}: use a JSON Schema, a bool, or a model of pydantic"
        )
    written: dict[str, Any] = _keep_others(schema)
    return written


def _keep_others(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_keep_others(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: one if key in _DATA else _keep_others(one) for key, one in schema.items()
    }
    if isinstance(kept.get("properties"), dict):
        kept.setdefault("additionalProperties", True)
    return kept


def _sift_observed(
    call: str,
    source: Text,
    options: Options,
    find: Callable[[Any], Found],
    sifter_type: type[Sifter] = Sifter,
) -> Found:
    """``find`` what there is, by the clock, and tell whoever listens."""
    options = options._replace(timings=options.timings or wants_stages())
    began, clock = time_ns(), perf_counter_ns()
    sifter: Sifter | None = None
    founds: list[Extraction] = []
    error: BaseException | None = None
    try:
        text = _read_text(source)
        decoded = perf_counter_ns() - clock
        sifter = sifter_type(text, options)
        if sifter.clock is not None and not isinstance(source, str):
            sifter.clock.add("decode", decoded, 1, len(source))
        found = find(sifter)
        founds = found if isinstance(found, list) else [found]
        return found
    except BaseException as raised:
        error = raised
        raise
    finally:
        if OBSERVERS:
            ns = perf_counter_ns() - clock
            size = len(source) if isinstance(source, _TEXTS) else 0
            stages = sifter.clock.read() if sifter and sifter.clock else None
            notify(describe_call(call, began, ns, size, founds, error, stages))


def _read_text(source: Text) -> str:
    if isinstance(source, str):
        # a subclass of str, such as frameworks have, is none to the compiled rewriter
        return source if type(source) is str else str.__str__(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        from .clean import decode_with_report  # needed by few

        return decode_with_report(source).text
    raise TypeError(
        f"expected str, bytes, bytearray or memoryview, not {type(source).__name__}"
    )
