"""Every pattern that the package compiles, found by running it: no list to forget.

``python -m fuzz.patterns`` imports all modules with ``re`` and ``regex`` watched,
sends the corpus through all public calls, and writes as JSON what was compiled where.
A place in the source that calls either engine and was never reached is named too.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import regex

__all__ = ["Site", "find_patterns"]

_ROOT: Final = Path(__file__).parents[1]
_DIRECT: Final = (
    "compile", "match", "search", "fullmatch", "split", "sub", "subn", "findall",
    "finditer",
)  # fmt: skip
_MODES: Final = {"match": "match", "fullmatch": "match", "search": "search"}


@dataclass(frozen=True)
class Site:
    """A pattern where it is compiled, and how it is used: match, search or all."""

    file: str
    line: int
    engine: str
    pattern: str
    flags: int
    modes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def find_patterns() -> tuple[list[Site], list[str]]:
    """The patterns of the package, and the places that could not be reached."""
    ran = subprocess.run(
        [sys.executable, "-m", "fuzz.patterns"],
        cwd=_ROOT, stdout=subprocess.PIPE, check=True, text=True,
        env={**os.environ, "JSONSIFT_BUILD": "pure"},
    )  # fmt: skip
    found = json.loads(ran.stdout)
    sites = [Site(**{**one, "modes": tuple(one["modes"])}) for one in found["sites"]]
    return sites, found["unreached"]


# ----------------------------------------------------------------- what runs watched

_Call = tuple[str, int, str, str, int]


def _watch(module: ModuleType, package: Path, seen: set[_Call]) -> None:
    """Note each call of the engine that comes from a file of the package."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def watched(pattern: Any, *args: Any, **options: Any) -> Any:
            frame = sys._getframe(1)
            file = Path(frame.f_code.co_filename)
            if package in file.parents:
                text = pattern if isinstance(pattern, (str, bytes)) else pattern.pattern
                text = text if isinstance(text, str) else text.decode("latin-1")
                flags = _find_flags(function, pattern, args, options)
                name = str(file.relative_to(package))
                seen.add((name, frame.f_lineno, module.__name__, text, flags))
            return function(pattern, *args, **options)

        return watched

    original = module.compile

    def _find_flags(
        function: Callable[..., Any], pattern: Any, args: Any, options: Any
    ) -> int:
        if not isinstance(pattern, (str, bytes)):
            return int(pattern.flags)
        bound = signature(function).bind(pattern, *args, **options).arguments
        return int(original(pattern, bound.get("flags", 0)).flags)

    for name in _DIRECT:
        setattr(module, name, wrap(getattr(module, name)))


def _run_everything() -> None:
    """Import all modules and send the corpus through all calls."""
    import jsonsift
    from fuzz.cases import read_families, read_replies
    from fuzz.subjects import find_subjects

    for module in pkgutil.walk_packages(jsonsift.__path__, "jsonsift."):
        if not module.name.endswith("__main__") and ".sampling" not in module.name:
            with suppress(ImportError):  # a bridge to a library that is not here
                importlib.import_module(module.name)
    texts = [*read_replies(), *(family.build(300) for family in read_families())]
    texts.append("[" + "7" * 5_000 + "]")
    texts.append("x\x1b[1mbold\x1b[0m \x9b1m \U0001f3f4\U000e0067 e\u200d \u200c" * 20)
    for subject in find_subjects().values():
        for text in texts:
            try:
                subject(text)
            except jsonsift.JSONSiftError as error:
                str(error)
    kinds = {
        "n": {"type": "number"},
        "s": {"type": "string", "pattern": "^x"},
        "e": {"enum": ["one thing", "two"]},
        "b": {"type": "boolean"},
    }
    typed = {"type": "object", "properties": kinds, "required": ["n"]}
    for text in ('{"n": "1 234", "e": "It is one-thing", "b": "yes"}', *texts):
        with suppress(jsonsift.JSONSiftError):
            jsonsift.extract_json(text, schema=typed)
    jsonsift.decode("caf\xe9, na\xefve \x93quoted\x94".encode("latin-1"))


# ------------------------------------------------------------------- the source

_Place = tuple[str, int, int, str]  # file, first and last line, the name assigned


def _find_calls(package: Path) -> Iterator[_Place]:
    """Where the source calls an engine."""
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            id(inner): _target(node)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value
            for inner in ast.walk(node.value)
        }
        for node in ast.walk(tree):
            if _is_engine_call(node):
                assert isinstance(node, ast.Call)
                last = node.end_lineno or node.lineno
                file = str(path.relative_to(package))
                yield file, node.lineno, last, names.get(id(node), "")


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _is_engine_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    named = isinstance(owner, ast.Name) and owner.id in ("re", "regex")
    return named and node.func.attr in _DIRECT


def _find_uses(package: Path) -> dict[str, set[str]]:
    """By the name of a pattern, the methods that the source calls on it."""
    uses: dict[str, set[str]] = {}
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.attr in _DIRECT:
                    uses.setdefault(node.value.id, set()).add(node.attr)
            elif isinstance(node, ast.Call):
                # self._match(PATTERN, pos), _skip(PATTERN, …): at a place they are told
                func = node.func
                name = func.attr if isinstance(func, ast.Attribute) else ""
                name = func.id if isinstance(func, ast.Name) else name
                if name in ("_match", "_skip"):
                    for one in node.args:
                        if isinstance(one, ast.Name):
                            uses.setdefault(one.id, set()).add("match")
    return uses


def _find_later(package: Path) -> Iterator[tuple[str, str, Any, str]]:
    """The patterns that are compiled when first used: file, name, pattern, engine."""
    from jsonsift._later import _LaterPattern

    for module in list(sys.modules.values()):
        file = Path(getattr(module, "__file__", None) or ".")
        if package not in file.parents:
            continue
        for name, later in vars(module).items():
            if isinstance(later, _LaterPattern):
                pattern = re.compile(later.pattern, later._flags)
                yield str(file.relative_to(package)), name, pattern, "re"
                if file.name == "_locate.py":  # matched in part by the other engine
                    partial = regex.compile(later.pattern)
                    yield str(file.relative_to(package)), name, partial, "regex"


def _collect() -> dict[str, Any]:
    spec = importlib.util.find_spec("jsonsift")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    seen: set[_Call] = set()
    for module in (re, regex):
        _watch(module, package, seen)
    _run_everything()
    uses = _find_uses(package)
    sites, unreached = [], []
    for file, name, pattern, engine in _find_later(package):
        modes = {_MODES.get(use, "all") for use in uses.get(name, ())}
        source = pattern.pattern
        source = source if isinstance(source, str) else source.decode("latin-1")
        sites.append(
            {"file": file, "line": 0, "engine": engine, "pattern": source,
             "flags": int(pattern.flags), "modes": sorted(modes or {"all"})}
        )  # fmt: skip
    for file, first, last, name in _find_calls(package):
        if file == "_later.py":
            continue  # those were found by name
        here = sorted(call for call in seen if call[0] == file)
        here = [call for call in here if first <= call[1] <= last]
        if not here and not file.startswith(("sampling", "linear")):
            unreached.append(f"{file}:{first}")
        modes = {_MODES.get(use, "all") for use in uses.get(name, ())}
        for _, line, engine, pattern, flags in here:
            sites.append(
                {"file": file, "line": line, "engine": engine, "pattern": pattern,
                 "flags": flags, "modes": sorted(modes or {"match", "search", "all"})}
            )  # fmt: skip
    return {"sites": sites, "unreached": unreached}


if __name__ == "__main__":
    print(json.dumps(_collect()))
