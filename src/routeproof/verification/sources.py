"""What is cited for claims of more than one kind."""

from __future__ import annotations

__all__ = ["CALLS", "CIRCUITS", "DESIGN", "FAULTS", "HWANG", "PACKETS", "REARRANGED", "SPLITTERS", "WORST"]

_MAGGS = "Maggs, Randomly Wired Multistage Networks, "
HWANG = "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes"
WORST = frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2 and 3"})
DESIGN = frozenset(
    f"Towles, Dally & Boyd 2003 (SPAA), {x}" for x in ("eq. 8", "eq. 8 and 10", "eq. 10 and Figure 1", "eq. 6 and 10")
)
PACKETS = frozenset({_MAGGS + "sec. 2; Upfal 1989 (STOC)"})
CIRCUITS = frozenset({_MAGGS + "sec. 3; Arora, Leighton & Maggs 1990 (STOC)"})
FAULTS = frozenset({_MAGGS + "sec. 4; Leighton & Maggs 1989 (FOCS)"})
CALLS = frozenset({_MAGGS + "sec. 5; Arora, Leighton & Maggs 1990 (STOC)"})
SPLITTERS = frozenset({_MAGGS + "sec. 1.4 and 3.1"})
REARRANGED = frozenset({"Opferman & Tsao-Wu 1971 (BSTJ 50); Paull 1962 (BSTJ 41)"})
