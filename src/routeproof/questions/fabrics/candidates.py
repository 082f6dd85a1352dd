"""Topologies at a builder's size, side by side: what each takes to build, what it guarantees under its usual routing,
what no routing on it could pass, and what the worst failure of one cable leaves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.display import short
from ...core.errors import InputError
from ..answer import ALONE, PlainAnswer, Setting, Shown, exact_value, network_subject, timed
from ..given import Given
from ..question import Option, Question, option, question, spelled
from ..shared import seconds
from .candidate import Candidate, best_bound, check_time, judge_cables, judge_whole

if TYPE_CHECKING:
    from ...core.network import Network
    from ...machine.deadlines import Deadline

_OF_ONE_NETWORK = (
    "demands", "traffic", "traffics", "traffic_model", "samples", "seed", "service_levels", "sl2vl",
    "csv", "latex", "markdown", "plot", "virtual_channels", "shifts", "opensm", "best", "deadlock", "without",
)  # fmt: skip
"""Options of the command that candidates do not take."""
_SECONDS = 60.0  # in all
_OF_ONE, _OF_BOUND = 0.25, 0.1  # of this, at most, for one worst case, and for one bound
_FOR_FAILURES = 0.4  # of this, at least
_TO_BUILD = 1.0  # seconds more, in all, in which networks and routings that nothing is judged of are made
HOSTS = Option(text="", command=False, python="At least so many.")
RADIX = Option(value="K", text="Without TOPOLOGY: ports of a switch; compare what fits.", kind=int | None)
RAILS = Option(value="R", text="With --radix: of servers with so many GPUs, a rail each.", kind=int | None)
PLANES = Option(value="P", text="With --rails: planes that do not meet (1).", kind=int | None)
PRICES = Option(
    value="PRICES",
    text="With --radix: switch=PRICE,cable=PRICE, or a file with these lines; a column for the cost per host.",
    kind=str | None,
    python="What a ``switch`` and a ``cable`` cost.",
)


def read_prices(text: str) -> dict[str, Fraction]:
    """``switch=12000,cable=300``, or a file with these, one a line; raises InputError for anything else."""
    from ...core.rational import parse_fraction

    what, lines = "--prices", text.split(",")
    if os.path.isfile(text):
        with open(text, encoding="utf-8", errors="replace") as file:
            what, lines = f"file {text}", [x.partition("#")[0] for x in file.read(10_000).splitlines()]
    found: dict[str, Fraction] = {}
    for line in filter(None, (x.strip() for x in lines)):
        key, _, value = (x.strip() for x in line.partition("="))
        if key not in ("switch", "cable") or key in found:
            raise InputError(f"{what}: '{short(line)}'; switch=PRICE and cable=PRICE, once each, were expected")
        found[key] = parse_fraction(value, what=f"{what}: the price of a {key}")
        if found[key] < 0:
            raise InputError(f"{what}: the price of a {key} is {found[key]}; 0 or more was expected")
    if len(found) != 2:
        raise InputError(f"{what} says {' and '.join(found) or 'no price'}; switch=PRICE and cable=PRICE were expected")
    return found


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CandidatesAnswer(PlainAnswer):
    """``rows``: the highest guarantee first; ``priced``: is there a cost?"""

    shown = Shown(
        "terminal.candidates:candidates_parts", page="terminal.candidates:candidates_page",
        figure="figures.candidates:candidates_figure", on_page=True,
    )  # fmt: skip

    rows: Sequence[Candidate]
    hosts: int
    radix: int
    priced: bool


@question
class Candidates(Question[CandidatesAnswer]):
    """Topologies for so many hosts, of switches with so many ports: switches, cables, cost per host, the worst case of
    the usual routing, a bound of all routings, and what the worst failure of a single cable leaves.

    One of each kind that fits, as small as it can be: fat trees of two and three levels, tapered and not, dragonflies,
    Dragonfly+, HyperX, Slim Fly, Jellyfish; clusters with rails.  Interrupted, it answers with the candidates that were
    judged.  Raises InputError for numbers that no kind fits.
    """

    function = "candidates"

    hosts: int = spelled(HOSTS)
    radix: int = spelled(replace(RADIX, python="Ports of a switch."))
    _: KW_ONLY
    rails: int | None = spelled(replace(RAILS, python="Of servers with so many GPUs, a rail each."), default=None)
    planes: int = spelled(replace(PLANES, python="Of clusters with rails: planes that do not meet."), default=1)
    prices: Mapping[str, Fraction] | None = spelled(PRICES, default=None)
    time_limit: float = option("SECONDS", "In all; what it cuts short is said.", default=_SECONDS)

    @property
    def title(self) -> str:
        return f"{self.hosts} hosts on switches of {self.radix} ports"

    @classmethod
    def asked_by(cls, given: Given) -> Candidates:
        """What ``compare`` asks without a topology."""
        if given["hosts"] is None or given["radix"] is None:
            raise InputError(
                "no topology is given; one was expected, or --hosts and --radix of what is to be built (for example: "
                "routeproof compare torus:8x8, or routeproof compare --hosts 1024 --radix 64)"
            )
        if given["routings"]:
            raise InputError("routings are given without a topology; --hosts and --radix choose both")
        refused = [x for x in _OF_ONE_NETWORK if given[x]]
        refused += [f"no_{x}" for x in ("best", "deadlock") if given[x] is False]
        if refused:
            option = f"--{refused[0].replace('_', '-')}"
            raise InputError(f"{option} is for routings on one network, and --radix compares networks")
        if not str(given["hosts"]).isdecimal() or len(str(given["hosts"])) > 9:
            raise InputError(
                f"--hosts is '{str(given['hosts'])[:40]}'; a number of hosts below 10^9 was expected with --radix"
            )
        prices = None if given["prices"] is None else read_prices(given["prices"])
        return cls(
            int(given["hosts"]),
            given["radix"],
            rails=given["rails"],
            planes=1 if given["planes"] is None else given["planes"],
            prices=prices,
            time_limit=seconds(given, given["time_limit"]) or _SECONDS,
        )

    @timed
    def answer(self, setting: Setting = ALONE) -> CandidatesAnswer:
        from ...claims.candidates import candidate_name
        from ...machine.deadlines import Deadline
        from ...routing.named.described import describe_routing
        from ...topologies.candidates import candidates

        if self.prices is not None and (set(self.prices) != {"switch", "cable"} or min(self.prices.values()) < 0):
            raise InputError("prices are of a 'switch' and a 'cable', 0 or more each")
        asked = list(candidates(self.hosts, self.radix, rails=self.rails, planes=self.planes))
        if not asked:
            raise InputError(f"no topology known here fits {self.hosts} hosts on switches of {self.radix} ports")
        rows, notes = list[Candidate](), list[str]()
        try:
            self._judge(asked, rows, notes, Deadline(self.time_limit), setting)
        except KeyboardInterrupt:
            if not rows:
                raise
            left = len(asked) - len(rows)
            notes.append(f"interrupted: {f'{left} candidates' if left else 'failures of some candidates'} are left out")
        if not rows:
            raise InputError(f"nothing could be judged: {notes[0]}")
        rows.sort(key=lambda x: (max(x.load, 1) if x.load else Fraction(1 << 60), *self._dear(x)))
        subject: dict[str, Any] = {}
        stated: list[Claim] = []
        for row in rows:
            key = candidate_name(row.topology, row.routing.name)
            subject[key] = {**network_subject(row.network), "routing": describe_routing(row.routing)}
            if row.after:
                subject[key]["failures"] = row.rule
            own = [*row.claims, *row.bounds, *row.after]
            stated += [replace(x, about={**x.about, "candidate": key}) for x in own]
        return CandidatesAnswer(
            about={"kind": "candidates", "candidates": subject},
            stated=stated,
            notes=notes,
            rows=rows,
            hosts=self.hosts,
            radix=self.radix,
            priced=self.prices is not None,
        )

    def _judge(
        self,
        asked: Sequence[tuple[str, str]],
        rows: list[Candidate],
        notes: list[str],
        deadline: Deadline,
        setting: Setting,
    ) -> None:
        """The worst case of each, then failures of each, in parts of the time that is left."""
        from ...formats.resolve import resolve_network
        from ...machine.deadlines import Deadline, OutOfTimeError, ended_in_time
        from ...routing.named.names import named_routing

        built = Deadline((deadline.left() or 0.0) + _TO_BUILD)
        known: dict[str, tuple[Network, list[Claim]]] = {}
        with setting.stage("candidates") as progress:
            for k, (text, name) in enumerate(asked):
                if progress is not None:
                    progress(k, len(asked))
                left = max((deadline.left() or 0.0) - _FOR_FAILURES * self.time_limit, 0.0)
                try:
                    with ended_in_time(built.left()):
                        if text not in known:
                            network = resolve_network(text)
                            known[text] = network, best_bound(network, min(left, _OF_BOUND * self.time_limit))
                        network, bounds = known[text]
                        alone = Deadline(min(left, _OF_ONE * self.time_limit))
                        check_time(network, alone.left() or 0.0)
                        row = Candidate(network, named_routing(name, network), self._parts(network), bounds)
                        judge_whole(row, alone.left() or 0.0)
                except (InputError, OutOfTimeError) as error:  # it is too large
                    why = "no time is left to build it (--time-limit)" if isinstance(error, OutOfTimeError) else error
                    notes.append(f"{name} on {text} is left out: {why}")
                    continue
                rows.append(row)
                if row.worst is None:
                    notes.append(
                        f"{name} on {text}: its worst case is cut short by --time-limit {self.time_limit:g}; "
                        f"alone: routeproof worst-case {text} --routing {name}"
                    )
        some = sorted((x for x in rows if x.worst is not None), key=lambda x: x.effort)
        with setting.stage("failures") as progress:
            for k, row in enumerate(some):
                if progress is not None:
                    progress(k, len(some))
                judge_cables(row, deadline.part(1 / (len(some) - k)) or 0.0)

    def _dear(self, row: Candidate) -> tuple[Fraction, ...]:
        """What is cheaper comes first, of those that carry as much as hosts' own cables do: cost, switches, cables."""
        switches, cables, *cost = (exact_value(x) or Fraction(0) for x in row.claims[: 3 if self.prices else 2])
        return *cost, switches / row.network.num_terminals, cables / row.network.num_terminals

    def _parts(self, network: Network) -> list[Claim]:
        from ...claims.candidates import PARTS
        from ...topologies.candidates import parts_of

        switches, cables = parts_of(network)
        claims = [
            PARTS.claim(Fraction(switches), {}, {}, quantity="num_switches", source=""),
            PARTS.claim(Fraction(cables), {}, {}, quantity="num_cables", source=""),
        ]
        if self.prices is not None:
            cost = (switches * self.prices["switch"] + cables * self.prices["cable"]) / network.num_terminals
            about = {key: str(x) for key, x in self.prices.items()}
            claims.append(PARTS.claim(cost, {}, about, quantity="cost_per_host", source=""))
        return claims
