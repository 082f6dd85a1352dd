"""A folder with what FRR and lldpd print in a three-tier Clos fabric: routes, neighbours and a list of hosts.

python benchmarks/ethernet_fabric.py /tmp/fabric                    # 1,000 switches, 20,000 hosts (1.4 GB)
python benchmarks/ethernet_fabric.py /tmp/small 6 4 2 3 20          # pods, leaves, aggregation switches, spines, hosts

Every pod has ``leaves`` and ``aggs``; aggregation switch k of every pod is on the ``spines`` of plane k.  A leaf has
``hosts`` in one prefix; routes are those of eBGP unnumbered: all shortest paths, with equal weights.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

Cable = tuple[str, str, str, str]
DEFAULT = (25, 20, 10, 25, 40)


def cables(pods: int, leaves: int, aggs: int, spines: int) -> Iterator[Cable]:
    """(device, port, device, port), the lower one first."""
    for p in range(pods):
        for a in range(aggs):
            for x in range(leaves):
                yield f"leaf{p}-{x}", f"swp{a + 1}", f"agg{p}-{a}", f"swp{x + 1}"
            for s in range(spines):
                yield f"agg{p}-{a}", f"swp{leaves + s + 1}", f"spine{a}-{s}", f"swp{p + 1}"


def write_fabric(folder: Path, pods: int, leaves: int, aggs: int, spines: int, hosts: int) -> None:
    """Write ``device.routes.json`` and ``device.lldp.json`` of every switch, and hosts.csv."""
    folder.mkdir(parents=True)
    address = {name: f"fe80::{k + 1:x}" for k, name in enumerate(_switches(pods, leaves, aggs, spines))}
    seen: dict[str, list[tuple[str, str, str]]] = {name: [] for name in address}
    for a, p, b, q in cables(pods, leaves, aggs, spines):
        seen[a].append((p, b, q))
        seen[b].append((q, a, p))
    where = [(p, x, f"10.{p}.{x}.0/24") for p in range(pods) for x in range(leaves)]
    for name, around in seen.items():
        hop = {p: _hop(address[b], p) for p, b, _ in around}
        up = [p for p, b, _ in around if not b.startswith("leaf") and not name.startswith("spine")]
        pod = -1 if name.startswith("spine") else int(name.partition("-")[0].lstrip("leafg"))
        own = int(name.partition("-")[2]) if name.startswith("leaf") else -1
        routes = []
        for p, x, prefix in where:
            if p == pod and x == own:
                routes.append(_route(prefix, "connected", [_HERE]))
            elif name.startswith("spine"):
                routes.append(_route(prefix, "bgp", [hop[f"swp{p + 1}"]]))
            elif p == pod and own < 0:
                routes.append(_route(prefix, "bgp", [hop[f"swp{x + 1}"]]))
            else:
                routes.append(_route(prefix, "bgp", [hop[q] for q in up]))
        (folder / f"{name}.routes.json").write_text("{\n" + ",\n".join(routes) + "\n}\n")
        lldp = {"lldp": {"interface": [_neighbour(*x) for x in around]}}
        (folder / f"{name}.lldp.json").write_text(json.dumps(lldp, indent=2))
    lines = [
        f"h{p}-{x}-{h},10.{p}.{x}.{h + 2},leaf{p}-{x},swp{aggs + h + 1}" for p, x, _ in where for h in range(hosts)
    ]
    (folder / "hosts.csv").write_text("\n".join(["name,address,device,port", *lines, ""]))


def _switches(pods: int, leaves: int, aggs: int, spines: int) -> Iterator[str]:
    yield from (f"leaf{p}-{x}" for p in range(pods) for x in range(leaves))
    yield from (f"agg{p}-{a}" for p in range(pods) for a in range(aggs))
    yield from (f"spine{a}-{s}" for a in range(aggs) for s in range(spines))


_HERE = """        {
          "flags":3,
          "fib":true,
          "directlyConnected":true,
          "interfaceIndex":2,
          "interfaceName":"br0",
          "active":true
        }"""


def _hop(address: str, port: str) -> str:
    return f"""        {{
          "flags":3,
          "fib":true,
          "ip":"{address}",
          "afi":"ipv6",
          "interfaceIndex":{10 + int(port[3:])},
          "interfaceName":"{port}",
          "active":true,
          "weight":1
        }}"""


def _route(prefix: str, protocol: str, hops: list[str]) -> str:
    listed = ",\n".join(hops)
    return f"""  "{prefix}":[
    {{
      "prefix":"{prefix}",
      "prefixLen":24,
      "protocol":"{protocol}",
      "vrfId":0,
      "vrfName":"default",
      "selected":true,
      "destSelected":true,
      "distance":20,
      "metric":0,
      "installed":true,
      "table":254,
      "internalStatus":16,
      "internalFlags":8,
      "internalNextHopNum":{len(hops)},
      "internalNextHopActiveNum":{len(hops)},
      "nexthopGroupId":{20 + len(hops)},
      "installedNexthopGroupId":{20 + len(hops)},
      "uptime":"00:00:20",
      "nexthops":[
{listed}
      ]
    }}
  ]"""


def _neighbour(port: str, name: str, far: str) -> dict[str, object]:
    chassis = {name: {"id": {"type": "mac", "value": "02:00:00:00:00:01"}, "descr": "FRR"}}
    return {port: {"via": "LLDP", "rid": "1", "chassis": chassis, "port": {"id": {"type": "ifname", "value": far}}}}


if __name__ == "__main__":
    numbers = [int(x) for x in sys.argv[2:]]
    write_fabric(Path(sys.argv[1]), *(numbers or DEFAULT))
