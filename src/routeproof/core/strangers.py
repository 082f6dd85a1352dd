"""Code of other people, run with care: whatever it raises, or makes in place of what was expected, is one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

from .display import one_line, short
from .errors import InputError

T = TypeVar("T")


@contextmanager
def strangers(what: str) -> Iterator[None]:
    """Raise InputError, which names ``what``, for all that is raised inside: SystemExit too, and whatever else is no
    InputError of one line.  An interrupt (KeyboardInterrupt itself) passes."""
    try:
        yield
    except BaseException as error:
        if is_interrupt(error):
            raise
        if isinstance(error, InputError) and (text := one_line(error)) and str(error) == text:
            raise
        said = one_line(error)
        raise InputError(f"{what} raised {type(error).__name__}{': ' if said else ''}{said}") from error


def is_interrupt(error: BaseException) -> bool:
    """Is it Ctrl-C, and not somebody's own kind of it?"""
    return type(error) is KeyboardInterrupt


def guarded(function: Callable[..., Any], what: str, returns: type | tuple[type, ...] = object) -> Callable[..., Any]:
    """``function`` within ``strangers``; what it returns is of a type of ``returns``."""
    kinds = returns if isinstance(returns, tuple) else (returns,)
    wanted = " or ".join("nothing" if x is type(None) else f"a {x.__name__}" for x in kinds)

    @wraps(function, assigned=())
    def careful(*arguments: Any, **settings: Any) -> Any:
        with strangers(what):
            made = function(*arguments, **settings)
        if not isinstance(made, kinds):
            raise InputError(f"{what} made {_kind(made)}; {wanted} was expected")
        return made

    return careful


def guarded_entry(entry: Any, like: T, what: str, returns: Mapping[str, type | tuple[type, ...]]) -> T:
    """The stranger's ``entry`` as one of the type of ``like``, an entry of our own: its functions guarded, by field
    returning what ``returns`` says; other fields of the type of our own's.  Nothing else of it is kept.

    Raises InputError, which names ``what`` and the field, for anything else.
    """
    kind: Any = type(like)
    with strangers(what):
        given = {x.name: _copied(getattr(entry, x.name)) for x in fields(kind)}
    for field in fields(kind):
        name, value, own = field.name, given[field.name], getattr(like, field.name)
        if name in returns:
            if value is None and field.default is None:
                continue
            if not callable(value):
                raise InputError(f"{what}: its {name} is {short(value)}; a function was expected")
            given[name] = guarded(value, f"{what}: {name}", returns[name])
        elif not isinstance(value, type(own)) and not (value is None and own is None):
            raise InputError(f"{what}: its {name} is {short(value)}; {_kind(own)} was expected")
        elif not all(isinstance(x, str) for x in _texts_of(value)):
            raise InputError(f"{what}: its {name} is {short(value)}; texts were expected")
    made: T = kind(**given)
    return made


def _copied(value: Any) -> Any:
    """Lists of options as they are now."""
    if isinstance(value, Mapping):
        return dict(value)
    return tuple(value) if isinstance(value, tuple) else value


def _texts_of(value: Any) -> Iterator[Any]:
    """What is in it, of options and the like."""
    if isinstance(value, dict):
        yield from value.values()
    if isinstance(value, (tuple, frozenset, dict)):
        yield from value


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"
