"""Figures 1 to 6 of Maggs, Randomly Wired Multistage Networks: the networks that they show, and what is told of them.

The drawings are not in the text; the captions and the sentences that refer to them are.  Each figure's counterpart is a
network of ours with every property that the text tells, which need not be the one that was drawn: the wires of Figures
3, 4 and 6 are random, and Figure 5's graph is a complete one of three stages.  What is told is checked exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.multistage.wiring import Wiring, find_flaw, splitter_of
from ...simulate.calls.blocking import BlockingState, decide_strict
from ...topologies.family import wiring_from_spec
from ...topologies.multistage.banyan import butterfly, multi_benes, multibutterfly
from ...topologies.multistage.call_graphs import call_graph_of_edges
from ...worst.expansion import least_neighbourhoods
from ..result import Progress, Row, StudyResult, checked, rows_by_figure, silent

_ALPHA = Fraction(1, 4)
_SPLITTER = "multibutterfly:16,d=3,seed=29"  # the only seed below 60 with beta > 1 for subsets of up to 4


def run(progress: Progress = silent) -> StudyResult:
    """Checked facts of each figure; what is drawn is in the rows' data."""
    figures = (_figure_1, _figure_2, _figure_3, _figure_4, _figure_5, _figure_6)
    return StudyResult(
        "Counterparts of Figures 1 to 6",
        "Maggs, Randomly Wired Multistage Networks, sec. 1 and 5",
        "networks with the properties that the text tells of its figures, each checked",
        rows_by_figure(figures, progress),
    )


def _figure_1() -> list[Row]:
    wiring = butterfly(3)
    paths = np.eye(8, dtype=np.int64)
    for level in wiring.wire:
        step = np.zeros((8, 8), dtype=np.int64)
        for image in level:
            step[np.arange(8), image] += 1
        paths = paths @ step
    unique = bool(np.all(paths == 1))
    depth = wiring.num_edge_levels
    count, told = 1 if unique else f"{paths.min()} to {paths.max()}", "a unique path through the network"
    return [
        Row("Figure 1: depth of the 8-input butterfly", depth, "log N = 3", depth == 3, data={"wiring": wiring.spec}),
        Row("Figure 1: paths from an input to an output", count, told, unique),
    ]


def _figure_2() -> list[Row]:
    """The logical path from any input to output 011."""
    goal = 0b011
    found = []
    second = multibutterfly(8, d=2, seed=1)
    for wiring in (butterfly(3), second):
        words: set[tuple[str, ...]] = set()
        blocks = [{goal >> bits << bits | low for low in range(1 << bits)} for bits in (3, 2, 1, 0)]
        for start in range(8):
            here, moves = {start}, []
            for level in range(3):
                side = goal >> wiring.direction_bit(level) & 1
                heads = {int(image[r]) for r in here for image in wiring.wire[level]}
                here = {r for r in heads if (r >> wiring.direction_bit(level) & 1) == side}
                moves.append("down" if side else "up")
                if not here or not here <= blocks[level + 1]:
                    moves.append("lost")
            words.add(tuple(moves))
        found.append(", ".join(words.pop()) if len(words) == 1 else "several")
    drawn = {"wiring": "butterfly:3", "goal": goal, "blocks": [sorted(x) for x in blocks]}
    fine = found == ["up, down, down"] * 2
    told = "a single logical (up-down) path through the blocks"
    return [
        Row("Figure 2: from any input to output 011", found[0], told, fine, data=drawn),
        Row("Figure 2: the same in a 2-butterfly", found[1], told, fine, data={"wiring": second.spec}),
    ]


def _degrees(wiring: Wiring) -> tuple[set[int], set[int]]:
    """In-edges of the switches after the first level, out-edges of those before the last."""
    into = {int(x) for level in wiring.wire for x in np.bincount(level.reshape(-1), minlength=wiring.inputs)}
    return into, {wiring.wire.shape[1]}


