"""Which build of the rewriter runs: compiled if it is there, the plain source if not.

``JSONSIFT_BUILD=pure`` in the environment forces the plain source, and
``JSONSIFT_BUILD=compiled`` insists on the extensions: without them the import fails.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ._mend import Mender

__all__ = ["BUILD", "LAYERS", "Mender", "load_pure"]

# The modules that are compiled, each on the one before.
LAYERS: Final = (
    "_scan",
    "_ledger",
    "_quotes",
    "_strings",
    "_words",
    "_readings",
    "_closers",
    "_runs",
    "_mend",
)


def load_pure() -> ModuleType:
    """The rewriter from its source, beside the compiled one if that is loaded."""
    names = [f"jsonsift.{layer}" for layer in LAYERS]
    loaded = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        for layer, name in zip(LAYERS, names, strict=True):
            source = Path(__file__).with_name(f"{layer}.py")
            spec = importlib.util.spec_from_file_location(name, source)
            assert spec is not None
            assert spec.loader is not None
            sys.modules[name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        return module
    finally:
        sys.modules.update(loaded)


_wanted: Final = os.environ.get("JSONSIFT_BUILD", "")
if _wanted not in ("", "pure", "compiled"):
    raise ImportError(f"JSONSIFT_BUILD={_wanted!r}: use 'pure' or 'compiled'")


def _load() -> tuple[ModuleType, str]:
    """The rewriter and which build it is; a half compiled one counts as none."""
    if _wanted == "pure":
        return load_pure(), "pure"
    try:
        module = importlib.import_module("jsonsift._mend")
        files = [str(sys.modules[f"jsonsift.{layer}"].__file__) for layer in LAYERS]
        plain = sum(file.endswith(".py") for file in files)
    except KeyError:  # a compiled layer on a plain one: it has no table of methods
        plain = 1
    if plain == 0:
        return module, "compiled"
    if _wanted == "compiled":
        raise ImportError(
            "JSONSIFT_BUILD=compiled, but jsonsift was installed without its "
            "extensions: install a C compiler and reinstall"
        )
    return (module if plain == len(LAYERS) else load_pure()), "pure"


_module, BUILD = _load()
if not TYPE_CHECKING:
    Mender = _module.Mender
