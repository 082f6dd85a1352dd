"""Report pages without a browser: what stands in the file, for whoever reads it."""

from __future__ import annotations

import base64
import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from ethernet_files import leaf_spine
from routeproof import DOR, ROMM, Network, Sampled, Valiant, mesh, named_routing, network, torus, verify
from routeproof import worst_case as rp_worst_case
from routeproof.claims.kinds import KINDS
from routeproof.cli.main import main
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.rational import Rationals
from routeproof.formats.documents.network import network_to_document
from routeproof.questions.answer import subject_of
from routeproof.questions.worst_case import answer_worst_case
from routeproof.report.drawing.layout import place
from routeproof.report.html.numbers import Values, packed, pair_store, unpacked
from routeproof.report.html.page import Page, page_html, without_folders
from routeproof.report.html.view import view_of
from routeproof.report.terminal.subject_words import given_names
from routeproof.routing.tables.next_hop import NextHop, next_hops_of

VOID = {"meta", "link", "br", "hr", "img", "input", "source"}
HOSTILE = "<script>alert('x')</script>\x1b[31m\u202e\"&"


class Reader(HTMLParser):
    """Checks that tags close in order; collects text, embedded JSON, and everything that points out of the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.data: dict[str, str] = {}
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.scripts = 0
        self._id: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.handlers += [name for name in given if name.startswith("on")]
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag == "script":
            self.scripts += given.get("type") != "application/json"
            self._id = given.get("id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._id = None

    def handle_data(self, data: str) -> None:
        if self._id is not None:
            self.data[self._id] = self.data.get(self._id, "") + data
        elif self.open[-2:] == ["p", "span"] and self.text:  # within a paragraph
            self.text[-1] += data
        elif not {"script", "style"} & set(self.open):
            self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open
    assert reader.scripts == 1
    assert not reader.handlers
    assert all(x.startswith(("#", "data:")) for x in reader.links)
    return reader


def page_of(routing: object, topology: str) -> str:
    analysis = answer_worst_case(routing)  # type: ignore[arg-type]
    subject = subject_of(analysis.routing, topology=topology)
    return page_html(Page(subject, analysis.stated, routing=analysis.routing))


def test_the_numbers_are_there_without_javascript() -> None:
    reader = read(page_of(ROMM().on(torus(5, 5)), "torus:5x5"))
    text = " ".join(reader.text)
    for words in ("12/5", "PROVED", "worst-case throughput", "(0,0) \u2192 (1,0)", "routeproof verify"):
        assert words in text
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page_of(DOR().on(mesh(2, 2)), "mesh:2x2"))
    assert policy is not None
    assert "default-src 'none'" in policy[1]


def test_the_report_on_the_page_can_be_verified(tmp_path: Path) -> None:
    reader = read(page_of(ROMM().on(torus(4, 4)), "torus:4x4"))
    path = tmp_path / "report.json"
    path.write_text(reader.data["report"], encoding="utf-8")
    assert len(verify(path)) == 8


@pytest.mark.parametrize("name", [HOSTILE, "</script><b>", "<!--<script>", "\u2028"])
def test_names_from_files_are_escaped(name: str) -> None:
    net = Network.of(name, 3, [(0, 1), (1, 2), (2, 0)], labels=[name, "b", "c"])
    page = page_of(named_routing("minimal:choice=per-path", net), name)
    reader = read(page)
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert json.loads(reader.data["data"])["network"]["n"] == 3
    assert json.loads(reader.data["report"])["format"] == "routeproof/report"


def test_what_a_verified_report_gives_stands_in_quotation_marks() -> None:
    net = network("ring:4")
    own = next_hops_of(DOR(tie="plus").on(net))
    assert own is not None
    given = NextHop(own.next_channel, name="the fastest").on(net)
    found = answer_worst_case(given)
    subject = subject_of(given, topology="ring:4")
    full = {**subject, "network": {**network_to_document(net), "name": "four nodes"}, "verified": "report.json"}
    text = page_html(Page(full, found.stated, title="verified", quoted=given_names(full, found.stated)))
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])  # type: ignore[index]
    assert data["network"]["name"] == "'four nodes'"
    assert [x["name"] for x in data["routings"]] == ["'the fastest'"]
    assert "Channels of &#x27;the fastest&#x27;" in text
    assert "Channels of the fastest" in page_html(Page(subject, found.stated, routing=given))


def test_claims_of_any_kind_make_a_page() -> None:
    claim = Claim(
        "steps", "==", Fraction(11), Grade.EXHAUSTED, Evidence("<b>", {"witness": "<i>"}), about={"<u>": "<s>"}
    )
    page = page_html(Page({"topology": "<x>"}, [claim]))
    reader = read(page)
    assert not {"<b>", "<i>", "<u>", "<s>", "<x>"} & set(re.findall(r"<[busix]>", page))
    assert "EXHAUSTED" in " ".join(reader.text)


def test_a_subject_that_cannot_be_drawn_says_so() -> None:
    view, note = view_of({"network": {"spec": "torus:9x9"}, "routing": {"spec": "nonsense"}}, [])
    assert view is None
    assert "left out" in note


def test_packed_numbers_come_back() -> None:
    for numbers in ([], [0], [0, 255], [3, 256], [65536, 1, 2**32 - 1]):
        assert unpacked(packed(numbers)).tolist() == numbers
    with pytest.raises(ValueError, match="packed"):
        packed([-1])


def test_values_are_exact() -> None:
    values = Values()
    some = Rationals(np.array([1, 2, 0, 5]), np.array([2, 4, 7, 1]))
    assert values.of(some).tolist() == [1, 1, 0, 2]
    assert values.texts() == ["0", "1/2", "5"]
    values.number(Fraction(1, 3**1000))
    assert values.texts()[-1].startswith("~")


@pytest.mark.parametrize(
    ("routing", "form"),
    [
        (ROMM().on(torus(4, 4)), "all"),
        (DOR().on(mesh(3, 3)), "all"),
    ],
)
def test_small_networks_carry_all_pairs(routing: object, form: str) -> None:
    values = Values()
    store = pair_store(routing, [], values)  # type: ignore[arg-type]
    assert store["form"] == form
    assert not store["note"]


def test_large_networks_carry_what_fits() -> None:
    values = Values()
    translated = pair_store(DOR().on(torus(6, 6)), [(0, 7)], values, budget=300)
    assert translated["form"] == "translations"
    some = pair_store(DOR().on(mesh(6, 6)), [(0, 7), (3, 3)], values, budget=300)
    assert (some["form"], unpacked(some["row"]).tolist()) == ("some", [0])
    none = pair_store(Valiant().on(torus(6, 6)), [(0, 7)], values, budget=10)
    assert none["form"] == "none"
    assert none["note"]


def test_unequal_bandwidths_are_no_translations() -> None:
    widths = [1] * 16
    widths[3] = 2
    ring = network("ring:8")
    net = Network.of("r", 8, list(zip(ring.tail.tolist(), ring.head.tolist(), strict=True)), bandwidth=widths)
    store = pair_store(named_routing("minimal:choice=per-path", net), [], Values(), budget=20)
    assert store["form"] == "none"


def test_a_network_alone_makes_a_page() -> None:
    net = mesh(3, 2)
    page = page_html(Page({"topology": "mesh:3x2", "network": network_to_document(net)}, [], title="mesh"))
    assert json.loads(read(page).data["data"])["network"]["n"] == 6


def test_a_network_that_is_converted_is_drawn_by_its_structure(tmp_path: Path) -> None:
    _, _, data = made(tmp_path, "convert", "dragonfly:2,4,2", str(tmp_path / "net.json"))
    assert data["network"]["x"] == [round(float(x), 3) for x, _ in place(network("dragonfly:2,4,2")).node]


@pytest.mark.parametrize(("more", "best"), [((), "1"), (("--paths", "minimal"), None)])
def test_the_best_possible_is_that_of_all_routings(more: tuple[str, ...], best: str | None, tmp_path: Path) -> None:
    _, _, data = made(tmp_path, "design", "torus:4x4", "--objective", "worst-case", *more)
    assert data.get("best", {}).get("load") == best


def test_sampled_loads_say_so() -> None:
    def any_way(state: int | None, node: int, destination: int) -> list[tuple[object, object, int]]:
        if state is None:
            return [("1/2", 1, (node + 1) % 6), ("1/2", -1, (node - 1) % 6)]
        return [(1, state, (node + state) % 6)]

    reader = read(page_of(Sampled(any_way, samples=50, seed=7).on(network("ring:6")), "ring:6"))
    about = json.loads(reader.data["data"])["routings"][0]["patterns"][0]["about"]
    assert "estimated" in about
    assert "SAMPLED" in " ".join(reader.text)


_RING = {
    "format": "routeproof/routing",
    "network": {"spec": "ring:3"},
    "pairs": [
        {"source": i, "destination": j, "paths": [{"weight": 1, "channels": [c]}]}
        for i, j, c in [(0, 1, 0), (0, 2, 1), (1, 2, 2), (1, 0, 3), (2, 0, 4), (2, 1, 5)]
    ],
}


def test_names_that_a_verified_report_gives_stand_in_quotation_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the page as on the terminal: in the cards, in the table of claims, and in what can be explored."""
    monkeypatch.chdir(tmp_path)  # short names
    traffic, routing = Path("every adversary.json"), Path("best of all.json")
    traffic.write_text("[2, 0, 1]")
    routing.write_text(json.dumps(_RING))
    report, page = Path("report.json"), Path("page.html")
    for verb, count in (
        (["worst-case", "ring:3", "-r", str(routing), "-t", str(traffic)], 5),
        (["compare", "ring:3", str(routing), "minimal"], 10),
    ):
        assert main([*verb, "--json", str(report)]) == 0
        assert main(["verify", str(report), "--html", str(page)]) == 0
        reader = read(page.read_text())
        explored = json.loads(reader.data["data"])["routings"]
        shown = [*reader.text, *(x["name"] for x in explored), *(x["name"] for y in explored for x in y["patterns"])]
        given = [x for x in shown if "every adversary" in x or "best of all" in x]
        assert len(given) >= count
        assert not [x for x in given if not re.search(r"'[^']*(every adversary|best of all)[^']*'", x)]
        assert not [x for x in shown if "'minimal'" in x or "'uniform'" in x]


