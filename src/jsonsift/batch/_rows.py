"""One reply to one row, and a stream of rows from several processes.

Rules of this file: rows come out in the order of the replies, nothing is kept that
was handed out, and no reply, whatever it is, stops the stream.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._errors import BrokenJSONError, JSONSiftError
from .._observe import OBSERVERS
from .._strict import parse_strict
from .._types import Extraction
from ..api import extract

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

__all__ = [
    "Row",
    "check_options",
    "count_workers",
    "extract_many",
    "open_pool",
    "read_row",
]

_CHUNK_ROWS: Final = 512
_CHUNK_SIZE: Final = 1 << 19  # characters of replies in a chunk, about
_DEEPEST: Final = 1024
# With these the value is not what the text says.
_SHAPING: Final = frozenset(
    ("schema", "parse_int", "parse_float", "parse_constant", "object_pairs_hook")
)


class Row(NamedTuple):
    """What one reply of many gave.

    Attributes:
        text: the value as strict JSON text; None when there is none.  Of a value that
            was made to fit a type it is what stood before.
        status: "valid", "coerced", "repaired" or "cut"; without a value "no-json",
            "broken", "limit", "schema", "error", or "null" for a reply that is None.
        edits: the kinds of the repairs, each once, in the order of their places.
        error: what went wrong, in a line; None when there is a value.
        built: the value where hooks or a schema made it.
    """

    text: str | None
    status: str
    edits: tuple[str, ...] = ()
    error: str | None = None
    built: Any = None

    @property
    def value(self) -> Any:
        """The Python value, parsed when it is read; None when there is none."""
        if self.text is None or self.built is not None:
            return self.built
        return parse_strict(self.text, _DEEPEST)

    @property
    def complete(self) -> bool:
        """Whether there is a value, and the reply did not break off inside it."""
        return self.status in ("valid", "coerced", "repaired")


def read_row(reply: Any, **options: Any) -> Row:
    """The row of one reply; ``options`` are those of ``extract``."""
    if reply is None:
        return Row(None, "null", (), "the reply is null")
    try:
        found = extract(reply, **options)
        built = found.value if _SHAPING & options.keys() else None
        text = found.text
        if found.coercions and isinstance(options["schema"], Mapping):
            text = json.dumps(built, ensure_ascii=False)
        return Row(text, found.outcome, _list_kinds(found), None, built)
    except JSONSiftError as error:
        # the message of this one has several lines; its first says it all
        message = error.msg if isinstance(error, BrokenJSONError) else str(error)
        status = "error" if error.is_callers else error.outcome
        return Row(None, status, (), _clean(message))
    except Exception as error:  # a hook's, or a reply that is no text
        return Row(None, "error", (), _clean(f"{type(error).__name__}: {error}"))


def _list_kinds(found: Extraction) -> tuple[str, ...]:
    if not found.risk:
        return ()
    return tuple(dict.fromkeys(edit.kind.label for edit in found.edits))


def _clean(message: str) -> str:
    """A message in one line that can be encoded."""
    line = message.partition("\n")[0]
    return line.encode("utf-8", "replace").decode()


def extract_many(
    replies: Iterable[Any], *, workers: int | None = 1, **options: Any
) -> Generator[Row]:
    """A row for each reply, in their order.

    Replies are read as rows are asked for, a few thousand ahead, so that any number
    of them needs the same memory.  A reply that is not text, or whose hook raises,
    gives a row too.

    Args:
        replies: strings or bytes; None gives a row with the status "null".
        workers: how many processes; 1 is this one, None as many as there are
            processors.  With more than one, hooks must be importable functions, and a
            script that calls this needs the ``if __name__ == "__main__"`` that
            multiprocessing asks for.
        options: those of ``extract``.

    Raises:
        ValueError: there is no such number of workers.
        TypeError: ``replies`` is one text, or ``extract`` has no such option.

    >>> rows = extract_many(["{'a': 1}", "none", '[1, 2'])
    >>> [(row.value, row.status) for row in rows]
    [({'a': 1}, 'repaired'), (None, 'no-json'), ([1, 2], 'cut')]
    """
    if isinstance(replies, (str, bytes, bytearray, memoryview)):
        raise TypeError("expected an iterable of replies, not one: use [reply]")
    workers = count_workers(workers)
    check_options(options)
    read: Callable[[Any], Row] = partial(read_row, **options)
    if workers == 1:
        return (read(reply) for reply in replies)
    return _spread(replies, workers, read)


def _spread(
    replies: Iterable[Any], workers: int, read: Callable[[Any], Row]
) -> Generator[Row]:
    """The rows, from chunks that several processes work on."""
    chunks = _cut_chunks(iter(replies))
    with open_pool(workers) as pool:
        waiting: deque[Future[list[Row]]] = deque()
        try:
            for chunk in islice(chunks, 2 * workers):
                waiting.append(pool.submit(_read_chunk, chunk, read))
            while waiting:
                rows = waiting.popleft().result()
                for chunk in islice(chunks, 1):
                    waiting.append(pool.submit(_read_chunk, chunk, read))
                yield from rows
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _cut_chunks(replies: Iterator[Any]) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    size = 0
    for reply in replies:
        chunk.append(bytes(reply) if isinstance(reply, memoryview) else reply)
        size += len(reply) if isinstance(reply, (str, bytes, bytearray)) else 0
        if len(chunk) >= _CHUNK_ROWS or size >= _CHUNK_SIZE:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _read_chunk(replies: list[Any], read: Callable[[Any], Row]) -> list[Row]:
    return [read(reply) for reply in replies]


def check_options(options: dict[str, Any]) -> None:
    """Let a wrong option be an error now, and not in every row."""
    with suppress(JSONSiftError):
        extract("[]", **options)


def count_workers(workers: int | None) -> int:
    """How many processes to use: as asked, or one a processor."""
    if workers is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if type(workers) is not int or workers < 1:
        raise ValueError(f"workers={workers!r}: use a number from 1, or None")
    return workers


def open_pool(workers: int) -> ProcessPoolExecutor:
    """Processes that end with this one, even if it is killed."""
    from concurrent.futures import ProcessPoolExecutor  # slow to load

    return ProcessPoolExecutor(workers, initializer=_start_worker)


def _start_worker() -> None:
    """Report to nobody, whoever listens to the parent, and end when that has ended."""
    OBSERVERS.clear()
    import multiprocessing
    import threading

    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
