// What can be done with a game besides stepping through it: copies, files, links.

import { gameToPgn } from "../model/pgn.js";
import { element } from "./elements.js";
import { saveFile } from "./files.js";

// Which games can be looked at on Lichess, by the names that engines have for the rules.
const LICHESS = {
  atomic: "atomic", chess: "standard", crazyhouse: "crazyhouse", antichess: "antichess", horde: "horde",
  kingofthehill: "kingOfTheHill", racingkings: "racingKings", "3check": "threeCheck",
};

export function lichessAddress(game, index) {
  const name = LICHESS[game.data.rules];
  const fen = game.fen(index);
  return name && fen ? `https://lichess.org/analysis/${name}/${fen.replaceAll(" ", "_")}` : null;
}

export class Menu {
  // `viewer`: game and node, which changes.
  constructor(viewer, extra) {
    this.viewer = viewer;
    this.said = element("p", { class: "av-menu-said", role: "status" });
    this.text = element("textarea", { class: "av-copy", readonly: true, rows: 4, hidden: true, "aria-label": "Text to copy" });
    const item = (label, key, action) => element("button", { type: "button", title: key ? `Key: ${key}` : null, onclick: action }, label);
    this.items = {
      fen: item("Copy FEN", "C", () => this.copyFen()),
      pgn: item("Copy PGN", "", () => this.copy("PGN", gameToPgn(viewer.game))),
      file: item("Download PGN", "", () => this.download()),
      lichess: item("Open on Lichess", "L", () => this.openLichess()),
    };
    this.root = element("details", { class: "av-menu" },
      element("summary", { title: "More" }, "More"),
      element("div", {}, ...Object.values(this.items), ...extra, this.text, this.said));
  }

  // Hides what the game does not allow.
  update() {
    const { game, node } = this.viewer;
    this.items.fen.hidden = game.fen(node) === null;
    this.items.lichess.hidden = lichessAddress(game, node) === null;
    this.text.hidden = true;
    this.said.textContent = "";
  }

  copyFen() {
    const fen = this.viewer.game.fen(this.viewer.node);
    if (fen) this.copy("FEN", fen);
  }

  openLichess() {
    const address = lichessAddress(this.viewer.game, this.viewer.node);
    if (address) globalThis.open(address, "_blank", "noopener,noreferrer");
  }

  async copy(name, text) {
    try {
      await navigator.clipboard.writeText(text);
      this.said.textContent = `${name} copied`;
    } catch { // A page may be forbidden to: then it is there to be copied by hand.
      this.root.open = true;
      this.text.hidden = false;
      this.text.value = text;
      this.text.focus();
      this.text.select();
      this.said.textContent = `Here is the ${name} to copy`;
    }
  }

  download() {
    saveFile("game.pgn", "application/x-chess-pgn", gameToPgn(this.viewer.game));
    this.said.textContent = "PGN saved as game.pgn";
  }
}
