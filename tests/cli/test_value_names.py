"""In help, every option that takes a value names it, and no flag does."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
import typer

from routeproof.cli.app import app


def options_of(some: typer.Typer, before: str = "") -> Iterator[tuple[str, Any, Any]]:
    for command in some.registered_commands:
        assert command.callback is not None
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            kind, *metadata = get_args(hint) or (None,)
            for option in metadata:
                yield f"{before}{command.name or command.callback.__name__} {name}", kind, option
    for group in some.registered_groups:
        assert group.typer_instance is not None
        yield from options_of(group.typer_instance, f"{group.name} ")


def test_every_value_has_a_name() -> None:
    found = list(options_of(app))
    assert len(found) > 200
    for where, kind, option in found:
        kinds = get_args(kind) or (kind,)
        if bool in kinds:
            assert option.metavar == "", where
        elif not any(isinstance(x, type) and issubclass(x, enum.Enum) for x in kinds):
            assert option.metavar, where


def test_flags_show_no_type(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.cli.main import main

    monkeypatch.setenv("COLUMNS", "100")
    assert main(["simulate", "calls", "--help"]) == 0
    lines = [x for x in capsys.readouterr().out.splitlines() if "--" in x]
    for name, value in (("--strict ", ""), ("--seed", " S "), ("--events", " N "), ("--time-limit", " SECONDS ")):
        (line,) = (x for x in lines if x.strip("│ ").startswith(name))
        assert value in line
        assert "<" not in line
        assert "bool" not in line.lower()
