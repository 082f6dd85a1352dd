"""Forgeries that one check alone is there for: each is refused for the reason that names it.

The true reports are those of ``test_every_leaf``.  Where a check is taken out, its forgery here is refused for another
reason, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_every_leaf import refusal, report  # noqa: F401  # a fixture

from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from true_reports import Document, sealed

Change = Callable[[Document], Any]


def at(**values: Any) -> Change:
    """Other values: ``c8_value`` of claim 8, ``c0_evidence__ratio`` in the evidence of claim 0, ``s_design`` of the
    subject."""

    def change(document: Document) -> None:
        for path, value in values.items():
            place, key = _place(document, path)
            place[key] = value

    return change


def without(path: str) -> Change:
    def change(document: Document) -> None:
        place, key = _place(document, path)
        del place[key]

    return change


def _place(document: Document, path: str) -> tuple[Any, Any]:
    part, _, rest = path.partition("_")
    if not rest:
        return document["claims"], int(part[1:])
    place: Any = document["subject"] if part == "s" else document["claims"][int(part[1:])]
    *inner, key = (int(x) if x.isdigit() else x for x in rest.split("__"))
    for x in inner:
        place = place[x]
    return place, key


def once_more(number: int, **other: Any) -> Change:
    """A claim a second time, with other values."""
    return lambda document: document["claims"].append({**document["claims"][number], **other})


def among_events(change: Callable[[list[Any]], Any]) -> Change:
    return lambda document: change(document["claims"][11]["evidence"]["events"])


def packed(*numbers: int) -> str:
    return pack_ints(np.array(numbers))


def thinned(document: Document) -> None:
    """A larger capacity: weaker lengths allow it, and flows of 12/13 of a unit reach it."""
    claim = document["claims"][3]
    claim["value"], claim["evidence"]["lengths"] = "3/2", {"kind": "all"}
    flow = unpack_ints(claim["evidence"]["flows"]["flow"], what="flow", max_items=72)
    claim["evidence"]["flows"] = {"scale": "13", "flow": pack_ints(4 * flow)}  # the scale was 3


def one_potential_more(document: Document) -> None:
    group = document["claims"][0]["evidence"]["bounds"][0]
    group["quantum"] = packed(*unpack_ints(group["quantum"], what="quantum", max_items=99), 0)


FINE = f"1/{3**2700}"
TWICE = at(
    c0_value="2", c0_evidence__ratio="2", c0_evidence__witness__traffic=[[0, 1, "2"]], c1_value="1/2"
)  # fmt: skip
OF_CAPACITY = at(
    c1_quantity="worst_case_throughput_of_capacity", c1_unit="of capacity", c1_value="1/3",
    c1_evidence__from=["worst_case_throughput", "capacity"],
)  # fmt: skip
FORGERIES: list[tuple[str, Change, str]] = [
    # Worst cases.
    ("every channel", at(c4_value="1"), "channel 0, which is alike, has another value"),
    ("every channel", without("c3"), "no claim with evidence for channel 0, which it refers to"),
    ("every channel", once_more(10, value="1"), "claims[10] states another value for the same quantity"),
    ("hose", TWICE, "the witness's traffic sends or receives too much at terminal 0"),
    ("hose", at(c0_evidence__witness__traffic=[[0, 1]]), "the witness's traffic must be [source, destination, rate]"),
    ("hose", at(c0_evidence__model__ingress=["-1", "1/2", "2"]), "the rates are negative or too fine"),
    ("hose", at(c0_evidence__model__egress=["1/2", "1", FINE]), "the rates are too fine for 64-bit arithmetic"),
    ("hose", OF_CAPACITY, "under the hose model throughput is a factor on the rates"),
    ("worst case", one_potential_more, "quantum holds 5 potentials; the loads need 4"),
    ("terminals", at(c0_evidence__symmetry__reversal=True), "network or traffic has no such symmetry"),
    ("every channel", at(c3_evidence__channel=1), "it is about channel 0, its evidence about channel 1"),
    ("every channel", at(c4_evidence__channel=2), "its evidence is for the balanced worst_case_load of channel 2"),
    (
        "hose",
        at(c0_evidence__witness__traffic=[[0, 1, "2"], [0, 1, "-1"]]),
        "the witness's rate from 0 to 1 is negative",
    ),
    ("hose", at(c0_evidence__model__ingress=["1", "1/2"]), "model.ingress has 2 rates for 3 terminals"),
    (
        "unbalanced",
        at(c0_value="1/2", c0_evidence__ratio="1/2", c0_evidence__model__rate="1/2"),
        "at the rate 1/2 the worst load is 1/2; 1 was expected",
    ),
    ("unbalanced", at(c0_value="2", c0_evidence__model__rate="2"), "it is 2, its evidence is for the rate 2"),
    # Loads, lengths, capacity.
    ("every channel", at(c8_value="5/4"), "it is 5/4; the loads make it 9/8"),
    ("every channel", at(c10_evidence__minimal="1"), "the shortest average is 8/9, not 1"),
    ("every channel", without("c7_evidence__lengths__position"), "lengths of the kind 'cut' have the keys"),
    ("terminals", at(c3_evidence__lengths={"kind": "dimension", "dimension": 0}), "are not known for hosts"),
    ("capacity", thinned, "does not deliver one unit to each terminal"),
    ("capacity", at(c3_evidence__flows__scale="1/2"), "the flows do not fit the network"),
    ("capacity", at(c3_evidence__flows__scale=str(1 << 62)), "the flows are too fine for 64-bit arithmetic"),
    ("capacity", at(c8_value="149/121"), "it is <= 149/121; the lengths prove 150/121"),
    ("capacity", at(c8_evidence__within={"average_path_length": "0"}), "average_path_length is limited to 0"),
    ("capacity", at(c8_paths="9turn", c8_evidence__paths="9turn"), "no set of paths is called '9turn'"),
    ("capacity", at(c8_value="-1"), "it is -1; a positive number was expected"),
    ("capacity", at(c8_evidence__hops=-1), "'hops' must be a whole number of at most 62 bits"),
    ("capacity", at(c8_within="average_path_length <= 2"), "'average_path_length <= 34/25'} was expected"),
    ("capacity", at(c8_evidence__within={"throughput": "1"}), "'within' must name average_path_length and nothing"),
    ("every channel", at(c8_value="5/4", c8_evidence__load="4/5"), "carries 8/9, not 4/5"),
    ("terminals", at(c4_evidence__channel=3, c4_evidence__load="1/3"), "channel 3 is not the busiest"),
    (
        "every channel",
        at(c9_value="9/8", c9_evidence__capacity="1"),
        "its evidence does not use the report's capacity of 3/2",
    ),
    ("every channel", at(c11_value="2"), "it is 2; the loads make it 4/3"),
    ("every channel", at(c7_evidence__routing="valiant"), "routing valiant reaches 9/8 under uniform traffic"),
    ("every channel", at(c7_evidence__lengths__dimension=1), "dimension 1 is not one of the grid's"),
    # Designs.
    ("interval", at(c1_value="1"), "it is at least 1; the adversaries prove at least 5827148082/5827148179"),
    ("interval", at(c1_evidence__pairs__0__source=99), "pairs[0] names no two nodes of the network"),
    ("2turn", at(c0_evidence__adversary__paths="9turn"), "no set of paths is called '9turn'"),
    (
        "2turn",
        at(c0_evidence__reached__within={"average_path_length": "2"}),
        "an optimum says in its adversary within which bound it holds",
    ),
    (
        "tradeoff",
        at(c0_evidence__adversary__within={"worst_case_load": "2"}),
        "its adversaries assume another load than it states",
    ),
    ("average design", at(s_design__shortest=True), "its design is said to keep to shortest paths, which no claim"),
    ("average design", at(s_design__deadlock_free=True), "is called free of deadlock, which no claim of the report"),
    ("average design", at(s_design__paths="2turn"), "its paths are said to be those of '2turn'; they are not"),
    ("2turn", at(s_design__paths="tables"), "its optimum is one among some paths, which its design does not name"),
    ("comparison", at(c0_routing="romm"), "it is about none of the routings"),
    ("comparison", at(s_routings__valiant__spec="dor"), "the routing 'valiant' goes by another name"),
    ("comparison", at(s_service_levels={"x": 1}), "its service levels must be an object, by names of its routings"),
    # Samples.
    ("average", at(c8_evidence__samples=6), "its evidence names another sample than its value"),
    ("average", at(c8_value__confidence=0.9), "or another confidence than 99 %"),
    ("average", at(c8_value__low=0.29), "its low is 0.29; the sample, drawn again, gives 0.3"),
    ("average", at(c8_value__trials=1 << 39, c8_evidence__samples=1 << 39), "matrices are too many to be drawn again"),
    ("average", at(c8_evidence__most="2"), "no throughput counts as more than 2, it says: not bandwidth over hops"),
    (
        "average",
        at(c8_evidence__least="1/3"),
        "its least throughput is 1/3, which is not the worst case of its routing",
    ),
    ("average", at(c8_evidence__normal_approximation=[0.2]), "its normal approximation is no pair of numbers"),
    # Calls.
    ("calls", at(c0_evidence__events=1 << 40), "its 3 trials have more events than are done again here"),
    ("calls", at(c0_evidence__occupancy="2"), "its occupancy or its choice of paths is outside its range"),
    ("calls", at(c0_evidence__beta="1/2"), "its beta or its threshold of mergers is outside its range"),
    ("calls", at(c6_value__best=0.5), "its best value is 0.5; 1 of 3 trials fail"),
    ("calls", at(c11_value="true"), 'a refused call proves that it is "false"'),
    ("calls", among_events(lambda x: x.append(["connect", 1, 1, 0])), "event 4: a call is refused before the last one"),
    ("calls", among_events(lambda x: x.insert(1, ["connect", 7, 1, 0])), "event 1: a terminal that is not idle calls"),
    ("calls", among_events(lambda x: x.insert(1, ["wait", 7, 1, 0])), "event 1 is neither a call nor the end of one"),
    ("clos", at(c7_value="false"), "paths of calls prove that it is true"),
    ("clos", at(c7_evidence__calls=3), "its calls are not those of its permutation"),
    ("clos", at(c8_value="false"), "it is false, which evidence of the kind 'all-permutations' cannot show"),
    ("clos", at(c8_evidence__permutations=23), "there are 24 permutations"),
    # Packets, circuits, faults.
    ("packets", at(c0_evidence__faults=[[1, 6], [1, 6]]), "one of its faults is told twice"),
    ("packets", at(c0_evidence__epsilon="2"), "its epsilon or threshold is outside its range"),
    ("packets", at(c0_evidence__packets=4), "it says 4 packets; its permutations have 3"),
    ("packets", at(c0_evidence__images=packed(1, 1, 0, 0, 0, 0, 0, 0)), "sends twice to one output"),
    ("packets", at(c0_evidence__searched="nobody"), "its permutation was searched for, by no adversary"),
    ("packets", at(c0_evidence__sha256="x"), "its permutations are given in full, and by a digest, which nothing"),
    ("packets", without("c0_evidence__images"), "its permutations are given by a digest only: run it again"),
    ("pipelined", at(c0_evidence__rho="2"), "its rho or its distance of cancellations is outside its range"),
    ("trials", at(c0_value__best=0.5), "its best is 0.5; the trials give 0.7777777777777778"),
    ("trials", at(s_epsilon="3"), "its epsilon or threshold is outside its range"),
    ("trials", at(s_rho="2"), "subject: rho is 2, which its trials do not use"),
    ("trials", at(s_permutation=["shuffle"]), "subject: faults spread without any permutation"),
    ("trials", at(c0_value__trials=8), "its claims are not intervals of the same trials"),
    ("trials", without("c0"), "its claims are not surviving_inputs_fraction, surviving_outputs_fraction, each once"),
    ("trials", at(s_faults="random:count=3,seed=1"), "all trials would be alike, {trial} stands nowhere in it"),
    ("trials", at(c0_evidence__method="Clopper-Pearson"), "its method is 'Clopper-Pearson'; betting was expected"),
    ("packets", at(c0_evidence__load=99), "its load is 99; 1 to 8 was expected"),
    ("packets", at(c0_evidence__faults=[[9, 9]]), "its fault [9, 9] is outside the network"),
    ("circuits", at(c0_evidence__rounds=[1, 2, 1]), "its rounds are not those of the run"),
    # Sweeps.
    ("sweep", at(s_variables={"s": "12"}), "the report's variables are no lists of texts"),
    ("sweep", at(s_variables={"s": ["1", "2", "3"]}), "the sweep has no run at s 3, or not in its place"),
    ("broken sweep", without("s_faults"), "its run has faults, of which the sweep says nothing"),
    ("calls sweep", at(s_each="trials"), "calls have their trials by themselves, not at each point"),
    ("sweep", once_more(0, point={"s": "9"}), "its point is none of the sweep, or not in its place"),
    ("sweep", without("c1"), "at s 1: its claims are not those of one run, each once"),
    ("sweep", at(s_permutation=["mine"]), "its permutations 'mine' are no patterns"),
    ("broken sweep", at(s_faults="one"), "its faults 'one' are no pattern"),
    ("calls sweep", at(s_occupancy="1/2"), "its run has the occupancy 9/10"),
    ("calls sweep", without("c3"), "at s 1: its claims are not those of one run, each once"),
    # Cubes.
    ("cube", at(c0_value="2"), "it is stated as 2; the schedule has 3"),
    ("cube", at(c0_evidence__algorithm="flood"), "no algorithm on cubes is called 'flood'"),
    ("cube trials", at(c0_value__best=0.8), "3 of 5 trials took at most 6 steps, which gives 0.082829 to 0.977119"),
    ("cube", at(c0_evidence__seed=1), "a seed belongs to algorithms that draw at random, and only to those"),
    ("cube", at(c0_evidence__moves=packed(1, 2)), "its moves are 2 for 8 packets; as many for each were expected"),
    ("cube trials", at(c0_evidence__destination=packed(7, 6)), "its destination must be a node, or -1 for none"),
    ("cube trials", at(c0_evidence__histogram=[[5, 3], [6, 1], [7, 1]]), "its histogram is not that of its trials"),
    ("no graph", at(c0_value="6"), "it is stated as 6; the rule 'tight' gives 5"),
    # Deadlock.
    ("virtual", at(c1_assignment="layers"), "an assignment by layers is told by other keys than"),
    ("virtual", at(c1_paths="of-loads"), "it is about other paths than those of the routing"),
    (
        "virtual",
        at(
            c1_assignment="layers",
            c1_evidence={"kind": "virtual-channels", "layer": packed(0, 5), "number": packed(0)},
        ),
        "a path has a layer that the claim does not count",
    ),
    (
        "deadlock",
        at(c0_value="false", c0_evidence={"kind": "channel-cycle", "cycle": [0, 1], "packets": [[0, 1], [0]]}),
        "a packet of its cycle is no pair of numbers",
    ),
    (
        "deadlock",
        at(c0_lanes="by service level", c0_evidence={"kind": "lane-order", "number": packed(0)}),
        "it is about lanes by service level, and the report's subject has no service levels",
    ),
    # Failures.
    ("failures", at(c1_evidence__links=[[1, 0]]), "a failed link must be two nodes, the lower first"),
    ("failures", at(c1_evidence__links=[[0, 1], [0, 1]]), "one of the failed nodes, links and cables is told twice"),
    ("failures", at(s_potentials__scale="0"), "potentials.scale is no whole number up to 2^40"),
    ("failures", at(c1_evidence__bounds=[]), "has no proof: its old potentials give 5/2"),
    ("drawn failures", at(c4_evidence__links=-1, c4_failed="-1 links"), "how many links, switches and cables fail"),
    ("drawn failures", at(c4_evidence__opposite=packed(*range(12))), "belongs to failures of cables, and only to"),
    ("drawn failures", at(c4_value__confidence=0.9), "its confidence, its seed or its number of failures is outside"),
    ("drawn failures", at(c4_value__best=0.8), "its best is 0.8; the failures give 1.0"),
    ("failures", without("c1"), "nothing is stated about dead-links=0-1, or a failure that is alike"),
    ("failures", at(c0_value="3"), "it is not the largest load of the failures that are stated"),
    ("failures", at(c1_evidence__nodes=[9], c1_evidence__links=[]), "node 9 is outside the network"),
    ("failures", at(s_potentials__column=packed(0, 0)), "potentials.column holds 2 numbers; 32 were expected"),
    ("drawn failures", at(c4_evidence__links=1, c4_failed="1 link"), "nothing is stated about dead-links=2-3"),
    ("drawn failures", at(c4_failed="3 links"), "it must be about 2 links"),
    # Expansion.
    ("splitter", at(c8_value="3"), "it is 3; the least neighbourhoods give 2"),
    ("splitter", at(c0_subset_size=99), "its subset_size is outside the splitter"),
    ("splitter", at(c12_value="1/2"), "its subset has another fraction of unique neighbours"),
    ("splitter", at(c8_evidence__from=["expansion"]), "does not say that it follows from the least neighbourhoods"),
    ("spectrum", at(c1_evidence__power=3), "its power is no power of two up to 1024"),
    ("spectrum", at(c1_evidence__eigenvalue="1/1048576"), "its eigenvalue is below the second eigenvalue's bound"),
    ("spectrum", at(c1_value="2"), "it is 2; the spectrum gives 1"),
    ("splitter", at(c8_alpha="0"), "it is no statement about subsets of at most alpha times all inputs"),
    # Load, and others.
    ("load", at(c4_rate="1/3"), "it refers to a run that does not come before it"),
    ("load", at(c3_rate="1/3"), "it is about another traffic or rate than its evidence"),
    (
        "load",
        at(c3_rate="-1/2", c3_evidence__rate="-1/2"),
        "its rate or the order of its queues makes no sense",
    ),
    ("load", lambda x: x.update(claims=x["claims"][:3]), "the report makes no claims about a simulation"),
    (
        "adaptive",
        at(c0_traffic="worst", c0_evidence__traffic="worst"),
        "its permutation is called the worst, and no proved claim of the report is about it",
    ),
    ("load", at(c3_evidence__cycles=1 << 40), "cycles cannot be run again here"),
    ("adaptive", at(s_routing={"adaptive": "none"}), "an adaptive routing 'none', of which nothing can be proved"),
]


@pytest.mark.parametrize(("name", "change", "reason"), FORGERIES, ids=[f"{x}: {z[:40]}" for x, _, z in FORGERIES])
def test_each_has_its_reason(name: str, change: Change, reason: str, report: Callable[[str], Document]) -> None:  # noqa: F811
    document = report(name)
    change(document)
    assert reason in str(refusal(sealed(document)))
