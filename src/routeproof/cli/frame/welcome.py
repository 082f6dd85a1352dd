"""What ``routeproof`` alone says: questions that people have, and the command that answers each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["EXAMPLES", "example_of", "welcome"]

_QUESTIONS = (
    ("Which traffic hurts a routing most, and what throughput is left?", "worst-case torus:9x9 --routing romm"),
    ("The same as a page to explore in a browser:", "worst-case torus:9x9 --routing romm --html romm.html"),
    ("On a network of my own, by shortest paths:", "worst-case mynetwork.graphml --routing minimal"),
    ("Which of several routings is best?", "compare torus:8x8 dor valiant ival"),
    ("What is the best routing that a network can have?", "design torus:4x4 --objective worst-case --output best.json"),
    ("Is what a report says true?", "verify report.json"),
    ("Can a published table be reproduced?", "study towles-dally-2002-table-1"),
)
EXAMPLES = {
    "worst-case": "worst-case torus:9x9 --routing romm",
    "compare": "compare torus:8x8 dor valiant ival",
    "failures": "failures torus:4x4 --routing dor --links 1",
    "check": "check graph.json",
    "design": "design torus:4x4 --objective worst-case --output best.json",
    "tradeoff": "tradeoff torus:4x4 --against worst-case",
    "search": "search many-one --radix 2 --dimensions 6 --steps 11 --output graph.json",
    "expansion": "expansion multibutterfly:64,d=2,seed=7",
    "simulate": "simulate packets multibutterfly:64,d=2,seed=7 --permutation bit-reversal",
    "packets": "simulate packets multibutterfly:64,d=2,seed=7 --permutation bit-reversal",
    "circuits": "simulate circuits multibutterfly:64,d=2,seed=7 --permutation bit-reversal --load 4",
    "faults": "simulate faults multibutterfly:64,d=2,seed=7 --faults random:count=5,seed=1",
    "study": "study towles-dally-2002-table-1",
    "verify": "verify report.json",
    "convert": "convert torus:6x4 torus.svg",
}


def example_of(verb: str | None) -> str | None:
    """A whole command of this verb that works (given the files it names), or None."""
    found = EXAMPLES.get(verb or "")
    return None if found is None else f"routeproof {found}"


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
