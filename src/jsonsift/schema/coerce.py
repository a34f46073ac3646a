"""The coercer: a value and a node in, the cheapest way to make it fit out.

Each rule is one of ``Rule`` and stands here once.  A value is tried with a node at most
once, so the work is bounded by the size of the value times that of the schema.  The
coercer knows nothing of replies and validators.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

from .._types import Coercion, Risk, Rule
from .nodes import (
    MISSING,
    AnyNode,
    ChoiceNode,
    Field,
    ListNode,
    MapNode,
    Node,
    ObjectNode,
    ScalarNode,
    UnionNode,
    accepts_text,
    find_plain_types,
    fold_text,
    resolve_node,
)
from .outcomes import Misfit, Outcome, Place
from .pairs import make_pairs, read_pairs
from .scalars import (
    Read,
    find_exact,
    read_boolean,
    read_choice,
    read_null,
    read_number,
)

__all__ = ["Coercer", "list_allowed_rules"]

_DEEPEST: Final = 64  # levels of a value that rules are tried on; each takes frames
_REREADS: Final = 3  # levels of JSON in strings in JSON
_TOLD: Final = 8  # misfits kept of one object
_WRONG_KIND: Final = 1000  # how far a value of another kind is from fitting
_WRONG_VALUE: Final = 100  # a value that cannot be read, a field that is missing
_WRONG_TAG: Final = 500  # the one value that tells the type is another
_STRANGE: Final = 10  # an object of which no key is known


@functools.lru_cache(maxsize=64)
def list_allowed_rules(risk: Risk, requested: frozenset[Rule]) -> frozenset[Rule]:
    """The rules up to a risk, and those that were asked for by name."""
    ordinary = {rule for rule in Rule if rule.risk <= risk and not rule.on_request}
    return frozenset(ordinary | requested)


class Coercer:
    """Makes values fit.

    Args:
        allowed: the rules that may be used.
        parse: the value of a JSON text, or None.
        fills: whether missing fields get their defaults here, not by the validator.
        partial: the value is not finished: what is missing or does not fit yet is
            null, or an empty list where a list is wanted.
        open_path: where the text of an unfinished value ends.  A string there is
            shown as far as it has come, a choice or number only when it has ended.
    """

    def __init__(
        self,
        allowed: frozenset[Rule],
        parse: Callable[[str], Any],
        *,
        fills: bool = True,
        partial: bool = False,
        open_path: tuple[str | int, ...] | None = None,
    ) -> None:
        self._allowed = allowed
        self._parse = parse
        self._fills = fills
        self._partial = partial
        self._open_path = open_path
        self._ways: dict[type, Callable[[Place, Any], Outcome]] = {
            AnyNode: self._take_any,
            ScalarNode: self._to_scalar,
            ChoiceNode: self._to_choice,
            ListNode: self._to_list,
            MapNode: self._to_map,
            ObjectNode: self._to_object,
            UnionNode: self._to_union,
        }

    def coerce(self, place: Place, node: Node) -> Outcome:
        """The cheapest way to make the value at ``place`` fit ``node``."""
        node = resolve_node(node)
        known = place.recall(node)
        if known is None:
            if place.depth > _DEEPEST:
                return _misfit(place, node, note=f"within {_DEEPEST} levels")
            place.remember(node, _misfit(place, node))  # should it meet itself
            known = self._ways[type(node)](place, node)
            place.remember(node, known)
        return known

    # ------------------------------------------------------------------- objects

    def _to_object(self, place: Place, node: ObjectNode) -> Outcome:
        value = place.value
        if not isinstance(value, dict):
            return _best(self._from_other(place, node))
        keys = self._match_keys(place, node)
        outcome = self._build_object(place, node, keys)
        if keys.fields or not value:
            return outcome
        return _best(self._from_stranger(place, node, outcome))

    def _from_stranger(
        self, place: Place, node: ObjectNode, outcome: Outcome
    ) -> Iterator[Outcome]:
        """An object of no known key, as what it holds, or as the one field's value."""
        yield outcome._replace(cost=outcome.cost + _STRANGE)
        yield from self._unwrap_key(place, node)
        yield from self._imply_field(place, node)

    def _from_other(self, place: Place, node: ObjectNode) -> Iterator[Outcome]:
        value = place.value
        yield _misfit(place, node)
        if isinstance(value, str):
            yield from self._reread(place, node)
            return
        if isinstance(value, list):
            yield from self._pick_item(place, node)
        if value is not None:
            yield from self._imply_field(place, node)

    def _match_keys(self, place: Place, node: ObjectNode) -> _Keys:
        """Which key of the value is which field: exactly, else but for its form."""
        keys = _Keys()
        for key in place.value:
            field = node.by_key.get(key)
            if field is None:
                keys.others.append(key)
            else:
                keys.fields[field.name] = (field, key)
        if keys.others and self._allows(Rule.KEY_FORM):
            exact, unknown = set(keys.fields), []
            for key in keys.others:
                field = node.find_folded(key)
                if field is None or field.name in exact:
                    unknown.append(key)
                elif field.name in keys.fields:
                    keys.doubled.append(field)
                else:
                    keys.fields[field.name] = (field, key)
            keys.others = unknown
        return keys

    def _build_object(self, place: Place, node: ObjectNode, keys: _Keys) -> Outcome:
        build = _Builder(place)
        for name in node.tags & keys.fields.keys():
            field, key = keys.fields[name]
            tag = self.coerce(place.child(key), field.node)
            if not tag.fits and not self._partial:
                # another type is meant: what else it lacks is of no matter
                build.value[name] = tag.misfits[0]
                build.refuse(tag.misfits[0], _WRONG_TAG)
                return build.outcome()
        for field in keys.doubled:
            build.refuse(Misfit(place, None, f"one key for {field.key!r}"))
        keeps = self._keeps(node)
        missing = [one for one in node.fields if one.name not in keys.fields]
        for field in missing:
            if field.required and not self._partial:
                self._miss_required(build, field)
        if len(build.misfits) == 0 or not self._partial:
            values = {key: field for field, key in keys.fields.values()}
            for key in place.value:
                if key in values:
                    self._add_field(build, values[key], key)
                elif keeps:
                    build.value[key] = place.value[key]
        for field in missing:
            self._fill(build, field)
        if not keeps:
            rule = Rule.FORBIDDEN_KEY if node.extra == "forbid" else Rule.EXTRA_KEY
            for key in keys.others:
                if not self._allows(rule) and not self._partial:
                    build.refuse(Misfit(place.child(key), None, "no such key"))
                build.note(rule, place.child(key), None)
        return build.outcome()

    def _keeps(self, node: ObjectNode) -> bool:
        """Whether unknown keys stay: those to be dropped, too, where no rule may.

        Not where one could be taken for a field that the text calls otherwise.
        """
        dropped = self._partial or self._allows(Rule.EXTRA_KEY)
        if node.extra != "drop" or dropped:
            return node.extra == "keep"
        return all(one.name == one.key for one in node.fields)

    def _add_field(self, build: _Builder, field: Field, key: str) -> None:
        node = resolve_node(field.node)
        if key == field.key and self._is_plain(build.place.value[key], node):
            build.value[field.name] = build.place.value[key]
            return
        child = build.place.child(key)
        part = self.coerce(child, node)
        if not part.fits and self._partial:
            part = Outcome(_blank(field.node))
        if key != field.key:
            build.noted.append(
                Coercion(child.path(), Rule.KEY_FORM, key, field.key),
            )
            build.cost += Rule.KEY_FORM.cost
        build.add(field.name, part)

    def _miss_required(self, build: _Builder, field: Field) -> None:
        is_list = isinstance(resolve_node(field.node), ListNode)
        if is_list and self._allows(Rule.EMPTY_LIST):
            build.value[field.name] = []
            build.note(Rule.EMPTY_LIST, build.place.derive_missing(field.name), [])
        else:
            misfit = Misfit(build.place, field.node, missing=field.key)
            build.value[field.name] = misfit
            build.refuse(misfit)

    def _fill(self, build: _Builder, field: Field) -> None:
        """The default of a field that is not there and need not be."""
        if field.required:
            if self._partial:
                build.value[field.name] = _blank(field.node)
            return
        build.cost += Rule.DEFAULT.cost
        fills = self._fills and self._allows(Rule.DEFAULT)
        if not fills or field.default is MISSING:
            if self._partial:
                build.value[field.name] = None
            return
        default = copy.deepcopy(field.default)
        build.value[field.name] = default
        place = build.place.derive_missing(field.name)
        build.noted.append(Coercion(place.path(), Rule.DEFAULT, None, default))

    def _unwrap_key(self, place: Place, node: Node) -> Iterator[Outcome]:
        """The value of an object's only key: ``{"invoice": {…}}``."""
        if len(place.value) == 1 and self._allows(Rule.ONLY_KEY):
            (key,) = place.value
            inner = place.child(key)
            if isinstance(inner.value, (dict, list)):
                yield _apply(place, Rule.ONLY_KEY, self.coerce(inner, node))

    def _imply_field(self, place: Place, node: ObjectNode) -> Iterator[Outcome]:
        """The value as that of the only field: ``{"n": 1}`` out of ``1``.

        Not where any value would do, nor any text.
        """
        if len(node.fields) == 1 and self._allows(Rule.IMPLIED_FIELD):
            (field,) = node.fields
            if accepts_text(field.node):
                return
            part = self.coerce(place, field.node)
            if part.fits:
                cost = part.cost + Rule.IMPLIED_FIELD.cost
                value = {field.name: part.value}
                yield Outcome(value, cost, place, Rule.IMPLIED_FIELD, (part,))

    # ---------------------------------------------------------------------- maps

    def _to_map(self, place: Place, node: MapNode) -> Outcome:
        if isinstance(place.value, dict):
            if self._are_plain(place.value.values(), node.values):
                return Outcome(place.value, 1)
            build = _Builder(place)
            for key in place.value:
                self._add_item(build, key, place, key, node.values)
            # of a map and an object with these keys the latter says more
            return build.outcome(at_least=1)
        return _best(self._map_from_other(place, node))

    def _map_from_other(self, place: Place, node: MapNode) -> Iterator[Outcome]:
        yield _misfit(place, node)
        if isinstance(place.value, str):
            yield from self._reread(place, node)
        elif isinstance(place.value, list):
            pairs = read_pairs(place)
            if pairs is not None and self._allows(Rule.PAIRS):
                build = _Builder(place)
                for key, child in pairs.items():
                    self._add_item(build, key, *child, node.values)
                yield build.outcome(Rule.PAIRS)
            else:
                yield from self._pick_item(place, node)

    def _add_item(
        self,
        build: _Builder,
        name: str | int,
        place: Place,
        key: str | int,
        node: Node,
    ) -> None:
        """The value at ``key`` into a map or list; a bad one is dropped when asked."""
        node = resolve_node(node)
        if self._is_plain(place.value[key], node):
            build.value[name] = place.value[key]
            return
        part = self.coerce(place.child(key), node)
        if not part.fits:
            if self._partial:
                return
            if self._allows(Rule.DROP_ITEM):
                build.note(Rule.DROP_ITEM, place.child(key), None)
                return
        build.add(name, part)

    def _is_plain(self, value: Any, node: Node) -> bool:
        """Whether the value fits as it is, so that nothing needs to be tried."""
        return type(value) in find_plain_types(node) and self._open_path is None

    def _are_plain(self, values: Collection[Any], node: Node | None) -> bool:
        """Whether all of them fit as they are."""
        if node is None or self._open_path is not None:
            return False
        return find_plain_types(resolve_node(node)).issuperset(map(type, values))

    # --------------------------------------------------------------------- lists

    def _to_list(self, place: Place, node: ListNode) -> Outcome:
        if isinstance(place.value, list):
            return self._from_list(place, node)
        return _best(self._list_from_other(place, node))

    def _from_list(self, place: Place, node: ListNode) -> Outcome:
        items = place.value
        wrong = len(items) < max(node.least, len(node.first))
        if wrong or (node.items is None and len(items) > len(node.first)):
            if not self._partial:
                return _misfit(place, node, _WRONG_VALUE, "of the right length")
        if not node.first and self._are_plain(items, node.items):
            return Outcome(items)
        build = _Builder(place)
        for at in range(len(items)):
            inner = node.first[at] if at < len(node.first) else node.items
            if inner is not None:
                self._add_item(build, at, place, at, inner)
        return build.outcome(as_list=True)

    def _list_from_other(self, place: Place, node: ListNode) -> Iterator[Outcome]:
        value = place.value
        yield _misfit(place, node)
        if value is None:
            return
        if isinstance(value, str):
            yield from self._reread(place, node)
        if isinstance(value, dict):
            yield from self._list_pairs(place, node)
            yield from self._unwrap_key(place, node)
        if node.items is not None and node.least <= 1 and not node.first:
            if self._allows(Rule.WRAP_IN_LIST):
                inner = place if place.reply is None else place.derive(value)
                part = self.coerce(inner, node.items)
                if part.fits:
                    rule = Rule.WRAP_IN_LIST
                    # of a reply's values one that is a list is meant before others
                    alone = _WRONG_VALUE if place.depth == 0 else 0
                    cost = part.cost + rule.cost + alone
                    yield Outcome([part.value], cost, place, rule, (part,))

    def _list_pairs(self, place: Place, node: ListNode) -> Iterator[Outcome]:
        """An object as the list of its pairs, or as a named tuple's values."""
        if not self._allows(Rule.PAIRS):
            return
        value = place.value
        if node.names:
            keys = {fold_text(key): key for key in value}
            names = [name for name in map(fold_text, node.names) if name in keys]
            if names == [fold_text(name) for name in node.names[: len(keys)]]:
                build = _Builder(place)
                for name, inner in zip(names, node.first, strict=False):
                    self._add_item(build, name, place, keys[name], inner)
                if len(names) >= node.least:
                    yield build.outcome(Rule.PAIRS, as_list=True)
            return
        pair = resolve_node(node.items) if node.items is not None else None
        listed = place.derive(make_pairs(value, pair))
        if value and listed.value:
            yield _apply(place, Rule.PAIRS, self._from_list(listed, node))

    def _pick_item(self, place: Place, node: Node) -> Iterator[Outcome]:
        """The only item of a list, or the only one that fits."""
        count = len(place.value)
        rule = Rule.ONLY_ITEM if count == 1 else Rule.ONE_OF_LIST
        if not count or not self._allows(rule):
            return
        fitting: Outcome | None = None
        for at in range(count):
            outcome = self.coerce(place.child(at), node)
            if count == 1 or (outcome.fits and fitting is None):
                fitting = outcome
            elif outcome.fits:
                yield _misfit(place, node, _WRONG_VALUE, "but several items fit")
                return
        if fitting is not None:
            yield _apply(place, rule, fitting)

    # -------------------------------------------------------------------- unions

    def _to_union(self, place: Place, node: UnionNode) -> Outcome:
        best = _misfit(place, node)
        failed: list[Outcome] = []
        for arm in node.arms:
            outcome = self.coerce(place, arm)
            if outcome.fits and outcome.cost == 0:
                return outcome
            closer = outcome.fits > best.fits or (
                outcome.fits == best.fits and outcome.cost < best.cost
            )
            best = outcome if closer else best
            failed.append(outcome)
        return best if best.fits else _name_all(best, failed)

    def _take_any(self, place: Place, node: AnyNode) -> Outcome:
        is_text = place.reply is not None
        return _misfit(place, node) if is_text else Outcome(place.value)

    # ------------------------------------------------------------------- scalars

    def _is_open(self, place: Place) -> bool:
        """Whether the text breaks off within this very value."""
        path = self._open_path
        return path is not None and place.depth == len(path) and place.path() == path

    def _to_choice(self, place: Place, node: ChoiceNode) -> Outcome:
        value = place.value
        if self._is_open(place):
            return _misfit(place, node)
        if not isinstance(value, (dict, list)):
            exact = find_exact(value, node)
            if exact is not None:
                return Outcome(exact.value)
            text = value if isinstance(value, str) else place.text()
            return self._use(place, node, read_choice(text, node))
        return _best(self._choice_from_other(place, node))

    def _choice_from_other(self, place: Place, node: ChoiceNode) -> Iterator[Outcome]:
        yield _misfit(place, node)
        if isinstance(place.value, list):
            yield from self._pick_item(place, node)
        elif len(place.value) == 1 and self._allows(Rule.ONLY_KEY):
            (key,) = place.value
            inner = place.child(key)
            if not isinstance(inner.value, (dict, list)):
                yield _apply(place, Rule.ONLY_KEY, self.coerce(inner, node))

    def _to_scalar(self, place: Place, node: ScalarNode) -> Outcome:
        value = place.value
        if node.kind == "string":
            return self._to_string(place, node)
        if self._is_open(place):
            return _misfit(place, node)
        if _is_kind(value, node.kind):
            return Outcome(value)
        if isinstance(value, list) and node.kind != "null":
            return _best([_misfit(place, node), *self._pick_item(place, node)])
        if isinstance(value, str):
            return self._use(place, node, self._read_text(value, node))
        if node.kind == "integer" and isinstance(value, float) and value.is_integer():
            return self._use(place, node, Read(int(value), Rule.WHOLE_FLOAT))
        if node.kind == "boolean" and value in (0, 1) and value is not None:
            if not isinstance(value, (dict, list)):
                return self._use(place, node, Read(bool(value), Rule.BOOLEAN_NUMBER))
        return _misfit(place, node)

    def _read_text(self, text: str, node: ScalarNode) -> Read | None:
        if node.kind == "boolean":
            return read_boolean(text)
        if node.kind == "null":
            return read_null(text)
        read = read_number(text)
        if read is None:
            return None
        return _as_kind(read, node)

    def _use(self, place: Place, node: Node, read: Read | None) -> Outcome:
        """What a text was read as, if its rule is allowed."""
        if read is None or not self._allows(read.rule):
            return _misfit(place, node, _WRONG_VALUE)
        return Outcome(read.value, read.rule.cost, place, read.rule)

    def _to_string(self, place: Place, node: ScalarNode) -> Outcome:
        value = place.value
        if place.reply is not None:
            wrapped = place.parent is not None
            # a format is checked by the validator of a type, not by that of a schema
            unchecked = bool(node.format) and self._fills
            if unchecked or wrapped or not self._allows(Rule.REPLY_AS_TEXT):
                return _misfit(place, node)
            text = place.reply.strip() if node.format else place.reply
            outcome = Outcome(text, 0, place, Rule.REPLY_AS_TEXT)
            return _check_text(outcome, place, node)
        if isinstance(value, str):
            return _check_text(Outcome(value), place, node)
        if place.depth == 0 or value is None or node.format:
            return _misfit(place, node)  # a reply that is wanted as text is text
        return _best(self._texts_of(place, node))

    def _texts_of(self, place: Place, node: ScalarNode) -> Iterator[Outcome]:
        """A value that is no string as its text, or as the one string in a list."""
        yield _misfit(place, node)
        composite = isinstance(place.value, (dict, list))
        rule = Rule.TEXT_OF_VALUE if composite else Rule.TEXT_OF_SCALAR
        if isinstance(place.value, list) and len(place.value) == 1:
            yield from self._pick_item(place, node)
        if self._allows(rule):
            outcome = Outcome(place.text(), rule.cost, place, rule)
            yield _check_text(outcome, place, node)

    # ------------------------------------------------------------------- reading

    def _reread(self, place: Place, node: Node) -> Iterator[Outcome]:
        """A string that holds JSON, as what it holds."""
        text = place.value.strip()
        if place.reply is not None or text[:1] not in ("{", "[", "`"):
            return
        if place.rereads >= _REREADS or not self._allows(Rule.JSON_TEXT):
            return
        if place.reparsed is None:
            place.reparsed = place.derive(self._parse(text))
        if isinstance(place.reparsed.value, (dict, list)):
            yield _apply(place, Rule.JSON_TEXT, self.coerce(place.reparsed, node))

    def _allows(self, rule: Rule) -> bool:
        return rule in self._allowed


