"""``clean_text`` and ``decode``: tables of (input, expected, why), and properties."""

from __future__ import annotations

import codecs
import itertools
import sys
import unicodedata
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonsift import _chars, clean
from jsonsift.clean import Decoded, clean_text, decode, decode_with_report

ZWNJ, ZWJ, MVS = _chars.JOINERS
CANCEL = "\U000e007f"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074" + CANCEL

CLEANED: Final = [
    ("\ufeff{}", "{}", "a byte order mark"),
    ("\ufeff\ufeff{}", "{}", "two, after two careless writers"),
    ("ï»¿{}", "{}", "a mark read as Latin-1"),
    ("Ã¯Â»Â¿{}", "{}", "a mark read as Latin-1 twice"),
    ("∩╗┐{}", "{}", "a mark read as code page 437"),
    ("´╗┐{}", "{}", "a mark read as code page 850"),
    ("\u200bï»¿{}", "{}", "a mark behind what goes as well"),
    ("a\ufeffb", "ab", "a mark of a second file"),
    ("a\u200bb\u2060c\xadd", "abcd", "zero-width space, word joiner, soft hyphen"),
    ("f\u2061(x)", "f(x)", "an invisible operator"),
    ("\ufff9a\ufffbb", "ab", "interlinear annotation"),
    ("a\u206ab", "ab", "a deprecated shaping control"),
    (f"word{ZWJ} word", "word word", "a joiner at the end of a word"),
    (f"{ZWNJ}word", "word", "a joiner at the start"),
    (f"a {ZWNJ}{ZWJ} b", "a  b", "joiners between spaces"),
    (f"12{ZWJ}34", "1234", "a joiner between digits"),
    (f"می{ZWNJ} روم", "می روم", "a non-joiner before a space"),
    ("a" + ZWJ * 9 + "b", "ab", "a flood of joiners between letters"),
    (f"{{{ZWNJ}}}", "{}", "a joiner between marks"),
    ("x\U000e0069\U000e0067\U000e006e", "x", "text spelt in tags"),
    ("\U0001f3f4\U000e0067x", "\U0001f3f4x", "tags that spell no flag"),
    ("\u202eabc\u202c", "abc", "an override"),
    ("a\u2067b\u2069\u200e\u200f\u061c", "ab", "isolates and marks"),
    ("a\x00b\x07c\x7fd\x1fe", "abcde", "C0 and DEL"),
    ("é\x80\x93\x9f", "é", "C1"),
    ("a\xa0b\u3000c\u202fd\u2009e\u1680f", "a b c d e f", "odd spaces"),
    ("a\vb\fc\x85d\u2028e\u2029f", "a\nb\nc\nd\ne\nf", "odd line ends"),
    ("\x1b[1;31mred\x1b[0m", "red", "colours"),
    ("\x1b[38;2;1;2;3mx\x1b[m\x1b[?25l\x1b[2 q", "x", "true colour, cursor"),
    ("\x1b(Bx\x1b7\x1bc", "x", "a charset choice and short sequences"),
    ("\x1b]0;title\x07x\x1b]8;;http://e.x/\x1b\\y", "xy", "a title, a link"),
    ("\x9b31mx", "x", "the 8-bit form"),
    ("\x9bmine", "mine", "which has a number, or was a quotation mark once"),
    ("x\x1b[3", "x", "a sequence that the end cuts"),
    ("x\x1b[", "x", "a sequence cut sooner"),
    ("\x1b{}", "{}", "an ESC that starts nothing takes nothing along"),
    ("[1\x1b]", "[1]", "nor is a bracket an OSC without its end"),
    ('\x1b]{"a": 1}\n\x07', ']{"a": 1}\n', "nor one whose end is a line later"),
    ("\x1b\x1b[0m[1]", "[1]", "an ESC does not join what a sequence parted"),
    ("a\ud800b", "a\ufffdb", "a lone high surrogate"),
    ("a\udcffb", "a\ufffdb", "a lone low surrogate"),
    ("\ud83d\ude00", "\U0001f600", "two halves are the character"),
    ("\ude00\ud83d", "\ufffd\ufffd", "but not in the wrong order"),
]

