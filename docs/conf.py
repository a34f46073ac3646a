"""How Sphinx builds these pages: sphinx-build -W docs FOLDER."""

from __future__ import annotations

from importlib.metadata import version as read_version
from importlib.util import find_spec
from typing import Any

project = "jsonsift"
author = "the jsonsift authors"
release = version = read_version("jsonsift")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = True
# Names in signatures that have no page: the standard library is not asked over the
# network, and what is private has none.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!jsonsift\.(?!_)).*"),
    (r"py:.*", r".*\._.*"),
    (r"py:.*", r"jsonsift\.api\..*"),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
# so large that not everyone who builds the pages has it
autodoc_mock_imports = [] if find_spec("ray") else ["ray"]
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes are told of in the docstring of their class

html_theme = "furo"
html_title = "jsonsift"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}


def skip_member(
    app: Any, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out the fields of named tuples, whose class tells of them."""
    text = getattr(member, "__doc__", None) or ""
    return True if text.startswith("Alias for field number") else None


def name_defaults(
    app: Any, what: str, name: str, obj: Any, options: Any, sign: str | None, to: str
) -> tuple[str | None, str]:
    """Show the number that is the default, and not its name in the source."""
    return sign and sign.replace("_MAX_DEPTH", "512"), to


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", name_defaults)
    app.connect("autodoc-skip-member", skip_member)
