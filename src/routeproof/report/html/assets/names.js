// Finding things by name: a field that offers a few names while one types, for lists too long to choose from.

const OFFERED = 12;

class NameField {
  // names: how many there are, and the k-th one; act() is called when ``value`` has changed: '' or a number as text
  constructor(label, id, count, nameOf, act) {
    this.value_ = '';
    this.nameOf = nameOf;
    this.list = element('datalist', { id: `${id}-names` });
    this.input = element('input', { id, type: 'text', list: `${id}-names`, autocomplete: 'off', spellcheck: 'false', placeholder: 'type a name',
      oninput: () => this.offer(), onchange: () => { this.value = this.found(this.input.value); act(); } });
    this.label = element('label', {}, label, this.input, this.list);
    this.count = count;
  }

  get value() { return this.value_; }

  set value(k) {
    this.value_ = String(k);
    this.input.value = this.value_ === '' ? '' : this.nameOf(Number(k));
  }

  matches(text, most) {
    const wanted = text.trim().toLowerCase();
    const found = [];
    for (let k = 0; wanted && k < this.count && found.length < most; k += 1) if (this.nameOf(k).toLowerCase().includes(wanted)) found.push(k);
    return found;
  }

  offer() { this.list.replaceChildren(...this.matches(this.input.value, OFFERED).map((k) => element('option', { value: this.nameOf(k) }))); }

  found(text) {
    const some = this.matches(text, Infinity);
    const exact = some.find((k) => this.nameOf(k).toLowerCase() === text.trim().toLowerCase());
    return exact !== undefined ? String(exact) : some.length ? String(some[0]) : '';
  }
}
