// A table of the moves that were played in a position.
//
// A row is what Python sends of a move: [uci, blast, san, games, wins, draws,
// losses, words], wins being the mover's; more may follow.

import TABLE_STYLE from "../../css/explorer.css";
import { element } from "./elements.js";

export class MovesTable {
  constructor(onMove) {
    this.onMove = onMove;
    this.name = element("p", { class: "av-opening", "aria-live": "polite" });
    this.body = element("tbody");
    const heads = ["Move", "Games", "Won, drawn, lost", "Score"];
    this.root = element("div", { class: "av-explorer" },
      element("style", {}, TABLE_STYLE), this.name,
      element("table", { "aria-label": "Moves played here" },
        element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
        this.body));
  }

  show(rows, name = "") {
    this.name.replaceChildren(element("bdi", {}, name));
    this.body.replaceChildren(...rows.map((row) => this.row(row)));
    if (!rows.length) {
      this.body.append(element("tr", {}, element("td", { colspan: "4" }, "No games from here.")));
    }
  }

  row([uci, , san, games, wins, draws, losses, words]) {
    const move = element("button", { type: "button", onclick: () => this.onMove(uci) }, san);
    const total = wins + draws + losses;
    const shares = [["av-won", wins], ["av-drawn", draws], ["av-lost", losses]].filter(([, count]) => count > 0);
    const bar = element("div", {
      class: "av-bar", role: "img", "aria-label": `${wins} won, ${draws} drawn, ${losses} lost`,
      title: `${wins} won, ${draws} drawn, ${losses} lost`,
    }, ...shares.map(([kind, count]) => element("span", { class: kind, style: `flex-grow:${count}` })));
    return element("tr", {},
      element("td", {}, move), element("td", {}, games.toLocaleString("en")),
      element("td", {}, total ? bar : ""), element("td", {}, element("bdi", {}, words)));
  }
}
