"""Public text cleaners, and bytes to text.

Rules of this file: whole-string operations only (codecs, ``in``, ``str.replace``,
``str.translate``, compiled patterns), never a loop over characters; every repeat in
a pattern is possessive and bounded, so all is linear.  Nothing here knows about JSON.
An odd character belongs to exactly one switch of ``clean_text``.
"""

from __future__ import annotations

import codecs
import json
import re
from functools import lru_cache
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final, NamedTuple

from ._chars import (
    BIDI_CONTROLS,
    BYTE_ORDER_MARK,
    ESCAPE_STARTERS,
    JOINERS,
    LINE_BREAKS,
    MOJIBAKE_MARKS,
    NEVER_SHOWN,
    PLAIN_CONTROLS,
    WIDE_SPACES,
)
from ._later import compile_later
from ._observe import OBSERVERS, report_call

if TYPE_CHECKING:
    import regex

__all__ = ["Decoded", "clean_text", "decode", "decode_with_report"]

Bytes = bytes | bytearray | memoryview


def clean_text(
    text: str | Bytes,
    *,
    bom: bool = True,
    zero_width: bool = True,
    bidi: bool = True,
    controls: bool = True,
    spaces: bool = True,
    ansi: bool = True,
    surrogates: bool = True,
) -> str:
    r"""Text without what a reader does not see; as it is, if there is nothing.

    ``bom``: a byte order mark at the start; ``zero_width``: but joiners stay where
    they join; ``bidi``: marks of the writing direction; ``controls``: C0 and C1, but
    not tab, LF and CR; ``spaces``: odd spaces and line ends, which become plain ones;
    ``ansi``: terminal sequences; ``surrogates``: halves become whole or U+FFFD.
    docs/cleaning.md lists every character.  Bytes are decoded first (``decode``).

    Raises:
        TypeError: ``text`` is neither str nor bytes, bytearray or memoryview.

    >>> clean_text("\ufeff\x1b[32mok\x1b[0m:\xa0na\xadive\u200b 👩\u200d💻")
    'ok: naive 👩\u200d💻'
    """
    clock = perf_counter_ns() if OBSERVERS else 0
    original = result = _take_text(text)
    if surrogates:
        result = _mend_surrogates(result)
    if ansi:
        result = _drop_escapes(result)
    if swaps := _list_swaps(zero_width, bidi, controls, spaces):
        result = _swap_characters(result, swaps)
    # Joiners late, because what stands beside them may just have gone; the byte
    # order mark last, because it may have stood behind any of these.
    if zero_width:
        result = _drop_stray_joiners(result)
    if bom:
        result = _drop_leading_mark(result)
    if result == original:
        result = original
    if clock:
        outcome = "unchanged" if result is original else "changed"
        report_call("clean_text", clock, len(text), outcome)
    return result


def _take_text(text: object) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, Bytes):
        return decode_with_report(text).text
    raise TypeError(
        "clean_text takes str, bytes, bytearray or memoryview, "
        f"not {type(text).__name__}"
    )


def decode(data: Bytes, *, encoding: str | None = None) -> str:
    r"""Bytes as text, whatever their encoding; no bytes make it fail.

    In this order: a byte order mark, UTF-8, UTF-16 and UTF-32 by their zero bytes,
    UTF-8 with halves of surrogate pairs (two make their character), the guess of
    charset-normalizer when that is installed, UTF-8 with U+FFFD for what cannot be
    read.  A character cut off at the very end is dropped, and so is a byte order
    mark at the start.

    Args:
        data: the bytes.
        encoding: a name that ``bytes.decode`` knows, to be used in place of all that.

    Raises:
        TypeError: ``data`` is not bytes, bytearray or memoryview.
        LookupError: no text encoding has that name, or it cannot skip faults.

    >>> decode(b'\xff\xfe{\x00}\x00')
    '{}'
    >>> decode("naïve".encode()[:3])
    'na'
    >>> decode(b"caf\xe9", encoding="cp1252")
    'café'
    """
    clock = perf_counter_ns() if OBSERVERS else 0
    text = decode_with_report(data, encoding=encoding)
    if clock:
        outcome = "repaired" if text.replaced else "valid"
        report_call("decode", clock, len(data), outcome)
    return text.text


