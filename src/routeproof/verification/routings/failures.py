"""Reports about failures: every failure's worst case checked again, by potentials of the whole network and its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.checks.multipliers import shown
from ...core.checks.reused_bounds import (
    MAX_POTENTIALS,
    Potentials,
    potentials_of,
    raised_bounds,
)
from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.faults import Faults
from ...core.graph import lost_pair
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.repair import (
    PatchedRouting,
    find_detours,
    hops_of,
    table_of,
)
from ...routing.base.routing import Routing
from ...topologies.failures import Failure, links_of, switches_of
from ..context import Context, Progress
from ..reading import as_fraction, as_list, as_mapping
from .drawn_failures import cables_told, check_drawn
from .worst_case import (
    TerminalRates,
    check_proofs,
    check_witness,
    check_worst_case,
)

__all__ = ["verify_failures"]

_ENTRIES = 4_000_000


def verify_failures(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim about a failure, and what is said of all of them; arguments as in ``verify_claims``."""
    from ..subject import routing_of

    del routing  # failures are of the report's own
    whole = routing_of(subject)
    judge = _Reroute(whole, subject) if subject["repair"] == "reroute" else _Rebuild(whole, subject)
    known: dict[Failure, Fraction | None] = {}
    for number, claim in enumerate(claims):
        try:
            if claim.evidence.kind == "failure":
                failure = _failure(claim.evidence.data)
                if max(failure.nodes, default=0) >= whole.network.num_nodes:
                    raise VerificationError(f"node {max(failure.nodes)} is outside the network")  # noqa: TRY301
                known[failure] = _check(judge, claim, failure)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
        if progress is not None:
            progress(number + 1, len(claims))
    alike: dict[Failure, int] = {}
    for number, claim in enumerate(claims):
        if claim.evidence.kind != "failure":
            try:
                if claim.evidence.kind == "drawn-failures":
                    alike |= check_drawn(whole.network, claim, known)
                else:
                    alike |= _check_all(judge, claim, known)
            except (VerificationError, InputError) as error:
                raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    for number, claim in enumerate(claims):
        like = claim.evidence.data.get("like", 1)
        if claim.evidence.kind == "failure" and like != alike.get(_failure(claim.evidence.data), 1):
            raise VerificationError(
                f"claims[{number}] ({claim.quantity[:80]}): it stands for {str(like)[:20]} failures, it says; "
                f"{alike.get(_failure(claim.evidence.data), 1)} was expected"
            )
    return list(claims)


