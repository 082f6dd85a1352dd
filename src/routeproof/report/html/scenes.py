"""The pictures that a page can choose from: traffic on a routing, failures, the packets that wait for one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Evidence
from ...core.errors import InputError
from ...core.escape import printable, quotation
from ...core.faults import Faults
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.traffic import Permutation, Traffic
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.hop_by_hop import PLAIN, rebuilding_of, rerouting_of
from ...routing.base.repair import Rerouting
from ...routing.base.routing import Routing
from ...routing.named.described import routing_from_description
from ...topologies.failures import Failure
from ...worst.scan.exact import WorstCase
from ...worst.worst_traffic import Pairs

_MOST_PATTERNS = 12
_MOST_FAILURES = 24
_MOST_ENTRIES = 8_000_000  # pair loads that are gone through for all failures together
_MOST_CYCLE = 200
_WORST = ("worst_case_load", "worst_case_throughput")
_WITNESSED = ("worst-case", "optimum", "reached", "routable", "sparse-curve", "box")


@dataclass(frozen=True)
class StoryRow:
    """``cells``: words; ``pair``: the terminals whose paths a click shows; ``channel``: the one that a click shows."""

    cells: tuple[str, ...]
    pair: tuple[int, int] | None = None
    channel: int | None = None


@dataclass(frozen=True)
class Story:
    """What stands beside the picture where that is not the busiest channel, and is drawn over it.

    ``channels``: drawn as paths are; ``sources``, ``destinations``: nodes marked as such.
    """

    title: str
    words: str
    heads: tuple[str, ...] = ()
    rows: tuple[StoryRow, ...] = ()
    channels: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    destinations: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Pattern:
    """Traffic to show: its ``name``, what it is in a sentence, and who sends what to whom (None: nobody sends).

    ``channel``: the channel that it is the worst case of, or None; ``story``: what is told of it instead.

    ``load``: of every channel, where it is not what ``traffic`` does on the routing; ``amount``: units of a message
    whose load is shown; ``tree``: along which units go, and whose load it is.
    """

    name: str
    about: str
    traffic: Traffic | Pairs | None = None
    channel: int | None = None
    story: Story | None = None
    load: Sequence[Fraction] | None = None
    amount: Fraction = Fraction(1)
    tree: Tree | None = None


@dataclass(frozen=True, eq=False)
class Tree:
    """``weight`` units a cycle between ``root`` and all ranks; ``hops``: how far from there each channel ends.

    ``into``: 0 if units come from the root, 1 if they go there, 2 if both.
    """

    root: int
    weight: Fraction
    channels: Sequence[int]
    hops: Sequence[int]
    into: int


@dataclass(frozen=True, eq=False)
class Scene:
    """One entry of the list to choose from: a routing with its patterns, or patterns that have their own loads.

    ``steps``: what every pattern is, where they are gone through one by one; ``unit``: of a load, then, and of a load
    over bandwidth.

    ``failed``: (nodes, channels) that are out of order; ``numbering``: where the routing is on what is left, the
    numbers that its (channels, terminals) have in the network that is drawn; ``own``: the worst case of every channel;
    ``bandwidth``: where it is not that of this network; ``claimed``: the worst-case load after a failure.
    """

    name: str
    routing: Routing | None
    patterns: Sequence[Pattern]
    failed: tuple[Sequence[int], Sequence[int]] = ((), ())
    numbering: tuple[Int64, Int64] | None = None
    own: WorstCase | None = None
    bandwidth: Sequence[Fraction] | None = None
    claimed: Fraction | None = None
    steps: str = ""
    unit: tuple[str, str] = ("", "")


def with_matrices(subject: Mapping[str, Any], claims: Sequence[Claim]) -> list[Claim]:
    """The claims; those about matrices, which the subject has, with the traffic that theirs is."""
    matrices = _matrices(subject)
    found = []
    for claim in claims:
        reached = claim.evidence.data.get("reached")
        inside: Any = reached.get("matrices") if isinstance(reached, Mapping) else claim.evidence.data
        own: Mapping[str, Any] = inside if isinstance(inside, Mapping) else {}
        name = own.get("matrix")
        if claim.evidence.kind in ("matrices", "optimum") and name in matrices:
            claim = replace(claim, evidence=Evidence("box", {"channel": own["channel"], "traffic": matrices[name]}))
        if claim.evidence.kind == "adaptive" and name in matrices:
            claim = replace(claim, evidence=Evidence("adaptive", {**claim.evidence.data, "demand": matrices[name]}))
        found.append(claim)
    return found


def _matrices(subject: Mapping[str, Any]) -> dict[str, list[list[Any]]]:
    """By name, [source, destination, rate] each; the largest demands of a box are "largest"."""
    described = subject.get("demands")
    if not isinstance(described, Mapping):
        return {}
    matrices = dict(described.get("matrices", {}))
    if "limits" in described:
        matrices["largest"] = [[i, j, high] for i, j, _, high in described["limits"]]
    return matrices


def patterns_in(claims: Sequence[Claim], routing: Routing, *, of: str | None = None) -> list[Pattern]:
    """What the evidence of ``claims`` names: the worst traffic first, then cycles of waiting packets, then the rest;
    ``of``: only claims about this routing."""
    found: dict[str, Pattern] = {}
    for claim in claims:
        if of is not None and claim.about.get("routing") != of:
            continue
        pattern = _pattern(claim, routing)
        if pattern is not None:
            found.setdefault(pattern.name, pattern)
    if "uniform" not in found:
        found["uniform"] = _uniform(routing.network.num_terminals)
    ordered = sorted(found.values(), key=lambda x: 0 if x.channel is not None else 1 if x.story is not None else 2)
    return ordered[:_MOST_PATTERNS]


def _uniform(num_terminals: int) -> Pattern:
    return Pattern("uniform", "every terminal sends alike to all", Traffic.uniform(num_terminals))


def _pattern(claim: Claim, routing: Routing) -> Pattern | None:
    kind, data = claim.evidence.kind, claim.evidence.data
    if kind == "traffic-loads":
        name, size = str(data.get("traffic")), routing.network.num_terminals
        if "permutation" in data:
            return Pattern(name, "given traffic", Traffic.of_permutation(_permutation(data["permutation"], size)))
        if "matrix" in data and size <= 300:
            rows = [[parse_fraction(x, what="a rate") for x in row] for row in data["matrix"]]
            return Pattern(name, "given traffic", Traffic.of_matrix(rows))
        return _uniform(size) if name == "uniform" else None
    if kind in ("channel-cycle", "lane-cycle"):
        return _cycle(claim, routing)
    if claim.quantity in _WORST and not {"channel", "flows"} & set(claim.about) and "routing" not in data:
        witness = _witness(kind, data) if kind in _WITNESSED else None
        if witness is not None:
            return _worst(witness, routing.network, claim.about)
    return None


def pattern_name(claim: Claim) -> str | None:
    """What the worst traffic of a claim is called, where its evidence has one."""
    if "flows" in claim.about or claim.evidence.kind not in (*_WITNESSED, "matrices"):
        return None  # what a hash picks is not drawn
    reached = claim.evidence.data.get("reached")
    if claim.evidence.kind == "matrices" or (isinstance(reached, Mapping) and "matrices" in reached):
        return _worst_name(claim.about, permutation=False)  # drawn as ``with_matrices`` has it
    witness = _witness(claim.evidence.kind, claim.evidence.data)
    return None if witness is None else _worst_name(claim.about, "permutation" in witness)


def _worst_name(about: Mapping[str, Any], permutation: bool) -> str:
    """By its model, its set of demands, its job, or the number of its packets; all of it, so that no two are alike."""
    if "packets" in about:
        return f"worst {about['packets']} packet{'s' if about['packets'] != 1 else ''}"
    if "job" in about:
        across = f" on channels of {quotation(str(about['across']))}" if "across" in about else ""
        return f"worst traffic of job {quotation(str(about['job']))}{across}"
    of = str(about.get("demands", about.get("model", "balanced")))
    if permutation and of in ("balanced", "permutations"):
        return "worst permutation"
    return f"worst {of} traffic"


def _witness(kind: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The channel and the traffic of a worst case, in its own evidence or in that of a design."""
    if kind in ("sparse-curve", "box"):
        return data
    if kind == "routable":
        if "flow" not in data:
            return None
        return {"channel": data["channel"], "traffic": [x[:3] for x in data["flow"]]}  # the paths are a flow's
    reached = data.get("reached")
    if isinstance(reached, Mapping):
        for inside in ("box", "routable"):
            if isinstance(reached.get(inside), Mapping):
                return _witness(inside, reached[inside])
    for place in (data, data.get("worst-case"), reached):
        if isinstance(place, Mapping):
            inner = place.get("worst-case", place)
            if isinstance(inner, Mapping) and isinstance(inner.get("witness"), Mapping):
                found: Mapping[str, Any] = inner["witness"]
                return found
    return None


