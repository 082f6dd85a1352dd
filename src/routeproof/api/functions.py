"""The functions of ``routeproof`` that are made from questions: parameters, docstring and errors are the question's."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from ..core.errors import RouteproofError
from ..questions.adaptive import Adaptive
from ..questions.compare import Compare
from ..questions.deadlock import Deadlock
from ..questions.design import Design, DesignAverageCase, DesignCapacity, DesignTables
from ..questions.expansion import Expansion
from ..questions.failures import Failures
from ..questions.hashing import Hashing, Split
from ..questions.of_one_routing import AverageCase, WorstCase
from ..questions.question import Question, docstring_of, in_python
from ..questions.tradeoff import AverageTradeoff, Tradeoff
from .result import Result, check_given
from .results import (
    AdaptiveResult,
    CompareResult,
    DeadlockResult,
    DesignResult,
    ExpansionResult,
    FailuresResult,
    HashingResult,
    SplitResult,
    TradeoffResult,
)
from .worst_case import AverageCaseResult, WorstCaseResult

P = ParamSpec("P")
R = TypeVar("R", bound=Result[Any])


def function_of(question: Callable[P, Question[Any]], result: type[R]) -> Callable[P, R]:
    """The function that asks it: its parameters are the fields that are not the command's alone."""
    asked = cast("type[Question[Any]]", question)

    @functools.wraps(asked.answer, assigned=())
    def ask(*args: P.args, **options: P.kwargs) -> R:
        try:
            made = question(*args, **options)
            check_given(made, ask.__name__)
            return result.of(made)
        except RouteproofError as error:
            error.args = (in_python(asked, str(error)),)
            raise

    ask.__name__ = ask.__qualname__ = asked.function or asked.__name__.lower()
    ask.__doc__, ask.__module__ = docstring_of(asked), __name__
    ask.__signature__ = inspect.signature(asked).replace(return_annotation=result.__name__)  # type: ignore[attr-defined]
    return ask


worst_case = function_of(WorstCase, WorstCaseResult)
average_case = function_of(AverageCase, AverageCaseResult)
adaptive = function_of(Adaptive, AdaptiveResult)
deadlock = function_of(Deadlock, DeadlockResult)
failures = function_of(Failures, FailuresResult)
hashing = function_of(Hashing, HashingResult)
split = function_of(Split, SplitResult)
tradeoff = function_of(Tradeoff, TradeoffResult)
average_tradeoff = function_of(AverageTradeoff, TradeoffResult)
compare = function_of(Compare, CompareResult)
design = function_of(Design, DesignResult)
design_capacity = function_of(DesignCapacity, DesignResult)
design_average_case = function_of(DesignAverageCase, DesignResult)
design_tables = function_of(DesignTables, DesignResult)
expansion = function_of(Expansion, ExpansionResult)
