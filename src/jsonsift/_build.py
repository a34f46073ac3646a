"""Which build of the rewriter runs: compiled if it is there, the plain source if not.

``JSONSIFT_BUILD=pure`` in the environment forces the plain source, and
``JSONSIFT_BUILD=compiled`` insists on the extension: without it the import fails.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

__all__ = ["BUILD", "Mender", "load_pure"]


def load_pure() -> ModuleType:
    """The rewriter from its source, under a name of its own."""
    name = "jsonsift._mend_pure"
    if name not in sys.modules:
        source = Path(__file__).with_name("_mend.py")
        spec = importlib.util.spec_from_file_location(name, source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


_wanted: Final = os.environ.get("JSONSIFT_BUILD", "")
if _wanted not in ("", "pure", "compiled"):
    raise ImportError(f"JSONSIFT_BUILD={_wanted!r}: use 'pure' or 'compiled'")
if _wanted == "pure":
    Mender = load_pure().Mender
    BUILD = "pure"
else:
    from . import _mend

    Mender = _mend.Mender
    BUILD = "pure" if str(_mend.__file__).endswith(".py") else "compiled"
    if _wanted == "compiled" and BUILD == "pure":
        raise ImportError(
            "JSONSIFT_BUILD=compiled, but jsonsift was installed without its "
            "extension: install a C compiler and reinstall"
        )
