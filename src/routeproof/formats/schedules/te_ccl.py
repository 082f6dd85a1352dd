"""TE-CCL's schedules: flows of chunks, epoch by epoch, as JSON.

The lines are those that TE-CCL's ``teccl/solvers/allgather.py`` (``dfs_remove_unnecessary_flows``) and ``alltoall.py``
(``get_flow_schedule``) write; its older files call the lists 6-Flows and 7-chunk paths.  A rank is a node that a chunk
is from; nodes "via switches" pass chunks on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from ...core.errors import InputError, warn
from ...core.schedules.check import check_schedule
from ...core.schedules.schedule import Schedule
from ..format import File
from ..text_files import brief, first_of, parse_number
from .schedule_format import ScheduleFormat
from .sends import Send, all_gather, all_to_all

_FLOWS, _PATHS = ("7-Flows", "6-Flows"), ("8-Chunk paths", "7-chunk paths")
_NUMBER = r"(0|[1-9][0-9]{0,5})"
_HOP = rf"{_NUMBER}->{_NUMBER}( with volume (\S+))? in epoch {_NUMBER}(?: via switches [0-9]+(?: ?-> ?[0-9]+)*)?"
_FLOW = re.compile(rf"Chunk {_NUMBER} from {_NUMBER} traveled over {_HOP}", re.ASCII)
_PATH_HOP = re.compile(_HOP, re.ASCII)
_DEMAND = re.compile(rf"Demand at {_NUMBER} for chunk {_NUMBER} from {_NUMBER} met by epoch {_NUMBER}", re.ASCII)
_DUST = Fraction(1, 10_000)
"""Volumes are a solver's floats: so much may they differ from the fraction that is meant."""
_FINEST = 64
"""The largest denominator of a volume; two different fractions of such denominators are further apart than the dust."""


def is_te_ccl(file: File) -> bool:
    return file.is_json and '"1-Epoch_Duration"' in file.start


def read_te_ccl(file: File) -> Schedule:
    """The all-gather, or the all-to-all where flows have volumes, checked; warns which rank is which node where their
    numbers differ.  Of an all-to-all a chunk is divided among its paths by their volumes, which must be fractions of
    small denominators (the solver's floats are rounded) and add up to 1."""
    flows = _list(file, _FLOWS, list)
    if any(isinstance(x, str) and " with volume " in x for x in flows):
        return check_schedule(_all_to_all(file))
    found = [_flow(x, f"{file.what}: flow {k}") for k, x in enumerate(flows)]
    rank_of = _ranks(file, (x.origin for x in found))
    for x in found:
        _check_ranks((x.sender, x.receiver), rank_of, x.place)
    sends = (
        replace(x, origin=rank_of[x.origin], sender=rank_of[x.sender], receiver=rank_of[x.receiver]) for x in found
    )
    share = 1 + max(x.chunk for x in found)
    return check_schedule(all_gather(sends, len(rank_of), share, name=file.stem))


def _list(file: File, keys: tuple[str, ...], kind: type) -> Any:
    key = next((x for x in keys if x in file.document), None)
    if key is None:
        raise InputError(f"{file.what} has no key '{keys[0]}' (or '{keys[1]}')")
    value = file.document[key]
    if not isinstance(value, kind) or not value:
        raise InputError(f"{file.what}: {key} is {brief(value)}; those of a schedule were expected")
    return value


def _flow(text: object, place: str) -> Send:
    found = _FLOW.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(f"{place} is {brief(text)}; 'Chunk 0 from 1 traveled over 1->2 in epoch 0' was expected")
    chunk, origin, sender, receiver, epoch = (int(found[k]) for k in (1, 2, 3, 4, 7))
    what = f"{place} (chunk {chunk} from {origin} over {sender}->{receiver} in epoch {epoch})"
    return Send(epoch, origin, chunk, sender, receiver, what)


def _ranks(file: File, origins: Iterable[int]) -> Mapping[int, int]:
    nodes = sorted(set(origins))
    if nodes != list(range(len(nodes))):
        names = first_of([str(x) for x in nodes], 40)
        warn(f"{file.what}: its {len(nodes)} ranks are the nodes that chunks are from, in order: {names}")
    return {node: rank for rank, node in enumerate(nodes)}


