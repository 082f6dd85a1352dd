"""Foreign text as HTML: made visible, escaped."""

from __future__ import annotations

from html import escape

from ...core.escape import printable


def text_html(value: object, *, limit: int | None = None) -> str:
    """Foreign text as HTML: control characters made visible, markup escaped."""
    return escape(printable(str(value), limit=limit))
