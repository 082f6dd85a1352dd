"""Foreign text made harmless: names from files may hold control characters, and never reach a terminal raw."""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def printable(text: str, *, limit: int | None = None) -> str:
    """``text`` with control, formatting and unassigned characters escaped, and cut to ``limit`` characters."""
    out = []
    for x in text:
        if unicodedata.category(x) in _HIDDEN:
            code = ord(x)
            out.append(f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}")
        else:
            out.append(x)
    safe = "".join(out)
    if limit is not None and len(safe) > limit:
        return safe[: limit - 1] + "…"
    return safe


def quotation(text: str, *, limit: int | None = None) -> str:
    """``text`` in quotation marks that it cannot end."""
    inner = printable(text, limit=limit).replace("'", "\\'")
    return f"'{inner}'"


def one_line(text: str, *, limit: int = 1000) -> str:
    """A message on one line: runs of white space become one blank, the rest as in ``printable``."""
    return printable(" ".join(text.split()), limit=limit)
