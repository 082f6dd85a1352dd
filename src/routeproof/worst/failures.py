"""The exact worst case after failures, by reuse of what a failure does not change.

Every channel of the whole network is solved once; its potentials go on bounding it after a failure, raised only by the
loads of the pairs that were rerouted (``kernel.reused_bounds``).  Only channels whose bound rises above the new
worst case are judged again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..claims.kind import in_report
from ..core.arrays import Bools, Int64
from ..core.errors import InputError
from ..core.faults import Faults, nothing_to_send, pair_farther
from ..core.graph import lost_pair
from ..core.loads import LoadBlock
from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..formats.demands.description import demands_from_description
from ..formats.documents.json_text import fraction_to_text
from ..formats.documents.packed_ints import pack_ints, unpack_ints
from ..graphs.transport import channels_of, solve_block
from ..graphs.transport_arrays import Rates
from ..kernel.multipliers import rounded_up
from ..kernel.reused_bounds import MAX_POTENTIALS, Potentials, limits_of, potentials_of, raised_bounds
from ..routing.base.hop_by_hop import rebuilding_of, rerouting_of
from ..routing.base.pair_table import TooManyLoadsError
from ..routing.base.repair import Detours, NotRemadeError, Rerouting
from ..routing.base.routing import Routing
from ..routing.base.uniform_after import UniformAfter, uniform_alone
from .over import Options, worst_over
from .rerouting_bound import Bounds, bounds_of
from .scan.assignment import flow_permutation
from .scan.evidence import exact_potentials, grouped_bounds, worst_case_claims
from .scan.exact import WorstCase, worst_case
from .scan.models import balanced
from .scan.scan import SettledRatios, made_again, network_made_again

_SCALE = 2**5 * 3**3 * 5**2 * 7**2 * 11 * 13
"""Potentials are whole over it.  Parts of packets that few next hops split are, too: a load that is rounded up would
keep a channel's bound just above the worst case that other channels have."""
_FIXED_SCALE = 1 << 20
_LONG = 1 << 24  # denominators from here on are rounded anyway, and sooner over a power of two
_FIRST = 8
_ENTRIES = 2_000_000


@dataclass(frozen=True, eq=False)
class Base:
    """A routing on the whole network, all its loads, and potentials for all its channels."""

    rerouting: Rerouting
    rates: Rates
    potentials: Potentials
    uniform: UniformAfter | None
    bounds: Bounds

    def described(self) -> dict[str, Any]:
        """The potentials, as a subject holds them."""
        return {"scale": str(self.potentials.scale), "column": pack_ints(self.potentials.column.ravel())}


