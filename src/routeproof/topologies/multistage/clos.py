"""Clos networks: three stages of crossbars."""

from __future__ import annotations

import numpy as np

from ...core.network import Network
from ..build import Bandwidth, build_network, check_size, one_bandwidth, whole_numbers
from ..family import Family

__all__ = ["clos"]


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
    check_size(name, nodes=2 * r + m + n * r, channels=2 * m * r)
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


CLOS = Family(
    "clos:3,2,4",
    "three stages: m middle switches, r ingress and egress switches with n terminals each (clos:m,n,r)",
    lambda p: clos(*p.numbers("mnr", "clos:m,n,r"), bandwidth=p.bandwidth),
    parameters=3,
)
