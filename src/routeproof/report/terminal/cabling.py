"""A fabric against its intent, on the terminal: what deviates, by name and port, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from ...core.arrays import Int64
from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...core.network import Network
from ...questions.fabrics.cabling import CablingAnswer
from ...topologies.cabling import INTENDED, NOW, Cable, Deviation, unit_of
from ...topologies.ports import OtherPorts
from .parts import number_table, quiet, sizes_text, time_line, title

_SHOWN = 20


def cabling_parts(answer: CablingAnswer) -> list[RenderableType]:
    """The answer in a sentence, the deviations with the cost of each, the guarantees."""
    fabric, intent = answer.fabric, answer.intent
    how = "their names" if answer.by_name else "structure: another matching may leave fewer deviations"
    page: list[RenderableType] = [
        title(f"{printable(fabric.name)} against {printable(intent.name)}"),
        quiet(f"{sizes_text(fabric)}; intended: {sizes_text(intent)}"),
        quiet(f"switches are matched by {how}"),
        Text(),
        Text(_sentence(answer)),
    ]
    rows = _rows(answer)
    if rows:
        heads = ["", "where", "intended", *(["alone, worst case"] if answer.costs else [])]
        page += [Text(), number_table(heads, [x[: len(heads)] for x in rows], words=range(4), gap=2)]
    page += map(Text, _below(answer))
    return [*page, Text(), time_line(answer.seconds)]


def _sentence(answer: CablingAnswer) -> str:
    names = {
        "cables_missing": "missing", "cables_extra": "extra", "cables_swapped": "swapped", "cables_slow": "slow",
        "cables_fast": "too fast", "cables_one_sided": "one-sided",
    }  # fmt: skip
    counts = answer.found.counts()
    words = []
    for key, name in names.items():
        count = counts[key]
        if count:
            what = f"{'pair' if count == 1 else 'pairs'} of cables" if key == "cables_swapped" else "cable"
            words.append(f"{count} {what}{'s' if what == 'cable' and count > 1 else ''} {name}")
    for key in ("switches_missing", "switches_extra", "hosts_missing", "hosts_extra"):
        what, name = key.split("_")
        if counts[key]:
            words.append(
                f"{counts[key]} {what if counts[key] > 1 else what.rstrip('s').replace('switche', 'switch')} {name}"
            )
    for together, (single, plural) in _OTHER_PORTS.items():
        number = sum(len(x.cables) == together for x in _told_ports(answer))
        words += [f"{number} {single if number == 1 else plural}"] if number else []
    known = answer.ports is not None and answer.ports.whole and answer.ports.compared and not answer.ports.differ
    what = f"cable, {'port, ' if known else ''}{'speed, ' if _factor(answer) == 1 else ''}switch and host"
    text = f"Found: {', '.join(words)}." if words else f"Every {what} is as intended."
    one, two = (answer.shares.get(x) for x in (INTENDED, NOW))
    if one is None or two is None:
        return text
    if one == two:
        return f"{text} The guarantee is that of the intent, {fraction_text(one)}."
    share = decimal_text(two / one)
    return f"{text} The guarantee is {fraction_text(two)} instead of {fraction_text(one)} ({share} of it)."


_OTHER_PORTS = {
    1: ("cable at another port", "cables at other ports"),
    2: ("pair of ports swapped", "pairs of ports swapped"),
}
"""By how many cables are told together, in words."""


def _told_ports(answer: CablingAnswer) -> Sequence[OtherPorts]:
    """None where most differ: names of ports may be those of another numbering."""
    ports = answer.ports
    return [] if ports is None or 2 * ports.differ > ports.compared else ports.others


def _port_rows(answer: CablingAnswer) -> list[tuple[str, ...]]:
    rows, told = list[tuple[str, ...]](), _told_ports(answer)
    for x in told[:_SHOWN]:
        here = "; ".join(_at_ports(answer.fabric, ends, found) for ends, found, _ in x.cables)
        there = "; ".join(_at_ports(answer.fabric, ends, intended) for ends, _, intended in x.cables)
        rows.append(("swapped ports" if len(x.cables) == 2 else "other port", here, there, ""))
    if len(told) > _SHOWN:
        rows.append(("", f"and {len(told) - _SHOWN} more", "", ""))
    return rows


def _lost_ports(answer: CablingAnswer) -> dict[int, str]:
    """Of missing cables their intended ends, with ports; nothing where it is not known which of several are missing."""
    intent, gone = answer.intent, dict[tuple[int, int], list[Deviation]]()
    for x in answer.found.cables:
        for c in (cable[0] for cable in x.intended if x.kind in ("missing", "swapped")):
            u, v = int(intent.tail[c]), int(intent.head[c])
            gone.setdefault((min(u, v), max(u, v)), []).append(x)
    lost = answer.ports.lost if answer.ports is not None else {}
    return {
        id(x): _at_ports(intent, ends, ports)
        for ends, some in gone.items()
        if len(some) == len(lost.get(ends, ())) and all(x.kind == "missing" for x in some)
        for x, ports in zip(some, lost[ends], strict=True)
    }


def _at_ports(network: Network, switches: Sequence[int], ports: Sequence[str]) -> str:
    at = zip(switches, ports, strict=True)
    return " - ".join(f"{printable(network.label(v))}[{printable(port) or '?'}]" for v, port in at)


def _factor(answer: CablingAnswer) -> Fraction:
    """What speeds of the fabric are multiplied by before they are compared, in Gb/s where both sides know them."""
    fabric, intent = answer.fabric, answer.intent
    unit = unit_of(fabric, intent, answer.node)
    return unit if fabric.gbps is None or intent.gbps is None else unit * intent.gbps / fabric.gbps


def _rows(answer: CablingAnswer) -> list[tuple[str, ...]]:
    fabric, found = answer.fabric, answer.found
    name = names_of(fabric, answer.node)
    cost, lost = {id(x.deviation): x for x in answer.costs}, _lost_ports(answer)
    rows: list[tuple[str, ...]] = []
    for x in found.cables[:_SHOWN]:
        share = cost.get(id(x))
        alone = "" if share is None else "none" if share.share is None else fraction_text(share.share)
        where = lost.get(id(x)) or intended_text(answer.intent, name, x, answer.by_name)
        rows.append((x.kind.replace("_", "-"), found_text(fabric, x), where, alone))
    if len(found.cables) > _SHOWN:
        rows.append(("", f"and {len(found.cables) - _SHOWN} more", "", ""))
    rows += _port_rows(answer)
    rows += [("switch missing", printable(answer.intent.label(v)), "", "") for v in found.switches_missing[:_SHOWN]]
    rows += [("switch extra", printable(fabric.label(v)), "", "") for v in found.switches_extra[:_SHOWN]]
    for v, more in list(found.hosts.items())[:_SHOWN]:
        what = f"{abs(more)} host{'' if abs(more) == 1 else 's'} {'extra' if more > 0 else 'missing'}"
        rows.append((what, f"at {printable(fabric.label(v))}", "", ""))
    return rows


def _cable(network: Network, cable: Cable) -> str:
    label = printable(network.channel_label(cable[0]))
    return label.replace(" -> ", " - ", 1) if len(cable) == 2 else label


def names_of(fabric: Network, node: Int64) -> dict[int, str]:
    """By node of the intent what it is called in the fabric."""
    return {int(k): fabric.label(v) for v, k in enumerate(node.tolist()) if k >= 0}


def found_text(fabric: Network, x: Deviation) -> str:
    """The cables of the fabric that a deviation is about, by switch and port."""
    return "; ".join(_cable(fabric, y) for y in x.found)


def intended_text(intent: Network, name: dict[int, str], x: Deviation, by_name: bool) -> str:
    """Between which switches of the fabric its cables are intended, and where these are in the intent."""
    texts = []
    for cable in x.intended:
        ends = int(intent.tail[cable[0]]), int(intent.head[cable[0]])
        here = " - ".join(printable(name.get(v, f"({intent.label(v)})")) for v in ends)
        there = " - ".join(printable(intent.label(v)) for v in ends)
        texts.append(here if by_name else f"{here} (as {there})")
    return "; ".join(texts)


def _below(answer: CablingAnswer) -> list[str]:
    lines, factor = [], _factor(answer)
    ports = answer.ports
    if ports is not None and ports.differ and not _told_ports(answer):
        lines.append(
            f"ports: {ports.differ:,} of {ports.compared:,} cables are at others than intended, too many to list: "
            "perhaps the intent numbers ports otherwise"
        )
    if factor != 1:
        lines.append(f"speeds: compared with one another; most are intended {fraction_text(factor)} times as fast")
    if answer.shares:
        lines.append(f"guarantees: worst-case throughput under {answer.routing} (--routing), exact and proved")
    if answer.costs:
        lines.append("alone: the intent with this deviation and nothing else")
    if answer.untold and answer.found.cables:
        lines.append(f"{answer.untold} deviations are not judged alone (--costs N)")
    lines += [f"{day}: no guarantee ({printable(why)})" for day, why in answer.why.items() if why]
    reasons = dict.fromkeys(x.reason for x in answer.costs if x.reason)
    return [*lines, *(f"none: {printable(x)}" for x in list(reasons)[:2])]
