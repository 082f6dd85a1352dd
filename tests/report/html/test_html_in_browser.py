"""Report pages in a real browser: clicked, hovered, typed at; nothing may fail and nothing may leave the page."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from routeproof import named_routing, network
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.questions.answer import subject_of
from routeproof.questions.worst_case import answer_worst_case
from routeproof.report.figures.study import study_figure
from routeproof.report.html.page import Page, page_html
from routeproof.studies.result import Row, StudyResult
from routeproof.topologies.family import wiring_from_spec
from routeproof.worst.scan.exact import worst_case

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
BROWSER = os.environ.get("ROUTEPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
EXAMPLE = Path(__file__).parents[3] / "examples" / "ethernet"
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on this machine")
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=BROWSER, args=QUIET.split())
        yield running
        running.close()


class Tab:
    """A page with what went wrong on it."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1200, "height": 900}, **options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}") or dialog.dismiss())
        self.page.set_default_timeout(600_000)
        self.page.goto(path.as_uri())  # until it is loaded, and its scripts have run
        if options.get("java_script_enabled", True):
            self.unfold()

    def unfold(self) -> None:
        """Opens whatever is folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach((x) => { x.open = true; })")

    def until(self, expression: str) -> None:
        """Wait until it is true; a page that forbids ``eval`` refuses Playwright's own second look."""
        for _ in range(3000):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it was never true: {expression}")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def close(self) -> None:
        assert self.complaints == []
        elsewhere = [x for x in self.requests[1:] if not x.startswith(("data:", "blob:"))]
        assert elsewhere == []
        self.context.close()


@pytest.fixture(scope="module")
def romm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "romm.html"
    assert main(["worst-case", "torus:5x5", "-r", "romm", "-t", "tornado", "--html", str(path)]) == 0
    return path


