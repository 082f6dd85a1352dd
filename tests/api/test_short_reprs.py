"""What a notebook prints of an object is one line, however large the object is."""

from __future__ import annotations

import inspect
from pkgutil import walk_packages

import pytest

import routeproof as rp
import routeproof.questions
from routeproof.questions.answer import Answer


def test_networks_routings_and_results_are_one_short_line() -> None:
    network = rp.torus(16, 16)
    routing = rp.DOR().on(rp.mesh(3, 3))
    graph = rp.search("permutation", radix=2, dimensions=4, steps=4).graph
    result = rp.worst_case(routing)
    shown = {
        "<Network torus:16x16: 256 nodes, 1024 channels, 256 terminals>": network,
        "<GridRouting dor on mesh:3x3>": routing,
        "<WorstCaseResult: dor on mesh:3x3>": result,
        "<WorstCase of <GridRouting dor on mesh:3x3>: load 2 on channel 1, balanced>": result.worst_case,
        "<WorstCaseAnswer: 8 claims>": result.answer,
        "<Claim worst_case_load == 2 packets per cycle and unit of bandwidth, model balanced; PROVED>": result.claims()[
            0
        ],
        "Evidence(kind='worst-case')": result.claims()[0].evidence,
        "<Traffic tornado of 256 terminals>": rp.traffic("tornado", network),
        "Permutation([2, 0, 1])": rp.Permutation([2, 0, 1]),
        "Faults(nodes=[7], channels=[])": rp.Faults(nodes=[7]),
        "<Faults: 100 nodes, 0 channels>": rp.Faults(nodes=range(100)),
        "<Paths: 1 path, 2 hops>": rp.Paths.of([(0, 1, 1, [3, 4])]),
        "<Wiring multibutterfly:64,d=2,seed=7: 6 edge levels, 64 rows, 4 colours>": rp.multibutterfly(64, d=2, seed=7),
        "<Splitter random-splitter:64,d=2,seed=7: 64 inputs, 32 outputs>": rp.random_splitter(64, d=2, seed=7),
        "<DestinationGraph of 16 nodes (Cube(radix=2, dimensions=4)): 4 steps>": graph,
        "<Engine: this machine, 2 workers>": rp.Engine(workers=2),
    }
    assert list(map(repr, shown.values())) == list(shown)
    assert repr(result.page()).startswith("<InlinePage: ")
    assert eval(repr(rp.Permutation([2, 0, 1])), {"Permutation": rp.Permutation}) == rp.Permutation([2, 0, 1])


@pytest.mark.parametrize(
    "big",
    [
        rp.Permutation(range(5000)),
        rp.catalogue()[-1],
        rp.worst_case(rp.DOR().on(rp.ring(5)), traffics=[rp.Traffic.uniform(5)], all_channels=True).claims()[5],
    ],
    ids=lambda x: type(x).__name__,
)
def test_long_content_is_not_printed(big: object) -> None:
    assert len(repr(big)) < 250
    assert "\n" not in repr(big)


def test_every_answer_is_shown_by_its_size() -> None:
    for module in walk_packages(routeproof.questions.__path__, "routeproof.questions."):
        found = vars(__import__(module.name, fromlist=["_"])).values()
        for one in found:
            if inspect.isclass(one) and issubclass(one, Answer):
                assert one.__repr__ is Answer.__repr__, one
