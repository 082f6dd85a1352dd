"""What terminals may send and receive, as claims state it: the sets and models that worst cases are over; demands,
flows and potentials that evidence gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.loads import LoadBlock
from ...core.network import Network
from ...core.rational import lcm_within
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.ports import check_to_itself
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.multipliers import potentials_along
from ..reading import as_channel, as_fraction, as_scale, as_terminal
from ..shapes import brief

if TYPE_CHECKING:
    from ..context import Context

_MOST_UNIT = 1 << 4096


@dataclass(frozen=True)
class TerminalRates:
    """What terminals may send and receive, integers over ``unit``, by terminal and summed by row and column.

    ``idle``: what the last row sends where it is that of idle packets (``base.over_demands``); ``every``: may every
    terminal send to every other one?
    """

    sends: list[int]
    receives: list[int]
    unit: int
    supply: Int64
    demand: Int64
    balanced: bool = False
    idle: int = 0
    every: bool = True

    @staticmethod
    def one_each(context: Context, left: npt.NDArray[np.bool_] | None = None) -> TerminalRates:
        """Every terminal (after a failure: of those ``left``, bool (T,)) sends and receives one packet per cycle."""
        ones = [1] * context.network.num_terminals if left is None else [int(x) for x in left]
        return TerminalRates(ones, ones, 1, context.by_row(ones), context.by_column(ones), balanced=True)


def named_set(context: Context, claim: Claim) -> DemandSet:
    """The set of demands of the report's subject, which the claim names."""
    text = claim.about.get("demands")
    demands = context.demands
    if demands is None or demands.text != text:
        raise VerificationError(f"its set of demands is {brief(text)}, which is not that of the report's subject")
    return demands


def set_of(context: Context, claim: Claim) -> TransportSet | None:
    """The set of demands that the claim is about, one job's where it says so; None for a model of traffic."""
    if claim.about.get("demands") is None:
        return None
    demands: TransportSet | None = named_set(context, claim).transport
    job = claim.about.get("job")
    if demands is None:
        raise VerificationError("its evidence is about demands that are limited by rows, by columns or in total")
    check_to_itself(context.network, demands)
    return demands if job is None else demands.alone(job)


def rates_over(context: Context, demands: TransportSet) -> tuple[Context, TerminalRates]:
    """(the routing as the set of demands sees it, what terminals and idle packets send)."""
    size, total = demands.size, demands.total
    if demands.box is not None or (total is None and None in (demands.sends, demands.receives)):
        raise VerificationError("its set of demands is not limited by rows, columns or a total alone")
    over, idle = context.through(demands)
    sides = [[Fraction(total or 0)] * size if x is None else list(x) for x in (demands.sends, demands.receives)]
    unit = lcm_within({idle.denominator, *(x.denominator for side in sides for x in side)}, _MOST_UNIT)
    if unit is None or (sum(map(sum, sides), Fraction(0)) + idle) * unit >= 1 << 50:
        raise VerificationError("the limits of the demands are too fine for 64-bit arithmetic")
    sends, receives = ([int(x * unit) for x in side] for side in sides)
    supply = over.by_row(sends)
    if idle:
        supply[-1] += int(idle * unit)
    return over, TerminalRates(
        sends, receives, unit, supply, over.by_column(receives), idle=int(idle * unit), every=demands.allows_all
    )  # fmt: skip


def rates_of(context: Context, model: Mapping[str, Any]) -> TerminalRates:
    size = context.network.num_terminals
    if model["name"] == "balanced":
        return TerminalRates.one_each(context)
    if model["name"] == "unbalanced":
        rate = as_fraction(model["rate"], "model.rate")
        sends, receives, unit = [rate.numerator] * size, [rate.denominator] * size, rate.denominator
    else:
        sides = []
        for what in ("ingress", "egress"):
            if len(model[what]) != size:
                raise VerificationError(f"model.{what} has {len(model[what])} rates for {size} terminals")
            sides.append([as_fraction(x, f"model.{what}") for x in model[what]])
        common = lcm_within({x.denominator for side in sides for x in side}, _MOST_UNIT)
        if common is None:
            raise VerificationError("the rates are too fine for 64-bit arithmetic")
        unit = common
        sends, receives = ([int(x * unit) for x in side] for side in sides)
    if min(sends + receives) < 0 or sum(sends) + sum(receives) >= 1 << 50:
        raise VerificationError("the rates are negative or too fine for 64-bit arithmetic")
    return TerminalRates(sends, receives, unit, context.by_row(sends), context.by_column(receives))


