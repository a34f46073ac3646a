"""Damage to the data itself: strings, their quotes and escapes, numbers, literals.

Where a string is damaged, the right answer is the string as its writer meant it: the
quotes inside belong to it, and a backslash that escapes nothing stays.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable
from typing import Final

from .documents import Document, NoPlace, Token
from .model import (
    Damage,
    Family,
    Operator,
    Splice,
    after,
    choose,
    every,
    put,
)
from .structure import LITERALS, is_name, operator

__all__ = ["STRINGS"]

STRINGS: Final[list[Operator]] = []
_local = operator(Family.LOCAL, STRINGS)
_forms = operator(Family.FORMS, STRINGS)
_marks = operator(Family.MARKS, STRINGS)
_quotes = operator(Family.QUOTES, STRINGS)

# A sentence that has room for quoted words, and nothing else in it.
_SENTENCE: Final = re.compile(r"[A-Za-z]+(?: [a-z]+){3,}[.!?]?")
_BARE: Final = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)*[.!]?")


def _strings(document: Document, pattern: re.Pattern[str] | None = None) -> list[Token]:
    return [
        token
        for token in document.of("string")
        if pattern is None or pattern.fullmatch(token.inner)
    ]


def _rewritten(token: Token, raw: str) -> Damage:
    """The string holds ``raw``, written as it is, with nothing escaped."""
    return Damage((put(token, f'"{raw}"'),), (put(token, json.dumps(raw)),))


# ------------------------------------------------------------------ without quotes


@_local
def value_bare(document: Document, dice: random.Random) -> Damage:
    """A value of one word without quotes, which is no literal of any language."""
    value = choose(dice, (token for token in document.of("string") if is_name(token)))
    return Damage((put(value, value.inner),))


@_local
def value_bare_sentence(document: Document, dice: random.Random) -> Damage:
    """A value of several words without quotes; no mark but a stop at the end.

    Not before a line end or space without a comma: it could go on there.
    """
    values = [
        token
        for token in _strings(document, _BARE)
        if token.inner.lower() not in LITERALS
    ]
    value = choose(dice, values)
    return Damage((put(value, value.inner),))


# -------------------------------------------------------------------- other quotes


@_marks
def python_repr(document: Document, dice: random.Random) -> Damage:
    """The whole as ``repr`` writes it, space and all of the text kept."""
    data = document.of("key", "string", "scalar")
    changed = ((token, repr(json.loads(token.text))) for token in data)
    return every(put(token, text) for token, text in changed if text != token.text)


def _single(token: Token) -> str:
    inner = token.inner.replace("'", "\\'").replace('\\"', '"')
    return f"'{inner}'"


@_marks
def single_quotes(document: Document, dice: random.Random) -> Damage:
    """All strings in single quotes, apostrophes escaped."""
    return every(put(token, _single(token)) for token in document.of("key", "string"))


@_local
def single_quotes_once(document: Document, dice: random.Random) -> Damage:
    """One value in single quotes, apostrophes escaped."""
    token = choose(dice, _strings(document))
    return Damage((put(token, _single(token)),))


@_marks
def single_quotes_raw_apostrophes(document: Document, dice: random.Random) -> Damage:
    """All strings in single quotes, apostrophes between two letters not escaped."""
    tokens = document.of("key", "string")
    if any(re.search(r"\W'|'\W", token.inner) for token in tokens):
        raise NoPlace
    return every(put(token, f"'{token.inner}'") for token in tokens)


def _requoted(tokens: Iterable[Token], opening: str, closing: str) -> Damage:
    """Other quotes, where neither they nor straight ones stand inside."""
    found = list(tokens)
    if any(set(opening + closing + '"') & set(token.inner) for token in found):
        raise NoPlace
    return every(put(token, f"{opening}{token.inner}{closing}") for token in found)


_CURLY: Final = ("“”", "“”", "“”", "„“", "””", "‘’", "＂＂", "«»")


@_marks
def curly_quotes(document: Document, dice: random.Random) -> Damage:
    """All strings in typographic quotes of one kind; none of it inside."""
    opening, closing = dice.choice(_CURLY)
    tokens = document.of("key", "string")
    if opening == "‘" and any("'" in token.inner for token in tokens):
        raise NoPlace
    return _requoted(tokens, opening, closing)


@_local
def curly_quotes_once(document: Document, dice: random.Random) -> Damage:
    """One key or value in typographic quotes."""
    token = choose(dice, document.of("key", "string"))
    return _requoted([token], *dice.choice(_CURLY[:4]))


@_local
def curly_and_straight_quote(document: Document, dice: random.Random) -> Damage:
    """One string with a curly quote on one side and a straight one on the other."""
    token = choose(dice, document.of("key", "string"))
    return _requoted([token], *dice.choice(['“"', '"”']))


@_marks
def backtick_quotes(document: Document, dice: random.Random) -> Damage:
    """All values that are strings in backticks."""
    return _requoted(document.of("string"), "`", "`")


@_local
def triple_quotes(document: Document, dice: random.Random) -> Damage:
    """A value in three quotes, over several lines."""
    token = choose(dice, _strings(document, _SENTENCE))
    mark = dice.choice(['"""', "'''"])
    meant = token.inner.replace(" ", "\n", 2)
    return Damage((put(token, mark + meant + mark),), (put(token, json.dumps(meant)),))


