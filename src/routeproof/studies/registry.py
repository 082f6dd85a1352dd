"""The studies by name: one file for each published table, figure or trend, imported only when it is run."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.errors import InputError, did_you_mean
from .result import StudyResult

if TYPE_CHECKING:
    from ..engine import Engine


class Study(NamedTuple):
    """``maker``: the file in this package whose ``run``, or function after the colon, makes the result; ``help``: one
    line; ``called``: its name, where that is not the paper's and the function's, or the file's."""

    maker: str
    help: str
    called: str = ""

    @property
    def drawn(self) -> bool:
        """Is there a figure?"""
        return self.name not in _TABLES

    @property
    def name(self) -> str:
        """``towles-dally-2002-figure-4`` of ``towles_dally_2002.worst_cases:figure_4``."""
        return self.called or re.sub(r"[.](\w+:)?", "-", self.maker).replace("_", "-")


_TABLES = frozenset({
    "towles-dally-2002-figure-4", "towles-dally-2002-figure-9", "towles-dally-2002-5turns",
    "towles-dally-boyd-2003-section-5-5", "atlas", "opensm",
})  # fmt: skip
_STUDIES = (
    Study("towles_dally_2002.table_1", "DOR and ROMM on the 9-ary 2-cube: six traffic patterns, fractions of capacity"),
    Study(
        "towles_dally_2002.worst_cases:figure_4", "the focus channels of dimension-order routing on the 4,3-ary 2-cube"
    ),
    Study(
        "towles_dally_2002.worst_cases:figure_9", "the printed worst permutation for ROMM on the 9-ary 2-cube, judged"
    ),
    Study("towles_dally_2002.worst_cases:trend", "worst cases of DOR and ROMM on k-ary 2-cubes as k grows"),
    Study(
        "towles_dally_2002.five_turns",
        "the routing function with less than five turns: its transition graph and worst case",
        "towles-dally-2002-5turns",
    ),
    Study("towles_dally_2002.figures", "examples as Figures 1 to 3 and 5 to 8 show them, checked"),
    Study(
        "towles_dally_boyd_2003.table_1",
        "DOR, VAL, ROMM, RLB, RLBth and IVAL on the 8-ary 2-cube: worst case and length",
    ),
    Study(
        "towles_dally_boyd_2003.curve:figure_1", "the exact curve of path length against worst case on the 8-ary 2-cube"
    ),
    Study("towles_dally_boyd_2003.figure_4", "path lengths of IVAL, 2TURN and the optimum on k-ary 2-cubes as k grows"),
    Study("towles_dally_boyd_2003.curve:figure_5", "interpolations of DOR with IVAL and 2TURN against the exact curve"),
    Study("towles_dally_boyd_2003.figure_6", "the average case on the 8-ary 2-cube: optimal curve and algorithms"),
    Study(
        "towles_dally_boyd_2003.section_5_5", "adaptive routing on the 8-ary 2-cube: GOAL, minimal adaptive, simulated"
    ),
    Study("towles_dally_boyd_2003.figures", "the k-ary 2-cube and a loop that IVAL removes, as Figures 2 and 3"),
    Study(
        "topologies", "common topologies at 64, 256 and 1,024 terminals: worst case, uniform, capacity, best possible"
    ),
    Study(
        "collectives", "published rates of collectives beside the exact optimum: optimal, not known to be, impossible"
    ),
    Study("atlas", "what is known of the networks that people build: each number exact or an interval, with its proof"),
    Study(
        "opensm", "OpenSM's engines on six fabrics: guarantees and lanes, beside the best tables and the least lanes"
    ),
    Study("maggs.figures", "butterfly, 2-butterfly, splitter, nonblocking and multi-Benes, as Figures 1 to 6"),
    Study("maggs.packets:packets", "steps against N and P on butterfly, dilated butterfly and multibutterfly"),
    Study(
        "maggs.packets:faulty_switches",
        "100 faulty switches in a 1024-input network: pairs joined, survivors, speed",
        "leighton-maggs-1992-faults",
    ),
    Study("hwang_yao_dasgupta.steps:theorem_2", "how few steps route all permutations of a binary d-cube, d = 3 to 12"),
    Study("hwang_yao_dasgupta.steps:figures", "destination graphs with the properties told of Figures 1 to 7"),
    Study("maggs.calls:circuits", "circuits on multibutterflies: bit-steps against size, success against load"),
    Study(
        "maggs.calls:nonblocking", "when a call fails: multi-Benes, Benes, Clos and Cantor networks; small ones decided"
    ),
)
STUDIES: Mapping[str, Study] = {x.name: x for x in _STUDIES}


def run_study(
    name: str, *, progress: Callable[[str], None] | None = None, engine: Engine | None = None, **options: Any
) -> StudyResult:
    """Run the study ``name``; ``options`` are those of its ``run``; ``engine`` does the pieces that a study may have.

    Raises InputError for an unknown study or option, with the nearest match.
    """
    study = STUDIES.get(name)
    if study is None:
        raise InputError(
            f"unknown study '{name[:60]}'; {did_you_mean(name[:100], STUDIES, listed='routeproof study lists them')}"
        )
    module, _, function = study.maker.partition(":")
    run = getattr(importlib.import_module(f".{module}", __package__), function or "run")
    parameters = inspect.signature(run).parameters
    known = [x for x in parameters if x not in ("progress", "here")]
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known) if known else "it has none"
            raise InputError(f"study {name} has no option '{option}'; {hint}")
    from .result import Here, silent

    tell = silent if progress is None else progress
    if "here" in parameters:
        options["here"] = Here(tell, engine, name)
    elif engine is not None:
        raise InputError(f"study {name} has no independent pieces to spread; leave --workers, --cluster, --run out")
    else:
        options["progress"] = tell
    result: StudyResult = run(**options)
    return replace(result, name=name)
