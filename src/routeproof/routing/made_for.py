"""Which random traffic a routing was made for: of that sample its average case is no estimate."""

from __future__ import annotations

import re

from ..core.errors import InputError

__all__ = ["check_not_made_for", "is_made_for"]

_MADE = re.compile(r"(?<![\w-])2turna(?::([\w=, -]*))?(?![\w-])")


def is_made_for(name: str, *, traffic: str, seed: int) -> bool:
    """Does the routing of this name, or a part of it, come from the matrices that ``seed`` draws of ``traffic``?

    By its name: ``2turna:samples=30,seed=7``, as it is or in ``designed as ...`` and in mixtures.
    """
    for options in _MADE.findall(name):
        told = {key.strip(): x.strip() for key, _, x in (part.partition("=") for part in options.split(","))}
        if (told.get("traffic", "permutation"), told.get("seed", "0").lstrip("0") or "0") == (traffic, str(seed)):
            return True
    return False


def check_not_made_for(name: str, *, traffic: str, seed: int) -> None:
    """Raise InputError where ``is_made_for`` says so."""
    if is_made_for(name, traffic=traffic, seed=seed):
        raise InputError(
            f"{name[:60]} was made for the random matrices of seed {seed}, on which it looks too good; another seed "
            f"was expected, such as --seed {seed + 1}"
        )
