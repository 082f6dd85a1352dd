"""Claims of the kind ``traffic-loads`` and ``path-length``: sums of pair loads, formed again.

Traffic may have a pattern's name if it is the pattern, and be called ``worst`` if it is that of the worst case.  What a
report gives in full has a name of its own, such as that of the file it came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.plain_names import check_own_name, is_file_name, plain_name, reads_like
from ...core.rational import Rationals, lcm_within, shown
from ...core.segment_sums import exact_sums
from ...core.traffic import Permutation, Traffic
from ...topologies.patterns import PATTERNS, is_pattern, traffic_pattern
from ...topologies.traffic_models import TRAFFIC_MODELS
from ..kind import ANALYSES, EXACT, Kind, States
from ..reading import as_channel, as_fraction, as_permutation, check_value
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape

if TYPE_CHECKING:
    from ..context import Context
    from ..proofs.work import Work

WORST = "worst"
_MOST_SCALE = 1 << 65_536  # of the common denominator of a matrix
_SAYS = {"worst", "worst-case", "worst-permutation", "any", "all", "every", "balanced", "admissible", "permutations"}


def check_traffic(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """The throughput under the evidence's traffic (as a fraction of capacity, where the claim says so)."""
    network = context.network
    if claim.about["traffic"] != data["traffic"]:
        raise VerificationError(
            f"it is about traffic {claim.about['traffic'][:60]!r}, its evidence about {data['traffic'][:60]!r}"
        )
    c = as_channel(network, data["channel"])
    stated = as_fraction(data["load"], "load")
    top, found = _loads(context, data, c)
    if found != stated:
        raise VerificationError(f"channel {c} ({network.channel_label(c)}) carries {shown(found)}, not {shown(stated)}")
    if not top or stated / network.bandwidth[c] != top:
        raise VerificationError(f"channel {c} is not the busiest: some carries {shown(top)} per unit of bandwidth")
    throughput = 1 / top
    if claim.quantity == "throughput_of_capacity":
        capacity = context.stated("capacity", "==", {})
        if as_fraction(data["capacity"], "capacity") != capacity:
            raise VerificationError(f"its evidence does not use the report's capacity of {shown(capacity)}")
        throughput /= capacity
    if claim.about["traffic"] == WORST:
        load = context.stated("worst_case_load", "==", {"model": "balanced"})  # which is checked in its own turn
        if top != load:
            raise VerificationError(f"its permutation is called the worst, but loads {shown(top)}, not {shown(load)}")
    check_value(claim, throughput, "the loads make it")


def _loads(context: Context, data: Mapping[str, Any], c: int) -> tuple[Fraction, Fraction]:
    """The largest load per bandwidth under the evidence's traffic, and the load of channel c."""
    routing, traffic = context.routing, traffic_of(context.network, data)
    if traffic.permutation is not None:
        loads, unit = summed(context, routing.row_of, routing.column_of[traffic.permutation.image], None), 1
    elif traffic.numerator is not None:
        i, j = np.nonzero(traffic.numerator)
        loads = summed(context, routing.row_of[i], routing.column_of[j], traffic.numerator[i, j])
        unit = traffic.scale
    else:
        return context.busiest_between_all / traffic.size, context.between_all(c) / traffic.size
    return context.busiest(loads) / unit, loads.get(c, Fraction(0)) / unit


def summed(context: Context, rows: Any, columns: Any, weight: Any) -> dict[int, Fraction]:
    """The load of every channel when these (row, column) pairs send ``weight`` (1 where None)."""
    routing, network = context.routing, context.network
    apart = np.nonzero(routing.row_node[rows] != routing.column_node[columns])[0]
    total: dict[int, Fraction] = {}
    step = 64
    at = 0
    while at < len(apart):
        some = apart[at : at + step]
        block = routing.pair_loads(rows[some], columns[some])
        num = block.load.num
        if weight is not None:
            num = num.astype(object) * np.repeat([int(x) for x in weight[some]], np.diff(block.offset))
        sums = exact_sums(block.channel.astype(np.int64), Rationals(num, block.load.den), network.num_channels)
        for c, x in sums.items():
            total[c] = total.get(c, Fraction(0)) + x
        at += len(some)
        step = int(min(4 * step, max(1.0, 4_000_000 * len(some) / max(1, len(num)))))
    return total


