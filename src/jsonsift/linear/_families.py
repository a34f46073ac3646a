"""What a family of texts is, and the catalogue of those that are known to hurt.

The catalogue is data, ``families.jsonl`` beside this file; in the repository
``python -m fuzz catalogue`` writes it from the files of ``corpus/slow``.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files

__all__ = ["Family", "catalogue", "find_family"]


@dataclass(frozen=True, repr=False, slots=True)
class Family:
    """Texts of one form and any length.

    A text is ``prefix``, then ``unit`` as often as needed, then ``suffix``, then
    ``closer`` as often as the unit stood there (to close what each unit opened).

    Raises:
        ValueError: the unit is empty.
    """

    prefix: str
    unit: str
    suffix: str = ""
    closer: str = ""
    name: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        if not self.unit:
            raise ValueError("a family needs a unit to repeat")

    def build(self, size: int) -> str:
        """The text of about ``size`` characters; the unit stands in it at least once.

        >>> Family("[", "1,", "]").build(8)
        '[1,1,1,]'
        """
        rest = size - len(self.prefix) - len(self.suffix)
        times = max(1, rest // (len(self.unit) + len(self.closer)))
        return self.prefix + self.unit * times + self.suffix + self.closer * times

    def __str__(self) -> str:
        return self.name or repr(self)

    def __repr__(self) -> str:
        """Short, and valid Python: what a message shows to be pasted."""
        shown = [repr(self.prefix), repr(self.unit)]
        for field in fields(self)[2:4]:
            value = getattr(self, field.name)
            if value:
                shown.append(f"{field.name}={value!r}")
        return f"Family({', '.join(shown)})"


@cache
def catalogue() -> tuple[Family, ...]:
    """All families that come with the package, by name.

    >>> len(catalogue()) >= 80
    True
    """
    lines = files(__package__).joinpath("families.jsonl").read_text("utf-8")
    return tuple(Family(**json.loads(line)) for line in lines.splitlines())


def find_family(name: str) -> Family:
    """The family of this name.

    Raises:
        KeyError: the catalogue has no such family.

    >>> find_family("brace-and-quote")
    Family('', '{"')
    """
    for family in catalogue():
        if family.name == name:
            return family
    near = difflib.get_close_matches(name, [family.name for family in catalogue()])
    hint = f"did you mean {' or '.join(near)}?" if near else "catalogue() lists them"
    raise KeyError(f"no family is called {name!r}; {hint}")
