"""Proofs checked by the page itself, in a real browser: pages as written, falsified ones, and the whole corpus."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from falsified_proofs import falsifications, other_quotients
from named_proofs import MIXED, proof_of_everything
from proofs import CORPUS, Proof, checked, checked_file, every_character, proof_of
from routeproof.cli.main import main
from symmetric_proofs import ASKED, symmetric_proof

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
BROWSER = os.environ.get("ROUTEPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on this machine")
STATUS = {"correct": 0, "incorrect": 1, "malformed": 2}
FILES = [path for folder in STATUS for path in sorted((CORPUS / folder).glob("*.json"))]


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context().new_page()
        page.set_default_timeout(600_000)
        yield page
        browser.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("check") / "mesh.html"
    assert main(["worst-case", "mesh:3x3", "-r", "dor", "-t", "tornado", "--html", str(path)]) == 0
    return path


def check_here(tab: Any, path: Path) -> tuple[str, str]:
    """(the class of the verdict, what it says), after the button was clicked."""
    tab.goto(path.as_uri())
    tab.evaluate("document.querySelectorAll('details').forEach((x) => { x.open = true; })")
    tab.click("#check")
    tab.wait_for_selector("#verdict.holds, #verdict.fails")
    return str(tab.get_attribute("#verdict", "class")), str(tab.inner_text("#verdict"))


def test_every_claim_turns_green(tab: Any, page: Path) -> None:
    kind, said = check_here(tab, page)
    claims = tab.eval_on_selector_all("#checks li", "some => some.map(x => [x.className, x.textContent])")
    assert kind == "holds"
    assert said.startswith(f"{len(claims)} claims hold")
    assert all(colour == "holds" and text.endswith(": holds") for colour, text in claims)
    assert any("no channel carries more than 2 times its bandwidth" in text for _, text in claims)


def test_it_can_be_checked_again(tab: Any, page: Path) -> None:
    check_here(tab, page)
    tab.click("#check")
    tab.wait_for_selector("#verdict.holds")
    assert tab.eval_on_selector_all("#checks li.holds", "some => some.length") > 5


def falsified(page: Path, change: Any) -> Path:
    """A page whose proof is changed by ``change``, which may give another object."""
    before, mark, rest = page.read_text(encoding="utf-8").partition('<script type="application/json" id="proof">')
    text, end, after = rest.partition("</script>")
    proof = json.loads(text)
    change(proof)
    path = page.with_name("falsified.html")
    path.write_text(before + mark + json.dumps(proof) + end + after, encoding="utf-8")
    return path


def test_a_page_that_says_something_false_is_found_out(tab: Any, page: Path) -> None:
    def smaller(proof: Any) -> None:
        claim = next(x for x in proof["claims"] if x["kind"] == "worst-case-at-most")
        claim["value"] = [19, 10]

    kind, said = check_here(tab, falsified(page, smaller))
    assert kind == "fails"
    assert "does not hold: claim 1 (worst-case-at-most" in said
    assert not tab.eval_on_selector_all("#checks li.holds", "some => some.length")


def test_a_page_with_another_network_is_found_out(tab: Any, page: Path) -> None:
    def narrower(proof: Any) -> None:
        for channel in proof["network"]["channels"]:
            channel[2] += 1
        proof["network"]["channels"][0][2] -= 1

    kind, said = check_here(tab, falsified(page, narrower))
    assert kind == "fails"
    assert "does not hold" in said


def test_a_page_with_another_file_in_place_of_the_proof(tab: Any, page: Path) -> None:
    kind, said = check_here(tab, falsified(page, lambda proof: proof.update(version=5)))
    assert kind == "fails"
    assert said == "unreadable: another format, or a version that this checker does not know"


@pytest.fixture
def alone(tab: Any) -> Any:
    """The checker on an empty page."""
    source = (resources.files("routeproof.report.html") / "assets" / "proof_checker.js").read_text(encoding="utf-8")
    tab.goto("about:blank")
    tab.add_script_tag(content=f"{source}\nwindow.checker = proofChecker;")
    return tab


def printed(alone: Any, text: str) -> list[str]:
    """What the browser says of a proof, as the other checkers print it."""
    found = alone.evaluate(
        """text => {
            let said = {};
            const found = checker().check(text, { read: (words, lines) => { said = { words, lines }; } });
            return { ...found, ...said };
        }""",
        text,
    )
    held = [f"{k + 1}. {words}: holds" for k, words in enumerate(found["words"])] if found["status"] == 0 else []
    return [*found["lines"], *held, *found.get("left", ()), found["message"]]


def require_agreement(alone: Any, proof: Proof | str) -> None:
    """With the Python checker, to the letter where all claims hold."""
    text = proof if isinstance(proof, str) else json.dumps(proof)
    status, said = checked(text)
    if status == 0:
        assert printed(alone, text) == said.splitlines()
    else:
        assert alone.evaluate("text => checker().check(text).status", text) == status


@pytest.mark.parametrize("path", sorted((CORPUS / "correct").glob("*.json")), ids=lambda path: path.name)
def test_the_browser_prints_what_the_python_checker_prints(alone: Any, path: Path) -> None:
    require_agreement(alone, path.read_text(encoding="utf-8"))


def test_the_browser_escapes_the_same_characters(alone: Any) -> None:
    require_agreement(alone, every_character())


@pytest.mark.parametrize(
    "name", ["worst case", "jobs", "box and rows", "design", "ideal", "virtual", "failures", "graph document"]
)
def test_the_browser_agrees_on_falsified_proofs(alone: Any, name: str) -> None:
    proof = proof_of(name)
    for _, changed in falsifications(proof, 30, seed=3):
        require_agreement(alone, changed)
    for changed in other_quotients(proof, 20, seed=3) if proof["network"] else ():
        require_agreement(alone, changed)


@pytest.mark.parametrize("name", ASKED)
def test_the_browser_agrees_on_routings_made_of_images(alone: Any, name: str) -> None:
    proof = symmetric_proof(name)
    require_agreement(alone, proof)
    for _, changed in falsifications(proof, 20, seed=5):
        require_agreement(alone, changed)


@pytest.mark.parametrize("name", MIXED)
def test_the_browser_knows_the_same_names(name: str, alone: Any, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(proof_of_everything(name, seed=MIXED.index(name))), encoding="utf-8")
    wanted = checked_file(path)[1].splitlines()
    assert printed(alone, path.read_text(encoding="utf-8"))[:-1] == wanted[:-1]
    assert len(wanted) > 30


def test_the_browser_agrees_with_the_corpus(alone: Any) -> None:
    wrong = []
    for path in FILES:
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:  # a browser is given text, and not bytes
            continue
        found = alone.evaluate("text => checker().check(text)", text)
        if found["status"] != STATUS[path.parent.name]:
            wrong.append((path.name, found))
    assert wrong == []
    assert len(FILES) > 100


def test_a_page_says_why_it_has_no_proof(tmp_path: Path) -> None:
    """Also one that is too large for a page."""
    path = tmp_path / "large.html"
    assert main(["worst-case", "torus:32x32", "-r", "dor", "--html", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert "no proof to be checked in your browser" in text
    assert 'id="proof"' not in text
    assert "--elaborate" in text
