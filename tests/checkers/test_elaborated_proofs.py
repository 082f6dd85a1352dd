"""Reports of the command, written out as proofs: the independent checker accepts them, and nothing is dropped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from commanded_reports import made
from proofs import CHECKER, checked, checked_file, elaborated, proof_of
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet
from routeproof.questions.adaptive import Adaptive
from routeproof.questions.design.design import Design
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.path_sets.names import path_set
from routeproof.topologies.family import network_from_spec

WRITTEN_OUT = [
    "worst case", "every channel", "unbalanced", "hose", "permutations", "sparse", "curve", "curve of jobs", "jobs",
    "two jobs", "apart", "hose set", "any rate", "matrix", "box", "box and rows", "routable", "terminals", "average",
    "average by terminal", "compared averages", "mixture", "design", "interval", "2turn", "average design", "capacity",
    "tradeoff", "comparison", "deadlock", "virtual", "load", "graph document", "design of jobs", "design of cables",
    "design of a box", "design of a wide box", "best flow", "design of matrices", "few paths", "ideal", "ideal of all",
    "ideal interval", "ideal of a matrix", "ideal of routable", "routable design", "routable designs in parts",
    "tradeoff of jobs", "tradeoff of a box", "shifts",
    "failures", "failures unmended", "drawn failures", "timed schedule", "racing schedule",
]  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_the_checker_accepts_the_proof_of(name: str) -> None:
    status, said = checked(proof_of(name))
    assert status == 0, said
    assert said.count(": holds\n") == len(proof_of(name)["claims"])


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_what_is_left_out_is_listed_with_a_reason(name: str) -> None:
    proof = proof_of(name)
    said = checked(proof)[1]
    assert said.count("not in this proof: ") == len(proof["not_elaborated"])
    assert all(what and reason for what, reason in proof["not_elaborated"])
    sampled = [x for x in made(name)["claims"] if x["grade"] == "SAMPLED"]
    assert sum(reason.startswith("sampled") for _, reason in proof["not_elaborated"]) == len(sampled)


@pytest.mark.parametrize("name", ["failures of few", "trials", "splitter", "network document"])
def test_a_report_of_which_nothing_can_be_written_out_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"none of the report's claims can be written out as a proof; \w"):
        elaborated(made(name))


def test_a_proof_has_plain_numbers_lists_and_texts_only() -> None:
    """Nothing is packed, and no number is beyond what every JSON reader takes exactly."""
    waiting: list[object] = [proof_of("design")]
    while waiting:
        x = waiting.pop()
        assert type(x) in (dict, list, str, int, type(None))
        if isinstance(x, int):
            assert abs(x) < 1 << 53
        elif isinstance(x, list):
            waiting += x
        elif isinstance(x, dict):
            waiting += x.values()


def test_the_command_writes_the_proof_and_says_what_is_not_in_it(tmp_path, capsys) -> None:
    report, proof = tmp_path / "report.json", tmp_path / "proof.json"
    assert main(["deadlock", "torus:3x3", "-r", "dor", "--virtual-channels", "--quiet", "--json", str(report)]) == 0
    capsys.readouterr()
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    said = capsys.readouterr().out
    assert f"{proof}: a proof of" in said.replace("\n", "")
    assert checked_file(proof)[0] == 0
    assert json.loads(proof.read_text())["format"] == "routeproof/proof"


def test_a_false_report_is_not_elaborated(tmp_path, capsys) -> None:
    report, proof = tmp_path / "report.json", tmp_path / "proof.json"
    assert main(["worst-case", "ring:4", "-r", "dor", "--quiet", "--json", str(report)]) == 0
    report.write_text(report.read_text().replace('"value": "', '"value": "1', 1))
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 1
    assert not proof.exists()


def test_a_proof_that_nobody_could_read_is_refused_before_it_is_begun(monkeypatch) -> None:
    from routeproof.claims.proofs import proof as module

    monkeypatch.setattr(module, "MOST_BYTES", 200)
    with pytest.raises(InputError, match=r"would take about .* checkers read at most"):
        elaborated(made("every channel"))


@pytest.mark.parametrize("then", [["--then", "path-length"], []])
def test_distances_are_counted_of_the_pairs_that_need_them(then, tmp_path, monkeypatch, capsys) -> None:
    """Of a bound on path lengths all, before anything that takes long; of a bound on loads those that send."""
    from routeproof.claims.routings import averaged_adversaries

    seen = []
    monkeypatch.setattr(averaged_adversaries, "expect_bytes", lambda n, _: seen.append(n))
    report = tmp_path / "report.json"
    assert main(["design", "hypercube:4", "--objective", "worst-case", *then, "--quiet", "--json", str(report)]) == 0
    elaborated(json.loads(report.read_text()))
    assert (seen[0] > 8 * 256 * 16) if then else (max(seen) < 8 * 256 * 16), seen


@pytest.mark.parametrize(
    "arguments",
    [
        ["torus:3x3", "-r", "romm"],
        ["mesh:3x3", "-r", "valiant"],
        ["ring:5,concentration=2", "-r", "dor"],
        ["hyperx:3x3", "-r", "minimal", "--demands", "sparse:2"],
    ],
    ids=lambda x: x[0],
)
def test_every_channel_has_its_worst_case_in_the_proof(arguments, tmp_path, capsys) -> None:
    """Also channels to which symmetry maps another one: by the image of that one's proof."""
    report, proof = tmp_path / "report.json", tmp_path / "proof.json"
    assert main(["worst-case", *arguments, "--all-channels", "--quiet", "--json", str(report)]) == 0
    kinds = [x["evidence"]["kind"] for x in json.loads(report.read_text())["claims"]]
    assert "same-class" in kinds
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    status, said = checked_file(proof)
    assert status == 0, said
    found = json.loads(proof.read_text())
    assert not found["not_elaborated"]
    every = list(range(len(found["network"]["channels"])))
    at_most = [x["channels"] for x in found["claims"] if x["kind"] == "worst-case-at-most" and x["channels"]]
    at_least = [x["channel"] for x in found["claims"] if x["kind"] == "worst-case-at-least"]
    assert sorted(at_most) == [[c] for c in every]
    assert set(at_least) == set(every)


