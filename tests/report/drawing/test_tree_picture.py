"""Destination graphs as trees: the paper's figures have the vertices that the text tells of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.cube.forms import path_tree
from routeproof.core.errors import InputError
from routeproof.report.drawing.cubes import check_tree_picture, tree_figure
from routeproof.report.figures.style import write_figure
from routeproof.searching.catalogue import lemma_4
from routeproof.studies.hwang_yao_dasgupta.steps import first_graph, second_graph


def test_the_tree_of_figure_1() -> None:
    """Two vertices are labelled 001; the one next to the root is the starred one."""
    tree = path_tree(first_graph())
    twice = np.nonzero(tree.node == 1)[0]
    assert len(twice) == 2  # 101 comes down to 001 and waits there
    stars = tree.starred()
    assert [int(tree.level[v]) for v in twice if stars[v]] == [1]
    assert tree.level.max() == 3
    assert tree.node[tree.start].tolist() == list(range(8))


@pytest.mark.parametrize("graph", [first_graph(), second_graph(), lemma_4(3), lemma_4(5)])
def test_every_path_is_read_off_the_tree(graph: object) -> None:
    from routeproof.core.cube.destination_graph import DestinationGraph

    assert isinstance(graph, DestinationGraph)
    tree = path_tree(graph)
    for u in range(graph.cube.num_nodes):
        v, moves = int(tree.start[u]), []
        while tree.parent[v] >= 0:
            moves.append(graph.cube.move_of(int(tree.kind[v])))
            v = int(tree.parent[v])
        assert moves == graph.path(u)


def test_trees_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    write_figure(path, lambda look: tree_figure(first_graph(), "Figure 1", look))
    assert path.read_bytes().startswith(b"<?xml")
    with pytest.raises(InputError, match="would show nothing"):
        check_tree_picture("x.svg", 512)
    wanted = ["search", "many-one", "--radix", "2", "--dimensions", "5", "--steps", "7", "--time-limit", "1e9"]
    graph, drawn = str(tmp_path / "g.json"), str(tmp_path / "g.png")
    assert main([*wanted, "--output", graph, "--plot", drawn]) == 0
    assert main(["check", graph, "--plot", str(tmp_path / "again.pdf")]) == 0
    assert main(["check", graph, "--plot", str(tmp_path / "again.doc")]) == 2
