"""The trend in k: Towles & Dally 2002 (SPAA '02, sec. 5, p. 6, last paragraph), and the same words in memo 121.

"As k increases beyond 9, DOR approaches approximately 0.26 of capacity, while ROMM approaches 0.14 or about half that
of DOR", and footnote 5: "even values of k follow the same trends".  DOR's worst case is (k+1)/(4k) of capacity for odd
k and k/(4(k-1)) for even k: both fall towards 1/4.  0.26 and 0.14 are what comes out at k = 17; neither is a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from ...core.claim import Grade
from ...core.errors import InputError
from ...engine import Engine
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.torus import torus
from ...worst.capacity import known_capacity
from ...worst.scan.exact import worst_case
from ..pieces import Progress, done_pieces, silent
from ..result import Chart, Row, StudyResult, compared

NAME = "towles-dally-2002-trend"

_LAST = 17  # the k at which the published decimals come out


def dor_formula(k: int) -> Fraction:
    """DOR's worst case on the k-ary 2-cube (k > 2, ties split) as a fraction of capacity.

    A channel along x is crossed by packets from its own row only, sent at most (k-1)/2 nodes before its end for odd k:
    each of these sources can cross it with certainty (tornado), so the load is (k-1)/2.  For even k there are k/2
    sources, the farthest of which must go half-way round and crosses half of the time: again (k-1)/2.  Along y the same
    holds for destinations.  Capacity is 8k/(k^2-1) for odd and 8/k for even k.
    """
    return Fraction(k + 1, 4 * k) if k % 2 else Fraction(k, 4 * (k - 1))


def run(
    progress: Progress = silent, *, ks: Sequence[int] = tuple(range(3, 18)), engine: Engine | None = None
) -> StudyResult:
    """Worst cases of DOR and ROMM for each k in ``ks`` (all at least 3), each a piece of work."""
    if not ks or min(ks) < 3:
        raise InputError(f"study {NAME} was asked for k = {list(ks)}; radices of at least 3 were expected")
    rows: list[Row] = []
    romm: dict[int, Fraction] = {}
    kind: dict[str, object] = {"quantity": "worst_case_throughput_of_capacity"}
    pieces = {f"k = {k}": {"k": k} for k in ks}
    found = done_pieces(worst_cases, pieces, name="radices", engine=engine, progress=progress)
    for k in ks:
        value, romm[k] = found[f"k = {k}"]
        formula = dor_formula(k)
        note = "" if value == formula else f"the formula gives {formula}"
        dor = {"series": "DOR", "x": k, "formula": str(formula), "equal": value == formula}
        rows.append(Row(f"DOR, k = {k}", value, note=note, data=kind | dor))
        place = {"series": "ROMM", "x": k, "of DOR": str(romm[k] / value)}
        rows.append(Row(f"ROMM, k = {k}", romm[k], data=kind | place))
    rows += _published_rows(romm)
    return StudyResult(
        NAME,
        "Worst cases of DOR and ROMM on k-ary 2-cubes, as fractions of capacity",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), sec. 5, p. 6",
        "as k increases beyond 9, DOR approaches approximately 0.26 of capacity, while ROMM approaches 0.14",
        tuple(rows),
        chart=Chart("radix k", "worst-case throughput, of capacity"),
    )


def worst_cases(k: int) -> list[Fraction]:
    """[DOR's, ROMM's] worst case on the k-ary 2-cube, of capacity."""
    network = torus(k, k)
    best = known_capacity(network)
    return [worst_case(routing_from_spec(x, network)).throughput / best for x in ("dor", "romm")]


def _published_rows(romm: dict[int, Fraction]) -> list[Row]:
    why = f"(k+1)/(4k) and k/(4(k-1)) tend to 1/4; 0.26 is the value at k = {_LAST} ({dor_formula(_LAST)})"
    rows = [Row("DOR, limit", Fraction(1, 4), "approximately 0.26", False, why)]
    if _LAST in romm:
        rows.append(compared(f"ROMM, value at k = {_LAST}", romm[_LAST], "0.14", "another value"))
    for odd in (1, 0):
        series = [(k, romm[k]) for k in sorted(romm) if k % 2 == odd and k >= 5]
        if len(series) > 1:
            falling = all(a > b for (_, a), (_, b) in pairwise(series))
            words = "falls at every step" if falling else "does not fall at every step"
            label = f"ROMM, {'odd' if odd else 'even'} k = {series[0][0]} .. {series[-1][0]}"
            why = f"0.14 is the value at k = {_LAST}, not a limit: the values go on falling"
            rows.append(Row(label, words, "approaches 0.14", None, why, Grade.EXHAUSTED))
    return rows
