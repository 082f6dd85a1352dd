"""``checkers/page/check_proof.html``: the checker of report pages as one file, and its hash in the documentation."""

from __future__ import annotations

import hashlib
import os
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofs import CORPUS, checked_file
from routeproof.claims.kinds import KINDS
from routeproof.report.html.page import Page, page_html

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "checkers" / "page" / "check_proof.html"
ASSETS = ROOT / "src" / "routeproof" / "report" / "html" / "assets"
BROWSER = os.environ.get("ROUTEPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def test_it_is_made_from_the_checker_of_report_pages() -> None:
    made = runpy.run_path(str(PAGE.with_name("make.py")))["page"]()
    text = PAGE.read_text(encoding="utf-8")
    assert text == made, "run: python checkers/page/make.py"
    for asset in ("proof_checker.js", "check_here.js"):
        assert (ASSETS / asset).read_text(encoding="utf-8") in text


def test_its_hash_is_published() -> None:
    docs = (ROOT / "docs" / "why-believe-it.md").read_text(encoding="utf-8")
    found = re.findall(r"^([0-9a-f]{64})  checkers/page/check_proof\.html$", docs, re.MULTILINE)
    assert found == [hashlib.sha256(PAGE.read_bytes()).hexdigest()], "run: python checkers/page/make.py"


def test_it_asks_the_network_for_nothing() -> None:
    text = PAGE.read_text(encoding="utf-8")
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[0].replace("style-src 'unsafe-inline'", "")
    assert "http" not in re.sub(r"http-equiv", "", text)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_runs_the_checker_of_the_page() -> None:
    """On all proofs of the corpus, line by line; and on one, as the Python checker prints it."""
    command = ["node", str(PAGE.with_suffix(".js"))]
    paths = sorted(CORPUS.glob("*/*.json"))
    said = subprocess.run(command, input="".join(f"{x}\n" for x in paths), capture_output=True, text=True).stdout
    status = {"correct": "0", "incorrect": "1", "malformed": "2"}
    assert said.split() == [status[x.parent.name] for x in paths]
    one = CORPUS / "correct" / "two-shortest-paths.json"
    run = subprocess.run([*command, str(one)], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == checked_file(one)


def test_the_page_of_a_report_says_whose_checker_its_button_runs() -> None:
    text = page_html(Page({}, [], proof=("{}", "")))
    said = " ".join(re.sub(r"<[^>]*>", "", text).split())
    assert (
        "The button runs the checker that this page carries. Whoever can forge the page can forge its checker." in said
    )
    assert "checkers/page/check_proof.html" in said


@pytest.mark.parametrize("page", ["proof-format.md"])
def test_the_documentation_says_which_kinds_there_are_and_which_have_proofs(page: str) -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate" / "kinds.py"))
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert text == made["with_kinds"](page, text), "run: python docs/generate/kinds.py"
    assert made["WITH"] <= set(KINDS.own)


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if BROWSER is None:
        pytest.skip("there is no chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(600_000)
        yield page
        browser.close()


def opened(tab: Any, path: Path) -> tuple[str, str]:
    """(the class of the verdict, what it says), after the file was chosen."""
    tab.goto(PAGE.as_uri())
    tab.set_input_files("#file", str(path))
    tab.wait_for_selector("#verdict.holds, #verdict.fails")
    return str(tab.get_attribute("#verdict", "class")), str(tab.inner_text("#verdict"))


def lines(tab: Any, items: str) -> list[str]:
    return [str(x) for x in tab.eval_on_selector_all(items, "some => some.map(x => x.textContent)")]


@pytest.mark.parametrize("name", ["comparison", "mesh-dor", "graph-by-hand", "petersen-shortest-paths", "box-and-rows"])
def test_it_checks_a_file_from_disk(name: str, tab: Any) -> None:
    path = CORPUS / "correct" / f"{name}.json"
    kind, said = opened(tab, path)
    assert kind == "holds"
    wanted = checked_file(path)[1].splitlines()
    assert said.startswith(f"{wanted[-1]}: every one was checked")
    held = [f"{k + 1}. {x}" for k, x in enumerate(lines(tab, "#checks li.holds"))]
    assert [*lines(tab, "#about li"), *held, *lines(tab, "#checks li.quiet")] == wanted[:-1]


def test_it_refuses_what_does_not_hold(tab: Any) -> None:
    kind, said = opened(tab, CORPUS / "incorrect" / "another-path-length.json")
    assert kind == "fails"
    assert said.startswith("does not hold: claim ")
    assert lines(tab, "#about li")


def test_it_refuses_what_cannot_be_read(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for content in (b"{", b"\xff\xfe", b"", b'{"format": "routeproof/proof"}'):
        path.write_bytes(content)
        kind, said = opened(tab, path)
        assert kind == "fails"
        assert said.startswith("unreadable: ")


def test_a_file_is_dropped(tab: Any) -> None:
    tab.goto(PAGE.as_uri())
    text = (CORPUS / "correct" / "two-nodes-by-hand.json").read_text(encoding="utf-8")
    tab.evaluate(
        """text => {
            const held = new DataTransfer();
            held.items.add(new File([text], 'dropped.json'));
            document.getElementById('drop').dispatchEvent(
                new DragEvent('drop', { dataTransfer: held, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    tab.wait_for_selector("#verdict.holds")
    assert tab.inner_text("#check-section h2") == "dropped.json"
