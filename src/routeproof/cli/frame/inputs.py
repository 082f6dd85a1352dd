"""What options name: routings, the service levels of fabrics, rates; and the setting in which answers are asked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...core.quoted import split_outside, unquoted
from .engine_options import engine_here
from .progress import bar
from .screen import results_only

if TYPE_CHECKING:
    from ...core.network import Network
    from ...core.spread import Stage
    from ...core.traffic import Traffic
    from ...demand_sets.demand_set import DemandSet
    from ...engine import Engine
    from ...questions.answer import Setting
    from ...routing.base.routing import Routing
    from ...routing.infiniband.service_levels import ServiceLevels
    from ...routing.path_sets.path_set import PathSet


def setting_here(
    topology: str | None = None, engine: Engine | None = None, stage: Stage = bar, solving: Stage | None = None
) -> Setting:
    """What answers are asked with: progress is shown as a bar for every stage."""
    from ...questions.answer import Setting

    return Setting(topology, engine, stage, solving)


@contextlib.contextmanager
def long_work(topology: str | None = None, stage: Stage = bar, *, always: bool = False) -> Iterator[Setting]:
    """``setting_here`` with the engine that the options ask for (``always``: also where they do not)."""
    with engine_here(always=always) as engine:
        yield setting_here(topology, engine, stage)


def network_given(text: str) -> Network:
    """The network that ``text`` names."""
    from ...formats.resolve import resolve_network

    return resolve_network(text)


def traffic_given(text: str, network: Network) -> Traffic:
    """A pattern or a file, between the terminals of ``network``."""
    from ...formats.resolve import resolve_traffic

    return resolve_traffic(text, network)


def demands_given(texts: Sequence[str] | None, network: Network) -> DemandSet | None:
    """The demands that are in all of the sets of ``--demands``; None where there are none."""
    from ...formats.demands.spec import demands_from_spec

    return demands_from_spec(texts, network) if texts else None


def routing_given(text: str, network: Network) -> Routing:
    """The routing that ``text`` names; what a user's function prints goes to standard error."""
    from ...routing.named.spec import routing_from_spec

    with results_only():
        return routing_from_spec(text, network)


def routing_or_own(text: str | None, network: Network) -> Routing:
    """The routing of ``--routing``, or the network's own."""
    return routing_given(own_routing(network) if text is None else text, network)


def pair_given(text: str, network: Network) -> tuple[int, int]:
    """Two terminals, by number or by name, with a comma between; raises InputError."""
    from ...formats.demands.terminal_names import TerminalNames

    names, words = TerminalNames(network), [unquoted(x) for x in split_outside(text, ",")]
    if len(words) != 2:
        raise InputError(f"--pair is {text[:40]!r}; two terminals, such as 0,7, were expected")
    found = [names.find(x, what="--pair") for x in words]
    return found[0][0], found[1][0]


def paths_given(text: str | None, network: Network) -> PathSet | None:
    """The set of paths that ``text`` names; None for all."""
    from ...routing.named import spec

    with results_only():
        return spec.paths_given(text, network)


def own_routing(network: Network) -> str:
    """The routing that the network's dump brings with it; raises InputError where there is none."""
    from ...routing.named.names import ROUTINGS

    if network.own_routing is None and network.missing_routing:
        raise InputError(f"no routing is given: {network.missing_routing}; add it, or name one with --routing")
    if network.own_routing is None:
        names = ", ".join(ROUTINGS.names())
        raise InputError(
            f"no routing is given; --routing is needed: one of {names}, mix:..., worst-hash:ROUTING, a routing file, "
            f"or module:function"
        )
    return network.own_routing


