"""Permutations of calls realised all at once: paths looked at, all permutations done again, cuts."""

from __future__ import annotations

import itertools

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph, check_call_path
from ...core.multistage.wiring import Wiring
from ..kind import REARRANGED, Kind, answers
from ..reading import as_numbers, as_whole
from ..shapes import FLAG, NUMBERS, WHOLE, Keys, ListOf
from .claims import CallRun, CallsWork

_MOST = 8


def check_realised(run: CallRun, claim: Claim) -> None:
    """Disjoint paths for the calls that are named."""
    graph, data = run.graph, claim.evidence.data
    size = graph.terminals
    image = as_numbers(data["images"], "images", size).tolist()
    wanted = [(i, j - 1) for i, j in enumerate(image) if j]
    if not wanted:
        raise VerificationError("it realises no call at all")
    if data["calls"] != len(wanted) or data["partial"] is not (len(wanted) < size):
        raise VerificationError("its calls are not those of its permutation")
    length = as_whole(data["length"], "the length of its paths", 0, graph.num_vertices)
    flat = as_numbers(data["paths"], "paths", length * len(wanted)).tolist()
    _check_paths(graph, [flat[k * length : (k + 1) * length] for k in range(len(wanted))], wanted)


def elaborate_realised(work: CallsWork, claim: Claim) -> None:
    data = claim.evidence.data
    flat = as_numbers(data["paths"], "paths", data["length"] * data["calls"]).tolist()
    at = range(0, len(flat), data["length"])
    work.proof.claim("calls-at-once", calls=[flat[k : k + data["length"]] for k in at])


def elaborate_cut(work: CallsWork, claim: Claim) -> None:
    work.proof.claim("calls-cut", terminals=claim.evidence.data["inputs"], cut=claim.evidence.data["cut"])


def check_permutations(run: CallRun, claim: Claim) -> None:
    """All permutations once more: every one is realised."""
    graph, size = run.graph, run.graph.terminals
    if size > _MOST:
        raise VerificationError(f"all permutations of at most {_MOST} terminals are done again")
    order = list(itertools.permutations(range(size)))
    if claim.evidence.data["permutations"] != len(order):
        raise VerificationError(f"there are {len(order)} permutations")
    for image in order:
        paths = _halves(graph, run.wiring, image) if run.wiring is not None else _matchings(graph, image)
        _check_paths(graph, paths, list(enumerate(image)))


def _check_paths(graph: CallGraph, paths: list[list[int]], wanted: list[tuple[int, int]]) -> None:
    """Disjoint, and from input to output as wanted."""
    used: set[int] = set()
    for path, (i, j) in zip(paths, wanted, strict=True):
        if check_call_path(graph, path, used) != (i, j):
            raise VerificationError(f"a path does not lead from input {i} to output {j}")
        used.update(path)


def check_cut(run: CallRun, claim: Claim) -> None:
    """Some inputs whose paths all meet fewer places."""
    graph, data = run.graph, claim.evidence.data
    if not all(0 <= v < graph.num_vertices for key in ("inputs", "cut") for v in data[key]):
        raise VerificationError("its cut is not a list of places of the network")
    inputs, cut = set(data["inputs"]), set(data["cut"])
    if len(inputs) <= len(cut) or max(inputs) >= graph.terminals:
        raise VerificationError("its cut has as many places as there are inputs behind it")
    seen = inputs - cut
    frontier = list(seen)
    while frontier:
        v = frontier.pop()
        if v >= graph.output(0):
            raise VerificationError(f"its cut does not cut: output {v - graph.output(0)} is reached around it")
        ahead = set(graph.heads(v)) - seen - cut
        seen |= ahead
        frontier += ahead


