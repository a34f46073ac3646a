"""The command line: every option, every exit status, and nothing ends in a traceback.

Most tests call ``main`` in this process; those about pipes, streams and the start of
the interpreter run ``python -m jsonsift``.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import jsonsift
from jsonsift import cli
from jsonsift.cli._terminal import Progress

BROKEN = 'Sure:\n```json\n{name: "Ada", "born": 1815,}\n```\nBye'
TWO = 'First {"a": 1}, then {"a": [2]}.'
ROWS = '[{"id": 1}, {"id": 2}]'
OPTIONS = (
    "--all",
    "--coerce",
    "--compact",
    "--encoding",
    "--field",
    "--html",
    "--in-place",
    "--indent",
    "--jsonl",
    "--keep",
    "--lines",
    "--no-ensure-ascii",
    "--out",
    "--output",
    "--overwrite",
    "--pick",
    "--reasoning",
    "--repair",
    "--report",
    "--schema",
    "--sort-keys",
    "--version",
    "--workers",
)
COMMAND = (sys.executable, "-m", "jsonsift")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX files and pipes")


class Ran(NamedTuple):
    status: int
    out: str
    err: str


class Runner:
    """Calls ``main`` with text on standard input."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        self.monkeypatch = monkeypatch
        self.capfd = capfd

    def __call__(self, *arguments: str | Path, stdin: str | bytes = b"") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        stream = io.TextIOWrapper(io.BytesIO(data), encoding="ascii")
        self.monkeypatch.setattr(sys, "stdin", stream)
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = int(stop.code or 0)
        for output in (sys.stdout, sys.stderr):
            output.flush()
        return Ran(status, *self.capfd.readouterr())


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Runner:
    return Runner(monkeypatch, capfd)


@pytest.fixture
def reply(tmp_path: Path) -> Path:
    path = tmp_path / "reply.txt"
    path.write_text(BROKEN)
    return path


def start(
    *arguments: str | Path, stdin: bytes = b"", command: Sequence[str] = COMMAND
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    line = [*command, *map(str, arguments)]
    return subprocess.run(line, input=stdin, capture_output=True, env=environment())


def environment(**more: str) -> dict[str, str]:
    """This environment, with the package that is tested findable from anywhere."""
    package = Path(jsonsift.__file__).parents[1]
    return {**os.environ, "PYTHONPATH": str(package), **more}


# ------------------------------------------------------------------------- the value


def test_prints_the_value_of_a_file(run: Runner, reply: Path) -> None:
    """The default: two spaces a level, nothing on stderr."""
    assert run(reply) == Ran(0, '{\n  "name": "Ada",\n  "born": 1815\n}\n', "")


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_reads_standard_input(run: Runner, arguments: list[str]) -> None:
    """Without a FILE, and for the FILE -."""
    assert run(*arguments, "--compact", stdin=BROKEN).out == (
        '{"name":"Ada","born":1815}\n'
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--indent", "0"], '{\n"b": [\n1\n],\n"a": "\\u00e9"\n}\n'),
        (["--indent", "1"], '{\n "b": [\n  1\n ],\n "a": "\\u00e9"\n}\n'),
        (["--compact"], '{"b":[1],"a":"\\u00e9"}\n'),
        (["--compact", "--sort-keys"], '{"a":"\\u00e9","b":[1]}\n'),
        (["--compact", "--no-ensure-ascii"], '{"b":[1],"a":"é"}\n'),
        (["--lines"], '{"b": [1], "a": "\\u00e9"}\n'),
        (["--lines", "--compact"], '{"b":[1],"a":"\\u00e9"}\n'),
    ],
)
def test_layout(run: Runner, arguments: list[str], expected: str) -> None:
    """Each layout option gives exactly this text."""
    assert run(*arguments, stdin='{"b": [1], "a": "é"}') == Ran(0, expected, "")