def _worst(witness: Mapping[str, Any], network: Network, of: Mapping[str, Any]) -> Pattern | None:
    if not {"channel"} < set(witness) or not {"permutation", "traffic"} & set(witness):
        return None
    size, channel = network.num_terminals, int(witness["channel"])
    about = f"the worst case of channel {printable(network.channel_label(channel))}"
    name = _worst_name(of, "permutation" in witness)
    if "permutation" in witness:
        return Pattern(name, about, Traffic.of_permutation(_permutation(witness["permutation"], size)), channel)
    rates: dict[tuple[int, int], Fraction] = {}
    for i, j, rate in witness["traffic"]:
        rates[int(i), int(j)] = rates.get((int(i), int(j)), Fraction(0)) + parse_fraction(rate, what="a rate")
    pairs = [(i, j, rate) for (i, j), rate in rates.items()]
    return Pattern(name, about, pairs, channel)


def _permutation(value: object, size: int) -> Permutation:
    if isinstance(value, str):
        value = unpack_ints(value, what="a permutation", max_items=size).tolist()
    return Permutation(np.asarray(value))


def _cycle(claim: Claim, routing: Routing) -> Pattern:
    """The packets that wait for one another, each with the channel that it holds."""
    network, data = routing.network, claim.evidence.data
    by_lane = claim.evidence.kind == "lane-cycle"
    cycle = [(int(x[0]), f", lane {int(x[1])}") if by_lane else (int(x), "") for x in data["cycle"]]
    packets = [_ends(routing, x, by_lane) for x in data["packets"]]
    held = [f"{printable(network.channel_label(c))}{lane}" for c, lane in cycle]
    rows = [
        StoryRow((f"{_terminal(network, i)} => {_terminal(network, j)}", here, there), (i, j), c)
        for (i, j), here, there, (c, _) in zip(packets, held, [*held[1:], held[0]], cycle, strict=True)
    ]
    story = Story(
        f"{len(rows)} packets wait for one another",
        "Each holds its channel and asks for the next one, the last for the first: none of them ever moves.",
        ("packet", "holds", "waits for"),
        tuple(rows[:_MOST_CYCLE]),
        tuple(c for c, _ in cycle),
    )
    name = "waiting cycle, by service level" if by_lane else "waiting cycle"
    return Pattern(name, "packets that wait for one another", None, story=story)


