"""One network file, or a family by name, into another file."""

from __future__ import annotations

from ..core.network import Network
from .files import network_format_to_write, write_network
from .resolve import resolve_network
from .text_files import FilePath

__all__ = ["convert"]


def convert(source: str, target: FilePath) -> Network:
    """Write the network that ``source`` names (``torus:6x4``, ``net.graphml,bandwidth=LinkSpeedRaw``) to a file.

    ``target``'s extension says in which format; it is looked at first.  Returns the network written.
    """
    network_format_to_write(target)
    network = resolve_network(source)
    write_network(network, target)
    return network
