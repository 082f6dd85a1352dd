// How many channels have which load: bars that filter the picture; and the pairs of each channel's own worst case.

const MOST_BARS = 24;

function readOwn(data) {
  const count = unpack(data.count);
  const offset = new Uint32Array(count.length + 1);
  count.forEach((x, k) => { offset[k + 1] = offset[k] + x; });
  return { offset, pairs: unpack(data.pairs) };
}

class Spectrum {
  // onfilter(keep): which channels stay in the picture, as a function of their numbers; null for all
  constructor(onfilter) {
    this.onfilter = onfilter;
    this.bars = element('div', { class: 'spectrum', id: 'spectrum', role: 'group', 'aria-label': 'channels by load: a bar filters the picture' });
    this.words = element('p', { class: 'quiet', 'aria-live': 'polite' });
    this.box = element('div', {}, this.bars, this.words);
  }

  show(use, low, top) {
    // From ``low`` to ``top``, in the colours of the picture; ``low`` below 0: differences.
    const names = low < 0 ? BOTH : RAMP;
    const ramp = (x) => `var(--${names[Math.max(0, Math.min(4, Math.floor(5 * (x - low) / (top - low || 1))))]})`;
    const at = (k) => low + k * (top - low) / count;
    const kinds = [...new Set(use)].sort((a, b) => a - b);
    const few = kinds.length <= MOST_BARS;
    const count = few ? kinds.length : MOST_BARS;
    const place = few ? new Map(kinds.map((x, k) => [x, k])) : null;
    const of = Array.from(use, (x) => (few ? place.get(x) : Math.min(count - 1, Math.floor((x - low) / (top - low) * count))));
    const many = new Array(count).fill(0);
    of.forEach((k) => { many[k] += 1; });
    const most = Math.max(...many);
    const text = (x) => String(Number(x.toPrecision(4)));
    const what = low < 0 ? 'difference' : 'load';
    const range = few ? `from ${text(kinds[0])} to ${text(kinds[count - 1])}` : `from ${text(low)} to ${text(top)}`;
    const told = count > 6 ? range : kinds.map((x, k) => `${text(x)} on ${many[k].toLocaleString('en')}`).join(', ');
    const all = `Channels by ${what}: ${told}. A bar keeps its channels in the picture.`;
    this.box.hidden = kinds.length < 2;
    this.words.textContent = all;
    this.bars.replaceChildren(...many.map((n, k) => {
      const here = few ? text(kinds[k]) : `${text(at(k))} to ${text(at(k + 1))}`;
      const words = `${n.toLocaleString('en')} ${n === 1 ? 'channel' : 'channels'} of ${what} ${here}`;
      const fill = element('span');
      fill.style.height = `${n ? Math.max(6, 100 * n / most) : 0}%`;
      fill.style.background = ramp(few ? kinds[k] : at(k + (low < 0 ? 0.5 : 1)));
      const bar = element('button', { type: 'button', title: words, 'aria-label': words, 'aria-pressed': 'false', onclick: () => {
        const on = bar.getAttribute('aria-pressed') !== 'true';
        for (const x of this.bars.children) x.setAttribute('aria-pressed', 'false');
        bar.setAttribute('aria-pressed', String(on));
        this.words.textContent = on ? `${words}.` : all;
        this.onfilter(on ? (c) => of[c] === k : null);
      } }, fill);
      return bar;
    }));
  }
}
