"""Results in notebooks: small tables as HTML, with all text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["one_line", "short", "small_table"]


def small_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table under a title; characters that do not print are shown as escapes."""
    head = "".join(f'<th style="text-align:left">{_safe(x)}</th>' for x in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{_safe(x)}</td>' for x in row) + "</tr>" for row in rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<div><strong>{_safe(title)}</strong><table>{top}<tbody>{body}</tbody></table></div>"


def _safe(text: str) -> str:
    shown = "".join(x if x.isprintable() else x.encode("unicode_escape").decode("ascii") for x in text)
    return escape(shown if len(shown) <= 200 else f"{shown[:199]}…")


def short(value: object, limit: int = 60) -> str:
    """``repr`` (of a string: itself) for a message: one line, not too long, never raising."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001  # a broken __repr__ must not hide the real message
        text = f"<{type(value).__name__}>"
    text = "".join(x if x.isprintable() else "?" for x in " ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def one_line(error: BaseException) -> str:
    try:
        return short(str(error), 200)
    except Exception:  # noqa: BLE001  # a broken __str__ must not hide the real message
        return ""