def check_path_length(context: Context, claim: Claim, _value: Fraction, data: Mapping[str, Any]) -> None:
    """Average hops over all pairs of terminals, absolute or against the shortest."""
    average, minimal = context.crossings / context.network.num_terminals**2, context.shortest
    if as_fraction(data["average"], "average") != average:
        raise VerificationError(f"the average path length is {shown(average)}, not {str(data['average'])[:60]}")
    if as_fraction(data["minimal"], "minimal") != minimal:
        raise VerificationError(f"the shortest average is {shown(minimal)}, not {str(data['minimal'])[:60]}")
    if claim.quantity == "average_path_length":
        check_value(claim, average, "the loads make it")
    elif not minimal:
        raise VerificationError("there is no path to compare with")
    else:
        check_value(claim, average / minimal, "the loads make it")


def traffic_of(network: Network, data: Mapping[str, Any]) -> Traffic:
    """The traffic that the evidence gives in full, with a name that fits, or uniform traffic."""
    size, name = network.num_terminals, data["traffic"]
    if "permutation" in data and "matrix" in data:
        raise VerificationError("its traffic is a permutation and a matrix; one of them was expected")
    if "permutation" in data:
        permutation = as_permutation(data["permutation"], size)
        _check_name(name, network, permutation)
        return Traffic.of_permutation(permutation, name=name)
    if "matrix" in data:
        _check_name(name, network, None)
        rows = [[as_fraction(x, "a rate") for x in row] for row in data["matrix"]]
        if len(rows) != size:
            raise VerificationError(f"its matrix has {len(rows)} rows; {size} were expected")
        if lcm_within({x.denominator for row in rows for x in row}, _MOST_SCALE) is None:
            raise VerificationError("its rates have too large a common denominator")
        return Traffic.of_matrix(rows, name=name)  # refuses rows and columns above 1
    if name != "uniform":
        raise VerificationError(f"its evidence does not say what traffic {name[:60]!r} is")
    return Traffic.uniform(size)


def _check_name(name: str, network: Network, permutation: Permutation | None) -> None:
    """Raise VerificationError if ``name`` is a pattern's and the traffic (a matrix, where ``permutation`` is None) is
    another one.  Whether ``worst`` is the worst is for the caller to find out."""
    what = "matrix" if permutation is None else "permutation"
    plain = plain_name(name)
    if is_pattern(plain):
        if permutation is None or traffic_pattern(plain, network).permutation != permutation:
            raise VerificationError(f"its {what} is not the pattern {name[:60]}")
        return
    if name == WORST and permutation is not None:
        return
    check_own_name(name, f"its {what}")
    if not is_file_name(name) and re.search(r"[^\w .~+-]", name):
        raise VerificationError(f"its {what} is called {name[:60]!r}; letters, digits, or the name of a file expected")
    alike = reads_like(name, (*PATTERNS, *TRAFFIC_MODELS, *_SAYS))
    if alike is not None or (_SAYS & set(re.split(r"[^a-z]+", plain)) and not is_file_name(name)):
        reads = f"reads like '{alike or 'a statement'}', traffic of another kind"
        raise VerificationError(f"its {what} is called {name[:60]!r}, which {reads}")


def meaning_of_traffic(claim: Claim) -> tuple[str, str, object] | None:
    """What the name of the claim's traffic stands for."""
    data = claim.evidence.data
    if not isinstance(data.get("traffic"), str):
        return None
    return "traffic", data["traffic"], (data.get("permutation"), data.get("matrix"))


