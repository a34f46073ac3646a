"""docs/schemas.md is true: every rule has its row, and the example client works."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final

import pydantic
import pytest

import jsonsift
from jsonsift import Risk, Rule

from .doc_blocks import ROOT, find_blocks

PAGE: Final = (ROOT / "docs/schemas.md").read_text(encoding="utf-8")
ROW: Final = re.compile(
    r"\| `([\w-]+)` \| (\d+) \| (\w+) \| `(.+)` \| `(.+)` \| `(.+)` \|"
)
ROWS: Final = [m.groups() for line in PAGE.splitlines() if (m := ROW.fullmatch(line))]
RULES: Final = {rule.label: rule for rule in Rule}


@pytest.mark.parametrize(
    ("label", "cost", "risk", "schema", "reply", "value"),
    ROWS,
    ids=[r[0] for r in ROWS],
)
def test_row_does_what_it_says(
    label: str, cost: str, risk: str, schema: str, reply: str, value: str
) -> None:
    """A reader who tries the example gets another value, rule or risk."""
    found = jsonsift.extract(reply, schema=json.loads(schema))
    assert found.value == json.loads(value)
    rule = RULES[label]
    assert rule in [one.rule for one in found.coercions]
    assert (rule.cost, rule.risk.name.lower()) == (int(cost), risk)


@pytest.mark.parametrize("row", ROWS, ids=[r[0] for r in ROWS])
def test_ceilings_hold(row: tuple[str, ...]) -> None:
    """A rule would be used where the caller forbids it."""
    for coerce, ceiling in (("safe", Risk.SAFE), ("off", Risk.NONE)):
        try:
            found = jsonsift.extract(row[4], schema=json.loads(row[3]), coerce=coerce)
        except jsonsift.JSONSiftError:
            continue
        assert max([one.rule.risk for one in found.coercions], default=0) <= ceiling


def test_every_rule_has_a_row() -> None:
    """A rule was added without its row."""
    ordinary = {rule.label for rule in Rule if not rule.on_request}
    assert [row[0] for row in ROWS] == [r.label for r in Rule if r.label in ordinary]
    for rule in Rule:
        assert f'"{rule.label}"' in PAGE or rule.label in ordinary


# ------------------------------------------------------------- the example client


class Weather(pydantic.BaseModel):
    city: str
    degrees: float


class FakeServer(BaseHTTPRequestHandler):
    """Answers each request with the next reply, and keeps what it was asked."""

    replies: list[str]
    asked: list[Any]

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.asked.append((self.path, json.loads(self.rfile.read(length))))
        message = {"role": "assistant", "content": self.replies.pop(0)}
        body = json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    FakeServer.replies, FakeServer.asked = [], []
    with HTTPServer(("127.0.0.1", 0), FakeServer) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def load_example() -> Any:
    (code,) = (b[2] for b in find_blocks(PAGE) if b[0] == "example: ask")
    names: dict[str, Any] = {}
    exec(code, names)
    return names["ask"]


def test_the_client_asks_once_more(server: HTTPServer) -> None:
    """The example would not reach a model with what was wrong."""
    first = 'Gladly: {"city": "Oslo", "degrees": "quite cold"}'
    FakeServer.replies = [first, '```json\n{"city": "Oslo", "degrees": "-3,5 °C"}\n```']
    url = f"http://127.0.0.1:{server.server_port}/v1"
    answer = load_example()(url, "The weather in Oslo?", Weather)
    assert answer == Weather(city="Oslo", degrees=-3.5)
    (path, once), (_, twice) = FakeServer.asked
    assert path == "/v1/chat/completions"
    assert once["messages"] == [{"role": "user", "content": "The weather in Oslo?"}]
    assert twice["messages"][1] == {"role": "assistant", "content": first}
    assert (
        '$.degrees: expected a number, found "quite cold"'
        in (twice["messages"][2]["content"])
    )


def test_the_client_gives_up_after_the_second_try(server: HTTPServer) -> None:
    """The example would go on asking, or hide that there is no answer."""
    FakeServer.replies = ["I cannot.", '{"city": "Oslo"}']
    url = f"http://127.0.0.1:{server.server_port}/v1"
    with pytest.raises(jsonsift.SchemaError, match="degrees is missing"):
        load_example()(url, "The weather in Oslo?", Weather)
    assert "holds no JSON" in FakeServer.asked[1][1]["messages"][2]["content"]
