"""The documentation site: every page in the navigation, links and anchors lead somewhere, generated pages are whole."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from generators import DOCS, generator

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(x.relative_to(DOCS).as_posix() for x in DOCS.rglob("*.md"))
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)


@cache
def reference() -> ModuleType:
    return generator("reference")


@cache
def live() -> ModuleType:
    return generator("live")


@cache
def generated() -> dict[str, str]:
    pages: dict[str, str] = reference().pages()
    return pages


@cache
def atlas_pages() -> dict[str, str]:
    pages: dict[str, str] = generator("atlas").network_pages(json.loads((DOCS / "assets" / "atlas.json").read_text()))
    return pages


def text_of(page: str) -> str:
    return generated()[page] if page in generated() else (DOCS / page).read_text(encoding="utf-8")


def entries(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for item in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from entries(item)


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as mkdocs and GitHub make them, and those given by hand."""
    found: set[str] = set()
    for line in re.findall(r"^#+ (.*)$", _FENCE.sub("", text_of(page)), re.MULTILINE):
        given = re.search(r"\{ #(\S+) ", line)
        plain = unicodedata.normalize("NFKD", re.sub(r"[`*]|\]\(.*?\)|\[", "", line)).encode("ascii", "ignore").decode()
        slug = given[1] if given else re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        found.add(slug if slug not in found else f"{slug}_1")
    return found


def test_every_page_is_in_the_navigation_once() -> None:
    yaml = pytest.importorskip("yaml")
    named = list(entries(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]))
    rooms = {f"reference/{path.parent.name}.md" for path in (ROOT / "src/routeproof").glob("*/__init__.py")}
    assert rooms <= set(generated())  # mkdocs_hook.py puts them into the navigation
    assert sorted(named) == sorted({*PAGES, *generated()} - rooms)


@pytest.mark.parametrize("page", PAGES)
def test_links_and_anchors_lead_somewhere(page: str) -> None:
    made = {*generated(), *live().COMMANDS, *atlas_pages()}
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", _FENCE.sub("", text_of(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path = (DOCS / page).parent / target if target else DOCS / page
        assert path.exists() or target in made, f"{page} links to {target}"
        if anchor:
            other = path.resolve().relative_to(DOCS).as_posix()
            assert anchor in anchors(other), f"{page} links to {target}#{anchor}, which has {sorted(anchors(other))}"


def test_links_of_generated_pages_lead_somewhere() -> None:
    for page, text in generated().items():
        for target in re.findall(r"\]\((?:\.\./)?([^)#\s]+\.md)[^)]*\)", _FENCE.sub("", text)):
            assert target in PAGES or f"reference/{target}" in generated(), f"{page} links to {target}"


def test_every_verb_and_option_is_on_its_page() -> None:
    from routeproof.cli.app import app

    page = generated()["reference/commands.md"]
    verbs = dict(reference().verbs(app, "routeproof"))
    assert len(verbs) >= 15
    for path in verbs:
        assert f"\n## {path}\n" in page
    section = page.partition("## routeproof worst-case\n")[2].partition("\n## ")[0]
    for option in ("--routing", "-r", "--traffic", "--json", "--html", "--workers", "--quiet"):
        assert f"<code>{option}</code>" in section


def test_every_public_name_is_on_a_page_of_the_library() -> None:
    import routeproof

    page = generated()["reference/python.md"]
    for name in routeproof.__all__:
        assert name == "__version__" or f"| `{name}` |" in page
    assert "### worst.scan.exact.worst\\_case " in generated()["reference/worst.md"]


@pytest.mark.parametrize("page", ["routings.md", "formats.md"])
def test_lists_of_names_are_as_the_registries_have_them(page: str) -> None:
    assert text_of(page) == generator("names").with_names(page, text_of(page)), "run: python docs/generate/names.py"


def test_the_tables_of_benchmarks_are_those_of_the_runs_that_are_kept() -> None:
    page = text_of("benchmarks.md")
    assert page == generator("benchmarks").with_tables(page), "run: python docs/generate/benchmarks.py"
    rows = [x for x in page.partition("## Other runs")[0].splitlines() if x.startswith("| ")]
    assert len(rows) > 30
    assert len(set(rows)) == len(rows)


def test_every_published_time_names_its_command() -> None:
    """A section of a page that states seconds shows a command, a study, a file of benchmarks or links to them."""
    for page in ("benchmarks.md", "design-methods.md", "few-paths.md", "best-possible.md", "hashing.md"):
        for section in re.split(r"(?m)^#+ ", text_of(page))[1:]:
            if re.search(r"\d (?:s|seconds|minutes|GiB|GB)\b", section):
                named = re.search(r"routeproof|benchmarks|`(?:worst-case|design|verify|adaptive)\b|--\w", section)
                assert named, f"{page}: no command in the section '{section.splitlines()[0]}'"


