"""``Stream``: the value in a reply while it is being written, in linear total time.

What it shows before the end is found by ``_follow``; what it returns at the end is
what ``extract(reply, pick="first")`` returns.
"""

from __future__ import annotations

import codecs
import copy
import marshal
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from time import perf_counter_ns, time_ns
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ._errors import LimitError
from ._fit import Coerce, Fitter, ItemReader, load_judge
from ._follow import Follower
from ._observe import OBSERVERS, describe_call, notify, wants_stages
from ._options import (
    MAX_DEPTH,
    Hook,
    PairsHook,
    Reasoning,
    RepairName,
    make_options,
)
from ._paths import Path, read_list_path, read_path
from ._sift import Sifter
from ._strict import NO_HOOKS, Hooks, parse_strict
from ._types import Edit, Extraction

__all__ = ["Event", "Stream"]

Chunk = str | bytes | bytearray | memoryview
PartialStrings: TypeAlias = Literal["long"] | bool

_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_LONGEST_MARK: Final = max(map(len, _MARKS))


class Event(NamedTuple):
    """One change of the value: what happened at ``path``, and what came with it.

    ``op`` is one of:

    - ``"set"``: the value ``delta`` stands at the path now: a number, a literal, the
      beginning of a string, or ``{}`` or ``[]``, which members and items follow.
    - ``"grow"``: the string at the path goes on with ``delta``.
    - ``"end"``: the string or container at the path is whole.
    - ``"wrap"``: the value at the path is the first item of a list that stands there.
    - ``"reset"``: all that was shown was no answer.
    """

    path: tuple[str | int, ...]
    op: str
    delta: Any


