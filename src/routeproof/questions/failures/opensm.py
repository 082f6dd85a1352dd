"""``--repair opensm:ENGINE``: the real OpenSM routes what each failure leaves, and what it installs is judged."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ...core.faults import Faults, nothing_to_send
from ...core.graph import lost_pair
from ...core.spread import Progress
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.infiniband.forwarding_tables import read_forwarding_tables
from ...formats.infiniband.ibsim import ibsim_text, kept_lids
from ...routing.base.routing import Routing
from ...routing.fabrics.forwarding_tables import forwarding_ports, routing_of_tables
from ...routing.named.described import describe_routing
from ...worst.failures import bound_told, judged_alone
from ...worst.rerouting_bound import bounds_of
from ...worst.scan.exact import worst_case

if TYPE_CHECKING:
    from ...engine import Engine
    from ...topologies.failures import Failure

_SECONDS = 1.0  # of one run, where nothing is known


def fabric_of(routing: Routing, engine: str) -> FabricNetwork:
    """The InfiniBand fabric; raises InputError for other networks, and for hosts without lids."""
    fabric = routing.network
    if not isinstance(fabric, FabricNetwork):
        raise InputError(f"--repair opensm:{engine} needs an InfiniBand fabric (ibnetdiscover); {fabric.name} is none")
    silent = next((x for x in (*fabric.switches, *fabric.hosts) if not x.lid), None)
    if silent is not None:
        raise InputError(f"--repair opensm:{engine} keeps today's lids, and {silent.name} has none")
    return fabric


def tables_differ(routing: Routing, made: Routing) -> tuple[int, int] | None:
    """(how many of today's entries OpenSM makes otherwise, how many there are), of two routings on one fabric; None
    where today's routing is no forwarding table."""
    fabric = made.network
    assert isinstance(fabric, FabricNetwork)
    if not routing.forwarding_tables():
        return None
    lids = [lid for host in fabric.hosts for lid in host.lids]
    one, two = (forwarding_ports(fabric, x)[:, lids] for x in (routing, made))
    return int((one != two).sum()), int(one.size)


def judged_by_opensm(
    routing: Routing, engine: str, failures: Sequence[Failure], spread: Engine, progress: Progress | None
) -> tuple[list[dict[str, Any]], str]:
    """As ``worst.failures.solve_rebuilt``, with "routing", what OpenSM installed; and in words whether it makes today's
    tables on the whole fabric.

    Raises InputError where OpenSM does not route what is left.
    """
    from ...engine import Work
    from ...topologies.failures import Failure

    fabric = fabric_of(routing, engine)
    bounds, results = bounds_of(fabric), list[dict[str, Any]]()
    faults = [Faults(x.nodes, x.channels(fabric)) for x in (Failure(), *failures)]
    after = [x.after(fabric) for x in faults]
    nothing = [nothing_to_send(fabric, terminals) for _, terminals in after]
    left = [(Faults() if idle else x).survivors(fabric) for x, idle in zip(faults, nothing, strict=True)]
    lost = [lost_pair(x.network) for x in left]
    pieces = {
        str(k): {"net": ibsim_text(_fabric(x.network)), "lids": kept_lids(_fabric(x.network))}
        for k, (x, pair) in enumerate(zip(left, lost, strict=True))
        if pair is None and not nothing[k]
    }
    shared = {"engine": engine, "lmc": max(x.lmc for x in fabric.hosts)}
    work = Work(
        "opensm", "routeproof.routing.fabrics.opensm:run_opensm", pieces, shared, seconds=_SECONDS * len(pieces)
    )
    made = spread.run(work, progress=progress)
    words = ""
    for k, (failure, x, pair) in enumerate(zip((Failure(), *failures), left, lost, strict=True)):
        if nothing[k]:
            results.append({"nothing": True})
            continue
        more = bound_told(bounds, *after[k])
        if pair is not None:
            results.append({"lost": [int(x.node[v]) for v in pair], **more})
            continue
        if "refused" in made[str(k)]:
            where = "on the whole fabric" if k == 0 else f"after {failure.named(fabric)}"
            raise InputError(f"--repair opensm:{engine}: {where}: {made[str(k)]['refused']}")
        again = _installed(_fabric(x.network), made[str(k)]["tables"], engine)
        if k == 0:
            words = _compared(routing, again, engine)
            continue
        results.append({**judged_alone(worst_case(again, workers=1)), "routing": describe_routing(again), **more})
    return results, words


def _fabric(network: object) -> FabricNetwork:
    assert isinstance(network, FabricNetwork)
    return network


def _installed(fabric: FabricNetwork, text: str, engine: str) -> Routing:
    with tempfile.TemporaryDirectory(prefix="routeproof-opensm-") as folder:
        path = Path(folder) / "opensm-lfts.dump"
        path.write_text(text)
        tables = read_forwarding_tables(path, fabric)
    return routing_of_tables(fabric, tables, name=f"opensm:{engine}", what=f"OpenSM's tables by {engine}")


def _compared(routing: Routing, made: Routing, engine: str) -> str:
    differ = tables_differ(routing, made)
    if differ is None:
        return f"today's routing is not a forwarding table, so that it is not compared with what {engine} makes"
    if not differ[0]:
        return f"on the whole fabric it makes today's tables, all {differ[1]:,} entries"
    return (
        f"on the whole fabric it makes {differ[0]:,} of {differ[1]:,} entries otherwise than today's tables have them"
    )