def demand_in(network: Network, traffic: list[Any]) -> dict[tuple[int, int], Fraction]:
    """What every terminal sends to every other one, from [source, destination, rate] each; rates are not negative."""
    found: dict[tuple[int, int], Fraction] = {}
    for item in traffic:
        if not isinstance(item, list) or len(item) != 3:
            raise VerificationError("the witness's traffic must be [source, destination, rate] each")
        i, j = (as_terminal(network, x) for x in item[:2])
        x = as_fraction(item[2], "a rate of the witness")
        if x < 0:
            raise VerificationError(f"the witness's rate from {i} to {j} is negative")
        found[i, j] = found.get((i, j), Fraction(0)) + x
    return found


def read_flow(network: Network, items: Any, what: str) -> tuple[list[tuple[int, int, Fraction]], list[Fraction]]:
    """(source terminal, destination terminal and amount of every path, what each channel carries), of ``items``
    [source, destination, amount, channels].

    Raises VerificationError, which names the path as ``what[k]``, where one does not lead from its source to its
    destination, or carries less than nothing.
    """
    if not isinstance(items, list):
        raise VerificationError(f"{what} must be a list of [source, destination, amount, channels]")
    used = [Fraction(0)] * network.num_channels
    carried = []
    for k, item in enumerate(items):
        if not isinstance(item, list) or len(item) != 4 or not isinstance(item[3], list):
            raise VerificationError(f"{what}[{k}] must be [source, destination, amount, channels]")
        i, j = (as_terminal(network, x) for x in item[:2])
        amount = as_fraction(item[2], f"the amount of {what}[{k}]")
        if amount < 0:
            raise VerificationError(f"the amount of {what}[{k}] is negative")
        at = int(network.source[i])
        for x in item[3]:
            e = as_channel(network, x)
            if int(network.tail[e]) != at:
                raise VerificationError(f"{what}[{k}]: channel {e} does not begin where the path is")
            at = int(network.head[e])
            used[e] += amount
        if at != int(network.sink[j]):
            raise VerificationError(f"{what}[{k}] does not lead from terminal {i} to terminal {j}")
        carried.append((i, j, amount))
    return carried, used


def potentials_of(
    item: Mapping[str, Any], block: LoadBlock, rates: TerminalRates
) -> tuple[int, list[Fraction] | list[int], Int64, Int64]:
    """(unit, values over it, which of them each row has, each column): as written, or as they follow from the loads of
    tight pairs."""
    c, sizes = item["channel"], {"row": len(rates.supply), "column": len(rates.demand)}

    def read(form: str) -> tuple[Int64, Int64]:
        row, column = (
            unpack_ints(item[form.format(x)], what=f"{x} potentials of channel {c}", max_items=n)
            for x, n in sizes.items()
        )
        return row, column

    if "values" in item:
        return 1, [as_fraction(x, f"a potential of channel {c}") for x in item["values"]], *read("{}")
    after, start = read("{}_after"), read("{}_start")
    if any([len(x) for x in pair] != [*sizes.values()] for pair in (after, start)):
        raise VerificationError(f"channel {c}: what potentials follow from does not match its rows and columns")
    unit, values = potentials_along(block, after, start, as_scale(item["scale"], "scale", 1 << 60))
    known: dict[int, int] = {}
    which = np.array([known.setdefault(x, len(known)) for x in values], dtype=np.int64)
    return unit, list(known), which[: sizes["row"]], which[sizes["row"] :]
