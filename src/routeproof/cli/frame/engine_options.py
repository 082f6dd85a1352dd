"""The options of long work, the same on every verb that has them: ``--workers``, ``--cluster``, ``--run``, ``--memory``
and ``--quiet``.

``long_work`` puts them on a verb; inside it, ``engine_here()`` is the engine that they ask for.
"""

from __future__ import annotations

import contextlib
import inspect
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from ...formats import RouteproofWarning
from ...machine.memory import memory_allowed
from .progress import working
from .settings import EngineSettings, settings_here, with_settings

if TYPE_CHECKING:
    from ...engine import Engine

__all__ = ["add_quiet_option", "engine_here", "engine_if_asked", "long_work"]

_PANEL = "Long work"
_QUIET = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.", rich_help_panel=_PANEL)]
_OPTIONS: Mapping[str, tuple[Any, Any]] = {
    "workers": (
        Annotated[
            int | None,
            typer.Option(
                "--workers",
                metavar="N",
                min=1,
                help="Processes on this machine; without it, one a core where the work is large.",
                rich_help_panel=_PANEL,
            ),
        ],
        None,
    ),
    "cluster": (
        Annotated[
            str | None,
            typer.Option(
                "--cluster",
                metavar="ADDRESS|slurm|pbs|lsf",
                help="A Dask cluster, or --workers N workers of a batch system: slurm,queue=short,listen=ib0.",
                rich_help_panel=_PANEL,
            ),
        ],
        None,
    ),
    "run": (
        Annotated[
            str | None,
            typer.Option(
                "--run",
                metavar="DIR",
                help="Keep finished pieces there; the same command continues where it stopped.",
                rich_help_panel=_PANEL,
            ),
        ],
        None,
    ),
    "memory": (
        Annotated[
            str | None,
            typer.Option(
                "--memory",
                metavar="16G",
                help="Memory of all workers here together; each is limited to its share.",
                rich_help_panel=_PANEL,
            ),
        ],
        None,
    ),
    "quiet": (_QUIET, False),
}
# What does not change a result does not make another command.
_OUTPUTS = ("json", "plot", "trace", "html", "output", "figure", "theme")
# Nor do more samples, which go on where fewer ended; pieces whose content depends on their number are told apart by it.
_COUNTS = ("trials", "samples", "until_width")


@contextlib.contextmanager
def engine_here() -> Iterator[Engine]:
    """The engine that the options of this command ask for; an interrupt ends in one line that says how to go on."""
    from ...engine import Engine, Interrupted
    from ...machine.interrupts import INTERRUPTED, process_watch
    from .screen import note

    chosen = settings_here()
    try:
        with (
            _terminated_like_interrupted(),
            Engine(
                workers=chosen.workers,
                cluster=chosen.cluster,
                run=chosen.run,
                memory=_most_memory(chosen),
                command=chosen.command,
                tell=None if chosen.quiet else note,
            ) as engine,
        ):
            yield engine
            chosen.spread.append(engine.total > 0)
    except Interrupted as interrupted:
        watch = process_watch()
        if watch is None:
            note(str(interrupted))
        else:
            watch.line = str(interrupted)
        raise SystemExit(INTERRUPTED) from None


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM, and a terminal that goes away, end the work as Ctrl-C does: what is done is kept, jobs are cancelled."""
    numbers = [getattr(signal, x) for x in ("SIGTERM", "SIGHUP") if hasattr(signal, x)]
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {x: signal.getsignal(x) for x in numbers}
    try:
        for number, handler in kept.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in kept.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, handler)


@contextlib.contextmanager
def engine_if_asked() -> Iterator[Engine | None]:
    """``engine_here`` where an option asks for it; None otherwise, for work that has threads of its own."""
    if not settings_here().asked:
        yield None
        return
    with engine_here() as engine:
        yield engine


def _most_memory(settings: EngineSettings) -> int | None:
    """The bytes that --memory says."""
    if settings.memory is None:
        return None
    from ...engine.memory import parse_bytes

    return parse_bytes(settings.memory)


def long_work(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb with all five options."""
    return _with(verb, tuple(_OPTIONS))


def add_quiet_option(app: typer.Typer) -> None:
    """Give every verb of ``app``, and of the groups in it, the option ``--quiet``."""
    for command in app.registered_commands:
        if command.callback is not None and "quiet" not in inspect.signature(command.callback).parameters:
            command.callback = _with(command.callback, ("quiet",))
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_quiet_option(group.typer_instance)


def _with(verb: Callable[..., None], names: tuple[str, ...]) -> Callable[..., None]:
    hints = get_type_hints(verb, include_extras=True)
    signature = inspect.signature(verb)
    own = [x.replace(annotation=hints.get(x.name, x.annotation)) for x in signature.parameters.values()]
    added = [
        inspect.Parameter(x, inspect.Parameter.KEYWORD_ONLY, default=_OPTIONS[x][1], annotation=_OPTIONS[x][0])
        for x in names
        if x not in signature.parameters
    ]

    def run_verb(**arguments: Any) -> None:
        chosen = {x.name: arguments.pop(x.name) for x in added}
        plain = {k: _plain(v) for k, v in arguments.items() if k not in (*_OUTPUTS, *_COUNTS)}
        settings = EngineSettings(**chosen, command={"verb": verb.__name__.replace("_", "-"), **plain})
        with with_settings(settings), memory_allowed(_most_memory(settings)), working(str(settings.command["verb"])):
            verb(**arguments)
        if settings.asked and not any(settings.spread):
            warnings.warn(
                "there was nothing to spread or to keep: this work has no independent pieces, or is too small for them",
                RouteproofWarning,
                stacklevel=2,
            )

    run_verb.__name__, run_verb.__doc__, run_verb.__module__ = verb.__name__, verb.__doc__, verb.__module__
    changed: Any = run_verb
    changed.__signature__ = signature.replace(parameters=[*own, *added])
    changed.__annotations__ = {x.name: x.annotation for x in (*own, *added)}
    return run_verb


def _plain(value: Any) -> Any:
    """An argument as it stands in a run directory."""
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)
