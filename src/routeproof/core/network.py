"""Networks: nodes joined by directed channels, with terminals that send and receive.

Source: the network model of Towles & Dally 2002 (SPAA), sec. 2.1, with terminals kept apart from nodes
and exact bandwidths per channel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from .arrays import Int32, Numbers, first_true, int32_array, offsets_of, read_only
from .display import short
from .errors import InputError
from .rational import parse_fraction

if TYPE_CHECKING:
    from .automorphism import Symmetry

GridKind = Literal["torus", "mesh", "hyperx"]


def _check_size(num_nodes: Any) -> None:
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, (int, np.integer)):
        raise InputError(f"num_nodes is {num_nodes!r}; a whole number was expected")
    if not 1 <= num_nodes < 2**31:
        raise InputError(f"a network needs at least one node, and fewer than 2^31; found {num_nodes}")


def _pairs(channels: Any) -> npt.NDArray[np.integer]:
    """Integers, shape (C, 2); never truncated, never put together anew."""
    try:
        ends = np.asarray(channels if isinstance(channels, np.ndarray) else list(channels))
    except (TypeError, ValueError):
        raise InputError("channels are not a list of pairs; [(tail, head), ...] was expected") from None
    if not ends.size:
        return np.zeros((0, 2), dtype=np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2 or not np.issubdtype(ends.dtype, np.integer):
        raise InputError(
            f"channels have the shape {ends.shape} and the type {ends.dtype}; "
            f"pairs (tail, head) of integers were expected"
        )
    return ends


def opposites(tail: Int32, head: Int32, rank: npt.NDArray[np.int64]) -> Int32:
    """``Network.opposite`` of channels with these ends; one from a node to itself is its own."""
    low, high = np.minimum(tail, head).astype(np.int64), np.maximum(tail, head)
    link = np.unique(low * (int(high.max(initial=0)) + 1) + high, return_inverse=True)[1]
    kind = np.unique(link * (int(rank.max(initial=0)) + 1) + rank, return_inverse=True)[1]
    result = np.arange(len(tail), dtype=np.int32)
    ways = []
    for way in (np.nonzero(tail < head)[0], np.nonzero(tail > head)[0]):
        order = way[np.argsort(kind[way], kind="stable")]
        first = np.searchsorted(kind[order], kind[order])
        ways.append((order, kind[order] * (len(tail) + 1) + np.arange(len(order)) - first))
    (there, one), (back, other) = ways
    _, at, to = np.intersect1d(one, other, return_indices=True)
    result[there[at]], result[back[to]] = back[to], there[at]
    return read_only(result)


@dataclass(frozen=True, eq=False)
class Grid:
    """How the nodes of a torus, mesh or HyperX lie on a grid, and which channel leaves where.

    Nodes are numbered row-major over the coordinates, last coordinate fastest; dimension 0 is "x".

    - ``kind``: "torus" (dimensions wrap), "mesh" (they do not) or "hyperx" (each line is a complete graph).
    - ``radix``: k_m of every dimension m.
    - ``oneway``: a torus whose channels point in the + direction only.
    - ``channel_at``: int32, shape (N, n, D).  Torus and mesh: D = 2, the channel leaving node v in dimension m
      in the + direction (index 0) and the - direction (index 1); in a dimension of radix 2 of a torus both are
      the same channel.  HyperX: D = max(k) - 1, the channel that adds j + 1 modulo k_m.  -1 where there is none.
    """

    kind: GridKind
    radix: tuple[int, ...]
    channel_at: npt.NDArray[np.int32]
    oneway: bool = False

    @property
    def num_dimensions(self) -> int:
        return len(self.radix)

    @cached_property
    def coordinates(self) -> Int32:
        """int32, shape (N, n)."""
        count = int(np.prod(self.radix))
        return np.stack(np.unravel_index(np.arange(count), self.radix), axis=1).astype(np.int32)

    def node(self, coordinate: Sequence[int]) -> int:
        found = 0
        for x, k in zip(coordinate, self.radix, strict=True):
            if not 0 <= x < k:
                raise ValueError(f"coordinate {tuple(map(int, coordinate))} is not in a grid of {self.radix}")
            found = found * k + int(x)
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Nodes, directed channels with exact bandwidths, and terminals.  Arrays are read-only int32.

    - ``tail``, ``head``: shape (C,).  Channel c goes from node tail[c] to node head[c]; parallel channels are
      allowed, self-loops are not.
    - ``bandwidth``: C positive fractions, in units of a terminal's injection rate.
    - ``source``, ``sink``: shape (T,).  Terminal i injects at node source[i] and receives at node sink[i].
    - ``labels``: a name per node, or None.
    - ``terminal_labels``: a name per terminal (the hosts of a fabric), or None.
    - ``grid``: the grid layout, where there is one.
    - ``groups``: int32 shape (N,), the group of every node, where nodes come in groups (dragonfly), or None.
    - ``symmetry``: declared automorphisms, or None.  They are checked before they are used.
    - ``spec``: the text that makes this network again (``torus:9x9``), or None.
    - ``channel_attributes``: what a file states of its channels beside their bandwidths, by name: a number or a text
      for every channel, as it was found, None where there is none.  They count only where a routing names them.
    """

    name: str
    num_nodes: int
    tail: Int32
    head: Int32
    bandwidth: tuple[Fraction, ...]
    source: Int32
    sink: Int32
    labels: tuple[str, ...] | None = None
    grid: Grid | None = None
    symmetry: Symmetry | None = None
    spec: str | None = None
    terminal_labels: tuple[str, ...] | None = None
    groups: Int32 | None = None
    channel_attributes: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __repr__(self) -> str:
        sizes = f"{self.num_nodes} nodes, {self.num_channels} channels, {self.num_terminals} terminals"
        return f"<Network {self.name[:60]}: {sizes}>"

    def __post_init__(self) -> None:
        _check_size(self.num_nodes)
        set_ = object.__setattr__
        set_(self, "tail", int32_array(self.tail, what="tail", below=self.num_nodes))
        set_(self, "head", int32_array(self.head, what="head", size=len(self.tail), below=self.num_nodes))
        set_(self, "source", int32_array(self.source, what="source", below=self.num_nodes))
        set_(self, "sink", int32_array(self.sink, what="sink", size=len(self.source), below=self.num_nodes))
        if self.groups is not None:
            set_(self, "groups", int32_array(self.groups, what="groups", size=self.num_nodes, below=self.num_nodes))
        if not len(self.source):
            raise InputError(f"network {self.name} has no terminals; at least one was expected")
        loop = first_true(self.tail == self.head)
        if loop is not None:
            raise InputError(f"channel {loop} goes from node {int(self.tail[loop])} to itself")
        for given, what, count, things in (
            (self.bandwidth, "bandwidths", len(self.tail), "channels"),
            (self.labels, "labels", self.num_nodes, "nodes"),
            (self.terminal_labels, "labels", len(self.source), "terminals"),
            *((x, f"values of {name}", len(self.tail), "channels") for name, x in self.channel_attributes.items()),
        ):
            if given is not None and len(given) != count:
                raise InputError(f"{len(given)} {what} for {count} {things}; one each was expected")
        for value in {id(x): x for x in self.bandwidth}.values():
            if not isinstance(value, Fraction) or value <= 0:
                c = self.bandwidth.index(value)
                raise InputError(f"bandwidth of channel {c} is {value}; a positive fraction was expected")

    @staticmethod
    def of(
        name: str,
        num_nodes: int,
        channels: Sequence[tuple[int, int]] | npt.NDArray[np.integer],
        *,
        bandwidth: Sequence[Fraction | int | str] | Fraction | int | str = 1,
        source: Sequence[int] | npt.NDArray[np.integer] | None = None,
        sink: Sequence[int] | npt.NDArray[np.integer] | None = None,
        labels: Sequence[str] | None = None,
        **more: Any,
    ) -> Network:
        """A network from (tail, head) pairs; one bandwidth for all, or one each; all nodes are terminals by default.

        Raises InputError for anything but pairs of node numbers and positive finite bandwidths.
        """
        _check_size(num_nodes)
        ends = _pairs(channels)
        if isinstance(bandwidth, (list, tuple, np.ndarray)):
            widths = tuple(
                x if type(x) is Fraction else parse_fraction(x, what=f"bandwidth of channel {c}")
                for c, x in enumerate(bandwidth)
            )
        else:
            widths = (parse_fraction(bandwidth, what="the bandwidth"),) * len(ends)
        everyone = np.arange(num_nodes)
        return Network(
            name=name,
            num_nodes=num_nodes,
            tail=ends[:, 0],  # type: ignore[arg-type]  # __post_init__ makes it int32
            head=ends[:, 1],  # type: ignore[arg-type]
            bandwidth=widths,
            source=everyone if source is None else source,  # type: ignore[arg-type]
            sink=everyone if sink is None else sink,  # type: ignore[arg-type]
            labels=None if labels is None else tuple(labels),
            **more,
        )

    @property
    def num_channels(self) -> int:
        return len(self.tail)

    @property
    def num_terminals(self) -> int:
        return len(self.source)

    @cached_property
    def supply(self) -> npt.NDArray[np.int64]:
        """int64, shape (N,): how many terminals inject at each node."""
        return np.bincount(self.source, minlength=self.num_nodes).astype(np.int64)

    @cached_property
    def demand(self) -> npt.NDArray[np.int64]:
        """int64, shape (N,): how many terminals receive at each node."""
        return np.bincount(self.sink, minlength=self.num_nodes).astype(np.int64)

    @cached_property
    def uniform_bandwidth(self) -> bool:
        return not self.bandwidth_rank.any()

    @cached_property
    def bandwidth_rank(self) -> npt.NDArray[np.int64]:
        """int64, shape (C,): the place of each channel's bandwidth among the different ones, ascending from 0."""
        place = {x: k for k, x in enumerate(self.widths)}
        rank = {key: place[x] for key, x in self._by_identity.items()}
        return np.array([rank[id(x)] for x in self.bandwidth], dtype=np.int64)

    @cached_property
    def widths(self) -> tuple[Fraction, ...]:
        """The different bandwidths, ascending: that of channel c is ``widths[bandwidth_rank[c]]``."""
        return tuple(sorted(set(self._by_identity.values())))

    @property
    def longest_bandwidth(self) -> str:
        """For messages, the bandwidth with the most digits: ``that of A -> B is 31416/10000``."""
        sizes = {id(x): x.numerator.bit_length() + x.denominator.bit_length() for x in self._by_identity.values()}
        c = max(range(self.num_channels), key=lambda c: sizes[id(self.bandwidth[c])])
        return f"that of {self.channel_label(c)} is {short(str(self.bandwidth[c]))}"

    @property
    def _by_identity(self) -> dict[int, Fraction]:
        return {id(x): x for x in self.bandwidth}  # most channels share one object, and hashing a Fraction takes long

    @cached_property
    def out_channels(self) -> tuple[npt.NDArray[np.int64], Int32]:
        """(offset, channel): the channels leaving node v are channel[offset[v]:offset[v + 1]], in ascending order."""
        order = np.argsort(self.tail, kind="stable").astype(np.int32)
        return offsets_of(np.bincount(self.tail, minlength=self.num_nodes)), order

    @cached_property
    def in_channels(self) -> tuple[npt.NDArray[np.int64], Int32]:
        """(offset, channel): the channels into node v are channel[offset[v]:offset[v + 1]], in ascending order."""
        order = np.argsort(self.head, kind="stable").astype(np.int32)
        return offsets_of(np.bincount(self.head, minlength=self.num_nodes)), order

    @cached_property
    def reverse(self) -> Int32 | None:
        """``opposite``, where every channel has another one in the other direction; else None."""
        return None if (self.opposite == np.arange(self.num_channels)).any() else self.opposite

    @cached_property
    def opposite(self) -> Int32:
        """int32, shape (C,): the other channel of each one's cable, in the other direction; itself where there is none.

        Parallel channels of one bandwidth are paired in order of number.  It is an involution.
        """
        return opposites(self.tail, self.head, self.bandwidth_rank)

    def label(self, node: int) -> str:
        """The node's name: its label, its coordinates, or its number."""
        if self.labels is not None:
            return self.labels[node]
        if self.grid is not None and self.grid.num_dimensions > 1:
            return "(" + ",".join(str(int(x)) for x in self.grid.coordinates[node]) + ")"
        return str(node)

    def terminal_label(self, terminal: int) -> str:
        """The terminal's name, or its number."""
        return str(terminal) if self.terminal_labels is None else self.terminal_labels[terminal]

    @property
    def gbps(self) -> Fraction | None:
        """What bandwidth 1 is in Gb/s, where the network knows it."""
        return None

    @property
    def host_widths(self) -> tuple[Fraction, ...] | None:
        """The bandwidth of every terminal's own cable, which is no channel, where the network knows them."""
        return None

    @property
    def host_bandwidth(self) -> Fraction | None:
        """The bandwidth of the slowest host's own cable, where the network knows it."""
        return min(self.host_widths, default=None) if self.host_widths else None

    @property
    def hashes_flows(self) -> bool:
        """Do the devices send each flow whole, over one of its paths that a hash picks?"""
        return False

    def ports_of(self, _channel: int, /) -> tuple[int, int] | None:
        """The ports at which a channel leaves its tail and enters its head, where the network knows them."""
        return None

    def port_names(self, _channel: int, /) -> tuple[str, str] | None:
        """The same as texts, also where ports have names."""
        return None

    @property
    def guids(self) -> tuple[Sequence[int], Sequence[int]] | None:
        """The GUIDs of all nodes and of all terminals, 0 where one is not known: what a device keeps under any name."""
        return None

    def nodes_identified(self, _text: str, /) -> list[int]:
        """The nodes that a text names other than by label, where the network knows more of them (a GUID, a lid)."""
        return []

    @property
    def switch_ports(self) -> Sequence[int] | None:
        """How many ports every node has, where the network knows it."""
        return None

    @property
    def host_ports(self) -> Sequence[str] | None:
        """The port of its node that every terminal is at, "" where it is not known; None where none is."""
        return None

    @property
    def host_addresses(self) -> Sequence[str] | None:
        """The address of every terminal, as dumps have it; None where there are none."""
        return None

    @cached_property
    def _has_twin(self) -> npt.NDArray[np.bool_]:
        """Of every channel: does another one lead from the same node to the same node?"""
        ends = self.tail.astype(np.int64) * self.num_nodes + self.head
        _, number, count = np.unique(ends, return_inverse=True, return_counts=True)
        return np.asarray(count[number] > 1)

    def channel_label(self, channel: int) -> str:
        """``tail -> head`` by name, with the channel's number where parallel channels exist."""
        u, v = int(self.tail[channel]), int(self.head[channel])
        suffix = f" #{channel}" if self._has_twin[channel] else ""
        return f"{self.label(u)} -> {self.label(v)}{suffix}"

    def without(self, faults: Removal) -> Network:
        """The network that is left when ``faults`` (``core.faults``) are taken out; see ``Faults.survivors`` for which
        nodes, channels and terminals these were.

        Grid and declared symmetry do not survive, groups do; terminals at dead nodes disappear.
        """
        return faults.survivors(self).network

    @property
    def own_routing(self) -> str | None:
        """The routing that a dump brings with it, as ``--routing`` names it; None where there is none."""
        return None

    @property
    def missing_routing(self) -> str:
        """Why a dump brings no routing with it, and what would; "" where there is no dump, or one with a routing."""
        return ""

    @property
    def usual_routings(self) -> tuple[str, ...]:
        """Which routings that of a dump is compared with where nothing is said; nothing where there is no dump."""
        return ()

    @property
    def own_levels(self) -> tuple[str, str | None] | None:
        """The files with the service levels of paths, and with the lanes that they mean, that a dump brings with it."""
        return None

    def part(self, node: Numbers, channel: Numbers, terminal: Numbers, *, name: str) -> Network:
        """The network of these nodes, channels and terminals (numbers, ascending), numbered again; nodes keep their
        names.

        Grid and declared symmetry are lost, groups are not.
        """
        names = self.terminal_labels
        number = np.full(self.num_nodes, -1, dtype=np.int32)
        number[node] = np.arange(len(node))
        return Network(
            name=name,
            num_nodes=len(node),
            tail=number[self.tail[channel]],
            head=number[self.head[channel]],
            bandwidth=tuple(self.bandwidth[c] for c in channel.tolist()),
            source=number[self.source[terminal]],
            sink=number[self.sink[terminal]],
            labels=tuple(self.label(v) for v in node.tolist()),
            groups=None if self.groups is None else self.groups[node],
            terminal_labels=names and tuple(names[t] for t in terminal.tolist()),
            channel_attributes={
                name: [values[c] for c in channel.tolist()] for name, values in self.channel_attributes.items()
            },
        )

    def plain(self) -> Network:
        """The same nodes, channels, bandwidths, terminals and labels, and nothing that a network document cannot say:
        no grid, declared symmetry, groups or spec."""
        told = {x.name: getattr(self, x.name) for x in fields(Network)}
        return Network(**{**told, "grid": None, "symmetry": None, "groups": None, "spec": None})


class Smaller(Protocol):
    """What is left of a network."""

    @property
    def network(self) -> Network: ...


class Removal(Protocol):
    """What can be taken out of a network."""

    def survivors(self, network: Network) -> Smaller: ...