# What looks like dirt and is content.
KEPT: Final = [
    ("", "nothing"),
    ("a\tb\nc\rd\r\n", "tabs and line ends"),
    ('{"a": [1, "b\\u0000 \\u200b"]}', "escapes are ASCII"),
    (f"می{ZWNJ}خواهم کتاب{ZWNJ}ها", "Persian words"),
    (f"۱۲{ZWNJ}ساله و 8{ZWNJ}ساله", "Persian suffixes of numbers"),
    (f"۱۳۵۰ ه{ZWJ}.ش", "a Persian abbreviation in its joined shape"),
    (f"({ZWJ}ه) {ZWJ}د", "Arabic letters in their final shapes"),
    (f"ന{chr(0xD4D)}{ZWJ} ", "a Malayalam chillu at the end of a word"),
    (f"क्{ZWJ}ष श्री क्{ZWNJ}ष", "Devanagari half forms"),
    (f"ශ්{ZWJ}රී ලංකා", "Sinhala"),
    (f"ᠠ{MVS}ᠡ", "a Mongolian separator"),
    (f"ه{ZWJ}{ZWNJ}{ZWJ}ه", "three joiners, as Unicode has it for Persian"),
    (f"👩{ZWJ}💻 👨{ZWJ}👩{ZWJ}👧{ZWJ}👦", "emoji sequences"),
    (f"👩🏽{ZWJ}🚀 🏳\ufe0f{ZWJ}🌈 ❤\ufe0f{ZWJ}🔥", "with skin and variation"),
    (f"🧑{ZWJ}⚖\ufe0f 🏃{ZWJ}♀\ufe0f{ZWJ}➡\ufe0f 🏴{ZWJ}☠\ufe0f", "with signs"),
    ("🇮🇷🇩🇪 1\ufe0f\u20e3 ☎\ufe0f", "flags, keycaps, variation selectors"),
    (SCOTLAND, "the flag of Scotland, spelt in tags"),
    ("日本語、「引用」。全角：（１２３）", "CJK and full width"),
    ("한국어 \u1112\u1161\u11ab", "Korean, composed or not"),
    ("العربية: مَرْحَبًا، شكرًا؟ ٣٤٥", "Arabic with its vowel marks"),
    ("שָׁלוֹם עוֹלָם, abc (1)", "Hebrew with points, between Latin"),
    ("e\u0301 n\u0303 a\u0328", "combining marks"),
    ("naïve «voilà» “so” … – — ½ © ™ µ", "Latin-1 and typography"),
    ("naï»¿x", "a mojibake mark inside a text is text"),
    ("x\ufffdy", "a replacement character that was there"),
    ("\U00020000\U0010ffff\ue000", "far planes and private use"),
    ("[31m [0;1m ]0;", "a colour code without its ESC"),
    ("\u2800\u3164", "blank Braille and a Hangul filler are letters"),
]

# One text a switch, which nothing but that switch changes.
SWITCHES: Final = {
    "bom": ("ï»¿x", "x"),
    "zero_width": (f"a\u200bb {ZWJ} \ufeff\U000e0061", "ab  "),
    "bidi": ("\u202ea\u200f\u2066b", "ab"),
    "controls": ("a\x00\x1f\x7f\x80\x9db", "ab"),
    "spaces": ("a\xa0b\u2028c\vd\x85", "a b\nc\nd\n"),
    "ansi": ("\x1b[1mé\x1b[0m\x9b1m\x1b", "é"),
    "surrogates": ("a\ud800\ud83d\ude00", "a\ufffd\U0001f600"),
}
ALL_OFF: Final = dict.fromkeys(SWITCHES, False)

