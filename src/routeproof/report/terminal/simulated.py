"""What simulations and searches for destination graphs print: what was run, the claims, and in words what was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Claim, Interval
from ...core.display import estimate_text, outward_text, percent_text, seconds_text, trials_text
from ...core.escape import printable
from ...core.sampling.trial_intervals import LOAD_QUANTITIES
from ...core.vocabulary import name_of_quantity
from ...core.vocabulary.quantity import PER_TERMINAL
from .parts import number_table, quiet, title
from .table import claims_table

if TYPE_CHECKING:
    from ...core.cube.destination_graph import Cube, TimedMoves
    from ...core.multistage.wiring import Wiring
    from ...questions.search import SearchAnswer
    from ...questions.simulate.calls import CallsAnswer
    from ...questions.simulate.cube import CubeAnswer, CubeTrialsAnswer
    from ...questions.simulate.load import LoadAnswer
    from ...questions.simulate.wired import RepeatedAnswer, WiredAnswer
    from ...simulate.multistage.survivors import Survivors


def _headline(wiring: Wiring) -> Text:
    """``multibutterfly:64,d=2,seed=7: 64 inputs, 448 switches, multiplicity 2``."""
    sizes = f"{wiring.inputs} inputs, {(wiring.num_edge_levels + 1) * wiring.inputs} switches"
    return title(f"{printable(wiring.name)}: {sizes}, multiplicity {wiring.multiplicity}")


def packets_parts(answer: WiredAnswer) -> list[RenderableType]:
    """What ``simulate packets`` prints of one run."""
    from ...simulate.packets.upfal import PacketRun

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
    from ...simulate.circuits.switching import CircuitRun

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
            calls, cut = len(data["events"]), f"off from idle output {data['output']}."
            return f"{_many(calls, 'call')} cut{'s' * (calls == 1)} idle input {data['input']} {cut}"
        case "always_connects", _:
            *before, request = data["events"]
            gone = sum(event[0] == "hang-up" for event in before)
            after = _many(len(before) - gone, "call") + (f" and {_many(gone, 'hang-up')}" if gone else "")
            return f"After {after} the on-line algorithm refuses input {request[1]} output {request[2]}."
        case "realised", _:
            partial = " (partial: not all inputs call)" if data["partial"] else ""
            return f"{_many(data['calls'], 'call')} at once along disjoint paths{partial}."
        case "rearrangeable", "false":
            return f"All paths of {len(data['inputs'])} inputs go through {len(data['cut'])} places."
    return ""


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


_TOGETHER = "seed"
_LEFT_OUT = ("erased", "declared_faulty", "faults", "survivors_connected", "swaps", "moves", "cancellations",
             "hang_ups", "calls_in_progress", "requests", "together_calls")  # fmt: skip
_MOST_ROWS = 200


def trials_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The intervals of trials, or of trials at every point of a sweep."""
    notes = map(Text, answer.notes)
    if answer.variables:
        return [*sweep_parts(answer), *notes]
    claims = answer.claims()
    count = claims[0].value.trials if isinstance(claims[0].value, Interval) else 0
    return [
        title(f"{printable(answer.topology)}: {trials_text(count)}"),
        claims_table(claims),
        *notes,
        quiet("a trial alone: its number in the place of {trial}, without --trials"),
    ]


