"""The sets of demands by name, as ``--demands`` and reports write them: an entry stands beside what makes the set.

A set that reads no file has its entry in this room; one that reads a file beside the reader, in ``formats.demands``.
Nothing else lists sets: help, messages, reports and sentences ask this table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..core.network import Network
from ..core.registry import Registry
from .demand_set import DemandSet

BETWEEN = " & "
"""Stands between sets that hold at once."""


@dataclass(frozen=True)
class Given:
    """One text: ``rest`` is what stands after the colon, without ``options`` (``,unit=1000``)."""

    text: str
    rest: str
    options: Mapping[str, str]
    network: Network

    @property
    def size(self) -> int:
        return self.network.num_terminals


@dataclass(frozen=True)
class NamedSet:
    """A set by its name, which stands before the colon of ``usage``.

    - ``usage``: how the text looks, with brackets around what may be left out (``servers[:FILE]``); ``help``: what
      the set is; ``options``: which may follow a comma;
    - ``make``: from a text to the set; raises InputError for what it does not take;
    - ``words``: what may follow the colon, as a regular expression; "" where that names files;
    - ``limits``: of transport sets, which of "sends", "receives", "group", "pairs" and "box" it has; of other families
      none; ``one_packet``: do terminals send and receive one packet at most?  ``total``: the most that all together
      send, by what follows the colon;
    - ``told``: a transport set of a report as the set that its text names, by what follows the colon, and whether no
      other part of the text has this name; raises InputError where that says something else;
    - ``fits``: raises InputError where a network's own names contradict a transport set of this name; it takes the set,
      what follows the colon if there is one, and the network;
    - ``read``: of other families, the set between so many terminals that a report describes.
    """

    usage: str
    help: str
    make: Callable[[Given], DemandSet]
    options: tuple[str, ...] = ()
    words: str = ""
    limits: tuple[str, ...] = ()
    one_packet: bool = False
    total: Callable[[str], Fraction | None] = lambda _: None
    told: Callable[[Any, str, bool], DemandSet] = lambda demands, _rest, _alone: demands
    fits: Callable[[Any, str | None, Network], None] = lambda _demands, _rest, _network: None
    read: Callable[[Mapping[str, Any], int], DemandSet] | None = None

    @property
    def name(self) -> str:
        return re.split(r"\[?:", self.usage)[0]

    def takes(self, value: bool) -> bool:
        """May its text have a value after a colon (or none, where it has no ``value``)?"""
        return "[:" in self.usage or value == (":" in self.usage)

    @property
    def names_files(self) -> bool:
        return ":" in self.usage and not self.words

    def is_own(self, rest: str | None) -> bool:
        """Is this all that the set's text says, and no name of a file?  ``rest``: what follows the colon, if any."""
        if ":" not in self.usage or rest is None:
            return self.takes(value=False) and rest is None
        return bool(self.words) and re.fullmatch(self.words, rest, re.ASCII) is not None


SETS = Registry("demand set", NamedSet, rooms=[str(__package__)])


def named_part(part: str) -> tuple[NamedSet | None, str | None]:
    """The set that a part of a text names, None for what is no set, and what follows the colon, if there is one."""
    name, colon, rest = part.partition(":")
    return SETS.own.get(name), rest if colon else None
