// A page of puzzles to solve by clicking. A wrong move is answered by what refutes it.

import { placement, Puzzle } from "../model/puzzle.js";
import { button, element } from "../view/elements.js";
import { PlayBoard } from "./playboard.js";

const ANSWER_MS = 700;

export class PuzzlePage {
  constructor(document) {
    this.puzzles = JSON.parse(document.getElementById("puzzles").textContent).map((data) => new Puzzle(data));
    this.at = 0;
    this.timer = null;
    this.title = document.getElementById("task");
    this.source = document.getElementById("source");
    this.score = document.getElementById("score");
    this.previous = button("Previous puzzle", "back", () => this.show(this.at - 1));
    this.next = button("Next puzzle", "forward", () => this.show(this.at + 1));
    this.reveal = element("button", { type: "button", onclick: () => this.playSolution() }, "Show the solution");
    document.getElementById("controls").append(this.previous, this.next, this.reveal);
    this.play = new PlayBoard(document.getElementById("board"), {
      onMove: (uci) => this.move(uci),
      onTakeBack: () => this.takeBack(),
      onFlip() {},
    });
  }

  follow() {
    const number = Number(location.hash.slice(1));
    this.show(this.puzzles[number - 1] ? number - 1 : 0);
  }

  get puzzle() {
    return this.puzzles[this.at];
  }

  show(at) {
    clearTimeout(this.timer);
    if (!this.puzzles[at]) return;
    this.at = at;
    const { puzzle } = this;
    puzzle.restart();
    this.title.textContent = `${at + 1}. ${puzzle.data.task}`;
    this.source.textContent = puzzle.data.source;
    this.previous.disabled = at === 0;
    this.next.disabled = at === this.puzzles.length - 1;
    history.replaceState(null, "", `#${at + 1}`);
    this.play.flip(puzzle.data.black);
    // First the position before, so that the move that led here is seen.
    this.play.update({ position: puzzle.data.before, moves: [], ply: puzzle.data.ply });
    this.tell(puzzle.data.task);
  }

  move(uci) {
    const kind = this.puzzle.choose(uci);
    if (!kind) return;
    const [[san]] = this.puzzle.line.at(-1);
    if (kind === "solved") {
      this.puzzle.done = true;
      this.tell(`${san}: solved!`);
    } else if (kind === "right") {
      this.tell(`${san} is right.`);
      this.later(() => `${san} is right. Go on.`);
    } else {
      this.tell(`${san} does not win.`);
      if (this.puzzle.answer) this.later((answer) => `${san} does not win: ${answer} answers it. Take it back.`);
    }
  }

  // The other side moves.
  later(words) {
    this.timer = setTimeout(() => {
      const row = this.puzzle.answer;
      this.puzzle.make(row);
      this.puzzle.answer = null;
      this.tell(words(row[0]));
    }, ANSWER_MS);
  }

  takeBack() {
    clearTimeout(this.timer);
    this.puzzle.takeBack();
    this.puzzle.answer = null;
    this.tell(this.puzzle.data.task);
  }

  playSolution() {
    clearTimeout(this.timer);
    const { puzzle } = this;
    puzzle.takeBack();
    if (puzzle.answer) puzzle.make(puzzle.answer);
    puzzle.answer = null;
    const step = () => {
      const [uci] = puzzle.solution;
      if (puzzle.solved || !uci) return;
      puzzle.choose(uci);
      this.tell("The solution.");
      this.timer = setTimeout(() => {
        if (puzzle.answer) puzzle.make(puzzle.answer);
        puzzle.answer = null;
        this.tell("The solution.");
        this.timer = setTimeout(step, ANSWER_MS);
      }, ANSWER_MS);
    };
    step();
  }

  tell(status) {
    const { puzzle } = this;
    const [row, before] = puzzle.line.at(-1);
    const wait = puzzle.kept || puzzle.answer || puzzle.solved;
    this.play.update({
      position: placement(puzzle.position),
      before: placement(before),
      last: row,
      ply: puzzle.data.ply,
      moves: puzzle.line.map(([[san]]) => san),
      legal: wait ? [] : puzzle.choices.map(([uci, [, , blast]]) => [uci, blast ?? ""]),
      check: row[4]?.k,
      status,
      over: puzzle.solved,
      can_take_back: Boolean(puzzle.kept),
    });
    const done = this.puzzles.filter((other) => other.done).length;
    this.score.textContent = `${done} of ${this.puzzles.length} solved`;
  }
}
