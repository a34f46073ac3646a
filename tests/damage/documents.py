"""Random documents, from a seed: *ordinary* ones, as models write, and *hard* ones.

Rules of this file: it knows JSON and nothing of jsonsift or of damage.  The same dice
give the same document on every machine.  A ``Document`` is a value, its text, and the
tokens of the text, so that an operator never has to search in the text itself.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

__all__ = ["Document", "NoPlace", "Token", "make_hard", "make_ordinary"]

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


T = TypeVar("T")


class NoPlace(Exception):  # noqa: N818 - it is a signal to the driver and no error
    """The document has no place where this damage can be done."""


class Token(NamedTuple):
    """One token.

    ``role`` is the mark itself, "key", "string" or "scalar"; ``parent`` the opener of
    the container it stands in (a bracket stands in its own container); ``opener`` the
    number of that opener, -1 at the root; ``number`` its own.
    """

    start: int
    end: int
    text: str
    role: str
    parent: str
    opener: int
    number: int

    @property
    def inner(self) -> str:
        """The text of a string between its quotes, escapes and all."""
        return self.text[1:-1]


class Document:
    """A JSON value, and the text that it was written as."""

    def __init__(self, value: Any, text: str) -> None:
        self.value = value
        self.text = text

    @cached_property
    def tokens(self) -> list[Token]:
        found: list[Token] = []
        stack: list[int] = []
        for number, match in enumerate(_TOKEN.finditer(self.text)):
            text = match.group()
            if text in "{[":
                stack.append(number)
            opener = stack[-1] if stack else -1
            parent = found[opener].text if 0 <= opener < number else text
            role = text if text in "{}[],:" else "scalar"
            if text[0] == '"':
                is_key = parent == "{" and found[-1].role in ("{", ",")
                role = "key" if is_key else "string"
            if text in "}]":
                stack.pop()
            found.append(
                Token(*match.span(), text, role, parent, opener, number)
            )  # fmt: skip
        return found

    def role(self, number: int) -> str:
        """The role of a token, "" beyond both ends."""
        return self.tokens[number].role if 0 <= number < len(self.tokens) else ""

    def are(self, number: int, *roles: str) -> bool:
        """Whether the tokens from ``number`` on have these roles ("}]" is either)."""
        return all(
            self.role(number + offset) in (role.split() if len(role) > 2 else role)
            and self.role(number + offset)
            for offset, role in enumerate(roles)
        )

    def of(self, *roles: str) -> list[Token]:
        """All tokens of these roles."""
        return [token for token in self.tokens if token.role in roles]

    def closer(self, opener: int) -> int:
        """The number of the token that closes the container opened at ``opener``."""
        return next(
            token.number
            for token in self.tokens[opener + 1 :]
            if token.opener == opener and token.role in ("}", "]")
        )

    def members(self, opener: int) -> list[Token]:
        """The tokens that stand in the container itself, and not deeper."""
        return [
            token
            for token in self.tokens[opener + 1 :]
            if token.opener == opener or self._opens_in(token, opener)
        ]

    def _opens_in(self, token: Token, opener: int) -> bool:
        return token.role in ("{", "[") and self.outer(token.number) == opener

    def outer(self, opener: int) -> int:
        """The number of the container around the one opened at ``opener``, or -1."""
        depth = 0
        for number in range(opener - 1, -1, -1):
            role = self.tokens[number].role
            depth += (role in ("}", "]")) - (role in ("{", "["))
            if depth < 0:
                return number
        return -1


def choose(dice: random.Random, places: Iterable[T]) -> T:
    """One of the places; NoPlace when there is none."""
    found = list(places)
    if not found:
        raise NoPlace
    return dice.choice(found)


# ------------------------------------------------------------- ordinary documents

_WORD_LIST: Final = (
    "the order was sent to our main office in Paris and should arrive by Friday "
    "evening please call before delivery she said that quite often blue large small "
    "customer invoice total price unit note see below review team about again new "
    "every report value model answer question because however first second user page "
    "list result"
)
_WORDS: Final = _WORD_LIST.split()
_KEY_LIST: Final = (
    "id name title description price items tags status created_at user email notes "
    "count is_active metadata first_name address summary score data url userId type "
    "key_points confidence step2 sub-title $ref _id answer reasoning"
)
_KEYS: Final = (*_KEY_LIST.split(), "key words", "Full Name")
_MARKED: Final = (
    "https://ex.org/a?b=1", "user@ex.org", "2024-05-01T10:00:00Z", "#ff0000", "C3PO",
    "+1 (555) 010-222", "SKU-00123", "a/b", "10%", "3.5 kg", "€ 12,50", "café",
    "日本語",
    "Zürich", "10:30", "v1.2.3", "in_progress", "GPT-4", "1/2 cup", "N/A", "naïve idea",
)  # fmt: skip
_TAILS: Final = (
    " (see note)", " - ok: done", " [1]", "; then", " {x}", "'s", " it's", " & co",
    " 👍",
    " – fine", ", or not", " at 5 pm", " (50%)", " e.g. this",
)  # fmt: skip
_SCALARS: Final = (0, 1, 42, -7, 3.5, 199.99, 1e6, True, False, None, -0.25, 2024)


def make_ordinary(dice: random.Random) -> Document:
    """A document as models write it: an object, or a list of objects."""
    if dice.random() < 0.75:
        value: Any = _make_object(dice, depth=3, most=5)
    else:
        count = dice.randrange(1, 4)
        alike = _make_records(dice, 2, count)
        mixed = [_make_object(dice, depth=2, most=3) for _ in range(count)]
        value = dice.choice([alike, mixed])
    return Document(value, _write(value, dice, ascii_share=0.1))


def _write(value: Any, dice: random.Random, *, ascii_share: float) -> str:
    return json.dumps(
        value,
        ensure_ascii=dice.random() < ascii_share,
        indent=dice.choice([None, None, 2, 2, 4, "\t"]),
        separators=dice.choice([None, None, (",", ":")]),
    )


def _make_object(dice: random.Random, *, depth: int, most: int) -> dict[str, Any]:
    keys = dice.sample(_KEYS, dice.randrange(1, most + 1))
    return {key: _make_value(dice, depth) for key in keys}


def _make_value(dice: random.Random, depth: int) -> Any:
    kind = dice.random()
    if depth > 0 and kind < 0.2:
        return _make_object(dice, depth=depth - 1, most=3)
    if depth > 0 and kind < 0.4:
        return _make_list(dice, depth)
    if kind < 0.75:
        return _make_sentence(dice)
    return dice.choice([*_SCALARS, dice.randrange(100_000)])


def _make_list(dice: random.Random, depth: int) -> list[Any]:
    kind = dice.random()
    count = dice.randrange(1, 4)
    if kind < 0.4:
        return [_make_sentence(dice) for _ in range(count)]
    if kind < 0.6:
        return [dice.randrange(1000) for _ in range(count)]
    if kind < 0.65:
        return []
    if kind < 0.8:
        return _make_records(dice, depth - 1, count)
    return [_make_object(dice, depth=depth - 1, most=3) for _ in range(count)]


def _make_records(dice: random.Random, depth: int, count: int) -> list[Any]:
    """Objects that all have the same keys."""
    keys = dice.sample(_KEYS, dice.randrange(1, 4))
    return [{key: _make_value(dice, depth) for key in keys} for _ in range(count)]


def _make_sentence(dice: random.Random) -> str:
    words = [dice.choice(_WORDS) for _ in range(dice.randrange(1, 9))]
    if dice.random() < 0.3 and len(words) > 3:
        words[1] += ","
    text = " ".join(words)
    if dice.random() < 0.5:
        text = text.capitalize() + dice.choice([".", "!", "?", "", ""])
    kind = dice.random()
    if kind < 0.06:
        return dice.choice(_MARKED)
    return text + dice.choice(_TAILS) if kind < 0.1 else text


# ----------------------------------------------------------------- hard documents

# Whatever decides something for the reader, where it must decide nothing: in a string.
_BITS: Final = (
    'say "hi"', ' "', '" ', '"}', '{"', '"]', '["', '","', '", "', '":"', '": ', "}, {",
    "],[", "\\", "\\n", "\\\\", '\\"', "\n", "\t", "\r\n", "\x00", "\x1b[0m", "\x7f",
    "```", '```json\n{"a":1}\n```', "```\n", "~~~", "`c`", '"""', "'''", "'", "it's",
    "<think>", "</think>", "</tool_call>", "<tool_call>", "<|im_end|>", "[TOOL_CALLS]",
    "<|channel|>final", "</s>", "// note", "# x", "/* c */", "<!-- c -->", "/*", "*/",
    "https://a.b/c", '<b c="d">', "...", "…", "null", "true", "None", "12", "0", "-0",
    "a", "b c", "word ", "hello, world", ": ", "x=1;", "f(x)", "$", "%", "&quot;", "-",
    "5'3\"", '27"', "[1]", "{name}", "{", "}", "[", "]", ",", ":", "+", "|", "(", ")",
    '"a": 1', '"k": "v"', ', "z": 2}', '{"a": {"b": [1, "c"]}}', "[1, 2]", '\\"a\\": 1',
    "🎉", "👩\u200d💻", "𝄞", "é", "中文", "日本，「語」：", "“q”", "‘s’", "«g»", "：",
    "，",
    "｛", "］", "＂", "\u200b", "\u200d", "\u00a0", "\u2028", "\u3000", "\ufeff",
    "\\ud83d",
    "\\u0041", "C:\\Users\\new", "\\alpha", "^\\d+$", "می\u200cخواهم", "data: ",
    "undefined",
)  # fmt: skip
_HARD_KEYS: Final = ("id", "name", "text", "v", "note", "a b")


