"""The user's own routing function, one hop at a time: R(state, node, destination).

Source: incremental routing functions and routing-state node transition graphs, Towles & Dally 2002 (SPAA), sec. 3.5.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...formats.python_functions import load_function
from ..base.exact_arrays import concatenate
from ..base.pair_table import PairTable, check_room, stacked
from ..base.tabled import TabledRouting
from .transition_graph import crossings, explore
from .user_function import Caller, Channel, RoutingFunction

__all__ = ["Channel", "Incremental", "function_name", "load_function"]


class OfFunction:
    """What routings from a function share: the state in which packets start, and the way through all destinations."""

    def __init__(self, function: RoutingFunction, start: Hashable, name: str, progress: Progress | None) -> None:
        self.function, self.name, self.progress = function, name, progress
        self.start: Any = getattr(function, "start", None) if start is None else start

    def towards(self, network: Network) -> Iterator[tuple[int, list[int]]]:
        """Every destination with the nodes that send to it; ``progress(done, total)`` counts destinations."""
        senders = np.nonzero(network.supply > 0)[0].tolist()
        destinations = np.nonzero(network.demand > 0)[0].tolist()
        for done, d in enumerate(destinations):
            if self.progress is not None:
                self.progress(done, len(destinations))
            yield d, [s for s in senders if s != d]
        if self.progress is not None:
            self.progress(len(destinations), len(destinations))


class Incremental(OfFunction):
    """A routing from ``function(state, node, destination) -> [(probability, next_state, next_hop), ...]``.

    - Nodes are integers.  A next hop is a node, or ``Channel(number)`` where parallel channels leave a choice.
    - A probability is an int, a Fraction, a string such as "1/2", or a float, which counts as the exact binary
      fraction that it is; all are positive and sum to exactly 1.
    - States are hashable.  A packet starts in ``start``: by default the function's attribute ``start``, else None.
    - A packet is delivered when it reaches the destination's node, where the function is not called.  With the
      attribute ``passes_destination = True`` it is called there too, and returns [] when the packet is done.
    - Equal calls must give equal answers: each is made once.

    Paths that meet in one state at one node are combined, so the work is polynomial in nodes and states where
    the number of paths is not.  Loops that packets leave again are solved exactly; unlike the paper, which excludes
    them.  ``max_states`` bounds the pairs of state and node towards one destination.

    Raises InputError, naming state, node and destination, for anything that the function does wrong.
    """

    def __init__(
        self,
        function: RoutingFunction,
        start: Hashable = None,
        *,
        name: str | None = None,
        max_states: int = 200_000,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(function, start, function_name(function) if name is None else name, progress)
        if max_states < 1:
            raise InputError(f"states is {max_states}; at least 1 was expected")
        self.max_states = max_states

    def on(self, network: Network) -> TabledRouting:
        """Calls the function for every destination."""
        caller = Caller(network, self.function, self.name)
        rows, columns, channels, loads = [], [], [], []
        entries = 0
        for d, sources in self.towards(network):
            if not sources:
                continue
            graph = explore(caller, self.start, sources, d, self.max_states)
            source, channel, load = crossings(graph, len(sources))
            entries += len(source)
            check_room(entries)
            rows.append(np.array(sources, dtype=np.int32)[source])
            columns.append(np.full(len(source), d, dtype=np.int32))
            channels.append(channel.astype(np.int32))
            loads.append(load)
        table = PairTable.of(
            stacked(channels, np.int32),
            stacked(rows, np.int32),
            stacked(columns, np.int32),
            concatenate(loads),
            shape=(network.num_channels, network.num_nodes, network.num_nodes),
        )
        return TabledRouting(network, self.name, table)


def function_name(function: object) -> str:
    """``module:function`` where the object knows it, else its type."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    return f"{module}:{name}" if module and name else type(function).__name__
