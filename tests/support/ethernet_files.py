"""Small Ethernet fabrics as folders of dumps."""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["leaf_spine"]

HOSTS = "name,address,device,port\n" + "".join(
    f"h{k},10.1.{1 + k // 3}.{k},l{1 + k // 3},swp1{k}\n" for k in (1, 2, 3, 4)
)
LINKS = "l1,swp1,s1,swp1,100G\nl1,swp2,s2,swp1,100G\nl2,swp1,s1,swp2,100G\nl2,swp2,s2,swp2,100G\n"


def leaf_spine(folder: Path, hosts: str) -> str:
    """Two leaves and two spines at 100 Gb/s, and what ``cables.csv`` says of the hosts' own cables."""
    for leaf, own, far in (("l1", 1, 2), ("l2", 2, 1)):
        here = {"dst": f"10.1.{own}.0/24", "dev": "bridge", "protocol": "kernel", "scope": "link"}
        up = [{**_via(f"fe80::{k}"), "dev": f"swp{k}", "weight": 1, "flags": []} for k in (1, 2)]
        away = {"dst": f"10.1.{far}.0/24", "protocol": "bgp", "nexthops": up}
        (folder / f"{leaf}.json").write_text(json.dumps([here, away]))
    for spine in ("s1", "s2"):
        down = ({"dst": f"10.1.{k}.0/24", **_via(f"fe80::{k + 2}"), "dev": f"swp{k}"} for k in (1, 2))
        (folder / f"{spine}.json").write_text(json.dumps([{**x, "protocol": "bgp"} for x in down]))
    (folder / "hosts.csv").write_text(HOSTS)
    (folder / "cables.csv").write_text(f"device,port,device,port,bandwidth\n{LINKS}{hosts}")
    return str(folder)


def _via(address: str) -> dict[str, object]:
    return {"via": {"family": "inet6", "host": address}}