def sweep_parts(answer: RepeatedAnswer) -> list[RenderableType]:
    """The table; values of the variable ``seed`` share a row: least, median and most."""
    variables, claims = answer.variables, answer.claims()
    names = [x for x in variables if x != _TOGETHER]
    quantities = [x for x in dict.fromkeys(c.quantity for c in claims) if x not in _LEFT_OUT]
    rows: dict[tuple[str, ...], dict[str, list[Any]]] = {}
    for claim in claims:
        row = rows.setdefault(tuple(claim.about["point"][x] for x in names), {})
        row.setdefault(claim.quantity, []).append(claim.value)
    cells = [
        [*map(printable, key), *(_values(row.get(x, [])) for x in quantities)]
        for key, row in list(rows.items())[:_MOST_ROWS]
    ]
    count = len(variables.get(_TOGETHER, ()))
    runs = len({tuple(c.about["point"].items()) for c in claims})
    sampled = [x.value for x in claims if isinstance(x.value, Interval)]
    said = f"{runs} runs, each EXHAUSTED: it can be run again and gives the same numbers"
    if len(sampled) == len(claims):
        least, most = min(x.trials for x in sampled), max(x.trials for x in sampled)
        said = f"{runs} points, each of {least if least == most else f'{least} to {most}'} trials"
    parts: list[RenderableType] = [title(printable(answer.topology)), Text(said)]
    if sampled:
        words = "; of several seeds, their best estimates" if count > 1 else ""
        which = "all" if len(sampled) == len(claims) else "probabilities"
        confidences = ", ".join(percent_text(x) for x in sorted({x.confidence for x in sampled}))
        parts.append(Text(f"{which} SAMPLED, no proof: {confidences} intervals, each by itself{words}"))
    parts.append(number_table([*names, *map(name_of_quantity, quantities)], cells, gap=2))
    if len(rows) > _MOST_ROWS:
        parts.append(Text(f"{len(rows) - _MOST_ROWS} more rows are in the report (--json)"))
    if count > 1:
        words = f"least .. most (median) of {count} seeds; these runs only, no interval for others is claimed"
        parts.append(Text(words))
    return parts


def _values(found: Sequence[Any]) -> str:
    sampled = [x for x in found if isinstance(x, Interval)]
    if len(sampled) == 1:
        return outward_text(sampled[0].low, sampled[0].high)
    if sampled:
        best = [x.best for x in sampled]
        return f"{estimate_text(min(best))} .. {estimate_text(max(best))} ({estimate_text(median(best))})"
    numbers = [x for x in found if isinstance(x, Fraction)]
    if len(set(numbers)) < 2:
        return str(numbers[0]) if numbers else ""
    middle = median(numbers)
    text = str(middle) if middle.denominator == 1 else f"{float(middle):.1f}"
    return f"{min(numbers)} .. {max(numbers)} ({text})"


def load_parts(answer: LoadAnswer) -> list[RenderableType]:
    """The proved throughput as always; then one row per rate, each number with the half-width of its interval."""
    proved, sampled = answer.proved, answer.sampled
    shown: list[RenderableType] = [title(printable(answer.title))]
    if proved:
        shown += [claims_table(proved), Text()]
    rows = []
    predicted = predicted_throughput(proved)
    for rate, by in by_rate(sampled).items():
        accepted, growth, delay, hops = (by.get(name) for name in LOAD_QUANTITIES[1:])
        side = ""
        if predicted is not None:
            side = "below" if rate < predicted else "above" if rate > predicted else "at the proved throughput"
        rows.append((f"{float(rate):.4g}", _text(accepted, 4), _text(growth, 4), _text(delay, 1), _text(hops, 2), side))
    first = next(iter(sampled)).value
    assert isinstance(first, Interval)
    how = f"SAMPLED, seed {first.seed}: {PER_TERMINAL}, ± about {percent_text(first.confidence)} by batch means"
    table = number_table(("rate", "accepted", "queues grow by", "delay in cycles", "hops", ""), rows, words=(5,))
    shown += [table, Text(how, style="bold yellow")]
    if any("average_delay" not in by for by in by_rate(sampled).values()):
        shown.append(Text("no delay: queues grow, or the run is too short for their memory (--cycles)"))
    return shown


def by_rate(sampled: Sequence[Claim]) -> Mapping[Fraction, dict[str, Interval]]:
    """The sampled quantities at every rate, rates ascending."""
    found: dict[Fraction, dict[str, Interval]] = {}
    for claim in sampled:
        if isinstance(claim.value, Interval):
            found.setdefault(Fraction(str(claim.about["rate"])), {})[claim.quantity] = claim.value
    return dict(sorted(found.items()))


