"""Worst cases after failures, written out for a proof: each failure makes a routing and a set of its own.

The routing is one on the whole network that avoids what failed.  Pairs of terminals that are gone or cut, which the set
does not let send, keep their old loads: a routing of a proof has all pairs.  That a failed channel carries nothing is a
claim of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim
from ...kernel.multipliers import rounded_up
from ...routing.base.pair_table import PairTable
from ...routing.base.repair import Detours
from ..context import Context
from ..proofs.proof import NotElaborated, Proof, expect_bytes, fraction, number, numbers
from ..proofs.written import common, demand, head_of, transport, written_loads
from ..reading import as_permutation
from .terminal_rates import TerminalRates
from .written_potentials import potentials_in

if TYPE_CHECKING:
    from ...topologies.failures import Failure
    from .repaired import Reroute


def elaborate_failure(proof: Proof, claim: Claim, repair: Any, failure: Failure) -> None:
    """Write the claim out.  Raises NotElaborated for all but worst cases over permutations after rerouting."""
    if claim.quantity != "worst_case_load":
        raise NotElaborated(f"{claim.quantity} after failures is not in the format")
    if "witness" not in claim.evidence.data:
        raise NotElaborated("worst cases of routings made anew, or over sets of demands, are not in proofs of failures")
    after = repair.after(failure)
    network = repair.routing.network
    count, size = network.num_channels, network.num_terminals
    expect_bytes(16 * count * size, f"the worst case after {failure.text}")
    table = _whole_table(repair, after)
    scale = common([Fraction(1, x) for x in table.denominators])
    head = head_of(repair.routing, scale)
    name = f"{head['name']} after {failure.text}"
    routing = proof.routing({**head, "name": name}, "loads", list(written_loads(repair.routing, table, scale)))
    about = {"routing": routing, "demands": proof.set_of(_permutations_left(repair, after, failure))}
    evidence = [
        [c, number(over), numbers(u), numbers(v), 0] for c, over, u, v in _evidence(claim, repair, after, table)
    ]
    value, witness = fraction(claim.number), claim.evidence.data["witness"]
    proof.claim("worst-case-at-most", **about, channels=None, value=value, evidence=evidence)
    dead = np.flatnonzero(after.channels).tolist()
    if dead:
        nothing = [evidence[c] for c in dead]
        proof.claim("worst-case-at-most", **about, channels=dead, value=fraction(Fraction(0)), evidence=nothing)
    allowed = _allowed(repair, after)
    image = as_permutation(witness["permutation"], size).image.tolist()
    sent = {(i, j): Fraction(1) for i, j in enumerate(image) if allowed[i, j] and network.source[i] != network.sink[j]}
    loaded = {"channel": int(witness["channel"]), "value": value, "demand": demand(sent)}
    proof.claim("worst-case-at-least", **about, **loaded)


def _allowed(repair: Reroute, after: Detours) -> Any:
    """bool (T, T): which pairs of terminals are left, and not cut."""
    left, routing = after.terminals, repair.routing
    lost = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=bool)
    if after.cut is not None:
        lost[after.row[after.cut], after.column[after.cut]] = True
    return left[:, None] & left & ~lost[routing.row_of[:, None], routing.column_of]


def _permutations_left(repair: Reroute, after: Detours, failure: Failure) -> Mapping[str, Any]:
    ones = [Fraction(int(x)) for x in after.terminals]
    pairs = None
    if after.cut is not None and after.cut.any():
        ends = np.argwhere(_allowed(repair, after)).tolist()
        pairs = [(i, j, Fraction(0), None) for i, j in ends]
    name = "permutations" if after.terminals.all() and pairs is None else f"permutations after {failure.text}"
    return transport(name, ones, ones, pairs=pairs)


def _whole_table(repair: Reroute, after: Detours) -> PairTable:
    """The loads after the failure; of pairs that are gone or cut, those before."""
    old, new = repair.rerouting.table, repair.rerouting.patched(after).pair_table()
    kept = np.zeros((old.num_rows, old.num_columns), dtype=bool)
    kept[new.row, new.column] = True
    back = ~kept[old.row, old.column]
    count = len(old.offset) - 1
    of_new, of_old = (np.repeat(np.arange(count, dtype=np.int32), np.diff(x.offset)) for x in (new, old))
    parts = [(of_new, new.row, new.column, new.load), (of_old[back], old.row[back], old.column[back], old.load[back])]
    return PairTable.joined(parts, shape=(count, old.num_rows, old.num_columns))


def _evidence(
    claim: Claim, repair: Reroute, after: Detours, table: PairTable
) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """(channel, scale, multipliers of all senders, of all receivers), for every channel."""
    routing, data, base = repair.routing, claim.evidence.data, repair.potentials
    over = Context(repair.rerouting.patched(after), [])
    rates = TerminalRates.one_each(over, after.terminals)
    row_of, column_of = routing.row_of, routing.column_of
    proved = dict(potentials_in(over, data, rates))
    left = after.terminals
    for c in range(routing.network.num_channels):
        block = over.routing.channel_loads([c])
        if after.channels[c]:
            scale, u, v = 1, np.zeros_like(base.row[c]), np.zeros_like(base.column[c])
        elif c in proved:
            scale, u, v = proved[c][0], np.array(proved[c][1], dtype=object), np.array(proved[c][2], dtype=object)
        else:
            scale = base.scale
            u, v = _raised(base.row[c], base.column[c], block, rates, scale)
        most = max((math.ceil(x * scale) for x in table.channel_loads([c]).load.fractions()), default=0)
        senders = [int(u[k]) if live else most for k, live in zip(row_of.tolist(), left.tolist(), strict=True)]
        receivers = [int(v[k]) if live else most for k, live in zip(column_of.tolist(), left.tolist(), strict=True)]
        yield c, scale, senders, receivers


def _raised(row: Int64, column: Int64, block: Any, rates: TerminalRates, scale: int) -> tuple[Int64, Int64]:
    """Potentials of a channel, raised where its loads are larger now: the cheapest way of ``reused_bounds``."""
    live = (rates.supply[block.row] > 0) & (rates.demand[block.column] > 0)
    i, j = block.row[live], block.column[live]
    above = rounded_up(block.load[live], scale) - row[i] - column[j]
    i, j, above = i[above > 0], j[above > 0], above[above > 0]
    many = np.bincount(i, minlength=len(row))[i] > np.bincount(j, minlength=len(column))[j]
    found = []
    for by_row in (np.ones(len(i), dtype=bool), np.zeros(len(i), dtype=bool), many):
        u, v = row.copy(), column.copy()
        np.maximum.at(u, i, row[i] + above * by_row)
        np.maximum.at(v, j, column[j] + above * ~by_row)
        found.append((int(u @ rates.supply + v @ rates.demand), u, v))
    return min(found, key=lambda x: x[0])[1:]
