// What the game viewer and the board to play on share: positions, words, and a
// board that explodes. It knows no rules: games come as moves and what they do
// to the pieces (see replay.py), so it works for every variant.
//
// The shapes of pieces and the colours come from chess.svg: front.py puts
// `const ART = {pieces, colors, burst};` before this text, and viewer.js or
// play.js after it, and serves the whole as one ES module.
//
// Text of games is only ever set as text. What is parsed as markup is made of
// ART, numbers, and square names and piece letters that were checked.

const SQUARE = 45;
const MARGIN = 15;
const SIZE = 8 * SQUARE + 2 * MARGIN;
const SLIDE_MS = 180;
const BLAST_MS = 420;
const FILES = "abcdefgh";
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const ARROWS = { G: "green", R: "red", Y: "yellow", B: "blue" };

const STYLE = `
.av { box-sizing: border-box; max-width: 860px; padding: 2px; font: 14px/1.45 system-ui, sans-serif; color: inherit;
  --line: rgba(128, 128, 128, .45); --accent: #1f5fbf; --soft: rgba(128, 128, 128, .14); }
.av *, .av *::before { box-sizing: border-box; }
.av:focus-visible, .av :focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; border-radius: 3px; }
.av-main { display: flex; flex-wrap: wrap; gap: 12px; align-items: stretch; }
.av-left { flex: 1 1 260px; max-width: 420px; min-width: 0; }
.av-right { flex: 1 1 260px; min-width: 0; display: flex; flex-direction: column; gap: 8px; position: relative; }
.av-board { display: block; width: 100%; height: auto; touch-action: manipulation; user-select: none; }
.av-play .av-board { touch-action: none; cursor: pointer; }
.av-player { display: flex; justify-content: space-between; gap: 8px; padding: 3px 2px; min-height: 26px; }
.av-player bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.av-clock { font-variant-numeric: tabular-nums; }
.av-event { margin: 0; opacity: .8; overflow-wrap: anywhere; }
.av-controls { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 6px 0; }
.av button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 5px;
  cursor: pointer; }
.av-controls button svg { display: block; margin: auto; }
.av-controls button { min-width: 42px; min-height: 36px; padding: 2px 8px; }
.av button:hover { background: var(--soft); }
.av button:disabled { opacity: .45; cursor: default; }
.av-eval { margin-left: auto; font-weight: 600; font-variant-numeric: tabular-nums; }
.av-caption { margin: 0; padding: 7px 9px; border-left: 4px solid var(--line); background: var(--soft); min-height: 3.4em;
  overflow-wrap: anywhere; }
.av-caption.av-end { border-left-color: #c2410c; }
.av-caption.av-bad { border-left-color: #c40018; }
.av-caption b { display: block; }
.av-moves { position: relative; flex: 1 1 200px; max-height: 340px; overflow: auto; padding: 4px; border: 1px solid var(--line);
  border-radius: 5px; overflow-wrap: anywhere; }
.av .av-move { border-color: transparent; padding: 1px 4px; border-radius: 4px; font-weight: 600; }
.av .av-move[aria-current] { background: var(--accent); color: #fff; }
.av-number { opacity: .75; margin-left: 3px; }
.av-comment { opacity: .9; margin: 0 4px; font-style: italic; white-space: pre-wrap; }
.av-variation { display: block; margin: 2px 0 2px 10px; padding-left: 7px; border-left: 2px solid var(--line); }
.av-variation .av-move { font-weight: 400; }
.av-curve { display: block; width: 100%; height: 64px; border: 1px solid var(--line); cursor: pointer; }
.av-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.av-promotion { display: flex; gap: 6px; align-items: center; padding: 4px 0; flex-wrap: wrap; }
.av-promotion svg { width: 44px; height: 44px; display: block; background: #d18b47; border-radius: 4px; }
.av-promotion button:last-child svg { background: none; width: 24px; height: 24px; }
@media print { .av-controls, .av-curve { display: none; } .av-moves { max-height: none; overflow: visible; } }
`;

