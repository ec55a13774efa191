// Where the squares of a board are, in the units of chess.svg.

import { FILES } from "../model/position.js";

export const SQUARE = 45;
export const MARGIN = 15;
export const SIZE = 8 * SQUARE + 2 * MARGIN;

// The upper left corner of a square.
export function corner(square, flipped) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  return [MARGIN + SQUARE * (flipped ? 7 - file : file), MARGIN + SQUARE * (flipped ? rank : 7 - rank)];
}

export function center(square, flipped) {
  return corner(square, flipped).map((value) => value + SQUARE / 2);
}

// The square at a point, null outside of the board.
export function squareAt(x, y, flipped) {
  let file = Math.floor((x - MARGIN) / SQUARE);
  let rank = 7 - Math.floor((y - MARGIN) / SQUARE);
  if (flipped) [file, rank] = [7 - file, 7 - rank];
  return FILES[file] && rank >= 0 && rank < 8 ? FILES[file] + (rank + 1) : null;
}
