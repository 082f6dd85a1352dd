"""Fat trees: extended generalized fat trees XGFT, k-ary n-trees, and fat trees of switches with k ports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ..build import (
    Bandwidth,
    Maps,
    axis_bandwidths,
    build_network,
    check_size,
    family_name,
    letter_permutations,
    product_within,
    whole_number,
    whole_numbers,
)
from ..family import Family, family
from ..text import Pieces, numbers

_MANY = 64  # levels


def xgft(down: Sequence[int], up: Sequence[int], *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """XGFT(h; m_1..m_h; w_1..w_h): every node of level l >= 1 has ``down[l-1]`` children, of level l < h ``up[l]``
    parents.

    Level 0 holds the m_1 * ... * m_h processing nodes.  Where each has one parent (w_1 = 1) they are terminals on the
    switches of level 1 and no nodes (terminal t on switch t // m_1); the option ``hosts`` makes them nodes.  Where
    w_1 > 1 they are nodes.  Level l has m_{l+1} ... m_h * w_1 ... w_l switches.  Nodes are numbered level after level,
    from below, row-major over (x_h, ..., x_{l+1}, y_l, ..., y_1); channels level after level, those that lead up by
    tail and y, then those that lead down by tail and x.  ``bandwidth``: one for all channels, or one per level of
    links, from below (tapering).

    Declared symmetry: per digit a rotation and a transposition of its values.
    Raises InputError for lists that do not fit together or a size beyond the limits in ``build``.
    Source: Oehring, Ibel, Das & Kumar 1995 (IPPS), On generalized fat trees.
    """
    name = "xgft:" + "x".join(map(str, down)) + ",w=" + "x".join(map(str, up))
    return _xgft(down, up, name=name, bandwidth=bandwidth)


def k_ary_tree(k: int, n: int, *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The k-ary n-tree: k^n terminals, n levels of k^(n-1) switches with k ports down and k up: XGFT(n; k..; 1, k..).

    Source: Petrini & Vanneschi 1997 (IPPS), k-ary n-trees: high performance networks for massively parallel
    architectures.
    """
    k, n = whole_numbers((k, n), "kn", "k-ary-tree:k,n", least=2)
    name = f"k-ary-tree:{k},{n}"
    if product_within([k] * min(n, 64), 2**60) > 2**60:
        check_size(name, nodes=2**60, channels=0)
    return _xgft([k] * n, [1] + [k] * (n - 1), name=name, bandwidth=bandwidth)


def fat_tree(
    ports: int,
    *,
    levels: int = 3,
    oversubscription: int = 1,
    pods: int | None = None,
    bandwidth: Bandwidth | Sequence[Bandwidth] = 1,
) -> Network:
    """The fat tree of ``levels`` levels of switches with ``ports`` = k ports.

    Three levels: k^3/4 terminals, 5k^2/4 switches, k pods; two levels: k^2/2 terminals, 3k/2 switches.  With
    ``oversubscription`` r each lowest switch has r ports down for each one up.  ``pods``: only so many of the k (of two
    levels: so many lowest switches) are there, below all switches of the highest level: a tree that is not full yet.

    Raises InputError unless k is even and (for r) divisible by r + 1, and for more than k pods.
    Source: Al-Fares, Loukissas & Vahdat 2008 (SIGCOMM), A scalable, commodity data center network architecture.
    """
    k = whole_number(ports, what="ports of fat-tree", least=2)
    levels = whole_number(levels, what="levels of fat-tree", least=2)
    ratio = whole_number(oversubscription, what="oversubscription of fat-tree", least=1)
    if k % 2:
        raise InputError(f"fat-tree:{k} has switches of {k} ports; an even number was expected, half of them up")
    if k % (ratio + 1):
        raise InputError(
            f"fat-tree:{k} with oversubscription={ratio}: {k} ports cannot be {ratio} down for each one up; "
            f"a multiple of {ratio + 1} was expected"
        )
    there = k if pods is None else whole_number(pods, what="pods of fat-tree", least=1)
    if there > k:
        raise InputError(f"fat-tree:{k} with pods={there}: switches of {k} ports join at most {k} pods")
    half, leaf_up = k // 2, k // (ratio + 1)
    options = [
        f"levels={levels}" if levels != 3 else "",
        f"oversubscription={ratio}" if ratio != 1 else "",
        f"pods={there}" if there != k else "",
    ]
    name = family_name(f"fat-tree:{k}", *options)
    if levels > _MANY or product_within([half] * levels, 2**60) > 2**60:
        check_size(name, nodes=2**60 if half > 1 else levels, channels=0)
    down = [k - leaf_up, *[half] * (levels - 2), there]
    up = [1, leaf_up, *[half] * (levels - 2)]
    return _xgft(down, up, name=name, bandwidth=bandwidth)


def _xgft(down: Sequence[int], up: Sequence[int], *, name: str, bandwidth: Bandwidth | Sequence[Bandwidth]) -> Network:
    height = len(down)
    if len(up) != height or not height:
        raise InputError(
            f"xgft has {height} numbers of children and {len(up)} of parents; as many of each were expected, "
            f"as in xgft:4x4,w=1x4"
        )
    m = [whole_number(x, what=f"m_{lv + 1} of xgft", least=1) for lv, x in enumerate(down)]
    w = [whole_number(x, what=f"w_{lv + 1} of xgft", least=1) for lv, x in enumerate(up)]
    first = 1 if w[0] == 1 else 0
    if height == first:
        raise InputError(f"{name} is a single switch; a tree of at least two levels was expected")
    shapes = [(*reversed(m[lv:]), *reversed(w[:lv])) for lv in range(height + 1)]
    sizes = [product_within(shape, 2**60) for shape in shapes]
    links = sum(sizes[lv] * w[lv] for lv in range(first, height))
    digits = [(kind, lv, size) for lv in range(height) for kind, size in (("x", m[lv]), ("y", w[lv])) if size > 1]
    check_size(name, nodes=sum(sizes[first:]), channels=2 * links, terminals=sizes[0], generators=2 * len(digits))
    widths = axis_bandwidths(bandwidth, height - first, family=name)
    offset = np.concatenate([[0], np.cumsum(sizes[first:])])
    number = {lv: np.arange(sizes[lv]).reshape(shapes[lv]) + int(offset[lv - first]) for lv in range(first, height + 1)}
    ends: list[Int64] = []
    levels: list[int] = []
    for lv in range(first, height):
        at = height - lv - 1  # where x_{l+1} stands below and y_{l+1} above
        below = np.moveaxis(number[lv], at, -1)[..., :, None]  # (..., x, 1)
        above = np.moveaxis(number[lv + 1], at, -1)[..., None, :]  # (..., 1, y)
        low, high = (np.broadcast_to(part, (*below.shape[:-1], w[lv])).reshape(-1) for part in (below, above))
        order_up, order_down = np.lexsort((high, low)), np.lexsort((low, high))
        ends += [np.stack([low, high], axis=1)[order_up], np.stack([high, low], axis=1)[order_down]]
        levels += [lv - first] * (2 * len(low))
    return build_network(
        name,
        int(offset[-1]),
        np.concatenate(ends),
        widths=widths,
        along=np.array(levels),
        terminals=np.arange(sizes[0]) // (m[0] if first else 1),
        labels=[f"L{lv}.{k}" for lv in range(first, height + 1) for k in range(sizes[lv])],
        maps=_digit_maps(number, digits, height),
    )


def _digit_maps(number: dict[int, Int64], digits: list[tuple[str, int, int]], height: int) -> Maps:
    """All nodes that have a digit get its values permuted: x_{l+1} stands at levels up to l, y_{l+1} above them.

    ``digits``: (x or y, l, how many values) of each.
    """
    found = []
    for kind, lv, size in digits:
        present = [level for level in number if (level <= lv) == (kind == "x")]
        if not present:
            continue  # x_1 of terminals that are not nodes
        for which, image in letter_permutations(size):
            parts = [
                np.take(nodes, image, axis=height - lv - 1).ravel() if level in present else nodes.ravel()
                for level, nodes in sorted(number.items())
            ]
            found.append((f"permute {kind}{lv + 1} ({which})", np.concatenate(parts)))
    return found


def _xgft_of(pieces: Pieces) -> Network:
    if "w" not in pieces.options:
        raise InputError(f"xgft needs w=, the numbers of parents by level, as in {pieces.usage}")
    up = numbers(pieces.options["w"], what="a number of parents w of xgft", separator="x")
    return xgft(pieces.radices, up, bandwidth=pieces.bandwidth)


XGFT = Family(
    "xgft:4x4x4,w=1x4x4",
    "extended generalized fat tree: children by level, from below, and w= parents by level",
    _xgft_of,
    options=("w",),
)
K_ARY_TREE = family("k-ary-tree:4,3", "k-ary n-tree: k^n terminals below n levels of switches", k_ary_tree, "k,n")
FAT_TREE = family(
    "fat-tree:8",
    "fat tree of k-port switches, levels=3; oversubscription=: lowest ports down for each one up; pods=",
    fat_tree,
    ("ports of fat-tree",),
)
