"""What the options of ibnetdiscover print of a cable's rate, and of what is no cable."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from infiniband_files import parse_ibnetdiscover
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

TRUNK, HOST = "4xQDR", "4xDDR"
FULL = {"4xQDR": " s=4 w=2 v=4", "4xDDR": " s=2 w=2 v=4", "1xSDR": " s=1 w=1 v=4", "12xFDR10": " s=4 w=8 v=4"}


def fabric_text(trunk: str = TRUNK, host: str = HOST, *, full: bool = False, hosts: int = 4, back: str = "") -> str:
    """Two switches with one cable between them and ``hosts`` hosts at each; ``back``: the rate at the far end."""

    def rate(text: str) -> str:
        return f" {text}{FULL.get(text, '') if full else ''}" if text else ""

    lines = ["#", "# Topology file: generated on Tue Jun  5 14:15:10 2007", "#"]
    for s in range(2):
        lines += ["", "vendid=0x2c9", "devid=0xb924", f"sysimgguid=0x20{s}1", f"switchguid=0x2{s}00(2{s}00)"]
        lines.append(f'Switch\t24 "S-0000000000002{s}00"\t\t# "s{s}" base port 0 lid {1 + s} lmc 0')
        for h in range(hosts):
            lines.append(
                f'[{h + 1}]\t"H-00000000000010{s}{h}"[1](1{s}{h}) \t\t# "h{s}{h}" lid {9 + 4 * s + h}{rate(host)}'
            )
        far = rate((back or trunk) if s else trunk)
        lines.append(f'[24]\t"S-0000000000002{1 - s}00"[24]\t\t# "s{1 - s}" lid {2 - s}{far}')
    for s in range(2):
        for h in range(hosts):
            lines += ["", f"caguid=0x10{s}{h}", f'Ca\t2 "H-00000000000010{s}{h}"\t\t# "h{s}{h}"']
            lines.append(
                f'[1](1{s}{h}) \t"S-0000000000002{s}00"[{h + 1}]\t\t'
                f'# lid {9 + 4 * s + h} lmc 0 "s{s}" lid {1 + s}{rate(host)}'
            )
    return "\n".join([*lines, ""])


def fabric(text: str, bandwidth: str | int | None = None) -> FabricNetwork:
    return parse_ibnetdiscover(text, what="it", name="it", bandwidth=bandwidth)


@pytest.mark.parametrize("full", [False, True])
def test_trunks_that_are_faster_than_the_hosts(full: bool) -> None:
    net = fabric(fabric_text(full=full))
    assert set(net.bandwidth) == {Fraction(2)}
    assert worst_case(routing_from_spec("minimal", net)).load == 2  # four hosts over a cable of two hosts' rate


@pytest.mark.parametrize("width", ["1x", "2x", "4x", "8x", "12x"])
@pytest.mark.parametrize("speed", ["SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"])
def test_every_width_and_speed(width: str, speed: str) -> None:
    lane = {"SDR": 2, "DDR": 4, "QDR": 8, "FDR10": 10, "FDR": Fraction(150, 11), "EDR": 25, "HDR": 50, "NDR": 100}
    gbps = int(width[:-1]) * Fraction(lane.get(speed, 200))
    assert set(fabric(fabric_text(width + speed, "1xSDR")).bandwidth) == {gbps / 2}
    number = {"1x": 1, "4x": 2, "8x": 4, "12x": 8, "2x": 16}[width]
    text = fabric_text(width + speed).replace(
        width + speed, f"{width}{speed} s={ {'SDR': 1, 'DDR': 2}.get(speed, 4) } w={number} v=2"
    )
    assert set(fabric(text, "gbps").bandwidth) == {gbps}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("4xQDR", "4xQDDR", "line 14: a cable of '4xQDDR'; 1x, 2x, 4x, 8x or 12x and one of SDR"),
        ("4xQDR", "4XQDR", "line 14: a cable of '4XQDR'"),
        ("4xQDR", "3xQDR", "line 14: a cable of '3xQDR'"),
        ("4xQDR", "40Gb/s", "line 14: a cable of '40Gb/s'"),
        ("4xQDR", "4x QDR", "line 14: .*stands after the name"),
        ("4xQDR", "-4xQDR", "line 14: a cable of '-4xQDR'"),
        ("4xQDR", "4xQDR!", "line 14: a cable of '4xQDR!'"),
        ("4xQDR", "4xQDR and more", "line 14: 'lid 2 4xQDR and more' stands after the name"),
        ("4xQDR", "4xQDR s=4", "line 14: .*s=, w= and v= from ibnetdiscover -f"),
        ("4xQDR", "4xQDR s=4 w=1 v=4", "line 14: a cable of 4xQDR with s=4 w=1; s=4 w=2 was expected"),
        ("4xQDR", "4xQDR s=2 w=2 v=4", "line 14: a cable of 4xQDR with s=2 w=2; s=4 w=2 was expected"),
        (" 4xQDR", " s=4 w=2 v=4", "line 14: s= and w= without a width and a speed"),
        ("lid 2 4xQDR", "lid two 4xQDR", "line 14: .*stands after the name"),
        ('# "s1" lid 2', '# "s1 lid 2', "line 14: .*stands after the name"),
        (" 4xQDR", "", None),  # the other end says it
        ("4xQDR", "4x???", "line 14: port 24 .* of 4x.*did not learn its rate.*bandwidth=1"),
        ("4xQDR", "??QDR", "line 14: .*did not learn its rate"),
        ("4xQDR", "?????", "line 14: .*did not learn its rate"),
        ("4xQDR", "??what", "line 14: a cable of"),
        ('"h00"\n', '"h00" what\n', "line 28: 'what' stands after the name"),
        ("lid 1 lmc 0", "lid 1 lmc 0 more", "line 9: .*base port 0 lid N lmc N was expected"),
        ("vendid=0x2c9", "vendid", "line 5: 'vendid' is not a line"),
    ],
)
def test_a_rate_that_is_there_and_not_understood_is_an_error(old: str, new: str, said: str | None) -> None:
    text = fabric_text()
    assert old in text
    damaged = text.replace(old, new, 1)
    if said is None:
        assert set(fabric(damaged).bandwidth) == {2}
        return
    with pytest.raises(InputError, match=said) as caught:
        fabric(damaged)
    assert "\n" not in str(caught.value)


def test_a_rate_that_was_not_learnt_is_no_matter_where_all_cables_are_taken_alike() -> None:
    assert set(fabric(fabric_text("4x???"), 1).bandwidth) == {1}
    with pytest.raises(InputError, match="a cable of '4xFOO'"):
        fabric(fabric_text("4xFOO"), 1)


def test_all_cables_have_a_rate_or_none() -> None:
    assert set(fabric(fabric_text("", "")).bandwidth) == {1}
    for trunk, host, line in (("", HOST, 14), (TRUNK, "", 10)):
        with pytest.raises(InputError, match=f"line {line}: .*no width and speed such as 4xEDR, as other cables have"):
            fabric(fabric_text(trunk, host))
    with pytest.raises(InputError, match="states no width and speed"):
        fabric(fabric_text("", ""), "gbps")


def test_two_rates_of_one_cable_are_the_lower_with_a_warning() -> None:
    for ends in ({"trunk": "4xQDR", "back": "1xSDR"}, {"trunk": "1xSDR", "back": "4xQDR"}):
        with pytest.warns(
            RouteproofWarning, match=r"a cable is \S+ in line 14 and \S+ in line 25; the lower rate"
        ) as seen:
            net = fabric(fabric_text(**ends))
        assert len(seen) == 1
        assert set(net.bandwidth) == {Fraction(1, 8)}


def test_the_warning_is_a_line_of_the_command(tmp_path, capsys) -> None:
    path = tmp_path / "two.topo"
    path.write_text(fabric_text(back="4xDDR"))
    assert main(["worst-case", str(path), "--routing", "minimal"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert [x for x in told if x.startswith("warning")] == [
        f"warning: file {path}: a cable is 4xQDR in line 14 and 4xDDR in line 25; the lower rate is taken"
    ]


def test_hosts_of_unlike_rates_say_what_1_is(tmp_path) -> None:
    path = tmp_path / "slow.topo"
    path.write_text(re.sub(r'("h00"\D+9|lid 9 lmc 0 "s0" lid 1) 4xDDR', r"\1 1xSDR", fabric_text()))
    with pytest.warns(RouteproofWarning, match=r"host cables carry 2 \(line 29\) to 16 Gb/s; bandwidth 1 is the slow"):
        assert set(resolve_network(str(path)).bandwidth) == {16}
    assert set(resolve_network(f"{path},bandwidth=gbps").bandwidth) == {32}
    assert set(resolve_network(f"{path},bandwidth=1").bandwidth) == {1}


@pytest.mark.parametrize("value", ["0", "-1"])
def test_a_bandwidth_that_is_none_names_the_file(value: str, tmp_path) -> None:
    path = tmp_path / "net.topo"
    path.write_text(fabric_text())
    with pytest.raises(InputError, match=rf"net.topo: bandwidth is {value}; a positive number was expected"):
        resolve_network(f"{path},bandwidth={value}")


CHASSIS = """\
#
# Topology file: generated on Tue Jun  5 14:15:10 2007
#
# Initiated from node 0000000000001000 port 0000000000000100

