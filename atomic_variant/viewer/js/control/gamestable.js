// The table of games in a report: which games, in which order, a page of them at
// a time, and a viewer for a game when somebody asks for it.

import { addressToMove, moveToAddress } from "../model/address.js";
import { Game } from "../model/game.js";
import { columnsOf, countBlasts, fitsWish, makeGameRow, rowsToCsv, sortRows } from "../model/gamerow.js";
import { gameToPgn } from "../model/pgn.js";
import { button, element } from "../view/elements.js";
import { saveFile } from "../view/files.js";
import { heatMap } from "../view/heatmap.js";
import { GameViewer } from "./gameviewer.js";
import { printKeyPositions } from "./printing.js";

const PAGE = 100; // Rows that are shown at a time: more would take long to lay out.

export class GamesTable {
  constructor(page) {
    const find = (id) => page.getElementById(id);
    this.games = JSON.parse(find("games").textContent);
    this.rows = this.games.map((data, index) => makeGameRow(data, index + 1));
    this.columns = columnsOf(this.rows);
    this.table = find("table");
    this.body = this.table.tBodies[0];
    this.form = find("filters");
    this.found = find("found");
    this.heat = find("heat");
    this.pager = find("pager");
    this.shown = this.rows; // Those that fit, in order.
    this.first = 0; // The first of them on the page.
    this.key = "number";
    this.down = false;
    this.opened = new Map(); // By number of game: row of the table, viewer.
    this.makeHeadings();
    this.makeWishes();
    // A text that is only left is no new wish; not every browser calls a choice an input.
    this.form.addEventListener("input", ({ target }) => this.isWish(target) && this.filter());
    this.form.addEventListener("change", ({ target }) => target.matches("select") && this.isWish(target) && this.filter());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.body.addEventListener("click", (event) => this.click(event));
    find("pgn").addEventListener("click", () => this.savePgn());
    find("csv").addEventListener("click", () => saveFile("games.csv", "text/csv", `\ufeff${rowsToCsv(this.shown)}`));
    this.back = element("button", { type: "button", onclick: () => this.turnPage(-PAGE) }, "Previous page");
    this.forth = element("button", { type: "button", onclick: () => this.turnPage(PAGE) }, "Next page");
    this.place = element("span", { role: "status" });
    this.pager.append(this.back, this.place, this.forth);
    globalThis.addEventListener("popstate", () => this.follow());
    printKeyPositions(() => [...this.opened.values()].map(({ viewer }) => viewer));
    this.filter();
  }

  // --- Headings and filters ------------------------------------------------------

  makeHeadings() {
    const order = this.form.elements.order;
    for (const { key, label } of this.columns) {
      const control = element("button", { type: "button", onclick: () => this.sort(key, this.key === key && !this.down) }, label);
      this.table.tHead.rows[0].append(element("th", { scope: "col", "data-key": key }, control));
      order.append(element("option", { value: key }, label));
    }
    // On a phone there are no headings.
    order.addEventListener("change", () => this.sort(order.value, false));
    this.form.elements.down.addEventListener("change", () => this.sort(this.key, this.form.elements.down.checked));
  }

  // Offers what makes a difference among these games.
  makeWishes() {
    const { variant, kind } = this.form.elements;
    const choices = (control, key) => {
      const names = [...new Set(this.rows.map((row) => row[key]).filter(Boolean))].sort();
      control.append(...names.map((name) => element("option", {}, name)));
      return names.length;
    };
    choices(kind, "kind");
    variant.parentNode.hidden = choices(variant, "variant") < 2;
    const has = (key) => this.rows.some((row) => row[key]);
    this.form.elements.from.parentNode.hidden = this.form.elements.to.parentNode.hidden = !has("rating");
    this.form.elements.errors.parentNode.hidden = !has("errors");
    this.form.elements.missed.parentNode.hidden = !has("missed");
  }

  isWish(control) {
    return !["order", "down"].includes(control.name);
  }

  wish() {
    const { search, kind, variant, result, from, to, errors, missed } = this.form.elements;
    return {
      words: search.value.toLowerCase().split(/\s+/).filter(Boolean), kind: kind.value, variant: variant.value,
      result: result.value, from: Number(from.value), to: Number(to.value), errors: errors.value, missed: missed.checked,
    };
  }

  filter() {
    const wish = this.wish();
    this.shown = sortRows(this.rows.filter((row) => fitsWish(row, wish)), this.key, this.down);
    const [count, all] = [this.shown.length, this.rows.length];
    this.found.textContent = count === all ? `${count} games` : `${count} of ${all} games`;
    this.showHeat();
    this.first = 0;
    this.show();
  }

  sort(key, down) {
    this.key = key;
    this.down = down;
    this.form.elements.order.value = key;
    this.form.elements.down.checked = down;
    sortRows(this.shown, key, down);
    this.first = 0;
    this.show();
  }

  // --- What is shown -------------------------------------------------------------

  turnPage(by) {
    this.first += by;
    this.show();
    this.table.scrollIntoView();
  }

