"""Wirings from text: ``butterfly:8``, ``multibutterfly:1024,d=2,seed=7,shared`` and the like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...core.errors import InputError, did_you_mean
from ...core.multistage.wiring import Wiring
from ..build import shortened
from ..text import (
    Pieces,
    parse_pieces,
    parse_whole,
    with_example,
)
from .banyan import (
    benes,
    butterfly,
    dilated_butterfly,
    multi_benes,
    multibutterfly,
)
from .explicit import gabber_galil_network, hardened

__all__ = ["WIRED", "WiredFamily", "is_wired", "wiring_from_spec"]


@dataclass(frozen=True)
class WiredFamily:
    """One family: an example of its text, a line of help, its grammar, and how to build the wiring."""

    usage: str
    help: str
    build: Callable[[Pieces], Wiring]
    flags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def _whole(pieces: Pieces, what: str) -> int:
    return parse_whole(pieces.parameters[0], what=what)


def _option(pieces: Pieces, family: str, name: str) -> int:
    if name not in pieces.options:
        raise InputError(f"{family} needs {name}=, as in {WIRED[family].usage}")
    return parse_whole(pieces.options[name], what=f"{name} of {family}")


def _multibutterfly(inputs: int, *, d: int, seed: int, shared: bool, hard: bool) -> Wiring:
    wiring = multibutterfly(inputs, d=d, seed=seed, shared=shared)
    return hardened(wiring) if hard else wiring


WIRED: dict[str, WiredFamily] = {
    "butterfly": WiredFamily(
        "butterfly:3",
        "butterfly of so many dimensions: 2^n inputs, n edge levels",
        lambda p: butterfly(_whole(p, "dimension of butterfly")),
    ),
    "dilated-butterfly": WiredFamily(
        "dilated-butterfly:3,d=2",
        "butterfly with every wire d times",
        lambda p: dilated_butterfly(
            _whole(p, "dimension of dilated-butterfly"), d=_option(p, "dilated-butterfly", "d")
        ),
        options=("d",),
    ),
    "multibutterfly": WiredFamily(
        "multibutterfly:64,d=2,seed=7",
        "d butterflies merged at random; d= and seed= are needed; shared: one permutation per level; "
        "hardened: complete splitters where d edges reach all outputs",
        lambda p: _multibutterfly(
            _whole(p, "number of inputs of multibutterfly"),
            d=_option(p, "multibutterfly", "d"),
            seed=_option(p, "multibutterfly", "seed"),
            shared="shared" in p.flags,
            hard="hardened" in p.flags,
        ),
        flags=("shared", "hardened"),
        options=("d", "seed"),
    ),
    "gabber-galil": WiredFamily(
        "gabber-galil:64",
        "multibutterfly with d = 5 from the explicit expanders of Gabber and Galil",
        lambda p: gabber_galil_network(_whole(p, "number of inputs of gabber-galil")),
    ),
    "benes": WiredFamily(
        "benes:3",
        "a butterfly reversed, then a butterfly: 2^n inputs, 2n edge levels",
        lambda p: benes(_whole(p, "dimension of benes")),
    ),
    "multi-benes": WiredFamily(
        "multi-benes:64,d=2,seed=7",
        "a random multibutterfly reversed, then another one",
        lambda p: multi_benes(
            _whole(p, "number of inputs of multi-benes"),
            d=_option(p, "multi-benes", "d"),
            seed=_option(p, "multi-benes", "seed"),
            shared="shared" in p.flags,
        ),
        flags=("shared",),
        options=("d", "seed"),
    ),
}


def is_wired(text: str) -> bool:
    """Does ``text`` begin with the name of a wired family?"""
    return _name(text) in WIRED


def wiring_from_spec(text: str) -> Wiring:
    """The wiring that ``text`` describes; raises InputError as ``network_from_spec`` does."""
    name = _name(text)
    family = WIRED.get(name)
    if family is None:
        raise InputError(f"unknown wired network {shortened(repr(name))}; {did_you_mean(name[:100], WIRED)}")
    pieces = parse_pieces(
        text.strip()[len(name) + 1 :],
        where=shortened(text.strip()),
        parameters=1,
        flags=family.flags,
        options=family.options,
        usage=family.usage,
    )
    with with_example(family.usage):
        return family.build(pieces)


def _name(text: str) -> str:
    return text.strip().split(":", 1)[0].split(",", 1)[0].strip()
