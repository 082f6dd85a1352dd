"""Nonblocking networks: three stages of crossbars (Clos), or several Benes networks side by side (Cantor)."""

from __future__ import annotations

import numpy as np

from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, one_bandwidth, whole_number, whole_numbers
from ..family import family
from .banyan import benes


def clos(m: int, n: int, r: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The three-stage Clos network C(m, n, r): r ingress switches with n terminals each, m middle, r egress switches.

    Nodes are numbered ingress (r), middle (m), egress (r); one channel joins every ingress switch to every middle
    switch, and every middle switch to every egress switch.  Terminal t injects at ingress switch t // n and receives at
    egress switch t // n.  Strict-sense nonblocking for m >= 2n - 1 (Clos 1953), rearrangeable for m >= n
    (Slepian, Duguid).

    Raises InputError for parameters below 1 or a size beyond the limits in ``build``.
    """
    m, n, r = whole_numbers((m, n, r), "mnr", "clos:m,n,r")
    name = f"clos:{m},{n},{r}"
    check_size(name, nodes=2 * r + m, channels=2 * m * r, terminals=n * r)
    width = one_bandwidth(bandwidth, family=name)
    ingress = np.repeat(np.arange(r), m)
    middle = np.tile(np.arange(m), r)
    up = np.stack([ingress, r + middle], axis=1)
    down = np.stack([r + np.repeat(np.arange(m), r), r + m + np.tile(np.arange(r), m)], axis=1)
    switch = np.arange(n * r) // n
    return build_network(
        name,
        2 * r + m,
        np.concatenate([up, down]),
        widths=(width,),
        terminals=(switch, r + m + switch),
        labels=[*(f"in:{k}" for k in range(r)), *(f"mid:{k}" for k in range(m)), *(f"out:{k}" for k in range(r))],
    )


CLOS = family(
    "clos:3,2,4",
    "three stages: m middle switches, r ingress and egress switches with n terminals each (clos:m,n,r)",
    clos,
    "m,n,r",
)


def cantor(n: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The Cantor network with 2^n terminals: n Benes networks, input i joined to input i of each, outputs likewise.

    Nodes are numbered inputs (2^n), then the switches of copy 0, 1, ..., n - 1 (numbered as ``benes``), then outputs.
    Strict-sense nonblocking (Cantor 1971) with O(N log^2 N) switches.

    Raises InputError for n below 1 or a size beyond the limits in ``build``.
    """
    n = whole_number(n, what="dimension of cantor", least=1)
    size = 1 << min(n, 40)
    per_copy = (2 * n + 1) * size
    check_size(f"cantor:{n}", nodes=2 * size + n * per_copy, channels=n * size * (4 * n + 2))
    width = one_bandwidth(bandwidth, family=f"cantor:{n}")
    wire = benes(n).wire
    row = np.arange(size)
    first = np.arange(wire.shape[0])[:, None, None] * size
    inner_tail = np.broadcast_to(first + row, wire.shape).reshape(-1)
    inner_head = (wire + first + size).reshape(-1)
    ends = []
    last = size + n * per_copy
    for copy in range(n):
        base = size + copy * per_copy
        ends.append(np.stack([row, base + row], axis=1))
        ends.append(np.stack([base + inner_tail, base + inner_head], axis=1))
        ends.append(np.stack([base + 2 * n * size + row, last + row], axis=1))
    return build_network(f"cantor:{n}", last + size, np.concatenate(ends), widths=(width,), terminals=(row, last + row))


CANTOR = family(
    "cantor:3",
    "n Benes networks side by side: 2^n terminals, strict-sense nonblocking",
    cantor,
    ("dimension of cantor",),
)
