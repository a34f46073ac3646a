"""Columns of replies in pandas, polars, Ray Data and Arrow tables."""

from __future__ import annotations

import json
import pickle
from typing import Any, Final

import pytest

from ..local_ray import local_ray

REPLIES: Final = ["{'a': 1}", None, "none", '[1, {"b": 2', '{"a": 3}']
STATUSES: Final = ["repaired", "null", "no-json", "cut", "valid"]
VALUES: Final = [{"a": 1}, None, None, [1, {"b": 2}], {"a": 3}]


def load(text: str | None) -> Any:
    return None if text is None else json.loads(text)


@pytest.mark.parametrize("dtype", [object, "string", "str"])
def test_pandas(dtype: Any) -> None:
    """Rows would lose their index, or missing replies be read as text."""
    pd = pytest.importorskip("pandas")
    from jsonsift.integrations.pandas import extract_series

    series = pd.Series(REPLIES, index=list("vwxyz"), dtype=dtype)
    frame = extract_series(series, workers=2)
    assert list(frame.index) == list("vwxyz")
    assert frame["status"].tolist() == STATUSES
    assert frame["value"].tolist() == VALUES
    assert frame["complete"].tolist() == [True, False, False, False, True]
    assert frame["edits"]["v"] == ("quote-mark",)
    assert frame["error"].tolist() == [
        None,
        "the reply is null",
        "the text holds no JSON",
        None,
        None,
    ]
    assert extract_series(series[:0]).columns.tolist() == frame.columns.tolist()
    strict = extract_series(series, repair="safe")
    assert strict["status"].tolist()[3] == "broken"


def test_polars() -> None:
    """A lazy query would have another answer, or a schema that does not hold."""
    pl = pytest.importorskip("polars")
    from jsonsift.integrations.polars import extract_expr, extract_series

    series = pl.Series("reply", REPLIES)
    frame = extract_series(series)
    assert frame["status"].to_list() == STATUSES
    assert [load(text) for text in frame["value"]] == VALUES
    assert frame["edits"].to_list()[0] == ["quote-mark"]
    lazy = (
        series.to_frame()
        .lazy()
        .with_columns(extract_expr(pl.col("reply")).alias("json"))
    )
    schema = lazy.collect_schema()
    collected = lazy.collect()
    assert collected.schema == schema
    assert collected.unnest("json").drop("reply").equals(frame)
    assert extract_series(pl.Series([], dtype=pl.String)).schema == frame.schema


def test_mapper_on_tables() -> None:
    """An engine would get another kind of table, or not be able to send it about."""
    pa = pytest.importorskip("pyarrow")
    from jsonsift.batch import ColumnMapper

    mapper = pickle.loads(pickle.dumps(ColumnMapper("reply", prefix="", repair="safe")))
    table = pa.table({"reply": REPLIES, "n": range(5)})
    out = mapper(table)
    assert out.schema.names == [
        *("reply", "n"),
        *("value", "status", "complete", "edits", "error"),
    ]
    assert out["status"].to_pylist() == [*STATUSES[:3], "broken", "valid"]
    (batch,) = table.to_batches()
    assert mapper(batch) == out.to_batches()[0]


@pytest.mark.filterwarnings("ignore")  # Ray warns of settings of its own
def test_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks on the workers of an engine would not be read."""
    with local_ray(monkeypatch):
        import ray

        from jsonsift.integrations.ray import extract_dataset

        rows = [{"n": n, "reply": REPLIES[n % 5]} for n in range(1000)]
        dataset = ray.data.from_items(rows, override_num_blocks=8)
        found = extract_dataset(dataset, "reply", map_options={"batch_size": 100})
        out = sorted(found.take_all(), key=lambda row: int(row["n"]))
    assert [row["n"] for row in out] == list(range(1000))
    assert [row["json_status"] for row in out] == STATUSES * 200
    assert [load(row["json_value"]) for row in out] == VALUES * 200
