"""Freedom from deadlock by rules other than an order of channels: bubbles on rings, escapes of adaptive routing."""

from __future__ import annotations

import numpy as np

from ...claims.routings.deadlock_rules import (
    BUBBLE,
    ESCAPE_CYCLE,
    ESCAPE_ORDER,
    RING_ORDER,
    escape_cycle_sentence,
    forks,
)
from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...routing.base.routing import Routing
from ...routing.dependencies.escape import Escape, escape_of
from ...routing.grid.lines import channel_places
from .assignments import few_descents
from .channels import Deadlock


def bubble_claim(verdict: Deadlock) -> Claim:
    """That bubble flow control frees these dependencies of deadlock.

    Raises InputError where their cycles are no rings, of which nothing is known.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    network, found = verdict.routing.network, verdict.dependencies
    first, second = found.first.astype(np.int64), found.second.astype(np.int64)
    size = network.num_channels
    graph = csr_array((np.ones(len(first)), (first, second)), shape=(size, size))
    parts, part = connected_components(graph, directed=True, connection="strong")
    between = part[first] != part[second]
    order, _ = numbering_or_cycle(parts, part[first[between]], part[second[between]])
    assert order is not None  # strong components have none
    number = (order * parts + np.arange(parts))[part]  # each component has a number of its own
    fork = forks(number, first, second)
    if fork is not None:
        one, *others = map(network.channel_label, fork)
        raise InputError(
            f"--flow-control bubble: the cycles of {verdict.routing.name} on {network.name} are not rings: {one} is "
            f"next to {' and to '.join(others)}; of dimension-order routing on a torus they are rings"
        )
    about = {"paths": "own" if found.by_paths else "of-loads", "flow_control": BUBBLE}
    return RING_ORDER.claim("true", {"number": number}, about)


def escape_claims(routing: Routing) -> list[Claim]:
    """Duato's condition for ``routing`` as the escape of fully adaptive minimal routing: on one lane, and where that
    has a cycle, on the fewest lanes that are found.  Raises InputError as ``escape_of`` does."""
    escape = escape_of(routing)
    size = routing.network.num_channels
    one = _judged(escape, np.zeros(len(escape.column), dtype=np.int64))
    assert one is not None
    if one.value == "true":
        return [one]
    same = np.zeros(size, dtype=np.int64)
    found = [_dateline_lanes(escape), _lanes(escape, few_descents(size, routing.bundles)[1], same)]
    found.append(_lanes(escape, same, same))  # one for each hop that is left, which does
    more = sorted((x for x in found if x is not None and x.any()), key=lambda x: int(x.max()))
    some = (_judged(escape, x) for x in more)
    return [one, next(x for x in some if x is not None)]


def _judged(escape: Escape, lane: Int64) -> Claim | None:
    """Duato's condition on these lanes: "true"; on one lane "false" with a cycle, on more None."""
    size, count = escape.routing.network.num_channels, int(lane.max(initial=0)) + 1
    first, second, column = escape.dependencies(lane)
    number, cycle = numbering_or_cycle(count * size, first, second)
    about = {"escape": escape.routing.name, "escape_lanes": count}
    if number is not None:
        return ESCAPE_ORDER.claim("true", {"lane": lane, "number": number}, about)
    if count > 1:
        return None
    asked = [a * size + b for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    columns = column[np.searchsorted(first * size + second, np.array(asked))].tolist()
    witness = escape_cycle_sentence(escape, cycle, columns)
    return ESCAPE_CYCLE.claim("false", {"cycle": cycle, "columns": columns, "witness": witness}, about)


def _lanes(escape: Escape, number: Int64, group: Int64) -> Int64:
    """How often ``number`` does not increase from each escape on, at most, before the ``group`` of channels changes."""
    network, lane = escape.routing.network, np.zeros(len(escape.column), dtype=np.int64)
    for end, part in escape.parts():
        after: dict[int, list[int]] = {}  # by node, the escapes there
        nearest = np.argsort(escape.hops[end, network.tail[escape.channel[part]]], kind="stable")
        for m in (part.start + nearest).tolist():
            c = escape.channel[m]
            own = ((x, escape.channel[x]) for x in after.get(int(network.head[c]), ()))
            lane[m] = max((lane[x] + (number[d] <= number[c]) for x, d in own if group[d] == group[c]), default=0)
            after.setdefault(int(network.tail[c]), []).append(m)
    return lane


def _dateline_lanes(escape: Escape) -> Int64 | None:
    """On grids: the upper lane where a packet still has to wrap around the ring that it is on (Dally & Seitz 1987)."""
    network = escape.routing.network
    if network.grid is None or network.grid.kind == "hyperx":
        return None
    places, grid = channel_places(network, network.grid), network.grid
    at = grid.coordinates[places.node, places.dimension].astype(np.int64)
    return _lanes(escape, np.where(places.direction == 0, at, -at), places.dimension.astype(np.int64))
