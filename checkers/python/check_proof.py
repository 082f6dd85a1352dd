#!/usr/bin/env python3
"""A checker of proofs (format routeproof/proof, version 1), written from docs/proof-format.md alone.

    python check_proof.py PROOF.json

Every claim is printed in words, then whether it holds.  Exit status 0: all claims hold; 1: the first that does not;
2: the file cannot be read as a proof, or the checker was stopped.  Standard library, Python 3.9 or later; it shares no
code with routeproof.

Read it like a paper: how a file is read (1), what networks and routings (2), sets of demands (3) and distances (4)
are, then one function for each kind of claim (5 to 8).  Such a function reads its claim, yields what the claim says and
what was read, and goes on with the checks: the whole file is read before anything is checked.  All numbers are exact.
"""

import json
import os
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
        self.bandwidth = [Fraction(b, d.scale) for _, _, b in self.channels]
        self.channel, self.terminal = below(len(self.channels)), below(len(self.terminals))
        self.senders, self.receivers = defaultdict(list), defaultdict(list)  # by node: its terminals
        for t, (source, sink) in enumerate(self.terminals):
            self.senders[source].append(t)
            self.receivers[sink].append(t)
        self.distances = every(listed(self.node, every(integer, self.nodes)))  # [[s, [p, ...]], ...]
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


class Routing:
    """After ``check``, ``load[c][pair]`` over ``scale`` is the load of channel c from ``pair``."""

    def __init__(self, network, data):
        d = fields(data, name=text, between=text, scale=pos, loads=raw, paths=raw)
        self.network, self.name, self.scale, self.between = network, d.name, d.scale, Between(network, d.between)
        self.by_paths, end = d.loads is None, self.between.end
        readable(self.by_paths != (d.paths is None), "one of loads and paths must be null")
        path = listed(pos, every(network.channel), every(below(256)))
        flow, data = (every(path), d.paths) if self.by_paths else (network.amounts, d.loads)
        found = every(listed(end, end, flow))(data)
        self.pairs, self.flows = [(i, j) for i, j, _ in found], [flow for *_, flow in found]
        hops = [hop for flow in self.flows for hop in flow] if self.by_paths else []
        readable(all(len(c) == len(v) for _, c, v in hops), "a path has as many virtual channels as channels")
        self.virtual = 1 + max((v for *_, taken in hops for v in taken), default=0)  # how many a channel has

    def check(self):
        self.between.require_pairs(self.pairs)
        require(len(self.pairs) == self.between.count, f"{len(self.pairs)} of {self.between.count} pairs are routed")
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

    def loads_under(self, channels, demand):
        """(c, the load of channel c under {(i, j): n}, times ``scale``)."""
        sent = Counter()
        for (i, j), n in demand.items():
            sent[self.between.pair(i, j)] += n
        for c in channels:
            few, many = sorted((sent, self.load[c]), key=len)
            yield c, sum(n * many[pair] for pair, n in few.items() if pair in many)

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

    def require_at_most(self, routing, channels, value, evidence, strict=False):
        require_each(channels, [x[0] for x in evidence])
        for c, over, u, v, x in evidence:
            for limit, used in ((self.rows, any(u)), (self.columns, any(v)), (self.total, x)):
                require(limit is not None or not used, f"channel {c} has a multiplier of what has no limit")
            scale, load = routing.scale, routing.load[c]
            u, v, x = [y * scale for y in u], [y * scale for y in v], x * scale
            of_rows = sum(a * b for a, b in zip(u, self.rows or u) if a)
            bound = of_rows + sum(a * b for a, b in zip(v, self.columns or v) if a) + x * (self.total or 0)
            for pair, n in load.items() if self.bounds is None else ():
                for i, j in routing.between.members(pair):
                    require(n * over <= u[i] + v[j] + x, f"channel {c}: the multipliers of {i} and {j} are too small")
            for (i, j), (low, high) in (self.bounds or {}).items():
                rest = load.get(routing.between.pair(i, j), 0) * over - u[i] - v[j] - x
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

    def check(self):
        self.matrices = [(by_pair(x.entries), x.scale) for x in self.listed]

    def require_admits(self, demand, weight, because):
        require(sum(because) == weight, "the parts of the mixture do not sum to its weight")
        mixture = Counter()
        for k, (matrix, scale) in zip(because, self.matrices):
            for pair, n in matrix.items() if k else ():
                mixture[pair] += Fraction(k * n, scale)
        require(dict(mixture) == demand, "the demand is not this mixture of matrices")

    def require_at_most(self, routing, channels, value, _):
        for matrix, scale in self.matrices:
            for c, load in routing.loads_under(channels, matrix):
                most = value * self.network.bandwidth[c] * routing.scale * scale
                require(load <= most, f"a matrix loads channel {c} with more")


