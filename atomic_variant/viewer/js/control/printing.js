// Paper shows one position of a game: the last explosion, unless somebody has chosen another.

export function printKeyPositions(viewers) {
  let turned = [];
  globalThis.addEventListener("beforeprint", () => {
    turned = [...viewers()].filter((viewer) => viewer.node === 0);
    for (const viewer of turned) viewer.show(viewer.game.key);
  });
  globalThis.addEventListener("afterprint", () => {
    for (const viewer of turned) viewer.show(0);
  });
}
