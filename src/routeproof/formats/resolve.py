"""What the user typed to networks and traffic: the name of a family or a pattern, or the path of a file.

A file name may be followed by options: ``net.graphml,bandwidth=LinkSpeedRaw,dead-nodes=5``.  ``bandwidth`` names the
edge attribute to read (GraphML, GML), or is a number for all channels; ``hosts`` and ``without`` say which hosts take
part; ``cables`` and the removal options are those that every family has.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Collection
from fractions import Fraction

from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from ..core.rational import parse_fraction
from ..core.traffic import Traffic
from ..topologies.attach import attach
from ..topologies.build import extended, shortened
from ..topologies.family import TOPOLOGIES
from ..topologies.patterns import PATTERNS, is_pattern, traffic_pattern
from ..topologies.removal import REMOVAL_OPTIONS, remove
from ..topologies.spec import network_named
from ..topologies.text import name_of, options_of
from .documents.traffic import read_traffic
from .format import network_format_to_write, read_network, write_network
from .host_choice import CHOICE_OPTIONS
from .text_files import FilePath

_OPTIONS = ("bandwidth", *CHOICE_OPTIONS, "cables", *REMOVAL_OPTIONS)
_OUTSIDE = re.compile(r",(?![^\[\]]*\])")  # a comma that is not within brackets, as in n[1-3,7]


def resolve_network(text: str) -> Network:
    """The network that ``text`` names: ``family:parameters,options``, or an existing file with options.

    Where the text begins with a family's name it is that family, unless it is malformed as such and a file has
    exactly this name; write ``./ring`` for a file called ``ring``.  A file name may contain ":" and ",".

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
                raise
    found = _file_and_options(text)
    if found is None:
        raise InputError(no_such(text, "network", "a known family", TOPOLOGIES.names()))
    path, parts = found
    where = shortened(os.path.basename(path))
    options = options_of(parts, where=where, flags=(), options=_OPTIONS).options
    chosen = {x: options[x] for x in CHOICE_OPTIONS if x in options}
    network = read_network(path, bandwidth=_bandwidth(options.get("bandwidth")), **chosen)
    if chosen:
        network = extended(network, ",".join(f"{x}={text}" for x, text in chosen.items()))
    return remove(attach(network, options, ()), options)


def resolve_traffic(text: str, network: Network) -> Traffic:
    """The traffic that ``text`` names on ``network``: a pattern, or an existing file of rates or of a permutation.

    Raises InputError as ``resolve_network`` does.
    """
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


def _bandwidth(text: str | None) -> str | Fraction | None:
    """A number where ``text`` is one, else the name of an attribute."""
    try:
        return text if text is None else parse_fraction(text, what="bandwidth")
    except InputError:
        return text


def _file_and_options(text: str) -> tuple[str, list[str]] | None:
    """The longest beginning of ``text``, up to a comma or its end, that is a file, and the options after it."""
    commas = [at for at, x in enumerate(text) if x == ","][:64]
    path = next((text[:end] for end in [len(text), *reversed(commas)] if os.path.isfile(text[:end])), None)
    return None if path is None else (path, _OUTSIDE.split(text[len(path) + 1 :]) if path != text else [])


def no_such(text: str, what: str, known: str, names: Collection[str]) -> str:
    """Why ``text``, which is neither ``known`` (one of ``names``) nor a file, is no ``what``: an error of one line."""
    head = text.split(",", 1)[0]
    if os.path.exists(head):
        kind = "a directory; a file" if os.path.isdir(head) else "a device or a pipe; a regular file"
        return f"{what} {shortened(repr(head))} is {kind} was expected"
    hint = did_you_mean(head.split(":", 1)[0].strip()[:100], names)
    return f"{what} {shortened(repr(text))} is neither {known} nor an existing file; {hint}"


def convert(source: str, target: FilePath) -> Network:
    """Write the network that ``source`` names (``torus:6x4``, ``net.graphml,bandwidth=LinkSpeedRaw``) to a file.

    ``target``'s extension says in which format; it is looked at first.  Returns the network written.
    """
    network_format_to_write(target)
    network = resolve_network(source)
    write_network(network, target)
    return network
