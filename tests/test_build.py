"""The two builds of the rewriter, and what must agree between its files."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import jsonsift
from jsonsift import _build, _chars, _codes
from jsonsift._types import EditKind

from .every_way import BUILDS, NO_PARITY, mend

PACKAGE: Final = Path(jsonsift.__file__).parent
LEAVES: Final = (
    "_leaves",
    "_checks",
    "_columns",
    "_objects",
    "_loads",
    "_walks",
)  # whose loops are in the .pxd
LOOPS_ALONE: Final = ("_built",)  # for one of those, and the compiled build alone
DECLARATIONS: Final = sorted(
    path
    for path in PACKAGE.glob("*.pxd")
    if path.stem not in LEAVES and path.stem not in LOOPS_ALONE
)


# ------------------------------------------------------------------- edit codes


def _constants(prefix: str) -> dict[str, int]:
    """The constants of the rewriter's files whose names begin so, by their source."""
    found: dict[str, int] = {}
    for path in PACKAGE.glob("_*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if node.target.id.startswith(prefix):
                    assert isinstance(node.value, ast.Constant)
                    assert isinstance(node.value.value, int)
                    found[node.target.id] = node.value.value
    return found


def test_edit_codes_are_the_order_of_the_kinds() -> None:
    """An edit would be reported as one of another kind, and of another risk."""
    kinds = list(EditKind)
    codes = _constants("E_")
    assert len(codes) > 20
    for name, code in codes.items():
        assert kinds[code].name == name.removeprefix("E_")
    composed = {"FENCE", "JOIN", "UNWRAP", "ENGINE"}  # by whoever composes
    assert {kind.name for kind in kinds} - composed == {name[2:] for name in codes}


def test_codes_are_different() -> None:
    """Two places, containers or delimiters would be one."""
    for prefix in ("E_", "F_", "G_", "Q_"):
        codes = _constants(prefix)
        assert len(set(codes.values())) == len(codes) > 1


def test_words_of_edits_have_their_numbers() -> None:
    """An edit would write another word, or take more than a row."""
    names = {"NOTHING": "", "QUOTE": '"', "TRUE": "true", "FALSE": "false"}
    names |= {"NULL": "null", "ESCAPED_QUOTE": '\\"'}
    for name, word in names.items():
        assert _codes.WORDS[vars(_codes)[f"W_{name}"]] == word
    written = (PACKAGE / "_columns.pxd").read_text("utf-8")
    longest = re.search(r"LONGEST_WORD = (\d+)", written)
    assert longest is not None
    assert int(longest[1]) == max(map(len, _codes.WORDS))
    assert len(_codes.WORDS) < _constants("MOST_SHORT_WORD")["MOST_SHORT_WORD"]


def test_the_walk_has_the_numbers_of_the_codes() -> None:
    """The loop in C would write down other places, containers or edits."""
    written = (PACKAGE / "_walks.pxd").read_text("utf-8")
    rows = re.findall(r"^    ([A-Z_]+) = (\d+)(?: << 5 \| (\d+))?", written, re.M)
    found = {name: (int(one), int(other or 0)) for name, one, other in rows}
    codes = vars(_codes)
    for name in (
        "VALUE",
        "KEY",
        "AFTER",
        "DONE",
        "NOTHING",
        "OBJECT",
        "ARRAY",
        "SCALAR",
    ):
        assert found[name] == (codes[name], 0)
    longest = re.search(r"^    MOST_LENGTH = (0x\w+)", written, re.M)
    assert longest is not None
    most = {int(longest[1], 16), _constants("_MOST_LENGTH")["_MOST_LENGTH"]}
    assert most == set(_constants("MOST_SHORT_LENGTH").values())
    for name in ("COMMENT", "COMMA"):
        assert found[name] == (codes[f"E_{name}"], 0)
    for name in ("QUOTE_MARK", "BARE_KEY"):
        assert found[name] == (codes["W_QUOTE"], codes[f"E_{name}"])
    inner = (codes["W_ESCAPED_QUOTE"], codes["E_INNER_QUOTE"])
    assert found["INNER_QUOTE"] == inner
    for name in ("TRUE", "FALSE", "NULL_"):
        word = codes[f"W_{name.rstrip('_')}"]
        assert found[name] == (word, codes["E_LITERAL"])


def test_the_walk_takes_no_odd_character_for_a_part_of_words() -> None:
    """A quote before a bracket, mark or space of another script might close nothing."""
    written = (PACKAGE / "_walks.pxd").read_text("utf-8")
    ranges = re.findall(r"(0x\w+) <= ch <= (0x\w+)", written)
    assert len(ranges) == 2
    odd = {*_chars.INVISIBLE, *_chars.FULL_WIDTH, *_chars.DOUBLE_QUOTES}
    odd |= {*_chars.SINGLE_QUOTES, "\N{EM DASH}", *map(chr, range(0xD800, 0xE000))}
    for first, last in ranges:
        assert not odd & {chr(ch) for ch in range(int(first, 16), int(last, 16) + 1)}


# ---------------------------------------------------------------- the C types


class Declared(NamedTuple):
    """A name that a .pxd types, with its arguments where it is a function."""

    owner: str
    name: str
    arguments: tuple[str, ...] | None


_FUNCTION: Final = re.compile(
    r"^(?P<indent> *)(?:cdef|cpdef) (?!class)(?:inline )?(?:[\w*]+ )?(?P<name>\w+)"
    r"\((?P<args>[^)]*)\)",
    re.M,
)
_VARIABLES: Final = re.compile(
    r"^(?P<indent> *)cdef (?:readonly |public )?(?!class)(?P<type>\w+) "
    r"(?P<names>\w+(?:, \w+)*)$",
    re.M,
)
_CLASS: Final = re.compile(r"^cdef class (\w+)", re.M)


def _owner(text: str, match: re.Match[str]) -> str:
    if not match["indent"]:
        return ""
    return str(_CLASS.findall(text[: match.start()])[-1])


def read_declarations(text: str) -> list[Declared]:
    """All that a .pxd declares."""
    found = []
    for match in _FUNCTION.finditer(text):
        arguments = [part.split() for part in match["args"].split(",") if part.strip()]
        names = tuple(words[-1] for words in arguments)
        found.append(Declared(_owner(text, match), match["name"], names))
    for match in _VARIABLES.finditer(text):
        for name in match["names"].split(", "):
            found.append(Declared(_owner(text, match), name, None))
    return found


def read_locals(text: str) -> list[tuple[Declared, tuple[str, ...]]]:
    """The functions with ``@cython.locals``, with the names that it types."""
    found = []
    for match in re.finditer(r"@cython\.locals\(([^)]*)\)\n", text):
        function = _FUNCTION.search(text, match.end() - 1)
        assert function is not None
        names = tuple(re.findall(r"(\w+) *=", match[1]))
        found.append((Declared(_owner(text, function), function["name"], None), names))
    return found


Functions = dict[tuple[str, str], ast.FunctionDef]


def read_functions(tree: ast.Module) -> Functions:
    """Every function of a module, by its class and name."""
    found = {("", f.name): f for f in tree.body if isinstance(f, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    found[node.name, inner.name] = inner
    return found


def read_names(tree: ast.Module) -> set[tuple[str, str]]:
    """Every module variable, imported name and attribute set on self in __init__."""
    found = set()
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {("", t.id) for t in targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            found |= {("", alias.asname or alias.name) for alias in node.names}
        elif isinstance(node, ast.ClassDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Attribute) and isinstance(
                    inner.ctx, ast.Store
                ):
                    if isinstance(inner.value, ast.Name) and inner.value.id == "self":
                        found.add((node.name, inner.attr))
    return found


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.name)
def test_types_are_those_of_the_source(path: Path) -> None:
    """A .pxd would type a name that is gone, and the compiled build go slow unseen."""
    text = path.read_text("utf-8")
    tree = ast.parse(path.with_suffix(".py").read_text("utf-8"))
    functions, names = read_functions(tree), read_names(tree)
    declared = read_declarations(text)
    assert declared
    for one in declared:
        if one.arguments is None:
            assert (one.owner, one.name) in names, one
        else:
            function = functions[one.owner, one.name]
            arguments = [argument.arg for argument in function.args.args]
            assert tuple(arguments) == one.arguments, one
    for one, typed in read_locals(text):
        function = functions[one.owner, one.name]
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        assert set(typed) <= used, one


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.name)
def test_every_function_is_typed(path: Path) -> None:
    """A function of a compiled module would be left out, and be called the slow way."""
    text = path.read_text("utf-8")
    tree = ast.parse(path.with_suffix(".py").read_text("utf-8"))
    declared = {(one.owner, one.name) for one in read_declarations(text)}
    methods = {key for key in read_functions(tree) if key[0] and key[1][0] == "_"}
    special = {key for key in methods if key[1].endswith("__")}  # for Python alone
    assert methods - declared - special == set()


@pytest.mark.parametrize("leaves", LEAVES)
def test_every_leaf_has_its_loop(leaves: str) -> None:
    """A leaf would have other arguments in one build than in the other."""
    written = (PACKAGE / f"{leaves}.pxd").read_text("utf-8")
    tree = ast.parse((PACKAGE / f"{leaves}.py").read_text("utf-8"))
    for (owner, name), function in read_functions(tree).items():
        if owner or name.startswith("_"):
            continue
        signature = re.search(rf"^cdef inline [\w ]+ {name}\(([^)]*)\)", written, re.M)
        assert signature is not None, name
        arguments = re.findall(r"(\w+)(?:,|$)", signature[1].strip())
        assert arguments == [one.arg for one in function.args.args], name


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.name)
def test_a_number_is_returned_where_one_is_declared(path: Path) -> None:
    """The compiler would refuse the module, and the build fall back on the pure one."""
    declared = re.findall(r"cdef (?:inline )?int (\w+)\(", path.read_text("utf-8"))
    functions = read_functions(ast.parse(path.with_suffix(".py").read_text("utf-8")))
    for (_, name), function in functions.items():
        if name in declared:
            returns = [one for one in ast.walk(function) if isinstance(one, ast.Return)]
            assert all(one.value is not None for one in returns), name


def test_declarations_are_read_at_all() -> None:
    """The reader of .pxd files would find nothing, and so agree with everything."""
    text = (
        "cdef int ONE, TWO\n"
        "@cython.locals(ch=int)\ncdef int f(str a, int b) except? -1\n"
        "cdef class C(B):\n    cdef readonly list x, y\n"
        "    cpdef bint g(\n        self, str more\n    ) except? -1\n"
    )
    assert sorted(read_declarations(text), key=lambda one: one[:2]) == [
        Declared("", "ONE", None),
        Declared("", "TWO", None),
        Declared("", "f", ("a", "b")),
        Declared("C", "g", ("self", "more")),
        Declared("C", "x", None),
        Declared("C", "y", None),
    ]
    assert read_locals(text) == [(Declared("", "f", None), ("ch",))]


# ------------------------------------------------------------------ which build


def _run(build: str, code: str) -> subprocess.CompletedProcess[str]:
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    env = {
        **os.environ,
        "JSONSIFT_BUILD": build,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip


SHOW: Final = (
    "from jsonsift import _build, _reruns, extract_json\n"
    "assert _reruns.Mender is _build.Mender\n"
    "print(_build.BUILD, extract_json(\"{'a': [1,]}\"))"
)


def test_the_pure_build_can_be_forced() -> None:
    """Nobody could tell whether a fault lies in the compiled build."""
    assert _run("pure", SHOW).stdout == "pure {'a': [1]}\n"


def test_the_compiled_build_can_be_insisted_on() -> None:
    """A missing extension would go unnoticed where speed is counted on."""
    run = _run("compiled", SHOW)
    if run.returncode == 0:
        assert run.stdout == "compiled {'a': [1]}\n"
    else:
        assert "compiled" not in BUILDS
        assert "ImportError" in run.stderr
        assert "without its extension" in run.stderr


def test_an_unknown_build_is_an_error() -> None:
    """A misspelt name would be ignored."""
    assert "use 'pure' or 'compiled'" in _run("fast", SHOW).stderr


@pytest.mark.skipif(bool(NO_PARITY), reason=NO_PARITY)
def test_both_builds_are_loaded() -> None:
    """The comparison of the builds would compare one with itself."""
    pure, compiled = BUILDS["pure"], BUILDS["compiled"]
    assert pure is not compiled
    assert _build.Mender is compiled
    assert isinstance(vars(pure)["run"], type(lambda: None))
    assert not isinstance(vars(compiled)["run"], type(lambda: None))


def test_load_pure_is_pure_and_leaves_the_modules_alone() -> None:
    """Loading the source beside the extension would replace the extension."""
    before = {name: id(module) for name, module in sys.modules.items()}
    module = _build.load_pure()
    assert str(module.__file__).endswith(".py")
    after = {name: id(module) for name, module in sys.modules.items()}
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("build", BUILDS)
def test_the_rewriter_works_in_a_part_of_the_text(build: str) -> None:
    """It would look or write outside the part that it was given."""
    text = 'x {"a": [1, 2 y'
    found = mend(text, 2, len(text) - 2, build=build)
    assert (found.text, found.pos, found.complete) == ('{"a": [1, 2]}', 11, False)


def test_importing_loads_nothing_optional() -> None:
    """``import jsonsift`` would load NumPy, json_repair or another extra."""
    heavy = "('numpy', 'json_repair', 'charset_normalizer', 'pydantic', 'jsonschema')"
    code = f"import sys, jsonsift; print([m for m in {heavy} if m in sys.modules])"
    assert _run("", code).stdout == "[]\n"
