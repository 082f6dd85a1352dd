"""``--html FILE`` on every verb: added to all of them at once, so that no verb can lack it."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...core.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.claim import Claim
    from ...routing.base.routing import Routing

__all__ = ["add_html_option", "put_on_page"]

_HELP = "Write a page to explore in a browser: one file, no network needed."
_Option = Annotated[str | None, typer.Option("--html", metavar="FILE", help=_HELP)]


@dataclass
class _Wanted:
    path: str
    written: bool = False


_wanted: ContextVar[_Wanted | None] = ContextVar("page wanted", default=None)


def add_html_option(app: typer.Typer) -> None:
    """Give every verb of ``app``, and of the groups in it, the option ``--html``."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _with_html(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_html_option(group.typer_instance)


def _with_html(verb: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(verb, eval_str=True)
    if "html" in signature.parameters:
        return verb
    option = inspect.Parameter("html", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_Option)

    def run(*args: Any, html: str | None = None, **others: Any) -> Any:
        with _page(html, [others.get(x) for x in ("json", "plot", "output")]):
            return verb(*args, **others)

    run.__name__, run.__doc__, run.__module__ = verb.__name__, verb.__doc__, verb.__module__
    whole = [*signature.parameters.values(), option]
    run.__signature__ = signature.replace(parameters=whole)  # type: ignore[attr-defined]
    run.__annotations__ = {x.name: x.annotation for x in whole}
    return run


@contextlib.contextmanager
def _page(path: str | None, others: Sequence[object]) -> Iterator[None]:
    if path is None:
        yield
        return
    from ...report.files import check_writable

    if path == "-":
        raise InputError("--html writes a file, not to standard output; a name such as report.html was expected")
    if any(isinstance(x, str) and x != "-" and Path(x).resolve() == Path(path).resolve() for x in others):
        raise InputError(f"the file {path} is to be written twice; a name of its own was expected for --html")
    check_writable(path)
    wanted = _Wanted(path)
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)
    if not wanted.written:
        raise InputError(f"this call has no result that could be a page; {path} was not written")


def put_on_page(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    title: str | None = None,
    shown: Sequence[RenderableType] = (),
    routing: Routing | None = None,
    document: Mapping[str, Any] | None = None,
    quoted: Collection[str] = (),
) -> None:
    """Write the page of a result, where ``--html`` asked for one; see ``report.html.page.report_page``."""
    wanted = _wanted.get()
    if wanted is None:
        return
    from ...report.html.page import report_page, write_page

    page = report_page(subject, claims, title=title, parts=shown, routing=routing, document=document, quoted=quoted)
    write_page(wanted.path, page)
    wanted.written = True
