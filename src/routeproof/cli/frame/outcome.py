"""How every verb ends: results to standard output, or to a file, whole or not at all; and the page of ``--html``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.errors import InputError
from .screen import holding, show

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.claim import Claim
    from ...questions.answer import Answer

A = TypeVar("A", bound="Answer")


@dataclass
class _Wanted:
    path: str
    written: bool = False


_wanted: ContextVar[_Wanted | None] = ContextVar("page wanted", default=None)


def check_target(path: str | None) -> None:
    """Raise InputError, before any work is done, if a file cannot be written at ``path`` ("-" and None can)."""
    if path is not None and path != "-":
        from ...report.files import check_writable

        check_writable(path)


def check_plot(path: str | None) -> None:
    """Raise InputError where no figure has such an extension."""
    if path is not None:
        from ...report.figures.style import check_figure

        check_figure(path)


@contextlib.contextmanager
def page_to_write(path: str | None) -> Iterator[None]:
    """Inside, ``put_on_page`` writes the page at ``path``; raises InputError where that was not done."""
    wanted = None if path is None else _Wanted(path)
    with holding(_wanted, wanted):
        yield
    if wanted is not None and not wanted.written:
        raise InputError(f"this call has no result that could be a page; {path} was not written")


def put_on_page(subject: Mapping[str, Any], claims: Sequence[Claim], **page: Any) -> None:
    """Write the page of a result, where ``--html`` asked for one; arguments are those of ``Page``."""
    wanted = _wanted.get()
    if wanted is None:
        return
    from ...report.html.page import Page, page_html
    from ...verification.elaborate import proof_for_page

    write_text(wanted.path, page_html(Page(subject, claims, proof=proof_for_page(subject, claims), **page)))
    wanted.written = True


def finish(
    answer: A,
    parts: Callable[[A], Sequence[RenderableType]],
    *,
    json: str | None,
    printed: bool = False,
    about: Mapping[str, Any] | None = None,
    **page: Any,
) -> None:
    """Write report and page where they are wanted; print ``parts(answer)`` unless standard output is the report's.

    ``printed``: standard output is taken by another table already.

    For the page: ``about``, what may be shown of the subject, where that is not all; other arguments of
    ``Page``, such as ``routing``, where that is at hand.
    """
    silent = printed or json == "-"
    shown = parts(answer) if not silent or _wanted.get() is not None else ()
    if json is not None:
        write_document(json, answer.document())
    if _wanted.get() is not None:  # the subject of a large fabric takes long to write
        if about is None:
            page.setdefault("network", answer.network)
        put_on_page(answer.subject if about is None else about, answer.claims(), parts=shown, **page)
    if not silent:
        show(*shown)


def write_document(path: str, document: Any) -> None:
    """A JSON document into a file, or to standard output for "-"."""
    from ...formats.documents.json_text import format_json

    write_text(path, format_json(document))


def write_text(path: str, text: str) -> None:
    """A text into a file, or to standard output for "-"."""
    from ...formats.text_files import write_text_atomic

    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text_atomic(path, text)
