"""What symmetry leaves of a design program: classes of pairs, of channels for each pair, and of potentials.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 4, with stabilisers and reversal of paths besides the moves that take a
pair to its representative.  Because the cost functions are convex, averaging a routing over the symmetry costs
nothing, so an optimal routing may be taken symmetric; nothing is lost, and the tests compare with the unreduced
programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.errors import InputError
from ..core.graph import lost_pair
from ..core.network import Network
from ..core.symmetry import Automorphism, Translations, orbit_labels, translations_of
from ..demand_sets.limits import Limits
from ..demand_sets.ports import ports_over
from ..kernel.ports import Ports
from ..machine.memory import check_memory, shown_bytes
from .automorphisms import ClassSymmetry, generators_keeping, generators_of
from .groups import OrbitTree, elements_of, identity, shifts, stabiliser, tree

_MOST_NODES = 1 << 13


@dataclass(frozen=True, eq=False)
class PairClass:
    """Pairs of nodes that are equivalent under symmetry, represented by the pair (``source``, ``destination``).

    - ``size``: how many pairs of nodes; ``weight``: how many pairs of terminals;
    - ``channel``: int32 (C,): for every channel the smallest one that is equivalent for this pair;
    - ``node``: int32 (N,): the same for nodes (a reversal maps a node's balance to minus that of its image).
    """

    source: int
    destination: int
    size: int
    weight: int
    channel: Int32
    node: Int32


@dataclass(frozen=True, eq=False)
class Reduction:
    """The network's symmetry and its classes.

    - ``generators``, ``names`` (None unless declared by the topology), ``reversal``: a path and its reverse are
      equivalent;
    - ``pairs``: one PairClass for every class of pairs with terminals at both ends;
    - ``focus``: int32 (C,): the focus channel of every channel;
    - ``row_potential(v)``, ``column_potential(v)``: int64 (C,): the class of every (node, channel) potential, out of
      ``num_potentials``;
    - ``demands``: a set that the symmetry keeps, with its ``ports``; None for permutations, which have no ports here;
    - ``idle``: the classes of pairs with terminals at both ends between which the set sends nothing, which are not in
      ``pairs`` (unless paths are restricted).
    """

    network: Network
    generators: list[Automorphism]
    names: list[str] | None
    reversal: bool
    pairs: list[PairClass]
    focus: Int32
    num_potentials: int
    nodes: OrbitTree
    row_of_rep: dict[int, Int64]
    column_of_rep: dict[int, Int64]
    translations: Translations | None = None
    demands: Limits | None = None
    ports: Ports | None = None
    idle: Sequence[PairClass] = ()

    @property
    def symmetry(self) -> ClassSymmetry:
        """As routings by classes take it."""
        return ClassSymmetry(self.generators, self.reversal, self.names)

    @cached_property
    def num_flows(self) -> int:
        """How many classes of (source, destination, channel) there are."""
        return sum(len(np.unique(pair.channel)) for pair in self.pairs)

    def potentials_on(self, focus: npt.NDArray[np.integer]) -> tuple[Int64, Int64]:
        """The classes of the rows' and the columns' potentials of the channels ``focus``, each int64 (N, F)."""
        shift = self.translations
        if shift is None:
            nodes = range(self.network.num_nodes)
            return (
                np.stack([self.row_potential(v)[focus] for v in nodes]),
                np.stack([self.column_potential(v)[focus] for v in nodes]),
            )
        moved = shift.channel_at[shift.sum[shift.minus][:, self.network.tail[focus]], shift.slot[focus]]
        return self.row_of_rep[0][moved], self.column_of_rep[0][moved]

    def row_potential(self, node: int) -> Int64:
        return self.row_of_rep[int(self.nodes.rep[node])][self.nodes.to[node].channel]

    def column_potential(self, node: int) -> Int64:
        return self.column_of_rep[int(self.nodes.rep[node])][self.nodes.to[node].channel]


def reduce(network: Network, *, symmetry: str = "auto", within: Any = None, demands: Limits | None = None) -> Reduction:
    """The classes under the network's automorphisms and, where bandwidths and terminals allow, reversal of paths.

    ``symmetry``: "auto", "translations" (declared ones, and reversal) or "none" (no reversal either).  ``within``: only
    what takes the paths of this ``PathSet`` to one another.  ``demands``: only what keeps them.
    Raises InputError for a network on which a pair of terminals is not connected, or with nothing to route, and where
    the set is between other terminals, or of no effect.
    """
    check_pairs(network)
    one, ports = identity(network), ports_over(network, demands)
    if ports is None:
        generators, names = generators_of(network, symmetry=symmetry)
    else:
        generators, names = generators_keeping(network, ports, symmetry=symmetry)
    if within is not None:
        kept = [within.is_kept_by(g) for g in generators]
        generators = [g for g, keeps in zip(generators, kept, strict=True) if keeps]
        names = None if names is None else [g.name for g in generators]
    turns = symmetry != "none" and (within is None or within.reversible) and (ports is None or ports.turned)
    opposite = network.reverse if turns and np.array_equal(network.supply, network.demand) else None
    if opposite is not None and any(not np.array_equal(opposite[g.channel], g.channel[opposite]) for g in generators):
        opposite = None  # parallel channels that a declared symmetry permutes otherwise
    shift = translations_of(network, generators)
    nodes = tree(generators, one) if shift is None else shifts(shift)
    images = [g.channel for g in generators] + ([opposite] if opposite is not None else [])
    focus = orbit_labels(network.num_channels, images)
    if shift is not None:
        fixing = {0: list(shift.fixing)}
    else:
        fixing = {r: stabiliser(nodes, generators, r) for r in nodes.representatives}
    row, column, total = _potentials(network, fixing, opposite)
    pairs = _pair_classes(network, one, nodes, fixing, opposite)
    idle: list[PairClass] = []
    if ports is not None and within is None:
        sending = ports.between(network.num_nodes)
        idle = [x for x in pairs if not sending[x.source, x.destination]]
        pairs = [x for x in pairs if sending[x.source, x.destination]]
    return Reduction(
        network, generators, names, opposite is not None, pairs, focus, total, nodes, row, column, shift, demands,
        ports, idle,
    )  # fmt: skip


def check_pairs(network: Network) -> None:
    """Raise InputError for a network on which a pair of terminals is not connected, or with nothing to route."""
    lost = lost_pair(network)
    if lost is not None:
        i, j = map(network.label, lost)
        raise InputError(f"no path leads from node {i} to node {j} of {network.name}: no routing delivers every packet")
    if len(np.unique(np.concatenate([network.source, network.sink]))) < 2:
        raise InputError(f"{network.name} has no two terminals on different nodes: there is nothing to route")


def check_nodes(network: Network) -> None:
    """Raise InputError, before anything is made, for a network of so many nodes that its pairs alone are too many."""
    needed = 8 * network.num_nodes**2
    size = f"{network.num_nodes:,} nodes by as many, {network.num_channels:,} channels"
    if network.num_nodes > _MOST_NODES:
        raise InputError(
            f"designing for {network.name} would take at least {shown_bytes(needed)} ({size}); networks of at most "
            f"{_MOST_NODES:,} nodes are tried"
        )
    check_memory(needed, f"designing for {network.name} ({size})")


def _potentials(
    network: Network, fixing: dict[int, list[Automorphism]], opposite: Int32 | None
) -> tuple[dict[int, Int64], dict[int, Int64], int]:
    """(rows, columns) by representative node, and how many classes there are."""
    column: dict[int, Int64] = {}
    row: dict[int, Int64] = {}
    total = 0
    for r, elements in fixing.items():
        label = orbit_labels(network.num_channels, [g.channel for g in elements])
        names, index = np.unique(label, return_inverse=True)
        column[r] = index.astype(np.int64) + total
        total += len(names)
        if opposite is not None:
            row[r] = column[r][opposite]
        else:
            row[r] = index.astype(np.int64) + total
            total += len(names)
    return row, column, total


def _pair_classes(
    network: Network, one: Automorphism, nodes: OrbitTree, fixing: dict[int, list[Automorphism]], opposite: Int32 | None
) -> list[PairClass]:
    trees = {r: tree(elements, one) for r, elements in fixing.items()}
    members = {r: int(np.count_nonzero(nodes.rep == r)) for r in fixing}
    about = sum(len(trees[r].representatives) for r in fixing) // (1 if opposite is None else 2)
    size = f"{about:,} classes of pairs by {network.num_channels:,} channels"
    check_memory(12 * about * (network.num_channels + network.num_nodes), f"designing for {network.name} ({size})")
    done: dict[tuple[int, int], int] = {}
    result: list[PairClass] = []
    for r, elements in fixing.items():
        if not network.demand[r]:
            continue
        group = elements_of(elements, one)
        for i in trees[r].representatives:
            if i == r or not network.supply[i] or (i, r) in done:
                continue
            pairs = members[r] * int(np.count_nonzero(trees[r].rep == i))
            own = stabiliser(trees[r], elements, i) if group is None else [g for g in group if g.node[i] == i]
            node_images = [g.node for g in own]
            channel_images = [g.channel for g in own]
            if opposite is not None:
                first = nodes.to[i]  # takes the pair (r, i) to (first(r), r2)
                r2 = int(nodes.rep[i])
                turned = int(first.node[r])
                i2 = int(trees[r2].rep[turned])
                both = trees[r2].to[turned].after(first)
                if (i2, r2) == (i, r):
                    node_images.append(both.node)
                    channel_images.append(both.channel[opposite])
                else:
                    pairs += members[r2] * int(np.count_nonzero(trees[r2].rep == i2))
                    done[i2, r2] = len(result)
            done[i, r] = len(result)
            weight = pairs * int(network.supply[i]) * int(network.demand[r])
            labels = (orbit_labels(network.num_channels, channel_images), orbit_labels(network.num_nodes, node_images))
            result.append(PairClass(i, r, pairs, weight, *labels))
    return result
