"""No design ends worse than what is known, whatever becomes of the method that was to make it."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.claims.routings import adversary
from routeproof.core.errors import InputError
from routeproof.core.spread import silent
from routeproof.demand_sets.hull import Routable
from routeproof.demand_sets.permutations import permutations
from routeproof.graphs.shortest import Joined
from routeproof.machine import deadlines
from routeproof.machine.deadlines import OutOfTimeError
from routeproof.machine.memory import TooMuchMemoryError
from routeproof.optimum import known as known_module
from routeproof.optimum import over, simple_bound, worst_case
from routeproof.optimum.design import Design
from routeproof.optimum.known import Known, within
from routeproof.optimum.simple_bound import simple_bounds
from routeproof.optimum.worst_case import least_load
from routeproof.routing.base.pair_table import TooManyLoadsError
from routeproof.routing.named.names import named_routing
from routeproof.routing.path_sets.names import TooManyPathsError, path_set
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import virtual_channels
from routeproof.worst.locality import average_path_length
from routeproof.worst.over import worst_over

Method = Callable[..., Design]


def _stub(monkeypatch: pytest.MonkeyPatch, method: Method) -> None:
    monkeypatch.setattr(over, "_by_program", method)
    monkeypatch.setattr(over, "_METHODS", dict.fromkeys(over._METHODS, method))


def _out_of_time(*_: Any) -> Design:
    raise OutOfTimeError


def _verified(found: Any, folder: Path) -> None:
    found.write(folder / "report.json")
    assert len(rp.verify(folder / "report.json")) == len(found.claims())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"paths": "minimal"},
        {"max_virtual_channels": 1},
        {"paths": "ksp:2"},
        {"demands": "routable"},
        {"demands": "sparse:2"},
        {"path_length": "5/4"},
    ],
)
@pytest.mark.parametrize("error", [OutOfTimeError, KeyboardInterrupt])
def test_a_method_that_reached_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], error: type[BaseException]
) -> None:
    def nothing(*_: Any) -> Design:
        raise error

    _stub(monkeypatch, nothing)
    found = rp.design(rp.mesh(3, 4), time_limit=60, **options)
    assert found.answer.made.known
    assert 0 < found.answer.made.least_load <= found.answer.made.load
    _verified(found, tmp_path)


@pytest.mark.parametrize("kind", ["pairs", "between", "within"])
def test_what_is_known_over_some_pairs_is_a_routing_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    given = tmp_path / "given.txt"
    given.write_text("0 1\n3 4\n2 7\n" if kind == "pairs" else "a 0 1 2 3\nb 4 5 6 7\n", encoding="utf-8")
    _stub(monkeypatch, _out_of_time)
    found = rp.design(rp.torus(3, 3), demands=f"{kind}:{given}", time_limit=60)
    made = found.answer.made
    assert made.known
    assert made.length == average_path_length(named_routing(made.known, rp.torus(3, 3)))
    _verified(found, tmp_path)


def test_the_last_line_of_an_interrupt_says_that_what_is_known_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = SimpleNamespace(heard=False, line="interrupted during a stage")
    monkeypatch.setattr(deadlines, "process_watch", lambda: watch)

    def interrupted(*_: Any) -> Design:
        raise KeyboardInterrupt

    _stub(monkeypatch, interrupted)
    network, options = rp.petersen(), {"paths": None, "path_length": None, "time_limit": 60, "shortest": False}
    assert over.design_over(network, None, {**options, "solver": "auto"}, silent).known
    assert watch.line == "interrupted during a stage"
    watch.heard = True
    assert over.design_over(network, None, {**options, "solver": "auto"}, silent).known
    assert watch.reached == "interrupted: what was reached is certified"


def test_half_flows_are_begun_where_programs_are_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no routing with a name is nearer to the optimum; elsewhere, and over other sets, names are judged."""
    network = rp.network("random-regular:24,degree=4,seed=1")
    _stub(monkeypatch, _out_of_time)
    found = rp.design(network, time_limit=600)
    assert found.answer.made.known == ""
    assert found.answer.made.gap <= Fraction(1, 100)
    _verified(found, tmp_path)
    for asked, options in ((rp.petersen(), {}), (network, {"demands": "routable"}), (network, {"paths": "minimal"})):
        assert rp.design(asked, time_limit=600, **options).answer.made.known


