"""Many streams: how often anything shown is taken back, or cutting changes the answer.

    python -m tests.stream_trials --documents 80          # that many an operator
    python -m tests.stream_trials --cuts 200 --every 1    # all splits, and so many more

A text of more than some thousand characters is split at random places only.

``tests/test_stream.py`` runs a few of each in the suite.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import Final

from .damage.operators import OPERATORS
from .damage.trials import draw_cases
from .stream_cases import (
    REWRITERS,
    Expected,
    assert_streams,
    cut_at_random,
    list_corpus,
    list_peer_inputs,
    use_rewriter,
)

# Characters that are fed for each text, at the most: a long one is not cut everywhere.
MOST: Final = 1_000_000


def try_documents(count: int, seed: int) -> None:
    """Damaged documents in random pieces: how often is something taken back?

    And how often still, if strings are shown when they are whole, and reasoning that
    is only closed is opened before.
    """
    tried = 0
    taken_back: Counter[str] = Counter()
    still: Counter[str] = Counter()
    for name, operator in OPERATORS.items():
        for number, case in enumerate(draw_cases(operator, count, seed)):
            tried += 1
            pieces = cut_at_random(case.text, random.Random(number))
            try:
                assert_streams(case.text, pieces)
            except AssertionError:
                taken_back[name] += 1
            else:
                continue
            opener = "<think>" * (name == "reasoning-unopened")
            try:
                assert_streams(
                    opener + case.text, [opener, *pieces], partial_strings=False
                )
            except AssertionError:
                still[name] += 1
    print(f"{tried} documents, taken back in {sum(taken_back.values())}:")
    for name, times in taken_back.most_common():
        print(f"  {times:4} {name}, still {still[name]} if that is withheld")


def try_cuts(randoms: int, every: int, builds: list[str]) -> None:
    """Every corpus and peer text: each split in two, one by one, and at random."""
    texts = [text for text in list_corpus() + list_peer_inputs() if text][::every]
    for build in builds:
        streams = other = 0
        with use_rewriter(build):
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
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--builds", nargs="*", choices=REWRITERS, default=[*REWRITERS])
    options = parser.parse_args()
    if options.documents:
        try_documents(options.documents, options.seed)
    if options.cuts:
        try_cuts(options.cuts, options.every, options.builds)


if __name__ == "__main__":
    main()
