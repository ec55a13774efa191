// A page with the positions of an opening explorer. It knows no rules: what can be played is what was.

import { MovesTable } from "../view/movestable.js";
import { PlayBoard } from "./playboard.js";

export class ExplorerPage {
  constructor(document) {
    const { ply, nodes } = JSON.parse(document.getElementById("explorer").textContent);
    Object.assign(this, { ply, nodes, at: 0 });
    this.play = new PlayBoard(document.getElementById("board"), {
      onMove: (uci) => this.move(uci),
      onTakeBack: () => this.show(this.nodes[this.at].parent ?? 0),
      onFlip() {},
    });
    this.table = new MovesTable((uci) => this.move(uci));
    this.play.moves.after(this.table.root);
    this.show(0);
  }

  // A move of which nothing more is known stays where it is.
  move(uci) {
    const row = this.nodes[this.at].moves.find(([other]) => other === uci);
    if (row?.[8] !== undefined) this.show(row[8]);
    else if (row) this.play.say("The page ends here.");
  }

  line() {
    const line = [];
    for (let at = this.at; this.nodes[at].parent !== undefined; at = this.nodes[at].parent) line.unshift(this.nodes[at]);
    return line;
  }

  show(at) {
    this.at = at;
    const node = this.nodes[at];
    const line = this.line();
    this.play.update({
      position: node.position,
      before: this.nodes[node.parent]?.position,
      last: node.row,
      check: node.row?.[4]?.k,
      ply: this.ply,
      moves: line.map(({ row }) => row[0]),
      legal: node.moves.filter((row) => row[8] !== undefined).map(([uci, blast]) => (blast ? [uci, blast] : [uci])),
      forbidden: [],
      status: (this.ply + line.length) % 2 ? "Black to move" : "White to move",
      can_take_back: line.length > 0,
    });
    const named = [this.nodes[0], ...line].findLast(({ name }) => name);
    this.table.show(node.moves, named?.name);
  }
}
