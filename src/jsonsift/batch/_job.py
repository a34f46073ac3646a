"""A file of replies to a file of rows, by parts that survive a kill.

The source is split at fixed byte offsets; a line belongs to the split in which it
starts.  Each process writes the rows of a split into a part of its own, which gets its
final name only when it is whole.  When all parts are there they are joined in order,
and the joined file gets its name last.  So at any moment a part either is there, whole,
or is made again, and each row is in exactly one part.

A row says by its line where it came from: before a split is handed out the line ends
of those before it are counted, once, by the process that hands out.

Rules of this file: what is done is known by names of files alone.
"""

from __future__ import annotations

import glob
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple

import orjson

from .._errors import JSONSiftError
from ._column import COLUMNS, make_batch, need_pyarrow
from ._rows import Row, check_options, count_workers, open_pool, read_row

__all__ = [
    "JobError",
    "JobSummary",
    "TargetExistsError",
    "check_columns",
    "check_target",
    "extract_file",
]

_SPLIT: Final = 4 << 20  # bytes of the source in a part
_COPIED: Final = 4 << 20  # bytes at a time
_LINE: Final = "line"
_SUFFIXES: Final = {".jsonl": ".jsonl", ".ndjson": ".jsonl", "": ".jsonl"}
_PARQUET: Final = ".parquet"
_MISSING: Final = object()
_FLAGS: Final = (b'"complete":false,"edits":', b'"complete":true,"edits":')

Progress = Callable[[int, int, "Counter[str]"], object]


class JobError(JSONSiftError):
    """The files do not fit together: see the message."""

    __module__ = "jsonsift.batch"


class TargetExistsError(JobError):
    """There is a target already, and nothing says to replace it."""

    __module__ = "jsonsift.batch"


class JobSummary(NamedTuple):
    """What a finished job did: how many rows have each status."""

    statuses: Counter[str]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.statuses.total()


class _Job(NamedTuple):
    """What every process must know; equal jobs give equal parts."""

    source: str
    field: str
    keep: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    folder: str
    suffix: str
    size: int
    split: int

    def part(self, number: int) -> Path:
        return Path(self.folder, f"{number:08}{self.suffix}")

    def tally(self, number: int) -> Path:
        return Path(self.folder, f"{number:08}.tally")


class _Read(NamedTuple):
    """A line that was read: its number, its row, and what is kept of it."""

    line: int
    row: Row
    kept: list[Any]


def extract_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    field: str,
    keep: Sequence[str] = (),
    workers: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    split: int = _SPLIT,
    **options: Any,
) -> JobSummary:
    """Read the replies in an NDJSON file, and write a row for each.

    Rows are in the order of the lines, each with the number of its line; blank lines
    are counted and have none.  A line that is not JSON or has no such field gives a row
    with the status "error".  While it works, its
    parts lie in a folder beside the target (``<target>.parts``); if it is killed, the
    same call goes on where it was.

    Args:
        source: the NDJSON file; it must not change until the job is done.
        target: the file to write: Parquet if its name ends in ``.parquet``, NDJSON if
            it ends in ``.jsonl`` or ``.ndjson`` or has no suffix.
        field: which member of a line is the reply; ``a.0.b`` leads into lists and
            objects, if there is no member of that very name.
        keep: members of the line to copy into the row.
        workers: how many processes; None for one a processor.
        overwrite: replace a target that exists.
        progress: called with the bytes done, those of the source, and the rows so far
            by status.
        split: about how many bytes of the source make one part.
        options: those of ``extract``, but for hooks; a schema is a JSON Schema.

    Raises:
        TargetExistsError: the target exists, and ``overwrite`` is False.
        JobError: the source or the target is no regular file, both are one file, or the
            parts beside the target are those of another job.
        OSError: a file cannot be read or written.
        ImportError: the target is Parquet, and pyarrow is not installed.
        ValueError, TypeError: a wrong option, another suffix of the target, or a kept
            member that is named twice or as a column is.
    """
    workers = count_workers(workers)
    check_columns(keep)
    suffix = check_target(target)
    if not isinstance(options.get("schema"), (Mapping, NoneType)):
        raise TypeError("schema: a file of rows needs a JSON Schema as a dict")
    check_options(options)
    _check_files(Path(source), Path(target))
    source, target = Path(source).resolve(), Path(target).resolve()
    folder = target.with_name(target.name + ".parts")
    _remove_finished(folder)
    if not overwrite and target.exists() and not folder.exists():
        raise TargetExistsError(f"{target} exists; overwrite=True replaces it")
    stat = source.stat()
    job = _Job(
        str(source),
        field,
        tuple(keep),
        tuple(sorted(options.items())),
        str(folder),
        suffix,
        stat.st_size,
        split,
    )
    _claim(folder, json.dumps([*job, stat.st_mtime_ns], default=repr))
    _make_parts(job, workers, progress)
    return _join(job, target)


