"""How many lids the hosts of a design have, and who uses which: what was asked for, and where its search begins."""

from __future__ import annotations

from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ...formats.infiniband.fabric import FabricNetwork
from ...kernel.table_bounds import ONE, Lids, single_paths
from ...routing.base.mixture import Mixture
from ...routing.base.routing import Routing
from ...worst.scan.exact import worst_case
from .exchange import improve_tables
from .starts import completed_table, shortest_tables
from .tables import single_paths_of, tables_of_paths

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
