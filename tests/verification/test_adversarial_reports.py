"""Reports that somebody wrote to deceive, with digests that match."""

from __future__ import annotations

import base64
import copy
import json
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import read_report
from routeproof.questions.design.design import Design
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_report
from true_reports import Document, report, report_on, sealed, table_report, user_function, verify


def of_kind(document: Document, kind: str) -> Any:
    return next(x for x in document["claims"] if x["evidence"]["kind"] == kind)


def worst(document: Document) -> Any:
    return of_kind(document, "worst-case")["evidence"]


def says(document: Document, *words: str) -> None:
    """It is refused, with one line that says so."""
    with pytest.raises((VerificationError, InputError)) as caught:
        verify(sealed(document))
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


Change = Callable[[Document], Any]


def set_to(kind: str, key: str, value: Any) -> Change:
    return lambda d: of_kind(d, kind).__setitem__(key, value)


def set_in(key: str, value: Any) -> Change:
    return lambda d: worst(d).__setitem__(key, value)


def in_bounds(key: str, value: Callable[[Any], Any]) -> Change:
    def change(document: Document) -> None:
        group = worst(document)["bounds"][0]
        group[key] = value(group[key])

    return change


def repacked(change: Callable[[np.ndarray], Any]) -> Callable[[str], str]:
    return lambda text: pack_ints(change(unpack_ints(text, what="it", max_items=1 << 20)))


BOMB = "i1:9:" + base64.b64encode(zlib.compress(bytes(200_000_000), 9)).decode()

