// The drawing of a network: two canvases, one for the channels and nodes, one for what is pointed at.

const RAMP = ['low', 'low2', 'mid', 'high', 'top'];
const BOTH = ['less2', 'less', 'same', 'more', 'more2']; // of differences, from -1 to 1

let onPaper = false; // while the page is printed

function lightColours() { // paper is white, whatever the theme of the screen is
  return [...document.styleSheets[0].cssRules].find((x) => x.selectorText === ':root').style;
}

function pageColours() { return onPaper ? lightColours() : getComputedStyle(document.documentElement); }

function themeColours() {
  const style = pageColours();
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  const rampOf = (names) => names.map((name) => [1, 3, 5].map((k) => parseInt(of(name).slice(k, k + 2), 16)));
  const names = ['paper', 'ink', 'quiet', 'line', 'path', 'node', 'node-edge', 'source', 'failed'];
  return { ramp: rampOf(RAMP), both: rampOf(BOTH), ...Object.fromEntries(names.map((name) => [name, of(name)])) };
}

function rampColour(ramp, share) {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const k = Math.min(ramp.length - 2, Math.floor(at));
  const mixed = ramp[k].map((x, m) => Math.round(x + (ramp[k + 1][m] - x) * (at - k)));
  return `rgb(${mixed.join(',')})`;
}

function drawnName(text) {
  // A long name as the picture writes it: both ends, which tell names apart; in full it stands beside the picture.
  return text.length <= 40 ? text : `${text.slice(0, 18)}\u2026${text.slice(-20)}`;
}

function quietSides(net) {
  // Where the name of each node stands best: above (0), right (1), below (2) or left (3), the side with fewest channels first.
  const busy = Array.from({ length: net.n }, () => [0, 0, 0, 0]);
  net.tail.forEach((u, c) => {
    const v = net.head[c];
    const [dx, dy] = [net.x[v] - net.x[u], net.y[v] - net.y[u]];
    const long = Math.hypot(dx, dy) || 1;
    [-dy, dx, dy, -dx].forEach((x, k) => { busy[u][k] += Math.max(0, x / long); busy[v][k] += Math.max(0, -x / long); });
  });
  return busy.map((x) => [0, 2, 1, 3].sort((a, b) => Math.round(4 * (x[a] - x[b]))));
}