// --- Positions ---------------------------------------------------------------

function squares(text) {
  return (String(text ?? "").match(/[a-h][1-8]/g) ?? []);
}

function isPiece(symbol) {
  return typeof symbol === "string" && Object.hasOwn(ART.pieces, symbol);
}

function parsePlacement(fen) {
  const position = {};
  String(fen).split("/").slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (/[1-8]/.test(char)) file += Number(char);
      else if (isPiece(char) && file < 8) position[FILES[file++] + (8 - index)] = char;
    }
  });
  return position;
}

// A move: the row of replay.py with names.
function parseRow(row, index) {
  const [san, slides, blast, changes, extras] = Array.isArray(row) ? row : ["?"];
  const path = squares(slides);
  const parent = extras?.p ?? index - 1;
  return {
    san: String(san),
    slides: path.flatMap((square, at) => (at % 2 ? [[path[at - 1], square]] : [])),
    blast: squares(blast),
    changes: [...String(changes ?? "").matchAll(/([A-Za-z-])([a-h][1-8])/g)].map((match) => [match[1], match[2]]),
    extras: extras ?? {},
    parent: Number.isInteger(parent) && parent >= 0 && parent < index ? parent : index - 1,
    children: [],
  };
}

function applyMove(position, move) {
  const next = { ...position };
  for (const [from] of move.slides) delete next[from];
  for (const [from, to] of move.slides) if (position[from]) next[to] = position[from];
  for (const square of move.blast) delete next[square];
  if (move.blast.length && move.slides.length) delete next[move.slides[0][1]];
  for (const [piece, square] of move.changes) {
    if (isPiece(piece)) next[square] = piece;
    else delete next[square];
  }
  return next;
}

// --- Words -------------------------------------------------------------------

function pieceName(symbol) {
  return `${symbol === symbol.toUpperCase() ? "white" : "black"} ${NAMES[symbol.toLowerCase()] ?? "piece"}`;
}

function blastInWords(position, move) {
  const dead = move.blast.filter((square) => position[square]);
  return dead.map((square) => `${pieceName(position[square])} ${square}`).join(", ");
}

function positionInWords(position) {
  const side = (white) => Object.entries(position)
    .filter(([, symbol]) => (symbol === symbol.toUpperCase()) === white)
    .map(([square, symbol]) => `${NAMES[symbol.toLowerCase()]} ${square}`).join(", ") || "nothing";
  return `White: ${side(true)}. Black: ${side(false)}.`;
}

// --- Elements ----------------------------------------------------------------

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

function drawing(viewBox, attributes = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", viewBox);
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  return svg;
}

// Drawn, since not every machine has a font with such signs.
const ICONS = {
  first: "M6 5v14M18 5 9 12l9 7z", back: "M16 5 7 12l9 7z", forward: "M8 5l9 7-9 7z", last: "M18 5v14M6 5l9 7-9 7z",
  flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4", undo: "M9 6 4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3", close: "M6 6l12 12M18 6 6 18",
};
const FILLED = new Set(["first", "back", "forward", "last"]);

function button(label, icon, onclick, attributes = {}) {
  const control = element("button", { type: "button", "aria-label": label, title: label, onclick, ...attributes });
  if (icon) {
    const svg = drawing("0 0 24 24", { "aria-hidden": "true", width: 20, height: 20 });
    svg.innerHTML = `<path d="${ICONS[icon]}" stroke="currentColor" stroke-width="2" stroke-linecap="round" `
      + `stroke-linejoin="round" fill="${FILLED.has(icon) ? "currentColor" : "none"}"/>`;
    control.append(svg);
  }
  return control;
}

function calm() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

// --- The board ---------------------------------------------------------------

class Board {
  constructor(attributes) {
    this.svg = drawing(`0 0 ${SIZE} ${SIZE}`, { class: "av-board", role: "img", ...attributes });
    this.flipped = false;
  }

