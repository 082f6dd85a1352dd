"""The illustrative figures of Towles & Dally 2002 and of Towles, Dally & Boyd 2003, from the rows of their studies."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...studies.result import StudyResult
from ...topologies.family import network_from_spec
from ...topologies.grid.lattice import mesh
from .panels import Panel, Point, arrow, dots, drawn_panels, grid_wires, name_dots, route, wires
from .study import StudyFigure
from .style import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Data = dict[str, Any]


def figure_2002(result: StudyResult, theme: Theme) -> Figure:
    """Counterparts of Figures 1 to 3 and 5 to 8, each as the first row of that figure says."""
    parts = (
        Panel("1: two loads on channel c", 1, _two_loads),
        Panel("2: weights of channel 5 → 0, a matching", 2, _bipartite),
        Panel("2: its permutation matrix", 2, _matrix),
        Panel("3a: three paths, by turns so far", 3, _three_paths),
        Panel("3b: two of them combined", 3, _transitions),
        Panel("5: the same relative route", 5, _relative),
        Panel("6: DOR (solid), ROMM (dashed)", 6, _dor_and_romm),
        Panel("7: tornado, k = 5", 7, _tornado),
        Panel("8: adversary of ROMM", 8, _adversary),
    )
    title = "Towles & Dally 2002, examples as in its figures"
    return drawn_panels(title, parts, result, theme, across=3, size=(9.4, 9.0))


def figure_2003(result: StudyResult, theme: Theme) -> Figure:
    """Counterparts of Figures 2 and 3 of the later paper."""
    parts = (Panel("2: the 4-ary 2-cube", 2, _torus), Panel("3: a loop in Valiant's path, removed", 3, _loop))
    title = "Towles, Dally & Boyd 2003, examples as in its figures"
    return drawn_panels(title, parts, result, theme, across=2, size=(7.4, 4.0))


def _two_loads(axes: Axes, data: Data, theme: Theme) -> None:
    grid_wires(axes, network_from_spec(data["network"]), theme)
    away = {"x": (-8, 7), "y": (-8, 7), "u": (-8, 7), "v": (8, -7)}
    for k, (names, nodes) in enumerate(data["routes"].items()):
        route(axes, nodes, theme.series[k], aside=0.1 * (1 - 2 * k))
        for name, at in zip(names, (nodes[0], nodes[-1]), strict=True):
            name_dots(axes, {tuple(at): name}, theme, away=away[name])
    a, b = data["channel"]
    name_dots(axes, {((a[0] + b[0]) / 2, a[1]): "c"}, theme, away=(0, 12))


def _bipartite(axes: Axes, data: Data, theme: Theme) -> None:
    size = len(data["matching"])
    at = [[(2.6 * size / 3 * side, float(-v)) for v in range(size)] for side in (0, 1)]
    wires(axes, [(a, b) for a in at[0] for b in at[1]], theme, colors=theme.faint)
    colours = {"1": theme.series[1], "1/2": theme.series[4]}
    weights = {(s, d): colours[x] for s, d, x in data["weights"]}
    lines = [(at[0][s], at[1][d]) for s, d in weights]
    wires(axes, lines, theme, colors=list(weights.values()), linewidths=1.1, zorder=2)
    bold = [weights.get(edge, theme.ink) for edge in enumerate(data["matching"])]
    lines = [(at[0][s], at[1][d]) for s, d in enumerate(data["matching"])]
    wires(axes, lines, theme, colors=bold, linewidths=2.8, zorder=3)
    for side in (0, 1):
        dots(axes, at[side], theme)
        name_dots(axes, {p: str(v) for v, p in enumerate(at[side])}, theme, away=(-9 + 18 * side, 0))
    foot = {at[0][-1]: "sources", at[1][-1]: "destinations"}
    name_dots(axes, foot, theme, away=(0, -11))
    name_dots(axes, {(at[1][0][0] / 2, -float(size)): "red 1, orange 1/2, others 0"}, theme, away=(0, -6), size=6.5)


def _matrix(axes: Axes, data: Data, theme: Theme) -> None:
    size = len(data["matching"])
    for i, j in enumerate(data["matching"]):
        axes.fill([j - 0.5, j + 0.5, j + 0.5, j - 0.5], [-i - 0.5, -i - 0.5, 0.5 - i, 0.5 - i], color=theme.faint)
    cells = {(float(j), float(-i)): str(int(data["matching"][i] == j)) for i in range(size) for j in range(size)}
    name_dots(axes, cells, theme, size=8)
    low, high = -0.75, size - 0.25
    for x, inward in ((low, 0.2), (high, -0.2)):
        axes.plot([x + inward, x, x, x + inward], [-low, -low, -high, -high], color=theme.ink, linewidth=1)
    name_dots(axes, {(-1.2, -i): str(i) for i in range(size)}, theme, size=6.5)
    name_dots(axes, {(j, 1.2): str(j) for j in range(size)}, theme, size=6.5)


def _three_paths(axes: Axes, data: Data, theme: Theme) -> None:
    end = data["paths"][0][-1]
    grid_wires(axes, mesh(end[1] + 1, end[2] + 1), theme)
    for k, path in enumerate(data["paths"]):
        aside = 0.1 * (k - 1)
        nodes = [(float(x), float(y)) for _, x, y in path]
        route(axes, nodes, theme.series[k], aside=aside, line=theme.lines[k])
        for (t, _, _), (u, v) in zip(path[1:], pairwise(nodes), strict=True):
            off = aside + 0.13 * (1 if k else -1)
            place = ((u[0] + v[0]) / 2 + off * (v[1] - u[1]), (u[1] + v[1]) / 2 - off * (v[0] - u[0]))
            axes.text(*place, str(t), fontsize=6, color=theme.series[k], ha="center", va="center")


def _transitions(axes: Axes, data: Data, theme: Theme) -> None:
    paths = [[tuple(v) for v in path] for path in data["paths"]]
    places: dict[tuple[int, ...], Point] = {}
    for depth, together in enumerate(zip(*paths, strict=True)):
        some = sorted(set(together))
        for k, vertex in enumerate(some):
            places[vertex] = (1.3 * (k - (len(some) - 1) / 2), -float(depth))
    drawn: set[tuple[tuple[int, ...], ...]] = set()
    for k, path in enumerate(paths):
        for edge in pairwise(path):
            if edge not in drawn:
                arrow(axes, places[edge[0]], places[edge[1]], theme.series[k], linestyle=theme.lines[k], shrink=8)
            drawn.add(edge)
    meeting = tuple(data["vertex"])
    box = {"boxstyle": "round,pad=0.25", "facecolor": theme.paper, "edgecolor": theme.quiet, "linewidth": 0.7}
    for vertex, at in places.items():
        look = box | ({"edgecolor": theme.ink, "linewidth": 1.6} if vertex == meeting else {})
        text = f"{vertex[0]}; {vertex[1]},{vertex[2]}"
        axes.text(*at, text, fontsize=6.5, ha="center", va="center", bbox=look, zorder=5)
    axes.margins(0.2)


def _relative(axes: Axes, data: Data, theme: Theme) -> None:
    places = grid_wires(axes, network_from_spec(data["network"]), theme)
    for k, nodes in enumerate(data["routes"]):
        route(axes, nodes, theme.series[k])
    name_dots(axes, {at: f"({x},{y})" for (x, y), at in places.items()}, theme, away=(14, -8), size=6)
    axes.invert_yaxis()


def _dor_and_romm(axes: Axes, data: Data, theme: Theme) -> None:
    (low_x, low_y), (high_x, high_y) = data["ends"]
    grid_wires(axes, network_from_spec(data["network"]), theme, part=(low_x - 1, high_x + 1, low_y - 1, high_y + 1))
    route(axes, data["dor"], theme.series[0], aside=0.1)
    for k, nodes in enumerate(data["romm"], 1):
        route(axes, nodes, theme.series[k], aside=-0.1, line="--")
    dots(axes, [tuple(x) for x in data["via"]], theme, color=theme.ramp[1], zorder=5)
    name_dots(axes, {tuple(data["ends"][0]): "s"}, theme, away=(-7, -7))
    name_dots(axes, {tuple(data["ends"][1]): "d"}, theme, away=(7, 7))
    name_dots(axes, {tuple(at): name for at, name in zip(data["via"], "ij", strict=True)}, theme, away=(-7, 7))


def _tornado(axes: Axes, data: Data, theme: Theme) -> None:
    image = data["image"]
    k = len(image)
    row = [(1.6 * x, 0.0) for x in range(k)]
    wires(axes, [(row[x], row[x + 1]) for x in range(k - 1)], theme, colors=theme.edge, linewidths=1.2)
    axes.plot([0, -0.8], [0, 0], [row[-1][0], row[-1][0] + 0.8], [0, 0], color=theme.edge, linewidth=1.2, zorder=1)
    for x, to in enumerate(image):
        _leap(axes, row[x][0], row[to][0], theme.series[x % 2 if to > x else 2], high=0.42)
    dots(axes, row, theme)
    name_dots(axes, {at: str(x) for x, at in enumerate(row)}, theme, away=(0, -9))


def _leap(axes: Axes, start: float, end: float, colour: str, *, high: float, y: float = 0.0, edge: float = 0.9) -> None:
    """An arrow to the right in an arc; where it goes around, two halves of one."""
    bend = {"connectionstyle": f"arc3,rad=-{high}", "linewidth": 1.2}
    if end > start:
        arrow(axes, (start, y), (end, y), colour, **bend)
        return
    bend = {"connectionstyle": f"arc3,rad=-{high / 2}", "linewidth": 1.2}
    arrow(axes, (start, y), (start + edge, y + 0.8 * edge), colour, **(bend | {"arrowstyle": "-"}))
    arrow(axes, (end - edge, y + 0.8 * edge), (end, y), colour, **bend)


def _adversary(axes: Axes, data: Data, theme: Theme) -> None:
    network = network_from_spec(data["network"])
    places = grid_wires(axes, network, theme)
    (a, b), middle = data["channel"], data["middle"]
    (low_x, low_y), (high_x, high_y) = data["x to y"]
    across = [low_x - 0.2, high_x + 0.2, high_x + 0.2, low_x - 0.2]
    axes.fill(across, [low_y - 0.2] * 2 + [high_y + 0.2] * 2, color=theme.ramp[0], zorder=0)
    ends = sorted(x for x, y in places if y == middle)
    wide = [ends[0] - 0.5, ends[-1] + 0.5]
    box = [wide[0], wide[1], wide[1], wide[0], wide[0]], [middle - 0.35] * 2 + [middle + 0.6] * 2 + [middle - 0.35]
    axes.plot(*box, color=theme.quiet, linewidth=0.8, linestyle="--")
    for (x, y), (to, _) in data["row"]:
        _leap(axes, x, to, theme.series[0], high=0.35, y=y, edge=0.45)
    arrow(axes, tuple(a), tuple(b), theme.series[1], linewidth=2.6)
    name_dots(axes, {((a[0] + b[0]) / 2, float(middle)): "c"}, theme, away=(0, -6))
    dots(axes, [(low_x, low_y), (high_x, high_y)], theme, color=theme.series[2])
    arrow(axes, (low_x, low_y), (high_x, high_y), theme.series[2], linestyle=":", linewidth=1.1)
    name_dots(axes, {(low_x, low_y): "x"}, theme, away=(-8, -6))
    name_dots(axes, {(high_x, high_y): "y"}, theme, away=(8, 6))


def _torus(axes: Axes, data: Data, theme: Theme) -> None:
    """With the wires around drawn as arcs."""
    network = network_from_spec(data["network"])
    assert network.grid is not None
    k = network.grid.radix[0]
    near = [(float(x), float(y)) for x, y in network.grid.coordinates]
    ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    pairs = [(near[u], near[v]) for u, v in ends]
    wires(axes, [(a, b) for a, b in pairs if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1], theme, linewidths=1.2)
    around = []
    for m in range(k):
        side = [(0.0, m), (-0.5, m + 0.15), (-0.5, m + 0.3), (k - 0.5, m + 0.3), (k - 0.5, m + 0.15), (k - 1.0, m)]
        around += [side, [(y, x) for x, y in side]]
    wires(axes, around, theme, colors=theme.series[5], linewidths=1.0)
    dots(axes, near, theme, size=8)


def _loop(axes: Axes, data: Data, theme: Theme) -> None:
    solid, dotted = ([tuple(x) for x in data[name]] for name in ("solid", "dotted"))
    low_x, high_x = min(x for x, _ in solid), max(x for x, _ in solid)
    low_y, high_y = min(y for _, y in solid), max(y for _, y in solid)
    grid_wires(axes, network_from_spec(data["network"]), theme, part=(low_x - 1, high_x + 1, low_y - 1, high_y + 1))
    route(axes, solid, theme.series[0], aside=0.1)
    route(axes, dotted, theme.series[1], aside=-0.1, line=":")
    via = tuple(data["via"])
    dots(axes, [via], theme, color=theme.ramp[1], zorder=5)
    name_dots(axes, {tuple(data["ends"][0]): "s"}, theme, away=(-8, 7))
    name_dots(axes, {tuple(data["ends"][1]): "d", via: "i"}, theme, away=(9, -7))


TOWLES_DALLY_2002 = StudyFigure("towles-dally-2002-figures", figure_2002)
TOWLES_DALLY_BOYD_2003 = StudyFigure("towles-dally-boyd-2003-figures", figure_2003)
