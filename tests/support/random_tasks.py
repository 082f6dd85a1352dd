"""Small random networks with ranks and switches, and collectives on them."""

from __future__ import annotations

import random
from fractions import Fraction

from routeproof.core.collective import Broadcasts, broadcasts_of
from routeproof.core.network import Network

F = Fraction


def some_network(rng: random.Random, *, both_ways: bool) -> Network:
    """Up to 7 nodes, some without a rank, some with two; parallel channels; bandwidths in thirds and halves."""
    size = rng.randint(2, 7)
    switches = rng.randint(0, size - 2)
    ends, width = [], []
    for _ in range(rng.randint(size - 1, 2 * size + 2)):
        u, v = rng.sample(range(size), 2)
        b = F(rng.randint(1, 4), rng.choice([1, 1, 2, 3]))
        for pair in ((u, v), (v, u))[: 1 + both_ways]:
            ends.append(pair)
            width.append(b)
    held = [v for v in range(switches, size) for _ in range(rng.choice([1, 1, 1, 2]))]
    return Network.of("some", size, ends, bandwidth=width, source=held, sink=held)


def some_task(rng: random.Random, network: Network) -> Broadcasts:
    operation = rng.choice(["all-gather", "reduce-scatter", "broadcast"])
    root = rng.randrange(network.num_terminals) if operation == "broadcast" else None
    return broadcasts_of(network, operation, root=root)
