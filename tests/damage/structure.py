"""Damage to what holds the data: commas, colons, brackets, keys, space, comments.

Each operator is a function from a document and dice to a ``Damage``; its docstring
says what it does and, where the damaged text could have two readings, how those are
left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from .documents import Document, NoPlace, Token
from .model import (
    Damage,
    Family,
    Operator,
    Splice,
    after,
    before,
    choose,
    drop,
    every,
    put,
    wrap,
)

__all__ = ["LITERALS", "STRUCTURE", "is_name", "operator"]

Function = Callable[[Document, random.Random], Damage]
LITERALS: Final = {"true", "false", "null", "none", "nan", "infinity", "undefined"}
_NAME: Final = re.compile(r'"[A-Za-z_$][\w$]*"', re.ASCII)


def operator(
    family: Family, registry: list[Operator]
) -> Callable[[Function], Function]:
    """Puts the function into the registry, named as it is and told by its docstring."""

    def register(function: Function) -> Function:
        name = function.__name__.strip("_").replace("_", "-")
        meaning = (function.__doc__ or "").partition("\n\n")[0]
        registry.append(Operator(name, family, function, " ".join(meaning.split())))
        return function

    return register


STRUCTURE: Final[list[Operator]] = []
_local = operator(Family.LOCAL, STRUCTURE)
_marks = operator(Family.MARKS, STRUCTURE)
_quotes = operator(Family.QUOTES, STRUCTURE)
_brackets = operator(Family.BRACKETS, STRUCTURE)
_around = operator(Family.AROUND, STRUCTURE)
_alone = operator(Family.ALONE, STRUCTURE)


def is_name(token: Token) -> bool:
    """Whether a string is a word that needs no quotes in JavaScript."""
    return bool(_NAME.fullmatch(token.text)) and token.inner.lower() not in LITERALS


def _last_places(document: Document) -> list[Token]:
    """The closers of all containers that hold something."""
    return [
        token
        for token in document.of("}", "]")
        if document.role(token.number - 1) not in ("{", "[")
    ]


def _is_spaced(document: Document, token: Token) -> bool:
    return document.text[token.end : token.end + 1].isspace()


# -------------------------------------------------------------------------- commas


@_local
def comma_dropped(document: Document, dice: random.Random) -> Damage:
    """A comma is missing; the space or line end after it stays.

    Without space (`1"a"`, `12 34` glued) it would be another number or string, so
    only commas with space after them are dropped.
    """
    commas = (comma for comma in document.of(",") if _is_spaced(document, comma))
    return Damage((drop(choose(dice, commas)),))


@_local
def commas_dropped_at_line_ends(document: Document, dice: random.Random) -> Damage:
    """No line ends in a comma any more."""
    return every(
        drop(comma)
        for comma in document.of(",")
        if document.text[comma.end : comma.end + 1] == "\n"
    )


@_local
def comma_doubled(document: Document, dice: random.Random) -> Damage:
    """Two commas, or a comma, a space and a comma."""
    extra = dice.choice([",", " ,", ",,", "\n,"])
    return Damage((after(choose(dice, document.of(",")), extra),))


@_local
def comma_trailing(document: Document, dice: random.Random) -> Damage:
    """A comma after the last item or member of one container."""
    closer = choose(dice, _last_places(document))
    last = document.tokens[closer.number - 1]
    return Damage((dice.choice([before(closer, ","), after(last, ",")]),))


@_marks
def commas_trailing_everywhere(document: Document, dice: random.Random) -> Damage:
    """A comma after the last item or member of every container."""
    return every(before(closer, ",") for closer in _last_places(document))


@_local
def comma_leading(document: Document, dice: random.Random) -> Damage:
    """A comma before the first item or member."""
    opener = choose(dice, document.of("{", "["))
    if document.role(opener.number + 1) in ("}", "]"):
        raise NoPlace
    return Damage((after(opener, dice.choice([",", ", ", "\n,"])),))


@_local
def comma_is_semicolon(document: Document, dice: random.Random) -> Damage:
    """A semicolon in place of a comma."""
    return Damage((put(choose(dice, document.of(",")), ";"),))


# ---------------------------------------------------------------------------- keys


def _bare_keys(document: Document) -> list[Token]:
    return [key for key in document.of("key") if is_name(key)]


@_local
def key_bare(document: Document, dice: random.Random) -> Damage:
    """A key without quotes that is a name in JavaScript."""
    key = choose(dice, _bare_keys(document))
    return Damage((put(key, key.inner),))


@_marks
def keys_bare(document: Document, dice: random.Random) -> Damage:
    """No key that is a name in JavaScript has quotes."""
    return every(put(key, key.inner) for key in _bare_keys(document))


@_local
def key_bare_with_hyphen(document: Document, dice: random.Random) -> Damage:
    """A key of letters, digits and hyphens without quotes."""
    keys = [
        key
        for key in document.of("key")
        if re.fullmatch(r"[A-Za-z_][\w-]*", key.inner) and not is_name(key)
    ]
    key = choose(dice, keys)
    return Damage((put(key, key.inner),))


@_local
def key_bare_of_two_words(document: Document, dice: random.Random) -> Damage:
    """A key of two words without quotes."""
    keys = [key for key in document.of("key") if re.fullmatch(r"\w+ \w+", key.inner)]
    key = choose(dice, keys)
    return Damage((put(key, key.inner),))


@_local
def key_in_single_quotes(document: Document, dice: random.Random) -> Damage:
    """One key in single quotes."""
    key = choose(dice, document.of("key"))
    return Damage((put(key, f"'{key.inner}'"),))


# -------------------------------------------------------------------------- colons


@_brackets
def colon_dropped(document: Document, dice: random.Random) -> Damage:
    """A colon is missing; a space is left between key and value."""
    colon = choose(dice, document.of(":"))
    return Damage((put(colon, "" if _is_spaced(document, colon) else " "),))


@_local
def colon_is_equals(document: Document, dice: random.Random) -> Damage:
    """``=``, ``=>`` or ``->`` in place of a colon."""
    return Damage(
        (put(choose(dice, document.of(":")), dice.choice(["=", " =>", " ->"])),)
    )


@_local
def colon_doubled(document: Document, dice: random.Random) -> Damage:
    """Two colons."""
    return Damage((after(choose(dice, document.of(":")), dice.choice([":", " :"])),))


@_local
def value_missing(document: Document, dice: random.Random) -> Damage:
    """Nothing stands between colon and comma or closer: null is the right answer."""
    values = [
        token
        for token in document.of("string", "scalar")
        if document.role(token.number - 1) == ":"
    ]
    value = choose(dice, values)
    return Damage((drop(value),), (put(value, "null"),))


# ------------------------------------------------------------------------ brackets


@_brackets
def closers_dropped_at_end(document: Document, dice: random.Random) -> Damage:
    """The last closers are missing, from one to all."""
    closers = []
    for token in reversed(document.tokens):
        if token.role not in ("}", "]"):
            break
        closers.append(token)
    return Damage(tuple(map(drop, closers[: dice.randrange(1, len(closers) + 1)])))


@_brackets
def bracket_dropped_before_brace(document: Document, dice: random.Random) -> Damage:
    """The ``]`` of ``]}`` is missing."""
    places = (
        token for token in document.of("]") if document.are(token.number, "]", "}")
    )
    return Damage((drop(choose(dice, places)),))


@_brackets
def brace_dropped_before_bracket(document: Document, dice: random.Random) -> Damage:
    """The ``}`` of ``}]`` is missing."""
    places = (
        token for token in document.of("}") if document.are(token.number, "}", "]")
    )
    return Damage((drop(choose(dice, places)),))


@_brackets
def brace_dropped_between_items(document: Document, dice: random.Random) -> Damage:
    """The ``}`` of ``}, {`` is missing."""
    places = (
        token for token in document.of("}") if document.are(token.number, "}", ",", "{")
    )
    return Damage((drop(choose(dice, places)),))


@_brackets
def bracket_dropped_before_key(document: Document, dice: random.Random) -> Damage:
    """The ``]`` of ``], "key":`` is missing.

    Not where the last item is an object: a key after it could go on with that one.
    Not where the array is empty: ``["key": 1`` could be an array of one member.
    """
    places = (
        token
        for token in document.of("]")
        if document.are(token.number, "]", ",", "key")
        and document.role(token.number - 1) in ("string", "scalar", "]")
    )
    return Damage((drop(choose(dice, places)),))


@_alone
def brace_opener_dropped_at_root(document: Document, dice: random.Random) -> Damage:
    """The brace that the text starts with is missing; the one it ends with stays."""
    if not document.are(0, "{", "key"):
        raise NoPlace
    return Damage((Splice(0, document.tokens[1].start, ""),))


@_brackets
def bracket_opener_dropped_at_root(document: Document, dice: random.Random) -> Damage:
    """The bracket before two objects or more is missing, and that after them stays."""
    if not document.are(0, "[", "{") or len(document.value) < 2:
        raise NoPlace
    return Damage((Splice(0, document.tokens[1].start, ""),))


@_alone
def braces_missing_at_root(document: Document, dice: random.Random) -> Damage:
    """Members stand there with no braces around them."""
    if not document.are(0, "{", "key"):
        raise NoPlace
    last = document.tokens[-1]
    start = Splice(0, document.tokens[1].start, "")
    return Damage((start, Splice(document.tokens[-2].end, last.end, "")))


@_brackets
def brace_opener_dropped_after_colon(document: Document, dice: random.Random) -> Damage:
    """The ``{`` of ``"key": {"key":`` is missing, and its closer stays."""
    places = (
        token
        for token in document.of("{")
        if document.are(token.number - 1, ":", "{", "key")
    )
    return Damage((drop(choose(dice, places)),))


@_brackets
def bracket_opener_dropped_after_colon(
    document: Document, dice: random.Random
) -> Damage:
    """The ``[`` before two strings or objects and more is missing, its closer stays."""
    places = []
    for token in document.of("["):
        closer = document.tokens[document.closer(token.number)]
        several = any(one.role == "," for one in document.members(token.number))
        same = document.role(token.number + 1) in ("{", "string")
        if several and same and document.are(token.number - 1, ":") and closer:
            places.append(token)
    return Damage((drop(choose(dice, places)),))


@_brackets
def brace_opener_dropped_between_items(
    document: Document, dice: random.Random
) -> Damage:
    """The ``{`` of ``}, {"key":`` is missing, and its closer stays.

    Only where the object before has the same key: else that one could go on, and have
    been closed too early.
    """
    places = []
    for token in document.of("{"):
        if document.are(token.number - 2, "}", ",", "{", "key"):
            opener = document.tokens[token.number - 2].opener
            key = document.tokens[token.number + 1].text
            if key in (one.text for one in document.members(opener)):
                places.append(token)
    return Damage((drop(choose(dice, places)),))


@_brackets
def closer_swapped(document: Document, dice: random.Random) -> Damage:
    """A closer of the other kind.

    The number of closers tells: as that of an outer container it would leave one over.
    Not where only closers follow: closing the outer one there could be meant.
    """
    closer = choose(dice, document.of("}", "]"))
    follow = document.role(closer.number + 1)
    if follow in ("}", "]"):
        raise NoPlace
    return Damage((put(closer, "]" if closer.text == "}" else "}"),))


@_brackets
def closers_surplus_at_end(document: Document, dice: random.Random) -> Damage:
    """One or two closers too many, after the value."""
    extra = dice.choice(["}", "]", "}}", "]}", "}\n}", "\n]", "]]"])
    return Damage((after(document.tokens[-1], extra),))


@_brackets
def closer_doubled(document: Document, dice: random.Random) -> Damage:
    """A closer twice, in the middle, where it can close nothing around it."""
    places = []
    for token in document.of("}", "]"):
        outer = document.outer(token.opener)
        if outer >= 0 and not _is_within(document, outer, token.role):
            places.append(token)
    return Damage((after(closer := choose(dice, places), closer.text),))


def _is_within(document: Document, opener: int, closer: str) -> bool:
    """Whether ``closer`` would close the container at ``opener``, or one around it."""
    while opener >= 0:
        if document.role(opener) == ("{" if closer == "}" else "["):
            return True
        opener = document.outer(opener)
    return False


@_brackets
def root_closed_too_early(document: Document, dice: random.Random) -> Damage:
    """A brace before a comma of the root object, which goes on all the same."""
    if document.role(0) != "{":
        raise NoPlace
    commas = (token for token in document.members(0) if token.role == ",")
    return Damage((before(choose(dice, commas), "}"),))


@_brackets
def object_doubled(document: Document, dice: random.Random) -> Damage:
    """Two braces on either side of an object, as in a template."""
    places = [
        (token, document.tokens[document.closer(token.number)])
        for token in document.of("{")
        if document.role(token.number + 1) == "key"
    ]
    opener, closer = choose(dice, places)
    return Damage((before(opener, "{"), after(closer, "}")))


@_marks
def braces_doubled(document: Document, dice: random.Random) -> Damage:
    """Every brace twice, as a template that was never filled in has them."""
    doubled = {"{": "{{", "}": "}}"}
    return every(put(token, doubled[token.text]) for token in document.of("{", "}"))


@_brackets
def brace_opener_dropped_of_first_item(
    document: Document, dice: random.Random
) -> Damage:
    """The ``{`` of ``[{"key":`` is missing, and its closer stays."""
    places = (
        token
        for token in document.of("{")
        if document.are(token.number - 1, "[", "{", "key")
    )
    return Damage((drop(choose(dice, places)),))


# --------------------------------------------------------------------- stray things


@_local
def ellipsis_at_end(document: Document, dice: random.Random) -> Damage:
    """An ellipsis after the last item or member."""
    mark = dice.choice([", ...", ", …", ",\n...", ", ...,"])
    return Damage((after(_last_thing(document, dice), mark),))


def _last_thing(document: Document, dice: random.Random) -> Token:
    return document.tokens[choose(dice, _last_places(document)).number - 1]


@_local
def ellipsis_between(document: Document, dice: random.Random) -> Damage:
    """An ellipsis and a comma after a comma."""
    mark = dice.choice([" ...,", "…,", "\n...,\n"])
    return Damage((after(choose(dice, document.of(",")), mark),))


@_quotes
def stray_word_before_key(document: Document, dice: random.Random) -> Damage:
    """A word in capitals between a comma and a key in quotes."""
    keys = (key for key in document.of("key") if document.are(key.number - 1, ","))
    word = dice.choice(["NOTE ", "and ", "TODO ", "- ", "* "])
    return Damage((before(choose(dice, keys), word),))


@_quotes
def stray_sentence_between_members(document: Document, dice: random.Random) -> Damage:
    """A line of prose between two members."""
    keys = (key for key in document.of("key") if document.are(key.number - 1, ","))
    line = dice.choice(["\nNow the next part follows.\n", "\nand so on\n"])
    return Damage((before(choose(dice, keys), line),))


@_local
def stray_word_before_item(document: Document, dice: random.Random) -> Damage:
    """A word between a comma and an object in an array."""
    places = (
        token for token in document.of("{") if document.are(token.number - 1, ",", "{")
    )
    return Damage((before(choose(dice, places), dice.choice(["then ", "and ", "- "])),))


# ------------------------------------------------------------------------- comments

_COMMENTS: Final = {
    "line": (" // note, \"x\": 1\n", "// it's so\n", "\n// [1, 2]\n", "//\n"),
    "hash": (" # hm\n", " # say \"x\": {\n", "\n# a, b\n"),
    "block": (" /* a, b */ ", "/* \"x\": 1 */", "/**/", "\n/* two\nlines } */\n"),
    "html": (" <!-- a, b --> ", "<!-- \"x\": {} -->"),
}  # fmt: skip


def _comment(document: Document, dice: random.Random, kind: str) -> Damage:
    place = choose(dice, document.tokens[:-1])
    return Damage((after(place, dice.choice(_COMMENTS[kind])),))


@_local
def comment_line(document: Document, dice: random.Random) -> Damage:
    """A ``//`` comment anywhere between two tokens."""
    return _comment(document, dice, "line")


@_local
def comment_hash(document: Document, dice: random.Random) -> Damage:
    """A ``#`` comment anywhere between two tokens."""
    return _comment(document, dice, "hash")


@_local
def comment_block(document: Document, dice: random.Random) -> Damage:
    """A ``/* */`` comment anywhere between two tokens."""
    return _comment(document, dice, "block")


@_local
def comment_html(document: Document, dice: random.Random) -> Damage:
    """A ``<!-- -->`` comment anywhere between two tokens."""
    return _comment(document, dice, "html")


@_marks
def comments_everywhere(document: Document, dice: random.Random) -> Damage:
    """A comment after every comma and opener, mixed kinds."""
    kinds = [text for texts in _COMMENTS.values() for text in texts]
    return every(
        after(token, dice.choice(kinds)) for token in document.of(",", "{", "[")
    )


@_around
def comment_after_value(document: Document, dice: random.Random) -> Damage:
    """A comment behind the last closer."""
    text = dice.choice([" // that is all", "\n# end", " /* done */", "\n<!-- end -->"])
    return wrap(document, "", text)


@_around
def comment_before_value(document: Document, dice: random.Random) -> Damage:
    """A comment before the first opener."""
    text = dice.choice(["// the data\n", "# data\n", "/* data */ ", "<!-- data -->\n"])
    return wrap(document, text, "")


# ---------------------------------------------------------------- notation of marks

_WIDE: Final = dict(zip("{}[]:,", "｛｝［］：，", strict=True))
_ODD_SPACES: Final = (
    "\u00a0",
    "\u200b",
    "\u3000",
    "\ufeff",
    "\u2009",
    "\u2028",
    "\u2060",
)


@_marks
def full_width_structure(document: Document, dice: random.Random) -> Damage:
    """Half of the marks are full-width ones."""
    marks = [token for token in document.of(*_WIDE) if dice.random() < 0.5]
    return every(put(token, _WIDE[token.text]) for token in marks)


@_local
def full_width_mark(document: Document, dice: random.Random) -> Damage:
    """One full-width mark."""
    token = choose(dice, document.of(*_WIDE))
    return Damage((put(token, _WIDE[token.text]),))


@_local
def ideographic_comma(document: Document, dice: random.Random) -> Damage:
    """``、`` in place of a comma."""
    return Damage((put(choose(dice, document.of(",")), "、"),))


@_marks
def odd_spaces(document: Document, dice: random.Random) -> Damage:
    """White space or invisible characters that JSON does not know between tokens."""
    places = [token for token in document.tokens if dice.random() < 0.3]
    return every(before(token, dice.choice(_ODD_SPACES)) for token in places)


@_marks
def indented_with_nbsp(document: Document, dice: random.Random) -> Damage:
    """Every run of spaces between tokens is one of no-break spaces."""
    return every(
        Splice(one.end, other.start, gap.replace(" ", "\u00a0"))
        for one, other in zip(document.tokens, document.tokens[1:], strict=False)
        if " " in (gap := document.text[one.end : other.start])
    )