@pytest.mark.parametrize(
    ("arguments", "text", "expected"),
    [
        (["--lines"], ROWS, '{"id": 1}\n{"id": 2}\n'),
        (["--lines"], '{"id": 1}\n{"id": 2}', '{"id": 1}\n{"id": 2}\n'),
        (["--lines"], "[]", ""),
        (["--all", "--lines"], TWO, '{"a": 1}\n{"a": [2]}\n'),
        (["--all", "--lines"], ROWS, '[{"id": 1}, {"id": 2}]\n'),
        (["--all", "--compact"], TWO, '{"a":1}\n{"a":[2]}\n'),
        (["--all", "--indent", "1"], TWO, '{\n "a": 1\n}\n{\n "a": [\n  2\n ]\n}\n'),
    ],
)
def test_several_values(
    run: Runner, arguments: list[str], text: str, expected: str
) -> None:
    """--lines splits a list, with --all it only puts each value on one line."""
    assert run(*arguments, stdin=text) == Ran(0, expected, "")


@pytest.mark.parametrize(
    ("pick", "expected"), [("first", {"a": 1}), ("last", {"a": [2]})]
)
def test_pick(run: Runner, pick: str, expected: Any) -> None:
    """--pick reaches the choice."""
    assert json.loads(run("--pick", pick, stdin=TWO).out) == expected


def test_numbers_keep_their_digits(run: Runner) -> None:
    """Integers beyond 64 bits stay exact, NaN and Infinity as json.dumps has it."""
    text = '{"n": 123456789012345678901234567890, "x": [NaN, -Infinity, 1.5]}'
    assert run("--lines", stdin=text).out == text + "\n"


def test_deepest_nesting(run: Runner) -> None:
    """What max_depth lets through can be printed, indented too."""
    text = "[" * 512 + "]" * 512
    assert run("--compact", stdin=text).out == text + "\n"
    assert "".join(run(stdin=text).out.split()) == text


def test_empty_containers_are_values(run: Runner) -> None:
    """An empty object was found, it is not nothing."""
    assert run(stdin="{}") == Ran(0, "{}\n", "")


# ------------------------------------------------------------------ reading, policies


def test_repair_policies(run: Runner) -> None:
    """A forbidden repair is an error with its place; a safe one is not."""
    assert run("--repair", "safe", stdin=BROKEN).status == 0
    ran = run("--repair", "off", stdin=BROKEN)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("jsonsift: <stdin>:3:2: a key without quotes; ")
    assert ran.err.count("\n") == 1


def test_reasoning(run: Runner) -> None:
    """A draft is no answer, unless it is asked for."""
    text = '<think>perhaps {"a": 1}</think> I need more.'
    ran = run(stdin=text)
    assert (ran.status, ran.out) == (1, "")
    assert "reasoning" in ran.err
    assert run("--all", stdin=text).err == ran.err
    assert run("--reasoning", "fallback", "--lines", stdin=text).out == '{"a": 1}\n'
    assert run("--all", "--reasoning", "fallback", stdin=text).status == 0


def test_encodings(run: Runner, tmp_path: Path) -> None:
    """UTF-16 is found out, a named encoding is used, and output is UTF-8 always."""
    path = tmp_path / "reply"
    for encoding, arguments in [("utf-16", []), ("cp1252", ["--encoding", "cp1252"])]:
        path.write_bytes('{"ä": "é"}'.encode(encoding))
        ran = run(path, "--lines", "--no-ensure-ascii", *arguments)
        assert ran == Ran(0, '{"ä": "é"}\n', "")


def test_bytes_that_cannot_be_read(run: Runner) -> None:
    """They become U+FFFD, and stderr says how many there were."""
    ran = run("--encoding", "utf-8", "--lines", stdin=b'{"a": "\xff\xfeb"}')
    assert ran.out == '{"a": "\\ufffd\\ufffdb"}\n'
    assert ran.status == 0
    assert ran.err == "jsonsift: <stdin>: 2 characters could not be read as utf-8\n"


