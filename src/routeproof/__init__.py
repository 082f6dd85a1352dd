"""Exact, certified guarantees for routing in interconnection networks.

    >>> from routeproof import ROMM, torus, worst_case
    >>> worst_case(ROMM().on(torus(9, 9))).throughput
    Fraction(5, 32)

Every name below comes from its own room when it is first used, so that importing this package costs nothing.
``network``, ``named_routing`` and ``traffic`` take the texts that the command line takes.
"""

from __future__ import annotations

__version__ = "0.2.0"

TYPE_CHECKING = False  # typing itself takes 10 ms, in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from .api.compare import CompareResult as CompareResult
    from .api.compare import compare as compare
    from .api.deadlock import DeadlockResult as DeadlockResult
    from .api.deadlock import deadlock as deadlock
    from .api.failures import FailuresResult as FailuresResult
    from .api.failures import failures as failures
    from .api.result import Result as Result
    from .api.verify import verify as verify
    from .api.worst_case import WorstCaseResult as WorstCaseResult
    from .api.worst_case import worst_case as worst_case
    from .core.claim import Claim as Claim
    from .core.claim import Evidence as Evidence
    from .core.claim import Grade as Grade
    from .core.claim import Interval as Interval
    from .core.errors import InputError as InputError
    from .core.errors import RouteproofError as RouteproofError
    from .core.errors import VerificationError as VerificationError
    from .core.faults import Faults as Faults
    from .core.network import Network as Network
    from .core.paths import Paths as Paths
    from .core.permutation import Permutation as Permutation
    from .core.traffic import Traffic as Traffic
    from .formats import RouteproofWarning as RouteproofWarning
    from .formats.files import read_network as read_network
    from .formats.files import write_network as write_network
    from .formats.graphs.networkx_graph import from_networkx as from_networkx
    from .formats.graphs.networkx_graph import to_networkx as to_networkx
    from .formats.resolve import resolve_network as network
    from .formats.resolve import resolve_traffic as traffic
    from .routing.base.mixture import Mixture as Mixture
    from .routing.base.routing import Routing as Routing
    from .routing.function.incremental import Channel as Channel
    from .routing.function.incremental import Incremental as Incremental
    from .routing.function.sampled import Sampled as Sampled
    from .routing.graph.minimal import Minimal as Minimal
    from .routing.grid.dor import DOR as DOR
    from .routing.grid.ival import IVAL as IVAL
    from .routing.grid.o1turn import O1TURN as O1TURN
    from .routing.grid.rlb import RLB as RLB
    from .routing.grid.romm import ROMM as ROMM
    from .routing.grid.turns import Turns as Turns
    from .routing.grid.valiant import Valiant as Valiant
    from .routing.named.spec import routing_from_spec as named_routing
    from .routing.tables.next_hop import NextHop as NextHop
    from .routing.tables.path_table import TableRouting as TableRouting
    from .topologies.grid.complete import complete as complete
    from .topologies.grid.hypercube import hypercube as hypercube
    from .topologies.grid.hyperx import hyperx as hyperx
    from .topologies.grid.mesh import mesh as mesh
    from .topologies.grid.torus import ring as ring
    from .topologies.grid.torus import torus as torus
    from .topologies.random.kautz import kautz as kautz
    from .topologies.random.petersen import petersen as petersen
    from .topologies.random.random_regular import random_regular as random_regular

