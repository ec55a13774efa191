// A game as a tree of moves, read from the data of data.py.

import { applyMove, formatPlacement, isPiece, isWhite, parsePlacement, squares } from "./position.js";
import { blame } from "./words.js";

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
    // The move to show where one has to do: the last explosion of the main line, or its end.
    this.key = this.nodes[this.last].blast.length ? this.last : this.previousExplosion(this.last);
    if (!this.nodes[this.key].blast.length) this.key = this.last;
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

  // The moves that explode something, in the line of a move, after it or before it.
  nextExplosion(index) {
    return this.nextWhere(index, (move) => move.blast.length);
  }

  previousExplosion(index) {
    return this.previousWhere(index, (move) => move.blast.length);
  }

  // The moves that are marked as blunders, mistakes or dubious, likewise.
  nextMistake(index) {
    return this.nextWhere(index, (move) => blame(move.extras));
  }

  previousMistake(index) {
    return this.previousWhere(index, (move) => blame(move.extras));
  }

  nextWhere(index, fits) {
    const line = this.line(index);
    return line.slice(line.indexOf(index) + 1).find((at) => fits(this.nodes[at])) ?? index;
  }

  previousWhere(index, fits) {
    const line = this.line(index);
    return line.slice(0, line.indexOf(index)).findLast((at) => fits(this.nodes[at])) ?? index;
  }

  // The moves that lead to a position, each with the position before it.
  *way(index) {
    let position = this.position(0);
    for (const at of this.line(index).slice(1, this.nodes[index].depth + 1)) {
      yield [this.nodes[at], position];
      position = applyMove(position, this.nodes[at]);
    }
  }

  // What either side has lost until a move: letters of pieces, of White and of Black.
  fallen(index) {
    const lost = [];
    for (const [move, before] of this.way(index)) {
      const [from, to] = move.slides[0] ?? [];
      const gone = move.changes.filter(([piece]) => piece === "-").map(([, square]) => square); // En passant.
      const dead = move.blast.length ? move.blast : move.slides.length === 1 ? [to, ...gone] : [];
      lost.push(...dead.filter((square) => before[square] && (move.blast.length || square !== from)).map((square) => before[square]));
    }
    const order = "QRBNPKqrbnpk";
    lost.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    return [lost.filter(isWhite), lost.filter((symbol) => !isWhite(symbol))];
  }

  // What would have been better than the move that follows, where the game says so: from, to.
  better(index) {
    const [made, other] = this.nodes[index].children;
    const isMistake = (this.nodes[made]?.extras.n ?? []).some((nag) => [2, 4, 6].includes(nag));
    return isMistake && other ? this.nodes[other].slides[0] ?? null : null;
  }

  // The FEN of a position, null where the data do not say enough for one.
  fen(index) {
    if (typeof this.data.fen !== "string") return null;
    let [castling, enPassant, clock] = this.data.fen.split(" ");
    for (const [move, before] of this.way(index)) {
      const [from, to] = move.slides[0] ?? [];
      const zeroing = move.blast.length || /p/i.test(before[from] ?? "") || (move.slides.length === 1 && before[to]);
      clock = zeroing ? 0 : Number(clock) + 1;
      [castling, enPassant] = String(move.extras.f ?? `${castling} -`).split(" ");
    }
    const plies = this.ply + this.nodes[index].depth;
    const fields = [plies % 2 ? "b" : "w", castling, enPassant, clock, Math.floor(plies / 2) + 1];
    return [formatPlacement(this.position(index)), ...fields].join(" ");
  }
}
