"""Links and nodes taken out of a network, by the options that every network text has.

- ``dead-nodes=5;9`` or ``dead-nodes=spine1``: these nodes, with their channels and terminals;
- ``dead-links=3-4;17-18`` or ``dead-links=leaf1-spine2``: all channels between these nodes, in both directions; with
  the ports of a fabric, ``leaf1[3,4]-spine2[7,8]``, these cables;
- ``dead-channels=12;13``: these channels only;
- ``kill-links=2,kill-seed=7``: so many random links (all channels between two nodes), chosen so that the network
  stays strongly connected.

All numbers are those of the whole network; what is a number is never taken for a name.  A name that holds ``;`` or
``,`` stands in double quotes (``dead-nodes="MF0;ib7:SX6036/U1"``), or as it is where the list can be read in one way
only; ``*`` and ``?`` in a name of ``dead-nodes`` stand for any letters.  What is left is numbered again, in the old
order; its nodes are labelled by their old names; layout and declared symmetry are lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError, did_you_mean
from ..core.faults import Faults
from ..core.graph import hops_from
from ..core.network import Network
from ..core.quoted import hint_of_quotes, names_in, quoted, unquoted, wildcards
from .build import extended, shortened
from .failures import Failure, channels_between
from .text import parse_whole

Thing = TypeVar("Thing", int, tuple[int, int])

_BY_PORT = re.compile(r"(.+)\[(\d{1,3}(?:,\d{1,3})*)\] ?- ?(.+)\[(\d{1,3}(?:,\d{1,3})*)\]")
REMOVAL_OPTIONS = {
    "dead-nodes": "remove nodes: dead-nodes=5;9 or dead-nodes=spine1",
    "dead-links": "remove all channels between two nodes, both ways: dead-links=3-4;leaf1-spine2",
    "dead-channels": "remove channels: dead-channels=12;13",
    "kill-links": "remove random links, keeping the network connected: kill-links=2,kill-seed=7",
    "kill-seed": "the seed of kill-links",
}


def remove(network: Network, options: Mapping[str, str]) -> Network:
    """``network`` without what the removal ``options`` name (other options are ignored).

    The result's name, and its spec where the network has one, get the options in canonical form, the name of a network
    without spec as they were given.
    Raises InputError for malformed values, nodes, channels or links that do not exist, and as ``random_links``.
    """
    if not REMOVAL_OPTIONS.keys() & options.keys():
        return network
    where, names = network.name, _Names(network)
    listed = names.listed(options, "dead-nodes", lambda x: names.is_any(x) or bool(names.matching(x)))
    dead_nodes = [x for text in listed for x in (names.matching(text) or [text])]
    nodes = _parsed(dead_nodes, "dead-nodes", "node", where, names.node)
    given = names.listed(options, "dead-links", names.is_link, ends=2)
    by_port = {x: found for x in given if (found := names.cables(x))}
    links = _parsed([x for x in given if x not in by_port], "dead-links", "link", where, names.link)
    channels = {c for found in by_port.values() for c in found}
    channels |= {c for u, v in links for c in link_channels(network, u, v)}
    listed = options["dead-channels"].split(";") if "dead-channels" in options else []
    dead = _parsed(listed, "dead-channels", "channel", where, lambda x: _number(x, "channel", "dead-channels", where))
    faults = Faults(nodes, channels.union(dead))
    text = []
    if nodes or channels or dead:
        text.append(Failure(tuple(nodes), tuple(links), (tuple(dead),) if dead else ()).text)
        faults.survivors(network)  # refuses what does not exist before any random choice
    if ("kill-links" in options) != ("kill-seed" in options):
        raise InputError(f"{where}: kill-links and kill-seed go together, as in kill-links=2,kill-seed=7")
    if "kill-links" in options:
        count = parse_whole(options["kill-links"], what=f"kill-links of {where}")
        seed = parse_whole(options["kill-seed"], what=f"kill-seed of {where}")
        faults = Faults(nodes, faults.channels | random_links(network, count, seed=seed, faults=faults))
        text.append(f"kill-links={count},kill-seed={seed}")
    left = replace(faults.survivors(network).network, name=network.name, spec=network.spec)
    typed = [f"{x}={options[x]}" for x in REMOVAL_OPTIONS if x in options]
    return extended(left, ",".join(text if network.spec is not None else typed))


def nodes_named(network: Network, text: str, option: str) -> list[int]:
    """The nodes that one name stands for: a number, a label (in double quotes or not; ``*`` and ``?`` stand for any
    letters), or what else the network knows its nodes by.

    Raises InputError, with the closest name, where there is none, and where a name is of several nodes.
    """
    names = _Names(network)
    found = [names.node(x, option) for x in names.matching(text) or [text.strip()]]
    if max(found) >= network.num_nodes:
        raise InputError(f"{option} of {network.name}: there is no node {max(found)}; nodes are 0 to "
                         f"{network.num_nodes - 1}")  # fmt: skip
    return found


def link_channels(network: Network, u: int, v: int) -> list[int]:
    """All channels between nodes ``u`` and ``v``, in both directions; raises InputError where there is none."""
    for node in (u, v):
        if node >= network.num_nodes:
            raise InputError(f"dead link {u}-{v} of {network.name}: nodes are 0 to {network.num_nodes - 1}")
    found = channels_between(network, u, v)
    if not found:
        near = sorted({*network.head[network.tail == u].tolist(), *network.tail[network.head == u].tolist()})
        raise InputError(
            f"dead link {u}-{v} of {network.name}: no channel joins these nodes; "
            f"node {u} is joined to {shortened(', '.join(map(str, near)) or 'nothing')}"
        )
    return found


def random_links(network: Network, count: int, *, seed: int, faults: Faults | None = None) -> set[int]:
    """The channels of ``count`` random links, such that ``network`` without them and ``faults`` is strongly connected.

    A link is all channels between two nodes.  The links alive, sorted by their two nodes, are put in the order
    ``numpy.random.default_rng(seed).permutation``; each in turn is removed unless that would disconnect the nodes
    alive, until ``count`` are.  Raises InputError if the network is not strongly connected to begin with, or if
    fewer than ``count`` links can be removed in this order.
    """
    faults = faults or Faults()
    alive, usable = faults.alive(network)
    low = np.minimum(network.tail, network.head).astype(np.int64)
    high = np.maximum(network.tail, network.head)
    link = low * network.num_nodes + high
    links = np.unique(link[usable])
    if count > len(links):
        raise InputError(f"kill-links of {network.name} is {count}; it has only {len(links)} links")
    if not _connected(network, alive, usable):
        raise InputError(f"kill-links of {network.name}: the network is not strongly connected to begin with")
    order = links[np.random.default_rng(seed).permutation(len(links))].tolist()
    killed: list[int] = []
    # Chunks that may go all at once give the same choice as one link at a time, with fewer checks: what is left
    # after a part of a chunk contains what is left after all of it.
    todo = [order]
    while todo and len(killed) < count:
        chunk = todo.pop()
        spare = count - len(killed)
        if len(chunk) > spare:
            todo.append(chunk[spare:])
            chunk = chunk[:spare]
        left = usable & ~np.isin(link, chunk)
        if _connected(network, alive, left):
            usable = left
            killed += chunk
        elif len(chunk) > 1:
            todo += [chunk[len(chunk) // 2 :], chunk[: len(chunk) // 2]]
    if len(killed) < count:
        raise InputError(
            f"kill-links of {network.name} is {count}; with seed {seed} only {len(killed)} links can go "
            f"while the network stays connected"
        )
    return set(np.nonzero(np.isin(link, killed))[0].tolist()) - faults.channels


def _connected(network: Network, alive: npt.NDArray[np.bool_], usable: npt.NDArray[np.bool_]) -> bool:
    """Does every node alive reach every other through usable channels?"""
    tail, head, start = network.tail[usable], network.head[usable], int(np.argmax(alive))
    ways = ((tail, head), (head, tail))
    return bool(alive.any()) and all((hops_from(network.num_nodes, *x, start)[alive] >= 0).all() for x in ways)


def _parsed(texts: Sequence[str], option: str, what: str, where: str, parse: Callable[[str], Thing]) -> list[Thing]:
    """The nodes, links or channels that an option names, in order; raises InputError for one that is named twice."""
    found: set[Any] = set()
    for text in texts:
        x = parse(text.strip())
        if x in found:
            name = f"{x[0]}-{x[1]}" if isinstance(x, tuple) else str(x)
            raise InputError(f"{option} of {where} holds {what} {name} twice; once was expected")
        found.add(x)
    return sorted(found)


def _number(text: str, what: str, option: str, where: str) -> int:
    return parse_whole(text, what=f"a {what} of {option} of {where}")


class _Names:
    """The nodes of a network by number or label."""

    def __init__(self, network: Network) -> None:
        self.network, self.where = network, network.name

    @cached_property
    def by_label(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for v, label in enumerate(self.network.labels or ()):
            found.setdefault(label, []).append(v)
        return found

    def listed(
        self, options: Mapping[str, str], option: str, is_known: Callable[[str], bool], *, ends: int = 1
    ) -> list[str]:
        """The nodes or links that an option names, with their quotes."""
        if option not in options:
            return []
        known = [*self.by_label, *(self.network.terminal_labels or ())]
        return names_in(options[option], is_known, known, what=f"{option} of {self.where}", ends=ends)

    def matching(self, text: str) -> list[str]:
        """The numbers of the nodes that a name with ``*`` or ``?`` fits; none where a node is called so."""
        if self.is_node(text) or not {"*", "?"} & set(text):
            return []
        form = wildcards(unquoted(text))
        return [str(v) for v, label in enumerate(self.network.labels or ()) if form.fullmatch(label)]

    def is_node(self, text: str) -> bool:
        return text.isdigit() or unquoted(text) in self.by_label or bool(self.network.nodes_identified(unquoted(text)))

    def is_any(self, text: str) -> bool:
        """Is it a node, or a host, for which the error says what to do?"""
        return self.is_node(text) or unquoted(text) in (self.network.terminal_labels or ())

    def is_link(self, text: str) -> bool:
        """Are its ends nodes, with ports or without?"""
        ports = _BY_PORT.fullmatch(text.strip())
        return bool(ports and self.is_node(ports[1]) and self.is_node(ports[3])) or bool(self._cuts(text))

    def _cuts(self, text: str) -> list[tuple[str, str]]:
        """The ways to take a link apart into two nodes."""
        pairs = [(text[:at].strip(), text[at + 1 :].strip()) for at, x in enumerate(text) if x == "-"]
        return [x for x in pairs if all(map(self.is_node, x))]

    def node(self, text: str, option: str = "dead-nodes") -> int:
        """The node of that number or name; raises InputError where there is none, and where a name is of several."""
        is_quoted, text = unquoted(text) != text, unquoted(text)
        if (text.isdigit() and not is_quoted) or not self.by_label:
            return _number(text, "node", option, self.where)
        found = self.by_label.get(text) or self.network.nodes_identified(text)
        if not found:
            if text in (self.network.terminal_labels or ()):
                hint = f"it is a host, which without={shortened(quoted(text))} leaves out"
            else:
                hint = hint_of_quotes(text, list(self.by_label)) or did_you_mean(text[:100], self.by_label)
            raise InputError(f"{option} of {self.where}: no node is called {shortened(repr(text))}; {hint}")
        if len(found) > 1:
            numbers = ", ".join(map(str, found[:4]))
            raise InputError(
                f"{option} of {self.where}: {len(found)} nodes are called {shortened(repr(text))}; one of the numbers "
                f"{numbers} was expected"
            )
        return found[0]

    def cables(self, text: str) -> list[int]:
        """The channels of cables by their ports, ``s0[3,5]-s1[4,6]``, both ways; [] for any other text.

        Raises InputError for ports between which there is no cable.
        """
        found = _BY_PORT.fullmatch(text.strip())
        if (
            found is None
            or not {unquoted(found[1]), unquoted(found[3])} <= self.by_label.keys()
            or not self.network.num_channels
        ):
            return []
        network = self.network
        u, v = (self.node(found[k], "dead-links") for k in (1, 3))
        between = {network.ports_of(c): c for c in channels_between(network, u, v) if network.tail[c] == u}
        back = {network.ports_of(c): c for c in channels_between(network, u, v) if network.tail[c] == v}
        if None in between or None in back:
            raise InputError(
                f"dead-links of {self.where} holds {text}, but its channels have no ports; only fabrics do"
            )
        one, two = (list(map(int, found[k].split(","))) for k in (2, 4))
        if len(one) != len(two):
            raise InputError(f"dead-links of {self.where} holds {text}; as many ports at both ends were expected")
        channels = []
        for ends in zip(one, two, strict=True):
            pair = [x for x in (between.get(ends), back.get(ends[::-1])) if x is not None]
            if not pair:
                near = ", ".join(f"{p[0]}-{p[1]}" for p in sorted(filter(None, between))) or "none"
                raise InputError(
                    f"dead-links of {self.where}: no cable joins {found[1]}[{ends[0]}] and {found[3]}[{ends[1]}]; "
                    f"the ports that are joined there: {near}"
                )
            channels += pair
        return channels

    def link(self, text: str) -> tuple[int, int]:
        """The two nodes of a link, the lower first: 3-4, or names, which may hold hyphens themselves."""
        cuts = [at for at, x in enumerate(text) if x == "-"]
        pairs = [(text[:at].strip(), text[at + 1 :].strip()) for at in cuts]
        known = self._cuts(text)
        if len(known) > 1:
            ways = " or ".join(f"{u} and {v}" for u, v in known[:3])
            raise InputError(f"dead-links of {self.where} holds {shortened(repr(text))}, which may be {ways}")
        if not known and len(pairs) != 1:
            some = "-".join(map(quoted, [*self.by_label][:2])) or "17-18"
            found = shortened(repr(text))
            raise InputError(f"dead-links of {self.where} holds {found}; two nodes such as 3-4 or {some} were expected")
        u, v = (self.node(end, "dead-links") for end in (known or pairs)[0])
        if u == v:
            raise InputError(f"dead-links of {self.where} holds {text}; two different nodes were expected")
        return min(u, v), max(u, v)
