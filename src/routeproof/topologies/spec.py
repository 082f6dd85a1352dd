"""Networks from text: ``family:parameters,options``, such as ``torus:6x4,bandwidth=2x1`` or ``ring:7,oneway``.

``FAMILIES`` lists what there is.  Every family has the option ``bandwidth=`` (a fraction for all channels; for
tori, meshes, hypercubes and HyperX also one per dimension, ``2x1``; for fat trees one per level), the terminals of
``attach`` (``concentration=4``, ``hosts``) and the options of ``removal``: ``dead-nodes``,
``dead-links``, ``dead-channels``, ``kill-links`` with ``kill-seed``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from .attach import ATTACH_FLAGS, ATTACH_OPTIONS, attach
from .build import shortened
from .cables import CABLE_OPTIONS, cabled
from .datacenter.dragonfly import cray_dragonfly, dragonfly
from .datacenter.expanders import jellyfish, xpander
from .datacenter.fat_tree import fat_tree, k_ary_tree, xgft
from .datacenter.server_centric import bcube, dcell
from .datacenter.slim_fly import slim_fly
from .grid.complete import complete
from .grid.hypercube import hypercube
from .grid.hyperx import flattened_butterfly, hyperx
from .grid.machines import bluegene_q, tofu
from .grid.mesh import mesh
from .grid.torus import ring, torus
from .grid.twisted_torus import twisted_torus
from .multistage.cantor import cantor
from .multistage.clos import clos
from .multistage.network import network_of_wiring
from .multistage.spec import WIRED, WiredFamily
from .random.kautz import kautz
from .random.petersen import petersen
from .random.random_regular import random_regular
from .removal import REMOVAL_OPTIONS, remove
from .text import (
    Pieces,
    numbers,
    parse_pieces,
    parse_whole,
    with_example,
)

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
    text = pieces.parameters[0]
    what = f"a radix in {shortened(repr(text))}" if "x" in text else "the radix"
    return numbers(text, what=what, separator="x")


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


def _whole_option(pieces: Pieces, name: str, family: str) -> int | None:
    text = pieces.options.get(name)
    return None if text is None else parse_whole(text, what=f"{name} of {family}")


def _needed(pieces: Pieces, name: str, family: str) -> int:
    value = _whole_option(pieces, name, family)
    if value is None:
        raise InputError(f"{family} needs {name}=, as in {FAMILIES[family].usage}")
    return value


def _xgft(pieces: Pieces) -> Network:
    if "w" not in pieces.options:
        raise InputError(f"xgft needs w=, the numbers of parents by level, as in {FAMILIES['xgft'].usage}")
    up = numbers(pieces.options["w"], what="a number of parents w of xgft", separator="x")
    return xgft(_radix(pieces), up, bandwidth=_width(pieces))


def _fat_tree(pieces: Pieces) -> Network:
    given = {
        name: _needed(pieces, name, "fat-tree") for name in ("levels", "oversubscription") if name in pieces.options
    }
    return fat_tree(_number(pieces, 0, "ports of fat-tree"), **given, bandwidth=_width(pieces))


def _dragonfly(pieces: Pieces) -> Network:
    return dragonfly(
        *(_number(pieces, k, f"{x} of dragonfly:p,a,h") for k, x in enumerate("pah")),
        groups=_whole_option(pieces, "groups", "dragonfly"),
        arrangement=pieces.options.get("arrangement", "palmtree"),
        bandwidth=_width(pieces),
    )


def _cray_dragonfly(pieces: Pieces) -> Network:
    what = "cray-dragonfly"
    return cray_dragonfly(
        _number(pieces, 0, "p of cray-dragonfly:p,AxB,h"),
        numbers(pieces.parameters[1], what="routers of a row or column of cray-dragonfly", separator="x"),
        _number(pieces, 2, "h of cray-dragonfly:p,AxB,h"),
        groups=_whole_option(pieces, "groups", what),
        arrangement=pieces.options.get("arrangement", "palmtree"),
        local=numbers(pieces.options.get("local", "1x1"), what="local of cray-dragonfly", separator="x"),
        bandwidth=_width(pieces),
    )


def _flattened_butterfly(pieces: Pieces) -> Network:
    k = _number(pieces, 0, "k of flattened-butterfly:k,n")
    n = _number(pieces, 1, "n of flattened-butterfly:k,n")
    return flattened_butterfly(k, n, bandwidth=_width(pieces))


def _slim_fly(pieces: Pieces) -> Network:
    own = _whole_option(pieces, "concentration", "slim-fly")
    return slim_fly(_number(pieces, 0, "q of slim-fly"), concentration=own, bandwidth=_width(pieces))


def _jellyfish(pieces: Pieces) -> Network:
    return jellyfish(
        _number(pieces, 0, "number of switches of jellyfish"),
        ports=_needed(pieces, "ports", "jellyfish"),
        degree=_needed(pieces, "degree", "jellyfish"),
        seed=_needed(pieces, "seed", "jellyfish"),
        bandwidth=_width(pieces),
    )


def _xpander(pieces: Pieces) -> Network:
    return xpander(
        _number(pieces, 0, "degree of xpander:degree,lift"),
        _number(pieces, 1, "lift of xpander:degree,lift"),
        seed=_needed(pieces, "seed", "xpander"),
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
    "xgft": Family(
        "xgft:4x4x4,w=1x4x4",
        "extended generalized fat tree: children by level, from below, and w= parents by level",
        _xgft,
        options=("w",),
    ),
    "k-ary-tree": Family(
        "k-ary-tree:4,3",
        "k-ary n-tree: k^n terminals below n levels of switches",
        lambda p: k_ary_tree(
            _number(p, 0, "k of k-ary-tree:k,n"), _number(p, 1, "n of k-ary-tree:k,n"), bandwidth=_width(p)
        ),
        parameters=2,
    ),
    "fat-tree": Family(
        "fat-tree:8",
        "fat tree of k-port switches, levels=3; oversubscription=: lowest ports down for each one up",
        _fat_tree,
        options=("levels", "oversubscription"),
    ),
    "dragonfly": Family(
        "dragonfly:2,4,2",
        "p terminals and h global links a router, a routers a group; groups=, arrangement=",
        _dragonfly,
        parameters=3,
        options=("groups", "arrangement"),
    ),
    "cray-dragonfly": Family(
        "cray-dragonfly:4,16x6,10,groups=8,local=1x3",
        "dragonfly whose groups are rows and columns of routers, all-to-all each",
        _cray_dragonfly,
        parameters=3,
        options=("groups", "arrangement", "local"),
    ),
    "flattened-butterfly": Family(
        "flattened-butterfly:4,3",
        "k-ary n-flat: HyperX of n - 1 dimensions of radix k, k terminals on every node",
        _flattened_butterfly,
        parameters=2,
    ),
    "slim-fly": Family(
        "slim-fly:5",
        "McKay-Miller-Siran graph of a prime power q: 2q^2 routers, diameter 2",
        _slim_fly,
        options=("concentration",),
    ),
    "jellyfish": Family(
        "jellyfish:20,ports=6,degree=4,seed=7",
        "random regular graph of switches, the other ports for terminals",
        _jellyfish,
        options=("ports", "degree", "seed"),
    ),
    "xpander": Family(
        "xpander:5,4,seed=7",
        "random lift of a complete graph: degree d, (d + 1) * lift nodes",
        _xpander,
        parameters=2,
        options=("seed",),
    ),
    "twisted-torus": Family(
        "twisted-torus:4x4x8",
        "k x 2k, k x k x 2k or k x 2k x 2k: the short ways around shift the long dimensions by k",
        lambda p: twisted_torus(*_radix(p), bandwidth=_width(p)),
    ),
    "tofu": Family(
        "tofu:4x4x4",
        "the torus X x Y x Z x 2 x 3 x 2",
        lambda p: tofu(*_radix(p), bandwidth=_width(p)),
    ),
    "bluegene-q": Family(
        "bluegene-q:4x4x4x4",
        "the torus A x B x C x D x 2, twice the bandwidth where the radix is 2",
        lambda p: bluegene_q(*_radix(p), bandwidth=_width(p)),
    ),
    "bcube": Family(
        "bcube:4,1",
        "n^(k+1) servers of k + 1 ports, k + 1 levels of n-port switches",
        lambda p: bcube(_number(p, 0, "n of bcube:n,k"), _number(p, 1, "k of bcube:n,k"), bandwidth=_width(p)),
        parameters=2,
    ),
    "dcell": Family(
        "dcell:4,1",
        "recursive cells of servers that forward packets, n-port switches in the smallest",
        lambda p: dcell(_number(p, 0, "n of dcell:n,k"), _number(p, 1, "k of dcell:n,k"), bandwidth=_width(p)),
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
        flags=(*family.flags, *ATTACH_FLAGS),
        options=(
            "bandwidth",
            *family.options,
            *(x for x in ATTACH_OPTIONS if x not in family.options),
            *(x for x in CABLE_OPTIONS if x not in family.options),
            *REMOVAL_OPTIONS,
        ),
        usage=family.usage,
    )
    own = {k: x for k, x in pieces.options.items() if k not in family.options}
    with with_example(family.usage):
        built = family.build(pieces)
    return remove(attach(cabled(built, own), own, pieces.flags), pieces.options)


def _split(text: str) -> tuple[str, str]:
    """The family's name, and what follows it."""
    head = text.strip().split(":", 1)[0].split(",", 1)[0]
    return head.strip(), text.strip()[len(head) + 1 :]
