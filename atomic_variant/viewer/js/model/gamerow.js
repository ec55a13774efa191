// The games of a report as rows: what is known of each, which fit, in which order, and as CSV.

// Columns of the table, in order; those that no game has anything for are left out.
export const COLUMNS = [
  { key: "number", label: "No." },
  { key: "white", label: "White" },
  { key: "whiteElo", label: "White's rating", isNumber: true },
  { key: "black", label: "Black" },
  { key: "blackElo", label: "Black's rating", isNumber: true },
  { key: "result", label: "Result" },
  { key: "ended", label: "How it ended" },
  { key: "plies", label: "Plies", isNumber: true },
  { key: "missed", label: "Missed wins", isNumber: true },
  { key: "allowed", label: "Allowed wins", isNumber: true },
  { key: "date", label: "Date" },
  { key: "opening", label: "Opening" },
  { key: "event", label: "Event" },
  { key: "time", label: "Time control" },
];
const CSV_KEYS = [...COLUMNS.map(({ key }) => key), "kind", "variant", "site", "errors"];
const RESULTS = ["1-0", "1/2-1/2", "0-1"];

function ratingOf(text) {
  return /^\d{1,5}$/.test(text ?? "") && Number(text) ? Number(text) : null;
}

// One game: `data` as the viewer takes it, with what the report counted.
export function makeGameRow(data, number) {
  const headers = data.headers ?? {};
  const errors = data.errors ?? [];
  const row = {
    number,
    white: headers.White ?? "?",
    whiteElo: ratingOf(headers.WhiteElo),
    black: headers.Black ?? "?",
    blackElo: ratingOf(headers.BlackElo),
    result: RESULTS.includes(headers.Result) ? headers.Result : "*",
    ended: [...new Set([...errors, data.end ?? ""])].filter(Boolean).join(" "),
    kind: data.kind ?? "",
    date: headers.Date ?? null,
    opening: headers.Opening ?? null,
    event: headers.Event ?? null,
    time: headers.TimeControl ?? null,
    site: headers.Site ?? null,
    missed: null,
    allowed: null,
    ...data.row,
    errors: errors.length,
    blasts: [],
  };
  // The main line comes first, and ends where a move follows another than the one before it.
  for (const [, slides, blast, , extras] of data.nodes ?? []) {
    if (extras?.p !== undefined) break;
    if (blast) row.blasts.push(slides.slice(2, 4));
  }
  row.rating = row.whiteElo && row.blackElo ? (row.whiteElo + row.blackElo) / 2 : row.whiteElo ?? row.blackElo;
  row.text = [row.number, row.white, row.black, row.result, row.ended, row.date, row.opening, row.event, row.time, row.site,
    row.whiteElo, row.blackElo].filter((value) => value !== null).join(" ").toLowerCase();
  return row;
}

// Which columns the games have anything for.
export function columnsOf(rows) {
  return COLUMNS.filter(({ key }) => key === "number" || rows.some((row) => row[key] !== null));
}

// Whether a row is wanted. A game without a rating is in no range of ratings.
export function fitsWish(row, { words = [], kind, variant, result, from, to, errors, missed }) {
  return (!kind || row.kind === kind)
    && (!variant || row.variant === variant)
    && (!result || row.result === result)
    && (!from || (row.rating !== null && row.rating >= from))
    && (!to || (row.rating !== null && row.rating <= to))
    && (!errors || (errors === "with") === row.errors > 0)
    && (!missed || row.missed > 0)
    && words.every((word) => row.text.includes(word));
}

// Sorts rows by a column; those without a value come last, equal ones by number.
export function sortRows(rows, key, down) {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const order = typeof rows.find((row) => row[key] !== null)?.[key] === "number" ? (a, b) => a - b : compare;
  return rows.sort((a, b) => {
    const [x, y] = [a[key], b[key]];
    if (x === null || y === null) return (x === null) - (y === null) || a.number - b.number;
    return (down ? -1 : 1) * order(x, y) || a.number - b.number;
  });
}

// How many explosions there were on each square.
export function countBlasts(rows) {
  const counts = {};
  for (const { blasts } of rows) for (const square of blasts) counts[square] = (counts[square] ?? 0) + 1;
  return counts;
}

// A text that a spreadsheet would take for a formula gets an apostrophe, as is the custom.
export function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function rowsToCsv(rows) {
  const lines = [CSV_KEYS, ...rows.map((row) => CSV_KEYS.map((key) => row[key]))];
  return lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}