# ------------------------------------------------------------------ before it begins


def check_columns(keep: Sequence[str]) -> None:
    """Raise ValueError if a kept member would be a column that is there already."""
    for name, times in Counter(keep).items():
        if name == _LINE or name in COLUMNS:
            raise ValueError(f"{name!r} is a column of every row")
        if times > 1:
            raise ValueError(f"{name!r} is named twice")


def check_target(target: str | os.PathLike[str]) -> str:
    """The suffix of the parts, by that of the target.

    Raises:
        ValueError: it is of no known format.
        ImportError: it is Parquet, and pyarrow is not installed.
    """
    suffix = Path(target).suffix.lower()
    if suffix == _PARQUET:
        need_pyarrow("Parquet files")
        return suffix
    if suffix not in _SUFFIXES:
        raise ValueError(f"{suffix} is no format: use .jsonl, .ndjson or .parquet")
    return _SUFFIXES[suffix]


def _check_files(source: Path, target: Path) -> None:
    """Refuse what has no end or no size, and what would be lost."""
    source.stat()  # raises, if there is none
    for path in (source, target):
        if path.exists() and not path.is_file():
            raise JobError(f"{path} is no regular file")
    if target.exists() and target.samefile(source):
        raise JobError(f"{target} is also the source")


# --------------------------------------------------------------------------- the parts


def _claim(folder: Path, told: str) -> None:
    """Make the folder of parts, or find that it is of this very job."""
    folder.mkdir(exist_ok=True)
    card = folder / "job.json"
    if not card.exists():
        if any(not name.startswith(".") for name in os.listdir(folder)):
            raise JobError(f"{folder} is there and holds no job")
        _write_whole(card, told.encode())
    elif card.read_text(encoding="utf-8") != told:
        raise JobError(f"{folder} belongs to a job with other files or options")
    for name in os.listdir(folder):
        if name.startswith("."):  # half a part
            Path(folder, name).unlink(missing_ok=True)


