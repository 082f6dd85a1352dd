"""The trees of the study of Hwang, Yao & Dasgupta's Figures 1 to 7, as panels of one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.cube.path_tree import path_tree
from ...formats.documents.destination_graph import graph_from_document
from ...studies.result import StudyResult
from ..drawing.tree_picture import digits_legend, tree_inches, tree_on_axes
from .of_studies import StudyFigure
from .style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_hwang"]

_ROWS = (("Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 7"), ("Figure 5", "Figure 6"))


def figure_hwang(result: StudyResult, theme: Theme) -> Figure:
    """Every row's graph as a tree, small ones above, large ones below, each as large as its labels need."""
    from matplotlib.figure import Figure

    panels = []
    for names in _ROWS:
        line = []
        for name in names:
            row = next(x for x in result.rows if x.label.startswith(f"{name}:"))
            graph = graph_from_document(row.data["graph"], what=name)
            line.append((row.label.partition(" (")[0], graph, path_tree(graph)))
        panels.append(line)
    sizes = [[tree_inches(graph, tree) for _, graph, tree in line] for line in panels]
    widths = [sum(x for x, _ in line) for line in sizes]
    heights = [max(y for _, y in line) + 0.4 for line in sizes]
    figure = Figure(figsize=(max(widths) + 0.5, sum(heights) + 0.9), layout="constrained")
    parts: Any = figure.subfigures(len(panels), 1, height_ratios=heights)
    for part, line, size in zip(parts, panels, sizes, strict=True):
        part.set_facecolor(theme.paper)
        axes = part.subplots(1, len(line), width_ratios=[x for x, _ in size])
        for one, (title, graph, tree) in zip(axes, line, strict=True):
            tree_on_axes(one, graph, tree, title, theme)
    digits_legend(figure, max(graph.cube.dimensions for line in panels for _, graph, _ in line), theme)
    return figure


HWANG_YAO_DASGUPTA = StudyFigure("hwang-yao-dasgupta-figures", figure_hwang)
