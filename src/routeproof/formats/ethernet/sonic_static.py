"""Static routes as SONiC's configuration has them: the table STATIC_ROUTE of config_db.json, a file for each switch,
which ``config load`` reads.

A key is ``default|10.1.2.0/24``; ``nexthop`` and ``ifname`` list addresses and ports alike, which share packets evenly:
there are no weights, and gateways are of the version of the prefix.  ``advertise`` is false, for bgpcfgd redistributes
static routes into BGP where nothing is said.
Source: sonic-buildimage, ``sonic-static-route.yang`` and ``bgpcfgd/managers_static_rt.py``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .routes import BITS, Hop, Route, prefix_of
from .static_routes import Spelling, static_route

_TABLE = "STATIC_ROUTE"
_KEY = "default|"
_FIELDS = {"nexthop", "ifname", "advertise"}


def _write(device: str, routes: Sequence[Route], about: str) -> str:  # noqa: ARG001  # JSON has no comments
    table = {
        f"{_KEY}{x.prefix}{f'/{x.prefix.length}' if x.prefix.length == BITS[x.prefix.version] else ''}": {
            "nexthop": ",".join(hop.gateway for hop in x.hops),
            "ifname": ",".join(hop.interface for hop in x.hops),
            "advertise": "false",
        }
        for x in routes
    }
    return json.dumps({_TABLE: table}, indent=4) + "\n"


def _read(file: File) -> list[Route]:
    document = file.document
    if set(document) != {_TABLE} or not isinstance(document[_TABLE], dict):
        raise InputError(f"{file.what}: an object with the table {_TABLE} alone was expected")
    found = []
    for key, fields in document[_TABLE].items():
        where = f"{file.what}: {brief(key)}"
        if not key.startswith(_KEY) or not isinstance(fields, dict) or set(fields) != _FIELDS:
            raise InputError(f"{where}: {_KEY}PREFIX with {', '.join(sorted(_FIELDS))} was expected")
        if not all(isinstance(x, str) for x in fields.values()):
            raise InputError(f"{where}: texts with commas between next hops were expected")
        prefix = prefix_of(key.removeprefix(_KEY), what=where)
        gateways, ports = (fields[x].split(",") for x in ("nexthop", "ifname"))
        hops = [Hop(port, gateway) for port, gateway in zip(ports, gateways, strict=False)]
        if len(gateways) != len(ports) or len(set(hops)) < len(hops) or not all(ports):
            raise InputError(f"{where}: one port for each address, each pair once, was expected")
        if any(prefix_of(x, what=where).version != prefix.version for x in gateways):
            raise InputError(f"{where} has gateways of another version of IP")
        found.append(static_route(prefix, hops))
    return found


SONIC_STATIC = Spelling("SONiC's static routes", ".json", _write, _read)
