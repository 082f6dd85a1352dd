"""Figure 9 of Towles & Dally 2002 (SPAA '02, p. 7; also Figure 9 of memo 121).

"Worst-case permutation for ROMM on a 9-ary 2-cube.  Entry (i, j) of the matrix denotes the destination node of the
source on row i column j."  The 81 printed entries are judged: are they a permutation, how much do they load which
channel, and is that the exact worst case?  A pair (a, b) could name its node by row and column, as the caption does, or
by column and row: both readings are tried.
"""

from __future__ import annotations

from ...core.traffic import Permutation, Traffic
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.torus import torus
from ...worst.capacity import known_capacity
from ...worst.loads import busiest_channels, channel_loads_under, throughput
from ...worst.scan.exact import worst_case
from ..pieces import Progress, silent
from ..result import Row, StudyResult, checked

NAME = "towles-dally-2002-figure-9"

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


def run(progress: Progress = silent) -> StudyResult:
    """Judge the printed permutation in both readings."""
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
        NAME,
        "The printed worst-case permutation for ROMM on the 9-ary 2-cube",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), Figure 9, p. 7",
        "Worst-case permutation for ROMM on a 9-ary 2-cube",
        tuple(rows),
    )
