"""Quantities of calls on nonblocking networks."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

__all__ = ["OF_CALLS"]

_CALLS = "Maggs, Randomly Wired Multistage Networks, sec. 5"
_REARRANGED = "Opferman & Tsao-Wu 1971; Paull 1962"

OF_CALLS: Mapping[str, Quantity] = {
    "requests": Quantity("How many calls are requested, one after the other.", "calls", _CALLS),
    "blocked_by_rule": Quantity(
        "How many calls fail because every free path goes through a switch that the on-line algorithm calls blocked.",
        "calls",
        _CALLS,
    ),
    "blocked_without_path": Quantity("How many calls fail because no free path is left.", "calls", _CALLS),
    "hang_ups": Quantity("How many calls end.", "calls", _CALLS, name="hang-ups"),
    "calls_in_progress": Quantity("How many calls are left at the end.", "calls", _CALLS),
    "blocking_probability": Quantity(
        "The probability that a call fails when it is requested after random calls and hang-ups.",
        "of last requests",
        _CALLS,
    ),
    "no_path_probability": Quantity(
        "The probability that no free path is left for a call when it is requested after random calls and hang-ups.",
        "of last requests",
        _CALLS,
        name="no-path probability",
    ),
    "together_calls": Quantity(
        "How many calls are requested at the same time, beside the calls in progress.",
        "calls",
        _CALLS,
        name="simultaneous calls",
    ),
    "together_connected": Quantity(
        "How many of the simultaneous calls are connected.", "calls", _CALLS, name="simultaneous calls connected"
    ),
    "together_steps": Quantity(
        "The most path-extension steps that the simultaneous calls of one trial take.",
        "path-extension steps",
        _CALLS,
        name="steps for simultaneous calls",
    ),
    "always_connects": Quantity(
        "Whether the on-line algorithm connects every call between an idle input and an idle output, whatever calls "
        "came before.",
        "",
        _CALLS,
    ),
    "strictly_nonblocking": Quantity(
        "Whether a free path joins every idle input to every idle output, whatever calls are in progress and however "
        "they were routed.",
        "",
        _CALLS,
    ),
    "realised": Quantity(
        "Whether disjoint paths connect all pairs of the permutation at the same time.", "", _REARRANGED
    ),
    "rearrangeable": Quantity("Whether disjoint paths connect all pairs of every permutation.", "", _REARRANGED),
}
