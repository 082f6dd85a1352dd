"""What keeps the command's promises: its exit status, and one line on standard error instead of a traceback."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import typer

from ..core.errors import InputError, RouteproofError, VerificationError
from ..report.escape import one_line
from .screen import held_warnings
from .welcome import example_of

__all__ = ["BAD_INPUT", "BROKEN_PIPE", "FAILED_VERIFICATION", "INTERNAL", "INTERRUPTED", "run_command"]

FAILED_VERIFICATION = 1
BAD_INPUT = 2
INTERNAL = 70  # EX_SOFTWARE of sysexits.h: a bug of ours, which is neither bad input nor a false claim
INTERRUPTED = 130
BROKEN_PIPE = 141

_UsageError: Any = typer.BadParameter.__mro__[2]  # click's ClickException, wherever this version of typer keeps it


def run_command(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run ``app`` and return the exit status; whatever goes wrong becomes one line on standard error.

    Set ROUTEPROOF_DEBUG to see the traceback of an internal error.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as in "routeproof ... >&-"
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # to the process's end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character is no reason to fail
    command = typer.main.get_command(app)
    with warnings.catch_warnings(), held_warnings() as held:
        try:
            status = command.main(args=list(arguments), prog_name="routeproof", standalone_mode=False)
            if status == INTERRUPTED:  # typer turns an interrupt into its own exit
                _say("interrupted")
            else:
                held.show()
            sys.stdout.flush()
        except BrokenPipeError:
            _forget_output()
            return BROKEN_PIPE
        except BaseException as error:
            status, message = _judge(error)
            if status == BROKEN_PIPE:
                _forget_output()
            if status == INTERNAL and os.environ.get("ROUTEPROOF_DEBUG"):
                raise
            if message:
                _say(message)
    return status if isinstance(status, int) else 0


def _judge(error: BaseException) -> tuple[int, str]:
    """The exit status for an exception, and what to say about it."""
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):  # click ends with 1 then, which is our failed verification
            return BROKEN_PIPE, ""
        return (error.code if isinstance(error.code, int) else 0 if error.code is None else BAD_INPUT), ""
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return INTERRUPTED, "interrupted"
    if isinstance(error, VerificationError):
        return FAILED_VERIFICATION, f"not verified: {error}"
    if isinstance(error, (InputError, RouteproofError)):
        return BAD_INPUT, f"error: {error}"
    if isinstance(error, _UsageError):
        context = getattr(error, "ctx", None)
        hint = _hint(context, error) if context is not None else ""
        message = error.format_message().replace("Value error, ", "").removesuffix(".")
        return BAD_INPUT, f"error: {message}{hint}"
    if isinstance(error, MemoryError):
        return BAD_INPUT, "error: the memory does not suffice for this input"
    if isinstance(error, RecursionError):
        return BAD_INPUT, "error: the input is nested too deeply"
    if isinstance(error, OverflowError):
        return BAD_INPUT, f"error: a number is too large for exact computation here: {error}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return BAD_INPUT, f"error: {where}{error.strerror or error}"
    return INTERNAL, (
        f"internal error: {type(error).__name__}: {error} "
        f"(this is a bug of routeproof; please report it, with the traceback that ROUTEPROOF_DEBUG=1 shows)"
    )


def _hint(context: Any, error: BaseException) -> str:
    """What to do next: a command that works, where something is missing, and where to read more."""
    see = f"see '{context.command_path} --help'"
    example = example_of(context.info_name) if "Missing" in type(error).__name__ or "Missing" in str(error) else None
    return f" ({see})" if example is None else f" (for example: {example}; {see})"


def _say(message: str) -> None:
    try:
        sys.stderr.write(one_line(message) + "\n")
        sys.stderr.flush()
    except OSError:
        pass  # nobody is left to tell


def _forget_output() -> None:
    """Whoever read our output has gone: let the interpreter's own flush at exit go nowhere."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