Chassis 1 (guid 0x8f10400411000)
Hostname: scp0

# Spine Nodes
vendid=0x8f1
devid=0x5a37
sysimgguid=0x8f10400411a00\t\t# Chassis 1 (scp0) slot 3
switchguid=0x2000(2000)\t# ISR2012 Spine 1 Chip 1
Switch\t24 "S-0000000000002000"\t\t# "ISR2012 Voltaire sFB-2012" base port 0 lid 1 lmc 0
[7]\t"S-0000000000002010"[19][ext 13]\t\t# "sLB-2024 # "odd"" lid 2 4xDDR

# Line Nodes
vendid=0x8f1
devid=0x5a38
sysimgguid=0x8f10400411a08\t\t# Chassis 1
switchguid=0x2010(2010)\t# ISR2012 Line 1 Chip 1
Switch\t24 "S-0000000000002010"\t\t# "sLB-2024" enhanced port 0 lid 2 lmc 0
[1][ext 1]\t"H-0000000000001000"[1](100) \t\t# "h0" lid 3 4xSDR s=1 w=2 v=8 slot 1
[2][ext 2]\t"R-0000000000001010"[1](110) \t\t# "r0" lid 4 4xSDR (scp)
[19][ext 13]\t"S-0000000000002000"[7]\t\t# "ISR2012 Voltaire sFB-2012" lid 1 4xDDR

