"""Wirings from text: ``butterfly:8``, ``multibutterfly:1024,d=2,seed=7,shared`` and the like."""

from __future__ import annotations

from dataclasses import replace

from ...core.errors import InputError, did_you_mean
from ...core.multistage.wiring import Wiring
from ..build import shortened
from ..table import TOPOLOGIES
from ..text import name_of, with_example

__all__ = ["is_wired", "wired_names", "wiring_from_spec", "wiring_named"]


def wired_names() -> list[str]:
    """The names of this package's families of levels and wires."""
    return [name for name, family in TOPOLOGIES.own.items() if family.wiring is not None]


def is_wired(text: str) -> bool:
    """Does ``text`` begin with the name of one of ``wired_names``?"""
    return name_of(text) in wired_names()


def wiring_from_spec(text: str) -> Wiring:
    """The wiring that ``text`` describes; raises InputError as ``network_from_spec`` does."""
    if not is_wired(text):
        name = name_of(text)
        hint = did_you_mean(name[:100], wired_names())
        raise InputError(f"unknown wired network {shortened(repr(name))}; {hint}")
    return _wiring(text)


def wiring_named(text: str) -> Wiring | None:
    """``wiring_from_spec``, also of the families of other packages; None for the name of no family with wires.

    Wirings of other packages have no ``spec``: a report holds them in full.
    """
    family = TOPOLOGIES.find(name_of(text))
    if family is None or family.wiring is None:
        return None
    wiring = _wiring(text)
    return wiring if family.name in TOPOLOGIES.own else replace(wiring, spec=None)


def _wiring(text: str) -> Wiring:
    family = TOPOLOGIES.find(name_of(text))
    assert family is not None
    assert family.wiring is not None
    pieces = family.pieces(text)
    with with_example(family.usage):
        return family.wiring(pieces)
