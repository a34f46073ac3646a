"""The rooms: which module may know which, read from the imports in the source.

The pipeline's order is not the import order: the parts of the middle do not know one
another, and only the composer knows the order.  A module imports from lower levels;
modules of one level do not import each other, but for the files of the rewriter, which
are one room and stand in a row.  A new module needs a row here.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import jsonsift

PACKAGE: Final = Path(jsonsift.__file__).parent
ISLAND: Final = PACKAGE / "sampling"

LEVELS: Final = {
    "_types": 0,
    "_chars": 0,
    "_errors": 1,
    "clean": 2,
    "_locate": 2,
    "_strict": 2,
    "_codes": 2,
    "_bounds": 2,
    "_leaves": 2,
    "_scan": 2,
    "_ledger": 2,
    "_quotes": 2,
    "_strings": 2,
    "_words": 2,
    "_readings": 2,
    "_closers": 2,
    "_runs": 2,
    "_mend": 2,
    "_grow": 2,
    "_live": 2,
    "_build": 2,
    "_engine": 2,
    "_choose": 2,
    "_sift": 3,
    "_follow": 3,
    "api": 4,
    "stream": 4,
    "__init__": 5,
    "cli": 6,
    "__main__": 7,
}
# One room of several files: each may import those before it.
REWRITER: Final = (
    "_codes",
    "_leaves",
    "_bounds",
    "_scan",
    "_ledger",
    "_quotes",
    "_strings",
    "_words",
    "_readings",
    "_closers",
    "_runs",
    "_mend",
    "_grow",
    "_live",
    "_build",
)
# These turn arguments into calls, and so need no more than this.
NARROWED: Final = {
    "cli": {"__init__", "_errors", "_types", "api", "clean"},
    "__main__": {"cli"},
}
REQUIRED: Final = {"orjson", "regex"}
OPTIONAL: Final = {
    "charset_normalizer",
    "json_repair",
    "jsonschema",
    "numpy",
    "pydantic",
}

MODULES: Final = sorted(path.stem for path in PACKAGE.glob("*.py"))
ISLANDERS: Final = sorted(path.stem for path in ISLAND.glob("*.py"))


class Imports(ast.NodeVisitor):
    """What a module imports: ours by their names in the package, and the others."""

    def __init__(self, source: str) -> None:
        self.ours: set[str] = set()
        self.others: set[str] = set()  # wherever they stand
        self.at_once: set[str] = set()  # those that run as the module is imported
        self._functions = 0
        self.visit(ast.parse(source))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions += 1
        self.generic_visit(node)
        self._functions -= 1

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level < 2, "no module looks beyond its own folder"
        if node.level == 0:
            self._add(str(node.module))
        elif node.module is not None:
            self.ours.add(node.module)
        else:  # from . import name: a module, or what __init__ holds
            names = {alias.name for alias in node.names}
            files = {name for name in names if name in LEVELS or name in ISLANDERS}
            self.ours |= files or {"__init__"}

    def _add(self, name: str) -> None:
        root, _, rest = name.partition(".")
        if root == "jsonsift":
            self.ours.add(rest or "__init__")
            return
        self.others.add(root)
        if not self._functions:
            self.at_once.add(root)


def read_imports(path: Path) -> Imports:
    return Imports(path.read_text(encoding="utf-8"))


def list_allowed(name: str) -> set[str]:
    """The modules of ours that this one may import."""
    if name in NARROWED:
        return NARROWED[name]
    allowed = {other for other, level in LEVELS.items() if level < LEVELS[name]}
    if name in REWRITER:
        allowed |= set(REWRITER[: REWRITER.index(name)])
    elif name in ("_strict", "_locate"):
        allowed.add("_build")  # which has what they ask of every text at C speed
    elif LEVELS[name] == 3:
        allowed -= set(REWRITER) - {"_build"}  # the composer sees one door of it
    return allowed


def test_every_module_has_a_level() -> None:
    """A module without a row could import anything."""
    assert set(MODULES) == set(LEVELS)


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_downwards(name: str) -> None:
    """A module imports nothing of ours from its own level or above."""
    ours = read_imports(PACKAGE / f"{name}.py").ours
    assert ours - list_allowed(name) == set()


@pytest.mark.parametrize("name", MODULES)
def test_foreign_imports(name: str) -> None:
    """What is not required at install is imported where it is used."""
    imports = read_imports(PACKAGE / f"{name}.py")
    known = set(sys.stdlib_module_names) | REQUIRED
    assert imports.at_once - known == set()
    assert imports.others - known - OPTIONAL == set()


@pytest.mark.parametrize("name", ISLANDERS)
def test_sampling_is_an_island(name: str) -> None:
    """It imports NumPy and itself; that none of ours imports it the levels say."""
    imports = read_imports(ISLAND / f"{name}.py")
    assert imports.ours <= set(ISLANDERS)
    assert imports.others - set(sys.stdlib_module_names) <= {"numpy"}


def test_a_wrong_import_would_be_seen() -> None:
    """The reader knows every form of import, and where it stands."""
    source = (
        "import numpy as np, jsonsift._sift\n"
        "from jsonsift import extract\n"
        "from . import _mend, clean\nfrom . import __version__\n"
        "from .api import loads\n"
        "if True:\n    import pydantic.main\n"
        "def late():\n    import json_repair\n    from ._strict import FAILED\n"
    )
    imports = Imports(source)
    assert imports.ours == {"_sift", "__init__", "_mend", "clean", "api", "_strict"}
    assert imports.at_once == {"numpy", "pydantic"}
    assert imports.others == {"numpy", "pydantic", "json_repair"}
    assert "sampling" not in set().union(*map(list_allowed, LEVELS))


PUBLIC: Final = """
BrokenJSONError CandidateKind Edit EditKind Event Extraction JSONSiftError LimitError
NoJSONError Repair Risk SchemaError Span Stream clean_text decode extract extract_all
extract_json from_file load loads repair_json
"""


def test_public_names() -> None:
    """``__all__`` is exactly what users may rely on, and all of it is there."""
    assert jsonsift.__all__ == PUBLIC.split()
    assert [name for name in jsonsift.__all__ if not hasattr(jsonsift, name)] == []


def run_fresh(code: str) -> str:
    """What this code prints in a new interpreter that finds the tested package."""
    prelude = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); "
    ran = subprocess.run(
        [sys.executable, "-c", prelude + code],
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip()


@pytest.mark.parametrize("module", ["jsonsift", "jsonsift.cli"])
def test_import_loads_nothing_optional(module: str) -> None:
    """An import costs no more than the package needs."""
    code = f"import {module}; print(*(set({sorted(OPTIONAL)}) & set(sys.modules)))"
    assert run_fresh(code) == ""


def test_import_works_without_the_optional_packages() -> None:
    """None of them is needed to extract a value."""
    code = (
        f"sys.modules.update(dict.fromkeys({sorted(OPTIONAL)})); "
        "import jsonsift; print(jsonsift.extract_json(b'x {\"a\": [1,]} \\xff'))"
    )
    assert run_fresh(code) == "{'a': [1]}"