class Routable:
    def __init__(self, network, data):
        self.network, self.name = network, fields(data, kind=raw, name=text).name
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
        require(dict(carried) == apart, "the paths do not carry the demand")
        for c, n in used.items():
            require(n <= weight * self.network.bandwidth[c], f"the paths overload channel {c}")

    def require_at_most(self, routing, channels, value, evidence):
        require_each(channels, [x[0] for x in evidence])
        require(value >= 0, "no load is below 0")
        for c, length, distances in evidence:
            p, budget = feasible(self.network, distances, length), self.network.cost(length)
            require(budget or not routing.load[c], f"channel {c} is loaded, and its lengths are 0")
            most = value * self.network.bandwidth[c] * routing.scale
            for pair, n in routing.load[c].items():
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


def require_each(channels, found):
    distinct(found, "evidence for a channel")
    require(set(found) == set(channels), f"evidence for {len(found)} channels, and not for those of the claim")


# 4. Distances: {s: p}; along no channel p grows by more than its length, so p[v] - p[s] is at most that of any path.


def feasible(network, distances, length):
    distinct([s for s, _ in distances], "the distances from a node")
    for _, p in distances:
        for (tail, head, _), x in zip(network.channels, length):
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


def unsaturated_below(proof, read):
    d = read(routing=proof.routing, demands=proof.set, evidence=raw)
    readable(isinstance(d.demands, Transport) and d.demands.rows is not None, "a transport set with rows was expected")
    evidence = d.demands.evidence(d.evidence)
    yield f"{under(d)}, no channel is saturated if all rows are reduced by one factor below 1", d
    d.demands.require_at_most(d.routing, range(len(proof.network.channels)), Fraction(1), evidence, strict=True)


def path_length(proof, read):
    d = read(routing=proof.routing, value=fraction)
    yield f"under {d.routing.called} the average path length is {shown(d.value)}", d
    total = sum(n * len(d.routing.between.members(pair)) for load in d.routing.load for pair, n in load.items())
    found = Fraction(total, d.routing.scale * len(proof.network.terminals) ** 2)
    require(found == d.value, f"it is {shown(found)}")


def on_virtual(routing, count):
    return f"{routing.called}, with {count} virtual channel{'s'[: count > 1]} to a channel"


def deadlock_free(proof, read):
    d = read(routing=proof.routing, virtual=pos, order=every(every(integer, len(proof.network.channels))))
    readable(d.virtual <= 256 and len(d.order) == d.virtual, "order: one list for each virtual channel was expected")
    yield f"{on_virtual(d.routing, d.virtual)}, cannot deadlock", d
    require(d.routing.by_paths or d.virtual == 1, "a routing by loads has one virtual channel to a channel")
    require(d.routing.virtual <= d.virtual, f"a path takes virtual channel {d.routing.virtual - 1}, counted from 0")
    for pair, flow in zip(d.routing.pairs, d.routing.flows):
        for (c, v), (e, w) in d.routing.dependencies(flow):
            rises = d.order[v][c] < d.order[w][e]
            require(rises, f"of {pair}, the order does not rise from channel {c} ({v}) to {e} ({w})")


def deadlock(proof, read):
    d = read(routing=proof.routing, cycle=raw)
    end = d.routing.between.end
    cycle = every(listed(proof.channel, below(256), end, end))(d.cycle)
    yield f"{on_virtual(d.routing, d.routing.virtual)}, has a cycle of {len(cycle)} dependencies", d
    require(len(cycle) > 1, "a cycle has at least two channels")
    flows = dict(zip(d.routing.pairs, d.routing.flows))
    for (c, v, i, j), (e, w, *_) in zip(cycle, cycle[1:] + cycle[:1]):
        follows = ((c, v), (e, w)) in d.routing.dependencies(flows.get((i, j), []))
        require(follows, f"packets from {i} to {j} do not go from channel {c} to {e}")


