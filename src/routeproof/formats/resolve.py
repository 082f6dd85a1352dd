"""What the user typed to networks, traffic, cubes, wirings and permutations: the name of a family or a pattern, or the
path of a file.

A file name may be followed by options: ``net.graphml,bandwidth=LinkSpeedRaw,dead-nodes=5``.  ``bandwidth`` names the
edge attribute to read (graph files), or is a number for all channels; ``missing`` is for edges without it; ``hosts``
and ``without`` say which hosts take part; ``vrf`` whose routes count; ``cables`` and the removal options are those that
every family has; ``component=largest``, the largest part of a network that is in several, comes last.
"""

from __future__ import annotations

import os.path
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ..core.arrays import Int32
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError, did_you_mean, warn
from ..core.faults import Faults
from ..core.multistage.wiring import Wiring, check_wiring
from ..core.network import Network
from ..core.plain_names import reads_like
from ..core.quoted import split_outside
from ..core.rational import parse_fraction
from ..core.strangers import strangers
from ..core.traffic import Traffic
from ..machine.libraries import igraph
from ..topologies.attach import attach
from ..topologies.build import extended, shortened
from ..topologies.family import (
    NAMES_LISTED,
    TOPOLOGIES,
    is_family,
    network_from_spec,
    network_named,
    wired_names,
    wiring_named,
)
from ..topologies.grid.lattice import hypercube, hyperx
from ..topologies.patterns import PATTERNS, PERMUTATION_PATTERNS, is_pattern, traffic_pattern
from ..topologies.removal import REMOVAL_OPTIONS, remove
from ..topologies.text import name_of, options_of
from .documents.destination_graph import graph_from_document
from .documents.traffic import read_permutations, read_traffic
from .documents.wiring import read_wiring
from .folder import files_in, unread_in
from .format import (
    FORMATS,
    Bandwidth,
    File,
    directory_format,
    network_format_to_write,
    read_network,
    with_missing,
    write_network,
)
from .graphs.networkx_graph import from_networkx
from .host_names import CHOICE_OPTIONS
from .python_functions import check_not_nearly, is_function_there, load_function, with_settings
from .text_files import FilePath, first_of, is_like_a_file, shown

_OF_FUNCTIONS = ("cables", *REMOVAL_OPTIONS, "component")
_CHOSEN = (*CHOICE_OPTIONS, "vrf")
_OPTIONS = ("bandwidth", "missing", *_CHOSEN, *_OF_FUNCTIONS)


def resolve_network(text: str) -> Network:
    """The network that ``text`` names: ``family:parameters,options``, or an existing file with options.

    Where the text begins with a family's name it is that family, unless it is malformed as such and a file has
    exactly this name; write ``./ring`` for a file called ``ring``.  A file name may contain ":" and ",".
    ``file.py:function`` or ``module:function`` is the user's function that makes a network or a networkx graph.

    Raises InputError for text that is neither (with the nearest family), and whatever the family or the file's
    reader refuses.
    """
    text = text.strip()
    if not text:
        raise InputError("no network is given; a family such as torus:9x9 or the path of a file was expected")
    if name_of(text) in TOPOLOGIES:
        try:
            return network_named(text)
        except InputError:
            if _file_and_options(text) is None:
                _check_choice(text)
                raise
    found = _file_and_options(text)
    if found is None and is_function_there(text.split(",", 1)[0].strip()):
        return _network_of_function(text)
    if found is None:
        check_not_nearly(text)
        raise InputError(no_such(text, "network", "a known family", TOPOLOGIES.names(), listed=NAMES_LISTED))
    path, parts = found
    if path.endswith(".py"):
        raise InputError(f"{shortened(path)} is a Python file; name its function, as in {shortened(path)}:function")
    where = shortened(os.path.basename(path))
    options = options_of(parts, where=where, flags=(), options=_OPTIONS).options
    chosen = {x: options[x] for x in _CHOSEN if x in options}
    network = read_network(path, bandwidth=_bandwidth(options, where), **chosen)
    if chosen:
        network = extended(network, ",".join(f"{x}={text}" for x, text in chosen.items()))
    return _smaller(network, options)


def _network_of_function(text: str) -> Network:
    """The network that the user's function makes, ``file.py:function,option=value``, without what options of ours take
    out; reports hold it in full."""
    name, *parts = (x.strip() for x in split_outside(text, ",", brackets=True))
    family = reads_like(name, TOPOLOGIES.own)
    if family is not None:
        raise InputError(f"'{shortened(name)}' reads like the family {family}; ./{shortened(name)} names the file")
    given = [x for x in parts if x.partition("=")[0].strip() not in _OF_FUNCTIONS]
    settings = options_of(given, where=name, flags=(), options=None).options
    title = ",".join([name, *(f"{key}={value}" for key, value in settings.items())])
    with redirect_stdout(sys.stderr), strangers(f"function {name}"):  # a report may go to standard output
        made = with_settings(load_function(name), name, settings, besides=_OF_FUNCTIONS)()
        if hasattr(made, "is_multigraph"):
            made = from_networkx(made, name=title)
        if not isinstance(made, Network):
            found = type(made).__name__
            raise InputError(f"function {name} returned a {found}; a Network or a networkx graph was expected")
        made = replace(made.plain(), name=title)
    ours = options_of([x for x in parts if x not in given], where=name, flags=(), options=_OF_FUNCTIONS).options
    return _smaller(made, ours)


