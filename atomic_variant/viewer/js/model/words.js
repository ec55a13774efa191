// Moves, positions and clocks in words.

import { isWhite } from "./position.js";

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

const NAGS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
  18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 132: "⇆", 138: "⊕", 146: "N",
};
const SPOKEN_NAGS = {
  1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "dubious move",
};

// The NAGs of a move, as signs and as a reader would say them.
export function nagsInWords(extras) {
  const nags = (extras.n ?? []).filter(Number.isInteger);
  return {
    signs: nags.map((nag) => NAGS[nag] ?? ` $${nag}`).join(""),
    spoken: nags.map((nag) => SPOKEN_NAGS[nag]).filter(Boolean).join(", "),
  };
}

// The worst that a move was called: "blunder", "mistake", "dubious" or nothing.
export function blame(extras) {
  const nags = extras.n ?? [];
  return [[4, "blunder"], [2, "mistake"], [6, "dubious"]].find(([nag]) => nags.includes(nag))?.[1] ?? "";
}

export function pieceName(symbol) {
  return `${isWhite(symbol) ? "white" : "black"} ${NAMES[symbol.toLowerCase()] ?? "piece"}`;
}

// Pairs of square and piece, "white knight e6, black queen d8".
export function piecesInWords(pairs) {
  return pairs.map(([square, symbol]) => `${pieceName(symbol)} ${square}`).join(", ");
}

export function positionInWords(position) {
  const side = (white) => Object.entries(position)
    .filter(([, symbol]) => isWhite(symbol) === white)
    .map(([square, symbol]) => `${NAMES[symbol.toLowerCase()]} ${square}`).join(", ") || "nothing";
  return `White: ${side(true)}. Black: ${side(false)}.`;
}

// A move of a game with its number and what it exploded.
export function moveInWords(game, index) {
  if (!index) return "Starting position";
  const move = game.nodes[index];
  const explosion = move.blast.length ? `, explosion on ${move.slides[0]?.[1]}: ${piecesInWords(game.dead(index))}` : "";
  return `${game.number(index)} ${move.san}${explosion}`;
}

export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(whole % 60)}`;
}
