"""Tables of numbers side by side: nothing is cut, whatever the width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from routeproof.report.terminal.compare import SideBySide

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