DIRT: Final = (
    "a م.ن\u0d4d1۱[]\\;m(<3H"
    + "ï»¿∩╗┐"
    + "".join(_chars.JOINERS)
    + "\x1b\x9b\x07\x00\x85\xa0\u200b\ufeff\u202e\u2028"
    + "\ud83d\udc00\U0001f3f4\U000e0067\U000e0062\U000e007f😀\ufe0f"
)
dirty_text = st.text(st.sampled_from(DIRT) | st.characters(), max_size=60)


@pytest.mark.parametrize(("text", "expected", "why"), CLEANED)
def test_dirt_goes(text: str, expected: str, why: str) -> None:
    assert clean_text(text) == expected, why


@pytest.mark.parametrize(("text", "why"), KEPT)
def test_content_stays(text: str, why: str) -> None:
    """Nothing is changed, and then the object itself comes back."""
    assert clean_text(text) is text, why


@pytest.mark.parametrize("name", SWITCHES)
def test_each_switch_alone(name: str) -> None:
    """A switch does its own job without the others, and none of theirs."""
    text, expected = SWITCHES[name]
    assert clean_text(text, **{**ALL_OFF, name: True}) == expected
    assert clean_text(text, **{name: False}) is text
    assert clean_text(text) == expected


def test_all_switches_off_change_nothing() -> None:
    text = "".join(dirty for dirty, _ in SWITCHES.values()) + DIRT
    assert clean_text(text, **ALL_OFF) is text


def test_a_leading_mark_is_two_switches() -> None:
    """U+FEFF at the start goes for either reason; inside only as zero width."""
    text = "\ufeffa\ufeff"
    assert clean_text(text, zero_width=False) == "a\ufeff"
    assert clean_text(text, bom=False) == "a"
    assert clean_text(text, bom=False, zero_width=False) is text


def test_every_character_has_one_switch() -> None:
    """No character belongs to two classes, and together they hold all the known."""
    classes = [
        _chars.PLAIN_CONTROLS,
        _chars.LINE_BREAKS,
        _chars.ESCAPE_STARTERS,
        _chars.WIDE_SPACES,
        _chars.JOINERS,
        _chars.NEVER_SHOWN,
        _chars.BIDI_CONTROLS,
    ]
    every = "".join(classes)
    assert len(set(every)) == len(every)
    assert set(_chars.INVISIBLE) <= set(every)
    for code in (*range(0x20), *range(0x7F, 0xA0)):
        assert chr(code) in every + _chars.JSON_SPACE


def test_every_odd_character_at_once() -> None:
    """With more kinds than are replaced one by one, the answer is the same."""
    odd = _chars.PLAIN_CONTROLS + _chars.NEVER_SHOWN + _chars.BIDI_CONTROLS
    text = "x".join(odd + _chars.WIDE_SPACES + "\U000e0061") + SCOTLAND
    expected = "x" * len(odd) + " x" * len(_chars.WIDE_SPACES) + SCOTLAND
    assert clean_text(text) == expected
    assert "\U000e0061" in clean_text(text, zero_width=False)


def test_many_colours() -> None:
    """Dense colours of more kinds than are dropped whole leave nothing behind."""
    text = "".join(f"\x1b[38;5;{n}mx{n}\x1b[0m" for n in range(40))
    assert clean_text(text) == "".join(f"x{n}" for n in range(40))


NOT_AT_START: Final = [
    row for row in CLEANED if not row[0].startswith(("\u200bï", *_chars.MOJIBAKE_MARKS))
]


@pytest.mark.parametrize(("text", "expected", "why"), NOT_AT_START)
def test_dirt_goes_behind_many_colours(text: str, expected: str, why: str) -> None:
    """Dense colours are dropped in another way; the answer is the same."""
    colours = "\x1b[31mx\x1b[0m " * 40
    assert clean_text(colours + text) == "x " * 40 + expected, why


def test_clean_text_reads_bytes() -> None:
    expected = '{"a": "naïve"}'
    raw = ("\ufeff" + expected + "\u200b").encode()
    for data in (raw, bytearray(raw), memoryview(raw)):
        assert clean_text(data) == expected


