"""Pairs that may send: from files (two columns, source and destination, or JSON ``[[i, j], ...]``), or made of jobs.

Between jobs, as from rack to rack or from clients to storage, packets leave their job; rings and recursive doubling are
collectives' algorithms inside jobs, whose ranks are the terminals of a job in the order in which its line names them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations as ordered_pairs

from ...core.errors import InputError, warn
from ...core.network import Network
from ...core.quoted import split_outside, unquoted
from ...demand_sets.demand_set import DemandSet, Given, NamedSet, Pair
from ...demand_sets.permutations import permutations
from ...demand_sets.transport import TransportSet
from ..documents.json_text import parse_json
from ..text_files import FilePath, brief, first_of, numbered_lines, read_text, shown
from .jobs import read_jobs
from .terminal_names import TerminalNames

_LIMIT = 256 << 20
_MOST = 1 << 22  # pairs, which a report lists


def read_pairs(path: FilePath, network: Network) -> list[tuple[int, int]]:
    """The pairs (source terminal, destination terminal) in a file; a host with several terminals stands for all.

    Raises InputError, naming the line or entry, for names that are not known, a terminal to itself and files without a
    pair.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="a file of pairs of terminals (two columns, or JSON)")
    entries: list[tuple[str, list[object]]]
    if text.lstrip()[:1] == "[":
        value = parse_json(text, what=what)
        entries = [(f"{what}: entry {k}", x if isinstance(x, list) else [x]) for k, x in enumerate(value)]
    else:
        lines = [(x.place, split_outside(x.text, ", \t")) for x in numbered_lines(text, what, comment="#")]
        each = [(place, [unquoted(x) for x in split if x.strip()]) for place, split in lines]
        entries = [(place, list(some)) for place, some in each if some]
    names = TerminalNames(network)
    found: dict[tuple[int, int], None] = {}
    for place, words in entries:
        if len(words) != 2:
            raise InputError(f"{place}: {brief(words)}; a source and a destination were expected")
        for i in names.find(words[0], what=place):
            for j in names.find(words[1], what=place):
                if i == j:
                    raise InputError(f"{place}: {brief(words[0])} sends to itself; a demand's diagonal is 0")
                found[i, j] = None
    if not found:
        raise InputError(f"{what} holds no pair; a line such as n1 n2 was expected")
    return list(found)


def among(pairs: Sequence[Pair], size: int, *, text: str = "pairs") -> TransportSet:
    """A permutation whose packets take only these (source, destination) pairs; raises InputError for none."""
    found = replace(permutations(size), text=text, pairs=frozenset(pairs))
    found.check_possible()
    return found


def _pairs(given: Given) -> DemandSet:
    return among(read_pairs(given.rest, given.network), given.size, text=given.text)


def between_jobs(jobs: Collection[Collection[int]], size: int, *, text: str = "between") -> TransportSet:
    """A permutation whose packets all go from one job to another; ``jobs``: the terminals of each, who are in one."""
    count = sum(len(a) * len(b) for a, b in ordered_pairs(jobs, 2))
    if not 0 < count <= _MOST:
        raise InputError(
            f"the demand set {brief(text)} has {count:,} pairs between {len(jobs)} jobs; two jobs at least, and "
            f"{_MOST:,} pairs at most, were expected"
        )
    return among([(i, j) for a, b in ordered_pairs(jobs, 2) for i in a for j in b], size, text=text)


def _between(given: Given) -> DemandSet:
    jobs = read_jobs(given.rest, given.network)
    if jobs.alone:
        warn(f"{given.text}: jobs, racks or blocks of one host are left out: {first_of(jobs.alone, 6)}")
    return between_jobs(jobs.terminals.values(), given.size, text=given.text)


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


def _set(usage: str, text: str, make: Callable[[Given], DemandSet]) -> NamedSet:
    return NamedSet(usage, text, make, limits=("sends", "receives", "pairs"), one_packet=True)


PAIRS = _set("pairs:FILE", "only these pairs send", _pairs)
BETWEEN_JOBS = _set("between:JOBS", "every packet goes from one job to another, from a file of jobs", _between)
RING = _set(
    "ring:JOBS", "every rank sends to the next one of its job, in the file's order: rings of all-reduces", _ring
)
DOUBLING = _set(
    "recursive-doubling:JOBS",
    "ranks send to those of their job whose number differs in one bit, as recursive doubling and halving do",
    _doubling,
)
