"""What a page needs to draw a network and to answer for it: positions, channels, traffic patterns with exact loads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...claims.words import in_quotes
from ...core.arrays import Int64
from ...core.display import decimal_text
from ...core.escape import printable
from ...core.network import Network
from ...core.rational import Rationals
from ...core.traffic import Traffic
from ...routing.base.routing import Routing
from ...worst.worst_traffic import Pairs, crossings, loads_of
from ..drawing.layout import Layout, place
from ..drawing.structure import Bundles, bundles_of
from .numbers import MOST_LOADS, Values, packed, pair_store
from .own_worst import differs, own_worst_data
from .scenes import Pattern, Scene

MOST_CHANNELS = 20_000
MOST_BUNDLED = 400_000  # where parts of the network are drawn as one until they are opened
Points = npt.NDArray[np.float64]


def network_view(
    network: Network,
    scenes: Sequence[Scene],
    *,
    choice: str = "routing",
    positions: Points | None = None,
    quoted: Collection[str] = (),
) -> dict[str, Any] | None:
    """The data of the explorer for ``scenes`` on one network, or for the network alone.

    ``choice``: what the list to choose a scene from is called; ``quoted``: names that stand in quotation marks.
    None where it has too many channels to be drawn.
    """
    bundles = None if positions is not None else bundles_of(network)
    if network.num_channels > (MOST_CHANNELS if bundles is None else MOST_BUNDLED):
        return None
    first = next((x.channel for scene in scenes for x in scene.patterns if x.channel is not None), None)
    centre = None if first is None else int(network.tail[first])
    drawn = place(network, positions=positions, centre=centre) if bundles is None else bundles
    values = Values()
    budget = MOST_LOADS // max(1, len(scenes))
    alone = Scene("none", None, [Pattern("none", "the network alone", load=[Fraction(0)] * network.num_channels)])
    described = [_scene(network, scene, values, budget, quoted) for scene in scenes or [alone]]
    data = network_data(network, drawn, values, quoted)
    return {"kind": "network", "network": data, "choice": choice, "routings": described, "values": values.texts()}


def network_data(
    network: Network, drawn: Layout | Bundles, values: Values, quoted: Collection[str] = ()
) -> dict[str, Any]:
    """Nodes, channels and where they are drawn, or what the page puts together; y grows downwards, as in browsers."""
    labels = [printable(network.label(v)) for v in range(network.num_nodes)]
    data: dict[str, Any] = {
        "name": in_quotes(network.name, quoted),
        "n": network.num_nodes,
        "terminals": network.num_terminals,
        "labels": labels,
        "tail": packed(network.tail),
        "head": packed(network.head),
        **(_bundled(drawn) if isinstance(drawn, Bundles) else _placed(drawn)),
    }
    if not (network.uniform_bandwidth and network.num_channels and network.bandwidth[0] == 1):
        data["bandwidth"] = packed(values.numbers(network.bandwidth))
    if network.gbps is not None:
        rates = [decimal_text(x * network.gbps) for x in network.widths]
        data["gbps"] = {"of": packed(network.bandwidth_rank), "rates": rates}
    if network.terminal_labels is not None:
        data["names"] = [printable(x) for x in network.terminal_labels]
    channels = [printable(network.channel_label(c)) for c in range(network.num_channels)]
    plain = zip(channels, network.tail.tolist(), network.head.tolist(), strict=True)
    if any(x != f"{labels[u]} -> {labels[v]}" for x, u, v in plain):  # ports, or one of several
        data["channels"] = channels
    everyone = np.arange(network.num_nodes)
    for key, at in (("source", network.source), ("sink", network.sink)):
        if not np.array_equal(at, everyone):
            data[key] = packed(at)
    if network.grid is not None and network.grid.kind == "torus":
        data["radix"] = list(network.grid.radix)
        data["ways"] = int(network.grid.channel_at.shape[2])
        data["channelAt"] = packed(network.grid.channel_at.astype(np.int64) + 1)  # 0: none
    return data


def _bundled(drawn: Bundles) -> dict[str, Any]:
    parts = {"of": packed(drawn.of), "names": list(drawn.names), "row": list(drawn.row), "column": list(drawn.column)}
    return {"bundles": parts}


def _placed(layout: Layout) -> dict[str, Any]:
    data: dict[str, Any] = {
        "x": [round(float(x), 3) for x in layout.node[:, 0]],
        "y": [round(-float(y), 3) for y in layout.node[:, 1]],
        "radius": round(layout.radius, 4),
        "lane": round(layout.lane, 4),
        "pieces": _pieces(layout),
    }
    return data if layout.ticks is None else data | {"ticks": [list(x) for x in layout.ticks]}


def _pieces(layout: Layout) -> list[list[Any]]:
    """The stretches that are no straight line from node to node: [channel, leaves, arrives, [x, y, x, y, ...]]."""
    bent = (x for x in layout.pieces if not (x.leaves and x.arrives and len(x.line) == 2))
    return [
        [x.channel, int(x.leaves), int(x.arrives), [round(float(y), 3) for y in (x.line * [1, -1]).reshape(-1)]]
        for x in bent
    ]


def _scene(network: Network, scene: Scene, values: Values, budget: int, quoted: Collection[str]) -> dict[str, Any]:
    routing, number = scene.routing, scene.numbering
    everything = np.arange(network.num_channels), np.arange(network.num_terminals)
    channels, terminals = everything if number is None else number
    wanted: list[tuple[int, int]] = []
    shown = []
    sampled = routing is not None and routing.is_sampled
    for pattern in scene.patterns:
        pairs = _pairs(pattern.traffic)
        entry: dict[str, Any] = {
            "name": shown_name(pattern.name, quoted),
            "about": pattern.about + (", estimated from a sample, not exact" if sampled else ""),
        }
        if pattern.load is None and routing is not None:
            load = np.zeros(network.num_channels, dtype=np.int64)
            load[channels] = values.of(_loads(routing, pattern.traffic))
            entry |= {"load": packed(load), **_traffic(pattern.traffic, pairs, terminals, network, values)}
        elif pattern.tree is None:
            entry["load"] = packed(values.numbers(pattern.load or ()))
        if pattern.amount != 1:
            entry["amount"] = values.number(pattern.amount)
        if pattern.tree is not None:
            entry["tree"] = {
                "root": pattern.tree.root, "into": pattern.tree.into, "weight": values.number(pattern.tree.weight),
                "channels": packed(pattern.tree.channels), "hops": packed(pattern.tree.hops),
            }  # fmt: skip
        wanted += [(i, j) for i, j, _ in pairs]
        if pattern.channel is not None and routing is not None:
            entry["channel"] = int(channels[pattern.channel])
            over = crossings(routing, pattern.channel, pairs)
            entry["over"] = [
                [int(terminals[x.source]), int(terminals[x.destination]), values.number(x.load)] for x in over
            ]
        if pattern.story is not None:
            entry["story"] = asdict(pattern.story)
            wanted += [x.pair for x in pattern.story.rows if x.pair is not None]
        shown.append(entry)
    if scene.own is not None:
        size, whole = network.num_channels, scene.claimed is None
        each = own_worst_data(scene.own, values, channels, terminals, size, pairs_too=whole)
        shown.insert(0 if "own" in each and differs(scene.own) else len(shown), each)
    described: dict[str, Any] = {"name": in_quotes(scene.name, quoted), "patterns": shown}
    if scene.steps:
        described |= {"steps": scene.steps, "unit": list(scene.unit)}
    if scene.bandwidth is not None:
        described["bandwidth"] = packed(values.numbers(scene.bandwidth))
    if routing is None:
        return described | {"pairs": {"form": "none", "note": ""}}
    described["pairs"] = pair_store(routing, wanted, values, budget=budget, channels=channels)
    for key, own, at in (("rowOf", routing.row_of, network.source), ("columnOf", routing.column_of, network.sink)):
        of = np.full(network.num_terminals, network.num_nodes + network.num_terminals)  # none: its node has failed
        of[terminals] = own
        if not np.array_equal(of, at):
            described[key] = packed(of)
    nodes, dead = scene.failed
    if nodes or dead:
        described["failed"] = {"nodes": list(nodes), "channels": list(dead)}
    return described


def shown_name(name: str, quoted: Collection[str]) -> str:
    """The name of a pattern; a set of demands in it stands in quotation marks where a report gives it."""
    inner = name.removeprefix("worst ").removesuffix(" traffic")
    if f"worst {inner} traffic" == name and inner in quoted:
        return f"worst {in_quotes(inner, quoted)} traffic"
    return in_quotes(name, quoted)


def _loads(routing: Routing, traffic: Traffic | Pairs | None) -> Rationals:
    from ...worst.loads import channel_loads_under

    if isinstance(traffic, Traffic):
        return channel_loads_under(routing, traffic).load
    return Rationals.of(loads_of(routing, traffic or ()))


def _traffic(
    traffic: Traffic | Pairs | None, pairs: Pairs, terminals: Int64, network: Network, values: Values
) -> dict[str, Any]:
    if isinstance(traffic, Traffic) and traffic.is_uniform:
        return {"uniform": True}
    if isinstance(traffic, Traffic) and traffic.permutation is not None:
        image = np.arange(network.num_terminals)
        image[terminals] = terminals[traffic.permutation.image]
        return {"image": packed(image)}
    return {"rates": [[int(terminals[i]), int(terminals[j]), values.number(rate)] for i, j, rate in pairs]}


def _pairs(traffic: Traffic | Pairs | None) -> Pairs:
    """(source, destination, rate) of a permutation or a matrix; none of uniform traffic, whose pairs are all."""
    if not isinstance(traffic, Traffic):
        return traffic or ()
    if traffic.permutation is not None:
        return [(i, j, Fraction(1)) for i, j in enumerate(traffic.permutation.image.tolist())]
    if traffic.numerator is not None:
        at = np.argwhere(traffic.numerator > 0).tolist()
        return [(i, j, Fraction(int(traffic.numerator[i, j]), traffic.scale)) for i, j in at]
    return []