@pytest.mark.parametrize("wrong", [None, 1, ["a"], object()])
def test_wrong_types(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"not {type(wrong).__name__}"):
        clean_text(wrong)
    with pytest.raises(TypeError, match=f"not {type(wrong).__name__}"):
        decode(wrong)


def test_decode_takes_no_str() -> None:
    text: Any = "text"
    with pytest.raises(TypeError, match="not str"):
        decode(text)
    with pytest.raises(TypeError, match="not bytes"):
        decode(b"", encoding=b"utf-8")  # type: ignore[arg-type]


def test_switches_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        clean_text("a", True)  # type: ignore[call-arg]


@given(dirty_text, st.fixed_dictionaries({name: st.booleans() for name in SWITCHES}))
def test_cleaning_twice_is_cleaning_once(text: str, switches: dict[str, bool]) -> None:
    once = clean_text(text, **switches)
    assert clean_text(once, **switches) is once


@given(dirty_text)
def test_what_is_left_is_clean(text: str) -> None:
    """Encodable, and without any character that always goes."""
    result = clean_text(text)
    result.encode()
    gone = _chars.PLAIN_CONTROLS + _chars.ESCAPE_STARTERS + _chars.NEVER_SHOWN
    assert set(result).isdisjoint(gone + _chars.BIDI_CONTROLS)
    assert set(result).isdisjoint(_chars.WIDE_SPACES + _chars.LINE_BREAKS)


@given(dirty_text)
def test_letters_stay_in_order(text: str) -> None:
    """But for escape sequences and surrogates, all that is letter or number stays."""
    result = clean_text(text, ansi=False, bom=False, surrogates=False)
    solid, before = (
        [char for char in side if unicodedata.category(char)[0] in "LMN"]
        for side in (result, text)
    )
    assert solid == before


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n")))
def test_clean_ascii_is_the_same_object(text: str) -> None:
    assert clean_text(text) is text


# --- decode -------------------------------------------------------------------------

TEXTS: Final = [
    '{"a": 1}',
    '{"name": "naïve café", "n": [1, 2]}',
    '{"имя": "Привет, мир", "a": "b"}',
    '{"名前": "日本語テキスト", "a": "一二三"}',
    '{"emoji": "👩🏽‍🚀 𝒳"}',
    "[]",
    '"x"',
]
WIDE: Final = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
MARKS: Final = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
json_text = st.text().map(lambda text: '{"key": "' + text + '", "other": [1, 2]}')


@pytest.fixture
def no_guesser(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if charset-normalizer were not installed."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", MARKS)
def test_round_trip(encoding: str, text: str) -> None:
    raw = text.encode(encoding)
    sure = Decoded(text, encoding, 0, False)
    assert decode_with_report(MARKS[encoding] + raw) == sure
    assert decode_with_report(raw) == sure._replace(guessed=encoding != "utf-8")


@given(json_text, st.sampled_from(list(MARKS)))
def test_any_text_with_a_mark(text: str, encoding: str) -> None:
    raw = text.encode(encoding)
    assert decode(MARKS[encoding] + raw) == text
    assert decode(raw, encoding=encoding) == text


@given(st.text())
def test_any_utf8_without_zero_bytes(text: str) -> None:
    """One mark at the start goes; nothing else does."""
    text = text.replace("\0", "")
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("marked", [True, False])
def test_cut_anywhere(encoding: str, text: str, marked: bool) -> None:
    """The whole characters before the cut, and one counted when it cut one in two.

    Without a mark, UTF-16 and UTF-32 need their first character to be known.
    """
    ends = list(itertools.accumulate(len(char.encode(encoding)) for char in text))
    raw, mark = text.encode(encoding), MARKS[encoding] if marked else b""
    for cut in range(len(raw) if marked or encoding == "utf-8" else ends[0], len(raw)):
        whole = sum(end <= cut for end in ends)
        halved = cut != ([0, *ends])[whole]
        got = decode_with_report(mark + raw[:cut])
        assert (got.text, got.replaced) == (text[:whole], halved), cut


