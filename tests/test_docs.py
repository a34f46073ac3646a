"""The examples in docs/ and in docstrings are run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path
from typing import Final

import pytest

import jsonsift

from .doc_blocks import ROOT, run_examples

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path) -> None:
    """Each example of a page gives what stands below it."""
    skip_without_numpy(page.name)
    run_examples(page)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    """Each example in a docstring gives what stands below it."""
    skip_without_numpy(name)
    if name.startswith("jsonsift.integrations."):
        pytest.importorskip(name, exc_type=ImportError)  # each needs its library
    failed, tried = doctest.testmod(importlib.import_module(name), report=False)
    assert failed == 0
    assert tried > 0 or name not in WITH_EXAMPLES


def test_public_calls_have_examples() -> None:
    """Every public function shows what it does."""
    calls = [getattr(jsonsift, name) for name in jsonsift.__all__ if name[0].islower()]
    assert len(calls) >= 9
    assert [call.__name__ for call in calls if ">>>" not in call.__doc__] == []
