"""Claims about all routings under uniform traffic, bounded by channel lengths.

- ``capacity``: lengths bound every routing (``<=``), one routing reaches the number (``>=``), or both (``==``);
- ``lengths`` (``kernel.theorem``): no routing (whose average path length is at most what ``within`` says) has more
  ``throughput``; no routing with at least the throughput that ``within`` names has shorter paths.  The evidence:
  {"lengths": one whole number a channel, packed, "hops", "within": {quantity: limit}, "paths"?: the name of a set of
  paths to which all routings that are meant keep}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.rational import shown
from ...formats.documents.packed_ints import unpack_ints
from ..kind import ANALYSES, BOUNDS, DESIGN, DESIGNS, Kind, States
from ..proofs.proof import NotElaborated, number, numbers
from ..reading import as_channel, as_fraction, as_numbers, as_whole
from ..shapes import BOUND, NUMBERS, TEXT, WHOLE, Cases, Either, Keys, ListOf, Shape, Word

if TYPE_CHECKING:
    from ..context import Context
    from ..proofs.work import Work

LIMITS = {"throughput": ("average_path_length", "<="), "average_path_length": ("throughput", ">=")}
"""What a claim about a quantity may assume to be limited, and how."""


def check_capacity(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """No routing passes ``value`` under uniform traffic, and the evidence's routing reaches it.

    Any routing has throughput * sum of distances / T <= sum of length * bandwidth.
    """
    from ...kernel.shortest_paths import distance_total, line_total

    network = context.network
    spec = data["lengths"]
    lengths = lengths_of(network, spec)
    by_width: dict[int, int] = {}  # a bandwidth is one object for many channels, and dear to hash
    width = {id(x): x for x in network.bandwidth}
    for x, b in zip(lengths.tolist(), network.bandwidth, strict=True):
        by_width[id(b)] = by_width.get(id(b), 0) + x
    spent = sum((width[key] * x for key, x in by_width.items()), Fraction(0))
    if spec["kind"] in ("dimension", "cut"):
        total = line_total(network, spec["dimension"], lengths)
    else:
        total = context.hops if (lengths == 1).all() else distance_total(network, lengths)
    bound = spent * network.num_terminals / total if total else None
    if bound != value if claim.relation == "==" else claim.relation == "<=" and (bound is None or bound > value):
        raise VerificationError(
            f"it is {shown(value)}; its lengths prove {'nothing' if bound is None else f'at most {shown(bound)}'}"
        )
    if "flows" in data:
        what, reached = "the routing of its flows", _throughput_of_flows(network, data["flows"])
    else:
        what, reached = f"routing {data['routing'][:60]}", _uniform_throughput(context, data["routing"])
    if reached != value if claim.relation == "==" else claim.relation == ">=" and reached < value:
        raise VerificationError(f"it is {shown(value)}; {what} reaches {shown(reached)} under uniform traffic")


def _uniform_throughput(context: Context, name: str) -> Fraction:
    from ..context import Context
    from ..subject import made_routing

    network = context.network
    if name != context.routing.name:
        context = Context(made_routing({"spec": name}, network), ())
    top = context.busiest_between_all
    if not top:
        raise VerificationError(f"routing {name[:60]} loads nothing under uniform traffic")
    return network.num_terminals / top


def _throughput_of_flows(network: Network, data: Mapping[str, Any]) -> Fraction:
    """The uniform throughput of the flows from every source node to all terminals, one commodity for each source.

    Raises VerificationError where a flow does not deliver one unit from each terminal to each other one.
    """
    n, count = network.num_nodes, network.num_channels
    scale = as_fraction(data["scale"], "flows.scale")
    flow = as_numbers(data["flow"], "flows.flow", n * count)
    terminals = network.num_terminals
    if scale.denominator != 1 or scale < 1 or int(flow.min(initial=0)) < 0:
        raise VerificationError("the flows do not fit the network")
    if int(flow.max(initial=0)) * count >= 1 << 62 or scale * terminals**2 >= 1 << 62:
        raise VerificationError("the flows are too fine for 64-bit arithmetic")
    by_source = flow.reshape(n, count)
    for i in np.nonzero(network.supply)[0].tolist():
        arriving = np.zeros(n, dtype=np.int64)
        np.add.at(arriving, network.head, by_source[i])
        np.subtract.at(arriving, network.tail, by_source[i])
        wanted = network.demand * (int(network.supply[i]) * int(scale))
        wanted[i] -= int(wanted.sum())
        if not np.array_equal(arriving, wanted):
            raise VerificationError(f"the flow from node {network.label(i)} does not deliver one unit to each terminal")
    loads = [sum(column) for column in by_source.T.tolist()]
    top = max(Fraction(x) / b for x, b in zip(loads, network.bandwidth, strict=True)) / scale
    if not top:
        raise VerificationError("the flows load nothing")
    return terminals / top


def lengths_of(network: Network, spec: Mapping[str, Any]) -> Int64:
    kind = spec["kind"]
    most = max(1 << 20, (1 << 50) // network.num_nodes)
    lengths = np.zeros(network.num_channels, dtype=np.int64)
    if kind == "all":
        lengths[:] = 1
    elif kind == "explicit":
        for item in spec["classes"]:
            if not 0 <= item["length"] <= most:
                raise VerificationError(f"a length of {str(item['length'])[:40]} is not a small integer")
            lengths[[as_channel(network, c) for c in item["channels"]]] = item["length"]
    elif network.grid is not None:
        m, where = spec["dimension"], network.grid.coordinates
        if not 0 <= m < network.grid.num_dimensions:
            raise VerificationError(f"dimension {str(m)[:40]} is not one of the grid's")
        a, b = where[network.tail, m], where[network.head, m]
        chosen = a != b
        if kind == "cut":
            chosen &= (a < spec["position"]) != (b < spec["position"])
        lengths[chosen] = 1
    else:
        raise VerificationError(f"lengths of the kind {kind!r} are not known for {network.name}")
    return lengths


def _check_lengths(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    from ...kernel.gauges import gauge_of_uniform
    from ...kernel.theorem import supporting_line

    if value <= 0:
        raise VerificationError(f"it is {shown(value)}; a positive number was expected")
    limit = _limit(claim, data)
    hops, network = as_whole(data["hops"], "hops", 0, (1 << 62) - 1), context.network
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels)
    distance = context.path_set(data["paths"]).distance if "paths" in data else None
    line = supporting_line(network, gauge_of_uniform(network, length), hops=hops, distance=distance)
    if claim.quantity == "throughput":
        least = line.least_load(limit)
        proved = 1 / least if least is not None and least > 0 else None
        wrong = proved is None or proved > value
    else:
        assert limit is not None
        proved = line.least_path_length(1 / limit)
        wrong = proved is None or proved < value
    if wrong:
        found = "nothing" if proved is None else shown(proved)
        raise VerificationError(f"it is {claim.relation} {shown(value)}; the lengths prove {found}")


def _limit(claim: Claim, data: Mapping[str, Any]) -> Fraction | None:
    """The limit that the claim assumes, after its words and its evidence are found to agree."""
    about, within, limit = {"traffic": "uniform"}, data["within"], None
    if "paths" in data:
        about["paths"] = data["paths"]
    name, relation = LIMITS[claim.quantity]
    if within or claim.quantity == "average_path_length":
        if set(within) != {name}:
            raise VerificationError(f"'within' must name {name} and nothing else")
        limit = as_fraction(within[name], f"within.{name}")
        if limit <= 0:
            raise VerificationError(f"{name} is limited to {shown(limit)}")
        about["within"] = f"{name} {relation} {within[name]}"
    if dict(claim.about) != about:
        raise VerificationError(f"it is qualified by {str(dict(claim.about))[:80]}; {about} was expected")
    return limit


LENGTHS_OF = Cases(
    "kind",
    {
        "all": {},
        "explicit": {"classes": ListOf(Keys({"length": WHOLE, "channels": ListOf(WHOLE)}))},
        "dimension": {"dimension": WHOLE},
        "cut": {"dimension": WHOLE, "position": WHOLE},
    },
)
_WITHIN = Keys({}, {"throughput": BOUND, "average_path_length": BOUND})
_ABOUT: Mapping[str, Shape] = {"traffic": Word("uniform")}


def elaborate_capacity(work: Work, claim: Claim, terminals: Sequence[int] | None = None) -> None:
    """The least load under uniform traffic: lengths below, a flow above; capacity is 1 over it.

    ``terminals``: which ones of the proof's network send, where ``work`` is about a network of these alone.
    """
    from ..proofs.written import demand, distances_from, matrices, senders, uniform, written_distances

    network, data = work.network, claim.evidence.data
    rates, name = uniform(network), "uniform"
    if terminals is not None:
        rates, name = {(terminals[i], terminals[j]): x for (i, j), x in rates.items()}, "uniform among the ranks"
    position = work.proof.set_of(matrices(name, {"uniform": rates}))
    load = 1 / claim.number
    if claim.relation != ">=":
        lengths = [int(x) for x in lengths_of(network, data["lengths"])]
        found = demand(rates)
        least = work.claim(
            "flow-at-least", load, demands=position, demand={**found, "because": [found["weight"]]},
            lengths=numbers(lengths), distances=written_distances(distances_from(network, senders(network), lengths)),
        )  # fmt: skip
        work.quotient(claim, "<=", "best-throughput-at-most", least)
        work.states(Claim("capacity", ">=", load, claim.grade, claim.evidence), "flow >=", least)
    if claim.relation != "<=":
        scale, flows = _given(network, data["flows"]) if "flows" in data else _of_routing(work, data["routing"])
        most = work.claim("flow-at-most", load, demands=position, scale=number(scale), flows=[flows])
        work.quotient(claim, ">=", "best-throughput-at-least", most)
        work.states(Claim("capacity", "<=", load, claim.grade, claim.evidence), "flow <=", most)


def _given(network: Network, data: Mapping[str, Any]) -> tuple[int, list[Any]]:
    """The report's flows are of one unit to each terminal: T times those of uniform traffic."""
    flow = as_numbers(data["flow"], "flow", network.num_nodes * network.num_channels)
    found = []
    for s, amounts in enumerate(flow.reshape(network.num_nodes, network.num_channels)):
        used = np.nonzero(amounts)[0].tolist()
        if used and network.supply[s] and network.num_terminals > network.demand[s]:  # s sends to other nodes
            found.append([s, [[c, number(int(amounts[c]))] for c in used]])
    return int(data["scale"]) * network.num_terminals, found


