"""All calls at once: any permutation through a Benes network by looping, through a Clos network by exchanging middles.

Source: the looping algorithm (Opferman & Tsao-Wu 1971; Waksman 1968) and Paull 1962 for Clos networks with m >= n
(Slepian, Duguid): the rearrangeable networks that nonblocking ones are compared with.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...claims.calls.rearrangements import ALL_PERMUTATIONS, CALL_CUT, CALL_PATHS
from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.multistage.call_graph import CallGraph, check_call_path
from ...core.multistage.wiring import Wiring
from ...core.network import Network
from ...formats.documents.packed_ints import pack_ints

MOST_TERMINALS = 8  # whose permutations are all gone through


def looping(image: npt.ArrayLike) -> Int32:
    """Rows of every call on every level of the Benes network, int32, shape (2n + 1, N), for a permutation of N = 2^n.

    At depth k the calls of two inputs whose rows differ in bit k alone take different halves of what is left of the
    network, and so do those of two such outputs: the halves alternate along closed loops.
    """
    goal = np.array(image, dtype=np.int64)
    size = len(goal)
    n = size.bit_length() - 1
    row = np.arange(size)
    rows = np.empty((2 * n + 1, size), dtype=np.int32)
    rows[0], rows[2 * n] = row, goal
    for k in range(n):
        bit = 1 << k
        at, to = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        at[row], to[goal] = np.arange(size), np.arange(size)
        across, beside = at[row ^ bit].tolist(), to[goal ^ bit].tolist()
        half = [-1] * size
        for first in range(size):
            t = first
            while half[t] < 0:
                half[t] = 0
                half[beside[t]] = 1
                t = across[beside[t]]
        side = np.array(half, dtype=np.int64) << k
        row = (row & ~bit) | side
        goal = (goal & ~bit) | side
        rows[k + 1], rows[2 * n - 1 - k] = row, goal
    return rows


def middles(image: npt.ArrayLike, n: int, m: int) -> list[int]:
    """The middle switch of every call of a permutation through the Clos network C(m, n, r), m >= n, by exchanges."""
    target = np.asarray(image).tolist()
    r = len(target) // n
    up: list[dict[int, int]] = [{} for _ in range(r)]  # ingress: middle -> call
    down: list[dict[int, int]] = [{} for _ in range(r)]
    middle = [-1] * len(target)

    def place(t: int, k: int) -> None:
        middle[t] = k
        up[t // n][k] = t
        down[target[t] // n][k] = t

    for t, j in enumerate(target):
        a, b = t // n, j // n
        free = next(k for k in range(m) if k not in up[a])
        other = next(k for k in range(m) if k not in down[b])
        if free in down[b]:
            # From egress b, calls alternate between the two middles, and never come to ingress a: exchange them.
            chain = []
            leaving, here, k = True, b, free
            while (call := (down if leaving else up)[here].get(k)) is not None:
                chain.append(call)
                here = call // n if leaving else target[call] // n
                leaving, k = not leaving, free + other - k
            for call in chain:
                del up[call // n][middle[call]], down[target[call] // n][middle[call]]
            for call in chain:
                place(call, free + other - middle[call])
        place(t, free)
    return middle


@dataclass(frozen=True)
class Rearranger:
    """``paths``: a permutation to the paths of its calls; ``cut``: (inputs, fewer places that all their paths meet)."""

    graph: CallGraph
    paths: Callable[[npt.ArrayLike], list[list[int]]] | None
    cut: tuple[list[int], list[int]] | None = None


def rearranger(graph: CallGraph, wiring: Wiring | None, network: Network | None) -> Rearranger:
    """How to realise permutations on this network, or why it cannot be done.

    For wirings whose colours 0 and 1 are a Benes network (multi-Benes networks by name have it as their first copy),
    with a terminal for every row, and for ``clos:m,n,r``.  Raises InputError for others.
    """
    if wiring is not None and graph.load == 1 and wiring.reversed_levels:
        from ...topologies.multistage.banyan import benes

        if np.array_equal(wiring.wire[:, :2], benes(wiring.log_inputs).wire):
            return Rearranger(graph, lambda image: _wired_paths(graph, looping(image)))
    if network is not None and (network.spec or "").startswith("clos:"):
        sizes = (network.spec or "").removeprefix("clos:").split(",")
        m, n, r = (int(x) for x in sizes[:3])
        size = n * r
        if m < n:
            return Rearranger(graph, None, (list(range(n)), [size + k for k in range(m)]))

        def through(image: npt.ArrayLike) -> list[list[int]]:
            target = np.asarray(image).tolist()
            chosen = middles(image, n, m)
            return [
                [t, size + t // n * m + k, size + r * m + k * r + j // n, graph.output(j)]
                for t, (j, k) in enumerate(zip(target, chosen, strict=True))
            ]

        return Rearranger(graph, through)
    raise InputError(
        f"{graph.name}: all calls of a permutation at once are for Benes networks, multi-Benes networks by name (at "
        "load 1) and Clos networks"
    )


def realised_claim(how: Rearranger, image: npt.NDArray[np.int32]) -> Claim:
    """realised: "true" with the paths of all calls of ``image`` (-1: no call), checked.

    Raises InputError for a Clos network with m < n, where this can fail.
    """
    if how.paths is None:
        raise InputError(f"{how.graph.name} has fewer middle switches than an ingress switch has terminals")
    full = image.copy()
    holes = np.nonzero(image < 0)[0]
    full[holes] = np.setdiff1d(np.arange(len(image)), image[image >= 0])[: len(holes)]
    paths = [path for path, j in zip(how.paths(full), image.tolist(), strict=True) if j >= 0]
    check_paths(how.graph, image, paths)
    data = {
        "images": pack_ints(image.astype(np.int64) + 1),
        "calls": len(paths),
        "partial": bool(len(holes)),
        "length": len(paths[0]) if paths else 0,
        "paths": pack_ints(np.array(paths, dtype=np.int64).reshape(-1)),
    }
    return CALL_PATHS.claim("true", data)


def rearrangeable_claim(how: Rearranger) -> Claim:
    """rearrangeable: "true" by all T! permutations, each realised and checked; "false" by a cut.

    Raises InputError for more than MOST_TERMINALS terminals, unless a cut says that it is not.
    """
    if how.cut is not None:
        return CALL_CUT.claim("false", {"inputs": how.cut[0], "cut": how.cut[1]})
    size = how.graph.terminals
    if size > MOST_TERMINALS or how.paths is None:
        raise InputError(
            f"{how.graph.name} has {size} terminals; all permutations of at most {MOST_TERMINALS} are gone through "
            "(--permutation realises one)"
        )
    count = 0
    for image in itertools.permutations(range(size)):
        check_paths(how.graph, np.array(image), how.paths(image))
        count += 1
    return ALL_PERMUTATIONS.claim("true", {"permutations": count})


def check_paths(graph: CallGraph, image: npt.NDArray[np.integer], paths: list[list[int]]) -> None:
    """Raise VerificationError unless the calls of ``image`` run along these paths, which are disjoint."""
    used: set[int] = set()
    found = []
    for path in paths:
        found.append(check_call_path(graph, path, used))
        used.update(path)
    if found != [(i, j) for i, j in enumerate(image.tolist()) if j >= 0]:
        raise AssertionError("the paths are not those of the permutation's calls")


def _wired_paths(graph: CallGraph, rows: Int32) -> list[list[int]]:
    levels, size = rows.shape
    inner = size + np.arange(levels)[:, None] * size + rows
    ends = np.arange(size)
    paths: list[list[int]] = np.concatenate([ends[None, :], inner, graph.output(0) + rows[-1:]]).T.tolist()
    return paths
