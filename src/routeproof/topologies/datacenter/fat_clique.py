"""FatClique: cliques of switches, in cliques of sub-blocks, in a clique of blocks."""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ..build import (
    Bandwidth,
    Maps,
    build_network,
    check_size,
    letter_permutations,
    one_bandwidth,
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
