#!/usr/bin/env python3
"""A checker of proofs (format routeproof/proof, versions 1 to 4), written from docs/proof-format.md alone.

    python check_proof.py PROOF.json [--about SUBJECT.json]

What was read is printed, then every claim in words, and whether it holds.  With --about the proof must be about just
the network, the routings and the demands of another file.  Exit status 0: all claims hold; 1: the first that does not;
2: the file cannot be read as a proof, or the checker was stopped.  Standard library, Python 3.9 or later; it shares no
code with routeproof.

Read it like a paper: how a file is read (1), what networks and routings (2), sets of demands (3) and distances (4)
are, then one function for each kind of claim (5 to 10).  Such a function reads its claim, yields what it says and
what was read, and goes on with the checks: the whole file is read before anything is checked.  Then which names are
true of what they name (11), what was read, in words (12), and subjects (13).  All numbers are exact.
"""

import itertools
import json
import os
import re
import sys
from array import array
from collections import Counter, defaultdict
from fractions import Fraction
from math import comb
from types import SimpleNamespace

MOST_BYTES = 1 << 30
LARGEST = (1 << 53) - 1
DIGITS = re.compile(r"-?[1-9][0-9]{0,3999}|0")


class Unreadable(Exception):
    """The file is not in the format."""


class DoesNotHold(Exception):
    """A check failed."""


def require(true, what):
    if not true:
        raise DoesNotHold(what)


# 1. Reading.  A reader takes a value of the JSON file and returns it, or raises Unreadable.


def readable(true, what):
    if not true:
        raise Unreadable(what)


def unique(pairs):
    readable(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)


def plain(digits):
    readable(len(digits) <= 17 and abs(int(digits)) <= LARGEST and digits != "-0", f"the number {digits[:20]}")
    return int(digits)


def refuse(what):
    raise Unreadable(f"{what[:20]} is no whole number")


