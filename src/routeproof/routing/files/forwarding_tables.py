"""Forwarding tables of InfiniBand switches, as ``dump_fts`` prints them and OpenSM loads them."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.network import Network
from ...formats.format import File, Format
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath
from ..base.routing import Routing
from .table import RoutingFormat


def _is_mine(file: File) -> bool:
    from ...formats.infiniband.forwarding_tables import is_forwarding_tables

    return is_forwarding_tables(file.start[:8192].encode())


def _read(file: File, network: Network) -> Routing:
    from ..infiniband.forwarding_tables import read_forwarding

    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"{file.what} holds forwarding tables of InfiniBand switches; {network.name} does not say lids and "
            f"ports: give the output of ibnetdiscover as the topology"
        )
    return read_forwarding(str(file.path), network)


def _write(routing: Routing, path: FilePath) -> str:
    """As ``opensm -R file -U`` loads them; of fabrics read from ibnetdiscover only."""
    from ...formats.infiniband.forwarding_tables import write_forwarding_tables
    from ..infiniband.forwarding_tables import forwarding_ports

    if routing.path_virtual is not None:
        raise InputError("forwarding tables hold no virtual channels; a .json, .sst.json or .csv file was expected")
    network = _fabric(routing.network)
    write_forwarding_tables(network, forwarding_ports(network, routing), path)
    return "forwarding tables"


def _fabric(network: Network) -> FabricNetwork:
    """A network with lids and ports."""
    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"forwarding tables need lids and ports, which {network.name} does not say: give the output of "
            f"ibnetdiscover as the topology"
        )
    for what, ports in (("switch", network.switches), ("host", network.hosts)):
        for port in ports:
            if not port.lid:
                raise InputError(
                    f"forwarding tables need lids, and {what} {port.name} of {network.name} has none: run "
                    f"ibnetdiscover again after a subnet manager, or write a next-hop document (.json)"
                )
    return network


FORWARDING_TABLES: RoutingFormat = Format(
    "forwarding-tables",
    "InfiniBand forwarding tables",
    extensions=(".lft",),
    sniff=_is_mine,
    read=_read,
    write=_write,
    check_network=_fabric,
    instead="their network is in another file: routeproof deadlock FABRIC --routing FILE judges both",
)
