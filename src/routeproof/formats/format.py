"""What a file format is to this package: one ``Format``, in the file of its code; and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from ..core.errors import InputError
from ..core.network import Network
from ..core.registry import Registry
from .file import File
from .text_files import FilePath, brief

__all__ = ["FORMATS", "Bandwidth", "Facts", "Format", "NetworkFormat", "format_to_write", "listed", "recognised"]

Content = TypeVar("Content")
Given = TypeVar("Given")
Routing = TypeVar("Routing")
Bandwidth = str | Fraction | int | None


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
    - ``read``: its content.  A format of networks is given the option ``bandwidth`` (None where it is not given; others
      only where ``options`` names it), a format of routings the network that the routing is about;
    - ``write``: writes the content to a file, whole or not at all, and may say in a word what it wrote;
    - ``judge``: what is true of a text in this format, with ``what`` to name it in sentences and the name of the file;
    - ``document``: the name of another format that has ``judge``, and a text in it that says the same as the file;
    - ``instead``: where neither is there, what to do instead of ``routeproof check``.

    Every function raises InputError, with the place, for a field that is present and not understood.
    """

    name: str
    help: str
    extensions: tuple[str, ...] = ()
    sniff: Callable[[File], bool] | None = None
    read: Callable[[File, Given], Content] | None = None
    write: Callable[[Content, FilePath], str | None] | None = None
    options: tuple[str, ...] = ()
    judge: Callable[[str, str, str], Facts[Any]] | None = None
    document: Callable[[File], tuple[str, str]] | None = None
    instead: str = ""


NetworkFormat = Format[Network, Bandwidth]


def recognised(
    file: File, entries: Iterable[Format[Content, Given]], *, by_name: bool = True
) -> Format[Content, Given] | None:
    """The first of ``entries`` that the file looks like, else (``by_name``) the one whose extension it has, or None."""
    entries = list(entries)
    for entry in entries:
        if entry.sniff is not None and entry.sniff(file):
            return entry
    return _by_extension(file, entries) if by_name else None


def format_to_write(path: FilePath, entries: Iterable[Format[Content, Given]], content: str) -> Format[Content, Given]:
    """The entry that writes files of this name; ``content``: what is written ("a routing"), for errors.

    Raises InputError where there is none.
    """
    entries = list(entries)
    file, writing = File(path), [x for x in entries if x.write is not None]
    found = _by_extension(file, writing)
    if found is not None:
        return found
    only_read = _by_extension(file, entries)
    if only_read is not None:
        raise InputError(f"{file.what}: {only_read.help} is read only; {content} is written as {listed(writing)}")
    raise InputError(f"{file.what} has {extension_of(path)}; known formats: {listed(writing)}")


def extension_of(path: FilePath) -> str:
    """How the name of a file ends, in words."""
    import os.path

    extension = os.path.splitext(os.fspath(path))[1].lower()
    return f"the extension {brief(extension)}" if extension else "no extension"


def listed(entries: Iterable[Format[Any, Any]]) -> str:
    """The formats that have extensions, in words: ``.graphml or .xml (GraphML), .gml (GML)``."""
    return ", ".join(f"{' or '.join(x.extensions)} ({x.help})" for x in entries if x.extensions)


def _by_extension(file: File, entries: Iterable[Format[Content, Given]]) -> Format[Content, Given] | None:
    ways = [(len(ending), entry) for entry in entries for ending in entry.extensions if file.ends_with(ending)]
    return max(ways, key=lambda x: x[0])[1] if ways else None


FORMATS: Registry[Format[Network, Bandwidth]] = Registry(
    "format",
    Format,
    rooms=[f"{__package__}.{room}" for room in ("documents", "graphs", "infiniband", "simulators")],
    group="routeproof.formats",
)
"""Every format by its name, those of other packages included; an entry stands beside the code that reads and writes it.
Formats without ``read`` hold something else than a network.  Files of routings are in ``routing.files.table``."""