def predicted_throughput(proved: Sequence[Claim]) -> Fraction | None:
    """The throughput that is proved, if any."""
    value = next((x.value for x in proved if x.quantity == "throughput"), None)
    return value if isinstance(value, Fraction) else None


def _text(x: Interval | None, digits: int) -> str:
    return "-" if x is None else f"{x.best:.{digits}f} ± {max(x.high - x.best, 0):.{digits}f}"


_LISTED_PACKETS = 16


def cube_name(cube: Cube) -> str:
    """``binary 6-cube``, ``ternary 4-cube``, ``5-nary 2-cube``."""
    radix = {2: "binary", 3: "ternary"}.get(cube.radix, f"{cube.radix}-nary")
    return f"{radix} {cube.dimensions}-cube"


def search_parts(answer: SearchAnswer, *, output: str | None = None) -> list[RenderableType]:
    """Title, claims, and how they were found; ``output``: the file that holds the graph."""
    asked, found = answer.question, answer.found
    name = f"{asked.kind} graphs of the {cube_name(asked.cube)}, at most {asked.steps} steps"
    if found.refutation is not None:
        how = f"there are none: {len(found.refutation):,} lemmas refute it, checked one by one"
    elif found.bound is not None:
        how = f"there are none: at least {found.bound.steps} steps are needed, since {found.bound.because}"
    else:
        how = "from the catalogue" if found.how == "catalogue" else f"found in {seconds_text(found.seconds)}"
        how += "" if output is None else f"; written to {printable(output)}"
    return [title(name + (", minimum-routing" if asked.minimum else "")), claims_table(answer.claims()), Text(how)]


def not_found(answer: SearchAnswer) -> str:
    """A line for a search that ended without an answer."""
    asked, found = answer.question, answer.found
    tries = asked.first_try + found.tries
    goes_on = f"--first-try {tries} goes on" if asked.state is None else "the same command goes on from the state kept"
    return (
        f"not found in {seconds_text(found.seconds)}: at best {found.uncovered} of {asked.cube.num_nodes} nodes were "
        f"left without a path; nothing is proved; {goes_on}"
    )


def cube_parts(answer: CubeAnswer) -> list[RenderableType]:
    """Title, claims, how crowded nodes get, and all moves where there are few packets."""
    run = answer.run
    most = run.most_waiting()
    waiting = "1 packet waits" if most == 1 else f"{most} packets wait"
    parts: list[RenderableType] = [
        title(f"{printable(answer.title)} on the {cube_name(run.cube)}: {len(run.origin)} packets"),
        claims_table(answer.claims()),
        Text(f"no link is crossed by two packets at one step; at most {waiting} at one node"),
    ]
    if len(run.origin) <= _LISTED_PACKETS:
        parts += [Text(line) for line in _step_lines(run)]
    return parts


def _step_lines(run: TimedMoves) -> list[str]:
    """``step 1: 001 -> 000, ...``: the links that are crossed at each step."""
    lines = []
    for n in range(run.steps):
        who = run.moves[:, n].nonzero()[0]
        links = (
            f"{run.cube.label(int(a))} -> {run.cube.label(int(b))}"
            for a, b in sorted(zip(run.position[who, n].tolist(), run.position[who, n + 1].tolist(), strict=True))
        )
        lines.append(f"step {n + 1}: {', '.join(links) or 'nobody moves'}")
    return lines


def cube_trials_parts(answer: CubeTrialsAnswer) -> list[RenderableType]:
    """Title, claims, and how many trials took how many steps."""
    trials = answer.found
    where = f"{printable(answer.algorithm)} on the {cube_name(answer.cube)}"
    widest = max(n for _, n in trials.histogram())
    bars = [f"{steps:5} steps  {n:6}  {'#' * max(1, 40 * n // widest)}" for steps, n in trials.histogram()]
    head = title(f"{where}: {trials_text(len(trials.steps))}")
    return [head, claims_table(answer.claims()), *map(Text, (*bars, *answer.notes))]
