# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""A value that grows: strict JSON text in pieces in, Python objects as they come out.

Rules of this file: it is given strict JSON only, cut anywhere but inside an escape,
and knows nothing of repairs.  Each piece is read once.  A string that is open stands
in its container already and grows there in place: while nobody else holds it, that
costs what is added and not what is there.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ._codes import G_KEY, G_NOTHING, G_STRING, G_TOKEN

COMPILED: Final = not __file__.endswith(".py")

WORDS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_RUN: Final = re.compile(r'[^"\\]*+')
_BETWEEN: Final = re.compile(r"[ \t\n\r,:]*+")
_TOKEN: Final = re.compile(r"[^\s,\]}]*+")
_NEXT: Final = re.compile(
    r"[ \t\n\r,:]*+"
    r'(?:"([^"\\]*+)("?+)|([^ \t\n\r,:"{}\[\]]++)|([{\[])|[}\]])'
)


def skip_run(text: str, pos: int, end: int) -> int:
    """The first quote or backslash from ``pos`` on."""
    if not COMPILED:
        match = _RUN.match(text, pos, end)
        return match.end() if match is not None else pos
    while pos < end:
        ch = text[pos]
        if ch == '"' or ch == "\\":
            break
        pos += 1
    return pos


def skip_between(text: str, pos: int, end: int) -> int:
    """The first character from ``pos`` on that is no space, comma or colon."""
    if not COMPILED:
        match = _BETWEEN.match(text, pos, end)
        return match.end() if match is not None else pos
    while pos < end:
        ch = text[pos]
        if ch != "," and ch != ":" and ch > " ":
            break
        pos += 1
    return pos


def skip_token(text: str, pos: int, end: int) -> int:
    """The end of the number or literal at ``pos``."""
    if not COMPILED:
        match = _TOKEN.match(text, pos, end)
        return match.end() if match is not None else pos
    while pos < end:
        ch = text[pos]
        if ch == "," or ch == "]" or ch == "}" or ch <= " ":
            break
        pos += 1
    return pos


def read_token(token: str) -> Any:
    """The value of a number or literal.

    Raises:
        ValueError: an integer has more digits than ``int`` reads.
    """
    if token in WORDS:
        return WORDS[token]
    if "." in token or "e" in token or "E" in token:
        return float(token)
    return int(token)


