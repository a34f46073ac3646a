"""A column of replies in polars.  Needs pyarrow beside polars."""

from __future__ import annotations

from typing import Any

from ..batch import extract_column
from ._need import need

with need("polars"):
    import polars as pl

__all__ = ["extract_expr", "extract_series"]

_FIELDS = pl.Struct(
    {
        "value": pl.String,
        "status": pl.String,
        "complete": pl.Boolean,
        "edits": pl.List(pl.String),
        "error": pl.String,
    }
)


def extract_series(
    series: pl.Series, *, workers: int | None = 1, **options: Any
) -> pl.DataFrame:
    """A frame with a row for each reply.

    Its columns are those of ``jsonsift.batch.extract_column``.  ``value`` is JSON text,
    since a column of polars has one type: ``value.str.json_decode(dtype)`` reads it.

    Args:
        series: the replies, strings or binary.
        workers, options: as in ``extract_many``.

    >>> import polars as pl
    >>> from jsonsift.integrations.polars import extract_series
    >>> frame = extract_series(pl.Series(["{'a': 1}", "none"]))
    >>> frame["value"].str.json_decode(pl.Struct({"a": pl.Int64})).to_list()
    [{'a': 1}, None]
    """
    batch = extract_column(series.to_list(), workers=workers, **options)
    frame = pl.from_arrow(batch)
    assert isinstance(frame, pl.DataFrame)
    return frame


def extract_expr(expr: pl.Expr, **options: Any) -> pl.Expr:
    """The same as a struct of each reply, in an expression of any lazy query.

    Args:
        expr: the replies, such as ``pl.col("reply")``.
        options: those of ``extract``.

    >>> import polars as pl
    >>> from jsonsift.integrations.polars import extract_expr
    >>> frame = pl.DataFrame({"reply": ["{'a': 1}", "none"]})
    >>> frame.with_columns(extract_expr(pl.col("reply")).alias("json")).unnest("json")[
    ...     "status"
    ... ].to_list()
    ['repaired', 'no-json']
    """

    def read(series: pl.Series) -> pl.Series:
        return extract_series(series, **options).to_struct(series.name)

    return expr.map_batches(read, return_dtype=_FIELDS, is_elementwise=True)
