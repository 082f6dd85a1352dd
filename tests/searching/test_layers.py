"""Fewest virtual channels by a solver: no cycle, as few as exhaustive search finds; two where first fit takes three."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest

from routeproof.claims.routings.deadlock_rules import several_hops
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.kernel.layer_clauses import LayerFormula, Sharing
from routeproof.kernel.refutation import check_refutation
from routeproof.routing.dependencies.virtual_dependencies import bundles_of
from routeproof.routing.named.spec import routing_from_spec
from routeproof.searching.layers import fewest_virtual_channels, fewest_with_classes, lanes_of_paths
from routeproof.searching.satisfiability import answer_clauses
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import VirtualChannels, deadlock, virtual_channels

pytest.importorskip("pysat")
HEAD = (0, 1, 2, 0, 1)


def is_free(paths: list[tuple[int, ...]], lanes: list[tuple[int, ...]]) -> bool:
    hops = [list(zip(path, own, strict=True)) for path, own in zip(paths, lanes, strict=True)]
    return nx.is_directed_acyclic_graph(nx.DiGraph([e for x in hops for e in pairwise(x)]))


def every_choice(paths: list[tuple[int, ...]], count: int, by: str) -> list[list[tuple[int, ...]]]:
    lanes = range(count)
    if by == "layers":
        return [[(k,) * len(p) for k, p in zip(x, paths, strict=True)] for x in product(lanes, repeat=len(paths))]
    if by == "destinations":
        return [[(x[HEAD[p[-1]]],) * len(p) for p in paths] for x in product(lanes, repeat=3)]
    return [list(x) for x in product(*(list(product(lanes, repeat=len(p))) for p in paths))]


@pytest.mark.parametrize("by", ["layers", "destinations", "hops"])
@pytest.mark.parametrize("seed", range(12))
def test_as_few_as_exhaustive_search(seed: int, by: str) -> None:
    rng = np.random.default_rng(seed)
    num_paths, longest = (6, 5) if by != "hops" else (4, 4)
    paths = [tuple(rng.permutation(5)[: rng.integers(1, longest)].tolist()) for _ in range(num_paths)]
    sharing = Sharing(by, 5, HEAD)
    for count in (1, 2, 3) if by != "hops" else (1, 2):
        cycles: list[tuple[int, ...]] = []
        found, refuted = lanes_of_paths(paths, count, sharing, time_limit=20.0, cycles=cycles)
        possible = any(is_free(paths, lanes) for lanes in every_choice(paths, count, by))
        assert (found is not None, refuted) == (possible, not possible)
        assert found is None or (is_free(paths, found) and found in every_choice(paths, count, by))
        if refuted:
            formula = LayerFormula(sorted({x for x in paths if len(x) > 1}), count, sharing)
            clauses = [*formula.clauses, *(x for cycle in cycles for x in formula.forbid(cycle))]
            _, lemmas = answer_clauses(formula.num_variables, clauses, time_limit=20.0, what="a test")
            assert lemmas is not None
            assert check_refutation(formula.num_variables, clauses, lemmas) >= 0


def first_of(topology: str, name: str, assignment: str | None = None) -> VirtualChannels:
    return virtual_channels(routing_from_spec(name, network_from_spec(topology)), assignment)


@pytest.mark.parametrize(("assignment", "count"), [("layers", 2), ("hops", 2), (None, 2)])
def test_fewer_than_first_fit(assignment: str | None, count: int) -> None:
    first = first_of("torus:5x5", "sssp", assignment)
    assert first.count == 3
    assert fewest_virtual_channels(first, assignment).found.count == count


def test_no_time_changes_nothing() -> None:
    first = first_of("torus:5x5", "sssp")
    assert fewest_virtual_channels(first, time_limit=0.0).found is first


@pytest.mark.parametrize(("topology", "name"), [("torus:5x5", "sssp"), ("ring:4", "valiant"), ("petersen", "sssp")])
def test_at_least_two_where_there_is_a_cycle(topology: str, name: str) -> None:
    first = replace(first_of(topology, name), count=4)
    claim = fewest_virtual_channels(first, time_limit=0.0).least
    assert claim is not None
    assert (claim.relation, claim.value, claim.about["assignment"]) == (">=", 2, "hops")
    cycle = unpack_ints(claim.evidence.data["cycles"], what="cycles", max_items=100).tolist()[:-1]
    paths = {tuple(x) for bundle in bundles_of(first.routing) for x in bundle.channel.tolist()}
    edges = {edge for path in paths for edge in pairwise(path)}
    assert all(edge in edges for edge in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    formula = LayerFormula(several_hops(first.routing), 1, Sharing("hops", first.routing.network.num_channels))
    clauses = [*formula.clauses, *formula.forbid(cycle)]
    check_refutation(formula.num_variables, clauses, [[]])
    with pytest.raises(VerificationError):
        check_refutation(formula.num_variables, formula.clauses, [[]])


def test_fewer_choices_never_need_fewer() -> None:
    least = {}
    for by in ("hops", "layers", "destinations"):
        done = fewest_virtual_channels(first_of("petersen", "sssp", by), by)
        least[by] = done.found.count
        assert done.found.count <= 2 or done.least is not None
    assert least["hops"] <= least["layers"] <= least["destinations"]


@pytest.mark.parametrize("what", ["solve", "_refutation"])
def test_an_interrupt_leaves_what_is_known(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **more: object) -> None:
        raise KeyboardInterrupt

    first = first_of("ring:4", "valiant", "layers")
    monkeypatch.setattr(f"routeproof.searching.layers.{what}", interrupted)
    done = fewest_virtual_channels(first, "layers")
    assert done.found.count == 3
    assert done.least is not None
    assert done.least.value == 2  # one does not do: no search says so
    shared = fewest_with_classes(first, first.claim(deadlock(first.routing)), 2)
    assert [(x.relation, "classes" in x.about) for x in shared] == [("<=", False), ("<=", True)]


def test_fewer_that_are_refuted_are_said_where_the_least_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_time(paths: Any, count: int, *rest: Any, **more: Any) -> Any:
        return lanes_of_paths(paths, count, *rest, **more) if count == 2 else (None, False)

    monkeypatch.setattr("routeproof.searching.layers.lanes_of_paths", in_time)
    monkeypatch.setattr("routeproof.searching.layers.lanes_by_orders", lambda *_: None)
    four = replace(first_of("ring:4", "valiant", "layers"), count=4)
    done = fewest_virtual_channels(four, "layers")
    assert done.found is four
    assert done.least is not None
    assert (done.least.relation, done.least.value) == (">=", 3)
    assert four.claim(deadlock(four.routing), done.least).relation == "<="
