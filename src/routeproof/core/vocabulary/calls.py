"""Quantities of calls on nonblocking networks."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

__all__ = ["OF_CALLS"]

_CALLS = "Maggs, Randomly Wired Multistage Networks, sec. 5"
_REARRANGED = "Opferman & Tsao-Wu 1971; Paull 1962"

OF_CALLS: Mapping[str, Quantity] = {
    "requests": Quantity("requests", "calls", "How many calls are requested, one after the other.", _CALLS),
    "blocked_by_rule": Quantity(
        "blocked by rule",
        "calls",
        "How many calls fail because every free path goes through a switch that the on-line algorithm calls blocked.",
        _CALLS,
    ),
    "blocked_without_path": Quantity(
        "blocked without path", "calls", "How many calls fail because no free path is left.", _CALLS
    ),
    "hang_ups": Quantity("hang-ups", "calls", "How many calls end.", _CALLS),
    "calls_in_progress": Quantity("calls in progress", "calls", "How many calls are left at the end.", _CALLS),
    "blocking_probability": Quantity(
        "blocking probability",
        "of last requests",
        "The probability that a call fails when it is requested after random calls and hang-ups.",
        _CALLS,
    ),
    "no_path_probability": Quantity(
        "no-path probability",
        "of last requests",
        "The probability that no free path is left for a call when it is requested after random calls and hang-ups.",
        _CALLS,
    ),
    "together_calls": Quantity(
        "simultaneous calls",
        "calls",
        "How many calls are requested at the same time, beside the calls in progress.",
        _CALLS,
    ),
    "together_connected": Quantity(
        "simultaneous calls connected", "calls", "How many of the simultaneous calls are connected.", _CALLS
    ),
    "together_steps": Quantity(
        "steps for simultaneous calls",
        "path-extension steps",
        "The most path-extension steps that the simultaneous calls of one trial take.",
        _CALLS,
    ),
    "always_connects": Quantity(
        "always connects",
        "",
        "Whether the on-line algorithm connects every call between an idle input and an idle output, whatever calls "
        "came before.",
        _CALLS,
    ),
    "strictly_nonblocking": Quantity(
        "strictly nonblocking",
        "",
        "Whether a free path joins every idle input to every idle output, whatever calls are in progress and however "
        "they were routed.",
        _CALLS,
    ),
    "realised": Quantity(
        "realised", "", "Whether disjoint paths connect all pairs of the permutation at the same time.", _REARRANGED
    ),
    "rearrangeable": Quantity(
        "rearrangeable", "", "Whether disjoint paths connect all pairs of every permutation.", _REARRANGED
    ),
}
