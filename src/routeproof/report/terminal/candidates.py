"""Candidate topologies on the terminal: one row each, with the command that judges it alone."""

from __future__ import annotations

from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...questions.answer import exact_value
from ...questions.fabrics.candidates import CandidatesAnswer
from ...questions.ranked import by_column, load_claimed
from .compare import SideBySide
from .parts import quiet, title


def candidates_parts(answer: CandidatesAnswer) -> list[RenderableType]:
    """Title, one row for every candidate, what the columns are, and how to judge one alone."""
    rows = answer.rows
    own = [by_column(claims) for *_, claims in rows]

    def cells(quantity: str) -> list[str]:
        values = [exact_value(x.get(quantity)) for x in own]
        return ["?" if x is None else fraction_text(x) for x in values]

    best = [load_claimed(claims, ">=") for *_, claims in rows]
    build = {"hosts": [str(x) for _, _, x, _ in rows], "switches": cells("num_switches"), "cables": cells("num_cables")}
    if answer.priced:
        costs = [exact_value(x["cost_per_host"]) or Fraction(0) for x in own]
        build["cost a host"] = [decimal_text(x) for x in costs]
    judged = {
        "routing": [printable(routing) for _, routing, _, _ in rows],
        "worst case": cells("worst_case_throughput"),
        "best at most": [fraction_text(1 / x) if x else "?" for x in best],
    }
    topology, routing, *_ = rows[0]
    page: list[RenderableType] = [
        title(f"{answer.hosts} hosts or more, on switches of {answer.radix} ports"),
        quiet("throughput per host under the worst permutation, exact; every number is proved"),
        SideBySide("topology", [printable(x) for x, *_ in rows], [build, judged]),
        quiet("best at most: no oblivious routing on it guarantees more, as far as simple bounds prove"),
        quiet("one of each kind, as small as it can be; other parameters of a kind are other candidates"),
        quiet(f"alone: routeproof worst-case {printable(topology)} --routing {printable(routing)}"),
    ]
    return page + [Text(printable(x)) for x in answer.notes]
