"""Designing routings: what symmetry saves, and our interior-point method beside general solvers on the same program.

    python benchmarks/design.py [TOPOLOGY]        (default torus:10x10)

Processor time of one process; ratios, since machines differ.  Every solver gets the same reduced program: the shortest
paths at a load 1e-6 above the best, or (ours) with a price on the load, to about 1e-7.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import highspy
import numpy as np

from routeproof import network
from routeproof.analysis.locality import minimal_average
from routeproof.design.interior import solve_interior
from routeproof.design.interior_blocks import blocks_of
from routeproof.design.orbits import reduce
from routeproof.design.program import WorstCaseProgram, worst_case_program
from routeproof.design.worst_case import design_worst_case


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def by_highs(model: WorstCaseProgram, most: Fraction, solver: str) -> None:
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
    solver_object = highspy.Highs()
    solver_object.setOptionValue("output_flag", False)
    solver_object.setOptionValue("threads", 1)
    solver_object.setOptionValue("solver", solver)
    solver_object.setOptionValue("time_limit", 120.0)
    if solver == "ipm":
        solver_object.setOptionValue("run_crossover", "off")
    solver_object.passModel(lp)
    solver_object.run()
    print(f"  {solver}: {solver_object.modelStatusToString(solver_object.getModelStatus())}")


def ours(text: str) -> None:
    net = network(text)
    blocks = blocks_of(reduce(net))
    minimal = minimal_average(net)
    per_hop = 1.0 / (net.num_terminals**2 * float(minimal))
    load = 2.0 * float(minimal * net.num_terminals / sum(net.bandwidth, Fraction(0)))
    found = solve_interior(blocks, cost=blocks.hops * per_hop, price=20.0, load=load, accuracy=1e-7)
    print(f"  ours: gap {found.gap:.1e} after {found.rounds} rounds")


def main() -> None:
    text = sys.argv[1] if len(sys.argv) > 1 else "torus:10x10"
    design_worst_case(network("torus:3x3"), shortest=True, solver="interior")  # compile first
    print("the reduction, simplex")
    for name, smaller in (("torus:4x4", "none"), ("torus:8x8", "translations")):
        full = seconds(lambda name=name: design_worst_case(network(name), shortest=True, solver="simplex"))
        other = seconds(
            lambda name=name, how=smaller: design_worst_case(
                network(name), shortest=True, solver="simplex", symmetry=how, time_limit=60.0
            )
        )
        print(
            f"  {name}: all symmetry {full:.2f} s; symmetry {smaller} {other:.2f} s, {other / full:.1f} times as much"
        )
    print(f"the same program on {text}")
    model = worst_case_program(reduce(network(text)))
    best = design_worst_case(network(text), solver="interior").load * (1 + Fraction(1, 10**6))
    own = seconds(lambda: ours(text))
    times = {solver: seconds(lambda s=solver: by_highs(model, best, s)) for solver in ("simplex", "ipm", "pdlp")}
    print(f"  ours {own:.2f} s")
    for solver, spent in times.items():
        print(f"  HiGHS {solver} {spent:.2f} s, {spent / own:.1f} times as much")


if __name__ == "__main__":
    main()
