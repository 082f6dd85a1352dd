"""The routings that have names: what each is, its options, and how it is made.

Names and their options are those of the command line, and stable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...core.network import Network
from ...core.plain_names import reads_like
from ..base.routing import Routing
from .aliases import ALIASES, NEAREST
from .practice import PRACTICE

__all__ = ["DESIGNED", "ROUTINGS", "Designed", "Entry", "is_taken"]


@dataclass(frozen=True)
class Entry:
    """A routing by name: one line of help, its options (each with one line of help), and how it is made."""

    help: str
    make: Callable[[Network, dict[str, Any]], Routing]
    options: Mapping[str, str] = field(default_factory=dict)
    whole_numbers: frozenset[str] = frozenset()


def _dor(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.dor import DOR

    return DOR(**options).on(network)


def _valiant(network: Network, options: dict[str, Any]) -> Routing:
    if network.grid is not None or options:
        from ..grid.valiant import Valiant

        return Valiant(**options).on(network)
    from ..graph.valiant import AnyGraphValiant

    return AnyGraphValiant(network)


def _romm(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.romm import ROMM

    return ROMM(**options).on(network)


def _o1turn(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.o1turn import O1TURN

    return O1TURN(**options).on(network)


def _minimal(network: Network, options: dict[str, Any]) -> Routing:
    from ..graph.minimal import Minimal

    return Minimal(**options).on(network)


def _rlb(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.rlb import RLB

    return RLB(**options).on(network)


def _rlbth(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.rlb import RLB

    return RLB(threshold=True, **options).on(network)


def _ival(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.ival import IVAL

    return IVAL(**options).on(network)


def _u2turn(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.u2turn import U2TURN

    return U2TURN(**options).on(network)


def _wrd(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.wrd import WRD

    return WRD(**options).on(network)


def _w2turn(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.w2turn import W2TURN

    return W2TURN(**options).on(network)


def _turns(network: Network, options: dict[str, Any]) -> Routing:
    from ..grid.turns import Turns

    return Turns(**options).on(network)


_PHASES = "random in each phase, or an order such as xy for both, or both such as xy-yx"
_TIE = "split (either way alike) or plus, at distance k/2 of an even torus dimension"

ROUTINGS: Mapping[str, Entry] = {
    "dor": Entry(
        "dimension order, x first, on tori, meshes and HyperX (e-cube, XY)",
        _dor,
        {"tie": _TIE, "order": "the order of dimensions, such as yx, or random"},
    ),
    "valiant": Entry(
        "through a random node; on grids in dimension order, elsewhere by random shortest paths",
        _valiant,
        {"tie": _TIE},
    ),
    "romm": Entry(
        "two-phase minimal through a random node of the minimal quadrant",
        _romm,
        {"tie": "split or union, at distance k/2", "order": "random, or both phases' orders, such as xy-yx"},
    ),
    "o1turn": Entry("xy or yx with probability 1/2 each, in two dimensions", _o1turn, {"tie": _TIE}),
    "rlb": Entry(
        "randomized local balance: on tori, each dimension's way of L hops with probability (k - L)/k",
        _rlb,
        {"order": _PHASES},
    ),
    "rlbth": Entry("RLB, but always the short way where fewer than k/4 hops are needed", _rlbth, {"order": _PHASES}),
    "ival": Entry(
        "Valiant's with a reversed second phase and loops removed, on tori",
        _ival,
        {
            "order": "the order of phase one, such as yx, or random",
            "phases": "reversed, or same: phase two in the order of phase one",
            "tie": _TIE,
        },
    ),
    "u2turn": Entry("on meshes of two dimensions, at most two turns through a random column or row", _u2turn),
    "w2turn": Entry("on k x k tori, at most two turns with weights in closed form: the best worst case", _w2turn),
    "wrd": Entry("weighted random directions on rings: the shortest paths among the best worst cases", _wrd),
    "minimal": Entry(
        "random shortest paths, on any network",
        _minimal,
        {"choice": "per-path (uniform over shortest paths) or per-hop (uniform over the next channels)"},
    ),
    "ecmp": Entry("another name of minimal:choice=per-path", _minimal),
    "turns": Entry(
        "minimal paths of few turns, in two dimensions; turns:limit=4,start=virtual is 5TURNS",
        _turns,
        {"limit": "the most turns that a packet makes", "start": "virtual (it may turn at its source) or strict"},
        frozenset({"limit"}),
    ),
    **{name: Entry(*entry) for name, entry in PRACTICE.items()},
}


@dataclass(frozen=True)
class Designed:
    """A routing that a linear program makes: ``module:function`` does it, from the network and the text of the options.

    It is named by text because this room knows nothing of design; ``paths``: the path set that its name promises.
    """

    help: str
    function: str
    paths: str
    options: Mapping[str, str] = field(default_factory=dict)


DESIGNED: Mapping[str, Designed] = {
    "2turn": Designed(
        "the best worst case, then the shortest paths, with paths of at most two turns; solved for when asked for",
        "routeproof.design.two_turn:two_turn",
        "2turn",
    ),
    "2turna": Designed(
        "the best average case, then the shortest paths, with paths of at most two turns; solved for when asked for",
        "routeproof.design.two_turn:two_turn_average",
        "2turn",
        {
            "traffic": "permutation, two-permutations, three-permutations or sinkhorn",
            "samples": "how many random matrices it is made for (100)",
            "seed": "of the sample (0)",
        },
    ),
}


def is_taken(name: str) -> bool:
    """Could this package make a routing of that name, or of one that reads like it?"""
    return reads_like(name, (*ROUTINGS, *DESIGNED, *ALIASES, *NEAREST, "mix")) is not None
