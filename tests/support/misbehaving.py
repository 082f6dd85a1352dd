"""Modules of other people that misbehave: by name, what they do where routeproof calls them."""

DEEDS = {
    "error": "raise ZeroDivisionError('no\\nway')",
    "exits in silence": "raise SystemExit(0)",
    "exits with a text": "import sys; sys.exit('text')",
    "exits with 0": "import sys; sys.exit(0)",
    "like an interrupt": "raise type('Mine', (KeyboardInterrupt,), {})('x')",
    "base exception": "raise type('Odd', (BaseException,), {})('y')",
    "generator's end": "raise GeneratorExit",
    "stop": "raise StopIteration('z')",
    "memory": "raise MemoryError",
    "verification": "from routeproof.core.errors import VerificationError; raise VerificationError('not true')",
    "broken words": "raise type('Sour', (Exception,), {'__str__': lambda self: 1 // 0})()",
    "exits in words": "raise type('Sour', (Exception,), {'__str__': lambda self: exit(0)})()",
    "two lines": "from routeproof.core.errors import InputError; raise InputError('one\\ntwo')",
    "no words": "from routeproof.core.errors import InputError; raise InputError()",
    "os error": "open('/nowhere/at/all')",
    "deep": "f = lambda: f(); f()",
    "nothing": "return None",
    "number": "return 3",
    "late": "return (x for x in [1 // 0])",
    "pipe": "raise BrokenPipeError(32, 'pipe')",
}

MODULE = """
from routeproof.topologies.family import Family
from routeproof.routing.base.entry import RoutingEntry
from routeproof.formats.format import Format

def deed(*arguments, **settings):
    {deed}

def network(*_):
    from routeproof import Network
    return Network.of("n", 3, [(0, 1), (1, 2), (2, 0)])

class Late(type(network())):
    @property
    def labels(self):
        {deed}
    @labels.setter
    def labels(self, value):
        pass

def late_network(*_):
    made = network()
    odd = object.__new__(Late)
    odd.__dict__.update({{k: x for k, x in made.__dict__.items() if k != "labels"}})
    return odd

FAMILY = Family("odd:3", "odd", deed)
LATE = Family("late:3", "late", late_network)
READ = Format("read", "odd files", (".odd",), read=deed)
SNIFF = Format("sniff", "odd files", (".odd",), sniff=deed, read=network)
JUDGE = Format("judge", "odd files", (".odd",), read=network, judge=deed)
DOCUMENT = Format("document", "odd files", (".odd",), document=deed)
WRITE = Format("write", "odd files", (".odd",), write=deed)
BUILD = RoutingEntry(name="odd-build", help="odd", build=deed, options={{"a": "b"}})

def _made(what):
    def build(network, options):
        from routeproof.routing.named.spec import routing_from_spec
        made = routing_from_spec("minimal:choice=per-path", network)
        kind = type("Odd", (type(made),), {{what: property(deed) if what in PROPERTIES else deed}})
        made.__class__ = kind
        return made
    return build

PROPERTIES = ("is_sampled", "parts", "row_of", "has_explicit_paths")
PAIRS = RoutingEntry(name="odd-pairs", help="odd", build=_made("pair_loads"))
WRITTEN = RoutingEntry(name="odd-written", help="odd", build=_made("written_in_full"))
SAMPLED = RoutingEntry(name="odd-sampled", help="odd", build=_made("is_sampled"))
ROWS = RoutingEntry(name="odd-rows", help="odd", build=_made("row_of"))

def topology():
    {deed}

def late_topology():
    return late_network()

class Graph:
    def is_multigraph(self):
        {deed}

def graph():
    return Graph()

def route(state, node, destination):
    {deed}

class State:
    def __hash__(self):
        {deed}

def stateful(state, node, destination):
    return [] if node == destination else [(1, State(), (node + 1) % 3)]

class Choice:
    def __iter__(self):
        {deed}

def choosing(state, node, destination):
    return [] if node == destination else [Choice()]

class Probability:
    def __str__(self):
        {deed}
    __float__ = __index__ = as_integer_ratio = __str__

def chance(state, node, destination):
    return [] if node == destination else [(Probability(), None, (node + 1) % 3)]
"""
POINTS = {
    "routeproof.topologies": {"odd": "odd_module:FAMILY", "late": "odd_module:LATE"},
    "routeproof.formats": {x: f"odd_module:{x.upper()}" for x in ("read", "sniff", "judge", "document", "write")},
    "routeproof.routings": {
        "odd-build": "odd_module:BUILD",
        "odd-pairs": "odd_module:PAIRS",
        "odd-written": "odd_module:WRITTEN",
        "odd-sampled": "odd_module:SAMPLED",
        "odd-rows": "odd_module:ROWS",
    },
}
COMMANDS = [
    "worst-case odd:3 -r minimal",
    "worst-case late:3 -r minimal",
    "worst-case ring:3 -r odd-build:a=1",
    "worst-case ring:3 -r odd-pairs",
    "worst-case ring:3 -r odd-written",
    "worst-case ring:3 -r odd-sampled",
    "worst-case ring:3 -r odd-rows",
    "worst-case odd.py:topology -r minimal",
    "worst-case odd.py:late_topology -r minimal",
    "worst-case odd.py:graph -r minimal",
    "worst-case ring:3 -r odd.py:route",
    "worst-case ring:3 -r odd.py:stateful",
    "worst-case ring:3 -r odd.py:choosing",
    "worst-case ring:3 -r odd.py:chance",
    "worst-case ring:3 -r odd.py:route,samples=6",
    "worst-case ring:3 -r odd.py:stateful,samples=6",
]
OF_FORMATS = {
    "read": ["worst-case net.odd -r minimal", "check net.odd"],
    "sniff": ["worst-case net.odd -r minimal", "check net.odd"],
    "judge": ["check net.odd"],
    "document": ["check net.odd"],
    "write": ["convert ring:3 new.odd"],
}
