"""What keeps the command's promises: its exit status, and one line on standard error instead of a traceback."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import warnings
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperGroup

from ...core.errors import RouteproofError, VerificationError
from ...core.escape import one_line
from ...machine.interrupts import INTERRUPTED, Watch
from ...questions.question import Option, verbs
from .options import all_options, narrowed
from .screen import note

__all__ = ["BAD_INPUT", "BROKEN_PIPE", "FAILED_VERIFICATION", "INTERNAL", "INTERRUPTED", "example_of", "run_command"]

FAILED_VERIFICATION = 1
BAD_INPUT = 2
INTERNAL = 70  # EX_SOFTWARE of sysexits.h: a bug of ours, which is neither bad input nor a false claim
BROKEN_PIPE = 141
_PARSER_SAYS = {  # beginnings of its complaints, and ours
    r"No such command '(plot|draw|figure)'.*":
        r"No such command '\1'; --plot FILE.svg of worst-case, compare and others draws, as does "
        "routeproof convert NETWORK FILE.svg",
    r"No such command '(analy[sz]e|evaluate|run|solve|judge)'.*":
        r"No such command '\1'; worst-case judges a routing, compare several",
    r"No such command '(help|version)'.*": r"No such command '\1'; routeproof --\1 was expected",
    r"No such command '(topologies|topology|routings|list|networks)'.*":
        r"No such command '\1'; names of networks are listed in docs/topologies.md, of routings in docs/routings.md",
    r"(No such command '[^']*')\. Did you mean (.*)": r"\1; did you mean \2",
    r"Got unexpected extra argument\(s\) \((.*)\)": r"one argument too many: \1",
    r"Option '(.*)' requires an argument": r"\1 needs a value",
    "Input should be a valid integer.*": "a whole number was expected",
    "Input should be a valid number.*": "a number was expected",
    r"Input should be greater than or equal to (\S+)": r"at least \1 was expected",
    r"Input should be less than or equal to (\S+)": r"at most \1 was expected",
}  # fmt: skip
_ENDS: tuple[tuple[tuple[type[BaseException], ...], int, str], ...] = (  # exit status and words, {} being the error
    ((KeyboardInterrupt, typer.Abort), INTERRUPTED, "interrupted"),
    ((VerificationError,), FAILED_VERIFICATION, "not verified: {}"),
    ((RouteproofError,), BAD_INPUT, "error: {}"),
    ((MemoryError,), BAD_INPUT, "error: out of memory for this input: {}"),
    ((RecursionError,), BAD_INPUT, "error: the input is nested too deeply"),
    ((OverflowError,), BAD_INPUT, "error: a number is too large for exact computation here: {}"),
)
_NEAR = 0.6  # likeness of a word and what it may stand for
_LONG = 60  # characters of a wrong value that an error line shows

_UsageError: Any = typer.BadParameter.__mro__[2]  # click's ClickException, wherever this version of typer keeps it


def run_command(app: typer.Typer, arguments: Sequence[str], watch: Watch | None = None) -> int:
    """Run ``app`` and return the exit status; whatever goes wrong becomes one line on standard error.

    ``watch``: what hears interrupts, where the process is the command's own; it has the last line then.

    Set ROUTEPROOF_DEBUG to see the traceback of an internal error.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as in "routeproof ... >&-"
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # to the process's end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character is no reason to fail
    completing = "_ROUTEPROOF_COMPLETE" in os.environ  # the words stand elsewhere then
    command = typer.main.get_command(app if completing else narrowed(app, arguments))
    empty = _empty_value(arguments)
    if empty is not None:
        _say(f"error: {empty} is empty; a value was expected, or the option left out")
        return BAD_INPUT
    # Warnings are kept back until it is clear that the input is good: bad input gets one line and no more.
    with warnings.catch_warnings(record=True, action="ignore") as held:
        warnings.simplefilter("always", UserWarning)
        try:
            with contextlib.nullcontext() if watch is None else watch.raising():
                status = command.main(args=list(arguments), prog_name="routeproof", standalone_mode=False)
            if status == INTERRUPTED:  # typer turns an interrupt into its own exit
                if watch is None:
                    _say("interrupted")
            else:
                told = (x for x in held if not issubclass(x.category, DeprecationWarning))  # that is for developers
                for line in dict.fromkeys(str(x.message) for x in told):
                    note(f"warning: {line}")
            sys.stdout.flush()
            if watch is not None and watch.heard:  # what was reached by then is certified, and printed
                status = INTERRUPTED
        except BrokenPipeError:
            _forget_output()
            return BROKEN_PIPE
        except BaseException as error:
            status, message = _judge(error, arguments)
            if watch is not None and watch.heard and status in (INTERNAL, BAD_INPUT):  # what an interrupt became
                status = INTERRUPTED
            if watch is not None and status == INTERRUPTED:
                message = watch.reached = ""
            if status == BROKEN_PIPE:
                _forget_output()
            if status == INTERNAL and os.environ.get("ROUTEPROOF_DEBUG"):
                raise
            if message:
                _say(message)
    return status if isinstance(status, int) else 0


def _empty_value(arguments: Sequence[str]) -> str | None:
    """The option that is given an empty text (which is no way to ask for the default), if there is one."""
    for before, given in pairwise(["", *arguments]):
        if given == "--":
            return None
        if not given.strip() and before.startswith("-") and "=" not in before and before != "-":
            return before
        if given.startswith("--") and given.endswith("=") and given.count("=") == 1:
            return given[:-1]
    return None


