// Who died, as small pieces beside a player.

import { NAMES } from "../model/words.js";
import { drawing } from "./elements.js";

export function showFallen(place, symbols, pieces) {
  const kinds = [...new Set(symbols)];
  const count = (symbol) => symbols.filter((other) => other === symbol).length;
  const words = kinds.map((symbol) => `${count(symbol)} ${NAMES[symbol.toLowerCase()] ?? "piece"}`).join(", ");
  place.setAttribute("aria-label", words ? `Lost: ${words}` : "Lost nothing");
  place.title = words ? `Lost: ${words}` : "";
  place.replaceChildren(...symbols.map((symbol) => {
    const picture = drawing("4 4 37 37", { width: 17, height: 17, "aria-hidden": "true" });
    picture.innerHTML = pieces[symbol] ?? "";
    return picture;
  }));
}
