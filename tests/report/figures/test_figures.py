"""Figures: every kind, both themes, all forms, always the same bytes; and how levels are laid out."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import routeproof as rp
from routeproof import DOR, ROMM, Network, from_networkx, hypercube, mesh, named_routing, network, torus
from routeproof.cli.main import main
from routeproof.core.claim import Grade
from routeproof.core.errors import InputError
from routeproof.formats.resolve import resolve_wiring
from routeproof.questions.simulate.load import Load
from routeproof.questions.worst_case import answer_worst_case
from routeproof.report.drawing.frame import channel_widths
from routeproof.report.drawing.plot import draw_network
from routeproof.report.drawing.recognised import place_by_level
from routeproof.report.figures.analysis import FIGURES, accepted_figure, asked_figure, histogram_figure
from routeproof.report.figures.chart import chart_of
from routeproof.report.figures.curves import hashing_figure, load_figure, search_figure
from routeproof.report.figures.runs import packets_by_level, packets_figure, survivor_points, survivors_figure
from routeproof.report.figures.study import study_figure
from routeproof.report.figures.style import DARK, LIGHT, THEMES, check_figure, figure_bytes, theme_named, write_figure
from routeproof.report.shown import page_of
from routeproof.report.terminal.simulated import predicted_throughput
from routeproof.studies.result import Row, StudyResult, compared
from routeproof.topologies.patterns import traffic_pattern
from routeproof.worst.scan.exact import worst_case

OF_DEMANDS = ("jobs", "packets")  # of a set of demands only: tests/cli/verbs/test_demands_option.py
MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("figure", FIGURES.names())
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda x: x.name)
def test_every_figure_of_an_analysis(tmp_path: Path, figure: str, theme: object) -> None:
    analysis = answer_worst_case(ROMM().on(torus(4, 3)), all_channels=True)
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    if figure in OF_DEMANDS:
        with pytest.raises(InputError, match="is drawn of --demands"):
            write_figure(first, lambda look: asked_figure(analysis, look, figure), theme=theme)  # type: ignore[arg-type]
        return
    for path in (first, second):
        write_figure(path, lambda look: asked_figure(analysis, look, figure), theme=theme)  # type: ignore[arg-type]
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(MAGIC[".svg"])


@pytest.mark.parametrize("form", MAGIC)
@pytest.mark.parametrize("text", ["torus:4x3", "mesh:3x3,bandwidth=4x1", "hypercube:4", "butterfly:3", "petersen"])
def test_networks_of_every_kind(tmp_path: Path, form: str, text: str) -> None:
    path = tmp_path / f"net{form}"
    draw_network(network(text), path, theme=DARK)
    assert path.read_bytes().startswith(MAGIC[form])


def test_names_that_no_font_has(tmp_path: Path) -> None:
    net = Network.of("\U0001f600<b>$x^$", 3, [(0, 1), (1, 2), (2, 0)], labels=["<script>", "$\\frac", "\U00013000"])
    draw_network(net, tmp_path / "odd.svg")
    assert b"<script" not in (tmp_path / "odd.svg").read_bytes()


def test_bandwidth_is_width() -> None:
    assert set(channel_widths(mesh(3, 3, bandwidth=(4, 1))).tolist()) == {1.0, 0.3}
    assert set(channel_widths(hypercube(3)).tolist()) == {1.0}


def test_multistage_networks_lie_in_levels() -> None:
    points = place_by_level(network("butterfly:3"))
    assert points is not None
    assert len(np.unique(points[:, 0])) == 4
    assert len(np.unique(points[:8, 0])) == 1
    assert np.all(np.diff(points[:8, 1]) < 0)


def test_trees_hang_from_their_centre() -> None:
    points = place_by_level(from_networkx(nx.balanced_tree(2, 3)))
    assert points is not None
    assert int(points[:, 1].argmax()) == 0
    assert len(np.unique(points[:, 1])) == 4
    assert len(np.unique(points, axis=0)) == 15
    path = place_by_level(from_networkx(nx.path_graph(5)))
    assert path is not None
    assert int(path[:, 1].argmax()) == 2


def test_hosts_lie_below_their_switches() -> None:
    ends = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6), (4, 7), (5, 7)]
    net = Network.of("fat tree", 8, [*ends, *((v, u) for u, v in ends)], source=range(4), sink=range(4))  # type: ignore[arg-type]
    points = place_by_level(net)
    assert points is not None
    assert set(points[:4, 1].tolist()) == {points[:, 1].min()}
    assert set(points[6:, 1].tolist()) == {points[:, 1].max()}


@pytest.mark.parametrize("net", [network("petersen"), torus(4, 4), network("complete:5")], ids=lambda x: x.name)
def test_what_has_no_levels(net: Network) -> None:
    assert place_by_level(net) is None


def test_packets_by_level_count_every_packet() -> None:
    wiring = resolve_wiring("multibutterfly:16,d=2,seed=7")
    images = np.arange(16, dtype=np.int32)[None, ::-1]
    counts = packets_by_level(wiring, images, load=4)
    assert counts[-1].tolist() == [0, 0, 0, 0, 16]
    assert counts.sum(axis=1).max() <= 16
    assert np.all(np.diff(counts[:, -1]) >= 0)
    assert figure_bytes(lambda look: packets_figure("t", counts, look), ".png", theme=DARK)


def test_survivors_fall_with_faults() -> None:
    wiring = resolve_wiring("multibutterfly:64,d=4,seed=7")
    points = survivor_points(wiring, [0, 40], epsilon=Fraction(1, 4), seeds=[1, 2])
    assert [(x.inputs, x.outputs) for x in points[:2]] == [(64, 64)] * 2
    assert all(x.outputs < 64 for x in points[2:])
    assert figure_bytes(lambda look: survivors_figure("t", points, of=64, theme=look), ".svg")


def test_figures_of_nothing() -> None:
    for make in (lambda: histogram_figure("t", {}, LIGHT), lambda: accepted_figure("t", {}, LIGHT)):
        with pytest.raises(InputError):
            make()
    with pytest.raises(InputError, match="figure is 'pie'"):
        write_figure("x.svg", lambda look: asked_figure(answer_worst_case(DOR().on(mesh(2, 2))), look, "pie"))
    with pytest.raises(InputError, match="theme is 'drak'; did you mean 'dark'"):
        theme_named("drak")
    with pytest.raises(InputError, match=r"\.svg, \.png or \.pdf"):
        check_figure("x.jpg")


def test_the_command_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["worst-case", "mesh:3x3", "-r", "dor", "--plot", "a.png", "--figure", "matrix", "--theme", "dark"]
    assert main(given) == 0
    assert (
        main(
            [
                "simulate",
                "faults",
                "multibutterfly:16,d=2,seed=7",
                "--faults",
                "random:count=2,seed=1",
                "--plot",
                "b.svg",
            ]
        )
        == 0
    )
    assert main(["simulate", "packets", "multibutterfly:16,d=2,seed=7", "-p", "bit-reversal", "--plot", "c.pdf"]) == 0
    assert main(["convert", "mesh:4x3,bandwidth=2x1", "d.svg", "--theme", "dark"]) == 0
    assert {x.name for x in tmp_path.iterdir()} == {"a.png", "b.svg", "c.pdf", "d.svg"}
    assert main(["worst-case", "mesh:3x3", "-r", "dor", "--plot", "a.jpg"]) == 2
    capsys.readouterr()


def test_dark_and_light_hold_the_same_shapes() -> None:
    from routeproof.report.drawing.plot import picture_figure, picture_of

    picture = picture_of(worst_case(DOR().on(mesh(3, 2))))
    light, dark = (
        figure_bytes(lambda look: picture_figure(picture, look), ".svg", theme=x).decode() for x in (LIGHT, DARK)
    )
    assert light != dark
    assert light.count("<path") == dark.count("<path")
    assert DARK.paper in dark
    assert DARK.paper not in light


def test_the_curve_of_hashing_has_the_probabilities_that_are_claimed() -> None:
    net = network("leaf-spine:4,2,2")
    found = rp.hashing(named_routing("ecmp", net), rp.traffic("shift:by=2", net)).answer
    chart = chart_of(lambda look: hashing_figure(found, look))
    assert chart is not None
    some, own = chart["panels"][0]["series"]
    assert some["marks"]  # no line: between two loads the probability is that of the larger one
    claimed = {str(x.value) for x in found.stated if x.quantity == "overload_probability" and "channel" in x.about}
    assert set(own["told"]) == claimed - {"0"}
    assert [x[1] for x in some["arms"]] == [float(high) for _, (_, high), _ in found.rows if high]
    low, high = chart["panels"][0]["limits"][2:]
    assert low * 10 <= 1 < high < 2  # a decade, which has ticks; no probability is 2


def test_the_curve_of_a_search_falls_to_what_was_found() -> None:
    found = rp.design_tables(mesh(3, 2), proposals=200).answer
    (panel,) = (chart_of(lambda look: search_figure(found, look)) or {})["panels"]
    best, bound = panel["series"]
    assert best["y"] == sorted(best["y"], reverse=True)
    assert best["told"][-1] == str(found.judged.worst_case.load)
    assert best["told"][0] == str(found.before.load)
    assert all(x <= best["y"][-1] for x in bound["y"])
    assert page_of(found) if found.made.proposals else page_of(found) == {}


def test_the_line_below_which_no_tables_are_is_not_what_was_found() -> None:
    found = rp.design_tables(mesh(3, 2), proposals=200).answer
    of_tables = next(x for x in found.stated if x.quantity == "worst_case_load" and "among" in x.about)
    ends = [replace(of_tables, relation=">=", value=Fraction(1)), replace(of_tables, relation="<=")]
    open_ = replace(found, stated=ends)
    (panel,) = (chart_of(lambda look: search_figure(open_, look)) or {})["panels"]
    assert panel["series"][1]["told"] == ["1", "1"]
    assert of_tables.number > 1


def test_logarithmic_axes_say_plain_numbers() -> None:
    from routeproof.report.figures.style import one_axes

    def make(theme: object) -> object:
        figure, axes = one_axes("t", across="x", up="y")
        axes.plot([1, 1000], [1, 10])
        axes.set_xscale("log")
        make.axes = axes  # type: ignore[attr-defined]
        return figure

    figure_bytes(make, ".svg")  # type: ignore[arg-type]
    texts = [x.get_text() for x in make.axes.get_xticklabels()]  # type: ignore[attr-defined]
    assert "100" in texts
    assert not any("$" in x for x in texts)


@pytest.mark.parametrize(
    ("topology", "traffic"), [("complete:5", "uniform"), ("ring:8", "tornado"), ("ring:8", "uniform")]
)
def test_the_proved_throughput_is_on_the_axis_of_a_load(topology: str, traffic: str) -> None:
    where = network(topology)
    routing = named_routing("minimal", where)
    answer = Load(routing, traffic_pattern(traffic, where), cycles=30, warm_up=5).answer()
    figure = load_figure(answer, LIGHT)
    (low, high), words = figure.axes[0].get_xlim(), figure.axes[0].get_legend().get_texts()
    proven = predicted_throughput(answer.proved)
    assert proven is not None
    (label,) = (x.get_text() for x in words if "proved" in x.get_text())
    assert str(proven) in label
    assert (low < proven < high) == (proven <= 1) == ("above every rate" not in label)


def _size(path: Path) -> tuple[float, float]:
    """The size of an SVG in points."""
    found = re.search(r'<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', path.read_text())
    assert found is not None
    return float(found[1]), float(found[2])


@pytest.mark.parametrize(
    "verb",
    [
        ["worst-case", "mesh:3x3", "-r", "dor", "--plot", "{}"],
        ["worst-case", "mesh:3x3", "-r", "dor", "--figure", "histogram", "--plot", "{}"],
        ["convert", "mesh:3x3", "{}"],
        ["compare", "mesh:3x3", "dor", "minimal", "--plot", "{}"],
    ],
)
def test_a_figure_has_the_title_and_the_size_that_were_asked_for(verb: list[str], tmp_path: Path) -> None:
    plain, asked, other = (tmp_path / f"{name}.svg" for name in ("plain", "asked", "other"))
    given = ["--title", "My own <title>", "--size", "3.5x2.5"]
    assert main([x.format(plain) for x in verb]) == 0
    assert main([*(x.format(asked) for x in verb), *given]) == 0
    assert main([*(x.format(other) for x in verb), "--title", "Another", "--size", "3.5x2.5"]) == 0
    assert _size(asked) == pytest.approx((252, 180))
    assert _size(plain) != pytest.approx((252, 180))
    assert asked.read_bytes() != other.read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--title", "x"], "none is drawn; --plot FILE was expected"),
        (["--plot", "x.svg", "--size", "4"], "--size is '4'; WIDTHxHEIGHT in inches"),
        (["--plot", "x.svg", "--size", "0x4"], "0.5 to 100 inches"),
        (["--plot", "x.svg", "--size", "nanx4"], "0.5 to 100 inches"),
    ],
)
def test_sizes_and_titles_that_cannot_be(
    options: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["worst-case", "mesh:3x3", "-r", "dor", *options]) == 2
    assert words in capsys.readouterr().err
    assert not Path("x.svg").exists()


def test_a_notebook_figure_takes_title_and_size() -> None:
    found = rp.worst_case(DOR().on(mesh(3, 3)))
    assert found.plot(title="a", size=(4, 3)).svg != found.plot(title="b", size=(4, 3)).svg
    with pytest.raises(InputError, match="inches"):
        found.plot(size=(4, -3))


def test_a_study_without_axes_of_its_own_stands_beside_what_was_published() -> None:
    rows = (
        compared("one", Fraction(5, 9), "0.556"),
        compared("two", Fraction(40), "41"),
        Row("in words", "yes", "a permutation"),
        Row("sampled", (Fraction(1, 4), Fraction(1, 2)), "2/5", grade=Grade.SAMPLED),
    )
    chart = chart_of(lambda look: study_figure(StudyResult("t", "s", "", rows), look))
    assert chart is not None
    (panel,) = chart["panels"]
    assert [x for _, x in panel["ticks"][1]] == ["one", "two", "sampled"]
    found = {(x["told"][0].partition(":")[0], x["marker"]): x["x"] for x in panel["series"]}
    ours, theirs = ({x: y for (x, kind), y in found.items() if (kind == "x") is way} for way in (False, True))
    assert ours == {"one": [5 / 9], "two": [40], "sampled": [0.25, 0.5]}
    assert theirs == {"one": [0.556], "two": [41], "sampled": [0.4]}
    assert panel["log"] == [True, False]
    with pytest.raises(InputError, match="is a table; it has no figure"):
        study_figure(StudyResult("t", "s", "", rows[2:3]), LIGHT)