@_forms
def string_prefix(document: Document, dice: random.Random) -> Damage:
    """Python's ``u``, ``b``, ``r`` or ``f`` before a string that needs none of them."""
    token = choose(dice, _strings(document, _SENTENCE))
    return Damage((put(token, dice.choice("ubrf") + token.text),))


@_local
def concatenation(document: Document, dice: random.Random) -> Damage:
    """A value in two or three strings joined by a plus sign."""
    token = choose(dice, _strings(document, _SENTENCE))
    joint = dice.choice(['" + "', '"+"', '"\n + "'])
    pieces = token.inner.split(" ", dice.choice([1, 2]))
    return Damage((put(token, '"' + f" {joint}".join(pieces) + '"'),))


@_local
def concatenation_by_lines(document: Document, dice: random.Random) -> Damage:
    """A member's value in strings on lines of their own, as Python joins them."""
    token = choose(
        dice,
        (
            one
            for one in _strings(document, _SENTENCE)
            if document.are(one.number - 1, ":")
        ),
    )
    pieces = token.inner.split(" ", dice.choice([1, 2]))
    return Damage((put(token, '"' + ' "\n    "'.join(pieces) + '"'),))


@_marks
def javascript_object(document: Document, dice: random.Random) -> Damage:
    """The whole as JavaScript writes it: bare keys, single quotes, a comma more."""
    keys = [put(key, key.inner) for key in document.of("key") if is_name(key)]
    strings = [put(one, _single(one)) for one in document.of("string")]
    return every([*keys, *strings, *_last_commas(document)])


def _last_commas(document: Document) -> list[Splice]:
    return [
        after(document.tokens[token.number - 1], ",")
        for token in document.of("}", "]")
        if document.role(token.number - 1) not in ("{", "[", "key", "string")
    ]


@_local
def lone_surrogates(document: Document, dice: random.Random) -> Damage:
    """Half of a surrogate pair as an escape: U+FFFD is the right answer."""
    token = choose(dice, (one for one in _strings(document) if " " in one.inner))
    half = dice.choice(["\\ud83d", "\\uDE00", "\\ud800"])
    return Damage(
        (put(token, token.text.replace(" ", f" {half} ")),),
        (put(token, token.text.replace(" ", " \\ufffd ")),),
    )


@_local
def path_before_quote(document: Document, dice: random.Random) -> Damage:
    """A path whose last backslash would escape the closing quote."""
    path = dice.choice(["C:\\", "D:\\data\\", "E:\\new\\temp\\", "C:\\Program Files\\"])
    return _rewritten(choose(dice, _strings(document)), path)


# -------------------------------------------------------------------- inner quotes


def _quoted(
    document: Document, dice: random.Random, change: Callable[[list[str]], None]
) -> Damage:
    """A sentence of which ``change`` puts some words in raw quotes."""
    token = choose(dice, _strings(document, _SENTENCE))
    words = token.inner.split(" ")
    change(words)
    return _rewritten(token, " ".join(words))


