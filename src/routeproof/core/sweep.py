"""Sweeps: ``seed=1..20`` and ``n=64,256`` are variables; ``{seed}`` in a text stands for the value at hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from .errors import InputError

MOST_POINTS = 100_000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}", re.ASCII)
_RANGE = re.compile(r"([0-9]{1,18})\.\.([0-9]{1,18})", re.ASCII)
_VALUE = re.compile(r"[A-Za-z0-9./:+*=-]{1,80}", re.ASCII)
_PLACE = re.compile(r"\{([^{}]*)\}")


def parse_variables(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """``["n=64,256", "seed=1..20"]`` -> name to values, in order.  Raises InputError for anything else."""
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, rest = text.strip().partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise InputError(
                f"sweep '{text[:60]}' is not understood; NAME=VALUES such as seed=1..20 or n=64,256 was expected"
            )
        if name in found:
            raise InputError(f"sweep over {name} is given twice; all its values belong into one")
        values: list[str] = []
        for part in rest.split(","):
            values += _values(name, part.strip())
        if len(set(values)) < len(values):
            again = next(x for x in values if values.count(x) > 1)
            raise InputError(f"sweep over {name} has the value {again} twice")
        found[name] = tuple(values)
    if prod(len(x) for x in found.values()) > MOST_POINTS:
        raise InputError(f"a sweep over more than {MOST_POINTS:,} points was asked for")
    return found


def _values(name: str, text: str) -> list[str]:
    ends = _RANGE.fullmatch(text)
    if ends is None:
        if ".." in text or not _VALUE.fullmatch(text):
            raise InputError(
                f"sweep over {name} has the value '{text[:40]}'; a range such as 1..20, or a word, was expected"
            )
        return [text]
    low, high = int(ends[1]), int(ends[2])
    if low > high:
        raise InputError(f"sweep over {name} goes from {low} to {high}; an increasing range was expected")
    if high - low >= MOST_POINTS:
        raise InputError(f"sweep over {name} has {high - low + 1:,} values; at most {MOST_POINTS:,} were expected")
    return [str(x) for x in range(low, high + 1)]


def points_of(variables: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Every combination of values, the last variable fastest."""
    return [dict(zip(variables, values, strict=True)) for values in product(*variables.values())]


def variables_in(text: str) -> set[str]:
    """The names that stand in braces."""
    return set(_PLACE.findall(text))


def fill(text: str, point: Mapping[str, str]) -> str:
    """``text`` with the values of ``point``; raises InputError for a name in braces that it does not have."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in point:
            known = ", ".join(f"{{{x}}}" for x in point) or "none"
            raise InputError(f"'{text[:80]}' names {{{match[1][:40]}}}, which no --sweep gives values; known: {known}")
        return point[match[1]]

    return _PLACE.sub(value, text)
