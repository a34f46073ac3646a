"""All operators, in the order of the table."""

from __future__ import annotations

from typing import Final

from .model import Operator
from .replies import REPLIES
from .strings import STRINGS
from .structure import STRUCTURE

__all__ = ["OPERATORS"]

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator for operator in (*STRUCTURE, *STRINGS, *REPLIES)
}
