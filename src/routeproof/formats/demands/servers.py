"""Files of servers: ``gpu01: h1 h2 h3``, a server a line; the k-th terminal of each is on rail k.

Terminals are numbers, names, lists and patterns as in files of jobs, or GUIDs of InfiniBand (``0x0002c90300a1b2c3``).
Terminals that no line names are no part of a server.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import InputError
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet, Given, NamedSet
from ...demand_sets.servers import Servers, across_servers, check_rails, check_servers, same_rail, servers_of
from ..host_names import hosts_of
from ..text_files import FilePath, brief, numbered_lines, read_text, shown
from .terminal_names import TerminalNames

_LIMIT = 16 << 20


def read_servers(path: FilePath, network: Network) -> Servers:
    """The servers in a file, on ``network``.

    Raises InputError, naming the line, for names that the network does not have, a server twice, a terminal twice, and
    files without a server of two terminals.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="servers: a name and its terminals a line")
    names = TerminalNames(network)
    guids: dict[int, list[int]] = {}
    for i, guid in enumerate(network.guids[1] if network.guids else ()):
        guids.setdefault(guid, []).append(i)
    server, rail = [""] * network.num_terminals, [""] * network.num_terminals
    seen: set[str] = set()
    for line in numbered_lines(text, what, comment="#"):
        name, colon, words = line.text.partition(":")
        name = name.strip()
        if not colon or not name:
            raise line.error(f"{brief(line.text)}; a server and its terminals, such as gpu01: h1 h2, were expected")
        if name in seen:
            raise line.error(f"a second server {brief(name)}")
        seen.add(name)
        members = [i for word in hosts_of(words, what=line.place) for i in _find(word, names, guids, line.place)]
        for k, i in enumerate(members):
            if server[i]:
                where = f"servers {server[i]} and {name}" if server[i] != name else f"server {name} twice"
                raise line.error(f"terminal {brief(network.terminal_label(i))} is in {where}; once was expected")
            server[i], rail[i] = name, str(k)
    found = Servers(tuple(server), tuple(rail))
    if not found.known:
        raise InputError(f"{what} holds no server of two terminals; a line such as gpu01: h1 h2 was expected")
    return found


def _find(word: str, names: TerminalNames, guids: dict[int, list[int]], place: str) -> Sequence[int]:
    if word[:2].lower() == "0x" and not names.has(word):
        try:
            return guids[int(word, 16)]
        except (ValueError, KeyError):
            raise InputError(f"{place}: no terminal has the GUID {brief(word)}") from None
    return names.find(word, what=place)


def _servers(given: Given) -> Servers:
    return read_servers(given.rest, given.network) if given.rest else servers_of(given.network)


def _across(given: Given) -> DemandSet:
    return across_servers(_servers(given), text=given.text)


def _rails(given: Given) -> DemandSet:
    return same_rail(_servers(given), text=given.text)


ACROSS_SERVERS = NamedSet(
    "servers[:FILE]",
    "no packet stays inside its server, known by the hosts' names or from a file",
    _across,
    limits=("sends", "receives", "apart"),
    one_packet=True,
    fits=check_servers,
)

RAILS = NamedSet(
    "rails[:FILE]",
    "every packet goes to another server, on the same rail",
    _rails,
    limits=("sends", "receives", "group", "apart"),
    one_packet=True,
    fits=check_rails,
)
