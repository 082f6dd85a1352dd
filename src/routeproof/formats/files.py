"""Networks from files and to files; ``format`` has the table of formats."""

from __future__ import annotations

from ..core.errors import InputError
from ..core.network import Network
from .file import File
from .format import FORMATS, Bandwidth, NetworkFormat, extension_of, format_to_write, listed, recognised
from .text_files import FilePath

__all__ = ["network_format", "network_format_to_write", "read_network", "write_network"]


def network_format(file: File) -> NetworkFormat:
    """The format in which a file holds a network: by what it says, else by its extension.

    Raises InputError, naming the known formats, where there is none; the formats of other packages are asked last.
    """
    known = [x for x in FORMATS.own.values() if x.read is not None]
    found = recognised(file, known) or recognised(file, (x for x in FORMATS.working() if x.read is not None))
    if found is not None:
        return found
    readable = listed(x for x in FORMATS.working() if x.read is not None)
    written = recognised(file, (x for x in FORMATS.working() if x.write is not None))
    if written is not None:
        raise InputError(f"{file.what}: {written.help} is written only; known formats: {readable}")
    broken = "".join(f"; {x}" for _, x in FORMATS.added() if isinstance(x, InputError))
    raise InputError(f"{file.what} has {extension_of(file.path)}; known formats: {readable}{broken}")


def read_network(path: FilePath, *, bandwidth: Bandwidth = None) -> Network:
    """The network in a file of any format of ``format.FORMATS`` that reads one.

    ``bandwidth``: GraphML and GML: the edge attribute to use (every edge must have it), or one number for all channels;
    by default the attribute ``bandwidth``, or 1 where no edge has it.  Fabrics: see ``read_ibnetdiscover``.

    Raises InputError, in one line that names the file and the place.  Warns (RouteproofWarning) of self-loops dropped,
    of what edges and nodes state that is not used, of cables with two rates, and of hosts of unlike rates.

    Networks in formats of other packages are ``plain``: reports hold them in full.
    """
    file = File(path, wanted="a network document")
    entry = network_format(file)
    if bandwidth is not None and "bandwidth" not in entry.options:
        *first, last = (x.help for x in FORMATS.own.values() if "bandwidth" in x.options)
        raise InputError(f"{file.what}: bandwidth= is for {', '.join(first)} and {last}")
    assert entry.read is not None
    network = entry.read(file, bandwidth)
    return network if entry.name in FORMATS.own else network.plain()


def network_format_to_write(path: FilePath) -> NetworkFormat:
    """The format that the extension of a file names; raises InputError for one in which no network is written."""
    return format_to_write(path, FORMATS.working(), "a network")


def write_network(network: Network, path: FilePath) -> None:
    """Write a network in the format that the file's extension names; whole or not at all."""
    entry = network_format_to_write(path)
    assert entry.write is not None
    entry.write(network, path)
