"""Exact, certified guarantees for routing in interconnection networks.

    >>> from routeproof import ROMM, torus, worst_case
    >>> worst_case(ROMM().on(torus(9, 9))).throughput
    Fraction(5, 32)

Each name is imported from its home when it is first used, so that importing this package costs nothing; what type
checkers read, ``__init__.pyi``, is made from the same list (``docs/generate/stub.py``).
``network``, ``named_routing``, ``traffic``, ``wiring`` and ``splitter`` take the texts of the command.
"""

from __future__ import annotations

from .core.rooms_above import ROOMS_ABOVE

__version__ = "0.2.0"

ROOMS_ABOVE["demand set"] = ("routeproof.formats.demands",)  # sets that read files, beside the readers
ROOMS_ABOVE["routing"] = ("routeproof.optimum.restricted",)  # 2turn and 2turna are solved for when they are asked for


_NAMES = {
    "api.result": "DrawnResult Result",
    "api.results": "AdaptiveResult AverageCaseResult CheckResult CompareResult DeadlockResult DesignResult "
    "ExpansionResult FailuresResult HashingResult SearchResult SimulationResult SplitResult TradeoffResult "
    "WorstCaseResult",
    "api.study": "Study study",
    "api.texts": "named_routing network read_destination_graph splitter traffic wiring write_destination_graph",
    "core.claim": "Claim Evidence Grade Interval",
    "core.cube.conditions": "judge_conditions",
    "core.cube.destination_graph": "Cube DestinationGraph",
    "core.errors": "InputError RouteproofError RouteproofWarning VerificationError",
    "core.faults": "Faults",
    "core.multistage.wiring": "Splitter Wiring",
    "core.network": "Network",
    "core.paths": "Paths",
    "core.traffic": "Permutation Traffic",
    "engine": "Engine Work generator_for seed_of",
    "formats.documents.wiring": "read_wiring write_wiring",
    "formats.format": "File Format read_network write_network",
    "formats.graphs.networkx_graph": "from_networkx to_networkx",
    "questions.given_demands": "Demands demands",
    "report.drawing.plot": "draw_network",
    "report.figures.style": "DARK LIGHT",
    "routing.base.entry": "RoutingEntry",
    "routing.base.mixture": "Mixture",
    "routing.base.routing": "Routing",
    "routing.base.worst_hash": "WorstHash",
    "routing.classes.symmetric": "InvariantRouting",
    "routing.fabrics.service_levels": "ServiceLevels",
    "routing.files.sst": "from_sst to_sst",
    "routing.function.incremental": "Channel Incremental Sampled",
    "routing.graph.dragonfly": "DragonflyMinimal DragonflyValiant",
    "routing.graph.minimal": "Minimal",
    "routing.graph.mod_k": "ModK",
    "routing.graph.per_hop": "MinimalPerHop",
    "routing.graph.rail_local": "RailLocal",
    "routing.graph.shortest_paths": "FirstPath KShortestPaths RandomPath ShortestTrees",
    "routing.graph.up_down": "UpDown",
    "routing.graph.valiant": "AnyGraphValiant",
    "routing.graph.wcmp": "WCMP",
    "routing.grid.destination_graph": "DestinationGraphRouting",
    "routing.grid.dor": "DOR O1TURN",
    "routing.grid.ival": "IVAL",
    "routing.grid.rlb": "RLB WRD",
    "routing.grid.turns": "Turns U2TURN",
    "routing.grid.two_turns": "W2TURN",
    "routing.grid.valiant": "ROMM Valiant",
    "routing.tables.next_hop": "NextHop",
    "routing.tables.path_tables": "TableRouting",
    "searching.catalogue": "catalogue composed lemma_4 two_at_a_time",
    "studies.result": "Row",
    "topologies.datacenter.dragonfly": "cray_dragonfly dragonfly dragonfly_plus",
    "topologies.datacenter.expanders": "jellyfish xpander",
    "topologies.datacenter.fat_clique": "dring fat_clique",
    "topologies.datacenter.fat_tree": "fat_tree k_ary_tree xgft",
    "topologies.datacenter.gpu_boxes": "a100 dgx1 dgx2 h100 mi250 ndv2 ndv4 ndv5",
    "topologies.datacenter.oversubscribed": "leaf_spine three_tier_clos",
    "topologies.datacenter.projective": "mlfm orthogonal_fat_tree polarfly polarstar",
    "topologies.datacenter.rails": "rail_optimized",
    "topologies.datacenter.server_centric": "bcube dcell",
    "topologies.datacenter.slim_fly": "slim_fly",
    "topologies.datacenter.spectral_fly": "spectralfly",
    "topologies.family": "Family",
    "topologies.grid.lattice": "bluegene_q complete flattened_butterfly hypercube hyperx mesh ring tofu torus "
    "twisted_torus",
    "topologies.multistage.banyan": "benes butterfly dilated_butterfly gabber_galil_network hardened multi_benes "
    "multibutterfly",
    "topologies.multistage.clos": "cantor clos",
    "topologies.multistage.network": "network_of_wiring",
    "topologies.multistage.splitters": "gabber_galil ramanujan random_splitter",
    "topologies.random.kautz": "kautz petersen",
    "topologies.random.random_regular": "random_regular",
}
"""Every public name, by the module that it comes from; besides, the functions that questions declare."""
_HOMES = {name: f".{home}" for home, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    import importlib

    if name == "__all__":
        return sorted([*_HOMES, *_functions(), "__version__"])
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    elif name.startswith("_") or name not in _functions():
        raise AttributeError(f"module 'routeproof' has no attribute '{name}'")
    else:
        value = importlib.import_module(".api.functions", __name__).FUNCTIONS[name]
    globals()[name] = value
    return value


def _functions() -> list[str]:
    from .questions.question import verbs

    return list(dict.fromkeys(x.function for x in verbs() if x.function))


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_functions()})
