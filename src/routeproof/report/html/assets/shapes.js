// Channels as pointed strips beside the line between their nodes, as in the printed figures.  y grows downwards.

function lengthOf(line) {
  let sum = 0;
  for (let k = 2; k < line.length; k += 2) sum += Math.hypot(line[k] - line[k - 2], line[k + 1] - line[k - 1]);
  return sum;
}

function cutLine(line, front, back) {
  const total = lengthOf(line);
  const stop = total - back;
  const found = [];
  let at = 0;
  for (let k = 0; k + 3 < line.length; k += 2) {
    const [x0, y0, x1, y1] = [line[k], line[k + 1], line[k + 2], line[k + 3]];
    const piece = Math.hypot(x1 - x0, y1 - y0);
    const first = Math.max(front, at);
    const last = Math.min(stop, at + piece);
    if (last > first && piece > 0) {
      const mix = (t) => [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t];
      if (!found.length) found.push(...mix((first - at) / piece));
      found.push(...mix((last - at) / piece));
    }
    at += piece;
  }
  return found.length ? found : line.slice(0, 4);
}

function rightOf(line) {
  const count = line.length / 2;
  const found = [];
  for (let k = 0; k < count; k += 1) {
    const a = Math.max(0, k - 1);
    const b = Math.min(count - 1, k + 1);
    const dx = line[2 * b] - line[2 * a];
    const dy = line[2 * b + 1] - line[2 * a + 1];
    const size = Math.hypot(dx, dy) || 1;
    found.push(-dy / size, dx / size);
  }
  return found;
}

function shifted(line, by) {
  const right = rightOf(line);
  return line.map((x, k) => x + by * right[k]);
}

function reversedPoints(line) {
  const found = [];
  for (let k = line.length - 2; k >= 0; k -= 2) found.push(line[k], line[k + 1]);
  return found;
}

function channelShapes(net) {
  const special = new Map();
  for (const piece of net.pieces) {
    if (!special.has(piece[0])) special.set(piece[0], []);
    special.get(piece[0]).push({ leaves: piece[1], arrives: piece[2], line: piece[3] });
  }
  const shapes = [];
  for (let c = 0; c < net.tail.length; c += 1) {
    const [u, v] = [net.tail[c], net.head[c]];
    const pieces = special.get(c) || [{ leaves: 1, arrives: 1, line: [net.x[u], net.y[u], net.x[v], net.y[v]] }];
    for (const piece of pieces) {
      const gap = Math.min(net.radius + 0.3 * net.lane, 0.3 * lengthOf(piece.line));
      const inner = cutLine(piece.line, piece.leaves ? gap : 0, piece.arrives ? gap : 0);
      const middle = shifted(inner, 0.68 * net.lane);
      const tip = Math.min(1.5 * net.lane, 0.4 * lengthOf(middle));
      const shaft = cutLine(middle, 0, tip);
      const half = 0.5 * net.lane * net.width[c];
      const polygon = [...shifted(shaft, half), ...middle.slice(-2), ...reversedPoints(shifted(shaft, -half))];
      const flow = [...(piece.leaves ? piece.line.slice(0, 2) : []), ...middle, ...(piece.arrives ? piece.line.slice(-2) : [])];
      shapes.push({ channel: c, middle, polygon, flow, box: boxOf(middle) });
    }
  }
  return shapes;
}

function foldedTorus(net) {
  // As a torus of two dimensions is wired: 0, k - 1, 1, k - 2, ... side by side, so that no channel is long.
  const order = net.radix.map((k) => Array.from({ length: k }, (_, p) => (p % 2 ? k - (p + 1) / 2 : p / 2)));
  const [across, up] = order.map((x) => x.map((_, a) => x.indexOf(a)));
  const x = net.labels.map((_, v) => across[Math.floor(v / net.radix[1])]);
  const y = net.labels.map((_, v) => -up[v % net.radix[1]]);
  const pieces = [];
  net.tail.forEach((u, c) => {
    const v = net.head[c];
    const [dx, dy] = [x[v] - x[u], y[v] - y[u]];
    if (Math.hypot(dx, dy) < 1.5) return;
    const line = Array.from({ length: 17 }, (_, k) => k / 16).flatMap((t) => [x[u] + t * dx - 0.72 * t * (1 - t) * dy, y[u] + t * dy + 0.72 * t * (1 - t) * dx]);
    pieces.push([c, 1, 1, line]);
  });
  return { ...net, x, y, pieces, ticks: order };
}

function boxOf(line) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < line.length; k += 2) {
    box[0] = Math.min(box[0], line[k]);
    box[1] = Math.min(box[1], line[k + 1]);
    box[2] = Math.max(box[2], line[k]);
    box[3] = Math.max(box[3], line[k + 1]);
  }
  return box;
}

function distanceTo(line, x, y) {
  let best = Infinity;
  for (let k = 0; k + 3 < line.length; k += 2) {
    const [x0, y0, x1, y1] = [line[k], line[k + 1], line[k + 2], line[k + 3]];
    const size = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1e-12;
    const t = Math.max(0, Math.min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / size));
    best = Math.min(best, Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)));
  }
  return best;
}