def test_nothing_is_answered_where_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    _stub(monkeypatch, _out_of_time)
    monkeypatch.setattr(Known, "look", lambda *_: None)
    with pytest.raises(rp.InputError, match="was reached before there was a routing of torus:3x3 with a bound"):
        rp.design(rp.torus(3, 3), time_limit=60)


@pytest.mark.parametrize("demands", [None, "routable", "sparse:2"])
def test_a_network_in_two_parts_is_refused_as_without_a_time_limit(demands: str | None) -> None:
    network = rp.network("mesh:3x3,dead-links=0-1;0-3")
    said = []
    for limit in (None, 60):
        with pytest.raises(rp.InputError) as error:
            rp.design(network, demands=demands, time_limit=limit)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "no path" in said[0]


@pytest.mark.parametrize("late", ["bounds", "routings", "both"])
def test_what_there_was_no_time_for_is_made_up_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """The first look reaches nothing, as where each part of its time is too short."""
    calls = {"bounds": 0, "judged": 0}
    bounds, judge = known_module.simple_bounds, Known._judge

    def slow_bounds(*given: Any) -> Any:
        calls["bounds"] += 1
        if late != "routings" and calls["bounds"] == 1:
            raise OutOfTimeError
        return bounds(*given)

    def slow_judge(self: Known, name: str, build: Any) -> None:
        calls["judged"] += 1
        if late != "bounds" and calls["judged"] <= len(known_module.NAMES):
            raise OutOfTimeError
        judge(self, name, build)

    _stub(monkeypatch, _out_of_time)
    monkeypatch.setattr(known_module, "simple_bounds", slow_bounds)
    monkeypatch.setattr(Known, "_judge", slow_judge)
    found = rp.design(rp.mesh(3, 4), time_limit=60)
    assert found.answer.made.known
    assert calls["bounds"] == (1 if late == "routings" else 2)
    _verified(found, tmp_path)


def _slowly(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[str]:
    """Judging takes so long by the clock of ``known``; the names that were judged."""
    now, judged, judge = [0.0], list[str](), Known._judge

    def slow(self: Known, name: str, build: Any) -> None:
        judged.append(name)
        now[0] += seconds
        judge(self, name, build)

    monkeypatch.setattr(known_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Known, "_judge", slow)
    return judged


def test_shortest_paths_are_tried_in_both_ways_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    network = rp.petersen()
    judged = _slowly(monkeypatch, 600.0)
    known = Known(network, Routable(network.num_terminals))
    known.look(silent, 2000.0)
    assert judged == ["minimal", "ecmp"]
    assert known.worst is not None


@pytest.mark.parametrize("limit", [None, 60])
def test_an_interrupt_of_the_second_routing_leaves_an_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int | None
) -> None:
    judge = Known._judge

    def interrupted(self: Known, name: str, build: Any) -> None:
        if name != "minimal":
            raise KeyboardInterrupt
        judge(self, name, build)

    monkeypatch.setattr(Known, "_judge", interrupted)
    monkeypatch.setattr(over, "_SMALL_NODES", 1)
    found = rp.design(rp.network("random-regular:12,degree=3,seed=1"), time_limit=limit)
    assert found.answer.made.known == "minimal"
    assert 0 < found.answer.made.least_load < found.answer.made.load
    _verified(found, tmp_path)


def test_what_there_was_no_time_for_is_tried_where_the_method_left_some(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = _slowly(monkeypatch, 600.0)
    tried_before = list[str]()

    def nothing(*_: Any) -> Design:
        tried_before.extend(judged)
        raise OutOfTimeError

    _stub(monkeypatch, nothing)
    rp.design(rp.petersen(), demands="routable", time_limit=2000)
    assert tried_before == ["minimal", "ecmp"]
    assert judged[2:] == ["o1turn", "valiant"]  # then the clock has run on


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such alarm")
def test_a_method_that_never_ends_where_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: Any) -> Design:
        while True:
            time.sleep(0.01)

    _stub(monkeypatch, endless)
    monkeypatch.setattr(Known, "look", lambda *_: None)
    monkeypatch.setattr(over, "_AT_LEAST", 0.1)
    with pytest.raises(rp.InputError, match="time limit was reached before"):
        rp.design(rp.torus(3, 3), time_limit=0.1)


