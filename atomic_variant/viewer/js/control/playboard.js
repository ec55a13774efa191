// A board to play on.
//
// Python knows the rules. It sends the legal moves with what they explode
// (`state`); the front end sends the move that was chosen and waits for the next
// state. A capture is shown before it is made: under the pointer, or on a touch
// screen with a first tap.

import STYLE from "../../css/viewer.css";
import { moveNumber, parseMove } from "../model/game.js";
import { FILES, isPiece, isWhite, parsePlacement, squares } from "../model/position.js";
import { NAMES, pieceName, piecesInWords, positionInWords } from "../model/words.js";
import { ChessBoard } from "../view/chessboard.js";
import { boardWidth, button, drawing, element } from "../view/elements.js";
import { burst, cross, zone } from "../view/explosion.js";
import { center } from "../view/geometry.js";

export class PlayBoard {
  constructor(el, { onMove, onAsk = () => {}, onTakeBack, onFlip, flipped = false, look = {} }) {
    Object.assign(this, { onMove, onAsk, onFlip, look });
    this.state = { position: "", legal: [], forbidden: [], moves: [] };
    this.position = {};
    this.selected = null; // The square of the piece that is to move.
    this.aimed = null; // The square under the pointer or the cursor.
    this.cursor = "e2";
    this.byKeys = false;
    this.dragged = null;
    this.tapped = null; // Where a finger came down, which may be about to scroll.
    this.board = new ChessBoard({
      tabindex: "0", role: "application", "aria-roledescription": "chess board",
      "aria-label": "Board. The arrow keys move a cursor, Enter picks a piece and its target, Escape puts it back.",
    }, look);
    this.status = element("p", { class: "av-caption", role: "status", "aria-live": "polite" });
    this.word = element("bdi", { class: "av-word" });
    this.spoken = element("p", { class: "av-hidden", "aria-live": "polite" });
    this.pieces = element("p", { class: "av-hidden" });
    this.moves = element("p", { class: "av-moves" });
    this.promotion = element("div", { class: "av-promotion", role: "group", "aria-label": "Promote to" });
    this.takeBack = button("Take back", "undo", () => onTakeBack());
    this.root = this.build();
    this.listen();
    this.flip(flipped);
    el.replaceChildren(this.root);
  }

  build() {
    const flip = button("Flip the board", "flip", () => {
      this.flip(!this.board.flipped);
      this.onFlip(this.board.flipped);
    });
    return element("div", {
      class: "av av-play", style: boardWidth(this.look), role: "group", "aria-label": "Board to play on",
      "data-lm-suppress-shortcuts": "true",
    },
    element("style", {}, STYLE),
    element("div", { class: "av-main" },
      element("div", { class: "av-left" }, this.board.svg, this.promotion,
        element("div", { class: "av-controls" }, this.takeBack, flip)),
      element("div", { class: "av-right" }, this.status, this.moves, this.spoken, this.pieces)));
  }

