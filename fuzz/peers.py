"""How do other ways to get JSON out of a reply grow on the same families?

Libraries are called as their documentation says to read a value from a text.  Three
more are what frameworks and tutorials do, written out here as plain examples.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from jsonsift.linear import Family

from .growth import Row, measure_all
from .report import print_table

__all__ = ["find_targets", "run"]

SIZES: Final = (1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)
_LIMIT: Final = 0.3  # seconds of one call

_LIBRARIES: Final = {
    "json_repair": "json_repair:loads",
    "jsonmend": "jsonmend:loads",
    "parse_broken_json": "parse_broken_json:parse_broken_json",
    "fast_json_repair": "fast_json_repair:loads",
    "repairjson": "repairjson:loads",
}
_EXAMPLES: Final = {
    "close and retry": "fuzz.peers:close_and_retry",
    "first to last brace": "fuzz.peers:first_to_last_brace",
    "key-value pattern": "fuzz.peers:read_key_values",
}
OURS: Final = "jsonsift"


# ------------------------------------------------------------------ the examples


def close_and_retry(text: str) -> Any:
    """As LangChain's parser of partial JSON does it.

    What is open is closed; while that is no JSON, the last character goes.
    """
    fence = re.search(r"```(?:json)?(.*)", text, re.DOTALL)
    body = (fence[1] if fence else text).strip().strip("`")
    stack: list[str] = []
    inside = escaped = False
    for ch in body:
        if inside:
            inside = ch != '"' or escaped
            escaped = ch == "\\" and not escaped
        elif ch == '"':
            inside, escaped = True, False
        elif ch in "{[":
            stack.append("}" if ch == "{" else "]")
        elif ch in "}]":
            if not stack or stack.pop() != ch:
                raise ValueError("a closer without its opener")
    closers = ('"' if inside else "") + "".join(reversed(stack))
    while body:
        try:
            return json.loads(body + closers, strict=False)
        except json.JSONDecodeError:
            body = body[:-1]
    raise ValueError("no JSON")


def first_to_last_brace(text: str) -> Any:
    """As LlamaIndex finds an object: a greedy pattern over everything."""
    match = re.search(r"\{.*\}", text.strip(), re.DOTALL)
    if match is None:
        raise ValueError("no JSON")
    return json.loads(match[0])


_KEY_VALUE: Final = re.compile(
    r'"(\\.|[^\\])*"\s*:\s*(\[[^\[\]]*\]|\{[^{}]*\}|"(\\.|[^\\])*")'
)


def read_key_values(text: str) -> list[str]:
    """The pattern for pairs that tutorials hand on."""
    return [match[0] for match in _KEY_VALUE.finditer(text)]


# --------------------------------------------------------------------- the table


def find_targets() -> tuple[dict[str, str], list[str]]:
    """Ours, the libraries that are installed and the examples; and what is missing."""
    targets = {OURS: "jsonsift:extract_json"}
    missing = []
    for name, target in _LIBRARIES.items():
        if importlib.util.find_spec(target.split(":")[0]) is None:
            missing.append(name)
        else:
            targets[name] = target
    return {**targets, **_EXAMPLES}, missing


def run(
    families: Sequence[Family], seconds: float, sizes: Sequence[int] = SIZES
) -> list[Row]:
    """Measure all of them and print the table of README."""
    targets, missing = find_targets()
    rows = measure_all(targets, families, sizes, seconds, limit=_LIMIT)
    table = []
    for name in targets:
        own = [row for row in rows if row.subject == name]
        if own:
            table.append(_summarise(name, own))
    measured = len({row.growth.family for row in rows})
    print(
        f"{date.today().isoformat()}, {measured} of {len(families)} families, one run\n"
    )
    head = ["reader", "linear", "steeper", "too slow to say", "recursion or crash",
            "largest exponent", "slowest at 16,384 characters"]  # fmt: skip
    print_table(head, table)
    if missing:
        print(f"\nnot installed: {', '.join(missing)}")
    return rows


def _summarise(name: str, rows: Sequence[Row]) -> list[object]:
    crashed = sum(bool(row.growth.crash) for row in rows)
    steep = [row for row in rows if row.is_steep and not row.growth.crash]
    slow = sum(not row.is_measured for row in rows)
    worst = max(rows, key=lambda row: row.growth.exponent).growth
    more = "" if worst.finished else "more than "
    return [
        name, len(rows) - crashed - len(steep) - slow, len(steep), slow, crashed,
        f"{more}{worst.exponent:.2f} ({worst.family})", _slowest(rows),
    ]  # fmt: skip


def _slowest(rows: Sequence[Row]) -> str:
    """The longest time at 16 KB, or the smaller size at which it took too long."""
    times = [
        (point.seconds / point.size, point)
        for row in rows
        for point in row.growth.points
        if (point.size > 12_000 and point.size <= 16_384) or not point.finished
    ]
    if not times:
        return "-"
    point = max(times, key=lambda one: one[0])[1]
    if not point.finished:
        return f"over {point.seconds:g} s at {point.size:,}"
    return f"{point.seconds * 1e3:,.1f} ms"
