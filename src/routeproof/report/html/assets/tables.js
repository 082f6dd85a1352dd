// Tables that sort: by number where all cells of a column are numbers (fractions too), else by text.

function sortKey(text) {
  const plain = text.trim().replace(/^(<=|>=|about)\s*/, '');
  const ratio = plain.match(/^(-?\d+)\/(\d+)$/);
  if (ratio) return Number(ratio[1]) / Number(ratio[2]);
  return plain === '' ? null : Number(plain.replace(/%$/, ''));
}

function sortBy(table, column, direction) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const texts = rows.map((row) => row.cells[column].textContent);
  const keys = texts.map(sortKey);
  const numeric = keys.every((x) => x === null || !Number.isNaN(x));
  const order = rows.map((_, k) => k).sort((a, b) => {
    const x = numeric ? (keys[a] ?? -Infinity) - (keys[b] ?? -Infinity) : texts[a].localeCompare(texts[b]);
    return (x || 0) * direction || a - b;
  });
  body.append(...order.map((k) => rows[k]));
}

function makeSortable(table, again) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element('button', { type: 'button', text: head.textContent });
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      heads.forEach((x) => x.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      if (again) again(column, up ? 1 : -1);
      else sortBy(table, column, up ? 1 : -1);
    });
  });
}

function tableOf(heads, numbers) {
  const row = element('tr', {}, ...heads.map((x, k) =>
    element('th', { scope: 'col', text: x, class: numbers.includes(k) ? 'number' : null })));
  const body = element('tbody');
  const table = element('table', {}, element('thead', {}, row), body);
  return { table, body, box: element('div', { class: 'scroll', tabindex: '0' }, table) };
}

function tableRow(cells, numbers) {
  return element('tr', {}, ...cells.map((x, k) => {
    const cell = element('td', { class: numbers.includes(k) ? 'number' : null });
    cell.append(x);
    return cell;
  }));
}
