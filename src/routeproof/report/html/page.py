"""A report as one page: a single file that opens from disk, asks the network for nothing, and can be explored.

Without JavaScript all numbers are still there.  Text from files is escaped wherever it stands: control characters as in
``core.escape.printable``, markup as HTML, and ``<`` inside the embedded JSON as ``\\u003c``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...core.claim import Claim
from ...core.network import Network
from ...formats.documents.report import claims_to_document
from ...routing.base.routing import Routing
from .tables import cards_html, channel_table, claims_html, part_html, table_html, text_html, with_arrows

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from ..figures.style import Theme

    Drawing = Callable[[Theme], Figure]

_SCRIPTS = (
    "data", "tables", "names", "spectrum", "shapes", "bundles", "map", "flow", "explorer", "chart",
    "schedule", "film", "cells", "proof_checker", "check_here", "start",
)  # fmt: skip
_MOST_REPORT = 24_000_000  # characters of the report that a page carries for download
_MOST_STATIC = 200  # channels in the table for readers without JavaScript
_SAVING = (
    '<p id="downloads"></p><noscript><p>Saving needs JavaScript; <code>--json FILE</code> writes the same report.'
    "</p></noscript>"
)
_GRADES = (
    "<p>PROVED: witness and proof, checked in exact arithmetic. EXHAUSTED: an enumeration that can be run again. "
    "SAMPLED: an interval from random trials, no proof. Save the JSON below, then check every claim again with "
    "<code>routeproof verify report.json</code>, which uses no solver.</p>"
)


@dataclass(frozen=True, eq=False)
class Page:
    """The page of a report; see ``view.view_of`` for what it lets people explore.

    ``routing``, ``network``: those of the subject, where they are at hand; they may know more names than a report.
    ``parts``: what the terminal shows; ``document``: what can be saved, where that is not the report of ``claims``;
    ``quoted``: names that stand in quotation marks; ``proof``: the report written out in full (docs/proof-format.md),
    as text for the reader's browser to check, and, where there is none, why; ``figure``: what ``--plot`` draws of the
    result; ``found``: how it was found, drawn below; ``summary``: the sentence on top, where it is another; ``table``:
    heads, rows and words, in place of cards; ``typed``: what the user calls a named routing.
    """

    subject: Mapping[str, Any]
    claims: Sequence[Claim]
    title: str = ""
    parts: Sequence[RenderableType] = ()
    routing: Routing | None = None
    network: Network | None = None
    document: Mapping[str, Any] | None = None
    quoted: Collection[str] = ()
    proof: tuple[str, str] = ("", "")
    figure: Drawing | None = None
    found: Drawing | None = None
    summary: str = ""
    table: tuple[Sequence[str], Sequence[Sequence[str]], Sequence[str]] | None = None
    typed: str = ""


def _title(subject: Mapping[str, Any], typed: str = "") -> str:
    """In full: what the page is about, with the paths of files."""
    routing, topology = subject.get("routing"), subject.get("topology")
    if typed and isinstance(routing, Mapping) and set(routing) == {"spec"}:
        routing = {"spec": typed}
    if subject.get("kind") == "schedule" and isinstance(subject.get("document"), str):
        return f"{subject['document']} on {topology}" if isinstance(topology, str) else str(subject["document"])
    if subject.get("kind") in ("collective", "jobs") and isinstance(topology, str):
        used = f"{routing.get('spec', 'routing')} on " if isinstance(routing, Mapping) else ""
        return f"{'Jobs at once' if subject['kind'] == 'jobs' else 'Collective'}: {used}{topology}"
    if isinstance(routing, Mapping) and isinstance(topology, str):
        if subject.get("kind") == "adaptive":
            return f"Ideal adaptive routing on {topology}"
        if isinstance(subject.get("design"), Mapping):
            return f"Routing designed for {topology}"
        if subject.get("kind") == "tradeoff":
            return f"Path length against throughput on {topology}"
        after = " after failures" if subject.get("kind") == "failures" else ""
        return f"{routing.get('spec', routing.get('adaptive', 'routing'))} on {topology}{after}"
    if isinstance(subject.get("routings"), Mapping):
        return f"{', '.join(subject['routings'])} on {topology}"
    size = subject.get("graph", subject)
    if subject.get("kind") == "destination-graph" and isinstance(size, Mapping) and "radix" in size:
        radix = "binary" if size["radix"] == 2 else f"{size['radix']}-nary"
        return f"Schedules on the {radix} {size.get('dimensions')}-cube"
    for key in ("topology", "document", "verified", "kind"):
        if isinstance(subject.get(key), str):
            return str(subject[key])
    return "routeproof"


def page_html(page: Page) -> str:
    """The whole file as text."""
    from .choices import choices_html
    from .headline import headline
    from .view import network_of, view_of

    subject, claims, quoted = page.subject, page.claims, page.quoted
    network = network_of(subject, page.network if page.routing is None else page.routing.network)
    explored, why = view_of(subject, claims, routing=page.routing, network=network, quoted=quoted)
    document = claims_to_document(subject, claims) if claims and page.document is None else page.document
    summary = page.summary or headline(subject, claims, network, explored, quoted)
    title = page.title or _title(subject, page.typed)
    made = f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'} by"
    in_full = f"{page.typed} is {subject['routing']['spec']}; " if title != _title(subject) and not page.title else ""
    subtitle = f"{in_full}{made if claims else 'Made by'} routeproof {__version__}"
    script, style = _script(), _asset("page.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; worker-src blob:; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    shown = "".join(part_html(part) for part in page.parts if str(part) != title)  # not twice
    view = ""
    if explored is not None:  # the busiest channels as a table; JavaScript puts the explorer in its place
        static = channel_table(explored, _MOST_STATIC) if explored.get("kind") == "network" else ""
        view = f'<section id="view" aria-label="explorer">{static}</section>'
        if page.figure is not None:
            view = _fold("network-title", "Which link?", "The network, channel by channel.", view)
    chosen = choices_html(subject, claims, network, explored, quoted)
    table = f"{_GRADES}{claims_html(claims, quoted, network)}" if claims else ""
    parts = shown if not shown or claims else f'<section aria-label="what was computed">{shown}</section>'
    drawn, curves = _figure_html(page.figure or page.found, title)
    folds = [
        ("found-title", "How was it found?", "The best so far, and its bound.", "" if page.figure else drawn),
        ("claims-title", "Why believe it?", "Every claim, its exact value, and how it is verified.", table),
        ("check-title", "Check it here", "The proof, and a checker that runs in this page.", _check_html(page.proof)),
        ("printed", "In numbers", "What the terminal shows.", parts if claims else ""),
        ("save-title", "Save", "The report, for others to verify.", "" if document is None else _SAVING),
    ]
    kind = "" if explored is None else explored["kind"]
    below = "".join(_fold(*x) for x in folds if x[-1])
    alone = kind == "network" and page.figure is None
    to = [("view", "Which link?"), ("info", "Which traffic?")][: 2 if claims else 1] if alone else []
    if explored is not None and (kind in ("cells", "schedule") or "steps" in explored["routings"][0]):
        to = [("view", "Step by step")]
    to += [("network-title", "Which link?")] if kind == "network" and page.figure is not None else []
    if chosen:
        to.append(("choices-title", "What if it fails?" if subject.get("kind") == "failures" else "Which routing?"))
    if shown and any("job" in x.about for x in claims):
        to.append(("printed", "Which jobs?"))
    to += [(at, title) for at, title, _, body in folds[:3] if body]
    contents = "".join(f'<a href="#{at}">{words}</a>' for at, words in to)
    first, *rest = re.split(r"(?<=[^. ]\.) (?=[A-Z])", summary, maxsplit=1)
    more = "".join(f' <span class="quiet">{text_html(x)}</span>' for x in rest)
    said = f'<p class="headline">{text_html(first)}{more}</p>' if summary else ""
    note = f"<p>{text_html(why)}</p>" if why else ""
    report = _ascii(document)
    report = report if len(report) <= _MOST_REPORT else ""
    cards = "" if chosen or (page.figure is not None and summary) else cards_html(claims, quoted)
    if page.table is not None:
        heads, rows, words = page.table
        columns = table_html(heads, rows, right=range(1, len(heads)))
        told = "".join(f'<p class="quiet">{text_html(x)}</p>' for x in words)
        cards = f'<section aria-label="side by side">{columns}{told}</section>'
    below = f"{chosen}{cards if page.table is not None else ''}\n{below}"  # the picture comes first
    top = (drawn if page.figure else "") + (cards if page.table is None else "")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{text_html(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#claims-title">Skip to the claims</a>\n'
        f'<header><h1 title="{text_html(title)}">{text_html(without_folders(title))}</h1>'
        f"<p>{text_html(subtitle)}{_to_proof(page)}</p></header>\n<main>\n"
        '<noscript><p class="notice">Without JavaScript this page has numbers and still pictures.</p></noscript>\n'
        f'{said}<nav class="contents" aria-label="contents">{contents}</nav>\n'
        f"{top}{note}{'' if claims else parts}{view}\n{below}\n"
        "</main>\n"
        f"<footer><p>Written by routeproof {escape(__version__)}. This file asks the network for nothing.</p></footer>"
        f"\n{_embedded('report', report)}{curves}{_embedded('data', with_arrows(_ascii(explored)))}"
        f"{_embedded('proof', page.proof[0])}"
        f"<script>{script}</script>\n</body>\n"
        "</html>\n"
    )


def _figure_html(figure: Drawing | None, title: str) -> tuple[str, str]:
    """The picture, and the numbers of its curves, which the page draws in its place."""
    if figure is None:
        return "", ""
    from ..figures.chart import chart_of
    from ..figures.style import figure_bytes, theme_named

    light, dark = (
        "data:image/svg+xml;base64," + base64.b64encode(figure_bytes(figure, ".svg", theme=theme_named(x))).decode()
        for x in ("light", "dark")
    )
    said = f"figure: {title}"
    picture = (
        f'<figure class="drawn"><picture><source srcset="{dark}" media="(prefers-color-scheme: dark)">'
        f'<img src="{light}" alt="{text_html(said, limit=140)}"></picture></figure>'
    )
    chart = chart_of(figure)
    if chart is None:
        return picture, ""
    still = f"<noscript>{picture}</noscript>"
    place = f'<section class="chart" id="chart" aria-label="{text_html(title)}">{still}</section>'
    return place, _embedded("curves", with_arrows(_ascii(chart)))


def _to_proof(page: Page) -> str:
    """Where the certificate is: the checker that runs in the page, or how each claim is verified."""
    if page.proof[0]:
        return '; <a href="#check-title">check them</a>'
    return '; <a href="#claims-title">how verified</a>' if page.claims else ""


def _check_html(proof: tuple[str, str]) -> str:
    text, why = proof
    if not text and not why:
        return ""
    if not text:
        said = f"This page carries no proof to be checked in your browser: {text_html(why)}."
        body = f"<p>{said} <code>routeproof verify report.json --elaborate proof.json</code> may write one.</p>"
    else:
        body = (
            "<p>This page carries its claims as a proof in which everything is written out, and a checker that adds "
            "and compares whole numbers: nothing is sent anywhere, no solver and no other code of routeproof is "
            "used.</p>"
            '<p class="notice"><strong>The button runs the checker that this page carries. Whoever can forge the page '
            "can forge its checker.</strong> If you do not trust the sender, save the proof, and check the file with a "
            "checker that you have from elsewhere: <code>checkers/page/check_proof.html</code> (in a browser) or "
            "<code>checkers/python/check_proof.py</code> of routeproof, or one of your own.</p>"
            f"<p>SHA-256 of the proof: <code>{hashlib.sha256(text.encode()).hexdigest()}</code></p>"
            "<noscript><p>Checking it here needs JavaScript.</p></noscript>"
        )
    return f'<div id="check-section">{body}</div>'


def _fold(name: str, title: str, words: str, body: str) -> str:
    """A section that opens on a click, on a link to it, and for print."""
    head = f'<summary><h2 id="{name}">{title}</h2> <span class="quiet">{words}</span></summary>'
    return f'<details class="fold">{head}{body}</details>\n'


def without_folders(title: str) -> str:
    """``routes of a/b/fabric on a/b/fabric`` as people say it: files without their folders, and named once."""
    short = " ".join(x.rstrip("/").rpartition("/")[2] or x if x.count("/") > 1 else x for x in title.split(" "))
    return re.sub(r" of (\S+) on \1(?!\S)", r" of \1", short)


def _embedded(name: str, text: str) -> str:
    """JSON in which no HTML parser finds markup."""
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return f'<script type="application/json" id="{name}">{text}</script>\n' if text else ""


def _ascii(data: Mapping[str, Any] | None) -> str:
    return "" if data is None else json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


@cache
def _asset(name: str) -> str:
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    body = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f"(function () {{\n'use strict';\n{body}\n}})();\n"
