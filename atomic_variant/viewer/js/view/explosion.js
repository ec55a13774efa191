// How an explosion looks: markup for chessboard.js.

import art from "../art.json";
import { isPiece } from "../model/position.js";
import { center, corner, SQUARE } from "./geometry.js";

function scorch(square, flipped, opacity) {
  const [x, y] = corner(square, flipped);
  return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" class="av-scorched" `
    + `fill="${art.colors.scorched}" fill-opacity="${opacity}"/>`;
}

export function burst() {
  const { colors } = art;
  return `<path d="${art.burst}" fill="${colors.explosion}" stroke="${colors["explosion core"]}" stroke-width="1.2"/>`
    + `<path d="${art.burst}" transform="rotate(17) scale(.68)" fill="${colors["explosion core"]}"/>`
    + '<circle r="8" fill="#fff" fill-opacity=".6"/>';
}

export function kingCross(square, flipped) {
  const [x, y] = corner(square, flipped);
  const path = 'd="M10 10 35 35M35 10 10 35" stroke-linecap="round"';
  return `<g class="av-cross" transform="translate(${x} ${y})"><path ${path} stroke="#fff" stroke-width="8"/>`
    + `<path ${path} stroke="${art.colors["king cross"]}" stroke-width="5"/></g>`;
}

// Scorched squares, a burst on ground zero, ghosts of what died.
export function explosion(move, before, flipped) {
  const [from, zero] = move.slides[0];
  const out = [];
  for (const square of new Set([...move.blast, zero])) {
    if (square !== from) out.push(scorch(square, flipped, square === zero ? 0.8 : 0.5));
  }
  const [x, y] = center(zero, flipped);
  out.push(`<g transform="translate(${x} ${y}) scale(1.4)"><g class="av-burst">${burst()}</g></g>`);
  for (const square of move.blast) {
    if (!isPiece(before[square])) continue;
    const [left, top] = corner(square, flipped);
    const place = square === zero ? `translate(${left + 9} ${top + 9}) scale(.6)` : `translate(${left} ${top})`;
    out.push(`<g class="av-ghost" opacity=".5" transform="${place}" data-ghost="${square}">${art.pieces[before[square]]}</g>`);
    if (before[square].toLowerCase() === "k") out.push(kingCross(square, flipped));
  }
  return out.join("");
}
