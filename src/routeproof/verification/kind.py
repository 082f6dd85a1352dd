"""What one kind of evidence can state, and who checks it: the type of every entry in ``kinds``.

An entry stands beside its checker, in the ``KINDS`` of its module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.claim import Claim, Grade
from .shapes import TEXT, WHOLE, Keys, Shape, Word

__all__ = [
    "BOUNDS",
    "EXACT",
    "LOAD",
    "RATE",
    "STOPPING",
    "YES_OR_NO",
    "Kind",
    "States",
    "answers",
    "counts",
    "plain",
]

EXACT, BOUNDS = ("==",), ("==", "<=", ">=")
YES_OR_NO = ("true", "false")
LOAD = "packets per cycle and unit of bandwidth"
RATE = "packets per cycle and terminal"
STOPPING: Mapping[str, Shape] = {"until_width": TEXT, "first_look": WHOLE, "most_trials": WHOLE}
"""Evidence of sampling that could stop early."""


@dataclass(frozen=True)
class States:
    """What may be stated of one quantity: how, in which unit, with which qualifiers.

    ``units``: by the claim's model where it matters, the empty text else.  ``evidence``: the keys of the evidence where
    they depend on the quantity.  ``words``: what the value may be, where it is no number.
    """

    relations: tuple[str, ...]
    grade: Grade
    units: Mapping[str, str]
    about: Keys = field(default_factory=Keys)
    evidence: Shape | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """One kind of evidence.

    - ``evidence``: its keys; ``states``: what it may state, by quantity; ``sources``: what may be cited for it;
    - ``check``: judges one claim; its arguments are those of its room.  None where the claims of a run are judged
      together, by the function of the subject (``subjects``);
    - ``rests``: it refers to other claims of the report, and is judged after them;
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


def plain(unit: str = "", **about: Any) -> dict[str, Any]:
    """Arguments of ``States``: one unit for all, and these qualifiers, all needed."""
    return {"units": {"": unit}, "about": Keys(about)}


def counts(units: Mapping[str, str], first: Keys, with_: str) -> dict[str, States]:
    """The counts of a run: the first one holds the evidence, the others refer to it."""
    other = Keys({"with": Word(with_)})
    return {
        name: States(EXACT, Grade.EXHAUSTED, **plain(unit), evidence=first if name == with_ else other)
        for name, unit in units.items()
    }


def answers(quantity: str, grade: Grade = Grade.PROVED, *, about: Keys | None = None) -> dict[str, States]:
    """A question, whose answer is "true" or "false"."""
    return {quantity: States(EXACT, grade, {"": ""}, about or Keys(), words=YES_OR_NO)}
