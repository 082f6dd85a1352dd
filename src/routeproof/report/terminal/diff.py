"""Two days of a fabric on the terminal: both guarantees, and what changed, with what each change does alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...questions.fabrics.diff import SPLIT, UNIFORM, WHOLE, Cause, DayAnswer, DiffAnswer
from ...routing.fabrics.days import KINDS, Change
from .parts import host_word, number_table, quiet, time_line, title, units_text

_SHOWN = 20  # changes of one kind
_REASONS = 3


def diff_page(answer: DiffAnswer) -> dict[str, Any]:
    one, two = (printable(x.routing.network.name) for x in (answer.before, answer.after))
    rows: list[Sequence[str]] = []
    for name, *days in _numbers(answer):
        rows.append((f"{rows[-1][0]}: {name.strip()}" if name.startswith(" ") else name, *days))
    table = ("", "before", "after"), rows, [printable(x) for x in answer.notes]
    return {"title": f"{one}, and {two} after it", "summary": _sentence(answer), "table": table}


def diff_parts(answer: DiffAnswer) -> list[RenderableType]:
    """In order: the answer in a sentence, the numbers of both days, what changed, the causes."""
    page: list[RenderableType] = []
    for name, day in (("before", answer.before), ("after ", answer.after)):
        network = day.routing.network
        page.append(title(f"{name}  {printable(day.routing.name)} on {printable(network.name)}"))
        page.append(quiet(units_text(network)))
    numbers = number_table(("", "before", "after"), _numbers(answer), words=(0, 1, 2), gap=2)
    page += [Text(), Text(_sentence(answer)), Text(), numbers, *_changes(answer), *_below(answer)]
    page += [Text(printable(x)) for x in answer.notes]
    for name, day in (("before", answer.before), ("after", answer.after)):
        if day.unjudged is not None:
            page.append(Text(f"{name}: {printable(day.unjudged)}"))
    return [*page, Text(), time_line(answer.seconds)]


def _rate(day: DayAnswer, share: Fraction | None) -> str:
    """A throughput, and as a data rate; more than the slowest host's cable carries is no use to a host."""
    network = day.routing.network
    if share is None:
        return "not known"
    if network.gbps is None:
        return fraction_text(share)
    most = network.host_bandwidth
    return f"{fraction_text(share)} ({decimal_text((share if most is None else min(share, most)) * network.gbps)} Gb/s)"


def _sentence(answer: DiffAnswer) -> str:
    """What became of the guarantees, and of uniform traffic where it moved; then why."""
    traffic = {
        SPLIT: "Under the worst traffic",
        WHOLE: "Under the worst traffic and the worst hashes of whole flows",
        UNIFORM: "Under uniform traffic",
    }
    of = host_word(answer.after.routing.network)
    words = []
    for measure, under in traffic.items():
        shares = [x.share(measure) for x in (answer.before, answer.after)]
        was, now = (_rate(x, share) for x, share in zip((answer.before, answer.after), shares, strict=True))
        moved, known = answer.change(measure), None not in shares
        if moved:
            verb = "rose" if moved > 0 else "fell"
            words.append(f"{under} the throughput of every {of} {verb} from {was} to {now}.")
        elif measure is answer.moved:
            each = " and ".join(fraction_text(x) for x in shares if x is not None)
            words.append(f"{under} every {of} can send at full speed on both days: the links would carry {each} of it.")
        elif known and measure is not UNIFORM:
            words.append(f"{under} the throughput of every {of} is the same: {now}.")
    if answer.found.same:
        words.append(
            "No cable, speed, host or entry changed." if answer.found.compared else "No cable, speed or host changed."
        )
    return " ".join([*words, *_why(answer)])


def _why(answer: DiffAnswer) -> list[str]:
    """Which change alone takes the first day to where the second is; or else what those that were tried do."""
    if not answer.causes or answer.moved is None:
        return []
    was, now = answer.before.share(answer.moved), answer.after.share(answer.moved)
    moving = [x for x in answer.causes if x.share not in (None, was)]
    whole = [x for x in moving if now is not None and x.share == now * answer.found.scale]
    what = {SPLIT: "the worst case", WHOLE: "the worst case of whole flows"}.get(answer.moved, "uniform throughput")
    if whole:
        far = ", with all entries to the hosts that it led to," if whole[0].far else ""
        return [f"This change alone{far} takes {what} there: {_words(whole[0].changes)}."]
    known = sum(x.share is not None for x in answer.causes)
    if not known:
        return ["No change could be applied alone, so the cause is not known."]
    if moving:
        return [f"No change that was applied alone takes {what} there; {len(moving)} of {known} move it."]
    return [f"No change that was applied alone ({known}) moves {what}."]


