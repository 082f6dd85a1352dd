"""Weights that fit tables of few entries: a design's shares as small whole numbers, and what that costs.

Tables are of two kinds.  Where all shortest paths are allowed, a switch splits what it sends to a destination among its
next channels, wherever it comes from (weighted-cost multipath, WCMP): a design's flows to a destination are added up,
and their shares at every node become the group.  Where paths are listed, the source chooses among the paths of a pair,
and the group is at the source, as for tunnels.

A group has at most M entries: whole-number weights whose sum is at most M.  Of all of these, the one is taken that
overloads no member by more than need be: the largest of (share by the entries) / (share wanted) is least.  For a given
sum the weights are handed out one by one, each to the member that it overloads least (D'Hondt's and Jefferson's rule,
which is optimal for this; Zhou et al. hand them out likewise, from 1 each).

A switch's table of groups may be small, too: ``members`` bounds what all groups of a switch have together, equal ones
counted once.  A switch with more gets a smaller M.

The rounded routing is judged exactly.  The bound on all routings with these paths is the design's before rounding.

Source: Zhou et al. 2014 (EuroSys), WCMP, sec. 4; ExtremeXOS User Guide, "ECMP Hardware
Table" (equal groups once); for splits at the source, Jain et al. 2013 (SIGCOMM), B4, sec. 5.3.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from ..core.errors import InputError
from ..core.network import Network
from ..routing.base.routing import Routing
from ..routing.classes.path_classes import ClassPaths, PathClassRouting
from ..routing.path_sets.path_set import PathSet
from ..routing.tables.groups import GroupRouting, members_of
from ..worst.locality import average_path_length
from ..worst.scan.exact import WorstCase
from .design import Design, Entries
from .program.path_variables import designed_name

MOST_ENTRIES = 1 << 16
_FEW = 16  # entries: fewer are tried one by one


def whole_shares(shares: Sequence[Fraction], most: int) -> list[int]:
    """Whole numbers >= 0 with a sum from 1 to ``most`` and no common divisor, such that the largest (number / sum) /
    share is least; among those the ones with the least sum.  ``shares``: >= 0, not all 0."""
    total = sum(shares, Fraction(0))
    ideal = [x / total for x in shares]
    given = [0] * len(ideal)
    best: tuple[Fraction, int] | None = None
    result = given
    top = Fraction(0)  # the largest number / share so far
    for n in range(1, most + 1):
        k = min((k for k, x in enumerate(ideal) if x), key=lambda k: (Fraction(given[k] + 1) / ideal[k], k))
        given[k] += 1
        top = max(top, given[k] / ideal[k])
        if best is None or top / n < best[0]:
            best, result = (top / n, n), list(given)
        if best[0] == 1:
            break
    return result


def fitted(design: Design, most: int, judge: Callable[[Routing], WorstCase], *, members: int | None = None) -> Design:
    """The design with a routing whose groups have at most ``most`` entries, and those of a switch at most ``members``
    together, judged by ``judge``.

    Raises InputError for a number of entries that no table has, and for a design over all paths.
    """
    if not 1 <= most <= MOST_ENTRIES:
        raise InputError(f"tables of {most} entries were asked for; 1 to {MOST_ENTRIES:,} was expected")
    if members is not None and members < 1:
        raise InputError(f"groups of {members} members at a switch were asked for; at least 1 was expected")
    allowed, own = design.load_adversary.paths, design.routing
    split: Fraction | None = None
    if allowed is None or not isinstance(own, PathClassRouting):
        raise InputError(
            "tables of few entries need a set of paths: minimal, with groups for a node and a destination; ksp:K, "
            "2turn or a routing's, with groups for a pair at its source"
        )
    if allowed.listed and members is not None:
        raise InputError("a number of members at a switch goes with --paths minimal: other groups are at the sources")
    if allowed.listed:
        routing: Routing = _at_sources(own, allowed, most)
    else:
        shares = _by_destination(own)
        groups = _whole(shares, most, members)
        routing = _of_groups(design.network, _reached(design.network, groups), allowed)
        split = judge(_of_groups(design.network, _exact(shares), allowed)).load
    worst = judge(routing)
    return dataclasses.replace(
        design,
        routing=routing,
        worst=worst,
        length=average_path_length(routing),
        length_adversary=None,
        most_load=None,
        entries=Entries(most, design.load, split, members),
    )


def _whole(
    shares: dict[tuple[int, int], dict[int, Fraction]], most: int, members: int | None
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The shares as whole numbers, switch by switch."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for v in sorted({v for v, _ in shares}):
        own, some = {key: ways for key, ways in shares.items() if key[0] == v}, most
        while True:
            whole = {
                key: [(c, w) for c, w in zip(ways, whole_shares(list(ways.values()), some), strict=True) if w]
                for key, ways in own.items()
            }
            if members is None or members_of(whole.values()) <= members:
                break
            some = some // 2 if some > _FEW else some - 1  # no group has 1 entry
        groups |= whole
    return groups


def _of_groups(
    network: Network, groups: dict[tuple[int, int], list[tuple[int, int]]], allowed: PathSet
) -> GroupRouting:
    return GroupRouting(network, designed_name(allowed), groups, allowed)


def _at_sources(routing: PathClassRouting, allowed: PathSet, most: int) -> PathClassRouting:
    """The same paths, with weights of few entries for every pair."""
    classes = []
    for one in routing.class_paths:
        whole = whole_shares([w for w, _ in one.paths], most)
        total = sum(whole)
        paths = [(Fraction(x, total), path) for x, (_, path) in zip(whole, one.paths, strict=True) if x]
        classes.append(ClassPaths(one.source, one.destination, paths))
    within = allowed if allowed.by_definition else None
    return PathClassRouting(routing.network, routing.name, classes, routing.symmetry, within=within)


def _by_destination(routing: Routing) -> dict[tuple[int, int], dict[int, Fraction]]:
    """By (node, destination node) what leaves it over each channel, of the packets of all sources together."""
    network = routing.network
    senders = np.nonzero(network.supply)[0]
    found: dict[tuple[int, int], dict[int, Fraction]] = {}
    for j in np.nonzero(network.demand)[0].tolist():
        rows = senders[senders != j]
        block = routing.pair_loads(rows, np.full(len(rows), j))
        flow: dict[int, Fraction] = {}
        loads = block.load.fractions()
        for k, i in enumerate(rows.tolist()):
            for at in range(int(block.offset[k]), int(block.offset[k + 1])):
                c = int(block.channel[at])
                flow[c] = flow.get(c, Fraction(0)) + int(network.supply[i]) * loads[at]
        for c in sorted(flow):
            v = int(network.tail[c])
            if v != j:
                found.setdefault((v, j), {})[c] = flow[c]
    return found


def _exact(shares: dict[tuple[int, int], dict[int, Fraction]]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The shares themselves as whole numbers."""
    result = {}
    for key, ways in shares.items():
        scale = lcm(*(x.denominator for x in ways.values()))
        whole = [int(x * scale) for x in ways.values()]
        divisor = gcd(*whole)
        result[key] = [(c, x // divisor) for c, x in zip(ways, whole, strict=True)]
    return result


def _reached(
    network: Network, groups: dict[tuple[int, int], list[tuple[int, int]]]
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The groups that packets still come to: rounding may leave nodes without any."""
    result = {}
    for j in np.nonzero(network.demand)[0].tolist():
        queue = [v for v in np.nonzero(network.supply)[0].tolist() if v != j]
        seen = set(queue)
        for v in queue:  # grows while it is walked through
            result[v, j] = groups[v, j]
            for c, _ in groups[v, j]:
                u = int(network.head[c])
                if u != j and u not in seen:
                    seen.add(u)
                    queue.append(u)
    return result
