"""Many streams: how often anything shown is taken back, or cutting changes the answer.

    python -m tests.stream_trials --documents 3000        # that many of each kind
    python -m tests.stream_trials --cuts 200 --every 1    # all splits, and so many more

A text of more than some thousand characters is split at random places only.

``tests/test_stream.py`` runs a few of each in the suite.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Final

from jsonsift.stream import PartialStrings

from .damage.documents import make_hard, make_ordinary
from .damage.model import make_case
from .damage.operators import OPERATORS
from .damage.trials import draw_cases, draw_pairs
from .every_way import REWRITERS, use_build
from .stream_cases import (
    Expected,
    TakenBackError,
    assert_streams,
    cut_at_random,
    list_corpus,
    list_peer_inputs,
)

# Characters that are fed for each text, at the most: a long one is not cut everywhere.
MOST: Final = 1_000_000


def draw_valid(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Valid documents, ordinary and hard ones, in prose or a fence or by themselves."""
    for number in range(count):
        dice = random.Random(f"{seed}/valid/{number}")
        document = dice.choice((make_ordinary, make_hard))(dice)
        name = dice.choice(("", "prose-before", "prose-around", "fence-json"))
        text = document.text
        if name:
            text = make_case(document, OPERATORS[name].damage(document, dice)).text
        yield name or "bare", text


def draw_damaged(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ordinary documents with one damage: of each operator the same number."""
    each = -(-count // len(OPERATORS))
    for name, operator in OPERATORS.items():
        for case in draw_cases(operator, each, seed):
            yield name, case.text


def draw_damaged_twice(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ordinary documents with two damages."""
    for name, case in draw_pairs(count, seed):
        yield name, case.text


def draw_mistyped(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ordinary documents with one character gone, doubled, or another's neighbour."""
    for number in range(count):
        dice = random.Random(f"{seed}/mistyped/{number}")
        text = make_ordinary(dice).text
        at = dice.randrange(len(text))
        way = dice.choice(("gone", "doubled", "swapped", "moved"))
        char, rest = text[at], text[:at] + text[at + 1 :]
        to = {"gone": len(rest), "swapped": at + 1}.get(way, dice.randrange(len(text)))
        if way == "gone":
            text = rest
        elif way == "doubled":
            text = text[:at] + char + text[at:]
        else:
            text = rest[:to] + char + rest[to:]
        yield f"{char!r} {way}", text


KINDS: Final = (draw_valid, draw_damaged, draw_damaged_twice, draw_mistyped)


def try_documents(count: int, seed: int, builds: list[str], *, tell: bool) -> None:
    """Random documents in random pieces: how often is something taken back?

    And how often still with ``partial_strings="long"``, which shows no key as a value?
    """
    for build in builds:
        for draw in KINDS:
            tried = 0
            taken_back: Counter[str] = Counter()
            still: Counter[str] = Counter()
            with use_build(build):
                for number, (name, text) in enumerate(draw(count, seed)):
                    tried += 1
                    pieces = cut_at_random(text, random.Random(f"{seed}/{number}"))
                    told = find_taken_back(text, pieces)
                    if told:
                        taken_back[name] += 1
                        withheld = find_taken_back(text, pieces, partial_strings="long")
                        still[name] += bool(withheld)
                        if tell:
                            print(f"  {name}: {text!r}\n    {told}")
            print(
                f"{build}, {draw.__name__.removeprefix('draw_')}: {tried} documents, "
                f"{taken_back.total()} take something back, {still.total()} of them "
                'with partial_strings="long"'
            )
            for name, times in taken_back.most_common():
                print(f"  {times:4} {name}, still {still[name]}")


def find_taken_back(
    text: str, pieces: list[str], *, partial_strings: PartialStrings = True
) -> str:
    """What a stream of the pieces took back; empty if nothing."""
    try:
        assert_streams(text, pieces, partial_strings=partial_strings)
    except TakenBackError as error:
        return str(error)
    return ""


def try_cuts(randoms: int, every: int, builds: list[str]) -> None:
    """Every corpus and peer text: each split in two, one by one, and at random."""
    texts = [text for text in list_corpus() + list_peer_inputs() if text][::every]
    for build in builds:
        streams = other = 0
        with use_build(build):
            for number, text in enumerate(texts):
                dice = random.Random(number)
                expected = Expected(text)
                most = MOST // len(text) + 1
                places = dice.sample(range(len(text)), min(most, len(text)))
                ways = [[text[:at], text[at:]] for at in places]
                ways.append(list(text))
                ways += [cut_at_random(text, dice) for _ in range(min(most, randoms))]
                streams += len(ways)
                other += sum(not expected.is_reached(way) for way in ways)
        print(f"{build}: {len(texts)} texts, {streams} streams, {other} end otherwise")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tell", action="store_true", help="print what is taken back")
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--builds", nargs="*", choices=REWRITERS, default=[*REWRITERS])
    options = parser.parse_args()
    if options.documents:
        tell = options.tell
        try_documents(options.documents, options.seed, options.builds, tell=tell)
    if options.cuts:
        try_cuts(options.cuts, options.every, options.builds)


if __name__ == "__main__":
    main()
