"""The options behind a routing's name: ``option=value``, separated by commas."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...core.errors import InputError, did_you_mean
from .user_function import short

__all__ = ["settings_of", "whole"]

_DIGITS = re.compile(r"[0-9]{1,9}")


def settings_of(name: str, parts: list[str], known: Collection[str]) -> dict[str, str]:
    """The options of ``name`` by their keys.

    Raises InputError for a part that is no option, an option that is not ``known`` (with the nearest), or given twice.
    """
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (x.strip() for x in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"{name}: '{short(part)}' is no option; option=value was expected")
        if key not in known:
            hint = did_you_mean(key, known) if known else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {hint}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = value
    return found


def whole(name: str, key: str, value: str) -> int:
    """A whole number of at most 9 digits; raises InputError for anything else."""
    if not _DIGITS.fullmatch(value):
        raise InputError(f"{name}: {key} is '{short(value)}'; a whole number of at most 9 digits was expected")
    return int(value)
