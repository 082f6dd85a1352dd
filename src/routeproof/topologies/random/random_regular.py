"""Random regular graphs, seeded."""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...machine.memory import check_memory
from ..build import Bandwidth, build_network, check_size, one_bandwidth, whole_number
from ..family import family

_ATTEMPTS = 100
_EDGE_BYTES = 600  # of a graph of networkx and its generator, as measured


def random_regular(n: int, *, degree: int, seed: int, bandwidth: Bandwidth = 1) -> Network:
    """A connected random ``degree``-regular graph on ``n`` nodes; each edge is two channels.

    Channels are numbered by tail, then by head.

    Attempt 0 is ``networkx.random_regular_graph(degree, n, seed)`` (above degree (n - 1) / 2 the complement of
    ``random_regular_graph(n - 1 - degree, n, seed)``, since the generator all but stops on dense graphs).  While the
    graph is not connected, attempt a = 1, 2, ... takes the seed ``numpy.random.SeedSequence([seed, a])``'s first
    32-bit word.  So a seed gives one graph, as long as networkx's generator stays what it is.

    No symmetry is declared.  Raises InputError unless 1 <= degree < n and n * degree is even, for a negative seed, a
    size beyond the limits in ``build``, or when 100 attempts give no connected graph.
    Source of the generator: Kim & Vu 2003 (STOC), Steger & Wormald 1999.
    """
    import networkx as nx

    n = whole_number(n, what="number of nodes of random-regular", least=2)
    degree = whole_number(degree, what="degree of random-regular", least=1)
    seed = whole_number(seed, what="seed of random-regular", least=0)
    text = f"random-regular:{n},degree={degree},seed={seed}"
    width = one_bandwidth(bandwidth, family=text)
    if degree >= n:
        raise InputError(f"{text}: the degree must be below the number of nodes, {n}")
    if n * degree % 2:
        raise InputError(f"{text}: {n} nodes of degree {degree} make an odd number of ends; one of them must be even")
    if degree == 1 and n > 2:
        raise InputError(f"{text}: a graph of degree 1 on {n} nodes is not connected; a degree of at least 2 is needed")
    check_size(text, nodes=n, channels=n * degree)
    drawn = n * (n - 1 if 2 * degree > n - 1 else degree) // 2
    check_memory(drawn * _EDGE_BYTES, f"{text}, drawn by networkx,")
    for attempt in range(_ATTEMPTS):
        derived = seed if attempt == 0 else int(np.random.SeedSequence([seed, attempt]).generate_state(1)[0])
        dense = 2 * degree > n - 1
        graph = nx.random_regular_graph(n - 1 - degree if dense else degree, n, seed=derived)
        if dense:
            graph = nx.complement(graph)
        if nx.is_connected(graph):
            edges = np.array(list(graph.edges), dtype=np.int64)
            both = np.concatenate([edges, edges[:, ::-1]])
            return build_network(text, n, both[np.lexsort((both[:, 1], both[:, 0]))], widths=(width,))
    raise InputError(f"{text}: none of {_ATTEMPTS} attempts gave a connected graph; a higher degree is needed")


RANDOM_REGULAR = family(
    "random-regular:256,degree=6,seed=7",
    "connected random regular graph; degree= and seed= are needed",
    random_regular,
    ("number of nodes of random-regular",),
)
