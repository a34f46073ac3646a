"""The examples in docs/ and in docstrings are run."""

from __future__ import annotations

import ast
import asyncio
import doctest
import gc
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import jsonsift

from .doc_blocks import ROOT, find_blocks, list_imports, run_console, run_examples
from .fake_models import serve
from .local_ray import local_ray

PAGES: Final = sorted((ROOT / "docs").rglob("*.md"))
MODULES: Final = sorted(
    module.name
    for module in pkgutil.walk_packages(jsonsift.__path__, "jsonsift.")
    if not module.name.endswith("__main__")
)
WITH_EXAMPLES: Final = {"jsonsift.api", "jsonsift.clean", "jsonsift._observe"}
HAS_NUMPY: Final = importlib.util.find_spec("numpy") is not None


def skip_without_numpy(name: str) -> None:
    if "sampling" in name and not HAS_NUMPY:
        pytest.skip("sampling needs NumPy")


@pytest.fixture(scope="module")
def models() -> Iterator[dict[str, str]]:
    """The environment of a server that answers in place of models."""
    with serve() as environment:
        yield environment


@pytest.mark.filterwarnings("ignore")  # what other packages say of themselves
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(
    page: Path, models: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each example of a page gives what stands below it."""
    others = list_imports(page)
    for name in others:
        pytest.importorskip(name, reason=f"{name} is not installed")
    for name, value in models.items():
        monkeypatch.setenv(name, value)
    if "ray" in others:
        with local_ray(monkeypatch):
            run_examples(page)
    else:
        run_examples(page)
    if others:  # loops and sockets that they leave open would warn in a later test
        asyncio.set_event_loop(None)
        gc.collect()


LINES: Final = [
    {"id": 1, "text": '{"ok": true}'},
    {"id": 2, "text": "Sure: {ok: True} there"},
    {"id": 3, "text": "I cannot."},
]


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_console(page: Path, tmp_path: Path) -> None:
    """Each command of a page prints what stands below it."""
    blocks = find_blocks(page.read_text(encoding="utf-8"))
    folder = tmp_path / "work"
    folder.mkdir()
    lines = "".join(f"{json.dumps(line)}\n" for line in LINES)
    (folder / "replies.jsonl").write_text(lines)
    for _, language, body, _ in blocks:
        if language == "console":
            run_console(body, folder, tmp_path)


# Modules that pages show whole, and how many: test_schemas_doc and the next test run
# them.
MODULES_SHOWN: Final = {"schemas": 1, "linear-time": 1}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_run(page: Path) -> None:
    """A block without a prompt is not run, and so must not look as if it were."""
    blocks = find_blocks(page.read_text(encoding="utf-8"))
    shown = [
        f"{page}:{line}"
        for _, language, body, line in blocks
        if language == "python" and not body.startswith(">>> ")
    ]
    assert len(shown) == MODULES_SHOWN.get(page.stem, 0), shown


def test_the_linear_test_shown_works(tmp_path: Path) -> None:
    """The test of docs/linear-time.md passes a linear reader and fails another."""
    page = (ROOT / "docs/linear-time.md").read_text(encoding="utf-8")
    shown = next(body for _, _, body, _ in find_blocks(page) if "import pytest" in body)
    (tmp_path / "test_reader.py").write_text(shown)
    readers = {
        "return reply.count('{')": 0,
        "return sum(len(reply[i:].lower()) for i in range(len(reply)))": 1,
    }
    for body, status in readers.items():
        (tmp_path / "my_app.py").write_text(f"def read_pairs(reply):\n    {body}\n")
        command = [sys.executable, "-m", "pytest", "-q", "-k", "brace-and-quote"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == status, ran.stdout


def test_links_between_pages() -> None:
    """A link inside the docs would lead nowhere; Sphinx looks at the anchors."""
    pattern = re.compile(r"\]\((?!https?:)([^)#]+)")
    for page in [*PAGES, ROOT / "README.md", ROOT / "corpus" / "README.md"]:
        for target in pattern.findall(page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page}: {target}"


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    """Each example in a docstring gives what stands below it."""
    skip_without_numpy(name)
    if name.startswith("jsonsift.integrations."):
        pytest.importorskip(name, exc_type=ImportError)  # each needs its library
    failed, tried = doctest.testmod(importlib.import_module(name), report=False)
    assert failed == 0
    assert tried > 0 or name not in WITH_EXAMPLES


# The modules whose names are public: all of them stand in docs/api.md.
PUBLIC_MODULES: Final = (
    "jsonsift",
    "jsonsift.batch",
    "jsonsift.clean",
    "jsonsift.integrations.logging",
    "jsonsift.integrations.opentelemetry",
    "jsonsift.integrations.pandas",
    "jsonsift.integrations.polars",
    "jsonsift.integrations.prometheus",
    "jsonsift.integrations.ray",
    "jsonsift.linear",
    "jsonsift.profiling",
    "jsonsift.sampling",
)


def list_documented() -> set[str]:
    """The names that docs/api.md has entries for, with their modules."""
    names: set[str] = set()
    module = ""
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    for directive, name in re.findall(r"^\.\. (\w+):: ([\w.]+)$", text, re.M):
        if directive == "currentmodule":
            module = name
        elif directive == "automodule":
            names |= {f"{name}.{one}" for one in list_public(name)}
        else:
            names.add(name if name.startswith("jsonsift.") else f"{module}.{name}")
    return names


def list_public(module: str) -> set[str]:
    """A module's ``__all__``, without importing what it may need."""
    source = importlib.util.find_spec(module)
    assert source is not None
    assert source.origin is not None
    tree = ast.parse(Path(source.origin).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    raise AssertionError(f"{module} has no __all__")


def test_api_page_has_every_public_name() -> None:
    """A public name would have no entry, or an entry no name."""
    at_the_top = list_public("jsonsift")
    public = {f"jsonsift.{name}" for name in at_the_top}
    for module in PUBLIC_MODULES[1:]:
        public |= {f"{module}.{name}" for name in list_public(module) - at_the_top}
    documented = list_documented()
    assert public - documented == set()
    reports = {"jsonsift.report.Entry", "jsonsift.report.write_page"}
    assert documented - public == reports


def test_public_calls_have_examples() -> None:
    """Every public function shows what it does."""
    calls = [getattr(jsonsift, name) for name in jsonsift.__all__ if name[0].islower()]
    assert len(calls) >= 9
    assert [call.__name__ for call in calls if ">>>" not in call.__doc__] == []
