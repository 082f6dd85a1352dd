"""Cliques of switches: FatClique, cliques in cliques in a clique; and DRing, a ring of groups of switches."""

from __future__ import annotations

import numpy as np

from ...core.arrays import frozen
from ...core.errors import InputError
from ...core.network import Network
from ..build import (
    Bandwidth,
    Maps,
    build_network,
    check_size,
    family_name,
    letter_permutations,
    one_bandwidth,
    whole_number,
    whole_numbers,
)
from ..family import family


def fat_clique(terminals: int, switches: int, subblocks: int, blocks: int, *, bandwidth: Bandwidth = 1) -> Network:
    """``blocks`` of ``subblocks`` of ``switches`` with ``terminals`` each; degree l + s + b - 3.

    Switch x of sub-block y of block z, node (z s + y) l + x, is joined to all of its sub-block, to switch x of all
    sub-blocks of its block, and to switch x of sub-block y of all blocks.  The diameter is the number of l, s and b
    that are above 1.  (In the paper a switch may have more or fewer links to other sub-blocks and blocks; the authors'
    generator, which is followed here, has one each.)

    Declared symmetry: permutations of switches, sub-blocks and blocks.
    Source: Zhang, Niranjan Mysore, Supittayapornpong & Govindan 2019 (NSDI), Understanding lifecycle management
    complexity of datacenter topologies, sec. 5; generateFatClique of Supittayapornpong & Chitavisutthivong 2023.
    """
    p, count, s, b = whole_numbers((terminals, switches, subblocks, blocks), "plsb", "fat-clique:p,l,s,b")
    name = f"fat-clique:{p},{count},{s},{b}"
    sizes = (b, s, count)
    nodes = b * s * count
    if nodes == 1:
        raise InputError(f"{name} is a single switch; two at least were expected")
    degree = sum(sizes) - 3
    check_size(name, nodes=nodes, channels=nodes * degree, terminals=nodes * p, generators=6)
    number = np.arange(nodes).reshape(sizes)
    ends = []
    maps: Maps = []
    for axis, (k, what) in enumerate(zip(sizes, ("blocks", "sub-blocks", "switches"), strict=True)):
        line = np.moveaxis(number, axis, 0).reshape(k, -1)
        ends += [np.stack([line[x], line[(x + step) % k]], axis=1) for x in range(k) for step in range(1, k)]
        if k > 1:
            maps = [
                *maps,
                *((f"permute {what} ({y})", np.take(number, z, axis=axis).ravel()) for y, z in letter_permutations(k)),
            ]
    channels = np.concatenate(ends)
    return build_network(
        name,
        nodes,
        channels[np.lexsort((channels[:, 1], channels[:, 0]))],
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(np.arange(nodes), p),
        labels=[f"block{z}.sub{y}.{x}" for z in range(b) for y in range(s) for x in range(count)],
        maps=maps,
    )


FAT_CLIQUE = family(
    "fat-clique:2,4,3,2",
    "p terminals a switch, l switches a sub-block, s sub-blocks a block, b blocks: cliques of cliques of cliques",
    fat_clique,
    "p,l,s,b",
)


def dring(groups: int, switches: int, *, ports: int | None = None, bandwidth: Bandwidth = 1) -> Network:
    """A ring of ``groups`` with n = ``switches`` each; every switch is joined to all of the next two groups and of the
    two before.

    Switch r of group i is node i n + r; a switch has 4 n links.  Of its ``ports`` the others have terminals; without
    ``ports`` every switch has one terminal.

    Declared symmetry: rotation and reflection of the ring, permutations of the switches of the first group.
    Source: Harsh, Jyothi & Godfrey 2020 (HotNets), Spineless data centers, sec. 3.2.
    Raises InputError for fewer than five groups (two would be joined twice), and where no port is left for a terminal.
    """
    m = whole_number(groups, what="number of groups of dring:m,n", least=5)
    (n,) = whole_numbers((switches,), "n", "dring:m,n")
    name = f"dring:{m},{n}"
    each = 1 if ports is None else whole_number(ports, what=f"ports of {name}", least=1) - 4 * n
    if each < 1:
        raise InputError(f"{name} has switches of {ports} ports, {4 * n} of them to other switches; more were expected")
    check_size(name, nodes=m * n, channels=4 * m * n * n, terminals=m * n * each, generators=4)
    nodes = np.arange(m * n)
    ring, rank = nodes // n, nodes % n
    near = np.sort((np.arange(m)[:, None] + [1, 2, m - 2, m - 1]) % m)  # the groups that each one is joined to
    heads = (near[:, :, None] * n + np.arange(n)).reshape(m, 4 * n)
    swapped, rotated = nodes.copy(), nodes.copy()
    if n > 1:
        swapped[:2] = 1, 0
        rotated[:n] = np.roll(nodes[:n], -1)
    maps = [
        ("rotate the ring", (ring + 1) % m * n + rank),
        ("reflect the ring", -ring % m * n + rank),
        *([("transpose switches", swapped), ("rotate switches", rotated)] if n > 1 else []),
    ]
    return build_network(
        family_name(name, "" if ports is None else f"ports={ports}"),
        m * n,
        np.stack([np.repeat(nodes, 4 * n), heads[ring].ravel()], axis=1),
        widths=(one_bandwidth(bandwidth, family=name),),
        terminals=np.repeat(nodes, each),
        labels=[f"g{x}.{r}" for x in range(m) for r in range(n)],
        groups=frozen(ring),
        maps=maps,
    )


DRING = family(
    "dring:6,2",
    "ring of m groups of n switches, each joined to the next two; ports=: the others have terminals",
    dring,
    "m,n",
)
