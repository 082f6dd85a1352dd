"""Quantities of documents and destination graphs: what ``check`` says of a file, and the rows of a study.

The number of ``steps`` of a run on a t-nary d-cube is in ``multistage``.
"""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

_WIRING = "Maggs, Randomly Wired Multistage Networks, sec. 1"

OF_DOCUMENTS: Mapping[str, Quantity] = {
    "num_nodes": Quantity("How many nodes the network has.", name="nodes"),
    "num_channels": Quantity("How many channels the network has, each direction of a link by itself.", name="channels"),
    "num_terminals": Quantity("How many terminals the document is for.", name="terminals"),
    "num_paths": Quantity("How many weighted paths the document lists.", name="paths"),
    "num_edge_levels": Quantity(
        "How many levels of edges the multistage network has.", "", _WIRING, name="edge levels"
    ),
    "inputs": Quantity("How many inputs the multistage network has.", "", _WIRING),
    "outputs": Quantity("How many outputs the multistage network has.", "", _WIRING),
    "multiplicity": Quantity("d: how many up-edges, and how many down-edges, leave a switch.", "", _WIRING),
    "connected": Quantity(
        "Whether a path leads from every terminal to every other. Of a run of calls: how many calls are connected.",
        units={"call-run": "calls"},
    ),
    "valid_routing": Quantity("Whether every packet is delivered along paths of the network, whose weights sum to 1."),
    "valid_wiring": Quantity(
        "Whether the wiring makes a multistage network: equal degrees, one logical path.", "", _WIRING
    ),
    "degrees": Quantity("Whether every switch has d up-edges and d down-edges.", "", _WIRING, name="equal degrees"),
    "one_logical_path": Quantity(
        "Whether every input and every output are joined by exactly one sequence of up and down edges.", "", _WIRING
    ),
    "study_row": Quantity("A number of a published table or figure, computed again.", name="row of a study"),
    "corners": Quantity("How many corners a Pareto curve has.", "", "Towles, Dally & Boyd 2003, Figure 1"),
    "connected_pairs_fraction": Quantity(
        "The fraction of the pairs of an input and an output that are still connected."
    ),
}


_HWANG = "Hwang, Yao & Dasgupta"


OF_CUBES: Mapping[str, Quantity] = {
    "valid_many_one": Quantity(
        "Whether no two packets meet when all nodes send to one node along the destination graph: condition C1.",
        "",
        f"{_HWANG}, Lemma 2",
        name="valid many-one",
    ),
    "valid_permutation": Quantity(
        "Of a destination graph, whether no two packets meet under any permutation: condition C2. Of a document, "
        "whether it is a permutation.",
        "",
        f"{_HWANG}, Lemma 3",
    ),
    "minimum_routing": Quantity(
        "Whether every path of the destination graph is a shortest path.", "", f"{_HWANG}, sec. 1"
    ),
    "c1_prime": Quantity(
        "Whether the destination graph meets condition C1', which implies C1.", "", f"{_HWANG}, sec. 2", name="C1'"
    ),
    "c2_prime": Quantity(
        "Whether the destination graph meets condition C2', which implies C2.", "", f"{_HWANG}, sec. 2", name="C2'"
    ),
    "probability_within": Quantity(
        "The probability that all packets have arrived within this many steps, over the random choices of the "
        "algorithm.",
        "",
        f"{_HWANG}, sec. 3; Valiant & Brebner 1981",
        name="completion probability",
    ),
}