def test_an_interval_that_is_closed_was_not_stopped_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    best = rp.design(rp.torus(3, 3)).answer.made
    assert not best.gap
    _stub(monkeypatch, lambda *_: replace(best, complete=False))
    monkeypatch.setattr(Known, "look", lambda *_: None)
    assert rp.design(rp.torus(3, 3), time_limit=60).answer.made.complete
    assert not rp.design(rp.torus(3, 3), shortest=True, time_limit=60).answer.made.complete


def test_a_method_that_is_worse_than_a_routing_with_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = rp.mesh(3, 4)
    known = Known(network, None)
    known.look(silent, None)
    assert known.worst is not None

    def worse(*_: Any) -> Design:
        best = known.answer
        assert best is not None
        routing = named_routing("random-path:seed=1", network)
        bad = replace(best, routing=routing, worst=worst_over(routing, None), known="", complete=True)
        assert bad.load > best.load
        return bad

    _stub(monkeypatch, worse)
    found = rp.design(network)
    assert found.answer.made.known == known.named
    assert found.value("worst_case_load") in (None, known.worst.load)
    _verified(found, tmp_path)


def test_a_better_design_stands() -> None:
    network = rp.mesh(2, 3)
    made = rp.design(network, time_limit=60).answer.made
    known = Known(network, None)
    known.look(silent, None)
    assert known.worst is not None
    assert made.load <= known.worst.load


def test_two_virtual_channels_on_a_mesh_are_enough_for_o1turn(tmp_path: Path) -> None:
    found = rp.design(rp.mesh(4, 4), max_virtual_channels=2, time_limit=60)
    assert found.value("worst_case_throughput") == Fraction(1, 2)
    assert found.answer.made.known == "o1turn"
    _verified(found, tmp_path)


@pytest.mark.parametrize("network", [rp.mesh(2, 3), rp.torus(3, 3), rp.petersen(), rp.ring(5)])
def test_bounds_are_below_the_best_routing(network: Any) -> None:
    best = rp.design(network).answer.made.load
    bounds = list(simple_bounds(network, None))
    assert bounds
    assert all(0 < x.least_load() <= best for x in bounds)
    assert all(0 < x.least_load() <= 1 for x in simple_bounds(network, Routable(network.num_terminals)))


@pytest.mark.parametrize(("text", "size"), [("slim-fly:5", 50), ("fat-tree:4", 8), ("mesh:2x3,concentration=3", 6)])
def test_terminals_of_a_node_move_together_in_the_demand_that_is_hard(
    monkeypatch: pytest.MonkeyPatch, text: str, size: int
) -> None:
    network, sizes = rp.network(text), list[int]()
    assign = simple_bound.heaviest_assignment

    def counted(weight: Any) -> Any:
        sizes.append(len(weight))
        return assign(weight)

    monkeypatch.setattr(simple_bound, "heaviest_assignment", counted)
    for length in simple_bound.plain_lengths(network):
        far = np.array(Joined(network).distances(length + 1e-9)).round().astype(np.int64)
        demand = simple_bound._hardest(network, permutations(network.num_terminals), far)
        source, sink = zip(*demand, strict=True)
        assert sorted(source) == sorted(sink) == list(range(network.num_terminals))
        alone = far[np.ix_(network.source, network.sink)]
        best = alone[np.arange(len(alone)), assign(alone)].sum()
        assert sum(alone[i, j] for i, j in demand) == best
    assert sizes == [size] * len(sizes)


def test_lengths_that_many_pairs_share_are_written_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stub(monkeypatch, _out_of_time)
    found = rp.design(rp.torus(4, 4), time_limit=60)
    read = list[str]()
    unpack = adversary.unpack_ints

    def counted(text: Any, **given: Any) -> Any:
        read.append(text)
        return unpack(text, **given)

    monkeypatch.setattr(adversary, "unpack_ints", counted)
    _verified(found, tmp_path)
    assert len(read) == len(set(read)) == 1