def test_a_pipe_is_written_to_and_stays_one(tmp_path) -> None:
    report, pipe = tmp_path / "report.json", tmp_path / "pipe"
    assert main(["worst-case", "ring:4", "-r", "dor", "--quiet", "--json", str(report)]) == 0
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, str(CHECKER), str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        assert main(["verify", str(report), "--elaborate", str(pipe)]) == 0
        assert reader.communicate()[0].endswith("claims hold\n")
    assert pipe.is_fifo()
    assert reader.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_the_checker_says_in_one_line_that_it_cannot_print(tmp_path) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(proof_of("worst case")))
    with open("/dev/full", "w") as full:
        run = subprocess.run([sys.executable, str(CHECKER), str(proof)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (2, "stopped: OSError\n")


def cables(*rates: tuple[int, int]) -> TransportSet:
    sends, receives = (tuple(Fraction(x) for x in side) for side in zip(*rates, strict=True))
    return TransportSet(len(rates), "hose:rates.csv", sends, receives)


def hosts() -> Network:
    """Two terminals on one node; channels of two bandwidths."""
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)]
    widths = [Fraction(x, 2) for x in (2, 2, 3, 2, 2, 1)]
    return Network.of("hosts", 3, ends, bandwidth=widths, source=[0, 1, 2, 2], sink=[0, 1, 2, 2])


SILENT = [((0, 1), (2, 0), (1, 1), (0, 0)), ((0, 0), (1, 2), (2, 1), (1, 0)), ((1, 0), (1, 0), (0, 1), (0, 2))]


