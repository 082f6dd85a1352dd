"""The pictures of the report page in ``docs/images``: ``python docs/generate/screens.py``.

With the extra ``browser`` and Pillow. Chromium opens the pages that the commands of ``docs/report-page.md`` write;
CHROMIUM in the environment names another program than Playwright's own.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from routeproof.cli.main import main as routeproof

IMAGES = Path(__file__).resolve().parent.parent / "images"
ROMM = "worst-case torus:9x9 --routing romm --traffic tornado --traffic transpose"
SCHEDULE = "search many-one --radix 2 --dimensions 4 --steps 4"


def take(browser: Any, page: Path, picture: str, size: tuple[int, int], *, look: str = "", **context: Any) -> None:
    """Open ``page`` in a window of ``size``, run the JavaScript ``look``, and keep what is seen, in 128 colours."""
    tab = browser.new_context(viewport={"width": size[0], "height": size[1]}, **context).new_page()
    tab.goto(page.as_uri())
    if look:
        tab.evaluate(look)
    tab.wait_for_timeout(500)
    seen = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    seen.quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        IMAGES / picture, optimize=True
    )


PAIR = """() => {
    for (const [name, end] of [["source", "(0,0)"], ["destination", "(3,3)"]]) {
        const list = document.getElementById(name);
        list.value = [...list.options].find(x => x.textContent === end).value;
        list.dispatchEvent(new Event("change", {bubbles: true}));
    }
}"""
NEXT = """() => { const next = [...document.querySelectorAll("button")].find(x => x.textContent === "Next");
    next.click(); next.click(); }"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        romm, schedule = Path(folder) / "romm.html", Path(folder) / "schedule.html"
        for command, page in ((ROMM, romm), (SCHEDULE, schedule)):
            with contextlib.redirect_stdout(io.StringIO()):
                routeproof([*command.split(), "--html", str(page)])
        browser = play.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        take(browser, romm, "page.png", (1180, 1240), color_scheme="light")
        take(browser, romm, "page-dark.png", (1180, 1240), color_scheme="dark", look=PAIR)
        take(browser, romm, "page-phone.png", (390, 1260), color_scheme="light", device_scale_factor=1.5)
        take(browser, schedule, "page-schedule.png", (1180, 1080), color_scheme="light", look=NEXT)
        browser.close()


if __name__ == "__main__":
    main()
