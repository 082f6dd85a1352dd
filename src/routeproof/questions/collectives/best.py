"""How fast a collective operation can be on a network: the rate that no schedule passes, and trees that reach it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError, check_choice
from ..answer import ALONE, PlainAnswer, Setting, Shown, network_subject, timed
from ..given import Given
from ..question import Option, Question, flag, option, question, spelled
from ..shared import JSON_REPORT, TOPOLOGY
from .host_cables import HOST_CABLES, Cables, cables_subject, counted, counted_cables, network_with, ranks_on

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...core.network import Network
    from ...optimum.collectives.result import Best


OPERATIONS = ("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast")
_COPIED = ("all-gather", "broadcast")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CollectiveAnswer(PlainAnswer):
    """``ranks``: the terminals that take part; ``found``: by operation, the cut and the trees; ``cables``: what every
    terminal's own cable carries, None where these do not count."""

    shown = Shown("terminal.collective:collective_parts")

    of: Network
    operation: str
    ranks: Sequence[int]
    found: dict[str, Best]
    cables: Sequence[Fraction] | None = None

    @property
    def network(self) -> Network:
        return self.of


def _read_ranks(given: Given, path: str | None) -> tuple[int, ...] | None:
    from ...formats.demands.ranks import read_ranks

    return None if path is None else read_ranks(path, given.network)


def _read_root(given: Given, word: str | None) -> int | None:
    from ...formats.demands.terminal_names import TerminalNames

    if word is None:
        return None
    found = TerminalNames(given.network).find(word, what="--root")
    if len(found) != 1:
        raise InputError(f"--root {word} names {len(found)} terminals; one was expected")
    return found[0]


RANKS = Option(
    value="FILE",
    text="The terminals that take part, in order, a name or number each; default: all.",
    kind=str | None,
    read=_read_ranks,
    python="The terminals that take part, in order; None for all.",
)
ROOT = Option(
    value="TERMINAL",
    text="Of a broadcast: the terminal that emits; default: the first rank.",
    kind=str | None,
    read=_read_root,
    python="Of a broadcast: the terminal that emits; None for the first rank.",
)


