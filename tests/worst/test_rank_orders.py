"""Orders of ranks: the best of few is the best of all by brute force, searches never end worse than they begin, and
reports about all orders verify and are refused where damaged."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.phases import phases_of
from routeproof.formats.documents.report import document_to_claims
from routeproof.questions.collectives.phased import CollectiveTime
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.phase_loads import phase_loads, total_time
from routeproof.worst.rank_orders import best_order, order_times
from true_reports import sealed

F = Fraction
CASES = [
    ("mesh:2x2", "dor", "ring", "all-gather", None),
    ("mesh:5", "dor", "ring", "all-gather", F(1, 3)),
    ("mesh:2x2", "romm", "pairwise", "all-to-all", None),
    ("ring:5", "minimal", "bruck", "all-gather", None),
    ("mesh:2x2", "valiant", "tree", "all-reduce", F(2, 5)),
]


@pytest.mark.parametrize(("topology", "spec", "algorithm", "operation", "cable"), CASES)
def test_all_orders(topology: str, spec: str, algorithm: str, operation: str, cable: Fraction | None) -> None:
    routing = routing_from_spec(spec, network_from_spec(topology))
    ranks = list(range(routing.network.num_terminals))
    cables = None if cable is None else [cable] * len(ranks)
    phases = list(phases_of(algorithm, operation, len(ranks)))
    by_hand = {x: total_time(phase_loads(routing, phases, x, cables=cables)) for x in permutations(ranks)}
    times = order_times(routing, phases, ranks, cables)
    assert times is not None
    assert all(F(times.of(np.array(x)), times.scale) == time for x, time in by_hand.items())
    found = best_order(times, ranks, fixed=0, rng=np.random.default_rng(0), least=F(0))
    assert found.all
    assert by_hand[tuple(found.ranks)] == min(by_hand.values())


def test_a_search_is_no_worse_than_where_it_begins() -> None:
    routing = routing_from_spec("dor", network_from_spec("mesh:3x4"))
    order = np.random.default_rng(5).permutation(12).tolist()
    phases = list(phases_of("ring", "all-gather", 12))
    times = order_times(routing, phases, order, None)
    assert times is not None
    found = best_order(times, order, fixed=0, rng=np.random.default_rng(1), least=F(11))
    assert total_time(phase_loads(routing, phases, found.ranks)) == 11 < total_time(phase_loads(routing, phases, order))
    assert not found.all


def made(**asked: Any) -> dict[str, Any]:
    routing = routing_from_spec("dor", network_from_spec(asked.pop("topology", "mesh:2x2")))
    answer = CollectiveTime(routing, algorithm="ring", **asked).answer()
    document: dict[str, Any] = json.loads(json.dumps(answer.document()))
    return document


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


def test_wrong_orders_are_refused() -> None:
    for text in ("random", "random:0", "random:x", "best", "random:-1"):
        with pytest.raises(InputError, match="given, search, or random:N"):
            made(order=text)
    with pytest.raises(InputError, match="--seed goes with --order"):
        made(seed=3)


@pytest.mark.parametrize("ranks", [5, 9])
def test_an_interrupted_search_keeps_the_best_order_so_far(ranks: int) -> None:
    routing = routing_from_spec("dor", network_from_spec("torus:3x3"))
    times = order_times(routing, phases_of("ring", "all-gather", ranks), range(ranks), None)
    assert times is not None

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    rng = np.random.default_rng(0)
    found = best_order(times, range(ranks), fixed=0, rng=rng, least=Fraction(0), progress=stop)
    assert found.interrupted
    assert not found.all
    assert sorted(found.ranks) == [*range(ranks)]
    assert 0 < found.tried < 1000
    assert times.of(np.array(found.ranks)) <= times.of(np.arange(ranks))
