"""Pictures of small cubes: a run, in panels or as an animation; a destination graph as a tree, node 0 at the left."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.cube.destination_graph import Cube, DestinationGraph, TimedMoves
from ...core.cube.forms import PathTree, path_tree
from ...core.errors import InputError
from ...formats.documents.destination_graph import graph_from_document
from ...formats.text_files import write_bytes_atomic
from ...questions.answer import Answer
from ...questions.search import Search, SearchAnswer
from ...questions.simulate.cube import CubeAnswer, CubePackets
from ..figures.style import Theme, check_figure, empty_figure, figure_bytes, write_figure
from ..terminal.simulated import cube_name
from .recognised import over_leaves

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_MAX_NODES = 81
_MAX_STEPS = 64
_FRAMES = 5  # of the animation, for every step
_PAUSE = 120  # milliseconds for each frame
_RADIUS = 0.13


def check_cube_picture(path: str, cube: Cube) -> None:
    """Raise InputError, before any work is done, where the cube is too large or the file cannot be drawn into."""
    if cube.num_nodes > _MAX_NODES:
        raise InputError(f"a picture of {cube.num_nodes} nodes would show nothing; up to {_MAX_NODES} are drawn")
    check_figure(f"{path}.png" if _animated(path) else path)


def check_plot(asked: CubePackets, path: str | None) -> None:
    """The same of the run that is asked for."""
    if path is not None:
        check_cube_picture(path, asked.named.cube)


def _animated(path: str) -> bool:
    return Path(path).suffix.lower() == ".gif"


def plot_answer(answer: CubeAnswer, path: str, theme: Theme) -> None:
    """Draw the run into a file, whole or not at all; raises InputError as ``check_cube_picture`` does."""
    run, title = answer.run, answer.title
    check_cube_picture(path, run.cube)
    if run.steps > _MAX_STEPS:
        raise InputError(f"a picture of {run.steps} steps is too long; up to {_MAX_STEPS} are drawn")
    if not _animated(path):
        write_figure(path, lambda look: _panels(run, title, look), theme=theme)
        return
    from PIL import Image

    moments = [n + k / _FRAMES for n in range(run.steps) for k in range(_FRAMES)] + [float(run.steps)]
    frames = []
    for moment in moments:
        content = figure_bytes(partial(_moment, run, moment, title), ".png", theme=theme)
        frames.append(Image.open(io.BytesIO(content)).convert("P", palette=Image.Palette.ADAPTIVE, colors=64))
    out = io.BytesIO()
    wait = [_PAUSE * (4 if x == int(x) else 1) for x in moments]
    frames[0].save(out, format="GIF", save_all=True, append_images=frames[1:], duration=wait, loop=0)
    write_bytes_atomic(path, out.getvalue())


def _positions(cube: Cube) -> npt.NDArray[np.float64]:
    """float64, shape (N, 2): a line, a grid, a slanted stack of grids, and those side by side and above each other."""
    t = cube.radix
    axes = [(1.0, 0.0), (0.0, 1.0), (0.36, 0.28)]
    wide, high = t - 1 + 0.36 * (t - 1) + 1.0, t - 1 + 0.28 * (t - 1) + 1.0
    axes += [(wide, 0.0), (0.0, high), (wide * t + 0.4, 0.0), (0.0, high * t + 0.4)]
    place = np.array([axes[k % len(axes)] for k in reversed(range(cube.dimensions))])  # the last digit to the right
    return np.asarray(cube.digits @ place, dtype=np.float64)


def _frame(axes: Axes, cube: Cube, at: npt.NDArray[np.float64], theme: Theme) -> None:
    from matplotlib.collections import LineCollection

    below = np.argwhere(cube.digits + 1 < cube.radix).tolist()
    lines = [at[[u, u + int(cube.place[i])]] for u, i in below]
    axes.add_collection(LineCollection(lines, colors=theme.faint, linewidths=0.9, zorder=1))
    axes.set_xlim(float(at[:, 0].min()) - 0.45, float(at[:, 0].max()) + 0.45)
    axes.set_ylim(float(at[:, 1].min()) - 0.45, float(at[:, 1].max()) + 0.45)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _nodes(axes: Axes, run: TimedMoves, at: npt.NDArray[np.float64], step: int, theme: Theme) -> None:
    """A disc for every node, with how many packets are there; filled once a packet that wants to be here is."""
    from matplotlib.patches import Circle

    home = {int(v) for v, w in zip(run.position[:, step], run.destination, strict=True) if v == w}
    count = np.bincount(run.position[:, step], minlength=run.cube.num_nodes)
    for v, (x, y) in enumerate(at.tolist()):
        full = v in home
        face = theme.path_dark if full else theme.paper
        axes.add_patch(Circle((x, y), _RADIUS, facecolor=face, edgecolor=theme.edge, linewidth=0.7, zorder=4))
        if count[v]:
            colour = theme.paper if full else theme.ink
            axes.text(x, y, str(count[v]), ha="center", va="center_baseline", size=6, color=colour, zorder=5)


def _panels(run: TimedMoves, title: str, theme: Theme) -> Figure:
    at = _positions(run.cube)
    spread = np.ptp(at, axis=0) + 0.9
    panels = run.steps + 1
    columns = min(panels, max(1, int(12 / max(2.0, 0.55 * spread[0]))))
    rows = -(-panels // columns)
    wide, high = max(2.0, 0.55 * spread[0]), max(1.2, 0.55 * spread[1]) + 0.35
    figure = empty_figure(wide * columns, high * rows + 0.7)
    words = f"{title}: how many packets are at each node after each step; filled: one has arrived"
    figure.suptitle(words, size=9, color=theme.ink)
    grid: Any = figure.subplots(rows, columns, squeeze=False)
    for n, axes in enumerate(grid.ravel()):
        if n > run.steps:
            axes.set_axis_off()
            continue
        _frame(axes, run.cube, at, theme)
        axes.set_title("at first" if not n else f"step {n}", size=8, loc="center", weight="normal")
        _nodes(axes, run, at, n, theme)
        if n:
            _arrows(axes, run, at, n, theme)
    return figure


def _arrows(axes: Axes, run: TimedMoves, at: npt.NDArray[np.float64], step: int, theme: Theme) -> None:
    """The moves of a step; bent more where a third node may be on the straight line."""
    from matplotlib.patches import FancyArrowPatch

    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 6, "shrinkA": 4, "shrinkB": 4, "linewidth": 1.0}
    digits = run.cube.digits
    for a, b in run.position[run.moves[:, step - 1] != 0][:, step - 1 : step + 1].tolist():
        bend = f"arc3,rad={0.12 if np.abs(digits[a] - digits[b]).max() <= 1 else 0.3}"
        axes.add_patch(FancyArrowPatch(at[a], at[b], connectionstyle=bend, color=theme.path, zorder=3, **look))


def _moment(run: TimedMoves, moment: float, title: str, theme: Theme) -> Figure:
    at = _positions(run.cube)
    spread = np.ptp(at, axis=0) + 0.9
    figure = empty_figure(max(2.4, 0.6 * spread[0]), max(1.6, 0.6 * spread[1]) + 0.5)
    axes = figure.add_subplot()
    _frame(axes, run.cube, at, theme)
    n, part = int(moment), moment - int(moment)
    following = run.position[:, min(n + 1, run.steps)]
    where = (1 - part) * at[run.position[:, n]] + part * at[following]
    axes.set_title(f"{title}, step {n + 1 if part else n} of {run.steps}", size=8, weight="normal")
    look: dict[str, Any] = {"facecolors": theme.paper, "edgecolors": theme.edge, "linewidths": 0.7}
    axes.scatter(at[:, 0], at[:, 1], s=60, zorder=4, **look)
    home = run.position[:, n] == run.destination
    still = home & (following == run.destination)
    for mask, colour in ((~still, theme.path), (still, theme.path_dark)):
        axes.scatter(where[mask, 0], where[mask, 1], s=26, color=colour, zorder=5, linewidths=0)
    return figure


MAX_TREE_NODES = 256


def check_tree_picture(path: str, num_nodes: int) -> None:
    """Raise InputError, before any work is done, where the tree is too large or the file cannot be drawn into."""
    if num_nodes > MAX_TREE_NODES:
        raise InputError(f"a tree of {num_nodes} paths would show nothing; up to {MAX_TREE_NODES} nodes are drawn")
    check_figure(path)


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
    """Vertices carry their node; a dot is a vertex where the packet has stayed put; * marks where a node's path begins
    if its label stands elsewhere too.  The colour of an edge tells the digit that it changes."""
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
    """The tree on a pair of axes of its own; see ``tree_figure``."""
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
