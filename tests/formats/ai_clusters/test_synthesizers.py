"""Networks in the inputs of TE-CCL and TACCL."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.format import read_network
from routeproof.topologies.family import network_from_spec

F = Fraction
NDV2 = {"name": "NDv2_1MB", "gpus_per_node": 8, "nics_per_node": 1, "alpha": 0.3, "node_betas_list": [23, 46],
        "node_invbws_list": [23, 46], "remote_invbw": 107, "remote_alpha": 2.6, "remote_beta": 105}  # fmt: skip
CUSTOM = {"name": "x", "gpus_per_node": 2, "alpha": 1, "links": [[0, 1], [0, 0]], "betas": [[0, 2.5], [0, 0]],
          "invbws": [[0, 4], [0, 0]]}  # fmt: skip


def read(tmp_path: Path, document: Any) -> Network:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(document))
    return read_network(path)


@pytest.mark.parametrize(
    ("params", "spec"),
    [
        ({"name": "DGX1"}, "dgx1"),
        ({"name": "DGX2", "chassis": 2, "chunk_size": 0.0625, "option": 1}, "dgx2:2"),
        ({"name": "NDv2", "chassis": 4}, "ndv2:4"),
        ({"name": "AMD", "chassis": 1, "alpha": [0, 0]}, "mi250:1"),
    ],
)
def test_te_ccl_names_boxes(params: dict[str, Any], spec: str, tmp_path: Path) -> None:
    network = read(tmp_path, {"TopologyParams": params, "GurobiParams": {}, "InstanceParams": {"collective": 1}})
    assert network.spec == spec


def test_te_ccl_joins_rows_of_its_mesh(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match="joins the last node of every row to the first one of the next"):
        network = read(tmp_path, {"TopologyParams": {"name": "Mesh", "side_length": 3}})
    found = set(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    expected = {(i, j) for i in range(9) for j in range(9) if j - i in (1, -1, 3, -3)}
    assert found == expected
    assert set(network.bandwidth) == {F(100)}


def test_taccl_ndv2_has_the_links_of_a_dgx1(tmp_path: Path) -> None:
    network, other = read(tmp_path, NDV2), network_from_spec("dgx1")
    width = {50: F(1, 23), 25: F(1, 46)}
    ends = zip(other.tail.tolist(), other.head.tolist(), other.bandwidth, strict=True)
    assert {(u, v): width[int(b)] for u, v, b in ends} == dict(
        zip(zip(network.tail.tolist(), network.head.tolist(), strict=True), network.bandwidth, strict=True)
    )


def test_taccl_rows_receive(tmp_path: Path) -> None:
    network = read(tmp_path, CUSTOM)
    assert (network.tail.tolist(), network.head.tolist(), network.bandwidth) == ([1], [0], (F(2, 5),))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"TopologyParams": []}, "TopologyParams"),
        ({"TopologyParams": {"name": "DGX3"}}, "name is 'DGX3'; "),
        ({"TopologyParams": {"name": 3}}, "name is 3; one of DGX1"),
        ({"TopologyParams": {"name": "DGX2"}}, "DGX2 has 1 chassis; 2, as TE-CCL builds it"),
        ({"TopologyParams": {"name": "NDv2", "chassis": 1}}, "puts a switch between GPUs 0 and 1"),
        ({"TopologyParams": {"name": "NDv2", "chassis": True}}, "chassis is"),
        ({"TopologyParams": {"name": "Mesh", "side_length": 1}}, "side_length is 1; at least 2"),
        ({"TopologyParams": {"name": "Mesh", "side_length": 1 << 19}}, "would have"),
        ({**NDV2, "gpus_per_node": 16, "node_betas_list": [8]}, "what a switch carries is not in such a file"),
        ({**NDV2, "node_betas_list": [23, 0]}, "node_betas_list[1] is"),
        ({**NDV2, "gpus_per_node": "8"}, "gpus_per_node is '8'"),
        ({**CUSTOM, "links": [[0, 2], [0, 0]]}, "links[0][1] is 2; 0 or 1"),
        ({**CUSTOM, "links": [[1, 0], [0, 0]]}, "joins GPU 0 to itself"),
        ({**CUSTOM, "links": [[0, 0], [0, 0]]}, "its links are all 0"),
        ({**CUSTOM, "betas": [[0, 1]]}, "2 lists of 2 numbers were expected"),
    ],
)
def test_one_line_with_the_place(document: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, document)
    assert any(x in str(raised.value) for x in message.split("|"))
    assert re.search(r"input\.json|would have", str(raised.value))  # long paths are shortened there
    assert "\n" not in str(raised.value)
