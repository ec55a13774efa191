// What can be taken away: FEN, PGN, an address on Lichess.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Game } from "./js/model/game.js";
import { gameToPgn } from "./js/model/pgn.js";
import { besideKings, formatPlacement, parsePlacement } from "./js/model/position.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

test("a placement is written as it is read", () => {
  for (const text of [START, "8/8/2P5/3p4/3P4/5N1p/2B5/4K3", "4k3/8/8/8/8/8/8/R3K2R"]) {
    assert.equal(formatPlacement(parsePlacement(text)), text);
  }
});

test("a FEN counts clocks and knows rights", () => {
  const nodes = [
    ["e4", "e2e4"], ["Nf6", "g8f6"], ["Ke2", "e1e2", "", "", { f: "kq -" }], ["Nxe4", "f6e4", "f6e4"],
  ];
  const game = new Game({ start: START, ply: 0, fen: "KQkq - 0", nodes });
  assert.equal(game.fen(0), `${START} w KQkq - 0 1`);
  assert.equal(game.fen(2), "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
  assert.equal(game.fen(3), "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 2 2");
  assert.equal(game.fen(4), "rnbqkb1r/pppppppp/8/8/8/8/PPPPKPPP/RNBQ1BNR w kq - 0 3");
  assert.equal(new Game({ start: START, nodes }).fen(0), null);
});

test("who died is counted, by explosions and by plain captures", () => {
  const game = new Game({ start: START, nodes: [["x", "d1d7", "d1d7d8c8e8"], ["a5", "a7a5"], ["xa5", "a1a5"]] });
  assert.deepEqual(game.fallen(0), [[], []]);
  assert.deepEqual(game.fallen(1), [["Q"], ["q", "b", "p", "k"]]);
  assert.deepEqual(game.fallen(3), [["Q"], ["q", "b", "p", "p", "k"]]);
});

test("explosions are found forwards and backwards, in the line that is shown", () => {
  const game = new Game({ start: START, nodes: [["e4", "e2e4"], ["x", "d7e4", "d7e4"], ["a3", "a2a3"], ["y", "g8a3", "g8a3"]] });
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => game.nextExplosion(at)), [2, 2, 4, 4, 4]);
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => game.previousExplosion(at)), [0, 1, 2, 2, 2]);
});

test("mistakes are found forwards and backwards, in the line that is shown", () => {
  const marked = (nag, parent) => ({ n: [nag], ...(parent !== undefined && { p: parent }) });
  const nodes = [["e4", "e2e4"], ["a5", "a7a5", "", "", marked(4)], ["e5", "e4e5", "", "", marked(1)],
    ["f5", "f7f5", "", "", marked(6)], ["b5", "b7b5", "", "", marked(2, 1)]];
  const game = new Game({ start: START, nodes });
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => game.nextMistake(at)), [2, 2, 4, 4, 4]);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((at) => game.previousMistake(at)), [0, 1, 2, 2, 2, 5]);
});

test("what is better than a mistake is known where the game says so", () => {
  const nodes = [["e4", "e2e4", "", "", { n: [4] }], ["d4", "d2d4", "", "", { p: 0 }]];
  assert.deepEqual(new Game({ start: START, nodes }).better(0), ["d2", "d4"]);
  nodes[0][4].n = [1];
  assert.equal(new Game({ start: START, nodes }).better(0), null);
});

test("beside kings are the pieces whose capture would explode them", () => {
  assert.deepEqual(besideKings(parsePlacement("4k3/3pP3/8/8/8/8/8/4K2R")).sort(), ["d7"]);
});

test("games are written as PGN", () => {
  // Python reads them back.
  const games = JSON.parse(readFileSync("games.json")).map((data) => new Game(data));
  for (const game of games) assert.match(gameToPgn(game), /^\[Event /);
});