class _Reroute:
    """Failures under the repair rule ``reroute``, against potentials of the whole network."""

    symmetric = True

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        network = routing.network
        self.routing, self.table, self.hops = routing, table_of(routing), hops_of(network)
        data = as_mapping(subject, "potentials")
        rows, columns = len(routing.row_node), len(routing.column_node)
        if network.num_channels * (rows + columns) > MAX_POTENTIALS:
            raise VerificationError("potentials of so large a network are not kept")
        scale = as_fraction(data.get("scale"), "potentials.scale")
        if scale.denominator != 1 or not 1 <= scale <= 1 << 40:
            raise VerificationError("potentials.scale is no whole number up to 2^40")
        size = network.num_channels * columns
        flat = unpack_ints(data.get("column"), what="potentials.column", max_items=size)
        if len(flat) != size:
            raise VerificationError(f"potentials.column holds {len(flat)} numbers; {size} were expected")
        self.sends = TerminalRates.alike(Context(routing, []))
        count = network.num_channels
        step = max(1, _ENTRIES // max(1, len(self.table) // max(1, count)))
        blocks = (self.table.channel_loads(np.arange(at, min(count, at + step))) for at in range(0, count, step))
        self.potentials: Potentials = potentials_of(
            blocks, flat.reshape(count, columns), self.sends.supply, self.sends.demand, scale=int(scale)
        )

    def lost(self, failure: Failure) -> tuple[int, int] | None:
        network = self.routing.network
        return find_detours(self.routing, self.table, self.hops, list(failure.nodes), failure.channels(network)).lost

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        routing, network, data = self.routing, self.routing.network, claim.evidence.data
        found = find_detours(routing, self.table, self.hops, list(failure.nodes), failure.channels(network))
        if found.lost is not None:
            raise VerificationError(f"no path is left from node {found.lost[0]} to node {found.lost[1]}")
        patched = PatchedRouting(routing, self.table, found)
        context = Context(patched, [])
        rates = TerminalRates.alike(context, found.terminals)
        bound = raised_bounds(
            self.potentials, self.sends.supply, self.sends.demand, left=(rates.supply, rates.demand),
            channel=found.channel, row=found.row[found.pair], column=found.column[found.pair], load=found.load,
        )  # fmt: skip
        check_witness(context, data.get("witness"), "balanced", value, rates)
        proved = check_proofs(context, data, value, rates)
        limits = {x: int(value * x * self.potentials.scale // 1) for x in set(network.bandwidth)}
        for c in np.nonzero(~found.channels)[0].tolist():
            if c not in proved and int(bound[c]) > limits[network.bandwidth[c]]:
                raise VerificationError(
                    f"channel {c} ({network.channel_label(c)}) has no proof: its old potentials give "
                    f"{shown(Fraction(int(bound[c]), self.potentials.scale))}"
                )

    def classes(self, claim: Claim) -> npt.NDArray[np.int32]:
        symmetry = as_mapping(claim.evidence.data, "symmetry")
        return Context(self.routing, []).classes(symmetry, uniform=True, alike=True)

    def node_classes(self, claim: Claim) -> npt.NDArray[np.int32]:
        from ...core.symmetry import orbit_labels

        self.classes(claim)  # checks the generators
        generators = Context(self.routing, []).generators(as_mapping(claim.evidence.data, "symmetry"))
        images = [g.node for g in generators]
        size = self.routing.network.num_nodes
        return orbit_labels(size, images) if images else np.arange(size, dtype=np.int32)


class _Rebuild:
    """Failures under the repair rule ``rebuild``: the routing made anew on what is left."""

    symmetric = False

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        self.routing, self.described = routing, as_mapping(subject, "routing")
        if "potentials" in subject:
            raise VerificationError("subject: potentials belong to the repair rule reroute; its rule is rebuild")
        if set(self.described) != {"spec"}:
            raise InputError("the report's subject: a routing made anew needs a name alone; a table has no other form")

    def lost(self, failure: Failure) -> tuple[int, int] | None:
        network = self.routing.network
        left = Faults(failure.nodes, failure.channels(network)).survivors(network)
        found = lost_pair(left.network)
        return None if found is None else (int(left.node[found[0]]), int(left.node[found[1]]))

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        from ...routing.named.described import routing_from_description

        network = self.routing.network
        left = Faults(failure.nodes, failure.channels(network)).survivors(network).network
        routing = routing_from_description(self.described, left)
        routing.check()
        data = as_mapping(claim.evidence.data, "worst_case")
        check_worst_case(Context(routing, [claim]), claim, value, data)


_Judge = _Reroute | _Rebuild


def _failure(data: Mapping[str, Any]) -> Failure:
    nodes, links = as_list(data, "nodes"), as_list(data, "links")
    cables = as_list(data, "cables") if "cables" in data else []
    whole = [*nodes, *(x for part in (*links, *cables) if isinstance(part, list) for x in part)]
    if any(isinstance(x, bool) or not isinstance(x, int) or x < 0 for x in whole):
        raise VerificationError("the failed nodes, links and cables must be numbers of nodes and channels")
    if any(not isinstance(link, list) or len(link) != 2 or link[0] >= link[1] for link in links):
        raise VerificationError("a failed link must be two nodes, the lower first")
    if any(not isinstance(x, list) or len(x) not in (1, 2) or x != sorted(set(x)) for x in cables):
        raise VerificationError("a failed cable must be a channel and its opposite, the lower first, or one channel")
    for some in (nodes, links, cables):
        if len({str(x) for x in some}) != len(some):
            raise VerificationError("one of the failed nodes, links and cables is told twice")
    return Failure(tuple(nodes), tuple((u, v) for u, v in links), tuple(tuple(x) for x in cables))


def _check(judge: _Judge, claim: Claim, failure: Failure) -> Fraction | None:
    """The load of a failure, None where it separates terminals."""
    if claim.about.get("failed") != failure.text:
        raise VerificationError(f"it is about {str(claim.about.get('failed'))[:60]!r}, not {failure.text!r}")
    if claim.quantity == "connected":
        lost = judge.lost(failure)
        if lost is None:
            raise VerificationError("every terminal still reaches every other")
        if claim.evidence.data.get("lost", list(lost)) != list(lost):
            raise VerificationError(f"the first pair of nodes that it separates is {list(lost)}")
        return None
    assert isinstance(claim.value, Fraction)
    judge.check(claim, failure, claim.value)
    return claim.value


def _check_all(judge: _Judge, claim: Claim, known: Mapping[Failure, Fraction | None]) -> dict[Failure, int]:
    """The largest load over every single link (cable, switch): each one is stated, or alike to one that is.

    Returns how many failures each one that is stated stands for.
    """
    what = claim.evidence.data["of"]
    if claim.about["failed"] != f"any of the {what}":
        raise VerificationError(f"it must be about any of the {what}")
    if (what == "cables") != ("opposite" in claim.evidence.data):
        raise VerificationError("which channels make a cable belongs to claims about cables, and only to those")
    kinds = _kinds(judge, claim, what)
    some = {f: x for f, x in known.items() if f in kinds}
    covered = {kinds[f] for f in some}
    for failure, kind in kinds.items():
        if kind not in covered:
            raise VerificationError(f"nothing is stated about {failure.text}, or a failure that is alike")
    if claim.value != max((x for x in some.values() if x is not None), default=None):
        raise VerificationError("it is not the largest load of the failures that are stated")
    size = Counter(kinds.values())
    return {failure: size[kinds[failure]] for failure in some}


def _kinds(judge: _Judge, claim: Claim, what: str) -> dict[Failure, int]:
    """Every single failure, and a number that is the same for those that checked symmetry makes alike."""
    network = judge.routing.network
    if what == "cables":
        return _kinds_of_cables(judge, claim)
    if isinstance(judge, _Rebuild):
        if what == "links":
            return {Failure(links=(x,)): k for k, x in enumerate(links_of(network))}
        return {Failure(nodes=(v,)): v for v in switches_of(network)}
    if what == "switches":
        of_node = judge.node_classes(claim)
        return {Failure(nodes=(v,)): int(of_node[v]) for v in switches_of(network)}
    label = judge.classes(claim)
    low = np.minimum(network.tail, network.head).astype(np.int64)
    key = low * network.num_nodes + np.maximum(network.tail, network.head)
    order = np.lexsort((label, key))
    first = order[np.nonzero(np.diff(key[order], prepend=-1))[0]]
    return {Failure(links=(divmod(int(key[c]), network.num_nodes),)): int(label[c]) for c in first.tolist()}


def _kinds_of_cables(judge: _Judge, claim: Claim) -> dict[Failure, int]:
    """Every cable, and a number that is the same for those that checked symmetry makes alike."""
    network, data = judge.routing.network, claim.evidence.data
    opposite = cables_told(network, data)
    own = np.arange(network.num_channels)
    label = own if isinstance(judge, _Rebuild) else judge.classes(claim)
    if isinstance(judge, _Reroute):
        images = [g.channel for g in Context(judge.routing, []).generators(as_mapping(data, "symmetry"))]
        if as_mapping(data, "symmetry").get("reversal") and network.reverse is not None:
            images.append(network.reverse)
        if not all(np.array_equal(opposite[image], image[opposite]) for image in images):
            raise VerificationError("the symmetry does not map cables to cables")
    cables = [(c,) if c == d else (c, d) for c, d in enumerate(opposite.tolist()) if c <= d]
    return {Failure(cables=(x,)): min(int(label[c]) for c in x) for x in cables}
