"""What is planned, on the terminal: which cables to mend first."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...questions.plan.mend import MendAnswer, Mended
from ...topologies.cabling import Deviation, unit_of
from .cabling import found_text, intended_text, names_of
from .parts import host_word, number_table, quiet, time_line, title, units_text

_SHOWN = 20


def mend_parts(answer: MendAnswer) -> list[RenderableType]:
    """Title, what to mend first in words, the rule, each mended alone, several one after the other."""
    fabric = answer.fabric
    how = "names" if answer.by_name else "structure: another matching may find other cables missing"
    page: list[RenderableType] = [
        title(_title(answer)),
        quiet(units_text(fabric)),
        quiet(_between(answer, how)),
        Text(),
        *map(Text, _sentences(answer)),
        Text(),
        quiet(_rule(answer)),
        Text(),
        number_table(*_alone(answer), words=(0,)),
    ]
    if len(answer.order) > 1:
        page += [Text(), _order(answer)]
    page += map(Text, _below(answer))
    return [*page, Text(), time_line(answer.seconds)]


def mend_page(answer: MendAnswer) -> dict[str, Any]:
    """The sentences and the table of what is mended or added alone, on top of the page."""
    return {
        "title": _title(answer),
        "summary": " ".join(_sentences(answer)),
        "table": (*_alone(answer), [_rule(answer), *_below(answer)]),
    }


def _title(answer: MendAnswer) -> str:
    return f"{printable(answer.fabric.name)}: what {'mending gains' if answer.free is None else 'more cables gain'}"


def _between(answer: MendAnswer, how: str) -> str:
    if answer.free is None:
        return f"intended: {printable(answer.intent.name)}; switches are matched by {how}"
    free = [x for x in answer.free if x]
    return f"free: {sum(free):,} ports of {len(free):,} switches"


def _did(answer: MendAnswer) -> str:
    return "mended" if answer.free is None else "added"


def _what(answer: MendAnswer, number: int) -> str:
    """``leaf1 - spine2``, with the ports where the intent has them, and what is wrong where it is not missing."""
    x = answer.choices[number]
    if answer.free is not None:
        c = x.intended[0][0]
        ends = (answer.intent.tail[c], answer.intent.head[c])
        return " - ".join(printable(answer.fabric.label(int(v))) for v in ends)
    if answer.by_name:
        where = found_text(answer.intent, Deviation(x.kind, found=x.intended))
    else:
        where = intended_text(answer.intent, names_of(answer.fabric, answer.node), x, by_name=False)
    kind = x.kind.replace("_", "-")
    return where if kind == "missing" else f"{where} ({kind}: {found_text(answer.fabric, x)})"


def _keep(answer: MendAnswer, x: Mended) -> str:
    if x.share is None:
        return f"some {host_word(answer.fabric)}s stay separated"
    return f"every {host_word(answer.fabric)} keeps {fraction_text(x.share)}"


def _sentences(answer: MendAnswer) -> list[str]:
    today, count = answer.today, len(answer.choices)
    if answer.free is not None:
        return _of_added(answer)
    can = f"{count} cable{'s' if count > 1 else ''} can be mended" if not _swaps(answer) else f"{count} can be mended"
    now = (
        f"Today some {host_word(answer.fabric)}s are separated"
        if today.share is None
        else f"Today {_keep(answer, today)}"
    )
    lines = [f"{now} under the worst traffic; {can}."]
    best = answer.alone[0]
    if (best.share or 0) > (today.share or 0):
        lines.append(f"Mending {_what(answer, best.numbers[0])} alone gains most: {_keep(answer, best)} then.")
    elif answer.tried:
        lines.append("No single one of them, mended alone, raises the worst case.")
    if len(answer.order) > 1:
        last = answer.order[-1]
        size = len(last.numbers)
        more = f"no other set of {size} gives more" if size <= answer.tried else "found step by step (greedy)"
        if (last.share or 0) > (best.share or 0) or (best.share or 0) <= (today.share or 0):
            lines.append(f"With {size} mended, {_keep(answer, last)}; {more}.")
    return lines


def _of_added(answer: MendAnswer) -> list[str]:
    today, best = answer.today, answer.alone[0]
    now = (
        f"Today some {host_word(answer.fabric)}s are separated"
        if today.share is None
        else f"Today {_keep(answer, today)}"
    )
    lines = [f"{now} under the worst traffic."]
    first = _what(answer, best.numbers[0])
    every = "no other single cable gives more" if answer.tried else "not all cables were tried"
    if (best.share or 0) > (today.share or 0):
        lines.append(f"One more cable {first}: {_keep(answer, best)}; {every}.")
    elif answer.tried:
        worse = (best.share or 0) < (today.share or 0)
        lines.append(f"{'Every' if worse else 'No'} single cable {'lowers' if worse else 'raises'} the worst case.")
    if len(answer.order) > 1:
        last = answer.order[-1]
        size = len(last.numbers)
        most = answer.most.get(size)
        room = ", less than without them" if (last.share or 0) < (today.share or 0) else ""
        room += "" if most is None else f"; no routing with any {size} more can pass {fraction_text(most)}"
        lines.append(f"With {size} added, found step by step (greedy), {_keep(answer, last)}{room}.")
    return lines


def _swaps(answer: MendAnswer) -> bool:
    return any(x.kind == "swapped" for x in answer.choices.values())


def _rule(answer: MendAnswer) -> str:
    if answer.entries is None:
        return f"rule (rebuild): {printable(answer.routing)} is made anew on the fabric with what is {_did(answer)}"
    return (
        "rule (installed-rule): equal-cost multipath over shortest paths on all cables, with what is "
        f"{_did(answer)} (failures tells how many of today's entries it makes)"
    )


def _numbers(answer: MendAnswer, x: Mended) -> list[str]:
    if x.share is None:
        return ["none", "", "", ""]
    was = answer.today.share
    return [
        fraction_text(x.share), decimal_text(x.share), "" if was is None else decimal_text(Fraction(x.share / was)),
        "" if x.uniform is None else decimal_text(x.uniform),
    ]  # fmt: skip


def _alone(answer: MendAnswer) -> tuple[list[str], list[list[str]]]:
    """Heads and rows."""
    rows = [["nothing", *_numbers(answer, answer.today)]]
    rows += [[_what(answer, x.numbers[0]), *_numbers(answer, x)] for x in answer.alone[:_SHOWN]]
    if len(answer.alone) > _SHOWN:
        rows.append([f"and {len(answer.alone) - _SHOWN} more", "", "", "", ""])
    if answer.whole is not None and len(answer.choices) > 1:
        rows.append([f"all {len(answer.choices)}", *_numbers(answer, answer.whole)])
    return [f"{_did(answer)} alone", "worst case", "", "of today's", "uniform"], rows


def _order(answer: MendAnswer) -> RenderableType:
    rows = []
    before: tuple[int, ...] = ()
    for x in answer.order:
        size = len(x.numbers)
        (new,) = set(x.numbers) - set(before)
        which = "" if size <= answer.tried else "greedy"
        rows.append([f"{size}. {_what(answer, new)}", *_numbers(answer, x), which])
        before = x.numbers
    heads = ["one after the other", "worst case", "", "of today's", "uniform"]
    if any(x[-1] for x in rows):
        return number_table([*heads, ""], rows, words=(0, 5))
    return number_table(heads, [x[:-1] for x in rows], words=(0,))


def _below(answer: MendAnswer) -> list[str]:
    lines = ["worst case, uniform: the throughput of every " + host_word(answer.fabric) + ", exact and proved"]
    if unit_of(answer.fabric, answer.intent, answer.node) != 1:
        lines[0] += ", in the unit of the intent's bandwidths"
    if len(answer.alone) < len(answer.choices) and answer.tried:
        alike = "missing cables between the same switches, of one bandwidth"
        if answer.free is not None:
            alike = "cables that symmetries of the fabric take to one another"
        lines.append(f"of {alike}, one is shown")
    size = len(answer.order)
    if answer.free is not None:
        return [*lines, *map(printable, answer.notes)]
    if 1 < size <= answer.tried:
        lines.append(
            f"one after the other: the best of all sets of {size}, then the best {size - 1} of these, and so on"
        )
    elif size > 1:
        first = "the best one" if answer.tried == 1 else f"the best of all sets of {answer.tried}"
        lines.append(f"one after the other: {first}, then greedy: each the best next one; another set may gain more")
    untold = len(answer.found.cables) - len(answer.choices)
    if untold:
        what = "deviation is" if untold == 1 else "deviations are"
        lines.append(f"{untold} more {what} not to mend here (check --intent lists all)")
    return [*lines, *map(printable, answer.notes)]
