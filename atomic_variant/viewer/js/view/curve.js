// The evaluations of the main line as a curve to click on.

import { winningChance } from "../model/evaluation.js";
import { blame } from "../model/words.js";
import { drawing } from "./elements.js";

export class Curve {
  constructor(game, onPick) {
    const line = game.line(0);
    const chances = line.map((index) => winningChance(game.nodes[index].extras));
    this.last = Math.max(1, chances.length - 1);
    this.root = drawing("0 0 300 60", { class: "av-curve", preserveAspectRatio: "none", role: "img" });
    this.isEmpty = chances.filter((value) => value !== null).length < 2;
    if (this.isEmpty) return;
    let level = 0;
    const dots = [];
    const points = chances.map((value, ply) => {
      level = value ?? level;
      const point = `${this.x(ply)},${(30 - 28 * level).toFixed(1)}`;
      const fault = blame(game.nodes[line[ply]].extras);
      if (fault) dots.push(`<path class="av-dot av-${fault}" d="M${point}h0" vector-effect="non-scaling-stroke"/>`);
      return point;
    });
    this.root.innerHTML = '<rect width="300" height="60" fill="#555"/>'
      + `<polygon points="0,60 ${points.join(" ")} 300,60" fill="#f5f5f5"/>`
      + '<line x1="0" x2="300" y1="30" y2="30" stroke="#d9380c" stroke-width=".7"/>'
      + '<line class="av-now" y1="0" y2="60" stroke="#1f6fe0" stroke-width="2" vector-effect="non-scaling-stroke"/>'
      + dots.join("");
    this.root.setAttribute("aria-label", "Evaluation of the main line, White's advantage upwards");
    this.root.addEventListener("click", (event) => {
      const box = this.root.getBoundingClientRect();
      onPick(Math.round(((event.clientX - box.left) / box.width) * this.last));
    });
  }

  x(ply) {
    return ((300 * ply) / this.last).toFixed(1);
  }

  mark(ply) {
    const now = this.root.querySelector(".av-now");
    for (const end of ["x1", "x2"]) now?.setAttribute(end, this.x(ply));
  }
}
