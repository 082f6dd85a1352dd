"""Average cases, run again: evidence of the kind ``random-traffic`` names the traffic model, the seed and the number of
matrices, and may carry a routing of its own.

Every matrix is drawn again and every load is formed again, channel by channel.  The bounds of a single throughput,
on which the interval rests, must be those of the routing's worst case as the report proves it, and of the network's
bandwidth over its shortest hops.  That the interval holds for all traffic is what its grade says, SAMPLED, and not what
is verified.  Of the sample that a routing was made for only the mean is stated, without an interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int32
from ...core.claim import Claim, Grade, Interval
from ...core.errors import VerificationError
from ...core.rational import shown
from ...core.sampling.intervals import mean_limits, normal_limits
from ...core.sampling.stopping import confidence_of_limits
from ...kernel.multipliers import without_base
from ...routing.base.routing import Routing
from ...routing.grid.two_turns import is_made_for
from ...routing.named.described import is_given
from ...topologies.traffic_models import TRAFFIC_MODELS, drawn_image, draws_permutations, sample_traffic
from ..context import Context
from ..kind import ANALYSES, EXACT, STOPPING, Kind, States
from ..reading import as_fraction, check_close, check_interval, check_sample
from ..shapes import ANY, BOUND, TEXT, WHOLE, Keys, ListOf, Word
from ..subject import made_routing
from ..work import spend

_TINY = Fraction(1, 1 << 40)
_MOST_CELLS = 1 << 34
_CLOSE = 1e-9
_DRAWN = "the sample, drawn again, gives"
_BLOCK = 1 << 22  # cells of matrices that are held at once


def check_average_case(context: Context, claim: Claim, value: Interval, data: Mapping[str, Any]) -> None:
    """The interval comes out again."""
    model, samples, seed = data["traffic"], data["samples"], data["seed"]
    if model not in TRAFFIC_MODELS or claim.about["traffic"] != model:
        raise VerificationError("its evidence names no traffic model, or another one than the claim")
    if not 0 <= samples < 1 << 40 or not 0 <= seed < 1 << 40:
        raise VerificationError("'samples' and 'seed' must be whole numbers")
    check_sample(claim, samples, seed)
    optimised = claim.about.get("sample") == "optimised"
    if not optimised:
        _check_independent(context, claim)
    routing = _routing(context, claim)
    at_once = _matrices_at_once(routing, model, samples)
    least, most = _bounds(context, claim)
    scale = 1.0
    if claim.quantity.endswith("of_capacity"):
        capacity = context.stated("capacity", "==", {})
        if not _TINY < capacity < 1 / _TINY:  # that claim is checked on its own
            raise VerificationError(f"the capacity is stated as {shown(capacity)}")
        scale = float(capacity)
    parts = []
    for at in range(0, samples, at_once):
        count = min(at_once, samples - at)
        parts.append(_largest_loads(routing, model, count=count, seed=seed, first=at))
        if context.progress is not None:
            context.progress(at + count, samples)
    with np.errstate(divide="ignore"):
        each = np.minimum(1 / np.concatenate(parts), float(most))
    if (each < float(least) * (1 - _CLOSE)).any():
        raise VerificationError(f"a throughput of {each.min()} lies below the least one, {shown(least)}")
    each = np.maximum(each, float(least))
    mean = float(each.mean())
    confidence = confidence_of_limits(data, value)
    low, high = normal = mean, mean
    if not optimised:
        low, high = normal = mean_limits(each, least=least, most=most, confidence=confidence)
        if samples > 1:
            normal = normal_limits(each, confidence=confidence)
    check_interval(value, (low / scale, mean / scale, high / scale), _DRAWN)
    approximation = data["normal_approximation"]
    if len(approximation) != 2 or any(type(x) not in (int, float) for x in approximation):
        raise VerificationError("its normal approximation is not a pair of numbers")
    for x, y in zip(approximation, normal, strict=True):
        check_close("normal approximation", x, y / scale, _DRAWN)


def _bounds(context: Context, claim: Claim) -> tuple[Fraction, Fraction]:
    """The least and the most that a throughput counts as, and whether they are what the evidence says."""
    data, network = claim.evidence.data, context.network
    least, most = (as_fraction(data[x], x) for x in ("least", "most"))
    hops = Fraction(context.hops, network.num_terminals)
    if not hops or most != sum(network.bandwidth, Fraction(0)) / hops:
        raise VerificationError(f"no throughput counts as more than {shown(most)}, it says: not bandwidth over hops")
    if least and least != 1 / _worst_load(context, claim):
        raise VerificationError(f"its least throughput is {shown(least)}, which is not the worst case of its routing")
    return least, most


def _worst_load(context: Context, claim: Claim) -> Fraction:
    """What the report proves of the routing (those claims are checked in their own turn)."""
    if "routing" not in claim.evidence.data:
        load = context.stated("worst_case_load", "==", {"model": "balanced"})
        if load <= 0:
            raise VerificationError("the worst-case load is stated as 0")
        return load
    own = claim.evidence.data["routing"]
    for other in context.others:
        data = other.evidence.data
        if other.evidence.kind == "reached" and isinstance(data.get("routing"), Mapping):
            # What is described in full may have two names.
            full, others = ({k: x for k, x in y.items() if k != "spec"} for y in (own, data["routing"]))
            if full == others and (full or own == data["routing"]):
                return as_fraction(data["within"]["worst_case_load"], "worst_case_load")
    raise VerificationError("the report proves no worst case of its routing, which its least throughput rests on")


def _check_independent(context: Context, claim: Claim) -> None:
    """An interval for all traffic is not of the sample for which the same routing was optimised; a sample is called
    fresh beside one such."""
    data = claim.evidence.data
    about = {**claim.about, "sample": "optimised"}
    others = [x for x in context.others if x.evidence.kind == claim.evidence.kind and dict(x.about) == about]
    named = claim.about.get("sample") == "fresh"
    if named and not others:
        raise VerificationError("its sample is called fresh, but the report tells of no sample that was optimised for")
    name = str(claim.about.get("routing", context.routing.name))
    seeds = [x.evidence.data.get("seed") for x in others]
    if data["seed"] in seeds or is_made_for(name, traffic=data["traffic"], seed=data["seed"]):
        what = "its sample is called fresh, but" if named else "it is about all traffic of its model, but"
        raise VerificationError(f"{what} its seed is that of the sample that was optimised for")


def _routing(context: Context, claim: Claim) -> Routing:
    """The routing that the claim is about: the subject's, or one of its own, whose name it bears."""
    name = claim.about.get("routing")
    if "routing" not in claim.evidence.data:
        if name is not None:
            raise VerificationError(f"it is about the routing {name[:60]!r}, which its evidence does not hold")
        return context.routing
    described = claim.evidence.data["routing"]
    if not isinstance(described, Mapping) or name is None or name != described.get("spec"):
        raise VerificationError("it does not say that it is about the routing which its evidence holds")
    if name == context.routing.name and is_given(described):
        raise VerificationError(f"its evidence holds a routing called {name[:60]!r}, the name of the report's own")
    return made_routing(described, context.network)


