"""Reports: what they say, that they stay small, and that no reply gets out of them."""

from __future__ import annotations

import html
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, Literal

import pytest

from jsonsift import Extraction, extract, extract_all
from jsonsift.cli import main
from jsonsift.report import Entry, write_page

from .browser import CONTRASTS, open_browser, set_scheme

HOSTILE: Final = """\
Here </pre><script>window.pwned = 1</script> is <img src=x onerror="pwned=2"> it:
```json
{
  "a</ins><script>window.pwned = 3</script>": [1, 2,],  // <svg onload=window.pwned=4>
  'say': "he said "<b onmouseover=alert(1)>hi</b>" & left", "</style>": None,
  "rtl": "\u05e9\u05dc\u05d5\u05dd \u202eevil\u202c", "nul": "\x00",
  "javascript:alert(1)": 'it<iframe srcdoc="<script>parent.pwned=5</script>">',
  "cut": [{"x": 1}, {"y": "half </details></section><script>pwned=6</script>
"""


def make_page(*entries: Entry) -> str:
    target = io.StringIO()
    write_page(entries, target)
    return target.getvalue()


# ---------------------------------------------------------------------------- text


def test_explain_marks_the_reply() -> None:
    """What was done could not be read off."""
    found = extract('Sure: {"items": [{"id": 1,}, {"id": 2, "name": "Grace Ho')
    assert found.explain().splitlines() == [
        "bare value, 50 characters, 3 repairs: 1 safe, 2 cut; cut off at "
        '$["items"][1]["name"]',
        "",
        'Sure: {"items": [{"id": 1[-,-]}, {"id": 2, "name": "Grace Ho{+"+}{+}]}+}',
        "",
        "1:26 safe extra-comma: dropped `,` (a comma with nothing after or before it)",
        '1:57 cut cut-off: inserted `"` (the text ends inside the value)',
        "1:57 cut cut-off: inserted `}]}` (the text ends inside the value)",
    ]


def test_explain_of_valid_json() -> None:
    """There would be an empty list of repairs."""
    shown = extract('{"a": 1}').explain()
    assert shown == 'whole value, 8 characters, no repairs\n\n{"a": 1}'


def test_explain_applies_the_edits() -> None:
    """The marks would show another text than the one that was parsed."""
    reply = 'So: {\'a\': [1 2,], b: None, /* no */ "c": "x "y" z"'
    found = extract(reply)
    shown = found.explain().splitlines()[2]
    kept = re.sub(r"\[-.*?-\]", "", shown)
    assert re.sub(r"\{\+(.*?)\+\}", r"\1", kept) == reply[:4] + found.text
    before = re.sub(r"\{\+.*?\+\}", "", shown)
    assert re.sub(r"\[-(.*?)-\]", r"\1", before) == reply


def test_long_replies_are_shortened() -> None:
    """A report on a long reply would be as long, or longer."""
    reply = (
        "x " * 5_000 + "[" + "1, " * 5_000 + "{a: 1},," * 5_000 + "] " + "y" * 10_000
    )
    found = extract(reply)
    assert len(found.edits) > 10_000
    shown = found.explain()
    assert len(shown) < 60_000
    assert " … 9760 characters … " in shown
    assert shown.endswith(f"… and {len(found.edits) - 200} repairs more")
    assert len(make_page(Entry("long", reply, [found]))) < 2_000_000


def test_unprintable_characters_are_named() -> None:
    """A reply could steer the terminal, or hide what it says."""
    shown = extract('\x1b7 \u202e {"a": "\u200b",}').explain()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "<U+001B>7 <U+202E> " in shown


def test_colour() -> None:
    """Colour would need marks to be understood, or be lost."""
    pytest.importorskip("rich")
    found = extract("Sure: {'a': 1,} \x1b[31m")
    shown = found.explain(color=True)
    assert "\x1b[9;31m,\x1b[0m" in shown  # struck through, in red
    assert '\x1b[1;32m"\x1b[0m' in shown
    assert "[-" not in re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert "<U+001B>[31m" in shown


def test_rich_prints_an_extraction() -> None:
    """``rich.print(found)`` would show its repr."""
    console = pytest.importorskip("rich.console")
    target = io.StringIO()
    console.Console(file=target, width=200).print(extract("{'a': 1}"))
    assert target.getvalue().startswith("whole value, 8 characters, 2 repairs:")


def find_typed() -> Extraction:
    """A value that was made to fit, by three rules of two risks."""
    fields = {"<b>": {"type": "integer"}, "n": {"type": "integer", "default": 7}}
    schema = {"type": "object", "properties": fields}
    return extract('{"<B>": "3 boxes", "x\x1b": [1]}', schema=schema)


