// A page of one game.

import { GameViewer } from "./control/gameviewer.js";
import { printKeyPositions } from "./control/printing.js";
import { addressToMove, moveToAddress } from "./model/address.js";

const shown = JSON.parse(document.getElementById("game").textContent);
const viewer = new GameViewer(document.getElementById("viewer"), shown.game, {
  ...shown,
  onChange({ node }) {
    if (node !== undefined) history.replaceState(null, "", `#${moveToAddress(viewer.game, node)}`);
  },
});
const follow = () => {
  if (location.hash) viewer.show(addressToMove(viewer.game, location.hash));
};
globalThis.addEventListener("hashchange", follow);
follow();
printKeyPositions(() => [viewer]);
viewer.root.focus({ preventScroll: true });
