"""Reports about failures: every failure's worst case checked again, by potentials of the whole network and its own.

Samples of failures are drawn again from their seed; each one is stated in the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...core.rational import shown
from ...core.sampling.trial_intervals import FAILURE_QUANTITIES
from ...kernel.reused_bounds import limits_of
from ...routing.base.hop_by_hop import entries_of
from ...routing.base.two_failures import TwoFailures, both, pairs_of, seconds_each
from ...topologies.failures import MOST_FAILURES, Failure, alike_failures, drawn_failures
from ...topologies.two_nodes import cable_of, ends_joined, loopbacks
from ..kind import EXACT, NAMED, NETWORK, STOPPING, Kind, States, SubjectKind
from ..reading import Report, as_numbers, check_trials
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape, Word, by_key
from ..subject import routing_of
from ..work import spend
from .box import BOX
from .matrices import MATRICES
from .repaired import Rebuild, Repair, Reroute
from .routable import ROUTABLE
from .worst_case import BALANCED, BOUNDS_OF_GROUP, PERMUTATION, POTENTIALS, SYMMETRY, WORST_CASE
from .written_failures import elaborate_every_failure, elaborate_failure

KEPT = "those that lose no packets"
"""The qualifier ``pairs`` of a claim about the pairs of terminals that a failure does not cut."""
_COUNTS = {"links": "link", "switches": "switch", "cables": "cable"}


def counted(counts: Mapping[str, int]) -> str:
    """How many links, switches and cables fail, in words."""
    return " and ".join(f"{n} {_COUNTS[what] if n == 1 else what}" for what, n in counts.items() if n)


def verify_failures(report: Report) -> None:
    """Check every claim about a failure, and what is said of all of them."""
    subject = report.subject
    repair = repair_of(subject)
    whole = repair.routing
    if ("engine" in subject) != (subject["repair"] == "opensm"):
        raise VerificationError("subject: an engine belongs to the repair rule opensm, and only to that")
    known: dict[Failure, Fraction | None] = {}
    cut: dict[Failure, int] = {}
    recognised: list[Claim] = []
    wanted = None if repair.demands is None else repair.demands.text
    stands_for: dict[Failure, int] = {}

    def check_one(claim: Claim) -> None:
        if claim.evidence.kind == "installed-rule":
            _check_rule(repair, claim)
            recognised.append(claim)
            return
        if claim.quantity == "worst_case_load" and claim.about.get("demands") != wanted:
            raise VerificationError("it is about another set of demands than the report's subject")
        if claim.evidence.kind == "failure":
            failure = _failure(claim.evidence.data, whole.network.num_nodes)
            _check(repair, claim, failure, known, cut)

    def check_all(claim: Claim) -> None:
        if claim.evidence.kind == "drawn-failures":
            kept = {f: None if cut.get(f) else x for f, x in known.items()}
            stands_for.update(_check_drawn(whole.network, claim, kept))
        elif claim.evidence.kind == "every-failure":
            stands_for.update(_check_all(repair, claim, known, cut))

    def check_number(claim: Claim) -> None:
        if claim.evidence.kind != "failure":
            return
        like = claim.evidence.data.get("like", 1)
        own = stands_for.get(_failure(claim.evidence.data, whole.network.num_nodes), 1)
        if like != own:
            raise VerificationError(f"it stands for {str(like)[:20]} failures, it says; {own} was expected")

    report.check_each(check_one, shown=True)
    report.check_each(check_all)
    report.check_each(check_number)
    if subject["repair"] == "installed-rule" and not recognised:
        raise VerificationError("nothing is stated about the entries that the installed rule makes")


def repair_of(subject: Mapping[str, Any]) -> Repair:
    """What failures make of the subject's routing."""
    by_changes = "demands" in subject or "potentials" in subject
    anew = subject["repair"] == "opensm" or (subject["repair"] in ("rebuild", "installed-rule") and not by_changes)
    kind: type[Repair] = Rebuild if anew else Reroute
    return kind(routing_of(subject), subject)


