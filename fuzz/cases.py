"""The corpus as raw material: slow families, replies, and what is written back."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

import jsonsift.linear
from jsonsift.linear import Family

__all__ = ["read_families", "read_replies", "write_catalogue", "write_family"]

ROOT: Final = Path(__file__).parents[1]
SLOW: Final = ROOT / "corpus/slow"
CATALOGUE: Final = Path(jsonsift.linear.__file__).with_name("families.jsonl")
_FIELDS: Final = ("why", "prefix", "unit", "suffix")


def read_families() -> list[Family]:
    """The families of corpus/slow, by name."""
    return [
        Family(name=path.stem, **json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(SLOW.glob("*.json"))
    ]


@cache
def read_replies() -> tuple[str, ...]:
    """The texts of all cases of the corpus."""
    paths = sorted((ROOT / "corpus").glob("*/*/*.txt"))
    return tuple(path.read_bytes().decode("utf-8", "replace") for path in paths)


def _to_case(family: Family) -> dict[str, str]:
    case = {field: getattr(family, field) for field in _FIELDS}
    return {**case, "closer": family.closer} if family.closer else case


def write_family(family: Family, folder: Path = SLOW) -> Path:
    """Keep a family as a case under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{family.name}.json"
    path.write_text(json.dumps(_to_case(family), indent=2) + "\n", encoding="utf-8")
    return path


def write_catalogue() -> list[Family]:
    """Write the catalogue that comes with the package from corpus/slow."""
    families = read_families()
    lines = (
        json.dumps({"name": family.name, **_to_case(family)}) for family in families
    )
    CATALOGUE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return families
