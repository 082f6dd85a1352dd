"""How every verb ends: results to standard output, or to a file, whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .html_option import put_on_page

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...answers.answer import Answer
    from ...routing.base.routing import Routing

__all__ = ["check_plot", "check_target", "finish", "write_document"]


def check_target(path: str | None) -> None:
    """Raise InputError, before any work is done, if a file cannot be written at ``path`` ("-" and None can)."""
    if path is not None and path != "-":
        from ...report.files import check_writable

        check_writable(path)


def check_plot(path: str | None) -> None:
    """As ``check_target``, for a figure: also where no figure has such an extension, or drawing is not installed."""
    check_target(path)
    if path is not None:
        from ...report.figures.style import check_figure

        check_figure(path)


def finish(
    answer: Answer,
    *,
    json: str | None,
    shown: Sequence[RenderableType],
    about: Mapping[str, Any] | None = None,
    title: str | None = None,
    routing: Routing | None = None,
    quoted: Collection[str] = (),
) -> None:
    """Write report and page where they are wanted; print ``shown`` unless standard output belongs to the report.

    For the page: ``about``, what may be shown of the subject, where that is not all; ``title``, where it is not made
    from the subject; ``routing``: the subject's, where it is at hand; ``quoted``: names in quotation marks.
    """
    if json is not None:
        write_document(json, answer.document())
    subject = answer.subject if about is None else about
    put_on_page(subject, answer.claims(), title=title, shown=shown, routing=routing, quoted=quoted)
    if json != "-":
        from .screen import show

        show(*shown)


def write_document(path: str, document: Any) -> None:
    """A JSON document into a file, or to standard output for "-"."""
    from ...formats.documents.json_text import format_json, write_text_atomic

    text = format_json(document)
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text_atomic(path, text)
