"""One path for each pair: the first shortest path, a random one, or one of a balanced tree per destination."""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...machine.memory import check_table
from ..base.entry import RoutingEntry
from ..tables.listed_paths import ListedRouting, listed_next_hops
from .state_paths import nodes_as_states, shortest_paths


class FirstPath:
    """The first of the shortest paths in order of channel numbers, one for each pair of nodes.

    What LASH sorts into layers that are free of deadlock (Skeie, Lysne & Theiss 2002, IPDPS); which of the shortest
    paths it takes is left to the implementation.  The layers are found by ``virtual_channels``.
    """

    def on(self, network: Network) -> ListedRouting:
        listed = shortest_paths(network, nodes_as_states(network), choose="first", name="lash")
        return ListedRouting(network, "lash", listed)


class RandomPath:
    """One random shortest path for each pair of nodes, fixed: drawn uniformly by ``seed``.

    On fat trees: static random routing.  (Random paths drawn anew for each packet are ``minimal:choice=per-path``.)
    """

    def __init__(self, *, seed: int | None = None) -> None:
        if seed is None:
            raise InputError("random-path needs a seed, as in random-path:seed=7")
        self.seed = seed

    def on(self, network: Network) -> ListedRouting:
        rng = np.random.default_rng(self.seed)
        name = f"random-path:seed={self.seed}"
        listed = shortest_paths(network, nodes_as_states(network), choose="random", rng=rng, name=name)
        return ListedRouting(network, name, listed)


class ShortestTrees:
    """SSSP: for each terminal in turn a lightest tree towards it, whose channels then weigh more.

    A channel starts with weight T^2, so that paths stay shortest by hops, and gains one for each terminal whose
    packets to this destination cross it.  Ties go to the lower channel number.  DFSSSP is the same with layers that
    are free of deadlock, which ``virtual_channels`` finds.

    Source: Hoefler, Schneider & Lumsdaine 2009 (HotI), Optimized routing for large-scale InfiniBand networks; Domke,
    Hoefler & Nagel 2011 (IPDPS), Deadlock-free oblivious routing for arbitrary topologies.
    """

    def __init__(self, *, name: str = "sssp") -> None:
        self.name = name

    def on(self, network: Network) -> ListedRouting:
        from .table_kernels import balanced_trees

        weight = np.full(network.num_channels, network.num_terminals**2, dtype=np.int64)
        check_table(network.num_nodes, network.num_terminals, 4, f"{self.name} on {network.name}")
        table = np.full((network.num_nodes, network.num_terminals), -1, dtype=np.int32)
        fill = balanced_trees.for_steps(6 * network.num_terminals * network.num_channels)
        fill(*network.in_channels, network.tail, network.head, network.sink, network.supply, weight, table)
        return listed_next_hops(network, self.name, table)


RANDOM_PATH_ENTRY = RoutingEntry(
    name="random-path",
    help="one random shortest path for each pair of nodes, fixed; on fat trees, static random routing",
    build=lambda network, options: RandomPath(**options).on(network),
    options={"seed": "the random seed, needed"},
    whole_numbers=frozenset({"seed"}),
)

SSSP_ENTRY = RoutingEntry(
    name="sssp",
    help="for each terminal a tree of shortest paths that avoids loaded channels",
    build=lambda network, _: ShortestTrees().on(network),
)

DFSSSP_ENTRY = RoutingEntry(
    name="dfsssp",
    help="another name of sssp, whose layers --virtual-channels finds",
    build=lambda network, _: ShortestTrees().on(network),
)

LASH_ENTRY = RoutingEntry(
    name="lash",
    help="the first shortest path of each pair, whose layers --virtual-channels finds",
    build=lambda network, _: FirstPath().on(network),
)
