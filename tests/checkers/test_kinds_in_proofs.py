"""Every proved kind of evidence becomes a proof for the other checkers, or stands in a list with the reason."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from commanded_reports import made
from proof_judge import false_claims
from proofs import CORPUS, Proof, checked, elaborated, proof_of, source
from routeproof import mesh, named_routing, torus
from routeproof.claims.kinds import KINDS
from routeproof.cli.main import main
from routeproof.core.claim import Grade
from routeproof.core.network import Network
from routeproof.formats.documents.report import claims_to_document
from routeproof.questions.answer import subject_of
from routeproof.verification.elaborate import BY_GRADE, NO_PROOF
from routeproof.worst.routable.ratio import oblivious_ratio, ratio_claims
from true_reports import Document, shared_report

RING = Path(__file__).parents[1] / "data" / "infiniband" / "ring5"


def test_a_proved_kind_has_a_proof_or_a_reason() -> None:
    proved = {x.name for x in KINDS.own.values() if any(y.grade is Grade.PROVED for y in x.states.values())}
    with_proof = {x.name for x in KINDS.own.values() if x.elaborate is not None}
    assert proved - with_proof == set(NO_PROOF)
    assert set(BY_GRADE) == set(Grade) - {Grade.PROVED}


def kinds_of(document: Document) -> set[str]:
    return {x["evidence"]["kind"] for x in document["claims"]}


def accepted(document: Document) -> Proof:
    """The proof of a report, of which nothing is left out."""
    proof = elaborated(document)
    status, said = checked(proof)
    assert status == 0, said
    assert not proof["not_elaborated"]
    return proof


def report_of(words: str, folder: Path) -> Document:
    path = folder / "report.json"
    assert main([*words.split(), "--quiet", "--json", str(path)]) == 0
    found: Document = json.loads(path.read_text())
    return found


# -- virtual channels and lanes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "virtual"),
    [
        ("torus:3x3 -r dor", 1),
        ("torus:5 -r dor", 2),
        ("mesh:3x3 -r romm", 2),
        ("hyperx:3x3 -r minimal", 2),
        ("random-regular:8,degree=3,seed=1 -r minimal", 2),
    ],
)
def test_virtual_channels_become_paths_with_an_order(words: str, virtual: int, tmp_path: Path, capsys: Any) -> None:
    proof = accepted(report_of(f"deadlock {words} --virtual-channels", tmp_path))
    one = [x for x in proof["claims"] if x["kind"] == "deadlock-free"][-1]
    assert one["virtual"] == virtual
    taken = {v for *_, paths in proof["routings"][one["routing"]]["paths"] for *_, own in paths for v in own}
    assert taken == set(range(virtual))


@pytest.mark.parametrize("tables", ["", f" --sl2vl {RING}.sl2vl"])
def test_lanes_by_service_level_become_virtual_channels(tables: str, tmp_path: Path, capsys: Any) -> None:
    words = f"deadlock {RING}.topo -r {RING}.lft --service-levels {RING}.paths{tables}"
    document = report_of(words, tmp_path)
    assert "lane-order" in kinds_of(document)
    proof = accepted(document)
    assert {x["kind"] for x in proof["claims"]} == {"deadlock-free", "deadlock"}


RULES = {
    "torus:3x4 -r dor --flow-control bubble": ["deadlock", "deadlock-free-with-bubbles"],
    "ring:5 -r minimal --flow-control bubble": ["deadlock", "deadlock-free-with-bubbles"],
    "torus:3x4 -r minimal --escape dor": ["deadlock", "escape-cycle", "escape-acyclic"],
    "mesh:3x2,concentration=2 -r minimal --escape dor:order=yx": ["deadlock", "escape-acyclic"],
    "mesh:2x2 -r dor --virtual-channels --classes a,b,c": [
        "deadlock-free", "deadlock-free", "deadlock-free-with-classes", "deadlock-free-with-classes",
        "virtual-channels-at-least",
    ],
    "ring:4 -r valiant --virtual-channels --classes a,b": [
        "deadlock", "deadlock-free", "deadlock-free-with-classes", "deadlock-free-with-classes",
        "virtual-channels-at-least",
    ],
    "ring:4 -r valiant --virtual-channels --assignment layers": [
        "deadlock", "deadlock-free", "virtual-channels-at-least",
    ],
    "mesh:2x2 -r valiant --virtual-channels --assignment destinations": [
        "deadlock", "deadlock-free", "virtual-channels-at-least",
    ],
}  # fmt: skip


@pytest.mark.parametrize("words", RULES)
def test_rules_of_deadlock_become_orders_and_cycles(words: str, tmp_path: Path, capsys: Any) -> None:
    """The slow judge finds them true, who looks at no order and no lemma."""
    proof = elaborated(report_of(f"deadlock {words}", tmp_path))
    status, said = checked(proof)
    assert status == 0, said
    assert [x["kind"] for x in proof["claims"]] == RULES[words]
    assert not proof["not_elaborated"]
    assert false_claims(proof) == []


# -- channels one by one ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topology", "name", "symmetry"),
    [("fat-tree:4,dead-links=0-8", "smodk", "auto"), ("hyperx:3x3,bandwidth=3/2", "dor", "auto"),
     ("mesh:3x3", "o1turn", "none")],
)  # fmt: skip
def test_evidence_that_channels_share_becomes_that_of_each(topology: str, name: str, symmetry: str) -> None:
    document = shared_report(topology, name, symmetry=symmetry)
    assert {"worst-case-channels", "worst-case-among"} <= kinds_of(document)
    proof = accepted(document)
    channels = [x["channels"] for x in proof["claims"] if x["kind"] == "worst-case-at-most" and x["channels"]]
    assert sorted(channels) == [[c] for c in range(len(proof["network"]["channels"]))]


@pytest.mark.parametrize(("network", "name"), [(torus(3, 3), "dor"), (torus(4), "romm"), (mesh(3, 2), "dor")])
def test_oblivious_ratios_of_channels_that_are_alike(network: Network, name: str) -> None:
    routing = named_routing(name, network)
    claims = ratio_claims(oblivious_ratio(routing, all_channels=True))
    document = json.loads(json.dumps(claims_to_document({**subject_of(routing), "kind": "analysis"}, claims)))
    assert "routable-class" in kinds_of(document)
    proof = accepted(document)
    assert sum(x["kind"] == "worst-case-at-least" for x in proof["claims"]) == network.num_channels + 1


def test_shifts_become_matrices(tmp_path: Path, capsys: Any) -> None:
    proof = accepted(report_of("compare ring:5 dor --shifts", tmp_path))
    assert [len(x["matrices"]) for x in proof["demands"] if x["name"] == "shifts"] == [4]


# -- bounds on all routings with some paths -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        ("mesh:2x3 --paths ksp:2", True),
        ("ring:5 --paths minimal", False),
        ("torus:3x3 --paths 2turn", True),
        ("ring:4,concentration=2 --paths minimal", False),
        ("ring:3 --paths ksp:2 --demands hose:RATES", True),
    ],
)
def test_bounds_on_routings_with_some_paths_have_the_paths(
    words: str, listed: bool, tmp_path: Path, capsys: Any
) -> None:
    rates = tmp_path / "rates.txt"
    rates.write_text("1 1/2\n1/2 1\n2 1/3\n")
    words = words.replace("RATES", str(rates))
    document = report_of(f"design {words} --objective worst-case --then path-length", tmp_path)
    proof = accepted(document)
    among = {x["kind"]: x for x in proof["claims"] if "among-paths" in x["kind"]}
    assert set(among) == {"best-load-among-paths-at-least", "best-path-length-among-paths-at-least"}
    assert all(bool(x["listed"]) == listed != bool(x["over"]) for x in among.values())
    least = next(x for x in document["claims"] if x["quantity"] == "worst_case_load" and x["relation"] == "==")
    value = among["best-load-among-paths-at-least"]["value"]
    assert Fraction(*map(int, value)) == Fraction(least["value"])


def test_what_is_proved_rests_on_the_paths_that_are_listed() -> None:
    """On the ring of four: with the longer of two paths alone every routing has twice the path length."""
    proof = source("two-shortest-paths")
    claim = next(x for x in proof["claims"] if x["kind"] == "best-path-length-among-paths-at-least")
    claim["value"] = [2, 1]
    proof["claims"] = [claim]
    assert checked(proof)[0] == 1
    for row in claim["listed"]:
        row[2] = [max(row[2], key=len)]
    assert checked(proof)[0] == 0


# -- best tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "of", "by"),
    [
        ("ring:4 --paths tables", "destinations", "exit"),
        ("ring:3 --paths single", "pairs", "exit"),
        ("ring:5 --paths tables --proposals 50", "destinations", "rounding"),
        ("ring:6 --paths tables --proposals 50", "destinations", "meetings"),
    ],
)
def test_best_tables_are_counted_or_rounded(words: str, of: str, by: str, tmp_path: Path, capsys: Any) -> None:
    proof = elaborated(report_of(f"design {words} --objective worst-case", tmp_path))
    status, said = checked(proof)
    assert status == 0, said
    bounds = [x for x in proof["claims"] if x["kind"] == "tables-at-least"]
    assert [(x["of"], x["evidence"]["by"]) for x in bounds] == [(of, by)]
    assert [x["of"] for x in proof["claims"] if x["kind"] == "tables"] in ([of], [])
    assert {what.partition(" ")[0] for what, _ in proof["not_elaborated"]} <= {"deadlock_free"}


def test_single_paths_need_not_be_tables() -> None:
    path = CORPUS / "incorrect" / "a-table-with-two-next-channels.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    assert checked(proof)[0] == 1
    proof["claims"] = [{"kind": "tables", "routing": 0, "of": "pairs"}]
    assert checked(proof)[0] == 0


# -- failures -----------------------------------------------------------------------------------------------------


FAILURES = {
    "links, all shortest paths": "mesh:3x3 -r valiant --repair split",
    "links, cut pairs": "k-ary-tree:2,3 -r ecmp --repair none",
    "switches, cut pairs": "torus:3x3 -r dor --repair none --switches 1 --samples 2",
    "switches": "torus:3x3 -r romm --repair split --switches 1",
    "hosts of one switch": "ring:4,concentration=2 -r minimal --repair split",
    "switches, made anew": "mesh:2x3 -r minimal --repair rebuild --switches 1",
    "hosts, made anew": "fat-tree:4 -r updown --repair rebuild --links 1 --samples 1",
}


@pytest.mark.parametrize("words", FAILURES.values(), ids=FAILURES)
def test_each_failure_becomes_a_routing_that_avoids_what_failed(words: str, tmp_path: Path, capsys: Any) -> None:
    document = report_of(f"failures {words}", tmp_path)
    proof = elaborated(document)
    status, said = checked(proof)
    assert status == 0, said
    worst = [x for x in document["claims"] if x["evidence"]["kind"] == "failure" and x["quantity"] == "worst_case_load"]
    avoided = [x for x in proof["claims"] if x["kind"] == "worst-case-at-most" and x["channels"]]
    assert {tuple(x["value"]) for x in avoided} <= {(0, 1)}
    stated = {x["failed"] for x in worst} - {"nothing"}
    assert len({x["routing"] for x in avoided}) == len(stated)
    assert {x["name"].rpartition(" after ")[2] for x in proof["routings"]} >= stated
    left = [what for what, _ in proof["not_elaborated"] if "any of" not in what]
    assert not any(what.startswith(("worst_case_load", "throughput")) for what in left)


WORST = {
    "torus:4x4": 1, "mesh:4x4": 4, "hypercube:4 --cables 1": 1, "complete:16": 1, "fat-tree:4": 2,
    "docs/wan/zoo-abilene.json": 14, "docs/wan/zoo-janetlense.json": 3,
}  # fmt: skip


@pytest.mark.parametrize(("words", "stated"), WORST.items(), ids=WORST)
def test_the_worst_of_all_links_becomes_one_claim(words: str, stated: int, tmp_path: Path, capsys: Any) -> None:
    """Of few links, to which maps of the network take all others that part no terminals."""
    document = report_of(f"failures {words} -r ecmp", tmp_path)
    proof = elaborated(document)
    worst = next(x for x in document["claims"] if x["evidence"]["kind"] == "every-failure")
    (claim,) = [x for x in proof["claims"] if x["kind"] == "single-link-failure"]
    assert Fraction(*claim["value"]) == Fraction(worst["value"])
    assert len(claim["failed"]) == stated
    assert checked(proof)[0] == 0
    claim["failed"] = claim["failed"][1:]
    assert checked(proof)[0] == (1 if claim["failed"] else 2)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("mesh:3x3 -r dor --repair split", "minimal:choice=per-hop, made anew on what is left"),
        ("ring:4 -r ecmp --repair split", "minimal:choice=per-hop, made anew on what is left"),
        ("ring:4 -r ecmp --demands sparse:2", "single links over permutations"),
    ],
)
def test_other_worst_cases_of_failures_are_left_out_with_a_reason(
    words: str, reason: str, tmp_path: Path, capsys: Any
) -> None:
    proof = elaborated(report_of(f"failures {words}", tmp_path))
    assert [why for what, why in proof["not_elaborated"] if "any " in what and reason in why]
    assert checked(proof)[0] == 0


@pytest.mark.parametrize("name", ["failures of jobs", "failures of a matrix", "failures of a box"])
def test_failures_over_sets_of_demands(name: str) -> None:
    status, said = checked(proof_of(name))
    assert status == 0, said
    assert said.count("more than 0 times its bandwidth: holds") == len(proof_of(name)["routings"])


# -- collectives --------------------------------------------------------------------------------------------------

COLLECTIVES = {
    "trees both ways": ("mesh:3x2 --operation all-reduce", "all-reduce"),
    "trees both ways, on a tree of switches": ("k-ary-tree:2,2 --operation all-reduce", "all-reduce"),
    "two phases of images": ("ring:24 --operation all-reduce", "all-reduce"),
    "bandwidths": ("mesh:3x2 --operation broadcast --root 1", "bandwidth"),
    "times": ("torus:2x3 -r dor --algorithm ring --operation all-reduce --alpha 1/3", "phases-take"),
    "times from a root": ("mesh:2x2 -r dor --algorithm tree --root 2", "phases-take"),
    "times of jobs": ("mesh:6 -r dor --jobs JOBS --algorithm ring,serve=tree", "phases-take"),
}


@pytest.mark.parametrize(("words", "kind"), COLLECTIVES.values(), ids=COLLECTIVES)
def test_all_reduces_and_times_become_claims(words: str, kind: str, tmp_path: Path, capsys: Any) -> None:
    jobs = tmp_path / "jobs.txt"
    jobs.write_text("train: 0 2 4\nserve: 1 3 5\n")
    document = report_of(f"collective {words}".replace("JOBS", str(jobs)), tmp_path)
    proof = elaborated(document)
    status, said = checked(proof)
    assert status == 0, said
    stated = [x for x in document["claims"] if x["relation"] == "==" and x["evidence"]["kind"] not in NO_PROOF]
    found = [x["kind"] for x in proof["claims"] if x["kind"].startswith(kind)]
    if kind == "all-reduce":
        assert sorted(found) == ["all-reduce-at-least", "all-reduce-at-most"]
    elif kind == "bandwidth":
        assert len(found) == 4
    else:
        assert len(found) == sum(x["quantity"] == "collective_time" for x in stated)
        met = [x["quantity"] for x in proof["claims"] if x["kind"] == "phases-meet"]
        assert sorted(met) == (["all", *["others"] * 2, *["time"] * 2] if "JOBS" in words else [])
        ratios = [x["quantity"] for x in stated if x["quantity"] == "times_optimal"]
        assert sum(x["kind"] == "times-optimal" for x in proof["claims"]) == 2 * len(ratios)
    assert {reason for _, reason in proof["not_elaborated"]} <= set(NO_PROOF.values())


@pytest.mark.parametrize(("name", "crossed"), [("two jobs", [0, [0, 1], [5, 2]]), ("apart", None)])
def test_jobs_that_share_a_channel_or_none(name: str, crossed: Any) -> None:
    proof = proof_of(name)
    assert next(x["crossed"] for x in proof["claims"] if x["kind"] == "shared-channel") == crossed
    assert checked(proof)[0] == 0
    assert false_claims(proof) == []


# -- calls, splitters, all destination graphs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("blocked", ["blocked-call"]),
        ("refuted", ["never-blocked"]),
        ("clos", ["calls-at-once"]),
        ("no graph", ["steps-at-least"]),
        ("split", ["split-chance"]),
        ("spectrum", ["neighbours-at-least", "neighbours-at-most"]),
    ],
)
def test_networks_of_stages_and_cubes(name: str, kinds: list[str]) -> None:
    proof = proof_of(name)
    assert sorted({x["kind"] for x in proof["claims"]}) == kinds
    status, said = checked(proof)
    assert status == 0, said
    proved = [x["evidence"]["kind"] for x in made(name)["claims"] if x["grade"] == "PROVED"]
    assert len(proof["claims"]) >= len([x for x in proved if x not in NO_PROOF])
    assert not [x for x, reason in proof["not_elaborated"] if reason not in {*BY_GRADE.values(), *NO_PROOF.values()}]


def test_a_cut_of_a_network_that_cannot_be_rearranged(tmp_path: Path, capsys: Any) -> None:
    proof = elaborated(report_of("simulate calls clos:1,2,2 --trials 1 --rearrangeable", tmp_path))
    assert [x["kind"] for x in proof["claims"]] == ["calls-cut"]
    assert checked(proof)[0] == 0
    assert false_claims(proof) == []


def test_no_order_of_ranks_beats_the_rate(tmp_path: Path, capsys: Any) -> None:
    """Nine ranks have too many orders to try: the rate bounds all of them."""
    words = "collective ring:9 -r minimal --algorithm ring --alpha 1/3 --order search --seed 1"
    document = report_of(words, tmp_path)
    proof = elaborated(document)
    status, said = checked(proof)
    assert status == 0, said
    bound = next(x for x in document["claims"] if x["evidence"]["kind"] == "every-order")
    claim = next(x for x in proof["claims"] if x["kind"] == "least-time")
    assert Fraction(*map(int, claim["value"])) == Fraction(bound["value"])
    assert (claim["phases"], claim["latency"]) == (8, [1, 3])
    for value, holds in (([20, 3], True), ([7, 1], False)):  # a rate of 1/4, and eight latencies
        claim["value"] = value
        assert (checked(proof)[0] == 0) == holds


@pytest.mark.parametrize("name", ["timed schedule", "schedule on ranks"])
def test_times_of_schedules_over_the_best(name: str) -> None:
    proof = elaborated(made(name))
    status, said = checked(proof)
    assert status == 0, said
    assert [x["kind"] for x in proof["claims"]].count("times-optimal") == 2