class _Keys:
    """Which keys of an object are which fields."""

    def __init__(self) -> None:
        self.fields: dict[str, tuple[Field, str]] = {}
        self.others: list[str] = []
        self.doubled: list[Field] = []


class _Builder:
    """An object or list in the making."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.value: dict[str | int, Any] = {}
        self.cost = 0
        self.parts: list[Outcome] = []
        self.noted: list[Coercion] = []
        self.misfits: list[Misfit] = []

    def add(self, key: str | int, part: Outcome) -> None:
        """Take one part in, fitting or not."""
        self.value[key] = part.value
        self.cost += part.cost
        if part.rule is not None or part.parts or part.noted:
            self.parts.append(part)
        self.misfits.extend(part.misfits[: _TOLD - len(self.misfits)])

    def note(self, rule: Rule, place: Place, after: Any) -> None:
        """Note what was done beside the parts."""
        self.cost += rule.cost
        self.noted.append(Coercion(place.path(), rule, place.value, after))

    def refuse(self, misfit: Misfit, cost: int = _WRONG_VALUE) -> None:
        """Note what is wrong here."""
        self.cost += cost
        if len(self.misfits) < _TOLD:
            self.misfits.append(misfit)

    def outcome(
        self, rule: Rule | None = None, *, as_list: bool = False, at_least: int = 0
    ) -> Outcome:
        """What came of it."""
        return Outcome(
            list(self.value.values()) if as_list else self.value,
            max(self.cost, at_least) + (rule.cost if rule is not None else 0),
            self.place,
            rule,
            tuple(self.parts),
            tuple(self.noted),
            tuple(self.misfits),
        )


def _misfit(
    place: Place, node: Node, cost: int = _WRONG_KIND, note: str = ""
) -> Outcome:
    misfit = Misfit(place, node, note)
    return Outcome(misfit, cost, place, misfits=(misfit,))


def _name_all(best: Outcome, failed: list[Outcome]) -> Outcome:
    """The closest arm's failure, with all that the arms want at the first place."""
    first = best.misfits[0]
    wanted = [
        misfit.wanted
        for outcome in failed
        for misfit in outcome.misfits
        if misfit.place is first.place and misfit.missing == first.missing
    ]
    if len(set(wanted)) < 2:
        return best
    joined = " or ".join(dict.fromkeys(wanted[:_TOLD]))
    named = first._replace(node=None, note=joined)
    return best._replace(misfits=(named, *best.misfits[1:]))


