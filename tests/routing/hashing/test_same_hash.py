"""The same hash at every switch: against walking with every hash value, one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from places import ETHERNET
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.routing.hashing.flows import next_shares
from routeproof.routing.hashing.same_hash import SameHash, shortest_groups
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case

TWO_THREE = Network.of(
    "two tiers",
    8,  # 0 to 1 or 2, then to 3, 4 or 5 (from 2 to 3 and 4 alone), then 6; 7 is another source, at 1
    [(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (3, 6), (4, 6), (5, 6), (7, 1)],
    source=[0, 7],
    sink=[6, 6],
)


def by_walking(
    network: Network, groups: dict[tuple[int, int], list[tuple[int, int]]], s: int, d: int, how: str
) -> dict[int, Fraction]:
    """Loads of the pair: every hash value below a common multiple of all groups' entries goes its way."""
    whole = math.lcm(*(sum(w for _, w in group) for group in groups.values())) * 4
    load: dict[int, Fraction] = {}
    for h in range(whole):
        v = s
        while v != d:
            entries = [c for c, w in groups[v, d] for _ in range(w)]
            c = entries[h % len(entries) if how == "same" else h * len(entries) // whole]
            load[c] = load.get(c, Fraction(0)) + Fraction(1, whole)
            v = int(network.head[c])
    return load


@pytest.mark.parametrize("how", ["same", "same-range"])
@pytest.mark.parametrize("weights", [(1,), (1, 2, 3, 1, 4, 2, 5)])
@pytest.mark.parametrize(
    "network", [TWO_THREE, network_from_spec("fat-tree:4"), network_from_spec("mesh:3x3")], ids=str
)
def test_every_hash_value(network: Network, weights: tuple[int, ...], how: str) -> None:
    each = [weights[c % len(weights)] for c in range(network.num_channels)]
    groups = {key: list(group) for key, group in shortest_groups(network, each).items()}
    routing = SameHash(network, "same", groups, how)
    routing.check()
    for s in sorted(set(network.source.tolist())):
        for d in sorted(set(network.sink.tolist()))[:5]:
            if s != d:
                found = routing.pair_loads([s], [d]).as_dict()
                assert found == by_walking(network, groups, s, d, how)


def test_groups_of_equal_size_leave_one_member_each() -> None:
    """At the second of two switches with n members, only the one that the first took can be taken."""
    network = network_from_spec("fat-tree:8")
    for how in ("same", "same-range"):
        shares = next_shares(routing_from_spec(f"ecmp:hash={how}", network), 0, 127)
        assert sorted(shares.values()) == [0] * 12 + [1] * 4
    independent = next_shares(routing_from_spec("ecmp", network), 0, 127)
    assert set(independent.values()) == {Fraction(1, 4)}
    assert worst_case(routing_from_spec("ecmp:hash=same", network)).load == 4


def test_conditional_shares_of_two_and_three_members() -> None:
    """gcd(2, 3) = 1: modulo, the second choice is free; by ranges, half of the range holds one and a half thirds."""
    modulo = next_shares(routing_from_spec("ecmp:hash=same", TWO_THREE), 0, 0)
    ranges = next_shares(routing_from_spec("ecmp:hash=same-range", TWO_THREE), 0, 0)
    assert {k: modulo[0, k] for k in (2, 3, 4)} == dict.fromkeys((2, 3, 4), Fraction(1, 3))
    assert {k: ranges[0, k] for k in (2, 3, 4)} == {2: Fraction(2, 3), 3: Fraction(1, 3), 4: 0}
    assert {k: modulo[1, k] for k in (5, 6)} == {5: 0, 6: 1}  # two and two: the second member again
    assert {k: ranges[1, k] for k in (5, 6)} == {5: 0, 6: 1}


def test_one_tier_is_not_polarised() -> None:
    network = network_from_spec("mesh:2x2")
    plain, same = (routing_from_spec(x, network) for x in ("ecmp", "ecmp:hash=same"))
    for c in range(network.num_channels):
        assert plain.channel_loads([c]).as_dict() == same.channel_loads([c]).as_dict()


def test_of_a_folder_of_dumps(tmp_path: Path) -> None:
    network = read_network(str(ETHERNET / "leaf-spine"))
    routing = routing_from_spec("routes:hash=same", network)
    routing.check()
    report = str(tmp_path / "r.json")
    for verb in (["worst-case"], ["hashing", "--traffic", "worst", "--pair", "h1,h3"]):
        assert main([*verb, str(ETHERNET / "leaf-spine"), "-r", "routes:hash=same", "-q", "--json", report]) == 0
        assert main(["verify", report, "-q"]) == 0


def test_what_is_refused() -> None:
    network = network_from_spec("fat-tree:4")
    with pytest.raises(InputError, match="did you mean 'same'"):
        routing_from_spec("ecmp:hash=sam", network)
    with pytest.raises(InputError, match="without weight="):
        routing_from_spec("ecmp:hash=same,weight=cost", network)
    with pytest.raises(InputError, match="has no routes"):
        routing_from_spec("routes:hash=same", network)
