"""The traffic of collectives' algorithms inside jobs, as pairs: rings, and the partners of recursive doubling.

Ranks are the terminals of a job in the order in which its line names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.errors import InputError
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.named import Given, NamedSet
from ..text_files import brief
from .jobs import read_jobs
from .pairs import among


def ring_pairs(job: Sequence[int]) -> Iterator[Pair]:
    """From every rank to the next one, and from the last to the first."""
    return zip(job, [*job[1:], job[0]], strict=True)


def doubling_pairs(job: Sequence[int]) -> Iterator[Pair]:
    """Between ranks whose numbers differ in one bit."""
    step = 1
    while step < len(job):
        yield from ((x, job[k ^ step]) for k, x in enumerate(job))
        step *= 2


def _ring(given: Given) -> DemandSet:
    jobs = read_jobs(given.rest, given.network).terminals.values()
    return among([x for job in jobs for x in ring_pairs(job)], given.size, text=given.text)


def _doubling(given: Given) -> DemandSet:
    jobs = read_jobs(given.rest, given.network).terminals
    for name, job in jobs.items():
        if len(job) & (len(job) - 1):
            raise InputError(
                f"the demand set {brief(given.text)}: job {brief(name)} has {len(job)} ranks; a power of two was "
                f"expected"
            )
    return among([x for job in jobs.values() for x in doubling_pairs(job)], given.size, text=given.text)


RING = NamedSet(
    "ring:JOBS",
    "every rank sends to the next one of its job, in the file's order: rings of all-reduces",
    _ring,
    limits=("sends", "receives", "pairs"),
    one_packet=True,
)

DOUBLING = NamedSet(
    "recursive-doubling:JOBS",
    "ranks send to those of their job whose number differs in one bit, as recursive doubling and halving do",
    _doubling,
    limits=("sends", "receives", "pairs"),
    one_packet=True,
)
