"""When does a call fail: Maggs, Randomly Wired Multistage Networks, sec. 5, measured, and decided where it can be.

"Any unused input-output pair can be connected by a path through unused switches, no matter what paths have previously
been established": decided exactly for small networks, with the theorems of Clos and Cantor beside it; sampled under
random churn for 64 terminals.  The busy and blocked rule is tried at both of its thresholds; its theorem asks for
beta > 2d/3 + 2/3 and L > 1/(2 alpha (3 beta - 2d - 2)), which no network of practical size reaches with constants that
are proved, so that nothing here confirms or refutes it.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ...core.multistage.call_graph import CallGraph
from ...engine import Engine
from ...simulate.calls.blocking import BlockingState, decide_strict
from ...simulate.calls.churn import Churn, busy_rule, run_calls
from ...topologies.family import is_wired, network_from_spec, wiring_from_spec
from ...topologies.multistage.banyan import multi_benes
from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
from ..pieces import Progress, done_pieces, silent
from ..result import Chart, Row, StudyResult
from .wirings import probability_row

NAME = "maggs-nonblocking"
_QUANTITY = "blocking_probability"

_STRICT = (  # network, load, the theorem's word and its source
    ("clos:4,3,3", 1, "blocks: m < 2n - 1", "false"),
    ("clos:5,3,3", 1, "nonblocking: m >= 2n - 1", "true"),
    ("cantor:3", 1, "nonblocking: log2 N copies", "true"),
    ("benes:3", 1, "", ""),
    ("multi-benes:16,d=2,seed=1", 1, "", ""),
    ("multi-benes:16,d=2,seed=1", 2, "", ""),
    ("multi-benes:16,d=2,seed=1", 4, "", ""),
    ("multi-benes:32,d=2,seed=1", 8, "", ""),
)
_CHURN = (
    ("benes:6", 1),
    ("multi-benes:64,d=2,seed=7", 1),
    ("multi-benes:128,d=2,seed=7", 2),
    ("clos:8,8,8", 1),
    ("clos:12,8,8", 1),
    ("clos:15,8,8", 1),
    ("cantor:6", 1),
)
_RULE = ((4, 8, "3"), (4, 16, "3"), (6, 16, "5"))  # of 32 terminals: d, load, beta


def run(
    progress: Progress = silent,
    *,
    trials: int = 200,
    seed: int = 7,
    occupancies: tuple[str, ...] = ("1/4", "1/2", "3/4", "9/10", "1"),
    engine: Engine | None = None,
) -> StudyResult:
    """Strict-sense nonblocking decided, blocking probabilities against occupancy, and the rule's two thresholds."""
    rows: list[Row] = []
    pieces: dict[str, dict[str, Any]]
    pieces = {f"deciding {_name(text, load)}": {"text": text, "load": load} for text, load, _, _ in _STRICT}
    answers = done_pieces(decided, pieces, name="networks", engine=engine, progress=progress)
    for text, load, published, word in _STRICT:
        value, note = answers[f"deciding {_name(text, load)}"]
        label = f"strictly nonblocking: {text}" + (f", load {load}" if load > 1 else "")
        agrees = value == word if word else None
        rows.append(Row(label, value, published, agrees, note, data={"quantity": "strictly_nonblocking", "load": load}))
    pieces = {
        f"calls on {_name(text, load)} at occupancy {x}": {"text": text, "load": load, "occupancy": x}
        for text, load in _CHURN
        for x in occupancies
    }
    shared = {"trials": trials, "seed": seed}
    failed = done_pieces(churned, pieces, shared=shared, name="occupancies", engine=engine, progress=progress)
    for text, load in _CHURN:
        for occupancy in occupancies:
            name = _name(text, load)
            hits = failed[f"calls on {name} at occupancy {occupancy}"]
            place = {"series": name, "occupancy": occupancy, "x": occupancy, "best": f"{hits}/{trials}"}
            rows.append(probability_row(f"{name}, occupancy {occupancy}", _QUANTITY, hits, trials, seed=seed, **place))
    pieces = {
        f"the rule, d = {d}, load {load}, {merger}": {"d": d, "load": load, "beta": beta, "merger": merger}
        for d, load, beta in _RULE
        for merger in ("printed", "argument")
    }
    ruled = done_pieces(by_rule, pieces, shared={"seed": seed}, name="rules", engine=engine, progress=progress)
    for key, (wiring_name, hits) in ruled.items():
        asked = pieces[key]
        label = f"by the rule: {_name(wiring_name, asked['load'])}, beta {asked['beta']}, {asked['merger']}"
        rows.append(probability_row(f"{label}, occupancy 1/2", _QUANTITY, hits, 100, seed=seed))
    least = next(d for d in range(2, 99) if d - 1 > Fraction(2 * d + 2, 3))
    why = (
        "random splitters have beta close to d - 1 at best, so the rule's theorem speaks of no smaller d; its "
        "L > 1/(2 alpha (3 beta - 2d - 2)) cannot be seen at practical sizes"
    )
    rows.append(Row("least d with d - 1 > 2d/3 + 2/3", least, "beta > 2d/3 + 2/3", None, why))
    return StudyResult(
        NAME,
        "When a call fails: 64 terminals, random churn, 99% intervals; small networks decided exactly",
        "Maggs, Randomly Wired Multistage Networks, sec. 5; Clos 1953; Cantor 1971",
        "any unused input can reach any unused output, no matter what paths have already been established",
        tuple(rows),
        chart=Chart("occupancy: calls in progress, of all terminals", "probability that a call fails"),
    )


def decided(text: str, load: int) -> list[str]:
    """["true" or "false", what blocks]; it takes the time that it takes, so that all machines print the same."""
    answer = decide_strict(_graph(text, load), time_limit=inf)
    if isinstance(answer, BlockingState):
        return ["false", f"{len(answer.paths)} calls block another"]
    return ["true", ""]


def churned(trials: int, seed: int, text: str, load: int, occupancy: str) -> int:
    """In how many of ``trials`` a call fails."""
    graph = _graph(text, load)
    churn = Churn(6 * graph.terminals, Fraction(occupancy), seed, random_paths=True)
    return run_calls(graph, churn, trials=trials).failed


def by_rule(seed: int, d: int, load: int, beta: str, merger: str) -> list[Any]:
    """[the network's name, in how many of 100 trials a call fails] by the busy and blocked rule."""
    wiring = multi_benes(32 * load, d=d, seed=seed)
    graph = call_graph_of_wiring(wiring, load=load)
    rule = busy_rule(wiring, beta=Fraction(beta), merger=merger)
    found = run_calls(graph, Churn(6 * graph.terminals, Fraction(1, 2), seed, rule), trials=100)
    return [wiring.name, found.failed]


def _graph(text: str, load: int) -> CallGraph:
    if is_wired(text):
        return call_graph_of_wiring(wiring_from_spec(text), load=load)
    return call_graph_of_network(network_from_spec(text))


def _name(text: str, load: int) -> str:
    return text if load == 1 else f"{text}, load {load}"