def test_cut_utf8_at_every_byte() -> None:
    """Every length of character, cut at each of its bytes, with and without a mark."""
    text = "aé€😀"
    raw = text.encode()
    expected = ["", "a", "a", "aé", "aé", "aé", "aé€", "aé€", "aé€", "aé€", text]
    for cut, whole in enumerate(expected):
        assert decode(raw[:cut]) == whole
        assert decode(codecs.BOM_UTF8 + raw[:cut]) == whole


@pytest.mark.parametrize("encoding", MARKS)
def test_a_mark_alone_is_no_text(encoding: str) -> None:
    assert decode_with_report(MARKS[encoding]) == ("", encoding, 0, False)


@pytest.mark.parametrize(
    ("raw", "expected", "why"),
    [
        (b"", Decoded("", "utf-8", 0, False), "no bytes"),
        (b"ab\0cd", Decoded("ab\0cd", "utf-8", 0, False), "a NUL in UTF-8 stays"),
        (b"ab\0c\0d", Decoded("ab\0c\0d", "utf-8", 0, False), "nor are two"),
        (b"a\0bc", Decoded("a\0bc", "utf-8", 0, False), "nor is one NUL UTF-16"),
        (b"caf\xe9", Decoded("caf", "utf-8", 1, False), "cut off is likelier"),
        (b"abc\0", Decoded("abc\0", "utf-8", 0, False), "a NUL at the end"),
        (b"\0\0\0\0", Decoded("\0" * 4, "utf-8", 0, False), "nothing but NUL"),
        ("é\xff 日本".encode(), Decoded("é\xff 日本", "utf-8", 0, False), "UTF-8"),
        (
            "é € ü ".encode() + b"\xff x",
            Decoded("é € ü \ufffd x", "utf-8", 1, True),
            "UTF-8 with a fault is not another encoding",
        ),
        (
            "日本".encode() + b"\xe6\x97x" + "語".encode(),
            Decoded("日本\ufffdx語", "utf-8", 1, True),
            "a character cut in the middle of the text",
        ),
        (
            "日本\ufffd".encode() + b"\xff\xff",
            Decoded("日本\ufffd\ufffd\ufffd", "utf-8", 2, True),
            "a replacement character that was there is not counted",
        ),
        (
            codecs.BOM_UTF16_LE + b"a\0\0\xd8b\0",
            Decoded("a\ufffdb", "utf-16-le", 1, False),
            "a lone surrogate in UTF-16",
        ),
        (
            codecs.BOM_UTF32_LE + b"a\0\0\0\0\xd8\0\0b\0\0\0",
            Decoded("a\ufffdb", "utf-32-le", 1, False),
            "a surrogate in UTF-32",
        ),
        (
            "é\ud83d\ude00 \ud83d.".encode("utf-8", "surrogatepass"),
            Decoded("é\U0001f600 \ufffd.", "utf-8", 1, True),
            "halves of pairs in UTF-8",
        ),
        (codecs.BOM_UTF8 + b"\xff", Decoded("\ufffd", "utf-8", 1, False), "BOM, fault"),
    ],
)
def test_reports(raw: bytes, expected: Decoded, why: str) -> None:
    assert decode_with_report(raw) == expected, why
    assert decode(bytearray(raw)) == decode(memoryview(raw)) == expected.text


def test_views_with_gaps() -> None:
    assert decode(memoryview(b"a-b-c-")[::2]) == "abc"


