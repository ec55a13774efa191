// Where a capture would explode a king: tints, and arrows for the captures that would.

import { besideKings, squares } from "../model/position.js";

export function dangerMarks(board, position) {
  return besideKings(position).map((square) => (
    board.rect(square, 'class="av-danger" fill="#e8501e" fill-opacity=".4"')
  )).join("");
}

// "d5e7h4f2" as red arrows of chessboard.js.
export function dangerArrows(text) {
  const path = squares(text);
  return path.flatMap((square, at) => (at % 2 ? [`R${path[at - 1]}${square}`] : [])).join(" ");
}
