"""``__init__.pyi``, what type checkers read, from the list of public names in ``__init__.py``; run it to write it."""

from __future__ import annotations

from pathlib import Path

import routeproof

STUB = Path(routeproof.__file__).with_suffix(".pyi")
_FIRST = '"""Every public name and its home, for type checkers: made by docs/generate/stub.py."""'


def stub_text() -> str:
    """The text of the stub."""
    names = sorted(routeproof._HOMES.items(), key=lambda x: (x[1], not x[0].isupper(), x[0][0].islower(), x[0]))
    lines = [f"from {home} import {name} as {name}" for name, home in names]
    return "\n".join([_FIRST, "", *lines, "", "__version__: str", "__all__: list[str]", ""])


if __name__ == "__main__":
    STUB.write_text(stub_text(), encoding="utf-8")
