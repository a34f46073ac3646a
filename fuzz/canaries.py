"""Functions that must be caught, and linear ones that must not be flagged.

A gate that cannot fail proves nothing.  Each canary is a mistake that shipped
somewhere; each control is linear, however it looks.  ``run`` repeats all of them, if
asked with busy processes beside it, and counts the right verdicts.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import orjson

from jsonsift.linear import (
    Family,
    NotLinearError,
    assert_linear,
    catalogue,
    find_family,
)

from .report import track

__all__ = ["CANARIES", "CONTROLS", "SIZES", "Canary", "busy", "find_verdict", "run"]

SIZES: Final = (64, 256, 1_024, 4_096, 16_384, 65_536)
_LIMIT: Final = 0.2  # CPU seconds of a call
_HOG: Final = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    sum(range(1_000_000))
"""


# ------------------------------------------------------------------- the mistakes

_KEY_VALUE: Final = re.compile(
    r'"(\\.|[^\\])*"\s*:\s*(\[[^\[\]]*\]|\{[^{}]*\}|"(\\.|[^\\])*")'
)
_TWO_READINGS: Final = re.compile(r"^(a|a)*$")


def find_with_the_key_value_pattern(text: str) -> object:
    return _KEY_VALUE.search(text)


def match_what_can_be_read_two_ways(text: str) -> object:
    return _TWO_READINGS.match(text)


def decode_at_every_brace(text: str) -> None:
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        with suppress(ValueError):
            decoder.raw_decode(text, at)
        at = text.find("{", at + 1)


def parse_from_scratch_at_every_chunk(text: str) -> None:
    buffer = ""
    for at in range(0, len(text), 64):
        buffer += text[at : at + 64]
        with suppress(ValueError, RecursionError):
            json.loads(buffer)


def take_the_first_off_a_slice(text: str) -> str:
    out = ""
    while text:
        out += text[0]
        text = text[1:]
    return out


def read_nested_without_a_bound(text: str, at: int = 0) -> int:
    if at < len(text) and text[at] in "[{":
        return read_nested_without_a_bound(text, at + 1)
    return at


def read_nested_with_the_limit_raised(text: str) -> int:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        return read_nested_without_a_bound(text)
    finally:
        sys.setrecursionlimit(before)


def count_lines_at_every_character(text: str) -> list[int]:
    return [text.count("\n", 0, at) for at in range(len(text))]


def look_back_from_every_quote(text: str) -> int:
    found = 0
    for at, ch in enumerate(text):
        if ch == '"':
            back = at - 1
            while back >= 0 and text[back] != "\n":
                back -= 1
            found += back
    return found


def remove_from_the_front_of_a_list(text: str) -> None:
    characters = list(text)
    while characters:
        characters.pop(0)


async def cut_in_a_coroutine(text: str) -> str:
    await asyncio.sleep(0)
    return take_the_first_off_a_slice(text)


@dataclass(frozen=True)
class Canary:
    """A function, the families to try it on, and whether it must be caught."""

    function: Callable[[str], Any]
    families: tuple[Family, ...]
    caught: bool

    @property
    def name(self) -> str:
        """In words."""
        return self.function.__name__.replace("_", " ")


def _canary(function: Callable[[str], Any], *names: str | Family) -> Canary:
    families = (
        name if isinstance(name, Family) else find_family(name) for name in names
    )
    return Canary(function, tuple(families), caught=True)


CANARIES: Final = (
    _canary(
        find_with_the_key_value_pattern,
        "brace-and-quote", "quotes-only", "escaped-quotes", "key-colon-quote",
    ),
    _canary(match_what_can_be_read_two_ways, Family("", "a", "!")),
    _canary(decode_at_every_brace, "lines-with-one-brace", "open-braces"),
    _canary(parse_from_scratch_at_every_chunk, "unclosed-string", "newlines-in-string"),
    _canary(take_the_first_off_a_slice, "backticks", "bare-words"),
    _canary(read_nested_without_a_bound, "open-brackets", "bracket-brace"),
    _canary(read_nested_with_the_limit_raised, "open-brackets"),
    _canary(count_lines_at_every_character, "spaces"),
    _canary(look_back_from_every_quote, "quotes-only"),
    _canary(remove_from_the_front_of_a_list, "digits"),
    _canary(cut_in_a_coroutine, "commas"),
)  # fmt: skip


