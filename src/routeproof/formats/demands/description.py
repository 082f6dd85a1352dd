"""A set of demands inside a report: all of it, so that a checker needs no file.

``{"text": "within:jobs.txt & sparse:4", "sends": "1", "receives": "1", "total": "4", "jobs": {"a": [0, 1]}}``; besides
``servers`` (lists of terminals), ``pairs`` and ``limits`` ([source, destination, least, largest]), or ``matrices`` by
name.  A limit that all terminals share stands alone; one that the set does not have is left out.  The text names the
sets that were asked for; whatever it says must be so, apart from the names of files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.plain_names import plain_name
from ...core.rational import parse_fraction
from ...demand_sets.demand_set import BETWEEN, SETS, DemandSet, NamedSet, named_part
from ...demand_sets.limits import Box
from ...demand_sets.transport import TransportSet
from ..documents.packed_ints import pack_ints, unpack_ints

MARGIN = re.compile(r",\s*margin\s*=([^,=]*)")
_OPTION = re.compile(r"[,;]\s*(\w+)\s*=([^,=]*)")
_KEYS = ("text", "sends", "receives", "total", "jobs", "servers", "pairs", "limits")


def describe_demands(demands: DemandSet) -> dict[str, Any]:
    """The set as JSON-able data; families whose text says it all have nothing else."""
    found: dict[str, Any] = {"text": demands.text}
    if demands.listed is not None:
        found["matrices"] = {
            name: [[i, j, str(x)] for (i, j), x in sorted(rates.items())] for name, rates in demands.listed.items()
        }
    limits: TransportSet | None = demands.limiting
    return found if limits is None else {**found, **_limits(limits)}


def _limits(demands: TransportSet) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for what, rates in (("sends", demands.sends), ("receives", demands.receives)):
        if rates is not None:
            found[what] = str(rates[0]) if len(set(rates)) == 1 else [str(x) for x in rates]
    if demands.total is not None:
        found["total"] = str(demands.total)
    if demands.group is not None:
        found["jobs"] = {
            name: np.flatnonzero(demands.group == k).tolist() for k, name in enumerate(demands.jobs)
        }  # fmt: skip
    if demands.apart is not None:
        servers = (np.flatnonzero(demands.apart == k).tolist() for k in np.unique(demands.apart))
        found["servers"] = [x for x in servers if len(x) > 1]
    if demands.pairs is not None:
        found["pairs"] = pack_ints(np.array(sorted(demands.pairs), dtype=np.int64).ravel())
    if demands.box is not None:
        found["limits"] = [[i, j, str(low), str(high)] for (i, j), (low, high) in sorted(demands.box.items())]
    return found


def demands_subject(demands: DemandSet | None) -> dict[str, Any]:
    """What the subject of a report says of the set of demands; nothing where its text says it all."""
    described = {} if demands is None else describe_demands(demands)
    return {"demands": described} if len(described) > 1 else {}


def demands_from_description(data: object, size: int) -> DemandSet:
    """The set between ``size`` terminals that ``describe_demands`` wrote.

    Raises InputError for data of another form, for a set that makes no sense, and where its text says something else.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("text"), str):
        raise InputError("a set of demands is an object with a text and its limits")
    text = data["text"]
    _check_readings(text)
    for part in text.split(BETWEEN):
        entry, _ = named_part(part)
        if entry is not None and entry.read is not None:
            return entry.read(data, size)
    for key in data:
        if key not in _KEYS:
            raise InputError(f"a set of demands has the key {str(key)[:40]!r}; {', '.join(_KEYS)} were expected")
    limits: dict[str, Any] = {}
    for key in ("sends", "receives"):
        if key in data:
            limits[key] = _rates(data[key], size, key)
    if "total" in data:
        limits["total"] = stated_number(data["total"], "total")
    if "jobs" in data:
        limits |= _jobs(data["jobs"], size)
    if "servers" in data:
        limits["apart"] = _servers(data["servers"], size)
    if "pairs" in data:
        flat = unpack_ints(data["pairs"], what="pairs", max_items=2 * size * size)
        if len(flat) % 2:
            raise InputError("pairs must be sources and destinations, one after the other")
        limits["pairs"] = frozenset(zip(flat[::2].tolist(), flat[1::2].tolist(), strict=True))
    if "limits" in data:
        limits["box"] = _box(data["limits"])
    return _as_told(TransportSet(size, text, **limits))


def stated_number(value: object, what: str) -> Fraction:
    if not isinstance(value, str) or len(value) > 4096:
        raise InputError(f"{what} is {str(value)[:40]!r}; a fraction as text was expected")
    return parse_fraction(value, what=what)


def _rates(value: object, size: int, what: str) -> tuple[Fraction, ...]:
    if not isinstance(value, list):
        return (stated_number(value, what),) * size
    if len(value) != size:
        raise InputError(f"{what} has {len(value)} rates for {size} terminals")
    return tuple(stated_number(x, f"{what}[{i}]") for i, x in enumerate(value))


