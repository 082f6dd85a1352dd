"""Quantities of destination graphs and of runs on t-nary d-cubes; the number of ``steps`` is in ``multistage``."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

__all__ = ["OF_CUBES"]

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
