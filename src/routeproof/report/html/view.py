"""What a page can let people explore, made from a report's subject and claims alone: any report can become a page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim
from ...core.errors import InputError, RouteproofError
from ...core.network import Network
from ...routing.base.routing import Routing

if TYPE_CHECKING:
    from ...core.cube.timed_moves import TimedMoves

__all__ = ["view_of"]


def view_of(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    routing: Routing | None = None,
    quoted: Collection[str] = (),
) -> tuple[dict[str, Any] | None, str]:
    """The data of the interactive part and a note in words; (None, why) where there is nothing to explore.

    ``routing``: the subject's routing, where it is at hand; else it is made again from the subject.

    ``quoted``: names that stand in quotation marks.
    """
    try:
        return _view(subject, claims, routing, quoted)
    except (RouteproofError, KeyError, TypeError, ValueError, ArithmeticError) as error:
        return None, f"The picture is left out: {error}"


def _view(
    subject: Mapping[str, Any], claims: Sequence[Claim], routing: Routing | None, quoted: Collection[str]
) -> tuple[dict[str, Any] | None, str]:
    if subject.get("kind") == "destination-graph" and any(x.evidence.kind == "cube-run" for x in claims):
        from .schedule import MOST_NODES, run_view

        view = run_view(_cube_run(subject, claims))
        return view, "" if view else f"The cube has more than {MOST_NODES} nodes, which are not drawn."
    if isinstance(subject.get("graph"), Mapping):
        from ...formats.documents.destination_graph import graph_from_document
        from .schedule import MOST_NODES, schedule_view

        view = schedule_view(graph_from_document(dict(subject["graph"]), what="the graph"))
        return view, "" if view else f"The cube has more than {MOST_NODES} nodes, which are not drawn."
    if isinstance(subject.get("wiring"), Mapping):
        from .cells import cells_view

        view = cells_view(_wiring(subject["wiring"]), claims, quoted)
        return view, ""
    if isinstance(subject.get("network"), Mapping):
        return _network_view(subject, claims, routing, quoted)
    return None, ""


def _cube_run(subject: Mapping[str, Any], claims: Sequence[Claim]) -> TimedMoves:
    from ...core.cube.destination_graph import Cube
    from ...core.cube.timed_moves import TimedMoves
    from ...formats.documents.packed_ints import unpack_ints

    size = subject.get("graph", subject)
    cube = Cube(int(size["radix"]), int(size["dimensions"]))
    data = next(x.evidence.data for x in claims if "moves" in x.evidence.data)
    origin, destination, moves = (
        unpack_ints(data[key], what=key, max_items=1 << 24) for key in ("origin", "destination", "moves")
    )
    return TimedMoves(cube, origin, destination, moves.reshape(len(origin), -1))


def _wiring(data: Mapping[str, Any]) -> Any:
    from ...formats.documents.wiring import wiring_from_document
    from ...topologies.spec import wiring_from_spec

    if set(data) == {"spec"}:
        return wiring_from_spec(str(data["spec"]))
    if "sha256" in data:
        raise InputError("the wiring is too large to be part of the report")
    return wiring_from_document(dict(data), what="the wiring", name=str(data.get("name", "wiring")))


def _network_view(
    subject: Mapping[str, Any], claims: Sequence[Claim], routing: Routing | None, quoted: Collection[str]
) -> tuple[dict[str, Any] | None, str]:
    from ...routing.named.described import routing_from_description
    from .network import MOST_CHANNELS, Pattern, network_view, patterns_in

    network = routing.network if routing is not None else _network(subject["network"])
    found: list[tuple[Routing, list[Pattern]]] = []
    if routing is not None:
        found.append((routing, patterns_in(claims, network)))
    elif isinstance(subject.get("routings"), Mapping):
        for name, data in subject["routings"].items():
            found.append((_described(data, network), patterns_in(claims, network, of=name)))
    elif isinstance(subject.get("routing"), Mapping):
        found.append((routing_from_description(subject["routing"], network), patterns_in(claims, network)))
    view = network_view(network, found, positions=_positions(subject.get("topology"), network), quoted=quoted)
    if view is None:
        return None, f"The network has more than {MOST_CHANNELS:,} channels, which are not drawn."
    return view, ""


def _described(data: Mapping[str, Any], network: Network) -> Routing:
    from ...routing.named.described import routing_from_description

    return routing_from_description(data, network)


def _network(data: Mapping[str, Any]) -> Network:
    from ...formats.documents.network import network_from_document
    from ...topologies.spec import network_from_spec

    if set(data) == {"spec"}:
        return network_from_spec(str(data["spec"]))
    return network_from_document(dict(data), what="the network", name="network")


def _positions(topology: object, network: Network) -> npt.NDArray[np.float64] | None:
    from ..drawing.geography import positions_in_file

    if not isinstance(topology, str):
        return None
    return positions_in_file(topology, num_nodes=network.num_nodes)
