"""The search for better tables in rounds, each from where the better try of the round before ended: an engine makes
the tries, and a run directory keeps them, so that a search that was ended goes on where it was.

A try depends on where its round begins and on its seed alone: the answer does not depend on who made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...formats.infiniband.fabric import FabricNetwork
from ...kernel.table_bounds import ONE, Lids, single_paths
from ...machine.deadlines import Deadline, ended_in_time
from ...routing.base.mixture import Mixture
from ...routing.base.routing import Routing
from ...routing.named.described import describe_routing, routing_from_description
from ...worst.scan.exact import worst_case
from ...worst.scan.scan import network_described, network_made_again
from .exchange import Improved, improve_tables
from .starts import completed_table, shortest_tables
from .tables import single_paths_of, tables_of_paths

if TYPE_CHECKING:
    from ...engine import Engine


_MOST_LIDS = 128


def lids_asked(network: Network, count: int | None, selection: str) -> Lids:
    """Raises InputError for a number that no LMC gives, and for one that a fabric's host ports do not have."""
    if count is None:
        return ONE
    if not 1 <= count <= _MOST_LIDS or count & (count - 1):
        raise InputError(f"--lids is {count}; an LMC of m gives a port 2^m LIDs: 1, 2, 4, ..., 128 was expected")
    if selection not in ("spread", "pinned"):
        raise InputError(f"--path-selection is {selection[:40]!r}; spread or pinned was expected")
    if isinstance(network, FabricNetwork):
        other = next((x for x in network.hosts if 1 << x.lmc != count), None)
        if other is not None:
            raise InputError(
                f"--lids is {count}, and host {other.name} of {network.name} has {1 << other.lmc} (LMC {other.lmc}): "
                f"run opensm -l {count.bit_length() - 1} and ibnetdiscover first"
            )
    return Lids(count, pinned=selection == "pinned" and count > 1)


def single_start(network: Network, *, proposals: int, seed: int, time_limit: float | None, minimal: bool) -> Routing:
    """One path for each source and destination: the better of shortest ones and of tables, which are fewer to search
    among, with so many ``proposals``."""
    searched = improve_tables(network, proposals=proposals, seed=seed, time_limit=time_limit, minimal=minimal)
    lids = single_paths(network)
    spread = [shortest_tables(network, k, lids) for k in range(lids.count)]
    parts = [completed_table(network, x, name="").next_channel for x in spread]
    found = [searched.routing, single_paths_of(network, parts, name="shortest")]
    return min(found, key=lambda x: worst_case(x).load)


def with_lids(start: Routing, lids: Lids) -> Routing:
    """As many tables as ``lids``, where there are several: those of ``start``, again and again."""
    if lids.single:
        tables_of_paths(start)
        return start
    if lids.count == 1:
        return start
    found = [table for _, table in start.forwarding_tables()]
    if start.pinned is not None:
        found = [*start.pinned[0]]
    if not found or lids.count % len(found):
        raise InputError(f"{start.name} has {len(found)} forwarding tables; {lids.count} (--lids), or a part, expected")
    share = Fraction(1, lids.count)
    return Mixture([(share, found[k % len(found)]) for k in range(lids.count)], name=start.name)


_ROUNDS, _TRIES = 32, 2


def improve_in_rounds(
    engine: Engine,
    network: Network,
    start: Routing,
    *,
    proposals: int,
    seed: int = 0,
    time_limit: float | None = None,
    name: str = "tables",
    enough: Fraction | None = None,
    lids: Lids,
    minimal: bool = False,
    deadlock_free: bool = False,
    progress: Progress | None = None,
) -> Improved:
    """``improve_tables`` with ``proposals`` in all, by rounds that ``engine`` makes; one that has no time left counts
    for nothing.

    Raises InputError, too, for fabrics whose hosts have different numbers of lids: tries do not know them.
    """
    from ...engine import Work

    if isinstance(network, FabricNetwork) and len({x.lmc for x in network.hosts}) > 1:
        raise InputError(
            f"hosts of {network.name} have different numbers of LIDs; --run, --workers, --cluster and --memory are for "
            f"fabrics whose hosts have equally many: leave them out"
        )
    deadline = Deadline(time_limit)
    made = improve_tables(
        network, start, proposals=0, lids=lids, name=name, minimal=minimal, deadlock_free=deadlock_free
    )
    best = replace(made, seed=seed)
    now, rounds = best.routing, max(1, min(_ROUNDS, proposals // _TRIES))
    each = [proposals // (rounds * _TRIES) + (x < proposals % (rounds * _TRIES)) for x in range(rounds * _TRIES)]
    shared = {
        "network": network_described(network), "lids": [lids.count, lids.pinned, lids.single],
        "minimal": minimal, "deadlock_free": deadlock_free,
    }  # fmt: skip
    for k in range(rounds):
        load = best.curve[-1][1]
        if deadline.over or (enough is not None and load <= enough):
            break
        own = {
            "begin": describe_routing(now, paths=lids.single), "symmetric": k == 0,
            "cooling": [k / rounds, (k + 1) / rounds],
        }  # fmt: skip
        pieces = {
            f"try {x + 1}": {"seed": seed + k * _TRIES + x, "proposals": each[k * _TRIES + x]} for x in range(_TRIES)
        }
        try:
            with ended_in_time(deadline.left()):
                tried = [*engine.run(Work(f"round {k + 1}", one_try, pieces, shared={**shared, **own})).values()]
        except KeyboardInterrupt:
            return replace(best, interrupted=not deadline.over)
        found = min(tried, key=lambda x: (x["load"], x["hops"]))
        done, taken = (y + sum(x[z] for x in tried) for y, z in ((best.proposals, "done"), (best.taken, "taken")))
        now = routing_from_description(found["last"], network)
        if (found["load"], found["hops"]) < (load, best.hops):
            curve = [*best.curve, (done, found["load"])] if found["load"] < load else best.curve
            routing = routing_from_description({**found["routing"], "spec": name}, network)
            best = replace(best, routing=routing, curve=curve, hops=found["hops"])
        best = replace(best, proposals=done, taken=taken)
        if progress is not None:
            progress(done, proposals)
    return best


def one_try(
    network: Mapping[str, Any], begin: Mapping[str, Any], lids: Sequence[Any], seed: int, **options: Any
) -> dict[str, Any]:
    """One piece: the best tables of one search from ``begin``."""
    start = routing_from_description(begin, network_made_again(network))
    found = improve_tables(start.network, start, seed=seed, lids=Lids(*lids), **options)
    ends = found.routing, found.last or found.routing
    best, last = (describe_routing(x, paths=Lids(*lids).single) for x in ends)
    load, done = found.curve[-1][1], found.proposals
    return {"routing": best, "last": last, "load": load, "hops": found.hops, "done": done, "taken": found.taken}
