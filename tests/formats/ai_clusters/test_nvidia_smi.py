"""The matrix of ``nvidia-smi topo -m``: NVLinks, direct or to NVSwitches; what it does not say is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network

DGX1 = """\
\t\x1b[4mGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tmlx5_0\tCPU Affinity\x1b[0m
GPU0\t X \tNV1\tNV1\tNV2\tNV2\tSYS\tSYS\tSYS\tPIX\t0-19,40-59
GPU1\tNV1\t X \tNV2\tNV1\tSYS\tNV2\tSYS\tSYS\tPIX\t0-19,40-59
GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tNV1\tSYS\tPHB\t0-19,40-59
GPU3\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tSYS\tNV1\tPHB\t0-19,40-59
GPU4\tNV2\tSYS\tSYS\tSYS\t X \tNV1\tNV1\tNV2\tSYS\t20-39,60-79
GPU5\tSYS\tNV2\tSYS\tSYS\tNV1\t X \tNV2\tNV1\tSYS\t20-39,60-79
GPU6\tSYS\tSYS\tNV1\tSYS\tNV1\tNV2\t X \tNV2\tSYS\t20-39,60-79
GPU7\tSYS\tSYS\tSYS\tNV1\tNV2\tNV1\tNV2\t X \tSYS\t20-39,60-79
mlx5_0\tPIX\tPIX\tPHB\tPHB\tSYS\tSYS\tSYS\tSYS\t X \t

Legend:

  X    = Self
  NV#  = Connection traversing a bonded set of # NVLinks
"""


def matrix(size: int, between: str) -> str:
    names = [f"GPU{k}" for k in range(size)]
    rows = ["    ".join([x, *("X" if x == y else between for y in names), "0-103   0   N/A"]) for x in names]
    return "\n".join(["        " + "    ".join([*names, "CPU Affinity    NUMA Affinity   GPU NUMA ID"]), *rows, ""])


def read(tmp_path: Path, text: str, options: str = "") -> Network:
    (tmp_path / "topo.txt").write_text(text)
    with pytest.warns(RouteproofWarning, match="NVLinks alone are read"):
        return resolve_network(f"{tmp_path / 'topo.txt'}{options}")


def test_direct_links_are_channels_of_as_many_nvlinks(tmp_path: Path) -> None:
    network = read(tmp_path, DGX1)
    assert (network.num_nodes, network.num_terminals, network.num_channels) == (8, 8, 32)
    sums = [sum(b for v, b in zip(network.tail.tolist(), network.bandwidth, strict=True) if v == u) for u in range(8)]
    assert sums == [6] * 8  # NVLinks of a V100
    assert getattr(network, "gbps", None) is None


def test_the_bandwidth_of_an_nvlink_is_an_option(tmp_path: Path) -> None:
    network = read(tmp_path, DGX1, ",bandwidth=25")
    assert sorted(set(network.bandwidth)) == [25, 50]
    assert network.gbps == 8  # type: ignore[attr-defined]


@pytest.mark.parametrize(("size", "links"), [(8, 12), (8, 18), (4, 18), (3, 12), (16, 6)])
def test_counts_that_no_gpu_has_for_each_pair_are_those_of_nvswitches(size: int, links: int, tmp_path: Path) -> None:
    network = read(tmp_path, matrix(size, f"NV{links}"))
    assert (network.num_nodes, network.num_terminals, network.num_channels) == (size + 1, size, 2 * size)
    assert set(network.bandwidth) == {links}
    assert network.label(size) == "NVSwitch"


@pytest.mark.parametrize(("size", "links"), [(2, 4), (2, 18), (4, 4), (3, 2)])
def test_few_links_are_direct(size: int, links: int, tmp_path: Path) -> None:
    network = read(tmp_path, matrix(size, f"NV{links}"))
    assert (network.num_nodes, network.num_channels) == (size, size * (size - 1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (matrix(4, "NV6"), r"NV6 between all 4 GPUs is either .*NCCL_TOPO_DUMP_FILE"),
        (matrix(4, "PHB"), r"NVLinks do not join all of its 4 GPUs, .*NCCL_TOPO_DUMP_FILE"),
        (matrix(1, "X"), r"do not join all of its 1 GPUs"),
        (matrix(4, "NV4").replace("X    NV4", "X    NV3", 1), r"GPU1 and GPU0 state different numbers"),
        (matrix(4, "NV4").replace("NV4    X", "NV4    NV4", 1), r"line 3: 'NV4'; X expected"),
        (matrix(4, "NV4").replace("NV4", "FAST", 1), r"line 2: 'FAST'; NV and a number, PIX"),
        ("\n".join(matrix(4, "NV4").splitlines()[:3]), r"has 2 rows for 4 GPUs"),
        (DGX1.replace("NV2", "NV9"), r"a GPU with 20 NVLinks; 18 at most"),
    ],
)  # fmt: skip
def test_what_is_not_said_is_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "topo.txt").write_text(text)
    with pytest.raises(InputError, match=says):
        resolve_network(str(tmp_path / "topo.txt"))
