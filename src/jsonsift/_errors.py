"""What can go wrong, as a tree.

    ValueError
    └── JSONSiftError
        ├── NoJSONError        the reply holds no JSON
        ├── BrokenJSONError    it does, but needs a repair that the policy forbids
        │                      (also a json.JSONDecodeError)
        ├── LimitError         too deep, too long, or a number with too many digits
        └── SchemaError        what was found does not fit the schema

Rules of this file: an error is a kind and an offset; line, column and the caret
line are worked out when they are read, because counting lines for errors that
nobody reads is what makes many parsers quadratic.
"""

from __future__ import annotations

import json
from typing import Any

from ._types import EditKind

__all__ = [
    "BrokenJSONError",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "SchemaError",
]

_PUBLIC = "jsonsift"  # tracebacks name the module that users import from
_CONTEXT = 30  # characters shown on each side of a fault


class JSONSiftError(ValueError):
    """The root of every error that jsonsift raises for a text.

    ``outcome`` says in a word what it stands for, as ``Extraction.outcome`` does.
    """

    __module__ = _PUBLIC
    outcome = "error"


class NoJSONError(JSONSiftError):
    """No JSON value stands in the text.

    ``in_reasoning`` is True when there was JSON, but only in the reasoning part.
    """

    __module__ = _PUBLIC
    outcome = "no-json"

    def __init__(self, message: str, *, in_reasoning: bool = False) -> None:
        super().__init__(message)
        self.in_reasoning = in_reasoning

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_no_json, (str(self), self.in_reasoning)


def _rebuild_no_json(message: str, in_reasoning: bool) -> NoJSONError:
    return NoJSONError(message, in_reasoning=in_reasoning)


class LimitError(JSONSiftError):
    """The text goes beyond a limit; ``pos`` says where."""

    __module__ = _PUBLIC
    outcome = "limit"

    def __init__(self, message: str, pos: int = 0) -> None:
        super().__init__(message)
        self.pos = pos

    def __reduce__(self) -> tuple[Any, ...]:
        return LimitError, (str(self), self.pos)


class SchemaError(JSONSiftError):
    """The value does not fit the schema.

    ``value`` is what was found, ``reason`` the validator's own error.
    """

    __module__ = _PUBLIC
    outcome = "schema"

    def __init__(self, message: str, value: Any, reason: Exception | None) -> None:
        super().__init__(message)
        self.value = value
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return SchemaError, (str(self), self.value, self.reason)


class BrokenJSONError(JSONSiftError, json.JSONDecodeError):
    """The JSON needs a repair that ``repair=`` does not allow.

    ``msg``, ``doc``, ``pos``, ``lineno`` and ``colno`` are those of
    ``json.JSONDecodeError``; ``kind`` is the repair that would have been needed.
    """

    __module__ = _PUBLIC
    outcome = "broken"

    def __init__(
        self, msg: str, doc: str, pos: int, kind: EditKind | None = None
    ) -> None:
        ValueError.__init__(self, msg)  # JSONDecodeError's would count lines now
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.kind = kind

    @property
    def lineno(self) -> int:  # type: ignore[override]
        """The line of ``pos``, counted from 1."""
        return self.doc.count("\n", 0, self.pos) + 1

    @property
    def colno(self) -> int:  # type: ignore[override]
        """The column of ``pos``, counted from 1."""
        return self.pos - self.doc.rfind("\n", 0, self.pos)

    def __str__(self) -> str:
        where = f"line {self.lineno}, column {self.colno}"
        return f"{self.msg} at {where} (char {self.pos})\n{self._caret()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return BrokenJSONError, (self.msg, self.doc, self.pos, self.kind)

    def _caret(self) -> str:
        """The line of the fault, cut to its neighbourhood, and a mark below it."""
        first = self.doc.rfind("\n", 0, self.pos) + 1
        last = self.doc.find("\n", self.pos)
        last = len(self.doc) if last < 0 else last
        start = max(first, self.pos - _CONTEXT)
        stop = min(last, self.pos + _CONTEXT)
        before = "…" if start > first else ""
        after = "…" if stop < last else ""
        shown = "".join(c if c.isprintable() else " " for c in self.doc[start:stop])
        indent = " " * (len(before) + self.pos - start)
        return f"  {before}{shown}{after}\n  {indent}^"
