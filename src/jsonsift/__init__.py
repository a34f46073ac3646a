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
