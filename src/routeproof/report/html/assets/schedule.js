// Stepping through frames: a slider, buttons, and keys; what a frame shows is for others to say.

function stepper(count, show) {
  const slider = element('input', { type: 'range', min: '0', max: String(count - 1), value: '0', id: 'step', 'aria-label': 'step' });
  let timer = null;
  const go = (k) => {
    slider.value = String(Math.max(0, Math.min(count - 1, k)));
    const text = show(Number(slider.value));
    if (text) slider.setAttribute('aria-valuetext', text);
  };
  const stop = () => { clearInterval(timer); timer = null; play.textContent = 'Play'; };
  const button = (text, act, id) => element('button', { type: 'button', class: 'plain', text, id, onclick: act });
  const play = button('Play', () => {
    if (timer !== null) { stop(); return; }
    if (Number(slider.value) === count - 1) go(0);
    play.textContent = 'Stop';
    timer = setInterval(() => { if (Number(slider.value) >= count - 1) stop(); else go(Number(slider.value) + 1); }, 700);
  }, 'play');
  slider.addEventListener('input', () => { stop(); go(Number(slider.value)); });
  const box = element('div', { class: 'controls' },
    button('Back', () => { stop(); go(Number(slider.value) - 1); }, 'back'), slider,
    button('Next', () => { stop(); go(Number(slider.value) + 1); }, 'next'), play);
  return { box, go, slider, stop };
}

// A destination graph: the packet from x to y goes like the one from x - y to 0, shifted by y.
class Schedule {
  constructor(section, data) {
    this.data = data;
    this.values = data.values.map(parseFraction);
    this.net = readNetwork(data.network, this.values);
    this.count = this.net.n;
    this.position = unpack(data.position);
    this.run = data.destination ? unpack(data.destination) : null; // a run has its own request
    this.packets = this.run ? this.run.length : this.count;
    this.between = new Map();
    this.net.tail.forEach((u, c) => this.between.set(u * this.count + this.net.head[c], c));
    this.map = new NetworkMap(this.net, {
      label: `Map of the ${this.net.name}. Left and right arrow keys go from step to step.`,
      onpoint: (c) => { this.map.pointed = c; this.map.highlight(); this.describe(); },
      onchannel: () => {}, onnode: (v) => { this.target.value = v; this.restart(); },
      onkey: (event) => {
        const go = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (go === undefined) return;
        event.preventDefault();
        this.steps.go(Number(this.steps.slider.value) + go);
      },
    });
    const [requestLabel, request] = choice('request', 'request', [
      ['one', 'all nodes to one'], ['reverse', 'every node to its complement'], ['cycle', 'digits rotated'], ['random', 'a random permutation'],
    ], () => this.restart());
    const [targetLabel, target] = choice('destination (all to one)', 'destination', this.net.labels.map((x, v) => [v, x]), () => { this.request.value = 'one'; this.restart(); });
    Object.assign(this, { request, target });
    this.steps = stepper(data.steps + 1, (k) => this.show(k));
    this.info = element('div', { class: 'panel', id: 'info', 'aria-live': 'polite' });
    section.replaceChildren(
      element('div', { class: 'controls' }, this.run ? null : requestLabel, this.run ? null : targetLabel, zoomControls(this.map)), this.steps.box,
      element('div', { class: 'split' }, element('div', {}, this.map.box), this.info));
    this.restart();
  }

  digits(v) {
    const found = [];
    for (let m = 0; m < this.data.dimensions; m += 1) { found.unshift(v % this.data.radix); v = Math.floor(v / this.data.radix); }
    return found;
  }

  number(digits) { return digits.reduce((a, x) => a * this.data.radix + x, 0); }

  combine(a, b, sign) {
    const [x, y] = [this.digits(a), this.digits(b)];
    return this.number(x.map((z, m) => (z + sign * y[m] + this.data.radix) % this.data.radix));
  }

  restart() {
    if (this.run) {
      this.image = this.run;
      this.steps.go(0);
      return;
    }
    const all = Array.from({ length: this.count }, (_, v) => v);
    const kind = this.request.value;
    if (kind === 'one') this.image = all.map(() => Number(this.target.value));
    else if (kind === 'reverse') this.image = all.map((v) => this.number(this.digits(v).map((x) => this.data.radix - 1 - x)));
    else if (kind === 'cycle') this.image = all.map((v) => { const d = this.digits(v); return this.number([...d.slice(1), d[0]]); });
    else {
      this.image = [...all];
      let seed = 12345;
      for (let k = this.count - 1; k > 0; k -= 1) {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        const m = Math.floor((seed / 2 ** 32) * (k + 1));
        [this.image[k], this.image[m]] = [this.image[m], this.image[k]];
      }
    }
    this.relative = this.image.map((y, x) => this.combine(x, y, -1));
    this.steps.go(0);
  }

  at(x, n) { return this.run ? this.position[n * this.packets + x] : this.shiftedAt(x, n); }

  shiftedAt(x, n) { return this.combine(this.position[n * this.count + this.relative[x]], this.image[x], 1); }

  show(n) {
    const used = new Map();
    const here = new Map();
    let [arrived, clashes] = [0, 0];
    for (let x = 0; x < this.packets; x += 1) {
      const now = this.at(x, n);
      here.set(now, (here.get(now) || 0) + 1);
      if (now === this.image[x]) arrived += 1;
      if (!n) continue;
      const before = this.at(x, n - 1);
      if (before === now) continue;
      const c = this.between.get(before * this.count + now);
      if (used.has(c)) clashes += 1;
      used.set(c, (used.get(c) || 0) + 1);
    }
    const share = new Float64Array(this.net.tail.length);
    used.forEach((x, c) => { share[c] = x > 1 ? 1 : 0.55; });
    this.map.share = share;
    const packets = new Set(here.keys());
    this.map.marks = { flow: new Map(), sources: new Set(), destinations: !this.run && this.request.value === 'one' ? new Set([Number(this.target.value)]) : new Set(), packets };
    this.state = { n, used, here, arrived, clashes };
    this.map.draw();
    return this.describe();
  }

  describe() {
    const { n, used, here, arrived, clashes } = this.state;
    const most = [...here.values()].reduce((a, b) => Math.max(a, b), 0);
    const title = n ? `after step ${n} of ${this.data.steps}` : 'before the first step';
    this.info.replaceChildren(
      element('h3', { text: title }),
      element('dl', {},
        element('dt', { text: 'channels used in this step' }), element('dd', { text: `${used.size} of ${this.net.tail.length}` }),
        element('dt', { text: 'packets that meet on a channel' }), element('dd', { text: clashes ? `${clashes} too many` : 'none' }),
        element('dt', { text: 'packets arrived' }), element('dd', { text: `${arrived} of ${this.packets}` }),
        element('dt', { text: 'most packets at one node' }), element('dd', { text: String(most) })),
      element('p', { class: 'quiet', text: 'A filled node holds packets; a coloured channel was crossed in this step, one at the end of the scale by more than one packet.' }));
    return title;
  }
}