def _make_parts(job: _Job, workers: int, progress: Progress | None) -> None:
    """Make what parts are not there yet."""
    count = _count_parts(job)
    statuses: Counter[str] = Counter()
    done = 0
    missing: list[int] = []
    for number in range(count):
        if job.part(number).exists():
            done += 1
            statuses += _read_tally(job, number)
        else:
            missing.append(number)

    def tell() -> None:
        if progress is not None:
            progress(min(done * job.split, job.size), job.size, statuses)

    tell()
    splits = _find_lines(job, missing)
    if workers == 1 or len(missing) < 2:
        for number, line in splits:
            statuses += _make_part(job, number, line)
            done += 1
            tell()
        return
    from concurrent.futures import as_completed  # slow to load

    with open_pool(min(workers, len(missing))) as pool:
        try:
            futures = [pool.submit(_make_part, job, *split) for split in splits]
            for future in as_completed(futures):
                statuses += future.result()
                done += 1
                tell()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _count_parts(job: _Job) -> int:
    return max(1, -(-job.size // job.split))


def _find_lines(job: _Job, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each split with the number of the first line that starts in it, or after it."""
    line = 1
    wanted = iter(numbers)
    number = next(wanted, None)
    with open(job.source, "rb") as file:
        for split in range(_count_parts(job)):
            if number is None:
                return
            # the byte before a split may end a line, which then starts in the split
            end = max(0, split * job.split - 1)
            while (size := min(end - file.tell(), _COPIED)) > 0:
                line += file.read(size).count(b"\n")
            if split == number:
                yield number, line + 1 if split else line
                number = next(wanted, None)


def _make_part(job: _Job, number: int, line: int) -> Counter[str]:
    """Write the rows of a split, and then give the file its name."""
    statuses: Counter[str] = Counter()
    write = _write_parquet if job.suffix == _PARQUET else _write_lines
    part = job.part(number)
    draft = part.with_name(f".{part.name}.{os.getpid()}")
    write(job, _read_rows(job, number, line), draft, statuses)
    _write_whole(job.tally(number), orjson.dumps(statuses))
    os.replace(draft, part)
    return statuses


def _read_tally(job: _Job, number: int) -> Counter[str]:
    return Counter(orjson.loads(job.tally(number).read_bytes()))


def _read_rows(job: _Job, number: int, first: int) -> Iterator[_Read]:
    """The row of each line that starts in a split, the ``first`` of them by number."""
    options = dict(job.options)
    start, end = number * job.split, (number + 1) * job.split
    with open(job.source, "rb") as file:
        if start:
            file.seek(start - 1)
            start += len(file.readline()) - 1  # what began in the split before
        for at, line in enumerate(file, first):
            if start >= end:
                return
            start += len(line)
            if line.isspace():
                continue
            if number == 0:
                line = line.removeprefix(b"\xef\xbb\xbf")
            row, kept = _read_line(line, at, job.field, job.keep, options)
            yield _Read(at, row, kept)


def _read_line(
    line: bytes, at: int, field: str, keep: Sequence[str], options: Mapping[str, Any]
) -> tuple[Row, list[Any]]:
    try:
        # what is kept keeps all its digits
        record = json.loads(line) if keep else orjson.loads(line)
    except (ValueError, RecursionError) as error:
        row = Row(None, "error", (), f"line {at} is not JSON: {_describe(error)}")
        return row, [None] * len(keep)
    kept = [find_field(record, name, None) for name in keep]
    reply = find_field(record, field, _MISSING)
    if reply is _MISSING:
        return Row(None, "error", (), f"line {at} has no {field!r}"), kept
    return read_row(reply, **options), kept


def _describe(error: Exception) -> str:
    """What is wrong with a line, at which of its columns: it is one line anyway."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)


def find_field(record: Any, path: str, default: Any) -> Any:
    """The member of that name, or where the path leads, its steps joined by dots.

    >>> find_field({"m": [{"text": "[1,]"}]}, "m.0.text", None)
    '[1,]'
    """
    if isinstance(record, dict) and path in record:
        return record[path]
    for step in path.split("."):
        try:
            record = record[int(step) if isinstance(record, list) else step]
        except (KeyError, IndexError, ValueError, TypeError):
            return default
    return record


def _write_lines(
    job: _Job,
    rows: Iterator[_Read],
    draft: Path,
    statuses: Counter[str],
) -> None:
    names = [json.dumps(name) for name in job.keep]
    with open(draft, "wb") as file:
        for line, row, kept in rows:
            statuses[row.status] += 1
            copied = [
                f"{name}:{json.dumps(value)},".encode()
                for name, value in zip(names, kept, strict=True)
            ]
            text = b"null"
            if row.text is not None:  # line ends are white space in strict JSON
                text = row.text.replace("\n", " ").replace("\r", " ").encode()
            file.writelines(
                (
                    b'{"line":%d,' % line,
                    *copied,
                    b'"value":',
                    text,
                    b',"status":"%b",' % row.status.encode(),
                    _FLAGS[row.complete],
                    orjson.dumps(row.edits),
                    b',"error":',
                    orjson.dumps(row.error),
                    b"}\n",
                )
            )


def _write_parquet(
    job: _Job,
    rows: Iterator[_Read],
    draft: Path,
    statuses: Counter[str],
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    listed = list(rows)
    statuses.update(read.row.status for read in listed)
    batch = make_batch(read.row for read in listed)
    table = pa.Table.from_batches([batch])
    for number, name in reversed(list(enumerate(job.keep))):
        column = pa.array([_show(read.kept[number]) for read in listed], pa.string())
        table = table.add_column(0, name, column)
    lines = pa.array([read.line for read in listed], pa.int64())
    table = table.add_column(0, pa.field(_LINE, pa.int64(), nullable=False), lines)
    parquet.write_table(table, draft)


def _show(value: Any) -> str | None:
    """What is kept of a line, in a column of text: other values as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(data)
    os.replace(draft, path)


# ------------------------------------------------------------------------------ the end


def _join(job: _Job, target: Path) -> JobSummary:
    """The parts as one file, under its name; then the parts are no longer needed."""
    import shutil  # slow to load

    numbers = range(_count_parts(job))
    statuses: Counter[str] = Counter()
    for number in numbers:
        statuses += _read_tally(job, number)
    draft = Path(job.folder, f".joined.{os.getpid()}")
    if job.suffix == _PARQUET:
        _join_parquet([job.part(number) for number in numbers], draft)
    else:
        with open(draft, "wb") as file:
            for number in numbers:
                with open(job.part(number), "rb") as part:
                    shutil.copyfileobj(part, file, _COPIED)
    os.replace(draft, target)
    # gone at once, so that no kill leaves a part of the folder
    os.replace(job.folder, f"{job.folder}.{os.getpid()}.done")
    _remove_finished(Path(job.folder))
    return JobSummary(statuses)


def _remove_finished(folder: Path) -> None:
    """Remove the parts of finished jobs, also what a kill left of them."""
    import shutil  # slow to load

    for done in folder.parent.glob(f"{glob.escape(folder.name)}.*.done"):
        shutil.rmtree(done, ignore_errors=True)


def _join_parquet(parts: Sequence[Path], draft: Path) -> None:
    from pyarrow import parquet

    schema = parquet.read_schema(parts[0])
    with parquet.ParquetWriter(draft, schema) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part))