def _check_ranks(nodes: Iterable[int], rank_of: Mapping[int, int], place: str) -> None:
    for node in nodes:
        if node not in rank_of:
            raise InputError(
                f"{place}: node {node} is not a rank: no chunk is from it, and it is not a switch on the way"
            )


class _Demand(NamedTuple):
    """A chunk that ``receiver`` wants from ``origin``, its paths: volume, and (epoch, from, to) of every hop."""

    receiver: int
    chunk: int
    origin: int
    paths: list[tuple[Fraction, list[tuple[int, int, int]]]]
    place: str


def _all_to_all(file: File) -> Schedule:
    demands = [_demand(key, paths, f"{file.what}: {brief(key)}") for key, paths in _list(file, _PATHS, dict).items()]
    rank_of = _ranks(file, (x.origin for x in demands))
    wanted: dict[tuple[int, int], list[int]] = {}
    for x in demands:
        _check_ranks((x.receiver, *(node for _, path in x.paths for hop in path for node in hop[1:])), rank_of, x.place)
        wanted.setdefault((x.origin, x.receiver), []).append(x.chunk)
    pieces = lcm(*(volume.denominator for x in demands for volume, _ in x.paths))
    if pieces > _FINEST**2:
        raise InputError(
            f"{file.what}: its volumes have {pieces} as their common denominator; {_FINEST**2} is the most"
        )
    share = pieces * max(map(len, wanted.values()))
    sends = []
    for x in demands:
        first = rank_of[x.receiver] * share + sorted(wanted[x.origin, x.receiver]).index(x.chunk) * pieces
        for volume, path in x.paths:
            count = int(volume * pieces)
            sends += [
                Send(epoch, rank_of[x.origin], first, rank_of[here], rank_of[there], x.place, count)
                for epoch, here, there in path
            ]
            first += count
    return all_to_all(sends, len(rank_of), share, name=file.stem)


def _demand(key: str, paths: object, place: str) -> _Demand:
    found = _DEMAND.fullmatch(key)
    if found is None:
        raise InputError(f"{place}: 'Demand at 0 for chunk 1 from 2 met by epoch 3' was expected")
    receiver, chunk, origin = (int(found[k]) for k in (1, 2, 3))
    if not isinstance(paths, list) or not paths or not all(isinstance(x, list) and x for x in paths):
        raise InputError(f"{place} is {brief(paths)}; a list of paths was expected")
    read = []
    for path in paths:
        hops = [_hop(x, place) for x in path]
        volumes = [volume for volume, *_ in hops]
        if max(volumes) - min(volumes) > _DUST:
            raise InputError(f"{place}: the hops of a path carry {float(min(volumes)):g} to {float(max(volumes)):g}")
        meant = volumes[0].limit_denominator(_FINEST)
        if abs(meant - volumes[0]) > _DUST:
            expected = f"a fraction with a denominator of at most {_FINEST} was expected"
            raise InputError(f"{place}: a path has volume {float(volumes[0]):g}; {expected}")
        if meant:  # less is the solver's dust
            read.append((meant, [(epoch, here, there) for _, epoch, here, there in hops]))
    total = sum(volume for volume, _ in read)
    if total != 1:
        raise InputError(f"{place}: the volumes of its paths add up to {float(total):g}; 1 was expected")
    return _Demand(receiver, chunk, origin, read, place)


def _hop(value: object, place: str) -> tuple[Fraction, int, int, int]:
    """(volume, epoch, from, to)."""
    text = value[1] if isinstance(value, list) and len(value) == 2 else value
    found = _PATH_HOP.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[4] is None:
        raise InputError(f"{place}: a hop is {brief(value)}; '1->2 with volume 0.5 in epoch 0' was expected")
    volume = parse_number(found[4], what=f"{place}: a volume")
    if not -_DUST <= volume <= 1 + _DUST:
        raise InputError(f"{place}: a volume is {brief(found[4])}; a number from 0 to 1 was expected")
    return volume, int(found[5]), int(found[1]), int(found[2])


TE_CCL = ScheduleFormat("te-ccl", "TE-CCL's JSON", is_te_ccl, read_te_ccl)
