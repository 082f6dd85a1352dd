"""The trees of the study of Hwang, Yao & Dasgupta's Figures 1 to 7, as panels of one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.cube.forms import path_tree
from ...formats.documents.destination_graph import graph_from_document
from ...studies.result import StudyResult
from ..drawing.tree_picture import digits_legend, tree_inches, tree_on_axes
from .study import StudyFigure
from .style import Theme, empty_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS = (("Figure 1", "Figure 2", "Figure 3"), ("Figure 4", "Figure 7"), ("Figure 5",), ("Figure 6",))


def figure_hwang(result: StudyResult, theme: Theme) -> Figure:
    """Every row's graph as a tree, small ones above, large ones below, each as large as its labels need."""
    graphs = {x.label.partition(" (")[0]: graph_from_document(x.data["graph"], what=x.label) for x in result.rows}
    panels = [
        [(x, graphs[x], path_tree(graphs[x])) for name in names for x in graphs if x.startswith(f"{name}:")]
        for names in _ROWS
    ]
    sizes = [[tree_inches(graph, tree) for _, graph, tree in line] for line in panels]
    widths = [sum(x for x, _ in line) for line in sizes]
    heights = [max(y for _, y in line) + 0.4 for line in sizes]
    figure = empty_figure(max(widths) + 0.5, sum(heights) + 0.9)
    parts: Any = figure.subfigures(len(panels), 1, height_ratios=heights)
    for part, line, size in zip(parts, panels, sizes, strict=True):
        part.set_facecolor(theme.paper)
        axes = part.subplots(1, len(line), width_ratios=[x for x, _ in size], squeeze=False)
        for one, (title, graph, tree) in zip(axes[0], line, strict=True):
            tree_on_axes(one, graph, tree, title, theme)
    digits_legend(figure, max(graph.cube.dimensions for line in panels for _, graph, _ in line), theme)
    return figure


HWANG_YAO_DASGUPTA = StudyFigure("hwang-yao-dasgupta-figures", figure_hwang)