# 6. Claims about all routings.


def bound_on_all(proof, read, quantity, limited):
    """What is said and its value; then the claim and S, M and hops T^2 of  M w + hops T^2 H >= S  (see the page)."""
    network, size = proof.network, len(proof.network.channels)
    d = read(demands=proof.set, between=text, hops=nat, within=optional(fraction), value=fraction,
             adversaries=every(raw, size), distances=raw)  # fmt: skip
    between = Between(network, d.between)
    rows = every(listed(between.end, between.end, every(integer, network.nodes)))(d.distances)
    adversaries = [None if x is None else Demand(network, d.demands, x) for x in d.adversaries]
    d.limit = "" if d.within is None else f" whose {limited} is at most {shown(d.within)}"
    yield f"{every_routing(d)} has {quantity} of at least {shown(d.value)}", d
    lengths, total, cost = defaultdict(Counter), 0, 0
    for c, adversary in enumerate(adversaries):
        if adversary is not None:
            total += adversary.weight * network.bandwidth[c]
            for (i, j), n in adversary.check().items():
                lengths[between.pair(i, j)][c] += n
    between.require_pairs([(i, j) for i, j, _ in rows])
    for i, j, p in rows:
        (a, b), hops, own = between.nodes((i, j)), d.hops * len(between.members((i, j))), lengths[i, j]
        feasible(network, [(a, p)], [hops + own.get(c, 0) for c in range(size)])
        cost += p[b] - p[a]
    yield d, cost, total, d.hops * len(network.terminals) ** 2


def every_routing(d):
    return f"{given(d)}, every routing between {d.between}{d.limit}"


def limit_of(d, coefficient):
    """The limit on the other quantity, which is there just where it counts."""
    require((d.within is None) == (coefficient == 0), "within: a limit is needed just where its side counts")
    require(d.within is None or d.within >= 0, "within is negative")
    return d.within or 0


def best_load_at_least(proof, read):
    bound = bound_on_all(proof, read, "a worst-case load", "average path length")
    yield next(bound)
    d, cost, load, hops = next(bound)
    require(load > 0 and cost - hops * limit_of(d, hops) >= d.value * load, "the adversaries prove less")


def best_path_length_at_least(proof, read):
    bound = bound_on_all(proof, read, "an average path length", "worst-case load")
    yield next(bound)
    d, cost, load, hops = next(bound)
    require(hops > 0 and cost - load * limit_of(d, load) >= d.value * hops, "the adversaries prove less")


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

