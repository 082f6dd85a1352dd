"""Blocks of channels as independent pieces of work, for whoever can do them elsewhere.

A piece takes the routing as a report describes it, some channels, and a ratio that is known to be reached before any
piece begins; so its result depends on nothing else, wherever and in whichever order the pieces are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.network import Network
from ...core.spread import Progress, Spread
from ...graphs.transport import Weights
from ...graphs.transport_arrays import Rates
from .scan_block import BestSoFar, Chunk, Task

if TYPE_CHECKING:
    from ...routing.base.routing import Routing


def network_described(network: Network) -> dict[str, Any]:
    """A network as plain data: its spec, or in full."""
    from ...formats.documents.network import network_to_document

    return {"spec": network.spec} if network.spec is not None else network_to_document(network)


def described(routing: Routing) -> dict[str, Any]:
    """Network and routing as plain data, with the set of demands through which it is seen."""
    from ...formats.demands.description import describe_demands
    from ...routing.base.views import seen_without
    from ...routing.named.described import describe_routing

    routing, demands = seen_without(routing)
    seen = {} if demands is None else {"demands": describe_demands(demands)}
    return {"network": network_described(routing.network), "routing": describe_routing(routing), **seen}


def made_again(subject: Mapping[str, Any]) -> Routing:
    """What ``described`` described."""
    from ...formats.demands.description import demands_from_description
    from ...routing.base.views import seen_through
    from ...routing.named.described import routing_from_description

    network = network_made_again(subject["network"])
    routing = routing_from_description(subject["routing"], network)
    if "demands" not in subject:
        return routing
    demands = demands_from_description(subject["demands"], network.num_terminals)
    return seen_through(routing, demands.transport)[0]


def network_made_again(where: Mapping[str, Any]) -> Network:
    """What ``network_described`` described."""
    from ...formats.documents.network import network_from_document
    from ...topologies.family import network_from_spec

    if set(where) == {"spec"}:
        return network_from_spec(where["spec"])
    return network_from_document(dict(where), what="the network")


def prepare_blocks(
    subject: Mapping[str, Any], rates: list[Any], weights: list[Any], lower: Fraction, all_channels: bool, strict: bool
) -> tuple[Task, Fraction]:
    """What all blocks of one scan have in common; called once where pieces are done."""
    supply, demand, *more = rates
    plain = Rates(np.array(supply), np.array(demand), *more)
    return Task(made_again(subject), plain, Weights(*weights), all_channels, strict), lower


def bound_block(ready: tuple[Task, Fraction], channels: Any) -> dict[str, Any]:
    """Bound or solve some channels; nothing that another block found makes a difference to them."""
    task, lower = ready
    chunk = Chunk(task, np.array(channels, dtype=np.int32), BestSoFar(lower))
    chunk.run()
    return chunk.plain()


def run_elsewhere(
    spread: Spread, task: Task, chunks: list[Chunk], *, seconds: float, memory: int, progress: Progress | None
) -> Iterator[Chunk]:
    """The chunks in order, each with what ``bound_block`` found."""
    results = spread(
        "channels",
        f"{__name__}:bound_block",
        {f"channels {int(x.channels[0])} to {int(x.channels[-1])}": {"channels": x.channels} for x in chunks},
        shared={
            "subject": described(task.routing),
            "rates": list(task.rates),
            "weights": list(task.weights),
            "lower": chunks[0].state.lower,
            "all_channels": task.all_channels,
            "strict": task.strict,
        },
        prepare=f"{__name__}:prepare_blocks",
        seconds=seconds,
        memory=memory,
        progress=progress,
    )
    for chunk, (_, result) in zip(chunks, results, strict=True):
        chunk.take(result)
        yield chunk
