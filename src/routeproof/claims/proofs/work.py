"""What the elaboration of one routing's claims shares: the proof, the routing as the proof has it, what was claimed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...routing.base.pair_table import PairTable
from ...routing.base.routing import Routing
from ..context import Context
from .images import Image, images, maps_of
from .proof import NotElaborated, Proof, expect_bytes, fraction
from .written import Demand, common, distances_from, head_of, senders, written_distances, written_loads, written_paths

_ENTRY = 16  # bytes of a load in the file, and as much again for every twenty digits of the scale

Shared = tuple[tuple[int, list[int], list[int]], Demand]
"""A scale, over it potentials of rows and of columns; and packets of terminals."""


class Work:
    """``context``: the report's claims about one routing; ``proof`` takes what is elaborated of them."""

    def __init__(self, proof: Proof, context: Context) -> None:
        self.proof, self.context, self.network = proof, context, context.network
        self._stated: dict[tuple[str, str, str], int] = {}
        self._once: dict[str, int] = {}
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
        """The position of the context's routing, by its loads."""
        return self._add(self.context.routing, self.table)

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
        self.states(claim, "<=", self.claim("worst-case-at-most", claim.number, **about))

    def at_least(self, claim: Claim, demands: int, channel: int, demand: Mapping[str, Any]) -> None:
        """The ``demand`` loads the channel as much as the claim says."""
        about = {"routing": self.routing, "demands": demands, "channel": channel, "demand": demand}
        self.states(claim, ">=", self.claim("worst-case-at-least", claim.number, **about))

    def states(self, claim: Claim, relation: str, position: int) -> None:
        """The claim's number holds in one direction (<= or >=) by the proof's claim at ``position``."""
        self._stated[claim.quantity, relation, _about(claim.about)] = position

    def stated(self, quantity: str, relation: str, about: Mapping[str, Any]) -> int:
        """Where the proof states a quantity of the report in one direction.  Raises NotElaborated where it does not."""
        try:
            return self._stated[quantity, relation, _about(about)]
        except KeyError:
            raise NotElaborated(f"it rests on a claim of {quantity} that is not in the proof") from None

    def is_stated(self, quantity: str, relation: str, about: Mapping[str, Any]) -> bool:
        return (quantity, relation, _about(about)) in self._stated

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