def _matrices_at_once(routing: Routing, model: str, samples: int) -> int:
    """How many matrices are held at once; what drawing and judging all of them takes is counted first."""
    network = routing.network
    if draws_permutations(model):
        cells = network.num_terminals
        some = range(0, network.num_channels, 1 + network.num_channels // 16)
        loads = sum(routing.expected_loads(c) for c in some) / len(some) * network.num_channels
        steps = samples * cells + loads * (1 + samples * cells // _BLOCK)
    else:
        cells = max(len(routing.row_node) * len(routing.column_node), network.num_terminals**2)
        steps = samples * (cells / 20 + cells * network.num_channels / 2000)
    if samples * cells > _MOST_CELLS:
        raise VerificationError(f"{samples:,} matrices are too many to be drawn again")
    spend(1000 * samples + steps, f"{samples:,} random matrices")
    return max(1, _BLOCK // cells)


def _largest_loads(routing: Routing, model: str, *, count: int, seed: int, first: int) -> npt.NDArray[np.float64]:
    """float64 (count,): the largest load per bandwidth under each matrix from number ``first`` on."""
    network = routing.network
    sample = _Permutations if draws_permutations(model) else _Matrices
    sent = sample(routing, model, count=count, seed=seed, first=first)
    top = np.zeros(count)
    for block in routing.stream():
        pairs = without_base(block, routing.row_node, routing.column_node)
        for k in range(pairs.num_channels):
            one = pairs.one(k)
            loads = np.array([float(x) for x in one.load.fractions()])
            width: Fraction = network.bandwidth[int(one.channel[0])]
            np.maximum(top, sent.loads(one.row, one.column, loads) / float(width), out=top)
    return top


class _Matrices:
    """Rates between the rows and columns of a routing, matrix by matrix."""

    def __init__(self, routing: Routing, model: str, *, count: int, seed: int, first: int) -> None:
        drawn = sample_traffic(routing.network, model, count=count, seed=seed, first=first, ends=routing)
        self._rate = drawn.reshape(count, len(routing.row_node), len(routing.column_node))

    def loads(self, row: Int32, column: Int32, load: Float64) -> Float64:
        """float64 (count,): the load under each matrix of a channel with these pair loads."""
        return np.asarray(self._rate[:, row, column] @ load)


class _Permutations:
    """Who sends to whom, as the pairs of a routing in ascending order, each with the permutations that it is in."""

    def __init__(self, routing: Routing, model: str, *, count: int, seed: int, first: int) -> None:
        network = routing.network
        self._count, self._width = count, len(routing.column_node)
        pairs, numbers = [], []
        for k in range(count):
            image = drawn_image(model, network.num_terminals, seed=seed, number=first + k)
            apart = network.source != network.sink[image]
            pairs.append(routing.row_of[apart].astype(np.int64) * self._width + routing.column_of[image[apart]])
            numbers.append(np.full(len(pairs[-1]), k))
        pair = np.concatenate(pairs)
        order = np.argsort(pair, kind="stable")
        self._pair, self._number = pair[order], np.concatenate(numbers)[order]

    def loads(self, row: Int32, column: Int32, load: Float64) -> Float64:
        """As of ``_Matrices``."""
        key = row.astype(np.int64) * self._width + column
        start, stop = (np.searchsorted(self._pair, key, side=side) for side in ("left", "right"))
        each = stop - start
        place = np.arange(int(each.sum())) + np.repeat(start - (np.cumsum(each) - each), each)
        found = np.bincount(self._number[place], weights=np.repeat(load, each), minlength=self._count)
        return found.astype(np.float64)  # integers where there is nothing


def _meaning(claim: Claim) -> tuple[str, str, object] | None:
    """What the name of a routing that the claim carries stands for."""
    name = claim.about.get("routing")
    return ("routing", name, claim.evidence.data.get("routing")) if isinstance(name, str) else None


_ABOUT = Keys({"traffic": TEXT}, {"sample": Word("optimised", "fresh"), "routing": TEXT})
RANDOM_TRAFFIC = Kind(
    "random-traffic",
    "Random traffic matrices, drawn again from their seeds and evaluated again by other code.",
    Keys(
        {
            "traffic": TEXT,
            "samples": WHOLE,
            "seed": WHOLE,
            "least": BOUND,
            "most": BOUND,
            "method": Word("betting"),
            "normal_approximation": ListOf(ANY),
        },
        {**STOPPING, "routing": ANY},
    ),
    dict.fromkeys(
        ("average_case_throughput", "average_case_throughput_of_capacity"), States(EXACT, Grade.SAMPLED, _ABOUT)
    ),
    frozenset({"Towles, Dally & Boyd 2003 (SPAA), sec. 3.3"}),
    check_average_case,
    meaning=_meaning,
    subjects=ANALYSES | {"adaptive"},
)
