"""The user's own functions by name: ``module:function`` or ``folder/file.py:function``, with options behind a comma.

They are code, and run: only where a user typed the name, never where a document or a report holds it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from ..core.display import one_line, short
from ..core.errors import InputError, VerificationError, did_you_mean
from ..core.plain_names import check_own_name
from ..core.rational import parse_fraction
from ..core.strangers import is_interrupt

_IN_FILE = re.compile(r"(?P<file>[^:,]*[^:,/\\]\.py):(?P<function>[A-Za-z_]\w*)")
_IN_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


def is_function_name(text: str) -> bool:
    """Has ``text`` the form ``module:function`` or ``file.py:function``?"""
    return _IN_FILE.fullmatch(text) is not None or _IN_MODULE.fullmatch(text) is not None


def check_not_nearly(text: str) -> None:
    """Raise InputError for what is nearly the name of a function in a file: ``file.py:function:option=value``."""
    if ".py:" in text:
        raise InputError(f"'{short(text)}' names no function; file.py:function[,option=value] was expected")


def is_function_there(text: str) -> bool:
    """Is ``text`` the name of a function in a file, or in a module that can be found?  (Nothing is run.)"""
    if not is_function_name(text) or _IN_FILE.fullmatch(text):
        return is_function_name(text)
    top = re.split("[.:]", text)[0]
    return os.path.isfile(f"{top}.py") or os.path.isdir(top) or importlib.util.find_spec(top) is not None


def load_function(text: str) -> Callable[..., Any]:
    """The function named ``module:function``, imported with the current directory first on the path, or
    ``file.py:function``, with the file's directory there."""
    if not is_function_name(text):
        raise InputError(f"'{short(text)}' does not name a function; module:function or file.py:function was expected")
    _check_name(text)
    found = _IN_FILE.fullmatch(text)
    home, _, attribute = text.rpartition(":")
    module = _from_file(home) if found else _from_path(home)
    where = f"file {home}" if found else f"module '{home}'"
    if not hasattr(module, attribute):
        known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        hint = did_you_mean(attribute, known) if known else "it has no functions"
        raise InputError(f"{where} has no '{attribute}'; {hint}")
    function = getattr(module, attribute)
    if not callable(function):
        raise InputError(f"'{text}' is of type {type(function).__name__}; a function was expected")
    return function  # type: ignore[no-any-return]  # what it returns is checked at every call


def with_settings(
    function: Callable[..., Any],
    name: str,
    settings: Mapping[str, str],
    *,
    after: int = 0,
    besides: Collection[str] = (),
) -> Callable[..., Any]:
    """``function`` with options as keyword arguments: ints and Fractions where they are numbers, else texts; ``after``:
    how many parameters of it are given otherwise; ``besides``: options that are not the function's."""
    if not settings:
        return function
    _check_name(",".join([name, *settings.values()]))
    known = _options_of(function, after)
    for key in settings:
        if known is not None and key not in known:
            names = [*known, *besides]
            hint = f"{did_you_mean(key, names)} It takes {', '.join(names)}" if names else "the function has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {hint}")
    bound = partial(function, **{key: _value(x) for key, x in settings.items()})
    bound.__dict__.update(getattr(function, "__dict__", {}))  # a routing function's start, passes_destination
    return bound


def _options_of(function: Callable[..., Any], after: int) -> list[str] | None:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(x.kind is x.VAR_KEYWORD for x in parameters):
        return None
    named = [x for k, x in enumerate(parameters) if k >= after or x.kind is x.KEYWORD_ONLY]
    return [x.name for x in named if x.kind in (x.KEYWORD_ONLY, x.POSITIONAL_OR_KEYWORD)]


def takes(function: Callable[..., Any], *arguments: object) -> bool:
    """Can ``function`` be called with these?  True where its signature is not known."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _value(text: str) -> int | Fraction | str:
    try:
        number = parse_fraction(text, what="an option")
    except InputError:
        return text
    return number.numerator if number.denominator == 1 else number


def _check_name(text: str) -> None:
    """What a report may call it: letters that are not taken for others."""
    try:
        check_own_name(text, "a function")
    except VerificationError as error:
        raise InputError(str(error)) from None


def _from_file(path: str) -> ModuleType:
    if not os.path.isfile(path):
        near = [x.name for x in Path(os.path.dirname(path) or ".").glob("*.py")]
        hint = did_you_mean(os.path.basename(path), near) if near else "a Python file was expected there"
        raise InputError(f"there is no file {short(path)}; {hint}")
    full = os.path.abspath(path)
    _look_in(os.path.dirname(full))
    name = f"routeproof_file_{re.sub(r'[^A-Za-z0-9]', '_', full)}"  # never the name of another module
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None or spec.loader is None:
        raise InputError(f"file {short(path)} cannot be imported; Python code was expected")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _importing(f"file {short(path)}"):
        spec.loader.exec_module(module)
    return module


def _from_path(name: str) -> ModuleType:
    try:
        here = os.getcwd()
    except FileNotFoundError:
        raise InputError(f"'{name}' is looked for in the current directory, which does not exist any more") from None
    _look_in(here)
    try:
        with _importing(f"module '{name}'"):
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(error.name + ".")):
            raise InputError(f"module '{name}' cannot be imported: {one_line(error)}") from error
        found = [p.stem for p in Path(here).glob("*.py")]
        hint = f"; {did_you_mean(name, found)}" if found else ""
        raise InputError(f"no module '{name}' in {here} or on the Python path{hint}") from None


def _look_in(directory: str) -> None:
    """And it stays on the path: the function may import its neighbours when it is called."""
    if directory not in sys.path:
        sys.path.insert(0, directory)
    importlib.invalidate_caches()


@contextmanager
def _importing(what: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if what.startswith("module"):
            raise
        raise InputError(f"{what} cannot be imported: {one_line(error)}") from error
    except BaseException as error:  # SystemExit too
        if is_interrupt(error):
            raise
        raise InputError(f"{what} cannot be imported: it raised {type(error).__name__}: {one_line(error)}") from error
