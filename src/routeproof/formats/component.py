"""The largest part of a network that is in several: ``component=largest`` after a file's name."""

from __future__ import annotations

from ..core.errors import InputError
from ..core.faults import Faults
from ..core.network import Network
from ..topologies.build import extended, shortened
from . import warn

_SHOWN = 40


def largest_component(network: Network, which: str) -> Network:
    """The network of the strongly connected component with the most nodes; says (RouteproofWarning) who is left out.

    Raises InputError where two are as large, and where it has no terminal.
    """
    import igraph

    if which != "largest":
        raise InputError(f"component of {network.name} is {shortened(repr(which))}; component=largest was expected")
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    parts = igraph.Graph(network.num_nodes, ends, directed=True).connected_components(mode="strong")
    size = max(parts.sizes())
    largest = [sorted(part) for part in parts if len(part) == size]
    if len(largest) > 1:
        names = " and ".join(f"one with {network.label(part[0])}" for part in sorted(largest)[:2])
        raise InputError(
            f"component=largest of {network.name}: {len(largest)} components have {size} nodes ({names}); "
            f"dead-nodes= says which to leave out"
        )
    out = sorted(set(range(network.num_nodes)) - set(largest[0]))
    if not out:
        return network
    names = ", ".join(network.label(v) for v in out[:_SHOWN]) + (" ..." if len(out) > _SHOWN else "")
    warn(
        f"{network.name}: component=largest keeps {size} of {network.num_nodes} nodes, the largest of {len(parts)} "
        f"components; left out: {names}"
    )
    left = Faults(out).survivors(network).network
    return extended(left.renamed(name=network.name), "component=largest")
