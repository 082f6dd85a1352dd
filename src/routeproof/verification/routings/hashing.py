"""Reports of ``hashing``: probabilities of loads, formed again from the pair loads of the routing; draws, drawn again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...core.checks.independent_flows import Chance
from ...core.checks.multipliers import shown
from ...core.claim import Claim, Grade, Interval
from ...core.errors import InputError, VerificationError
from ...core.rational import parse_fraction
from ...core.sampling.intervals import mean_limits
from ...routing.hashing.draws import drawn
from ...routing.hashing.flows import Flows
from ...routing.hashing.tiers import next_shares
from ..kind import BOUNDS, EXACT, Kind, States
from ..reading import (
    Report,
    as_channel,
    as_permutation,
    as_terminal,
    as_whole,
    check_interval,
    check_value,
    errors_at,
    name_of,
)
from ..shapes import TEXT, WHOLE, Keys
from ..subject import routing_of
from ..work import spend
from .routing_claims import verify_routing
from .traffic import WORST, traffic_of

_MOST_SAMPLES = 100_000
_OWN = ("hashed-flows", "hashed-draws")


def verify_hashing(report: Report) -> None:
    """Check every claim of a report about hashed flows.  Their form is checked already."""
    proved = [x for x in report.claims if x.evidence.kind not in _OWN]
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
    known = _Known(flows, traffic.name)
    for number, claim in enumerate(report.claims):
        if claim.evidence.kind in _OWN:
            with errors_at(name_of(number, claim)):
                known.check(claim)
        if report.progress is not None:
            report.progress(number + 1, len(report.claims))


class _Known:
    """The flows, and the probabilities that were formed already."""

    def __init__(self, flows: Flows, traffic: str) -> None:
        self.flows, self.traffic = flows, traffic
        self.chances: dict[Fraction, Chance] = {}
        self.shares: dict[tuple[int, int], dict[tuple[int, int], Fraction]] = {}

    def check(self, claim: Claim) -> None:
        if claim.quantity == "next_channel_share":
            self._check_share(claim)
            return
        each = claim.about.get("flows", 1)
        if claim.about["traffic"] != self.traffic or each != self.flows.each:
            raise VerificationError(
                f"it is about other traffic, or other flows, than the subject: {dict(claim.about)}"[:300]
            )
        if claim.evidence.kind == "hashed-draws":
            self._check_draws(claim, claim.evidence.data)
        elif claim.quantity == "largest_hashed_load":
            mean = self.flows.mean
            if mean is None:
                raise VerificationError("its network is too large for an exact mean")
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
        flows = self.flows
        if "channel" in claim.about:
            if claim.relation != "==":
                raise VerificationError("of one channel the probability is exact")
            spend(len(flows.pairs) * 100, "the distribution of a channel")
            own = flows.channel_reaches(as_channel(flows.network, claim.about["channel"]), least)
            check_value(claim, own, "the distribution of its flows gives")
            return
        if least not in self.chances:
            spend(100 * sum(map(len, flows.loads)), "the probabilities of all channels")
            self.chances[least] = flows.reaches(least)
        low, high = self.chances[least]
        value = claim.value
        assert isinstance(value, Fraction)
        holds = {"==": low == high == value, "<=": high <= value, ">=": low >= value}[claim.relation]
        if not holds:
            found = shown(low) if low == high else f"from {shown(low)} to {shown(high)}"
            raise VerificationError(f"it is {claim.relation} {shown(value)}; the distributions give {found}"[:300])

    def _check_draws(self, claim: Claim, data: Mapping[str, Any]) -> None:
        value, flows = claim.value, self.flows
        assert isinstance(value, Interval)
        samples = as_whole(data["samples"], "its samples", 1, _MOST_SAMPLES)
        seed = as_whole(data["seed"], "its seed", 0, (1 << 40) - 1)
        if (value.trials, value.seed, value.confidence) != (samples, seed, 0.99):
            raise VerificationError("its evidence names other draws than its value, or another confidence than 99 %")
        count = sum(x[2] for x in flows.pairs)
        spend(count * (500 + samples * flows.routing.average_hops / 20), f"{samples:,} draws of {count:,} flows")
        found = [float(x) for x in drawn(flows, seed=seed, trials=samples)]
        low, high = mean_limits(found, least=0.0, most=float(flows.most))
        check_interval(value, (low, sum(found) / samples, high), "the draws give")

    def _check_share(self, claim: Claim) -> None:
        network = self.flows.network
        i, j = (as_terminal(network, claim.about[x]) for x in ("source", "sink"))
        if (i, j) not in self.shares:
            spend(10_000, "the paths of a pair")
            self.shares[i, j] = next_shares(self.flows.routing, i, j)
        pair = tuple(as_channel(network, claim.about[x]) for x in ("given", "channel"))
        own = self.shares[i, j].get((pair[0], pair[1]))
        if own is None:
            raise VerificationError("flows of this pair do not cross these two channels, one after the other")
        check_value(claim, own, "its paths give")


_ABOUT = {"flows": WHOLE}
_SOURCES = frozenset[str]()
KINDS: Mapping[str, Kind] = {
    "hashed-flows": Kind(
        Keys({}),
        {
            "overload_probability": States(
                BOUNDS, Grade.PROVED, Keys({"traffic": TEXT, "at_least": TEXT}, {**_ABOUT, "channel": WHOLE})
            ),
            "largest_hashed_load": States(EXACT, Grade.PROVED, Keys({"traffic": TEXT}, _ABOUT)),
            "next_channel_share": States(
                EXACT, Grade.PROVED, Keys({"source": WHOLE, "sink": WHOLE, "given": WHOLE, "channel": WHOLE})
            ),
        },
        _SOURCES,
    ),
    "hashed-draws": Kind(
        Keys({"samples": WHOLE, "seed": WHOLE}),
        {"largest_hashed_load": States(EXACT, Grade.SAMPLED, Keys({"traffic": TEXT}, _ABOUT))},
        _SOURCES,
    ),
}
