"""Claims about hashed flows: probabilities formed again from the routing's pair loads; draws, drawn again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.independent_flows import Chance
from ...core.claim import Claim, Grade, Interval
from ...core.errors import InputError, VerificationError
from ...core.rational import parse_fraction
from ...core.sampling.intervals import mean_limits
from ...routing.hashing.draws import drawn
from ...routing.hashing.flows import Flows
from ...routing.hashing.tiers import next_shares
from ..kind import BOUNDS, EXACT, Kind, States
from ..reading import as_channel, as_terminal, as_whole, check_bounds, check_interval, check_value
from ..shapes import TEXT, WHOLE, Keys
from ..work import spend

_MOST_SAMPLES = 100_000


class HashedFlows:
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
            raise VerificationError("it is about other traffic, or another number of flows of a pair, than the subject")
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
        check_bounds(claim, self.chances[least])

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
        low, high = mean_limits(found, least=0.0, most=flows.most)
        check_interval(value, (low, min(max(low, sum(found) / samples), high), high), "the draws give")

    def _check_share(self, claim: Claim) -> None:
        network = self.flows.network
        i, j = (as_terminal(network, claim.about[x]) for x in ("sender", "receiver"))
        if (i, j) not in self.shares:
            spend(10_000, "the paths of a pair")
            self.shares[i, j] = next_shares(self.flows.routing, i, j)
        pair = tuple(as_channel(network, claim.about[x]) for x in ("given", "channel"))
        if pair[0] not in {c for c, _ in self.shares[i, j]} or network.head[pair[0]] != network.tail[pair[1]]:
            raise VerificationError("flows of this pair do not cross these two channels, one after the other")
        check_value(claim, self.shares[i, j].get((pair[0], pair[1]), Fraction(0)), "its paths give")


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
                EXACT, Grade.PROVED, Keys({"sender": WHOLE, "receiver": WHOLE, "given": WHOLE, "channel": WHOLE})
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