def usual_routings(network: Network) -> tuple[list[str], list[Routing]]:
    """The routing that the network's dump brings with it, and those that it is usually compared with: texts, routings.

    Of the latter those that the network cannot have are left out, with a line that says why.
    """
    from ...core.errors import warn

    texts = [own_routing(network)]
    found = [routing_given(texts[0], network)]
    for text in network.usual_routings:
        try:
            found.append(routing_given(text, network))
            texts.append(text)
        except InputError as error:
            warn(f"{text} is left out: {error}")
    return texts, found


def sampled_routing(text: str | None, network: Network, *, samples: int | None, seed: int | None) -> Routing:
    """The routing of ``--routing``; ``samples``: of a routing function, how many packets of a pair are drawn."""
    from ...routing.named.names import ROUTINGS

    text = own_routing(network) if text is None else text
    if samples is not None:
        from ...formats.python_functions import is_function_name

        if not is_function_name(text.partition(",")[0]) or text.partition(":")[0] in ROUTINGS.own:
            raise InputError(
                f"--samples and --until-width are for routing functions (module:function) and for --traffic-model; the "
                f"loads of '{text[:60]}' are exact without them"
            )
        text = f"{text},samples={samples},seed={seed or 0}"
    elif seed is not None:
        raise InputError("--seed goes with --samples; without it nothing is random")
    return routing_given(text, network)


def check_figure(plot: str | None, figure: str, network: Network) -> None:
    """Raises InputError where there is no such figure of a worst case, or it cannot be drawn into the file ``plot``."""
    if plot is None and figure == "flows":
        return
    from ...report.drawing.plot import check_picture
    from ...report.figures.worst_case import figure_named

    figure_named(figure)
    if figure != "packets" and plot is not None:
        check_picture(plot, network)


def check_seconds(time_limit: float | None) -> None:
    """Raises InputError for a ``--time-limit`` that is no time."""
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"--time-limit is {time_limit}; a positive number of seconds was expected")


def levels_given(
    levels: Sequence[str], lanes: Sequence[str], routings: Sequence[str], network: Network
) -> dict[int, ServiceLevels]:
    """Service levels by the number of the routing in ``routings`` (texts as the user typed them).

    Each of ``levels`` and ``lanes`` is ``ROUTING=FILE``, or ``FILE`` where there is one routing; what the dump of the
    network brings with it counts for its own routing ("" is that, too) where no file is given.  Raises InputError for
    a file about none of them, two about one, lanes without levels, and as ``read_service_levels`` does.
    """
    from ...routing.infiniband.service_levels import read_service_levels

    files = _by_routing(levels, "--service-levels", routings)
    tables = _by_routing(lanes, "--sl2vl", routings)
    own = network.own_levels
    for k, text in enumerate(routings):
        if own is not None and k not in files and text in ("", network.own_routing):
            files[k] = own[0]
            if own[1] is not None:
                tables.setdefault(k, own[1])
    for k in tables:
        if k not in files:
            raise InputError(
                f"--sl2vl is given for {routings[k]} without --service-levels; tables from levels to lanes need the "
                f"levels (saquery -p)"
            )
    return {k: read_service_levels(file, network, lanes=tables.get(k)) for k, file in files.items()}


def _by_routing(given: Sequence[str], option: str, routings: Sequence[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for text in given:
        named = [k for k, routing in enumerate(routings) if text.startswith(f"{routing}=")]
        if not named and len(routings) > 1:
            example = f"{option} {routings[0]}={text.rpartition('=')[2]}"
            raise InputError(f"{option} {text} is about none of the routings; {example} was expected, for example")
        k = max(named, key=lambda x: len(routings[x]), default=0)
        if k in found:
            raise InputError(f"{option} is given twice for {routings[k]}; once was expected")
        found[k] = text[len(routings[k]) + 1 :] if named else text
    return found


def read_rates(path: str, size: int) -> tuple[list[Fraction], list[Fraction]]:
    """(ingress, egress) of ``size`` terminals, as ``formats.demands.pairs_and_rates`` reads them."""
    from ...formats.demands.pairs_and_rates import read_rates as read

    return read(path, size)