def made(tmp_path: Path, *verb: str) -> tuple[str, Reader, dict[str, Any]]:
    """The page of a command: its HTML, what a reader finds in it, and what can be explored."""
    path = tmp_path / "page.html"
    assert main([*verb, "--html", str(path)]) == 0
    text = path.read_text()
    reader = read(text)
    return text, reader, json.loads(reader.data["data"])


FABRIC = Path(__file__).parents[2] / "data" / "infiniband"


def test_hosts_and_ports_of_a_fabric_have_their_names(tmp_path: Path) -> None:
    _, reader, data = made(tmp_path, "worst-case", str(FABRIC / "ring5.topo"), "-r", str(FABRIC / "ring5.lft"))
    assert data["network"]["names"][0].endswith("-h0")
    assert all("[" in x for x in data["network"]["channels"])
    headline = next(x for x in reader.text if x.startswith("Under the worst traffic every host keeps"))
    assert re.search(r"the hot link is s\d\[\d\] \u2192 s\d\[\d\], crossed by s\d-h\d \u21d2 s\d-h\d", headline)


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        ("17: h1 h3\n18: h2 h4\n", "Jobs collide: 18 can load a link that 17 also uses, with 2/3 of its bandwidth"),
        ("17: h1 h2\n18: h3 h4\n", "No two jobs share a link."),
    ],
)
def test_the_sentence_on_top_names_the_jobs_that_collide(tmp_path: Path, jobs: str, said: str) -> None:
    (tmp_path / "jobs").write_text(jobs)
    folder = FABRIC.parent / "ethernet" / "leaf-spine"
    text, reader, _ = made(tmp_path, "worst-case", str(folder), "--demands", f"within:{tmp_path / 'jobs'}")
    headline = next(x for x in reader.text if x.startswith("Under the worst traffic"))
    assert said in headline
    if "collide" in said:
        assert "the hot link is spine2[swp1] \u2192 leaf1[swp2]" in headline
        assert "h4 \u21d2 h2 (job 18)" in headline
    assert 'href="#check-title"' in text