def _halves(graph: CallGraph, wiring: Wiring, image: tuple[int, ...]) -> list[list[int]]:
    """Through a Benes network, recursively: calls that share a switch's pair must differ; two colours do."""
    n = wiring.log_inputs

    def solve(calls: list[tuple[int, int, int]], k: int) -> dict[int, list[int]]:
        """(call, row, goal row) to the rows from level k to level 2n - k."""
        if k == n:
            return {t: [row] for t, row, _ in calls}
        by_row = {row: t for t, row, _ in calls}
        by_goal = {goal: t for t, _, goal in calls}
        near = {t: (by_row[row ^ 1 << k], by_goal[goal ^ 1 << k]) for t, row, goal in calls}
        colour: dict[int, int] = {}
        for start in near:
            if start in colour:
                continue
            colour[start] = 1
            todo = [start]
            while todo:
                t = todo.pop()
                for u in near[t]:
                    if u not in colour:
                        colour[u] = 1 - colour[t]
                        todo.append(u)
        rows: dict[int, list[int]] = {}
        for side in (0, 1):
            mine = [
                (t, row & ~(1 << k) | side << k, goal & ~(1 << k) | side << k)
                for t, row, goal in calls
                if colour[t] == side
            ]
            rows |= solve(mine, k + 1)
        return {t: [row, *rows[t], goal] for t, row, goal in calls}

    found = solve([(t, t, j) for t, j in enumerate(image)], 0)
    size = len(image)
    return [
        [t, *(size + level * size + row for level, row in enumerate(found[t])), graph.output(image[t])]
        for t in range(size)
    ]


def _matchings(graph: CallGraph, image: tuple[int, ...]) -> list[list[int]]:
    """Through a three-stage network of crossbars: one matching of its first and last switches for each middle switch.

    The switches are read off the graph: inputs with the same channels share a switch, and so do outputs.
    """
    size = graph.terminals
    first = [tuple(graph.heads(t)) for t in range(size)]
    into: dict[int, list[int]] = {}
    for c in range(size, graph.output(0)):
        for w in graph.heads(c):
            if w >= graph.output(0):
                into.setdefault(w - graph.output(0), []).append(c)
    if len({len(x) for x in first}) != 1 or len(into) < size:
        raise VerificationError("all permutations are done again on three stages of crossbars; its network is not such")
    left = list(range(size))
    paths: list[list[int]] = [[] for _ in range(size)]
    switches = sorted(set(first))
    for k in range(len(first[0])):
        # Each round takes a call from every first switch to different last switches, as long as there are calls.
        taken: dict[int, int] = {}  # last switch (its first channel) -> call

        def augment(switch: tuple[int, ...], seen: set[int], taken: dict[int, int]) -> bool:
            for t in [x for x in left if first[x] == switch]:
                last = into[image[t]][0]
                if last not in seen:
                    seen.add(last)
                    if last not in taken or augment(first[taken[last]], seen, taken):
                        taken[last] = t
                        return True
            return False

        for switch in switches:
            augment(switch, set(), taken)
        for t in taken.values():
            up = first[t][k]
            down = [c for c in into[image[t]] if c in graph.heads(up)][:1]
            paths[t] = [t, up, *down, graph.output(image[t])]
            left.remove(t)
    if left:
        raise VerificationError(f"the permutation {list(image)} is not realised by matchings")
    return paths


CALL_PATHS = Kind(
    "call-paths",
    "A path for every pair, checked to be disjoint from all others.",
    Keys({"images": NUMBERS, "calls": WHOLE, "partial": FLAG, "length": WHOLE, "paths": NUMBERS}),
    answers("realised", "true"),
    REARRANGED,
    check_realised,
    elaborate=elaborate_realised,
    subjects=frozenset({"calls"}),
)
CALL_CUT = Kind(
    "call-cut",
    "A set of switches that all paths of more inputs than it has switches must pass.",
    Keys({"inputs": ListOf(WHOLE), "cut": ListOf(WHOLE)}),
    answers("rearrangeable", "false"),
    REARRANGED,
    check_cut,
    elaborate=elaborate_cut,
    subjects=frozenset({"calls"}),
)
ALL_PERMUTATIONS = Kind(
    "all-permutations",
    "Every permutation, with disjoint paths found again for each.",
    Keys({"permutations": WHOLE}),
    answers("rearrangeable", "true", grade=Grade.EXHAUSTED),
    REARRANGED,
    check_permutations,
    subjects=frozenset({"calls"}),
)