@pytest.mark.parametrize("limit", [None, 60])
@pytest.mark.parametrize("most", ["_MOST_NODES", "_MOST_CELLS"])
def test_the_best_routing_is_bounded_where_its_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: str, limit: int | None
) -> None:
    def refused(*_: Any, **__: Any) -> Design:
        raise InputError("it was refused")

    monkeypatch.setattr(worst_case, most, 15)
    monkeypatch.setattr(worst_case, "design_worst_case", refused)
    bound, words = worst_case.least_load(rp.torus(4, 4), time_limit=limit)
    assert bound is not None
    assert bound.value == 1
    assert words.startswith("no oblivious routing has a worst-case load below 1 (")
    found = rp.compare([named_routing("dor", rp.torus(4, 4))], best=True, time_limit=limit)
    _verified(found, tmp_path)


def test_a_bound_on_all_routings_bounds_those_on_few_paths() -> None:
    network = rp.mesh(3, 3)
    whole, few = Known(network, None), Known(network, None, path_set("minimal", network))
    for x in (whole, few):
        x.look(silent, None)
    assert whole.bound is not None
    assert few.bound is not None
    assert few.bound.least_load() == whole.bound.least_load()


@pytest.mark.parametrize("worse", [False, True])
def test_the_paths_of_what_is_known_are_measured_once(monkeypatch: pytest.MonkeyPatch, worse: bool) -> None:
    measured = list[str]()

    def counted(routing: Any, **more: Any) -> Fraction:
        measured.append(routing.name)
        return average_path_length(routing, **more)

    def made(*_: Any) -> Design:
        if not worse:
            raise OutOfTimeError
        routing = named_routing("random-path:seed=1", network)
        return Design(None, routing, worst_over(routing, None), bound, Fraction(9), Fraction(1))

    network = rp.mesh(3, 4)
    bound = next(iter(simple_bounds(network, None)))
    monkeypatch.setattr(known_module, "average_path_length", counted)
    _stub(monkeypatch, made)
    found = rp.design(network, time_limit=60).answer.made
    assert found.known
    assert measured.count(found.routing.name) == 1


def test_what_is_longer_than_the_limit_is_not_known() -> None:
    network = rp.torus(4, 4)
    known = Known(network, None, path_length=Fraction(1))
    known.look(silent, None)
    assert known.worst is not None
    assert average_path_length(known.worst.routing) == known.minimal


def test_a_routing_within_a_set_has_the_same_loads() -> None:
    network = rp.mesh(3, 3)
    own = named_routing("o1turn", network)
    same = within(own, path_set("virtual-channels:2", network))
    channels = np.arange(network.num_channels)
    a, b = own.channel_loads(channels), same.channel_loads(channels)
    assert worst_over(own, None).load == worst_over(same, None).load
    assert a.num_channels == b.num_channels
    with pytest.raises(rp.InputError, match="not in the set"):
        within(own, path_set("virtual-channels:1", network))


@pytest.mark.parametrize(
    ("network", "most"), [(rp.mesh(4, 4), 2), (rp.mesh(3, 3, 2), 2), (rp.torus(4, 4), 4), (rp.torus(5, 5), 4)], ids=str
)
@pytest.mark.parametrize("limit", [None, 1])
def test_no_design_within_lanes_is_below_a_name_that_needs_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: rp.Network, most: int, limit: int | None
) -> None:
    best = rp.design(network).answer.made
    by_program = over._by_program

    def too_many(network: rp.Network, demands: Any, options: Any, stage: Any) -> Design:
        if options["paths"] is not None:
            raise TooManyPathsError
        return by_program(network, demands, options, stage)

    _stub(monkeypatch, too_many)
    found = rp.design(network, max_virtual_channels=most, time_limit=limit)
    made = found.answer.made
    assert best.least_load <= made.load
    assert limit is not None or made.least_load >= best.least_load
    assert found.value("virtual_channels") <= most
    _verified(found, tmp_path)
    for name in ("o1turn", "dor", "valiant", "ival"):
        with suppress(InputError):
            named = named_routing(name, network)
            if virtual_channels(named, "turns").count <= most:
                assert made.load <= worst_over(named, None).load, name


