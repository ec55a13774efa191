// Moves as parts of an address: "ply-10" in the main line, "move-57" in a variation.

export function moveToAddress(game, index) {
  const { depth } = game.nodes[index];
  return game.line(0)[depth] === index ? `ply-${depth}` : `move-${index}`;
}

// The move that an address names, the start where it names none.
export function addressToMove(game, text) {
  const [, kind, number] = /\b(ply|move)-(\d{1,5})$/.exec(text) ?? [];
  const index = kind === "ply" ? game.line(0)[Number(number)] : Number(number);
  return game.nodes[index] ? index : 0;
}
