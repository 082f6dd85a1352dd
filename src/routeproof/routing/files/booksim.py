"""The routing function of a BookSim configuration file, where it is one of ours.

BookSim routes dimension 0 first, the least significant digit of a node's number: our last dimension.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from ...core.errors import InputError, did_you_mean, warn
from ...core.network import Network
from ...formats.documents.network import first_difference, network_to_document
from ...formats.format import File, Format
from ...formats.simulators.booksim_config import booksim_config, is_booksim_config, network_of_config
from ...formats.text_files import brief
from ..base.routing import Routing
from ..graph.minimal import MinimalPerPath
from ..grid.dor import DOR, O1TURN
from ..grid.lines import order_text
from ..grid.valiant import ROMM, Valiant
from .table import RoutingFormat


def _last_first(network: Network) -> str:
    assert network.grid is not None
    return order_text(tuple(reversed(range(network.grid.num_dimensions))))


def _dor(network: Network) -> Routing:
    return DOR(order=_last_first(network)).on(network)


def _romm(network: Network) -> Routing:
    order = _last_first(network)
    return ROMM(order=f"{order}-{order}").on(network)


def _valiant(network: Network) -> Routing:
    warn("BookSim's Valiant also sends packets to their own node through the network; here they do not enter it")
    return Valiant(order=_last_first(network)).on(network)


_ADAPTIVE = "it is adaptive, so it has no exact worst case; routeproof simulate load knows minimal-adaptive and goal"
_FUNCTIONS: Mapping[str, Mapping[str, Callable[[Network], Routing] | str]] = {
    "mesh": {
        "dor": _dor,
        **dict.fromkeys(("dim_order", "dim_order_ni", "dim_order_pni"), _dor),
        "xy_yx": lambda network: O1TURN().on(network),
        **dict.fromkeys(("romm", "romm_ni"), _romm),
        "valiant": _valiant,
        **dict.fromkeys(("min_adapt", "planar_adapt", "adaptive_xy_yx", "chaos"), _ADAPTIVE),
    },
    "torus": {
        **dict.fromkeys(("dim_order", "dim_order_ni", "dim_order_bal"), _dor),
        **dict.fromkeys(("valiant", "valiant_ni"), _valiant),
        **dict.fromkeys(("min_adapt", "chaos"), _ADAPTIVE),
    },
    "fattree": {"nca": MinimalPerPath, "anca": _ADAPTIVE},
    "anynet": {
        "min": "it takes one shortest path in the order of BookSim's tables; --routing minimal is the mean over all"
    },
}
"""topology -> routing function -> the routing on a network, or why there is none."""


def _read(file: File, network: Network) -> Routing:
    config = booksim_config(file)
    difference = first_difference(network_of_config(config, file), network)
    if difference:
        raise InputError(f"{file.what} is about another network than {network.name}: {difference}")
    known = _FUNCTIONS[config.topology]
    found = known.get(config.routing)
    named = f"{file.what}: routing_function {brief(config.routing)}"
    if found is None:
        raise InputError(
            f"{named} is none that BookSim has on its {config.topology}; {did_you_mean(config.routing, known)}"
        )
    if isinstance(found, str):
        raise InputError(f"{named}: {found}")
    return found(network)


def _document(file: File) -> tuple[str, str]:
    return "network", json.dumps(network_to_document(network_of_config(booksim_config(file), file)))


BOOKSIM: RoutingFormat = Format(
    "booksim-config", "BookSim's configuration", sniff=is_booksim_config, read=_read, document=_document
)
