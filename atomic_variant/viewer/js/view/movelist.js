// The moves of a game with variations and comments, each a button.

import { evaluationText } from "../model/evaluation.js";
import { blame, nagsInWords } from "../model/words.js";
import { element } from "./elements.js";

export class MoveList {
  constructor(game, onPick) {
    this.game = game;
    this.onPick = onPick;
    this.buttons = new Map();
    this.root = element("div", { class: "av-moves", role: "group", "aria-label": "Moves" });
    this.comment(game.data.intro, this.root);
    if (game.data.fault?.[0] === 0) this.fault(this.root);
    const lines = game.nodes[0].children.slice(0, 1).map((index) => ({ begin: index, into: this.root, level: 0 }));
    while (lines.length) lines.push(...this.write(lines.shift()));
    if (!this.buttons.size) this.root.append(element("span", { class: "av-number" }, "No moves."));
  }

  comment(text, into) {
    if (text) into.append(element("bdi", { class: "av-comment", dir: "auto" }, String(text)), " ");
  }

  // What could not be read, where it stands.
  fault(into) {
    const [, line, text] = this.game.data.fault;
    into.append(element("bdi", { class: "av-fault", title: `Line ${line} of the file` }, text || "error"), " ");
  }

  // Writes one line; returns the variations that are to be written into it.
  write({ begin, into, level }) {
    const { nodes } = this.game;
    const variations = [];
    let numbered = false;
    for (let index = begin; index !== undefined; index = nodes[index].children[0]) {
      const others = this.game.siblings(index);
      this.comment(nodes[index].extras.s, into);
      into.append(...this.move(index, numbered), " ");
      this.comment(nodes[index].extras.c, into);
      if (index === this.game.data.fault?.[0]) this.fault(into);
      numbered = !nodes[index].extras.c;
      if (index !== others[0]) continue;
      for (const other of others.slice(1)) {
        // Indented no deeper than can be read on a phone.
        const block = element("div", { class: level < 6 ? "av-variation" : "", role: "group", "aria-label": "Variation" });
        into.append(block);
        variations.push({ begin: other, into: block, level: level + 1 });
        numbered = false;
      }
    }
    return variations;
  }

  // A move, with its number unless the move before it has said it.
  move(index, numbered) {
    const { san, extras } = this.game.nodes[index];
    const number = this.game.number(index);
    const { signs, spoken } = nagsInWords(extras);
    const score = evaluationText(extras);
    // What is seen is said as it stands, for those who speak to their browser.
    const said = [`${number} ${san}${signs}${score && ` ${score}`}`, spoken].filter(Boolean).join(", ");
    const button = element("button", {
      type: "button", tabindex: "-1", "data-node": index, onclick: () => this.onPick(index),
      class: `av-move av-${this.game.mover(index) ? "black" : "white"}${blame(extras) ? ` av-${blame(extras)}` : ""}`,
      "aria-label": spoken || score ? said : null,
    }, san + signs, ...(score ? [" ", element("span", { class: "av-score" }, score)] : []));
    this.buttons.set(index, button);
    const isSaid = numbered && number.endsWith("...");
    return isSaid ? [button] : [element("span", { class: "av-number" }, `${number}\u00a0`), button];
  }

  // Side by side or in one flow.
  arrange(inColumns) {
    this.root.classList.toggle("av-columns", inColumns);
  }

  mark(index) {
    for (const old of this.root.querySelectorAll("[aria-current]")) {
      old.removeAttribute("aria-current");
      old.tabIndex = -1;
    }
    const button = this.buttons.get(index);
    if (!button) {
      this.root.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "step");
    button.tabIndex = 0;
    // Scrolls the list only, never the page.
    const offset = button.offsetTop;
    const { scrollTop, clientHeight } = this.root;
    if (offset < scrollTop || offset + button.offsetHeight > scrollTop + clientHeight) {
      this.root.scrollTop = offset - clientHeight / 2;
    }
  }
}
