"""Static routes for the devices of a fabric, as a folder with one file for each device: what every such format shares.

A format says how a device's routes are spelled and read again (``Spelling``); its files are called after the devices.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core.errors import InputError
from ..folder import files_in
from ..format import File
from ..text_files import FilePath, brief, shown
from .routes import Hop, Prefix, Route

_NAME = re.compile(r"[\w][\w.-]{0,200}")


@dataclass(frozen=True)
class Spelling:
    """How one system is told static routes.

    - ``what``: in words, and ``ending`` of its files; ``write``: the text of one device (its name, its routes, a line
      that says what they are), ``read``: the routes in a file, which raises InputError with the line for anything else;
    - ``most_weight``: of a next hop (1: next hops have no weights); ``needs_own_version``: must gateways be of the
      version of IP that the prefix is of?
    - ``adds``: does a static route add next hops to one that is there, in place of replacing it?
    """

    what: str
    ending: str
    write: Callable[[str, Sequence[Route], str], str]
    read: Callable[[File], list[Route]]
    most_weight: int = 1
    needs_own_version: bool = True
    adds: bool = False


def static_route(prefix: Prefix, hops: Iterable[Hop]) -> Route:
    return Route(prefix, tuple(hops), static=True)


def write_folder(path: FilePath, texts: Mapping[str, str], ending: str) -> None:
    """A folder with the texts by device, all there or none; raises InputError where something is there already."""
    target = os.fspath(path).rstrip("/")
    if os.path.lexists(target):
        raise InputError(f"cannot write {shown(path)}: it is there already; the name of a new folder was expected")
    for device in texts:
        if not _NAME.fullmatch(device):
            raise InputError(f"no file can be called after the device {brief(device)}; rename it in the dumps")
    place = os.path.dirname(target) or "."
    if not os.path.isdir(place):
        raise InputError(f"cannot write {shown(path)}: there is no directory {shown(place)}")
    new = os.path.join(place, f".routeproof-{secrets.token_hex(8)}.tmp")
    try:
        os.mkdir(new)
        for device, text in texts.items():
            with open(os.path.join(new, device + ending), "x", encoding="utf-8") as file:
                file.write(text)
        os.rename(new, target)
    except OSError as error:
        raise InputError(f"cannot write {shown(path)}: {(error.strerror or 'error').lower()}") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def read_folder(path: FilePath, spelling: Spelling) -> dict[str, list[Route]]:
    """The routes in such a folder, by device; raises InputError for a prefix that is there twice, and other files."""
    found: dict[str, list[Route]] = {}
    for name in files_in(path):
        file, base = File(name, wanted=spelling.what), os.path.basename(name)
        if not base.endswith(spelling.ending) or os.path.dirname(name) != os.fspath(path).rstrip("/"):
            raise InputError(f"{file.what} is not called after a device, as leaf1{spelling.ending} is")
        routes = spelling.read(file)
        known: set[Prefix] = set()
        for route in routes:
            if route.prefix in known:
                raise InputError(f"{file.what} has two routes to {route.prefix}; one was expected")
            known.add(route.prefix)
        found[base.removesuffix(spelling.ending)] = routes
    if not found:
        raise InputError(f"directory {shown(path)} is empty; {spelling.what} were expected")
    return found