def load_json(path):
    with open(path, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    readable(len(content) <= MOST_BYTES, f"more than {MOST_BYTES} bytes")
    hooks = {"object_pairs_hook": unique, "parse_int": plain, "parse_float": refuse, "parse_constant": refuse}
    return json.loads(content.decode("utf-8"), **hooks)


def raw(x):
    return x


def text(x):
    readable(type(x) is str, "a text was expected")
    return x


def integer(x, least=None):
    if type(x) is not int:
        readable(type(x) is str and DIGITS.fullmatch(x), f"a whole number was expected, not {str(x)[:30]!a}")
        x = int(x)
    readable(least is None or x >= least, f"a number is below {least}")
    return x


def nat(x):
    return integer(x, 0)


def pos(x):
    return integer(x, 1)


def below(size):
    def read(x):
        readable(type(x) is int and 0 <= x < size, f"an index below {size} was expected")
        return x

    return read


def optional(reader):
    return lambda x: None if x is None else reader(x)


def every(reader, length=None):
    def read(x):
        readable(type(x) is list and length in (None, len(x)), f"a list was expected, of length {length or 'any'}")
        return [reader(y) for y in x]

    return read


def listed(*readers):
    def read(x):
        readable(type(x) is list and len(x) == len(readers), f"a list of {len(readers)} was expected")
        return [reader(y) for reader, y in zip(readers, x)]

    return read


def fields(x, **readers):
    readable(type(x) is dict and set(x) == set(readers), f"an object with the keys {sorted(readers)} was expected")
    return SimpleNamespace(**{key: reader(x[key]) for key, reader in readers.items()})


def fraction(x):
    return Fraction(*listed(integer, pos)(x))


def shown(value):
    """The values of all claims are shown in full; only what they are compared with may be longer than the format's."""
    return str(value) if max(abs(value.numerator), value.denominator) < 10**4000 else "a long fraction"


def quoted(name):
    """In full, as JSON in printable ASCII: all other characters are escaped, so that no name can look like another."""
    return json.dumps(name)


def distinct(values, what):
    require(len(set(values)) == len(values), f"{what} comes twice")


# 2. Networks and routings.


class Network:
    def __init__(self, data):
        d = fields(data, name=text, nodes=pos, scale=pos, channels=raw, terminals=raw)
        self.nodes, self.node = d.nodes, below(d.nodes)
        self.channels = every(listed(self.node, self.node, pos))(d.channels)
        self.terminals = every(listed(self.node, self.node))(d.terminals)
        readable(self.terminals, "a network has at least one terminal")
        self.spectra = {}
        self.scale, self.bandwidth = d.scale, [Fraction(b, d.scale) for _, _, b in self.channels]
        self.channel, self.terminal = below(len(self.channels)), below(len(self.terminals))
        self.senders, self.receivers = defaultdict(list), defaultdict(list)  # by node: its terminals
        for t, (source, sink) in enumerate(self.terminals):
            self.senders[source].append(t)
            self.receivers[sink].append(t)
        self.distances = every(listed(self.node, every(integer, self.nodes)))  # [[s, [p, ...]], ...]
        self.amounts = every(listed(self.channel, pos))  # [[c, n], ...]
        self.entries = every(listed(self.terminal, self.terminal, pos))  # [[i, j, n], ...]
        grid = grid_called(d.name)
        self.grid = grid if is_defined_network(self, grid) else None
        self.marked, self.title = named(d.name, self.grid and d.name, grid)

    def ends(self, i, j):
        return self.terminals[i][0], self.terminals[j][1]

    def require_path(self, path, start, end):
        at = start
        for c in path:
            require(self.channels[c][0] == at, f"a path from node {start} has a gap before channel {c}")
            at = self.channels[c][1]
        require(path and at == end, f"a path from node {start} does not end at node {end}")

    def excess(self, flow):
        """What leaves each node less what enters it, where that is not 0."""
        found = Counter()
        for c, n in flow:
            found[self.channels[c][0]] += n
            found[self.channels[c][1]] -= n
        return {v: n for v, n in found.items() if n}

    def cost(self, length):
        return sum(x * b for x, b in zip(length, self.bandwidth) if x)


class Between:
    """The pairs of terminals, or of nodes, for which a routing has a flow each."""

    def __init__(self, network, word):
        readable(word in ("nodes", "terminals"), "between: nodes or terminals")
        self.network, self.word, self.of_nodes = network, word, word == "nodes"
        self.end = network.node if self.of_nodes else network.terminal
        sending, receiving = network.senders, network.receivers
        apart = len(sending) * len(receiving) - len(set(sending) & set(receiving))
        at_one = sum(len(x) * len(receiving[v]) for v, x in sending.items() if v in receiving)
        self.count = apart if self.of_nodes else len(network.terminals) ** 2 - at_one

    def nodes(self, pair):
        return pair if self.of_nodes else self.network.ends(*pair)

    def pair(self, i, j):
        """The pair as which terminals i and j are routed."""
        return self.network.ends(i, j) if self.of_nodes else (i, j)

    def members(self, pair):
        """The pairs of terminals that are routed as this pair."""
        senders, receivers = self.network.senders, self.network.receivers
        return [(i, j) for i in senders[pair[0]] for j in receivers[pair[1]]] if self.of_nodes else [pair]

    def require_pairs(self, pairs):
        distinct(pairs, "a pair")
        for pair in pairs:
            a, b = self.nodes(pair)
            apart = a != b and a in self.network.senders and b in self.network.receivers
            require(apart, f"{pair} is no pair of {self.word} between which packets are sent")


def orbits(size, moves):
    """Of each of 0 to size - 1 the least to which permutations lead from it."""
    least = [None] * size
    for x in range(size):
        found = [x] if least[x] is None else []
        for y in found:
            least[y] = x
            for move in moves:
                if least[move[y]] is None:
                    least[move[y]] = x
                    found.append(move[y])
    return least


def maps_on(network):
    sizes = network.nodes, len(network.channels), len(network.terminals)
    return every(listed(*[every(below(n), n) for n in sizes]))


def require_automorphisms(network, maps):
    for k, (nodes, channels, terminals) in enumerate(maps):
        for move, what in ((nodes, "nodes"), (channels, "channels"), (terminals, "terminals")):
            require(len(set(move)) == len(move), f"map {k + 1} of a symmetry is no permutation of {what}")
        for c, (tail, head, b) in enumerate(network.channels):
            alike = network.channels[channels[c]] == [nodes[tail], nodes[head], b]
            require(alike, f"map {k + 1} of a symmetry takes channel {c} to one with other ends or bandwidth")
        for t, (source, sink) in enumerate(network.terminals):
            alike = network.terminals[terminals[t]] == [nodes[source], nodes[sink]]
            require(alike, f"map {k + 1} of a symmetry takes terminal {t} to one at other nodes")


class Symmetry:
    """Automorphisms of the network, which take what a routing does to what it does elsewhere.

    After ``find_images``: the sender s is the image of ``base[s]``, the least one of its orbit, by the maps of ends
    (nodes, or terminals) and channels ``images[s]``; ``back[s]`` are the inverse ones.  ``orbit``: by channel.
    """

    def __init__(self, between, data):
        self.between, self.network = between, between.network
        self.maps, self.base = maps_on(self.network)(data), {}
        readable(self.maps, "a symmetry has at least one map")

    def find_images(self):
        if self.base:
            return
        network = self.network
        require_automorphisms(network, self.maps)
        self.orbit = orbits(len(network.channels), [channels for _, channels, _ in self.maps])
        of_nodes = self.between.of_nodes
        self.moves = [(x[0] if of_nodes else x[2], x[1]) for x in self.maps]
        self.images = {}
        for s in sorted(network.senders) if of_nodes else range(len(network.terminals)):
            found = [] if s in self.base else [s]
            if found:
                self.base[s], self.images[s] = s, tuple(array("q", range(len(move))) for move in self.moves[0])
            for k in range(len(self.moves)):  # by as few of the maps as do
                for r in found:
                    for move in self.moves[: k + 1]:
                        t = move[0][r]
                        if t not in self.base:
                            self.base[t], self.images[t] = s, after(move, self.images[r])
                            found.append(t)
        self.back = {s: tuple(map(inverse, x)) for s, x in self.images.items()}

    def keeping(self):
        """(s, ends, channels): maps that keep sender s, and together generate all that do (Schreier's lemma)."""
        known = set()
        for s, image in self.images.items():
            for move in self.moves:
                ends, channels = after(self.back[move[0][s]], after(move, image))
                found = self.base[s], ends.tobytes(), channels.tobytes()
                if found not in known:
                    known.add(found)
                    yield self.base[s], ends, channels


def after(second, first):
    return tuple(array("q", [y[k] for k in x]) for x, y in zip(first, second))


def inverse(move):
    found = array("q", move)
    for x, y in enumerate(move):
        found[y] = x
    return found


class Routing:
    """After ``check``, ``of(c, pair)`` over ``scale`` is the load of channel c from ``pair``; ``on(c)``: of all."""

    def __init__(self, network, data, version=1):
        own = {"name": text, "between": text, "scale": pos, "loads": raw, "paths": raw}
        d = fields(data, **own, **({"symmetry": raw} if version > 1 else {}))
        self.network, self.name, self.scale, self.between = network, d.name, d.scale, Between(network, d.between)
        self.symmetry = None if version == 1 or d.symmetry is None else Symmetry(self.between, d.symmetry)
        readable(self.symmetry is None or d.loads is not None, "a routing by paths has no symmetry")
        self.by_paths, end = d.loads is None, self.between.end
        readable(self.by_paths != (d.paths is None), "one of loads and paths must be null")
        path = listed(pos, every(network.channel), every(below(256)))
        flow, data = (every(path), d.paths) if self.by_paths else (network.amounts, d.loads)
        found = every(listed(end, end, flow))(data)
        self.pairs, self.flows = [(i, j) for i, j, _ in found], [flow for *_, flow in found]
        hops = [hop for flow in self.flows for hop in flow] if self.by_paths else []
        readable(all(len(c) == len(v) for _, c, v in hops), "a path has as many virtual channels as channels")
        self.virtual = 1 + max((v for *_, taken in hops for v in taken), default=0)  # how many a channel has
        defined = routing_called(d.name, network)
        self.marked, self.title = named(d.name, d.name if is_defined_routing(self, defined) else None, defined)

    def require_complete(self):
        self.between.require_pairs(self.pairs)
        count = self.between.count
        if self.symmetry is not None:
            self.symmetry.find_images()
            base = self.symmetry.base
            require(all(base[i] == i for i, _ in self.pairs), "loads from a sender that is not the least of its orbit")
            to = self.network.receivers if self.between.of_nodes else range(len(self.network.terminals))
            pairs = (self.between.nodes((i, j)) for i in set(base.values()) for j in to)
            count = sum(a != b for a, b in pairs)
        require(len(self.pairs) == count, f"{len(self.pairs)} of {count} pairs are routed")

    def check(self):
        self.require_complete()
        self.load = [Counter() for _ in self.network.channels]
        for pair, flow in zip(self.pairs, self.flows):
            start, end = self.between.nodes(pair)
            if self.by_paths:
                require(sum(n for n, *_ in flow) == self.scale, f"the paths of {pair} do not sum to 1")
                for n, path, _ in flow:
                    self.network.require_path(path, start, end)
                    for c in path:
                        self.load[c][pair] += n
            else:
                distinct([c for c, _ in flow], f"of {pair} a channel")
                unit = self.network.excess(flow) == {start: self.scale, end: -self.scale}
                require(unit, f"the loads of {pair} are no unit flow")
                for c, n in flow:
                    self.load[c][pair] = n
        for s, ends, channels in self.symmetry.keeping() if self.symmetry is not None else ():
            for (i, j), flow in zip(self.pairs, self.flows):
                kept = i != s or all(self.load[channels[c]].get((s, ends[j])) == n for c, n in flow)
                require(kept, f"the symmetry that keeps sender {s} changes the loads of {(i, j)}")

    def on(self, c):
        """(pair, load) of all pairs that load channel c."""
        if self.symmetry is None:
            yield from self.load[c].items()
            return
        by_sender = defaultdict(lambda: defaultdict(list))  # from c, moved back to where loads are listed
        for s, base in self.symmetry.base.items():
            d, ends = self.symmetry.back[s][1][c], self.symmetry.images[s][0]
            if d not in by_sender:
                for (i, j), n in self.load[d].items():
                    by_sender[d][i].append((j, n))
            yield from (((s, ends[j]), n) for j, n in by_sender[d][base])

    def of(self, c, pair):
        if self.symmetry is not None:
            ends, channels = self.symmetry.back[pair[0]]
            c, pair = channels[c], (self.symmetry.base[pair[0]], ends[pair[1]])
        return self.load[c].get(pair, 0)

    def loads_under(self, channels, demand):
        """(c, the load of channel c under {(i, j): n}, times ``scale``)."""
        sent = Counter()
        for (i, j), n in demand.items():
            sent[self.between.pair(i, j)] += n
        apart = [(pair, n) for pair, n in sent.items() if len(set(self.between.nodes(pair))) == 2]
        for c in channels:
            if self.symmetry is None and len(self.load[c]) < len(apart):
                yield c, sum(n * sent[pair] for pair, n in self.load[c].items())
            else:
                yield c, sum(n * self.of(c, pair) for pair, n in apart)

    def alike(self, demands):
        """By channel, the least one of its orbit, where neither routing nor demands are changed; else itself."""
        moved = self.symmetry is not None and all(demands.is_kept(terminals) for *_, terminals in self.symmetry.maps)
        return self.symmetry.orbit if moved else range(len(self.network.channels))

    def every_flow(self):
        """(pair, flow) of all pairs."""
        if self.symmetry is None:
            yield from zip(self.pairs, self.flows)
            return
        listed_from = defaultdict(list)
        for (i, j), flow in zip(self.pairs, self.flows):
            listed_from[i].append((j, flow))
        for s, base in self.symmetry.base.items():
            ends, channels = self.symmetry.images[s]
            for j, flow in listed_from[base]:
                yield (s, ends[j]), [[channels[c], n] for c, n in flow]

    def crossings(self):
        """The loads of all channels, summed over all pairs of terminals, times ``scale``."""
        count = Counter(self.symmetry.base.values()) if self.symmetry is not None else {}
        members = (count.get(pair[0], 1) * len(self.between.members(pair)) for pair in self.pairs)
        loads = (sum(x[0] * len(x[1]) if self.by_paths else x[1] for x in flow) for flow in self.flows)
        return sum(n * load for n, load in zip(members, loads))

    def dependencies(self, flow):
        """Which (channel, virtual channel) packets with this flow may hold while they ask for which other one."""
        if self.by_paths:
            hops = [list(zip(path, virtual)) for _, path, virtual in flow]
            return {(one, two) for path in hops for one, two in zip(path, path[1:])}
        ends = self.network.channels
        return {((c, 0), (e, 0)) for c, _ in flow for e, _ in flow if ends[c][1] == ends[e][0]}


# 3. Sets of demands, and demands: {(i, j): n}, over a weight.


def by_pair(entries):
    distinct([(i, j) for i, j, *_ in entries], "a pair of terminals")
    return {(i, j): rest[0] if len(rest) == 1 else tuple(rest) for i, j, *rest in entries}


class Transport:
    def __init__(self, network, data):
        size, end = len(network.terminals), network.terminal
        limits, pairs = optional(every(nat, size)), optional(every(listed(end, end, nat, optional(nat))))
        d = fields(data, kind=raw, name=text, scale=pos, rows=limits, columns=limits, total=optional(nat), pairs=pairs)
        self.network, self.name, self.scale, self.entries = network, d.name, d.scale, d.pairs
        self.rows, self.columns, self.total = d.rows, d.columns, d.total
        self.because = lambda x: readable(x is None, "because: null was expected")
        self.evidence = every(listed(network.channel, pos, every(nat, size), every(nat, size), nat))
        ones = self.entries is None and self.rows == self.columns == [self.scale] * size
        found = None
        if ones and (self.total is None or (self.total > 0 and self.total % self.scale == 0)):
            found = "permutations" if self.total is None else f"sparse:{self.total // self.scale}"
        self.marked, self.title = named(d.name, found, SETS.fullmatch(d.name))

    def words(self):
        sends, receives = (
            "any amount" if x is None else f"at most {span(x, self.scale)}" for x in (self.rows, self.columns)
        )
        limits = f"a terminal sends {sends} and receives {receives}"
        if self.total is not None:
            limits += f", all together at most {span([self.total], self.scale)}"
        if self.entries is None:
            return f"{limits}; all pairs may send"
        highs = [high for *_, high in self.entries if high is not None]
        free = len(self.entries) - len(highs)
        limits += f"; {counted(len(self.entries), 'pair')} may send"
        if self.entries:
            limits += f", at least {span([low for _, _, low, _ in self.entries], self.scale)}"
        if highs:
            limits += f", at most {span(highs, self.scale)}"
        return limits + (f", {free} of them any amount" if free else "")

    def content(self):
        def over(x):
            return None if x is None else Fraction(x, self.scale)

        sides = [None if side is None else [over(x) for x in side] for side in (self.rows, self.columns)]
        pairs = self.bounds and {pair: (over(low), over(high)) for pair, (low, high) in self.bounds.items()}
        return sides, over(self.total), pairs

    def check(self):
        self.bounds = None if self.entries is None else by_pair(self.entries)
        for low, high in (self.bounds or {}).values():
            require(high is None or low <= high, "a low is above its high")

    def require_admits(self, demand, weight, _):
        sends, receives = Counter(), Counter()
        for (i, j), n in demand.items():
            sends[i] += n * self.scale
            receives[j] += n * self.scale
            require(self.bounds is None or (i, j) in self.bounds, f"terminal {i} may not send to {j}")
        for limits, found in ((self.rows, sends), (self.columns, receives)):
            for t, n in found.items():
                require(limits is None or n <= limits[t] * weight, f"the demand is above a limit of terminal {t}")
        require(self.total is None or sum(sends.values()) <= self.total * weight, "the demand is above the total")
        for pair, (low, high) in (self.bounds or {}).items():
            n = demand.get(pair, 0) * self.scale
            fits = low * weight <= n and (high is None or n <= high * weight)
            require(fits, f"the demand of {pair} is out of its bounds")

    def is_kept(self, terminals):
        """Does this permutation of the terminals leave the set as it is?  (Of listed pairs that is not asked.)"""
        sides = [x for x in (self.rows, self.columns) if x is not None]
        return self.entries is None and all([x[t] for t in terminals] == x for x in sides)

    def require_at_most(self, routing, channels, value, evidence, strict=False):
        require_each(channels, [x[0] for x in evidence], routing.alike(self) if not strict else None)
        for c, over, u, v, x in evidence:
            for limit, used in ((self.rows, any(u)), (self.columns, any(v)), (self.total, x)):
                require(limit is not None or not used, f"channel {c} has a multiplier of what has no limit")
            scale = routing.scale
            u, v, x = [y * scale for y in u], [y * scale for y in v], x * scale
            of_rows = sum(a * b for a, b in zip(u, self.rows or u) if a)
            bound = of_rows + sum(a * b for a, b in zip(v, self.columns or v) if a) + x * (self.total or 0)
            for pair, n in routing.on(c) if self.bounds is None else ():
                for i, j in routing.between.members(pair):
                    require(n * over <= u[i] + v[j] + x, f"channel {c}: the multipliers of {i} and {j} are too small")
            for (i, j), (low, high) in (self.bounds or {}).items():
                pair = routing.between.pair(i, j)
                apart = len(set(routing.between.nodes(pair))) == 2
                rest = (routing.of(c, pair) if apart else 0) * over - u[i] - v[j] - x
                require(rest <= 0 or high is not None, f"channel {c}: the multipliers of {i} and {j} are too small")
                bound += rest * (high if rest > 0 else low)
            bound, most = Fraction(bound, scale * over * self.scale), value * self.network.bandwidth[c]
            require(bound <= most, f"channel {c}: the multipliers prove {shown(bound)}, not {shown(most)}")
            require(not strict or bound < most or of_rows > 0, f"channel {c} may be saturated at a smaller rate")


class Matrices:
    def __init__(self, network, data):
        matrices = every(lambda x: fields(x, name=text, scale=pos, entries=network.entries))
        d = fields(data, kind=raw, name=text, matrices=matrices)
        readable(d.matrices, "a set of matrices has at least one")
        self.network, self.name, self.listed = network, d.name, d.matrices
        self.because, self.evidence = every(nat, len(self.listed)), every(nat, 0)
        uniform = is_uniform(network, self.listed)
        self.marked, self.title = named(d.name, "uniform" if uniform else None, SETS.fullmatch(d.name))

    def words(self):
        sizes = counts([len(x.entries) for x in self.listed], "entry", "entries")
        rates = [Fraction(n, x.scale) for x in self.listed for *_, n in x.entries]
        sums = [sum(Fraction(n, x.scale) for *_, n in x.entries) for x in self.listed]
        said = f"{counted(len(self.listed), 'matrix', 'matrices')} of {sizes}"
        return f"{said} of {span(rates, 1)}, sum {span(sums, 1)}" if rates else said

    def content(self):
        return {
            frozenset((pair, Fraction(n, scale)) for pair, n in entries.items()) for entries, scale in self.matrices
        }

    def check(self):
        self.matrices = [(by_pair(x.entries), x.scale) for x in self.listed]

    def require_admits(self, demand, weight, because):
        require(sum(because) == weight, "the parts of the mixture do not sum to its weight")
        mixture = Counter()
        for k, (matrix, scale) in zip(because, self.matrices):
            for pair, n in matrix.items() if k else ():
                mixture[pair] += Fraction(k * n, scale)
        require(dict(mixture) == demand, "the demand is not this mixture of matrices")

    def is_kept(self, terminals):
        return all({(terminals[i], terminals[j]): n for (i, j), n in x.items()} == x for x, _ in self.matrices)

    def require_at_most(self, routing, channels, value, _):
        alike = routing.alike(self)
        few = {alike[c]: c for c in channels}.values()
        for matrix, scale in self.matrices:
            for c, load in routing.loads_under(few, matrix):
                most = value * self.network.bandwidth[c] * routing.scale * scale
                require(load <= most, f"a matrix loads channel {c} with more")


class Routable:
    def __init__(self, network, data):
        self.network, self.name = network, fields(data, kind=raw, name=text).name
        self.marked, self.title = named(self.name, "routable", True)
        self.because = every(listed(network.terminal, network.terminal, pos, every(network.channel)))
        self.evidence = every(listed(network.channel, every(nat, len(network.channels)), network.distances))

    def words(self):
        return "whatever some flow carries within all bandwidths"

    def content(self):
        return "routable"

    def check(self):
        pass

    def require_admits(self, demand, weight, because):
        used, carried, ends = Counter(), Counter(), self.network.ends
        for i, j, n, path in because:
            self.network.require_path(path, *ends(i, j))
            carried[i, j] += n
            for c in path:
                used[c] += n
        apart = {(i, j): n for (i, j), n in demand.items() if ends(i, j)[0] != ends(i, j)[1]}
        require(dict(carried) == apart, "the paths do not carry the demand")
        for c, n in used.items():
            require(n <= weight * self.network.bandwidth[c], f"the paths overload channel {c}")

    def is_kept(self, _):
        return True

    def require_at_most(self, routing, channels, value, evidence):
        require_each(channels, [x[0] for x in evidence], routing.alike(self))
        require(value >= 0, "no load is below 0")
        for c, length, distances in evidence:
            p, budget = feasible(self.network, distances, length), self.network.cost(length)
            require(budget or not any(True for _ in routing.on(c)), f"channel {c} is loaded, and its lengths are 0")
            most = value * self.network.bandwidth[c] * routing.scale
            for pair, n in routing.on(c):
                s, v = routing.between.nodes(pair)
                far = s in p and n * budget <= most * (p[s][v] - p[s][s])
                require(far, f"channel {c}: the ends of {pair} are not far enough apart")


class Demand:
    def __init__(self, network, demands, data):
        d = fields(data, weight=pos, entries=network.entries, because=demands.because)
        self.demands, self.weight, self.entries, self.because = demands, d.weight, d.entries, d.because

    def check(self):
        """{(i, j): n}, which is found to be in the set."""
        found = by_pair(self.entries)
        self.demands.require_admits(found, self.weight, self.because)
        return found


def require_each(channels, found, alike=None):
    """Evidence for each channel, or for one that is ``alike``, and for no others."""
    distinct(found, "evidence for a channel")
    both = (set(x) if alike is None else {alike[c] for c in x} for x in (found, channels))
    require(len(set(map(frozenset, both))) == 1, f"evidence for {len(found)} channels, and not for those of the claim")


# 4. Distances: {s: p}; along no channel p grows by more than its length, so p[v] - p[s] is at most that of any path.


def feasible(network, distances, length, only=None):
    distinct([s for s, _ in distances], "the distances from a node")
    for _, p in distances:
        for c in range(len(length)) if only is None else only:
            (tail, head, _), x = network.channels[c], length[c]
            require(p[head] <= p[tail] + x, f"a distance grows by more than the length from node {tail} to {head}")
    return dict(distances)


# 5. Claims about a routing.  ``read`` reads the fields of the claim.


def worst_case_at_most(proof, read):
    channels = optional(every(proof.channel))
    d = read(routing=proof.routing, demands=proof.set, channels=channels, value=fraction, evidence=raw)
    evidence, only = d.demands.evidence(d.evidence), d.channels
    readable(only != [], "channels: at least one was expected")
    which = "no channel" if only is None else f"none of the channels {str(only)[1:-1]}"
    yield f"{under(d)}, {which} carries more than {shown(d.value)} times its bandwidth", d
    distinct(only or [], "a channel")
    channels = range(len(proof.network.channels)) if only is None else only
    d.demands.require_at_most(d.routing, channels, d.value, evidence)


def given(d):
    return f"with demands of {d.demands.called}"


def under(d):
    return f"under {d.routing.called}, {given(d)}"


def worst_case_at_least(proof, read):
    d = read(routing=proof.routing, demands=proof.set, channel=proof.channel, value=fraction, demand=raw)
    demand = Demand(proof.network, d.demands, d.demand)
    yield f"{under(d)}, channel {d.channel} may carry at least {shown(d.value)} times its bandwidth", d
    ((c, load),) = d.routing.loads_under([d.channel], demand.check())
    load = Fraction(load, d.routing.scale * demand.weight)
    require(load >= d.value * proof.network.bandwidth[c], f"the demand loads channel {c} with {shown(load)}")


def alike(proof, read):
    d = read(of=below(proof.number), channels=every(proof.channel))
    readable(d.channels and proof.kinds[d.of] == "worst-case-at-least", "channels alike that of worst-case-at-least")
    of = proof.read[d.of]
    said = f"each of the channels {str(d.channels)[1:-1]} may carry at least {shown(of.value)} times its bandwidth"
    yield f"from claim {d.of + 1}: {under(of)}, {said}", d
    distinct(d.channels, "a channel")
    orbit = of.routing.alike(of.demands)
    for c in d.channels:
        require(orbit[c] == orbit[of.channel], f"no symmetry takes channel {of.channel} to {c}")


PER_HOP = "minimal:choice=per-hop"


def single_link_failure(proof, read):
    """``failed``: a channel of the link that fails, and the claim of what is at most carried then."""
    earlier = below(proof.number)
    failed = every(listed(proof.channel, earlier))
    d = read(failed=failed, reached=optional(earlier), maps=maps_on(proof.network), value=fraction)
    most, least = [k for _, k in d.failed], [] if d.reached is None else [d.reached]
    of = {k: proof.read[k] for k in most + least}
    stated = most and all(proof.kinds[k] == "worst-case-at-most" and of[k].channels is None for k in most)
    readable(stated, "failed: claims worst-case-at-most of all channels were expected")
    readable(all(proof.kinds[k] == "worst-case-at-least" for k in least), "reached: worst-case-at-least was expected")
    demands = of[most[0]].demands
    readable(all(x.demands is demands for x in of.values()), "the claims are about several sets of demands")
    down = "if any one link fails (all channels between two nodes) and all pairs of terminals keep a path"
    carries = f"no channel carries more than {shown(d.value)} times its bandwidth under {PER_HOP} on what is left"
    reached = "; after one such failure some channel may carry as much" if least else ""
    yield f"{given(of[most[0]])}, {down}, {carries}{reached}", d
    require_automorphisms(proof.network, d.maps)
    for k, (*_, terminals) in enumerate(d.maps):
        require(demands.is_kept(terminals), f"map {k + 1} of a symmetry changes the set of demands")
    orbit = orbits(len(proof.network.channels), [channels for _, channels, _ in d.maps])
    links, covered = links_of(proof.network), set()
    for c, k in d.failed:
        link = links.get(frozenset(proof.network.channels[c][:2]), [])
        require(c in link, f"channel {c} leads from a node to itself")
        made = is_defined_routing(of[k].routing, ShortestPaths(proof.network, False, link))
        require(made, f"the routing of claim {k + 1} is not {PER_HOP} without the link of channel {c}")
        require(of[k].value <= d.value, f"after the failure of the link of channel {c} it is {shown(of[k].value)}")
        covered.update(orbit[e] for e in link)
    for k in least:
        known = of[k].value >= d.value and any(of[k].routing is of[x].routing for x in most)
        require(known, f"claim {k + 1} does not reach it after one of these failures")
    for link in links.values():
        if covered.isdisjoint(orbit[e] for e in link):
            parts = not ShortestPaths(proof.network, False, link).joins_all(proof.network)
            require(parts, f"nothing is stated about the failure of the link of channel {link[0]}, or one alike")
            covered.update(orbit[e] for e in link)


def links_of(network):
    """By the two nodes, all channels between them."""
    links = defaultdict(list)
    for c, (tail, head, _) in enumerate(network.channels):
        if tail != head:
            links[frozenset((tail, head))].append(c)
    return links


def unsaturated_below(proof, read):
    d = read(routing=proof.routing, demands=proof.set, evidence=raw)
    readable(isinstance(d.demands, Transport) and d.demands.rows is not None, "a transport set with rows was expected")
    evidence = d.demands.evidence(d.evidence)
    yield f"{under(d)}, no channel is saturated if all rows are reduced by one factor below 1", d
    d.demands.require_at_most(d.routing, range(len(proof.network.channels)), Fraction(1), evidence, strict=True)


def path_length(proof, read):
    d = read(routing=proof.routing, value=fraction)
    yield f"under {d.routing.called} the average path length is {shown(d.value)}", d
    found = Fraction(d.routing.crossings(), d.routing.scale * len(proof.network.terminals) ** 2)
    require(found == d.value, f"it is {shown(found)}")


def on_virtual(routing, count):
    return f"{routing.called}, with {counted(count, 'virtual channel')} to a channel"


def ranks_of(proof, d):
    """``order``: by virtual channel, the rank of every channel."""
    order = every(every(integer, len(proof.network.channels)))(d.order)
    readable(d.virtual <= 256 and len(order) == d.virtual, "order: one list for each virtual channel was expected")
    return lambda hop: order[hop[1]][hop[0]]


def require_rising(routing, virtual, rank):
    require(routing.by_paths or virtual == 1, "a routing by loads has one virtual channel to a channel")
    require(routing.virtual <= virtual, f"a path takes virtual channel {routing.virtual - 1}, counted from 0")
    for pair, flow in zip(routing.pairs, routing.flows):
        for one, two in routing.dependencies(flow):
            require(rank(one) < rank(two), f"of {pair}, the order does not rise from {one} to {two}")


def deadlock_free(proof, read):
    d = read(routing=proof.routing_in_full, virtual=pos, order=raw)
    rank = ranks_of(proof, d)
    yield f"{on_virtual(d.routing, d.virtual)}, cannot deadlock", d
    require_rising(d.routing, d.virtual, rank)


def deadlock_free_with_bubbles(proof, read):
    d = read(routing=proof.routing_in_full, order=every(integer, len(proof.network.channels)))
    yield f"{on_virtual(d.routing, 1)}, cannot deadlock under bubble flow control: all its cycles are rings", d
    require(d.routing.virtual == 1, "a path takes another virtual channel")
    after, before = {}, {}  # of each channel, the one of the same rank
    for pair, flow in zip(d.routing.pairs, d.routing.flows):
        for (c, _), (e, _) in d.routing.dependencies(flow):
            require(d.order[c] <= d.order[e], f"of {pair}, the order falls from channel {c} to {e}")
            ring = d.order[c] < d.order[e] or (after.setdefault(c, e) == e and before.setdefault(e, c) == c)
            require(ring, f"of {pair}, channels {c} and {e} have the rank of a third one next to them")


def deadlock_free_with_classes(proof, read):
    lanes = optional(every(listed(every(proof.channel), every(below(256)))))
    d = read(routing=proof.routing_in_full, classes=pos, virtual=pos, transactions=lanes, order=raw)
    rank = ranks_of(proof, d)
    readable(2 <= d.classes <= 8, "classes: 2 to 8 were expected")
    readable(d.routing.by_paths, "classes are of a routing by paths")
    readable(all(len(c) == len(v) for c, v in d.transactions or ()), "as many virtual channels as channels")
    kind = "for each of" if d.transactions is None else "shared, as listed, by"
    words = f"{on_virtual(d.routing, d.virtual)} {kind} {d.classes} message classes, cannot deadlock"
    answers = "a terminal takes a message in only once its answer, of the next class and back to its source, can leave"
    yield f"{words}, also where {answers}", d
    if d.transactions is None:
        require_rising(d.routing, d.virtual, rank)
        return
    distinct([tuple(path) for path, _ in d.transactions], "the path of a transaction")
    for path, taken in d.transactions:
        hops = list(zip(path, taken))
        require(max(taken, default=0) < d.virtual, f"a transaction takes virtual channel {max(taken, default=0)}")
        for one, two in zip(hops, hops[1:]):
            require(rank(one) < rank(two), f"of a transaction, the order does not rise from {one} to {two}")
    known = {tuple(path) for path, _ in d.transactions}
    for path in transactions(d.routing, d.classes):
        require(not path or path in known, f"the transaction over channels {list(path)} is not listed")


def transactions(routing, classes):
    """The channels of a message, of its answer, and so on, all in one: for all pairs of terminals, all their paths."""
    pair, size = routing.between.pair, range(len(routing.network.terminals))
    ways = {x: {tuple(path) for _, path, _ in flow} for x, flow in zip(routing.pairs, routing.flows)}
    for there, back in sorted({(pair(i, j), pair(j, i)) for i in size for j in size}):
        some = [ways.get(x, {()}) for x in (there, back)]  # at one node they cross no channel
        for parts in itertools.product(*(some[k % 2] for k in range(classes))):
            yield tuple(itertools.chain(*parts))


def deadlock(proof, read):
    d = read(routing=proof.routing_in_full, cycle=raw)
    end = d.routing.between.end
    cycle = every(listed(proof.channel, below(256), end, end))(d.cycle)
    yield f"{on_virtual(d.routing, d.routing.virtual)}, has a cycle of {len(cycle)} dependencies", d
    require(len(cycle) > 1, "a cycle has at least two channels")
    flows = dict(zip(d.routing.pairs, d.routing.flows))
    for (c, v, i, j), (e, w, *_) in zip(cycle, cycle[1:] + cycle[:1]):
        follows = ((c, v), (e, w)) in d.routing.dependencies(flows.get((i, j), []))
        require(follows, f"packets from {i} to {j} do not go from channel {c} to {e}")


def literal(x):
    readable(type(x) is int and 0 < abs(x) < LARGEST, "a literal of a clause was expected")
    return x


LEMMAS = every(listed(every(literal), every(below(LARGEST))))


def virtual_channels_at_least(proof, read):
    hop = listed(proof.channel, below(256))
    d = read(routing=proof.routing_in_full, value=below(257), by=one_of(tuple(ONE_TO)), classes=optional(pos),
             cycles=every(every(hop)), lemmas=LEMMAS)  # fmt: skip
    readable(d.routing.by_paths and d.value > 1, "a routing by paths, and a value from 2, were expected")
    readable(d.classes is None or (2 <= d.classes <= 8 and d.by == "hops"), "classes: 2 to 8 were expected, by hops")
    count, shared, taken = d.value - 1, "", ONE_TO[d.by]
    if d.classes is not None:
        shared = f" shared by {d.classes} message classes"
        taken = "each hop takes by its class and the paths there and back"
    words = f"on {counted(count, 'virtual channel')} to a channel{shared}, has a cycle of dependencies"
    yield f"{d.routing.called}, {words}, whichever one {taken}", d
    require_refuted(lane_clauses(proof.network, d, count), d.lemmas)


ONE_TO = {
    "layers": "each path takes", "destinations": "the paths to each node take", "hops": "each hop of each path takes",
}  # fmt: skip


def lane_clauses(network, d, count):
    """Every choice takes one of the virtual channels; a path's choices make its dependencies; no cycle has all of its.

    Variables: by choice its virtual channels, then by dependency the virtual channels that it leads from and to."""
    found = {tuple(path) for flow in d.routing.flows for _, path, _ in flow if len(path) > 1}
    paths = sorted(found if d.classes is None else set(transactions(d.routing, d.classes)) - {()})
    number, chosen = {}, []  # of choices; by hop of each path the number of its choice
    for path in paths:
        keys = {"layers": path, "destinations": network.channels[path[-1]][1]}
        own = [keys.get(d.by, (path, h)) for h in range(len(path))]
        chosen.append([number.setdefault(key, len(number)) for key in own])
    edges = sorted({edge for path in paths for edge in zip(path, path[1:])})
    lanes = range(count)
    both = [(k, m) for k in lanes for m in lanes if d.by == "hops" or k == m]
    first = len(number) * count + 1
    made = {key: first + at for at, key in enumerate((edge, k, m) for edge in edges for k, m in both)}
    clauses = [[1]] if number else []
    clauses += [[u * count + k + 1 for k in lanes] for u in range(len(number))]
    for path, own in zip(paths, chosen):
        for edge, u, w in zip(zip(path, path[1:]), own, own[1:]):
            clauses += [[-(u * count + k + 1), -(w * count + m + 1), made[edge, k, m]] for k, m in both]
    for cycle in d.cycles:
        for turn in lanes:
            around = [(c, (v + turn) % count) for c, v in cycle]
            keys = [((c, e), k, m) for (c, k), (e, m) in zip(around, around[1:] + around[:1])]
            require(keys and all(x in made for x in keys), "a cycle is not made of dependencies of the paths")
            clauses.append([-made[x] for x in keys])
    return clauses


def require_refuted(clauses, lemmas):
    """Each lemma follows: given its opposite, its clauses have one literal left each, the last has none."""
    for k, (lemma, hints) in enumerate(lemmas):
        true, left = {-x for x in lemma}, None
        for hint in hints:
            require(hint < len(clauses), f"lemma {k + 1} rests on a later one")
            left = {x for x in clauses[hint] if -x not in true}
            require(len(left) < 2, f"lemma {k + 1}: a clause that it rests on has two literals left")
            true |= left
        require(left == set(), f"lemma {k + 1} does not follow")
        clauses.append(lemma)
    require(lemmas and not lemmas[-1][0], "the last lemma is not the empty one")


class Escapes:
    """What fully adaptive minimal routing does on the way to one end of pairs, with the escapes of a routing's paths.

    ``own``: (channel, virtual channel), sorted; ``nodes``: all from which the end can be reached, farthest first."""

    def __init__(self, routing, end, flows):
        self.channels, self.end = routing.network.channels, end
        self.own = sorted({hop for _, flow in flows for _, path, taken in flow for hop in zip(path, taken)})
        entering, hops = defaultdict(list), {end: 0}
        for tail, head, _ in self.channels:
            entering[head].append(tail)
        found = [end]
        for v in found:
            for u in entering[v]:
                if u not in hops:
                    hops[u] = hops[v] + 1
                    found.append(u)
        self.nodes, self.onward = found[::-1], defaultdict(set)  # by node: those next to it that are nearer
        for tail, head, _ in self.channels:
            if tail in hops and hops[head] == hops[tail] - 1:
                self.onward[tail].add(head)
        for c, _ in self.own:
            tail, head, _ = self.channels[c]
            require(head in self.onward[tail], f"channel {c} is on no shortest path to node {end}")
        left = {self.channels[c][0] for c, _ in self.own}
        for v in self.reached([start for start, _ in flows]) - {end}:
            require(v in left, f"packets to node {end} can be at node {v}, and have no escape there")

    def reached(self, starts):
        """All nodes to which packets from these nodes can come by shortest paths."""
        found = set(starts)
        queue = list(found)
        for v in queue:
            queue += self.onward[v] - found
            found |= self.onward[v]
        return found

    def require_rising(self, rank):
        most = {}  # by node: the largest rank of an escape after which a packet can be there
        leaving = defaultdict(list)
        for hop in self.own:
            leaving[self.channels[hop[0]][0]].append(hop)
        for v in self.nodes:
            for hop in leaving[v]:
                rises = v not in most or most[v] < rank(hop)
                require(rises, f"to node {self.end}, the order does not rise to channel {hop[0]} ({hop[1]})")
                head = self.channels[hop[0]][1]
                most[head] = max(most.get(head, rank(hop)), rank(hop))
            for u in self.onward[v] if v in most else ():
                most[u] = max(most.get(u, most[v]), most[v])


def escapes_of(routing):
    """By end of pairs."""
    flows = defaultdict(list)
    for pair, flow in zip(routing.pairs, routing.flows):
        flows[pair[1]].append((routing.between.nodes(pair), flow))
    return {j: Escapes(routing, own[0][0][1], [(a, flow) for (a, _), flow in own]) for j, own in flows.items()}


def escape_acyclic(proof, read):
    d = read(routing=proof.routing_in_full, virtual=pos, order=raw)
    rank = ranks_of(proof, d)
    readable(d.routing.by_paths, "an escape is a routing by paths")
    escape = on_virtual(d.routing, d.virtual)
    yield f"fully adaptive minimal routing meets Duato's condition with the escape {escape}", d
    require(d.routing.virtual <= d.virtual, f"a path takes virtual channel {d.routing.virtual - 1}, counted from 0")
    for escapes in escapes_of(d.routing).values():
        escapes.require_rising(rank)


def escape_cycle(proof, read):
    d = read(routing=proof.routing_in_full, cycle=raw)
    cycle = every(listed(proof.channel, below(256), d.routing.between.end))(d.cycle)
    readable(d.routing.by_paths, "an escape is a routing by paths")
    escape = f"{on_virtual(d.routing, d.routing.virtual)}: there is a cycle of {len(cycle)} dependencies"
    yield f"fully adaptive minimal routing does not meet Duato's condition with the escape {escape}", d
    require(len(cycle) > 1, "a cycle has at least two channels")
    found = escapes_of(d.routing)
    for (c, v, j), (e, w, _) in zip(cycle, cycle[1:] + cycle[:1]):
        own = found.get(j)
        require(own is not None and {(c, v), (e, w)} <= set(own.own), f"packets to {j} do not escape over {c} and {e}")
        ends = proof.network.channels
        require(ends[e][0] in own.reached([ends[c][1]]), f"from channel {c}, packets to {j} do not come to {e}")


# 6. Claims about all routings.

TABLES = {"destinations": "one next channel for each node and destination", "pairs": "one path for each pair"}


def tables(proof, read):
    d = read(routing=proof.routing, of=text)
    readable(d.of in TABLES, "of: destinations or pairs")
    yield f"{d.routing.called} has {TABLES[d.of]}", d
    taken, ends = {}, proof.network.channels
    for pair, flow in d.routing.every_flow():
        for n, path in (x[:2] for x in flow) if d.routing.by_paths else ((n, [c]) for c, n in flow):
            require(n == d.routing.scale, f"the packets of {pair} are split")
            for c in path:
                at = (ends[c][0], pair if d.of == "pairs" else pair[1])
                require(taken.setdefault(at, c) == c, f"at node {at[0]}, packets of {pair} take two channels")


def tables_at_least(proof, read):
    network = proof.network
    d = read(demands=proof.set, of=text, value=fraction, evidence=raw)
    readable(d.of in TABLES, "of: destinations or pairs")
    by = d.evidence.get("by") if type(d.evidence) is dict else None
    readable(by in ("exit", "paths", "meetings", "rounding"), "by: exit, paths, meetings or rounding")
    own = {"exit": {"inside": every(network.node), "exit": network.node}, "meetings": {"multiplier": fraction},
           "rounding": {"over": below(proof.number)}}  # fmt: skip
    e = fields(d.evidence, by=raw, **own.get(by, {}))
    readable(by != "rounding" or proof.kinds[e.over] == "best-load-at-least", "rounding is of best-load-at-least")
    d.between, d.limit = "terminals", f" with {TABLES[d.of]}"
    yield f"{every_routing(d)} has a worst-case load of at least {shown(d.value)}", d
    require(
        isinstance(d.demands, Transport) and d.demands.marked == "permutations", "tables are judged over permutations"
    )
    if by == "rounding":
        over = proof.read[e.over]
        require(over.demands is d.demands and over.within is None, "another set of demands, or a limit")
        require(over.between == "terminals", "a bound on routings between nodes is none on tables")
        least = min((-(-over.value * b // 1) / b for b in network.bandwidth), default=0)
        require(d.value <= least, f"the least load of tables that is as large is {shown(least)}")
        return
    room = [-(-d.value * b // 1) - 1 for b in network.bandwidth]  # the largest whole loads below the value
    if by == "exit":
        count_at_exit(network, d.of, room, e)
    elif by == "paths":
        count_paths(network, room)
    else:
        count_meetings(network, room, e.multiplier)


def count_at_exit(network, of, room, e):
    """All channels that leave the set begin at its exit.  By Koenig's theorem a load of at most ``room`` is a cover of
    the pairs that cross the channel: sources and destinations, ``room`` in all.  If the rooms are fewer than the
    destinations outside, one is covered nowhere; then all sources inside are, on the channels that its packets take."""
    inside = set(e.inside)
    distinct(e.inside, "a node of the set")
    leaving = [c for c, (tail, head, _) in enumerate(network.channels) if tail in inside and head not in inside]
    require(
        all(network.channels[c][0] == e.exit for c in leaving), "a channel leaves the set elsewhere than at its exit"
    )
    sources = sum(source in inside for source, _ in network.terminals)
    destinations = sum(sink not in inside for _, sink in network.terminals)
    require(sources > 0 and leaving, "no packet leaves the set")
    most = max(room[c] for c in leaving) if of == "destinations" else sum(room[c] for c in leaving)
    require(most < sources, "its channels have room for all sources inside")
    require(sum(room[c] for c in leaving) < destinations, "its channels have room for all destinations outside")


def count_paths(network, room):
    """A channel is heavy for the destinations in its cover; some destination has at most ``heavy`` of them, the
    average.  Back from it over heavy channels, paths end at their source, at one of the nodes where heavy channels
    begin, or come over another channel, whose cover has the source.  So there are at most as many sources as these
    nodes have, with the room of the channels into them and into the destination.  (Borodin & Hopcroft 1985, for loads.)
    """
    size = len(network.terminals)
    room = [min(x, size) for x in room]
    require(room and min(room) >= 0, "a channel has no room")
    heavy, near = sum(room) // size, Counter({source: len(x) for source, x in network.senders.items()})
    for (_, head, _), x in zip(network.channels, room):
        near[head] += x
    most = sum(sorted(near.values(), reverse=True)[:heavy])
    spare = max(near[sink] for sink in network.receivers) + most - size
    require(spare < 0, f"there is room for {spare} more sources")


def count_meetings(network, room, multiplier):
    """The path of a pair, followed back from its destination over covers that have it, ends at a node where source and
    destination meet: among a, those that send there and the sources in covers of channels that enter, and b, those that
    receive there and the destinations in covers of channels that leave.  All pairs are at most the sum of a b; what a
    and b have from covers sums to all room.  a b less multiplier times that is largest at ends of a and of b.
    """
    size = len(network.terminals)
    room = [min(x, size) for x in room]
    require(room and min(room) >= 0, "a channel has no room")
    require(multiplier >= 0, "the multiplier is negative")
    sends = {v: len(x) for v, x in network.senders.items()}
    receives = {v: len(x) for v, x in network.receivers.items()}
    enter, leave = Counter(), Counter()
    for (tail, head, _), x in zip(network.channels, room):
        enter[head] += x
        leave[tail] += x
    most = multiplier * sum(room)
    for v in range(network.nodes):
        s, d = sends.get(v, 0), receives.get(v, 0)
        ends = [(a, b) for a in (s, min(size, s + enter[v])) for b in (d, min(size, d + leave[v]))]
        most += max(a * b - multiplier * (a - s + b - d) for a, b in ends)
    require(most < size * size, f"{most // 1} pairs can meet, and there are {size * size}")


def bound_on_all(proof, read, quantity, limited, among=False):
    """What is said and its value; then the claim and S, M and hops T^2 of  M w + hops T^2 H >= S  (see the page)."""
    network, size = proof.network, len(proof.network.channels)
    common = {"demands": proof.set, "between": text, "hops": nat, "within": optional(fraction), "value": fraction,
              "adversaries": every(raw, size)}  # fmt: skip
    d = read(**common, name=text, listed=raw, over=raw) if among else read(**common, distances=raw)
    between = Between(network, d.between)
    distances, path = every(integer, network.nodes), every(network.channel)
    if among:
        some = every(listed(between.end, between.end, every(path)))(d.listed)
        over = every(listed(between.end, between.end, path, distances))(d.over)
        readable(all(paths for *_, paths in some), "a pair has at least one path")
        rows = [(i, j, None, paths) for i, j, paths in some] + [(i, j, p, only) for i, j, only, p in over]
    else:
        rows = [(i, j, p, None) for i, j, p in every(listed(between.end, between.end, distances))(d.distances)]
    adversaries = [None if x is None else Demand(network, d.demands, x) for x in d.adversaries]
    limits = [] if d.within is None else [f"whose {limited} is at most {shown(d.within)}"]
    if among:
        pairs, listed_in = counted(len(rows), "pair"), f"claim {proof.number + 1}"
        limits.insert(0, f"in which {pairs} keep to the paths or channels listed in {listed_in} as {quoted(d.name)}")
    d.limit = "".join(f" {word}{x}" for word, x in zip(("", "and "), limits))
    yield f"{every_routing(d)} has {quantity} of at least {shown(d.value)}", d
    lengths, total, cost = defaultdict(Counter), 0, 0
    for c, adversary in enumerate(adversaries):
        if adversary is not None:
            total += adversary.weight * network.bandwidth[c]
            for (i, j), n in adversary.check().items():
                lengths[between.pair(i, j)][c] += n
    between.require_pairs([(i, j) for i, j, *_ in rows])
    for i, j, p, only in rows:
        (a, b), hops, own = between.nodes((i, j)), d.hops * len(between.members((i, j))), lengths[i, j]
        if p is None:
            for path in only:
                network.require_path(path, a, b)
            cost += min(sum(hops + own.get(c, 0) for c in path) for path in only)
            continue
        distinct(only or [], f"of {(i, j)} a channel")
        feasible(network, [(a, p)], [hops + own.get(c, 0) for c in range(size)], only)
        cost += p[b] - p[a]
    yield d, cost, total, d.hops * len(network.terminals) ** 2


def every_routing(d):
    return f"{given(d)}, every routing between {d.between}{d.limit}"


def limit_of(d, coefficient):
    """The limit on the other quantity, which is there just where it counts."""
    require((d.within is None) == (coefficient == 0), "within: a limit is needed just where its side counts")
    require(d.within is None or d.within >= 0, "within is negative")
    return d.within or 0


def best_load_at_least(proof, read, among=False):
    bound = bound_on_all(proof, read, "a worst-case load", "average path length", among)
    yield next(bound)
    d, cost, load, hops = next(bound)
    require(load > 0 and cost - hops * limit_of(d, hops) >= d.value * load, "the adversaries prove less")


def best_path_length_at_least(proof, read, among=False):
    bound = bound_on_all(proof, read, "an average path length", "worst-case load", among)
    yield next(bound)
    d, cost, load, hops = next(bound)
    require(hops > 0 and cost - load * limit_of(d, load) >= d.value * hops, "the adversaries prove less")


def best_load_among_paths_at_least(proof, read):
    return best_load_at_least(proof, read, among=True)


def best_path_length_among_paths_at_least(proof, read):
    return best_path_length_at_least(proof, read, among=True)


def flow_at_least(proof, read):
    network = proof.network
    lengths = every(nat, len(network.channels))
    d = read(demands=proof.set, value=fraction, demand=raw, lengths=lengths, distances=network.distances)
    demand, load = Demand(network, d.demands, d.demand), f"at least {shown(d.value)} times its bandwidth"
    yield f"however it is routed, some demand of {d.demands.called} loads a channel with {load}", d
    p, cost, budget = feasible(network, d.distances, d.lengths), 0, network.cost(d.lengths)
    for (i, j), n in demand.check().items():
        s, v = network.ends(i, j)
        require(s == v or s in p, f"node {s} has no distances")
        cost += n * (p[s][v] - p[s][s]) if s != v else 0
    require(budget > 0 and cost >= d.value * demand.weight * budget, "the lengths prove less")


def flow_at_most(proof, read):
    network = proof.network
    d = read(demands=proof.set, value=fraction, scale=pos, flows=every(every(listed(network.node, network.amounts))))
    wanted = len(d.demands.listed) if isinstance(d.demands, Matrices) else 0
    readable(not isinstance(d.demands, Transport) and len(d.flows) == wanted, "flows: one of each matrix was expected")
    yield f"each demand of {d.demands.called} can be routed within {shown(d.value)} times all bandwidths", d
    require(wanted or d.value >= 1, "what is routable is routed within the bandwidths, and not always within less")
    for (matrix, scale), flow in zip(d.demands.matrices if wanted else (), d.flows):
        wanted, used = defaultdict(Counter), Counter()
        for (i, j), n in matrix.items():
            s, v = network.ends(i, j)
            if s != v:
                wanted[s][s] += Fraction(n * d.scale, scale)
                wanted[s][v] -= Fraction(n * d.scale, scale)
        distinct([s for s, _ in flow], "the flow from a node")
        for s, amounts in flow:
            distinct([c for c, _ in amounts], f"from node {s} a channel")
            require(s in wanted, f"node {s}, which has a flow, sends nothing to other nodes")
            require(network.excess(amounts) == dict(wanted.pop(s)), f"node {s}'s flow is not what it sends")
            used.update(dict(amounts))
        require(not wanted, f"the demand of nodes {sorted(wanted)[:5]} has no flow")
        for c, n in used.items():
            require(n <= d.value * network.bandwidth[c] * d.scale, f"the flows overload channel {c}")


def minimal_path_length(proof, read):
    network, total = proof.network, 0
    d = read(value=fraction, distances=network.distances)
    yield f"the average path length of shortest paths is {shown(d.value)}", d
    p = feasible(network, d.distances, [1] * len(network.channels))
    require(set(p) >= set(network.senders), "a node that sends has no distances")
    leaving = defaultdict(list)
    for tail, head, _ in network.channels:
        leaving[tail].append(head)
    for s, senders in network.senders.items():
        require(p[s][s] == 0, f"node {s} is not at distance 0 from itself")
        reached, found = {s}, [s]  # along tight channels
        for v in found:
            new = {w for w in leaving[v] if p[s][w] == p[s][v] + 1} - reached
            found += new
            reached |= new
        require(reached >= set(network.receivers), f"no path from node {s} has as few hops as its distance says")
        total += len(senders) * sum(p[s][v] * len(x) for v, x in network.receivers.items())
    require(Fraction(total, len(network.terminals) ** 2) == d.value, f"there are {total} hops between all terminals")


# 7. Quotients of claims before: the kind that is divided (None: 1), the kinds that divide, how the value compares.
# What each says is true if the claims are: throughput is the largest number by which all demands of the set can be
# multiplied so that no channel carries more than its bandwidth.

LOADS_OF_ALL = ["best-load-at-least", "best-load-among-paths-at-least", "tables-at-least"]
LENGTHS_OF_ALL = ["best-path-length-at-least", "best-path-length-among-paths-at-least"]
QUOTIENTS = {
    "throughput-at-least": (None, ["worst-case-at-most"], "<="),
    "throughput-at-most": (None, ["worst-case-at-least"], ">="),
    "fraction-at-least": ("flow-at-least", ["worst-case-at-most"], "<="),
    "fraction-at-most": ("flow-at-most", ["worst-case-at-least"], ">="),
    "best-throughput-at-least": (None, ["flow-at-most"], "<="),
    "best-throughput-at-most": (None, [*LOADS_OF_ALL, "flow-at-least"], ">="),
    "best-fraction-at-most": ("flow-at-most", LOADS_OF_ALL, ">="),
    "price-of-obliviousness-at-least": ("best-load-at-least", ["worst-case-at-most", "flow-at-most"], "<="),
    "price-of-obliviousness-at-most": ("worst-case-at-most", ["flow-at-least"], ">="),
    "relative-path-length": ("path-length", ["minimal-path-length"], "=="),
    "relative-path-length-at-least": (LENGTHS_OF_ALL, ["minimal-path-length"], "<="),
}


def said_of(quantity, of, over, value):
    """The whole statement of a quotient: which demands, which routing or routings, within which limits."""
    bound = f"at {'most' if quantity.endswith('most') else 'least'} {shown(value)}"
    if "price" in quantity:
        between = of.between if of.kind == "best-load-at-least" else of.routing.between.word
        return f"{given(of)}, the price of obliviousness of routings between {between} is {bound}"
    if quantity == "relative-path-length":
        return f"under {of.routing.called} the average path length is {shown(value)} times that of shortest paths"
    if quantity == "relative-path-length-at-least":
        return f"{every_routing(of)} has an average path length of {bound} times that of shortest paths"
    bound += " times the capacity" if "fraction" in quantity else ""
    if over.kind in LOADS_OF_ALL:
        return f"{every_routing(over)} has a throughput of {bound}"
    if "best" in quantity:
        return f"{given(over)}, each routed as is best for it, the throughput is {bound}"
    return f"{under(over)}, the throughput is {bound}"


def quotient(proof, read):
    before = below(proof.number)
    d = read(quantity=text, value=fraction, over=before, of=optional(before))
    readable(d.quantity in QUOTIENTS, "an unknown quotient")
    kind, kinds, relation = QUOTIENTS[d.quantity]
    dividends = kind if type(kind) is list else [kind]
    found = (None if d.of is None else proof.kinds[d.of]) in dividends and proof.kinds[d.over] in kinds
    readable(found, f"{d.quantity} is of claims of other kinds")
    of, over = None if d.of is None else proof.read[d.of], proof.read[d.over]
    source = f"claim {d.over + 1}" if of is None else f"claims {d.of + 1} and {d.over + 1}"
    yield f"from {source}: {said_of(d.quantity, of, over, d.value)}", d
    both = [over] if of is None else [of, over]
    whole = all(x.kind != "worst-case-at-most" or x.channels is None for x in both)
    require(whole, "a quotient is about all channels, and this claim about some")
    require(over.value > 0, "a division by what is not above 0")
    if of is not None and d.quantity.endswith("at-most"):
        require(of.value > 0, "a ratio to what is not above 0")
    if "fraction" in d.quantity:
        proof.require_uniform(of.demands)
    if "price" in d.quantity:
        require(of.demands is over.demands, "the claims are about different demands")
        require(of.kind != "best-load-at-least" or of.within is None, "a price is about all routings")
    exact = (1 if of is None else of.value) / over.value
    true = {"<=": d.value <= exact, ">=": d.value >= exact, "==": d.value == exact}[relation]
    require(true, f"the quotient is {shown(exact)}")


# 8. Collectives: broadcasts from many ranks at once, all-reduces, and phases on a routing.


class Collective:
    """Which ranks emit what, which nodes copy, and channels as units travel them: in a reduce-scatter, backwards."""

    def __init__(self, network, read, **evidence):
        end = network.terminal
        about = {"operation": text, "ranks": every(end), "root": optional(end), "copies": text, "value": fraction}
        d = self.claim = read(**about, **evidence)
        readable(d.operation in ("all-gather", "reduce-scatter", "broadcast"), "operation: an unknown one")
        readable(d.copies in ("ranks", "all"), "copies: ranks or all")
        readable(
            d.ranks and (d.root is None) == (d.operation != "broadcast"), "ranks, and the root of a broadcast only"
        )
        self.held = holding(network, d.ranks)
        self.emits = Counter(network.terminals[r][0] for r in (d.ranks if d.root is None else [d.root]))
        self.ends, self.network = travelled(network, d.operation), network

    def copies(self, v):
        return self.claim.copies == "all" or v in self.held

    def words(self):
        d, who = self.claim, words_of_ranks(self.network, self.claim.ranks)
        root = "" if d.root is None else f" from terminal {d.root}"
        done = "added up" if d.operation == "reduce-scatter" else "copied"
        where = "at any node" if d.copies == "all" else "at nodes of ranks alone"
        article = "a" if d.root is not None or done == "added up" else "an"
        return f"{article} {d.operation}{root} among {who}, {done} {where},"

    def check(self):
        check_ranks(self.network, self.claim.ranks)
        require(self.claim.root is None or self.claim.root in self.claim.ranks, "the root is no rank")


def travelled(network, operation):
    """The channels as units travel them: of a reduce-scatter, backwards."""
    against = operation == "reduce-scatter"
    return [(head, tail) if against else (tail, head) for tail, head, _ in network.channels]


def follow(trees, ends, held, copies):
    """What these trees put on every channel, and what they carry from every root, over their scale."""
    load, sent = Counter(), Counter()
    for root, weight, channels in trees:
        require(copies(root), f"a tree begins at node {root}, which does not copy")
        has, passing = {root}, None  # a unit passes through a node that does not copy
        for c in channels:
            start, stop = ends[c]
            require(start in has if passing is None else start == passing, f"a tree of node {root} has no unit for {c}")
            passing = None if copies(stop) else stop
            if passing is None:
                has.add(stop)
            load[c] += weight
        require(passing is None and held <= has, f"a tree of node {root} does not reach all ranks")
        sent[root] += weight
    return load, sent


def holding(network, ranks):
    """The nodes that hold a rank."""
    return {network.terminals[r][0] for r in ranks}


def words_of_ranks(network, ranks):
    every_one = sorted(ranks) == list(range(len(network.terminals)))
    return f"all {len(ranks)} terminals" if every_one else f"the terminals {str(ranks)[1:-1]}"


def check_ranks(network, ranks):
    distinct(ranks, "a rank")
    for r in ranks:
        require(len(set(network.terminals[r])) == 1, f"rank {r} sends at one node and receives at another")


def require_room(network, load, scale):
    for c, n in load.items():
        require(n <= network.bandwidth[c] * scale, f"the trees overload channel {c}")


def collective_at_most(proof, read):
    node = proof.network.node
    task = Collective(
        proof.network, read, cuts=every(listed(nat, every(node))), potentials=every(listed(node, integer))
    )
    d = task.claim
    yield f"no schedule of {task.words()} has a rate above {shown(d.value)}", d
    task.check()
    distinct([v for v, _ in d.potentials], "the potential of a node")
    require(not any(task.copies(v) for v, _ in d.potentials), "a node that copies has a potential")
    potential, sets, worth = dict(d.potentials), [], 0
    for weight, inside in d.cuts:
        distinct(inside, "a node of a cut")
        require(not task.held <= set(inside), "a cut misses no rank")
        sets.append((weight, set(inside)))
        worth += weight * sum(task.emits[v] for v in inside)
    require(worth > 0, "the cuts emit nothing")
    cost = 0
    for (start, stop), width in zip(task.ends, proof.network.bandwidth):
        fare = sum(weight for weight, inside in sets if start in inside and stop not in inside)
        cost += max(0, fare + potential.get(stop, 0) - potential.get(start, 0)) * width
    require(cost <= d.value * worth, f"the cuts prove {shown(cost / worth)}")


def collective_at_least(proof, read):
    network = proof.network
    trees = every(listed(network.node, pos, every(network.channel)))
    task = Collective(network, read, scale=pos, trees=trees)
    d = task.claim
    yield f"some schedule of {task.words()} has a rate of at least {shown(d.value)}", d
    task.check()
    load, sent = follow(d.trees, task.ends, task.held, task.copies)
    require_room(network, load, d.scale)
    for v, n in task.emits.items():
        require(
            sent[v] >= d.value * n * d.scale, f"the trees of node {v} carry {shown(Fraction(sent[v], n * d.scale))}"
        )


def all_reduce_at_least(proof, read):
    network = proof.network
    trees = every(listed(network.node, pos, every(network.channel)))
    d = read(ranks=every(network.terminal), value=fraction, scale=pos, sums=trees, results=trees)
    readable(d.ranks, "ranks: at least one was expected")
    who = f"some all-reduce among {words_of_ranks(network, d.ranks)}, added up and copied at nodes of ranks alone,"
    yield f"{who} has a rate of at least {shown(d.value)}", d
    check_ranks(network, d.ranks)
    held = holding(network, d.ranks)
    load, added = follow(d.sums, travelled(network, "reduce-scatter"), held, held.__contains__)
    more, copied = follow(d.results, travelled(network, "all-gather"), held, held.__contains__)
    require_room(network, load + more, d.scale)
    for v, n in copied.items():
        require(n <= added[v], f"node {v} copies more than is added up there")
    carried = Fraction(sum(copied.values()), len(d.ranks) * d.scale)
    require(carried >= d.value, f"the trees carry {shown(carried)}")


def all_reduce_at_most(proof, read):
    network = proof.network
    d = read(ranks=every(network.terminal), value=fraction, sets=every(every(network.node)))
    readable(d.ranks, "ranks: at least one was expected")
    who = f"no all-reduce among {words_of_ranks(network, d.ranks)} with one value a message"
    yield f"{who}, added up and copied at nodes of ranks alone, has a rate above {shown(d.value)}", d
    check_ranks(network, d.ranks)
    distinct([v for inside in d.sets for v in inside], "a node of the sets")
    held = holding(network, d.ranks)
    require(len(d.sets) > 1 and all(held & set(inside) for inside in d.sets), "two sets or more, each with a rank")
    of = {v: k for k, inside in enumerate(d.sets) for v in inside}
    require(held <= set(of), "a rank is in no set")
    across = [(a, b, w) for (a, b, _), w in zip(network.channels, network.bandwidth) if of.get(a) != of.get(b)]
    least = min(sum(w for *ends, w in across if ends[k] in of) for k in (0, 1))
    proved = Fraction(least, 2 * (len(d.sets) - 1) * len(d.ranks))
    require(proved <= d.value, f"the sets prove {shown(proved)}")


def rate_of(proof, k):
    """An earlier claim about a rate: what was read, is it a bound on all schedules, and who has the rate."""
    readable(proof.kinds[k].startswith(("collective-at-", "all-reduce-at-")), "of: a rate of a collective was expected")
    return proof.read[k], proof.kinds[k].endswith("at-most"), proof.checks[k][0].rpartition(" has a rate ")[0]


def bandwidth(proof, read):
    """Size over time, and what a channel at each rank then carries, as nccl-tests defines them, of a rate."""
    d = read(quantity=one_of(("algorithm", "bus")), value=fraction, of=below(proof.number))
    rate, most, who = rate_of(proof, d.of)
    operation, factor = getattr(rate, "operation", "all-reduce"), len(rate.ranks)
    if d.quantity == "bus":
        factor = (2 if operation == "all-reduce" else 1) * (factor - 1)
    if operation == "broadcast":
        factor = 1
    called = f"{'a' if d.quantity == 'bus' else 'an'} {d.quantity} bandwidth ({factor} times the rate)"
    yield f"from claim {d.of + 1}: {who} has {called} {'above' if most else 'of at least'} {shown(d.value)}", d
    exact = factor * rate.value
    require(d.value >= exact if most else d.value <= exact, f"the rate makes it {shown(exact)}")


def least_time(proof, read):
    d = read(value=fraction, of=below(proof.number), phases=nat, latency=listed(nat, pos))
    rate, most, who = rate_of(proof, d.of)
    readable(most, "of: a rate that no schedule passes was expected")
    each = Fraction(*d.latency)
    phases = f"{counted(d.phases, 'phase')} with a latency of {shown(each)} each"
    yield f"from claim {d.of + 1}: any{who[2:]} takes at least {shown(d.value)} cycles in {phases}", d
    least = d.phases * each + (1 / rate.value if rate.value else 0)
    require(d.value <= least, f"the rate makes it {shown(least)}")


def times_optimal(proof, read):
    d = read(value=fraction, of=below(proof.number), time=below(proof.number))
    rate, most, who = rate_of(proof, d.of)
    side = "most" if most else "least"
    fits = proof.kinds[d.time] in ("phases-take", f"schedule-time-at-{side}")
    readable(fits, "time: a time from the side of the rate was expected")
    best = f"one over the best rate of any{who[who.index(' ') :].rstrip(',')}"
    both = f"claims {d.time + 1} and {d.of + 1}"
    yield f"from {both}: the time of claim {d.time + 1} is at {side} {shown(d.value)} times {best}", d
    exact = rate.value * proof.read[d.time].value
    require(d.value >= exact if most else d.value <= exact, f"time and rate make it {shown(exact)}")


def phases_take(proof, read):
    amount = listed(nat, pos)
    d = read(routing=proof.routing, demands=proof.set, value=fraction, latency=amount, phases=raw)
    readable(isinstance(d.demands, Matrices), "a set of matrices was expected")
    phases = every(listed(below(len(d.demands.listed)), pos, amount))(d.phases)
    latency = Fraction(*d.latency)
    listing = "".join(f"; {n} times matrix {k + 1}, multiplied by {shown(Fraction(*x))}" for k, n, x in phases)
    yield f"{under(d)}, phases with a latency of {shown(latency)} each take just {shown(d.value)} cycles{listing}", d
    d.phases, d.latency = [(k, n, Fraction(*x)) for k, n, x in phases], latency
    time = sum((n * (latency + max(busy.values(), default=Fraction(0))) for n, busy in busy_by(d)), Fraction(0))
    require(time == d.value, f"they take {shown(time)}")


def busy_by(d):
    """Of each phase, how often it is repeated, and for how long it keeps each channel busy that it loads."""
    network, of = d.routing.network, {}
    for k in {k for k, *_ in d.phases}:
        matrix, scale = d.demands.matrices[k]
        loads = d.routing.loads_under(range(len(network.channels)), matrix)
        of[k] = {c: n / (network.bandwidth[c] * d.routing.scale * scale) for c, n in loads if n}
    return [(n, {c: x * units for c, x in of[k].items() if units}) for k, n, units in d.phases]


MEETINGS = {
    "time": "the phases of claim {of} take at most {cycles} cycles, each beside any one phase of each of the others",
    "others": "phases of the others, one of each, keep a channel that claim {of} loads "
    "busy for {cycles} cycles at worst",
    "all": "phases, one of each, keep a channel busy for {cycles} cycles at worst",
}


def counted_of(positions):
    return f"claim{'s' * (len(positions) > 1)} {str([k + 1 for k in positions])[1:-1]}"


def phases_meet(proof, read):
    before = below(proof.number)
    d = read(quantity=one_of(tuple(MEETINGS)), value=fraction, of=before, others=every(before))
    both = [d.of, *d.others]
    readable(all(proof.kinds[k] == "phases-take" for k in both), "of and others: claims of phases were expected")
    yield f"from {counted_of(both)}: {MEETINGS[d.quantity].format(of=d.of + 1, cycles=shown(d.value))}", d
    distinct(both, "a claim")
    of = proof.read[d.of]
    require(all(proof.read[k].routing is of.routing for k in d.others), "the claims are about several routings")
    own, *rest = ([busy for _, busy in busy_by(proof.read[k])] for k in both)
    most = [{c: max(x.get(c, 0) for x in phases) for c in set().union(*phases)} for phases in rest]
    others = {c: sum((x.get(c, 0) for x in most), Fraction(0)) for c in set().union(*own, *most)}
    if d.quantity == "time":
        longest = [max((x + others[c] for c, x in busy.items()), default=Fraction(0)) for busy in own]
        found = sum((n * (of.latency + x) for (_, n, _), x in zip(of.phases, longest)), Fraction(0))
        require(found <= d.value, f"they take {shown(found)}")
        return
    mine = {c: max(x.get(c, 0) for x in own) for c in set().union(*own)}
    if d.quantity == "others":
        found = max((others[c] for c in mine), default=Fraction(0))
    else:
        found = max((x + mine.get(c, 0) for c, x in others.items()), default=Fraction(0))
    require(found == d.value, f"it is {shown(found)}")


def shared_channel(proof, read):
    ends, pair = every(proof.network.terminal), listed(proof.network.terminal, proof.network.terminal)
    d = read(routing=proof.routing, jobs=every(listed(ends, ends)), crossed=optional(listed(proof.channel, pair, pair)))
    which = "no channel is" if d.crossed is None else f"channel {d.crossed[0]} is"
    listing = f"the {counted(len(d.jobs), 'job')} listed in claim {proof.number + 1}"
    yield f"under {d.routing.called}, {which} crossed by packets within two of {listing}", d
    of = []  # by terminal: in which job it sends, and in which it receives
    for side in (0, 1):
        distinct([t for job in d.jobs for t in job[side]], "a terminal of the jobs")
        of.append({t: k for k, job in enumerate(d.jobs) for t in job[side]})

    def within(pairs):
        return {of[0][i] for i, j in pairs if i != j and i in of[0] and of[0][i] == of[1].get(j)}

    between = d.routing.between
    if d.crossed is not None:
        c, *pairs = d.crossed
        require(len(within(pairs)) == 2, "the pairs are not of two jobs")
        crossed = [len(set(between.nodes(x))) == 2 and d.routing.of(c, x) for x in (between.pair(*y) for y in pairs)]
        require(all(crossed), f"packets of one of the pairs do not cross channel {c}")
        return
    for c in range(len(proof.network.channels)):
        jobs = within(member for pair, _ in d.routing.on(c) for member in between.members(pair))
        require(len(jobs) < 2, f"packets within several jobs cross channel {c}")


# Calls: every node holds one at most.  A call leads from the source of a terminal, which makes it, to a sink.


class Exchange:
    def __init__(self, network):
        self.network, self.lists = network, every(every(network.node))
        self.sources = {source: t for t, (source, _) in enumerate(network.terminals)}
        self.sinks = {sink: t for t, (_, sink) in enumerate(network.terminals)}
        self.edges = sorted({(tail, head) for tail, head, _ in network.channels})

    def check(self, calls=()):
        """(making, answering) of calls along paths without a node in common."""
        apart = len(self.sources.keys() | self.sinks.keys()) == 2 * len(self.network.terminals)
        require(apart, "two terminals have one node")
        inner = all(tail not in self.sinks and head not in self.sources for tail, head in self.edges)
        require(inner, "a channel leaves a sink, or leads to a source")
        distinct([v for path in calls for v in path], "a node of the calls")
        known = set(self.edges)
        for path in calls:
            ends = path and path[0] in self.sources and path[-1] in self.sinks
            require(ends, "a call does not lead from a source to a sink")
            require(known.issuperset(zip(path, path[1:])), "a call leaves the channels")
        return [(self.sources[path[0]], self.sinks[path[-1]]) for path in calls]

    def reached(self, starts, without):
        """Every node to which paths lead without these nodes."""
        ahead = defaultdict(list)
        for tail, head in self.edges:
            ahead[tail].append(head)
        found = set(starts) - without
        queue = list(found)
        for v in queue:
            new = set(ahead[v]) - without - found
            found |= new
            queue += new
        return found


def blocked_call(proof, read):
    exchange, end = Exchange(proof.network), proof.network.terminal
    d = read(**{"calls": exchange.lists, "from": end, "to": end})
    i, j = getattr(d, "from"), d.to
    calls = f"calls as listed in claim {proof.number + 1}"
    ends = f"terminal {i}, which makes none, no path to terminal {j}, which answers none"
    yield f"with one call to a node, {calls} leave {ends}", d
    known = exchange.check(d.calls)
    idle = all(i != making and j != answering for making, answering in known)
    require(idle, "one of the terminals is not idle")
    start, stop = proof.network.ends(i, j)
    reached = exchange.reached([start], {v for path in d.calls for v in path})
    require(stop not in reached, "a path is free")


def calls_at_once(proof, read):
    exchange = Exchange(proof.network)
    d = read(calls=exchange.lists)
    ends = [(exchange.sources.get(x[0]), exchange.sinks.get(x[-1])) if x else (None, None) for x in d.calls]
    readable(d.calls and all(None not in x for x in ends), "calls from sources to sinks were expected")
    yield f"with one call to a node, all of these are possible at once: {listed_calls(ends)}", d
    exchange.check(d.calls)


def listed_calls(ends):
    return ", ".join(f"{i} to {j}" for i, j in ends)


def calls_cut(proof, read):
    exchange, network = Exchange(proof.network), proof.network
    d = read(terminals=every(network.terminal), cut=every(network.node))
    yield f"with one call to a node, the terminals {str(d.terminals)[1:-1]} cannot all make a call at once", d
    exchange.check()
    distinct(d.terminals, "a terminal")
    require(len(d.terminals) > len(set(d.cut)), "there are as many nodes as terminals")
    reached = exchange.reached([network.terminals[t][0] for t in d.terminals], set(d.cut))
    require(reached.isdisjoint(exchange.sinks), "a path leads around the nodes")


def never_blocked(proof, read):
    exchange = Exchange(proof.network)
    d = read(lemmas=LEMMAS)
    ends = "every terminal that makes none has a path to every one that answers none"
    yield f"with one call to a node, whatever calls there are, {ends}", d
    exchange.check()
    require_refuted(blocking_clauses(exchange), d.lemmas)


def blocking_clauses(exchange):
    """Of calls that block another one.  Variables: by terminal, it shall make the other one; it shall answer it; by
    node, a call is there; a free path from who shall make it is; by pair of nodes, a call crosses a channel."""
    network, edges, size = exchange.network, exchange.edges, len(exchange.network.terminals)
    makes, answers, used, reached, first = itertools.accumulate([1, size, size, network.nodes, network.nodes])
    entering, leaving = [[] for _ in range(network.nodes)], [[] for _ in range(network.nodes)]
    for k, (tail, head) in enumerate(edges, first):
        leaving[tail].append(k)
        entering[head].append(k)
    clauses = [list(range(makes, answers)), list(range(answers, used))]
    for v in range(network.nodes):
        sides = [entering[v]] * (v not in exchange.sources) + [leaving[v]] * (v not in exchange.sinks)
        for around in sides:
            clauses.append([-(used + v), *around])
            clauses += [[-k, used + v] for k in around]
            clauses += [[-k, -m] for at, k in enumerate(around) for m in around[:at]]
    for t, (source, sink) in enumerate(network.terminals):
        clauses += [[-(makes + t), -(used + source)], [-(makes + t), reached + source]]
        clauses += [[-(answers + t), -(used + sink)], [-(answers + t), -(reached + sink)]]
    for tail, head in edges:
        clauses.append([-(reached + tail), *([used + head] if head not in exchange.sinks else []), reached + head])
    return clauses


# Groups of nodes, and how many nodes their channels lead to.


def neighbours_at_most(proof, read):
    nodes = every(proof.network.node)
    d = read(groups=every(nodes), nodes=nodes, value=nat)
    some = f"some {counted(len(d.nodes), 'node')} of one of the groups listed in claim {proof.number + 1}"
    yield f"the channels of {some} lead to at most {counted(d.value, 'node')}", d
    distinct(d.nodes, "a node")
    require(any(set(d.nodes) <= set(group) for group in d.groups), "they are not all in one group")
    found = {head for tail, head, _ in proof.network.channels if tail in set(d.nodes)}
    require(len(found) <= d.value, f"they lead to {len(found)}")


def neighbours_at_least(proof, read):
    lists = every(every(proof.network.node))
    d = read(groups=lists, size=pos, value=nat, eigenvalue=fraction, power=below(1025))
    size, where = counted(d.size, "node"), f"each group listed in claim {proof.number + 1}"
    readable(d.power > 0 and d.power & (d.power - 1) == 0, "power: a power of two was expected")
    yield f"the channels of any {size} of {where} lead to at least {counted(d.value, 'node')}", d
    require(d.groups, "there is no group")
    for group in d.groups:
        distinct(group, "a node of a group")
        require(d.size <= len(group), "a group is smaller")
        require_spectrum(proof.network, group, d)


def require_spectrum(network, group, d):
    """With degrees a and b, the eigenvalues of (channels from u to w) times its transpose are a b, and others of at
    most ``eigenvalue``: the sum of their powers is a trace.  So the channels of k nodes, counted by their heads and
    squared, are at most k (eigenvalue + (a b - eigenvalue) k / size).  (Tanner 1984.)"""
    key = tuple(group), d.power
    if key not in network.spectra:
        network.spectra[key] = spectrum(network, *key)
    a, b, trace = network.spectra[key]
    require(d.eigenvalue >= 0 and d.eigenvalue**d.power >= trace - (a * b) ** d.power, "the eigenvalue may be larger")
    least = Fraction(a * a * d.size) / (d.eigenvalue + (a * b - d.eigenvalue) * Fraction(d.size, len(group)))
    require(d.value < least + 1, f"the eigenvalue proves {shown(least)}")


def spectrum(network, group, power):
    """The degrees, and the trace of the power."""
    place, rows, into = {v: k for k, v in enumerate(group)}, defaultdict(Counter), Counter()
    for tail, head, _ in network.channels:
        if tail in place:
            rows[head][place[tail]] += 1
            into[tail] += 1
    degrees = {into[v] for v in group}, {sum(row.values()) for row in rows.values()}
    require(all(len(x) == 1 and 0 not in x for x in degrees), "the nodes have different numbers of channels")
    (a,), (b,) = degrees
    matrix = [[sum(n * other[k] for k, n in row.items()) for other in rows.values()] for row in rows.values()]
    while power > 2:
        matrix = [[sum(x * y for x, y in zip(row, other)) for other in matrix] for row in matrix]  # it is symmetric
        power //= 2
    return (
        a,
        b,
        sum(row[k] for k, row in enumerate(matrix)) if power == 1 else sum(x * x for row in matrix for x in row),
    )


# 9. Schedules of collectives: what the steps of all thread blocks do, in every execution.

ACTIONS = {  # it receives (r), adds its source (a), adds its target's content (t), writes its target (w), sends (s)
    "send": "s", "receive": "rw", "receive-copy-send": "rws", "receive-reduce-send": "ras",
    "receive-reduce-copy": "raw", "receive-reduce-copy-send": "raws", "copy": "w", "reduce": "tw", "wait": "",
}  # fmt: skip
BUFFERS = "i", "o", "s"
SHARED = "all-gather", "reduce-scatter", "all-to-all"  # collectives whose chunks are divided among the ranks
ROOTED = "broadcast", "reduce"
MOST_CHUNKS, MOST_MOVED = 1 << 24, 1 << 21  # of all buffers, and of all steps
size_of_buffer = below(MOST_CHUNKS + 1)


def flag(x):
    readable(type(x) is bool, "true or false was expected")
    return x


def one_of(known):
    def read(x):
        readable(type(x) is str and x in known, "an unknown word")
        return x

    return read


class Schedule:
    """``steps`` are numbered rank by rank and thread block by thread block, from ``first[rank][block]`` on; after
    ``check`` there are ``messages``: the sends and the receives of every connection."""

    def __init__(self, data):
        known, sizes = one_of((*SHARED, *ROOTED, "all-reduce", "custom")), every(size_of_buffer)
        d = fields(data, name=text, collective=known, chunks=size_of_buffer, root=raw, in_place=every(flag),
                   inputs=sizes, outputs=sizes, scratch=sizes, ranks=every(every(raw)))  # fmt: skip
        self.name, self.collective, self.chunks, self.in_place = d.name, d.collective, d.chunks, d.in_place
        self.content = {key: x for key, x in data.items() if key != "name"}
        self.ranks, self.sizes = len(d.ranks), {"i": d.inputs, "o": d.outputs, "s": d.scratch}
        self.rank, self.root = below(self.ranks), optional(below(self.ranks))(d.root)
        readable(d.ranks and d.chunks and d.in_place, "a rank, a chunk and a way to call it were expected")
        readable(all(len(x) == self.ranks for x in self.sizes.values()), "buffers of every rank were expected")
        readable(sum(map(sum, self.sizes.values())) <= MOST_CHUNKS, "the buffers have too many chunks")
        self.steps, self.first = [], []
        for rank, blocks in enumerate(d.ranks):
            peer = optional(self.rank)
            of = {"send_to": peer, "receive_from": peer, "channel": below(LARGEST), "steps": every(raw)}
            blocks = [fields(x, **of) for x in blocks]
            starts = list(itertools.accumulate([len(x.steps) for x in blocks], initial=len(self.steps)))
            self.first.append(starts)
            for b, block in enumerate(blocks):
                self.steps += [self.read_step(rank, b, k, block, starts, x) for k, x in enumerate(block.steps)]
        readable(sum(x.count for x in self.steps) <= MOST_MOVED, "the steps are for too many chunks")
        self.number, self.marked = below(len(self.steps)), quoted(self.name)

    def read_step(self, rank, b, k, block, starts, data):
        place, pair = optional(listed(one_of(BUFFERS), size_of_buffer)), every(raw, 2)
        do, source, target, count, after = listed(one_of(ACTIONS), place, place, size_of_buffer, every(pair))(data)
        does, wait = ACTIONS[do], do == "wait"
        reads = not wait and ("a" in does or "r" not in does)
        for needed, x in ((reads, source), ("w" in does, target)):
            readable(needed == (x is not None), "source and target stand where a step reads and writes, and only there")
            readable(x is None or x[1] + count <= self.sizes[x[0]][rank], "a step leaves its buffer")
        for needed, peer in (("s" in does, block.send_to), ("r" in does, block.receive_from)):
            readable(not needed or peer not in (None, rank), "a step has no other rank to send to or receive from")
        readable(count or wait, "a step is for no chunk")
        waits = [starts[b] + k - 1] if k else []
        for other, last in after:
            other = below(len(starts) - 1)(other)
            waits.append(starts[other] + below(starts[other + 1] - starts[other])(last))
        return SimpleNamespace(
            rank=rank, block=b, place=k, does=does, source=source, target=target, count=count, waits=waits,
            to=(rank, block.send_to, block.channel), by=(block.receive_from, rank, block.channel),
        )  # fmt: skip

    def check(self):
        n, chunks, custom = self.ranks, self.chunks, self.collective == "custom"
        distinct(self.in_place, "a way to call it")
        require(self.root is None or self.collective in ROOTED, f"{self.collective} has no root")
        require(not (custom and True in self.in_place), "how a custom collective runs in place is not defined")
        require(self.collective not in SHARED or chunks % n == 0, f"{chunks} chunks cannot be divided among {n} ranks")
        own = {"i": "all-gather", "o": "reduce-scatter"}  # where one rank has only its share
        for buffer, shares in own.items():
            size = chunks // n if self.collective == shares else chunks
            require(custom or set(self.sizes[buffer]) == {size}, f"{self.collective} has buffers of other sizes")
        self.messages = defaultdict(lambda: ([], []))
        for number, step in enumerate(self.steps):
            for k, way in ((0, step.to), (1, step.by)):
                if "sr"[k] in step.does:
                    self.messages[way][k].append(number)
        for ends in self.messages.values():
            for numbers in ends:
                require(len({self.steps[x].block for x in numbers}) == 1, "two thread blocks at one end, or none")
            counts = [[self.steps[x].count for x in numbers] for numbers in ends]
            require(counts[0] == counts[1], "sends and receives of a connection do not match")

    def before(self, room):
        """By step, which ones end before it; ``room``: how many messages a connection holds (None: any number)."""
        found = [list(x.waits) for x in self.steps]
        for sends, receives in self.messages.values():
            for k, (send, receive) in enumerate(zip(sends, receives)):
                found[receive].append(send)
                if room is not None and k >= room:
                    found[send].append(receives[k - room])
        return found

    def order(self, room=None):
        """All steps, each after those that end before it."""
        before = self.before(room)
        after, missing = [[] for _ in before], [len(x) for x in before]
        for number, found in enumerate(before):
            for x in found:
                after[x].append(number)
        order = [number for number, count in enumerate(missing) if not count]
        for x in order:
            for number in after[x]:
                missing[number] -= 1
                if not missing[number]:
                    order.append(number)
        stuck = next((x for x, count in enumerate(missing) if count), None)
        require(stuck is None, f"steps wait for one another, and {stuck} waits for them")
        return order

    def slot(self, rank, buffer, k, in_place):
        """Which memory is chunk k of a buffer: in place, input and output are one."""
        if buffer == "s" or not in_place:
            return rank, buffer, k
        shares = {"all-gather": "i", "reduce-scatter": "o"}.get(self.collective)
        return rank, "io", k + (rank * (self.chunks // self.ranks) if buffer == shares else 0)

    def slots(self, step, place, in_place):
        return [self.slot(step.rank, place[0], place[1] + k, in_place) for k in range(step.count)]

    def touched(self, step, in_place):
        """(slot, does it write there?) of all that a step touches."""
        for place, writes in ((step.source, False), (step.target, False), (step.target, True)):
            if place is not None and (writes or place is step.source or "t" in step.does):
                yield from ((x, writes) for x in self.slots(step, place, in_place))

    def overlap(self, step, in_place):
        """What it writes and reads as another chunk."""
        if step.source is None or step.target is None:
            return set()
        pairs = self.slots(step, step.source, in_place), self.slots(step, step.target, in_place)
        return set() if pairs[0] == pairs[1] else set(pairs[0]).intersection(pairs[1])

    def require_race_free(self):
        order, before = self.order(), self.before(None)
        for rank in range(self.ranks):
            own = {x: 1 << k for k, x in enumerate(range(self.first[rank][0], self.first[rank][-1]))}
            earlier = {}  # by step, which ones of this rank end before it: a bit for each
            for x in order:
                earlier[x] = 0
                for y in before[x]:
                    earlier[x] |= earlier[y] | own.get(y, 0)
            for in_place in self.in_place:
                readers, writers = Counter(), Counter()
                for x in (x for x in order if x in own):
                    require(not self.overlap(self.steps[x], in_place), f"step {x} overlaps itself")
                    for slot, writes in list(self.touched(self.steps[x], in_place)):
                        others = writers[slot] | (readers[slot] if writes else 0)
                        require(not others & ~(earlier[x] | own[x]), f"step {x} races with another one on {slot}")
                        (writers if writes else readers)[slot] |= own[x]

    def wanted(self, rank, k):
        """The inputs whose sum a rank must end with in chunk k of its output; None: it is not asked for."""
        n, share = self.ranks, self.chunks // self.ranks
        return {
            "all-gather": lambda: {divmod(k, share)},
            "all-to-all": lambda: {(k // share, rank * share + k % share)},
            "broadcast": lambda: {(self.root, k)},
            "all-reduce": lambda: {(i, k) for i in range(n)},
            "reduce-scatter": lambda: {(i, rank * share + k) for i in range(n)},
            "reduce": lambda: {(i, k) for i in range(n)} if rank == self.root else None,
        }[self.collective]()

    def run(self, order, in_place):
        """(rank, k, value, the inputs whose sum it is) of all output chunks.  A value is a number, one for each input
        and for each pair of values that is added; None for the inputs: nothing, or one that is in it twice."""
        known, inputs, held, sent = {}, {None: None}, {}, defaultdict(list)

        def value(key, of):
            found = known.setdefault(key, len(known))
            inputs.setdefault(found, of)
            return found

        def added(x, y):
            if x is None or y is None:
                return None
            of = inputs[x], inputs[y]
            whole = None not in of and of[0].isdisjoint(of[1])
            return value((min(x, y), max(x, y)), of[0] | of[1] if whole else None)

        for rank in [self.root] if self.collective == "broadcast" else range(self.ranks):
            for k in range(self.sizes["i"][rank]):
                key = "input", rank, k
                held[self.slot(rank, "i", k, in_place)] = value(key, frozenset([(rank, k)]))
        for number in order:
            step = self.steps[number]
            now = sent[step.by].pop(0) if "r" in step.does else None
            for place in (step.source, step.target if "t" in step.does else None):
                if place is not None:
                    read = [held.get(x) for x in self.slots(step, place, in_place)]
                    now = read if now is None else [added(x, y) for x, y in zip(now, read)]
            if "w" in step.does:
                held.update(zip(self.slots(step, step.target, in_place), now))
            if "s" in step.does:
                sent[step.to].append(now)
        for rank, size in enumerate(self.sizes["o"]):
            for k in range(size):
                found = held.get(self.slot(rank, "o", k, in_place))
                yield rank, k, found, inputs[found]

    def require_asked(self):
        asked = self.collective != "custom" and (self.collective not in ROOTED or self.root is not None)
        require(asked, "what the ranks must end with is not known")

    def require_right(self):
        """Whatever the timing; returns the most different values that ranks end with for one sum of inputs."""
        self.require_asked()
        self.require_race_free()
        most = 0
        for in_place in self.in_place:
            ends = defaultdict(set)
            for rank, k, value, of in self.run(self.order(), in_place):
                wanted = self.wanted(rank, k)
                if wanted is not None:
                    require(of == wanted, f"rank {rank} ends with something else in chunk {k}")
                    ends[of].add(value)
            most = max([most, *map(len, ends.values())])
        return most

    def phases(self):
        """By phase, how many chunks each rank sends to each other: (i, j) -> n."""
        before, phase, found = self.before(None), {}, defaultdict(Counter)
        for x in self.order():
            step = self.steps[x]
            phase[x] = max((phase[y] for y in before[x]), default=0) + ("s" in step.does)
            if "s" in step.does:
                found[phase[x]][step.to[:2]] += step.count
        return list(found.values())

    def words(self):
        ways = " and ".join("in place" if x else "out of place" for x in self.in_place)
        root = "" if self.root is None else f" with root {self.root}"
        blocks, ranks = counted(sum(len(x) - 1 for x in self.first), "thread block"), counted(self.ranks, "rank")
        data = f"{self.collective}{root} of {counted(self.chunks, 'chunk')} among {ranks}, {ways}"
        return f"schedule called {self.marked} by the proof: {data}: {blocks}, {counted(len(self.steps), 'step')}"


def held_by(schedule, room):
    messages = "any number of messages" if room is None else counted(room, "message")
    return f"the schedule {schedule.marked}, with room for {messages} on every connection,"


def schedule_deadlock_free(proof, read):
    d = read(room=optional(size_of_buffer))
    yield f"every execution of {held_by(proof.schedule, d.room)} ends", d
    proof.schedule.order(d.room)


def schedule_deadlock(proof, read):
    d = read(room=optional(size_of_buffer), cycle=every(proof.schedule.number))
    yield f"no execution of {held_by(proof.schedule, d.room)} ends", d
    before = proof.schedule.before(d.room)
    require(d.cycle, "an empty cycle")
    for x, y in zip(d.cycle, d.cycle[1:] + d.cycle[:1]):
        require(x in before[y], f"step {y} does not wait for step {x}")


def schedule_race_free(proof, read):
    two = f"every two steps of the schedule {proof.schedule.marked} that touch one chunk, one of them writing,"
    yield f"{two} run in one order in every execution", read()
    proof.schedule.require_race_free()


def schedule_race(proof, read):
    schedule = proof.schedule
    d = read(steps=every(schedule.number, 2), in_place=flag, buffer=one_of(BUFFERS), chunk=size_of_buffer)
    one, two = (schedule.steps[x] for x in d.steps)
    at = [f"thread block {x.block}, step {x.place}" for x in (one, two)]
    how = "in place" if d.in_place else "out of place"
    place = f"{d.buffer}[{d.chunk}] of rank {two.rank}, {how}"
    yield f"{at[0]} and {at[1]} of the schedule {schedule.marked}, one of them writing, have no order on {place}", d
    require(d.in_place in schedule.in_place, "it is not called so")
    require(d.chunk < schedule.sizes[d.buffer][two.rank], "the buffer has no such chunk")
    schedule.order()  # else they may never run
    slot = schedule.slot(two.rank, d.buffer, d.chunk, d.in_place)
    ways = [{writes for x, writes in schedule.touched(y, d.in_place) if x == slot} for y in (one, two)]
    require(all(ways) and True in ways[0] | ways[1], "they do not both touch it, one of them writing")
    if one is two:
        require(slot in schedule.overlap(one, d.in_place), "it is one step, which does not overlap itself there")
        return
    before = schedule.before(None)
    for start, stop in (d.steps, d.steps[::-1]):
        found, todo = {stop}, [stop]
        for x in todo:
            new = set(before[x]) - found
            found |= new
            todo += new
        require(start not in found, f"step {start} ends before step {stop}")


def schedule_result(proof, read):
    schedule = proof.schedule
    what = f"all ranks have what {schedule.collective} asks for"
    yield f"after every execution of the schedule {schedule.marked} {what}", read()
    schedule.require_right()


def schedule_reduction_orders(proof, read):
    d = read(value=nat)
    name, orders = proof.schedule.marked, counted(d.value, "order")
    yield f"by the schedule {name} the ranks add up one chunk in at most {orders}, and some chunk in so many", d
    found = proof.schedule.require_right()
    require(found == d.value, f"in {found}")


def schedule_wrong_result(proof, read):
    schedule = proof.schedule
    d = read(order=every(schedule.number), in_place=flag, rank=schedule.rank, chunk=size_of_buffer)
    how = "in place" if d.in_place else "out of place"
    what = f"o[{d.chunk}] of rank {d.rank} does not have what {schedule.collective} asks for"
    yield f"after some execution of the schedule {schedule.marked}, {how}, {what}", d
    schedule.require_asked()
    require(d.in_place in schedule.in_place, "it is not called so")
    place = {x: k for k, x in enumerate(d.order)}
    require(len(place) == len(d.order) == len(schedule.steps), "every step once was expected")
    for number, found in enumerate(schedule.before(None)):
        require(all(place[x] < place[number] for x in found), f"step {number} comes too early")
    ends = {(rank, k): of for rank, k, _, of in schedule.run(d.order, d.in_place)}
    wanted = schedule.wanted(d.rank, d.chunk)
    require((d.rank, d.chunk) in ends and wanted is not None, "it is asked for nothing there")
    require(ends[d.rank, d.chunk] != wanted, "it has")


def schedule_time(proof, read, **evidence):
    """Its claim, what it is about, and for how long each channel is busy with [i, j] -> chunks."""
    readable(proof.network is not None, "a time is of a schedule on a network")
    schedule, network = proof.schedule, proof.network
    d = read(routing=proof.routing, ranks=every(network.terminal, schedule.ranks), value=fraction, **evidence)
    own = schedule.collective in (*ROOTED, "all-to-all")
    unit = Fraction(schedule.chunks, 1 if own else schedule.ranks)

    def busy(sent, channels):
        demand = {(d.ranks[i], d.ranks[j]): n for (i, j), n in sent.items()}
        for c, load in d.routing.loads_under(channels, demand):
            yield load / (unit * network.bandwidth[c] * d.routing.scale)

    on = f"the schedule {schedule.marked} on {words_of_ranks(network, d.ranks)}, under {d.routing.called}"
    return d, f"a unit of {schedule.collective} by {on}, takes at", busy


def schedule_time_at_least(proof, read):
    d, words, busy = schedule_time(proof, read, channel=proof.channel)
    yield f"{words} least {shown(d.value)} cycles", d
    require_placed(proof.schedule, d.ranks)
    found = sum((y for x in proof.schedule.phases() for y in busy(x, [d.channel])), Fraction(0))
    require(found >= d.value, f"channel {d.channel} is busy for {shown(found)}")


def schedule_time_at_most(proof, read):
    d, words, busy = schedule_time(proof, read)
    yield f"{words} most {shown(d.value)} cycles", d
    require_placed(proof.schedule, d.ranks)
    every_one = range(len(proof.network.channels))
    found = sum((max(busy(x, every_one), default=Fraction(0)) for x in proof.schedule.phases()), Fraction(0))
    require(found <= d.value, f"the phases take {shown(found)}")


def require_placed(schedule, ranks):
    distinct(ranks, "a rank")
    require(schedule.collective != "custom", "what a unit of a custom collective is is not known")


# 10. Destination graphs.


class Graph:
    def __init__(self, data):
        d = fields(data, name=text, radix=below(1 << 16), dimensions=below(64), paths=raw)
        readable(d.radix > 1 and d.dimensions > 0, "radix at least 2, dimensions at least 1")
        self.name, self.radix, self.dimensions = d.name, d.radix, d.dimensions
        self.node = below(self.radix**self.dimensions)
        self.move = below(LARGEST), below(self.dimensions + 1), below(self.radix)  # step, digit, amount
        self.paths = every(every(listed(*self.move)), self.radix**self.dimensions)(d.paths)
        readable(all(min(move) > 0 for path in self.paths for move in path), "steps, digits and amounts are from 1")

    def plus(self, a, b, sign=1):
        """a + b (or a - b), digit by digit."""
        units = [self.radix**k for k in range(self.dimensions)]
        return sum((a // unit + sign * (b // unit)) % self.radix * unit for unit in units)

    def check(self):
        self.before = []  # by node: what its moves before each one subtract together
        for x, path in enumerate(self.paths):
            require(all(one[0] < two[0] for one, two in zip(path, path[1:])), f"the steps of node {x} do not ascend")
            sums = [0]
            for _, digit, amount in path:
                sums.append(self.plus(sums[-1], amount * self.radix ** (self.dimensions - digit)))
            require(sums[-1] == x, f"the moves of node {x} do not lead to 0")
            self.before.append(sums)


def without_meeting(proof, read):
    graph = proof.graph
    d = read(slots=every(listed(*graph.move, below(2), graph.node)))
    many_one = d.kind == "many-one"
    different = "origins" if many_one else "origins and destinations"
    yield f"by the graph {quoted(graph.name)}, no two packets of different {different} meet", d
    table = {(step, digit, amount): common for step, digit, amount, *common in d.slots}
    require(len(table) == len(d.slots), "a slot comes twice")
    for x, path in enumerate(graph.paths):
        for move, prefix in zip(path, graph.before[x]):
            own = [0, prefix], [1, graph.plus(x, prefix, -1)]
            fits = table.get(tuple(move)) in own[: 1 if many_one else 2]
            require(fits, f"move {move} of node {x} has not what its slot has in common")


def meeting(proof, read):
    graph = proof.graph
    d = read(packets=listed(*[listed(graph.node, graph.node)] * 2), step=pos)
    (a, z), (b, y) = d.packets
    yield f"by the graph {quoted(graph.name)}, packets from {a} to {z} and from {b} to {y} meet at step {d.step}", d
    require(a != b and (d.kind == "not-many-one" or z != y), "they have one origin, or one destination")
    moves = []
    for origin, destination in d.packets:
        x = graph.plus(origin, destination, -1)
        path = zip(graph.paths[x], graph.before[x])
        moves += [(graph.plus(origin, prefix, -1), move) for move, prefix in path if move[0] == d.step]
    require(len(moves) == 2 and moves[0] == moves[1], "they make no common move at this step")


def steps(proof, read):
    d = read(value=nat)
    yield f"the last move of the graph {quoted(proof.graph.name)} is at step {d.value}", d
    require(max((move[0] for path in proof.graph.paths for move in path), default=0) == d.value, "it is not")


def minimum(proof, read):
    d, graph = read(), proof.graph
    yield f"by the graph {quoted(graph.name)} every node makes as many moves as it has digits that are not 0", d
    for x, path in enumerate(graph.paths):
        digits = sum(x // graph.radix**k % graph.radix > 0 for k in range(graph.dimensions))
        require(len(path) == digits, f"node {x} makes {len(path)} moves, and has {digits} digits")


PACKETS_MEET_NOT = {
    "many-one": "no two packets of different origins meet",
    "permutation": "no two packets of different origins and destinations meet",
}
MOST_CHOICES = 4000


def steps_at_least(_, read):
    d = read(graphs=one_of(tuple(PACKETS_MEET_NOT)), radix=below(1 << 16), dimensions=below(64), value=pos,
             lemmas=optional(LEMMAS))  # fmt: skip
    readable(d.radix > 1 and d.dimensions > 0, "radix at least 2, dimensions at least 1")
    readable(d.lemmas is None or d.graphs == "permutation", "lemmas are of permutations")
    digits = f"{counted(d.dimensions, 'digit')} to the base {d.radix}"
    graphs = f"every graph of {digits} by which {PACKETS_MEET_NOT[d.graphs]}"
    yield f"the last move of {graphs} is at step {d.value} or later", d
    if d.lemmas is not None:
        require(d.value <= d.dimensions + 1, "the clauses are about graphs of as many steps as digits")
        require_refuted(clauses_of_orders(d.radix, d.dimensions), d.lemmas)
        return
    nodes, slots = d.radix**d.dimensions, d.dimensions * (d.radix - 1) * (d.value - 1)  # of fewer steps
    few = slots < nodes - 1 if d.graphs == "many-one" else (1 + slots // 2) * (1 + (slots + 1) // 2) < nodes
    t, k = d.radix - 1, d.dimensions
    tight = d.graphs == "permutation" and k > 2 and 6 * t ** (k - 2) > k * k * (k - 1)
    require(d.value <= k + tight or few, "counting proves less")


def clauses_of_orders(radix, dimensions):
    """Every node without a digit 0 corrects its digits in some order, one a step; two that make one move at one step
    have the same digits corrected before it, or after it."""
    count = (radix - 1) ** dimensions
    for k in range(1, dimensions + 1):
        count *= k
        require(count <= MOST_CHOICES, f"there are more than {MOST_CHOICES} nodes and orders")
    orders, clauses, slots = list(itertools.permutations(range(dimensions))), [], defaultdict(list)
    for at, node in enumerate(itertools.product(range(1, radix), repeat=dimensions)):
        first = 1 + at * len(orders)
        clauses.append(list(range(first, first + len(orders))))
        for variable, order in enumerate(orders, first):
            for n, i in enumerate(order):
                sides = (tuple((m, node[m]) for m in sorted(some)) for some in (order[:n], order[n + 1 :]))
                slots[n, i, node[i]].append((variable, *sides))
    for members in slots.values():
        for (x, *one), (y, *two) in itertools.combinations(members, 2):
            if one[0] != two[0] and one[1] != two[1]:
                clauses.append([-x, -y])
    return clauses


SIDES = {"at-most": "of at most", "at-least": "of at least", "above": "above"}
MOST_SPLITS, MOST_TERMS, MOST_BITS = 200_000, 6_000_000, 250_000


def split_chance(_, read):
    """A fair hash: every flow takes a member with a probability of its weight over the sum of all, independently."""
    d = read(flows=pos, weights=every(pos), counts=optional(every(nat)), away=optional(fraction),
             side=one_of(tuple(SIDES)), value=fraction)  # fmt: skip
    readable(2 <= len(d.weights) <= 128 and d.flows <= 50_000, "2 to 128 members and at most 50000 flows")
    readable((d.counts is None) != (d.away is None), "one of counts and away must be null")
    readable(d.counts is None or len(d.counts) == len(d.weights), "a count of each member was expected")
    hashed = f"{counted(d.flows, 'flow')} that a fair hash divides as {':'.join(map(str, d.weights))}"
    chance = f"with a probability {SIDES[d.side]} {shown(d.value)}"
    if d.counts is not None:
        yield f"of {hashed}, the split is no likelier than {':'.join(map(str, d.counts))} {chance}", d
        require(sum(d.counts) == d.flows, "the counts do not sum to the flows")
    else:
        yield f"of {hashed}, some member takes {shown(d.away)} or more flows above or below its share {chance}", d
    everything = sum(d.weights)
    require(d.flows * everything.bit_length() <= MOST_BITS, "the fractions are too long")
    whole = everything**d.flows
    found = Fraction(unlikely(d.counts, d.weights) if d.counts is not None else whole - nearer(d), whole)
    true = {"at-most": found <= d.value, "at-least": found >= d.value, "above": found > d.value}[d.side]
    require(true, f"it is {shown(found)}")


def unlikely(counts, weights):
    """In how many ways, each member of weight w counted as w, the flows are split no likelier than so."""
    n, mine = sum(counts), 1
    splits = 1
    for k in range(1, len(weights)):
        splits = splits * (n + k) // k
        require(len(weights) == 2 or splits <= MOST_SPLITS, f"there are more than {MOST_SPLITS} splits")
    left = n
    for k, w in zip(counts, weights):
        mine, left = mine * comb(left, k) * w**k, left - k
    return sum(x for x in ways(n, weights) if x <= mine)


def ways(n, weights):
    if len(weights) == 1:
        yield weights[0] ** n
        return
    first = 1
    for k in range(n + 1):
        if len(weights) == 2:
            first = weights[1] ** n if k == 0 else first * (n - k + 1) * weights[0] // (k * weights[1])
            yield first
        else:
            yield from (first * x for x in ways(n - k, weights[1:]))
            first = first * (n - k) * weights[0] // (k + 1)


def nearer(d):
    """In how many ways all members are nearer to their shares."""
    n, everything, spans = d.flows, sum(d.weights), []
    for w in d.weights:
        share = Fraction(n * w, everything)
        spans.append((max(0, (share - d.away) // 1 + 1), min(n, -(-(share + d.away) // 1) - 1)))
    if len(spans) == 2:
        inside = range(max(spans[0][0], n - spans[1][1]), min(spans[0][1], n - spans[1][0]) + 1)
        return sum(x for k, x in enumerate(ways(n, d.weights)) if k in inside)
    require((n + 1) * sum(max(0, b - a + 1) for a, b in spans) <= MOST_TERMS, "there are too many splits")
    found = [1] + [0] * n
    for w, (low, high) in zip(d.weights, spans):
        power = [w**j for j in range(low, high + 1)]
        found = [sum(comb(k, low + j) * x * found[k - low - j] for j, x in enumerate(power) if low + j <= k)
                 for k in range(n + 1)]  # fmt: skip
    return found[n]


# 11. Names.  The format's page defines some.  What is as its name is defined stands without quotation marks.

GRIDS = {
    "torus": "torus",
    "ring": "torus",
    "hypercube": "torus",
    "mesh": "mesh",
    "hyperx": "hyperx",
    "complete": "hyperx",
}
SETS = re.compile(r"permutations|uniform|routable|sparse:[1-9][0-9]{0,8}")


class Grid:
    """A torus, mesh or HyperX: nodes are numbered row by row, the last coordinate fastest."""

    def __init__(self, kind, radices):
        self.kind, self.radices, self.size, self.units = kind, radices, 1, []
        for k in reversed(radices):
            self.units.insert(0, self.size)
            self.size *= k

    def at(self, v):
        return [v // unit % k for unit, k in zip(self.units, self.radices)]

    def node(self, x):
        return sum(y % k * unit for y, k, unit in zip(x, self.radices, self.units))

    def moved(self, v, m, step):
        y = v // self.units[m] % self.radices[m]
        return v + ((y + step) % self.radices[m] - y) * self.units[m]

    def steps(self, m, y):
        """What channels add to coordinate m where it is y, in the order of the channels."""
        k = self.radices[m]
        if self.kind == "hyperx":
            return range(1, k)
        if self.kind == "mesh":
            return [step for step in (1, -1) if 0 <= y + step < k]
        return [1] if k == 2 else [1, -1]

    def channels(self):
        """(node, dimension, step), in the order of the channels."""
        places = range(len(self.radices))
        return ((v, m, step) for v in range(self.size) for m in places for step in self.steps(m, self.at(v)[m]))

    def ways(self, m, y, z, tie):
        """The shortest ways from y to z along dimension m: [(probability, steps)]."""
        k, ahead = self.radices[m], (z - y) % self.radices[m]
        if self.kind == "hyperx":
            return [(Fraction(1), [ahead] * (ahead > 0))]
        if self.kind == "mesh":
            return [(Fraction(1), [1] * (z - y) + [-1] * (y - z))]
        forth, back = [1] * ahead, [-1] * (k - ahead)
        if 2 * ahead == k > 2 and tie != "plus":
            return [(Fraction(1, 2), forth), (Fraction(1, 2), back)]
        return [(Fraction(1), forth if 2 * ahead <= k else back)]


def grid_called(name):
    family, _, rest = name.partition(":")
    numbers = rest.split("x")
    if family not in GRIDS or not all(re.fullmatch("[1-9][0-9]{0,6}", x) for x in numbers) or len(numbers) > 64:
        return None
    radices = [int(x) for x in numbers]
    if family in ("ring", "hypercube", "complete") and len(radices) > 1:
        return None
    if family == "hypercube":
        radices = [2] * min(radices[0], 64)
    return Grid(GRIDS[family], radices) if min(radices) > 1 else None


class GridRouting:
    """Dimension order in two phases: through the destination, through a node of the minimal quadrant, or any node."""

    def __init__(self, grid, via, tie, orders):
        self.grid, self.via, self.tie, self.orders = grid, via, tie, orders  # an order: dimensions, or None: random
        self.number = {place: c for c, place in enumerate(grid.channels())}
        self.found, self.shifted = {}, {}

    def walks(self, m, y, z):
        """[(probability, steps of the first phase, steps of the second)] from y to z along dimension m."""

        def ways(y, z):
            return self.grid.ways(m, y, z, self.tie)

        direct, k = ways(y, z), self.grid.radices[m]
        if self.via == "destination":
            return [(p, way, []) for p, way in direct]
        if self.via == "quadrant" and not (self.tie == "union" and len(direct) == 2):
            return [(p / (len(way) + 1), way[:n], way[n:]) for p, way in direct for n in range(len(way) + 1)]
        both = ((first, second) for w in range(k) for first in ways(y, w) for second in ways(w, z))
        return [(p * q / k, one, two) for (p, one), (q, two) in both]

    def paths_between(self, x, z):
        """(probability, [(dimension, step), ...]); a path may come more than once."""
        for walk in itertools.product(*(self.walks(m, x[m], z[m]) for m in range(len(x)))):
            phases = []
            for part, order in enumerate(self.orders):
                steps = [w[part + 1] for w in walk]
                moving = [m for m in order or range(len(x)) if steps[m]]
                every_order = itertools.permutations(moving) if order is None else [moving]
                phases.append([[(m, step) for m in one for step in steps[m]] for one in every_order])
            chance = Fraction(1)
            for p, *_ in walk:
                chance *= p
            both = list(itertools.product(*phases))
            for parts in both:
                yield chance / len(both), list(itertools.chain(*parts))

    def is_moved_by(self, symmetry):
        """Are all senders images of others by translations, along which the definition is the same?"""
        grid = self.grid
        at = [grid.at(v) for v in range(grid.size)]
        axes = list(zip(*at, grid.radices, grid.units)) if grid.kind != "mesh" else []
        for s, base in symmetry.base.items() if axes else ():
            by = [a - b for a, b in zip(at[s], at[base])]
            each = ([(y + step) % k * unit for y in own] for (*own, k, unit), step in zip(axes, by))
            if [sum(x) for x in zip(*each)] != list(symmetry.images[s][0]):
                return False
        return bool(axes)

    def moves(self, x, z, by_paths):
        """{path or channel: probability or load} from x to z; channels as (node, dimension, step)."""
        found = Counter()
        for chance, path in self.paths_between(x, z):
            v, places = self.grid.node(x), []
            for m, step in path:
                places.append((v, m, step))
                v = self.grid.moved(v, m, step)
            for what in [tuple(places)] if by_paths else places:
                found[what] += chance
        return found

    def mean(self, v, phase):
        """Mean loads from v to all nodes in the first phase, or to v from all nodes in the second."""
        if ("mean", v, phase) not in self.found:
            one = GridRouting(self.grid, "destination", self.tie, self.orders[phase : phase + 1])
            one.found, one.shifted, found = self.found, self.shifted, Counter()
            for w in range(self.grid.size):
                for c, n in one.flow(*((v, w), (w, v))[phase], False).items():
                    found[c] += n
            self.found["mean", v, phase] = Counter({c: n / self.grid.size for c, n in found.items()})
        return self.found["mean", v, phase]

    def flow(self, s, t, by_paths):
        """{path or channel: probability or load} from node s to t, by moving that of another pair to s."""
        grid = self.grid
        if self.via == "anywhere" and not by_paths:
            return self.mean(s, 0) + self.mean(t, 1)
        x, z = grid.at(s), grid.at(t)
        if grid.kind != "mesh":
            x, z = [0] * len(x), [b - a for a, b in zip(x, z)]
            z = grid.at(grid.node(z))
        elif self.via != "anywhere":
            x, z = [max(0, a - b) for a, b in zip(x, z)], [max(0, b - a) for a, b in zip(x, z)]
        key, shift = (*x, *z), grid.node([a - b for a, b in zip(grid.at(s), x)])
        if key not in self.found:
            self.found[key] = self.moves(x, z, by_paths)
        if shift not in self.shifted:
            by = grid.at(shift)
            self.shifted[shift] = [grid.node([a + b for a, b in zip(grid.at(v), by)]) for v in range(grid.size)]
        to, number = self.shifted[shift], self.number
        if not by_paths:
            return {number[to[v], m, step]: n for (v, m, step), n in self.found[key].items()}
        return {tuple(number[to[v], m, step] for v, m, step in x): n for x, n in self.found[key].items()}


class ShortestPaths:
    """Per hop: every channel that comes nearer is as likely; per path: every shortest path is.  ``failed``: channels
    that are gone."""

    def __init__(self, network, per_path, failed=()):
        self.channels, self.per_path, self.failed, self.tables = network.channels, per_path, failed, {}
        self.leaving, self.arriving = defaultdict(list), defaultdict(list)
        for c, (tail, head, _) in enumerate(network.channels):
            if c not in failed:
                self.leaving[tail].append(c)
                self.arriving[head].append(tail)

    def is_moved_by(self, _):
        """Automorphisms of the network take shortest paths to shortest paths; they may not keep what failed."""
        return not self.failed

    def joins_all(self, network):
        """Is there a path for all pairs of terminals?"""
        return all(s in self.table(t)[0] for t in network.receivers for s in network.senders)

    def table(self, t):
        """By node from which t is reached: its hops to t, and of how many shortest paths."""
        if t not in self.tables:
            hops, count, found = {t: 0}, Counter({t: 1}), [t]
            for v in found:
                for u in self.arriving[v]:
                    if u not in hops:
                        hops[u] = hops[v] + 1
                        found.append(u)
                    if hops[u] == hops[v] + 1:
                        count[u] += count[v]
            self.tables[t] = hops, count
        return self.tables[t]

    def next(self, v, t):
        hops, count = self.table(t)
        nearer = [(c, self.channels[c][1]) for c in self.leaving[v] if hops.get(self.channels[c][1]) == hops[v] - 1]
        return [(Fraction(count[w], count[v]) if self.per_path else Fraction(1, len(nearer)), c, w) for c, w in nearer]

    def flow(self, s, t, by_paths):
        if s not in self.table(t)[0]:
            return {}
        found, at = Counter(), {(s, ()): Fraction(1)}  # by node, and, of paths, by the channels on the way there
        for _ in range(self.table(t)[0][s]):
            after = Counter()
            for (v, path), n in at.items():
                for p, c, w in self.next(v, t):
                    found[c] += n * p
                    after[w, (*path, c) if by_paths else ()] += n * p
            at = after
        return {path: n for (_, path), n in at.items()} if by_paths else found


def routing_called(name, network):
    """What the page defines under this name on this network, or None."""
    if name in ("minimal:choice=per-path", PER_HOP):
        return ShortestPaths(network, name.endswith("path"))
    family, colon, rest = name.partition(":")
    words, grid = rest.split(",") if colon else [], network.grid
    options = dict(word.split("=") for word in words if word.count("=") == 1)
    if grid is None or len(options) < len(words) or list(options) not in ([], ["tie"], ["order"], ["tie", "order"]):
        return None
    size, tie, order = len(grid.radices), options.get("tie", "split"), options.get("order")
    letters = "xyzw"[:size] if size <= 4 else "0123456789"[:size]
    natural = list(range(size))

    def read(word):
        return [letters.index(x) for x in word] if sorted(word) == sorted(letters) and len(letters) == size else 0

    if tie not in ("split", "union" if family == "romm" else "plus"):
        return None
    if family == "o1turn" and size == 2 and order is None:
        return GridRouting(grid, "destination", tie, [None])
    if family == "dor":
        one = natural if order is None else None if order == "random" else read(order)
        return None if one == 0 else GridRouting(grid, "destination", tie, [one])
    if family == "valiant":
        one = natural if order is None else read(order)
        return GridRouting(grid, "anywhere", tie, [one, one]) if one else None
    if family == "romm":
        both = [None, None] if order is None else [read(word) for word in order.split("-")]
        return GridRouting(grid, "quadrant", tie, both) if len(both) == 2 and 0 not in both else None
    return None


def is_defined_network(network, grid):
    """Is it this grid, with channels of bandwidth 1, numbered as on the page, and one terminal at each node?"""
    most = len(network.channels)
    if grid is None or grid.size != network.nodes or grid.size > most:
        return False
    ends = [[v, grid.moved(v, m, step)] for v, m, step in itertools.islice(grid.channels(), most + 1)]
    same = ends == [x[:2] for x in network.channels] and set(network.bandwidth) == {1}
    return same and network.terminals == [[v, v] for v in range(grid.size)]


def is_defined_routing(routing, defined):
    """Has every pair just the loads, or just the paths, that the definition has?"""
    try:
        routing.require_complete()
    except DoesNotHold:
        return False
    if defined is None:
        return False
    moved = routing.symmetry is not None and defined.is_moved_by(routing.symmetry)
    for pair, flow in zip(routing.pairs, routing.flows) if moved else routing.every_flow():
        found = Counter()
        for x in flow:
            found[tuple(x[1]) if routing.by_paths else x[0]] += x[0] if routing.by_paths else x[1]
        wanted = defined.flow(*routing.between.nodes(pair), routing.by_paths)
        once = routing.by_paths or len(found) == len(flow)
        if not once or found.keys() != wanted.keys() or any(n != wanted[x] * routing.scale for x, n in found.items()):
            return False
    return True


def is_uniform(network, matrices):
    """Is it one matrix, with the rate 1 / T for every pair of terminals at different nodes?"""
    if len(matrices) > 1:
        return False
    entries, scale = matrices[0].entries, matrices[0].scale
    apart = {(i, j) for i, j, _ in entries if len(set(network.ends(i, j))) == 2}
    whole = len(apart) == len(entries) == Between(network, "terminals").count
    return whole and all(n * len(network.terminals) == scale for *_, n in entries)


def named(name, found, known):
    """How a name stands in the words of claims, and at the head of what is printed; ``found``: the name, if defined."""
    if found is not None:
        return found, found if found == name else f"{found}, called {quoted(name)} by the proof"
    return quoted(name), f"called {quoted(name)} by the proof" + (", and not as this name is defined" if known else "")


# 12. What was read, in words.


def counted(n, what, many=None):
    return f"{n} {what if n == 1 else many or what + 's'}"


def span(values, scale):
    least, most = Fraction(min(values), scale), Fraction(max(values), scale)
    return shown(least) if least == most else f"{shown(least)} to {shown(most)}"


def counts(values, what, many=None):
    least, most = min(values), max(values)
    return counted(most, what, many) if least == most else f"{least} to {counted(most, what, many)}"


def words_of_network(network):
    widths = f" of bandwidth {span([b for *_, b in network.channels], network.scale)}" if network.channels else ""
    channels, terminals = counted(len(network.channels), "channel"), counted(len(network.terminals), "terminal")
    return f"network {network.title}: {counted(network.nodes, 'node')}, {channels}{widths}, {terminals}"


def words_of_routing(routing):
    used = f", with {counted(routing.virtual, 'virtual channel')}" if routing.by_paths else ""
    if routing.symmetry is not None:
        used = (
            f", {counted(len(routing.pairs), 'pair')} and their images by {counted(len(routing.symmetry.maps), 'map')}"
        )
    return f"by {'paths' if routing.by_paths else 'loads'} between {routing.between.word}{used}"


# 13. Subjects: what somebody wants to know something about, in a file of its own.


class Subject:
    """A network, routings and sets (or a graph), each written out as in a proof, or by a name that the page defines."""

    def __init__(self, data):
        d = fields(data, format=text, version=raw, network=raw, routings=every(raw), demands=every(raw), graph=raw,
                   **with_schedule(data))  # fmt: skip
        known = d.format == "routeproof/subject" and type(d.version) is int and d.version in (1, 2, 3)
        readable(known, "--about: another format; routeproof/subject, version 1 to 3, was expected")
        own = network_by_name(d.network) if type(d.network) is str else d.network
        try:
            self.network, self.graph, self.schedule = parts_of(SimpleNamespace(**{**vars(d), "network": own}))
        except Unreadable as error:
            raise Unreadable(f"--about: {error}") from None
        network = self.network
        if network is not None and type(d.network) is not str:
            network.grid = None  # routings on grids have names where the network has
        self.routings = [x if type(x) is str else Routing(network, x, d.version) for x in d.routings]
        self.sets = [x if type(x) is str else FAMILIES[kind_of(x, FAMILIES)](network, x) for x in d.demands]
        for x in self.routings:
            unknown = type(x) is str and routing_called(x, network) is None
            readable(not unknown, f"--about: the page defines no routing {quoted(str(x))} on this network")
        for x in self.sets:
            unknown = type(x) is str and not SETS.fullmatch(x)
            readable(not unknown, f"--about: the page defines no set of demands {quoted(str(x))}")
        try:
            for part in (self.graph, self.schedule, *self.routings, *self.sets):
                if part is not None and type(part) is not str:
                    part.check()
        except DoesNotHold as error:
            raise Unreadable(f"--about: {error}") from None

    def require(self, proof):
        """The proof is about this network, these routings and these sets, and about no others."""
        require((self.graph is None) == (proof.graph is None), "the proof is about another subject")
        if self.graph is not None:
            of = [(x.radix, x.dimensions, x.paths) for x in (self.graph, proof.graph)]
            require(of[0] == of[1], "the proof is about another graph")
            return
        of = [None if x.schedule is None else x.schedule.content for x in (self, proof)]
        require(of[0] == of[1], "the proof is about another schedule")
        require((self.network is None) == (proof.network is None), "the proof is about another network, or none")
        if self.network is None:
            return
        mine, its = self.network, proof.network
        sizes = [(x.nodes, len(x.channels), len(x.terminals)) for x in (mine, its)]
        other = "the proof is about another network: "
        names = "nodes, channels and terminals"
        require(sizes[0] == sizes[1], f"{other}of {sizes[1]} {names}, where the subject has {sizes[0]}")
        require(mine.terminals == its.terminals, other + "its terminals are at other nodes")
        for c, (a, b) in enumerate(zip(mine.channels, its.channels)):
            require(a[:2] == b[:2] and mine.bandwidth[c] == its.bandwidth[c], f"{other}channel {c} is another one")
        ordered = {claim["routing"] for claim, kind in zip(proof.claims, proof.kinds) if kind in OF_PATHS}
        for k, routing in enumerate(proof.routings):
            same = any(same_routing(x, routing, k in ordered) for x in self.routings)
            require(same, f"routing {k + 1} of the proof ({routing.title}) is none of the subject's")
        for k, x in enumerate(self.routings):
            same = any(same_routing(x, routing, False) for routing in proof.routings)
            require(same, f"routing {k + 1} of the subject is none of the proof's")
        for k, demands in enumerate(proof.sets):
            same = any(same_set(x, demands) for x in self.sets)
            require(same, f"set {k + 1} of the proof ({demands.title}) is none of the subject's")
        for k, x in enumerate(self.sets):
            require(any(same_set(x, y) for y in proof.sets), f"set {k + 1} of the subject is none of the proof's")


def network_by_name(name):
    grid = grid_called(name)
    readable(grid is not None and grid.size <= 1 << 20, f"--about: the page defines no network {quoted(name)}")
    ends = [[v, grid.moved(v, m, step), 1] for v, m, step in grid.channels()]
    terminals = [[v, v] for v in range(grid.size)]
    return {"name": name, "nodes": grid.size, "scale": 1, "channels": ends, "terminals": terminals}


def same_routing(mine, its, by_paths):
    """``mine``: a name, or a routing; ``by_paths``: claims are about its paths, and not just about loads."""
    if type(mine) is str:
        return is_defined_routing(its, routing_called(mine, its.network))
    either = by_paths or (mine.by_paths and its.by_paths)
    return (mine.by_paths == its.by_paths or not either) and flows_of(mine, either) == flows_of(its, either)


def flows_of(routing, by_paths):
    """By pair of terminals, its loads, or its paths with their virtual channels."""
    found = defaultdict(Counter)
    for pair, flow in routing.every_flow():
        for hop in flow:
            if not routing.by_paths:
                found[pair][hop[0]] += Fraction(hop[1], routing.scale)
            for what in [(*hop[1], *hop[2])] if by_paths and routing.by_paths else hop[1] if routing.by_paths else []:
                found[pair][what] += Fraction(hop[0], routing.scale)
    return {member: flow for pair, flow in found.items() for member in routing.between.members(pair)}


def same_set(mine, its):
    if type(mine) is str:
        return its.marked == mine
    return type(mine) is type(its) and mine.content() == its.content()


# 14. The whole.

FAMILIES = {"transport": Transport, "matrices": Matrices, "routable": Routable}
ABOUT_NETWORKS = {
    "worst-case-at-most": worst_case_at_most, "worst-case-at-least": worst_case_at_least, "alike": alike,
    "single-link-failure": single_link_failure,
    "unsaturated-below": unsaturated_below, "path-length": path_length, "minimal-path-length": minimal_path_length,
    "best-load-at-least": best_load_at_least, "best-path-length-at-least": best_path_length_at_least,
    "best-load-among-paths-at-least": best_load_among_paths_at_least,
    "best-path-length-among-paths-at-least": best_path_length_among_paths_at_least,
    "tables": tables, "tables-at-least": tables_at_least,
    "flow-at-least": flow_at_least, "flow-at-most": flow_at_most, "deadlock-free": deadlock_free, "deadlock": deadlock,
    "virtual-channels-at-least": virtual_channels_at_least,
    "deadlock-free-with-bubbles": deadlock_free_with_bubbles, "deadlock-free-with-classes": deadlock_free_with_classes,
    "escape-acyclic": escape_acyclic, "escape-cycle": escape_cycle,
    "quotient": quotient, "collective-at-most": collective_at_most, "collective-at-least": collective_at_least,
    "all-reduce-at-most": all_reduce_at_most, "all-reduce-at-least": all_reduce_at_least, "phases-take": phases_take,
    "bandwidth": bandwidth, "least-time": least_time, "times-optimal": times_optimal,
    "phases-meet": phases_meet, "shared-channel": shared_channel,
    "blocked-call": blocked_call, "never-blocked": never_blocked,
    "calls-at-once": calls_at_once, "calls-cut": calls_cut,
    "neighbours-at-most": neighbours_at_most, "neighbours-at-least": neighbours_at_least,
}  # fmt: skip
ABOUT_SCHEDULES = {
    "schedule-deadlock-free": schedule_deadlock_free, "schedule-deadlock": schedule_deadlock,
    "schedule-race-free": schedule_race_free, "schedule-race": schedule_race,
    "schedule-result": schedule_result, "schedule-wrong-result": schedule_wrong_result,
    "schedule-reduction-orders": schedule_reduction_orders,
    "schedule-time-at-least": schedule_time_at_least, "schedule-time-at-most": schedule_time_at_most,
}  # fmt: skip
OF_PATHS = [kind for kind in ABOUT_NETWORKS if kind.startswith(("deadlock", "escape", "virtual-channels"))]
ABOUT_GRAPHS = {
    "many-one": without_meeting, "permutation": without_meeting, "not-many-one": meeting, "not-permutation": meeting,
    "steps": steps, "minimum": minimum,
}  # fmt: skip
ABOUT_NUMBERS = {"steps-at-least": steps_at_least, "split-chance": split_chance}


def kind_of(data, known):
    kind = data.get("kind") if type(data) is dict else None
    readable(type(kind) is str and kind in known, "an unknown kind")
    return kind


def with_schedule(data):
    """The key that files of version 3 have more."""
    return {"schedule": raw} if type(data) is dict and data.get("version") == 3 else {}


def parts_of(d):
    """The network, the graph and the schedule: None where there is none."""
    schedule = getattr(d, "schedule", None)
    if d.version == 4:
        readable(d.network is None and d.graph is None, "version 4 is for claims about numbers alone")
    elif d.version == 3:
        readable(schedule is not None and d.graph is None, "version 3 is for schedules")
    else:
        readable((d.network is None) != (d.graph is None), "one of network and graph must be null")
    readable(d.network is not None or not d.routings + d.demands, "routings or demands without a network")
    return optional(Network)(d.network), optional(Graph)(d.graph), optional(Schedule)(schedule)


class Proof:
    def __init__(self, data):
        d = fields(data, format=text, version=raw, network=raw, routings=every(raw), demands=every(raw), graph=raw,
                   claims=every(raw), not_elaborated=every(listed(text, text)), **with_schedule(data))  # fmt: skip
        known = d.format == "routeproof/proof" and type(d.version) is int and d.version in (1, 2, 3, 4)
        readable(known, "another format, or a version that this checker does not know")
        readable(d.claims, "a proof has at least one claim")
        self.network, self.graph, self.schedule = parts_of(d)
        self.routings = [Routing(self.network, x, d.version) for x in d.routings]
        self.sets = [FAMILIES[kind_of(x, FAMILIES)](self.network, x) for x in d.demands]
        for what, parts in (("routing", self.routings), ("set", self.sets)):  # names need not differ
            for k, part in enumerate(parts):
                part.called = f"{what} {k + 1} ({part.marked})"
        self.channel = self.network.channel if self.network else None
        self.claims, self.not_elaborated, self.kinds, self.read, self.checks = d.claims, d.not_elaborated, [], [], []
        known = {**ABOUT_NUMBERS, **(ABOUT_GRAPHS if self.graph else {}), **(ABOUT_SCHEDULES if self.schedule else {})}
        known.update(ABOUT_NETWORKS if self.network else {})
        if d.version == 1:
            known.pop("alike", None)
        for self.number, claim in enumerate(d.claims):
            kind = kind_of(claim, known)
            check = known[kind](self, lambda claim=claim, **readers: fields(claim, kind=raw, **readers))
            words, read = next(check)
            self.kinds.append(kind)
            self.read.append(read)
            self.checks.append((words, check))

    def routing(self, x):
        return self.routings[below(len(self.routings))(x)]

    def routing_in_full(self, x):
        readable(self.routing(x).symmetry is None, "a claim about deadlock is about a routing without symmetry")
        return self.routing(x)

    def set(self, x):
        return self.sets[below(len(self.sets))(x)]

    def require_uniform(self, demands):
        """The set is one matrix: every terminal sends 1 / T to every one at another node."""
        require(isinstance(demands, Matrices) and demands.marked == "uniform", "capacity is of uniform demand")

    def lines(self):
        """What was read, line by line."""
        if self.graph is not None:
            size = self.graph.radix**self.graph.dimensions
            digits = f"{counted(self.graph.dimensions, 'digit')} to the base {self.graph.radix}"
            return [f"graph called {quoted(self.graph.name)} by the proof: {size} nodes of {digits}"]
        if self.network is None and self.schedule is None:
            return ["no network: claims about numbers alone"]
        found = [] if self.schedule is None else [self.schedule.words()]
        found += [] if self.network is None else [words_of_network(self.network)]
        found += [f"routing {k + 1} ({x.title}): {words_of_routing(x)}" for k, x in enumerate(self.routings)]
        return found + [f"set {k + 1} ({x.title}): {x.words()}" for k, x in enumerate(self.sets)]

    def check(self, say, subject=None):
        for part in (self.graph, self.schedule, *self.routings, *self.sets):
            if part is not None:
                part.check()
        if subject is not None:
            subject.require(self)
        for k, (words, check) in enumerate(self.checks):
            try:
                for _ in check:
                    pass
            except DoesNotHold as error:
                raise DoesNotHold(f"claim {k + 1} ({self.kinds[k]}: {words}): {error}") from None
            say(f"{k + 1}. {words}: holds")
        for what, reason in self.not_elaborated:
            say(f"not in this proof: {quoted(what)} ({quoted(reason)})")


def main(arguments):
    try:
        usage = "one file was expected: python check_proof.py PROOF.json [--about SUBJECT.json]"
        readable(len(arguments) == 1 or (len(arguments) == 3 and arguments[1] == "--about"), usage)
        proof = Proof(load_json(arguments[0]))
        subject = Subject(load_json(arguments[2])) if arguments[1:] else None
    except (Unreadable, OSError, ValueError, RecursionError, MemoryError) as error:
        print(f"unreadable: {str(error)[:200]!a}")
        return 2
    for line in proof.lines():
        print(line)
    try:
        proof.check(print, subject)
    except DoesNotHold as error:
        print(f"does not hold: {error}")
        return 1
    print(f"{len(proof.checks)} claims hold" + (f", about the subject of {quoted(arguments[2])}" if subject else ""))
    return 0


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except (KeyboardInterrupt, OSError, MemoryError) as error:  # Ctrl-C, or what is printed cannot be written
        print(f"stopped: {type(error).__name__}", file=sys.stderr)
        os._exit(2)
    sys.exit(status)
