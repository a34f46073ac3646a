"""Small pieces of what needs no thought, taken and shown in one go: one match a token.

That is what is well formed, and, as in ``_walks``, bare keys, apostrophes for quotes
and a comma before a closer.

To find the next token by the careful way, note it, and have the growing value read it
once more is a dozen calls, which in the pure build cost more than all the rest.  Here
one pattern says what stands next, or that nothing can show before more has come; and
what it says is noted and put into the value at once.

Rules of this file: those of ``_pieces``, and ``_live`` alone may call it.  This is for
the pure build; the compiled one has no use for it.  It starts only where all that was
settled is shown, commits only what the careful way would, shows it neither earlier nor
later, and leaves the rest to that way: a test compares all that is shown with and
without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import _leaves as leaf
from ._codes import (
    AFTER,
    ARRAY,
    DONE,
    E_BARE_KEY,
    E_COMMA,
    E_QUOTE_MARK,
    G_NOTHING,
    G_STRING,
    KEY,
    LONG_LOOK,
    MOST_TEXT,
    NOTHING,
    OBJECT,
    P_LACKING,
    P_TAKEN,
    P_UNSURE,
    Q_DOUBLE,
    Q_SINGLE,
    SCALAR,
    STRING,
    VALUE,
    W_QUOTE,
)
from ._grow import read_token
from ._later import compile_later

if TYPE_CHECKING:
    import re

    from ._grow import GrowingValue
    from ._live import LiveMender

__all__ = ["take_piece"]

_BLANK: Final = r"[ \t\r\n]*+"
_QUIET: Final = r'[^"\\\x00-\x1f\u201d\ud800-\udfff]*+'
_APOSTROPHES: Final = r"[^'\"\\\x00-\x1f\ud800-\udfff]*+"
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_$\-]*+"
_KEY: Final = rf'(?:"(?!"){_QUIET}"{_BLANK}:|{_NAME}:[^/])'
# What says that the quote before it ends a string: the next key, or closers and then
# a comma.
_ENDED: Final = rf"(?={_BLANK}(?:,{_BLANK}(?:{_KEY}|[}}\]])|((?:[}}\]]{_BLANK})++),))"
_CLOSERS: Final = rf"(?:[}}\]]{_BLANK})*+"
_HALF_ENDED: Final = (
    rf"{_BLANK}(?:{_CLOSERS}|,{_BLANK}"
    rf"(?:\"(?!\"){_QUIET}(?:\"{_BLANK})?+|{_NAME}:?+)?+)\Z"
)
_NUMBER: Final = leaf.NUMBER.pattern
_SCALAR: Final = (
    rf"{_NUMBER}(?=[ \t]*+(?:[}}\]]|,(?=[^0-9,])(?!{_BLANK},)))"
    r"|(?:true|false|null)(?=[ \t]*+[,}\]])"
)
_PLAIN: Final = r'[^"<\\\x00-\x1f\u201d\ud800-\udfff]*+'
# Groups of a member or item: where it begins, and its key; then a scalar, an opener, or
# a string, which the text breaks off, or which a quote ends, and closers behind that;
# or a quote that the text ends with.
_BEGIN: Final = 1
_FIELD: Final = 2
_TOKEN: Final = 3
_OPENER: Final = 4
_CONTENT: Final = 5
_BROKEN_OFF: Final = 6
_CLOSED: Final = 7
_LONE_QUOTE: Final = 8
_MEMBER: Final = (
    rf'"?+(?!")((?<="){_QUIET}(?=")|(?<!"){_NAME}(?=:(?!/)))"?+{_BLANK}:(?!=)[ \t\r]*+'
    rf"(?:({_SCALAR})|([{{\[])"
    rf'|"(?!"|\Z)({_PLAIN})(?:(\Z)|"{_ENDED})|"(\Z))'
)
_STRING_ITEM: Final = (
    rf"[\"'](?![\"'])((?<=\"){_QUIET}(?=\")|(?<='){_APOSTROPHES}(?='))[\"']"
    rf"(?={_BLANK}[,}}\]])"
)
# In no group: what shows nothing before more has come.
_WORD: Final = r"(?:[0-9\-][\w$.+\-]*+|[A-Za-z_][\w$\-]*+)?+"
_HALF: Final = r"[\"'](?![\"'])[^'\"\\\x00-\x1f\u201d\ud800-\udfff]"
_HALF_VALUE: Final = rf":(?!=){_BLANK}(?:{_NUMBER},\Z|{_WORD})"
_HALF_MEMBER: Final = (
    rf"(?:{_HALF}*+(?:\"{_BLANK}(?:{_HALF_VALUE})?+)?+|{_NAME}{_HALF_VALUE}|{_WORD})\Z"
)
_FIRST_MEMBER: Final = compile_later(rf"{_BLANK}(?:(){_MEMBER}|{_HALF_MEMBER})")
_NEXT_MEMBER: Final = compile_later(
    rf"{_BLANK}(?:(,){_BLANK}{_MEMBER}|\Z|,{_BLANK}{_HALF_MEMBER})"
)
_HALF_ITEM: Final = rf"(?:{_HALF}{{0,60}}+(?:[\"']{_BLANK})?+|{_WORD})\Z"
_FIRST_ITEM: Final = compile_later(
    rf"{_BLANK}(?:()()(?:({_NUMBER}|true|false|null)(?=[ \t]*+[,}}\]])"
    rf"|([{{\[])|{_STRING_ITEM})|{_HALF_ITEM})"
)
_NEXT_ITEM: Final = compile_later(
    rf"{_BLANK}(?:(,)(){_BLANK}(?:((?!-){_NUMBER})(?=[ \t]*+[,}}\]])"
    rf"|([{{\[])|{_STRING_ITEM})|\Z|,{_BLANK}{_HALF_ITEM})"
)
# Groups: what is left of the open string, closers, and that it has ended.
_STRING_END: Final = compile_later(rf'({_PLAIN})"(?:{_ENDED}()|{_HALF_ENDED})')
_ITEM_END: Final = compile_later(
    rf"()[\"'](?:(?={_BLANK}(?:,{_BLANK}(?:[{{\[}}\]]|[\"'][^\"'])"
    rf"|((?:[}}\]]{_BLANK})++),))()|{_BLANK}(?:,{_BLANK}[\"']?+|{_CLOSERS})\Z)"
)
_PLAIN_PIECE: Final = compile_later(_PLAIN)
_RUN: Final = " ,{}[])`"  # of what may stand behind a string, what a plain piece holds
_MARKS: Final = {Q_DOUBLE: '"', Q_SINGLE: "'"}
_NUMERIC: Final = frozenset("-0123456789")


def take_piece(mender: LiveMender, more: str) -> bool:
    """Add text, and take and show what needs no thought in it.

    True if that was all, or what is left shows nothing before more has come.
    """
    text = mender.text
    mender.text = ""  # nothing else holds it: it grows in place
    text += more
    mender.text = text
    if mender.final:
        return False
    before = mender.end
    mender.end = end = len(text)
    if end > MOST_TEXT:
        mender._check_length()
    if mender.in_plain:
        if _PLAIN_PIECE.fullmatch(more) is not None:
            return _go_on_plain(mender, more, before)
    elif mender.stopped or mender.frozen_at >= 0 or mender.parens > 0:
        return False
    if mender.shown_edits < mender.edit_count:
        return False
    ahead = end - mender.pos
    if ahead >= LONG_LOOK or ahead > mender.max_depth - mender.depth:
        return False
    while mender.place != DONE:
        if mender.place == STRING:
            known = _take_string_end(mender)
        elif mender.pos == end:
            return True
        elif mender.kinds[mender.depth] == OBJECT:
            known = _take_member(mender)
        elif mender.kinds[mender.depth] == ARRAY:
            known = _take_item(mender)
        else:
            return False
        if known != P_TAKEN:
            return known == P_LACKING
    return False


def _may_show(value: GrowingValue) -> bool:
    """Whether a token may show before the rest of the piece was looked at.

    Events would tell of it, though the rest may be a repair that makes it another.
    """
    return value.partial_strings and not value.record


# ---------------------------------------------------------------- in a string


def _go_on_plain(mender: LiveMender, piece: str, before: int) -> bool:
    """Take a piece that can only be more of the string, but for the run at its end."""
    stem = len(piece)
    if stem and piece[-1] in _RUN:
        run = piece[len(piece.rstrip(_RUN)) :]
        if "{" in run or "[" in run:
            return False
        stem -= len(run)
    mender.pos = mender.run_known = before + len(piece)
    if stem > 0:
        at = mender.shown
        mender.shown = mender.run_at = mender.run_stem = before + stem
        if at < before or stem < len(piece):
            piece = mender.text[at : before + stem]
        value = mender.value
        if value.in_object and value.partial_strings and not value.record:
            key = value.keys[-1]
            members = value.top
            whole = members[key]
            members[key] = None
            whole += piece
            members[key] = whole
        else:
            value.grow(piece)
    return True


def _take_string_end(mender: LiveMender) -> int:
    """The rest of the string of a member or item, and the quote that ends it."""
    value = mender.value
    if value.mode != G_STRING or not value.placed:
        return P_UNSURE
    if mender.is_key or mender.doubled:
        return P_UNSURE
    if mender.inner > 0 or mender.inner_quotes > 0:
        return P_UNSURE  # what is inside tells of quotes that need no more
    pos = mender.pos
    text = mender.text
    kind = mender.kinds[mender.depth]
    if kind == OBJECT and mender.quote == Q_DOUBLE:
        match = _STRING_END.match(text, pos, mender.end)
    elif kind == ARRAY and not mender.early and mender.quote in _MARKS:
        if not text.startswith(_MARKS[mender.quote], pos):
            return P_UNSURE
        match = _ITEM_END.match(text, pos, mender.end)
    else:
        return P_UNSURE
    if match is None:
        return P_UNSURE
    quote = match.end(1)
    if match.lastindex != 3:  # it is not known whether the quote does
        if not _end_something(mender, text[quote + 1 : mender.end]):
            return P_UNSURE  # or it is: closers that end nothing are text
        was_plain = mender.in_plain
        mender.in_plain = False
        if quote == pos:
            return P_LACKING
        if was_plain and _go_on_plain(mender, match[1], pos):
            return P_LACKING
        return P_UNSURE
    if not _may_show(value):
        return P_UNSURE
    rest = text[mender.shown : quote]
    if "\\" in rest or not _end_something(mender, match[2]):
        return P_UNSURE
    if mender.quote == Q_SINGLE:
        _mend_mark(mender, quote, quote + 1, E_QUOTE_MARK)
    mender.in_plain = False
    if rest:
        value.grow(rest)
    _end_string(mender, quote + 1)
    return P_TAKEN


def _mend_mark(mender: LiveMender, start: int, end: int, kind: int) -> None:
    """A quotation mark is written here, and shown."""
    mender._put_edit(start, end, W_QUOTE, kind)
    mender.shown_edits = mender.edit_count


def _end_something(mender: LiveMender, closers: str | None) -> bool:
    """Whether the closers behind a string may end something that is open."""
    if closers is None:
        return True
    if mender.arrays == 0 and "]" in closers:
        return False
    return mender.objects > 0 or "}" not in closers


def _end_string(mender: LiveMender, end: int) -> None:
    """A string that is no key has ended, and is shown."""
    value = mender.value
    value.mode = G_NOTHING
    mender.early = False
    mender.early_comma = -1
    mender.pos = mender.shown = end
    mender.lasts[mender.depth] = SCALAR
    mender.place = AFTER


# ------------------------------------------------------------ members and items


def _take_member(mender: LiveMender) -> int:
    """The next member, up to the end of a scalar or into a string or container."""
    if mender.value.mode != G_NOTHING:
        return _open_shown_string(mender)
    if mender.place == AFTER and mender.shown == mender.pos:
        match = _NEXT_MEMBER.match(mender.text, mender.pos, mender.end)
        if match is None:
            return _take_closer(mender, "}")
    elif mender.place == KEY and mender.shown == mender.pos and mender.member_at < 0:
        match = _FIRST_MEMBER.match(mender.text, mender.pos, mender.end)
    else:
        return P_UNSURE
    if match is None:
        return P_UNSURE
    if match.lastindex is None:
        return P_LACKING
    if not _may_show(mender.value):
        return P_UNSURE
    if match.lastindex > _CONTENT and not _may_be_string(mender, match):
        return P_UNSURE
    at = match.start(_FIELD)
    if mender.text[at - 1] != '"' and not mender.allowed[E_BARE_KEY]:
        return P_UNSURE
    if mender.place == AFTER:
        mender.comma_real = True
    mender.member_at = match.start(_BEGIN)
    mender.member_edits = mender.edit_count
    mender.value.keys[-1] = match[_FIELD]
    if mender.text[at - 1] == '"':
        mender.quoted_keys += 1
    else:
        mender.bare_keys += 1
        _mend_mark(mender, at, at, E_BARE_KEY)
        _mend_mark(mender, match.end(_FIELD), match.end(_FIELD), E_BARE_KEY)
    return _take_value(mender, match)


def _take_item(mender: LiveMender) -> int:
    """The next item, if it is a scalar or opens a container."""
    if mender.shown != mender.pos or mender.value.mode != G_NOTHING:
        return P_UNSURE
    is_first = mender.place == VALUE
    if is_first:
        if mender.lasts[mender.depth] != NOTHING or mender.member_at >= 0:
            return P_UNSURE
        match = _FIRST_ITEM.match(mender.text, mender.pos, mender.end)
    elif mender.place == AFTER:
        match = _NEXT_ITEM.match(mender.text, mender.pos, mender.end)
        if match is None:
            return _take_closer(mender, "]")
    else:
        return P_UNSURE
    if match is None:
        return P_UNSURE
    what = match.lastindex
    if what is None:
        return P_LACKING
    if not _may_show(mender.value):
        return P_UNSURE
    if what == _CONTENT and not _may_be_item(mender, match):
        return P_UNSURE
    if not is_first:
        if mender.lasts[mender.depth] == ARRAY and mender._around() == OBJECT:
            return P_UNSURE  # a row may have lost its opener
        if what >= _CONTENT and mender.late_comma == match.start(_BEGIN):
            return P_UNSURE  # the string was a key
        mender.comma_real = True
        mender.member_at = match.start(_BEGIN)
        mender.member_edits = mender.edit_count
    return _take_value(mender, match)


def _may_be_item(mender: LiveMender, match: re.Match[str]) -> bool:
    """Whether the string shows as a whole before it is known whether it has ended."""
    content = match[_CONTENT]
    if leaf.plain_stem(content) != len(content):
        return False
    double = mender.text[match.start(_CONTENT) - 1] == '"'
    return double or mender.allowed[E_QUOTE_MARK] > 0


def _may_be_string(mender: LiveMender, match: re.Match[str]) -> bool:
    """Whether the string may be broken off there, or ended by what is behind it."""
    if match.lastindex != _CLOSED and mender.keys_wait:
        return False
    if match.lastindex == _BROKEN_OFF:
        return leaf.plain_stem(match[_CONTENT]) >= 0
    if match.lastindex == _LONE_QUOTE:
        return True
    return _end_something(mender, match[_CLOSED])


def _take_value(mender: LiveMender, match: re.Match[str]) -> int:
    """A scalar, or what a container begins with: note it, and show it."""
    what = match.lastindex or 0
    value = mender.value
    if what == _LONE_QUOTE:
        return _show_lone_quote(mender)
    mender.number_at = -1
    mender.value_edits = mender.edit_count
    if what == _TOKEN:
        mender.value_at = at = match.start(_TOKEN)
        token = match[_TOKEN]
        if token[0] in _NUMERIC:
            mender.number_at = at
        value._put(read_token(token))
        mender.pos = mender.shown = match.end()
        mender.lasts[mender.depth] = SCALAR
        mender.place = AFTER
        return P_TAKEN
    if what == _OPENER:
        mender.value_at = mender.pos = match.start(_OPENER)
        bracket = match[_OPENER]
        if bracket == "{":
            mender._push_at_bracket(bracket, OBJECT, KEY)
        else:
            mender._push_at_bracket(bracket, ARRAY, VALUE)
        value._open(bracket == "{")
        mender.shown = mender.pos
        return P_TAKEN
    mender.value_at = mender.pos = at = match.start(_CONTENT) - 1
    is_double = mender.text[at] == '"'
    mender._begin_string(Q_DOUBLE if is_double else Q_SINGLE, False, False, 0)
    mender.shown_edits = mender.edit_count
    content = match[_CONTENT]
    if what == _BROKEN_OFF:
        _show_string(mender, content)
        mender.in_plain = True
        return P_LACKING
    if mender.kinds[mender.depth] == ARRAY:  # it is no key, for that it needs a colon
        _show_string(mender, content)
        mender.early = False
        mender.early_comma = -1
        return P_TAKEN
    value._put(content)
    _end_string(mender, match.end(_CONTENT) + 1)
    return P_TAKEN


def _show_string(mender: LiveMender, content: str) -> None:
    """A string that goes on shows up to its last run."""
    body = mender.body
    stem = leaf.plain_stem(content)
    value = mender.value
    value._put(content[:stem])
    value.mode = G_STRING
    value.placed = True
    mender._begin_run()
    mender.run_at = mender.run_stem = mender.shown = body + stem
    mender.run_known = mender.pos = body + len(content)


def _show_lone_quote(mender: LiveMender) -> int:
    """The text ends with a quote: a string begins, of which kind is not known yet."""
    value = mender.value
    value._put("")
    value.mode = G_STRING
    value.placed = True
    mender.place = VALUE
    mender.shown = mender.end
    mender.pos = mender.end - 1
    return P_LACKING


def _open_shown_string(mender: LiveMender) -> int:
    """The string whose opening quote was shown, as it stood alone, really is one."""
    pos = mender.pos
    text = mender.text
    value = mender.value
    if mender.place != VALUE or mender.shown != pos + 1 or text[pos] != '"':
        return P_UNSURE
    if value.mode != G_STRING or pos + 1 >= mender.end or text[pos + 1] == '"':
        return P_UNSURE
    mender._begin_value(pos)
    mender._begin_string(Q_DOUBLE, False, False, 0)
    mender._begin_run()
    body = mender.body
    content = text[body : mender.end]
    if _PLAIN_PIECE.fullmatch(content) is None:
        return P_TAKEN
    mender.in_plain = _go_on_plain(mender, content, body)
    return P_LACKING if mender.in_plain else P_UNSURE


def _take_closer(mender: LiveMender, closer: str) -> int:
    """The closer of the innermost container, or the comma before it."""
    pos = leaf.skip_blanks(mender.text, mender.pos, mender.end)
    if mender.text[pos] != closer:
        return _drop_comma(mender, pos)
    if not _may_show(mender.value):
        return P_UNSURE
    known = mender._take_end(pos, closer)
    if known == P_TAKEN:
        mender.value._close()
        mender.shown = mender.pos
    return known


def _drop_comma(mender: LiveMender, pos: int) -> int:
    """The comma at ``pos``, if it is one before a closer."""
    text = mender.text
    if text[pos] != "," or not (mender.allowed[E_COMMA] and _may_show(mender.value)):
        return P_UNSURE
    after = leaf.skip_blanks(text, pos + 1, mender.end)
    if after >= mender.end or text[after] not in "}]":
        return P_UNSURE
    mender.pos = pos
    mender._drop(1, E_COMMA)
    mender.shown = mender.pos
    mender.shown_edits = mender.edit_count
    return P_TAKEN
