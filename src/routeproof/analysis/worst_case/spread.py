"""Blocks of channels as independent pieces of work, for whoever can do them elsewhere.

A piece takes the routing as a report describes it, some channels, and a ratio that is known to be reached before any
piece begins; so its result depends on nothing else, wherever and in whichever order the pieces are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...core.network import Network
from .sweep_block import run_block
from .sweep_types import Rates
from .transport import Weights

if TYPE_CHECKING:
    from ...routing.base.routing import Routing

__all__ = ["Spread", "described", "judge_block", "made_again", "network_made_again", "prepare_blocks", "spread_blocks"]


class Spread(Protocol):
    """Does pieces of work somewhere: (key, result) in their order; ``engine.Engine.spread`` is one."""

    def __call__(
        self,
        name: str,
        function: str,
        pieces: Mapping[str, Mapping[str, Any]],
        *,
        shared: Mapping[str, Any],
        prepare: str,
        seconds: float | None = None,
        memory: int = 0,
        progress: Any = None,
    ) -> Iterator[tuple[str, Any]]: ...


def described(routing: Routing) -> dict[str, Any]:
    """Network and routing as plain data."""
    from ...formats.documents.network import network_to_document
    from ...routing.named.described import describe_routing

    network = routing.network
    where = {"spec": network.spec} if network.spec is not None else network_to_document(network)
    return {"network": where, "routing": describe_routing(routing)}


def made_again(subject: Mapping[str, Any]) -> Routing:
    """What ``described`` described."""
    from ...routing.named.described import routing_from_description

    return routing_from_description(subject["routing"], network_made_again(subject))


def network_made_again(subject: Mapping[str, Any]) -> Network:
    """The network alone."""
    from ...formats.documents.network import network_from_document
    from ...topologies.spec import network_from_spec

    where = subject["network"]
    if set(where) == {"spec"}:
        return network_from_spec(where["spec"])
    return network_from_document(where, what="the network")


def prepare_blocks(
    subject: Mapping[str, Any],
    supply: Any,
    demand: Any,
    unit: int,
    weights: list[Any],
    lower: Fraction,
    all_channels: bool,
    strict: bool,
) -> Mapping[str, Any]:
    """What all blocks of one sweep have in common; called once where pieces are done."""
    return {
        "routing": made_again(subject),
        "rates": Rates(np.array(supply), np.array(demand), unit),
        "weights": Weights(*weights),
        "lower": lower,
        "all_channels": all_channels,
        "strict": strict,
    }


def judge_block(ready: Mapping[str, Any], channels: Any) -> dict[str, Any]:
    """Bound or solve some channels; see ``sweep.sweep``."""
    return run_block(channels=np.array(channels, dtype=np.int32), **ready)


def spread_blocks(
    spread: Spread,
    routing: Routing,
    blocks: list[Any],
    rates: Rates,
    *,
    weights: list[Any],
    lower: Fraction,
    all_channels: bool,
    strict: bool,
    seconds: float,
    memory: int,
    progress: Any,
) -> Iterator[dict[str, Any]]:
    """The results of ``judge_block`` for all blocks, in order."""
    shared = {
        "subject": described(routing),
        "supply": rates.supply,
        "demand": rates.demand,
        "unit": rates.unit,
        "weights": weights,
        "lower": lower,
        "all_channels": all_channels,
        "strict": strict,
    }
    pieces = {f"channels {int(x[0])} to {int(x[-1])}": {"channels": x} for x in blocks}
    results = spread(
        "channels",
        f"{__name__}:judge_block",
        pieces,
        shared=shared,
        prepare=f"{__name__}:prepare_blocks",
        seconds=seconds,
        memory=memory,
        progress=progress,
    )
    for _, result in results:
        yield result
