"""Claims about the best forwarding tables of a network: the least worst case that tables can have, over permutations.

A table has one next channel for each node and destination terminal (``among`` "single-paths": one path for each source
and destination); with several ``lids`` a host, for each lid, and
``selection`` says whether a source is ``pinned`` to one lid of a destination or packets ``spread`` evenly over
them.  Kinds of evidence:

- ``tables-reached`` (relation <=): the subject's routing is such a table; its worst case is another claim;
- ``tables-bound`` (>=): no table does better, by one of: {"inside", "exit"}, a set of nodes that is left at one only
  (``kernel.table_bounds.count_at_exit``); {"counted": "meetings", "multiplier"} (``count_meetings``), or "paths" in
  earlier reports (``count_paths``); {"rounded": [...]}, the report's bound of all oblivious routings, rounded up to
  what tables can have; {"lemmas", "literals"}, a refutation of ``formula_below``;
- ``tables-optimum`` (==): both, and they meet.

Source: the worst case of a deterministic routing is a matching (Towles & Dally 2002, sec. 2.2), hence whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.rational import shown
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.refutation import check_refutation
from ...kernel.table_bounds import (
    ONE,
    Lids,
    count_at_exit,
    count_meetings,
    count_paths,
    formula_below,
    formula_size,
    least_load_from,
    single_paths,
)
from ...routing.base.routing import Routing
from ...routing.tables.next_hop import next_hops_of
from ..kind import WORST, Kind, States
from ..proofs.proof import NotElaborated, fraction
from ..proofs.written import permutations
from ..reading import as_fraction, as_lemmas, as_whole
from ..shapes import BOUND, NUMBERS, OF_LIDS, WHOLE, Either, Keys, ListOf, Shape, Word
from ..work import spend
from .worst_case import BALANCED

if TYPE_CHECKING:
    from ..context import Context
    from ..proofs.work import Work

_LOAD = "worst_case_load"
SINGLE = "single-paths"
_OVER: Mapping[str, object] = {"model": "balanced"}
_MOST_LITERALS = 50_000_000
_MOST_LIDS = 128  # a port's LMC has three bits
_PER_CLAUSE = 10
_PER_LITERAL = 300


def about_tables(lids: Lids) -> dict[str, object]:
    """What a claim is about."""
    several = {"lids": lids.count, "selection": "pinned" if lids.pinned else "spread"}
    if lids.single:
        return {"model": "balanced", "among": SINGLE}
    return {"model": "balanced", "among": "tables", **(several if lids.count > 1 else {})}


def _lids_of(claim: Claim, network: Network) -> Lids:
    if claim.about["among"] == SINGLE:
        if "lids" in claim.about or "selection" in claim.about:
            raise VerificationError("single paths have no lids")
        return single_paths(network)
    if "lids" not in claim.about and "selection" not in claim.about:
        return ONE
    count = as_whole(claim.about.get("lids"), "the number of lids", 2, _MOST_LIDS)
    selection = claim.about.get("selection")
    if selection not in ("pinned", "spread") or count & (count - 1):
        what = f"{count} lids, {str(selection)[:20]}"
        raise VerificationError(f"it is about {what}; 2, 4, ..., 128, pinned or spread, expected")
    return Lids(count, selection == "pinned")


def check_tables(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Raise VerificationError unless the evidence shows what the claim says; nothing is searched for."""
    lids = _lids_of(claim, context.network)
    if claim.evidence.kind != "tables-bound":
        _check_names(data["reached"])
        _check_reached(context, value, lids)
    if claim.evidence.kind != "tables-reached":
        _check_bound(context, value, data["bound"], lids)


def _check_names(named: list[str]) -> None:
    if named != [_LOAD]:
        raise VerificationError(f"it rests on the claims {str(named)[:60]}; {[_LOAD]} was expected")


def _check_reached(context: Context, value: Fraction, lids: Lids) -> None:
    own = context.stated(_LOAD, "==", _OVER)
    if own > value:
        raise VerificationError(f"it is at most {shown(value)}; the report's routing has a worst case of {shown(own)}")
    if not _fits(context.routing, lids):
        if lids.single:
            raise VerificationError("the report's routing splits the packets of a pair")
        each = "destination" if lids.count == 1 else f"each of {lids.count} lids of a destination"
        raise VerificationError(f"the report's routing is not a table of one next channel for each node and {each}")


def _fits(routing: Routing, lids: Lids) -> bool:
    """Is the routing made of so many tables, by lids, or does it send all packets of a pair along one path?"""
    if lids.single:
        blocks = routing.stream(np.arange(routing.network.num_channels, dtype=np.int32))
        return all(x.base is None and bool((x.load.num == x.load.den).all()) for x in blocks)
    if lids.pinned:
        return routing.pinned is not None and len(routing.pinned[0]) <= lids.count
    if lids.count == 1:
        return next_hops_of(routing) is not None
    found = routing.forwarding_tables()
    return bool(found) and all(weight * lids.count >= 1 and lids.count % weight.denominator == 0 for weight, _ in found)


