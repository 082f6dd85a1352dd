"""Quantities of collective operations: rates, and the bandwidths that NCCL's tests print."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import PER_RANK, Quantity

_NCCL = "NVIDIA, nccl-tests, PERFORMANCE.md"

OF_COLLECTIVES: Mapping[str, Quantity] = {
    "collective_throughput": Quantity(
        "The largest rate at which a collective can go on: how many fresh units every rank emits in a cycle, all of "
        "which every rank receives (all-gather); the units that every rank ends with (reduce-scatter, all-reduce: its "
        "share of what is reduced); what the root emits (broadcast); what a rank sends to all ranks together, itself "
        "included (all-to-all). Channels carry as much as their bandwidths, and neither latency nor "
        "the cable between a host and its switch counts; ranks copy and add, switches copy only where it "
        "says so; in an all-reduce a message carries one value, an element or a sum.",
        PER_RANK,
        "Edmonds 1973; Zhao et al. 2024 (ForestColl)",
    ),
    "algorithm_bandwidth": Quantity(
        "The size of a collective over its time, as nccl-tests defines the size: what all ranks gather, scatter or "
        "reduce; what the root of a broadcast sends; what one rank sends in an all-to-all.",
        "units of bandwidth",
        _NCCL,
    ),
    "bus_bandwidth": Quantity(
        "Algorithm bandwidth times a factor that makes it comparable with the bandwidth of the hardware: (n - 1) / n "
        "for n ranks, twice that for an all-reduce, 1 for a broadcast.",
        "units of bandwidth",
        _NCCL,
    ),
    "phase_load": Quantity(
        "The largest load per bandwidth of a channel in any phase of a collective's algorithm, when every message of "
        "the phase is one unit. 1, on channels of bandwidth 1: no two messages of a phase share a channel.",
        "messages/bandwidth",
        "Zahavi 2012 (J. Supercomputing)",
        name="load of the worst phase",
    ),
    "aligned_load": Quantity(
        "The most cycles that one channel needs for the messages of one phase of every job at once, over all "
        "combinations of phases; some combination needs them, however the channel is shared.",
        "cycles",
        "Thakur, Rabenseifner & Gropp 2005 (Int. J. High Perform. Comput. Appl. 19)",
        name="load if phases meet in the worst way",
    ),
    "others_load": Quantity(
        "The most cycles that one phase of every other job takes of a channel that the job also uses.",
        "cycles",
        "Thakur, Rabenseifner & Gropp 2005 (Int. J. High Perform. Comput. Appl. 19)",
        name="load of the other jobs",
    ),
}