def test_the_sentence_on_top_says_how_typical_the_worst_case_is(tmp_path: Path) -> None:
    _, reader, _ = made(tmp_path, "worst-case", "torus:4x4", "-r", "romm", "--traffic-model", "permutation")
    headline = next(x for x in reader.text if x.startswith("Under the worst traffic"))
    assert "The mean over all permutations of the terminals is about 0.4" in headline
    assert "where the worst case is 0.3333 (sampled, no proof: a 99 % interval is 0." in headline
    assert headline.endswith("100 trials, seed 0).")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("clos:3,2,2", "Whatever calls are in progress, a free path joins every idle input to every idle output."),
        ("clos:2,2,2", "Calls can be routed so that no free path joins an idle input to an idle output."),
    ],
)
def test_whether_calls_can_be_blocked_stands_before_how_often(name: str, said: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["simulate", "calls", name, "--strict", "--trials", "5", "--html", str(page), "-q"]) == 0
    assert f'<p class="headline">{said} ' in page.read_text(encoding="utf-8")


def test_a_comparison_has_a_table_whose_rows_choose_the_picture(tmp_path: Path) -> None:
    text, reader, data = made(tmp_path, "compare", "torus:4x4", "dor", "valiant")
    table = re.search(r'<section[^>]*id="choices">.*?</section>', text, re.DOTALL)
    assert table is not None
    assert re.findall(r'data-scene="(\d)"', table[0]) == ["0", "1"]
    assert [x["name"] for x in data["routings"]] == ["dor", "valiant"]
    for words in ("worst-case throughput", "0.6667", "1.0667", 'title="16/15"', "can deadlock"):
        assert words in table[0]
    assert any("keeps all of its rate with valiant, and keeps 2/3 of its rate with dor" in x for x in reader.text)


