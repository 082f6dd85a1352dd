"""Searches for destination graphs for people: what was found, or why there is nothing to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.search import SearchAnswer
from .cube_run import cube_name
from .escape import printable
from .numbers import seconds_text
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["not_found", "search_parts"]


def search_parts(answer: SearchAnswer, *, written: str | None = None) -> list[RenderableType]:
    """Title, claims, and how they were found; ``written``: the file that holds the graph."""
    from rich.text import Text

    asked, found = answer.question, answer.found
    name = f"{asked.kind} graphs of the {cube_name(asked.cube)}, at most {asked.steps} steps"
    title = Text(name + (", minimum-routing" if asked.minimum else ""), style="bold")
    if found.refutation is not None:
        how = f"there are none: {len(found.refutation):,} lemmas refute it, checked one by one"
    elif found.bound is not None:
        how = f"there are none: at least {found.bound.steps} steps are needed, since {found.bound.because}"
    else:
        how = "from the catalogue" if found.how == "catalogue" else f"found in {seconds_text(found.seconds)}"
        how += "" if written is None else f"; written to {printable(written)}"
    return [title, claims_table(answer.claims()), Text(how)]


def not_found(answer: SearchAnswer) -> str:
    """A line for a search that ended without an answer."""
    asked, found = answer.question, answer.found
    tries = asked.first_try + found.tries
    goes_on = f"--first-try {tries} goes on" if asked.state is None else "the same command goes on from the state kept"
    return (
        f"not found in {seconds_text(found.seconds)}: at best {found.uncovered} of {asked.cube.num_nodes} nodes were "
        f"left without a path; nothing is proved; {goes_on}"
    )