def _check_rule(repair: Repair, claim: Claim) -> None:
    """Every entry of today's routing is what the rule makes, one by one."""
    rule = repair.rule
    if rule is None:
        raise VerificationError("the report's repair rule is not installed-rule")
    spend(repair.routing.network.num_nodes**2, "all entries made again by the rule")
    try:
        total = entries_of(repair.routing, rule)
    except InputError as error:
        raise VerificationError(str(error)) from None
    if not total or claim.number != total:
        raise VerificationError(f"the rule makes {total:,} entries, all that there are")


def _failure(data: Mapping[str, Any], num_nodes: int) -> Failure:
    nodes, links, cables = data["nodes"], data["links"], data.get("cables", [])
    if min((*nodes, *(x for part in (*links, *cables) for x in part)), default=0) < 0:
        raise VerificationError("the failed nodes, links and cables must be numbers of nodes and channels")
    if any(len(link) != 2 or link[0] >= link[1] for link in links):
        raise VerificationError("a failed link must be two nodes, the lower first")
    if any(len(x) not in (1, 2) or x != sorted(set(x)) for x in cables):
        raise VerificationError("a failed cable must be a channel and its opposite, the lower first, or one channel")
    failure = Failure.of(data)
    if any(len(set(some)) != len(some) for some in (failure.nodes, failure.links, failure.cables)):
        raise VerificationError("one of the failed nodes, links and cables is stated twice")
    if max(nodes, default=0) >= num_nodes:
        raise VerificationError(f"node {max(nodes)} is outside the network")
    return failure


def _check(
    repair: Repair, claim: Claim, failure: Failure, known: dict[Failure, Fraction | None], cut: dict[Failure, int]
) -> None:
    """One claim about a failure; ``known``: the load of each, None where it separates terminals or cuts all pairs;
    ``cut``: how many pairs lose packets."""
    if claim.about["failed"] != failure.text:
        raise VerificationError(f"it is about {claim.about['failed'][:60]!r}, not {failure.text!r}")
    if claim.quantity == "connected":
        lost = repair.lost(failure)
        if lost is None:
            raise VerificationError("every terminal still reaches every other")
        if claim.evidence.data.get("lost", list(lost)) != list(lost):
            raise VerificationError(f"the first pair of nodes that it separates is {list(lost)}")
        known[failure] = None
        return
    if claim.quantity == "adaptive_load":
        bound = repair.bound(failure, claim.evidence.data)
        if not 0 < claim.number <= bound:
            raise VerificationError(f"its evidence proves {bound}")
        return
    if claim.quantity == "worst_case_load" and not claim.number:
        _check_nothing(repair, claim, failure)
        known[failure] = claim.number
        return
    pairs = cut[failure] = repair.pairs_cut(failure)
    if claim.quantity == "pairs_cut":
        if not pairs or claim.number != pairs:
            raise VerificationError(f"{pairs} pairs of terminals lose packets")
        if not repair.loads_any(failure):  # else its worst case has to be stated, too
            known.setdefault(failure, None)
        return
    if (claim.about.get("pairs") == KEPT) != (pairs > 0):
        raise VerificationError(f"{pairs} pairs of terminals lose packets, and it must say so")
    if claim.quantity == "throughput":
        load = repair.uniform_load(failure)
        if load is None or claim.number * load != 1:
            raise VerificationError(f"uniform traffic has the throughput {'' if load is None else 1 / load}")
        return
    repair.check(claim, failure, claim.number)
    known[failure] = claim.number


def _check_nothing(repair: Repair, claim: Claim, failure: Failure) -> None:
    """No pair is left that loads a channel, and none of those that are left loses packets."""
    pairs = repair.pairs_cut(failure)
    if repair.loads_any(failure):
        raise VerificationError("a pair that is left loads channels")
    if pairs or "pairs" in claim.about:
        raise VerificationError(f"{pairs} pairs of terminals lose packets, of which it must not speak")
    if not claim.evidence.data.keys() <= {*_FAILURE, *_LIKE}:
        raise VerificationError("where no channel is loaded there is no other evidence")


