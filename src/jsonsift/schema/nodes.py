"""What a schema asks for, as a small tree of nodes: the one form that rules work on.

A node says what kind of value is wanted and which texts name it.  It knows nothing of
replies, of rules or of the validator that has the last word; what it cannot express it
leaves open (``AnyNode``), and the validator decides.  Nodes are compared by identity.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias

__all__ = [
    "MISSING",
    "AnyNode",
    "Choice",
    "ChoiceNode",
    "Field",
    "ListNode",
    "MapNode",
    "Node",
    "ObjectNode",
    "RefNode",
    "ScalarNode",
    "UnionNode",
    "accepts_text",
    "find_node",
    "find_plain_types",
    "fold_text",
    "list_arms",
    "read_mapping",
    "resolve_node",
    "strip_accents",
]

MISSING: Final[Any] = object()  # a field without a default
_PLAIN: Final = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "null": frozenset({type(None)}),
}


def strip_accents(text: str) -> str:
    """The text without the marks of its letters: ``señor`` is ``senor``."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(ch for ch in parts if not unicodedata.combining(ch))


def fold_text(text: str) -> str:
    """The text as it is compared: no accents, case, space or punctuation.

    Text of nothing else, such as ``+``, folds to the empty text and is equal to none.
    """
    return _fold_key(text) if len(text) <= _KEY_LENGTH else _fold(text)


def _fold(text: str) -> str:
    return "".join(ch for ch in strip_accents(text).casefold() if ch.isalnum())


_KEY_LENGTH: Final = 64
_fold_key: Final = lru_cache(maxsize=4096)(_fold)


@dataclass(eq=False, slots=True)
class AnyNode:
    """Any value."""

    wanted: str = "any value"


@dataclass(eq=False, slots=True)
class ScalarNode:
    """A string, integer, number, boolean or null, within the limits given.

    ``format`` is that of JSON Schema; "decimal" is a number that keeps its digits.
    """

    kind: str
    format: str = ""
    pattern: re.Pattern[str] | None = None
    least: int = 0  # characters
    most: int | None = None

    @property
    def plain(self) -> frozenset[type]:
        """The Python types whose values fit as they are, whatever they are."""
        if self.pattern is not None or self.least or self.most is not None:
            return frozenset()
        return _PLAIN[self.kind]

    @property
    def wanted(self) -> str:
        """The kind in words."""
        if self.kind == "string" and self.format:
            return f"a string ({self.format})"
        article = "an" if self.kind == "integer" else "a"
        return "null" if self.kind == "null" else f"{article} {self.kind}"


@dataclass(eq=False, slots=True)
class Choice:
    """One value of an enum or literal; ``texts`` are what may stand for it.

    ``names`` stand for it too, but are not the value itself; an alias replaces the
    value, which then stands for it no longer.
    """

    value: Any
    texts: tuple[str, ...]
    names: tuple[str, ...] = ()
    description: str = ""
    aliased: bool = False