@pytest.mark.parametrize("repair", ["reroute", "rebuild"])
def test_failures_are_drawn_with_the_worst_traffic_after_each(tmp_path: Path, repair: str) -> None:
    report = tmp_path / "report.json"
    verb = ("failures", "mesh:3x3", "-r", "minimal", "--repair", repair)
    text, _, data = made(tmp_path, *verb, "--json", str(report))
    every = [x for x in json.loads(report.read_text())["claims"] if x["evidence"]["kind"] == "failure"]
    claims = [x for x in every if x["quantity"] == "worst_case_load"]
    exact = [Fraction(x) for x in data["values"]]
    *failures, whole = data["routings"]
    assert data["choice"] == "failed"
    assert "failed" not in whole
    assert len(failures) == len(claims)
    assert [x["name"] for x in whole["patterns"]] == ["each link's own worst case", "uniform"]
    for scene in failures:
        pattern, own = scene["patterns"]
        assert max(exact[k] for k in unpacked(own["load"])) == max(exact[k] for k in unpacked(pattern["load"]))
        assert "own" not in own  # pairs of it: for the whole network alone
        dead, load = scene["failed"]["channels"], unpacked(pattern["load"])
        assert len(dead) == 2
        assert not load[dead].any()
        assert exact[load[pattern["channel"]]] == max(exact[k] for k in load)
        assert sum(exact[k] for _, _, k in pattern["over"]) == exact[load[pattern["channel"]]]
    loads = sorted(exact[unpacked(x["patterns"][0]["load"]).max()] for x in failures)
    assert max(Fraction(x["value"]) for x in claims) in loads
    assert "(0,0) - (0,1)" in text


def test_failures_that_separate_terminals_say_whom(tmp_path: Path) -> None:
    _, reader, data = made(tmp_path, "failures", "mesh:3", "-r", "minimal")
    assert any("separate" in x for x in reader.text)
    story = data["routings"][0]["patterns"][0]["story"]
    assert story["words"].startswith("No path is left from ")
    assert (len(story["sources"]), len(story["destinations"])) == (1, 1)


def test_a_deadlock_is_drawn_as_its_cycle(tmp_path: Path) -> None:
    text, reader, data = made(tmp_path, "deadlock", "torus:5x5", "-r", "dor")
    cycle = data["routings"][0]["patterns"][0]
    assert cycle["name"] == "waiting cycle"
    assert len(cycle["story"]["channels"]) == len(cycle["story"]["rows"]) == 5
    tail, head = (unpacked(data["network"][x]) for x in ("tail", "head"))
    around = [*cycle["story"]["channels"], cycle["story"]["channels"][0]]
    assert all(head[a] == tail[b] for a, b in pairwise(around))
    cards = re.search(r'<ul class="cards">.*?</ul>', text, re.DOTALL)
    assert cards is not None
    assert "can deadlock" in cards[0]
    assert "false" not in cards[0]
    assert 'class="grade proved"' not in cards[0]
    assert any(x.startswith("Packets can deadlock without virtual channels: 5 of them") for x in reader.text)


