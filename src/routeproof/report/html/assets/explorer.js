// The explorer of a network: patterns, channels with who crosses them, pairs with their paths.

const PAIRS_SHOWN = 15;
const PATHS_SHOWN = 40;
const ROWS_SHOWN = 200;
const FLOWS_SHOWN = 64;
const MOST_BESIDE = 8; // small pictures
const LISTED = 20000; // channels whose table is made before it is opened
const MOST_OPTIONS = 1200; // of a list to choose from; longer ones are typed into

function readNetwork(data, values) {
  const net = { ...data, tail: unpack(data.tail), head: unpack(data.head) };
  const count = net.tail.length;
  const everyone = Uint32Array.from({ length: data.n }, (_, v) => v);
  net.source = data.source ? unpack(data.source) : everyone;
  net.sink = data.sink ? unpack(data.sink) : everyone;
  net.bandwidth = data.bandwidth ? [...unpack(data.bandwidth)].map((k) => values[k]) : null;
  const rates = data.gbps ? unpack(data.gbps.of) : null;
  net.gbps = rates ? (c) => data.gbps.rates[rates[c]] : null;
  net.wide = net.bandwidth ? net.bandwidth.map(toNumber) : new Array(count).fill(1);
  const top = net.wide.reduce((a, b) => Math.max(a, b), 0) || 1;
  net.width = net.wide.map((x) => Math.max(0.3, x / top));
  if (data.bundles) net.bundles = { ...data.bundles, of: unpack(data.bundles.of) };
  if (data.channelAt) net.channelAt = unpack(data.channelAt);
  net.channelLabel = (c) => (data.channels ? data.channels[c]
    : `${net.labels[net.tail[c]]} \u2192 ${net.labels[net.head[c]]}`);
  net.own = net.terminals === net.n && net.source.every((v, k) => v === k && net.sink[k] === v);
  net.terminalLabel = (i, at) => (data.names ? data.names[i] : net.own ? net.labels[i] : `terminal ${i} at ${net.labels[at[i]]}`);
  net.placeLabel = (i, at) => (data.names ? `${data.names[i]} at ${net.labels[at[i]]}` : net.terminalLabel(i, at));
  return net;
}

function choice(label, id, options, act) {
  const select = element('select', { id, onchange: act });
  options.forEach(([value, text]) => select.append(element('option', { value, text })));
  return [element('label', {}, label, select), select];
}

class Explorer {
  constructor(section, data) {
    this.values = data.values.map(parseFraction);
    this.net = readNetwork(data.network, this.values);
    this.routings = data.routings.map((x) => ({
      ...x,
      patterns: x.patterns.map((p) => ({
        ...p, load: p.load ? unpack(p.load) : null, image: p.image ? [...unpack(p.image)] : null, own: p.own ? readOwn(p.own) : null,
        amount: p.amount === undefined ? 1 : toNumber(this.values[p.amount]), tree: p.tree ? readTree(p.tree, this.values) : null,
      })),
      pairs: new Pairs(x, this.net, this.values),
      bandwidth: x.bandwidth ? [...unpack(x.bandwidth)].map((k) => this.values[k]) : this.net.bandwidth,
    }));
    for (const { patterns } of this.routings) {
      for (const p of patterns.filter((x) => x.tree)) {
        p.story = storyOfTree(p, this.net);
        p.load = loadOfTree(p.tree, this.net.tail.length, this.values);
      }
    }
    this.numbers = this.values.map(toNumber);
    this.pinned = null;
    this.less = null; // the pattern, of another routing, that is taken from the one that is shown
    this.rows = ROWS_SHOWN;
    this.sorting = [2, -1];
    this.build(section, data);
    this.setRouting(0);
    if (data.choice === 'day') this.showChange();
    this.linkTable();
  }

  showChange() {
    // What the second day changed: of each link's own worst case, where it can be compared.
    this.setRouting(1);
    const { patterns } = this.chosen;
    const some = patterns.filter((p) => this.subtrahends(p, this.chosen).length);
    if (!some.length) return;
    this.film.go(patterns.indexOf(some.find((p) => p.name !== 'uniform') || some[0]));
    this.setLess('0');
  }

  linkTable() {
    // The rows of a table above that say which picture they stand for: their first cell shows it.
    this.linked = [...document.querySelectorAll('tr[data-scene]')];
    for (const row of this.linked) {
      const cell = row.cells[0];
      const k = Number(row.dataset.scene);
      const link = element('button', { type: 'button', class: 'link', text: cell.textContent,
        onclick: () => { this.setRouting(k); this.map.box.scrollIntoView({ block: 'center', behavior: 'smooth' }); } });
      cell.replaceChildren(link);
    }
    this.markRow();
  }

