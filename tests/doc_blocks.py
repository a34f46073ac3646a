"""The examples in Markdown files, run: each ```python block that holds a prompt.

The blocks of one file share their names, as a reader who types them in would.
"""

from __future__ import annotations

import doctest
import io
import re
from pathlib import Path
from typing import Final

__all__ = ["ROOT", "find_blocks", "run_examples"]

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
