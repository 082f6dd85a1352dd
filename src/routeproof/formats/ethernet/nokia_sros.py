"""Nokia SR OS: the text of ``show router route-table``, two lines a next hop.

Ports are the names of interfaces, as in the table: a list of cables names them so.  A number in brackets is how often
the next hop is repeated, its weight; other flags but those of backups are not followed.
Source: batfish/lab-validation, ``snapshots/sros_*``, with the legend below the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .next_hops import Listed, listed_routes
from .routes import Hop, Prefix, prefix_of, weight_of

_HEAD = re.compile(r"(?:IPv[46] )?Route Table \((Router|Service): (.+)\)")
_ROUTE = re.compile(r"(\S+/\d+)\s*(?:\[([^\]]*)\])?\s+(Local|Remote|Blackh\*|Blackhole)\s+(\S+)\s+\S+\s+\d+")
_HOP = re.compile(r"(\S+(?: \S+)*?)(?: \(tunneled:?([^)]*)\))?\s+\d+")
_COUNT = re.compile(r"No\. of Routes: (\d+)")
_HARMLESS = {"B": "has a backup", "L": "has a backup", "S": "on link"}


def _listed(file: File, device: str, found: DeviceDumps) -> Iterator[Listed]:
    table: dict[Prefix, Listed] = {}
    is_wanted, count, begun = True, 0, None
    for line in file.lines(indented=True):
        text = line.text.strip()
        if head := _HEAD.fullmatch(text):
            is_wanted = found.is_wanted(device, DEFAULT_VRF if head[2] == "Base" else head[2])
        elif total := _COUNT.fullmatch(text):
            if int(total[1]) != count:
                raise InputError(f"{file.what} has {count} routes and says that it has {total[1]}; is it cut off?")
            count = 0
        elif begun is None and (own := _ROUTE.fullmatch(text)):
            count, begun = count + 1, own
        elif begun is not None and (hop := _HOP.fullmatch(text)):
            if is_wanted:
                _add(table, begun, hop, line.place)
            begun = None
        elif begun is not None:
            raise line.error(f"{brief(text)}; the next hop of {begun[1]} was expected")
    if count or begun is not None:
        raise InputError(f"{file.what} does not say how many routes it has; is it cut off?")
    return iter(table.values())


def _add(table: dict[Prefix, Listed], own: re.Match[str], hop: re.Match[str], where: str) -> None:
    prefix = prefix_of(own[1], what=f"{where}: the prefix")
    route = table.setdefault(prefix, Listed(prefix))
    marks = {"tunnel": hop[2]} if hop[2] is not None else {}
    weight = 1
    for flag in (x.strip() for x in (own[2] or "").split(",") if x.strip()):
        if flag.isdigit():
            weight = weight_of(int(flag[:9]), what=where)
        else:
            marks[_HARMLESS.get(flag, "unknown flag")] = brief(flag)
    route.is_static = own[4] == "Static"
    if own[3].startswith("Blackh"):
        route.marks["drops"] = ""
    elif own[3] == "Local":
        route.is_connected = True
        route.add(Hop(hop[1], "", weight), marks)
    else:
        gateway = str(prefix_of(hop[1], what=f"{where}: the next hop"))
        route.add(Hop("", gateway, weight), marks)


def _read(file: File, device: str, found: DeviceDumps) -> None:
    found.add_routes(device, list(listed_routes(_listed(file, device, found), device, found)), file.what)


SROS_ROUTES = Kind("routes of Nokia SR OS", lambda f: bool(re.search(_HEAD.pattern, f.start[:1024])), _read)
