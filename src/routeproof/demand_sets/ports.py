"""The ports of a transport set on a network: terminals of one node that the set treats alike, taken together.

Routings treat the terminals of a node alike, so nothing is lost: what a port may send is what its terminals may, and
any demand between ports can be shared among their terminals in proportion to their rates.  In a box that nothing else
limits no demand is worse than the largest ones, so they stand for all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..kernel.port_gauge import AdversaryPair
from ..kernel.ports import Ports
from .demand_set import DemandSet, Pair, PairDemand
from .limits import Limits, positive

_MOST_CELLS = 1 << 28


def ports_of(demands: Limits, network: Network) -> Ports:
    """Raises InputError for a set between another number of terminals, and where no packet would cross a channel."""
    demands.check_between(network)
    if demands.box is None:
        out, into = partners(demands)
    else:  # every pair has limits of its own
        out = into = np.arange(demands.size, dtype=np.int64)
    may = np.zeros((int(out.max()) + 1, int(into.max()) + 1), dtype=np.bool_)
    for i, j in representatives(demands):
        may[out[i], into[j]] = True
    sends_some, receives_some = (np.atleast_1d(may.any(axis=axis)) for axis in (1, 0))
    row, row_name = _numbered(network.source, out, positive(demands.sends, demands.size) & sends_some[out])
    column, column_name = _numbered(network.sink, into, positive(demands.receives, demands.size) & receives_some[into])
    if len(row_name) * len(column_name) > _MOST_CELLS:
        raise InputError(f"{demands.text} has too many different senders and receivers for one table")
    apart = network.source[row_name][:, None] != network.sink[column_name][None, :]
    between = may[out[row_name]][:, into[column_name]] & apart
    if not between.any():
        raise InputError(
            f"over {demands.text} no channel of {network.name} is ever loaded: packets stay at their switch, and "
            f"nothing collides"
        )
    row, row_name, between = _without_idle(row, row_name, between)
    column, column_name, turned = _without_idle(column, column_name, between.T)
    between = turned.T
    limits = {} if demands.box is None else {x: y for x, y in demands.box.items() if demands.allows(*x)}
    if demands.is_only_box:
        limits = {pair: (high, high) for pair, (_, high) in limits.items()}
    low = {pair: least for pair, (least, _) in limits.items() if least}
    cells = {pair: (int(row[pair[0]]), int(column[pair[1]])) for pair in limits}
    crossing = {pair: cell for pair, cell in cells.items() if min(cell) >= 0 and between[cell]}
    return Ports(
        row, column,
        network.source[row_name].astype(np.int32), network.sink[column_name].astype(np.int32),
        row_name, column_name, between,
        _rates(demands.sends, row, len(row_name), low, 0),
        _rates(demands.receives, column, len(column_name), low, 1),
        None if demands.total is None else demands.total - sum(low.values(), Fraction(0)),
        {cell: low[pair] for pair, cell in crossing.items() if pair in low},
        None if demands.box is None else {cell: limits[pair][1] - limits[pair][0] for pair, cell in crossing.items()},
    )  # fmt: skip


def ports_over(network: Network, demands: Limits | None) -> Ports | None:
    """Those of a set of demands; None for permutations, whose rows and columns are nodes."""
    if demands is None:
        return None
    check_to_itself(network, demands)
    ports = ports_of(demands, network)
    return None if demands.is_permutations else ports


def adversary_pairs(
    network: Network, demands: Limits, given: Sequence[PairDemand]
) -> tuple[Ports, list[AdversaryPair]]:
    """What adversaries send between ports: nodes for all permutations, else the ports of the terminals that they name.

    Raises VerificationError for pairs of the other kind, and where nothing is ever sent.
    """
    check_to_itself(network, demands)
    by_node = demands.is_permutations
    ports = Ports.of_nodes(network) if by_node else ports_of(demands, network)
    pairs = []
    for item in given:
        here, wanted = ("terminals", "nodes") if by_node else ("nodes", "terminals")
        if item.of_terminals == by_node:
            raise VerificationError(f"{item.what} is of {here}; over {demands.text[:60]}, {wanted} were expected")
        i, j = item.source, item.destination
        if not all(0 <= x < (network.num_nodes if by_node else demands.size) for x in (i, j)) or (by_node and i == j):
            expected = "no two nodes" if by_node else "what is not the number of a terminal"
            raise VerificationError(f"{item.what} names {expected} of the network")
        row, column = (i, j) if by_node else (int(ports.row_of[i]), int(ports.column_of[j]))
        if min(row, column) < 0:
            raise VerificationError(f"{item.what}: terminal {i if row < 0 else j} has no part in the set of demands")
        pairs.append(AdversaryPair(row, column, item.traffic))
    return ports, pairs


def check_to_itself(network: Network, demands: Limits) -> None:
    """Raise InputError where a terminal's packets to itself would cross channels, since they would count as others do.

    A set that says pair by pair who sends has none; of all permutations, by that name, they are a part.
    """
    named = demands.is_permutations and demands.text == "permutations"
    if named or any(x is not None for x in (demands.pairs, demands.box, demands.apart)):
        return
    apart = np.flatnonzero(network.source != network.sink)
    if len(apart):
        i = int(apart[0])
        raise InputError(
            f"{demands.text}: a terminal sends nothing to itself, but terminal {i} of {network.name} sends at node "
            f"{int(network.source[i])} and receives at node {int(network.sink[i])}; pairs:FILE, box:FILE, matrix:FILE, "
            f"or a traffic model (--model) was expected"
        )


def tells_terminals_apart(demands: DemandSet | None, network: Network) -> bool:
    """Could a routing gain by treating the terminals of one node differently?  Then a bound over the set, which is one
    on flows between nodes, is about the routings that treat them alike."""
    if max(int(network.supply.max()), int(network.demand.max())) <= 1:
        return False
    transport = None if demands is None else demands.transport
    if transport is not None:
        return not ports_of(transport, network).by_node
    return demands is not None and demands.listed is not None and len(demands.listed) > 1


def partners(demands: Limits) -> tuple[Int64, Int64]:
    """For every terminal a number of whom it may send to, and one of whom it may receive from: equal numbers, equal
    partners, apart from the terminal itself."""
    size = demands.size
    group = np.zeros(size, dtype=np.int64) if demands.group is None else demands.group.astype(np.int64)
    pairs = demands.listed_pairs
    if pairs is None and demands.apart is not None:
        group = np.where(group < 0, -1, np.unique(group * size + demands.apart, return_inverse=True)[1])
    if pairs is None:
        return group + 1, group + 1
    sides = []
    for mine, other in ((0, 1), (1, 0)):
        found: list[list[int]] = [[] for _ in range(size)]
        for pair in pairs:
            if demands.allows(*pair):
                found[pair[mine]].append(pair[other])
        names: dict[tuple[int, ...], int] = {(): 0}
        sides.append(np.array([names.setdefault(tuple(sorted(x)), len(names)) for x in found], dtype=np.int64))
    return sides[0], sides[1]


def representatives(demands: Limits) -> list[tuple[int, int]]:
    """Allowed pairs, at least one for any two kinds of terminals of which one may send to the other."""
    if demands.listed_pairs is not None:
        return [pair for pair in demands.listed_pairs if demands.allows(*pair)]
    if demands.apart is not None:
        kinds, first_of = np.unique(partners(demands)[0], return_index=True)
        some = first_of[kinds > 0].tolist()
        return [(i, j) for i in some for j in some if demands.allows(i, j)]
    if demands.group is None:
        return [(0, 1)]
    first: dict[int, int] = {}
    found = []
    for i, g in enumerate(demands.group.tolist()):
        if g >= 0 and g in first:
            found.append((first[g], i))
        first.setdefault(g, i)
    return found


def _numbered(node: Int32, kind: Int64, live: npt.NDArray[np.bool_]) -> tuple[Int32, Int32]:
    """(of which port every terminal is, or -1; the smallest terminal of every port)."""
    number: dict[tuple[int, int], int] = {}
    place = np.full(len(node), -1, dtype=np.int32)
    names: list[int] = []
    for i in np.flatnonzero(live).tolist():
        key = int(node[i]), int(kind[i])
        if key not in number:
            number[key] = len(names)
            names.append(i)
        place[i] = number[key]
    return place, np.array(names, dtype=np.int32)


def _without_idle(
    place: Int32, names: Int32, between: npt.NDArray[np.bool_]
) -> tuple[Int32, Int32, npt.NDArray[np.bool_]]:
    """Only ports that send (receive) something over a channel."""
    busy = between.any(axis=1)
    number = np.where(busy, np.cumsum(busy) - 1, -1).astype(np.int32)
    return np.append(number, np.int32(-1))[place], names[busy], between[busy]


def _rates(
    rates: Sequence[Fraction] | None, place: Int32, count: int, low: dict[Pair, Fraction], side: int
) -> list[Fraction] | None:
    """By port, what is left beside the least demands (also those that stay at their node)."""
    if rates is None:
        return None
    found = [Fraction(0)] * count
    for i, k in enumerate(place.tolist()):
        if k >= 0:
            found[k] += rates[i]
    for pair, x in low.items():
        k = int(place[pair[side]])
        if k >= 0:
            found[k] -= x
    return found
