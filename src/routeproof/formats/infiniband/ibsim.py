"""A fabric for ibsim, the simulator that the real OpenSM runs on: as ``ibnetdiscover`` prints it, GUIDs, ports and lids
included; and the lids that OpenSM is to keep (its file ``guid2lid``)."""

from __future__ import annotations

from collections import defaultdict

from .fabric import FabricNetwork, Host


def ibsim_text(fabric: FabricNetwork) -> str:
    """What ``ibsim -s FILE`` reads."""
    adapters: dict[int, list[Host]] = defaultdict(list)
    for host in fabric.hosts:
        adapters[host.node or host.guid].append(host)
    number = {host.guid: k for some in adapters.values() for k, host in enumerate(some, 1)}
    cables: dict[int, list[str]] = defaultdict(list)
    for c, (u, v) in enumerate(zip(fabric.tail.tolist(), fabric.head.tolist(), strict=True)):
        port, far_port = fabric.ports_of(c)
        cables[u].append(f'[{port}]\t"S-{fabric.switches[v].guid:016x}"[{far_port}]')
    for host in fabric.hosts:
        node = host.node or host.guid
        cables[host.switch].append(f'[{host.port}]\t"H-{node:016x}"[{number[host.guid]}]({host.guid:x})')
    lines = []
    for v, switch in enumerate(fabric.switches):
        lines += [f"switchguid=0x{switch.guid:x}({switch.guid:x})", f'Switch\t{switch.ports} "S-{switch.guid:016x}"']
        lines += [*cables[v], ""]
    for node, some in adapters.items():
        lines += [f"caguid=0x{node:x}", f'Ca\t{len(some)} "H-{node:016x}"']
        for host in some:
            far = f'"S-{fabric.switches[host.switch].guid:016x}"[{host.port}]'
            lines.append(f"[{number[host.guid]}]({host.guid:x})\t{far}")
        lines.append("")
    return "\n".join(lines) + "\n"


def kept_lids(fabric: FabricNetwork) -> str:
    """OpenSM's ``guid2lid``: the lids that every port has today."""
    return "".join(
        f"0x{x.guid:016x} 0x{x.lid:04x} 0x{x.lid + (1 << x.lmc) - 1:04x}\n\n"
        for x in (*fabric.switches, *fabric.hosts)
        if x.lid
    )
