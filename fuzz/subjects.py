"""What is attacked: our public calls, in both builds, or any function that is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

import jsonsift

__all__ = ["CHUNKS", "Subject", "find_subjects", "load_target"]

Subject = Callable[[str], Any]

CHUNKS: Final = (1, 7, 1_000)


def find_subjects() -> dict[str, Subject]:
    """Our public calls of a text; a stream is fed in chunks of several sizes."""
    calls = (
        jsonsift.extract_json,
        jsonsift.extract_all,
        jsonsift.loads,
        jsonsift.repair_json,
        jsonsift.clean_text,
    )
    subjects: dict[str, Subject] = {call.__name__: call for call in calls}
    subjects["decode"] = decode_bytes
    if hasattr(jsonsift, "Stream"):
        for size in CHUNKS:
            subjects[f"Stream by {size}"] = feed_by(size)
    return subjects


def decode_bytes(text: str) -> Any:
    """The same characters as bytes; lone surrogates make them no UTF-8."""
    return jsonsift.decode(text.encode("utf-8", "surrogatepass"))


def feed_by(size: int) -> Subject:
    """A stream that gets the text in chunks of ``size`` characters."""

    def feed(text: str) -> Any:
        stream = vars(jsonsift)["Stream"]()
        for at in range(0, len(text), size):
            stream.feed(text[at : at + size])
        return stream.close()

    feed.__name__ = feed.__qualname__ = f"feed_by_{size}"
    return feed


def load_target(name: str) -> Subject:
    """The function that ``module:function`` names; attributes may be dotted.

    Raises:
        ValueError: there is no such module or function.
    """
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{name!r}: use module:function ({error})") from None
    if not callable(found):
        raise ValueError(f"{name!r} is no function")
    return found  # type: ignore[no-any-return]
