"""Checking refutations: every lemma must follow from the clauses before it by unit propagation, the last one is empty.

Source: Goldberg & Novikov 2003 (DATE), reverse unit propagation.  Clauses and lemmas are lists of literals: v or -v for
variables 1 .. num_variables.  No solver is used; nothing is searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from ..core.errors import VerificationError

Clause = Sequence[int]


class Refutation(NamedTuple):
    """What was checked; ``lemmas`` end with the empty one."""

    num_variables: int
    clauses: list[Clause]
    lemmas: list[Clause]


_kept: ContextVar[list[Refutation] | None] = ContextVar("refutations checked", default=None)


@contextmanager
def kept_refutations(wanted: bool = True) -> Iterator[list[Refutation]]:
    """The refutations that are checked inside, in order, where they are ``wanted``."""
    found: list[Refutation] = []
    token = _kept.set(found if wanted else None)
    try:
        yield found
    finally:
        _kept.reset(token)


def check_refutation(num_variables: int, clauses: Iterable[Clause], lemmas: Iterable[Clause]) -> int:
    """Raise VerificationError unless the lemmas refute the clauses; returns how many of them it took.

    A refutation may go on after the contradiction.  The error names the first lemma (from 1) that does not follow, or
    says that no contradiction is reached, as where the end of a proof is missing.
    """
    kept = _kept.get()
    if kept is None:
        return _checked(num_variables, clauses, lemmas)
    found = Refutation(num_variables, list(clauses), list(lemmas))
    count = _checked(*found)
    kept.append(found._replace(lemmas=[*found.lemmas[:count], ()]))
    return count


def _checked(num_variables: int, clauses: Iterable[Clause], lemmas: Iterable[Clause]) -> int:
    state = _Propagation(num_variables)
    for clause in clauses:
        if not state.add(clause):
            return 0
    count = 0
    for count, lemma in enumerate(lemmas, 1):
        for x in lemma:
            if x == 0 or abs(x) > num_variables:
                raise VerificationError(f"lemma {count} has the literal {x}; variables are 1 to {num_variables}")
        if not state.follows(lemma):
            raise VerificationError(f"lemma {count} does not follow from the clauses before it by unit propagation")
        if not state.add(lemma):
            return count
    raise VerificationError(f"after {count} lemmas no contradiction is reached: the refutation is cut off")


class _Propagation:
    """Clauses with two watched literals each; ``value[x]`` is True where literal x holds, False where it fails."""

    def __init__(self, num_variables: int) -> None:
        self.value: dict[int, bool] = {}
        self.trail: list[int] = []
        self.watched: dict[int, list[list[int]]] = {x: [] for v in range(1, num_variables + 1) for x in (v, -v)}

    def add(self, clause: Clause) -> bool:
        """Add a clause for good; False if a contradiction is reached."""
        literals = list(dict.fromkeys(clause))
        if any(-x in literals for x in literals):
            return True
        # Literals that do not fail come first, so that they are watched.
        literals.sort(key=lambda x: self.value.get(x) is False)
        alive = [x for x in literals if self.value.get(x) is not False]
        if not alive:
            return False
        if len(literals) > 1:
            self.watched[literals[0]].append(literals)
            self.watched[literals[1]].append(literals)
        if len(alive) == 1 and self.value.get(alive[0]) is None:
            return self._propagate([alive[0]])
        return True

    def follows(self, lemma: Clause) -> bool:
        """Do the opposites of all its literals lead to a contradiction?  Nothing is kept."""
        start = len(self.trail)
        wanted = []
        for x in lemma:
            if self.value.get(x):
                return True
            if self.value.get(x) is None:
                wanted.append(-x)
        sound = self._propagate(list(dict.fromkeys(wanted)))
        for x in self.trail[start:]:
            del self.value[x], self.value[-x]
        del self.trail[start:]
        return not sound

    def _propagate(self, wanted: list[int]) -> bool:
        """Make literals true and all that follows; False at a contradiction."""
        head = len(self.trail)
        value = self.value
        for x in wanted:
            if value.get(x) is False:
                return False
            if value.get(x) is None:
                value[x], value[-x] = True, False
                self.trail.append(x)
        while head < len(self.trail):
            failed = -self.trail[head]
            head += 1
            keep: list[list[int]] = []
            watchers = self.watched[failed]
            for place, clause in enumerate(watchers):
                if clause[0] == failed:
                    clause[0], clause[1] = clause[1], clause[0]
                first = clause[0]
                if value.get(first):
                    keep.append(clause)
                    continue
                for k in range(2, len(clause)):
                    if value.get(clause[k]) is not False:
                        clause[1], clause[k] = clause[k], clause[1]
                        self.watched[clause[1]].append(clause)
                        break
                else:
                    keep.append(clause)
                    if value.get(first) is False:
                        keep.extend(watchers[place + 1 :])
                        self.watched[failed] = keep
                        return False
                    value[first], value[-first] = True, False
                    self.trail.append(first)
            self.watched[failed] = keep
        return True
