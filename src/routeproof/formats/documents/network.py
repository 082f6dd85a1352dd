"""Our network document: nodes, channels with exact bandwidths, terminals and labels, as JSON.

``{"format": "routeproof/network", "num_nodes": N, "channels": [[tail, head], [tail, head, "3/2"], ...],
"source": [...], "sink": [...], "labels": [...], "terminal_labels": [...], "channel_attributes": {"metric": [...]},
"positions": [[longitude, latitude], ...]}``; positions are for pictures alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.graph import lost_pair
from ...core.network import Network
from ...topologies.ports import ENTERS, LEAVES
from ..format import Facts, Format, NetworkFormat
from ..text_files import CONTROL, brief, parse_number, positive_number, unexpected
from .json_text import parse_object, write_json

_PLACES = [[a, b] for a in (int, float, Fraction) for b in (int, float, Fraction)]
MAX_NODES = 10_000_000  # also of terminals: a file of ten bytes must not ask for all memory


def integer_list(values: object, *, what: str, below: int, thing: str) -> list[int]:
    """A list whose entries must all be integers in 0 .. below-1: numbers of a ``thing`` ("a node")."""
    if not isinstance(values, list):
        raise unexpected(what, values, f"a list of numbers, each {thing},")
    for k, x in enumerate(values):
        if type(x) is not int or not 0 <= x < below:
            raise unexpected(f"{what}[{k}]", x, f"{thing} from 0 to {below - 1}")
    return values


def sized_list(values: object, sizes: Sequence[int], *, what: str, things: str, wanted: str) -> list[Any]:
    """A list of one of ``sizes``; ``wanted`` says in errors what was expected, ``things`` what the list holds."""
    if not isinstance(values, list) or len(values) not in sizes:
        found = f"{len(values)} {things}" if isinstance(values, list) else brief(values)
        raise InputError(f"{what} holds {found}; {wanted}")
    return values


def network_from_document(document: Mapping[str, Any], *, what: str, name: str = "network") -> Network:
    """The network that a parsed document describes; ``name`` is for documents that give none."""
    from ..structure import NetworkDocument, document_of

    data = document_of(NetworkDocument, document, what=what)
    size = data.num_nodes
    if not 1 <= size <= MAX_NODES:
        raise InputError(f"{what}: num_nodes is {brief(size)}; 1 to {MAX_NODES} were expected")
    ends, widths = _channels(data.channels, size, what)
    source, sink = (
        None if nodes is None else integer_list(nodes, what=f"{what}: {side}", below=size, thing="a node")
        for side, nodes in (("source", data.source), ("sink", data.sink))
    )
    if source == [] or sink == []:
        raise InputError(f"{what}: it has no terminals; at least one was expected")
    senders, receivers = (size if nodes is None else len(nodes) for nodes in (source, sink))
    if senders != receivers:
        raise InputError(
            f"{what}: it has {senders} sources and {receivers} sinks; terminal i needs one of each "
            f"(all nodes, where a list is left out)"
        )
    _check_labels(data.labels, size, what, "labels", "nodes")
    _check_labels(data.terminal_labels, senders, what, "terminal_labels", "terminals")
    for v, at in enumerate(
        sized_list(data.positions or [], (0, size), what=what, things="positions", wanted="one each")
    ):
        if not isinstance(at, list) or list(map(type, at)) not in _PLACES:
            raise unexpected(f"{what}: positions[{v}]", at, "[longitude, latitude] in degrees")
    return Network.of(
        data.name or name,
        size,
        ends,
        bandwidth=widths,
        source=source,
        sink=sink,
        labels=data.labels,
        terminal_labels=None if data.terminal_labels is None else tuple(data.terminal_labels),
        channel_attributes=_attributes(data.channel_attributes or {}, len(ends), what),
    )


def _attributes(given: Mapping[str, list[Any]], size: int, what: str) -> dict[str, list[Any]]:
    """Numbers, or null, one each for ``size`` channels."""
    for name, values in given.items():
        place = f"{what}: channel_attributes[{brief(name)}]"
        if not is_attribute_name(name):
            raise InputError(f"{place}: a name of printable characters without a comma was expected")
        sized_list(values, (size,), what=place, things="values", wanted=f"one for each of {size} channels was expected")
        for c, value in enumerate(values):
            if value is not None:
                parse_number(value, what=f"{place}[{c}]")
    return dict(given)


def is_attribute_name(name: str) -> bool:
    """Can the attribute be named on the command line (``ecmp:weight=metric``)?"""
    return name.isprintable() and name == name.strip() != "" and "," not in name


def _channels(entries: list[Any], size: int, what: str) -> tuple[list[tuple[int, int]], list[Fraction]]:
    ends: list[tuple[int, int]] = []
    widths: list[Fraction] = []
    seen: dict[Any, Fraction] = {}  # few distinct bandwidths, many channels
    for c, entry in enumerate(entries):
        place = f"{what}: channels[{c}]"
        if not isinstance(entry, list) or len(entry) not in (2, 3):
            raise unexpected(place, entry, "[tail, head] or [tail, head, bandwidth]")
        u, v = entry[:2]
        if any(type(x) is not int or not 0 <= x < size for x in (u, v)):
            raise InputError(f"{place} is {brief(entry)}; nodes are 0 to {size - 1}")
        if u == v:
            raise InputError(f"{place} goes from node {u} to itself; two nodes were expected")
        raw = entry[2] if len(entry) == 3 else 1
        key = (type(raw), raw if isinstance(raw, (int, float, str, Fraction)) else c)
        if key not in seen:
            seen[key] = positive_number(raw, what=f"{what}: bandwidth of channel {c}")
        ends.append((u, v))
        widths.append(seen[key])
    return ends, widths


def _check_labels(labels: list[Any] | None, size: int, what: str, key: str, things: str) -> None:
    if labels is not None and len(labels) != size:
        raise InputError(f"{what}: {len(labels)} {key} for {size} {things}; one each was expected")
    for v, label in enumerate(labels or ()):
        if not isinstance(label, str):
            raise unexpected(f"{what}: {key}[{v}]", label, "a string")
        if CONTROL.search(label):
            raise InputError(f"{what}: {key}[{v}] is {brief(label)}; no control characters were expected")


def number_text(width: Fraction) -> int | str:
    """An integer as it is, any other fraction as a string."""
    return width.numerator if width.denominator == 1 else str(width)


def numeric_attributes(network: Network) -> dict[str, list[int | str | None]]:
    """Those of the network's ``channel_attributes`` that are numbers wherever they are, as documents write them; ports
    are names (2/10 is not 1/5)."""
    found: dict[str, list[int | str | None]] = {}
    for name, values in network.channel_attributes.items():
        if name in (LEAVES, ENTERS):
            continue
        with suppress(InputError):
            numbers = (x if x is None else parse_number(x, what=name) for x in values)
            found[name] = [x if x is None else number_text(x) for x in numbers]
    return found


def network_to_document(network: Network, *, attributes: Collection[str] | None = None) -> dict[str, Any]:
    """The document of a network, without grid layout and symmetry; ``attributes``: the channel attributes to write
    (default: all that are numbers)."""
    channels = [
        [u, v] if width == 1 else [u, v, number_text(width)]
        for u, v, width in zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True)
    ]
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
    numbers = {k: x for k, x in numeric_attributes(network).items() if attributes is None or k in attributes}
    if numbers:
        document["channel_attributes"] = numbers
    return document


def first_difference(found: Network, wanted: Network) -> str | None:
    """The first thing but names, labels and layout in which ``found`` differs from ``wanted``, or None."""
    for thing, here, there in (
        ("nodes", found.num_nodes, wanted.num_nodes),
        ("channels", found.num_channels, wanted.num_channels),
        ("terminals", found.num_terminals, wanted.num_terminals),
    ):
        if here != there:
            return f"{here} {thing} instead of {there}"
    sides = (
        (found.tail, found.head, wanted.tail, wanted.head, "channel {} goes from {} to {} instead of from {} to {}"),
        (
            *(found.source, found.sink, wanted.source, wanted.sink),
            "terminal {} sends and receives at {} and {} instead of {} and {}",
        ),
    )
    for a, b, x, y, sentence in sides:
        wrong = ((a != x) | (b != y)).nonzero()[0]
        if wrong.size:
            k = int(wrong[0])
            return sentence.format(k, a[k], b[k], x[k], y[k])
    for c, (width, other) in enumerate(zip(found.bandwidth, wanted.bandwidth, strict=True)):
        if width != other:
            return f"channel {c} has bandwidth {width} instead of {other}"
    return None


def check_same(found: Network, wanted: Network, what: str) -> None:
    difference = first_difference(found, wanted)
    if difference:
        raise InputError(f"{what} of another network than {wanted.name}: {difference}")


def _judge(text: str, what: str, name: str) -> Facts[object]:
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
    lost = lost_pair(network)
    if lost is None:
        return None
    i, j = network.source.tolist().index(lost[0]), network.sink.tolist().index(lost[1])
    here, there = (network.label(v) for v in lost)
    return f"no path leads from terminal {i} (node {here}) to terminal {j} (node {there})"


NETWORK: NetworkFormat = Format(
    "network",
    "network document",
    extensions=(".json",),
    sniff=lambda file: file.says("routeproof/network"),
    read=lambda file, _: network_from_document(file.document, what=file.what, name=file.stem),
    write=lambda network, path: write_json(network_to_document(network), path),
    judge=_judge,
)