LIES: list[tuple[str, Change, str]] = [
    (
        "a symmetry that dimension order lacks",
        lambda d: worst(d)["symmetry"]["declared"].append("swap dimensions 0 and 1"),
        "the routing does not respect the symmetry 'swap dimensions 0 and 1'",
    ),
    (
        "a symmetry that nobody knows",
        lambda d: worst(d)["symmetry"]["declared"].append("mirror"),
        "'mirror' is not declared",
    ),
    (
        "a symmetry that is no text",
        lambda d: worst(d)["symmetry"]["declared"].append(["mirror"]),
        "a text was expected",
    ),
    ("found: no permutation", set_in("symmetry", {"found": [pack_ints([0] * 16)]}), "not a permutation of the nodes"),
    ("no automorphism", set_in("symmetry", {"found": [pack_ints([1, 0, *range(2, 16)])]}), "not an automorphism"),
    (
        "found: an automorphism that the routing lacks",
        set_in("symmetry", {"found": [pack_ints(np.arange(16).reshape(4, 4).T.ravel())]}),
        "does not respect",
    ),
    ("reversal, though x comes first", lambda d: worst(d)["symmetry"].__setitem__("reversal", True), "reversal"),
    ("reversal by another name", lambda d: worst(d)["symmetry"].__setitem__("reversal", 1), "reversal"),
    (
        "no symmetry, but the proofs of one channel",
        set_in("symmetry", {"declared": []}),
        "has no proof in the evidence",
    ),
    ("no bounds", set_in("bounds", []), "has no proof in the evidence"),
    ("bounds that are no list", set_in("bounds", {}), "a list was expected"),
    ("channels left out", in_bounds("channel", repacked(lambda x: x[:-1])), "does not fit its channels"),
    ("a channel twice", in_bounds("channel", repacked(lambda x: np.full_like(x, x[0]))), ""),
    ("a channel outside", in_bounds("channel", repacked(lambda x: x + 64)), "outside the network"),
    ("a negative channel", in_bounds("channel", repacked(lambda x: x - 64)), "outside the network"),
    ("huge quanta", in_bounds("quantum", repacked(lambda x: x + (1 << 62))), "too large"),
    ("negative quanta", in_bounds("quantum", repacked(lambda x: x - (1 << 62))), "negative"),
    ("quanta that wrap around", in_bounds("shift", repacked(lambda x: x * 0 + 63)), "too large"),
    ("huge shifts", in_bounds("shift", repacked(lambda x: x * 0 + (1 << 40))), "too large"),
    ("negative shifts", in_bounds("shift", repacked(lambda x: x - 70)), "negative"),
    ("no quanta", in_bounds("quantum", repacked(lambda x: x[:0])), "are left in the evidence"),
    ("a quantum too many", in_bounds("quantum", repacked(lambda x: np.append(x, 0))), "the loads need"),
    ("all potentials 0", in_bounds("quantum", repacked(lambda x: x * 0)), "not the claimed"),
    ("scale 1", in_bounds("scale", lambda _: "1"), ""),
    ("scale 0", in_bounds("scale", lambda _: "0"), "scale or shift"),
    ("scale 1/2", in_bounds("scale", lambda _: "1/2"), "scale or shift"),
    ("an enormous scale", in_bounds("scale", lambda _: str(1 << 60)), ""),
    ("beyond any scale", in_bounds("scale", lambda _: str(10**4000)), "scale or shift"),
    ("a decompression bomb", in_bounds("quantum", lambda _: BOMB), "exactly 9 integers"),
    ("a count that would fill memory", in_bounds("quantum", lambda _: "i8:999999999999:"), "at most"),
    ("no witness", set_in("witness", None), "no witness"),
    ("another ratio", set_in("ratio", "5/2"), "its evidence is for 5/2"),
    (
        "a lower value, and a ratio to match",
        lambda d: (set_to("worst-case", "value", "1/2")(d), set_in("ratio", "1/2")(d)),
        "the witness loads channel",
    ),
    ("a value longer than Python prints", set_to("worst-case", "value", "3" * 7000), "bits"),
    ("another model", set_to("worst-case", "model", "hose"), "its evidence about 'balanced'"),
    ("another quantity", set_to("worst-case", "quantity", "worst_case_throughput"), ""),
    ("a quantity that is none", set_to("worst-case", "quantity", "latency"), "says nothing about latency"),
    ("another grade", set_to("worst-case", "grade", "EXHAUSTED"), "it is graded EXHAUSTED"),
    ("another unit", set_to("worst-case", "unit", "packets per year"), "its unit is 'packets per year'"),
    ("an inequality", set_to("worst-case", "relation", "<="), "it says <="),
    (
        "a qualifier that nothing supports",
        set_to("worst-case", "faults", "any two"),
        "the key 'faults', which nothing checks",
    ),
    ("a source of many lines", set_to("worst-case", "source", "a\nb"), "which does not define it"),
    (
        "another pattern",
        lambda d: [
            x.__setitem__("traffic", "transpose") or x["evidence"].__setitem__("traffic", "transpose")
            for x in d["claims"]
            if x.get("traffic") == "tornado"
        ],
        "its permutation is not the pattern transpose",
    ),
    (
        "uniform traffic that is a permutation",
        lambda d: of_kind(d, "traffic-loads")["evidence"].__setitem__("permutation", list(range(16))),
        "is another one than before",
    ),
    (
        "a matrix that is called tornado",
        lambda d: [
            (x["evidence"].pop("permutation"), x["evidence"].__setitem__("matrix", [["1/16"] * 16] * 16))
            for x in d["claims"]
            if x.get("traffic") == "tornado"
        ],
        "its matrix is not the pattern tornado",
    ),
    (
        "a capacity without lengths",
        lambda d: of_kind(d, "capacity")["evidence"].update(lengths={"kind": "explicit", "classes": []}),
        "prove nothing",
    ),
    (
        "lengths that are huge",
        lambda d: of_kind(d, "capacity")["evidence"].update(
            lengths={"kind": "explicit", "classes": [{"length": 1 << 62, "channels": [0]}]}
        ),
        "not a small integer",
    ),
    ("a capacity that no routing reaches", set_to("capacity", "value", "5"), "its lengths prove at most"),
    (
        "a capacity reached by somebody's file",
        lambda d: of_kind(d, "capacity")["evidence"].update(routing="/etc/passwd"),
        "names no built-in routing",
    ),
    ("derived from nothing", lambda d: d["claims"].remove(of_kind(d, "worst-case")), "does not state worst_case_load"),
    (
        "derived from something else",
        lambda d: of_kind(d, "derived")["evidence"].__setitem__("from", ["capacity"]),
        "nothing is known to derive it",
    ),
    (
        "one quantity, two values",
        lambda d: d["claims"].append({**of_kind(d, "capacity"), "value": "7"}),
        "claims[10] (capacity): claims[3] states another value",
    ),
    ("no claims", lambda d: d["claims"].clear(), "makes no claims"),
    ("a topology that is another's", lambda d: d["subject"].__setitem__("topology", "torus:5x5"), "called 'torus:5x5'"),
    (
        "a topology out of reach",
        lambda d: d["subject"]["network"].__setitem__("spec", "torus:2048x2048x2048x2048"),
        "at most",
    ),
    ("another routing", lambda d: d["subject"]["routing"].__setitem__("spec", "romm"), "claims[0] (worst_case_load)"),
    (
        "a routing from a file",
        lambda d: d["subject"]["routing"].__setitem__("spec", "os:system"),
        "names no built-in routing",
    ),
]


