"""Where JSON may stand in a reply: fences, reasoning, wrappers, brackets, prose."""

from __future__ import annotations

import random
import re

import pytest

from jsonsift import CandidateKind, NoJSONError, extract, extract_all, extract_json
from jsonsift._locate import (
    Locator,
    Undecided,
    is_json_label,
    is_marker,
    opens_value,
    skip_blank,
    skip_trailing,
)
from jsonsift._types import Candidate


def candidates(text: str, *, in_code: bool = False) -> list[Candidate]:
    """All candidates, each looked past by one character."""
    locator = Locator(text, in_code=in_code)
    found = []
    pos = 0
    while (candidate := locator.next(pos)) is not None:
        assert candidate.span.start >= pos
        found.append(candidate)
        pos = candidate.span.start + 1
    return found


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ('Here: {"a": 1}', CandidateKind.BARE, ""),
        ('Here: ["a"]', CandidateKind.BARE, ""),
        ('```json\n{"a": 1}\n```', CandidateKind.FENCED, "json"),
        ('```JSON\n{"a": 1}\n```', CandidateKind.FENCED, "json"),
        ('```\n{"a": 1}\n```', CandidateKind.FENCED, ""),
        ('```python\n{"a": 1}\n```', CandidateKind.FENCED, "python"),
        ('~~~json\n{"a": 1}\n~~~', CandidateKind.FENCED, "json"),
        ('````json\n{"a": 1}\n````', CandidateKind.FENCED, "json"),
        ('```json {"a": 1} ```', CandidateKind.FENCED, "json"),
        ('<tool_call>{"a": 1}</tool_call>', CandidateKind.WRAPPER, ""),
        ('[TOOL_CALLS] [{"a": 1}]', CandidateKind.WRAPPER, ""),
        ('Action Input: {"a": 1}', CandidateKind.WRAPPER, ""),
        ("｛\"a\"：1｝", CandidateKind.BARE, ""),
    ],
)  # fmt: skip
def test_kinds_of_places(text: str, kind: CandidateKind, label: str) -> None:
    """A place would be taken for one of another kind, and ranked wrong."""
    first = candidates(text)[0]
    assert (first.kind, first.label) == (kind, label)
    assert text[first.span.start] in "{[｛"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no brackets here",
        "use {name} and {0} there",
        "as shown [1], [2] and [12]",
        "[see note] and [link](http://example.org)",
        "{Remark without a colon}",
        "a dict[str, int] of x{1}",
        "[TOOL_CALLS] none",
        "[[ ## answer ## ]]\nnothing",
        "```python\nprint('x')\n```",
        "a < b and <b>bold</b>",
    ],
)
def test_prose_has_no_candidates(text: str) -> None:
    """Brackets of prose would be read as JSON."""
    assert candidates(text) == []


def test_code_of_other_languages_is_looked_into_last() -> None:
    """An object inside code would be taken though nobody gave it as JSON."""
    text = '```js\nconst a = {"b": 1};\n```\n'
    assert candidates(text) == []
    assert [text[one.span.start] for one in candidates(text, in_code=True)] == ["{"]


@pytest.mark.parametrize(
    ("content", "tail"),
    [
        ('{"a": 1}\n', "```"),
        ('{"a": 1}', "```"),
        ('{"a": "x ``` y"}\n', "```\nmore"),
        ('{"a": "```py\\n```"}\n', "```\n"),
        ('{"a": 1}\n', "``` "),
        ('{"a": [1,\n', ""),
    ],
)
def test_a_fence_ends_at_its_own_mark(content: str, tail: str) -> None:
    """A fence would be cut at a mark inside a string, or never end."""
    text = "```json\n" + content + tail
    (limit,) = {one.span.end for one in candidates(text)[:1]}
    assert text[:limit].rstrip() == ("```json\n" + content).rstrip()


