"""Tables of numbers side by side: nothing is cut, whatever the width."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from rich.console import Console

from routeproof.report.terminal.compare import SideBySide
from routeproof.report.terminal.parts import bars, counts_line

NAMES = ["dor", "valiant", "rlb"]
GROUPS = [
    {"worst case": ["2/7", "1/2", "17920/57297"], "of capacity": ["0.2857", "0.5", "0.3128"]},
    {"uniform": ["1", "32/63", "16/21"], "of capacity": ["1", "0.5079", "0.7619"]},
    {"hops": ["4", "63/8", "21/4"], "of minimal": ["1", "1.9688", "1.3125"]},
    {"deadlock-free": ["no", "no", "not judged"]},
]


def rendered(width: int, names: list[str]) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as captured:
        console.print(SideBySide("routing", names, GROUPS))
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize(("width", "tables"), [(160, 1), (120, 1), (90, 1), (80, 1), (60, 2), (40, 3)])
def test_no_word_and_no_number_is_broken_however_narrow(width: int, tables: int) -> None:
    lines = rendered(width, NAMES)
    assert max(map(len, lines)) <= width
    assert [sum(line.startswith(f"{name} ") for line in lines) for name in NAMES] == [tables] * 3
    words = " ".join(lines).replace("deadlock- ", "deadlock-").split()
    for group in GROUPS:
        for cells in group.values():
            assert {word for cell in cells for word in cell.split()} <= {*words}


def test_names_are_folded_where_nothing_else_helps() -> None:
    long = "mix:1/8*dor+1/8*valiant+1/4*o1turn+1/2*minimal"
    lines = rendered(40, ["dor", "valiant", long])
    assert max(map(len, lines)) <= 40
    at = next(k for k, line in enumerate(lines) if line.startswith("mix"))
    assert "".join(line.split()[0] for line in lines[at : at + 3]) == long
    assert "17920/57297" in lines[at]


@pytest.mark.parametrize("terminal", [True, False])
def test_bars_stand_on_a_terminal_and_nowhere_else(terminal: bool) -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=terminal, color_system=None)
    loads = [Fraction(1, 2)] * 3 + [Fraction(2)]
    with console.capture() as captured:
        console.print(bars("worst case", [("dor", Fraction(1, 2), "0.5"), ("valiant", Fraction(1), ">= 1")]))
        console.print(counts_line(loads, parts=4))
    lines = [x for x in captured.get().splitlines() if x.strip()]
    if not terminal:
        assert lines == []
        return
    dor, valiant = (line.count("█") for line in lines[1:3])
    assert 2 * dor == valiant == 30
    assert lines[2].endswith(">= 1")
    assert lines[3] == "0  █ ▃ 2, channels by their load"
