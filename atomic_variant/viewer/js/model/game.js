// A game as a tree of moves, read from the data of data.py.

import { applyMove, isPiece, parsePlacement, squares } from "./position.js";

// A move, of its row in the data.
export function parseMove(row, index) {
  const [san, slides, blast, changes, extras] = Array.isArray(row) ? row : ["?"];
  const path = squares(slides);
  const parent = extras?.p ?? index - 1;
  return {
    san: String(san),
    slides: path.flatMap((square, at) => (at % 2 ? [[path[at - 1], square]] : [])),
    blast: squares(blast),
    changes: [...String(changes ?? "").matchAll(/([A-Za-z-])([a-h][1-8])/g)].map((match) => [match[1], match[2]]),
    extras: extras ?? {},
    parent: Number.isInteger(parent) && parent >= 0 && parent < index ? parent : index - 1,
    children: [],
  };
}

// The number before the move that is made after so many plies, "12." or "12...".
export function moveNumber(plies) {
  return `${Math.floor(plies / 2) + 1}${plies % 2 ? "..." : "."}`;
}

export class Game {
  constructor(data) {
    this.data = data ?? {};
    this.headers = this.data.headers ?? {};
    this.ply = Number(this.data.ply) || 0;
    this.nodes = [{ children: [], extras: { c: this.data.intro }, parent: null, slides: [], blast: [], changes: [], san: "" }];
    for (const row of this.data.nodes ?? []) this.nodes.push(parseMove(row, this.nodes.length));
    this.nodes.forEach((node, index) => {
      if (index) this.nodes[node.parent].children.push(index);
      node.depth = index ? this.nodes[node.parent].depth + 1 : 0;
    });
    this.last = 0; // The end of the main line.
    while (this.nodes[this.last].children.length) this.last = this.nodes[this.last].children[0];
    this.known = new Map([[0, parsePlacement(this.data.start ?? "")]]);
  }

  // Worked out when somebody looks, from the nearest position that is known.
  position(index) {
    const way = [];
    let at = index;
    while (!this.known.has(at)) {
      way.push(at);
      at = this.nodes[at].parent;
    }
    let position = this.known.get(at);
    while (way.length) {
      at = way.pop();
      position = applyMove(position, this.nodes[at]);
      if (way.length === 0 || this.nodes[at].children.length > 1) this.known.set(at, position);
    }
    return position;
  }

  // What dies with a move, as pairs of square and piece.
  dead(index) {
    if (!index) return [];
    const before = this.position(this.nodes[index].parent);
    return this.nodes[index].blast.filter((square) => isPiece(before[square])).map((square) => [square, before[square]]);
  }

  number(index) {
    return moveNumber(this.ply + this.nodes[index].depth - 1);
  }

  // Who made a move: 0 for White.
  mover(index) {
    return (this.ply + this.nodes[index].depth - 1) % 2;
  }

  // The moves from the start through a node and on to the end of its line.
  line(index) {
    const line = [];
    for (let at = index; at !== null; at = this.nodes[at].parent) line.push(at);
    line.reverse();
    for (let at = index; this.nodes[at].children.length; line.push(at)) at = this.nodes[at].children[0];
    return line;
  }

  back(index) {
    return this.nodes[index].parent ?? 0;
  }

  forward(index) {
    return this.nodes[index].children[0] ?? index;
  }

  end(index) {
    return this.line(index).at(-1);
  }

  // The moves that could have been made instead of one, itself among them.
  siblings(index) {
    return index ? this.nodes[this.back(index)].children : [index];
  }

  sibling(index, by) {
    const others = this.siblings(index);
    return others[others.indexOf(index) + by] ?? index;
  }

  // The seconds on both clocks after a move, null where nothing is known.
  clocks(index) {
    const known = [null, null];
    for (let at = index; at; at = this.nodes[at].parent) {
      const seconds = this.nodes[at].extras.t;
      if (Number.isFinite(seconds)) known[this.mover(at)] ??= seconds;
      if (known[0] !== null && known[1] !== null) break;
    }
    return known;
  }
}