@question
class Collective(Question[CollectiveAnswer]):
    """How fast a collective can be: the exact rate that no schedule passes, with trees that reach it.

    Every terminal is a rank, or those of --ranks are; nodes without ranks are switches, which pass units on and copy
    none. From above, a set of nodes which all that its ranks emit must leave; from below, trees that fit together into
    every channel. An all-reduce is a reduce-scatter and then an all-gather, or goes along trees that are used both
    ways; where no way is proved to be the best one, both ends are stated.

    For example: routeproof collective torus:4x4 --operation all-gather

        >>> import routeproof as rp
        >>> rp.collective(rp.torus(4, 4), operation="all-gather").value("collective_throughput")
        Fraction(4, 15)

    Source: Edmonds 1973; ForestColl (Zhao et al. 2024).  Raises InputError for ranks at one node, and for ranks that
    cannot be reached.
    """

    function = "collective"

    topology: Network = spelled(TOPOLOGY)
    _: KW_ONLY
    operation: str = option(None, "Which collective.", choices=OPERATIONS, required=True)
    ranks: Sequence[int] | None = spelled(RANKS, default=None)
    root: int | None = spelled(ROOT, default=None)
    multicast: bool = flag("Switches copy, too: of an all-gather or a broadcast.", "--multicast", default=False)
    host_cables: Fraction | int | str | None = spelled(HOST_CABLES, default=None)
    bound: bool = flag("Only the bound from above: no trees are packed.", "--bound", default=False)
    trees: int | None = option(
        "K",
        "K trees of equal weight from every rank: what they reach of the optimum.",
        "--trees",
        default=None,
        kind=int | None,
        min=1,
        python="So many trees of equal weight from every rank.",
    )
    pieces: int | None = option(
        "C",
        "With --output: every tree sends its data on in C pieces (1).",
        default=None,
        kind=int | None,
        min=1,
        python="Of a schedule that is written: every tree sends its data on in so many pieces.",
    )
    output: str | None = option(
        "FILE",
        "Write the trees as a schedule: .xml (MSCCL's) or .json (a schedule document).",
        "--output",
        "-o",
        default=None,
        kind=str | None,
        python="Write the trees as a schedule into this file: .xml or .json.",
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"{self.operation} on {self.topology.name}"

    @timed
    def answer(self, setting: Setting = ALONE) -> CollectiveAnswer:
        from ...claims.collectives.bandwidths import bandwidth_claims

        check_choice("the operation", self.operation, OPERATIONS)
        network = self.topology
        cables = counted_cables(network, self.host_cables)
        placed = network_with(network, cables)
        ranks = ranks_on(placed, self.ranks, cables)
        if self.root is not None and self.operation != "broadcast":
            raise InputError(f"--root is for a broadcast; {self.operation} has none")
        if self.multicast and self.operation not in _COPIED:
            raise InputError(f"--multicast is for {' and '.join(_COPIED)}; in {self.operation} nothing is copied alone")
        if self.bound and self.operation == "all-to-all":
            raise InputError("--bound leaves trees out, and an all-to-all has none")
        self._check_written()
        found = self._found(placed, ranks, cables, setting)
        notes = [] if self.output is None else [self._written(found, ranks, network, self.output)]
        claims = self._claims(found, ranks, cables, setting)
        of_operation = [x for x in claims if x.about["operation"] == self.operation]
        claims += [y for x in of_operation for y in bandwidth_claims(x, len(ranks))]
        subject = {**({} if self.ranks is None else {"ranks": list(ranks)}), **cables_subject(cables)}
        return CollectiveAnswer(
            about={"kind": "collective", **network_subject(network, topology=setting.topology), **subject},
            stated=claims,
            notes=notes,
            of=network,
            operation=self.operation,
            ranks=ranks,
            found=found,
            cables=cables,
        )

    def _check_written(self) -> None:
        """Raise InputError for options of trees where there are none."""
        given = [x for x, value in (("--output", self.output), ("--trees", self.trees)) if value is not None]
        if self.pieces is not None and self.output is None:
            raise InputError("--pieces goes with --output FILE, the schedule whose trees send pieces")
        if given and (self.bound or self.multicast or self.operation == "all-to-all"):
            without = "--bound" if self.bound else "--multicast" if self.multicast else self.operation
            raise InputError(f"{given[0]} is about trees between ranks, and {without} has none")
        if self.trees is not None and self.operation == "all-reduce":
            raise InputError("--trees is for one operation; an all-reduce is two, reduce-scatter and all-gather")
        if self.output is not None:
            from ...formats.schedules.table import schedule_writer

            schedule_writer(self.output)

    def _written(self, found: dict[str, Best], ranks: Sequence[int], network: Network, path: str) -> str:
        from ...core.schedules.schedule import chunks_text
        from ...formats.schedules.packed_trees import schedule_of_trees
        from ...formats.schedules.table import write_schedule

        if not all(x.trees for x in found.values()):
            return f"{path} is not written: no trees were found"
        phases = [(x.task, x.trees) for x in found.values()]
        name = f"{self.operation} on {network.name}"
        schedule = schedule_of_trees(self.operation, phases, ranks, name=name, pieces=self.pieces or 1)
        write_schedule(schedule, path)
        what = f"{schedule.num_ranks} ranks, {chunks_text(schedule.chunks)}, {schedule.num_steps} steps"
        way = ", a reduce-scatter and then an all-gather" if self.operation == "all-reduce" else ""
        return f"{path}{way}: {what}; routeproof schedule judges it"

    def _about(self, operation: str, ranks: Sequence[int], cables: Cables) -> dict[str, Any]:
        rooted = {"root": ranks[0] if self.root is None else self.root} if operation == "broadcast" else {}
        copying = {"switches": "multicast"} if self.multicast else {}
        return {"operation": operation, **rooted, **copying, **counted(cables)}

    def _found(self, placed: Network, ranks: Sequence[int], cables: Cables, setting: Setting) -> dict[str, Best]:
        from ...claims.collectives.all_reduce import PHASES
        from ...core.collective import broadcasts_of
        from ...optimum.collectives.result import best_broadcasts

        phases = {"all-reduce": PHASES, "all-to-all": ()}.get(self.operation, (self.operation,))
        found: dict[str, Best] = {}
        for phase in phases:
            about = self._about(phase, ranks, cables)
            task = broadcasts_of(placed, phase, ranks=ranks, root=about.get("root"))
            trees = not self.bound and not any(x.interrupted for x in found.values())
            written = self.output is not None or self.trees is not None
            found[phase] = best_broadcasts(
                task,
                trees=trees and self.trees is None,
                switches_copy=self.multicast,
                symmetric=not written,
                stage=setting.stage,
            )
            if self.trees is not None:
                from ...optimum.collectives.result import few_trees

                found[phase] = few_trees(found[phase], self.trees, setting.stage)
        return found

    def _claims(self, found: dict[str, Best], ranks: Sequence[int], cables: Cables, setting: Setting) -> list[Claim]:
        if self.operation == "all-to-all":
            from ...optimum.collectives.all_to_all import all_to_all_claims

            with setting.stage("uniform traffic"):
                return all_to_all_claims(
                    self.topology, self.ranks, cables, about=self._about(self.operation, ranks, cables)
                )
        claims = [y for phase, x in found.items() for y in x.claims(self._about(phase, ranks, cables))]
        if self.operation == "all-reduce":
            from ...optimum.collectives.all_reduce import all_reduce_claims

            claims = [*all_reduce_claims(found, len(ranks), counted(cables), stage=setting.stage), *claims]
        return claims
