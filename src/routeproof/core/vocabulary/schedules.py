"""The words of results about schedules of collectives."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

_PAGE = "docs/schedules.md"

OF_SCHEDULES: Mapping[str, Quantity] = {
    "fifo_depth": Quantity(
        "The least number of messages that every connection of a schedule must hold so that no execution deadlocks; a "
        "message is what one step sends.",
        "messages",
        _PAGE,
        name="least FIFO depth",
    ),
    "race_free": Quantity(
        "Whether every two steps of a schedule that touch one chunk, one of them writing, run in the same order in "
        "every execution, however deep connections are.",
        "",
        _PAGE,
        name="race-free",
        verdicts=("free of races", "races"),
    ),
    "result_correct": Quantity(
        "Whether every rank of a schedule ends with what the collective asks for, in every execution; of false, there "
        "is an execution after which some rank does not.",
        "",
        _PAGE,
        name="result correct",
        verdicts=("right", "wrong"),
    ),
    "collective_time": Quantity(
        "How many cycles a schedule, or an algorithm by phases with a latency of alpha each, takes for one unit of a "
        "rank, on channels that carry as much as their bandwidths: its share of the data; of a broadcast or reduce, "
        "the root's data; of an all-to-all, what it sends to all ranks, itself included. Of a schedule, from below the "
        "channel that carries most; from above all messages that can go at once in one phase, phase after phase.",
        "cycles",
        _PAGE,
        name="time",
    ),
    "times_optimal": Quantity(
        "The time of a schedule, or of an algorithm by phases, over the least time that any schedule takes on the "
        "network, whatever its paths, without latency: that of one unit at the best collective_throughput.",
        "times the least",
        _PAGE,
        name="time relative to the optimum",
    ),
    "reduction_orders": Quantity(
        "The most different orders in which the ranks of a schedule add up one chunk, where a + b is b + a, and "
        "(a + b) + c is not a + (b + c), as in floating point. 1: all ranks end with the same bits.",
        "",
        _PAGE,
        name="reduction orders",
    ),
}
