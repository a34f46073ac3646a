"""Where in a reply JSON may stand: one pass over the prose, candidate by candidate.

The locator walks from mark to mark: a tag, a fence, an opening bracket.  It finds
them with ``str.find`` and then *matches* a pattern at that place; patterns are
possessive or bounded, so none can backtrack, and none is searched from everywhere.
What a candidate holds is not its business: its caller reads the value, says where it
ended, and asks for the next mark behind it.  So a tag or fence inside a JSON string
is never seen here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Set
from functools import lru_cache
from operator import lt
from typing import Any, Final

from ._build import find_mark
from ._chars import DOUBLE_QUOTES, INVISIBLE, SINGLE_QUOTES
from ._later import compile_later, compile_partial
from ._types import Candidate, CandidateKind, Span

__all__ = [
    "OPENERS",
    "Locator",
    "Unclosed",
    "Undecided",
    "begins_with_words",
    "closes_fence",
    "find_fence",
    "find_fence_behind",
    "find_hollow_end",
    "find_last_closer",
    "is_json_label",
    "is_marker",
    "opens_value",
    "skip_blank",
    "skip_gap",
    "skip_trailing",
]

OPENERS: Final = "{[｛［"
_WIDE_OPENERS: Final = ("｛", "［")
_QUOTES: Final = re.escape("\"'" + DOUBLE_QUOTES + SINGLE_QUOTES)
_BLANK: Final = r"[\s" + re.escape(INVISIBLE) + "]"


def _comment(most: int) -> str:
    """A pattern of one comment, of at most about twice so many characters; 0: of any.

    It must end by then, with itself or with the text: a part of a comment is none, or
    the next part would be read from there, and a far stretch from each of many starts.
    """
    line = rf"[^\n]{{0,{most or ''}}}+(?![^\n])"
    few, part = ("{0,8}+", f"{{0,{most // 8}}}+") if most else ("*+", "*+")
    block = rf"[^*]{{0,{most or ''}}}+(?:\*(?!/)[^*]{part}){few}(?:\*/|\Z)"
    markup = rf"[^-]{{0,{most or ''}}}+(?:-(?!->)[^-]{part}){few}(?:-->|\Z)"
    return rf"//{line}|/\*{block}|\#{line}|<!--{markup}"


_COMMENT: Final = _comment(200)

# --- reasoning ------------------------------------------------------------------
_NAMES: Final = (
    r"(?:seed:)?+(?:think(?:ing)?+|thoughts?+|reason(?:ing)?+|reflection|scratchpad"
    r"|analysis|inner_monologue|chain_of_thought|cot)"
)
_REASONING_OPEN: Final = compile_later(
    rf"(?i)<(?P<tag>{_NAMES})(?:\s[^<>]{{0,100}}+)?+>"
    r"|\[(?P<square>THINK)\]"
    r"|◁(?P<kimi>think)▷"
    r"|<\|(?P<bar>begin_of_thought|START_THINKING|thinking)\|>"
    r"|<\|channel\|>(?P<channel>analysis)[^<]{0,50}+<\|message\|>"
    r"|(?P<granite>Here is my thought process:)",
)
_REASONING_CLOSE: Final = compile_later(
    rf"(?i)</{_NAMES}\s{{0,8}}+>|\[/THINK\]|◁/think▷"
    r"|<\|(?:end_of_thought|END_THINKING|/thinking)\|>"
    r"|<\|channel\|>final[^<]{0,50}+<\|message\|>",
)
_CLOSERS: Final = {
    "square": "[/THINK]",
    "kimi": "◁/think▷",
    "channel": "<|channel|>final",
    "granite": "Here is my response:",
}
_BAR_CLOSERS: Final = {
    "begin_of_thought": "<|end_of_thought|>",
    "start_thinking": "<|END_THINKING|>",
    "thinking": "<|/thinking|>",
}

_SECONDS: Final = {"<": "/|", "[": "/["}  # or a letter stands behind it in a tag
_LONGEST_TAG: Final = 256

# --- fences ---------------------------------------------------------------------
_FENCE: Final = compile_later(
    r"(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^\n`~{\[(\"']{0,80}+)"
    r"(?:(?<==)\"[^\"\n]{0,80}+\"[^\n`~{\[(\"']{0,80}+){0,8}+(?P<line>\n)?+"
)
_CLOSING_FENCE: Final = compile_later(r"[`~]{3,}+[ \t]*+(?=[\r\n]|\Z|[\]})]|</)")
_LABEL_WORDS: Final = compile_later(r"[\s/+;,]")
_LONGEST_FENCE: Final = 16  # marks of a fence that count
_FENCE_TRIES: Final = 16  # opening fences passed over in search of a closing one
_DATA_LABELS: Final = ("", "text", "txt", "plaintext", "plain", "output", "tool_code")

# A string, up to its line's end if it is not closed before; or a fence.
_STRING_OR_FENCE: Final = compile_later(
    r"\"(?:[^\"\\\n]++|\\[^\n])*+\"?+|(?P<fence>`{3,}+|~{3,}+)"
)

_LOOKED_AT: Final = 64
_NOTHING_BETWEEN: Final = 2  # a bracket and what begins in it: no comment with JSON
_UNDECIDING: Final = " \t\r\n`"  # no bracket is judged by these alone
_LONGEST_MARK: Final = 32
# --- brackets -------------------------------------------------------------------
_LEAD: Final = rf"{_BLANK}*+(?:(?:{_COMMENT}){_BLANK}*+){{0,16}}+"
_MARKS: Final = rf"[ub]?+[{_QUOTES}\\]|&quot;|&\#|`(?!``)|,|…|\.\.\.|\Z"
_BARE_KEY: Final = r"[\w$][\w$.\-]{0,63}+(?: [\w$.\-]{1,40}+){0,2}+\"?+\s*+:(?!:)"
_ITEM: Final = (
    rf"[{{\[｛［]|\((?=[\s\d{_QUOTES}(])|-?+\.?+\d++(?!\s*+\])|\d{{5,}}+|(?<=\[)\]"
    r"|(?:true|false|null|True|False|None)\b"
)
# What JSON in prose begins like: a bracket, and then what can stand first in it.
_OPENS: Final = compile_later(
    rf"\{{{_LEAD}(?:{_MARKS}|\}}|{_BARE_KEY}|[{{\[](?=[\s{_QUOTES}{{\[])|｛)"
    rf"|\[{_LEAD}(?:{_MARKS}|{_ITEM})|[｛［]"
)
# Words behind a bracket that something ends which can stand in no key.
_NO_KEY: Final = compile_later(
    r"[^\W\d][\w$.\-]{0,80}+(?: [\w$.\-]{1,40}+){0,3}+[^\w$.\-\s\":]"
)
# Words in brackets that are no arrays: [TOOL_CALLS], [/INST], [[ ## output ## ]], and
# the brackets of <![CDATA[
_SECTION: Final = r"\[/?[A-Z][A-Z_]{1,30}\]|\[\[ ?## ?[\w ]{1,40} ?## ?\]\]|\[CDATA\["
_MARKER: Final = compile_later(_SECTION)
_WORDS_AROUND: Final = compile_later(
    rf"{_BLANK}*+[\[(](?!(?i:true|false|null|none|nan|undefined|infinity)\b)[^\W\d_]"
    rf"[^{_QUOTES}`{{}}｛｝\[\]［］(),;<>]{{0,200}}+(?<=[\s:：])[{{\[｛［]"
)
_WRAPPER: Final = compile_later(
    rf"(?:<[^<>\n]{{1,80}}>|{_SECTION}"
    r"|functools|<｜tool▁sep｜>[\w.\-]{1,64}|Action Input:)\s{0,8}$"
)
_WRAPPER_REACH: Final = 96
# [1] in a sentence is a note; alone on a line it is an array.
_LONE_NUMBER: Final = compile_later(r"\[\s*+-?+\d++\s*+\]")
_ENDS_LINE: Final = compile_later(r"[.;]?+[ \t]*+(?:[\r\n]|\Z)")
# What stands in prose and code for other reasons than to be an answer.
_ASIDE: Final = compile_later(
    r"(?P<empty>\{\s*+\}|\[\s*+\])"
    r"|\[(?P<notes>\s*+[1-9]\d{0,2}+(?:\s*+,\s*+[1-9]\d{0,2}+){1,2}+)\s*+\]"
)
# row["name"], f(x)[0], cells[1][2] and a terminal's ESC[0m; but functools[{"a": 1}]
# and Result:["a"]
_SUBSCRIPTED: Final = frozenset(
    "_)]\x1b0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
_ENDS_SENTENCE: Final = compile_later(
    r"[)*_`\"']{0,8}+(?:[.;!?][)*_`\"']{0,8}+(?:\s|\Z)|[ \t]*+(?:[\r\n]|\Z))"
)
_PRESENTS: Final = tuple(":=→>`*_\"'")  # what stands before an answer

# Brackets, and what may stand between them and says nothing, up to the last closer:
# behind it the next value may open.
_HOLLOW: Final = compile_later(r"(?:[\s{\[｛［(,;:.]*+[}\]｝］)])*+")

# --- blanks ---------------------------------------------------------------------
_SKIP_BLANK: Final = compile_later(rf"(?:{_BLANK}++|{_comment(0)})*+")
_SKIP_GAP: Final = compile_later(rf"(?:{_BLANK}++|{_comment(1000)}){{0,16}}+")
_SKIP_TRAILING: Final = compile_later(rf"(?:[{_BLANK[1:-1]},;)\]}}]++|{_comment(0)})*+")


def skip_blank(text: str, pos: int, end: int) -> int:
    """The end of the white space, invisible characters and comments at ``pos``.

    A comment that never closes reaches to the end: once a reply, not a candidate.
    """
    match = _SKIP_BLANK.match(text, pos, end)
    return match.end() if match else pos


def skip_gap(text: str, pos: int, end: int) -> int:
    """Like ``skip_blank``, but not far: for use at every candidate."""
    match = _SKIP_GAP.match(text, pos, end)
    return match.end() if match else pos


def skip_trailing(text: str, pos: int, end: int) -> int:
    """Like ``skip_blank``, passing over commas, semicolons and closers too."""
    match = _SKIP_TRAILING.match(text, pos, end)
    return match.end() if match else pos


def begins_with_words(text: str) -> bool:
    """Whether a text begins with words in a bracket, and then another bracket.

    They are rather prose around JSON, ``(so: {"a": 1})``, than the items of a list.
    """
    return _WORDS_AROUND.match(text) is not None


def is_marker(text: str, pos: int) -> bool:
    """Whether a word in brackets that marks a section stands at ``pos``."""
    return text[pos] == "[" and _MARKER.match(text, pos) is not None


def find_fence(text: str, mark: str, pos: int, end: int) -> int:
    """``text.find(mark, pos, end)``, at the speed of a search for one character."""
    for _ in range(_FENCE_TRIES):
        pos = text.find(mark[0], pos, end)
        if pos < 0 or text.startswith(mark, pos, end):
            return pos
        pos += 1
    return text.find(mark, pos, end)


def find_fence_behind(text: str, start: int, least: int) -> int:
    """The first fence behind ``least`` that is in no string of what begins at
    ``start``; the end of the text if there is none.
    """
    for match in _STRING_OR_FENCE.finditer(text, start):
        if match["fence"] and match.start() > least:
            return match.start()
    return len(text)


def find_hollow_end(text: str, start: int) -> int:
    """Behind the brackets at ``start``, if they close one another and hold nothing;
    else ``start``.
    """
    match = _HOLLOW.match(text, start)
    end = match.end() if match is not None else start
    opened = sum(text.count(bracket, start, end) for bracket in "{[｛［(")
    closed = sum(text.count(bracket, start, end) for bracket in "}]｝］)")
    return end if opened == closed else start


def find_last_closer(text: str, start: int, end: int) -> int:
    """Behind the last closer of the bracket's kind; 0 when there is none."""
    closer = "}" if text[start] == "{" else "]"
    return text.rfind(closer, start, end) + 1


