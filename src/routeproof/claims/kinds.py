"""Every kind of evidence, found beside its checker: what it can state, and which keys a claim and its evidence have.

The kinds decide whether a word of a claim is checked.  A key that stands in none is refused; what an entry lists
is read by its checker; what is deliberately a quotation stands in ``QUOTED``, with the reason.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from ..core.claim import Claim, Grade, Interval
from ..core.errors import VerificationError, did_you_mean
from ..core.registry import Registry
from ..core.vocabulary import unit_of
from .kind import EXACT, Kind, States
from .reading import stated
from .shapes import ANY, brief

ROOMS = ("calls", "collectives", "cube", "multistage", "routings", "schedules")
"""Rooms of this one that hold kinds."""

KINDS: Registry[Kind] = Registry(
    "evidence",
    Kind,
    rooms=[str(__package__), *(f"{__package__}.{room}" for room in ROOMS)],
)
"""Every kind of evidence by its name; a kind stands beside its checker."""

SAMPLED = Kind(
    "sampled",
    "Random packets with a seed: a confidence interval and no proof; the same command gives the same one.",
    ANY,
    dict.fromkeys(
        (
            "worst_case_load",
            "worst_case_throughput",
            "worst_case_throughput_of_capacity",
            "throughput",
            "throughput_of_capacity",
        ),
        States(EXACT, Grade.SAMPLED, ANY),
    ),
    frozenset({"Towles & Dally 2002 (SPAA), sec. 3.5"}),
    subjects=frozenset(),
)
STUDY = Kind(
    "study", "A study of a published number: the same command computes it again.", ANY, {}, frozenset(),
    subjects=frozenset(),
)  # fmt: skip
"""Kinds that no subject may have: what is said without a check, and repeated by the same command."""

QUOTED: Mapping[str, str] = {
    "environment": "which versions made the report; no statement about its subject",
    "subject.topology": "where it names a file: the file's name, shown in quotation marks; a family's name is checked",
    "subject.document": "the name of the document's file, shown in quotation marks",
    "subject.verified": "the name of the report that was verified, shown in quotation marks",
    "subject.design": "what the designer was asked for; what the routing reaches is for the claims to say",
    "subject.changes": "what differs between two dumps of a fabric, with ports, which networks in reports have not",
    "subject.days": "the names of the days; what is claimed of each is checked on its own network and routing",
    "subject.tradeoff": "what the designer was asked for, as subject.design",
    "subject.routing.spec": "where the routing is given in full: a name that is none of the package's, shown as given",
    "subject.network.name": "as subject.routing.spec, for a network given in full",
    "subject.network.labels": "the names of nodes and terminals are part of the network that the report gives",
    "subject.splitter.name": "as subject.network.name",
    "subject.wiring.name": "as subject.network.name",
    "evidence.witness": "of a cycle in a fabric: the numbers of ports, which the network in a report has not",
    "evidence.algorithm": "of a schedule called hamiltonian: the schedule itself is given in full, and checked",
    "evidence.searched": "how a slow permutation was looked for; the permutation itself is given in full",
    "evidence.load": "of the algorithm greedy, in reports of version 0.1.0: an option of another algorithm",
    "evidence.traffic": "the name of a matrix or permutation that the claim gives in full, unless the package knows it",
}
"""What a report says without proof, and why that misleads nobody.  Everything else is checked."""


def sentence_of(name: str) -> str:
    """Why evidence of this kind proves a number; the empty text for a kind that nobody knows."""
    return KINDS.own[name].sentence if name in KINDS.own else ""


def checker_of(claim: Claim) -> Callable[..., None]:
    """The function that checks claims with this kind of evidence."""
    check = KINDS.own[claim.evidence.kind].check
    assert check is not None
    return check


def check_form(claim: Claim, allowed: Iterable[str]) -> None:
    """Everything about a claim that needs no computing: its kind is one of ``allowed``, it has the keys of that kind
    and no others, and quantity, relation, grade, unit, qualifiers and source fit together.

    Raises VerificationError for the first thing that is not so.
    """
    name = claim.evidence.kind
    known = sorted(allowed)
    if name not in known:
        close = difflib.get_close_matches(name[:40], known, n=1, cutoff=0.5)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise VerificationError(f"its evidence is of the kind {brief(name)}, which proves nothing here{hint}")
    kind = KINDS.own[name]
    form = kind.states.get(claim.quantity)
    if form is None:
        hint = did_you_mean(claim.quantity[:60], kind.states)
        raise VerificationError(f"evidence of the kind '{name}' says nothing about {claim.quantity[:60]}; {hint}")
    if claim.relation not in form.relations:
        wanted = " or ".join(form.relations)
        raise VerificationError(f"it says {claim.relation} {stated(claim)}; its evidence is for {wanted}")
    if claim.grade is not form.grade:
        raise VerificationError(f"it is graded {claim.grade.value}; its evidence makes it {form.grade.value}")
    if form.words and claim.value not in form.words:
        raise VerificationError(f"it is stated as {stated(claim)}; {' or '.join(form.words)} was expected")
    if not form.words and not isinstance(claim.value, Interval if form.grade is Grade.SAMPLED else Fraction):
        raise VerificationError(f"it is stated as {stated(claim)}; a number was expected")
    form.about.check(claim.about, "its qualifier")
    unit = unit_of(claim.quantity, evidence=name, about=claim.about)
    if claim.unit != unit:
        raise VerificationError(f"its unit is {brief(claim.unit)}; '{unit}' was expected")
    if claim.source and claim.source not in kind.sources:
        raise VerificationError(f"its source is {brief(claim.source)}, which does not define it")
    (form.evidence or kind.evidence).check(claim.evidence.data, "its evidence")
