"""The picture of a document that was judged."""

from __future__ import annotations

from ...answers.answer import Answer
from ...core.errors import InputError

__all__ = ["plot_document"]


def plot_document(judged: Answer, path: str) -> None:
    """Draw the tree of a destination graph into a file; raises InputError for every other kind of document."""
    from ...formats.documents.destination_graph import graph_from_document
    from .tree_picture import draw_tree

    if judged.subject.get("kind") != "destination-graph":
        raise InputError(f"--plot draws destination graphs; this is a {judged.subject.get('kind')}")
    name = str(judged.subject["document"])
    graph = graph_from_document(judged.subject["graph"], what=name)
    draw_tree(graph, path, title=f"{name}, {graph.steps} steps")
