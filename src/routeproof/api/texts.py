"""``rp.network`` and its like: objects by the texts that the command takes, or from files."""

from __future__ import annotations

from pathlib import Path

from ..core.cube.destination_graph import DestinationGraph
from ..core.multistage.wiring import Splitter, Wiring
from ..core.network import Network
from ..core.traffic import Traffic
from ..routing.base.routing import Routing


def network(text: str) -> Network:
    """The network that ``text`` names: ``family:parameters,options`` or a file.

        >>> import routeproof as rp
        >>> rp.network("mesh:6x4,bandwidth=2x1").num_channels
        76

    Raises InputError, with the nearest match for a name that is not known.
    """
    from ..formats.resolve import resolve_network

    return resolve_network(text)


def named_routing(text: str, network: Network) -> Routing:
    """The routing that ``text`` names on ``network``: a name with options, ``mix:...``, a file or ``module:function``.

        >>> import routeproof as rp
        >>> rp.named_routing("dor:tie=plus", rp.torus(4, 4)).name
        'dor:tie=plus'

    Raises InputError, with the nearest match for a name or option that is not known.
    """
    from ..routing.named.spec import routing_from_spec

    return routing_from_spec(text, network)


def traffic(text: str, network: Network) -> Traffic:
    """The traffic that ``text`` names between the terminals of ``network``: a pattern such as "tornado", or a file.

        >>> import routeproof as rp
        >>> rp.traffic("tornado", rp.ring(6)).permutation.image.tolist()
        [2, 3, 4, 5, 0, 1]

    Raises InputError for a text that is not known, and patterns that the network does not have.
    """
    from ..formats.resolve import resolve_traffic

    return resolve_traffic(text, network)


def wiring(text: str) -> Wiring:
    """The wiring of the multistage network that ``text`` names, by family or file; raises InputError.

    >>> import routeproof as rp
    >>> rp.wiring("multibutterfly:64,d=2,seed=7").inputs
    64
    """
    from ..formats.resolve import resolve_wiring

    return resolve_wiring(text)


def splitter(text: str) -> Splitter:
    """The splitter that ``text`` names, such as "random-splitter:64,d=3,seed=7"; raises InputError.

    >>> import routeproof as rp
    >>> len(rp.splitter("random-splitter:64,d=3,seed=7").adjacent)
    64
    """
    from ..topologies.multistage.splitters import splitter_from_spec

    return splitter_from_spec(text)


def read_destination_graph(path: str | Path) -> DestinationGraph:
    """The destination graph in a file; raises InputError.

    >>> import routeproof as rp
    >>> rp.write_destination_graph(rp.lemma_4(3), "graph.json")
    >>> rp.read_destination_graph("graph.json").steps
    2
    """
    from ..formats.documents.destination_graph import read_graph

    return read_graph(path)


def write_destination_graph(graph: DestinationGraph, path: str | Path) -> None:
    """Write a destination graph into a JSON file, whole or not at all; raises InputError if it cannot be written."""
    from ..formats.documents.destination_graph import write_graph

    write_graph(graph, path)
