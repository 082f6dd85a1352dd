"""What is regular about a fabric, in words: by level how many switches are alike, and how each other one differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.display import decimal_text, fraction_text
from ...core.network import Network
from ...topologies.levels import Level, Levels, Link, Neighbours, cables_by_link, levels_of, port_at, usual_ports

_NAMED = 8  # switches, ports and kinds of cables
_LINES = 20  # of one level


def alike_lines(network: Network) -> list[str]:
    """By level a line, then those of its exceptions; nothing where no level has a majority of switches alike."""
    found = levels_of(network)
    if not any(x.usual for x in found.found):
        return []
    words = _Words(network, found)
    lines = ["alike: in how many cables lead to which level at which rate (level: cables to the nearest host)"]
    for level in found.found:
        lines += words.of_level(level)
    lost = [v for v, x in enumerate(found.level.tolist()) if x == 0]
    if lost:
        lines.append(f"no cable leads on to a host from {_some([network.label(v) for v in lost])}")
    return lines


class _Words:
    def __init__(self, network: Network, levels: Levels) -> None:
        self._network, self._levels = network, levels
        self._lacking: dict[int, set[int]] = {}  # by level: the switches that have fewer cables to it
        for level in levels.found:
            for v, other in level.others.items():
                for link in cables_by_link(level.usual or other) - cables_by_link(other):
                    self._lacking.setdefault(link.level, set()).add(v)

    def of_level(self, level: Level) -> list[str]:
        count = len(level.switches)
        head = f"level {level.level}: "
        if level.usual is None:
            return [f"{head}no more than half of its {count:,} switches are alike"]
        each = "; ".join(self._neighbours(level.usual))
        lines = [f"{head}{len(level.alike):,} of {count:,} switches alike: {each or 'no cable'}"]
        ports = usual_ports(self._network, level, self._levels.ends) if level.others else {}
        told: dict[str, list[str]] = {}
        for v, other in level.others.items():
            told.setdefault(self._difference(v, other, level.usual, ports), []).append(self._network.label(v))
        lines += [f"  {_some(names)} {'have each' if len(names) > 1 else 'has'} {x}" for x, names in told.items()]
        more = len(lines) - 1 - _LINES
        return lines if more <= 0 else [*lines[: _LINES + 1], f"  and {more} more kinds of exceptions"]

    def _difference(self, v: int, other: Neighbours, usual: Neighbours, ports: dict[str, int]) -> str:
        has, wanted = cables_by_link(other), cables_by_link(usual)
        used = {port_at(self._network, v, c) for _, c in self._levels.ends[v]}
        parts = [
            f"{self._cables(link, count, 'fewer')}{self._absent(v, link, count, ports, used)}"
            for link, count in sorted((wanted - has).items())
        ]
        for link, count in sorted((has - wanted).items()):
            which = "" if link in wanted else self._which(v, link)
            parts.append(f"{self._cables(link, count, 'more')}{which}")
        if not parts:
            parts = ["as many cables, but to other numbers of switches: " + "; ".join(self._neighbours(other - usual))]
        return ", ".join(parts)

    def _absent(self, v: int, link: Link, count: int, ports: dict[str, int], used: set[str]) -> str:
        """To which others that have fewer cables, too, none leads, where these are as many as are fewer; and the ports
        without a cable between switches at which most of the switches alike have one to this level."""
        network, level = self._network, self._levels.level
        joined = {int(x[c]) for _, c in self._levels.ends[v] for x in (network.tail, network.head)}
        lost = sorted(w for w in self._lacking.get(int(level[v]), set()) - joined if level[w] == link.level)
        free = [x for x, to in ports.items() if to == link.level and x not in used]
        parts = [f"none to {_some([network.label(w) for w in lost])}"] if len(lost) == count else []
        parts += [f"none at port{'s' if len(free) > 1 else ''} {_some(free)}"] if free else []
        return f" ({'; '.join(parts)})" if parts else ""

    def _which(self, v: int, link: Link) -> str:
        labels = [self._network.channel_label(c) for x, c in self._levels.ends[v] if x == link]
        return f" ({_some([x.replace(' -> ', ' - ', 1) for x in labels], 3)})"

    def _neighbours(self, neighbours: Neighbours) -> Iterable[str]:
        kinds = sorted(neighbours.items())
        for (link, count), number in kinds[:_NAMED]:
            to = "a switch" if number == 1 else f"each of {number:,} switches"
            yield self._cables(link, count).replace(" level ", f" {to} of level ", 1)
        if len(kinds) > _NAMED:
            yield f"and {len(kinds) - _NAMED} more kinds of cables"

    def _cables(self, link: Link, count: int, more: str = "") -> str:
        network, way = self._network, "" if link.way == 0 else " one-way"
        width, rate = network.widths[link.rank], ""
        more = f" {more}" if more else ""
        if len(network.widths) > 1 and network.gbps is not None:
            rate = f" at {decimal_text(width * network.gbps)} Gb/s"
        elif len(network.widths) > 1:
            rate = f" of bandwidth {fraction_text(width)}"
        which = "from" if link.way < 0 else "to"
        return f"{count:,}{more}{way} cable{'' if count == 1 else 's'}{rate} {which} level {link.level}"


def _some(names: Sequence[str], most: int = _NAMED) -> str:
    """``a, b and c``; of many names the first ones."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(x for x in (", ".join(names[:-1]), names[-1]) if x)