def _figure_3() -> list[Row]:
    wiring = multibutterfly(8, d=2, seed=1)
    into, out = _degrees(wiring)
    down = [wiring.wire[level] >> wiring.direction_bit(level) & 1 for level in range(3)]
    ups = {int(x) for level in down for x in (level == 0).sum(axis=0)}
    edges, told = f"{_only(into)} and {_only(out)}", "four input edges and four output edges"
    drawn = {"wiring": wiring.spec}
    return [
        Row("Figure 3: edges into and out of a switch", edges, told, into == out == {4}, data=drawn),
        Row("Figure 3: up-edges of a switch", _only(ups), "two are up-edges, and two are down-edges", ups == {2}),
        _flawless("Figure 3", find_flaw(wiring)),
    ]


def _only(values: set[int]) -> str:
    return ", ".join(map(str, sorted(values)))


def _flawless(figure: str, flaw: tuple[str, str] | None) -> Row:
    label = f"{figure}: every logical path open, by d edges a step"
    return checked(label, flaw is None, "", "" if flaw is None else flaw[1])


def _figure_4() -> list[Row]:
    """A splitter with (alpha, beta)-expansion, and a smallest neighbourhood."""
    wiring = wiring_from_spec(_SPLITTER)
    sides = [splitter_of(wiring, level=0, block=0, direction=x) for x in (0, 1)]
    size = int(_ALPHA * wiring.inputs)
    found = [least_neighbourhoods(side) for side in sides]
    beta = min(x.expansion(size) for x in found)
    worst = min((0, 1), key=lambda x: found[x].least[size - 1])
    subset = found[worst].subset[size - 1]
    near = [sorted(side.neighbourhood(list(subset))) for side in sides]
    fine = beta > 1 and _ALPHA * beta < Fraction(1, 2) and all(len(x) >= beta * size for x in near)
    note = "" if fine else "this wiring has less expansion than that"
    drawn = {"wiring": wiring.spec, "alpha": str(_ALPHA), "subset": list(subset), "neighbours": near}
    label = f"Figure 4: beta of a 16-input splitter, alpha = {_ALPHA}"
    return [
        Row(label, beta, "beta > 1, alpha beta < 1/2", fine, note, data=drawn),
        Row("Figure 4: up-outputs of the 4 drawn inputs", len(near[0]), "at least beta k", len(near[0]) >= beta * size),
        Row("Figure 4: down-outputs of them", len(near[1]), "at least beta k", len(near[1]) >= beta * size),
    ]


def _figure_5() -> list[Row]:
    """A nonblocking network with 3 inputs and 3 outputs, and that none of its wires can be spared."""
    edges = [(i, 3 + m) for i in range(3) for m in range(3)] + [(3 + m, 6 + j) for m in range(3) for j in range(3)]
    whole = decide_strict(call_graph_of_edges("3 x 3 x 3", 3, 9, edges))
    answer = "undecided" if whole is None else "no" if isinstance(whole, BlockingState) else "yes"
    spared = 0
    for edge in edges:
        less = decide_strict(call_graph_of_edges("less a wire", 3, 9, [x for x in edges if x != edge]))
        spared += not isinstance(less, BlockingState)
    drawn = {"edges": [list(x) for x in edges], "calls": [[0, 3, 6], [1, 4, 7], [2, 5, 8]]}
    fine, told = answer == "yes", "any unused input-output pair can be connected"
    note = "" if fine else "a call can fail"
    return [
        Row("Figure 5: 3 inputs, 3 outputs: nonblocking", answer, told, fine, note, data=drawn),
        Row("Figure 5: wires that could be spared, of 18", spared),
    ]


def _figure_6() -> list[Row]:
    wiring = multi_benes(8, d=2, seed=1)
    into, out = _degrees(wiring)
    levels = wiring.num_edge_levels
    told = "a reversed multibutterfly followed by a multibutterfly"
    flaw = find_flaw(wiring)
    fine = wiring.reversed_levels == 3 and levels == 6 and flaw is None
    text = f"{wiring.reversed_levels} reversed, {levels - wiring.reversed_levels} forward"
    return [
        Row("Figure 6: levels of edges", text, told, fine, "" if fine else str(flaw), data={"wiring": wiring.spec}),
        Row("Figure 6: edges into and out of a switch", f"{_only(into)} and {_only(out)}"),
        _flawless("Figure 6", flaw),
    ]