def _of_routing(work: Work, name: str) -> tuple[int, list[Any]]:
    """What a routing puts on the channels under uniform traffic, by the node that sends."""
    from ..context import Context
    from ..proofs.work import Work
    from ..proofs.written import common
    from ..subject import made_routing

    network = work.network
    if name != work.context.routing.name:
        work = Work(work.proof, Context(made_routing({"spec": name}, network), ()))
    routing, table = work.context.routing, work.table
    scale = common([Fraction(1, x) for x in table.denominators])
    rows, columns = (
        np.bincount(of, minlength=n)
        for of, n in ((routing.row_of, table.num_rows), (routing.column_of, table.num_columns))
    )
    weight = (
        table.load.scaled(scale).astype(object) * rows[table.row].astype(object) * columns[table.column].astype(object)
    )
    node = routing.row_node[table.row].astype(np.int64)
    sums: dict[tuple[int, int], int] = {}
    for s, c, n in zip(node.tolist(), table.channel.tolist(), weight.tolist(), strict=True):
        if n:
            sums[s, c] = sums.get((s, c), 0) + n
    found: dict[int, list[Any]] = {}
    for (s, c), n in sums.items():
        found.setdefault(s, []).append([c, number(n)])
    return scale * network.num_terminals, [[s, flow] for s, flow in found.items()]


