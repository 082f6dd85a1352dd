// Curves that answer to the mouse and to arrow keys; drawn from their numbers, which can be saved as they stand.

const SVG = 'http://www.w3.org/2000/svg';
const PAPER = { 'for one column': 336, 'for two columns': 696 }; // widths of a figure in a paper, in pixels of 1/96 inch

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function ticksOf(low, high, log, most) {
  if (log) {
    const found = [];
    for (let k = Math.floor(Math.log10(Math.max(low, 1e-12))); k <= Math.ceil(Math.log10(high)); k += 1) {
      for (const m of [1, 2, 5]) found.push(m * 10 ** k);
    }
    const some = found.filter((x) => x >= low && x <= high);
    return some.length <= most ? some : some.filter((x) => Number.isInteger(Number(Math.log10(x).toFixed(9))));
  }
  const rough = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * unit >= rough) * unit;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

function marker(kind, x, y, colour) {
  const at = (dx, dy) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`;
  const shapes = {
    s: [[-4, -4], [4, -4], [4, 4], [-4, 4]], '^': [[0, -5], [5, 4], [-5, 4]], v: [[0, 5], [5, -4], [-5, -4]], D: [[0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]],
  };
  if (shapes[kind]) return drawn('polygon', { points: shapes[kind].map((p) => at(...p)).join(' '), fill: colour });
  if (kind === 'x' || kind === 'X' || kind === 'P') return drawn('path', { d: `M${at(-4, -4)}L${at(4, 4)}M${at(4, -4)}L${at(-4, 4)}`, stroke: colour, 'stroke-width': 2 });
  if (kind === '|') return drawn('path', { d: `M${at(0, -6)}L${at(0, 6)}`, stroke: colour, 'stroke-width': 2 });
  return drawn('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: 4, fill: colour });
}

function wrapped(text, most) {
  const lines = [];
  for (const word of text.split(' ').filter((x) => x)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const longest = (width) => Math.min(40, Math.floor(width / 13)); // characters of a line of a name

class Panel {
  // data: a panel as figures/chart.py describes it; size: [width, height] in pixels; colour(name), font: how it looks
  constructor(data, size, colour, font) {
    Object.assign(this, { data, colour });
    const [x0, x1, y0, y1] = data.limits;
    const names = data.ticks[1].map(([, text]) => text.length);
    this.most = longest(size[0]);
    const wide = Math.max(58, 22 + 7 * Math.min(this.most, Math.max(0, ...names)));
    this.title = wrapped(data.title.replace(/\s+/g, ' '), Math.floor((size[0] - wide) / 7.6));
    this.box = [wide, 12 + 17 * this.title.length, size[0] - 14, size[1] - 44]; // left, top, right, bottom
    const [left, top, right, bottom] = this.box;
    const scale = (low, high, log, from, to) => {
      const f = log ? (v) => Math.log10(Math.max(v, 1e-300)) : (v) => v;
      return (v) => from + (f(v) - f(low)) / (f(high) - f(low) || 1) * (to - from);
    };
    this.x = scale(x0, x1, data.log[0], left, right);
    this.y = scale(y0, y1, data.log[1], bottom, top);
    this.root = drawn('g', { 'font-family': font, 'font-size': 12 });
    this.text = (words, x, y, more) => drawn('text', { x: x.toFixed(1), y: y.toFixed(1), fill: colour('ink'), ...more }, words);
    this.frame();
    this.lines();
    this.notes();
  }

  frame() {
    const { data, colour, root } = this;
    const [left, top, right, bottom] = this.box;
    const [x0, x1, y0, y1] = data.limits;
    for (const area of data.areas) root.append(drawn('polygon', { points: area.map(([a, b]) => `${this.x(a).toFixed(1)},${this.y(b).toFixed(1)}`).join(' '), fill: colour('line'), opacity: 0.45 }));
    const ticks = (k, low, high, most) => { // whole numbers where all points have them
      if (data.ticks[k].length) return data.ticks[k];
      const found = ticksOf(low, high, data.log[k], Math.max(2, most));
      const whole = data.series.every((s) => [s.x, s.y][k].every(Number.isInteger)) ? found.filter(Number.isInteger) : found;
      return (whole.length > 1 ? whole : found).map((v) => [v, String(v)]);
    };
    const across = ticks(0, x0, x1, Math.floor((right - left) / 80));
    const up = ticks(1, y0, y1, Math.floor((bottom - top) / 45));
    for (const [v, text] of across) {
      root.append(drawn('path', { d: `M${this.x(v).toFixed(1)},${top}V${bottom}`, stroke: colour('line'), 'stroke-width': 0.7 }),
        this.text(text, this.x(v), bottom + 16, { 'text-anchor': 'middle', fill: colour('quiet') }));
    }
    for (const [v, text] of up) {
      root.append(drawn('path', { d: `M${left},${this.y(v).toFixed(1)}H${right}`, stroke: colour('line'), 'stroke-width': 0.7 }),
        this.nameOf(text, left - 6, this.y(v) + 4));
    }
    root.append(drawn('path', { d: `M${left},${top}V${bottom}H${right}`, stroke: colour('node-edge'), fill: 'none' }),
      this.text(data.across, (left + right) / 2, bottom + 36, { 'text-anchor': 'middle' }),
      this.text(data.up, 0, 0, { 'text-anchor': 'middle', transform: `translate(14,${((top + bottom) / 2).toFixed(1)}) rotate(-90)` }),
      ...this.title.map((line, k) => this.text(line, left, 16 + 17 * k, { 'font-weight': 'bold', 'font-size': 13 })));
  }

  nameOf(text, x, y) {
    // On as many lines as it needs; a word that is too long for one is cut, and stands in full on hover.
    const lines = wrapped(text, this.most);
    const short = (line) => (line.length > this.most ? `${line.slice(0, this.most - 1)}\u2026` : line);
    const label = this.text('', x, y, { 'text-anchor': 'end', fill: this.colour('quiet') });
    label.append(...lines.map((line, k) => drawn('tspan', { x: x.toFixed(1), y: (y + 14 * (k - (lines.length - 1) / 2)).toFixed(1) }, short(line))));
    if (lines.some((line) => line.length > this.most)) label.append(drawn('title', {}, text));
    return label;
  }

  lines() {
    const { data, colour, root } = this;
    const [, top, , bottom] = this.box;
    for (const { x, colour: name } of data.rules) {
      root.append(drawn('path', { d: `M${this.x(x).toFixed(1)},${top}V${bottom}`, stroke: colour(name), 'stroke-width': 1.6, 'stroke-dasharray': '6 4' }));
    }
    for (const s of data.series) {
      const at = s.x.map((v, k) => [this.x(v), this.y(s.y[k])]);
      const path = at.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(' ');
      if (!s.marks && at.length > 1) root.append(drawn('polyline', { points: path, fill: 'none', stroke: colour(s.colour), 'stroke-width': 2, 'stroke-dasharray': s.dash || null }));
      (s.arms || []).forEach(([low, high], k) => root.append(drawn('path', { d: `M${at[k][0].toFixed(1)},${this.y(low).toFixed(1)}V${this.y(high).toFixed(1)}`, stroke: colour(s.colour), 'stroke-width': 1.4 })));
      at.forEach(([a, b], k) => {
        if (s.marker) root.append(marker(s.marker, a, b, colour(s.colour)));
        else if (s.told && s.told[k]) root.append(drawn('circle', { cx: a.toFixed(1), cy: b.toFixed(1), r: 3, fill: colour('paper'), stroke: colour(s.colour), 'stroke-width': 1.6 }));
      });
    }
  }

  notes() {
    // Names of points where no other name is: left above, right above, right below, left below; else left out.
    const [left, top, right, bottom] = this.box;
    const taken = this.points().map(({ at: [x, y] }) => [x - 3, y - 3, x + 3, y + 3]);
    const corners = this.data.series.filter((s) => s.told && !s.marker); // of a curve; marks have names of their own
    const told = corners.flatMap((s) => s.x.map((x, k) => [x, s.y[k], s.told[k]]).filter((p) => p[2].includes(' '))); // more than the number that the axis has
    for (const [x, y, words] of [...this.data.notes, ...told]) {
      const wide = 7 * words.length;
      const [a, b] = [this.x(x), this.y(y)];
      for (const [dx, dy, anchor] of [[-8, -7, 'end'], [8, -7, 'start'], [8, 16, 'start'], [-8, 16, 'end']]) {
        const from = anchor === 'end' ? a + dx - wide : a + dx;
        const box = [from, b + dy - 11, from + wide, b + dy + 3];
        if (box[0] < left || box[2] > right || box[1] < top || box[3] > bottom) continue;
        if (taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3])) continue;
        taken.push(box);
        this.root.append(this.text(words, a + dx, b + dy, { 'text-anchor': anchor, class: 'note' }));
        break;
      }
    }
  }

  points() { return this.data.series.flatMap((s) => s.x.map((v, k) => ({ s, k, at: [this.x(v), this.y(s.y[k])] }))); }

  words({ s, k }) {
    const { data } = this;
    const named = (ticks, v) => { const found = ticks.find(([x]) => x === v); return found ? found[1] : String(Number(v.toPrecision(6))); };
    const arms = s.arms ? `, between ${Number(s.arms[k][0].toPrecision(5))} and ${Number(s.arms[k][1].toPrecision(5))}` : '';
    const note = data.notes.find(([x, y]) => x === s.x[k] && y === s.y[k]);
    const name = s.name || (note ? note[2] : '');
    return `${name ? `${name}: ` : ''}${data.across || 'x'} ${named(data.ticks[0], s.x[k])}, ${data.up || 'y'} ${named(data.ticks[1], s.y[k])}${arms}${s.told && s.told[k] ? `; ${s.told[k]}` : ''}`;
  }
}

function keyOf({ colour: name, marker: kind, dash, marks }, colour) {
  // How a series looks, as it stands in a legend: 26 x 12 pixels
  return [
    ...(marks ? [] : [drawn('path', { d: 'M1,6H25', stroke: colour(name), 'stroke-width': 2, 'stroke-dasharray': dash || null })]),
    ...(kind ? [marker(kind, 13, 6, colour(name))] : []),
  ];
}

class Chart {
  constructor(box, data) {
    Object.assign(this, { box, data, at: -1 });
    const { panels } = data;
    panels.forEach((p) => { p.across = p.across || panels[panels.length - 1].across; }); // panels above each other share it
    this.view = element('div', { class: 'plot', tabindex: '0', role: 'application', 'aria-label': `Curves: ${data.title || data.panels[0].title}. Left and right arrow keys go from point to point.` });
    this.said = element('p', { class: 'quiet', 'aria-live': 'polite' });
    const button = (text, act) => element('button', { type: 'button', class: 'plain', text, onclick: act });
    const legend = element('div', { class: 'legend' }, ...this.legend());
    box.replaceChildren(this.view, legend, this.said, element('details', {}, element('summary', { text: 'Save these curves' }), element('div', { class: 'buttons' },
      button('as here (SVG)', () => save('curves.svg', 'image/svg+xml', this.svg(this.view.clientWidth, 'sans-serif', getComputedStyle(document.documentElement)))),
      ...Object.entries(PAPER).map(([name, wide]) => button(`${name} of a paper (SVG)`, () => save(`curves-${wide}.svg`, 'image/svg+xml', this.svg(wide, 'Times, serif')))),
      button('numbers (CSV)', () => save('curves.csv', 'text/csv', this.csv())))));
    this.view.addEventListener('pointermove', (event) => this.pointed(event));
    this.view.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.choose(Math.max(0, Math.min(this.all.length - 1, this.at + by)));
    });
    new ResizeObserver(() => { if (this.view.clientWidth !== this.width) this.draw(); }).observe(this.view);
  }

  named() {
    const entries = this.data.panels.flatMap((p) => [...p.series, ...p.rules.map((x) => ({ ...x, dash: '6 4' }))]).filter((x) => x.name);
    return entries.filter((x, k) => entries.findIndex((y) => y.name === x.name) === k);
  }

  legend() {
    return this.named().map((x) => element('span', {}, drawn('svg', { width: 26, height: 12, 'aria-hidden': 'true' }, ...keyOf(x, (name) => `var(--${name})`)), ` ${x.name}`));
  }

  build(width, colour, font, paper) {
    // [svg element, panels, height]: beside each other where there is room for two
    const count = this.data.panels.length;
    const beside = Math.max(1, Math.min(count, Math.floor(width / 460)));
    const wide = width / beside;
    const rows = Math.max(...this.data.panels.map(({ ticks }) => { // lines of names, which stand evenly
      const lines = ticks[1].map(([, text]) => wrapped(text, longest(wide)).length);
      return lines.length * Math.max(1, ...lines);
    }));
    const high = Math.max(240, Math.min(Math.max(460, 0.5 * window.innerHeight), 0.62 * wide), 60 + 17 * rows);
    const titled = paper || count > 1; // a page has its own title
    const tall = Math.ceil(count / beside) * high;
    const svg = drawn('svg', { xmlns: SVG, width, height: tall, viewBox: `0 0 ${width} ${tall}` }); // narrower on paper
    const panels = this.data.panels.map((data, k) => {
      const panel = new Panel(titled ? data : { ...data, title: '' }, [wide, high], colour, font);
      panel.from = [(k % beside) * wide, Math.floor(k / beside) * high];
      panel.root.setAttribute('transform', `translate(${panel.from.map((x) => x.toFixed(1)).join(',')})`);
      svg.append(panel.root);
      return panel;
    });
    return [svg, panels];
  }

  draw() {
    this.width = this.view.clientWidth;
    if (!this.width) return;
    const [svg, panels] = this.build(this.width, (name) => `var(--${name})`, 'inherit');
    this.ring = drawn('circle', { r: 8, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2, visibility: 'hidden' });
    svg.append(this.ring);
    this.all = panels.flatMap((panel) => panel.points().map((p) => ({ ...p, panel, at: [p.at[0] + panel.from[0], p.at[1] + panel.from[1]] })));
    this.view.replaceChildren(svg);
    this.said.textContent = 'Point at a curve to read its numbers.';
  }

  pointed(event) {
    const box = this.view.getBoundingClientRect();
    const away = this.all.map(({ at }) => Math.hypot(at[0] - event.clientX + box.left, at[1] - event.clientY + box.top));
    const best = away.reduce((a, x, k) => (x < away[a] ? k : a), 0);
    if (away[best] < 60) this.choose(best);
  }

  choose(k) {
    const found = this.all[k];
    if (!found) return;
    this.at = k;
    this.ring.setAttribute('cx', found.at[0]);
    this.ring.setAttribute('cy', found.at[1]);
    this.ring.setAttribute('visibility', 'visible');
    this.said.textContent = found.panel.words(found);
  }

  svg(width, font, style = lightColours()) {
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [svg] = this.build(width, colour, font, true);
    let [x, y] = [12, Number(svg.getAttribute('height'))];
    for (const one of this.named()) { // the legend, in rows
      const wide = 46 + 7 * one.name.length;
      if (x > 12 && x + wide > width) [x, y] = [12, y + 18];
      svg.append(drawn('g', { transform: `translate(${x},${y})`, 'font-family': font, 'font-size': 12 }, ...keyOf(one, colour),
        drawn('text', { x: 32, y: 10, fill: colour('ink') }, one.name)));
      x += wide;
    }
    if (x > 12) y += 20;
    svg.setAttribute('height', y);
    svg.setAttribute('viewBox', `0 0 ${width} ${y}`);
    svg.prepend(drawn('rect', { width: '100%', height: '100%', fill: colour('paper') }));
    return new XMLSerializer().serializeToString(svg);
  }

  csv() {
    const cell = (x) => { const text = String(x); return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text; };
    const rows = this.data.panels.flatMap((p) => p.series.flatMap((s) => s.x.map((v, k) => [p.up, s.name, v, s.y[k], ...(s.arms ? s.arms[k] : ['', '']), s.told ? s.told[k] : ''])));
    return [['panel', 'series', 'x', 'y', 'low', 'high', 'exact'], ...rows].map((row) => row.map(cell).join(',')).join('\n').concat('\n');
  }
}
