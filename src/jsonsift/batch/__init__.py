"""Many replies: lists, columns and files of them.

    _rows     one reply to one row, and a stream of rows from several processes
    _column   a column of replies to a RecordBatch
    _job      a file of replies to a file of rows, by parts that survive a kill

A row never fails: what went wrong with its reply stands in it.
"""

from ._column import ColumnMapper, extract_column
from ._job import (
    JobError,
    JobSummary,
    TargetExistsError,
    check_columns,
    check_target,
    extract_file,
    find_field,
)
from ._rows import Row, extract_many

__all__ = [
    "ColumnMapper",
    "JobError",
    "JobSummary",
    "Row",
    "TargetExistsError",
    "check_columns",
    "check_target",
    "extract_column",
    "extract_file",
    "extract_many",
    "find_field",
]
