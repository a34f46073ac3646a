"""The short way through small pieces shows just what the careful steps show."""

from __future__ import annotations

import contextlib
import random
from typing import Any, Final

import pytest

from jsonsift import Edit, JSONSiftError, Stream, _tokens
from jsonsift.stream import PartialStrings

from .damage.operators import OPERATORS
from .damage.trials import draw_cases
from .every_way import REWRITERS, use_build
from .stream_cases import cut_at_random, list_corpus

UNSURE: Final = 0
LITERALS: Final = ("NaN", "Infinity", "-Infinity")


def list_texts(every: int, documents: int) -> list[str]:
    texts = [text for text in list_corpus()[::every] if 0 < len(text) < 1_000]
    for operator in OPERATORS.values():
        texts += [case.text for case in draw_cases(operator, documents, seed=9)]
    return texts


def show(
    pieces: list[str], *, events: bool = False, strings: PartialStrings = True
) -> list[Any]:
    """All that a stream tells after each piece; of the repairs those at the end, since
    the short way may tell of one a piece later.
    """
    stream = Stream(events=events, partial_strings=strings)
    told: list[Any] = []
    for piece in pieces:
        assert stream.feed(piece) is stream.value
        changes = stream.take_events() if events else []
        told.append((changes, stream.complete, stream.snapshot()))
    return [*told, stream.edits]


def find_untold(told: tuple[Edit, ...], later: tuple[Edit, ...]) -> list[Edit]:
    """What was told of repairs and is no more; what is left out may have grown."""
    known = set(later)
    return [
        edit
        for edit in told
        if edit not in known
        and not any(
            one.kind is edit.kind
            and one.start <= edit.start <= edit.end <= one.end
            and one.replacement == edit.replacement == ""
            for one in later
        )
    ]


def add_only(mender: Any, more: str) -> bool:
    """Take none of the text that was added."""
    mender._add_text(more)
    return False


def list_ways(texts: list[str]) -> list[tuple[list[str], bool]]:
    """Pieces of each text, and whether events are to tell of them."""
    return [
        (pieces, events)
        for number, text in enumerate(texts)
        for pieces, events in (
            (list(text), number % 3 == 0),
            (cut_at_random(text, random.Random(number)), number % 3 == 1),
        )
    ]


def assert_shown_alike(
    ways: list[tuple[list[str], bool]], strings: PartialStrings = True
) -> None:
    """Each text shows the same, piece by piece, with the short way and without."""
    live: Any = REWRITERS["pure"].LiveMender
    with use_build("pure"), pytest.MonkeyPatch.context() as patch:
        short = [
            show(pieces, events=events, strings=strings) for pieces, events in ways
        ]
        patch.setattr(live, "_take_pieces", lambda _: UNSURE)
        patch.setattr(_tokens, "take_piece", add_only)
        for (pieces, events), told in zip(ways, short, strict=True):
            careful = show(pieces, events=events, strings=strings)
            assert repr(told) == repr(careful), pieces


def test_the_short_way_shows_what_the_careful_steps_show() -> None:
    """A value would show later than it could, or as another."""
    assert_shown_alike(list_ways(list_texts(every=3, documents=1)))


def test_the_short_way_waits_for_keys_as_the_careful_steps_do() -> None:
    """A string that may be a key would show in one build only."""
    assert_shown_alike(list_ways(list_texts(every=9, documents=1)), "long")


@pytest.mark.parametrize("build", REWRITERS)
def test_a_repair_that_was_told_stays(build: str) -> None:
    """Who draws repairs as they come would have drawn some that never were."""
    told = 0
    with use_build(build):
        for pieces, events in list_ways(list_texts(every=3, documents=1)):
            stream = Stream(events=events)
            before: tuple[Edit, ...] = ()
            for piece in pieces:
                stream.feed(piece)
                edits = stream.edits
                assert not find_untold(before, edits), (pieces, before, edits)
                told += len(edits) > len(before)
                before = edits
            with contextlib.suppress(JSONSiftError):
                edits = stream.close().edits
                # what json.loads reads is no repair where there is no other
                before = tuple(one for one in before if one.replacement not in LITERALS)
                assert not find_untold(before, edits), (pieces, before, edits)
    assert told > 500


def test_a_quote_that_cannot_close_shows_at_once() -> None:
    """The short way would wait for what follows it."""
    for pieces in (
        ['["a', ' "b"::', '"}'],
        ['["a', ' "b"', '"} }\n', "::", "]"],
        ['{"a": "b', 'b":,-', '"]', ' -]"', "]"],
    ):
        assert_shown_alike([(pieces, False), (pieces, True)])


def test_a_number_shows_when_what_follows_its_comma_is_known() -> None:
    """With a digit behind the comma it may be no number at all."""
    with use_build("pure"):
        told = show(['{"a":"b"', ',"c":', "1 ,", "000}"])
    assert told[2] == ([], False, {"a": "b"})
    assert told[3] == ([], True, {"a": "b", "c": "1 ,000"})


def test_closers_that_end_nothing_show_with_the_quote_before_them() -> None:
    """No piece that comes can make them end the string."""
    texts = ['["a"b"}x"]', '{"k":"b"c"]x"}', '["a"b" }', '{"k":"b"c" ]}']
    assert_shown_alike(list_ways(texts))


def test_the_short_way_is_taken() -> None:
    """The test above would compare the careful steps with themselves."""
    live: Any = REWRITERS["pure"].LiveMender
    text = '{"a": "b", "c": [1, {"d": null}, "e"]}'
    for place, name, unsure in (
        (_tokens, "take_piece", False),
        (live, "_take_pieces", UNSURE),
    ):
        taken: list[Any] = []
        with use_build("pure"), pytest.MonkeyPatch.context() as patch:
            kept = getattr(place, name)

            def note(*given: Any, kept: Any = kept, taken: list[Any] = taken) -> Any:
                taken.append(kept(*given))
                return taken[-1]

            if place is live:
                patch.setattr(_tokens, "take_piece", add_only)
            patch.setattr(place, name, note)
            told = show(list(text))
        assert len(taken) > 20
        assert taken.count(unsure) < len(taken) / 4, name
        assert told[-2][1]  # it is whole
