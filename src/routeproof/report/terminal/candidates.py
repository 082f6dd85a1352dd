"""Candidate topologies on the terminal: one row each, with the command that judges it alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...claims.repair_words import rule_text
from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...questions.answer import exact_value
from ...questions.fabrics.candidate import Candidate
from ...questions.fabrics.candidates import CandidatesAnswer
from ...questions.ranked import by_column, load_claimed
from .compare import SideBySide
from .parts import quiet, title

_EXACT = "throughput per host under the worst permutation, exact; every number is proved"


def candidates_parts(answer: CandidatesAnswer) -> list[RenderableType]:
    """Title, one row for every candidate, what the columns are, and how to judge one alone."""
    rows = answer.rows
    first = rows[0]
    page: list[RenderableType] = [
        title(f"{answer.hosts} hosts or more, on switches of {answer.radix} ports"),
        quiet(_EXACT),
        SideBySide("topology", [printable(x.topology) for x in rows], _groups(answer)),
        *map(quiet, _meanings(rows)),
        quiet(f"alone: routeproof worst-case {printable(first.topology)} --routing {printable(first.routing.name)}"),
        *(Text(printable(x)) for x in answer.notes),
    ]
    return [*page, Text(printable(said))] if (said := first_in_words(answer)) else page


def candidates_page(answer: CandidatesAnswer) -> dict[str, Any]:
    """The same table on top of the page, with what its columns are."""
    columns = {name: cells for group in _groups(answer) for name, cells in group.items()}
    cells = [[x.topology for x in answer.rows], *columns.values()]
    words = [_EXACT, *_meanings(answer.rows), *answer.notes]
    return {
        "title": f"{answer.hosts} hosts or more, on switches of {answer.radix} ports",
        "summary": first_in_words(answer),
        "table": (["topology", *columns], [*zip(*cells, strict=True)], words),
    }


def _groups(answer: CandidatesAnswer) -> list[dict[str, list[str]]]:
    """The columns, in groups that stay together: head and cells, one for every candidate."""
    rows = answer.rows
    own = [by_column(x.claims) for x in rows]

    def number(quantity: str) -> list[Fraction]:
        return [exact_value(x.get(quantity)) or Fraction(0) for x in own]

    hosts, switches = [x.network.num_terminals for x in rows], number("num_switches")
    build = {
        "hosts": [str(x) for x in hosts],
        "switches": [str(x) for x in switches],
        "cables": [str(x) for x in number("num_cables")],
        "ports a host": [decimal_text(x * answer.radix / n) for x, n in zip(switches, hosts, strict=True)],
    }
    if answer.priced:
        build["cost a host"] = [decimal_text(x) for x in number("cost_per_host")]
    judged = {
        "routing": [printable(x.routing.name) for x in rows],
        "worst case": [fraction_text(1 / x.load) if x.load else "?" for x in rows],
        "best possible": [best_text(x, rows) for x in rows],
    }
    failed = {
        "worst cable": [kept_after(x) for x in rows],
        "pairs cut": ["-" if x.separates else f"{x.pairs_cut:,}" if x.judged else "?" for x in rows],
        "rule": [str(x.rule["repair"]) if x.judged else "?" for x in rows],
    }
    return [build, judged, failed]


def first_in_words(answer: CandidatesAnswer) -> str:
    """The first row as a sentence; ties are said."""
    rows = [x for x in answer.rows if x.load]
    if not rows:
        return ""
    first = rows[0]
    equal = sum(max(x.load, 1) == max(first.load, 1) for x in rows)
    rate = "its full rate" if first.load <= 1 else f"{fraction_text(1 / first.load)} of its rate"
    words = f"{first.topology} under {first.routing.name} guarantees each host {rate} under every permutation"
    among = f"of the {len(rows)} judged" if len(rows) > 1 else ""
    if equal > 1:
        words += f"; {among} {equal} guarantee that, and it " + (
            "costs the least a host of these" if answer.priced else "has the fewest switches a host of these"
        )
    elif among:
        words += f", the most {among}"
    return f"{words}."


def best_text(row: Candidate, rows: Sequence[Candidate]) -> str:
    """Where the best guarantee on this topology lies: the best of the routings judged here, and the bound."""
    least = max((1 / x.load for x in rows if x.load and x.topology == row.topology), default=None)
    bound = load_claimed(row.bounds, ">=")
    most = 1 / bound if bound else None
    if least is None or most is None:
        return f"<= {fraction_text(most)}" if most else f">= {fraction_text(least)}" if least else "?"
    return fraction_text(most) if least == most else f"{fraction_text(least)} to {fraction_text(most)}"


def kept_after(row: Candidate) -> str:
    if row.kept is None:
        return "all links idle" if row.pairs_cut else "?"
    value, exact = row.kept
    return f"{'' if exact else '<= '}{fraction_text(value)}"


def _meanings(rows: Sequence[Candidate]) -> list[str]:
    """What the columns and the rules are; where a number is not of all cables, and where a cable is no single one."""
    words = ["above 1: more than a host's own cable carries"] if any(0 < x.load < 1 for x in rows) else []
    words += [
        "ports a host: all ports of the switches that are bought, over the hosts",
        "best possible: what the best oblivious routing guarantees lies there; both ends are proved",
        "worst cable: what is left after the worst failure of a single cable between switches, of pairs that lose no "
        "packets; 0: it separates hosts",
    ]
    words += [f"{x}: {rule_text({'repair': x}, None)}" for x in sorted({x.rule["repair"] for x in rows if x.judged})]
    if any(x.judged and x.unjudged for x in rows):
        words.append("<=: the time was over before all cables were judged; others may be worse")
    if any(not x.judged for x in rows):
        words.append("?: not judged, for want of time (--time-limit) or memory")
    if any(x.rule and max(x.network.widths) > 1 for x in rows):
        words.append(
            "on clusters with rails a host is a GPU, a link of bandwidth 4 is 4 cables that fail together, and links "
            "inside servers fail, too"
        )
    return [*words, "one of each kind, as small as it can be; other parameters of a kind are other candidates"]
