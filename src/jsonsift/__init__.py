"""JSON out of what a language model wrote."""

from ._errors import (
    BrokenJSONError,
    JSONSiftError,
    LimitError,
    NoJSONError,
    SchemaError,
)
from ._types import CandidateKind, Edit, EditKind, Extraction, Repair, Risk, Span
from .api import (
    extract,
    extract_all,
    extract_json,
    from_file,
    load,
    loads,
    repair_json,
)
from .clean import clean_text, decode
from .stream import Event, Stream

__version__ = "0.1.0"

__all__ = [
    "BrokenJSONError",
    "CandidateKind",
    "Edit",
    "EditKind",
    "Event",
    "Extraction",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "Repair",
    "Risk",
    "SchemaError",
    "Span",
    "Stream",
    "clean_text",
    "decode",
    "extract",
    "extract_all",
    "extract_json",
    "from_file",
    "load",
    "loads",
    "repair_json",
]
