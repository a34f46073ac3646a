"""Streams side by side: a value wanted after every chunk of four characters.

    python -m tests.bench.stream_bench            # against peers, those installed
    python -m tests.bench.stream_bench --linear   # growth of our own cost
    python -m tests.bench.stream_bench --megabytes 100   # memory of a long stream

Peers that keep a state are fed like ours.  Those that have none parse all that has
come after every chunk; their cost is taken from prefixes spread evenly over the reply
and scaled up, which is marked with ``~``.  All figures of a table come from one run,
and each is the least of several rounds in turn.  Who does not read the reply, as a
strict parser does not read a broken one, is not in the race; nor is who would take
longer than ``--patience``, were its cost the square of the length.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from jsonsift import Stream

from ..every_way import REWRITERS, use_build

SIZE: Final = 4  # characters a chunk
ROUNDS: Final = 5
LONG: Final = 10_000  # characters, whose time tells of greater lengths
PREFIXES: Final = 40  # that a parser without a state is timed on
WORDS: Final = "some words that a model wrote, and more of it, until it stops "
Run = Callable[[list[str], str], float]


class Unread(Exception):  # noqa: N818 (it is an answer)
    """The reader did not get the records of the reply."""


# ------------------------------------------------------------------------ replies


def make_reply(length: int, *, broken: bool) -> str:
    """A list of records of about this many characters; ours and peers read it alike."""
    records = []
    size = 0
    number = 0
    while size < length:
        record = {
            "id": number,
            "name": f"item number {number}",
            "price": number * 0.25,
            "tags": ["new", "sale"],
            "stock": {"berlin": number % 7, "oslo": None},
            "text": WORDS * (1 + number % 3),
        }
        size += len(json.dumps(record)) + 2
        records.append(record)
        number += 1
    text = json.dumps(records)
    if broken:
        text = text.replace('"id"', "id").replace('"sale"]', "'sale',]")
    return text


def cut(text: str, size: int = SIZE) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


# ------------------------------------------------------------------------ readers


def _clock(call: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        call()
        return time.process_time() - began
    finally:
        gc.enable()


def run_ours(build: str) -> Run:
    def run(chunks: list[str], text: str) -> float:
        with use_build(build):
            stream = Stream()

            def feed() -> None:
                for chunk in chunks:
                    stream.feed(chunk)
                    _ = stream.value
                stream.close()

            spent = _clock(feed)
        _check(stream.value, text)
        return spent

    return run


def _check(value: Any, text: str) -> None:
    if not isinstance(value, list) or len(value) != text.count("item number"):
        raise Unread


def _run_fed(make: Callable[[], Any], close: str) -> Run:
    """A reader with a state: ``feed``, ``value`` and a method that ends it."""

    def run(chunks: list[str], text: str) -> float:
        reader = make()
        answer = None

        def feed() -> None:
            nonlocal answer
            for chunk in chunks:
                reader.feed(chunk)
                _ = reader.value
            answer = getattr(reader, close)()

        spent = _clock(feed)
        _check(answer if isinstance(answer, list) else reader.value, text)
        return spent

    return run


def _run_again(parse: Callable[[str], object]) -> Run:
    """A parser without a state, on evenly spread prefixes; scaled up."""

    def run(chunks: list[str], text: str) -> float:
        count = min(PREFIXES, len(chunks))
        ends = [len(text) * (i + 1) // count for i in range(count)]
        prefixes = [text[:end] for end in ends]
        try:
            _check(parse(text), text)
        except Exception as error:  # a parser may raise whatever it likes
            raise Unread from error
        spent = _clock(lambda: [parse(prefix) for prefix in prefixes])
        return spent * len(chunks) / count

    return run


def find_peers() -> Iterator[tuple[str, Run]]:
    """The peers that are installed; whether each keeps a state."""
    for name in ("jsonmend", "parse_broken_json", "partial_json_parser", "jiter",
                 "json_repair"):  # fmt: skip
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed")
            continue
        if name == "jsonmend":
            yield name, _run_fed(module.Mender, "close")
        elif name == "parse_broken_json":
            yield name, _run_fed(module.StreamParser, "finish")
        elif name == "jiter":
            jiter = module

            def parse(text: str, jiter: Any = jiter) -> object:
                return jiter.from_json(text.encode(), partial_mode="trailing-strings")

            yield "~" + name, _run_again(parse)
        else:
            yield "~" + name, _run_again(module.loads)


# ------------------------------------------------------------------------- tables


def compare(lengths: list[int], rounds: int, patience: float) -> None:
    readers: list[tuple[str, Run]] = [
        (f"jsonsift {build}", run_ours(build)) for build in REWRITERS
    ]
    readers += find_peers()
    for broken in (False, True):
        racing = dict(readers)
        waits: dict[str, tuple[int, float]] = {}
        for length in lengths:
            for name, (before, seconds) in waits.items():
                if seconds * (length / before) ** 2 > patience:
                    racing.pop(name, None)
            text = make_reply(length, broken=broken)
            print(f"\n{'broken' if broken else 'valid'}, {len(text):,} characters")
            chunks = cut(text)
            best: dict[str, float] = {}
            for _ in range(rounds):
                for name, run in list(racing.items()):
                    began = time.perf_counter()
                    try:
                        spent = run(chunks, text)
                    except Unread:
                        print(f"  {name:22} does not read it")
                        del racing[name]
                        continue
                    best[name] = min(spent, best.get(name, spent))
                    if length >= LONG and not name.startswith("jsonsift"):
                        waits[name] = length, time.perf_counter() - began
            show(best, len(chunks))


def show(best: dict[str, float], chunks: int) -> None:
    ours = {name: spent for name, spent in best.items() if name.startswith("jsonsift")}
    peers = {name: spent for name, spent in best.items() if name not in ours}
    for name, spent in sorted(best.items(), key=lambda pair: pair[1]):
        print(
            f"  {name:22} {spent * 1e3:12.2f} ms {spent / chunks * 1e6:10.2f} us/chunk"
        )
    if peers:
        first = min(peers, key=peers.__getitem__)
        for name, spent in ours.items():
            print(f"  {name}: {peers[first] / spent:.2f} x the fastest peer, {first}")


def grow(rounds: int) -> None:
    """Our cost for 10 MB in small and large chunks, and for doubled lengths."""
    for build in REWRITERS:
        run = run_ours(build)
        length = 10_000_000 if build == "compiled" else 1_000_000
        text = make_reply(length, broken=False)
        small, large = cut(text), cut(text, 65_536)
        pairs = [(run(small, text), run(large, text)) for _ in range(rounds)]
        little, much = (min(side) for side in zip(*pairs, strict=True))
        print(f"{build}, {len(text):,} characters: {little:.2f} s in chunks of {SIZE}, "
              f"{much:.2f} s in chunks of 65,536: {little / much:.2f} x")  # fmt: skip
        half = make_reply(length // 2, broken=False)
        halves = min(run(cut(half), half) for _ in range(rounds))
        print(f"{build}: growth {little / halves / (len(text) / len(half)):.3f} "
              "of the time a character when the length doubles")  # fmt: skip
        one = json.dumps([WORDS * (length // len(WORDS)) + "item number"])
        halved = json.dumps([WORDS * (length // len(WORDS) // 2) + "item number"])
        whole = min(run(cut(one), one) for _ in range(rounds))
        part = min(run(cut(halved), halved) for _ in range(rounds))
        print(f"{build}: one string of that length: {whole:.2f} s, growth "
              f"{whole / part / (len(one) / len(halved)):.3f}")  # fmt: skip


def feed_long(megabytes: int) -> None:
    """How much memory a long stream takes, and at what rate it is read."""
    piece = make_reply(1_000_000, broken=False)[1:-1] + ", "
    chunks = cut(piece)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    stream = Stream()
    stream.feed("[")
    for _ in range(megabytes):
        for chunk in chunks:
            stream.feed(chunk)
    spent = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    value = measure_records(stream.value)
    print(f"{megabytes * len(piece):,} characters in chunks of {SIZE}: {spent:.1f} s; "
          f"the value takes {value / 1e6:.0f} MB, and the process has taken "
          f"{peak / 1e3:.0f} MB more at its most")  # fmt: skip
    stream.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"after close: {peak / 1e3:.0f} MB more at its most")


def measure_records(value: Any) -> int:
    """The bytes of all objects in the value."""
    size = 0
    todo = [value]
    while todo:
        inner = todo.pop()
        size += sys.getsizeof(inner)
        if isinstance(inner, (dict, list)):
            todo += inner.values() if isinstance(inner, dict) else inner
        if isinstance(inner, dict):
            size += sum(map(sys.getsizeof, inner))
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--linear", action="store_true", help="growth of our own cost")
    parser.add_argument("--megabytes", type=int, help="feed so much; its memory")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--lengths", type=int, nargs="*",
                        default=[1_000, 50_000, 1_000_000])  # fmt: skip
    parser.add_argument("--patience", type=float, default=60.0,
                        help="seconds that a peer may take for one text")  # fmt: skip
    options = parser.parse_args()
    if options.megabytes:
        feed_long(options.megabytes)
    elif options.linear:
        grow(options.rounds)
    else:
        compare(options.lengths, options.rounds, options.patience)


if __name__ == "__main__":
    main()
