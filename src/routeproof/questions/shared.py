"""Options that many verbs share, and how a command makes objects from what they name."""

from __future__ import annotations

from typing import Any

from .question import Given, Option

Texts = list[str] | None

TOPOLOGY = Option(
    value="TOPOLOGY",
    text="family:parameters such as torus:9x9, file.py:function that makes one, or a network file: {networks}.",
    name="topology",
    kind=str,
    complete="topology",
    argument=True,
    read=lambda given, _: given.network,
    python="A network, such as ``torus(8, 8)``.",
)
ROUTING = Option(
    value="ROUTING",
    text="A name such as romm, a routing document, or file.py:function with your own routing function.",
    names=("--routing", "-r"),
    kind=str | None,
    command_default=None,
    complete="routing",
    read=lambda given, text: given.resolve.routing_or_own(text, given.network),
    python="A routing on a network, such as ``DOR().on(torus(8, 8))``.",
)
DEMANDS = Option(
    value="SET",
    text="Which traffic can happen: permutations, unbalanced, hose:FILE, sparse:16, within:JOBS, between:JOBS, "
    "pairs:FILE, matrix:FILE, box:FILE,margin=2 or routable. Several: all of them hold at once.",
    names=("--demands", "-d"),
    kind=Texts,
    complete="demands",
    read=lambda _, texts: texts or None,
    python="The set of demands that can happen, in place of all permutations, such as ``rp.demands.sparse(16)``, or a "
    "text as the command's option takes it.",
)
JSON_REPORT = Option(value="FILE", text="Write the report as JSON; - for standard output.")
JSON_CLAIMS = Option(value="FILE", text="Write the claims as JSON; - for standard output.")
THEME = Option(text="Colours of the figure.", choices=("light", "dark"))
UNTIL_WIDTH = Option(
    value="W",
    text="Sample until every interval is at most W wide (0.01), or this fraction of its best estimate (5%).",
)


def seconds(given: Given, limit: float | None) -> float | None:
    """Raises InputError for a limit that is no time."""
    given.resolve.check_seconds(limit)
    return limit


def allowed_paths(given: Given, text: str | None) -> Any:
    """The set of paths between terminals of the topology; None for all."""
    return given.resolve.paths_given(text, given.network)