@pytest.mark.parametrize(
    ("raw", "encoding", "expected"),
    [
        (b"caf\xe9", "cp1252", Decoded("café", "cp1252", 0, False)),
        (b"caf\xe9", "latin1", Decoded("café", "iso8859-1", 0, False)),
        (b"caf\xe9!", "UTF8", Decoded("caf\ufffd!", "utf-8", 1, False)),
        (b"caf\xc3", "utf-8", Decoded("caf", "utf-8", 1, False)),
        (b"\xef\xbb\xbfa", "utf-8", Decoded("a", "utf-8", 0, False)),
        (b"\xff\xfea\0", "utf-16", Decoded("a", "utf-16-le", 0, False)),
        (b"\xfe\xff\0a\0", "utf-16", Decoded("a", "utf-16-be", 1, False)),
        (b"\0\0\xfe\xff\0\0\0a", "utf-32", Decoded("a", "utf-32-be", 0, False)),
        (b"a\0\0\0b", "utf-32", Decoded("a", "utf-32-le", 1, False)),
        (b"a\0b", "utf-16-le", Decoded("a", "utf-16-le", 1, False)),
        (b"\x93\xfa\x96", "shift_jis", Decoded("日", "shift_jis", 1, False)),
        (b"\x81", "cp1252", Decoded("\ufffd", "cp1252", 1, False)),
    ],
)
def test_a_given_encoding_is_used(raw: bytes, encoding: str, expected: Decoded) -> None:
    assert decode_with_report(raw, encoding=encoding) == expected


@pytest.mark.parametrize("name", ["no-such", "", "utf\0", "utf\ud800", "hex", "idna"])
def test_a_wrong_encoding_is_a_lookup_error(name: str) -> None:
    """Unknown, no text encoding, or (idna) one that cannot skip a fault."""
    with pytest.raises(LookupError):
        decode(b"\xff", encoding=name)


def test_a_codec_without_increments() -> None:
    """A registered codec needs no incremental decoder."""

    def search(name: str) -> codecs.CodecInfo | None:
        if name != "jsonsift_plain":
            return None
        return codecs.CodecInfo(codecs.ascii_encode, codecs.ascii_decode, name=name)

    codecs.register(search)
    try:
        got = decode_with_report(b"a\xff", encoding="jsonsift_plain")
    finally:
        codecs.unregister(search)
    assert got == ("a\ufffd", "jsonsift_plain", 1, False)


@given(st.binary(max_size=80) | st.text(st.sampled_from("\0\ufeffa{é")).map(str.encode))
def test_no_bytes_raise(raw: bytes) -> None:
    got = decode_with_report(raw)
    got.text.encode()
    assert 0 <= got.replaced <= len(raw)
    clean_text(raw)


@given(st.binary(max_size=80), st.sampled_from(["utf-8", "utf-16", "cp932", "utf-7"]))
def test_no_bytes_raise_in_a_given_encoding(raw: bytes, encoding: str) -> None:
    got = decode_with_report(raw, encoding=encoding)
    assert not got.guessed
    assert got.replaced <= len(raw)


LEGACY: Final = [
    ("cp1252", '{"name": "café crème", "ville": "Orléans"}'),
    ("cp932", '{"名前": "日本語のテキストです", "都市": "東京"}'),
    ("cp1251", "Привет, мир. Это пример текста на русском языке, он длинный."),
    ("cp1252", '{"titre": "Les élèves ont été reçus à l\'école", "où": "là-bas"}'),
    ("cp1252", '{"ort": "Malmö", "text": "Där är åtta små öar på väg"}'),
    ("koi8-r", "Погода сегодня хорошая, пойдём гулять в парк."),
]


@pytest.mark.parametrize(("encoding", "text"), LEGACY)
def test_a_legacy_encoding_is_guessed(encoding: str, text: str) -> None:
    pytest.importorskip("charset_normalizer")
    raw = text.encode(encoding)
    assert decode_with_report(raw) == Decoded(text, encoding, 0, True)


