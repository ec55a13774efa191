// A game as PGN.

import { evaluationText } from "./evaluation.js";
import { clockText } from "./words.js";

function quoted(text) {
  return String(text).replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ");
}

function comment(text, extras = {}) {
  const clock = Number.isFinite(extras.t) ? `[%clk ${clockText(extras.t).replace(/^\d+:\d\d$/, "0:$&")}]` : "";
  const score = evaluationText(extras).replace(/^\+/, "");
  const parts = [score && score !== "#" ? `[%eval ${score}]` : "", clock, String(text ?? "").replace(/[{}]/g, "")];
  const said = parts.filter(Boolean).join(" ");
  return said ? [`{ ${said} }`] : [];
}

// The moves from one on, with the variations beside each.
function moves(game, begin, out) {
  let fresh = true;
  for (let index = begin; index !== undefined; index = game.nodes[index].children[0]) {
    const { san, extras } = game.nodes[index];
    const number = game.number(index);
    if (extras.s) out.push(...comment(extras.s));
    if (fresh || !number.endsWith("...") || extras.s) out.push(number);
    const nags = (extras.n ?? []).filter(Number.isInteger).map((nag) => `$${nag}`);
    const said = comment(extras.c, extras);
    out.push(san, ...nags, ...said);
    fresh = said.length > 0;
    const others = game.siblings(index);
    if (index !== others[0]) continue;
    for (const other of others.slice(1)) {
      out.push("(");
      moves(game, other, out);
      out.push(")");
      fresh = true;
    }
  }
}

export function gameToPgn(game) {
  const { headers } = game;
  const roster = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };
  const start = game.data.setup ?? game.fen(0);
  const setup = start && start !== "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" ? { SetUp: "1", FEN: start } : {};
  const lines = Object.entries({ ...roster, ...headers, ...setup }).map(([name, value]) => `[${name} "${quoted(value)}"]`);
  const out = comment(game.data.intro);
  const [first] = game.nodes[0].children;
  if (first !== undefined) moves(game, first, out);
  // Whoever reads on knows that moves may be missing.
  for (const error of game.data.errors ?? []) out.push(...comment(`Error: ${error}`));
  out.push(headers.Result ?? "*");
  return `${lines.join("\n")}\n\n${out.join(" ").replaceAll("( ", "(").replaceAll(" )", ")")}\n`;
}
