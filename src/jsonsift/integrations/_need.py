"""What to say where the library of a bridge is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["need"]


@contextmanager
def need(extra: str) -> Iterator[None]:
    """Name the extra, which is called as the bridge, when an import inside fails."""
    try:
        yield
    except ImportError as error:
        message = (
            f'jsonsift.integrations.{extra} needs: pip install "jsonsift[{extra}]"'
        )
        raise ImportError(message) from error
