"""Any way of cutting a reply gives the answer, and nothing shown is taken back."""

from __future__ import annotations

import asyncio
import contextlib
import doctest
import itertools
import json
import random
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any, Final

import pytest

import jsonsift
from jsonsift import Event, Stream
from jsonsift._checks import nests_deeper
from jsonsift._paths import read_list_path, read_path
from jsonsift.linear import find_family

from .damage.operators import OPERATORS
from .damage.trials import draw_cases
from .doc_blocks import ROOT, find_blocks
from .every_way import REWRITERS, use_build
from .stream_cases import (
    assert_streams,
    cut_at_random,
    is_beginning,
    list_corpus,
    list_peer_inputs,
)

# A duplicated key takes its new value; a string on the line of its colon may be a key
# after all; too deep a value raises LimitError at the end.  docs/streaming.md says so.
TAKEN_BACK: Final = (
    '"k":"first"', '"a": 3, "b"', '"key": "second"', "duplicated_value", '"a":"c"',
    '"depot": "street": ', "[" * 500,
)  # fmt: skip
DAMAGE_TAKEN_BACK: Final = "brace-opener-dropped-after-colon"
SHORT: Final = 1_000

WAITED_FOR: Final = [
    (ROOT / "corpus/replies" / f"{name}.txt").read_text("utf-8")
    for name in (
        "small-model/closer-missing-in-every-row",
        "words-in-brackets/time-stays-text",
    )
]
TEXTS: Final = [text for text in list_corpus() + list_peer_inputs() if text]


def _grows(text: str) -> bool:
    return not any(part in text for part in TAKEN_BACK)


# ------------------------------------------------------------- any way of cutting


@pytest.mark.parametrize("build", REWRITERS)
def test_every_way_of_cutting_gives_the_answer(build: str) -> None:
    """A value would depend on where the network cut the text."""
    with use_build(build):
        for number, text in enumerate(TEXTS):
            if len(text) > SHORT:
                continue
            dice = random.Random(number)
            at = dice.randrange(len(text))
            assert_streams(text, list(text), grows=_grows(text))
            assert_streams(text, [text[:at], text[at:]], grows=_grows(text))
            assert_streams(text, cut_at_random(text, dice), grows=_grows(text))


def _show(text: str, pieces: list[str]) -> Any:
    stream = Stream()
    for piece in pieces:
        stream.feed(piece)
    return stream.snapshot(), stream.complete


@pytest.mark.parametrize("build", REWRITERS)
def test_every_split_shows_the_same(build: str) -> None:
    """What is shown would depend on the pieces that it came in."""
    with use_build(build):
        for text in list_corpus()[::9]:
            # a wrong bracket is looked at again when twice as much has come
            if not 0 < len(text) <= 200 or text in WAITED_FOR:
                continue
            one_by_one = _show(text, list(text))
            for at in range(len(text)):
                assert _show(text, [text[:at], text[at:]]) == one_by_one, (text, at)


@pytest.mark.parametrize("name", OPERATORS)
def test_damaged_documents_grow(name: str) -> None:
    """A repair would change what a reader has seen already."""
    for number, case in enumerate(draw_cases(OPERATORS[name], 3, seed=5)):
        grows = name != DAMAGE_TAKEN_BACK and _grows(case.text)
        pieces = cut_at_random(case.text, random.Random(number))
        assert_streams(case.text, pieces, grows=grows)


def test_what_is_taken_back_need_not_be_shown() -> None:
    """Nobody could have a stream that takes back nothing."""
    operator = OPERATORS[DAMAGE_TAKEN_BACK]
    for number, case in enumerate(draw_cases(operator, 40, seed=6)):
        pieces = cut_at_random(case.text, random.Random(number))
        assert_streams(case.text, pieces, partial_strings="long")
        assert_streams(case.text, pieces, partial_strings=False)


def test_reasoning_that_the_prompt_opened_never_shows() -> None:
    """Who feeds what the prompt ends with would see, or get, a draft all the same."""
    operator = OPERATORS["reasoning-unopened"]
    for number, case in enumerate(draw_cases(operator, 40, seed=6)):
        pieces = cut_at_random(case.text, random.Random(number))
        opened = "<think>" + case.text
        assert_streams(opened, ["<think>", *pieces])
        answer = jsonsift.extract_json(opened, pick="first")
        assert answer == jsonsift.extract_json(case.text)


