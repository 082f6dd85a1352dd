"""Claims as sentences: each is made from a whole statement, and says its set, its limits, its relation and its unit.

Several statements make several sentences.  What the reader calls terminals and channels, and how he counts rates, is
told by ``Field``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Grade, Interval
from ..core.display import outward_text, percent_text
from ..core.escape import printable
from ..core.rational import parse_fraction
from ..core.vocabulary import is_factor
from ..core.vocabulary.quantity import OF_RATES, PER_TERMINAL
from ..topologies.failures import Failure
from .choice import Choice
from .repair_words import rule_lead
from .words import among, in_quotes, name_text, qualifiers_text, set_text

_LOAD, _SHARE = "worst_case_load", "worst_case_throughput"
_SET = frozenset({"model", "demands"})


class Field(ABC):
    """The words of a field: hosts and links of a fabric, terminals and channels elsewhere."""

    host: str = "terminal"
    link: str = "channel"
    quoted: frozenset[str] = frozenset()
    splits: bool = False
    """Is it known that the routing divides flows, which may be whole in practice?"""

    @abstractmethod
    def number(self, value: Fraction) -> str:
        """A number in a sentence."""

    @abstractmethod
    def keeps(self, share: Fraction, least: str = "") -> str:
        """``keeps 1/18 of its speed``; ``least``: "at least " where it may be more."""

    def alike(self, count: int) -> str:  # noqa: ARG002
        """Which of ``count`` routings a bound on all of them means, where it is not one on all."""
        return ""

    def hot(self, claim: Claim) -> str:  # noqa: ARG002
        """What the worst traffic of this claim does, as the page shows it; "" where it does not."""
        return ""

    def crossed(self, link: str, pairs: int, first: Sequence[str]) -> str:
        """Which link is hot, and who makes it so: ``pairs`` of hosts, the ``first`` two of which have names."""
        names = " and ".join(first)
        meet = names if pairs < 3 else f"{pairs} pairs of {self.host}s, such as {names}"
        return f"the hot {self.link} is {link}, crossed by {meet}" if pairs else f"the hot {self.link} is {link}"


def under(about: Mapping[str, Any], quoted: Collection[str]) -> str:
    """The traffic that a worst case is of: ``the worst traffic of the set sparse:2``."""
    words = {"hose": "the worst traffic of the hose model", "unbalanced": "the worst unbalanced traffic"}
    text = words.get(str(about.get("model")), "the worst traffic")
    if "demands" in about:
        text += f" of the set {set_text(about['demands'], quoted)}"
    if "job" in about:
        text += f" inside the job {name_text(about['job'], quoted)}"
    if about.get("flows") == "whole":
        text += " and the worst hashes of whole flows"
    if "pairs" in about:
        text += f" of the pairs {str(about['pairs']).removeprefix('those ')}"
    return text + qualifiers_text(about, quoted, without=("model", "demands", "job", "flows", "pairs"))


def worst_cases(choice: Choice, field: Field) -> Iterator[str]:
    """What a routing guarantees, over every set of demands that there is a claim about."""
    for about in choice.abouts(_SHARE, {*_SET, "within", "flows"}):
        claim = choice.just(_SHARE, "==", about) or choice.just(_SHARE, ">=", about)
        if claim is None or not isinstance(claim.value, Fraction) or not claim.value:
            continue
        others, said = _others(choice, field, claim)
        limit = "" if said else _at(claim, field.quoted)
        whole = choice.just(_SHARE, claim.relation, {**about, "flows": "whole"})
        if "flows" not in about and (field.splits or whole is not None):
            limit += ", if flows split as the routing says"
        load = choice.just(_LOAD, "==" if claim.relation == "==" else "<=", about)
        hot = "" if load is None else field.hot(load)
        yield f"{_guarantee(claim, load, field)}{limit}{others}{f'; {hot}' if hot else ''}."
        yield from collision(choice, about, field.link, field.number, field.quoted)


def _guarantee(claim: Claim, load: Claim | None, field: Field) -> str:
    value, least = claim.number, "at least " if claim.relation == ">=" else ""
    if claim.about.get("demands") == "routable":
        most = "at most " if least else ""
        return (
            f"Whatever some routing could carry, this one carries at least {field.number(value)} of it: its oblivious "
            f"ratio is {most}{field.number(1 / value)}"
            f"{qualifiers_text(claim.about, field.quoted, without=('demands', 'within'))}"
        )
    traffic = under({key: x for key, x in claim.about.items() if key != "within"}, field.quoted)
    if claim.unit == OF_RATES and least:
        return f"Under {traffic} no {field.link} is full before all rates are multiplied by {field.number(value)}"
    if claim.unit == OF_RATES:
        share = "" if load is None else _of_bandwidth(load.number, field.number)
        most = f"the busiest {field.link} has to carry {share}; " if share else ""
        return f"Under {traffic} {most}a {field.link} is full when all rates are multiplied by {field.number(value)}"
    sampled = ", by sampled loads" if claim.grade is Grade.SAMPLED else ""
    return f"Under {traffic} every {field.host} {field.keeps(value, least)}{sampled}"


def _of_bandwidth(load: Fraction, number: Callable[[Fraction], str]) -> str:
    if load == 1:
        return "all of its bandwidth"
    return f"{number(load)}{' times' if load.denominator == 1 else ' of'} its bandwidth"


def _at(claim: Claim, quoted: Collection[str]) -> str:
    """A limit of the claim that no bound beside it says."""
    text = among(claim, quoted)
    return f" (among routings{text})" if text else ""


def _others(choice: Choice, field: Field, claim: Claim) -> tuple[str, bool]:
    """What no other routing does better; and whether that says which routings a limit of the claim means."""
    ratio = claim.about.get("demands") == "routable"  # a ratio was said last, of which less is better
    load = choice.just(_LOAD, "==", claim.about) if claim.relation == "==" else None
    if load is not None and load.evidence.kind == "optimum":
        which = among(load, field.quoted, minimal=_minimal(choice))
        most = "least" if ratio else "most"
        return f", the {most} of all oblivious routings{which}{_and(which, field.alike(2))}", True
    text, said = "", False
    for about in choice.abouts(_SHARE, {"paths", "within"}, ("<=",), must=claim.about):
        bound, load = choice.just(_SHARE, "<=", about), choice.just(_LOAD, ">=", about)
        same = all(about.get(key) == x for key, x in claim.about.items())
        if not same or bound is None or load is None or not isinstance(bound.value, Fraction):
            continue
        which = among(load, field.quoted, minimal=_minimal(choice))
        treats = _and(which, field.alike(1))
        better = f"makes it more than {field.number(bound.value)}"
        if ratio:
            better = f"has one below {field.number(1 / bound.value)}"
        text += f", and no oblivious routing{which}{treats} {better}"
        said |= about.get("within") == claim.about.get("within")
    of_tables = {**claim.about, "among": "tables"}
    for lids in ({}, *({"lids": 2 << k, "selection": x} for k in range(7) for x in ("pinned", "spread"))):
        about = {**of_tables, **lids}
        best = choice.just(_SHARE, "==", about) or choice.just(_SHARE, "<=", about)
        if best is not None:
            each = f"each of {lids['lids']} lids ({lids['selection']}) of a destination" if lids else "destination"
            most = field.number(best.number)
            text += f", and no table of one next {field.link} for each node and {each} makes it more than {most}"
    about = {**claim.about, "among": "single-paths"}
    best = choice.just(_SHARE, "==", about) or choice.just(_SHARE, "<=", about)
    if best is not None:
        text += f", and no choice of one path for each pair makes it more than {field.number(best.number)}"
    return text, said


def _and(which: str, alike: str) -> str:
    return f" and{alike}" if which and alike else alike


def _minimal(choice: Choice) -> Fraction | None:
    """The average length of shortest paths, where the report has a path length both ways."""
    length, ratio = choice.number("average_path_length"), choice.number("average_path_length_of_minimal")
    return length / ratio if length and ratio else None


def collision(
    choice: Choice, about: Mapping[str, Any], link: str, number: Callable[[Fraction], str], quoted: Collection[str] = ()
) -> Iterator[str]:
    """Which jobs of this set hurt each other: what one of them puts on a channel (``link``) of another."""
    shared = choice.just("jobs_share_channels", "==", about)
    if shared is None or set(about) != {"demands"}:
        return
    many = len(list(choice.abouts("jobs_share_channels", ("demands",)))) > 1
    of = f" of the set {set_text(about['demands'], quoted)}" if many else ""
    if shared.value == "false":
        yield f"No two jobs{of} share a {link}."
        return
    found = [choice.just(_LOAD, "==", x) for x in choice.abouts(_LOAD, (), ("==",), must={*about, "job", "across"})]
    hurting = [
        (x.value, x.about)
        for x in found
        if x is not None and isinstance(x.value, Fraction) and x.about.get("demands") == about.get("demands")
    ]
    if not hurting:  # more jobs than there are claims about
        one, other = (name_text(x, quoted) for x in shared.evidence.data["jobs"])
        yield f"Jobs{of} collide: {one} and {other} share a {link}."
        return
    most, which = max(hurting, key=lambda x: x[0])
    one, other = (name_text(which[key], quoted) for key in ("job", "across"))
    share = _of_bandwidth(most, number)
    yield f"Jobs{of} collide: {one} can load a {link} that {other} also uses, with {share}."


def packets(choice: Choice, field: Field, most_packets: int | None) -> Iterator[str]:
    """Of a curve over the number of packets: where it begins, and where it ends.

    ``most_packets``: more than so many do not go at once.
    """
    curves: dict[str, dict[int, Fraction]] = {}
    for about in choice.abouts(_LOAD, (), ("==",), must=("demands", "packets")):
        value = choice.number(_LOAD, "==", about)
        if value is not None and type(about["packets"]) is int:
            curves.setdefault(str(about["demands"]), {})[about["packets"]] = value
    for demands, curve in curves.items():
        first, last, top = min(curve), max(curve), max(curve.values())
        enough = min(k for k, x in curve.items() if x == top)
        of = "" if demands == "sparse:all" else f" of the set {set_text(demands, field.quoted)}"
        loads = f"{_packets(first, of)} the worst {field.link} with {field.number(curve[first])}"
        if last == most_packets:
            more = "That is" if enough == first else _packets(enough, "", "do")
            worst = f"the worst that any number of packets{of} can do"
            yield f"{loads} of its bandwidth. {more} {worst}: {_of_bandwidth(top, field.number)}."
        elif enough == first:
            yield f"{loads} of its bandwidth."
        else:
            yield f"{loads} of its bandwidth. {_packets(enough, of)} it with {field.number(top)}."


def _packets(count: int, of: str, verb: str = "load") -> str:
    return f"A single packet{of} {verb}s" if count == 1 else f"{count} packets{of} {verb}"


def comparison(choice: Choice, field: Field) -> Iterator[str]:
    """Routings side by side, over every set of demands that all of the claims are about."""
    shares: dict[str, dict[str, Claim]] = {}
    for about in choice.abouts(_SHARE, _SET, ("==",), must=("routing",)):
        claim = choice.just(_SHARE, "==", about)
        if claim is not None and isinstance(claim.value, Fraction):
            base = {key: x for key, x in about.items() if key != "routing"}
            shares.setdefault(under(base, field.quoted), {})[str(about["routing"])] = claim
    for traffic, of in shares.items():
        yield _side_by_side(traffic, of, field)


def _side_by_side(traffic: str, of: Mapping[str, Claim], field: Field) -> str:
    share = {name: x.value for name, x in of.items() if isinstance(x.value, Fraction)}
    best, worst = max(share.values()), min(share.values())
    names = {v: [in_quotes(k, field.quoted) for k, x in share.items() if x == v] for v in (best, worst)}
    who = names[best][0] if len(share) == 1 else f"all {len(share)} routings alike"
    if any(x.unit == OF_RATES for x in of.values()):
        text = f"Under {traffic} a {field.link} is full when all rates are multiplied by {field.number(best)}"
        if best == worst:
            return f"{text}, with {who}."
        return f"{text} with {_either(names[best])}, and by {field.number(worst)} with {_either(names[worst])}."
    text = f"Under {traffic} every {field.host} {field.keeps(best)}"
    if best != worst and field.keeps(best) == field.keeps(worst):  # all of its rate, and more
        return f"{text} with {_either([in_quotes(x, field.quoted) for x in share])}."
    if best == worst:
        return f"{text}, with {who}."
    return f"{text} with {_either(names[best])}, and {field.keeps(worst)} with {_either(names[worst])}."


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def adaptive(choice: Choice, field: Field) -> Iterator[str]:
    """What no adaptive routing can beat, and what being oblivious costs."""
    every = list(choice.abouts("adaptive_load", {"paths"}, ("==", ">="), must=("demands",)))
    for about in every:
        exact = choice.number("adaptive_load", "==", about)
        low = exact if exact is not None else choice.number("adaptive_load", ">=", about)
        high = exact if exact is not None else choice.number("adaptive_load", "<=", about)
        if low is None:
            continue
        kind = f" with paths {in_quotes(about['paths'], field.quoted)}" if "paths" in about else ""
        over = set_text(about["demands"], field.quoted)
        text = f"No routing{kind}, however adaptive, has a worst-case load over {over} below {field.number(low)}"
        if exact is not None:
            text += "; ideal adaptive routing needs no more"
        elif high is not None:
            text += f", and ideal adaptive routing needs at most {field.number(high)}"
        of = f" over {over}" if len(every) > 1 else ""
        price = choice.number("price_of_obliviousness", "==", about)
        most = price if price is not None else choice.number("price_of_obliviousness", "<=", about)
        if most == 1:
            text += f". Knowing the traffic{of} does not help: the best oblivious routing{kind} is as good"
        elif most is not None:
            least = "" if price is not None else "at most "
            text += (
                f". The best oblivious routing{kind}{of}{_and(kind, field.alike(1))} has {least}{field.number(most)}"
            )
            text += " times that load"
        yield f"{text}."


def failures(
    choice: Choice, field: Field, subject: Mapping[str, Any], failed: Callable[[Failure], tuple[str, int]]
) -> Iterator[str]:
    """What failures do: by which rule, over which set of demands, to whom, and which ones were looked at.

    ``failed``: what failed, by name, and how many terminals go with it.
    """
    if subject.get("kind") != "failures":
        return
    entries = choice.number("entries_by_rule", "==", {})
    lead = rule_lead(subject, None if entries is None else int(entries))
    cut = [(Failure.of(x.evidence.data), x) for x in _of_kind(choice, "failure", "connected", ())]
    left: dict[str, list[tuple[Failure, Claim]]] = {}  # by traffic
    every: dict[str, set[str]] = {}
    for claim in _of_kind(choice, "every-failure", _LOAD, _SET | {"pairs"}):
        key = f"{_without_failure(claim, field)} {claim.evidence.data.get('at_once', 1)}"
        every.setdefault(key, set()).add(str(claim.evidence.data["of"]))
    for claim in _of_kind(choice, "failure", _LOAD, _SET | {"pairs"}):
        failure = Failure.of(claim.evidence.data)
        if failure != Failure() and claim.value:
            left.setdefault(_without_failure(claim, field), []).append((failure, claim))
    losing = [*_of_kind(choice, "failure", "pairs_cut", ())]
    told = [*(f for f, _ in cut), *(Failure.of(x.evidence.data) for x in losing)]
    of = "failures judged" if any(len((*x.nodes, *x.links, *x.cables)) > 1 for x in told) else "failures"
    if cut:
        count = sum(int(x.evidence.data.get("like", 1)) for _, x in cut)
        yield f"{lead}, {count} of the {of} {'separates' if count == 1 else 'separate'} {field.host}s."
    if losing:
        count = sum(int(x.evidence.data.get("like", 1)) for x in losing)
        yield (
            f"{lead}, {count} of the {of} {'makes' if count == 1 else 'make'} pairs of {field.host}s lose packets, "
            f"at most {max(int(x.number) for x in losing):,} pairs."
        )
    for traffic in sorted(left):
        judged = "the worst of the failures judged"
        for count, words in ((1, "one"), (2, "two at once")):
            some = sorted(every.get(f"{traffic} {count}", ()))
            if some and all(_is_of(x, some, count) for x, _ in (*left[traffic], *cut)):
                judged = f"the worst failure of {words} of the {' or '.join(some)}"
        connected = f" that leaves all {field.host}s connected" if cut else ""
        failure, worst = max(left[traffic], key=lambda x: (x[1].number, x[0]))
        yield f"{lead}, {_after(field, f'{judged}{connected}', traffic, *failed(failure), worst)}"


def _of_kind(choice: Choice, kind: str, quantity: str, may: Collection[str]) -> Iterator[Claim]:
    for about in choice.abouts(quantity, may, ("==",), must=("failed",)):
        claim = choice.just(quantity, "==", about)
        if claim is not None and claim.evidence.kind == kind:
            yield claim


def _without_failure(claim: Claim, field: Field) -> str:
    return under({key: x for key, x in claim.about.items() if key != "failed"}, field.quoted)


def _is_of(failure: Failure, every: Collection[str], count: int) -> bool:
    """Is it the failure of so many of one of these kinds?"""
    counts = {"switches": len(failure.nodes), "links": len(failure.links), "cables": len(failure.cables)}
    return sum(counts.values()) == count and any(counts[x] == count for x in every)


def _after(field: Field, judged: str, traffic: str, name: str, lost: int, worst: Claim) -> str:
    """What the worst of these failures leaves, and to whom; ``lost`` terminals go with it."""
    gone = f", which takes {lost} {field.host}{'' if lost == 1 else 's'} with it" if lost else ""
    text = f"after {judged}, that of {name}{gone},"
    if is_factor(worst.about):
        factor = field.number(1 / worst.number)
        return f"{text} a {field.link} is full under {traffic} when all rates are multiplied by {factor}."
    who = f"every {field.host} that is left" if lost else f"every {field.host}"
    return f"{text} {who} still {field.keeps(1 / worst.number)} under {traffic}."


def deadlock(choice: Choice) -> Iterator[str]:
    """Whether packets can wait for one another for ever, by service level and without."""
    for about in choice.abouts("deadlock_free", {"paths", "lanes"}, ("==",)):
        claim = choice.just("deadlock_free", "==", about)
        if claim is None:
            continue
        where = "without virtual channels"
        if "lanes" in about:
            where = "on the virtual lanes of the service levels given"
        if about.get("paths") == "of-loads":
            where += ", if they may take all paths that its loads allow"
        elif about.get("paths", "own") != "own":
            where += qualifiers_text({"paths": about["paths"]})
        if claim.value == "true":
            yield f"Packets cannot deadlock {where}: no cycle of channels waits for itself."
            continue
        count = len(claim.evidence.data.get("cycle", ()))
        text = f"Packets can deadlock {where}: {count} of them can each hold a channel and wait for the next one, for "
        text += "ever."
        some = choice.abouts("virtual_channels", {"assignment"}, ("==", "<="), must=("paths",))
        own = [x for x in some if x["paths"] == about.get("paths")]
        counts = [choice.number("virtual_channels", relation, x) for x in own for relation in ("==", "<=")]
        least = min((x for x in counts if x is not None), default=None)
        if least is not None and "lanes" not in about and about.get("paths", "own") in ("own", "of-loads"):
            text += f" {least} virtual channels make it impossible."
        yield text


def schedule(choice: Choice) -> Iterator[str]:
    """What a destination graph does, and whether one can be faster."""
    kinds = {"permutation": "valid_permutation", "many-one": "valid_many_one"}
    verdicts = {kind: choice.just(quantity) for kind, quantity in kinds.items()}
    steps = choice.just("steps")
    known = [x for x in verdicts.values() if x is not None]
    if steps is None or not known or steps.evidence.kind != known[0].evidence.kind:
        return
    valid = [kind for kind, x in verdicts.items() if x is not None and x.value == "true"]
    if not valid:
        if verdicts["many-one"] is not None:
            yield "This schedule does not work: two packets meet on a channel."
        return
    what = {
        "permutation": "Under every permutation all packets arrive",
        "many-one": "When all nodes send to one, all packets arrive",
    }[valid[0]]
    least = [
        k for k in valid if (x := choice.just("steps", ">=", {"graphs": k})) is not None and x.value == steps.value
    ]
    best = f"; no {least[0]} graph has fewer steps" if least else ""
    yield f"{what} after {printable(str(steps.value))} steps, and no two of them ever meet on a channel{best}."


def simulated(choice: Choice, quoted: Collection[str]) -> Iterator[str]:
    """What is proved of the traffic that was simulated, and what terminals accepted at the highest rate that was tried,
    with its interval."""
    rates: dict[str, list[Fraction]] = {}
    for about in choice.abouts("accepted_rate", (), ("==",), must=("traffic", "rate")):
        rates.setdefault(str(about["traffic"]), []).append(parse_fraction(about["rate"], what="a rate"))
    for traffic, some in sorted(rates.items()):
        named = in_quotes(traffic, quoted)
        proved = choice.number("throughput", "==", {"traffic": traffic})
        if proved is not None:
            yield f"Under {named} traffic the proved throughput is {proved}, in {PER_TERMINAL}."
        claim = choice.just("accepted_rate", "==", {"traffic": traffic, "rate": str(max(some))})
        if claim is not None and isinstance(claim.value, Interval):
            x = claim.value
            yield (
                f"Simulated under {named} traffic at an offered rate of {max(some)}, the accepted rate, the mean over "
                f"all terminals, is {outward_text(x.low, x.high)} {PER_TERMINAL} ({percent_text(x.confidence)} "
                f"interval, sampled)."
            )