def _traffic(**more: Shape) -> Shape:
    """Traffic as a permutation, as a matrix, or by a name that says it all; the busiest channel, and its load."""
    keys: dict[str, Shape] = {"channel": WHOLE, "load": BOUND, "traffic": TEXT, **more}
    return Either("permutation", Keys({**keys, "permutation": NUMBERS}), Keys(keys, {"matrix": ListOf(ListOf(ANY))}))


def path_length(work: Work, claim: Claim) -> None:
    """The average path length of the routing, or how many times the minimal one it is."""
    own = work.context.crossings / work.network.num_terminals**2
    found = work.once("path-length", own, routing=work.routing)
    if claim.quantity == "average_path_length":
        for relation in ("<=", ">="):
            work.states(claim, relation, found)
    else:
        work.quotient(claim, "==", "relative-path-length", minimal(work), found)


def minimal(work: Work) -> int:
    return work.once("minimal-path-length", work.context.shortest, distances=work.hop_distances())


def elaborate_traffic(work: Work, claim: Claim) -> None:
    """Throughput under one pattern or matrix: the set is that matrix alone."""
    from ..proofs.written import demand, matrices, uniform

    data, network = claim.evidence.data, work.network
    traffic = traffic_of(network, data)
    source, sink = network.source.tolist(), network.sink.tolist()
    if traffic.permutation is not None:
        rates = {(i, j): Fraction(1) for i, j in enumerate(traffic.permutation.image.tolist())}
    elif traffic.numerator is not None:
        some = zip(*(x.tolist() for x in np.nonzero(traffic.numerator)), strict=True)
        rates = {(i, j): Fraction(int(traffic.numerator[i, j]), traffic.scale) for i, j in some}
    else:
        rates = uniform(network)
    rates = {(i, j): x for (i, j), x in rates.items() if source[i] != sink[j]}
    found = demand(rates)
    c = int(data["channel"])
    load = as_fraction(data["load"], "load") / network.bandwidth[c]
    position = work.proof.set_of(matrices(data["traffic"], {data["traffic"]: rates}))
    about = {"routing": work.routing, "demands": position}
    most = work.once("worst-case-at-most", load, **about, channels=None, evidence=[])
    witness = {**found, "because": [found["weight"]]}
    least = work.once("worst-case-at-least", load, **about, channel=c, demand=witness)
    if claim.quantity == "throughput":
        work.quotient(claim, ">=", "throughput-at-least", most)
        work.quotient(claim, "<=", "throughput-at-most", least)
    else:
        work.quotient(claim, ">=", "fraction-at-least", most, work.stated("capacity", "flow >=", {}))
        work.quotient(claim, "<=", "fraction-at-most", least, work.stated("capacity", "flow <=", {}))


PATH_LENGTH = Kind(
    "path-length",
    "The hops of all pairs, summed again from the routing, and shortest distances, computed again.",
    Keys({"average": BOUND, "minimal": BOUND}),
    dict.fromkeys(("average_path_length", "average_path_length_of_minimal"), States(EXACT, Grade.PROVED)),
    frozenset({"Towles, Dally & Boyd 2003 (SPAA), eq. 5", "Towles, Dally & Boyd 2003 (SPAA), sec. 2.3"}),
    check_path_length,
    subjects=ANALYSES | {"adaptive"},
    elaborate=path_length,
)
TRAFFIC_LOADS = Kind(
    "traffic-loads",
    "The loads of all channels under this traffic, summed again from the routing.",
    _traffic(),
    {
        "throughput": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT})),
        "throughput_of_capacity": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT}), _traffic(capacity=BOUND)),
    },
    frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2"}),
    check_traffic,
    meaning=meaning_of_traffic,
    subjects=ANALYSES | {"hashing", "load-simulation"},
    whole_flows=True,
    elaborate=elaborate_traffic,
)
