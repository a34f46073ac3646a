"""How many replies go through a job, in what memory: python -m tests.bench.batch_bench

It writes an NDJSON file of replies of 1 KB, one in twenty with a fault, and runs
``jsonsift --jsonl`` on it in processes of its own: with one worker and with two in
turn, and then with two, killed with SIGKILL at random moments five times and started
again.  Each run's rows are then read one by one: every number once, in order.

The time of the processors tells what two of them would give if they were free: twice
the seconds that one worker takes, over those that two take together.

Memory is the most that was seen of the resident sets of the command and its workers
together, every 20 ms; what they share counts each time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final, NamedTuple

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_FAULTS: Final = (
    ('"id"', "id"),
    ("}]", "},]"),
    ("true", "True"),
    ("]", ""),
    (': "', ": '"),
)


class Ran(NamedTuple):
    seconds: float
    processor: float  # seconds of all its processes together
    most: int  # bytes of memory


def write_source(path: Path, rows: int) -> None:
    """Replies of 1 KB: valid, fenced and in prose, one in twenty broken."""
    noise = random.Random(1)
    items = [{"id": 1, "name": "Ada Lovelace", "tags": ["x", "y"], "ok": True}] * 14
    with open(path, "w", encoding="utf-8") as file:
        for number in range(rows):
            items[0] = {"id": number, "name": f"row {number}", "note": "é" * 9}
            text = json.dumps(items, ensure_ascii=False)
            if number % 20 == 7:
                text = text.replace(*noise.choice(_FAULTS))
            if number % 3 == 1:
                text = f"```json\n{text}\n```"
            elif number % 3 == 2:
                text = f"Here it is: {text} Anything else?"
            file.write(json.dumps({"n": number, "text": text}) + "\n")


def start(source: Path, target: Path, workers: int) -> subprocess.Popen[bytes]:
    command = f"--jsonl {source} --field text --keep n --out {target} --overwrite"
    return subprocess.Popen(
        [sys.executable, "-m", "jsonsift", *command.split(), "--workers", str(workers)],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def run(source: Path, target: Path, workers: int) -> Ran:
    """One run from start to end, its memory watched."""
    began = time.perf_counter()
    job = start(source, target, workers)
    most = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.wait(0.02):
            most = max(most, measure_group(job.pid))

    thread = threading.Thread(target=watch)
    thread.start()
    _, status, usage = os.wait4(job.pid, 0)  # with its workers, which it waits for
    seconds = time.perf_counter() - began
    done.set()
    thread.join()
    job.returncode = status
    assert status == 0, f"the command failed with {status}"
    return Ran(seconds, usage.ru_utime + usage.ru_stime, most)


def measure_group(group: int) -> int:
    """Resident bytes of the processes of a group together."""
    total = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                total += int(fields[21]) * _PAGE
        except OSError:  # it has ended
            continue
    return total


def run_killed(source: Path, target: Path, seconds: float, kills: int) -> list[int]:
    """Run with kills at random moments of the expected time; parts seen at each."""
    noise = random.Random()
    parts = Path(f"{target}.parts")
    seen: list[int] = []
    while len(seen) < kills:
        job = start(source, target, 2)
        time.sleep(noise.uniform(0.3, seconds / (kills + 1) + 0.5))
        if job.poll() is not None:
            break  # it was done before
        os.kill(job.pid, signal.SIGKILL)
        job.wait()
        seen.append(len(list(parts.glob("[0-9]*.jsonl"))))
    if not target.exists():
        assert start(source, target, 2).wait() == 0
    return seen


def check(target: Path, rows: int) -> None:
    """Every number once, in order, and nothing left beside the target."""
    count = 0
    with open(target, "rb") as file:
        for line in file:
            assert json.loads(line)["n"] == count, f"row {count} is another one"
            count += 1
    assert count == rows, f"{count} rows in place of {rows}"
    assert not Path(f"{target}.parts").exists()


def main() -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    rows: int = arguments.rows
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name, "in.jsonl"), Path(name, "out.jsonl")
        write_source(source, rows)
        size = source.stat().st_size
        print(f"{rows:,} replies, {size / 1e9:.2f} GB")
        best: dict[int, float] = {}
        spent: dict[int, float] = {}
        for _ in range(arguments.rounds):
            for workers in (1, 2):
                ran = run(source, target, workers)
                check(target, rows)
                target.unlink()
                best[workers] = min(ran.seconds, best.get(workers, ran.seconds))
                spent[workers] = min(ran.processor, spent.get(workers, ran.processor))
                print(
                    f"{workers} worker(s): {ran.seconds:6.1f} s, "
                    f"{ran.processor:6.1f} s of processors, "
                    f"{rows / ran.seconds:9,.0f} replies/s, "
                    f"at most {ran.most / 1e6:.0f} MB"
                )
        print(f"two workers are {best[1] / best[2]:.2f} times as fast as one")
        print(f"by the processors' time, {2 * spent[1] / spent[2]:.2f} times")
        seen = run_killed(source, target, best[2], 5)
        check(target, rows)
        print(f"killed {len(seen)} times, with {seen} parts whole: every row once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
