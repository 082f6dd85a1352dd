"""``rp.hashing`` and ``rp.split``: flows that do not split, and whether a measured split is chance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..answers.hashing import HashingAnswer, SplitAnswer, answer_hashing, answer_split
from ..core.network import Network
from ..core.traffic import Traffic
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from .result import Result, check_routing


class HashingResult(Result[HashingAnswer]):
    """``reaches(load)``: (low, high) for the probability that some channel carries at least ``load`` per bandwidth;
    ``channel_reaches(channel, load)``: the same of one channel, exactly."""

    def __init__(self, answer: HashingAnswer) -> None:
        super().__init__(answer, f"hashed flows of {answer.routing.name} on {answer.network.name}", answer.routing)

    @property
    def network(self) -> Network:
        return self.answer.network

    def reaches(self, load: Fraction | int) -> tuple[Fraction, Fraction]:
        low, high = self.answer.flows.reaches(Fraction(load))
        return low, high

    def channel_reaches(self, channel: int, load: Fraction | int) -> Fraction:
        return self.answer.flows.channel_reaches(channel, Fraction(load))


class SplitResult(Result[SplitAnswer]):
    """``p_value``: how likely a fair hash is to split flows so unevenly, or more (at most so likely, where ``exact`` is
    False)."""

    def __init__(self, answer: SplitAnswer) -> None:
        super().__init__(answer, f"split {':'.join(map(str, answer.counts))}", None)
        self.p_value = answer.chance.high
        self.exact = answer.chance.low == answer.chance.high


def hashing(
    routing: Routing,
    traffic: Traffic | None = None,
    *,
    flows: int = 1,
    at_least: Sequence[Fraction | str] = (),
    samples: int = 1000,
    seed: int = 0,
    pair: tuple[int, int] | None = None,
) -> HashingResult:
    """How flows of a permutation meet when every flow takes one path of its pair, picked by a hash at random.

        >>> import routeproof as rp
        >>> net = rp.network("fat-tree:4")
        >>> found = rp.hashing(rp.named_routing("ecmp", net), rp.traffic("shift:by=4", net))
        >>> found.channel_reaches(0, 2)
        Fraction(1, 4)

    - ``traffic``: a permutation; None for the worst one when flows split ideally; ``flows``: of every pair, of size
      1 / ``flows``;
    - ``at_least``: loads per bandwidth whose probability is claimed; ``samples``, ``seed``: draws for the mean of the
      largest load, where that is not found exactly;
    - ``pair``: two terminals, for whose flows the shares of second channels are claimed, given the first one.

    Raises InputError for traffic that is no permutation, and routings whose paths come back to a node.
    """
    check_routing(routing)
    answer = answer_hashing(
        routing, traffic, each=flows, at_least=at_least, samples=samples, seed=seed, pair=pair, setting=setting_here()
    )
    return HashingResult(answer)


def split(
    counts: Sequence[int],
    *,
    weights: Sequence[int] | None = None,
    level: Fraction | str = "1%",
    test: str | None = None,
) -> SplitResult:
    """Is a measured split of flows within chance?  The exact two-sided test of a fair hash.

        >>> import routeproof as rp
        >>> round(float(rp.split([47, 53]).p_value), 4)
        0.6173

    ``weights``: of the members (all alike); ``level``: what is rarer is not chance; ``test``: "likelihood" or
    "deviation" (None: likelihood where all splits can be gone through).  Raises InputError.
    """
    return SplitResult(answer_split(counts, weights=weights, level=level, test=test))