def _smaller(network: Network, options: Mapping[str, str]) -> Network:
    left = remove(attach(network, options, ()), options)
    return largest_component(left, options["component"]) if "component" in options else left


def _check_choice(text: str) -> None:
    for option in CHOICE_OPTIONS:
        if f",{option}=" in text:
            name = shortened(name_of(text))
            raise InputError(f"{option}= chooses hosts of a file; of the family {name}, dead-nodes= removes nodes")


def resolve_traffic(text: str, network: Network) -> Traffic:
    """The traffic that ``text`` names on ``network``: a pattern, or an existing file of rates or of a permutation."""
    text = text.strip()
    if not text:
        raise InputError("no traffic is given; a pattern such as tornado or the path of a file was expected")
    if is_pattern(text):
        try:
            return traffic_pattern(text, network)
        except InputError:
            if ":" not in text or not os.path.isfile(text):
                raise
    if not os.path.isfile(text):
        raise InputError(no_such(text, "traffic", "a known pattern", PATTERNS))
    return read_traffic(text, network.num_terminals)


def _bandwidth(options: Mapping[str, str], where: str) -> Bandwidth:
    """A number where the option is one, else the name of an attribute, with what edges get that lack it."""
    found: Bandwidth = options.get("bandwidth")
    with suppress(InputError):
        found = found if found is None else parse_fraction(found, what="bandwidth")
    return with_missing(found, options["missing"], what=where) if "missing" in options else found


def _file_and_options(text: str) -> tuple[str, list[str]] | None:
    """The longest beginning of ``text``, up to a comma or its end, that is a file (or a directory that is one network),
    and the options after it."""
    commas = [at for at, x in enumerate(text) if x == ","][:64]
    for path in (text[:end] for end in [len(text), *reversed(commas)]):
        if os.path.isfile(path) or directory_format(path, FORMATS.own.values()) is not None:
            return path, split_outside(text[len(path) + 1 :], ",", brackets=True) if path != text else []
    return None


_MOST_FOLDERS = 20  # that are looked into


def _dumps_below(head: str) -> str:
    """Which folders of a folder without files have such dumps, further down than files are read."""
    found = []
    for root, _, files in islice(os.walk(head), _MOST_FOLDERS):
        with suppress(InputError):
            if files and directory_format(root, FORMATS.own.values()) is not None:
                found.append(shown(root))
    return f"; give a folder with files, such as {min(found)}" if found else ""


def no_such(text: str, what: str, known: str, names: Collection[str], *, listed: str = "") -> str:
    """Why ``text``, which is neither ``known`` (one of ``names``) nor a file, is no ``what``: an error of one line.

    ``listed``: as for ``did_you_mean``.
    """
    head = text.split(",", 1)[0]
    if os.path.isdir(head) and what == "network":
        if known := unread_in(head):
            raise InputError(f"directory {shortened(repr(head))}: {known}")
        wanted = " or ".join(x.help for x in FORMATS.own.values() if x.directory is not None)
        count = len(files_in(head))
        found = f"{count:,} file{'' if count == 1 else 's'}"
        raise InputError(
            f"directory {shortened(repr(head))} has no dump of a network among its {found}; {wanted} was expected"
            f"{'' if count else _dumps_below(head)}"
        )
    if os.path.exists(head):
        kind = "a directory; a file" if os.path.isdir(head) else "a device or a pipe; a regular file"
        return f"{what} {shortened(repr(head))} is {kind} was expected"
    if is_like_a_file(head):
        return f"{what} {shortened(repr(head))}: there is no such file"
    hint = did_you_mean(head.split(":", 1)[0].strip()[:100], names, listed=listed)
    there = "file or folder" if what == "network" else "file"
    return f"{what} {shortened(repr(text))} is neither {known} nor an existing {there}; {hint}"


def convert(source: str, target: FilePath) -> Network:
    """Write the network that ``source`` names (``torus:6x4``, ``net.graphml,bandwidth=LinkSpeedRaw``) to a file in the
    format of its extension, which is looked at first; returns the network."""
    network_format_to_write(target)
    network = resolve_network(source)
    write_network(network, target)
    return network


_SHOWN = 40