def _apply(place: Place, rule: Rule, inner: Outcome) -> Outcome:
    """The outcome of a part, as that of the whole."""
    return Outcome(
        inner.value,
        inner.cost + rule.cost,
        place,
        rule,
        (inner,),
        misfits=inner.misfits,
    )


def _best(outcomes: Iterable[Outcome]) -> Outcome:
    """The cheapest that fits, else the one that is closest to fitting."""
    return min(outcomes, key=lambda one: (not one.fits, one.cost))


def _check_text(outcome: Outcome, place: Place, node: ScalarNode) -> Outcome:
    """The outcome, if its text is within the limits of the node."""
    text = outcome.value
    if len(text) < node.least or (node.most is not None and len(text) > node.most):
        return _misfit(place, node, _WRONG_VALUE, "of the right length")
    if node.pattern is not None and node.pattern.search(text) is None:
        return _misfit(place, node, _WRONG_VALUE, f"matching {node.pattern.pattern}")
    return outcome


def _is_kind(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    return isinstance(value, int if kind == "integer" else (int, float))


def _as_kind(read: Read, node: ScalarNode) -> Read | None:
    """A number as the node wants it, if it is one."""
    number = read.value
    if node.format == "decimal":
        return Read(str(number), read.rule)
    if isinstance(number, int):
        return read
    if node.kind == "integer":
        whole = isinstance(number, Decimal) and number == number.to_integral_value()
        return Read(int(number), read.rule) if whole else None
    double = float(number)
    return Read(double, read.rule) if math.isfinite(double) else None


def _blank(node: Node) -> Any:
    """What stands for a value that has not come yet."""
    return [] if isinstance(resolve_node(node), ListNode) else None
