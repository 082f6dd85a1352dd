"""Reports of ``simulate load``: the proved throughput like any other claim, every run done again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.claim import Claim, Interval
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...core.sampling.trial_intervals import BATCHES, load_intervals
from ...core.traffic import Traffic
from ...routing.base.routing import Routing
from ..context import Progress
from ..reading import as_fraction, as_list, as_permutation
from ..subject import network_of, routing_of
from .load_run import replay_load
from .routing_claims import verify_routing
from .traffic_names import WORST, check_traffic_name

__all__ = ["verify_load_simulation"]

_ADAPTIVE = ("minimal-adaptive", "goal")
_SETTINGS = ("order", "seed", "warm_up", "cycles")
_MOST_CYCLES = 10_000_000


def verify_load_simulation(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check the claims; raises VerificationError for the first that fails.  The runs are plain Python."""
    proved = [claim for claim in claims if claim.evidence.kind != "load-run"]
    how: Routing | str
    described = subject["routing"]
    if isinstance(described, Mapping) and "adaptive" in described:
        name = described["adaptive"]
        if set(described) != {"adaptive"} or name not in _ADAPTIVE or proved or routing is not None:
            raise VerificationError(f"subject: an adaptive routing {str(name)[:40]!r}, of which nothing can be proved")
        network, how = network_of(subject), str(name)
        kinds = ("torus",) if how == "goal" else ("torus", "mesh")
        if network.grid is None or network.grid.oneway or network.grid.kind not in kinds:
            raise VerificationError(f"subject: {name} does not run on {network.name}")
    else:
        how = routing_of(subject, routing)
        network = how.network
    if len(proved) == len(claims):
        raise VerificationError("the report makes no claims about a simulation: there is nothing to verify")
    if proved:
        verify_routing(subject, proved, routing=routing, progress=progress)
    _check_settings(claims)
    first: Claim | None = None
    stated: dict[str, Interval] = {}
    for number, claim in enumerate(claims):
        if claim.evidence.kind != "load-run":
            continue
        try:
            if "with" not in claim.evidence.data:
                first = claim
                _check_worst(network, claim, proved)
                stated = _again(network, how, claim.evidence.data)
            _check(claim, first, stated)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _check_settings(claims: Sequence[Claim]) -> None:
    """All runs have the same settings, which are told once; traffic and rate qualify every claim."""
    runs = [x.evidence.data for x in claims if x.evidence.kind == "load-run" and "with" not in x.evidence.data]
    for name in _SETTINGS:
        if len({str(data.get(name)) for data in runs}) > 1:
            raise VerificationError(f"its runs do not all have the same {name.replace('_', '-')}")


def _check_worst(network: Network, claim: Claim, proved: Sequence[Claim]) -> None:
    """What a run calls the worst permutation is that of the proved throughput, which the worst case judges."""
    data = claim.evidence.data
    if data["traffic"] != WORST:
        return
    size = network.num_terminals
    mine = as_permutation(data.get("permutation"), size)
    named = [x for x in proved if x.quantity == "throughput" and x.about.get("traffic") == WORST]
    if any(as_permutation(x.evidence.data.get("permutation"), size) == mine for x in named):
        return
    raise VerificationError("its permutation is called the worst, and no proved claim of the report is about it")


def _check(claim: Claim, first: Claim | None, stated: Mapping[str, Interval]) -> None:
    if first is None or claim.about != first.about:
        raise VerificationError("it refers to a run that does not come before it")
    data = first.evidence.data
    if dict(claim.about) != {"traffic": data.get("traffic"), "rate": data.get("rate")}:
        raise VerificationError("it is about another traffic or rate than its evidence")
    if claim.value != stated.get(claim.quantity):
        raise VerificationError(f"it is {claim.value}; the run gives {stated.get(claim.quantity)}"[:300])


def _again(network: Network, how: Routing | str, data: Mapping[str, Any]) -> dict[str, Interval]:
    warm_up, cycles, seed = (_whole(data, key) for key in ("warm_up", "cycles", "seed"))
    if cycles < BATCHES or warm_up + cycles > _MOST_CYCLES:
        raise VerificationError(f"{warm_up} + {cycles} cycles cannot be run again here")
    rate = as_fraction(data.get("rate"), "rate")
    order = data.get("order")
    if not 0 < rate <= 1 or order not in ("fifo", "farthest-first"):
        raise VerificationError("its rate or the order of its queues makes no sense")
    ends = [warm_up + cycles * b // BATCHES for b in range(BATCHES + 1)]
    counts = replay_load(network, how, _traffic(network, data), rate=rate, order=str(order), ends=ends, seed=seed)
    if data.get("counts") != counts:
        raise VerificationError("its counts are not those of the run")
    trials = counts[-1][0] - counts[0][0]
    intervals = load_intervals(counts, ends, network.num_terminals)
    return {name: Interval(low, best, high, trials, seed) for name, (low, best, high) in intervals.items()}


def _traffic(network: Network, data: Mapping[str, Any]) -> dict[str, Any]:
    name, size = str(data.get("traffic")), network.num_terminals
    if "permutation" in data and "matrix" in data:
        raise VerificationError("its traffic is a permutation and a matrix; one of them was expected")
    if "permutation" in data:
        permutation = as_permutation(data["permutation"], size)
        check_traffic_name(name, network, permutation)
        return {"permutation": permutation.image.tolist()}
    if "matrix" in data:
        check_traffic_name(name, network, None)
        rows = []
        for row in as_list(data, "matrix"):
            if not isinstance(row, list):
                raise VerificationError("its matrix must be a list of rows")
            rows.append([as_fraction(x, "a rate") for x in row])
        if len(rows) != size:
            raise VerificationError(f"its matrix has {len(rows)} rows; {size} were expected")
        Traffic.of_matrix(rows, name=name)  # refuses rows and columns above 1
        return {"matrix": rows}
    if name != "uniform":
        raise VerificationError(f"its evidence does not say what traffic {name[:60]!r} is")
    return {}


def _whole(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise VerificationError(f"its {key} is {str(value)[:40]}; a whole number was expected")
    return value
