// Which pair loads which channel: looked up in what the page carries, by exact arithmetic.

class Pairs {
  constructor(routing, net, values) {
    const data = routing.pairs;
    Object.assign(this, { form: data.form, note: data.note, net, values });
    this.rowOf = routing.rowOf ? unpack(routing.rowOf) : net.source;
    this.columnOf = routing.columnOf ? unpack(routing.columnOf) : net.sink;
    if (this.form === 'none') return;
    for (const key of ['row', 'column', 'length', 'channel', 'load']) this[key] = unpack(data[key]);
    this.offset = new Uint32Array(this.length.length + 1);
    this.length.forEach((x, k) => { this.offset[k + 1] = this.offset[k] + x; });
    if (this.form === 'translations') this.prepareShifts();
    else {
      this.wide = this.column.reduce((a, b) => Math.max(a, b), 0) + 1;
      this.number = new Map();
      this.row.forEach((x, k) => this.number.set(x * this.wide + this.column[k], k));
    }
  }

  prepareShifts() {
    const { net } = this;
    this.stride = net.channelAt.length / net.n;
    this.place = new Uint32Array(net.tail.length);
    for (let k = net.channelAt.length - 1; k >= 0; k -= 1) if (net.channelAt[k]) this.place[net.channelAt[k] - 1] = k;
  }

  shift(node, by, sign) {
    let [left, far, worth, found] = [node, by, 1, 0];
    for (let m = this.net.radix.length - 1; m >= 0; m -= 1) {
      const k = this.net.radix[m];
      found += ((((left % k) + sign * (far % k)) % k + k) % k) * worth;
      left = Math.floor(left / k); far = Math.floor(far / k); worth *= k;
    }
    return found;
  }

  shiftChannel(channel, by, sign) {
    const at = this.place[channel];
    const node = this.shift(Math.floor(at / this.stride), by, sign);
    return this.net.channelAt[node * this.stride + (at % this.stride)] - 1;
  }

  find(i, j) {
    const [row, column] = [this.rowOf[i], this.columnOf[j]];
    if (this.net.source[i] === this.net.sink[j]) return { empty: true };
    if (this.form === 'none') return null;
    if (this.form === 'translations') return { k: this.shift(column, row, -1) - 1, by: row };
    const k = this.number.get(row * this.wide + column);
    return k === undefined ? null : { k, by: 0 };
  }

  loads(i, j) {
    // [[channel, exact load], ...] of a pair of terminals; null where the page does not carry them
    const found = this.find(i, j);
    if (found === null) return null;
    const list = [];
    if (found.empty) return list;
    for (let at = this.offset[found.k]; at < this.offset[found.k + 1]; at += 1) {
      const c = this.channel[at];
      list.push([found.by ? this.shiftChannel(c, found.by, 1) : c, this.values[this.load[at]]]);
    }
    return list;
  }

  loadOf(i, j, channel) {
    const found = this.find(i, j);
    if (found === null || found.empty) return null;
    const wanted = found.by ? this.shiftChannel(channel, found.by, -1) : channel;
    let [low, high] = [this.offset[found.k], this.offset[found.k + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.channel[middle] < wanted) low = middle + 1; else high = middle;
    }
    return low < this.offset[found.k + 1] && this.channel[low] === wanted ? this.values[this.load[low]] : null;
  }

  crossing(pattern, channel) {
    // [[source, destination, exact load], ...], heaviest first; null where the page cannot tell
    let found = [];
    if (pattern.own) {
      const { offset, pairs } = pattern.own;
      for (let k = 3 * offset[channel]; k < 3 * offset[channel + 1]; k += 3) found.push([pairs[k], pairs[k + 1], this.values[pairs[k + 2]]]);
    } else if (pattern.over && pattern.channel === channel) {
      found = pattern.over.map(([i, j, v]) => [i, j, this.values[v]]);
    } else if (this.form === 'none') return null;
    else if (pattern.image) {
      pattern.image.forEach((j, i) => { const x = this.loadOf(i, j, channel); if (x) found.push([i, j, x]); });
    } else if (pattern.rates) {
      for (const [i, j, v] of pattern.rates) {
        const x = this.loadOf(i, j, channel);
        if (x) found.push([i, j, times(x, this.values[v])]);
      }
    } else if (!pattern.uniform) return null;
    else {
      const count = this.net.terminals;
      if (this.form === 'some' || count > 300) return null;
      const rate = { n: 1n, d: BigInt(count) };
      for (let i = 0; i < count; i += 1) {
        for (let j = 0; j < count; j += 1) {
          const x = this.loadOf(i, j, channel);
          if (x) found.push([i, j, times(x, rate)]);
        }
      }
    }
    return found.sort((a, b) => compare(b[2], a[2]) || a[0] - b[0] || a[1] - b[1]);
  }
}

function takePaths(net, loads, start, end, most) {
  // The loads of one pair taken apart into paths, widest first: [{ weight, channels }], and the weight that is left.
  const unit = loads.reduce((a, [, x]) => a * x.d / gcd(a, x.d), 1n);
  const left = new Map(loads.map(([c, x]) => [c, x.n * (unit / x.d)]));
  let sent = 0n;
  const paths = [];
  while (sent < unit && paths.length < most) {
    const leaving = new Map();
    for (const c of left.keys()) {
      if (!leaving.has(net.tail[c])) leaving.set(net.tail[c], []);
      leaving.get(net.tail[c]).push(c);
    }
    const width = new Map([[start, unit - sent]]);
    const via = new Map();
    const done = new Set();
    for (;;) {
      let here = null;
      for (const [v, x] of width) if (!done.has(v) && (here === null || x > width.get(here))) here = v;
      if (here === null || here === end) break;
      done.add(here);
      for (const c of leaving.get(here) || []) {
        const v = net.head[c];
        const x = width.get(here) < left.get(c) ? width.get(here) : left.get(c);
        if (!done.has(v) && (!width.has(v) || x > width.get(v))) { width.set(v, x); via.set(v, c); }
      }
    }
    if (!width.has(end)) break;
    const channels = [];
    for (let v = end; v !== start; v = net.tail[via.get(v)]) channels.unshift(via.get(v));
    const x = width.get(end);
    for (const c of channels) {
      const rest = left.get(c) - x;
      if (rest) left.set(c, rest); else left.delete(c);
    }
    sent += x;
    paths.push({ weight: fraction(x, unit), channels });
  }
  return { paths, left: fraction(unit - sent, unit) };
}
