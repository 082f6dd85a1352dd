// A checker of proofs (format routeproof/proof, versions 1 to 4), written from docs/proof-format.md: the same checks, in the
// same order, as checkers/python/check_proof.py.  It knows nothing of the page around it, and runs in a worker.
//
// proofChecker().check(text, { read, holds }) returns { status, message }: 0 all claims hold, 1 the first that does not,
// 2 the text cannot be read as a proof.  read(words, lines) is called once, with the words of every claim, and with what
// was read besides, in lines; holds(number) for every claim that holds, counted from 1.  Whole numbers are BigInt.

function proofChecker() {
  'use strict';

  const LARGEST = Number.MAX_SAFE_INTEGER;
  const DEEPEST = 64;
  const DIGITS = /^(?:-?[1-9][0-9]{0,3999}|0)$/;

  class Unreadable extends Error {}
  class DoesNotHold extends Error {}

  const readable = (ok, what) => { if (!ok) throw new Unreadable(what); };
  const require = (ok, what) => { if (!ok) throw new DoesNotHold(what); };

  // 1. Reading.  JSON with no key twice and no number but whole ones; a reader takes a value, or throws Unreadable.

  function parse(text) {
    let at = 0;
    const token = (form) => {
      form.lastIndex = at;
      const found = form.exec(text);
      if (found !== null) at = form.lastIndex;
      return found === null ? null : found[0];
    };
    const blank = () => token(/[ \t\n\r]*/y);
    const next = (sign) => { blank(); if (text[at] !== sign) return false; at += 1; return true; };
    const string = () => {
      const start = at;
      readable(token(/"/y) !== null, `no text at character ${at}`);
      do token(/[^"\\\u0000-\u001f]*/y); while (token(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y) !== null);
      readable(token(/"/y) !== null, `a text does not end at character ${at}`);
      return JSON.parse(text.slice(start, at));
    };
    const number = () => {
      const found = token(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y);
      readable(found !== null, `no JSON at character ${at}`);
      const plain = /^-?[0-9]{1,16}$/.test(found) && found !== '-0' && Math.abs(Number(found)) <= LARGEST;
      readable(plain, `the number ${found.slice(0, 20)}`);
      return Number(found);
    };
    const value = (depth) => {
      readable(depth < DEEPEST, 'nested too deeply');
      blank();
      if (next('{')) {
        const found = new Map();
        if (next('}')) return found;
        do {
          blank();
          const key = string();
          readable(next(':') && !found.has(key), 'an object has a key twice, or without a value');
          found.set(key, value(depth + 1));
        } while (next(','));
        readable(next('}'), `an object does not end at character ${at}`);
        return found;
      }
      if (next('[')) {
        const found = [];
        if (next(']')) return found;
        do found.push(value(depth + 1)); while (next(','));
        readable(next(']'), `a list does not end at character ${at}`);
        return found;
      }
      if (text[at] === '"') return string();
      const word = token(/(?:true|false|null)(?![A-Za-z0-9_])/y);
      return word === null ? number() : JSON.parse(word);
    };
    const found = value(0);
    blank();
    readable(at === text.length, `more text at character ${at}`);
    return found;
  }

  const raw = (x) => x;
  const textOf = (x) => { readable(typeof x === 'string', 'a text was expected'); return x; };
  const integer = (x, least) => {
    readable(typeof x === 'number' || (typeof x === 'string' && DIGITS.test(x)), 'a whole number was expected');
    const found = BigInt(x);
    readable(least === undefined || found >= least, `a number is below ${least}`);
    return found;
  };
  const whole = (x) => integer(x);
  const nat = (x) => integer(x, 0n);
  const pos = (x) => integer(x, 1n);
  const below = (size) => (x) => {
    readable(typeof x === 'number' && x >= 0 && x < size, `an index below ${size} was expected`);
    return x;
  };
  const optional = (reader) => (x) => (x === null ? null : reader(x));
  const every = (reader, length) => (x) => {
    readable(Array.isArray(x) && (length === undefined || x.length === length), 'a list (of another length)');
    return x.map((y) => reader(y));
  };
  const listed = (...readers) => (x) => {
    readable(Array.isArray(x) && x.length === readers.length, `a list of ${readers.length} was expected`);
    return readers.map((reader, k) => reader(x[k]));
  };
  function fields(x, readers) {
    const keys = Object.keys(readers);
    readable(x instanceof Map && x.size === keys.length && keys.every((key) => x.has(key)),
      `an object with the keys ${keys.join(', ')} was expected`);
    return Object.fromEntries(keys.map((key) => [key, readers[key](x.get(key))]));
  }
  const fraction = (x) => { const [n, d] = listed(whole, pos)(x); return { n, d }; };

  // Exact arithmetic, and words.

  const times = (a, b) => ({ n: a.n * b.n, d: a.d * b.d });
  const less = (a, b) => a.n * b.d < b.n * a.d;
  const same = (a, b) => a.n * b.d === b.n * a.d;
  const ZERO = { n: 0n, d: 1n };
  const ONE = { n: 1n, d: 1n };
  const sum = (values) => values.reduce((a, b) => a + b, 0n);

  const LONG = 10n ** 4000n;
  // The values of all claims are shown in full; only what they are compared with may be longer than the format's.
  function shown(value) {
    let [a, b] = [value.n < 0n ? -value.n : value.n, value.d];
    while (b) [a, b] = [b, a % b];
    const [n, d] = [value.n / a, value.d / a];
    if (n >= LONG || -n >= LONG || d >= LONG) return 'a long fraction';
    return d === 1n ? String(n) : `${n}/${d}`;
  }
  // In full, as JSON in printable ASCII: all other characters are escaped, so that no name can look like another.
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const quoted = (name) => JSON.stringify(name).replace(/[^ -~]/g, escaped);
  const keyOf = (pair) => `${pair[0]},${pair[1]}`;
  const distinct = (values, what) => require(new Set(values).size === values.length, `${what} comes twice`);
  const add = (map, key, n) => map.set(key, (map.get(key) ?? 0n) + n);

  // 2. Networks and routings.

  class Network {
    constructor(data) {
      const d = fields(data, { name: textOf, nodes: pos, scale: pos, channels: raw, terminals: raw });
      this.nodes = Number(d.nodes);
      this.count = d.nodes;
      this.scale = d.scale;
      this.node = below(this.nodes);
      this.channels = every(listed(this.node, this.node, pos))(d.channels);
      this.terminals = every(listed(this.node, this.node))(d.terminals);
      readable(this.terminals.length, 'a network has at least one terminal');
      this.channel = below(this.channels.length);
      this.terminal = below(this.terminals.length);
      this.spectra = new Map();
      this.senders = new Map();
      this.receivers = new Map();
      this.terminals.forEach(([source, sink], t) => {
        this.senders.set(source, [...(this.senders.get(source) ?? []), t]);
        this.receivers.set(sink, [...(this.receivers.get(sink) ?? []), t]);
      });
      this.distances = every(listed(this.node, every(whole, this.nodes)));
      this.amounts = every(listed(this.channel, pos));
      this.entries = every(listed(this.terminal, this.terminal, pos));
      const grid = gridCalled(d.name);
      this.grid = isDefinedNetwork(this, grid) ? grid : null;
      Object.assign(this, named(d.name, this.grid && d.name, grid !== null));
    }

    get size() { return BigInt(this.terminals.length); }

    ends(i, j) { return [this.terminals[i][0], this.terminals[j][1]]; }

    bandwidth(c) { return { n: this.channels[c][2], d: this.scale }; }

    requirePath(path, start, end) {
      let at = start;
      for (const c of path) {
        require(this.channels[c][0] === at, `a path from node ${start} has a gap before channel ${c}`);
        at = this.channels[c][1];
      }
      require(path.length && at === end, `a path from node ${start} does not end at node ${end}`);
    }

    excess(flow) {
      const found = new Map();
      for (const [c, n] of flow) {
        add(found, this.channels[c][0], n);
        add(found, this.channels[c][1], -n);
      }
      return new Map([...found].filter(([, n]) => n));
    }

    cost(length) { return { n: sum(length.map((x, c) => x * this.channels[c][2])), d: this.scale }; }
  }

  class Between {
    constructor(network, word) {
      readable(word === 'nodes' || word === 'terminals', 'between: nodes or terminals');
      this.network = network;
      this.word = word;
      this.ofNodes = word === 'nodes';
      this.end = this.ofNodes ? network.node : network.terminal;
      let [both, atOne] = [0, 0];
      for (const [v, x] of network.senders) {
        const there = network.receivers.get(v);
        if (there) { both += 1; atOne += x.length * there.length; }
      }
      this.count = this.ofNodes ? network.senders.size * network.receivers.size - both
        : network.terminals.length ** 2 - atOne;
    }

    nodes(pair) { return this.ofNodes ? pair : this.network.ends(...pair); }

    pair(i, j) { return this.ofNodes ? this.network.ends(i, j) : [i, j]; }

    members([a, b]) {
      if (!this.ofNodes) return [[a, b]];
      return this.network.senders.get(a).flatMap((i) => this.network.receivers.get(b).map((j) => [i, j]));
    }

    requirePairs(pairs) {
      distinct(pairs.map(keyOf), 'a pair');
      for (const pair of pairs) {
        const [a, b] = this.nodes(pair);
        const apart = a !== b && this.network.senders.has(a) && this.network.receivers.has(b);
        require(apart, `(${pair}) is no pair of ${this.word} between which packets are sent`);
      }
    }
  }

  // Of each of 0 to size - 1 the least to which permutations lead from it.
  function orbits(size, moves) {
    const least = Array(size).fill(null);
    for (let x = 0; x < size; x += 1) {
      const found = least[x] === null ? [x] : [];
      for (const y of found) {
        least[y] = x;
        for (const move of moves) if (least[move[y]] === null) { least[move[y]] = x; found.push(move[y]); }
      }
    }
    return least;
  }

  const after = (second, first) => first.map((move, k) => move.map((x) => second[k][x]));
  function inverse(move) {
    const found = move.slice();
    move.forEach((y, x) => { found[y] = x; });
    return found;
  }

  const mapsOn = ({ nodes, channels, terminals }) => (
    every(listed(...[nodes, channels.length, terminals.length].map((n) => every(below(n), n)))));
  function requireAutomorphisms({ channels, terminals }, maps) {
    maps.forEach(([node, channel, terminal], k) => {
      const wrong = `map ${k + 1} of a symmetry`;
      for (const [move, what] of [[node, 'nodes'], [channel, 'channels'], [terminal, 'terminals']]) {
        require(new Set(move).size === move.length, `${wrong} is no permutation of ${what}`);
      }
      channels.forEach(([tail, head, b], c) => {
        const there = channels[channel[c]];
        const alike = there[0] === node[tail] && there[1] === node[head] && there[2] === b;
        require(alike, `${wrong} takes channel ${c} to one with other ends or bandwidth`);
      });
      terminals.forEach(([source, sink], t) => {
        const there = terminals[terminal[t]];
        require(there[0] === node[source] && there[1] === node[sink], `${wrong} takes terminal ${t} to other nodes`);
      });
    });
  }

  // Automorphisms of the network, which take what a routing does to what it does elsewhere.  After findImages: the sender
  // s is the image of base.get(s), the least one of its orbit, by the maps of ends (nodes, or terminals) and channels
  // images.get(s); back: the inverse ones; orbit: by channel.
  class Symmetry {
    constructor(between, data) {
      const { network } = between;
      Object.assign(this, { between, network, base: new Map() });
      this.maps = mapsOn(network)(data);
      readable(this.maps.length, 'a symmetry has at least one map');
    }

    findImages() {
      if (this.base.size) return;
      const { channels, terminals, senders } = this.network;
      requireAutomorphisms(this.network, this.maps);
      this.orbit = orbits(channels.length, this.maps.map((x) => x[1]));
      const { ofNodes } = this.between;
      this.moves = this.maps.map(([node, channel, terminal]) => (
        [Int32Array.from(ofNodes ? node : terminal), Int32Array.from(channel)]));
      this.images = new Map();
      for (const s of ofNodes ? [...senders.keys()].sort((a, b) => a - b) : terminals.keys()) {
        const found = this.base.has(s) ? [] : [s];
        if (found.length) {
          this.base.set(s, s);
          this.images.set(s, this.moves[0].map((move) => move.map((_, x) => x)));
        }
        for (let k = 1; k <= this.moves.length; k += 1) { // by as few of the maps as do
          for (const r of found) {
            for (const move of this.moves.slice(0, k)) {
              const t = move[0][r];
              if (this.base.has(t)) continue;
              this.base.set(t, s);
              this.images.set(t, after(move, this.images.get(r)));
              found.push(t);
            }
          }
        }
      }
      this.back = new Map([...this.images].map(([s, image]) => [s, image.map(inverse)]));
    }

    // [s, ends, channels]: maps that keep sender s, and together generate all that do (Schreier's lemma).
    * keeping() {
      const known = new Set();
      for (const [s, image] of this.images) {
        for (const move of this.moves) {
          const [ends, channels] = after(this.back.get(move[0][s]), after(move, image));
          const found = `${this.base.get(s)};${ends};${channels}`;
          if (known.has(found)) continue;
          known.add(found);
          yield [this.base.get(s), ends, channels];
        }
      }
    }
  }

  class Routing {
    constructor(network, data, version) {
      const more = version > 1 ? { symmetry: raw } : {};
      const d = fields(data, { name: textOf, between: textOf, scale: pos, loads: raw, paths: raw, ...more });
      this.network = network;
      this.name = d.name;
      this.scale = d.scale;
      this.between = new Between(network, d.between);
      this.symmetry = (d.symmetry ?? null) === null ? null : new Symmetry(this.between, d.symmetry);
      readable(this.symmetry === null || d.loads !== null, 'a routing by paths has no symmetry');
      this.byPaths = d.loads === null;
      readable(this.byPaths !== (d.paths === null), 'one of loads and paths must be null');
      const path = listed(pos, every(network.channel), every(below(256)));
      const [flow, given] = this.byPaths ? [every(path), d.paths] : [network.amounts, d.loads];
      const found = every(listed(this.between.end, this.between.end, flow))(given);
      this.pairs = found.map(([i, j]) => [i, j]);
      this.flows = found.map((x) => x[2]);
      const hops = this.byPaths ? this.flows.flat() : [];
      readable(hops.every(([, c, v]) => c.length === v.length), 'a path has as many virtual channels as channels');
      this.virtual = 1 + hops.flatMap((x) => x[2]).reduce((most, v) => Math.max(most, v), 0); // how many a channel has
      const defined = routingCalled(d.name, network);
      Object.assign(this, named(d.name, isDefinedRouting(this, defined) ? d.name : null, defined !== null));
    }

    requireComplete() {
      this.between.requirePairs(this.pairs);
      let { count } = this.between;
      if (this.symmetry !== null) {
        this.symmetry.findImages();
        const { base } = this.symmetry;
        const least = this.pairs.every(([i]) => base.get(i) === i);
        require(least, 'loads from a sender that is not the least of its orbit');
        const to = this.between.ofNodes ? [...this.network.receivers.keys()] : [...this.network.terminals.keys()];
        count = 0;
        for (const i of new Set(base.values())) {
          for (const j of to) { const [a, b] = this.between.nodes([i, j]); if (a !== b) count += 1; }
        }
      }
      require(this.pairs.length === count, `${this.pairs.length} of ${count} pairs`);
    }

    check() {
      this.requireComplete();
      this.load = this.network.channels.map(() => new Map()); // by pair: its load, over scale
      this.pairs.forEach((pair, k) => {
        const [flow, key, [start, end]] = [this.flows[k], keyOf(pair), this.between.nodes(pair)];
        if (this.byPaths) {
          require(sum(flow.map((x) => x[0])) === this.scale, `the paths of (${pair}) do not sum to 1`);
          for (const [n, path] of flow) {
            this.network.requirePath(path, start, end);
            for (const c of path) this.load[c].set(key, { pair, n: (this.load[c].get(key)?.n ?? 0n) + n });
          }
        } else {
          distinct(flow.map((x) => x[0]), `of (${pair}) a channel`);
          const left = this.network.excess(flow);
          const unit = left.size === 2 && left.get(start) === this.scale && left.get(end) === -this.scale;
          require(unit, `the loads of (${pair}) are no unit flow`);
          for (const [c, n] of flow) this.load[c].set(key, { pair, n });
        }
      });
      for (const [s, ends, channels] of this.symmetry === null ? [] : this.symmetry.keeping()) {
        this.pairs.forEach(([i, j], k) => {
          const key = keyOf([s, ends[j]]);
          const kept = i !== s || this.flows[k].every(([c, n]) => this.load[channels[c]].get(key)?.n === n);
          require(kept, `the symmetry that keeps sender ${s} changes the loads of (${i}, ${j})`);
        });
      }
    }

    // { pair, n } of all pairs that load channel c.
    * on(c) {
      if (this.symmetry === null) {
        yield* this.load[c].values();
        return;
      }
      const bySender = new Map(); // from c, moved back to where loads are listed
      for (const [s, base] of this.symmetry.base) {
        const [d, ends] = [this.symmetry.back.get(s)[1][c], this.symmetry.images.get(s)[0]];
        if (!bySender.has(d)) {
          const own = new Map();
          for (const { pair: [i, j], n } of this.load[d].values()) own.set(i, [...(own.get(i) ?? []), [j, n]]);
          bySender.set(d, own);
        }
        for (const [j, n] of bySender.get(d).get(base) ?? []) yield { pair: [s, ends[j]], n };
      }
    }

    of(c, pair) {
      if (this.symmetry === null) return this.load[c].get(keyOf(pair))?.n ?? 0n;
      const [s, j] = pair;
      if (!this.symmetry.base.has(s)) return 0n;
      const [ends, channels] = this.symmetry.back.get(s);
      return this.load[channels[c]].get(keyOf([this.symmetry.base.get(s), ends[j]]))?.n ?? 0n;
    }

    // The load of a channel under a demand, a Map of [i, j, n] by pair of terminals, times the scale.
    loadUnder(c, demand) {
      let total = 0n;
      for (const [i, j, n] of demand.values()) total += n * this.of(c, this.between.pair(i, j));
      return total;
    }

    // By channel, the least one of its orbit, where neither routing nor demands are changed; else itself.
    alike(demands) {
      const moved = this.symmetry !== null && this.symmetry.maps.every((x) => demands.isKept(x[2]));
      return moved ? this.symmetry.orbit : this.network.channels.map((_, c) => c);
    }

    // [pair, flow] of all pairs.
    * everyFlow() {
      for (const [s, base] of this.symmetry === null ? [] : this.symmetry.base) {
        const [ends, channels] = this.symmetry.images.get(s);
        for (let k = 0; k < this.pairs.length; k += 1) {
          const [i, j] = this.pairs[k];
          if (i === base) yield [[s, ends[j]], this.flows[k].map(([c, n]) => [channels[c], n])];
        }
      }
      if (this.symmetry === null) for (let k = 0; k < this.pairs.length; k += 1) yield [this.pairs[k], this.flows[k]];
    }

    // The loads of all channels, summed over all pairs of terminals, times the scale.
    crossings() {
      const count = new Map();
      for (const base of this.symmetry === null ? [] : this.symmetry.base.values()) add(count, base, 1n);
      return sum(this.pairs.map((pair, k) => {
        const loads = sum(this.flows[k].map((x) => (this.byPaths ? x[0] * BigInt(x[1].length) : x[1])));
        return (count.get(pair[0]) ?? 1n) * BigInt(this.between.members(pair).length) * loads;
      }));
    }

    dependencies(flow) {
      const found = [];
      const ends = this.network.channels;
      if (this.byPaths) {
        for (const [, path, virtual] of flow) {
          for (let k = 1; k < path.length; k += 1) found.push([path[k - 1], virtual[k - 1], path[k], virtual[k]]);
        }
      } else {
        for (const [c] of flow) for (const [e] of flow) if (ends[c][1] === ends[e][0]) found.push([c, 0, e, 0]);
      }
      return found;
    }
  }

  // 3. Sets of demands, and demands: [i, j, n] by pair of terminals, over a weight.

  function byPair(entries) {
    distinct(entries.map(keyOf), 'a pair of terminals');
    return new Map(entries.map((x) => [keyOf(x), x]));
  }

  class Transport {
    constructor(network, data) {
      const [size, end] = [network.terminals.length, network.terminal];
      const limits = optional(every(nat, size));
      const d = fields(data, {
        kind: raw, name: textOf, scale: pos, rows: limits, columns: limits, total: optional(nat),
        pairs: optional(every(listed(end, end, nat, optional(nat)))),
      });
      Object.assign(this, { network, name: d.name, scale: d.scale, entries: d.pairs });
      Object.assign(this, { rows: d.rows, columns: d.columns, total: d.total });
      this.because = (x) => readable(x === null, 'because: null was expected');
      this.evidence = every(listed(network.channel, pos, every(nat, size), every(nat, size), nat));
      const ones = [this.rows, this.columns].every((side) => side !== null && side.every((x) => x === this.scale));
      let found = null;
      if (ones && this.entries === null) {
        if (this.total === null) found = 'permutations';
        else if (this.total > 0n && this.total % this.scale === 0n) found = `sparse:${this.total / this.scale}`;
      }
      Object.assign(this, named(d.name, found, SETS.test(d.name)));
    }

    words() {
      const over = (values) => `at most ${span(values.map((n) => ({ n, d: this.scale })))}`;
      const [sends, receives] = [this.rows, this.columns].map((x) => (x === null ? 'any amount' : over(x)));
      let limits = `a terminal sends ${sends} and receives ${receives}`;
      if (this.total !== null) limits += `, all together ${over([this.total])}`;
      if (this.entries === null) return `${limits}; all pairs may send`;
      const highs = this.entries.map((x) => x[3]).filter((high) => high !== null);
      const free = this.entries.length - highs.length;
      limits += `; ${counted(this.entries.length, 'pair')} may send`;
      if (this.entries.length) limits += `, ${over(this.entries.map((x) => x[2])).replace('most', 'least')}`;
      if (highs.length) limits += `, ${over(highs)}`;
      return limits + (free ? `, ${free} of them any amount` : '');
    }

    check() {
      this.bounds = this.entries === null ? null : byPair(this.entries);
      for (const [, , low, high] of this.entries ?? []) {
        require(high === null || low <= high, 'a low is above its high');
      }
    }

    requireAdmits(demand, weight) {
      const [sends, receives] = [new Map(), new Map()];
      for (const [key, [i, j, n]] of demand) {
        add(sends, i, n * this.scale);
        add(receives, j, n * this.scale);
        require(this.bounds === null || this.bounds.has(key), `terminal ${i} may not send to ${j}`);
      }
      for (const [limits, found] of [[this.rows, sends], [this.columns, receives]]) {
        for (const [t, n] of found) {
          require(limits === null || n <= limits[t] * weight, `the demand is above a limit of terminal ${t}`);
        }
      }
      const all = sum([...sends.values()]);
      require(this.total === null || all <= this.total * weight, 'the demand is above the total');
      for (const [key, [, , low, high]] of this.bounds ?? []) {
        const n = (demand.get(key)?.[2] ?? 0n) * this.scale;
        const fits = low * weight <= n && (high === null || n <= high * weight);
        require(fits, `the demand of (${key}) is out of its bounds`);
      }
    }

    // Does this permutation of the terminals leave the set as it is?  (Of listed pairs that is not asked.)
    isKept(terminals) {
      const sides = [this.rows, this.columns].filter((x) => x !== null);
      return this.entries === null && sides.every((x) => terminals.every((t, k) => x[t] === x[k]));
    }

    requireAtMost(routing, channels, value, evidence, strict = false) {
      requireEach(channels, evidence.map((x) => x[0]), strict ? null : routing.alike(this));
      for (const [c, over, ownU, ownV, ownX] of evidence) {
        for (const [limit, used] of [[this.rows, ownU.some(Boolean)], [this.columns, ownV.some(Boolean)],
          [this.total, ownX > 0n]]) {
          require(limit !== null || !used, `channel ${c} has a multiplier of what has no limit`);
        }
        const { scale } = routing;
        const [u, v, x] = [ownU.map((y) => y * scale), ownV.map((y) => y * scale), ownX * scale];
        const ofRows = sum(u.map((y, t) => y * (this.rows?.[t] ?? 0n)));
        let bound = ofRows + sum(v.map((y, t) => y * (this.columns?.[t] ?? 0n))) + x * (this.total ?? 0n);
        if (this.bounds === null) {
          for (const { pair, n } of routing.on(c)) {
            for (const [i, j] of routing.between.members(pair)) {
              require(n * over <= u[i] + v[j] + x, `channel ${c}: the multipliers of ${i} and ${j} are too small`);
            }
          }
        }
        for (const [i, j, low, high] of this.bounds?.values() ?? []) {
          const rest = routing.of(c, routing.between.pair(i, j)) * over - u[i] - v[j] - x;
          require(rest <= 0n || high !== null, `channel ${c}: the multipliers of ${i} and ${j} are too small`);
          bound += rest * (rest > 0n ? high : low);
        }
        const found = { n: bound, d: scale * over * this.scale };
        const most = times(value, this.network.bandwidth(c));
        require(!less(most, found), `channel ${c}: the multipliers prove ${shown(found)}, not ${shown(most)}`);
        require(!strict || less(found, most) || ofRows > 0n, `channel ${c} may be saturated at a smaller rate`);
      }
    }
  }

  class Matrices {
    constructor(network, data) {
      const one = (x) => fields(x, { name: textOf, scale: pos, entries: network.entries });
      const d = fields(data, { kind: raw, name: textOf, matrices: every(one) });
      readable(d.matrices.length, 'a set of matrices has at least one');
      Object.assign(this, { network, name: d.name, listed: d.matrices });
      this.because = every(nat, this.listed.length);
      this.evidence = every(nat, 0);
      Object.assign(this, named(d.name, isUniform(network, this.listed) ? 'uniform' : null, SETS.test(d.name)));
    }

    words() {
      const sizes = counts(this.listed.map((x) => x.entries.length), 'entry', 'entries');
      const rates = this.listed.flatMap((x) => x.entries.map(([, , n]) => ({ n, d: x.scale })));
      const sums = this.listed.map((x) => ({ n: sum(x.entries.map(([, , n]) => n)), d: x.scale }));
      const said = `${counted(this.listed.length, 'matrix', 'matrices')} of ${sizes}`;
      return rates.length ? `${said} of ${span(rates)}, sum ${span(sums)}` : said;
    }

    check() { this.matrices = this.listed.map((x) => ({ demand: byPair(x.entries), scale: x.scale })); }

    requireAdmits(demand, weight, because) {
      require(sum(because) === weight, 'the parts of the mixture do not sum to its weight');
      const common = this.matrices.reduce((x, y) => x * y.scale, 1n);
      const mixture = new Map();
      this.matrices.forEach((matrix, k) => {
        for (const [key, [, , n]] of because[k] ? matrix.demand : []) {
          add(mixture, key, because[k] * n * (common / matrix.scale));
        }
      });
      const equal = mixture.size === demand.size && [...demand].every(([key, x]) => mixture.get(key) === x[2] * common);
      require(equal, 'the demand is not this mixture of matrices');
    }

    isKept(terminals) {
      return this.matrices.every(({ demand }) => [...demand.values()].every(([i, j, n]) => (
        demand.get(keyOf([terminals[i], terminals[j]]))?.[2] === n)));
    }

    requireAtMost(routing, channels, value) {
      const alike = routing.alike(this);
      const few = [...new Map(channels.map((c) => [alike[c], c])).values()];
      for (const { demand, scale } of this.matrices) {
        for (const c of few) {
          const load = { n: routing.loadUnder(c, demand), d: routing.scale * scale };
          require(!less(times(value, this.network.bandwidth(c)), load), `a matrix loads channel ${c} with more`);
        }
      }
    }
  }

  class Routable {
    constructor(network, data) {
      this.network = network;
      this.name = fields(data, { kind: raw, name: textOf }).name;
      this.because = every(listed(network.terminal, network.terminal, pos, every(network.channel)));
      this.evidence = every(listed(network.channel, every(nat, network.channels.length), network.distances));
      Object.assign(this, named(this.name, 'routable', true));
    }

    words() { return 'whatever some flow carries within all bandwidths'; }

    check() { return this; }

    requireAdmits(demand, weight, because) {
      const { network } = this;
      const [used, carried] = [new Map(), new Map()];
      for (const [i, j, n, path] of because) {
        network.requirePath(path, ...network.ends(i, j));
        add(carried, keyOf([i, j]), n);
        for (const c of path) add(used, c, n);
      }
      const apart = [...demand].filter(([, [i, j]]) => { const [s, v] = network.ends(i, j); return s !== v; });
      const equal = carried.size === apart.length && apart.every(([key, x]) => carried.get(key) === x[2]);
      require(equal, 'the paths do not carry the demand');
      for (const [c, n] of used) {
        require(n * network.scale <= weight * network.channels[c][2], `the paths overload channel ${c}`);
      }
    }

    isKept() { return this !== null; }

    requireAtMost(routing, channels, value, evidence) {
      requireEach(channels, evidence.map((x) => x[0]), routing.alike(this));
      require(!less(value, ZERO), 'no load is below 0');
      for (const [c, length, distances] of evidence) {
        const [p, budget] = [feasible(this.network, distances, length), this.network.cost(length)];
        require(budget.n || routing.on(c).next().done, `channel ${c} is loaded, and its lengths are 0`);
        const most = times(value, this.network.bandwidth(c));
        for (const { pair, n } of routing.on(c)) {
          const [s, v] = routing.between.nodes(pair);
          const row = p.get(s);
          const far = row !== undefined && !less(
            { n: most.n * routing.scale * (row[v] - row[s]), d: most.d }, { n: n * budget.n, d: budget.d },
          );
          require(far, `channel ${c}: the ends of (${pair}) are not far enough apart`);
        }
      }
    }
  }

  class Demand {
    constructor(network, demands, data) {
      const d = fields(data, { weight: pos, entries: network.entries, because: demands.because });
      Object.assign(this, { demands, weight: d.weight, entries: d.entries, because: d.because });
    }

    check() {
      const found = byPair(this.entries);
      this.demands.requireAdmits(found, this.weight, this.because);
      return found;
    }
  }

  // Evidence for each channel, or for one that is alike, and for no others.
  function requireEach(channels, found, alike = null) {
    distinct(found, 'evidence for a channel');
    const [one, all] = [found, channels].map((x) => new Set(alike === null ? x : x.map((c) => alike[c])));
    const equal = one.size === all.size && [...one].every((c) => all.has(c));
    require(equal, `evidence for ${found.length} channels, and not for those of the claim`);
  }

  // 4. Distances.

  function feasible(network, distances, length, only = all(network)) {
    distinct(distances.map((x) => x[0]), 'the distances from a node');
    for (const [, p] of distances) {
      only.forEach((c) => {
        const [tail, head] = network.channels[c];
        const grows = `a distance grows by more than the length from node ${tail} to ${head}`;
        require(p[head] <= p[tail] + length[c], grows);
      });
    }
    return new Map(distances);
  }

  // 5. Claims about a routing.  Each reads its claim and returns its words, what was read and the checks.

  const given = (d) => `with demands of ${d.demands.called}`;
  const under = (d) => `under ${d.routing.called}, ${given(d)}`;
  const all = (network) => network.channels.map((_, c) => c);

  function worstCaseAtMost(proof, read) {
    const channels = optional(every(proof.network.channel));
    const d = read({ routing: proof.routing, demands: proof.set, channels, value: fraction, evidence: raw });
    const evidence = d.demands.evidence(d.evidence);
    readable(d.channels === null || d.channels.length, 'channels: at least one was expected');
    const some = d.channels ?? [];
    const which = d.channels === null ? 'no channel' : `none of the channels ${some.join(', ')}`;
    return {
      words: `${under(d)}, ${which} carries more than ${shown(d.value)} times its bandwidth`, read: d,
      check() {
        distinct(some, 'a channel');
        d.demands.requireAtMost(d.routing, d.channels ?? all(proof.network), d.value, evidence);
      },
    };
  }

  function worstCaseAtLeast(proof, read) {
    const d = read({
      routing: proof.routing, demands: proof.set, channel: proof.network.channel, value: fraction, demand: raw,
    });
    const demand = new Demand(proof.network, d.demands, d.demand);
    return {
      words: `${under(d)}, channel ${d.channel} may carry at least ${shown(d.value)} times its bandwidth`,
      read: d,
      check() {
        const load = { n: d.routing.loadUnder(d.channel, demand.check()), d: d.routing.scale * demand.weight };
        const wanted = times(d.value, proof.network.bandwidth(d.channel));
        require(!less(load, wanted), `the demand loads channel ${d.channel} with ${shown(load)}`);
      },
    };
  }

  function alike(proof, read) {
    const d = read({ of: below(proof.number), channels: every(proof.network.channel) });
    const known = d.channels.length && proof.kinds[d.of] === 'worst-case-at-least';
    readable(known, 'channels alike that of worst-case-at-least');
    const of = proof.read[d.of];
    const said = `each of the channels ${d.channels.join(', ')} may carry at least ${shown(of.value)} times its bandwidth`;
    return {
      words: `from claim ${d.of + 1}: ${under(of)}, ${said}`, read: d,
      check() {
        distinct(d.channels, 'a channel');
        const orbit = of.routing.alike(of.demands);
        for (const c of d.channels) {
          require(orbit[c] === orbit[of.channel], `no symmetry takes channel ${of.channel} to ${c}`);
        }
      },
    };
  }

  const PER_HOP = 'minimal:choice=per-hop';

  // failed: a channel of the link that fails, and the claim of what is at most carried then.
  function singleLinkFailure(proof, read) {
    const [{ network }, earlier] = [proof, below(proof.number)];
    const failed = every(listed(network.channel, earlier));
    const d = read({ failed, reached: optional(earlier), maps: mapsOn(network), value: fraction });
    const [most, least] = [d.failed.map((x) => x[1]), d.reached === null ? [] : [d.reached]];
    const of = proof.read;
    const stated = most.length
      && most.every((k) => proof.kinds[k] === 'worst-case-at-most' && of[k].channels === null);
    readable(stated, 'failed: claims worst-case-at-most of all channels were expected');
    const kind = least.every((k) => proof.kinds[k] === 'worst-case-at-least');
    readable(kind, 'reached: worst-case-at-least was expected');
    const { demands } = of[most[0]];
    readable([...most, ...least].every((k) => of[k].demands === demands), 'claims about several sets of demands');
    const down = 'if any one link fails (all channels between two nodes) and all pairs of terminals keep a path';
    const carries = `no channel carries more than ${shown(d.value)} times its bandwidth under ${PER_HOP} on what is left`;
    const reached = least.length ? '; after one such failure some channel may carry as much' : '';
    return {
      words: `${given(of[most[0]])}, ${down}, ${carries}${reached}`, read: d,
      check() {
        requireAutomorphisms(network, d.maps);
        d.maps.forEach((x, k) => {
          require(demands.isKept(x[2]), `map ${k + 1} of a symmetry changes the set of demands`);
        });
        const orbit = orbits(network.channels.length, d.maps.map((x) => x[1]));
        const [links, covered] = [linksOf(network), new Set()];
        const cover = (link) => link.forEach((e) => covered.add(orbit[e]));
        for (const [c, k] of d.failed) {
          const link = links.get(linkOf(network.channels[c])) ?? [];
          require(link.includes(c), `channel ${c} leads from a node to itself`);
          const made = isDefinedRouting(of[k].routing, new ShortestPaths(network, false, link));
          require(made, `the routing of claim ${k + 1} is not ${PER_HOP} without the link of channel ${c}`);
          const within = !less(d.value, of[k].value);
          require(within, `after the failure of the link of channel ${c} it is ${shown(of[k].value)}`);
          cover(link);
        }
        for (const k of least) {
          const known = !less(of[k].value, d.value) && most.some((x) => of[x].routing === of[k].routing);
          require(known, `claim ${k + 1} does not reach it after one of these failures`);
        }
        for (const link of links.values()) {
          if (link.some((e) => covered.has(orbit[e]))) continue;
          const parts = !new ShortestPaths(network, false, link).joinsAll(network);
          require(parts, `nothing is stated about the failure of the link of channel ${link[0]}, or one alike`);
          cover(link);
        }
      },
    };
  }

  // By the two nodes, all channels between them.
  const linkOf = ([tail, head]) => keyOf(tail < head ? [tail, head] : [head, tail]);
  function linksOf(network) {
    const links = new Map();
    network.channels.forEach((ends, c) => {
      const key = linkOf(ends);
      if (ends[0] !== ends[1]) links.set(key, [...(links.get(key) ?? []), c]);
    });
    return links;
  }

  function unsaturatedBelow(proof, read) {
    const d = read({ routing: proof.routing, demands: proof.set, evidence: raw });
    readable(d.demands instanceof Transport && d.demands.rows !== null, 'a transport set with rows was expected');
    const evidence = d.demands.evidence(d.evidence);
    return {
      words: `${under(d)}, no channel is saturated if all rows are reduced by one factor below 1`, read: d,
      check() { d.demands.requireAtMost(d.routing, all(proof.network), ONE, evidence, true); },
    };
  }

  function pathLength(proof, read) {
    const d = read({ routing: proof.routing, value: fraction });
    return {
      words: `under ${d.routing.called} the average path length is ${shown(d.value)}`, read: d,
      check() {
        const found = { n: d.routing.crossings(), d: d.routing.scale * proof.network.size ** 2n };
        require(same(found, d.value), `it is ${shown(found)}`);
      },
    };
  }

  const onVirtual = (routing, count) => `${routing.called}, with ${counted(count, 'virtual channel')} to a channel`;

  // The ranks of order: by virtual channel, of every channel.
  function ranksOf(proof, d) {
    const order = every(every(whole, proof.network.channels.length))(d.order);
    readable(d.virtual <= 256n && BigInt(order.length) === d.virtual, 'order: one list for each virtual channel');
    return ([c, v]) => order[v][c];
  }

  function requireRising({ routing, virtual }, rank) {
    require(routing.byPaths || virtual === 1n, 'a routing by loads has one virtual channel to a channel');
    requireOn(routing, virtual);
    routing.pairs.forEach((pair, k) => {
      for (const [c, v, e, w] of routing.dependencies(routing.flows[k])) {
        require(rank([c, v]) < rank([e, w]), `of (${pair}), the order does not rise from channel ${c} (${v}) to ${e} (${w})`);
      }
    });
  }

  function requireOn({ virtual }, count) {
    require(virtual <= count, `a path takes virtual channel ${virtual - 1}, counted from 0`);
  }

  function deadlockFree(proof, read) {
    const d = read({ routing: proof.routingInFull, virtual: pos, order: raw });
    const rank = ranksOf(proof, d);
    return {
      words: `${onVirtual(d.routing, d.virtual)}, cannot deadlock`, read: d,
      check() { requireRising(d, rank); },
    };
  }

  function deadlockFreeWithBubbles(proof, read) {
    const d = read({ routing: proof.routingInFull, order: every(whole, proof.network.channels.length) });
    const { routing, order } = d;
    return {
      words: `${onVirtual(routing, 1)}, cannot deadlock under bubble flow control: all its cycles are rings`, read: d,
      check() {
        require(routing.virtual === 1, 'a path takes another virtual channel');
        const [after, before] = [new Map(), new Map()]; // of each channel, the one of the same rank
        const one = (map, c, e) => { if (!map.has(c)) map.set(c, e); return map.get(c) === e; };
        routing.pairs.forEach((pair, k) => {
          for (const [c, , e] of routing.dependencies(routing.flows[k])) {
            require(order[c] <= order[e], `of (${pair}), the order falls from channel ${c} to ${e}`);
            const ring = order[c] < order[e] || (one(after, c, e) && one(before, e, c));
            require(ring, `of (${pair}), channels ${c} and ${e} have the rank of a third one next to them`);
          }
        });
      },
    };
  }

  function deadlockFreeWithClasses(proof, read) {
    const lanes = optional(every(listed(every(proof.network.channel), every(below(256)))));
    const d = read({ routing: proof.routingInFull, classes: pos, virtual: pos, transactions: lanes, order: raw });
    const rank = ranksOf(proof, d);
    readable(d.classes >= 2n && d.classes <= 8n, 'classes: 2 to 8 were expected');
    readable(d.routing.byPaths, 'classes are of a routing by paths');
    const given = d.transactions;
    readable((given ?? []).every(([c, v]) => c.length === v.length), 'as many virtual channels as channels');
    const words = `${onVirtual(d.routing, d.virtual)} ${given === null ? 'for each of' : 'shared, as listed, by'} ${d.classes}`;
    const answers = 'a terminal takes a message in only once its answer, of the next class and back to its source, can leave';
    return {
      words: `${words} message classes, cannot deadlock, also where ${answers}`, read: d,
      check() {
        if (given === null) {
          requireRising(d, rank);
          return;
        }
        distinct(given.map(([path]) => path.join()), 'the path of a transaction');
        for (const [path, taken] of given) {
          require(taken.every((v) => BigInt(v) < d.virtual), 'a transaction takes another virtual channel');
          for (let k = 1; k < path.length; k += 1) {
            const rises = rank([path[k - 1], taken[k - 1]]) < rank([path[k], taken[k]]);
            require(rises, `of a transaction, the order does not rise from channel ${path[k - 1]} to ${path[k]}`);
          }
        }
        const known = new Set(given.map(([path]) => path.join()));
        for (const path of transactions(d.routing, Number(d.classes))) {
          require(!path.length || known.has(path.join()), `the transaction over channels ${path} is not listed`);
        }
      },
    };
  }

  // The channels of a message, of its answer, and so on, all in one: for all pairs of terminals, all their paths.
  function* transactions(routing, classes) {
    const ways = new Map(); // by pair: by key, its different paths
    routing.pairs.forEach((pair, k) => {
      ways.set(keyOf(pair), [...new Map(routing.flows[k].map(([, path]) => [path.join(), path])).values()]);
    });
    const ends = new Map();
    for (const i of routing.network.terminals.keys()) {
      for (const j of routing.network.terminals.keys()) {
        const both = [keyOf(routing.between.pair(i, j)), keyOf(routing.between.pair(j, i))];
        ends.set(keyOf(both), both);
      }
    }
    function* chains(some, k) { // at one node messages cross no channel
      if (k === classes) { yield []; return; }
      for (const path of ways.get(some[k % 2]) ?? [[]]) for (const rest of chains(some, k + 1)) yield [...path, ...rest];
    }
    for (const some of ends.values()) yield* chains(some, 0);
  }

  function deadlock(proof, read) {
    const d = read({ routing: proof.routingInFull, cycle: raw });
    const { end } = d.routing.between;
    const cycle = every(listed(proof.network.channel, below(256), end, end))(d.cycle);
    return {
      words: `${onVirtual(d.routing, d.routing.virtual)}, has a cycle of ${cycle.length} dependencies`, read: d,
      check() {
        require(cycle.length > 1, 'a cycle has at least two channels');
        const flows = new Map(d.routing.pairs.map((pair, k) => [keyOf(pair), d.routing.flows[k]]));
        cycle.forEach(([c, v, i, j], k) => {
          const [e, w] = cycle[(k + 1) % cycle.length];
          const made = d.routing.dependencies(flows.get(keyOf([i, j])) ?? []);
          const follows = made.some((x) => x[0] === c && x[1] === v && x[2] === e && x[3] === w);
          require(follows, `packets from ${i} to ${j} do not go from channel ${c} to ${e}`);
        });
      },
    };
  }

  // What fully adaptive minimal routing does on the way to one node, with the escapes of a routing's paths: those of
  // flows, [where they begin, the flow].  own: [channel, virtual channel] by key; nodes: all from which the node can be
  // reached, farthest first; onward: by node, those next to it that are nearer.
  const ONE_TO = {
    layers: 'each path takes', destinations: 'the paths to each node take', hops: 'each hop of each path takes',
  };

  const literal = (x) => {
    readable(typeof x === 'number' && x !== 0 && Math.abs(x) < LARGEST, 'a literal of a clause was expected');
    return x;
  };
  const LEMMAS = every(listed(every(literal), every(below(LARGEST))));

  function virtualChannelsAtLeast(proof, read) {
    const { network } = proof;
    const hop = listed(network.channel, below(256));
    const d = read({
      routing: proof.routingInFull, value: below(257), by: oneOf(Object.keys(ONE_TO)), classes: optional(pos),
      cycles: every(every(hop)), lemmas: LEMMAS,
    });
    const { classes } = d;
    readable(d.routing.byPaths && d.value > 1, 'a routing by paths, and a value from 2, were expected');
    readable(classes === null || (classes >= 2n && classes <= 8n && d.by === 'hops'), 'classes: 2 to 8, by hops');
    const shared = classes === null ? '' : ` shared by ${classes} message classes`;
    const taken = classes === null ? ONE_TO[d.by] : 'each hop takes by its class and the paths there and back';
    const on = `${counted(d.value - 1, 'virtual channel')} to a channel${shared}`;
    return {
      words: `${d.routing.called}, on ${on}, has a cycle of dependencies, whichever one ${taken}`, read: d,
      check() { requireRefuted(laneClauses(network, d, d.value - 1), d.lemmas); },
    };
  }

  // Every choice takes one of the virtual channels; a path's choices make its dependencies; no cycle has all of its.
  // Variables: by choice its virtual channels, then by dependency the virtual channels that it leads from and to.
  function laneClauses(network, d, count) {
    const least = d.classes === null ? 2 : 1;
    const some = d.classes === null
      ? d.routing.flows.flatMap((flow) => flow.map(([, path]) => path)) : transactions(d.routing, Number(d.classes));
    const found = new Map([...some].filter((path) => path.length >= least).map((path) => [path.join(), path]));
    const inOrder = (a, b) => {
      const k = a.findIndex((x, at) => x !== b[at]);
      return k < 0 ? a.length - b.length : a[k] - (b[k] ?? -1);
    };
    const paths = [...found.values()].sort(inOrder);
    const number = new Map(); // of choices
    const chosen = paths.map((path, p) => path.map((_, h) => {
      const key = { layers: p, destinations: network.channels[path[path.length - 1]][1] }[d.by] ?? keyOf([p, h]);
      if (!number.has(key)) number.set(key, number.size);
      return number.get(key);
    }));
    const lanes = Array.from({ length: count }, (_, k) => k);
    const both = lanes.flatMap((k) => (d.by === 'hops' ? lanes.map((m) => [k, m]) : [[k, k]]));
    const edges = new Map(paths.flatMap((path) => path.slice(1).map((e, h) => [keyOf([path[h], e]), [path[h], e]])));
    const made = new Map();
    for (const edge of [...edges.values()].sort(inOrder)) {
      for (const ends of both) made.set([...edge, ...ends].join(), number.size * count + 1 + made.size);
    }
    const clauses = number.size ? [[1]] : [];
    for (let u = 0; u < number.size; u += 1) clauses.push(lanes.map((k) => u * count + k + 1));
    paths.forEach((path, p) => path.slice(1).forEach((e, h) => both.forEach(([k, m]) => {
      const [u, w] = [chosen[p][h], chosen[p][h + 1]];
      clauses.push([-(u * count + k + 1), -(w * count + m + 1), made.get([path[h], e, k, m].join())]);
    })));
    for (const cycle of d.cycles) {
      for (const turn of lanes) {
        const next = (k) => cycle[(k + 1) % cycle.length];
        const ends = (k) => [cycle[k][1], next(k)[1]].map((v) => (v + turn) % count);
        const variables = cycle.map(([c], k) => made.get([c, next(k)[0], ...ends(k)].join()));
        const ours = variables.length && variables.every((x) => x !== undefined);
        require(ours, 'a cycle is not made of dependencies of the paths');
        clauses.push(variables.map((x) => -x));
      }
    }
    return clauses;
  }

  // Each lemma follows: given its opposite, its clauses have one literal left each, the last has none.
  function requireRefuted(clauses, lemmas) {
    lemmas.forEach(([lemma, hints], k) => {
      const yes = new Set(lemma.map((x) => -x));
      let left = null;
      for (const hint of hints) {
        require(hint < clauses.length, `lemma ${k + 1} rests on a later one`);
        left = new Set(clauses[hint].filter((x) => !yes.has(-x)));
        require(left.size < 2, `lemma ${k + 1}: a clause that it rests on has two literals left`);
        left.forEach((x) => yes.add(x));
      }
      require(left !== null && left.size === 0, `lemma ${k + 1} does not follow`);
      clauses.push(lemma);
    });
    require(lemmas.length && !lemmas[lemmas.length - 1][0].length, 'the last lemma is not the empty one');
  }

  class Escapes {
    constructor(routing, end, flows) {
      const { channels } = routing.network;
      Object.assign(this, { channels, end, own: new Map(), onward: new Map() });
      for (const [, flow] of flows) {
        for (const [, path, taken] of flow) path.forEach((c, k) => this.own.set(keyOf([c, taken[k]]), [c, taken[k]]));
      }
      const [entering, hops, found] = [new Map(), new Map([[end, 0]]), [end]];
      for (const [tail, head] of channels) entering.set(head, [...(entering.get(head) ?? []), tail]);
      for (const v of found) {
        for (const u of entering.get(v) ?? []) if (!hops.has(u)) { hops.set(u, hops.get(v) + 1); found.push(u); }
      }
      this.nodes = found.reverse();
      for (const v of this.nodes) this.onward.set(v, new Set());
      for (const [tail, head] of channels) {
        if (hops.has(tail) && hops.get(head) === hops.get(tail) - 1) this.onward.get(tail).add(head);
      }
      for (const [c] of this.own.values()) {
        const [tail, head] = channels[c];
        require(this.onward.get(tail)?.has(head), `channel ${c} is on no shortest path to node ${end}`);
      }
      const left = new Set([...this.own.values()].map(([c]) => channels[c][0]));
      for (const v of this.reached(flows.map((x) => x[0]))) {
        require(v === end || left.has(v), `packets to node ${end} can be at node ${v}, and have no escape there`);
      }
    }

    reached(starts) {
      const found = new Set(starts);
      for (const v of found) for (const u of this.onward.get(v) ?? []) found.add(u);
      return found;
    }

    requireRising(rank) {
      const [most, leaving] = [new Map(), new Map()]; // most: the largest rank after which a packet can be there
      for (const hop of this.own.values()) {
        const [tail] = this.channels[hop[0]];
        leaving.set(tail, [...(leaving.get(tail) ?? []), hop]);
      }
      const raise = (v, n) => { if (!most.has(v) || most.get(v) < n) most.set(v, n); };
      for (const v of this.nodes) {
        for (const hop of leaving.get(v) ?? []) {
          const rises = !most.has(v) || most.get(v) < rank(hop);
          require(rises, `to node ${this.end}, the order does not rise to channel ${hop[0]} (${hop[1]})`);
          raise(this.channels[hop[0]][1], rank(hop));
        }
        if (most.has(v)) for (const u of this.onward.get(v)) raise(u, most.get(v));
      }
    }
  }

  // By end of pairs.
  function escapesOf(routing) {
    const flows = new Map();
    routing.pairs.forEach((pair, k) => {
      const [start, end] = routing.between.nodes(pair);
      if (!flows.has(pair[1])) flows.set(pair[1], { end, own: [] });
      flows.get(pair[1]).own.push([start, routing.flows[k]]);
    });
    return new Map([...flows].map(([j, { end, own }]) => [j, new Escapes(routing, end, own)]));
  }

  function escapeAcyclic(proof, read) {
    const d = read({ routing: proof.routingInFull, virtual: pos, order: raw });
    const rank = ranksOf(proof, d);
    readable(d.routing.byPaths, 'an escape is a routing by paths');
    const escape = onVirtual(d.routing, d.virtual);
    return {
      words: `fully adaptive minimal routing meets Duato's condition with the escape ${escape}`, read: d,
      check() {
        requireOn(d.routing, d.virtual);
        for (const escapes of escapesOf(d.routing).values()) escapes.requireRising(rank);
      },
    };
  }

  function escapeCycle(proof, read) {
    const d = read({ routing: proof.routingInFull, cycle: raw });
    const cycle = every(listed(proof.network.channel, below(256), d.routing.between.end))(d.cycle);
    readable(d.routing.byPaths, 'an escape is a routing by paths');
    const escape = onVirtual(d.routing, d.routing.virtual);
    const words = `fully adaptive minimal routing does not meet Duato's condition with the escape ${escape}`;
    return {
      words: `${words}: there is a cycle of ${cycle.length} dependencies`, read: d,
      check() {
        require(cycle.length > 1, 'a cycle has at least two channels');
        const found = escapesOf(d.routing);
        const { channels } = proof.network;
        cycle.forEach(([c, v, j], k) => {
          const [e, w] = cycle[(k + 1) % cycle.length];
          const own = found.get(j);
          const both = own !== undefined && own.own.has(keyOf([c, v])) && own.own.has(keyOf([e, w]));
          require(both, `packets to ${j} do not escape over ${c} and ${e}`);
          require(own.reached([channels[c][1]]).has(channels[e][0]), `from channel ${c}, packets to ${j} do not come to ${e}`);
        });
      },
    };
  }

  // 6. Claims about all routings.

  // Of a bound on all routings: its claim, words, and a function that returns S, M and hops T^2 (see the page).
  function boundOnAll(proof, read, quantity, limited, among) {
    const { network } = proof;
    const size = network.channels.length;
    const common = {
      demands: proof.set, between: textOf, hops: nat, within: optional(fraction), value: fraction,
      adversaries: every(raw, size),
    };
    const d = read({ ...common, ...(among ? { name: textOf, listed: raw, over: raw } : { distances: raw }) });
    const between = new Between(network, d.between);
    const { end } = between;
    const [distances, path] = [every(whole, network.nodes), every(network.channel)];
    let rows;
    if (among) {
      const some = every(listed(end, end, every(path)))(d.listed);
      const over = every(listed(end, end, path, distances))(d.over);
      readable(some.every(([, , paths]) => paths.length), 'a pair has at least one path');
      rows = [...some.map(([i, j, paths]) => [i, j, null, paths]), ...over.map(([i, j, only, p]) => [i, j, p, only])];
    } else {
      rows = every(listed(end, end, distances))(d.distances).map(([i, j, p]) => [i, j, p, null]);
    }
    const adversaries = d.adversaries.map((x) => (x === null ? null : new Demand(network, d.demands, x)));
    const limits = d.within === null ? [] : [`whose ${limited} is at most ${shown(d.within)}`];
    if (among) {
      const pairs = counted(rows.length, 'pair');
      const where = `listed in claim ${proof.number + 1} as ${quoted(d.name)}`;
      limits.unshift(`in which ${pairs} keep to the paths or channels ${where}`);
    }
    d.limit = limits.map((x, k) => (k === 0 ? ` ${x}` : ` and ${x}`)).join('');
    const sides = () => {
      const lengths = new Map();
      let [total, cost] = [0n, 0n]; // total: over the scale of bandwidths
      adversaries.forEach((adversary, c) => {
        if (adversary === null) return;
        total += adversary.weight * network.channels[c][2];
        for (const [i, j, n] of adversary.check().values()) {
          const key = keyOf(between.pair(i, j));
          if (!lengths.has(key)) lengths.set(key, new Map());
          add(lengths.get(key), c, n);
        }
      });
      between.requirePairs(rows.map(([i, j]) => [i, j]));
      for (const [i, j, p, only] of rows) {
        const [a, b] = between.nodes([i, j]);
        const hops = d.hops * BigInt(between.members([i, j]).length);
        const own = lengths.get(keyOf([i, j]));
        const length = (c) => hops + (own?.get(c) ?? 0n);
        if (p === null) {
          for (const one of only) network.requirePath(one, a, b);
          const costs = only.map((one) => one.reduce((sum, c) => sum + length(c), 0n));
          cost += costs.reduce((least, x) => (x < least ? x : least));
        } else {
          distinct(only ?? [], `of ${i}, ${j} a channel`);
          feasible(network, [[a, p]], network.channels.map((_, c) => length(c)), only ?? undefined);
          cost += p[b] - p[a];
        }
      }
      return { cost, total: { n: total, d: network.scale }, hops: d.hops * network.size ** 2n };
    };
    return { d, words: `${everyRouting(d)} has ${quantity} of at least ${shown(d.value)}`, sides };
  }

  const everyRouting = (d) => `${given(d)}, every routing between ${d.between}${d.limit}`;

  function limitOf(d, coefficient) {
    require((d.within === null) === (coefficient === 0n), 'within: a limit is needed just where its side counts');
    require(d.within === null || !less(d.within, ZERO), 'within is negative');
    return d.within ?? ZERO;
  }

  const minus = (a, b) => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });

  function bestLoadAtLeast(proof, read, among = false) {
    const { d, words, sides } = boundOnAll(proof, read, 'a worst-case load', 'average path length', among);
    return {
      words, read: d,
      check() {
        const { cost, total, hops } = sides();
        const left = minus({ n: cost, d: 1n }, times({ n: hops, d: 1n }, limitOf(d, hops)));
        require(total.n > 0n && !less(left, times(d.value, total)), 'the adversaries prove less');
      },
    };
  }

  function bestPathLengthAtLeast(proof, read, among = false) {
    const { d, words, sides } = boundOnAll(proof, read, 'an average path length', 'worst-case load', among);
    return {
      words, read: d,
      check() {
        const { cost, total, hops } = sides();
        const left = minus({ n: cost, d: 1n }, times(total, limitOf(d, total.n)));
        require(hops > 0n && !less(left, times(d.value, { n: hops, d: 1n })), 'the adversaries prove less');
      },
    };
  }

  const TABLES = {
    destinations: 'one next channel for each node and destination', pairs: 'one path for each pair',
  };

  function tables(proof, read) {
    const d = read({ routing: proof.routing, of: textOf });
    readable(Object.hasOwn(TABLES, d.of), 'of: destinations or pairs');
    return {
      words: `${d.routing.called} has ${TABLES[d.of]}`, read: d,
      check() {
        const taken = new Map();
        for (const [pair, flow] of d.routing.everyFlow()) {
          const parts = flow.map((x) => (d.routing.byPaths ? [x[0], x[1]] : [x[1], [x[0]]]));
          for (const [n, path] of parts) {
            require(n === d.routing.scale, `the packets of ${pair} are split`);
            for (const c of path) {
              const at = `${proof.network.channels[c][0]} ${d.of === 'pairs' ? keyOf(pair) : pair[1]}`;
              require((taken.get(at) ?? c) === c, `at a node, packets of ${pair} take two channels`);
              taken.set(at, c);
            }
          }
        }
      },
    };
  }

  const ceil = (x) => (x.n > 0n ? (x.n + x.d - 1n) / x.d : x.n / x.d);

  function tablesAtLeast(proof, read) {
    const { network } = proof;
    const d = read({ demands: proof.set, of: textOf, value: fraction, evidence: raw });
    readable(Object.hasOwn(TABLES, d.of), 'of: destinations or pairs');
    const by = d.evidence instanceof Map ? d.evidence.get('by') : null;
    readable(['exit', 'paths', 'meetings', 'rounding'].includes(by), 'by: exit, paths, meetings or rounding');
    const own = {
      exit: { inside: every(network.node), exit: network.node }, rounding: { over: below(proof.number) }, paths: {},
      meetings: { multiplier: fraction },
    };
    const e = fields(d.evidence, { by: raw, ...own[by] });
    readable(by !== 'rounding' || proof.kinds[e.over] === 'best-load-at-least', 'rounding is of best-load-at-least');
    [d.between, d.limit] = ['terminals', ` with ${TABLES[d.of]}`];
    return {
      words: `${everyRouting(d)} has a worst-case load of at least ${shown(d.value)}`, read: d,
      check() {
        require(d.demands.marked === 'permutations', 'tables are judged over permutations');
        const wide = network.channels.map(([, , b]) => ({ n: b, d: network.scale }));
        if (by === 'rounding') {
          const over = proof.read[e.over];
          require(over.demands === d.demands && over.within === null, 'another set of demands, or a limit');
          require(over.between === 'terminals', 'a bound on routings between nodes says nothing of tables');
          const least = wide.map((b) => ({ n: ceil(times(over.value, b)) * b.d, d: b.n }));
          const fits = least.length ? least.every((x) => !less(x, d.value)) : !less(ZERO, d.value);
          require(fits, 'the least load of tables that is as large is smaller');
          return;
        }
        const room = wide.map((b) => ceil(times(d.value, b)) - 1n);
        if (by === 'exit') countAtExit(network, d.of, room, e);
        else if (by === 'paths') countPaths(network, room);
        else countMeetings(network, room, e.multiplier);
      },
    };
  }

  // All channels that leave the set begin at its exit.  By Koenig's theorem a load of at most ``room`` is a cover of the
  // pairs that cross the channel: sources and destinations, ``room`` in all.  If the rooms are fewer than the destinations
  // outside, one is covered nowhere; then all sources inside are, on the channels that its packets take.
  function countAtExit(network, of, room, e) {
    distinct(e.inside, 'a node of the set');
    const inside = new Set(e.inside);
    const leaving = all(network).filter((c) => {
      const [tail, head] = network.channels[c];
      return inside.has(tail) && !inside.has(head);
    });
    const elsewhere = leaving.some((c) => network.channels[c][0] !== e.exit);
    require(!elsewhere, 'a channel leaves the set elsewhere than at its exit');
    const sources = network.terminals.filter(([source]) => inside.has(source)).length;
    const destinations = network.terminals.filter(([, sink]) => !inside.has(sink)).length;
    require(sources > 0 && leaving.length, 'no packet leaves the set');
    const rooms = leaving.map((c) => room[c]);
    const most = of === 'destinations' ? rooms.reduce((a, b) => (a > b ? a : b)) : sum(rooms);
    require(most < sources, 'its channels have room for all sources inside');
    require(sum(rooms) < destinations, 'its channels have room for all destinations outside');
  }

  // A channel is heavy for the destinations in its cover; some destination has at most ``heavy`` of them, the average.
  // Back from it over heavy channels, paths end at their source, at one of the nodes where heavy channels begin, or come
  // over another channel, whose cover has the source.  So there are at most so many sources as these nodes have, with the
  // room of the channels into them and into the destination.  (Borodin & Hopcroft 1985, for loads.)
  function countPaths(network, rooms) {
    const size = network.size;
    const room = rooms.map((x) => (x < size ? x : size));
    require(room.length && room.every((x) => x >= 0n), 'a channel has no room');
    const near = new Map();
    for (const [source] of network.terminals) add(near, source, 1n);
    network.channels.forEach(([, head], c) => add(near, head, room[c]));
    const sorted = [...near.values()].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
    const most = sum(sorted.slice(0, Number(sum(room) / size)));
    const ends = network.terminals.map(([, sink]) => near.get(sink) ?? 0n);
    const spare = ends.reduce((a, b) => (a > b ? a : b)) + most - size;
    require(spare < 0n, `there is room for ${spare} more sources`);
  }

  // The path of a pair, followed back from its destination over covers that have it, ends at a node where source and
  // destination meet: among a, those that send there and the sources in covers of channels that enter, and b, those that
  // receive there and the destinations in covers of channels that leave.  All pairs are at most the sum of a b; what a
  // and b have from covers sums to all room.  a b less multiplier times that is largest at ends of a and of b.
  function countMeetings(network, rooms, multiplier) {
    const { size } = network;
    const room = rooms.map((x) => (x < size ? x : size));
    require(room.length && room.every((x) => x >= 0n), 'a channel has no room');
    require(!less(multiplier, ZERO), 'the multiplier is negative');
    const [sends, receives, enters, leaves] = [new Map(), new Map(), new Map(), new Map()];
    for (const [source, sink] of network.terminals) {
      add(sends, source, 1n);
      add(receives, sink, 1n);
    }
    network.channels.forEach(([tail, head], c) => {
      add(enters, head, room[c]);
      add(leaves, tail, room[c]);
    });
    const capped = (x) => (x < size ? x : size);
    let most = multiplier.n * sum(room); // times multiplier.d
    for (let v = 0; v < network.nodes; v += 1) {
      const [s, d] = [sends.get(v) ?? 0n, receives.get(v) ?? 0n];
      const [as, bs] = [[s, capped(s + (enters.get(v) ?? 0n))], [d, capped(d + (leaves.get(v) ?? 0n))]];
      const worth = as.flatMap((a) => bs.map((b) => multiplier.d * a * b - multiplier.n * (a - s + b - d)));
      most += worth.reduce((a, b) => (a > b ? a : b));
    }
    require(most < multiplier.d * size * size, `too many pairs can meet: there are ${size * size}`);
  }

  const bestLoadAmongPaths = (proof, read) => bestLoadAtLeast(proof, read, true);
  const bestPathLengthAmongPaths = (proof, read) => bestPathLengthAtLeast(proof, read, true);

  function flowAtLeast(proof, read) {
    const { network } = proof;
    const lengths = every(nat, network.channels.length);
    const d = read({ demands: proof.set, value: fraction, demand: raw, lengths, distances: network.distances });
    const demand = new Demand(network, d.demands, d.demand);
    const load = `at least ${shown(d.value)} times its bandwidth`;
    return {
      words: `however it is routed, some demand of ${d.demands.called} loads a channel with ${load}`, read: d,
      check() {
        const [p, budget] = [feasible(network, d.distances, d.lengths), network.cost(d.lengths)];
        let cost = 0n;
        for (const [i, j, n] of demand.check().values()) {
          const [s, v] = network.ends(i, j);
          require(s === v || p.has(s), `node ${s} has no distances`);
          if (s !== v) cost += n * (p.get(s)[v] - p.get(s)[s]);
        }
        const wanted = times(d.value, times({ n: demand.weight, d: 1n }, budget));
        require(budget.n > 0n && !less({ n: cost, d: 1n }, wanted), 'the lengths prove less');
      },
    };
  }

  function flowAtMost(proof, read) {
    const { network } = proof;
    const flows = every(every(listed(network.node, network.amounts)));
    const d = read({ demands: proof.set, value: fraction, scale: pos, flows });
    const count = d.demands instanceof Matrices ? d.demands.listed.length : 0;
    readable(!(d.demands instanceof Transport) && d.flows.length === count, 'flows: one of each matrix was expected');
    return {
      words: `each demand of ${d.demands.called} can be routed within ${shown(d.value)} times all bandwidths`, read: d,
      check() {
        require(count || !less(d.value, ONE), 'what is routable is routed within the bandwidths, and not always less');
        d.flows.forEach((flow, k) => {
          const { demand, scale } = d.demands.matrices[k];
          const [wanted, used] = [new Map(), new Map()]; // what nodes send, times d.scale and the matrix's scale
          for (const [i, j, n] of demand.values()) {
            const [s, v] = network.ends(i, j);
            if (s === v) continue;
            if (!wanted.has(s)) wanted.set(s, new Map());
            add(wanted.get(s), s, n * d.scale);
            add(wanted.get(s), v, -n * d.scale);
          }
          distinct(flow.map((x) => x[0]), 'the flow from a node');
          for (const [s, amounts] of flow) {
            distinct(amounts.map((x) => x[0]), `from node ${s} a channel`);
            require(wanted.has(s), `node ${s}, which has a flow, sends nothing to other nodes`);
            const [left, sent] = [network.excess(amounts), wanted.get(s)];
            const equal = left.size === sent.size && [...left].every(([v, n]) => sent.get(v) === n * scale);
            require(equal, `node ${s}'s flow is not what it sends`);
            wanted.delete(s);
            for (const [c, n] of amounts) add(used, c, n);
          }
          require(!wanted.size, `the demand of nodes ${[...wanted.keys()].slice(0, 5).join(', ')} has no flow`);
          for (const [c, n] of used) {
            const most = times(d.value, network.bandwidth(c));
            require(!less(most, { n, d: d.scale }), `the flows overload channel ${c}`);
          }
        });
      },
    };
  }

  function minimalPathLength(proof, read) {
    const { network } = proof;
    const d = read({ value: fraction, distances: network.distances });
    return {
      words: `the average path length of shortest paths is ${shown(d.value)}`, read: d,
      check() {
        const p = feasible(network, d.distances, network.channels.map(() => 1n));
        require([...network.senders.keys()].every((s) => p.has(s)), 'a node that sends has no distances');
        const leaving = new Map();
        for (const [tail, head] of network.channels) leaving.set(tail, [...(leaving.get(tail) ?? []), head]);
        let total = 0n;
        for (const [s, senders] of network.senders) {
          const row = p.get(s);
          require(row[s] === 0n, `node ${s} is not at distance 0 from itself`);
          const reached = new Set([s]); // along tight channels
          for (const v of reached) for (const w of leaving.get(v) ?? []) if (row[w] === row[v] + 1n) reached.add(w);
          const there = [...network.receivers].every(([v]) => reached.has(v));
          require(there, `no path from node ${s} has as few hops as its distance says`);
          for (const [v, x] of network.receivers) total += BigInt(senders.length * x.length) * row[v];
        }
        require(same({ n: total, d: network.size ** 2n }, d.value), `there are ${total} hops between all terminals`);
      },
    };
  }

  // 7. Quotients of claims before: the kind that is divided, the kinds that divide, how the value compares.
  // What each says is true if the claims are: throughput is the largest number by which all demands of the set can be
  // multiplied so that no channel carries more than its bandwidth.

  const LOADS_OF_ALL = ['best-load-at-least', 'best-load-among-paths-at-least', 'tables-at-least'];
  const LENGTHS_OF_ALL = ['best-path-length-at-least', 'best-path-length-among-paths-at-least'];
  const QUOTIENTS = {
    'throughput-at-least': [null, ['worst-case-at-most'], '<='],
    'throughput-at-most': [null, ['worst-case-at-least'], '>='],
    'fraction-at-least': ['flow-at-least', ['worst-case-at-most'], '<='],
    'fraction-at-most': ['flow-at-most', ['worst-case-at-least'], '>='],
    'best-throughput-at-least': [null, ['flow-at-most'], '<='],
    'best-throughput-at-most': [null, [...LOADS_OF_ALL, 'flow-at-least'], '>='],
    'best-fraction-at-most': ['flow-at-most', LOADS_OF_ALL, '>='],
    'price-of-obliviousness-at-least': ['best-load-at-least', ['worst-case-at-most', 'flow-at-most'], '<='],
    'price-of-obliviousness-at-most': ['worst-case-at-most', ['flow-at-least'], '>='],
    'relative-path-length': ['path-length', ['minimal-path-length'], '=='],
    'relative-path-length-at-least': [LENGTHS_OF_ALL, ['minimal-path-length'], '<='],
  };

  // The whole statement of a quotient: which demands, which routing or routings, within which limits.
  function saidOf(quantity, of, over, value) {
    const bound = `at ${quantity.endsWith('most') ? 'most' : 'least'} ${shown(value)}`;
    if (quantity.includes('price')) {
      const between = of.kind === 'best-load-at-least' ? of.between : of.routing.between.word;
      return `${given(of)}, the price of obliviousness of routings between ${between} is ${bound}`;
    }
    if (quantity === 'relative-path-length') {
      return `under ${of.routing.called} the average path length is ${shown(value)} times that of shortest paths`;
    }
    if (quantity === 'relative-path-length-at-least') {
      return `${everyRouting(of)} has an average path length of ${bound} times that of shortest paths`;
    }
    const capacity = quantity.includes('fraction') ? ' times the capacity' : '';
    if (LOADS_OF_ALL.includes(over.kind)) return `${everyRouting(over)} has a throughput of ${bound}${capacity}`;
    if (quantity.includes('best')) return `${given(over)}, each routed as is best for it, the throughput is ${bound}`;
    return `${under(over)}, the throughput is ${bound}${capacity}`;
  }

  function quotient(proof, read) {
    const before = below(proof.number);
    const d = read({ quantity: textOf, value: fraction, over: before, of: optional(before) });
    readable(Object.hasOwn(QUOTIENTS, d.quantity), 'an unknown quotient');
    const [kind, kinds, relation] = QUOTIENTS[d.quantity];
    const dividend = d.of === null ? null : proof.kinds[d.of];
    const fits = [kind].flat().includes(dividend) && kinds.includes(proof.kinds[d.over]);
    readable(fits, `${d.quantity} is of claims of other kinds`);
    const [of, over] = [d.of === null ? null : proof.read[d.of], proof.read[d.over]];
    const source = of === null ? `claim ${d.over + 1}` : `claims ${d.of + 1} and ${d.over + 1}`;
    return {
      words: `from ${source}: ${saidOf(d.quantity, of, over, d.value)}`, read: d,
      check() {
        const both = of === null ? [over] : [of, over];
        const whole = both.every((x) => x.kind !== 'worst-case-at-most' || x.channels === null);
        require(whole, 'a quotient is about all channels, and this claim about some');
        require(less(ZERO, over.value), 'a division by what is not above 0');
        const below0 = of !== null && d.quantity.endsWith('at-most') && !less(ZERO, of.value);
        require(!below0, 'a ratio to what is not above 0');
        if (d.quantity.includes('fraction')) proof.requireUniform(of.demands);
        if (d.quantity.includes('price')) {
          require(of.demands === over.demands, 'the claims are about different demands');
          require(of.kind !== 'best-load-at-least' || of.within === null, 'a price is about all routings');
        }
        const exact = times(of === null ? ONE : of.value, { n: over.value.d, d: over.value.n });
        const true_ = { '<=': !less(exact, d.value), '>=': !less(d.value, exact), '==': same(d.value, exact) };
        require(true_[relation], `the quotient is ${shown(exact)}`);
      },
    };
  }

  // 8. Collectives: broadcasts from many ranks at once, all-reduces, and phases on a routing.

  class Collective {
    constructor(network, read, evidence) {
      const end = network.terminal;
      const d = read({
        operation: textOf, ranks: every(end), root: optional(end), copies: textOf, value: fraction, ...evidence,
      });
      readable(['all-gather', 'reduce-scatter', 'broadcast'].includes(d.operation), 'operation: an unknown one');
      readable(['ranks', 'all'].includes(d.copies), 'copies: ranks or all');
      const rooted = (d.root === null) === (d.operation !== 'broadcast');
      readable(d.ranks.length && rooted, 'ranks, and the root of a broadcast only');
      this.network = network;
      this.claim = d;
      this.held = holding(network, d.ranks);
      this.emits = new Map();
      for (const r of d.root === null ? d.ranks : [d.root]) add(this.emits, network.terminals[r][0], 1n);
      this.ends = travelled(network, d.operation);
    }

    copies(v) { return this.claim.copies === 'all' || this.held.has(v); }

    words() {
      const { ranks, operation, root, copies } = this.claim;
      const who = wordsOfRanks(this.network, ranks);
      const from = root === null ? '' : ` from terminal ${root}`;
      const done = operation === 'reduce-scatter' ? 'added up' : 'copied';
      const where = copies === 'all' ? 'at any node' : 'at nodes of ranks alone';
      return `${operation === 'all-gather' ? 'an' : 'a'} ${operation}${from} among ${who}, ${done} ${where},`;
    }

    check() {
      const { ranks, root } = this.claim;
      checkRanks(this.network, ranks);
      require(root === null || ranks.includes(root), 'the root is no rank');
    }
  }

  // The nodes that hold a rank.
  const holding = (network, ranks) => new Set(ranks.map((r) => network.terminals[r][0]));

  function wordsOfRanks(network, ranks) {
    const all = [...ranks].sort((a, b) => a - b).every((r, k) => r === k) && ranks.length === network.terminals.length;
    return all ? `all ${ranks.length} terminals` : `the terminals ${ranks.join(', ')}`;
  }

  function checkRanks(network, ranks) {
    distinct(ranks, 'a rank');
    for (const r of ranks) {
      const [source, sink] = network.terminals[r];
      require(source === sink, `rank ${r} sends at one node and receives at another`);
    }
  }

  // The channels as units travel them: of a reduce-scatter, backwards.
  const travelled = (network, operation) => network.channels
    .map(([tail, head]) => (operation === 'reduce-scatter' ? [head, tail] : [tail, head]));

  // What trees put on every channel (added to load), and what they carry from every root, over their scale.
  function follow(trees, ends, held, copies, load) {
    const sent = new Map();
    for (const [root, weight, channels] of trees) {
      require(copies(root), `a tree begins at node ${root}, which does not copy`);
      const has = new Set([root]);
      let passing = null; // a node that does not copy, through which the unit passes
      for (const c of channels) {
        const [start, stop] = ends[c];
        const there = passing === null ? has.has(start) : start === passing;
        require(there, `a tree of node ${root} has no unit for ${c}`);
        passing = copies(stop) ? null : stop;
        if (passing === null) has.add(stop);
        add(load, c, weight);
      }
      const all = passing === null && [...held].every((v) => has.has(v));
      require(all, `a tree of node ${root} does not reach all ranks`);
      add(sent, root, weight);
    }
    return sent;
  }

  function requireRoom(network, load, scale) {
    for (const [c, n] of load) {
      require(n * network.scale <= network.channels[c][2] * scale, `the trees overload channel ${c}`);
    }
  }

  function collectiveAtMost(proof, read) {
    const { network } = proof;
    const { node } = network;
    const evidence = { cuts: every(listed(nat, every(node))), potentials: every(listed(node, whole)) };
    const task = new Collective(network, read, evidence);
    const d = task.claim;
    return {
      words: `no schedule of ${task.words()} has a rate above ${shown(d.value)}`, read: d,
      check() {
        task.check();
        distinct(d.potentials.map((x) => x[0]), 'the potential of a node');
        require(!d.potentials.some(([v]) => task.copies(v)), 'a node that copies has a potential');
        const potential = new Map(d.potentials);
        let worth = 0n;
        const sets = d.cuts.map(([weight, nodes]) => {
          distinct(nodes, 'a node of a cut');
          const inside = new Set(nodes);
          require([...task.held].some((v) => !inside.has(v)), 'a cut misses no rank');
          for (const v of nodes) worth += weight * (task.emits.get(v) ?? 0n);
          return [weight, inside];
        });
        require(worth > 0n, 'the cuts emit nothing');
        let cost = 0n;
        task.ends.forEach(([start, stop], c) => {
          let fare = (potential.get(stop) ?? 0n) - (potential.get(start) ?? 0n);
          for (const [weight, inside] of sets) if (inside.has(start) && !inside.has(stop)) fare += weight;
          if (fare > 0n) cost += fare * network.channels[c][2];
        });
        const proved = { n: cost, d: worth * network.scale };
        require(!less(d.value, proved), `the cuts prove ${shown(proved)}`);
      },
    };
  }

  function collectiveAtLeast(proof, read) {
    const { network } = proof;
    const trees = every(listed(network.node, pos, every(network.channel)));
    const task = new Collective(network, read, { scale: pos, trees });
    const d = task.claim;
    return {
      words: `some schedule of ${task.words()} has a rate of at least ${shown(d.value)}`, read: d,
      check() {
        task.check();
        const load = new Map();
        const sent = follow(d.trees, task.ends, task.held, (v) => task.copies(v), load);
        requireRoom(network, load, d.scale);
        for (const [v, n] of task.emits) {
          const carried = { n: sent.get(v) ?? 0n, d: n * d.scale };
          require(!less(carried, d.value), `the trees of node ${v} carry ${shown(carried)}`);
        }
      },
    };
  }

  function allReduceAtLeast(proof, read) {
    const { network } = proof;
    const trees = every(listed(network.node, pos, every(network.channel)));
    const d = read({ ranks: every(network.terminal), value: fraction, scale: pos, sums: trees, results: trees });
    readable(d.ranks.length, 'ranks: at least one was expected');
    const who = `some all-reduce among ${wordsOfRanks(network, d.ranks)}, added up and copied at nodes of ranks alone,`;
    return {
      words: `${who} has a rate of at least ${shown(d.value)}`, read: d,
      check() {
        checkRanks(network, d.ranks);
        const held = holding(network, d.ranks);
        const [load, copies] = [new Map(), (v) => held.has(v)];
        const added = follow(d.sums, travelled(network, 'reduce-scatter'), held, copies, load);
        const copied = follow(d.results, travelled(network, 'all-gather'), held, copies, load);
        requireRoom(network, load, d.scale);
        for (const [v, n] of copied) {
          require(n <= (added.get(v) ?? 0n), `node ${v} copies more than is added up there`);
        }
        const carried = { n: sum([...copied.values()]), d: BigInt(d.ranks.length) * d.scale };
        require(!less(carried, d.value), `the trees carry ${shown(carried)}`);
      },
    };
  }

  function allReduceAtMost(proof, read) {
    const { network } = proof;
    const d = read({ ranks: every(network.terminal), value: fraction, sets: every(every(network.node)) });
    readable(d.ranks.length, 'ranks: at least one was expected');
    const who = `no all-reduce among ${wordsOfRanks(network, d.ranks)} with one value a message`;
    return {
      words: `${who}, added up and copied at nodes of ranks alone, has a rate above ${shown(d.value)}`, read: d,
      check() {
        checkRanks(network, d.ranks);
        distinct(d.sets.flat(), 'a node of the sets');
        const held = holding(network, d.ranks);
        const each = d.sets.length > 1 && d.sets.every((inside) => inside.some((v) => held.has(v)));
        require(each, 'two sets or more, each with a rank');
        const of = new Map(d.sets.flatMap((inside, k) => inside.map((v) => [v, k])));
        require([...held].every((v) => of.has(v)), 'a rank is in no set');
        const widths = [0n, 0n]; // of the channels that leave a set, and of those that enter one
        for (const [tail, head, b] of network.channels) {
          if (of.get(tail) !== of.get(head)) [tail, head].forEach((v, k) => { if (of.has(v)) widths[k] += b; });
        }
        const least = widths[0] < widths[1] ? widths[0] : widths[1];
        const proved = { n: least, d: BigInt(2 * (d.sets.length - 1) * d.ranks.length) * network.scale };
        require(!less(d.value, proved), `the sets prove ${shown(proved)}`);
      },
    };
  }

  // An earlier claim about a rate: what was read, is it a bound on all schedules, and who has the rate.
  function rateOf(proof, k) {
    readable(/^(collective|all-reduce)-at-/.test(proof.kinds[k]), 'of: a rate of a collective was expected');
    const { words } = proof.checks[k];
    const who = words.slice(0, words.lastIndexOf(' has a rate '));
    return { rate: proof.read[k], most: proof.kinds[k].endsWith('at-most'), who };
  }

  // A product, stated from above or from below.
  const requireSide = (most, value, exact, what) => require(
    most ? !less(value, exact) : !less(exact, value), `${what} it ${shown(exact)}`,
  );

  // Size over time, and what a channel at each rank then carries: a multiple of a rate (nccl-tests, PERFORMANCE.md).
  function bandwidth(proof, read) {
    const d = read({ quantity: oneOf(['algorithm', 'bus']), value: fraction, of: below(proof.number) });
    const { rate, most, who } = rateOf(proof, d.of);
    const [operation, bus] = [rate.operation ?? 'all-reduce', d.quantity === 'bus'];
    let factor = rate.ranks.length;
    if (bus) factor = (operation === 'all-reduce' ? 2 : 1) * (factor - 1);
    if (operation === 'broadcast') factor = 1;
    const called = `${bus ? 'a' : 'an'} ${d.quantity} bandwidth (${factor} times the rate)`;
    return {
      words: `from claim ${d.of + 1}: ${who} has ${called} ${most ? 'above' : 'of at least'} ${shown(d.value)}`, read: d,
      check: () => requireSide(most, d.value, times({ n: BigInt(factor), d: 1n }, rate.value), 'the rate makes'),
    };
  }

  function leastTime(proof, read) {
    const d = read({ value: fraction, of: below(proof.number), phases: nat, latency: listed(nat, pos) });
    const { rate, most, who } = rateOf(proof, d.of);
    readable(most, 'of: a rate that no schedule passes was expected');
    const [n, over] = d.latency;
    const each = { n, d: over };
    const phases = `${counted(d.phases, 'phase')} with a latency of ${shown(each)} each`;
    return {
      words: `from claim ${d.of + 1}: any${who.slice(2)} takes at least ${shown(d.value)} cycles in ${phases}`, read: d,
      check() {
        const once = rate.value.n ? { n: rate.value.d, d: rate.value.n } : ZERO;
        requireSide(false, d.value, plus(times({ n: d.phases, d: 1n }, each), once), 'the rate makes');
      },
    };
  }

  function timesOptimal(proof, read) {
    const d = read({ value: fraction, of: below(proof.number), time: below(proof.number) });
    const { rate, most, who } = rateOf(proof, d.of);
    const side = most ? 'most' : 'least';
    const fits = ['phases-take', `schedule-time-at-${side}`].includes(proof.kinds[d.time]);
    readable(fits, 'time: a time from the side of the rate was expected');
    const best = `one over the best rate of any${who.slice(who.indexOf(' ')).replace(/,$/, '')}`;
    const both = `claims ${d.time + 1} and ${d.of + 1}`;
    return {
      words: `from ${both}: the time of claim ${d.time + 1} is at ${side} ${shown(d.value)} times ${best}`, read: d,
      check: () => requireSide(most, d.value, times(rate.value, proof.read[d.time].value), 'time and rate make'),
    };
  }

  function phasesTake(proof, read) {
    const { network } = proof;
    const amount = listed(nat, pos);
    const d = read({ routing: proof.routing, demands: proof.set, value: fraction, latency: amount, phases: raw });
    readable(d.demands instanceof Matrices, 'a set of matrices was expected');
    d.phases = every(listed(below(d.demands.listed.length), pos, amount))(d.phases);
    d.latency = { n: d.latency[0], d: d.latency[1] };
    const each = d.phases.map(([k, n, [a, b]]) => (
      `; ${n} times matrix ${k + 1}, multiplied by ${shown({ n: a, d: b })}`));
    const says = `phases with a latency of ${shown(d.latency)} each take just ${shown(d.value)} cycles`;
    return {
      words: `${under(d)}, ${says}${each.join('')}`, read: d,
      check() {
        const time = oneAfterAnother(d, busyBy(network, d).map((busy) => largest([...busy.values()])));
        require(same(time, d.value), `they take ${shown(time)}`);
      },
    };
  }

  const largest = (values) => values.reduce((x, y) => (less(x, y) ? y : x), ZERO);
  const oneAfterAnother = (d, takes) => d.phases.reduce(
    (time, [, n], k) => plus(time, times({ n, d: 1n }, plus(d.latency, takes[k]))), ZERO,
  );

  // Of each phase, for how long it keeps each channel busy that it loads.
  function busyBy(network, { routing, demands, phases }) {
    const of = new Map();
    return phases.map(([k, , [a, b]]) => {
      if (!of.has(k)) {
        const { demand, scale } = demands.matrices[k];
        of.set(k, all(network).map((c) => [c, routing.loadUnder(c, demand)]).filter(([, n]) => n).map(([c, n]) => {
          const width = network.bandwidth(c);
          return [c, { n: n * width.d, d: routing.scale * scale * width.n }];
        }));
      }
      return new Map((a ? of.get(k) : []).map(([c, x]) => [c, part(x, { n: a, d: b })]));
    });
  }

  const MEETINGS = {
    time: (k, value) => (
      `the phases of claim ${k} take at most ${value} cycles, each beside any one phase of each of the others`),
    others: (k, value) => (
      `phases of the others, one of each, keep a channel that claim ${k} loads busy for ${value} cycles at worst`),
    all: (k, value) => `phases, one of each, keep a channel busy for ${value} cycles at worst`,
  };

  function phasesMeet(proof, read) {
    const before = below(proof.number);
    const d = read({ quantity: oneOf(Object.keys(MEETINGS)), value: fraction, of: before, others: every(before) });
    const both = [d.of, ...d.others];
    const known = both.every((k) => proof.kinds[k] === 'phases-take');
    readable(known, 'of and others: claims of phases were expected');
    const says = MEETINGS[d.quantity](d.of + 1, shown(d.value));
    return {
      words: `from claim${d.others.length ? 's' : ''} ${both.map((k) => k + 1).join(', ')}: ${says}`, read: d,
      check() {
        distinct(both, 'a claim');
        const of = proof.read[d.of];
        const one = d.others.every((k) => proof.read[k].routing === of.routing);
        require(one, 'the claims are about several routings');
        const mostOf = (phases) => all(proof.network).map((c) => largest(phases.map((x) => x.get(c) ?? ZERO)));
        const [own, ...rest] = both.map((k) => busyBy(proof.network, proof.read[k]));
        const most = rest.map(mostOf);
        const others = all(proof.network).map((c) => most.reduce((sumOf, x) => plus(sumOf, x[c]), ZERO));
        const mine = mostOf(own);
        if (d.quantity === 'time') {
          const takes = own.map((busy) => largest([...busy].map(([c, x]) => plus(x, others[c]))));
          const found = oneAfterAnother(of, takes);
          require(!less(d.value, found), `they take ${shown(found)}`);
          return;
        }
        const found = largest(d.quantity === 'all' ? others.map((x, c) => plus(x, mine[c]))
          : others.filter((_, c) => mine[c].n));
        require(same(found, d.value), `it is ${shown(found)}`);
      },
    };
  }

  function sharedChannel(proof, read) {
    const { network } = proof;
    const [ends, pair] = [every(network.terminal), listed(network.terminal, network.terminal)];
    const d = read({
      routing: proof.routing, jobs: every(listed(ends, ends)), crossed: optional(listed(network.channel, pair, pair)),
    });
    const which = d.crossed === null ? 'no channel is' : `channel ${d.crossed[0]} is`;
    const listing = `the ${counted(d.jobs.length, 'job')} listed in claim ${proof.number + 1}`;
    return {
      words: `under ${d.routing.called}, ${which} crossed by packets within two of ${listing}`, read: d,
      check() {
        const { routing, jobs } = d;
        const of = [0, 1].map((side) => { // by terminal: in which job it sends, and in which it receives
          distinct(jobs.flatMap((job) => job[side]), 'a terminal of the jobs');
          return new Map(jobs.flatMap((job, k) => job[side].map((t) => [t, k])));
        });
        const within = (pairs) => new Set(pairs
          .filter(([i, j]) => i !== j && of[0].has(i) && of[0].get(i) === of[1].get(j)).map(([i]) => of[0].get(i)));
        if (d.crossed !== null) {
          const [c, ...pairs] = d.crossed;
          require(within(pairs).size === 2, 'the pairs are not of two jobs');
          const crossed = pairs.every(([i, j]) => routing.of(c, routing.between.pair(i, j)));
          require(crossed, `packets of one of the pairs do not cross channel ${c}`);
          return;
        }
        for (const c of all(network)) {
          const pairs = [...routing.on(c)].flatMap((x) => routing.between.members(x.pair));
          require(within(pairs).size < 2, `packets within several jobs cross channel ${c}`);
        }
      },
    };
  }

  // Calls: every node holds one at most.  A call leads from the source of a terminal, which makes it, to a sink.

  class Exchange {
    constructor(network) {
      this.network = network;
      this.lists = every(every(network.node));
      this.sources = new Map(network.terminals.map(([source], t) => [source, t]));
      this.sinks = new Map(network.terminals.map(([, sink], t) => [sink, t]));
      const edges = new Map(network.channels.map(([tail, head]) => [keyOf([tail, head]), [tail, head]]));
      this.edges = [...edges.values()].sort(([a, b], [c, e]) => a - c || b - e);
      this.known = edges;
    }

    // [making, answering] of calls along paths without a node in common.
    check(calls = []) {
      const ends = new Set([...this.sources.keys(), ...this.sinks.keys()]);
      require(ends.size === 2 * this.network.terminals.length, 'two terminals have one node');
      const inner = this.edges.every(([tail, head]) => !this.sinks.has(tail) && !this.sources.has(head));
      require(inner, 'a channel leaves a sink, or leads to a source');
      distinct(calls.flat(), 'a node of the calls');
      for (const path of calls) {
        const whole = path.length && this.sources.has(path[0]) && this.sinks.has(path[path.length - 1]);
        require(whole, 'a call does not lead from a source to a sink');
        const along = path.every((v, k) => k === 0 || this.known.has(keyOf([path[k - 1], v])));
        require(along, 'a call leaves the channels');
      }
      return calls.map((path) => [this.sources.get(path[0]), this.sinks.get(path[path.length - 1])]);
    }

    // Every node to which paths lead without these nodes.
    reached(starts, without) {
      const ahead = new Map();
      for (const [tail, head] of this.edges) ahead.set(tail, [...(ahead.get(tail) ?? []), head]);
      const queue = [...new Set(starts)].filter((v) => !without.has(v));
      const found = new Set(queue);
      for (const v of queue) {
        for (const w of ahead.get(v) ?? []) if (!without.has(w) && !found.has(w)) { found.add(w); queue.push(w); }
      }
      return found;
    }
  }

  function blockedCall(proof, read) {
    const exchange = new Exchange(proof.network);
    const end = proof.network.terminal;
    const d = read({ calls: exchange.lists, from: end, to: end });
    const calls = `calls as listed in claim ${proof.number + 1}`;
    const ends = `terminal ${d.from}, which makes none, no path to terminal ${d.to}, which answers none`;
    return {
      words: `with one call to a node, ${calls} leave ${ends}`, read: d,
      check() {
        const known = exchange.check(d.calls);
        const idle = known.every(([making, answering]) => making !== d.from && answering !== d.to);
        require(idle, 'one of the terminals is not idle');
        const [start, stop] = proof.network.ends(d.from, d.to);
        require(!exchange.reached([start], new Set(d.calls.flat())).has(stop), 'a path is free');
      },
    };
  }

  function callsAtOnce(proof, read) {
    const exchange = new Exchange(proof.network);
    const d = read({ calls: exchange.lists });
    const ends = d.calls.map((path) => [exchange.sources.get(path[0]), exchange.sinks.get(path[path.length - 1])]);
    readable(ends.length && !ends.flat().includes(undefined), 'calls from sources to sinks were expected');
    return {
      words: `with one call to a node, all of these are possible at once: ${ends.map((x) => x.join(' to ')).join(', ')}`,
      read: d,
      check: () => exchange.check(d.calls),
    };
  }

  function callsCut(proof, read) {
    const { network } = proof;
    const exchange = new Exchange(network);
    const d = read({ terminals: every(network.terminal), cut: every(network.node) });
    return {
      words: `with one call to a node, the terminals ${d.terminals.join(', ')} cannot all make a call at once`, read: d,
      check() {
        exchange.check();
        distinct(d.terminals, 'a terminal');
        const cut = new Set(d.cut);
        require(d.terminals.length > cut.size, 'there are as many nodes as terminals');
        const reached = exchange.reached(d.terminals.map((t) => network.terminals[t][0]), cut);
        require(![...exchange.sinks.keys()].some((v) => reached.has(v)), 'a path leads around the nodes');
      },
    };
  }

  function neverBlocked(proof, read) {
    const exchange = new Exchange(proof.network);
    const d = read({ lemmas: LEMMAS });
    const ends = 'every terminal that makes none has a path to every one that answers none';
    return {
      words: `with one call to a node, whatever calls there are, ${ends}`, read: d,
      check() {
        exchange.check();
        requireRefuted(blockingClauses(exchange), d.lemmas);
      },
    };
  }

  // Of calls that block another one.  Variables: by terminal, it shall make the other one; it shall answer it; by node, a
  // call is there; a free path from who shall make it leads there; by pair of nodes, a call crosses a channel.
  function blockingClauses({ network, edges, sources, sinks }) {
    const [size, nodes] = [network.terminals.length, network.nodes];
    const [makes, answers, used, reached] = [1, 1 + size, 1 + 2 * size, 1 + 2 * size + nodes];
    const first = reached + nodes;
    const [entering, leaving] = [0, 1].map(() => upTo(nodes).map(() => []));
    edges.forEach(([tail, head], k) => { leaving[tail].push(first + k); entering[head].push(first + k); });
    const clauses = [upTo(size).map((t) => makes + t), upTo(size).map((t) => answers + t)];
    for (let v = 0; v < nodes; v += 1) {
      for (const [around, ends] of [[entering[v], sources], [leaving[v], sinks]]) {
        if (ends.has(v)) continue;
        clauses.push([-(used + v), ...around]);
        for (const k of around) clauses.push([-k, used + v]);
        around.forEach((k, at) => { for (const m of around.slice(0, at)) clauses.push([-k, -m]); });
      }
    }
    network.terminals.forEach(([source, sink], t) => {
      clauses.push([-(makes + t), -(used + source)], [-(makes + t), reached + source]);
      clauses.push([-(answers + t), -(used + sink)], [-(answers + t), -(reached + sink)]);
    });
    for (const [tail, head] of edges) {
      clauses.push([-(reached + tail), ...(sinks.has(head) ? [] : [used + head]), reached + head]);
    }
    return clauses;
  }

  // Groups of nodes, and how many nodes their channels lead to.

  function neighboursAtMost(proof, read) {
    const nodes = every(proof.network.node);
    const d = read({ groups: every(nodes), nodes, value: nat });
    const where = `one of the groups listed in claim ${proof.number + 1}`;
    const count = counted(d.nodes.length, 'node');
    return {
      words: `the channels of some ${count} of ${where} lead to at most ${counted(d.value, 'node')}`, read: d,
      check() {
        distinct(d.nodes, 'a node');
        require(d.groups.some((group) => d.nodes.every((v) => group.includes(v))), 'they are not all in one group');
        const own = new Set(d.nodes);
        const found = new Set(proof.network.channels.filter(([tail]) => own.has(tail)).map(([, head]) => head));
        require(BigInt(found.size) <= d.value, `they lead to ${found.size}`);
      },
    };
  }

  function neighboursAtLeast(proof, read) {
    const lists = every(every(proof.network.node));
    const d = read({ groups: lists, size: pos, value: nat, eigenvalue: fraction, power: below(1025) });
    readable(d.power > 0 && Number.isInteger(Math.log2(d.power)), 'power: a power of two was expected');
    const where = `each group listed in claim ${proof.number + 1}`;
    return {
      words: `the channels of any ${counted(d.size, 'node')} of ${where} lead to at least ${counted(d.value, 'node')}`,
      read: d,
      check() {
        require(d.groups.length, 'there is no group');
        for (const group of d.groups) {
          distinct(group, 'a node of a group');
          require(d.size <= BigInt(group.length), 'a group is smaller');
          requireSpectrum(proof.network, group, d);
        }
      },
    };
  }

  // With degrees a and b, the eigenvalues of (channels from u to w) times its transpose are a b, and others of at most
  // eigenvalue: the sum of their powers is a trace.  So the channels of k nodes, counted by their heads and squared, are at
  // most k (eigenvalue + (a b - eigenvalue) k / size).  (Tanner 1984.)
  function requireSpectrum(network, group, d) {
    const key = `${group};${d.power}`;
    if (!network.spectra.has(key)) network.spectra.set(key, spectrum(network, group, d.power));
    const [a, b, trace] = network.spectra.get(key);
    const { n, d: over } = d.eigenvalue;
    const [ab, exponent, size] = [a * b, BigInt(d.power), BigInt(group.length)];
    const above = n >= 0n && n ** exponent >= (trace - ab ** exponent) * over ** exponent;
    require(above, 'the eigenvalue may be larger');
    const least = { n: a * a * d.size * over * size, d: n * size + (ab * over - n) * d.size };
    require((d.value - 1n) * least.d < least.n, `the eigenvalue proves ${shown(least)}`);
  }

  // The degrees, and the trace of the power.
  function spectrum(network, group, whole) {
    const place = new Map(group.map((v, k) => [v, k]));
    const rows = new Map();
    const leaving = group.map(() => 0n);
    for (const [tail, head] of network.channels) {
      if (!place.has(tail)) continue;
      if (!rows.has(head)) rows.set(head, group.map(() => 0n));
      rows.get(head)[place.get(tail)] += 1n;
      leaving[place.get(tail)] += 1n;
    }
    const table = [...rows.values()];
    const degrees = [new Set(leaving), new Set(table.map(sum))];
    require(degrees.every((x) => x.size === 1 && !x.has(0n)), 'the nodes have different numbers of channels');
    const [[a], [b]] = degrees;
    const dot = (x, y) => x.reduce((found, n, k) => found + n * y[k], 0n);
    let matrix = table.map((x) => table.map((y) => dot(x, y)));
    let power = whole;
    for (; power > 2; power /= 2) { // it is symmetric
      const now = matrix;
      matrix = now.map((x) => now.map((y) => dot(x, y)));
    }
    return [a, b, sum(power === 1 ? matrix.map((row, k) => row[k]) : matrix.map((row) => dot(row, row)))];
  }

  // 9. Schedules of collectives: what the steps of all thread blocks do, in every execution.

  const ACTIONS = { // it receives (r), adds its source (a), or its target's content (t), writes its target (w), sends (s)
    send: 's', receive: 'rw', 'receive-copy-send': 'rws', 'receive-reduce-send': 'ras',
    'receive-reduce-copy': 'raw', 'receive-reduce-copy-send': 'raws', copy: 'w', reduce: 'tw', wait: '',
  };
  const SHARED = ['all-gather', 'reduce-scatter', 'all-to-all']; // whose chunks are divided among the ranks
  const ROOTED = ['broadcast', 'reduce'];
  const COLLECTIVES = [...SHARED, ...ROOTED, 'all-reduce', 'custom'];
  const MOST_CHUNKS = 1 << 24; // of all buffers
  const MOST_MOVED = 1 << 21; // of all steps
  const sizeOfBuffer = below(MOST_CHUNKS + 1);
  const flag = (x) => { readable(typeof x === 'boolean', 'true or false was expected'); return x; };
  const oneOf = (known) => (x) => {
    readable(typeof x === 'string' && known.includes(x), 'an unknown word');
    return x;
  };
  const upTo = (n) => [...Array(n).keys()];
  const total = (values) => values.reduce((a, b) => a + b, 0);

  class Schedule {
    constructor(data) {
      const sizes = every(sizeOfBuffer);
      const d = fields(data, {
        name: textOf, collective: oneOf(COLLECTIVES), chunks: sizeOfBuffer, root: raw, in_place: every(flag),
        inputs: sizes, outputs: sizes, scratch: sizes, ranks: every(every(raw)),
      });
      const ranks = d.ranks.length;
      Object.assign(this, { collective: d.collective, chunks: d.chunks, inPlace: d.in_place, ranks });
      this.sizes = { i: d.inputs, o: d.outputs, s: d.scratch };
      this.rank = below(ranks);
      this.root = optional(this.rank)(d.root);
      readable(ranks && d.chunks && d.in_place.length, 'a rank, a chunk and a way to call it were expected');
      const buffers = Object.values(this.sizes);
      readable(buffers.every((x) => x.length === ranks), 'buffers of every rank were expected');
      readable(total(buffers.map(total)) <= MOST_CHUNKS, 'the buffers have too many chunks');
      this.steps = [];
      this.first = [];
      const peer = optional(this.rank);
      d.ranks.forEach((some, rank) => {
        const blocks = some.map((x) => fields(x,
          { send_to: peer, receive_from: peer, channel: below(LARGEST), steps: every(raw) }));
        const starts = [this.steps.length];
        for (const block of blocks) starts.push(starts[starts.length - 1] + block.steps.length);
        this.first.push(starts);
        blocks.forEach((block, b) => block.steps.forEach((x, k) => {
          this.steps.push(this.readStep(rank, b, k, block, starts, x));
        }));
      });
      readable(total(this.steps.map((x) => x.count)) <= MOST_MOVED, 'the steps are for too many chunks');
      this.number = below(this.steps.length);
      this.marked = quoted(d.name);
    }

    readStep(rank, b, k, block, starts, data) {
      const place = optional(listed(oneOf(['i', 'o', 's']), sizeOfBuffer));
      const [action, source, target, count, after] = listed(oneOf(Object.keys(ACTIONS)), place, place, sizeOfBuffer,
        every(every(raw, 2)))(data);
      const does = ACTIONS[action];
      const reads = action !== 'wait' && (does.includes('a') || !does.includes('r'));
      for (const [needed, x] of [[reads, source], [does.includes('w'), target]]) {
        readable(needed === (x !== null), 'source and target stand where a step reads and writes, and only there');
        readable(x === null || x[1] + count <= this.sizes[x[0]][rank], 'a step leaves its buffer');
      }
      for (const [way, peer] of [['s', block.send_to], ['r', block.receive_from]]) {
        const other = peer !== null && peer !== rank;
        readable(other || !does.includes(way), 'a step has no other rank to send to or receive from');
      }
      readable(count || action === 'wait', 'a step is for no chunk');
      const waits = k ? [starts[b] + k - 1] : [];
      for (const [other, last] of after) {
        const first = starts[below(starts.length - 1)(other)];
        waits.push(first + below(starts[other + 1] - first)(last));
      }
      const to = does.includes('s') ? [rank, block.send_to, block.channel] : null;
      const by = does.includes('r') ? [block.receive_from, rank, block.channel] : null;
      return { rank, block: b, place: k, does, source, target, count, waits, to, by };
    }

    check() {
      const { ranks, chunks, collective } = this;
      const custom = collective === 'custom';
      distinct(this.inPlace, 'a way to call it');
      require(this.root === null || ROOTED.includes(collective), `${collective} has no root`);
      require(!custom || !this.inPlace.includes(true), 'how a custom collective runs in place is not defined');
      require(!SHARED.includes(collective) || chunks % ranks === 0,
        `${chunks} chunks cannot be divided among ${ranks} ranks`);
      for (const [buffer, shares] of [['i', 'all-gather'], ['o', 'reduce-scatter']]) {
        const size = collective === shares ? chunks / ranks : chunks; // where one rank has only its share
        require(custom || this.sizes[buffer].every((x) => x === size), `${collective} has buffers of other sizes`);
      }
      this.messages = new Map();
      this.steps.forEach((step, number) => {
        [step.to, step.by].forEach((way, k) => {
          if (way === null) return;
          const key = String(way);
          if (!this.messages.has(key)) this.messages.set(key, [[], []]);
          this.messages.get(key)[k].push(number);
        });
      });
      for (const ends of this.messages.values()) {
        for (const numbers of ends) {
          require(new Set(numbers.map((x) => this.steps[x].block)).size === 1, 'two thread blocks at one end, or none');
        }
        const [sent, received] = ends.map((numbers) => String(numbers.map((x) => this.steps[x].count)));
        require(sent === received, 'sends and receives of a connection do not match');
      }
    }

    // By step, which ones end before it; room: how many messages a connection holds (null: any number).
    before(room) {
      const found = this.steps.map((x) => [...x.waits]);
      for (const [sends, receives] of this.messages.values()) {
        sends.forEach((send, k) => {
          found[receives[k]].push(send);
          if (room !== null && k >= room) found[send].push(receives[k - room]);
        });
      }
      return found;
    }

    // All steps, each after those that end before it.
    order(room = null) {
      const before = this.before(room);
      const after = before.map(() => []);
      const missing = before.map((x) => x.length);
      before.forEach((found, number) => { for (const x of found) after[x].push(number); });
      const order = upTo(before.length).filter((x) => missing[x] === 0);
      for (const x of order) {
        for (const number of after[x]) {
          missing[number] -= 1;
          if (missing[number] === 0) order.push(number);
        }
      }
      require(order.length === before.length,
        `steps wait for one another, and ${missing.findIndex((x) => x > 0)} waits for them`);
      return order;
    }

    // Which memory is chunk k of a buffer: in place, input and output are one.
    slot(rank, buffer, k, inPlace) {
      if (buffer === 's' || !inPlace) return `${rank} ${buffer} ${k}`;
      const shares = { 'all-gather': 'i', 'reduce-scatter': 'o' }[this.collective];
      return `${rank} io ${k + (buffer === shares ? rank * (this.chunks / this.ranks) : 0)}`;
    }

    slots(step, place, inPlace) {
      return upTo(step.count).map((k) => this.slot(step.rank, place[0], place[1] + k, inPlace));
    }

    // [slot, does it write there?] of all that a step touches.
    touched(step, inPlace) {
      const { source, target, does } = step;
      const places = [[source, false], [does.includes('t') ? target : null, false], [target, true]];
      return places.filter(([place]) => place !== null)
        .flatMap(([place, writes]) => this.slots(step, place, inPlace).map((slot) => [slot, writes]));
    }

    // What it writes and reads as another chunk.
    overlap(step, inPlace) {
      if (step.source === null || step.target === null) return [];
      const [from, to] = [step.source, step.target].map((place) => this.slots(step, place, inPlace));
      const written = new Set(to);
      return from[0] === to[0] ? [] : from.filter((x) => written.has(x));
    }

    requireRaceFree() {
      const order = this.order();
      const before = this.before(null);
      this.first.forEach((starts) => {
        const [start, stop] = [starts[0], starts[starts.length - 1]];
        const own = (x) => (x >= start && x < stop ? 1n << BigInt(x - start) : 0n);
        const earlier = new Map(); // by step, which ones of this rank end before it: a bit for each
        for (const x of order) earlier.set(x, before[x].reduce((found, y) => found | earlier.get(y) | own(y), 0n));
        for (const inPlace of this.inPlace) {
          const readers = new Map();
          const writers = new Map();
          for (const x of order.filter((y) => own(y))) {
            require(!this.overlap(this.steps[x], inPlace).length, `step ${x} overlaps itself`);
            for (const [slot, writes] of this.touched(this.steps[x], inPlace)) {
              const others = (writers.get(slot) ?? 0n) | (writes ? readers.get(slot) ?? 0n : 0n);
              const known = earlier.get(x) | own(x);
              require((others | known) === known, `step ${x} races with another one on ${slot}`);
              const mine = writes ? writers : readers;
              mine.set(slot, (mine.get(slot) ?? 0n) | own(x));
            }
          }
        }
      });
    }

    // The inputs whose sum a rank must end with in chunk k of its output; null: it is not asked for.
    wanted(rank, k) {
      const share = Math.floor(this.chunks / this.ranks);
      const everyOne = (chunk) => upTo(this.ranks).map((i) => `${i} ${chunk}`);
      return {
        'all-gather': () => [`${Math.floor(k / share)} ${k % share}`],
        'all-to-all': () => [`${Math.floor(k / share)} ${rank * share + (k % share)}`],
        broadcast: () => [`${this.root} ${k}`],
        'all-reduce': () => everyOne(k),
        'reduce-scatter': () => everyOne(rank * share + k),
        reduce: () => (rank === this.root ? everyOne(k) : null),
      }[this.collective]();
    }

    // [rank, k, value, the inputs whose sum it is] of all output chunks.  A value is a number, one for each input and for
    // each pair of values that is added, -1 for nothing; null for the inputs: nothing, or one that is in it twice.
    run(order, inPlace) {
      const known = new Map();
      const inputs = [];
      const held = new Map();
      const sent = new Map();
      const value = (key, of) => {
        if (!known.has(key)) { known.set(key, inputs.length); inputs.push(of); }
        return known.get(key);
      };
      const added = (x, y) => {
        if (x < 0 || y < 0) return -1;
        const [a, b] = [inputs[x], inputs[y]];
        const whole = a !== null && b !== null && ![...a].some((leaf) => b.has(leaf));
        return value(`${Math.min(x, y)},${Math.max(x, y)}`, whole ? new Set([...a, ...b]) : null);
      };
      for (const rank of this.collective === 'broadcast' ? [this.root] : upTo(this.ranks)) {
        for (let k = 0; k < this.sizes.i[rank]; k += 1) {
          held.set(this.slot(rank, 'i', k, inPlace), value(`${rank} ${k}`, new Set([`${rank} ${k}`])));
        }
      }
      for (const number of order) {
        const step = this.steps[number];
        const { does, source, target } = step;
        let now = step.by === null ? null : sent.get(String(step.by)).shift();
        for (const place of [source, does.includes('t') ? target : null]) {
          if (place === null) continue;
          const read = this.slots(step, place, inPlace).map((x) => held.get(x) ?? -1);
          now = now === null ? read : now.map((x, k) => added(x, read[k]));
        }
        if (target !== null) this.slots(step, target, inPlace).forEach((x, k) => held.set(x, now[k]));
        if (step.to !== null) {
          const key = String(step.to);
          if (!sent.has(key)) sent.set(key, []);
          sent.get(key).push(now);
        }
      }
      return this.sizes.o.flatMap((size, rank) => upTo(size).map((k) => {
        const found = held.get(this.slot(rank, 'o', k, inPlace)) ?? -1;
        return [rank, k, found, found < 0 ? null : inputs[found]];
      }));
    }

    requireAsked() {
      const { collective } = this;
      require(collective !== 'custom' && (!ROOTED.includes(collective) || this.root !== null),
        'what the ranks must end with is not known');
    }

    // Whatever the timing; returns the most different values that ranks end with for one sum of inputs.
    requireRight() {
      this.requireAsked();
      this.requireRaceFree();
      let most = 0;
      for (const inPlace of this.inPlace) {
        const ends = new Map();
        for (const [rank, k, value, of] of this.run(this.order(), inPlace)) {
          const wanted = this.wanted(rank, k);
          if (wanted === null) continue;
          require(isSum(of, wanted), `rank ${rank} ends with something else in chunk ${k}`);
          const key = String(wanted);
          if (!ends.has(key)) ends.set(key, new Set());
          ends.get(key).add(value);
        }
        for (const x of ends.values()) most = Math.max(most, x.size);
      }
      return most;
    }

    // By phase, how many chunks each rank sends to each other: [i, j] -> n.
    phases() {
      const before = this.before(null);
      const phase = [];
      const found = [];
      for (const x of this.order()) {
        const step = this.steps[x];
        phase[x] = before[x].reduce((most, y) => Math.max(most, phase[y]), 0) + (step.to === null ? 0 : 1);
        if (step.to === null) continue;
        const sent = found[phase[x]] ??= new Map();
        add(sent, keyOf(step.to), BigInt(step.count));
      }
      return found.filter((x) => x !== undefined);
    }

    words() {
      const ways = this.inPlace.map((x) => (x ? 'in place' : 'out of place')).join(' and ');
      const root = this.root === null ? '' : ` with root ${this.root}`;
      const blocks = counted(total(this.first.map((x) => x.length - 1)), 'thread block');
      const of = `of ${counted(this.chunks, 'chunk')} among ${counted(this.ranks, 'rank')}`;
      const what = `${this.collective}${root} ${of}, ${ways}`;
      return `schedule called ${this.marked} by the proof: ${what}: ${blocks}, ${counted(this.steps.length, 'step')}`;
    }
  }

  const isSum = (of, wanted) => of !== null && of.size === wanted.length && wanted.every((x) => of.has(x));

  function heldBy(schedule, room) {
    const messages = room === null ? 'any number of messages' : counted(room, 'message');
    return `the schedule ${schedule.marked}, with room for ${messages} on every connection,`;
  }

  function scheduleDeadlockFree({ schedule }, read) {
    const d = read({ room: optional(sizeOfBuffer) });
    return {
      words: `every execution of ${heldBy(schedule, d.room)} ends`, read: d,
      check() { schedule.order(d.room); },
    };
  }

  function scheduleDeadlock({ schedule }, read) {
    const d = read({ room: optional(sizeOfBuffer), cycle: every(schedule.number) });
    return {
      words: `no execution of ${heldBy(schedule, d.room)} ends`, read: d,
      check() {
        const before = schedule.before(d.room);
        require(d.cycle.length, 'an empty cycle');
        d.cycle.forEach((x, k) => {
          const y = d.cycle[(k + 1) % d.cycle.length];
          require(before[y].includes(x), `step ${y} does not wait for step ${x}`);
        });
      },
    };
  }

  function scheduleRaceFree({ schedule }, read) {
    const two = `every two steps of the schedule ${schedule.marked} that touch one chunk, one of them writing,`;
    return {
      words: `${two} run in one order in every execution`, read: read({}),
      check() { schedule.requireRaceFree(); },
    };
  }

  function scheduleRace({ schedule }, read) {
    const d = read({
      steps: every(schedule.number, 2), in_place: flag, buffer: oneOf(['i', 'o', 's']), chunk: sizeOfBuffer,
    });
    const both = d.steps.map((x) => schedule.steps[x]);
    const at = both.map((x) => `thread block ${x.block}, step ${x.place}`).join(' and ');
    const place = `${d.buffer}[${d.chunk}] of rank ${both[1].rank}, ${d.in_place ? 'in place' : 'out of place'}`;
    return {
      words: `${at} of the schedule ${schedule.marked}, one of them writing, have no order on ${place}`, read: d,
      check() {
        require(schedule.inPlace.includes(d.in_place), 'it is not called so');
        require(d.chunk < schedule.sizes[d.buffer][both[1].rank], 'the buffer has no such chunk');
        schedule.order(); // else they may never run
        const slot = schedule.slot(both[1].rank, d.buffer, d.chunk, d.in_place);
        const ways = both.map((x) => schedule.touched(x, d.in_place).filter((y) => y[0] === slot));
        require(ways.every((x) => x.length) && ways.flat().some((x) => x[1]),
          'they do not both touch it, one of them writing');
        if (both[0] === both[1]) {
          const there = schedule.overlap(both[0], d.in_place).includes(slot);
          require(there, 'it is one step, which does not overlap itself there');
          return;
        }
        const before = schedule.before(null);
        for (const [start, stop] of [d.steps, [...d.steps].reverse()]) {
          const found = new Set([stop]);
          for (const x of found) for (const y of before[x]) found.add(y);
          require(!found.has(start), `step ${start} ends before step ${stop}`);
        }
      },
    };
  }

  function scheduleResult({ schedule }, read) {
    const what = `all ranks have what ${schedule.collective} asks for`;
    return {
      words: `after every execution of the schedule ${schedule.marked} ${what}`, read: read({}),
      check() { schedule.requireRight(); },
    };
  }

  function scheduleReductionOrders({ schedule }, read) {
    const d = read({ value: nat });
    const orders = counted(d.value, 'order');
    return {
      words: `by the schedule ${schedule.marked} the ranks add up one chunk in at most ${orders}, and some chunk in so many`,
      read: d,
      check() {
        const found = schedule.requireRight();
        require(BigInt(found) === d.value, `in ${found}`);
      },
    };
  }

  function scheduleWrongResult({ schedule }, read) {
    const d = read({ order: every(schedule.number), in_place: flag, rank: schedule.rank, chunk: sizeOfBuffer });
    const what = `o[${d.chunk}] of rank ${d.rank} does not have what ${schedule.collective} asks for`;
    const how = d.in_place ? 'in place' : 'out of place';
    return {
      words: `after some execution of the schedule ${schedule.marked}, ${how}, ${what}`, read: d,
      check() {
        schedule.requireAsked();
        require(schedule.inPlace.includes(d.in_place), 'it is not called so');
        const place = new Map(d.order.map((x, k) => [x, k]));
        require(place.size === d.order.length && place.size === schedule.steps.length, 'every step once was expected');
        schedule.before(null).forEach((found, number) => {
          require(found.every((x) => place.get(x) < place.get(number)), `step ${number} comes too early`);
        });
        const end = schedule.run(d.order, d.in_place).find((x) => x[0] === d.rank && x[1] === d.chunk);
        const wanted = schedule.wanted(d.rank, d.chunk);
        require(end !== undefined && wanted !== null, 'it is asked for nothing there');
        require(!isSum(end[3], wanted), 'it has');
      },
    };
  }

  // The claim, what it is about in words, and for how many units of time each channel is busy with [i, j] -> chunks.
  function scheduleTime(proof, read, evidence) {
    const { schedule, network } = proof;
    readable(network !== null, 'a time is of a schedule on a network');
    const d = read({ routing: proof.routing, ranks: every(network.terminal, schedule.ranks), value: fraction, ...evidence });
    const own = [...ROOTED, 'all-to-all'].includes(schedule.collective);
    const unit = { n: BigInt(schedule.chunks), d: own ? 1n : BigInt(schedule.ranks) };
    const busy = (sent, c) => {
      const demand = new Map([...sent].map(([key, n]) => [key, [...key.split(',').map((i) => d.ranks[i]), n]]));
      const width = network.bandwidth(c);
      return { n: d.routing.loadUnder(c, demand) * width.d * unit.d, d: d.routing.scale * width.n * unit.n };
    };
    const on = `the schedule ${schedule.marked} on ${wordsOfRanks(network, d.ranks)}, under ${d.routing.called}`;
    const requirePlaced = () => {
      distinct(d.ranks, 'a rank');
      require(schedule.collective !== 'custom', 'what a unit of a custom collective is is not known');
    };
    return { d, words: `a unit of ${schedule.collective} by ${on}, takes at`, busy, requirePlaced };
  }

  const plus = (a, b) => fractionOf(a.n * b.d + b.n * a.d, a.d * b.d);

  function scheduleTimeAtLeast(proof, read) {
    const { d, words, busy, requirePlaced } = scheduleTime(proof, read, { channel: (c) => proof.network.channel(c) });
    return {
      words: `${words} least ${shown(d.value)} cycles`, read: d,
      check() {
        requirePlaced();
        const found = proof.schedule.phases().map((x) => busy(x, d.channel)).reduce(plus, ZERO);
        require(!less(found, d.value), `channel ${d.channel} is busy for ${shown(found)}`);
      },
    };
  }

  function scheduleTimeAtMost(proof, read) {
    const { d, words, busy, requirePlaced } = scheduleTime(proof, read);
    return {
      words: `${words} most ${shown(d.value)} cycles`, read: d,
      check() {
        requirePlaced();
        const longest = (x) => all(proof.network).map((c) => busy(x, c)).reduce((a, b) => (less(a, b) ? b : a), ZERO);
        const found = proof.schedule.phases().map(longest).reduce(plus, ZERO);
        require(!less(d.value, found), `the phases take ${shown(found)}`);
      },
    };
  }

  // 10. Destination graphs.

  class Graph {
    constructor(data) {
      const d = fields(data, { name: textOf, radix: below(1 << 16), dimensions: below(64), paths: raw });
      readable(d.radix > 1 && d.dimensions > 0, 'radix at least 2, dimensions at least 1');
      Object.assign(this, { name: d.name, radix: d.radix, dimensions: d.dimensions });
      const size = d.radix ** d.dimensions;
      this.node = below(size);
      this.move = [below(LARGEST), below(d.dimensions + 1), below(d.radix)];
      this.paths = every(every(listed(...this.move)), size)(d.paths);
      readable(this.paths.flat().every((move) => Math.min(...move) > 0), 'steps, digits and amounts are from 1');
    }

    plus(a, b, sign = 1) {
      let [total, unit] = [0, 1];
      for (let k = 0; k < this.dimensions; k += 1, unit *= this.radix) {
        const digit = Math.floor(a / unit) % this.radix + sign * (Math.floor(b / unit) % this.radix);
        total += ((digit + this.radix) % this.radix) * unit;
      }
      return total;
    }

    check() {
      this.before = this.paths.map((path, x) => {
        const ascend = path.every((move, k) => k === 0 || path[k - 1][0] < move[0]);
        require(ascend, `the steps of node ${x} do not ascend`);
        const sums = [0];
        for (const [, digit, amount] of path) {
          sums.push(this.plus(sums[sums.length - 1], amount * this.radix ** (this.dimensions - digit)));
        }
        require(sums[sums.length - 1] === x, `the moves of node ${x} do not lead to 0`);
        return sums;
      });
    }
  }

  function withoutMeeting(proof, read) {
    const { graph } = proof;
    const d = read({ slots: every(listed(...graph.move, below(2), graph.node)) });
    const manyOne = d.kind === 'many-one';
    const different = manyOne ? 'origins' : 'origins and destinations';
    return {
      words: `by the graph ${quoted(graph.name)}, no two packets of different ${different} meet`, read: d,
      check() {
        const table = new Map(d.slots.map(([step, digit, amount, ...common]) => [`${[step, digit, amount]}`, common]));
        require(table.size === d.slots.length, 'a slot comes twice');
        graph.paths.forEach((path, x) => path.forEach((move, k) => {
          const common = table.get(`${move}`);
          const prefix = graph.before[x][k];
          const own = common !== undefined && (common[0] === 0 ? common[1] === prefix
            : !manyOne && common[1] === graph.plus(x, prefix, -1));
          require(own, `move (${move}) of node ${x} has not what its slot has in common`);
        }));
      },
    };
  }

  function meeting(proof, read) {
    const { graph } = proof;
    const pair = listed(graph.node, graph.node);
    const d = read({ packets: listed(pair, pair), step: pos });
    const [[a, z], [b, y]] = d.packets;
    const packets = `packets from ${a} to ${z} and from ${b} to ${y}`;
    return {
      words: `by the graph ${quoted(graph.name)}, ${packets} meet at step ${d.step}`, read: d,
      check() {
        require(a !== b && (d.kind === 'not-many-one' || z !== y), 'they have one origin, or one destination');
        const moves = d.packets.flatMap(([origin, destination]) => {
          const x = graph.plus(origin, destination, -1);
          return graph.paths[x].map((move, k) => [graph.plus(origin, graph.before[x][k], -1), ...move])
            .filter((move) => BigInt(move[1]) === d.step);
        });
        require(moves.length === 2 && `${moves[0]}` === `${moves[1]}`, 'they make no common move at this step');
      },
    };
  }

  function steps(proof, read) {
    const d = read({ value: nat });
    return {
      words: `the last move of the graph ${quoted(proof.graph.name)} is at step ${d.value}`, read: d,
      check() {
        const last = proof.graph.paths.flat().reduce((most, move) => Math.max(most, move[0]), 0);
        require(BigInt(last) === d.value, 'it is not');
      },
    };
  }

  function minimum(proof, read) {
    const [d, { graph }] = [read({}), proof];
    return {
      words: `by the graph ${quoted(graph.name)} every node makes as many moves as it has digits that are not 0`,
      read: d,
      check() {
        graph.paths.forEach((path, x) => {
          let count = 0;
          for (let k = 0, rest = x; k < graph.dimensions; k += 1, rest = Math.floor(rest / graph.radix)) {
            if (rest % graph.radix) count += 1;
          }
          require(path.length === count, `node ${x} makes ${path.length} moves, and has ${count} digits`);
        });
      },
    };
  }

  // 11. Names.  The format's page defines some.  What is as its name is defined stands without quotation marks.

  const GRIDS = {
    torus: 'torus', ring: 'torus', hypercube: 'torus', mesh: 'mesh', hyperx: 'hyperx', complete: 'hyperx',
  };
  const SETS = /^(?:permutations|uniform|routable|sparse:[1-9][0-9]{0,8})$/;
  const mod = (a, k) => ((a % k) + k) % k;

  function fractionOf(n, d) {
    let [a, b] = [n < 0n ? -n : n, d];
    while (b) [a, b] = [b, a % b];
    return { n: n / a, d: d / a };
  }
  const part = (a, b) => fractionOf(a.n * b.n, a.d * b.d);
  const addTo = (map, key, x) => {
    const old = map.get(key) ?? ZERO;
    map.set(key, fractionOf(old.n * x.d + x.n * old.d, old.d * x.d));
  };
  const product = (lists) => lists.reduce((all, list) => all.flatMap((x) => list.map((y) => [...x, y])), [[]]);
  const orders = (list) => (list.length < 2 ? [list]
    : list.flatMap((x, k) => orders([...list.slice(0, k), ...list.slice(k + 1)]).map((y) => [x, ...y])));

  // A torus, mesh or HyperX: nodes are numbered row by row, the last coordinate fastest.
  class Grid {
    constructor(kind, radices) {
      Object.assign(this, { kind, radices, size: 1, units: [] });
      for (const k of [...radices].reverse()) { this.units.unshift(this.size); this.size *= k; }
    }

    at(v) { return this.radices.map((k, m) => Math.floor(v / this.units[m]) % k); }

    node(x) { return x.reduce((v, y, m) => v + mod(y, this.radices[m]) * this.units[m], 0); }

    moved(v, m, step) {
      const y = Math.floor(v / this.units[m]) % this.radices[m];
      return v + (mod(y + step, this.radices[m]) - y) * this.units[m];
    }

    // What channels add to coordinate m where it is y, in the order of the channels.
    steps(m, y) {
      const k = this.radices[m];
      if (this.kind === 'hyperx') return Array.from({ length: k - 1 }, (_, n) => n + 1);
      if (this.kind === 'mesh') return [1, -1].filter((step) => y + step >= 0 && y + step < k);
      return k === 2 ? [1] : [1, -1];
    }

    // [node, dimension, step], in the order of the channels.
    * channels() {
      for (let v = 0; v < this.size; v += 1) {
        const x = this.at(v);
        for (let m = 0; m < x.length; m += 1) for (const step of this.steps(m, x[m])) yield [v, m, step];
      }
    }

    // The shortest ways from y to z along dimension m: [probability, steps].
    ways(m, y, z, tie) {
      const k = this.radices[m];
      const ahead = mod(z - y, k);
      if (this.kind === 'hyperx') return [[ONE, ahead ? [ahead] : []]];
      if (this.kind === 'mesh') return [[ONE, Array(Math.abs(z - y)).fill(z > y ? 1 : -1)]];
      const [forth, back] = [Array(ahead).fill(1), Array(k - ahead).fill(-1)];
      if (2 * ahead === k && k > 2 && tie !== 'plus') return [[{ n: 1n, d: 2n }, forth], [{ n: 1n, d: 2n }, back]];
      return [[ONE, 2 * ahead <= k ? forth : back]];
    }
  }

  function gridCalled(name) {
    const [family, ...rest] = name.split(':');
    const numbers = rest.join(':').split('x');
    const fits = Object.hasOwn(GRIDS, family) && numbers.every((x) => /^[1-9][0-9]{0,6}$/.test(x));
    if (!fits || numbers.length > 64) return null;
    let radices = numbers.map(Number);
    if (['ring', 'hypercube', 'complete'].includes(family) && radices.length > 1) return null;
    if (family === 'hypercube') radices = Array(Math.min(radices[0], 64)).fill(2);
    return radices.every((k) => k > 1) ? new Grid(GRIDS[family], radices) : null;
  }

  // Dimension order in two phases: through the destination, through a node of the minimal quadrant, or any node.
  class GridRouting {
    constructor(grid, via, tie, phases) { // phases: of each the dimensions in order, or null: in a random order
      Object.assign(this, { grid, via, tie, phases, number: new Map(), found: new Map(), shifted: new Map() });
      let c = 0;
      for (const place of grid.channels()) { this.number.set(place.join(), c); c += 1; }
    }

    // [probability, steps of the first phase, steps of the second] from y to z along dimension m.
    walks(m, y, z) {
      const ways = (a, b) => this.grid.ways(m, a, b, this.tie);
      const [direct, k] = [ways(y, z), this.grid.radices[m]];
      if (this.via === 'destination') return direct.map(([p, way]) => [p, way, []]);
      if (this.via === 'quadrant' && !(this.tie === 'union' && direct.length === 2)) {
        return direct.flatMap(([p, way]) => Array.from({ length: way.length + 1 }, (_, n) => (
          [part(p, { n: 1n, d: BigInt(way.length + 1) }), way.slice(0, n), way.slice(n)])));
      }
      return Array.from({ length: k }, (_, w) => w).flatMap((w) => ways(y, w).flatMap(([p, one]) => (
        ways(w, z).map(([q, two]) => [part(part(p, q), { n: 1n, d: BigInt(k) }), one, two]))));
    }

    // Are all senders images of others by translations, along which the definition is the same?
    isMovedBy(symmetry) {
      const { grid } = this;
      if (grid.kind === 'mesh') return false;
      const at = Array.from({ length: grid.size }, (_, v) => grid.at(v));
      return [...symmetry.base].every(([s, base]) => {
        const by = at[s].map((y, m) => y - at[base][m]);
        const to = symmetry.images.get(s)[0];
        return at.every((x, v) => to[v] === grid.node(x.map((y, m) => y + by[m])));
      });
    }

    // A Map of loads by channel, or of probabilities by path, from x to z; channels as [node, dimension, step].
    moves(x, z, byPaths) {
      const found = new Map();
      for (const walk of product(x.map((_, m) => this.walks(m, x[m], z[m])))) {
        const chance = walk.reduce((all, [p]) => part(all, p), ONE);
        const phases = this.phases.map((order, at) => {
          const steps = walk.map((w) => w[at + 1]);
          const moving = (order ?? x.map((_, m) => m)).filter((m) => steps[m].length);
          return (order === null ? orders(moving) : [moving])
            .map((one) => one.flatMap((m) => steps[m].map((step) => [m, step])));
        });
        const both = product(phases);
        const each = part(chance, { n: 1n, d: BigInt(both.length) });
        for (const parts of both) {
          let v = this.grid.node(x);
          const places = parts.flat().map(([m, step]) => {
            const place = [v, m, step];
            v = this.grid.moved(v, m, step);
            return place;
          });
          for (const what of byPaths ? [places.join(';')] : places) addTo(found, String(what), each);
        }
      }
      return new Map([...found].map(([key, n]) => [key.split(';').map((place) => place.split(',').map(Number)), n]));
    }

    // Mean loads from v to all nodes in the first phase, or to v from all nodes in the second.
    mean(v, phase) {
      const key = `mean ${v} ${phase}`;
      if (!this.found.has(key)) {
        this.single ??= this.phases.map((order) => new GridRouting(this.grid, 'destination', this.tie, [order]));
        const [found, each] = [new Map(), { n: 1n, d: BigInt(this.grid.size) }];
        for (let w = 0; w < this.grid.size; w += 1) {
          const [s, t] = phase ? [w, v] : [v, w];
          for (const [c, n] of this.single[phase].flow(s, t, false)) addTo(found, c, n);
        }
        this.found.set(key, new Map([...found].map(([c, n]) => [c, part(n, each)])));
      }
      return this.found.get(key);
    }

    // A Map from node s to t: loads by channel, or probabilities by path, by moving those of another pair to s.
    flow(s, t, byPaths) {
      const { grid } = this;
      if (this.via === 'anywhere' && !byPaths) {
        const found = new Map(this.mean(s, 0));
        for (const [c, n] of this.mean(t, 1)) addTo(found, c, n);
        return found;
      }
      const [a, b] = [grid.at(s), grid.at(t)];
      let [x, z] = [a, b];
      if (grid.kind !== 'mesh') {
        [x, z] = [a.map(() => 0), a.map((y, m) => mod(b[m] - y, grid.radices[m]))];
      } else if (this.via !== 'anywhere') {
        [x, z] = [a.map((y, m) => Math.max(0, y - b[m])), a.map((y, m) => Math.max(0, b[m] - y))];
      }
      const [key, shift] = [`${x} ${z}`, grid.node(a.map((y, m) => y - x[m]))];
      if (!this.found.has(key)) this.found.set(key, this.moves(x, z, byPaths));
      if (!this.shifted.has(shift)) {
        const by = grid.at(shift);
        this.shifted.set(shift, Array.from({ length: grid.size }, (_, v) => (
          grid.node(grid.at(v).map((y, m) => y + by[m])))));
      }
      const to = this.shifted.get(shift);
      return new Map([...this.found.get(key)].map(([path, n]) => (
        [path.map(([v, m, step]) => this.number.get(`${to[v]},${m},${step}`)).join(), n])));
    }
  }

  // Per hop: every channel that comes nearer is as likely; per path: every shortest path is.  failed: channels that are
  // gone.
  class ShortestPaths {
    constructor(network, perPath, failed = []) {
      Object.assign(this, { channels: network.channels, perPath, failed, tables: new Map() });
      [this.leaving, this.arriving] = [new Map(), new Map()];
      const put = (map, key, x) => { if (map.has(key)) map.get(key).push(x); else map.set(key, [x]); };
      network.channels.forEach(([tail, head], c) => {
        if (failed.includes(c)) return;
        put(this.leaving, tail, c);
        put(this.arriving, head, tail);
      });
    }

    // Automorphisms take shortest paths to shortest paths; they may not keep what failed.
    isMovedBy() { return this.failed.length === 0; }

    // Is there a path for all pairs of terminals?
    joinsAll({ senders, receivers }) {
      return [...receivers.keys()].every((t) => [...senders.keys()].every((s) => this.table(t).hops.has(s)));
    }

    // By node from which t is reached: its hops to t, and of how many shortest paths.
    table(t) {
      if (!this.tables.has(t)) {
        const [hops, count, found] = [new Map([[t, 0]]), new Map([[t, 1n]]), [t]];
        for (const v of found) {
          for (const u of this.arriving.get(v) ?? []) {
            if (!hops.has(u)) { hops.set(u, hops.get(v) + 1); found.push(u); }
            if (hops.get(u) === hops.get(v) + 1) add(count, u, count.get(v));
          }
        }
        this.tables.set(t, { hops, count });
      }
      return this.tables.get(t);
    }

    next(v, t) {
      const { hops, count } = this.table(t);
      const nearer = (this.leaving.get(v) ?? []).map((c) => [c, this.channels[c][1]])
        .filter(([, w]) => hops.get(w) === hops.get(v) - 1);
      return nearer.map(([c, w]) => [this.perPath ? fractionOf(count.get(w), count.get(v))
        : { n: 1n, d: BigInt(nearer.length) }, c, w]);
    }

    flow(s, t, byPaths) {
      const hops = this.table(t).hops.get(s);
      const found = new Map();
      let at = new Map([[`${s};`, ONE]]); // by node, and, of paths, by the channels on the way there
      for (let k = 0; k < (hops ?? 0); k += 1) {
        const after = new Map();
        for (const [key, n] of at) {
          const [v, path] = key.split(';');
          for (const [p, c, w] of this.next(Number(v), t)) {
            addTo(found, String(c), part(n, p));
            addTo(after, `${w};${byPaths ? `${path}${path && ','}${c}` : ''}`, part(n, p));
          }
        }
        at = after;
      }
      if (hops === undefined || !byPaths) return found;
      return new Map([...at].map(([key, n]) => [key.split(';')[1], n]));
    }
  }

  // What the page defines under this name on this network, or null.
  function routingCalled(name, network) {
    if (name === 'minimal:choice=per-path' || name === PER_HOP) {
      return new ShortestPaths(network, name.endsWith('path'));
    }
    const { grid } = network;
    const [family, ...rest] = name.split(':');
    const words = rest.length ? rest.join(':').split(',').map((word) => word.split('=')) : [];
    if (grid === null || words.some((word) => word.length !== 2)) return null;
    if (!['', 'tie', 'order', 'tie,order'].includes(words.map(([key]) => key).join())) return null;
    const { tie = 'split', order = null } = Object.fromEntries(words);
    const size = grid.radices.length;
    const letters = (size <= 4 ? 'xyzw' : '0123456789').slice(0, size);
    const natural = grid.radices.map((_, m) => m);
    const read = (word) => ([...word].sort().join() === [...letters].sort().join() && letters.length === size
      ? [...word].map((x) => letters.indexOf(x)) : undefined);
    if (!['split', family === 'romm' ? 'union' : 'plus'].includes(tie)) return null;
    const [via, phases] = {
      o1turn: ['destination', [size === 2 && order === null ? null : undefined]],
      dor: ['destination', [order === null ? natural : order === 'random' ? null : read(order)]],
      valiant: ['anywhere', Array(2).fill(order === null ? natural : read(order))],
      romm: ['quadrant', order === null ? [null, null] : order.split('-').map(read)],
    }[['o1turn', 'dor', 'valiant', 'romm'].includes(family) ? family : ''] ?? ['', [undefined]];
    if (phases.includes(undefined) || (family === 'romm' && phases.length !== 2)) return null;
    return new GridRouting(grid, via, tie, phases);
  }

  // Is it this grid, with channels of bandwidth 1, numbered as on the page, and one terminal at each node?
  function isDefinedNetwork(network, grid) {
    if (grid === null || grid.size !== network.nodes || grid.size > network.channels.length) return false;
    let c = 0;
    for (const [v, m, step] of grid.channels()) {
      const [tail, head, b] = network.channels[c] ?? [];
      if (tail !== v || head !== grid.moved(v, m, step) || b !== network.scale) return false;
      c += 1;
    }
    const own = network.terminals.every((x, v) => x[0] === v && x[1] === v);
    return own && c === network.channels.length && network.terminals.length === grid.size;
  }

  // Has every pair just the loads, or just the paths, that the definition has?
  function isDefinedRouting(routing, defined) {
    try {
      routing.requireComplete();
    } catch (error) {
      if (error instanceof DoesNotHold) return false;
      throw error;
    }
    if (defined === null) return false;
    const moved = routing.symmetry !== null && defined.isMovedBy(routing.symmetry);
    const isDefined = (pair, flow) => {
      const found = new Map();
      for (const x of flow) add(found, routing.byPaths ? x[1].join() : String(x[0]), routing.byPaths ? x[0] : x[1]);
      const wanted = defined.flow(...routing.between.nodes(pair), routing.byPaths);
      const once = routing.byPaths || found.size === flow.length;
      return once && found.size === wanted.size && [...found].every(([key, n]) => {
        const x = wanted.get(key);
        return x !== undefined && n * x.d === x.n * routing.scale;
      });
    };
    if (moved) return routing.pairs.every((pair, k) => isDefined(pair, routing.flows[k]));
    for (const [pair, flow] of routing.everyFlow()) if (!isDefined(pair, flow)) return false;
    return true;
  }

  // Is it one matrix, with the rate 1 / T for every pair of terminals at different nodes?
  function isUniform(network, matrices) {
    if (matrices.length > 1) return false;
    const [{ entries, scale }] = matrices;
    const apart = entries.filter(([i, j]) => { const [s, v] = network.ends(i, j); return s !== v; });
    const whole = new Set(apart.map(keyOf)).size === entries.length
      && entries.length === new Between(network, 'terminals').count;
    return whole && entries.every((x) => x[2] * network.size === scale);
  }

  // How a name stands in the words of claims, and at the head of what is printed; found: the name, if defined.
  function named(name, found, known) {
    const others = `called ${quoted(name)} by the proof`;
    if (found !== null) return { marked: found, title: found === name ? found : `${found}, ${others}` };
    return { marked: quoted(name), title: others + (known ? ', and not as this name is defined' : '') };
  }

  // 12. What was read, in words.

  const counted = (n, what, many = `${what}s`) => `${n} ${String(n) === '1' ? what : many}`;

  function span(values) { // fractions
    const least = values.reduce((a, b) => (less(b, a) ? b : a));
    const most = values.reduce((a, b) => (less(a, b) ? b : a));
    return same(least, most) ? shown(least) : `${shown(least)} to ${shown(most)}`;
  }

  function counts(values, what, many) {
    const [least, most] = values.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, 0]);
    return least === most ? counted(most, what, many) : `${least} to ${counted(most, what, many)}`;
  }

  function wordsOfNetwork(network) {
    const { channels, terminals, scale } = network;
    const widths = channels.length ? ` of bandwidth ${span(channels.map((x) => ({ n: x[2], d: scale })))}` : '';
    return `network ${network.title}: ${counted(network.count, 'node')}, ${counted(channels.length, 'channel')}${widths}, `
      + counted(terminals.length, 'terminal');
  }

  function wordsOfRouting(routing) {
    const used = routing.byPaths ? `, with ${counted(routing.virtual, 'virtual channel')}` : '';
    if (routing.symmetry !== null) {
      const maps = counted(routing.symmetry.maps.length, 'map');
      return `by loads between ${routing.between.word}, ${counted(routing.pairs.length, 'pair')} and their images by ${maps}`;
    }
    return `by ${routing.byPaths ? 'paths' : 'loads'} between ${routing.between.word}${used}`;
  }

  // 13. The whole.

  const PACKETS_MEET_NOT = {
    'many-one': 'no two packets of different origins meet',
    permutation: 'no two packets of different origins and destinations meet',
  };
  const MOST_CHOICES = 4000;

  function stepsAtLeast(proof, read) {
    const d = read({
      graphs: oneOf(Object.keys(PACKETS_MEET_NOT)), radix: below(1 << 16), dimensions: below(64), value: pos,
      lemmas: optional(LEMMAS),
    });
    readable(d.radix > 1 && d.dimensions > 0, 'radix at least 2, dimensions at least 1');
    readable(d.lemmas === null || d.graphs === 'permutation', 'lemmas are of permutations');
    const digits = `${counted(d.dimensions, 'digit')} to the base ${d.radix}`;
    const graphs = `every graph of ${digits} by which ${PACKETS_MEET_NOT[d.graphs]}`;
    return {
      words: `the last move of ${graphs} is at step ${d.value} or later`, read: d,
      check() {
        const [t, k] = [BigInt(d.radix - 1), BigInt(d.dimensions)];
        if (d.lemmas !== null) {
          require(d.value <= k + 1n, 'the clauses are about graphs of as many steps as digits');
          requireRefuted(clausesOfOrders(d.radix, d.dimensions), d.lemmas);
          return;
        }
        const nodes = (t + 1n) ** k;
        const slots = k * t * (d.value - 1n); // of fewer steps
        const few = d.graphs === 'many-one' ? slots < nodes - 1n
          : (1n + slots / 2n) * (1n + (slots + 1n) / 2n) < nodes;
        const tight = d.graphs === 'permutation' && k > 2n && 6n * t ** (k - 2n) > k * k * (k - 1n);
        require(d.value <= k + (tight ? 1n : 0n) || few, 'counting proves less');
      },
    };
  }

  // Every node without a digit 0 corrects its digits in some order, one a step; two that make one move at one step have
  // the same digits corrected before it, or after it.
  function clausesOfOrders(radix, dimensions) {
    let count = (radix - 1) ** dimensions;
    for (let k = 1; k <= dimensions; k += 1) {
      count *= k;
      require(count <= MOST_CHOICES, `there are more than ${MOST_CHOICES} nodes and orders`);
    }
    const places = upTo(dimensions);
    const ways = orders(places);
    const slots = new Map();
    const clauses = [];
    product(places.map(() => upTo(radix).slice(1))).forEach((node, at) => {
      const first = 1 + at * ways.length;
      clauses.push(ways.map((_, k) => first + k));
      ways.forEach((order, number) => order.forEach((i, n) => {
        const [before, after] = [order.slice(0, n), order.slice(n + 1)].map((some) => (
          String([...some].sort((a, b) => a - b).map((m) => `${m}:${node[m]}`))));
        const key = `${n},${i},${node[i]}`;
        slots.set(key, [...(slots.get(key) ?? []), [first + number, before, after]]);
      }));
    });
    for (const members of slots.values()) {
      members.forEach(([x, before, after], k) => {
        for (const [y, ...two] of members.slice(k + 1)) {
          if (before !== two[0] && after !== two[1]) clauses.push([-x, -y]);
        }
      });
    }
    return clauses;
  }

  const SIDES = { 'at-most': 'of at most', 'at-least': 'of at least', above: 'above' };

  // A fair hash: every flow takes a member with a probability of its weight over the sum of all, independently.
  function splitChance(proof, read) {
    const d = read({
      flows: pos, weights: every(pos), counts: optional(every(nat)), away: optional(fraction),
      side: oneOf(Object.keys(SIDES)), value: fraction,
    });
    const members = d.weights.length;
    readable(members >= 2 && members <= 128 && d.flows <= 50000n, '2 to 128 members and at most 50000 flows');
    readable((d.counts === null) !== (d.away === null), 'one of counts and away must be null');
    readable(d.counts === null || d.counts.length === members, 'a count of each member was expected');
    const hashed = `${counted(d.flows, 'flow')} that a fair hash divides as ${d.weights.join(':')}`;
    const chance = `with a probability ${SIDES[d.side]} ${shown(d.value)}`;
    return {
      words: d.counts === null
        ? `of ${hashed}, some member takes ${shown(d.away)} or more flows above or below its share ${chance}`
        : `of ${hashed}, the split is no likelier than ${d.counts.join(':')} ${chance}`,
      read: d,
      check() {
        require(d.counts === null || sum(d.counts) === d.flows, 'the counts do not sum to the flows');
        const everything = sum(d.weights);
        require(Number(d.flows) * everything.toString(2).length <= 250000, 'the fractions are too long');
        const whole = everything ** d.flows;
        const found = { n: d.counts === null ? whole - nearer(d) : unlikely(d.counts, d.weights), d: whole };
        const right = { 'at-most': () => !less(d.value, found), 'at-least': () => !less(found, d.value),
          above: () => less(d.value, found) }[d.side]();
        require(right, 'it is another one');
      },
    };
  }

  function comb(n, k) {
    let found = 1n;
    for (let j = 1n; j <= k; j += 1n) found = (found * (n - j + 1n)) / j;
    return found;
  }

  // In how many ways, each member of weight w counted as w, the flows are split no likelier than so.
  function unlikely(counts, weights) {
    const n = sum(counts);
    let splits = 1n;
    for (let k = 1n; k < weights.length; k += 1n) {
      splits = (splits * (n + k)) / k;
      require(weights.length === 2 || splits <= 200000n, 'there are more than 200000 splits');
    }
    let [mine, left] = [1n, n];
    counts.forEach((k, at) => { mine *= comb(left, k) * weights[at] ** k; left -= k; });
    let found = 0n;
    for (const x of ways(n, weights)) if (x <= mine) found += x;
    return found;
  }

  function* ways(n, weights) {
    if (weights.length === 1) { yield weights[0] ** n; return; }
    let first = 1n;
    for (let k = 0n; k <= n; k += 1n) {
      if (weights.length === 2) {
        first = k === 0n ? weights[1] ** n : (first * (n - k + 1n) * weights[0]) / (k * weights[1]);
        yield first;
      } else {
        for (const x of ways(n - k, weights.slice(1))) yield first * x;
        first = (first * (n - k) * weights[0]) / (k + 1n);
      }
    }
  }

  // In how many ways all members are nearer to their shares.
  function nearer({ flows: n, weights, away }) {
    const everything = sum(weights);
    const spans = weights.map((w) => {
      const over = everything * away.d;
      const [low, high] = [n * w * away.d - away.n * everything, n * w * away.d + away.n * everything];
      const [a, b] = [-ceil({ n: -low, d: over }) + 1n, ceil({ n: high, d: over }) - 1n];
      return [a > 0n ? a : 0n, b < n ? b : n];
    });
    if (spans.length === 2) {
      const [[a, b], [c, e]] = spans;
      let [k, found] = [0n, 0n];
      for (const x of ways(n, weights)) {
        if (k >= a && k <= b && n - k >= c && n - k <= e) found += x;
        k += 1n;
      }
      return found;
    }
    const width = spans.reduce((all, [a, b]) => all + (b >= a ? b - a + 1n : 0n), 0n);
    require((n + 1n) * width <= 6000000n, 'there are too many splits');
    let found = [1n, ...upTo(Number(n)).map(() => 0n)];
    weights.forEach((w, at) => {
      const [low, high] = spans[at];
      const before = found;
      found = before.map((_, k) => {
        const last = BigInt(k) < high ? BigInt(k) : high;
        if (low > last) return 0n;
        let [term, total] = [comb(BigInt(k), low) * w ** low, 0n];
        for (let j = low; j <= last; j += 1n) {
          total += term * before[k - Number(j)];
          term = (term * (BigInt(k) - j) * w) / (j + 1n);
        }
        return total;
      });
    });
    return found[Number(n)];
  }

  const FAMILIES = { transport: Transport, matrices: Matrices, routable: Routable };
  const ABOUT_NETWORKS = {
    'worst-case-at-most': worstCaseAtMost, 'worst-case-at-least': worstCaseAtLeast, alike,
    'single-link-failure': singleLinkFailure,
    'unsaturated-below': unsaturatedBelow, 'path-length': pathLength, 'minimal-path-length': minimalPathLength,
    'best-load-at-least': bestLoadAtLeast, 'best-path-length-at-least': bestPathLengthAtLeast,
    'best-load-among-paths-at-least': bestLoadAmongPaths,
    'best-path-length-among-paths-at-least': bestPathLengthAmongPaths,
    tables, 'tables-at-least': tablesAtLeast,
    'flow-at-least': flowAtLeast, 'flow-at-most': flowAtMost, 'deadlock-free': deadlockFree, deadlock, quotient,
    'virtual-channels-at-least': virtualChannelsAtLeast,
    'deadlock-free-with-bubbles': deadlockFreeWithBubbles, 'deadlock-free-with-classes': deadlockFreeWithClasses,
    'escape-acyclic': escapeAcyclic, 'escape-cycle': escapeCycle,
    'collective-at-most': collectiveAtMost, 'collective-at-least': collectiveAtLeast,
    'all-reduce-at-most': allReduceAtMost, 'all-reduce-at-least': allReduceAtLeast, 'phases-take': phasesTake,
    bandwidth, 'least-time': leastTime, 'times-optimal': timesOptimal,
    'phases-meet': phasesMeet, 'shared-channel': sharedChannel,
    'blocked-call': blockedCall, 'never-blocked': neverBlocked, 'calls-at-once': callsAtOnce, 'calls-cut': callsCut,
    'neighbours-at-most': neighboursAtMost, 'neighbours-at-least': neighboursAtLeast,
  };
  const ABOUT_SCHEDULES = {
    'schedule-deadlock-free': scheduleDeadlockFree, 'schedule-deadlock': scheduleDeadlock,
    'schedule-race-free': scheduleRaceFree, 'schedule-race': scheduleRace,
    'schedule-result': scheduleResult, 'schedule-wrong-result': scheduleWrongResult,
    'schedule-reduction-orders': scheduleReductionOrders,
    'schedule-time-at-least': scheduleTimeAtLeast, 'schedule-time-at-most': scheduleTimeAtMost,
  };
  const ABOUT_GRAPHS = {
    'many-one': withoutMeeting, permutation: withoutMeeting, 'not-many-one': meeting, 'not-permutation': meeting,
    steps, minimum,
  };
  const ABOUT_NUMBERS = { 'steps-at-least': stepsAtLeast, 'split-chance': splitChance };

  function kindOf(data, known) {
    const kind = data instanceof Map ? data.get('kind') : undefined;
    readable(typeof kind === 'string' && Object.hasOwn(known, kind), 'an unknown kind');
    return kind;
  }

  // The key that files of version 3 have more.
  const withSchedule = (data) => (data instanceof Map && data.get('version') === 3 ? { schedule: raw } : {});

  class Proof {
    constructor(data) {
      const d = fields(data, {
        format: textOf, version: raw, network: raw, routings: every(raw), demands: every(raw), graph: raw,
        claims: every(raw), not_elaborated: every(listed(textOf, textOf)), ...withSchedule(data),
      });
      const version = d.format === 'routeproof/proof' && [1, 2, 3, 4].includes(d.version);
      readable(version, 'another format, or a version that this checker does not know');
      readable(d.claims.length, 'a proof has at least one claim');
      if (d.version === 4) readable(d.network === null && d.graph === null, 'version 4 is for claims about numbers alone');
      else if (d.version === 3) readable(d.schedule !== null && d.graph === null, 'version 3 is for schedules');
      else readable((d.network === null) !== (d.graph === null), 'one of network and graph must be null');
      const bare = d.network !== null || !(d.routings.length + d.demands.length);
      readable(bare, 'routings or demands without a network');
      this.network = d.network === null ? null : new Network(d.network);
      this.graph = d.graph === null ? null : new Graph(d.graph);
      this.schedule = d.version === 3 ? new Schedule(d.schedule) : null;
      this.routings = d.routings.map((x) => new Routing(this.network, x, d.version));
      this.sets = d.demands.map((x) => new FAMILIES[kindOf(x, FAMILIES)](this.network, x));
      for (const [what, parts] of [['routing', this.routings], ['set', this.sets]]) { // names need not differ
        parts.forEach((part, k) => { part.called = `${what} ${k + 1} (${part.marked})`; });
      }
      this.routing = (x) => this.routings[below(this.routings.length)(x)];
      this.routingInFull = (x) => {
        readable(this.routing(x).symmetry === null, 'a claim about deadlock is about a routing without symmetry');
        return this.routing(x);
      };
      this.set = (x) => this.sets[below(this.sets.length)(x)];
      this.claims = d.claims;
      this.notElaborated = d.not_elaborated;
      this.kinds = [];
      this.read = [];
      const known = {
        ...ABOUT_NUMBERS, ...(this.graph && ABOUT_GRAPHS), ...(this.schedule && ABOUT_SCHEDULES), ...(this.network && ABOUT_NETWORKS),
      };
      if (d.version === 1) delete known.alike;
      this.checks = [];
      d.claims.forEach((claim, number) => {
        this.number = number;
        const kind = kindOf(claim, known);
        const found = known[kind](this, (readers) => fields(claim, { kind: raw, ...readers }));
        this.kinds.push(kind);
        this.read.push(found.read);
        this.checks.push(found);
      });
    }

    requireUniform(set) {
      require(set instanceof Matrices && set.marked === 'uniform', 'capacity is of uniform demand');
    }

    // What was read, line by line.
    lines() {
      if (this.graph !== null) {
        const { name, radix, dimensions } = this.graph;
        const digits = `${counted(dimensions, 'digit')} to the base ${radix}`;
        return [`graph called ${quoted(name)} by the proof: ${BigInt(radix) ** BigInt(dimensions)} nodes of ${digits}`];
      }
      if (this.network === null && this.schedule === null) return ['no network: claims about numbers alone'];
      const routings = this.routings.map((x, k) => `routing ${k + 1} (${x.title}): ${wordsOfRouting(x)}`);
      const subjects = [...(this.schedule ? [this.schedule.words()] : []), ...(this.network ? [wordsOfNetwork(this.network)] : [])];
      return [...subjects, ...routings,
        ...this.sets.map((x, k) => `set ${k + 1} (${x.title}): ${x.words()}`)];
    }

    check(holds) {
      for (const part of [this.graph, this.schedule]) if (part !== null) part.check();
      for (const part of [...this.routings, ...this.sets]) part.check();
      this.checks.forEach(({ words, check }, k) => {
        try {
          check();
        } catch (error) {
          if (!(error instanceof DoesNotHold)) throw error;
          throw new DoesNotHold(`claim ${k + 1} (${this.kinds[k]}: ${words}): ${error.message}`);
        }
        holds(k + 1);
      });
    }
  }

  function check(text, { read = () => {}, holds = () => {} } = {}) {
    let proof;
    try {
      proof = new Proof(parse(text));
    } catch (error) {
      if (!(error instanceof Unreadable || error instanceof RangeError || error instanceof SyntaxError)) throw error;
      return { status: 2, message: `unreadable: ${error.message.slice(0, 200)}` };
    }
    read(proof.checks.map((x) => x.words), proof.lines());
    try {
      proof.check(holds);
    } catch (error) {
      if (!(error instanceof DoesNotHold)) throw error;
      return { status: 1, message: `does not hold: ${error.message}` };
    }
    const left = proof.notElaborated.map(([what, reason]) => `not in this proof: ${quoted(what)} (${quoted(reason)})`);
    return { status: 0, message: `${proof.checks.length} claims hold`, left };
  }

  return { check };
}
