"""The routing ``opensm:ENGINE``: the forwarding tables that the real OpenSM installs on a fabric, or on any network of
cables as if it were one; ibsim stands for the hardware (``opensm_program``).

Tables are asked for every time the name is used; a report holds them in full.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...formats.infiniband.as_fabric import as_fabric
from ...formats.infiniband.forwarding_tables import read_forwarding_tables
from ...formats.infiniband.ibsim import ibsim_text, kept_lids
from ..base.entry import RoutingEntry
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..tables.next_hop import NextHop
from .forwarding_tables import routing_of_tables
from .opensm_program import opensm_version, run_opensm

ENGINES = ("minhop", "updn", "dnup", "ftree", "dor", "lash", "sssp", "dfsssp", "nue")
"""Those that need no file of their own; OpenSM says itself which apply to a fabric."""


def routed_by_opensm(network: Network, engine: str) -> Routing:
    """The routing that OpenSM's ``engine`` makes of ``network``, called ``opensm:ENGINE``.

    Raises InputError where OpenSM is not installed, where the network is no fabric (``as_fabric``), and with OpenSM's
    words where the engine does not route it.
    """
    name = f"opensm:{engine}"
    opensm_version(engine, asked="")
    fabric = as_fabric(network)
    if not fabric.hosts:
        raise InputError(f"{name}: {network.name} has no hosts")
    made = run_opensm(
        engine=engine, lmc=max(x.lmc for x in fabric.hosts), lids=kept_lids(fabric), net=ibsim_text(fabric)
    )
    if "refused" in made:
        raise InputError(f"{name}: {made['refused']}")
    with tempfile.TemporaryDirectory(prefix="routeproof-opensm-") as folder:
        path = Path(folder) / "opensm-lfts.dump"
        path.write_text(made["tables"])
        tables = read_forwarding_tables(path, fabric)
    found = routing_of_tables(fabric, tables, name=name, what=f"OpenSM's tables by {engine}")
    return found if fabric is network else _on(network, found)


def _on(network: Network, routing: Routing) -> Routing:
    """The same tables on the network that the fabric was made from."""
    if routing.parts:
        return Mixture([(weight, _on(network, part)) for weight, part in routing.parts], name=routing.name)
    [(_, table)] = routing.forwarding_tables()
    return NextHop(table.next_channel[:, table.column_of], columns="terminal", name=routing.name).on(network)


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if "engine" not in options:
        raise InputError(f"opensm: which engine? One of {', '.join(ENGINES)} was expected, as in opensm:minhop")
    return routed_by_opensm(network, options["engine"])


ENTRY = RoutingEntry(
    name="opensm",
    help="the tables of an engine of the real OpenSM, run in ibsim where both are installed (opensm:minhop)",
    build=_build,
    options={"engine": f"{', '.join(ENGINES)}, or another one of OpenSM's; its name alone is enough"},
    bare="engine",
    of_fabric=True,
    by_program=True,
)
