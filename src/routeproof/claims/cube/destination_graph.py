"""Claims about a destination graph, checked again: by walking all packets where they are not too many.

"true" for many-one or permutations: all N^2 packets are walked, every step and link (up to ALL_PACKETS_NODES nodes;
beyond, the conditions of Lemmas 2 and 3 are checked).  "false": the two packets must really meet, in a permutation that
really is one.  Bounds are counted again, refutations checked lemma by lemma.  The other quantities are
read off the paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.claim import Claim, Grade
from ...core.cube.bounds import lower_bounds, num_variables, tight_clauses
from ...core.cube.conditions import Conditions, Meeting, Verdict, check_meeting, judge_conditions
from ...core.cube.destination_graph import Cube, DestinationGraph
from ...core.errors import InputError, VerificationError
from ...kernel.refutation import check_refutation
from ..kind import EXACT, HWANG, VERIFIED, YES_OR_NO, Kind, States, SubjectKind, answers
from ..proofs.proof import NotElaborated, Proof, Writing
from ..proofs.written import written_lemmas
from ..reading import Report, as_lemmas, as_permutation, check_value, stated
from ..shapes import ANY, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape, Word
from ..work import spend
from .run import CUBE_RUNS, check_cube_run, check_one_request

ALL_PACKETS_NODES = 4096
_MAX_LITERALS = 50_000_000


def verify_destination_graph(report: Report) -> None:
    """Check the claims about a graph, or all graphs on a cube; raises InputError for a subject without a graph."""
    check_one_request(report.claims)
    kinds = {x.evidence.kind for x in report.claims}
    graph = _graph(report.subject) if "graph" in report.subject or "destination-graph" in kinds else None
    cube = _cube(report.subject) if graph is None else graph.cube
    found = judge_conditions(graph) if graph is not None and "destination-graph" in kinds else None

    def check(claim: Claim) -> None:
        if claim.evidence.kind in CUBE_RUNS:
            check_cube_run(cube, graph, report.claims, claim)
        elif claim.evidence.kind == "counting-bound":
            _check_bound(cube, claim)
        elif claim.evidence.kind == "refutation":
            _check_refutation(cube, claim)
        else:
            assert graph is not None
            assert found is not None
            _check(graph, found, claim)

    report.check_each(check)


def _graph(subject: Mapping[str, Any]) -> DestinationGraph:
    from ...formats.documents.destination_graph import graph_from_document

    document = subject.get("graph")
    if not isinstance(document, Mapping):
        raise InputError("the report's subject: it has no graph; a destination graph document was expected")
    return graph_from_document(document, what="the report's graph")


def _cube(subject: Mapping[str, Any]) -> Cube:
    """The cube of a report about graphs that do not exist."""
    try:
        return Cube(subject["radix"], subject["dimensions"])
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None


def _check_bound(cube: Cube, claim: Claim) -> None:
    """A lower bound on the steps of all graphs of one kind: counted again."""
    rule = claim.evidence.data["rule"]
    for bound in lower_bounds(cube.radix, cube.dimensions, many_one=claim.about["graphs"] == "many-one"):
        if bound.rule == rule:
            if claim.number > bound.steps:
                raise VerificationError(f"it is stated as {stated(claim)}; the rule '{rule}' gives {bound.steps}")
            if claim.evidence.data["because"] != bound.because:
                raise VerificationError(f"its reason is not that of the rule '{rule}': {bound.because}"[:300])
            return
    raise VerificationError(f"the rule {rule[:40]!r} gives no bound here")


def _check_refutation(cube: Cube, claim: Claim) -> None:
    """No permutation graph of d steps: the formula is written down again, and refuted by the lemmas of the claim."""
    radix, dimensions = cube.radix, cube.dimensions
    if dimensions < 3 or claim.value != dimensions + 1:
        raise VerificationError(
            f"a refutation of {dimensions} steps shows 'steps >= {dimensions + 1}' of permutation graphs"
        )
    spend(float(radix) ** dimensions * dimensions**2 * radix, "writing down its formula")
    if claim.evidence.data["formula"] != [radix, dimensions]:
        raise VerificationError(f"it refutes another formula than that of {dimensions} dimensions of radix {radix}")
    lemmas = as_lemmas(claim.evidence.data["lemmas"], _MAX_LITERALS)
    check_refutation(num_variables(radix, dimensions), tight_clauses(radix, dimensions), lemmas)


def _check(graph: DestinationGraph, found: Conditions, claim: Claim) -> None:
    quantity = claim.quantity
    if quantity == "steps":
        check_value(claim, graph.steps, "the last move is at step")
        return
    short = {"valid_many_one": "many_one", "valid_permutation": "permutation"}
    verdict: Verdict = getattr(found, short.get(quantity, quantity))
    many_one = quantity == "valid_many_one"
    if quantity in short and claim.value == "false":
        _check_false(graph, claim.evidence.data, many_one=many_one)
    elif claim.value != ("true" if verdict.holds else "false"):
        raise VerificationError(f"it is stated as '{claim.value}', but {verdict.reason or 'it holds of all paths'}")
    elif quantity in short and graph.cube.num_nodes <= ALL_PACKETS_NODES:
        from ...routing.grid.destination_graph import find_meeting

        meeting = find_meeting(graph, many_one=many_one)
        if meeting is not None:
            raise VerificationError(f"it is stated as 'true', but {meeting.sentence(graph.cube)}")
    _check_reason(claim, verdict)


def _check_reason(claim: Claim, verdict: Verdict) -> None:
    """The sentence and the nodes that a "false" shows are those of the graph; a "true" needs and has none."""
    data = claim.evidence.data
    if verdict.holds and data:
        raise VerificationError("it holds, and there is nothing that its evidence could add")
    if data.get("witness") not in (None, verdict.reason):
        raise VerificationError(f"its witness is not what is wrong with the graph: {verdict.reason}"[:300])
    if "nodes" in data and data["nodes"] != list(verdict.nodes):
        raise VerificationError("its nodes are not those at which the condition fails")


def _check_false(graph: DestinationGraph, data: Mapping[str, Any], *, many_one: bool) -> None:
    """Packets that meet show that it is false; a permutation that contains both of them shows it for permutations."""
    if "meeting" not in data:
        raise VerificationError("its evidence has no 'meeting' of two packets")
    packets, link, step = (data["meeting"][key] for key in ("packets", "link", "step"))
    if [len(x) for x in (*packets, link)] != [2, 2, 2]:
        raise VerificationError("its meeting must have two packets [origin, destination], a step and a link")
    (a, x), (b, y) = packets
    check_meeting(graph, Meeting(((a, x), (b, y)), step, link[0], link[1]))
    if many_one:
        return
    if x == y:
        raise VerificationError("both packets have one destination: no permutation contains them")
    image = as_permutation(data.get("permutation"), graph.cube.num_nodes).image
    if int(image[a]) != x or int(image[b]) != y:
        raise VerificationError("its permutation does not contain the two packets")


_MEETING = Keys({"packets": ListOf(ListOf(WHOLE)), "step": WHOLE, "link": ListOf(WHOLE)})
_REASON: Mapping[str, Shape] = {"witness": TEXT, "nodes": ListOf(WHOLE)}
_VERDICT = Keys({}, _REASON)
_MANY_ONE = Keys({}, {**_REASON, "meeting": _MEETING})
_PERMUTATION = Keys({}, {**_REASON, "meeting": _MEETING, "permutation": NUMBERS})
_LEMMAS = ("Lemma 2 (C1)", "Lemma 3 (C2)", "sec. 1", "sec. 2 (C1')", "sec. 2 (C2')", "sec. 2 (l(T))")


def _at_least(*graphs: str) -> dict[str, States]:
    return {"steps": States((">=",), Grade.PROVED, Keys({"graphs": Word(*graphs)}))}


class GraphWork(Writing):
    """A proof about a destination graph, or about all of a cube."""

    def __init__(self, proof: Proof, report: Report) -> None:
        subject, self.proof = report.subject, proof
        self.graph = _graph(subject) if "graph" in subject else None
        self.cube = _cube(subject) if self.graph is None else self.graph.cube
        if self.graph is not None:
            proof.graph = {
                "name": str(subject.get("document", "destination graph")), "radix": self.cube.radix,
                "dimensions": self.cube.dimensions,
                "paths": [_moves(self.graph, x) for x in range(self.cube.num_nodes)],
            }  # fmt: skip

    def steps_at_least(self, claim: Claim, lemmas: list[Any] | None = None) -> None:
        about = {"radix": self.cube.radix, "dimensions": self.cube.dimensions}
        graphs, value = claim.about["graphs"], int(claim.number)
        self.proof.claim("steps-at-least", graphs=graphs, **about, value=value, lemmas=lemmas)


def _elaborate_bound(work: GraphWork, claim: Claim) -> None:
    work.steps_at_least(claim)


def _elaborate_refutation(work: GraphWork, claim: Claim) -> None:
    size = work.cube.radix, work.cube.dimensions
    lemmas = as_lemmas(claim.evidence.data["lemmas"], _MAX_LITERALS)
    work.steps_at_least(claim, written_lemmas(num_variables(*size), tight_clauses(*size), lemmas))


def _moves(graph: DestinationGraph, x: int) -> list[list[int]]:
    """[step, digit, amount] of every move but waits."""
    return [[step, *move] for step, move in enumerate(graph.path(x), 1) if move[0]]


def _elaborate(work: GraphWork, claim: Claim) -> None:
    proof, graph = work.proof, work.graph
    assert graph is not None
    kind = {"valid_many_one": "many-one", "valid_permutation": "permutation"}.get(claim.quantity)
    data = claim.evidence.data
    if claim.quantity == "steps":
        proof.claim("steps", value=int(graph.steps))
    elif claim.quantity == "minimum_routing" and claim.value == "true":
        proof.claim("minimum")
    elif kind is None:
        raise NotElaborated("conditions that only serve to find a graph are not in the format")
    elif claim.value == "true":
        proof.claim(kind, slots=[[*move, *found] for move, found in _slots(graph, kind == "many-one")])
    else:
        proof.claim(f"not-{kind}", packets=data["meeting"]["packets"], step=data["meeting"]["step"])


def _slots(graph: DestinationGraph, many_one: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, int]]]:
    """(step, digit, amount), and what all its moves have: (0, prefix) or (1, suffix)."""
    cube = graph.cube
    prefixes: dict[tuple[int, ...], set[int]] = {}
    suffixes: dict[tuple[int, ...], set[int]] = {}
    for x in range(cube.num_nodes):
        for move in _moves(graph, x):
            prefix = int(graph.prefix[x, move[0] - 1])
            prefixes.setdefault(tuple(move), set()).add(prefix)
            suffixes.setdefault(tuple(move), set()).add(int(cube.subtract(x, prefix)))
    for slot, found in sorted(prefixes.items()):
        yield slot, (0, min(found)) if len(found) == 1 or many_one else (1, min(suffixes[slot]))


DESTINATION_GRAPH = Kind(
    "destination-graph",
    "The paths of all nodes, compared again slot by slot; where two packets meet, the two are named.",
    _VERDICT,
    {
        "valid_many_one": States(EXACT, Grade.PROVED, evidence=_MANY_ONE, words=YES_OR_NO),
        "valid_permutation": States(EXACT, Grade.PROVED, evidence=_PERMUTATION, words=YES_OR_NO),
        **answers("minimum_routing", grade=Grade.EXHAUSTED),
        **answers("c1_prime", grade=Grade.EXHAUSTED),
        **answers("c2_prime", grade=Grade.EXHAUSTED),
        "steps": States(EXACT, Grade.EXHAUSTED, evidence=Keys()),
    },
    frozenset(f"{HWANG}, {x}" for x in _LEMMAS),
    subjects=frozenset({"destination-graph"}),
    elaborate=_elaborate,
)
COUNTING_BOUND = Kind(
    "counting-bound",
    "A counting argument that holds for every destination graph of this size, evaluated again.",
    Keys({"rule": TEXT, "because": TEXT}),
    _at_least("many-one", "permutation"),
    frozenset({HWANG, "docs/destination-graphs.md"}),
    subjects=frozenset({"destination-graph"}),
    elaborate=_elaborate_bound,
)
REFUTATION = Kind(
    "refutation",
    "A refutation: every lemma follows by unit propagation, and the last one is the empty clause, so that"
    " no graph with fewer steps exists.",
    Keys({"formula": ListOf(WHOLE), "lemmas": NUMBERS}),
    _at_least("permutation"),
    frozenset({f"{HWANG}, Theorem 3"}),
    subjects=frozenset({"destination-graph"}),
    elaborate=_elaborate_refutation,
)
OF_GRAPH = SubjectKind(
    "destination-graph",
    verify_destination_graph,
    Either(
        "graph",
        Keys({"graph": ANY}, {"document": TEXT, **VERIFIED}),
        Keys({"radix": WHOLE, "dimensions": WHOLE}, VERIFIED),
    ),
)
