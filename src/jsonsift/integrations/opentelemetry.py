"""A recorder for OpenTelemetry: a span and three measurements a call.

Needs the extra ``opentelemetry``, which is the API alone; what is exported, and where
to, the application's SDK decides.

    observe(SpanRecorder(), stages=True)
"""

from __future__ import annotations

from collections.abc import Mapping

from .._observe import Record
from ._need import need

with need("opentelemetry"):
    from opentelemetry import metrics, trace
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import SpanKind, StatusCode, TracerProvider
    from opentelemetry.util.types import AttributeValue

__all__ = ["SpanRecorder"]

_FAILURES = frozenset(("broken", "limit", "schema", "error"))


class SpanRecorder:
    """Makes of each call a span and measurements.

    The span ``jsonsift.<call>`` is a child of whatever span is current in the call,
    has its real times, and the attributes ``jsonsift.outcome``, ``.size``, ``.values``,
    ``.kind``, ``.edits.<kind>`` and, where observed, ``.stages.<stage>.ns``.  Broken
    JSON, limits, schema errors and other errors make its status an error, with
    ``error.type``; no JSON does not.

    The instruments are the histograms ``jsonsift.call.duration`` (seconds) and
    ``jsonsift.call.size``, by call and outcome, and the counter ``jsonsift.edits``, by
    kind.

    Args:
        tracer_provider, meter_provider: by default the global ones.
    """

    def __init__(
        self,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        self._tracer = trace.get_tracer("jsonsift", tracer_provider=tracer_provider)
        meter = metrics.get_meter("jsonsift", meter_provider=meter_provider)
        self._duration = meter.create_histogram(
            "jsonsift.call.duration", unit="s", description="How long a call took"
        )
        self._size = meter.create_histogram(
            "jsonsift.call.size", unit="1", description="Characters or bytes of a call"
        )
        self._edits = meter.create_counter(
            "jsonsift.edits", unit="1", description="Repairs, by kind"
        )

    def __call__(self, record: Record) -> None:
        """Record one call."""
        span = self._tracer.start_span(
            f"jsonsift.{record.call}",
            kind=SpanKind.INTERNAL,
            start_time=record.began,
            attributes=_list_attributes(record),
        )
        if record.outcome in _FAILURES:
            span.set_status(StatusCode.ERROR, record.outcome)
        span.end(end_time=record.began + record.ns)
        labels = {"jsonsift.call": record.call, "jsonsift.outcome": record.outcome}
        self._duration.record(record.ns / 1e9, labels)
        self._size.record(record.size, labels)
        for kind, count in record.edits.items():
            self._edits.add(count, {"jsonsift.edit": kind})


def _list_attributes(record: Record) -> Mapping[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        "jsonsift.outcome": record.outcome,
        "jsonsift.size": record.size,
        "jsonsift.values": record.values,
    }
    if record.kind:
        attributes["jsonsift.kind"] = record.kind
    if record.error:
        attributes["error.type"] = record.error
    for kind, count in record.edits.items():
        attributes[f"jsonsift.edits.{kind}"] = count
    for stage, time in (record.stages or {}).items():
        attributes[f"jsonsift.stages.{stage}.ns"] = time.ns
    return attributes
