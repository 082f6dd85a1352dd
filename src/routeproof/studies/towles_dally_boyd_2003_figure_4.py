"""Figure 4 of Towles, Dally & Boyd 2003 (SPAA '03, sec. 5.2, pp. 5 and 6 of the paper): the curve of IVAL.

"The variations and gap between optimal and IVAL both continue to decrease as the radix increases with IVAL settling to
roughly 1.64 times minimal".  IVAL's path lengths on k-ary 2-cubes are computed exactly, and follow from a formula that
tends to 5/3: 1.64 is a value (k = 13), no limit.  Figure 4 prints no numbers besides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..core.errors import InputError
from .result import Row, StudyResult, rounds_to
from .towles_dally_boyd_2003_table_1 import judge

__all__ = ["NAME", "ival_length", "run"]

NAME = "towles-dally-boyd-2003-figure-4"


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


def run(progress: Callable[[str], None] | None = None, *, ks: Sequence[int] = tuple(range(3, 17))) -> StudyResult:
    """IVAL on the k-ary 2-cubes ``ks`` (each at least 3): path length, and worst case of capacity."""
    from ..topologies.torus import torus

    if not ks or min(ks) < 3:
        raise InputError(f"study {NAME} was asked for k = {list(ks)}; radices of at least 3 were expected")
    rows: list[Row] = []
    halves = agreed = True
    for k in ks:
        if progress is not None:
            progress(f"k = {k}")
        point = judge(torus(k, k), "ival")
        halves = halves and point.throughput == Fraction(1, 2)
        published = "1.61" if k == 8 else ""
        formula = ival_length(k)
        agreed = agreed and point.length == formula
        rows.append(
            Row(
                f"IVAL, k = {k}: path length",
                point.length,
                published,
                rounds_to(point.length, published) if published else None,
                data={
                    "quantity": "average_path_length_of_minimal",
                    "routing": "ival",
                    "radix": k,
                    "formula": str(formula),
                },
            )
        )
    rows += [
        Row(
            f"IVAL, k = {min(ks)} .. {max(ks)}: worst case is half of capacity",
            "at every k" if halves else "not at every k",
            "maximum worst-case throughput",
            halves,
        ),
        Row(
            "IVAL, limit of path length",
            Fraction(5, 3),
            "roughly 1.64",
            False,
            "5/3 - 1/(3k) for odd k, 2(k+1)/(3k^3) less for even k: it goes on rising; 1.64 is the value at k = 13",
            data={"formula equal at every k": agreed},
        ),
    ]
    return StudyResult(
        NAME,
        "IVAL's path length on k-ary 2-cubes, of minimal",
        "Towles, Dally & Boyd 2003, Throughput-Centric Routing Algorithm Design (SPAA '03), Figure 4, sec. 5.2",
        "IVAL settling to roughly 1.64 times minimal",
        tuple(rows),
    )
