"""Programs that are known in part: columns or rows come in while an oracle finds some that are violated.

The oracle is asked at points between the solver's and the best that is known to keep to everything: the solver's own
vertex, far outside at first, asks for much that is of no use.

Source: column generation, Ford & Fulkerson 1958, Dantzig & Wolfe 1960; separation between two points (in-out
stabilisation), Ben-Ameur & Neto 2007 (Networks 49).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from ..core.arrays import Float64


class Generation(ABC):
    """``own``: the solver's point; ``best``: the best one so far that keeps to all columns and rows there could be.

    - ``shares``: the parts of ``best`` in the points that the oracle is asked at, one after another until it finds
      something;
    - ``rounds``: how often the program was solved.
    """

    shares: Sequence[float] = (0.0,)
    own: Float64
    best: Float64
    rounds = 0

    @abstractmethod
    def solve(self) -> bool:
        """Solve the program as far as it is known; False where the time is over."""

    @abstractmethod
    def separate(self, share: float) -> int:
        """Let come in what the point ``between`` violates; how much that is."""

    def is_near(self) -> bool:
        """Are the solver's point and the best one as near to each other as was asked for?"""
        return False

    def between(self, share: float) -> Float64:
        return share * self.best + (1 - share) * self.own

    def separated(self, shares: Sequence[float] | None = None) -> bool:
        """Did anything come in?"""
        return any(self.separate(share) > 0 for share in (self.shares if shares is None else shares))

    def generate(self, *, most: int | None = None, tell: Callable[[int], None] | None = None) -> bool:
        """Solve and ask in turn; False where the time was over before nothing was violated, or after ``most`` rounds.

        ``tell``: called with the number of rounds."""
        first = self.rounds
        while (most is None or self.rounds < first + most) and self.solve():
            self.rounds += 1
            complete = not self.separated() or self.is_near()
            if tell is not None:
                tell(self.rounds)
            if complete:
                return True
        return False
