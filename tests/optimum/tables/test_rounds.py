"""The search in rounds: what was done is kept, and a search that was ended goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.engine import Engine
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import ONE, Lids, single_paths
from routeproof.optimum.tables import rounds
from routeproof.optimum.tables.exchange import usual_start
from routeproof.optimum.tables.rounds import improve_in_rounds, single_start, with_lids
from routeproof.routing.base.routing import Routing
from routeproof.worst.scan.exact import worst_case

TOPOLOGY = "random-regular:12,degree=3,seed=1"


def _loads(routing: Routing) -> object:
    return np.array(worst_case(routing, all_channels=True).channel_loads, dtype=object)


@pytest.mark.parametrize("lids", [ONE, Lids(2), Lids(2, pinned=True), single_paths(resolve_network(TOPOLOGY))])
def test_a_search_that_was_ended_goes_on_where_it_was(
    lids: Lids, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = resolve_network(TOPOLOGY)
    if lids.single:
        start = single_start(net, proposals=1, seed=0, time_limit=None, minimal=False)
    else:
        start = with_lids(usual_start(net, lids=lids), lids)
    asked = {"proposals": 640, "lids": lids, "seed": 3}
    with Engine(workers=1) as engine:
        whole = improve_in_rounds(engine, net, start, **asked)
    assert whole.proposals == 640
    assert worst_case(whole.routing).load == whole.curve[-1][1] <= worst_case(start).load
    used_run, made, used = Engine.run, list[int](), rounds.improve_tables

    def ended(self, work, **more):
        if work.name == "round 4":
            raise KeyboardInterrupt
        return used_run(self, work, **more)

    def search(network, begin, *, proposals, **more):
        made.extend([more["seed"]] if proposals else [])
        return used(network, begin, proposals=proposals, **more)

    monkeypatch.setattr(Engine, "run", ended)
    with Engine(workers=1, run=str(tmp_path / "run")) as engine:
        part = improve_in_rounds(engine, net, start, **asked)
    assert part.interrupted
    assert part.proposals == 60
    monkeypatch.setattr(Engine, "run", used_run)
    monkeypatch.setattr(rounds, "improve_tables", search)
    with Engine(workers=1, run=str(tmp_path / "run")) as engine:
        again = improve_in_rounds(engine, net, start, **asked)
    assert made == list(range(3 + 6, 3 + 64))
    assert again.curve == whole.curve
    assert (_loads(again.routing) == _loads(whole.routing)).all()


def test_the_command_keeps_its_rounds(tmp_path: Path) -> None:
    run, reports = str(tmp_path / "run"), [tmp_path / "one.json", tmp_path / "two.json"]
    verb = ["design", TOPOLOGY, "--objective", "worst-case", "--paths", "tables", "--proposals", "160", "--run", run]
    for report in reports:
        assert main([*verb, "--json", str(report)]) == 0
        assert main(["verify", str(report)]) == 0
    one, two = (json.loads(x.read_text()) for x in reports)
    assert one["claims"] == two["claims"]
    assert main(["runs", "verify", run]) == 0
    assert main([*verb[:-4], "--proposals", "161", "--run", run]) == 2


@pytest.mark.parametrize("proposals", [1, 3, 67, 101])
def test_as_many_proposals_are_made_as_were_asked_for(proposals: int) -> None:
    net = resolve_network("random-regular:8,degree=3,seed=1")
    with Engine(workers=1) as engine:
        assert improve_in_rounds(engine, net, usual_start(net), proposals=proposals, lids=ONE).proposals == proposals
