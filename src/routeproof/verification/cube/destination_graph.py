"""Claims about a destination graph, checked again: by walking all packets where they are not too many.

"true" for many-one or permutations: all N^2 packets are walked, every step and link (up to ALL_PACKETS_NODES nodes;
beyond, the conditions of Lemmas 2 and 3 are checked).  "false": the two packets must really meet, in a permutation that
really is one.  Bounds are counted again, refutations checked lemma by lemma.  The other quantities are
read off the paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...core.checks.multipliers import shown
from ...core.checks.refutation import check_refutation
from ...core.claim import Claim, Grade
from ...core.cube.bounds import lower_bounds, num_variables, tight_clauses
from ...core.cube.conditions import Conditions, Meeting, Verdict, check_meeting, judge_conditions
from ...core.cube.destination_graph import Cube, DestinationGraph
from ...core.errors import InputError, VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ..context import Progress
from ..kind import EXACT, Kind, States, answers
from ..reading import as_list, as_mapping, as_permutation, stated
from ..shapes import NUMBERS, TEXT, WHOLE, Keys, ListOf, Word
from ..sources import HWANG
from ..work import spend
from .run import CUBE_RUNS, check_cube_run, check_one_request

__all__ = ["ALL_PACKETS_NODES", "KINDS", "check_bound", "verify_destination_graph"]

ALL_PACKETS_NODES = 4096
_MAX_LITERALS = 50_000_000


def verify_destination_graph(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check ``claims`` about the graph in ``subject``; returns them.

    Raises InputError for a subject without a graph, VerificationError naming the first claim that does not hold.
    """
    del routing, progress  # a graph is its own routing
    judged = any(x.evidence.kind == "destination-graph" for x in claims)
    runs = any(x.evidence.kind in CUBE_RUNS for x in claims)
    check_one_request(claims)
    graph = _graph(subject) if judged or (runs and "graph" in subject) else None
    found = judge_conditions(graph) if judged and graph is not None else None
    cube = _cube(subject) if graph is None else graph.cube
    for number, claim in enumerate(claims):
        try:
            if claim.evidence.kind in CUBE_RUNS:
                check_cube_run(cube, graph, claims, claim)
            elif graph is None or found is None or claim.evidence.kind in ("counting-bound", "refutation"):
                check_bound(cube.radix, cube.dimensions, claim)
            else:
                _check(graph, found, claim)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _graph(subject: Mapping[str, Any]) -> DestinationGraph:
    from ...formats.documents.destination_graph import graph_from_document

    document = subject.get("graph")
    if not isinstance(document, Mapping):
        raise InputError("the report's subject: it has no graph; a destination graph document was expected")
    return graph_from_document(document, what="the report's graph")


def _cube(subject: Mapping[str, Any]) -> Cube:
    """The cube of a report about graphs that do not exist, or about all graphs on the cube of one."""
    if "graph" in subject:
        return _graph(subject).cube
    try:
        return Cube(subject["radix"], subject["dimensions"])
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None


def check_bound(radix: int, dimensions: int, claim: Claim) -> None:
    """A lower bound on the steps of all graphs of one kind: counted again."""
    kind = str(claim.about["graphs"])
    if claim.evidence.kind == "refutation":
        _check_refutation(radix, dimensions, kind, claim)
        return
    if claim.evidence.kind != "counting-bound":
        raise VerificationError(f"its evidence is of the kind {claim.evidence.kind[:40]!r}, which proves nothing here")
    rule = claim.evidence.data.get("rule")
    for bound in lower_bounds(radix, dimensions, many_one=kind == "many-one"):
        if bound.rule == rule:
            if not isinstance(claim.value, Fraction) or claim.value > bound.steps:
                raise VerificationError(f"it is stated as {stated(claim)}; the rule '{rule}' gives {bound.steps}")
            if claim.evidence.data["because"] != bound.because:
                raise VerificationError(f"its reason is not that of the rule '{rule}': {bound.because}"[:300])
            return
    raise VerificationError(f"the rule {str(rule)[:40]!r} gives no bound here")


def _check_refutation(radix: int, dimensions: int, kind: str, claim: Claim) -> None:
    """No permutation graph of d steps: the formula is written down again, and refuted by the lemmas of the claim."""
    if kind != "permutation" or dimensions < 3 or claim.value != dimensions + 1:
        raise VerificationError(
            f"a refutation of {dimensions} steps shows 'steps >= {dimensions + 1}' of permutation graphs"
        )
    spend(float(radix) ** dimensions * dimensions**2 * radix, "writing down its formula")
    if claim.evidence.data["formula"] != [radix, dimensions]:
        raise VerificationError(f"it refutes another formula than that of {dimensions} dimensions of radix {radix}")
    flat = unpack_ints(claim.evidence.data.get("lemmas"), what="its refutation", max_items=_MAX_LITERALS).tolist()
    lemmas: list[list[int]] = [[]]
    for x in flat:
        if x:
            lemmas[-1].append(x)
        else:
            lemmas.append([])
    if lemmas.pop():
        raise VerificationError("its refutation ends within a lemma: it is cut off")
    check_refutation(num_variables(radix, dimensions), tight_clauses(radix, dimensions), lemmas)


