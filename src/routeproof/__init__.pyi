"""Every public name and its home, for type checkers: made by docs/generate/stub.py."""

from .api.functions import function_of as _function_of
from .api.result import DrawnResult as DrawnResult
from .api.result import Result as Result
from .api.results import AdaptiveResult as AdaptiveResult
from .api.results import AverageCaseResult as AverageCaseResult
from .api.results import CheckResult as CheckResult
from .api.results import CompareResult as CompareResult
from .api.results import DeadlockResult as DeadlockResult
from .api.results import DesignResult as DesignResult
from .api.results import ExpansionResult as ExpansionResult
from .api.results import FailuresResult as FailuresResult
from .api.results import HashingResult as HashingResult
from .api.results import SearchResult as SearchResult
from .api.results import SimulationResult as SimulationResult
from .api.results import SplitResult as SplitResult
from .api.results import TradeoffResult as TradeoffResult
from .api.results import WorstCaseResult as WorstCaseResult
from .api.study import Study as Study
from .api.study import study as study
from .api.texts import named_routing as named_routing
from .api.texts import network as network
from .api.texts import read_destination_graph as read_destination_graph
from .api.texts import splitter as splitter
from .api.texts import traffic as traffic
from .api.texts import wiring as wiring
from .api.texts import write_destination_graph as write_destination_graph
from .core.claim import Claim as Claim
from .core.claim import Evidence as Evidence
from .core.claim import Grade as Grade
from .core.claim import Interval as Interval
from .core.cube.conditions import judge_conditions as judge_conditions
from .core.cube.destination_graph import Cube as Cube
from .core.cube.destination_graph import DestinationGraph as DestinationGraph
from .core.errors import InputError as InputError
from .core.errors import RouteproofError as RouteproofError
from .core.errors import RouteproofWarning as RouteproofWarning
from .core.errors import VerificationError as VerificationError
from .core.faults import Faults as Faults
from .core.multistage.wiring import Splitter as Splitter
from .core.multistage.wiring import Wiring as Wiring
from .core.network import Network as Network
from .core.paths import Paths as Paths
from .core.traffic import Permutation as Permutation
from .core.traffic import Traffic as Traffic
from .engine import Engine as Engine
from .engine import Work as Work
from .engine import generator_for as generator_for
from .engine import seed_of as seed_of
from .formats.documents.wiring import read_wiring as read_wiring
from .formats.documents.wiring import write_wiring as write_wiring
from .formats.format import File as File
from .formats.format import Format as Format
from .formats.format import read_network as read_network
from .formats.format import write_network as write_network
from .formats.graphs.networkx_graph import from_networkx as from_networkx
from .formats.graphs.networkx_graph import to_networkx as to_networkx
from .questions.adaptive import Adaptive as _Adaptive
from .questions.check import Check as _Check
from .questions.collectives.best import Collective as _Collective
from .questions.collectives.jobs import CollectiveJobs as _CollectiveJobs
from .questions.collectives.phased import CollectiveTime as _CollectiveTime
from .questions.collectives.schedule import ScheduleQuestion as _ScheduleQuestion
from .questions.compare import Compare as _Compare
from .questions.deadlock import Deadlock as _Deadlock
from .questions.design.design import Design as _Design
from .questions.design.design import DesignAverageCase as _DesignAverageCase
from .questions.design.design import DesignCapacity as _DesignCapacity
from .questions.design.tables import DesignTables as _DesignTables
from .questions.expansion import Expansion as _Expansion
from .questions.fabrics.candidates import Candidates as _Candidates
from .questions.fabrics.diff import Diff as _Diff
from .questions.failures.every_failure import Failures as _Failures
from .questions.given_demands import Demands as Demands
from .questions.given_demands import demands as demands
from .questions.hashing import Hashing as _Hashing
from .questions.hashing import Split as _Split
from .questions.of_one_routing import AverageCase as _AverageCase
from .questions.of_one_routing import WorstCase as _WorstCase
from .questions.plan.plan import Plan as _Plan
from .questions.search import Search as _Search
from .questions.simulate.calls import Calls as _Calls
from .questions.simulate.cube import CubePackets as _CubePackets
from .questions.simulate.load import AdaptiveLoad as _AdaptiveLoad
from .questions.simulate.load import Load as _Load
from .questions.simulate.multistage import Circuits as _Circuits
from .questions.simulate.multistage import Packets as _Packets
from .questions.simulate.multistage import SwitchFaults as _SwitchFaults
from .questions.tradeoff import AverageTradeoff as _AverageTradeoff
from .questions.tradeoff import Tradeoff as _Tradeoff
from .questions.verify import Verify as _Verify
from .report.drawing.plot import draw_network as draw_network
from .report.figures.style import DARK as DARK
from .report.figures.style import LIGHT as LIGHT
from .routing.base.entry import RoutingEntry as RoutingEntry
from .routing.base.mixture import Mixture as Mixture
from .routing.base.routing import Routing as Routing
from .routing.base.worst_hash import WorstHash as WorstHash
from .routing.classes.symmetric import InvariantRouting as InvariantRouting
from .routing.fabrics.service_levels import ServiceLevels as ServiceLevels
from .routing.files.sst import from_sst as from_sst
from .routing.files.sst import to_sst as to_sst
from .routing.function.incremental import Channel as Channel
from .routing.function.incremental import Incremental as Incremental
from .routing.function.incremental import Sampled as Sampled
from .routing.graph.dragonfly import DragonflyMinimal as DragonflyMinimal
from .routing.graph.dragonfly import DragonflyValiant as DragonflyValiant
from .routing.graph.minimal import Minimal as Minimal
from .routing.graph.mod_k import ModK as ModK
from .routing.graph.per_hop import MinimalPerHop as MinimalPerHop
from .routing.graph.rail_local import RailLocal as RailLocal
from .routing.graph.shortest_paths import FirstPath as FirstPath
from .routing.graph.shortest_paths import KShortestPaths as KShortestPaths
from .routing.graph.shortest_paths import RandomPath as RandomPath
from .routing.graph.shortest_paths import ShortestTrees as ShortestTrees
from .routing.graph.up_down import UpDown as UpDown
from .routing.graph.valiant import AnyGraphValiant as AnyGraphValiant
from .routing.graph.wcmp import WCMP as WCMP
from .routing.grid.destination_graph import DestinationGraphRouting as DestinationGraphRouting
from .routing.grid.dor import DOR as DOR
from .routing.grid.dor import O1TURN as O1TURN
from .routing.grid.ival import IVAL as IVAL
from .routing.grid.rlb import RLB as RLB
from .routing.grid.rlb import WRD as WRD
from .routing.grid.turns import U2TURN as U2TURN
from .routing.grid.turns import Turns as Turns
from .routing.grid.two_turns import W2TURN as W2TURN
from .routing.grid.valiant import ROMM as ROMM
from .routing.grid.valiant import Valiant as Valiant
from .routing.tables.next_hop import NextHop as NextHop
from .routing.tables.path_tables import TableRouting as TableRouting
from .searching.catalogue import catalogue as catalogue
from .searching.catalogue import composed as composed
from .searching.catalogue import lemma_4 as lemma_4
from .searching.catalogue import two_at_a_time as two_at_a_time
from .studies.result import Row as Row
from .topologies.datacenter.dragonfly import cray_dragonfly as cray_dragonfly
from .topologies.datacenter.dragonfly import dragonfly as dragonfly
from .topologies.datacenter.dragonfly import dragonfly_plus as dragonfly_plus
from .topologies.datacenter.expanders import jellyfish as jellyfish
from .topologies.datacenter.expanders import xpander as xpander
from .topologies.datacenter.fat_clique import dring as dring
from .topologies.datacenter.fat_clique import fat_clique as fat_clique
from .topologies.datacenter.fat_tree import fat_tree as fat_tree
from .topologies.datacenter.fat_tree import k_ary_tree as k_ary_tree
from .topologies.datacenter.fat_tree import xgft as xgft
from .topologies.datacenter.gpu_boxes import a100 as a100
from .topologies.datacenter.gpu_boxes import dgx1 as dgx1
from .topologies.datacenter.gpu_boxes import dgx2 as dgx2
from .topologies.datacenter.gpu_boxes import h100 as h100
from .topologies.datacenter.gpu_boxes import mi250 as mi250
from .topologies.datacenter.gpu_boxes import ndv2 as ndv2
from .topologies.datacenter.gpu_boxes import ndv4 as ndv4
from .topologies.datacenter.gpu_boxes import ndv5 as ndv5
from .topologies.datacenter.oversubscribed import leaf_spine as leaf_spine
from .topologies.datacenter.oversubscribed import three_tier_clos as three_tier_clos
from .topologies.datacenter.projective import mlfm as mlfm
from .topologies.datacenter.projective import orthogonal_fat_tree as orthogonal_fat_tree
from .topologies.datacenter.projective import polarfly as polarfly
from .topologies.datacenter.projective import polarstar as polarstar
from .topologies.datacenter.rails import rail_optimized as rail_optimized
from .topologies.datacenter.server_centric import bcube as bcube
from .topologies.datacenter.server_centric import dcell as dcell
from .topologies.datacenter.slim_fly import slim_fly as slim_fly
from .topologies.datacenter.spectral_fly import spectralfly as spectralfly
from .topologies.family import Family as Family
from .topologies.grid.lattice import bluegene_q as bluegene_q
from .topologies.grid.lattice import complete as complete
from .topologies.grid.lattice import flattened_butterfly as flattened_butterfly
from .topologies.grid.lattice import hypercube as hypercube
from .topologies.grid.lattice import hyperx as hyperx
from .topologies.grid.lattice import mesh as mesh
from .topologies.grid.lattice import ring as ring
from .topologies.grid.lattice import tofu as tofu
from .topologies.grid.lattice import torus as torus
from .topologies.grid.lattice import twisted_torus as twisted_torus
from .topologies.multistage.banyan import benes as benes
from .topologies.multistage.banyan import butterfly as butterfly
from .topologies.multistage.banyan import dilated_butterfly as dilated_butterfly
from .topologies.multistage.banyan import gabber_galil_network as gabber_galil_network
from .topologies.multistage.banyan import hardened as hardened
from .topologies.multistage.banyan import multi_benes as multi_benes
from .topologies.multistage.banyan import multibutterfly as multibutterfly
from .topologies.multistage.clos import cantor as cantor
from .topologies.multistage.clos import clos as clos
from .topologies.multistage.network import network_of_wiring as network_of_wiring
from .topologies.multistage.splitters import gabber_galil as gabber_galil
from .topologies.multistage.splitters import ramanujan as ramanujan
from .topologies.multistage.splitters import random_splitter as random_splitter
from .topologies.random.kautz import kautz as kautz
from .topologies.random.kautz import petersen as petersen
from .topologies.random.random_regular import random_regular as random_regular

