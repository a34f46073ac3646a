"""How fast the cleaners are: python -m tests.bench.clean_bench

Each row is ``clean_text`` on about 1 MB, against a loop that looks at one character
after another and gives the same answer.  Both run in turn in this process, and the
least processor time of several turns counts; the ratio is what can be compared
between machines.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from jsonsift._chars import (
    BIDI_CONTROLS,
    JOINERS,
    LINE_BREAKS,
    NEVER_SHOWN,
    PLAIN_CONTROLS,
    WIDE_SPACES,
)
from jsonsift.clean import clean_text, decode

_SIZE: Final = 1_000_000
_TURNS: Final = 7

_SWAPS: Final = {
    **dict.fromkeys(PLAIN_CONTROLS + NEVER_SHOWN + BIDI_CONTROLS, ""),
    **dict.fromkeys(WIDE_SPACES, " "),
    **dict.fromkeys(LINE_BREAKS, "\n"),
}

_TEXTS: Final = {
    "ASCII, nothing to do": '{"name": "a plain reply", "items": [1, 2, 3]}\n',
    "ASCII, controls, sparse": '{"name": "a plain reply\x00", "items": [1, 2, 3]}\n',
    "ASCII, controls, dense": "\x07pl\x00ain\x0c re\x08ply\x7f ",
    "ASCII, colours": 'INFO \x1b[32mok\x1b[0m {"name": "a plain reply", "n": 1}\n',
    "Latin-1, nothing to do": "Café crème à la carte, naïve façade.\n",
    "Latin-1, dirty": "Café\xa0crème à la\xad carte\x85 naïve façade.\x93\n",
    "BMP, nothing to do": "It’s a “quoted” sentence — 日本語のテキスト.\n",
    "BMP, dirty": "\ufeffIt’s a\u200b “quote”\xa0sentence\u202f— 日本\u3000語\u200e.\n",
    "BMP, joiners": "می‌خواهم کتاب‌ها را \u200c بخوانم، بزرگ است.\n",
    "emoji, nothing to do": "Hello 😀 world, it’s fine.\n",
    "emoji, dirty": "Hello 😀\u200b world,\xa0it’s\u2028fine\u200f 👩‍💻.\n",
}


def _is_joinable(char: str) -> bool:
    return char.isalpha() or ord(char) >= 0x1F000


def _clean_slowly(text: str) -> str:
    """The loop: what ``clean_text`` does to the texts above, character by character."""
    kept: list[str] = []
    size = len(text)
    at = 0
    while at < size:
        char = text[at]
        if char == "\x1b":
            at += 2
            while text[at] in "0123456789;":
                at += 1
        elif char in JOINERS:
            if _is_joinable(text[at - 1]) and _is_joinable(text[at + 1]):
                kept.append(char)
        else:
            kept.append(_SWAPS.get(char, char))
        at += 1
    return "".join(kept)


def _measure(*runs: Callable[[], object]) -> list[float]:
    """The least time of each, the turns of all interleaved: noise hits all alike."""
    least = [float("inf")] * len(runs)
    for _ in range(_TURNS):
        for index, run in enumerate(runs):
            start = time.process_time()
            run()
            least[index] = min(least[index], time.process_time() - start)
    return least


def _compare() -> Iterator[str]:
    for name, unit in _TEXTS.items():
        text = unit * (_SIZE // len(unit.encode()))
        size = len(text.encode())
        if clean_text(text) != _clean_slowly(text):
            raise AssertionError(f"{name}: the two disagree")
        fast, slow = _measure(partial(clean_text, text), partial(_clean_slowly, text))
        yield f"{name:<26}{size / fast / 1e6:>9.0f} MB/s{slow / fast:>9.1f} x the loop"


def _grow() -> Iterator[str]:
    """Time at 4 MB over time at 1 MB; 4 is linear."""
    floods = {
        "ESC [": "\x1b[",
        "ESC ]": "\x1b]x",
        "ESC": "\x1b",
        "0x9B": "\x9b1",
        "ZWJ": "\u200d",
        "ZWJ between letters": "ه\u200d",
        "high surrogate": "\ud83d",
        "low surrogate": "\udc00",
        "tags": "\U0001f3f4\U000e0067",
        "mojibake marks": "ï»¿",
        "every odd character": "".join(_SWAPS),
    }
    for name, unit in floods.items():
        texts = [unit * (million * _SIZE // len(unit)) for million in (1, 4)]
        small, large = _measure(*(partial(clean_text, text) for text in texts))
        yield f"{name:<26}{large / small:>9.1f} x the time for 4 x the text"
    for name, junk in {
        "0xFF": b"\xff",
        "0xC3": b"\xc3a",
        "NUL 0xFF": b"\0\xff",
    }.items():
        blobs = [junk * (million * _SIZE // len(junk)) for million in (1, 4)]
        small, large = _measure(*(partial(decode, blob) for blob in blobs))
        yield f"decode {name:<19}{large / small:>9.1f} x the time for 4 x the text"


def main() -> None:
    """Print one line a text."""
    for line in _compare():
        print(line)
    for line in _grow():
        print(line)


if __name__ == "__main__":
    main()