class Decoded(NamedTuple):
    """A text, and how its bytes were read.

    Attributes:
        text: the text, without a byte order mark.
        encoding: the encoding's name, as ``codecs.lookup`` spells it; UTF-16 and
            UTF-32 always with their byte order.
        replaced: how many characters could not be read: each U+FFFD put in, and one
            for a character cut off at the end, which is dropped.
        guessed: False when the encoding was given, stated by a byte order mark, or
            is UTF-8 without a fault.
    """

    text: str
    encoding: str
    replaced: int
    guessed: bool


def decode_with_report(data: Bytes, *, encoding: str | None = None) -> Decoded:
    r"""Like ``decode``, and says how it went.

    Raises:
        TypeError, LookupError: as ``decode`` does.

    >>> decode_with_report(b"na\xc3\xafve \xe2\x82")
    Decoded(text='naïve ', encoding='utf-8', replaced=1, guessed=False)
    """
    if not isinstance(data, Bytes):
        raise TypeError(
            f"decode takes bytes, bytearray or memoryview, not {type(data).__name__}"
        )
    if not isinstance(encoding, str | None):
        raise TypeError(f"encoding is a str or None, not {type(encoding).__name__}")
    raw = bytes(data)
    if encoding is not None:
        return _decode_as(raw, _settle_order(raw, _find_codec(encoding)), guessed=False)
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _decode_as(raw[len(mark) :], name, guessed=False)
    try:
        text, used = codecs.utf_8_decode(raw, "strict", False)
    except UnicodeDecodeError as fault:
        guess = _find_wide(raw, is_utf8=False)
        if not guess:
            if halves := _decode_halves(raw):
                return halves
            guess = _guess_legacy(raw, fault.start)
        return _decode_as(raw, guess or "utf-8", guessed=True)
    wide = _find_wide(raw, is_utf8=True)
    if wide:
        return _decode_as(raw, wide, guessed=True)
    return Decoded(text, "utf-8", int(used < len(raw)), False)


# --- characters ---------------------------------------------------------------------


class _Swaps(NamedTuple):
    """What odd characters become, in the forms that the quick ways need."""

    table: dict[str, str]
    pattern: re.Pattern[str]
    pattern_with_tags: re.Pattern[str]
    in_ascii: str
    bytes_table: bytes
    bytes_dropped: bytes


@lru_cache(maxsize=16)
def _list_swaps(
    zero_width: bool, bidi: bool, controls: bool, spaces: bool
) -> _Swaps | None:
    table: dict[str, str] = {}
    if controls:
        table |= dict.fromkeys(PLAIN_CONTROLS, "")
    if spaces:
        table |= dict.fromkeys(WIDE_SPACES, " ") | dict.fromkeys(LINE_BREAKS, "\n")
    if zero_width:
        table |= dict.fromkeys(NEVER_SHOWN, "")
    if bidi:
        table |= dict.fromkeys(BIDI_CONTROLS, "")
    if not table:
        return None
    every = "".join(sorted(table))
    pattern = re.compile(f"[{every}]")
    latin = [chr(code) for code in range(256)]
    return _Swaps(
        table=table,
        pattern=pattern,
        pattern_with_tags=(
            re.compile(f"[{every}{_TAG_RANGE}]") if zero_width else pattern
        ),
        in_ascii="".join(odd for odd in table if odd.isascii()),
        bytes_table="".join(table.get(c) or c for c in latin).encode("latin-1"),
        bytes_dropped="".join(c for c in latin if table.get(c) == "").encode("latin-1"),
    )


def _swap_characters(text: str, swaps: _Swaps) -> str:
    if text.isascii() and not any(odd in text for odd in swaps.in_ascii):
        return text  # `in` is a memchr: thirty of them are quicker than any one pass
    try:
        raw = text.encode("latin-1")
    except UnicodeEncodeError:
        return _swap_wide(text, swaps)
    return raw.translate(swaps.bytes_table, swaps.bytes_dropped).decode("latin-1")


# From so many kinds on, one slow pass is cheaper than a fast one for each.
_MANY_KINDS: Final = 32


