"""Whole flows on hashed paths: how many meet on one channel, with which probability; and whether a split is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..core.claim import Claim, Evidence, Grade, Interval
from ..core.errors import InputError
from ..core.rational import parse_fraction
from ..core.sampling.intervals import mean_limits
from ..core.traffic import Traffic
from ..formats.documents.packed_ints import pack_ints
from ..kernel.independent_flows import Chance
from ..kernel.splits import check_split, p_value, tolerance, usual_test
from ..questions.answer import ALONE, PlainAnswer, RoutingAnswer, Setting, subject_of, timed
from ..routing.base.routing import Routing
from ..routing.hashing.draws import drawn
from ..routing.hashing.flows import Flows
from ..routing.hashing.ways import next_shares
from ..worst.loads import channel_loads_under, traffic_claims
from .simulate.load import worst_traffic_of

_ROWS = 12
_TINY = Fraction(1, 10**9)
MOST_TRIALS = 100_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HashingAnswer(RoutingAnswer):
    """``flows``: those that were hashed; ``rows``: (load per bandwidth, chance of some channel, of ``channel``)."""

    flows: Flows
    traffic: Traffic
    channel: int
    rows: Sequence[tuple[Fraction, Chance, Fraction]]
    pair: tuple[int, int] | None = None

    @property
    def subject(self) -> dict[str, object]:
        own = subject_of(self.routing, topology=self.topology, paths=True)
        flows = {
            "traffic": self.traffic.name,
            "permutation": pack_ints(self.flows.permutation.image),
            "each": self.flows.each,
        }
        return {**own, "kind": "hashing", "flows": flows}


@timed
def answer_hashing(
    routing: Routing,
    traffic: Traffic | None = None,
    *,
    each: int = 1,
    at_least: Sequence[Fraction | str] = (),
    samples: int = 1000,
    seed: int = 0,
    pair: tuple[int, int] | None = None,
    setting: Setting = ALONE,
) -> HashingAnswer:
    """How the flows of a permutation (None: the worst one when flows split ideally) meet when hashes pick at random.

    - ``each``: equal flows of a pair; ``at_least``: loads per bandwidth whose probability is stated (none: from the
      largest load of an ideal split upwards);
    - ``samples``, ``seed``: draws for the mean of the largest load, where that is not found exactly; 0 for none;
    - ``pair``: two terminals, whose flows' next channels are stated given the first one.

    Raises InputError for traffic that is no permutation, numbers outside their ranges, and as ``Flows`` does.
    """
    if not 0 <= samples <= MOST_TRIALS or not 0 <= seed < 1 << 40:
        raise InputError(f"samples is {samples}, the seed {seed}; 0 to {MOST_TRIALS:,}, and 0 on, were expected")
    worst: list[Claim] = []
    if traffic is None:
        traffic, worst = worst_traffic_of(routing, setting.stage)
    if traffic.permutation is None:
        raise InputError(
            f"traffic {traffic.name} is no permutation: flows go from a terminal to one other; a permutation, such as "
            f"shift:by=4 or a file, was expected"
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
            if not wanted and (rows[-1][1].high < _TINY or k + 1 == _ROWS):
                break
    for least, chance, one in rows:
        more = {**about, "at_least": str(least)}
        stated += [_proved("overload_probability", relation, x, more) for relation, x in _ends(chance).items()]
        stated.append(_proved("overload_probability", "==", one, {**more, "channel": channel}))
    with setting.stage("draws"):
        stated += _mean(flows, about, samples, seed)
    if pair is not None:
        stated += _tiers(flows, pair)
    return HashingAnswer(
        routing=routing, topology=setting.topology, stated=tuple(stated), flows=flows, traffic=traffic,
        channel=channel, rows=rows, pair=pair,
    )  # fmt: skip


def _ends(chance: Chance) -> dict[str, Fraction]:
    return {"==": chance.low} if chance.low == chance.high else {"<=": chance.high, ">=": chance.low}


def _thresholds(flows: Flows, first: Fraction) -> list[Fraction]:
    step = Fraction(1, {1: 1, 2: 2, 3: 2}.get(flows.each, 4))
    start = -(-first // step)
    return [step * k for k in range(int(start), int(flows.most / step) + 1)] or [flows.most]


def _proved(quantity: str, relation: str, value: Fraction, about: dict[str, object]) -> Claim:
    return Claim(quantity, relation, value, Grade.PROVED, Evidence("hashed-flows", {}), "", about)


def _mean(flows: Flows, about: dict[str, object], samples: int, seed: int) -> list[Claim]:
    """The mean of the largest load: exact on small networks, else from draws."""
    if (mean := flows.mean) is not None:
        return [_proved("largest_hashed_load", "==", mean, about)]
    return [drawn_mean(flows, about, samples, seed)] if samples else []


def drawn_mean(flows: Flows, about: dict[str, object], samples: int, seed: int) -> Claim:
    """The same from draws: SAMPLED."""
    found = [float(x) for x in drawn(flows, seed=seed, trials=samples)]
    low, high = mean_limits(found, least=0.0, most=flows.most)
    value = Interval(low, min(max(low, sum(found) / samples), high), high, samples, seed)
    evidence = Evidence("hashed-draws", {"samples": samples, "seed": seed})
    return Claim("largest_hashed_load", "==", value, Grade.SAMPLED, evidence, "", about)


def _tiers(flows: Flows, pair: tuple[int, int]) -> list[Claim]:
    i, j = pair
    return [
        _proved("next_channel_share", "==", x, {"sender": i, "receiver": j, "given": c, "channel": d})
        for (c, d), x in next_shares(flows.routing, i, j).items()
    ]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SplitAnswer(PlainAnswer):
    counts: Sequence[int]
    weights: Sequence[int]
    test: str
    level: Fraction
    chance: Chance
    tolerated: int


@timed
def answer_split(
    counts: Sequence[int],
    *,
    weights: Sequence[int] | None = None,
    test: str | None = None,
    level: Fraction | str = "1%",
) -> SplitAnswer:
    """Is a measured split of flows within chance, if a fair hash takes members in proportion to ``weights`` (equal)?

    ``test``: of ``kernel.splits``; None: likelihood where all splits can be gone through, else deviation.
    Raises InputError.
    """
    given = [1] * len(counts) if weights is None else list(weights)
    check_split(counts, given)
    limit = level_of(level)
    chosen = usual_test(counts) if test is None else test
    if chosen not in ("likelihood", "deviation"):
        raise InputError(f"the test is {chosen[:40]!r}; likelihood or deviation was expected")
    chance, evidence, about = p_value(counts, given, chosen), Evidence("split", {}), {"test": chosen}
    stated = [
        Claim("split_p_value", relation, x, Grade.PROVED, evidence, "", about) for relation, x in _ends(chance).items()
    ]
    limits = {"level": str(limit)}
    within = "true" if chance.low > limit else "false" if chance.high <= limit else None
    if within is not None:
        stated.append(Claim("split_within_chance", "==", within, Grade.PROVED, evidence, "", {**about, **limits}))
    tolerated, least = tolerance(sum(counts), given, limit)
    relation = "==" if least else "<="
    stated.append(Claim("split_tolerance", relation, Fraction(tolerated), Grade.PROVED, evidence, "", limits))
    subject = {"kind": "split", "counts": list(counts), "weights": given}
    return SplitAnswer(
        about=subject, stated=tuple(stated), counts=counts, weights=given, test=chosen, level=limit, chance=chance,
        tolerated=tolerated,
    )  # fmt: skip


def level_of(level: Fraction | str) -> Fraction:
    """``1%``, ``0.01``, ``1/100``; raises InputError unless it is between 0 and 1."""
    text = str(level).strip()
    found = parse_fraction(text.removesuffix("%").strip(), what="the level")
    found = found / 100 if text.endswith("%") else found
    if not 0 < found < 1 or found.denominator > 10**12:
        raise InputError(f"the level is {text[:40]}; more than 0 and less than 1, such as 1%, was expected")
    return found
