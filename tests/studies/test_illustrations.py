"""The illustrative figures of the papers: what is checked of each, and that they are drawn."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.report.figures.study import study_figure
from routeproof.report.figures.style import DARK, write_figure
from routeproof.studies.registry import STUDIES, run_study

ILLUSTRATED = (
    "hwang-yao-dasgupta-figures",
    "maggs-figures",
    "towles-dally-2002-figures",
    "towles-dally-boyd-2003-figures",
)


@pytest.mark.parametrize("name", ILLUSTRATED)
def test_all_that_the_captions_tell_holds_and_is_drawn(name: str, tmp_path: Path) -> None:
    assert STUDIES[name].drawn
    found = run_study(name)
    assert not found.disagreements
    assert any(row.published for row in found.rows)
    for form in ("svg", "png"):
        write_figure(tmp_path / f"figures.{form}", lambda look: study_figure(found, look))
        assert (tmp_path / f"figures.{form}").stat().st_size > 20_000
    again = tmp_path / "again.svg"
    write_figure(again, lambda look: study_figure(found, look))
    assert again.read_bytes() == (tmp_path / "figures.svg").read_bytes()
    write_figure(again, lambda look: study_figure(found, look), theme=DARK)
    assert again.read_bytes() != (tmp_path / "figures.svg").read_bytes()


def test_figure_8_of_towles_and_dally_is_a_worst_case() -> None:
    found = run_study("towles-dally-2002-figures")
    whole = found.row("Figure 8: load of c, and the rows beside exchanging")
    assert (
        whole.computed == Fraction(8, 3) == found.row("Figure 8: exact worst case of ROMM on the 5-ary 2-cube").computed
    )
    assert sorted(whole.data["image"]) == list(range(25))


def test_figure_5_of_maggs_is_nonblocking_by_trying_all_states() -> None:
    """Every two calls on disjoint paths leave the third pair a path: by going through all of them."""
    from itertools import permutations, product

    from routeproof.core.errors import InputError
    from routeproof.core.multistage.call_graph import is_joined
    from routeproof.topologies.multistage.call_graphs import call_graph_of_edges

    row = run_study("maggs-figures").row("Figure 5: 3 inputs, 3 outputs: nonblocking")
    edges = [tuple(x) for x in row.data["edges"]]
    graph = call_graph_of_edges("figure 5", 3, 9, edges)
    for ins, outs in product(permutations(range(3)), repeat=2):
        for first, second in permutations((3, 4, 5), 2):
            used = {ins[0], first, 6 + outs[0], ins[1], second, 6 + outs[1]}
            assert is_joined(graph, ins[2], outs[2], used)
            assert is_joined(graph, ins[1], outs[2], used - {ins[1], second, 6 + outs[1]})
    with pytest.raises(InputError, match="edge from 8 to 9; vertices are 0 to 8"):
        call_graph_of_edges("figure 5", 3, 9, [(8, 9)])
    with pytest.raises(InputError, match="has a cycle"):
        call_graph_of_edges("figure 5", 1, 4, [(0, 1), (1, 2), (2, 1), (2, 3)])
