"""Random traffic: how the matrices of the average case are drawn.

Towles, Dally & Boyd 2003 (SPAA), sec. 3.3, average over random traffic and do not say how it was drawn; so it is an
option here, and a seed gives the same sample always; every matrix has a seed of its own.  Shifts and rings are the
steps of collective operations: a linear-shift all-to-all goes through all shifts, a ring all-reduce sends to the next
rank all the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from ..core.arrays import Float64, Int32, Int64
from ..core.errors import InputError, check_choice
from ..core.network import Network

_SEEDS = 1 << 40


class Ends(Protocol):
    """Which terminals are routed alike, as ``routing.base.routing.Routing`` has it."""

    @property
    def row_of(self) -> Int32: ...
    @property
    def column_of(self) -> Int32: ...
    @property
    def row_node(self) -> Int32: ...
    @property
    def column_node(self) -> Int32: ...


class TrafficModel(NamedTuple):
    """``help``: what it is; and one of two: ``image``, a permutation of so many terminals, or ``rates``, a matrix whose
    rows and columns sum to at most 1."""

    help: str
    image: Callable[[int, np.random.Generator], Int64] | None = None
    rates: Callable[[int, np.random.Generator], Float64] | None = None


def _shift(size: int, rng: np.random.Generator) -> Int64:
    step = 1 + int(rng.integers(size - 1)) if size > 1 else 0
    return (np.arange(size) + step) % size


def _ring(size: int, rng: np.random.Generator) -> Int64:
    order = rng.permutation(size)
    image = np.empty_like(order)
    image[order] = np.roll(order, -1)
    return image


def _mixture(size: int, rng: np.random.Generator, parts: int) -> Float64:
    result = np.zeros((size, size))
    for share in rng.dirichlet(np.ones(parts)).tolist():
        result[np.arange(size), rng.permutation(size)] += share
    return result


def _sinkhorn(size: int, rng: np.random.Generator) -> Float64:
    result = rng.exponential(size=(size, size))
    for _ in range(200):
        result /= result.sum(axis=1, keepdims=True)
        result /= result.sum(axis=0, keepdims=True)
    return result / max(1.0, float(result.sum(axis=1).max()))


TRAFFIC_MODELS: Mapping[str, TrafficModel] = {
    "permutation": TrafficModel("a uniformly random permutation", image=lambda size, rng: rng.permutation(size)),
    "shift": TrafficModel("terminal i sends to i + s modulo T; s is random, 1 to T - 1", image=_shift),
    "ring": TrafficModel("each sends to the next of all terminals, in a random cyclic order", image=_ring),
    "two-permutations": TrafficModel(
        "a mixture of two, weights uniform on the simplex", rates=lambda size, rng: _mixture(size, rng, 2)
    ),
    "three-permutations": TrafficModel("a mixture of three, likewise", rates=lambda size, rng: _mixture(size, rng, 3)),
    "sinkhorn": TrafficModel("exponential entries, rows and columns scaled to 1 in turns", rates=_sinkhorn),
}


def _generator(seed: int, number: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, number])))


def draws_permutations(model: str) -> bool:
    """Are the matrices of the model permutations, which ``drawn_image`` gives?"""
    return TRAFFIC_MODELS[model].image is not None


def drawn_image(model: str, terminals: int, *, seed: int, number: int) -> Int64:
    """The permutation with this number in the sample of ``seed``: the terminal that each terminal sends to."""
    image = TRAFFIC_MODELS[model].image
    if image is None:
        raise InputError(f"the traffic model {model} draws no permutations")
    return image(terminals, _generator(seed, number))


def sample_traffic(
    network: Network, model: str, *, count: int, seed: int, first: int = 0, ends: Ends | None = None
) -> Float64:
    """``count`` matrices by node: float64, shape (count, N * N), in units of a terminal's rate; pairs on one node 0.

    They are the numbers ``first``, ``first`` + 1, ... of the sample of ``seed``: number k is drawn by
    ``PCG64(SeedSequence([seed, k]))``, so that it can be drawn again alone.  ``ends``: by the rows and columns of a
    routing instead, shape (count, rows * columns).
    Raises InputError for a model that is not known, a count below 1 and a seed beyond 0 to 2^40 - 1.
    """
    check_model(model, count, seed)
    terminals, apart = network.num_terminals, network.source[:, None] != network.sink[None, :]
    nodes = (network.num_nodes, network.num_nodes)
    shape, at = nodes, (network.source[:, None], network.sink[None, :])
    if ends is not None:
        shape = (len(ends.row_node), len(ends.column_node))
        at = (ends.row_of[:, None], ends.column_of[None, :])
    result = np.zeros((count, *shape))
    for k in range(count):
        drawn = TRAFFIC_MODELS[model].rates
        if drawn is not None:
            rates = drawn(terminals, _generator(seed, first + k))
        else:
            rates = np.zeros((terminals, terminals))
            rates[np.arange(terminals), drawn_image(model, terminals, seed=seed, number=first + k)] = 1.0
        np.add.at(result[k], at, np.where(apart, rates, 0.0))
    return result.reshape(count, shape[0] * shape[1])


def check_model(model: str, count: int, seed: int = 0) -> None:
    """Raise InputError for a model that is not known, a count below 1 and a seed beyond 0 to 2^40 - 1."""
    check_choice("the traffic model", model, TRAFFIC_MODELS)
    if count < 1:
        raise InputError(f"the sample has {count} matrices; at least 1 was expected")
    if not 0 <= seed < _SEEDS:
        raise InputError(f"the seed of the sample is {seed}; 0 to {_SEEDS - 1:,} was expected")
