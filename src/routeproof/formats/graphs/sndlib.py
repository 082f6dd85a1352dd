"""Networks of SNDlib, its native text and its XML, read only.  Links go both ways.

Edges have the attributes ``preinstalled_capacity``, ``preinstalled_capacity_cost``, ``routing_cost``, ``setup_cost``,
and ``module_capacity`` and ``module_cost`` where there is one module (more are numbered: ``module_capacity_2``).
Source: Orlowski, Pioro, Tomaszewski & Wessaly 2010 (Networks), SNDlib 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ..format import File, Format, NetworkFormat
from ..text_files import Line, brief
from .foreign_graph import Attributes, ForeignGraph, network_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SECTION = re.compile(r"([A-Z_]+) \(")
_NODE = re.compile(r"(\S+) \( (\S+) (\S+) \)")
_LINK = re.compile(r"(\S+) \( (\S+) (\S+) \) (\S+) (\S+) (\S+) (\S+) \(((?: \S+ \S+)*) \)")
_COSTS = ("preinstalled_capacity", "preinstalled_capacity_cost", "routing_cost", "setup_cost")
_TAGS = ("preInstalledModule/capacity", "preInstalledModule/cost", "routingCost", "setupCost")
_START = re.compile(r"\ufeff?\s*\?SNDlib native format|\s*(#.*\n\s*)*(META|NODES)\s*\(")


def sections(file: File, wanted: str) -> Iterator[tuple[str, Line]]:
    """The lines of SNDlib's native text, each with its section, but for paths; words and brackets are one blank apart.
    ``wanted``: the section to name in errors."""
    section, depth = "", 0
    for line in file.lines(comment="#"):
        text = " ".join(line.text.replace("(", " ( ").replace(")", " ) ").split())
        if text.startswith("?"):
            continue
        if not section:
            opened = _SECTION.match(text)
            if opened is None:
                raise line.error(f"{brief(text)}; a section such as {wanted} ( was expected")
            section, depth = "" if text.endswith(" )") else opened[1], 0
        elif section == "ADMISSIBLE_PATHS":  # with a part for every demand
            depth += text.count("(") - text.count(")")
            section = "" if depth < 0 else section
        elif text == ")":
            section = ""
        else:
            yield section, line._replace(text=text)
    if section:
        raise InputError(f"{file.what}: the section {section} does not end; is the file cut off?")


def _read_native(file: File) -> ForeignGraph:
    """Sections ``NODES (`` and ``LINKS (``; others (demands, paths) are passed over."""
    graph = ForeignGraph(file.stem, file.what)
    for section, line in sections(file, "LINKS"):
        if section == "NODES":
            found = _NODE.fullmatch(line.text)
            if found is None:
                raise line.error(f"{brief(line.text)}; name ( longitude latitude ) was expected")
            graph.add_node(found[1], {"Longitude": found[2], "Latitude": found[3]}, line.place)
        elif section == "LINKS":
            found = _LINK.fullmatch(line.text)
            if found is None:
                raise line.error(
                    f"{brief(line.text)}; name ( source target ) capacity, its cost, routing cost, setup cost and "
                    f"( capacity cost ... ) were expected"
                )
            modules = found[8].split()
            attributes = _attributes(found.groups()[3:7], list(zip(modules[::2], modules[1::2], strict=True)))
            graph.add_edge((found[2], found[3]), attributes, line.place, directed=False)
    return graph


def parse_xml(file: File) -> Element:
    """The root of an XML file; raises InputError for what is none, and for one that declares entities."""
    from xml.etree import ElementTree  # entities are refused below

    if "<!DOCTYPE" in file.text or "<!ENTITY" in file.text:
        raise InputError(f"{file.what} declares a document type; plain XML was expected")
    try:
        return ElementTree.fromstring(file.text)  # noqa: S314
    except ElementTree.ParseError as error:
        raise InputError(f"{file.what} is no XML that can be read: {error}") from None


def _read_xml(file: File) -> ForeignGraph:
    root = parse_xml(file)

    def text(item: Element, path: str) -> str | None:
        return item.findtext("/".join(f"{{*}}{x}" for x in path.split("/")))

    graph = ForeignGraph(file.stem, file.what)
    for node in root.iterfind(".//{*}nodes/{*}node"):
        found = {"Longitude": text(node, "coordinates/x"), "Latitude": text(node, "coordinates/y")}
        graph.add_node(node.get("id", ""), {name: x for name, x in found.items() if x is not None})
    for link in root.iterfind(".//{*}links/{*}link"):
        place = f"{file.what}: link {brief(link.get('id', ''))}"
        ends = [(text(link, x) or "").strip() for x in ("source", "target")]
        modules = [
            (text(x, "capacity") or "", text(x, "cost") or "")
            for x in link.iterfind("{*}additionalModules/{*}addModule")
        ]
        attributes = _attributes([text(link, x) for x in _TAGS], modules)
        graph.add_edge(ends, attributes, place, directed=False)
    return graph


def _attributes(costs: Sequence[str | None], modules: Sequence[tuple[str, str]]) -> Attributes:
    found: Attributes = {name: x for name, x in zip(_COSTS, costs, strict=True) if x is not None}
    for k, (capacity, cost) in enumerate(modules, 1):
        suffix = f"_{k}" if len(modules) > 1 else ""
        found |= {f"module_capacity{suffix}": capacity, f"module_cost{suffix}": cost}
    return found


def _is_xml(file: File) -> bool:
    return file.start.lstrip().startswith("<") and re.search(r"<(\w+:)?network\b[^>]*sndlib", file.start) is not None


SNDLIB: NetworkFormat = Format(
    "sndlib",
    "SNDlib",
    sniff=lambda file: _START.match(file.start) is not None and "NODES" in file.start,
    read=lambda file, bandwidth: network_of(_read_native(file), bandwidth=bandwidth),
    options=("bandwidth", "missing"),
)

SNDLIB_XML: NetworkFormat = Format(
    "sndlib-xml",
    "SNDlib XML",
    sniff=_is_xml,
    read=lambda file, bandwidth: network_of(_read_xml(file), bandwidth=bandwidth),
    options=("bandwidth", "missing"),
)
