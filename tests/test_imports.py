"""The rooms of the house: who may import whom, and what importing the package may cost."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from module_graph import Name, circles, external_imports, module_graph, modules, names_in

MODULES = modules()
_CORE: frozenset[str] = frozenset({"core"})
_KERNEL = _CORE | {"kernel", "graphs", "lp"}
_SHAPES = _KERNEL | {"demand_sets", "topologies", "formats"}
_ROUTING = _SHAPES | {"symmetry", "routing"}
_WORST = _ROUTING | {"claims", "worst"}
_RESULTS = _WORST | {"optimum", "searching", "simulate"}
_REPORT = _RESULTS | {"questions", "studies", "report"}

# core <- kernel, graphs, lp, topologies <- demand_sets <- formats <- symmetry <- routing <- claims <- worst <- optimum,
# searching, simulate <- questions, studies <- report <- cli, api; the machine and core.errors are for all, the
# engine from optimum on.  What finds a number (worst, optimum, lp) is never imported by what checks it.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "core": _CORE,
    "machine": frozenset({"machine"}),
    "engine": frozenset({"engine"}),
    "kernel": _CORE | {"kernel"},
    "graphs": _CORE | {"graphs"},
    "lp": _CORE | {"lp", "graphs"},
    "topologies": _CORE | {"topologies", "graphs"},
    "demand_sets": _KERNEL | {"demand_sets"},
    "formats": _SHAPES - {"lp"},
    "symmetry": _CORE | {"kernel", "graphs", "demand_sets", "formats", "symmetry"},
    "routing": _ROUTING - {"lp"},
    "claims": (_ROUTING - {"lp", "graphs"}) | {"claims"},
    "worst": _WORST,
    "optimum": _RESULTS | {"engine"},
    "searching": _RESULTS | {"engine"},
    "simulate": _RESULTS | {"engine"},
    "studies": _RESULTS | {"studies", "engine"},
    "questions": _RESULTS | {"questions", "studies", "verification", "engine"},
    "report": _REPORT,
    "verification": (_ROUTING - {"lp", "graphs"}) | {"claims", "verification"},
    "__main__": frozenset({"cli"}),
    "cli": _REPORT | {"verification", "engine", "cli"},
    "api": _REPORT | {"verification", "engine", "api"},
}
FOR_ALL = (("machine",), ("core", "errors"))

# The rooms inside rooms, each with the other rooms inside the same room that it may import.
INSIDE: Mapping[str, Mapping[str, set[str]]] = {
    "claims": {
        "calls": {"proofs"},
        "collectives": {"proofs", "routings"},
        "cube": {"proofs"},
        "multistage": {"calls", "proofs"},
        "proofs": set(),
        "routings": {"proofs"},
        "schedules": {"collectives", "proofs"},
    },
    "core": {
        "cube": set(),
        "multistage": set(),
        "sampling": {"vocabulary"},
        "schedules": set(),
        "vocabulary": set(),
    },
    "topologies": {"datacenter": {"multistage", "random"}, "grid": set(), "multistage": set(), "random": set()},
    "formats": {
        "ai_clusters": set(),
        "demands": {"documents", "graphs"},
        "documents": set(),
        "ethernet": {"documents"},
        "graphs": {"documents"},
        "infiniband": {"documents"},
        "schedules": {"documents"},
        "simulators": {"documents", "graphs"},
    },
    "routing": {
        "base": set(),
        "classes": {"base", "path_sets"},
        "dependencies": {"base", "grid"},
        "fabrics": {"base", "dependencies", "hashing", "tables"},
        "files": {"base", "classes", "fabrics", "graph", "grid", "tables"},
        "function": {"base"},
        "graph": {"base", "hashing", "tables"},
        "grid": {"base", "graph"},
        "hashing": {"base", "tables"},
        "named": {"base", "classes", "fabrics", "files", "function", "graph", "grid", "path_sets", "tables"},
        "path_sets": {"base", "graph", "grid"},
        "tables": {"base", "dependencies"},
    },
    "questions": {
        "design": set(),
        "collectives": set(),
        "fabrics": {"failures"},
        "failures": set(),
        "plan": {"fabrics", "failures"},
        "simulate": set(),
    },
    "worst": {
        "deadlock": set(),
        "demand_sets": {"scan"},
        "expansion": set(),
        "routable": {"scan"},
        "scan": set(),
        "schedules": set(),
    },
    "optimum": {
        "adaptive": {"program"},
        "collectives": set(),
        "first_order": {"program"},
        "half_flows": {"program"},
        "interior": {"program"},
        "matrix_flow": {"program"},
        "optimal_face": {"half_flows", "interior", "program"},
        "program": set(),
        "routable": {"interior", "program"},
        "tables": set(),
    },
    "simulate": {
        "calls": {"circuits", "multistage"},
        "circuits": {"packets"},
        "cube": {"multistage"},
        "load": set(),
        "multistage": {"calls", "circuits", "packets"},
        "packets": set(),
    },
    "report": {
        "drawing": {"figures", "terminal"},
        "figures": {"drawing", "terminal"},
        "html": {"drawing", "figures", "terminal"},
        "notebook": {"figures", "html"},
        "terminal": {"figures"},
    },
    "studies": {
        "hwang_yao_dasgupta": set(),
        "maggs": set(),
        "towles_dally_2002": set(),
        "towles_dally_boyd_2003": set(),
    },
    "cli": {"frame": set(), "simulate": {"frame", "verbs"}, "verbs": {"frame", "simulate"}},
}

MOST_FILES = 25
SMALL_KERNEL = {*sys.stdlib_module_names, "numpy"}
HEAVY = ("numba", "networkx", "matplotlib", "typer", "igraph", "scipy", "pydantic", "rich", "highspy")


@pytest.fixture(scope="module")
def graph() -> dict[Name, set[Name]]:
    return module_graph(MODULES)


def spelled(name: Name) -> str:
    return "/".join(name)


def test_imports_point_one_way(graph: dict[Name, set[Name]]) -> None:
    """At the top of a file, inside functions, for types only and by text."""
    wrong = []
    for name, found in graph.items():
        if not name:
            continue  # the package itself hands out names of every room, lazily
        assert name[0] in MAY_IMPORT, f"{spelled(name)} is in no known room"
        for other in found:
            if other[0] not in MAY_IMPORT[name[0]] and not any(other[: len(x)] == x for x in FOR_ALL):
                wrong.append(f"{spelled(name)} imports {spelled(other)}")
    assert not wrong


def test_rooms_inside_rooms_are_those_of_the_plan(graph: dict[Name, set[Name]]) -> None:
    rooms = {name for name, path in MODULES.items() if path.name == "__init__.py" and len(name) > 1}
    planned = {(room, inside) for room, some in INSIDE.items() for inside in some}
    assert rooms <= planned
    wrong = [
        f"{spelled(name)} imports {spelled(other)}"
        for name, found in graph.items()
        for other in found
        if name[:1] == other[:1] and name[:2] != other[:2] and {name[:2], other[:2]} <= rooms
        if name[0] in INSIDE and other[1] not in INSIDE[name[0]][name[1]]
    ]
    assert not wrong


def test_there_are_no_circles(graph: dict[Name, set[Name]]) -> None:
    """Not even inside a room, in functions, for types or by text."""
    assert not [sorted(map(spelled, circle)) for circle in circles(graph)]


def test_no_folder_holds_more_than_a_person_takes_in_at_one_look() -> None:
    files = Counter(path.parent for path in MODULES.values())
    assert not {str(folder): count for folder, count in files.items() if count > MOST_FILES + 1}  # and its __init__


ROOMS = sorted(name for name, path in MODULES.items() if path.name == "__init__.py" and name)


@pytest.mark.parametrize("room", ROOMS, ids=spelled)
def test_every_room_says_where_to_begin(room: Name) -> None:
    text = ast.get_docstring(ast.parse(MODULES[room].read_text(encoding="utf-8"))) or ""
    assert len(text.splitlines()[0]) > 20, "its first line says what lives there"
    first = re.search(r"Begin with\s+``([a-z0-9_.]+)``", text)
    assert first is not None, "it does not say where to begin reading"
    assert (*room, *first[1].split(".")) in MODULES, f"there is no {first[1]}"


def test_imports_of_all_forms_are_seen(tmp_path: Path) -> None:
    known = {(): Path(), ("a",): tmp_path / "a/__init__.py", ("a", "b"): Path("b.py"), ("a", "c"): Path("c.py")}
    for text, wanted in {
        "from .b import x": {("a", "b")},
        "from . import b": {("a", "b")},
        "from routeproof.a.c import x": {("a", "c")},
        "import routeproof.a.c": {("a", "c")},
        "def f():\n    from .b import x": {("a", "b")},
        "if TYPE_CHECKING:\n    from .b import x": {("a", "b")},
        "WORK = 'routeproof.a.b:f'": {("a", "b")},
        "ROOM = 'routeproof.a'": {("a",), ("a", "b"), ("a", "c")},
        "T = {'x': 'c:f'}\nimport_module(f'{__package__}.{T[x]}')": {("a", "c")},
        "T = ('b', 'f')\nimportlib.import_module(f'.{T[0]}', __package__)": {("a", "b")},
        "T = ('b', 'c')": set(),
    }.items():
        path = tmp_path / "m.py"
        path.write_text(text)
        assert set(names_in(("a", "m"), path, known)) == wanted, text


def test_circles_are_found() -> None:
    chain: dict[Name, set[Name]] = {("a",): {("b",)}, ("b",): {("c",)}, ("c",): set(), ("d",): {("a",), ("e",)}}
    assert circles({**chain, ("e",): set()}) == []
    assert circles({**chain, ("c",): {("a",)}, ("e",): {("d",)}}) == [{("a",), ("b",), ("c",)}, {("d",), ("e",)}]


def test_core_is_made_of_numpy_and_the_standard_library() -> None:
    found = {
        spelled(x): external_imports(path) - SMALL_KERNEL
        for x, path in MODULES.items()
        if x[:1] in (("core",), ("kernel",))
    }
    assert len(found) > 20
    assert not {name: some for name, some in found.items() if some}


def test_no_sheds() -> None:
    assert not [path for path in MODULES.values() if path.stem in ("utils", "helpers", "misc", "common")]


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
