"""What a picture of a worst case shows: loads of all channels, and the traffic over the worst one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...answers.adversary import crossings, ends, flow_over, loads_of, worst_traffic
from ...core.errors import InputError
from ...core.network import Network
from ...core.vocabulary.quantity import OF_RATES, SHORT_UNITS
from ..terminal.escape import printable
from ..terminal.numbers import decimal_text, fraction_text

if TYPE_CHECKING:
    from ...analysis.worst_case.result import WorstCase

__all__ = ["Picture", "picture_of"]


@dataclass(frozen=True, eq=False)
class Picture:
    """What a picture shows; loads are in packets per cycle at full injection.

    ``load``: the load of every channel under the worst traffic.  ``flow``: of it, what the paths over the worst
    channel put on each channel.  ``sources`` and ``destinations``: the nodes whose packets cross the worst channel.
    """

    network: Network
    title: str
    subtitle: str
    caption: str
    load: Sequence[Fraction]
    worst: int
    flow: Mapping[int, Fraction]
    sources: frozenset[int] = frozenset()
    destinations: frozenset[int] = frozenset()
    positions: npt.NDArray[np.float64] | None = None


def picture_of(
    worst_case: WorstCase,
    *,
    capacity: Fraction | None = None,
    positions: npt.NDArray[np.float64] | None = None,
    sampled: bool = False,
) -> Picture:
    """The picture of ``worst_case``; see ``plot.plot_worst_case``.

    Raises InputError where there is no traffic to show.
    """
    routing, network, worst = worst_case.routing, worst_case.network, worst_case.channel
    traffic = worst_traffic(worst_case)
    pairs = crossings(routing, worst, traffic)
    if not pairs:
        raise InputError(f"no traffic of this model saturates a channel of {network.name}; there is nothing to draw")
    load = loads_of(routing, traffic)
    packets = "packet" if load[worst] == 1 else "packets"
    bandwidth = network.bandwidth[worst]
    over = "" if bandwidth == 1 else f" over bandwidth {fraction_text(bandwidth)}"
    share = f", {fraction_text(worst_case.throughput / capacity)} of capacity" if capacity else ""
    rate = fraction_text(worst_case.throughput)
    if worst_case.throughput.denominator > 1:
        rate += f" ({decimal_text(worst_case.throughput)})"
    unit = SHORT_UNITS[OF_RATES] if worst_case.model.name == "hose" else "of the injection rate"
    subtitle = f"worst-case throughput {rate} {unit}{share}: proved"
    if sampled:
        about = decimal_text(worst_case.throughput)
        subtitle = f"worst-case throughput about {about} {unit}: sampled, not proved"
    return Picture(
        network,
        title=f"{printable(routing.name, limit=40)} on {printable(network.name, limit=50)}",
        subtitle=subtitle,
        caption=(
            f"worst channel {printable(network.channel_label(worst), limit=60)}: "
            f"{fraction_text(load[worst])} {packets} per cycle{over}, from {len(pairs)} "
            f"{'pair' if len(pairs) == 1 else 'pairs'} of terminals"
        ),
        load=load,
        worst=worst,
        flow=flow_over(routing, worst, pairs),
        sources=frozenset(ends(network, pair)[0] for pair in pairs),
        destinations=frozenset(ends(network, pair)[1] for pair in pairs),
        positions=positions,
    )