def _quote(words: list[str], first: int, last: int, tail: str = "") -> None:
    words[first] = '"' + words[first]
    words[last] += '"' + tail


@_quotes
def inner_quotes_word(document: Document, dice: random.Random) -> Damage:
    """A word in raw quotes in the middle of a sentence."""

    def change(words: list[str]) -> None:
        place = dice.randrange(1, len(words) - 1)
        _quote(words, place, place)

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_words(document: Document, dice: random.Random) -> Damage:
    """Two words in raw quotes, each by itself."""

    def change(words: list[str]) -> None:
        for place in (1, len(words) - 2) if len(words) > 4 else (1,):
            _quote(words, place, place)

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_phrase(document: Document, dice: random.Random) -> Damage:
    """Some words in one pair of raw quotes, at times with a stop before the quote."""

    def change(words: list[str]) -> None:
        last = dice.randrange(2, len(words) - 1)
        words[last] += dice.choice(["", "", ".", "!", "?", ","])
        _quote(words, 1, last)

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_before_comma(document: Document, dice: random.Random) -> Damage:
    """A comma, stop, colon or bracket right after the raw closing quote."""

    def change(words: list[str]) -> None:
        place = dice.randrange(1, len(words) - 1)
        _quote(words, place, place, dice.choice(",,,;.:)?"))

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_at_start(document: Document, dice: random.Random) -> Damage:
    """The first word in raw quotes."""
    return _quoted(document, dice, lambda words: _quote(words, 0, 0))


@_quotes
def inner_quotes_at_end(document: Document, dice: random.Random) -> Damage:
    """The last word or words in raw quotes, so that two quotes end the string."""

    def change(words: list[str]) -> None:
        words[-1] = words[-1].rstrip(".!?")
        _quote(words, dice.choice([-1, -2]), -1)

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_dialogue(document: Document, dice: random.Random) -> Damage:
    """Speech with commas beside the raw quotes: ``"no," he said, "not yet."``."""

    def change(words: list[str]) -> None:
        words[0] = f'"{words[0]},"'
        words[2] += ","
        words[3] = '"' + words[3]
        words[-1] += '"'

    return _quoted(document, dice, change)


@_quotes
def inner_quotes_in_key(document: Document, dice: random.Random) -> Damage:
    """A word of a key in raw quotes."""
    token = choose(dice, document.of("key"))
    return _rewritten(
        token, dice.choice(['the "big" one', 'a "b"', '"x" y', 'size "XL"'])
    )


@_quotes
def inch_mark(document: Document, dice: random.Random) -> Damage:
    """An inch mark, or feet and inches, in the middle of a sentence."""

    def change(words: list[str]) -> None:
        place = dice.randrange(1, len(words) - 1)
        words[place] = dice.choice(['27"', "5'3\"", '3.5"', '12" x 14"'])

    return _quoted(document, dice, change)


_HTML: Final = (
    '<a href="http://x.y">link</a>', '<p class="a b" id="c">text</p>',
    '<img src="a.png"/>',
    'see <a href="https://ex.org/a?b=1" target="_blank">this, or that</a> now',
    '<div style="color: red; margin: 0"><span id="x">a</span></div>', '<br class="b">',
    '<input type="text" value="a, b">',
    '<svg viewBox="0 0 10 10"><path d="M0,0"/></svg>',
)  # fmt: skip
_CODE: Final = (
    'print("hi")', 'x = {"a": 1}', 'f("a", "b")', 'if s == "x": pass', 'd["k"] = 2',
    'echo "$HOME" > out', 'console.log("a: " + b);', 'return "x" if y else "z"',
    'SELECT "id" FROM t WHERE name = "x" AND k = 1', 'import "fmt"',
    'os.environ["KEY"]',
    'for k in ["a", "b"]: print(k)', 'grep -E "a|b" file.txt', 'git commit -m "fix it"',
    'const a = ["x", "y"];', 'logger.info("done", extra={"a": 1})', 'puts "hi #{name}"',
)  # fmt: skip
_PASTED: Final = (
    'said {"a": "b", "c": 2} ok', 'got {"ok": true} back', '{"a": 1} is the body',
    'it returned {"error": "not found"} and stopped', 'use {"a": {"b": ["c"]}} here',
    'a body of {"id": 5, "tags": ["x"]} was sent', 'the list ["a", "b"] was empty',
)  # fmt: skip


