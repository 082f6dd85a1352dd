"""Studies as things to run: the registry, the result, its JSON."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from fractions import Fraction

import pytest

from routeproof.core.claim import Grade
from routeproof.core.errors import InputError
from routeproof.routing.fabrics.opensm import not_installed
from routeproof.studies.registry import STUDIES, run_study
from routeproof.studies.result import Row, StudyResult, decimal, rounds_to

QUICK = {
    "topologies": {"networks": {"torus:3x3": ("dor", "valiant"), "fat-tree:4": ("minimal", "dmodk")}, "seconds": 1e9},
    "atlas": {"networks": ("petersen",), "columns": ("ecmp",), "seconds": 10_000},
    "opensm": {"networks": "complete:3", "engines": ("minhop", "ftree"), "seconds": 10_000},
    "collectives": {"networks": ("dgx1", "ndv2:2", "fat-tree:4", "torus:4x4x4")},
    "hwang-yao-dasgupta-figures": {},
    "hwang-yao-dasgupta-theorem-2": {"trials": 3},
    "leighton-maggs-1992-faults": {"log_inputs": 5, "faults": (0, 4), "trials": 8},
    "maggs-figures": {},
    "maggs-packets": {"sizes": (4, 6), "permutations": (1, 2), "trials": 8},
    "maggs-circuits": {"sizes": (6, 8), "loads": (4,), "trials": 5},
    "maggs-nonblocking": {"trials": 8, "occupancies": ("1/2",)},
    "towles-dally-2002-table-1": {"trials": 100, "seeds": (3,)},
    "towles-dally-2002-figure-4": {},
    "towles-dally-2002-figure-9": {},
    "towles-dally-2002-figures": {},
    "towles-dally-2002-trend": {"ks": (3, 4, 5)},
    "towles-dally-2002-5turns": {},
    "towles-dally-boyd-2003-table-1": {},
    "towles-dally-boyd-2003-figure-1": {"k": 4},
    "towles-dally-boyd-2003-figure-4": {"ks": (3, 4, 8), "solved": (3, 4)},
    "towles-dally-boyd-2003-figure-5": {"k": 4},
    "towles-dally-boyd-2003-section-5-5": {"k": 4, "patterns": ("tornado",), "permutations": 8, "cycles": 200},
    "towles-dally-boyd-2003-figures": {},
    "towles-dally-boyd-2003-figure-6": {"k": 4, "samples": 5, "points": 2},
}


def test_every_study_has_a_quick_run_here():
    assert sorted(QUICK) == sorted(STUDIES)


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_study_runs_says_what_it_does_and_becomes_json(name):
    if name == "opensm" and not_installed():
        pytest.skip(f"not installed: {not_installed()}")
    said = []
    result = run_study(name, progress=said.append, **QUICK[name])
    assert result.name == name
    assert said
    assert result.rows
    assert len({row.label for row in result.rows}) == len(result.rows)
    document = json.loads(json.dumps(result.to_json()))
    assert [row["label"] for row in document["rows"]] == [row.label for row in result.rows]
    assert document["disagreements"] == list(result.disagreements)
    for row in result.rows:
        assert row.published or row.agrees is None, f"{row.label} agrees with nothing"
        if row.published and row.agrees is not True:
            assert row.note, f"{row.label} has no reason"
        assert row.computed_text()


@pytest.mark.parametrize(
    "name", sorted(set(QUICK) - {"atlas", "opensm", "topologies", "collectives"})
)  # of our own, of many papers
def test_a_study_says_which_paper_table_and_page(name):
    function = pkgutil.resolve_name(f"routeproof.studies.{STUDIES[name].maker}")
    function = getattr(function, "run", function)
    told = f"{sys.modules[function.__module__].__doc__}\n\n{function.__doc__}"
    first = told.splitlines()[0]
    paper = "Towles, Dally & Boyd 2003" if "-boyd-" in name else "Towles & Dally 2002"
    if name.startswith("hwang-"):
        paper = "Hwang, Yao & Dasgupta"  # the text at hand has no pages
    elif "maggs-" in name:
        paper = "Maggs"
    else:
        assert "p. " in told or "pp. " in told
    assert paper in told.split("\n\n")[0]
    assert len(first) > 20
    assert len(STUDIES[name].help) < 100


def test_unknown_names_and_options_are_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'towles-dally-2002-trend'"):
        run_study("towles-dally-2002-trends")
    with pytest.raises(InputError, match="no option 'trails'; did you mean 'trials'"):
        run_study("towles-dally-2002-table-1", trails=3)
    with pytest.raises(InputError, match="no option 'k'; it has none"):
        run_study("towles-dally-2002-figure-9", k=3)
    with pytest.raises(InputError, match="at least one was expected"):
        run_study("towles-dally-2002-table-1", trials=0)
    with pytest.raises(InputError, match="at least 3"):
        run_study("towles-dally-2002-trend", ks=(2, 3))


def test_the_registry_imports_no_study():
    code = "import sys, routeproof.studies.registry; print([m for m in sys.modules if 'towles' in m or m == 'numba'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(25, 144), 4, "0.1736"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(5, 18), 3, "0.278"),
        (Fraction(-1, 3), 2, "-0.33"),
        (Fraction(12), 2, "12.00"),
        (Fraction(1, 2000), 3, "0.001"),
        (Fraction(999, 1000), 2, "1.00"),
        (Fraction(0), 2, "0.00"),
    ],
)
def test_decimals(value, places, text):
    assert decimal(value, places) == text


@pytest.mark.parametrize(
    ("value", "published", "agrees"),
    [
        (Fraction(5, 18), "0.278", True),
        (Fraction(25, 144), "0.173", False),
        (Fraction(25, 144), "0.174", True),
        (Fraction(1), "1", True),
        (Fraction(9, 34), "0.26", True),
        (Fraction(1, 4), "0.26", False),
        (Fraction(2775, 10_000), "0.278", True),
        (Fraction(2775, 10_000), "0.277", True),
    ],
)
def test_agreement_is_half_a_unit_of_the_last_printed_digit(value, published, agrees):
    assert rounds_to(value, published) is agrees


def test_disagreements_list_what_is_published_and_not_confirmed():
    rows = (
        Row("a", Fraction(1, 3), "0.333", True),
        Row("b", Fraction(1, 3), "0.4", False, "a misprint"),
        Row("c", (Fraction(1, 4), Fraction(1, 2)), "0.3", None, "a lottery", Grade.SAMPLED),
        Row("d", "yes"),
    )
    result = StudyResult("t", "s", "p", rows)
    assert result.disagreements == (
        "b: computed 1/3 (0.3333), published 0.4: a misprint",
        "c: computed 0.2500 to 0.5000, published 0.3: a lottery",
    )
    assert rows[2].to_json()["computed"] == {"low": "1/4", "high": "1/2"}
    assert rows[2].to_json()["grade"] == "SAMPLED"
    assert rows[1].to_json()["published"] == {"quoted": "0.4"}
    assert result.row("d").published == ""
    with pytest.raises(KeyError):
        result.row("e")


def test_topologies_side_by_side(tmp_path):
    result = run_study("topologies", **QUICK["topologies"])
    assert result.sheet is not None
    assert len(result.sheet.lines) == len(result.rows) == 4
    best = {row.label: row.data["best_oblivious"] for row in result.rows}
    assert best["fat-tree:4, minimal"]["low"] == best["fat-tree:4, minimal"]["high"] == "1"
    assert result.row("fat-tree:4, dmodk").computed == Fraction(1, 3)
    for row in result.rows:
        high = row.data["best_oblivious"]["high"]
        assert row.computed <= Fraction(high) <= Fraction(row.data["capacity"])
    with pytest.raises(InputError, match="of 64, 256 and 1024"):
        run_study("topologies", sizes=(100,))
    from routeproof.report.figures.study import topologies_figure
    from routeproof.report.figures.style import write_figure

    write_figure(tmp_path / "study.svg", lambda theme: topologies_figure(result, theme))
    assert (tmp_path / "study.svg").stat().st_size > 1000


@pytest.mark.parametrize("topology", ["torus:4x4", "mesh:3x3", "petersen", "xgft:2x3,w=1x2"])
def test_no_routing_beats_the_permutation_bound(topology):
    import numpy as np

    from routeproof.optimum.worst_case import design_worst_case
    from routeproof.topologies.family import network_from_spec
    from routeproof.worst.capacity import permutation_bound

    network = network_from_spec(topology)
    found = permutation_bound(network, np.ones(network.num_channels, dtype=np.int64))
    assert found is not None
    assert 1 / design_worst_case(network).load <= found[0]


def test_published_collectives() -> None:
    """What cannot be is told from what is slower, and from what is the best."""
    result = run_study("collectives", **QUICK["collectives"])
    assert result.sheet is not None
    verdicts = {line[0]: line[-1] for line in result.sheet.lines}
    assert verdicts["dgx1, all-gather in 3 steps"] == "the optimum"
    assert verdicts["dgx1, all-gather in 2 steps"] == "77.8 % of the optimum"
    assert verdicts["ndv2:2, all-to-all"] == "impossible for all GPUs"
    assert result.row("ndv2:2, all-to-all, TE-CCL, 15 of 16 GPUs").computed == Fraction(25, 8)
    assert result.row("fat-tree:4, all shifts with D-mod-K, load of the worst one").computed == 1
    with pytest.raises(InputError, match="the study of collectives has no torus:3x3; one of a100:1"):
        run_study("collectives", networks=("torus:3x3",))
