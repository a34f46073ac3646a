"""Broken JSON mended as a whole: what stands outside its strings, without a walk.

The plain build takes a microsecond to look at a token, and ``str.split`` a nanosecond
for a character.  So its short way tries this first: the text is split at its quotes,
what stands between the strings (its outline) is mended by a few substitutions, and
both are put together again.  What comes of it counts only if it is strict JSON.

Rules of this file: it mends what models write most, and to nothing but the value that
the rewriter would find.  That is certain as long as structure stands behind every
string: there it ends by the rules of ``_quotes`` too, whatever it holds, and strict
JSON has nothing else behind a string.  Where a quote might be read otherwise nothing
is mended, and the rewriter reads the text.
"""

from __future__ import annotations

from typing import Any, Final

from orjson import JSONDecodeError, loads

from . import _leaves as leaf
from ._bytes import encode_text, is_for_json_loads, match_brackets
from ._later import compile_later
from ._parsed import FAILED, MAX_DEPTH

__all__ = ["read_outline"]

MOST_PASSES: Final = 8  # over all of a text, each for the kinds of fault it meets first
MOST_ALONE: Final = 4  # faults that are mended one by one
FAR: Final = 512  # characters from one fault to another, if few are expected
# What the first fault of a text is by what stands there.
COMMA: Final = ","  # before a closer, maybe
NO_COMMA: Final = "n"  # a key, string or opener, maybe behind a value
INNER: Final = "i"  # a word right behind a quote
CUT: Final = "c"
OTHER: Final = "o"
BLOCK: Final = 65_536  # bytes that are in parts at once, which take a lot of memory
MOST_LEVELS: Final = 128  # of what is whole, in a text that is cut
# Stand for other characters while the text is in parts; no JSON holds them.
_NEW_QUOTE: Final = b"\x01"
_BACKSLASHES: Final = b"\x02"
_ESCAPED_QUOTE: Final = b"\x03"
_GAP: Final = leaf.BLANKS.pattern.encode()
_NAME: Final = compile_later(
    rb"([A-Za-z_](?<![A-Za-z0-9_$\-][A-Za-z_])[A-Za-z0-9_$\-]*+)(?=%b:)" % _GAP
)
_REMARK: Final = compile_later(rb"//(?<!://)[^\n]*+")
_LAST_COMMA: Final = compile_later(rb",(?=%b[}\]])" % _GAP)
# The end of a line behind a value, before a key; between rows; or between strings.
_NO_COMMA: Final = compile_later(
    rb"\n(?:(?<=[\"'0-9el\]}]\n)(?=%b[\"']%b:)"
    rb"|(?<=[\]}]\n)(?=%b[{\[])|(?<=\"\n)(?=%b\"))" % (_GAP, _GAP, _GAP, _GAP)
)
# A comma that no gap goes beyond which is mended: at the end of a line; or behind
# strings that begin and end at their quotes, and no remarks.
_TO_NEXT: Final = rb"[ \t\r\n]*+[\"'A-Za-z0-9_{\[-]"
_LINE_COMMA: Final = compile_later(rb",(?=\n%b)" % _TO_NEXT)
_TOKENS_COMMA: Final = compile_later(
    rb"(?:(?:[^\"',/]++|/(?!/)|\"[^\"]*+\"|'[^'\"\n]*+'|,(?!%b))*+,(?=%b))++"
    % (_TO_NEXT, _TO_NEXT)
)
_LITERALS: Final = ((b"True", b"true"), (b"False", b"false"), (b"None", b"null"))
# Words in quotes between words; and the same in a key, which is read otherwise.
_INNER: Final = compile_later(
    r'"(?<=[^\s,:{}\[\]"\\] ")(\w(?:[^"\\\n]*+(?<=\w))?+)"(?= ?\w)'
)
_INNER_IN_KEY: Final = compile_later(rf'\\"[^"\\\n]*+"{leaf.BLANKS.pattern}:')
# What shows that an apostrophe is none, or is one that is escaped.
_ODD_INSIDE: Final = compile_later(rb'["\\\n\x02\x03]')
# What a string holds that the text ends in: no tag, closer or half escape.
_CUT_STRING: Final = compile_later(
    rb"(?:[^<`}\])\n\\\xe2]|\xe2(?!\x80\x9d)|\\[\\/bfnrt])*+"
)
_CLOSERS: Final = bytes.maketrans(b"{[", b"}]")


