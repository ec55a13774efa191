// Everything that is shown can be said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluationText, winningChance } from "./js/model/evaluation.js";
import { Game } from "./js/model/game.js";
import { clockText, moveInWords, nagsInWords, positionInWords } from "./js/model/words.js";

test("clocks are read as on a clock", () => {
  const said = [[0, "0:00"], [59.9, "0:59"], [600, "10:00"], [3599, "59:59"], [3600, "1:00:00"], [36_061, "10:01:01"], [-5, "0:00"]];
  for (const [seconds, text] of said) assert.equal(clockText(seconds), text);
});

test("evaluations are pawns or moves to mate, and chances go with them", () => {
  const said = [[{ e: 120 }, "+1.20"], [{ e: -5 }, "-0.05"], [{ e: 0 }, "0.00"], [{ m: -3 }, "#-3"], [{ m: 0 }, "#"], [{}, ""]];
  for (const [extras, text] of said) assert.equal(evaluationText(extras), text);
  assert.equal(winningChance({}), null);
  assert.equal(winningChance({ e: 0 }), 0);
  assert.equal(winningChance({ m: 2 }), 1);
  assert.equal(winningChance({ m: -2 }), -1);
  assert.ok(winningChance({ e: 300 }) > winningChance({ e: 100 }));
  assert.ok(Math.abs(winningChance({ e: -300 }) + winningChance({ e: 300 })) < 1e-9);
});

test("NAGs are signs to the eye and words to the ear", () => {
  assert.deepEqual(nagsInWords({ n: [4, 250] }), { signs: "?? $250", spoken: "blunder" });
  assert.deepEqual(nagsInWords({ n: ["<b>"] }), { signs: "", spoken: "" });
  assert.deepEqual(nagsInWords({}), { signs: "", spoken: "" });
});

test("a move says what it exploded", () => {
  const game = new Game({ start: "4k3/4p3/8/3N4/8/8/8/4K3", ply: 4, nodes: [["Nxe7#", "d5e7", "d5e7e8"]] });
  assert.equal(moveInWords(game, 0), "Starting position");
  assert.equal(moveInWords(game, 1), "3. Nxe7#, explosion on e7: white knight d5, black pawn e7, black king e8");
});

test("a position without a piece is said too", () => {
  assert.equal(positionInWords({ e1: "K" }), "White: king e1. Black: nothing.");
});