def stated_terminal(value: object, what: str) -> int:
    if type(value) is not int:
        raise InputError(f"{what} is {str(value)[:40]!r}; the number of a terminal was expected")
    return value


def _jobs(value: object, size: int) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not value:
        raise InputError("jobs must be an object: the terminals of each job, by its name")
    group = np.full(size, -1, dtype=np.int32)
    for k, (name, job) in enumerate(value.items()):
        if not isinstance(job, Sequence) or isinstance(job, str):
            raise InputError(f"job {str(name)[:40]!r} must be a list of terminals")
        for x in job:
            i = stated_terminal(x, f"a terminal of job {str(name)[:40]!r}")
            if not 0 <= i < size or group[i] >= 0:
                raise InputError(f"job {str(name)[:40]!r}: terminal {i} does not exist, or is in two jobs")
            group[i] = k
        if not job:
            raise InputError(f"job {str(name)[:40]!r} has no terminal")
    return {"group": group, "jobs": tuple(map(str, value))}


def _servers(value: object, size: int) -> Int32:
    """A number of every terminal's server; those that are not listed are alone."""
    if not isinstance(value, list) or not all(isinstance(x, list) for x in value):
        raise InputError("servers must be a list of lists of terminals")
    first = np.arange(size, dtype=np.int32)
    seen: set[int] = set()
    for server in value:
        for x in server:
            i = stated_terminal(x, "a terminal of a server")
            if not 0 <= i < size or i in seen:
                raise InputError(f"servers: terminal {i} does not exist, or is in two servers")
            seen.add(i)
            first[i] = server[0]
    return first


def _box(value: object) -> Box:
    if not isinstance(value, list):
        raise InputError("limits must be a list of [source, destination, least, largest]")
    found = {}
    for k, item in enumerate(value):
        if not isinstance(item, list) or len(item) != 4:
            raise InputError(f"limits[{k}] must be [source, destination, least, largest]")
        pair = stated_terminal(item[0], f"limits[{k}]"), stated_terminal(item[1], f"limits[{k}]")
        if pair in found:
            raise InputError(f"limits[{k}]: a second entry from {pair[0]} to {pair[1]}")
        low, high = found[pair] = stated_number(item[2], f"limits[{k}]"), stated_number(item[3], f"limits[{k}]")
        if not high:
            raise InputError(f"limits[{k}]: the largest demand is {high} and the least {low}; such a pair is left out")
    return found


def _as_told(demands: TransportSet) -> DemandSet:
    """The set that the text names; raises InputError where it names other limits than those of the set.

    Names of files are quotations.
    """
    text, parts = demands.text[:60], list[tuple[NamedSet, str]]()
    for part in demands.text.split(BETWEEN):
        entry, rest = named_part(part)
        if entry is None or not entry.limits or (rest is not None and not entry.takes(value=True)):
            raise InputError(f"the set of demands is called {text!r}, of which {part[:40]!r} is not a set with limits")
        if entry.words and not entry.is_own(rest):
            raise InputError(f"the set of demands is called {text!r}; {entry.usage} or so was expected")
        parts.append((entry, rest or ""))
    for what, rates in (("sends", demands.sends), ("receives", demands.receives)):
        one_packet = [x.one_packet for x, _ in parts if what in x.limits]
        wrong = (rates is not None) != bool(one_packet) or (any(one_packet) and max(rates or (2,)) > 1)
        if wrong or (all(one_packet) and rates is not None and min(rates) < 1):
            raise InputError(f"what terminals may do ({what}) is not that of {text!r}")
    totals = [x for entry, rest in parts if (x := entry.total(rest)) is not None]
    if demands.total != min(totals, default=None):
        raise InputError(f"the total is {demands.total}, which is not that of {text!r}")
    for key, limit in (
        ("group", demands.group),
        ("apart", demands.apart),
        ("pairs", demands.pairs),
        ("box", demands.box),
    ):
        named = sorted({x.name for x, _ in parts if key in x.limits})
        if (limit is not None) != bool(named):
            names = named or [x.name for x in SETS.own.values() if key in x.limits]
            raise InputError(f"{text!r} and its limits do not say the same of '{names[0]}'")
    demands.check_possible()
    found: DemandSet = demands
    for entry, rest in parts:
        found = entry.told(found, rest, [x for x, _ in parts].count(entry) == 1)
    return found


def _check_readings(text: str) -> None:
    """Raise InputError where a file's name, as it is read by people, says another set or another option than it is."""
    names = "|".join(map(re.escape, SETS.own))
    for part in text.split(BETWEEN):
        seen = plain_name(part)
        other = [key for key, _ in _OPTION.findall(seen) if not key.isascii()]
        if other or MARGIN.findall(seen) != MARGIN.findall(part) or re.search(rf"&\s*({names})\b", seen):
            raise InputError(f"the set of demands is called {text[:60]!r}, which reads like another set than it is")
