"""Focus channels: one channel of each class of channels equivalent under symmetry.

Source: Towles & Dally 2002 (SPAA), sec. 4.1, Theorem 3, with reversal of paths as a further symmetry: where
load(c; i, j) = load(reverse(c); j, i), a channel and its opposite have the same worst case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.loads import LoadBlock
from ..core.network import Network
from ..core.symmetry import Automorphism, from_node_image, orbit_labels
from .automorphisms import generators_of

_FIND_UP_TO_NODES = 20_000


@dataclass(frozen=True, eq=False)
class ChannelClasses:
    """``label``: int32 (C,), the focus channel of every channel; the generators that made it; ``found`` says that
    they were searched for rather than declared with the topology; ``reversal``: opposites are alike too."""

    label: npt.NDArray[np.int32]
    generators: tuple[Automorphism, ...]
    reversal: bool
    found: bool

    @cached_property
    def focus(self) -> npt.NDArray[np.int32]:
        return np.unique(self.label)

    @property
    def names(self) -> tuple[str, ...]:
        own = tuple(g.name for g in self.generators)
        if self.found and own:
            own = (f"{len(own)} {'automorphism' if len(own) == 1 else 'automorphisms'} found",)
        return own + (("reversal of paths",) if self.reversal else ())

    def stabiliser(self, channel: int) -> list[Automorphism]:
        """Those generators that leave ``channel`` where it is."""
        return [g for g in self.generators if int(g.channel[channel]) == channel]


class Symmetric(Protocol):
    """What is asked of a routing (``routing.base.routing.Routing``)."""

    network: Network

    @property
    def by_node(self) -> bool: ...

    @property
    def channel_kind(self) -> Int64 | None: ...

    def respects(self, g: Automorphism) -> bool: ...

    def respects_reversal(self) -> bool: ...

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock: ...


def channel_classes(
    routing: Symmetric, *, mode: str = "auto", rates_uniform: bool = True, reversal: bool = True
) -> ChannelClasses:
    """Classes of channels under every declared symmetry that the routing is checked to respect.

    Where none is declared, the network's automorphisms are found; those declared by a network that a report cannot name
    are written in full, like found ones.  A declared symmetry that the *network* does not have is an error; one that
    the routing does not respect is left out.  ``mode``: "auto" or "none".
    """
    if mode not in ("auto", "none"):
        raise InputError(f"symmetry is '{mode}'; auto or none was expected")
    network = routing.network
    label = np.arange(network.num_channels, dtype=np.int32)
    if mode == "none" or not rates_uniform:
        return ChannelClasses(label, (), False, False)
    candidates: list[Automorphism] = []
    declared = network.symmetry is not None
    if routing.by_node and (declared or network.num_nodes <= _FIND_UP_TO_NODES):
        candidates, _ = generators_of(network, kind=routing.channel_kind)
    found = routing.by_node and (network.spec is None if declared else bool(candidates))
    if declared and found:  # a report holds the network in full, which says nothing of its symmetry
        candidates = [from_node_image(network, g.node, name=g.name) for g in candidates]
    kept = tuple(g for g in candidates if routing.respects(g))
    images = [g.channel for g in kept]
    opposite = network.reverse if reversal and np.array_equal(network.supply, network.demand) else None
    both_ways = opposite is not None and routing.respects_reversal()
    if opposite is not None and both_ways:
        images.append(opposite)
    return ChannelClasses(orbit_labels(len(label), images) if images else label, kept, both_ways, found)