  markRow() {
    const k = String(this.routings.indexOf(this.chosen));
    const shown = (x) => x.scene === this.chosen && Boolean(x.less) === (this.less !== null);
    for (const x of this.beside) x.button.setAttribute('aria-pressed', String(shown(x)));
    for (const row of this.linked || []) row.classList.toggle('chosen', row.dataset.scene === k);
  }

  build(section, data) {
    const { net } = this;
    this.map = new NetworkMap(net, {
      label: `Map of ${net.name}: ${net.n} nodes, ${net.tail.length} channels. ${this.routings.some((x) => x.steps)
        ? 'Left and right arrow keys go from step to step, up and down' : 'Arrow keys go'} from channel to channel by load, `
        + 'Enter keeps one, Escape lets go, plus and minus zoom.',
      onpoint: (c) => this.pointAt(c),
      onchannel: (c) => this.pin(c === this.pinned ? null : c),
      onnode: (v) => this.pickNode(v),
      onkey: (event) => this.key(event),
      onfit: () => this.drawSmall(),
    });
    const terminals = (at) => [['', 'none'], ...Array.from({ length: net.terminals }, (_, i) => [i, net.placeLabel(i, at)])];
    this.kind = data.choice || 'routing';
    const [routingLabel, routing] = choice(this.kind, 'routing', this.routings.map((x, k) => [k, x.name]), () => this.setRouting(Number(routing.value)));
    const [patternLabel, pattern] = choice('load under', 'pattern', [], () => this.film.go(Number(pattern.value)));
    const [minusLabel, minus] = choice('minus', 'minus', [], () => this.setLess(minus.value));
    const ends = (name, at) => {
      if (net.terminals <= MOST_OPTIONS) return choice(name, name, terminals(at), () => this.showPair());
      const field = new NameField(name, name, net.terminals, (i) => net.placeLabel(i, at), () => this.showPair());
      return [field.label, field];
    };
    const [[sourceLabel, source], [targetLabel, target]] = [ends('source', net.source), ends('destination', net.sink)];
    const hosts = net.own ? 0 : net.terminals;
    this.finder = new NameField(hosts ? 'find a switch or host' : 'find a node', 'find', net.n + hosts,
      (k) => (k < net.n ? net.labels[k] : net.terminalLabel(k - net.n, net.source)), () => this.find());
    Object.assign(this, { routing, pattern, minus, source, target, patternLabel, film: new Film(this) });
    this.about = element('p', { class: 'quiet', id: 'about' });
    this.info = element('div', { class: 'panel', id: 'info' });
    this.said = element('p', { class: 'skip', 'aria-live': 'polite', id: 'said' });
    this.low = element('span');
    this.high = element('span');
    this.ghost = element('span', { class: 'ghost' }); // where the best possible stands on the scale
    this.ghostWords = element('span', { id: 'best' });
    this.best = data.best ? { ...data.best, load: parseFraction(data.best.load) } : null;
    this.shades = element('span', { class: 'bar' }, this.ghost);
    this.bar = element('span', {}, this.low, ' ', this.shades, ' ', this.high);
    this.keys = [['key source', ' source'], ['key', ' destination'], ['key path', ' paths, as wide as their load']]
      .map(([look, words]) => element('span', {}, element('span', { class: look }), words));
    const legend = element('div', { class: 'legend' },
      this.bar, this.ghostWords, ...this.keys,
      net.bandwidth ? element('span', { text: 'width of a channel: its bandwidth' }) : null,
      this.routings.some((x) => x.failed) ? element('span', {}, element('span', { class: 'key failed' }), data.choice === 'day' ? ' not there that day' : ' failed') : null);
    this.spectrum = new Spectrum((keep) => { this.map.keep = keep; this.map.draw(); });
    this.channels = element('div', { id: 'channels' });
    this.list = element('details', { class: 'fold' },
      element('summary', {}, element('h2', { text: 'All channels' }), ' ', element('span', { class: 'quiet', text: 'A table that sorts.' })),
      this.channels);
    this.list.addEventListener('toggle', () => { if (this.list.open && !this.channels.firstChild) this.listChannels(); });
    this.alone = this.routings.every((x) => x.pairs.form === 'none' && x.patterns.every((p) => p.name === 'none'));
    legend.hidden = this.about.hidden = this.alone; // a network without a routing
    const more = element('details', { class: 'more', open: window.innerWidth > 760 },
      element('summary', { text: 'Paths of a pair, find, zoom, save' }),
      element('div', { class: 'controls' }, sourceLabel, targetLabel,
        this.finder.label,
        element('button', { type: 'button', class: 'plain', id: 'clear', text: 'Clear', onclick: () => this.clear() }),
        zoomControls(this.map)));
    const beside = this.besides();
    const traffics = new Set(beside.filter((x) => !x[1].story).map((x) => x[1].name));
    this.beside = beside.map((x) => this.smallOf(x, traffics.size > 1));
    this.small = element('div', { class: 'small', hidden: !beside.length }, ...this.beside.map((x) => x.button));
    const scale = `${beside.some((x) => x[1].channel !== undefined) ? 'that of each routing, ' : ''}on one scale${beside.some((x) => x[2]) ? ', the difference on its own' : ''}`;
    const controls = element('div', { class: 'controls' }, this.routings.length > 1 ? routingLabel : null, patternLabel, minusLabel);
    const phone = matchMedia('(max-width: 760px)'); // where the picture comes before its words
    const tell = () => (phone.matches ? legend.before(this.about) : controls.append(this.about));
    phone.addEventListener('change', tell);
    section.replaceChildren(
      element('p', { class: 'quiet', id: 'beside', hidden: traffics.size !== 1, text: `Load under ${[...traffics][0]}, ${scale}:` }),
      this.small,
      controls,
      this.film.box,
      element('div', { class: 'split' }, element('div', {}, this.map.box, legend, more, this.spectrum.box), this.info),
      this.film.stills,
      this.said,
      this.list);
    tell();
  }

