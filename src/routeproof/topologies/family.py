"""What makes a family of networks known by its name: a ``Family`` beside the function that builds it, and the table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from ..core.multistage.wiring import Wiring
from ..core.network import Network
from ..core.registry import Registry
from .build import shortened
from .text import Pieces, name_of, parse_pieces

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


def called(
    make: Callable[..., Made],
    parameters: tuple[str, ...],
    *,
    needed: tuple[str, ...] = (),
    whole: tuple[str, ...] = (),
    texts: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
) -> Callable[[Pieces], Made]:
    """From the pieces of a text to what ``make`` makes of them: its arguments are whole numbers, each by what it is
    called in errors ("q of polarfly"), and by keyword the options (``needed`` and ``whole``: whole numbers; ``texts``:
    as they are) and the ``flags``."""

    def build(pieces: Pieces) -> Made:
        by_name = parameters != RADICES
        given = [pieces.number(k, what) for k, what in enumerate(parameters)] if by_name else pieces.radices
        options: dict[str, Any] = {x: pieces.needed(x) for x in (*needed, *(x for x in whole if x in pieces.options))}
        options |= {x: pieces.options[x] for x in texts if x in pieces.options}
        return make(*given, **options, **{x: x in pieces.flags for x in flags})

    return build


RADICES = ("radices",)
"""In place of parameters: one of the form 6x4, for any number of radices."""


def family(
    usage: str,
    help: str,
    make: Callable[..., Network],
    parameters: str | tuple[str, ...],
    *,
    needed: tuple[str, ...] = (),
    whole: tuple[str, ...] = (),
    texts: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
) -> Family[Network]:
    """The family of a function that is ``called`` with ``bandwidth`` besides.  ``parameters``: as there, or their
    letters, "p,a,h" of dragonfly:p,a,h."""
    if isinstance(parameters, str):
        parameters = tuple(f"{x} of {name_of(usage)}:{parameters}" for x in parameters.split(","))

    def build(pieces: Pieces) -> Network:
        made = partial(make, bandwidth=pieces.bandwidth)
        return called(made, parameters, needed=needed, whole=whole, texts=texts, flags=flags)(pieces)

    return Family(usage, help, build, parameters=len(parameters), flags=flags, options=(*needed, *whole, *texts))


TOPOLOGIES: Registry[Family[Network]] = Registry(
    "topology",
    Family,
    rooms=[f"{__package__}.{room}" for room in ("grid", "datacenter", "random", "multistage")],
    group="routeproof.topologies",
    returns={"build": Network, "wiring": Wiring},
)
"""Every family by its name, those of other packages included."""
