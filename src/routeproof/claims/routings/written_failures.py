"""What is proved after failures, written out for a proof: each failure makes a routing of its own, which claims share.

It is one on the whole network that avoids what failed.  Pairs of terminals that are gone or cut, which the sets do not
let send, keep their old loads: a routing of a proof has all pairs.  That failed channels carry nothing is a claim.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.claim import Claim, Evidence
from ...core.errors import InputError
from ...core.faults import Faults, Survivors
from ...core.loads import LoadBlock
from ...core.symmetry import orbit_labels
from ...kernel.multipliers import rounded_up
from ...routing.base.hop_by_hop import PLAIN
from ...routing.base.pair_table import PairTable
from ...routing.base.repair import placed_loads
from ...routing.base.routing import Routing
from ...topologies.failures import Failure
from ..context import Context
from ..proofs.proof import NotElaborated, Proof, expect_bytes, fraction, number, numbers
from ..proofs.work import Work, moved
from ..proofs.written import common, demand, head_of, matrices, transport, written_loads
from ..reading import as_permutation
from ..subject import made_routing
from .averaged_adversaries import JUDGES
from .repaired import Rebuild, Repair, Reroute
from .terminal_rates import TerminalRates
from .written_potentials import potentials_in, written_evidence

Multipliers = tuple[int, int, list[int], list[int]]
"""Of a channel: its number, a scale, and over it the multipliers of senders and of receivers that are left."""


@dataclass(eq=False)
class After:
    """The routing after ``failure``: ``dead`` bool (C,), ``left`` bool (T,), ``allowed`` bool (T, T): which pairs of
    terminals are left and not cut; ``new``: the loads of those, by row and column of ``whole``."""

    proof: Proof
    whole: Routing
    failure: Failure
    dead: npt.NDArray[np.bool_]
    left: npt.NDArray[np.bool_]
    allowed: npt.NDArray[np.bool_]
    new: PairTable
    worst_case: tuple[Fraction, int, int] | None = None
    """Over permutations, once it is written: the load, and the positions of its claims from above and from below."""

    @cached_property
    def table(self) -> PairTable:
        """With the old loads of all other pairs."""
        old, new = self.whole.pair_table(), self.new
        kept = np.zeros((old.num_rows, old.num_columns), dtype=bool)
        kept[new.row, new.column] = True
        back = ~kept[old.row, old.column]
        parts = [
            (channels_of(new), new.row, new.column, new.load),
            (channels_of(old)[back], old.row[back], old.column[back], old.load[back]),
        ]
        return PairTable.joined(parts, shape=(len(old.offset) - 1, old.num_rows, old.num_columns))

    @cached_property
    def routing(self) -> int:
        """Its position in the proof."""
        scale = common([Fraction(1, x) for x in self.table.denominators])
        head = head_of(self.whole, scale)
        rows = written_loads(self.whole, self.table, scale)
        return self.proof.routing({**head, "name": self.named(head["name"])}, "loads", rows)

    def named(self, name: str) -> str:
        return f"{name} after {self.failure.text}"

    @cached_property
    def permutations(self) -> int:
        """The position of the set of all permutations of what is left."""
        ones = [Fraction(int(x)) for x in self.left]
        pairs = None
        if not self.allowed[np.ix_(self.left, self.left)].all():
            pairs = [(i, j, Fraction(0), None) for i, j in np.argwhere(self.allowed).tolist()]
        name = "permutations" if self.left.all() and pairs is None else self.named("permutations")
        return self.proof.set_of(transport(name, ones, ones, pairs=pairs))

    def apart(self, i: int, j: int) -> bool:
        network = self.whole.network
        return bool(self.allowed[i, j]) and network.source[i] != network.sink[j]

    @cached_property
    def about(self) -> dict[str, Any]:
        """Of claims about permutations; that failed channels carry nothing under them is claimed once."""
        found = {"routing": self.routing, "demands": self.permutations}
        if self.dead.any():
            nothing, dead = [0] * len(self.left), np.flatnonzero(self.dead).tolist()
            rows = [self._row(c, 1, nothing, nothing) for c in dead]
            self.proof.claim("worst-case-at-most", **found, channels=dead, value=[0, 1], evidence=rows)
        return found

    def _row(self, c: int, scale: int, u: list[int], v: list[int]) -> list[Any]:
        """Terminals that are gone pay for all that their pairs load; it costs nothing."""
        most = max((math.ceil(x * scale) for x in self.table.channel_loads([c]).load.fractions()), default=0)
        sides = ([x if y else most for x, y in zip(side, self.left.tolist(), strict=True)] for side in (u, v))
        return [c, number(scale), *map(numbers, sides), 0]

    def state_worst_case(
        self, claim: Claim, channel: int, sent: Iterable[tuple[int, int]], found: Iterator[Multipliers]
    ) -> None:
        """The claim's number, from above and, by what terminals send over the channel, from below; ``found``: of all
        channels that did not fail."""
        about, value = self.about, fraction(claim.number)
        nothing = [0] * len(self.left)
        evidence = [self._row(c, 1, nothing, nothing) for c in np.flatnonzero(self.dead).tolist()]
        evidence += [self._row(*x) for x in found]
        most = self.proof.claim("worst-case-at-most", **about, channels=None, value=value, evidence=evidence)
        rates = {ends: Fraction(1) for ends in sent if self.apart(*ends)}
        least = self.proof.claim("worst-case-at-least", **about, channel=channel, value=value, demand=demand(rates))
        self.worst_case = claim.number, most, least

    def state_uniform(self, claim: Claim) -> None:
        """Uniform traffic between what is left: the loads of all channels, added up."""
        network, rate = self.whole.network, Fraction(1, int(self.left.sum()))
        ends = [(i, j) for i, j in np.argwhere(self.allowed).tolist() if self.apart(i, j)]
        rates = {"uniform": dict.fromkeys(ends, rate)}
        name = "uniform" if self.allowed.all() else self.named("uniform")
        load, about = 1 / claim.number, {"routing": self.routing, "demands": self.proof.set_of(matrices(name, rates))}
        members = np.zeros((self.table.num_rows, self.table.num_columns), dtype=np.int64)
        for i, j in ends:
            members[self.whole.row_of[i], self.whole.column_of[j]] += 1
        scale = common([Fraction(1, x) for x in self.table.denominators])
        total = [0] * network.num_channels
        weight = members[self.table.row, self.table.column].tolist()
        for c, x, n in zip(
            channels_of(self.table).tolist(), self.table.load.scaled(scale).tolist(), weight, strict=True
        ):
            total[c] += int(x) * n
        loads = [x * rate / (scale * b) for x, b in zip(total, network.bandwidth, strict=True)]
        channel = max(range(len(loads)), key=loads.__getitem__)
        sent = demand(rates["uniform"])
        sent["because"] = [sent["weight"]]
        most = self.proof.claim("worst-case-at-most", **about, channels=None, value=fraction(load), evidence=[])
        least = self.proof.claim("worst-case-at-least", **about, channel=channel, value=fraction(load), demand=sent)
        value = fraction(claim.number)
        self.proof.claim("quotient", quantity="throughput-at-least", value=value, over=most, of=None)
        self.proof.claim("quotient", quantity="throughput-at-most", value=value, over=least, of=None)


def elaborate_failure(proof: Proof, claim: Claim, repair: Repair, known: dict[Failure, After]) -> None:
    """Write the claim out; ``known``: what was written of each failure.  Raises NotElaborated where the format has no
    such claim."""
    if claim.quantity not in ("worst_case_load", "throughput"):
        raise NotElaborated(f"{claim.quantity} after failures is not in the format")
    if not claim.number:
        raise NotElaborated("that no channel is loaded after a failure is not in the format")
    network, data = repair.routing.network, claim.evidence.data
    failure = Failure.of(data)
    expect_bytes(16 * network.num_channels * network.num_terminals, f"what is proved after {failure.text}")
    if isinstance(repair, Rebuild):
        _of_made_anew(proof, claim, repair, failure, known)
        return
    if failure not in known:
        known[failure] = _rerouted(proof, repair, failure)
    after = known[failure]
    if claim.quantity == "throughput":
        after.state_uniform(claim)
    elif repair.demands is not None:
        _over_set(claim, repair, after)
    else:
        witness = data["witness"]
        image = as_permutation(witness["permutation"], network.num_terminals).image.tolist()
        after.state_worst_case(claim, witness["channel"], enumerate(image), _multipliers(claim, repair, failure))


def elaborate_every_failure(proof: Proof, claim: Claim, repair: Repair, known: Mapping[Failure, After]) -> None:
    """Of every single link, after each of which the routing is the one that the format defines on what is left."""
    network, data = repair.routing.network, claim.evidence.data
    anew = repair.repair == "rebuild" or (repair.rule is not None and repair.rule.is_plain)
    if claim.quantity != "worst_case_load" or "at_once" in data or repair.demands is not None:
        raise NotElaborated("of all failures the format has the worst case of single links over permutations")
    if repair.routing.name != PLAIN["spec"] or not anew:
        raise NotElaborated(f"of all failures the format has {PLAIN['spec']}, made anew on what is left")
    low, high = np.sort([network.tail, network.head], axis=0).tolist()
    links: dict[tuple[int, int], list[int]] = {}
    for c, ends in enumerate(zip(low, high, strict=True)):
        if ends[0] != ends[1]:
            links.setdefault(ends, []).append(c)
    stated = {}
    for after in known.values():
        dead = np.flatnonzero(after.dead).tolist()
        if after.worst_case is not None and after.allowed.all() and dead in links.values():
            stated[dead[0]] = after.worst_case
    used = data["symmetry"] if repair.maps(data["symmetry"]) else {"declared": []}
    maps = moved(Context(repair.routing, []), used)
    label = orbit_labels(network.num_channels, [x.channel for x in maps])
    covered = {int(label[c]) for dead in links.values() if dead[0] in stated for c in dead}
    for ends, dead in links.items():
        own = {int(label[c]) for c in dead}
        if covered.isdisjoint(own) and repair.lost(Failure(links=(ends,))) is None:
            raise NotElaborated(f"what {Failure(links=(ends,)).text} does alone is not in the proof")
        covered |= own
    reached = next(least for value, _, least in stated.values() if value == claim.number)
    failed = [[c, most] for c, (_, most, _) in stated.items()]
    value, written = fraction(claim.number), [x.written() for x in maps]
    proof.claim("single-link-failure", failed=failed, reached=reached, maps=written, value=value)


def _over_set(claim: Claim, repair: Reroute, after: After) -> None:
    """Over the demands that are left, by what writes out any worst case over a set."""
    assert repair.demands is not None
    kind = next(x for x in JUDGES if x.replace("-", "_") in claim.evidence.data)
    if kind != "matrices" and not after.allowed.all():
        raise NotElaborated("pairs are gone or cut, and the set of demands is not a list of matrices")
    patched = repair.rerouting.patched(repair.after(after.failure))
    demands = repair.demands.without(~after.left)
    work = Work(after.proof, Context(patched, [], demands=demands))
    work.symmetry = ()
    work.table, work.routing = after.table, after.about["routing"]
    evidence = Evidence(kind, claim.evidence.data[kind.replace("-", "_")])
    JUDGES[kind](work, replace(claim, about={"demands": demands.text}, evidence=evidence))


def _rerouted(proof: Proof, repair: Reroute, failure: Failure) -> After:
    found, routing = repair.after(failure), repair.routing
    lost = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=bool)
    if found.cut is not None:
        lost[found.row[found.cut], found.column[found.cut]] = True
    left = found.terminals
    allowed = left[:, None] & left & ~lost[routing.row_of[:, None], routing.column_of]
    new = repair.rerouting.patched(found).pair_table()
    return After(proof, routing, failure, found.channels, left, allowed, new)


def _multipliers(claim: Claim, repair: Reroute, failure: Failure) -> Iterator[Multipliers]:
    routing, base, after = repair.routing, repair.potentials, repair.after(failure)
    over = Context(repair.rerouting.patched(after), [])
    rates = TerminalRates.one_each(over, after.terminals)
    proved = dict(potentials_in(over, claim.evidence.data, rates))
    row_of, column_of = routing.row_of.tolist(), routing.column_of.tolist()
    for c in np.flatnonzero(~after.channels).tolist():
        if c in proved:
            scale, u, v, _ = proved[c]
        else:
            scale = base.scale
            u, v = _raised(base.row[c], base.column[c], over.routing.channel_loads([c]), rates, scale)
        yield c, scale, [int(u[k]) for k in row_of], [int(v[k]) for k in column_of]


def _raised(row: Int64, column: Int64, block: LoadBlock, rates: TerminalRates, scale: int) -> tuple[Any, Any]:
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


def _of_made_anew(proof: Proof, claim: Claim, repair: Rebuild, failure: Failure, known: dict[Failure, After]) -> None:
    """The routing made anew is one on what is left, in whose numbers the evidence is."""
    network, data = repair.routing.network, claim.evidence.data
    of = Faults(failure.nodes, failure.channels(network)).survivors(network)
    terminal, channel = of.terminal.tolist(), of.channel.tolist()
    if claim.quantity == "throughput":
        if failure not in known:
            raise NotElaborated("no worst case before it has the routing that was made anew")
        known[failure].state_uniform(claim)
        return
    made = made_routing(data.get("routing", repair.described), of.network)
    known[failure] = after = _made(proof, repair.routing, failure, made, of)
    context = Context(made, [claim])
    rates, evidence = TerminalRates.one_each(context), data["worst_case"]
    witness = evidence["witness"]
    image = as_permutation(witness["permutation"], len(terminal)).image.tolist()
    sent = [(terminal[i], terminal[j]) for i, j in enumerate(image)]

    def found() -> Iterator[Multipliers]:
        for c, scale, *sides, _ in written_evidence(context, evidence, rates):
            both = [dict(zip(terminal, map(int, side), strict=True)) for side in sides]
            u, v = ([x.get(t, 0) for t in range(network.num_terminals)] for x in both)
            yield channel[c], int(scale), u, v

    after.state_worst_case(claim, channel[witness["channel"]], sent, found())


def _made(proof: Proof, whole: Routing, failure: Failure, made: Routing, of: Survivors) -> After:
    network = whole.network
    left, dead = np.zeros(network.num_terminals, dtype=bool), np.ones(network.num_channels, dtype=bool)
    left[of.terminal], dead[of.channel] = True, False
    try:
        part = placed_loads(whole, made, of)
    except InputError as error:
        raise NotElaborated(str(error)) from None
    shape = network.num_channels, len(whole.row_node), len(whole.column_node)
    return After(proof, whole, failure, dead, left, left[:, None] & left, PairTable.joined([part], shape=shape))


def channels_of(table: PairTable) -> npt.NDArray[np.int32]:
    return np.repeat(np.arange(len(table.offset) - 1, dtype=np.int32), np.diff(table.offset))
