"""What makes a family of networks known by its name: a ``Family`` beside the function that builds it, the table of all,
and networks from text: ``family:parameters,options``, such as ``torus:6x4,bandwidth=2x1``; wirings likewise.

Every family has the option ``bandwidth=`` (a fraction for all channels; for tori, meshes, hypercubes and HyperX also
one per dimension, ``2x1``; for fat trees one per level), the terminals of ``attach`` (``concentration=4``, ``hosts``),
``cables=`` and the options of ``removal``: ``dead-nodes``, ``dead-links``, ``dead-channels``, ``kill-links`` with
``kill-seed``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, Generic, TypeVar

from ..core.errors import InputError, did_you_mean
from ..core.multistage.wiring import Wiring, check_wiring
from ..core.network import Network
from ..core.registry import Registry
from ..core.strangers import strangers
from .attach import ATTACH_FLAGS, ATTACH_OPTIONS, attach
from .build import shortened
from .removal import REMOVAL_OPTIONS, remove
from .text import Pieces, name_of, parse_pieces, with_example

Made = TypeVar("Made")


@dataclass(frozen=True)
class Family(Generic[Made]):
    """One family: an example of its text, a line of help, its grammar, and how to build a network from the pieces.

    - ``usage``: an example that works, ``torus:9x9``; it begins with the family's name;
    - ``build``: from the pieces of a text to the network (or the splitter), whose ``spec`` is the canonical text;
    - ``parameters``: how many come before flags and options; ``bandwidth=`` and the options of ``attach``, ``cables``
      and ``removal`` need not be named in ``options``, unless the family gives them a meaning of its own;
    - ``wiring``: of families of levels and wires, the wiring that the network is made of.
    """

    usage: str
    help: str
    build: Callable[[Pieces], Made]
    parameters: int = 1
    flags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    wiring: Callable[[Pieces], Wiring] | None = None

    @property
    def name(self) -> str:
        """The text that stands before the parameters: ``torus``."""
        return name_of(self.usage)

    def pieces(self, text: str, *, flags: Collection[str] = (), options: Collection[str] = ()) -> Pieces:
        """The parts of ``text``, which begins with the family's name; ``flags`` and ``options`` are allowed besides.

        Raises InputError for an unknown or repeated option and for malformed parameters.
        """
        text = text.strip()
        return parse_pieces(
            text[len(self.name) + 1 :],
            where=shortened(text),
            parameters=self.parameters,
            flags=dict.fromkeys((*self.flags, *flags)),
            options=dict.fromkeys((*self.options, *options)),
            usage=self.usage,
        )


def _options(make: Callable[..., Any], *, flags: bool) -> tuple[str, ...]:
    """The keyword arguments of ``make`` but ``bandwidth``: those that are True or False, or the others."""
    named = (x for x in signature(make).parameters.values() if x.kind is x.KEYWORD_ONLY and x.name != "bandwidth")
    return tuple(x.name for x in named if (x.annotation == "bool") == flags)


def called(make: Callable[..., Made], parameters: tuple[str, ...]) -> Callable[[Pieces], Made]:
    """From the pieces of a text to what ``make`` makes of them: its arguments are whole numbers, each by what it is
    called in errors ("q of polarfly"), and by keyword flags (bool), options (int; else as they are) and bandwidth."""
    known = signature(make).parameters
    flags, options = _options(make, flags=True), _options(make, flags=False)

    def build(pieces: Pieces) -> Made:
        by_name = parameters != RADICES
        given = [pieces.number(k, what) for k, what in enumerate(parameters)] if by_name else pieces.radices
        named: dict[str, Any] = {x: x in pieces.flags for x in flags}
        for x in options:
            if x in pieces.options or known[x].default is Parameter.empty:
                named[x] = pieces.needed(x) if known[x].annotation.startswith("int") else pieces.options[x]
        if "bandwidth" in known:
            named["bandwidth"] = pieces.bandwidth
        return make(*given, **named)

    return build


RADICES = ("radices",)
"""In place of parameters: one of the form 6x4, for any number of radices."""


def family(
    usage: str, help: str, make: Callable[..., Made], parameters: str | tuple[str, ...], **more: Any
) -> Family[Made]:
    """The family of a function that is ``called``, with its flags and options.  ``parameters``: as there, or their
    letters, "p,a,h" of dragonfly:p,a,h; ``more``: fields that are given otherwise."""
    if isinstance(parameters, str):
        parameters = tuple(f"{x} of {name_of(usage)}:{parameters}" for x in parameters.split(","))
    flags, options = _options(make, flags=True), _options(make, flags=False)
    made = {"build": called(make, parameters), **more}
    return Family(usage, help, parameters=len(parameters), flags=flags, options=options, **made)


TOPOLOGIES: Registry[Family[Network]] = Registry(
    "topology",
    Family,
    rooms=[f"{__package__}.{room}" for room in ("grid", "datacenter", "random", "multistage")],
    group="routeproof.topologies",
    returns={"build": Network, "wiring": Wiring},
)
"""Every family by its name, those of other packages included."""


NAMES_LISTED = "docs/topologies.md lists the families, such as torus:9x9, fat-tree:8 and dragonfly:2,4,2"
"""For errors about names."""

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
    return InputError(f"unknown {what} {shortened(repr(name))}; {did_you_mean(name[:100], known, listed=NAMES_LISTED)}")


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
