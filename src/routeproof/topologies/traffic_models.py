"""Random traffic: how the matrices of the average case are drawn.

Towles, Dally & Boyd 2003 (SPAA), sec. 3.3, average over random traffic and do not say how it was drawn; so it is an
option here, and a seed gives the same sample always; every matrix has a seed of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..core.arrays import Float64
from ..core.errors import InputError, check_choice
from ..core.network import Network

_SEEDS = 1 << 40


def _permutations(size: int, rng: np.random.Generator, parts: int) -> Float64:
    weight = rng.dirichlet(np.ones(parts)) if parts > 1 else np.ones(1)
    result = np.zeros((size, size))
    for share in weight.tolist():
        result[np.arange(size), rng.permutation(size)] += share
    return result


def _sinkhorn(size: int, rng: np.random.Generator) -> Float64:
    result = rng.exponential(size=(size, size))
    for _ in range(200):
        result /= result.sum(axis=1, keepdims=True)
        result /= result.sum(axis=0, keepdims=True)
    return result / max(1.0, float(result.sum(axis=1).max()))


TRAFFIC_MODELS: Mapping[str, tuple[str, Callable[[int, np.random.Generator], Float64]]] = {
    "permutation": ("a uniformly random permutation", lambda size, rng: _permutations(size, rng, 1)),
    "two-permutations": ("a mixture of two, weights uniform on the simplex", lambda n, rng: _permutations(n, rng, 2)),
    "three-permutations": ("a mixture of three, likewise", lambda size, rng: _permutations(size, rng, 3)),
    "sinkhorn": ("exponential entries, rows and columns scaled to 1 in turns", _sinkhorn),
}
"""name -> (what it is, one matrix of rates between terminals, rows and columns summing to at most 1)."""


def sample_traffic(network: Network, model: str, *, count: int, seed: int, first: int = 0) -> Float64:
    """``count`` matrices by node: float64, shape (count, N * N), in units of a terminal's rate; pairs on one node 0.

    They are the numbers ``first``, ``first`` + 1, ... of the sample of ``seed``: number k is drawn by
    ``PCG64(SeedSequence([seed, k]))``, so that it can be drawn again alone.
    Raises InputError for a model that is not known, a count below 1 and a seed beyond 0 to 2^40 - 1.
    """
    check_model(model, count, seed)
    n, terminals = network.num_nodes, network.num_terminals
    result = np.zeros((count, n, n))
    for k in range(count):
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, first + k])))
        rates = TRAFFIC_MODELS[model][1](terminals, rng)
        np.add.at(result[k], (network.source[:, None], network.sink[None, :]), rates)
        np.fill_diagonal(result[k], 0.0)
    return result.reshape(count, n * n)


def check_model(model: str, count: int, seed: int = 0) -> None:
    """Raise InputError for a model that is not known, a count below 1 and a seed beyond 0 to 2^40 - 1."""
    check_choice("the traffic model", model, TRAFFIC_MODELS)
    if count < 1:
        raise InputError(f"the sample has {count} matrices; at least 1 was expected")
    if not 0 <= seed < _SEEDS:
        raise InputError(f"the seed of the sample is {seed}; 0 to {_SEEDS - 1:,} was expected")
