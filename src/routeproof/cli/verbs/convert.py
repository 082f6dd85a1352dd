"""``routeproof convert``: a network, or a routing on it, from one form to another."""

from __future__ import annotations

import os.path
from typing import Annotated

import typer

from .plot_options import Theme, ThemeName

__all__ = ["convert"]


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A topology such as torus:6x4, a network file ({networks}), or a report, whose worst permutation is "
            "written.",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write: {network_files}; with --routing {routing_files}; of a report .txt, .map (CAMINOS) "
            "or .matrix (YATES); a drawing: .svg, .png or .pdf.",
        ),
    ],
    routing: Annotated[
        str | None,
        typer.Option("--routing", "-r", metavar="ROUTING", help="Write this routing on the network IN instead."),
    ] = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Write a network, or with --routing a routing on it, in another format; the name of the new file says which.

    For example: routeproof convert fabric.topo --routing better.json better.lft
    """
    from rich.text import Text

    from ...formats.documents.network import network_to_document
    from ...formats.documents.traffic import PERMUTATION_FORMS
    from ...formats.resolve import convert as convert_file
    from ...report.figures.style import FORMATS
    from ...report.terminal.escape import printable
    from ..frame.html_option import put_on_page
    from ..frame.screen import show

    if os.path.splitext(target)[1].lower() in FORMATS:
        show(Text(f"{printable(target)}: {printable(_figure(source, target, theme.value))}"))
        return
    if routing is not None:
        show(Text(f"{printable(target)}: {printable(_routing(source, routing, target))}"))
        return
    if os.path.splitext(target)[1].lower() in PERMUTATION_FORMS:
        show(Text(f"{printable(target)}: {_permutation(source, target)}"))
        return
    network = convert_file(source, target)
    counts = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
    about = {"topology": source, "network": network_to_document(network)}
    put_on_page(about, [], title=network.name, shown=[Text(counts)])
    show(Text(f"{printable(target)}: {printable(network.name)}, {counts}"))


def _figure(source: str, target: str, theme: str) -> str:
    """The network, drawn."""
    from ...formats.resolve import resolve_network
    from ...report.drawing.geography import positions_in_file
    from ...report.figures.network import draw_network
    from ...report.figures.style import theme_named
    from ..frame.html_option import put_on_page
    from ..frame.outcome import check_target

    check_target(target)
    network = resolve_network(source)
    positions = positions_in_file(source, num_nodes=network.num_nodes)
    draw_network(network, target, positions=positions, theme=theme_named(theme))
    from ...formats.documents.network import network_to_document

    put_on_page({"topology": source, "network": network_to_document(network)}, [], title=network.name)
    return f"{network.name}, {network.num_nodes} nodes, {network.num_channels} channels, drawn"


def _permutation(source: str, target: str) -> str:
    from ...formats.documents.json_text import read_json_object
    from ...formats.documents.traffic import permutation_of_report, write_permutation
    from ...formats.text_files import shown
    from ..frame.outcome import check_target

    check_target(target)
    document = read_json_object(source, wanted="a report")
    permutation = permutation_of_report(document, what=f"file {shown(source)}")
    write_permutation(permutation, target)
    return f"the worst permutation of {len(permutation)} terminals"


def _routing(source: str, text: str, target: str) -> str:
    from ...formats.resolve import resolve_network
    from ...routing.named.files import routing_writer
    from ...routing.named.spec import routing_from_spec
    from ..frame.outcome import check_target
    from ..frame.screen import results_only

    check_target(target)
    write = routing_writer(target)
    network = resolve_network(source)
    with results_only():
        chosen = routing_from_spec(text, network)
    return f"{write(chosen)} of {chosen.name} on {network.name}"
