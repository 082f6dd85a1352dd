"""Help that stays readable on 80 columns: paragraphs flow, and long lists of choices stand among the words."""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

import typer

from .verb_help import Verb

__all__ = ["make_help_readable"]

_SHORT = 16  # characters of choices that stay in the column of values


def make_help_readable(app: typer.Typer) -> None:
    """Of every verb of ``app``, and of the groups in it; to be called when all their options are there.

    The lines of a docstring's paragraph are joined, since terminals break them again; an option with many choices
    names them in its description; a flag has no value to name; square brackets stand for themselves.
    """
    for command in app.registered_commands:
        if command.callback is None:
            continue
        command.cls = Verb
        paragraphs = inspect.cleandoc(command.callback.__doc__ or "").split("\n\n")
        command.help = "\n\n".join(" ".join(text.split()) for text in paragraphs)
        for hint in inspect.signature(command.callback).parameters.values():
            for option in _options_in(hint.annotation):
                _list_choices(option, hint.annotation)
                option.help = (option.help or "").replace("\\[", "[").replace("[", "\\[") or None
    for group in app.registered_groups:
        if group.typer_instance is not None:
            make_help_readable(group.typer_instance)


def _options_in(annotation: Any) -> Iterator[Any]:
    yield from (x for x in getattr(annotation, "__metadata__", ()) if hasattr(x, "metavar"))


def _list_choices(option: Any, annotation: Any) -> None:
    kind = get_args(annotation)[0]
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    names = [x.value for k in kinds if isinstance(k, type) and issubclass(k, enum.Enum) for x in k]
    if bool in kinds:
        option.metavar = ""  # some versions of typer would say <bool>
    elif option.metavar is None and len("|".join(names)) > _SHORT:
        first = (option.default, *(option.param_decls or ()))  # within Annotated the name stands in default's place
        declared = [x for x in first if isinstance(x, str) and x.startswith("--")]
        option.metavar = declared[0].removeprefix("--").upper() if declared else None
        if option.metavar is not None:
            listed = f"{', '.join(names[:-1])} or {names[-1]}"
            option.help = f"{(option.help or '').removesuffix('.')} ({listed})."
