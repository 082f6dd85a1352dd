"""The oblivious ratio against one linear program for each channel, floats and no proof, as one writes it with scipy."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from cases import Cost, Row, timed
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, identity, kron, vstack

from routeproof import Routing, named_routing, network
from routeproof.worst.routable.ratio import oblivious_ratio, ratio_claims

SAMPLE_S = 60.0  # programs of random channels are solved for so long; more are extrapolated
_ZOO = Path(__file__).resolve().parent.parent / "tests" / "data" / "topology-zoo"


def program(routing: Routing, channel: int) -> float:
    """Least sum of bandwidth times length, where potentials of every source grow by at most the lengths and reach its
    pairs' loads."""
    net = routing.network
    nodes, count = net.num_nodes, net.num_channels
    bandwidth = np.array([float(x) for x in net.bandwidth])
    loads = routing.channel_loads([channel]).as_dict()
    if not loads:
        return 0.0
    sources = sorted({i for i, _ in loads})
    place = {i: k for k, i in enumerate(sources)}
    each = np.arange(count)
    grow = csr_array((np.ones(count), (each, net.head)), shape=(count, nodes))
    grow -= csr_array((np.ones(count), (each, net.tail)), shape=(count, nodes))
    steps = hstack([-kron(np.ones((len(sources), 1)), identity(count)), kron(identity(len(sources)), grow)])
    rows = np.arange(len(loads))
    ends = np.array([count + place[i] * nodes + j for i, j in loads])
    reach = csr_array((-np.ones(len(loads)), (rows, ends)), shape=(len(loads), steps.shape[1]))
    right = np.concatenate([np.zeros(steps.shape[0]), [-float(x) for x in loads.values()]])
    free = np.full(len(sources) * nodes, np.inf)
    free[[k * nodes + i for i, k in place.items()]] = 0.0
    low = np.concatenate([np.zeros(count), np.where(free > 0, -np.inf, 0.0)])
    high = np.concatenate([np.full(count, np.inf), free])
    cost = np.concatenate([bandwidth, np.zeros(len(free))])
    found = linprog(cost, vstack([steps, reach]).tocsr(), right, bounds=np.stack([low, high], axis=1), method="highs")
    return float(found.fun) / float(bandwidth[channel])


def _against_programs(name: str, wanted: str, *, quick: bool) -> list[Row]:
    net = network(f"{_ZOO / name}.graphml,bandwidth=1")
    routing = named_routing("minimal", net)
    ours = timed(lambda: ratio_claims(oblivious_ratio(named_routing("minimal", replace(net)))), quick=quick)
    exact = oblivious_ratio(routing, all_channels=True, symmetry="none").by_channel if quick else None
    ratio = float(oblivious_ratio(routing).low)
    order = np.random.default_rng(0).permutation(net.num_channels).tolist()
    wall, cpu = time.perf_counter(), time.process_time()
    done, top = 0, 0.0
    for c in order:
        found = program(routing, c)
        top, done = max(top, found), done + 1
        if exact is not None and c in exact:
            low, high = float(exact[c].low), float(exact[c].high)
            if not low * (1 - 1e-6) <= found <= high * (1 + 1e-6):
                raise AssertionError(f"{name}: channel {c} has ratio {low} to {high}; the program says {found}")
        if time.perf_counter() - wall > (SAMPLE_S / 10 if quick else SAMPLE_S):
            break
    if top > ratio * (1 + 1e-6) or (done == len(order) and abs(top - ratio) > 1e-6 * ratio):
        raise AssertionError(f"{name}: the ratio is {ratio}; the programs say {top}")
    share = len(order) / done
    other = Cost((time.perf_counter() - wall) * share, (time.process_time() - cpu) * share)
    how = f"one scipy/HiGHS program a channel, {done} of {len(order)} solved; proved against floats"
    return [Row(f"oblivious ratio: {name}, ECMP per path", ours, wanted, other, how, f"{ratio:g}")]


OBLIVIOUS_CASES: dict[str, Callable[..., list[Row]]] = {
    "oblivious-geant": partial(_against_programs, "Geant2012", "10 s"),
    "oblivious-cogentco": partial(_against_programs, "Cogentco", "90 s"),
}