def _ends(routing: Routing, packet: Sequence[int], by_lane: bool) -> tuple[int, int]:
    """The first terminals that a packet can be from and to."""
    if by_lane:
        return int(packet[0]), int(packet[1])
    row, column = int(packet[0]), int(packet[1])
    return int(np.argmax(routing.row_of == row)), int(np.argmax(routing.column_of == column))


def _terminal(network: Network, terminal: int) -> str:
    if network.terminal_labels is not None:
        return printable(network.terminal_label(terminal))
    return printable(network.label(int(network.source[terminal])))


def failed_text(network: Network, failure: Failure) -> str:
    """What failed, by name."""
    return printable("nothing" if failure == Failure() else failure.named(network))


def failures_in(claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each single failure, the worst first: those that separate terminals, then those that cut most
    pairs, then by load; of equals the last, as the headline has it."""
    found: dict[Failure, Claim] = {}
    cut: dict[Failure, Fraction] = {}
    for claim in claims:
        if claim.evidence.kind != "failure":
            continue
        failure = Failure.of(claim.evidence.data)
        if claim.quantity == "pairs_cut":
            cut[failure] = claim.number
            found.setdefault(failure, claim)
        elif claim.quantity in ("worst_case_load", "connected"):
            found[failure] = claim

    def harm(failure: Failure) -> tuple[bool, Fraction, Fraction, Failure]:
        value = found[failure].value
        load = value if isinstance(value, Fraction) and found[failure].quantity == "worst_case_load" else Fraction(0)
        return found[failure].quantity == "connected", cut.get(failure, Fraction(0)), load, failure

    return [found[x] for x in sorted(found, key=harm, reverse=True)]


def failure_scenes(subject: Mapping[str, Any], claims: Sequence[Claim], routing: Routing) -> list[Scene]:
    """The worst failures, each with the worst traffic after it; and the whole network."""
    whole = Scene("nothing has failed", routing, patterns_in((), routing))
    shown = [x for x in failures_in(claims) if Failure.of(x.evidence.data) != Failure()][:_MOST_FAILURES]
    repair = str(subject["repair"])
    rerouting: Rerouting | None = None
    in_part = "potentials" in subject or "demands" in subject
    if repair == "rebuild" and "potentials" in subject:
        rerouting = rebuilding_of(routing, lambda left: routing_from_description(subject["routing"], left))
    elif repair not in ("rebuild", "opensm") and (in_part or repair != "installed-rule"):
        rerouting = rerouting_of(routing, repair, subject.get("rule"))
    if rerouting is not None:
        shown = shown[: 1 + _MOST_ENTRIES // (len(rerouting.table) + 1)]
    return [*(_after(subject, claim, routing, rerouting) for claim in shown), whole]


def _after(subject: Mapping[str, Any], claim: Claim, routing: Routing, rerouting: Rerouting | None) -> Scene:
    """Pairs that crossed what failed change by the rule; or else the routing is made anew on what is left, whose
    channels and terminals have other numbers."""
    network, failure, data = routing.network, Failure.of(claim.evidence.data), claim.evidence.data
    name, failed = failed_text(network, failure), _dead(network, failure)
    if claim.quantity == "pairs_cut" or claim.value == 0:
        return Scene(name, routing, [_nothing_sent(claim, "demands" in subject)], failed)
    if not isinstance(claim.value, Fraction):
        return Scene(name, routing, [_separated(claim, network)], failed)
    if rerouting is None:
        left = Faults(failure.nodes, failure.channels(network)).survivors(network)
        by_rule = PLAIN if subject["repair"] == "installed-rule" else subject["routing"]
        again = routing_from_description(data.get("routing", by_rule), left.network)
        numbering = left.channel.astype(np.int64), left.terminal.astype(np.int64)
        pattern = _worst(data["worst_case"]["witness"], left.network, claim.about)
        traffic = [pattern or _uniform(left.network.num_terminals)]
        return Scene(name, again, traffic, failed, numbering, claimed=claim.value)
    if "matrices" in data:
        gone = set(failure.terminals(network))
        given = _matrices(subject).get(data["matrices"].get("matrix"), [])
        sent = [x for x in given if not gone & set(x[:2])]
        witness = {"channel": data["matrices"]["channel"], "traffic": sent}
    else:
        witness = data["worst_case"]["witness"] if "worst_case" in data else data.get("box", data.get("witness"))
    patched = rerouting.patched(rerouting.after(failure.nodes, failure.channels(network)))
    pattern = _worst(witness, network, claim.about)
    return Scene(name, patched, [pattern or _uniform(network.num_terminals)], failed, claimed=claim.value)


def _dead(network: Network, failure: Failure) -> tuple[list[int], list[int]]:
    nodes, channels = Faults(failure.nodes, failure.channels(network)).alive(network)
    return np.nonzero(~nodes)[0].tolist(), np.nonzero(~channels)[0].tolist()


def _nothing_sent(claim: Claim, some: bool) -> Pattern:
    """Nothing loads a link; ``some``: not all pairs may send."""
    cut = claim.quantity == "pairs_cut"
    pair = "pair that may send and takes a link" if some else "pair that takes a link"
    words = f"every {pair} loses packets" if cut else f"no {pair} is left"
    title = "Pairs are cut" if cut else "Nothing is left to judge"
    return Pattern(
        "pairs cut" if cut else "nothing left", words, None, story=Story(title, f"{words[0].upper()}{words[1:]}.")
    )


def _separated(claim: Claim, network: Network) -> Pattern:
    i, j = (int(x) for x in claim.evidence.data["lost"])
    if not (0 <= i < network.num_nodes and 0 <= j < network.num_nodes):
        raise InputError("a failure separates nodes outside the network")
    here, there = (printable(network.label(v)) for v in (i, j))
    lost = f"path is left from {here} to {there}"
    story = Story("Terminals are separated", f"No {lost}.", sources=(i,), destinations=(j,))
    return Pattern("separated", f"no {lost}", None, story=story)
