"""Pictures of a run on a small cube: one panel for every step, or an animation."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.cube.destination_graph import Cube
from ...core.cube.timed_moves import TimedMoves
from ...core.errors import InputError
from ...formats.text_files import write_bytes_atomic
from ...questions.simulate.cube import CubeAnswer, CubePackets
from ..figures.style import LIGHT, Theme, check_figure, empty_figure, figure_bytes, write_figure

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


def plot_answer(answer: CubeAnswer, path: str) -> None:
    plot_cube_run(answer.run, path, title=answer.title)


def _animated(path: str) -> bool:
    return Path(path).suffix.lower() == ".gif"


def plot_cube_run(run: TimedMoves, path: str, *, title: str = "", theme: Theme = LIGHT) -> None:
    """Draw the run into a file, whole or not at all; raises InputError as ``check_cube_picture`` does."""
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
    """Links (along each line of a dimension), nodes, and nothing else."""
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