  besides() {
    // [[scene, its pattern, the scene and pattern that are taken from it], ...]: all under the traffic of the first that all
    // have; with what the worst failure or the second day changed.
    const { routings } = this;
    if (routings.length < 2 || routings.some((x) => x.steps)) return [];
    const plain = (p) => p.load && !p.story;
    const drawn = routings.filter((x) => plain(x.patterns[0]));
    const own = (x) => Number(this.kind !== 'routing' && x.channel !== undefined); // failures and days are compared under the same traffic
    const names = routings[0].patterns.concat(routings[routings.length - 1].patterns).sort((a, b) => own(a) - own(b));
    const common = names.find((p) => plain(p) && drawn.every((x) => x.patterns.some((q) => q.name === p.name)));
    const of = (x) => [x, (common && x.patterns.find((p) => p.name === common.name)) || x.patterns[0], null];
    if (this.kind === 'routing') return routings.length > MOST_BESIDE ? [] : routings.map(of);
    const [was, now, ...more] = this.kind === 'day' ? routings : [routings[routings.length - 1], ...routings.slice(0, -1)];
    const [scene, pattern] = of(now);
    const less = this.subtrahends(pattern, scene).find(([x]) => x === was);
    return [of(was), of(now), ...(less ? [[scene, pattern, less]] : []), ...more.slice(0, MOST_BESIDE - 3).map(of)];
  }

  smallOf([scene, pattern, less], mixed) {
    // A small picture, which is shown large on a click.
    const use = this.usedBy(pattern, scene);
    if (less) this.usedBy(less[1], less[0]).forEach((x, c) => { use[c] -= x; });
    const most = Number(use.reduce((a, x) => Math.max(a, Math.abs(x)), 0).toPrecision(5));
    const name = less ? 'second minus first' : scene.name;
    const under = mixed ? `, ${pattern.name}` : '';
    const words = pattern.story ? pattern.name : `${less ? 'largest difference' : 'busiest channel'} ${most}${under}`;
    const canvas = element('canvas', { 'aria-hidden': 'true' });
    const title = pattern.story ? pattern.about : `${less ? `${scene.name} minus ${less[0].name}, ` : ''}load under ${pattern.name}`;
    const button = element('button', { type: 'button', title, onclick: () => this.showSmall(scene, pattern, less) },
      canvas, element('strong', { text: name }), element('span', { class: 'quiet', text: words }));
    return { scene, pattern, less, use, most, canvas, button };
  }

  showSmall(scene, pattern, less) {
    this.minus.value = '';
    this.setRouting(this.routings.indexOf(scene));
    this.film.go(scene.patterns.indexOf(pattern));
    if (less) this.setLess(String(this.routings.indexOf(less[0])));
  }

  drawSmall() {
    // Loads on one scale, so that they can be compared.
    if (!this.small || this.small.hidden || !this.map.width) return;
    const top = Math.max(...this.beside.map((x) => (x.less ? 0 : x.most))) || 1;
    for (const { scene, less, use, most, canvas } of this.beside) {
      this.map.drawSmall(canvas, use.map((x) => x / (less ? most || 1 : top)), new Set(scene.failed ? scene.failed.channels : []), less);
    }
    this.markRow();
  }

