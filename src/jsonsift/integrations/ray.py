"""A column of replies in a Ray Data set.  Needs the extra ``ray``."""

from __future__ import annotations

from typing import Any

from ..batch import ColumnMapper
from ._need import need

with need("ray"):
    from ray.data import Dataset

__all__ = ["extract_dataset"]


def extract_dataset(
    dataset: Dataset,
    field: str,
    *,
    prefix: str = "json_",
    map_options: dict[str, Any] | None = None,
    **options: Any,
) -> Dataset:
    """The data set with the columns of ``jsonsift.batch.extract_column`` added.

    It is lazy, as all of Ray Data: the work is done where the blocks are, when they
    are asked for.

    Args:
        dataset: the data set.
        field: the column of replies.
        prefix: what stands before the names of the new columns.
        map_options: for ``map_batches``, such as ``batch_size`` or ``num_cpus``.
        options: those of ``extract``.
    """
    mapper = ColumnMapper(field, prefix=prefix, **options)
    return dataset.map_batches(mapper, batch_format="pyarrow", **(map_options or {}))
