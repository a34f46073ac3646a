"""A file of replies to a file of rows, by parts that survive a kill.

The source is split at fixed byte offsets; a line belongs to the split in which it
starts.  Each process writes the rows of a split into a part of its own, which gets its
final name only when it is whole.  When all parts are there they are joined in order,
and the joined file gets its name last.  So at any moment a part either is there, whole,
or is made again, and each row is in exactly one part.

Rules of this file: what is done is known by names of files alone.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from .._errors import JSONSiftError
from ._column import make_batch
from ._rows import Row, check_options, count_workers, open_pool, read_row

__all__ = ["JobError", "JobSummary", "extract_file"]

_SPLIT: Final = 4 << 20  # bytes of the source in a part
_COPIED: Final = 4 << 20  # bytes at a time
_MISSING: Final = object()
_FLAGS: Final = (b'"complete":false,"edits":', b'"complete":true,"edits":')

Progress = Callable[[int, int, "Counter[str]"], object]


class JobError(JSONSiftError):
    """The files do not fit together: see the message."""

    __module__ = "jsonsift"


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

    Rows are in the order of the lines, and blank lines have none.  A line that is not
    JSON or has no such field gives a row with the status "error".  While it works, its
    parts lie in a folder beside the target (``<target>.parts``); if it is killed, the
    same call goes on where it was.

    Args:
        source: the NDJSON file; it must not change until the job is done.
        target: the file to write: NDJSON, or Parquet if its name ends in ``.parquet``.
        field: which member of a line is the reply; ``a.0.b`` leads into lists and
            objects, if there is no member of that very name.
        keep: members of the line to copy into the row.
        workers: how many processes; None for one a processor.
        overwrite: replace a target that exists.
        progress: called with the bytes done, those of the source, and the rows so far
            by status.
        split: about how many bytes of the source make one part.
        options: those of ``extract``, but for hooks.

    Raises:
        JobError: the target exists, or the parts beside it are those of another job.
        OSError: a file cannot be read or written.
        ValueError, TypeError: a wrong option.
    """
    source, target = Path(source).resolve(), Path(target).resolve()
    workers = count_workers(workers)
    check_options(options)
    folder = target.with_name(target.name + ".parts")
    if not overwrite and target.exists() and not folder.exists():
        raise JobError(f"{target} exists")
    stat = source.stat()
    suffix = ".parquet" if target.suffix == ".parquet" else ".jsonl"
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
    if workers == 1 or len(missing) < 2:
        for number in missing:
            statuses += _make_part(job, number)
            done += 1
            tell()
        return
    from concurrent.futures import as_completed  # slow to load

    with open_pool(min(workers, len(missing))) as pool:
        try:
            futures = [pool.submit(_make_part, job, number) for number in missing]
            for future in as_completed(futures):
                statuses += future.result()
                done += 1
                tell()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _count_parts(job: _Job) -> int:
    return max(1, -(-job.size // job.split))


def _make_part(job: _Job, number: int) -> Counter[str]:
    """Write the rows of a split, and then give the file its name."""
    statuses: Counter[str] = Counter()
    write = _write_parquet if job.suffix == ".parquet" else _write_lines
    part = job.part(number)
    draft = part.with_name(f".{part.name}.{os.getpid()}")
    write(job, _read_rows(job, number), draft, statuses)
    _write_whole(job.tally(number), orjson.dumps(statuses))
    os.replace(draft, part)
    return statuses


def _read_tally(job: _Job, number: int) -> Counter[str]:
    return Counter(orjson.loads(job.tally(number).read_bytes()))


def _read_rows(job: _Job, number: int) -> Iterator[tuple[Row, list[Any]]]:
    """The row of each line that starts in a split, and what is kept of the line."""
    options = dict(job.options)
    start, end = number * job.split, (number + 1) * job.split
    with open(job.source, "rb") as file:
        if start:
            file.seek(start - 1)
            start += len(file.readline()) - 1  # what began in the split before
        for line in file:
            if start >= end:
                return
            start += len(line)
            if line.isspace():
                continue
            if number == 0:
                line = line.removeprefix(b"\xef\xbb\xbf")
            yield _read_line(line, job.field, job.keep, options)


def _read_line(
    line: bytes, field: str, keep: Sequence[str], options: Mapping[str, Any]
) -> tuple[Row, list[Any]]:
    try:
        # what is kept keeps all its digits
        record = json.loads(line) if keep else orjson.loads(line)
    except (ValueError, RecursionError) as error:
        row = Row(None, "error", (), f"the line is not JSON: {error}")
        return row, [None] * len(keep)
    kept = [_find(record, name, None) for name in keep]
    reply = _find(record, field, _MISSING)
    if reply is _MISSING:
        return Row(None, "error", (), f"the line has no {field!r}"), kept
    return read_row(reply, **options), kept


def _find(record: Any, path: str, default: Any) -> Any:
    """The member of that name, or where the path leads."""
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
    rows: Iterator[tuple[Row, list[Any]]],
    draft: Path,
    statuses: Counter[str],
) -> None:
    names = [json.dumps(name) for name in job.keep]
    with open(draft, "wb") as file:
        for row, kept in rows:
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
                    b"{",
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
    rows: Iterator[tuple[Row, list[Any]]],
    draft: Path,
    statuses: Counter[str],
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    listed = list(rows)
    statuses.update(row.status for row, _ in listed)
    batch = make_batch(row for row, _ in listed)
    table = pa.Table.from_batches([batch])
    for number, name in reversed(list(enumerate(job.keep))):
        column = pa.array([_show(kept[number]) for _, kept in listed], pa.string())
        table = table.add_column(0, name, column)
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
    if job.suffix == ".parquet":
        _join_parquet([job.part(number) for number in numbers], draft)
    else:
        with open(draft, "wb") as file:
            for number in numbers:
                with open(job.part(number), "rb") as part:
                    shutil.copyfileobj(part, file, _COPIED)
    os.replace(draft, target)
    # gone at once, so that no kill leaves a part of the folder
    done = Path(f"{job.folder}.{os.getpid()}.done")
    os.replace(job.folder, done)
    shutil.rmtree(done, ignore_errors=True)
    return JobSummary(statuses)


def _join_parquet(parts: Sequence[Path], draft: Path) -> None:
    from pyarrow import parquet

    schema = parquet.read_schema(parts[0])
    with parquet.ParquetWriter(draft, schema) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part))
