"""Which cables to mend first: every set by brute force, the real routes of FRR, forged reports."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from places import ETHERNET
from routeproof import plan, verify
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.format import read_network, write_network
from routeproof.questions.plan import mend
from routeproof.questions.plan.mend import MendAnswer
from routeproof.report.terminal.mend import mend_parts
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.mending import mended_name, mended_numbers
from routeproof.worst.scan.exact import worst_case
from true_reports import sealed

ECMP = "ecmp:choice=per-hop"


def named(topology: str) -> Routing:
    return routing_from_spec(ECMP, network_from_spec(topology))


def mends(topology: str, **options: Any) -> MendAnswer:
    return plan(named(topology), mend=True, **options).answer  # type: ignore[no-any-return]


def installed(name: str) -> Routing:
    network = read_network(ETHERNET / name)
    assert network.own_routing is not None
    return routing_from_spec(network.own_routing, network)


def verified(document: Any, folder: Path) -> int:
    path = folder / "report.json"
    path.write_text(json.dumps(document))
    return len(verify(path))


def by_brute_force(network: Network) -> Fraction:
    """The worst-case throughput, over all permutations."""
    routing = routing_from_spec(ECMP, network)
    size = network.num_terminals
    block = routing.pair_table().channel_loads(np.arange(network.num_channels))
    loads = np.zeros((network.num_channels, size, size))
    for c in range(network.num_channels):
        some = slice(block.offset[c], block.offset[c + 1])
        loads[c][block.row[some], block.column[some]] = block.load[some].num / block.load[some].den
    rows = np.arange(size)
    most = max(loads[:, rows, x].sum(1).max() for x in map(list, itertools.permutations(range(size))))
    return 1 / Fraction(most).limit_denominator(1000)


def test_every_set_by_brute_force() -> None:
    answer = mends("mesh:2x3,dead-links=0-1;4-5")
    wanted = {
        (): by_brute_force(network_from_spec("mesh:2x3,dead-links=0-1;4-5")),
        (1,): by_brute_force(network_from_spec("mesh:2x3,dead-links=4-5")),
        (2,): by_brute_force(network_from_spec("mesh:2x3,dead-links=0-1")),
        (1, 2): by_brute_force(network_from_spec("mesh:2x3")),
    }
    judged = {x.numbers: x.share for x in (answer.today, *answer.alone, *answer.order)}
    assert judged == {k: x for k, x in wanted.items() if k in judged}
    assert answer.alone[0].share == max(wanted[1,], wanted[2,])
    assert answer.tried == 2
    assert answer.order[-1].share == wanted[1, 2]


@pytest.mark.parametrize("most_sets", [0, 100])
def test_greedy_is_said_and_never_better(most_sets: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mend, "MOST_SETS", most_sets)
    answer = mends("torus:3x3,dead-links=0-1;3-4;1-4", steps=2)
    best = {int(x.about["mended"]): x for x in answer.stated if x.quantity == "best_throughput_mended"}
    assert best[1].relation == "=="
    exact = most_sets > 0
    assert (best[2].relation, answer.tried) == (("==", 2) if exact else (">=", 1))
    shares = [worst_case(named(f"torus:3x3,dead-links={x}")).throughput for x in ("0-1", "3-4", "1-4")]
    assert best[2].value == max(shares) if exact else best[2].value <= max(shares)  # type: ignore[operator]
    assert answer.order[-1].share == best[2].value
    assert verified(answer.document(), tmp_path) == len(answer.stated)


def test_the_routes_of_frr_after_mending_are_those_that_frr_had() -> None:
    found = plan(installed("three-tiers-agg11-swp4"), mend=True, intent=str(ETHERNET / "three-tiers")).answer
    whole = worst_case(installed("three-tiers")).throughput
    assert (found.today.share, found.alone[0].share) == (Fraction(1, 3), whole)
    assert found.entries == 72


def test_missing_cables_that_are_alike_are_judged_once(tmp_path: Path) -> None:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1)]
    path = tmp_path / "intent.json"
    write_network(Network.of("intent", 3, [*ends, (0, 1), (1, 0), (0, 1), (1, 0)]), path)
    routing = routing_from_spec(ECMP, Network.of("fabric", 3, ends))
    answer = plan(routing, mend=True, intent=str(path)).answer
    assert len(answer.choices) == 2
    assert [x.numbers for x in answer.alone] == [(1,)]
    assert [x.numbers for x in answer.order] == [(1,), (1, 2)]
    assert verified(answer.document(), tmp_path) == len(answer.stated)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("best", "the best guarantee in the report is"),
        ("relation", "a bound on the best of all sets has a cut and nothing else"),
        ("omitted", "the report has no guarantee of the fabric 'as it is, with deviation 1 mended'"),
        ("unmended", "the network 'as it is, with deviation 1 mended' is another one"),
        ("other", "'as it is, with deviation 3 mended' is neither of the two networks"),
    ],
)
def test_forged_reports_do_not_verify(what: str, words: str, tmp_path: Path) -> None:
    document = json.loads(json.dumps(mends("mesh:2x3,dead-links=0-1;4-5", steps=2).document()))
    claims, days = document["claims"], document["subject"]["days"]
    one = mended_name([1])
    best = next(x for x in claims if x["quantity"] == "best_throughput_mended" and x["mended"] == 1)
    if what == "best":
        best["value"] = "1"
    elif what == "relation":
        best["relation"] = "<="  # without a cut
    elif what == "omitted":  # the best of all sets, and one is left out
        shares = {x["day"]: x["value"] for x in claims if x["quantity"] == "worst_case_throughput"}
        document["claims"] = [x for x in claims if x.get("day") != one]
        del days[one]
        best["value"] = shares[mended_name([2])]
    elif what == "unmended":  # the intent's numbers under the name of the fabric with one mended
        days[one] = days[mended_name([1, 2])]
    else:
        days[mended_name([3])] = days.pop(one)
        for x in claims:
            x["day"] = mended_name([3]) if x.get("day") == one else x.get("day")
            if x["day"] is None:
                del x["day"]
    with pytest.raises((VerificationError, InputError), match=words):
        verified(sealed(document), tmp_path)


@pytest.mark.parametrize("numbers", [(1,), (1, 2), (3, 10, 11)])
def test_names_of_what_is_mended_are_read_back(numbers: tuple[int, ...]) -> None:
    assert mended_numbers(mended_name(numbers)) == numbers


@pytest.mark.parametrize(
    "text", ["as it is", "as it is, with deviations 2, 1 mended", "as it is, with deviation 01 mended"]
)
def test_other_names_are_not(text: str) -> None:
    assert mended_numbers(text) is None


@pytest.mark.parametrize(
    ("topology", "options", "wrong"),
    [
        ("fat-tree:4", {}, "nothing says which cables of fat-tree:4 are missing; intent=TOPOLOGY was expected"),
        ("fat-tree:4", {"intent": "fat-tree:4"}, "nothing to mend: every cable of fat-tree:4 is as fat-tree:4 has it"),
        ("fat-tree:4", {"intent": "fat-tree:8"}, "does not fit"),
        ("fat-tree:4,dead-links=0-8", {"repair": "split"}, "takes installed-rule or rebuild"),
        ("fat-tree:4,dead-links=0-8", {"repair": "installed-rule"}, "would use one more cable is not known"),
        ("fat-tree:4,dead-links=0-8", {"drain": [1]}, "changes are planned one at a time"),
    ],
)  # fmt: skip
def test_what_cannot_be_mended(topology: str, options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        plan(named(topology), mend=True, **options)


def test_what_goes_with_mending_alone() -> None:
    with pytest.raises(InputError, match="go with"):
        plan(named("fat-tree:4"), drain=[16], intent="fat-tree:4")


def test_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "torus:3x3,dead-links=0-1;3-4", "--routing", ECMP, "--mend", "--steps", "1"]) == 0
    text = capsys.readouterr().out
    assert "2 cables can be mended" in text
    assert "(0,0) - (0,1)" in text


@pytest.mark.parametrize("stop", [2, 4])
def test_interrupted_it_keeps_what_is_judged(stop: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged, own = [], mend._Trial._judged

    def until(self: mend._Trial, some: tuple[int, ...]) -> mend.Mended:
        if len(judged) == stop:
            raise KeyboardInterrupt
        judged.append(some)
        return own(self, some)

    monkeypatch.setattr(mend._Trial, "_judged", until)
    answer = mends("torus:3x3,dead-links=0-1;3-4;1-4")
    assert answer.notes == [f"interrupted: {stop - 1} are mended alone, 0 one after the other"]
    best = [(x.about["mended"], x.relation) for x in answer.stated if x.quantity == "best_throughput_mended"]
    assert best == [(1, "==" if stop == 4 else ">=")]
    assert verified(answer.document(), tmp_path) == len(answer.stated)
    assert mend_parts(answer)
