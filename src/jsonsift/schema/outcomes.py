"""What comes of making a value fit: places in a value, and outcomes at them.

These are the records of the coercer.  They hold references, never copied lists of what
lies below, so that one outcome costs the same however large the value is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from .._types import Coercion, Rule
from .nodes import Node, resolve_node
from .source import Source

__all__ = ["Misfit", "Outcome", "Place", "list_coercions", "restore_misfits"]


class Place:
    """A value at a path, with all that was worked out about it.

    ``reply`` is the text of the whole reply where the value is the words in it, which
    no parser made a value of.
    """

    __slots__ = (
        "_children",
        "_node",
        "_outcome",
        "_outcomes",
        "depth",
        "key",
        "parent",
        "reparsed",
        "reply",
        "rereads",
        "source",
        "value",
    )

    def __init__(
        self,
        value: Any,
        source: Source | None = None,
        *,
        parent: Place | None = None,
        key: str | int | None = None,
        reply: str | None = None,
    ) -> None:
        self.value = value
        self.source = source
        self.parent = parent
        self.key = key
        self.reply = reply
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.rereads: int = parent.rereads if parent is not None else 0
        self.reparsed: Place | None = None
        # most places are met once, by one node: dicts are made for the others
        self._node: Node | None = None
        self._outcome: Outcome | None = None
        self._outcomes: dict[Node, Outcome] | None = None
        self._children: dict[str | int, Place] | None = None

    def child(self, key: str | int) -> Place:
        """The place of one of the value's parts."""
        if self._children is None:
            self._children = {}
        known = self._children.get(key)
        if known is None:
            known = Place(self.value[key], self.source, parent=self, key=key)
            self._children[key] = known
        return known

    def recall(self, node: Node) -> Outcome | None:
        """What came of trying the node here before."""
        if node is self._node:
            return self._outcome
        return self._outcomes.get(node) if self._outcomes is not None else None

    def remember(self, node: Node, outcome: Outcome) -> None:
        """Keep what came of a node."""
        if self._node is None or self._node is node:
            self._node, self._outcome = node, outcome
        else:
            if self._outcomes is None:
                self._outcomes = {}
            self._outcomes[node] = outcome

    def derive(self, value: Any) -> Place:
        """A place with the same path for what this value's text says."""
        place = Place(value, parent=self, reply=self.reply)
        place.rereads = self.rereads + 1
        return place

    def derive_missing(self, key: str) -> Place:
        """The place of a part that is not there."""
        return Place(None, parent=self, key=key)

    def path(self) -> tuple[str | int, ...]:
        """The keys and indices from the top to here."""
        steps: list[str | int] = []
        place: Place | None = self
        while place is not None:
            if place.key is not None:
                steps.append(place.key)
            place = place.parent
        return tuple(reversed(steps))

    def text(self) -> str:
        """The value as text: as it stands in the reply, else as JSON."""
        found = self.source.text_at(self.path()) if self.source is not None else None
        if found is not None:
            return found
        try:
            return orjson.dumps(self.value).decode()
        except (TypeError, orjson.JSONEncodeError):  # an integer beyond 64 bits
            return str(self.value)


class Misfit(NamedTuple):
    """Why a value does not fit: at a place, or for lack of a key there.

    ``node`` is what was wanted, ``note`` says more, or stands alone without a node.
    """

    place: Place
    node: Node | None
    note: str = ""
    missing: str | None = None

    @property
    def wanted(self) -> str:
        """What was wanted, in words."""
        words = resolve_node(self.node).wanted if self.node is not None else ""
        return ", ".join(filter(None, (words, self.note)))

    def path(self) -> tuple[str | int, ...]:
        """Where something is wrong, or missing."""
        own = self.place.path()
        return own if self.missing is None else (*own, self.missing)


class Outcome(NamedTuple):
    """A value made to fit, or how it does not; the less ``cost``, the closer it is.

    Where a part does not fit, or is missing, its misfit stands in the value.
    ``rule`` is what was done at ``place`` itself (``noted`` several of them), ``parts``
    are the outcomes below.
    """

    value: Any
    cost: int = 0
    place: Place | None = None
    rule: Rule | None = None
    parts: tuple[Outcome, ...] = ()
    noted: tuple[Coercion, ...] = ()
    misfits: tuple[Misfit, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the value can be given to the validator."""
        return not self.misfits


def list_coercions(outcome: Outcome) -> Iterator[Coercion]:
    """All that was done, from the outside inwards."""
    stack = [outcome]
    while stack:
        one = stack.pop()
        if one.rule is not None and one.place is not None:
            yield Coercion(one.place.path(), one.rule, one.place.value, one.value)
        yield from one.noted
        stack.extend(reversed(one.parts))


def restore_misfits(value: Any) -> list[tuple[str | int, ...]]:
    """Put what was found in the place of each misfit in ``value``; their paths.

    The value is that of an outcome which does not fit; what is missing is left out.
    """
    paths: list[tuple[str | int, ...]] = []
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while stack:
        one, path = stack.pop()
        parts = one.items() if isinstance(one, dict) else enumerate(one)
        for key, part in list(parts):
            if isinstance(part, Misfit):
                paths.append((*path, key))
                if part.missing is None:
                    one[key] = part.place.value
                else:
                    del one[key]
            elif isinstance(part, (dict, list)):
                stack.append((part, (*path, key)))
    return paths