  setRouting(k) {
    this.chosen = this.routings[k];
    this.routing.value = k;
    const failed = this.chosen.failed || { nodes: [], channels: [] };
    this.map.failed = { nodes: new Set(failed.nodes), channels: new Set(failed.channels) };
    if (this.pinned !== null && this.map.failed.channels.has(this.pinned)) this.pinned = null;
    failed.channels.slice(0, 4).forEach((c) => { this.map.reveal(this.net.tail[c]); this.map.reveal(this.net.head[c]); });
    this.pattern.replaceChildren(...this.chosen.patterns.map((x, m) => element('option', { value: m, text: x.name })));
    this.patternLabel.hidden = this.alone;
    this.patternLabel.firstChild.textContent = this.chosen.steps || 'load under';
    this.film.open(this.chosen);
  }

  opening(scene) {
    // Which pattern a scene opens with: the one that is shown, else that of its small picture, else its first.
    const small = this.beside.find((x) => x.scene === scene && !x.less);
    const same = scene.patterns.findIndex((p) => this.shown && p.name === this.shown.name);
    return scene.steps ? 0 : Math.max(0, same >= 0 || !small ? same : scene.patterns.indexOf(small.pattern));
  }

  usedBy(pattern, scene) {
    const wide = scene.bandwidth ? scene.bandwidth.map(toNumber) : this.net.wide;
    return Float64Array.from(pattern.load, (x, c) => this.numbers[x] * pattern.amount / wide[c]);
  }

  subtrahends(pattern, scene) {
    // [[scene, pattern], ...] of other routings or days under the same traffic, or each in its own worst case
    const plain = (p) => p.load && p.channel === undefined && !p.story && !scene.steps;
    if (!plain(pattern)) return [];
    return this.routings.filter((x) => x !== scene).flatMap((x) => x.patterns.filter((p) => p.name === pattern.name && plain(p)).map((p) => [x, p]));
  }

  setLess(k) {
    this.minus.value = k;
    this.film.go(Number(this.pattern.value));
  }

  chooseLess() {
    // What can be taken from the pattern that is shown; the one that was, where it is among them.
    const some = this.subtrahends(this.shown, this.chosen);
    const number = (x) => String(this.routings.indexOf(x));
    const before = this.minus.value;
    this.minus.replaceChildren(element('option', { value: '', text: 'nothing' }), ...some.map(([x]) => element('option', { value: number(x), text: x.name })));
    this.minus.disabled = this.minus.parentElement.hidden = !some.length;
    this.less = some.find(([x]) => number(x) === before) || null;
    this.minus.value = this.less ? before : '';
  }

  setPattern(k) {
    this.shown = this.chosen.patterns[k];
    const { steps, patterns } = this.chosen;
    this.pattern.value = k;
    this.chooseLess();
    this.markRow();
    const { less } = this;
    this.use = this.usedBy(this.shown, this.chosen);
    if (less) this.usedBy(less[1], less[0]).forEach((x, c) => { this.use[c] -= x; });
    this.loaded = less !== null || this.use.some((x) => x > 0);
    const top = (some) => some.reduce((a, p) => this.usedBy(p, this.chosen).reduce((b, x) => Math.max(b, x), a), 0) || 1;
    if (steps && !this.chosen.top) this.chosen.top = top(patterns); // one scale for all steps
    this.top = less ? this.use.reduce((a, x) => Math.max(a, Math.abs(x)), 0) || 1 : this.chosen.top || top([this.shown]);
    const size = (c) => Math.abs(this.use[c]);
    this.order = [...this.use.keys()].sort((a, b) => size(b) - size(a) || a - b);
    this.worst = this.shown.channel === undefined ? this.order[0] : this.shown.channel;
    this.map.share = this.use.map((x) => x / this.top);
    this.map.differs = less !== null;
    this.spectrum.show(this.use, less ? -this.top : 0, this.top);
    this.map.keep = null;
    const { story } = this.shown;
    this.about.textContent = this.aboutText();
    this.showScale();
    if (story || !this.loaded) this.worst = null; // nobody sends: there are no loads to show
    if (story || !this.loaded) this.spectrum.box.hidden = true;
    this.bar.hidden = this.list.hidden = (Boolean(story) && !steps) || !this.loaded;
    this.map.outlined = this.pinned === null ? this.worst : this.pinned;
    this.map.draw();
    if (this.list.open || this.order.length <= LISTED) this.listChannels();
    this.refresh();
    return `${this.shown.name}: ${this.shown.about}`; // for readers of the screen
  }