  listen() {
    const { svg } = this.board;
    svg.addEventListener("pointerdown", (event) => this.pointerDown(event));
    svg.addEventListener("pointermove", (event) => this.pointerMove(event));
    svg.addEventListener("pointerup", (event) => this.pointerUp(event));
    svg.addEventListener("pointercancel", () => {
      this.dragged = null;
      this.tapped = null;
      this.draw();
    });
    svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.aim(null); // A finger that is lifted leaves too.
    });
    svg.addEventListener("keydown", (event) => this.press(event));
  }

  // --- What can be done --------------------------------------------------------

  from(square) {
    return this.state.legal.filter(([uci]) => uci.slice(0, 2) === square);
  }

  to(square) {
    return this.from(this.selected).filter(([uci]) => uci.slice(2, 4) === square);
  }

  // Captures that would explode the own king.
  forbidden(square) {
    return this.state.forbidden.filter(([uci]) => uci.slice(0, 2) === this.selected && uci.slice(2, 4) === square);
  }

  // A square is chosen, by whatever means: a move, another piece, or a word why neither.
  choose(square) {
    const { selected } = this;
    if (selected && this.make(square)) return;
    if (square === selected) this.select(null);
    else if (this.from(square).length) this.select(square);
    else {
      this.select(null);
      if (selected) this.onAsk(selected, square);
      else if (this.position[square]) this.onAsk(square, null);
    }
  }

  // A word about what was chosen, until something else is.
  say(text) {
    this.word.textContent = text;
  }

  select(square) {
    this.selected = square && this.from(square).length ? square : null;
    this.aimed = null;
    if (this.selected) this.say("");
    this.promotion.replaceChildren();
    this.draw();
  }

  aim(square) {
    if (square === this.aimed) return;
    this.aimed = square;
    if (this.selected) this.draw();
  }

  // Makes the move to a square, or asks what the pawn becomes.
  make(square) {
    const choices = this.to(square);
    if (choices.length === 1) this.send(choices[0][0]);
    else if (choices.length) this.choosePromotion(choices);
    return choices.length > 0;
  }

  send(uci) {
    this.select(null);
    this.onMove(uci);
  }

  choosePromotion(choices) {
    const white = isWhite(this.position[this.selected]);
    const buttons = choices.map(([uci]) => {
      const letter = uci[4] ?? "q";
      const name = NAMES[letter] ?? letter;
      const choice = button(`Promote to ${name}`, "", () => this.send(uci), { "data-promotion": letter });
      const picture = drawing("0 0 45 45", { "aria-hidden": "true" });
      const symbol = white ? letter.toUpperCase() : letter;
      picture.innerHTML = isPiece(symbol) ? this.board.pieces[symbol] : "";
      choice.append(picture);
      return choice;
    });
    this.promotion.replaceChildren("Promote to", ...buttons, button("Do not promote", "close", () => this.select(null)));
    buttons[0].focus();
  }

  // --- Pointer and keys --------------------------------------------------------

  pointerDown(event) {
    const square = this.board.squareAt(event);
    this.byKeys = false;
    this.dragged = null;
    this.tapped = null;
    if (!square || event.button > 0) return;
    const isMovable = this.from(square).length > 0;
    if (event.pointerType === "touch" && !isMovable) {
      this.tapped = square;
      return;
    }
    event.preventDefault();
    this.board.svg.focus({ preventScroll: true });
    if (isMovable && square !== this.selected && !(this.selected && this.to(square).length)) {
      this.dragged = square;
      this.select(square);
      this.board.svg.setPointerCapture(event.pointerId);
      return;
    }
    this.aim(square);
    this.choose(square);
  }

  pointerMove(event) {
    if (event.pointerType === "touch" && !this.dragged) return;
    this.aim(this.board.squareAt(event));
    if (this.dragged && this.selected) this.board.drag(this.dragged, this.board.place(event));
  }

  pointerUp(event) {
    const square = this.board.squareAt(event);
    const { dragged, tapped } = this;
    this.dragged = null;
    this.tapped = null;
    if (tapped && tapped === square) this.tap(square);
    else if (dragged && square === dragged) this.draw();
    else if (dragged && square && this.selected === dragged) this.choose(square);
    else if (dragged) this.select(null);
  }

  // A finger hides what it points at: the first tap shows what would explode, the second makes the move.
  tap(square) {
    const [move] = this.selected ? this.to(square) : [];
    const [forbidden] = this.selected ? this.forbidden(square) : [];
    if ((move ?? forbidden)?.[1] && this.aimed !== square) {
      this.aim(square);
      if (!move) this.onAsk(this.selected, square);
    } else this.choose(square);
  }

  press(event) {
    const sign = this.board.flipped ? -1 : 1;
    const way = { ArrowLeft: [-sign, 0], ArrowRight: [sign, 0], ArrowUp: [0, sign], ArrowDown: [0, -sign] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way) this.moveCursor(way);
    else if (event.key === "Enter" || event.key === " ") {
      this.byKeys = true;
      this.choose(this.cursor);
    } else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor([right, up]) {
    const within = (low, value, high) => Math.min(high, Math.max(low, value));
    const file = FILES[within(0, FILES.indexOf(this.cursor[0]) + right, 7)];
    const square = file + within(1, Number(this.cursor[1]) + up, 8);
    Object.assign(this, { cursor: square, aimed: square, byKeys: true });
    this.draw();
    const here = this.position[square] ? `${square}, ${pieceName(this.position[square])}` : square;
    this.spoken.textContent = [here, this.selected ? this.aimInWords() : ""].filter(Boolean).join(". ");
  }

  // --- What is shown -----------------------------------------------------------

  marks() {
    const { board, selected } = this;
    const under = [];
    const over = [];
    if (selected) {
      under.push(board.rect(selected, 'fill="#1f6fe0" fill-opacity=".45" data-selected=""'));
      for (const [uci, blast] of this.from(selected)) {
        const target = uci.slice(2, 4);
        const [x, y] = center(target, board.flipped);
        over.push(blast
          ? `<circle cx="${x}" cy="${y}" r="19.5" fill="none" stroke="#c40018" stroke-width="4" data-target="${target}"/>`
          : `<circle cx="${x}" cy="${y}" r="7" fill="#0b5d1e" fill-opacity=".75" data-target="${target}"/>`);
      }
      for (const [uci] of this.state.forbidden.filter(([uci]) => uci.slice(0, 2) === selected)) {
        const target = uci.slice(2, 4);
        const [x, y] = center(target, board.flipped);
        // The sign for "no entry", with an edge that shows on squares of any colour.
        const sign = `M${x - 11} ${y - 11}L${x + 11} ${y + 11}M${x} ${y - 15.5}a15.5 15.5 0 1 0 .01 0`;
        over.push(`<path d="${sign}" fill="none" stroke="#fff" stroke-width="7"/>`
          + `<path d="${sign}" fill="none" stroke="#5b0010" stroke-width="4" data-forbidden="${target}"/>`);
      }
      const [ground, crosses] = this.preview();
      under.push(ground);
      over.push(crosses);
    }
    if (this.byKeys) {
      const [x, y] = center(this.cursor, board.flipped);
      over.push(`<rect x="${x - 20.5}" y="${y - 20.5}" width="41" height="41" fill="none" stroke="#1f6fe0" stroke-width="4"/>`);
    }
    return { marks: under.join(""), over: over.join("") };
  }

  // What the aimed move would explode: the zone and the burst under the pieces, crosses over those that die.
  preview() {
    const { aimed, board, position } = this;
    const blast = squares(aimed && [...this.to(aimed), ...this.forbidden(aimed)][0]?.[1]);
    if (!blast.length) return ["", ""];
    const dead = blast.filter((square) => position[square]);
    const crosses = dead.map((square) => cross(position[square], square, board));
    return [
      `<g class="av-preview">${zone(aimed, board)}${burst(aimed, board)}</g>`,
      `<g class="av-preview">${crosses.join("")}</g>`,
    ];
  }

  scene() {
    const { state, position } = this;
    return {
      position,
      move: state.last && parseMove(state.last, 1),
      before: state.before && parsePlacement(state.before),
      check: state.check,
      movable: new Set(state.legal.map(([uci]) => uci.slice(0, 2))),
      ...this.marks(),
    };
  }

  draw() {
    this.board.show(this.scene());
    const label = this.aimed && this.selected ? this.aimInWords() : "";
    if (this.spoken.textContent !== label) this.spoken.textContent = label;
  }

  aimInWords() {
    const [move] = this.to(this.aimed);
    const [forbidden] = this.forbidden(this.aimed);
    if (!move && !forbidden) return "";
    const words = `${this.selected} ${this.aimed}`;
    const dead = squares((move ?? forbidden)[1]).filter((square) => this.position[square]);
    const pieces = piecesInWords(dead.map((square) => [square, this.position[square]]));
    if (forbidden && !move) return `${words} is forbidden, it would explode ${pieces}`;
    return dead.length ? `${words} would explode ${pieces}` : `${this.selected} to ${this.aimed}`;
  }

  flip(flipped) {
    this.board.flipped = Boolean(flipped);
    this.draw();
  }

  update(next) {
    const made = next.moves.length - this.state.moves.length;
    const moves = (rows) => (rows ?? []).filter(([uci]) => /^([a-h][1-8]){2}[a-z]?$/.test(uci));
    this.state = { ...next, legal: moves(next.legal), forbidden: moves(next.forbidden) };
    this.position = parsePlacement(this.state.position);
    this.selected = null;
    this.aimed = null;
    this.promotion.replaceChildren();
    if (made > 0 && next.last) this.board.play(this.scene());
    else this.draw();
    this.word = element("bdi", { class: "av-word" });
    const news = next.news ? [element("b", {}, element("bdi", {}, next.news))] : [];
    this.status.replaceChildren(...news, element("bdi", {}, next.status ?? ""), " ", this.word);
    this.status.classList.toggle("av-end", Boolean(next.over));
    this.moves.textContent = next.moves.map((san, index) => {
      const number = moveNumber((next.ply ?? 0) + index);
      return index && number.endsWith("...") ? san : `${number} ${san}`;
    }).join(" ") || "No moves yet.";
    this.takeBack.disabled = !next.can_take_back;
    this.pieces.textContent = positionInWords(this.position);
  }
}
