"""Names of networks, wirings and splitters in reports: what bears the name of a family must be what the family makes.

Everything else that a network may be called (a file's name) is a quotation, and shown as one.
"""

from __future__ import annotations

import numpy as np

from ..core.errors import InputError, VerificationError
from ..core.multistage.splitter import Splitter
from ..core.multistage.wiring import Wiring
from ..core.network import Network
from ..core.plain_names import check_own_name, plain_name, reads_like
from ..topologies.family import TOPOLOGIES

__all__ = ["check_called", "is_family_name"]

Made = Network | Wiring | Splitter


def is_family_name(text: str) -> bool:
    """May ``text`` be taken for the text of one of our networks, wirings or splitters?"""
    from ..topologies.multistage.splitters import SPLITTERS

    return reads_like(text, (*TOPOLOGIES.own, *SPLITTERS)) is not None


def check_called(text: object, made: Made, *, what: str) -> None:
    """Raise VerificationError if ``text`` names a family and ``made`` is not what it makes.

    ``what`` names it in errors ("its topology").  The bare name of a family that needs parameters ("ring", the file
    ring.topo) says nothing that could be wrong.
    """
    if not isinstance(text, str) or text == getattr(made, "spec", None):
        return
    if not is_family_name(text):
        check_own_name(text, f"subject: {what}")
        return
    family = TOPOLOGIES.own.get(plain_name(text))
    if family is not None and family.parameters:
        return
    try:
        difference = _difference(text, made)
    except InputError as error:
        raise VerificationError(f"subject: {what} is called {text[:60]!r}, which makes nothing: {error}") from None
    if difference is not None:
        thing = type(made).__name__.lower()
        raise VerificationError(f"subject: {what} is called {text[:60]!r}, but the {thing} has {difference}")


def _difference(text: str, made: Made) -> str | None:
    from ..formats.documents.network import first_difference
    from ..topologies.multistage.splitters import is_splitter, splitter_from_spec
    from ..topologies.spec import network_from_spec, wiring_from_spec

    if isinstance(made, Network):
        return first_difference(made, network_from_spec(text))
    if isinstance(made, Wiring):
        wire = wiring_from_spec(text).wire
        if wire.shape != made.wire.shape:
            return f"{made.inputs} inputs and {made.num_edge_levels} levels of edges"
        return None if np.array_equal(wire, made.wire) else "other edges"
    if not is_splitter(text):
        return "the form of a splitter"
    return None if splitter_from_spec(text).adjacent == made.adjacent else "other edges"
