"""What the user typed to a wiring: ``multibutterfly:1024,d=2,seed=7``, or the path of a wiring document."""

from __future__ import annotations

import os.path

from ..core.errors import InputError, did_you_mean
from ..core.multistage.wiring import Wiring, check_wiring
from ..topologies.build import shortened
from ..topologies.family import TOPOLOGIES
from ..topologies.spec import wired_names, wiring_named
from ..topologies.text import name_of
from .documents.wiring import read_wiring

__all__ = ["resolve_wiring"]


def resolve_wiring(text: str) -> Wiring:
    """The wiring that ``text`` names, checked: blocks, degrees, one logical path per input and output.

    Raises InputError for text that is neither a wired family nor an existing wiring document, and for a document whose
    wiring has a flaw.
    """
    text = text.strip()
    if os.path.isfile(text):
        return check_wiring(read_wiring(text))
    wiring = wiring_named(text)
    if wiring is not None:
        return wiring if wiring.spec is not None else check_wiring(wiring)
    word, known = name_of(text), wired_names()
    if word in TOPOLOGIES:
        raise InputError(f"{shortened(repr(text))} is no network of levels and wires; known: {', '.join(known)}")
    hint = did_you_mean(word[:100], known)
    raise InputError(f"wiring {shortened(repr(text))} is neither a known family nor an existing file; {hint}")
