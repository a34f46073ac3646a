"""Can a pattern of the package be made slow?

By rule: a pattern may not hold unbounded repeats inside one another or side by side
unless the engine is forbidden to give back what they took (possessive or atomic).
By attack: what each pattern is made of drives the texts that are thrown at it, prefix,
pumped part and an ending that does not fit, and time must grow as the length does.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

import regex

from jsonsift.linear import Family, NotLinearError, assert_linear

from .patterns import Site, find_patterns
from .report import clock
from .screen import time_once

__all__ = ["attack", "find_unsafe_repeats", "list_families", "parse", "run"]

_SCREEN: Final = 8_192
_QUICK: Final = 1e-7  # seconds a character
_SIZES: Final = (256, 1_024, 4_096, 16_384, 65_536)
_LONGEST: Final = 2_000  # characters of a prefix or unit
_BREAKS: Final = ("", "\x00", "!\n")
_MANY: Final = 8
_GREEDY: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_LOOKS: Final = (sre.ASSERT, sre.ASSERT_NOT)
_REPEATS: Final = (*_GREEDY, sre.POSSESSIVE_REPEAT)
_PROPERTY: Final = re.compile(r"\\[pP]\{[^{}]*\}")
_VERB: Final = re.compile(r"\(\*[A-Z]+\)")

Items = Any  # a sequence of (operator, argument), as the parser gives it


def parse(pattern: str, flags: int = 0) -> Items:
    """The pattern's parts; Unicode properties count as a letter, verbs as nothing."""
    plain = _VERB.sub("", _PROPERTY.sub("a", pattern))
    keep = flags & (re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _parser.parse(plain, keep)


def _children(operator: Any, argument: Any) -> list[Items]:
    """The sequences inside one item."""
    if operator in _REPEATS:
        return [argument[2]]
    if operator is sre.BRANCH:
        return list(argument[1])
    if operator is sre.SUBPATTERN:
        return [argument[3]]
    if operator is sre.ATOMIC_GROUP:
        return [argument]
    if operator in _LOOKS:
        return [argument[1]]
    return []


# ------------------------------------------------------------------------- the rule


def find_unsafe_repeats(items: Items) -> list[str]:
    """Which kinds of unsafe repeats the pattern holds: nested, adjacent."""
    return _judge_items(items, inside=False, is_open=False)[0]


def _judge_items(
    items: Items, *, inside: bool, is_open: bool
) -> tuple[list[str], bool]:
    """The unsafe repeats of the items, and whether they end open.

    They are ``inside`` an unbounded repeat; ``is_open`` where one can still give back
    what it took, with nothing required since.
    """
    found: list[str] = []
    for operator, argument in items:
        unbounded = operator in _GREEDY and argument[1] is sre.MAXREPEAT
        if unbounded and inside:
            found.append("nested")
        if unbounded and is_open:
            found.append("adjacent")
        if operator in (sre.POSSESSIVE_REPEAT, sre.ATOMIC_GROUP, *_LOOKS):
            for child in _children(operator, argument):  # it gives nothing back
                found += _judge_items(child, inside=False, is_open=False)[0]
            ends_open = False
        else:
            more, ends_open = _judge_children(
                operator, argument, inside=inside or unbounded, is_open=is_open
            )
            found += more
        if unbounded or ends_open:
            is_open = True
        elif operator not in (*_LOOKS, sre.AT) and _width(operator, argument):
            is_open = False
    return found, is_open


def _judge_children(
    operator: Any, argument: Any, *, inside: bool, is_open: bool
) -> tuple[list[str], bool]:
    """The same of what stands in one item, of which any may come to its end."""
    found: list[str] = []
    any_open = False
    for child in _children(operator, argument):
        more, ends_open = _judge_items(child, inside=inside, is_open=is_open)
        if ends_open and operator in _GREEDY and 1 < argument[1] < sre.MAXREPEAT:
            # its next round stands behind this one; of more it is nested
            more += _judge_items(child, inside=inside, is_open=True)[0]
        found += more
        any_open = any_open or ends_open
    return found, any_open


def _width(operator: Any, argument: Any) -> int:
    """The fewest characters that the item takes."""
    if operator in _REPEATS:
        return int(argument[0]) * int(argument[2].getwidth()[0])
    children = _children(operator, argument)
    if children:
        return min(int(child.getwidth()[0]) for child in children)
    return 1


# ------------------------------------------------------------------- attack strings


def _sample(items: Items, dice: random.Random, many: int = 1) -> str:
    """A text that the items could match; repeats run ``many`` times at most."""
    return "".join(
        _sample_item(operator, argument, dice, many) for operator, argument in items
    )


def _sample_item(operator: Any, argument: Any, dice: random.Random, many: int) -> str:
    if operator is sre.LITERAL:
        return chr(argument)
    if operator is sre.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if operator is sre.ANY:
        return dice.choice('a"{')
    if operator is sre.IN:
        return _sample_class(argument, dice)
    if operator in _REPEATS:
        least, most, body = argument
        times = max(int(least), min(int(most), many))
        return "".join(_sample(body, dice, many) for _ in range(times))
    if operator in (*_LOOKS, sre.AT):
        return ""
    children = _children(operator, argument)
    return _sample(dice.choice(children), dice, many) if children else ""


# Each with its letter in a pattern, and a character of it.
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: (r"\d", "7"),
    sre.CATEGORY_NOT_DIGIT: (r"\D", "a"),
    sre.CATEGORY_SPACE: (r"\s", " "),
    sre.CATEGORY_NOT_SPACE: (r"\S", "a"),
    sre.CATEGORY_WORD: (r"\w", "a"),
    sre.CATEGORY_NOT_WORD: (r"\W", "-"),
}


