"""Quantities of routings on networks: load, throughput, path length, deadlock, failures."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity
from .units import HOPS, OF_CAPACITY, OF_MINIMAL, OF_RATES, PER_BANDWIDTH, PER_TERMINAL

__all__ = ["OF_ROUTINGS"]

_SIMULATED = "Dally & Towles 2004, ch. 23 and 24"
_BELOW_CAPACITY = "  as a fraction of capacity"

OF_ROUTINGS: Mapping[str, Quantity] = {
    "worst_case_load": Quantity(
        "worst-case channel load",
        PER_BANDWIDTH,
        "The largest load per bandwidth that admissible traffic can put on a channel, when terminals send as much as "
        "they may.",
        "Towles & Dally 2002, sec. 2.2",
    ),
    "worst_case_throughput": Quantity(
        "worst-case throughput",
        PER_TERMINAL,
        "The largest injection rate at which no admissible traffic overloads a channel: the least throughput of all "
        "admissible traffic. Under the hose model, the largest factor on all given rates.",
        "Towles & Dally 2002, sec. 2.2",
        {"hose": OF_RATES},
    ),
    "worst_case_throughput_of_capacity": Quantity(
        "worst-case throughput as a fraction of capacity",
        OF_CAPACITY,
        "Worst-case throughput over the capacity of the network.",
        "Towles & Dally 2002, sec. 5",
        part_of=("worst_case_throughput", _BELOW_CAPACITY),
    ),
    "average_case_throughput": Quantity(
        "average-case throughput",
        PER_TERMINAL,
        "The mean throughput of random traffic matrices.",
        "Towles, Dally & Boyd 2003, sec. 3.3",
    ),
    "average_case_throughput_of_capacity": Quantity(
        "average-case throughput of capacity",
        OF_CAPACITY,
        "Average-case throughput over the capacity of the network.",
        "Towles, Dally & Boyd 2003, sec. 3.3",
    ),
    "capacity": Quantity(
        "capacity",
        PER_TERMINAL,
        "The largest throughput that any routing reaches under uniform traffic.",
        "Towles & Dally 2002, sec. 5",
    ),
    "throughput": Quantity(
        "throughput",
        PER_TERMINAL,
        "The injection rate at which some channel is saturated under the named traffic: the least bandwidth over load "
        "of a channel.",
        "Towles & Dally 2002, sec. 2.2",
    ),
    "throughput_of_capacity": Quantity(
        "throughput as a fraction of capacity",
        OF_CAPACITY,
        "Throughput over the capacity of the network.",
        "Towles & Dally 2002, sec. 5",
        part_of=("throughput", _BELOW_CAPACITY),
    ),
    "average_path_length": Quantity(
        "average path length",
        HOPS,
        "The mean number of hops of a packet, over all pairs of terminals alike; a terminal's pair with itself counts, "
        "with 0 hops.",
        "Towles, Dally & Boyd 2003, eq. 5",
    ),
    "average_path_length_of_minimal": Quantity(
        "average path length relative to shortest paths",
        OF_MINIMAL,
        "Average path length over the average if every packet took a shortest path.",
        "Towles, Dally & Boyd 2003, sec. 2.3",
        part_of=("average_path_length", "  relative to shortest paths"),
    ),
    "deadlock_free": Quantity(
        "deadlock-free",
        "",
        "Whether the channel dependency graph has no cycle, so that no set of packets can wait for one another for "
        "ever.",
        "Dally & Seitz 1987",
    ),
    "virtual_channels": Quantity(
        "virtual channels",
        "per channel",
        "How many virtual channels suffice to make the channel dependency graph acyclic, under the named assignment.",
        "Dally & Seitz 1987",
    ),
    "connected_probability": Quantity(
        "connected probability",
        "of failures",
        "The probability that all terminals stay connected after a random failure.",
    ),
    "retained_throughput": Quantity(
        "retained throughput",
        "of the whole network's",
        "The mean worst-case throughput after a random failure, over that of the network without failures; at most 1, "
        "and 0 where terminals are disconnected.",
    ),
    "offered_rate": Quantity(
        "offered rate",
        PER_TERMINAL,
        "The rate at which terminals inject packets in a simulation.",
        _SIMULATED,
    ),
    "accepted_rate": Quantity(
        "accepted rate",
        PER_TERMINAL,
        "The rate at which packets arrive at their destinations in a simulation.",
        _SIMULATED,
    ),
    "queue_growth": Quantity(
        "queue growth",
        PER_TERMINAL,
        "The rate at which the number of packets in the network grows; 0 below saturation.",
        _SIMULATED,
    ),
    "average_delay": Quantity(
        "average delay",
        "cycles",
        "The mean time from the injection of a packet to its arrival.",
        _SIMULATED,
    ),
    "average_hops": Quantity(
        "average hops",
        HOPS,
        "The mean number of hops of the packets that arrived.",
    ),
}
