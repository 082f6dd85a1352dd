"""Topologies as ``ibnetdiscover`` prints them: switches, host ports, lids, and cables with width and speed."""

from __future__ import annotations

import re

from ...core.errors import InputError
from ..format import Bandwidth, Format, NetworkFormat
from ..host_choice import HostChoice
from ..text_files import MEGABYTE, FilePath, read_text, shown, stem
from .assemble import fabric_of
from .fabric import FabricNetwork
from .sections import sections_of

LIMIT = 1024 * MEGABYTE
_BEGINNING = re.compile(
    r'^\ufeff?(Switch|Ca)\s+\d+\s+"|^(switch|ca)guid=|^# Topology file:'
    # what -l prints: the reader then says what to run instead
    r"|\A\ufeff?\s*(Ca|Switch|Router)\s+: 0x[0-9a-fA-F]{16} ",
    re.MULTILINE,
)


def read_ibnetdiscover(
    path: FilePath, *, bandwidth: Bandwidth = None, choice: HostChoice | None = None
) -> FabricNetwork:
    """The fabric in a file, as ``assemble.fabric_of`` makes it; ``choice``: which hosts take part.

    Raises InputError, naming the file and the line, for anything that is not a whole and consistent fabric.
    """
    text = read_text(path, limit=LIMIT, wanted="the output of ibnetdiscover")
    return parse_ibnetdiscover(text, what=f"file {shown(path)}", name=stem(path), bandwidth=bandwidth, choice=choice)


def parse_ibnetdiscover(
    text: str, *, what: str, name: str, bandwidth: Bandwidth = None, choice: HostChoice | None = None
) -> FabricNetwork:
    """As ``read_ibnetdiscover``, from text; ``what`` names it in errors."""
    nodes = sections_of(text, what)
    if not nodes:
        raise InputError(f'{what} has no line such as Switch 36 "S-...": the output of ibnetdiscover was expected')
    return fabric_of(nodes, what=what, name=name, bandwidth=bandwidth, choice=choice)


IBNETDISCOVER: NetworkFormat = Format(
    "ibnetdiscover",
    "the output of ibnetdiscover",
    extensions=(".topo", ".topology"),
    sniff=lambda file: bool(_BEGINNING.search(file.start.replace("\r", "\n"))),
    read=lambda file, bandwidth: read_ibnetdiscover(file.path, bandwidth=bandwidth, choice=file.choice),
    options=("bandwidth", "hosts"),
)
