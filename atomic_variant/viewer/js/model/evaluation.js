// Evaluations of an engine, as the extras of a move hold them: `e` in centipawns, `m` in moves to mate.

export function evaluationText(extras) {
  if (Number.isFinite(extras.m)) return extras.m ? `#${extras.m}` : "#";
  if (Number.isFinite(extras.e)) return `${extras.e > 0 ? "+" : ""}${(extras.e / 100).toFixed(2)}`;
  return "";
}

// From -1, Black wins, to 1, White wins; null where nothing is known.
export function winningChance(extras) {
  if (Number.isFinite(extras.m)) return extras.m > 0 ? 1 : -1;
  if (Number.isFinite(extras.e)) return 2 / (1 + Math.exp(-0.004 * extras.e)) - 1;
  return null;
}
