// The games of a report are found, ordered and taken away by what is known of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsOf, countBlasts, csvCell, fitsWish, makeGameRow, rowsToCsv, sortRows } from "./js/model/gamerow.js";

const NODES = [["e4", "e2e4"], ["d5", "d7d5"], ["exd5", "e4d5", "d5e4"], ["c5", "c7c5"], ["x", "a1a7", "a7a1", "", { p: 1 }]];
const game = (headers, rest = {}) => ({ headers, nodes: NODES, kind: "time", end: "White wins", row: { plies: 4, variant: "atomic" }, ...rest });
const rows = () => [
  game({ White: "Zoe", WhiteElo: "1900", BlackElo: "1700", Result: "1-0", Date: "2024.01.02" }),
  game({ White: "Bob", WhiteElo: "?", Result: "maybe" }, { errors: ["Zz9: not a move"], row: { plies: 12, variant: "atomic", missed: 2 } }),
  game({ White: "Al", WhiteElo: "2100", Result: "0-1", Opening: "=Queen, \"Q\"" }, { row: { plies: 100, variant: "icc", missed: 0 } }),
].map((data, index) => makeGameRow(data, index + 1));
const numbers = (found) => found.map((row) => row.number);
const wanted = (wish) => numbers(rows().filter((row) => fitsWish(row, wish)));

test("each wish is granted, and together they narrow", () => {
  assert.deepEqual(wanted({}), [1, 2, 3]);
  assert.deepEqual(wanted({ words: ["zoe"] }), [1]);
  assert.deepEqual(wanted({ words: ["queen"] }), [3]);
  assert.deepEqual(wanted({ variant: "atomic" }), [1, 2]);
  assert.deepEqual(wanted({ result: "*" }), [2]);
  assert.deepEqual(wanted({ kind: "explosion" }), []);
  assert.deepEqual(wanted({ errors: "with" }), [2]);
  assert.deepEqual(wanted({ errors: "without", variant: "atomic" }), [1]);
  assert.deepEqual(wanted({ missed: true }), [2]);
});

test("a range of ratings takes the average, one where only one is known, and no game without any", () => {
  assert.deepEqual(wanted({ from: 1800 }), [1, 3]);
  assert.deepEqual(wanted({ to: 1800 }), [1]);
  assert.deepEqual(wanted({ from: 1801, to: 2100 }), [3]);
});

test("numbers are ordered as numbers, and what is not known comes last both ways", () => {
  assert.deepEqual(numbers(sortRows(rows(), "plies", true)), [3, 2, 1]);
  assert.deepEqual(numbers(sortRows(rows(), "whiteElo", false)), [1, 3, 2]);
  assert.deepEqual(numbers(sortRows(rows(), "whiteElo", true)), [3, 1, 2]);
  assert.deepEqual(numbers(sortRows(rows(), "white", false)), [3, 2, 1]);
});

test("columns that no game has anything for are left out", () => {
  const keys = columnsOf(rows()).map(({ key }) => key);
  assert.ok(keys.includes("whiteElo") && keys.includes("missed") && keys.includes("opening"));
  assert.ok(!keys.includes("event") && !keys.includes("allowed"));
});

test("explosions are counted where they began, in the main line only", () => {
  assert.deepEqual(countBlasts(rows()), { d5: 3 });
});

test("no cell of the CSV is a formula, and none ends before its end", () => {
  for (const text of ["=1+1", "+1", "-1", "@A1", "\t=1", " =1"]) assert.equal(csvCell(text).replace(/^"/, "")[0], "'", text);
  assert.equal(csvCell("1-0"), "1-0");
  assert.equal(csvCell(-3), "-3");
  assert.equal(csvCell('a "b", c\nd'), '"a ""b"", c\nd"');
  const lines = rowsToCsv(rows()).split("\r\n");
  assert.equal(lines.length, 5);
  assert.ok(lines[0].startsWith("number,white,whiteElo,black,blackElo,result,ended,plies,missed,allowed,date,"));
  assert.ok(lines[3].includes(`"'=Queen, ""Q"""`));
});
