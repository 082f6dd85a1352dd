"""Jobs: each alone, all at once, and the matrix of who hurts whom, against worst cases and loads found one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from routeproof import Network, mesh, named_routing, torus
from routeproof.core.errors import InputError
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.routing.base.routing import Routing
from routeproof.worst.demand_sets import jobs as module
from routeproof.worst.demand_sets.jobs import _solution, job_loads
from routeproof.worst.scan.exact import worst_case_over

JOBS = {"a": [0, 1, 2], "b": [3, 4], "c": [5, 6, 8]}


def uneven() -> Network:
    """Two terminals on nodes 0 and 1; bandwidths differ."""
    ends = [(k, (k + 1) % 7) for k in range(7)] + [((k + 1) % 7, k) for k in range(7)] + [(0, 3), (3, 0)]
    width = [Fraction(1 + k % 3, 1 + k % 2) for k in range(len(ends))]
    at = [0, 0, 1, 1, 2, 3, 4, 5, 6]
    return Network.of("uneven", 7, ends, bandwidth=width, source=at, sink=at)


SETS = [
    within(JOBS, 9),
    within(JOBS, 9) & among([(0, 1), (2, 1), (1, 2), (3, 4), (5, 8), (8, 6), (0, 8)], 9),
    within(JOBS, 9) & hose([Fraction(k + 1, 3) for k in range(9)], [Fraction(9 - k, 4) for k in range(9)]),
]


def channel_loads(routing: Routing, demands: TransportSet) -> list[Fraction]:
    found = worst_case_over(routing, demands, all_channels=True, symmetry="none").channel_loads
    assert found is not None
    return found


@pytest.mark.parametrize("paths", ["by pair", "by channel", "rounded"])
@pytest.mark.parametrize("demands", SETS, ids=lambda x: x.text)
@pytest.mark.parametrize("routing", ["valiant", "minimal", "sssp"])
@pytest.mark.parametrize("network", [mesh(3, 3), uneven()], ids=lambda x: x.name)
def test_every_job_alone_and_all_at_once(
    network: Network, routing: str, demands: TransportSet, paths: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if paths == "by channel":
        monkeypatch.setattr(module, "_MOST_ENTRIES", 0)
        monkeypatch.setattr(module, "_BLOCK", 5)
    elif paths == "rounded":
        choose = module.choose_scale
        monkeypatch.setattr(module, "choose_scale", lambda _, total: choose(None, total))
    given = named_routing(routing, network)
    found = job_loads(given, demands)
    alone = [channel_loads(given, demands.alone(job)) for job in demands.jobs]
    count = network.num_channels
    assert found.jobs == ("a", "b", "c")
    assert found.uses.tolist() == [[bool(x[c]) for x in alone] for c in range(count)]
    assert [load for load, _ in found.worst] == [max(x) for x in alone]
    together = channel_loads(given, demands)
    assert together == [sum(x[c] for x in alone) for c in range(count)]
    assert found.together == (max(together), together.index(max(together)))
    for a, mine in enumerate(alone):
        for b, theirs in enumerate(alone):
            load, channel = found.hurts[a][b]
            meet = [c for c in range(count) if mine[c] and theirs[c]]
            assert load == max((mine[c] for c in meet), default=0)
            assert channel == next((c for c in meet if mine[c] == load), -1)
        load, channel = found.worst[a]
        job = demands.jobs[a]
        packets, solution = _solution(found.routing, found.demands, job, channel)
        sent: dict[tuple[int, int], Fraction] = {}
        for i, j, x in packets:
            sent[i, j] = sent.get((i, j), Fraction(0)) + x
        demands.alone(job).check_admits(sent)
        block = given.pair_loads(given.row_of[[i for i, _ in sent]], given.column_of[[j for _, j in sent]])
        made = sum((x * block.as_dict(k).get(channel, Fraction(0)) for k, x in enumerate(sent.values())), Fraction(0))
        assert made == load * network.bandwidth[channel]
        assert solution.u
    if found.shared is None:
        assert all(load == 0 for a in range(3) for b, (load, _) in enumerate(found.hurts[a]) if a != b)
        return
    for job, (i, j) in zip(found.shared.jobs, found.shared.pairs, strict=True):
        assert demands.alone(job).allows(i, j)
        block = given.pair_loads(given.row_of[[i]], given.column_of[[j]])
        assert block.as_dict().get(found.shared.channel, 0) > 0


def test_jobs_apart_share_nothing() -> None:
    network = mesh(8)
    found = job_loads(named_routing("dor", network), within({"left": [0, 1, 2], "right": [3, 4, 7]}, 8))
    assert found.shared is None
    assert found.hurts[0][1] == found.hurts[1][0] == (0, -1)
    assert found.together[0] == max(load for load, _ in found.worst)


def test_a_job_whose_pairs_may_not_send_hurts_nobody() -> None:
    demands = within(JOBS, 9) & among([(0, 1), (5, 8), (8, 6)], 9)
    found = job_loads(named_routing("minimal", mesh(3, 3)), demands)
    assert found.worst[1] == (0, -1)
    assert found.hurts[1] == [(0, -1)] * 3
    assert not found.uses[:, 1].any()
    assert found.worst[2][0] > 0


def test_two_jobs_as_one_are_no_better() -> None:
    given = named_routing("minimal", torus(3, 3))
    apart, merged = within(JOBS, 9), within({"ab": [*JOBS["a"], *JOBS["b"]], "c": JOBS["c"]}, 9)
    assert job_loads(given, apart).together[0] <= job_loads(given, merged).together[0]


def test_what_is_refused() -> None:
    given = named_routing("dor", mesh(3, 3))
    for demands, said in (
        (permutations(9), "permutations has no jobs; within:JOBS was expected"),
        (within(JOBS, 9) & sparse(9, 2), "jobs are judged one by one"),
        (within([[0, 1]], 5), "about 5 terminals, mesh:3x3 has 9"),
    ):
        with pytest.raises(InputError, match=said):
            job_loads(given, demands)
