# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""What stands without quotes: numbers, literals, calls around a value, bare words,
and code in a fence.

Rules of this file: digits are never lost.  What is no number or literal in some
language is text, up to where the structure goes on.
"""

from __future__ import annotations

from typing import Final

from ._codes import (
    E_BARE_VALUE,
    E_CUT,
    E_INNER_QUOTE,
    E_LITERAL,
    E_MISSING_QUOTE,
    E_NUMBER,
    E_QUOTE_MARK,
    E_STRAY_TEXT,
    E_WRAPPER,
    F_FENCE,
    F_LINE_END,
    NUL,
    OBJECT,
    Q_DOUBLE,
    Q_NONE,
    SCALAR,
    VALUE,
    WRAP,
)
from ._later import compile_later
from ._scan import (
    LITERALS,
    NeedMore,
    is_blank,
    is_structure,
    quote_length,
    skip_digits,
    skip_plain,
    starts_number,
)
from ._strings import StringReader

# json.loads reads these as floats, so they stay as they are.
FLOAT_WORDS: Final = ("NaN", "Infinity", "-Infinity")

# group 1 sign, 2 whole digits, 3 point, 4 fraction, 5 and 6 exponent
_LOOSE_NUMBER: Final = compile_later(
    r"([+-]?+)([0-9][0-9_]*+)?+(?:(\.)([0-9][0-9_]*+)?+)?+"
    r"(?:[eE]([+-]?+)([0-9]*+))?+[nL]?+"
)
_OTHER_BASE: Final = compile_later(
    r"([+-]?+)0(?:[xX][0-9a-fA-F_]++|[oO][0-7_]++|[bB][01_]++)[nL]?+"
)
# What a fence says of its text: the name of a language, and perhaps of a file.
_LABEL: Final = compile_later(
    r"[ \t]*+(?:[A-Za-z.][\w+#./\-]*+(?:[ \t]++[\w/\-]++(?:\.[\w/\-]++)++)?+)?+"
    r"[ \t\r]*+"
)
PREFIXES: Final = ("r", "b", "f", "u", "rb", "br", "fr", "rf")  # of a string
_TYPE_ENDS: Final = ("8", "16", "32", "64", "_")  # bits, or unlike the built-in str
_LONGEST_HEAD: Final = 64  # characters in the parentheses of a function
_MOST_DIGITS: Final = 4000  # an int of more digits than Python converts is no number


def normalize_number(token: str) -> str:
    """The JSON form of a number in another language's form, or ``""``.

    Leading zeros are no number: ``02134`` is a postcode, and its zero counts.
    """
    match = _OTHER_BASE.fullmatch(token)
    if match is not None:
        digits = token.rstrip("nL").replace("_", "")
        if len(digits) > _MOST_DIGITS or len(digits.lstrip("+-")) < 3:
            return ""
        try:
            return f"{int(digits, 0)}"
        except ValueError:  # more decimal digits than Python writes
            return ""
    match = _LOOSE_NUMBER.fullmatch(token)
    if match is None or (match[2] is None and match[4] is None):
        return ""
    sign, whole, dot, fraction, exp_sign, exponent = match.groups()
    whole = (whole or "0").replace("_", "")
    if len(whole) > 1 and whole[0] == "0":
        return ""
    fraction = (fraction or "").replace("_", "")
    number = ("-" if sign == "-" else "") + whole
    if dot:
        number += "." + (fraction or "0")
    if exponent:
        number += f"e{exp_sign}{exponent}"
    return number


class WordReader(StringReader):
    """Reads what stands without quotes: numbers, literals, calls, bare strings."""

    # ----------------------------------------------------------------- numbers

    def _read_number(self) -> None:
        """A number, in JSON's form or another's; else it is the start of a word."""
        pos = self.pos
        end = self._number_end(pos)
        if end > pos and self._ends_number(end):
            self.number_at = pos
            self.pos = end
            self._value_done(SCALAR)
            return
        end = self._token_end(pos)
        if self._at(end) == ":":  # 07:30, 1:50
            self._read_bare_value()
            return
        token = self.text[pos:end]
        if (token == "-" or token == "+") and self._peek(end) >= self.end:
            self._drop(end - pos, E_CUT)  # and what follows is the end, or a tag
            return
        if not self._is_phrase(end) and (end < self.end or not self._cut_number(token)):
            new = self._number_text(token)
            if new:
                self._edit(pos, end, new, E_NUMBER)
                self.pos = end
                self._value_done(SCALAR)
            else:
                self._read_bare_value()
        elif self.place == VALUE:
            self._read_bare_value()

    def _ends_number(self, end: int) -> bool:
        """Whether what follows lets a number end here: structure, not its unit."""
        following = self._at(end)
        ends = is_structure(following) or is_blank(following) or following == ";"
        if following != NUL and following in "#/<\\":
            ends = self._skip_odd(end) > end
        return ends and following != ":" and not self._is_phrase(end)

    def _number_text(self, token: str) -> str:
        if token in FLOAT_WORDS:
            return token
        if token[0] in "+-" and token[1:].lower() in ("nan", "inf", "infinity"):
            return "Infinity" if token == "+Infinity" else "null"
        return normalize_number(token)

    def _cut_number(self, token: str) -> bool:
        """A number that the end of the text broke off keeps its whole part."""
        stem = token.rstrip("+-")
        if stem == token and not token.endswith((".", "e", "E")):
            return False
        new = normalize_number(stem.rstrip("eE").rstrip("."))
        if not new:
            return False
        self._edit(self.pos, self.end, new, E_CUT)
        self.pos = self.end
        self.complete = self.complete and self.depth == 0
        self._value_done(SCALAR)
        return True

    def _join_thousands(self) -> bool:
        """``1,234,567`` where a key is due after the comma can only be one number."""
        first = self.number_at
        pos = self.pos
        if first < 0 or self.text[pos] != ",":
            return False
        whole = first + 1 if self.text[first] == "-" else first
        if pos - whole > 3 or self.text[whole] == "0":
            return False
        if skip_digits(self.text, whole, self.end) != pos:
            return False
        end = pos
        while self._at(end) == "," and self._is_group(end + 1):
            end += 4
        if end == pos:
            return False
        if self._at(end) == "." and "0" <= self._at(end + 1) <= "9":
            end = self._digits_end(end + 1)
        if not (self._ends_number(end) or self._is_quoted_key(end)):
            return False
        if self._at(self._peek(end)) == ":":
            return False
        while self.pos < end:
            if self.text[self.pos] == ",":
                self._drop(1, E_NUMBER)
            else:
                self.pos += 1
        self.number_at = -1
        return True

    def _quote_grouped(self) -> bool:
        """``1.000,50`` and ``1,234 USD`` where a key is due after the comma are text:
        no digit is lost.
        """
        first = self.number_at
        pos = self.pos
        if first < 0 or self.text[pos] != "," or not "0" <= self._at(pos + 1) <= "9":
            return False
        if self._is_key(pos + 1) or not self._reaches_number(first, pos):
            return False
        end = pos
        while self._at(end) == "," and "0" <= self._at(end + 1) <= "9":
            end = self._digits_end(end + 1)
        following = self._at(self._peek(end))
        if following == ":" or following == "]" or following == NUL:
            return False  # a key, the items of a list, or the rest is missing
        self._take_bare(first, self.value_edits)
        self.number_at = -1
        return True

    def _reaches_number(self, first: int, pos: int) -> bool:
        """Whether nothing but spaces stands between the number at ``first`` and
        ``pos``.
        """
        end = self._number_end(first)
        while end < pos and self.text[end] == " ":
            end += 1
        return end == pos

    def _digits_end(self, pos: int) -> int:
        """The end of the digits at ``pos``."""
        end = skip_digits(self.text, pos, self.end)
        self._at(end)  # raises while digits may still come
        return end

    def _is_group(self, pos: int) -> bool:
        """Whether a comma and exactly three digits end before and at ``pos``."""
        if self.text[pos - 1] != ",":
            return False  # a full-width one
        for offset in range(3):
            if not "0" <= self._at(pos + offset) <= "9":
                return False
        return not ("0" <= self._at(pos + 3) <= "9" or self._at(pos + 3) == ":")

    def _is_phrase(self, end: int) -> bool:
        """Whether words go on after the token: ``10 USD``, ``True North``."""
        ch = self._at(end)
        if ch == "\n" or ch == "\r":
            return False
        after = self._peek(end)
        if after >= self.end or self._has_line_end(end, after):
            return False
        ch = self._at(after)
        if is_structure(ch) or ch == "{" or ch == "[" or ch == ";":
            return False
        if ch == "." or self._open_quote(after) != Q_NONE:
            return ch == '"' and after == end and self._is_missing_opener(after)
        if self._is_key(after):
            return False
        if self.kinds[self.depth] != OBJECT:
            return not self._is_value(after)
        return True

    def _is_missing_opener(self, quote_at: int) -> bool:
        """Whether the quote right after a token closes it: ``abc",``."""
        after = self._peek(quote_at + 1)
        return is_structure(self._at(after)) and not self._is_key(quote_at)

    # -------------------------------------------------------- literals and calls

    def _read_word(self) -> None:
        """A literal, a call around a value, a prefixed string, or a bare value."""
        pos = self.pos
        end = self._word_end(pos)
        word = self.text[pos:end]
        following = self._at(end)
        if following in "(." or (word == "new" and following == " "):
            if self._read_call(end):
                return
        if following in "\"'\\&" and self._open_quote(end) != Q_NONE:
            body = end + quote_length(self._open_quote(end))
            if word in PREFIXES and not is_structure(self._at(self._peek(body))):
                self._drop(end - pos, E_LITERAL)
                return
        if (not word or word == "$") and self._is_marked(pos):
            self._drop(1, E_STRAY_TEXT)
            return
        literal = self._literal_of(word, end)
        if literal and not self._is_phrase(end):
            if literal != word:
                cut = end >= self.end and word.lower() not in LITERALS
                self._edit(pos, end, literal, E_CUT if cut else E_LITERAL)
            self.pos = end
            self._value_done(SCALAR)
            return
        self._read_bare_value()

    def _is_marked(self, pos: int) -> bool:
        """Whether one mark that means nothing stands before a whole string:
        ``$"x"``, ``@"x"``.
        """
        return pos + 1 < self.end and self._is_whole_string(pos + 1)

    def _is_whole_string(self, pos: int) -> bool:
        """Whether a string stands at ``pos``, and behind it structure."""
        if self._open_quote(pos) == Q_NONE:
            return False
        after = self._behind_string(pos)
        return after >= 0 and self._at(after) in ",}]"

    def _literal_of(self, word: str, end: int) -> str:
        """The JSON literal that a word stands for, or ``""``."""
        if word in FLOAT_WORDS:
            return word
        lowered = word.lower()
        if lowered in LITERALS:
            return LITERALS[lowered]
        if self.depth > 0 and lowered and self._peek(end) >= self.end:
            for name in ("true", "false", "null", "none", "undefined"):
                if name.startswith(lowered):
                    return LITERALS[name]
        return ""

    def _read_call(self, end: int) -> bool:
        """``ObjectId("…")``, ``callback({…})``: the call is nothing, its value all."""
        name = -1
        if self.text[end] == " ":
            end = self._word_end(self._peek(end))
        while self._at(end) == ".":
            name = end + 1
            end = self._word_end(name)
        if self._at(end) != "(" or end == name:
            return False
        inside = self._peek(end + 1)
        ch = self._at(inside)
        if name >= 0 and ch not in "{[(" and not self._is_type(name, end):
            return False
        if starts_number(ch):
            # one letter and a number, F(3), is how people write, not a call
            if end - self.pos < 2 or not self._is_argument(inside):
                return False
        elif ch == ")":
            return False
        elif ch != "{" and ch != "[" and ch != "(":
            quote = self._open_quote(inside) if inside < self.end else Q_NONE
            if quote == Q_NONE or self._is_expression(self._behind_string(inside)):
                return False
        self._push(WRAP, VALUE)
        self._drop(end + 1 - self.pos, E_WRAPPER)
        self.member_edits = self.edit_count
        return True

    def _is_type(self, pos: int, end: int) -> bool:
        """Whether the name behind a point is one of a type, not of what is called:
        ``uuid.UUID("…")``, ``np.float64(1.5)``, but not ``os.getenv("…")``.
        """
        return self.text[pos].isupper() or self.text[pos:end].endswith(_TYPE_ENDS)

    def _is_function(self, pos: int) -> bool:
        """Whether the parenthesis at ``pos`` begins a function: ``(x) => x + 1``."""
        at = pos + 1
        while at < pos + _LONGEST_HEAD and (
            self._at(at) in "_$,= ." or self._at(at).isalnum()
        ):
            at += 1
        if self._at(at) != ")":
            return False
        after = self._peek(at + 1)
        return self._at(after) == "=" and self._at(after + 1) == ">"

    def _is_expression(self, pos: int) -> bool:
        """Whether the parenthesis at ``pos`` closes a call that goes on behind it:
        ``new Date("…").getTime()``, ``len("…") + 1``.
        """
        if pos < 0 or self._at(pos) != ")":
            return False
        after = self._peek(pos + 1)
        if after > pos + 1 and self.kinds[self.depth] != OBJECT:
            return False  # the comma behind an item may be missing
        ch = self._at(after)
        if is_structure(ch) or ch == ";" or self._has_line_end(pos, after):
            return False
        return self._open_quote(after) == Q_NONE and not self._is_key(after)

    def _is_argument(self, pos: int) -> bool:
        """Whether the number at ``pos`` is all that a call holds, or leads to a string:
        ``BinData(0, "…")``.  A date's numbers are text.
        """
        after = self._peek(self._number_end(pos))
        ch = self._at(after)
        if ch == ",":
            after = self._peek(after + 1)
            return after < self.end and self._open_quote(after) != Q_NONE
        return ch == ")" and not self._is_expression(after)

    # ------------------------------------------------------------- bare strings

    def _read_bare_value(self) -> None:
        """Words without quotes: a string that ends where the structure goes on."""
        self._take_bare(self.pos, self.edit_count)

    def _take_bare(self, first: int, index: int) -> None:
        """A bare string from ``first`` on, whose opening quote is edit ``index``.

        What stands before ``self.pos`` was read as a number and needs no escape.
        """
        pos = self.pos
        end = self._bare_end(pos)
        if first == pos and end < self.end and self._at(end) in "{[":
            before = self._at(end - 1)
            glued = not is_blank(before) and before != ":"
            if glued or self.kinds[self.depth] == OBJECT:  # the name of what it is
                self._drop(end - pos, E_STRAY_TEXT)
                return
        closed = end < self.end and self.text[end] == '"' and self._is_bare_close(end)
        last = end
        while not closed and last > pos and is_blank(self.text[last - 1]):
            last -= 1
        if last == pos and not closed:
            self._drop_stray()
            return
        self.bare_values += 1
        kind = E_MISSING_QUOTE if closed else E_BARE_VALUE
        self._insert_edit(index, first, first, '"', kind)
        self._escape_bare(pos, last)
        self.pos = last + 1 if closed else last
        if not closed:
            if end >= self.end:
                kind = E_CUT if self.depth > 0 else kind
            self._edit(last, last, '"', kind)
        self._value_done(SCALAR)

    def _escape_bare(self, pos: int, end: int) -> None:
        """What stands bare means itself: backslashes and quotes are escaped."""
        while True:
            pos = skip_plain(self.text, pos, end, Q_DOUBLE)
            if pos >= end:
                return
            ch = self.text[pos]
            if ch == '"' or ch == "\\":
                self._edit(pos, pos + 1, "\\" + ch, E_INNER_QUOTE)
            elif ch < " " or "\ud800" <= ch <= "\udfff":
                self._edit_control(pos)
            pos += 1  # any other is a mark that only a string must look at

    def _bare_end(self, pos: int) -> int:
        """Where a bare value ends: at structure that something valid follows."""
        in_object = self.kinds[self.depth] == OBJECT
        first = self._at(pos)
        named = not in_object or first.isalpha()
        named = named or (self._at(pos + 1) == "{" and not first.isalnum())
        nested = 0
        opened = False  # by a quote inside
        reach = pos if in_object else self._lost_opener(pos)
        while True:
            if pos >= self.end:
                if not self.final:
                    raise NeedMore
                return self.end
            ch = self._at(pos)
            if ch == "(" or ch == "{" or ch == "[":
                if nested == 0 and named and self._runs_into(pos, ch):
                    return pos
                nested += 1
            elif ch == ")" or ch == "}" or ch == "]":
                if nested == 0 and self._ends_bare_at(ch):
                    return pos
                nested = max(nested - 1, 0)
            elif ch == "," or ch == ";":
                if pos >= reach and self._ends_bare_comma(pos, in_object, nested):
                    return pos
                named = named and not in_object
            elif ch == "\n":
                if nested == 0 and self._ends_bare_line(pos, in_object):
                    return pos
            elif ch == '"':
                if not opened and self._is_bare_close(pos):
                    return pos
                if (in_object or nested == 0) and self._is_bare_stop(pos, in_object):
                    return pos
                opened = not opened and self._opens_pair(pos)
            elif ch == "/" or ch == "#":
                if is_blank(self._before(pos)) and self._skip_odd(pos) > pos:
                    return pos
            elif ch == "`" or ch == "<":
                if self._is_stop(pos) or self._skip_odd(pos) > pos:
                    return pos
            pos += 1

    def _opens_pair(self, pos: int) -> bool:
        """Whether the quote looks like the first of two in bare words: ``the "x"``."""
        after = self._at(pos + 1)
        if is_blank(after) or is_structure(after):
            return False
        return is_blank(self._before(pos)) or self._before(pos) in "([{<=:,-/>\u2014"

    def _runs_into(self, pos: int, ch: str) -> bool:
        """Whether words run into a container here, which is no part of them.

        corpus: replies/words-in-brackets
        """
        if ch == "{":
            return self._is_quoted_key(self._peek(pos + 1))
        if not is_blank(self._before(pos)) and self._at(pos - 1) != ":":
            return False
        inside = self._peek(pos + 1) if ch == "[" else self.end
        return inside < self.end and self._open_quote(inside) == Q_DOUBLE

    def _lost_opener(self, pos: int) -> int:
        """Where the item at ``pos`` closes that lost its opening quote; else ``pos``.

        ``[to Paris, by Friday", "next"]``: one item, if the line has no brackets.
        """
        if self.lost_from <= pos < self.lost_to:
            return pos
        close = pos
        if self.unbroken_from <= pos < self.unbroken_to:
            close = min(self.unbroken_to, self.end)
        else:
            self.unbroken_from = self.unbroken_to = pos
        while self._at(close) != NUL and self.text[close] not in '[]{}\n"':
            escapes = self.text[close] == "\\" and self._at(close + 1) in '"\\'
            close += 2 if escapes else 1
        self.unbroken_to = close
        if self._at(close) == '"' and self._before(close) not in ",[{: \n":
            if self._is_bare_close(close):
                return close
        self.lost_from = pos
        self.lost_to = close
        return pos

    def _ends_bare_at(self, ch: str) -> bool:
        """Whether this closer closes something that is open around the bare value."""
        if ch == "}":
            return self.objects > 0
        if ch == "]":
            return self.arrays > 0 or self.objects > 0
        return self.parens > 0

    def _ends_bare_comma(self, pos: int, in_object: bool, nested: int) -> bool:
        if not in_object:
            return nested == 0
        after = self._peek(pos + 1)
        ch = self._at(after)
        if nested > 0:
            return ch == '"' and self._is_key(after)
        return is_structure(ch) or self._is_key(after)

    def _ends_bare_line(self, pos: int, in_object: bool) -> bool:
        after = self._peek(pos)
        ch = self._at(after)
        if is_structure(ch):
            return True
        return not in_object or self._is_key(after)

    def _is_bare_close(self, pos: int) -> bool:
        """Whether this quote is the end of a string whose opening quote is missing."""
        after = self._peek(pos + 1)
        ch = self._at(after)
        if ch == ":":
            return False
        if ch == ",":
            following = self._peek(after + 1)
            if self.kinds[self.depth] == OBJECT:
                if not is_structure(self._at(following)):
                    return self._is_key(following)
            return True
        return is_structure(ch) and not is_blank(self._before(pos))

    def _is_bare_stop(self, pos: int, in_object: bool) -> bool:
        """Whether this quote begins the next key or item."""
        if in_object:
            return self._is_key(pos)
        close = self._end_quote(pos + 1, Q_DOUBLE)
        return close < self.end and is_structure(self._at(self._peek(close + 1)))

    def _drop_stray(self) -> None:
        """Remove a run of text that is no part of the structure."""
        pos = self.pos + 1
        while pos < self.end:
            ch = self._at(pos)
            if is_structure(ch) or ch == "{" or ch == "[" or ch == "\n":
                break
            if self._open_quote(pos) != Q_NONE and not self._is_apostrophe(pos):
                break
            if ch == "/" or ch == "#" or ch == "<":
                if self._skip_odd(pos) > pos or ch == "<":
                    break
            pos += 1
        if pos >= self.end and not self.final:
            raise NeedMore
        self._drop(pos - self.pos, E_STRAY_TEXT)

    # ------------------------------------------------------------------ fences

    def _is_fenced(self, pos: int) -> bool:
        """Whether the fence at ``pos`` stands in place of a member's string.

        It closes where a member can end, or the text breaks off in it: then it must
        follow its key on one line, since a fence around all may close at a line's
        start.  A fence that says JSON holds no text.
        """
        if self.place != VALUE or self.kinds[self.depth] != OBJECT:
            return False
        if self.text[pos] != "`" or self._at(pos + 3) == "`":
            return False
        if self.text[pos + 3 : pos + 7].lower() == "json":
            return False
        if self._fence_end(pos + 3) < self.end:
            return True
        if self._find(F_LINE_END, pos) >= self.end:
            return False
        while is_blank(self.text[pos - 1]) and self.text[pos - 1] != "\n":
            pos -= 1
        return self.text[pos - 1] == ":"

    def _fence_end(self, pos: int) -> int:
        """Where the fence that opens before ``pos`` closes; the end when nowhere.

        On the line where it opens, or alone at the start of one; what goes on behind
        it is the object.
        """
        at = self._find(F_FENCE, pos)
        if at < self.end and not self._has_line_end(pos, at):
            if self._ends_member(at + 3):
                return at
        if self.fence_from >= 0 and self.fence_from <= pos <= self.fence_at:
            return self.fence_at
        while at < self.end:
            if self._starts_line(at) and self._ends_member(at + 3):
                break
            at = self._find(F_FENCE, at + 3)
        self.fence_from = pos
        self.fence_at = at
        return at

    def _starts_line(self, pos: int) -> bool:
        """Whether nothing but blanks stands before ``pos`` on its line."""
        while is_blank(self.text[pos - 1]) and self.text[pos - 1] != "\n":
            pos -= 1
        return self.text[pos - 1] == "\n"

    def _ends_member(self, pos: int) -> bool:
        """Whether the object ends or goes on at ``pos``."""
        after = self._peek(pos)
        ch = self._at(after)
        return ch == "," or ch == "}" or self._is_quoted_key(after)

    def _read_fence(self) -> None:
        """Code in a fence, in place of a string: its lines, but not what indents all.

        corpus: replies/fence-for-string
        """
        pos = self.pos
        close = self._fence_end(pos + 3)
        start = pos + 3
        end = close
        if self._has_line_end(start, close):
            line = self._find(F_LINE_END, start)
            if not _LABEL.fullmatch(self.text, start, line):
                line = start - 1  # no label: what stands there is text
            start = line + 1
            last = self._last_fence(start, close) if close >= self.end else close
            if last < self.end:
                end = self.text.rfind("\n", pos, last)
                end = max(start, end - 1 if self.text[end - 1] == "\r" else end)
        self._edit(pos, start, '"', E_QUOTE_MARK)
        self._take_lines(start, end)
        self.quoted_values += 1
        if close >= self.end:
            self._break_off(end)
            return
        self._edit(end, close + 3, '"', E_QUOTE_MARK)
        self.pos = close + 3
        self._value_done(SCALAR)

    def _last_fence(self, pos: int, end: int) -> int:
        """Where the fence stands that the text breaks off behind; ``end`` if none."""
        at = self.text.rfind("```", pos, end)
        ends = at >= 0 and self._starts_line(at) and not self.text[at + 3 : end].strip()
        return at if ends else end

    def _take_lines(self, start: int, end: int) -> None:
        """The text without the indentation that its lines share; blank ones are empty,
        as ``textwrap.dedent`` has it.
        """
        lines = self.text[start:end].split("\n")
        full = [line for line in lines if line.strip()]
        indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in full]
        least, most = min(indents, default=""), max(indents, default="")
        shared = min(len(least), len(most))
        margin = 0  # what these two share all share
        while margin < shared and least[margin] == most[margin]:
            margin += 1
        for line in lines:
            stop = start + len(line)
            body = start + margin if line.strip() else stop
            self._edit(start, body, "", E_QUOTE_MARK)
            self._escape_bare(body, stop)
            if stop < end:
                self._edit_control(stop)
            start = stop + 1