@dataclass(eq=False, slots=True)
class ChoiceNode:
    """An enum or literal: one of some values."""

    choices: tuple[Choice, ...]
    _finders: tuple[re.Pattern[str], ...] | None = None
    _named: dict[str, Choice] | None = None
    _folded: dict[str, Choice | None] | None = None

    @property
    def wanted(self) -> str:
        """The values, the first dozen of them."""
        shown = [repr(c.texts[0] if c.aliased else c.value) for c in self.choices[:12]]
        if len(self.choices) > 12:
            shown.append("…")
        return shown[0] if len(shown) == 1 else "one of " + ", ".join(shown)

    @property
    def finders(self) -> tuple[re.Pattern[str], ...]:
        """Patterns that find the texts as words, as they are written and in any case.

        They run on text without accents; of two at one place the longer is found.
        """
        if self._finders is None:
            texts = filter(fold_text, (text for text, _ in self._list_texts()))
            ordered = sorted(set(texts), key=lambda text: (-len(text), text))
            body = "|".join(map(_as_words, ordered))
            exact, loose = re.compile(body), re.compile(body, re.IGNORECASE)
            self._finders = (exact, loose) if ordered else ()
        return self._finders

    def find_named(self, text: str) -> Choice | None:
        """The choice that a finder's match is."""
        if self._named is None:
            self._named = dict(reversed(self._list_texts()))
        return self._named.get(text) or self.find_folded(text)

    def _list_texts(self) -> list[tuple[str, Choice]]:
        """All texts and names, without accents, with what they stand for."""
        texts = [(strip_accents(t), c) for c in self.choices for t in c.texts]
        names = [(strip_accents(t), c) for c in self.choices for t in c.names]
        return texts + names

    def find_folded(self, text: str) -> Choice | None:
        """The choice that one of its texts or names is, but for form; if only one."""
        if self._folded is None:
            self._folded = {}
            for choice in self.choices:
                for one in (*choice.texts, *choice.names):
                    key = fold_text(one)
                    known = self._folded.get(key, choice)
                    self._folded[key] = choice if known is choice else None
        return self._folded.get(fold_text(text)) if fold_text(text) else None


def _as_words(text: str) -> str:
    """A pattern of the text as whole words, the signs between them optional."""
    words = re.findall(r"[^\W_]+", text)
    body = r"[\W_]{0,3}".join(map(re.escape, words))
    before = r"(?<!\w)" if _needs_space(words[0][0]) else ""
    after = r"(?!\w)" if _needs_space(words[-1][-1]) else ""
    return f"{before}{body}{after}"


def _needs_space(ch: str) -> bool:
    """Whether words of this script are parted by spaces: not Thai, Lao, Khmer, CJK."""
    return ch < "\u0e00" or "\u0f00" <= ch < "\u1000" or "\u10a0" <= ch < "\u1780"


@dataclass(eq=False, slots=True)
class ListNode:
    """A list: of ``items``, or a tuple of ``first`` and then ``items``.

    ``names`` are those of a named tuple.
    """

    items: Node | None
    first: tuple[Node, ...] = ()
    names: tuple[str, ...] = ()
    least: int = 0

    @property
    def wanted(self) -> str:
        """In words."""
        return f"a list of {len(self.first)} values" if self.first else "a list"


@dataclass(eq=False, slots=True)
class MapNode:
    """An object whose keys are data."""

    values: Node

    @property
    def wanted(self) -> str:
        """In words."""
        return "an object"


@dataclass(eq=False, slots=True)
class Field:
    """A field of an object.

    ``key`` is how the text writes it (its alias, if it has one), ``name`` how the
    value is made with it, ``others`` are further names that a model may use.
    """

    name: str
    key: str
    node: Node
    required: bool
    default: Any = MISSING
    others: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class ObjectNode:
    """An object with fields; ``extra`` says what becomes of unknown keys.

    They are dropped ("drop"), kept ("keep"), or not allowed ("forbid").
    """

    title: str
    fields: tuple[Field, ...]
    extra: str = "drop"
    by_key: dict[str, Field] = field(default_factory=dict)
    _folded: dict[str, Field | None] | None = None
    _tags: frozenset[str] | None = None

    @property
    def wanted(self) -> str:
        """In words, with the names of some fields."""
        keys = ", ".join(repr(one.key) for one in self.fields[:8])
        more = ", …" if len(self.fields) > 8 else ""
        return f"an object with {keys}{more}" if keys else "an object"

    @property
    def tags(self) -> frozenset[str]:
        """The names of the fields that can have one value only: they tell the type."""
        if self._tags is None:
            self._tags = frozenset(
                one.name
                for one in self.fields
                if isinstance(node := resolve_node(one.node), ChoiceNode)
                and len(node.choices) == 1
            )
        return self._tags

    def set_fields(self, fields: Iterable[Field]) -> None:
        """Fill in the fields: a recursive object is known before its fields are."""
        self.fields = tuple(fields)
        self.by_key = {one.key: one for one in self.fields}

    def find_folded(self, key: str) -> Field | None:
        """The field that the key names in another form, or by another name."""
        if self._folded is None:
            self._folded = {}
            for one in self.fields:
                for text in (one.key, *one.others):
                    folded = fold_text(text)
                    known = self._folded.get(folded, one)
                    self._folded[folded] = one if known is one else None
        folded = fold_text(key)
        return self._folded.get(folded) if folded else None


