"""Report pages that the site carries: made when it is built, by the commands that docs/gallery.md shows."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "live/romm.html": "worst-case torus:9x9 --routing romm --traffic tornado --traffic transpose",
    "live/fabric.html": "worst-case examples/infiniband",
    "live/jobs.html": "worst-case examples/ethernet --demands within:examples/ethernet.squeue.txt,missing=none",
    "live/compare.html": "compare mesh:5x5 dor o1turn valiant",
    "live/failures.html": "failures examples/infiniband",
    "live/trees.html": "collective mesh:4x4 --operation all-reduce",
}


def live_page(command: str) -> str:
    """The page that ``routeproof COMMAND --html FILE`` writes, run in the root of the repository."""
    from routeproof.cli.main import main

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(ROOT):
        page = Path(folder) / "page.html"
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = main([*shlex.split(command), "--html", str(page), "--quiet"])
        if status:
            raise RuntimeError(f"routeproof {command} ended with {status}:{os.linesep}{said.getvalue()}")
        return page.read_text(encoding="utf-8")
