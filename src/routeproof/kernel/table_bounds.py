"""Forwarding tables whose worst case is below a bound: counted, and as clauses whose models are such tables.

A table has one next channel for each node and terminal; its worst case is the most that a permutation sends over a
channel, per unit of bandwidth.  Loads of tables are whole, so a worst case below ``bound`` leaves channel c a load of
at most ``room``, the largest whole number below b_c times the bound.

- ``count_at_exit``: packets of the sources in a set that is left at one node only use one channel for each destination
  and lid.
- ``count_meetings``: of every pair, source and destination meet at a node, in the covers of channels around it.
- ``table_formula``: by Koenig's theorem a load of at most m is a cover of the pairs that cross the channel: source
  nodes, which weigh as much as terminals send there, and destinations, which weigh 1, of weight at most m in all.

Source: Koenig 1931; the counter of weights is that of Sinz 2005 (CP), one way, for weights.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core.arrays import Int64
from ..core.network import Network


@dataclass(frozen=True)
class Lids:
    """Each host has ``count`` lids, and a table for each.  ``pinned``: every source uses one lid of a destination, its
    choice for each pair; else a packet takes each lid with equal probability (OpenSM's LMC).  ``single``: there is one
    path for each source and destination, as with a lid for each source, pinned."""

    count: int = 1
    pinned: bool = False
    single: bool = False

    @property
    def parts(self) -> int:
        """Loads are multiples of so many parts of a packet."""
        return 1 if self.pinned else self.count


ONE = Lids()


def single_paths(network: Network) -> Lids:
    return Lids(network.num_terminals, pinned=True, single=True)


def room(bandwidth: Fraction, bound: Fraction) -> int:
    """The largest whole load below ``bound`` per unit of ``bandwidth``."""
    return math.ceil(bound * bandwidth) - 1


def least_load_from(network: Network, bound: Fraction, lids: Lids = ONE) -> Fraction:
    """The least worst case of at least ``bound`` that tables can have: whole parts of packets over a bandwidth."""
    units = {b * lids.parts for b in network.bandwidth}
    return min((Fraction(math.ceil(bound * b)) / b for b in units), default=Fraction(0))


def least_load_above(network: Network, bound: Fraction) -> Fraction:
    """The least worst case above ``bound`` that tables can have."""
    return min((Fraction(math.floor(bound * b) + 1) / b for b in set(network.bandwidth)), default=Fraction(0))


def count_at_exit(
    network: Network, inside: Collection[int], exit_node: int, bound: Fraction, lids: Lids = ONE
) -> str | None:
    """None where counting proves that all tables have a worst case of at least ``bound``; else what it lacks, in words.

    All channels that leave the nodes ``inside`` begin at ``exit_node``.  Each terminal outside is sent to by all s
    sources inside, over one of these channels for each lid.

    Pinned (and with one lid): by Koenig's theorem a load of ``room`` on channel c is a cover of its pairs by sources
    and destinations, ``room`` in all.  Fewer destinations are covered, on all channels, than there are.  One that is
    covered nowhere uses as many channels as lids, and these do not cover all s sources.

    Else, with n_j of the lids of destination j on a channel, its load is the sum of the s largest n_j, in parts of a
    packet.  Where that is at most R, all other n_j are at most R / s: with k destinations, at most R + (k - s) [R / s]
    of the lids lead over the channel; together, fewer than there are.
    """
    within = np.zeros(network.num_nodes, dtype=bool)
    within[list(inside)] = True
    if not within[exit_node]:
        return "its exit is not inside"
    leaving = np.flatnonzero(within[network.tail] & ~within[network.head])
    if (network.tail[leaving] != exit_node).any():
        return "a channel leaves the set elsewhere than at its exit"
    sources = int(network.supply[within].sum())
    destinations = int(network.demand[~within].sum())
    if not sources or not len(leaving):
        return "no packet leaves the set"
    has_room = [room(network.bandwidth[c] * lids.parts, bound) for c in leaving.tolist()]
    ends = "destinations"
    if lids.parts > 1:
        has_room = [x + max(0, destinations - sources) * (x // sources) for x in has_room]
        destinations *= lids.count
        ends = "lids of destinations"
    elif sum(sorted(has_room)[-lids.count :]) >= sources:
        most = min(lids.count, len(has_room))
        them = "a channel has" if most == 1 else f"{most} channels have"
        return f"{them} room for all sources inside"
    if sum(has_room) >= destinations:
        return f"its channels have room for {sum(has_room)} {ends}, and {destinations} are outside"
    return None


def count_paths(network: Network, bound: Fraction, lids: Lids = ONE) -> str | None:
    """None where counting proves that one path for each source and destination, as tables have, have a worst case of at
    least ``bound``; else what it lacks, in words.

    By Koenig's theorem a load of ``room`` on channel c is a cover of its pairs by sources and destinations, ``room`` in
    all.  Call a channel heavy for the destinations in its cover: some destination has at most h heavy channels, the
    average.  Follow the paths to it back over heavy channels: they end at the source, one of the at most h nodes where
    heavy channels begin, or come over a channel that is not heavy, whose cover has every source of such a path.  So
    there are at most as many sources as these nodes have, with the room of the channels that enter them and the end.

    Source: Borodin & Hopcroft 1985 (J. Comput. System Sci. 30), and Kaklamanis, Krizanc & Tsantilas 1991 (Math. Systems
    Theory 24), for steps; here for the load of a channel.
    """
    if lids.parts > 1:
        return "packets of a pair are spread over lids"
    has_room = _room_of_covers(network, bound)
    if has_room is None:
        return "there are no channels with room"
    heavy = int(has_room.sum()) // network.num_terminals
    into = np.zeros(network.num_nodes, dtype=np.int64)
    np.add.at(into, network.head, has_room)
    most = int(np.sort(into + network.supply)[::-1][:heavy].sum())
    ends = np.flatnonzero(network.demand > 0)
    spare = int((into[ends] + network.supply[ends]).max()) + most - int(network.supply.sum())
    return None if spare < 0 else f"sources of {spare} more packets can be told apart"


def count_meetings(network: Network, bound: Fraction, multiplier: Fraction, lids: Lids = ONE) -> str | None:
    """None where counting proves that one path for each source and destination, as tables have, have a worst case of at
    least ``bound``; else what it lacks, in words.

    By Koenig's theorem a load of ``room`` on channel c is a cover of its pairs by r sources and k destinations, at most
    ``room`` in all.  Follow the path of a pair back from its destination while covers have that: it ends at a node v
    where the source sends, or that is entered over a channel whose cover has the source; and the destination receives
    at v, or the cover of a channel that leaves v has it.  So the pairs of all T terminals are at most the sum over v of
    a b, where a: those that send at v, and r of the channels into v; b: those that receive at v, and k of the channels
    out of v.  For every ``multiplier`` m >= 0 that is at most m times all room, and for every v the largest of
    a b - m (a - supply) - m (b - demand), which is bilinear: largest at the least or at the most a and b.

    The nodes v are what Kaklamanis, Krizanc & Tsantilas 1991 (Math. Systems Theory 24) count for one destination
    (``count_paths``); here for all of them at once.
    """
    if lids.parts > 1:
        return "packets of a pair are spread over lids"
    if multiplier < 0:
        return "its multiplier is negative"
    rooms = room_of_nodes(network, bound)
    if rooms is None:
        return "there are no channels with room"
    most, pairs = pairs_that_meet(*rooms, multiplier), network.num_terminals**2
    return None if most < pairs else f"all {pairs} pairs of terminals can meet"


NodeRooms = Counter[tuple[int, int, int, int]]


def room_of_nodes(network: Network, bound: Fraction) -> tuple[int, NodeRooms] | None:
    """All room of channels, and how many nodes have (terminals that send, that receive, the most that a and b of
    ``count_meetings`` can be); None where a channel has no room, or there are no channels."""
    has_room = _room_of_covers(network, bound)
    if has_room is None:
        return None
    own = [network.supply.astype(np.int64), network.demand.astype(np.int64)]
    most = [x.copy() for x in own]
    np.add.at(most[0], network.head, has_room)
    np.add.at(most[1], network.tail, has_room)
    both = [*own, *(np.minimum(x, network.num_terminals) for x in most)]
    return int(has_room.sum()), Counter(zip(*(x.tolist() for x in both), strict=True))


def pairs_that_meet(room_in_all: int, nodes: NodeRooms, multiplier: Fraction) -> Fraction:
    """The most pairs that meet, see ``count_meetings``."""
    of_nodes = (
        count * max(a * b - multiplier * (a - s + b - d) for a in (s, most_a) for b in (d, most_b))
        for (s, d, most_a, most_b), count in nodes.items()
    )
    return multiplier * room_in_all + sum(of_nodes, Fraction(0))


def _room_of_covers(network: Network, bound: Fraction) -> Int64 | None:
    """int64 (C,), at most all terminals, which cover all; None where a channel has no room, or there are none."""
    size = network.num_terminals
    has_room = np.array([min(room(b, bound), size) for b in network.bandwidth], dtype=np.int64)
    return None if not len(has_room) or not size or has_room.min() < 0 else has_room


@dataclass(frozen=True)
class TableFormula:
    """``clauses`` over variables 1 .. ``num_variables``; ``next_channel[v, j, c]``: node v sends to terminal j over c,
    or, of single paths, the packets of terminal v to terminal j cross c."""

    num_variables: int
    clauses: list[list[int]]
    next_channel: dict[tuple[int, int, int], int]


def formula_size(network: Network, bound: Fraction, lids: Lids = ONE) -> int:
    """About how many clauses ``formula_below`` has."""
    nodes, ends = network.num_nodes, network.num_terminals
    if lids.single:
        into = np.bincount(network.head, minlength=nodes)
        return ends * ends * (3 * network.num_channels + int((into * (into - 1)).sum()) // 2)
    counted = sum(min(room(b, bound), 2 * ends) + 1 for b in network.bandwidth)
    return 2 * nodes * ends * network.num_channels + 4 * ends * max(0, counted)


def formula_below(network: Network, bound: Fraction, lids: Lids = ONE) -> TableFormula:
    """The clauses for tables of one lid, or for single paths."""
    return path_formula(network, bound) if lids.single else table_formula(network, bound)


def path_formula(network: Network, bound: Fraction) -> TableFormula:
    """Clauses that every choice of one simple path for each source and destination with a worst case below ``bound``
    satisfies, and whose models hold such paths.

    Variables: packets from terminal i to terminal j cross channel c; channel c is covered at source i, at destination
    j; counters.  Packets leave their source, never come back to it, and leave every other node that they enter, by one
    channel: so they come to their destination.
    """
    names = Names()
    channels = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    ends = range(network.num_terminals)
    rows = [[names.new() for _ in ends] for _ in channels]
    columns = [[names.new() for _ in ends] for _ in channels]
    crosses: dict[tuple[int, int, int], int] = {}
    clauses: list[list[int]] = []
    for i, first in enumerate(network.source.tolist()):
        for j, last in enumerate(network.sink.tolist()):
            if first == last:
                continue
            own = {c: names.new() for c, (v, w) in enumerate(channels) if v != last and w != first}
            leaving: dict[int, list[int]] = {}
            entering: dict[int, list[int]] = {}
            for c, x in own.items():
                crosses[i, j, c] = x
                leaving.setdefault(channels[c][0], []).append(x)
                entering.setdefault(channels[c][1], []).append(x)
                clauses.append([-x, rows[c][i], columns[c][j]])
            clauses.append(leaving.get(first, []))
            for v, into in entering.items():
                clauses += [[-x, -y] for k, x in enumerate(into) for y in into[:k]]
                if v != last:
                    clauses += [[-x, *leaving.get(v, [])] for x in into]
    for c, bandwidth in enumerate(network.bandwidth):
        clauses += at_most([(x, 1) for x in (*rows[c], *columns[c])], room(bandwidth, bound), names)
    return TableFormula(names.count, clauses, crosses)


def table_formula(network: Network, bound: Fraction) -> TableFormula:
    """Clauses that every table with a worst case below ``bound`` satisfies, and whose models are such tables.

    Variables: node v sends to terminal j over channel c; packets to j from node s pass node v; channel c is covered at
    source node s, at terminal j; counters.  Where a table is never asked (at nodes that no packet to j passes) nothing
    need hold.
    """
    names = Names()
    tail, head = network.tail.tolist(), network.head.tolist()
    sources = np.flatnonzero(network.supply > 0).tolist()
    leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for c, v in enumerate(tail):
        leaving[v].append(c)
    chosen: dict[tuple[int, int, int], int] = {}
    clauses: list[list[int]] = []
    rows = [{s: names.new() for s in sources} for _ in tail]
    columns = [[names.new() for _ in range(network.num_terminals)] for _ in tail]
    for j, end in enumerate(network.sink.tolist()):
        others = [v for v in range(network.num_nodes) if v != end]
        passes = {(s, v): names.new() for s in others for v in others if s != v}
        for v in others:
            for c in leaving[v]:
                chosen[v, j, c] = names.new()
            choice = [chosen[v, j, c] for c in leaving[v]]
            if network.supply[v] > 0:
                clauses.append(choice)
            else:
                clauses += [[-passes[s, v], *choice] for s in sources if s != end]
            for c in leaving[v]:
                clauses += steps(chosen[v, j, c], v, head[c], end, others, passes)
                for s in sources:
                    if s != end:
                        here = [] if s == v else [-passes[s, v]]
                        clauses.append([-chosen[v, j, c], *here, rows[c][s], columns[c][j]])
    for c, bandwidth in enumerate(network.bandwidth):
        weighted = [(rows[c][s], int(network.supply[s])) for s in sources] + [(x, 1) for x in columns[c]]
        clauses += at_most(weighted, room(bandwidth, bound), names)
    return TableFormula(names.count, clauses, chosen)


class Names:
    """Of variables: 1, 2, ..."""

    def __init__(self) -> None:
        self.count = 0

    def new(self) -> int:
        self.count += 1
        return self.count


def steps(
    choice: int, v: int, w: int, end: int, others: list[int], passes: dict[tuple[int, int], int]
) -> list[list[int]]:
    """Packets that pass v pass w next, and never come back to where they began."""
    if w == end:
        return []
    follow = [[-choice, -passes[s, v], *([] if s == w else [passes[s, w]])] for s in others if s != v]
    return [[-choice, passes[v, w]], *follow]


def at_most(weighted: list[tuple[int, int]], most: int, names: Names) -> list[list[int]]:
    """The weights of the variables that hold sum to at most ``most``."""
    clauses = [[-x] for x, weight in weighted if weight > most]
    left = [(x, weight) for x, weight in weighted if weight <= most]
    if sum(weight for _, weight in left) <= most:
        return clauses
    before: list[int] = []  # before[k]: the sum so far is more than k
    for x, weight in left:
        now = [names.new() for _ in range(most)]
        clauses += [[-old, new] for old, new in zip(before, now, strict=False)]
        clauses += [[-x, now[k]] for k in range(weight)]
        for k, old in enumerate(before):
            clauses.append([-x, -old, now[k + weight]] if k + weight < most else [-x, -old])
        before = now
    return clauses