@pytest.mark.parametrize(
    ("opener", "closer"),
    [
        ("<think>", "</think>"),
        ("<THINKING>", "</thinking>"),
        ("<thought id='1'>", "</thought>"),
        ("<reasoning>", "</reasoning>"),
        ("<reflection>", "</reflection>"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
        ("Here is my thought process:", "Here is my response:"),
    ],
)
def test_reasoning_is_set_aside(opener: str, closer: str) -> None:
    """A draft in the reasoning would be handed back as the answer."""
    draft = f'{opener}maybe {{"draft": 1}}{closer}'
    with pytest.raises(NoJSONError, match="reasoning") as caught:
        extract_json(draft + " I need more.")
    assert caught.value.in_reasoning
    assert extract_json(draft + '{"answer": 2}') == {"answer": 2}
    assert [x.value for x in extract_all(draft + 'So {"answer": 2}.')] == [
        {"answer": 2}
    ]
    fallback = extract(draft + " I need more.", reasoning="fallback")
    assert (fallback.value, fallback.kind) == ({"draft": 1}, CandidateKind.REASONING)


class Forgetful(Locator):
    """Seeks every closer anew."""

    def _find_close(self, match: re.Match[str]) -> int:
        self._no_closer_from.clear()
        return super()._find_close(match)


TAGS = (
    "<think>", "</think>", "</a>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷",
    "<|begin_of_thought|>", "<|end_of_thought|>", "x", '{"a": 1}',
)  # fmt: skip


def _walk(locator: Locator, pieces: list[str]) -> tuple[object, ...]:
    """All that a locator says of text that comes piece by piece."""
    found = []
    pos = 0
    for piece in pieces:
        locator.feed(piece)
        try:
            while (candidate := locator.next(pos)) is not None:
                found.append(candidate.span.start)
                pos = candidate.span.start + 1
            pos = locator.reached
        except Undecided:
            pos = locator.reached
    return found, locator.reasoning, locator.open_reasoning, locator.answer_from


def test_a_closer_sought_in_vain_is_not_missed_later() -> None:
    """What is known of the rest of a text would hide a closer, or find another."""
    dice = random.Random(7)
    for _ in range(500):
        pieces = [dice.choice(TAGS) for _ in range(dice.randint(1, 14))]
        whole = ["".join(pieces)]
        assert _walk(Locator(""), whole) == _walk(Forgetful(""), whole)
        open_end = [Locator("", final=False), Forgetful("", final=False)]
        kept, forgot = (_walk(locator, pieces) for locator in open_end)
        assert kept == forgot
        one = Locator("", final=False)
        assert _walk(one, whole) == kept


def test_a_closer_without_opener_ends_reasoning() -> None:
    """What stands before a lone closing tag would be taken for the answer."""
    text = 'I could say {"draft": 1}.</think>'
    with pytest.raises(NoJSONError) as caught:
        extract_json(text)
    assert caught.value.in_reasoning
    assert extract_json(text + '{"answer": 2}') == {"answer": 2}
    assert extract_json(text + '{"answer": 2}', pick="last") == {"answer": 2}


def test_the_first_value_stays_the_first() -> None:
    """A stream has shown it when a closing tag comes that nothing opened."""
    drafted = 'I could say {"draft": 1}.</think>{"answer": 2}'
    assert extract_json(drafted, pick="first") == {"draft": 1}
    for opened in ("<think>", "Hm. [THINK]", "<|begin_of_thought|>"):
        assert extract_json(opened + drafted, pick="first") == {"answer": 2}
    forbidden = "Say {'draft': 1}.</think>" + '{"answer": 2}'
    assert extract_json(forbidden, pick="first", repair="off") == {"answer": 2}


def test_an_opener_never_closed_hides_all_but_the_end() -> None:
    """An endless chain of thought would give its draft, or hide the answer."""
    with pytest.raises(NoJSONError):
        extract_json('<think>Maybe {"draft": 1}, but no: I must go on')
    assert extract_json('<think>Maybe {"draft": 1}: {"answer": 2}') == {"answer": 2}


def test_tags_in_strings_are_text() -> None:
    """A tag inside a JSON string would split the reply."""
    value = {"html": "<think>x</think>", "more": "</think> [THINK] ```json"}
    text = '{"html": "<think>x</think>", "more": "</think> [THINK] ```json"}'
    assert extract_json(text) == value
    assert extract_json(f"So: {text} it is.") == value


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("json", True),
        ("jsonc", True),
        ("json5 title=x", True),
        ("ndjson", True),
        ("python", False),
        ("", False),
        ("bjson", False),
        ("js on", False),
    ],
)
def test_labels_that_say_json(label: str, answer: bool) -> None:
    """A fence would be ranked by a wrong reading of its label."""
    assert is_json_label(label) is answer


@pytest.mark.parametrize(
    ("text", "blank", "trailing"),
    [
        ("  \n x", 4, 4),
        ("\ufeff\u200b\u00a0x", 3, 3),
        ("// a\nx", 5, 5),
        ("/* a */ x", 8, 8),
        ("/* open", 7, 7),
        ("# a\nx", 4, 4),
        (", ; ] } ) x", 0, 10),
        ("x", 0, 0),
        ("", 0, 0),
    ],
)
def test_what_is_passed_over(text: str, blank: int, trailing: int) -> None:
    """Space and comments around a value would be taken for prose, or prose for them."""
    assert skip_blank(text, 0, len(text)) == blank
    assert skip_trailing(text, 0, len(text)) == trailing
    assert skip_blank(text, 0, 0) == 0


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"', True),
        ("{'a'", True),
        ("{}", True),
        ("{a:", True),
        ("{a b", False),
        ("{std::x}", False),
        ('["', True),
        ("[[1, 2]", True),
        ("[{", True),
        ("[1, 2]", True),
        ("[1]", False),
        ("[true]", True),
        ("[word]", False),
        ("[TOOL_CALLS]", False),
        ("{", True),
        ("[", True),
        ("x", False),
        ("", False),
    ],
)
def test_what_opens_a_value(text: str, answer: bool) -> None:
    """A bracket of prose would be tried, or one of JSON passed over."""
    assert opens_value(text, 0) is answer


def test_markers_are_no_arrays() -> None:
    """The name of a section in brackets would be an array of a word."""
    assert is_marker("[TOOL_CALLS]", 0)
    assert is_marker("x [/INST]", 2)
    assert is_marker("[[ ## output ## ]]", 0)
    assert not is_marker('["A_B"]', 0)
    assert not is_marker("[Word]", 0)


def test_offsets_refer_to_the_whole_reply() -> None:
    """Spans and edits would count from the fence and not from the reply's start."""
    reply = "Sure!\n```json\n{'a': 1,}\n```\nand <tool_call>[2,]</tool_call>"
    for found in extract_all(reply):
        start, end = found.span
        assert reply[start] in "{["
        assert reply[end - 1] in "}]"
        for edit in found.edits:
            assert start <= edit.start <= edit.end <= end
            assert reply[edit.start : edit.end] in ("'", ",", "")
