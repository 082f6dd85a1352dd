"""The user's own routing function: called with care, its answers checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ...core.display import one_line, short
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction, shown
from ...core.strangers import is_interrupt, strangers
from ...formats.python_functions import takes

RoutingFunction = Callable[[Any, int, int], Iterable[tuple[Any, Any, Any]]]

_MAX_CHOICES = 100_000


@dataclass(frozen=True)
class Channel:
    """A next hop by channel number, where parallel channels make a node ambiguous."""

    number: int


class Caller:
    """Calls ``function(state, node, destination)`` and turns the answer into integers, or says what is wrong."""

    def __init__(self, network: Network, function: RoutingFunction, name: str) -> None:
        if not callable(function):
            raise InputError(f"{name} is of type {type(function).__name__}; a function was expected")
        self.network = network
        self.function = function
        self.name = name
        with strangers(f"{name}: passes_destination"):
            self.passes_destination = bool(getattr(function, "passes_destination", False))
        self._tail = network.tail.tolist()
        self._to: list[dict[int, int]] = [{} for _ in range(network.num_nodes)]
        for c, (u, v) in enumerate(zip(self._tail, network.head.tolist(), strict=True)):
            self._to[u][v] = -1 if v in self._to[u] else c

    def __call__(self, state: Any, node: int, destination: int) -> tuple[int, list[tuple[int, Any, int]]]:
        """``(scale, [(numerator, next state, channel), ...])``, the numerators positive and summing to the scale.

        An empty list means delivered.  Raises InputError, naming state, node and destination, for anything else.
        """
        fault = partial(self.fault, state, node, destination)
        choices = self._choices(state, node, destination)
        if len(choices) > _MAX_CHOICES:
            raise fault(f"returned more than {_MAX_CHOICES:,} choices")
        if not choices:
            if node == destination:
                return 1, []
            raise fault("loses the packet: it returned nothing, but this is not the destination")
        parts: list[tuple[int, int, Any, int]] = []
        for choice in choices:
            told = f"returned the choice {short(choice)}; (probability, next state, next node) was expected"
            with _careful(partial(fault, told)):
                probability, next_state, hop = choice
            if type(probability) is not Fraction and type(probability) is not int:
                told = f"returned the probability {short(probability)}; a number or a fraction string was expected"
                with _careful(partial(fault, told)):
                    probability = parse_fraction(probability, what="a probability")
            num, den = probability.as_integer_ratio()
            if num <= 0:
                share = shown(Fraction(probability))
                raise fault(f"gives the next node {short(hop)} the probability {share}; leave out what never happens")
            channel = self._to[node].get(hop, -2) if type(hop) is int else -2
            if channel < 0:
                channel = self._channel(state, node, destination, hop)
            parts.append((num, den, next_state, channel))
        scale = math.lcm(*[part[1] for part in parts])
        steps = [(num * (scale // den), next_state, channel) for num, den, next_state, channel in parts]
        total = sum([step[0] for step in steps])
        if total != scale:
            raise fault(
                f"gives probabilities that sum to {shown(Fraction(total, scale))}; exactly 1 was expected "
                f"(a float is the binary fraction that it is: write Fraction(1, 3) or '1/3')"
            )
        return scale, steps

    def _choices(self, state: Any, node: int, destination: int) -> Sequence[Any]:
        """What the function answers, as a list or tuple; its elements are not looked at."""
        fault = partial(self.fault, state, node, destination)
        try:
            answer = self.function(state, node, destination)
            if isinstance(answer, (list, tuple)):
                return answer
            if isinstance(answer, Iterable):
                return list(islice(answer, _MAX_CHOICES + 1))
        except BaseException as error:  # SystemExit too: a function that exits must not end the command in silence
            if is_interrupt(error):
                raise
            hint = ""
            if isinstance(error, TypeError) and not takes(self.function, state, node, destination):
                hint = "; it is called as function(state, node, destination)"
            elif state is None and isinstance(error, TypeError):
                hint = "; packets start in state None: give the function an attribute 'start' if it expects another"
            raise fault(f"raised {type(error).__name__}: {one_line(error)}{hint}") from error
        raise fault(f"returned {short(answer)}; [(probability, next state, next node), ...] was expected")

    def _channel(self, state: Any, node: int, destination: int, hop: object) -> int:
        network = self.network
        if isinstance(hop, Channel):
            c = hop.number
            if isinstance(c, bool) or not isinstance(c, (int, np.integer)) or not 0 <= c < network.num_channels:
                problem = f"chose channel {short(c)}; channels are 0 to {network.num_channels - 1}"
            elif self._tail[c] != node:
                problem = f"chose channel {int(c)}, which leaves node {self._tail[c]}"
            else:
                return int(c)
            raise self.fault(state, node, destination, problem)
        if isinstance(hop, bool) or not isinstance(hop, (int, np.integer)):
            problem = f"chose {short(hop)} as the next hop; a node number or Channel(number) was expected"
        elif not 0 <= hop < network.num_nodes:
            problem = f"chose node {int(hop)}; nodes are 0 to {network.num_nodes - 1}"
        elif int(hop) not in self._to[node]:
            near = sorted(self._to[node])
            shown = ", ".join(map(str, near[:8])) + (", ..." if len(near) > 8 else "")
            problem = f"chose node {int(hop)}, which is not a neighbour; channels lead to {shown or 'no node'}"
        elif self._to[node][int(hop)] == -1:
            twins = np.nonzero((network.tail == node) & (network.head == int(hop)))[0].tolist()
            problem = (
                f"chose node {int(hop)}, but {len(twins)} parallel channels lead there: say which by "
                f"Channel({twins[0]}) or Channel({twins[1]})"
            )
        else:
            return self._to[node][int(hop)]
        raise self.fault(state, node, destination, problem)

    def fault(self, state: object, node: int, destination: int, problem: str) -> InputError:
        return InputError(
            f"routing function {self.name}, at node {node} in state {short(state)} for destination {destination}: "
            f"{problem}"
        )

    def check_state(self, state: object, node: int, destination: int, *, came_from: object = None) -> None:
        """Raise InputError unless ``state``, which the function gave in state ``came_from``, can be remembered."""
        problem = (
            f"state {short(state)} is of type {type(state).__name__}, which cannot be hashed; use numbers, strings "
            f"or tuples"
        )
        with _careful(partial(self.fault, came_from, node, destination, problem)):
            hash(state)


@contextmanager
def _careful(fault: Callable[[], InputError]) -> Iterator[None]:
    """Whatever the user's objects raise inside, SystemExit too, becomes ``fault``; our own refusals say more."""
    try:
        yield
    except BaseException as error:
        if is_interrupt(error):
            raise
        said = fault()
        raise InputError(f"{said}: {error}") if isinstance(error, InputError) else said from error