def elaborate_lengths(work: Work, claim: Claim) -> None:
    """A bound under uniform traffic for routings whose paths (or whose throughput) are limited."""
    data, network = claim.evidence.data, work.network
    from ..proofs.written import matrices, uniform
    from .averaged_adversaries import bound_on_all, of_matrices

    if "paths" in data:
        raise NotElaborated(f"it is about the paths of {data['paths']} alone, which the format does not know")
    rates = uniform(network)
    lengths = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels).tolist()
    # The report's lengths count once for every pair of terminals, of which each sends 1 / T.
    found = of_matrices([rates], [[x * network.num_terminals for x in lengths]])
    limit = next((as_fraction(x, "within") for x in data["within"].values()), None)
    of_load = claim.quantity == "throughput"
    position = bound_on_all(
        work, "best-load-at-least" if of_load else "best-path-length-at-least",
        1 / claim.number if of_load else claim.number, matrices("uniform", {"uniform": rates}), found,
        hops=int(data["hops"]), within=limit if of_load or limit is None else 1 / limit,
    )  # fmt: skip
    if of_load:
        work.quotient(claim, "<=", "best-throughput-at-most", position)
    else:
        work.states(claim, ">=", position)


FLOWS: Shape = Keys({"scale": BOUND, "flow": NUMBERS})
CAPACITY = Kind(
    "capacity",
    "A routing that reaches the number under uniform traffic, channel lengths whose shortest paths prove "
    "that no routing does better, or both.",
    Either(
        "flows",
        Keys({"lengths": LENGTHS_OF, "flows": FLOWS}),
        Keys({"lengths": LENGTHS_OF, "routing": TEXT}),
    ),
    {"capacity": States(BOUNDS, Grade.PROVED)},
    frozenset({"Towles & Dally 2002 (SPAA), sec. 5", "Towles, Dally & Boyd 2003 (SPAA), eq. 6"}),
    check_capacity,
    subjects=ANALYSES | {"adaptive"},
    whole_flows=True,
    elaborate=elaborate_capacity,
)
LENGTHS = Kind(
    "lengths",
    "A length for every channel: by weak duality, shortest paths under these lengths bound every routing "
    "under uniform traffic.",
    Keys({"lengths": NUMBERS, "hops": WHOLE, "within": _WITHIN}, {"paths": TEXT}),
    {
        "throughput": States(("<=",), Grade.PROVED, Keys(_ABOUT, {"within": TEXT, "paths": TEXT})),
        "average_path_length": States((">=",), Grade.PROVED, Keys({**_ABOUT, "within": TEXT}, {"paths": TEXT})),
    },
    DESIGN,
    _check_lengths,
    subjects=DESIGNS,
    elaborate=elaborate_lengths,
)
