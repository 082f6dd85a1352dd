"""Networks whose servers forward packets: BCube and DCell."""

from __future__ import annotations

import numpy as np

from ...core.network import Network
from ..build import (
    Bandwidth,
    build_network,
    check_size,
    letter_permutations,
    one_bandwidth,
    product_within,
    whole_number,
)
from ..family import family


def bcube(ports: int, level: int, *, bandwidth: Bandwidth = 1) -> Network:
    """BCube(n, k): n^(k+1) servers with k + 1 ports each, k + 1 levels of n^k switches with n ports.

    Servers are nodes and terminals, numbered row-major over (a_k, ..., a_0); then come the switches, level after
    level: the switch of level l joins the servers that differ in a_l only, and is numbered by the other digits.
    Channels: level after level, server after server, the one to the switch before the one from it.

    Declared symmetry: per digit a rotation and a transposition of its values; swaps of successive digits.
    Source: Guo et al. 2009 (SIGCOMM), BCube: a high performance, server-centric network architecture.
    """
    n = whole_number(ports, what="n of bcube:n,k", least=2)
    k = whole_number(level, what="k of bcube:n,k", least=0)
    name = f"bcube:{n},{k}"
    servers = product_within([n] * min(k + 1, 64), 2**60)
    switches = (k + 1) * (servers // n)
    check_size(name, nodes=servers + switches, channels=2 * (k + 1) * servers, generators=3 * (k + 1))
    width = one_bandwidth(bandwidth, family=name)
    number = np.arange(servers).reshape((n,) * (k + 1))
    each = servers // n
    first = [servers + lv * each for lv in range(k + 1)]
    # The switches of level l, by the other digits, with one place along the axis k - l of a_l.
    switch = [np.expand_dims(first[lv] + np.arange(each).reshape((n,) * k), k - lv) for lv in range(k + 1)]
    ends = []
    for there in switch:
        pairs = np.stack([number.ravel(), np.broadcast_to(there, number.shape).ravel()], axis=1)
        ends.append(np.stack([pairs, pairs[:, ::-1]], axis=1).reshape(-1, 2))
    maps = []
    for lv in range(k + 1):
        for which, image in letter_permutations(n):
            parts = [np.take(x, image, axis=k - lv) if x.shape[k - lv] > 1 else x for x in (number, *switch)]
            maps.append((f"permute digit {lv} ({which})", np.concatenate([x.ravel() for x in parts])))
    for lv in range(k):
        other = [number, *switch[:lv], switch[lv + 1], switch[lv], *switch[lv + 2 :]]
        parts = [np.swapaxes(x, k - lv, k - lv - 1) for x in other]
        maps.append((f"swap digits {lv} and {lv + 1}", np.concatenate([x.ravel() for x in parts])))
    labels = [f"server{v}" for v in range(servers)]
    labels += [f"switch{lv}.{s}" for lv in range(k + 1) for s in range(each)]
    return build_network(
        name,
        servers + switches,
        np.concatenate(ends),
        widths=(width,),
        terminals=np.arange(servers),
        labels=labels,
        maps=maps,
    )


def dcell(ports: int, level: int, *, bandwidth: Bandwidth = 1) -> Network:
    """DCell_k of switches with n ports: t_0 = n, t_k = t_(k-1) (t_(k-1) + 1) servers, t_k / n switches.

    A DCell_k is t_(k-1) + 1 DCell_(k-1), every two joined by one link: cell i < j, server j - 1 of the first to server
    i of the second.  Servers are nodes and terminals, numbered cell after cell; then the switches.  Channels: those of
    the switches (server by server, to the switch before from it), then links in the order in which they are made.

    Source: Guo et al. 2008 (SIGCOMM), DCell: a scalable and fault-tolerant network structure for data centers.
    """
    n = whole_number(ports, what="n of dcell:n,k", least=2)
    k = whole_number(level, what="k of dcell:n,k", least=0)
    name = f"dcell:{n},{k}"
    size = n
    for _ in range(min(k, 8)):
        size = size * (size + 1) if size < 2**31 else size
    check_size(name, nodes=size + size // n, channels=size * (2 + min(k, 8)))
    width = one_bandwidth(bandwidth, family=name)
    servers = np.arange(size)
    ends = [np.stack([servers, size + servers // n], axis=1)]
    cell = n
    for _ in range(k):
        i, j = np.triu_indices(cell + 1, k=1)
        inside = np.stack([i * cell + j - 1, j * cell + i], axis=1)
        whole = cell * (cell + 1)
        starts = np.arange(0, size, whole)
        ends.append((starts[:, None, None] + inside).reshape(-1, 2))
        cell = whole
    links = np.concatenate(ends)
    channels = np.stack([links, links[:, ::-1]], axis=1).reshape(-1, 2)
    labels = [*(f"server{v}" for v in range(size)), *(f"switch{v}" for v in range(size // n))]
    return build_network(name, size + size // n, channels, widths=(width,), terminals=servers, labels=labels)


BCUBE = family("bcube:4,1", "n^(k+1) servers of k + 1 ports, k + 1 levels of n-port switches", bcube, "n,k")
DCELL = family(
    "dcell:4,1", "recursive cells of servers that forward packets, n-port switches in the smallest", dcell, "n,k"
)