def test_a_design_shows_the_worst_traffic_of_its_routing(tmp_path: Path) -> None:
    _, reader, data = made(tmp_path, "design", "torus:3x3", "--objective", "worst-case")
    worst = data["routings"][0]["patterns"][0]
    assert worst["name"] == "worst permutation"
    exact = [Fraction(x) for x in data["values"]]
    assert sum(exact[k] for _, _, k in worst["over"]) == exact[unpacked(worst["load"])[worst["channel"]]] > 0
    assert any("the most of all oblivious routings" in x for x in reader.text)


def test_cards_show_decimals_first_and_no_name_twice(tmp_path: Path) -> None:
    text, _, _ = made(tmp_path, "search", "many-one", "--radix", "2", "--dimensions", "4", "--steps", "4")
    cards = re.search(r'<ul class="cards">.*?</ul>', text, re.DOTALL)
    assert cards is not None
    names = re.findall(r'class="what">([^<]*)<', cards[0])
    assert names == ["steps", "valid many-one", "valid permutation"]
    text, _, _ = made(tmp_path, "worst-case", "torus:5x5", "-r", "romm")
    assert re.search(r"<summary[^>]*>0.375</summary><span>3/8</span>", text)


def test_every_kind_of_evidence_says_what_it_holds() -> None:
    for kind in KINDS.own:
        claim = Claim(
            "capacity", "==", Fraction(1), Grade.PROVED, Evidence(kind, {"seed": 7, "nodes": [], "links": []})
        )
        page = page_html(Page({}, [claim]))
        assert KINDS.own[kind].sentence.split(":")[0].split(",")[0] in page.replace("&#x27;", "'")
        assert "in the JSON" not in page


def test_a_notebook_stores_a_page_and_a_figure_once() -> None:
    page = rp_worst_case(DOR().on(torus(3, 3))).page()
    assert len(repr(page)) < 100
    assert len(page._repr_html_()) > 10_000


def test_the_sentence_claims_no_share_where_bandwidths_have_a_unit_of_their_own(tmp_path: Path) -> None:
    fabric = (str(FABRIC / "ring5.topo"), "-r", str(FABRIC / "ring5.lft"))
    _, share, _ = made(tmp_path, "worst-case", *fabric)
    _, rate, _ = made(tmp_path, "worst-case", fabric[0] + ",bandwidth=gbps", *fabric[1:])
    for reader in (share, rate):  # what bandwidth 1 is does not change what a host keeps
        assert any("every host keeps 1/2 of its speed (4 of 8 Gb/s);" in x for x in reader.text)
    _, graph, _ = made(tmp_path, "worst-case", _two_widths(tmp_path), "-r", "minimal")
    assert any("in the unit of the bandwidths" in x for x in graph.text)


def _two_widths(tmp_path: Path) -> str:
    path = tmp_path / "two.gml"
    edges = "".join(f"edge [ source {u} target {(u + 1) % 3} bandwidth {2 + u} ] " for u in range(3))
    path.write_text(f"graph [ {''.join(f'node [ id {v} ] ' for v in range(3))} {edges}]")
    return str(path)


def test_the_curve_over_packets_is_told(tmp_path: Path) -> None:
    _, reader, data = made(tmp_path, "worst-case", "torus:4x4", "-r", "valiant", "--demands", "sparse:all")
    for said in ("A single packet loads the worst channel with 15/32 of its bandwidth.", "8 packets do the worst"):
        assert any(said in x for x in reader.text)
    assert [x["name"] for x in data["routings"][0]["patterns"]][:2] == ["worst 1 packet", "worst 2 packets"]


def test_demand_sets_are_drawn_and_told(tmp_path: Path) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("0,1,3\n2,7,1/2\n")
    for demands, words in (
        ("sparse:2", "the worst traffic of the set sparse:2"),
        (f"matrix:{matrix}", "all rates"),
        (f"box:{matrix},margin=2", "all rates"),
        ("routable", "oblivious ratio is 5"),
    ):
        _, reader, data = made(tmp_path, "worst-case", "petersen", "-r", "minimal", "--demands", demands)
        worst = data["routings"][0]["patterns"][0]
        exact = [Fraction(x) for x in data["values"]]
        assert sum(exact[k] for _, _, k in worst["over"]) == max(exact[k] for k in unpacked(worst["load"]))
        assert any(words in x for x in reader.text)


