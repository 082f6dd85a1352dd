"""Tenstorrent's mesh graph descriptors of version 2, ``.textproto``.

Chips are nodes, numbered mesh after mesh and row-major in each; chip 3 of mesh 0 is called M0D3.  Neighbours in a mesh
are joined by one channel each way of bandwidth ``channels.count``, the number of Ethernet links; a dimension of the
type RING wraps, where it has more than two chips.  Connections between chips of different meshes (``device_id``) are
channels, too.  One mesh whose dimensions are all LINE, or all RING, is our ``mesh`` or ``torus``, with its grid.

Refused, since the file does not say which chips are joined, or by how many links: connections between whole meshes or
graphs, express links, switches.  A warning says that ``RELAXED`` lets fewer links than ``count`` be there.  Not used,
for they change no load: ``arch``, hosts, pinnings, types of graphs, and the direction that a link is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ...core.errors import InputError, did_you_mean, warn
from ...core.network import Network
from ..format import File, Format, NetworkFormat
from ..text_files import Cursor, brief, unexpected
from .meshes import Connection, Mesh, check_once, network_of_meshes, whole

_TOKEN = re.compile(
    r"(?P<space>(?:\s|#[^\n]*)+)|(?P<text>\"[^\"\n\\]*\"|'[^'\n\\]*')|(?P<word>[+-]?[\w.]+)|(?P<mark>[{}\[\]:,;<>])"
)
_CLOSING = {"{": "}", "<": ">"}
_DEPTH = 32


class Field(NamedTuple):
    """A name, its value (a word, a text without its quotes, or the fields inside), and the line that it is in."""

    name: str
    value: str | list[Field]
    line: int


def parse_textproto(text: str, *, what: str) -> list[Field]:
    """The fields in order; a list gives its name once for every item.  Raises InputError with ``what`` and the line."""
    return _TextFormat(text, what, _TOKEN).fields("", 0)


class _TextFormat(Cursor):
    def fields(self, closing: str, depth: int) -> list[Field]:
        if depth > _DEPTH:
            raise self.error("something less deeply nested")
        found: list[Field] = []
        while self.now.text != closing or (closing == "" and self.now.kind != "end"):
            if self.now.kind != "word":
                raise self.error(f"a name{f' or {closing}' if closing else ''}")
            name = self.take()
            colon = self.skip(":")
            found += [Field(name.text, x, name.line) for x in self.values(depth, colon=colon)]
            self.skip(",", ";")
        self.take()
        return found

    def values(self, depth: int, *, colon: bool) -> list[str | list[Field]]:
        if not self.skip("["):
            return [self.one(depth, colon=colon)]
        items: list[str | list[Field]] = []
        while not self.skip("]"):
            items.append(self.one(depth, colon=colon))
            if not self.skip(",") and not self.at("]"):
                raise self.error("a comma or ]")
        return items

    def one(self, depth: int, *, colon: bool) -> str | list[Field]:
        if self.now.kind == "mark" and self.now.text in _CLOSING:
            return self.fields(_CLOSING[self.take().text], depth + 1)
        if not colon:
            raise self.error("a colon or {")
        if self.now.kind == "text":
            return self.take().text[1:-1]
        if self.now.kind == "word":
            return self.take().text
        raise self.error("a value")


_BEGINS = re.compile(r"^\s*(mesh_descriptors|top_level_instance)\s*:?\s*[{\[]", re.M)
_TYPES = ("LINE", "RING")
_ELSEWHERE = {
    "express_connections": "how many links express connections have, the file does not say",
    "express_links": "how many links express links have, the file does not say",
    "graph_topology": "which chips of the instances it joins, the file does not say; connections with device_id were "
    "expected",
}


def read_mesh_graph(file: File) -> Network:
    top = _Message(parse_textproto(file.text, what=file.what), file.what, "the descriptor")
    top.known("mesh_descriptors", "graph_descriptors", "top_level_instance", unused=["pinnings"])
    described = {}
    for each in top.messages("mesh_descriptors"):
        name, found = each.text("name"), _mesh(each)
        if name in described:
            raise InputError(f"{each.where}: mesh descriptor {brief(name)} is there twice")
        described[name] = found
    root = top.message("top_level_instance")
    root.known("mesh", "graph")
    if root.has("mesh"):
        instances, connections = [root.message("mesh")], []
    else:
        graph = _graph(top, root.message("graph"))
        instances = [_only_mesh(x) for x in graph.messages("instances")]
        connections = [_connection(x) for x in graph.messages("connections")]
    meshes = []
    for x in instances:
        name, number = _reference(x)
        if x.has("device_id"):
            raise InputError(f"{x.where}: an instance is a whole mesh, and device_id is one chip")
        if name not in described:
            raise InputError(f"{x.where}: mesh descriptor {brief(name)} is not there; {did_you_mean(name, described)}")
        meshes.append(described[name]._replace(number=number))
    check_once([x.number for x in meshes], file.what)
    if any(x.holds("RELAXED") for x in top.messages("mesh_descriptors") + top.messages("graph_descriptors")):
        warn(f"{file.what}: the policy RELAXED lets fewer links be there than count; count is taken")
    return network_of_meshes(meshes, connections, name=file.stem, what=file.what)


class _Message:
    """The fields of one message, looked up by name; ``where``: file and line, for errors."""

    def __init__(self, fields: list[Field], where: str, kind: str) -> None:
        self.fields, self.where, self.kind = fields, where, kind
        self.file = where.partition(", line")[0]

    def known(self, *names: str, unused: Collection[str] = ()) -> None:
        """Raise InputError for a field that is neither used nor known to change nothing."""
        for x in self.fields:
            if x.name not in names and x.name not in unused:
                hint = _ELSEWHERE.get(x.name) or did_you_mean(x.name, [*names, *unused])
                raise InputError(f"{self.file}, line {x.line}: {brief(x.name)} in {self.kind} is not read; {hint}")

    def has(self, name: str) -> bool:
        return any(x.name == name for x in self.fields)

    def holds(self, word: str) -> bool:
        return any(
            x.value == word or (not isinstance(x.value, str) and _Message(x.value, "", "").holds(word))
            for x in self.fields
        )

    def messages(self, name: str) -> list[_Message]:
        found = []
        for x in self.fields:
            if x.name == name:
                where = f"{self.file}, line {x.line}"
                if isinstance(x.value, str):
                    raise unexpected(f"{where}: {name}", x.value, "{ ... }")
                found.append(_Message(x.value, where, name))
        return found

    def message(self, name: str) -> _Message:
        found = self.messages(name)
        if len(found) != 1:
            raise InputError(f"{self.where}: {self.kind} has {len(found)} {name}; one was expected")
        return found[0]

    def texts(self, name: str) -> list[str]:
        found = [x for x in self.fields if x.name == name]
        for x in found:
            if not isinstance(x.value, str):
                raise InputError(f"{self.file}, line {x.line}: {name} is {{ ... }}; a word was expected")
        return [str(x.value) for x in found]

    def text(self, name: str) -> str:
        found = self.texts(name)
        if len(found) != 1:
            raise InputError(f"{self.where}: {self.kind} has {len(found)} {name}; one was expected")
        return found[0]

    def number(self, name: str, *, least: int = 0) -> int:
        return whole(self.text(name), f"{self.where}: {name}", least=least)


def _mesh(message: _Message) -> Mesh:
    message.known("name", "device_topology", "channels", unused=["arch", "host_topology"])
    shape = message.message("device_topology")
    shape.known("dims", "dim_types", "types")
    dims = tuple(whole(x, f"{shape.where}: dims", least=1) for x in shape.texts("dims"))
    types = shape.texts("dim_types") or shape.texts("types")
    if not dims or len(types) > len(dims):
        raise InputError(f"{shape.where}: {len(dims)} dims and {len(types)} dim_types; one each was expected")
    for x in types:
        if x not in _TYPES:
            raise InputError(f"{shape.where}: dim_types is {brief(x)}; {did_you_mean(x, _TYPES)}")
    types += ["LINE"] * (len(dims) - len(types))
    return Mesh(0, dims, tuple(x == "RING" for x in types), (_links(message),) * len(dims))


def _links(message: _Message) -> int:
    channels = message.message("channels")
    channels.known("count", "policy")
    return channels.number("count", least=1)


def _graph(top: _Message, reference: _Message) -> _Message:
    reference.known("graph_descriptor", "graph_id")
    name = reference.text("graph_descriptor")
    graphs = top.messages("graph_descriptors")
    found = [x for x in graphs if x.text("name") == name]
    if len(found) != 1:
        hint = did_you_mean(name, [x.text("name") for x in graphs])
        raise InputError(f"{reference.where}: {len(found)} graph descriptors are called {brief(name)}; {hint}")
    found[0].known("name", "instances", "connections", unused=["type"])
    return found[0]


def _only_mesh(instance: _Message) -> _Message:
    if not instance.has("mesh"):
        kind = "/".join(sorted({x.name for x in instance.fields})) or "nothing"
        raise InputError(f"{instance.where}: an instance is {kind}; graphs of meshes are read, and no others")
    instance.known("mesh")
    return instance.message("mesh")


def _reference(mesh: _Message) -> tuple[str, int]:
    mesh.known("mesh_descriptor", "mesh_id", "device_id")
    return mesh.text("mesh_descriptor"), mesh.number("mesh_id") if mesh.has("mesh_id") else 0


def _connection(message: _Message) -> Connection:
    message.known("nodes", "channels", "directional", unused=["routing_direction", "assign_z_direction"])
    ends = []
    for node in message.messages("nodes"):
        mesh = _only_mesh(node)
        _, number = _reference(mesh)
        if not mesh.has("device_id"):
            raise InputError(
                f"{message.where}: a connection of the whole of mesh {number}: which of its chips have the links, the "
                f"file does not say (the control plane finds them); device_id was expected"
            )
        ends.append((number, mesh.number("device_id")))
    if len(ends) != 2:
        raise InputError(f"{message.where}: a connection of {len(ends)} nodes; two were expected")
    way = message.text("directional") if message.has("directional") else "false"
    if way not in ("true", "false"):
        raise unexpected(f"{message.where}: directional", way, "true or false")
    return Connection((ends[0], ends[1]), _links(message), way == "false", message.where)


TENSTORRENT: NetworkFormat = Format(
    "tenstorrent",
    "Tenstorrent's mesh graph descriptor",
    extensions=(".textproto",),
    sniff=lambda file: bool(_BEGINS.search(file.start)),
    read=lambda file, _bandwidth: read_mesh_graph(file),
)
