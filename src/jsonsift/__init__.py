"""JSON out of what a language model wrote."""

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
    Edit,
    EditKind,
    Extraction,
    Repair,
    Risk,
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
from .batch import Row, extract_many
from .clean import clean_text, decode

__version__ = "0.1.0"

__all__ = [
    "BrokenJSONError",
    "CandidateKind",
    "Edit",
    "EditKind",
    "Extraction",
    "JSONSiftError",
    "LimitError",
    "NoJSONError",
    "Observation",
    "Record",
    "Repair",
    "Risk",
    "Row",
    "SchemaError",
    "Span",
    "StageTime",
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
