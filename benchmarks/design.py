"""Designing routings: what symmetry saves, our interior-point method beside HiGHS on the same program, and the whole
beside a modelling library.

    python benchmarks/run.py design-symmetry design-solvers design-modelling

- design-symmetry: the exact design with all symmetry, against none (4x4) and against translations alone (8x8).
- design-solvers: the same reduced program on torus:10x10, the shortest paths at a load 1e-6 above the best, by HiGHS's
  simplex, interior point (without crossover) and PDLP; ours with a price on the load, to about 1e-7.
- design-modelling: best worst case, then shortest paths, our exact answer with its certificate against program (8) in
  cvxpy, solved by HiGHS and by Clarabel.  It needs cvxpy (``pip install '.[bench]'``) and is left out without it.

A solver that was stopped, or did not say "optimal", is shown with what it said; its ratio is then a lower bound.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from cases import Row, timed
from modelling import Modelled, design_with_cvxpy

from routeproof import network
from routeproof.optimum.design import Design
from routeproof.optimum.interior.blocks import blocks_of
from routeproof.optimum.interior.method import solve_interior
from routeproof.optimum.program.flow_program import FlowProgram
from routeproof.optimum.program.worst_case import worst_case_program
from routeproof.optimum.worst_case import design_worst_case
from routeproof.symmetry.pair_classes import reduce
from routeproof.worst.locality import minimal_average

__all__ = ["DESIGN_CASES", "DESIGN_LONG"]

_LIMIT_S = 120.0
_AGREE = 1e-4  # cvxpy's solvers stop at tolerances, and what they lose in the load they gain in length


def _kept(work: Callable[[], Any], into: dict[str, Any], name: str) -> Callable[[], None]:
    def run() -> None:
        into[name] = work()

    return run


def _designed(text: str, **options: Any) -> Design:
    """On a network of its own, so that nothing is remembered."""
    return design_worst_case(network(text), shortest=True, **options)


# -- what symmetry saves ----------------------------------------------------------------------------------------


def _symmetry(*, quick: bool) -> list[Row]:
    rows = []
    design_worst_case(network("torus:3x3"), shortest=True)
    for text, less in (("torus:4x4", "none"), ("torus:8x8", "translations")):
        made: dict[str, Any] = {}
        ours = timed(_kept(partial(_designed, text, solver="simplex"), made, "all"), quick=quick)
        other = timed(_kept(partial(_designed, text, solver="simplex", symmetry=less), made, "less"), quick=True)
        if made["all"].load != made["less"].load or made["all"].length != made["less"].length:
            raise AssertionError(f"{text}: symmetry {less} gives another optimum")
        rows.append(
            Row(f"design {text}, exact, all symmetry", ours, "", other, f"symmetry {less}", str(made["all"].length))
        )
    return rows


# -- solvers on one program -------------------------------------------------------------------------------------


def _by_highs(model: FlowProgram, most: Fraction, solver: str) -> str:
    import highspy

    program = model.program.asking(model.hops, {0: most})
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.num_columns, program.num_rows
    lp.col_cost_ = program.cost / float(program.cost.max())
    lp.col_lower_ = np.zeros(program.num_columns)
    upper = np.full(program.num_columns, highspy.kHighsInf)
    upper[0] = float(most)
    lp.col_upper_ = upper
    bound = program.bound.astype(np.float64)
    lp.row_lower_ = bound
    lp.row_upper_ = np.where(np.arange(program.num_rows) < program.num_equal, bound, highspy.kHighsInf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = program.start, program.column
    lp.a_matrix_.value_ = program.value.astype(np.float64)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("solver", solver)
    highs.setOptionValue("time_limit", _LIMIT_S)
    if solver == "ipm":
        highs.setOptionValue("run_crossover", "off")
    highs.passModel(lp)
    highs.run()
    return str(highs.modelStatusToString(highs.getModelStatus()))


def _ours(text: str) -> float:
    net = network(text)
    blocks = blocks_of(reduce(net))
    minimal = minimal_average(net)
    per_hop = 1.0 / (net.num_terminals**2 * float(minimal))
    load = 2.0 * float(minimal * net.num_terminals / sum(net.bandwidth, Fraction(0)))
    return solve_interior(blocks, cost=blocks.hops * per_hop, price=20.0, load=load, accuracy=1e-7).gap


def _solvers(*, quick: bool, text: str = "torus:10x10") -> list[Row]:
    design_worst_case(network("torus:3x3"), shortest=True, solver="interior")  # compile first
    model = worst_case_program(reduce(network(text)))
    most = design_worst_case(network(text), solver="interior").load * (1 + Fraction(1, 10**6))
    made: dict[str, Any] = {}
    ours = timed(_kept(partial(_ours, text), made, "ours"), quick=quick)
    rows = []
    for solver in ("simplex", "ipm", "pdlp"):
        other = timed(_kept(partial(_by_highs, model, most, solver), made, solver), quick=True)
        said = made[solver] if made[solver] == "Optimal" else f"{made[solver]} after {_LIMIT_S:.0f} s"
        how = f"HiGHS {solver}: {said}; ours to {made['ours']:.0e}"
        rows.append(Row(f"the reduced program of {text}", ours, "", other, how))
    return rows


# -- a modelling library ----------------------------------------------------------------------------------------

_MODELLED = (
    ("torus:4x4", ("HIGHS", "CLARABEL")),
    ("mesh:4x4", ("HIGHS", "CLARABEL")),
    ("torus:6x6", ("CLARABEL",)),
)


def _modelling(*, quick: bool) -> list[Row]:
    if find_spec("cvxpy") is None:
        sys.stderr.write("design-modelling is left out: cvxpy is not installed (pip install 'routeproof[bench]')\n")
        return []
    design_worst_case(network("torus:3x3"), shortest=True)
    design_with_cvxpy(network("torus:3x3"), "CLARABEL", seconds=_LIMIT_S)  # import first
    rows = []
    for text, solvers in _MODELLED[:1] if quick else _MODELLED:
        made: dict[str, Any] = {}
        ours = timed(_kept(partial(_designed, text), made, "ours"), quick=quick)
        exact = made["ours"]
        for solver in solvers:
            work = partial(design_with_cvxpy, network(text), solver, seconds=_LIMIT_S)
            other = timed(_kept(work, made, solver), quick=True)
            found: Modelled = made[solver]
            for name, x, best in (("load", found.load, exact.load), ("length", found.hops, exact.length)):
                if x is not None and abs(x - float(best)) > _AGREE * float(best):
                    raise AssertionError(f"{text}: the best {name} is {best}; {solver} says {x}")
            how = f"cvxpy with {solver}: {found.status}"
            rows.append(Row(f"design {text}, exact and certified", ours, "", other, how, str(exact.length)))
    return rows


DESIGN_CASES: dict[str, Callable[..., list[Row]]] = {
    "design-symmetry": _symmetry,
    "design-solvers": _solvers,
    "design-modelling": _modelling,
}
DESIGN_LONG = ("design-symmetry", "design-solvers")  # left out of --quick unless they are named
