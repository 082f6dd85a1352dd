"""All-reduces: beside every division of the nodes of small networks; trees followed both ways."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from random_tasks import some_network
from routeproof.core.claim import Claim
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.questions.collectives.best import Collective
from routeproof.topologies.family import network_from_spec

F = Fraction


def divisions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, *rest = items
    for some in divisions(rest):
        yield [[first], *some]
        for k in range(len(some)):
            yield [*some[:k], [first, *some[k]], *some[k + 1 :]]


def narrowest(network: Network) -> Fraction:
    """Tutte's and Nash-Williams' number: the bandwidth between the sets of a division, over their number less one."""
    ends = list(zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True))
    ratios = []
    for sets in divisions(list(range(network.num_nodes))):
        if len(sets) > 1:
            place = {v: k for k, some in enumerate(sets) for v in some}
            across = sum((b for u, v, b in ends if place[u] != place[v]), Fraction(0))
            ratios.append(across / (2 * (len(sets) - 1)))
    return min(ratios)


def all_reduce(network: Network) -> list[Claim]:
    claims = Collective(network, operation="all-reduce").answer().claims()
    return [x for x in claims if x.about["operation"] == "all-reduce" and x.quantity == "collective_throughput"]


@pytest.mark.parametrize("seed", range(40))
def test_the_best_where_all_nodes_hold_ranks(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 6)
    pairs = [(v, rng.randrange(v)) for v in range(1, size)]
    pairs += [tuple(rng.sample(range(size), 2)) for _ in range(rng.randint(0, size))]  # type: ignore[misc]
    width = [F(rng.randint(1, 4), rng.choice([1, 1, 2, 3])) for _ in pairs]
    network = Network.of(
        "some", size, [x for u, v in pairs for x in ((u, v), (v, u))], bandwidth=[x for b in width for x in (b, b)]
    )
    (claim,) = all_reduce(network)
    assert claim.relation == "=="
    assert claim.value == narrowest(network) / size
    if claim.evidence.data.get("symmetry") == {"found": []}:
        follow(network, claim)


def follow(network: Network, claim: Claim) -> None:
    """Sums to the root and the result back, channel by channel."""
    load = [Fraction(0)] * network.num_channels
    total = Fraction(0)
    for tree in claim.evidence.data["trees"]:
        weight = Fraction(tree["weight"])
        total += weight
        have = {tree["root"]}
        for c in unpack_ints(tree["channels"], what="tree", max_items=1000).tolist():
            u, v = int(network.tail[c]), int(network.head[c])
            assert u in have
            assert v not in have
            have.add(v)
            load[c] += weight
            load[int(network.opposite[c])] += weight
        assert len(have) == network.num_nodes
    assert all(x <= b for x, b in zip(load, network.bandwidth, strict=True))
    assert total == claim.number * network.num_terminals


@pytest.mark.parametrize(
    ("spec", "value"),
    [("torus:4x4", F(2, 15)), ("mesh:2x3", F(7, 30)), ("mesh:4x4", F(1, 10)), ("mesh:8x8", F(1, 36))],
)  # fmt: skip
def test_known_ones(spec: str, value: Fraction) -> None:
    """On a mesh, all cables over all nodes but one: 2 n (n - 1) / (n^2 - 1) of what all ranks reduce."""
    (claim,) = all_reduce(network_from_spec(spec))
    assert (claim.relation, claim.value) == ("==", value)


def test_one_way_channels_have_two_phases_only() -> None:
    (claim,) = all_reduce(network_from_spec("torus:5,oneway"))
    assert (claim.relation, claim.value) == ("==", F(1, 8))
    assert "from" in claim.evidence.data


@pytest.mark.parametrize("seed", range(30))
def test_switches_between_channels_with_reverses(seed: int) -> None:
    """No theorem says that both ends meet here; they have on every network that was tried."""
    network = some_network(random.Random(seed), both_ways=True)
    try:
        claims = all_reduce(network)
    except InputError:  # not connected
        return
    assert [x.relation for x in claims] == ["=="]
