// The viewer of a game: which move is shown, and what leads to another.

import STYLE from "../../css/viewer.css";
import { evaluationText } from "../model/evaluation.js";
import { Game } from "../model/game.js";
import { blame, moveInWords } from "../model/words.js";
import { Caption } from "../view/caption.js";
import { ChessBoard } from "../view/chessboard.js";
import { Curve } from "../view/curve.js";
import { dangerArrows, dangerMarks } from "../view/danger.js";
import { boardWidth, button, element, setIcon } from "../view/elements.js";
import { Menu } from "../view/menu.js";
import { MoveList } from "../view/movelist.js";
import { Players } from "../view/players.js";

const KEYS = "Left and right step through the moves, up and down choose a variation, X and Z go to the next and the "
  + "previous explosion, N and P to the next and the previous move that is marked as a mistake, space plays, D shows "
  + "danger, F flips the board, M changes the list of moves, C copies the FEN, L opens Lichess.";
const SWIPE = 40; // Pixels.

export class GameViewer {
  constructor(el, data, { node = 0, flipped = false, look = {}, onChange = () => {} } = {}) {
    this.game = new Game(data);
    this.onChange = onChange;
    this.node = -1;
    this.look = look ?? {};
    this.timer = null;
    this.board = new ChessBoard({}, this.look);
    this.players = new Players(this.game.headers);
    this.caption = new Caption(this.game);
    this.moves = new MoveList(this.game, (index) => this.go(index));
    this.curve = new Curve(this.game, (ply) => this.go(this.game.line(this.node)[ply]));
    this.score = element("span", { class: "av-eval" });
    this.makeControls();
    this.root = this.build();
    this.listen();
    this.flip(flipped);
    el.replaceChildren(this.root);
    this.show(this.game.nodes[node] ? node : 0);
  }

  // --- What can be done ----------------------------------------------------------

  makeControls() {
    this.actions = {
      first: () => this.go(0),
      back: () => this.go(this.game.back(this.node)),
      forward: () => this.go(this.game.forward(this.node)),
      last: () => this.go(this.game.end(this.node)),
      blastback: () => this.go(this.game.previousExplosion(this.node)),
      blast: () => this.go(this.game.nextExplosion(this.node)),
      mistakeback: () => this.go(this.game.previousMistake(this.node)),
      mistake: () => this.go(this.game.nextMistake(this.node)),
      up: () => this.go(this.game.sibling(this.node, -1)),
      down: () => this.go(this.game.sibling(this.node, 1)),
      play: () => (this.timer === null ? this.play() : this.pause()),
      flip: () => this.turn(),
      danger: () => this.toggleDanger(),
      columns: () => this.toggleColumns(),
      fen: () => this.menu.copyFen(),
      lichess: () => this.menu.openLichess(),
    };
    const control = (name, label, key) => button(`${label} (${key})`, name, () => {
      if (name !== "play") this.pause();
      this.actions[name]();
    });
    this.controls = {
      first: control("first", "First position", "Home"),
      blastback: control("blastback", "Previous explosion", "Z"),
      back: control("back", "Back", "Left"),
      play: control("play", "Play", "Space"),
      forward: control("forward", "Forward", "Right"),
      blast: control("blast", "Next explosion", "X"),
      last: control("last", "Last position", "End"),
      mistakeback: control("mistakeback", "Previous mistake", "P"),
      mistake: control("mistake", "Next mistake", "N"),
      flip: control("flip", "Flip the board", "F"),
      danger: control("danger", "Show where kings may explode", "D"),
    };
    this.controls.danger.setAttribute("aria-pressed", "false");
    // The data say so of games in which things explode.
    this.controls.danger.hidden = typeof this.game.data.wins !== "string";
    const { mistake, mistakeback } = this.controls;
    mistake.hidden = mistakeback.hidden = !this.game.nodes.some((move) => blame(move.extras));
    this.columns = element("button", {
      type: "button", "aria-pressed": "false", title: "Key: M", onclick: () => this.toggleColumns(),
    }, "Moves in columns");
    this.speed = element("select", { "aria-label": "Seconds for a move" },
      ...[0.5, 1, 2, 4].map((value) => element("option", { value, selected: value === 1 }, `${value} s a move`)));
    this.menu = new Menu(this, [this.columns, this.speed]);
  }

