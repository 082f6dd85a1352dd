"""Rates with a unit, as simulators and planners write them, and networks whose bandwidths were stated in Gb/s."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..core.arrays import Numbers
from ..core.errors import InputError, warn
from ..core.network import Network
from .format import Bandwidth
from .text_files import brief, parse_number, positive_number, unexpected

_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kKMGT]?)(i?)(bps|b/s|Bps|B/s)")
_TIMES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}


def gbps_of(text: str, *, what: str) -> Fraction:
    """A rate as ns-3 writes it (``400Gbps``, ``25Gb/s``, ``50GB/s``, ``1.5GiB/s``), in Gb/s."""
    found = _RATE.fullmatch(text)
    if found is None or (found[3] and not found[2]):
        raise unexpected(what, text, "a rate such as 400Gbps")
    number, prefix, binary, unit = found.groups()
    value: Fraction = parse_number(number, what=what) * (1024 if binary else 1000) ** _TIMES[prefix]
    value *= Fraction(8 if unit.startswith("B") else 1, 10**9)
    if value <= 0:
        raise unexpected(what, text, "a rate above 0")
    return value


@dataclass(frozen=True, eq=False, repr=False)
class RatedNetwork(Network):
    """A network of which bandwidth 1 is ``gbps`` Gb/s; ``host_bandwidth``: what the slowest terminal sends at most;
    ``host_widths``: what the terminals' own cables carry, where these are no channels."""

    gbps: Fraction | None = None
    host_bandwidth: Fraction | None = None
    host_widths: tuple[Fraction, ...] | None = None

    def part(self, node: Numbers, channel: Numbers, terminal: Numbers, *, name: str) -> Network:
        """As ``Network.part``; the unit stays."""
        smaller = super().part(node, channel, terminal, name=name)
        widths = self.host_widths and tuple(self.host_widths[t] for t in terminal.tolist())
        return replace(self, **{x: getattr(smaller, x) for x in Network.__dataclass_fields__}, host_widths=widths)


def in_units(
    given: Bandwidth, rates: Sequence[Fraction], hosts: Sequence[Fraction], *, what: str
) -> tuple[tuple[Fraction, ...], Fraction | None, Fraction | None]:
    """Bandwidths of channels of ``rates`` (Gb/s), what 1 is in Gb/s, and the bandwidth of the slowest of ``hosts``.

    ``given``: None (1 is the slowest host, with a warning where others are faster), "gbps", or one number for all.
    """
    if isinstance(given, (int, Fraction)):
        return (positive_number(given, what=f"{what}: bandwidth"),) * len(rates), None, None
    if given is not None and given != "gbps":
        raise InputError(f"{what}: bandwidth={brief(given)}; gbps (rates as in the file) or a number was expected")
    slowest = min(hosts)
    if given is None and slowest < max(hosts):
        warn(
            f"{what}: hosts send at {float(slowest):g} to {float(max(hosts)):g} Gb/s; bandwidth 1 is the slowest, and "
            f"all hosts are taken to send at one rate (bandwidth=gbps: all in Gb/s)"
        )
    unit = slowest if given is None else Fraction(1)
    known = {rate: rate / unit for rate in set(rates)}
    return tuple(known[x] for x in rates), unit, slowest / unit
