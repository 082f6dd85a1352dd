"""What one kind of evidence can state, what is cited for it, who makes its claims, checks and elaborates them: the type
of the constant that stands beside each checker.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.claim import Claim, Evidence, Grade, Interval
from ..formats.documents.json_text import fraction_to_text
from ..formats.documents.packed_ints import pack_ints
from .reading import Report
from .shapes import ANY, TEXT, WHOLE, Keys, ListOf, OrNull, Shape, Word

EXACT, BOUNDS = ("==",), ("==", "<=", ">=")
YES_OR_NO = ("true", "false")
STOPPING: Mapping[str, Shape] = {"until_width": TEXT, "first_look": WHOLE, "most_trials": WHOLE}
"""Evidence of sampling that could stop early."""

# Kinds of subjects that have much evidence in common.
ANALYSES = frozenset({"analysis", "design", "tradeoff", "comparison", "difference", "candidates", "cabling"})
DESIGNS = frozenset({"analysis", "design", "tradeoff", "adaptive"})
DOCUMENTS = frozenset({"network", "routing", "next-hop", "wiring", "permutation"})

# What is cited for claims of more than one kind.
_MAGGS = "Maggs, Randomly Wired Multistage Networks, "
HWANG = "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes"
WORST = frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2 and 3"})
DESIGN = frozenset(
    f"Towles, Dally & Boyd 2003 (SPAA), {x}" for x in ("eq. 8", "eq. 8 and 10", "eq. 10 and Figure 1", "eq. 6 and 10")
)
PACKETS = frozenset({_MAGGS + "sec. 2; Upfal 1989 (STOC)"})
CIRCUITS = frozenset({_MAGGS + "sec. 3; Arora, Leighton & Maggs 1990 (STOC)"})
FAULTS = frozenset({_MAGGS + "sec. 4; Leighton & Maggs 1989 (FOCS)"})
CALLS = frozenset({_MAGGS + "sec. 5; Arora, Leighton & Maggs 1990 (STOC)"})
SPLITTERS = frozenset({_MAGGS + "sec. 1.4 and 3.1"})
REARRANGED = frozenset({"Opferman & Tsao-Wu 1971 (BSTJ 50); Paull 1962 (BSTJ 41)"})


@dataclass(frozen=True)
class States:
    """What may be stated of one quantity: how, and with which qualifiers; its unit is that of ``core.vocabulary``.

    ``evidence``: the keys of the evidence where they depend on the quantity.  ``words``: what the value may be, where
    it is not a number.
    """

    relations: tuple[str, ...]
    grade: Grade
    about: Shape = field(default_factory=Keys)
    evidence: Shape | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """One kind of evidence: a constant of the module that checks it, found by ``kinds.KINDS``.

    - ``sentence``: what the evidence is, and why it proves the number or how the number is repeated;
    - ``evidence``: its keys; ``states``: what it may state, by quantity; ``sources``: what may be cited for it;
    - ``check``: checks one claim, whose form is checked already; its arguments are those of its room.  None where the
      claims of a run are checked together, by the function of the subject (``subject_kind``);
    - ``subjects``: the kinds of subjects whose reports may have it;
    - ``elaborate``: writes a claim out for a proof; its arguments are those of its room.  None where proofs
      cannot have it;
    - ``whole_flows``: it is of loads of channels, one at a time, and of no paths: bounds on whole flows may have it;
    - ``rests``: it refers to other claims of the report, and is checked after them;
    - ``meaning``: what a name in a claim stands for, as (what is named, name, meaning), or None; one report means one
      thing by one name.
    """

    name: str
    sentence: str
    evidence: Shape
    states: Mapping[str, States]
    sources: frozenset[str]
    check: Callable[..., None] | None = None
    subjects: frozenset[str] = field(kw_only=True)
    elaborate: Callable[..., None] | None = field(default=None, kw_only=True)
    whole_flows: bool = field(default=False, kw_only=True)
    rests: bool = field(default=False, kw_only=True)
    meaning: Callable[[Claim], tuple[str, str, object] | None] | None = field(default=None, kw_only=True)

    @property
    def sampled(self) -> bool:
        """Are its claims intervals, whose every trial is run again?"""
        return bool(self.subjects) and any(x.grade is Grade.SAMPLED for x in self.states.values())

    def claim(
        self,
        value: Fraction | int | str | Interval,
        data: Mapping[str, Any] | None = None,
        about: Mapping[str, Any] | None = None,
        *,
        quantity: str | None = None,
        relation: str | None = None,
        source: str | None = None,
    ) -> Claim:
        """A claim with evidence of this kind, which ``data`` is, with its numbers as they are (``in_report``).

        ``quantity`` and ``source`` where the kind has more than one, ``relation`` where it has not one alone nor "==".
        Raises ValueError for what the kind does not state.
        """
        quantity = quantity or self._only(self.states, "quantity")
        states = self.states.get(quantity)
        relation = relation or ("==" if states is None or "==" in states.relations else states.relations[0])
        if states is None or relation not in states.relations:
            raise ValueError(f"evidence of the kind '{self.name}' does not state {quantity} {relation}")
        source = self.source if source is None else source
        value = Fraction(value) if isinstance(value, int) else value
        evidence = Evidence(self.name, in_report(data or {}))
        return Claim(quantity, relation, value, states.grade, evidence, source, about or {})

    def counted(self, numbers: Mapping[str, int], data: Mapping[str, Any]) -> list[Claim]:
        """The counts of one run: the first carries the evidence, the others refer to it (``counts``)."""
        first = next(iter(numbers))
        return [self.claim(x, data if name == first else {"with": first}, quantity=name) for name, x in numbers.items()]

    @property
    def source(self) -> str:
        """What is cited; raises ValueError where the kind has more than one source."""
        return self._only(self.sources, "source") if self.sources else ""

    def _only(self, some: Collection[str], what: str) -> str:
        if len(some) != 1:
            raise ValueError(f"evidence of the kind '{self.name}' has more than one {what}")
        return next(iter(some))


@dataclass(frozen=True)
class SubjectKind:
    """One kind of subject: a constant of the module that verifies its reports, found by ``verification.report``.

    ``verify``: checks all claims of a report; ``shape``: its keys, without ``kind``; ``qualifier``: what every claim is
    qualified by besides what its evidence asks for; ``extra``: a qualifier that a claim may have besides, and its only
    value; ``one_routing``: another routing can be named in place of its own.
    """

    name: str
    verify: Callable[[Report], None]
    shape: Shape
    qualifier: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    one_routing: bool = False

    def asked(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """The qualifiers of a claim that its evidence asks for."""
        return {k: x for k, x in about.items() if k != self.qualifier and not (k in self.extra and x == self.extra[k])}


def in_report(data: Any) -> Any:
    """Evidence as reports have it, JSON-able: fractions as text, arrays of integers packed."""
    if data is None or isinstance(data, str | int):
        return data
    if isinstance(data, np.ndarray):  # the most frequent kinds first; Fraction and Mapping take longer to tell
        return pack_ints(data)
    if isinstance(data, list | tuple):
        return [in_report(x) for x in data]
    if isinstance(data, dict | Mapping):
        return {key: in_report(x) for key, x in data.items()}
    return fraction_to_text(data) if isinstance(data, Fraction) else data


# Qualifiers that claims of several kinds have.
OF_SET = Keys({"demands": TEXT}, {"job": TEXT})
OF_JOBS = Keys({"demands": TEXT}, {"job": TEXT, "across": TEXT})
"""Of one job alone; and on the channels that a job uses, alone."""
OF_ADAPTIVE = Keys({"demands": TEXT}, {"paths": TEXT})
PLACES: Mapping[str, Shape] = {"level": WHOLE, "block": WHOLE, "direction": Word("up", "down")}
"""Where a splitter is in a wiring."""

NETWORK: Mapping[str, Shape] = {"network": ANY}
VERIFIED: Mapping[str, Shape] = {"verified": TEXT}
NAMED: Mapping[str, Shape] = {"topology": TEXT, **VERIFIED}
RUNS: Mapping[str, Shape] = {
    "algorithm": TEXT, "distance": WHOLE, "epsilon": TEXT, "load": WHOLE, "rho": TEXT, "threshold": OrNull(WHOLE),
    "permutation": ListOf(TEXT), "faults": TEXT, **VERIFIED,
}  # fmt: skip
"""Keys that several kinds of subjects have."""


def counts(names: Sequence[str], first: Keys) -> dict[str, States]:
    """The counts of a run: the first one holds the evidence, the others refer to it."""
    other = Keys({"with": Word(names[0])})
    return {name: States(EXACT, Grade.EXHAUSTED, evidence=first if name == names[0] else other) for name in names}


def answers(quantity: str, *words: str, grade: Grade = Grade.PROVED, about: Keys | None = None) -> dict[str, States]:
    """A question, whose answer is "true" or "false"; ``words``: the answers that the evidence can show (both)."""
    return {quantity: States(EXACT, grade, about or Keys(), words=words or YES_OR_NO)}
