"""Where the tests find the project and its test data."""

from __future__ import annotations

from pathlib import Path

__all__ = ["DATA", "ETHERNET", "INFINIBAND", "ROOT", "ZOO"]

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
INFINIBAND = DATA / "infiniband"
ETHERNET = DATA / "ethernet"
ZOO = DATA / "topology-zoo"
