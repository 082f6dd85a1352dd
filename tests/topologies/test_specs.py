"""Texts of networks: the grammar, canonical forms, removal of links and nodes, and what is refused."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.topologies.family import TOPOLOGIES, network_from_spec
from routeproof.topologies.removal import link_channels, random_links, remove

FAMILIES = TOPOLOGIES.own
EVERY_FAMILY = [family.usage for family in FAMILIES.values()]


def same(one: Network, other: Network) -> bool:
    return (
        one.num_nodes == other.num_nodes
        and one.tail.tolist() == other.tail.tolist()
        and one.head.tolist() == other.head.tolist()
        and one.bandwidth == other.bandwidth
        and one.source.tolist() == other.source.tolist()
    )


def test_every_family_has_help_and_a_working_example() -> None:
    names = {"torus", "mesh", "ring", "hypercube", "hyperx", "complete", "random-regular", "petersen", "kautz"}
    assert names <= set(FAMILIES)
    for name, family in FAMILIES.items():
        assert family.help
        assert "\n" not in family.help
        assert family.usage.split(":")[0] == name == family.name
        assert network_from_spec(family.usage).spec == family.usage


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" torus: 9 x 9 , oneway ", "torus:9x9,oneway"),
        ("torus:6x4,bandwidth=2x1", "torus:6x4,bandwidth=2x1"),
        ("torus:6x4,bandwidth=2x2", "torus:6x4,bandwidth=2"),
        ("torus:6x4,bandwidth=1x1", "torus:6x4"),
        ("torus:6x4,bandwidth=0.5", "torus:6x4,bandwidth=1/2"),
        ("mesh:3x3,bandwidth=6/4x1", "mesh:3x3,bandwidth=3/2x1"),
        ("ring:7,bandwidth=3,oneway", "ring:7,oneway,bandwidth=3"),
        ("hypercube:3,bandwidth=1x2x1", "hypercube:3,bandwidth=1x2x1"),
        ("hyperx:3x4,bandwidth=2x1", "hyperx:3x4,bandwidth=2x1"),
        ("complete:4,bandwidth=2", "complete:4,bandwidth=2"),
        ("random-regular:16,seed=7,degree=4", "random-regular:16,degree=4,seed=7"),
        ("petersen,bandwidth=5/3", "petersen,bandwidth=5/3"),
        ("petersen:", "petersen"),
        ("kautz:02,3", "kautz:2,3"),
        ("torus:4x4,dead-nodes=9;5", "torus:4x4,dead-nodes=5;9"),
        ("torus:4x4,dead-links=4-0;1-2", "torus:4x4,dead-links=0-4;1-2"),
        (
            "torus:4x4,kill-seed=7,kill-links=2,dead-channels=3,bandwidth=2x1",
            "torus:4x4,bandwidth=2x1,dead-channels=3,kill-links=2,kill-seed=7",
        ),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    network = network_from_spec(text)
    assert network.spec == network.name == canonical
    assert same(network, network_from_spec(canonical))


def test_bandwidth_per_dimension() -> None:
    network = network_from_spec("torus:6x4,bandwidth=3/2x1")
    assert network.grid is not None
    assert {network.bandwidth[c] for c in network.grid.channel_at[:, 0].ravel()} == {Fraction(3, 2)}
    assert {network.bandwidth[c] for c in network.grid.channel_at[:, 1].ravel()} == {Fraction(1)}


# -- removal ------------------------------------------------------------------------------------------------


def channels_by_name(network: Network) -> list[tuple[str, str]]:
    return [(network.label(u), network.label(v)) for u, v in zip(network.tail, network.head, strict=True)]


def test_dead_nodes_take_their_channels_and_terminals_along() -> None:
    whole, left = network_from_spec("torus:4x4"), network_from_spec("torus:4x4,dead-nodes=5;9")
    assert (left.num_nodes, left.num_terminals, left.num_channels) == (14, 14, 64 - 2 * 8 + 2)
    dead = {whole.label(5), whole.label(9)}
    assert channels_by_name(left) == [ends for ends in channels_by_name(whole) if not dead & set(ends)]
    assert left.grid is None
    assert left.symmetry is None


def test_dead_links_go_both_ways() -> None:
    whole, left = network_from_spec("ring:6"), network_from_spec("ring:6,dead-links=3-4;0-5")
    gone = {(3, 4), (4, 3), (0, 5), (5, 0)}
    kept = [ends for ends in zip(whole.tail.tolist(), whole.head.tolist(), strict=True) if ends not in gone]
    assert list(zip(left.tail.tolist(), left.head.tolist(), strict=True)) == kept
    assert network_from_spec("ring:6,oneway,dead-links=4-3").num_channels == 5


def test_dead_links_take_all_parallel_channels() -> None:
    twins = Network.of("twins", 3, [(0, 1), (0, 1), (1, 0), (1, 2), (2, 1), (2, 0)])
    assert link_channels(twins, 1, 0) == [0, 1, 2]
    left = remove(twins, {"dead-links": "0-1"})
    assert (left.num_channels, left.spec) == (3, None)
    assert left.name == "twins,dead-links=0-1"


def test_dead_channels_go_one_way() -> None:
    whole, left = network_from_spec("mesh:3x3"), network_from_spec("mesh:3x3,dead-channels=0;5")
    expected = [c for c in range(whole.num_channels) if c not in (0, 5)]
    assert left.tail.tolist() == whole.tail[expected].tolist()


def test_bandwidths_follow_their_channels() -> None:
    whole = network_from_spec("torus:4x3,bandwidth=2x1")
    left = network_from_spec("torus:4x3,bandwidth=2x1,dead-channels=0")
    assert left.bandwidth == whole.bandwidth[1:]


@pytest.mark.parametrize("text", ["torus:5x5", "mesh:4x4", "kautz:3,2", "petersen,dead-nodes=3", "torus:4x3,oneway"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_killed_links_leave_the_network_connected(text: str, count: int) -> None:
    whole = network_from_spec(text)
    chosen = set()
    for seed in range(5):
        option = f"{text},kill-links={count},kill-seed={seed}"
        left = network_from_spec(option)
        assert same(left, network_from_spec(option))
        graph = nx.DiGraph(list(zip(left.tail.tolist(), left.head.tolist(), strict=True)))
        assert graph.number_of_nodes() == whole.num_nodes
        assert nx.is_strongly_connected(graph)
        gone = set(channels_by_name(whole)) - set(channels_by_name(left))
        assert len({frozenset(x) for x in gone}) == count
        assert all((v, u) in gone for u, v in gone if (v, u) in channels_by_name(whole))
        chosen.add(frozenset(gone))
    assert len(chosen) > 1 or count == 0


def one_at_a_time(network: Network, count: int, seed: int) -> set[int]:
    """The rule of ``random_links`` as its docstring states it."""
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    links = sorted({(min(e), max(e)) for e in ends})
    gone: set[tuple[int, int]] = set()
    for k in np.random.default_rng(seed).permutation(len(links)).tolist():
        if len(gone) == count:
            break
        graph = nx.DiGraph()
        graph.add_nodes_from(range(network.num_nodes))
        graph.add_edges_from(e for e in ends if (min(e), max(e)) not in gone | {links[k]})
        if nx.is_strongly_connected(graph):
            gone.add(links[k])
    return {c for c, e in enumerate(ends) if (min(e), max(e)) in gone}


@pytest.mark.parametrize("text", ["mesh:4x4", "torus:4x3", "kautz:2,2", "random-regular:12,degree=3,seed=1"])
def test_random_links_is_the_rule_one_link_at_a_time(text: str) -> None:
    network = network_from_spec(text)
    for seed in range(6):
        for count in (1, 2, 5):
            with contextlib.suppress(InputError):
                assert random_links(network, count, seed=seed) == one_at_a_time(network, count, seed)


def test_killing_goes_as_far_as_a_tree_and_no_further() -> None:
    tree = network_from_spec("mesh:3x3,kill-links=4,kill-seed=1")
    assert tree.num_channels == 2 * 8
    with pytest.raises(InputError, match="only 4 links can go"):
        network_from_spec("mesh:3x3,kill-links=5,kill-seed=1")
    with pytest.raises(InputError, match="strongly connected to begin with"):
        network_from_spec("ring:6,dead-nodes=0;3,kill-links=1,kill-seed=1")


# -- refusals -----------------------------------------------------------------------------------------------

REFUSED = [
    ("", "unknown network family ''"),
    ("toruss:9x9", "did you mean 'torus'"),
    ("Torus:9x9", "did you mean 'torus'"),
    ("random-regulr:8,degree=3,seed=1", "did you mean 'random-regular'"),
    ("zzzzzz", "docs/topologies.md lists the families"),
    ("torus", "needs 1 parameter, as in torus:9x9"),
    ("torus:", "needs 1 parameter"),
    ("torus:oneway=1", "needs 1 parameter"),
    ("torus:,oneway", "needs 1 parameter"),
    ("kautz:2", "needs 2 parameters, as in kautz:2,3"),
    ("kautz:2,bandwidth=3", "needs 2 parameters"),
    ("petersen:5", "'5' is one parameter too many; none and options by name were expected, as in petersen"),
    ("torus:4,4", "torus:4,4: radices are written with an x between, as in torus:4x4"),
    ("mesh:4*4", r"mesh:4\*4: radices are written with an x between, as in mesh:4x4"),
    ("ring:8,8", "'8' is one parameter too many; 1 parameter and options by name were expected, as in ring:7"),
    ("fat-tree:8,levels=0", "levels of fat-tree is 0; at least 2 was expected"),
    ("fat-tree:8,oversubscription=0", "oversubscription of fat-tree is 0; at least 1 was expected"),
    ("complete:1", "number of nodes of complete is 1; at least 2 was expected"),
    ("torus:9x1", "radix below 2"),
    ("torus:-3x3", "a radix in '-3x3' is '-3'; a whole number, 2 or more, was expected"),
    ("torus:9x", "a radix in '9x' is ''; a whole number, 2 or more, was expected"),
    ("torus:x", "whole number"),
    ("torus:9x-3", "'-3'"),
    ("torus:9.0x9", "'9.0'"),
    ("torus:1e3", "'1e3'"),
    ("torus:９x9", "whole number"),
    ("torus:9_0", "'9_0'"),
    ("torus:" + "9" * 5000, "5000 digits"),
    ("torus:999999x999999", "at most 4,194,304"),
    ("hypercube:60", "10\\^15 nodes"),
    ("hyperx:4x4,5", "'5' is one parameter too many"),
    ("torus:4x4,bandwith=2", "did you mean 'bandwidth'"),
    ("torus:4x4,one-way", "did you mean 'oneway'"),
    ("mesh:4x4,oneway", "unknown option 'oneway'"),
    ("torus:4x4,oneway,oneway", "'oneway' is given twice"),
    ("torus:4x4,bandwidth=1,bandwidth=1", "'bandwidth' is given twice"),
    ("torus:4x4,oneway=1", "takes no value"),
    ("torus:4x4,bandwidth", "has no value"),
    ("torus:4x4,bandwidth=", "has no value"),
    ("torus:4x4,", "empty option"),
    ("torus:4x4,=3", "empty option"),
    ("torus:4x4,bandwidth=0", "positive fraction"),
    ("torus:4x4,bandwidth=-1/2", "positive fraction"),
    ("torus:4x4,bandwidth=nan", "fraction such as 3/4"),
    ("torus:4x4,bandwidth=inf", "fraction such as 3/4"),
    ("torus:4x4,bandwidth=1/0", "fraction such as 3/4"),
    ("torus:4x4,bandwidth=1e999999999", "exponent"),
    ("torus:4x4,bandwidth=2x", "fraction such as 3/4"),
    ("torus:4x4,bandwidth=1x2x3", "2 dimensions but 3 bandwidths"),
    ("complete:4,bandwidth=2x1", "1 dimensions but 2 bandwidths"),
    ("kautz:2,3,bandwidth=2x1", "one fraction for all channels"),
    ("random-regular:8,seed=1", "needs degree="),
    ("random-regular:8,degree=3", "needs seed="),
    ("random-regular:8,degree=x,seed=1", "degree of random-regular is 'x'"),
    ("torus:4x4,dead-nodes=16", "dead node 16 is outside the network; nodes are 0 to 15"),
    ("torus:4x4,dead-nodes=5,9", "unknown option '9'"),
    ("torus:4x4,dead-nodes=5;5", "holds node 5 twice"),
    ("torus:4x4,dead-nodes=5;", "whole number"),
    ("torus:2x2,dead-nodes=0;1;2;3", "no terminal"),
    ("torus:4x4,dead-links=0-5", "no channel joins these nodes; node 0 is joined to 1, 3, 4, 12"),
    ("torus:4x4,dead-links=0-99", "nodes are 0 to 15"),
    ("torus:4x4,dead-links=0-0", "two different nodes"),
    ("torus:4x4,dead-links=3", "two nodes such as 3-4"),
    ("torus:4x4,dead-links=0-1;1-0", "holds link 0-1 twice"),
    ("torus:4x4,dead-channels=64", "dead channel 64 is outside the network"),
    ("torus:4x4,dead-channels=1;1", "holds channel 1 twice"),
    ("torus:4x4,kill-links=2", "kill-links and kill-seed go together"),
    ("torus:4x4,kill-seed=2", "kill-links and kill-seed go together"),
    ("torus:4x4,kill-links=2,seed=7", "did you mean 'kill-seed'"),
    ("torus:4x4,kill-links=33,kill-seed=1", "only 32 links"),
    ("torus:4x4,kill-links=-1,kill-seed=1", "'-1'"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused_in_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        network_from_spec(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 800


WRONG = ("", "0", "-1", "2.5", "abc", "4x", "99999999", "9" * 30)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_refusal_of_a_family_shows_how_it_would_be_right(name: str) -> None:
    usage = FAMILIES[name].usage
    pieces = usage[len(name) + 1 :].split(",") if ":" in usage else []
    count = sum("=" not in piece for piece in pieces)
    texts = [",".join([*pieces[:count], "3", *pieces[count:]])]  # one parameter too many
    for k in range(len(pieces)):
        texts.append(",".join(pieces[:k] + pieces[k + 1 :]))
        start = pieces[k].partition("=")[0] + "=" if "=" in pieces[k] else ""
        texts += [",".join([*pieces[:k], start + value, *pieces[k + 1 :]]) for value in WRONG if value or not start]
    said = [(text, _refusal(f"{name}:{text}")) for text in texts]
    refused = [(text, message) for text, message in said if message]
    assert len(refused) >= len(texts) // 2
    assert [x for x in refused if "as in " not in x[1] and f"(for example: {usage})" not in x[1]] == []


def _refusal(text: str) -> str:
    try:
        network_from_spec(text)
    except InputError as error:
        return str(error)
    return ""


def test_hostile_length_is_refused() -> None:
    for text in (
        "torus:" + "x".join(["2"] * 400_000),
        "torus:" + "," * 2_000_000,
        "a" * 1_000_000,
        "torus:\n\x1b[31m4",
    ):
        with pytest.raises(InputError) as caught:
            network_from_spec(text)
        assert len(str(caught.value)) < 700  # all families are named
        assert str(caught.value).isprintable()


@settings(max_examples=300)
@given(
    st.one_of(
        st.text(max_size=30),
        st.builds(
            "{}{}{}".format,
            st.sampled_from(EVERY_FAMILY + list(FAMILIES)).filter(lambda x: "256" not in x),
            st.sampled_from([":", ",", ""]),
            st.text(alphabet="0123x,;=-./ obandwithepr", max_size=25),
        ),
    )
)
def test_any_text_gives_a_network_or_one_line(text: str) -> None:
    network, message = None, ""
    try:
        network = network_from_spec(text)
    except InputError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 800
    if network is not None:
        assert network.spec is not None
        assert network_from_spec(network.spec).spec == network.spec
