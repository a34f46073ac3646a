"""README.md says nothing that is not so: its examples and its commands are run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

import pytest

from .doc_blocks import ROOT, find_blocks, run_console, run_examples, run_shell

README: Final = ROOT / "README.md"
BLOCKS: Final = find_blocks(README.read_text(encoding="utf-8"))


def find_marked(mark: str) -> str:
    """The body of the only block below this comment."""
    (body,) = [body for above, _, body, _ in BLOCKS if above == mark]
    return body


def find_command(name: str) -> str:
    (line,) = find_marked(f"command: {name}").splitlines()
    return line


def test_examples() -> None:
    """Each snippet of the tour gives what stands below it."""
    pytest.importorskip("numpy")
    assert run_examples(README) > 30


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_console(tmp_path: Path) -> None:
    """Each command of the section on the command line prints what stands below it."""
    (body,) = [body for _, language, body, _ in BLOCKS if language == "console"]
    run_console(body, ROOT, tmp_path)


def test_first_command(tmp_path: Path) -> None:
    """It sets up by itself, and prints what README shows of it."""
    make, install, show = find_command("try").split(" && ")
    assert make == "python3 -m venv .venv"
    assert install == ".venv/bin/pip install --quiet ."
    command, *arguments = shlex.split(show)
    assert command == ".venv/bin/jsonsift"
    printed = run_shell(shlex.join(["jsonsift", *arguments]), ROOT, tmp_path)
    assert printed == find_marked("output: try")


def test_reply_of_the_first_command() -> None:
    """README shows the very file that the command reads."""
    (mark,) = [mark for mark, *_ in BLOCKS if mark.startswith("file: ")]
    name = mark.removeprefix("file: ")
    assert name == shlex.split(find_command("try"))[-1]
    assert find_marked(mark) == (ROOT / name).read_text(encoding="utf-8") + "\n"


def test_second_command() -> None:
    """It sets up by itself and runs the whole suite, with nothing left out."""
    assert find_command("test").split(" && ") == [
        "python3 -m venv .venv-test",
        ".venv-test/bin/pip install --quiet '.[test]'",
        ".venv-test/bin/python -m pytest",
    ]


def test_links() -> None:
    """Every relative link leads somewhere."""
    text = README.read_text(encoding="utf-8")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    local = [target for target in targets if "://" not in target]
    assert len(local) >= 3
    assert [target for target in local if not (ROOT / target).exists()] == []
