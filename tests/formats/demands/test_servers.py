"""Traffic across servers, on rails, in rings: against all permutations, by every router, and in reports that verify."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from routeproof import mesh, named_routing
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.demand_sets.servers import Servers, servers_of
from routeproof.formats.demands.servers import read_servers
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.worst.demand_sets.jobs import job_loads
from routeproof.worst.scan.exact import worst_case_over
from true_reports import sealed

SERVERS = "a: 0 1\nb: 2 5  # 3 and 4 are alone\n"
SERVER = {0: "a", 1: "a", 2: "b", 5: "b"}
RAIL = {0: 0, 1: 1, 2: 0, 5: 1}
JOB = [0, 5, 1, 3]
SETS: dict[str, Callable[[int, int], bool]] = {
    "servers:srv": lambda i, j: SERVER.get(i, i) != SERVER.get(j, j),
    "rails:srv": lambda i, j: i in RAIL and j in RAIL and RAIL[i] == RAIL[j] and SERVER[i] != SERVER[j],
    "ring:jobs": lambda i, j: i in JOB and j in JOB and JOB[(JOB.index(i) + 1) % 4] == j,
    "recursive-doubling:jobs": lambda i, j: i in JOB and j in JOB and JOB.index(i) ^ JOB.index(j) in (1, 2),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "srv").write_text(SERVERS)
    (tmp_path / "jobs").write_text("j: 0 5 1 3\n")
    monkeypatch.chdir(tmp_path)


def brute(name: str, may: Callable[[int, int], bool], most: int = 6) -> Fraction:
    """The worst of all permutations, of which pairs that may not send are left out, and all but ``most`` packets."""
    net = mesh(3, 2)
    routing = named_routing(name, net)
    block = routing.pair_loads(np.repeat(np.arange(6), 6), np.tile(np.arange(6), 6))
    load = np.zeros((36, net.num_channels), dtype=object)
    for k in range(36):
        for c, x in block.as_dict(k).items():
            load[k, c] = x
    worst = Fraction(0)
    for image in itertools.permutations(range(6)):
        sent = [6 * i + j for i, j in enumerate(image) if i != j and may(i, j)]
        if sent:
            worst = max(worst, *np.sort(load[sent], axis=0)[-most:].sum(axis=0).tolist())
    return Fraction(worst)


@pytest.mark.parametrize("text", SETS)
@pytest.mark.parametrize("name", ["dor", "valiant"])
def test_the_worst_of_all_permutations(name: str, text: str) -> None:
    found = worst_case_over(named_routing(name, mesh(3, 2)), demands_from_spec([text], mesh(3, 2)))  # type: ignore[arg-type]
    assert found.load == brute(name, SETS[text])


def test_two_packets_across_servers() -> None:
    demands = demands_from_spec(["sparse:2", "servers:srv"], mesh(3, 2))
    found = worst_case_over(named_routing("valiant", mesh(3, 2)), demands)  # type: ignore[arg-type]
    assert found.load == brute("valiant", SETS["servers:srv"], most=2)


def test_jobs_that_send_nothing_inside_servers() -> None:
    Path("within").write_text("x: 0 1 3\ny: 2 5\n")
    demands = demands_from_spec(["within:within", "servers:srv"], mesh(3, 2))
    found = job_loads(named_routing("dor", mesh(3, 2)), demands)  # type: ignore[arg-type]
    assert found.worst[1][0] == 0  # both of y are on server b
    job = {0: "x", 1: "x", 3: "x"}
    assert found.together[0] == brute("dor", lambda i, j: i in job and j in job and SETS["servers:srv"](i, j))


@pytest.mark.parametrize("text", ["servers:srv", "rails:srv", "ring:jobs"])
@pytest.mark.parametrize(
    "command",
    [
        "worst-case mesh:3x2 --routing valiant",
        "design mesh:3x2 --objective worst-case",
        "compare mesh:3x2 dor valiant",
        "adaptive mesh:3x2",
        "failures mesh:3x2 --routing dor --repair split",
    ],
)
def test_every_router_takes_it_and_its_report_verifies(
    command: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--demands", text, "--json", "r.json"]) == 0
    assert main(["verify", "r.json"]) == 0
    capsys.readouterr()


def hosts(*names: str) -> Network:
    """Two switches with a cable each way, hosts at both."""
    half = len(names) // 2
    at = [0] * half + [1] * (len(names) - half)
    return Network.of("two", 2, [(0, 1), (1, 0)], source=at, sink=at, terminal_labels=names)


@pytest.mark.parametrize(
    ("labels", "servers"),
    [
        (("n1 mlx5_0", "n1 mlx5_1", "n2 mlx5_0"), "n1 n1 n2"),
        (("n1 HCA-1", "n1 HCA-2/P1", "n1 HCA-2/P2"), "n1 n1 n1"),
        (("h1/P1", "h1/P2", "h2"), "h1 h1 -"),
        (("pod0.server1.gpu0", "pod0.server1.gpu1", "pod0.server2.gpu0"), "pod0.server1 pod0.server1 pod0.server2"),
        (("MT4123 ConnectX6", "MT4123 ConnectX7", "rack1 node1"), "- - -"),
        (("rack1.node1", "rack1.node2", "10.0.0.0/24"), "- - -"),
        (("n1 mlx5_0", "n1 mlx5_0", "n2 mlx5_0"), "- - n2"),  # two devices of one name cannot be told apart
    ],
)
def test_servers_by_name(labels: tuple[str, ...], servers: str) -> None:
    assert " ".join(x or "-" for x in servers_of(hosts(*labels)).server) == servers


def test_rails_by_name() -> None:
    net = hosts("n1 mlx5_0", "n1 mlx5_1", "n2 mlx5_1", "n2 mlx5_0")
    demands = demands_from_spec(["rails"], net).transport
    assert {(i, j) for i in range(4) for j in range(4) if demands.allows(i, j)} == {(0, 3), (3, 0), (1, 2), (2, 1)}
    assert demands.jobs == ("mlx5_0", "mlx5_1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no server of two terminals"),
        ("a: 0 1\na: 2 3\n", "line 2: a second server 'a'"),
        ("a: 0 1\nb: 1 2\n", "line 2: terminal '1' is in servers a and b; once was expected"),
        ("a: 0 0\n", "terminal '0' is in server a twice"),
        ("a 0 1\n", "line 1: 'a 0 1'; a server and its terminals"),
        ("a: 0 9\n", "line 1: terminal 9; terminals are 0 to 5"),
        ("a: 0x12 1\n", "no terminal has the GUID '0x12'"),
        ("a: n[1-\n", "has a bracket without its other one"),
    ],
)
def test_damaged_files(text: str, reason: str) -> None:
    Path("srv").write_text(text)
    with pytest.raises(InputError, match=reason.replace("[", r"\[")):
        read_servers("srv", mesh(3, 2))


def test_what_is_no_set() -> None:
    with pytest.raises(InputError, match="no server with two terminals is known by its name"):
        demands_from_spec(["servers"], mesh(3, 2))
    with pytest.raises(InputError, match="needs a value"):
        demands_from_spec(["servers:"], mesh(3, 2))
    Path("jobs").write_text("j: 0 1 2\n")
    Path("other").write_text("a: 1 2\n")
    with pytest.raises(InputError, match="job 'j' has 3 ranks; a power of two"):
        demands_from_spec(["recursive-doubling:jobs"], mesh(3, 2))
    with pytest.raises(InputError, match="in two ways; one was expected"):
        demands_from_spec(["servers:srv", "servers:other"], mesh(3, 2))
    with pytest.raises(InputError, match="two terminals on rail r"):
        Servers(("a", "a"), ("r", "r"))


def test_larger_servers_stay() -> None:
    Path("other").write_text("a: 0 1 3\nb: 2 5\n")
    both = demands_from_spec(["servers:srv", "servers:other"], mesh(3, 2)).transport
    assert not both.allows(0, 3)
    assert both.allows(3, 4)


@pytest.mark.parametrize("text", ["servers", "rails"])
def test_a_report_with_other_servers_than_the_network_has(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    where = "rail-optimized:2,2,spines=2,nvlink=9"
    assert main(["worst-case", where, "--routing", "ecmp", "--demands", text, "--json", "r.json"]) == 0
    assert main(["verify", "r.json"]) == 0
    report = json.loads(Path("r.json").read_text())
    assert report["subject"]["demands"]["servers"] == [[0, 1], [2, 3]]
    report["subject"]["demands"]["servers"] = [[0, 3], [1, 2]]
    Path("r.json").write_text(json.dumps(sealed(report)))
    assert main(["verify", "r.json"]) in (1, 2)
    assert "the servers are not those of its names" in "".join(capsys.readouterr())


@pytest.mark.parametrize("value", ["x", [[0, 1], [1, 2]], [[0, 99]], [3], [["0", 1]]])
def test_malformed_servers_in_a_report(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "mesh:3x2", "--routing", "dor", "--demands", "servers:srv", "--json", "r.json"]) == 0
    report = json.loads(Path("r.json").read_text())
    report["subject"]["demands"]["servers"] = value
    Path("r.json").write_text(json.dumps(sealed(report)))
    assert main(["verify", "r.json"]) in (1, 2)
    capsys.readouterr()


def test_a_smaller_set_by_the_same_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "mesh:3x2", "--routing", "dor", "--demands", "servers:srv", "--json", "r.json"]) == 0
    report = json.loads(Path("r.json").read_text())
    del report["subject"]["demands"]["servers"]
    Path("r.json").write_text(json.dumps(sealed(report)))
    assert main(["verify", "r.json"]) in (1, 2)
    assert "do not say the same of 'servers'" in "".join(capsys.readouterr())


def test_proofs_for_other_checkers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "mesh:3x2", "--routing", "dor", "--demands", "rails:srv", "--json", "r.json"]) == 0
    assert main(["verify", "r.json", "--elaborate", "proof.json"]) == 0
    capsys.readouterr()