def _replaced(
    document: Document, dice: random.Random, texts: tuple[str, ...]
) -> Damage:
    return _rewritten(choose(dice, _strings(document)), dice.choice(texts))


@_quotes
def html_in_string(document: Document, dice: random.Random) -> Damage:
    """HTML whose attributes have raw quotes."""
    return _replaced(document, dice, _HTML)


@_quotes
def code_in_string(document: Document, dice: random.Random) -> Damage:
    """Code with raw quotes."""
    return _replaced(document, dice, _CODE)


@_quotes
def pasted_json_in_string(document: Document, dice: random.Random) -> Damage:
    """Words around a pasted object or array whose quotes are raw."""
    return _replaced(document, dice, _PASTED)


# ------------------------------------------------------------------- missing quotes


def _without_end(token: Token) -> Damage:
    return Damage((Splice(token.end - 1, token.end, ""),))


def _without_start(token: Token) -> Damage:
    return Damage((Splice(token.start, token.start + 1, ""),))


@_quotes
def closing_quote_dropped_before_key(document: Document, dice: random.Random) -> Damage:
    """A value's closing quote is missing before ``, "key":``."""
    places = (
        token
        for token in _strings(document)
        if document.are(token.number + 1, ",", "key")
    )
    return _without_end(choose(dice, places))


@_quotes
def closing_quote_dropped_at_line_end(
    document: Document, dice: random.Random
) -> Damage:
    """A value's closing quote is missing before a line end and a closer."""
    places = (
        token
        for token in _strings(document)
        if document.text[token.end : token.end + 1] == "\n"
    )
    return _without_end(choose(dice, places))


@_quotes
def closing_quote_dropped_before_closer(
    document: Document, dice: random.Random
) -> Damage:
    """A value's closing quote is missing before the closer, with more text after it.

    At the end of the text the closers could belong to a string that was cut off; they
    do here too, but nothing in the string opens what they would close.
    """
    places = (
        token
        for token in _strings(document)
        if document.role(token.number + 1) in ("}", "]")
        and not set(token.inner) & set("{}[]")
    )
    return _without_end(choose(dice, places))


@_quotes
def closing_quote_dropped_between_items(
    document: Document, dice: random.Random
) -> Damage:
    """An item's closing quote is missing before ``, "item"``."""
    places = (
        token
        for token in _strings(document)
        if document.are(token.number + 1, ",", "string")
    )
    return _without_end(choose(dice, places))


@_quotes
def opening_quote_dropped(document: Document, dice: random.Random) -> Damage:
    """A member's value has no opening quote; it is words, a comma at the most."""
    words = re.compile(r"[A-Za-z]+(?:,? [A-Za-z]+)*[.!?]?")
    places = (
        token
        for token in _strings(document, words)
        if document.are(token.number - 1, ":")
    )
    return _without_start(choose(dice, places))


@_quotes
def opening_quote_dropped_of_item(document: Document, dice: random.Random) -> Damage:
    """An array's item has no opening quote; it is words without comma."""
    places = (token for token in _strings(document, _BARE) if token.parent == "[")
    return _without_start(choose(dice, places))


def _plain_keys(document: Document) -> list[Token]:
    return [key for key in document.of("key") if is_name(key)]


@_quotes
def opening_quote_dropped_of_key(document: Document, dice: random.Random) -> Damage:
    """A key has no opening quote."""
    return _without_start(choose(dice, _plain_keys(document)))


@_quotes
def closing_quote_dropped_of_key(document: Document, dice: random.Random) -> Damage:
    """A key has no closing quote."""
    return _without_end(choose(dice, _plain_keys(document)))


@_quotes
def quote_doubled(document: Document, dice: random.Random) -> Damage:
    """A key or value in two quotes on either side: ``""word""`` is ``"word"``.

    It could be a word in raw quotes; of the two readings the design takes this one,
    since nothing stands between the quotes.
    """
    token = choose(dice, (one for one in document.of("key", "string") if one.inner))
    return Damage((put(token, f'"{token.text}"'),))


