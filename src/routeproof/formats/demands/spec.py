"""Demand sets by text, as ``--demands`` takes them: ``permutations``, ``sparse:16``, ``within:jobs.txt``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...demand_sets.demand_set import BETWEEN, SETS, DemandSet, Given, NamedSet, intersection
from ...demand_sets.hull import lists_together
from ..text_files import brief, is_like_a_file


def demands_from_spec(texts: Sequence[str], network: Network) -> DemandSet:
    """The demands that are in all of the sets that ``texts`` name, between the terminals of ``network``.

    Raises InputError for an unknown set (with the nearest), for what a set does not take, and for sets that contradict
    each other (naming two).
    """
    if not texts:
        raise InputError(f"no demand set is given; one of {', '.join(x.usage for x in SETS.own.values())} was expected")
    given = list(dict.fromkeys(texts))
    return intersection(lists_together([_one(text, network) for text in given]))


def _one(text: str, network: Network) -> DemandSet:
    name, colon, rest = text.partition(":")
    if BETWEEN in text:
        raise InputError(
            f"the demand set is {brief(text)}; '{BETWEEN}' stands between sets: give each its own --demands"
        )
    entry = SETS.own.get(name)
    if entry is None:
        if is_like_a_file(text) or os.path.exists(text):
            files = ", ".join(sorted(f"{x.name}:" for x in SETS.own.values() if x.names_files))
            raise InputError(f"the demand set {brief(text)} is a file's name; one of {files} was expected before it")
        raise InputError(f"unknown demand set {brief(name)}; {did_you_mean(name[:40], SETS.own)}")
    rest, options = _split(rest, entry, text)
    if not entry.takes(bool(colon)) or bool(rest) != bool(colon):
        lacks = "needs a value" if ":" in entry.usage else "takes no value"
        raise InputError(f"the demand set {brief(text)} {lacks}; {entry.usage} was expected")
    return entry.make(Given(text, rest, options, network))


_OPTION = re.compile(r"(.*),\s*([a-z]+)\s*=([^,=]*)")


def _split(rest: str, entry: NamedSet, text: str) -> tuple[str, dict[str, str]]:
    """What is before the options, and the options; a file may have commas in its name."""
    options: dict[str, str] = {}
    while (found := _OPTION.fullmatch(rest)) and not os.path.exists(rest):
        rest, name, value = found.groups()
        if name not in entry.options:
            hint = did_you_mean(name, entry.options) if entry.options else f"{entry.usage} was expected"
            raise InputError(f"the demand set {brief(text)} takes no option '{name[:40]}'; {hint}")
        if name in options:
            raise InputError(f"the demand set {brief(text)} states {name} twice; once was expected")
        options[name] = value.strip()
    return rest, options