QUOTIENTS = {
    "throughput-at-least": (None, ["worst-case-at-most"], "<="),
    "throughput-at-most": (None, ["worst-case-at-least"], ">="),
    "fraction-at-least": ("flow-at-least", ["worst-case-at-most"], "<="),
    "fraction-at-most": ("flow-at-most", ["worst-case-at-least"], ">="),
    "best-throughput-at-least": (None, ["flow-at-most"], "<="),
    "best-throughput-at-most": (None, ["best-load-at-least", "flow-at-least"], ">="),
    "best-fraction-at-most": ("flow-at-most", ["best-load-at-least"], ">="),
    "price-of-obliviousness-at-least": ("best-load-at-least", ["worst-case-at-most", "flow-at-most"], "<="),
    "price-of-obliviousness-at-most": ("worst-case-at-most", ["flow-at-least"], ">="),
    "relative-path-length": ("path-length", ["minimal-path-length"], "=="),
    "relative-path-length-at-least": ("best-path-length-at-least", ["minimal-path-length"], "<="),
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
    if over.kind == "best-load-at-least":
        return f"{every_routing(over)} has a throughput of {bound}"
    if "best" in quantity:
        return f"{given(over)}, each routed as is best for it, the throughput is {bound}"
    return f"{under(over)}, the throughput is {bound}"


def quotient(proof, read):
    before = below(proof.number)
    d = read(quantity=text, value=fraction, over=before, of=optional(before))
    readable(d.quantity in QUOTIENTS, "an unknown quotient")
    kind, kinds, relation = QUOTIENTS[d.quantity]
    found = (d.of is None or proof.kinds[d.of]) == (kind or True) and proof.kinds[d.over] in kinds
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


# 8. Destination graphs.


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


# 9. The whole.

FAMILIES = {"transport": Transport, "matrices": Matrices, "routable": Routable}
ABOUT_NETWORKS = {
    "worst-case-at-most": worst_case_at_most, "worst-case-at-least": worst_case_at_least,
    "unsaturated-below": unsaturated_below, "path-length": path_length, "minimal-path-length": minimal_path_length,
    "best-load-at-least": best_load_at_least, "best-path-length-at-least": best_path_length_at_least,
    "flow-at-least": flow_at_least, "flow-at-most": flow_at_most, "deadlock-free": deadlock_free, "deadlock": deadlock,
    "quotient": quotient,
}  # fmt: skip
ABOUT_GRAPHS = {
    "many-one": without_meeting, "permutation": without_meeting, "not-many-one": meeting, "not-permutation": meeting,
    "steps": steps, "minimum": minimum,
}  # fmt: skip


def kind_of(data, known):
    kind = data.get("kind") if type(data) is dict else None
    readable(type(kind) is str and kind in known, "an unknown kind")
    return kind


class Proof:
    def __init__(self, data):
        d = fields(data, format=text, version=raw, network=raw, routings=every(raw), demands=every(raw), graph=raw,
                   claims=every(raw), not_elaborated=every(listed(text, text)))  # fmt: skip
        readable(d.format == "routeproof/proof" and type(d.version) is int and d.version == 1, "another format")
        readable((d.network is None) != (d.graph is None), "one of network and graph must be null")
        readable(d.claims and (d.graph is None or not d.routings + d.demands), "no claims, or routings of a graph")
        self.network, self.graph = optional(Network)(d.network), optional(Graph)(d.graph)
        self.routings = [Routing(self.network, x) for x in d.routings]
        self.sets = [FAMILIES[kind_of(x, FAMILIES)](self.network, x) for x in d.demands]
        for what, parts in (("routing", self.routings), ("set", self.sets)):  # names need not differ
            for k, part in enumerate(parts):
                part.called = f"{what} {k + 1} ({quoted(part.name)})"
        self.channel = self.network.channel if self.network else None
        self.claims, self.not_elaborated, self.kinds, self.read, self.checks = d.claims, d.not_elaborated, [], [], []
        known = ABOUT_NETWORKS if self.network else ABOUT_GRAPHS
        for self.number, claim in enumerate(d.claims):
            kind = kind_of(claim, known)
            check = known[kind](self, lambda claim=claim, **readers: fields(claim, kind=raw, **readers))
            words, read = next(check)
            self.kinds.append(kind)
            self.read.append(read)
            self.checks.append((words, check))

    def routing(self, x):
        return self.routings[below(len(self.routings))(x)]

    def set(self, x):
        return self.sets[below(len(self.sets))(x)]

    def require_uniform(self, demands):
        """The set is one matrix: every terminal sends 1 / T to every one at another node."""
        matrices, size = getattr(demands, "matrices", []), len(self.network.terminals)
        require(len(matrices) == 1, "capacity is of one matrix, that of uniform demand")
        (entries, scale), between = matrices[0], Between(self.network, "terminals")
        between.require_pairs(list(entries))
        uniform = len(entries) == between.count and all(n * size == scale for n in entries.values())
        require(uniform, "capacity is of uniform demand")

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
        readable(len(arguments) == 1, "one file was expected: python check_proof.py PROOF.json")
        proof = Proof(load_json(arguments[0]))
    except (Unreadable, OSError, ValueError, RecursionError, MemoryError) as error:
        print(f"unreadable: {str(error)[:200]!a}")
        return 2
    try:
        proof.check(print)
    except DoesNotHold as error:
        print(f"does not hold: {error}")
        return 1
    print(f"{len(proof.checks)} claims hold")
    return 0


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except (KeyboardInterrupt, OSError) as error:  # Ctrl-C, or what is printed cannot be written
        print(f"stopped: {type(error).__name__}", file=sys.stderr)
        os._exit(2)
    sys.exit(status)
