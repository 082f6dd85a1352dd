"""A network, or a routing on it, from one form to another."""

from __future__ import annotations

import os.path
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from .answer import ALONE, Answer, Setting, Shown
from .given import Given
from .question import Question, argument, flag, option, question, spelled
from .shared import FIGURE_FILES, THEME

if TYPE_CHECKING:
    from ..core.network import Network

PERMUTATIONS = (".txt", ".map", ".matrix")  # formats.documents.traffic writes them


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ConvertAnswer(Answer):
    """``written``: what stands in the file ``target`` now; ``converted``: the network, where that is there;
    ``counts``: its sizes, where it was not drawn."""

    shown = Shown("terminal.converted:converted_parts", page="terminal.converted:converted_page")

    source: str
    target: str
    written: str
    converted: Network | None = None
    counts: str = ""

    @property
    def subject(self) -> dict[str, Any]:
        from ..formats.documents.network import network_to_document

        network = {} if self.converted is None else {"network": network_to_document(self.converted)}
        return {"topology": self.source, **network}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DrawnAnswer(ConvertAnswer):
    """The network, to be drawn into the target."""

    shown = replace(ConvertAnswer.shown, figure="drawing.plot:converted_figure")


@question
class Convert(Question[ConvertAnswer]):
    """Write a network, or with --routing a routing on it, in another format; the name of the new file says which.

    For example: routeproof convert fabric.topo --routing better.json better.lft
    """

    verb, place = "convert", 160
    panel = "Files and runs"

    source: str = argument(
        "IN",
        "A name such as torus:6x4, a network file (formats: docs/formats.md), or a report, whose worst permutation is "
        "written.",
    )
    target: str = argument(
        "OUT",
        "The file to write: {network_files}; with --routing {routing_files}; of a report .txt, .map (CAMINOS) or "
        ".matrix (YATES); a drawing: .svg, .png or .pdf.",
    )
    routing: str | None = option(
        "ROUTING", "Write this routing on the network IN instead.", "--routing", "-r", default=None
    )
    virtual_channels: bool = flag(
        "With --routing: write the virtual channel of every hop, too.", "--virtual-channels", default=False
    )
    numbering: str = option(
        None,
        "Of the worst permutation of a grid: column-major is that of BookSim, CAMINOS and SST.",
        default="row-major",
        choices=("row-major", "column-major"),
    )
    fill: bool = flag("The worst permutation with no sender idle, as far as possible.", "--fill", default=False)
    theme: str = spelled(THEME, default="light", init=False)

    @classmethod
    def read(cls, given: Given) -> Convert:
        asked = cls(**cls.fields_given(given))
        if given["html"] is not None and (asked.routing is not None or asked.kind in PERMUTATIONS):
            raise InputError("--html shows a network that is written or drawn; a routing or a permutation has no page")
        return asked

    @property
    def kind(self) -> str:
        """How the name of the new file ends."""
        return os.path.splitext(self.target)[1].lower()

    def answer(self, setting: Setting = ALONE) -> ConvertAnswer:
        with setting.stage("convert"):
            return self._answer()

    def _answer(self) -> ConvertAnswer:
        drawn, column_major = self.kind in FIGURE_FILES, self.numbering == "column-major"
        if self.virtual_channels and (self.routing is None or drawn):
            raise InputError("--virtual-channels goes with --routing and a file of paths, whose hops they are of")
        if (column_major or self.fill) and (self.routing is not None or self.kind not in PERMUTATIONS):
            name = "--fill" if self.fill else "--numbering"
            raise InputError(f"{name} is for the worst permutation of a report, written as {', '.join(PERMUTATIONS)}")
        if drawn:
            return self._drawn()
        if self.routing is not None:
            return self._said(self._routing(self.routing))
        if self.kind in PERMUTATIONS:
            return self._said(self._permutation(column_major))
        from ..formats.resolve import convert

        network = convert(self.source, self.target)
        counts = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
        return ConvertAnswer(
            stated=(), source=self.source, target=self.target, written=f"{network.name}, {counts}", converted=network,
            counts=counts,
        )  # fmt: skip

    def _said(self, written: str) -> ConvertAnswer:
        return ConvertAnswer(stated=(), source=self.source, target=self.target, written=written)

    def _drawn(self) -> DrawnAnswer:
        from ..formats.resolve import resolve_network

        network = resolve_network(self.source)
        written = f"{network.name}, {network.num_nodes} nodes, {network.num_channels} channels, drawn"
        return DrawnAnswer(stated=(), source=self.source, target=self.target, written=written, converted=network)

    def _permutation(self, column_major: bool) -> str:
        from ..formats.documents.json_text import read_json_object
        from ..formats.documents.traffic import write_permutation
        from ..formats.text_files import shown
        from ..worst.worst_traffic import exported_permutation

        document = read_json_object(self.source, wanted="a report")
        permutation, notes = exported_permutation(
            document, what=f"file {shown(self.source)}", fill=self.fill, column_major=column_major
        )
        write_permutation(permutation, self.target)
        return "; ".join([f"the worst permutation of {len(permutation)} terminals", *notes])

    def _routing(self, text: str) -> str:
        from ..routing.files.table import routing_writer, wrote
        from ..worst.deadlock.channels import with_virtual_channels

        write = routing_writer(self.target)
        given = Given({"topology": self.source})
        chosen = given.routing(text)
        if self.virtual_channels:
            table = with_virtual_channels(chosen)
            count = max((max(x, default=0) for x in (table.path_virtual or {}).values()), default=0) + 1
            return f"{wrote(write(table), chosen)} of {chosen.name} on {given.network.name}, {count} virtual channels"
        return f"{write(chosen)} of {chosen.name} on {given.network.name}"
