// What is said about the position, also to those who hear the page.

import { moveInWords, positionInWords } from "../model/words.js";
import { element } from "./elements.js";

export class Caption {
  constructor(game) {
    this.game = game;
    this.root = element("p", { class: "av-caption", role: "status", "aria-live": "polite" });
    this.pieces = element("p", { class: "av-hidden" });
  }

  show(index) {
    const { data, last } = this.game;
    const isEnd = index === last;
    const isFault = index === data.fault?.[0];
    const errors = isEnd || isFault ? data.errors ?? [] : [];
    this.root.replaceChildren(element("b", {}, moveInWords(this.game, index)));
    if (isFault) this.root.append(`Line ${data.fault[1]} of the file: `);
    for (const text of new Set([...errors, isEnd ? data.end ?? "" : ""].filter(Boolean))) {
      this.root.append(element("bdi", {}, text), element("br"));
    }
    this.root.classList.toggle("av-end", isEnd && !errors.length);
    this.root.classList.toggle("av-bad", errors.length > 0);
    this.pieces.textContent = positionInWords(this.game.position(index));
  }
}
