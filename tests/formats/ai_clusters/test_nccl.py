"""NCCL's and RCCL's topology XML: what NCCL's sources make of a file, and damaged files."""

from __future__ import annotations

import contextlib
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.ai_clusters.nccl import read_server
from routeproof.formats.format import File, read_network

BRIDGE = 'class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16"'


def gpu(bus: str, dev: int, links: str, sm: int = 80) -> str:
    return (
        f'<pci busid="{bus}" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">'
        f'<gpu dev="{dev}" sm="{sm}" rank="{dev}" gdr="1">{links}</gpu></pci>\n'
    )


def to_switches(count: int) -> str:
    return f'<nvlink target="0000:c7:00.0" count="{count}" tclass="0x068000"/>'


SERVER = f"""<?xml version="1.0"?>
<system version="1">
<cpu numaid="0" affinity="ff" arch="x86_64" vendor="AuthenticAMD" familyid="23" modelid="49">
<pci busid="0000:05:00.0" {BRIDGE}>
{gpu("0000:07:00.0", 0, to_switches(12))}{gpu("0000:0a:00.0", 1, to_switches(12))}
<pci busid="0000:0c:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16"><nic>
<net name="mlx5_0" dev="0" speed="200000" port="1" latency="0.0" guid="0xf01c" maxconn="131072" gdr="1"/></nic></pci>
<pci busid="0000:0c:00.1" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16"><nic>
<net name="mlx5_1" dev="1" speed="-1" port="1" guid="0xf01d" maxconn="131072" gdr="1"/></nic></pci>
</pci></cpu>
<cpu numaid="1" affinity="ff00" arch="x86_64" vendor="AuthenticAMD" familyid="23" modelid="49">
{gpu("0000:44:00.0", 2, to_switches(6) + '<nvlink target="0000:07:00.0" count="2" tclass="0x030200"/>')}</cpu>
</system>
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "topo.xml"
    path.write_text(text)
    return path


def widths(network: Network) -> dict[tuple[str, str, str], Fraction]:
    kinds = network.channel_attributes["link"]
    ends = zip(network.tail.tolist(), network.head.tolist(), kinds, network.bandwidth, strict=True)
    return {(network.label(u), network.label(v), kind): b for u, v, kind, b in ends}


def test_links_carry_what_nccl_counts_with(tmp_path: Path) -> None:
    network = read_network(written(tmp_path, SERVER))
    assert network.terminal_labels == ("GPU0", "GPU1", "GPU2")
    assert network.gbps == 8
    found = widths(network)
    assert found["GPU0", "NVSwitch", "NVLink"] == found["NVSwitch", "GPU0", "NVLink"] == 12 * 20
    assert found["GPU2", "NVSwitch", "NVLink"] == 6 * 20
    assert found["GPU2", "GPU0", "NVLink"] == 2 * 20  # a GPU states its own direction
    assert ("GPU0", "GPU2", "NVLink") not in found
    assert found["PCI 0000:05:00.0", "GPU1", "PCI"] == 16 * 120 / 80
    assert found["CPU0", "CPU1", "SYS"] == found["CPU1", "CPU0", "SYS"] == 16
    assert found["NIC 0000:0c:00.0", "mlx5_0", "NET"] == 25
    assert found["NIC 0000:0c:00.0", "mlx5_1", "NET"] == Fraction(10, 8)  # two ports of one device, one without speed
    assert len(found) == network.num_channels


def test_nets_have_their_guids(tmp_path: Path) -> None:
    server = read_server(File(written(tmp_path, SERVER)))
    assert [(server.parts[v].name, server.parts[v].guid) for v in server.nets] == [
        ("mlx5_0", 0xF01C),
        ("mlx5_1", 0xF01D),
    ]
    assert [server.parts[v].name for v in server.gpus] == ["GPU0", "GPU1", "GPU2"]


def test_terminals_are_in_order_of_ranks(tmp_path: Path) -> None:
    text = SERVER.replace('rank="0"', 'rank="7"')
    assert read_network(written(tmp_path, text)).terminal_labels == ("GPU1", "GPU2", "GPU0")


def test_two_hosts_in_one_file(tmp_path: Path) -> None:
    body = SERVER[SERVER.index("<cpu") : SERVER.index("</system>")]
    both = "".join(body.replace("<cpu ", f'<cpu host_hash="0x{k}" ') for k in (1, 2))
    network = read_network(written(tmp_path, f'<system version="1">{both}</system>'))
    assert network.terminal_labels is not None
    assert network.terminal_labels[2:4] == ("host0 GPU2", "host1 GPU0")
    assert ("host0 CPU0", "host1 CPU0", "SYS") not in widths(network)
    assert widths(network)["host1 GPU0", "NVSwitch", "NVLink"] == 240  # one domain of NVLink


def test_two_levels_of_a_broadcom_switch_are_one(tmp_path: Path) -> None:
    marks = 'vendor="0x1000" device="0xc010" subsystem_vendor="0x1000" subsystem_device="0xa032"'
    inner = f'<pci busid="0000:06:00.0" {marks} {BRIDGE}>{gpu("0000:07:00.0", 0, "")}</pci>'
    text = f"""<system version="1"><cpu numaid="0" arch="x86_64" vendor="AuthenticAMD">
        <pci busid="0000:05:00.0" {marks} {BRIDGE}>{inner}{gpu("0000:08:00.0", 1, "")}</pci></cpu></system>"""
    assert read_network(written(tmp_path, text)).labels == ("CPU0", "PCI 0000:05:00.0", "GPU0", "GPU1")


def test_xgmi_by_generation(tmp_path: Path) -> None:
    link = '<xgmi target="0000:0a:00.0" count="1" tclass="0x120000"/>'
    for gcn, each in (("gfx90a", 36), ("gfx942", 48), ("908", 24), ("910", 36)):
        text = f"""<system version="2"><cpu numaid="0" arch="x86_64" vendor="AuthenticAMD">
            {gpu("0000:07:00.0", 0, link)}{gpu("0000:0a:00.0", 1, "")}</cpu></system>"""
        network = read_network(written(tmp_path, text.replace("<gpu ", f'<gpu gcn="{gcn}" ')))
        assert widths(network)["GPU0", "GPU1", "XGMI"] == each


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    for old, new, told in (
        ('gdr="1">', 'gdr="1" colour="red">', "not used: colour of <gpu>"),
        ('target="0000:07:00.0"', 'target="0000:99:00.0"', "links to 0000:99:00.0 are left out"),
        (BRIDGE, BRIDGE.replace("16.0 GT/s PCIe", "Unknown"), "link_speed 'Unknown' counts as 8 GT/s"),
    ):
        assert old in SERVER
        with pytest.warns(RouteproofWarning, match=told):
            read_network(written(tmp_path, SERVER.replace(old, new)))


def test_a_file_that_nccl_completes_says_so(tmp_path: Path) -> None:
    text = f"""<system version="1"><cpu numaid="0" arch="x86_64" vendor="AuthenticAMD">
        <pci busid="ffff:ff:01.0" {BRIDGE}>
        <pci busid="0001:00:00.0" class="0x030200" link_speed="16 GT/s" link_width="16"/>
        <pci busid="0101:00:00.0" class="0x020700" link_speed="16 GT/s" link_width="16"/></pci></cpu></system>"""
    with pytest.warns(RouteproofWarning, match="it has no <gpu>: NCCL adds NVLinks"):
        assert read_network(written(tmp_path, text)).terminal_labels == ("GPU 0001:00:00.0",)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('version="1"', 'version="9"', "line 2: version is '9'; a whole number from 1 to 2"),
        ("<nic>", "<nic><fan/>", "line 8: <fan> in <nic>; <net> was expected"),
        ('count="6"', 'count="x"', "count is 'x'; a whole number from 1 to 4096 was expected"),
        ('count="6"', 'count="0"', "count is '0'; a whole number from 1"),
        ('busid="0000:44:00.0"', 'busid="0000:07:00.0"', "busid '0000:07:00.0' is there twice"),
        ('numaid="1"', 'numaid="0"', "numaid 0 is there twice"),
        ('busid="0000:05:00.0"', 'busid="five"', "busid is 'five'; a bus id such as 0000:0c:00.0 was expected"),
        ('guid="0xf01c"', 'guid="0xzz"', "guid is '0xzz'"),
        ('sm="80"', 'sm="80" mlopart="1"', r"GPUs in parts \(mlopart\) are not read"),
        (' sm="80"', "", "<gpu> has no attribute 'sm'"),
        ('link_width="16"', 'link_width="-1"', "link_width is '-1'"),
        ("</system>", "", "not well-formed XML"),
        ('<?xml version="1.0"?>', '<!DOCTYPE system [<!ENTITY a "b">]>', "document type"),
        (SERVER[SERVER.index("<cpu") : SERVER.index("</system>")], "", "has no GPU"),
    ],
)
def test_damaged_files(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in SERVER
    with pytest.raises(InputError, match=reason):
        read_server(File(written(tmp_path, SERVER.replace(old, new))))


@given(st.integers(0, len(SERVER)), st.integers(0, 40), st.text(st.sampled_from('<>/="ab09 '), max_size=4))
def test_any_damage_is_an_input_error(at: int, cut: int, put: str) -> None:
    file = File("damaged.xml")
    file.__dict__["text"] = SERVER[:at] + put + SERVER[at + cut :]
    with contextlib.suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read_server(file)
