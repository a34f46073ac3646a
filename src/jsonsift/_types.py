"""The records that flow between the rooms: plain, frozen, without behaviour.

Rules of this file: no parsing, no policy, no import of ours.  Every offset is an
index into the reply that the caller holds.
"""

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

__all__ = [
    "Candidate",
    "CandidateKind",
    "Coercion",
    "Edit",
    "EditKind",
    "Extraction",
    "Problem",
    "Repair",
    "Risk",
    "Rule",
    "Span",
    "StageTime",
    "Verdict",
]


class Span(NamedTuple):
    """A half-open range of the reply: ``reply[start:end]``."""

    start: int
    end: int


class Risk(enum.IntEnum):
    """How much a repair guesses; a larger risk is a bolder repair."""

    NONE = 0
    SAFE = 1
    CUT = 2
    GUESS = 3


class Repair(enum.Enum):
    """The ceiling that ``repair=`` puts on the risk of an edit."""

    OFF = "off"
    SAFE = "safe"
    ALL = "all"

    def __init__(self, name: str) -> None:
        # the largest risk that is still allowed
        self.ceiling = {"off": Risk.NONE, "safe": Risk.SAFE, "all": Risk.GUESS}[name]


class EditKind(enum.Enum):
    """What a repair did; docs/repairs.md has a row for each.

    The order is the code that the rewriter writes down, so new kinds go last.
    """

    COMMENT = ("comment", Risk.SAFE)
    COMMA = ("extra-comma", Risk.SAFE)
    QUOTE_MARK = ("quote-mark", Risk.SAFE)
    BARE_KEY = ("bare-key", Risk.SAFE)
    LITERAL = ("literal", Risk.SAFE)
    NUMBER = ("number-form", Risk.SAFE)
    CONTROL = ("control-character", Risk.SAFE)
    MISSING_COMMA = ("missing-comma", Risk.SAFE)
    FULL_WIDTH = ("full-width", Risk.SAFE)
    CONCATENATION = ("concatenation", Risk.SAFE)
    WRAPPER = ("wrapper", Risk.SAFE)
    TUPLE = ("tuple-or-set", Risk.SAFE)
    INVISIBLE = ("odd-space", Risk.SAFE)
    SURROGATE = ("lone-surrogate", Risk.SAFE)
    ELLIPSIS = ("ellipsis", Risk.SAFE)
    JOIN = ("joined-values", Risk.SAFE)
    UNWRAP = ("double-encoding", Risk.SAFE)
    CUT = ("cut-off", Risk.CUT)
    INNER_QUOTE = ("inner-quote", Risk.GUESS)
    MISSING_QUOTE = ("missing-quote", Risk.GUESS)
    MISSING_COLON = ("missing-colon", Risk.GUESS)
    MISSING_VALUE = ("missing-value", Risk.GUESS)
    CLOSER = ("wrong-bracket", Risk.GUESS)
    BARE_VALUE = ("bare-value", Risk.GUESS)
    STRAY_TEXT = ("stray-text", Risk.GUESS)
    ESCAPE = ("invalid-escape", Risk.GUESS)
    ESCAPED_MARKUP = ("escaped-structure", Risk.GUESS)
    ENGINE = ("other-engine", Risk.GUESS)

    label: str
    risk: Risk
    code: int

    def __new__(cls, label: str, risk: Risk) -> "EditKind":
        """A kind whose value is its label."""
        kind = object.__new__(cls)
        kind._value_ = kind.label = label
        kind.risk = risk
        kind.code = len(cls.__members__)
        return kind

    @property
    def sentence(self) -> str:
        """What stands in the text, as the start of an error message."""
        return _SENTENCES[self.label]

    def __repr__(self) -> str:
        return f"EditKind.{self.name}"


_SENTENCES = {
    "comment": "a comment, which JSON has not",
    "extra-comma": "a comma with nothing after or before it",
    "quote-mark": "a string that is not delimited by plain double quotes",
    "bare-key": "a key without quotes",
    "literal": "a literal of another language",
    "number-form": "a number in a form that JSON has not",
    "control-character": "a raw control character inside a string",
    "missing-comma": "no comma between two values",
    "full-width": "a full-width mark in place of an ASCII one",
    "concatenation": "strings joined by a plus sign",
    "wrapper": "a call around a value",
    "tuple-or-set": "a tuple or set in place of an array",
    "odd-space": "white space that JSON does not know",
    "lone-surrogate": "half of a surrogate pair",
    "ellipsis": "an ellipsis in place of data",
    "joined-values": "several values without a list around them",
    "double-encoding": "JSON inside a JSON string",
    "cut-off": "the text ends inside the value",
    "inner-quote": "a quote inside a string that is not escaped",
    "missing-quote": "a string without one of its quotes",
    "missing-colon": "no colon after a key",
    "missing-value": "no value where one was due",
    "wrong-bracket": "a bracket that is missing, surplus or of the wrong kind",
    "bare-value": "words without quotes in place of a value",
    "stray-text": "text that is no part of the JSON",
    "invalid-escape": "an escape that JSON does not know",
    "escaped-structure": "quotes that are escaped outside a string",
    "other-engine": "something that json_repair had to rewrite",
}


