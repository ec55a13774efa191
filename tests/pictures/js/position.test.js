// Positions are read from placements, and changed by moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { applyMove, isPiece, isSquare, parsePlacement, squares } from "./js/model/position.js";

const move = (slides, blast = [], changes = []) => ({ slides, blast, changes });

test("a placement names the piece on every square that has one", () => {
  assert.deepEqual(parsePlacement("4k3/8/8/3pP3/8/8/8/R3K3"), { e8: "k", d5: "p", e5: "P", a1: "R", e1: "K" });
});

test("a placement with too much in it fills no square that is not there", () => {
  const position = parsePlacement("rnbqkbnrrrrr/ppppppppp/99/<img>/8/8/8/8/8/KKKK");
  assert.ok(Object.keys(position).every(isSquare));
  assert.ok(Object.values(position).every(isPiece));
});

test("castling pieces may change places", () => {
  const position = { f1: "K", g1: "R" };
  assert.deepEqual(applyMove(position, move([["f1", "g1"], ["g1", "f1"]])), { g1: "K", f1: "R" });
});

test("en passant burns where the pawn arrives and where the other one stood", () => {
  const position = { e5: "P", d5: "p", e8: "k" };
  assert.deepEqual(applyMove(position, move([["e5", "d6"]], ["e5", "d5"])), { e8: "k" });
});

test("what else changes is put down or taken away", () => {
  assert.deepEqual(applyMove({ e7: "P" }, move([["e7", "e8"]], [], [["Q", "e8"]])), { e8: "Q" });
  assert.deepEqual(applyMove({ e5: "P", d5: "p" }, move([["e5", "d6"]], [], [["-", "d5"]])), { d6: "P" });
});

test("a move leaves the position before it as it was", () => {
  const position = { e2: "P" };
  applyMove(position, move([["e2", "e4"]]));
  assert.deepEqual(position, { e2: "P" });
});

test("nothing but names of squares and letters of pieces gets through", () => {
  assert.deepEqual(squares("e1g1<script>h1"), ["e1", "g1", "h1"]);
  assert.deepEqual(squares(null), []);
  for (const text of ["e9", "i1", "e1e2", "", "constructor"]) assert.equal(isSquare(text), false, text);
  for (const text of ["x", "pp", "", "toString"]) assert.equal(isPiece(text), false, text);
});
