// A board that explodes. The shapes of pieces and the colours are those of chess.svg.
//
// What is parsed as markup is made of these, numbers, and square names and
// piece letters that were checked; text of games is never in it.

import art from "../art.json";
import { FILES, isSquare } from "../model/position.js";
import { drawing, prefersCalm } from "./elements.js";
import { explosion } from "./explosion.js";
import { center, corner, MARGIN, SIZE, SQUARE, squareAt } from "./geometry.js";

const ARROWS = { G: "green", R: "red", Y: "yellow", B: "blue" };

export class ChessBoard {
  constructor(attributes) {
    this.svg = drawing(`0 0 ${SIZE} ${SIZE}`, { class: "av-board", role: "img", ...attributes });
    this.flipped = false;
    this.turn = 0; // Counts what was shown, so that a newer scene ends an older one.
  }

  // Where an event of the pointer is, in the units of the drawing.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE];
  }

  squareAt(event) {
    return squareAt(...this.place(event), this.flipped);
  }

  rect(square, attributes) {
    const [x, y] = corner(square, this.flipped);
    return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" ${attributes}/>`;
  }

  // `scene`: position, and optionally move with the position before it, check,
  // arrows, marks (markup drawn over the squares or, in `over`, over the pieces).
  show(scene) {
    this.turn += 1;
    this.draw(scene);
  }

  draw(scene) {
    const { position, move, before, check } = scene;
    const out = [this.squares(new Set(move?.slides?.[0] ?? []))];
    if (check && isSquare(check)) {
      const [x, y] = center(check, this.flipped);
      out.push(`<circle cx="${x}" cy="${y}" r="20" fill="#e70000" fill-opacity=".6" data-check="${check}"/>`);
    }
    if (move?.blast?.length && before) out.push(explosion(move, before, this.flipped));
    // After the burst, which may be larger than its square.
    out.push(this.frame(), scene.marks ?? "");
    for (const [square, symbol] of Object.entries(position)) {
      const [x, y] = corner(square, this.flipped);
      const piece = art.pieces[symbol];
      out.push(`<g transform="translate(${x} ${y})" data-square="${square}" class="av-piece">${piece}</g>`);
    }
    out.push(scene.over ?? "", this.arrows(scene.arrows));
    this.svg.innerHTML = out.join("");
  }

  squares(tinted) {
    const out = [];
    for (let file = 0; file < 8; file++) {
      for (let rank = 1; rank <= 8; rank++) {
        const square = FILES[file] + rank;
        const shade = `square ${(file + rank) % 2 ? "dark" : "light"}${tinted.has(square) ? " lastmove" : ""}`;
        out.push(this.rect(square, `fill="${art.colors[shade]}" data-square="${square}"`));
      }
    }
    return out.join("");
  }

  // The margin with the coordinates.
  frame() {
    const { margin, coord } = art.colors;
    const [half, side] = [MARGIN / 2, SIZE - MARGIN];
    const out = [`<rect x="${half}" y="${half}" width="${side}" height="${side}" fill="none" stroke="${margin}" stroke-width="${MARGIN}"/>`];
    const text = `fill="${coord}" font-size="10" font-family="sans-serif" text-anchor="middle"`;
    for (let index = 0; index < 8; index++) {
      const [x] = center(`${FILES[index]}1`, this.flipped);
      const [, y] = center(`a${index + 1}`, this.flipped);
      for (const edge of [11, SIZE - 4]) out.push(`<text x="${x}" y="${edge}" ${text}>${FILES[index]}</text>`);
      for (const edge of [half, SIZE - half]) out.push(`<text x="${edge}" y="${y + 3.5}" ${text}>${index + 1}</text>`);
    }
    return out.join("");
  }

  // Arrows and circles as in PGN: "Gd4 Rd4e6".
  arrows(text) {
    return [...String(text ?? "").matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)].map(([, color, tail, head]) => {
      const [x1, y1] = center(tail, this.flipped);
      const paint = `stroke="${ARROWS[color]}" opacity=".6" fill="none"`;
      if (!head || head === tail) return `<circle cx="${x1}" cy="${y1}" r="20" stroke-width="4" ${paint}/>`;
      const [x2, y2] = center(head, this.flipped);
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - dx * 20, y2 - dy * 20];
      return `<line x1="${x1}" y1="${y1}" x2="${bx}" y2="${by}" stroke-width="8" ${paint}/>`
        + `<polygon points="${x2},${y2} ${bx - dy * 12},${by + dx * 12} ${bx + dy * 12},${by - dx * 12}" `
        + `fill="${ARROWS[color]}" opacity=".6"/>`;
    }).join("");
  }

  // Lifts the piece on a square to a point of the drawing.
  drag(square, [x, y]) {
    const piece = this.svg.querySelector(`.av-piece[data-square="${square}"]`);
    piece?.setAttribute("transform", `translate(${x - SQUARE / 2} ${y - SQUARE / 2})`);
    piece?.parentNode.append(piece);
  }

  // Shows how `scene.before` becomes `scene.position`: first the pieces slide,
  // then things explode.
  async play(scene) {
    const turn = (this.turn += 1);
    const { move, before } = scene;
    if (!before || !move?.slides?.length || prefersCalm() || !this.svg.animate) {
      this.draw(scene);
      return;
    }
    // Stage one: the pieces of the position before on their way.
    this.draw({ ...scene, position: before, before: null, check: null, arrows: null });
    await Promise.allSettled(move.slides.map(([from, to]) => this.slide(from, to)));
    if (turn !== this.turn) return;
    this.draw(scene);
    if (move.blast.length) this.explode();
  }

  slide(from, to) {
    const piece = this.svg.querySelector(`.av-piece[data-square="${from}"]`);
    const [begin, end] = [from, to].map((square) => {
      const [x, y] = corner(square, this.flipped);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    piece?.parentNode.append(piece);
    return piece?.animate([begin, end], { duration: art.explosion.slide, easing: "ease-in-out", fill: "forwards" }).finished;
  }

  // Stage two.
  explode() {
    const timing = { duration: art.explosion.blast, easing: "ease-out" };
    this.svg.querySelector(".av-burst")?.animate(
      [{ transform: "scale(.1)" }, { transform: "scale(1.9)", offset: 0.4 }, { transform: "scale(1)" }], timing);
    for (const shape of this.svg.querySelectorAll(".av-zone, .av-scorched, .av-ghost")) {
      shape.animate([{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1 }], timing);
    }
  }
}