adaptive = _function_of(_Adaptive, AdaptiveResult)
average_case = _function_of(_AverageCase, AverageCaseResult)
average_tradeoff = _function_of(_AverageTradeoff, TradeoffResult)
candidates = _function_of(_Candidates, Result)
check = _function_of(_Check, CheckResult)
collective = _function_of(_Collective, Result)
collective_jobs = _function_of(_CollectiveJobs, Result)
collective_time = _function_of(_CollectiveTime, Result)
compare = _function_of(_Compare, CompareResult)
deadlock = _function_of(_Deadlock, DeadlockResult)
design = _function_of(_Design, DesignResult)
design_average_case = _function_of(_DesignAverageCase, DesignResult)
design_capacity = _function_of(_DesignCapacity, DesignResult)
design_tables = _function_of(_DesignTables, DesignResult)
diff = _function_of(_Diff, Result)
expansion = _function_of(_Expansion, ExpansionResult)
failures = _function_of(_Failures, FailuresResult)
hashing = _function_of(_Hashing, HashingResult)
plan = _function_of(_Plan, Result)
schedule = _function_of(_ScheduleQuestion, Result)
search = _function_of(_Search, SearchResult)
simulate_adaptive_load = _function_of(_AdaptiveLoad, SimulationResult)
simulate_calls = _function_of(_Calls, SimulationResult)
simulate_circuits = _function_of(_Circuits, SimulationResult)
simulate_cube = _function_of(_CubePackets, SimulationResult)
simulate_faults = _function_of(_SwitchFaults, SimulationResult)
simulate_load = _function_of(_Load, SimulationResult)
simulate_packets = _function_of(_Packets, SimulationResult)
split = _function_of(_Split, SplitResult)
tradeoff = _function_of(_Tradeoff, TradeoffResult)
verify = _function_of(_Verify, list[Claim])
worst_case = _function_of(_WorstCase, WorstCaseResult)

__version__: str
__all__: list[str]
