"""Everything that some routing could carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from ..kernel.gauges import gauge_of_flows
from ..kernel.theorem import Adversaries
from .demand_set import DemandSet, GivenDemands, NamedSet


@dataclass(frozen=True, eq=False)
class Routable(DemandSet):
    """Every demand that a multicommodity flow carries with no channel above its bandwidth.

    It is between nodes: where a terminal sends at one node and receives at another, what it sends to itself counts.
    The worst case of a routing over it is its oblivious ratio (Applegate & Cohen 2003); ``worst.routable``.
    """

    text: str = "routable"
    gauged_by: ClassVar[str] = "flows"
    stands_alone: ClassVar[str] = "it is limited by the channels of the network, not by terminals"
    designed_by: ClassVar[str] = "flows"
    shown_by_flow: ClassVar[bool] = True
    adaptive_load: ClassVar[Fraction | None] = Fraction(1)

    @property
    def judged_by(self) -> str:
        return "flows"

    def gauge(self, network: Network, given: GivenDemands) -> Adversaries:
        return gauge_of_flows(network, given.demands, generators=given.generators, reversal=given.reversal)

    def without(self, gone: npt.NDArray[np.bool_]) -> Routable:  # noqa: ARG002
        """What the whole network carries stays what it was; nothing is asked of routings without these terminals."""
        return self


def _read(data: Mapping[str, Any], size: int) -> DemandSet:
    if data != {"text": Routable.text}:
        raise InputError(f"the set of demands is called {data['text'][:60]!r}, which is not a set with limits")
    return Routable(size)


ROUTABLE = NamedSet(
    "routable",
    "everything that some routing could carry: the oblivious ratio",
    lambda given: Routable(given.size),
    read=_read,
)
