"""The pages of docs/ as a site: built strictly, and looked at in Chromium."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from .browser import CONTRASTS, open_browser, set_scheme
from .doc_blocks import ROOT

WIDTHS: Final = {"wide": 1400, "narrow": 390}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    folder = tmp_path_factory.mktemp("site")
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"),
            *("-d", str(folder / "doctrees")),
            *(str(ROOT / "docs"), str(folder / "html")),
        ],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return folder / "html"


def list_text(chrome: Any) -> list[float]:
    """The contrasts of the text of the page; none before there is some."""
    ratios = [
        ratio
        for ratio, name in chrome.execute_script(CONTRASTS)
        if name.split(".")[0] in ("P", "LI", "TD", "TH", "H1", "H2", "CODE")
    ]
    return ratios if len(ratios) > 20 else []


def list_pages(site: Path) -> Iterator[Path]:
    for page in sorted(site.rglob("*.html")):
        if page.name not in ("genindex.html", "search.html", "py-modindex.html"):
            yield page


def test_every_page_is_there(site: Path) -> None:
    """A page would be written and never be built."""
    pages = {page.relative_to(site).with_suffix("") for page in list_pages(site)}
    sources = (ROOT / "docs").rglob("*.md")
    assert pages == {
        page.relative_to(ROOT / "docs").with_suffix("") for page in sources
    }


def test_links_lead_somewhere(site: Path) -> None:
    """A link inside the site would be dead, or its anchor."""
    anchors = {
        page: set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8")))
        for page in site.rglob("*.html")
    }
    seen = 0
    for page in list_pages(site):
        for link in re.findall(r'<a [^>]*href="([^"]*)"', page.read_text("utf-8")):
            path, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            target = (page.parent / path).resolve() if path else page
            seen += 1
            assert target.exists(), f"{page}: {link}"
            assert not anchor or anchor in anchors[target], f"{page}: {link}"
    assert seen > 500


def test_api_has_what_is_public(site: Path) -> None:
    """A public name would have no entry."""
    import jsonsift

    text = (site / "api.html").read_text(encoding="utf-8")
    names = set(jsonsift.__all__)
    assert {name for name in names if f'id="jsonsift.{name}"' not in text} == set()


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_in_a_browser(site: Path, width: str) -> None:
    """A page would be wider than its window, lack a picture, or be hard to read."""
    wait = pytest.importorskip("selenium.webdriver.support.wait", reason="selenium")
    with open_browser(WIDTHS[width], 1000) as chrome:
        metrics: dict[str, Any] = {
            "width": WIDTHS[width],
            "height": 1000,
            "deviceScaleFactor": 1,
            "mobile": width == "narrow",
        }
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        run = chrome.execute_script
        for page in list_pages(site):
            chrome.get(page.as_uri())
            assert run("return document.documentElement.scrollWidth") <= WIDTHS[width]
            broken = run(
                "return [...document.images].filter(i => !i.naturalWidth).length"
            )
            assert broken == 0, page
            assert run("return document.querySelectorAll('h1').length") == 1, page
            hosts = run(
                "return performance.getEntriesByType('resource')"
                ".map(e => e.name).filter(n => !n.startsWith('file:'))"
            )
            assert hosts == [], page
        for scheme in ("light", "dark"):
            set_scheme(chrome, scheme)
            chrome.get((site / "observing.html").as_uri())
            # a page may be loaded before it is laid out
            text = wait.WebDriverWait(chrome, 30).until(list_text)
            assert min(text) >= 4.5
