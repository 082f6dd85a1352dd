"""What a file format is to this package: one ``Format``, in the file of its code; the table of them; and networks from
files and to files by that table."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from ..core.errors import InputError
from ..core.network import Network
from ..core.registry import Registry
from ..core.strangers import strangers
from .documents.json_text import DOCUMENT_LIMIT, as_object, parse_json
from .host_names import HostChoice
from .text_files import (
    MEGABYTE,
    FilePath,
    Line,
    brief,
    fault_of_bytes,
    numbered_lines,
    positive_number,
    read_text,
    shown,
    stem,
)
from .unread import what_it_is

Content = TypeVar("Content")
Given = TypeVar("Given")
Routing = TypeVar("Routing")


class WithMissing(NamedTuple):
    """The bandwidth of an edge is its ``attribute``, or ``missing`` where it has none."""

    attribute: str
    missing: Fraction


Bandwidth = str | Fraction | int | WithMissing | None
_START = 65536
_JSON = re.compile(r"\s*(\[|\{(?! [A-Z]))")  # OpenSM's lists of cables begin with { SW Ports:


class File:
    """One file, read as far as it is asked for, and each part once; ``what`` names it in errors, ``stem`` its content.

    ``wanted`` says in errors what was expected ("a network document"); ``choice``: which hosts take part, where the
    file holds a network; ``vrf``: whose routes are read, where it holds those of several; ``network``: what it holds,
    once a document is made of it.
    """

    def __init__(
        self, path: FilePath, *, wanted: str = "a document", choice: HostChoice | None = None, vrf: str | None = None
    ) -> None:
        self.vrf = vrf
        self.network: Network | None = None
        self.path, self.wanted, self.choice = path, wanted, choice or HostChoice()
        self.what, self.stem = f"file {shown(path)}", stem(path)

    def ends_with(self, extension: str) -> bool:
        """Does the file's name end so, in letters of any case?  ("net.sst.json" ends with .json and .sst.json.)"""
        return os.path.basename(os.fspath(self.path)).lower().endswith(extension)

    @cached_property
    def start(self) -> str:
        """The first 64 KB as text; "" where there is no file.  Of a pipe everything is read."""
        if self._first_bytes is None:
            with suppress(InputError):
                return self.text[:_START]
            return ""
        return self._first_bytes.decode("utf-8", "replace").removeprefix("\ufeff")

    @cached_property
    def _first_bytes(self) -> bytes | None:
        """The first 64 KB; nothing where there is no file, and None of what is not a regular file."""
        try:
            if not stat.S_ISREG(os.stat(self.path).st_mode):
                return None
            with open(self.path, "rb") as file:
                return file.read(_START)
        except (OSError, ValueError):
            return b""

    @cached_property
    def text(self) -> str:
        """All of it; raises InputError for a file that cannot be read, is not text, or is too large."""
        limit = DOCUMENT_LIMIT if self.ends_with(".json") else 64 * MEGABYTE
        return read_text(self.path, limit=limit, wanted=self.wanted)

    def lines(
        self,
        *,
        comment: str = "",
        comment_lines: str = "",
        indented: bool = False,
        limit: int | None = None,
        wanted: str | None = None,
    ) -> Iterator[Line]:
        """Its lines as ``numbered_lines`` gives them; with ``limit``, of a file of as many bytes that is ``wanted``."""
        text = self.text if limit is None else read_text(self.path, limit=limit, wanted=wanted or self.wanted)
        return numbered_lines(text, self.what, comment=comment, comment_lines=comment_lines, indented=indented)

    @property
    def is_empty(self) -> bool:
        return not self.start.strip() and os.path.isfile(self.path) and not self.text.strip()

    def check_not_empty(self) -> None:
        if self.is_empty:
            raise InputError(f"{self.what} is empty; {self.wanted} was expected")

    def check_encoding(self) -> None:
        """Raise InputError for packed files, and for text in UTF-16, as PowerShell redirects it."""
        fault = fault_of_bytes(self._first_bytes or b"")
        if fault:
            raise InputError(f"{self.what} {fault}; {self.wanted} as text in UTF-8 was expected")

    def check_no_nul(self) -> None:
        """Raise InputError where one of the first 64 KB is 0, as in what is no text, and where a disk was full."""
        at = (self._first_bytes or b"").find(b"\0")
        if at >= 0:
            raise InputError(f"{self.what} is no text or is damaged: byte {at} is 0; {self.wanted} was expected")

    @property
    def is_json(self) -> bool:
        """Does its name or its first character say so?"""
        return self.ends_with(".json") or bool(_JSON.match(self.start))

    @cached_property
    def value(self) -> Any:
        return parse_json(self.text, what=self.what)

    @property
    def document(self) -> dict[str, Any]:
        return as_object(self.value, what=self.what, wanted=self.wanted)

    def says(self, name: str) -> bool:
        """Is it a JSON object with ``"format": name``?"""
        return self.is_json and isinstance(self.value, dict) and self.value.get("format") == name