# Chassis Switches
# Chassis CAs
vendid=0x2c9
devid=0x6274
caguid=0x1000
Ca\t1 "H-0000000000001000"\t\t# "h0" (scp)
[1](100) \t"S-0000000000002010"[1][ext 1]\t\t# lid 3 lmc 0 "sLB-2024" lid 2 4xSDR

Non-Chassis Nodes

vendid=0x2c9
devid=0x6274
rtguid=0x1010
Rt\t1 "R-0000000000001010"\t\t# "r0"
[1](110) \t"S-0000000000002010"[2][ext 2]\t\t# lid 4 lmc 0 "sLB-2024" lid 2 4xSDR
"""


def test_groups_by_chassis(tmp_path) -> None:
    path = tmp_path / "grouped.txt"
    path.write_text(CHASSIS)
    net = resolve_network(str(path))
    assert (net.num_nodes, net.num_channels, net.terminal_labels) == (2, 2, ("h0", "r0"))
    assert set(net.bandwidth) == {2}


# The layout of the example in the manual page of ibnetdiscover: blanks for tabs, a heading, rates that differ.
PAGE = """\
#
# Topology file: generated on Tue Jun  5 14:15:10 2007
#
# Max of 3 hops discovered
# Initiated from node 0000000000000a58 port 0000000000000a59

