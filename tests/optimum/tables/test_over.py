"""Tables over any set of demands: the best of all tables on tiny networks, and reports that verify."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import Lids
from routeproof.optimum.tables.exchange import usual_start
from routeproof.optimum.tables.over import bound_over, improve_tables_over
from routeproof.routing.tables.next_hop import NextHopRouting
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.over import worst_over


def _trees(network: Network, j: int) -> list[list[int]]:
    """Every column of a table that leads to terminal j."""
    end = int(network.sink[j])
    leaving = [np.flatnonzero(network.tail == v).tolist() if v != end else [-1] for v in range(network.num_nodes)]
    found = []
    for column in product(*leaving):
        v = np.arange(network.num_nodes)
        for _ in range(network.num_nodes):
            v = np.where(v == end, v, network.head[np.array(column)[v]])
        if (v == end).all():
            found.append([*column])
    return found


def _least(network: Network, demands: DemandSet) -> Fraction:
    """By all tables."""
    columns = [_trees(network, j) for j in range(network.num_terminals)]
    tables = (np.array(x, dtype=np.int32).T for x in product(*columns))
    return min(worst_over(NextHopRouting(network, "one", x, "terminal"), demands).load for x in tables)


def _files(folder: Path) -> dict[str, str]:
    for name, text in {
        "jobs": "a: 0 1 3\n",
        "two": "a: 0 1\nb: 2 3\n",
        "pairs": "0 2\n2 0\n1 3\n3 2\n",
        "hose": "1 2\n3 1\n1 1\n2 2\n",
    }.items():
        (folder / f"{name}.txt").write_text(text)
    (folder / "m.csv").write_text("0,1,2,0\n1,0,0,3\n0,3,0,0\n0,2,1,0\n")
    return {
        "within": f"within:{folder}/jobs.txt", "hose": f"hose:{folder}/hose.txt", "matrix": f"matrix:{folder}/m.csv",
        "box": f"box:{folder}/m.csv,margin=2", "sparse": "sparse:2", "routable": "routable",
        "pairs": f"pairs:{folder}/pairs.txt",
        **{x: f"{x}:{folder}/two.txt" for x in ("between", "ring", "recursive-doubling")},
        "experts": f"expert-parallel:{folder}/two.txt,experts=4,top=2",
    }  # fmt: skip


_SETS = ["within", "hose", "matrix", "box", "sparse", "pairs", "between", "ring", "recursive-doubling", "experts"]


@pytest.mark.parametrize("what", _SETS)
@pytest.mark.parametrize("wide", [False, True])
def test_no_table_is_better_on_a_tiny_network(what: str, wide: bool, tmp_path: Path) -> None:
    ring = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3)]
    net = Network.of("net", 4, ring, bandwidth=[2, 1, 1, 3, 1, 1, 1, 1] if wide else [1] * 8)
    demands = demands_from_spec([_files(tmp_path)[what]], net)
    bound = bound_over(net, demands)
    found = improve_tables_over(net, demands, proposals=200, enough=bound.of_tables)
    load = worst_over(found.routing, demands).load
    assert load == found.curve[-1][1] == _least(net, demands)
    assert bound.of_tables is not None
    assert bound.of_tables <= load


@pytest.mark.parametrize("what", ["within", "matrix", "routable"])
def test_the_report_verifies_and_says_the_bound(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, text = tmp_path / "report.json", _files(tmp_path)[what]
    command = ["design", "ring:4", "--objective", "worst-case", "--paths", "tables", "--demands", text]
    assert main([*command, "--proposals", "20", "--json", str(report)]) == 0
    assert "no oblivious routing has" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", str(report)]) == 0
    document = json.loads(report.read_text())
    (lower,) = [x for x in document["claims"] if (x["quantity"], x["relation"]) == ("worst_case_load", ">=")]
    assert lower["demands"] == text
    lower["value"] = str(Fraction(lower["value"]) + 1)
    report.write_text(json.dumps(document))
    assert main(["verify", str(report)]) == 1


def test_terminals_of_a_node_that_are_apart_have_a_bound_that_says_so() -> None:
    net = resolve_network("leaf-spine:2,2,2")
    demands = rp.demands.within({"a": [0, 2], "b": [1, 3]}).on(net)
    bound = bound_over(net, demands)
    assert (bound.of_tables is None) == ("alike" in bound.words(Fraction(9)))


def test_shortest_paths_alone_stay_shortest() -> None:
    net = resolve_network("mesh:3x2")
    demands = rp.demands.sparse(3).on(net)
    found = improve_tables_over(net, demands, proposals=60, minimal=True)
    assert average_path_length(found.routing) == minimal_average(net)
    assert worst_over(found.routing, demands).load <= worst_over(found.start, demands).load


def test_a_mixture_is_no_start() -> None:
    net = resolve_network("mesh:2x2")
    with pytest.raises(InputError, match="one table was expected"):
        improve_tables_over(net, rp.demands.sparse(1).on(net), usual_start(net, lids=Lids(2)), proposals=1)


def test_rates_of_a_file_have_a_worst_case_and_permutations_are_no_other_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["design", "ring:4", "--objective", "worst-case", "--paths", "tables", "--proposals", "20"]
    assert main([*command, "--demands", _files(tmp_path)["matrix"]]) == 0
    shown = capsys.readouterr().out
    assert "oblivious ratio" not in shown
    assert "worst-case load" in shown
    assert main([*command, "--demands", "permutations"]) == 0
    assert "worst-case channel load, among tables" in capsys.readouterr().out
