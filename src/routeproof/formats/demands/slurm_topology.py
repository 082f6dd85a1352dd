"""SLURM's ``topology.conf``: which hosts hang on one leaf switch, or are in one block or ring, as groups of terminals.

It has no cables and no routes, so it is no network.  Source: topology.conf(5); ``src/plugins/topology`` of Slurm: names
of keys in any case, hosts as lists (``node[01-32]``).  Not used: switches above the leaves, ``LinkSpeed`` (Slurm does
not use it either), ``BlockSizes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.errors import InputError
from ..host_names import hosts_of
from ..text_files import Line, brief, numbered_lines
from .queues import QueuedJob

_NAMES = ("switchname", "blockname", "ringname")
_BEGINS = re.compile(rf"\s*(?:#.*\n\s*)*(?:{'|'.join(_NAMES)})\s*=", re.IGNORECASE)
_ENTRY = re.compile(r'\s*([A-Za-z]+)\s*=\s*("[^"]*"|[^\s"]\S*)')
_KEYS = {
    "switchname": {"switches", "nodes", "linkspeed"},
    "blockname": {"nodes"},
    "ringname": {"nodes"},
    "blocksizes": set(),
}


def blocks_of(text: str, *, what: str) -> list[QueuedJob] | None:
    """The leaf switches, blocks or rings with their hosts, by name; None for a text of another kind.

    Raises InputError, with the line, for keys that Slurm does not have, a name twice, a switch with hosts and switches,
    a switch that is named and not there, and files without hosts.
    """
    if not _BEGINS.match(text):
        return None
    found: dict[str, QueuedJob] = {}
    named: dict[str, str] = {}
    seen: set[str] = set()
    for line in numbered_lines(text, what, comment="#"):
        entries = dict(_entries(line))
        first = next(iter(entries))
        if first not in _KEYS:
            raise line.error(f"{brief(line.text)}; SwitchName=, BlockName= or RingName= was expected first")
        for key in entries:
            if key != first and key not in _KEYS[first]:
                raise line.error(f"{key} beside {first}; {', '.join(sorted(_KEYS[first])) or 'nothing'} was expected")
        if first == "blocksizes":
            continue
        name = entries[first]
        if name in seen:
            raise line.error(f"{brief(name)} is there twice; once was expected")
        seen.add(name)
        if ("nodes" in entries) == ("switches" in entries):
            raise line.error(f"{brief(name)} has Nodes and Switches, or neither; one was expected")
        named.update((x, line.place) for x in hosts_of(entries.get("switches", ""), what=line.place))
        hosts = hosts_of(entries.get("nodes", ""), what=line.place)
        if len(set(hosts)) != len(hosts):
            raise line.error(f"{brief(name)} names a host twice")
        if hosts:
            found[name] = QueuedJob(name, tuple(hosts), line.place)
    for name, place in named.items():
        if name not in seen:
            raise InputError(f"{place}: switch {brief(name)} is named, and no line has SwitchName={name[:40]}")
    if not found:
        raise InputError(f"{what} names no hosts; a line such as SwitchName=s0 Nodes=n[01-16] was expected")
    return list(found.values())


def _entries(line: Line) -> Iterator[tuple[str, str]]:
    at = 0
    seen: set[str] = set()
    while at < len(line.text):
        entry = _ENTRY.match(line.text, at)
        if entry is None:
            raise line.error(f"{brief(line.text[at:].strip())}; Key=value, such as Nodes=n[01-16], was expected")
        key = entry[1].lower()
        if key in seen:
            raise line.error(f"{entry[1]} twice; once was expected")
        seen.add(key)
        yield key, entry[2].strip('"')
        at = entry.end()
