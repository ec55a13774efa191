// Positions: which piece stands on which square, and what a move does to that.
// No rules of chess in here, so it works for every variant.

export const FILES = "abcdefgh";

export function isSquare(text) {
  return /^[a-h][1-8]$/.test(text);
}

export function isPiece(symbol) {
  return /^[pnbrqk]$/i.test(symbol);
}

export function isWhite(symbol) {
  return symbol === symbol.toUpperCase();
}

// The squares in a text of squares, "e1g1h1f1".
export function squares(text) {
  return String(text ?? "").match(/[a-h][1-8]/g) ?? [];
}

// The placement of a FEN as an object from squares to piece letters.
export function parsePlacement(fen) {
  const position = {};
  String(fen).split("/").slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (/[1-8]/.test(char)) file += Number(char);
      else if (isPiece(char) && file < 8) position[FILES[file++] + (8 - index)] = char;
    }
  });
  return position;
}

// The placement of a FEN.
export function formatPlacement(position) {
  return [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
    const row = [...FILES].map((file) => position[file + rank] ?? "1").join("");
    return row.replace(/1+/g, (empty) => empty.length);
  }).join("/");
}

// The squares beside each king where a piece of its own side stands: capturing it explodes the king.
export function besideKings(position) {
  const kings = Object.entries(position).filter(([, symbol]) => /k/i.test(symbol));
  return kings.flatMap(([king, symbol]) => Object.keys(position).filter((square) => (
    square !== king && isWhite(position[square]) === isWhite(symbol)
    && Math.abs(FILES.indexOf(square[0]) - FILES.indexOf(king[0])) < 2 && Math.abs(square[1] - king[1]) < 2
  )));
}

// The position after a move of game.js: pieces slide, then things explode.
export function applyMove(position, move) {
  const next = { ...position };
  for (const [from] of move.slides) delete next[from];
  for (const [from, to] of move.slides) if (position[from]) next[to] = position[from];
  for (const square of move.blast) delete next[square];
  if (move.blast.length && move.slides.length) delete next[move.slides[0][1]];
  for (const [piece, square] of move.changes) {
    if (isPiece(piece)) next[square] = piece;
    else delete next[square];
  }
  return next;
}
