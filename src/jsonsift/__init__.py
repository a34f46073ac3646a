"""JSON out of what a language model wrote."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ._errors import (
    BrokenJSONError,
    JSONSiftError,
    LimitError,
    NoJSONError,
    SchemaError,
)
from ._observe import Observation, Record, observe
from ._types import (
    CandidateKind,
    Coercion,
    Edit,
    EditKind,
    Extraction,
    Problem,
    Repair,
    Risk,
    Rule,
    Span,
    StageTime,
)
from .api import (
    extract,
    extract_all,
    extract_json,
    from_file,
    load,
    loads,
    repair_json,
)

if TYPE_CHECKING:
    from .batch import Row, extract_many
    from .clean import clean_text, decode
    from .stream import Event, Stream

__version__ = "0.1.0"

__all__ = [
    "BrokenJSONError",
    "CandidateKind",
    "Coercion",
    "Edit",
    "EditKind",
    "Event",
    "Extraction",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "Observation",
    "Problem",
    "Record",
    "Repair",
    "Risk",
    "Row",
    "Rule",
    "SchemaError",
    "Span",
    "StageTime",
    "Stream",
    "clean_text",
    "decode",
    "extract",
    "extract_all",
    "extract_json",
    "extract_many",
    "from_file",
    "load",
    "loads",
    "observe",
    "repair_json",
]

# What not every program needs is imported when it is first asked for.
_LATER: Final = {
    "Event": "stream",
    "Row": "batch",
    "Stream": "stream",
    "clean_text": "clean",
    "decode": "clean",
    "extract_many": "batch",
}

if not TYPE_CHECKING:  # a type checker would take any name for one of ours

    def __getattr__(name: str) -> Any:
        """A name of ``_LATER``, which is kept."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """What is there, and what will be when it is asked for."""
        return sorted({*globals(), *_LATER})
