"""The atlas: what is known about the networks that people build, each number exact or an interval, by a command that
anybody can give, with its report and its proof.

Every cell is what one command answers, run as a process of its own and stopped after a time; nothing is quoted.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

from ..core.claim import Grade
from ..core.errors import InputError, did_you_mean
from ..formats.documents.json_text import fraction_to_text
from ..formats.resolve import resolve_network
from .result import HERE, Here, Row, Sheet, StudyResult, decimal

NETWORKS: Mapping[str, str] = {
    "torus:4x4": "dor", "torus:8x8": "dor", "torus:9x9": "romm", "torus:4x4x4": "dor", "torus:16x16": "dor",
    "torus:8x8x8": "dor", "ring:16": "dor", "mesh:4x4": "dor", "mesh:8x8": "o1turn", "mesh:16x16": "o1turn",
    "hypercube:4": "dor", "hypercube:6": "dor", "hypercube:9": "dor", "twisted-torus:4x8": "minimal",
    "twisted-torus:4x4x8": "minimal", "twisted-torus:8x8x16": "minimal", "torus:4x4x8": "dor",
    "tofu:2x2x2": "minimal", "bluegene-q:4x4x4x2": "minimal",
    "hyperx:4x4": "dor", "hyperx:8x8": "dor", "flattened-butterfly:4,3": "dor", "complete:16": "minimal",
    "dragonfly:2,4,2": "dragonfly-minimal", "dragonfly:3,6,3": "dragonfly-minimal",
    "dragonfly:4,8,4": "dragonfly-minimal", "cray-dragonfly:2,4x2,2": "minimal", "dragonfly-plus:2,2,2,1": "minimal",
    "dragonfly-plus:4,4,4,2": "minimal", "fat-clique:2,3,3,3": "minimal",
    "slim-fly:3": "minimal", "slim-fly:5": "minimal", "slim-fly:7": "minimal", "polarfly:5": "minimal",
    "polarfly:7": "minimal", "polarstar:3,3": "minimal", "spectralfly:3,5": "minimal", "mlfm:4": "minimal",
    "orthogonal-fat-tree:3": "minimal", "petersen": "minimal", "kautz:2,3": "minimal", "kautz:3,2": "minimal",
    "jellyfish:16,ports=8,degree=4,seed=1": "ksp:k=8", "jellyfish:64,ports=12,degree=8,seed=1": "ksp:k=8",
    "random-regular:32,degree=4,seed=1": "minimal", "random-regular:64,degree=6,seed=1": "minimal",
    "xpander:4,3,seed=1": "minimal", "xpander:8,4,seed=1": "minimal", "dring:6,3": "minimal",
    "fat-tree:4": "dmodk", "fat-tree:8": "dmodk", "fat-tree:16": "dmodk", "fat-tree:8,levels=2": "dmodk",
    "k-ary-tree:4,3": "dmodk", "leaf-spine:8,8,4": "ecmp", "leaf-spine:16,16,4": "ecmp",
    "three-tier-clos:8,2,2,4,4": "ecmp", "rail-optimized:4,8,spines=4,nvlink=9": "ecmp", "bcube:4,1": "minimal",
    "dcell:4,1": "minimal",
    "dgx1": "minimal", "dgx2:2": "minimal", "a100:2": "minimal", "h100:2": "minimal", "mi250:1": "minimal",
}  # fmt: skip
"""Each network with its usual routing."""


@dataclass(frozen=True)
class Column:
    """``command`` asks, for the topology T, its usual routing R and S seconds; ``quantity`` is what its report tells.

    ``evidence``: of which kinds; none for all.  ``one``: of these kinds an exact claim tells of the routing that was
    found, and so bounds the best from one side.  ``inverse``: the column is 1 / x.  ``alike``: a part of the claims in
    which both ends agree.
    """

    head: str
    command: str
    quantity: str
    evidence: tuple[str, ...] = ()
    one: tuple[str, ...] = ()
    inverse: bool = False
    alike: str = ""


_BEST = "design T --objective worst-case --then path-length --time-limit S"
_TABLES = "design T --objective worst-case --paths tables --time-limit S"
_LOAD = "worst_case_load"
COLUMNS: Mapping[str, Column] = {
    "capacity": Column("capacity", "design T --objective capacity --time-limit S", "capacity"),
    "oblivious": Column(
        "best oblivious", _BEST, _LOAD, ("optimum", "adversary", "worst-case", "reached"), ("worst-case",), inverse=True
    ),
    "hops": Column("its hops", _BEST, "average_path_length", ("path-length", "reached")),
    "adaptive": Column("ideal adaptive", "adaptive T --time-limit S", "adaptive_load", inverse=True),
    "ecmp": Column("ECMP", "worst-case T --routing ecmp", _LOAD, inverse=True),
    "usual": Column("usual routing", "worst-case T --routing R", _LOAD, inverse=True),
    "tables": Column("best tables", _TABLES, _LOAD, ("tables-reached", "tables-bound", "tables-optimum"), inverse=True),
    "failure": Column("ECMP, any one link down", "failures T --routing ecmp", _LOAD, ("every-failure",), inverse=True),
    "lanes": Column(
        "virtual channels",
        "deadlock T --routing R --virtual-channels --time-limit S",
        "virtual_channels",
        alike="assignment",
    ),
    "all-gather": Column("all-gather", "collective T --operation all-gather", "bus_bandwidth"),
    "all-to-all": Column("all-to-all", "collective T --operation all-to-all", "bus_bandwidth"),
}


def run(
    here: Here = HERE,
    *,
    networks: Mapping[str, str] | Sequence[str] | str | None = None,
    columns: Sequence[str] | None = None,
    seconds: float = 20.0,
    reports: str | None = None,
) -> StudyResult:
    """The atlas, for some of ``COLUMNS``, of ``networks``: topology -> usual routing, names of it, or one text.

    A command that can be told gets ``seconds``; each is stopped after 3 times as long and half a minute.  ``reports``:
    a folder for every report, and its proof where it has one.  Raises InputError for a network or column that the
    atlas has not.
    """
    if isinstance(networks, str):
        networks = {networks: NETWORKS.get(networks, "ecmp")}
    elif not isinstance(networks, Mapping):
        networks = {x: _known(x, NETWORKS, "network") for x in networks} if networks is not None else NETWORKS
    asked = {x: _known(x, COLUMNS, "column") for x in (columns if columns is not None else COLUMNS)}
    pieces = {topology: {"topology": topology, "routing": routing} for topology, routing in networks.items()}
    folder = None if reports is None else str(Path(reports).resolve())
    found = here.done("atlas", answered, pieces, columns=list(asked), seconds=seconds, reports=folder)
    return assembled(networks, asked, found)


def assembled(
    networks: Mapping[str, str], asked: Mapping[str, Column], found: Mapping[str, Sequence[Any]]
) -> StudyResult:
    """The study of what was ``answered`` for each of ``networks``."""
    rows: list[Row] = []
    lines: list[tuple[str, ...]] = []
    for topology, cells in found.items():
        size, *rest = cells
        known = dict(zip(("terminals", "nodes", "channels", "bandwidth"), size, strict=True)) | {
            "routing": networks[topology]
        }
        for name, cell in zip(asked, rest, strict=True):
            rows.append(_row(topology, name, known | cell))
            head = asked[name].head if name != "usual" else f"{networks[topology]} (its usual routing)"
            lines.append((topology, str(size[0]), head, _text(cell), f"{cell['seconds']:.0f} s"))
    return StudyResult(
        "Atlas: what is known of the networks that people build, exact or from both sides",
        "each number is what the command in its row answers; all are proved, and none is quoted",
        "capacity, best oblivious, ideal adaptive, ECMP, usual routing and best tables: throughput per terminal under "
        "uniform traffic, and guaranteed under every admissible traffic (permutations); all-gather, all-to-all: bus "
        "bandwidth; 1 is the bandwidth of a channel, and a terminal's own link is not part of the network",
        tuple(rows),
        Sheet(("network", "terminals", "what", "proved", "time"), tuple(lines)),
    )


def _known(name: str, known: Mapping[str, Any], what: str) -> Any:
    if name not in known:
        raise InputError(f"the atlas has no {what} '{name[:60]}'; {did_you_mean(name, known)}")
    return known[name]


def answered(columns: Sequence[str], seconds: float, reports: str | None, topology: str, routing: str) -> list[Any]:
    """[terminals, nodes, channels, sum of bandwidths], and what the command of each column answered, asked once."""
    network = resolve_network(topology)
    bandwidth = fraction_to_text(sum(network.bandwidth, Fraction(0)))
    cells: list[Any] = [[network.num_terminals, network.num_nodes, network.num_channels, bandwidth]]
    answers: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch if reports is None else reports) / re.sub(r"[^\w=-]+", "_", topology)
        folder.mkdir(parents=True, exist_ok=True)
        for name in columns:
            words = {"T": topology, "R": routing, "S": f"{seconds:g}"}
            command = shlex.join(words.get(x, x) for x in COLUMNS[name].command.split())
            if command not in answers:
                answers[command] = ask(command, folder / f"{name}.json", 3 * seconds + 30, proof=reports is not None)
            claims, *told = answers[command]["claims"], answers[command]
            cells.append({k: x for k, x in told[0].items() if k != "claims"} | bounds(COLUMNS[name], claims))
    return cells


def ask(command: str, report: Path, limit: float, *, proof: bool) -> dict[str, Any]:
    """The claims of a command and how it went; with ``proof``, the hash of its proof, or why there is none."""
    began = time.monotonic()
    why = _ran([*shlex.split(command), "--json", str(report), "--quiet"], limit)
    told: dict[str, Any] = {"command": command, "seconds": round(time.monotonic() - began, 1)}
    claims = []
    if not why and not report.exists():
        why = "the command wrote no report"
    elif not why:
        claims = json.loads(report.read_text(encoding="utf-8"))["claims"]
        out = report.with_suffix(".proof.json")
        if proof:
            unproved = _ran(["verify", str(report), "--elaborate", str(out), "--quiet"], limit)
            written = not unproved and out.exists()
            told |= {"proof": hashlib.sha256(out.read_bytes()).hexdigest()} if written else {"unproved": unproved}
    return {**told, "why": why, "claims": claims}


def _ran(arguments: Sequence[str], limit: float) -> str:
    """Why the command gave no answer; nothing where it gave one."""
    try:
        done = subprocess.run(  # noqa: S603 - our own command, no shell
            [sys.executable, "-m", "routeproof", *arguments], capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {limit:g} seconds"
    said = [x for x in done.stderr.splitlines() if x.startswith("error: ")]
    return "" if done.returncode in (0, 1) else (said[-1][len("error: ") :] if said else f"exit {done.returncode}")


def bounds(column: Column, claims: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The best proved bounds: {"low": text, "high": text}, those that there are.

    Where both ends are to be of one assignment of virtual channels: with one channel, all assignments are the same, so
    a routing that has been proved to deadlock needs two of every assignment.
    """
    low: list[Fraction] = []
    if column.alike:
        told = (
            ("deadlock_free", "false", Grade.PROVED.value) == (x["quantity"], x["value"], x["grade"]) for x in claims
        )
        low += [Fraction(2)] * any(told)
        said = [x for x in claims if x["quantity"] == column.quantity and x["relation"] != ">="]
        part = min(said, key=lambda x: Fraction(x["value"]))[column.alike] if said else None
        claims = [x for x in claims if part in (None, x.get(column.alike))]
    high: list[Fraction] = []
    for claim in claims:
        kind = claim["evidence"]["kind"]
        if claim["quantity"] != column.quantity or claim["grade"] != Grade.PROVED.value:
            continue
        if column.evidence and kind not in column.evidence:
            continue
        value = Fraction(claim["value"])
        if claim["relation"] != "<=" and kind not in column.one:
            low.append(value)
        if claim["relation"] != ">=":
            high.append(value)
    ends = {"low": max(low, default=None), "high": min(high, default=None)}
    if column.inverse:
        ends = {"low": ends["high"], "high": ends["low"]}
        ends = {k: None if x is None else 1 / x for k, x in ends.items()}
    return {k: fraction_to_text(x) for k, x in ends.items() if x is not None}


