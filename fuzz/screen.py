"""A quick look at one call: enough to tell what deserves a measurement."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from jsonsift.linear._calls import TookTooLongError, limit_time

__all__ = ["time_once"]


def time_once(
    call: Callable[[str], Any],
    text: str,
    limit: float,
    errors: tuple[type[Exception], ...],
) -> float:
    """CPU seconds of one call in this thread; ``limit`` if it does not end before."""
    began = time.thread_time()
    try:
        with limit_time(limit), suppress(*errors):
            call(text)
    except TookTooLongError:
        return limit
    return time.thread_time() - began
