"""Tradeoff curves for people: the corners or points, and how far above the curve each routing lies."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, estimate_text, fraction_text, outward_text, percent_text
from ...core.escape import printable
from ...core.vocabulary.quantity import OF_CAPACITY, OF_MINIMAL
from ...optimum.curve import Tradeoff
from ...questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from .parts import number_table, quiet, time_line, title

_LENGTH = f"path length, {OF_MINIMAL}"


def tradeoff_parts(answer: TradeoffAnswer) -> list[RenderableType]:
    """Title, the corners of the curve, and how far above it each named routing lies."""
    curve, capacity = answer.curve, answer.capacity
    over = "" if curve.demands is None else f" over {printable(curve.demands.text)}"
    corners, whole = [], curve.complete
    for corner in curve.points:
        share = "" if capacity is None else decimal_text(1 / corner.load / capacity)
        length = corner.length / curve.minimal
        load = fraction_text(corner.load), decimal_text(1 / corner.load), share
        least = length if corner.adversary is not None else curve.length_bound(corner.load)[0] / curve.minimal
        ends = decimal_text(length) if least == length else outward_text(float(least), float(length))
        corners.append((*load, fraction_text(length), ends))
    page: list[RenderableType] = [
        title(f"path length against worst case{over} on {printable(curve.network.name)}"),
        quiet(f"{_corners(len(curve.points)) if whole else _reached(curve)}; every number is proved"),
        Text(),
        number_table(("worst-case load", "throughput", OF_CAPACITY, _LENGTH, "decimal"), corners),
    ]
    rows = []
    for point in [*answer.points, *(x for line in answer.lines for x in line)]:
        bound = curve.least_length(point.load)
        above = "" if not bound else percent_text(float(point.length / bound - 1), 1)
        share = "" if capacity is None else decimal_text(1 / point.load / capacity)
        cells = (fraction_text(point.load), share, decimal_text(point.length / curve.minimal), above)
        rows.append((printable(point.name), *cells))
    if rows:
        last = "above the curve" if whole else "above the curve, at most"
        beside = ("routing", "worst-case load", OF_CAPACITY, _LENGTH, last)
        page += [Text(), number_table(beside, rows, words=(0,))]
    return [*page, Text(), time_line(answer.seconds)]


def average_tradeoff_parts(answer: AverageTradeoffAnswer) -> list[RenderableType]:
    """Title, the points of the curve and the named routings: average case on both samples, and path length."""
    curve, capacity = answer.curve, answer.capacity
    points = [*answer.points, *(x for line in answer.lines for x in line)]
    unit = float(capacity or 1)
    rows = []
    for label, one in [*(("designed", x) for x in curve.points), *((x.routing.name, x) for x in points)]:
        own, fresh = (estimate_text(x.best / unit) for x in (one.inside, one.fresh))
        fresh = f"{outward_text(one.fresh.low / unit, one.fresh.high / unit)}, about {fresh}"
        rows.append((printable(label), fresh, own, decimal_text(one.length / curve.minimal)))
    what = "throughput" if capacity is None else OF_CAPACITY
    sample = f"{curve.count} matrices, model {curve.model}; seed {curve.seed}, fresh seed {curve.seed + 1}"
    return [
        title(f"path length against average case on {printable(curve.network.name)}"),
        quiet(f"SAMPLED: {sample}; 99 % intervals of the fresh one"),
        Text(),
        number_table(("routing", f"{what}, fresh sample", f"{what}, own sample", _LENGTH), rows, words=(0,)),
        Text(),
        Text("designed: the best that the solver found for its own sample; judge by the fresh one"),
        time_line(answer.seconds),
    ]


def _corners(count: int) -> str:
    if count == 1:
        return "1 corner: the best worst case and the shortest paths at once"
    return f"{count} corners; between them the curve is straight in the load"


def _reached(curve: Tradeoff) -> str:
    """What is said of a curve that is not complete."""
    bound = f"no worst-case load is below {fraction_text(curve.load_bound.least_load())}"
    if len(curve.points) == 1:
        return f"stopped before the end: what this routing reaches, and {bound}"
    return f"stopped before the end: the curve is on the straight lines between these routings, or below; {bound}"
