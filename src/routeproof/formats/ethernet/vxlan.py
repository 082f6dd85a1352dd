"""Hosts behind VXLAN (EVPN): packets between them go from one device to another by the routes of the default VRF.

The routes of a VRF say to which address (VTEP) a device puts packets into VXLAN; until they are there, all devices
forward them by that address.  So a device forwards packets for a host by the host's own route, where it has one that
is no tunnel, and else by the outer route to the address, which must be the same one wherever packets come from: a host
behind several of them, as with EVPN multihoming, is refused.  A VTEP that two switches share (MLAG) is one address.
Source: batfish/lab-validation, ``snapshots/eos_evpn_l3_design_guide`` and ``nxos_evpn_l3vni``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.errors import InputError
from .device_dumps import DeviceDumps
from .fabric import EthernetHost
from .routes import Prefix, Route, RouteTable


def uses_vxlan(found: DeviceDumps) -> bool:
    return any(x.over is not None for table in found.tables.values() for x in table.routes.values())


def over_outer_routes(
    found: DeviceDumps, outer: DeviceDumps, devices: Sequence[str], hosts: Sequence[EthernetHost], what: str
) -> tuple[list[RouteTable], list[EthernetHost]]:
    """The tables of ``devices``, and the hosts with the addresses that packets are put into VXLAN to.

    ``found``: the routes of the hosts' VRF; ``outer``: those of the default VRF.
    Raises InputError for a host that different devices send to different addresses.
    """
    empty = RouteTable((), what=what)
    tables = []
    for device in devices:
        table = outer.tables.get(device, empty)
        tables.append(RouteTable((), what=table.what))
        tables[-1].routes = dict(table.routes)
    inner = [(v, found.tables[x]) for v, x in enumerate(devices) if x in found.tables and found.tables[x].routes]
    changed = []
    for host in hosts:
        over: dict[Prefix, str] = {}
        mine: list[tuple[int, Route | None]] = []
        for v, table in inner:
            route = table.route_to(host.address)
            if route is not None and route.over is not None:
                over.setdefault(route.over, devices[v])
            else:
                mine.append((v, route))
        if len(over) > 1:
            both = " and ".join(f"{x} at {device}" for x, device in list(over.items())[:2])
            raise InputError(
                f"{what}: packets for {host.name} ({host.address}) are put into VXLAN to {both}; one address was "
                f"expected, which an MLAG shares (EVPN multihoming is not followed)"
            )
        end = next(iter(over), host.address)
        for v, route in mine:
            outer_route = tables[v].route_to(end)
            passes = outer_route is not None and not outer_route.connected
            tables[v].routes[host.address] = _own(route, host, v, passes=passes)
        changed.append(replace(host, over=end))
    return tables, changed


def _own(route: Route | None, host: EthernetHost, v: int, *, passes: bool) -> Route:
    """What a device does with packets for the host that are in no tunnel, or that it has taken out of one; ``passes``:
    those inside the tunnel may pass it, too."""
    if route is None:
        return Route(host.address, (), dropped="its VRF has no route there")
    if route.connected and v != host.device:
        return Route(host.address, (), dropped=f"{route.prefix} is connected there, and the host is elsewhere")
    if route.hops and not route.connected and passes:
        return Route(host.address, (), dropped="packets for it may come there inside VXLAN and outside of it")
    return replace(route, prefix=host.address)
