"""What one kind of evidence can state, what is cited for it, and who checks it: the type of every entry in ``kinds``.

An entry stands beside its checker, in the ``KINDS`` of its module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..core.claim import Claim, Grade
from .shapes import TEXT, WHOLE, Keys, Shape, Word

EXACT, BOUNDS = ("==",), ("==", "<=", ">=")
YES_OR_NO = ("true", "false")
STOPPING: Mapping[str, Shape] = {"until_width": TEXT, "first_look": WHOLE, "most_trials": WHOLE}
"""Evidence of sampling that could stop early."""

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
    """One kind of evidence.

    - ``evidence``: its keys; ``states``: what it may state, by quantity; ``sources``: what may be cited for it;
    - ``check``: checks one claim, whose form is checked already; its arguments are those of its room.  None where the
      claims of a run are checked together, by the function of the subject (``subjects``);
    - ``rests``: it refers to other claims of the report, and is checked after them;
    - ``meaning``: what a name in a claim stands for, as (what is named, name, meaning), or None; one report means one
      thing by one name.
    """

    evidence: Shape
    states: Mapping[str, States]
    sources: frozenset[str]
    check: Callable[..., None] | None = None
    rests: bool = False
    meaning: Callable[[Claim], tuple[str, str, object] | None] | None = None

    @property
    def sampled(self) -> bool:
        """Are its claims intervals, whose every trial is run again?"""
        return any(x.grade is Grade.SAMPLED for x in self.states.values())


def counts(names: Sequence[str], first: Keys) -> dict[str, States]:
    """The counts of a run: the first one holds the evidence, the others refer to it."""
    other = Keys({"with": Word(names[0])})
    return {name: States(EXACT, Grade.EXHAUSTED, evidence=first if name == names[0] else other) for name in names}


def answers(quantity: str, *words: str, grade: Grade = Grade.PROVED, about: Keys | None = None) -> dict[str, States]:
    """A question, whose answer is "true" or "false"; ``words``: the answers that the evidence can show (both)."""
    return {quantity: States(EXACT, grade, about or Keys(), words=words or YES_OR_NO)}
