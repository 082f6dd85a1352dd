"""The functions of ``routeproof`` that are made from questions: parameters, docstring and errors are the question's."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from numbers import Integral
from typing import Any, ParamSpec, TypeVar, cast

from ..core.claim import Claim
from ..core.display import short
from ..core.errors import InputError, RouteproofError
from ..core.network import Network
from ..questions.question import Question, docstring_of, in_python, verbs
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from .result import Result
from .results import RESULTS

P = ParamSpec("P")
R = TypeVar("R", bound="Result[Any] | list[Claim]")


def function_of(question: Callable[P, Question[Any]], result: type[R]) -> Callable[P, R]:
    """The function that asks it: its parameters are the fields that are not the command's alone."""
    asked = cast("type[Question[Any]]", question)

    @functools.wraps(asked.answer, assigned=())
    def ask(*args: P.args, **options: P.kwargs) -> R:
        try:
            made = question(*args, **options)
            _check_given(made)
            if issubclass(result, Result):
                return result.of(made)
            return cast("R", made.answer(setting_here()).claims())
        except RouteproofError as error:
            error.args = (in_python(asked, str(error)),)
            raise

    ask.__name__ = ask.__qualname__ = asked.function
    ask.__doc__, ask.__module__ = docstring_of(asked), __name__
    ask.__signature__ = inspect.signature(asked).replace(return_annotation=result.__name__)  # type: ignore[attr-defined]
    return ask


def _check_given(question: Question[Any]) -> None:
    """Raise InputError where a field is to be a network or a routing, and is a name or a rule instead, or is to be a
    whole number, and is none."""
    for x in fields(question):  # type: ignore[arg-type]
        if not x.init or x.type not in ("Network", "Routing", "Sequence[Routing]", "int", "int | None"):
            continue
        given = getattr(question, x.name)
        if x.type in ("int", "int | None"):
            whole = isinstance(given, Integral) and not isinstance(given, bool)
            if not whole and (given is not None or x.type == "int"):
                raise InputError(f"{x.name} is {short(repr(given))}; a whole number was expected")
            continue
        if x.type == "Network":
            if not isinstance(given, Network):
                raise InputError(
                    f"{short(given)} is not a network: torus(8, 8), network(text) or read_network(path) was expected"
                )
            continue
        several = x.type == "Sequence[Routing]"
        if several and (isinstance(given, str) or not isinstance(given, Sequence)):
            raise InputError(f"{x.name} is {short(given)}; a list of routings was expected")
        for one in given if several else [given]:
            if not isinstance(one, Routing):
                raise InputError(f"{short(one)} is not a routing on a network: DOR().on(network) was expected")


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    x.function: function_of(cast("Any", x), RESULTS.get(x.function, Result)) for x in verbs() if vars(x).get("function")
}
"""By name."""
