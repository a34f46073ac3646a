"""One call in full: what is async is awaited, what yields is read to its end.

Whatever is measured is called through a ``Caller``, which also says what a call that
fails means, and stops a call that takes too long where the platform can.
"""

from __future__ import annotations

import asyncio
import inspect
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final, Self

from ._families import Family

__all__ = [
    "CRASHES",
    "Caller",
    "Errors",
    "TookTooLongError",
    "limit_time",
    "settle_clock",
]

Errors = tuple[type[Exception], ...]

# Never an outcome that a caller can expect of a text.
CRASHES: Final = (RecursionError, MemoryError)


class TookTooLongError(BaseException):
    """A call was stopped; no ``except Exception`` in it may catch this."""


class Caller:
    """Calls ``function`` with texts of one family.

    What ``functools.cache`` remembers is forgotten before each call.

    Args:
        function: takes a text (or bytes, see ``form``); may be a method, a coroutine
            function or a generator.
        family: what the texts are made of; errors that escape name it.
        form: ``str``, or ``bytes`` to give it UTF-8.
        errors: exceptions that are outcomes like any other.

    ``raised`` names the one that the last call ended with; empty if it returned.
    """

    def __init__(
        self,
        function: Callable[[Any], Any],
        family: Family,
        *,
        form: type = str,
        errors: Errors,
    ) -> None:
        if form not in (str, bytes):
            raise ValueError(f"form={form!r}: use str or bytes")
        self.function = function
        self.family = family
        self.form = form
        self.errors = errors
        self.raised = ""
        self._forget = getattr(function, "cache_clear", _do_nothing)
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            self._runner.close()
            self._runner = None
        if isinstance(error, Exception):
            error.add_note(f"raised on a text of {self.family!r}")

    def build(self, size: int) -> tuple[int, str | bytes]:
        """The family's text of that size: its length, and what the function gets."""
        text = self.family.build(size)
        data = text if self.form is str else text.encode("utf-8", "surrogatepass")
        return len(text), data

    def call(self, argument: str | bytes) -> None:
        """Call the function and let it finish; its result is dropped.

        Raises:
            RecursionError, MemoryError: the call raised it.
            Exception: the call raised what is not among ``errors``.
        """
        self.raised = ""
        self._forget()
        try:
            result = self.function(argument)
            if inspect.isawaitable(result) or isinstance(result, AsyncIterator):
                self._finish(result)
            elif isinstance(result, Iterator):
                deque(result, maxlen=0)
        except CRASHES:
            raise
        except self.errors as error:
            self.raised = type(error).__name__

    def _finish(self, result: Any) -> None:
        if self._runner is None:
            if _is_loop_running():
                if inspect.iscoroutine(result):
                    result.close()
                raise RuntimeError(
                    "an async function is measured in an event loop of its own, and "
                    "one is running here: call this by asyncio.to_thread"
                )
            self._runner = asyncio.Runner()
        self._runner.run(_await(result))


def _do_nothing() -> None:
    """What is not cached need not be forgotten."""


async def _await(result: Any) -> None:
    if not isinstance(result, AsyncIterator):
        result = await result
    if isinstance(result, AsyncIterator):
        async for _ in result:
            pass


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _can_interrupt() -> bool:
    here = threading.current_thread() is threading.main_thread()
    if not (here and hasattr(signal, "setitimer") and hasattr(signal, "SIGPROF")):
        return False
    return signal.getsignal(signal.SIGPROF) is not None  # a profiler's, in C


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Stop what runs inside after so much CPU time, by ``TookTooLongError``.

    It needs POSIX and the main thread, and reaches into C code that looks for signals,
    as ``re`` does; elsewhere nothing is stopped.
    """
    if not _can_interrupt():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGPROF, stop)
    # again and again, should the first be swallowed
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


_FINE: Final = 1e-4
_SETTLED: Final = 4
_PATIENCE: Final = 0.1


def settle_clock() -> None:
    """Wait until the process's CPU clock is fine again.

    Linux counts it by the tick, some milliseconds, while ``limit_time`` has a timer on
    it, and up to the first tick after.
    """
    if not _can_interrupt():
        return
    fine, before = 0, time.process_time()
    until = time.perf_counter() + _PATIENCE
    while fine < _SETTLED and time.perf_counter() < until:
        now = time.process_time()
        fine = fine + 1 if 0 < now - before < _FINE else 0
        before = now