  corner(square) {
    const file = FILES.indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    return [
      MARGIN + SQUARE * (this.flipped ? 7 - file : file),
      MARGIN + SQUARE * (this.flipped ? rank : 7 - rank),
    ];
  }

  squareAt(event) {
    const box = this.svg.getBoundingClientRect();
    let file = Math.floor((((event.clientX - box.left) / box.width) * SIZE - MARGIN) / SQUARE);
    let rank = 7 - Math.floor((((event.clientY - box.top) / box.height) * SIZE - MARGIN) / SQUARE);
    if (this.flipped) [file, rank] = [7 - file, 7 - rank];
    return FILES[file] && rank >= 0 && rank < 8 ? FILES[file] + (rank + 1) : null;
  }

  rect(square, attributes) {
    const [x, y] = this.corner(square);
    return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" ${attributes}/>`;
  }

  piece(symbol, square, attributes = "") {
    const [x, y] = this.corner(square);
    return `<g transform="translate(${x} ${y})" data-square="${square}" ${attributes}>${ART.pieces[symbol]}</g>`;
  }

  // `scene`: position, and optionally move with the position before it, check,
  // arrows, marks (markup drawn over the squares or, in `over`, over the pieces).
  draw(scene) {
    const { position, move, before, check } = scene;
    const colors = ART.colors;
    const tinted = new Set(move?.slides?.[0] ?? []);
    const out = [`<rect width="${SIZE}" height="${SIZE}" fill="${colors.margin}"/>`];
    for (let index = 0; index < 8; index++) {
      const [x] = this.corner(FILES[index] + "1");
      const [, y] = this.corner(`a${index + 1}`);
      const text = `fill="${colors.coord}" font-size="10" font-family="sans-serif" text-anchor="middle"`;
      for (const edge of [11, SIZE - 4]) out.push(`<text x="${x + 22.5}" y="${edge}" ${text}>${FILES[index]}</text>`);
      for (const edge of [7.5, SIZE - 7.5]) out.push(`<text x="${edge}" y="${y + 26}" ${text}>${index + 1}</text>`);
      for (let rank = 1; rank <= 8; rank++) {
        const square = FILES[index] + rank;
        const shade = `square ${(index + rank) % 2 ? "dark" : "light"}${tinted.has(square) ? " lastmove" : ""}`;
        out.push(this.rect(square, `fill="${colors[shade]}" data-square="${square}"`));
      }
    }
    if (check && this.isSquare(check)) {
      const [x, y] = this.corner(check);
      out.push(`<circle cx="${x + 22.5}" cy="${y + 22.5}" r="20" fill="#e70000" opacity=".6" data-check="${check}"/>`);
    }
    if (move?.blast?.length && before) out.push(this.blast(move, before));
    out.push(scene.marks ?? "");
    for (const [square, symbol] of Object.entries(position)) out.push(this.piece(symbol, square, 'class="av-piece"'));
    out.push(scene.over ?? "");
    if (scene.arrows) out.push(this.arrows(scene.arrows));
    this.svg.innerHTML = out.join("");
  }

  isSquare(text) {
    return /^[a-h][1-8]$/.test(text);
  }

  // Scorched squares, a burst on ground zero, ghosts of what died.
  blast(move, before) {
    const [from, zero] = move.slides[0];
    const colors = ART.colors;
    const out = [];
    for (const square of new Set([...move.blast, zero])) {
      if (square === from) continue;
      const opacity = square === zero ? 0.8 : 0.5;
      out.push(this.rect(square, `class="av-scorched" fill="${colors.scorched}" fill-opacity="${opacity}"`));
    }
    const [x, y] = this.corner(zero);
    out.push(`<g transform="translate(${x + 22.5} ${y + 22.5}) scale(1.4)"><g class="av-burst">${this.burst()}</g></g>`);
    for (const square of move.blast) {
      if (!isPiece(before[square])) continue;
      const [left, top] = this.corner(square);
      const place = square === zero ? `translate(${left + 9} ${top + 9}) scale(.6)` : `translate(${left} ${top})`;
      out.push(`<g class="av-ghost" opacity=".5" transform="${place}" data-ghost="${square}">${ART.pieces[before[square]]}</g>`);
      if (before[square].toLowerCase() === "k") out.push(this.cross(square));
    }
    return out.join("");
  }

