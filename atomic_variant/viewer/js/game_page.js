// A page of one game.

import { GameViewer } from "./control/gameviewer.js";

const shown = JSON.parse(document.getElementById("game").textContent);
const viewer = new GameViewer(document.getElementById("viewer"), shown.game, shown);
viewer.root.focus({ preventScroll: true });
