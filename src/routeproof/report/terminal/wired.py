"""What simulations on multistage networks print: what was run, the claims, and in words what was shown."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Claim
from ...core.display import trials_text
from ...core.escape import printable
from ...core.multistage.wiring import Wiring
from ...questions.simulate.calls import CallsAnswer
from ...questions.simulate.wired import WiredAnswer
from ...simulate.circuits.switching import CircuitRun
from ...simulate.multistage.survivors import Survivors
from ...simulate.packets.upfal import PacketRun
from .parts import number_table, title
from .table import claims_table


def _headline(wiring: Wiring) -> Text:
    """``multibutterfly:64,d=2,seed=7: 64 inputs, 448 switches, multiplicity 2``."""
    sizes = f"{wiring.inputs} inputs, {(wiring.num_edge_levels + 1) * wiring.inputs} switches"
    return title(f"{printable(wiring.name)}: {sizes}, multiplicity {wiring.multiplicity}")


def packets_parts(answer: WiredAnswer) -> list[RenderableType]:
    """What ``simulate packets`` prints of one run."""
    done = answer.run
    images, run = done.images, done.result
    assert isinstance(run, PacketRun)
    what = "one permutation" if len(images) == 1 else f"{len(images)} permutations"
    partial = " (partial: not all inputs send)" if run.packets < images.size else ""
    left = run.packets - run.delivered
    parts: list[RenderableType] = [
        _headline(done.wiring),
        Text(f"{run.packets} packets of {what}{partial}" + (f"; {left} never arrive" if left else "")),
        claims_table(done.claims),
    ]
    if done.tried:
        parts.append(Text(f"The slowest of {done.tried} permutations that were tried; there may be slower ones."))
    return parts


def circuits_parts(answer: WiredAnswer) -> list[RenderableType]:
    """What ``simulate circuits`` prints of one run."""
    wiring, run, claims, load = answer.wiring, answer.run.result, answer.claims(), answer.asked.load
    assert isinstance(run, CircuitRun)
    terminals = wiring.inputs // load
    failed = run.requests - run.connected
    rows = f", every {load}-th row" if load > 1 else ""
    partial = " (partial: not all terminals ask)" if run.requests < terminals else ""
    lost = f"; {failed} fail" if failed else ""
    pipelined = claims[0].evidence.data.get("algorithm") == "pipelined"
    return [
        _headline(wiring),
        Text(f"{run.requests} circuits between {terminals} terminals{rows}{partial}{lost}"),
        claims_table(claims),
        Text(f"steps by {'phase' if pipelined else 'level'}: {', '.join(map(str, run.rounds))}"),
    ]


def faults_parts(answer: WiredAnswer) -> list[RenderableType]:
    """The claims, and level by level what was lost to what: an avalanche shows as counts that grow towards level 0."""
    wiring, survivors = answer.wiring, answer.run.survivors
    assert survivors is not None
    parts = (survivors.faulty, survivors.erased, survivors.declared, survivors.alive)
    rows = [
        [str(level), str(1 << wiring.block_bits(level)), *(str(int(x[level].sum())) for x in parts)]
        for level in range(wiring.num_edge_levels + 1)
    ]
    table = number_table(("level", "block size", "faulty", "erased", "declared faulty", "alive"), rows)
    return [_headline(wiring), claims_table(answer.claims()), Text(), table, *_avalanche(survivors)]


def _avalanche(survivors: Survivors) -> list[Text]:
    """A sentence where most of what was lost was never faulty."""
    faulty, declared = int(survivors.faulty.sum()), int(survivors.declared.sum())
    if declared <= 4 * faulty or not faulty:
        return []
    words = (
        f"Avalanche: {faulty} faults had {declared} switches declared faulty. Where too little of a block is faulty to "
        "erase it, its faults spread to the switches before them, level after level."
    )
    return [Text(words)]


def calls_parts(answer: CallsAnswer) -> list[RenderableType]:
    """What ``simulate calls`` prints: the network, the claims, and in words what was shown and what was not."""
    graph, churn, rule, claims = answer.graph, answer.done.churn, answer.done.churn.rule, answer.claims()
    places = graph.num_vertices - 2 * graph.terminals
    parts: list[RenderableType] = [
        title(f"{printable(graph.name)}: {graph.terminals} terminals, {places} {graph.exclusive}"),
        Text(f"{trials_text(answer.done.run.trials)} of {churn.events} events and one request"),
    ]
    if rule is not None:
        words = (
            f"a switch is blocked if more than {rule.splitter} of its neighbours up (or down), or in the first "
            f"half more than {rule.merger} of all, are busy or blocked"
        )
        parts.append(Text(words))
    shown = [Text(words) for claim in claims if (words := _shown_by_calls(claim))]
    return [*parts, claims_table(claims), *shown, *map(Text, answer.notes)]


def _shown_by_calls(claim: Claim) -> str:
    data = claim.evidence.data
    match claim.quantity, claim.value:
        case "strictly_nonblocking", "false":
            return f"{len(data['events'])} calls cut idle input {data['input']} off from idle output {data['output']}."
        case "always_connects", _:
            *before, request = data["events"]
            gone = sum(event[0] == "hang-up" for event in before)
            after = f"{len(before) - gone} calls" + (f" and {gone} hang-ups" if gone else "")
            return f"After {after} the on-line algorithm refuses input {request[1]} output {request[2]}."
        case "realised", _:
            partial = " (partial: not all inputs call)" if data["partial"] else ""
            return f"{data['calls']} calls at once along disjoint paths{partial}."
        case "rearrangeable", "false":
            return f"All paths of {len(data['inputs'])} inputs go through {len(data['cut'])} places."
    return ""
