"""Long tables of the site in a real browser: heads sort, a field finds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
BROWSER = os.environ.get("ROUTEPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here: ROUTEPROOF_CHROMIUM, or one on the path")

SCRIPT = Path(__file__).parents[3] / "docs" / "assets" / "tables.js"
VALUES = ["1/2", "≤ 5", "-", "0.250 .. 0.500", "2", "10", "2/3", *("7" for _ in range(10))]


@pytest.fixture
def tab() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(600_000)
        rows = "".join(
            f"<tr><td>net:{k}</td><td>{x}</td><td>{'dor' if k % 2 else 'ksp:k=8'}</td></tr>"
            for k, x in enumerate(VALUES)
        )
        head = "<thead><tr><th>network</th><th>guarantee</th><th>routing</th></tr></thead>"
        short = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
        page.set_content(f"<article><table id=long>{head}<tbody>{rows}</tbody></table>{short}</article>")
        page.add_script_tag(path=SCRIPT)
        yield page
        browser.close()


def column(tab: Any, k: int) -> list[str]:
    found: list[str] = tab.eval_on_selector_all(
        "#long tbody tr:not([hidden])", f"rows => rows.map(x => x.cells[{k}].textContent)"
    )
    return found


def test_a_click_sorts_by_value_and_what_has_none_stays_last(tab: Any) -> None:
    tab.click("text=guarantee")
    assert column(tab, 1) == ["0.250 .. 0.500", "1/2", "2/3", "2", "≤ 5", *["7"] * 10, "10", "-"]
    assert tab.get_attribute("th:nth-child(2)", "aria-sort") == "ascending"
    tab.click("text=guarantee")
    assert column(tab, 1) == ["10", *["7"] * 10, "≤ 5", "2", "2/3", "1/2", "0.250 .. 0.500", "-"]
    tab.click("text=network")
    assert column(tab, 0) == [f"net:{k}" for k in range(len(VALUES))]
    assert tab.get_attribute("th:nth-child(2)", "aria-sort") is None


def test_words_sort_as_words_whatever_numbers_are_in_them(tab: Any) -> None:
    tab.click("text=routing")
    odd = len(VALUES) // 2
    assert column(tab, 2) == ["dor"] * odd + ["ksp:k=8"] * (len(VALUES) - odd)


def test_the_field_keeps_the_rows_that_have_its_words(tab: Any) -> None:
    assert tab.locator("input").count() == 1
    tab.fill("input", "NET:1")
    assert column(tab, 0) == ["net:1", *(f"net:{k}" for k in range(10, 17))]
    tab.fill("input", "")
    assert len(column(tab, 0)) == len(VALUES)
