// Who plays, with clocks, above and below the board.

import { clockText } from "../model/words.js";
import { element } from "./elements.js";
import { showFallen } from "./fallen.js";

export class Players {
  constructor(headers) {
    this.top = element("div");
    this.bottom = element("div");
    this.clocks = [element("span", { class: "av-clock" }), element("span", { class: "av-clock" })];
    this.fallen = [0, 1].map(() => element("span", { class: "av-fallen", role: "img" }));
    this.rows = ["White", "Black"].map((color, index) => {
      const name = headers[color] ?? color;
      const elo = headers[`${color}Elo`];
      return element("div", { class: "av-player" },
        element("bdi", {}, elo ? `${name} (${elo})` : name), this.fallen[index], this.clocks[index]);
    });
  }

  flip(flipped) {
    this.top.replaceChildren(this.rows[flipped ? 0 : 1]);
    this.bottom.replaceChildren(this.rows[flipped ? 1 : 0]);
  }

  showFallen(fallen, pieces) {
    this.fallen.forEach((place, color) => showFallen(place, fallen[color], pieces));
  }

  showClocks(seconds) {
    seconds.forEach((value, color) => {
      this.clocks[color].textContent = value === null ? "" : clockText(value);
    });
  }
}
