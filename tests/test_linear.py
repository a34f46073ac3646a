"""The cost gate: time grows with the length of adversarial input, and no faster.

Each family of corpus/slow is a prefix, a unit to repeat and a suffix.  CPU time is
taken at two lengths with the cyclic collector off; only a family that grows too fast
three times over fails, so that a busy machine does not.

    pytest -m linear
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jsonsift
from jsonsift._build import BUILD

ROOT = Path(__file__).parents[1]
FAMILIES = sorted((ROOT / "corpus/slow").glob("*.json"))
SHORT, LONG = (8_192, 65_536) if BUILD == "pure" else (32_768, 262_144)
MAX_EXPONENT = 1.2
TRIES = 3
NEGLIGIBLE = 0.02  # seconds at the longer size: too little to tell growth from noise


def repeat(family: dict[str, str], length: int) -> str:
    times = length // len(family["unit"])
    return family["prefix"] + family["unit"] * times + family["suffix"]


def measure_cpu(call: Callable[[str], Any], text: str) -> float:
    gc.collect()
    gc.disable()
    began = time.process_time()
    try:
        with contextlib.suppress(jsonsift.JSONSiftError):
            call(text)
        return time.process_time() - began
    finally:
        gc.enable()


def measure_exponent(call: Callable[[str], Any], family: dict[str, str]) -> float:
    short = measure_cpu(call, repeat(family, SHORT))
    long = measure_cpu(call, repeat(family, LONG))
    if long < NEGLIGIBLE:
        return 0.0
    return math.log(long / max(short, 1e-6)) / math.log(LONG / SHORT)


@pytest.mark.linear
@pytest.mark.parametrize("call", [jsonsift.extract_json, jsonsift.loads])
@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_time_is_linear(path: Path, call: Callable[[str], Any]) -> None:
    """A look-ahead does not remember how far it has looked."""
    family = json.loads(path.read_text(encoding="utf-8"))
    exponents: list[float] = []
    while len(exponents) < TRIES:
        exponents.append(measure_exponent(call, family))
        if exponents[-1] <= MAX_EXPONENT:
            return
    pytest.fail(f"time grows as length ** {min(exponents):.2f}: {family['why']}")


def restart_at_every_brace(text: str) -> None:
    """A canary: what many extractors do, quadratic since errors count lines."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        with contextlib.suppress(ValueError):
            decoder.raw_decode(text, at)
        at = text.find("{", at + 1)


@pytest.mark.linear
def test_gate_catches_what_is_not_linear() -> None:
    """The gate would let a quadratic function through."""
    family = {"prefix": "", "unit": "x{\n", "suffix": ""}
    slower = {**family, "unit": "x{\n" + " " * 29}
    assert measure_exponent(restart_at_every_brace, slower) > MAX_EXPONENT
