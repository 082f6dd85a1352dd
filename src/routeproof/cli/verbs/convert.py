"""``routeproof convert``: a network, or a routing on it, from one form to another."""

from __future__ import annotations

import enum
import os.path
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from ...core.errors import InputError
from ..frame import inputs, outcome, screen
from ..frame.arguments import Theme, ThemeName, argument, flag, option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.network import Network

_Numbering = enum.StrEnum("_Numbering", {"ROW_MAJOR": "row-major", "COLUMN_MAJOR": "column-major"})


def convert(
    source: Annotated[
        str,
        argument(
            "IN",
            "A topology such as torus:6x4, a network file ({networks}), or a report, whose worst permutation is "
            "written.",
        ),
    ],
    target: Annotated[
        str,
        argument(
            "OUT",
            "The file to write: {network_files}; with --routing {routing_files}; of a report .txt, .map (CAMINOS) "
            "or .matrix (YATES); a drawing: .svg, .png or .pdf.",
        ),
    ],
    routing: Annotated[
        str | None, option("ROUTING", "Write this routing on the network IN instead.", "--routing", "-r")
    ] = None,
    virtual_channels: Annotated[
        bool, flag("With --routing: write the virtual channel of every hop, too.", "--virtual-channels")
    ] = False,
    numbering: Annotated[
        _Numbering,
        option(None, "Of the worst permutation of a grid: column-major is that of BookSim, CAMINOS and SST."),
    ] = _Numbering.ROW_MAJOR,
    fill: Annotated[bool, flag("The worst permutation with no sender idle, as far as possible.", "--fill")] = False,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Write a network, or with --routing a routing on it, in another format; the name of the new file says which.

    For example: routeproof convert fabric.topo --routing better.json better.lft
    """
    from rich.text import Text

    from ...core.escape import printable
    from ...formats.documents.traffic import PERMUTATION_FORMS
    from ...formats.resolve import convert as convert_file
    from ...report.figures.style import FORMATS

    outcome.check_target(target)
    kind = os.path.splitext(target)[1].lower()
    if virtual_channels and (routing is None or kind in FORMATS):
        raise InputError("--virtual-channels goes with --routing and a file of paths, whose hops they are of")
    column_major = numbering is _Numbering.COLUMN_MAJOR
    if (column_major or fill) and (routing is not None or kind not in PERMUTATION_FORMS):
        name = "--fill" if fill else "--numbering"
        raise InputError(f"{name} is for the worst permutation of a report, written as {', '.join(PERMUTATION_FORMS)}")
    if kind in FORMATS:
        written = printable(_figure(source, target, theme.value))
    elif routing is not None:
        written = printable(_routing(source, routing, target, virtual=virtual_channels))
    elif kind in PERMUTATION_FORMS:
        written = _permutation(source, target, fill=fill, column_major=column_major)
    else:
        network = convert_file(source, target)
        counts = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
        _put_on_page(source, network, [Text(counts)])
        written = f"{printable(network.name)}, {counts}"
    screen.show(Text(f"{printable(target)}: {written}"))


def _put_on_page(source: str, network: Network, shown: Sequence[RenderableType] = ()) -> None:
    from ...formats.documents.network import network_to_document

    about = {"topology": source, "network": network_to_document(network)}
    outcome.put_on_page(about, [], title=network.name, parts=shown)


def _figure(source: str, target: str, theme: str) -> str:
    """The network, drawn."""
    from ...formats.resolve import resolve_network
    from ...report.drawing.geography import positions_in_file
    from ...report.figures.network import draw_network
    from ...report.figures.style import theme_named

    network = resolve_network(source)
    positions = positions_in_file(source, num_nodes=network.num_nodes)
    draw_network(network, target, positions=positions, theme=theme_named(theme))
    _put_on_page(source, network)
    return f"{network.name}, {network.num_nodes} nodes, {network.num_channels} channels, drawn"


def _permutation(source: str, target: str, *, fill: bool, column_major: bool) -> str:
    from ...formats.documents.json_text import read_json_object
    from ...formats.documents.traffic import write_permutation
    from ...formats.text_files import shown
    from ...worst.worst_traffic import exported_permutation

    document = read_json_object(source, wanted="a report")
    permutation, notes = exported_permutation(
        document, what=f"file {shown(source)}", fill=fill, column_major=column_major
    )
    write_permutation(permutation, target)
    return "; ".join([f"the worst permutation of {len(permutation)} terminals", *notes])


def _routing(source: str, text: str, target: str, *, virtual: bool) -> str:
    from ...formats.resolve import resolve_network
    from ...routing.files.table import routing_writer, wrote
    from ...worst.deadlock.channels import with_virtual_channels

    write = routing_writer(target)
    network = resolve_network(source)
    chosen = inputs.routing_given(text, network)
    if virtual:
        table = with_virtual_channels(chosen)
        count = max((max(x, default=0) for x in (table.path_virtual or {}).values()), default=0) + 1
        return f"{wrote(write(table), chosen)} of {chosen.name} on {network.name}, {count} virtual channels"
    return f"{write(chosen)} of {chosen.name} on {network.name}"
