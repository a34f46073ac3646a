"""A column of replies to columns of values: the kernel under every engine.

Needs the extra ``batch`` (pyarrow).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from ._rows import Row, extract_many

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["COLUMNS", "ColumnMapper", "extract_column", "make_batch", "need_pyarrow"]

COLUMNS: Final = ("value", "status", "complete", "edits", "error")


def extract_column(replies: Any, *, workers: int | None = 1, **options: Any) -> Any:
    """A ``pyarrow.RecordBatch`` with a row for each reply.

    Its columns are ``value`` (JSON text, large_string), ``status`` (string),
    ``complete`` (bool), ``edits`` (list of string) and ``error`` (string); see
    ``Row``.  Values stay text, since their types differ from row to row.

    Args:
        replies: a pyarrow Array or ChunkedArray of strings or binary, or any iterable.
        workers, options: as in ``extract_many``.

    Raises:
        ImportError: pyarrow is not installed.
        ValueError, TypeError: as ``extract_many``.
    """
    if hasattr(replies, "to_pylist"):
        replies = replies.to_pylist()
    return make_batch(extract_many(replies, workers=workers, **options))


def need_pyarrow(what: str) -> None:
    """Raise the ImportError that says where pyarrow is had, if it is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        message = f'{what} need pyarrow: pip install "jsonsift[batch]"'
        raise ImportError(message) from error


def make_batch(rows: Iterable[Row]) -> pa.RecordBatch:
    """The rows as columns."""
    need_pyarrow("columns")
    import pyarrow as pa

    schema = pa.schema(
        [
            ("value", pa.large_string()),
            pa.field("status", pa.string(), nullable=False),
            pa.field("complete", pa.bool_(), nullable=False),
            pa.field("edits", pa.list_(pa.string()), nullable=False),
            ("error", pa.string()),
        ]
    )
    listed = list(rows)
    columns = [
        [row.text for row in listed],
        [row.status for row in listed],
        [row.complete for row in listed],
        [row.edits for row in listed],
        [row.error for row in listed],
    ]
    arrays = [
        pa.array(column, type=field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


class ColumnMapper:
    """Adds the columns of ``extract_column`` to tables of an engine, batch by batch.

    Called with a ``pyarrow.Table`` or ``RecordBatch`` it gives one of the same kind,
    which is what ``map_batches`` of Ray Data (``batch_format="pyarrow"``), ``map`` of
    datasets and ``mapInArrow`` of Spark want.  It can be pickled.

    Args:
        field: the column of replies.
        prefix: what stands before the names of the new columns.
        options: those of ``extract``.
    """

    def __init__(self, field: str, *, prefix: str = "json_", **options: Any) -> None:
        self.field = field
        self.prefix = prefix
        self.options = options

    def __call__(self, table: Any) -> Any:
        """The table with the new columns."""
        batch = extract_column(table.column(self.field), **self.options)
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            table = table.append_column(self.prefix + name, column)
        return table
