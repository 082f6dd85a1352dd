// What happens when the page has been read.

for (const table of document.querySelectorAll('table.sortable')) makeSortable(table);

// A link opens what it leads to; paper shows everything.
const folds = document.querySelectorAll('details.fold');
const unfold = (x) => { if (x && x.closest('details')) x.closest('details').open = true; };
for (const link of document.querySelectorAll('a[href^="#"]')) {
  link.addEventListener('click', () => unfold(document.getElementById(link.hash.slice(1))));
}
let closed = [];
const drawFor = (paper) => { // pictures that were folded away have no size yet
  onPaper = paper;
  const view = window.routeproof;
  if (view && view.map) { view.map.fit(); view.map.draw(); if (view.map.options.onfit) view.map.options.onfit(); }
  else if (view && view.draw) view.draw();
};
addEventListener('beforeprint', () => { closed = [...folds].filter((x) => !x.open); closed.forEach((x) => { x.open = true; }); drawFor(true); });
addEventListener('afterprint', () => { drawFor(false); closed.forEach((x) => { x.open = false; }); });

const report = document.getElementById('report');
const downloads = document.getElementById('downloads');
if (downloads && report) {
  downloads.append(element('button', { type: 'button', class: 'plain', id: 'save-json', text: 'Save the report (JSON)',
    onclick: () => save('report.json', 'application/json', report.textContent) }));
} else if (downloads) {
  downloads.textContent = 'The report is too large to be part of this page; --json FILE writes it.';
}

const data = embedded('data');
const section = document.getElementById('view');
if (data && section) {
  const kinds = { network: Explorer, schedule: Schedule, cells: Cells };
  window.routeproof = new kinds[data.kind](section, data);
}
const curves = embedded('curves');
if (curves) window.routeproofChart = new Chart(document.getElementById('chart'), curves);