class Edit(NamedTuple):
    """Replace ``reply[start:end]`` by ``replacement``; ``kind`` says why."""

    start: int
    end: int
    replacement: str
    kind: EditKind


class Rule(enum.Enum):
    """How a value was made to fit a schema; docs/schemas.md has a row for each.

    ``cost`` adds up: of several readings that fit, the cheapest is taken.  A rule
    that is ``on_request`` loses or adds something, and is used only when its name is
    among those given to ``coerce``.
    """

    KEY_FORM = ("key-form", 1, Risk.SAFE)
    EXTRA_KEY = ("extra-key", 1, Risk.SAFE)
    FORBIDDEN_KEY = ("forbidden-key", 1, Risk.GUESS)
    DEFAULT = ("default", 1, Risk.SAFE)
    NUMBER_TEXT = ("number-text", 1, Risk.SAFE)
    NUMBER_FORMAT = ("number-format", 2, Risk.GUESS)
    NUMBER_IN_TEXT = ("number-in-text", 4, Risk.GUESS)
    WHOLE_FLOAT = ("whole-float", 1, Risk.SAFE)
    BOOLEAN_TEXT = ("boolean-text", 1, Risk.SAFE)
    BOOLEAN_NUMBER = ("boolean-number", 2, Risk.GUESS)
    BOOLEAN_IN_TEXT = ("boolean-in-text", 4, Risk.GUESS)
    NULL_TEXT = ("null-text", 1, Risk.SAFE)
    CHOICE_FORM = ("choice-form", 1, Risk.SAFE)
    CHOICE_NAME = ("choice-name", 1, Risk.SAFE)
    CHOICE_DESCRIPTION = ("choice-description", 2, Risk.GUESS)
    CHOICE_IN_TEXT = ("choice-in-text", 4, Risk.GUESS)
    TEXT_OF_SCALAR = ("text-of-scalar", 2, Risk.SAFE)
    TEXT_OF_VALUE = ("text-of-value", 6, Risk.GUESS)
    REPLY_AS_TEXT = ("reply-as-text", 0, Risk.SAFE)
    WRAP_IN_LIST = ("wrap-in-list", 2, Risk.SAFE)
    ONLY_ITEM = ("only-item", 2, Risk.SAFE)
    ONE_OF_LIST = ("one-of-list", 5, Risk.GUESS)
    LIST_OF_ALL = ("list-of-all", 1, Risk.GUESS)
    JSON_TEXT = ("json-text", 1, Risk.SAFE)
    PAIRS = ("pairs", 2, Risk.SAFE)
    ONLY_KEY = ("only-key", 3, Risk.GUESS)
    IMPLIED_FIELD = ("implied-field", 3, Risk.GUESS)
    DROP_ITEM = ("drop-item", 5, Risk.GUESS)
    EMPTY_LIST = ("empty-list", 20, Risk.GUESS)

    label: str
    cost: int
    risk: Risk
    on_request: bool

    def __new__(cls, label: str, cost: int, risk: Risk) -> "Rule":
        """A rule whose value is its label."""
        rule = object.__new__(cls)
        rule._value_ = rule.label = label
        rule.cost = cost
        rule.risk = risk
        rule.on_request = label in ("drop-item", "empty-list")
        return rule

    def __repr__(self) -> str:
        return f"Rule.{self.name}"


class Coercion(NamedTuple):
    """At ``path`` in the value, ``before`` became ``after`` by ``rule``.

    ``path`` is made of the keys and indices of what was found.
    """

    path: tuple[str | int, ...]
    rule: Rule
    before: Any
    after: Any


class Problem(NamedTuple):
    """Why a value does not fit a schema: ``found`` at ``path`` is not what is wanted.

    When ``missing``, nothing was found at ``path``.
    """

    path: tuple[str | int, ...]
    found: Any
    wanted: str
    missing: bool = False


class Verdict(NamedTuple):
    """How well a value fits what is wanted, in the words of a judge.

    ``exact`` is a fit without any coercion; else the smaller ``cost``, the better.
    ``value`` is the value made to fit.  Without a fit there are ``problems``, and the
    smaller ``cost``, the closer it was; ``reason`` is a validator's own error.
    """

    fits: bool
    exact: bool
    cost: int
    value: Any
    coercions: tuple[Coercion, ...] = ()
    problems: tuple[Problem, ...] = ()
    reason: Exception | None = None


class CandidateKind(enum.Enum):
    """Where in the reply a candidate stood."""

    WHOLE = "whole"
    FENCED = "fenced"
    WRAPPER = "wrapper"
    BARE = "bare"
    REASONING = "reasoning"


class Candidate(NamedTuple):
    """A place in the reply where a JSON value may stand.

    ``span`` starts at the value's first character and ends at the furthest place
    that it may reach.  ``label`` is a fence's info string, in lower case.
    """

    span: Span
    kind: CandidateKind
    label: str = ""


