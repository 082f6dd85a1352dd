"""Reports of ``simulate load``: the proved throughput like any other claim, every run done again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.claim import Claim, Interval
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.sampling.trial_intervals import BATCHES, load_intervals
from ...routing.base.routing import Routing
from ..kind import NAMED, NETWORK, SubjectKind
from ..reading import Report, as_fraction, as_permutation, as_whole, errors_at, name_of
from ..shapes import ANY, Keys
from ..subject import network_of, routing_of
from .load_run import replay_load
from .routing_claims import verify_routing
from .traffic import WORST, traffic_of

_ADAPTIVE = {"minimal-adaptive": ("torus", "mesh"), "goal": ("torus",)}  # and the grids that they run on
_SETTINGS = ("order", "seed", "warm_up", "cycles")
_MOST_CYCLES = 10_000_000
_MOST = (1 << 62) - 1


def verify_load_simulation(report: Report) -> None:
    """Check the claims; raises VerificationError for the first that fails.  The runs are plain Python."""
    claims, described = report.claims, report.subject["routing"]
    proved = [claim for claim in claims if claim.evidence.kind != "load-run"]
    how: Routing | str
    if isinstance(described, Mapping) and "adaptive" in described:
        name = how = str(described["adaptive"])
        if set(described) != {"adaptive"} or name not in _ADAPTIVE or proved or report.routing is not None:
            raise VerificationError(f"subject: an adaptive routing {name[:40]!r}, of which nothing can be proved")
        network = network_of(report.subject)
        if network.grid is None or network.grid.oneway or network.grid.kind not in _ADAPTIVE[name]:
            raise VerificationError(f"subject: {name} does not run on {network.name}")
    else:
        how = routing_of(report.subject, report.routing)
        network = how.network
    if len(proved) == len(claims):
        raise VerificationError("the report makes no claims about a simulation: there is nothing to verify")
    if proved:
        verify_routing(replace(report, claims=proved))
    # All runs have the same settings, which are printed once; traffic and rate qualify every claim.
    runs = [x.evidence.data for x in claims if x.evidence.kind == "load-run" and "with" not in x.evidence.data]
    for key in _SETTINGS:
        if len({str(data[key]) for data in runs}) > 1:
            raise VerificationError(f"its runs do not all have the same {key.replace('_', '-')}")
    first: Claim | None = None
    own: dict[str, Interval] = {}
    for number, claim in enumerate(claims):
        if claim.evidence.kind != "load-run":
            continue
        with errors_at(name_of(number, claim)):
            if "with" not in claim.evidence.data:
                first = claim
                _check_worst(network, claim, proved)
                own = _again(network, how, claim.evidence.data)
            if first is None or claim.about != first.about:
                raise VerificationError("it refers to a run that does not come before it")
            run = first.evidence.data
            if dict(claim.about) != {"traffic": run["traffic"], "rate": run["rate"]}:
                raise VerificationError("it is about another traffic or rate than its evidence")
            if claim.value != own.get(claim.quantity):
                raise VerificationError(f"it is {claim.value}; the run gives {own.get(claim.quantity)}"[:300])


def _check_worst(network: Network, claim: Claim, proved: Sequence[Claim]) -> None:
    """What a run calls the worst permutation is that of the proved throughput, which the worst case proves."""
    data = claim.evidence.data
    if data["traffic"] != WORST:
        return
    size = network.num_terminals
    mine = as_permutation(data.get("permutation"), size)
    named = [x for x in proved if x.quantity == "throughput" and x.about["traffic"] == WORST]
    if not any(as_permutation(x.evidence.data.get("permutation"), size) == mine for x in named):
        raise VerificationError("its permutation is called the worst, and no proved claim of the report is about it")


def _again(network: Network, how: Routing | str, data: Mapping[str, Any]) -> dict[str, Interval]:
    """The intervals of the run that the evidence describes."""
    warm_up, cycles, seed = (as_whole(data[key], f"its {key}", 0, _MOST) for key in ("warm_up", "cycles", "seed"))
    if cycles < BATCHES or warm_up + cycles > _MOST_CYCLES:
        raise VerificationError(f"{warm_up} + {cycles} cycles cannot be run again here")
    rate = as_fraction(data["rate"], "rate")
    if not 0 < rate <= 1:
        raise VerificationError("its rate is outside its range")
    ends = [warm_up + cycles * b // BATCHES for b in range(BATCHES + 1)]
    counts = replay_load(network, how, traffic_of(network, data), rate=rate, order=data["order"], ends=ends, seed=seed)
    if data["counts"] != counts:
        raise VerificationError("its counts are not those of the run")
    trials = counts[-1][0] - counts[0][0]
    intervals = load_intervals(counts, ends, network.num_terminals)
    return {name: Interval(low, best, high, trials, seed) for name, (low, best, high) in intervals.items()}


LOAD_SIMULATION = SubjectKind(
    "load-simulation", verify_load_simulation, Keys({**NETWORK, "routing": ANY}, NAMED), one_routing=True
)
