"""The package is an island, and says what it needs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import jsonsift.sampling

PACKAGE = Path(jsonsift.sampling.__file__).parent

# The package is loaded by itself, so that this holds whatever else jsonsift
# imports.
ALONE = """
import importlib.util, sys
{setup}
spec = importlib.util.spec_from_file_location(
    "alone", {path!r}, submodule_search_locations=[{folder!r}]
)
module = importlib.util.module_from_spec(spec)
sys.modules["alone"] = module
spec.loader.exec_module(module)
print(sorted(name for name in sys.modules if name.startswith(("torch", "jsonsift"))))
"""


def run_alone(setup: str) -> subprocess.CompletedProcess[str]:
    code = ALONE.format(
        setup=setup, path=str(PACKAGE / "__init__.py"), folder=str(PACKAGE)
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


def test_without_numpy_the_error_names_the_extra() -> None:
    """In one line."""
    done = run_alone("sys.modules['numpy'] = None")
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError")
    assert 'pip install "jsonsift[sampling]"' in last


def test_nothing_but_numpy_is_imported() -> None:
    """Not torch, not the rest of jsonsift."""
    done = run_alone("")
    assert done.stderr == ""
    assert done.stdout.strip() == "[]"


def test_imports_stay_on_the_island() -> None:
    """Relative imports go to this folder only, but for the bridge."""
    for file in set(PACKAGE.glob("*.py")) - {PACKAGE / "_watch.py"}:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, file
                assert not (node.module or "").startswith("jsonsift"), file
            elif isinstance(node, ast.Import):
                assert not any(one.name.startswith("jsonsift") for one in node.names)
