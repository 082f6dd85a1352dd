"""A flow in evidence: ``[source, destination, amount, channels]`` each, a path of the network with what it carries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...core.errors import VerificationError
from ...core.network import Network
from ..reading import as_channel, as_fraction, as_terminal


def read_flow(network: Network, items: Any, what: str) -> tuple[list[tuple[int, int, Fraction]], list[Fraction]]:
    """(source terminal, destination terminal and amount of every path, what each channel carries).

    Raises VerificationError, which names the path as ``what[k]``, where one does not lead from its source to its
    destination, or carries less than nothing.
    """
    if not isinstance(items, list):
        raise VerificationError(f"{what} must be a list of [source, destination, amount, channels]")
    used = [Fraction(0)] * network.num_channels
    carried = []
    for k, item in enumerate(items):
        if not isinstance(item, list) or len(item) != 4 or not isinstance(item[3], list):
            raise VerificationError(f"{what}[{k}] must be [source, destination, amount, channels]")
        i, j = (as_terminal(network, x) for x in item[:2])
        amount = as_fraction(item[2], f"the amount of {what}[{k}]")
        if amount < 0:
            raise VerificationError(f"the amount of {what}[{k}] is negative")
        at = int(network.source[i])
        for x in item[3]:
            e = as_channel(network, x)
            if int(network.tail[e]) != at:
                raise VerificationError(f"{what}[{k}]: channel {e} does not begin where the path is")
            at = int(network.head[e])
            used[e] += amount
        if at != int(network.sink[j]):
            raise VerificationError(f"{what}[{k}] does not lead from terminal {i} to terminal {j}")
        carried.append((i, j, amount))
    return carried, used
