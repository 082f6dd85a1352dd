"""Towles & Dally 2002 (SPAA '02): Figure 4 (p. 5), Figure 9 (p. 7) and the trend in k (p. 6), exact worst cases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from ...core.claim import Grade
from ...core.errors import InputError
from ...core.traffic import Permutation, Traffic
from ...routing.base.routing import Routing
from ...routing.named.spec import routing_from_spec
from ...symmetry.channel_classes import channel_classes
from ...topologies.grid.lattice import torus
from ...worst.capacity import known_capacity
from ...worst.loads import busiest_channels, channel_loads_under, throughput
from ...worst.scan.exact import worst_case
from ..grid_routes import channel_on
from ..result import HERE, Chart, Here, Progress, Row, StudyResult, checked, compared, silent


def figure_4(progress: Progress = silent) -> StudyResult:
    """Figure 4 and section 4.1 of Towles & Dally 2002 (SPAA '02, p. 5): focus channels.

    "Consider the 4,3-ary 2-cube shown in Figure 4, which is partially symmetric.  The channel from node (0,0) to (1,0)
    and the channel from (0,0) to (0,1) form a focus set, assuming symmetry in the channel bandwidth and routing
    function is also preserved."  And: "only two focus channels are needed to find the worst-case for dimension-order
    routing on the two-dimensional torus".  (The figure's caption names the channel to (1,0) twice.)

    Computed: the orbits of channels under the automorphisms that the routing is checked to respect, and, as Theorem 3
    says, the same worst case from the focus channels as from all 48.

    Focus sets of DOR on the 4,3-ary 2-cube and on the 4-ary 2-cube, ties split and not.
    """
    network = torus(4, 3)
    rows: list[Row] = []
    for name in ("dor", "dor:tie=plus"):
        progress(name)
        rows += _judged(routing_from_spec(name, network), published=name == "dor")
    square = torus(4, 4)
    for name in ("dor", "dor:tie=plus"):
        rows += _worst_cases(routing_from_spec(name, square))
    return StudyResult(
        "Focus channels of dimension-order routing on the 4,3-ary 2-cube",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), sec. 4.1, Figure 4, p. 5",
        "the channels from (0,0) to (1,0) and from (0,0) to (0,1) form a focus set",
        tuple(rows),
    )


def _judged(routing: Routing, *, published: bool) -> list[Row]:
    network = routing.network
    classes = channel_classes(routing, reversal=False)
    east, north = channel_on(network, (0, 0), (1, 0)), channel_on(network, (0, 0), (0, 1))
    focus = ", ".join(network.channel_label(c) for c in classes.focus.tolist())
    apart = classes.label[east] != classes.label[north]
    two = len(classes.focus) == 2
    note = "" if published else "with ties towards + a reflection of x is no symmetry: both directions of x are needed"
    data = {"orbits": len(classes.focus), "symmetry": list(classes.names)}
    label = f"{routing.name} on {network.name}"
    printed = ("(0,0) -> (1,0), (0,0) -> (0,1)", "2") if published else ("", "")
    agrees = (two and bool(apart), two) if published else (None, None)
    return [
        Row(f"{label}: focus channels", focus, printed[0], agrees[0], note, data=data),
        Row(f"{label}: number of focus channels", len(classes.focus), printed[1], agrees[1], note),
        *_worst_cases(routing),
    ]


def _worst_cases(routing: Routing) -> list[Row]:
    """Theorem 3: focus channels alone give the worst case that all channels give."""
    best = known_capacity(routing.network)
    reduced, full = worst_case(routing), worst_case(routing, symmetry="none")
    equal = reduced.throughput == full.throughput
    label = f"{routing.name} on {routing.network.name}: worst case, of capacity"
    note = "" if equal else f"all channels give {full.throughput / best}"
    return [Row(label, reduced.throughput / best, note=note, data={"equal to all channels": equal})]


# As printed: two digits an entry, (4, 0) being "40".
_MATRIX = """
40 46 47 48 88 67 41 42 43
00 60 66 71 65 82 15 04 54
68 70 56 81 55 03 53 14 64
58 80 06 02 52 45 63 24 74
78 01 51 85 62 35 73 34 84
50 76 61 75 72 25 83 44 05
10 16 17 18 08 57 11 12 13
20 26 27 28 87 07 21 22 23
30 36 37 38 77 86 31 32 33
"""
_K = 9


def image(*, crossed: bool = False) -> list[int]:
    """Destinations by node number, the source on row i column j being node (i, j), i.e. number 9 i + j.

    Entry (a, b) is node (a, b), or, if ``crossed``, node (b, a).  (Reading both source and entry the other way round
    changes nothing: the torus and ROMM are the same with x and y exchanged.)
    """
    pairs = [(int(pair[0]), int(pair[1])) for pair in _MATRIX.split()]
    return [_K * b + a if crossed else _K * a + b for a, b in pairs]


def figure_9(progress: Progress = silent) -> StudyResult:
    """Figure 9 of Towles & Dally 2002 (SPAA '02, p. 7; also Figure 9 of memo 121).

    "Worst-case permutation for ROMM on a 9-ary 2-cube.  Entry (i, j) of the matrix denotes the destination node of the
    source on row i column j."  The 81 printed entries are judged: are they a permutation, how much do they load which
    channel, and is that the exact worst case?  A pair (a, b) could name its node by row and column, as the caption
    does, or by column and row: both readings are tried.

    Judge the printed permutation in both readings.
    """
    network = torus(_K, _K)
    best = known_capacity(network)
    routing = routing_from_spec("romm", network)
    progress("exact worst case of ROMM")
    worst = worst_case(routing).throughput / best
    rows = [
        Row("entries of the printed matrix", len(image()), "81", True),
        checked("the entries are a permutation", sorted(image()) == list(range(_K * _K)), "permutation"),
        Row("exact worst case of ROMM, of capacity", worst, "0.173", False, "25/144 = 0.17361... rounds to 0.174"),
    ]
    for crossed in (False, True):
        reading = "entry (a, b) is column a, row b" if crossed else "entry (a, b) is row a, column b"
        progress(reading)
        traffic = Traffic.of_permutation(Permutation(image(crossed=crossed)), name="figure 9")
        loads = channel_loads_under(routing, traffic)
        value = throughput(loads, network) / best
        busiest = [network.channel_label(c) for c in busiest_channels(loads, network).tolist()]
        agrees = value == worst if not crossed else None
        data = {"busiest channels": busiest, "of worst case": str(value / worst)}
        other = "the other reading of the entries; the caption asks for row and column"
        why = other if crossed else f"as printed it is not worst: the exact worst case is {worst}"
        note = "" if value == worst else why
        label = f"{reading}: throughput, of capacity"
        rows.append(Row(label, value, "worst-case permutation", agrees, note, data=data))
        rows.append(Row(f"{reading}: busiest channels", ", ".join(busiest)))
    return StudyResult(
        "The printed worst-case permutation for ROMM on the 9-ary 2-cube",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), Figure 9, p. 7",
        "Worst-case permutation for ROMM on a 9-ary 2-cube",
        tuple(rows),
    )


_LAST = 17  # the k at which the published decimals come out


def dor_formula(k: int) -> Fraction:
    """DOR's worst case on the k-ary 2-cube (k > 2, ties split) as a fraction of capacity.

    A channel along x is crossed by packets from its own row only, sent at most (k-1)/2 nodes before its end for odd k:
    each of these sources can cross it with certainty (tornado), so the load is (k-1)/2.  For even k there are k/2
    sources, the farthest of which must go half-way round and crosses half of the time: again (k-1)/2.  Along y the same
    holds for destinations.  Capacity is 8k/(k^2-1) for odd and 8/k for even k.
    """
    return Fraction(k + 1, 4 * k) if k % 2 else Fraction(k, 4 * (k - 1))


def trend(here: Here = HERE, *, ks: Sequence[int] = tuple(range(3, 18))) -> StudyResult:
    """The trend in k: Towles & Dally 2002 (SPAA '02, sec. 5, p. 6, last paragraph), and the same words in memo 121.

    "As k increases beyond 9, DOR approaches approximately 0.26 of capacity, while ROMM approaches 0.14 or about half
    that of DOR", and footnote 5: "even values of k follow the same trends".  DOR's worst case is (k+1)/(4k) of capacity
    for odd k and k/(4(k-1)) for even k: both fall towards 1/4.  0.26 and 0.14 are what comes out at k = 17; neither is
    a limit.

    Worst cases of DOR and ROMM for each k in ``ks`` (all at least 3), each a piece of work.
    """
    if not ks or min(ks) < 3:
        raise InputError(f"study {here.name} was asked for k = {list(ks)}; radices of at least 3 were expected")
    rows: list[Row] = []
    romm: dict[int, Fraction] = {}
    kind: dict[str, object] = {"quantity": "worst_case_throughput_of_capacity"}
    pieces = {f"k = {k}": {"k": k} for k in ks}
    found = here.done("radices", worst_cases, pieces)
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