  burst() {
    const colors = ART.colors;
    return `<path d="${ART.burst}" fill="${colors.explosion}" stroke="${colors["explosion core"]}" stroke-width="1.2"/>`
      + `<path d="${ART.burst}" transform="rotate(17) scale(.68)" fill="${colors["explosion core"]}"/>`
      + '<circle r="8" fill="#fff" fill-opacity=".6"/>';
  }

  cross(square) {
    const [x, y] = this.corner(square);
    const path = 'd="M10 10 35 35M35 10 10 35" stroke-linecap="round"';
    return `<g class="av-cross" transform="translate(${x} ${y})"><path ${path} stroke="#fff" stroke-width="8"/>`
      + `<path ${path} stroke="${ART.colors["king cross"]}" stroke-width="5"/></g>`;
  }

  arrows(text) {
    return [...String(text).matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)].map(([, color, tail, head]) => {
      const [x1, y1] = this.corner(tail).map((value) => value + 22.5);
      const paint = `stroke="${ARROWS[color]}" opacity=".6" fill="none"`;
      if (!head || head === tail) return `<circle cx="${x1}" cy="${y1}" r="20" stroke-width="4" ${paint}/>`;
      const [x2, y2] = this.corner(head).map((value) => value + 22.5);
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - dx * 20, y2 - dy * 20];
      return `<line x1="${x1}" y1="${y1}" x2="${bx}" y2="${by}" stroke-width="8" ${paint}/>`
        + `<polygon points="${x2},${y2} ${bx - dy * 12},${by + dx * 12} ${bx + dy * 12},${by - dx * 12}" `
        + `fill="${ARROWS[color]}" opacity=".6"/>`;
    }).join("");
  }

  // Shows how `scene.before` becomes `scene.position`: first the pieces slide,
  // then things explode. A newer call ends an older one.
  async play(scene) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const { move, before } = scene;
    if (!before || !move?.slides?.length || calm() || !this.svg.animate) {
      this.draw(scene);
      return;
    }
    const exploding = move.blast.length > 0;
    // Stage one: the pieces of the position before on their way.
    this.draw({ ...scene, position: before, before: null, check: null, arrows: null });
    const ways = move.slides.map(([from, to]) => {
      const group = this.svg.querySelector(`.av-piece[data-square="${from}"]`);
      const [x1, y1] = this.corner(from);
      const [x2, y2] = this.corner(to);
      group?.parentNode.append(group);
      return group?.animate(
        [{ transform: `translate(${x1}px, ${y1}px)` }, { transform: `translate(${x2}px, ${y2}px)` }],
        { duration: SLIDE_MS, easing: "ease-in-out", fill: "forwards" },
      ).finished;
    });
    await Promise.allSettled(ways);
    if (turn !== this.turn) return;
    this.draw(scene);
    if (!exploding) return;
    // Stage two.
    const timing = { duration: BLAST_MS, easing: "ease-out" };
    this.svg.querySelector(".av-burst")?.animate(
      [{ transform: "scale(.1)" }, { transform: "scale(1.9)", offset: 0.4 }, { transform: "scale(1)" }], timing);
    for (const ghost of this.svg.querySelectorAll(".av-ghost")) ghost.animate([{ opacity: 1 }, { opacity: 0.5 }], timing);
    for (const burnt of this.svg.querySelectorAll(".av-scorched, .av-cross")) {
      burnt.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
  }
}