def _swap_wide(text: str, swaps: _Swaps) -> str:
    """Find the first odd character, replace it everywhere, and go on from there."""
    pattern = swaps.pattern_with_tags
    place = 0
    for _ in range(_MANY_KINDS):
        match = pattern.search(text, place)
        if match is None:
            return text
        place = match.start()
        odd = match[0]
        if odd in swaps.table:
            text = text.replace(odd, swaps.table[odd])
        else:
            text = _drop_tags(text)
            pattern = swaps.pattern
    text = text.translate({ord(odd): plain for odd, plain in swaps.table.items()})
    return text if pattern is swaps.pattern else _drop_tags(text)


# Tags spell the region of a flag behind a black flag, and end with their own mark;
# elsewhere they are text that only machines read.
_TAG_RANGE: Final = "\U000e0000-\U000e007f"
_TAGS: Final = compile_later(f"[{_TAG_RANGE}]++")
_FLAG: Final = compile_later("(\U0001f3f4[\U000e0030-\U000e007a]{3,6}+\U000e007f)")


def _drop_tags(text: str) -> str:
    """Tags go, but those of flags: a sub for each part is quicker than a group."""
    parts = _FLAG.split(text)
    parts[::2] = [_TAGS.sub("", between) for between in parts[::2]]
    return "".join(parts)


_LONE_HALF: Final = compile_later(r"[\ud800-\udfff]")


