"""A routing by name: what its module registers, so that people can write ``name:option=value,...``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.display import short
from ...core.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from ...core.network import Network
    from .routing import Routing


_DIGITS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, kw_only=True)
class RoutingEntry:
    """One entry of ``routing.named.names.ROUTINGS``: a constant of the module that defines the routing, or what an
    entry point of the group ``routeproof.routings`` gives.

    - ``name``: small letters, digits and dashes; ``help``: one line;
    - ``build(network, options)`` makes the routing; ``options`` holds those that were written, by key.  It raises
      InputError for a network or a value that it does not take;
    - ``options``: one line of help for each; ``whole_numbers``: those that are whole numbers, and given so;
    - ``aliases``: other names, each with the text that it stands for (of this package's own routings only);
    - ``old_names``: aliases that users should no longer write, and are told so;
    - ``aside(network, options)``: a line for users where the name may be taken for another routing of the network;
    - ``solved_within``: of a routing that is solved for when it is asked for, the name of the set of paths
      (``routing.path_sets``) that it uses.  A report holds its paths, and nothing is solved to read it;
    - ``of_fabric``: it is what the files of a fabric say.  No report's name makes it, so one that is given in full may
      be called so;
    - ``by_program``: another program makes it, which reports never run; ``bare``: the option that may be written
      without its key.
    """

    name: str
    help: str
    build: Callable[[Network, dict[str, Any]], Routing]
    options: Mapping[str, str] = field(default_factory=dict)
    whole_numbers: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    old_names: frozenset[str] = frozenset()
    aside: Callable[[Network, dict[str, Any]], str | None] | None = None
    solved_within: str | None = None
    of_fabric: bool = False
    by_program: bool = False
    bare: str = ""


HASH_OPTION = {"hash": "same: one hash at all switches, H mod n (polarisation); same-range: by parts of the range"}
"""Of routings whose switches split by hashing."""


def check_choice(routing: str, option: str, value: object, known: tuple[str, ...]) -> None:
    """Raise InputError, with the nearest match, unless ``value`` is one of ``known``."""
    if value not in known:
        raise InputError(f"{routing}: {option} is {value!r}; {did_you_mean(str(value), known)}")


def with_options(name: str, **options: object) -> str:
    """``name:key=value,...``, the text that makes a routing again; options that are None left out."""
    given = [f"{key}={value}" for key, value in options.items() if value is not None]
    return ":".join([name, ",".join(given)]) if given else name


def whole(name: str, key: str, value: str) -> int:
    """A whole number of at most 9 digits; raises InputError for anything else."""
    if not _DIGITS.fullmatch(value):
        raise InputError(f"{name}: {key} is '{short(value)}'; a whole number of at most 9 digits was expected")
    return int(value)


def settings_of(name: str, parts: list[str], known: Collection[str] | None) -> dict[str, str]:
    """The options of ``name`` by their keys.

    Raises InputError for a part that is not an option, and one that is not ``known`` (with the nearest; None: any is)
    or given twice.
    """
    found: dict[str, str] = {}
    for part in parts:
        key, equals, value = (x.strip() for x in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"{name}: '{short(part)}' is not an option; option=value was expected")
        if known is not None and key not in known:
            hint = did_you_mean(key, known) if known else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {hint}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = value
    return found