def largest_component(network: Network, which: str) -> Network:
    """The network of the strongly connected component with the most nodes, if it is one; says (RouteproofWarning) who
    is left out."""
    if which != "largest":
        raise InputError(f"component of {network.name} is {shortened(repr(which))}; component=largest was expected")
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    parts = igraph().Graph(network.num_nodes, ends, directed=True).connected_components(mode="strong")
    size = max(parts.sizes())
    largest = [sorted(part) for part in parts if len(part) == size]
    if len(largest) > 1:
        names = " and ".join(f"one with {network.label(part[0])}" for part in sorted(largest)[:2])
        raise InputError(
            f"component=largest of {network.name}: {len(largest)} components have {size} nodes ({names}); "
            f"dead-nodes= says which to leave out"
        )
    out = sorted(set(range(network.num_nodes)) - set(largest[0]))
    if not out:
        return network
    names = first_of([network.label(v) for v in out], _SHOWN)
    warn(
        f"{network.name}: component=largest keeps {size} of {network.num_nodes} nodes, the largest of {len(parts)} "
        f"components; left out: {names}"
    )
    left = Faults(out).survivors(network).network
    return extended(replace(left, name=network.name), "component=largest")


_FAMILIES = ("hypercube", "hyperx")


@dataclass(frozen=True)
class NamedCube:
    """``graph``: where a file of one was named."""

    name: str
    cube: Cube
    graph: DestinationGraph | None = None


def resolve_cube(text: str) -> NamedCube | None:
    """The cube that ``text`` names, or None where it speaks of something else; a HyperX must have one radix, bandwidth
    1 and nothing dead."""
    text = text.strip()
    if is_family(text) and text.split(":", 1)[0].strip() in _FAMILIES:
        network = network_from_spec(text)
        shape = network.grid.radix if network.grid is not None else ()
        if len(set(shape)) != 1 or any(b != 1 for b in network.bandwidth):
            raise InputError(
                f"{network.name} is not a t-nary d-cube: one radix for all dimensions, links of bandwidth 1 and "
                "nothing dead were expected, as in hypercube:6 or hyperx:3x3x3"
            )
        return NamedCube(network.name, Cube(shape[0], len(shape)))
    if text.lower().endswith(".json") and os.path.isfile(text):
        file = File(text, wanted="a wiring or a destination graph")
        if file.says("routeproof/destination-graph"):
            graph = graph_from_document(file.document, what=file.what)
            return NamedCube(file.stem, graph.cube, graph)
    return None


def cube_network(cube: Cube) -> Network:
    return hypercube(cube.dimensions) if cube.radix == 2 else hyperx(*(cube.radix,) * cube.dimensions)


def resolve_request(text: str, cube: Cube, *, many_one: bool) -> Int32:
    """Every node's destination, -1 for none: a pattern, ``all-to:v`` (if ``many_one``), or a file with one list of
    nodes."""
    text = text.strip()
    word, _, rest = text.partition(":")
    if word == "all-to":
        node = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 10 else -1
        if not many_one or not 0 <= node < cube.num_nodes:
            raise InputError(
                f"all-to needs a node from 0 to {cube.num_nodes - 1}, as in all-to:0, and --many-one instead of "
                "--permutation"
            )
        return np.full(cube.num_nodes, node, dtype=np.int32)
    lists = _permutations(text, cube_network(cube), many_one=many_one)
    if len(lists) != 1:
        raise InputError(f"file {shown(text)} holds {len(lists)} lists; one was expected for a cube")
    only: Int32 = lists[0]
    return only


def resolve_permutations(texts: Sequence[str], size: int) -> Int32:
    """The permutations of ``size`` terminals that ``texts`` name (patterns or files), int32, shape (P, size), -1:
    none."""
    if not texts:
        raise InputError("no permutation is given; a pattern such as bit-reversal or a file was expected")
    terminals = Network.of(f"{size} terminals", size, [])
    return np.concatenate([_permutations(text, terminals) for text in texts])


def _permutations(text: str, network: Network, *, many_one: bool = False) -> Int32:
    if is_pattern(text) and not os.path.isfile(text):
        permutation = traffic_pattern(text, network).permutation
        if permutation is None:
            name = text.strip()[:60]
            raise InputError(f"traffic {name} is not a permutation; one such as bit-reversal was expected")
        return permutation.image[None, :]
    if not os.path.exists(text):
        raise InputError(no_such(text, "permutation", "a known pattern", PERMUTATION_PATTERNS))
    return read_permutations(text, network.num_terminals, many_one=many_one)


def resolve_wiring(text: str) -> Wiring:
    """The wiring of a family or a document that ``text`` names, checked: blocks, degrees, one logical path per input
    and output."""
    text = text.strip()
    if os.path.isfile(text):
        return check_wiring(read_wiring(text))
    wiring = wiring_named(text)
    if wiring is not None:
        return wiring if wiring.spec is not None else check_wiring(wiring)
    word, known = name_of(text), wired_names()
    if word not in TOPOLOGIES and (os.path.exists(text) or is_like_a_file(text)):
        raise InputError(no_such(text, "wiring", "a known family", known))
    if word in TOPOLOGIES:
        raise InputError(f"{shortened(repr(text))} is not a network of levels and wires; known: {', '.join(known)}")
    hint = did_you_mean(word[:100], known)
    raise InputError(f"wiring {shortened(repr(text))} is neither a known family nor an existing file; {hint}")
