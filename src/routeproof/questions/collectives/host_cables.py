"""The ranks' own cables, between a terminal and its node: which rates they have, and whether these count."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..question import Option

if TYPE_CHECKING:
    from ...core.network import Network

Cables = Sequence[Fraction] | None
"""What every terminal's own cable carries; None where these do not count."""
HOST_CABLES = Option(
    value="stated|none|B",
    text="The cables between ranks and their switches: of the rates that the network states (the default, where it "
    "states them), not counted, or of bandwidth B each.",
    names=("--host-cables",),
    kind=str | None,
    python="The cables between ranks and their switches: 'stated' rates, 'none' (not counted), or the bandwidth of "
    "each; None: stated where the network states them.",
)


def counted_cables(network: Network, asked: Fraction | int | str | None) -> Cables:
    """What every terminal's own cable carries; None where these do not count.

    Raises InputError for rates that the network does not state, and for those that are no number above 0.
    """
    from ...core.rational import parse_fraction

    if asked is None or asked == "stated":
        if asked is not None and network.host_widths is None:
            raise InputError(
                f"--host-cables stated: {network.name} does not state what the cables of its hosts carry; their "
                f"bandwidth was expected, such as --host-cables 1"
            )
        return network.host_widths
    if asked == "none":
        return None
    what = "--host-cables"
    try:
        width = parse_fraction(asked, what=what)
    except InputError as error:
        raise InputError(f"{error}; or stated, or none") from None
    if width <= 0:
        raise InputError(f"{what} is {width}; a bandwidth above 0 was expected, or none")
    return (width,) * network.num_terminals


def network_with(network: Network, cables: Cables) -> Network:
    """The network with a node for every terminal, where their cables count."""
    from ...topologies.attach import with_host_cables

    return network if cables is None else with_host_cables(network, cables)


def ranks_on(placed: Network, ranks: Sequence[int] | None, cables: Cables) -> list[int]:
    """The ranks, checked on the network of ``network_with``; an error for ranks at one node names what would count."""
    from ...core.collective import check_ranks

    try:
        return check_ranks(placed, ranks)
    except InputError as error:
        found = range(placed.num_terminals) if ranks is None else ranks
        inside = cables is None and all(0 <= x < placed.num_terminals for x in found) and len(set(found)) > 1
        if inside and len({int(placed.source[x]) for x in found}) == 1:
            raise InputError(
                f"{error}; to count the hosts' own cables, say --host-cables and their bandwidth"
            ) from None
        raise


def cables_subject(cables: Cables) -> dict[str, Any]:
    """``{"host_cables": one number for all, or one each}``; nothing where they do not count."""
    if cables is None:
        return {}
    alike = len(set(cables)) == 1
    return {"host_cables": [str(x) for x in (cables[:1] if alike else cables)]}


def counted(cables: Cables) -> dict[str, Any]:
    """The qualifier of claims that count them."""
    return {} if cables is None else {"host_cables": "counted"}