def base_of(
    routing: Routing,
    repair: str = "split",
    rule: Mapping[str, Any] | None = None,
    *,
    few: bool = False,
    uniform: bool = True,
    known: Mapping[str, Any] | None = None,
) -> Base:
    """Solve every channel once, or take the potentials that are ``known`` (``Base.described``).

    Raises InputError where potentials of all channels take too much memory.

    ``repair``: "none", "split", "rebuild" or "installed-rule", whose ``rule`` is given; ``few``: no channel is solved,
    and potentials are the largest loads of rows, or of columns, which may leave more to judge after each failure;
    ``uniform``: with what uniform traffic takes.
    """
    network = routing.network
    count, columns = network.num_channels, len(routing.column_node)
    if num_potentials(routing) > MAX_POTENTIALS:
        raise TooManyLoadsError(
            f"failures of {network.name} would keep {num_potentials(routing):,} potentials; at most "
            f"{MAX_POTENTIALS:,} are kept: --repair rebuild judges every failure by itself"
        )
    rerouting = _rerouting(routing, repair, rule)
    table = rerouting.table
    rates = balanced(routing).rates
    each = max(1, _ENTRIES // max(1, len(table) // max(1, count)))

    def blocks() -> Iterator[LoadBlock]:
        return (table.channel_loads(np.arange(at, min(count, at + each))) for at in range(0, count, each))

    scale = _SCALE if max(table.denominators, default=1) < _LONG else _FIXED_SCALE
    column = np.zeros((count, columns), dtype=np.int64)
    if known is not None:
        scale = int(known["scale"])
        column = unpack_ints(known["column"], what="potentials", max_items=column.size).reshape(count, columns)
    for block in () if known is not None else blocks():
        if few:
            column[block.channel] = _largest_of_columns(block, rates, scale)
            continue
        channels = channels_of(block, rounded_up(block.load, scale), rates)
        solved = solve_block(channels, stop=np.full(block.num_channels, -1, dtype=np.int64))
        for k, c in enumerate(block.channel.tolist()):
            active, potential = solved.columns(block.offset, k)
            column[c, active] = potential
    potentials = potentials_of(blocks(), column, rates.supply, rates.demand, scale=scale)
    even = UniformAfter(rerouting) if uniform else None
    return Base(rerouting, rates, potentials, even, bounds_of(network))


def _largest_of_columns(block: LoadBlock, rates: Rates, scale: int) -> Int64:
    """int64 (channels of the block, Q): the largest loads of columns, over ``scale``, where they bound a channel better
    than those of rows; else 0."""
    load, use = rounded_up(block.load, scale), (rates.supply[block.row] > 0) & (rates.demand[block.column] > 0)
    ends = ((block.row, rates.supply), (block.column, rates.demand))
    largest = [np.zeros((block.num_channels, len(rate)), dtype=np.int64) for _, rate in ends]
    for of, (end, _) in zip(largest, ends, strict=True):
        np.maximum.at(of, (block.segment[use], end[use]), load[use])
    better = largest[1] @ rates.demand < largest[0] @ rates.supply
    return largest[1] * better[:, None]


def num_potentials(routing: Routing) -> int:
    """How many potentials there are: of every channel those of all rows and columns."""
    return routing.network.num_channels * (len(routing.row_node) + len(routing.column_node))


def in_part(routing: Routing, switches: bool) -> bool:
    """Is it judged by what changes when ``routing`` is made anew after failures, of switches too?  Without a switch the
    terminals keep their numbers."""
    known = routing.remade != "" and not (switches and routing.remade == "pairs")
    return known and num_potentials(routing) <= MAX_POTENTIALS


def _rerouting(routing: Routing, repair: str, rule: Mapping[str, Any] | None) -> Rerouting:
    if repair != "rebuild":
        return rerouting_of(routing, repair, rule)
    from ..routing.named.described import describe_routing, routing_from_description

    described = describe_routing(routing)
    return rebuilding_of(routing, lambda left: routing_from_description(described, left))


def prepare(
    *,
    network: Mapping[str, Any],
    routing: Mapping[str, Any],
    repair: str,
    potentials: Mapping[str, Any],
    rule: Mapping[str, Any] | None = None,
) -> Base:
    """``base_of`` from descriptions, as a worker gets them."""
    return base_of(made_again({"network": network, "routing": routing}), repair, rule, known=potentials)


def solve_failures(base: Base, *, failures: Sequence[tuple[list[int], list[int]]]) -> list[dict[str, Any]]:
    """For each (dead nodes, dead channels): {"lost": [i, j]}, {"undecided": [i, j]}, {"refused": why} where the routing
    cannot be made anew, {"nothing": True} where no pair is left that loads a channel, or the worst case with evidence.

    {"load", "channel", "permutation", "bounds", "exact", "judged"}; ``judged`` counts the channels looked at again.
    Besides: "cut", how many pairs of terminals lose packets (no load where all do); "uniform", the load of uniform
    traffic; "bound", {"load", "evidence"}, the load below which no routing goes.
    """
    return [in_report(_judge(base, nodes, channels)) for nodes, channels in failures]


def _judge(base: Base, nodes: list[int], channels: list[int]) -> dict[str, Any]:
    found, known = _after(base.rerouting, nodes, channels)
    if found is None:
        return known
    delivered = found.is_decided and found.cut is None
    known |= bound_told(base.bounds, found.channels, found.terminals, connected=delivered)
    if not found.is_decided:
        return known
    uniform = None if base.uniform is None else base.uniform.load(found)
    if uniform is not None:
        known["uniform"] = fraction_to_text(uniform)
    return {**_worst(base, found, some_cut="cut" in known), **known}


def _after(rerouting: Rerouting, nodes: list[int], channels: list[int]) -> tuple[Detours | None, dict[str, Any]]:
    """What the failure makes of the routing, None where it leaves none; and what is known before any load."""
    network = rerouting.routing.network
    if nothing_to_send(network, Faults(nodes, channels).after(network)[1]):
        return None, {"nothing": True}
    try:
        found = rerouting.after(nodes, channels)
    except NotRemadeError as error:
        return None, {"refused": error.why}
    for what, pair in (("lost", found.lost), ("undecided", found.undecided)):
        if pair is not None:
            return found, {what: list(pair)}
    cut = rerouting.pairs_cut(found)
    return found, {"cut": cut} if cut else {}


def bound_told(bounds: Bounds, dead: Bools, terminals: Bools, *, connected: bool = False) -> dict[str, Any]:
    """{"bound": {"load", "evidence"}}, the load below which no routing goes; {} where none is known."""
    bound = bounds.after(dead, terminals, connected=connected)
    return {} if bound is None else {"bound": {"load": fraction_to_text(bound[0]), "evidence": bound[1]}}


def _worst(base: Base, found: Detours, *, some_cut: bool) -> dict[str, Any]:
    network = base.rerouting.routing.network
    patched = base.rerouting.patched(found)
    rates = Rates(patched.supply, patched.demand, 1)
    bound = raised_bounds(
        base.potentials, base.rates.supply, base.rates.demand, left=(patched.supply, patched.demand),
        channel=found.channel, row=found.row[found.pair], column=found.column[found.pair], load=found.load,
    )  # fmt: skip
    left = np.nonzero(~found.channels)[0]
    width = np.array([float(x) for x in network.widths])[network.bandwidth_rank[left]]
    order = left[np.argsort(-bound[left] / width, kind="stable")]
    ratios = SettledRatios(patched, rates)
    judged = np.sort(order[:_FIRST])
    ratios.scan(judged)
    rest = np.setdiff1d(left[bound[left] > limits_of(network, ratios.best, base.potentials.scale)[left]], judged)
    if len(rest):
        ratios.scan(rest)
    judged = np.sort(np.concatenate([judged, rest]))
    best = ratios.best
    if not best:
        return {} if some_cut else {"nothing": True}
    again, exact = ratios.prove(judged)
    channel = min(c for c, x in ratios.ratios.items() if x == best)
    block = patched.channel_loads([channel])
    image = flow_permutation(patched, block.row, block.column, ratios.solve(channel).flow, left=found.terminals)
    assert image is not None
    return {
        "load": best,
        "channel": channel,
        "permutation": image.image,
        "bounds": grouped_bounds(again.bounds, again.weights.scale),
        "exact": [exact_potentials(c, x, patched) for c, x in sorted(exact.items())],
        "judged": len(judged),
    }


class Seen(NamedTuple):
    """A routing on the whole network, what failures make of it, and the demands that are asked for."""

    rerouting: Rerouting
    demands: DemandSet


def prepare_over(
    *,
    network: Mapping[str, Any],
    routing: Mapping[str, Any],
    demands: Mapping[str, Any],
    repair: str,
    rule: Mapping[str, Any] | None = None,
) -> Seen:
    """From descriptions, as a worker gets them."""
    given = made_again({"network": network, "routing": routing})
    wanted = demands_from_description(demands, given.network.num_terminals)
    return Seen(_rerouting(given, repair, rule), wanted)


def solve_over(seen: Seen, *, failures: Sequence[tuple[list[int], list[int]]]) -> list[dict[str, Any]]:
    """As ``solve_failures``, over the demands of the terminals that are left, each failure by itself.

    {"lost": [i, j]}, {"undecided": [i, j]}, {"nothing": True} or {"load", "evidence", "kind"}, with "cut"; no load
    where every pair of the demands is cut.
    """
    results: list[dict[str, Any]] = []
    for nodes, channels in failures:
        found, known = _after(seen.rerouting, nodes, channels)
        if found is None or not found.is_decided:
            results.append(known)
            continue
        if (nodes or known) and not seen.rerouting.loads_any(found, seen.demands.senders):
            results.append(known or {"nothing": True})  # every pair that may send is cut, or there is none
            continue
        patched, left = seen.rerouting.patched(found), seen.demands.without(~found.terminals)
        worst = worst_over(patched, left, Options(symmetry="none", workers=1))
        claim = worst_case_claims(worst)[0]
        if claim.relation != "==":
            raise InputError(
                f"after a failure the worst case over {left.text} is known only between two numbers: too many channels"
            )
        evidence = claim.evidence
        load = fraction_to_text(worst.load)
        results.append({"load": load, "evidence": dict(evidence.data), "kind": evidence.kind, **known})
    return results


def solve_rebuilt(
    *,
    network: Mapping[str, Any],
    routing: Mapping[str, Any],
    failures: Sequence[tuple[list[int], list[int]]],
    uniform: bool = True,
    longer: bool = True,
) -> list[dict[str, Any]]:
    """As ``solve_failures``, but the routing is made anew on what is left, and judged by itself.

    {"lost": [i, j]}, {"undecided": [i, j]} where paths get longer and are not to (``longer``), {"refused": why},
    {"nothing": True} or {"load", "evidence"}, the numbers of channels and terminals those of what is left; ``uniform``:
    as of ``rebuilt_after``.
    """
    whole = network_made_again(network)
    bounds = bounds_of(whole)
    return [rebuilt_after(whole, bounds, routing, *failed, uniform=uniform, longer=longer) for failed in failures]


def rebuilt_after(
    whole: Network,
    bounds: Bounds,
    routing: Mapping[str, Any],
    nodes: list[int],
    channels: list[int],
    *,
    uniform: bool = True,
    longer: bool = True,
) -> dict[str, Any]:
    """One of ``solve_rebuilt``; ``uniform``: with the load of uniform traffic, which takes a table of all pairs."""
    from ..routing.named.described import routing_from_description

    dead, terminals = Faults(nodes, channels).after(whole)
    if nothing_to_send(whole, terminals):
        return {"nothing": True}
    more = bound_told(bounds, dead, terminals)
    left = Faults(nodes, channels).survivors(whole)
    lost = lost_pair(left.network)
    if lost is not None:
        return {"lost": [int(left.node[v]) for v in lost], **more}
    farther = None if longer else pair_farther(whole, nodes, channels)
    if farther is not None:
        return {"undecided": list(farther), **more}
    try:
        again = routing_from_description(routing, left.network)
        worst = worst_case(again, workers=1)
    except InputError as error:
        return {"refused": str(error)}
    return judged_alone(worst, uniform=uniform) | more


def judged_alone(worst: WorstCase, *, uniform: bool = True) -> dict[str, Any]:
    """{"load", "evidence"} of a routing on what is left, and "uniform"."""
    even = uniform_alone(worst.routing) if uniform else None
    more = {} if even is None else {"uniform": fraction_to_text(even)}
    return {"load": fraction_to_text(worst.load), "evidence": dict(worst_case_claims(worst)[0].evidence.data), **more}
