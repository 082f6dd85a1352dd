"""The paths of at most two turns on two-dimensional tori and meshes, by displacement: those of 2TURN and 2TURNA.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 and 5.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...core.errors import InputError
from ...core.network import Grid

Legs = tuple[tuple[int, int], ...]
"""(dimension, hops) leg by leg; hops are signed and never 0, consecutive legs are of different dimensions."""


def two_turn_paths(grid: Grid, start: Sequence[int], end: Sequence[int]) -> list[Legs]:
    """All paths between two nodes, given by their coordinates, with at most two turns; they visit no node twice.

    They come in a fixed order, of at most three legs: x, y, xy, yx, xyx and yxy.  On a torus a leg goes either way
    round, minimally or not, and paths depend on ``end - start`` modulo the radices alone: one start stands for all.

    "'u-turns' or changes of direction within dimensions are disallowed" (the paper) is read as: no immediate reversal.
    The two x legs of xyx may point opposite ways; if they had to point the same way, no weights of these paths would
    reach half of capacity on the 8-ary 2-cube.  A path never revisits a node: the two legs of a dimension lie on
    different rows.

    For ``start == end`` the one path is the empty one.  Raises InputError unless the grid is a torus or mesh of two
    dimensions.
    """
    if grid.kind == "hyperx" or grid.num_dimensions != 2:
        raise InputError(
            f"paths of two turns need a torus or mesh of two dimensions; this is a {grid.kind} of {grid.num_dimensions}"
        )
    if tuple(start) == tuple(end):
        return [()]
    found: list[Legs] = []
    for first in (0, 1):
        second = 1 - first
        across = _hops(grid, second, start[second], end[second])
        if start[second] == end[second]:
            found += [((first, x),) for x in _hops(grid, first, start[first], end[first])]
            continue  # two parallel legs would lie on one line: a reversal, or a node twice
        for w in range(grid.radix[first]):
            # None where w is the start: the path begins in the other dimension, and is found with that one first.
            before = _hops(grid, first, start[first], w)
            after = _hops(grid, first, w, end[first]) or [0]
            for x in before:
                for y in across:
                    found += [((first, x), (second, y), *(((first, z),) if z else ())) for z in after]
    return found


def _hops(grid: Grid, dimension: int, a: int, b: int) -> list[int]:
    """The signed hops of a leg from a to b, that is not all the way round; none if a is b."""
    if a == b:
        return []
    if grid.kind == "mesh":
        return [b - a]
    k = grid.radix[dimension]
    forward = (b - a) % k
    return [forward] if grid.oneway or k == 2 else [forward, forward - k]


def channels_of(grid: Grid, start: Sequence[int], legs: Legs) -> Iterator[int]:
    """The channels of the path that ``legs`` make from coordinates ``start``."""
    here = list(start)
    for m, hops in legs:
        step = 1 if hops > 0 else -1
        for _ in range(abs(hops)):
            yield int(grid.channel_at[grid.node(here), m, int(step < 0)])
            here[m] = (here[m] + step) % grid.radix[m]


_MADE = re.compile(r"(?<![\w-])2turna(?::([\w=, -]*))?(?![\w-])")


def is_made_for(name: str, *, traffic: str, seed: int) -> bool:
    """Does the routing of this name, or a part of it, come from the matrices that ``seed`` draws of ``traffic``?

    By its name: ``2turna:samples=30,seed=7``, as it is or in ``designed as ...`` and in mixtures.
    """
    for options in _MADE.findall(name):
        told = {key.strip(): x.strip() for key, _, x in (part.partition("=") for part in options.split(","))}
        if (told.get("traffic", "permutation"), told.get("seed", "0").lstrip("0") or "0") == (traffic, str(seed)):
            return True
    return False


def check_not_made_for(name: str, *, traffic: str, seed: int) -> None:
    """Raise InputError where ``is_made_for`` says so."""
    if is_made_for(name, traffic=traffic, seed=seed):
        raise InputError(
            f"{name[:60]} was made for the random matrices of seed {seed}, on which it looks too good; another seed "
            f"was expected, such as --seed {seed + 1}"
        )
