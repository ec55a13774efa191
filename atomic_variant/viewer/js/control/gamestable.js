// The table of games in a report: searching, sorting, and a viewer for a game
// when somebody asks for it.

import { GameViewer } from "./gameviewer.js";

export class GamesTable {
  constructor(page) {
    this.page = page;
    this.table = page.getElementById("table");
    this.body = this.table.tBodies[0];
    this.rows = [...this.body.rows];
    this.texts = new Map(this.rows.map((row) => [row, row.textContent.toLowerCase()]));
    this.search = page.getElementById("search");
    this.kind = page.getElementById("kind");
    this.found = page.getElementById("found");
    this.games = null; // Read when the first game is shown.
    [...this.table.tHead.rows[0].cells].forEach((heading, column) => this.makeSortable(heading, column));
    this.search.addEventListener("input", () => this.filter());
    this.search.form.addEventListener("submit", (event) => event.preventDefault());
    this.kind.addEventListener("change", () => this.filter());
    this.body.addEventListener("click", (event) => this.click(event));
    globalThis.addEventListener("hashchange", () => this.follow());
    this.filter();
  }

  // --- Games that are shown ------------------------------------------------------

  opened(row) {
    return row.nextElementSibling?.classList.contains("game") ? row.nextElementSibling : null;
  }

  open(row) {
    this.games ??= JSON.parse(this.page.getElementById("games").textContent);
    const cell = this.page.createElement("td");
    cell.colSpan = row.cells.length;
    const holder = this.page.createElement("tr");
    holder.className = "game";
    holder.append(cell);
    row.after(holder);
    row.querySelector("button").setAttribute("aria-expanded", "true");
    const viewer = new GameViewer(cell, this.games[Number(row.id.slice(5)) - 1]);
    viewer.root.focus({ preventScroll: true });
  }

  close(row) {
    this.opened(row).remove();
    row.querySelector("button").setAttribute("aria-expanded", "false");
  }

  click(event) {
    const row = event.target.closest("tr");
    if (!row || event.target.closest(".game")) return;
    if (String(globalThis.getSelection())) return; // Somebody copies a name.
    if (this.opened(row)) this.close(row);
    else this.open(row);
  }

  // An address that ends in #game-12 opens that game; a single game opens by itself.
  follow() {
    const asked = /^#game-\d+$/.test(location.hash) ? this.page.getElementById(location.hash.slice(1)) : null;
    const row = asked ?? (this.rows.length === 1 ? this.rows[0] : null);
    if (row && !this.opened(row)) {
      this.open(row);
      row.scrollIntoView();
    }
  }

  // --- Which games, in which order -----------------------------------------------

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = this.kind.value;
    let count = 0;
    for (const row of this.rows) {
      const fits = (!kind || row.dataset.kind === kind) && words.every((word) => this.texts.get(row).includes(word));
      row.hidden = !fits;
      const shown = this.opened(row);
      if (shown) shown.hidden = !fits;
      count += fits;
    }
    const all = this.rows.length;
    this.found.textContent = count === all ? `${count} games` : `${count} of ${all} games`;
  }

  makeSortable(heading, column) {
    const control = this.page.createElement("button");
    control.type = "button";
    control.append(...heading.childNodes);
    control.addEventListener("click", () => this.sort(heading, column));
    heading.append(control);
  }

  sort(heading, column) {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const cell of heading.parentNode.cells) cell.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = new Intl.Collator(undefined, { numeric: true }).compare;
    const key = (row) => row.cells[column].textContent;
    this.rows.sort((a, b) => (down ? -1 : 1) * order(key(a), key(b)));
    for (const row of this.rows) {
      const shown = this.opened(row);
      this.body.append(row);
      if (shown) this.body.append(shown);
    }
  }
}
