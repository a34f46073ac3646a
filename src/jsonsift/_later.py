"""Patterns that are compiled when they are first used, so that importing stays cheap.

Rules of this file: what it hands out is used like a compiled pattern and costs, once
compiled, no more than one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import regex

__all__ = ["compile_later", "compile_partial"]


class _LaterPattern:
    """Its methods are the pattern's own, bound when the first of them is asked for."""

    __slots__ = (
        "_flags",
        "findall",
        "finditer",
        "fullmatch",
        "match",
        "pattern",
        "search",
        "split",
        "sub",
    )

    def __init__(self, source: Any, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile; comes here only while the slot is empty."""
        if name.startswith("_"):
            raise AttributeError(name)
        pattern = re.compile(self.pattern, self._flags)
        for attribute in self.__slots__[1:]:
            setattr(self, attribute, getattr(pattern, attribute))
        return getattr(pattern, name)


def compile_later(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, later."""
    return cast("re.Pattern[AnyStr]", _LaterPattern(source, flags))


@cache
def compile_partial(pattern: re.Pattern[str]) -> regex.Pattern[str]:
    """The same pattern for text that is not all there: ``match(…, partial=True)``.

    ``re``, which is faster and always loaded, knows no partial matches.
    """
    import regex

    return regex.compile(pattern.pattern)
