"""A column of replies in pandas."""

from __future__ import annotations

from typing import Any

from ..batch import extract_many
from ._need import need

with need("pandas"):
    import pandas as pd

__all__ = ["extract_series"]


def extract_series(
    series: pd.Series, *, workers: int | None = 1, **options: Any
) -> pd.DataFrame:
    """A frame with a row for each reply, and the index of the series.

    Its columns are ``value`` (Python objects), ``status`` (categories), ``complete``
    (bool), ``edits`` (tuples of kinds) and ``error``; see ``jsonsift.batch.Row``.
    Missing replies (None, NaN, NA) have the status "null".

    Args:
        series: the replies.
        workers, options: as in ``extract_many``.

    >>> import pandas as pd
    >>> from jsonsift.integrations.pandas import extract_series
    >>> replies = pd.Series(["{'a': 1}", None, "none"], index=["x", "y", "z"])
    >>> extract_series(replies)[["value", "status"]]
          value    status
    x  {'a': 1}  repaired
    y      None      null
    z      None   no-json
    """
    replies = series.astype(object).where(series.notna(), None)
    rows = list(extract_many(replies, workers=workers, **options))
    columns = {
        "value": pd.Series([row.value for row in rows], dtype=object),
        "status": pd.Categorical([row.status for row in rows]),
        "complete": pd.Series([row.complete for row in rows], dtype=bool),
        "edits": pd.Series([row.edits for row in rows], dtype=object),
        "error": pd.Series([row.error for row in rows], dtype=object),
    }
    return pd.DataFrame(columns).set_axis(series.index, axis=0)
