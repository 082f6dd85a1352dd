"""What a page can let people explore, made from a report's subject and claims alone: any report can become a page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.words import limits_of
from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.cube.destination_graph import Cube, TimedMoves
from ...core.errors import InputError, RouteproofError
from ...core.escape import printable, quotation
from ...core.multistage.wiring import Wiring
from ...core.network import Network
from ...core.rational import parse_fraction
from ...formats.documents.destination_graph import graph_from_document
from ...formats.documents.network import network_from_document
from ...formats.documents.packed_ints import unpack_ints
from ...formats.documents.wiring import wiring_from_document
from ...formats.rated import RatedNetwork
from ...routing.base.routing import Routing
from ...routing.fabrics.days import TwoDays
from ...routing.named.described import routing_from_description
from ...topologies.family import network_from_spec, wiring_from_spec
from ...topologies.grid.lattice import torus
from ..drawing.layout import place, positions_in_file
from ..terminal.parts import flows_text
from .cells import cells_view
from .network import MOST_CHANNELS, network_data, network_view
from .numbers import Values, packed
from .own_worst import OWN_WORST, with_own
from .scenes import Pattern, Scene, Story, StoryRow, failure_scenes, patterns_in, with_matrices
from .steps import steps_of

DAYS = ("before", "after")


@dataclass(frozen=True, eq=False, repr=False)
class _BothDays(RatedNetwork):
    """Its channels are called as on the day that has them."""

    def channel_label(self, channel: int) -> str:
        return str(self.channel_attributes["label"][channel])


def days_of(routings: Sequence[Routing], claims: Sequence[Claim]) -> tuple[Network, list[Scene]]:
    """The network of both days, and a scene of each; bandwidths in the unit of the first.  ``claims``: those of a day
    say which one.

    Raises InputError where they cannot stand on one picture.
    """
    both = TwoDays((routings[0].network, routings[1].network), (None, None))
    nodes, channels, terminals = both.sizes
    if channels > MOST_CHANNELS:
        raise InputError(f"both days have {channels:,} channels, too many to be drawn")
    labels, bandwidth = [""] * channels, [[Fraction(0)] * channels for _ in DAYS]
    one, other = (x.network.gbps for x in both.days)
    units = Fraction(1), Fraction(1) if one is None or other is None else other / one
    for day, widths, unit in zip(both.days, bandwidth, units, strict=True):
        for c, number in enumerate(day.channel.tolist()):
            labels[number] = day.network.channel_label(c)
            widths[number] = day.network.bandwidth[c] * unit
    was, now = ([x or y for x, y in zip(mine, theirs, strict=True)] for mine, theirs in (bandwidth, bandwidth[::-1]))
    source, sink = _ends(both, terminals)
    network = _BothDays(
        f"{both.one.name}, and {both.two.name} after it", nodes, both.tail.astype(np.int32),
        both.head.astype(np.int32), tuple(now), source, sink, labels=both.node_names, gbps=one,
        channel_attributes={"label": labels},
        terminal_labels=both.terminal_names if any(x.network.terminal_labels for x in both.days) else None,
    )  # fmt: skip
    scenes = []
    for name, day, routing, widths in zip(DAYS, both.days, routings, (was, now), strict=True):
        patterns = patterns_in([x for x in claims if x.about.get("day") == name], routing)
        gone = [
            np.setdiff1d(np.arange(size), have).tolist() for size, have in ((nodes, day.node), (channels, day.channel))
        ]
        own = widths if widths != now else None
        numbering = day.channel, day.terminal
        scenes.append(Scene(name, routing, patterns, (gone[0], gone[1]), numbering, bandwidth=own))
    return network, scenes


def _ends(both: TwoDays, count: int) -> Int32:
    """Where every host sends and receives, shape (2, T), which must be the same on both days."""
    ends = np.full((2, count), -1, dtype=np.int32)
    for day in both.days:
        here, there = day.node[np.stack([day.network.source, day.network.sink])], ends[:, day.terminal]
        moved = np.flatnonzero(((there >= 0) & (there != here)).any(axis=0))
        if len(moved):
            raise InputError(f"{both.terminal_names[day.terminal[moved[0]]]} is at another switch on the second day")
        ends[:, day.terminal] = here
    return ends


_MOST_NODES = 1024  # of a cube
View = tuple[dict[str, Any] | None, str]


def view_of(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    routing: Routing | None = None,
    network: Network | None = None,
    quoted: Collection[str] = (),
) -> View:
    """The data of the interactive part and a note in words; (None, why) where there is nothing to explore.

    ``routing``, ``network``: those of the subject, where they are at hand; else they are made again from the subject.

    ``quoted``: names that stand in quotation marks.
    """
    try:
        return _view(subject, claims, routing, network, quoted)
    except (RouteproofError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        return None, f"The picture is left out: {error}"


def _view(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    routing: Routing | None,
    network: Network | None,
    quoted: Collection[str],
) -> View:
    if subject.get("kind") == "destination-graph" and any(x.evidence.kind == "cube-run" for x in claims):
        return _run_view(subject, claims)
    if isinstance(subject.get("graph"), Mapping):
        # The page moves the packet from x to y like the one from x - y to 0, shifted by y.
        graph = graph_from_document(dict(subject["graph"]), what="the graph")
        return _cube_view(graph.cube, graph.steps, position=graph.position.T)  # [step][node]
    if isinstance(subject.get("wiring"), Mapping):
        return cells_view(_wiring(subject["wiring"]), claims, quoted), ""
    if subject.get("kind") == "difference":
        days = [subject["days"][x] for x in DAYS]
        both, scenes = days_of([routing_from_description(x["routing"], _network(x["network"])) for x in days], claims)
        view = network_view(both, with_own(scenes), choice="day", quoted=quoted)
        return view, "" if view else f"The network has {both.num_channels:,} channels, too many to be drawn."
    if isinstance(subject.get("network"), Mapping):
        return _network_view(subject, claims, routing, network, quoted)
    return None, ""


def _run_view(subject: Mapping[str, Any], claims: Sequence[Claim]) -> View:
    size = subject.get("graph", subject)
    data = next(x.evidence.data for x in claims if "moves" in x.evidence.data)
    origin, destination, moves = (
        unpack_ints(data[key], what=key, max_items=1 << 24) for key in ("origin", "destination", "moves")
    )
    cube = Cube(int(size["radix"]), int(size["dimensions"]))
    run = TimedMoves(cube, origin, destination, moves.reshape(len(origin), -1))
    return _cube_view(cube, run.steps, position=run.position.T, destination=run.destination)  # [step][packet]


def _cube_view(cube: Cube, steps: int, **arrays: Any) -> View:
    """Schedules on a cube, of destination graphs and of runs: where every packet is after every step."""
    if cube.num_nodes > _MOST_NODES:
        return None, f"The cube has more than {_MOST_NODES} nodes, which are not drawn."
    network = torus(*(cube.radix,) * cube.dimensions)
    values = Values()
    data = network_data(network, place(network), values)
    data["labels"] = [cube.label(v) for v in range(cube.num_nodes)]
    data["name"] = f"{cube.radix}-nary {cube.dimensions}-cube"
    view = {"kind": "schedule", "network": data, "values": values.texts()}
    sizes = {"radix": cube.radix, "dimensions": cube.dimensions, "steps": steps}
    return view | sizes | {name: packed(np.ascontiguousarray(x)) for name, x in arrays.items()}, ""


def _wiring(data: Mapping[str, Any]) -> Wiring:
    if set(data) == {"spec"}:
        return wiring_from_spec(str(data["spec"]))
    if "sha256" in data:
        raise InputError("the wiring is too large to be part of the report")
    return wiring_from_document(dict(data), what="the wiring", name=str(data.get("name", "wiring")))


def _network_view(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    routing: Routing | None,
    network: Network | None,
    quoted: Collection[str],
) -> View:
    if network is None:
        network = routing.network if routing is not None else _network(subject["network"])
    given: dict[str | None, Any] = {}
    if routing is not None:
        given[None] = routing
    elif isinstance(subject.get("routings"), Mapping):
        given.update(subject["routings"])
    elif isinstance(subject.get("routing"), Mapping) and "adaptive" not in subject["routing"]:
        given[None] = subject["routing"]
    found = [(name, x if isinstance(x, Routing) else routing_from_description(x, network)) for name, x in given.items()]
    failed = subject.get("kind") == "failures" and len(found) == 1
    drawn, steps = steps_of(subject, claims, network, found[0][1] if found else None)
    if steps:
        network, scenes = drawn, steps
    elif failed:
        scenes = with_own(failure_scenes(subject, claims, found[0][1]), failures=True)
    else:
        given_traffic = with_matrices(subject, claims)
        plain = [Scene(x.name, x, patterns_in(given_traffic, x, of=name)) for name, x in found]
        scenes = with_own(with_hard_demands(plain, given_traffic, network))
    topology = subject.get("topology")
    positions = positions_in_file(topology, num_nodes=network.num_nodes) if isinstance(topology, str) else None
    choice = "failed" if failed else "shown" if steps else "routing"
    view = network_view(network, scenes, choice=choice, positions=positions, quoted=quoted)
    least = _best_possible(claims)
    if view is not None and least is not None:
        view["best"] = {"load": str(least), "under": [OWN_WORST, "worst permutation"]}
    if view is not None and not found and "routing" in subject and not steps:
        return view, "The network, without loads: where packets of an adaptive routing go depends on the queues."
    return view, "" if view else f"The network has {network.num_channels:,} channels, too many to be drawn."


def _best_possible(claims: Sequence[Claim]) -> Fraction | None:
    """What the worst-case load over all permutations is at least, with every oblivious routing; None where nothing is
    claimed of that."""
    bounds = [
        x.number
        for x in claims
        if x.quantity == "worst_case_load"
        and x.about.get("model") == "balanced"
        and set(x.about) <= {"model", "routing"}
        and (x.evidence.kind, x.relation) in (("adversary", ">="), ("optimum", "=="))
        and not limits_of(x)
    ]
    return max(bounds, default=None)


def network_of(subject: Mapping[str, Any], known: Network | None) -> Network | None:
    """The network that the report is about, made again unless it is ``known``; None where there is none."""
    if known is not None or not isinstance(subject.get("network"), Mapping):
        return known
    try:
        return _network(subject["network"])
    except (RouteproofError, LookupError, TypeError, ValueError):
        return None  # the picture says why it is left out


def _network(data: Mapping[str, Any]) -> Network:
    if set(data) == {"spec"}:
        return network_from_spec(str(data["spec"]))
    return network_from_document(dict(data), what="the network", name="network")


_MOST_ROWS = 200
_PAIRS_TOLD = 20


def with_hard_demands(scenes: Sequence[Scene], claims: Sequence[Claim], network: Network) -> list[Scene]:
    """The scenes, with the hard demands of the claims in front."""
    own = [x for x in claims if x.evidence.kind == "adaptive" and "demand" in x.evidence.data]
    return [replace(x, patterns=[*(_pattern(y, network) for y in own), *x.patterns]) for x in scenes]


def _pattern(claim: Claim, network: Network) -> Pattern:
    """Drawn over the network are the channels that are long, where those are not most of all."""
    data = claim.evidence.data
    pairs = [(int(i), int(j), parse_fraction(x, what="a rate")) for i, j, x in data["demand"]]
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels)
    order = np.argsort(-length, kind="stable")[:_MOST_ROWS].tolist()
    rows = [
        StoryRow((printable(network.channel_label(c)), f"{int(length[c]):,}"), channel=c) for c in order if length[c]
    ]
    long = next(
        (x for x in (np.flatnonzero(length), np.flatnonzero(length == length.max())) if 2 * len(x) <= len(length)),
        np.zeros(0, dtype=np.int64),
    )
    kind = f" with paths {_paths(str(claim.about['paths']))}" if "paths" in claim.about else ""
    story = Story(
        f"A demand that is hard for every routing{kind}",
        "Every flow of this demand pays at least its shortest distances under these lengths, and so much cannot be "
        "spread thinner over the bandwidths. The loads shown are those of the oblivious routing. "
        + _pairs_text(network, pairs),
        ("channel", "length"),
        tuple(rows),
        tuple(long.tolist()),
    )
    about = f"the demand that no routing{kind}, however adaptive, carries with less"
    return Pattern("hard demand", about, pairs, story=story)


def _paths(name: str) -> str:
    """Those of somebody's own routing in quotation marks."""
    return quotation(name) if name.startswith("of ") else printable(name)


def _pairs_text(network: Network, pairs: Sequence[tuple[int, int, Fraction]]) -> str:
    """Who sends to whom: ``The demand: a => b, b => c (2), and 3 pairs more.``"""
    rest = max(0, len(pairs) - _PAIRS_TOLD)
    more = f", and {rest:,} {'pair' if rest == 1 else 'pairs'} more" if rest else ""
    return f"The demand: {flows_text(network, pairs[:_PAIRS_TOLD])}{more}."