COERCIONS: Final = (
    'safe key-form: $["<B>"]: `"<B>"` became `"<b>"`',
    'guess number-in-text: $["<B>"]: `"3 boxes"` became `3`',
    'safe extra-key: $["x\\u001b"]: dropped `[1]`',
    'safe default: $["n"]: set to `7`',
)


def test_coercions_are_shown() -> None:
    """A value would be changed to fit and the report not say so."""
    pytest.importorskip("jsonschema")
    found = find_typed()
    assert sorted(found.explain().splitlines()[-4:]) == sorted(COERCIONS)
    page = make_page(Entry("typed", found.reply, [found]))
    for line in COERCIONS:
        assert html.escape(line.partition(" ")[2]) in page
    assert "<b>" not in page


def test_colour_of_coercions() -> None:
    """Colour would lose what the plain text says."""
    pytest.importorskip("rich")
    pytest.importorskip("jsonschema")
    shown = re.sub(r"\x1b\[[\d;]*m", "", find_typed().explain(color=True))
    assert sorted(shown.splitlines()[-4:]) == sorted(COERCIONS)


def test_many_coercions_are_counted() -> None:
    """A report on a long list would be as long."""
    pytest.importorskip("pydantic")
    found = extract(str(["1 box"] * 5_000), schema=list[int])
    assert len(found.coercions) == 5_000
    for color in (False, True):
        assert "… and 4800 changes more" in found.explain(color=color)
    page = make_page(Entry("long", found.reply, [found]))
    assert "… and 3000 changes more" in page


# ---------------------------------------------------------------------------- page


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[tuple[str, str]] = set()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {(tag, name) for name, _ in attrs} or {(tag, "")}
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.ids += [value or "" for name, value in attrs if name == "id"]


def find_hostile() -> list[Extraction]:
    found = [extract(HOSTILE), *extract_all(HOSTILE)]
    assert len(found[0].edits) > 10
    return found


def test_page_has_only_our_tags() -> None:
    """A reply would bring markup of its own."""
    page = make_page(
        Entry("<script>pwned=7</script>", HOSTILE, find_hostile()),
        Entry("lone \ud800", "lone \ud800 \x00 <b>", (), "<i>no</i> JSON"),
    )
    page.encode()
    tags = Tags(page)
    allowed = {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "del", "ins",
        "span", "section", "pre", "table", "thead", "tbody", "tr", "th", "td", "a",
        "details", "summary",
    }  # fmt: skip
    assert {tag for tag, _ in tags.seen} == allowed
    names = {name for _, name in tags.seen}
    assert names <= {
        "", "lang", "charset", "http-equiv", "content", "name", "class", "id",
        "tabindex", "href",
    }  # fmt: skip
    assert all(link[:1] == "#" and link[1:] in tags.ids for link in tags.links)
    assert len(set(tags.ids)) == len(tags.ids)


def test_command_writes_a_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """--html would write nothing, or only what was found."""
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(HOSTILE)
    bad.write_text("no JSON")
    page = tmp_path / "report.html"
    assert main(["--compact", "--html", str(page), str(good), str(bad)]) == 1
    assert capfd.readouterr().out.startswith('{"a</ins>')
    text = page.read_text(encoding="utf-8")
    assert "the text holds no JSON" in text
    assert text.count("<section") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_in_a_browser(scheme: Literal["light", "dark"], tmp_path: Path) -> None:
    """A script would run, something be loaded, or a text be too faint to be read."""
    path = tmp_path / "report.html"
    page = make_page(
        Entry("<script>pwned=7</script>.txt", HOSTILE, find_hostile()),
        Entry("none", "nothing & <b>nobody</b>", (), "<script>pwned=8</script>"),
    )
    path.write_text(page, encoding="utf-8")
    with open_browser() as chrome:
        set_scheme(chrome, scheme)
        chrome.get(path.as_uri())
        run = chrome.execute_script
        assert run("return window.pwned === undefined && !document.scripts.length")
        assert run("return performance.getEntriesByType('resource').length") == 0
        assert (
            chrome.execute("getLog", {"type": "browser"})["value"] == []
        )  # no refused style, no failed load
        run("document.querySelectorAll('details').forEach(d => d.open = true)")
        ratios = run(CONTRASTS)
        assert len(ratios) > 50
        assert [found for found in ratios if found[0] < 4.5] == []
        ground = run("return getComputedStyle(document.body).backgroundColor")
        grounds = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}
        assert ground == grounds[scheme]
        shown = run("return document.querySelector('pre').textContent")
        assert "<script>window.pwned = 1</script>" in shown
        for name in ("del", "ins"):
            line = run(
                "return getComputedStyle(document.querySelector('pre ' + arguments[0]))"
                ".textDecorationLine",
                name,
            )
            assert line == {"del": "line-through", "ins": "underline"}[name]
        assert run("return document.documentElement.scrollWidth <= window.innerWidth")
