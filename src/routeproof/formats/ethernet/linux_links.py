"""Interfaces as Linux prints them: ``ip -j -d link``, for members of bonds and parents of VLAN interfaces; and
``ip -j addr`` (``-d`` too), for whom an address belongs to.

Source: iproute2, ip-link(8), ``ip/ipaddress.c``; the kernel's ``Documentation/networking/bonding.rst``.
"""

from __future__ import annotations

import re
from typing import Any

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .found import Found, Kind
from .routes import prefix_of

_BEGINNING = re.compile(r'\s*\[\s*(\{\s*\}\s*,\s*)*\{\s*"ifindex"\s*:')


def is_links(file: File) -> bool:
    return bool(_BEGINNING.match(file.start[:4096]))


def _read(file: File, device: str, found: Found) -> None:
    value = file.value
    if not isinstance(value, list) or not all(isinstance(x, dict) for x in value):
        raise InputError(f"{file.what} is {brief(value)}; a list of objects, as ip -j prints it, was expected")
    entries = [x for x in value if x]
    for entry in entries:
        if not isinstance(entry.get("ifname"), str):
            raise InputError(f"{file.what}: an interface has no ifname; a name was expected")
        listed = entry.get("addr_info", [])
        for address in listed if isinstance(listed, list) else []:
            text = address.get("local") if isinstance(address, dict) else None
            if text is not None:
                own = prefix_of(text, what=f"{file.what}: an address of {entry['ifname'][:40]}")
                found.owners.setdefault(own, set()).add(device)
    kind = {x["ifname"]: _info(x).get("info_kind") for x in entries}
    for entry in entries:
        name = entry["ifname"]
        if kind[name] == "vlan":
            if not isinstance(entry.get("link"), str):
                raise InputError(
                    f"{file.what}: {name[:40]} is a VLAN interface without a link; its parent was expected"
                )
            found.add_ports(device, name, (entry["link"],), file.what)
        elif kind[name] == "bridge":
            found.bridges.add((device, name))
        elif kind[name] in ("bond", "team"):
            members = [x for x in entries if x.get("master") == name and _is_active(x)]
            found.add_ports(device, name, tuple(sorted(x["ifname"] for x in members)), file.what)


def _info(entry: dict[str, Any]) -> dict[str, Any]:
    info = entry.get("linkinfo", {})
    return info if isinstance(info, dict) else {}


def _is_active(entry: dict[str, Any]) -> bool:
    """Does a member of a bond carry packets?"""
    data = _info(entry).get("info_slave_data", {})
    state = data.get("state", "ACTIVE") if isinstance(data, dict) else "ACTIVE"
    return state == "ACTIVE" and entry.get("operstate") != "DOWN"


LINUX_LINKS = Kind("interfaces of Linux", is_links, _read)
