"""Xpander and Jellyfish: random graphs as data centre networks, seeded."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ..attach import concentrated
from ..build import Bandwidth, build_network, check_size, named_after, one_bandwidth, whole_number
from ..family import family
from ..random.random_regular import random_regular

_ATTEMPTS = 100


def jellyfish(switches: int, *, ports: int, degree: int, seed: int, bandwidth: Bandwidth = 1) -> Network:
    """Jellyfish RRG(N, k, r): a random ``degree``-regular graph of switches, the other ports taken by terminals.

    The graph is ``random_regular(switches, degree, seed)``.  Raises InputError unless degree < ports, and as that does.
    Source: Singla, Hong, Popa & Godfrey 2012 (NSDI), Jellyfish: networking data centers randomly.
    """
    k = whole_number(ports, what="ports of jellyfish", least=2)
    r = whole_number(degree, what="degree of jellyfish", least=1)
    if r >= k:
        raise InputError(f"jellyfish has switches of {k} ports, {r} of them to other switches; fewer were expected")
    width = one_bandwidth(bandwidth, family="jellyfish")
    graph = random_regular(switches, degree=r, seed=seed, bandwidth=width)
    name = f"jellyfish:{graph.num_nodes},ports={k},degree={r},seed={seed}"
    return named_after(concentrated(graph, k - r), name, bandwidth=(width,))


def xpander(degree: int, lift: int, *, seed: int, bandwidth: Bandwidth = 1) -> Network:
    """Xpander: a random ``lift``-lift of the complete graph of ``degree`` + 1 nodes.

    Each of the d + 1 meta-nodes has ``lift`` switches; between every two meta-nodes runs a random perfect matching.
    Switch s of meta-node m is node m * lift + s; channels by tail, then by head.  Attempt 0 draws the matchings of
    meta-nodes (0, 1), (0, 2), ... from ``numpy.random.default_rng(seed)``, further ones from the same stream, until the
    graph is connected.  Terminals: one on every switch, more by the option ``concentration``.

    Source: Valadarsky, Shahaf, Dinitz & Schapira 2016 (CoNEXT), Xpander: towards optimal-performance datacenters, sec.
    3 (a random lift; its derandomised sequence of 2-lifts is not made here).
    Raises InputError for a degree below 2, a lift below 1, or where no attempt is connected.
    """
    d = whole_number(degree, what="degree of xpander", least=2)
    k = whole_number(lift, what="lift of xpander", least=1)
    whole_number(seed, what="seed of xpander", least=0)
    name = f"xpander:{d},{k},seed={seed}"
    check_size(name, nodes=(d + 1) * k, channels=(d + 1) * k * d)
    width = one_bandwidth(bandwidth, family=name)
    rng = np.random.default_rng(seed)
    for _ in range(_ATTEMPTS):
        ends = []
        for a, b in combinations(range(d + 1), 2):
            there = np.stack([a * k + np.arange(k), b * k + rng.permutation(k)], axis=1)
            ends += [there, there[:, ::-1]]
        channels = np.concatenate(ends)
        if (hops_from((d + 1) * k, channels[:, 0], channels[:, 1], 0) >= 0).all():
            break
    else:
        raise InputError(f"{name}: none of {_ATTEMPTS} random lifts is connected; another seed may do")
    channels = channels[np.lexsort((channels[:, 1], channels[:, 0]))]
    return build_network(name, (d + 1) * k, channels, widths=(width,), maps=())


JELLYFISH = family(
    "jellyfish:20,ports=6,degree=4,seed=7",
    "random regular graph of switches, the other ports for terminals",
    jellyfish,
    ("number of switches of jellyfish",),
)
XPANDER = family(
    "xpander:5,4,seed=7", "random lift of a complete graph: degree d, (d + 1) * lift nodes", xpander, "degree,lift"
)