def _sample_class(parts: Any, dice: random.Random) -> str:
    if parts[0][0] is sre.NEGATE:
        banned = re.compile(_to_class(parts[1:]))
        fits = [ch for ch in 'a7 -"{[\n`<' if not banned.match(ch)]
        return dice.choice(fits or ["\u03a9"])
    operator, argument = dice.choice(list(parts))
    if operator is sre.RANGE:
        return chr(dice.randint(*argument))
    if operator is sre.CATEGORY:
        return _CATEGORIES[argument][1]
    return chr(argument)


def _to_class(parts: Any) -> str:
    pieces = []
    for operator, argument in parts:
        if operator is sre.RANGE:
            low, high = (re.escape(chr(code)) for code in argument)
            pieces.append(f"{low}-{high}")
        elif operator is sre.CATEGORY:
            pieces.append(_CATEGORIES[argument][0])
        else:
            pieces.append(re.escape(chr(argument)))
    return f"[{''.join(pieces)}]"


def list_families(items: Items, dice: random.Random) -> Iterator[Family]:
    """Texts that could hurt: each repeat pumped, each beginning over and over."""
    units: set[tuple[str, str]] = set()
    for prefix, unit in _pump(items, "", dice):
        units.add((prefix[-_LONGEST:], unit[:_LONGEST]))
    for end in range(1, len(items) + 1):
        for many in (1, _MANY):
            units.add(("", _sample(items[:end], dice, many)[:_LONGEST]))
    for prefix, unit in sorted(units):
        for suffix in _BREAKS:
            if unit:
                yield Family(prefix, unit, suffix)


def _pump(items: Items, before: str, dice: random.Random) -> Iterator[tuple[str, str]]:
    for operator, argument in items:
        if operator in _REPEATS and int(argument[1]) >= _MANY:
            for _ in range(3):
                yield before, _sample(argument[2], dice)
        for child in _children(operator, argument):
            yield from _pump(child, before, dice)
        before += _sample_item(operator, argument, dice, 1)


# ----------------------------------------------------------------------- the attack


def _make_call(site: Site, mode: str, limit: float) -> Callable[[str], Any]:
    """The pattern used in one way; regex's own timeout bounds each try."""
    if site.engine == "re":
        plain = re.compile(site.pattern, site.flags & ~re.DEBUG)
        if mode == "all":
            return lambda text: sum(1 for _ in plain.finditer(text))
        return getattr(plain, mode)  # type: ignore[no-any-return]
    rich = regex.compile(site.pattern, site.flags)
    if mode == "all":
        return lambda text: sum(1 for _ in rich.finditer(text, timeout=limit))
    method = getattr(rich, mode)
    return lambda text: method(text, timeout=limit)


def attack(site: Site, seed: int, limit: float = 1.0) -> str:
    """The first text on which the pattern is not linear, with its table; or empty."""
    items = parse(site.pattern, site.flags)
    dice = random.Random(f"{seed} {site.pattern}")
    for family in list_families(items, dice):
        for mode in site.modes:
            call = _make_call(site, mode, 2 * limit)
            try:
                text = family.build(_SCREEN)
                if time_once(call, text, limit, (TimeoutError,)) < _QUICK * len(text):
                    continue  # no text this long is quick by chance
                assert_linear(call, [family], sizes=_SIZES, step_sizes=(), limit=limit)
            except NotLinearError as error:
                return f"{mode}: {error}"
            except TimeoutError:
                return f"{mode} does not end within {2 * limit:g} s on {family!r}"
    return ""


def run(seconds: float, seed: int) -> tuple[list[dict[str, Any]], bool]:
    """Judge and attack all patterns; print what was wrong with any."""
    sites, unreached = find_patterns()
    rows = []
    with clock(seconds, "redos") as running:
        for site in sites:
            broken = find_unsafe_repeats(parse(site.pattern, site.flags))
            slow = attack(site, seed) if running.runs(str(site)) else "not attacked"
            rows.append({"site": str(site), "pattern": site.pattern,
                         "rule": sorted(set(broken)), "attack": slow})  # fmt: skip
    bad = [row for row in rows if row["rule"] or row["attack"]]
    for row in bad:
        print(f"{row['site']}: {', '.join(row['rule'])}\n  {row['pattern']!r}")
        print(f"  {row['attack']}\n")
    for place in unreached:
        print(f"{place}: an engine is called here, and no text reached it")
    print(f"{len(rows)} patterns, {len(bad)} unsafe, {len(unreached)} not reached")
    return rows, not bad and not unreached
