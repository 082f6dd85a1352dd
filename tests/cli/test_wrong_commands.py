"""A wrong command of each verb: one line says what was found and what would be right, and the status is 2."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from places import INFINIBAND

RING = INFINIBAND / "ring3.topo"
MESH = "topology = mesh;\nk = 3;\nn = 2;\nrouting_function = romm;\n"
WRONG = [
    ("compare torus:4x4 dor,valiant", "'dor,valiant' names 2 routings; one was expected"),
    ("compare dor torus:4x4", "'dor' is a routing; a network was expected first"),
    ("compare torus:4x4 dor --demands sparse:all", "gives a curve, not one number; compare needs one set"),
    (
        "worst-case torus:4x4",
        "no routing is given: add --routing dor (valiant or romm, another name of",
    ),
    ("deadlock petersen", "no routing is given: add --routing ecmp (valiant, another name"),
    ("worst-case mesh.cfg", "mesh.cfg names one, too; add --routing mesh.cfg"),
    (f"deadlock {RING}", "ring3 has cables alone; add the forwarding tables, --routing FILE with what dump_fts"),
    ("worst-case missing.topo", "network 'missing.topo': there is no such file"),
    ("worst-case junk", "neither a known family nor an existing file or folder; docs/topologies.md lists the families"),
    ("worst-case torus:4,4 --routing dor", "radices are written with an x between, as in torus:4x4"),
    (
        "worst-case torus:4x4 --routing ugal",
        "routing 'ugal': it is adaptive, so no exact worst case of it is",
    ),
    ("simulate load torus:4x4 --routing ugal", "simulate load runs minimal-adaptive and goal"),
    ("worst-case torus:4x4 --routing folder", "routing 'folder' is a directory; a file was expected"),
    ("worst-case torus:4x4 --routing xyzzyq", "docs/routings.md lists the names"),
    ("worst-case torus:4x4 --routing no_module:f", "no module 'no_module' in "),
    ("worst-case hypercube:3 --routing 5turns", "hypercube:3 is a torus of 3 dimensions"),
    ("worst-case torus:4x4 --routing dor --demands sparse", "the demand set 'sparse' needs a value; sparse:16 was"),
    (
        "worst-case torus:4x4 --routing dor --demands month.csv",
        "is a file's name; one of between:, box:, ",
    ),
    ("worst-case torus:4x4 --routing dor --demands box:x", "has no margin; box:FILE,margin=2 or box:LOW,HIGH"),
    ("worst-case torus:4x4 --routing dor --traffic x.csv", "traffic 'x.csv': there is no such file"),
    ("worst-case torus:4x4 --routing dor --figure flows", "--figure says what --plot and --html draw"),
    ("worst-case bad.json", "file bad.json is not a network"),
    ("worst-case junk.txt", "is in no known format of networks; docs/formats.md lists them"),
    ("verify bad.json", 'file bad.json is not a report: "format": "routeproof/report" was expected'),
    ("verify empty.json", "file empty.json is empty"),
    ("adaptive torus:4x4 --demands sparse:all", "sparse:all gives a curve, not one number"),
    ("collective folder --operation all-gather", "no dump of a network among its 1 file;"),
    ("schedule junk.txt --routing dor", "--routing goes with --topology TOPOLOGY"),
    ("schedule junk.txt --ranks junk.txt", "--ranks goes with --topology TOPOLOGY"),
    ("collective torus:4x4 --operation broadcast -r dor --algorithm ring", "for broadcast tree was expected"),
    ("diff folder folder", "no dump of a network among its 1 file"),
    ("failures torus:4x4 -r dor --repair foo", "--repair is 'foo'"),
    ("design torus:4x4", "Missing option '--objective'. Choose from: worst-case, average-case, capacity"),
    ("hashing torus:4x4 -r dor", "no traffic is given; --traffic shift:by=4, say"),
    ("simulate calls torus:4x4", "calls need stages, as in clos:3,2,4"),
    ("simulate faults multibutterfly:64,d=2,seed=7", "no faults are given; --faults FILE"),
    ("simulate circuits folder -p bit-reversal", "wiring 'folder' is a directory"),
    ("convert torus:4x4 x.foo", "known formats: .json"),
    ("check folder", "folder is a directory; a regular file was expected"),
    ("tradeoff torus:4x4 --against foo", "'foo' is not one of 'worst-case', 'average-case'"),
    ("search cube", "'cube' is not one of 'many-one', 'permutation'"),
    ("runs show folder", "folder is not a run directory"),
    ("examples --keep junk.txt", "cannot make the directory junk.txt: File exists"),
    ("expansion folder", "wiring 'folder' is a directory; a file was expected"),
    ("simulate packets gone.json -p bit-reversal", "wiring 'gone.json': there is no such file"),
    ("study foo", "unknown study 'foo'; routeproof study lists them"),
    ("study towles", "13 names begin so; routeproof study lists them"),
    ("worst-case torus:4x4 dor", "a routing is given by --routing, as in --routing dor"),
    ("torus:4x4", "a verb comes first, as in routeproof worst-case torus:4x4"),
    ("runs foo", "known: list, show, verify, clean"),
    ("simulate", "known: packets, circuits, faults, calls, load"),
    ("worst-case mesh.cfg -r mesh.cfg --json mesh.cfg", "mesh.cfg is read, and --json would write over it"),
    ("convert bad.json ./bad.json", "bad.json is read, and OUT would write over it"),
    ("verify proof.json", "a proof is checked by checkers/python/check_proof.py"),
    ("design torus:4x4 --objective worst-case --output x.lft", "forwarding tables need lids and ports"),
    ("design torus:4x4 --objective worst-case --paths minimall", "unknown paths 'minimall'; 2turn, minimal, ksp:K"),
    ("split 47", "a split has 2 to 128 counts, as in 47:53; 1 given"),
]


@pytest.mark.parametrize(("command", "words"), WRONG, ids=[command for command, _ in WRONG])
def test_one_line_says_what_would_be_right(
    run: Any, command: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    files = {"folder/readme": "x", "bad.json": '{"a": 1}', "empty.json": "", "junk.txt": "hello you", "mesh.cfg": MESH}
    files["proof.json"] = '{"format": "routeproof/proof"}'
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    ran = run(*shlex.split(command))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 400