# ---------------------------------------------------------------- inside the string


def _respaced(
    document: Document, dice: random.Random, texts: tuple[str, ...]
) -> Damage:
    """A string whose spaces are something else, written raw."""
    token = choose(dice, (one for one in _strings(document) if " " in one.inner))
    text = dice.choice(texts)
    meant = json.dumps(text)[1:-1]
    return Damage(
        (put(token, token.text.replace(" ", text)),),
        (put(token, token.text.replace(" ", meant)),),
    )


@_local
def raw_line_ends(document: Document, dice: random.Random) -> Damage:
    """Line ends in a string that are not escaped."""
    return _respaced(document, dice, ("\n", "\n\n", "\r\n", "\n\n  - "))


@_local
def raw_controls(document: Document, dice: random.Random) -> Damage:
    """Tabs and other control characters in a string that are not escaped."""
    return _respaced(document, dice, ("\t", "\x00", "\x1b[0m", "\x0c", "\x08"))


@_local
def invalid_escapes(document: Document, dice: random.Random) -> Damage:
    """Backslashes that escape nothing: they stay.

    Only letters that JSON knows no escape for; ``\\n`` in a path is a line end.
    """
    marks = ("\\d", "\\s+", "\\ ", "\\_", "\\%", "\\alpha ", "\\(", "\\.", "\\[", "\\$")
    return _respaced(document, dice, marks)


_BACKSLASHED: Final = (
    "C:\\Users\\Documents", "D:\\Photos\\2024", "^\\d{3}-\\d{4}$", "\\sum_{i=1}^n x_i",
    "\\w+@\\w+\\.org", "$\\alpha + \\gamma$", "\\\\server\\share".replace("\\\\", "\\"),
    "\\xe9", "\\u12", "\\uXYZW", "100\\%", "\\[x^2\\]", "line \\",
)  # fmt: skip


@_local
def backslashes_in_string(document: Document, dice: random.Random) -> Damage:
    """A path, a regular expression or LaTeX, with single backslashes."""
    texts = tuple(text for text in _BACKSLASHED if not text.endswith("\\"))
    return _replaced(document, dice, texts)


# ---------------------------------------------------------------- numbers, literals


def _numbers(document: Document, pattern: str) -> list[Token]:
    return [one for one in document.of("scalar") if re.fullmatch(pattern, one.text)]


def _as_number(token: Token, text: str, meant: str) -> Damage:
    return Damage((put(token, text),), (put(token, meant),))


@_forms
def number_plus(document: Document, dice: random.Random) -> Damage:
    """A plus sign before a number."""
    token = choose(dice, _numbers(document, r"[\d.]+"))
    return Damage((put(token, "+" + token.text),))


@_forms
def number_bare_point(document: Document, dice: random.Random) -> Damage:
    """``.5``, ``-.5`` or ``5.``."""
    token = choose(dice, _numbers(document, r"-?[\d.]+"))
    forms = {".5": "0.5", "-.5": "-0.5", "5.": "5.0", "+.25": "0.25", "-12.": "-12.0"}
    return _as_number(token, *dice.choice(list(forms.items())))


@_forms
def number_other_base(document: Document, dice: random.Random) -> Damage:
    """Hexadecimal, octal, binary, with underscores or the mark of a long integer."""
    token = choose(dice, _numbers(document, r"-?[\d.]+"))
    number = dice.randrange(1, 10**7)
    forms = ("0x{:X}", "0x{:x}", "{:_}", "0b{:b}", "0o{:o}", "0B{:b}", "{}n", "{}L")
    text = dice.choice(forms).format(number)
    return _as_number(token, text, str(number))


@_forms
def number_with_thousands(document: Document, dice: random.Random) -> Damage:
    """``1,234,567`` or ``1,234.50`` as a member's value.

    In an array the comma could be that between two items.
    """
    places = [
        token
        for token in _numbers(document, r"-?[\d.]+")
        if document.are(token.number - 1, ":")
    ]
    number = dice.randrange(1000, 10**8)
    tail = dice.choice(["", "", ".50"])
    return _as_number(choose(dice, places), f"{number:,}{tail}", f"{number}{tail}")


