"""Texts made out of other texts: tokens that decide something, spliced into cases."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["TOKENS", "mutate_text", "shrink"]

# What decides something somewhere in a reader of JSON, fences, tags or comments.
TOKENS: Final[tuple[str, ...]] = (
    *"{}[]()\"'`\\:,;+-./*#<>=_$~| \n\t\r0179aefnrtuxN",
    '"a"', '"b": ', "'c': ", '": ', '", "', '"}', '"]', "]}", "}]", '{"', "[{", "{'",
    '\\"', "\\\\", "\\n", "\\u00", "\\ud83d", "true", "fals", "None", "NaN", "1e5",
    ".5", "0x1F", "1_000", "1,000", "-", "```", "```json\n", "\n```\n", "~~~", "````",
    "<think>", "</think>", "<thought ", "<tool_call>", "<|channel|>", "[TOOL_CALLS]",
    "//", "/*", "*/", "<!--", "-->", "...", "…", '"""', "'''", "&quot;", "&#34;",
    "ObjectId(", "f(", "text { ", "x{\n", "key", "word ", ": ", ", ", "{{", "}}",
    "\ud83d", "\x00", "\x1b[", "\x85", "\ufeff", "“", "”", "‘", "’", "«", "｛", "｝",
    "［", "：", "，", "＂", "\u00a0", "\u200b", "\u200d", "\u2028", "é", "漢", "😀",
)  # fmt: skip


def mutate_text(
    text: str, others: Sequence[str], dice: random.Random, most: int = 4_000
) -> str:
    """The text after one to six small changes."""
    for _ in range(dice.randint(1, 6)):
        text = _change(text, others, dice)[:most]
    return text


def _change(text: str, others: Sequence[str], dice: random.Random) -> str:
    start = dice.randint(0, len(text))
    end = min(len(text), start + dice.choice((1, 1, 2, 5, 20, 100)))
    kind = dice.randrange(7)
    if kind == 0:
        return text[:start] + text[end:]
    if kind == 1:
        return text[:start] + dice.choice(TOKENS) + text[start:]
    if kind == 2:
        return text[:start] + dice.choice(TOKENS) + text[end:]
    if kind == 3:
        return text[:start] + text[start:end] * dice.randint(2, 4) + text[end:]
    if kind == 4:
        other = dice.choice(others)
        cut = dice.randint(0, len(other))
        return (
            text[:start] + other[cut : cut + dice.choice((3, 20, 200))] + text[start:]
        )
    if kind == 5:
        return text[:start] if dice.random() < 0.5 else text[start:]
    moved = text[start:end]
    rest = text[:start] + text[end:]
    to = dice.randint(0, len(rest))
    return rest[:to] + moved + rest[to:]


def shrink(text: str, still_fails: Callable[[str], bool], tries: int = 400) -> str:
    """A shorter text that still fails: pieces are left out, large ones first.

    After A. Zeller, "Simplifying and isolating failure-inducing input", TSE 28, 2002.
    """
    size = len(text)
    while size:
        at = 0
        while at < len(text) and tries:
            shorter = text[:at] + text[at + size :]
            tries -= 1
            if still_fails(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text