  press(event) {
    const name = {
      ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", ArrowUp: "up", ArrowDown: "down",
      " ": "play", x: "blast", z: "blastback", n: "mistake", p: "mistakeback", d: "danger", f: "flip", m: "columns",
      c: "fen", l: "lichess",
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    // A button that has the focus is pressed with the space bar, and text is chosen with arrows.
    if (event.target.closest("textarea, select") || (event.key === " " && event.target.closest("button, summary"))) return;
    // Without a variation to go to, up and down scroll the page as always.
    if (/Up|Down/.test(event.key) && this.game.siblings(this.node).length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    if (name !== "play") this.pause();
    this.actions[name]();
  }

  listen() {
    this.root.addEventListener("keydown", (event) => this.press(event));
    const { svg } = this.board;
    let turned = 0;
    svg.addEventListener("wheel", (event) => {
      const to = event.deltaY > 0 ? this.game.forward(this.node) : this.game.back(this.node);
      // At either end the page scrolls on.
      if (to === this.node || event.ctrlKey) return;
      event.preventDefault();
      turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
      if (Math.abs(turned) < 20) return;
      turned = 0;
      this.pause();
      this.go(to);
    }, { passive: false });
    let begin = null;
    svg.addEventListener("touchstart", (event) => {
      begin = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    svg.addEventListener("touchend", (event) => {
      const [end] = event.changedTouches;
      if (!begin || !end) return;
      const [dx, dy] = [end.clientX - begin.clientX, end.clientY - begin.clientY];
      begin = null;
      if (Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy)) return;
      this.pause();
      if (dx < 0) this.actions.forward();
      else this.actions.back();
    });
  }

  play() {
    const step = () => {
      this.go(this.game.forward(this.node));
      if (this.game.nodes[this.node].children.length) this.timer = setTimeout(step, 1000 * Number(this.speed.value));
      else this.pause();
    };
    if (!this.game.nodes[this.node].children.length) this.go(0);
    this.timer = setTimeout(step, 300);
    this.showPlaying(true);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying(false);
  }

  showPlaying(isPlaying) {
    setIcon(this.controls.play, isPlaying ? "pause" : "play");
    const label = isPlaying ? "Pause (Space)" : "Play (Space)";
    this.controls.play.setAttribute("aria-label", label);
    this.controls.play.title = label;
  }

  toggleDanger() {
    if (this.controls.danger.hidden) return;
    this.inDanger = !this.inDanger;
    this.controls.danger.setAttribute("aria-pressed", String(this.inDanger));
    this.board.show(this.scene());
  }

  toggleColumns() {
    this.inColumns = !this.inColumns;
    this.columns.setAttribute("aria-pressed", String(this.inColumns));
    this.moves.arrange(this.inColumns);
    this.moves.mark(this.node);
  }

  // What a reader asks for is told to whoever wants to know; show() and flip() are silent.
  go(index) {
    if (this.show(index)) this.onChange({ node: index, ply: this.game.nodes[index].depth });
  }

  turn() {
    this.flip(!this.board.flipped);
    this.onChange({ flipped: this.board.flipped });
  }

  // --- What is shown -------------------------------------------------------------

  build() {
    const { headers } = this.game;
    const site = /^https:\/\/[\w.-]+\/[\w/#-]*$/.test(headers.Site ?? "")
      ? element("a", { href: headers.Site, target: "_blank", rel: "noopener noreferrer" }, headers.Site.slice(8))
      : headers.Site && element("bdi", {}, headers.Site);
    // Each text ends what a right-to-left mark in it may have begun.
    const facts = ["Event", "Variant", "Date", "TimeControl", "Result", "Opening"].filter((name) => headers[name])
      .map((name) => element("bdi", {}, headers[name]));
    const event = [...facts, ...(site ? [site] : [])].flatMap((fact, index) => [index ? " · " : "", fact]);
    const controls = element("div", { class: "av-controls" }, ...Object.values(this.controls), this.score, this.menu.root);
    return element("div", {
      class: "av av-viewer",
      style: boardWidth(this.look),
      tabindex: "0",
      role: "group",
      "aria-label": `Game viewer, ${headers.White ?? "White"} against ${headers.Black ?? "Black"}. ${KEYS}`,
      "data-lm-suppress-shortcuts": "true", // JupyterLab leaves our keys alone.
    },
    element("style", {}, STYLE),
    element("div", { class: "av-main" },
      element("div", { class: "av-left" }, this.players.top, this.board.svg, this.players.bottom, controls,
        ...(this.curve.isEmpty ? [] : [this.curve.root])),
      element("div", { class: "av-right" },
        element("p", { class: "av-event" }, ...event), this.caption.root, this.moves.root, this.caption.pieces)));
  }

  flip(flipped) {
    this.board.flipped = Boolean(flipped);
    this.players.flip(this.board.flipped);
    if (this.node >= 0) this.board.draw(this.scene());
  }

  scene() {
    const { game, node } = this;
    const move = game.nodes[node];
    const position = game.position(node);
    const better = game.better(node);
    const wins = node ? move.extras.w : game.data.wins;
    return {
      position,
      before: node ? game.position(move.parent) : null,
      move,
      check: move.extras.k,
      marks: this.inDanger ? dangerMarks(this.board, position) : "",
      arrows: [move.extras.a, better && `G${better.join("")}`, this.inDanger && dangerArrows(wins)].filter(Boolean).join(" "),
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
    const { first, back, forward, last, blast, blastback, mistake, mistakeback } = this.controls;
    first.disabled = back.disabled = index === 0;
    forward.disabled = last.disabled = move.children.length === 0;
    blast.disabled = this.game.nextExplosion(index) === index;
    blastback.disabled = this.game.previousExplosion(index) === index;
    mistake.disabled = this.game.nextMistake(index) === index;
    mistakeback.disabled = this.game.previousMistake(index) === index;
    this.score.textContent = evaluationText(move.extras);
    this.players.showClocks(this.game.clocks(index));
    this.players.showFallen(this.game.fallen(index), this.board.pieces);
    this.moves.mark(index);
    this.curve.mark(move.depth);
    this.menu.update();
    return true;
  }
}
