"""Routings by text, as the command line takes them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from brute_routing import all_loads
from document_files import write_routing
from places import ETHERNET, INFINIBAND
from routeproof.core.errors import InputError
from routeproof.core.paths import Paths
from routeproof.formats.format import read_network
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.function.incremental import SampledRouting
from routeproof.routing.graph.minimal import Minimal
from routeproof.routing.graph.valiant import AnyGraphValiant
from routeproof.routing.grid.dor import DOR
from routeproof.routing.grid.turns import Turns
from routeproof.routing.grid.valiant import ROMM, GridValiant
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.named.names import NEAREST, ROUTINGS, aliases
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

TORUS = network_from_spec("torus:3x4")
MESH, RING = network_from_spec("mesh:3x4"), network_from_spec("ring:5")
PETERSEN = network_from_spec("petersen")
TREE, GROUPS = network_from_spec("fat-tree:4"), network_from_spec("dragonfly:1,2,1")


@pytest.mark.parametrize(
    ("text", "routing"),
    [
        ("dor", DOR().on(TORUS)),
        ("dor:tie=plus", DOR(tie="plus").on(TORUS)),
        ("dor:tie=plus,order=yx", DOR(tie="plus", order="yx").on(TORUS)),
        (" romm:tie = union ", ROMM(tie="union").on(TORUS)),
        ("romm:order=xy-yx", ROMM(order="xy-yx").on(TORUS)),
        ("minimal", Minimal().on(TORUS)),
        ("ecmp", Minimal(choice="per-hop").on(TORUS)),
        ("ecmp:choice=per-path", Minimal().on(TORUS)),
        ("minimal:choice=per-path", Minimal().on(TORUS)),
        ("minimal:choice=per-hop", Minimal(choice="per-hop").on(TORUS)),
        ("turns", Turns(limit=4, start="virtual").on(TORUS)),
        ("turns:limit=1,start=strict", Turns(limit=1, start="strict").on(TORUS)),
        ("mix:1/2*dor+1/2*romm", Mixture([("1/2", DOR().on(TORUS)), ("1/2", ROMM().on(TORUS))])),
        (
            "mix:1/2*dor:tie=plus,order=yx+0.25*romm:order=xy-yx + 1/4*minimal",
            Mixture(
                [
                    ("1/2", DOR(tie="plus", order="yx").on(TORUS)),
                    ("1/4", ROMM(order="xy-yx").on(TORUS)),
                    ("1/4", Minimal().on(TORUS)),
                ]
            ),
        ),
    ],
)
def test_text_makes_the_routing_and_its_name_makes_it_again(text: str, routing: Routing) -> None:
    made = routing_from_spec(text, TORUS)
    assert all_loads(made) == all_loads(routing)
    again = routing_from_spec(made.name, TORUS)
    assert again.name == made.name
    assert all_loads(again) == all_loads(routing)
    assert all_loads(routing_from_description(describe_routing(made), TORUS)) == all_loads(routing)


def test_every_name_works_and_has_one_line_of_help(tmp_path: Path) -> None:
    for path in INFINIBAND.glob("ring3.*"):
        shutil.copy(path, tmp_path)
    for name, entry in ROUTINGS.own.items():
        if entry.solved_within is not None:
            continue  # tests of design make these
        if name == "opensm":
            continue  # it runs a program: tests/opensm
        own = {"u2turn": MESH, "dmodk": TREE, "smodk": TREE, "dragonfly-minimal": GROUPS, "dragonfly-valiant": GROUPS}
        own["w2turn"] = network_from_spec("torus:3x3")
        own["rail-local"] = network_from_spec("rail-optimized:2,2,nvlink=9")
        own["routes"] = read_network(ETHERNET / "leaf-spine")
        own["tables"] = read_network(tmp_path)
        net = RING if name == "wrd" else own.get(name, TORUS)
        text = "random-path:seed=1" if name == "random-path" else name
        assert routing_from_spec(text, net).network is net
        assert "\n" not in entry.help
        assert 10 < len(entry.help) < 100
        assert entry.whole_numbers <= set(entry.options)


def test_valiant_is_by_dimension_on_grids_and_by_shortest_paths_elsewhere() -> None:
    assert isinstance(routing_from_spec("valiant", TORUS), GridValiant)
    assert isinstance(routing_from_spec("valiant", PETERSEN), AnyGraphValiant)
    with pytest.raises(InputError, match="needs a torus, mesh or HyperX"):
        routing_from_spec("valiant:tie=plus", PETERSEN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the routing is empty; a name such as dor, "),
        ("   ", "the routing is empty"),
        ("x" * 5000, "the routing is too long"),
        ("rom", "unknown routing 'rom'; did you mean 'romm'?"),
        ("rom:tie=union", "did you mean 'romm'?"),
        ("rlbb", "unknown routing 'rlbb'; did you mean 'rlb'?"),
        ("rlb:threshold=yes", "rlb: unknown option 'threshold'"),
        ("dor:", "dor: '' is not an option; option=value was expected"),
        ("dor:tie", "dor: 'tie' is not an option"),
        ("dor:tie=", "dor: 'tie=' is not an option"),
        ("dor:tie=plus,", "dor: '' is not an option"),
        ("dor:ties=plus", "dor: unknown option 'ties'; did you mean 'tie'?"),
        ("dor:tie=plus,tie=split", "dor: option 'tie' is given twice"),
        ("dor:tie=sideways", "tie"),
        ("dmodk:choice=per-hop", "dmodk: unknown option 'choice'; dmodk has no options"),
        ("minimal:choice=per-packet", "choice is 'per-packet'"),
        ("turns:limit=four", "turns: limit is 'four'; a whole number of at most 9 digits was expected"),
        ("turns:limit=-1", "turns: limit is '-1'"),
        ("turns:limit=99999999999", "turns: limit is '99999999999'"),
        ("turns:limit=0", "limit is 0"),
        ("turns:start=here", "start is 'here'"),
        ("mix:", "mix: '' is not a part"),
        ("mix", "unknown routing 'mix'"),
        ("mix:dor", "mix: 'dor' is not a part; weight*routing was expected"),
        ("mix:1/2*dor", "sum to 1/2"),
        ("mix:1/2*dor+1/2", "mix: '1/2' is not a part; weight*routing was expected"),
        ("mix:x*dor", "mix: a weight is 'x'"),
        ("mix:1/0*dor", "mix: a weight is '1/0'"),
        ("mix:1e99999999*dor", "exponent is out of range"),
        ("mix:1*mix:1*dor", "cannot hold another one"),
        ("mix:1/2*dor+1/2*rom", "did you mean 'romm'?"),
        ("no/such/file", "there is no file no/such/file; a routing was expected there"),
        ("no_such_file.json", "there is no file no_such_file.json"),
        ("/", "routing '/' is a directory; a file was expected"),
        ("mix:1_0/20*dor+1/2*romm", "a number or a fraction such as 3/4 was expected"),
        ("no_such_module_anywhere:f", "no module 'no_such_module_anywhere'"),
        ("\0", "unknown routing"),
        ("dör", "unknown routing 'dör'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        routing_from_spec(text, TORUS)
    said = str(caught.value)
    assert message in said
    assert said.isprintable()
    assert "\n" not in said
    assert len(said) < 400


def test_a_routing_file(tmp_path, monkeypatch) -> None:
    net = network_from_spec("ring:3")
    to = {(int(u), int(v)): c for c, (u, v) in enumerate(zip(net.tail, net.head, strict=True))}
    paths = Paths.of([(i, j, 1, [to[i, j]]) for i in range(3) for j in range(3) if i != j])
    write_routing(paths, net, tmp_path / "direct.json")
    monkeypatch.chdir(tmp_path)
    routing = routing_from_spec("direct.json", net)
    assert all_loads(routing) == {(c, i, j): 1 for (i, j), c in to.items()}
    assert routing.name == "direct.json"
    mixed = routing_from_spec("mix:1/2*direct.json+1/2*minimal", net)
    assert all_loads(mixed) == all_loads(routing)
    with pytest.raises(InputError, match="direct"):
        routing_from_spec("direct.json", TORUS)
    data = json.loads((tmp_path / "direct.json").read_text())
    data["pairs"].pop()
    (tmp_path / "short.json").write_text(json.dumps(data))
    with pytest.raises(InputError, match="no path from terminal 2"):
        routing_from_spec("short.json", net)


@pytest.fixture
def functions(tmp_path, monkeypatch):
    (tmp_path / "routes_of_mine.py").write_text(
        "def clockwise(state, node, destination):\n    return [(1, state, (node + 1) % 5)]\n"
    )
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("routes_of_mine", None)


@pytest.mark.usefixtures("functions")
def test_a_function_of_mine() -> None:
    net = network_from_spec("ring:5")
    exact = routing_from_spec("routes_of_mine:clockwise", net)
    assert exact.name == "routes_of_mine:clockwise"
    assert all_loads(routing_from_spec("routes_of_mine:clockwise,states=5", net)) == all_loads(exact)
    sampled = routing_from_spec("routes_of_mine:clockwise,samples=4,seed=2", net)
    assert isinstance(sampled, SampledRouting)
    assert all_loads(sampled) == all_loads(exact)
    assert sampled.name == "routes_of_mine:clockwise,samples=4,seed=2"
    mixed = routing_from_spec("mix:1/3*routes_of_mine:clockwise+2/3*minimal", net)
    assert describe_routing(mixed)["parts"][0][0] == "1/3"
    # What a report says runs neither files nor functions; the loads themselves are in it.
    assert all_loads(routing_from_description(describe_routing(exact), net)) == all_loads(exact)
    assert all_loads(routing_from_description(describe_routing(mixed), net)) == all_loads(mixed)


@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (",states=2", "more than 2 pairs of state and node"),
        (",sample=2", "unknown option 'sample'; did you mean 'samples'?"),
        (",samples=3", "samples is 3; an even number"),
        (",samples=2,states=4", "give one of them"),
        (",seed=2", "'seed' goes with 'samples'"),
        (",states=2,states=3", "given twice"),
        (",states", "is not an option"),
    ],
)
def test_options_of_a_function(options: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        routing_from_spec("routes_of_mine:clockwise" + options, network_from_spec("ring:5"))


@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(
    "data",
    [
        {"spec": "routes_of_mine:clockwise"},
        {"spec": " routes_of_mine:clockwise"},
        {"spec": "mix:1*routes_of_mine:clockwise"},
        {"spec": " mix:1/2*routes_of_mine:clockwise+1/2*minimal"},
        {"spec": "mix:1/2*minimal+1/2* routes_of_mine:clockwise"},
        {"spec": "routes_of_mine.py"},
        {"spec": 3},
        {},
        {"parts": 3},
        {"parts": [["1/2"]]},
        {"parts": [["1/2", {"parts": []}]]},
        {"parts": [["1", {"spec": "routes_of_mine:clockwise"}]]},
        {"parts": []},
        [],
    ],
)
def test_a_description_runs_nothing(data) -> None:
    with pytest.raises(InputError):
        routing_from_description(data, network_from_spec("ring:5"))
    assert "routes_of_mine" not in sys.modules


OTHER_NAMES = aliases()


@pytest.mark.filterwarnings("ignore:.* is an old name")
@pytest.mark.parametrize("alias", OTHER_NAMES)
def test_another_name_is_the_same_routing(alias: str) -> None:
    name = OTHER_NAMES[alias].partition(":")[0]
    tree, groups = network_from_spec("fat-tree:4"), network_from_spec("dragonfly-plus:2,2,2,2")
    own = {"dmodk": tree, "smodk": tree, "dragonfly-minimal": groups, "dragonfly-valiant": groups}
    network = own.get(name, TORUS)
    meant = describe_routing(routing_from_spec(OTHER_NAMES[alias], network))
    assert describe_routing(routing_from_spec(alias, network)) == meant
    assert describe_routing(routing_from_spec(alias.upper(), network)) == meant


def test_options_go_with_other_names_and_capitals() -> None:
    assert describe_routing(routing_from_spec("updn:root=5", PETERSEN)) == {"spec": "updown:root=5,paths=one"}
    assert describe_routing(routing_from_spec("e-cube:tie=plus", TORUS)) == {"spec": "dor:tie=plus"}
    assert describe_routing(routing_from_spec("ROMM:tie=union", TORUS)) == {"spec": "romm:tie=union"}
    assert describe_routing(routing_from_spec("mix:1/2*XY+1/2*yx", TORUS)) == {"spec": "mix:1/2*dor+1/2*dor:order=yx"}
    with pytest.raises(InputError, match="option 'paths' is given twice"):
        routing_from_spec("updn:paths=all", PETERSEN)
    with pytest.raises(InputError, match="no module 'val'"):  # a function of the user's may be called so
        routing_from_spec("val:route", TORUS)


@pytest.mark.parametrize("name", NEAREST)
def test_what_is_not_here_under_any_name(name: str) -> None:
    with pytest.raises(InputError) as caught:
        routing_from_spec(name, TORUS)
    assert NEAREST[name] in str(caught.value)
    assert len(str(caught.value)) < 200


def test_names_mean_one_thing() -> None:
    assert not {*OTHER_NAMES, *NEAREST} & {*ROUTINGS.own, "mix"}
    assert not OTHER_NAMES.keys() & NEAREST.keys()
    assert all(text.partition(":")[0] in ROUTINGS.own for text in OTHER_NAMES.values())
