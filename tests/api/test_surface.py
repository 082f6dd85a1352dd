"""``import routeproof as rp``: every verb has its function, every result shows, writes and tabulates itself."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.app import app
from routeproof.routing.named.names import ROUTINGS
from routeproof.topologies.family import TOPOLOGIES

ROOT = Path(__file__).parents[2]
FUNCTIONS: Mapping[str, tuple[str, ...]] = {  # verb of the command -> its functions
    "worst-case": ("worst_case", "average_case"),
    "compare": ("compare",),
    "diff": ("diff",),
    "deadlock": ("deadlock",),
    "failures": ("failures",),
    "plan": ("plan",),
    "design": ("design", "design_capacity", "design_average_case", "design_tables"),
    "adaptive": ("adaptive",),
    "tradeoff": ("tradeoff", "average_tradeoff"),
    "search": ("search",),
    "simulate": (
        "simulate_packets",
        "simulate_circuits",
        "simulate_faults",
        "simulate_calls",
        "simulate_load",
        "simulate_adaptive_load",
        "simulate_cube",
    ),
    "collective": ("collective",),
    "schedule": ("schedule",),
    "hashing": ("hashing",),
    "split": ("split",),
    "expansion": ("expansion",),
    "study": ("study",),
    "check": ("check",),
    "verify": ("verify",),
    "convert": ("read_network", "write_network"),
}
OF_THE_SHELL = ("runs", "examples")  # verbs about the command itself

RENAMED = {"gabber-galil": "gabber_galil_network"}  # where the function has another name than the family
RULES = {
    "dor": "DOR", "valiant": "Valiant", "romm": "ROMM", "o1turn": "O1TURN", "rlb": "RLB", "rlbth": "RLB",
    "ival": "IVAL", "u2turn": "U2TURN", "w2turn": "W2TURN", "wrd": "WRD", "minimal": "Minimal", "ecmp": "Minimal",
    "turns": "Turns", "updown": "UpDown", "dmodk": "ModK", "smodk": "ModK", "random-path": "RandomPath",
    "sssp": "ShortestTrees", "dfsssp": "ShortestTrees", "lash": "FirstPath", "ksp": "KShortestPaths",
    "dragonfly-minimal": "DragonflyMinimal", "dragonfly-valiant": "DragonflyValiant",
    "wcmp": "WCMP", "rail-local": "RailLocal",
}  # fmt: skip


def dor() -> Any:
    return rp.DOR().on(rp.mesh(2, 3))


RESULTS: Mapping[str, Callable[[], Any]] = {
    "worst_case": lambda: rp.worst_case(dor()),
    "average_case": lambda: rp.average_case(dor(), samples=5),
    "compare": lambda: rp.compare([dor()]),
    "diff": lambda: rp.diff(dor(), rp.DOR().on(rp.mesh(2, 4))),
    "deadlock": lambda: rp.deadlock(dor()),
    "failures": lambda: rp.failures(dor()),
    "plan": lambda: rp.plan(dor(), drain=[0], repair="none"),
    "design": lambda: rp.design(rp.mesh(2, 2)),
    "design_capacity": lambda: rp.design_capacity(rp.mesh(2, 2)),
    "design_average_case": lambda: rp.design_average_case(rp.mesh(2, 2), samples=3),
    "adaptive": lambda: rp.adaptive(rp.mesh(2, 2)),
    "design_tables": lambda: rp.design_tables(rp.mesh(2, 2), proposals=10),
    "tradeoff": lambda: rp.tradeoff(rp.mesh(2, 2), [rp.DOR().on(rp.mesh(2, 2))]),
    "average_tradeoff": lambda: rp.average_tradeoff(rp.mesh(2, 2), samples=3, num_points=2),
    "search": lambda: rp.search("permutation", radix=2, dimensions=3, steps=3),
    "simulate_packets": lambda: rp.simulate_packets("multibutterfly:16,d=2,seed=7", "bit-reversal"),
    "simulate_circuits": lambda: rp.simulate_circuits("multibutterfly:16,d=2,seed=7", "bit-reversal", load=2),
    "simulate_faults": lambda: rp.simulate_faults("multibutterfly:16,d=2,seed=7", "random:count=2,seed=1"),
    "simulate_calls": lambda: rp.simulate_calls("clos:3,2,2", trials=5),
    "simulate_load": lambda: rp.simulate_load(dor(), rates=["1/4"], cycles=100, warm_up=10),
    "simulate_adaptive_load": lambda: rp.simulate_adaptive_load(
        rp.mesh(2, 3), "minimal-adaptive", rp.traffic("uniform", rp.mesh(2, 3)), rates=["1/4"], cycles=100, warm_up=10
    ),
    "simulate_cube": lambda: rp.simulate_cube("hypercube:3", "bit-reversal"),
    "hashing": lambda: rp.hashing(dor(), rp.traffic("ring", rp.mesh(2, 3)), samples=10),
    "split": lambda: rp.split([4, 9]),
    "expansion": lambda: rp.expansion(rp.multibutterfly(16, d=2, seed=7)),
}
DRAWN = (
    "worst_case", "compare", "tradeoff", "average_tradeoff", "search", "simulate_packets", "simulate_circuits",
    "simulate_load", "hashing",
)  # fmt: skip


def test_every_verb_has_its_functions() -> None:
    verbs = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    assert verbs == set(FUNCTIONS) | set(OF_THE_SHELL)
    for functions in FUNCTIONS.values():
        for name in functions:
            assert callable(getattr(rp, name))
    assert set(RESULTS) <= {x for functions in FUNCTIONS.values() for x in functions}


def test_every_topology_has_its_function() -> None:
    for family in TOPOLOGIES.own:
        assert callable(getattr(rp, RENAMED.get(family, family.replace("-", "_"))))


def test_every_routing_has_its_rule() -> None:
    others = {"2turn", "2turna", "routes", "tables", "opensm"}  # by rp.design; of dumps; by a program
    assert set(RULES) == set(ROUTINGS.own) - others
    for name in RULES.values():
        assert callable(getattr(rp, name))


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_tabulates_writes_and_shows_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = RESULTS[name]()
    claims = result.claims()
    assert claims
    first = claims[0]
    assert result.value(first.quantity, relation=first.relation, **first.about) == first.value
    for ending, begin in ((".csv", "quantity,"), (".tex", r"% \usepackage{booktabs}"), (".md", "| ")):
        table = tmp_path / f"table{ending}"
        result.write(table)
        assert table.read_text().startswith((begin, "routing,"))
    assert len(result.to_frame()) >= 1
    report = tmp_path / "report.json"
    result.write(report)
    assert len(json.loads(report.read_text())["claims"]) == len(claims)
    result.write(tmp_path / "page.html")
    assert "<table" in result._repr_html_()
    assert "<iframe" in result.page()._repr_html_()
    assert hasattr(result, "plot") == (name in DRAWN or name.startswith("simulate"))
    if name in DRAWN:
        assert result.plot(path=tmp_path / "figure.svg")._repr_svg_().startswith("<svg")
        assert (tmp_path / "figure.svg").exists()


@pytest.mark.parametrize("name", ["design", "tradeoff", "search", "simulate_packets", "simulate_load"])
def test_reports_of_results_verify(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    result.write(tmp_path / "report.json")
    assert len(rp.verify(tmp_path / "report.json")) == len(result.claims())


def test_objects_that_make_no_figure_say_so() -> None:
    with pytest.raises(rp.InputError, match="no figure"):
        RESULTS["simulate_calls"]().plot()
    with pytest.raises(rp.InputError, match="found no graph"):
        rp.search("many-one", radix=2, dimensions=3, steps=1).plot()


def test_pages_import_public_names_only() -> None:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    deep = re.compile(r"^\W*(from|import) routeproof\.\w+.*", re.MULTILINE)
    assert {page.name: found.group() for page in pages if (found := deep.search(page.read_text("utf-8")))} == {}


def test_trials_are_sampled() -> None:
    run = rp.simulate_packets("multibutterfly:16,d=2,seed=7", "random:seed={trial}", trials=8)
    assert {x.grade for x in run.claims()} == {rp.Grade.SAMPLED}
    cube = rp.simulate_cube("hypercube:3", "bit-reversal", algorithm="valiant-brebner", trials=5)
    assert {x.grade for x in cube.claims()} == {rp.Grade.SAMPLED}


def test_a_designed_routing_is_written_and_read_again(tmp_path: Path) -> None:
    net = rp.torus(3, 3)
    best = rp.design(net, shortest=True)
    best.write_routing(tmp_path / "best.json")
    again = rp.named_routing(str(tmp_path / "best.json"), net)
    assert rp.worst_case(again).load == best.value("worst_case_load") == Fraction(2, 3)


def test_a_study_tabulates_writes_and_shows_itself(tmp_path: Path) -> None:
    study = rp.study("towles-dally-2002-figure-4")
    assert len(study.to_frame()) == len(study.rows)
    study.write(tmp_path / "study.json")
    assert json.loads((tmp_path / "study.json").read_text())["rows"]
    assert "<table" in study._repr_html_()


@pytest.mark.parametrize(
    "module",
    [
        "api.study",
        "api.texts",
        "questions.adaptive",
        "questions.check",
        "questions.deadlock",
        "questions.expansion",
        "questions.fabrics.diff",
        "questions.design.design",
        "questions.hashing",
        "questions.of_one_routing",
        "questions.plan.plan",
        "questions.search",
        "questions.simulate.calls",
        "questions.simulate.cube",
        "questions.simulate.load",
        "questions.simulate.multistage",
        "questions.tradeoff",
    ],
)
def test_examples_in_docstrings_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(f"routeproof.{module}"))
    assert found.attempted
    assert not found.failed


def test_what_is_no_routing_on_a_network_is_said() -> None:
    rule = rp.DOR()
    asked: list[Callable[[Any], object]] = [
        rp.worst_case, rp.average_case, rp.deadlock, rp.failures, rp.simulate_load, lambda x: rp.compare([x]),
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(
            rp.InputError, match=r"^DOR\(.*\) is not a routing on a network: DOR\(\)\.on\(network\) was "
        ):
            ask(rule)
    with pytest.raises(rp.InputError, match=r"^demands is 5; "):
        rp.worst_case(rule.on(rp.ring(4)), demands=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [2.5, "2", True])
def test_whole_numbers_are_whole_numbers(given: Any) -> None:
    with pytest.raises(rp.InputError, match=f"^entries is {given!r}; a whole number was expected$"):
        rp.design(rp.mesh(3, 3), paths="minimal", entries=given)
    two, whole = (rp.design(rp.mesh(3, 3), paths="minimal", entries=x) for x in (2, np.int64(2)))
    assert two.value("worst_case_load") == whole.value("worst_case_load")


@pytest.mark.parametrize("function", [rp.design, rp.design_capacity, rp.adaptive])
def test_a_name_is_no_network(function: Callable[[Any], Any]) -> None:
    with pytest.raises(rp.InputError, match=r"abilene\.gml is not a network: .* was expected"):
        function("abilene.gml")


def test_all_paths_may_be_named() -> None:
    assert rp.design(rp.ring(5), paths="all").value("worst_case_load") == rp.design(rp.ring(5)).value("worst_case_load")
    assert rp.adaptive(rp.ring(5), paths="all").low == Fraction(6, 5)


def test_a_value_is_that_of_one_statement() -> None:
    """Of several routings, jobs or channels the one that is meant is asked for; nobody chooses the first."""
    net = rp.ring(6)
    both = rp.compare([rp.DOR().on(net), rp.Valiant().on(net)])
    with pytest.raises(rp.InputError, match=r"has several values: of routing dor; routing valiant; value\("):
        both.value("worst_case_load")
    loads = [both.value("worst_case_load", routing=x) for x in ("dor", "valiant")]
    assert loads == [rp.worst_case(x).load for x in both.routings]
    assert both.value("capacity") == both.value("capacity", routing="dor")  # all say the same
    every = rp.worst_case(both.routings[0], all_channels=True)
    assert every.value("worst_case_load") == every.load  # not that of one channel
    assert every.value("worst_case_load", channel=3) <= every.load
    with pytest.raises(KeyError, match="channel 99"):
        every.value("worst_case_load", channel=99)


def test_errors_name_parameters_and_not_options() -> None:
    """What a function refuses is said of its own parameters; the command says the same of its options."""
    routing = rp.Minimal().on(rp.ring(4))
    with pytest.raises(rp.InputError, match=r"^repair is 'x'; "):
        rp.failures(routing, repair="x")
    with pytest.raises(rp.InputError, match=r'^repair="installed-rule" does not fit ring:4: '):
        rp.failures(routing, repair="installed-rule")
    with pytest.raises(rp.InputError, match=r"^paths does not go with demands routable here"):
        rp.adaptive(rp.ring(4), demands="routable", paths="minimal")
    with pytest.raises(rp.InputError, match=r"^max_virtual_channels and paths name two sets"):
        rp.design(rp.torus(3, 3), paths="minimal", max_virtual_channels=2)


def test_a_function_tells_its_parameters() -> None:
    """Signature and docstring are made from the declaration."""
    signature = inspect.signature(rp.deadlock)
    options = ["levels", "virtual_channels", "assignment", "classes", "flow_control", "escape", "time_limit"]
    assert list(signature.parameters) == ["routing", *options]
    assert signature.parameters["virtual_channels"].kind is inspect.Parameter.KEYWORD_ONLY
    assert signature.return_annotation == "DeadlockResult"
    assert "- ``virtual_channels``: Also look for a few virtual channels" in (rp.deadlock.__doc__ or "")
    assert "routeproof deadlock" not in (rp.deadlock.__doc__ or "")
