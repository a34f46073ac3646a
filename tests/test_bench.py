"""The race: our readers give the right answer to every reply that it times."""

from __future__ import annotations

import pytest

from .bench.readers import OURS, PURE, find_readers
from .bench.shapes import SHAPES, Reply, make_replies

_REPLIES = list(make_replies(list(SHAPES), ["0.3 KB", "2 KB"]))


@pytest.mark.parametrize("reply", _REPLIES, ids=lambda one: f"{one.shape} {one.size}")
def test_our_readers_are_right(reply: Reply) -> None:
    readers, _ = find_readers((OURS, PURE))
    assert PURE in readers
    for name, read in readers.items():
        assert read(reply.text) == reply.answer, name
