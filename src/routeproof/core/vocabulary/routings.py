"""Quantities of routings on networks: load, throughput, path length, deadlock, failures; flows that hashes pick."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import HOPS, OF_CAPACITY, OF_MINIMAL, OF_RATES, PER_BANDWIDTH, PER_TERMINAL, Quantity

_SIMULATED = "Dally & Towles 2004, ch. 23 and 24"
_BELOW_CAPACITY = "  as a fraction of capacity"

OF_ROUTINGS: Mapping[str, Quantity] = {
    "worst_case_load": Quantity(
        "The largest load per bandwidth that admissible traffic can put on a channel, when terminals send as much as "
        "they may.",
        PER_BANDWIDTH,
        "Towles & Dally 2002, sec. 2.2",
        name="worst-case channel load",
    ),
    "adaptive_load": Quantity(
        "The largest load per bandwidth over all admissible traffic when every demand has the best flow of its own: "
        "ideal adaptive routing, whose rates may depend on the whole demand. There are no queues in it.",
        PER_BANDWIDTH,
        "Shahrokhi & Matula 1990 (J. ACM 37)",
        name="ideal adaptive channel load",
    ),
    "adaptive_throughput": Quantity(
        "The largest injection rate that ideal adaptive routing carries whatever the admissible traffic: the inverse "
        "of the ideal adaptive load.",
        PER_TERMINAL,
        name="ideal adaptive throughput",
        units={"hose": OF_RATES},
    ),
    "price_of_obliviousness": Quantity(
        "The worst-case load of the best oblivious routing over that of ideal adaptive routing, for the same traffic: "
        "at least 1. Where the demands tell the terminals of one node apart, the best is that of those which treat "
        "them alike.",
        "",
        name="price of obliviousness",
    ),
    "jobs_share_channels": Quantity(
        "Whether some channel is crossed by packets of two jobs, when every packet stays inside its job.",
        "",
        name="jobs share channels",
    ),
    "worst_case_throughput": Quantity(
        "The largest injection rate at which no admissible traffic overloads a channel: the least throughput of all "
        "admissible traffic. Under the hose model, the largest factor on all given rates.",
        PER_TERMINAL,
        "Towles & Dally 2002, sec. 2.2",
        name="worst-case throughput",
        units={"hose": OF_RATES},
    ),
    "worst_case_throughput_of_capacity": Quantity(
        "Worst-case throughput over the capacity of the network.",
        OF_CAPACITY,
        "Towles & Dally 2002, sec. 5",
        name="worst-case throughput as a fraction of capacity",
        part_of=("worst_case_throughput", _BELOW_CAPACITY),
    ),
    "average_case_throughput": Quantity(
        "The mean throughput of random traffic matrices.",
        PER_TERMINAL,
        "Towles, Dally & Boyd 2003, sec. 3.3",
        name="average-case throughput",
    ),
    "average_case_throughput_of_capacity": Quantity(
        "Average-case throughput over the capacity of the network.",
        OF_CAPACITY,
        "Towles, Dally & Boyd 2003, sec. 3.3",
        name="average-case throughput of capacity",
    ),
    "capacity": Quantity(
        "The largest throughput that any routing reaches under uniform traffic.",
        PER_TERMINAL,
        "Towles & Dally 2002, sec. 5",
    ),
    "throughput": Quantity(
        "The injection rate at which some channel is saturated under the named traffic: the least bandwidth over load "
        "of a channel.",
        PER_TERMINAL,
        "Towles & Dally 2002, sec. 2.2",
    ),
    "num_switches": Quantity("How many switches the network has, those inside servers left out.", name="switches"),
    "num_cables": Quantity(
        "How many cables the network has: one for every host, and as many between two switches as their link has "
        "bandwidth, rounded up.",
        name="cables",
    ),
    "cost_per_host": Quantity(
        "What switches and cables cost at the prices given, over the number of hosts.",
        "units of the prices",
        name="cost per host",
    ),
    "worst_shift_throughput": Quantity(
        "The least throughput under a shift: terminal t sends to terminal t + k, modulo their number, for the worst k. "
        "Terminals are numbered as the network has them.",
        PER_TERMINAL,
        "Zahavi 2012 (J. Parallel Distrib. Comput. 72)",
        name="throughput under the worst shift",
    ),
    "throughput_of_capacity": Quantity(
        "Throughput over the capacity of the network.",
        OF_CAPACITY,
        "Towles & Dally 2002, sec. 5",
        name="throughput as a fraction of capacity",
        part_of=("throughput", _BELOW_CAPACITY),
    ),
    "average_path_length": Quantity(
        "The mean number of hops of a packet, over all pairs of terminals; a terminal's pair with itself counts, "
        "with 0 hops.",
        HOPS,
        "Towles, Dally & Boyd 2003, eq. 5",
    ),
    "average_path_length_of_minimal": Quantity(
        "Average path length over the average if every packet took a shortest path.",
        OF_MINIMAL,
        "Towles, Dally & Boyd 2003, sec. 2.3",
        name="average path length relative to shortest paths",
        part_of=("average_path_length", "  relative to shortest paths"),
    ),
    "deadlock_free": Quantity(
        "Whether the channel dependency graph has no cycle, so that packets cannot wait for each other forever. Of a "
        "schedule of a collective: whether all steps run to the end, if connections hold enough messages.",
        "",
        "Dally & Seitz 1987",
        name="deadlock-free",
        verdicts=("free of deadlock", "can deadlock"),
    ),
    "escape_acyclic": Quantity(
        "Whether the extended dependency graph of an escape routing, its direct and indirect dependencies beside fully "
        "adaptive minimal routing, has no cycle. Then that routing cannot deadlock under wormhole switching, where a "
        "lane holds flits of one packet at a time, and packets that arrive are consumed.",
        "",
        "Duato 1993 (IEEE TPDS 4)",
        name="Duato's condition",
        verdicts=("holds", "does not hold"),
    ),
    "virtual_channels": Quantity(
        "How many virtual channels suffice to make the channel dependency graph acyclic, under the named assignment.",
        "per channel",
        "Dally & Seitz 1987",
    ),
    "pairs_cut": Quantity(
        "How many ordered pairs of terminals lose packets after a failure, of the terminals that are left: until "
        "somebody reroutes them, or for good where no path is left.",
        "pairs of terminals",
        name="pairs cut",
    ),
    "entries_by_rule": Quantity(
        "How many next-hop groups of today's routes are made by the rule that is applied after a failure, hop-by-hop "
        "equal-cost multipath over shortest paths: all that packets come to.",
        "entries",
        name="entries that the rule makes, which are all",
    ),
    "cables_missing": Quantity(
        "How many cables of the intent the fabric does not have, swaps left out.", "cables", name="cables missing"
    ),
    "cables_extra": Quantity(
        "How many cables of the fabric are not in the intent, swaps left out.", "cables", name="cables extra"
    ),
    "cables_swapped": Quantity(
        "How many pairs of cables have two ends plugged crosswise.", "pairs of cables", name="cables swapped"
    ),
    "cables_slow": Quantity("How many cables are slower than intended.", "cables", name="cables slow"),
    "cables_fast": Quantity("How many cables are faster than intended.", "cables", name="cables fast"),
    "cables_one_sided": Quantity(
        "How many cables carry packets in one direction only, and are intended for both.",
        "cables",
        name="cables one-sided",
    ),
    "best_throughput_mended": Quantity(
        "The best worst-case throughput of a fabric after the given number of its deviations from the intent are "
        "mended (or new cables plugged in), over all sets of that size; with >=, over those sets that were tried.",
        PER_TERMINAL,
        name="worst-case throughput, the best set mended",
    ),
    "switches_missing": Quantity("How many switches of the intent the fabric does not have.", "switches"),
    "switches_extra": Quantity("How many switches of the fabric are not in the intent.", "switches"),
    "hosts_missing": Quantity("How many hosts fewer than intended are at switches.", "hosts"),
    "hosts_extra": Quantity("How many hosts more than intended are at switches.", "hosts"),
    "connected_probability": Quantity(
        "The probability that all terminals stay connected after a random failure; by the repair rule none, that no "
        "pair of them loses packets.",
        "of failures",
    ),
    "retained_throughput": Quantity(
        "The mean worst-case throughput after a random failure, over that of the network without failures; at most 1, "
        "and 0 where terminals are disconnected, or pairs lose packets.",
        "of the whole network's",
    ),
    "offered_rate": Quantity("The rate at which terminals inject packets in a simulation.", PER_TERMINAL, _SIMULATED),
    "accepted_rate": Quantity(
        "The rate at which packets arrive at their destinations in a simulation.", PER_TERMINAL, _SIMULATED
    ),
    "queue_growth": Quantity(
        "The rate at which the number of packets in the network grows; 0 below saturation.", PER_TERMINAL, _SIMULATED
    ),
    "average_delay": Quantity("The mean time from the injection of a packet to its arrival.", "cycles", _SIMULATED),
    "average_hops": Quantity("The mean number of hops of the packets that arrived.", HOPS),
}


OF_HASHING: Mapping[str, Quantity] = {
    "overload_probability": Quantity(
        "The probability that some channel (or the channel named) carries at least the named load per bandwidth, when "
        "every flow takes one of the paths of its pair at random, independently of all others.",
        "of hashes",
        "Raab & Steger 1998 (RANDOM), balls into bins",
        name="probability of a load",
    ),
    "largest_hashed_load": Quantity(
        "The mean, over such random choices, of the largest load per bandwidth of any channel.",
        PER_BANDWIDTH,
        "Raab & Steger 1998 (RANDOM), balls into bins",
        name="mean of the largest channel load, flows hashed at random",
    ),
    "next_channel_share": Quantity(
        "Of the flows of a pair of terminals that first cross one channel, the share that cross another one next: what "
        "a switch of the second tier may still choose.",
        "of the flows",
        name="share of the next channel",
    ),
    "split_p_value": Quantity(
        "The probability that a fair hash splits these flows as unevenly as was measured, or more: of all splits "
        "that are no likelier (likelihood), or with some member at least as far from its share (deviation).",
        "of splits",
        "Clopper & Pearson 1934 (Biometrika 26); Fisher's exact test",
        name="p-value of the split",
    ),
    "split_within_chance": Quantity(
        "Whether the p-value of the measured split is above the named level.",
        name="split within chance",
        verdicts=("within chance", "not chance"),
    ),
    "split_tolerance": Quantity(
        "The least whole number of flows by which some member is away from its share, or by more, with at most the "
        "named probability, if the hash is fair: what a test may allow, less one.",
        "flows",
        name="deviation that a fair hash rarely reaches",
    ),
}
