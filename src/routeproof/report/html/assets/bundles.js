// A network too large for every switch: pods, levels and groups as one disc each, which open on a click.

const MOST_OPEN = 64; // switches that a bundle opens into at once; a larger one opens into parts
const PARTS = 32;

function bundleItems(net, open) {
  // What is drawn: {name, nodes, key} each; key: of a bundle that is closed, null: one node
  const { of, names, row, column } = net.bundles;
  const members = names.map(() => []);
  of.forEach((b, v) => members[b].push(v));
  const items = [];
  const add = (nodes, key, name, b) => {
    if (nodes.length === 1 || open.has(key)) nodes.forEach((v) => items.push({ name: net.labels[v], nodes: [v], key: null, row: row[b], column: column[b] }));
    else items.push({ name, nodes, key, row: row[b], column: column[b] });
  };
  members.forEach((nodes, b) => {
    if (!open.has(String(b)) || nodes.length <= MOST_OPEN) { add(nodes, String(b), names[b], b); return; }
    const size = Math.ceil(nodes.length / PARTS);
    for (let at = 0; at < nodes.length; at += size) {
      const some = nodes.slice(at, at + size);
      add(some, `${b}.${at}`, `${net.labels[some[0]]} to ${net.labels[some[some.length - 1]]}`, b);
    }
  });
  return items;
}

function placeItems(items) {
  // Levels above each other, a pod in a column of its own; groups around a ring.
  const round = items.some((x) => x.row < 0);
  const count = new Map();
  const key = (x) => `${x.row} ${x.column}`;
  items.forEach((x) => count.set(key(x), (count.get(key(x)) || 0) + 1));
  const width = [];
  items.filter((x) => x.column >= 0).forEach((x) => { width[x.column] = Math.max(width[x.column] || 1, count.get(key(x))); });
  const start = [];
  let whole = 0;
  width.forEach((w, k) => { start[k] = whole; whole += w + (w > 1 ? 1 : 0.35); });
  const seen = new Map();
  const top = Math.max(...items.map((x) => x.row));
  const step = Math.max(1.6, whole / 2.4 / Math.max(1, top));
  return items.map((x) => {
    const k = seen.get(key(x)) || 0;
    seen.set(key(x), k + 1);
    const [left, span] = x.column < 0 ? [0, whole] : [start[x.column], width[x.column]];
    const across = left + (k + 0.5) * span / count.get(key(x));
    if (!round) return [across, (top - x.row) * step];
    const [turn, radius] = [2 * Math.PI * across / whole, whole / (2 * Math.PI)];
    return [radius * Math.sin(turn), -radius * Math.cos(turn)];
  });
}

function foldNetwork(net, open) {
  // The network that is drawn; ``node``, ``channel``: what stands for each of the whole one's (-1: inside a bundle)
  const items = bundleItems(net, open);
  const node = new Int32Array(net.n);
  items.forEach((x, k) => x.nodes.forEach((v) => { node[v] = k; }));
  const channel = new Int32Array(net.tail.length);
  const [number, members, inside, tail, head] = [new Map(), [], items.map(() => []), [], []];
  for (let c = 0; c < channel.length; c += 1) {
    const [u, v] = [node[net.tail[c]], node[net.head[c]]];
    if (u === v) { channel[c] = -1; inside[u].push(c); continue; }
    const key = u * items.length + v;
    if (!number.has(key)) { number.set(key, members.length); members.push([]); tail.push(u); head.push(v); }
    channel[c] = number.get(key);
    members[channel[c]].push(c);
  }
  const place = placeItems(items);
  const drawn = {
    n: items.length, labels: items.map((x) => x.name.replace(/, level \d+$/, '')), tail, head, pieces: [], radius: 0.26, lane: 0.05, width: tail.map(() => 1),
    x: place.map((p) => p[0]), y: place.map((p) => p[1]),
  };
  return { net: drawn, node, channel, members, inside, items };
}