def test_the_worst_matrix_is_drawn_and_no_share_of_a_rate_is_claimed(tmp_path: Path) -> None:
    file = tmp_path / "month.csv"
    file.write_text("source,destination,rate\n0,1,1/2\n2,3,3\n")
    for verb, demands, load in (("worst-case", "matrix", 3), ("worst-case", "box", 6), ("compare", "matrix", 3)):
        given = f"{demands}:{file}" + (",margin=2" if demands == "box" else "")
        routings = ["-r", "minimal"] if verb == "worst-case" else ["minimal", "sssp"]
        _, reader, data = made(tmp_path, verb, "petersen", *routings, "--demands", given)
        worst = data["routings"][0]["patterns"][0]
        assert max(Fraction(data["values"][k]) for k in unpacked(worst["load"])) == load
        assert any(f"all rates are multiplied by 1/{load}" in x for x in reader.text)
        assert not any("of its rate" in x for x in reader.text)


def test_failures_over_a_set_are_drawn(tmp_path: Path) -> None:
    _, reader, data = made(tmp_path, "failures", "petersen", "-r", "minimal", "--demands", "sparse:2")
    assert data["routings"][0]["patterns"][0]["name"] == "worst sparse:2 traffic"
    assert not any("left out" in x for x in reader.text)


def test_one_packet_is_not_plural(tmp_path: Path) -> None:
    _, _, data = made(tmp_path, "worst-case", "petersen", "-r", "minimal", "--demands", "sparse:all")
    assert {"worst 1 packet", "worst 10 packets"} <= {x["name"] for x in data["routings"][0]["patterns"]}


def test_a_best_among_routings_that_treat_terminals_alike_is_called_so(tmp_path: Path) -> None:
    """Routings that tell the two terminals at node 0 apart may do better over two matrices."""
    ends = [[0, 1], [1, 0], [1, 2], [2, 1], [2, 0], [0, 2]]
    net, rates = tmp_path / "net.json", tmp_path / "rates"
    net.write_text(json.dumps({
        "format": "routeproof/network", "num_nodes": 3, "channels": ends, "source": [0, 0, 1, 2], "sink": [0, 0, 1, 2],
    }))  # fmt: skip
    rates.mkdir()
    (rates / "a.json").write_text("[[0, 0, 0, 2], [0, 0, 0, 0], [0, 3, 0, 3], [0, 0, 0, 0]]")
    (rates / "b.json").write_text("[[0, 0, 0, 0], [0, 0, 0, 0], [3, 2, 0, 1], [0, 0, 0, 0]]")
    design = ("design", str(net), "--objective", "worst-case", "--demands")
    _, reader, _ = made(tmp_path, *design, f"matrix:{rates}")
    assert any("the most of all oblivious routings that treat the terminals of a node alike" in x for x in reader.text)
    _, reader, _ = made(tmp_path, "adaptive", str(net), "--demands", f"matrix:{rates}")
    assert any("The best oblivious routing that treats the terminals of a node alike has" in x for x in reader.text)
    for one in ("permutations", f"matrix:{rates / 'a.json'}"):
        _, reader, _ = made(tmp_path, *design, one)
        assert any("the most of all oblivious routings" in x for x in reader.text)
        assert not any("routings that treat the terminals" in x for x in reader.text)


