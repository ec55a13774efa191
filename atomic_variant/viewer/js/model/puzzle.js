// A puzzle and how far it is solved. It knows no rules: what each move does,
// and what answers a wrong one, stands in the data.
//
// A node is a position to find a move in: `moves` with a row for each legal
// move, [uci, row, answer], and `right`, the moves that solve it. `reply` is
// the row of the defence, missing after the last move.

import { parseMove } from "./game.js";
import { applyMove, FILES, parsePlacement } from "./position.js";

export class Puzzle {
  constructor(data) {
    this.data = data;
    this.restart();
  }

  restart() {
    this.node = 0;
    this.failed = false; // A wrong move was tried.
    this.line = []; // [row, position before], from the move that led here on.
    this.position = parsePlacement(this.data.before);
    this.make(this.data.led);
    this.kept = null;
  }

  make(row) {
    this.line.push([row, this.position]);
    this.position = applyMove(this.position, parseMove(row, 1));
  }

  get choices() {
    return this.data.nodes[this.node]?.moves ?? [];
  }

  // "solved", "right" (a reply follows) or "wrong" (an answer may follow); null for no legal move.
  choose(uci) {
    const found = this.choices.find(([other]) => other === uci);
    if (!found || this.kept) return null;
    const [, row, answer] = found;
    if (!this.data.nodes[this.node].right.includes(uci)) {
      this.failed = true;
      this.kept = { line: [...this.line], position: this.position };
      this.make(row);
      this.answer = answer;
      return "wrong";
    }
    this.make(row);
    this.answer = this.data.nodes[this.node].reply;
    this.node += 1;
    return this.answer ? "right" : "solved";
  }

  get solved() {
    return this.node === this.data.nodes.length;
  }

  // Takes a wrong move back.
  takeBack() {
    if (this.kept) Object.assign(this, this.kept);
    this.kept = null;
  }

  // The solution from the position that is on the board.
  get solution() {
    return this.data.nodes.slice(this.node).map(({ right }) => right[0]);
  }
}

// The placement of a FEN.
export function placement(position) {
  const rows = [];
  for (let rank = 8; rank >= 1; rank--) {
    rows.push([...FILES].map((file) => position[file + rank] ?? "1").join("").replace(/1+/g, (ones) => ones.length));
  }
  return rows.join("/");
}
