"""Two days of a fabric on the terminal: both guarantees, what changed, and which change is the cause."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text, seconds_text
from ...core.escape import printable
from ...questions.fabrics.diff import GUARANTEES, Cause, DayAnswer, DiffAnswer
from ...routing.fabrics.difference import Change
from .parts import number_table, quiet, title, units_text

_SHOWN = 20  # changes of one kind


def diff_page(answer: DiffAnswer) -> dict[str, Any]:
    one, two = (printable(x.routing.network.name) for x in (answer.before, answer.after))
    return {"title": f"{one}, and {two} after it"}


def diff_parts(answer: DiffAnswer) -> list[RenderableType]:
    """In order: the answer in a sentence, the numbers of both days, what changed, the causes."""
    page: list[RenderableType] = []
    for name, day in (("before", answer.before), ("after ", answer.after)):
        network = day.routing.network
        page.append(title(f"{name}  {printable(day.routing.name)} on {printable(network.name)}"))
        page.append(quiet(units_text(network)))
    page += [Text(), Text(_sentence(answer)), Text(), _numbers(answer), Text(), *_changes(answer), *_causes(answer)]
    page += [Text(printable(x)) for x in answer.notes]
    for name, day in (("before", answer.before), ("after", answer.after)):
        if day.unjudged is not None:
            page.append(Text(f"{name}: {printable(day.unjudged)}"))
    return [*page, Text(), quiet(f"time  {seconds_text(answer.seconds)}")]


def _gbps(day: DayAnswer, share: Fraction) -> str:
    """A throughput as a data rate; more than the slowest host's cable carries is no use to a host."""
    network = day.routing.network
    if network.gbps is None:
        return ""
    most = network.host_bandwidth
    return f" ({decimal_text((share if most is None else min(share, most)) * network.gbps)} Gb/s)"


def _share(day: DayAnswer, share: Fraction | None) -> str:
    return "not known" if share is None else f"{fraction_text(share)}{_gbps(day, share)}"


def _sentence(answer: DiffAnswer) -> str:
    """What became of the guarantee; then why."""
    words = []
    host = "terminal" if answer.after.routing.network.terminal_labels is None else "host"
    for name, about in (("", GUARANTEES[0]), (" and the worst hashes of whole flows", GUARANTEES[1])):
        was, now = answer.before.share(about), answer.after.share(about)
        if was is None or now is None:
            continue
        shares = _share(answer.before, was), _share(answer.after, now)
        scaled = now * answer.found.scale
        if scaled == was:
            words.append(f"Under the worst traffic{name} the throughput of every {host} is the same: {shares[1]}.")
        else:
            verb = "fell" if scaled < was else "rose"
            words.append(
                f"Under the worst traffic{name} the throughput of every {host} {verb} from {shares[0]} to {shares[1]}."
            )
    if answer.found.same:
        words.append("Nothing changed.")
    return " ".join([*words, *_why(answer)])


def _why(answer: DiffAnswer) -> list[str]:
    """Which change alone takes the first day to where the second is; or else what those that were tried do."""
    if not answer.causes:
        return []
    was, now = answer.before.share(answer.about), answer.after.share(answer.about)
    moving = [x for x in answer.causes if x.share not in (None, was)]
    whole = [x for x in moving if now is not None and x.share == now * answer.found.scale]
    what = "the throughput of whole flows" if answer.about else "it"
    if whole:
        return [f"This change alone takes {what} there: {_words(whole[0].changes)}."]
    tried = len(answer.causes)
    if moving:
        return [f"No change that was tried takes {what} there alone; {len(moving)} of {tried} move it."]
    return [f"No change of the {tried} that were tried moves {what} alone."]


def _words(changes: Sequence[Change]) -> str:
    first = printable(changes[0].text())
    return first if len(changes) == 1 else f"{first}, and {len(changes) - 1} more with it"


def _numbers(answer: DiffAnswer) -> RenderableType:
    before, after = answer.before, answer.after
    rows: list[tuple[str, str, str]] = []
    for name, about in (("worst-case throughput", GUARANTEES[0]), ("the same, whole flows", GUARANTEES[1])):
        if before.share(about) is None and after.share(about) is None:
            continue
        rows.append((name, _share(before, before.share(about)), _share(after, after.share(about))))
        rows.append(("hot link", printable(before.hot(about)), printable(after.hot(about))))
    rows.append(("uniform throughput", _share(before, before.uniform), _share(after, after.uniform)))
    for by_level, name in ((True, "deadlock-free by service level"), (False, "deadlock-free on one lane")):
        found = [x.deadlock.get(by_level) for x in (before, after)]
        if any(x is not None for x in found):
            rows.append((name, *({True: "yes", False: "no", None: "not judged"}[x] for x in found)))  # type: ignore[arg-type]
    return number_table(("", "before", "after"), rows, words=(0, 1, 2), gap=2)


def _changes(answer: DiffAnswer) -> list[RenderableType]:
    found = answer.found
    rows = []
    for kind in ("device", "cable", "channel", "speed", "host", "entries"):
        some = [x for x in answer.changes if x.kind == kind]
        for x in some[:_SHOWN]:
            with_it = f"; {x.with_it} entries with it" if x.with_it else ""
            rows.append((f"{x.kind} {x.how}", printable(x.where), printable(f"{x.detail}{with_it}")))
        left = len(some) - _SHOWN + (found.more if kind == "entries" else 0)
        if len(some) > _SHOWN or (kind == "entries" and found.more):
            rows.append((f"{kind}", f"and {left} more", ""))
    page: list[RenderableType] = [title("what changed")]
    page.append(number_table(("", "where", ""), rows, words=(0, 1, 2), gap=2) if rows else Text("nothing"))
    if found.addresses:
        page.append(quiet(f"{found.addresses} hosts have another address, which changes nothing by itself"))
    return page


def _causes(answer: DiffAnswer) -> list[RenderableType]:
    if not answer.causes:
        return []
    which = "whole flows, " if answer.about else ""
    page: list[RenderableType] = [Text(), title(f"each change alone, applied to BEFORE: {which}worst-case throughput")]
    rows = [(_verdict(x, answer), printable(_words(x.changes))) for x in answer.causes]
    page.append(number_table(("", "change"), rows, words=(0, 1), gap=2))
    if answer.untried:
        page.append(quiet(f"{answer.untried} more were not tried; --causes N tries more"))
    return page


def _verdict(cause: Cause, answer: DiffAnswer) -> str:
    if cause.share is None:
        return f"not alone: {printable(cause.reason)}"
    was = answer.before.share(answer.about)
    return "the same" if cause.share == was else f"{fraction_text(cause.share)}"
