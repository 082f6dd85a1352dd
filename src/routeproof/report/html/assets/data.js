// Reading what the page carries: packed arrays, exact fractions.  Text is only ever set as text, never as HTML.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'text') made.textContent = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((x) => x !== null && x !== undefined));
  return made;
}

function embedded(id) {
  const found = document.getElementById(id);
  return found === null ? null : JSON.parse(found.textContent);
}

function unpack(data) {
  const [kind, text] = Object.entries(data)[0];
  const bytes = Uint8Array.from(atob(text), (x) => x.charCodeAt(0));
  const size = { u8: 1, u16: 2, u32: 4 }[kind];
  const view = new DataView(bytes.buffer);
  const found = new Uint32Array(bytes.length / size);
  for (let k = 0; k < found.length; k += 1) {
    found[k] = size === 1 ? bytes[k] : size === 2 ? view.getUint16(2 * k, true) : view.getUint32(4 * k, true);
  }
  return found;
}

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

function fraction(n, d) {
  const common = gcd(n, d) || 1n;
  return { n: n / common, d: d / common };
}

function parseFraction(text) {
  if (text.startsWith('~')) return fraction(BigInt(Math.round(Number(text.slice(1)) * 2 ** 40)), 1n << 40n);
  const [n, d] = text.split('/');
  return { n: BigInt(n), d: BigInt(d || '1') };
}

const times = (a, b) => fraction(a.n * b.n, a.d * b.d);
const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const compare = (a, b) => { const x = a.n * b.d - b.n * a.d; return x < 0n ? -1 : x > 0n ? 1 : 0; };

function toNumber(x) {
  const most = 1n << 1000n;
  let { n, d } = x;
  while (n > most || d > most) { n >>= 64n; d >>= 64n; }
  return d ? Number(n) / Number(d) : Infinity;
}

function fractionText(x) {
  const text = x.d === 1n ? String(x.n) : `${x.n}/${x.d}`;
  return text.length <= 40 ? text : `about ${toNumber(x).toPrecision(6)}`;
}

// Five digits, and more where a number below 1 would be rounded up to it.
function decimalText(x) {
  const value = toNumber(x);
  let digits = 5;
  while (digits < 17 && value < 1 && Number(value.toPrecision(digits)) === 1) digits += 1;
  return String(Number(value.toPrecision(digits)));
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