@pytest.mark.parametrize(
    ("verb", "title"),
    [
        ("simulate load ring:4 -r dor --cycles 60 --warm-up 5 --rate 1/2", "dor on ring:4"),
        ("simulate load torus:3x3 -r goal --cycles 60 --warm-up 5 --rate 1/2 --traffic tornado", "goal on torus:3x3"),
        ("tradeoff ring:5 --against worst-case", "Path length against throughput on ring:5"),
        ("study towles-dally-2002-figures", ""),
    ],
)
def test_a_page_has_the_figure_of_its_result(verb: str, title: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert main([*verb.split(), "--html", str(path)]) == 0
    text = path.read_text()
    pictures = re.findall(r'(?:src|srcset)="data:image/svg\+xml;base64,([^"]+)"', text)
    assert len(pictures) == 2  # one for each theme
    assert all(base64.b64decode(x).lstrip().startswith(b"<?xml") for x in pictures)
    assert ("<noscript><figure" in text) == ("figures" not in verb)  # which are drawn in their own way
    if "figures" not in verb:
        panels = json.loads(read(text).data["curves"])["panels"]
        assert all(len(s["x"]) == len(s["y"]) > 0 for panel in panels for s in panel["series"])
    assert f">{title}</h1>" in text or not title
    if "simulate" in verb:
        assert "at an offered rate of 1/2, the accepted rate, the mean over all terminals, is 0." in text
        assert "packets per cycle and terminal (99 % interval, sampled)." in text
        assert ("the proved throughput is" in text) == ("dor" in verb)
    if "goal" in verb:
        assert "The network, without loads: where packets of an adaptive routing go depends on the queues." in text
        assert json.loads(read(text).data["data"])["network"]["n"] == 9


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ("", "every host whose own cable allows it can send 100 Gb/s, if flows split as the routing says"),
        ("l1,swp11,h1,eth0,100G\n", "every host whose own cable allows it can send 100 Gb/s"),
        ("l1,swp11,h1,eth0,100G\nl1,swp12,h2,eth0,100G\nl2,swp13,h3,eth0,100G\nl2,swp14,h4,eth0,100G\n",
         "every host keeps 1/2 of its speed (50 of 100 Gb/s)"),
    ],
)  # fmt: skip
def test_a_page_says_full_speed_only_where_hosts_speeds_are_stated(known: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "fabric").mkdir()
    _, reader, _ = made(tmp_path, "worst-case", leaf_spine(tmp_path / "fabric", known))
    said = next(x for x in reader.text if x.startswith("Under the worst traffic"))
    assert words in said
    assert "of its link" not in said
    assert ("of its speed" in said) == (known.count("\n") == 4)


def test_a_day_has_its_own_bandwidths() -> None:
    days = [rp.Minimal().on(rp.network(f"mesh:2x2,bandwidth={x}x1")) for x in (2, 1)]
    reader = read(rp.diff(*days, causes=0).page().html)
    view = json.loads(reader.data["data"])
    before, after = view["routings"]
    known = [Fraction(view["values"][k]) for k in unpacked(before["bandwidth"])]
    assert known == list(days[0].network.bandwidth)
    assert "bandwidth" not in after
    assert [x["name"] for x in (before, after)] == ["before", "after"]


def test_a_page_of_failures_that_leave_nothing_says_so(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ["failures", "leaf-spine:2,2,1", "--routing", "ecmp", "--cables", "1", "--repair", "none"]
    assert main([*words, "--html", str(page)]) == 0
    view = json.loads(read(page.read_text()).data["data"])
    assert [x["name"] for x in view["routings"][0]["patterns"]] == ["pairs cut"]
    assert "Every pair that takes a link loses packets." in view["routings"][0]["patterns"][0]["story"]["words"]


def test_the_curve_of_a_page_is_exact_at_its_corners(tmp_path: Path) -> None:
    path, report = tmp_path / "page.html", tmp_path / "report.json"
    assert main(["tradeoff", "torus:3x3", "--against", "worst-case", "--html", str(path), "--json", str(report)]) == 0
    (panel,) = json.loads(read(path.read_text()).data["curves"])["panels"]
    told = [x for line in panel["series"] for x in line.get("told", ()) if x]
    claims = json.loads(report.read_text())["claims"]
    exact = {(x["within"].split()[-1], x["value"]) for x in claims if "within" in x and x["relation"] == "=="}
    assert {tuple(re.findall(r"load (\S+), (\S+) hops", x)[0]) for x in told} == exact
    assert len(exact) > 1


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("installed routes of fabric on a/b/fabric", "installed routes of fabric"),
        ("installed routes of fabric on a/b/fabric after failures", "installed routes of fabric after failures"),
        ("routes of f on g", "routes of f on g"),
        ("routes of f on f2", "routes of f on f2"),
    ],
)
def test_a_fabric_is_named_once(title: str, shown: str) -> None:
    assert without_folders(title) == shown
