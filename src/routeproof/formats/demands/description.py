"""A set of demands inside a report: all of it, so that a checker needs no file.

``{"text": "within:jobs.txt & sparse:4", "sends": "1", "receives": "1", "total": "4", "jobs": {"a": [0, 1]}}``; besides
``pairs`` and ``limits`` ([source, destination, least, largest]), or ``matrices`` by name.  A limit that all terminals
share stands alone; one that the set does not have is left out.  The text names the sets that were asked for; whatever
it says must be so, apart from the names of files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.plain_names import plain_name
from ...core.rational import parse_fraction, shown
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.families import EverySparse
from ...demand_sets.hull import Hull
from ...demand_sets.routable import Routable
from ...demand_sets.transport import Box, TransportSet
from ..documents.packed_ints import pack_ints, unpack_ints
from ..text_files import parse_number

BETWEEN, EVERY = " & ", "sparse:all"
_ONE_PACKET = ("permutations", "sparse", "within", "pairs")  # sets in which terminals send and receive at most 1
_MARGIN = re.compile(r",\s*margin\s*=([^,=]*)")
_OPTION = re.compile(r"[,;]\s*(\w+)\s*=([^,=]*)")
_AND = re.compile(r"&\s*(permutations|sparse|within|pairs|hose|box|matrix|unbalanced|routable)\b")
_KEYS = ("text", "sends", "receives", "total", "jobs", "pairs", "limits")


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
    if demands.pairs is not None:
        found["pairs"] = pack_ints(np.array(sorted(demands.pairs), dtype=np.int64).ravel())
    if demands.box is not None:
        found["limits"] = [[i, j, str(low), str(high)] for (i, j), (low, high) in sorted(demands.box.limits.items())]
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
    if "matrices" in data:
        return _hull(data, size)
    if data == {"text": Routable.text}:
        return Routable(size)
    for key in data:
        if key not in _KEYS:
            raise InputError(f"a set of demands has the key {str(key)[:40]!r}; {', '.join(_KEYS)} were expected")
    limits: dict[str, Any] = {}
    for key in ("sends", "receives"):
        if key in data:
            limits[key] = _rates(data[key], size, key)
    if "total" in data:
        limits["total"] = _number(data["total"], "total")
    if "jobs" in data:
        limits |= _jobs(data["jobs"], size)
    if "pairs" in data:
        flat = unpack_ints(data["pairs"], what="pairs", max_items=2 * size * size)
        if len(flat) % 2:
            raise InputError("pairs must be sources and destinations, one after the other")
        limits["pairs"] = frozenset(zip(flat[::2].tolist(), flat[1::2].tolist(), strict=True))
    if "limits" in data:
        limits["box"] = _box(data["limits"])
    demands = TransportSet(size, text, **limits)
    _check_text(demands)
    demands.check_possible()
    return EverySparse(size, text, demands) if EVERY in text.split(BETWEEN) else demands


def _number(value: object, what: str) -> Fraction:
    if not isinstance(value, str) or len(value) > 4096:
        raise InputError(f"{what} is {str(value)[:40]!r}; a fraction as text was expected")
    return parse_fraction(value, what=what)


def _rates(value: object, size: int, what: str) -> tuple[Fraction, ...]:
    if not isinstance(value, list):
        return (_number(value, what),) * size
    if len(value) != size:
        raise InputError(f"{what} has {len(value)} rates for {size} terminals")
    return tuple(_number(x, f"{what}[{i}]") for i, x in enumerate(value))


def _whole(value: object, what: str) -> int:
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
            i = _whole(x, f"a terminal of job {str(name)[:40]!r}")
            if not 0 <= i < size or group[i] >= 0:
                raise InputError(f"job {str(name)[:40]!r}: terminal {i} does not exist, or is in two jobs")
            group[i] = k
        if not job:
            raise InputError(f"job {str(name)[:40]!r} has no terminal")
    return {"group": group, "jobs": tuple(map(str, value))}


def _hull(data: Mapping[str, Any], size: int) -> Hull:
    text, value = data["text"], data["matrices"]
    named = text.partition(":")[0] == "matrix" and BETWEEN not in text
    if set(data) != {"text", "matrices"} or not isinstance(value, Mapping) or not named:
        raise InputError("matrices are the whole of a set that is called matrix:FILE: an object, by name")
    matrices = []
    for name, entries in value.items():
        what = f"the matrix {str(name)[:40]!r}"
        if not isinstance(entries, list):
            raise InputError(f"{what} must be a list of [source, destination, rate]")
        rates: dict[tuple[int, int], Fraction] = {}
        for k, item in enumerate(entries):
            if not isinstance(item, list) or len(item) != 3:
                raise InputError(f"{what}: entry {k} must be [source, destination, rate]")
            pair = _whole(item[0], what), _whole(item[1], what)
            if pair in rates:
                raise InputError(f"{what}: a second entry from {pair[0]} to {pair[1]}")
            rates[pair] = _number(item[2], what)
        matrices.append(rates)
    return Hull(size, text, tuple(matrices), tuple(map(str, value)))


def _box(value: object) -> Box:
    if not isinstance(value, list):
        raise InputError("limits must be a list of [source, destination, least, largest]")
    found = {}
    for k, item in enumerate(value):
        if not isinstance(item, list) or len(item) != 4:
            raise InputError(f"limits[{k}] must be [source, destination, least, largest]")
        pair = _whole(item[0], f"limits[{k}]"), _whole(item[1], f"limits[{k}]")
        if pair in found:
            raise InputError(f"limits[{k}]: a second entry from {pair[0]} to {pair[1]}")
        low, high = found[pair] = _number(item[2], f"limits[{k}]"), _number(item[3], f"limits[{k}]")
        if not high:
            raise InputError(f"limits[{k}]: the largest demand is {high} and the least {low}; such a pair is left out")
    return Box(found)


def _check_text(demands: TransportSet) -> None:
    """Raise InputError where the text names other limits than those of the set.  Names of files are quotations."""
    parts = [part.partition(":")[::2] for part in demands.text.split(BETWEEN)]
    names = {name for name, _ in parts}
    for name, rest in parts:
        if name not in (*_ONE_PACKET, "hose", "box") or (name == "permutations" and rest):
            raise InputError(f"the set of demands is called {demands.text[:60]!r}, of which {name[:40]!r} is no set")
        if (
            name == "sparse"
            and rest != "all"
            and not (rest.isascii() and rest.isdigit() and len(rest) < 10 and int(rest))
        ):
            raise InputError(f"the set of demands is called {demands.text[:60]!r}; sparse:16 or so was expected")
    packets = [int(rest) for name, rest in parts if name == "sparse" and rest != "all"]
    one_packet = bool(names & set(_ONE_PACKET))
    for what, rates in (("sends", demands.sends), ("receives", demands.receives)):
        if (rates is not None) != (one_packet or "hose" in names) or (one_packet and max(rates or (2,)) > 1):
            raise InputError(f"what terminals may do ({what}) is not that of {demands.text[:60]!r}")
        if one_packet and "hose" not in names and rates is not None and min(rates) < 1:
            raise InputError(f"what terminals may do ({what}) is not that of {demands.text[:60]!r}")
    if demands.total != (min(packets) if packets else None):
        raise InputError(f"the total is {demands.total}, which is not that of {demands.text[:60]!r}")
    _check_margins(demands, [rest for name, rest in parts if name == "box"])
    for name, limit in (("within", demands.group), ("pairs", demands.pairs), ("box", demands.box)):
        if (limit is not None) != (name in names):
            raise InputError(f"{demands.text[:60]!r} and its limits do not say the same of '{name}'")


def _check_readings(text: str) -> None:
    """Raise InputError where a file's name, as it is read by people, says another set or another margin than it is."""
    plain = [plain_name(part) for part in text.split(BETWEEN)]
    for part, seen in zip(text.split(BETWEEN), plain, strict=True):
        other = [key for key, _ in _OPTION.findall(seen) if not key.isascii()]
        if other or _MARGIN.findall(seen) != _MARGIN.findall(part) or _AND.search(seen):
            raise InputError(f"the set of demands is called {text[:60]!r}, which reads like another set than it is")


def _check_margins(demands: TransportSet, boxes: Sequence[str]) -> None:
    """Raise InputError where a box is not as wide as the margin in its text; of an intersection, where it is wider."""
    for margin in (found.group(1) for rest in boxes for found in _MARGIN.finditer(rest)):
        factor = parse_number(margin, what=f"the margin of {demands.text[:60]!r}") ** 2
        for (i, j), (low, high) in (demands.box.limits if demands.box else {}).items():
            if high != factor * low if len(boxes) == 1 else high > factor * low:
                raise InputError(
                    f"terminal {i} sends {shown(low)} to {shown(high)} to {j}, which is not the margin of "
                    f"{demands.text[:60]!r}"
                )
