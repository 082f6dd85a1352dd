"""Topologies at a builder's size: every row is what ``worst-case`` says of it alone, counted by hand, and verified."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.questions.fabrics import candidates as candidates_module
from routeproof.questions.fabrics.candidate import check_time
from routeproof.questions.fabrics.candidates import Candidates, read_prices
from routeproof.questions.ranked import by_column
from routeproof.topologies.candidates import candidates, parts_of
from routeproof.topologies.failures import Failure, cables_of
from routeproof.worst.failures import base_of, solve_failures


def test_each_row_is_the_worst_case_alone(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    answer = Candidates(16, 8, prices={"switch": Fraction(100), "cable": Fraction(5)}, time_limit=600).answer()
    assert len(answer.rows) >= 6
    for row in answer.rows[:6]:
        network = rp.network(row.topology)
        alone = rp.worst_case(rp.named_routing(row.routing.name, network))
        own = by_column(row.claims)
        assert own["worst_case_throughput"].value == alone.value("worst_case_throughput")
        hosts = network.num_terminals
        assert hosts >= 16
        switches, cables = (int(str(own[x].value)) for x in ("num_switches", "num_cables"))
        assert own["cost_per_host"].value == Fraction(100 * switches + 5 * cables, hosts)
    answer.write(report)
    assert main(["verify", str(report)]) == 0


def test_the_worst_cable_is_that_of_failures_alone(tmp_path: Path) -> None:
    """Judged by one cable of each class; ``failures`` says the same of all cables, and the report verifies."""
    answer = Candidates(8, 6, time_limit=600).answer()
    whole = [x for x in answer.rows if x.judged and not x.unjudged]
    assert len(whole) >= 6
    assert {x.rule["repair"] for x in whole} == {"none", "rebuild"}
    for row in whole[:3] + [x for x in whole if x.pairs_cut][:1]:
        alone = rp.failures(rp.named_routing(row.routing.name, rp.network(row.topology)), cables=1)
        every = [x for x in alone.claims() if x.about.get("failed") == "any of the cables"]
        load = next(x.value for x in every if x.quantity == "worst_case_load")
        assert row.kept == (1 / Fraction(str(load)), True)
        assert row.pairs_cut == max((x.value for x in every if x.quantity == "pairs_cut"), default=0)
    report, page = tmp_path / "r.json", tmp_path / "p.html"
    answer.write(report)
    assert main(["verify", str(report)]) == 0
    assert main(["compare", "--hosts", "4", "--radix", "4", "--time-limit", "600", "--html", str(page), "-q"]) == 0
    text = page.read_text()
    assert "4 hosts or more, on switches of 4 ports" in text
    assert "<th" in (top := text.split('id="claims-title"')[0])
    assert "worst cable" in top


def test_rails_have_a_worst_cable_that_is_that_of_all_cables_one_by_one(tmp_path: Path) -> None:
    """Without symmetry, by the same rule; and the report verifies."""
    answer = Candidates(12, 8, rails=2, time_limit=600).answer()
    rows = [x for x in answer.rows if x.routing.name.startswith("rail-local")]
    assert len(rows) >= 2
    for row in answer.rows:
        assert row.judged
        assert not row.unjudged
    for row in rows:
        base = base_of(row.routing, "none")
        assert row.rule["repair"] == "none"
        each = [list(x.channels(row.network)) for x in (Failure(cables=(y,)) for y in cables_of(row.network))]
        results = solve_failures(base, failures=[([], x) for x in each])
        assert row.kept == (1 / max(Fraction(x["load"]) for x in results if "load" in x), True)
        assert row.pairs_cut == max(x.get("cut", 0) for x in results)
    answer.write(tmp_path / "r.json")
    assert main(["verify", str(tmp_path / "r.json")]) == 0


def test_a_cable_that_separates_hosts_cuts_no_number_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    """``failures`` counts none, either: there is no path."""
    assert main(["compare", "--hosts", "8", "--radix", "4", "--time-limit", "600"]) == 0
    lines = [x.split() for x in capsys.readouterr().out.splitlines() if x.endswith("rebuild")]
    last = {x[0]: x[-3:-1] for x in lines}
    assert last["leaf-spine:3,3,1"] == ["0", "-"]
    assert last["leaf-spine:2,4,2"] == ["1/2", "0"]


def test_every_size_up_to_a_full_fat_tree_has_one_of_three_levels() -> None:
    for hosts in (1024, 5_000, 12_345, 20_000):  # of 65,536 at most
        (tree,) = (x for x, _ in candidates(hosts, 64) if x.startswith("three-tier"))
        assert hosts <= rp.network(tree).num_terminals <= 2 * hosts


def test_what_a_limit_cuts_short_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is judged in no time, and nothing is said of it; costs are counted all the same."""
    monkeypatch.setattr(candidates_module, "_TO_BUILD", 600.0)
    assert main(["compare", "--hosts", "40", "--radix", "8", "--time-limit", "1e-9"]) == 0
    said = capsys.readouterr().out
    assert "cut short by --time-limit 1e-09" in " ".join(said.split())
    assert "?: not judged" in said


