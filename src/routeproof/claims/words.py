"""A claim's quantity and everything that qualifies it, in words; no qualifier is left out, and none is cut.

Tables, cards and sentences take their words from here.  A name that is not the package's own stands in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim
from ..core.escape import printable, quotation
from ..core.rational import parse_fraction
from ..core.vocabulary import QUANTITIES, name_of_quantity
from ..demand_sets.demand_set import BETWEEN, named_part
from .kinds import sentence_of

NAMES = ("traffic", "routing", "demands", "job", "across", "paths")
"""Qualifiers that may be names of a report's own."""
_BOUNDS = ("optimum", "adversary", "lengths", "adaptive")
"""Kinds of evidence that bound all routings."""
_WORD = re.compile(r"[\w.@-]+", re.ASCII)
_CLEAR = re.compile(r"[\w./~@+-]+(,[a-z]+=[\w./-]+)*", re.ASCII)
_LIMIT = re.compile(r"(\w+) (<=|>=) (\S+)", re.ASCII)
_AT = {"<=": "at most", ">=": "at least", "==": "exactly"}
USUAL: Mapping[str, object] = {"model": "balanced", "paths": "own"}
"""What goes without saying."""
_SAID = {
    ("host_cables", "counted"): "hosts' cables counted",
    ("orders", "all"): "all orders of the ranks",
    ("flow_control", "bubble"): "bubble flow control",
    ("alignment", "any"): "whatever phases of others it meets",
    ("pairs", "those that lose no packets"): "of the pairs that lose no packets",
}
"""Qualifiers with words of their own."""
_ALONE = ("model", "operation")
"""Qualifiers whose values need no name before them."""


def names_file(demands: str) -> bool:
    """Does the text of a set of demands name files, or anything else that is no word of ours?"""
    for part in demands.split(BETWEEN):
        entry, rest = named_part(part)
        if entry is None or not entry.is_own(rest):
            return True
    return False


def in_quotes(name: object, quoted: Collection[str]) -> str:
    """``name``, in quotation marks where it is one of those that a report gives."""
    text = str(name)
    return quotation(text) if text in quoted else printable(text)


def set_text(demands: object, quoted: Collection[str] = ()) -> str:
    """The text of a set of demands, in quotation marks where a report gives it, or where it could be misread."""
    text = str(demands)
    return quotation(text) if text in quoted or not all(map(_is_clear, text.split(BETWEEN))) else text


def _is_clear(part: str) -> bool:
    entry, rest = named_part(part)
    if entry is None:
        return False
    return entry.is_own(rest) or (entry.names_files and rest is not None and bool(_CLEAR.fullmatch(rest)))


def name_text(name: object, quoted: Collection[str] = ()) -> str:
    """A job's name, in quotation marks where a report gives it, or where it is more than one plain word."""
    text = str(name)
    return quotation(text) if text in quoted or not _WORD.fullmatch(text) else text


def among(claim: Claim, quoted: Collection[str] = (), *, minimal: Fraction | None = None) -> str:
    """Which routings a bound means: `` whose average path length is at most 6/5 hops``; empty where it means all.

    What the evidence assumes counts, said or not.  ``minimal``: the average length of shortest paths, if it is known.
    """
    limits = limits_of(claim)
    text = "".join(f" with paths {in_quotes(x, quoted)}" for x in limits.get("paths", ()))
    for quantity, relation, most in limits.get("within", ()):
        text += f" whose {name_of_quantity(quantity)}"
        if quantity == "worst_case_load" and "demands" in claim.about:
            text += f" over {set_text(claim.about['demands'], quoted)}"
        text += f" is {_AT[relation]} {printable(most)}"
        if quantity == "average_path_length":
            share = "" if not minimal else f" ({parse_fraction(most, what='a limit') / minimal} times minimal)"
            text += f" hops{share}"
    return text


def limits_of(claim: Claim) -> dict[str, list[Any]]:
    """``paths``: the sets of paths, ``within``: (quantity, relation, limit), to which the routings that are meant keep,
    by the claim's qualifiers and by the evidence of its bound."""
    found: dict[str, list[Any]] = {}
    data = claim.evidence.data
    for part in (data, data.get("adversary")):
        if isinstance(part, Mapping) and claim.evidence.kind in _BOUNDS:
            if isinstance(part.get("within"), Mapping):
                relation = {"throughput": ">="}
                found["within"] = [(k, relation.get(k, "<="), str(x)) for k, x in part["within"].items()]
            if isinstance(part.get("paths"), str):
                found["paths"] = [part["paths"]]
    said = _LIMIT.fullmatch(str(claim.about.get("within", "")))
    if said is not None:
        found["within"] = [said.groups()]
    if "paths" in claim.about and claim.about["paths"] != USUAL["paths"]:
        found["paths"] = [str(claim.about["paths"])]
    return found


def quantity_text(claim: Claim, quoted: Collection[str] = ()) -> str:
    """``worst-case throughput over sparse:2, job 'a'``: the quantity, and what it is about, all of it, for a table."""
    if claim.quantity == "worst_case_load" and claim.about == {"demands": "routable"}:
        return "oblivious ratio"
    return printable(f"{name_of_quantity(claim.quantity)}{qualifiers_text(claim.about, quoted)}")


def qualifiers_text(about: Mapping[str, Any], quoted: Collection[str] = (), without: Collection[str] = ()) -> str:
    """All qualifiers but those that go without saying and those that are said elsewhere, ``without``."""
    rest = {k: in_quotes(x, quoted if k in NAMES else ()) for k, x in about.items() if k not in without}
    rest = {k: x for k, x in rest.items() if x != USUAL.get(k)}
    words = ""
    if "traffic" in rest:
        traffic = rest.pop("traffic")
        words = f" under {traffic} traffic" if traffic == "uniform" else f" under {traffic}"
    limit = _LIMIT.fullmatch(str(about.get("within", ""))) if "within" in rest else None
    of_set = ""
    if "demands" in rest:
        if limit is not None and limit[1] == "worst_case_load":
            of_set = f" over {rest.pop('demands')}"  # the worst case that limits is over the set
        else:
            words += f" over {rest.pop('demands')}"
    if rest.get("flows") == "whole":
        words += f", {rest.pop('flows')} flows"
    for key, value in rest.items():
        if key == "within" and limit is not None:
            quantity, relation, most = limit.groups()
            words += f", within {name_of_quantity(quantity)}{of_set} {relation} {most}"
        else:
            named = value if key in _ALONE else f"{key.replace('_', ' ')} {value}"
            words += f", {_SAID.get((key, value)) or named}"
    return words


def evidence_sentence(kind: str, claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """Why evidence of this kind proves a number, with the routings that the bounds of these claims are about."""
    text = sentence_of(kind)
    if kind not in _BOUNDS:
        return text
    some = dict.fromkeys(among(x, quoted) for x in claims if x.evidence.kind == kind)
    which = " or ".join(x.strip() for x in some if x)
    if not which:
        return text
    those = "some bounds hold of all, others of those" if "" in some else "those"
    return f"{text} The routings that are meant: {those} {which}."


def verdict_text(claim: Claim) -> str:
    """``yes`` or ``no``, in the words of the quantity; "" for what is no question."""
    entry = QUANTITIES.get(claim.quantity)
    yes, no = ("yes", "no") if entry is None else entry.verdicts
    return {"true": yes, "false": no}.get(str(claim.value), "")
