"""The recorders, against the real libraries."""

from __future__ import annotations

import json
import logging
import urllib.request
from typing import Any

import pytest

from jsonsift import NoJSONError, extract, loads, observe
from jsonsift.integrations.logging import LogRecorder

BROKEN = "Sure: {'a': [1, 2,], b: None}"


def run_calls() -> None:
    """Three calls: a repaired value, a valid one, and none."""
    extract(BROKEN)
    loads("[1]")
    with pytest.raises(NoJSONError):
        extract("no")


# ------------------------------------------------------------------------- logging


def test_log_records_have_fields(caplog: pytest.LogCaptureFixture) -> None:
    """A log pipeline would have to parse the message."""
    caplog.set_level(logging.INFO, "jsonsift")
    with observe(LogRecorder(), stages=True):
        run_calls()
    first, _, third = caplog.records
    assert [record.getMessage() for record in caplog.records] == [
        "extract: repaired",
        "loads: valid",
        "extract: no-json",
    ]
    fields: dict[str, Any] = vars(first)
    assert fields["jsonsift_edits"]["quote-mark"] == 2
    assert fields["jsonsift_kind"] == "bare"
    assert fields["jsonsift_size"] == len(BROKEN)
    assert fields["jsonsift_stages"]["mend"] > 0
    assert vars(third)["jsonsift_error"] == "NoJSONError"
    ours = {name: value for name, value in fields.items() if name[:9] == "jsonsift_"}
    assert json.loads(json.dumps(ours)) == ours


def test_log_levels(caplog: pytest.LogCaptureFixture) -> None:
    """Failures could not be told from values, or would be logged unasked."""
    caplog.set_level(logging.INFO, "jsonsift")
    quiet = LogRecorder(level=logging.DEBUG, levels={"no-json": logging.CRITICAL})
    with observe(quiet):
        run_calls()
        with pytest.raises(ValueError, match="max_length"):
            extract("[1]", max_length=1)
    assert [record.levelno for record in caplog.records] == [
        logging.CRITICAL,
        logging.WARNING,
    ]


# ------------------------------------------------------------------- OpenTelemetry


def test_spans_reach_the_exporter() -> None:
    """Spans would lie elsewhere in the trace, or take another time."""
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk not installed")
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import (
        InMemorySpanExporter,
    )
    from opentelemetry.trace import StatusCode

    from jsonsift.integrations.opentelemetry import SpanRecorder

    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider(metric_readers=[reader])
    tracer = tracers.get_tracer("test")
    with (
        observe(SpanRecorder(tracers, meters), stages=True),
        tracer.start_as_current_span("request") as parent,
    ):
        run_calls()
        with pytest.raises(ValueError, match="max_length"):
            extract("[1]", max_length=1)
    first, second, third, fourth, request = exporter.get_finished_spans()
    assert [span.name for span in (first, second, third)] == [
        "jsonsift.extract",
        "jsonsift.loads",
        "jsonsift.extract",
    ]
    assert first.parent is not None
    assert first.parent.span_id == parent.get_span_context().span_id
    assert request.start_time is not None
    assert request.end_time is not None
    assert first.start_time is not None
    assert first.end_time is not None
    assert request.start_time <= first.start_time < first.end_time <= request.end_time
    assert first.attributes is not None
    assert first.attributes["jsonsift.outcome"] == "repaired"
    assert first.attributes["jsonsift.edits.quote-mark"] == 2
    assert first.attributes["jsonsift.stages.mend.ns"] > 0  # type: ignore[operator]
    assert third.status.status_code is StatusCode.UNSET
    assert fourth.status.status_code is StatusCode.ERROR
    assert fourth.attributes is not None
    assert fourth.attributes["error.type"] == "LimitError"

    data = reader.get_metrics_data()
    assert data is not None
    (scope,) = data.resource_metrics[0].scope_metrics
    points = {metric.name: metric.data.data_points for metric in scope.metrics}
    calls = {
        point.attributes["jsonsift.outcome"]: point.count  # type: ignore[union-attr,index]
        for point in points["jsonsift.call.duration"]
    }
    assert calls == {"repaired": 1, "valid": 1, "no-json": 1, "limit": 1}
    edits = {
        point.attributes["jsonsift.edit"]: point.value  # type: ignore[union-attr,index]
        for point in points["jsonsift.edits"]
    }
    assert edits["quote-mark"] == 2


# ---------------------------------------------------------------------- Prometheus


def test_metrics_can_be_scraped() -> None:
    """What a server scrapes would not be what happened."""
    client = pytest.importorskip("prometheus_client")
    from prometheus_client.parser import text_string_to_metric_families

    from jsonsift.integrations.prometheus import MetricRecorder

    registry = client.CollectorRegistry()
    server, thread = client.start_http_server(0, addr="127.0.0.1", registry=registry)
    try:
        with observe(MetricRecorder(registry), stages=True):
            run_calls()
        url = f"http://127.0.0.1:{server.server_port}/metrics"
        with urllib.request.urlopen(url, timeout=10) as answer:
            text = answer.read().decode()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    samples = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["jsonsift_calls_total", "extract", "repaired"] == 1
    assert samples["jsonsift_calls_total", "extract", "no-json"] == 1
    assert samples["jsonsift_edits_total", "quote-mark"] == 2
    assert samples["jsonsift_call_seconds_count", "extract"] == 2
    assert samples["jsonsift_call_size_sum", "extract"] == len(BROKEN) + 2
    assert samples["jsonsift_stage_seconds_total", "mend"] > 0
