// Going through what has an order: trees of a packing, phases, jobs; and small pictures of the first ones for paper.

const STILLS = 12;

function readTree({ root, weight, channels, hops, into }, values) {
  const list = [...unpack(channels)];
  const count = new Map();
  for (const c of list) count.set(c, (count.get(c) || 0) + 1);
  return { root, weight: values[weight], channels: list, hops: unpack(hops), count, into };
}

function loadOfTree({ weight, count }, size, values) {
  // By number among the values; a tree may pass a switch twice by one channel.
  const load = new Uint32Array(size);
  const number = new Map();
  for (const [c, n] of count) {
    if (!number.has(n)) number.set(n, values.push(times(weight, fraction(BigInt(n), 1n))) - 1);
    load[c] = number.get(n);
  }
  return load;
}

function storyOfTree({ name, about, tree }, net) {
  const order = [...tree.channels.keys()].sort((a, b) => tree.hops[a] - tree.hops[b] || a - b);
  const most = tree.hops.reduce((a, b) => Math.max(a, b), 0);
  return {
    title: name,
    words: `${about}. ${tree.channels.length} channels, up to ${most} hops from ${net.labels[tree.root]}.`,
    heads: ['hop', 'channel'],
    rows: order.map((k) => ({ cells: [String(tree.hops[k]), net.channelLabel(tree.channels[k])], pair: null, channel: tree.channels[k] })),
    channels: tree.channels,
    sources: tree.into === 1 ? [] : [tree.root],
    destinations: tree.into ? [tree.root] : [],
  };
}

class Film {
  // explorer: whose patterns are gone through; go(k) shows one of them
  constructor(explorer) {
    this.explorer = explorer;
    this.box = element('div');
    this.stills = element('div', { class: 'stills', 'aria-hidden': 'true' });
    this.steps = null;
    addEventListener('beforeprint', () => this.print());
  }

  open(scene) {
    if (this.steps) this.steps.stop();
    this.steps = scene.steps && scene.patterns.length > 1 ? stepper(scene.patterns.length, (k) => this.explorer.setPattern(k)) : null;
    this.box.replaceChildren(...(this.steps ? [this.steps.box] : []));
    this.go(this.explorer.opening(scene));
  }

  go(k) {
    if (this.steps) this.steps.go(k);
    else this.explorer.setPattern(k);
  }

  step(by) {
    this.go(Number(this.steps.slider.value) + by);
    this.explorer.said.textContent = this.explorer.about.textContent;
  }

  crossing(c) {
    // The trees that cross a channel, each with a link to it.
    const { patterns } = this.explorer.chosen;
    const over = [...patterns.keys()].filter((k) => patterns[k].tree && patterns[k].tree.count.has(c));
    const { body, box } = tableOf(['tree', 'units a cycle'], [1]);
    for (const k of over) {
      const link = element('button', { type: 'button', class: 'link', text: patterns[k].name, onclick: () => this.go(k) });
      body.append(tableRow([link, fractionText(patterns[k].tree.weight)], [1]));
    }
    const words = `${over.length} of the trees on this page ${over.length === 1 ? 'crosses' : 'cross'} it.`;
    return [element('p', { text: words }), ...(over.length ? [box] : [])];
  }

  print() {
    const { explorer } = this;
    const { chosen, map } = explorer;
    if (!this.steps || !map.width) return;
    const here = Number(this.steps.slider.value);
    this.stills.replaceChildren(...chosen.patterns.slice(0, STILLS).map((x, k) => {
      this.go(k);
      const canvas = element('canvas', { width: map.base.width, height: map.base.height });
      const pen = canvas.getContext('2d');
      for (const layer of [map.base, map.over]) pen.drawImage(layer, 0, 0);
      return element('figure', {}, canvas, element('figcaption', { text: explorer.about.textContent }));
    }));
    this.go(here);
  }
}
