"""Two lists that people write: cables (``device,port,device,port[,bandwidth]``) and hosts
(``name,address[,device,port]``), as CSV with these words in the first line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator

from ...core.errors import InputError
from ..format import File
from ..text_files import brief, parse_number
from .device_dumps import Cable, HostLine, Kind

_CABLES = re.compile(r"\s*device\s*,\s*port\s*,\s*device\s*,\s*port\s*(,\s*bandwidth\s*)?$", re.I | re.M)
_HOSTS = re.compile(r"\s*name\s*,\s*address\s*(,\s*device\s*,\s*port\s*)?$", re.I | re.M)


def cables(file: File) -> Iterator[Cable]:
    for what, (a, p, b, q, *rest) in _rows(file):
        if not (a and p and b and q):
            raise InputError(f"{what}: device,port,device,port were expected, none of them empty")
        gbps = None
        if rest and rest[0]:
            gbps = parse_number(re.sub(r"\s*(G|Gb/s|Gbps)$", "", rest[0], flags=re.I), what=f"{what}: bandwidth")
            if gbps <= 0:
                raise InputError(f"{what}: bandwidth is {brief(rest[0])}; a positive number was expected")
        yield Cable(((a, p), (b, q)), gbps, what)


def host_lines(file: File) -> Iterator[HostLine]:
    for what, (name, address, *place) in _rows(file):
        if not name or not address:
            raise InputError(f"{what}: a name and an address were expected, none of them empty")
        device, port = place or ("", "")
        yield HostLine(name, address, device, port, what)


def _rows(file: File) -> Iterator[tuple[str, list[str]]]:
    width = 0
    for number, row in enumerate(csv.reader(io.StringIO(file.text), skipinitialspace=True), 1):
        cells = [x.strip() for x in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        what = f"{file.what}, line {number}"
        if width and len(cells) != width:
            raise InputError(f"{what} has {len(cells)} columns; {width} were expected, as in the first line")
        if width:
            yield what, cells
        width = len(cells)


def _begins(form: re.Pattern[str]) -> Callable[[File], bool]:
    return lambda file: bool(form.match(file.start[:400].replace("\r", "")))


CABLES = Kind("cables", _begins(_CABLES), lambda f, _, to: to.cables.extend(cables(f)), is_dump=False)
HOSTS = Kind("hosts", _begins(_HOSTS), lambda f, _, to: to.hosts.extend(host_lines(f)), is_dump=False)