class GrowingValue:
    """The values read so far, one after the other, in ``roots``.

    ``events`` collects what changed, as ``(path, op, delta)``, if ``record`` says so:
    see ``jsonsift.stream.Event``.  Without ``partial_strings`` a string is shown when
    it is whole.
    """

    def __init__(self, *, partial_strings: bool = True, record: bool = False) -> None:
        self.partial_strings = partial_strings
        self.record = record
        self.events: list[tuple[Any, ...]] = []
        self.roots: list[Any] = []
        # the open containers; beside each its path, and the key of its last member
        self.stack: list[Any] = [self.roots]
        self.paths: list[tuple[Any, ...]] = [()]
        self.keys: list[str] = [""]
        self.top: Any = self.roots
        self.in_object = False
        self.has_key = False
        self.mode = G_NOTHING
        self.parts: list[str] = []
        self.placed = False  # the string being read stands in its container

    # ----------------------------------------------------------------- reading

    def read(self, text: str, pos: int, end: int) -> None:
        """Go on with the strict JSON in ``text[pos:end]``."""
        while pos < end:
            if self.mode == G_STRING or self.mode == G_KEY:
                pos = self._read_string(text, pos, end)
            elif self.mode == G_TOKEN:
                stop = skip_token(text, pos, end)
                self.parts.append(text[pos:stop])
                pos = stop
                if pos < end:
                    self.end_token()
            elif not COMPILED:
                pos = self._read_next(text, pos, end)
            else:
                ch = text[pos]
                if ch == '"':
                    pos = self._open_string(text, pos + 1, end)
                    continue
                if ch == "{" or ch == "[":
                    self._open(ch == "{")
                elif ch == "}" or ch == "]":
                    self._close()
                elif ch != "," and ch != ":" and ch > " ":
                    self.mode = G_TOKEN
                    continue
                pos = skip_between(text, pos + 1, end)

    def _read_next(self, text: str, pos: int, end: int) -> int:
        """Read tokens with one match each, up to a string or number that goes on."""
        while match := _NEXT.match(text, pos, end):
            pos = match.end()
            which = match.lastindex
            if which is None:
                self._close()
            elif which == 4:
                self._open(match[4] == "{")
            elif which == 3:
                self.mode = G_TOKEN
                self.parts.append(match[3])
                if pos == end:
                    return pos
                self.end_token()
            elif not match[2]:
                self.mode = G_KEY if self.in_object and not self.has_key else G_STRING
                self.placed = False
                if match[1]:
                    self.parts.append(match[1])
                return pos
            elif self.in_object and not self.has_key:
                self.keys[-1] = match[1]
                self.has_key = True
            else:
                self._put(match[1])
                if self.record:
                    self.events.append((self._path(), "end", None))
        return end

    def _open_string(self, text: str, pos: int, end: int) -> int:
        """A string or key begins, and is read at once if it is plain and all there."""
        is_key = self.in_object and not self.has_key
        stop = skip_run(text, pos, end)
        if stop >= end or text[stop] != '"':
            self.mode = G_KEY if is_key else G_STRING
            self.placed = False
            return pos
        if is_key:
            self.keys[len(self.stack) - 1] = text[pos:stop]
            self.has_key = True
        else:
            self._put(text[pos:stop])
            if self.record:
                self.events.append((self._path(), "end", None))
        return stop + 1

    def _read_string(self, text: str, pos: int, end: int) -> int:
        """Go on inside a string; the position behind what was read."""
        stop = skip_run(text, pos, end)
        if stop > pos:
            self.parts.append(text[pos:stop])
        if stop >= end:
            return stop
        if text[stop] == "\\":
            return self._read_escape(text, stop + 1)
        if self.mode == G_KEY:
            self.keys[len(self.stack) - 1] = "".join(self.parts)
            self.parts.clear()
            self.has_key = True
        else:
            self._place_string()
            if self.record:
                self.events.append((self._path(), "end", None))
        self.mode = G_NOTHING
        return stop + 1

    def _read_escape(self, text: str, pos: int) -> int:
        """The escape whose backslash stands before ``pos``."""
        ch = text[pos]
        if ch != "u":
            self.parts.append(ESCAPES.get(ch, ch))
            return pos + 1
        code = int(text[pos + 1 : pos + 5], 16)
        if 0xD800 <= code <= 0xDBFF:  # strict text has the other half behind it
            low = int(text[pos + 7 : pos + 11], 16)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            pos += 6
        self.parts.append(chr(code))
        return pos + 5

    def end_token(self) -> None:
        """The number or literal being read is whole, if there is one."""
        if self.mode != G_TOKEN:
            return
        value = read_token("".join(self.parts))
        self.parts.clear()
        self.mode = G_NOTHING
        self._put(value)

    # ------------------------------------------------------------ the value

    def root(self) -> Any:
        """The value, or the list that all of them form; None if there is none."""
        return self.roots[0] if len(self.roots) == 1 else self.roots or None

    def grow(self, delta: str) -> None:
        """The open string, shown so far, goes on with this, which holds no escape."""
        if self.record and self.partial_strings:
            self.events.append((self._path(), "grow", delta))
        if not self.partial_strings:
            self.parts.append(delta)
        # taken out of its place, it has one owner and grows without being copied
        elif self.in_object:
            key = self.keys[len(self.stack) - 1]
            members: dict[str, Any] = self.top
            whole: str = members[key]
            members[key] = None
            whole += delta
            members[key] = whole
        else:
            items: list[Any] = self.top
            whole = items[len(items) - 1]
            items[len(items) - 1] = None
            whole += delta
            items[len(items) - 1] = whole

    def show(self) -> None:
        """Let the open string hold all that was read of it."""
        if self.mode == G_STRING and self.partial_strings:
            self._place_string()

    def has_unplaced(self) -> bool:
        """Whether a value is being read of which nothing stands in its container."""
        return self.mode == G_TOKEN or (self.mode == G_STRING and not self.placed)

    def _path(self) -> tuple[Any, ...]:
        """The path of the last member or item of the innermost container."""
        level = len(self.stack) - 1
        if level == 0:
            return (len(self.roots) - 1,) if len(self.roots) > 1 else ()
        step = self.keys[level] if self.in_object else len(self.top) - 1
        return (*self.paths[level], step)

    def _put(self, value: Any) -> None:
        """A new member or item of the innermost container."""
        if self.in_object:
            self.top[self.keys[len(self.stack) - 1]] = value
            self.has_key = False
        else:
            self.top.append(value)
            if self.record and self.top is self.roots and len(self.roots) == 2:
                self.events.append(((), "wrap", None))
        if self.record:
            if isinstance(value, (dict, list)):
                value = type(value)()
            self.events.append((self._path(), "set", value))

    def _place_string(self) -> None:
        """Add what was read of the open string to what stands there."""
        if self.placed and not self.parts:
            return
        delta = self.parts[0] if len(self.parts) == 1 else "".join(self.parts)
        self.parts.clear()
        if not self.placed:
            self.placed = True
            self._put(delta)
        else:
            self.grow(delta)

    def _open(self, is_object: bool) -> None:
        new: Any = {} if is_object else []
        self._put(new)
        self.paths.append(self._path() if self.record else ())
        self.stack.append(new)
        self.keys.append("")
        self.top = new
        self.in_object = is_object

    def _close(self) -> None:
        self.stack.pop()
        path = self.paths.pop()
        self.keys.pop()
        self.top = self.stack[len(self.stack) - 1]
        self.in_object = isinstance(self.top, dict)
        self.has_key = False
        if self.record:
            self.events.append((path, "end", None))

    def count_whole(self, items: list[Any]) -> int:
        """How many items of a list that is part of the value can no longer change."""
        top = len(self.stack) - 1
        for level in range(top + 1):
            if self.stack[level] is items:
                if level < top or (self.mode == G_STRING and self.placed):
                    return len(items) - 1
                break
        return len(items)

    def find_open_path(self) -> tuple[Any, ...] | None:
        """The path of the innermost value that is not whole; None if all are."""
        top = len(self.stack) - 1
        in_string = self.mode == G_STRING and self.placed
        if top == 0 and not in_string:
            return None
        path: list[Any] = [len(self.roots) - 1] if len(self.roots) > 1 else []
        for level in range(1, top + in_string):
            container = self.stack[level]
            is_object = isinstance(container, dict)
            path.append(self.keys[level] if is_object else len(container) - 1)
        return tuple(path)

    # ------------------------------------------------ what shows only later

    def become_list(self, depth: int) -> None:
        """The object at this depth, still empty, is a list in truth."""
        self._replace(depth - 1, [])
        self.stack[depth] = self._last(depth - 1)
        if self.record:
            self.events.append((self.paths[depth], "set", []))
        self._descend()

    def wrap_last(self, depth: int) -> None:
        """The last member of the object at this depth is the first item of a list."""
        path = (*self.paths[depth], self.keys[depth])
        first = self._last(depth)
        self._replace(depth, [first])
        self.stack.insert(depth + 1, self._last(depth))
        self.paths.insert(depth + 1, path)
        self.keys.insert(depth + 1, "")
        if self.record:
            for level in range(depth + 2, len(self.paths)):
                below = self.paths[level]
                self.paths[level] = (*path, 0, *below[len(path) :])
            self.events.append((path, "wrap", None))
        self._descend()

    def forget_last(self) -> None:
        """What is being read is no value; what it is comes next."""
        if self.mode == G_STRING and self.placed:
            if self.in_object:
                del self.top[self.keys[len(self.stack) - 1]]
            else:
                self.top.pop()
        self.has_key = self.in_object
        self.parts.clear()
        self.mode = G_NOTHING

    def _descend(self) -> None:
        self.top = self.stack[len(self.stack) - 1]
        self.in_object = isinstance(self.top, dict)

    def _last(self, depth: int) -> Any:
        """The last member or item of the container at this depth."""
        container = self.stack[depth]
        if isinstance(container, dict):
            return container[self.keys[depth]]
        return container[len(container) - 1]

    def _replace(self, depth: int, value: Any) -> None:
        container = self.stack[depth]
        if isinstance(container, dict):
            container[self.keys[depth]] = value
        else:
            container[len(container) - 1] = value
