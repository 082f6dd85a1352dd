"""A routing after a failure, by either repair rule: its worst case, and the pair that the failure separates."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.checks.multipliers import shown
from ...core.checks.reused_bounds import MAX_POTENTIALS, Potentials, potentials_of, raised_bounds
from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.faults import Faults
from ...core.graph import lost_pair
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.repair import PatchedRouting, find_detours, hops_of
from ...routing.base.routing import Routing
from ...topologies.failures import Failure
from ..context import Context
from ..reading import as_fraction, as_mapping
from .worst_case import TerminalRates, check_proofs, check_witness, check_worst_case

__all__ = ["Judge", "Rebuild", "Reroute"]

_ENTRIES = 4_000_000


class Reroute:
    """Failures under the repair rule ``reroute``, against potentials of the whole network."""

    symmetric = True

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        network = routing.network
        self.routing, self.table, self.hops = routing, routing.pair_table(), hops_of(network)
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


class Rebuild:
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


Judge = Reroute | Rebuild