def _check_all(
    repair: Repair, claim: Claim, known: Mapping[Failure, Fraction | None], cut: Mapping[Failure, int]
) -> dict[Failure, int]:
    """The largest load over every single link (cable, switch): each one is stated, or symmetry maps it to one that is;
    returns for how many each one stands."""
    what = claim.evidence.data["of"]
    words = f"any 2 of the {what}" if "at_once" in claim.evidence.data else f"any of the {what}"
    if claim.about["failed"] != words:
        raise VerificationError(f"it must be about {words}")
    if (what == "cables") != ("opposite" in claim.evidence.data):
        raise VerificationError("which channels make a cable belongs to claims about cables, and only to those")
    kinds = _kinds(repair, claim.evidence.data, what)
    if "at_once" in claim.evidence.data:
        return _check_two(repair, claim, kinds, known, cut)
    some = {f: x for f, x in known.items() if f in kinds}
    covered = {kinds[f] for f in some}
    for failure, kind in kinds.items():
        if kind not in covered:
            raise VerificationError(f"nothing is stated about {failure.text}, or a failure that is alike")
    size = Counter(kinds.values())
    stands_for = {failure: size[kinds[failure]] for failure in some}
    if claim.quantity == "pairs_cut":
        if claim.value != max((cut.get(x, 0) for x in some), default=0):
            raise VerificationError("it is not the largest number of pairs of the failures that are stated")
        return stands_for
    if (claim.about.get("pairs") == KEPT) != any(cut.get(x) for x in some):
        raise VerificationError("whether some failure cuts pairs is not what it says")
    if claim.relation != "==" or claim.value != max((x for x in some.values() if x is not None), default=None):
        raise VerificationError("it is not the largest load of the failures that are stated")
    return stands_for


def _check_two(
    repair: Repair,
    claim: Claim,
    kinds: Mapping[Failure, int],
    known: Mapping[Failure, Fraction | None],
    cut: Mapping[Failure, int],
) -> dict[Failure, int]:
    """Over all pairs of failures of ``kinds``: symmetry maps each one to a pair with the first of its kind, which is
    stated, or bounded by what each of the two does alone."""
    alone = repair.demands is not None or (repair.repair == "rebuild" and repair.same is not None)
    if claim.evidence.data["at_once"] != 2 or not isinstance(repair, Reroute) or alone:
        raise VerificationError("two failures at once are bounded by potentials of the whole network, and no more")
    parts, network = list(kinds), repair.routing.network
    pairs = pairs_of(len(parts), {*{kind: k for k, kind in reversed([*enumerate(kinds.values())])}.values()})
    spend(sum(map(len, pairs.values())) * seconds_each(network) * 1e6, "bounds after every pair of failures")
    two = TwoFailures(repair.rerouting, repair.potentials, repair.sends.supply, repair.sends.demand, parts)
    stated = {f: x for f, x in known.items() if _is_pair(f, kinds)}
    if (claim.about.get("pairs") == KEPT) != any(cut.get(x) for x in stated):
        raise VerificationError("whether some failure cuts pairs is not what it says")
    worst = max((x for x in stated.values() if x is not None), default=None)
    if claim.relation == "<=":
        if claim.number < two.most():
            raise VerificationError(f"bounds of all pairs give {shown(two.most())}")
        return {}
    if worst is None or (claim.number > worst if claim.relation == ">=" else claim.number != worst):
        raise VerificationError("it is not the largest load of the failures that are stated")
    limits = limits_of(network, worst, repair.potentials.scale)
    for e, others in pairs.items() if claim.relation == "==" else ():
        for f, bound in two.after(e, others):
            failure = both(parts[e], parts[f])
            if failure not in known and (bound is None or (bound > limits).any()):
                raise VerificationError(f"nothing is stated about {failure.text}, and no bound rules it out")
    return {}


def _is_pair(failure: Failure, parts: Collection[Failure]) -> bool:
    each = [*(Failure(links=(x,)) for x in failure.links), *(Failure(cables=(x,)) for x in failure.cables)]
    return len(each) == 2 and not failure.nodes and all(x in parts for x in each)


def _kinds(repair: Repair, data: Mapping[str, Any], what: str) -> dict[Failure, int]:
    """Every single failure, and a number that is the same for those that checked symmetry maps to each other."""
    network, maps = repair.routing.network, repair.maps(data["symmetry"])
    if what != "cables":
        return alike_failures(network, what, maps, repair.same)
    opposite = _cables(network, data)
    if not all(np.array_equal(opposite[g.channel], g.channel[opposite]) for g in maps):
        raise VerificationError("the symmetry does not map cables to cables")
    return alike_failures(network, what, maps, repair.same, opposite)


