"""What is looked for and how, and what came of it."""

from __future__ import annotations

import hashlib
import json
import os.path
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.cube.bounds import LowerBound
from ..core.cube.conditions import judge_conditions
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError, VerificationError
from ..formats.documents.json_text import format_json, read_json_object
from ..formats.documents.packed_ints import pack_ints, unpack_ints
from ..formats.text_files import shown, write_text_atomic

Kind = Literal["many-one", "permutation"]
_FORMAT = "routeproof/search-state"
_DIGEST = "digest"  # of all the rest: what was edited, or copied from another search, does not match
_MAX_SLOTS = 1 << 20


@dataclass(frozen=True)
class SearchQuestion:
    """A graph of at most ``steps`` steps for the t-nary d-cube; valid by C1 (many-one) or C2 (permutation).

    ``minimum``: every move corrects a digit.  A search restarts until ``time_limit`` seconds are over; ``first_try``:
    how many tries to leave out, where an earlier search of the same seed left off.  ``symmetry``, ``layout``: of
    permutation graphs, see ``anneal_permutation``.  ``catalogue``: look there first.  ``state``: a file where the
    search keeps how far it is, and from which it goes on if it is there.  Raises InputError for less than one step.
    """

    kind: Kind
    radix: int
    dimensions: int
    steps: int
    minimum: bool = False
    seed: int = 0
    first_try: int = 0
    time_limit: float = 60.0
    symmetry: str = "auto"
    layout: str = "auto"
    catalogue: bool = True
    state: str | None = None

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise InputError(f"{self.steps} steps were asked for; at least 1 is needed")

    @property
    def cube(self) -> Cube:
        return Cube(self.radix, self.dimensions)

    def settings(self) -> dict[str, Any]:
        """What every try depends on, besides its number."""
        names = ("radix", "dimensions", "steps", "minimum", "seed", "symmetry", "layout")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, eq=False)
class SearchResult:
    """``graph``: what was found, or None.  ``bound``: where set, the reason why there can be none; ``refutation``:
    lemmas that show it of ``core.cube.bounds.tight_clauses``.

    ``how``: ``bound``, ``refutation``, ``catalogue`` or ``search``.  ``uncovered``: where nothing was found, the fewest
    nodes left without a path; that proves nothing.  ``tries``: restarts begun.
    """

    graph: DestinationGraph | None
    how: str = "search"
    bound: LowerBound | None = None
    refutation: list[list[int]] | None = None
    uncovered: int = 0
    tries: int = 0
    seconds: float = 0.0


def judged(graph: DestinationGraph, asked: SearchQuestion) -> DestinationGraph:
    """The graph that a search has found: its conditions hold."""
    found = judge_conditions(graph)
    assert (found.many_one if asked.kind == "many-one" else found.permutation).holds
    assert found.minimum_routing.holds or not asked.minimum
    return graph


@dataclass(frozen=True, eq=False)
class SearchState:
    """``turn``: restarts that are over, ``chunk``: pieces done of the one under way; ``best``: fewest nodes uncovered.

    ``parent``: int64, by slot, of the trees under way (see ``split_layout_kernels``); empty where a turn begins.
    """

    turn: int
    chunk: int = 0
    best: int = 1 << 30
    parent: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


class StateFile:
    """The state of one search, ``asked`` (plain data: what is looked for, and how), in the file ``path``."""

    def __init__(self, path: str, asked: Mapping[str, Any]) -> None:
        self.path, self.asked = path, dict(asked)

    def read(self) -> SearchState | None:
        """The state that was kept, None where there is no file yet.

        Raises InputError for a file of another search, and one that is damaged.
        """
        if not os.path.exists(self.path):
            return None
        what = f"file {shown(self.path)}"
        document = read_json_object(self.path, wanted="the state of a search", exact=False)
        if document.get("format") != _FORMAT:
            raise InputError(f"{what} is not the state of a search; remove it, or name another file")
        asked = document.get("asked")
        if asked != self.asked:
            wrong = [k for k in self.asked if not isinstance(asked, Mapping) or asked.get(k) != self.asked[k]]
            raise InputError(
                f"{what} belongs to another search ({', '.join(wrong) or 'other options'} differ); name another file"
            )
        check = document.pop(_DIGEST, None)
        if check != _digest(document):
            raise InputError(
                f"{what} does not match its digest: it was edited, or made by routeproof 0.1, which kept none; "
                "remove it to start again, or name another file"
            )
        numbers = [document.get(k) for k in ("turn", "chunk", "best")]
        if not all(type(x) is int and 0 <= x < 1 << 40 for x in numbers):
            raise InputError(f"{what}: turn, chunk and best must be numbers")
        try:
            parent = unpack_ints(document.get("parent"), what=f"{what}: parent", max_items=_MAX_SLOTS)
        except VerificationError as error:
            raise InputError(str(error)) from None
        turn, chunk, best = (int(x) for x in numbers if x is not None)
        return SearchState(turn, chunk, best, parent)

    def write(self, state: SearchState) -> None:
        document = {
            "format": _FORMAT,
            "asked": self.asked,
            "turn": state.turn,
            "chunk": state.chunk,
            "best": state.best,
            "parent": pack_ints(state.parent),
        }
        write_text_atomic(self.path, format_json({**document, _DIGEST: _digest(document)}))


def _digest(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode("ascii")).hexdigest()
