"""A recorder for Prometheus.  Needs the extra ``prometheus``.

observe(MetricRecorder())
prometheus_client.start_http_server(9000)
"""

from __future__ import annotations

from typing import Final

from .._observe import Record
from ._need import need

with need("prometheus"):
    from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram

__all__ = ["MetricRecorder"]

_SECONDS: Final = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0)
_SIZES: Final = tuple(10.0**power for power in range(2, 9))


class MetricRecorder:
    """Counts and measures each call.

    ``jsonsift_call_seconds`` and ``jsonsift_call_size`` are histograms by ``call``;
    ``jsonsift_calls_total`` counts by ``call`` and ``outcome``,
    ``jsonsift_edits_total`` by ``kind``, and ``jsonsift_stage_seconds_total`` by
    ``stage``, where stages are observed.

    Args:
        registry: where to register them; a registry takes only one recorder.
    """

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._seconds = Histogram(
            "jsonsift_call_seconds",
            "How long a call took",
            ["call"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._size = Histogram(
            "jsonsift_call_size",
            "Characters or bytes of a call",
            ["call"],
            buckets=_SIZES,
            registry=registry,
        )
        self._calls = Counter(
            "jsonsift_calls", "Calls", ["call", "outcome"], registry=registry
        )
        self._edits = Counter("jsonsift_edits", "Repairs", ["kind"], registry=registry)
        self._stages = Counter(
            "jsonsift_stage_seconds", "Time in a stage", ["stage"], registry=registry
        )

    def __call__(self, record: Record) -> None:
        """Record one call."""
        self._seconds.labels(record.call).observe(record.ns / 1e9)
        self._size.labels(record.call).observe(record.size)
        self._calls.labels(record.call, record.outcome).inc()
        for kind, count in record.edits.items():
            self._edits.labels(kind).inc(count)
        for stage, time in (record.stages or {}).items():
            self._stages.labels(stage).inc(time.ns / 1e9)
