"""What a page needs to draw a network and to answer for it: positions, channels, traffic patterns with exact loads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...answers.worst_traffic import crossings
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...core.permutation import Permutation
from ...core.rational import parse_fraction
from ...core.traffic import Traffic
from ...routing.base.routing import Routing
from ..drawing.layout import Layout, place
from ..terminal.escape import printable
from ..terminal.table import in_quotes
from .numbers import Values, packed
from .pairs import MOST_LOADS, pair_store

MOST_CHANNELS = 20_000
_MOST_PATTERNS = 12
_UNIFORM = "every terminal sends alike to all"
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pattern:
    """Traffic to show: its ``name``, what it is in a sentence, and who sends what to whom.

    ``channel``: the channel that it is the worst case of, or None.
    """

    name: str
    about: str
    traffic: Traffic
    channel: int | None = None


def patterns_in(claims: Sequence[Claim], network: Network, *, of: str | None = None) -> list[Pattern]:
    """The traffic that the evidence of ``claims`` names, the worst first; ``of``: only claims about this routing."""
    found: dict[str, Pattern] = {}
    for claim in claims:
        if of is not None and claim.about.get("routing") != of:
            continue
        data = claim.evidence.data
        witness = data.get("witness")
        if claim.evidence.kind == "worst-case" and isinstance(witness, Mapping):
            pattern = _worst(witness, network, str(claim.about.get("model", "balanced")))
        elif claim.evidence.kind == "traffic-loads":
            pattern = _given(data, network)
        else:
            continue
        if pattern is not None:
            found.setdefault(pattern.name, pattern)
    if "uniform" not in found:
        found["uniform"] = Pattern("uniform", _UNIFORM, Traffic.uniform(network.num_terminals))
    return sorted(found.values(), key=lambda x: x.channel is None)[:_MOST_PATTERNS]


def _worst(witness: Mapping[str, Any], network: Network, model: str) -> Pattern | None:
    size, channel = network.num_terminals, int(witness["channel"])
    label = printable(network.channel_label(channel), limit=60)
    if "permutation" in witness:
        traffic = Traffic.of_permutation(_permutation(witness["permutation"], size))
        return Pattern("worst permutation", f"the worst case of channel {label}", traffic, channel)
    if size > 300:
        return None
    rates = [[Fraction(0)] * size for _ in range(size)]
    for i, j, rate in witness.get("traffic", ()):
        rates[int(i)][int(j)] += parse_fraction(rate, what="a rate")
    try:
        traffic = Traffic.of_matrix(rates)
    except InputError:  # rates above one, which only the hose model has
        return None
    return Pattern(f"worst {model} traffic", f"the worst case of channel {label}", traffic, channel)


def _given(data: Mapping[str, Any], network: Network) -> Pattern | None:
    name, size = str(data.get("traffic")), network.num_terminals
    if "permutation" in data:
        return Pattern(name, "given traffic", Traffic.of_permutation(_permutation(data["permutation"], size)))
    if "matrix" in data and size <= 300:
        rows = [[parse_fraction(x, what="a rate") for x in row] for row in data["matrix"]]
        return Pattern(name, "given traffic", Traffic.of_matrix(rows))
    if name == "uniform":
        return Pattern(name, _UNIFORM, Traffic.uniform(size))
    return None


def _permutation(value: object, size: int) -> Permutation:
    from ...formats.documents.packed_ints import unpack_ints

    if isinstance(value, str):
        value = unpack_ints(value, what="a permutation", max_items=size).tolist()
    return Permutation(np.asarray(value))


def network_view(
    network: Network,
    routings: Sequence[tuple[Routing, Sequence[Pattern]]],
    *,
    positions: Points | None = None,
    quoted: Collection[str] = (),
) -> dict[str, Any] | None:
    """The data of the explorer for routings on one network, or for the network alone.

    ``quoted``: names that stand in quotation marks.
    None where it has too many channels to be drawn.
    """
    if network.num_channels > MOST_CHANNELS:
        return None
    first = next((x.channel for _, patterns in routings for x in patterns if x.channel is not None), None)
    layout = place(network, positions=positions, centre=None if first is None else int(network.tail[first]))
    values = Values()
    budget = MOST_LOADS // max(1, len(routings))
    described = [_routing(routing, patterns, values, budget, quoted) for routing, patterns in routings]
    if not described:
        empty = packed(np.zeros(network.num_channels, dtype=np.int64))
        idle = {"name": "none", "about": "the network alone", "load": empty}
        described = [{"name": "none", "patterns": [idle], "pairs": {"form": "none", "note": ""}}]
    data = network_data(network, layout, values, quoted)
    return {"kind": "network", "network": data, "routings": described, "values": values.texts()}


def network_data(network: Network, layout: Layout, values: Values, quoted: Collection[str] = ()) -> dict[str, Any]:
    """Nodes, channels and where they are drawn; y grows downwards, as in browsers."""
    data: dict[str, Any] = {
        "name": in_quotes(network.name, quoted, limit=70),
        "n": network.num_nodes,
        "terminals": network.num_terminals,
        "labels": [printable(network.label(v), limit=40) for v in range(network.num_nodes)],
        "tail": packed(network.tail),
        "head": packed(network.head),
        "x": [round(float(x), 3) for x in layout.node[:, 0]],
        "y": [round(-float(y), 3) for y in layout.node[:, 1]],
        "radius": round(layout.radius, 4),
        "lane": round(layout.lane, 4),
        "pieces": _pieces(layout),
    }
    if not (network.uniform_bandwidth and network.num_channels and network.bandwidth[0] == 1):
        data["bandwidth"] = packed(values.numbers(network.bandwidth))
    if layout.ticks is not None:
        data["ticks"] = [list(x) for x in layout.ticks]
    everyone = np.arange(network.num_nodes)
    for key, at in (("source", network.source), ("sink", network.sink)):
        if not np.array_equal(at, everyone):
            data[key] = packed(at)
    if network.grid is not None and network.grid.kind == "torus":
        data["radix"] = list(network.grid.radix)
        data["ways"] = int(network.grid.channel_at.shape[2])
        data["channelAt"] = packed(network.grid.channel_at.astype(np.int64) + 1)  # 0: none
    return data


def _pieces(layout: Layout) -> list[list[Any]]:
    """The stretches that are no straight line from node to node: [channel, leaves, arrives, [x, y, x, y, ...]]."""
    bent = (x for x in layout.pieces if not (x.leaves and x.arrives and len(x.line) == 2))
    return [
        [x.channel, int(x.leaves), int(x.arrives), [round(float(y), 3) for y in (x.line * [1, -1]).reshape(-1)]]
        for x in bent
    ]


def _routing(
    routing: Routing, patterns: Sequence[Pattern], values: Values, budget: int, quoted: Collection[str]
) -> dict[str, Any]:
    from ...analysis.loads import channel_loads_under

    wanted: list[tuple[int, int]] = []
    shown = []
    for pattern in patterns:
        loads = channel_loads_under(routing, pattern.traffic)
        entry: dict[str, Any] = {
            "name": in_quotes(pattern.name, quoted),
            "about": pattern.about + (", estimated from a sample, not exact" if routing.is_sampled else ""),
            "load": packed(values.of(loads.load)),
            **_traffic(pattern.traffic, values),
        }
        pairs = _pairs(pattern.traffic)
        wanted += [(i, j) for i, j, _ in pairs]
        if pattern.channel is not None:
            entry["channel"] = pattern.channel
            over = crossings(routing, pattern.channel, pairs)
            entry["over"] = [[x.source, x.destination, values.number(x.load)] for x in over]
        shown.append(entry)
    store = pair_store(routing, wanted, values, budget=budget)
    name = in_quotes(routing.name, quoted, limit=70)
    described: dict[str, Any] = {"name": name, "patterns": shown, "pairs": store.as_json()}
    network = routing.network
    if not np.array_equal(routing.row_of, network.source):
        described["rowOf"] = packed(routing.row_of)
    if not np.array_equal(routing.column_of, network.sink):
        described["columnOf"] = packed(routing.column_of)
    return described


def _traffic(traffic: Traffic, values: Values) -> dict[str, Any]:
    if traffic.permutation is not None:
        return {"image": packed(traffic.permutation.image)}
    if traffic.numerator is not None:
        return {"rates": [[i, j, values.number(rate)] for i, j, rate in _pairs(traffic)]}
    return {"uniform": True}


def _pairs(traffic: Traffic) -> list[tuple[int, int, Fraction]]:
    """(source, destination, rate) of a permutation or a matrix; none of uniform traffic, whose pairs are all."""
    if traffic.permutation is not None:
        return [(i, j, Fraction(1)) for i, j in enumerate(traffic.permutation.image.tolist())]
    if traffic.numerator is not None:
        at = np.argwhere(traffic.numerator > 0).tolist()
        return [(i, j, Fraction(int(traffic.numerator[i, j]), traffic.scale)) for i, j in at]
    return []