# -------------------------------------------------------------------------- failures


@pytest.mark.parametrize("arguments", [[], ["--all"], ["--lines"], ["--report"]])
@pytest.mark.parametrize("text", ["", "I cannot help with that.", "[1] {name}"])
def test_nothing_found(run: Runner, arguments: list[str], text: str) -> None:
    """Status 1, nothing on stdout, one line on stderr."""
    ran = run(*arguments, stdin=text)
    assert ran == Ran(1, "", "jsonsift: <stdin>: the text holds no JSON\n")


def test_limits(run: Runner) -> None:
    """A limit is one line with a place."""
    ran = run(stdin="\n" + '{"a":' * 2000)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("jsonsift: <stdin>:2:")
    assert "max_depth" in ran.err
    assert ran.err.count("\n") == 1


def test_a_failing_file_does_not_stop_the_others(
    run: Runner, reply: Path, tmp_path: Path
) -> None:
    """Missing, without JSON, and a directory: the others are printed all the same."""
    prose = tmp_path / "prose.txt"
    prose.write_text("No.")
    ran = run("--lines", reply, tmp_path / "missing", prose, tmp_path, reply)
    assert ran.status == 1
    assert ran.out == '{"name": "Ada", "born": 1815}\n' * 2
    missing, no_json, directory = ran.err.splitlines()
    assert missing == f"jsonsift: {tmp_path / 'missing'}: No such file or directory"
    assert no_json == f"jsonsift: {prose}: the text holds no JSON"
    assert directory.startswith(f"jsonsift: {tmp_path}: ")


@needs_posix
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every file"
)
def test_unreadable_file(run: Runner, reply: Path) -> None:
    """No permission is one line."""
    reply.chmod(0)
    assert run(reply) == Ran(1, "", f"jsonsift: {reply}: Permission denied\n")


