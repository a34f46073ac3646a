"""Many replies: rows in order, none lost or twice, and none that stops the others."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

import jsonsift
from jsonsift import Record, extract_many, observe
from jsonsift.batch import JobError, TargetExistsError, extract_file

REPLIES: Final[list[Any]] = [
    '{"a": 1}',
    "Sure: {'b': [1, 2,], c: 0x10}",
    "nothing",
    '[{"x": "cut',
    b'\xef\xbb\xbf{"bytes": "\xc3\xa9"}',
    None,
    17,
    "[" * 600 + "]" * 600,
    '```json\n{"pretty":\n  [1,\r\n 12345678901234567890123]}\n```',
    '{"nan": NaN}',
    '{"half": "\ud800"}',
]
VALUES: Final = [
    {"a": 1},
    {"b": [1, 2], "c": 16},
    None,
    [{"x": "cut"}],
    {"bytes": "é"},
    None,
    None,
    None,
    {"pretty": [1, 12345678901234567890123]},
]
STATUSES: Final = [
    "valid",
    "repaired",
    "no-json",
    "cut",
    "valid",
    "null",
    "error",
    "limit",
    "valid",
    "valid",
    "repaired",
]


# ---------------------------------------------------------------------------- rows


@pytest.mark.parametrize("workers", [1, 2])
def test_rows(workers: int) -> None:
    """A bad reply would stop the others, or rows come in another order."""
    rows = list(extract_many(REPLIES, workers=workers))
    assert [row.status for row in rows] == STATUSES
    assert [row.value for row in rows[:9]] == VALUES
    assert rows[1].edits == ("quote-mark", "extra-comma", "bare-key", "number-form")
    assert [row.complete for row in rows[:4]] == [True, True, False, False]
    assert rows[6].error == (
        "TypeError: expected str, bytes, bytearray or memoryview, not int"
    )
    assert all((row.error is None) == (row.text is not None) for row in rows)
    assert rows[10].value == {"half": "\ufffd"}


def complain(record: Record) -> None:
    raise AssertionError(record)


def test_workers_report_to_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    """An observer of this process would be called in others, where nobody looks."""
    with observe(complain):
        assert len(list(extract_many(["[1]"] * 2000, workers=2))) == 2000
    said = capfd.readouterr().err
    assert said.count("an observer of extract failed") <= 1  # the look at the options


def test_rows_take_the_options() -> None:
    """Options would be dropped on the way to the processes."""
    for workers in (1, 2):
        rows = list(
            extract_many(
                ["{a: 1}", '{"s": "a 5" b"}'] * 600,
                workers=workers,
                repair="safe",
                parse_int=float,
            )
        )
        assert [row.status for row in rows] == ["repaired", "broken"] * 600
        assert repr(rows[-2].value) == "{'a': 1.0}"
        assert rows[-1].error == (
            "a quote inside a string that is not escaped; repair='safe' forbids that "
            "repair (inner-quote)"
        )


def fail(digits: str) -> Any:
    raise RuntimeError(f"no {digits}\nplease \ud800")


def test_a_hook_that_fails_fails_its_row() -> None:
    """Its error would stop the stream."""
    rows = list(extract_many(["[1]", "[]"], parse_int=fail))
    assert [row.status for row in rows] == ["error", "valid"]
    assert rows[0].error == "RuntimeError: no 1"


@pytest.mark.parametrize("workers", [1, 2])
def test_replies_are_read_as_they_are_needed(workers: int) -> None:
    """An endless source would never give a row, or fill the memory."""
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield '{"a": 1}'

    rows = extract_many(endless(), workers=workers)
    assert [next(rows).value for _ in range(3)] == [{"a": 1}] * 3
    assert read <= 512 * 6
    rows.close()


def test_wrong_arguments() -> None:
    """They would be found in every row, or never."""
    with pytest.raises(ValueError, match="workers=0"):
        extract_many([], workers=0)
    with pytest.raises(TypeError, match="no_such"):
        extract_many([], no_such=1)
    for reply in ('{"a": 1}', b"{}"):  # each character would be a reply
        with pytest.raises(TypeError, match="use \\[reply\\]"):
            extract_many(reply)
    with pytest.raises(ValueError, match="repair='x'"):
        extract_many([], repair="x")
    assert list(extract_many([], workers=2, max_length=1)) == []


# ------------------------------------------------------------------------- columns


def test_column() -> None:
    """The kernel would say something else than the rows."""
    pa = pytest.importorskip("pyarrow")
    from jsonsift.batch import extract_column

    replies = pa.array([*REPLIES[:4], None])
    batch = extract_column(replies)
    assert isinstance(batch, pa.RecordBatch)
    batch.validate(full=True)
    rows = batch.to_pylist()
    assert batch.schema.names == ["value", "status", "complete", "edits", "error"]
    assert [row["status"] for row in rows] == [*STATUSES[:4], "null"]
    assert json.loads(rows[1]["value"]) == VALUES[1]
    assert rows[3] == {
        "value": '[{"x": "cut"}]',
        "status": "cut",
        "complete": False,
        "edits": ["cut-off"],
        "error": None,
    }
    chunked = pa.chunked_array([replies[:2], replies[2:]])
    assert extract_column(chunked) == batch
    assert extract_column(REPLIES).num_rows == len(REPLIES)
    assert extract_column([]).schema == batch.schema


# ------------------------------------------------------------------------ file jobs


def make_source(path: Path, rows: int) -> Path:
    """Lines of several lengths, one in twenty with a fault, and blank ones between."""
    noise = random.Random(3)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(rows):
            items = [{"id": number, "x": "é" * noise.randrange(9)}] * noise.randrange(
                1, 9
            )
            text = json.dumps(items)
            if number % 20 == 0:
                text = text.replace('"id"', "id") + ","
            line = {"n": number, "meta": {"big": 10**20 + number}, "text": text}
            file.write(json.dumps(line) + "\n" * noise.choice((1, 1, 1, 2)))
    return path


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("split", [97, 1000, 1 << 22])
def test_file(tmp_path: Path, workers: int, split: int) -> None:
    """A line at the edge of two splits would be lost, or be there twice."""
    source = make_source(tmp_path / "in.jsonl", 60)
    target = tmp_path / "out.jsonl"
    told: list[tuple[int, int]] = []
    summary = extract_file(
        source,
        target,
        field="text",
        keep=["n", "meta.big"],
        workers=workers,
        split=split,
        progress=lambda done, total, statuses: told.append((done, total)),
    )
    rows = read_lines(target)
    assert [row["n"] for row in rows] == list(range(60))
    lines = source.read_text(encoding="utf-8").splitlines()
    assert [json.loads(lines[row["line"] - 1])["n"] for row in rows] == list(range(60))
    assert [row["meta.big"] for row in rows] == [10**20 + n for n in range(60)]
    assert summary.rows == 60
    assert summary.statuses["repaired"] == 3
    assert rows[0]["status"] == "repaired"
    assert all(row["complete"] for row in rows)
    assert told[-1] == (source.stat().st_size,) * 2
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_bad_lines_have_rows(tmp_path: Path) -> None:
    """A line that is no JSON would stop the run, or vanish."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [
        b'\xef\xbb\xbf{"text": "[1]"}\r\n',
        b"{broken",
        b'{"other": 1}',
        b'{"text": null}',
        b'{"text": [{"in": "{a: 1}"}], "text.0.in": "[2]"}',
        b"[]",
        b'"\xff"',
        b"[" * 5000,
    ]
    source.write_bytes(b"\r\n".join(lines) + b"\n\n")
    assert extract_file(source, target, field="text").rows == len(lines)
    rows = read_lines(target)
    assert rows[0]["value"] == [1]
    assert [row["status"] for row in rows] == (
        ["valid", "error", "error", "null"] + ["error"] * 4
    )
    assert rows[2]["error"] == "line 4 has no 'text'"
    assert re.fullmatch(r"line 3 is not JSON: .+ \(column 2\)", rows[1]["error"])
    assert rows[6]["error"].startswith("line 8 is not JSON: ")
    assert [row["line"] for row in rows] == [1, *range(3, 10)]
    extract_file(source, target, field="text.0.in", overwrite=True)
    assert read_lines(target)[4]["value"] == [2]
    source.write_bytes(lines[4].replace(b', "text.0.in": "[2]"', b""))
    extract_file(source, target, field="text.0.in", overwrite=True)
    assert read_lines(target)[0]["value"] == {"a": 1}


