"""The rooms: which module may know which, read from the imports in the source.

The pipeline's order is not the import order: the parts of the middle do not know one
another, and only the composer knows the order.  A module imports from lower levels;
modules of one level do not import each other, but for the files of the rewriter, which
are one room and stand in a row.  A new module needs a row here.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import jsonsift

PACKAGE: Final = Path(jsonsift.__file__).parent
JUDGES: Final = PACKAGE / "schema"
# Folders that import nothing of ours but themselves, and what else each may need.
ISLANDS: Final = {"linear": set[str](), "sampling": {"numpy"}}

LEVELS: Final = {
    "_types": 0,
    "_chars": 0,
    "_later": 0,
    "_parsed": 0,
    "_errors": 1,
    "_observe": 1,
    "_stages": 1,
    "clean": 2,
    "_locate": 2,
    "_strict": 2,
    "_open_path": 2,
    "_paths": 2,
    "_codes": 2,
    "_bounds": 2,
    "_leaves": 2,
    "_checks": 2,
    "_bytes": 2,
    "_columns": 2,
    "_loads": 2,
    "_scan": 2,
    "_ledger": 2,
    "_lost": 2,
    "_quotes": 2,
    "_strings": 2,
    "_words": 2,
    "_readings": 2,
    "_closers": 2,
    "_objects": 2,
    "_walks": 2,
    "_runs": 2,
    "_mend": 2,
    "_outline": 2,
    "_shortcut": 2,
    "_pieces": 2,
    "_grow": 2,
    "_tokens": 2,
    "_live": 2,
    "_build": 2,
    "_engine": 2,
    "_choose": 2,
    "_group": 3,
    "_options": 3,
    "_reruns": 3,
    "_values": 3,
    "_rows": 3,
    "_sift": 3,
    "_fit": 3,
    "_follow": 3,
    "schema": 3,
    "api": 4,
    "stream": 4,
    "batch": 5,
    "report": 5,
    "profiling": 5,
    "__init__": 6,
    "cli": 7,
    "__main__": 8,
}
# One room of several files: each may import those before it.
REWRITER: Final = (
    "_codes",
    "_leaves",
    "_checks",
    "_bytes",
    "_columns",
    "_objects",
    "_loads",
    "_bounds",
    "_scan",
    "_ledger",
    "_lost",
    "_quotes",
    "_strings",
    "_words",
    "_readings",
    "_closers",
    "_walks",
    "_runs",
    "_mend",
    "_outline",
    "_shortcut",
    "_pieces",
    "_grow",
    "_tokens",
    "_live",
    "_build",
)
# The composer, in layers: each may import those before it.
COMPOSER: Final = ("_options", "_group", "_reruns", "_values", "_rows", "_sift", "_fit")
# The room of typed answers, beside the composer: what it imports of its own room
# stands before it.  Loaded by ``_fit`` when a schema is given.
TYPED: Final = (
    "__init__",
    "nodes",
    "json_schema",
    "source",
    "outcomes",
    "pairs",
    "scalars",
    "coerce",
    "pydantic_types",
    "validators",
    "items",
    "judge",
)
# These turn arguments into calls, and so need no more than this.
NARROWED: Final = {
    "__main__": {"cli"},
}
REQUIRED: Final = {"orjson", "regex"}
OPTIONAL: Final = {
    "charset_normalizer",
    "json_repair",
    "jsonschema",
    "matplotlib",
    "msgspec",
    "numpy",
    "pyarrow",
    "pydantic",
    "pydantic_core",
    "referencing",
    "rich",
}

# A method at the bottom that opens a room at the top when it is called.
DOORS: Final = {"_types": {"_open_path", "report"}}
# What the files of a folder may import: of ours outside the folder, and of others.
FOLDERS: Final[dict[str, tuple[set[str], set[str]]]] = {
    "batch": (
        {"_errors", "_observe", "_strict", "_types", "api"},
        {"orjson", "pyarrow"},
    ),
    "report": ({"_types"}, {"rich"}),
    "cli": (
        {
            *("__init__", "_chars", "_errors", "_types", "api", "batch", "clean"),
            *("profiling", "report"),
        },
        {"matplotlib"},
    ),
}
# What each bridge to another library imports: of ours, and of that library.
BRIDGES: Final = {
    "logging": ({"_observe"}, set()),
    "opentelemetry": ({"_observe"}, {"opentelemetry"}),
    "pandas": ({"batch"}, {"pandas"}),
    "polars": ({"batch"}, {"polars"}),
    "prometheus": ({"_observe"}, {"prometheus_client"}),
    "ray": ({"batch"}, {"ray"}),
}

MODULES: Final = sorted(path.stem for path in PACKAGE.glob("*.py"))
ISLANDERS: Final = {
    island: sorted(path.stem for path in (PACKAGE / island).glob("*.py"))
    for island in ISLANDS
}


class Imports(ast.NodeVisitor):
    """What a module imports: ours by their names in the package, and the others."""

    def __init__(self, source: str) -> None:
        self.ours: set[str] = set()
        self.outside: set[str] = set()  # ours, above the module's own folder
        self.others: set[str] = set()  # wherever they stand
        self.at_once: set[str] = set()  # those that run as the module is imported
        self._functions = 0
        self.visit(ast.parse(source))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions += 1
        self.generic_visit(node)
        self._functions -= 1

    def visit_If(self, node: ast.If) -> None:
        """What only type checkers read runs never."""
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level < 3, "no folder lies in a folder"
        if node.level == 2:  # "..name": out of a folder, to what its test allows
            self.outside.add(node.module or "__init__")
        elif node.level == 0:
            self._add(str(node.module))
        elif node.module is not None:
            self.ours.add(node.module.partition(".")[0])
        else:  # from . import name: a module, or what __init__ holds
            names = {alias.name for alias in node.names}
            known = set(LEVELS).union(*ISLANDERS.values())
            files = names & known
            self.ours |= files or {"__init__"}

    def _add(self, name: str) -> None:
        root, _, rest = name.partition(".")
        if root == "jsonsift":
            self.ours.add(rest.partition(".")[0] or "__init__")
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
    allowed = DOORS.get(name, set())
    allowed |= {other for other, level in LEVELS.items() if level < LEVELS[name]}
    if name in REWRITER:
        allowed |= set(REWRITER[: REWRITER.index(name)])
    elif name == "_observe":
        allowed.add("_errors")  # a record names the outcomes that they have
    elif name in ("_strict", "_locate"):
        allowed.add("_build")  # which has what they ask of every text at C speed
    elif LEVELS[name] == 3:
        allowed -= set(REWRITER) - {"_build"}  # the composer sees one door of it
        if name in COMPOSER:
            allowed |= set(COMPOSER[: COMPOSER.index(name)])
        if name == "_fit":  # the composer for typed answers
            allowed.add("schema")
    return allowed


def test_every_module_has_a_level() -> None:
    """A module without a row could import anything."""
    assert set(MODULES) | set(FOLDERS) | {"schema"} == set(LEVELS)
    assert {path.stem for path in JUDGES.glob("*.py")} == set(TYPED)


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_downwards(name: str) -> None:
    """A module imports nothing of ours from its own level or above."""
    imports = read_imports(PACKAGE / f"{name}.py")
    assert imports.ours - list_allowed(name) == set()
    assert imports.outside == set()


@pytest.mark.parametrize("name", MODULES)
def test_foreign_imports(name: str) -> None:
    """What is not required at install is imported where it is used."""
    imports = read_imports(PACKAGE / f"{name}.py")
    known = set(sys.stdlib_module_names) | REQUIRED
    assert imports.at_once - known == set()
    assert imports.others - known - OPTIONAL == set()


@pytest.mark.parametrize("name", TYPED)
def test_typed_answers_import_downwards(name: str) -> None:
    """They know records, errors and those of them that stand before them."""
    imports = read_imports(JUDGES / f"{name}.py")
    assert imports.ours <= set(TYPED[: TYPED.index(name)])
    assert imports.outside <= {"_types", "_errors"}
    known = set(sys.stdlib_module_names) | REQUIRED
    alone = {"pydantic", "pydantic_core"} if name == "pydantic_types" else set()
    assert imports.at_once - known == alone
    assert imports.others - known - OPTIONAL == set()


@pytest.mark.parametrize(
    ("island", "name"),
    [(island, name) for island, names in ISLANDERS.items() for name in names],
)
def test_islands_keep_to_themselves(island: str, name: str) -> None:
    """Each imports itself and little else; none of ours imports it, say the levels.

    The one bridge is ``_watch``, to a module that knows no call of the library.
    """
    imports = read_imports(PACKAGE / island / f"{name}.py")
    assert imports.ours <= set(ISLANDERS[island])
    assert imports.outside == ({"_observe"} if name == "_watch" else set())
    assert imports.others - set(sys.stdlib_module_names) <= ISLANDS[island]


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders(folder: str) -> None:
    """A file of a folder knows the others of it, and what the folder may know."""
    ours, others = FOLDERS[folder]
    files = sorted((PACKAGE / folder).glob("*.py"))
    assert files != []
    for path in files:
        imports = read_imports(path)
        assert imports.outside <= ours, path
        assert imports.ours <= {file.stem for file in files}, path
        assert imports.at_once <= set(sys.stdlib_module_names) | REQUIRED, path
        assert imports.others - set(sys.stdlib_module_names) <= others, path


def test_every_bridge_is_known() -> None:
    """A bridge could import anything."""
    names = {path.stem for path in (PACKAGE / "integrations").glob("*.py")}
    assert names == {"__init__", "_need", *BRIDGES}


@pytest.mark.parametrize("name", BRIDGES)
def test_bridges(name: str) -> None:
    """A bridge leads to one library, and needs no other bridge."""
    ours, library = BRIDGES[name]
    imports = read_imports(PACKAGE / "integrations" / f"{name}.py")
    assert imports.outside <= ours
    assert imports.ours == ({"_need"} if library else set())
    assert imports.others - set(sys.stdlib_module_names) == library


@pytest.mark.parametrize("name", [name for name in BRIDGES if BRIDGES[name][1]])
def test_a_bridge_without_its_library_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whoever lacks the library would not learn what to install."""
    (library,) = BRIDGES[name][1]
    module = f"jsonsift.integrations.{name}"
    monkeypatch.delitem(sys.modules, module, raising=False)
    for loaded in [library, *sys.modules]:
        if f"{loaded}.".startswith(f"{library}."):
            monkeypatch.setitem(sys.modules, loaded, None)
    with pytest.raises(ImportError, match=rf'pip install "jsonsift\[{name}\]"'):
        importlib.import_module(module)


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
    assert not set(ISLANDS) & set().union(*map(list_allowed, LEVELS))


PUBLIC: Final = """
BrokenJSONError CandidateKind Coercion Edit EditKind Event Extraction JSONSiftError
LimitError NoJSONError Observation Problem Record Repair Risk Row Rule SchemaError Span
StageTime Stream clean_text decode extract extract_all extract_json extract_many
from_file load loads observe repair_json
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
