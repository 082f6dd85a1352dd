"""``routeproof convert``: a network from one form to another."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["convert"]


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A topology such as torus:6x4, or a network file (JSON, GraphML, GML).")
    ],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write: .json (network document), .graphml or .gml.")
    ],
) -> None:
    """Write a network as a document, GraphML or GML; the name of the new file says which."""
    from rich.text import Text

    from ..formats.files import convert as convert_file
    from ..report.escape import printable
    from .screen import show

    network = convert_file(source, target)
    counts = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
    show(Text(f"{printable(target)}: {printable(network.name)}, {counts}"))