class StageTime(NamedTuple):
    """What one stage of a call cost.

    Attributes:
        ns: nanoseconds, all its runs together.
        runs: how often it ran.
        size: what it read: bytes for "decode"; readings for "choose"; candidates for
            "validate"; characters for "locate", "strict" and "mend".
    """

    ns: int
    runs: int
    size: int


class Extraction:
    """What was found in a reply, and all that was done to read it.

    Attributes:
        value: the Python value, as ``json.loads(text)`` gives it.
        span: the part of the reply that the value was read from.
        text: that part as strict JSON, the edits applied.
        kind: where it stood: whole, fenced, wrapper, bare or reasoning.
        edits: every change, in order, against the reply; empty for valid JSON.
        complete: False when the reply broke off inside the value.
        open_depth: how many containers the cut left open.
        coercions: what made the value fit a schema; ``text`` is what stood before.
        timings: when they were asked for, a ``StageTime`` for each of "decode",
            "locate", "strict", "mend", "choose" and "validate"; else None.
    """

    __slots__ = (
        "_edits",
        "_make_edits",
        "_text",
        "coercions",
        "complete",
        "kind",
        "open_depth",
        "reply",
        "risk",
        "span",
        "timings",
        "value",
    )

    def __init__(
        self,
        value: Any,
        reply: str,
        span: Span,
        kind: CandidateKind,
        *,
        text: str | None = None,
        make_edits: Callable[[], Iterable[Edit]] | None = None,
        risk: Risk = Risk.NONE,
        complete: bool = True,
        open_depth: int = 0,
        timings: Mapping[str, StageTime] | None = None,
    ) -> None:
        self.value = value
        self.reply = reply
        self.span = span
        self.kind = kind
        self.risk = risk
        self.complete = complete
        self.timings = timings
        self._text = text
        self._make_edits = make_edits
        self._edits: tuple[Edit, ...] | None = None if make_edits else ()
        self.open_depth = open_depth
        self.coercions: tuple[Coercion, ...] = ()

    @property
    def text(self) -> str:
        """The value as strict JSON text: the span with the edits applied."""
        if self._text is None:
            self._text = self.reply[self.span.start : self.span.end]
        return self._text

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every change, in order, with offsets into the reply."""
        if self._edits is None:
            self._edits = tuple(self._each_edit())
            self._make_edits = None
        return self._edits

    def _drop_edits(self) -> None:
        """Hold none, nor what can make them: nobody asks for them."""
        self._edits, self._make_edits = (), None

    @property
    def _first_edit(self) -> Edit:
        """The first change, of some; the others are not made."""
        return next(iter(self._each_edit()))

    def _each_edit(self) -> Iterable[Edit]:
        """The same; those that nobody asked for yet are made one at a time."""
        if self._edits is not None:
            return self._edits
        assert self._make_edits is not None
        return self._make_edits()

    @property
    def outcome(self) -> str:
        """In a word what was done, the worst of it: "cut" for what is not complete,
        "repaired", "coerced" for valid JSON made to fit a schema, or "valid".
        """
        if not self.complete:
            return "cut"
        if self.risk:
            return "repaired"
        return "coerced" if self.coercions else "valid"

    @property
    def open_path(self) -> tuple[str | int, ...]:
        """Where the reply broke off, such as ``("items", 3, "name")``."""
        if not self.open_depth:
            return ()
        from ._open_path import find_last_path  # needed by few, and above this room

        return find_last_path(self.text)[: self.open_depth]

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For a pickle or a copy: what is made when it is asked for is made now."""
        state = {name: getattr(self, name) for name in self.__slots__}
        state |= {"_text": self.text, "_edits": self.edits, "_make_edits": None}
        return None, state

    def explain(self, *, color: bool = False) -> str:
        """The reply with what was done to it, for people.

        A line about the value, the reply with what was dropped as ``[-…-]`` and what
        was inserted as ``{+…+}``, and a line a repair.  Of a long stretch without
        repairs the middle is left out, and after 200 repairs the others are counted.
        A console of rich prints an Extraction in this way too.

        Args:
            color: codes for a terminal in place of the marks: dropped text is struck
                through, inserted text is green.

        Raises:
            ImportError: color needs rich (``pip install "jsonsift[report]"``).

        >>> from jsonsift import extract
        >>> print(extract('Sure: {"a": [1, 2,], b: None}!').explain())
        bare value, 23 characters, 4 repairs: 4 safe
        <BLANKLINE>
        Sure: {"a": [1, 2[-,-]], {+"+}b{+"+}: [-None-]{+null+}}!
        <BLANKLINE>
        1:18 safe extra-comma: dropped `,` (a comma with nothing after or before it)
        1:22 safe bare-key: inserted `"` (a key without quotes)
        1:23 safe bare-key: inserted `"` (a key without quotes)
        1:25 safe literal: `None` became `null` (a literal of another language)
        """
        from .report import explain  # needed by few, and above this room

        return explain(self, color=color)

    def __rich__(self) -> Any:
        from .report import make_rich

        return make_rich(self)

    def __repr__(self) -> str:
        state = "" if self.complete else ", cut off"
        return (
            f"<Extraction {self.kind.value} {self.span.start}:{self.span.end}, "
            f"{len(self.edits)} edits{state}>"
        )
