"""What runs on cubes print: the claims, and for small cubes who moves where at each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.simulate.cube import CubeAnswer, CubeTrialsAnswer
from ...core.cube.destination_graph import Cube
from ...core.cube.timed_moves import TimedMoves
from .escape import printable
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["cube_name", "cube_parts", "cube_trials_parts", "step_lines"]

LISTED_PACKETS = 16


def cube_name(cube: Cube) -> str:
    """``binary 6-cube``, ``ternary 4-cube``, ``5-nary 2-cube``."""
    radix = {2: "binary", 3: "ternary"}.get(cube.radix, f"{cube.radix}-nary")
    return f"{radix} {cube.dimensions}-cube"


def cube_parts(answer: CubeAnswer) -> list[RenderableType]:
    """Title, claims, how crowded nodes get, and all moves where there are few packets."""
    from rich.text import Text

    run = answer.run
    most = run.most_waiting()
    waiting = "1 packet waits" if most == 1 else f"{most} packets wait"
    parts: list[RenderableType] = [
        Text(f"{printable(answer.title)} on the {cube_name(run.cube)}: {len(run.origin)} packets", style="bold"),
        claims_table(answer.claims()),
        Text(f"no link is crossed by two packets at one step; at most {waiting} at one node"),
    ]
    if len(run.origin) <= LISTED_PACKETS:
        parts += [Text(line) for line in step_lines(run)]
    return parts


def step_lines(run: TimedMoves) -> list[str]:
    """``step 1: 001 -> 000, ...``: the links that are crossed at each step."""
    lines = []
    for n in range(run.steps):
        who = run.moves[:, n].nonzero()[0]
        links = (
            f"{run.cube.label(int(a))} -> {run.cube.label(int(b))}"
            for a, b in sorted(zip(run.position[who, n].tolist(), run.position[who, n + 1].tolist(), strict=True))
        )
        lines.append(f"step {n + 1}: {', '.join(links) or 'nobody moves'}")
    return lines


def cube_trials_parts(answer: CubeTrialsAnswer) -> list[RenderableType]:
    """Title, claims, and how many trials took how many steps."""
    from rich.text import Text

    trials = answer.found
    count = len(trials.steps)
    where = f"{printable(answer.algorithm)} on the {cube_name(answer.question.cube)}"
    title = f"{where}: {count} {'trial' if count == 1 else 'trials'}"
    widest = max(n for _, n in trials.histogram())
    bars = [f"{steps:5} steps  {n:6}  {'#' * max(1, 40 * n // widest)}" for steps, n in trials.histogram()]
    return [Text(title, style="bold"), claims_table(answer.claims()), *(Text(x) for x in (*bars, *answer.notes))]