@pytest.mark.parametrize("rates", SILENT)
@pytest.mark.parametrize("routing", ["valiant", "minimal"])
def test_terminals_that_send_or_receive_nothing_are_no_hindrance(rates: tuple[tuple[int, int], ...], routing) -> None:
    answer = answer_worst_case(routing_from_spec(routing, hosts()), demands=cables(*rates))
    status, said = checked(elaborated(json.loads(json.dumps(answer.document()))))
    assert status == 0, said


@pytest.mark.parametrize("rates", SILENT)
def test_nor_in_designs(rates: tuple[tuple[int, int], ...]) -> None:
    answer = Design(hosts(), demands=cables(*rates)).answer()
    status, said = checked(elaborated(json.loads(json.dumps(answer.document()))))
    assert status == 0, said


def test_all_permutations_are_one_set_by_whatever_name() -> None:
    """At most 5 packets of 4 terminals: the price compares claims about one set."""
    answer = Adaptive(network_from_spec("complete:4"), demands=sparse(4, 5)).answer()
    proof = elaborated(json.loads(json.dumps(answer.document())))
    assert "price-of-obliviousness-at-most" in {x.get("quantity") for x in proof["claims"]}
    status, said = checked(proof)
    assert status == 0, said


@pytest.mark.parametrize("paths", ["minimal", "ksp:1"])
def test_what_flows_do_within_a_set_of_paths_is_left_out(paths: str) -> None:
    """On a ring of five they need more than all flows do."""
    network = network_from_spec("ring:5")
    answer = Adaptive(network, paths=path_set(paths, network)).answer()
    proof = elaborated(json.loads(json.dumps(answer.document())))
    assert any(what.startswith("adaptive_load") and paths in reason for what, reason in proof["not_elaborated"])
    status, said = checked(proof)
    assert status == 0, said


def test_a_channel_that_is_another_one_turned_round_has_its_proof_turned_round() -> None:
    """One sender and two receivers there, two senders and one receiver back: rows prove the one, columns the other."""
    network = Network.of("pair", 2, [(0, 1), (1, 0)], source=[0, 1, 1], sink=[0, 1, 1])
    answer = Design(network, demands=sparse(3, 2)).answer()
    status, said = checked(elaborated(json.loads(json.dumps(answer.document()))))
    assert status == 0, said


def test_virtual_channels_of_a_file_do_not_hide_a_cycle_of_channels(tmp_path: Path) -> None:
    """The report's cycle is one without virtual channels; the proof is about the paths without them, and says so."""
    design, report, proof = (tmp_path / name for name in ("best.json", "report.json", "proof.json"))
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--max-virtual-channels", "2", "--output", str(design)]
    assert main([*asked, "--quiet"]) == 0
    assert main(["deadlock", "mesh:3x3", "-r", str(design), "--quiet", "--json", str(report)]) == 0
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    status, said = checked_file(proof)
    assert status == 0, said
    assert ", with 1 virtual channel to a channel, has a cycle of " in said


@pytest.mark.parametrize("more", [["--objective", "capacity"], ["--path-length", "1"], ["--path-length", "5/4"]])
def test_quotients_of_limited_designs_hold(more: list[str], tmp_path: Path) -> None:
    report, proof = tmp_path / "report.json", tmp_path / "proof.json"
    objective = [] if "--objective" in more else ["--objective", "worst-case"]
    assert main(["design", "ring:5", *objective, *more, "--quiet", "--json", str(report)]) == 0
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    status, said = checked_file(proof)
    assert status == 0, said


def test_medians_of_half_flows_become_potentials(tmp_path, capsys) -> None:
    report, proof = tmp_path / "report.json", tmp_path / "proof.json"
    words = ["design", "random-regular:6,degree=3,seed=2,concentration=2", "--objective", "worst-case"]
    assert main([*words, "--solver", "half-flows", "--quiet", "--json", str(report)]) == 0
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    status, said = checked_file(proof)
    assert status == 0, said
    assert not json.loads(proof.read_text())["not_elaborated"]
