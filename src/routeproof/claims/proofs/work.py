"""What the elaboration of one routing's claims shares: the proof, the routing as the proof has it, what was claimed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.symmetry import orbit_labels
from ...routing.base.pair_table import PairTable
from ...routing.base.routing import Routing
from ..context import Context
from .images import Image, images, maps_of, terminals_moved
from .proof import NotElaborated, Proof, expect_bytes, fraction
from .written import (
    Demand,
    common,
    distances_from,
    head_of,
    pairs_of,
    senders,
    written_distances,
    written_loads,
    written_pairs,
    written_paths,
)

_BY_SYMMETRY = 1 << 22  # bytes of loads; fewer are written out, for every checker of version 1
_LEAST_ORBIT = 4  # senders, on average
_ENTRY = 16  # bytes of a load in the file, and as much again for every twenty digits of the scale

Shared = tuple[tuple[int, list[int], list[int]], Demand]
"""A scale, over it potentials of rows and of columns; and packets of terminals."""


class Moved(NamedTuple):
    """Where an automorphism takes nodes, channels and terminals."""

    node: npt.NDArray[np.integer]
    channel: npt.NDArray[np.integer]
    terminals: Sequence[int]

    def written(self) -> list[list[int]]:
        return [self.node.tolist(), self.channel.tolist(), list(self.terminals)]


def moved(context: Context, symmetry: Mapping[str, Any]) -> list[Moved]:
    """The maps of a symmetry that ``verify`` has checked, those that a proof can have."""
    found = []
    for g in maps_of(context, symmetry):
        terminals = None if g.swap else terminals_moved(context.network, g.node)
        if terminals is not None:
            found.append(Moved(g.node, g.channel, terminals))
    return found


class Work:
    """``context``: the report's claims about one routing; ``proof`` takes what is elaborated of them."""

    def __init__(self, proof: Proof, context: Context) -> None:
        self.proof, self.context, self.network = proof, context, context.network
        self._stated: dict[tuple[str, str, str], int] = {}
        self._once: dict[str, int] = {}
        self._evidence: dict[int, tuple[int, Sequence[Any]]] = {}
        self._same: dict[tuple[int, int], list[tuple[int, Claim]]] = {}
        self.shared: dict[int, Mapping[int, Shared]] = {}
        """Of channels that share evidence, by the first: by channel, its part of the evidence."""

    # -- what claims are about --------------------------------------------------------------------------------------

    @cached_property
    def table(self) -> PairTable:
        routing = self.context.routing
        if routing.is_sampled:
            raise NotElaborated("the loads of its routing are sampled")
        return routing.pair_table()

    @cached_property
    def routing(self) -> int:
        """The position of the context's routing, by its loads: of all pairs, or of those that symmetry takes to all."""
        return self._add_by_symmetry() if self.symmetry else self.routing_in_full

    @cached_property
    def routing_in_full(self) -> int:
        """The position of the context's routing, by the loads of all pairs."""
        return self._add(self.context.routing, self.table)

    @cached_property
    def symmetry(self) -> Sequence[Moved]:
        """The maps by which the loads from few senders make all of them; none where all of them can be written out."""
        context, network = self.context, self.network
        routing = context.routing
        if routing.is_sampled or not routing.by_node:
            return ()
        found = moved(context, context.symmetry)
        some, every = self._senders_of(found), senders(network)
        if not found or len(some) * _LEAST_ORBIT > len(every):
            return ()
        columns = np.setdiff1d(np.unique(routing.column_of), [some[0]])
        loads = len(routing.pair_loads(np.full(len(columns), some[0]), columns).channel)
        return found if loads * len(every) * _ENTRY > _BY_SYMMETRY else ()

    def _senders_of(self, symmetry: Sequence[Moved]) -> list[int]:
        """The least sending node of every orbit."""
        label = orbit_labels(self.network.num_nodes, [x.node for x in symmetry])
        return [int(v) for v in np.unique(label[self.network.source])]

    def _add_by_symmetry(self) -> int:
        routing, some = self.context.routing, self._senders_of(self.symmetry)
        ends = [(row, column) for row, column, *_ in pairs_of(routing, some)]
        block = routing.pair_loads([i for i, _ in ends], [j for _, j in ends])
        scale = common([Fraction(1, x) for x in block.load.denominators()])
        expect_bytes(
            len(block.channel) * _ENTRY * (1 + len(str(scale)) // 20), f"{routing.name} on {self.network.name}"
        )
        head = {**head_of(routing, scale), "symmetry": [x.written() for x in self.symmetry]}
        return self.proof.routing(head, "loads", written_pairs(ends, block, scale))

    def alike(self, demands: Mapping[str, Any]) -> Int32 | None:
        """By channel, the least one to which the symmetry of the routing takes it, if the (written) demands have it,
        too; None where evidence is of every channel."""
        sides = [x for x in (demands.get("rows"), demands.get("columns")) if x is not None]
        kept = demands.get("pairs") is None and all(
            [x[t] for t in g.terminals] == x for g in self.symmetry for x in sides
        )
        if not self.symmetry or demands["kind"] == "matrices" or not kept:
            return None
        return orbit_labels(self.network.num_channels, [g.channel for g in self.symmetry])

    @cached_property
    def loaded(self) -> npt.NDArray[np.bool_]:
        """Which channels does any pair load?"""
        if not self.symmetry:
            return np.asarray(np.diff(self.table.offset) > 0)
        ends = [(row, column) for row, column, *_ in pairs_of(self.context.routing, self._senders_of(self.symmetry))]
        block = self.context.routing.pair_loads([i for i, _ in ends], [j for _, j in ends])
        label = orbit_labels(self.network.num_channels, [g.channel for g in self.symmetry])
        return np.isin(label, label[block.channel])

    def _add(self, routing: Routing, table: PairTable) -> int:
        scale = common([Fraction(1, x) for x in table.denominators])
        expect_bytes(len(table) * _ENTRY * (1 + len(str(scale)) // 20), f"{routing.name} on {self.network.name}")
        return self.proof.routing(head_of(routing, scale), "loads", written_loads(routing, table, scale))

    @cached_property
    def routing_by_paths(self) -> int:
        """The position of the context's routing, by its own paths."""
        routing = self.context.routing
        scale, pairs = written_paths(routing)
        return self.proof.routing(head_of(routing, scale), "paths", pairs)

    @cached_property
    def images_of_classes(self) -> dict[int, Image]:
        """Every channel as the image of the least one of its class, to which ``verify`` found it equal."""
        context = self.context
        return images(self.network, np.unique(context.label).tolist(), maps_of(context, context.symmetry))

    # -- claims -----------------------------------------------------------------------------------------------------

    def claim(self, kind: str, value: Fraction, **fields: Any) -> int:
        found = self.proof.claim(kind, **{**fields, "value": fraction(value)})
        self.proof.values[found] = value
        return found

    def once(self, kind: str, value: Fraction, **fields: Any) -> int:
        """As ``claim``; the same claim is made once."""
        text = json.dumps([kind, str(value), fields])
        if text not in self._once:
            self._once[text] = self.claim(kind, value, **fields)
        return self._once[text]

    def at_most(
        self, claim: Claim, demands: int, evidence: Sequence[Any], channels: Sequence[int] | None = None
    ) -> None:
        """The claim's number bounds the routing's ``channels`` (None: all) over the set at ``demands``."""
        about = {"routing": self.routing, "demands": demands, "channels": channels, "evidence": evidence}
        position = self.claim("worst-case-at-most", claim.number, **about)
        self._evidence[position] = demands, evidence
        self.states(claim, "<=", position)

    def at_least(self, claim: Claim, demands: int, channel: int, demand: Mapping[str, Any]) -> None:
        """The ``demand`` loads the channel as much as the claim says."""
        about = {"routing": self.routing, "demands": demands, "channel": channel, "demand": demand}
        self.states(claim, ">=", self.claim("worst-case-at-least", claim.number, **about))

    def states(self, claim: Claim, relation: str, position: int) -> None:
        """The claim's number holds in one direction (<= or >=; "all >=": of all routings) by the proof's claim at
        ``position``."""
        self._stated[claim.quantity, relation, _about(claim.about)] = position

    def stated(self, quantity: str, relation: str, about: Mapping[str, Any]) -> int:
        """Where the proof states a quantity of the report in one direction.  Raises NotElaborated where it does not."""
        try:
            return self._stated[quantity, relation, _about(about)]
        except KeyError:
            raise NotElaborated(f"it rests on a claim of {quantity} that is not in the proof") from None

    def is_stated(self, quantity: str, relation: str, about: Mapping[str, Any]) -> bool:
        return (quantity, relation, _about(about)) in self._stated

    def says_the_same(self, claim: Claim, channel: int, other: Claim) -> None:
        """Symmetry of the routing takes the channel of ``other``, which is in the proof, to this one."""
        both = self.stated(other.quantity, "<=", other.about), self.stated(other.quantity, ">=", other.about)
        self._same.setdefault(both, []).append((channel, claim))

    def write_same(self) -> None:
        """What is proved of one channel, of all that are alike, in one claim each way."""
        for (most, least), found in self._same.items():
            channels, first = [c for c, _ in found], found[0][1]
            demands, evidence = self._evidence[most]
            for _, claim in found:
                self.states(claim, ">=", len(self.proof.kinds))
            self.proof.claim("alike", of=least, channels=channels)
            for _, claim in found:
                self.states(claim, "<=", len(self.proof.kinds))
            about = {"routing": self.routing, "demands": demands, "channels": channels, "evidence": evidence}
            self.claim("worst-case-at-most", first.number, **about)

    def quotient(self, claim: Claim, relation: str, quantity: str, over: int, of: int | None = None) -> None:
        """A quotient of claims of the proof, which states the claim's number in one direction (or both: "==")."""
        whole = (Fraction(1) if of is None else self.proof.values[of]) / self.proof.values[over]
        if not {"==": whole == claim.number, ">=": whole >= claim.number, "<=": whole <= claim.number}[relation]:
            raise NotElaborated("it follows from what the claims mean, and not from their values alone")
        found = self.claim("quotient", claim.number, quantity=quantity, over=over, of=of)
        for one in ("<=", ">=") if relation == "==" else (relation,):
            self.states(claim, one, found)

    def hop_distances(self) -> list[list[Any]]:
        network = self.network
        return written_distances(distances_from(network, senders(network), [1] * network.num_channels))


def _about(about: Mapping[str, Any]) -> str:
    return repr(sorted(about.items()))
