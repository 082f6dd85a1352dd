"""DRing: a ring of groups of switches, each joined to the next two."""

from __future__ import annotations

import numpy as np

from ...core.arrays import frozen
from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, family_name, one_bandwidth, whole_number, whole_numbers
from ..family import family


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
    whole=("ports",),
)
