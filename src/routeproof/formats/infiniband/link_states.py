"""What the state of a port means for its cable: the one table, for every dump that states it.

A cable carries packets where both ends are ``Active`` and ``LinkUp``.  In ``Initialize`` and ``Armed`` only the subnet
manager's own packets pass.  What ``ibnetdiscover`` and ibdm print has no states: all that is physically up is listed.
Source: InfiniBand Architecture Specification, vol. 1, PortInfo; libibmad, ``dump.c``; OpenSM, ``osm_dump.c``.
"""

from __future__ import annotations

from ...core.errors import InputError
from ..text_files import brief

_LOGICAL = ("NoChange", "Down", "Initialize", "Armed", "Active")
_PHYSICAL = (
    "NoChange", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
)  # fmt: skip
"""By the number in PortInfo."""
_SHORT = {"ACT": "Active", "ARM": "Armed", "INI": "Initialize", "INIT": "Initialize", "DWN": "Down", "UP": "LinkUp"}
_WORKS = {"Active", "LinkUp"}
_BY_NAME = {x.casefold(): x for x in (*_LOGICAL, *_PHYSICAL)} | {x.casefold(): y for x, y in _SHORT.items()}


def why_idle(place: str, *, logical: str = "", physical: str = "", state: str = "") -> str:
    """Why no packets pass a port, "" where they do; each state by its name or number, "" where it is not stated;
    ``state``: by a name of either.

    Raises InputError, beginning with ``place``, for what is no state.
    """
    for text, names in ((logical, _LOGICAL), (physical, _PHYSICAL), (state, _PHYSICAL)):
        number = int(text) if text.isdecimal() and text.isascii() else -1
        name = names[number] if 0 <= number < len(names) else _BY_NAME.get(text.casefold())
        if text and (name is None or name == "NoChange"):
            raise InputError(
                f"{place}: a port is in the state {brief(text)}; one of {', '.join(names[1:])} was expected"
            )
        if name is not None and name not in _WORKS:
            return name
    return ""
