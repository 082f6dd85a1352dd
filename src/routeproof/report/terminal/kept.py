"""What a worst case leaves a host or terminal: a share of its speed where that is known, else a rate."""

from __future__ import annotations

from fractions import Fraction

from ...core.display import decimal_text
from ...core.network import Network


def kept_text(network: Network, kept: Fraction, number: str, *, least: str = "") -> str:
    """``keeps 2/3 of its speed (66.6667 of 100 Gb/s)``, for a throughput of ``kept``; ``number``: it in words, as a
    share or in the unit of the bandwidths; ``least``: "at least " where it may be more.

    Of a network by name, and of a graph whose channels are alike, 1 is what a terminal sends.  Of a fabric it is known
    what hosts' own cables carry, or it is said what they are taken for.  Hosts of unequal speeds all send at one rate.
    """
    fabric = network.terminal_labels is not None
    most, unit = network.host_bandwidth, network.gbps
    alike = set(network.bandwidth) <= {Fraction(1)}
    if not fabric and (network.spec is not None or alike):
        return f"keeps {f'{least}{number}' if kept < 1 else 'all'} of its rate"
    if most is None and unit is not None:
        return f"whose own cable allows it can send {least}{decimal_text(kept * unit)} Gb/s"
    if most is None and not alike:
        return f"keeps {least}{number}, in the unit of the bandwidths"
    full = most or Fraction(1)
    share = kept / full
    rate = ""
    if unit is not None:
        whole = f"{decimal_text(full * unit)} Gb/s"
        rate = f" ({whole})" if share >= 1 else f" ({decimal_text(kept * unit)} of {whole})"
    text = number if full == 1 else str(share)
    if len(set(network.host_widths or ())) > 1:
        of = "the slowest host's speed" if share >= 1 else f"{least}{text} of the slowest host's speed"
        return f"can send at {of}{rate}"
    words = "its full speed" if share >= 1 else f"{least}{text} of its speed"
    assumed = "" if most is not None else " (its own cable taken as fast as a link between switches)"
    return f"keeps {words}{rate}{assumed}"
