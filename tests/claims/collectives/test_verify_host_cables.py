"""Ranks' own cables in reports: the optimum is that of the network with a node for every rank, and forgeries fail."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from answered_reports import verify
from collective_by_cuts import least_cut
from collective_reports import BOX, report
from random_tasks import some_network
from routeproof.core.collective import broadcasts_of
from routeproof.core.errors import InputError, RouteproofError
from routeproof.core.network import Network
from routeproof.questions.collectives.best import Collective
from routeproof.questions.collectives.phased import CollectiveTime
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

F = Fraction


def rate(operation: str, network: Network, **more: Any) -> dict[str, str]:
    answer = Collective(network, operation=operation, **more).answer()
    own = [x for x in answer.stated if x.quantity == "collective_throughput" and x.about["operation"] == operation]
    return {x.relation: str(x.value) for x in own}


def test_numbers() -> None:
    values = {k: report(k)["claims"][0]["value"] for k in ("cables", "cables, all-to-all", "one leaf")}
    assert values == {"cables": "1/6", "cables, all-to-all": "4/15", "one leaf": "50/3"}
    wide, without = report("wide cables, all-to-all")["claims"][0], report("all-to-all")["claims"][0]
    assert wide["value"] == without["value"]


@pytest.mark.parametrize("operation", ["all-gather", "reduce-scatter", "broadcast", "all-reduce", "all-to-all"])
def test_hosts_of_bandwidth_1_are_those_of_the_option_hosts(operation: str) -> None:
    spec = "mesh:2x2,concentration=2"
    counted = rate(operation, network_from_spec(spec), host_cables=1)
    assert counted == rate(operation, network_from_spec(f"{spec},hosts"))


def test_phases_are_those_of_the_network_with_hosts() -> None:
    for width, time in ((1, "3"), (F(1, 4), "12")):
        routing = routing_from_spec("minimal", network_from_spec("fat-tree:4"))
        asked = CollectiveTime(routing, algorithm="ring", ranks=[0, 1, 4, 5], host_cables=width)
        assert str(asked.answer().stated[0].value) == time
        verify(json.loads(json.dumps(asked.answer().document())))


def test_ranks_at_one_node_need_their_cables() -> None:
    leaf = Network.of("leaf", 2, [(0, 1), (1, 0)], source=[0] * 4, sink=[0] * 4)
    with pytest.raises(InputError, match="to count the hosts' own cables, say --host-cables"):
        Collective(leaf, operation="all-gather").answer()
    with pytest.raises(InputError, match="does not state what the cables of its hosts carry"):
        Collective(BOX, operation="all-gather", host_cables="stated").answer()
    assert rate("all-gather", leaf, host_cables="1/3") == {"==": "1/9"}


def _first(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["claims"][0].update(changes)

    return change


def _subject(cables: object) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["subject"]["host_cables"] = cables

    return change


def _uncounted(document: dict[str, Any]) -> None:
    document["claims"] = document["claims"][:1]
    del document["claims"][0]["host_cables"]


def _evidence(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["claims"][0]["evidence"].update(changes)

    return change


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("cables", _first(value="1/5"), "it is at least 1/5; its trees carry 1/6"),
    ("cables", _subject(["2"]), "it is at most 1/6; its cut proves"),
    ("cables", _subject(["1/3"]), "its trees put 1/2 on channel"),
    ("cables", _subject(["0"]), "what a cable carries is above 0"),
    ("cables", _subject(["1", "1"]), "has 2 numbers for 4 terminals"),
    ("cables", _uncounted, "the report counts the ranks' own cables, and it says otherwise"),
    ("all-gather", _first(host_cables="counted"), "does not count the ranks' own cables"),
    ("cables, all-to-all", _first(value="1/3"), "the slowest rank's own cable allows 4/15"),
    ("cables, all-to-all", _first(value="1/5"), "the cable of terminal 0 proves 4/15"),
    ("cables, all-to-all", _evidence(cable=7), "is that of terminal 7, which is not a rank"),
    ("all-to-all", _evidence(cable=0), "the report does not count these"),
    ("one leaf, all-to-all", _first(value="67"), "the slowest rank's own cable allows 200/3"),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda x: x[2])
def test_forgeries_are_refused(forgery: tuple[str, Callable[[dict[str, Any]], None], str]) -> None:
    name, change, reason = forgery
    document = report(name)
    change(document)
    with pytest.raises(RouteproofError, match=reason.replace("(", r"\(")):
        verify(document)


@pytest.mark.parametrize("seed", range(12))
def test_the_slowest_cable_or_the_least_cut_between_switches(seed: int) -> None:
    """A set of nodes with some hosts of its switches left out, or others taken in, is never a smaller cut."""
    rng = random.Random(seed)
    network = some_network(rng, both_ways=True)
    cable = F(rng.randint(1, 30), rng.choice([1, 2, 3]))
    least = cable / (network.num_terminals - 1)
    if len(set(network.source.tolist())) > 1:
        least = min(least, least_cut(broadcasts_of(network, "all-gather")))
    if not least:
        with pytest.raises(InputError, match="no path leads"):
            rate("all-gather", network, host_cables=cable)
    else:
        assert rate("all-gather", network, host_cables=cable) == {"==": str(least)}