@pytest.mark.parametrize("encoding", ["cp932", "gb18030", "cp1251"])
def test_a_large_legacy_text(encoding: str) -> None:
    """The fault far inside, the sample and the end all cut between characters."""
    pytest.importorskip("charset_normalizer")
    words = {"cp932": "日本語のテキスト", "gb18030": "这是一个中文文本"}
    word = words.get(encoding, "Привет, это русский текст")
    text = "plain text, " * 9_000 + f'"{word}", ' * 9_000
    assert decode_with_report(text.encode(encoding)) == (text, encoding, 0, True)


@pytest.mark.usefixtures("no_guesser")
@pytest.mark.parametrize(("encoding", "text"), LEGACY)
def test_legacy_without_charset_normalizer(encoding: str, text: str) -> None:
    raw = text.encode(encoding)
    got = decode_with_report(raw)
    assert got == (raw.decode("utf-8", "replace"), "utf-8", got.text.count("\ufffd"), 1)
    assert got.replaced > 0


@pytest.mark.usefixtures("no_guesser")
def test_zero_bytes_in_both_places_are_not_utf16() -> None:
    assert decode(b"\0\0\xffabc") == "\0\0\ufffdabc"


class _Match:
    """What charset-normalizer tells of one encoding."""

    def __init__(self, encoding: str, chaos: float = 0.0) -> None:
        self.encoding = encoding
        self.chaos = chaos
        self.coherence = 0.0
        self.could_be_from_charset = [encoding]


class _Guesser(list[_Match]):
    """Stands in for charset-normalizer, and remembers what it was shown."""

    def __init__(self, *matches: _Match) -> None:
        super().__init__(matches)
        self.shown: list[bytes] = []

    def from_bytes(
        self, raw: bytes, *, cp_isolation: list[str], **options: bool
    ) -> _Guesser:
        assert options == {"preemptive_behaviour": False, "enable_fallback": False}
        self.shown.append(raw)
        self.allowed = cp_isolation
        return self

    def best(self) -> _Match | None:
        return self[0] if self else None


# Eight bytes that no UTF-8 and no Western text has: enough for a guess.
ODD_BYTES: Final = b"\xb3\xe9 " * 4


@pytest.mark.parametrize(
    ("matches", "encoding"),
    [
        ([_Match("cp1250"), _Match("cp1252")], "cp1252"),
        ([_Match("cp1250"), _Match("cp1252", chaos=0.1)], "cp1252"),
        ([_Match("cp1250"), _Match("cp1252", chaos=0.2)], "cp1250"),
        ([_Match("cp1250"), _Match("cp1257")], "cp1250"),
        ([_Match("cp1251"), _Match("cp1252")], "cp1251"),
        ([], "utf-8"),
    ],
)
def test_near_misses_go_to_windows_1252(
    matches: list[_Match], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among Latin letters only; without any guess it is UTF-8."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", _Guesser(*matches))
    expected = ODD_BYTES.decode(encoding, "replace")
    got = decode_with_report(ODD_BYTES)
    assert got == (expected, encoding, expected.count("\ufffd"), True)


def test_no_guess_for_much_western_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where charset-normalizer knows nothing, what reads as Western is Western."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", _Guesser())
    text = "Tämä on hyvä päivä, sää on lämmin ja yöllä sataa"
    assert decode_with_report(text.encode("cp1252")) == (text, "cp1252", 0, True)


