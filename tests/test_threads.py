"""Many threads at once: right answers, and nothing of one reply in another's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

import pytest

import jsonsift

from .every_way import BUILDS, use_build

_THREADS: Final = 16
_CALLS: Final = 10_000


def _make_case(number: int) -> tuple[str, Any]:
    """A reply that no other thread has, of one of four kinds, and its value."""
    value = {"id": number, "name": f"n{number}", "tags": ["a", str(number)]}
    kinds = (
        f"```\n{{'id': {number}, name: 'n{number}', 'tags': ['a', '{number}',]}}\n```",
        f'Here: {{"id": {number}, "name": "n{number}", "tags": ["a", "{number}"]}} ok?',
        f'{{"id": {number}, "name": "n{number}" "tags": ["a", "{number}"',
        f'{{"id": {number}, "name": "n{number}", "tags": ["a", "{number}"]}}',
    )
    return kinds[number % len(kinds)], value


def _count_wrong(first: int, calls: int) -> int:
    wrong = 0
    for number in range(first, first + calls):
        reply, value = _make_case(number)
        found = jsonsift.extract(reply)
        wrong += found.value != value or found.text != found.text.strip()
    return wrong


@contextmanager
def _often_switching() -> Iterator[None]:
    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(kept)


def _run_threads(calls: int) -> int:
    with _often_switching(), ThreadPoolExecutor(_THREADS) as pool:
        starts = range(0, _THREADS * calls, calls)
        return sum(pool.map(_count_wrong, starts, [calls] * _THREADS))


@pytest.mark.parametrize("build", BUILDS)
def test_threads_get_right_answers(build: str) -> None:
    """State of one call would show in another's answer."""
    with use_build(build):
        assert _run_threads(200) == 0


@pytest.mark.slow
def test_sixteen_threads_of_ten_thousand_calls() -> None:
    """The same at length: a rare race would be missed by the short test."""
    assert _run_threads(_CALLS) == 0
