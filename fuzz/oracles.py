"""Does any text break a promise?  Each oracle asks one question of a text.

Texts come from Hypothesis (the strategies of the test suite, new examples for each
seed) and from the corpus, mutated.  What fails is made small, and printed so that it
can become a case.
"""

from __future__ import annotations

import gc
import inspect
import json
import random
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import jsonsift
from jsonsift._build import BUILD
from tests import test_properties
from tests.every_way import (
    BUILDS,
    assert_chunks_agree,
    assert_outcome,
    is_same,
    run_call,
    use_build,
)

from .cases import read_families, read_replies
from .mutate import mutate_text, shrink
from .report import clock

__all__ = ["ORACLES", "QUICK", "fails", "run"]

Oracle = Callable[[str], None]

_LONG: Final = 100_000  # characters whose work is measured
# Times as many bytes: growth --memory allows 17 times on 4 MB, resident; here what is
# reserved counts too, such as the parser's room for values, which grows by copies, and
# a value that is refused in the end: of empty lists it is 54 times the text.
_MOST_WORK: Final = 64

_OPTIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"repair": "safe"},
    {"repair": "off"},
    {"pick": "first"},
    {"pick": "last"},
    {"reasoning": "fallback"},
    {"max_depth": 3},
    {"parse_int": str},
)


def raises_only_documented_errors(text: str) -> None:
    """Does a foreign exception leave a public call?"""
    for options in _OPTIONS:
        for call in (jsonsift.extract, jsonsift.extract_all, jsonsift.loads):
            if not options.keys() <= inspect.signature(call).parameters.keys():
                continue
            try:
                call(text, **options)
            except jsonsift.JSONSiftError as error:
                str(error)
    for data in (
        text.encode("utf-8", "surrogatepass"),
        text.encode("utf-16-le", "replace"),
    ):
        jsonsift.decode(data)
        with suppress(jsonsift.JSONSiftError):
            jsonsift.extract_json(data)
    jsonsift.clean_text(text)


def agrees_with_json_loads(text: str) -> None:
    """Is valid JSON anything but what json.loads says, or edited?"""
    try:
        value = json.loads(text)
        json.dumps(value).encode()
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return  # no JSON; or a lone surrogate, which becomes U+FFFD by our rules
    outcome = run_call(jsonsift.loads, text)
    if outcome.error == "LimitError":
        return
    assert is_same(outcome.value, value), (outcome, value)
    if isinstance(value, (dict, list)):
        found = jsonsift.extract(text)
        assert is_same(found.value, value)
        assert found.edits == ()


def replays(text: str) -> None:
    """Do the edits, applied, give the text that loads to the value?"""
    for call in (jsonsift.extract, jsonsift.extract_all):
        run_call(call, text)  # replays all edits of what it gets


def writes_json(text: str) -> None:
    """Does the rewriter write what is no JSON?"""
    test_properties.assert_writes_json(text[:1_000])


def is_the_same_in_chunks(text: str) -> None:
    """Does the rewriter give another answer when it is fed in pieces?"""
    assert_chunks_agree(text[:1_000])


def is_the_same_in_both_builds(text: str) -> None:
    """Do the pure and the compiled build differ?"""
    for call in (jsonsift.extract, jsonsift.extract_all, jsonsift.loads):
        outcomes = []
        for name in BUILDS:
            with use_build(name):
                outcomes.append(run_call(call, text))
        assert_outcome(outcomes[0], outcomes[-1], call.__name__)


def is_idempotent(text: str) -> None:
    """Is repaired text repaired again into something else?"""
    outcome = run_call(jsonsift.loads, text)
    if outcome.error:
        return
    repaired = jsonsift.repair_json(text)
    assert is_same(jsonsift.loads(repaired), outcome.value), repaired
    assert jsonsift.repair_json(repaired) == repaired


def honours_limits(text: str) -> None:
    """Does a value come out that is deeper, or a text go in that is longer?"""
    for call in (jsonsift.extract, jsonsift.loads):
        outcome = run_call(call, text, max_depth=3)
        if not outcome.error:
            assert _depth(outcome.value) <= 3, outcome.value
        if text:
            outcome = run_call(call, text, max_length=len(text) - 1)
            assert outcome.error == "LimitError", outcome


def _depth(value: Any) -> int:
    deepest, stack = 0, [(value, 1)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, (dict, list)):
            deepest = max(deepest, depth)
            inner = value.values() if isinstance(value, dict) else value
            stack.extend((one, depth + 1) for one in inner)
    return deepest


