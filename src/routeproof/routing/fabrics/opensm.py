"""The routing ``opensm:ENGINE``: the forwarding tables that the real OpenSM installs on a fabric, or on any network of
cables as if it were one; ibsim stands for the hardware and answers OpenSM's questions.

Tables are asked for every time the name is used; a report holds them in full.  Debian: ``apt install opensm
ibsim-utils``.  Nothing else of this package runs other programs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...formats.infiniband.as_fabric import as_fabric
from ...formats.infiniband.forwarding_tables import read_forwarding_tables
from ...formats.infiniband.ibsim import ibsim_text, kept_lids
from ..base.entry import RoutingEntry
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..tables.next_hop import NextHop
from .forwarding_tables import routing_of_tables

PROGRAMS = ("ibsim", "ibsim-run", "opensm")
_ENGINE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9-]{0,31}")
_PATIENCE = 60.0  # seconds, and more for larger fabrics
_PATIENCE_A_LINE = 0.05
_FAILED = "No routing engine able to successfully configure"
_LANES = re.compile(r"Lanes needed: (\d+)")
_ANSWER = "2000"  # milliseconds that a simulated answer may take


def not_installed() -> str:
    """The programs that are missing here, as words; "" where all are there."""
    return ", ".join(x for x in PROGRAMS if _where(x) is None)


def opensm_version(engine: str, *, asked: str = "--repair ") -> str:
    """What OpenSM calls itself; raises InputError where ``engine`` is no word, or a program is not installed.

    ``asked``: what stands before ``opensm:ENGINE`` in errors."""
    if not _ENGINE.fullmatch(engine):
        raise InputError(f"{asked}opensm:{engine[:40]}: an engine of OpenSM was expected, such as opensm:minhop")
    if missing := not_installed():
        raise InputError(
            f"{asked}opensm:{engine} runs the real OpenSM in ibsim, and {missing} is not installed here "
            f"(Debian: opensm ibsim-utils)"
        )
    told = subprocess.run(  # noqa: S603  # programs by name, without a shell
        [str(_where("opensm")), "--version"], capture_output=True, text=True, check=False, timeout=60
    ).stdout
    found = re.search(r"OpenSM [\w.-]+", told)
    return found[0] if found else "OpenSM"


def _where(program: str) -> str | None:
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def run_opensm(*, engine: str, lmc: int, lids: str, net: str) -> dict[str, Any]:
    """{"tables": OpenSM's dump of its forwarding tables}, on the fabric ``net`` with today's ``lids``, and "lanes", as
    many virtual lanes as the engine says that they need, where it says so (lash, dfsssp); or {"refused": why}.

    ``net``: as ``formats.infiniband.ibsim`` writes it.
    """
    patience = _PATIENCE + _PATIENCE_A_LINE * net.count("\n")
    with tempfile.TemporaryDirectory(prefix="routeproof-opensm-") as folder:
        place = Path(folder)
        (place / "net").write_text(net)
        (place / "guid2lid").write_text(lids)
        environment = {
            **os.environ, "IBSIM_SOCKNAME": f"routeproof-{os.getpid()}-{time.monotonic_ns()}",
            "OSM_TMP_DIR": folder, "OSM_CACHE_DIR": folder,
        }  # fmt: skip
        with open(place / "ibsim.log", "wb") as log, subprocess.Popen(  # noqa: S603
            [str(_where("ibsim")), "-s", "net"], env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=log,
            stderr=log,
        ) as simulator:  # fmt: skip
            try:
                if not _serves(place / "ibsim.log", simulator, patience):
                    said = (place / "ibsim.log").read_text(errors="replace").strip().splitlines()
                    return {"refused": f"ibsim does not start: {said[-1][:120] if said else 'it says nothing'}"}
                return _routed(place, environment, engine, lmc, patience)
            finally:
                simulator.kill()


def _serves(log: Path, simulator: subprocess.Popen[bytes], patience: float) -> bool:
    end = time.monotonic() + patience
    while "sim>" not in log.read_text(errors="replace"):
        if simulator.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _routed(place: Path, environment: dict[str, str], engine: str, lmc: int, patience: float) -> dict[str, Any]:
    command = [
        str(_where("ibsim-run")), str(_where("opensm")), "-t", _ANSWER, "-R", f"{engine},no_fallback", "-l", str(lmc),
        "-o", "-D", "0x43", "-f", str(place / "log"),
    ]  # fmt: skip
    process = subprocess.Popen(  # noqa: S603
        command, env=environment, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    log, tables = place / "log", place / "opensm-lfts.dump"
    try:
        _wait(process, log, patience)
    finally:
        process.kill()
        process.wait()
    said = _said(log)
    if f"{engine} tables configured on all switches" in said and tables.exists():
        needed = _LANES.search(said)
        return {"tables": tables.read_text(), **({} if needed is None else {"lanes": int(needed[1])})}
    lines = [x.partition(" -> ")[2] for x in said.splitlines()]
    errors = [x for x in lines if " ERR " in x] or [x for x in lines if _FAILED in said and f" {engine}: " in x]
    why = errors[-1][:160] if errors else f"no tables within {patience:.0f} s"
    return {"refused": f"OpenSM's engine {engine} does not route it: {why}"}


def _wait(process: subprocess.Popen[bytes], log: Path, patience: float) -> None:
    """Until OpenSM ends, says that the engine failed (it would try again for ever), or does not answer."""
    end = time.monotonic() + patience
    while process.poll() is None and time.monotonic() < end and _FAILED not in _said(log):
        time.sleep(0.02)


def _said(log: Path) -> str:
    return log.read_text(errors="replace") if log.exists() else ""


ENGINES = ("minhop", "updn", "dnup", "ftree", "dor", "lash", "sssp", "dfsssp", "nue")
"""Those that need no file of their own; OpenSM says itself which apply to a fabric."""


def routed_by_opensm(network: Network, engine: str) -> Routing:
    """The routing that OpenSM's ``engine`` makes of ``network``, called ``opensm:ENGINE``.

    Raises InputError where OpenSM is not installed, where the network is no fabric (``as_fabric``), and with OpenSM's
    words where the engine does not route it.
    """
    name = f"opensm:{engine}"
    opensm_version(engine, asked="")
    fabric = as_fabric(network)
    if not fabric.hosts:
        raise InputError(f"{name}: {network.name} has no hosts")
    made = run_opensm(
        engine=engine, lmc=max(x.lmc for x in fabric.hosts), lids=kept_lids(fabric), net=ibsim_text(fabric)
    )
    if "refused" in made:
        raise InputError(f"{name}: {made['refused']}")
    with tempfile.TemporaryDirectory(prefix="routeproof-opensm-") as folder:
        path = Path(folder) / "opensm-lfts.dump"
        path.write_text(made["tables"])
        tables = read_forwarding_tables(path, fabric)
    found = routing_of_tables(fabric, tables, name=name, what=f"OpenSM's tables by {engine}")
    return found if fabric is network else _on(network, found)


def _on(network: Network, routing: Routing) -> Routing:
    """The same tables on the network that the fabric was made from."""
    if routing.parts:
        return Mixture([(weight, _on(network, part)) for weight, part in routing.parts], name=routing.name)
    [(_, table)] = routing.forwarding_tables()
    return NextHop(table.next_channel[:, table.column_of], columns="terminal", name=routing.name).on(network)


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if "engine" not in options:
        raise InputError(f"opensm: which engine? One of {', '.join(ENGINES)} was expected, as in opensm:minhop")
    return routed_by_opensm(network, options["engine"])


ENTRY = RoutingEntry(
    name="opensm",
    help="the tables of an engine of the real OpenSM, run in ibsim where both are installed (opensm:minhop)",
    build=_build,
    options={"engine": f"{', '.join(ENGINES)}, or another one of OpenSM's; its name alone is enough"},
    bare="engine",
    of_fabric=True,
    by_program=True,
)
