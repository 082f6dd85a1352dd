"""TACCL's algorithms: sends step by step, as JSON (``taccl/serialization.py``, whose objects bear a ``sccl_type``).

A send of a step takes what its sender had before the step (``check_implements`` in TACCL's ``taccl/algorithm.py``).
All-gathers and all-to-alls are read: collectives in which every chunk is on one rank at first, and nothing is added up.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...core.errors import InputError
from ...core.schedules.check import check_schedule
from ...core.schedules.schedule import Schedule
from ..documents.json_text import as_object, as_objects
from ..format import File
from ..text_files import brief
from .schedule_format import ScheduleFormat
from .sends import Send, all_gather, all_to_all

_MOST = 1 << 20


def is_taccl(file: File) -> bool:
    return file.is_json and '"sccl_type"' in file.start


def read_taccl(file: File) -> Schedule:
    """The all-gather or all-to-all, checked; raises InputError, with step and send."""
    document, what = file.document, file.what
    if document.get("sccl_type") != "algorithm":
        raise InputError(f"{what}: its sccl_type is {brief(document.get('sccl_type'))}; algorithm was expected")
    collective = as_object(document.get("collective"), what=f"{what}: collective", wanted="a collective")
    n = _whole(collective.get("nodes"), f"{what}: collective.nodes", _MOST)
    chunks = as_objects(collective.get("chunks"), what=f"{what}: collective.chunks")
    ends = [_ends(x, n, f"{what}: collective.chunks[{k}]") for k, x in enumerate(chunks)]
    to_all = all(len(to) == n for _, to in ends)
    if not ends or not (to_all or all(len(to) == 1 for _, to in ends)):
        raise InputError(f"{what}: its chunks go neither each to all ranks nor each to one rank; these two are read")
    groups = Counter[tuple[int, int]]()
    numbers = []
    for origin, to in ends:
        group = (origin, 0 if to_all else to[0])
        numbers.append(groups[group])
        groups[group] += 1
    share = max(groups.values())
    if len(groups) != (n if to_all else n * n) or set(groups.values()) != {share}:
        raise InputError(
            f"{what}: its ranks have different numbers of chunks for one another; equal ones were expected"
        )
    chunk_of: dict[int, tuple[int, int]] = {}
    for k, ((origin, to), number) in enumerate(zip(ends, numbers, strict=True)):
        address = _whole(chunks[k].get("addr"), f"{what}: collective.chunks[{k}].addr", _MOST)
        if address in chunk_of:
            raise InputError(f"{what}: collective.chunks[{k}] has an addr that another one has: sums are not read")
        chunk_of[address] = origin, number if to_all else to[0] * share + number
    sends = []
    for step, entry in enumerate(as_objects(document.get("steps"), what=f"{what}: steps")):
        for k, send in enumerate(_list(entry.get("sends"), f"{what}: steps[{step}].sends")):
            place = f"{what}: steps[{step}].sends[{k}]"
            address, here, there = _send(send, n, place)
            if address not in chunk_of:
                raise InputError(f"{place}: no chunk has the addr {address}")
            sends.append(Send(step, *chunk_of[address], here, there, f"{place} (addr {address} over {here}->{there})"))
    make = all_gather if to_all else all_to_all
    return check_schedule(make(sends, n, share, name=file.stem))


def _ends(chunk: dict[str, Any], n: int, place: str) -> tuple[int, list[int]]:
    """(the rank that has it at first, those that must have it)."""
    before, after = (_list(chunk.get(key), f"{place}.{key}") for key in ("pre", "post"))
    for rank in (*before, *after):
        _whole(rank, f"{place}: a rank", n - 1)
    if len(before) != 1 or not after or len(set(after)) != len(after):
        raise InputError(f"{place} is on {len(before)} ranks and for {len(after)}; on one rank at first was expected")
    return before[0], after


def _send(value: object, n: int, place: str) -> tuple[int, int, int]:
    """(addr, from, to); what follows them are times and links, and for sums an operation."""
    if not isinstance(value, list) or not 3 <= len(value) <= 5:
        raise InputError(f"{place} is {brief(value)}; [addr, from, to] with a time and a link was expected")
    address = _whole(value[0], f"{place}: addr", _MOST)
    here, there = (_whole(x, f"{place}: a rank", n - 1) for x in value[1:3])
    return address, here, there


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{what} is {brief(value)}; a list was expected")
    return value


def _whole(value: object, what: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise InputError(f"{what} is {brief(value)}; a whole number from 0 to {most} was expected")
    return value


TACCL = ScheduleFormat("taccl", "TACCL's JSON", is_taccl, read_taccl)
