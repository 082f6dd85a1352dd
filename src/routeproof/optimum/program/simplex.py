"""The simplex method on a program of flows: exact where its vertices can be solved exactly, else an interval."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from ...demand_sets.demand_set import DemandSet
from ...lp.exact import ExactPoint, NotExactError, Program, exact_dual, exact_primal, solve
from ...lp.solver import Proposal, SolverError
from ...machine.deadlines import Deadline
from ...routing.base.routing import Routing
from ...worst.over import worst_over
from ..adversary import Adversary, adversary_from_exact, adversary_from_floats
from ..design import Bound, Method, NothingReachedError
from .flow_program import FlowProgram

_LEAST_TIME = 1.0  # seconds that the simplex method always gets: stopped at once it says nothing
ROOM = Fraction(1, 10**7)  # how much worse the load may be where it is not known exactly


class Answer(NamedTuple):
    """What the solver proposes for one program, with the exact points where they could be made."""

    proposal: Proposal
    primal: ExactPoint | None
    dual: ExactPoint | None


class Simplex(Method):
    """- ``name``: of the routings; ``per_hop``: what the multiplier of the bound on path lengths is worth for each hop;
    - ``found``: the answers of the stages so far; ``own``: what a hop costs in the last one;
    - ``most_columns``: up to which size of a program a vertex is asked for.
    """

    own = 0
    most_columns = 40_000

    def __init__(
        self, model: FlowProgram, demands: DemandSet | None, name: str, most_length: Fraction | None, deadline: Deadline
    ) -> None:
        super().__init__(model.reduction.network, demands)
        self.reduction = model.reduction
        self.model, self.name, self.most_length, self.deadline = model, name, most_length, deadline
        self.program, self.per_hop = model.within(most_length)
        self.found = list[Answer]()

    def solve(self, show: object) -> None:  # noqa: ARG002  # HiGHS is silent
        first = self.solved(self.program)
        if first is None:
            raise NothingReachedError("the time limit was reached before any routing was found")
        self.found.append(first)

    def shorten(self, least: Fraction, show: object) -> bool:  # noqa: ARG002
        primal = self.found[-1].primal
        exact = primal is not None and primal.fraction(0) == least
        if not exact:  # somewhat above what a routing is known to reach
            reached = worst_over(self.routings()[0], self.demands).load
            least = (reached * (1 + ROOM)).limit_denominator(10**12)
        second = self.solved(self.program.asking(self.model.hops, {0: least}))
        if exact and second is not None and second.primal is None:  # at the optimum itself floats cannot be repaired
            least *= 1 + ROOM
            second = self.solved(self.program.asking(self.model.hops, {0: least}))
        if second is None:
            return False
        self.found.append(second)
        self.own, self.most_load = 1, Fraction(0) if second.primal is not None else least
        return True

    def bound(self) -> Bound:
        found = self._adversary()
        if not self.own and not self.complete and self.most_length is None and not found.least_load():
            raise NothingReachedError("the time limit was reached before anything was proved")
        return found

    def routings(self) -> list[Routing]:
        """Where a second stage was cut short, its answer may be worse than that of the first one."""
        return [self._routing(x) for x in reversed(self.found if not self.complete else self.found[-1:])]

    def _routing(self, answer: Answer) -> Routing:
        if answer.primal is not None:
            return self.model.routing(answer.primal, self.name)
        return self.model.routing_from_floats(answer.proposal.x, self.name)

    def solved(self, program: Program) -> Answer | None:
        """None where the time was over before the solver had a solution of any kind."""
        try:
            left = self.deadline.left(_LEAST_TIME)
            proposal = solve(program, vertex=program.num_columns <= self.most_columns, seconds=left)
        except SolverError:
            if self.deadline.over:
                self.complete = False
                return None
            raise
        if proposal.infeasible:
            raise SolverError("the solver calls the program infeasible, which it is not: nothing can be concluded")
        primal = dual = None
        with suppress(NotExactError):
            primal = exact_primal(program, proposal)
            dual = exact_dual(program, proposal)
        self.complete = not self.deadline.over
        return Answer(proposal, primal, dual)

    def _adversary(self) -> Adversary:
        """A hop costs ``own``, and what its bound is worth."""
        proposal, _, dual = self.found[-1]
        own, y = self.own, proposal.y
        if dual is not None:
            more = self.per_hop * dual.fraction(-1)
            if not (own and more):
                with suppress(NotExactError):
                    return adversary_from_exact(self.model, dual, hops=own + more)
        about = 0.0 if own or not self.per_hop else float(self.per_hop) * max(0.0, float(y[-1]))
        return adversary_from_floats(self.model, y, hops=own + about)