def make_hard(dice: random.Random) -> Document:
    """A valid document whose strings hold all that could be taken for structure.

    Not a list of short numbers only, and not a list without content: in prose ``[1]``
    is a citation and ``[]`` or ``[ ]`` a box to tick, both left alone by design.
    """
    if dice.random() < 0.6:
        value: Any = {
            _make_key(dice): _make_hard_value(dice, 3)
            for _ in range(dice.randrange(1, 5))
        }
    else:
        value = [_make_hard_value(dice, 3) for _ in range(dice.randrange(1, 5))]
        value.insert(dice.randrange(len(value) + 1), {_make_key(dice): 1})
    return Document(value, _write(value, dice, ascii_share=0.3))


def _make_text(dice: random.Random) -> str:
    return "".join(dice.choices(_BITS, k=dice.choice([0, 1, 1, 2, 3, 5, 8])))


def _make_key(dice: random.Random) -> str:
    if dice.random() < 0.25:
        return _make_text(dice)
    return dice.choice([*_HARD_KEYS, f"key_{dice.randrange(9)}"])


def _make_hard_value(dice: random.Random, depth: int) -> Any:
    kind = dice.random()
    if depth > 0 and kind < 0.25:
        count = dice.randrange(4)
        return {
            _make_key(dice): _make_hard_value(dice, depth - 1) for _ in range(count)
        }
    if depth > 0 and kind < 0.5:
        return [_make_hard_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    if kind < 0.8:
        return _make_text(dice)
    return dice.choice([0, 1, -5, 3.25, 1e20, True, False, None, 12345678901234567890])