@dataclass(frozen=True)
class Facts(Generic[Routing]):
    """What is true of a document on its own: by quantity, in the order in which they are shown, a number, or the answer
    to a question: None for yes, else a sentence with the first thing wrong.

    ``routing``: of a document that is one and delivers, for claims about deadlock.
    """

    facts: Mapping[str, int | str | None]
    routing: Routing | None = None


@dataclass(frozen=True)
class Format(Generic[Content, Given]):
    """One file format; whatever it cannot do is None.

    - ``name``: a word for it, which reports keep; ``help``: what people call it ("BookSim's anynet");
    - ``extensions``: how names of its files end, in small letters; the first is the usual one;
    - ``sniff``: does this file look like mine?  What it says counts more than an extension;
    - ``directory``: of formats that are a directory of files, what of mine is in this one, in words ("" if nothing is):
      "routes of FRR (leaf1.json)".  It has no ``sniff``;
    - ``read``: its content.  A format of networks is given the option ``bandwidth`` (None where it is not given; others
      only where ``options`` names it), a format of routings the network that the routing is about;
    - ``options``: ``bandwidth``, and ``hosts`` where ``read`` itself minds the file's ``choice`` of hosts;
    - ``write``: writes the content to a file, whole or not at all, and may say in a word what it wrote;
    - ``check_network``: raises InputError where no routing on that network can be written;
    - ``by_node``: it holds only routings that treat all terminals of a node alike;
    - ``judge``: what is true of a text in this format, with ``what`` to name it in sentences and the name of the file;
    - ``document``: the name of another format that has ``judge``, and a text in it that says the same as the file;
    - ``instead``: where neither is there, what to do instead of ``routeproof check``.
    - ``rank``: of formats that stand beside others about one fabric in a directory: the lowest is read, the others must
      agree with it; 0: it is for files that stand alone.

    Every function raises InputError, with the place, for a field that is present and not understood.
    """

    name: str
    help: str
    extensions: tuple[str, ...] = ()
    sniff: Callable[[File], bool] | None = None
    read: Callable[[File, Given], Content] | None = None
    write: Callable[[Content, FilePath], str | None] | None = None
    directory: Callable[[File], str] | None = None
    options: tuple[str, ...] = ()
    check_network: Callable[[Network], object] | None = None
    by_node: bool = False
    judge: Callable[[str, str, str], Facts[Any]] | None = None
    document: Callable[[File], tuple[str, str]] | None = None
    instead: str = ""
    rank: int = 0


NetworkFormat = Format[Network, Bandwidth]


def with_missing(bandwidth: Bandwidth, missing: object, *, what: str) -> WithMissing:
    """``bandwidth``, the name of an attribute (default ``bandwidth``), with the positive number that edges get that
    have none."""
    if bandwidth is not None and not isinstance(bandwidth, str):
        raise InputError(f"{what}: missing= goes with bandwidth=ATTRIBUTE; bandwidth={bandwidth} is for all edges")
    return WithMissing(bandwidth or "bandwidth", positive_number(missing, what=f"{what}: missing"))


FORMATS: Registry[Format[Network, Bandwidth]] = Registry(
    "format",
    Format,
    rooms=[
        f"{__package__}.{room}"
        for room in ("documents", "graphs", "infiniband", "ethernet", "simulators", "ai_clusters")
    ],
    group="routeproof.formats",
    returns={
        "sniff": object,
        "read": Network,
        "write": (str, type(None)),
        "directory": str,
        "check_network": object,
        "judge": Facts,
        "document": tuple,
    },
)
"""Every format by its name, those of other packages included; an entry stands beside the code that reads and writes it.
Formats without ``read`` hold something else than a network.  Files of routings are in ``routing.files.table``."""


def recognised(
    file: File, entries: Iterable[Format[Content, Given]], *, by_name: bool = True
) -> Format[Content, Given] | None:
    """The first of ``entries`` that the file looks like, else (``by_name``) the one whose extension it has, or None."""
    entries = list(entries)
    sniffed = (x for x in entries if x.sniff is not None and x.sniff(file))
    return next(sniffed, None) or (by_extension(file, entries) if by_name else None)


def format_to_write(path: FilePath, entries: Iterable[Format[Content, Given]], content: str) -> Format[Content, Given]:
    """The entry that writes files of this name; ``content``: what is written ("a routing"), for errors."""
    file, entries = File(path), list(entries)
    writing = [x for x in entries if x.write is not None]
    found, only_read = by_extension(file, writing), by_extension(file, entries)
    if found is not None:
        return found
    if only_read is not None:
        raise InputError(
            f"{file.what}: {only_read.help} is read but not written; {content} is written as {listed(writing)}"
        )
    raise InputError(f"{file.what} has {extension_of(path)}; known formats: {listed(writing)}")


def extension_of(path: FilePath) -> str:
    extension = os.path.splitext(os.fspath(path))[1].lower()
    return f"the extension {brief(extension)}" if extension else "no extension"