def opens_value(text: str, pos: int) -> bool:
    """Whether a bracket stands at ``pos`` that opens something like JSON."""
    ch = text[pos : pos + 1]
    if ch in _WIDE_OPENERS:  # what stands behind it does not matter
        return True
    if not ch or ch not in OPENERS or _OPENS.match(text, pos) is None:
        return False
    return ch != "[" or not is_marker(text, pos)


@lru_cache(maxsize=64)
def is_json_label(label: str) -> bool:
    """Whether a fence's info string says JSON: ``json``, ``jsonc``, ``x/json``."""
    words = _LABEL_WORDS.split(label)
    return any(word.startswith(("json", "ndjson")) for word in words)


def closes_fence(
    text: str, pos: int, at: int, mark: str, *, inline: bool = False
) -> bool:
    """Whether the fence whose content starts at ``pos`` may close at ``at``."""
    if not text.startswith(mark, at) or not _CLOSING_FENCE.match(text, at):
        return False
    return _may_stand(text, pos, at, inline)


def _may_stand(text: str, pos: int, at: int, inline: bool) -> bool:
    """Whether a closing fence may stand at ``at`` behind content from ``pos`` on.

    It stands alone at the end of its line, or, when the content began on the line of
    the opening fence, anywhere.
    """
    line = text.rfind("\n", pos, at) + 1
    if not text[line or pos : at].strip() or inline or line == 0:
        return True
    return text[line:at].rstrip()[-1:] in "}])"