def _row(topology: str, name: str, cell: Mapping[str, Any]) -> Row:
    low, high = (Fraction(cell[x]) if x in cell else None for x in ("low", "high"))
    computed: Any = low if low == high else (low, high)
    if low is None or high is None:
        computed = "none" if low == high else f">= {low}" if low is not None else f"<= {high}"
    data = {"column": name, "network": topology, **{k: x for k, x in cell.items() if k not in ("low", "high")}}
    return Row(f"{topology}, {COLUMNS[name].head}", computed, grade=Grade.PROVED, data=data)


def _text(cell: Mapping[str, Any]) -> str:
    low, high = (Fraction(cell[x]) if x in cell else None for x in ("low", "high"))
    if low is None and high is None:
        return "none"
    if low is None or high is None:
        return f">= {_rounded(low, 4, floor)}" if low is not None else f"<= {_rounded(high or Fraction(0), 4, ceil)}"
    if low == high:
        return _rounded(low, 4, round)
    places = next((x for x in range(3, 9) if decimal(low, x) != decimal(high, x)), 9)
    return f"{_rounded(low, places, floor)} to {_rounded(high, places, ceil)}"


def _rounded(value: Fraction, places: int, way: Callable[[Fraction], int]) -> str:
    """``way``: down or up where it is a bound, so that it stays true."""
    return str(value) if value.denominator < 100 else decimal(Fraction(way(value * 10**places), 10**places), places)