def test_odd_file_names(run: Runner, tmp_path: Path) -> None:
    """A name that a terminal would obey is shown escaped."""
    ran = run(tmp_path / "a\x1b[31m\nb")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert r"a\x1b[31m\nb" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["--repair", "some"], "invalid choice: 'some'"),
        (["--pick", "best", "--all"], "not allowed with argument"),
        (["--indent", "2", "--compact"], "not allowed with argument"),
        (["--indent", "2", "--lines"], "not allowed with argument"),
        (["--indent", "-1"], "'-1' is no number from 0 to 99"),
        (["--indent", "two"], "'two' is no number from 0 to 99"),
        (["--indent", "100"], "'100' is no number from 0 to 99"),
        (["--encoding", "klingon"], "klingon"),
        (["--encoding", "rot13"], "not a text encoding"),
        (["--in-place"], "--in-place needs a FILE"),
        (["--in-place", "-"], "--in-place needs a FILE"),
        (["--in-place", "--output", "x", "y"], "not allowed with argument"),
        (["--rep"], "unrecognized arguments: --rep"),
        (["--coerce", "safe"], "argument --coerce: needs --schema"),
        (["check", "--fix"], "--fix needs a FILE to write to"),
        (["check", "--fix", "-"], "--fix needs a FILE to write to"),
        (["profile", "--plot", "x.what"], "x.what ends in none of .png, .svg, .pdf"),
        (["profile", "--plot", "x"], "x ends in none of .png, .svg, .pdf"),
        (["check", "--no"], "(jsonsift check --help lists the options)"),
    ],
)
def test_usage_errors(run: Runner, arguments: list[str], message: str) -> None:
    """Status 2 and one line, before anything is read."""
    ran = run(*arguments, stdin="{}")
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("jsonsift: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--html", "in", "in"], "argument --html: in is also the input"),
        (["--html", "./in", "--in-place", "in"], "argument --html: ./in is also"),
        (["--output", "link", "x", "in"], "argument --output: link is also the input"),
        (["--html", "new", "--output", "./new", "in"], "new is named twice"),
        (["--html", "x", "--output", "link2", "in"], "x is named twice, see --output"),
        (["profile", "--plot", "to.png", "in"], "argument --plot: to.png is also the"),
        (
            ["--jsonl", "in", "--field", "x", "--out", "link", "--overwrite"],
            "argument --out: link is also the input",
        ),
    ],
)
def test_an_output_is_no_input(
    run: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    """What was to be read would be lost, under whatever name."""
    monkeypatch.chdir(tmp_path)
    Path("in").write_text("[1,]")
    Path("x").write_text("[2,]")
    Path("link").symlink_to("in")
    Path("to.png").symlink_to("in")
    Path("link2").symlink_to("x")
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert Path("in").read_text() == "[1,]"
    assert not Path("new").exists()


@needs_posix
def test_a_device_can_be_both(run: Runner) -> None:
    """A terminal is read and written."""
    ran = run(os.devnull, "--output", os.devnull)
    assert ran.err == f"jsonsift: {os.devnull}: the text holds no JSON\n"


def test_messages_speak_of_options(run: Runner) -> None:
    """They would name arguments of Python, which nobody gave."""
    assert "; --repair off forbids" in run("--repair", "off", stdin="[1,]").err
    ran = run(stdin='<think>{"a": 1}</think> no')
    assert ran.err.endswith("(--reasoning fallback returns it)\n")


@pytest.mark.parametrize("files", [[], ["-"]])
def test_profile_reads_standard_input(run: Runner, files: list[str]) -> None:
    """It would look for a file of that name, in one of its two ways to read."""
    ran = run("profile", "--json", *files, stdin="Sure: {a: 1}")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["outcomes"] == {"repaired": 1}
    lines = '{"text": "[1]"}\n{"text": "no"}\nbroken\n'
    ran = run("profile", "--json", "--field", "text", *files, stdin=lines)
    assert ran.status == 1
    assert ran.err == "jsonsift: <stdin>:3: no JSON object whose 'text' is a text\n"
    found = json.loads(ran.out)
    assert found["outcomes"] == {"valid": 1, "no-json": 1}
    assert {slow["line"] for slow in found["slowest"]} == {1, 2}


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_check_reads_standard_input(run: Runner, arguments: list[str]) -> None:
    """It would say that all is well, of nothing."""
    assert run("check", *arguments, stdin="[1]") == Ran(0, "", "")
    ran = run("check", *arguments, stdin="[1,]")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("jsonsift: <stdin>:1:3: extra-comma: ")


@pytest.mark.parametrize("is_script", [True, False])
def test_a_wrong_build_is_one_line(tmp_path: Path, is_script: bool) -> None:
    """The package cannot be imported, which would end in a traceback."""
    script = tmp_path / "jsonsift"
    script.write_text("from jsonsift.cli import main\nraise SystemExit(main())\n")
    command = [sys.executable, script] if is_script else COMMAND
    plain = tmp_path / "plain"  # without what was compiled
    shutil.copytree(
        Path(jsonsift.__file__).parent,
        plain / "jsonsift",
        ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"),
    )
    more = {"PYTHONPATH": str(plain)}
    for build, message in (
        ("bogus", "JSONSIFT_BUILD='bogus': use 'pure' or 'compiled'\n"),
        ("compiled", "JSONSIFT_BUILD=compiled, but jsonsift was installed without"),
    ):
        ran = subprocess.run(
            [*command, "--version"],
            capture_output=True,
            text=True,
            env=environment(JSONSIFT_BUILD=build, **more),
        )
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr.startswith(f"jsonsift: {message}")
        assert ran.stderr.count("\n") == 1


def test_help_and_version(run: Runner) -> None:
    """--help names every option and every status, --version the version."""
    ran = run("--help")
    assert ran.status == 0
    for option in OPTIONS:
        assert option in ran.out
    assert "exit status: 0" in ran.out
    assert run("--version") == Ran(0, f"jsonsift {jsonsift.__version__}\n", "")


def test_interrupt(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the command without a traceback, with the status of shells."""

    def interrupt(name: str) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("jsonsift.cli._extract.read_bytes", interrupt)
    assert run() == Ran(130, "", "")


# --------------------------------------------------------------------- files, written


def test_output(run: Runner, reply: Path, tmp_path: Path) -> None:
    """All values go to the file, nothing to stdout."""
    target = tmp_path / "out.json"
    assert run("--lines", reply, reply, "--output", target) == Ran(0, "", "")
    assert target.read_text() == '{"name": "Ada", "born": 1815}\n' * 2


def test_output_is_left_alone_when_nothing_was_found(
    run: Runner, tmp_path: Path
) -> None:
    """An answer of yesterday is better than none."""
    target = tmp_path / "out.json"
    target.write_text("old")
    assert run("--output", target, stdin="No.").status == 1
    assert target.read_text() == "old"
    assert run("--output", target, "--lines", stdin="{}").status == 0
    assert target.read_text() == "{}\n"


def test_output_of_no_lines(run: Runner, tmp_path: Path) -> None:
    """An empty list was found; as NDJSON it is an empty file."""
    target = tmp_path / "out.ndjson"
    target.write_text("old")
    assert run("--output", target, "--lines", stdin="[]").status == 0
    assert target.read_text() == ""


def test_output_to_no_place(run: Runner, tmp_path: Path) -> None:
    """A directory that is not there, and a directory: one line each."""
    for target in (tmp_path / "none" / "out.json", tmp_path):
        ran = run("--output", target, stdin="{}")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(f"jsonsift: {target}: ")
        assert ran.err.count("\n") == 1


def test_in_place(run: Runner, reply: Path, tmp_path: Path) -> None:
    """Each file is replaced by its value; one without JSON stays as it is."""
    prose = tmp_path / "prose.txt"
    prose.write_text("No {braces}.")
    ran = run("--in-place", "--compact", "--no-ensure-ascii", reply, prose)
    assert (ran.status, ran.out) == (1, "")
    assert reply.read_text() == '{"name":"Ada","born":1815}\n'
    assert prose.read_text() == "No {braces}."
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "prose.txt",
        "reply.txt",
    ]


def test_in_place_is_atomic(
    run: Runner, reply: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the last step fails the file is whole and nothing lies beside it."""

    def refuse(source: str, target: str) -> None:
        assert Path(source).read_text() == '{"name": "Ada", "born": 1815}\n'
        assert Path(target).read_text() == BROKEN
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    ran = run("--in-place", "--lines", reply)
    assert ran == Ran(1, "", f"jsonsift: {reply}: No space left on device\n")
    assert reply.read_text() == BROKEN
    assert list(reply.parent.iterdir()) == [reply]


@needs_posix
def test_in_place_keeps_mode_and_link(run: Runner, reply: Path) -> None:
    """The mode stays, and a link goes on pointing to the file that was written."""
    reply.chmod(0o640)
    link = reply.with_name("link")
    link.symlink_to(reply.name)
    assert run("--in-place", "--lines", link).status == 0
    assert link.is_symlink()
    assert reply.read_text() == '{"name": "Ada", "born": 1815}\n'
    assert stat.S_IMODE(reply.stat().st_mode) == 0o640


@needs_posix
def test_output_to_a_device(run: Runner) -> None:
    """What is no regular file is written to, not replaced."""
    assert run("--output", os.devnull, stdin="{}") == Ran(0, "", "")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


# ---------------------------------------------------------------------------- reports


def test_report(run: Runner, reply: Path) -> None:
    """A line for the value and one for each repair: place, risk, kind and change."""
    ran = run("--report", "--compact", reply)
    assert ran.out == '{"name":"Ada","born":1815}\n'
    head, *repairs = ran.err.splitlines()
    assert head.startswith(f"{reply}:3:1: fenced value, ")
    assert head.endswith(f"{len(repairs)} repairs: {len(repairs)} safe")
    assert repairs[0].startswith(f'{reply}:3:2: safe bare-key: inserted `"`')
    assert repairs[-1] == (
        f"{reply}:3:27: safe extra-comma: dropped `,` "
        "(a comma with nothing after or before it)"
    )


def test_report_of_valid_json(run: Runner) -> None:
    """Nothing was repaired, and the report says so."""
    assert run("--report", "--lines", stdin=' {"a": 1}').err == (
        "<stdin>:1:2: whole value, 8 characters, no repairs\n"
    )


def test_report_of_a_cut_reply(run: Runner) -> None:
    """It names the place in the value where the reply broke off."""
    ran = run("--report", "--lines", stdin='{"items": [1, {"name": "Ad')
    assert ran.out == '{"items": [1, {"name": "Ad"}]}\n'
    head = ran.err.splitlines()[0]
    assert head.endswith(' cut; cut off at $["items"][1]["name"]')


def test_report_of_a_change(run: Runner) -> None:
    """What was replaced by what; long and unprintable texts are made fit to show."""
    text = "{'a': True, /* " + "x" * 100 + ' */ "b": "c\x07d"}'
    err = run("--report", stdin=text).err
    assert "`True` became `true`" in err
    assert "dropped `/* xxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxx */`" in err
    assert r"`<U+0007>` became `\u0007`" in err


def test_report_of_all_values(run: Runner) -> None:
    """With --all each value has its line, in order, with its own place."""
    text = "One {'a': 1}\nand\n two {\"b\": [1,]} end"
    lines = run("--all", "--report", stdin=text).err.splitlines()
    heads = [line for line in lines if " value, " in line]
    assert [head.split(" ")[0] for head in heads] == ["<stdin>:1:5:", "<stdin>:3:6:"]
    assert lines[-1].startswith("<stdin>:3:14: safe extra-comma: dropped `,`")


def test_colours(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for a terminal, and not against NO_COLOR or a dumb one."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in run("--report", stdin="{a: 1}").err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "\x1b[32msafe\x1b[0m bare-key" in run("--report", stdin="{a: 1}").err
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in run("--report", stdin="{a: 1}").err
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("--report", stdin="{a: 1}").err


# ---------------------------------------------------------------- in its own process


def test_module_and_command_are_the_same() -> None:
    """``python -m jsonsift`` prints what ``main`` prints, as bytes of UTF-8."""
    ran = start("--lines", "--no-ensure-ascii", stdin='{"a": "é—"}'.encode())
    assert ran.returncode == 0
    assert ran.stdout == '{"a": "é—"}\n'.encode()
    assert ran.stderr == b""


def test_locale_does_not_matter() -> None:
    """In the C locale without UTF-8 mode output and messages still work."""
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    line = [*COMMAND, "--report", "--lines", "--no-ensure-ascii"]
    ran = subprocess.run(
        line,
        input="{'é': '—'}".encode(),
        capture_output=True,
        env=environment(**settings),
    )
    assert ran.returncode == 0
    assert ran.stdout == '{"é": "—"}\n'.encode()
    assert b"quote-mark" in ran.stderr


@needs_posix
@pytest.mark.parametrize("arguments", [[], ["--report"], ["--help"]])
@pytest.mark.parametrize("size", [1, 200_000])
def test_broken_pipe(arguments: list[str], size: int) -> None:
    """``| head -0``: no traceback, no complaint of the interpreter."""
    text = ("{'a': " + json.dumps(["x"] * size) + "}").encode()
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [*COMMAND, *arguments],
            input=text,
            stdout=writer,
            stderr=subprocess.PIPE,
            env=environment(),
        )
    finally:
        os.close(writer)
    assert ran.returncode == 0
    assert b"rror" not in ran.stderr
    assert b"Traceback" not in ran.stderr


@needs_posix
def test_broken_pipe_of_reports() -> None:
    """The same for stderr; the status still says that something was found."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [*COMMAND, "--report", "--lines"],
            input=b"{a: 1}",
            stdout=subprocess.PIPE,
            stderr=writer,
            env=environment(),
        )
    finally:
        os.close(writer)
    assert ran.returncode == 0


@needs_posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(closed: str, reply: Path) -> None:
    """A stream that the shell closed is no reason for a traceback."""
    script = f'"$0" -m jsonsift --report {closed}'
    if "<" not in closed:
        script += f" < '{reply}'"
    ran = start("-c", script, sys.executable, command=["sh"])
    assert b"Traceback" not in ran.stderr
    assert ran.returncode == (1 if "<" in closed else 0)


def test_full_disk() -> None:
    """Output that cannot be written is one line."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with full.open("wb") as out:
        ran = subprocess.run(
            list(COMMAND),
            input=b"{}",
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment(),
        )
    assert ran.returncode == 1
    assert ran.stderr == b"jsonsift: <stdout>: No space left on device\n"


# ------------------------------------------------------------------------ many rows


ROW_LINE = ("--jsonl", "x", "--field", "y", "--out")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    texts = [TWO, BROKEN, "none"]
    path.write_text(
        "".join(
            json.dumps({"n": n, "text": text}) + "\n" for n, text in enumerate(texts)
        )
    )
    return path


def test_rows(run: Runner, source: Path, tmp_path: Path) -> None:
    """A row for each line, its options those of the single reply, and a summary."""
    out = tmp_path / "out.jsonl"
    line = ("--jsonl", source, "--field", "text", "--out", out, "--workers", "1")
    ran = run(*line, "--keep", "n", "--pick", "first")
    assert (ran.status, ran.out) == (1, "")  # of one line there is no value
    assert ran.err.endswith("out.jsonl: 3 rows: 1 valid, 1 repaired, 1 no-json\n")
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert [(row["line"], row["n"]) for row in rows] == [(1, 0), (2, 1), (3, 2)]
    assert rows[0]["value"] == {"a": 1}
    assert rows[2]["error"] == "the text holds no JSON"
    again = run(*line)
    assert again.status == 1
    assert again.err.endswith("out.jsonl: exists (--overwrite replaces it)\n")
    assert run(*line, "--overwrite", "--repair", "off").status == 1
    assert '"status":"broken"' in out.read_text()
    source.write_text('{"text": "[1"}\n\n{"text": "[{b: 2}]"}')
    assert run(*line, "--overwrite").status == 0


def test_rows_of_a_schema(run: Runner, source: Path, tmp_path: Path) -> None:
    """The schema would be read and ignored, or the row hold what it was before."""
    out, schema = tmp_path / "out.jsonl", tmp_path / "schema.json"
    schema.write_text(json.dumps({"properties": {"a": {"type": "integer"}}}))
    texts = ['{"a": "5 years"}', '{"a": "é"}', '{"a": 7}']
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    line = ("--jsonl", source, "--field", "text", "--out", out, "--schema", schema)
    assert run(*line).status == 1
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert [row["status"] for row in rows] == ["coerced", "schema", "valid"]
    assert [row["value"] for row in rows] == [{"a": 5}, None, {"a": 7}]
    assert rows[1]["error"].startswith("no fit for the schema: $.a: ")
    assert run(*line, "--overwrite", "--coerce", "safe").status == 1
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert [row["status"] for row in rows] == ["schema", "schema", "valid"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--field", "x"], "argument --field: needs --jsonl"),
        (["--workers", "2"], "argument --workers: needs --jsonl"),
        (["--jsonl", "x"], "argument --jsonl: needs --field and --out"),
        (
            ["--jsonl", "x", "--field", "y", "--out", "z", "--lines", "w"],
            "argument --jsonl: not allowed with --lines, FILE",
        ),
        (["--workers", "0"], "'0' is no number from 1 to 9999"),
        ([*ROW_LINE, "z.csv"], "argument --out: z.csv: .csv is no format: use .jsonl"),
        ([*ROW_LINE, "-"], "argument --out: needs a FILE other than -"),
        (
            ["--jsonl", "-", "--field", "y", "--out", "z"],
            "argument --jsonl: needs a FILE other than -, since a run",
        ),
        (
            [*ROW_LINE, "z", "--keep", "a", "--keep", "b", "--keep", "a"],
            "argument --keep: 'a' is named twice",
        ),
        (
            [*ROW_LINE, "z", "--keep", "line"],
            "argument --keep: 'line' is a column of every row",
        ),
        ([*ROW_LINE, "z", "--keep", "edits"], "argument --keep: 'edits' is a column"),
    ],
)
def test_rows_wrong_arguments(run: Runner, arguments: list[str], message: str) -> None:
    """An option would be read and ignored."""
    ran = run(*arguments)
    assert ran.status == 2
    assert message in ran.err


def test_rows_without_pyarrow(
    run: Runner, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All replies would be read before it is missed, and parts be left behind."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    out = tmp_path / "out.parquet"
    ran = run("--jsonl", source, "--field", "text", "--out", out)
    assert (ran.status, ran.out) == (2, "")
    assert 'need pyarrow: pip install "jsonsift[batch]" (' in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [source]


@needs_posix
def test_rows_need_regular_files(run: Runner, source: Path, tmp_path: Path) -> None:
    """A pipe would look empty, and a device be replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = ("--field", "text", "--overwrite")
    for names in (
        ("--jsonl", pipe, "--out", tmp_path / "x"),
        ("--jsonl", source, "--out", pipe),
    ):
        ran = run(*line, *names)
        assert (ran.status, ran.err) == (1, f"jsonsift: {pipe} is no regular file\n")
    assert sorted(tmp_path.iterdir()) == [source, pipe]


def test_rows_without_a_file(run: Runner, tmp_path: Path) -> None:
    """A missing file ends in one line, and leaves nothing behind."""
    out = tmp_path / "out.jsonl"
    ran = run("--jsonl", tmp_path / "none", "--field", "x", "--out", out)
    assert ran.status == 1
    assert ran.err.startswith("jsonsift: ")
    assert ran.err.endswith("none: No such file or directory\n")
    assert list(tmp_path.iterdir()) == []


@needs_posix
@pytest.mark.parametrize("terminal", [True, False])
def test_rows_show_progress_on_a_terminal(
    source: Path, tmp_path: Path, terminal: bool
) -> None:
    """A log would be full of progress, or a person wait without it."""
    import pty

    master, slave = pty.openpty()
    try:
        ran = subprocess.run(
            [*COMMAND, "--jsonl", source, "--field", "text", "--out", tmp_path / "out"],
            stderr=slave if terminal else subprocess.PIPE,
            env=environment(TERM="xterm"),
        )
        assert ran.returncode == 1  # of one line there is no value
        said = os.read(master, 10_000) if terminal else ran.stderr
    finally:
        os.close(slave)
        os.close(master)
    shown = said.decode()
    assert ("% " in shown and "left" in shown) is terminal
    assert "3 rows: " in shown


def test_progress_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The rate would count what an earlier run has done, or the time be wrong."""
    now = 100.0
    monkeypatch.setattr("jsonsift.cli._terminal.monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    bar = Progress(4_000_000, "B", 1_000_000)
    now = 110.0
    bar.update(2_000_000, "  7 rows")
    bar.update(3_000_000)  # too soon
    bar.close()
    _, shown, rest = capfd.readouterr().err.split("\r\x1b[K")
    assert shown == f"{'━' * 12}{'╌' * 12}  50%  " + (
        "2.0 M of 4.0 M B  100.0 k/s  0:20 left  7 rows"
    )
    assert rest == ""
    monkeypatch.setenv("TERM", "dumb")
    Progress(10, "B").update(5)
    assert capfd.readouterr().err == ""
