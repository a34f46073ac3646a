"""json_repair in place of our rewriter, for those who need its very answers.

It is not linear (it recurses, or grows faster than the square of the length, on many
kinds of broken text), so a size cap stands before it and its errors become ours.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from ._errors import BrokenJSONError, LimitError

__all__ = ["MAX_ENGINE_LENGTH", "repair_with_engine", "require_engine"]

MAX_ENGINE_LENGTH: Final = 100_000


def require_engine() -> None:
    """Raise ImportError if json-repair is not there, before a reply needs it."""
    if find_spec("json_repair") is None:
        raise ImportError(
            'engine="json-repair" needs: pip install "jsonsift[json-repair]"'
        )


def repair_with_engine(piece: str, reply: str, at: int) -> str:
    """``piece`` of ``reply``, which stands at ``at``, as json_repair repairs it.

    Raises:
        LimitError: the piece is longer than 100,000 characters, or json_repair
            recursed too deeply on it.
        BrokenJSONError: json_repair failed in any other way.
    """
    if len(piece) > MAX_ENGINE_LENGTH:
        raise LimitError(
            f"{len(piece)} characters are more than {MAX_ENGINE_LENGTH}",
            at,
            hint='the most that engine="json-repair" is given, as it is not linear',
        )
    import json_repair

    try:
        return str(json_repair.repair_json(piece, ensure_ascii=False))
    except RecursionError:
        raise _recursion_error(at) from None
    except Exception as error:
        if isinstance(error.__cause__, RecursionError):
            raise _recursion_error(at) from None
        message = f"json_repair failed: {type(error).__name__}: {error}"
        raise BrokenJSONError(message, reply, at) from error


def _recursion_error(at: int) -> LimitError:
    return LimitError("nested too deeply", at, hint="for json_repair")