# ------------------------------------------------------------- what looks like them

_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?+', re.S)


def find_strings_possessively(text: str) -> int:
    return len(_STRING.findall(text))


def find_each_brace_once(text: str) -> int:
    at, found = text.find("{"), 0
    while at >= 0:
        found += 1
        at = text.find("{", at + 1)
    return found


def load_with_orjson(text: str) -> Any:
    return orjson.loads(text.encode("utf-8", "surrogatepass"))


def sort_the_characters(text: str) -> list[str]:
    return sorted(text)


def count_the_characters(text: str) -> Counter[str]:
    return Counter(text)


def append_and_join(text: str) -> str:
    pieces = []
    for ch in text:
        pieces.append(ch.upper())
    return "".join(pieces)


def search_at_the_speed_of_memory(text: str) -> int:
    return text.find("\x01")


def read_nested_to_a_bound(text: str, at: int = 0) -> int:
    if at < min(len(text), 300) and text[at] in "[{":
        return read_nested_to_a_bound(text, at + 1)
    return at


def leave_cycles_for_the_collector(text: str) -> None:
    for _ in text:
        ring: list[Any] = []
        ring.append(ring)


async def split_in_a_coroutine(text: str) -> list[str]:
    await asyncio.sleep(0)
    return text.split()


def yield_the_lines(text: str) -> Iterator[str]:
    yield from text.splitlines()


CONTROLS: Final = tuple(
    Canary(function, catalogue(), caught=False)
    for function in (
        find_strings_possessively,
        find_each_brace_once,
        load_with_orjson,
        sort_the_characters,
        count_the_characters,
        append_and_join,
        search_at_the_speed_of_memory,
        read_nested_to_a_bound,
        leave_cycles_for_the_collector,
        split_in_a_coroutine,
        yield_the_lines,
    )
)


# --------------------------------------------------------------------- the counting


def find_verdict(canary: Canary, families: Sequence[Family] = ()) -> str:
    """What the gate says of the canary on the families; empty when it is linear."""
    try:
        assert_linear(
            canary.function, families or canary.families, sizes=SIZES, limit=_LIMIT
        )
    except NotLinearError as error:
        return str(error)
    return ""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that keep the machine busy meanwhile, none beyond our end."""
    hogs = [
        subprocess.Popen([sys.executable, "-c", _HOG, str(os.getpid())])
        for _ in range(processes)
    ]
    try:
        yield
    finally:
        for hog in hogs:
            hog.terminate()
            hog.wait()


def run(runs: int, load: int, share: int) -> list[dict[str, Any]]:
    """Judge all canaries and controls so often; the counts of right verdicts.

    A run tries controls on every ``share``-th family, each run on others.
    """
    right: Counter[str] = Counter()
    wrong: dict[str, str] = {}
    everything = [*CANARIES, *CONTROLS]
    began = time.monotonic()
    with busy(load):
        for number, canary in track(
            [(number, one) for number in range(runs) for one in everything], "canaries"
        ):
            families = canary.families
            if not canary.caught:
                families = families[number % share :: share]
            verdict = find_verdict(canary, families)
            if bool(verdict) is canary.caught:
                right[canary.name] += 1
            else:
                wrong[canary.name] = verdict or "not caught"
    rows = [
        {"name": one.name, "caught": one.caught, "right": right[one.name], "runs": runs}
        for one in everything
    ]
    for row in rows:
        what = "caught" if row["caught"] else "let through"
        print(f"{row['name']:40} {what:12}{row['right']:4} of {runs}")
    for name, verdict in wrong.items():
        print(f"\n{name}:\n{verdict}")
    seconds = time.monotonic() - began
    print(f"\n{runs} runs, {load} busy processes beside, {seconds:.0f} s")
    return rows
