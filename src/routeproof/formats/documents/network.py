"""Our network document: nodes, channels with exact bandwidths, terminals and labels, as JSON.

``{"format": "routeproof/network", "num_nodes": N, "channels": [[tail, head], [tail, head, "3/2"], ...],
"source": [...], "sink": [...], "labels": [...], "terminal_labels": [...]}``
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ..file import File
from ..format import Bandwidth, Facts, Format, NetworkFormat
from ..text_files import FilePath, brief, parse_number
from .json_text import format_json, parse_object, write_text_atomic

__all__ = [
    "MAX_NODES",
    "NETWORK",
    "check_heading",
    "first_difference",
    "integer_list",
    "network_from_document",
    "network_to_document",
    "number_text",
    "tell_format",
]

MAX_NODES = 10_000_000  # also of terminals: a file of ten bytes must not ask for all memory

_FORMATS = ("network", "routing", "next-hop", "report", "destination-graph", "wiring", "splitter")


def tell_format(document: Mapping[str, Any], wanted: str, *, what: str) -> None:
    """Raise InputError unless the document says ``"format": "routeproof/<wanted>"``."""
    found = document.get("format")
    if found == f"routeproof/{wanted}":
        return
    if "format" not in document:
        raise InputError(f'{what} has no key \'format\'; "format": "routeproof/{wanted}" was expected')
    known = [f"routeproof/{x}" for x in _FORMATS]
    if wanted == "report" and found in known and found != "routeproof/splitter":
        hint = "; documents of that kind are judged by routeproof check"
    elif found == "routeproof/study":
        hint = "; a study is no report of claims: it is run again by routeproof study"
    else:
        hint = "" if not isinstance(found, str) or found in known else f"; {did_you_mean(found, known)}"
    raise InputError(f'{what} has the format {brief(found)}; "routeproof/{wanted}" was expected{hint}')


def check_heading(document: Mapping[str, Any], *, what: str) -> None:
    """Raise InputError unless ``version`` is 1 and ``name`` and ``comment`` are texts, as far as they are there."""
    version = document.get("version", 1)
    if type(version) is not int or version != 1:
        raise InputError(f"{what}: version is {brief(version)}; 1 was expected")
    for key in ("name", "comment"):
        text = document.get(key)
        if text is not None and not isinstance(text, str):
            raise InputError(f"{what}: {key} is {brief(text)}; a text was expected")
    _check_printable(document.get("name") or "", f"{what}: name")


def integer_list(values: list[Any], *, what: str, below: int, thing: str) -> list[int]:
    """``values``, which must all be integers in 0 .. below-1: numbers of a ``thing`` ("node")."""
    for k, x in enumerate(values):
        if type(x) is not int or not 0 <= x < below:
            raise InputError(f"{what}[{k}] is {brief(x)}; a {thing} from 0 to {below - 1} was expected")
    return values


def network_from_document(document: Mapping[str, Any], *, what: str, name: str = "network") -> Network:
    """The network that a parsed document describes; ``name`` is for documents that give none.

    Raises InputError, naming ``what`` and the first thing wrong with it.
    """
    from ..structure import NetworkDocument, validated

    tell_format(document, "network", what=what)
    data = validated(NetworkDocument, dict(document), what=what)
    size = data.num_nodes
    if not 1 <= size <= MAX_NODES:
        raise InputError(f"{what}: num_nodes is {brief(size)}; 1 to {MAX_NODES} were expected")
    ends: list[tuple[int, int]] = []
    widths: list[Fraction] = []
    seen: dict[Any, Fraction] = {}  # few distinct bandwidths, many channels
    for c, entry in enumerate(data.channels):
        if not isinstance(entry, list) or len(entry) not in (2, 3):
            raise InputError(
                f"{what}: channels[{c}] is {brief(entry)}; [tail, head] or [tail, head, bandwidth] expected"
            )
        for x in entry[:2]:
            if type(x) is not int or not 0 <= x < size:
                raise InputError(f"{what}: channels[{c}] is {brief(entry)}; nodes are 0 to {size - 1}")
        if entry[0] == entry[1]:
            raise InputError(f"{what}: channels[{c}] goes from node {entry[0]} to itself; two nodes were expected")
        ends.append((entry[0], entry[1]))
        if len(entry) == 2:
            widths.append(Fraction(1))
            continue
        raw = entry[2]
        key = (type(raw), raw) if isinstance(raw, (int, str, Fraction)) else None
        width = seen.get(key)
        if width is None:
            width = parse_number(raw, what=f"{what}: bandwidth of channel {c}")
            if width <= 0:
                raise InputError(f"{what}: bandwidth of channel {c} is {brief(width)}; a positive number was expected")
            seen[key] = width
        widths.append(width)
    terminals: dict[str, list[int] | None] = {}
    for side in ("source", "sink"):
        nodes = getattr(data, side)
        terminals[side] = (
            None if nodes is None else integer_list(nodes, what=f"{what}: {side}", below=size, thing="node")
        )
    source, sink = (terminals[side] or None for side in ("source", "sink"))
    if data.source == [] or data.sink == []:
        raise InputError(f"{what}: it has no terminals; at least one was expected")
    counts = [size if nodes is None else len(nodes) for nodes in (source, sink)]
    if counts[0] != counts[1]:
        raise InputError(
            f"{what}: it has {counts[0]} sources and {counts[1]} sinks; terminal i needs one of each "
            f"(all nodes, where a list is left out)"
        )
    _check_printable(data.name or "", f"{what}: name")
    if data.labels is not None:
        _check_labels(data.labels, size, what, "labels", "nodes")
    if data.terminal_labels is not None:
        _check_labels(data.terminal_labels, counts[0], what, "terminal_labels", "terminals")
    return Network.of(
        data.name or name,
        size,
        ends,
        bandwidth=widths,
        source=source,
        sink=sink,
        labels=data.labels,
        terminal_labels=None if data.terminal_labels is None else tuple(data.terminal_labels),
    )


def _check_labels(labels: list[Any], size: int, what: str, key: str, things: str) -> None:
    if len(labels) != size:
        raise InputError(f"{what}: {len(labels)} {key} for {size} {things}; one each was expected")
    for v, label in enumerate(labels):
        if not isinstance(label, str):
            raise InputError(f"{what}: {key}[{v}] is {brief(label)}; a string was expected")
        _check_printable(label, f"{what}: {key}[{v}]")


def _check_printable(text: str, what: str) -> None:
    if any(unicodedata.category(x) in ("Cc", "Zl", "Zp") for x in text):
        raise InputError(f"{what} is {brief(text)}; no control characters were expected")


def number_text(width: Fraction) -> int | str:
    """An integer as it is, any other fraction as a string."""
    return width.numerator if width.denominator == 1 else str(width)


def network_to_document(network: Network) -> dict[str, Any]:
    """The document of a network.  Its grid layout and declared symmetry are not part of it."""
    channels: list[list[int | str]] = [
        [u, v] for u, v in zip(network.tail.tolist(), network.head.tolist(), strict=True)
    ]
    for channel, width in zip(channels, network.bandwidth, strict=True):
        if width != 1:
            channel.append(number_text(width))
    document: dict[str, Any] = {
        "format": "routeproof/network",
        "name": network.name,
        "num_nodes": network.num_nodes,
        "channels": channels,
    }
    everyone = list(range(network.num_nodes))
    source, sink = network.source.tolist(), network.sink.tolist()
    if source != everyone or sink != everyone:
        document["source"] = source
        document["sink"] = sink
    if network.labels is not None:
        document["labels"] = list(network.labels)
    if network.terminal_labels is not None:
        document["terminal_labels"] = list(network.terminal_labels)
    return document


def first_difference(found: Network, wanted: Network) -> str | None:
    """The first thing in which ``found`` differs from ``wanted`` as a network of channels and terminals, or None.

    Names, labels and layout do not count.
    """
    for thing, here, there in (
        ("nodes", found.num_nodes, wanted.num_nodes),
        ("channels", found.num_channels, wanted.num_channels),
        ("terminals", found.num_terminals, wanted.num_terminals),
    ):
        if here != there:
            return f"{here} {thing} instead of {there}"
    sides = (
        (found.tail, found.head, wanted.tail, wanted.head, "channel", "goes"),
        (found.source, found.sink, wanted.source, wanted.sink, "terminal", "sends and receives"),
    )
    for a, b, x, y, thing, verb in sides:
        wrong = ((a != x) | (b != y)).nonzero()[0]
        if wrong.size:
            k = int(wrong[0])
            if thing == "channel":
                return f"channel {k} {verb} from {a[k]} to {b[k]} instead of from {x[k]} to {y[k]}"
            return f"terminal {k} {verb} at {a[k]} and {b[k]} instead of {x[k]} and {y[k]}"
    for c, (width, other) in enumerate(zip(found.bandwidth, wanted.bandwidth, strict=True)):
        if width != other:
            return f"channel {c} has bandwidth {width} instead of {other}"
    return None


def _judge(text: str, what: str, name: str) -> Facts[object]:
    """Its sizes, and whether every terminal can reach every other."""
    network = network_from_document(parse_object(text, what=what), what=what, name=name)
    return Facts(
        {
            "num_nodes": network.num_nodes,
            "num_channels": network.num_channels,
            "num_terminals": network.num_terminals,
            "connected": _unreached(network),
        }
    )


def _unreached(network: Network) -> str | None:
    """A sentence about two terminals without a path, or None."""
    import igraph

    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    graph = igraph.Graph(network.num_nodes, ends, directed=True)
    start = int(network.source[0])
    there = set(graph.subcomponent(start, mode="out"))
    back = set(graph.subcomponent(int(network.sink[0]), mode="in"))
    for j, v in enumerate(network.sink.tolist()):
        if v not in there:
            here, target = network.label(start), network.label(v)
            return f"no path leads from terminal 0 (node {here}) to terminal {j} (node {target})"
    for i, v in enumerate(network.source.tolist()):
        if v not in back:
            target = network.label(int(network.sink[0]))
            return f"no path leads from terminal {i} (node {network.label(v)}) to terminal 0 (node {target})"
    if start == int(network.sink[0]):
        return None  # all reach one node, which reaches all
    for i, v in enumerate(network.source.tolist()):
        missing = set(network.sink.tolist()) - set(graph.subcomponent(v, mode="out"))
        if missing:
            return f"no path leads from terminal {i} (node {network.label(v)}) to node {network.label(min(missing))}"
    return None


def _read(file: File, _bandwidth: Bandwidth) -> Network:
    return network_from_document(file.document, what=file.what, name=file.stem)


def _write(network: Network, path: FilePath) -> None:
    write_text_atomic(path, format_json(network_to_document(network)))


NETWORK: NetworkFormat = Format(
    "network",
    "network document",
    extensions=(".json",),
    sniff=lambda file: file.says("routeproof/network"),
    read=_read,
    write=_write,
    judge=_judge,
)
