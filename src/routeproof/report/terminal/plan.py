"""What is planned, on the terminal: what draining a switch costs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from ...claims.repair_words import rule_text
from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...core.network import Network
from ...questions.plan.drain import Drain, DrainAnswer, drained_text
from .parts import host_word, number_table, quiet, time_line, title, units_text

_SHOWN = 4


def drain_parts(answer: DrainAnswer) -> list[RenderableType]:
    """Title, what each drain costs in words, the rule, the numbers of all."""
    network = answer.routing.network
    entries = next((int(x.number) for x in answer.stated if x.quantity == "entries_by_rule"), None)
    why = f" ({printable(answer.why)})" if answer.why else ""
    page: list[RenderableType] = [
        title(f"{printable(answer.routing.name)} on {printable(network.name)}: what draining costs"),
        quiet(units_text(network)),
        Text(),
        *(Text(_sentence(answer, x)) for x in answer.drains),
        Text(),
        quiet(f"rule ({answer.repair}): {rule_text(answer.more, entries)}{why}"),
        Text(),
        _numbers(answer),
    ]
    page += map(Text, _below(answer))
    return [*page, Text(), time_line(answer.seconds)]


def _few(network: Network, terminals: Sequence[int]) -> str:
    """``2 hosts (h0, h1)``."""
    count = f"{len(terminals)} {host_word(network)}{'' if len(terminals) == 1 else 's'}"
    names = ", ".join(printable(network.terminal_label(t)) for t in terminals[:_SHOWN])
    return f"{count} ({names}{', ...' if len(terminals) > _SHOWN else ''})" if terminals else count


def _sentence(answer: DrainAnswer, drain: Drain) -> str:
    network = answer.routing.network
    judged, known, of = drain.judged, drain.known, host_word(network)
    parts = [f"Draining {printable(drained_text(network, drain.drained))}"]
    parts.append(f"takes {_few(network, drain.hosts)} with it" if drain.hosts else f"takes no {of} with it")
    if drain.cut_off:
        parts.append(f"and cuts off {_few(network, drain.cut_off)}")
    if judged.cut:
        pairs = f"{judged.cut:,} pair{'' if judged.cut == 1 else 's'} of the {of}s that are left"
        parts.append(f"{'; it' if len(parts) > 2 else 'and'} leaves {pairs} without a way until somebody reroutes")
    text = " ".join(parts).replace(" ;", ";") + "."
    who = f"the pairs of {of}s that lose no packets" if judged.cut else f"the other {of}s"
    if known is None:
        return f"{text} {_why_none(network, drain)}"
    assert known.load is not None
    ratio = answer.whole / known.load
    now = fraction_text(1 / known.load)
    was = f"the same as today's {fraction_text(1 / answer.whole)}"
    if ratio != 1:
        was = f"{decimal_text(ratio)}{' times' if ratio > 1 else ' of'} today's {fraction_text(1 / answer.whole)}"
    return f"{text} Under the worst traffic {who} keep {now}, {was}."


def _why_none(network: Network, drain: Drain) -> str:
    judged = drain.judged
    if judged.undecided is not None:
        i, j = (printable(network.label(v)) for v in judged.undecided)
        return f"The shortest paths from {i} to {j} get longer, and whether the devices take those is not known."
    return "No packets are left in the network that do not meet it."


def _numbers(answer: DrainAnswer) -> RenderableType:
    network = answer.routing.network
    some = [y for x in answer.drains for y in (x.judged, x.without) if y is not None]
    cut, uniform, bound = (any(getattr(x, name) for x in some) for name in ("cut", "uniform", "bound"))
    heads = ["drained", f"{host_word(network)}s gone", "cut off", *(["pairs cut"] if cut else []), "worst case", "",
             "of today's", *(["uniform"] if uniform else []), *(["any routing"] if bound else [])]  # fmt: skip
    rows = [["nothing", "0", "0", *(["0"] if cut else []), fraction_text(1 / answer.whole),
             decimal_text(1 / answer.whole), "1"]]  # fmt: skip
    rows[0] += [decimal_text(1 / answer.uniform) if answer.uniform else ""] if uniform else []
    rows[0] += [""] if bound else []
    for x in answer.drains:
        judged = x.known or x.judged
        row = [printable(drained_text(network, x.drained)), str(len(x.hosts)), str(len(x.cut_off))]
        row += [f"{judged.cut:,}"] if cut else []
        if judged.load is None:
            row += ["none" if judged.is_answered else "not known", "", ""]
        else:
            row += [fraction_text(1 / judged.load), decimal_text(1 / judged.load)]
            row.append(decimal_text(answer.whole / judged.load))
        row += [decimal_text(1 / judged.uniform) if judged.uniform else ""] if uniform else []
        row += [f"<= {fraction_text(1 / judged.bound)}" if judged.bound else ""] if bound else []
        rows.append(row)
    return number_table(heads, rows, words=(0,))


def _below(answer: DrainAnswer) -> list[str]:
    of = host_word(answer.routing.network)
    lines = [f"worst case, uniform: the throughput of every {of} that is left, exact and proved"]
    if any(x.judged.cut for x in answer.drains):
        lines.append("pairs cut: these send nothing here, and the numbers are of the others")
    if any(x.without for x in answer.drains):
        lines.append(f"where {of}s are cut off, the numbers are of the others among themselves")
    if any(x.judged.bound for x in answer.drains):
        lines.append(
            "any routing: what no rerouting can beat after it, however adaptive (a bound, perhaps not reached)"
        )
    if answer.repair == "split":
        lines.append("split is a hypothesis: no device reroutes like that, and a real fabric may keep less")
    if answer.repair == "none" and answer.routing.network.guids is not None:
        lines.append("what OpenSM would install then: --repair opensm:ENGINE")
    shown = answer.notes[:_SHOWN]
    more = len(answer.notes) - len(shown)
    return [*lines, *map(printable, shown), *([f"and {more} more are left out"] if more else [])]
