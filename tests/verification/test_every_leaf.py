"""Every word and number of a report is checked: each is changed, and the report must be refused.

Reports are made by the command, so that they hold every kind of subject and of evidence.  A change is let through only
where it says nothing false: in a quotation (``QUOTED``), in what merely supports a claim (other potentials, another
witness, another order that proves as well), or where the statement becomes weaker.

All changes of all leaves are made, some 19,000 in two minutes of a processor; what they share is made once.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from commanded_reports import COMMANDS, made, refusal
from remembered import subjects_remembered
from routeproof.claims.kinds import KINDS, QUOTED
from routeproof.claims.shapes import Either, Keys
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import RESERVED
from routeproof.verification.report import SUBJECTS
from true_reports import Document, sealed

Path_ = tuple[str | int, ...]
SUPPORT = {
    "worst-case": {"bounds", "exact", "witness", "symmetry"},
    "worst-case-channel": {"values", "row", "column", "permutation", "traffic", "scale"}
    | {f"{x}_{y}" for x in ("row", "column") for y in ("after", "start")},
    "matrices": {"channel", "matrix"},
    "sparse-curve": {"channel", "traffic", "lines", "symmetry"},
    "shared-channel": {"channel", "jobs", "pairs"},
    "box": {"channel", "traffic", "multipliers"},
    "routable": {"channel", "flow", "lengths", "focus", "proof", "symmetry"},
    "worst-case-channels": {"shift", "quantum", "count", "row", "column", "amount", "scale"},
    "same-class": {"focus"},
    "capacity": {"lengths", "flows", "routing"},
    "traffic-loads": {"channel"},
    "reached": {"worst-case", "box", "matrices", "routable", "reached", "routing"},
    "adaptive": {"demand", "matrix", "lengths", "flow", "flows", "symmetry", "upper"},
    "adversary": {"hops", "pairs", "flows", "weights", "symmetry", "lengths", "potentials"},
    "optimum": {"reached", "adversary", "routing"},
    "lengths": {"hops", "lengths"},
    "random-traffic": {"routing"},
    "packing": {"inside", "trees", "symmetry"},
    "all-reduce": {"parts", "trees", "symmetry"},
    "gossip": {"parts"},
    "channel-order": {"number"},
    "channel-cycle": {"cycle", "packets"},
    "virtual-channels": {"number", "channels", "order", "layer"},
    "lane-order": {"number"},
    "ring-order": {"number"},
    "escape-order": {"lane", "number"},
    "failure": {"bounds", "exact", "witness", "worst_case", "matrices", "box"},
    "every-failure": {"symmetry"},
    "destination-graph": {"meeting", "permutation"},
    "splitter-enumeration": {"subset"},
    "splitter-subset": {"subset"},
    "splitter-subsets": {"subset"},
    "splitter-spectrum": {"eigenvalue", "power"},
    "call-sequence": {"events"},
    "call-witness": {"events", "input", "output"},
    "call-refutation": {"lemmas", "literals"},
    "call-paths": {"paths"},
    "call-cut": {"inputs", "cut"},
    "refutation": {"lemmas"},
    "schedule-time": {"channel"},
    "step-order": {"number"},
    "step-cycle": {"cycle"},
    "fifo-order": {"number", "cycle"},
    "steps-ordered": {"number"},
    "step-race": {"steps", "chunk", "in_place"},
    "steps-run": {"number"},
    "steps-run-wrong": {"number", "in_place", "rank", "chunk"},
}
"""By kind of evidence: what supports the claim and is not said of its subject.  Another one may support it as well."""
ALSO_TRUE = {
    ("channel-order", "paths"): "every path of the routing is among those that its loads allow, or the other way round",
    ("channel-cycle", "paths"): "as above",
    ("ring-order", "paths"): "as above",
    ("hashed-flows", "at_least"): "another load may be reached as surely, or within the same bounds",
    ("split", "level"): "a split may be within chance at two levels, and a tolerance hold at both",
    ("sparse-curve", "packets"): "where the curve is flat, more packets do as much",
    ("cube-run", "many_one"): "a permutation is also a request in which many packets may have one destination",
    ("splitter-enumeration", "level"): "levels may be alike",
    ("splitter-subsets", "level"): "levels may be alike",
    ("splitter-spectrum", "subset_size"): "a bound that holds of other sizes, too",
    ("splitter-subset", "subset_size"): "as above",
}
_TURNED = (
    "[[3, 2], [2, 3], [3, 1], [1, 3], [2, 1], [1, 2], [3, 0], [0, 3], [2, 0], [0, 2], [1, 0], [0, 1], [3, 2], [3, 0], "
    "[2, 1], [2, 3], [1, 0], [1, 2], [0, 3], [0, 1]]"
)
OF_ANOTHER = {
    ("terminals", "subject.network.num_nodes", "4"): "a node without terminals is added",
    ("terminals", "subject.network.channels.1", "[2, 1]"): "a channel that no packet uses is reversed",
    ("terminals", "subject.network.channels.1", "[1, 2, 1]"): "its bandwidth is said, which is 1 where it is not",
    ("terminals", "subject.network.channels.1.0", "0"): "a channel that no packet uses begins elsewhere",
    ("terminals", "subject.network.channels.2", "[0, 2]"): "a channel that no packet uses is reversed",
    ("terminals", "subject.network.channels.2", "[2, 0, 2]"): "a channel that no packet uses is wider",
    ("terminals", "subject.network.channels.2.1", "1"): "a channel that no packet uses ends elsewhere",
    ("terminals", "subject.network.channels.3", "[1, 0, 1]"): "its bandwidth is said, which is 1 where it is not",
    ("cabling", "subject.days.as it is.network.channels.1", "[1, 3, 1]"): "its bandwidth is said, as above",
    ("mended", "subject.days.as it is.network.channels.1", "[1, 3, 1]"): "as above",
    ("mended", "subject.days.as it is, with deviation 1 mended.network.channels.1", "[1, 3, 1]"): "as above",
    ("mended", "subject.days.as it is, with deviation 1 mended.network.channels.7", "[1, 0, 1]"): "as above",
    ("added", "subject.intent.num_nodes", "5"): "a node without cables is added to what is possible",
    ("added", "subject.intent.channels", _TURNED): "the same cables in another order, each the other way round",
    ("added", "subject.days.as it is, with deviation 1 mended.network.channels.9", "[1, 0, 1]"): "as above",
    ("cabling", "subject.days.intended, with deviation 1 alone.network.channels.3", "[1, 0, 1]"): "as above",
    ("routes", "subject.network.channels.3", "[2, 0, 2]"): "a channel that is not the worst one is wider",
    ("no graph", "subject.radix", "5"): "the counting bound also holds at radix 5",
    ("schedule on ranks", "subject.ranks", "[2, 0]"): "a ring looks alike from both",
    ("all orders", "subject.ranks", "[3, 2, 1, 0]"): "a ring may go round either way",
    ("trials", "subject.epsilon", '"251/1000"'): "another epsilon gives the same runs",
    ("spectrum", "claims.1.level", "1"): "an input of any level has a neighbour",
}
"""Changes by which a report makes a true statement about something else: report, leaf, value."""
DONE_AGAIN = {
    "packet-run", "circuit-run", "pipelined-circuit-run", "fault-propagation", "call-run", "call-together",
    "trial-runs", "cube-run", "cube-trials", "load-run", "drawn-failures", "random-traffic",
    "hashed-draws",
}  # fmt: skip
"""Runs that are done again with the settings that their evidence, or the seed of their value, names.  With another
setting the same numbers may come out, and then they are true of it; of every setting some change must be refused."""


@pytest.fixture(scope="module")
def report() -> Callable[[str], Document]:
    """The report that a command of ``COMMANDS`` writes."""
    return made


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every leaf, and every list; of long lists some entries."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key != "digest":
                yield from leaves(item, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        places = range(len(value)) if len(value) < 5 else (0, 1, len(value) // 2, len(value) - 1)
        for k in places:
            yield from leaves(value[k], (*path, k))


def others(value: Any) -> list[Any]:
    """Values that say something else."""
    if isinstance(value, bool):
        return [not value, 1]
    if isinstance(value, int):
        return [value + 1, value - 1, [value]]
    if isinstance(value, float):
        return [value + 0.01, value / 2 - 1]
    if value is None:
        return [0, "x"]
    if isinstance(value, list):
        return [x for x in ([], value[:-1], value[::-1], value + value[:1], {}) if x != value]
    if value[:3] in ("i1:", "i2:", "i4:", "i8:"):
        numbers = unpack_ints(value, what="it", max_items=1 << 22)
        found = []
        for k in sorted({0, len(numbers) // 2, len(numbers) - 1} if len(numbers) else set()):
            for step in (1, -1):
                other = numbers.copy()
                other[k] += step
                found.append(pack_ints(other))
        return [*found, pack_ints(numbers[:-1]), pack_ints(np.append(numbers, 0)), value[:-2]]
    try:
        number = Fraction(value)
    except ValueError:
        words = ["tornado", "worst", "dor", "torus:9x9", "true", "false", "of-loads", f"{value} x", value.upper(), ""]
        return [x for x in words if x != value]
    return [str(x) for x in (number + 1, number / 2, number + Fraction(1, 1000), -number) if x != number]


def is_setting(document: Document, path: Path_) -> bool:
    """Is it a setting of a run that is done again, or a rate of the hose model?"""
    if path[0] != "claims":
        return False
    kind, words = document["claims"][path[1]]["evidence"]["kind"], [x for x in path if isinstance(x, str)]
    if kind == "worst-case":
        return words[1:3] == ["evidence", "model"] and words[3:4] in (["ingress"], ["egress"])
    return kind in DONE_AGAIN and (words[1] == "evidence" or words[1:] in (["value", "seed"], ["value", "trials"]))


def is_harmless(document: Document, path: Path_, other: Any) -> bool:
    """May the change be verified?"""
    words = [x for x in path if isinstance(x, str)]
    if path[0] == "environment":
        return True
    if path[0] == "subject":
        quoted = words[1] in ("topology", "document", "verified", "design", "tradeoff", "content", "permutation")
        named = words[-1] in ("spec", "name", "labels", "terminal_labels", "comment", "version")
        named |= words[1] == "days" and words[-1] == "topology"
        given = words[1] in (
            "routing",
            "routings",
            "graph",
            "wiring",
            "splitter",
            "potentials",
            "service_levels",
            "schedule",
        )
        given |= words[1] == "demands" and words[-1] != "text"
        return quoted or named or given
    claim = document["claims"][path[1]]
    kind = claim["evidence"]["kind"]
    if words[1] == "source" and other == "":
        return True
    if words[1] == "evidence":
        key = words[2] if len(words) > 2 else ""
        return key in SUPPORT.get(kind, ()) or (kind, key) in ALSO_TRUE or key in ("traffic", "witness")
    if (kind, words[1]) in ALSO_TRUE:
        return True
    if words[1] == "value" and claim["relation"] != "==" and isinstance(other, str):
        before, after = Fraction(claim["value"]), Fraction(other)
        return after > before if claim["relation"] == "<=" else after < before
    return False


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_is_changed_is_refused(name: str, report: Callable[[str], Document]) -> None:
    document = report(name)
    with subjects_remembered():
        _check_every_change(name, document)


def _check_every_change(name: str, document: Document) -> None:
    assert refusal(document) is None
    every = [(where, value, x) for where, value in leaves(document) if len(where) > 1 for x in others(value)]
    refused: dict[str, int] = {}
    for where, value, other in every:
        changed = copy.deepcopy(document)
        place: Any = changed
        for key in where[:-1]:
            place = place[key]
        place[where[-1]] = other
        why = refusal(sealed(changed))
        if is_setting(document, where):
            setting = str([x for x in where if isinstance(x, str)])
            refused[setting] = refused.get(setting, 0) + (why is not None)
        else:
            another = (name, ".".join(map(str, where)), json.dumps(other)) in OF_ANOTHER
            assert why is not None or another or is_harmless(document, where, other), (where, value, other)
    assert all(refused.values()), refused


def test_a_key_that_nobody_knows_is_refused_wherever_it_stands(report: Callable[[str], Document]) -> None:
    for name in ("worst case", "hose", "design", "failures", "calls", "sweep", "graph document", "network document"):
        document = report(name)
        places: list[Path_] = [("subject",), ("claims", 0), ("claims", 0, "evidence")]
        for place in places:
            changed = copy.deepcopy(document)
            target: Any = changed
            for key in place:
                target = target[key]
            target["certainly"] = "true"
            assert refusal(sealed(changed)) is not None, (name, place)


def test_every_kind_of_evidence_and_of_subject_is_made_here(report: Callable[[str], Document]) -> None:
    """The commands above make all of them, but for those named here, which have tests of their own."""
    every = [report(name) for name in COMMANDS]
    found = {x["evidence"]["kind"] for document in every for x in document["claims"]}
    subjects = {document["subject"]["kind"] for document in every}
    elsewhere = {
        "call-cut", "call-refutation", "call-witness", "collective-bandwidth", "gossip", "installed-rule",
        "lane-cycle", "layers-refutation", "parts", "trees-both-ways",
        "lane-order", "refutation", "routable-class", "two-phases", "weighted-cuts",
        "worst-case-among", "worst-case-channels",
        "job-phases", "beside-others", "others-load", "aligned-phases",  # claims/collectives/test_verify_jobs.py
    }  # fmt: skip
    assert {x.name for x in KINDS.own.values() if x.subjects} - found == elsewhere
    assert set(SUBJECTS.own) - subjects == {"next-hop", "wiring", "permutation", "difference", "candidates", "jobs"}


def test_the_list_of_quotations_is_short() -> None:
    assert len(QUOTED) < 20
    assert all(len(reason) > 20 for reason in QUOTED.values())


def test_qualifiers_are_never_reserved_words() -> None:
    for kind in KINDS.own.values():
        for form in kind.states.values() if kind.subjects else ():  # what no report of a subject may state is quoted
            forms = [form.about.one, form.about.other] if isinstance(form.about, Either) else [form.about]
            for keys in forms:
                assert isinstance(keys, Keys)
                assert not ({*keys.needed, *keys.optional} & set(RESERVED))