@pytest.fixture(scope="module")
def true_report() -> Document:
    return report_on("torus:4x4", "dor", traffic=("tornado",))


@pytest.mark.parametrize(("change", "words"), [x[1:] for x in LIES], ids=[x[0] for x in LIES])
def test_lies(change: Change, words: str, true_report: Document) -> None:
    document = copy.deepcopy(true_report)
    change(document)
    says(document, words)  # at once: a bomb that goes off is a test that does not end


def test_bounds_in_another_order_still_prove() -> None:
    document = report_on("torus:4x3", "dor", symmetry="none")
    for group in worst(document)["bounds"]:
        group["channel"], group["shift"] = (repacked(lambda x: x[::-1])(group[key]) for key in ("channel", "shift"))
    says(document)  # the potentials are in the old order
    routing_order = report_on("torus:4x3", "dor", symmetry="none")
    worst(routing_order)["bounds"].reverse()
    assert verify(sealed(routing_order))


def test_sums_over_some_classes_with_the_sizes_of_others() -> None:
    """A second worst case, without symmetry, must not change how many channels the first one's sums stand for."""
    size = [Fraction(1)] * 9
    document = report_on("torus:3x3", "dor")
    other = report_on("torus:3x3", "dor", model="hose", rates=(size, size), symmetry="none")
    lengths = [x for x in document["claims"] if x["evidence"]["kind"] == "path-length"]
    rest = [x for x in document["claims"] if x["evidence"]["kind"] != "path-length"]
    second = [x for x in other["claims"] if x.get("model") == "hose"]
    document["claims"] = [*rest, *second, *lengths]
    assert verify(sealed(document))
    few = Fraction(lengths[0]["value"]) / 36  # as if one channel stood for itself alone
    lengths[0]["value"] = lengths[0]["evidence"]["average"] = str(few)
    says(document, "the average path length is 4/3")


def test_the_smallest_rate_that_fills_a_channel_counts_though_it_is_never_overloaded() -> None:
    """On a line of three, the last channel is full from rate 1/2 on and never more than full: the answer is 1/2."""
    document = report_on("mesh:3", "dor", model="unbalanced", symmetry="none")
    claim = of_kind(document, "worst-case")
    assert claim["value"] == "1/2"
    network = network_from_spec("mesh:3")
    channel = next(c for c in range(4) if (network.tail[c], network.head[c]) == (1, 2))
    near, end = 1, 2
    # At rate 1 the same channel is full too, and no channel is overloaded: but it is not the smallest such rate.
    evidence = claim["evidence"]
    evidence["model"]["rate"] = claim["value"] = "1"
    evidence["witness"] = {"channel": channel, "traffic": [[near, end, "1"]]}
    evidence["bounds"] = []
    exact = evidence["exact"] = []
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        row = [int(u != 1 and i == u) for i in range(3)]  # the end sends all that crosses, or receives all of it
        column = [int(u == 1 and j == v) for j in range(3)]
        exact.append({"channel": c, "values": ["0", "1"], "row": pack_ints(row), "column": pack_ints(column)})
    document["claims"] = [claim]
    says(document, "does not rise with the rate")


