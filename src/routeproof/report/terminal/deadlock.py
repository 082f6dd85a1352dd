"""The verdicts about deadlock on the terminal: the claims, and the packets of every cycle."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...claims.routings.deadlock_rules import rule_sentences
from ...core.escape import printable
from ...questions.deadlock import DeadlockAnswer
from ...routing.dependencies.channels import ends_of_packet
from ...routing.fabrics.service_levels import place_of_lane
from ...worst.deadlock.channels import Deadlock, LaneDeadlock
from .parts import quiet, sizes_text, title
from .table import claims_table

_CYCLE_SHOWN = 12


def deadlock_parts(report: DeadlockAnswer) -> list[RenderableType]:
    """What to print, in order: title, sizes, the verdicts, and the packets of every cycle."""
    network, routing = report.routing.network, report.routing
    page: list[RenderableType] = [
        title(f"{printable(routing.name)} on {printable(network.name)}"),
        quiet(sizes_text(network)),
    ]
    if report.levels is not None and report.by_level is not None:
        page.append(quiet(_levels_text(report.by_level)))
    page += [Text(), claims_table(report.stated)]
    if report.by_level is not None:
        page += [Text(), *_lane_lines(report.by_level)]
    page += [Text(), *_single_lines(report.single, alone=report.by_level is None)]
    page += [Text(f"\n{x}") for x in rule_sentences(report.stated)]
    hint = _hint(report)
    return [*page, Text(), quiet(hint)] if hint else page


def _hint(report: DeadlockAnswer) -> str:
    """What to ask next, where packets can deadlock and nothing has been said of how to free them."""
    if report.single.free or report.by_level is not None or len(report.stated) > 1:
        return ""
    ask = "--virtual-channels looks for virtual channels that free them"
    if report.routing.network.terminal_labels is None:
        return ask
    return f"--service-levels FILE (saquery -p) judges the lanes that a subnet manager gave out; {ask}"


def _levels_text(verdict: LaneDeadlock) -> str:
    """``service levels 0 to 2 on lanes 0 to 2; the lane is the level``."""
    levels = verdict.levels
    lanes = "by SL2VL tables" if levels.lane is not None else "the lane is the level (no SL2VL tables are given)"
    text = f"service levels {_range(levels.used())} on virtual lanes {_range(verdict.dependencies.lanes)}; {lanes}"
    if levels.replies:
        text += "; answers also go back on the level of the request"
    if levels.missing:
        text += f"; {levels.missing:,} pairs without a path record send nothing"
    return text


def _range(values: Sequence[int]) -> str:
    """``0``, ``0 to 3``, or ``0, 2, 5``."""
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values)) or "none"


def _lane_lines(verdict: LaneDeadlock) -> list[RenderableType]:
    count = len(verdict.dependencies.first)
    if verdict.free:
        return [Text(f"By service level: no cycle in the {count:,} dependencies between lanes of channels.")]
    name = verdict.routing.network.terminal_label
    rows = [
        (name(p.source), name(p.destination), f"{place_of_lane(verdict.routing, x)} (level {p.level})")
        for x, p in zip(verdict.cycle, verdict.packets, strict=True)
    ]
    return _cycle_lines("By service level", rows)


def _single_lines(verdict: Deadlock, *, alone: bool) -> list[RenderableType]:
    fabric = verdict.routing.network.terminal_labels is not None
    begin = "Without virtual channels" if alone and not fabric else "All on one lane"
    if not verdict.dependencies.by_paths:
        begin += ", on any paths with these loads" if verdict.free else ", for packets that forward by these loads"
    if verdict.free:
        return [Text(f"{begin}: no cycle in the {len(verdict.dependencies):,} dependencies between channels.")]
    network = verdict.routing.network
    rows = [
        (*ends_of_packet(verdict.routing, *packet), network.channel_label(c))
        for c, packet in zip(verdict.cycle, verdict.packets, strict=True)
    ]
    return _cycle_lines(begin, rows)


def _cycle_lines(begin: str, rows: Sequence[tuple[str, str, str]]) -> list[RenderableType]:
    each = "Each holds its channel and asks for the one in the next line, the last for the first:"
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for source, end, place in rows[:_CYCLE_SHOWN]:
        pair = f"  {printable(source)} => {printable(end)}"
        table.add_row(Text(pair), Text(f"holds {printable(place)}"))
    if len(rows) > _CYCLE_SHOWN:
        table.add_row(Text(f"  and {len(rows) - _CYCLE_SHOWN} more; --json has them all"), Text(""))
    return [Text(f"{begin}: {len(rows)} packets can deadlock. {each}"), table]
