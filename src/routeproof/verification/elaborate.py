"""A whole report, elaborated: which kind of evidence is written out by whom, and what is left out, with the reason."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..claims.calls.claims import CallsWork
from ..claims.collectives.jobs import JobsWork
from ..claims.collectives.written import collective_work
from ..claims.context import Context
from ..claims.cube.destination_graph import GraphWork
from ..claims.kinds import KINDS
from ..claims.multistage.expansion import SplittersWork
from ..claims.proofs.proof import NotElaborated, Proof, Writing, at_most, expect_bytes
from ..claims.proofs.work import Work
from ..claims.proofs.written import written_network
from ..claims.reading import Report
from ..claims.schedules.placed import schedule_work
from ..claims.splits import SplitWork
from ..claims.subject import network_of, routing_of
from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.spread import Progress
from ..formats.documents.report import claims_to_document, document_to_claims
from ..topologies.failures import Failure
from .about import check_about

_WORK: Mapping[str, Callable[[Proof, Report], Writing]] = {
    "destination-graph": GraphWork, "calls": CallsWork, "expansion": SplittersWork, "jobs": JobsWork,
    "collective": collective_work, "schedule": schedule_work, "split": SplitWork,
}  # fmt: skip
_ABOUT_ROUTINGS = ("analysis", "design", "adaptive", "tradeoff", "comparison", "load-simulation")


NO_PROOF: Mapping[str, str] = {
    "mended": "a proof is about one network, and not about one with other cables",
    "parts": "counts and prices of parts are not claims about a routing",
    "hashed-flows": "the format has probabilities of splits, and none of the loads of channels",
    "call-sequence": "by which path a call is connected is a rule of this package, which verify runs again",
    "installed-rule": "how switches choose their entries is not a claim about a routing",
}  # fmt: skip
"""Why claims that are proved have no proof for other checkers, by the kind of their evidence."""
BY_GRADE: Mapping[Grade, str] = {
    Grade.SAMPLED: "sampled: there is an interval, and no proof",
    Grade.EXHAUSTED: "a run that verify repeats, and no proof",
}
"""Why claims that are not proved have none, of whatever kind their evidence is."""
_PAIR = 24  # bytes at least of a pair of nodes and what it loads


class Written(NamedTuple):
    """A proof that was written to ``path``: how many claims it has, what is left out and why, the file with the subject
    that it was compared with, the SHA-256 of the file, and that of its network."""

    path: str
    claims: int
    left_out: Sequence[tuple[str, str]]
    about: str | None
    sha256: str
    network_sha256: str | None


def elaborate_claims(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    path: str,
    *,
    routing: str | None = None,
    about: str | None = None,
    progress: Progress | None = None,
) -> Written:
    """Write a proof of verified ``claims`` to ``path``.

    ``routing`` as for ``verify_claims``; ``about``: a file with the subject that the proof must be about.  Raises
    InputError where nothing of the report can be written out, and for a proof that no checker could read;
    VerificationError where the proof is about something else.
    """
    with _elaborated(Report(subject, claims, routing, progress)) as proof:
        if about is None:
            proof.write(path, proof.parts())
        else:
            text = proof.text()
            check_about(json.loads(text), network_of(subject) if proof.network is not None else None, about)
            proof.write(path, [text])
    return Written(path, len(proof.kinds), proof.left_out, about, proof.sha256, proof.network_sha256)


def elaborated_text(subject: Mapping[str, Any], claims: Sequence[Claim], *, most: int) -> str:
    """The proof of ``claims`` as text, of at most ``most`` bytes.

    Raises InputError as ``elaborate_claims`` does, and, before much is done, where there is more of it.
    """
    with at_most(most):
        if "network" in subject:
            network = network_of(subject)
            ends = int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))
            expect_bytes(_PAIR * ends, network.name)
        with _elaborated(Report(subject, claims, None, None)) as proof:
            return proof.text()


@contextmanager
def _elaborated(report: Report) -> Iterator[Proof]:
    """All claims of the report, as far as they can be written out."""
    subject, claims = report.subject, report.claims
    with tempfile.TemporaryFile("w+", encoding="ascii") as spool:
        proof = Proof(spool)

        def leave_out(claim: Claim, reason: str) -> None:
            proof.left_out.append((_words(claim), reason))

        kind = subject.get("kind")
        some = any(_elaborate_of(x) for x in claims)
        if some and (kind in _WORK or "graph" in subject):
            _write_each(report, claims, leave_out, _WORK.get(str(kind), GraphWork)(proof, report).write)
        elif kind == "failures":
            _elaborate_failures(proof, report, leave_out)
        elif some and (kind is None or kind in _ABOUT_ROUTINGS):
            _elaborate_routings(proof, report, leave_out)
        else:
            several = "it is about one of several days; a proof is about one network" if kind == "difference" else ""
            for claim in claims:
                leave_out(claim, several or _reason(claim))
        if not proof.kinds:
            first = f"; {proof.left_out[0][1]}" if proof.left_out else ""
            raise InputError(f"none of the report's claims can be written out as a proof{first}"[:300])
        yield proof


def _elaborate_failures(proof: Proof, report: Report, leave_out: Callable[[Claim, str], None]) -> None:
    from ..claims.routings.failures import repair_of

    proof.network = written_network(network_of(report.subject))
    repair, known = repair_of(report.subject), dict[Failure, Any]()

    def write(elaborate: Callable[..., None], claim: Claim) -> None:
        elaborate(proof, claim, repair, known)

    _write_each(report, report.claims, leave_out, write)


def _elaborate_routings(proof: Proof, report: Report, leave_out: Callable[[Claim, str], None]) -> None:
    subject = report.subject
    proof.network = written_network(network_of(subject))
    named = subject.get("routings")
    if not isinstance(named, Mapping):
        _elaborate_routing(proof, report, leave_out)
        return
    rest = {key: value for key, value in subject.items() if key not in ("routings", "service_levels")}
    levels = subject.get("service_levels", {})
    for name, described in named.items():
        mine = [x for x in report.claims if x.about.get("routing") == name]
        plain = [replace(x, about={k: y for k, y in x.about.items() if k != "routing"}) for x in mine]
        one = {"service_levels": levels[name]} if name in levels else {}

        def leave_out_of(claim: Claim, reason: str, name: str = name) -> None:
            leave_out(replace(claim, about={**claim.about, "routing": name}), reason)

        _elaborate_routing(
            proof, replace(report, subject={**rest, **one, "routing": described}, claims=plain), leave_out_of
        )


def _elaborate_routing(proof: Proof, report: Report, leave_out: Callable[[Claim, str], None]) -> None:
    subject = report.subject
    routing = routing_of(subject, report.routing, bound=True)
    claims = []
    for claim in report.claims:
        if routing.whole_flows_of is not None or claim.about.get("flows") == "whole":
            leave_out(claim, "it bounds whole flows; a proof is about a routing that packets can follow")
        else:
            claims.append(claim)
    if not claims:
        return
    context = Context(
        routing, claims, demands=subject.get("demands"), levels=subject.get("service_levels"),
        paths=subject.get("paths"),
    )  # fmt: skip
    work = Work(proof, context)
    _write_each(report, claims, leave_out, lambda elaborate, claim: elaborate(work, claim))
    work.write_same()


def _write_each(
    report: Report,
    claims: Sequence[Claim],
    leave_out: Callable[[Claim, str], None],
    write: Callable[[Callable[..., None], Claim], None],
) -> None:
    """``write(elaborate, claim)`` for each, by its kind of evidence; the others are left out with the reason."""
    for number, claim in enumerate(sorted(claims, key=_after)):
        elaborate = _elaborate_of(claim)
        if elaborate is None:
            leave_out(claim, _reason(claim))
            continue
        try:
            write(elaborate, claim)
        except NotElaborated as reason:
            leave_out(claim, str(reason))
        if report.progress is not None:
            report.progress(number + 1, len(claims))


def _elaborate_of(claim: Claim) -> Callable[..., None] | None:
    known = KINDS.own.get(claim.evidence.kind)
    return None if known is None else known.elaborate


def _after(claim: Claim) -> int:
    """What rests on other claims comes after them: fractions of capacity, rates by phases, at last what has them."""
    rests = claim.evidence.kind in KINDS.own and KINDS.own[claim.evidence.kind].rests
    if claim.quantity == "collective_throughput":
        return 1 if rests else 0
    return 2 if rests else int(claim.quantity == "throughput_of_capacity")


def _reason(claim: Claim) -> str:
    kind = claim.evidence.kind
    return BY_GRADE.get(claim.grade) or NO_PROOF.get(kind, f"evidence of the kind {kind} is not in the format")


def _words(claim: Claim) -> str:
    about = "".join(f", {key} {str(x)[:60]}" for key, x in claim.about.items())
    value = claim.value_text().removeprefix(f"{claim.relation} ")
    return f"{claim.quantity} {claim.relation} {value}{about}"


_MOST_BYTES = 4_000_000  # of a page, beside the report itself; a browser checks so much in seconds


def proof_for_page(subject: Mapping[str, Any], claims: Sequence[Claim]) -> tuple[str, str]:
    """(the proof as text, ""), or ("", why the page has none)."""
    if not claims:
        return "", ""
    try:
        read = document_to_claims(claims_to_document(subject, claims))  # as verify reads it
        return elaborated_text(*read, most=_MOST_BYTES), ""
    except (InputError, VerificationError) as reason:
        return "", str(reason)
