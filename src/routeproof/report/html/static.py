"""The channels of a page for readers without JavaScript: busiest first, with exact loads."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..terminal.numbers import decimal_text, fraction_text
from .tables import table_html

__all__ = ["channel_table", "unpacked"]


def unpacked(data: Mapping[str, str]) -> npt.NDArray[np.int64]:
    """What ``html_numbers.packed`` packed."""
    ((kind, text),) = data.items()
    return np.frombuffer(base64.b64decode(text), dtype=f"<u{int(kind[1:]) // 8}").astype(np.int64)


def channel_table(view: Mapping[str, Any], most: int) -> str:
    """A table of the ``most`` busiest channels under the first pattern of the first routing."""
    network, routing = view["network"], view["routings"][0]
    pattern = routing["patterns"][0]
    labels, texts = network["labels"], view["values"]
    tail, head, load = unpacked(network["tail"]), unpacked(network["head"]), unpacked(pattern["load"])
    exact = [Fraction(x.removeprefix("~")) for x in texts]
    width = [Fraction(1)] * len(tail)
    if "bandwidth" in network:
        width = [exact[k] for k in unpacked(network["bandwidth"])]
    order = sorted(range(len(tail)), key=lambda c: (-exact[load[c]] / width[c], c))[:most]
    rows = [
        (str(c), f"{labels[tail[c]]} -> {labels[head[c]]}", fraction_text(exact[load[c]]), decimal_text(exact[load[c]]))
        for c in order
    ]
    more = "" if len(tail) <= most else f", the {most} busiest of {len(tail):,}"
    title = f"Channels of {routing['name']} under {pattern['name']}{more}"
    return table_html(("number", "channel", "load", "decimal"), rows, caption=title, right=(0, 2, 3))
