"""What every answer is: claims with their evidence, and the subject that they are about."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from ..core.errors import warn
from ..core.spread import Spread, Stage, silent

if TYPE_CHECKING:
    from ..core.claim import Claim
    from ..core.network import Network
    from ..engine import Engine
    from ..routing.base.routing import Routing


@dataclass(frozen=True, eq=False)
class Setting:
    """Around a question.

    - ``topology``: what the user typed for the network, for people; None for its name;
    - ``engine``: where work of many independent pieces is done; None for this process;
    - ``stage``: ``stage(name)`` is entered for each long piece of work; it gives a ``progress(done, total)`` or None;
    - ``solving``: the same for stages of solving a program, which tell in words; None: as other stages;
    - ``words``: the same for other work that tells in words how far it is;
    - ``warn(message)``: says at once what should be known before long work.
    """

    topology: str | None = None
    engine: Engine | None = None
    stage: Stage = silent
    solving: Callable[[str], AbstractContextManager[Any]] | None = None
    words: Callable[[str], AbstractContextManager[Any]] = silent
    warn: Callable[[str], None] = warn

    @property
    def of_programs(self) -> Setting:
        """The same, with the stages of solving a program."""
        return self if self.solving is None else replace(self, stage=self.solving)

    @property
    def spread(self) -> Spread | None:
        return None if self.engine is None else self.engine.spread


ALONE = Setting()


@dataclass(frozen=True)
class Shown:
    """How an answer is shown: functions of the room ``report``, each as module and name.

    - ``parts(answer)``: what a terminal shows; ``display``: options of the command that it also takes;
    - ``figure(answer, theme)``; ``on_page``: the page shows it, too; ``drawn``: fields of the question that it also
      takes; ``plot(answer, path, theme)``: writes a file that is no figure;
    - ``table(answer)``, ``numbers(answer)``: heads and rows of the table for people and for programs;
    - ``page(answer)``: what the page says otherwise, as arguments of ``Page`` (and its ``subject``);
    - ``unsettled(answer)``: a line for an answer that settles nothing.
    """

    parts: str = "terminal.table:plain_parts"
    display: tuple[str, ...] = ()
    figure: str | None = None
    on_page: bool = False
    drawn: tuple[str, ...] = ()
    plot: str | None = None
    table: str | None = None
    numbers: str | None = None
    page: str | None = None
    unsettled: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Answer(ABC):
    """One question answered: everything that the report of ``--json`` holds.

    ``stated``: the claims; ``notes``: how sampling ended, or what was not found, for people; ``seconds``: how long it
    took.  A concrete answer also keeps what it was made from (the routing, the curve, the run), for those who draw it.
    """

    shown: ClassVar[Shown] = Shown()

    stated: Sequence[Claim]
    notes: Sequence[str] = ()
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.stated)} claims>"

    @property
    @abstractmethod
    def subject(self) -> dict[str, Any]:
        """What the claims are about, as ``verification.report`` lists it: enough to check them without files."""

    @property
    def network(self) -> Network | None:
        """The network that all claims are about; None where there is none, or several."""
        return None

    @property
    def undrawable(self) -> str:
        """Why there is nothing to draw; empty where there is something."""
        return ""

    @property
    def settled(self) -> bool:
        """Is what was asked answered, either way?"""
        return True

    @property
    def failed(self) -> bool:
        """Is the exit status 1, as was asked for, once everything is shown and written?"""
        return False

    def claims(self) -> Sequence[Claim]:
        """Every claim, in the order in which people want them, with all its qualifiers."""
        return self.stated

    def document(self) -> dict[str, Any]:
        """The report as a JSON document."""
        from ..formats.documents.report import claims_to_document

        return claims_to_document(self.subject, self.claims())

    def write(self, path: str | Path) -> None:
        """Write the report into a file, whole or not at all; raises InputError if the file cannot be written."""
        from ..formats.documents.json_text import write_json

        write_json(self.document(), path)


P = ParamSpec("P")
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PlainAnswer(Answer):
    """Claims about the subject ``about``."""

    about: dict[str, Any]

    @property
    def subject(self) -> dict[str, Any]:
        return self.about


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RoutingAnswer(Answer):
    """Claims about ``routing``.

    ``topology``: what the user typed, for people (None: the network's name); ``more``: what the subject holds besides
    network and routing; ``beside``: other routings on the network that claims are about; ``by_paths``: some are about
    the explicit paths of the routing.
    """

    routing: Routing
    by_paths: bool = False
    topology: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    beside: Sequence[Routing] = ()

    @property
    def network(self) -> Network:
        return self.routing.network

    @property
    def subject(self) -> dict[str, Any]:
        used = used_attributes(self.routing, *self.beside)
        network = network_subject(self.network, topology=self.topology, attributes=used)
        return {**subject_of(self.routing, topology=self.topology, paths=self.by_paths), **network, **self.more}


def timed(answer: Callable[P, A]) -> Callable[P, A]:
    """The function that answers a question, with the time that it took in the answer."""

    @wraps(answer)
    def run(*args: P.args, **options: P.kwargs) -> A:
        start = time.perf_counter()
        return replace(answer(*args, **options), seconds=time.perf_counter() - start)

    return run


def subject_of(routing: Routing, *, topology: str | None = None, paths: bool = False) -> dict[str, Any]:
    """``{"kind": "analysis", "network": ..., "routing": ..., "topology": ...}``, each by name or in full.

    ``topology`` is what the user typed, for people; ``paths``: for claims about the explicit paths of ``routing``.
    (``verification.report`` lists the kinds.)
    """
    from ..routing.named.described import describe_routing

    return {
        "kind": "analysis",
        **network_subject(routing.network, topology=topology, attributes=routing.channel_attributes),
        "routing": describe_routing(routing, paths=paths),
    }


def used_attributes(*routings: Routing) -> frozenset[str]:
    """The channel attributes of the network that any of them rests on."""
    return frozenset[str]().union(*(x.channel_attributes for x in routings))


def network_subject(
    network: Network, *, topology: str | None = None, attributes: Collection[str] = ()
) -> dict[str, Any]:
    """``{"topology": what the user typed, "network": its spec, or all of it}``; of its channel attributes those that
    the subject's routings use."""
    from ..formats.documents.network import network_to_document

    described = (
        {"spec": network.spec} if network.spec is not None else network_to_document(network, attributes=attributes)
    )
    return {"topology": topology or network.spec or network.name, "network": described}


PARTS = frozenset({"channel", "job", "across", "packets"})
"""Qualifiers of a claim about a part of what was asked."""


def exact_value(claim: Claim | None) -> Fraction | None:
    """The number of a claim about one exact number; None for others, and where there is none."""
    return claim.value if claim is not None and isinstance(claim.value, Fraction) else None


def ends(low: Fraction, high: Fraction) -> dict[str, Fraction]:
    """Values by relation: of a number that lies between two, or is known where these are equal."""
    return {"==": low} if low == high else {"<=": high, ">=": low}
