"""Code of other people that raises, exits or makes nonsense: one line that says whose, and no 0 without a result."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.misbehaving import COMMANDS, DEEDS, MODULE, OF_FORMATS, POINTS

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.format import FORMATS
from routeproof.routing.named.names import ROUTINGS
from routeproof.topologies.family import TOPOLOGIES

ALLOWED = {  # what is no misbehaviour there
    ("nothing", "late:3"), ("nothing", "odd.py:late_topology"), ("nothing", "odd-sampled"), ("nothing", "sniff"),
    ("number", "sniff"), ("number", "odd.py:stateful"),
}  # fmt: skip


class Site:
    """A folder on Python's path with the module and its entry points."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.info = folder, folder / "odd_module-1.0.dist-info"
        self.info.mkdir()
        (self.info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-package\nVersion: 1.0\n")
        (folder / "net.odd").write_text("1 2\n")

    def holds(self, text: str, points: dict[str, dict[str, str]]) -> None:
        for name in ("odd_module.py", "odd.py"):
            (self.folder / name).write_text(text)
        lines = [x for group, of in points.items() for x in (f"[{group}]", *(f"{k} = {v}" for k, v in of.items()))]
        (self.info / "entry_points.txt").write_text("\n".join(lines))
        forget()


def forget() -> None:
    for table in (TOPOLOGIES, ROUTINGS, FORMATS):
        table.__dict__.pop("others", None)
    for name in [x for x in sys.modules if x == "odd_module" or x.startswith("routeproof_file")]:
        del sys.modules[name]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield Site(tmp_path)
    forget()


@pytest.mark.parametrize("deed", DEEDS)
def test_it_is_one_line_that_names_whose(deed: str, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    text = MODULE.format(deed=DEEDS[deed])
    others = {group: of for group, of in POINTS.items() if group != "routeproof.formats"}
    runs = [(others, command) for command in COMMANDS]
    for name, commands in OF_FORMATS.items():
        runs += [({"routeproof.formats": {name: f"odd_module:{name.upper()}"}}, command) for command in commands]
    for points, command in runs:
        site.holds(text, points)
        status = main([*command.split(), *(["--json", "-"] if command.startswith("worst-case") else [])])
        said = capsys.readouterr()
        about = "sniff" if "sniff" in str(points) else re.split("[ ,]", command.replace("ring:3 -r ", ""))[1]
        if (deed, about) in ALLOWED or "stateful,samples" in command:  # a state that nobody can remember is sampled
            assert status == 0, command
            assert len(said.out) > 40, command
            continue
        assert status == 2, (command, said)
        assert said.out == "", command
        assert re.fullmatch(r"error: [^\n]+\n", said.err), (command, said.err)
        assert "odd" in said.err or "judge" in said.err, (command, said.err)


@pytest.mark.parametrize("deed", [x for x in DEEDS if DEEDS[x].startswith(("raise", "import", "open"))])
def test_what_is_raised_at_import(deed: str, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    text = MODULE.format(deed="pass") + f"\n{DEEDS[deed]}\n"
    for command in (
        "worst-case odd:3 -r minimal",
        "worst-case ring:3 -r odd-build",
        "worst-case odd.py:topology -r dor",
    ):
        site.holds(text, {x: of for x, of in POINTS.items() if x != "routeproof.formats"})
        assert main(command.split()) == 2
        said = capsys.readouterr()
        assert re.fullmatch(r"error: [^\n]*odd[^\n]*\n", said.err), said.err
        assert main(["worst-case", "--help"]) == 0
        assert "odd" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("Family('odd:3', 3, network)", "its help is 3; a str was expected"),
        ("Family('odd:3', 'x', None)", "its build is None; a function was expected"),
        ("Family('odd:3', 'x', network, 'two')", "its parameters is two; a int was expected"),
        ("Family('odd:3', 'x', network, flags=3)", "its flags is 3; a tuple was expected"),
        ("Family('odd:3', 'x', network, options=(3,))", r"its options is \(3,\); texts were expected"),
        ("Family('odd:3', 'x', network, wiring=network)", ""),
        ("type('Sub', (Family,), {'name': 'odd', 'pieces': 1 // 1})('odd:3', 'x', network)", ""),
    ],
)
def test_a_family_of_other_types_is_refused(entry: str, found: str, site: Site) -> None:
    text = MODULE.format(deed="pass") + f"\nFAMILY = {entry}\n"
    site.holds(text, {"routeproof.topologies": {"odd": "odd_module:FAMILY"}})
    if found:
        with pytest.raises(InputError, match=f"topology odd of the package odd-package: {found}"):
            TOPOLOGIES.find("odd")
    else:
        family = TOPOLOGIES.find("odd")
        assert family is not None
        assert family.build(family.pieces("odd:3")).num_nodes == 3
