"""Published rates of collectives beside the exact optimum: what is proved optimal, what was not known to be, and what
is impossible.

Rates are algorithm bandwidths in GB/s on boxes of GPUs (``topologies.datacenter.gpu_boxes``), of a slice of TPUs in
units of a link's bandwidth.

Source: ForestColl (Zhao et al. 2024; liangyuRain/ForestColl, 3c13aee8); TE-CCL (Liu et al. 2024; microsoft/TE-CCL,
c128bf24, ``teccl/examples/experiments/output_provided``, 1GB.json); SCCL (Cai et al. 2021; microsoft/msccl-tools,
030a750f, SYNTHESIS.md); Zahavi 2012; AI-Hypercomputer/accelerator-microbenchmarks, pull request 127.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import NamedTuple

from ..core.collective import broadcasts_of
from ..core.errors import InputError
from ..core.schedules.phases import phases_of
from ..optimum.collectives.all_to_all import all_to_all_claims
from ..optimum.collectives.result import best_broadcasts
from ..routing.named.spec import routing_from_spec
from ..topologies.family import network_from_spec
from ..worst.phase_loads import phase_loads
from .result import Row, Sheet, StudyResult, compared, decimal, silent


class _Printed(NamedTuple):
    """What ``source`` prints of an operation, in units of 1 / ``scale`` GB/s."""

    network: str
    operation: str
    source: str
    printed: str
    scale: Fraction = Fraction(1)


_FOREST, _TE, _SOME = "ForestColl", "TE-CCL", "TE-CCL, 15 of 16 GPUs"
_PUBLISHED = (
    _Printed("a100:1", "all-gather", _FOREST, "342.86"),
    _Printed("a100:2", "all-gather", _FOREST, "346.67"),
    _Printed("a100:4", "all-gather", _FOREST, "266.67"),
    _Printed("mi250:1", "all-gather", _FOREST, "342.86"),
    _Printed("mi250:2", "all-gather", _FOREST, "354.13"),
    _Printed("dgx1", "all-gather in 3 steps", "SCCL", "6/7", Fraction(1, 8 * 25)),
    _Printed("dgx1", "all-gather in 2 steps", "SCCL", "2/3", Fraction(1, 8 * 25)),
    _Printed("dgx2:2", "all-gather", _TE, "129.032"),
    _Printed("dgx2:2", "all-to-all", _TE, "12.422"),
    _Printed("ndv2:2", "all-gather", _SOME, "22.857"),
    _Printed("ndv2:2", "all-to-all", _SOME, "3.524"),
    _Printed("ndv2:4", "all-gather", _TE, "15.385"),
)
_SLICES = ("torus:4x4x4", "torus:4x4x8", "twisted-torus:4x4x8")
_TREES = ("fat-tree:4", "fat-tree:8")


def run(
    progress: Callable[[str], None] = silent, *, networks: Sequence[str] | None = None,
) -> StudyResult:  # fmt: skip
    """The study; ``networks``: only those of them."""
    known = [*(x.network for x in _PUBLISHED), *_TREES, *_SLICES]
    for x in networks or ():
        if x not in known:
            raise InputError(f"the study of collectives has no {x[:40]}; one of {', '.join(dict.fromkeys(known))}")
    chosen = set(networks or known)
    rows: list[Row] = []
    lines: list[tuple[str, ...]] = []
    for printed in (x for x in _PUBLISHED if x.network in chosen):
        progress(f"{printed.operation} on {printed.network}")
        row, line = _beside(printed)
        rows.append(row)
        lines.append(line)
    for name in (x for x in _TREES if x in chosen):
        progress(f"shifts on {name}")
        load = _shifts(name)
        agrees = load == 1
        label = f"{name}, all shifts with D-mod-K, load of the worst one"
        rows.append(Row(label, load, "1", agrees, "" if agrees else "two messages share a channel"))
        lines.append(
            (f"{name}, all shifts, D-mod-K", "Zahavi 2012", "load 1", f"load {load}", "right" if agrees else "wrong")
        )
    for name in (x for x in _SLICES if x in chosen):
        progress(f"all-to-all on {name}")
        row, line = _slice(name)
        rows.append(row)
        lines.append(line)
    heads = ("network and operation", "source", "printed", "exact", "the printed rate is")
    return StudyResult(
        "Collectives: published rates beside the exact optimum",
        "ForestColl, TE-CCL, SCCL, Zahavi 2012, and the hand formula for TPU slices",
        "algorithm bandwidth in GB/s; SCCL: chunks in a round of one chunk a NVLink; slices: in units of a link",
        tuple(rows),
        Sheet(heads, tuple(lines)),
    )


def _optimum(network_text: str, operation: str) -> Fraction:
    """The best algorithm bandwidth."""
    network = network_from_spec(network_text)
    if operation == "all-to-all":
        claims = all_to_all_claims(network, None, None, about={"operation": operation})
        return next(x.number for x in claims if x.relation == "==")
    best = best_broadcasts(broadcasts_of(network, "all-gather"))
    if best.rate != best.cut.rate:
        raise AssertionError(f"cut and trees of {network_text} do not meet")
    return best.rate * network.num_terminals


def _beside(printed: _Printed) -> tuple[Row, tuple[str, ...]]:
    value = _optimum(printed.network, printed.operation) * printed.scale
    label = f"{printed.network}, {printed.operation}, {printed.source}"
    ratio = Fraction(printed.printed) / value
    row = compared(label, value, printed.printed, _why(printed, ratio))
    if "/" in printed.printed:  # a fraction, not a rounded number
        row = replace(row, agrees=ratio == 1, note="" if ratio == 1 else _why(printed, ratio))
    verdict = "the optimum" if row.agrees else _verdict(printed, ratio)
    what = f"{printed.network}, {printed.operation}"
    return row, (what, printed.source, printed.printed, row.computed_text(), verdict)


def _verdict(printed: _Printed, ratio: Fraction) -> str:
    if ratio > 1:
        return "impossible for all GPUs"
    return "of 15 GPUs alone" if printed.source == _SOME else f"{decimal(ratio * 100, 1)} % of the optimum"


def _why(printed: _Printed, ratio: Fraction) -> str:
    if printed.source == _SOME:
        return "its schedules serve 15 of 16 GPUs: GPU 0 is taken for a switch"
    reached = f"the printed schedule reaches {decimal(ratio * 100, 1)} % of the optimum, which a cut and trees prove"
    if printed.operation == "all-to-all":
        return reached.replace("a cut and trees prove", "lengths and a flow prove")
    return reached


def _shifts(name: str) -> Fraction:
    """The largest load of a channel under any shift."""
    network = network_from_spec(name)
    size = network.num_terminals
    loads = phase_loads(routing_from_spec("dmodk", network), phases_of("linear-shift", "all-to-all", size), range(size))
    return max(x.load for x in loads)


def _slice(name: str) -> tuple[Row, tuple[str, ...]]:
    """Half of all data crosses the middle of the longest dimension k of N chips, over 2 N / k links each way."""
    radix = [int(x) for x in name.partition(":")[2].split("x")]
    longest = max(radix)
    chips = prod(radix)
    hand = Fraction(2 * chips, longest) * 4 / chips
    value = _optimum(name, "all-to-all")
    label = f"{name}, all-to-all, bisection of the longest dimension"
    reason = "the hand formula knows the radices only; ways around of a twisted torus cross the middle elsewhere"
    row = Row(label, value, str(hand), value == hand, "" if value == hand else reason)
    ratio = hand / value
    verdict = "the optimum" if ratio == 1 else f"{decimal(ratio * 100, 1)} % of the optimum"
    return row, (f"{name}, all-to-all", "hand formula", str(hand), row.computed_text(), verdict)
