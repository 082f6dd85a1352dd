"""What ``routeproof`` alone says: questions that people have, and the command that answers each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

_QUESTIONS = (
    ("Which traffic hurts a routing most, and what throughput is left?", "worst-case torus:9x9 --routing romm"),
    ("The same as a page to explore in a browser?", "worst-case torus:9x9 --routing romm --html romm.html"),
    ("On my fabric, from a folder with its dumps?", "worst-case FOLDER"),
    ("Inside the jobs that run on it?", "worst-case FOLDER --demands within:squeue.txt"),
    ("On a graph of my own, by shortest paths?", "worst-case mynetwork.graphml --routing minimal"),
    ("Which of several routings is best?", "compare torus:8x8 dor valiant ival"),
    ("What is the best routing that a network can have?", "design torus:4x4 --objective worst-case --output best.json"),
    ("Is what a report says true?", "verify report.json"),
    ("Can a published table be reproduced?", "study towles-dally-2002-table-1"),
)


def welcome() -> list[RenderableType]:
    """To be printed where no verb is given."""
    from rich.text import Text

    from ... import __version__

    page: list[RenderableType] = [
        Text(f"routeproof {__version__}", style="bold"),
        Text("Exact, certified guarantees for routing in interconnection networks."),
        Text(),
    ]
    for question, command in _QUESTIONS:
        page += [Text(question), Text(f"  routeproof {command}", style="cyan")]
    page += [
        Text(),
        Text("A tour of a few seconds: routeproof examples. All verbs: routeproof --help."),
        Text("Completion of verbs, networks and routings by the Tab key: routeproof --install-completion"),
    ]
    return page
