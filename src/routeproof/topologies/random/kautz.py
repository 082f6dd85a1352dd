"""Graphs of words and of subsets of letters: Kautz digraphs, the Petersen graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, letter_permutations, one_bandwidth, whole_number
from ..family import family

_MAX_LETTERS = 64
Words = npt.NDArray[np.int64]


def kautz(d: int, diameter: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The Kautz digraph K(d, D) with out-degree ``d`` and diameter D: d^D + d^(D-1) nodes.

    Nodes are the words w0 w1 ... wk of D = k + 1 letters over the letters 0 .. d whose neighbouring letters differ, in
    lexicographic order, and labelled by their words (letters joined by "." from 11 letters on).  A one-way channel
    leads from w0 w1 ... wk to w1 ... wk x for each letter x other than wk; channels are numbered by tail, then by head.

    This is the count of the literature on interconnection networks (SiCortex: K(3, 6), 972 nodes): ``kautz:2,3`` has
    12 nodes.  The K(m, n) of igraph counts one less: its ``Graph.Kautz(m, n)`` is ``kautz:m,n+1``.

    Declared symmetry: permutations of the letters (a rotation and a transposition), which are all automorphisms.

    Raises InputError unless d >= 1 and D >= 1, or for a size beyond the limits in ``build``.
    """
    d = whole_number(d, what="degree d of kautz:d,D", least=1)
    k = whole_number(diameter, what="diameter D of kautz:d,D", least=1) - 1
    spec = f"kautz:{d},{k + 1}"
    width = one_bandwidth(bandwidth, family=spec)
    if d == 1 and k > _MAX_LETTERS:  # two nodes, however long their words
        raise InputError(f"{spec} has words of {k + 1} letters; at most {_MAX_LETTERS + 1} are supported")
    nodes = (d + 1) * d ** min(k, _MAX_LETTERS)
    check_size(spec, nodes=nodes, channels=nodes * d)
    word = _words(d, k)
    letters = np.arange(d + 1)
    extended = np.broadcast_to(letters, (nodes, d + 1))
    fits = extended != word[:, -1:]
    tail = np.repeat(np.arange(nodes), d)
    heads = np.concatenate([word[tail, 1:], extended[fits][:, None]], axis=1)
    ends = np.stack([tail, _numbers(heads, d)], axis=1)
    maps = [
        ("rotate the letters" if which == "all" else "transpose letters 0 and 1", _numbers(image[word], d))
        for which, image in letter_permutations(d + 1)
    ]
    between = "" if d < 10 else "."
    labels = [between.join(map(str, w)) for w in word.tolist()]
    return build_network(spec, nodes, ends, widths=(width,), labels=labels, maps=maps)


def _words(d: int, k: int) -> Words:
    """All words in lexicographic order, int64, shape ((d + 1) d^k, k + 1)."""
    number = np.arange((d + 1) * d**k)
    letter = number // d**k
    columns = [letter]
    for i in range(1, k + 1):
        rank = number // d ** (k - i) % d  # among the letters other than the one before
        letter = rank + (rank >= letter)
        columns.append(letter)
    return np.stack(columns, axis=1)


def _numbers(word: Words, d: int) -> npt.NDArray[np.int64]:
    """The numbers of words, the inverse of ``_words``."""
    number = word[:, 0].astype(np.int64)
    for i in range(1, word.shape[1]):
        number = number * d + word[:, i] - (word[:, i] > word[:, i - 1])
    return number


KAUTZ = family(
    "kautz:2,3",
    "Kautz digraph K(d, D): out-degree d and diameter D, d^D + d^(D-1) nodes, one-way channels",
    kautz,
    ("degree d of kautz:d,D", "diameter D of kautz:d,D"),
)


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
