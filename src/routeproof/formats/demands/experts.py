"""Experts on ranks (mixture of experts): tokens go to the experts that a router picks, a skewed all-to-all.

A file of jobs names the groups; the experts of a group are dealt out to its ranks, in the file's order, as evenly as
they can be.  In a cycle every rank has one unit of tokens.  With n ranks, E experts, e(j) of them on rank j, and every
token sent to k different experts:

- a rank sends at most k units, one of each token to every expert that is picked;
- from rank i to rank j go at most min(k, e(j)): an expert is picked once by a token;
- an expert takes at most F k n / E units, F times the mean (the capacity factor), and drops the rest; rank j at most
  e(j) times that.  Without F no expert drops anything.

So it is a hose with unequal rates inside a box inside groups.  Whatever the router picks is in the set, and whatever is
in the set is what some picks come to, if tokens may be dropped.
Source: Lepikhin et al. 2021 (GShard, ICLR), sec. 2.2; Fedus, Zoph & Shazeer 2022 (Switch Transformers, JMLR 23).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from ...core.errors import InputError, warn
from ...demand_sets.demand_set import BETWEEN, DemandSet, Given, NamedSet, Pair
from ...demand_sets.transport import TransportSet
from ..text_files import brief, first_of, parse_number
from .jobs import read_jobs
from .matrices import positive

_MOST = 1 << 20  # pairs, which a report lists
_NONE = Fraction(0)
_COUNT = re.compile(r"[1-9]\d{0,5}", re.ASCII)


def expert_parallel(
    groups: Collection[Sequence[int]],
    size: int,
    *,
    experts: int,
    top: int,
    capacity: Fraction | None = None,
    text: str = "expert-parallel",
) -> TransportSet:
    """What stands at the head of this module; ``groups``: the terminals of each, in order, nobody in two.

    ``experts``: of a group; ``top``: how many a token goes to; ``capacity``: the factor F, None where nothing is
    dropped.  Raises InputError for more experts of a token than there are, and for more pairs than a report may list.
    """
    if top > experts:
        raise InputError(
            f"the demand set {brief(text)}: top is {top}, of {experts} experts; {experts} at most was expected"
        )
    count = sum(len(x) * (len(x) - 1) for x in groups)
    if count > _MOST:
        raise InputError(f"the demand set {brief(text)} has {count:,} pairs; {_MOST:,} at most were expected")
    sends, receives = [_NONE] * size, [_NONE] * size
    box: dict[Pair, tuple[Fraction, Fraction]] = {}
    for ranks in groups:
        each, more = divmod(experts, len(ranks))
        for r, j in enumerate(ranks):
            own = each + (r < more)
            most = Fraction(min(top, own))
            sends[j] = Fraction(top)
            taken = (len(ranks) - 1) * most
            receives[j] = taken if capacity is None else own * capacity * top * len(ranks) / experts
            if most:
                box.update({(i, j): (_NONE, most) for i in ranks if i != j})
    found = TransportSet(size, text, tuple(sends), tuple(receives), box=box)
    found.check_possible()
    return found


def _experts(given: Given) -> DemandSet:
    jobs = read_jobs(given.rest, given.network)
    if jobs.alone:
        warn(f"{given.text}: groups of one rank are left out: {first_of(jobs.alone, 6)}")
    for name in ("experts", "top"):
        if name not in given.options:
            raise InputError(f"the demand set {brief(given.text)} does not say {name}; {USAGE} was expected")
        if not _COUNT.fullmatch(given.options[name]):
            raise InputError(
                f"the demand set {brief(given.text)}: {name} is {brief(given.options[name])}; a whole number from 1 to "
                f"999999 was expected"
            )
    experts, top = (int(given.options[x]) for x in ("experts", "top"))
    capacity = positive(given, "capacity", "a factor above 0, such as 5/4") if "capacity" in given.options else None
    groups = jobs.terminals.values()
    return expert_parallel(groups, given.size, experts=experts, top=top, capacity=capacity, text=given.text)


USAGE = "expert-parallel:JOBS,experts=8,top=2"
_SAID = re.compile(r",\s*(experts|top|capacity)\s*=([^,=]*)")


def _told(demands: TransportSet, rest: str, _alone: bool) -> DemandSet:
    """Raises InputError where the limits are not those that the text's numbers make of its groups; of an intersection,
    where they are wider."""
    said = {name: parse_number(x.strip(), what=f"{name} of {demands.text[:60]!r}") for name, x in _SAID.findall(rest)}
    what = f"the limits are not those of {demands.text[:60]!r}"
    if not {"experts", "top"} <= set(said) or any(said[x].denominator != 1 or said[x] < 1 for x in ("experts", "top")):
        raise InputError(what)
    box, sends, receives = demands.box or {}, demands.sends or (), demands.receives or ()
    if BETWEEN in demands.text:
        if max(sends) > said["top"] or any(low or high > said["top"] for low, high in box.values()):
            raise InputError(what)
        return demands
    groups = [sorted(x, key=lambda j: -receives[j]) for x in _joined(box, demands.size)]
    wanted = expert_parallel(
        groups, demands.size, experts=int(said["experts"]), top=int(said["top"]), capacity=said.get("capacity"),
        text=demands.text,
    )  # fmt: skip
    if (wanted.sends, wanted.receives, wanted.box) != (sends, receives, box):
        raise InputError(what)
    return demands


def _joined(pairs: Iterable[Pair], size: int) -> list[list[int]]:
    """The groups of terminals that pairs join, those of one terminal left out."""
    first = list(range(size))

    def root(i: int) -> int:
        while first[i] != i:
            first[i] = first[first[i]]
            i = first[i]
        return i

    for i, j in pairs:
        first[root(i)] = root(j)
    members: dict[int, list[int]] = {}
    for i in range(size):
        members.setdefault(root(i), []).append(i)
    return [x for x in members.values() if len(x) > 1]


EXPERTS = NamedSet(
    USAGE,
    "tokens go from every rank of a group to the experts picked, capacity=5/4 times the mean at most",
    _experts,
    ("experts", "top", "capacity"),
    limits=("sends", "receives", "box"),
    told=_told,
)
