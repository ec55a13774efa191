// The viewer of a game: which move is shown, and what leads to another.

import STYLE from "../../css/viewer.css";
import { evaluationText } from "../model/evaluation.js";
import { Game } from "../model/game.js";
import { moveInWords } from "../model/words.js";
import { Caption } from "../view/caption.js";
import { ChessBoard } from "../view/chessboard.js";
import { Curve } from "../view/curve.js";
import { button, element } from "../view/elements.js";
import { MoveList } from "../view/movelist.js";
import { Players } from "../view/players.js";

export class GameViewer {
  constructor(el, data, { node = 0, flipped = false, onChange = () => {} } = {}) {
    this.game = new Game(data);
    this.onChange = onChange;
    this.node = -1;
    this.board = new ChessBoard();
    this.players = new Players(this.game.headers);
    this.caption = new Caption(this.game);
    this.moves = new MoveList(this.game, (index) => this.go(index));
    this.curve = new Curve(this.game, (ply) => this.go(this.game.line(this.node)[ply]));
    this.score = element("span", { class: "av-eval" });
    this.backward = [
      button("First position", "first", () => this.go(0)),
      button("Back", "back", () => this.go(this.game.back(this.node))),
    ];
    this.onward = [
      button("Forward", "forward", () => this.go(this.game.forward(this.node))),
      button("Last position", "last", () => this.go(this.game.end(this.node))),
    ];
    this.root = this.build();
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.flip(flipped);
    el.replaceChildren(this.root);
    this.show(this.game.nodes[node] ? node : 0);
  }

  build() {
    const { headers } = this.game;
    // Each text ends what a right-to-left mark in it may have begun.
    const event = [headers.Event, headers.Variant, headers.Date, headers.Result].filter(Boolean)
      .flatMap((text, index) => [index ? " · " : "", element("bdi", {}, text)]);
    const controls = element("div", { class: "av-controls" }, ...this.backward, ...this.onward,
      button("Flip the board", "flip", () => this.turn()), this.score);
    return element("div", {
      class: "av av-viewer",
      tabindex: "0",
      role: "group",
      "aria-label": `Game viewer, ${headers.White ?? "White"} against ${headers.Black ?? "Black"}. `
        + "Left and right step through the moves, up and down choose a variation, F flips the board.",
      "data-lm-suppress-shortcuts": "true", // JupyterLab leaves our keys alone.
    },
    element("style", {}, STYLE),
    element("div", { class: "av-main" },
      element("div", { class: "av-left" }, this.players.top, this.board.svg, this.players.bottom, controls,
        ...(this.curve.isEmpty ? [] : [this.curve.root])),
      element("div", { class: "av-right" },
        element("p", { class: "av-event" }, ...event), this.caption.root, this.moves.root, this.caption.pieces)));
  }

  press(event) {
    const { game } = this;
    const actions = {
      ArrowLeft: () => this.go(game.back(this.node)),
      ArrowRight: () => this.go(game.forward(this.node)),
      Home: () => this.go(0),
      End: () => this.go(game.end(this.node)),
      ArrowUp: () => this.go(game.sibling(this.node, -1)),
      ArrowDown: () => this.go(game.sibling(this.node, 1)),
      f: () => this.turn(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    // Without a variation to go to, up and down scroll the page as always.
    if (/Up|Down/.test(event.key) && game.siblings(this.node).length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  // What a reader asks for is told to whoever wants to know; show() and flip() are silent.
  go(index) {
    if (this.show(index)) this.onChange({ node: index, ply: this.game.nodes[index].depth });
  }

  turn() {
    this.flip(!this.board.flipped);
    this.onChange({ flipped: this.board.flipped });
  }

  flip(flipped) {
    this.board.flipped = Boolean(flipped);
    this.players.flip(this.board.flipped);
    if (this.node >= 0) this.board.draw(this.scene());
  }

  scene() {
    const move = this.game.nodes[this.node];
    return {
      position: this.game.position(this.node),
      before: this.node ? this.game.position(move.parent) : null,
      move,
      check: move.extras.k,
      arrows: move.extras.a,
    };
  }

  // Returns whether it shows something new.
  show(index) {
    const move = this.game.nodes[index];
    if (!move || index === this.node) return false;
    const follows = move.parent === this.node;
    this.node = index;
    if (follows) this.board.play(this.scene());
    else this.board.show(this.scene());
    this.board.svg.setAttribute("aria-label", `Board. ${moveInWords(this.game, index)}`);
    this.caption.show(index);
    for (const control of this.backward) control.disabled = index === 0;
    for (const control of this.onward) control.disabled = move.children.length === 0;
    this.score.textContent = evaluationText(move.extras);
    this.players.showClocks(this.game.clocks(index));
    this.moves.mark(index);
    this.curve.mark(move.depth);
    return true;
  }
}
