// The table of games in a report: searching, sorting, and a viewer for a game
// when somebody asks for it.

import { addressToMove, moveToAddress } from "../model/address.js";
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
    this.viewers = new Map(); // Of the rows that are open.
    this.games = null; // Read when the first game is shown.
    [...this.table.tHead.rows[0].cells].forEach((heading, column) => this.makeSortable(heading, column));
    this.search.addEventListener("input", () => this.filter());
    this.search.form.addEventListener("submit", (event) => event.preventDefault());
    this.kind.addEventListener("change", () => this.filter());
    this.body.addEventListener("click", (event) => this.click(event));
    globalThis.addEventListener("popstate", () => this.follow());
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
    const viewer = new GameViewer(cell, this.games[Number(row.id.slice(5)) - 1], {
      // Somebody may send the address to others, or come back to it.
      onChange({ node }) {
        if (node !== undefined) history.replaceState(null, "", `#${row.id}-${moveToAddress(viewer.game, node)}`);
      },
    });
    this.viewers.set(row, viewer);
    viewer.root.focus({ preventScroll: true });
    return viewer;
  }

  close(row) {
    this.viewers.get(row).pause();
    this.viewers.delete(row);
    this.opened(row).remove();
    row.querySelector("button").setAttribute("aria-expanded", "false");
  }

  click(event) {
    const row = event.target.closest("tr");
    if (!row || event.target.closest(".game")) return;
    if (String(globalThis.getSelection())) return; // Somebody copies a name.
    if (this.opened(row)) this.close(row);
    else {
      this.open(row);
      history.pushState(null, "", `#${row.id}`);
    }
  }

  // An address that ends in #game-12 or #game-12-ply-31 opens that game; a single game opens by itself.
  follow() {
    const [, name] = /^#(game-\d+)(?:-(?:ply|move)-\d+)?$/.exec(location.hash) ?? [];
    const row = name ? this.page.getElementById(name) : this.rows.length === 1 ? this.rows[0] : null;
    if (!row) return;
    const viewer = this.viewers.get(row) ?? this.open(row);
    viewer.show(addressToMove(viewer.game, location.hash));
    if (name) row.scrollIntoView();
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