def test_hover_a_channel_and_see_who_crosses_it(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    assert "Busiest channel: (0,0) → (1,0)" in tab.text("#info")
    assert "8/3" in tab.text("#info")
    x, y = tab.page.evaluate("routeproof.map.channelPoint(5)")
    tab.page.mouse.move(x, y)
    assert "number 5" in tab.text("#info")
    tab.page.mouse.move(2, 2)
    assert "Busiest channel" in tab.text("#info")
    tab.page.mouse.click(x, y)
    tab.page.mouse.move(2, 2)
    assert "number 5" in tab.text("#info")
    tab.page.click("#clear")
    assert "Busiest channel" in tab.text("#info")
    tab.close()


def test_loads_of_the_pairs_sum_to_the_load_of_the_channel(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    wrong = tab.page.evaluate(
        """() => {
          const e = routeproof; const bad = [];
          for (const p of e.chosen.patterns) for (let c = 0; c < e.net.tail.length; c += 1) {
            let n = 0n, d = 1n;
            const pairs = e.chosen.pairs.crossing({...p, channel: undefined}, c);
            for (const [, , x] of pairs) { n = n * x.d + x.n * d; d *= x.d; }
            const y = e.values[p.load[c]];
            if (n * y.d !== y.n * d) bad.push([p.name, c]);
          }
          return bad;
        }"""
    )
    assert wrong == []
    tab.close()


def test_pick_a_pair_and_see_its_paths(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    tab.page.select_option("#source", "0")
    tab.page.select_option("#destination", "7")
    found = tab.page.eval_on_selector_all("#info tbody tr td:first-child", "cells => cells.map(x => x.textContent)")
    assert sum(eval(x) for x in found) == 1
    assert "hops on average" in tab.text("#info")
    tab.page.select_option("#destination", "0")
    assert "one node" in tab.text("#info")
    tab.page.click("#clear")
    tab.page.evaluate("routeproof.map.base.scrollIntoView({block: 'center'})")
    for node in (3, 11):
        tab.page.mouse.click(*tab.page.evaluate(f"routeproof.map.nodePoint({node})"))
    assert (tab.page.input_value("#source"), tab.page.input_value("#destination")) == ("3", "11")
    tab.close()


def test_switch_patterns_and_sort_tables(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    names = tab.page.eval_on_selector_all("#pattern option", "some => some.map(x => x.textContent)")
    assert names == ["worst permutation", "uniform", "tornado"]
    tab.page.select_option("#pattern", "1")
    assert "3/5" in tab.text("#about")
    tab.page.select_option("#pattern", "2")
    assert tab.text("#about").startswith("tornado")
    tab.page.click("#channels th >> text=number")
    first = "#channels tbody tr td:first-child"
    assert tab.page.inner_text(first) == "0"
    tab.page.click("#channels th >> text=number")
    assert tab.page.inner_text(first) == "99"
    tab.page.click("#claims th >> text=exact")
    order = tab.page.eval_on_selector_all("#claims tbody td:nth-child(2)", "some => some.map(x => x.textContent)")
    values = [eval(x) for x in order]
    assert values == sorted(values)
    assert tab.page.get_attribute("#claims th:nth-child(2)", "aria-sort") == "ascending"
    tab.close()


def test_everything_by_keyboard(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    tab.page.focus("#map")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowRight")
    second = tab.text("#said")
    assert second.startswith("channel ")
    shown = tab.text("#info h3")
    tab.page.keyboard.press("Enter")  # keeps what the arrows came to
    assert (tab.text("#said"), tab.text("#info h3")) == (second, shown)
    tab.page.keyboard.press("ArrowLeft")
    assert tab.text("#said") != second
    tab.page.keyboard.press("+")
    assert tab.page.evaluate("routeproof.map.zoom") > 1
    tab.page.keyboard.press("-")
    tab.page.keyboard.press("Escape")
    assert "Busiest" in tab.text("#info")
    tab.page.focus("#channels th button")
    tab.page.keyboard.press("Enter")
    assert tab.page.get_attribute("#channels th", "aria-sort") == "ascending"
    tab.close()


def test_downloads_are_the_report_and_the_picture(browser: Any, romm: Path, tmp_path: Path) -> None:
    tab = Tab(browser, romm, accept_downloads=True)
    with tab.page.expect_download() as saved:
        tab.page.click("#save-json")
    saved.value.save_as(tmp_path / "report.json")
    assert main(["verify", str(tmp_path / "report.json")]) == 0
    with tab.page.expect_download() as saved:
        tab.page.click("#save-svg")
    saved.value.save_as(tmp_path / "picture.svg")
    picture = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert picture.count("<polygon") > 100
    assert "NaN" not in picture
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_needs_no_sideways_scrolling(browser: Any, romm: Path, scheme: str) -> None:
    tab = Tab(browser, romm, color_scheme=scheme)
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.until("window.innerWidth === 360")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    dark = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 23, 27)")
    tab.close()


def test_numbers_without_javascript(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm, java_script_enabled=False)
    assert "12/5" in str(tab.page.text_content("#claims"))
    assert "(0,0) \u2192 (1,0)" in tab.text("#view")
    tab.close()


@pytest.mark.parametrize(
    ("topology", "routing", "form"),
    [
        ("torus:32x32", "dor", "translations"),
        ("random-regular:1000,degree=6,seed=7", "minimal:choice=per-path", "some"),
    ],
)
def test_a_thousand_nodes(browser: Any, tmp_path: Path, topology: str, routing: str, form: str) -> None:
    net = network(topology)
    chosen = named_routing(routing, net)
    if form == "translations":
        analysis = answer_worst_case(chosen)
        page = Page(subject_of(chosen, topology=topology), analysis.stated, routing=chosen)
    else:  # its worst case takes longer than a test should
        page = Page(subject_of(chosen, topology=topology), [], routing=chosen)
        form = "none"
    path = tmp_path / "large.html"
    path.write_text(page_html(page), encoding="utf-8")
    assert path.stat().st_size < 3_000_000
    tab = Tab(browser, path)
    assert tab.page.evaluate("routeproof.chosen.pairs.form") == form
    x, y = tab.page.evaluate("routeproof.map.channelPoint(1000)")
    tab.page.mouse.move(x, y)
    assert "number" in tab.text("#info")
    if form == "translations":
        tab.page.select_option("#source", "40")
        tab.page.select_option("#destination", "900")
        assert "hops on average" in tab.text("#info")
    tab.close()


def test_bundles_open_and_a_switch_is_found_by_its_name(browser: Any, tmp_path: Path) -> None:
    net = network("three-tier-clos:8,20,4,16,16")  # 400 switches
    chosen = named_routing("minimal:choice=per-hop", net)
    path = tmp_path / "large.html"
    path.write_text(page_html(Page(subject_of(chosen, topology="t"), [], routing=chosen)), encoding="utf-8")
    tab = Tab(browser, path)
    assert (
        tab.page.evaluate("routeproof.map.net.n") == 2 * 16 + 1
    )  # leaves and the switches above them, by pod; the top
    crossed = """routeproof.map.fold.members.every((some, k) => some.every((c) =>
        routeproof.map.fold.node[routeproof.net.tail[c]] === routeproof.map.net.tail[k]
        && routeproof.map.fold.node[routeproof.net.head[c]] === routeproof.map.net.head[k]))"""
    assert tab.page.evaluate(crossed)
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.until("routeproof.map.width < 390")
    tab.page.evaluate("routeproof.map.marks.destinations = new Set(routeproof.net.labels.keys())")
    assert tab.page.evaluate(HIDDEN) == 0  # however many are marked
    tab.page.set_viewport_size({"width": 1200, "height": 900})
    tab.until("routeproof.map.width > 390")
    x, y = tab.page.evaluate("routeproof.map.nodePoint(0)")
    tab.page.mouse.click(x, y)
    assert tab.page.evaluate("routeproof.map.net.n") == 2 * 16 + 1 + 19
    assert tab.page.evaluate(crossed)
    name = tab.page.evaluate("routeproof.net.labels[77]")
    tab.page.fill("#find", name)
    tab.page.keyboard.press("Enter")
    tab.page.mouse.move(2, 2)
    assert name in tab.text("#info h3")
    assert "8 channels" in tab.text("#info")  # a cable each way to the four switches above
    assert tab.page.evaluate("routeproof.map.fold.items[routeproof.map.fold.node[77]].nodes.length") == 1
    tab.page.click("text=Close all")
    assert tab.page.evaluate("routeproof.map.net.n") == 2 * 16 + 1
    assert tab.page.evaluate("routeproof.map.svg('x')").count("<circle") == 2 * 16 + 1
    tab.close()


def test_hostile_names_do_nothing(browser: Any, tmp_path: Path) -> None:
    name = "<script>alert(1)</script><img src=x onerror=alert(2)>\x1b\u202e"
    net = Network.of(name, 3, [(0, 1), (1, 2), (2, 0)], labels=[name, "</script>", "c"])
    chosen = named_routing("minimal:choice=per-path", net)
    page = Page(subject_of(chosen, topology=name), answer_worst_case(chosen).stated, routing=chosen)
    path = tmp_path / "hostile.html"
    path.write_text(page_html(page), encoding="utf-8")
    tab = Tab(browser, path)
    tab.page.select_option("#source", "0")
    tab.page.select_option("#destination", "2")
    assert "<img src=x" in tab.text("#info")
    assert "\\x1b" in tab.text("h1")
    tab.close()


def test_step_through_a_destination_graph(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    given = ["search", "permutation", "--radix", "2", "--dimensions", "4", "--steps", "4", "--html", str(path)]
    assert main(given) == 0
    tab = Tab(browser, path)
    assert "before the first step" in tab.text("#info")
    for _ in range(4):
        tab.page.click("#next")
    assert "16 of 16" in tab.text("#info")
    for request in ("reverse", "cycle", "random"):
        tab.page.select_option("#request", request)
        clashes = tab.page.evaluate(
            "() => { const found = []; for (let n = 0; n <= 4; n += 1) { routeproof.steps.go(n); "
            "found.push(routeproof.state.clashes); } return found; }"
        )
        assert clashes == [0, 0, 0, 0, 0]
        assert "16 of 16" in tab.text("#info")
    tab.page.focus("#map")
    tab.page.keyboard.press("ArrowLeft")
    assert "after step 3" in tab.text("#info")
    tab.close()


def test_step_through_a_run_on_a_cube(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    assert main(["simulate", "packets", "hypercube:4", "-p", "bit-reversal", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    steps = tab.page.evaluate("routeproof.data.steps")
    for _ in range(steps):
        tab.page.click("#next")
        assert tab.page.evaluate("routeproof.state.clashes") == 0
    arrived, packets = tab.page.evaluate("[routeproof.state.arrived, routeproof.packets]")
    assert arrived == packets > 0
    tab.close()


@pytest.mark.parametrize(
    "verb",
    [
        ["packets", "multibutterfly:16,d=2,seed=7", "-p", "bit-reversal"],
        ["circuits", "multibutterfly:16,d=2,seed=7", "-p", "bit-reversal", "--load", "4"],
        ["faults", "multibutterfly:16,d=2,seed=7", "--faults", "random:count=3,seed=1"],
    ],
    ids=lambda verb: verb[0],
)
def test_step_through_a_multistage_network(browser: Any, tmp_path: Path, verb: list[str]) -> None:
    path = tmp_path / "run.html"
    assert main(["simulate", *verb, "--html", str(path)]) == 0
    tab = Tab(browser, path)
    frames = tab.page.evaluate("routeproof.frames.length")
    assert frames > 1
    assert tab.page.evaluate(
        "routeproof.frame.cells.some((kind) => kind > 0)"
    )  # it opens where there is something to see
    assert tab.page.evaluate("[...routeproof.wires]") == wiring_from_spec(verb[1]).wire.reshape(-1).tolist()
    tab.page.evaluate("routeproof.steps.go(routeproof.frames.length - 1)")
    last = tab.text("#info")
    tab.page.click("#back")
    assert tab.text("#info") != last
    tab.close()


def test_compare_switches_routings(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    assert main(["compare", "torus:4x4", "dor", "valiant", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    before = tab.text("#info")
    tab.page.select_option("#routing", "1")
    assert tab.text("#info") != before
    assert json.loads(tab.page.text_content("#report"))["claims"]
    tab.close()


def test_links_in_tables_show_that_they_have_the_focus(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    tab.page.focus("#channels tbody button.link")
    tab.page.keyboard.press("Tab")  # by keyboard, which is what :focus-visible asks for
    outline = tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert tab.page.evaluate("document.activeElement.className") == "link"
    assert outline == "solid"
    tab.close()


def test_a_row_of_the_table_chooses_what_the_picture_shows(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "failures.html"
    assert main(["failures", "mesh:3x3", "-r", "minimal", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert tab.page.evaluate("routeproof.map.failed.channels.size") == 2
    first = tab.page.evaluate("[...routeproof.map.failed.channels]")
    tab.page.click("#choices tbody tr:nth-child(2) button")
    assert tab.page.evaluate("[...routeproof.map.failed.channels]") != first
    assert tab.page.input_value("#routing") == "1"
    assert "chosen" in str(tab.page.get_attribute("#choices tbody tr:nth-child(2)", "class"))
    tab.page.select_option("#routing", label="nothing has failed")
    assert tab.page.evaluate("routeproof.map.failed.channels.size") == 0
    assert tab.text("#beside").startswith("Load under each link's own worst case, on one scale")
    small = tab.page.locator(".small button").all_inner_texts()
    assert [x.split("\n")[0] for x in small[:3]] == ["nothing has failed", "(0,1) - (1,1)", "second minus first"]
    tab.close()


def test_what_a_failure_changes_is_exact(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "failures.html"
    assert main(["failures", "mesh:3x3", "-r", "minimal", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert tab.text("h1") == "minimal on mesh:3x3 after failures"  # as it was typed
    assert tab.text("header p").startswith("minimal is minimal:choice=per-path; ")
    assert tab.page.evaluate("routeproof.shown === routeproof.beside[1].pattern")  # the large picture is the small one
    wrong = """() => routeproof.order.filter((c) => { routeproof.pin(c); const load = routeproof.shownValue(c);
        const rows = [...document.querySelectorAll('#info tbody td:last-child')].map((x) => x.textContent.split('/'));
        const sum = rows.reduce((a, [n, d]) => a + Number(n) / Number(d || 1), 0);
        return rows.length && Math.abs(sum - Number(load.n) / Number(load.d)) > 1e-9; }).length"""
    assert "pairs cross it" in tab.text("#info")
    assert tab.page.evaluate(wrong) == 0  # pairs that are shown make up the load that is shown
    tab.page.click(".small button:nth-child(3)")
    assert tab.page.get_attribute(".small button:nth-child(3)", "aria-pressed") == "true"
    assert "(0,1) - (1,1) minus nothing has failed" in tab.text("#about")
    whole, left = network("mesh:3x3"), network("mesh:3x3,dead-links=1-4")
    before, after = (worst_case(named_routing("minimal", x), all_channels=True) for x in (whole, left))
    ends = zip(left.tail.tolist(), left.head.tolist(), strict=True)
    now = dict(zip(ends, after.channel_loads or (), strict=True))
    names = zip(whole.tail.tolist(), whole.head.tolist(), strict=True)
    expected = [now.get(x, Fraction(0)) - y for x, y in zip(names, before.channel_loads or (), strict=True)]
    shown = "[...routeproof.use.keys()].map((c) => { const x = routeproof.shownValue(c); return `${x.n}/${x.d}`; })"
    assert [Fraction(x) for x in tab.page.evaluate(shown)] == expected
    check_readable(tab, "dark")
    tab.close()


def test_a_waiting_cycle_can_be_followed(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "deadlock.html"
    assert main(["deadlock", "torus:5x5", "-r", "dor", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert "5 packets wait for one another" in tab.text("#info")
    assert tab.page.evaluate("routeproof.map.marks.flow.size") == 5
    tab.page.click("#info tbody tr:nth-child(2) td:nth-child(1) button")
    assert "hops on average" in tab.text("#info")
    tab.page.click("#clear")
    tab.page.click("#info tbody tr:nth-child(2) td:nth-child(2) button")
    assert "load" in tab.text("#info")
    tab.close()


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("topology", ["slim-fly:5", "fat-tree:4"])
def test_no_name_is_cut_at_the_edge(browser: Any, tmp_path: Path, topology: str, width: int) -> None:
    path = tmp_path / "names.html"
    assert main(["convert", topology, str(tmp_path / "net.json"), "--html", str(path)]) == 0
    tab = Tab(browser, path)
    tab.page.set_viewport_size({"width": width, "height": 740})
    tab.until(f"window.innerWidth === {width} && routeproof.map.width < {width}")
    cut = tab.page.evaluate(
        """() => { const map = routeproof.map; const pen = document.createElement('canvas').getContext('2d');
          return map.labels().filter(({text, x, y, size}) => { pen.font = `${size}px system-ui, sans-serif`;
            const half = pen.measureText(text).width / 2;
            return x < half || x > map.width - half || y < size / 2 || y > map.height - size / 2; }).length; }"""
    )
    assert cut == 0
    tab.close()


def test_a_phone_shows_every_column_of_the_claims(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.until("window.innerWidth === 360")
    for column in range(1, 7):
        box = tab.page.locator(f"#claims tbody tr:nth-child(2) td:nth-child({column})").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    cards = tab.page.locator(".cards").bounding_box()
    assert cards is not None
    assert cards["y"] + cards["height"] < 500  # the picture begins on the first screen
    tab.close()


DATA = Path(__file__).parents[2] / "data"
ZOO = str(DATA / "topology-zoo" / "Abilene.graphml")
FABRIC = str(DATA / "ethernet" / "leaf-spine")
KINDS = {
    "torus": ["worst-case", "torus:4x4", "-r", "dor"],
    "zoo": ["worst-case", ZOO, "-r", "minimal"],
    "fabric": ["worst-case", FABRIC],
    "fat tree": ["worst-case", "fat-tree:4,levels=3", "-r", "ecmp"],
    "dragonfly": ["worst-case", "dragonfly:1,2,1", "-r", "minimal"],
    "slim fly": ["worst-case", "slim-fly:5", "-r", "minimal"],
    "collective": ["collective", "torus:3x3", "--operation", "all-gather"],
    "design": ["design", "torus:3x3", "--objective", "worst-case"],
    "simulation": ["simulate", "load", "torus:3x3", "-r", "dor", "--cycles", "200", "--warm-up", "50"],
    "adaptive": ["adaptive", "torus:3x3"],
    "failures": ["failures", "mesh:3x3", "-r", "minimal"],
    "deadlock": ["deadlock", "torus:4x4", "-r", "dor"],
    "diff": ["diff", str(DATA / "ethernet" / "three-tiers"), str(DATA / "ethernet" / "three-tiers-agg11-swp4")],
    "study": ["study", "towles-dally-2002-figure-9"],
    "circuits": ["simulate", "circuits", "multibutterfly:16,d=2,seed=7", "-p", "bit-reversal", "--load", "4"],
    "faults": ["simulate", "faults", "multibutterfly:16,d=2,seed=7", "--faults", "random:count=3,seed=1"],
    "hashing": ["hashing", "fat-tree:4", "-r", "ecmp", "-t", "shift:by=4"],
    "packets": ["simulate", "packets", "butterfly:3", "-p", "random:seed=1"],
}
OVERLAPS = """() => { const map = window.routeproof && routeproof.map; if (!map || !map.width) return 0;
  const pen = document.createElement('canvas').getContext('2d');
  const boxes = map.labels().filter((x) => !x.inside).map(({text, x, y, size}) => {
    pen.font = `${size}px system-ui, sans-serif`; const half = pen.measureText(text).width / 2;
    return [x - half, y - size / 2, x + half, y + size / 2]; });
  return boxes.filter((a, k) => boxes.slice(0, k).some((b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]))
    .length; }"""


HIDDEN = """() => { const map = window.routeproof && routeproof.map; if (!map || !map.width || map.net.ticks) return 0;
  const pen = document.createElement('canvas').getContext('2d'); const radius = map.net.radius * map.scale;
  const nodes = Array.from({ length: map.net.n }, (_, v) => map.point(map.net.x[v], map.net.y[v]));
  return map.labels().filter((x) => !x.inside).filter(({text, x, y, size}) => {
    pen.font = `${size}px system-ui, sans-serif`; const half = pen.measureText(text).width / 2;
    return nodes.some(([a, b]) => Math.hypot(a - Math.max(x - half, Math.min(a, x + half)),
      b - Math.max(y - size / 2, Math.min(b, y + size / 2))) < radius - 1); }).length; }"""
"""Names that stand on a node."""


FAINT = """() => { const found = [];
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => [r, g, b].map((x) => linear(x / 255))
    .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05); };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode; const own = text.parentElement;
    if (!text.data.trim() || own.closest('script, style, noscript') || !own.getClientRects().length) continue;
    const style = getComputedStyle(own); const svg = own instanceof SVGElement;
    const size = parseFloat(style.fontSize);
    if (size < 12) found.push(['small', size, text.data.trim().slice(0, 30)]);
    let under = own;
    while (under && parse(getComputedStyle(under).backgroundColor)[3] === 0) under = under.parentElement;
    const paper = under ? parse(getComputedStyle(under).backgroundColor)
      : parse(getComputedStyle(document.body).backgroundColor);
    const got = ratio(parse(svg ? style.fill : style.color), paper);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (got < (large ? 3 : 4.5) && !own.disabled) found.push(['faint', got, text.data.trim().slice(0, 30)]);
  }
  const map = window.routeproof && routeproof.map;
  if (map && map.width) map.labels().filter((x) => x.size < 12).forEach((x) => found.push(['small', x.size, x.text]));
  return found; }"""
"""Text below 12 pixels, or of less contrast than WCAG 2.2 asks for (1.4.3, level AA)."""


def test_faint_and_small_text_is_found(browser: Any, romm: Path) -> None:
    tab = Tab(browser, romm)
    assert tab.page.evaluate(FAINT) == []
    tab.page.evaluate("document.body.append(document.createElement('p'))")
    tab.page.evaluate("Object.assign(document.body.lastChild.style, {color: '#999', fontSize: '11px'})")
    tab.page.evaluate("document.body.lastChild.textContent = 'faint and small'")
    assert [x[0] for x in tab.page.evaluate(FAINT)] == ["small", "faint"]
    tab.close()


BEYOND = """[...document.querySelectorAll('.stacked')].some((x) => x.scrollWidth > x.parentElement.clientWidth)"""
"""Is there a table that a phone shows row below row, and that is wider than its box?"""


def check_readable(tab: Tab, theme: str) -> None:
    tab.page.emulate_media(color_scheme=theme)
    assert tab.page.evaluate(FAINT) == []
    for width in (390, 1280, 2560):
        tab.page.set_viewport_size({"width": width, "height": 844})
        tab.until(f"window.innerWidth === {width}")
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.page.evaluate(OVERLAPS) == 0
        assert width > 390 or not tab.page.evaluate(BEYOND)


def check_first_screen(browser: Any, path: Path) -> None:
    """The sentence, the whole picture and at most three numbers, on a usual screen, without a click."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_timeout(100)  # the picture is fitted
    assert page.inner_text(".headline").endswith(".")
    pictures = [x.bounding_box() for x in page.locator("#map:visible, #chart .plot:visible").all()]
    assert all(x is not None and x["y"] + x["height"] <= 900 for x in pictures[:1])
    assert page.locator(".cards li").count() <= 3
    context.close()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_read(browser: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "page.html"
    assert main([*KINDS[kind], "--html", str(path)]) == 0
    tab = Tab(browser, path)
    for theme in ("light", "dark"):
        check_readable(tab, theme)
    check_first_screen(browser, path)
    assert re.search(" [-=]> ", tab.text("body")) is None  # one sign for channels and one for pairs
    for key in ("ArrowRight", "ArrowDown", "Escape"):
        tab.page.focus("#map" if tab.page.locator("#map").count() else "a")
        tab.page.keyboard.press(key)
    tab.close()


FAMILIES = (
    "torus:4x4", "torus:3x3x3", "mesh:5x3", "hyperx:4x4", "hypercube:4", "fat-tree:6", "leaf-spine:4,6,4",
    "three-tier-clos:2,4,2,4,3", "rail-optimized:4,4,spines=4", "dragonfly:2,4,2", "dragonfly-plus:2,4,4,2",
    "slim-fly:5", "polarfly:5", "jellyfish:24,ports=6,degree=4,seed=1", "fat-tree:18", "dragonfly:4,9,4",
)  # fmt: skip


@pytest.mark.parametrize("spec", FAMILIES)
def test_no_names_overlap_in_the_picture_of_a_family(browser: Any, tmp_path: Path, spec: str) -> None:
    subject = {"kind": "network", "topology": spec, "network": {"spec": spec}}
    path = tmp_path / "page.html"
    path.write_text(page_html(Page(subject, (), network=network(spec))), encoding="utf-8")
    tab = Tab(browser, path)
    check_readable(tab, "light")
    assert tab.page.evaluate("routeproof.map.labels().length") > 0
    assert tab.page.evaluate(HIDDEN) == 0
    tab.close()


def test_curves_answer_to_mouse_and_keyboard(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["tradeoff", "torus:3x3", "--against", "worst-case", "-r", "dor", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    tab.page.focus("#chart .plot")
    tab.page.keyboard.press("ArrowRight")
    assert "worst-case load" in tab.text("#chart p")
    corner = tab.page.evaluate("routeproofChart.all.filter((p) => p.s.told && p.s.told[p.k]).map((p) => p.s.told[p.k])")
    notes = [x.bounding_box() for x in tab.page.locator("#chart text.note").all()]
    assert len(notes) > 2  # the routing and corners
    beside = [[x["x"], x["x"] + x["width"], x["y"] + 2, x["y"] + x["height"] - 2] for x in notes if x]
    assert not any(a < d and c < b and e < h and g < f for (a, b, e, f), (c, d, g, h) in combinations(beside, 2))
    csv = tab.page.evaluate("routeproofChart.csv()").splitlines()
    assert csv[0] == "panel,series,x,y,low,high,exact"
    assert [x for x in corner if not any(x in row for row in csv)] == []
    box = tab.page.locator("#chart .plot").bounding_box()
    x, y = tab.page.evaluate("routeproofChart.all[routeproofChart.all.length - 1].at")
    assert box is not None
    tab.page.mouse.move(box["x"] + x + 2, box["y"] + y)
    assert tab.text("#chart p").startswith("dor: ")
    assert "Of all oblivious routings" in tab.text(".headline")
    svg = tab.page.evaluate("routeproofChart.svg(336, 'serif')")
    assert 'width="336"' in svg
    assert "var(" not in svg
    tab.page.emulate_media(color_scheme="dark")
    assert tab.page.evaluate("routeproofChart.svg(336, 'serif')") == svg  # for a paper, which is white
    assert all(f">{x}</text>" in svg for x in tab.page.evaluate("routeproofChart.named().map((x) => x.name)"))
    tab.close()
    tab = Tab(browser, path, java_script_enabled=False)
    assert tab.page.locator("#chart img").evaluate("(x) => x.complete && x.naturalWidth > 0")
    tab.close()


def test_whole_loads_have_whole_ticks(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main([*KINDS["hashing"], "--html", str(path)]) == 0
    tab = Tab(browser, path)
    loads = tab.page.evaluate("routeproofChart.data.panels.flatMap((p) => p.series.flatMap((s) => s.x))")
    across = [x for x in tab.page.locator("#chart text").all_text_contents() if re.fullmatch(r"[\d.]+", x)]
    assert {str(int(x)) for x in loads} <= set(across)
    assert not {x for x in across if float(x) > 1} - {str(int(x)) for x in loads}
    first, *rest = tab.page.locator(".headline, .headline .quiet").all_inner_texts()
    assert "99 % interval" in first.removesuffix(rest[0])  # the first sentence is whole
    tab.close()


def test_long_names_are_whole_on_a_phone(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    word = "x" * 60  # longer than any line
    labels = ["worst-case throughput of the routing with less than five turns, as a fraction of capacity", f"of {word}"]
    found = StudyResult("t", "s", "", [Row(x, Fraction(1, 2), "1/2") for x in labels])
    path.write_text(page_html(Page({}, [], title="t", figure=lambda look: study_figure(found, look))), encoding="utf-8")
    tab = Tab(browser, path)
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.until("routeproofChart.width < 390")
    drawn = """[...document.querySelectorAll('#chart svg text:has(tspan)')].map((x) =>
        [...x.children].map((y) => y.textContent).join(' '))"""
    first, second = tab.page.evaluate(drawn)
    assert first == labels[0]
    assert second.startswith("of xxx")
    assert second.endswith(f"\u2026 {labels[1]}")  # with its title
    boxes = [tab.page.locator("#chart svg text:has(tspan)").nth(k).bounding_box() for k in (0, 1)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] >= 0
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    tab.close()


def test_paper_is_light_and_shows_what_was_folded(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["tradeoff", "torus:3x3", "--against", "worst-case", "-r", "dor", "--html", str(path)]) == 0
    tab = Tab(browser, path, color_scheme="dark")
    tab.page.evaluate("document.querySelectorAll('details').forEach((x) => { x.open = false; })")
    tab.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.page.evaluate("routeproof.map.colours.paper") == "#ffffff"
    tab.page.emulate_media(media="print")
    assert tab.page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
    assert tab.page.locator("#map").is_visible()
    tab.page.set_viewport_size({"width": 600, "height": 900})
    right = "document.querySelector('{}').getBoundingClientRect().right"
    assert tab.page.evaluate(f"{right.format('#chart svg')} <= {right.format('main')}")
    tab.page.emulate_media(media="screen")
    tab.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.page.evaluate("routeproof.map.colours.paper") != "#ffffff"
    tab.close()


def test_a_torus_can_be_folded(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["worst-case", "torus:5x4", "-r", "dor", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    at = "routeproof.map.net.x.map((x, v) => [x, routeproof.map.net.y[v]])"
    shown, load = tab.page.evaluate(at), tab.text("#info")
    tab.page.click("text=Folded")
    longest = """Math.max(...[...routeproof.net.tail].map((u, c) => { const { x, y } = routeproof.map.net;
        const v = routeproof.net.head[c]; return Math.hypot(x[v] - x[u], y[v] - y[u]); }))"""
    assert tab.page.evaluate(longest) == 2
    assert len(set(map(tuple, tab.page.evaluate(at)))) == 20
    assert tab.page.evaluate("routeproof.map.shapes.length") == 80  # whole, without stubs
    assert tab.text("#info") == load
    check_readable(tab, "dark")
    tab.page.set_viewport_size({"width": 1200, "height": 900})
    tab.until("window.innerWidth === 1200")
    tab.page.click("text=Folded")
    assert tab.page.evaluate(at) == shown
    tab.close()


def test_small_pictures_stand_side_by_side(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    assert main(["compare", "mesh:3x3", "dor", "valiant", "romm", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert tab.page.locator(".small button").count() == 3
    common = "routeproof.beside.map((x) => x.button.title)"
    assert set(tab.page.evaluate(common)) == {"load under each link's own worst case"}
    tab.page.click(".small button:nth-child(3)")
    assert tab.page.input_value("#routing") == "2"
    assert tab.page.get_attribute(".small button:nth-child(3)", "aria-pressed") == "true"
    painted = """[...document.querySelectorAll('.small canvas')].map((x) =>
        new Set(new Uint32Array(x.getContext('2d').getImageData(0, 0, x.width, x.height).data.buffer)).size)"""
    assert min(tab.page.evaluate(painted)) > 3
    check_readable(tab, "dark")
    tab.close()


LESS = """(k) => { routeproof.setRouting(1); routeproof.setLess(String(k)); const e = routeproof;
  return [e.less !== null, [...e.use.keys()].map((c) => { const x = e.shownValue(c); return `${x.n}/${x.d}`; })]; }"""


def test_one_routing_minus_another_is_exact(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    assert main(["compare", "mesh:3x2,bandwidth=2x1", "dor", "valiant", "--html", str(path)]) == 0
    net = network("mesh:3x2,bandwidth=2x1")
    one, other = (worst_case(named_routing(x, net), all_channels=True).channel_loads for x in ("dor", "valiant"))
    assert one is not None
    assert other is not None
    tab = Tab(browser, path)
    assert "own worst case" in tab.text("#about")
    subtracted, found = tab.page.evaluate(LESS, 0)
    assert subtracted
    assert [Fraction(x) for x in found] == [b - a for a, b in zip(one, other, strict=True)]
    assert "valiant minus dor" in tab.text("#about")
    top = max(abs(b - a) for a, b in zip(one, other, strict=True))
    assert tab.text(".legend").startswith(f"\u2212{float(top):.5g}")
    assert tab.page.evaluate("Math.min(...routeproof.map.share) >= -1 && Math.max(...routeproof.map.share) <= 1")
    check_readable(tab, "dark")
    tab.page.select_option("#pattern", label="worst permutation")  # each has its own: no difference is one of traffic
    assert tab.page.evaluate("routeproof.less === null && routeproof.minus.disabled && !routeproof.map.differs")
    tab.page.select_option("#pattern", label="uniform")
    tab.page.select_option("#minus", label="dor")
    assert "difference" in tab.text("#info")
    assert tab.page.evaluate("routeproof.spectrum.words.textContent").startswith("Channels by difference")
    tab.page.evaluate("routeproof.pin(0)")
    assert ", difference " in tab.text("#said")
    tab.close()


def test_the_scale_says_what_no_routing_is_below(browser: Any, tmp_path: Path) -> None:
    path, report = tmp_path / "compare.html", tmp_path / "compare.json"
    given = ["compare", "mesh:3x3", "dor", "o1turn", "--best", "--html", str(path), "--json", str(report)]
    assert main(given) == 0
    claims = json.loads(report.read_text())["claims"]
    (bound,) = {x["value"] for x in claims if x["quantity"] == "worst_case_load" and x["relation"] == ">="}
    tab = Tab(browser, path)
    assert tab.text("#best") == f"| no oblivious routing has a worst case below {bound}"
    left = tab.page.evaluate("parseFloat(document.querySelector('.ghost').style.left) * routeproof.top / 100")
    assert left == pytest.approx(float(Fraction(bound)), abs=1e-4)
    end = "(top) => (routeproof.top = top, routeproof.showScale(), routeproof.high.textContent)"
    assert [tab.page.evaluate(end, x) for x in (1, 2)] == ["1 packet per cycle", "2 packets per cycle"]
    tab.page.select_option("#pattern", label="uniform")  # nothing is claimed of that
    assert tab.page.locator("#best").is_hidden()
    check_readable(tab, "dark")
    tab.close()


def test_two_days_on_one_picture(browser: Any, tmp_path: Path) -> None:
    path, report = tmp_path / "diff.html", tmp_path / "diff.json"
    given = [*KINDS["diff"], "--causes", "0", "--json", str(report), "--html", str(path)]
    assert main(given) == 0
    tab = Tab(browser, path)
    assert "after minus before" in tab.text("#about")
    gone = tab.page.evaluate("[...routeproof.map.failed.channels].map((c) => routeproof.net.channelLabel(c))")
    assert len(gone) == 2
    assert all("agg11" in x and "core1" in x for x in gone)
    claims = json.loads(report.read_text())["claims"]
    for k, day in ((0, "before"), (1, "after")):
        split = [x for x in claims if x.get("day") == day and "flows" not in x]
        load = [x["value"] for x in split if x["quantity"] == "worst_case_load"]
        tab.page.evaluate(f"routeproof.setRouting({k}); routeproof.setLess('');")
        assert Fraction(load[0]) == Fraction(tab.page.evaluate("String(Math.max(...routeproof.use))"))
    again = tmp_path / "again.html"
    assert main(["verify", str(report), "--html", str(again)]) == 0
    assert '"choice":"day"' in again.read_text()
    check_readable(tab, "light")
    tab.close()


def test_a_day_on_which_all_links_are_alike_is_compared_too(browser: Any, tmp_path: Path) -> None:
    monday, tuesday = tmp_path / "monday", tmp_path / "tuesday"
    shutil.copytree(EXAMPLE, monday)
    shutil.copytree(EXAMPLE, tuesday)
    (tuesday / "s2.json").unlink()
    cables = (tuesday / "cables.csv").read_text().splitlines(keepends=True)
    (tuesday / "cables.csv").write_text("".join(x for x in cables if "s2" not in x))
    for leaf in (tuesday / "l1.json", tuesday / "l2.json"):
        routes = json.loads(leaf.read_text())
        for x in routes:
            x["nexthops"] = [hop for hop in x.get("nexthops", []) if hop["dev"] != "swp2"]
        leaf.write_text(json.dumps([{k: v for k, v in x.items() if v != []} for x in routes]))
    path = tmp_path / "diff.html"
    assert main(["diff", str(monday), str(tuesday), "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert "own worst case" in tab.text("#about")
    assert "after minus before" in tab.text("#about")
    assert "device went: s2, with 2 cables there" in tab.text(".headline")
    tab.close()


def test_every_link_has_its_own_worst_case_and_bars_filter_them(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["worst-case", "mesh:3x3", "-r", "dor", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert "own worst case" in tab.text("#about")
    wrong = tab.page.evaluate(
        """() => routeproof.order.filter((c) => { const e = routeproof; let n = 0n, d = 1n;
          for (const [i, j, x] of e.chosen.pairs.crossing(e.shown, c)) {
            const y = e.chosen.pairs.loadOf(i, j, c); if (x.n * y.d !== y.n * x.d) return true;
            n = n * x.d + x.n * d; d *= x.d; }
          const z = e.values[e.shown.load[c]]; return n * z.d !== z.n * d; }).length"""
    )
    assert wrong == 0
    told = re.findall(r"\S+ on (\d+)", tab.text("#spectrum + p"))
    assert sum(map(int, told)) == tab.page.evaluate("routeproof.order.length")
    tab.page.focus("#spectrum button")
    tab.page.keyboard.press("Enter")
    kept = tab.page.evaluate("routeproof.order.filter((c) => routeproof.map.keep(c)).length")
    assert 0 < kept < tab.page.evaluate("routeproof.order.length")
    assert str(kept) in tab.text("#spectrum + p")
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("routeproof.map.keep") is None
    tab.close()


def test_a_link_leads_to_the_claim_that_proves_its_load(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["compare", "torus:4x4", "dor", "valiant", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    for k, name in enumerate(("dor", "valiant")):  # each its own claim
        tab.page.evaluate(f"routeproof.setRouting({k}); routeproof.pin(null)")
        worst = tab.page.evaluate("routeproof.chosen.patterns.find((p) => p.channel !== undefined).channel")
        tab.page.evaluate(f"routeproof.pin({worst})")
        assert name in tab.text("#info .claimed a")
        small = tab.page.evaluate(f"[routeproof.beside[{k}].most, routeproof.top]")
        assert small[0] == pytest.approx(small[1], rel=1e-4)  # the small pictures show it too
    tab.close()
    assert main(["worst-case", "mesh:2x3", "-r", "dor", "--all-channels", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    tab.page.evaluate("document.querySelectorAll('details').forEach((x) => { x.open = false; })")
    for c in range(tab.page.evaluate("routeproof.order.length")):
        tab.page.evaluate(f"routeproof.pin({c})")
        links = tab.page.query_selector_all("#info .claimed a")
        load = tab.text("#info dd.big")
        assert all(x.inner_text().endswith(f" {load}") for x in links)  # what the picture says
        assert 1 <= len(links) <= 2
    links[-1].focus()
    tab.page.keyboard.press("Enter")
    row = tab.page.query_selector(str(links[-1].get_attribute("href")))
    assert row.is_visible()
    assert "channel" in row.query_selector("details").inner_text()
    tab.close()


def test_go_through_the_trees_of_a_packing(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main(["collective", "torus:3x3", "--operation", "all-gather", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert "on every channel together" in tab.text("#about")
    wrong = tab.page.evaluate(
        """() => { const e = routeproof; const total = (p, c) => { const x = e.values[p.load[c]];
            return Number(x.n) / Number(x.d); };
          const [all, ...rest] = e.chosen.patterns; const trees = rest.filter((p) => p.tree);
          const sum = (c) => trees.reduce((a, p) => a + total(p, c), 0);
          const bad = e.order.filter((c) => Math.abs(sum(c) - total(all, c)) > 1e-9);
          const spans = (p) => new Set([p.tree.root, ...p.tree.channels.map((c) => e.net.head[c])]).size === e.net.n;
          return [bad.length, trees.filter((p) => !spans(p)).length]; }"""
    )
    assert wrong == [0, 0]
    tab.page.click("#next")
    assert "What bounds the rate" in tab.text("#info")
    assert "bandwidth 4 together: no schedule is faster than 1/2" in tab.text("#info")
    tab.page.focus("#map")
    tab.page.keyboard.press("ArrowRight")
    assert "tree 1: " in tab.text("#said")
    assert "8 channels" in tab.text("#info")
    assert tab.page.evaluate("routeproof.map.marks.flow.size") == 8
    tab.page.keyboard.press("ArrowDown")  # to a channel of the tree
    assert "trees on this page cross" in tab.text("#info")
    tab.page.focus("#step")
    tab.page.keyboard.press("End")
    assert tab.page.get_attribute("#step", "aria-valuetext").startswith("tree ")
    tab.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert 3 < tab.page.locator(".stills canvas").count() <= 12
    assert tab.page.input_value("#step") == tab.page.input_value("#pattern") != "0"
    tab.close()


def test_go_through_the_phases_of_an_algorithm(browser: Any, tmp_path: Path) -> None:
    path, report = tmp_path / "page.html", tmp_path / "report.json"
    given = ["collective", "mesh:2x4", "-r", "dor", "--algorithm", "recursive-doubling"]
    assert main([*given, "--html", str(path), "--json", str(report)]) == 0
    tab = Tab(browser, path)
    tops = []
    for k in range(3):
        tab.page.select_option("#pattern", str(k))
        assert tab.text("#about").startswith(f"phase {k + 1}: messages of {2**k} unit")
        tops.append(tab.page.evaluate("Math.max(...routeproof.use)"))
        assert tab.page.evaluate("routeproof.map.outlined === routeproof.order[0]")
        assert "cross" in tab.text("#info")
    (time,) = [x["value"] for x in json.loads(report.read_text())["claims"] if x["quantity"] == "collective_time"]
    assert sum(tops) == int(time)
    tab.page.select_option("#routing", "1")
    assert "on every channel together" in tab.text("#about")
    tab.close()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["mesh:6", "-r", "dor", "--jobs", "JOBS", "--algorithm", "ring", "--host-cables", "1"], "together"),
        (["torus:3x3", "--operation", "all-reduce"], "all trees"),
        (["ring:4", "--operation", "reduce-scatter", "--bound"], "the bound"),
        (["fat-tree:2", "--operation", "reduce-scatter", "--host-cables", "1/2"], "all trees"),
        (["fat-tree:2", "-r", "dmodk", "--algorithm", "tree", "--host-cables", "1/2"], "phase 1"),
    ],
)
def test_every_step_can_be_shown(browser: Any, tmp_path: Path, given: list[str], shown: str) -> None:
    path, jobs = tmp_path / "page.html", tmp_path / "jobs.txt"
    jobs.write_text("a: 0 2 4\nb: 1 3 5\n", encoding="utf-8")
    assert main(["collective", *(str(jobs) if x == "JOBS" else x for x in given), "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert tab.text("#about").startswith(f"{shown}: ")
    for m in range(tab.page.evaluate("routeproof.routings.length")):
        tab.page.evaluate(f"routeproof.setRouting({m})")
        for k in range(tab.page.evaluate("routeproof.chosen.patterns.length")):
            tab.page.evaluate(f"routeproof.film.go({k})")
            assert tab.text("#info")
    tab.close()


def test_go_through_the_phases_of_a_schedule(browser: Any, tmp_path: Path) -> None:
    path, schedule = tmp_path / "page.html", tmp_path / "gather.json"
    assert main(["collective", "ring:5", "--operation", "all-gather", "--output", str(schedule)]) == 0
    assert main(["schedule", str(schedule), "--topology", "ring:5", "--html", str(path)]) == 0
    tab = Tab(browser, path)
    assert tab.text("h1") == "gather.json on ring:5"
    assert tab.text("#about").startswith("phase 1: ")
    phases = tab.page.evaluate("routeproof.chosen.patterns.length")
    assert phases > 1
    sent = tab.page.evaluate("routeproof.chosen.patterns.map((p) => p.load.some((x) => x > 0))")
    assert all(sent)
    tab.close()
