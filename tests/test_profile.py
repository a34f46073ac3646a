"""``jsonsift profile`` and ``jsonsift check``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jsonsift.cli import main
from jsonsift.profiling import Place, Profile, profile_replies

from .doc_blocks import ROOT

REPLIES = ["{'a': 1}", '{"b": 2}', "none", '[1, "é'] * 5


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in REPLIES))
    return path


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(argument) for argument in arguments])
    return status, *capfd.readouterr()


# -------------------------------------------------------------------------- profile


def test_profile_adds_up() -> None:
    """Counts would be of something else than the replies."""
    profile = profile_replies(
        (Place("x", n, n), text) for n, text in enumerate(REPLIES)
    )
    assert len(profile.ns) == 20
    assert list(profile.sizes[:4]) == [8, 8, 4, 6]
    assert profile.outcomes == {"repaired": 5, "valid": 5, "no-json": 5, "cut": 5}
    assert profile.edits == {"quote-mark": 10, "cut-off": 10}
    stages = profile.stages
    assert stages["strict"].runs >= 15
    assert 0 < sum(time.ns for time in stages.values()) <= sum(profile.ns)
    slowest = profile.slowest
    assert len(slowest) == 10
    assert [slow.ns for slow in slowest] == sorted(profile.ns, reverse=True)[:10]
    for slow in slowest:
        assert profile.ns[slow.place.offset] == slow.ns
    assert profile.find_percentiles()[100] == max(profile.ns)
    assert json.loads(json.dumps(profile.to_dict()))["calls"] == 20


def test_percentiles_are_nearest_rank() -> None:
    """A percentile would be a time that no call took."""
    profile = Profile()
    profile.ns.extend(range(1, 201))
    profile.sizes.extend([2] * 200)
    assert profile.find_percentiles() == {50: 100, 90: 180, 99: 198, 100: 200}
    assert profile.find_percentiles(per_size=True)[50] == 50
    assert Profile().find_percentiles() == {}


def test_profile_command(capfd: pytest.CaptureFixture[str], rows: Path) -> None:
    """The table would lack a part, or a pipe be full of progress."""
    status, out, err = run(capfd, "profile", "--field", "text", rows)
    assert (status, err) == (0, "")
    assert out.startswith("20 replies, 130 characters or bytes, ")
    for stage in ("decode", "locate", "strict", "mend", "choose", "validate"):
        assert re.search(rf"^{stage} +[\d.]+ +[\d.]+% +\d+ +\d+", out, re.M)
    for word in ("percentile", "no-json", "quote-mark", "slowest"):
        assert word in out
    lines = out.splitlines()
    slowest = lines[
        lines.index(next(x for x in lines if x.startswith("slowest"))) + 1 :
    ]
    assert len(slowest) == 10
    offsets = [len(line) for line in rows.read_bytes().splitlines(keepends=True)]
    for line in slowest:
        found = re.search(r"rows\.jsonl:(\d+) \(byte (\d+)\)$", line)
        assert found is not None
        assert sum(offsets[: int(found[1]) - 1]) == int(found[2])


def test_profile_finds_members_of_members(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A field that --jsonl can read could not be profiled."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"m": [{"text": "[1,]"}]}\n{"m.0.text": "[2]"}\n{"m": 1}\n')
    status, out, err = run(capfd, "profile", "--field", "m.0.text", path)
    assert out.startswith("2 replies, ")
    assert (status, err.count("rows.jsonl:")) == (1, 1)
    assert "rows.jsonl:3: no JSON object whose 'm.0.text' is a text" in err


def test_profile_of_whole_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, rows: Path
) -> None:
    """A file would be read line by line, or one that fails stop the others."""
    reply = tmp_path / "reply.txt"
    reply.write_text("Sure: {a: 1}")
    status, out, err = run(capfd, "profile", "--json", reply, tmp_path / "none", reply)
    assert status == 1
    assert err.endswith("none: No such file or directory\n")
    found: dict[str, Any] = json.loads(out)
    assert found["calls"] == 2
    assert found["stages"]["decode"]["runs"] == 2
    assert found["slowest"][0]["file"] == str(reply)
    rows.write_text('{"text": "[]"}\n\nbroken\n{"text": 3}\n')
    status, out, err = run(capfd, "profile", "--field", "text", rows)
    assert status == 1
    assert out.startswith("1 reply, 2 characters")
    assert [line.split(": ")[1].rpartition(":")[2] for line in err.splitlines()] == [
        "3",
        "4",
    ]


def test_profile_warms_up(tmp_path: Path) -> None:
    """The first reply would be the slowest, by what is loaded for it."""
    code = (
        "from jsonsift.profiling import Place, profile_replies\n"
        'text = \'Sure: {a: 1} or <tool_call>{"name": "f"}</tool_call>\'\n'
        "found = profile_replies([(Place('x'), text)] * 9)\n"
        "assert len(found.ns) == 9\n"
        "print(found.ns[0], sorted(found.ns)[4])\n"
    )
    shares = []
    for _ in range(3):  # another process may come between
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True)
        first, middle = map(int, ran.stdout.split())
        shares.append(first / middle)
    assert min(shares) < 15


def test_profile_plot_without_matplotlib(
    capfd: pytest.CaptureFixture[str], rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All replies would be read before it is missed."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit) as caught:
        run(capfd, "profile", "--field", "text", "--plot", "x.png", rows)
    assert caught.value.code == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("jsonsift: argument --plot: needs matplotlib: pip install ")


def test_profile_plot(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, rows: Path
) -> None:
    """There would be no picture, or a traceback where there is no such folder."""
    pytest.importorskip("matplotlib")
    picture = tmp_path / "times.png"
    status, _, err = run(capfd, "profile", "--field", "text", "--plot", picture, rows)
    assert (status, err) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    nowhere = tmp_path / "none" / "times.png"
    status, _, err = run(capfd, "profile", "--field", "text", "--plot", nowhere, rows)
    assert status == 1
    assert "No such file or directory" in err


# ---------------------------------------------------------------------------- check


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[\n1,\r\n2]\n", "3", '"{\\"a\\": 1}"', " null "]
)
def test_check_leaves_valid_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    """A commit would be stopped, or a file rewritten, without need."""
    path = tmp_path / "a.json"
    path.write_bytes(text.encode())
    assert run(capfd, "check", "--fix", "--repair", "all", path) == (0, "", "")
    assert path.read_bytes() == text.encode()


def test_check_says_what_is_wrong(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A fault would be passed over, or the file changed without --fix."""
    path = tmp_path / "a.json"
    text = '{\n  "a": [1, 2,],\n  // note\n  b: None\n}\n'
    path.write_text(text)
    status, out, err = run(capfd, "check", path)
    assert (status, out) == (1, "")
    assert f"{path}:2:13: extra-comma: dropped `,`" in err
    assert path.read_text() == text
    status, _, err = run(capfd, "check", "--fix", path)
    assert status == 1
    assert err.endswith("a.json: repaired\n")
    assert path.read_text() == '{\n  "a": [1, 2],\n  \n  "b": null\n}\n'
    assert run(capfd, "check", "--fix", path) == (0, "", "")


