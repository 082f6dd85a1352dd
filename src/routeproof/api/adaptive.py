"""``rp.adaptive``: how well ideal adaptive routing does in the worst case, and what being oblivious costs."""

from __future__ import annotations

from collections.abc import Sequence

from ..answers.adaptive import AdaptiveAnswer, answer_adaptive
from ..core.network import Network
from ..demand_sets.demand_set import DemandSet
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from ..routing.named.described import paths_of
from ..routing.named.spec import paths_from_spec
from .demands import Demands, bound_to
from .result import Result, check_network


class AdaptiveResult(Result[AdaptiveAnswer]):
    """``low`` and ``high``: the ends of the interval, in load per bandwidth; ``demand``: the one that proves the lower
    end, by pair of terminals; ``routing``: the oblivious routing that was compared with."""

    def __init__(self, answer: AdaptiveAnswer) -> None:
        super().__init__(answer, f"ideal adaptive routing on {answer.network.name}", answer.routing)
        self.low, self.high = answer.found.low, answer.found.high
        self.demand = dict(answer.found.hard.demand)

    @property
    def routing(self) -> Routing:
        return self.answer.routing

    @property
    def network(self) -> Network:
        return self.answer.network


def adaptive(
    network: Network,
    *,
    demands: Demands | DemandSet | str | Sequence[str] | None = None,
    paths: str | Routing | None = None,
    time_limit: float | None = None,
) -> AdaptiveResult:
    """The worst congestion of ideal adaptive routing over a set of demands (all permutations), as an interval.

    Every demand has the best flow of its own: rates may depend on the whole demand, and there are no queues.  So no
    adaptive routing has a lower worst-case load.

        >>> import routeproof as rp
        >>> found = rp.adaptive(rp.ring(5))
        >>> found.low, found.high
        (Fraction(6, 5), Fraction(6, 5))

    ``demands``: as for ``worst_case``; ``paths``: those that flows may use, as for ``design`` (None: all);
    ``time_limit``: seconds, then the interval reached so far is the answer.
    Raises InputError for families of sets (unbalanced, sparse:all), for bad sets, and for
    networks that are not connected.
    """
    check_network(network)
    given, allowed = bound_to(network, demands), None
    if paths is not None and paths != "all":
        allowed = paths_of(paths) if isinstance(paths, Routing) else paths_from_spec(paths, network)
    return AdaptiveResult(answer_adaptive(network, given, paths=allowed, time_limit=time_limit, setting=setting_here()))