  aboutText() {
    const { shown, chosen, less, net, order } = this;
    const what = `${shown.name}: ${shown.about}. `;
    const where = `${net.channelLabel(order[0])} at ${this.loadText(order[0])}`;
    if (less) {
      const other = shown.about.startsWith(less[1].about) ? '' : ` (${less[1].about})`;
      const most = this.shownValue(order[0]).n === 0n ? 'no channel differs' : `they differ most on channel ${where}`;
      return `${what}${chosen.name} minus ${less[0].name}${other}: ${most}.`;
    }
    const unit = chosen.unit ? `, in ${chosen.unit[0]}` : '';
    return (shown.story || !this.loaded ? what : `${what}Busiest channel ${where}${unit}. `) + chosen.pairs.note;
  }

  showScale() {
    const { unit } = this.chosen;
    const end = Number(this.top.toPrecision(5));
    this.low.textContent = this.less ? `\u2212${end}` : '0';
    const name = unit ? unit[1] : this.chosen.bandwidth ? 'load / bandwidth' : 'packets per cycle';
    this.high.textContent = `${this.less ? '+' : ''}${end} ${end === 1 ? name.replace(/^(packet|cycle|unit)s\b/, '$1') : name}`;
    this.shades.classList.toggle('both', this.less !== null);
    const { best } = this;
    this.ghost.hidden = this.ghostWords.hidden = !best || this.less !== null || !best.under.includes(this.shown.name);
    if (best) {
      this.ghost.style.left = `${Math.min(100, 100 * toNumber(best.load) / this.top)}%`;
      this.ghostWords.textContent = `| no oblivious routing has a worst case below ${fractionText(best.load)}`;
    }
    for (const x of this.keys) x.hidden = this.less !== null;
  }

  gbps() { return this.chosen.bandwidth === this.net.bandwidth && this.net.gbps; } // known of the network that is drawn

  valueOf(c, pattern = this.shown) { return this.values[pattern.load[c]]; }

  partOf(c, pattern, scene) {
    const { n, d } = scene.bandwidth ? scene.bandwidth[c] : { n: 1n, d: 1n };
    return times(this.valueOf(c, pattern), { n: d, d: n });
  }

  shownValue(c) {
    // Exact: the load of a channel, or the difference of two loads per bandwidth.
    if (!this.less) return this.valueOf(c);
    const { n, d } = this.partOf(c, this.less[1], this.less[0]);
    return plus(this.partOf(c, this.shown, this.chosen), { n: -n, d });
  }

  loadText(c) {
    const x = this.shownValue(c);
    const text = x.d === 1n ? fractionText(x) : `${fractionText(x)} (${decimalText(x)})`;
    return this.less ? `${x.n > 0n ? '+' : ''}${text.replaceAll('-', '\u2212')}` : text;
  }

  refresh() {
    if (this.source.value !== '' && this.target.value !== '') this.showPair();
    else if (this.found) this.describeFound();
    else if (this.shown.story && this.pinned === null) this.tell(this.shown.story);
    else if (this.pinned === null && this.worst === null) this.info.replaceChildren(element('p', { class: 'quiet', text: 'Point at a channel.' }));
    else this.describe(this.pinned === null ? this.worst : this.pinned, true);
    this.map.highlight();
  }

  pointAt(c) {
    this.map.pointed = c;
    if (c !== null) this.describe(c, false);
    else this.refresh();
    this.map.highlight();
  }

  pin(c) {
    this.pinned = c;
    this.found = null;
    this.source.value = '';
    this.target.value = '';
    this.map.outlined = c === null ? this.worst : c; // none where a story is told
    this.refresh();
    for (const row of this.channels.querySelectorAll('tr[data-channel]')) {
      row.classList.toggle('chosen', row.dataset.channel === String(c));
    }
    if (c !== null) this.said.textContent = `channel ${this.net.channelLabel(c)}, ${this.less ? 'difference' : 'load'} ${this.loadText(c)}`;
  }

  find() {
    // Shows the switch of that name, or the one where the host is: its bundle opens, its channels are listed.
    const { net } = this;
    this.pin(null);
    if (this.finder.value === '') return;
    const k = Number(this.finder.value);
    const v = k < net.n ? k : net.source[k - net.n];
    this.found = { v, title: k < net.n ? net.labels[v] : net.placeLabel(k - net.n, net.source) };
    this.map.reveal(v);
    this.refresh();
    this.said.textContent = this.found.title;
  }

