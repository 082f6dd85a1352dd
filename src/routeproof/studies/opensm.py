"""OpenSM's engines on six fabrics: what their tables guarantee, how many virtual lanes they take and how many would do,
beside the best tables that are found and what no tables guarantee.

The tables are those of the real OpenSM, run in ibsim; every number is what a command answers (as in the ``atlas``).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..core.errors import InputError
from ..core.rational import shown
from ..formats.infiniband.as_fabric import as_fabric
from ..formats.infiniband.ibsim import ibsim_text, kept_lids
from ..formats.resolve import resolve_network
from ..routing.fabrics.opensm import ENGINES, opensm_version, run_opensm
from .atlas import COLUMNS, Column, ask, bounds
from .result import HERE, Here, Row, Sheet, StudyResult

FABRICS = (
    "fat-tree:8,levels=2", "torus:4x4", "torus:5x5", "mesh:4x4", "dragonfly:2,4,2", "random-regular:16,degree=4,seed=1",
)  # fmt: skip
_TABLES = "best tables"
_LANES = Column("", "", "virtual_channels")


def run(
    here: Here = HERE,
    *,
    networks: Sequence[str] | str = FABRICS,
    engines: Sequence[str] = ENGINES,
    seconds: float = 60.0,
    reports: str | None = None,
) -> StudyResult:
    """The study, for some networks and engines; best tables are searched for ``seconds``.

    ``reports``: a folder for every report, and its proof where it has one.  Raises InputError where OpenSM is missing.
    """
    version = opensm_version(engines[0] if engines else "minhop", asked="study opensm: ")
    networks = [networks] if isinstance(networks, str) else networks
    pieces = {f"{x}, {e}": {"topology": x, "engine": e} for x in networks for e in (*engines, _TABLES)}
    folder = None if reports is None else str(Path(reports).resolve())
    found = here.done("opensm", judged, pieces, seconds=seconds, reports=folder)
    rows: list[Row] = []
    lines: list[tuple[str, ...]] = []
    for key, piece in pieces.items():
        made, lines_of = _told(key, piece["topology"], piece["engine"], found[key])
        rows += made
        lines += lines_of
    heads = ("fabric", "engine", "guarantee", "on one lane", "lanes that it says it needs", "least lanes")
    return StudyResult(
        "OpenSM's engines: guarantees and virtual lanes, beside the best tables and the least lanes",
        f"{version} in ibsim; every fabric as its topology has it, one LID for each host",
        "guarantee: the throughput of every host under the worst permutation, where 1 is the bandwidth of a cable "
        "between switches; least lanes: where every path keeps to one lane (service level), proved",
        tuple(rows),
        Sheet(heads, tuple(lines)),
    )


def judged(seconds: float, reports: str | None, topology: str, engine: str) -> dict[str, Any]:
    """What commands say of the tables of ``engine``, or of the best that are found; {"refused": why} where there are
    none."""
    said: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch if reports is None else reports) / re.sub(r"[^\w=-]+", "_", f"{topology} {engine}")
        folder.mkdir(parents=True, exist_ok=True)
        routing, limit = f"opensm:{engine}", 10 * seconds + 60
        if engine == _TABLES:
            routing = str(folder / "tables.json")
            design = f"design {topology} --objective worst-case --paths tables --time-limit {seconds:g}"
            made = ask(f"{design} --output {routing}", folder / "design.json", limit, proof=reports is not None)
            said = {"bounds": bounds(COLUMNS["tables"], made["claims"]), "refused": made["why"]}
        else:
            fabric = as_fabric(resolve_network(topology))
            told = run_opensm(engine=engine, lmc=0, lids=kept_lids(fabric), net=ibsim_text(fabric))
            said = {"refused": told.get("refused", ""), "needs": told.get("lanes")}
        if said["refused"]:
            return said
        commands = {
            "guarantee": f"worst-case {topology} --routing {routing}",
            "lanes": f"deadlock {topology} --routing {routing} --virtual-channels --assignment layers",
        }
        for name, command in commands.items():
            answer = ask(command, folder / f"{name}.json", limit, proof=reports is not None)
            said[name] = {**answer, "command": command.replace(str(folder) + "/", "")}
    return said


def _told(key: str, topology: str, engine: str, said: Mapping[str, Any]) -> tuple[list[Row], list[tuple[str, ...]]]:
    if said["refused"]:
        return [Row(key, "not routed", data={"why": said["refused"]})], [
            (topology, engine, "does not route it", *"---")
        ]
    told, verdicts = said["lanes"], {x["quantity"]: x["value"] for x in said["lanes"]["claims"]}
    for name in ("guarantee", "lanes"):
        if said[name]["why"]:
            raise InputError(f"study opensm: routeproof {said[name]['command']}: {said[name]['why']}")
    guarantee, least = _ends(COLUMNS["usual"], said["guarantee"]["claims"]), _ends(_LANES, told["claims"])
    free, needs = verdicts["deadlock_free"] == "true", said.get("needs")
    data = {"command": told["command"], "free_on_one_lane": free, "says_that_it_needs": needs}
    rows = [
        Row(f"{key}, guarantee", guarantee, data={"command": said["guarantee"]["command"]}),
        Row(f"{key}, least lanes", least, data=data),
    ]
    cells = (_text(guarantee), "free" if free else "can deadlock", "-" if needs is None else str(needs), _text(least))
    lines: list[tuple[str, ...]] = [(topology, engine if engine != _TABLES else "best tables found", *cells)]
    if "high" in said.get("bounds", {}):
        most = Fraction(said["bounds"]["high"])
        rows.append(Row(f"{topology}, any tables, at most", most))
        lines.append((topology, "no tables guarantee more than", shown(most), *"---"))
    return rows, lines


def _ends(column: Column, claims: Sequence[Mapping[str, Any]]) -> Fraction | tuple[Fraction, Fraction]:
    """The number that is proved, or both ends; that one virtual lane does, or does not, is always proved."""
    found = bounds(column, claims)
    high = Fraction(found["high"])
    low = Fraction(found.get("low", 2 if column is _LANES else 0))
    return high if low == high else (low, high)


def _text(value: Fraction | tuple[Fraction, Fraction]) -> str:
    return " to ".join(map(str, value)) if isinstance(value, tuple) else str(value)
