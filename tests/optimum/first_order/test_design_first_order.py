"""The first-order method: its interval holds the exact optimum, and routing and adversaries are judged exactly."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.core.spread import silent
from routeproof.formats.demands.rates import hose
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.machine.deadlines import Deadline
from routeproof.optimum import worst_case as dispatch
from routeproof.optimum.first_order import design as first_order_rounds
from routeproof.optimum.first_order.design import FirstOrderMethod, first_order_bytes
from routeproof.optimum.first_order.method import FirstOrder, layout_of
from routeproof.optimum.half_flows.design import HalfFlowMethod
from routeproof.optimum.interior.design import InteriorPoint
from routeproof.optimum.worst_case import design_worst_case
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.scan.exact import worst_case, worst_case_over


@pytest.mark.parametrize(
    ("text", "load", "length"),
    [
        ("torus:4x4", "1", "27/20"),  # conventions, "Routing design"
        ("mesh:3x3", "7/6", "4/3"),
        ("petersen", "1", "39/25"),
        ("kautz:2,2", "4/3", "31/24"),  # directed: no reversal
        ("torus:2x4", "1", "5/4"),  # parallel channels
    ],
)
def test_the_interval_holds_the_exact_optimum(text: str, load: str, length: str) -> None:
    made = design_worst_case(network(text), shortest=True, solver="first-order")
    assert made.complete
    assert made.least_load <= Fraction(load) <= made.load
    assert made.load / made.least_load - 1 < Fraction(1, 10**5)
    assert made.least_length is not None
    assert made.least_length <= Fraction(length) * made.minimal
    assert made.length / made.least_length - 1 < Fraction(1, 10**4)
    made.routing.check()
    assert worst_case(made.routing, symmetry="none").load == made.load
    assert average_path_length(made.routing) == made.length


@pytest.mark.parametrize("text", ["mesh:3x2,bandwidth=2x1", "random-regular:10,degree=3,seed=3", "ring:5,oneway"])
@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_with_and_without_symmetry_the_interval_holds_the_optimum(text: str, symmetry: str) -> None:
    made = design_worst_case(network(text), solver="first-order", symmetry=symmetry)
    exact = design_worst_case(network(text), solver="simplex")
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(2, 10**4)


def hosts() -> Network:
    """Terminals apart from nodes, several at some, unequal bandwidths."""
    ends = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    channels = [(a, b) for a, b in ends] + [(b, a) for a, b in ends]
    wide = [1, 2, 1, 2, 3] * 2
    return Network.of("hosts", 4, channels, bandwidth=wide, source=[0, 0, 1, 3], sink=[0, 0, 1, 3])


@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_several_terminals_at_a_node_and_nodes_without(symmetry: str) -> None:
    made = design_worst_case(hosts(), shortest=True, solver="first-order", symmetry=symmetry)
    exact = design_worst_case(hosts(), shortest=True, solver="simplex", symmetry=symmetry)
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(1, 10**5)
    assert made.least_length is not None
    assert made.least_length <= exact.length
    assert made.length / made.least_length - 1 < Fraction(1, 10**4)


def test_half_of_the_flows_with_reversal_make_the_same_rounds() -> None:
    from concurrent.futures import ThreadPoolExecutor

    net = network("mesh:3x2")
    methods = [
        FirstOrder(layout_of(net, reversal=x), minimal=float(minimal_average(net)), threads=1) for x in (False, True)
    ]
    with ThreadPoolExecutor(1) as pool:
        for method in methods:
            method.ask(hop=1e-3, price=1.0)
            for _ in range(60):
                method.step(pool)
        whole, half = (method.judge(pool) for method in methods)
    assert methods[1].layout.num_flows < methods[0].layout.num_flows
    assert whole.load == pytest.approx(half.load, rel=1e-6)
    assert whole.total == pytest.approx(half.total, rel=1e-9)
    assert whole.price == pytest.approx(half.price, rel=1e-9)
    assert whole.length == pytest.approx(half.length, rel=1e-6)
    net_flows = methods[0].flows(0)
    balance = np.zeros((net.num_nodes, net_flows.shape[1]))
    np.add.at(balance, net.tail, net_flows)
    np.subtract.at(balance, net.head, net_flows)
    wanted = np.zeros_like(balance)
    wanted[0] += 1
    wanted[np.arange(6), np.arange(6)] -= 1
    assert np.allclose(balance, wanted)  # every iterate is conserved


@pytest.mark.parametrize("text", ["random-regular:12,degree=3,seed=3", "petersen", "mesh:4x3"])
def test_the_first_round_proves_something_already(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that is over before the work begins leaves one round, on every machine."""
    net, step, rounds = network(text), FirstOrder.step, []
    monkeypatch.setattr(FirstOrder, "step", lambda self, pool: (rounds.append(1), step(self, pool)))
    made = design_worst_case(net, shortest=True, solver="first-order", time_limit=1e-9)
    exact = design_worst_case(net, solver="simplex")
    assert len(rounds) == 1
    assert not made.complete
    assert made.least_length is None
    assert 0 < made.least_load <= exact.load <= made.load
    made.routing.check()


def test_rounds_between_judgements_do_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    class Method:
        rounds, threads = 0, 1

        def step(self, pool: Any) -> None:
            self.rounds += 1

        def judge(self, pool: Any) -> None:
            time.sleep(0.01)  # many times what a step takes

    at: list[int] = []
    monkeypatch.setattr(first_order_rounds, "_MOST_ROUNDS", 400)
    made: Any = Method()
    first_order_rounds.run_rounds(made, lambda _: float("inf"), enough=0.0, tell=lambda rounds, _: at.append(rounds))
    assert at == [100, 130, 169, 219, 284, 369]


