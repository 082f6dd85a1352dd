"""Claims of freedom from deadlock under a rule: bubbles on rings, or an escape beside fully adaptive minimal routing;
and that fewer virtual channels do not do.

``ring-order`` (deadlock_free, flow_control bubble): a number for every channel.  Along a dependency it grows, or stays
where the two channels are neighbours on a ring: no channel has two such neighbours before it, or after it.
``escape-order``, ``escape-cycle`` (escape_acyclic, true and false): ``lane``, that of each escape of ``Escape``, and a
number for every lane of a channel that grows along every dependency; or a cycle of channels, on one lane, with a column
of packets that make each dependency.
``layers-refutation`` (virtual_channels >= V): {"cycles", "lemmas", "literals"}: cycles of virtual channels, packed,
each ended by a -1; lemmas that refute ``kernel.layer_clauses.LayerFormula`` of the routing's paths for V - 1 of them.
``assignment``: of all that keep a path to one (layers), all paths to a node (destinations), or of all (hops).
``classes``: of so many message classes in a chain, whose transactions are the paths (hops).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.escape import printable
from ...core.network import Network
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.layer_clauses import SHARED, LayerFormula, Sharing
from ...kernel.refutation import Refutation, check_refutation
from ...routing.base.routing import Routing
from ...routing.dependencies.channels import channel_dependencies, cycle_sentence, same_sentence
from ...routing.dependencies.escape import Escape, escape_of
from ...routing.dependencies.virtual_dependencies import MOST_CLASSES, bundles_of, transactions
from ...routing.named.names import named_routing
from ..context import Context
from ..kind import ANALYSES, Kind, States, answers
from ..proofs.proof import NotElaborated
from ..proofs.virtual_paths import orders, routing_on_virtual
from ..proofs.work import Work
from ..proofs.written import written_lemmas
from ..reading import as_channel, as_lemmas, as_numbers, as_whole
from ..shapes import NUMBERS, TEXT, WHOLE, Keys, ListOf, Word
from ..work import spend
from .deadlock import MOST_VIRTUAL, as_order, check_ascends, first_end, position_of

BUBBLE = "bubble"
_MOST = 20_000_000
_MOST_LAYERS = 64
_PER_NUMBER = 300
_ABOUT_ESCAPE = Keys({"escape": TEXT, "escape_lanes": WHOLE})


def forks(number: Int64, first: Int64, second: Int64) -> tuple[int, int, int] | None:
    """(channel, and two neighbours that it has on the same side) where dependencies along which ``number`` stays are no
    rings; else None."""
    level = number[first] == number[second]
    for here, there in ((first[level], second[level]), (second[level], first[level])):
        order = np.argsort(here, kind="stable")
        twice = np.flatnonzero(np.diff(here[order]) == 0)
        if len(twice):
            k = int(twice[0])
            return int(here[order[k]]), int(there[order[k]]), int(there[order[k + 1]])
    return None


def escape_cycle_sentence(escape: Escape, cycle: Sequence[int], columns: Sequence[int]) -> str:
    """``cycle``: channels; ``columns``: of packets that make each dependency."""
    network, node = escape.routing.network, escape.routing.column_node
    return cycle_sentence(
        f"{network.channel_label(c)} (held by a packet to {network.label(int(node[column]))})"
        for c, column in zip(cycle, columns, strict=True)
    )


def rule_sentences(claims: Iterable[Claim]) -> Iterator[str]:
    """What each of these claims means, with what it assumes."""
    for claim in claims:
        about, exact = claim.about, claim.relation == "=="
        if claim.evidence.kind == "ring-order":
            paths = "" if about.get("paths") == "own" else ", on any paths with these loads"
            yield (
                f"Under bubble flow control packets cannot deadlock without virtual channels{paths}: all cycles of "
                f"dependencies are rings, and packets go from ring to ring in an order. Assumed: virtual cut-through; "
                f"a packet comes onto a ring, new or from elsewhere, only into a buffer that has room for two, and "
                f"moves on along it into one that has room for one."
            )
        elif "separate_classes" in about:
            yield (
                f"{about['separate_classes']} message classes, each with virtual channels of its own, "
                f"{'need' if exact else 'can do with'} {claim.number} by the assignment {about['assignment']}."
            )
        elif "classes" in about and claim.relation != ">=":
            enough = "1 is enough" if claim.number == 1 else f"{claim.number} are enough"
            enough += ", and no fewer" if exact and claim.number > 1 else ""
            yield (
                f"Where {about['classes']} message classes share virtual channels, {enough}, if that of a hop may "
                f"depend on the class and on the paths there and back. A terminal takes a message in only once the "
                f"answer, of the next class and back to its source, can leave."
            )
        elif claim.quantity == "escape_acyclic":
            yield _of_escape(claim)


def _of_escape(claim: Claim) -> str:
    count = claim.about["escape_lanes"]
    lanes = f"{printable(claim.about['escape'])} on {count} escape lane{'' if count == 1 else 's'}"
    if claim.value == "true":
        return (
            f"Fully adaptive minimal routing with the escape {lanes}, and more lanes for all else, cannot deadlock. "
            f"Assumed: wormhole switching, flits of one packet at a time on a lane, and packets that arrive are "
            f"consumed (Duato 1993)."
        )
    return (
        f"The escape {lanes} does not meet Duato's condition, which alone does not mean that packets deadlock: "
        f"{printable(str(claim.evidence.data['witness']))}."
    )


def _check_rings(context: Context, claim: Claim, _value: object, data: Mapping[str, Any]) -> None:
    routing, by_paths = context.routing, claim.about["paths"] == "own"
    if by_paths and not routing.has_explicit_paths:
        raise VerificationError("it is about the routing's own paths, and the report carries its loads alone")
    found = channel_dependencies(routing, by_paths=by_paths)
    first, second = found.first.astype(np.int64), found.second.astype(np.int64)
    size, label = routing.network.num_channels, routing.network.channel_label
    number = as_numbers(data["number"], "its number", size)
    fork = forks(number, first, second)
    if fork is not None:
        raise VerificationError(f"{label(fork[0])} has the number of {label(fork[1])} and of {label(fork[2])}: no ring")
    up = number[first] != number[second]
    check_ascends(data, size, first[up], second[up], "channel ", label)


def _check_escape(context: Context, claim: Claim, _value: object, data: Mapping[str, Any]) -> None:
    network, count = context.network, claim.about["escape_lanes"]
    try:
        routing = named_routing(claim.about["escape"], network)
        escape = escape_of(routing)
    except InputError as reason:
        raise VerificationError(f"its escape: {reason}") from None
    if routing.name != claim.about["escape"]:
        raise VerificationError(f"its escape is called {routing.name}")
    spend(len(escape.column) * network.num_nodes, "checking an escape routing")
    if claim.value == "true":
        lane = as_numbers(data["lane"], "its lanes", len(escape.column))
        if not 0 <= int(lane.min(initial=0)) <= int(lane.max(initial=0)) == count - 1:
            raise VerificationError(
                f"it says that its escapes are on {count} lanes, and they are not on 0 to {count - 1}"
            )
        check_ascends(data, count * network.num_channels, *escape.dependencies(lane)[:2], "escape lane ", str)
        return
    cycle, columns = [as_channel(network, c) for c in data["cycle"]], data["columns"]
    if count != 1 or len(cycle) < 2 or len(columns) != len(cycle):
        raise VerificationError("its cycle needs at least two channels on one lane, and a destination for each")
    for here, following, column in zip(cycle, [*cycle[1:], cycle[0]], columns, strict=True):
        if (here, following) not in _made_by(escape, column):
            one, two = network.channel_label(here), network.channel_label(following)
            raise VerificationError(f"no packet to column {column} escapes over {one} and then asks for {two}")
    if not same_sentence(data["witness"], escape_cycle_sentence(escape, cycle, columns)):
        raise VerificationError("its witness is not its cycle in words")


def _made_by(escape: Escape, column: int) -> set[tuple[int, int]]:
    """The dependencies of packets to one column, on one lane."""
    own = escape.column == column
    alone = Escape(escape.routing, escape.column[own], escape.channel[own], escape.hops)
    first, second, _ = alone.dependencies(np.zeros(len(alone.column), dtype=np.int64))
    return set(zip(first.tolist(), second.tolist(), strict=True))


def several_hops(routing: Routing) -> list[tuple[int, ...]]:
    """The different paths of the routing with more than one hop, in order."""
    found: set[tuple[int, ...]] = set()
    for bundle in bundles_of(routing):
        if bundle.channel.shape[1] > 1:
            found.update(map(tuple, bundle.channel.tolist()))
    return sorted(found)


def sharing_of(assignment: str, network: Network) -> Sharing:
    """Which hops have one virtual channel under an assignment by this name."""
    return Sharing(assignment, network.num_channels, network.head.tolist() if assignment == "destinations" else ())


def _formula(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> Refutation:
    """The clauses that the evidence refutes, with its lemmas."""
    routing = context.routing
    if (claim.about["paths"] == "own") != routing.has_explicit_paths:
        raise VerificationError("it is about other paths than those of the routing")
    if value.denominator != 1 or not 2 <= value <= _MOST_LAYERS + 1:
        raise VerificationError(f"it is {str(value)[:40]}; a whole number from 2 to {_MOST_LAYERS + 1} was expected")
    count, flat = int(value) - 1, unpack_ints(data["cycles"], what="its cycles", max_items=_MOST)
    if len(flat) and flat[-1] != -1:
        raise VerificationError("its cycles end within one")
    classes = claim.about.get("classes")
    if classes is not None and not (2 <= classes <= MOST_CLASSES and claim.about["assignment"] == "hops"):
        raise VerificationError(f"2 to {MOST_CLASSES} classes, with virtual channels by hops, were expected")
    paths = several_hops(routing) if classes is None else list(transactions(routing, classes))
    literals = as_whole(data["literals"], "the length of its refutation", 0, _MOST)
    sharing = sharing_of(claim.about["assignment"], context.network)
    each = 10 * count * (1 if sharing.within else count)
    spend(each * (sum(map(len, paths)) + len(flat)) + _PER_NUMBER * literals, "checking the refutation of layers")
    formula = LayerFormula(paths, count, sharing)
    clauses = chain(formula.clauses, *(formula.forbid(x) for x in _cycles(flat)))
    return Refutation(formula.num_variables, list(clauses), list(as_lemmas(data["lemmas"], literals)))


def _cycles(flat: Int64) -> list[list[int]]:
    return [x[:-1].tolist() for x in np.split(flat, np.flatnonzero(flat == -1) + 1)[:-1]]


def _check_refuted(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    check_refutation(*_formula(context, claim, value, data))


def elaborate_refuted(work: Work, claim: Claim) -> None:
    """The clauses follow from the routing's paths and the cycles; each lemma has the clauses that it follows from."""
    data, size, routing = claim.evidence.data, work.network.num_channels, work.context.routing
    cycles = _cycles(unpack_ints(data["cycles"], what="its cycles", max_items=_MOST))
    lemmas = written_lemmas(*_formula(work.context, claim, claim.number, data))
    position = routing_on_virtual(work, ((x, np.zeros_like(x.channel)) for x in bundles_of(routing)))
    work.proof.claim(
        "virtual-channels-at-least", routing=position, value=int(claim.number), by=claim.about["assignment"],
        classes=claim.about.get("classes"), cycles=[[[x % size, x // size] for x in cycle] for cycle in cycles],
        lemmas=lemmas,
    )  # fmt: skip


def elaborate_rings(work: Work, claim: Claim) -> None:
    order = as_order(claim, work.network.num_channels)
    work.proof.claim("deadlock-free-with-bubbles", routing=position_of(work, claim), order=order)


def elaborate_escape(work: Work, claim: Claim) -> None:
    """The escape routing, written with the lanes of its escapes as virtual channels."""
    escape = escape_of(named_routing(claim.about["escape"], work.network))
    data, count, size = claim.evidence.data, claim.about["escape_lanes"], work.network.num_channels
    if count > MOST_VIRTUAL:
        raise NotElaborated(f"a proof has at most {MOST_VIRTUAL} virtual channels to a channel")
    none = np.zeros(len(escape.column), dtype=np.int64)
    lane = as_numbers(data["lane"], "its lanes", len(none)) if "lane" in data else none
    position = routing_on_virtual(work, escape.on_lanes(lane), escape.routing)
    if claim.value == "true":
        order = orders(as_order(claim, count * size), size, count)
        work.proof.claim("escape-acyclic", routing=position, virtual=count, order=order)
        return
    ends = [first_end(escape.routing, column) for column in data["columns"]]
    cycle = [[c, 0, j] for c, j in zip(data["cycle"], ends, strict=True)]
    work.proof.claim("escape-cycle", routing=position, cycle=cycle)


RING_ORDER = Kind(
    "ring-order",
    "A number for every channel that grows along every dependency but those around rings, on which a bubble is kept: a "
    "packet comes onto a ring only where two packets fit, and moves on where one does (virtual cut-through).",
    Keys({"number": NUMBERS}),
    answers("deadlock_free", "true", about=Keys({"paths": Word("own", "of-loads"), "flow_control": Word(BUBBLE)})),
    frozenset({"Carrion et al. 1997 (HiPC); Puente et al. 2001 (JPDC 61)"}),
    _check_rings,
    subjects=ANALYSES,
    elaborate=elaborate_rings,
)
ESCAPE_ORDER = Kind(
    "escape-order",
    "A number for every escape lane that grows along every direct and indirect dependency of the escape routing.",
    Keys({"lane": NUMBERS, "number": NUMBERS}),
    answers("escape_acyclic", "true", about=_ABOUT_ESCAPE),
    frozenset({"Duato 1993 (IEEE TPDS 4)"}),
    _check_escape,
    subjects=ANALYSES,
    elaborate=elaborate_escape,
)
ESCAPE_CYCLE = Kind(
    "escape-cycle",
    "A cycle of direct and indirect dependencies of the escape routing on one lane, with packets that make them.",
    Keys({"cycle": ListOf(WHOLE), "columns": ListOf(WHOLE), "witness": TEXT}),
    answers("escape_acyclic", "false", about=_ABOUT_ESCAPE),
    frozenset({"Duato 1993 (IEEE TPDS 4)"}),
    _check_escape,
    subjects=ANALYSES,
    elaborate=elaborate_escape,
)
LAYERS_REFUTATION = Kind(
    "layers-refutation",
    "Cycles of dependencies, and lemmas by unit propagation: on fewer virtual channels, one of the cycles is there.",
    Keys({"cycles": NUMBERS, "lemmas": NUMBERS, "literals": WHOLE}),
    {
        "virtual_channels": States(
            (">=",),
            Grade.PROVED,
            Keys({"paths": Word("own", "of-loads"), "assignment": Word(*SHARED)}, {"classes": WHOLE}),
        )
    },
    frozenset({"Dally & Seitz 1987"}),
    _check_refuted,
    elaborate=elaborate_refuted,
    subjects=ANALYSES,
)