@_forms
def number_that_is_text(document: Document, dice: random.Random) -> Damage:
    """``12%``, ``1/3``, ``02134``, ``10:30`` or a date without quotes: text."""
    places = [
        token
        for token in _numbers(document, r"-?[\d.]+")
        if document.are(token.number - 1, ":")
    ]
    text = dice.choice(
        [
            "12%",
            "1/3",
            "02134",
            "2024-05-01",
            "3.5kg",
            "1.2.3",
            "10:30",
            "5 kg",
            "+49 30 12",
        ]
    )
    return _as_number(choose(dice, places), text, json.dumps(text))


@_forms
def literal_of_python(document: Document, dice: random.Random) -> Damage:
    """One ``True``, ``False`` or ``None``, or in capitals."""
    names = {"true": "True", "false": "False", "null": "None"}
    token = choose(dice, (one for one in document.of("scalar") if one.text in names))
    return Damage((put(token, dice.choice([names[token.text], token.text.upper()])),))


@_forms
def literal_of_javascript(document: Document, dice: random.Random) -> Damage:
    """``undefined``, ``NaN`` or ``Infinity`` in place of a scalar."""
    name = dice.choice(["undefined", "NaN", "Infinity", "-Infinity"])
    meant = "null" if name == "undefined" else name
    return _as_number(choose(dice, document.of("scalar")), name, meant)


# --------------------------------------------------------------- forms of languages


def _flat_arrays(document: Document, *, least: int) -> list[tuple[Token, Token]]:
    """The brackets of the arrays that hold ``least`` scalars and strings or more."""
    found = []
    for opener in document.of("["):
        closer = document.tokens[document.closer(opener.number)]
        between = document.tokens[opener.number + 1 : closer.number]
        flat = all(token.role in ("string", "scalar", ",") for token in between)
        if flat and len(between) >= 2 * least - 1:
            found.append((opener, closer))
    return found


@_forms
def tuple_for_array(document: Document, dice: random.Random) -> Damage:
    """A Python tuple of two or more in place of an array."""
    opener, closer = choose(dice, _flat_arrays(document, least=2))
    return Damage((put(opener, "("), put(closer, ")")))


@_forms
def tuple_of_one(document: Document, dice: random.Random) -> Damage:
    """A Python tuple of one, with its comma, in place of an array."""
    arrays = [pair for pair in _flat_arrays(document, least=1)
              if pair[1].number - pair[0].number == 2]  # fmt: skip
    opener, closer = choose(dice, arrays)
    last = document.tokens[opener.number + 1]
    return Damage((put(opener, "("), after(last, ","), put(closer, ")")))


@_forms
def set_for_array(document: Document, dice: random.Random) -> Damage:
    """A Python set of two or more in place of an array."""
    opener, closer = choose(dice, _flat_arrays(document, least=2))
    return Damage((put(opener, "{"), put(closer, "}")))


@_forms
def call_around_value(document: Document, dice: random.Random) -> Damage:
    """``ObjectId("…")``, ``NumberLong(5)`` and the like around one value."""
    token = choose(dice, [*document.of("string"), *_numbers(document, r"-?[\d.]+")])
    names = ["ObjectId", "ISODate", "new Date", "UUID", "Decimal", "NumberDecimal"]
    if token.role == "scalar":
        names = ["NumberLong", "NumberInt", "Decimal", "int", "float", "Number"]
    return Damage((put(token, f"{dice.choice(names)}({token.text})"),))


@_forms
def call_with_two_arguments(document: Document, dice: random.Random) -> Damage:
    """Mongo's ``BinData(0, "…")`` and the like: the list of the arguments."""
    token = choose(dice, _strings(document))
    name = dice.choice(["BinData", "HexData", "DBRef"])
    first = '"a"' if name == "DBRef" else str(dice.randrange(6))
    return Damage(
        (put(token, f"{name}({first}, {token.text})"),),
        (put(token, f"[{first}, {token.text}]"),),
    )
