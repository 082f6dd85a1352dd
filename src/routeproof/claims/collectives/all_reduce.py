"""Claims about an all-reduce: a reduce-scatter and then an all-gather from below; from above a division of the ranks.

- ``two-phases`` (``>=``): the rates of both phases, which other claims of the report state, one after the other;
- ``gossip`` (``<=``): sets of nodes, {"parts": the number of each node's set or -1, packed}, and the bandwidth between
  them (``kernel.packings.all_reduce_rate``): of all schedules whose messages carry one value each, and whose switches
  neither add nor copy;
- ``all-reduce`` (``==``): both.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Grade
from ...core.collective import broadcasts_of
from ...core.errors import VerificationError
from ...core.rational import shown
from ...kernel.packings import all_reduce_rate
from ..kind import Kind, States
from ..reading import as_numbers
from ..shapes import NUMBERS, Keys, ListOf, Word
from .subject import Ranks

PHASES = ("reduce-scatter", "all-gather")
_QUANTITY = "collective_throughput"
_ABOUT = Keys({"operation": Word("all-reduce")})


def in_sequence(rates: list[Fraction]) -> Fraction:
    """The rate of phases one after the other, each of which moves the same amount."""
    return 1 / sum((1 / x for x in rates), Fraction(0))


def check_phases(ranks: Ranks, _claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    if data["from"] != [*PHASES]:
        raise VerificationError("its evidence does not say that it is a reduce-scatter and then an all-gather")
    rates = [ranks.stated(_QUANTITY, {"operation": x}, relation=">=") for x in PHASES]
    if min(rates) <= 0 or in_sequence(rates) < value:
        raise VerificationError(f"it is at least {shown(value)}; both phases of the report make less")


def check_gossip(ranks: Ranks, _claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    task = broadcasts_of(ranks.network, "all-gather", ranks=ranks.ranks)
    proved = all_reduce_rate(task, as_numbers(data["parts"], "parts", ranks.network.num_nodes), len(ranks.ranks))
    if proved > value:
        raise VerificationError(f"it is at most {shown(value)}; its sets of nodes prove {shown(proved)}")


def check_both(ranks: Ranks, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    check_phases(ranks, claim, value, data)
    check_gossip(ranks, claim, value, data)


_PHASES = {"from": ListOf(Word(*PHASES))}
_PARTS = {"parts": NUMBERS}
_GOSSIP = "Patarasuk & Yuan 2009 (J. Parallel Distrib. Comput. 69); Harary & Schwenk 1974 (J. Franklin Inst. 297)"
TWO_PHASES = Kind(
    "two-phases",
    "A reduce-scatter and then an all-gather, whose rates other claims of this report state.",
    Keys(_PHASES),
    {_QUANTITY: States((">=",), Grade.PROVED, _ABOUT)},
    frozenset({"Rabenseifner 2004 (ICCS)"}),
    check_phases,
    rests=True,
    subjects=frozenset({"collective", "schedule"}),
)
GOSSIP = Kind(
    "gossip",
    "Disjoint sets of nodes that hold all ranks: of k sets each place of the result takes 2 (k - 1) messages between "
    "them, if a message carries one value or sum, and switches neither add nor copy.",
    Keys(_PARTS),
    {_QUANTITY: States(("<=",), Grade.PROVED, _ABOUT)},
    frozenset({_GOSSIP}),
    check_gossip,
    subjects=frozenset({"collective", "schedule"}),
)
ALL_REDUCE = Kind(
    "all-reduce",
    "From below a reduce-scatter and then an all-gather, whose rates other claims of this report state; from above "
    "disjoint sets of nodes: of k sets each place of the result takes 2 (k - 1) messages between them, if a message "
    "carries one value or sum, and switches neither add nor copy.",
    Keys({**_PHASES, **_PARTS}),
    {_QUANTITY: States(("==",), Grade.PROVED, _ABOUT)},
    frozenset({_GOSSIP}),
    check_both,
    rests=True,
    subjects=frozenset({"collective", "schedule"}),
)
