"""Probabilities of whole flows that are hashed, worked out a second time: no code is shared with what found them.

Where the finder goes flow by flow and adds up vectors of loads, this goes channel by channel or class by class:
generating functions packed into one integer (Kronecker's substitution), members drawn one after the other, and
thresholds of the largest load one at a time.  All in whole numbers.  ``classes``: [(how many flows, probability by
channel)]; a flow takes one of the channels, or none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from graphlib import CycleError, TopologicalSorter

from ..core.errors import VerificationError
from ..kernel.independent_flows import Chance
from .work import spend

Class = tuple[int, Mapping[int, Fraction]]
Way = tuple[Fraction, tuple[int, ...]]

_MOST_STATES, _MOST_STEPS = 20_000, 4_000_000  # beyond, channels are bounded one by one
_MOST_WAYS = 4096


def none_over(classes: Sequence[Class], room: Mapping[int, int]) -> Chance:
    """The probability that no channel c has more than ``room[c]`` flows: exact, or between bounds."""
    low = high = Fraction(1)
    left = list(classes)
    while left:
        some, channels = [left.pop()], set[int]()
        while True:  # those that have channels in common with it
            channels |= {c for _, chance in some for c in chance}
            more = [x for x in left if channels & x[1].keys()]
            if not more:
                break
            some += more
            left = [x for x in left if not channels & x[1].keys()]
        one = _together(some, sorted(channels), room)
        low, high = low * one.low, high * one.high
    return Chance(low, high)


def _together(classes: Sequence[Class], channels: Sequence[int], room: Mapping[int, int]) -> Chance:
    if any(room[c] < 0 for c in channels):
        return Chance(Fraction(0), Fraction(0))
    if len(channels) == 1:
        return _sure(one_channel(classes, channels[0], room[channels[0]]))
    count = classes[0][0]
    if len(classes) == 1 and (count + 1) * sum(min(room[c], count) + 1 for c in channels) < _MOST_STEPS:
        return _sure(_in_turn(*classes[0], room))
    states = math.prod(room[c] + 1 for c in channels) if len(channels) < 64 else _MOST_STATES + 1
    if states <= _MOST_STATES and states * sum(n * (1 + len(x)) for n, x in classes) <= _MOST_STEPS:
        return _sure(_class_by_class(classes, channels, room))
    alone = [one_channel(classes, c, room[c]) for c in channels]
    return Chance(max(Fraction(0), 1 - sum((1 - x for x in alone), Fraction(0))), min(alone))


def _sure(x: Fraction) -> Chance:
    return Chance(x, x)


def one_channel(classes: Sequence[Class], channel: int, room: int) -> Fraction:
    """The product of (q + p x)^n as one integer, x a power of two beyond all coefficients, cut after x^room."""
    some = [(n, chance[channel]) for n, chance in classes if channel in chance]
    scale = math.prod(p.denominator**n for n, p in some)
    bits = scale.bit_length() + 1
    spend(bits * (room + 1) * len(some) / 100, "the distribution of a channel")
    mask = (1 << bits * (room + 1)) - 1
    product = 1
    for n, p in some:
        base, power = (p.denominator - p.numerator) | p.numerator << bits, 1
        for bit in bin(n)[2:]:
            power = power * power & mask
            if bit == "1":
                power = power * base & mask
        product = product * power & mask
    total = 0
    for k in range(room + 1):
        total += product >> bits * k & (1 << bits) - 1
    return Fraction(total, scale)


def _in_turn(count: int, chance: Mapping[int, Fraction], room: Mapping[int, int]) -> Fraction:
    scale = math.lcm(*(p.denominator for p in chance.values()))
    weights = [int(p * scale) for p in chance.values()]
    spans = [(0, min(room[c], count)) for c in chance]
    return Fraction(in_turn(count, weights, spans, scale - sum(weights)), scale**count)


def in_turn(count: int, weights: Sequence[int], spans: Sequence[tuple[int, int]], rest: int = 0) -> int:
    """One member after the other draws its flows from those that are left; who is left at last takes none (``rest``).

    The weight of all ways in which the number of every member lies in its span.
    """
    left = {count: 1}
    for w, (low, high) in zip(weights, spans, strict=True):
        spend(len(left) * max(1, high - low + 1) / 2, "the distribution of members")
        after: dict[int, int] = {}
        for n, x in left.items():
            term = x * math.comb(n, low) * w**low
            for j in range(low, min(high, n) + 1):
                after[n - j] = after.get(n - j, 0) + term
                term = term * (n - j) * w // (j + 1)
        left = after
    return sum(x * rest**n for n, x in left.items())


def _class_by_class(classes: Sequence[Class], channels: Sequence[int], room: Mapping[int, int]) -> Fraction:
    """All ways to divide a class among its channels at once, class after class."""
    found: dict[tuple[int, ...], Fraction] = {(0,) * len(channels): Fraction(1)}
    for count, chance in classes:
        after: dict[tuple[int, ...], Fraction] = {}
        place = [channels.index(c) for c in chance]
        for parts, weight in _divisions(count, list(chance.values()), [room[c] for c in chance]):
            spend(10 * len(found), "the divisions of flows")
            for load, x in found.items():
                more = list(load)
                for k, n in zip(place, parts, strict=True):
                    more[k] += n
                if all(n <= room[c] for c, n in zip(channels, more, strict=True)):
                    after[tuple(more)] = after.get(tuple(more), Fraction(0)) + x * weight
        found = after
    return sum(found.values(), Fraction(0))


def _divisions(
    count: int, chances: Sequence[Fraction], most: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """(flows of each channel, probability); the others take none."""
    none = 1 - sum(chances, Fraction(0))

    def over(
        k: int, left: int, so_far: tuple[int, ...], weight: Fraction
    ) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        if k == len(chances):
            if none or not left:
                yield so_far, weight * none**left
            return
        for j in range(min(most[k], left) + 1):
            yield from over(k + 1, left - j, (*so_far, j), weight * math.comb(left, j) * chances[k] ** j)

    yield from over(0, count, (), Fraction(1))


# -- small networks, as a whole ---------------------------------------------------------------------------------------


def ways_along(loads: Mapping[int, Fraction], ends: Mapping[int, tuple[int, int]], pair: tuple[int, int]) -> list[Way]:
    """All ways of a flow from ``pair[0]`` to ``pair[1]`` that takes channels out of a node in proportion to ``loads``.

    ``ends``: (tail, head) by channel.
    """
    out: dict[int, list[int]] = {}
    for c in sorted(loads):
        out.setdefault(ends[c][0], []).append(c)

    @cache
    def on(v: int) -> tuple[Way, ...]:
        if v == pair[1]:
            return ((Fraction(1), ()),)
        whole = sum((loads[c] for c in out[v]), Fraction(0))
        found = tuple((loads[c] / whole * p, (c, *path)) for c in out[v] for p, path in on(ends[c][1]))
        if len(found) > _MOST_WAYS:
            raise VerificationError("its pairs have too many paths to write out")
        return found

    return list(on(pair[0]))


def largest_load(flows: Sequence[tuple[int, Sequence[Way]]], width: Mapping[int, Fraction]) -> dict[Fraction, Fraction]:
    """By load per bandwidth: the probability that the largest one is this.  ``flows``: (how many, their ways);
    ``width``: how many flows a channel carries at load 1."""
    most: dict[int, int] = {}
    for n, ways in flows:
        for c in {c for _, path in ways for c in path}:
            most[c] = most.get(c, 0) + n
    levels = sorted({k / width[c] for c, n in most.items() for k in range(1, n + 1)})
    found, below = {}, Fraction(0)
    for level in levels:
        room = {c: int(level * width[c] // 1) for c in most}
        reached = none_over_room(flows, room)
        if reached > below:
            found[level] = reached - below
        below = reached
        if below == 1:
            break
    return found


def none_over_room(flows: Sequence[tuple[int, Sequence[Way]]], room: Mapping[int, int]) -> Fraction:
    """Flow by flow; of what lies on channels only that is remembered which later flows can meet."""
    each = [ways for n, ways in flows for _ in range(n)]
    later: list[set[int]] = [set()]
    for ways in reversed(each):
        later.append(later[-1] | {c for _, path in ways for c in path})
    later.reverse()
    states: dict[frozenset[tuple[int, int]], Fraction] = {frozenset(): Fraction(1)}
    for ways, kept in zip(each, later[1:], strict=True):
        spend(20 * len(states) * len(ways), "the largest load of all ways")
        after: dict[frozenset[tuple[int, int]], Fraction] = {}
        for state, x in states.items():
            load = dict(state)
            for p, path in ways:
                if any(load.get(c, 0) >= room[c] for c in path):
                    continue
                more = {**load, **{c: load.get(c, 0) + 1 for c in path}}
                key = frozenset((c, n) for c, n in more.items() if c in kept)
                after[key] = after.get(key, Fraction(0)) + x * p
        states = after
    return sum(states.values(), Fraction(0))


# -- stages -----------------------------------------------------------------------------------------------------------


def stages_of(
    loads: Sequence[tuple[int, Mapping[int, Fraction]]], ends: Mapping[int, tuple[int, int]]
) -> list[list[Class]]:
    """Channels of which no flow crosses two, with the classes of flows that cross them: all as far from the first ones,
    or, where channels come back to earlier ones, all out of one node.

    ``loads``: (how many flows, the probability of each channel).
    """
    before: dict[int, set[int]] = {c: set() for _, chance in loads for c in chance}
    for _, chance in loads:
        into: dict[int, list[int]] = {}
        for c in chance:
            into.setdefault(ends[c][1], []).append(c)
        for c in chance:
            before[c].update(into.get(ends[c][0], ()))
    level: dict[int, int] = {}
    try:
        for c in TopologicalSorter(before).static_order():
            level[c] = 1 + max((level[x] for x in before[c]), default=0)
    except CycleError:
        level = {c: ends[c][0] for c in before}
    found: dict[int, list[Class]] = {}
    for n, chance in loads:
        parts: dict[int, dict[int, Fraction]] = {}
        for c, p in chance.items():
            parts.setdefault(level[c], {})[c] = p
        for stage, part in parts.items():
            found.setdefault(stage, []).append((n, part))
    return [_alike(x) for x in found.values()]


def _alike(classes: Sequence[Class]) -> list[Class]:
    """Those of one distribution as one."""
    found: dict[frozenset[tuple[int, Fraction]], int] = {}
    for n, chance in classes:
        key = frozenset(chance.items())
        found[key] = found.get(key, 0) + n
    return [(n, dict(key)) for key, n in found.items()]
