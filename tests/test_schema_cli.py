"""``jsonsift --schema``: values that fit, what was done, and what does not fit."""

from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from jsonsift.cli import main

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer"},
        "note": {"type": "string", "default": "none"},
    },
    "required": ["name", "age"],
}
REPLY = 'Sure: {"Name": "Ada", "age": "36 years", "x": 1}'


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA))
    return str(path)


def run(monkeypatch: pytest.MonkeyPatch, reply: str, *arguments: str) -> int:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(reply.encode())))
    return main([*arguments])


def test_value_and_report(
    schema: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The value would be printed as it stood, or not what was made of it."""
    status = run(monkeypatch, REPLY, "--schema", schema, "--compact", "--report")
    out, err = capfd.readouterr()
    assert status == 0
    assert json.loads(out) == {"name": "Ada", "age": 36, "note": "none"}
    lines = [line.removeprefix("<stdin>: ") for line in err.splitlines()[1:]]
    assert sorted(lines) == [
        'guess number-in-text: $["age"]: `"36 years"` became `36`',
        'safe default: $["note"]: set to `"none"`',
        'safe extra-key: $["x"]: dropped `1`',
        'safe key-form: $["Name"]: `"Name"` became `"name"`',
    ]


def test_no_fit(
    schema: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A value that does not fit would be printed, or end in a traceback."""
    assert run(monkeypatch, REPLY, "--schema", schema, "--coerce", "safe") == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        "jsonsift: <stdin>: no fit for the schema: $.age: expected an integer, "
        'found "36 years"\n'
    )


@pytest.mark.parametrize(
    "content", ["", "[]", '{"type": "text"}', '{"default": "\\ud800"}', None]
)
def test_wrong_schemas(
    content: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A schema that is none would look like a reply that does not fit."""
    path = tmp_path / "wrong.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, REPLY, "--schema", str(path))
    assert caught.value.code == 2
    said = capfd.readouterr().err
    assert "argument --schema" in said
    assert said.count(str(path)) == said.count("\n") == 1
    assert "Errno" not in said
