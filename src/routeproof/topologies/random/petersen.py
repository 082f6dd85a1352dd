"""The Petersen graph."""

from __future__ import annotations

import numpy as np

from ...core.network import Network
from ..build import Bandwidth, build_network, letter_permutations, one_bandwidth
from ..family import family


def petersen(*, bandwidth: Bandwidth = 1) -> Network:
    """The Petersen graph: 10 nodes of degree 3 and diameter 2, 30 channels.

    Nodes 0 to 4 are the outer pentagon, node i + 5 hangs on node i, and i + 5 is joined to (i + 2) mod 5 + 5 (the
    numbering of ``networkx.petersen_graph``).  Channels are numbered by tail, then by head.

    Declared symmetry: nodes are the 2-subsets of five letters, joined where disjoint (the Kneser graph K(5, 2)): node
    i is {2i, 2i + 1} and node i + 5 is {2i + 2, 2i + 4} modulo 5; a rotation and a transposition of the letters
    generate the whole group, of order 120.
    """
    width = one_bandwidth(bandwidth, family="petersen")
    subsets = [frozenset({2 * i % 5, (2 * i + 1) % 5}) for i in range(5)]
    subsets += [frozenset({(2 * i + 2) % 5, (2 * i + 4) % 5}) for i in range(5)]
    ends = np.array([(u, v) for u in range(10) for v in range(10) if not subsets[u] & subsets[v]])
    maps = []
    for which, image in letter_permutations(5):
        node = np.array([subsets.index(frozenset(int(image[x]) for x in s)) for s in subsets])
        maps.append(("rotate the letters" if which == "all" else "transpose letters 0 and 1", node))
    return build_network("petersen", 10, ends, widths=(width,), maps=maps)


PETERSEN = family("petersen", "the Petersen graph: 10 nodes of degree 3", petersen, ())
