"""What ``simulate calls`` prints: the network, the claims, and in words what was shown and what was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.simulate.calls import CallsAnswer
from .escape import printable
from .numbers import trials_text
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["calls_parts"]


def calls_parts(answer: CallsAnswer) -> list[RenderableType]:
    from rich.text import Text

    graph, churn, rule, claims = answer.graph, answer.done.churn, answer.done.churn.rule, answer.claims()
    places = graph.num_vertices - 2 * graph.terminals
    parts: list[RenderableType] = [
        Text(f"{printable(graph.name)}: {graph.terminals} terminals, {places} {graph.exclusive}", style="bold"),
        Text(f"{trials_text(answer.done.run.trials)} of {churn.events} events and one request"),
    ]
    if rule is not None:
        parts.append(
            Text(
                f"a switch is blocked if more than {rule.splitter} of its neighbours up (or down), or in the first "
                f"half more than {rule.merger} of all, are busy or blocked"
            )
        )
    parts.append(claims_table(claims))
    for claim in claims:
        if claim.quantity == "strictly_nonblocking" and claim.value == "false":
            data = claim.evidence.data
            parts.append(
                Text(
                    f"{len(data['events'])} calls cut idle input {data['input']} off from idle output {data['output']}."
                )
            )
        elif claim.quantity == "always_connects":
            told = claim.evidence.data["events"]
            gone = sum(event[0] == "hang-up" for event in told)
            after = f"{len(told) - 1 - gone} calls" + (f" and {gone} hang-ups" if gone else "")
            parts.append(Text(f"After {after} the on-line algorithm refuses input {told[-1][1]} output {told[-1][2]}."))
        elif claim.quantity == "realised":
            partial = " (partial: not all inputs call)" if claim.evidence.data["partial"] else ""
            parts.append(Text(f"{claim.evidence.data['calls']} calls at once along disjoint paths{partial}."))
        elif claim.quantity == "rearrangeable" and claim.value == "false":
            data = claim.evidence.data
            parts.append(Text(f"All paths of {len(data['inputs'])} inputs go through {len(data['cut'])} places."))
    return parts + [Text(note) for note in answer.notes]
