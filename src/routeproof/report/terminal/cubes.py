"""Destination graphs and runs on cubes: what a search found, and for small cubes who moves where at each step."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.cube.destination_graph import Cube
from ...core.cube.timed_moves import TimedMoves
from ...core.display import seconds_text, trials_text
from ...core.escape import printable
from ...questions.search import SearchAnswer
from ...questions.simulate.cube import CubeAnswer, CubeTrialsAnswer
from .parts import title
from .table import claims_table

_LISTED_PACKETS = 16


def cube_name(cube: Cube) -> str:
    """``binary 6-cube``, ``ternary 4-cube``, ``5-nary 2-cube``."""
    radix = {2: "binary", 3: "ternary"}.get(cube.radix, f"{cube.radix}-nary")
    return f"{radix} {cube.dimensions}-cube"


def search_parts(answer: SearchAnswer, *, output: str | None = None) -> list[RenderableType]:
    """Title, claims, and how they were found; ``output``: the file that holds the graph."""
    asked, found = answer.question, answer.found
    name = f"{asked.kind} graphs of the {cube_name(asked.cube)}, at most {asked.steps} steps"
    if found.refutation is not None:
        how = f"there are none: {len(found.refutation):,} lemmas refute it, checked one by one"
    elif found.bound is not None:
        how = f"there are none: at least {found.bound.steps} steps are needed, since {found.bound.because}"
    else:
        how = "from the catalogue" if found.how == "catalogue" else f"found in {seconds_text(found.seconds)}"
        how += "" if output is None else f"; written to {printable(output)}"
    return [title(name + (", minimum-routing" if asked.minimum else "")), claims_table(answer.claims()), Text(how)]


def not_found(answer: SearchAnswer) -> str:
    """A line for a search that ended without an answer."""
    asked, found = answer.question, answer.found
    tries = asked.first_try + found.tries
    goes_on = f"--first-try {tries} goes on" if asked.state is None else "the same command goes on from the state kept"
    return (
        f"not found in {seconds_text(found.seconds)}: at best {found.uncovered} of {asked.cube.num_nodes} nodes were "
        f"left without a path; nothing is proved; {goes_on}"
    )


def cube_parts(answer: CubeAnswer) -> list[RenderableType]:
    """Title, claims, how crowded nodes get, and all moves where there are few packets."""
    run = answer.run
    most = run.most_waiting()
    waiting = "1 packet waits" if most == 1 else f"{most} packets wait"
    parts: list[RenderableType] = [
        title(f"{printable(answer.title)} on the {cube_name(run.cube)}: {len(run.origin)} packets"),
        claims_table(answer.claims()),
        Text(f"no link is crossed by two packets at one step; at most {waiting} at one node"),
    ]
    if len(run.origin) <= _LISTED_PACKETS:
        parts += [Text(line) for line in _step_lines(run)]
    return parts


def _step_lines(run: TimedMoves) -> list[str]:
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
    trials = answer.found
    where = f"{printable(answer.algorithm)} on the {cube_name(answer.cube)}"
    widest = max(n for _, n in trials.histogram())
    bars = [f"{steps:5} steps  {n:6}  {'#' * max(1, 40 * n // widest)}" for steps, n in trials.histogram()]
    head = title(f"{where}: {trials_text(len(trials.steps))}")
    return [head, claims_table(answer.claims()), *map(Text, (*bars, *answer.notes))]
