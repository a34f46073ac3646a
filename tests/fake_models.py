"""A model server for the cookbook: it speaks what OpenAI's and Anthropic's clients do.

Whatever is asked, it gives the same reply, as a model might: prose, a fence, a trailing
comma and ``None``.  It listens on this machine only, and the clients are led to it by
the environment variables that they read.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

__all__ = ["REPLY", "serve"]

REPLY: Final = """\
Here is the invoice:

```json
{"number": "A-17", "total": 12.5, "paid": True, "note": None,}
```
"""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        asked: dict[str, Any] = json.loads(self.rfile.read(size) or b"{}")
        if self.path.endswith("/messages"):
            self._send("application/json", json.dumps(_make_message(asked)))
        elif asked.get("stream"):
            self._send("text/event-stream", "".join(_stream_chunks(asked)))
        else:
            self._send("application/json", json.dumps(_make_completion(asked)))

    def _send(self, kind: str, body: str) -> None:
        data = body.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _make_completion(asked: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": REPLY}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked.get("model", "model"),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _stream_chunks(asked: dict[str, Any]) -> Iterator[str]:
    for start in range(0, len(REPLY), 5):
        delta = {"content": REPLY[start : start + 5]}
        chunk = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": asked.get("model", "model"),
            "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
        }
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"


def _make_message(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model", "model"),
        "content": [{"type": "text", "text": REPLY}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


@contextmanager
def serve() -> Iterator[dict[str, str]]:
    """The environment in which clients find the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield {
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": "none",
            "VLLM_URL": f"{url}/v1",
            "SGLANG_URL": f"{url}/v1",
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "NO_PROXY": "127.0.0.1",
        }
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
