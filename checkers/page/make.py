#!/usr/bin/env python3
"""Write check_proof.html: the checker of report pages as a page of its own; its SHA-256 into docs/why-believe-it.md.

    python checkers/page/make.py

The checker is the very JavaScript that every report page carries.  A test compares: run this after a change of it.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ASSETS = ROOT / "src" / "routeproof" / "report" / "html" / "assets"
PAGE, DOCS = HERE / "check_proof.html", ROOT / "docs" / "why-believe-it.md"
HASH = re.compile(r"(?<=\n)[0-9a-f]{64}(?=  checkers/page/check_proof\.html\n)")

STYLE = """:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 2rem; font: 16px/1.5 system-ui, sans-serif; }
li { overflow-wrap: anywhere; }
.notice { border: 1px solid; border-radius: .4rem; padding: .3rem .8rem; }
.over { outline: .2rem solid; }
.scroll { max-height: 60vh; overflow: auto; border: 1px solid; padding: 0 .5rem; }
#verdict { font-weight: bold; }
#verdict.fails { color: light-dark(#b3261e, #ff8a80); }
#verdict.holds, li.holds strong { color: light-dark(#0a6b50, #56d3a8); }
"""
BODY = """<header><h1>Check a proof</h1>
<p>A checker of <em>routeproof</em> proofs (docs/proof-format.md), as one file. Nothing is sent anywhere.</p></header>
<main>
<section id="drop" class="notice"><p><label for="file">Choose the file of a proof, or drop it here:</label>
<input type="file" id="file" accept=".json,application/json"></p>
<p class="quiet">Such a file is written by <code>routeproof verify report.json --elaborate proof.json</code>, or by
&ldquo;Save the proof&rdquo; on the page of a report. The checker is that of such a page; but this file comes from
where you took it, and not from whoever sent the report. Its SHA-256 is in docs/why-believe-it.md.</p></section>
<section id="check-section"></section>
<noscript><p>Checking needs JavaScript.</p></noscript>
</main>
<footer><p>What was read is listed first: is it your network, and are these your demands? Names in quotation marks are
the producer's words; names without them were confirmed from their definitions.</p></footer>
"""


def element_function(data: str) -> str:
    """What the page needs of the assets' ``data.js``: how elements are made, and files are saved."""
    found = [re.search(rf"^function {name}\(.*?^}}\n", data, re.MULTILINE | re.DOTALL) for name in ("element", "save")]
    return "\n".join(x.group(0) for x in found if x)


def page() -> str:
    asset = {x: (ASSETS / x).read_text(encoding="utf-8") for x in ("data.js", "proof_checker.js", "check_here.js")}
    parts = [element_function(asset["data.js"]), asset["proof_checker.js"], asset["check_here.js"]]
    parts.append((HERE / "load.js").read_text(encoding="utf-8"))
    script = "(function () {\n'use strict';\n" + "\n".join(parts) + "\n})();\n"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; worker-src blob:; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>Check a proof</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}<script>{script}</script>\n"
        "</body>\n</html>\n"
    )


def main() -> int:
    text = page()
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    docs, count = HASH.subn(digest, DOCS.read_text(encoding="utf-8"))
    if count != 1:
        print(f"{DOCS} has {count} hashes of the page; one was expected", file=sys.stderr)
        return 1
    DOCS.write_text(docs, encoding="utf-8", newline="\n")
    print(f"{digest}  {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