@pytest.mark.parametrize(("count", "allowed"), [(4, False), (7, False), (8, True)])
def test_few_bytes_are_no_chinese(
    count: int, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any two bytes are a character in some East Asian encoding."""
    guesser = _Guesser(_Match("cp1251"))
    monkeypatch.setitem(sys.modules, "charset_normalizer", guesser)
    assert decode_with_report(b"\xb3 " * count).encoding == "cp1251"
    assert ("gb18030" in guesser.allowed) == allowed
    assert not {"utf_16_be", "cp437", "hp_roman8"} & set(guesser.allowed)


FEW: Final = [
    ("El Niño", "letters in a word"),
    ("Größe: 5 m", "two in a row"),
    ("Forlì, ÉTÉ, Über", "at its end, in capitals, at its start"),
    ("déjà à Paris", "a word of one letter"),
    ("Å være", "which starts the text"),
    ("It’s a “no – never…” of mine", "typography"),
    ("¿Cuántos? ¡Ya!", "Spanish marks"),
    ("5 €, €6, 7€ each", "euro signs"),
]


@pytest.mark.parametrize(("text", "why"), FEW)
def test_a_few_western_letters(text: str, why: str) -> None:
    pytest.importorskip("charset_normalizer")
    text += "!"  # so that no byte looks like a character cut off
    assert decode_with_report(text.encode("cp1252")) == (text, "cp1252", 0, True), why


@pytest.mark.parametrize(
    ("raw", "expected", "why"),
    [
        (b'{"a": "x\xff y"}', '{"a": "x\ufffd y"}', "no letter of Western text"),
        (b"a\x80b", "a\ufffdb", "a byte from inside a character"),
        (b"a\xe2\x82b", "a\ufffdb", "the first two bytes of three"),
        (b'{"k": "\xf0\x9f\x98 z"}', '{"k": "\ufffd z"}', "three of four"),
        (b'"\xe2\x82 \xe2\x82 \xe2"', '"\ufffd \ufffd \ufffd"', "several"),
        (b"caf\xc3 au lait", "caf\ufffd au lait", "a capital in a small word"),
        (b"\xc3(", "\ufffd(", "a letter outside any word"),
        (b"\xc0\xaf", "\ufffd\ufffd", "an overlong form"),
    ],
)
def test_a_few_broken_bytes_stay_broken(raw: bytes, expected: str, why: str) -> None:
    """With charset-normalizer or without, they are no text of another encoding."""
    pytest.importorskip("charset_normalizer")
    count = expected.count("\ufffd")
    assert decode_with_report(raw) == (expected, "utf-8", count, True), why


def test_the_sample_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 64 KB are shown, with the first fault among them."""
    guesser = _Guesser(_Match("latin_1"))
    monkeypatch.setitem(sys.modules, "charset_normalizer", guesser)
    for before, after in [(0, 300_000), (300_000, 300_000), (300_000, 0), (5, 5)]:
        for filler in (b"word ", b"xxxxx"):
            raw = filler * (before // 5) + ODD_BYTES + filler * (after // 5)
            assert decode_with_report(raw).encoding == "iso8859-1"
            assert len(guesser.shown[-1]) <= 65_536
            assert ODD_BYTES[:-1] in guesser.shown[-1]


def test_no_guess_is_asked_for_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for UTF-8 nor for UTF-8 with a fault, nor when the name is given."""
    guesser = _Guesser(_Match("cp1252"))
    monkeypatch.setitem(sys.modules, "charset_normalizer", guesser)
    decode("é".encode())
    decode("éé".encode() + b"\xff ")
    decode(b"caf\xe9 ", encoding="cp1252")
    decode('{"é": "ÿ"}'.encode("utf-16-le"))
    assert guesser.shown == []


def test_charset_normalizer_is_imported_late() -> None:
    assert not hasattr(clean, "charset_normalizer")
    assert not hasattr(clean, "from_bytes")


def test_dense_joiners_are_dropped_like_single_ones() -> None:
    """Whole kinds or long rows of them would be dropped where one joins."""
    beside = ("a", "1", "-", "\u0628", "\u094d", "\U0001f469", "\U00010bac")
    runs = ("\u200d", "\u200c\u200d", "\u200d" * 3, "\u200c" * 4, "\u200d" * 20)
    pieces = [f"{one}{run}{two}" for one in beside for run in runs for two in beside]
    for kinds in (1, 3, len(pieces)):
        for at in range(0, len(pieces), kinds):
            part = pieces[at : at + kinds]
            assert clean_text("*".join(part * 8)) == "*".join(
                [clean_text(f"*{piece}*")[1:-1] for piece in part] * 8
            )
    mixed = "\u200c\u200d\u180e" * 9
    assert clean_text(f"a{mixed}b") == "ab"