def _ends_with_wrapper(before: str, trimmed: str) -> bool:
    """Whether the text that stands before a bracket ends with a wrapper's opener.

    It can start in one place only, by its last character.
    """
    last = trimmed[-1:]
    if last == ">":
        start = trimmed.rfind("<")
    elif last == "]":
        start = trimmed.rfind("[[" if trimmed.endswith("]]") else "[")
    elif last == ":":
        start = trimmed.rfind("Action Input:")
    elif trimmed.endswith("functools"):
        start = len(trimmed) - len("functools")
    else:
        start = trimmed.rfind("<｜tool▁sep｜>")
    return start >= 0 and _WRAPPER.match(before, start) is not None


class Undecided(Exception):  # noqa: N818 (it is no error)
    """The text so far does not tell what stands at its end."""


class Unclosed(Undecided):
    """What a reasoning block or a block of code begins has not ended yet."""


class Locator:
    """Walks a reply from candidate to candidate.

    ``in_code`` also looks into fences of other languages.  After a call of ``next``:
    ``answer_from`` is where the reasoning ended that had no opener, so that what was
    found before it was reasoning; ``open_reasoning`` is where reasoning began that
    never ends, -1 if none did; ``reasoning`` are the closed blocks passed over.

    With ``final=False`` more text may come through ``feed``: what stands at the end of
    the text and may turn out otherwise raises Undecided, and ``next`` is called again
    from ``reached``.  The span of a candidate then says where it starts only.
    """

    def __init__(
        self, text: str, *, end: int = -1, in_code: bool = False, final: bool = True
    ) -> None:
        self.text = text
        self.end = len(text) if end < 0 else end
        self.final = final
        self.reached = 0
        self.fence_mark = ""  # of the last fenced candidate
        self.fence_inline = False
        self.in_code = in_code
        self.passed_code = False  # with ``in_code`` there would be more to find
        self.answer_from = 0
        self.open_reasoning = -1
        self.reasoning: list[Span] = []
        # where brackets stand of which the caller knows that they open nothing
        self.refused: Set[int] = frozenset()
        # behind this place only something else than space or backticks decides
        self._waits_from = -1
        # the last search for a closer that came to nothing: from where, and how far
        self._sought = (-1, -1)
        # marks ahead, of one kind, and whether they are closing fences: many openers
        # in a row look at the same; and from where on all of them were seen
        self._marks: deque[tuple[int, bool]] = deque()
        self._marks_are = ""
        self._marks_from = 0
        # the reasoning tag whose closer is sought, and from where on
        self._tag_of = -1
        self._tag_from = -1
        # by kind of closer: from where on the whole text has none
        self._no_closer_from: dict[str, int] = {}

    def feed(self, more: str) -> bool:
        """Add text, which grows in place; whether it may decide what was undecided."""
        text = self.text
        self.text = ""
        text += more
        self.text = text
        self.end = end = len(text)
        if 0 <= self._waits_from > end - _LOOKED_AT:
            return bool(more.strip(_UNDECIDING))
        return True

    def take_text(self) -> str:
        """The text, for whoever goes on with it; ``give_text`` gives it back."""
        text = self.text
        self.text = ""
        return text

    def give_text(self, text: str) -> None:
        """Go on with this text, of which a part was known."""
        self.text = text
        self.end = len(text)

    def _match(
        self, pattern: re.Pattern[str], at: int, longest: int = 0
    ) -> re.Match[str] | None:
        """The pattern's match at ``at``, if text that comes cannot change it.

        With ``longest`` the pattern looks at fewer characters than that.
        """
        if self.final or (longest and self.end - at > longest):
            return pattern.match(self.text, at)
        match: Any = compile_partial(pattern).match(self.text, at, partial=True)
        if match is not None and (match.partial or match.end() >= self.end):
            raise Undecided
        return match  # type: ignore[no-any-return]

    def _seek(self, mark: str, pos: int) -> int:
        """``str.find``; in a text that is not at its end, it goes on where it was."""
        came_from, came_to = self._sought
        start = came_to if came_from == pos else pos
        at = find_fence(self.text, mark, start, self.end)
        if at < 0 and not self.final:
            self._sought = (pos, max(pos, self.end - len(mark) + 1))
            raise Unclosed
        return at

    def next(self, pos: int) -> Candidate | None:
        """The first candidate at or behind ``pos``."""
        text = self.text
        self._waits_from = -1
        while True:
            self.reached = pos
            at = find_mark(text, pos, self.end)
            if at < 0:
                # what has come may end in the first half of a mark
                self.reached = max(pos, self.end - _LONGEST_MARK)
                return None
            if at in self.refused:
                pos = at + 1
                continue
            self.reached = at
            mark = text[at]
            if mark in "`~":
                candidate, pos = self._read_fence(at)
            else:
                after = self._read_tag(at) if mark in "<[◁H" else at
                if after > at:
                    pos = after
                    continue
                candidate, pos = self._read_bracket(at), at + 1
            if candidate is not None:
                return candidate

    def list_reasoning(self) -> list[Span]:
        """All that is reasoning, once the reply has been walked."""
        spans = [Span(0, self.answer_from)] if self.answer_from else []
        if self.open_reasoning >= 0:
            spans.append(Span(self.open_reasoning, self.end))
        return spans + self.reasoning

    # ------------------------------------------------------------- reasoning

    def _read_tag(self, at: int) -> int:
        """Pass over the marker or reasoning tag at ``at``; else ``at``."""
        first, second = self.text[at], self.text[at + 1 : at + 2]
        if second and first in _SECONDS and second not in _SECONDS[first]:
            if not second.isalpha():
                return at
        match = self._match(_REASONING_CLOSE, at, _LONGEST_TAG)
        if match:
            self.answer_from = match.end()
            self.open_reasoning = -1
            return match.end()
        match = self._match(_REASONING_OPEN, at, _LONGEST_TAG)
        if not match:
            marker = self._match_marker(at)
            return marker.end() if marker else at
        if self.open_reasoning >= 0:
            return match.end()
        close = self._find_close(match)
        if close < 0:
            self.open_reasoning = at
            return match.end()
        self.reasoning.append(Span(at, close))
        return close

    def _find_close(self, match: re.Match[str]) -> int:
        """The end of the tag that closes this reasoning; -1 when nothing does.

        A search that came to nothing is not made again from further on: closers of
        other kinds let every opener look for its own.
        """
        kind = match.lastgroup or "tag"
        closer = "</"
        if kind != "tag":
            bar = kind == "bar"
            closer = _BAR_CLOSERS[match["bar"].lower()] if bar else _CLOSERS[kind]
        if closer in self._no_closer_from:
            if match.end() >= self._no_closer_from[closer]:
                return -1
        if kind == "tag":
            close = self._find_closing_tag(match)
        else:
            at = self._seek(closer, match.end())
            close = at + len(closer) if at >= 0 else -1
        if close < 0:
            self._no_closer_from[closer] = match.end()
        return close

    def _find_closing_tag(self, match: re.Match[str]) -> int:
        """The end of the next tag that closes reasoning; -1 if there is none."""
        at = self._tag_from if self._tag_of == match.start() else match.end()
        self._tag_of = match.start()
        while True:
            self._tag_from = at
            at = self._seek("</", at)
            if at < 0:
                return -1
            close = self._match(_REASONING_CLOSE, at)
            if close:
                return close.end()
            at += 2

    # ---------------------------------------------------------------- fences

    def _read_fence(self, at: int) -> tuple[Candidate | None, int]:
        """The fence at ``at``: a candidate if JSON starts in it, and where to go on."""
        text = self.text
        match = _FENCE.match(text, at)
        # up to a line end nothing that comes can change it
        if not self.final and not (match and match["line"] and match.end() < self.end):
            match = self._match(_FENCE, at)
        if not match:
            return None, at + 3
        mark, info, line = match.group("mark", "info", "line")
        mark = mark[:_LONGEST_FENCE]
        behind = match.end()
        attribute = info.endswith("=") and text.startswith('"', behind)
        if attribute and not self.final and text.find("\n", behind) < 0:
            raise Undecided
        label = info.strip().lower()
        start = self._skip_gap(behind)
        is_data = is_json_label(label)
        marked = text.startswith(("`", "~"), start)
        # in code other marks are content: ````markdown holds ```json
        if marked and not (label in _DATA_LABELS or is_data):
            marked = self._has_mark(mark, start)
        if marked and start > at:
            return None, max(start, behind)
        if start < self.end and self._starts_value(start, is_data):
            self.fence_mark = mark
            self.fence_inline = line is None
            limit = self.closing_fence(start, mark, inline=self.fence_inline)
            return Candidate(Span(start, limit), CandidateKind.FENCED, label), start
        if label in _DATA_LABELS or is_data or self.in_code or not line:
            return None, behind
        self.passed_code = True
        return None, self._skip_code(behind, mark)

    def _has_mark(self, mark: str, pos: int) -> bool:
        """Whether the mark of a fence stands at ``pos``."""
        there = self.text[pos : pos + len(mark)]
        if not self.final and len(there) < len(mark) and mark.startswith(there):
            raise Undecided
        return there == mark

    def _skip_gap(self, pos: int) -> int:
        end = skip_gap(self.text, pos, self.end)
        if end >= self.end and not self.final:
            raise Undecided
        return end

    def _starts_value(self, pos: int, is_data: bool) -> bool:
        """Whether the content of a fence begins like a value."""
        ch = self.text[pos]
        if ch in OPENERS:
            return is_data or self._opens(pos)
        return is_data and (ch in "(\"'" or ch.isalnum() or ch == "-")

    def _skip_code(self, pos: int, mark: str) -> int:
        """Where to go on behind a block of code: its closing fence, or the next."""
        at = self._seek(mark, pos)
        if at < 0:
            return self.end
        match = self._match(_CLOSING_FENCE, at)
        return match.end() if match else at

    def closing_fence(self, pos: int, mark: str, *, inline: bool = False) -> int:
        """Where the fence that opened before ``pos`` closes; the end if it does not."""
        if not self.final:
            return self.end
        text, marks = self.text, self._marks
        if mark != self._marks_are or pos < self._marks_from:
            marks.clear()
        self._marks_are, self._marks_from = mark, pos
        while marks and marks[0][0] < pos:
            marks.popleft()
        at = pos
        for number in range(_FENCE_TRIES):
            if number == len(marks):
                at = find_fence(text, mark, at, self.end)
                if at < 0:
                    break
                marks.append((at, _CLOSING_FENCE.match(text, at) is not None))
            at, may_close = marks[number]
            if may_close and _may_stand(text, pos, at, inline):
                return at
            at += len(mark)
        return self.end

    # -------------------------------------------------------------- brackets

    def _read_bracket(self, at: int) -> Candidate | None:
        """A candidate when the bracket at ``at`` opens something like JSON."""
        mark, second = self.text[at], self.text[at + 1 : at + 2]
        if mark in "<◁H":
            return None
        lone = None
        if mark == "[" and (second in "-" or second.isspace() or second.isdigit()):
            lone = self._match(_LONE_NUMBER, at)
        if lone and not self._has_line(at, lone.end()):
            return None
        if not lone and not self._opens(at):
            return None
        before = self.text[max(0, at - _WRAPPER_REACH) : at]
        trimmed = before.rstrip()
        wrapped = _ends_with_wrapper(before, trimmed)
        if not wrapped and self._is_aside(at, trimmed):
            return None
        kind = CandidateKind.WRAPPER if wrapped else CandidateKind.BARE
        return Candidate(Span(at, self.end), kind)

    def _opens(self, at: int) -> bool:
        """Whether a bracket stands at ``at`` that opens something like JSON."""
        if self.text[at] not in OPENERS:
            return False
        match = _OPENS.match(self.text, at)
        if self.final:
            return match is not None
        # the pattern may look at what stands behind blanks and backticks, not further
        after = match.end() if match else self.end
        behind = self.text[after : after + _LOOKED_AT]
        if match and behind.strip(_UNDECIDING):
            return True
        if at + 1 >= self.end:
            self._waits_from = self.end
            raise Undecided
        if match and len(behind) < _LOOKED_AT:
            if after - at <= _NOTHING_BETWEEN:
                self._waits_from = after
            raise Undecided
        if not match and _NO_KEY.match(self.text, at + 1):
            return False  # whatever comes
        return self._match(_OPENS, at) is not None

    def opens_record(self, pos: int) -> int:
        """Where the next value of a list without brackets starts, behind ``pos``.

        -1 if none does.
        """
        text = self.text
        at = pos
        if pos >= self.end or text[pos] not in OPENERS:
            at = self._skip_gap(pos)
            if text[at] == ",":
                at = self._skip_gap(at + 1)
        if not self._opens(at):
            return -1
        return -1 if self._match_marker(at) else at

    def _match_marker(self, at: int) -> re.Match[str] | None:
        """The word in brackets that marks a section, if one stands at ``at``."""
        if self.text[at] != "[":
            return None
        second = self.text[at + 1 : at + 2]
        if not (second in "/[" or second.isupper()):
            return None
        return self._match(_MARKER, at, _LONGEST_TAG)

    def _is_aside(self, at: int, before: str) -> bool:
        """Whether the bracket at ``at`` belongs to the prose or code around it."""
        text = self.text
        if text[at] == "[" and at > 0 and text[at - 1] in _SUBSCRIPTED:
            first = self._skip_gap(at + 1)
            return first >= self.end or text[first] not in OPENERS
        if not before and at <= _WRAPPER_REACH:
            return False  # the reply begins with it
        aside = self._match(_ASIDE, at)
        if not aside or self._has_line(at, aside.end()):
            return False
        if aside["empty"]:
            ends = self._match(_ENDS_SENTENCE, aside.end()) is not None
            return not ends or before.endswith(")")
        notes = [int(note) for note in aside["notes"].split(",")]
        ascending = all(map(lt, notes, notes[1:]))
        return ascending and not before.endswith(_PRESENTS)

    def _has_line(self, at: int, end: int) -> bool:
        """Whether what stands from ``at`` to ``end`` has the line to itself."""
        line = self.text.rfind("\n", max(0, at - _WRAPPER_REACH), at) + 1
        starts = line > 0 or at <= _WRAPPER_REACH
        if not starts or self.text[line:at].strip():
            return False
        return self._match(_ENDS_LINE, end) is not None
