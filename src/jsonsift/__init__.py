"""JSON out of what a language model wrote."""

from ._errors import (
    BrokenJSONError,
    JSONSiftError,
    LimitError,
    NoJSONError,
    SchemaError,
)
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
from .clean import clean_text, decode

__version__ = "0.1.0"

__all__ = [
    "BrokenJSONError",
    "CandidateKind",
    "Coercion",
    "Edit",
    "EditKind",
    "Extraction",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "Problem",
    "Repair",
    "Risk",
    "Rule",
    "SchemaError",
    "Span",
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