def test_a_bound_that_is_never_met_need_not_rise() -> None:
    """Towards one end the line of three is too wide to be filled at any rate: then a flat bound will do."""
    widths = [Fraction(1), Fraction(1), Fraction(2), Fraction(1)]
    network = Network.of("line", 3, [(0, 1), (1, 0), (1, 2), (2, 1)], bandwidth=widths)
    document = report(routing_from_spec("minimal", network), model="unbalanced", symmetry="none")
    evidence = worst(document)
    assert evidence["model"]["rate"] == "1/2"
    flat = {"channel": 2, "values": ["0", "1"], "row": pack_ints([0, 0, 0]), "column": pack_ints([0, 0, 1])}
    evidence["exact"] = [x for x in evidence["exact"] if x["channel"] != 2] + [flat]
    assert verify(sealed(document))
    flat["values"][1] = "2"
    says(document, "does not rise with the rate")


def test_reversal_with_unequal_rates() -> None:
    document = report_on("mesh:2x2", "o1turn", model="hose", rates=([Fraction(x) for x in (1, 2, 3, 4)],) * 2)
    worst(document)["symmetry"]["reversal"] = True
    says(document, "reversal")
    worst(document)["symmetry"] = {"declared": ["reflect dimension 0"]}
    says(document, "symmetry was used although the terminals' rates differ")


def test_loads_in_full_that_do_not_deliver() -> None:
    document = report(user_function())
    document["subject"]["routing"]["loads"][0][3][0] = "1/5"
    says(document, "subject: routing mine:around does not deliver")
    document = table_report()
    del document["subject"]["routing"]["loads"][0]
    says(document, "subject: routing table.json has no path from")


def test_loads_in_full_under_the_name_of_another_routing() -> None:
    document = report(user_function())
    document["subject"]["routing"]["spec"] = "romm"
    says(document, "called 'romm', a name of this package's own routings")


def test_sampled_claims_are_not_proved() -> None:
    document = report_on("ring:4", "dor")
    interval = {"low": 0.1, "best": 0.2, "high": 0.3, "trials": 10, "seed": 1, "confidence": 0.99}
    of_kind(document, "worst-case").update(grade="SAMPLED", value=interval)
    says(document, "it is graded SAMPLED; its evidence makes it PROVED")


def test_the_users_own_routing_in_place_of_the_reports(tmp_path: Any) -> None:
    document = report_on("torus:4x4", "dor")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    assert verify_report(str(path), routing="dor")
    with pytest.raises(VerificationError, match=r"claims\[0\] \(worst_case_load\)"):
        verify_report(str(path), routing="romm")
    assert read_report(path)[0]["routing"] == {"spec": "dor"}


@pytest.mark.parametrize("digits", [1000, 20_000])
def test_long_fractions_are_refused_quickly(digits: int) -> None:
    document = report_on("ring:4", "dor", all_channels=True)
    evidence = of_kind(document, "worst-case-channel")["evidence"]
    evidence["values"] += ["9" * digits + "/" + "7" * digits, "1/" + "3" * digits, "8" * digits]
    assert verify(sealed(document))  # nobody uses them
    evidence["values"][1] = "9" * digits + "/" + "9" * (digits - 1) + "8"
    says(document, "its potentials sum to")


@pytest.mark.parametrize(
    "demands",
    [
        {"text": "sparse:2", "sends": "1", "receives": "1", "total": "2"},
        {"text": "hose:rates.csv", "sends": "1", "receives": "1"},
    ],
)
def test_no_terminal_sends_to_itself(demands: Document) -> None:
    """As permutations do; over sets in which packets are between different terminals, nothing is loaded here."""
    network = Network.of("crossed", 2, [(0, 1), (1, 0)], source=[0, 1], sink=[1, 0])
    answer = Design(network).answer()
    document = json.loads(json.dumps(answer.document()))
    assert verify(document)
    claim = of_kind(document, "optimum")
    claim.pop("model")
    claim["evidence"] = {"kind": "adversary", **claim["evidence"]["adversary"]}
    claim.update(relation=">=", demands=demands["text"])
    document["subject"]["demands"] = demands
    document["claims"] = [claim]
    says(document, "a terminal sends nothing to itself")
