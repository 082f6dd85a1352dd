"""Networks from text: ``family:parameters,options``, such as ``torus:6x4,bandwidth=2x1`` or ``ring:7,oneway``; wirings
from text: ``butterfly:8``, ``multibutterfly:1024,d=2,seed=7,shared``.

``family.TOPOLOGIES`` lists the families.  Every family has the option ``bandwidth=`` (a fraction for all channels; for
tori, meshes, hypercubes and HyperX also one per dimension, ``2x1``; for fat trees one per level), the terminals of
``attach`` (``concentration=4``, ``hosts``), ``cables=`` and the options of ``removal``: ``dead-nodes``,
``dead-links``, ``dead-channels``, ``kill-links`` with ``kill-seed``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..core.errors import InputError, did_you_mean
from ..core.multistage.wiring import Wiring, check_wiring
from ..core.network import Network
from ..core.strangers import strangers
from .attach import ATTACH_FLAGS, ATTACH_OPTIONS, attach
from .build import shortened
from .family import TOPOLOGIES, Family
from .removal import REMOVAL_OPTIONS, remove
from .text import Pieces, name_of, with_example

_OF_ALL = ("bandwidth", *ATTACH_OPTIONS, *REMOVAL_OPTIONS)


def is_family(text: str) -> bool:
    """Does ``text`` begin with the name of a family of this package, followed by ":" or "," or nothing?"""
    return name_of(text) in TOPOLOGIES.own


def network_from_spec(text: str) -> Network:
    """The network that ``text`` describes, of a family of this package; its ``spec`` is the canonical form of the text.

    Raises InputError for an unknown family (with the nearest match), an unknown or repeated option, malformed
    parameters, and whatever the family itself refuses.
    """
    family = TOPOLOGIES.own.get(name_of(text))
    if family is None:
        raise _unknown("network family", text, TOPOLOGIES.own)
    return _network(family, text, family.build)


def network_named(text: str) -> Network:
    """``network_from_spec``, also of the families of other packages.

    Their networks have no ``spec``, since other people's routeproof cannot build them: a report holds them in full.
    So they have no grid and no declared symmetry either (the worst case finds what symmetry there is by itself).
    """
    family = TOPOLOGIES.find(name_of(text))
    if family is None:
        raise _unknown("network family", text, TOPOLOGIES.names())
    if family.name in TOPOLOGIES.own:
        return network_from_spec(text)
    return _network(family, text, lambda pieces: _foreign(family, pieces))


def _network(family: Family[Network], text: str, build: Callable[[Pieces], Network]) -> Network:
    pieces = family.pieces(text, flags=ATTACH_FLAGS, options=_OF_ALL)
    rest = {k: x for k, x in pieces.options.items() if k not in family.options}
    with with_example(family.usage):
        built = build(pieces)
    return remove(attach(built, rest, pieces.flags), pieces.options)


def _foreign(family: Family[Network], pieces: Pieces) -> Network:
    built = family.build(pieces)
    options = (f"{k}={x}" for k, x in pieces.options.items() if k == "bandwidth" or k in family.options)
    flags = (x for x in family.flags if x in pieces.flags)
    rest = ",".join([*pieces.parameters, *flags, *options])
    name = f"{family.name}:{rest}" if rest else family.name
    with strangers(f"the network of {TOPOLOGIES.whose(family.name)}"):
        return replace(built.plain(), name=name)


def _unknown(what: str, text: str, known: Iterable[str]) -> InputError:
    name = name_of(text)
    return InputError(f"unknown {what} {shortened(repr(name))}; {did_you_mean(name[:100], known)}")


def wired_names() -> list[str]:
    """The names of this package's families of levels and wires."""
    return [name for name, family in TOPOLOGIES.own.items() if family.wiring is not None]


def is_wired(text: str) -> bool:
    """Does ``text`` begin with the name of one of ``wired_names``?"""
    return name_of(text) in wired_names()


def wiring_from_spec(text: str) -> Wiring:
    """The wiring that ``text`` describes; raises InputError as ``network_from_spec`` does."""
    wiring = wiring_named(text) if is_wired(text) else None
    if wiring is None:
        raise _unknown("wired network", text, wired_names())
    return wiring


def wiring_named(text: str) -> Wiring | None:
    """``wiring_from_spec``, also of the families of other packages; None for the name of no family with wires.

    Wirings of other packages have no ``spec``: a report holds them in full.
    """
    family = TOPOLOGIES.find(name_of(text))
    if family is None or family.wiring is None:
        return None
    pieces = family.pieces(text)
    with with_example(family.usage):
        wiring = family.wiring(pieces)
    if family.name in TOPOLOGIES.own:
        return wiring
    with strangers(f"the wiring of {TOPOLOGIES.whose(family.name)}"):
        return check_wiring(replace(wiring, spec=None))
