"""A headless Chromium for the pages that we write, where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["CONTRASTS", "open_browser", "set_scheme"]

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")

# Every element that shows text of its own, with the contrast ratio of WCAG 2 between
# its colour and the nearest ground that is painted behind it.
CONTRASTS: Final = """
const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const parts = colour => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) =>
  0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ground = element => {
  for (; element; element = element.parentElement) {
    const colour = parts(getComputedStyle(element).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const ratios = [];
for (const element of document.body.querySelectorAll("*")) {
  const own = [...element.childNodes].some(
    node => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.getClientRects().length) continue;
  const [a, b] = [parts(getComputedStyle(element).color), ground(element)].map(light);
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  ratios.push([ratio, element.tagName + "." + element.className]);
}
return ratios;
"""


@contextmanager
def open_browser(width: int = 1100, height: int = 1400) -> Iterator[Chrome]:
    """A browser that keeps nothing; the test is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    browser = next(filter(None, map(shutil.which, _NAMES)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("needs Chromium and chromedriver on the PATH")
    options: Any = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    options.add_argument(f"--window-size={width},{height}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome: Chrome = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(driver)
    )
    try:
        yield chrome
    finally:
        chrome.quit()


def set_scheme(chrome: Chrome, scheme: Literal["light", "dark"]) -> None:
    """Let pages see this colour scheme."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
