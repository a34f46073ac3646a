"""A recorder for the ``logging`` of the standard library.

>>> import logging, sys
>>> from jsonsift import loads, observe
>>> from jsonsift.integrations.logging import LogRecorder
>>> logger = logging.getLogger("replies")
>>> logger.addHandler(logging.StreamHandler(sys.stdout))
>>> logger.setLevel(logging.INFO)
>>> with observe(LogRecorder(logger)):
...     _ = loads("[1, 2,]")
loads: repaired
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from .._observe import Record

__all__ = ["LogRecorder"]

_LEVELS: Final = {
    "broken": logging.WARNING,
    "limit": logging.WARNING,
    "schema": logging.WARNING,
    "error": logging.ERROR,
}


class LogRecorder:
    """Logs a line a call, with the fields of the record as ``extra``.

    The message is ``"<call>: <outcome>"``.  The extra attributes of the log record
    are ``jsonsift_call``, ``_ns``, ``_size``, ``_outcome``, ``_values``, ``_kind``,
    ``_edits`` (a dict), ``_error`` and, where observed, ``_stages`` (nanoseconds by
    stage), each with the prefix ``jsonsift``.

    Args:
        logger: where to log; by default the logger "jsonsift".
        level: for values and text, and for "no-json".
        levels: levels of other outcomes, beside WARNING for "broken", "limit" and
            "schema", and ERROR for "error".
    """

    def __init__(
        self,
        logger: logging.Logger | None = None,
        *,
        level: int = logging.INFO,
        levels: Mapping[str, int] | None = None,
    ) -> None:
        self.logger = logger or logging.getLogger("jsonsift")
        self.level = level
        self.levels = {**_LEVELS, **(levels or {})}

    def __call__(self, record: Record) -> None:
        """Log one call."""
        level = self.levels.get(record.outcome, self.level)
        if not self.logger.isEnabledFor(level):
            return
        extra: dict[str, Any] = {
            f"jsonsift_{name}": value
            for name, value in record._asdict().items()
            if name not in ("began", "edits", "stages")
        }
        extra["jsonsift_edits"] = dict(record.edits)
        if record.stages is not None:
            extra["jsonsift_stages"] = {
                stage: time.ns for stage, time in record.stages.items()
            }
        self.logger.log(level, "%s: %s", record.call, record.outcome, extra=extra)
