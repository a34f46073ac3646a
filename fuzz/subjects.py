"""What is attacked: our public calls, in both builds, or any function that is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import jsonsift

__all__ = [
    "CHUNKS",
    "Subject",
    "find_errors",
    "find_length",
    "find_ordinary",
    "find_parser",
    "find_subjects",
    "find_targets",
    "load_target",
]

Subject = Callable[[str], Any]

CHUNKS: Final = (1, 7, 1_000)
_STREAMS: Final = {
    f"Stream by {size:,}": f"fuzz.subjects:feed_by_{size}" for size in CHUNKS
}
_CALLS: Final = ("extract_json", "extract_all", "loads", "repair_json", "clean_text")


def find_targets() -> dict[str, str]:
    """Our public calls of a text, as ``module:function`` by the name to show."""
    targets = {name: f"jsonsift:{name}" for name in _CALLS}
    targets["decode"] = "fuzz.subjects:decode_bytes"
    return targets | _STREAMS


def find_subjects() -> dict[str, Subject]:
    """The functions themselves."""
    return {name: load_target(target) for name, target in find_targets().items()}


def find_errors(target: str) -> tuple[type[Exception], ...]:
    """The exceptions that are an outcome of the target.

    Of our own calls those that are documented; of anybody's any, as nobody knows
    which they are.
    """
    ours = target in find_targets().values()
    return (jsonsift.JSONSiftError,) if ours else (Exception,)


def find_length(target: str) -> Callable[[str], int]:
    """How long the target finds a text: in characters, or in bytes where it gets those.

    A character that is no ASCII is three bytes to ``decode``, each to be read.
    """
    return count_bytes if target == find_targets()["decode"] else len


def find_ordinary(target: str) -> Subject:
    """What reads all of an ordinary text as the target would.

    A stream ends at the first value; what comes behind that costs it nothing.
    """
    subject = load_target(target)
    is_stream = target in _STREAMS.values()
    return partial(_feed_and_read, subject) if is_stream else subject


def find_parser(target: str) -> Callable[[str], Any] | None:
    """What makes of the target's text the value that it had to build; None for others.

    ``repair_json`` writes a value as ``json.dumps`` does, spaces, escapes, doubled keys
    and all: there is no text before there is that value.  Our own parse makes the same
    objects of it; json.loads shares strings of one character.
    """
    return jsonsift.loads if target == find_targets()["repair_json"] else None


def count_bytes(text: str) -> int:
    """The length of the text as UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def decode_bytes(text: str) -> Any:
    """The same characters as bytes; lone surrogates make them no UTF-8."""
    return jsonsift.decode(text.encode("utf-8", "surrogatepass"))


def _feed_by(size: int, text: str) -> Any:
    """A stream that gets the text in chunks of ``size`` characters."""
    stream = jsonsift.Stream()
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    return stream.close()


def _feed_and_read(feed: Subject, text: str) -> None:
    feed(text)
    jsonsift.extract_all(text)


feed_by_1, feed_by_7, feed_by_1000 = (partial(_feed_by, size) for size in CHUNKS)


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
