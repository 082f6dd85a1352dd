"""Options ``--service-levels`` and ``--sl2vl``: which files are about which routing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.errors import InputError

if TYPE_CHECKING:
    from ...core.network import Network
    from ...routing.infiniband.service_levels import ServiceLevels

__all__ = ["levels_given"]


def levels_given(
    levels: Sequence[str], lanes: Sequence[str], routings: Sequence[str], network: Network
) -> dict[int, ServiceLevels]:
    """Service levels by the number of the routing in ``routings`` (texts as the user typed them).

    Each of ``levels`` and ``lanes`` is ``ROUTING=FILE``, or ``FILE`` where there is one routing.  Raises InputError for
    a file about none of them, two about one, lanes without levels, and as ``read_service_levels`` does.
    """
    from ...routing.infiniband.service_levels import read_service_levels

    files = _by_routing(levels, "--service-levels", routings)
    tables = _by_routing(lanes, "--sl2vl", routings)
    for k in tables:
        if k not in files:
            raise InputError(
                f"--sl2vl is given for {routings[k]} without --service-levels; tables from levels to lanes need the "
                f"levels (saquery -p)"
            )
    return {k: read_service_levels(file, network, lanes=tables.get(k)) for k, file in files.items()}


def _by_routing(given: Sequence[str], option: str, routings: Sequence[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for text in given:
        named = [k for k, routing in enumerate(routings) if text.startswith(f"{routing}=")]
        if not named and len(routings) > 1:
            example = f"{option} {routings[0]}={text.rpartition('=')[2]}"
            raise InputError(f"{option} {text} is about none of the routings; {example} was expected, for example")
        k = max(named, key=lambda x: len(routings[x]), default=0)
        if k in found:
            raise InputError(f"{option} is given twice for {routings[k]}; once was expected")
        found[k] = text[len(routings[k]) + 1 :] if named else text
    return found
