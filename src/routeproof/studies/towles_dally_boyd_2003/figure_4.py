"""Figure 4 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5.2, pp. 5 and 6 of the paper): IVAL, 2TURN and the optimum.

"The variations and gap between optimal and IVAL both continue to decrease as the radix increases with IVAL settling to
roughly 1.64 times minimal".  IVAL's path lengths on k-ary 2-cubes are computed exactly, and follow from a formula that
tends to 5/3: 1.64 is a value (k = 13), no limit.  Figure 4 prints no numbers besides; 2TURN and the optimum are solved
for, exactly, up to k = 10 by default (where the solver is installed).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ...core.claim import Grade
from ...core.errors import InputError
from ...optimum.restricted import design_restricted
from ...optimum.worst_case import design_worst_case
from ...routing.path_sets.names import path_set
from ...topologies.grid.lattice import torus
from ..result import HERE, Chart, Here, Row, StudyResult, compared
from .table_1 import judge

_LENGTH = "average_path_length_of_minimal"


def ival_length(k: int) -> Fraction:
    """IVAL's path length over the minimal average on the k-ary 2-cube (k > 2, ties split).

    5/3 - 1/(3k) for odd k, and 2(k + 1)/(3k^3) less for even k.  Let A be the mean of the minimal hops on a ring of k
    nodes.  If there is anything to go in y (probability 1 - 1/k), the legs in x have 2A hops and the two legs in y
    amount to one direct way; else there are no hops in y, and the legs in x amount to one direct way.  A displacement
    of delta comes out as delta hops forwards for k - delta of the k intermediates (a tie counting half each way), else
    as k - delta hops backwards: 2 delta (k - delta) / k hops in the mean, (k^2 - 1)/(3k) over all displacements.  So
    the length is 2A (1 - 1/k) + (1 + 1/k) (k^2 - 1)/(3k), where the minimal average is 2A, and A is (k^2 - 1)/(4k) for
    odd, k/4 for even k.
    """
    minimal = Fraction(k * k - 1, 2 * k) if k % 2 else Fraction(k, 2)
    return 1 - Fraction(1, k) + (1 + Fraction(1, k)) * Fraction(k * k - 1, 3 * k) / minimal


def run(
    here: Here = HERE,
    *,
    ks: Sequence[int] = tuple(range(3, 17)),
    solved: Sequence[int] = tuple(range(3, 11)),
) -> StudyResult:
    """IVAL on the k-ary 2-cubes ``ks`` (each at least 3): path length, and worst case of capacity; for those k that are
    in ``solved`` also 2TURN and the optimum."""
    if not ks or min(ks) < 3:
        raise InputError(f"study {here.name} was asked for k = {list(ks)}; radices of at least 3 were expected")
    rows: list[Row] = []
    halves = agreed = True
    pieces = {f"k = {k}": {"k": k} for k in ks}
    found = here.done("radices", ival_judged, pieces)
    for k in ks:
        length, throughput = found[f"k = {k}"]
        halves = halves and throughput == Fraction(1, 2)
        formula = ival_length(k)
        agreed = agreed and length == formula
        data: dict[str, Any] = {"routing": "ival", "radix": k, "series": "IVAL", "x": k, "formula": str(formula)}
        published = "1.61" if k == 8 else ""
        rows.append(compared(f"IVAL, k = {k}: path length", length, published, quantity=_LENGTH, **data))
    chosen = [k for k in ks if k in solved]
    if chosen:
        rows += _solved(chosen, here)
    label = f"IVAL, k = {min(ks)} .. {max(ks)}: worst case is half of capacity"
    words = "at every k" if halves else "not at every k"
    why = "5/3 - 1/(3k) for odd k, 2(k+1)/(3k^3) less for even k: it goes on rising; 1.64 is the value at k = 13"
    equal = {"formula equal at every k": agreed}
    rows += [
        Row(label, words, "maximum worst-case throughput", halves),
        Row("IVAL, limit of path length", Fraction(5, 3), "roughly 1.64", False, why, data=equal),
    ]
    return StudyResult(
        "Path lengths of IVAL, 2TURN and the optimum on k-ary 2-cubes, of minimal",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), Figure 4, sec. 5.2",
        "IVAL settling to roughly 1.64 times minimal",
        tuple(rows),
        chart=Chart("radix k", "average path length, of minimal"),
    )


def ival_judged(k: int) -> list[Fraction]:
    """[path length of minimal, worst case of capacity] of IVAL on the k-ary 2-cube."""
    point = judge(torus(k, k), "ival")
    return [point.length, point.throughput]


def solved_for(k: int) -> list[Fraction]:
    """[the optimum's, 2TURN's path length of minimal, the least worst-case load] on the k-ary 2-cube."""
    network = torus(k, k)
    best = design_worst_case(network, shortest=True)
    turns = design_restricted(network, path_set("2turn", network), shortest=True)
    return [best.length / best.minimal, turns.length / turns.minimal, best.load]


def _solved(ks: Sequence[int], here: Here) -> list[Row]:
    """2TURN and the optimum: "For the k = 4 and k = 6 cases, 2TURN exactly matches the optimal"."""
    pieces = {f"2TURN and the optimum, k = {k}": {"k": k} for k in ks}
    found = here.done("programs", solved_for, pieces)
    rows = []
    optimum: dict[int, Fraction] = {}
    for k in ks:
        shortest, turns, load = found[f"2TURN and the optimum, k = {k}"]
        optimum[k] = shortest
        for name, length in (("optimum", shortest), ("2TURN", turns)):
            data: dict[str, Any] = {"radix": k, "worst_case_load": str(load), "series": name, "x": k}
            published = "1.48" if k == 8 else ""
            rows.append(compared(f"{name}, k = {k}: path length", length, published, quantity=_LENGTH, **data))
        published = {4: "0", 6: "0", 8: "0.0036"}.get(k, "")
        rows.append(compared(f"2TURN, k = {k}: above the optimum by", turns / shortest - 1, published))
    even = [k for k in ks if not k % 2]
    if len(even) > 2:
        rising = all(optimum[a] < optimum[b] for a, b in pairwise(even))
        words = "rises at every step" if rising else "does not rise at every step"
        label, told = f"optimum, even k = {even[0]} .. {even[-1]}", "oscillating around approximately 1.52"
        why = "odd and even k take turns, and the even values go on rising (1.5117 at k = 12): 1.52 is no limit"
        rows.append(Row(label, words, told, None, why, Grade.EXHAUSTED))
    return rows