def _check_drawn(network: Network, claim: Claim, known: Mapping[Failure, Fraction | None]) -> dict[Failure, int]:
    """The claim about all failures follows from those that its seed draws; returns how often each was drawn."""
    data, value = claim.evidence.data, claim.interval
    numbers = {name: data[name] for name in _COUNTS}
    if min(numbers.values()) < 0:
        raise VerificationError("how many links, switches and cables fail must be whole numbers")
    words = counted(numbers)
    if claim.about["failed"] != words:
        raise VerificationError(f"it must be about {words}")
    if ("opposite" in data) != bool(numbers["cables"]):
        raise VerificationError("which channels make a cable belongs to failures of cables, and only to those")
    if value.confidence != 0.99 or not 0 <= value.seed < 1 << 63 or value.trials > MOST_FAILURES:
        raise VerificationError("its confidence, its seed or its number of failures is outside its range")
    opposite = _cables(network, data) if numbers["cables"] else None
    spend(value.trials * 20, f"{value.trials:,} failures drawn again")
    drawn = drawn_failures(network, numbers, start=0, stop=value.trials, seed=value.seed, opposite=opposite)
    missing = [x for x in drawn if x not in known]
    whole = known.get(Failure())
    if missing or whole is None:
        raise VerificationError(f"nothing is stated about {missing[0].text if missing else 'the whole network'}")
    if any(known[x] == 0 for x in drawn):
        raise VerificationError("some of the failures leave no pair that loads a channel: nothing is kept or lost then")
    kind = next(x.kind for x in FAILURE_QUANTITIES if x.name == claim.quantity)
    kept = [
        0.0 if x is None else 1.0 if kind == "probability" else min(1.0, float(whole / x))
        for x in map(known.get, drawn)
    ]
    check_trials(claim, kind, kept, "the failures give")
    return dict(Counter(drawn))


def _cables(network: Network, data: Mapping[str, Any]) -> npt.NDArray[np.int64]:
    """Which channels make a cable: of a network by name its own, of one given in full for the report to say; that they
    lead both ways between two nodes is checked."""
    count, rank = network.num_channels, network.bandwidth_rank
    opposite = as_numbers(data["opposite"], "opposite", count)
    own = np.arange(count)
    if (opposite < 0).any() or (opposite >= count).any() or (opposite[opposite] != own).any():
        raise VerificationError("opposite does not pair the channels")
    alone = opposite == own
    tail, head = ends_joined(network)
    ends = (tail[opposite] == head) & (head[opposite] == tail)
    if not (ends | alone).all():
        c = int(np.argmin(ends | alone))
        raise VerificationError(
            f"channels {c} and {int(opposite[c])} are not a cable: they do not join the same two nodes"
        )
    alone &= ~loopbacks(network)
    single = {(u, v, w) for u, v, w in zip(*(x[alone].tolist() for x in (tail, head, rank)), strict=True)}
    if any((v, u, w) in single for u, v, w in single):
        raise VerificationError("two channels that could be a cable are said not to be one")
    if network.spec is not None and not np.array_equal(opposite, cable_of(network)):
        raise VerificationError(f"its cables are not those of {network.name}")
    return opposite


_SOURCES = frozenset({"Towles & Dally 2002 (SPAA), sec. 3, on what is left"})
_FAILURE: Mapping[str, Shape] = {"nodes": ListOf(WHOLE), "links": ListOf(ListOf(WHOLE))}
_LIKE: Mapping[str, Shape] = {"like": WHOLE, "cables": ListOf(ListOf(WHOLE))}
_REBUILT = Keys({**_FAILURE, "worst_case": WORST_CASE.evidence}, {**_LIKE, "routing": ANY})
_REROUTED = Keys(
    {**_FAILURE, "witness": PERMUTATION, "bounds": ListOf(BOUNDS_OF_GROUP), "exact": ListOf(POTENTIALS)}, _LIKE
)
_OF_SETS = {x.name: Keys({**_FAILURE, x.name: x.evidence}, _LIKE) for x in (MATRICES, BOX, ROUTABLE)}


