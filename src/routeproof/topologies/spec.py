"""Networks from text: ``family:parameters,options``, such as ``torus:6x4,bandwidth=2x1`` or ``ring:7,oneway``.

``FAMILIES`` lists what there is.  Every family has the option ``bandwidth=`` (a fraction for all channels; for
tori, meshes, hypercubes and HyperX also one per dimension, ``2x1``) and the options of ``removal``: ``dead-nodes``,
``dead-links``, ``dead-channels``, ``kill-links`` with ``kill-seed``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from .build import shortened
from .cantor import cantor
from .clos import clos
from .complete import complete
from .hypercube import hypercube
from .hyperx import hyperx
from .kautz import kautz
from .mesh import mesh
from .petersen import petersen
from .random_regular import random_regular
from .removal import REMOVAL_OPTIONS, remove
from .text import Pieces, numbers, parse_pieces, parse_whole
from .torus import ring, torus
from .wired_network import network_of_wiring
from .wired_spec import WIRED, WiredFamily

__all__ = ["FAMILIES", "Family", "is_family", "network_from_spec"]


@dataclass(frozen=True)
class Family:
    """One family: an example of its text, a line of help, its grammar, and how to build a network from the pieces."""

    usage: str
    help: str
    build: Callable[[Pieces], Network]
    parameters: int = 1
    flags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def _width(pieces: Pieces) -> str:
    return pieces.options.get("bandwidth", "1")


def _radix(pieces: Pieces) -> list[int]:
    return numbers(pieces.parameters[0], what=f"a radix in {shortened(repr(pieces.parameters[0]))}", separator="x")


def _number(pieces: Pieces, position: int, what: str) -> int:
    return parse_whole(pieces.parameters[position], what=what)


def _random_regular(pieces: Pieces) -> Network:
    for name in ("degree", "seed"):
        if name not in pieces.options:
            raise InputError(f"random-regular needs {name}=, as in {FAMILIES['random-regular'].usage}")
    return random_regular(
        _number(pieces, 0, "number of nodes of random-regular"),
        degree=parse_whole(pieces.options["degree"], what="degree of random-regular"),
        seed=parse_whole(pieces.options["seed"], what="seed of random-regular"),
        bandwidth=_width(pieces),
    )


def _wired(entry: WiredFamily) -> Family:
    """A wired family as a family of networks."""
    return Family(
        entry.usage,
        entry.help,
        lambda p: network_of_wiring(entry.build(p), bandwidth=_width(p)),
        flags=entry.flags,
        options=entry.options,
    )


FAMILIES: dict[str, Family] = {
    "torus": Family(
        "torus:9x9",
        "k-ary n-cube, any radix per dimension; oneway: channels in the + direction only",
        lambda p: torus(*_radix(p), bandwidth=_width(p), oneway="oneway" in p.flags),
        flags=("oneway",),
    ),
    "mesh": Family(
        "mesh:6x4",
        "grid without wrap-around channels",
        lambda p: mesh(*_radix(p), bandwidth=_width(p)),
    ),
    "ring": Family(
        "ring:7",
        "torus of one dimension; oneway: channels in the + direction only",
        lambda p: ring(_number(p, 0, "radix of ring"), bandwidth=_width(p), oneway="oneway" in p.flags),
        flags=("oneway",),
    ),
    "hypercube": Family(
        "hypercube:6",
        "binary cube of so many dimensions",
        lambda p: hypercube(_number(p, 0, "dimension of hypercube"), bandwidth=_width(p)),
    ),
    "hyperx": Family(
        "hyperx:3x3",
        "t-nary d-cube: every line along a dimension is a complete network",
        lambda p: hyperx(*_radix(p), bandwidth=_width(p)),
    ),
    "complete": Family(
        "complete:8",
        "a channel from every node to every other",
        lambda p: complete(_number(p, 0, "number of nodes of complete"), bandwidth=_width(p)),
    ),
    "random-regular": Family(
        "random-regular:256,degree=6,seed=7",
        "connected random regular graph; degree= and seed= are needed",
        _random_regular,
        options=("degree", "seed"),
    ),
    "petersen": Family(
        "petersen",
        "the Petersen graph: 10 nodes of degree 3",
        lambda p: petersen(bandwidth=_width(p)),
        parameters=0,
    ),
    "kautz": Family(
        "kautz:2,3",
        "Kautz digraph K(d, D): out-degree d and diameter D, d^D + d^(D-1) nodes, one-way channels",
        lambda p: kautz(
            _number(p, 0, "degree d of kautz:d,D"), _number(p, 1, "diameter D of kautz:d,D"), bandwidth=_width(p)
        ),
        parameters=2,
    ),
    **{name: _wired(entry) for name, entry in WIRED.items()},
    "clos": Family(
        "clos:3,2,4",
        "three stages: m middle switches, r ingress and egress switches with n terminals each (clos:m,n,r)",
        lambda p: clos(*(_number(p, k, f"{x} of clos:m,n,r") for k, x in enumerate("mnr")), bandwidth=_width(p)),
        parameters=3,
    ),
    "cantor": Family(
        "cantor:3",
        "n Benes networks side by side: 2^n terminals, strict-sense nonblocking",
        lambda p: cantor(_number(p, 0, "dimension of cantor"), bandwidth=_width(p)),
    ),
}


def is_family(text: str) -> bool:
    """Does ``text`` begin with the name of a family, followed by ":" or "," or nothing?"""
    return _split(text)[0] in FAMILIES


def network_from_spec(text: str) -> Network:
    """The network that ``text`` describes; its ``spec`` is the canonical form of the text.

    Raises InputError for an unknown family (with the nearest match), an unknown or repeated option, malformed
    parameters, and whatever the family itself refuses.
    """
    name, rest = _split(text)
    family = FAMILIES.get(name)
    if family is None:
        hint = did_you_mean(name[:100], FAMILIES)
        raise InputError(f"unknown network family {shortened(repr(name))}; {hint}")
    pieces = parse_pieces(
        rest,
        where=shortened(text.strip()),
        parameters=family.parameters,
        flags=family.flags,
        options=("bandwidth", *family.options, *REMOVAL_OPTIONS),
        usage=family.usage,
    )
    return remove(family.build(pieces), pieces.options)


def _split(text: str) -> tuple[str, str]:
    """The family's name, and what follows it."""
    head = text.strip().split(":", 1)[0].split(",", 1)[0]
    return head.strip(), text.strip()[len(head) + 1 :]
