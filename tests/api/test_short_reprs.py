"""What a notebook prints of an object is one line, however large the network is."""

from __future__ import annotations

import routeproof as rp


def test_networks_routings_and_results_are_one_short_line() -> None:
    network = rp.torus(16, 16)
    routing = rp.DOR().on(rp.mesh(3, 3))
    shown = {
        "<Network torus:16x16: 256 nodes, 1024 channels, 256 terminals>": network,
        "<GridRouting dor on mesh:3x3>": routing,
        "<WorstCaseResult: dor on mesh:3x3>": rp.worst_case(routing),
    }
    assert [repr(x) for x in shown.values()] == list(shown)