def test_a_routing_too_large_for_memory_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(network: rp.Network, demands: Any, options: Any, stage: Any) -> Design:
        raise TooManyLoadsError("it would not fit")

    _stub(monkeypatch, too_large)
    found = rp.design(rp.hypercube(3))
    assert found.answer.made.load == 1


def test_a_routing_within_lanes_leaves_cycles_out_and_keeps_to_the_set() -> None:
    network, few = rp.mesh(3, 3), path_set("virtual-channels:2", rp.mesh(3, 3))
    allowed = within(named_routing("valiant", network), few)
    assert virtual_channels(allowed).count <= 2
    for i, j in itertools.permutations(range(9), 2):
        assert all(few.holds(i, j, path) for _, path in allowed.decomposition(i, j))
    with pytest.raises(InputError, match="not in the set virtual-channels:1"):
        within(named_routing("valiant", network), path_set("virtual-channels:1", network))


@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_twisted_tori_have_half_of_their_capacity(k: int) -> None:
    """Half flows come near to it, and Valiant's routing, which has it exactly, is tried where there is symmetry."""
    found = rp.design(network_from_spec(f"twisted-torus:{k}x{2 * k}"))
    assert found.value("worst_case_load") == Fraction(4 * k * k - 1, 12 * k)
    assert found.value("worst_case_throughput_of_capacity") == Fraction(1, 2)


def test_valiant_is_judged_before_half_flows_where_there_is_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may take all the time that there is."""
    monkeypatch.setattr(Known, "_by_half_flows", lambda *_: True)
    known = Known(network_from_spec("slim-fly:5"), None)
    known.look(silent, None)
    assert known.worst is not None
    assert (known.named, known.worst.load) == ("valiant", Fraction(52, 25))


def test_of_two_routings_with_one_load_the_shorter_one_is_known() -> None:
    known = Known(rp.torus(4, 4), None)
    known._judge("valiant", lambda: named_routing("valiant", known.network))
    known._judge("ival", lambda: named_routing("ival", known.network))
    known._judge("valiant", lambda: named_routing("valiant", known.network))
    assert known.named == "ival"
    assert known.length < average_path_length(named_routing("valiant", known.network))


@pytest.mark.parametrize("shortest", [False, True])
def test_shortest_paths_that_reach_the_bound_of_a_cut_are_all_that_is_asked(shortest: bool) -> None:
    found = rp.design(rp.mesh(8, 8), time_limit=60, shortest=shortest).answer.made
    assert (found.known, found.load, found.gap) == ("o1turn", 4, 0)
    assert found.length == found.minimal == Fraction(21, 4)
    assert found.complete


@pytest.mark.parametrize("text", ["torus:8x4", "mesh:6x6", "mesh:4x4x4"])
def test_a_cut_of_a_grid_is_the_first_bound(text: str) -> None:
    network = rp.network(text)
    first, *others = (x.least_load() for x in simple_bounds(network, None))
    assert first == max(first, *others)


def test_no_program_where_a_judged_routing_meets_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.optimum.worst_case.design_worst_case", None)  # whoever calls it fails
    claim, words = least_load(rp.mesh(4, 4), time_limit=60, reached=Fraction(2))
    assert claim is not None
    assert (claim.value, words) == (2, "no oblivious routing has a worst-case load below 2")


def test_where_the_program_takes_too_much_memory_what_is_known_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Design:
        raise TooMuchMemoryError("designing would take about 20.7 GB; 16.0 GB of memory are free")

    monkeypatch.setattr(over, "_by_program", refuse)
    found = rp.design(rp.mesh(3, 3)).answer
    assert found.made.known
    assert not found.made.complete
    assert found.made.least_load <= found.made.load
    assert "20.7 GB" in found.made.refused
    with pytest.raises(InputError, match=r"20\.7 GB"):
        rp.design(rp.mesh(3, 3), solver="interior")