class Stream:
    """Reads a reply chunk by chunk and shows the value in it as it grows.

    ``value`` is a live view: the same objects grow with each ``feed``, so change
    nothing in it, and take a ``snapshot`` to keep one.  What is shown is the beginning
    of the answer: strings grow, and a number, literal or key shows when it can no
    longer change.  It is the first value that stands in no opened reasoning: feed
    "<think>" first if the prompt of the model has that.  ``docs/streaming.md`` has the
    few exceptions.

    Args:
        partial_strings: whether a string is shown before it is whole; with "long" it is
            when it has 64 characters, and so is no key that lost its place.
        events: whether to record what changes, for ``take_events``.
        repair, reasoning, max_depth, max_length: as ``extract`` takes them.
        parse_int, parse_float, parse_constant, object_pairs_hook: as ``extract`` takes
            them; they are called once, by ``close``.
        schema, coerce: as ``extract`` takes them: see ``partial``, and ``close``, which
            returns the typed value.

    Raises:
        ValueError: an option has no such value.

    >>> stream = Stream()
    >>> stream.feed('Sure: {"name": "Ad')
    {'name': 'Ad'}
    >>> stream.feed('a", "born": 18')
    {'name': 'Ada'}
    >>> stream.feed('15}')
    {'name': 'Ada', 'born': 1815}
    >>> stream.close().span
    Span(start=6, end=35)
    """

    value: Any
    """The value so far, None while there is none; after ``close``, the answer."""

    def __init__(
        self,
        *,
        partial_strings: PartialStrings = True,
        events: bool = False,
        repair: RepairName = "all",
        reasoning: Reasoning = "skip",
        max_depth: int = MAX_DEPTH,
        max_length: int | None = None,
        parse_int: Hook = None,
        parse_float: Hook = None,
        parse_constant: Hook = None,
        object_pairs_hook: PairsHook = None,
        schema: Any = None,
        coerce: Coerce = "all",
    ) -> None:
        if type(partial_strings) is not bool and partial_strings != "long":
            raise ValueError(
                f'partial_strings={partial_strings!r}: use True, False or "long"'
            )
        self._options = make_options(
            pick="first",
            repair=repair,
            reasoning=reasoning,
            max_depth=max_depth,
            max_length=max_length,
            hooks=Hooks(parse_int, parse_float, parse_constant, object_pairs_hook),
        )
        fits = schema is not None or coerce != "all"
        self._judge = load_judge(schema, coerce) if fits else None
        if self._judge is not None:
            Fitter("", self._options)  # it takes no hooks
        self._is_made_by_others = fits or self._options.hooks != NO_HOOKS  # the answer
        self._data: Any = None  # the same as plain data, once it was asked for
        self._follower = Follower(
            self._options.repair.ceiling,
            max_depth,
            partial_strings=bool(partial_strings),
            keys_wait=partial_strings == "long",
            record=events,
        )
        self._records = events
        self._last_events: list[Event] = []
        self._has_ended = False  # the last event was the end of all
        self._most = max_length
        self._length = 0
        self.value = None
        self._closed = False
        self._is_checked = max_length is not None
        self._result: Extraction | None = None
        self._error: BaseException | None = None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._head = b""  # the first bytes, until it is known whether they are a mark
        self._counts: dict[tuple[str, ...], int] = {}  # items given out, by path
        self._readers: dict[tuple[str, ...], ItemReader] = {}  # those with a schema
        self._began = 0  # when the first chunk came, for those who observe,
        self._spent = 0  # and how many nanoseconds all of them took

    # ------------------------------------------------------------------ feeding

    def feed(self, chunk: Chunk) -> Any:
        """Add what came; the value so far, or None while there is none.

        Bytes are UTF-8, or what a byte order mark at the start says; a character may
        be split between two chunks.

        Raises:
            LimitError: more than ``max_length`` characters came; the stream is closed.
            TypeError: the chunk is neither text nor bytes; nothing has changed.
            ValueError: the stream is closed.
        """
        if OBSERVERS or self._is_checked or type(chunk) is not str:
            return self._feed_checked(chunk)
        # no method, but what is followed at the moment
        self.value = value = self._follower.feed(chunk)
        return value

    def _feed_checked(self, chunk: Chunk) -> Any:
        """Feed what is not just more text."""
        if self._closed:
            raise ValueError("the stream is closed")
        clock = perf_counter_ns() if OBSERVERS else 0
        if type(chunk) is not str:
            # a subclass of str is none to the compiled rewriter
            text = isinstance(chunk, str)
            chunk = str.__str__(chunk) if text else self._decode(chunk)
        if self._most is not None:
            self._check_length(chunk, self._most)
        self.value = value = self._follower.feed(chunk)
        if clock:
            self._spent += perf_counter_ns() - clock
            self._began = self._began or time_ns() - self._spent
        return value

    def _check_length(self, chunk: str, most: int) -> None:
        self._length += len(chunk)
        if self._length > most:
            self._error = LimitError(
                f"more than {most} characters", most, hint="max_length"
            )
            self.close()

    def _decode(self, chunk: Chunk, *, final: bool = False) -> str:
        if not isinstance(chunk, (bytes, bytearray, memoryview)):
            raise TypeError(
                "expected str, bytes, bytearray or memoryview, "
                f"not {type(chunk).__name__}"
            )
        data = bytes(chunk)
        if self._decoder is None:
            self._head += data
            data = self._head
            # the marks of UTF-16 begin that of UTF-32, which has four bytes
            if len(data) < _LONGEST_MARK and not final:
                if any(mark.startswith(data) for mark in _MARKS):
                    return ""
            marks = [mark for mark in _MARKS if data.startswith(mark)]
            mark = max(marks, key=len, default=b"")
            name = _MARKS.get(mark, "utf-8")
            self._decoder = codecs.getincrementaldecoder(name)("replace")
            data = data[len(mark) :]
            self._head = b""
        return self._decoder.decode(data)

    def close(self) -> Extraction:
        """Say that nothing more comes: what ``extract(reply, pick="first")`` returns.

        Closing again gives the same.

        Raises:
            NoJSONError, SchemaError, BrokenJSONError, LimitError: as ``extract``; and
                what a hook raises.  The value is None then.
        """
        if not self._closed:
            if self._head:
                self.feed(self._decode(b"", final=True))
            if OBSERVERS:
                self._finish_observed()
            else:
                self._finish()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def _finish_observed(self) -> None:
        """Finish, and tell whoever listens: one record for the whole stream."""
        clock = perf_counter_ns()
        self._options = self._options._replace(timings=wants_stages())
        self._finish()
        ns = self._spent + perf_counter_ns() - clock
        began = self._began or time_ns() - ns
        founds = [self._result] if self._result is not None else []
        stages = self._result.timings if self._result is not None else None
        size, error = self._length, self._error
        notify(describe_call("stream", began, ns, size, founds, error, stages))

    def _finish(self) -> None:
        """Let the whole text decide; the value grows into the answer."""
        shown = self.value if self._records else None
        self._closed = self._is_checked = True
        if self._records:
            self._last_events = self._take_shown_events()
        text = self._follower.take_text()
        self.value = None
        self._length = len(text)
        try:
            result = self._read_answer(text)
        except BaseException as error:  # a hook may raise whatever it likes
            self._error = error
            if self._records and shown is not None:
                self._last_events.append(Event((), "reset", None))
            return
        self._result = result
        self.value = result.value
        if self._records:
            changes = []
            if self._judge is None:
                changes = _list_changes(shown, result.value)
            self._last_events += changes
            # a value that has ended in the text may need to say so again
            if changes or not self._has_ended:
                self._last_events.append(_END)

    def _read_answer(self, text: str) -> Extraction:
        """The answer of the whole reply, if all of it came."""
        if self._error is not None:
            raise self._error
        if self._judge is None:
            return Sifter(text, self._options).find_best()
        return Fitter(text, self._options).find_fitting(self._judge)

    # -------------------------------------------------------- what there is

    @property
    def partial(self) -> Any:
        """What has come of the typed value: plain data with all its fields.

        Those that have not come, and what does not fit yet, are None, lists are empty;
        choices, numbers and literals show when they are whole.  It is made anew each
        time, in time linear in the value.  After ``close`` it is the typed value, and
        without a schema ``value``.
        """
        if self._judge is None or self._closed or self.value is None:
            return self.value
        return self._judge.read_partial(self.value, self._follower.find_open_path())

    def done(self, path: Path = ()) -> bool:
        """Whether the value at ``path`` is there and whole.

        ``path`` is made of the reply's keys and of indices: ``("rows", 0)``, or
        ``"rows[0]"``; the empty one is that of the whole value.

        Raises:
            ValueError: ``path`` is text, but no path.
            TypeError: it is neither text nor made of keys and indices.
        """
        path = read_path(path)
        if self._closed:
            found = self._result
            return found is not None and (not path or _holds(self._read_data(), path))
        opened = self._follower.find_open_path()
        is_open = opened is not None and opened[: len(path)] == path
        return _holds(self.value, path) and not is_open

    def _read_data(self) -> Any:
        """The answer as the reply has it, whatever a schema or hooks made of it."""
        if self._result is None or not self._is_made_by_others:
            return self.value
        if self._data is None:
            text, most = self._result.text, self._options.max_depth
            self._data = parse_strict(text, most, any_integer=True)
        return self._data

    def snapshot(self) -> Any:
        """A copy of the value so far, which stays as it is."""
        if self._closed and self._is_made_by_others:
            return copy.deepcopy(self.value)
        return marshal.loads(marshal.dumps(self.value))

    @property
    def complete(self) -> bool:
        """Whether the value is whole as it stands: closing now would not cut it."""
        if self._closed:
            return self._result is not None and self._result.complete
        return self._follower.complete

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The repairs so far, in order, with offsets into all that was fed."""
        if self._closed:
            return self._result.edits if self._result is not None else ()
        return tuple(self._follower.list_edits())

    def take_events(self) -> list[Event]:
        """What has changed since the last call, in order.

        Raises:
            ValueError: the stream was made without ``events=True``.
        """
        if not self._records:
            raise ValueError("events are recorded with Stream(events=True)")
        if self._closed:
            events = self._last_events
            self._last_events = []
            return events
        return self._take_shown_events()

    def _take_shown_events(self) -> list[Event]:
        events = [Event(*one) for one in self._follower.take_events()]
        if events:
            self._has_ended = events[-1] == _END
        return events

    def take_items(self, path: Path = "[*]") -> list[Any]:
        """The items of a list that have become whole since the last call.

        ``path`` names the list, as in ``"orders[*]"``, ``"data.rows[*]"`` or, when the
        value itself is the list, ``"[*]"``.  A ``$.`` before it is the same, and so are
        the keys alone in a tuple: ``("data", "rows")``.

        With a schema the items are of the type that they have in the answer, and the
        keys are the schema's: see ``docs/schemas.md``.

        Raises:
            ValueError: ``path`` is text that does not end in ``[*]``, or goes through
                a list, or by the schema no list can stand there.
            TypeError: it is neither text nor made of keys.
        """
        steps = read_list_path(path)
        reader = self._find_reader(steps)
        if reader is not None and not self._closed:
            return reader.take(self.value, self._follower.count_whole)
        if reader is not None:
            return reader.take_rest(self.value) if self._result is not None else []
        items = self.value
        for step in steps:
            if not isinstance(items, dict) or step not in items:
                return []
            items = items[step]
        if not isinstance(items, list):
            return []
        start = self._counts.get(steps, 0)
        whole = len(items) if self._closed else self._follower.count_whole(items)
        self._counts[steps] = max(start, whole)
        return items[start:whole]

    def _find_reader(self, keys: tuple[str, ...]) -> ItemReader | None:
        """The reader of the list that the keys lead to, if there is a schema.

        Raises:
            ValueError: by the schema no list can stand there.
        """
        if self._judge is None:
            return None
        if keys not in self._readers:
            self._readers[keys] = self._judge.read_items(keys)
        return self._readers[keys]

    # ------------------------------------------------------------------- loops

    def values(self, chunks: Iterable[Chunk]) -> Iterator[Any]:
        """Feed all chunks and close; the value after each, and the answer last.

        With a schema the last one alone is typed; the others are plain data as it came.
        """
        for chunk in chunks:
            value = self.feed(chunk)
            if value is not None:
                yield value
        yield self.close().value

    async def avalues(self, chunks: AsyncIterable[Chunk]) -> AsyncIterator[Any]:
        """``values`` of chunks that come asynchronously."""
        async for chunk in chunks:
            value = self.feed(chunk)
            if value is not None:
                yield value
        yield self.close().value

    def items(self, chunks: Iterable[Chunk], path: Path = "[*]") -> Iterator[Any]:
        """Feed all chunks and close; each item of a list as soon as it is whole."""
        # a wrong path is told before anything is fed
        self._find_reader(read_list_path(path))
        for chunk in chunks:
            self.feed(chunk)
            yield from self.take_items(path)
        self.close()
        yield from self.take_items(path)

    async def aitems(
        self, chunks: AsyncIterable[Chunk], path: Path = "[*]"
    ) -> AsyncIterator[Any]:
        """``items`` of chunks that come asynchronously."""
        self._find_reader(read_list_path(path))
        async for chunk in chunks:
            self.feed(chunk)
            for item in self.take_items(path):
                yield item
        self.close()
        for item in self.take_items(path):
            yield item

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the stream, unless an error ended the block."""
        if error is None:
            self.close()