def test_values_are_one_line_and_exact(tmp_path: Path) -> None:
    """A pretty-printed value would break the lines, or a number lose digits."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text = '{"n":\n  12345678901234567890123,\r\n"f": 1.10, "s": "a\\nb"}'
    source.write_text(json.dumps({"text": text}))
    extract_file(source, target, field="text")
    (line,) = target.read_text().splitlines()
    assert '"f": 1.10' in line
    assert json.loads(line)["value"] == json.loads(text)


def test_parquet(tmp_path: Path) -> None:
    """A Parquet file would hold other rows than an NDJSON file."""
    parquet = pytest.importorskip("pyarrow.parquet")
    source = make_source(tmp_path / "in.jsonl", 300)
    target = tmp_path / "out.parquet"
    summary = extract_file(
        source, target, field="text", keep=["n", "meta"], workers=2, split=4000
    )
    file = parquet.ParquetFile(target)
    assert file.num_row_groups > 3
    lines = source.read_text(encoding="utf-8").splitlines()
    assert file.read()["line"].to_pylist() == [n for n, x in enumerate(lines, 1) if x]
    rows = file.read().to_pylist()
    assert [int(row["n"]) for row in rows] == list(range(300))
    assert json.loads(rows[7]["meta"]) == {"big": 10**20 + 7}
    assert sum(row["status"] == "repaired" for row in rows) == 15
    assert summary.rows == 300
    other = tmp_path / "out.jsonl"
    extract_file(source, other, field="text")
    values = [row["value"] for row in read_lines(other)]
    assert [json.loads(row["value"]) for row in rows] == values


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    """A file would be overwritten, or parts of two jobs be joined."""
    source = make_source(tmp_path / "in.jsonl", 10)
    target = tmp_path / "out.jsonl"
    target.write_text("precious")
    with pytest.raises(TargetExistsError, match="exists; overwrite=True replaces"):
        extract_file(source, target, field="text")
    assert target.read_text() == "precious"
    folder = tmp_path / "out.jsonl.parts"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(JobError, match="holds no job"):
        extract_file(source, target, field="text")
    (folder / "notes.txt").unlink()
    (folder / "job.json").write_text("another")
    with pytest.raises(JobError, match="belongs to a job with other"):
        extract_file(source, target, field="text")
    with pytest.raises(FileNotFoundError):
        extract_file(tmp_path / "none", tmp_path / "x", field="text")
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(JobError, match="is also the source"):
        extract_file(source, tmp_path / "link", field="text", overwrite=True)
    with pytest.raises(JobError, match="is no regular file"):
        extract_file(tmp_path, tmp_path / "x", field="text")
    with pytest.raises(ValueError, match=r"\.csv is no format"):
        extract_file(source, tmp_path / "x.csv", field="text")
    for keep, message in ((["n", "n"], "'n' is named twice"), (["value"], "a column")):
        with pytest.raises(ValueError, match=message):
            extract_file(source, tmp_path / "x", field="text", keep=keep)
    with pytest.raises(TypeError, match="needs a JSON Schema"):
        extract_file(source, tmp_path / "x", field="text", schema=list[int])
    assert not (tmp_path / "x.parts").exists()


def test_rows_of_a_schema(tmp_path: Path) -> None:
    """The text of a row would be what it was before it was made to fit."""
    pytest.importorskip("jsonschema")
    schema = {"properties": {"a": {"type": "integer"}, "é": {"default": "ß"}}}
    replies = ['{"a": "1,000"}', '{"a": "x"}', '{"a": 2, "é": 1}']
    rows = list(extract_many(replies, schema=schema))
    assert [row.status for row in rows] == ["coerced", "schema", "valid"]
    assert [row.text for row in rows] == ['{"a": 1000, "é": "ß"}', None, replies[2]]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [json.dumps({"text": text}) + "\n" for text in replies]
    source.write_text("".join(lines * 50))
    extract_file(source, target, field="text", workers=2, split=500, schema=schema)
    read = [(row["status"], row["value"]) for row in read_lines(target)]
    assert read == [(row.status, row.value) for row in rows] * 50


JOB: Final = """
import os, signal, sys
from jsonsift.batch import extract_file
left = int(sys.argv[3])
def tell(*_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    extract_file(
        *sys.argv[1:3],
        field="text", keep=["n"], workers=2, split=20_000, progress=tell,
    )
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_killed_and_resumed(tmp_path: Path, suffix: str) -> None:
    """A kill would lose rows, repeat them, or leave processes behind."""
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    source = make_source(tmp_path / "in.jsonl", 20_000)
    target = tmp_path / f"out{suffix}"
    parts = tmp_path / f"out{suffix}.parts"
    package = str(Path(jsonsift.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package}

    def start(tellings: int) -> subprocess.Popen[bytes]:
        """A job that kills itself when it tells so often how far it is."""
        command = [sys.executable, "-c", JOB, str(source), str(target), str(tellings)]
        return subprocess.Popen(command, env=environment, start_new_session=True)

    for tellings in (1, 3, 9):  # before all parts, and while two are being made
        job = start(tellings)
        assert job.wait(60) == -signal.SIGKILL
        wait_for(partial(is_group_gone, job.pid))  # its workers end with it
        assert parts.exists()
        assert not target.exists()
    assert start(0).wait(60) == 0
    if suffix == ".parquet":
        from pyarrow import parquet

        numbers = parquet.read_table(target)["n"].to_pylist()
        assert [int(number) for number in numbers] == list(range(20_000))
    else:
        assert [row["n"] for row in read_lines(target)] == list(range(20_000))
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_killed_while_parts_are_removed(tmp_path: Path) -> None:
    """The parts of a finished job would stay for ever."""
    source, target = make_source(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    left = tmp_path / "out.jsonl.parts.1234.done"
    other = tmp_path / "other.jsonl.parts.1234.done"
    for folder in (left, other):
        folder.mkdir()
        (folder / "00000000.jsonl").touch()
    extract_file(source, target, field="text", workers=1)
    left.mkdir()
    with pytest.raises(TargetExistsError):
        extract_file(source, target, field="text", workers=1)
    assert sorted(tmp_path.iterdir()) == [source, other, target]


def is_group_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for(condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.005)