def listed_names(entries: Iterable[Format[Any, Any]]) -> str:
    """What people call the formats: ``GML, GraphML and SNDlib``."""
    *first, last = (x.help for x in entries)
    return f"{', '.join(first)} and {last}"


def listed(entries: Iterable[Format[Any, Any]]) -> str:
    """The formats that have extensions, in words: ``.graphml or .xml (GraphML), .gml (GML)``."""
    return ", ".join(f"{' or '.join(x.extensions)} ({x.help})" for x in entries if x.extensions)


def by_extension(file: File, entries: Iterable[Format[Content, Given]]) -> Format[Content, Given] | None:
    ways = [(len(ending), entry) for entry in entries for ending in entry.extensions if file.ends_with(ending)]
    return max(ways, key=lambda x: x[0], default=(0, None))[1]


def _network_format(file: File) -> NetworkFormat:
    """The format in which a file holds a network: by what it says, else by its extension; the formats of other packages
    are asked last."""
    own = [x for x in FORMATS.own.values() if x.read is not None]
    if recognised(file, own, by_name=False) is None and (unread := what_it_is(file.start)):
        raise InputError(f"{file.what} is {unread}")
    found = recognised(file, own)
    reading = [] if found else [x for x in FORMATS.working() if x.read is not None]
    found = found or recognised(file, reading)
    if found is not None:
        return found
    written = recognised(file, (x for x in FORMATS.working() if x.write is not None))
    if written is not None:
        raise InputError(f"{file.what}: {written.help} is written but not read; what is read: {listed(reading)}")
    broken = "".join(f"; {x}" for _, x in FORMATS.added() if isinstance(x, InputError))
    if not os.path.exists(file.path):
        raise InputError(f"there is no file {shown(file.path)}; a network was expected there")
    raise InputError(
        f"{file.what}, with {extension_of(file.path)}, is in no known format of networks; docs/formats.md lists them"
        f"{broken}"
    )


def directory_format(path: FilePath, entries: Iterable[Format[Content, Given]]) -> Format[Content, Given] | None:
    """The entry that a directory looks like; None where there is no such directory, or it looks like none."""
    if not os.path.isdir(path):
        return None
    file = File(path)
    found = [(x, what) for x in entries if x.directory is not None and (what := x.directory(file))]
    if len(found) > 1:
        both = " and ".join(what for _, what in found)
        raise InputError(f"directory {shown(path)} has {both}: two networks; give each a directory of its own")
    return found[0][0] if found else None


def read_network(
    path: FilePath,
    *,
    bandwidth: Bandwidth = None,
    hosts: str | None = None,
    without: str | None = None,
    vrf: str | None = None,
) -> Network:
    """The network in a file (or a directory) of any format of ``format.FORMATS`` that reads one.

    ``bandwidth``: graph files: the edge attribute to use (every edge must have it, or else what is given with it as
    ``WithMissing``), or one number for all channels; by default the attribute ``bandwidth``, or 1 where no edge has it.
    Fabrics: see ``infiniband.assemble``.
    ``hosts``, ``without``: which hosts (terminals) take part, as ``HostChoice`` says.  ``vrf``: Ethernet fabrics: the
    VRF whose routes are read (default: ``default``).

    Raises InputError, in one line that names the file and the place.  Warns (RouteproofWarning) of self-loops dropped,
    of what edges and nodes state that is not used, of cables with two rates, and of hosts of unlike rates.

    Networks in formats of other packages are ``plain``: reports hold them in full.
    """
    file = File(path, wanted="a network document", choice=HostChoice(hosts, without), vrf=vrf)
    entry = directory_format(path, FORMATS.own.values())
    if entry is None:
        file.check_not_empty()
        file.check_encoding()
        entry = _network_format(file)
    given = {
        "missing": "missing= is for edges without an attribute, in" if isinstance(bandwidth, WithMissing) else None,
        "bandwidth": None if bandwidth is None else "bandwidth= is for",
        "vrf": None if vrf is None else "vrf= is for",
    }
    for option, sentence in given.items():
        if sentence and option not in entry.options:
            known = listed_names(x for x in FORMATS.own.values() if option in x.options)
            raise InputError(f"{file.what}: {sentence} {known}")
    assert entry.read is not None
    network = entry.read(file, bandwidth)
    if "hosts" not in entry.options:
        network = file.choice.of(network, what=file.what)
    if entry.name in FORMATS.own:
        return network
    with strangers(f"the network of {FORMATS.whose(entry.name)}"):
        return network.plain()


def network_format_to_write(path: FilePath) -> NetworkFormat:
    """The format that the extension of a file names; raises InputError for one in which no network is written."""
    return format_to_write(path, FORMATS.working(), "a network")


def write_network(network: Network, path: FilePath) -> None:
    """Write a network in the format that the file's extension names; whole or not at all."""
    entry = network_format_to_write(path)
    assert entry.write is not None
    entry.write(network, path)
    if not os.path.exists(path):
        raise InputError(f"{entry.help} wrote no {shown(path)}")
