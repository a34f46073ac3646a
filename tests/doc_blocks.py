"""The examples in Markdown files, run: ```python blocks and ```console blocks.

The blocks of one file share their names, as a reader who types them in would.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import jsonsift

__all__ = [
    "ROOT",
    "find_blocks",
    "list_imports",
    "run_console",
    "run_examples",
    "run_shell",
]

ROOT: Final = Path(__file__).parents[1]
_BLOCK: Final = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*) -->\n)?"
    r"(?P<fence>`{3,})(?P<language>\w*)\n(?P<body>.*?)^(?P=fence)$",
    re.M | re.S,
)


def find_blocks(text: str) -> list[tuple[str, str, str, int]]:
    """Of each fenced block: the comment right before it, language, body and line."""
    return [
        (
            match["mark"] or "",
            match["language"],
            match["body"],
            text.count("\n", 0, match.start("body")),
        )
        for match in _BLOCK.finditer(text)
    ]


def list_imports(path: Path) -> set[str]:
    """The packages that the examples of a file import, but for ours and Python's."""
    text = "".join(
        body
        for _, language, body, _ in find_blocks(path.read_text(encoding="utf-8"))
        if language == "python"
    )
    names = re.findall(r"^(?:>>>|\.\.\.) +(?:import|from) (\w+)", text, re.M)
    return set(names) - set(sys.stdlib_module_names) - {"jsonsift"}


def run_console(body: str, folder: Path, commands: Path) -> None:
    """Run the commands of a console block in a folder.

    ``commands`` is a folder for the command ``jsonsift`` that is tested.

    Raises:
        AssertionError: one of them printed something else.
    """
    first, *parts = ("\n" + body).split("\n$ ")
    assert first == ""
    for part in parts:
        script, _, expected = part.partition("\n")
        printed = run_shell(script, folder, commands)
        assert printed == expected.removesuffix("\n") + "\n" * bool(expected), script


def run_shell(script: str, folder: Path, commands: Path) -> str:
    """What a shell prints in which ``jsonsift`` is the one that is tested."""
    command = commands / "jsonsift"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jsonsift "$@"\n')
    command.chmod(0o755)
    package = Path(jsonsift.__file__).parents[1]
    ran = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={
            **os.environ,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(package),
        },
    )
    return ran.stdout.decode()


def run_examples(path: Path) -> int:
    """Run the examples of a file; how many there were.

    Raises:
        AssertionError: one of them gave something else; the report shows both.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = io.StringIO()
    for _, language, body, line in find_blocks(path.read_text(encoding="utf-8")):
        if language != "python":
            continue
        test = doctest.DocTestParser().get_doctest(
            body, names, path.name, str(path), line
        )
        runner.run(test, out=report.write, clear_globs=False)
        names.update(test.globs)
    assert runner.failures == 0, report.getvalue()
    return runner.tries
