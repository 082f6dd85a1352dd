"""Jobs at once: every combination of their phases, channel by channel."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.network import Network
from routeproof.core.schedules.phases import Phase, phases_of
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.attach import with_host_cables
from routeproof.topologies.family import network_from_spec
from routeproof.worst.phase_loads import cells_of, together

F = Fraction
Cycles = list[dict[int, F]]
Job = tuple[str, str, list[int]]
UNEVEN = Network.of(
    "uneven", 4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (0, 3)], bandwidth=[1, 2, F(1, 3), 3, 1, 1, F(7, 2)]
)


def cycles_of(routing: Routing, job: Job, cables: list[F] | None) -> tuple[list[Phase], Cycles]:
    algorithm, operation, ranks = job
    phases = list(phases_of(algorithm, operation, len(ranks)))
    found: Cycles = []
    network = routing.network
    for x in phases:
        load: dict[int, F] = {}
        for s, d in zip(x.source.tolist(), x.destination.tolist(), strict=True):
            i, j = ranks[s], ranks[d]
            apart = network.source[i] != network.sink[j]
            block = routing.pair_loads(routing.row_of[[i]], routing.column_of[[j]])
            for c, y in block.as_dict(0).items() if apart else ():
                load[c] = load.get(c, F(0)) + y * x.amount / network.bandwidth[c]
            for c, t in () if cables is None else ((2 * i, i), (2 * j + 1, j)):
                at = network.num_channels + c
                load[at] = load.get(at, F(0)) + x.amount / cables[t]
        found.append(load)
    return phases, found


CASES = [
    ("torus:4x3", "dor", [("ring", "all-gather", [0, 5, 7]), ("tree", "all-reduce", [1, 2, 3, 8]),
                          ("recursive-halving", "all-reduce", [4, 6, 9, 11])]),
    ("mesh:8", "valiant", [("bruck", "all-to-all", [0, 2, 4, 6, 7]), ("linear-shift", "all-to-all", [1, 3, 5])]),
    ("fat-tree:4", "dmodk", [("pairwise", "all-gather", [0, 1, 4, 9]), ("ring", "all-reduce", [2, 5, 8])]),
    ("uneven", "minimal", [("tree", "broadcast", [0, 3]), ("recursive-doubling", "all-gather", [1, 2])]),
]  # fmt: skip


@pytest.mark.parametrize("cables", [None, F(2, 3)])
@pytest.mark.parametrize(("spec", "name", "jobs"), CASES)
def test_all_combinations_of_phases(spec: str, name: str, jobs: list[Job], cables: F | None) -> None:
    network = UNEVEN if spec == "uneven" else network_from_spec(spec)
    routing = routing_from_spec(name, network)
    own = None if cables is None else [cables] * network.num_terminals
    placed = network if own is None else with_host_cables(network, own)
    made = [cycles_of(routing, x, own) for x in jobs]
    found = together(
        [cells_of(routing, p, x[2], own) for x, (p, _) in zip(jobs, made, strict=True)], placed.num_channels
    )
    channels = range(placed.num_channels)
    loads = [x for _, x in made]
    combinations = list(itertools.product(*(range(len(x)) for x in loads)))
    most = max(
        (sum((x[p].get(c, F(0)) for x, p in zip(loads, at, strict=True)), F(0)), -c)
        for at in combinations
        for c in channels
    )
    assert (found.most, found.channel) == (most[0], -most[1])
    for k, (job, load) in enumerate(zip(found.jobs, loads, strict=True)):
        others = {
            c: sum((max(y.get(c, F(0)) for y in x) for i, x in enumerate(loads) if i != k), F(0)) for c in channels
        }
        assert job.alone == [max(x.values(), default=F(0)) for x in load]
        assert job.beside == [max((x + others[c] for c, x in one.items()), default=F(0)) for one in load]
        for one, c in zip(load, job.beside_channel, strict=True):
            assert c == min(
                (d for d in one if one[d] + others[d] == max(y + others[e] for e, y in one.items())), default=-1
            )
        assert job.others == max(others[c] for one in load for c in one)
    for at in combinations:  # phases that are sent evenly over their times fit, whichever meet
        for c in channels:
            met = zip(loads, at, found.jobs, strict=True)
            shares = [x[p].get(c, F(0)) / j.beside[p] for x, p, j in met if j.beside[p]]
            assert sum(shares, F(0)) <= 1


def test_long_fractions() -> None:
    wide = Network.of("wide", 3, [(0, 1), (1, 2), (2, 0)], bandwidth=[F(10**30, 10**29 + 7), F(1, 10**25), 3])
    cells = cells_of(routing_from_spec("minimal", wide), phases_of("ring", "all-gather", 3), [0, 1, 2])
    found = together([cells, cells], 3)
    assert found.jobs[0].alone == [F(10**25)]
    assert found.most == found.jobs[1].beside[0] == 2 * F(10**25)
    assert cells.cycles.dtype == np.dtype(object)
