"""The studies by name: one file for each published table, figure or trend, imported only when it is run."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError, did_you_mean
from .result import StudyResult

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["STUDIES", "Study", "run_study"]


@dataclass(frozen=True)
class Study:
    """``module``: the file in this package whose ``run`` makes the result; ``help``: one line; ``drawn``: is there a
    figure?"""

    module: str
    help: str
    drawn: bool = False


STUDIES: Mapping[str, Study] = {
    "towles-dally-2002-table-1": Study(
        "towles_dally_2002.table_1", "DOR and ROMM on the 9-ary 2-cube: six traffic patterns, fractions of capacity"
    ),
    "towles-dally-2002-figure-4": Study(
        "towles_dally_2002.figure_4", "the focus channels of dimension-order routing on the 4,3-ary 2-cube"
    ),
    "towles-dally-2002-figure-9": Study(
        "towles_dally_2002.figure_9", "the printed worst permutation for ROMM on the 9-ary 2-cube, judged"
    ),
    "towles-dally-2002-trend": Study(
        "towles_dally_2002.trend", "worst cases of DOR and ROMM on k-ary 2-cubes as k grows", drawn=True
    ),
    "towles-dally-2002-5turns": Study(
        "towles_dally_2002.five_turns",
        "the routing function with less than five turns: its transition graph and worst case",
    ),
    "towles-dally-2002-figures": Study(
        "towles_dally_2002.figures", "examples as Figures 1 to 3 and 5 to 8 show them, checked", drawn=True
    ),
    "towles-dally-boyd-2003-table-1": Study(
        "towles_dally_boyd_2003.table_1",
        "DOR, VAL, ROMM, RLB, RLBth and IVAL on the 8-ary 2-cube: worst case and length",
    ),
    "towles-dally-boyd-2003-figure-1": Study(
        "towles_dally_boyd_2003.figure_1",
        "the exact curve of path length against worst case on the 8-ary 2-cube",
        drawn=True,
    ),
    "towles-dally-boyd-2003-figure-4": Study(
        "towles_dally_boyd_2003.figure_4",
        "path lengths of IVAL, 2TURN and the optimum on k-ary 2-cubes as k grows",
        drawn=True,
    ),
    "towles-dally-boyd-2003-figure-5": Study(
        "towles_dally_boyd_2003.figure_5",
        "interpolations of DOR with IVAL and 2TURN against the exact curve",
        drawn=True,
    ),
    "towles-dally-boyd-2003-figure-6": Study(
        "towles_dally_boyd_2003.figure_6",
        "the average case on the 8-ary 2-cube: optimal curve and algorithms",
        drawn=True,
    ),
    "towles-dally-boyd-2003-section-5-5": Study(
        "towles_dally_boyd_2003.section_5_5", "adaptive routing on the 8-ary 2-cube: GOAL, minimal adaptive, simulated"
    ),
    "towles-dally-boyd-2003-figures": Study(
        "towles_dally_boyd_2003.figures",
        "the k-ary 2-cube and a loop that IVAL removes, as Figures 2 and 3",
        drawn=True,
    ),
    "topologies": Study(
        "topologies",
        "common topologies at 64, 256 and 1,024 terminals: worst case, uniform, capacity, best possible",
        drawn=True,
    ),
    "maggs-figures": Study(
        "maggs.figures", "butterfly, 2-butterfly, splitter, nonblocking and multi-Benes, as Figures 1 to 6", drawn=True
    ),
    "maggs-packets": Study(
        "maggs.packets", "steps against N and P on butterfly, dilated butterfly and multibutterfly", drawn=True
    ),
    "leighton-maggs-1992-faults": Study(
        "maggs.faults",
        "100 faulty switches in a 1024-input network: pairs joined, survivors, speed",
        drawn=True,
    ),
    "hwang-yao-dasgupta-theorem-2": Study(
        "hwang_yao_dasgupta.theorem_2", "how few steps route all permutations of a binary d-cube, d = 3 to 12"
    ),
    "hwang-yao-dasgupta-figures": Study(
        "hwang_yao_dasgupta.figures", "destination graphs with the properties told of Figures 1 to 7", drawn=True
    ),
    "maggs-circuits": Study(
        "maggs.circuits", "circuits on multibutterflies: bit-steps against size, success against load", drawn=True
    ),
    "maggs-nonblocking": Study(
        "maggs.nonblocking",
        "when a call fails: multi-Benes, Benes, Clos and Cantor networks; small ones decided",
        drawn=True,
    ),
}


def run_study(
    name: str, *, progress: Callable[[str], None] | None = None, engine: Engine | None = None, **options: Any
) -> StudyResult:
    """Run the study ``name``; ``options`` are those of its ``run``; ``engine`` does the pieces that a study may have.

    Raises InputError for an unknown study or option, with the nearest match.
    """
    study = STUDIES.get(name)
    if study is None:
        raise InputError(f"unknown study '{name[:60]}'; {did_you_mean(name[:100], STUDIES)}")
    run = importlib.import_module(f".{study.module}", __package__).run
    known = [x for x in inspect.signature(run).parameters if x not in ("progress", "engine")]
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known) if known else "it has none"
            raise InputError(f"study {name} has no option '{option}'; {hint}")
    if engine is not None:
        if "engine" not in inspect.signature(run).parameters:
            raise InputError(f"study {name} has no independent pieces to spread; leave --workers, --cluster, --run out")
        options["engine"] = engine
    result: StudyResult = run(progress=progress, **options)
    return result