class NetworkMap {
  // options: label (for screen readers), onpoint(channel | null), onchannel(channel), onnode(node), onkey(event)
  constructor(net, options) {
    this.given = this.whole = net;
    this.options = options;
    this.open = new Set();
    this.share = new Float64Array(net.tail.length);
    this.marks = { flow: new Map(), sources: new Set(), destinations: new Set(), packets: new Set() };
    this.failed = { nodes: new Set(), channels: new Set() };
    this.pointed = null;
    this.outlined = null;
    this.base = element('canvas', { 'aria-hidden': 'true' });
    this.over = element('canvas', { 'aria-hidden': 'true' });
    this.box = element('div', {
      class: 'map', tabindex: '0', role: 'application', 'aria-label': options.label, id: 'map',
    }, this.base, this.over);
    this.refold();
    this.box.addEventListener('pointermove', (event) => this.moved(event));
    this.box.addEventListener('pointerleave', () => { this.drag = null; options.onpoint(null); });
    this.box.addEventListener('pointerdown', (event) => { this.drag = [event.clientX, event.clientY, ...this.pan, false]; });
    this.box.addEventListener('pointerup', (event) => this.released(event));
    this.box.addEventListener('wheel', (event) => this.wheeled(event), { passive: false });
    this.box.addEventListener('keydown', (event) => options.onkey(event));
    new ResizeObserver(() => this.fit()).observe(this.box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.draw(); if (options.onfit) options.onfit(); });
  }

  refold() {
    // Numbers of nodes and channels outside are those of the whole network; here those of what is drawn.
    this.fold = this.whole.bundles ? foldNetwork(this.whole, this.open) : null;
    this.net = this.fold ? this.fold.net : this.whole;
    this.shapes = channelShapes(this.net);
    this.sides = quietSides(this.net);
    this.zoom = 1;
    this.pan = [0, 0];
    this.width = 0;
    this.fit();
  }

  setFolded(folded) {
    this.whole = folded ? foldedTorus(this.given) : this.given;
    this.refold();
  }

  members(k) { return this.fold ? this.fold.members[k] : [k]; }

  at(c) { return this.fold && c !== null && c !== undefined ? this.fold.channel[c] : c; }

  most(channels) { return channels.reduce((a, c) => (Math.abs(this.share[c]) > Math.abs(a) ? this.share[c] : a), 0); }

  busiest(k) { return this.members(k).reduce((a, c) => (Math.abs(this.share[c]) > Math.abs(this.share[a]) ? c : a)); }

  colourOf(share) { return this.differs ? rampColour(this.colours.both, (share + 1) / 2) : rampColour(this.colours.ramp, share); }

  byLoad() { return [...this.shapes].sort((a, b) => Math.abs(this.drawn[a.channel]) - Math.abs(this.drawn[b.channel])); }

  toggle(key) {
    if (!this.open.delete(key)) this.open.add(key);
    this.refold();
  }

  reveal(node) {
    // Opens whatever the node is in.
    for (let k = 0; this.fold && k < 3; k += 1) {
      const { key } = this.fold.items[this.fold.node[node]];
      if (key !== null) this.toggle(key);
    }
  }

  drawnMarks() {
    const { flow, sources, destinations, packets } = this.marks;
    if (!this.fold) return this.marks;
    const nodes = (some) => new Set([...some].map((v) => this.fold.node[v]));
    const wide = new Map();
    flow.forEach((x, c) => wide.set(this.at(c), Math.max(x, wide.get(this.at(c)) || 0)));
    return { flow: wide, sources: nodes(sources), destinations: nodes(destinations), packets: nodes(packets) };
  }

  drawnFailed() {
    const { nodes, channels } = this.failed;
    if (!this.fold) return this.failed;
    const gone = [...this.fold.members.keys()].filter((k) => this.members(k).every((c) => channels.has(c)));
    return { nodes: new Set([...this.fold.items.keys()].filter((k) => this.fold.items[k].nodes.every((v) => nodes.has(v)))), channels: new Set(gone) };
  }

  nodeColour(v) {
    const inside = this.fold ? this.fold.inside[v] : [];
    return inside.length ? this.colourOf(this.most(inside)) : this.colours.node;
  }

  fit() {
    const width = this.box.clientWidth;
    if (!width || width === this.width) return;
    const { x, y, radius, lane } = this.net;
    const flat = this.shapes.flatMap((shape) => shape.flow);
    const xs = [...x], ys = [...y];
    for (let k = 0; k < flat.length; k += 2) { xs.push(flat[k]); ys.push(flat[k + 1]); }
    const least = (some) => some.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (some) => some.reduce((a, b) => Math.max(a, b), -Infinity);
    const margin = radius * (this.fold ? 2 : 1) + 2 * lane;
    const room = this.net.ticks ? 0.45 : 0; // for the coordinates
    const corner = [least(xs) - margin - room, least(ys) - margin];
    const span = [most(xs) + margin - corner[0], most(ys) + margin + room - corner[1]];
    this.edge = [corner[0] + 0.25, corner[1] + span[1] - 0.25];
    const limit = this.mostHeight();
    this.width = width;
    const unit = Math.min(width / span[0], limit / span[1], 150);
    const [side, top, low] = this.labelRoom(corner, span, unit);
    this.unit = Math.min((width - 2 * side) / span[0], (limit - top - low) / span[1], 150);
    this.height = Math.max(160, Math.round(this.unit * span[1] + top + low));
    const over = (this.height - top - low) / this.unit - span[1];
    this.corner = [corner[0] - (width / this.unit - span[0]) / 2, corner[1] - over / 2 - top / this.unit];
    for (const canvas of [this.base, this.over]) {
      canvas.width = width * devicePixelRatio;
      canvas.height = this.height * devicePixelRatio;
      canvas.style.height = `${this.height}px`;
    }
    this.draw();
    if (this.options.onfit) this.options.onfit();
  }

  mostHeight() {
    // What is left of the first screen above the legend; a share of a screen where little is, or the page is scrolled to.
    const left = window.innerHeight - this.box.getBoundingClientRect().top - window.scrollY - 72;
    return Math.max(280, Math.min(left < 0.33 * window.innerHeight ? 0.6 * window.innerHeight : left, 1100));
  }

  drawSmall(canvas, share, failed, differs) {
    // All channels again, small and without a margin, coloured by ``share`` of each, from -1 where it ``differs``.
    const [left, high, right, low] = this.shapes.reduce((a, { box }) => [...[0, 1].map((k) => Math.min(a[k], box[k])), ...[2, 3].map((k) => Math.max(a[k], box[k]))], [Infinity, Infinity, -Infinity, -Infinity]);
    const { lane } = this.net;
    const usual = { zoom: this.zoom, pan: this.pan, unit: this.unit, corner: this.corner };
    Object.assign(this, { zoom: 1, pan: [0, 0], unit: 220 / (right - left + 2 * lane), corner: [left - lane, high - lane] });
    [canvas.width, canvas.height] = [220 * devicePixelRatio, Math.ceil((low - high + 2 * lane) * this.unit) * devicePixelRatio];
    const pen = canvas.getContext('2d');
    pen.scale(devicePixelRatio, devicePixelRatio);
    const most = (shape) => this.members(shape.channel).reduce((a, c) => (Math.abs(share[c]) > Math.abs(a) ? share[c] : a), 0);
    for (const [shape, x] of this.shapes.map((s) => [s, most(s)]).sort((a, b) => Math.abs(a[1]) - Math.abs(b[1]))) {
      const gone = this.members(shape.channel).every((c) => failed.has(c));
      this.trace(pen, gone ? shape.middle : shape.polygon, !gone);
      pen.fillStyle = differs ? rampColour(this.colours.both, (x + 1) / 2) : rampColour(this.colours.ramp, x);
      pen.strokeStyle = gone ? this.colours.failed : this.colours['node-edge'];
      pen.lineWidth = gone ? 2 : 0.2;
      if (!gone) pen.fill();
      pen.stroke();
    }
    Object.assign(this, usual);
  }

  get scale() { return this.unit * this.zoom; }

  point(x, y) {
    return [(x - this.corner[0]) * this.scale + this.pan[0], (y - this.corner[1]) * this.scale + this.pan[1]];
  }

  unpoint(event) {
    const box = this.base.getBoundingClientRect();
    return [
      (event.clientX - box.left - this.pan[0]) / this.scale + this.corner[0],
      (event.clientY - box.top - this.pan[1]) / this.scale + this.corner[1],
    ];
  }

  hit(event) {
    const [x, y] = this.unpoint(event);
    const near = 8 / this.scale;
    for (let v = 0; v < this.net.n; v += 1) {
      if (Math.hypot(this.net.x[v] - x, this.net.y[v] - y) < Math.max(this.net.radius, near / 2)) return { node: v };
    }
    let best = Math.max(0.7 * this.net.lane, near);
    let found = null;
    for (const shape of this.shapes) {
      const [left, high, right, low] = shape.box;
      if (x < left - best || x > right + best || y < high - best || y > low + best) continue;
      const away = distanceTo(shape.middle, x, y);
      if (away < best) { best = away; found = shape.channel; }
    }
    return found === null ? {} : { channel: found };
  }

  moved(event) {
    if (this.drag && event.buttons && event.pointerType === 'mouse') {
      const [x, y, left, top] = this.drag;
      if (this.drag[4] || Math.hypot(event.clientX - x, event.clientY - y) > 4) {
        this.drag[4] = true;
        this.pan = [left + event.clientX - x, top + event.clientY - y];
        this.draw();
        return;
      }
    }
    const found = this.hit(event);
    const item = this.fold && found.node !== undefined ? this.fold.items[found.node] : { key: null };
    this.box.title = found.node === undefined ? '' : `${item.name || this.net.labels[found.node]}${item.key === null ? '' : `: ${item.nodes.length.toLocaleString('en')} switches; a click opens it`}`;
    const channel = found.channel === undefined ? null : this.busiest(found.channel);
    if (channel !== this.pointed) this.options.onpoint(channel);
  }

  released(event) {
    const dragged = this.drag && this.drag[4];
    this.drag = null;
    if (dragged) return;
    const found = this.hit(event);
    const item = this.fold && found.node !== undefined ? this.fold.items[found.node] : { key: null, nodes: [found.node] };
    if (item.key !== null) this.toggle(item.key);
    else if (found.node !== undefined) this.options.onnode(item.nodes[0]);
    else if (found.channel !== undefined) this.options.onchannel(this.busiest(found.channel));
  }

  wheeled(event) {
    if (!event.ctrlKey && !event.shiftKey) return; // a page is scrolled with the wheel; Ctrl or Shift zooms
    event.preventDefault();
    const box = this.base.getBoundingClientRect();
    this.zoomBy(event.deltaY + event.deltaX < 0 ? 1.25 : 0.8, event.clientX - box.left, event.clientY - box.top);
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const zoom = Math.max(1, Math.min(40, this.zoom * factor));
    const real = zoom / this.zoom;
    this.pan = zoom === 1 ? [0, 0] : [x - (x - this.pan[0]) * real, y - (y - this.pan[1]) * real];
    this.zoom = zoom;
    this.box.style.touchAction = zoom === 1 ? 'pan-y' : 'none';
    this.draw();
  }

  trace(pen, points, close) {
    pen.beginPath();
    for (let k = 0; k < points.length; k += 2) {
      const [x, y] = this.point(points[k], points[k + 1]);
      if (k) pen.lineTo(x, y); else pen.moveTo(x, y);
    }
    if (close) pen.closePath();
  }

  pen(canvas) {
    const pen = canvas.getContext('2d');
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }

  draw() {
    if (!this.width) return;
    this.colours = themeColours();
    const pen = this.pen(this.base);
    this.drawn = this.fold ? Float64Array.from(this.fold.members, (some) => this.most(some)) : this.share;
    const gone = this.drawnFailed().channels;
    pen.lineWidth = Math.min(0.8, 0.05 * this.net.lane * this.scale);
    pen.strokeStyle = this.colours['node-edge'];
    for (const shape of this.byLoad()) {
      if (gone.has(shape.channel)) continue;
      pen.globalAlpha = this.keep && !this.members(shape.channel).some(this.keep) ? 0.12 : 1;
      this.trace(pen, shape.polygon, true);
      pen.fillStyle = this.colourOf(this.drawn[shape.channel]);
      pen.fill();
      if (pen.lineWidth > 0.15) pen.stroke();
    }
    pen.globalAlpha = 1;
    this.highlight();
  }

  highlight() {
    if (!this.width) return;
    const pen = this.pen(this.over);
    if (onPaper) pen.drawImage(this.base, 0, 0, this.width, this.height); // printed, clearing erases what lies below, too
    const { flow, sources, destinations, packets } = this.drawnMarks();
    const [outlined, pointed] = [this.at(this.outlined), this.at(this.pointed)];
    pen.lineJoin = 'round';
    for (const [edge, colour] of [[2, this.colours.paper], [0, this.colours.path]]) {
      pen.strokeStyle = colour;
      for (const shape of this.shapes) {
        const share = flow.get(shape.channel);
        if (share === undefined) continue;
        pen.lineWidth = Math.max(1.4, 0.35 * this.net.lane * this.scale * share) + edge;
        this.trace(pen, shape.flow, false);
        pen.stroke();
      }
    }
    for (const shape of this.shapes) { // above the paths, which would hide it
      if (shape.channel === outlined || shape.channel === pointed) {
        this.trace(pen, shape.polygon, true);
        pen.lineWidth = shape.channel === pointed ? 4 : 2.5;
        pen.strokeStyle = shape.channel === pointed ? this.colours.path : this.colours.ink;
        pen.stroke();
      }
    }
    const radius = this.net.radius * this.scale;
    for (let v = 0; v < this.net.n; v += 1) {
      const [x, y] = this.point(this.net.x[v], this.net.y[v]);
      if (x < -30 || y < -30 || x > this.width + 30 || y > this.height + 30) continue;
      pen.beginPath();
      pen.arc(x, y, Math.max(1, radius), 0, 2 * Math.PI);
      pen.fillStyle = sources.has(v) ? this.colours.source : packets.has(v) ? this.colours.path : this.nodeColour(v);
      pen.strokeStyle = sources.has(v) || destinations.has(v) ? this.colours.source : this.colours['node-edge'];
      pen.lineWidth = destinations.has(v) ? 3 : 1;
      pen.fill();
      pen.stroke();
      if (!this.fold || this.fold.items[v].key === null) continue;
      pen.beginPath(); // a second ring: more than one switch
      pen.arc(x, y, Math.max(1, radius) + 3, 0, 2 * Math.PI);
      pen.lineWidth = 1;
      pen.stroke();
    }
    this.strike((points, wide, colour) => {
      this.trace(pen, points, false);
      pen.lineWidth = wide;
      pen.strokeStyle = colour;
      pen.stroke();
    });
    for (const { v, text, x, y, size, inside } of this.labels()) {
      pen.font = `${size}px system-ui, sans-serif`;
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.fillStyle = inside && (sources.has(v) || packets.has(v)) ? this.colours.paper : this.colours.ink;
      pen.strokeStyle = this.colours.paper;
      pen.lineWidth = 3;
      if (!inside) pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
    }
    pen.font = '12px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = this.colours.quiet;
    for (const [text, x, y] of this.ticks()) pen.fillText(text, x, y);
  }

  strike(draw) {
    // What has failed: its line thin and in a colour of its own, with a cross in the middle; draw(points, width, colour).
    const { nodes, channels } = this.drawnFailed();
    const colour = this.colours.failed;
    const cross = (x, y, arm) => {
      for (const way of [1, -1]) draw([x - arm, y - way * arm, x + arm, y + way * arm], 2.5, colour);
    };
    for (const shape of this.shapes) {
      if (!channels.has(shape.channel)) continue;
      draw(shape.middle, 1.2, colour);
      const at = cutLine(shape.middle, lengthOf(shape.middle) / 2, 0);
      if (!nodes.has(this.net.tail[shape.channel]) && !nodes.has(this.net.head[shape.channel])) cross(at[0], at[1], 6 / this.scale);
    }
    for (const v of nodes) cross(this.net.x[v], this.net.y[v], Math.max(this.net.radius, 6 / this.scale));
  }

  labelStyle(v, scale) {
    // [size, width in pixels, whether it stands inside the node]; null where it cannot be read
    const radius = this.net.radius * scale;
    const size = Math.max(12, Math.min(15, radius * 1.1));
    if (radius < (this.net.n <= 60 || this.fold ? 1.5 : 5)) return null;
    this.ruler = this.ruler || element('canvas').getContext('2d');
    this.ruler.font = `${size}px system-ui, sans-serif`;
    const wide = this.ruler.measureText(drawnName(this.net.labels[v])).width;
    const inside = wide <= 1.9 * radius;
    if (inside || !this.net.ticks) return [size, wide, inside];
    const [beside, above] = this.labelPlace(scale, size, wide, 0); // on a grid in the free field: else it has its coordinates
    return beside + wide / 2 < 0.84 * scale && above > -0.84 * scale ? [size, wide, inside] : null;
  }

  labelPlace(scale, size, wide, side) {
    // [to the right, downwards] of a name, from the middle of its node
    const { radius, lane, ticks } = this.net;
    const away = [radius * scale + 0.7 * size, radius * scale + wide / 2 + 4][side % 2];
    if (!ticks) return [[0, -away], [away, 0], [0, away], [-away, 0]][side];
    const clear = 1.3 * lane * scale + 3;
    return [clear + wide / 2, -clear - 0.5 * size];
  }

  labels() {
    // Names that can be read: inside the nodes, or beside them, never beyond the canvas or on another node; but sources
    // and destinations are always named, unless they are bundles, and come before the others where two names would overlap.
    const radius = this.net.radius * this.scale;
    const found = [];
    const taken = [];
    const { sources, destinations } = this.drawnMarks();
    const marked = (v) => Number(sources.has(v) || destinations.has(v));
    const seen = Array.from({ length: this.net.n }, (_, v) => [v, ...this.point(this.net.x[v], this.net.y[v])])
      .filter(([, x, y]) => x >= -radius && y >= -radius && x <= this.width + radius && y <= this.height + radius);
    const free = (box) => !taken.some((t) => t[0] < box[2] + 4 && box[0] < t[2] + 4 && t[1] < box[3] && box[1] < t[3]);
    const clear = (box) => !seen.some(([, x, y]) => Math.hypot(x - Math.max(box[0], Math.min(x, box[2])), y - Math.max(box[1], Math.min(y, box[3]))) < radius);
    for (const [v, x, y] of [...seen].sort((a, b) => marked(b[0]) - marked(a[0]) || a[0] - b[0])) {
      const style = this.labelStyle(v, this.scale);
      if (style === null) continue;
      const [size, wide, inside] = style;
      const text = drawnName(this.net.labels[v]);
      if (inside) { found.push({ v, text, x, y, size, inside }); continue; }
      const boxes = (this.net.ticks ? [0] : this.sides[v]).map((side) => {
        const [right, down] = this.labelPlace(this.scale, size, wide, side);
        const left = side % 2 ? x + right : Math.max(wide / 2 + 2, Math.min(this.width - wide / 2 - 2, x + right));
        const high = this.net.ticks && y + down < 0.6 * size ? y + radius + 0.7 * size : y + down;
        return [left - wide / 2, high - size / 2, left + wide / 2, high + size / 2];
      }).filter((b) => free(b) && b[0] >= 0 && b[2] <= this.width && b[1] >= 0 && b[3] <= this.height);
      const box = boxes.find(clear) || (this.net.ticks || (marked(v) && !this.fold) ? boxes[0] : undefined);
      if (!box) continue;
      taken.push(box);
      found.push({ v, text, x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, size, inside });
    }
    return found;
  }

  labelRoom(corner, span, unit) {
    // How far names reach beyond what is drawn, in pixels: [on a side, above, below]
    let [side, top, low] = [0, 0, 0];
    for (let v = 0; v < this.net.n; v += 1) {
      const style = this.labelStyle(v, unit);
      if (style === null || style[2]) continue;
      const [size, wide] = style;
      const [right, down] = this.labelPlace(unit, size, wide, this.net.ticks ? 0 : this.sides[v][0]);
      const [x, y] = [(this.net.x[v] - corner[0]) * unit + right, (this.net.y[v] - corner[1]) * unit + down];
      side = Math.max(side, wide / 2 + 3 - Math.min(x, span[0] * unit - x));
      top = Math.max(top, 0.7 * size - y);
      low = Math.max(low, y + 0.7 * size - span[1] * unit);
    }
    return [Math.min(side, 0.08 * this.width), top, low]; // what does not fit then stands elsewhere, or on hover
  }

  ticks() {
    // [text, x, y] of the coordinates below and on the left, where a unit is wide enough to be read
    const { ticks } = this.net;
    if (!ticks || this.scale < 14) return [];
    const [left, low] = this.edge;
    const found = ticks[0].map((x, k) => [x, k, low]);
    if (ticks.length > 1) found.push(...ticks[1].map((x, k) => [x, left, -k]));
    return found.map(([x, a, b]) => [String(x), ...this.point(a, b)]);
  }

  channelPoint(channel) {
    const shape = this.shapes.find((x) => x.channel === this.at(channel));
    const line = cutLine(shape.middle, lengthOf(shape.middle) / 2, 0);
    const box = this.base.getBoundingClientRect();
    const [x, y] = this.point(line[0], line[1]);
    return [box.left + x, box.top + y];
  }

  nodePoint(node) {
    const box = this.base.getBoundingClientRect();
    const v = this.fold ? this.fold.node[node] : node;
    const [x, y] = this.point(this.net.x[v], this.net.y[v]);
    return [box.left + x, box.top + y];
  }

  svg(title) {
    const out = [];
    const safe = (text) => String(text).replace(/[&<>"']/g, (x) => `&#${x.charCodeAt(0)};`);
    const points = (line) => {
      const found = [];
      for (let k = 0; k < line.length; k += 2) found.push(this.point(line[k], line[k + 1]).map((x) => x.toFixed(1)).join(','));
      return found.join(' ');
    };
    const c = this.colours;
    const { flow, sources, destinations, packets } = this.drawnMarks();
    const gone = this.drawnFailed().channels;
    for (const s of this.byLoad().filter((x) => !gone.has(x.channel))) {
      out.push(`<polygon points="${points(s.polygon)}" fill="${this.colourOf(this.drawn[s.channel])}" stroke="${c['node-edge']}" stroke-width="0.3"/>`);
    }
    for (const s of this.shapes.filter((x) => x.channel === this.at(this.outlined))) {
      out.push(`<polygon points="${points(s.polygon)}" fill="none" stroke="${c.ink}" stroke-width="2.5"/>`);
    }
    for (const s of this.shapes) {
      const share = flow.get(s.channel);
      if (share === undefined) continue;
      const wide = Math.max(1.4, 0.6 * this.net.lane * this.scale * share).toFixed(1);
      out.push(`<polyline points="${points(s.flow)}" fill="none" stroke="${c.path}" stroke-width="${wide}"/>`);
    }
    const radius = Math.max(1, this.net.radius * this.scale);
    for (let v = 0; v < this.net.n; v += 1) {
      const [x, y] = this.point(this.net.x[v], this.net.y[v]).map((a) => a.toFixed(1));
      const full = sources.has(v);
      const ring = full || destinations.has(v);
      out.push(`<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" fill="${full ? c.source : packets.has(v) ? c.path : this.nodeColour(v)}" stroke="${ring ? c.source : c['node-edge']}" stroke-width="${ring ? 2 : 0.8}"><title>${safe(this.net.labels[v])}</title></circle>`);
    }
    this.strike((line, wide, colour) => {
      out.push(`<polyline points="${points(line)}" fill="none" stroke="${colour}" stroke-width="${wide}"/>`);
    });
    for (const { v, text, x, y, size, inside } of this.labels()) {
      const dark = inside && (sources.has(v) || packets.has(v));
      const halo = inside ? '' : ` stroke="${c.paper}" stroke-width="3" paint-order="stroke"`;
      out.push(`<text x="${x.toFixed(1)}" y="${(y + 0.35 * size).toFixed(1)}" font-size="${size.toFixed(1)}" font-family="sans-serif" text-anchor="middle" fill="${dark ? c.paper : c.ink}"${halo}>${safe(text)}</text>`);
    }
    for (const [text, x, y] of this.ticks()) {
      out.push(`<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" font-size="12" font-family="sans-serif" text-anchor="middle" fill="${c.quiet}">${safe(text)}</text>`);
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}"><title>${safe(title)}</title><rect width="100%" height="100%" fill="${c.paper}"/>${out.join('\n')}</svg>\n`;
  }
}

function zoomControls(map) {
  const button = (text, label, act) => element('button', { type: 'button', class: 'plain', text, 'aria-label': label, onclick: act });
  return element('span', { class: 'buttons' },
    button('+', 'zoom in', () => map.zoomBy(1.5)),
    button('\u2212', 'zoom out', () => map.zoomBy(1 / 1.5)),
    map.given.radix && map.given.ticks ? element('button', { type: 'button', class: 'plain', text: 'Folded', 'aria-pressed': 'false',
      title: 'as the torus is wired, without long channels', onclick: ({ currentTarget: x }) => {
        x.setAttribute('aria-pressed', String(x.getAttribute('aria-pressed') === 'false'));
        map.setFolded(x.getAttribute('aria-pressed') === 'true');
      } }) : null,
    map.fold ? button('Close all', 'close all bundles', () => { map.open.clear(); map.refold(); }) : null,
    element('button', { type: 'button', class: 'plain', id: 'save-svg', text: 'Save picture (SVG)',
      onclick: () => save('routeproof.svg', 'image/svg+xml', map.svg(document.title)) }));
}