def keeps_memory_small(text: str) -> None:
    """Does the work on a text take more memory than a multiple of it?"""
    long = text * (_LONG // max(1, len(text)))
    allowed = _MOST_WORK * max(sys.getsizeof(long), _LONG)
    for call in (jsonsift.extract_all, jsonsift.loads):
        with suppress(jsonsift.JSONSiftError):
            call(text)  # what is made once, such as patterns, is made now
        work = _measure_work(call, long)
        assert work <= allowed, f"{call.__name__}: {work:,} bytes for {len(long):,}"


def _measure_work(call: Callable[[str], Any], text: str) -> int:
    """Bytes that a call took at once, beside what it returned."""
    gc.collect()  # what others left would be freed in the call
    tracemalloc.start()
    try:
        result = None
        with suppress(jsonsift.JSONSiftError):
            result = call(text)
        gc.collect()
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del result
    return peak - held


def streams_to_the_same_value(text: str) -> None:
    """Does a stream end with another value than the first of the whole text?"""
    text = text[:600]
    try:
        expected: Any = jsonsift.extract(text, pick="first").value
    except jsonsift.JSONSiftError as error:
        expected = type(error).__name__
    for size in (1, 7, 1_000):
        stream = jsonsift.Stream()
        try:
            for at in range(0, len(text), size):
                stream.feed(text[at : at + size])
            got: Any = stream.close().value
        except jsonsift.JSONSiftError as error:
            got = type(error).__name__
        assert is_same(got, expected), (size, got, expected)


def _list_oracles() -> tuple[Oracle, ...]:
    oracles: list[Oracle] = [
        raises_only_documented_errors,
        agrees_with_json_loads,
        replays,
        writes_json,
        is_the_same_in_chunks,
        is_idempotent,
        honours_limits,
        keeps_memory_small,
        streams_to_the_same_value,
    ]
    if BUILD == "compiled":
        oracles.append(is_the_same_in_both_builds)
    return tuple(oracles)


ORACLES: Final = _list_oracles()
_RARE: Final = {"keeps_memory_small": 20}  # one text in so many, as each is long
QUICK: Final = tuple(oracle for oracle in ORACLES if oracle.__name__ not in _RARE)


# ------------------------------------------------------------------------ the run


def fails(oracle: Oracle, text: str) -> str:
    """What the oracle says of the text; empty when nothing is wrong."""
    try:
        oracle(text)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    return ""


def _try_hypothesis(oracle: Oracle, number: int, examples: int) -> tuple[str, str]:
    """The smallest text that Hypothesis finds, and what it does; or nothing."""
    failing: list[str] = []

    @seed(number)
    @settings(
        max_examples=examples, database=None, deadline=None,
        phases=[Phase.generate, Phase.shrink], report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.one_of(test_properties.hostile, test_properties.damaged,
                     test_properties.broken, test_properties.any_text))  # fmt: skip
    def ask(text: str) -> None:
        if message := fails(oracle, text):
            failing[:] = [text, message]
            raise AssertionError(message)

    try:
        ask()
    except AssertionError:
        return failing[0], failing[1]
    return "", ""


def _try_mutants(
    oracle: Oracle, texts: Sequence[str], dice: random.Random, count: int
) -> tuple[str, str]:
    """The first mutated case that fails, made small; or nothing."""
    for _ in range(count):
        text = mutate_text(dice.choice(texts), texts, dice)
        if message := fails(oracle, text):
            kind = message.split(":")[0]
            small = shrink(text, partial(_fails_alike, oracle, kind))
            return small, fails(oracle, small)
    return "", ""


def _fails_alike(oracle: Oracle, kind: str, text: str) -> bool:
    return fails(oracle, text).startswith(kind)


def run(seconds: float, number: int) -> tuple[list[dict[str, Any]], bool]:
    """Ask all questions in turn until the time is over; print what failed."""
    dice = random.Random(number)
    texts = [*read_replies(), *(family.build(400) for family in read_families())]
    found: list[dict[str, Any]] = []
    known: set[tuple[str, str]] = set()
    asked = 0
    with clock(seconds, "oracles") as running:
        while running.runs(f"{asked:,} texts, {len(found)} failures"):
            for oracle in ORACLES:
                count = max(1, 40 // _RARE.get(oracle.__name__, 1))
                tried = (
                    _try_hypothesis(oracle, dice.randrange(2**32), count),
                    _try_mutants(oracle, texts, dice, count),
                )
                asked += 2 * count
                for text, message in tried:
                    key = (oracle.__name__, message[:60])
                    if message and key not in known:
                        known.add(key)
                        found.append({"oracle": key[0], "text": text, "says": message})
                        print(f"{key[0]}: {message}\n  {text!r}", flush=True)
    print(f"{asked:,} texts, {len(ORACLES)} questions, {len(found)} failures")
    return found, not found
