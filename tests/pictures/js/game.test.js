// Games are trees of moves, and positions follow from them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, moveNumber, parseMove } from "./js/model/game.js";

// 1. Nf3 f6 (1... d5 2. Nd4 (2. Ne5 f6)) 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8#
const DATA = {
  start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
  ply: 0,
  nodes: [
    ["Nf3", "g1f3", "", "", { t: 180 }], ["f6", "f7f6", "", "", { t: 178 }], ["Nd4", "f3d4", "", "", { t: 170 }],
    ["Nh6", "g8h6"], ["Ne6", "d4e6"], ["Ng8", "h6g8"], ["Nxd8#", "e6d8", "e8d8c8e6"],
    ["d5", "d7d5", "", "", { p: 1 }], ["Nd4", "f3d4"], ["Ne5", "f3e5", "", "", { p: 8 }], ["f6", "f7f6"],
  ],
};

test("the main line ends where its last move ends", () => {
  const game = new Game(DATA);
  assert.equal(game.last, 7);
  assert.deepEqual(game.line(0), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(game.line(10), [0, 1, 8, 10, 11]);
});

test("an explosion takes the capturer, what it took and all around but pawns", () => {
  const game = new Game(DATA);
  const after = game.position(7);
  for (const square of ["e6", "d8", "e8", "c8"]) assert.equal(after[square], undefined, square);
  for (const square of ["c7", "d7", "e7"]) assert.equal(after[square], "p", square);
  assert.deepEqual(game.dead(7), [["e8", "k"], ["d8", "q"], ["c8", "b"], ["e6", "N"]]);
  assert.deepEqual(game.dead(1), []);
});

test("positions are the same whatever was looked at before", () => {
  const forwards = new Game(DATA);
  const backwards = new Game(DATA);
  const seen = forwards.nodes.map((_, index) => forwards.position(index));
  for (let index = seen.length - 1; index >= 0; index--) assert.deepEqual(backwards.position(index), seen[index]);
});

test("variations are reached by their siblings, and no further than there are any", () => {
  const game = new Game(DATA);
  assert.equal(game.sibling(2, 1), 8);
  assert.equal(game.sibling(8, -1), 2);
  assert.equal(game.sibling(8, 1), 8);
  assert.equal(game.sibling(0, 1), 0);
  assert.equal(game.forward(7), 7);
  assert.equal(game.back(0), 0);
});

test("moves are numbered from where the game begins", () => {
  assert.equal(moveNumber(0), "1.");
  assert.equal(moveNumber(23), "12...");
  const game = new Game({ ...DATA, ply: 9 });
  assert.equal(game.number(1), "5...");
  assert.equal(game.mover(1), 1);
});

test("a clock is the last one that its player had", () => {
  const game = new Game(DATA);
  assert.deepEqual(game.clocks(0), [null, null]);
  assert.deepEqual(game.clocks(1), [180, null]);
  assert.deepEqual(game.clocks(7), [170, 178]);
});

test("data that is no game is a game without moves, and no move leads astray", () => {
  for (const data of [null, undefined, {}, { nodes: [] }, { start: 7, ply: "x" }]) {
    assert.equal(new Game(data).last, 0);
    assert.deepEqual(new Game(data).position(0), {});
  }
  for (const row of [null, 7, "e4", [], [null, null, null, null, null], ["e4", "<b>", "<i>", "<u>", { p: 99 }]]) {
    const move = parseMove(row, 3);
    assert.equal(move.parent, 2);
    assert.deepEqual([move.slides, move.blast, move.changes], [[], [], []]);
  }
  assert.equal(new Game({ nodes: [["a", "", "", "", { p: -1 }], ["b", "", "", "", { p: 1.5 }]] }).nodes[2].parent, 1);
});
