"""``routeproof runs``: the directories in which ``--run`` keeps finished pieces of work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .frame.options import argument
from .frame.screen import note, show

if TYPE_CHECKING:
    from ..engine.run_file import RunInfo

_Directory = Annotated[str, argument("DIR", "A run directory, as given to --run.")]


def list_runs(where: Annotated[str, argument("[DIR]", "Where to look, two levels deep.")] = ".") -> None:
    """The run directories in a directory."""
    from rich.table import Table
    from rich.text import Text

    from ..core.escape import printable
    from ..engine.run_file import describe, find_runs
    from ..machine.memory import shown_bytes

    found = [describe(path) for path in find_runs(Path(where))]
    if not found:
        _say(f"no run directories in {where}")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("run", "pieces", "size", "state", "command"):
        table.add_column(name, justify="right" if name in ("pieces", "size") else "left")
    for one in found:
        pieces = sum(x[1] for x in one.works)
        cells = (str(one.path), f"{pieces:,}", shown_bytes(one.size), _state(one), one.command)
        table.add_row(*(Text(printable(x)) for x in cells))
    show(table)


def show_run(directory: _Directory) -> None:
    """What a run directory holds: its command, and how many pieces of which work are finished."""
    from ..core.display import seconds_text
    from ..engine.run_file import describe
    from ..machine.memory import shown_bytes

    one = describe(Path(directory))
    lines = [
        f"command  {one.command or 'none given'}",
        f"made by  routeproof {one.code}, begun {one.started}",
        f"state    {_state(one)}",
        f"size     {shown_bytes(one.size)}",
    ]
    for name, count, seconds, size in one.works:
        lines.append(f"work     {name}: {count:,} pieces, {seconds_text(seconds)} of work, {shown_bytes(size)}")
    _say(*lines)


def verify_runs(directory: _Directory) -> None:
    """Check that every record is whole: exit status 1 if one is not (the next run makes it again)."""
    from ..engine.run_file import verify_run

    good, bad = verify_run(Path(directory))
    if bad:
        more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
        note(f"not whole: {bad[0]}{more}; {good:,} records are whole; the next run makes the others again")
        raise typer.Exit(1)
    _say(f"{directory}: all {good:,} records are whole")


def clean_runs(directories: Annotated[list[str], argument("DIR ...", "Run directories.")]) -> None:
    """Remove run directories that are not in use; nothing else is ever removed."""
    from ..engine.run_file import remove_run

    for directory in directories:
        remove_run(Path(directory))
        _say(f"removed {directory}")


def _say(*lines: str) -> None:
    from rich.text import Text

    from ..core.escape import printable

    show(*(Text(printable(x)) for x in lines))


def _state(one: RunInfo) -> str:
    if one.damage:
        return f"damaged: {one.damage}"
    return f"in use by {one.busy}" if one.busy else "at rest"
