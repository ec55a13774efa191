// What happens on the page of a report: searching, sorting, and a viewer for a
// game when somebody asks for it. report.py puts viewer.js before it.

const table = document.getElementById("table");
const body = table.tBodies[0];
const rows = [...body.rows];
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
const search = document.getElementById("search");
const kind = document.getElementById("kind");
const found = document.getElementById("found");
let games = null; // Read when the first game is shown.

function opened(row) {
  return row.nextElementSibling?.classList.contains("game") ? row.nextElementSibling : null;
}

function open(row) {
  games ??= JSON.parse(document.getElementById("games").textContent);
  const cell = document.createElement("td");
  cell.colSpan = row.cells.length;
  const holder = document.createElement("tr");
  holder.className = "game";
  holder.append(cell);
  row.after(holder);
  row.querySelector("button").setAttribute("aria-expanded", "true");
  return createViewer(cell, games[Number(row.id.slice(5)) - 1]);
}

function toggle(row, focus = true) {
  const shown = opened(row);
  if (shown) {
    shown.remove();
    row.querySelector("button").setAttribute("aria-expanded", "false");
    return;
  }
  const viewer = open(row);
  if (focus) viewer.root.focus({ preventScroll: true });
}

body.addEventListener("click", (event) => {
  const row = event.target.closest("tr");
  if (!row || row.classList.contains("game") || event.target.closest(".game")) return;
  if (String(globalThis.getSelection())) return; // Somebody copies a name.
  toggle(row);
});

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const fits = (!kind.value || row.dataset.kind === kind.value) && words.every((word) => texts.get(row).includes(word));
    row.hidden = !fits;
    const shown = opened(row);
    if (shown) shown.hidden = !fits;
    count += fits;
  }
  found.textContent = count === rows.length ? `${count} games` : `${count} of ${rows.length} games`;
}

search.addEventListener("input", filter);
kind.addEventListener("change", filter);
search.form.addEventListener("submit", (event) => event.preventDefault());

function sort(column, heading) {
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const cell of heading.parentNode.cells) cell.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const order = new Intl.Collator(undefined, { numeric: true }).compare;
  rows.sort((a, b) => (down ? -1 : 1) * order(a.cells[column].textContent, b.cells[column].textContent));
  for (const row of rows) {
    const shown = opened(row);
    body.append(row);
    if (shown) body.append(shown);
  }
}

[...table.tHead.rows[0].cells].forEach((heading, column) => {
  const control = document.createElement("button");
  control.type = "button";
  control.append(...heading.childNodes);
  control.addEventListener("click", () => sort(column, heading));
  heading.append(control);
});

// An address that ends in #game-12 opens that game.
function follow() {
  const row = /^#game-\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
  if (row && !opened(row)) {
    toggle(row);
    row.scrollIntoView();
  }
}

globalThis.addEventListener("hashchange", follow);
filter();
follow();