def test_an_interrupt_leaves_the_interval_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    step, count = FirstOrder.step, []

    def interrupted(self: FirstOrder, pool: Any) -> None:
        count.append(1)
        if len(count) == 80:
            raise KeyboardInterrupt
        step(self, pool)

    monkeypatch.setattr(FirstOrder, "step", interrupted)
    made = design_worst_case(network("petersen"), solver="first-order")
    assert not made.complete
    assert made.least_load <= 1 <= made.load
    assert made.gap < Fraction(1, 10)


def test_rounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import contextmanager

    said: list[str] = []

    @contextmanager
    def stage(_: str) -> Any:
        yield said.append

    monkeypatch.setattr(first_order_rounds, "_FINE", 1e-3)
    design_worst_case(network("petersen"), solver="first-order", stage=stage)
    assert said
    assert said[0].startswith("worst case: 100 rounds, gap about ")


def test_large_networks_without_symmetry_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = dispatch._interval_solver
    large, middling = (reduce(network(f"random-regular:{n},degree=4,seed=1")) for n in (48, 32))
    assert choose("auto", large, None, shortest=True) is FirstOrderMethod
    assert choose("auto", large, Fraction(2), shortest=False) is None
    assert choose("auto", reduce(network("torus:6x6")), None, shortest=False) is None
    assert choose("interior", large, None, shortest=True) is InteriorPoint
    halves = choose("auto", middling, None, shortest=False)
    assert halves is not None
    assert isinstance(halves(middling, None, silent, Deadline(None)), HalfFlowMethod)
    assert choose("auto", middling, None, shortest=True) is InteriorPoint
    monkeypatch.setattr(dispatch, "free_memory", lambda: 1000)
    assert choose("auto", middling, None, shortest=True) is FirstOrderMethod
    assert first_order_bytes(large.network, reversal=True) < first_order_bytes(large.network, reversal=False)


def test_the_report_is_verified_and_a_corrupted_one_refused(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "first.json"
    text = "mesh:3x3"
    given = ["design", text, "--objective", "worst-case", "--then", "path-length", "--solver", "first-order"]
    table = tmp_path / "routing.json"
    assert main([*given, "--json", str(out), "--output", str(table)]) == 0
    assert main(["verify", str(out)]) == 0
    assert main(["worst-case", text, "--routing", str(table)]) == 0
    assert main(["check", str(table)]) == 0
    report = json.loads(out.read_text())
    sides = [c for c in report["claims"] if c["quantity"] == "worst_case_load"]
    assert [c["relation"] for c in sides] == ["<=", ">="]
    least = next(c for c in sides if c["relation"] == ">=")

    def refused(text: str) -> bool:
        least["digest"] = digest(least)
        out.write_text(json.dumps(report))
        capsys.readouterr()
        return main(["verify", str(out)]) == 1 and text in capsys.readouterr().err

    value, pairs = least["value"], least["evidence"]["pairs"]
    least["value"] = str(Fraction(value) * Fraction(1000001, 1000000))
    assert refused("worst_case_load")
    least["value"] = value
    traffic = unpack_ints(pairs[0]["traffic"], what="traffic", max_items=81)
    pairs[0]["traffic"] = pack_ints(np.where(traffic > 0, traffic // 2, 1000))
    assert refused("worst_case_load")
    pairs[0]["traffic"] = pack_ints(-traffic)
    assert refused("number >= 0")
    del pairs[0]
    assert refused("worst_case_load")


def test_a_bound_on_the_path_length_is_refused() -> None:
    with pytest.raises(InputError, match="the first-order solver takes no bound on the path length"):
        design_worst_case(network("petersen"), path_length=Fraction(2), solver="first-order")


def test_too_little_memory_is_told_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.machine import memory

    monkeypatch.setattr(memory, "free_memory", lambda: 1000)
    with pytest.raises(InputError, match=r"designing for petersen \(100 pairs of nodes by .* would take about 30\d"):
        design_worst_case(network("petersen"), solver="first-order")


@pytest.mark.parametrize(
    ("text", "sends", "receives"),
    [
        ("mesh:3x2", [1, 2, 1, 3, 1, 2], [1, 2, 1, 3, 1, 2]),
        ("mesh:3x2", [1, 0, 2, 3, 1, 1], [1, 1, 0, 4, 1, 1]),
        ("hyperx:3,concentration=2", ["1/2", 1, 2, 2, 1, 1], [1, "1/2", 2, 2, 1, 1]),
    ],
)
def test_rates_of_nodes(text: str, sends: list[object], receives: list[object]) -> None:
    demands = hose(sends, receives)
    made, exact = (
        design_worst_case(network(text), demands=demands, solver=x, shortest=True) for x in ("first-order", "simplex")
    )
    assert made.least_load <= exact.load <= made.load
    assert made.gap < Fraction(1, 10**3)
    assert worst_case_over(made.routing, demands, symmetry="none").load == made.load
    assert made.least_length is not None
    assert made.least_length <= made.length


def test_more_sent_than_received_is_not_for_this_method() -> None:
    demands = hose([1, 1, 1, 2, 1, 1], [1] * 6)
    with pytest.raises(InputError, match=r"as much sent as received, between all of them; over hose interior or"):
        design_worst_case(network("mesh:3x2"), demands=demands, solver="first-order")
