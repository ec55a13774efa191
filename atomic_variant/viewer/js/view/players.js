// Who plays, with clocks, above and below the board.

import { clockText } from "../model/words.js";
import { element } from "./elements.js";

export class Players {
  constructor(headers) {
    this.top = element("div");
    this.bottom = element("div");
    this.clocks = [element("span", { class: "av-clock" }), element("span", { class: "av-clock" })];
    this.rows = ["White", "Black"].map((color, index) => {
      const name = headers[color] ?? color;
      const elo = headers[`${color}Elo`];
      return element("div", { class: "av-player" }, element("bdi", {}, elo ? `${name} (${elo})` : name), this.clocks[index]);
    });
  }

  flip(flipped) {
    this.top.replaceChildren(this.rows[flipped ? 0 : 1]);
    this.bottom.replaceChildren(this.rows[flipped ? 1 : 0]);
  }

  showClocks(seconds) {
    seconds.forEach((value, color) => {
      this.clocks[color].textContent = value === null ? "" : clockText(value);
    });
  }
}
