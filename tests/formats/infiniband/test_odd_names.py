"""Names as NVIDIA's switches have them, ``MF0;ib7:SX6036/U1``, wherever a name can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.demands.jobs import read_jobs
from routeproof.formats.demands.pairs import read_pairs
from routeproof.formats.resolve import resolve_network

SWITCHES = ("MF0;ib7:SX6036/U1", "MF0;ib8:SX6036/U1", 'the "old" one, spare', "spine-1")
HOSTS = ("node 1;a", "node 2;a HCA-1", "gpu,3", 'gpu "4"')


def topology(folder: Path) -> Path:
    """Three switches in a triangle and one that hangs at the first; a host at each."""
    ends = {(0, 1): (1, 1), (0, 2): (2, 1), (1, 2): (2, 2), (0, 3): (3, 1)}
    both = {**ends, **{b: a for a, b in ends.items()}}
    lines = []
    for s, name in enumerate(SWITCHES):
        lines.append(f'Switch 8 "S-{s + 1:016x}"\t\t# "{name}" base port 0 lid {s + 1} lmc 0')
        for (a, p), (b, q) in sorted(both.items()):
            if a == s:
                lines.append(f'[{p}]\t"S-{b + 1:016x}"[{q}]\t\t# "{SWITCHES[b]}" lid {b + 1} 4xEDR')
        lines += [f'[8]\t"H-{s + 100:016x}"[1]({s + 200:x}) \t\t# "{HOSTS[s]}" lid {s + 11} 4xEDR', ""]
    for s, name in enumerate(HOSTS):
        lines.append(f'Ca 1 "H-{s + 100:016x}"\t\t# "{name}"')
        lines += [
            f'[1]({s + 200:x}) \t"S-{s + 1:016x}"[8]\t\t# lid {s + 11} lmc 0 "{SWITCHES[s]}" lid {s + 1} 4xEDR',
            "",
        ]
    path = folder / "fabric.topo"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(topology(tmp_path))


def labels(network: Network) -> set[str]:
    return set(network.labels or ())


class TestDeadNodes:
    @pytest.mark.parametrize(
        ("text", "gone"),
        [
            ("MF0;ib7:SX6036/U1", {0}),
            ('"MF0;ib7:SX6036/U1"', {0}),
            ("MF0;ib7:SX6036/U1;spine-1", {0, 3}),
            ("spine-1;MF0;ib8:SX6036/U1;MF0;ib7:SX6036/U1", {0, 1, 3}),
            ('"the ""old"" one, spare";spine-1', {2, 3}),
            ("MF0;ib*", {0, 1}),
            ('"MF0;ib*";spine-?', {0, 1, 3}),
            ("2", {2}),
        ],
    )
    def test_by_name(self, text: str, gone: set[int], path: str) -> None:
        network = resolve_network(f"{path},dead-nodes={text}")
        assert labels(network) == {x for s, x in enumerate(SWITCHES) if s not in gone}

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("MF0", "no node is called 'MF0'; write \"MF0;ib7:SX6036/U1\", in double quotes"),
            ("MF0;ib9:SX6036/U1", 'write "MF0;ib7:SX6036/U1", in double quotes'),
            ("node 1;a", "it is a host, which without="),
        ],
    )
    def test_errors_show_how_to_write_it(self, text: str, says: str, path: str) -> None:
        with pytest.raises(InputError) as error:
            resolve_network(f"{path},dead-nodes={text}")
        assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "channels"),
    [
        ("MF0;ib7:SX6036/U1-MF0;ib8:SX6036/U1", 6),
        ('"MF0;ib7:SX6036/U1"-"MF0;ib8:SX6036/U1"', 6),
        ('"MF0;ib7:SX6036/U1"[1]-"MF0;ib8:SX6036/U1"[1]', 6),
        ("MF0;ib7:SX6036/U1-spine-1;MF0;ib8:SX6036/U1-MF0;ib7:SX6036/U1", 4),
        ('"the ""old"" one, spare"-MF0;ib8:SX6036/U1;0-1', 4),
        ("0-1;2-0", 4),
    ],
)
def test_dead_links(text: str, channels: int, path: str) -> None:
    assert resolve_network(f"{path},dead-links={text}").num_channels == channels


class TestHosts:
    @pytest.mark.parametrize(
        ("text", "left"),
        [
            ("node 1;a", {1, 2, 3}),
            ('"node 1;a";"gpu,3"', {1, 3}),
            ("node*;a*", {2, 3}),
            ('"gpu*"', {0, 1}),
            ('"gpu ""4""";node 1;a', {1, 2}),
        ],
    )
    def test_without(self, text: str, left: set[int], path: str) -> None:
        network = resolve_network(f"{path},without={text}")
        assert set(network.terminal_labels or ()) == {x for s, x in enumerate(HOSTS) if s in left}

    def test_on_the_command_line(self, path: str, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["worst-case", path, "--routing", "minimal"]
        assert main([*words, "--hosts", '"gpu,3","node 1;a"']) == 0
        assert "2 terminals" in capsys.readouterr().out
        assert main([*words, "--hosts", "node*;a*,gpu[3-4]"]) == 2
        assert main([*words, "--without", "node 1"]) == 2
        assert 'write "node 1;a", in double quotes' in " ".join(capsys.readouterr().err.split())
        assert main([*words, "--without", "node 1;a"]) == 0
        assert "3 terminals" in capsys.readouterr().out


class TestFiles:
    @pytest.mark.parametrize(
        ("text", "jobs"),
        [
            ('one: "node 1;a" "gpu,3"\ntwo: "node 2;a HCA-1", "gpu ""4"""', {"one": (0, 2), "two": (1, 3)}),
            ("one: gpu* \ntwo: node*", {"one": (2, 3), "two": (0, 1)}),
            ('one: "MF0;ib*"', {"one": (0, 1)}),
            ('one: "MF0;ib7:SX6036/U1" spine-1', {"one": (0, 3)}),
            ('1234 "MF0;ib7:SX6036/U1",spine-1', {"1234": (0, 3)}),
            ('{"one": ["MF0;ib7:SX6036/U1", "gpu*"]}', {"one": (0, 2, 3)}),
        ],
    )
    def test_jobs(self, text: str, jobs: dict[str, tuple[int, ...]], path: str, tmp_path: Path) -> None:
        (tmp_path / "jobs.txt").write_text(text)
        found = read_jobs(tmp_path / "jobs.txt", resolve_network(path))
        number = {HOSTS.index(x): i for i, x in enumerate(resolve_network(path).terminal_labels or ())}
        assert {k: set(v) for k, v in found.terminals.items()} == {k: {number[x] for x in v} for k, v in jobs.items()}

    def test_an_error_shows_how_to_write_it(self, path: str, tmp_path: Path) -> None:
        (tmp_path / "jobs.txt").write_text("one: MF0 spine-1\n")
        with pytest.raises(InputError, match="has no terminal 'MF0'; write \"MF0;ib7:SX6036/U1\", in double quotes"):
            read_jobs(tmp_path / "jobs.txt", resolve_network(path))

    def test_pairs(self, path: str, tmp_path: Path) -> None:
        (tmp_path / "pairs.txt").write_text('"node 1;a" "gpu,3"\n"gpu,3",spine-1\n')
        assert len(read_pairs(tmp_path / "pairs.txt", resolve_network(path))) == 2


@pytest.mark.parametrize("comment", ['# "" base', "# base", "#base"])
def test_a_switch_without_a_name(comment: str, path: str) -> None:
    text = Path(path).read_text().replace('# "spine-1" base', comment).replace('# "spine-1" lid', "# lid")
    Path(path).write_text(text)
    assert "[4]" in labels(resolve_network(path))
    assert len(labels(resolve_network(f"{path},dead-nodes=[4]"))) == 3
