"""True reports to verify and to corrupt, made as the command makes them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any
from unittest import mock

from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.core.traffic import Permutation, Traffic
from routeproof.formats.documents.report import claims_to_document, digest, document_to_claims
from routeproof.questions.answer import subject_of
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.base.routing import Routing
from routeproof.routing.function.incremental import Incremental
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.patterns import traffic_pattern
from routeproof.verification import verify_claims

Document = dict[str, Any]


def report(routing: Routing, *, topology: str | None = None, **options: Any) -> Document:
    """The report of ``analyse`` as a plain JSON document."""
    found = answer_worst_case(routing, **options)
    subject = subject_of(routing, topology=topology or routing.network.spec or "a network")
    return json.loads(json.dumps(claims_to_document(subject, found.stated)))


def report_on(topology: str, name: str, *, traffic: tuple[str, ...] = (), **options: Any) -> Document:
    network = network_from_spec(topology)
    patterns = [traffic_pattern(x, network) for x in traffic]
    return report(routing_from_spec(name, network), topology=topology, traffics=patterns, **options)


def shared_report(topology: str, name: str, **options: Any) -> Document:
    """Every channel, with evidence for many of them together, as large networks have it."""
    with mock.patch("routeproof.questions.worst_case.FEW_NUMBERS", 0):
        return report_on(topology, name, all_channels=True, **options)


def verify(document: Document) -> int:
    """How many claims were verified."""
    return len(verify_claims(*document_to_claims(document)))


def sealed(document: Document) -> Document:
    """The document with digests made again: an adversary's, where one made a change."""
    for part in (document["subject"], document["environment"], *document["claims"]):
        if isinstance(part, dict):
            part["digest"] = digest(part)
    return document


def around(state: Any, node: int, destination: int) -> Any:
    """Both ways around a ring of five, at random."""
    if state is None:
        return [("1/3", 1, (node + 1) % 5), ("2/3", -1, (node - 1) % 5)]
    return [(1, state, (node + state) % 5)]


def user_function() -> Routing:
    return Incremental(around, name="mine:around").on(network_from_spec("ring:5"))


def hosts_network() -> Network:
    """Five hosts on three switches, which two parallel channels join; hosts on one switch, and one with two ports."""
    links = [(0, 1), (0, 1), (1, 2), (2, 0), (0, 2), (1, 0), (2, 1)]
    widths = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(1), Fraction(1), Fraction(1), Fraction(5, 7)]
    return Network.of("hosts", 3, links, bandwidth=widths, source=[0, 0, 1, 2, 2], sink=[0, 1, 1, 2, 0])


def table(network: Network) -> Routing:
    """Paths that treat two terminals of one node differently, over parallel channels."""
    items: list[tuple[int, int, Fraction, list[int]]] = []
    direct = {(0, 1): [0, 1], (1, 2): [2], (2, 0): [3], (0, 2): [4], (1, 0): [5], (2, 1): [6]}
    for i, a in enumerate(network.source.tolist()):
        for j, b in enumerate(network.sink.tolist()):
            if a == b:
                continue
            v = 3 - a - b
            ways = [[c] for c in direct[a, b]] + [[direct[a, v][0], direct[v, b][0]]]
            if (i + j) % 2:
                items.append((i, j, Fraction(1), ways[0]))
            else:
                items += [(i, j, Fraction(1, len(ways)), way) for way in ways]
    return TableRouting(network, "table.json", Paths.of(items))


def table_report() -> Document:
    network = hosts_network()
    half = [[Fraction(int(i != j), 8) for j in range(5)] for i in range(5)]
    matrix = Traffic.of_matrix(half, name="rates.txt")
    shift = Traffic.of_permutation(Permutation([1, 2, 3, 4, 0]), name="shift.txt")
    return report(table(network), traffics=[matrix, shift])


def hose_report() -> Document:
    rates = ([Fraction(1), Fraction(1, 2), Fraction(3), Fraction(0)], [Fraction(2), Fraction(1, 3), 1, Fraction(1)])
    return report_on("mesh:2x2", "o1turn", model="hose", rates=rates)
