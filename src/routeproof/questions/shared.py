"""Options that many verbs share, and how a command makes objects from what they name."""

from __future__ import annotations

from ..core.errors import InputError
from .given import Given
from .question import Option

Texts = list[str] | None
FIGURE_FILES = (".svg", ".png", ".pdf")
"""How the names of figures end."""

TOPOLOGY = Option(
    value="TOPOLOGY",
    text="A name such as torus:9x9 (names: docs/topologies.md), a file, or a folder of dumps (formats: "
    "docs/formats.md).",
    name="topology",
    kind=str,
    complete="topology",
    argument=True,
    read=lambda given, _: given.network,
    python="A network, such as ``torus(8, 8)``.",
)
ROUTING = Option(
    value="ROUTING",
    text="A name such as romm (names: docs/routings.md), a file, or file.py:function. Needed, unless a folder of dumps "
    "brings its own.",
    names=("--routing", "-r"),
    kind=str | None,
    command_default=None,
    complete="routing",
    read=lambda given, text: given.routing(text),
    python="A routing on a network, such as ``DOR().on(torus(8, 8))``.",
)
DEMANDS = Option(
    value="SET",
    text="Which traffic can happen: {demands}. Several: all of them hold at once.",
    names=("--demands", "-d"),
    kind=Texts,
    complete="demands",
    read=lambda _, texts: texts or None,
    python="The set of demands that can happen, in place of all permutations, such as ``rp.demands.sparse(16)``, or a "
    "text as the command's option takes it.",
)
JSON_REPORT = Option(value="FILE", text="Write the report as JSON; - for standard output.")
JSON_CLAIMS = Option(value="FILE", text="Write the claims as JSON; - for standard output.")
PLOT = Option(value="FILE", text="Draw it: .svg, .png or .pdf.")
THEME = Option(text="Colours of the figure.", choices=("light", "dark"))
TRAFFICS = Option(
    value="PATTERN",
    text="Also analyse this traffic: a pattern such as tornado, or a file. May be given several times.",
    name="traffic",
    names=("--traffic", "-t"),
    kind=Texts,
    command_default=None,
    complete="pattern",
    read=lambda given, texts: given.traffics(texts),
    python="Other traffic to judge beside it.",
)
UNTIL_WIDTH = Option(
    value="W",
    text="Sample until every interval is at most W wide (0.01), or this fraction of its best estimate (5%).",
)
THEN = Option(
    text="Among the best, one with the shortest average path.",
    name="then",
    choices=("path-length",),
    python="Among the best routings, one with the shortest average path.",
)
TIME_LIMIT = Option(value="SECONDS", text="Stop solving then, with the interval reached so far.")
SEED = Option(value="S", text="Average case: the seed of the sample (0); tables: of the search.", kind=int | None)


def seconds(_: Given, limit: float | None) -> float | None:
    """Raises InputError for a ``--time-limit`` that is no time."""
    if limit is not None and not 0 < limit < float("inf"):
        raise InputError(f"--time-limit is {limit}; a positive number of seconds was expected")
    return limit
