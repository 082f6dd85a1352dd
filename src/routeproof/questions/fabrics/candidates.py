"""Topologies at a builder's size, side by side: what each takes to build, what it guarantees under its usual routing,
and what no routing on it could pass."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, PlainAnswer, Setting, Shown, network_subject, timed
from ..given import Given
from ..question import Option, Question, question, spelled
from ..ranked import load_claimed

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.network import Network

_OF_ONE_NETWORK = (
    "demands", "traffic", "traffics", "traffic_model", "samples", "seed", "service_levels", "sl2vl", "time_limit",
    "csv", "latex", "markdown", "plot", "virtual_channels", "shifts", "opensm", "best", "without",
)  # fmt: skip
"""Options of the command that candidates do not take."""
_SECONDS, _OF_BOUND = 12.0, 6.0  # for the worst case of a candidate; for its bound
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
    from ...core.display import short
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
    """``rows``: (topology, routing, hosts, its claims), the highest guarantee first; ``priced``: is there a cost?"""

    shown = Shown("terminal.candidates:candidates_parts")

    rows: Sequence[tuple[str, str, int, Sequence[Claim]]]
    hosts: int
    radix: int
    priced: bool


@question
class Candidates(Question[CandidatesAnswer]):
    """Topologies for so many hosts, of switches with so many ports: switches, cables, cost per host, the worst case of
    the usual routing, and a bound of all routings.

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
        for name in _OF_ONE_NETWORK:
            if given[name]:
                option = f"--{name.replace('_', '-')}"
                raise InputError(f"{option} is for routings on one network; --json and --html say all of candidates")
        if not str(given["hosts"]).isdecimal() or len(str(given["hosts"])) > 9:
            raise InputError(
                f"--hosts is '{str(given['hosts'])[:40]}'; a number of hosts below 10^9 was expected with --radix"
            )
        prices = None if given["prices"] is None else read_prices(given["prices"])
        return cls(
            int(given["hosts"]), given["radix"], rails=given["rails"], planes=given["planes"] or 1, prices=prices
        )

    @timed
    def answer(self, setting: Setting = ALONE) -> CandidatesAnswer:
        from ...claims.candidates import candidate_name
        from ...formats.resolve import resolve_network
        from ...routing.named.described import describe_routing
        from ...routing.named.names import named_routing
        from ...topologies.candidates import candidates

        if self.prices is not None and (set(self.prices) != {"switch", "cable"} or min(self.prices.values()) < 0):
            raise InputError("prices are of a 'switch' and a 'cable', 0 or more each")
        asked = list(candidates(self.hosts, self.radix, rails=self.rails, planes=self.planes))
        if not asked:
            raise InputError(f"no topology known here fits {self.hosts} hosts on switches of {self.radix} ports")
        rows, notes, subject = [], list[str](), dict[str, Any]()
        bounds: dict[str, list[Claim]] = {}
        try:
            with setting.stage("candidates") as progress:
                for k, (text, name) in enumerate(asked):
                    if progress is not None:
                        progress(k, len(asked))
                    try:
                        network = resolve_network(text)
                        routing = named_routing(name, network)
                        if text not in bounds:
                            bounds[text] = _bound(network)
                        claims = [*self._parts(network), *_guarantee(routing), *bounds[text]]
                    except InputError as error:  # it is too large
                        notes.append(f"{name} on {text} is left out: {error}")
                        continue
                    if not load_claimed(claims):
                        notes.append(
                            f"{name} on {text}: the worst case took more than {_SECONDS:g} s: routeproof worst-case "
                            f"{text} --routing {name}"
                        )
                    key = candidate_name(str(network.spec), routing.name)
                    subject[key] = {**network_subject(network), "routing": describe_routing(routing)}
                    about = {"candidate": key}
                    stated = [replace(x, about={**x.about, **about}) for x in claims]
                    rows.append((str(network.spec), routing.name, network.num_terminals, claims, stated))
        except KeyboardInterrupt:
            if not rows:
                raise
            notes.append(f"interrupted: {len(asked) - len(rows)} candidates are left out")
        if not rows:
            raise InputError(f"nothing could be judged: {notes[0]}")
        rows.sort(key=lambda x: load_claimed(x[3]) or Fraction(1 << 60))
        return CandidatesAnswer(
            about={"kind": "candidates", "candidates": subject},
            stated=[x for row in rows for x in row[4]],
            notes=notes,
            rows=[row[:4] for row in rows],
            hosts=self.hosts,
            radix=self.radix,
            priced=self.prices is not None,
        )

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


def _guarantee(routing: Any) -> list[Claim]:
    """Load and throughput of the worst case; nothing where that takes too long."""
    from ...machine.deadlines import OutOfTimeError, ended_in_time
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import worst_case

    with suppress(OutOfTimeError), ended_in_time(_SECONDS):
        return [x for x in worst_case_claims(worst_case(routing)) if x.quantity.startswith("worst_case_")]
    return []


def _bound(network: Network) -> list[Claim]:
    """The best of the bounds on all routings that take no program; nothing where there is none in time."""
    from ...claims.routings.adversary import ADVERSARY
    from ...machine.deadlines import OutOfTimeError, ended_in_time
    from ...optimum.simple_bound import simple_bounds

    best = None
    with suppress(InputError, OutOfTimeError), ended_in_time(_OF_BOUND):
        for bound in simple_bounds(network, None):
            if best is None or bound.least_load() > best.least_load():
                best = bound
    if best is None or not best.least_load():
        return []
    return [
        ADVERSARY.claim(
            best.least_load(),
            best.data(),
            {"model": "balanced"},
            quantity="worst_case_load",
            source="Towles, Dally & Boyd 2003 (SPAA), eq. 8",
        )
    ]
