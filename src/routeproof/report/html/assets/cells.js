// Multistage networks: the switches of all levels as cells, frame after frame; and the counts of each frame.

const CELL_COLOURS = ['node', 'path', 'high', 'top'];

class Cells {
  constructor(section, data) {
    this.data = data;
    this.frames = data.frames.map((x) => ({ label: x.label, cells: unpack(x.cells) }));
    this.wires = data.wires ? unpack(data.wires) : []; // by level, port and row: the row that it leads to
    this.canvas = element('canvas', { role: 'img', 'aria-label': `${data.name}: switches by level and row` });
    this.box = element('div', { class: 'map', id: 'map' }, this.canvas);
    this.info = element('div', { class: 'panel', id: 'info', 'aria-live': 'polite' });
    this.legend = element('div', { class: 'legend' });
    this.steps = stepper(this.frames.length, (k) => this.show(k));
    section.replaceChildren(this.steps.box,
      element('div', { class: 'split' }, element('div', {}, this.box, this.legend), this.info));
    new ResizeObserver(() => this.draw()).observe(this.box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    const busy = this.frames.map((x) => x.cells.reduce((a, kind) => a + (kind ? 1 : 0), 0));
    this.steps.go(busy.indexOf(Math.max(...busy))); // the picture that shows most
  }

  colours() {
    const style = pageColours();
    return CELL_COLOURS.map((name) => style.getPropertyValue(`--${name}`).trim());
  }

  show(k) {
    this.frame = this.frames[k];
    const { levels, rows, legend } = this.data;
    const count = (level) => legend.map((_, kind) => {
      let found = 0;
      for (let row = 0; row < rows; row += 1) if (this.frame.cells[level * rows + row] === kind) found += 1;
      return found;
    });
    const numbers = [0, ...legend.map((_, m) => m + 1)];
    const { box, body, table } = tableOf(['level', ...legend], numbers);
    for (let level = 0; level < levels; level += 1) body.append(tableRow([level, ...count(level)].map(String), numbers));
    makeSortable(table);
    this.info.replaceChildren(element('h3', { text: this.frame.label }), box);
    this.draw();
    return this.frame.label;
  }

  drawWires(pen, place) {
    const { levels, rows } = this.data;
    const each = this.wires.length / (levels - 1); // wires of a level
    pen.beginPath();
    this.wires.forEach((to, k) => {
      const level = Math.floor(k / each);
      pen.moveTo(...place(level, k % rows, true));
      pen.lineTo(...place(level + 1, to, false));
    });
    pen.stroke();
  }

  draw() {
    const width = this.box.clientWidth;
    if (!width || !this.frame) return;
    const { levels, rows, legend } = this.data;
    const colours = this.colours();
    const across = rows <= 2 * levels ? levels : rows; // many rows: they run across, levels downwards
    const down = across === rows ? levels : rows;
    const wired = this.wires.length > 0 && width / across > 14;
    const tall = Math.min(wired && down === levels ? 78 : 34, Math.max(6, 460 / down));
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = tall * down * devicePixelRatio;
    this.canvas.style.height = `${tall * down}px`;
    const pen = this.canvas.getContext('2d');
    pen.scale(devicePixelRatio, devicePixelRatio);
    const wide = width / across;
    [pen.strokeStyle, pen.lineWidth] = [pageColours().getPropertyValue('--node-edge').trim(), 0.5];
    const thin = (size, along) => (wired && along ? 0.34 * size : 0); // what a cell leaves to wires on each side
    const [inX, inY] = [thin(wide, across === levels), thin(tall, down === levels)];
    if (wired) this.drawWires(pen, (level, row, end) => (across === rows ? [(row + 0.5) * wide, level * tall + (end ? tall - inY : inY)] : [level * wide + (end ? wide - inX : inX), (row + 0.5) * tall]));
    for (let level = 0; level < levels; level += 1) {
      for (let row = 0; row < rows; row += 1) {
        const kind = this.frame.cells[level * rows + row];
        const [x, y] = across === rows ? [row, level] : [level, row];
        pen.fillStyle = colours[kind];
        const box = [x * wide + inX + 0.5, y * tall + inY + 1, Math.max(0.6, wide - 2 * inX - (wide > 3 ? 1.5 : 0)), tall - 2 * inY - 2];
        pen.fillRect(...box);
        if (wide > 3) pen.strokeRect(...box);
      }
    }
    this.legend.replaceChildren(
      element('span', { text: across === rows ? 'rows run across, levels downwards' : 'levels run across, rows downwards' }),
      ...legend.map((text, kind) => {
        const key = element('span', { class: 'key' });
        key.style.background = colours[kind];
        key.style.borderRadius = '0';
        key.style.borderColor = 'var(--line)';
        return element('span', {}, key, ` ${text}`);
      }));
  }
}