def test_the_documented_page_follows_every_stream() -> None:
    """Who copies the recipe of docs/streaming.md would show another value."""
    text = (ROOT / "docs" / "streaming.md").read_text("utf-8")
    body = next(block[2] for block in find_blocks(text) if ">>> def apply" in block[2])
    recipe = doctest.DocTestParser().get_examples(body)[1].source
    names: dict[str, Any] = {}
    exec(recipe, names)
    for name, operator in OPERATORS.items():
        for number, case in enumerate(draw_cases(operator, 1, seed=7)):
            stream = Stream(events=True)
            kept = None
            events: list[Event] = []
            for piece in cut_at_random(case.text, random.Random(number)):
                stream.feed(piece)
                events += stream.take_events()
            with contextlib.suppress(jsonsift.JSONSiftError):
                stream.close()
            events += stream.take_events()
            for event in json.loads(json.dumps(events)):
                kept = names["apply"](kept, event)
            assert kept == stream.value, (name, case.text)


def test_the_judge_of_growth_sees_what_is_taken_back() -> None:
    """The tests above would hold for any stream."""
    assert is_beginning({"a": [1, "x"]}, {"a": [1, "xy", None], "b": 2})
    assert not is_beginning({"a": "x"}, {"a": "y"})
    assert not is_beginning({"a": 1}, {"a": 12})
    assert not is_beginning({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not is_beginning([1, 2], [1])
    assert not is_beginning(1, True)
    assert not is_beginning("a", ["b"])


# ------------------------------------------------------------------ what is shown


def _values(*pieces: str, **options: Any) -> list[Any]:
    """What is shown after each piece."""
    stream = Stream(**options)
    shown = []
    for piece in pieces:
        stream.feed(piece)
        shown.append(stream.snapshot())
    return shown


def test_strings_grow_and_numbers_wait() -> None:
    """A half number would be shown as a whole one."""
    pieces = ('{"n": 1', "2", ', "t": "a', ' b"', ', "ok": tr', "ue", "}")
    assert _values(*pieces) == [
        {}, {}, {"n": 12, "t": "a"}, {"n": 12, "t": "a b"},
        {"n": 12, "t": "a b"}, {"n": 12, "t": "a b"},
        {"n": 12, "t": "a b", "ok": True},
    ]  # fmt: skip


def test_a_call_that_ended_withholds_nothing() -> None:
    """What follows would wait as if it were still open."""
    for before, shown in (("", []), ('[[ObjectId("q")]], ', [[["q"]]])):
        stream = Stream()
        for piece in f'{{"a": [{before}(1, {{"k": "grow':
            stream.feed(piece)
        assert stream.value == {"a": [*shown, [1, {"k": "grow"}]]}


def test_half_escapes_and_half_pairs_wait() -> None:
    """A backslash, half an escape or half a character would be shown."""
    text = '{"t": "a\\u00e9\\ud83d\\ude00\\n."}'
    shown = [value["t"] for value in _values(*text) if value and "t" in value]
    assert set(shown) == {"", "a", "aé", "aé😀", "aé😀\n", "aé😀\n."}


def test_without_partial_strings() -> None:
    """A string would be shown before it is whole."""
    pieces = ('{"a": "x', 'y", "b', '": ["p', 'q"', ", 1", "]}")
    assert _values(*pieces, partial_strings=False) == [
        {}, {}, {"a": "xy", "b": []}, {"a": "xy", "b": []},
        {"a": "xy", "b": []}, {"a": "xy", "b": ["pq", 1]},
    ]  # fmt: skip


@pytest.mark.parametrize("build", REWRITERS)
def test_long_strings_alone_are_partial(build: str) -> None:
    """A string would show that is a key, or a long text not before its end."""
    long = "a long text " * 8
    pieces = ('{"a": "', "x", 'y", "b', '": "' + long[:60], long[60:70], long[70:90])
    with use_build(build):
        shown = _values(*pieces, partial_strings="long")
    assert shown[:3] == [{}, {}, {"a": "xy"}]
    assert shown[3:] == [
        {"a": "xy"}, {"a": "xy", "b": long[:70]}, {"a": "xy", "b": long[:90]}
    ]  # fmt: skip
    for wrong in ("short", 1.0, 0, None):  # 1.0 equals True and is none
        with pytest.raises(ValueError, match=f"partial_strings={wrong!r}"):
            Stream(partial_strings=wrong)  # type: ignore[arg-type]


def test_prose_fences_and_reasoning_split_anywhere() -> None:
    """A draft, or a fence cut in two, would be shown as the answer."""
    text = '<think>maybe {"a": 0}</think>Use {x}:\n```json\n{"a": 1}\n```\n[2]'
    for size in (1, 2, 3, 5, 7):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        shown = [value for value in _values(*pieces) if value is not None]
        assert shown[0] == {}
        assert shown[-1] == {"a": 1}
        assert all(value in ({}, {"a": 1}) for value in shown)


@pytest.mark.parametrize("build", REWRITERS)
def test_a_bracket_like_no_json_waits_for_the_end_of_the_reply(build: str) -> None:
    """What is in it would show, and the answer be what is around it."""
    outer = ('{_"id": {"k": 1}}', '[tru, [false, "é"]]', '("a", {"b": 1})', "{\n i}")
    with use_build(build):
        for text in outer:
            for behind in (
                "",
                " ;\n",
                " // x",
                " /* x */ ",
                '\n{"c": [1]}',
                " Then: 1",
            ):
                assert_streams(text + behind, list(text + behind))
            for before in ("", " ", "// c\n", "\u200b", "\xa0/* c */"):
                assert set(map(str, _values(*before, *text))) == {"None"}
        # no such value goes on with other text: then what comes in it, or next, shows
        assert _values('{_"id": {"k": 1}} it', " is.")[-1] == {"k": 1}
        for before in ("[x] then ", "{{user}}\n", "[assistant]: ", "(so) "):
            assert _values(before + '{"a": 1', "}")[-1] == {"a": 1}


def test_a_fence_inside_a_string_is_waited_for() -> None:
    """A string that holds a fence would show, or lose, what stands behind it."""
    text = '```json\n{"code": "a\n```\nb", "n": 1}\n```\n'
    shown = [value["code"] for value in _values(*text) if value and "code" in value]
    assert shown[-1] == "a\n```\nb"
    assert "a\n```" not in shown
    cut = '```json\n{"code": "a\n```\nThat is all.'
    assert _values(*cut)[-1] == {"code": "a"}


def test_a_list_of_records_without_brackets() -> None:
    """Lines of NDJSON would end in the first."""
    pieces = ('{"a": 1}\n', '{"a": ', "2", "}\n")
    assert _values(*pieces) == [
        {"a": 1}, {"a": 1}, {"a": 1}, [{"a": 1}, {"a": 2}],
    ]  # fmt: skip


def test_complete_means_that_closing_now_cuts_nothing() -> None:
    """An agent would run a call that is half there, or wait for more than the end."""
    stream = Stream()
    for character in '{"a": "x", "b": [1]':
        stream.feed(character)
        assert not stream.complete
    stream.feed("}")
    assert stream.complete
    assert stream.close().complete


def test_policy_holds_while_streaming() -> None:
    """A forbidden repair would be shown."""
    pieces = ("{'a': 1, ", '"b": "x" y", ', '"c": 3}')
    assert _values(*pieces, repair="all")[-1]["c"] == 3
    assert _values(*pieces, repair="safe")[-1] in ({"a": 1}, {"a": 1, "b": "x"})
    assert _values(*pieces, repair="off")[-1] == {}
    stream = Stream(repair="off")
    stream.feed("".join(pieces))
    with pytest.raises(jsonsift.BrokenJSONError):
        stream.close()


# ------------------------------------------------------------------------- bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_bytes_may_split_a_character(encoding: str) -> None:
    """Half a character would become a replacement character."""
    text = 'Voilà {"é😀": "日本"}'
    data = text.encode(encoding)
    for size in (1, 2, 3, 5):
        stream = Stream()
        for at in range(0, len(data), size):
            stream.feed(data[at : at + size])
        assert stream.value == {"é😀": "日本"}
        assert stream.close().reply == text


class Words(str):
    """Text as some frameworks hand it over."""

    __slots__ = ()


def test_subclasses_of_str_are_text() -> None:
    """The compiled rewriter takes str alone, and a chunk would be a TypeError."""
    stream = Stream()
    for chunk in ('{"a": "', "b", '"}'):
        stream.feed(Words(chunk))
    assert stream.value == {"a": "b"}
    assert type(stream.value["a"]) is str


def test_few_bytes() -> None:
    """What could begin a byte order mark would be lost."""
    stream = Stream()
    stream.feed(b"{")
    stream.feed(memoryview(b"}"))
    assert stream.close().value == {}


# ------------------------------------------------------------------------ events


def test_events_tell_what_changed() -> None:
    """A user interface would have to compare whole values."""
    stream = Stream(events=True)
    stream.feed('{"a": "x')
    assert stream.take_events() == [Event((), "set", {}), Event(("a",), "set", "x")]
    stream.feed('y", "b": [1, ')
    assert stream.take_events() == [
        Event(("a",), "grow", "y"),
        Event(("a",), "end", None),
        Event(("b",), "set", []),
        Event(("b", 0), "set", 1),
    ]
    stream.close()
    assert stream.take_events() == [Event((), "end", None)]
    assert stream.take_events() == []
    with pytest.raises(ValueError, match="events=True"):
        Stream().take_events()


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize("schema", [None, {"type": "object"}])
def test_the_end_comes_once(schema: Any, taken: bool) -> None:
    """A user interface would end the same answer twice, or never."""
    end = Event((), "end", None)
    for text in ('{"a": [1, 2]} done.', '{"a": [1, 2]}', '{"a": [1', "```\n{}\n```"):
        stream = Stream(events=True, schema=schema)
        stream.feed(text)
        events = stream.take_events() if taken else []
        stream.close()
        events += stream.take_events()
        assert events.count(end) == 1
        assert events[-1] == end
    # two records are a list, which ends later than its first item
    stream = Stream(events=True)
    stream.feed('{"a": 1}\n{"a": 2}\n')
    assert Event((), "wrap", None) in stream.take_events()
    stream.close()
    assert stream.take_events()[-1] == end


# ------------------------------------------------------------------------- items


def test_items_come_as_soon_as_they_are_whole() -> None:
    """Item one could not be acted on while item two is written."""
    stream = Stream()
    came = []
    for piece in ('{"rows": [{"id": 1', '}, {"id": 2}, "lo', 'ng", "x', '", 4', "]}"):
        stream.feed(piece)
        came.append(stream.take_items("rows[*]"))
    assert came == [[], [{"id": 1}, {"id": 2}], ["long"], [], ["x", 4]]
    assert list(Stream().items(["[1,", " 2] "])) == [1, 2]
    assert list(Stream().items(['{"a": {"b": [', "[1], [2", "]]}}"], "a.b[*]")) == [
        [1],
        [2],
    ]
    with pytest.raises(ValueError, match="ends in"):
        Stream().take_items("rows")
    with pytest.raises(ValueError, match="only one"):
        Stream().take_items("$.rows[*].tags[*]")
    with pytest.raises(ValueError, match="dots between"):
        Stream().take_items("rows[0].tags[*]")
    stream = Stream()
    stream.feed('{"rows": [1, 2, ')
    assert stream.take_items("$.rows[*]") == [1, 2]
    assert stream.take_items("rows[*]") == []  # the same list


PATHS: Final = (
    ("", ()), ("$", ()), ("a", ("a",)), ("$.a", ("a",)), (".a", ("a",)),
    ("a.b[0].c", ("a", "b", 0, "c")), ("[2][10]", (2, 10)), ("$[2].x y", (2, "x y")),
    ('a["odd.key"].b', ("a", "odd.key", "b")), ('["\\"x"]', ('"x',)),
    ("$ref.a", ("$ref", "a")), (("a", 0), ("a", 0)), (["a.b"], ("a.b",)),
)  # fmt: skip
NO_PATHS: Final = ("a.", "..a", "a..b", "a[b]", "a[-1]", "a[*]", "a[0]b", "a]")


def test_paths_are_written_in_one_way() -> None:
    """A path that one method takes would be silently nothing to another."""
    for written, steps in PATHS:
        assert read_path(written) == steps
        keys = [step for step in steps if isinstance(step, str)]
        if len(keys) == len(steps):
            listed = f"{written}[*]" if isinstance(written, str) else written
            assert read_list_path(listed) == steps
    for text in NO_PATHS:
        with pytest.raises(ValueError, match="path="):
            read_path(text)
    for odd in (None, 1, b"a", {"a"}, ("a", None), (True,)):
        with pytest.raises(TypeError, match="path="):
            read_path(odd)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="path="):
            next(Stream().items(["[1]"], odd))  # type: ignore[arg-type]
    assert list(Stream().items(['{"stops": [1, 2]}'], ("stops",))) == [1, 2]
    assert list(Stream().items(["[1, 2]"], ())) == [1, 2]
    stream = Stream()
    stream.feed('{"title": "x", "a": [{"b": 1}, ')
    for path in ("title", "$.title", ("title",), "a[0].b", "a[0]", ("a", 0)):
        assert stream.done(path)
    assert not stream.done("a")
    assert not stream.done("")


def test_loops() -> None:
    """The loops would differ from feeding by hand."""

    async def come(pieces: list[str]) -> AsyncIterator[str]:
        for piece in pieces:
            await asyncio.sleep(0)
            yield piece

    async def collect() -> tuple[list[str], list[Any]]:
        pieces = ["Hi: [", '"a", ', '"b"]']
        shown = [json.dumps(value) async for value in Stream().avalues(come(pieces))]
        items = [item async for item in Stream().aitems(come(pieces))]
        return shown, items

    expected = ["[]", '["a"]', '["a", "b"]', '["a", "b"]']
    shown, items = asyncio.run(collect())
    assert shown[-1] == expected[-1]
    assert items == ["a", "b"]
    again = [json.dumps(value) for value in Stream().values(["Hi: [", '"a", ', '"b"]'])]
    assert again == shown


# -------------------------------------------------------------------- odd conduct


def test_closed_twice_fed_after_close_and_empty_chunks() -> None:
    """A stream would answer twice in two ways, or read on silently."""
    stream = Stream()
    for piece in ("", '{"a"', "", ": 1}", ""):
        stream.feed(piece)
    found = stream.close()
    assert stream.close() is found
    assert stream.value == {"a": 1}
    with pytest.raises(ValueError, match="closed"):
        stream.feed("x")
    nothing = Stream()
    for _ in range(2):
        with pytest.raises(jsonsift.NoJSONError):
            nothing.close()
    assert nothing.value is None
    assert nothing.edits == ()


def test_wrong_arguments() -> None:
    """An option or a chunk of a wrong kind would be taken for another."""
    with pytest.raises(TypeError, match="expected str"):
        Stream().feed(1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="repair="):
        Stream(repair="some")  # type: ignore[arg-type]


def test_context_manager() -> None:
    """A stream would stay open, or hide the error that ended the block."""
    with Stream() as stream:
        stream.feed('{"a": [1')
    assert stream.value == {"a": [1]}
    with pytest.raises(KeyError), Stream() as stream:
        raise KeyError


def test_limits() -> None:
    """A flood would be kept; too deep a value would be shown as the answer."""
    stream = Stream(max_length=10)
    stream.feed("x" * 10)
    stream = Stream(max_length=10, events=True)
    stream.feed('{"a": "xyz')
    assert stream.value == {"a": "xyz"}
    for call in (lambda: stream.feed("x"), stream.close, stream.close):
        with pytest.raises(jsonsift.LimitError):
            call()
    assert stream.value is None
    assert stream.take_events()[-1] == Event((), "reset", None)
    with pytest.raises(ValueError, match="closed"):
        stream.feed("")
    deep = Stream(max_depth=3)
    deep.feed("[[[[")
    with pytest.raises(jsonsift.LimitError):
        deep.close()
    digits = Stream()
    digits.feed('{"a": "b", "n": ' + "1" * (sys.get_int_max_str_digits() + 1) + ", ")
    assert digits.value == {"a": "b"}
    with pytest.raises(jsonsift.LimitError):
        digits.close()


@pytest.mark.parametrize("text", ['{"z": 1}\n[[1]]\n', '[[1]]\n{"z": 1}\n[2]\n'])
def test_a_list_of_values_counts_for_the_depth(text: str) -> None:
    """Values that fit would be shown in a list that is nested too deeply."""
    stream = Stream(max_depth=2)
    for char in text:
        assert not nests_deeper(stream.feed(char), 2), stream.value
    with pytest.raises(jsonsift.LimitError):
        stream.close()
    stream = Stream(max_depth=3)
    stream.feed(text)
    assert stream.value == stream.close().value


def test_hooks_run_once_at_the_end() -> None:
    """A hook with side effects would run for every chunk."""
    calls: list[str] = []

    def keep(digits: str) -> str:
        calls.append(digits)
        return digits

    stream = Stream(parse_int=keep)
    for character in '{"a": 1, "b": 2}':
        stream.feed(character)
    assert calls == []
    assert stream.close().value == {"a": "1", "b": "2"}
    assert calls == ["1", "2"]


def test_what_a_hook_raises() -> None:
    """A stream would answer otherwise, or with an assertion, when it is asked again."""
    for kind in (ZeroDivisionError, KeyboardInterrupt):

        def fail(digits: str, kind: type[BaseException] = kind) -> str:
            raise kind(digits)

        stream = Stream(parse_int=fail)
        stream.feed('{"a": 1}')
        for _ in range(2):
            with pytest.raises(kind):
                stream.close()
        assert stream.value is None
        assert not stream.complete


def test_a_wrong_chunk_or_an_abandoned_loop_changes_nothing() -> None:
    """A stream would be of no use after an error that is not its own."""
    stream = Stream()
    stream.feed('[1, "a')
    with pytest.raises(TypeError):
        stream.feed(None)  # type: ignore[arg-type]
    stream.feed('b", ')
    assert stream.value == [1, "ab"]
    for item in stream.items(["3", ", 4"]):
        assert item == 1
        break
    assert stream.feed("]") == [1, "ab", 3]
    assert stream.close().value == [1, "ab", 3]


def test_edits_so_far() -> None:
    """A repair would not be reported before the end, or at another place."""
    stream = Stream()
    text = "Here: {a: 1, 'b': [1,], c: .5}"
    for character in text:
        stream.feed(character)
        assert all(edit in jsonsift.extract(text).edits for edit in stream.edits)
    assert len(stream.edits) >= 4
    assert stream.close().edits == jsonsift.extract(text).edits


def test_a_snapshot_stays_as_it_is() -> None:
    """A copy that was kept would change."""
    stream = Stream()
    stream.feed('{"a": ["x')
    first = stream.snapshot()
    stream.feed('", {"b": 1}, 12345678901234567890123, NaN]')
    second = stream.snapshot()
    assert first == {"a": []}
    assert second["a"][1:3] == [{"b": 1}, 12345678901234567890123]
    assert second["a"] is not stream.value["a"]


def test_a_snapshot_of_what_hooks_made() -> None:
    """A value that is no plain data would not be copied, or as another type."""
    stream = Stream(parse_float=Decimal, parse_int=lambda digits: bytearray(b"7"))
    stream.feed('{"a": [1.5, 2], "b": ')
    assert stream.snapshot() == {"a": [1.5, 2]}
    stream.close()
    copied = stream.snapshot()
    assert copied == {"a": [Decimal("1.5"), bytearray(b"7")]}
    assert type(copied["a"][1]) is bytearray
    assert copied["a"] is not stream.value["a"]


@pytest.mark.parametrize("build", REWRITERS)
def test_tags_that_a_string_may_end_before(build: str) -> None:
    """A tag cut between two chunks would be shown, though the string ended before."""
    dice = random.Random(11)
    parts = (
        "<",
        "</a",
        "</a>",
        "</",
        "<|x",
        "|>",
        ">",
        " ",
        ",",
        "\n",
        "}",
        "y",
        "a" * 70,
    )
    with use_build(build):
        for _ in range(300):
            run = "".join(dice.choice(parts) for _ in range(dice.randint(1, 9)))
            text = '{"a": "x' + run + dice.choice(("", "", '"}'))
            assert_streams(text, cut_at_random(text, dice))
        for text in (
            '{"a": "x}</a> y',
            '{"a": "x}>}</a>\n}\ny',
            '[{"a": "x}]\n<|x|> y',
            '{"a": "x}\n</a>\nso "y" z.',
            '{"a": "x</a> y',
            '{"a": "x}</a>',
            '{"a": "x} </a></b> ',
            '{"a": "x}<|x|>',
        ):
            assert_streams(text, list(text))


def test_many_refused_candidates_and_records_at_once() -> None:
    """One big chunk would recurse, or be read again and again."""
    text = "{name} " * 5_000 + '{"a": 1}\n' * 3_000
    stream = Stream()
    stream.feed(text)
    assert stream.close().value == jsonsift.extract_json(text, pick="first")


def test_memory_is_bounded_by_text_and_value() -> None:
    """A long stream would keep more than what was written and what it says."""
    piece = json.dumps({"id": 1, "text": "some words " * 8}) + ", "
    stream = Stream()
    stream.feed("[")
    tracemalloc.start()
    for _ in range(5_000):
        stream.feed(piece)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    values = sum(
        sys.getsizeof(item)
        + sum(sys.getsizeof(key) + sys.getsizeof(item[key]) for key in item)
        for item in stream.value
    )
    assert peak < 1.5 * (values + len(piece) * 5_000) + 1_000_000
    assert held <= peak


@pytest.mark.parametrize("family", ["full-width-openers", "full-width-items-opened"])
def test_memory_of_what_nobody_reads(family: str) -> None:
    """Pieces beyond Latin-1, kept one by one, are objects of many times their text."""
    text = find_family(family).build(200_000)
    stream = Stream()
    tracemalloc.start()
    for character in text:
        stream.feed(character)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * len(text) + 10_000_000
    with pytest.raises(jsonsift.LimitError):
        stream.close()


def test_pairs_escaped_once_more_show_as_they_come() -> None:
    """Half of a pair, edited by itself, would be no text: no more would show."""
    stream = Stream()
    for character in r"{\"a\": \"x \\ud83d\\ude00 y\", \"b\": [1, 2,":
        stream.feed(character)
    assert stream.value == {"a": "x \N{GRINNING FACE} y", "b": [1, 2]}


# ------------------------------------------------------------------------- cost

FLOODS: Final = {
    "prose": ("", "some words here and there. "),
    "templates": ("", "{name} "),
    "records": ("", '{"a": 1}\n'),
    "reasoning": ("<think>", "so </b> I think "),
    "line ends in a string": ('{"a": "x', "\n"),
    "closers in a string": ('{"a": "x', "\n}"),
    "quotes in a string": ('{"a": "x', '" x '),
    "bare words": ('{"a": ', "word "),
    "a long key": ('{"b": "c", "', "word"),
    "half tags in a string": ('{"a": "x', "<"),
    "closing tags in a string": ('{"a": "x', "</a>, "),
    "tags behind closers in a string": ('{"a": "x', "}</a> b "),
    "fences in a string": ('```json\n{"a": "', "```\n"),
    "sets": ("[", '{"a", '),
    "lists without an opener": ("[", '{"t": "x", "y"], '),
    "calls": ("", "f("),
    "closers that do not fit": ("[", '{"a": [1}, '),
}


def _cost(prefix: str, unit: str, length: int) -> float:
    """Seconds for the text in pieces of three characters, the least of three."""
    text = prefix + unit * (length // len(unit))
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    times = []
    for _ in range(3):
        stream = Stream()
        began = time.process_time()
        for piece in pieces:
            stream.feed(piece)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.linear
@pytest.mark.parametrize("name", FLOODS)
def test_cost_is_linear(name: str) -> None:
    """Small chunks of an odd text would cost the square of its length."""
    prefix, unit = FLOODS[name]
    short, long = _cost(prefix, unit, 8_000), _cost(prefix, unit, 32_000)
    assert long < 8 * short + 0.01  # four times as long: 4 if linear, 16 if not


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_supplied_null_may_begin_a_list(size: int) -> None:
    """The list would be opened behind the null that was shown, and closed twice."""
    text = '{"a":,"x"]]\n, "b": 1}'
    stream = Stream()
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    assert stream.close().value == jsonsift.extract_json(text)


@pytest.mark.parametrize("build", REWRITERS)
def test_a_list_opens_before_what_shows_not_or_no_more(build: str) -> None:
    """The list would be opened around a value that does not stand there."""
    texts = (
        'I think {"thinking": "yes", "thin["<", ">"]} ius fine; thinking >hard</b>.',
        '{"t": "x ```\\n y", "y"], "n": 1}',
        '{"t": 12, "y"], "n": 1}',
    )
    with use_build(build):
        for text in texts:
            for at, repair, partial in itertools.product(
                range(len(text)), ("all", "safe"), (True, False)
            ):
                options: dict[str, Any] = {"repair": repair, "partial_strings": partial}
                stream = Stream(**options)
                before = None
                for piece in (text[:at], text[at : at + 1], text[at + 1 :]):
                    stream.feed(piece)
                    assert before is None or is_beginning(before, stream.value)
                    before = stream.snapshot()
