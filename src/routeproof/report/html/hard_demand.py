"""The picture of ideal adaptive routing: the demand that proves its lower end, and the lengths of channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...core.claim import Claim
from ...core.escape import printable, quotation
from ...core.network import Network
from ...core.numerals import fraction_text
from ...core.rational import parse_fraction
from ...formats.documents.packed_ints import unpack_ints
from ..terminal.parts import pair_text
from .scenes import Pattern, Scene, Story, StoryRow

_MOST_ROWS = 200
_PAIRS_TOLD = 20


def with_hard_demands(scenes: Sequence[Scene], claims: Sequence[Claim]) -> list[Scene]:
    """The scenes, with the hard demands of the claims in front."""
    own = [x for x in claims if x.evidence.kind == "adaptive" and "demand" in x.evidence.data]
    return [replace(x, patterns=[*(_pattern(y, x.routing.network) for y in own), *x.patterns]) for x in scenes]


def _pattern(claim: Claim, network: Network) -> Pattern:
    """Drawn over the network are the channels that are long, where those are not most of all."""
    data = claim.evidence.data
    pairs = [(int(i), int(j), parse_fraction(x, what="a rate")) for i, j, x in data["demand"]]
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels)
    order = np.argsort(-length, kind="stable")[:_MOST_ROWS].tolist()
    rows = [
        StoryRow((printable(network.channel_label(c)), f"{int(length[c]):,}"), channel=c) for c in order if length[c]
    ]
    long = next(
        (x for x in (np.flatnonzero(length), np.flatnonzero(length == length.max())) if 2 * len(x) <= len(length)),
        np.zeros(0, dtype=np.int64),
    )
    kind = f" with paths {_paths(str(claim.about['paths']))}" if "paths" in claim.about else ""
    story = Story(
        f"A demand that is hard for every routing{kind}",
        "Every flow of this demand pays at least its shortest distances under these lengths, and so much cannot be "
        "spread thinner over the bandwidths. The loads shown are those of the oblivious routing. "
        + _pairs_text(network, pairs),
        ("channel", "length"),
        tuple(rows),
        tuple(long.tolist()),
    )
    about = f"the demand that no routing{kind}, however adaptive, carries with less"
    return Pattern("hard demand", about, pairs, story=story)


def _paths(name: str) -> str:
    """Those of somebody's own routing in quotation marks."""
    return quotation(name) if name.startswith("of ") else printable(name)


def _pairs_text(network: Network, pairs: Sequence[tuple[int, int, Fraction]]) -> str:
    """Who sends to whom: ``The demand: a => b, b => c (2), and 3 pairs more.``"""
    some = [
        f"{pair_text(network, i, j)}{'' if x == 1 else f' ({fraction_text(x)})'}" for i, j, x in pairs[:_PAIRS_TOLD]
    ]
    rest = len(pairs) - len(some)
    more = f", and {rest:,} {'pair' if rest == 1 else 'pairs'} more" if rest else ""
    return f"The demand: {', '.join(some)}{more}."
