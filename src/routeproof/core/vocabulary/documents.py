"""Quantities of documents: what ``check`` says of a file, and the rows of a study."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

__all__ = ["OF_DOCUMENTS"]

_WIRING = "Maggs, Randomly Wired Multistage Networks, sec. 1"

OF_DOCUMENTS: Mapping[str, Quantity] = {
    "num_nodes": Quantity("nodes", "", "How many nodes the network has."),
    "num_channels": Quantity("channels", "", "How many channels the network has, each direction of a link by itself."),
    "num_terminals": Quantity("terminals", "", "How many terminals the document is for."),
    "num_paths": Quantity("paths", "", "How many weighted paths the document lists."),
    "num_edge_levels": Quantity("edge levels", "", "How many levels of edges the multistage network has.", _WIRING),
    "inputs": Quantity("inputs", "", "How many inputs the multistage network has.", _WIRING),
    "outputs": Quantity("outputs", "", "How many outputs the multistage network has.", _WIRING),
    "multiplicity": Quantity(
        "multiplicity", "", "d: how many up-edges, and how many down-edges, leave a switch.", _WIRING
    ),
    "connected": Quantity(
        "connected",
        "",
        "Whether a path leads from every terminal to every other. Of a run of calls: how many calls are connected.",
        units={"call-run": "calls"},
    ),
    "valid_routing": Quantity(
        "valid routing", "", "Whether every packet is delivered along paths of the network, whose weights sum to 1."
    ),
    "valid_wiring": Quantity(
        "valid wiring",
        "",
        "Whether the wiring makes a multistage network: equal degrees, one logical path.",
        _WIRING,
    ),
    "degrees": Quantity("equal degrees", "", "Whether every switch has d up-edges and d down-edges.", _WIRING),
    "one_logical_path": Quantity(
        "one logical path",
        "",
        "Whether every input and every output are joined by exactly one sequence of up and down edges.",
        _WIRING,
    ),
    "study_row": Quantity("row of a study", "", "A number of a published table or figure, computed again."),
    "corners": Quantity("corners", "", "How many corners a Pareto curve has.", "Towles, Dally & Boyd 2003, Figure 1"),
    "connected_pairs_fraction": Quantity(
        "connected pairs fraction", "", "The fraction of the pairs of an input and an output that are still connected."
    ),
}