def _words(changes: Sequence[Change]) -> str:
    first = printable(changes[0].text())
    if len(changes) == 1:
        return first
    if changes[0].kind == "entries":
        return f"all {len(changes)} changes of entries together"
    kinds = [x.kind for x in changes[1:]]
    some = [f"{n} {kind if n == 1 else f'{kind}s'}" for kind in KINDS if (n := kinds.count(kind))]
    return f"{first}, with {' and '.join(some)} there"


def _numbers(answer: DiffAnswer) -> list[Sequence[str]]:
    """(what, before, after) each."""
    days = answer.before, answer.after
    rows: list[Sequence[str]] = []
    for name, measure in (
        ("worst-case throughput", SPLIT), ("the same, whole flows", WHOLE), ("uniform throughput", UNIFORM),
    ):  # fmt: skip
        shares = [x.share(measure) for x in days]
        if measure is not WHOLE or shares != [None, None]:
            rows.append((name, *(_rate(x, share) for x, share in zip(days, shares, strict=True))))
            if any(hot := [printable(x.hot(measure)) for x in days]):
                rows.append(("  hot link", *hot))
    for by_level, name in ((True, "deadlock-free by service level"), (False, "deadlock-free on one lane")):
        found = [x.deadlock.get(by_level) for x in days]
        if any(x is not None for x in found):
            rows.append((name, *(_VERDICT[x] for x in found)))
    return rows


_VERDICT = {True: "yes", False: "no", None: "not judged"}


def _changes(answer: DiffAnswer) -> list[RenderableType]:
    """A row for each change, with what the first day keeps with it alone."""
    found = answer.found
    alone = {id(x.changes[0]): x for x in answer.causes if len(x.changes) == 1 or x.changes[0].kind == "device"}
    rows: list[tuple[str, ...]] = []
    for kind in KINDS:
        some = [x for x in answer.changes if x.kind == kind]
        for x in some[:_SHOWN]:
            with_it = f"; {x.with_it} entries with it" if x.with_it else ""
            cells = (printable(text) for text in (x.where, f"{x.detail}{with_it}"))
            rows.append((f"{kind} {x.how}", *cells, _alone(alone.get(id(x)), answer)))
        left = max(0, len(some) - _SHOWN) + (found.more if kind == "entries" else 0)
        if left:
            rows.append((kind, f"and {left} more", "", ""))
    if not rows:
        return []
    heads, last = ("", "where", "", f"alone, {answer.moved.name}" if answer.moved else ""), 4 if answer.causes else 3
    return [Text(), title("what changed"), number_table(heads[:last], [x[:last] for x in rows], words=range(4), gap=2)]


def _alone(cause: Cause | None, answer: DiffAnswer) -> str:
    if cause is None or answer.moved is None:
        return ""
    if cause.share is None:
        return "not known"
    text = "the same" if cause.share == answer.before.share(answer.moved) else fraction_text(cause.share)
    return f"{text} *" if cause.far else text


def _below(answer: DiffAnswer) -> list[RenderableType]:
    """What stands below the table: how causes were found, what was not tried, what is no change."""
    together = [x for x in answer.causes if len(x.changes) > 1 and x.changes[0].kind == "entries"]
    lines = [f"{_words(x.changes)}, alone: {_alone(x, answer)}" for x in together]
    if answer.causes:
        lines.append("alone: BEFORE with this change and nothing else of AFTER, judged again")
    if any(x.far for x in answer.causes):
        lines.append("*: with all entries to the hosts that the cable led to; others were left without a way")
    reasons = dict.fromkeys(x.reason for x in answer.causes if x.reason)
    lines += [f"not known alone: {printable(x)}" for x in list(reasons)[:_REASONS]]
    if answer.untried:
        lines.append(f"{answer.untried} more changes were not tried alone; --causes N tries N")
    if answer.found.addresses:
        lines.append(f"{answer.found.addresses} hosts have another address, which is not a change by itself")
    return [quiet(x) for x in lines]