def _judge(error: BaseException, arguments: Sequence[str]) -> tuple[int, str]:
    """The exit status for an exception, and what to say about it."""
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):  # click ends with 1 then, which is our failed verification
            return BROKEN_PIPE, ""
        if error.code == INTERRUPTED:
            return INTERRUPTED, ""
        if "_ROUTEPROOF_COMPLETE" in os.environ:  # a shell asks for completion, and typer has answered
            return (error.code if isinstance(error.code, int) else 0), ""
        # Nothing of ours ends otherwise: without a line it would look as if all had gone well.
        return BAD_INPUT, f"error: code of another package or function ended the command: SystemExit: {error.code}"
    if isinstance(error, _UsageError):
        context = getattr(error, "ctx", None)
        if getattr(error, "possibilities", None):
            _keep_near(error)
        hint = _hint(context, error) if context is not None else ""
        message = _proposing(error).replace("Value error, ", "").removesuffix(".")
        message = _in_our_words(message, _given_to(error, arguments)) + _verb_first(message, arguments)
        return BAD_INPUT, f"error: {_with_short_values(message, arguments)}{hint}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return BAD_INPUT, f"error: {where}{error.strerror or error}"
    for kinds, status, words in _ENDS:
        if isinstance(error, kinds):
            return status, words.format(error).removesuffix(": ")
    return INTERNAL, (
        f"internal error: {type(error).__name__}: {error} "
        f"(this is a bug of routeproof; please report it, with the traceback that ROUTEPROOF_DEBUG=1 shows)"
    )


def _verb_first(message: str, arguments: Sequence[str]) -> str:
    """What was meant, where a network stands in the place of the verb."""
    from ...topologies.family import TOPOLOGIES

    first = arguments[0] if arguments else ""
    if not message.startswith(f"No such command '{first}'"):
        return ""
    known = first.partition(":")[0].partition(",")[0] in TOPOLOGIES.own or os.path.exists(first)
    return f"; a verb comes first, as in routeproof worst-case {first}" if known else ""


def _keep_near(error: Any) -> None:
    """Of the options that the parser would propose, those that are nearly what was typed."""
    typed = error.option_name.lstrip("-")
    near = [x for x in error.possibilities if SequenceMatcher(None, typed, x.lstrip("-")).ratio() > _NEAR]
    error.possibilities = near


def _proposing(error: Any) -> str:
    """What the option parser says, with the options that may be meant."""
    near = getattr(error, "possibilities", None)
    return f"{error.message}; did you mean {' or '.join(near)}?" if near else str(error.format_message())


def _in_our_words(message: str, given: str) -> str:
    """What the option parser says, with the value that was ``given`` where it keeps that to itself."""
    for pattern, words in _PARSER_SAYS.items():
        message = re.sub(pattern, lambda found, words=words: given + found.expand(words), message)  # type: ignore[misc]
    return message


def _given_to(error: Any, arguments: Sequence[str]) -> str:
    """The last value in ``arguments`` of the option that ``error`` is about, quoted, with what joins it to the rest."""
    names = getattr(getattr(error, "param", None), "opts", ())
    value = ""
    for before, given in pairwise(["", *arguments]):
        name, equals, rest = given.partition("=")
        if before in names:
            value = repr(given)
        elif equals and name in names:
            value = repr(rest)
    return f"{value}; " if value else ""


def _with_short_values(message: str, arguments: Sequence[str]) -> str:
    """``message`` without what is long in ``arguments``, of which it may quote one whole."""
    values = {part for x in arguments for part in (x, x.partition("=")[0], x.partition("=")[2]) if len(part) > _LONG}
    for value in sorted(values, key=len, reverse=True):
        short = value[: _LONG - 3] + "..."
        message = message.replace(repr(value), repr(short)).replace(value, short)
    return message


def _hint(context: Any, error: BaseException) -> str:
    """What to do next: a command that works, where something is missing, and where to read more."""
    see = f"see '{context.command_path} --help'"
    name = getattr(error, "option_name", None)
    if name is not None and not getattr(error, "possibilities", None):
        arguments = [str(x.metavar) for x in context.command.params if x.param_type_name == "argument"]
        if name in ("--routing", "-r") and any("ROUTING" in x for x in arguments):
            return f" (names of routings follow the network: {example_of(context.command)}; {see})"
        having = [x.verb for x in verbs() if x.verb and any(name in _spelled(known) for known in all_options(x))]
        if having:
            return f" ({', '.join(having[:4])} {'has' if len(having) == 1 else 'have'} it; {see})"
    extra = re.search(r"unexpected extra argument\(s\) \((\S+)\)", str(error))
    if extra is not None and any("--routing" in x.opts for x in context.command.params):
        return f" (a routing is given by --routing, as in --routing {extra[1]}; {see})"
    missing = "Missing" in type(error).__name__ or "Missing" in str(error)
    example = example_of(context.command) if missing else None
    hint = see if example is None else f"for example: {example}; {see}"
    if isinstance(context.command, TyperGroup) and context.parent is not None:
        return f" (known: {', '.join(context.command.commands)}; {hint})"
    return f" ({hint})"


def _spelled(known: Option) -> tuple[str, ...]:
    return () if known.argument else (known.name_on_command(), *known.names)


def example_of(command: Any) -> str | None:
    """The example in the help of a verb, or of the first verb of a group; None where there is none."""
    found = re.search(r"For example: (routeproof .*?)(?:,? or, .*)?$", command.help or "", re.MULTILINE)
    if found is not None:
        return found[1]
    return next(map(example_of, command.commands.values()), None) if isinstance(command, TyperGroup) else None


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