def _check(graph: DestinationGraph, found: Conditions, claim: Claim) -> None:
    quantity = claim.quantity
    if quantity == "steps":
        if not isinstance(claim.value, Fraction) or claim.value != graph.steps:
            value = shown(claim.value) if isinstance(claim.value, Fraction) else str(claim.value)[:40]
            raise VerificationError(f"it is stated as {value}; the last move is at step {graph.steps}")
    elif quantity in ("valid_many_one", "valid_permutation"):
        _check_valid(graph, found, claim, many_one=quantity == "valid_many_one")
    else:
        holds = getattr(found, quantity).holds
        if claim.value != ("true" if holds else "false"):
            reason = getattr(found, quantity).reason or "it holds of all paths"
            raise VerificationError(f"it is stated as {str(claim.value)[:40]!r}, but {reason}")
    _check_reason(claim, _verdict(found, quantity))


def _verdict(found: Conditions, quantity: str) -> Verdict | None:
    short = {"valid_many_one": "many_one", "valid_permutation": "permutation"}
    return None if quantity == "steps" else getattr(found, short.get(quantity, quantity))


def _check_reason(claim: Claim, verdict: Verdict | None) -> None:
    """The sentence and the nodes that a "false" shows are those of the graph; a "true" needs and has none."""
    data = claim.evidence.data
    if verdict is None or verdict.holds:
        if data:
            raise VerificationError("it holds, and there is nothing that its evidence could add")
        return
    if data.get("witness") not in (None, verdict.reason):
        raise VerificationError(f"its witness is not what is wrong with the graph: {verdict.reason}"[:300])
    if "nodes" in data and data["nodes"] != list(verdict.nodes):
        raise VerificationError("its nodes are not those at which the condition fails")
    if claim.quantity not in ("valid_many_one", "valid_permutation") and ("meeting" in data or "permutation" in data):
        raise VerificationError("packets that meet say nothing about it")
    if claim.quantity == "valid_many_one" and "permutation" in data:
        raise VerificationError("a permutation says nothing about many-one requests")


def _check_valid(graph: DestinationGraph, found: Conditions, claim: Claim, *, many_one: bool) -> None:
    if claim.value == "false":
        _check_false(graph, claim.evidence.data, many_one=many_one)
        return
    if claim.value != "true":
        raise VerificationError(f"it is stated as {str(claim.value)[:40]!r}; 'true' or 'false' was expected")
    verdict = found.many_one if many_one else found.permutation
    if not verdict.holds:
        raise VerificationError(f"it is stated as 'true', but {verdict.reason}")
    if graph.cube.num_nodes <= ALL_PACKETS_NODES:
        from ...routing.cube.all_packets import find_meeting

        meeting = find_meeting(graph, many_one=many_one)
        if meeting is not None:
            raise VerificationError(f"it is stated as 'true', but {meeting.sentence(graph.cube)}")


def _check_false(graph: DestinationGraph, data: Mapping[str, Any], *, many_one: bool) -> None:
    """Packets that meet show that it is false; a permutation that contains both of them shows it for permutations."""
    told = as_mapping(data, "meeting")
    packets, link, step = as_list(told, "packets"), as_list(told, "link"), told.get("step")
    pairs = [x for x in packets if isinstance(x, list) and len(x) == 2]
    numbers = [*link, step, *(w for x in pairs for w in x)]
    if len(packets) != 2 or len(pairs) != 2 or len(link) != 2 or any(type(x) is not int for x in numbers):
        raise VerificationError("its meeting must have two packets [origin, destination], a step and a link")
    (a, x), (b, y) = pairs
    check_meeting(graph, Meeting(((a, x), (b, y)), int(str(step)), link[0], link[1]))
    if many_one:
        return
    if x == y:
        raise VerificationError("both packets have one destination: no permutation contains them")
    image = as_permutation(data.get("permutation"), graph.cube.num_nodes).image
    if int(image[a]) != x or int(image[b]) != y:
        raise VerificationError("its permutation does not contain the two packets")


_MEETING = Keys({"packets": ListOf(ListOf(WHOLE)), "step": WHOLE, "link": ListOf(WHOLE)})
_VERDICT = Keys({}, {"witness": TEXT, "meeting": _MEETING, "nodes": ListOf(WHOLE), "permutation": NUMBERS})
_LEMMAS = ("Lemma 2 (C1)", "Lemma 3 (C2)", "sec. 1", "sec. 2 (C1')", "sec. 2 (C2')", "sec. 2 (l(T))")


def _at_least(*graphs: str) -> dict[str, States]:
    return {"steps": States((">=",), Grade.PROVED, Keys({"graphs": Word(*graphs)}))}


KINDS: Mapping[str, Kind] = {
    "destination-graph": Kind(
        _VERDICT,
        {
            **answers("valid_many_one"),
            **answers("valid_permutation"),
            **answers("minimum_routing", Grade.EXHAUSTED),
            **answers("c1_prime", Grade.EXHAUSTED),
            **answers("c2_prime", Grade.EXHAUSTED),
            "steps": States(EXACT, Grade.EXHAUSTED, evidence=Keys()),
        },
        frozenset(f"{HWANG}, {x}" for x in _LEMMAS),
    ),
    "counting-bound": Kind(
        Keys({"rule": TEXT, "because": TEXT}),
        _at_least("many-one", "permutation"),
        frozenset({HWANG, "docs/destination-graphs.md"}),
    ),
    "refutation": Kind(
        Keys({"formula": ListOf(WHOLE), "lemmas": NUMBERS}),
        _at_least("permutation"),
        frozenset({f"{HWANG}, Theorem 3"}),
    ),
}
