"""Flows do not split, hashes pick: how many meet on one channel, with which probability?  Is a measured split of flows
within chance?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ..core.errors import InputError
from .answer import ALONE, PlainAnswer, RoutingAnswer, Setting, Shown, ends, subject_of, timed
from .given import Given
from .question import Question, argument, option, question, spelled
from .shared import JSON_REPORT, ROUTING, TOPOLOGY

if TYPE_CHECKING:
    from fractions import Fraction

    from ..core.claim import Claim
    from ..core.traffic import Traffic
    from ..kernel.independent_flows import Chance
    from ..routing.base.routing import Routing
    from ..routing.hashing.flows import Flows

_ROWS = 12
_RARE = 10**9  # less often than once in so many is not stated unasked
MOST_TRIALS = 100_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HashingAnswer(RoutingAnswer):
    """``flows``: those that were hashed; ``rows``: (load per bandwidth, chance of some channel, of ``channel``)."""

    shown = Shown("terminal.hashing:hashing_parts", figure="figures.curves:hashing_figure", on_page=True)

    flows: Flows
    traffic: Traffic
    channel: int
    rows: Sequence[tuple[Fraction, Chance, Fraction]]
    pair: tuple[int, int] | None = None

    @property
    def subject(self) -> dict[str, object]:
        from ..formats.documents.packed_ints import pack_ints

        own = subject_of(self.routing, topology=self.topology, paths=True)
        flows = {
            "traffic": self.traffic.name,
            "permutation": pack_ints(self.flows.permutation.image),
            "each": self.flows.each,
        }
        return {**own, "kind": "hashing", "flows": flows}


def _traffic(given: Given, text: str | None) -> Traffic | None:
    if text is None:
        raise InputError(
            "no traffic is given; --traffic shift:by=4, say, a file of a permutation, or worst was expected"
        )
    return None if text == "worst" else given.traffic(text)


def _pair(given: Given, text: str | None) -> tuple[int, int] | None:
    from ..core.quoted import split_outside, unquoted
    from ..formats.demands.terminal_names import TerminalNames

    if text is None:
        return None
    names, words = TerminalNames(given.network), [unquoted(x) for x in split_outside(text, ",")]
    if len(words) != 2:
        raise InputError(f"--pair is {text[:40]!r}; two terminals, such as 0,7, were expected")
    found = [names.find(x, what="--pair") for x in words]
    return found[0][0], found[1][0]


@question
class Hashing(Question[HashingAnswer]):
    """How flows of a permutation meet when every flow takes one path, picked by a hash.

    The distribution of the load of a channel is exact, and so is that of every stage of a Clos network; what is said of
    all channels together is exact or lies between proved bounds. --routing ecmp:hash=same is a fabric whose
    switches all compute the same hash (polarisation); --routing worst-hash:ROUTING of worst-case is the worst hash.

    For example: routeproof hashing fat-tree:4 --routing ecmp --traffic shift:by=4

        >>> import routeproof as rp
        >>> net = rp.network("fat-tree:4")
        >>> found = rp.hashing(rp.named_routing("ecmp", net), rp.traffic("shift:by=4", net))
        >>> found.channel_reaches(0, 2)
        Fraction(1, 4)

    Raises InputError for traffic that is no permutation, and routings whose paths come back to a node.
    """

    verb, place, function = "hashing", 50, "hashing"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    traffic: Traffic | None = option(
        "PATTERN",
        "Who sends to whom: a permutation such as shift:by=4, a file, or worst (of an ideal split).",
        "--traffic",
        "-t",
        default=None,
        kind=str | None,
        complete="pattern",
        read=_traffic,
        python="A permutation; None for the worst one when flows split ideally.",
    )
    _: KW_ONLY
    flows: int = option("N", "So many equal flows of every pair.", default=1, min=1)
    at_least: Sequence[Fraction | str] = option(
        "LOAD",
        "The probability of so much load per bandwidth; may be given several times.",
        default=(),
        kind=list[str] | None,
        command_default=None,
        read=lambda _, texts: texts or (),
        python="Loads per bandwidth whose probability is claimed.",
    )
    pair: tuple[int, int] | None = option(
        "I,J",
        "Also what the second tier chooses once the first has chosen, from terminal I to terminal J.",
        default=None,
        kind=str | None,
        read=_pair,
    )
    samples: int = option(
        "N", "Draws of all paths for the mean of the largest load, where it is not found exactly.", default=1000
    )
    seed: int = option("S", "The random seed of the draws.", default=0)
    json: str | None = spelled(JSON_REPORT, init=False)
    plot: str | None = option("FILE", "Draw these probabilities: .svg, .png or .pdf.", init=False)

    @property
    def title(self) -> str:
        return f"hashed flows of {super().title}"

    @timed
    def answer(self, setting: Setting = ALONE) -> HashingAnswer:
        from ..core.rational import parse_fraction
        from ..routing.hashing.flows import Flows
        from ..worst.loads import channel_loads_under, traffic_claims
        from .simulate.load import worst_traffic_of

        routing, traffic, each, at_least = self.routing, self.traffic, self.flows, self.at_least
        samples, seed, pair = self.samples, self.seed, self.pair
        if not 0 <= samples <= MOST_TRIALS or not 0 <= seed < 1 << 40:
            raise InputError(f"--samples is {samples}, --seed {seed}; 0 to {MOST_TRIALS:,}, and 0 on, were expected")
        worst: list[Claim] = []
        if traffic is None:
            traffic, worst = worst_traffic_of(routing, setting.stage)
        if traffic.permutation is None:
            raise InputError(
                f"traffic {traffic.name} is not a permutation: flows go from a terminal to one other; a permutation, "
                f"such as shift:by=4 or a file, was expected"
            )
        flows = Flows(routing, traffic.permutation, each)
        stated = [*worst, *traffic_claims(routing, traffic, channel_loads_under(routing, traffic))]
        channel = max(flows.expected, key=lambda c: (flows.expected[c], -c))
        wanted = [parse_fraction(x, what="--at-least") for x in at_least]
        if any(x <= 0 for x in wanted):
            raise InputError("--at-least takes loads above 0")
        about = {"traffic": traffic.name, **({"flows": each} if each > 1 else {})}
        rows = []
        with setting.stage("probabilities") as progress:
            for k, least in enumerate(wanted or _thresholds(flows, flows.expected[channel])):
                rows.append((least, flows.reaches(least), flows.channel_reaches(channel, least)))
                if progress is not None:
                    progress(k + 1, len(wanted) or _ROWS)
                if not wanted and (rows[-1][1].high * _RARE < 1 or k + 1 == _ROWS):
                    break
        for least, chance, one in rows:
            more = {**about, "at_least": str(least)}
            stated += [_proved("overload_probability", relation, x, more) for relation, x in ends(*chance).items()]
            stated.append(_proved("overload_probability", "==", one, {**more, "channel": channel}))
        with setting.stage("draws"):
            stated += _mean(flows, about, samples, seed)
        if pair is not None:
            stated += _tiers(flows, pair)
        return HashingAnswer(
            routing=routing, topology=setting.topology, stated=tuple(stated), flows=flows, traffic=traffic,
            channel=channel, rows=rows, pair=pair,
        )  # fmt: skip


def _thresholds(flows: Flows, first: Fraction) -> list[Fraction]:
    from fractions import Fraction

    step = Fraction(1, {1: 1, 2: 2, 3: 2}.get(flows.each, 4))
    start = -(-first // step)
    return [step * k for k in range(int(start), int(flows.most / step) + 1)] or [flows.most]


def _proved(quantity: str, relation: str, value: Fraction, about: dict[str, object]) -> Claim:
    from ..claims.routings.hashing import HASHED_FLOWS

    return HASHED_FLOWS.claim(value, None, about, quantity=quantity, relation=relation)


def _mean(flows: Flows, about: dict[str, object], samples: int, seed: int) -> list[Claim]:
    """The mean of the largest load: exact on small networks, else from draws."""
    if (mean := flows.mean) is not None:
        return [_proved("largest_hashed_load", "==", mean, about)]
    return [drawn_mean(flows, about, samples, seed)] if samples else []


def drawn_mean(flows: Flows, about: dict[str, object], samples: int, seed: int) -> Claim:
    """The same from draws: SAMPLED."""
    from ..claims.routings.hashing import HASHED_DRAWS
    from ..core.claim import Interval
    from ..core.sampling.intervals import mean_limits
    from ..routing.hashing.draws import drawn

    found = [float(x) for x in drawn(flows, seed=seed, trials=samples)]
    low, high = mean_limits(found, least=0.0, most=flows.most)
    value = Interval(low, min(max(low, sum(found) / samples), high), high, samples, seed)
    return HASHED_DRAWS.claim(value, {"samples": samples, "seed": seed}, about)


def _tiers(flows: Flows, pair: tuple[int, int]) -> list[Claim]:
    from ..routing.hashing.flows import next_shares

    i, j = pair
    return [
        _proved("next_channel_share", "==", x, {"sender": i, "receiver": j, "given": c, "channel": d})
        for (c, d), x in next_shares(flows.routing, i, j).items()
    ]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SplitAnswer(PlainAnswer):
    shown = Shown("terminal.hashing:split_parts")

    counts: Sequence[int]
    weights: Sequence[int]
    test: str
    level: Fraction
    chance: Chance
    tolerated: int


def _numbers(text: str, what: str) -> list[int]:
    parts = text.replace(",", ":").split(":")
    if not all(x.strip().isascii() and x.strip().isdecimal() and len(x.strip()) <= 9 for x in parts):
        raise InputError(f"{what} is {text[:40]!r}; whole numbers with colons between, such as 47:53, were expected")
    return [int(x) for x in parts]


@question
class Split(Question[SplitAnswer]):
    """Is a measured split of flows within chance? The exact test of a fair hash, binomial or multinomial, two-sided.

    Count flows, not packets or bytes: packets of one flow go together. --weights are those of a weighted group (WCMP).

    For example: routeproof split 47:53

        >>> import routeproof as rp
        >>> round(float(rp.split([47, 53]).p_value), 4)
        0.6173

    Raises InputError.
    """

    verb, place, function = "split", 60, "split"

    counts: Sequence[int] = argument(
        "COUNTS", "How many flows each member carries, as in 47:53.", kind=str,
        read=lambda _, text: _numbers(text, "the split"), python="How many flows each member carries.",
    )  # fmt: skip
    _: KW_ONLY
    weights: Sequence[int] | None = option(
        "WEIGHTS", "The members' weights, as in 3:1 (default: all alike).", default=None, kind=str | None,
        read=lambda _, text: None if text is None else _numbers(text, "--weights"),
    )  # fmt: skip
    level: Fraction | str = option(
        "LEVEL", "What is rarer than this is not chance: 1%, 0.01 or 1/100.", default="1%", kind=str
    )
    test: str | None = option(
        "likelihood|deviation",
        "Splits that are no likelier, or with a member as far from its share (default: likelihood if it can be).",
        default=None,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"split {':'.join(map(str, self.counts))}"

    @timed
    def answer(self, setting: Setting = ALONE) -> SplitAnswer:  # noqa: ARG002  # it takes no time
        from ..claims.splits import SPLIT
        from ..kernel.splits import check_split, p_value, tolerance, usual_test

        counts, weights, level, test = self.counts, self.weights, self.level, self.test
        given = [1] * len(counts) if weights is None else list(weights)
        check_split(counts, given)
        limit = level_of(level)
        chosen = usual_test(counts) if test is None else test
        if chosen not in ("likelihood", "deviation"):
            raise InputError(f"--test is {chosen[:40]!r}; likelihood or deviation was expected")
        chance, about = p_value(counts, given, chosen), {"test": chosen}
        stated = [
            SPLIT.claim(x, None, about, quantity="split_p_value", relation=relation)
            for relation, x in ends(*chance).items()
        ]
        limits = {"level": str(limit)}
        within = "true" if chance.low > limit else "false" if chance.high <= limit else None
        if within is not None:
            stated.append(SPLIT.claim(within, None, {**about, **limits}, quantity="split_within_chance"))
        tolerated, least = tolerance(sum(counts), given, limit)
        relation = "==" if least else "<="
        stated.append(SPLIT.claim(tolerated, None, limits, quantity="split_tolerance", relation=relation))
        subject = {"kind": "split", "counts": list(counts), "weights": given}
        return SplitAnswer(
            about=subject, stated=tuple(stated), counts=counts, weights=given, test=chosen, level=limit, chance=chance,
            tolerated=tolerated,
        )  # fmt: skip


def level_of(level: Fraction | str) -> Fraction:
    """``1%``, ``0.01``, ``1/100``; raises InputError unless it is between 0 and 1."""
    from ..core.rational import parse_fraction

    text = str(level).strip()
    found = parse_fraction(text.removesuffix("%").strip(), what="--level")
    found = found / 100 if text.endswith("%") else found
    if not 0 < found < 1 or found.denominator > 10**12:
        raise InputError(f"--level is {text[:40]}; more than 0 and less than 1, such as 1%, was expected")
    return found