def test_the_gallery_shows_every_live_page_with_its_command() -> None:
    page = " ".join(text_of("gallery.md").split())
    for path, command in live().COMMANDS.items():
        assert f"`routeproof {command} --html {Path(path).name}` ([open]({path}))" in page
        assert f'<iframe src="{path}"' in page


def test_the_gallery_shows_every_figure_with_its_command() -> None:
    figures = generator("figures")
    assert figures.with_figures(text_of("gallery.md")) == text_of("gallery.md"), "run: python docs/generate/figures.py"
    stored = {x.relative_to(DOCS).as_posix() for place in ("images", "pictures") for x in (DOCS / place).glob("*.svg")}
    assert stored == set(figures.FIGURES) | {x for x in stored if "/concept-" in x or "/atlas" in x}  # drawn by others


QUICK = ("worst-case", "convert", "tradeoff", "simulate circuits", "simulate faults", "study towles-dally-boyd")


@pytest.mark.parametrize("path", [x for x, (_, c) in generator("figures").FIGURES.items() if c.startswith(QUICK)])
def test_a_figure_is_what_its_command_draws_now(path: str) -> None:
    """By its words and numbers: bytes differ from version to version of matplotlib."""
    figures = generator("figures")
    said = [re.findall(r"<!-- (.*?) -->", x) for x in (figures.drawn(figures.FIGURES[path][1]), text_of(path))]
    assert said[0], "no words"
    assert said[0] == said[1], f"run: python docs/generate/figures.py {path}"


def test_a_live_page_is_a_report_page() -> None:
    page = live().live_page(live().COMMANDS["live/fabric.html"])
    assert "Under the worst traffic every host keeps" in page
    assert "Check it here" in page


def test_the_notebook_shows_what_its_cells_show_when_they_are_run() -> None:
    notebook = generator("notebook")
    stored, now = notebook.read()["cells"], notebook.executed()["cells"]
    for cell, again in zip(stored, now, strict=True):
        for output, fresh in zip(cell.get("outputs", ()), again.get("outputs", ()), strict=True):
            assert output.get("text") == fresh.get("text"), "run: python docs/generate/notebook.py"
            assert output.get("data", {}).keys() == fresh.get("data", {}).keys()
            if "image/svg+xml" not in output.get("data", {}):
                assert output.get("data") == fresh.get("data"), "run: python docs/generate/notebook.py"


def test_pages_ask_the_network_for_nothing() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert re.search(r"^  font: false$", config, re.MULTILINE)
    assert "iframe-worker" in config, "the plugin for offline search would load its own from the network"
    for asset in (DOCS / "assets").iterdir():
        assert b"http" not in asset.read_bytes().replace(b"http://www.w3.org/2000/svg", b""), asset.name
    for page in PAGES:
        assert not re.search(r"!\[[^\]]*\]\(http", text_of(page)), f"{page} shows a picture from the network"


def test_the_map_of_the_rooms_is_as_the_rooms_say() -> None:
    page = text_of("developing.md")
    shown = page.partition("<!-- map of the rooms -->\n")[2].partition("<!-- end of the map -->")[0]
    assert shown == reference().map_of_rooms(), "run: python docs/generate/reference.py"


def test_files_named_for_developers_exist() -> None:
    named = re.findall(r"`(\w+(?:/\w+)+(?:\.\w+)?)/?`", text_of("developing.md"))
    assert len(named) > 40
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "src" / "routeproof" / path).exists(), f"{path} does not exist"


def test_the_citation_is_of_this_version_and_of_the_papers() -> None:
    yaml = pytest.importorskip("yaml")
    import routeproof

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == routeproof.__version__
    papers = re.sub(r"\s+", " ", text_of("papers.md")).lower()
    for paper in citation["references"]:
        assert {"type", "title", "authors"} <= set(paper)
        assert paper["title"].lower() in papers, f"{paper['title']} is not in docs/papers.md"


@pytest.mark.parametrize("page", [*PAGES, "../README.md", "../CONTRIBUTING.md", "../SECURITY.md"])
def test_no_line_is_beyond_120_characters(page: str) -> None:
    """Links and addresses count as one character, and rows that were measured as none: they cannot be broken."""
    text = re.sub(r"<!-- tables of .*?<!-- end of the tables -->", "", text_of(page), flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        shown = re.sub(r"(?<=\]\()[^)]*(?=\))|https?://\S+", "x", line)
        assert len(shown) <= 120, f"{page}, line {number} has {len(shown)} characters: {line}"
