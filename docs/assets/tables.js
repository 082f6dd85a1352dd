// Tables of more than 15 rows: a click on a head sorts by numbers, or by words; a field above finds rows.
(() => {
  const number = (text) => {
    const found = text.match(/-?\d+(?:\.\d+)?(?:\/\d+)?/);
    if (!found) return null;
    const [top, bottom] = found[0].split("/").map(Number);
    return bottom ? top / bottom : top;
  };
  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const texts = [...body.rows].map((row) => row.cells[column].textContent.trim());
    const words = column === 0 || !texts.some((text) => /^(?:[≥≤] )?\d/.test(text));
    const rows = [...body.rows].map((row, k) => ({ row, key: words ? texts[k] : number(texts[k]) }));
    const order = (a, b) => (words ? a.localeCompare(b, "en", { numeric: true }) : a - b);
    // Rows without a number stay last, whichever way the others go.
    rows.sort((a, b) => (a.key === null) - (b.key === null) || (a.key === null ? 0 : order(a.key, b.key) * (down ? -1 : 1)));
    body.append(...rows.map((x) => x.row));
  };
  const equip = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sorts";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, column));
      head.append(button);
    });
    const field = document.createElement("input");
    field.type = "search";
    field.className = "finds";
    field.placeholder = "Find rows, such as torus";
    field.setAttribute("aria-label", "Find rows of the table below");
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    (table.closest(".md-typeset__scrollwrap") || table).before(field);
  };
  const begin = () => {
    for (const table of document.querySelectorAll("article table")) {
      if (!table.closest(".highlight") && table.tHead && table.tBodies[0].rows.length > 15) equip(table);
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
