"""Patterns that are compiled when they are first used, so that importing stays cheap.

Rules of this file: what it hands out is used like a compiled pattern and costs, once
compiled, no more than one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import regex

__all__ = ["compile_later", "compile_regex_later"]


class _LaterPattern:
    """Its methods are the pattern's own, bound when the first of them is asked for."""

    __slots__ = (
        "_arguments",
        "_compile",
        "findall",
        "finditer",
        "fullmatch",
        "match",
        "search",
        "split",
        "sub",
    )

    def __init__(self, compile_: Any, *arguments: Any) -> None:
        self._compile = compile_
        self._arguments = arguments

    def __getattr__(self, name: str) -> Any:
        """Compile; comes here only while the slot is empty."""
        if name.startswith("_"):
            raise AttributeError(name)
        pattern = self._compile(*self._arguments)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)


def compile_later(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, later."""
    return cast("re.Pattern[AnyStr]", _LaterPattern(re.compile, source, flags))


def _compile_regex(source: str) -> Any:
    import regex

    return regex.compile(source)


def compile_regex_later(source: str) -> regex.Pattern[str]:
    """``regex.compile``, later; that package is imported no sooner."""
    return cast("regex.Pattern[str]", _LaterPattern(_compile_regex, source))
