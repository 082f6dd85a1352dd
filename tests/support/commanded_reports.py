"""Reports as the command writes them, of every kind of subject and of evidence, and forgeries of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.formats.documents.network import network_to_document
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.schedules.document import schedule_to_document
from small_schedules import deep, exchange, pairwise_all_to_all, racing, ring_all_gather, waiting_for_one_another, wrong
from true_reports import Document, sealed, verify

__all__ = [
    "COMMANDS", "Change", "Forgery", "at", "check_forgery", "forged", "honest", "made", "of_kind", "of_quantity",
    "once_more", "packed", "refusal", "without",
]  # fmt: skip

Change = Callable[[Document], Any]
Forgery = tuple[str, Change, str]
"""The report that is changed (of ``COMMANDS`` or ``SLOW``), the change, and the reason for which it is refused."""

COMMANDS = {
    "worst case": "worst-case torus:3x3 -r dor --traffic tornado --traffic uniform",
    "every channel": "worst-case mesh:3 -r valiant --all-channels",
    "unbalanced": "worst-case ring:4 -r dor --model unbalanced",
    "hose": "worst-case ring:3 -r dor --model hose --rates RATES",
    "permutations": "worst-case ring:4 -r valiant --demands permutations --all-channels",
    "sparse": "worst-case torus:3x3 -r valiant --demands sparse:2 --all-channels",
    "curve": "worst-case torus:3x3 -r valiant --demands sparse:all",
    "curve of jobs": "worst-case ring:6 -r dor --demands sparse:all --demands within:JOBS",
    "jobs": "worst-case ring:6 -r dor --demands within:JOBS --demands sparse:3",
    "two jobs": "worst-case ring:6 -r dor --demands within:JOBS",
    "apart": "worst-case mesh:5 -r dor --demands within:APART",
    "hose set": "worst-case ring:3 -r minimal --demands hose:RATES --demands permutations",
    "any rate": "worst-case ring:3 -r dor --demands unbalanced",
    "matrix": "worst-case ring:3 -r dor --demands matrix:TRAFFIC --all-channels",
    "box": "worst-case ring:3 -r dor --demands box:TRAFFIC,margin=3/2",
    "box and rows": "worst-case ring:3 -r dor --demands box:TRAFFIC,margin=3/2 --demands hose:CABLES",
    "routable": "worst-case mesh:3 -r valiant --demands routable",
    "terminals": "worst-case NETWORK -r minimal --traffic MATRIX",
    "average": "worst-case ring:5 -r dor --traffic-model permutation --samples 5 --seed 3",
    "average by terminal": "worst-case k-ary-tree:2,2 -r dmodk --traffic-model shift --samples 5 --seed 3",
    "compared averages": "compare ring:3 dor valiant --traffic ring --traffic-model sinkhorn --samples 3",
    "routes": "worst-case FABRIC",
    "mixture": "worst-case ring:4 -r mix:1/3*dor+2/3*valiant",
    "design": "design ring:5 --objective worst-case --then path-length",
    "interval": "design mesh:2x3 --objective worst-case --solver first-order",
    "design of jobs": "design ring:6 --objective worst-case --demands within:JOBS --demands sparse:3",
    "design of cables": "design ring:3 --objective worst-case --demands hose:RATES --then path-length",
    "design of a box": "design ring:3 --objective worst-case --demands box:TRAFFIC,margin=3/2 --demands hose:CABLES",
    "design of a wide box": "design ring:3 --objective worst-case --demands box:TRAFFIC,margin=3/2",
    "routable design": "design ring:4 --objective worst-case --demands routable",
    "routable designs in parts": "design mesh:3 --objective worst-case --demands routable",
    "best flow": "design ring:3 --objective worst-case --demands matrix:TRAFFIC",
    "design of matrices": "design ring:3 --objective worst-case --demands matrix:MATRICES",
    "2turn": "design torus:3x3 --objective worst-case --paths 2turn",
    "few paths": "design mesh:2x3 --objective worst-case --then path-length --paths ksp:2",
    "given paths": "design mesh:2x2 --objective worst-case --paths o1turn",
    "few entries": "design mesh:2x3 --objective worst-case --paths minimal --entries 3",
    "few members": "design mesh:3x3 --objective worst-case --paths minimal --entries 8 --members 9",
    "few entries at sources": "design mesh:2x2 --objective worst-case --paths ksp:2 --entries 1",
    "best tables": "design ring:3 --objective worst-case --paths tables",
    "single paths": "design ring:3 --objective worst-case --paths single",
    "rounded tables": "design ring:5 --objective worst-case --paths tables --proposals 50",
    "interval of tables": "design ring:6 --objective worst-case --paths tables --deadlock-free --proposals 9",
    "average design": "design ring:5 --objective average-case --samples 4",
    "capacity": "design kautz:2,2 --objective capacity --then path-length --path-length 1.02",
    "ideal": "adaptive ring:5",
    "ideal of all": "adaptive complete:5 --demands sparse:2",
    "ideal interval": "adaptive ring:3 --demands hose:RATES",
    "ideal of a matrix": "adaptive ring:3 --demands matrix:TRAFFIC",
    "ideal of routable": "adaptive mesh:3 --demands routable",
    "interval of jobs": "design ring:6 --objective worst-case --demands within:JOBS --solver interior",
    "tradeoff of jobs": "tradeoff ring:6 --against worst-case --demands within:JOBS --routing dor",
    "tradeoff of a box": "tradeoff ring:3 --against worst-case --demands box:TRAFFIC,margin=3/2",
    "tradeoff": "tradeoff ring:4 --against worst-case",
    "comparison": "compare torus:3x3 dor valiant",
    "shifts": "compare ring:4 dor --shifts",
    "half flows": "design mesh:2x2 --objective worst-case --solver half-flows",
    "cabling": "check mesh:2x2,dead-links=0-1 --intent mesh:2x2",
    "mended": "plan mesh:2x2,dead-links=0-1 -r ecmp:choice=per-hop --mend",
    "added": "plan ring:4 -r ecmp:choice=per-hop --add-cables 2 --radix 4",
    "phases": "collective ring:4 -r dor --algorithm recursive-halving --operation all-reduce --alpha 1/2",
    "all orders": "collective mesh:2x2 -r dor --algorithm ring --order search --host-cables 1/2",
    "phases from a root": "collective mesh:2x3 -r valiant --algorithm tree --root 2 --order random:2",
    "deadlock": "deadlock torus:3x3 -r dor",
    "virtual": "deadlock torus:3x3 -r dor --virtual-channels",
    "bubbles": "deadlock ring:4 -r dor --flow-control bubble",
    "escape": "deadlock ring:4 -r minimal --escape dor",
    "failures": "failures ring:4 -r minimal --repair split",
    "failures of jobs": "failures ring:6 -r minimal --demands within:JOBS --repair split",
    "failures of few": "failures ring:4 -r minimal --demands sparse:2 --switches 1 --repair split",
    "failures of a matrix": "failures ring:3 -r minimal --demands matrix:TRAFFIC --repair split",
    "failures of a matrix, made anew": "failures ring:3 -r minimal --demands matrix:TRAFFIC --repair rebuild",
    "failures of a box": "failures ring:3 -r minimal -d box:TRAFFIC,margin=3/2 -d hose:CABLES --repair split",
    "failures unmended": "failures mesh:2x3 -r dor --repair none",
    "drawn failures": "failures complete:4 -r minimal --links 2 --samples 5 --repair split",
    "load": "simulate load ring:3 -r dor --cycles 30 --warm-up 5 --rate 1/2",
    "adaptive": "simulate load torus:3x3 -r goal --cycles 30 --warm-up 5 --rate 1/2 --traffic tornado",
    "hashing": "hashing mesh:2x4 -r minimal --traffic ring --flows 2 --pair 0,7",
    "hashing at random": "hashing fat-tree:4 -r ecmp --traffic shift:by=4 --samples 20 --at-least 3",
    "hashing the worst": "hashing ring:4 -r minimal --traffic worst",
    "split": "split 2:6:7 --weights 1:2:3",
    "worst hash": "worst-case mesh:2x3 -r worst-hash:ecmp",
    "packets": "simulate packets multibutterfly:8,d=2,seed=7 -p bit-reversal --faults random:count=2,seed=1",
    "greedy": "simulate packets multibutterfly:8,d=2,seed=7 -p bit-reversal --algorithm greedy",
    "circuits": "simulate circuits multibutterfly:8,d=2,seed=7 -p bit-reversal --load 2",
    "pipelined": "simulate circuits multibutterfly:8,d=2,seed=7 -p bit-reversal --load 2 --algorithm pipelined",
    "faults": "simulate faults multibutterfly:8,d=2,seed=7 --faults random:count=3,seed=1",
    "calls": "simulate calls multi-benes:8,d=2,seed=7 --together 3 --trials 3",
    "clos": "simulate calls clos:2,2,2 --trials 3 --rearrangeable --permutation transpose",
    "sweep": "simulate packets multibutterfly:8,d=2,seed={s} -p random:seed={s} --sweep s=1..2",
    "broken sweep": "simulate packets butterfly:3 -p shuffle --faults random:count={n},seed=1 --sweep n=1..2",
    "calls sweep": "simulate calls multi-benes:8,d=2,seed={s} --trials 2 --sweep s=1..2",
    "trials": "simulate faults multibutterfly:8,d=2,seed=7 --faults random:count=3,seed={trial} --trials 9",
    "cube": "simulate packets hypercube:3 -p bit-complement --algorithm e-cube",
    "cube trials": "simulate packets hypercube:3 -p bit-complement --algorithm valiant-brebner --trials 5",
    "graph run": "simulate packets hypercube:3 -p bit-complement",
    "splitter": "expansion random-splitter:8,d=3,seed=7",
    "splitters": "expansion multibutterfly:8,d=2,seed=7 --level 0",
    "spectrum": "expansion multibutterfly:128,d=2,seed=7 --level 0 --block 0 --direction up --unique 1",
    "network document": "check NETWORK",
    "routing document": "check ROUTING",
    "graph document": "check GRAPH",
    "schedule": "schedule SCHEDULE",
    "timed schedule": "schedule SCHEDULE --topology mesh:2 --routing minimal",
    "schedule on ranks": "schedule GATHER --topology ring:3 --routing dor --ranks RANKS",
    "timed all-to-all": "schedule PERSONAL --topology ring:2 --routing dor",
    "deep schedule": "schedule DEEP",
    "waiting schedule": "schedule WAITING",
    "racing schedule": "schedule RACING",
    "wrong schedule": "schedule WRONG",
    "no graph": "search permutation --radix 4 --dimensions 4 --steps 4",
}

SLOW = {
    "blocked": "simulate calls clos:4,3,3 --strict --time-limit 1e9 --paths random --trials 20",
    "refuted": "simulate calls clos:3,2,3 --strict --time-limit 1e9 --trials 20",
}
"""Reports with too many leaves to change them all."""


SCHEDULES = {
    "SCHEDULE": exchange(),
    "GATHER": ring_all_gather(2),
    "PERSONAL": pairwise_all_to_all(2),
    "DEEP": deep(2),
    "WAITING": waiting_for_one_another(),
    "RACING": racing(),
    "WRONG": wrong(),
}
_ENDINGS = {"NETWORK": ".json", "TRAFFIC": ".csv", "MATRICES": ".json"}


def _fabric(folder: Path) -> str:
    """Routes of two leaves and a spine; the two hosts of a leaf are not reached alike."""
    here = {"dev": "br", "protocol": "kernel", "scope": "link"}
    hops = {"nexthops": [{"dev": "u1", "weight": 2}, {"dev": "u2", "weight": 1}]}
    back = {"nexthops": [{"dev": "d1", "weight": 1}, {"dev": "d2", "weight": 1}]}
    tables = {
        "l1": [{"dst": "10.1.0.0/24", **here}, {"dst": "10.2.0.0/24", **hops}, {"dst": "10.2.0.3", "dev": "u2"}],
        "l2": [{"dst": "10.2.0.0/24", **here}, {"dst": "10.1.0.0/24", "dev": "u1"}],
        "s1": [{"dst": "10.1.0.0/24", **back}, {"dst": "10.2.0.0/24", "dev": "d3"}],
    }
    folder.mkdir(exist_ok=True)
    for device, routes in tables.items():
        (folder / f"{device}.json").write_text(json.dumps(routes))
    (folder / "cables.csv").write_text("device,port,device,port\nl1,u1,s1,d1\nl1,u2,s1,d2\nl2,u1,s1,d3\n")
    hosts = ["a,10.1.0.2,l1,h1", "b,10.2.0.2,l2,h1", "c,10.2.0.3,l2,h2"]
    (folder / "hosts.csv").write_text("\n".join(["name,address,device,port", *hosts]))
    return str(folder)


@cache
def _inputs(folder: Path) -> dict[str, str]:
    """The files that the commands name."""
    network = Network.of("hosts", 3, [(0, 1), (1, 2), (2, 0), (1, 0)], source=[0, 0, 1], sink=[0, 1, 1])
    texts = {
        "NETWORK": json.dumps(network_to_document(network)),
        "CABLES": "5 6\n6 5\n6 5\n",
        "RATES": "1 1/2\n1/2 1\n2 1/3\n",
        "TRAFFIC": "0,1,1/2\n0,2,4\n1,0,1/4\n2,1,1/2\n",
        "MATRICES": "[[[0, 3, 1], [1, 0, 0], [2, 1, 0]], [[0, 1, 4], [0, 0, 3], [1, 0, 0]]]",
        "APART": "a: 0 1\nb: 3 4\n",
        "RANKS": "0 2\n",
        "JOBS": "a: 0 1 3\nb: 2 4 5\n",
        "MATRIX": "0 1/2 1/4\n1/4 0 1/2\n1/2 1/4 0\n",
    }
    texts |= {name: json.dumps(schedule_to_document(x)) for name, x in SCHEDULES.items()}
    names = {"FABRIC": _fabric(folder / "fabric")}
    for name, text in texts.items():
        path = folder / f"{name.lower()}{_ENDINGS.get(name, '.txt')}"
        path.write_text(text)
        names[name] = str(path)
    for name, command in (
        ("ROUTING", "convert mesh:2x2 --routing dor"),
        ("GRAPH", "search permutation --radix 2 --dimensions 3 --steps 3"),
    ):
        names[name] = str(folder / f"{name.lower()}.json")
        words = command.split()
        last = [names[name]] if words[0] == "convert" else ["--output", names[name]]
        assert main([*words, *last, "--quiet"]) == 0
    return names


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _text(name: str) -> str:
    folder = Path(_folder().name)
    files, path = _inputs(folder), folder / "report.json"
    words = [_with_files(x, files) for x in {**COMMANDS, **SLOW}[name].split()]
    assert main([*words, "--quiet", "--json", str(path)]) == 0
    return path.read_text()


def _with_files(word: str, files: Mapping[str, str]) -> str:
    """A file may stand alone, or in a set of demands: ``within:JOBS``, ``box:TRAFFIC,margin=2``."""
    head, colon, rest = word.partition(":")
    path, comma, options = rest.partition(",")
    return f"{head}:{files[path]}{comma}{options}" if colon and path in files else files.get(word, word)


def made(name: str) -> Document:
    """The report that a command of ``COMMANDS`` writes; made once, a fresh copy each time."""
    document: Document = json.loads(_text(name))
    return document


def refusal(document: Document) -> str | None:
    try:
        verify(document)
    except (VerificationError, InputError) as error:
        why, cause = str(error), error.__cause__
    else:
        return None
    assert "\n" not in why
    assert len(why) < 1200
    assert "could not make sense" not in why, repr(cause)
    return why


def at(**values: Any) -> Change:
    """Other values: ``c8_value`` of claim 8, ``c0_evidence__ratio`` in the evidence of claim 0, ``s_design`` of the
    subject."""

    def change(document: Document) -> None:
        for path, value in values.items():
            place, key = _place(document, path)
            place[key] = value

    return change


def without(path: str) -> Change:
    def change(document: Document) -> None:
        place, key = _place(document, path)
        del place[key]

    return change


def _place(document: Document, path: str) -> tuple[Any, Any]:
    part, _, rest = path.partition("_")
    if not rest:
        return document["claims"], int(part[1:])
    place: Any = document["subject"] if part == "s" else document["claims"][int(part[1:])]
    *inner, key = (int(x) if x.isdigit() else x for x in rest.split("__"))
    for x in inner:
        place = place[x]
    return place, key


def of_kind(kind: str, **values: Any) -> Change:
    """Other values in the first claim with evidence of this kind, by keys as those of ``at``."""
    return _first(lambda claim: claim["evidence"]["kind"] == kind, values)


def of_quantity(quantity: str, **values: Any) -> Change:
    return _first(lambda claim: claim["quantity"] == quantity, values)


def _first(is_meant: Callable[[Any], bool], values: Mapping[str, Any]) -> Change:
    def change(document: Document) -> None:
        number = next(k for k, claim in enumerate(document["claims"]) if is_meant(claim))
        at(**{f"c{number}_{path}": value for path, value in values.items()})(document)

    return change


def once_more(number: int, **other: Any) -> Change:
    """A claim a second time, with other values."""
    return lambda document: document["claims"].append({**document["claims"][number], **other})


def packed(*numbers: int) -> str:
    return pack_ints(np.array(numbers))


def honest(*names: str) -> pytest.MarkDecorator:
    """Parameters ``name``: reports that hold, each with claims of the checker under test."""
    return pytest.mark.parametrize("name", names)


def forged(forgeries: Sequence[Forgery]) -> pytest.MarkDecorator:
    """Parameters ``forgery``: each must be refused for its own reason."""
    return pytest.mark.parametrize("forgery", forgeries, ids=[f"{x}: {z[:40]}" for x, _, z in forgeries])


def check_forgery(forgery: Forgery) -> None:
    name, change, reason = forgery
    document = made(name)
    change(document)
    assert reason in str(refusal(sealed(document)))
