"""What simulations on multistage networks print: what was run, then the claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.simulate.wired import WiredAnswer
from ...core.multistage.wiring import Wiring
from ...simulate.circuits.levels import CircuitRun
from ...simulate.multistage.survivors import Survivors
from ...simulate.packets.upfal import PacketRun
from .escape import printable
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["circuits_parts", "faults_parts", "headline", "packets_parts"]


def headline(wiring: Wiring) -> str:
    """``multibutterfly:64,d=2,seed=7: 64 inputs, 448 switches, multiplicity 2``."""
    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    return f"{printable(wiring.name)}: {wiring.inputs} inputs, {switches} switches, multiplicity {wiring.multiplicity}"


def packets_parts(answer: WiredAnswer) -> list[RenderableType]:
    """What ``simulate packets`` prints of one run."""
    from rich.text import Text

    done = answer.run
    wiring, images, run = done.wiring, done.images, done.result
    assert isinstance(run, PacketRun)
    count = len(images)
    what = "one permutation" if count == 1 else f"{count} permutations"
    partial = " (partial: not all inputs send)" if run.packets < images.size else ""
    left = run.packets - run.delivered
    parts: list[RenderableType] = [
        Text(headline(wiring), style="bold"),
        Text(f"{run.packets} packets of {what}{partial}" + (f"; {left} never arrive" if left else "")),
        claims_table(done.claims),
    ]
    if done.tried:
        parts.append(Text(f"The slowest of {done.tried} permutations that were tried; there may be slower ones."))
    return parts


def circuits_parts(answer: WiredAnswer) -> list[RenderableType]:
    """What ``simulate circuits`` prints of one run."""
    from rich.text import Text

    wiring, run, claims, load = answer.wiring, answer.run.result, answer.claims(), answer.asked.load
    assert isinstance(run, CircuitRun)
    terminals = wiring.inputs // load
    failed = run.requests - run.connected
    what = f"{run.requests} circuits between {terminals} terminals, every {load}-th row" if load > 1 else ""
    what = what or f"{run.requests} circuits between {terminals} terminals"
    partial = " (partial: not all terminals ask)" if run.requests < terminals else ""
    pipelined = claims[0].evidence.data.get("algorithm") == "pipelined"
    return [
        Text(headline(wiring), style="bold"),
        Text(what + partial + (f"; {failed} fail" if failed else "")),
        claims_table(claims),
        Text(f"steps by {'phase' if pipelined else 'level'}: {', '.join(map(str, run.rounds))}"),
    ]


def faults_parts(answer: WiredAnswer) -> list[RenderableType]:
    """The claims, and level by level what was lost to what: an avalanche shows as counts that grow towards level 0."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    wiring, survivors = answer.wiring, answer.run.survivors
    assert survivors is not None
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("level", "block size", "faulty", "erased", "declared faulty", "alive"):
        table.add_column(name, justify="right")
    parts = (survivors.faulty, survivors.erased, survivors.declared, survivors.alive)
    for level in range(wiring.num_edge_levels + 1):
        numbers = [level, 1 << wiring.block_bits(level), *(int(x[level].sum()) for x in parts)]
        table.add_row(*map(str, numbers))
    found: list[RenderableType] = [Text(headline(wiring), style="bold"), claims_table(answer.claims()), Text(""), table]
    grown = _avalanche(survivors)
    if grown:
        found.append(Text(grown))
    return found


def _avalanche(survivors: Survivors) -> str:
    """A sentence where most of what was lost was never faulty."""
    faulty, declared = int(survivors.faulty.sum()), int(survivors.declared.sum())
    if declared <= 4 * faulty or not faulty:
        return ""
    return (
        f"Avalanche: {faulty} faults had {declared} switches declared faulty. Where too little of a block is faulty to "
        "erase it, its faults spread to the switches before them, level after level."
    )
