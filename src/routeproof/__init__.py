"""Exact, certified guarantees for routing in interconnection networks.

    >>> from routeproof import ROMM, torus, worst_case
    >>> worst_case(ROMM().on(torus(9, 9))).throughput
    Fraction(5, 32)

``__init__.pyi`` lists every name and its home; each is imported when it is first used, so that importing this package
costs nothing.  ``network``, ``named_routing``, ``traffic``, ``wiring`` and ``splitter`` take the texts of the command.
"""

from __future__ import annotations

from .core.rooms_above import ROOMS_ABOVE

__version__ = "0.2.0"

ROOMS_ABOVE["routing"] = ("routeproof.optimum.restricted",)  # 2turn and 2turna are solved for when they are asked for


def _homes() -> dict[str, str]:
    """{public name: its module}, from lines ``from .module import name as name``."""
    text = __loader__.get_data(f"{__file__}i").decode("utf-8")  # type: ignore[name-defined]
    lines = [line.split() for line in text.splitlines() if line.startswith("from .")]
    return {words[3]: words[1] for words in lines}


def __getattr__(name: str) -> object:
    homes = _homes()
    if name == "__all__":
        return sorted([*homes, "__version__"])
    if name not in homes:
        raise AttributeError(f"module 'routeproof' has no attribute '{name}'")
    import importlib

    value = getattr(importlib.import_module(homes[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