def _holds(value: Any, path: tuple[str | int, ...]) -> bool:
    """Whether something stands at the path; None is nothing at its beginning."""
    for step in path:
        if isinstance(value, list) and isinstance(step, int):
            if not 0 <= step < len(value):
                return False
        elif not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return bool(path) or value is not None


def _list_changes(shown: Any, answer: Any) -> list[Event]:
    """What must change in the value shown to make it the answer."""
    events: list[Event] = []
    todo: list[tuple[tuple[str | int, ...], Any, Any]] = [((), shown, answer)]
    while todo:
        path, old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() <= new.keys():
            pairs: list[tuple[Any, Any]] = list(new.items())
            missing = _MISSING
            olds = [old.get(key, missing) for key in new]
        elif isinstance(old, list) and isinstance(new, list) and len(old) <= len(new):
            pairs = list(enumerate(new))
            olds = [*old, *[_MISSING] * (len(new) - len(old))]
        elif isinstance(old, str) and isinstance(new, str) and new.startswith(old):
            if len(new) > len(old):
                events.append(Event(path, "grow", new[len(old) :]))
            continue
        elif type(old) is type(new) and (old == new or old != old):
            continue
        else:
            events.append(Event(path, "set", new))
            continue
        for (step, child), before in zip(reversed(pairs), reversed(olds), strict=True):
            todo.append(((*path, step), before, child))
    return events


_END: Final = Event((), "end", None)
_MISSING: Final[Any] = object()
