"""What a command was given, and the objects that its texts name."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError, warn

if TYPE_CHECKING:
    from ..core.network import Network
    from ..core.traffic import Traffic
    from ..demand_sets.demand_set import DemandSet
    from ..routing.base.routing import Routing
    from ..routing.fabrics.service_levels import ServiceLevels
    from ..routing.path_sets.path_set import PathSet


@dataclass(frozen=True)
class Given:
    """The values of options, by name.  What a user's function prints goes to standard error: standard output is for
    results."""

    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    @cached_property
    def network(self) -> Network:
        """That of the argument TOPOLOGY."""
        from ..formats.resolve import resolve_network

        try:
            return resolve_network(self["topology"])
        except InputError:
            check_not_a_routing(self["topology"])
            raise

    @cached_property
    def demands(self) -> DemandSet | None:
        """The demands that are in all of the sets of ``--demands``; None where there are none."""
        from ..formats.demands.spec import demands_from_spec

        return demands_from_spec(self["demands"], self.network) if self["demands"] else None

    def traffic(self, text: str) -> Traffic:
        """A pattern or a file, between the terminals of the network."""
        from ..formats.resolve import resolve_traffic

        return resolve_traffic(text, self.network)

    def traffics(self, texts: Sequence[str] | None) -> list[Traffic]:
        return [self.traffic(text) for text in texts or ()]

    def routing(self, text: str | None) -> Routing:
        """The routing that ``text`` names, or the network's own."""
        from ..routing.named.spec import routing_from_spec

        with redirect_stdout(sys.stderr):
            return routing_from_spec(self.own_routing if text is None else text, self.network)

    def paths(self, text: str | None) -> PathSet | None:
        """The set of paths that ``text`` names; None for all."""
        from ..routing.named.spec import paths_given

        with redirect_stdout(sys.stderr):
            return paths_given(text, self.network)

    @property
    def own_routing(self) -> str:
        """The routing that the network's dump brings with it; raises InputError where there is none."""
        network, after = self.network, "routings" in self.values
        if network.own_routing is None and network.missing_routing:
            how = "some after the network" if after else "a routing, such as --routing ecmp"
            raise InputError(f"no routing is given: {network.missing_routing}, or name {how}")
        if network.own_routing is None and not after and _is_routing_too(self["topology"], network):
            text = self["topology"]
            raise InputError(f"no routing is given: {text} names one, too; add --routing {text}, or another routing")
        if network.own_routing is None:
            first, *others = ("dor", "valiant", "romm") if network.grid is not None else ("ecmp", "valiant")
            if after:
                text = str(self["topology"])
                example = f"routeproof compare {text if len(text) <= _SHORT else 'NETWORK'} {first} {' '.join(others)}"
                raise InputError(f"no routing is given: name some after the network, such as: {example}")
            raise InputError(
                f"no routing is given: add --routing {first} ({' or '.join(others)}, another name of docs/routings.md, "
                f"a file, or module:function)"
            )
        return network.own_routing

    def usual_routings(self, *, opensm: bool | None = None) -> tuple[list[str], list[Routing]]:
        """What the network does today, if its dump says that, and what it could run: texts, routings.

        ``opensm``: the engines of OpenSM, too; None: where they are installed, fit the network, and it is small enough.
        Of a fabric, those that it cannot have are left out, with a line that says why.
        """
        from ..routing.named.offered import engines, engines_left_out, offered

        network = self.network
        texts: list[str] = []
        found: list[Routing] = []
        if network.own_routing is not None:
            texts, found = [self.own_routing], [self.routing(None)]
        made = list(offered(network))
        fabric = bool(network.usual_routings)
        if opensm is None:
            left_out = engines_left_out(network)
            opensm = not network.hashes_flows and not left_out
            if left_out and fabric and not network.hashes_flows:
                warn(left_out)
        if opensm:
            made += engines(network)
        for text, one in made:
            if not isinstance(one, str):
                texts.append(text)
                found.append(one)
            elif fabric:
                warn(one)
        if not found:
            raise InputError(f"no routing by name fits {network.name}; name some after the network, or give files")
        return texts, found

    def sampled_routing(self, samples: int | None, seed: int | None) -> Routing:
        """The routing of ``--routing``; ``samples``: of a routing function, how many packets of a pair are drawn."""
        from ..formats.python_functions import is_function_name
        from ..routing.named.names import ROUTINGS

        text = self.own_routing if self["routing"] is None else self["routing"]
        if samples is not None:
            if not is_function_name(text.partition(",")[0]) or text.partition(":")[0] in ROUTINGS.own:
                raise InputError(
                    f"--samples and --until-width are for routing functions (module:function) and for --traffic-model; "
                    f"the loads of '{text[:60]}' are exact without them"
                )
            text = f"{text},samples={samples},seed={seed or 0}"
        elif seed is not None:
            raise InputError("--seed goes with --samples; without it nothing is random")
        return self.routing(text)

    def levels(self, levels: Sequence[str], lanes: Sequence[str], routings: Sequence[str]) -> dict[int, ServiceLevels]:
        """Service levels by the number of the routing in ``routings`` (texts as the user typed them).

        Each of ``levels`` and ``lanes`` is ``ROUTING=FILE``, or ``FILE`` where there is one routing; what the dump of
        the network brings with it counts for its own routing ("" is that, too) where no file is given.  Raises
        InputError for a file about none of them, two about one, lanes without levels, and as ``read_service_levels``.
        """
        from ..routing.fabrics.service_levels import read_service_levels

        network = self.network
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
                    f"--sl2vl is given for {routings[k]} without --service-levels; tables from levels to lanes need "
                    f"the levels (saquery -p)"
                )
        return {k: read_service_levels(file, network, lanes=tables.get(k)) for k, file in files.items()}


_SHORT = 60  # characters of a topology that an example repeats


def _is_routing_too(topology: object, network: Network) -> bool:
    """Does the file of the network say how packets go, as a configuration of BookSim or a file of SST does?"""
    from ..routing.files.table import is_file, routing_from_file

    with warnings.catch_warnings(), suppress(InputError):
        warnings.simplefilter("ignore")
        return is_file(str(topology)) and routing_from_file(str(topology), network) is not None
    return False


def check_not_a_routing(topology: str) -> None:
    """Raise InputError for a text that is given as a network, and names a routing."""
    from ..routing.named.names import ROUTINGS

    name = topology.partition(":")[0].strip()
    if name in ROUTINGS.own:
        raise InputError(f"'{name}' is a routing; a network was expected first, such as torus:9x9")


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
