"""What can go wrong, as a tree.

    ValueError
    └── JSONSiftError
        ├── NoJSONError        the reply holds no JSON
        ├── BrokenJSONError    it does, but needs a repair that the policy forbids
        │                      (also a json.JSONDecodeError)
        ├── LimitError         too deep, too long, a number with too many digits, or
        │                      too many strings that lost their ends
        └── SchemaError        what was found does not fit the schema

Rules of this file: an error is a kind and an offset; line, column and the caret
line are worked out when they are read, because counting lines for errors that
nobody reads is what makes many parsers quadratic.
"""

from __future__ import annotations

import json
from typing import Any

from ._types import EditKind, Extraction, Problem

__all__ = [
    "BrokenJSONError",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "SchemaError",
    "write_schema_error",
]

_PUBLIC = "jsonsift"  # tracebacks name the module that users import from
_CONTEXT = 30  # characters shown on each side of a fault
_PROBLEMS = 5  # told to a model at once
_SHOWN = 80  # characters of a value
_STEPS = 8  # of a path
_STEP = 32  # characters of one
_WANTED = 200  # characters of what is wanted


class JSONSiftError(ValueError):
    """The root of every error that jsonsift raises for a text.

    ``outcome`` says in a word what it stands for, as ``Extraction.outcome`` does.
    The message is what is wrong with the text, and in brackets a ``hint`` at the option
    that the caller may use; a model is told the former only.
    """

    __module__ = _PUBLIC
    outcome = "error"
    is_callers = False  # raised by a hook of the caller's, and no outcome of the call

    def __init__(self, fault: str = "", *, hint: str = "") -> None:
        super().__init__(f"{fault} ({hint})" if hint else fault)
        self._fault = fault

    def feedback(self) -> str:
        """What to tell the model, to ask it once more: short, in a few plain lines."""
        return f"Your reply could not be used: {self._fault}.\nReply with JSON only."


class NoJSONError(JSONSiftError):
    """No JSON value stands in the text.

    ``in_reasoning`` is True when there was JSON, but only in the reasoning part.
    """

    __module__ = _PUBLIC
    outcome = "no-json"

    def __init__(
        self, fault: str, *, hint: str = "", in_reasoning: bool = False
    ) -> None:
        super().__init__(fault, hint=hint)
        self.in_reasoning = in_reasoning


class LimitError(JSONSiftError):
    """The text goes beyond a limit; ``pos`` says where."""

    __module__ = _PUBLIC
    outcome = "limit"

    def __init__(self, fault: str, pos: int = 0, *, hint: str = "") -> None:
        super().__init__(fault, hint=hint)
        self.pos = pos


class SchemaError(JSONSiftError):
    """The reply holds a value, but none that fits the schema.

    ``value`` is what was found, as it was parsed, ``reason`` the validator's own error
    if it had one, ``problems`` say where and why.  ``path``, ``found`` and ``wanted``
    are those of the first problem.  ``complete`` is False when the reply broke off
    inside the value, which may be why it does not fit.
    """

    __module__ = _PUBLIC
    outcome = "schema"

    def __init__(
        self,
        message: str,
        value: Any,
        reason: Exception | None,
        problems: tuple[Problem, ...] = (),
        complete: bool = True,
    ) -> None:
        super().__init__(message)
        self.value = value
        self.reason = reason
        self.problems = problems
        self.complete = complete

    @property
    def path(self) -> tuple[str | int, ...]:
        """Keys and indices that lead to what does not fit."""
        return self.problems[0].path if self.problems else ()

    @property
    def found(self) -> Any:
        """What stands there; None when it is missing."""
        return self.problems[0].found if self.problems else self.value

    @property
    def wanted(self) -> str:
        """What the schema wants there, in words."""
        return self.problems[0].wanted if self.problems else ""

    def feedback(self) -> str:
        """What to tell the model: each problem in a line, at most five.

        What it wrote is quoted as JSON on one line, and cut to 80 characters.  That it
        broke off comes first.
        """
        first = "The JSON in your reply does not fit the schema:"
        last = "Reply with the corrected JSON only."
        if not self.complete:
            first = "Your reply breaks off inside its JSON. It does not fit the schema:"
            last = "Reply with the whole JSON only."
        lines = [f"- {_describe(one)}" for one in self.problems[:_PROBLEMS]]
        more = len(self.problems) - _PROBLEMS
        if more > 0:
            lines.append(f"- and {more} more")
        return "\n".join(
            (
                first,
                *(lines or ["- it is not what is wanted"]),
                last,
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (str(self), self.value, self.reason, self.problems, self.complete)
        return SchemaError, parts


def write_schema_error(
    found: Extraction, reason: Exception | None, problems: tuple[Problem, ...]
) -> SchemaError:
    """The error about a value that does not fit."""
    told = _describe(problems[0]) if problems else str(reason)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    cut = "" if found.complete else "the reply breaks off, and "
    message = f"{cut}no fit for the schema: {told}{more}"
    return SchemaError(message, found.value, reason, problems, found.complete)


def _describe(problem: Problem) -> str:
    """One problem in a line."""
    where = _write_path(problem.path)
    wanted = _cut(problem.wanted, _WANTED)
    if problem.missing:
        return f"{where} is missing: expected {wanted}"
    return f"{where}: expected {wanted}, found {_show(problem.found)}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _write_path(path: tuple[str | int, ...]) -> str:
    """``$.items[0].name``; keys that are no names are written as JSON, and cut."""
    steps = []
    for step in path[:_STEPS]:
        plain = isinstance(step, str) and step.isidentifier()
        steps.append(_cut(f".{step}" if plain else f"[{_show(step)}]", _STEP))
    return "$" + "".join(steps) + ("…" if len(path) > _STEPS else "")


def _show(value: Any) -> str:
    """A value as JSON on one line, cut to a length that fits a message."""
    if isinstance(value, (dict, list)):
        kind = "object" if isinstance(value, dict) else "list"
        return f"an empty {kind}" if not value else _show_container(value, kind)
    if isinstance(value, str):
        cut = json.dumps(value[: _SHOWN + 1], ensure_ascii=False)
        shown = "".join(ch if ch.isprintable() else "\ufffd" for ch in cut)
    else:
        shown = json.dumps(value) if value is None or value is True else str(value)
        shown = "false" if value is False else shown
    return _cut(shown, _SHOWN)


def _show_container(value: Any, kind: str) -> str:
    if kind == "list":
        return f"a list of {len(value)}"
    keys = ", ".join(_show(key)[:20] for key in list(value)[:5])
    return f"an object with {keys}" + (", …" if len(value) > 5 else "")


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
        return f"{self.msg} {self._where()} (char {self.pos})\n{self._caret()}"

    def feedback(self) -> str:
        """What to tell the model: what is wrong, and where."""
        sentence = self.kind.sentence if self.kind else "the JSON in it is broken"
        return JSONSiftError(f"{sentence}, {self._where()}").feedback()

    def __reduce__(self) -> tuple[Any, ...]:
        return BrokenJSONError, (self.msg, self.doc, self.pos, self.kind)

    def _where(self) -> str:
        return f"at line {self.lineno}, column {self.colno}"

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
