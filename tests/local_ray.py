"""A cluster of Ray for one test, on this machine alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import jsonsift

__all__ = ["local_ray"]


@contextmanager
def local_ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two processors, no dashboard, nothing reported; it ends with the block."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    pytest.importorskip("ray.data", reason="the extra ray is not installed")
    package = str(Path(jsonsift.__file__).parents[1])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        configure_logging=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": package}},
    )
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield
    finally:
        ray.shutdown()
