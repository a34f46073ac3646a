"""An Extraction made readable: as text, in colour, and as a page.

Nothing here reads replies; it shows what was found in them.
"""

from ._page import Entry, write_page
from ._pieces import Places, count, describe_coercion, describe_edit, show, summarize
from ._text import explain, make_rich

__all__ = [
    "Entry",
    "Places",
    "count",
    "describe_coercion",
    "describe_edit",
    "explain",
    "make_rich",
    "show",
    "summarize",
    "write_page",
]