def _mend_surrogates(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode("utf-16-le")  # the quickest way to see that there are none
    except UnicodeEncodeError:
        return _join_halves(text)[0]
    return text


def _join_halves(text: str) -> tuple[str, int]:
    """Pairs as their characters, other halves as U+FFFD; and how many those are.

    JSON joins pairs, too, and asks no error handler for each half, as codecs do.
    """
    return _LONE_HALF.subn("\ufffd", json.loads(json.dumps(text)))


# --- terminal control sequences -----------------------------------------------------

# ESC and what belongs to it: CSI, also when the text ends inside it; OSC and its kin
# up to their end, which must stand in the same line; a charset choice; the few short
# ones that no text starts with.  Any other ESC goes alone, so that none is left
# which might start a sequence together with what stood behind it.
_ESCAPE: Final = compile_later(
    r"\x1b(?:\[[0-?]{0,256}+[ -/]{0,4}+(?:[@-~]|\Z)"
    r"|[\]PX^_][^\x00-\x1f\x9c]{0,4096}+(?:\x07|\x1b\\|\x9c)"
    r"|[()][0-9A-Z]"
    r"|[78=>c\\])?+"
)
_ESCAPE_8_BIT: Final = compile_later(r"\x9b(?:[0-?]{1,256}+[@-~])?+")


# The usual kind, complete: no other one begins or contains it.
_COLOUR: Final = compile_later(r"\x1b\[[0-9;]{0,64}+m")
_COLOURS_AT_ONCE: Final = 8
_DENSE: Final = 16  # in the first 4 KB


def _drop_escapes(text: str) -> str:
    escape, escape_8_bit = ESCAPE_STARTERS
    if escape in text:
        text = _drop_common_colours(text)
    if escape in text:
        text = _ESCAPE.sub("", text)
    if escape_8_bit in text:
        text = _ESCAPE_8_BIT.sub("", text)
    return text


def _drop_common_colours(text: str) -> str:
    """Where colours are dense, drop a few whole kinds: quicker than match by match."""
    place = text.find("\x1b")
    if text.count("\x1b", place, place + 4096) < _DENSE or "\x1b\x1b" in text:
        return text  # of two ESC the first and what comes next might become a sequence
    for _ in range(_COLOURS_AT_ONCE):
        match = _COLOUR.search(text, place) if "\x1b" in text else None
        if match is None:
            break
        place = match.start()
        size = len(text)
        text = text.replace(match[0], "")
        if (size - len(text)) * 256 < size:
            break  # a rare kind: match by match is quicker from here on
    return text


# --- joiners and byte order marks ---------------------------------------------------

_JOINABLE: Final = r"\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}"


def _compile_stray(
    joiner: str, before: str = "", behind: str = ""
) -> regex.Pattern[str]:
    """Joiners in a row that join nothing.

    One joins when letters, marks or emoji stand on both sides, or a digit on one (the
    suffix of a Persian number), with at most two other joiners between.  The pattern
    starts with the joiner itself, so that the search for it is a plain one, and then
    passes over the usual good cases.
    """
    import regex

    joinable, digit = f"[{_JOINABLE}]", r"\p{Nd}"
    either = rf"[{_JOINABLE}\p{{Nd}}]"
    left, right = f"[{JOINERS}]{{0,2}}{joiner}", f"[{JOINERS}]{{0,2}}"
    more = f"{joiner}*{behind}"
    return regex.compile(
        f"{joiner}(?:(?<={joinable}{joiner}){either}(*SKIP)(*FAIL)"
        f"|(?<={either}{joiner}){right}{joinable}(*SKIP)(*FAIL)"
        f"|{before}(?:(?<!{either}{left}){more}|(?=[{JOINERS}]{{3}})"
        f"|(?!{right}{either}){more}|(?<={digit}{left})(?!{right}{joinable}){more}))"
    )


# A joiner beside a letter that connects, or behind a virama, shows in that letter's
# shape even at the end of a word: Persian "ه‍.ش", Malayalam chillus.
_CONNECTED: Final = (
    r"(?<![\p{Joining_Type=Dual_Joining}\p{ccc=9}]\u200d)",
    r"(?![\p{Joining_Type=Dual_Joining}\p{Joining_Type=Right_Joining}])",
)


@lru_cache(maxsize=1)
def _compile_joiners() -> tuple[tuple[str, regex.Pattern[str]], ...]:
    """Each joiner and the pattern of its strays; compiled when first needed."""
    non_joiner, joiner, separator = JOINERS
    return (
        (non_joiner, _compile_stray(non_joiner)),
        (joiner, _compile_stray(joiner, *_CONNECTED)),
        (separator, _compile_stray(separator)),
    )


# Inside so many joiners none joins, and it is no matter how many of them there are.
_CROWD: Final = 6
_STRAYS_AT_ONCE: Final = 8


@lru_cache(maxsize=3)
def _compile_crowded(joiner: str) -> re.Pattern[str]:
    crowd = f"[{''.join(JOINERS)}]{{{_CROWD}}}"
    return re.compile(f"{joiner}(?<={crowd}{joiner}){joiner}*(?={crowd})")


def _drop_stray_joiners(text: str) -> str:
    if not any(joiner in text for joiner in JOINERS):
        return text
    for joiner, stray in _compile_joiners():
        if joiner in text:
            text = _compile_crowded(joiner).sub("", text)
            text = _drop_strays(text, joiner, stray)
    return text


def _drop_strays(text: str, joiner: str, stray: regex.Pattern[str]) -> str:
    """Where joiners are dense, drop a few whole kinds first.

    What becomes of a run of joiners depends on the characters beside it alone.
    """
    if text.count(joiner) * _DENSE < len(text):
        return stray.sub("", text)
    text = f" {text} "  # beside which joiners are as astray as at an end
    place = 0
    for _ in range(_STRAYS_AT_ONCE):
        match = stray.search(text, place)
        if match is None:
            return text[1:-1]
        place, end = match.span()
        start = place
        while text[start] in JOINERS:
            start -= 1
        while text[end] in JOINERS:
            end += 1
        kind = text[start : end + 1]
        for _ in range(2):  # two of them may share a character
            text = text.replace(kind, stray.sub("", kind))
    return stray.sub("", text)[1:-1]


_LEADING_MARK: Final = compile_later(
    "(?:" + "|".join((BYTE_ORDER_MARK, *MOJIBAKE_MARKS)) + ")++"
)


def _drop_leading_mark(text: str) -> str:
    mark = _LEADING_MARK.match(text)
    return text[mark.end() :] if mark else text


# --- bytes --------------------------------------------------------------------------

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _find_codec(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except ValueError:  # a null character or a surrogate in the name
        raise LookupError(f"unknown encoding: {encoding!r}") from None


def _settle_order(raw: bytes, encoding: str) -> str:
    """UTF-16 and UTF-32 with their byte order: the mark's, else the little end first.

    Their own incremental decoders refuse what has no mark.
    """
    if encoding not in ("utf-16", "utf-32"):
        return encoding
    big = codecs.BOM_UTF16_BE if encoding == "utf-16" else codecs.BOM_UTF32_BE
    return encoding + ("-be" if raw.startswith(big) else "-le")


def _decode_as(raw: bytes, encoding: str, *, guessed: bool) -> Decoded:
    replaced = 0
    try:
        text = raw.decode(encoding)
    except UnicodeError:
        try:
            text, cut = _decode_unfinished(raw, encoding, "replace")
            replaced = _count_replaced(raw, text, encoding) + cut
        except UnicodeError as error:  # idna, undefined
            raise LookupError(f"{encoding} cannot skip faults: {error}") from None
    return Decoded(text.removeprefix(BYTE_ORDER_MARK), encoding, replaced, guessed)


def _decode_halves(raw: bytes) -> Decoded | None:
    """UTF-8 whose only fault is that it holds halves of surrogate pairs, if it is that.

    Of two that make a pair comes its character, as CESU-8 has it.
    """
    try:
        text, used = codecs.utf_8_decode(raw, "surrogatepass", False)
    except UnicodeDecodeError:
        return None
    text, replaced = _join_halves(text)
    return Decoded(text, "utf-8", replaced + (used < len(raw)), True)


def _decode_unfinished(raw: bytes, encoding: str, errors: str) -> tuple[str, bool]:
    """The text, and whether the end of ``raw`` cuts a character in two."""
    build = codecs.lookup(encoding).incrementaldecoder
    if build is None:
        return raw.decode(encoding, errors), False
    decoder = build(errors)
    text = decoder.decode(raw)
    return text, bool(decoder.getstate()[0])


def _count_replaced(raw: bytes, text: str, encoding: str) -> int:
    """How many characters of the text stand for what could not be read."""
    if encoding == "utf-8":  # U+FFFD itself is told from those by its bytes
        return text.count("\ufffd") - raw.count("\ufffd".encode())
    kept, _ = _decode_unfinished(raw, encoding, "ignore")
    return len(text) - len(kept)


_PLANES: Final = b"\x00\x01\x02\x03\x0e"  # the planes of Unicode that hold characters
# High bytes of UTF-16 in the scripts before U+1000, which UTF-8 has as controls.
_HIGH_BYTES: Final = b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f"


def _find_wide(raw: bytes, *, is_utf8: bool) -> str | None:
    """UTF-16 or UTF-32, when the zero bytes stand where those have them."""
    if b"\0" not in raw or not raw.strip(b"\0"):
        return None
    if len(raw) >= 4:
        for name, high, plane in (("utf-32-le", 3, 2), ("utf-32-be", 0, 1)):
            if not raw[high::4].strip(b"\0"):
                if not raw[plane::4].translate(None, _PLANES):
                    return name
    even, odd = raw[::2], raw[1::2]
    zeros_even, zeros_odd = even.count(0), odd.count(0)
    if zeros_odd > zeros_even:
        name, high_bytes, zeros, others = "utf-16-le", odd, zeros_odd, zeros_even
    else:
        name, high_bytes, zeros, others = "utf-16-be", even, zeros_even, zeros_odd
    if others * 4 > zeros:
        return None
    if not is_utf8:
        return name if zeros * 32 >= len(high_bytes) else None
    # UTF-8 with a few stray NULs is likelier, unless nearly every pair has a control.
    # That, or half of the pairs from the first one on: a little ASCII before CJK.
    low = len(high_bytes) - len(high_bytes.translate(None, _HIGH_BYTES))
    if low * 4 >= len(high_bytes) * 3:
        return name
    begins = high_bytes[0] == 0 and zeros >= 2 and not others
    return name if begins and zeros * 2 >= len(high_bytes) else None


_SAMPLE: Final = 16_384  # bytes that charset-normalizer is shown, at most
_ASCII: Final = bytes(range(0x80))
_NOT_ASCII: Final = bytes(range(0x80, 0x100))

# What is met outside museums.  Asked for all that it knows, charset-normalizer calls
# Swedish hp-roman8 and a few broken bytes UTF-16.
_LATIN: Final = ("cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859_2")
_ONE_BYTE: Final = (
    *_LATIN,
    *("cp1251", "koi8_r", "koi8_u", "cp1253", "cp1255", "cp1256", "cp874"),
)
_MANY_BYTES: Final = ("gb18030", "big5", "cp932", "euc_jp", "cp949")
# So many bytes beyond ASCII are needed to know anything, and to tell those apart.
_FEW: Final = 4
_SOME: Final = 8
# In the pages of Latin letters cp1252 is by far the commonest, so a near miss wins.
_NEAR: Final = 0.1


def _guess_legacy(raw: bytes, fault: int) -> str | None:
    """The encoding that charset-normalizer finds likeliest, if it is there."""
    if _is_nearly_utf8(raw):
        return None
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    sample = _take_sample(raw, fault)
    count = len(sample) - len(sample.translate(None, _NOT_ASCII))
    western = "cp1252" if _WESTERN.fullmatch(sample) else None
    if count < _SOME and _UTF8_PIECE.search(sample):
        return None
    if count < _FEW or (western and count < _SOME):
        return western
    matches = from_bytes(
        sample,
        cp_isolation=[*_ONE_BYTE, *(_MANY_BYTES if count >= _SOME else ())],
        preemptive_behaviour=False,  # what the text says of itself proves nothing
        enable_fallback=False,
    )
    best = matches.best()
    if best is None:
        return western
    if best.encoding in _LATIN:
        for match in matches:
            near = match.chaos <= best.chaos + _NEAR
            if near and "cp1252" in match.could_be_from_charset:
                return "cp1252"
    return _find_codec(best.encoding)


_UTF8_PIECE: Final = compile_later(rb"[\xc2-\xf4][\x80-\xbf]")

# cp1252 whose few bytes beyond ASCII stand as a writer puts them: letters in words
# (capitals not behind small letters), words of one letter, quotation marks beside a
# word, dashes between spaces, a euro sign at a number.
_WESTERN: Final = compile_later(
    rb"""(?:[\x00-\x7f]++
      | (?<=[A-Za-z\xc0-\xfc]) [\xdf-\xef\xf1-\xf6\xf8-\xfc]
      | [\xdf-\xef\xf1-\xf6\xf8-\xfc] (?=[A-Za-z])
      | (?<![a-z\xdf-\xfc]) [\xc0-\xcf\xd1-\xd6\xd8-\xdc] (?=[A-Za-z])
      | (?<=[A-Z]) [\xc0-\xcf\xd1-\xd6\xd8-\xdc]
      | (?<![^\n\ ]) [\xc0\xc5\xc9\xe0\xe5\xe8\xe9\xf3\xf6] (?=\ )
      | [\x91\x93\xa1\xbf] (?=[A-Za-z])
      | (?<=[A-Za-z.,!?\x85]) [\x85\x92\x94]
      | (?<=\ ) [\x96\x97] (?=\ )
      | \x80 (?=\ ?[0-9]) | (?<=[0-9]) \x80 | (?<=[0-9]\ ) \x80
    )*+""",
    re.VERBOSE,
)


def _is_nearly_utf8(raw: bytes) -> bool:
    """Whether more characters beyond ASCII can be read as UTF-8 than cannot.

    In any other encoding, bytes that form such a character by chance are few.
    """
    text, _ = _decode_unfinished(raw, "utf-8", "replace")
    replaced = _count_replaced(raw, text, "utf-8")
    ascii_count = len(raw) - len(raw.translate(None, _ASCII))
    return len(text) - ascii_count - replaced > replaced


# ASCII that is no second byte in Shift JIS, GBK, GB18030 or Big5.
_SAFE_CUTS: Final = (b"\n", b" ", b'"', b"'", b",", b":")


def _take_sample(raw: bytes, fault: int) -> bytes:
    """Bytes around the first fault, cut between characters where that can be seen."""
    start = 0
    if fault > _SAMPLE // 2:
        start = max(_find_safe_cut(raw, fault - _SAMPLE // 2, fault), fault - 64)
    end = _find_safe_cut(raw, fault, start + _SAMPLE)
    return raw[start:end] if end > fault else raw[start : start + _SAMPLE]


def _find_safe_cut(raw: bytes, start: int, stop: int) -> int:
    """The place behind the last byte that is no part of a longer character."""
    return 1 + max(raw.rfind(mark, start, stop) for mark in _SAFE_CUTS)
