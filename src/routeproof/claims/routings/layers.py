"""Claims that paths need so many virtual channels, whatever hop is on which: fewer are refuted.

``layers-refutation`` (virtual_channels >= V): {"cycles", "lemmas", "literals"}: cycles of virtual channels, packed,
each ended by a -1; lemmas that refute ``kernel.layer_clauses.LayerFormula`` of the routing's paths for V - 1 of them.
``assignment``: of all that keep a path to one (layers), all paths to a node (destinations), or of all (hops).
``classes``: of so many message classes in a chain, whose transactions are the paths (hops).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.network import Network
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.layer_clauses import SHARED, LayerFormula, Sharing
from ...kernel.refutation import check_refutation
from ...routing.base.routing import Routing
from ...routing.dependencies.virtual_dependencies import bundles_of, transactions
from ..kind import ANALYSES, Kind, States
from ..reading import as_lemmas, as_whole
from ..shapes import NUMBERS, WHOLE, Keys, Word
from ..work import spend

if TYPE_CHECKING:
    from ..context import Context

_MOST = 20_000_000
_MOST_LAYERS = 64
_PER_NUMBER = 300
MOST_CLASSES = 8


def several_hops(routing: Routing) -> list[tuple[int, ...]]:
    """The different paths of the routing with more than one hop, in order."""
    found: set[tuple[int, ...]] = set()
    for bundle in bundles_of(routing):
        if bundle.channel.shape[1] > 1:
            found.update(map(tuple, bundle.channel.tolist()))
    return sorted(found)


def sharing_of(assignment: str, network: Network) -> Sharing:
    """Which hops have one virtual channel under an assignment by this name."""
    return Sharing(assignment, network.num_channels, network.head.tolist() if assignment == "destinations" else ())


def _check(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    routing = context.routing
    if (claim.about["paths"] == "own") != routing.has_explicit_paths:
        raise VerificationError("it is about other paths than those of the routing")
    if value.denominator != 1 or not 2 <= value <= _MOST_LAYERS + 1:
        raise VerificationError(f"it is {str(value)[:40]}; a whole number from 2 to {_MOST_LAYERS + 1} was expected")
    count = int(value) - 1
    flat = unpack_ints(data["cycles"], what="its cycles", max_items=_MOST)
    if len(flat) and flat[-1] != -1:
        raise VerificationError("its cycles end within one")
    classes = claim.about.get("classes")
    if classes is not None and not (2 <= classes <= MOST_CLASSES and claim.about["assignment"] == "hops"):
        raise VerificationError(f"2 to {MOST_CLASSES} classes, with virtual channels by hops, were expected")
    paths = several_hops(routing) if classes is None else list(transactions(routing, classes))
    literals = as_whole(data["literals"], "the length of its refutation", 0, _MOST)
    sharing = sharing_of(claim.about["assignment"], context.network)
    each = 10 * count * (1 if sharing.within else count)
    spend(each * (sum(map(len, paths)) + len(flat)) + _PER_NUMBER * literals, "checking the refutation of layers")
    formula = LayerFormula(paths, count, sharing)
    cycles = [x[:-1].tolist() for x in np.split(flat, np.flatnonzero(flat == -1) + 1)[:-1]]
    clauses = chain(formula.clauses, *(formula.forbid(x) for x in cycles))
    check_refutation(formula.num_variables, clauses, as_lemmas(data["lemmas"], literals))


LAYERS_REFUTATION = Kind(
    "layers-refutation",
    "Cycles of dependencies, and lemmas by unit propagation: on fewer virtual channels, one of the cycles is there.",
    Keys({"cycles": NUMBERS, "lemmas": NUMBERS, "literals": WHOLE}),
    {
        "virtual_channels": States(
            (">=",),
            Grade.PROVED,
            Keys({"paths": Word("own", "of-loads"), "assignment": Word(*SHARED)}, {"classes": WHOLE}),
        )
    },
    frozenset({"Dally & Seitz 1987"}),
    _check,
    subjects=ANALYSES,
)
