"""Dragonfly+ (Megafly): groups of leaves and spines, joined by global links between spines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import frozen
from ...core.errors import InputError, check_choice
from ...core.network import Network
from ..build import Bandwidth, axis_bandwidths, build_network, check_size, family_name, whole_number, whole_numbers
from ..family import family
from .dragonfly import ARRANGEMENTS, arranged


def dragonfly_plus(
    terminals: int,
    leaves: int,
    spines: int,
    links: int,
    *,
    groups: int | None = None,
    arrangement: str = "palmtree",
    bandwidth: Bandwidth | Sequence[Bandwidth] = 1,
) -> Network:
    """Groups of ``leaves`` with p = ``terminals`` each and ``spines`` with h = ``links`` global links each.

    In a group every leaf is joined to every spine.  ``groups`` g defaults to s h + 1, the most, for s spines; with
    fewer, every two groups have floor(s h / (g - 1)) parallel links and ports that are left over stay unused.  Leaf x
    of group i is node i (l + s) + x, its spines follow.  ``arrangement``: as of ``dragonfly``, by port r h + k of spine
    r; ``bandwidth``: one for all, or local x global.

    Source: Shpiner, Haramaty, Eliad, Zdornov, Gafni & Zahavi 2017 (HiPINEB), Dragonfly+: low cost topology for scaling
    datacenters; Flajslik, Borch & Parker 2018 (ISC), Megafly.
    Raises InputError for parameters below 1, too many groups, an unknown arrangement, or a size beyond the limits.
    """
    p, below, above, h = whole_numbers((terminals, leaves, spines, links), "plsh", "dragonfly-plus:p,l,s,h")
    name = f"dragonfly-plus:{p},{below},{above},{h}"
    check_choice(f"arrangement of {name}", arrangement, ARRANGEMENTS)
    ports = above * h
    g = ports + 1 if groups is None else whole_number(groups, what=f"groups of {name}", least=2)
    if g > ports + 1:
        raise InputError(f"groups of {name} is {g}; its {ports} global links a group reach at most {ports + 1} groups")
    rounds, own = ports // (g - 1), below + above
    channels = g * (2 * below * above + rounds * (g - 1))
    check_size(name, nodes=g * own, channels=channels, terminals=g * below * p)
    widths = axis_bandwidths(bandwidth, 2, family=name)
    pairs = [(x, below + y) for x in range(below) for y in range(above)]
    local = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64)
    base = np.arange(g) * own
    inside = (base[:, None, None] + local[None, :, :]).reshape(-1, 2)
    other, back = arranged(g, arrangement)
    i, k = np.meshgrid(np.arange(g), np.arange(rounds * (g - 1)), indexing="ij")
    part, port = k // (g - 1), k % (g - 1)
    j, there = other[i, port], part * (g - 1) + back[i, port]
    between = np.stack([i * own + below + k // h, j * own + below + there // h], axis=-1).reshape(-1, 2)
    options = [f"groups={g}" if g != ports + 1 else "", f"arrangement={arrangement}" * (arrangement != "palmtree")]
    return build_network(
        family_name(name, *options),
        g * own,
        np.concatenate([inside, between]),
        widths=widths,
        along=np.repeat([0, 1], [len(inside), len(between)]),
        terminals=np.repeat((base[:, None] + np.arange(below)).ravel(), p),
        labels=[f"g{x}.{'leaf' if r < below else 'spine'}{r % below if r < below else r - below}"
                for x in range(g) for r in range(own)],
        groups=frozen(np.repeat(np.arange(g), own)),
    )  # fmt: skip


DRAGONFLY_PLUS = family(
    "dragonfly-plus:2,2,2,2",
    "p terminals a leaf, l leaves and s spines a group, h global links a spine; groups=, arrangement=",
    dragonfly_plus,
    "p,l,s,h",
    whole=("groups",),
    texts=("arrangement",),
)
