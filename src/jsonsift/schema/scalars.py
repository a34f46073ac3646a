"""Text read as a number, a truth value, null or one of some choices.

Each reader gives what it read and by which rule, or None.  Two numbers, or two choices
named equally often, are None: a doubt is not settled by a guess.  All patterns run in
time linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from typing import Any, Final, NamedTuple

from .._types import Rule
from .nodes import Choice, ChoiceNode, fold_text, strip_accents

__all__ = [
    "Read",
    "find_exact",
    "read_boolean",
    "read_choice",
    "read_null",
    "read_number",
]


class Read(NamedTuple):
    """What a text was read as, and by which rule."""

    value: Any
    rule: Rule


_MOST_DIGITS: Final = 400  # longer ones are no numbers that anybody wrote
_PLAIN: Final = re.compile(
    r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]{1,3})?\Z"
)
_FRACTION: Final = re.compile(r"([+-]?[0-9]{1,18})\s?[/⁄]\s?([0-9]{1,18})\Z")
_CURRENCY: Final = r"[$¢£¤¥\u20a0-\u20cf]"
_SIGN: Final = r"[+\-−–]"
_GROUP_MARKS: Final = "'’_\u00a0\u202f"
# Digits with the marks that part them; what the marks mean is seen afterwards.
_RUN: Final = re.compile(rf"\.?[0-9](?:[0-9.,{_GROUP_MARKS}]*[0-9])?")
_LEAD: Final = re.compile(rf"({_SIGN}?)(?:[A-Z]{{0,3}}{_CURRENCY}\s?)?({_SIGN}?)\Z")
# Spaces group digits only where nothing but the number stands.
_SPACED: Final = re.compile(
    rf"{_SIGN}?\s?{_CURRENCY}?\s?[1-9][0-9]{{0,2}}(?: [0-9]{{3}})+(?:[.,][0-9]+)?"
    rf"\s?(?:%|{_CURRENCY})?\Z"
)
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+\Z")
_LAKHS: Final = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}\Z")
_DECIMAL_COMMA: Final = re.compile(r"(?:[0-9]+,[0-9]{1,2}|0,[0-9]+)\Z")
_GROUPED: Final = re.compile(
    rf"([1-9][0-9]{{0,2}}([{_GROUP_MARKS}])[0-9]{{3}}(?:\2[0-9]{{3}})*)([.,][0-9]+)?\Z"
)
_TRUE: Final = frozenset({"true", "yes", "y", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "n", "off", "0"})
_TRUTH: Final = re.compile(r"(?<!\w)(?:(true)|false)(?!\w)", re.IGNORECASE)
_NULLS: Final = frozenset({"null", "none", "nil", "na", "undefined"})


# ----------------------------------------------------------------------- numbers


def read_number(text: str) -> Read | None:
    """The one number in the text, as int or Decimal; None if there are two or none.

    ``1,234.5``, ``1'234.5``, ``1 234,5`` and ``12,5`` are numbers; ``1,234`` is a
    thousand and more, as ``1.234`` is one and a bit.  ``1.234,56`` is refused.
    """
    body = text.strip()
    if len(body) <= _MOST_DIGITS:
        if _PLAIN.match(body):
            return Read(_make_number(body), Rule.NUMBER_TEXT)
        fraction = _FRACTION.match(body)
        if fraction:
            return _divide(int(fraction[1]), int(fraction[2]))
        if _SPACED.match(body):
            body = re.sub("(?<=[0-9]) (?=[0-9])", "\u202f", body)
    return _find_number(body)


def _divide(above: int, below: int) -> Read | None:
    if below == 0:
        return None
    number = above // below if above % below == 0 else Decimal(above) / below
    return Read(number, Rule.NUMBER_FORMAT)


def _find_number(text: str) -> Read | None:
    """The only number that stands in a text."""
    run = _RUN.search(text)
    if run is None or _RUN.search(text, run.end()) is not None:
        return None
    start, end = run.span()
    after = text[end : end + 1]
    if end - start > _MOST_DIGITS or after.isalnum() or after == "_":
        return None  # 28558C, 10k
    lead = _LEAD.search(text, max(0, start - 8), start)
    assert lead is not None  # it may be empty
    before = text[max(0, lead.start() - 1) : lead.start()]
    if before.isalnum() or before == "_" or (lead[1] and lead[2]):
        return None  # k1, x-1
    digits = _read_digits(run[0])
    if digits is None:
        return None
    minus = "" if (lead[1] or lead[2]) in ("", "+") else "-"
    rest = text[: lead.start()] + text[end:]
    alone = len(rest) < 8 and not any(map(str.isalnum, rest))
    rule = Rule.NUMBER_FORMAT if alone else Rule.NUMBER_IN_TEXT
    return Read(_make_number(minus + digits), rule)


def _read_digits(run: str) -> str | None:
    """Digits with marks in them as plain digits; None when they cannot be read."""
    grouped = _GROUPED.match(run)
    if grouped:
        return grouped[1].replace(grouped[2], "") + (grouped[3] or "").replace(",", ".")
    if any(mark in run for mark in _GROUP_MARKS) or run.count(".") > 1:
        return None
    whole, dot, part = run.partition(".")
    if "," not in run:
        return run
    if (_THOUSANDS.match(whole) or _LAKHS.match(whole)) and "," not in part:
        return whole.replace(",", "") + dot + part
    if not dot and _DECIMAL_COMMA.match(run):
        return run.replace(",", ".")
    return None


def _make_number(digits: str) -> int | Decimal:
    if set(digits) & set(".eE"):
        return Decimal(digits)
    return int(digits)


# ------------------------------------------------------------- booleans and null


def read_boolean(text: str) -> Read | None:
    """True or false in words; in a sentence the one that is named more often."""
    word = fold_text(text) if len(text) <= 32 else ""
    if word in _TRUE or word in _FALSE:
        return Read(word in _TRUE, Rule.BOOLEAN_TEXT)
    named = Counter(match[1] is not None for match in _TRUTH.finditer(text))
    if named[True] == named[False]:
        return None
    return Read(named[True] > named[False], Rule.BOOLEAN_IN_TEXT)


def read_null(text: str) -> Read | None:
    """Null in the words of some language, and nothing else."""
    if len(text) <= 16 and fold_text(text) in _NULLS:
        return Read(None, Rule.NULL_TEXT)
    return None


# ----------------------------------------------------------------------- choices


def find_exact(value: Any, node: ChoiceNode) -> Choice | None:
    """The choice that the value is: by its alias if it has one, else by equality."""
    for choice in node.choices:
        if choice.aliased:
            if isinstance(value, str) and value in choice.texts:
                return choice
        elif _is_same_scalar(choice.value, value):
            return choice
    return None


def read_choice(text: str, node: ChoiceNode) -> Read | None:
    """The choice that the text is, but for form, or else names most often."""
    choice = node.find_folded(text)
    if choice is not None:
        folded = fold_text(text)
        is_text = any(fold_text(one) == folded for one in choice.texts)
        return Read(choice.value, Rule.CHOICE_FORM if is_text else Rule.CHOICE_NAME)
    return (
        _read_description(text, node)
        or _read_other_kind(text, node)
        or _find_choice(text, node)
    )


def _read_description(text: str, node: ChoiceNode) -> Read | None:
    """The choice whose description the text is."""
    told = [choice for choice in node.choices if choice.description]
    folded = fold_text(text) if told else ""
    fitting = [one for one in told if fold_text(one.description) == folded]
    if len(fitting) != 1 or not folded:
        return None
    return Read(fitting[0].value, Rule.CHOICE_DESCRIPTION)


def _read_other_kind(text: str, node: ChoiceNode) -> Read | None:
    """The number, truth value or null among the choices that the text says."""
    others = [c.value for c in node.choices if not isinstance(c.value, str)]
    if not others:
        return None
    for reader in (read_number, read_boolean, read_null):
        read = reader(text)
        if read is not None:
            for value in others:
                if _is_same_scalar(value, read.value):
                    return Read(value, read.rule)
    return None


def _find_choice(text: str, node: ChoiceNode) -> Read | None:
    """The choice that stands in the text most often, as a word; None on a tie.

    As it is written, if it is written so anywhere, else in any case.
    """
    plain = strip_accents(text)
    if not node.finders or node.finders[-1].search(plain) is None:
        return None
    for finder in node.finders:
        named = Counter(id(node.find_named(m[0])) for m in finder.finditer(plain))
        most = named.most_common(2)
        if not most:
            continue
        if len(most) == 2 and most[0][1] == most[1][1]:
            return None
        for choice in node.choices:
            if id(choice) == most[0][0]:
                return Read(choice.value, Rule.CHOICE_IN_TEXT)
        return None
    return None


def _is_same_scalar(one: Any, other: Any) -> bool:
    """Equal, and truth values to truth values only."""
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)