  show() {
    const part = this.shown.slice(this.first, this.first + PAGE);
    const lines = part.flatMap((row) => {
      const open = this.opened.get(row.number);
      return open ? [open.line, open.holder] : [this.line(row)];
    });
    this.body.replaceChildren(...lines);
    for (const { holder, viewer } of this.opened.values()) if (!holder.isConnected) viewer.pause();
    for (const cell of this.table.tHead.rows[0].cells) {
      if (cell.dataset.key === this.key) cell.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    this.pager.hidden = this.shown.length <= PAGE;
    this.back.disabled = this.first === 0;
    this.forth.disabled = this.first + PAGE >= this.shown.length;
    this.place.textContent = `${this.first + 1} to ${this.first + part.length} of ${this.shown.length}`;
  }

  line(row) {
    const cells = this.columns.slice(1).map(({ key, label, isNumber }) => element("td",
      { "data-key": key, "data-label": label, class: isNumber ? "number" : null },
      row[key] === null ? "" : element("bdi", {}, String(row[key]))));
    const opener = element("button", { type: "button", "aria-expanded": "false", "aria-label": `Show game ${row.number}` }, row.number);
    return element("tr", { id: `game-${row.number}`, "data-kind": row.kind, class: row.errors ? "bad" : null },
      element("th", { scope: "row" }, opener), ...cells);
  }

  showHeat() {
    const names = [...new Set(this.shown.map((row) => row.variant))].filter(Boolean).sort();
    const whose = names.length > 1 ? `, of ${names.slice(0, -1).join(", ")} and ${names.at(-1)} together` : "";
    this.heat.replaceChildren(...heatMap(countBlasts(this.shown), `Explosions on each square in the games listed below${whose}`));
  }

  savePgn() {
    const texts = this.shown.map((row) => gameToPgn(new Game(this.games[row.number - 1])));
    saveFile("games.pgn", "application/x-chess-pgn", texts.join("\n"));
  }

  // --- Games that are open -------------------------------------------------------

  open(number) {
    const line = this.body.querySelector(`#game-${number}`);
    const cell = element("td", { colspan: this.columns.length });
    const holder = element("tr", { class: "game" }, cell);
    const place = element("div");
    const step = (label, key, by) => element("button", { type: "button", title: `Key: ${key}`, onclick: () => this.step(number, by) }, label);
    cell.append(element("div", { class: "between" }, step("Previous game", "[", -1), step("Next game", "]", 1),
      button("Close (Escape)", "close", () => this.close(number))), place);
    line.after(holder);
    const data = this.games[number - 1];
    // A broken game is shown where it breaks.
    const viewer = new GameViewer(place, data, {
      node: data.fault?.[0] ?? 0,
      // Somebody may send the address to others, or come back to it.
      onChange({ node }) {
        if (node !== undefined) history.replaceState(null, "", `#game-${number}-${moveToAddress(viewer.game, node)}`);
      },
    });
    holder.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, select")) return;
      if (event.key === "Escape") this.close(number);
      else if (event.key === "[" || event.key === "]") this.step(number, event.key === "[" ? -1 : 1);
    });
    this.opened.set(number, { line, holder, viewer });
    line.querySelector("button").setAttribute("aria-expanded", "true");
    viewer.root.focus({ preventScroll: true });
    return viewer;
  }

  close(number) {
    const { line, holder, viewer } = this.opened.get(number);
    viewer.pause();
    this.opened.delete(number);
    holder.remove();
    const opener = line.querySelector("button");
    opener.setAttribute("aria-expanded", "false");
    opener.focus({ preventScroll: true });
  }

  // To the game before or after one, in the order of the table.
  step(number, by) {
    const next = this.shown[this.shown.findIndex((row) => row.number === number) + by];
    if (!next) return;
    this.close(number);
    history.pushState(null, "", `#game-${next.number}`);
    this.follow();
  }

  click(event) {
    const line = event.target.closest("tr");
    if (!line || event.target.closest(".game")) return;
    if (String(globalThis.getSelection())) return; // Somebody copies a name.
    const number = Number(line.id.slice(5));
    if (this.opened.has(number)) this.close(number);
    else {
      this.open(number);
      history.pushState(null, "", `#${line.id}`);
    }
  }

  // An address that ends in #game-12 or #game-12-ply-31 opens that game; a single game opens by itself.
  follow() {
    const [, name, move] = /^#game-(\d{1,7})(-(?:ply|move)-\d+)?$/.exec(location.hash) ?? [];
    const number = name ? Number(name) : this.rows.length === 1 ? 1 : 0;
    if (!this.rows[number - 1]) return;
    this.bringUp(number);
    const viewer = this.opened.get(number)?.viewer ?? this.open(number);
    if (move) viewer.show(addressToMove(viewer.game, location.hash));
    if (name) this.opened.get(number).line.scrollIntoView();
  }

  // Turns to the page of a game; what would hide it is let go.
  bringUp(number) {
    const find = () => this.shown.findIndex((row) => row.number === number);
    if (find() < 0) {
      this.form.reset();
      this.form.elements.order.value = this.key;
      this.form.elements.down.checked = this.down;
      this.filter();
    }
    const first = Math.floor(find() / PAGE) * PAGE;
    if (first === this.first) return;
    this.first = first;
    this.show();
  }
}
