"""The shape of what a report says: which keys an object has, and what kind of value stands where.

A shape refuses keys that it does not know: what no checker reads must not be said.  What the values mean is for the
checkers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..core.errors import VerificationError, did_you_mean


class Shape(Protocol):
    """Something that a value may be."""

    def check(self, value: Any, what: str) -> None:
        """Raise VerificationError, naming ``what``, unless the value has this shape."""


@dataclass(frozen=True)
class _Plain:
    """Values of some types; a bool is not a number."""

    types: tuple[type, ...]
    wanted: str

    def check(self, value: Any, what: str) -> None:
        if not isinstance(value, self.types) or (isinstance(value, bool) and bool not in self.types):
            raise VerificationError(f"{what} is {brief(value)}; {self.wanted} was expected")
        if isinstance(value, str) and not value.isprintable():
            raise VerificationError(f"{what} is {brief(value)}; no control characters were expected")


class _Anything:
    def check(self, value: Any, what: str) -> None:
        """Its checker reads all of it."""


TEXT = _Plain((str,), "a text")
WHOLE = _Plain((int,), "a whole number")
FLAG = _Plain((bool,), "true or false")
NUMBERS = _Plain((str, list), "a list of numbers, or the same packed")
BOUND = _Plain((str, int), "a number")
ANY = _Anything()


class Word:
    """One of a few texts."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: Any, what: str) -> None:
        if not isinstance(value, str) or value not in self.words:
            hint = did_you_mean(value[:40], self.words) if isinstance(value, str) else f"known: {', '.join(self.words)}"
            raise VerificationError(f"{what} is {brief(value)}; {hint}")


OF_LIDS: Mapping[str, Shape] = {"lids": WHOLE, "selection": Word("pinned", "spread")}
"""Of claims about forwarding tables: how many lids (LMC) a host has, and who uses which."""


@dataclass(frozen=True)
class ListOf:
    item: Shape

    def check(self, value: Any, what: str) -> None:
        if not isinstance(value, list):
            raise VerificationError(f"{what} is {brief(value)}; a list was expected")
        for k, x in enumerate(value):
            self.item.check(x, f"{what}[{k}]")


@dataclass(frozen=True)
class Keys:
    """An object: keys that it must have, keys that it may have, and no others."""

    needed: Mapping[str, Shape] = field(default_factory=dict)
    optional: Mapping[str, Shape] = field(default_factory=dict)

    def with_keys(self, needed: Mapping[str, Shape]) -> Keys:
        """These keys and some more."""
        return Keys({**self.needed, **needed}, self.optional)

    def check(self, value: Any, what: str) -> None:
        if not isinstance(value, Mapping):
            raise VerificationError(f"{what} is {brief(value)}; an object was expected")
        for key in self.needed:
            if key not in value:
                raise VerificationError(f"{what} has no '{key}'")
        for key, x in value.items():
            shape = self.needed.get(key) or self.optional.get(key)
            if shape is None:
                raise VerificationError(f"{what} has the key {brief(key)}, which nothing checks")
            shape.check(x, f"{what}.{key}")


@dataclass(frozen=True)
class Either:
    """``one`` for objects that have ``key``, ``other`` for the rest."""

    key: str
    one: Shape
    other: Shape

    def check(self, value: Any, what: str) -> None:
        has = isinstance(value, Mapping) and self.key in value
        (self.one if has else self.other).check(value, what)


def by_key(shapes: Mapping[str, Shape], rest: Shape) -> Shape:
    """Of each object the shape by the key that it has, or ``rest``."""
    for key, shape in shapes.items():
        rest = Either(key, shape, rest)
    return rest


@dataclass(frozen=True)
class Cases:
    """Objects of several kinds, which the word at ``key`` names: with that word, and the keys of its own."""

    key: str
    cases: Mapping[str, Mapping[str, Shape]]

    def check(self, value: Any, what: str) -> None:
        word = Word(*self.cases)
        Keys({self.key: word}, {key: ANY for case in self.cases.values() for key in case}).check(value, what)
        Keys({self.key: word, **self.cases[value[self.key]]}).check(value, what)


@dataclass(frozen=True)
class OrNull:
    some: Shape

    def check(self, value: Any, what: str) -> None:
        if value is not None:
            self.some.check(value, what)


def brief(value: object) -> str:
    """A value for a message, cut short."""
    return repr(value if isinstance(value, str) else str(value))[:60]
