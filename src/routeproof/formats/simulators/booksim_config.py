"""BookSim's configuration files: the network that they describe, and what their routing function is called.

``topology = torus; k = 8; n = 2; routing_function = dim_order;``, comments from ``//``.  A key that is absent has
BookSim's default (a torus, k = 8, n = 2).  Read are ``torus`` and ``mesh`` (nodes have the same numbers there and here;
BookSim's dimension 0 is our last), ``fattree`` (a k-ary n-tree) and ``anynet`` (the file of ``network_file``, found
beside the configuration).  Keys that change the network and cannot be followed are refused; all others are about
routers, traffic and measurements, change no load of a channel, and are named in a warning.

Source: BookSim 2, ``src/config.y``, ``src/booksim_config.cpp``, ``src/networks/kncube.cpp``.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...core.errors import InputError, did_you_mean, warn
from ...core.network import Network
from ...topologies.family import network_from_spec
from ..format import File, Format, NetworkFormat
from ..text_files import brief, first_of, whole_number
from .anynet import read_anynet

_SAYS = re.compile(r"^[ \t]*(topology|routing_function)[ \t]*=[ \t]*[\w.-]+[ \t]*;", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w\-/.]*")
_SHOWN = 6
_ELSEWHERE: Mapping[str, str] = {
    "cmesh": "a mesh with c nodes a router is mesh:4x4,concentration=4",
    "fly": "write it as an anynet file",
    "flatfly": "a flattened butterfly is flattened-butterfly:4,3",
    "dragonflynew": "a dragonfly with k nodes a router is dragonfly:k,2k,k; its groups may be joined at other routers",
    "qtree": "write it as an anynet file",
    "tree4": "write it as an anynet file",
}


@dataclass(frozen=True)
class BookSimConfig:
    """``topology``, ``radix`` (k), ``dimensions`` (n) and ``routing`` (routing_function, without the topology that
    BookSim appends); ``network_file`` of an anynet; ``unused``: ``key = value`` of what changes no load."""

    topology: str
    radix: int
    dimensions: int
    routing: str
    network_file: str
    unused: tuple[str, ...]


def is_booksim_config(file: File) -> bool:
    return not file.is_json and _SAYS.search(file.start) is not None


def booksim_config(file: File) -> BookSimConfig:
    given: dict[str, tuple[int, str]] = {}
    text = re.sub(r"//[^\n]*", "", file.text)
    number = 1
    *statements, rest = text.split(";")
    for statement in statements:
        line = number + statement[: len(statement) - len(statement.lstrip())].count("\n")
        number += statement.count("\n")
        where = f"{file.what}, line {line}"
        key, equals, value = (x.strip() for x in statement.partition("="))
        if not (equals and _NAME.fullmatch(key) and value) or re.search(r"[\s=]", value):
            raise InputError(f"{where}: {brief(statement.strip())}; 'key = value;' was expected")
        if key in given:
            raise InputError(f"{where}: {brief(key)} is given again; line {given[key][0]} gave it first")
        given[key] = line, value
    if rest.strip():
        raise InputError(f"{file.what}: {brief(rest.strip())} does not end with ';'")

    def whole(key: str, default: int) -> int:
        line, value = given.pop(key, (0, str(default)))
        return whole_number(value, f"{file.what}, line {line}: {key}", "a whole number")

    for key, usual, meaning in (("subnets", 1, "several networks beside each other"), ("link_failures", 0, "failures")):
        line = given[key][0] if key in given else 0
        if (found := whole(key, usual)) != usual:
            raise InputError(f"{file.what}, line {line}: {key} is {found}: {meaning}, which is not read; {usual} is")
    names = {key: given.pop(key, (0, usual))[1] for key, usual in _NAMES.items()}
    return BookSimConfig(
        names["topology"], whole("k", 8), whole("n", 2), names["routing_function"], names["network_file"],
        tuple(f"{key} = {value}" for key, (_, value) in given.items()),
    )  # fmt: skip


_NAMES = {"topology": "torus", "routing_function": "none", "network_file": ""}


def network_of_config(config: BookSimConfig, file: File) -> Network:
    if config.topology == "anynet":
        path = os.path.join(os.path.dirname(os.fspath(file.path)), config.network_file)
        if not config.network_file:
            raise InputError(
                f"{file.what}: topology = anynet without network_file; 'network_file = NAME;' was expected"
            )
        return read_anynet(path)
    build = _TOPOLOGIES.get(config.topology)
    if build is None:
        known = (*_TOPOLOGIES, "anynet")
        hint = _ELSEWHERE.get(config.topology) or did_you_mean(config.topology, known)
        raise InputError(f"{file.what}: topology {brief(config.topology)} is not read; {hint}")
    return network_from_spec(build(config, file))


def _cube(config: BookSimConfig, file: File) -> str:
    if config.topology == "torus" and config.radix == 2:
        raise InputError(
            f"{file.what}: k = 2: between two nodes BookSim's torus then has two channels each way; k = 3 or more was "
            f"expected, or a mesh"
        )
    if not 1 <= config.dimensions <= 22:
        raise InputError(f"{file.what}: n is {config.dimensions}; 1 to 22 dimensions were expected")
    return f"{config.topology}:{'x'.join([str(config.radix)] * config.dimensions)}"


_TOPOLOGIES: Mapping[str, Callable[[BookSimConfig, File], str]] = {
    "torus": _cube,
    "mesh": _cube,
    "fattree": lambda config, _: f"k-ary-tree:{config.radix},{config.dimensions}",
}


def _read(file: File, _bandwidth: object) -> Network:
    config = booksim_config(file)
    network = network_of_config(config, file)
    if config.unused:
        some = first_of(config.unused, _SHOWN)
        warn(f"{file.what}: not used, since the loads of channels do not depend on it: {some}")
    return network


BOOKSIM_CONFIG: NetworkFormat = Format("booksim-config", "BookSim's configuration", sniff=is_booksim_config, read=_read)
