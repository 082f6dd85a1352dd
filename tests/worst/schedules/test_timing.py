"""The time of schedules on networks: known times, and loads and phases counted otherwise."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof as rp
from routeproof.claims.kinds import KINDS
from routeproof.claims.schedules.times import RATE, times_of
from routeproof.core.errors import InputError
from routeproof.core.schedules.relation import Relation
from routeproof.core.schedules.schedule import Block, Schedule, Step
from routeproof.formats.documents.json_text import write_json
from routeproof.formats.schedules.document import schedule_to_document
from routeproof.report.terminal.collective import compared_with
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.schedules.judge import judge, order_of
from small_schedules import (
    RIGHT,
    broadcast,
    i,
    interleavings,
    o,
    pairwise_all_to_all,
    recursive_doubling,
    reduce_then_scatter,
    ring_all_gather,
    ring_all_reduce,
    schedule,
    waiting_for_one_another,
    wrong,
)


def file_of(given: Schedule, folder: Path) -> Path:
    path = folder / "schedule.json"
    write_json(schedule_to_document(given), path)
    return path


@pytest.mark.parametrize("n", [3, 4, 6])
def test_a_ring_takes_twice_as_long_as_both_directions_together(n: int, tmp_path: Path) -> None:
    network = rp.torus(n)
    path = file_of(ring_all_gather(n), tmp_path)
    found = rp.schedule(path, topology=network, routing=rp.DOR().on(network))
    assert found.value("collective_time") == n - 1
    assert found.value("collective_throughput") == Fraction(2, n - 1)
    assert found.value("times_optimal") == 2


def test_an_all_reduce_is_two_of_them(tmp_path: Path) -> None:
    network = rp.torus(4)
    found = rp.schedule(file_of(ring_all_reduce(4), tmp_path), topology=network)
    assert found.value("collective_time") == 6
    assert {x.quantity for x in found.claims()} >= {"times_optimal", "result_correct"}


def test_on_a_complete_network(tmp_path: Path) -> None:
    network = rp.network("complete:4")
    found = rp.schedule(file_of(pairwise_all_to_all(4), tmp_path), topology=network)
    assert found.value("collective_time") == Fraction(1, 4)
    assert found.value("times_optimal") == 1


def test_doubled_bandwidths_halve_the_time() -> None:
    for scale in (1, 2):
        network = rp.Network.of("pair", 2, [(0, 1), (1, 0)], bandwidth=[scale, scale])
        times = _times(RIGHT["exchange"], network)
        assert times.in_phases() == times.busiest()[1] == Fraction(2, scale)


@pytest.mark.parametrize("given", [recursive_doubling(4), reduce_then_scatter(4), broadcast(4), ring_all_reduce(4)])
def test_loads_and_phases_counted_otherwise(given: Schedule) -> None:
    """Channels by the paths of the routing, phases by the executions: a message is in phase k if k - 1 go before it."""
    network = rp.network("mesh:2x2")
    routing = routing_from_spec("valiant", network)
    times = _times(given, network, "valiant")
    unit = Fraction(given.chunks) if given.collective == "broadcast" else Fraction(given.chunks, given.num_ranks)
    busy: Counter[int] = Counter()
    for rank, number, _, step in given.steps():
        if step.does.sends:
            for weight, path in routing.paths(rank, given.blocks[rank][number].send_to):
                for c in path:
                    busy[c] += weight * step.count / unit
    assert times.busiest()[1] == max(busy.values())
    if given.num_steps < 16:
        before = interleavings(given, in_place=given.in_place[0]).before
        sends = [k for k, (*_, step) in enumerate(given.steps()) if step.does.sends]
        first = {(a, b) for a in sends for b in sends if a != b and (b, a) not in before}
        longest = dict.fromkeys(sends, 1)
        for _ in sends:
            for a, b in first:
                longest[b] = max(longest[b], longest[a] + 1)
        assert len(times.phases) == max(longest.values())
    assert times.busiest()[1] <= times.in_phases()


def _times(given: Schedule, network: rp.Network, routing: str = "minimal") -> object:
    number = judge(given).number
    assert number is not None
    ranks = range(given.num_ranks)
    return times_of(Relation(given), order_of(number), routing_from_spec(routing, network), ranks)


def test_what_is_wrong_or_never_ends_is_not_compared(tmp_path: Path) -> None:
    network = rp.network("mesh:2")
    quantities = {x.quantity for x in rp.schedule(file_of(wrong(), tmp_path), topology=network).claims()}
    assert "collective_time" in quantities
    assert "times_optimal" not in quantities
    never = rp.schedule(file_of(waiting_for_one_another(), tmp_path), topology=network)
    assert [x.quantity for x in never.claims()] == ["deadlock_free"]
    on_ranks = rp.schedule(file_of(waiting_for_one_another(), tmp_path), topology=rp.network("mesh:3"), ranks=[0, 2])
    on_ranks.write(tmp_path / "report.json")
    assert len(rp.verify(tmp_path / "report.json")) == 1


def test_rates_that_weighted_cuts_prove(tmp_path: Path) -> None:
    """A switch that receives 1 and could send 2 copies nothing, so that a broadcast takes 2 cycles and no schedule
    less."""
    ends = [(0, 3), (3, 1), (3, 2), (1, 0), (2, 0)]
    network = rp.Network.of("fork", 4, ends, source=[0, 1, 2], sink=[0, 1, 2])
    root = [Block((Step("copy", i(0), o(0)),)), *(Block((Step("send", i(0)),), send_to=x) for x in (1, 2))]
    ranks = [root, *([Block((Step("receive", None, o(0)),), receive_from=0)] for _ in range(2))]
    found = rp.schedule(file_of(schedule("broadcast", 1, ranks, root=0), tmp_path), topology=network)
    assert (found.value("collective_time"), found.value("times_optimal")) == (2, 1)
    assert compared_with(found.claims()) == [("optimum", "of all schedules, if switches copy nothing")]
    found.write(tmp_path / "report.json")
    assert len(rp.verify(tmp_path / "report.json")) == len(found.claims())


def test_every_rate_of_a_collective_is_read_in_reports_about_schedules() -> None:
    kinds = [x for x in KINDS.own.values() if RATE in x.states]
    assert len(kinds) > 3
    assert all("schedule" in x.subjects for x in kinds if "collective" in x.subjects)


def test_ranks_are_terminals_in_order(tmp_path: Path) -> None:
    path, network = file_of(ring_all_gather(3), tmp_path), rp.torus(6)
    with pytest.raises(InputError, match="the schedule has 3 ranks, and 6 terminals take part"):
        rp.schedule(path, topology=network)
    found = rp.schedule(path, topology=network, routing=rp.DOR().on(network), ranks=[0, 2, 4])
    assert found.value("collective_time") == 2
    found.write(tmp_path / "report.json")
    assert len(rp.verify(tmp_path / "report.json")) == len(found.claims())


def test_options_that_need_one_another(tmp_path: Path) -> None:
    path = file_of(ring_all_gather(3), tmp_path)
    with pytest.raises(InputError, match="are for a network; topology was expected with them"):
        rp.schedule(path, ranks=[0, 1, 2])
    with pytest.raises(InputError, match="on another network"):
        rp.schedule(path, topology=rp.torus(3), routing=rp.DOR().on(rp.torus(4)))
    network = rp.torus(3)
    bound = routing_from_spec("worst-hash:ecmp", network)
    with pytest.raises(InputError, match="bounds every channel and is not a routing"):
        rp.schedule(path, topology=network, routing=bound)
