"""Claims about collectives as sentences: how fast no schedule is, what reaches it, and whether a schedule is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ...core.schedules.own_phases import OWN
from ..choice import Choice
from ..sentences import Field
from ..words import name_text
from .weighted_cuts import WEIGHTED_CUTS

_RATE = "collective_throughput"
_ASSUMED = ", if every message carries one value and switches neither add nor copy"
_MEETING = ", whatever phases of theirs it meets, if every job sends each phase evenly over its time"
_OF_RATE = ("operation", "root", "switches", "host_cables")


def rates(choice: Choice, field: Field) -> Iterator[str]:
    """What no schedule of each operation passes, and what one reaches."""
    for about in choice.abouts(_RATE, ("root", "switches", "host_cables"), ("==", "<=", ">="), must=("operation",)):
        exact = choice.number(_RATE, "==", about)
        high = exact if exact is not None else choice.number(_RATE, "<=", about)
        low = exact if exact is not None else choice.number(_RATE, ">=", about)
        what = _named(about, field)
        share = "" if "root" in about else " and rank"
        assumed = assumed_of(choice, about)
        if exact is not None:
            yield f"{what} can go on at {_units(exact, field)}{share}, and no schedule is faster{assumed}."
        elif high is not None and low is not None:
            yield (
                f"{what} can go on at {_units(low, field)}{share}, and no schedule is faster than "
                f"{field.number(high)}{assumed}."
            )
        elif high is not None:
            yield f"{what} cannot go on faster than at {_units(high, field)}{share}{assumed}."
        elif low is not None:
            yield f"{what} can go on at {_units(low, field)}{share}."


def times(choice: Choice, field: Field) -> Iterator[str]:
    """How long an operation takes by an algorithm, and how many times the least time that is."""
    for about in choice.abouts(
        "collective_time", ("root", "alpha", "host_cables"), ("==",), must=("operation", "algorithm")
    ):
        time = choice.number("collective_time", "==", about)
        load = choice.number("phase_load", "==", {k: x for k, x in about.items() if k != "alpha"})
        if time is None:
            continue
        latency = f", with a latency of {about['alpha']} a phase" if "alpha" in about else ""
        what = f"{_named(about, field)} by {_by(about['algorithm'])}"
        text = f"{what} takes {_cycles(time, field)} for one unit of a rank"
        worst = "" if load is None else f"; the worst phase loads a channel with {field.number(load)} a message"
        yield f"{text}{latency}{_of_orders(choice, field, about)}{_ratio(choice, field, about)}{worst}."


def jobs(choice: Choice, field: Field) -> Iterator[str]:
    """How long every job takes alone, and at most beside the others."""
    for about in choice.abouts(
        "collective_time", ("alpha", "host_cables"), ("==",), must=("operation", "algorithm", "job")
    ):
        alone = choice.number("collective_time", "==", about)
        beside = choice.number("collective_time", "<=", {**about, "alignment": "any"})
        if alone is None:
            continue
        latency = f", with a latency of {about['alpha']} a phase" if "alpha" in about else ""
        name = name_text(about["job"], field.quoted)
        what = f"{_named(about, field)} by {_by(about['algorithm'])}"
        text = f"Job {name}: {what} takes {_cycles(alone, field)} alone"
        most = "" if beside is None else f", and at most {field.number(beside)} beside the other jobs{_MEETING}"
        yield f"{text}{latency}{most}."


def executions(choice: Choice) -> Iterator[str]:
    """Whether every execution of a schedule ends, without a race, with what the collective asks for; and its time."""
    ends, races, right = (choice.just(x) for x in ("deadlock_free", "race_free", "result_correct"))
    depth, time = (choice.number(x) for x in ("fifo_depth", "collective_time"))
    if ends is not None and ends.value != "true":
        yield "This schedule hangs: steps of it wait for one another, however many messages its connections hold."
    elif ends is not None and depth is not None:
        many = "message" if depth == 1 else "messages"
        yield f"Every execution of this schedule ends if every connection holds at least {depth} {many}."
    if races is not None and races.value != "true":
        yield "This schedule has a race: two steps that touch one chunk, one of them writing, run in no fixed order."
    if right is not None:
        what = "Every rank ends with what" if right.value == "true" else "A rank ends with something else than"
        yield f"{what} the collective asks for."
    if time is not None:
        yield f"One unit of a rank takes {time} cycle{'' if time == 1 else 's'}."


def _cycles(time: Fraction, field: Field) -> str:
    return f"{field.number(time)} cycle{'' if time == 1 else 's'}"


def assumed_of(choice: Choice, about: Mapping[str, Any]) -> str:
    """What the bound on all schedules of an operation assumes, ``", if switches copy nothing"``; "" for nothing."""
    if about["operation"] == "all-reduce":
        return _ASSUMED
    rate = choice.just(_RATE, "==", {k: x for k, x in about.items() if k in _OF_RATE})
    if rate is None or rate.evidence.kind != WEIGHTED_CUTS.name:
        return ""
    return f", if switches {'add' if about['operation'] == 'reduce-scatter' else 'copy'} nothing"


def _of_orders(choice: Choice, field: Field, about: Mapping[str, Any]) -> str:
    """``, in the best of all orders of the ranks``; in which order it is, where others are not known to be worse."""
    every = {**about, "orders": "all"}
    least, bound = choice.number("collective_time", "==", every), choice.number("collective_time", ">=", every)
    if least is not None:
        same = least == choice.number("collective_time", "==", about)
        return ", the least of all orders of the ranks" if same else f"; the best order takes {field.number(least)}"
    return "" if bound is None else f" (at least {field.number(bound)} in every order of the ranks)"


def _by(algorithm: object) -> str:
    return "the phases that this report holds" if algorithm == OWN else str(algorithm)


def _ratio(choice: Choice, field: Field, about: Mapping[str, Any]) -> str:
    """``, 4 times the least time of all schedules``."""
    assumed = assumed_of(choice, about)
    for relation, words in (("==", ""), ("<=", "at most "), (">=", "at least ")):
        ratio = choice.number("times_optimal", relation, about)
        if ratio is not None:
            return f", {words}{field.number(ratio)} times the least of all schedules without latency{assumed}"
    return ""


def _units(rate: Fraction, field: Field) -> str:
    return f"{field.number(rate)} fresh {'unit' if rate == 1 else 'units'} per cycle"


def _named(about: Mapping[str, Any], field: Field) -> str:
    """``An all-gather``, ``A broadcast from terminal 3``."""
    operation = str(about["operation"])
    root = f" from {field.host} {about['root']}" if "root" in about else ""
    copying = ", if switches copy," if "switches" in about else ""
    cables = f" over the {field.host}s' own cables and the network" if "host_cables" in about else ""
    return f"{'An' if operation[0] in 'aeiou' else 'A'} {operation}{root}{cables}{copying}"
