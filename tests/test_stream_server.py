"""The FastAPI example of docs/streaming.md, served on loopback and read over HTTP."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from .doc_blocks import ROOT, find_blocks

fastapi = pytest.importorskip("fastapi")
httpx = pytest.importorskip("httpx")
uvicorn = pytest.importorskip("uvicorn")

MARK = "file: the FastAPI example"


def read_example() -> str:
    text = (ROOT / "docs" / "streaming.md").read_text(encoding="utf-8")
    bodies = [body for mark, _, body, _ in find_blocks(text) if mark == MARK]
    assert len(bodies) == 1
    return bodies[0]


@contextmanager
def serve(app: Any) -> Iterator[str]:
    """The address of a server that runs the program, while the block lasts."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_value_grows_over_http() -> None:
    """The example would not run, or would send the value only at the end."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(read_example(), "docs/streaming.md", "exec", dont_inherit=True), names)
    with (
        serve(names["app"]) as address,
        httpx.stream("GET", f"{address}/trip", timeout=20) as response,
    ):
        assert response.status_code == 200
        values = [json.loads(line) for line in response.iter_lines()]
    assert values[0] == {"title": "Fjo"}
    assert values[1] == {"title": "Fjords", "stops": []}
    assert values[-1] == {"title": "Fjords", "stops": ["Moss", "Oslo"]}
    assert len(values) == 5