Non-Chassis Nodes

vendid=0x8f1
devid=0x5a06
sysimgguid=0x54420000003000
switchguid=0x3080(3080)
Switch  24 "S-0000000000003080"         # "big one" base port 0 lid 6 lmc 0
[10]    "S-0000000000000015"[1]         # "small one" lid 3 4xSDR
[8]     "H-0000000000000a58"[2](a5a)         # "two ports" lid 14 4xSDR
[12]    "H-0000000000000a58"[1](a59)         # "two ports" lid 10 4xSDR

vendid=0x8f1
devid=0x5a05
switchguid=0x15(15)
Switch  8 "S-0000000000000015"          # "small one" base port 0 lid 3 lmc 0
[6]     "H-0000000000000984"[1](985)         # "one port" lid 16 4xSDR
[1]     "S-0000000000003080"[10]                # "big one" lid 6 1xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x984
Ca      2 "H-0000000000000984"          # "one port"
[1](985)     "S-0000000000000015"[6]         # lid 16 lmc 1 "small one" lid 3 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0xa58
Ca      2 "H-0000000000000a58"          # "two ports"
[2](a5a)     "S-0000000000003080"[8]         # lid 14 lmc 1 "big one" lid 6 4xSDR
[1](a59)     "S-0000000000003080"[12]                # lid 10 lmc 1 "big one" lid 6 1xSDR
"""


def test_the_layout_of_the_manual_page() -> None:
    with (
        pytest.warns(RouteproofWarning, match=r"4xSDR in line 14 and 1xSDR in line 23.*\(and for 1 more cables\)"),
        pytest.warns(RouteproofWarning, match=r"host cables carry 2 \(line 36\) to 8 Gb/s"),
    ):
        net = fabric(PAGE)
    assert (net.num_nodes, net.num_terminals) == (2, 3)
    assert set(net.bandwidth) == {1}  # 1x between the switches, and 1x at the slowest host


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "SW     1  8 0x0000000000200000 4x SDR                                    's0'\n"
            "CA     8  1 0x000000000010000a 4x DDR - SW     3  2 0x0000000000200001 ( 'h1' - 's1' )\n",
            "line 2: .* which has no section of its own; is the file cut off",
        ),
        (
            CHASSIS + "CA     8  1 0x000000000010000a 4x DDR - SW     3  2 0x0000000000200001 ( 'h1' - 's1' )\n",
            r"line 42: .* is of a report of ports \(ibnetdiscover -p\), which is a file of its own$",
        ),
        (
            'Switch\t : 0x0000000000200001 ports 8 devid 0x0 vendid 0x0 "s1"\n',
            "line 1: .*run ibnetdiscover without -l, -H, -S and -R$",
        ),
        ("ibwarn: [5650] sim_connect: attached\n" + CHASSIS, "line 1: .*a message of ibnetdiscover's.*2> messages.txt"),
        (
            CHASSIS + "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1 Attr 0x11:0) bad status 110\n",
            "line 42: .*parts of the fabric may be missing",
        ),
        (CHASSIS.replace("[7]", "< [7]", 1), "line 15: .*run ibnetdiscover without --diff$"),
    ],
)
def test_other_output_of_ibnetdiscover_says_what_to_run(text: str, said: str, tmp_path) -> None:
    path = tmp_path / "other.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        resolve_network(str(path))
    assert "\n" not in str(caught.value)


def test_progress_of_option_s_is_passed_over() -> None:
    assert set(
        fabric(
            'DR path slid 0; dlid 0; 0,1 -> new Switch {0000000000002000} portnum 0 lid 0-0 ""\n' + CHASSIS
        ).bandwidth
    ) == {2}
