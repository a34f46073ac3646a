"""Stage times and observers: what is told, to whom, and that nobody else notices."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from jsonsift import (
    BrokenJSONError,
    LimitError,
    NoJSONError,
    Record,
    Stream,
    clean_text,
    decode,
    extract,
    extract_all,
    extract_json,
    loads,
    observe,
    repair_json,
)
from jsonsift._observe import OBSERVERS


@pytest.fixture(autouse=True)
def nobody_listens() -> Iterator[None]:
    """A test that leaves an observer behind would spoil the others."""
    assert OBSERVERS == []
    yield
    assert OBSERVERS == []


def watch(call: Any, *arguments: Any, **options: Any) -> Record:
    """The record of one call, which may fail."""
    seen: list[Record] = []
    with observe(seen.append, stages=True), suppress(Exception):
        call(*arguments, **options)
    (record,) = seen
    return record


def test_bytes_have_a_time_for_decoding() -> None:
    """The stages would not add up to the call, or sizes would be of something else."""
    reply = 'So: {"é": 1,} or {"é": 2}'
    found = extract(reply.encode(), timings=True)
    assert found.timings is not None
    assert found.timings["decode"][1:] == (1, len(reply.encode()))
    assert found.timings["locate"].runs >= 2  # each value has its place
    assert found.timings["locate"].size <= len(reply)
    assert found.timings["mend"].size >= len('{"é": 1,}')
    assert found.timings["choose"][1:] == (1, 2)
    assert found.timings["validate"] == (0, 0, 0)


def test_stages_take_no_longer_than_the_call() -> None:
    """A stage would be counted twice."""
    record = watch(extract, "So: " + "{'a': [1, 2,], }, " * 2000)
    assert record.stages is not None
    assert 0 < sum(stage.ns for stage in record.stages.values()) <= record.ns


@pytest.mark.parametrize(
    ("call", "text", "expected"),
    [
        (extract, '{"a": 1}', ("extract", "valid", 1, "whole", {})),
        (extract_json, "x {a: 1}", ("extract", "repaired", 1, "bare", {"bare-key": 2})),
        (extract, '{"a": [1', ("extract", "cut", 1, "whole", {"cut-off": 1})),
        (extract_all, "no", ("extract_all", "no-json", 0, "", {})),
        (
            extract_all,
            'x {"a": 1} y {"a": 2,}',
            ("extract_all", "repaired", 2, "bare", {"extra-comma": 1}),
        ),
        (loads, "None", ("loads", "repaired", 1, "whole", {"literal": 1})),
        (
            repair_json,
            "[1,]",
            ("repair_json", "repaired", 1, "whole", {"extra-comma": 1}),
        ),
        (clean_text, "a\u200b", ("clean_text", "changed", 1, "", {})),
        (clean_text, b"a", ("clean_text", "unchanged", 1, "", {})),
        (decode, b"a", ("decode", "valid", 1, "", {})),
        (decode, b"a \xff b", ("decode", "repaired", 1, "", {})),
    ],
)
def test_what_is_told(call: Any, text: Any, expected: tuple[Any, ...]) -> None:
    """A record would say something else than what happened."""
    record = watch(call, text)
    told = (record.call, record.outcome, record.values, record.kind, dict(record.edits))
    assert told == expected
    assert record.size == len(text)
    assert record.ns > 0
    assert record.error == ""


@pytest.mark.parametrize(
    ("options", "text", "outcome", "error"),
    [
        ({}, "none", "no-json", NoJSONError),
        ({"repair": "off"}, "{a: 1}", "broken", BrokenJSONError),
        ({"max_length": 3}, "[1, 2]", "limit", LimitError),
        ({"parse_int": lambda digits: 1 // 0}, "[1]", "error", ZeroDivisionError),
        ({}, 3, "error", TypeError),
    ],
)
def test_failures_are_told_and_raised(
    options: dict[str, Any], text: Any, outcome: str, error: type[Exception]
) -> None:
    """A failed call would go unseen, or its error be lost."""
    record = watch(extract, text, **options)
    assert (record.outcome, record.error) == (outcome, error.__name__)
    assert record.values == 0
    with pytest.raises(error):
        extract(text, **options)


def test_sampling_is_told() -> None:
    """The island would be unobserved."""
    np = pytest.importorskip("numpy")
    from jsonsift.sampling import Sampler, sample

    logits = np.zeros((3, 50))
    for call in (sample, Sampler()):
        record = watch(call, logits)
        assert record[:1] + record[3:6] == ("sample", 150, "drawn", 3)


def test_a_stream_is_one_record() -> None:
    """Each chunk would be a call, or the time between chunks be counted."""
    seen: list[Record] = []
    Stream().feed("Sure: {'a': [1,")  # the first text loads what is needed to read it
    with observe(seen.append):
        stream = Stream()
        for chunk in ("Sure: ", "{'a': [1,", " 2"):
            stream.feed(chunk)
            time.sleep(0.05)
        assert stream.close().value == {"a": [1, 2]}
        stream.close()
        with pytest.raises(NoJSONError):
            Stream().close()
    (first, second) = seen
    assert first[:1] + first[3:5] == ("stream", 17, "cut")
    assert 0 < first.ns < 50_000_000
    assert first.edits["quote-mark"] == 2
    assert first.stages is None
    assert (second.outcome, second.error) == ("no-json", "NoJSONError")


def test_a_stream_that_is_too_long_is_one_record() -> None:
    """A stream that a limit ended, and that nobody closes, would never be told of."""
    stream = Stream(max_length=3)
    record = watch(stream.feed, "[1, 2]")
    assert (record.call, record.outcome, record.error) == (
        "stream",
        "limit",
        "LimitError",
    )
    seen: list[Record] = []
    with observe(seen.append), pytest.raises(LimitError):
        stream.close()
    assert seen == []


def test_the_end_of_a_stream_has_stages() -> None:
    """Who asks for stages would get none of streams."""
    stream = Stream()
    stream.feed(b"{'a': 1}")
    record = watch(stream.close)
    assert record.stages is not None
    assert record.stages["mend"].runs >= 1
    assert record.size == 8


def test_typed_answers_have_a_time_for_the_judge() -> None:
    """The judge's time would be that of the choice, or nobody's."""
    pytest.importorskip("pydantic")
    found = extract("So: {'a': 1} or {'b': 2}", schema=dict[str, int], timings=True)
    assert found.timings is not None
    assert found.timings["validate"].runs >= 1
    assert found.timings["validate"].ns > 0
    assert watch(extract, "{'a': 'x'}", schema=dict[str, int]).outcome == "schema"


def test_records_come_while_it_is_open() -> None:
    """An observer would miss calls, or hear of calls after it was closed."""
    first: list[Record] = []
    second: list[Record] = []
    opened = observe(first.append)
    loads("1")
    with observe(second.append):
        loads("2")
    loads("3")
    opened.close()
    opened.close()
    loads("4")
    assert (len(first), len(second)) == (3, 1)
    assert first[0].stages is None


def test_scopes() -> None:
    """One request of a server would see the calls of another one."""
    everywhere: list[Record] = []
    here: list[Record] = []
    with observe(everywhere.append), observe(here.append, scope="context"):
        loads("1")
        thread = threading.Thread(target=loads, args=("2",))
        thread.start()
        thread.join()
    assert (len(everywhere), len(here)) == (2, 1)
    with pytest.raises(TypeError, match="not int"):
        observe(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Record\(…\), not the class"):
        observe(Record)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="scope='thread'"):
        observe(print, scope="thread")  # type: ignore[arg-type]


def test_tasks_hear_their_own_calls() -> None:
    """A task would hear of another's calls, or not of those it started."""

    async def ask(texts: list[str]) -> int:
        seen: list[Record] = []
        with observe(seen.append, scope="context"):
            for text in texts:
                await asyncio.sleep(0)
                await asyncio.create_task(read(text))
        return len(seen)

    async def read(text: str) -> None:
        loads(text)

    async def ask_all() -> list[int]:
        return list(await asyncio.gather(ask(["1"]), ask(["1", "2"]), ask([])))

    assert asyncio.run(ask_all()) == [1, 2, 0]


def test_an_observer_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A fault in monitoring would break the program that is monitored."""
    seen: list[Record] = []

    def fail(record: Record) -> None:
        raise RuntimeError(record.call)

    with observe(fail), observe(seen.append), caplog.at_level(logging.ERROR):
        assert loads("[1]") == [1]
    assert len(seen) == 1
    assert [record.message for record in caplog.records] == [
        "an observer of loads failed"
    ]


def test_an_observer_may_call_us() -> None:
    """It would be told of its own calls for ever."""
    seen: list[Any] = []
    with observe(lambda record: seen.append(loads("{a: 1}"))):
        loads("[]")
    assert seen == [{"a": 1}]
