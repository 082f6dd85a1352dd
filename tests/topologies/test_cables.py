"""Bundles of cables as parallel channels, and what the failure of one of them does."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.symmetry import check_automorphism
from routeproof.formats.resolve import resolve_network
from routeproof.questions.failures.claims import failure_representatives
from routeproof.routing.named.spec import routing_from_spec
from routeproof.symmetry.channel_classes import channel_classes
from routeproof.topologies.failures import all_failures, cables_of
from routeproof.topologies.family import network_from_spec
from routeproof.worst.failures import base_of, solve_failures
from routeproof.worst.scan.exact import worst_case


@pytest.mark.parametrize("text", ["torus:3x3,bandwidth=2", "torus:4x3,bandwidth=2x1", "ring:5,oneway,bandwidth=3"])
def test_a_bundle_is_as_good_as_its_cables(text: str) -> None:
    """Spread alike over its cables, a bundle carries what a channel of their bandwidth does, and symmetry stays."""
    whole, cables = network_from_spec(text), network_from_spec(f"{text},cables=1")
    assert cables.num_channels == sum(int(x) for x in whole.bandwidth)
    assert set(cables.bandwidth) == {Fraction(1)}
    assert cables.symmetry is not None
    for g in cables.symmetry.generators:
        check_automorphism(cables, g)
        assert np.array_equal(cables.opposite[g.channel], g.channel[cables.opposite])
    minimal = [routing_from_spec("minimal:choice=per-path", x) for x in (whole, cables)]
    if text != "torus:4x3,bandwidth=2x1":  # there paths over wide channels count more than once
        assert worst_case(minimal[0]).load == worst_case(minimal[1]).load
    assert cables.spec is not None
    assert network_from_spec(cables.spec).num_channels == cables.num_channels


def test_half_of_the_bandwidth_goes_with_one_of_two_cables() -> None:
    """Two nodes, three cables: any one dead leaves two, and all packets on these."""
    cables = network_from_spec("complete:2,bandwidth=3,cables=1")
    assert len(cables_of(cables)) == 3
    some = all_failures(cables, cables=1)
    routing = routing_from_spec("minimal", cables)
    results = solve_failures(base_of(routing), failures=[([], x.channels(cables)) for x in some])
    assert [x["load"] for x in results] == ["1/2"] * 3
    assert worst_case(routing).load == Fraction(1, 3)


def test_cables_of_one_bundle_are_alike() -> None:
    """One of them is judged, and each of them alone does the same; that is proved by a symmetry that turns bundles."""
    cables = network_from_spec("leaf-spine:2,3,2,bandwidth=2,cables=1")
    routing = routing_from_spec("ecmp", cables)
    some = failure_representatives(routing, channel_classes(routing), of="cables")
    assert some == {next(iter(some)): 12}
    one_by_one = [([], x.channels(cables)) for x in all_failures(cables, cables=1)]
    alone = {x["load"] for x in solve_failures(base_of(routing, "none"), failures=one_by_one)}
    assert len(alone) == 1


def test_from_the_command_line_and_back(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    verb = ["failures", "fat-tree:4,levels=2,bandwidth=2,cables=1,hosts", "-r", "minimal", "--cables", "1"]
    assert main([*verb, "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    file = tmp_path / "net.json"
    assert main(["convert", "ring:4,bandwidth=2", str(file)]) == 0
    assert resolve_network(f"{file},cables=1").num_channels == 16
    assert resolve_network(f"{file},cables=1/2,dead-channels=3").num_channels == 31


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ring:4,bandwidth=3/2,cables=1", "not a whole number of cables of bandwidth 1"),
        ("ring:4,cables=2", "channel 0"),
        ("ring:4,cables=0", "positive number"),
        ("ring:4,cables=many", "a number or a fraction"),
        ("ring:4,bandwidth=1000000,cables=1", "at most 4,000,000"),
        (str(INFINIBAND / "ring3.topo") + ",cables=1", "one cable already"),
    ],
)
def test_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part) as caught:
        resolve_network(text)
    assert "\n" not in str(caught.value)


def test_grid_routings_say_what_to_do_instead() -> None:
    cables = network_from_spec("torus:4x4,bandwidth=2,cables=1")
    with pytest.raises(InputError, match=r"^dor needs a torus.*; without cables= each bundle is one channel") as caught:
        routing_from_spec("dor", cables)
    assert "\n" not in str(caught.value)