@pytest.mark.parametrize(
    ("data", "message", "fixed"),
    [
        (b'{"a": "x "y" z"}', ":1:10: a quote inside a string", None),
        (b'{"a": 1', ":1:8: the text ends inside the value", None),
        (b'Here: {"a": 1}', ": the file is not one JSON value and", None),
        (b"none at all", ": the text holds no JSON", None),
        (b'\xef\xbb\xbf{"a": 1}', ": has a byte order mark", b'{"a": 1}'),
        ('{"a": 1}\n'.encode("utf-16"), ": is utf-16-le", b'{"a": 1}\n'),
        (b'{"a": "\xff\xff\xff is no text"}', ": 3 characters could not be read", None),
        (b"/* c */\n[1]", ":1:1: dropped `/* c */` (it stands outside", b"[1]"),
        (b'{"a": 1,}; // c\r\n', ":1:10: dropped `; // c`", b'{"a": 1}\r\n'),
        (b"[1] }\n", ":1:5: dropped `}`", b"[1]\n"),
        ("[1]\u200b".encode(), ":1:4: dropped", b"[1]"),
        (b'{"a": 1}\n{"a": 2}\n', ":1:1: joined-values", b'[{"a": 1},\n{"a": 2}]\n'),
    ],
)
def test_check_of_other_faults(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: bytes,
    message: str,
    fixed: bytes | None,
) -> None:
    """A guess would be written into a file that nobody looks at again."""
    path = tmp_path / "a.json"
    path.write_bytes(data)
    status, _, err = run(capfd, "check", "--fix", path)
    assert status == 1
    assert f"{path}{message}" in err
    assert path.read_bytes() == (data if fixed is None else fixed)


def test_hooks_name_commands_that_run(tmp_path: Path) -> None:
    """A hook would call a command or an option that is not there."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^  entry: jsonsift (.+)$", text, re.M)
    assert entries == ["check", "check --fix"]
    assert text.count("language: python") == 2
    path = tmp_path / "a.json"
    for entry in entries:
        path.write_text("[1,]")
        ran = subprocess.run(
            [sys.executable, "-m", "jsonsift", *entry.split(), path],
            capture_output=True,
        )
        assert ran.returncode == 1
    assert path.read_text() == "[1]"
