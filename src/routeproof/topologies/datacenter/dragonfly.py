"""Dragonflies: groups of routers joined by global links; a group is a complete network, rows and columns of one, or
(Dragonfly+, also called Megafly) leaves and spines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64, frozen
from ...core.errors import InputError, check_choice
from ...core.network import Network
from ..build import Bandwidth, axis_bandwidths, build_network, check_size, family_name, whole_number, whole_numbers
from ..family import Family, family
from ..text import Pieces, numbers

ARRANGEMENTS = ("palmtree", "absolute", "relative", "circulant")


def dragonfly(
    terminals: int,
    routers: int,
    links: int,
    *,
    groups: int | None = None,
    arrangement: str = "palmtree",
    bandwidth: Bandwidth | Sequence[Bandwidth] = 1,
) -> Network:
    """The dragonfly with p = ``terminals`` on each router, a = ``routers`` in each group, h = ``links`` global links
    each.

    ``groups`` g defaults to a*h + 1, the most; with fewer, every pair of groups has floor(a*h / (g - 1)) parallel links
    and ports that are left over stay unused.  Router r of group i is node i*a + r; channels: local ones by tail and
    head, then global ones by group and port.  ``bandwidth``: one for all, or local x global.

    ``arrangement`` says which group port k = r*h + l of group i leads to (with q = g - 1 ports per round):
    ``absolute`` (also called consecutive): group k, or k + 1 from k >= i on; ``relative``: i + k + 1; ``palmtree``:
    i - k - 1; ``circulant``: i + 1, i - 1, i + 2, i - 2, ...; all modulo g.

    Source: Kim, Dally, Scott & Abts 2008 (ISCA), Technology-driven, highly-scalable dragonfly topology; arrangements:
    Camarero, Vallejo & Beivide 2014 (TACO), Hastings et al. 2015 (CLUSTER).
    Raises InputError for parameters below 1, too many groups, an unknown arrangement, or a size beyond the limits.
    """
    p, a, h = whole_numbers((terminals, routers, links), "pah", "dragonfly:p,a,h")
    name = f"dragonfly:{p},{a},{h}"
    group = _Group(a, a, a, a * (a - 1), lambda: list(permutations(range(a), 2)))
    return _joined(name, group, p, h, groups, arrangement, bandwidth)


def cray_dragonfly(
    terminals: int,
    shape: Sequence[int],
    links: int,
    *,
    groups: int | None = None,
    arrangement: str = "palmtree",
    local: Sequence[int] = (1, 1),
    bandwidth: Bandwidth | Sequence[Bandwidth] = 1,
) -> Network:
    """A dragonfly whose groups are grids of routers, every row and every column a complete network (Cray XC).

    ``shape``: routers in a row x routers in a column (Cray XC: 16 x 6); ``local``: parallel links along rows and along
    columns (Cray XC: 1 and 3).  Router (y, x) of a group is y * row + x in it.  The rest as ``dragonfly``.

    Source: Faanes et al. 2012 (SC), Cray Cascade: a scalable HPC system based on a dragonfly network.
    """
    p, h = whole_numbers((terminals, links), "ph", "cray-dragonfly:p,AxB,h")
    if len(shape) != 2 or len(local) != 2:
        raise InputError(f"cray-dragonfly has groups of {len(shape)} dimensions; rows x columns such as 16x6 expected")
    row, column = (whole_number(x, what="routers of a row or column of cray-dragonfly", least=1) for x in shape)
    along, across = (whole_number(x, what="local of cray-dragonfly", least=1) for x in local)
    a = row * column
    name = f"cray-dragonfly:{p},{row}x{column},{h}"
    count = a * ((row - 1) * along + (column - 1) * across)

    def pairs() -> list[tuple[int, int]]:
        found = []
        for r, s in permutations(range(a), 2):
            if r // row == s // row:
                found += [(r, s)] * along
            elif r % row == s % row:
                found += [(r, s)] * across
        return found

    more = f"local={along}x{across}" if (along, across) != (1, 1) else ""
    return _joined(name, _Group(a, a, a, count, pairs), p, h, groups, arrangement, bandwidth, more)


class _Group(NamedTuple):
    """Routers 0 .. ``size`` - 1: the first ``hosting`` of them have terminals, the last ``linking`` global links.

    ``channels``: how many there are inside; ``pairs``: which; ``label``: of a router.
    """

    size: int
    hosting: int
    linking: int
    channels: int
    pairs: Callable[[], list[tuple[int, int]]]
    label: Callable[[int], str] = str


def _joined(
    name: str,
    group: _Group,
    terminals: int,
    links: int,
    groups: int | None,
    arrangement: str,
    bandwidth: Bandwidth | Sequence[Bandwidth],
    more: str = "",
) -> Network:
    """Groups with ``terminals`` on every hosting router and ``links`` global links on every linking one."""
    check_choice(f"arrangement of {name}", arrangement, ARRANGEMENTS)
    a, ports = group.size, group.linking * links
    g = ports + 1 if groups is None else whole_number(groups, what=f"groups of {name}", least=2)
    if g > ports + 1:
        raise InputError(f"groups of {name} is {g}; its {ports} global links a group reach at most {ports + 1} groups")
    rounds = ports // (g - 1)
    channels = g * (group.channels + rounds * (g - 1))
    check_size(name, nodes=g * a, terminals=g * group.hosting * terminals, channels=channels)
    widths = axis_bandwidths(bandwidth, 2, family=name)
    options = [
        f"groups={g}" if g != ports + 1 else "",
        f"arrangement={arrangement}" if arrangement != "palmtree" else "",
        more,
    ]
    base = np.arange(g) * a
    inside = (base[:, None, None] + np.array(group.pairs(), dtype=np.int64).reshape(1, -1, 2)).reshape(-1, 2)
    other, back = arranged(g, arrangement)
    i, k = np.meshgrid(np.arange(g), np.arange(rounds * (g - 1)), indexing="ij")
    part, port = k // (g - 1), k % (g - 1)
    j, there = other[i, port], part * (g - 1) + back[i, port]
    first = a - group.linking
    between = np.stack([i * a + first + k // links, j * a + first + there // links], axis=-1).reshape(-1, 2)
    return build_network(
        family_name(name, *options),
        g * a,
        np.concatenate([inside, between]),
        widths=widths,
        along=np.repeat([0, 1], [len(inside), len(between)]),
        terminals=np.repeat((base[:, None] + np.arange(group.hosting)).ravel(), terminals),
        labels=[f"g{x}.{group.label(r)}" for x in range(g) for r in range(a)],
        groups=frozen(np.repeat(np.arange(g), a)),
    )


def arranged(g: int, arrangement: str) -> tuple[Int64, Int64]:
    """(group at the other end of port k of group i, the port there), both of shape (g, g - 1)."""
    i, k = np.meshgrid(np.arange(g), np.arange(g - 1), indexing="ij")
    if arrangement == "absolute":
        other = np.where(k < i, k, k + 1)
        return other, np.where(i < other, i, i - 1)
    if arrangement == "relative":
        return (i + k + 1) % g, g - 2 - k
    if arrangement == "palmtree":
        return (i - k - 1) % g, g - 2 - k
    step = np.where(k % 2 == 0, k // 2 + 1, -(k + 1) // 2)
    opposite = np.where(k % 2 == 0, k + 1, k - 1)
    if g % 2 == 0:  # the last port leads half-way round, to a last port
        opposite[:, -1] = g - 2
    return (i + step) % g, opposite


def _cray_dragonfly_of(pieces: Pieces) -> Network:
    return cray_dragonfly(
        pieces.number(0, "p of cray-dragonfly:p,AxB,h"),
        numbers(pieces.parameters[1], what="routers of a row or column of cray-dragonfly", separator="x"),
        pieces.number(2, "h of cray-dragonfly:p,AxB,h"),
        groups=pieces.whole("groups"),
        arrangement=pieces.options.get("arrangement", "palmtree"),
        local=numbers(pieces.options.get("local", "1x1"), what="local of cray-dragonfly", separator="x"),
        bandwidth=pieces.bandwidth,
    )


DRAGONFLY = family(
    "dragonfly:2,4,2",
    "p terminals and h global links a router, a routers a group; groups=, arrangement=",
    dragonfly,
    "p,a,h",
)
CRAY_DRAGONFLY = Family(
    "cray-dragonfly:4,16x6,10,groups=8,local=1x3",
    "dragonfly whose groups are rows and columns of routers, all-to-all each",
    _cray_dragonfly_of,
    parameters=3,
    options=("groups", "arrangement", "local"),
)


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

    def pairs() -> list[tuple[int, int]]:
        up = [(x, below + y) for x in range(below) for y in range(above)]
        return [*up, *((b, a) for a, b in up)]

    def label(r: int) -> str:
        return f"leaf{r}" if r < below else f"spine{r - below}"

    group = _Group(below + above, below, above, 2 * below * above, pairs, label)
    return _joined(name, group, p, h, groups, arrangement, bandwidth)


DRAGONFLY_PLUS = family(
    "dragonfly-plus:2,2,2,2",
    "p terminals a leaf, l leaves and s spines a group, h global links a spine; groups=, arrangement=",
    dragonfly_plus,
    "p,l,s,h",
)
