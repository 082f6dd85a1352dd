"""The rooms of the house: who may import whom, and what importing the package may cost."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "src" / "routeproof"

_CORE: frozenset[str] = frozenset({"core"})
_SHAPES = _CORE | {"topologies", "formats"}
_ROUTING = _SHAPES | {"routing"}
_ANALYSIS = _ROUTING | {"analysis"}
_RESULTS = _ANALYSIS | {"design", "search", "simulate"}
_ANSWERS = _RESULTS | {"answers"}
_STUDIES = _RESULTS | {"studies"}
_REPORT = _STUDIES | {"answers", "report"}
_CHECKERS = _ROUTING | {"verification"}

GROUND = ("machine", "engine")  # these may import core.errors; every room may import the machine
# core <- topologies, formats <- routing <- analysis <- design, search, simulate <- answers, studies <- report <- cli,
# api
MAY_IMPORT: dict[str, frozenset[str]] = {
    "core": _CORE,
    "machine": frozenset(),  # and core.errors, see below
    "engine": frozenset({"engine"}),
    "topologies": _SHAPES,
    "formats": _SHAPES,
    "routing": _ROUTING,
    "analysis": _ANALYSIS,
    "design": _RESULTS | {"engine"},
    "search": _RESULTS | {"engine"},
    "simulate": _RESULTS | {"engine"},
    "studies": _STUDIES | {"engine"},
    "answers": _ANSWERS | {"engine"},
    "report": _REPORT,
    "verification": _CHECKERS,
    "__main__": frozenset({"cli"}),
    "cli": _REPORT | {"verification", "engine", "cli"},
    "api": _REPORT | {"verification", "engine", "api"},
}
# What verification may take from analysis: only what checks evidence, never what searches.
SEARCHES = ("worst_case", "sweep", "sweep_block", "transport", "fold", "automorphisms", "matching")
SMALL_KERNEL = {"__future__", *sys.stdlib_module_names, "numpy"}
HEAVY = ("numba", "networkx", "matplotlib", "typer", "igraph", "scipy", "pydantic", "rich")


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py"))


def name_of(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def imports(path: Path) -> set[tuple[str, ...]]:
    """Every module that a file imports, anywhere in it; our own as (room, module, ...), others as ("", top, ...)."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path)[:-1]
    found: set[tuple[str, ...]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.add(_absolute(tuple(alias.name.split("."))))
        elif isinstance(node, ast.ImportFrom):
            inner = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = package[: len(package) - node.level + 1] + inner
                found.update((*base, alias.name) for alias in node.names) if len(base) < 2 else found.add(base)
            else:
                found.add(_absolute(inner))
    return found


def _absolute(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[1:] if parts[0] == "routeproof" else ("", *parts)


@pytest.mark.parametrize("path", modules(), ids=lambda path: "/".join(name_of(path)) or "routeproof")
def test_imports_point_one_way(path: Path) -> None:
    name = name_of(path)
    if not name:
        return  # the package itself hands out names of every room, lazily
    room = name[0]
    assert room in MAY_IMPORT, f"{path.name} is in no known room"
    for found in imports(path):
        if found[0] in ("", "__version__", "machine") or (room in GROUND and found[:2] == ("core", "errors")):
            continue
        assert found[0] in MAY_IMPORT[room], f"{'/'.join(name)} imports {'.'.join(found)}"


def test_there_is_something_to_check() -> None:
    assert len(modules()) > 20
    assert ("core", "errors") in imports(ROOT / "core" / "network.py")
    assert any(x[:2] == ("", "numpy") for x in imports(ROOT / "core" / "network.py"))


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.py")), ids=lambda path: "/".join(name_of(path)))
def test_core_is_made_of_numpy_and_the_standard_library(path: Path) -> None:
    for found in imports(path):
        if found[0] == "":
            assert found[1] in SMALL_KERNEL, f"core/{path.name} imports {found[1]}"


def test_verification_does_not_search() -> None:
    files = sorted((ROOT / "verification").rglob("*.py"))
    assert len(files) > 20
    for path in files:
        for found in imports(path):
            searching = found[0] == "analysis" and (len(found) < 2 or found[1] in SEARCHES)
            assert not searching, f"{path.name} imports {'.'.join(found)}"


def test_no_sheds() -> None:
    assert not [path for path in modules() if path.stem in ("utils", "helpers", "misc", "common")]


@pytest.mark.parametrize("statement", ["import routeproof", "from routeproof import InputError, __version__"])
def test_importing_the_package_is_cheap(statement: str) -> None:
    code = f"import sys\n{statement}\nprint(sorted(set({HEAVY!r}) & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_help_does_not_load_the_machinery() -> None:
    code = (
        "import sys\nfrom routeproof.cli.main import main\nstatus = main(['--help'])\n"
        "print(status, sorted({'numba', 'networkx', 'matplotlib', 'igraph', 'scipy', 'numpy'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "0 []"