def read_outline(text: str) -> Any:
    """The value of a text that is one object or array and must be mended; FAILED where
    that is not certain at a glance.
    """
    body = encode_text(text)
    if body is None or _NEW_QUOTE in body or _BACKSLASHES in body:
        return FAILED
    if _ESCAPED_QUOTE in body:
        return FAILED
    faults = ""
    at = alone = 0
    for _ in range(MOST_PASSES):
        try:
            value = loads(body)
        except JSONDecodeError as error:
            fault = _name_fault(error.doc, error.pos)
            is_alone = alone < MOST_ALONE and _is_far(error.doc, at, error.pos)
            mended = _mend_from(body, error, fault, faults, is_alone)
            if mended is None or mended == body:
                return FAILED
            body = mended
            faults += fault
            at = error.pos
            alone += is_alone
            continue
        if b'"' not in body or is_for_json_loads(body, value, MAX_DEPTH):
            return FAILED
        return value
    return FAILED


def _name_fault(text: str, at: int) -> str:
    """What stands at ``at``, before which all is well formed."""
    if at == 0:
        return OTHER
    if at >= len(text):
        return CUT
    if text[at] in '"{[':
        return NO_COMMA
    if text[at] == ",":
        return COMMA
    return INNER if text[at - 1] == '"' and text[at].isalnum() else OTHER


