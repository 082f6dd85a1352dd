"""Packets that leave their job: those from rack to rack, or from clients to storage, and none inside a job."""

from __future__ import annotations

from collections.abc import Collection
from itertools import permutations

from ...core.errors import InputError, warn
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.named import Given, NamedSet
from ...demand_sets.transport import TransportSet
from ..text_files import brief, first_of
from .jobs import read_jobs
from .pairs import among

_MOST = 1 << 22  # pairs, which a report lists


def between_jobs(jobs: Collection[Collection[int]], size: int, *, text: str = "between") -> TransportSet:
    """A permutation whose packets all go from one job to another; ``jobs``: the terminals of each, who are in one."""
    count = sum(len(a) * len(b) for a, b in permutations(jobs, 2))
    if not 0 < count <= _MOST:
        raise InputError(
            f"the demand set {brief(text)} has {count:,} pairs between {len(jobs)} jobs; two jobs at least, and "
            f"{_MOST:,} pairs at most, were expected"
        )
    return among([(i, j) for a, b in permutations(jobs, 2) for i in a for j in b], size, text=text)


def _between(given: Given) -> DemandSet:
    jobs = read_jobs(given.rest, given.network)
    if jobs.alone:
        warn(f"{given.text}: jobs, racks or blocks of one host are left out: {first_of(jobs.alone, 6)}")
    return between_jobs(jobs.terminals.values(), given.size, text=given.text)


BETWEEN_JOBS = NamedSet(
    "between:JOBS",
    "every packet goes from one job to another, from a file of jobs",
    _between,
    limits=("sends", "receives", "pairs"),
    one_packet=True,
)
