"""Reports about hashed flows: probabilities worked out a second time from the routing's pair loads; draws, drawn again.

``claims.chances``, which does it, shares nothing with what found them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.rational import parse_fraction
from ...core.sampling.intervals import mean_limits
from ...kernel.independent_flows import Chance
from ...routing.hashing.draws import drawn
from ...routing.hashing.flows import Flows
from .. import chances
from ..kind import BOUNDS, EXACT, NAMED, NETWORK, Kind, States, SubjectKind
from ..reading import (
    Report,
    as_channel,
    as_permutation,
    as_terminal,
    as_whole,
    check_bounds,
    check_interval,
    check_sample,
    check_value,
    errors_at,
)
from ..shapes import ANY, NUMBERS, TEXT, WHOLE, Keys
from ..subject import routing_of
from ..work import spend
from .routing_claims import verify_routing
from .traffic import WORST, traffic_of

_MOST_SAMPLES = 100_000
_HASHED = ("hashed-flows", "hashed-draws")


def verify_hashing(report: Report) -> None:
    """Check every claim of a report about hashed flows.  Their form is checked already."""
    proved = [x for x in report.claims if x.evidence.kind not in _HASHED]
    if len(proved) == len(report.claims):
        raise VerificationError("the report makes no claims about hashed flows: there is nothing to verify")
    if proved:
        verify_routing(replace(report, claims=proved))
    routing = routing_of(report.subject, report.routing)
    given = report.subject["flows"]
    with errors_at("subject"):
        traffic = traffic_of(routing.network, {k: given[k] for k in ("traffic", "permutation")})
        assert traffic.permutation is not None
        size = routing.network.num_terminals
        same = [x for x in proved if x.quantity == "throughput" and x.about["traffic"] == traffic.name]
        if any(as_permutation(x.evidence.data.get("permutation"), size) != traffic.permutation for x in same):
            raise VerificationError("its flows are of another permutation than a claim about the same traffic")
        if traffic.name == WORST and not same:
            raise VerificationError("its permutation is called the worst, and no proved claim is about it")
        flows = Flows(routing, traffic.permutation, as_whole(given["each"], "its flows of a pair", 1))
    known = HashedFlows(flows, traffic.name)
    report.check_each(known.check, shown=True)


class HashedFlows:
    """The flows, of which only the pairs and their loads are taken, and the probabilities that were formed already."""

    def __init__(self, flows: Flows, traffic: str) -> None:
        self.flows, self.traffic = flows, traffic
        self.chances: dict[Fraction, Chance] = {}
        network = flows.network
        self.ends = dict(enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)))

    @cached_property
    def counted(self) -> list[tuple[int, Mapping[int, Fraction]]]:
        """(how many flows, the probability of each channel), by pair."""
        return [(n, loads) for (_, _, n), loads in zip(self.flows.pairs, self.flows.loads, strict=True)]

    @cached_property
    def stages(self) -> list[list[chances.Class]]:
        return chances.stages_of(self.counted, self.ends)

    @cached_property
    def width(self) -> dict[int, Fraction]:
        """How many flows a channel carries at load 1."""
        network = self.flows.network
        return {c: network.bandwidth[c] * self.flows.each for _, loads in self.counted for c in loads}

    @cached_property
    def whole(self) -> list[tuple[int, list[chances.Way]]]:
        """(how many flows, all their ways), by pair."""
        pairs = zip(self.flows.pairs, self.flows.loads, strict=True)
        return [(n, self.ways(row, column, loads)) for (row, column, n), loads in pairs]

    @cached_property
    def largest(self) -> dict[Fraction, Fraction]:
        return chances.largest_load(self.whole, self.width)

    def ways(self, row: int, column: int, loads: Mapping[int, Fraction]) -> list[chances.Way]:
        routing = self.flows.routing
        if routing.has_explicit_paths:
            return [(p, tuple(path)) for p, path in routing.paths(row, column)]
        pair = int(routing.row_node[row]), int(routing.column_node[column])
        return chances.ways_along(loads, self.ends, pair)

    def check(self, claim: Claim) -> None:
        if claim.evidence.kind not in _HASHED:
            return
        if claim.quantity == "next_channel_share":
            self._check_share(claim)
            return
        each = claim.about.get("flows", 1)
        if claim.about["traffic"] != self.traffic or each != self.flows.each:
            raise VerificationError("it is about other traffic, or another number of flows of a pair, than the subject")
        if claim.evidence.kind == "hashed-draws":
            self._check_draws(claim, claim.evidence.data)
        elif claim.quantity == "largest_hashed_load":
            mean = sum((load * p for load, p in self.largest.items()), Fraction(0))
            check_value(claim, mean, "all choices of paths give")
        else:
            self._check_probability(claim)

    def _check_probability(self, claim: Claim) -> None:
        try:
            least = parse_fraction(claim.about["at_least"], what="its load")
        except InputError as error:
            raise VerificationError(str(error)) from None
        if least <= 0 or str(least) != claim.about["at_least"]:
            raise VerificationError(f"its load is {claim.about['at_least'][:40]!r}; a fraction above 0 was expected")
        room = {c: -int(-(least * x) // 1) - 1 for c, x in self.width.items()}
        if "channel" in claim.about:
            if claim.relation != "==":
                raise VerificationError("of one channel the probability is exact")
            channel = as_channel(self.flows.network, claim.about["channel"])
            own = 1 - chances.one_channel(self.counted, channel, room[channel]) if channel in room else Fraction(0)
            check_value(claim, own, "the distribution of its flows gives")
            return
        if least not in self.chances:
            spend(100 * sum(map(len, self.flows.loads)), "the probabilities of all channels")
            below = [chances.none_over(classes, room) for classes in self.stages]
            self.chances[least] = Chance(
                max(1 - x.high for x in below), min(Fraction(1), sum((1 - x.low for x in below), Fraction(0)))
            )
        chance = self.chances[least]
        if claim.relation == "==" and chance.low < chance.high:  # then the network was small enough for all ways
            exact = 1 - chances.none_over_room(self.whole, room)
            chance = self.chances[least] = Chance(exact, exact)
        check_bounds(claim, chance)

    def _check_draws(self, claim: Claim, data: Mapping[str, Any]) -> None:
        value, flows = claim.interval, self.flows
        samples = as_whole(data["samples"], "its samples", 1, _MOST_SAMPLES)
        seed = as_whole(data["seed"], "its seed", 0, (1 << 40) - 1)
        check_sample(claim, samples, seed, "other draws")
        count = sum(x[2] for x in flows.pairs)
        spend(count * (500 + samples * flows.routing.average_hops / 20), f"{samples:,} draws of {count:,} flows")
        found = [float(x) for x in drawn(flows, seed=seed, trials=samples)]
        low, high = mean_limits(found, least=0.0, most=flows.most)
        check_interval(value, (low, min(max(low, sum(found) / samples), high), high), "the draws give")

    def _check_share(self, claim: Claim) -> None:
        network = self.flows.network
        i, j = (as_terminal(network, claim.about[x]) for x in ("sender", "receiver"))
        routing = self.flows.routing
        row, column = int(routing.row_of[i]), int(routing.column_of[j])
        spend(10_000, "the paths of a pair")
        ways = self.ways(row, column, routing.pair_loads([row], [column]).as_dict())
        given, channel = (as_channel(network, claim.about[x]) for x in ("given", "channel"))
        first = sum(p for p, path in ways if path[:1] == (given,))
        if not first or network.head[given] != network.tail[channel]:
            raise VerificationError("flows of this pair do not cross these two channels, one after the other")
        check_value(
            claim, sum(p for p, path in ways if path[:2] == (given, channel)) / Fraction(first), "its paths give"
        )


_ABOUT = {"flows": WHOLE}
_SOURCES = frozenset[str]()
HASHED_FLOWS = Kind(
    "hashed-flows",
    "The flows of the report, each with the probabilities of its channels as the routing has them: the "
    "distributions of their sums, formed again in whole numbers.",
    Keys({}),
    {
        "overload_probability": States(
            BOUNDS, Grade.PROVED, Keys({"traffic": TEXT, "at_least": TEXT}, {**_ABOUT, "channel": WHOLE})
        ),
        "largest_hashed_load": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT}, _ABOUT)),
        "next_channel_share": States(
            EXACT, Grade.PROVED, Keys({"sender": WHOLE, "receiver": WHOLE, "given": WHOLE, "channel": WHOLE})
        ),
    },
    _SOURCES,
    subjects=frozenset({"hashing"}),
)
HASHED_DRAWS = Kind(
    "hashed-draws",
    "Paths of all flows, drawn again from the seed: their largest loads give the interval.",
    Keys({"samples": WHOLE, "seed": WHOLE}),
    {"largest_hashed_load": States(EXACT, Grade.SAMPLED, Keys({"traffic": TEXT}, _ABOUT))},
    _SOURCES,
    subjects=frozenset({"hashing"}),
)
HASHING = SubjectKind(
    "hashing",
    verify_hashing,
    Keys({**NETWORK, "routing": ANY, "flows": Keys({"traffic": TEXT, "permutation": NUMBERS, "each": WHOLE})}, NAMED),
)