def _is_far(text: str, last: int, at: int) -> bool:
    """Whether a fault is so far from the last one that few are to be expected."""
    return at - last > max(FAR, len(text) // 8)


def _mend_from(
    body: bytes, error: JSONDecodeError, fault: str, before: str, is_alone: bool
) -> bytes | None:
    """The text without the faults that are like its first one, and others that show
    at a glance; ``before`` are those that were mended before.  If it ``is_alone`` no
    others are looked for but those near it.
    """
    if fault == CUT:
        return _close_all(body)
    text, at = error.doc, error.pos
    line = max(text.rfind("\n", 0, at), 0)  # no string that is whole holds it
    if fault == INNER:
        if before.strip(COMMA) or not _ends_plainly(text):
            return None
        end = text.find("\n", at) if is_alone else -1
        return _escape_inner(text, line, end if end >= 0 else len(text))
    if fault == NO_COMMA:
        if before.strip(COMMA + NO_COMMA) or not _ends_plainly(text):
            return None
    start = max(text.rfind("\n", 0, line), 0)
    if not text.isascii():
        start, at = len(text[:start].encode()), len(text[:at].encode())
    found = _LINE_COMMA.search(body, at + 1, at + BLOCK) if is_alone else None
    end = len(body) if found is None else found.end()
    mended = _mend_text(body[start:end], fault, found is None)
    return None if mended is None else body[:start] + mended + body[end:]


def _ends_plainly(text: str) -> bool:
    """Whether strings end at nothing but straight quotes that are not escaped."""
    return "\N{RIGHT DOUBLE QUOTATION MARK}" not in text and ":\\" not in text


# ------------------------------------------------- outlines, with less and less in them


def _mend_text(body: bytes, fault: str, is_last: bool) -> bytes | None:
    """A text that begins outside of strings, mended block by block."""
    is_escaped = b"\\" in body and b'\\"' in body
    if is_escaped:
        body = body.replace(b"\\\\", _BACKSLASHES).replace(b'\\"', _ESCAPED_QUOTE)
    blocks: list[bytes] = []
    start = 0
    while start < len(body):
        end = _block_end(body, start)
        block = _mend_block(body[start:end], fault, is_last and end == len(body))
        if block is None:
            return None
        blocks.append(block)
        start = end
    body = b"".join(blocks)
    if is_escaped:
        body = body.replace(_ESCAPED_QUOTE, b'\\"').replace(_BACKSLASHES, b"\\\\")
    return body


def _block_end(body: bytes, start: int) -> int:
    """Where the parts may end that begin at ``start``, outside of strings again."""
    if len(body) - start <= 2 * BLOCK:
        return len(body)
    found = _LINE_COMMA.search(body, start + BLOCK, start + 2 * BLOCK)
    found = found or _TOKENS_COMMA.match(body, start, start + BLOCK)
    return len(body) if found is None else found.end()


def _mend_block(body: bytes, fault: str, is_last: bool) -> bytes | None:
    """A text without escaped quotes that begins outside of strings, mended."""
    parts = body.split(b'"')
    outline = b'"'.join(parts[::2])
    if b"/" in outline:
        last_line = outline.rstrip().rfind(b"\n") + 1
        if is_last and _REMARK.search(outline, last_line) is not None:
            return None  # it may stand behind the value
        outline = _REMARK.sub(b"", outline)
    mended = _mend_marked(outline, fault)
    if mended is None or mended.count(b'"') != (len(parts) - 1) // 2:
        return None  # there was a quote in a remark
    return _put_back(parts, mended, b'"', b'"').replace(_NEW_QUOTE, b'"')


def _mend_marked(outline: bytes, fault: str) -> bytes | None:
    """An outline in which strings may stand in apostrophes."""
    if b"'" not in outline:
        return _mend_named(outline, fault)
    parts = outline.split(b"'")
    if len(parts) % 2 == 0 or _ODD_INSIDE.search(b"".join(parts[1::2])) is not None:
        return None
    mended = _mend_named(b"'".join(parts[::2]), fault)
    return _put_back(parts, mended, b"'", _NEW_QUOTE if fault == OTHER else b"'")


def _mend_named(outline: bytes, fault: str) -> bytes:
    """An outline in which there may be keys without quotes."""
    if fault != OTHER:
        return _mend_structure(outline, fault)
    parts = _NAME.split(outline)
    mended = _mend_structure(_NEW_QUOTE.join(parts[::2]), fault)
    return _put_back(parts, mended, _NEW_QUOTE, _NEW_QUOTE)


def _mend_structure(outline: bytes, fault: str) -> bytes:
    """An outline in which one mark stands for each string."""
    if fault == NO_COMMA:
        return _NO_COMMA.sub(b",\n", outline)
    if fault == OTHER:
        for literal, plain in _LITERALS:
            if literal[:1] in outline:
                outline = outline.replace(literal, plain)
    return _LAST_COMMA.sub(b"", outline)


def _put_back(parts: list[bytes], outline: bytes, mark: bytes, quote: bytes) -> bytes:
    """The text of which every second part, in quotes, stands in place of a mark."""
    parts[::2] = outline.split(mark)
    return quote.join(parts)


# ------------------------------------------------------------ inside of strings


def _escape_inner(text: str, start: int, end: int) -> bytes | None:
    """The text with words in quotes inside of strings escaped, between two places."""
    mended = '\\"'.join(_INNER.split(text[start:end]))
    if _INNER_IN_KEY.search(mended) is not None:
        return None
    return (text[:start] + mended + text[end:]).encode()


def _close_all(body: bytes) -> bytes | None:
    """The text with what is open at its end closed; all of it is well formed."""
    plain = body
    if b"\\" in body:
        plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    parts = plain.split(b'"')
    if len(parts) % 2 == 0:
        if _CUT_STRING.fullmatch(parts[-1]) is None:
            return None
        body += b'"'
    left = match_brackets(b"".join(parts[::2]), MOST_LEVELS)
    if b"}" in left or b"]" in left:
        return None
    return body + left[::-1].translate(_CLOSERS)
