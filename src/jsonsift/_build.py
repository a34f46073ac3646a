"""Which build of the rewriter runs: compiled if it is there, the plain source if not.

``JSONSIFT_BUILD=pure`` in the environment forces the plain source, and
``JSONSIFT_BUILD=compiled`` insists on the extensions: without them the import fails.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

if TYPE_CHECKING:
    from ._bounds import (
        find_mark,
        is_deeper,
        list_objects,
        load_text,
    )
    from ._grow import GrowingValue
    from ._live import LiveMender
    from ._mend import Mender
    from ._shortcut import read_at_once, read_broken, read_valid

__all__ = [
    "BUILD",
    "LAYERS",
    "REWRITER",
    "GrowingValue",
    "LiveMender",
    "Mender",
    "Rewriter",
    "find_mark",
    "find_rewriter",
    "is_deeper",
    "list_objects",
    "load_pure",
    "load_pure_layers",
    "load_text",
    "read_at_once",
    "read_broken",
    "read_valid",
]

# The modules that are compiled, each on the one before.
LAYERS: Final = (
    "_bounds",
    "_scan",
    "_ledger",
    "_lost",
    "_quotes",
    "_strings",
    "_words",
    "_readings",
    "_closers",
    "_runs",
    "_mend",
    "_shortcut",
    "_pieces",
    "_grow",
    "_live",
)


class Rewriter(NamedTuple):
    """What follows a text in pieces, of one build."""

    LiveMender: type[LiveMender]
    GrowingValue: type[GrowingValue]


def find_rewriter(modules: dict[str, ModuleType]) -> Rewriter:
    """The classes among the layers of one build."""
    return Rewriter(modules["_live"].LiveMender, modules["_grow"].GrowingValue)


def load_pure() -> ModuleType:
    """The rewriter from its source, beside the compiled one if that is loaded."""
    return load_pure_layers()["_mend"]


def load_pure_layers() -> dict[str, ModuleType]:
    """All modules that are compiled, from their source."""
    import importlib.util  # which the compiled build does without

    names = {layer: f"jsonsift.{layer}" for layer in LAYERS}
    loaded = {
        name: sys.modules.pop(name) for name in names.values() if name in sys.modules
    }
    modules = {}
    try:
        for layer, name in names.items():
            source = os.path.join(os.path.dirname(__file__), f"{layer}.py")
            spec = importlib.util.spec_from_file_location(name, source)
            assert spec is not None
            assert spec.loader is not None
            sys.modules[name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            modules[layer] = module
        return modules
    finally:
        sys.modules.update(loaded)


def _refuse(message: str) -> NoReturn:
    """Let the import fail; of the command itself nobody else could catch that."""
    program, _ = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))
    # python -m imports the package before it runs __main__
    is_module = program == "-m" and "jsonsift" in sys.orig_argv
    if program != "jsonsift" and not is_module:
        raise ImportError(message)
    sys.stderr.write(f"jsonsift: {message}\n")
    raise SystemExit(2)


_wanted: Final = os.environ.get("JSONSIFT_BUILD", "")
if _wanted not in ("", "pure", "compiled"):
    _refuse(f"JSONSIFT_BUILD={_wanted!r}: use 'pure' or 'compiled'")


def _load() -> tuple[dict[str, ModuleType], str]:
    """The modules and which build they are; a half compiled one counts as none."""
    if _wanted == "pure":
        return load_pure_layers(), "pure"
    modules = {}
    try:
        for layer in LAYERS:
            modules[layer] = importlib.import_module(f"jsonsift.{layer}")
        plain = sum(str(one.__file__).endswith(".py") for one in modules.values())
    except KeyError:  # a compiled layer on a plain one: it has no table of methods
        plain = 1
    if plain == 0:
        return modules, "compiled"
    if _wanted == "compiled":
        _refuse(
            "JSONSIFT_BUILD=compiled, but jsonsift was installed without its "
            "extensions: install a C compiler and reinstall"
        )
    return (modules if plain == len(LAYERS) else load_pure_layers()), "pure"


_modules, BUILD = _load()
REWRITER: Final = find_rewriter(_modules)
if not TYPE_CHECKING:
    LiveMender, GrowingValue = REWRITER
    Mender = _modules["_mend"].Mender
    read_at_once = _modules["_shortcut"].read_at_once
    read_broken = _modules["_shortcut"].read_broken
    read_valid = _modules["_shortcut"].read_valid
    find_mark = _modules["_bounds"].find_mark
    is_deeper = _modules["_bounds"].is_deeper
    list_objects = _modules["_bounds"].list_objects
    load_text = _modules["_bounds"].load_text