@dataclass(eq=False, slots=True)
class UnionNode:
    """One of several; with no arm, nothing fits."""

    arms: tuple[Node, ...]
    _plain: frozenset[type] | None = None

    @property
    def plain(self) -> frozenset[type]:
        """The types that fit as they are by one arm, and by none as something else."""
        if self._plain is None:
            self._plain = frozenset()  # should it hold itself
            arms = [resolve_node(arm) for arm in self.arms]
            if not any(isinstance(arm, ChoiceNode) for arm in arms):
                self._plain = frozenset().union(*map(find_plain_types, arms))
        return self._plain

    @property
    def wanted(self) -> str:
        """In words, each once."""
        words = dict.fromkeys(resolve_node(arm).wanted for arm in self.arms[:8])
        return " or ".join(words) or "nothing"


@dataclass(eq=False, slots=True)
class RefNode:
    """A node that is known by its name, so that types can hold themselves."""

    name: str
    target: Node | None = None

    @property
    def wanted(self) -> str:
        """What the name stands for."""
        node = resolve_node(self)
        return node.wanted


Node: TypeAlias = (
    AnyNode
    | ScalarNode
    | ChoiceNode
    | ListNode
    | MapNode
    | ObjectNode
    | UnionNode
    | RefNode
)

_ANY: Final = AnyNode()


def resolve_node(node: Node) -> Node:
    """The node itself, behind its names; any value when names go round in circles."""
    seen = 0
    while isinstance(node, RefNode):
        seen += 1
        if node.target is None or seen > 64:
            return _ANY
        node = node.target
    return node


def find_plain_types(node: Node) -> frozenset[type]:
    """The types of scalars that fit a node as they are: most values do."""
    if isinstance(node, (ScalarNode, UnionNode)):
        return node.plain
    return frozenset()


def list_arms(node: Node) -> Iterator[Node]:
    """The arms of a union, those of unions in it too, each once."""
    stack, seen = [node], set()
    while stack:
        one = resolve_node(stack.pop())
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, UnionNode):
            stack.extend(reversed(one.arms))
        else:
            yield one


def find_node(
    node: Node, path: tuple[str | int, ...]
) -> tuple[tuple[str | int, ...], Node]:
    """What is wanted at a path, and the path without the names of a union's arms.

    A validator puts such names into it, to tell which arm it speaks of.
    """
    known: list[str | int] = []
    for at, step in enumerate(path):
        arms = list(list_arms(node))
        below = [part for arm in arms for part in _list_parts(arm, step)]
        if below:
            known.append(step)
            node = below[0] if len(below) == 1 else UnionNode(tuple(below))
        elif len(arms) < 2:
            return (*known, *path[at:]), _ANY
    return tuple(known), node


def _list_parts(node: Node, step: str | int) -> Iterator[Node]:
    """What a node wants at a key or index, if it has such."""
    if isinstance(node, ObjectNode) and isinstance(step, str):
        field = node.by_key.get(step)
        if field is not None:
            yield field.node
    elif isinstance(node, MapNode):
        yield node.values
    elif isinstance(node, ListNode) and isinstance(step, int):
        inner = node.first[step] if step < len(node.first) else node.items
        if inner is not None:
            yield inner
    elif isinstance(node, AnyNode):
        yield node


def accepts_text(node: Node) -> bool:
    """Whether any plain string fits."""
    return any(
        isinstance(arm, AnyNode)
        or (isinstance(arm, ScalarNode) and arm.kind == "string" and not arm.format)
        for arm in list_arms(node)
    )


def read_mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: schemas may hold anything."""
    return value if isinstance(value, Mapping) else {}
