"""Flows that each take one channel of a set, or none, independently at random: the chance that none has too many.

Exact, in whole numbers.  A *class* is a number of flows with one distribution: channel -> probability, what is left of
1 is for none.  Known as occupancy, balls into bins; for one channel the number of flows is Poisson-binomial.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..core.errors import InputError

Class = tuple[int, Mapping[int, Fraction]]
"""(number of flows, probability by channel)."""

_MOST_STATES = 20_000  # vectors of loads of a component that are followed
_MOST_STEPS = 4_000_000


class Chance(NamedTuple):
    """A probability, between ``low`` and ``high``: equal where it is known."""

    low: Fraction
    high: Fraction


def within(classes: Sequence[Class], room: Mapping[int, int]) -> Chance:
    """The probability that every channel c has at most ``room[c]`` of the flows, all independent of one another.

    Channels of no common class are independent.  Of those that hang together: one channel, one class (a multinomial
    distribution) or few vectors of loads exactly; else from Boole's inequality, and from each channel alone.
    """
    low = high = Fraction(1)
    known: dict[object, Chance] = {}  # switches are mostly alike
    for some in components(classes):
        alike = tuple((n, tuple(sorted((p, room[c]) for c, p in chance.items()))) for n, chance in some)
        one = known.get(alike) if len(some) == 1 else None
        if one is None:
            one = known[alike] = _component(some, room)
        low, high = low * one.low, high * one.high
    return Chance(low, high)


def components(classes: Sequence[Class]) -> list[list[Class]]:
    """The classes, those together that have channels in common, directly or through others."""
    first: dict[int, int] = {}
    parent = list(range(len(classes)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for k, (_, chance) in enumerate(classes):
        for c in chance:
            parent[root(k)] = root(first.setdefault(c, k))
    found: dict[int, list[Class]] = {}
    for k, one in enumerate(classes):
        found.setdefault(root(k), []).append(one)
    return list(found.values())


def _component(classes: Sequence[Class], room: Mapping[int, int]) -> Chance:
    channels = sorted({c for _, chance in classes for c in chance})
    if any(room[c] < 0 for c in channels):
        return Chance(Fraction(0), Fraction(0))
    if len(channels) == 1:
        exact = _one_channel(classes, channels[0], room[channels[0]])
        return Chance(exact, exact)
    if len(classes) == 1 and (classes[0][0] + 1) * sum(min(room[c], classes[0][0]) + 1 for c in channels) < _MOST_STEPS:
        exact = _multinomial(*classes[0], room)
        return Chance(exact, exact)
    states = math.prod(room[c] + 1 for c in channels) if len(channels) < 64 else _MOST_STATES + 1
    steps = states * sum(n * (1 + len(chance)) for n, chance in classes)
    if states <= _MOST_STATES and steps <= _MOST_STEPS:
        exact = _by_states(classes, channels, room)
        return Chance(exact, exact)
    alone = [_one_channel(classes, c, room[c]) for c in channels]
    return Chance(max(Fraction(0), 1 - sum((1 - p for p in alone), Fraction(0))), min(alone))


def _one_channel(classes: Sequence[Class], channel: int, room: int) -> Fraction:
    """The distribution of the number of flows, a product of binomial ones, up to ``room``."""
    together: dict[Fraction, int] = {}
    for count, chance in classes:
        if channel in chance:
            together[chance[channel]] = together.get(chance[channel], 0) + count
    ways, scale = [1], 1
    for p, count in sorted(together.items()):
        a, b = p.numerator, p.denominator - p.numerator
        top = min(room, count)
        if top * min(room + 1, len(ways) + top) > _MOST_STEPS:
            raise InputError(f"{count:,} flows on one channel are too many to be judged exactly; fewer were expected")
        own, power = [], b**count
        for k in range(top + 1):
            own.append(power)
            power = power * (count - k) * a // ((k + 1) * b) if b else int(k + 1 == count)
        most = min(room, len(ways) - 1 + top)
        ways = [
            sum(own[j] * ways[k - j] for j in range(max(0, k - len(ways) + 1), min(k, top) + 1))
            for k in range(most + 1)
        ]
        scale *= p.denominator**count
    return Fraction(sum(ways), scale)


def _multinomial(count: int, chance: Mapping[int, Fraction], room: Mapping[int, int]) -> Fraction:
    """ways[k]: how many ways, by weight, k numbered flows lie on the channels so far with none over its room."""
    scale, weights, rest = _weights(chance)
    ways = [1] + [0] * count
    for c, w in weights.items():
        most, power = min(room[c], count), [1]
        for _ in range(most):
            power.append(power[-1] * w)
        ways = [
            sum(math.comb(k, j) * power[j] * ways[k - j] for j in range(min(most, k) + 1) if ways[k - j])
            for k in range(count + 1)
        ]
    return Fraction(sum(math.comb(count, k) * rest ** (count - k) * x for k, x in enumerate(ways)), scale**count)


def _by_states(classes: Sequence[Class], channels: Sequence[int], room: Mapping[int, int]) -> Fraction:
    """The weight of all vectors of loads without a channel over its room, flow by flow."""
    place = {c: k for k, c in enumerate(channels)}
    states: dict[tuple[int, ...], int] = {(0,) * len(channels): 1}
    scale = 1
    for count, chance in classes:
        one, weights, rest = _weights(chance)
        for _ in range(count):
            scale *= one
            after: dict[tuple[int, ...], int] = {}
            for load, ways in states.items():
                if rest:
                    after[load] = after.get(load, 0) + rest * ways
                for c, w in weights.items():
                    k = place[c]
                    if load[k] < room[c]:
                        more = (*load[:k], load[k] + 1, *load[k + 1 :])
                        after[more] = after.get(more, 0) + w * ways
            states = after
    return Fraction(sum(states.values()), scale)


def _weights(chance: Mapping[int, Fraction]) -> tuple[int, dict[int, int], int]:
    """(common denominator, weights over it by channel, weight of none)."""
    scale = math.lcm(*(p.denominator for p in chance.values()))
    weights = {c: int(p * scale) for c, p in chance.items()}
    rest = scale - sum(weights.values())
    if rest < 0 or min(weights.values(), default=0) < 0:
        raise ArithmeticError("probabilities of one flow sum to more than 1")
    return scale, weights, rest
