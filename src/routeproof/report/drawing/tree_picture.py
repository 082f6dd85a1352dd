"""A destination graph drawn as a tree, as in Figures 1 to 7 of Hwang, Yao & Dasgupta; node 0 stands at the left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.cube.destination_graph import DestinationGraph
from ...core.cube.forms import PathTree, path_tree
from ...core.errors import InputError
from ...formats.documents.destination_graph import graph_from_document
from ...questions.answer import Answer
from ...questions.search import Search, SearchAnswer
from ..figures.style import LIGHT, Theme, check_figure, empty_figure, write_figure
from ..terminal.cubes import cube_name
from .layout_levels import over_leaves

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_TREE_NODES = 256


def check_tree_picture(path: str, num_nodes: int) -> None:
    """Raise InputError, before any work is done, where the tree is too large or the file cannot be drawn into."""
    if num_nodes > MAX_TREE_NODES:
        raise InputError(f"a tree of {num_nodes} paths would show nothing; up to {MAX_TREE_NODES} nodes are drawn")
    check_figure(path)


def draw_tree(graph: DestinationGraph, path: str | Path, *, title: str, theme: Theme = LIGHT) -> None:
    """Draw the tree into a file, whole or not at all.

    Vertices carry their node; a dot is a vertex where the packet has stayed put; * marks where a node's path begins if
    its label stands elsewhere too.  The colour of an edge tells the digit that it changes.
    """
    check_tree_picture(str(path), graph.cube.num_nodes)
    write_figure(path, lambda look: tree_figure(graph, title, look), theme=theme)


def check_search(asked: Search, path: str | None) -> None:
    """The same of the graph that is asked for."""
    cube = asked.asked.cube
    if path is not None:
        check_tree_picture(path, cube.num_nodes)


def search_figure(answer: SearchAnswer, theme: Theme) -> Figure:
    """The tree of the graph that was found."""
    graph, asked = answer.found.graph, answer.question
    assert graph is not None
    if graph.cube.num_nodes > MAX_TREE_NODES:
        raise InputError(f"a tree of {graph.cube.num_nodes} paths is too large; {MAX_TREE_NODES} are drawn")
    return tree_figure(graph, f"{cube_name(graph.cube)}, {asked.kind}, {graph.steps} steps", theme)


def document_figure(judged: Answer, theme: Theme) -> Figure:
    """The tree of a destination graph that was judged; raises InputError for every other kind of document."""
    if judged.subject.get("kind") != "destination-graph":
        raise InputError(f"--plot draws destination graphs; this is a {judged.subject.get('kind')}")
    name = str(judged.subject["document"])
    graph = graph_from_document(judged.subject["graph"], what=name)
    return tree_figure(graph, f"{name}, {graph.steps} steps", theme)


def _heights(tree: PathTree) -> npt.NDArray[np.float64]:
    """Leaves one below the other, every other vertex in the middle of its outermost children."""
    children: list[list[int]] = [[] for _ in range(tree.num_vertices)]
    for v in range(1, tree.num_vertices):
        children[tree.parent[v]].append(v)
    for row in children:
        row.sort(key=lambda v: (int(tree.kind[v]) or 1 << 30, v))
    return -over_leaves(children, 0)


def tree_figure(graph: DestinationGraph, title: str, theme: Theme) -> Figure:
    """As ``draw_tree`` writes it."""
    tree = path_tree(graph)
    width, height = tree_inches(graph, tree)
    figure = empty_figure(width + 0.3, height + 0.9)
    tree_on_axes(figure.add_subplot(), graph, tree, title, theme)
    digits_legend(figure, graph.cube.dimensions, theme)
    return figure


def tree_inches(graph: DestinationGraph, tree: PathTree) -> tuple[float, float]:
    """The width and the height, in inches, at which the labels of a tree can be read."""
    across = max(0.66, 0.07 * len(graph.cube.label(0)) + 0.32)
    leaves = int(-_heights(tree).min()) + 1
    return across * (int(tree.level.max(initial=0)) + 1), 0.17 * leaves


def digits_legend(figure: Figure, dimensions: int, theme: Theme) -> None:
    """What the colours of edges mean, below the figure."""
    from matplotlib.lines import Line2D

    colours = [theme.series[i % len(theme.series)] for i in range(dimensions)]
    marks = [Line2D([], [], color=x, linewidth=1.6) for x in colours]
    names = [f"digit {i + 1}" for i in range(dimensions)]
    marks.append(Line2D([], [], color=theme.quiet, linewidth=0.9, linestyle=":"))
    figure.legend(marks, [*names, "stays"], loc="outside lower left", ncols=min(len(marks), 7), fontsize=6)


def tree_on_axes(axes: Axes, graph: DestinationGraph, tree: PathTree, title: str, theme: Theme) -> None:
    """The tree on a pair of axes of its own; see ``draw_tree``."""
    cube = graph.cube
    height = _heights(tree)
    label = [cube.label(int(v)) for v in tree.node]
    deep = int(tree.level.max(initial=0))
    axes.set_axis_off()
    axes.set_title(title, size=9)
    colours = [theme.series[i % len(theme.series)] for i in range(cube.dimensions)]
    for v in range(1, tree.num_vertices):
        p, k = int(tree.parent[v]), int(tree.kind[v])
        i, j = cube.move_of(k)
        x, y = (tree.level[p], tree.level[v]), (height[p], height[v])
        colour, width = (colours[i - 1], 1.2) if k else (theme.quiet, 0.8)
        ends = (x[0], x[0] + 0.45, x[1]), (y[0], y[1], y[1])
        axes.plot(*ends, linestyle="-" if k else ":", zorder=1, color=colour, linewidth=width)
        if k and cube.radix > 2:
            axes.text(x[1] - 0.44, y[1] + 0.08, f"-{j}", size=5, color=colours[i - 1], ha="left", va="bottom")
    starred = tree.starred()
    starts = set(tree.start.tolist())
    box = {"facecolor": theme.paper, "edgecolor": "none", "pad": 1.2}
    look: dict[str, Any] = {"size": 6.5, "ha": "center", "va": "center_baseline", "bbox": box, "zorder": 2}
    for v in range(tree.num_vertices):
        waited = v > 0 and not tree.kind[v]
        words = "•" if waited and v not in starts else label[v] + ("*" if starred[v] else "")
        colour = theme.ink if v in starts or not v else theme.quiet
        axes.text(tree.level[v], height[v], words, color=colour, **look)
    axes.set_xlim(-0.4, deep + 0.5)
    axes.set_ylim(float(height.min()) - 0.8, 0.8)