  describeFound() {
    const { net } = this;
    const { v, title } = this.found;
    const mine = this.order.filter((c) => net.tail[c] === v || net.head[c] === v);
    const { body, box } = tableOf(['channel', 'load'], [1]);
    for (const c of mine.slice(0, ROWS_SHOWN)) {
      const link = element('button', { type: 'button', class: 'link', text: net.channelLabel(c), onclick: () => this.pin(c) });
      body.append(tableRow([link, fractionText(this.shownValue(c))], [1]));
    }
    this.map.marks = { ...this.map.marks, flow: new Map(), sources: new Set(), destinations: new Set([v]) };
    this.info.replaceChildren(element('h3', { text: title }),
      element('p', { text: `${mine.length} ${mine.length === 1 ? 'channel' : 'channels'}, the busiest first:` }), box);
  }

  clear() {
    this.finder.value = '';
    this.pin(null);
    this.map.pointed = null;
    this.map.highlight();
  }

  key(event) {
    const at = this.pinned === null ? -1 : this.order.indexOf(this.pinned);
    const by = this.film.steps ? { ArrowRight: 1, ArrowLeft: -1 }[event.key] : undefined;
    const go = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: this.order.length - 1 }[event.key];
    if (by !== undefined) this.film.step(by);
    else if (go !== undefined) this.pin(this.order[Math.max(0, Math.min(this.order.length - 1, go))]);
    else if (event.key === 'Escape') this.clear();
    else if (event.key === 'Enter') this.keep();
    else if (event.key === '+' || event.key === '=') this.map.zoomBy(1.5);
    else if (event.key === '-') this.map.zoomBy(1 / 1.5);
    else return;
    event.preventDefault();
  }

  keep() {
    // What is pointed at stays, else what the arrows came to, else the worst channel.
    const found = [this.map.pointed, this.pinned, this.worst].find((c) => c !== null && c !== undefined);
    this.pin(found === undefined ? this.order[0] : found);
  }

  tell(story) {
    const { net } = this;
    const parts = [element('h3', { text: story.title }), element('p', { text: story.words })];
    if (story.rows.length) {
      const { body, box } = tableOf(story.heads, []);
      for (const { cells, pair, channel } of story.rows) {
        const act = [
          pair && (() => { [this.source.value, this.target.value] = pair; this.showPair(); }),
          channel !== null && (() => this.pin(channel)),
        ];
        body.append(tableRow(cells.map((text, k) => (act[k]
          ? element('button', { type: 'button', class: 'link', text, onclick: act[k] }) : text)), []));
      }
      parts.push(box);
    }
    const ends = story.rows.filter((x) => x.pair).map((x) => x.pair);
    this.map.marks = { ...this.map.marks, flow: new Map(story.channels.map((c) => [c, 1])),
      sources: new Set([...story.sources, ...ends.map(([i]) => net.source[i])]), destinations: new Set(story.destinations) };
    this.info.replaceChildren(...parts);
    this.map.highlight();
  }

  describeDifference(c) {
    const { net, chosen, less } = this;
    const per = chosen.bandwidth || less[0].bandwidth ? ', per bandwidth' : '';
    const words = (scene, pattern) => (scene.failed && scene.failed.channels.includes(c) ? 'the channel is not there' : fractionText(this.partOf(c, pattern, scene)));
    const side = (scene, pattern) => [element('dt', { text: scene.name }), element('dd', { text: words(scene, pattern) })];
    this.map.marks = { ...this.map.marks, flow: new Map(), sources: new Set(), destinations: new Set() };
    this.info.replaceChildren(element('h3', { text: net.channelLabel(c) }), element('dl', {},
      element('dt', { text: `difference${per}` }), element('dd', { class: 'big', text: this.loadText(c) }), ...side(chosen, this.shown), ...side(...less)));
    this.map.highlight();
  }

  describe(c, quiet) {
    if (this.less) { this.describeDifference(c); return; }
    const { net, shown, chosen } = this;
    const alone = !(shown.own || shown.over || shown.image || shown.rates || shown.uniform); // loads without who sends
    const witness = (alone && chosen.patterns.find((p) => p.over && p.channel === c && p.load[c] === shown.load[c])) || shown;
    const pairs = c === undefined ? [] : chosen.pairs.crossing(witness, c);
    const sources = new Set();
    const destinations = new Set();
    const facts = element('dl', {},
      element('dt', { text: chosen.unit ? `load, in ${chosen.unit[0]}` : 'load' }), element('dd', { class: 'big', text: this.loadText(c) }),
      element('dt', { text: 'channel' }), element('dd', { text: `number ${c}${chosen.bandwidth ? `, bandwidth ${fractionText(chosen.bandwidth[c])}` : ''}${this.gbps() ? `, ${net.gbps(c)} Gb/s` : ''}` }));
    const title = quiet && this.pinned === null ? 'Busiest channel: ' : '';
    const parts = [element('h3', { text: `${title}${net.channelLabel(c)}` }), facts, ...this.proofsOf(c)];
    if (pairs === null && chosen.patterns.some((p) => p.tree)) {
      parts.push(...this.film.crossing(c));
    } else if (pairs === null) {
      parts.push(element('p', { class: 'quiet', text: 'The pairs that cross it are not part of this page.' }));
    } else {
      pairs.forEach(([i, j]) => { sources.add(net.source[i]); destinations.add(net.sink[j]); });
      parts.push(element('p', { text: `${pairs.length.toLocaleString('en')} ${pairs.length === 1 ? 'pair crosses' : 'pairs cross'} it:` }));
      parts.push(this.pairTable(pairs));
    }
    const flow = quiet && pairs !== null ? this.flowOver(c, pairs) : new Map();
    this.map.marks = { ...this.map.marks, flow, sources: pairs && pairs.length > net.n ? new Set() : sources,
      destinations: pairs && pairs.length > net.n ? new Set() : destinations };
    this.info.replaceChildren(...parts);
    this.map.highlight();
  }

  proofsOf(c) {
    // Links to the claims whose channel it is, of the routing that is shown; none where the network is another one.
    if (['day', 'shown'].includes(this.kind) || this.chosen.failed) return [];
    return [...document.querySelectorAll(`#claims tr[data-proves="${c}"]`)]
      .filter(({ dataset }) => dataset.routing === undefined || dataset.routing === this.chosen.name)
      .map((row) => {
        const [what, exact, , , grade, how] = [...row.cells].map((x) => (x.querySelector('summary') || x).textContent);
        const open = () => { row.closest('details').open = row.querySelector('details').open = true; };
        return element('p', { class: 'claimed' }, `${grade}: `, element('a', { href: `#${row.id}`, text: `${what}: ${exact}`, onclick: open }),
          `, evidence ${how}; check it with `, element('code', { text: 'routeproof verify' }));
      });
  }

  flowOver(c, pairs) {
    // What the paths of these pairs that cross channel c put on every channel, as a share of c's; nothing for many pairs.
    const { net } = this;
    const sum = new Map();
    if (pairs.length > FLOWS_SHOWN) return sum;
    for (const [i, j, load] of pairs) {
      const loads = this.chosen.pairs.loads(i, j);
      if (loads === null || loads.length > 4 * FLOWS_SHOWN) return new Map();
      const { paths } = takePaths(net, loads, net.source[i], net.sink[j], PATHS_SHOWN);
      const over = paths.filter((path) => path.channels.includes(c));
      const total = over.reduce((a, path) => a + toNumber(path.weight), 0) || 1;
      for (const path of over) {
        const share = toNumber(path.weight) * toNumber(load) / total;
        for (const x of path.channels) sum.set(x, (sum.get(x) || 0) + share);
      }
    }
    const top = sum.get(c) || 1;
    sum.forEach((x, k) => sum.set(k, Math.min(1, x / top)));
    return sum;
  }

  pairTable(pairs) {
    const { net } = this;
    const { body, box, table } = tableOf(['source', 'destination', 'load'], [2]);
    const add = (some) => some.forEach(([i, j, x]) => {
      const link = element('button', { type: 'button', class: 'link', text: net.terminalLabel(i, net.source),
        onclick: () => { this.source.value = i; this.target.value = j; this.showPair(); } });
      body.append(tableRow([link, net.terminalLabel(j, net.sink), fractionText(x)], [2]));
    });
    add(pairs.slice(0, PAIRS_SHOWN));
    makeSortable(table);
    if (pairs.length <= PAIRS_SHOWN) return box;
    const more = element('button', { type: 'button', class: 'plain', text: `Show all ${pairs.length.toLocaleString('en')}`,
      onclick: () => { add(pairs.slice(PAIRS_SHOWN, 5000)); more.remove(); } });
    return element('div', {}, box, more);
  }

  pickNode(v) {
    const first = (at) => at.indexOf(v);
    const [i, j] = [first(this.net.source), first(this.net.sink)];
    if (this.source.value === '' || this.target.value !== '') {
      if (i < 0) return;
      this.source.value = i;
      this.target.value = '';
    } else if (j >= 0) this.target.value = j;
    this.showPair();
  }

  showPair() {
    const { net } = this;
    if (this.source.value === '' || this.target.value === '') {
      const at = this.source.value === '' ? [] : [net.source[Number(this.source.value)]];
      this.map.marks = { ...this.map.marks, flow: new Map(), sources: new Set(at), destinations: new Set() };
      if (at.length) this.info.replaceChildren(element('p', { text: 'Now pick a destination, on the map or in the list.' }));
      else this.refresh();
      this.map.highlight();
      return;
    }
    const [i, j] = [Number(this.source.value), Number(this.target.value)];
    const loads = this.chosen.pairs.loads(i, j);
    const parts = [element('h3', { text: `${net.terminalLabel(i, net.source)} \u21d2 ${net.terminalLabel(j, net.sink)}` })];
    let flow = new Map();
    const gone = this.map.failed.nodes;
    if (gone.has(net.source[i]) || gone.has(net.sink[j])) parts.push(element('p', { text: 'The switch of one of them has failed.' }));
    else if (loads === null) parts.push(element('p', { text: 'The paths of this pair are not part of this page.' }));
    else if (!loads.length) parts.push(element('p', { text: 'Source and destination are one node: nothing enters the network.' }));
    else {
      flow = new Map(loads.map(([c, x]) => [c, Math.min(1, toNumber(x))]));
      parts.push(...this.pathList(i, j, loads));
    }
    this.map.marks = { ...this.map.marks, flow, sources: new Set([net.source[i]]), destinations: new Set([net.sink[j]]) };
    this.info.replaceChildren(...parts);
    this.map.highlight();
  }

  pathList(i, j, loads) {
    const { net } = this;
    const { paths, left } = takePaths(net, loads, net.source[i], net.sink[j], PATHS_SHOWN);
    const hops = loads.reduce((a, [, x]) => plus(a, x), { n: 0n, d: 1n });
    const { body, box, table } = tableOf(['probability', 'hops', 'path'], [0, 1]);
    for (const path of paths) {
      const nodes = [net.source[i], ...path.channels.map((c) => net.head[c])].map((v) => net.labels[v]).join(' \u2192 ');
      body.append(tableRow([fractionText(path.weight), String(path.channels.length), nodes], [0, 1]));
    }
    makeSortable(table);
    const rest = left.n > 0n ? ` Paths with ${fractionText(left)} more are not listed.` : '';
    return [
      element('p', { text: `${paths.length} ${paths.length === 1 ? 'path' : 'paths'}, ${fractionText(hops)} hops on average. `
        + `Few paths with exactly the loads of the routing; its own may be more.${rest}` }),
      box,
    ];
  }

  listChannels() {
    const { net } = this;
    const { bandwidth } = this.chosen;
    const heads = ['number', 'channel', this.less ? 'difference' : 'load', 'decimal', ...(bandwidth ? ['bandwidth'] : []), ...(this.gbps() ? ['Gb/s'] : [])];
    const numbers = [...heads.keys()].filter((k) => k !== 1);
    const { table, body, box } = tableOf(heads, numbers);
    const fill = () => {
      const [column, direction] = this.sorting;
      const key = [(c) => c, null, (c) => toNumber(this.shownValue(c)), (c) => toNumber(this.shownValue(c)), (c) => net.wide[c], (c) => net.wide[c]][column];
      const list = [...this.use.keys()].sort((a, b) => direction
        * (key ? key(a) - key(b) : net.channelLabel(a).localeCompare(net.channelLabel(b), 'en', { numeric: true })) || a - b);
      body.replaceChildren(...list.slice(0, this.rows).map((c) => {
        const link = element('button', { type: 'button', class: 'link', text: net.channelLabel(c), onclick: () => this.pin(c) });
        const x = this.shownValue(c);
        const cells = [String(c), link, fractionText(x), decimalText(x), ...(bandwidth ? [fractionText(bandwidth[c])] : []), ...(this.gbps() ? [net.gbps(c)] : [])];
        const row = tableRow(cells, numbers);
        row.dataset.channel = c;
        if (c === this.pinned) row.classList.add('chosen');
        return row;
      }));
      more.hidden = list.length <= this.rows;
      more.textContent = `Show all ${list.length.toLocaleString('en')}`;
    };
    const more = element('button', { type: 'button', class: 'plain', onclick: () => { this.rows = Infinity; fill(); } });
    makeSortable(table, (column, direction) => { this.sorting = [column, direction]; fill(); });
    table.tHead.rows[0].cells[this.sorting[0]].setAttribute('aria-sort', this.sorting[1] > 0 ? 'ascending' : 'descending');
    fill();
    this.channels.replaceChildren(box, more);
  }
}
