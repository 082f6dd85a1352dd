"""``routeproof convert``: a network, or a routing on it, from one form to another."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["convert"]


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A topology such as torus:6x4, or a network file (JSON, GraphML, GML, the output of ibnetdiscover).",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write: .json (network document), .graphml or .gml; with --routing .lft (tables that "
            "OpenSM loads) or .json (next-hop or routing document).",
        ),
    ],
    routing: Annotated[
        str | None,
        typer.Option("--routing", "-r", metavar="ROUTING", help="Write this routing on the network IN instead."),
    ] = None,
) -> None:
    """Write a network, or with --routing a routing on it, in another format; the name of the new file says which.

    For example: routeproof convert fabric.topo --routing better.json better.lft
    """
    from rich.text import Text

    from ..formats.files import convert as convert_file
    from ..report.escape import printable
    from .screen import show

    if routing is not None:
        show(Text(f"{printable(target)}: {printable(_routing(source, routing, target))}"))
        return
    network = convert_file(source, target)
    counts = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
    show(Text(f"{printable(target)}: {printable(network.name)}, {counts}"))


def _routing(source: str, text: str, target: str) -> str:
    from ..formats.resolve import resolve_network
    from ..routing.spec import routing_from_spec
    from ..routing.write import routing_writer
    from .outcome import check_target
    from .screen import results_only

    check_target(target)
    write = routing_writer(target)
    network = resolve_network(source)
    with results_only():
        chosen = routing_from_spec(text, network)
    return f"{write(chosen)} of {chosen.name} on {network.name}"
