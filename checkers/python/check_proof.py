#!/usr/bin/env python3
"""A checker of proofs (format routeproof/proof, version 1), written from docs/proof-format.md alone.

    python check_proof.py PROOF.json

Every claim is printed in words, then whether it holds.  Exit status 0: all claims hold; 1: the first that does not;
2: the file cannot be read as a proof.  Standard library, Python 3.9 or later; it shares no code with routeproof.

Read it like a paper: how a file is read (1), what networks and routings (2), sets of demands (3) and distances (4) are,
then one function for each kind of claim (5 to 8).  Such a function reads its claim, yields what it says in words, and
goes on with the checks: the whole file is read before anything is checked.  All numbers are whole numbers or fractions.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from fractions import Fraction
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


def refuse(what):
    raise Unreadable(f"{what[:20]} is no whole number")


def plain(digits):
    readable(len(digits) <= 17 and abs(int(digits)) <= LARGEST and digits != "-0", f"the number {digits[:20]}")
    return int(digits)


def unique(pairs):
    readable(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)


def load_json(path):
    with open(path, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    readable(len(content) <= MOST_BYTES, f"more than {MOST_BYTES} bytes")
    hooks = {"object_pairs_hook": unique, "parse_int": plain, "parse_float": refuse, "parse_constant": refuse}
    return json.loads(content.decode("utf-8"), **hooks)


def integer(x):
    if type(x) is int:
        return x
    readable(type(x) is str and DIGITS.fullmatch(x), f"a whole number was expected, not {str(x)[:30]!a}")
    return int(x)


def nat(x):
    n = integer(x)
    readable(n >= 0, f"{str(n)[:30]} is negative")
    return n


def pos(x):
    n = integer(x)
    readable(n > 0, f"{str(n)[:30]} is not positive")
    return n


def fraction(x):
    return Fraction(*listed(integer, pos)(x))


def raw(x):
    return x


def shown(value):
    return str(value) if max(abs(value.numerator), value.denominator) < 10**60 else f"a fraction, about {float(value):.9g},"


def text(x):
    readable(type(x) is str, "a text was expected")
    return x


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


def fields(**readers):
    def read(x):
        readable(type(x) is dict and set(x) == set(readers), f"an object with the keys {sorted(readers)} was expected")
        return SimpleNamespace(**{key: reader(x[key]) for key, reader in readers.items()})

    return read


def quoted(name):
    return json.dumps(name if len(name) <= 60 else name[:57] + "...")


def distinct(values, what):
    require(len(set(values)) == len(values), f"{what} comes twice")


# 2. Networks and routings.


class Network:
    def __init__(self, data):
        d = fields(name=text, nodes=pos, scale=pos, channels=raw, terminals=raw)(data)
        self.name, self.nodes, self.node = d.name, d.nodes, below(d.nodes)
        self.channels = every(listed(self.node, self.node, pos))(d.channels)
        self.bandwidth = [Fraction(b, d.scale) for _, _, b in self.channels]
        self.terminals = every(listed(self.node, self.node))(d.terminals)
        readable(self.terminals, "a network has at least one terminal")
        self.channel, self.terminal = below(len(self.channels)), below(len(self.terminals))
        self.senders, self.receivers = defaultdict(list), defaultdict(list)  # by node: its terminals
        for t, (source, sink) in enumerate(self.terminals):
            self.senders[source].append(t)
            self.receivers[sink].append(t)
        self.distances = every(listed(self.node, every(integer, self.nodes)))
        self.amounts = every(listed(self.channel, pos))  # [[c, n], ...]
        self.entries = every(listed(self.terminal, self.terminal, pos))  # [[i, j, n], ...]

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

    def members(self, pair):
        """The pairs of terminals that are routed as this pair."""
        if not self.of_nodes:
            return [pair]
        senders, receivers = self.network.senders.get(pair[0], ()), self.network.receivers.get(pair[1], ())
        return [(i, j) for i in senders for j in receivers]

    def pair(self, i, j):
        return self.network.ends(i, j) if self.of_nodes else (i, j)

    def require_pairs(self, pairs, *, all_of_them=False):
        distinct(pairs, "a pair")
        for pair in pairs:
            a, b = self.nodes(pair)
            apart = a != b and a in self.network.senders and b in self.network.receivers
            require(apart, f"{pair} is no pair of {self.word} between which packets are sent")
        require(not all_of_them or len(pairs) == self.count, f"{len(pairs)} of {self.count} pairs are routed")


class Routing:
    """After ``check``, ``load[c][pair]`` over ``scale`` is the load of channel c from ``pair``."""

    def __init__(self, network, data):
        d = fields(name=text, between=text, scale=pos, loads=raw, paths=raw)(data)
        self.network, self.name, self.scale, self.between = network, d.name, d.scale, Between(network, d.between)
        readable((d.loads is None) != (d.paths is None), "one of loads and paths must be null")
        path = listed(pos, every(network.channel), every(below(256)))
        self.by_paths, end = d.loads is None, self.between.end
        entries = every(listed(end, end, every(path) if self.by_paths else network.amounts))(d.paths if self.by_paths else d.loads)
        hops = [(c, v) for *_, paths in entries for _, c, v in paths] if self.by_paths else []
        readable(all(len(c) == len(v) for c, v in hops), "a path has as many virtual channels as channels")
        self.pairs, self.flows = [(i, j) for i, j, _ in entries], [x for *_, x in entries]

    def check(self):
        self.between.require_pairs(self.pairs, all_of_them=True)
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
                require(self.network.excess(flow) == {start: self.scale, end: -self.scale}, f"no unit flow of {pair}")
                for c, n in flow:
                    self.load[c][pair] = n

    def loads_under(self, channels, demand):
        """(c, the load of channel c under {(i, j): n}, times ``scale``)."""
        sent = Counter()
        for (i, j), n in demand.items():
            sent[self.between.pair(i, j)] += n
        for c in channels:
            few, many = sorted((sent, self.load[c]), key=len)
            yield c, sum(n * many[pair] for pair, n in few.items() if pair in many)

    def dependencies_of(self, flow):
        """Which (channel, virtual channel) packets of a pair may hold while they ask for which other one."""
        if self.by_paths:
            hops = [list(zip(path, virtual)) for _, path, virtual in flow]
            return {(one, two) for path in hops for one, two in zip(path, path[1:])}
        ends = self.network.channels
        return {((c, 0), (e, 0)) for c, _ in flow for e, _ in flow if ends[c][1] == ends[e][0]}

    def dependencies(self):
        return ((pair, *two) for pair, flow in zip(self.pairs, self.flows) for two in self.dependencies_of(flow))

    def average_path_length(self):
        sums = Counter()
        for load in self.load:
            for pair, n in load.items():
                sums[pair] += n
        total = sum(n * len(self.between.members(pair)) for pair, n in sums.items())
        return Fraction(total, self.scale * len(self.network.terminals) ** 2)


# 3. Sets of demands, and demands: {(i, j): n}, over a weight.


def by_pair(entries):
    distinct([(i, j) for i, j, *_ in entries], "a pair of terminals")
    return {(i, j): rest[0] if len(rest) == 1 else tuple(rest) for i, j, *rest in entries}


class Transport:
    def __init__(self, network, data):
        size, end = len(network.terminals), network.terminal
        limits, pairs = optional(every(nat, size)), optional(every(listed(end, end, nat, optional(nat))))
        d = fields(kind=text, name=text, scale=pos, rows=limits, columns=limits, total=optional(nat), pairs=pairs)(data)
        self.network, self.name, self.scale, self.entries = network, d.name, d.scale, d.pairs
        self.rows, self.columns, self.total = d.rows, d.columns, d.total
        self.because = lambda x: readable(x is None, "because: null was expected")
        self.evidence = every(listed(network.channel, pos, every(nat, size), every(nat, size), nat))

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
            require(low * weight <= n and (high is None or n <= high * weight), f"the demand of {pair} is out of bounds")

    def require_at_most(self, routing, channels, value, evidence, strict=False):
        require_each(channels, [x[0] for x in evidence])
        for c, over, u, v, x in evidence:
            limited = all(y is not None for y, used in ((self.rows, any(u)), (self.columns, any(v)), (self.total, x)) if used)
            require(limited, f"channel {c} has a multiplier of what has no limit")
            u, v, x, load = [y * routing.scale for y in u], [y * routing.scale for y in v], x * routing.scale, routing.load[c]
            of_rows = sum(a * b for a, b in zip(u, self.rows or u) if a)
            bound = of_rows + sum(a * b for a, b in zip(v, self.columns or v) if a) + x * (self.total or 0)
            for pair, n in load.items() if self.bounds is None else ():
                for i, j in routing.between.members(pair):
                    require(n * over <= u[i] + v[j] + x, f"channel {c}: the multipliers of {i} and {j} are too small")
            for (i, j), (low, high) in (self.bounds or {}).items():
                rest = load.get(routing.between.pair(i, j), 0) * over - u[i] - v[j] - x
                require(rest <= 0 or high is not None, f"channel {c}: the multipliers of {i} and {j} are too small")
                bound += rest * (high if rest > 0 else low)
            bound, most = Fraction(bound, routing.scale * over * self.scale), value * self.network.bandwidth[c]
            require(bound <= most, f"channel {c}: the multipliers prove {bound}, not {most}")
            require(not strict or bound < most or of_rows > 0, f"channel {c} may be saturated at a smaller rate")


class Matrices:
    def __init__(self, network, data):
        d = fields(kind=text, name=text, matrices=every(fields(name=text, scale=pos, entries=network.entries)))(data)
        self.network, self.name, self.listed = network, d.name, d.matrices
        readable(self.listed, "a set of matrices has at least one")
        self.because, self.evidence = every(nat, len(self.listed)), every(nat, 0)

    def check(self):
        self.matrices = [(by_pair(x.entries), x.scale) for x in self.listed]

    def require_admits(self, demand, weight, because):
        require(sum(because) == weight, "the parts of the mixture do not sum to its weight")
        mixture = Counter()
        for k, (matrix, scale) in zip(because, self.matrices):
            for pair, n in matrix.items() if k else ():
                mixture[pair] += Fraction(k * n, scale)
        require(mixture == Counter(demand), "the demand is not this mixture of matrices")

    def require_at_most(self, routing, channels, value, _):
        for matrix, scale in self.matrices:
            for c, load in routing.loads_under(channels, matrix):
                load = Fraction(load, routing.scale * scale)
                require(load <= value * self.network.bandwidth[c], f"channel {c} carries {load} under a matrix")


class Routable:
    def __init__(self, network, data):
        self.network, self.name = network, fields(kind=text, name=text)(data).name
        self.because = every(listed(network.terminal, network.terminal, pos, every(network.channel)))
        self.evidence = every(listed(network.channel, every(nat, len(network.channels)), network.distances))

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
        require(carried == apart, "the paths do not carry the demand")
        for c, n in used.items():
            require(n <= weight * self.network.bandwidth[c], f"the paths overload channel {c}")

    def require_at_most(self, routing, channels, value, evidence):
        require_each(channels, [x[0] for x in evidence])
        require(value >= 0, "a load is not negative")
        for c, length, distances in evidence:
            p, most = feasible(self.network, distances, length), value * self.network.bandwidth[c] * routing.scale
            budget = sum(x * b for x, b in zip(length, self.network.bandwidth) if x)
            require(budget or not routing.load[c], f"channel {c} is loaded, and its lengths are 0")
            for pair, n in routing.load[c].items():
                s, v = routing.between.nodes(pair)
                require(s in p and n * budget <= most * (p[s][v] - p[s][s]), f"channel {c}: {pair} is not far enough apart")


FAMILIES = {"transport": Transport, "matrices": Matrices, "routable": Routable}


class Demand:
    def __init__(self, network, demands, data):
        d = fields(weight=pos, entries=network.entries, because=demands.because)(data)
        self.demands, self.weight, self.entries, self.because = demands, d.weight, d.entries, d.because

    def check(self):
        """{(i, j): n}, which is found to be in the set."""
        found = by_pair(self.entries)
        self.demands.require_admits(found, self.weight, self.because)
        return found


def require_each(channels, found):
    distinct(found, "evidence for a channel")
    require(set(found) == set(channels), f"evidence for {len(found)} channels; it is about {len(channels)}, or others")


# 4. Distances: {s: p}; along no channel p grows by more than its length, so p[v] - p[s] is at most that of any path.


def feasible(network, distances, length):
    distinct([s for s, _ in distances], "a node's distances")
    for _, p in distances:
        for (tail, head, _), x in zip(network.channels, length):
            require(p[head] <= p[tail] + x, f"a distance grows by more than the length between nodes {tail} and {head}")
    return dict(distances)


# 5. Claims about a routing.


def under(d):
    return f"under the routing {quoted(d.routing.name)}, with demands {quoted(d.demands.name)}"


def worst_case_at_most(proof, claim):
    channels = optional(every(proof.channel))
    d = fields(kind=text, routing=proof.routing, demands=proof.set, channels=channels, value=fraction, evidence=raw)(claim)
    evidence = d.demands.evidence(d.evidence)
    readable(d.channels != [], "channels: at least one was expected")
    each = "no channel" if d.channels is None else f"none of {len(d.channels)} channels ({str(d.channels[:3])[1:-1]}...)"
    yield f"{under(d)}, {each} carries more than {shown(d.value)} times its bandwidth", d.value
    distinct(d.channels or [], "a channel")
    channels = range(len(proof.network.channels)) if d.channels is None else d.channels
    d.demands.require_at_most(d.routing, channels, d.value, evidence)


def worst_case_at_least(proof, claim):
    d = fields(kind=text, routing=proof.routing, demands=proof.set, channel=proof.channel, value=fraction, demand=raw)(claim)
    demand = Demand(proof.network, d.demands, d.demand)
    yield f"{under(d)}, channel {d.channel} may carry at least {shown(d.value)} times its bandwidth", d.value
    ((c, load),) = d.routing.loads_under([d.channel], demand.check())
    load = Fraction(load, d.routing.scale * demand.weight)
    require(load >= d.value * proof.network.bandwidth[c], f"the demand loads channel {c} with {shown(load)}")


def unsaturated_below(proof, claim):
    d = fields(kind=text, routing=proof.routing, demands=proof.set, evidence=raw)(claim)
    readable(isinstance(d.demands, Transport) and d.demands.rows is not None, "a transport set with rows was expected")
    evidence = d.demands.evidence(d.evidence)
    yield f"{under(d)}, no channel is saturated if all rows are reduced by one factor below 1", None
    d.demands.require_at_most(d.routing, range(len(proof.network.channels)), Fraction(1), evidence, strict=True)


def path_length(proof, claim):
    d = fields(kind=text, routing=proof.routing, value=fraction)(claim)
    yield f"under the routing {quoted(d.routing.name)} the average path length is {shown(d.value)}", d.value
    found = d.routing.average_path_length()
    require(found == d.value, f"it is {shown(found)}")


def deadlock_free(proof, claim):
    order = every(every(integer, len(proof.network.channels)))
    d = fields(kind=text, routing=proof.routing, virtual=pos, order=order)(claim)
    readable(d.virtual <= 256 and len(d.order) == d.virtual, "order: one list for each virtual channel was expected")
    yield f"the routing {quoted(d.routing.name)} cannot deadlock, with {d.virtual} virtual channels to a channel", None
    require(d.routing.by_paths or d.virtual == 1, "a routing by loads has one virtual channel to a channel")
    for pair, first, second in d.routing.dependencies():
        (c, v), (e, w) = first, second
        require(max(v, w) < d.virtual, f"a path of {pair} has virtual channel {max(v, w)}")
        require(d.order[v][c] < d.order[w][e], f"no rise from channel {c} ({v}) to {e} ({w}), which {pair} depends on")


def deadlock(proof, claim):
    end = proof.any_end
    d = fields(kind=text, routing=proof.routing, cycle=every(listed(proof.channel, below(256), end, end)))(claim)
    yield f"the routing {quoted(d.routing.name)} has a cycle of {len(d.cycle)} dependencies", None
    require(len(d.cycle) > 1, "a cycle has at least two channels")
    of = dict(zip(d.routing.pairs, d.routing.flows))
    for (c, v, i, j), (e, w, *_) in zip(d.cycle, d.cycle[1:] + d.cycle[:1]):
        require((i, j) in of, f"{(i, j)} is no pair of the routing")
        require(((c, v), (e, w)) in d.routing.dependencies_of(of[i, j]), f"channel {e} does not follow {c} from {i} to {j}")


# 6. Claims about all routings.


def best_line(proof, claim, what):
    """S, M and hops T^2 of the inequality  M w + hops T^2 H >= S  of every routing, after what it says."""
    network, size = proof.network, len(proof.network.channels)
    d = fields(kind=text, demands=proof.set, between=text, hops=nat, within=optional(fraction), value=fraction,
               adversaries=every(raw, size), distances=raw)(claim)  # fmt: skip
    between = Between(network, d.between)
    rows = every(listed(between.end, between.end, every(integer, network.nodes)))(d.distances)
    adversaries = [None if x is None else Demand(network, d.demands, x) for x in d.adversaries]
    limit = "" if d.within is None else f" whose {what[1]} is at most {shown(d.within)}"
    yield (f"with demands {quoted(d.demands.name)}, every routing between {d.between}{limit} has "
           f"{what[0]} of at least {shown(d.value)}"), d.value  # fmt: skip
    lengths, total = defaultdict(Counter), Fraction(0)
    for c, adversary in enumerate(adversaries):
        if adversary is not None:
            total += adversary.weight * network.bandwidth[c]
            for (i, j), n in adversary.check().items():
                lengths[between.pair(i, j)][c] += n
    between.require_pairs([(i, j) for i, j, _ in rows])
    cost = 0
    for i, j, p in rows:
        a, b = between.nodes((i, j))
        own, hops = lengths[i, j], d.hops * len(between.members((i, j)))
        for c, (tail, head, _) in enumerate(network.channels):
            require(p[head] <= p[tail] + hops + own[c], f"of {(i, j)}, a distance grows too much along channel {c}")
        cost += p[b] - p[a]
    yield d, cost, total, d.hops * len(network.terminals) ** 2


def limited(d, coefficient):
    """The limit on the other quantity, which is there just where it counts."""
    require((d.within is not None) == (coefficient > 0), "within: a limit is needed just where its side counts")
    require(d.within is None or d.within >= 0, "within is negative")
    return d.within or 0


def best_load_at_least(proof, claim):
    line = best_line(proof, claim, ("a worst-case load", "average path length"))
    yield next(line)
    d, cost, load, hops = next(line)
    require(load > 0 and cost - hops * limited(d, hops) >= d.value * load, "the adversaries prove less")


def best_path_length_at_least(proof, claim):
    line = best_line(proof, claim, ("an average path length", "worst-case load"))
    yield next(line)
    d, cost, load, hops = next(line)
    require(hops > 0 and cost - load * limited(d, load) >= d.value * hops, "the adversaries prove less")


def flow_at_least(proof, claim):
    network = proof.network
    d = fields(kind=text, demands=proof.set, value=fraction, demand=raw, lengths=every(nat, len(network.channels)),
               distances=network.distances)(claim)  # fmt: skip
    demand = Demand(network, d.demands, d.demand)
    yield (f"with demands {quoted(d.demands.name)}, some demand loads a channel with at least {shown(d.value)} times its "
           f"bandwidth, however it is routed"), d.value  # fmt: skip
    p, cost = feasible(network, d.distances, d.lengths), 0
    for (i, j), n in demand.check().items():
        s, v = network.ends(i, j)
        require(s == v or s in p, f"node {s} has no distances")
        cost += n * (p[s][v] - p[s][s]) if s != v else 0
    budget = sum(x * b for x, b in zip(d.lengths, network.bandwidth) if x)
    require(budget > 0 and cost >= d.value * demand.weight * budget, "the lengths prove less")


def flow_at_most(proof, claim):
    network = proof.network
    flows = every(every(listed(network.node, network.amounts)))
    d = fields(kind=text, demands=proof.set, value=fraction, scale=pos, flows=flows)(claim)
    readable(isinstance(d.demands, Matrices) and len(d.flows) == len(d.demands.listed), "a flow of each matrix")
    yield (f"each demand of {quoted(d.demands.name)} can be routed with at most {shown(d.value)} times the "
           f"bandwidth on every channel"), d.value  # fmt: skip
    for (matrix, scale), flow in zip(d.demands.matrices, d.flows):
        wanted, used = defaultdict(Counter), Counter()
        for (i, j), n in matrix.items():
            s, v = network.ends(i, j)
            if s != v:
                wanted[s][s] += Fraction(n * d.scale, scale)
                wanted[s][v] -= Fraction(n * d.scale, scale)
        distinct([s for s, _ in flow], "the flow from a node")
        for s, amounts in flow:
            distinct([c for c, _ in amounts], f"from node {s} a channel")
            require(network.excess(amounts) == wanted.pop(s, {}), f"the flow from node {s} is not what the matrix sends")
            for c, n in amounts:
                used[c] += n
        require(not wanted, f"the demand of nodes {sorted(wanted)[:5]} has no flow")
        for c, n in used.items():
            require(n <= d.value * network.bandwidth[c] * d.scale, f"the flows overload channel {c}")


def minimal_path_length(proof, claim):
    network = proof.network
    d = fields(kind=text, value=fraction, distances=network.distances)(claim)
    yield f"the average path length of shortest paths is {shown(d.value)}", d.value
    p = feasible(network, d.distances, [1] * len(network.channels))
    require(set(p) >= set(network.senders), "a node that sends has no distances")
    total, leaving = 0, defaultdict(list)
    for tail, head, _ in network.channels:
        leaving[tail].append(head)
    for s, sending in network.senders.items():
        require(p[s][s] == 0, f"node {s} is not at distance 0 from itself")
        reached, found = {s}, [s]
        for v in found:
            new = [w for w in leaving[v] if p[s][w] == p[s][v] + 1 and w not in reached]
            found += dict.fromkeys(new)
            reached.update(new)
        require(reached >= set(network.receivers), f"no path from node {s} has as few hops as its distance says")
        total += len(sending) * sum(p[s][v] * len(x) for v, x in network.receivers.items())
    require(Fraction(total, len(network.terminals) ** 2) == d.value, f"it is {total} hops between all pairs of terminals")


# 7. Quotients of claims before.

QUOTIENTS = {  # quantity: (kind of the numerator, None for 1; kinds of the denominator; "<=": the value is at most the quotient)
    "throughput-at-least": (None, ("worst-case-at-most",), "<="),
    "throughput-at-most": (None, ("worst-case-at-least",), ">="),
    "fraction-at-least": ("flow-at-least", ("worst-case-at-most",), "<="),
    "fraction-at-most": ("flow-at-most", ("worst-case-at-least",), ">="),
    "best-throughput-at-least": (None, ("flow-at-most",), "<="),
    "best-throughput-at-most": (None, ("best-load-at-least", "flow-at-least"), ">="),
    "best-fraction-at-most": ("flow-at-most", ("best-load-at-least",), ">="),
    "relative-path-length": ("path-length", ("minimal-path-length",), "=="),
    "relative-path-length-at-least": ("best-path-length-at-least", ("minimal-path-length",), "<="),
}


def quotient(proof, claim):
    d = fields(kind=text, quantity=text, value=fraction, over=below(proof.number), of=optional(below(proof.number)))(claim)
    readable(d.quantity in QUOTIENTS, "an unknown quotient")
    of, over, relation = QUOTIENTS[d.quantity]
    yield f"{d.quantity.replace('-', ' ')} {shown(d.value)} (from claims {d.over + 1}{'' if of is None else f', {d.of + 1}'})", d.value
    require(proof.kinds[d.over] in over and (None if d.of is None else proof.kinds[d.of]) == of, "it is of other claims")
    require(proof.values[d.over] > 0, "a division by what is not above 0")
    if "fraction" in d.quantity:
        proof.require_uniform(proof.claims[d.of]["demands"])
    found = (Fraction(1) if of is None else proof.values[d.of]) / proof.values[d.over]
    true = {"<=": d.value <= found, ">=": d.value >= found, "==": d.value == found}[relation]
    require(true, f"the quotient is {shown(found)}")


# 8. Destination graphs.


class Graph:
    def __init__(self, data):
        d = fields(name=text, radix=raw, dimensions=raw, paths=raw)(data)
        self.radix, self.dimensions = below(1 << 16)(d.radix), below(64)(d.dimensions)
        readable(self.radix > 1 and self.dimensions > 0, "radix at least 2, dimensions at least 1")
        self.name, self.size = d.name, self.radix**self.dimensions
        self.node, self.digit = below(self.size), below(self.dimensions + 1)
        self.move = (below(LARGEST), self.digit, below(self.radix))
        self.paths = every(every(listed(*self.move)), self.size)(d.paths)
        readable(all(min(move) > 0 for path in self.paths for move in path), "steps, digits and amounts are from 1")

    def plus(self, a, b, sign=1):
        """a + b (or a - b), digit by digit."""
        found, unit = 0, 1
        for _ in range(self.dimensions):
            found += (a // unit + sign * (b // unit)) % self.radix * unit
            unit *= self.radix
        return found

    def vector(self, digit, amount):
        return amount * self.radix ** (self.dimensions - digit)

    def check(self):
        self.before = []  # by node: what its moves before each one subtract together
        for x, path in enumerate(self.paths):
            require(all(one[0] < two[0] for one, two in zip(path, path[1:])), f"the steps of node {x} do not ascend")
            sums = [0]
            for _, digit, amount in path:
                sums.append(self.plus(sums[-1], self.vector(digit, amount)))
            require(sums[-1] == x, f"the moves of node {x} do not lead to 0")
            self.before.append(sums)


def slots(proof, claim):
    graph, many = proof.graph, claim["kind"] == "many-one"
    d = fields(kind=text, slots=every(listed(*graph.move, below(2), graph.node)))(claim)
    word = "origins" if many else "origins and destinations"
    yield f"of all packets by graph {quoted(graph.name)}, no two of different {word} meet", None
    distinct([tuple(x[:3]) for x in d.slots], "a slot")
    table = {tuple(x[:3]): x[3:] for x in d.slots}
    for x, path in enumerate(graph.paths):
        for k, move in enumerate(path):
            side, node = table.get(tuple(move), (0, None))
            prefix = graph.before[x][k]
            own = graph.plus(x, prefix, -1) if side else prefix
            require(node == own and not (many and side), f"node {x}'s move {move} does not agree with its slot")


def meeting(proof, claim):
    graph, many = proof.graph, claim["kind"] == "not-many-one"
    d = fields(kind=text, packets=listed(*[listed(graph.node, graph.node)] * 2), step=pos)(claim)
    (a, z), (b, y) = d.packets
    yield f"by graph {quoted(graph.name)}, the packets from {a} to {z} and from {b} to {y} meet at step {d.step}", None
    require(a != b and (many or z != y), "they have one origin, or one destination")
    places = []
    for origin, destination in d.packets:
        x = graph.plus(origin, destination, -1)
        places += [(graph.plus(origin, s, -1), *m[1:]) for m, s in zip(graph.paths[x], graph.before[x]) if m[0] == d.step]
    require(len(places) == 2 and places[0] == places[1], "they make no common move at this step")


def steps(proof, claim):
    d = fields(kind=text, value=nat)(claim)
    yield f"the last move of graph {quoted(proof.graph.name)} is at step {d.value}", None
    require(max((move[0] for path in proof.graph.paths for move in path), default=0) == d.value, "it is at another step")


def minimum(proof, claim):
    fields(kind=text)(claim)
    graph = proof.graph
    yield f"by graph {quoted(graph.name)} every node has as many moves as digits that are not 0", None
    for x, path in enumerate(graph.paths):
        digits = sum(x // graph.radix**k % graph.radix > 0 for k in range(graph.dimensions))
        require(len(path) == digits, f"node {x} has {len(path)} moves, and {digits} digits")


# 9. The whole.

ABOUT_NETWORKS = {
    "worst-case-at-most": worst_case_at_most, "worst-case-at-least": worst_case_at_least,
    "unsaturated-below": unsaturated_below, "path-length": path_length, "minimal-path-length": minimal_path_length,
    "best-load-at-least": best_load_at_least, "best-path-length-at-least": best_path_length_at_least,
    "flow-at-least": flow_at_least, "flow-at-most": flow_at_most, "deadlock-free": deadlock_free, "deadlock": deadlock,
    "quotient": quotient,
}  # fmt: skip
ABOUT_GRAPHS = {
    "many-one": slots, "permutation": slots, "not-many-one": meeting, "not-permutation": meeting, "steps": steps,
    "minimum": minimum,
}  # fmt: skip


class Proof:
    def __init__(self, data):
        d = fields(format=text, version=raw, network=raw, routings=every(raw), demands=every(raw), graph=raw,
                   claims=every(raw), not_elaborated=every(listed(text, text)))(data)  # fmt: skip
        readable(d.format == "routeproof/proof" and type(d.version) is int and d.version == 1, "another format or version")
        readable((d.network is None) != (d.graph is None) and d.claims, "one network or graph, and a claim, were expected")
        readable(d.graph is None or not d.routings + d.demands, "a graph has no routings or demands")
        self.network = None if d.network is None else Network(d.network)
        self.graph = None if d.graph is None else Graph(d.graph)
        self.routings = [Routing(self.network, x) for x in d.routings]
        self.sets = [self.family(x)(self.network, x) for x in d.demands]
        if self.network is not None:
            self.channel, self.any_end = self.network.channel, below(max(self.network.nodes, len(self.network.terminals)))
        known = ABOUT_GRAPHS if d.network is None else ABOUT_NETWORKS
        self.claims, self.not_elaborated, self.kinds, self.values, self.checks = d.claims, d.not_elaborated, [], [], []
        for self.number, claim in enumerate(d.claims):
            kind = claim.get("kind") if type(claim) is dict else None
            readable(type(kind) is str and kind in known, f"claim {self.number + 1} is of an unknown kind")
            check = known[kind](self, claim)
            words, value = next(check)
            self.kinds.append(kind)
            self.values.append(value)
            self.checks.append((words, check))

    @staticmethod
    def family(data):
        kind = data.get("kind") if type(data) is dict else None
        readable(type(kind) is str and kind in FAMILIES, "an unknown kind of demands")
        return FAMILIES[kind]

    def routing(self, x):
        return self.routings[below(len(self.routings))(x)]

    def set(self, x):
        return self.sets[below(len(self.sets))(x)]

    def require_uniform(self, demands):
        """The set is one matrix: every terminal sends 1 / T to every one at another node."""
        matrices, size = getattr(self.set(demands), "matrices", []), len(self.network.terminals)
        require(len(matrices) == 1, "capacity is about uniform demand")
        entries, scale = matrices[0]
        count = Between(self.network, "terminals").count
        apart = all(len(set(self.network.ends(i, j))) == 2 for i, j in entries)
        require(apart and len(entries) == count and all(n * size == scale for n in entries.values()), "this is not uniform demand")

    def check(self, say):
        for part in (self.graph, *self.routings, *self.sets):
            if part is not None:
                part.check()
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
        (path,) = arguments
        proof = Proof(load_json(path))
    except (Unreadable, OSError, ValueError, RecursionError, MemoryError) as error:
        print(f"unreadable: {str(error)[:200]!a}" if arguments else __doc__)
        return 2
    try:
        proof.check(print)
    except DoesNotHold as error:
        print(f"does not hold: {error}")
        return 1
    print(f"{len(proof.checks)} claims hold")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
