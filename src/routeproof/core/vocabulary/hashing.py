"""Quantities of flows that do not split: what hashes pick, and whether a measured split is chance."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import PER_BANDWIDTH, Quantity

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
        "The probability that a fair hash splits so many flows as unevenly as was measured, or more: of all splits "
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
