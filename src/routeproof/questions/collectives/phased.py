"""How long a collective takes by one of the usual algorithms on a given routing, and the verb ``collective``, which
asks for this or for the best of all schedules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError, check_choice
from ...machine.deadlines import certified_before_interrupt
from ..answer import ALONE, RoutingAnswer, Setting, Shown, timed
from ..given import Given
from ..question import Option, Question, flag, option, question, spelled
from ..shared import ROUTING, TOPOLOGY
from .best import OPERATIONS, RANKS, ROOT, Collective
from .host_cables import HOST_CABLES, Cables, cables_subject, counted, counted_cables, network_with, ranks_on
from .jobs import JOBS_OPTION, USUAL_OPERATION, CollectiveJobs, check_timed, own_phases_of
from .latency import ALPHA, checked_latency

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.network import Network
    from ...core.schedules.own_phases import OwnPhases
    from ...core.schedules.phases import Phase
    from ...routing.base.routing import Routing
    from ...worst.phase_loads import PhaseLoad
    from ...worst.rank_orders import FoundOrder


ORDER = Option(
    value="given|random:N|search",
    text="With --algorithm: the order of the ranks: as given, the best of N random ones and the given one, or one "
    "that is searched for (of up to 7 ranks the best of all).",
    names=("--order",),
    kind=str | None,
    python="The order of the ranks: 'given', 'random:N' (the best of N random ones and the given one) or 'search'.",
)


def random_orders(text: str | None) -> int:
    """How many random orders are tried; 0 for the other ways.  Raises InputError for what is no way."""
    from ...formats.text_files import brief

    if text in (None, "given", "search"):
        return 0
    kind, _, rest = str(text).partition(":")
    if kind != "random" or not (rest.isascii() and rest.isdigit() and 0 < int(rest) <= 1_000_000):
        raise InputError(f"--order is {brief(text)}; given, search, or random:N with N from 1 to 1000000 was expected")
    return int(rest)


_MAY = "other orders may be better"
_SETTLED = 64  # ranks, up to which the best rate is found unasked
_ALGORITHM = Option(
    value="NAME|FILE",
    text="Judge this algorithm, phase by phase, on --routing: ring, recursive-doubling, recursive-halving, bruck, "
    "linear-shift, pairwise or tree; or the phases of a document, your own.",
    kind=str | None,
    python="By which algorithm: a name, or the file of a document of phases.",
)


_SEED = Option(
    value="S",
    text="The seed of --order (0).",
    kind=int | None,
    python="Of random orders, and of the search.",
)
_NOT_OF_JOBS = ("ranks", "root", "order", "seed", "optimum", "multicast", "bound", "trees", "pieces", "output")
_OPTIMUM = "With --algorithm: also find the best rate for more than 64 ranks, however long it takes."


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CollectiveTimeAnswer(RoutingAnswer):
    """``ranks``: the terminals in the order that was judged; ``loads``: of every phase, those in a row with the same
    messages once; ``placed``: the network with a node for every terminal, where their own cables count."""

    shown = Shown("terminal.collective:collective_time_parts")

    operation: str
    algorithm: str
    ranks: Sequence[int]
    loads: Sequence[PhaseLoad]
    placed: Network
    cables: Cables = None


@question
class CollectiveTime(Question[CollectiveTimeAnswer]):
    """How long a collective takes on a routing by one of the usual algorithms: every phase's load, exactly.

        >>> import routeproof as rp
        >>> found = rp.collective_time(rp.DOR().on(rp.torus(4, 4)), algorithm="ring", operation="all-gather")
        >>> found.value("collective_time"), found.value("times_optimal")
        (Fraction(15, 1), Fraction(4, 1))

    Source: Thakur, Rabenseifner & Gropp 2005.  Raises InputError for what an algorithm does not do, for ranks as
    ``collective``, and for sampled routings.
    """

    function = "collective_time"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    algorithm: str = spelled(_ALGORITHM)
    operation: str | None = spelled(USUAL_OPERATION, default=None)
    ranks: Sequence[int] | None = spelled(
        replace(RANKS, python="The terminals that take part, in order: each is next to the one before; None for all."),
        default=None,
    )
    root: int | None = spelled(ROOT, default=None)
    host_cables: Fraction | int | str | None = spelled(HOST_CABLES, default=None)
    alpha: Fraction | int = spelled(ALPHA, default=0)
    order: str | None = spelled(ORDER, default=None)
    seed: int | None = spelled(_SEED, default=None)
    optimum: bool = flag(_OPTIMUM, "--optimum", default=False, python="Find the best rate for over 64 ranks, too.")

    @property
    def title(self) -> str:
        return f"{self.algorithm} on {super().title}"

    @timed
    def answer(self, setting: Setting = ALONE) -> CollectiveTimeAnswer:
        from ...claims.collectives.phases import rooted
        from ...worst.phase_loads import phase_loads, total_time

        cables = counted_cables(self.routing.network, self.host_cables)
        placed = network_with(self.routing.network, cables)
        own = own_phases_of(self.algorithm)
        operation, alpha, ranks = self._checked(placed, cables, own)
        rounds = sum(1 for _ in self._phases(own, operation, len(ranks)))
        root = (ranks[0] if self.root is None else self.root) if operation == "broadcast" else None
        rates = self._rates(operation, ranks, root, setting)
        orders, count, notes = chain([ranks], self._random_orders(ranks)), 1 + random_orders(self.order), []
        found = None
        if self.order == "search":
            phases = self._phases(own, operation, len(ranks))
            found = self._searched(phases, rooted(ranks, root), rates, setting, rooted=root is not None)
            orders = chain([found.ranks])
            if not found.all:
                tried = f"{found.tried:,} {'order' if found.tried == 1 else 'orders'}"
                ends = "every order takes as long or longer" if found.best else _MAY
                cut = "; interrupted" if found.interrupted else ""
                notes.append(f"the best of {tried}, by search (seed {self.seed or 0}): {ends}{cut}")
        total, judged = count * rounds, 0
        best: tuple[Fraction, list[int], list[PhaseLoad]] | None = None
        with setting.stage("phases") as progress:
            try:
                for order in orders:
                    done = judged * rounds
                    told = None if progress is None else lambda x, _, p=progress, done=done: p(done + x, total)
                    phases = self._phases(own, operation, len(ranks))
                    loads = phase_loads(self.routing, phases, rooted(order, root), cables=cables, progress=told)
                    time = total_time(loads, alpha)
                    if best is None or time < best[0]:
                        best = time, order, loads
                    judged += 1
            except KeyboardInterrupt:
                if best is None:
                    raise
                certified_before_interrupt()
                judged = max(judged, 1)
        if count > 1:
            cut = f"; interrupted before the other {count - judged:,}" if judged < count else ""
            notes.append(
                f"the best of {judged - 1:,} random orders (seed {self.seed or 0}) and the given one: {_MAY}{cut}"
            )
        assert best is not None
        _, order, loads = best
        claims = self._claims(operation, root, alpha, loads, rates, counted(cables))
        if found is not None or random_orders(self.order):
            claims = self._over_orders(claims, found, total_time(loads, alpha) - total_time(loads, Fraction(0)))
        given = {} if self.ranks is None and self.order in (None, "given") else {"ranks": list(order)}
        given = {**given, **cables_subject(cables), **self._subject(own)}
        return CollectiveTimeAnswer(
            routing=self.routing, topology=setting.topology, stated=claims, notes=notes,
            more={"kind": "collective", **given}, operation=operation, algorithm=self.algorithm, ranks=order,
            loads=loads, placed=placed, cables=cables,
        )  # fmt: skip

    def _phases(self, own: OwnPhases | None, operation: str, num_ranks: int) -> Iterator[Phase]:
        from ...core.schedules.phases import phases_of

        return phases_of(self.algorithm, operation, num_ranks) if own is None else own.loads()

    def _searched(
        self, phases: Iterator[Phase], ranks: Sequence[int], rates: Sequence[Claim], setting: Setting, *, rooted: bool
    ) -> FoundOrder:
        """The order of ``ranks`` with the least time that is found; ``rooted``: the first one stays the first."""
        import numpy as np

        from ...worst.rank_orders import best_order, order_times

        times = order_times(self.routing, phases, ranks, counted_cables(self.routing.network, self.host_cables))
        if times is None:
            raise InputError(
                f"--order search: {len(ranks)} ranks on {self.routing.network.num_channels:,} channels are too many to "
                f"tabulate; --order random:N tries as many as one likes"
            )
        above = [x.number for x in rates if x.relation in ("==", "<=") and x.number]
        with setting.stage("orders of the ranks") as progress:
            rng, least = np.random.default_rng(self.seed or 0), 1 / min(above) if above else Fraction(0)
            return best_order(times, ranks, fixed=int(rooted), rng=rng, least=least, progress=progress)

    def _over_orders(self, claims: Sequence[Claim], found: FoundOrder | None, latency: Fraction) -> list[Claim]:
        """The claims, and what is known of all orders: the least time of them, or what none of them passes.

        ``latency``: of all phases together, which no order changes.
        """
        from ...claims.collectives.orders import ALL_ORDERS, EVERY_ORDER

        time = next(x for x in claims if x.quantity == "collective_time")
        about = {**time.about, "orders": "all"}
        if found is not None and found.all:
            return [*claims[:1], ALL_ORDERS.claim(time.number, {"tried": found.tried}, about), *claims[1:]]
        rates = [
            x.number for x in claims
            if x.quantity == "collective_throughput" and x.about["operation"] == time.about["operation"]
            and x.relation != ">=" and x.number
        ]  # fmt: skip
        if not rates:
            return [*claims]
        least = 1 / min(rates) + latency
        return [*claims[:1], EVERY_ORDER.claim(least, {"from": "collective_throughput"}, about), *claims[1:]]

    def _subject(self, own: OwnPhases | None) -> dict[str, Any]:
        from ...formats.schedules.phases_document import phases_to_document

        return {} if own is None else {"phases": phases_to_document(own)}

    def _checked(self, placed: Network, cables: Cables, own: OwnPhases | None) -> tuple[str, Fraction, list[int]]:
        """The operation, the latency, and the ranks in the given order."""
        from ...core.schedules.phases import ALGORITHMS

        known = ALGORITHMS[self.algorithm] if own is None else [own.operation]
        operation = self.operation or next(iter(known))
        check_choice("the operation", operation, OPERATIONS)
        alpha = checked_latency(self.alpha)
        if self.root is not None and operation != "broadcast":
            raise InputError(f"--root is for a broadcast; {operation} has none")
        if self.seed is not None and not random_orders(self.order) and self.order != "search":
            raise InputError("--seed goes with --order random:N or search; without it nothing is random")
        check_timed(self.routing)
        ranks = ranks_on(placed, self.ranks, cables)
        if own is not None and operation != own.operation:
            raise InputError(f"--operation is {operation}, and the phases of {self.algorithm} are {own.operation}")
        if own is not None and own.num_ranks != len(ranks):
            raise InputError(f"{self.algorithm} is for {own.num_ranks} ranks, and {len(ranks)} take part")
        if self.root is not None and self.root not in ranks:
            raise InputError(f"the root of a broadcast is terminal {self.root}; one of the ranks was expected")
        return operation, alpha, ranks

    def _random_orders(self, ranks: Sequence[int]) -> Iterator[list[int]]:
        import numpy as np

        rng = np.random.default_rng(self.seed or 0)
        for _ in range(random_orders(self.order)):
            yield [ranks[k] for k in rng.permutation(len(ranks)).tolist()]

    def _claims(
        self,
        operation: str,
        root: int | None,
        alpha: Fraction,
        loads: Sequence[PhaseLoad],
        rates: Sequence[Claim],
        more: Mapping[str, Any],
    ) -> list[Claim]:
        import numpy as np

        from ...claims.collectives.phases import PHASES, TIMES_OPTIMAL, WORST_PHASE
        from ...core.schedules.own_phases import OWN
        from ...core.schedules.phases import ALGORITHMS
        from ...formats.documents.json_text import fraction_to_text
        from ...worst.phase_loads import total_time

        named = self.algorithm if self.algorithm in ALGORITHMS else OWN
        where = {"operation": operation, "algorithm": named, **({} if root is None else {"root": root}), **more}
        with_latency = {**where, **({"alpha": fraction_to_text(alpha)} if alpha else {})}
        time, worst = total_time(loads, alpha), max(range(len(loads)), key=lambda k: loads[k].load)
        data = {"channel": np.array([x.channel for x in loads]), "load": [x.load for x in loads]}
        own = [
            PHASES.claim(time, data, with_latency),
            WORST_PHASE.claim(loads[worst].load, {"phase": worst, "channel": loads[worst].channel}, where),
        ]
        of_operation = [x for x in rates if x.about["operation"] == operation]
        product = {"from": ["collective_time", "collective_throughput"]}
        own += [TIMES_OPTIMAL.claim(time * x.number, product, with_latency, relation=x.relation) for x in of_operation]
        return [*own, *rates]

    def _rates(self, operation: str, ranks: Sequence[int], root: int | None, setting: Setting) -> list[Claim]:
        """What is known of the best rate; nothing where it would take long and is not asked for."""
        if len(ranks) > _SETTLED and not self.optimum:
            return []
        best = Collective(
            self.routing.network, operation=operation, ranks=self.ranks, root=root, host_cables=self.host_cables
        )
        return [x for x in best.answer(setting).stated if x.quantity == "collective_throughput"]


@question
class CollectiveVerb(Collective):
    """How fast a collective can be: the exact rate that no schedule passes, with trees that reach it. With --routing
    and --algorithm: how long that algorithm takes, phase by phase, and how many times the optimum that is.

    Every terminal is a rank, or those of --ranks are; nodes without ranks are switches, which pass units on and copy
    none. From above, a set of nodes which all that its ranks emit must leave; from below, trees that fit together into
    every channel. An all-reduce is a reduce-scatter and then an all-gather: where that is not proved to be the best
    way, both ends are stated.

    For example: routeproof collective torus:4x4 --operation all-gather
    or: routeproof collective fat-tree:4 --routing dmodk --algorithm linear-shift
    or: routeproof collective fat-tree:4 --routing dmodk --jobs jobs.txt --algorithm ring,serve=linear-shift
    """

    verb, place = "collective", 95
    panel = "Best possible"

    operation: str | None = option(
        None,
        "Which collective; with --algorithm by default the one that it is best known for.",
        default=None,
        choices=OPERATIONS,
        kind=str | None,
    )  # type: ignore[assignment]
    routing: Any = spelled(replace(ROUTING, read=None), default=None, init=False)
    algorithm: str | None = spelled(_ALGORITHM, default=None, init=False)
    alpha: str | None = spelled(ALPHA, default=None, init=False)
    order: str | None = spelled(ORDER, default=None, init=False)
    seed: int | None = spelled(_SEED, default=None, init=False)
    optimum: bool = flag(_OPTIMUM, "--optimum", default=False, init=False)
    jobs: str | None = spelled(JOBS_OPTION, default=None, init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        if given["jobs"] is not None:
            if given["algorithm"] is None:
                raise InputError("--jobs goes with --algorithm, such as ring, or ring,JOB=tree for a job of its own")
            for name in _NOT_OF_JOBS:
                if given[name]:
                    raise InputError(f"--{name} does not go with --jobs, whose file says who is next to whom")
            return CollectiveJobs(**CollectiveJobs.fields_given(given))
        if given["algorithm"] is None:
            for name in ("routing", "alpha", "order", "seed", "optimum"):
                if given[name]:
                    raise InputError(f"--{name} goes with --algorithm; the best of all schedules has no routing")
            if given["operation"] is None:
                raise InputError(f"--operation is needed: one of {', '.join(OPERATIONS)}; or an --algorithm")
            return Collective(**Collective.fields_given(given))
        for name in ("multicast", "bound", "trees", "pieces", "output"):
            if given[name]:
                raise InputError(f"--{name} is for the best of all schedules; an --algorithm has its own messages")
        return CollectiveTime(**CollectiveTime.fields_given(given))