def _check_bound(context: Context, value: Fraction, data: Mapping[str, Any], lids: Lids) -> None:
    network = context.network
    if "exit" in data:
        inside = unpack_ints(data["inside"], what="its set of nodes", max_items=network.num_nodes)
        if len(inside) and not (inside.min() >= 0 and inside.max() < network.num_nodes):
            raise VerificationError("its set of nodes holds one that the network does not have")
        missing = count_at_exit(
            network, inside.tolist(), as_whole(data["exit"], "its exit", 0, network.num_nodes - 1), value, lids
        )
        if missing is not None:
            raise VerificationError(f"counting does not prove at least {shown(value)}: {missing}")
    elif "counted" in data:
        if "multiplier" in data:
            by = as_fraction(data["multiplier"], "its multiplier")
            missing = count_meetings(network, value, by, lids)
        else:
            missing = count_paths(network, value, lids)
        if missing is not None:
            raise VerificationError(f"counting {data['counted']} does not prove at least {shown(value)}: {missing}")
    elif "rounded" in data:
        _check_names(data["rounded"])
        proved = context.stated(_LOAD, ">=", _OVER)
        own = least_load_from(network, proved, lids)
        if own < value:
            raise VerificationError(
                f"it is at least {shown(value)}; {shown(proved)} for all oblivious routings makes it {shown(own)}"
            )
    elif lids.count > 1 and not lids.single:
        raise VerificationError("a refutation of tables is of those with one lid for each destination")
    else:
        count = as_whole(data["literals"], "the length of its refutation", 0, _MOST_LITERALS)
        spend(
            _PER_CLAUSE * formula_size(network, value, lids) + _PER_LITERAL * count, "checking the refutation of tables"
        )
        formula = formula_below(network, value, lids)
        check_refutation(formula.num_variables, formula.clauses, as_lemmas(data["lemmas"], count))


# -- proofs ---------------------------------------------------------------------------------------------------------


def elaborate_tables(work: Work, claim: Claim) -> None:
    """That the routing is such a table; that none does better, by counting or by rounding."""
    kind, data = claim.evidence.kind, claim.evidence.data
    lids = _lids_of(claim, work.network)
    if lids.count > 1 and not lids.single:
        raise NotElaborated("the format has tables of one lid for each destination")
    of = "pairs" if lids.single else "destinations"
    if kind != "tables-bound":
        most = work.stated(_LOAD, "<=", _OVER)
        work.proof.claim("tables", routing=work.routing, of=of)
        work.states(claim, "<=", most)
    if kind != "tables-reached":
        fields = {"demands": work.proof.set_of(permutations(work.network.num_terminals)), "of": of}
        bound = _written_bound(work, data["bound"])
        work.states(claim, ">=", work.claim("tables-at-least", claim.number, **fields, evidence=bound))


def _written_bound(work: Work, data: Mapping[str, Any]) -> dict[str, Any]:
    if "exit" in data:
        inside = unpack_ints(data["inside"], what="its set of nodes", max_items=work.network.num_nodes)
        return {"by": "exit", "inside": inside.tolist(), "exit": data["exit"]}
    if "counted" in data:
        if "multiplier" not in data:
            return {"by": "paths"}
        return {"by": "meetings", "multiplier": fraction(as_fraction(data["multiplier"], "its multiplier"))}
    if "rounded" not in data:
        raise NotElaborated("no tables do better by a refutation of clauses, which the format has not")
    if int(max(work.network.supply.max(), work.network.demand.max())) > 1:
        raise NotElaborated("the bound that is rounded up is of routings that treat the terminals of a node alike")
    return {"by": "rounding", "over": work.stated(_LOAD, "all >=", _OVER)}


_OTHER: Shape = ListOf(Word(_LOAD))
_MEETINGS: Shape = Keys({"counted": Word("meetings"), "multiplier": BOUND})
_BOUND: Shape = Either(
    "exit",
    Keys({"inside": NUMBERS, "exit": WHOLE}),
    Either(
        "counted",
        Either("multiplier", _MEETINGS, Keys({"counted": Word("paths")})),
        Either("rounded", Keys({"rounded": _OTHER}), Keys({"lemmas": NUMBERS, "literals": WHOLE})),
    ),
)
_ABOUT = Keys({"model": BALANCED, "among": Word("tables", SINGLE)}, OF_LIDS)


def _kind(name: str, sentence: str, relation: str, evidence: Mapping[str, Shape]) -> Kind:
    states = {_LOAD: States((relation,), Grade.PROVED, _ABOUT)}
    return Kind(
        name, sentence, Keys(evidence), states, WORST, check_tables, rests=True, subjects=frozenset({"design"}),
        elaborate=elaborate_tables,
    )  # fmt: skip


TABLES_REACHED = _kind(
    "tables-reached",
    "The routing itself, a table, or single paths; its worst case is another claim.",
    "<=",
    {"reached": _OTHER},
)
TABLES_BOUND = _kind(
    "tables-bound",
    "Why no table of one next channel for each node and destination (no choice of one path for each source and "
    "destination, among single paths) does better: destinations counted where all packets leave a set of nodes; "
    "pairs, counted where their source and destination meet; the bound of all oblivious routings, rounded up; or a "
    "refutation of clauses.",
    ">=",
    {"bound": _BOUND},
)
TABLES_OPTIMUM = _kind(
    "tables-optimum",
    "A table, or single paths, that reach the number, which is another claim, and why no others do better.",
    "==",
    {"reached": _OTHER, "bound": _BOUND},
)