# name -> (module, name there)
_HOME = {
    "verify": ("api.verify", "verify"),
    "worst_case": ("api.worst_case", "worst_case"),
    "WorstCaseResult": ("api.worst_case", "WorstCaseResult"),
    "compare": ("api.compare", "compare"),
    "CompareResult": ("api.compare", "CompareResult"),
    "deadlock": ("api.deadlock", "deadlock"),
    "DeadlockResult": ("api.deadlock", "DeadlockResult"),
    "failures": ("api.failures", "failures"),
    "FailuresResult": ("api.failures", "FailuresResult"),
    "Result": ("api.result", "Result"),
    "Channel": ("routing.function.incremental", "Channel"),
    "Claim": ("core.claim", "Claim"),
    "complete": ("topologies.grid.complete", "complete"),
    "DOR": ("routing.grid.dor", "DOR"),
    "Evidence": ("core.claim", "Evidence"),
    "Faults": ("core.faults", "Faults"),
    "from_networkx": ("formats.graphs.networkx_graph", "from_networkx"),
    "Grade": ("core.claim", "Grade"),
    "hypercube": ("topologies.grid.hypercube", "hypercube"),
    "hyperx": ("topologies.grid.hyperx", "hyperx"),
    "Incremental": ("routing.function.incremental", "Incremental"),
    "InputError": ("core.errors", "InputError"),
    "Interval": ("core.claim", "Interval"),
    "IVAL": ("routing.grid.ival", "IVAL"),
    "kautz": ("topologies.random.kautz", "kautz"),
    "mesh": ("topologies.grid.mesh", "mesh"),
    "Minimal": ("routing.graph.minimal", "Minimal"),
    "Mixture": ("routing.base.mixture", "Mixture"),
    "named_routing": ("routing.named.spec", "routing_from_spec"),
    "Network": ("core.network", "Network"),
    "network": ("formats.resolve", "resolve_network"),
    "NextHop": ("routing.tables.next_hop", "NextHop"),
    "O1TURN": ("routing.grid.o1turn", "O1TURN"),
    "Paths": ("core.paths", "Paths"),
    "Permutation": ("core.permutation", "Permutation"),
    "petersen": ("topologies.random.petersen", "petersen"),
    "random_regular": ("topologies.random.random_regular", "random_regular"),
    "read_network": ("formats.files", "read_network"),
    "ring": ("topologies.grid.torus", "ring"),
    "RLB": ("routing.grid.rlb", "RLB"),
    "ROMM": ("routing.grid.romm", "ROMM"),
    "RouteproofError": ("core.errors", "RouteproofError"),
    "RouteproofWarning": ("formats", "RouteproofWarning"),
    "Routing": ("routing.base.routing", "Routing"),
    "Sampled": ("routing.function.sampled", "Sampled"),
    "TableRouting": ("routing.tables.path_table", "TableRouting"),
    "to_networkx": ("formats.graphs.networkx_graph", "to_networkx"),
    "torus": ("topologies.grid.torus", "torus"),
    "Traffic": ("core.traffic", "Traffic"),
    "traffic": ("formats.resolve", "resolve_traffic"),
    "Turns": ("routing.grid.turns", "Turns"),
    "Valiant": ("routing.grid.valiant", "Valiant"),
    "VerificationError": ("core.errors", "VerificationError"),
    "write_network": ("formats.files", "write_network"),
}

__all__ = [
    "DOR",
    "IVAL",
    "O1TURN",
    "RLB",
    "ROMM",
    "Channel",
    "Claim",
    "CompareResult",
    "DeadlockResult",
    "Evidence",
    "FailuresResult",
    "Faults",
    "Grade",
    "Incremental",
    "InputError",
    "Interval",
    "Minimal",
    "Mixture",
    "Network",
    "NextHop",
    "Paths",
    "Permutation",
    "Result",
    "RouteproofError",
    "RouteproofWarning",
    "Routing",
    "Sampled",
    "TableRouting",
    "Traffic",
    "Turns",
    "Valiant",
    "VerificationError",
    "WorstCaseResult",
    "__version__",
    "compare",
    "complete",
    "deadlock",
    "failures",
    "from_networkx",
    "hypercube",
    "hyperx",
    "kautz",
    "mesh",
    "named_routing",
    "network",
    "petersen",
    "random_regular",
    "read_network",
    "ring",
    "to_networkx",
    "torus",
    "traffic",
    "verify",
    "worst_case",
    "write_network",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'routeproof' has no attribute '{name}'")
    import importlib

    module, original = _HOME[name]
    value = getattr(importlib.import_module(f".{module}", __name__), original)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