_NOTHING = Keys(_FAILURE, _LIKE)  # a load of 0
_SHAPE = by_key({**_OF_SETS, "worst_case": _REBUILT, "witness": _REROUTED}, _NOTHING)
_PAIRS: Mapping[str, Shape] = {"pairs": Word(KEPT)}
_ABOUT = Either(
    "demands", Keys({"failed": TEXT, "demands": TEXT}, _PAIRS), Keys({"failed": TEXT, "model": BALANCED}, _PAIRS)
)
_FAILED = Keys({"failed": TEXT})
FAILURE = Kind(
    "failure",
    "The network without what failed, by the report's rule: a permutation that reaches the load with potentials that "
    "bound it, no pair left that loads a channel, two terminals without a path, pairs that lose packets counted, "
    "uniform traffic added up, or, for all routings, what must cross a cut, or the hops of far pairs, over the "
    "bandwidth that is left.",
    ANY,
    {
        "connected": States(EXACT, Grade.PROVED, _FAILED, Keys(_FAILURE, {**_LIKE, "lost": ListOf(WHOLE)}), ("false",)),
        "worst_case_load": States(EXACT, Grade.PROVED, _ABOUT, _SHAPE),
        "pairs_cut": States(EXACT, Grade.PROVED, _FAILED, Keys(_FAILURE, _LIKE)),
        "throughput": States(
            EXACT, Grade.PROVED, Keys({"failed": TEXT, "traffic": Word("uniform")}, _PAIRS), Keys(_FAILURE, _LIKE)
        ),
        "adaptive_load": States(
            (">=",),
            Grade.PROVED,
            Keys({"failed": TEXT, "model": BALANCED}),
            Keys(_FAILURE, {**_LIKE, "cut": ListOf(WHOLE), "far": FLAG}),
        ),
    },
    _SOURCES,
    subjects=frozenset({"failures", "candidates"}),
    elaborate=elaborate_failure,
)
INSTALLED_RULE = Kind(
    "installed-rule",
    "The rule of the report's subject makes every next-hop group that packets come to, on the whole network: each one "
    "is made again and compared.",
    Keys(),
    {"entries_by_rule": States(EXACT, Grade.PROVED)},
    frozenset(),
    subjects=frozenset({"failures"}),
)
EVERY_FAILURE = Kind(
    "every-failure",
    "Every single failure up to symmetry has a claim with evidence here, and the number is the worst of them; "
    "two failures at once without a claim are no worse by bounds that add up what each of the two does alone.",
    Keys({"of": Word("links", "switches", "cables"), "symmetry": SYMMETRY}, {"opposite": NUMBERS, "at_once": WHOLE}),
    {
        "worst_case_load": States(("==", "<=", ">="), Grade.PROVED, _ABOUT),
        "pairs_cut": States(EXACT, Grade.PROVED, _FAILED),
    },
    _SOURCES,
    subjects=frozenset({"failures", "candidates"}),
    elaborate=elaborate_every_failure,
    rests=True,
)
DRAWN_FAILURES = Kind(
    "drawn-failures",
    "Random failures, drawn again from their seeds; the worst case after each of them is proved.",
    Keys({"links": WHOLE, "switches": WHOLE, "cables": WHOLE, "method": TEXT}, {**STOPPING, "opposite": NUMBERS}),
    {x.name: States(EXACT, Grade.SAMPLED, Keys({"failed": TEXT})) for x in FAILURE_QUANTITIES},
    _SOURCES,
    subjects=frozenset({"failures"}),
)
_REPAIRS = ("none", "installed-rule", "rebuild", "opensm", "split", "reroute")
FAILURES = SubjectKind(
    "failures",
    verify_failures,
    Keys(
        {**NETWORK, "routing": ANY, "repair": Word(*_REPAIRS)},
        {
            **NAMED,
            "potentials": Keys({"scale": BOUND, "column": NUMBERS}),  # of the whole network
            "demands": ANY,
            "rule": Keys({"longer": FLAG}, {"bundle": NUMBERS, "weight": NUMBERS, "hosts": FLAG}),
            "engine": TEXT,
            "program": TEXT,
            "far": NUMBERS,  # a permutation of terminals that are far apart
        },
    ),
)
