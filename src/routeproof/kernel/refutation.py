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


def with_hints(
    num_variables: int, clauses: Iterable[Clause], lemmas: Iterable[Clause]
) -> list[tuple[list[int], list[int]]]:
    """The lemmas that a refutation needs, each with the numbers of the clauses, from 0, and after them of lemmas, from
    which it follows: given its opposite, each in turn has one literal left that does not fail, and the last has none.

    Source: Cruz-Filipe et al. 2017 (CADE), LRAT.  Raises VerificationError where a lemma does not follow.
    """
    state, found = _Propagation(num_variables), list[tuple[list[int], list[list[int]]]]()
    for clause in clauses:
        if not state.add(clause):
            break
    count, rest = len(state.kept), iter(lemmas)
    while not state.failed:
        lemma, why = list(next(rest, ())), list[list[int]]()
        if not state.follows(lemma, why):
            raise VerificationError(f"lemma {len(found) + 1} does not follow from the clauses before it")
        found.append((lemma, why))
        state.add(lemma)
    found.append(([], state.because_of(state.failed)))
    number = {id(x): k for k, x in enumerate(state.kept)}
    numbered = [(lemma, [number[id(x)] for x in why]) for lemma, why in found]
    needed = {len(found) - 1}
    for k in reversed(range(len(found))):
        if k in needed:
            needed.update(x - count for x in numbered[k][1] if x >= count)
    place = {count + k: count + at for at, k in enumerate(sorted(needed))}
    return [(numbered[k][0], [place.get(x, x) for x in numbered[k][1]]) for k in sorted(needed)]


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
    """Clauses with two watched literals each; ``value[x]`` is True where literal x holds, False where it fails.

    ``kept``: all clauses; ``reason``: what made each literal of the trail hold, None for those that are assumed;
    ``failed``: the clause that has contradicted, once ``add`` is False.
    """

    def __init__(self, num_variables: int) -> None:
        self.value: dict[int, bool] = {}
        self.trail: list[int] = []
        self.reason: list[list[int] | None] = []
        self.kept: list[list[int]] = []
        self.failed: list[int] = []
        self.watched: dict[int, list[list[int]]] = {x: [] for v in range(1, num_variables + 1) for x in (v, -v)}

    def add(self, clause: Clause) -> bool:
        """Add a clause for good; False if a contradiction is reached."""
        literals = list(dict.fromkeys(clause))
        self.kept.append(literals)
        if any(-x in literals for x in literals):
            return True
        # Literals that do not fail come first, so that they are watched.
        literals.sort(key=lambda x: self.value.get(x) is False)
        alive = [x for x in literals if self.value.get(x) is not False]
        if not alive:
            self.failed = literals
            return False
        if len(literals) > 1:
            self.watched[literals[0]].append(literals)
            self.watched[literals[1]].append(literals)
        if len(alive) == 1 and self.value.get(alive[0]) is None:
            self.failed = self._propagate([alive[0]], literals) or []
            return not self.failed
        return True

    def because_of(self, failed: list[int], but: int = 0) -> list[list[int]]:
        """The clauses from which it follows that all literals of ``failed`` (``but`` one) fail; then itself."""
        needed, found = {abs(x) for x in failed} - {abs(but)}, [failed]
        for x, clause in zip(reversed(self.trail), reversed(self.reason), strict=True):
            if abs(x) in needed and clause is not None:
                found.append(clause)
                needed.update(map(abs, clause))
        return found[::-1]

    def follows(self, lemma: Clause, why: list[list[int]] | None = None) -> bool:
        """Do the opposites of all its literals lead to a contradiction?  Nothing is kept; ``why`` gets the clauses."""
        start = len(self.trail)
        wanted = []
        for x in lemma:
            if self.value.get(x):
                if why is not None:
                    why += self.because_of(self.reason[self.trail.index(x)] or [], but=x)
                return True
            if self.value.get(x) is None:
                wanted.append(-x)
        failed = self._propagate(list(dict.fromkeys(wanted)))
        if failed and why is not None:
            why += self.because_of(failed)
        for x in self.trail[start:]:
            del self.value[x], self.value[-x]
        del self.trail[start:], self.reason[start:]
        return failed is not None

    def _propagate(self, wanted: list[int], because: list[int] | None = None) -> list[int] | None:
        """Make literals true and all that follows; the clause that fails at a contradiction, else None."""
        head = len(self.trail)
        value, reason = self.value, self.reason
        for x in wanted:
            if value.get(x) is False:
                return [x, -x]
            if value.get(x) is None:
                value[x], value[-x] = True, False
                self.trail.append(x)
                reason.append(because)
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
                        return clause
                    value[first], value[-first] = True, False
                    self.trail.append(first)
                    reason.append(clause)
            self.watched[failed] = keep
        return None
