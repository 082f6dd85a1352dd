"""What every designed routing is: the routing, what was asked for, and what is claimed of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.claim import Claim
from ...core.network import Network
from ...routing.base.routing import Routing
from ..answer import Answer
from ..subject import subject_of

__all__ = ["DesignAnswer", "DesignQuestion", "known_capacity"]


@dataclass(frozen=True, kw_only=True)
class DesignQuestion:
    """What every design by a linear program may be asked.

    - ``shortest``: among the best routings, one with the shortest average path;
    - ``path_length``: the average path is at most this multiple of the shortest possible average;
    - ``paths``: use the paths of this set only ("2turn"), None for all;
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``time_limit``: seconds of solving.
    """

    shortest: bool = False
    path_length: Fraction | None = None
    paths: str | None = None
    symmetry: str = "auto"
    time_limit: float | None = None

    def options(self) -> dict[str, Any]:
        """As keyword arguments of the functions in ``design``."""
        return {x.name: getattr(self, x.name) for x in dataclasses.fields(DesignQuestion)}

    def described(self, objective: str) -> dict[str, Any]:
        """For the subject of a report: the objective, and what else was asked for."""
        described: dict[str, Any] = {"objective": objective}
        if self.shortest:
            described["then"] = "path-length"
        if self.path_length is not None:
            described["path_length"] = str(self.path_length)
        if self.paths is not None:
            described["paths"] = self.paths
        return described


@dataclass(frozen=True, eq=False)
class DesignAnswer(Answer):
    """``routing``: what was designed; ``asked``: for what, as the report says it.

    ``topology``: what the user typed, for people; ``seconds``: how long it took.
    """

    routing: Routing
    topology: str
    asked: dict[str, Any]
    stated: Sequence[Claim]
    seconds: float

    @property
    def network(self) -> Network:
        return self.routing.network

    @property
    def subject(self) -> dict[str, Any]:
        return {**subject_of(self.routing, topology=self.topology), "kind": "design", "design": self.asked}

    def claims(self) -> Sequence[Claim]:
        return self.stated


def known_capacity(network: Network) -> Claim | None:
    """The capacity of the network as a claim, by a formula or by a program; None where neither settles it."""
    from ...analysis.capacity import capacity
    from ...design.capacity import capacity_if_possible

    return capacity(network) or capacity_if_possible(network)
