"""The text that a value was read from: where a string is wanted, text stays as it was.

A value of an extraction is found again by its path: strict JSON is walked once for the
places of all values, and the edits that led to it lead from there back to the reply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import orjson

from .._types import Extraction

__all__ = ["Source"]

_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]++', re.S)


class _Spot:
    """Where a value stands in strict JSON, and its parts by key or index."""

    __slots__ = ("end", "parts", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.parts: dict[str | int, _Spot] = {}


class Source:
    """The text behind the values of one extraction, or of one strict JSON text."""

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction
        self._root: _Spot | None = None
        self._mended: list[int] = []  # where stretches start in the strict text
        self._stretches: list[tuple[int, int, bool]] = []  # and in the reply

    def text_at(self, path: Sequence[str | int]) -> str | None:
        """The reply's text of the value at ``path``; None if it is not to be found."""
        if self._root is None:
            self._root = _find_spots(self._extraction.text)
            self._align()
        spot: _Spot | None = self._root
        for step in path:
            spot = spot.parts.get(step) if spot is not None else None
        if spot is None or spot.end <= spot.start:
            return None
        start = self._reply_offset(spot.start, at_end=False)
        end = self._reply_offset(spot.end - 1, at_end=True)
        return self._extraction.reply[start:end] if start < end else None

    def _align(self) -> None:
        """Note which stretch of the strict text comes from which of the reply."""
        at, mended = self._extraction.span.start, 0
        for start, end, replacement, _ in self._extraction.edits:
            self._add(mended, at, start - at, as_it_was=True)
            mended += start - at
            self._add(mended, start, len(replacement), as_it_was=False, end=end)
            mended += len(replacement)
            at = end
        self._add(mended, at, self._extraction.span.end - at, as_it_was=True)

    def _add(
        self, mended: int, start: int, length: int, *, as_it_was: bool, end: int = 0
    ) -> None:
        if length > 0:
            self._mended.append(mended)
            self._stretches.append((start, end, as_it_was))

    def _reply_offset(self, offset: int, *, at_end: bool) -> int:
        """Where a character of the strict text starts, or ends, in the reply."""
        at = bisect_right(self._mended, offset) - 1
        start, end, as_it_was = self._stretches[at]
        if as_it_was:
            return start + offset - self._mended[at] + at_end
        return end if at_end else start


def _find_spots(text: str) -> _Spot:
    """The places of all values in strict JSON."""
    root = _Spot(0)
    stack: list[tuple[_Spot, bool]] = []
    spot, key = root, ""
    expects_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if expects_key and token[0] == '"':
            key, expects_key = token, False
            continue
        if token in "}]":
            closed, _ = stack.pop()
            closed.end = match.end()
        elif token == ",":
            expects_key = stack[-1][1]
        elif token != ":":
            spot = _Spot(match.start())
            spot.end = match.end()
            if stack:
                _place(spot, *stack[-1], key)
            else:
                root = spot
            if token in "{[":
                expects_key = token == "{"
                stack.append((spot, expects_key))
        if token in "}]":
            expects_key = False
    return root


def _place(spot: _Spot, parent: _Spot, is_object: bool, key: str) -> None:
    """Put a value among its parent's; of equal keys the last counts."""
    if not is_object:
        parent.parts[len(parent.parts)] = spot
    else:
        name = orjson.loads(key) if "\\" in key else key[1:-1]
        parent.parts[name] = spot
