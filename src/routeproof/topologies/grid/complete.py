"""Complete networks: HyperX of one dimension."""

from __future__ import annotations

from dataclasses import replace

from ...core.network import Network
from ..build import Bandwidth, axis_bandwidths, check_size, family_name, whole_number
from ..family import Family
from .hyperx import hyperx

__all__ = ["complete"]


def complete(n: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The complete network on ``n`` >= 2 nodes: a channel from every node to every other.

    It is the HyperX of one dimension: channels are numbered by tail, then by (head - tail) modulo n.
    Declared symmetry: a rotation and a transposition, which generate all permutations of the nodes.

    Raises InputError for n below 2 or a size beyond the limits in ``build``.
    """
    n = whole_number(n, what="number of nodes of complete", least=2)
    check_size(f"complete:{n}", nodes=n, channels=n * (n - 1))
    widths = axis_bandwidths(bandwidth, 1, family=f"complete:{n}")
    name = family_name(f"complete:{n}", bandwidth=widths)
    return replace(hyperx(n, bandwidth=widths), name=name, spec=name)


COMPLETE = Family(
    "complete:8",
    "a channel from every node to every other",
    lambda p: complete(p.number(0, "number of nodes of complete"), bandwidth=p.bandwidth),
)
