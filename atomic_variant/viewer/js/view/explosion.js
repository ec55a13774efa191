// How an explosion looks: markup for chessboard.js, by the description that
// svg/_explosion.py gives to all who draw one.

import art from "../art.json";
import { FILES, isPiece } from "../model/position.js";
import { center, corner, SQUARE } from "./geometry.js";

const LOOK = art.explosion;
const COLORS = art.colors;

// The zone that an explosion reaches: a wash and an outline.
export function zone(zero, flipped) {
  const [file, rank] = [FILES.indexOf(zero[0]), Number(zero[1])];
  const corners = [];
  for (const at of [Math.max(file - 1, 0), Math.min(file + 1, 7)]) {
    for (const on of [Math.max(rank - 1, 1), Math.min(rank + 1, 8)]) corners.push(corner(FILES[at] + on, flipped));
  }
  const [xs, ys] = [0, 1].map((axis) => corners.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) + SQUARE - left, Math.max(...ys) + SQUARE - top];
  const { width: line, light, dark, dash } = LOOK.edge;
  const box = `<rect x="${line / 2}" y="${line / 2}" width="${width - line}" height="${height - line}" fill="none" `
    + `stroke-width="${line}"`;
  return `<g class="av-zone" transform="translate(${left}, ${top})">`
    + `<rect width="${width}" height="${height}" fill="${COLORS.scorched}" fill-opacity="${LOOK.wash}"/>`
    + `${box} stroke="${light}"/>${box} stroke="${dark}" stroke-dasharray="${dash}"/></g>`;
}

function scorch(square, flipped) {
  const [x, y] = corner(square, flipped);
  return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" class="av-scorched" `
    + `fill="${COLORS.scorched}" fill-opacity="${LOOK.scorch}"/>`;
}

export function burst(zero, flipped) {
  const { path, scale, core } = LOOK.burst;
  const [x, y] = center(zero, flipped);
  return `<g transform="translate(${x}, ${y}) scale(${scale})"><g class="av-burst">`
    + `<path d="${path}" fill="${COLORS.explosion}" stroke="${COLORS["explosion core"]}" stroke-width="1.2" stroke-linejoin="round"/>`
    + `<path d="${path}" transform="${core}" fill="${COLORS["explosion core"]}"/></g></g>`;
}

function ghost(symbol, square, isZero, flipped) {
  const scale = isZero ? LOOK.ghost.zero : LOOK.ghost.scale;
  const move = (SQUARE * (1 - scale)) / 2 - (isZero ? 0 : LOOK.ghost.shift);
  const [x, y] = corner(square, flipped).map((value) => value + move);
  const shape = art.pieces[symbol].replace(/#000(000)?(?![0-9a-f])/g, LOOK.ghost.black)
    .replace(/#(fff(fff)?|ececec)(?![0-9a-f])/g, LOOK.ghost.white);
  return `<g class="av-ghost" data-ghost="${square}"><g transform="translate(${x}, ${y}) scale(${scale})">${shape}</g>`
    + `${cross(symbol, square, flipped)}</g>`;
}

// The cross on a piece that dies, large on a king.
export function cross(symbol, square, flipped) {
  const king = symbol.toLowerCase() === "k";
  const { path, edge, width } = LOOK[king ? "king cross" : "cross"];
  const [x, y] = corner(square, flipped);
  const line = `<path d="${path}" stroke-linecap="round"`;
  return `<g class="${king ? "av-king-cross" : "av-cross"}" transform="translate(${x}, ${y})">`
    + `${line} stroke="#fff" stroke-width="${edge}"/>${line} stroke="${COLORS["king cross"]}" stroke-width="${width}"/></g>`;
}

// What lies between the squares and the pieces once `move` has exploded.
export function explosion(move, before, flipped) {
  const [from, zero] = move.slides[0];
  const burnt = [...new Set([...move.blast, zero])].filter((square) => square !== from);
  const dead = move.blast.filter((square) => isPiece(before[square]));
  return [
    zone(zero, flipped),
    ...burnt.map((square) => scorch(square, flipped)),
    burst(zero, flipped),
    ...dead.map((square) => ghost(before[square], square, square === zero, flipped)),
  ].join("");
}