def test_what_takes_too_long_to_build_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(text: str) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(candidates_module, "_TO_BUILD", 0.0)
    monkeypatch.setattr("routeproof.formats.resolve.resolve_network", never)
    with pytest.raises(rp.InputError, match=r"is left out: no time is left to build it \(time_limit\)"):
        rp.candidates(8, 6, time_limit=1e-9)


def test_what_nothing_can_interrupt_is_not_begun_in_too_short_a_time() -> None:
    network = rp.network("torus:60x60")
    check_time(network, 60)
    with pytest.raises(rp.InputError, match=r"too short for all shortest paths of 3,600 nodes \(--time-limit\)"):
        check_time(network, 0)


def test_the_page_that_python_writes_has_the_table(tmp_path: Path) -> None:
    rp.candidates(4, 4, time_limit=600).write(tmp_path / "page.html")
    assert "worst cable" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(("hosts", "radix"), [(2, 4), (3, 5), (7, 4), (17, 6), (1000, 128)])
def test_every_size_has_candidates_that_are_not_far_too_large(hosts: int, radix: int) -> None:
    for topology in {topology for topology, _ in candidates(hosts, radix)}:
        assert hosts <= rp.network(topology).num_terminals <= 20 * hosts + 60


@pytest.mark.parametrize(
    ("topology", "parts"),
    [
        ("leaf-spine:4,4,2,bandwidth=2", (6, 16 + 16)),
        ("hyperx:3x3,concentration=2", (9, 18 + 18)),
        ("rail-optimized:4,2,spines=1,nvlink=9", (3, 8 + 8)),
        ("rail-optimized:4,2,nvlink=9,planes=2", (4, 16)),
    ],
)
def test_switches_and_cables_are_counted(topology: str, parts: tuple[int, int]) -> None:
    assert parts_of(rp.network(topology)) == parts


@pytest.mark.parametrize(("hosts", "radix"), [(16, 8), (100, 16), (1024, 64), (3000, 32)])
def test_no_switch_has_more_ports_than_given(hosts: int, radix: int) -> None:
    for topology, _ in candidates(hosts, radix):
        network = rp.network(topology)
        ports = [0] * network.num_nodes
        for c, v in enumerate(network.tail.tolist()):
            ports[v] += int(network.bandwidth[c])
        for v in network.source.tolist():
            ports[v] += 1
        assert max(ports) <= radix, topology
        assert network.num_terminals >= hosts, topology


@pytest.mark.parametrize("text", ["", "switch=1", "switch=1,cable=x", "switch=1,cable=-1", "a=1,switch=2,cable=3"])
def test_bad_prices(text: str) -> None:
    with pytest.raises(rp.InputError, match=r"switch=PRICE|the price of|price"):
        read_prices(text)


def test_prices_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "prices").write_text("switch = 12000  # dollars\n\ncable=300.5\n")
    assert read_prices(str(tmp_path / "prices")) == {"switch": Fraction(12000), "cable": Fraction(601, 2)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no topology is given"),
        (["--hosts", "many", "--radix", "8"], "a number of hosts below 10^9 was expected"),
        (["--hosts", "8", "--radix", "4", "--csv", "-"], "--csv is for routings on one network"),
        (["--hosts", "8", "--radix", "4", "--traffic", "tornado"], "--traffic"),
        (["--hosts", "8", "--radix", "4", "--no-best"], "--no-best is for routings on one network"),
        (["--hosts", "8", "--radix", "4", "--no-deadlock"], "--no-deadlock is for routings on one network"),
        (["--hosts", "8", "--radix", "4", "--deadlock"], "--deadlock is for routings on one network"),
        (["--hosts", "10", "--radix", "2"], "--radix is 2"),
        (["--hosts", "10", "--radix", "8", "--rails", "0"], "--rails is 0"),
        (["--hosts", "10", "--radix", "8", "--time-limit", "nan"], "--time-limit is nan"),
        (["torus:4x4", "dor", "--radix", "8"], "--radix is for topologies to be built"),
        (["--hosts", "10", "--radix", "8", "--planes", "2"], "--planes is of clusters with --rails"),
    ],
)
def test_bad_input(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arguments]) == 2
    assert words in capsys.readouterr().err
