// The viewer of a game, for notebooks and the HTML report. front.py puts board.js
// before it; see there.

const NAGS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
  18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 132: "⇆", 138: "⊕", 146: "N",
};
const SPOKEN_NAGS = {
  1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "dubious move",
};

class Replay {
  constructor(data) {
    this.data = data ?? {};
    this.start = parsePlacement(this.data.start ?? "");
    this.ply = Number(this.data.ply) || 0;
    this.nodes = [{ children: [], extras: { c: this.data.intro }, parent: null, slides: [], blast: [], san: "" }];
    for (const row of this.data.nodes ?? []) this.nodes.push(parseRow(row, this.nodes.length));
    this.nodes.forEach((node, index) => {
      if (index) this.nodes[node.parent].children.push(index);
      node.depth = index ? this.nodes[node.parent].depth + 1 : 0;
    });
    this.cache = new Map([[0, this.start]]);
    this.last = 0;
    while (this.nodes[this.last].children.length) this.last = this.nodes[this.last].children[0];
  }

  // Worked out when somebody looks, from the nearest position that is known.
  position(index) {
    const way = [];
    let at = index;
    while (!this.cache.has(at)) {
      way.push(at);
      at = this.nodes[at].parent;
    }
    let position = this.cache.get(at);
    while (way.length) {
      at = way.pop();
      position = applyMove(position, this.nodes[at]);
      if (way.length === 0 || this.nodes[at].children.length > 1) this.cache.set(at, position);
    }
    return position;
  }

  // The move number before a move, "12." or "12...".
  number(index) {
    const made = this.ply + this.nodes[index].depth - 1;
    return `${Math.floor(made / 2) + 1}${made % 2 ? "..." : "."}`;
  }

  // The moves from the start through a node and on to the end of its line.
  line(index) {
    const line = [];
    for (let at = index; at !== null; at = this.nodes[at].parent) line.unshift(at);
    for (let at = index; this.nodes[at].children.length; line.push(at)) at = this.nodes[at].children[0];
    return line;
  }
}

function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:` : ""}${hours ? pad(Math.floor(whole / 60) % 60) : Math.floor(whole / 60)}:${pad(whole % 60)}`;
}

function evaluation(extras) {
  if (Number.isFinite(extras.m)) return extras.m ? `#${extras.m}` : "#";
  if (Number.isFinite(extras.e)) return `${extras.e > 0 ? "+" : ""}${(extras.e / 100).toFixed(2)}`;
  return "";
}

// From -1, Black wins, to 1, White wins.
function chance(extras) {
  if (Number.isFinite(extras.m)) return extras.m > 0 ? 1 : -1;
  if (Number.isFinite(extras.e)) return 2 / (1 + Math.exp(-0.004 * extras.e)) - 1;
  return null;
}

// --- The viewer of a game ----------------------------------------------------

function createViewer(el, data, { node = 0, flipped = false, onChange = () => {} } = {}) {
  const replay = new Replay(data);
  const headers = replay.data.headers ?? {};
  const board = new Board();
  let current = -1;

  const player = (color) => {
    const elo = headers[`${color}Elo`];
    const name = headers[color] ?? color;
    return element("div", { class: "av-player" },
      element("bdi", {}, elo ? `${name} (${elo})` : name), element("span", { class: "av-clock" }));
  };
  const players = [player("White"), player("Black")];
  // Each text ends what a right-to-left mark in it may have begun.
  const event = [headers.Event, headers.Variant, headers.Date, headers.Result].filter(Boolean)
    .flatMap((text, index) => [index ? " · " : "", element("bdi", {}, text)]);
  const pieces = element("p", { class: "av-hidden" });
  const caption = element("p", { class: "av-caption", role: "status", "aria-live": "polite" });
  const score = element("span", { class: "av-eval" });
  const moves = element("div", { class: "av-moves", role: "group", "aria-label": "Moves" });
  const curve = drawing("0 0 300 60", { class: "av-curve", preserveAspectRatio: "none", role: "img" });
  const step = (by) => () => go(by(replay.nodes[current]));
  const first = () => 0;
  const back = (at) => at.parent ?? 0;
  const forward = (at) => at.children[0] ?? current;
  const last = () => replay.line(current).at(-1);
  const sibling = (by) => () => {
    const others = replay.nodes[replay.nodes[current].parent ?? 0].children;
    const at = others.indexOf(current) + by;
    return others[at] ?? current;
  };
  const backward = [
    button("First position", "first", step(first)),
    button("Back", "back", step(back)),
  ];
  const onward = [
    button("Forward", "forward", step(forward)),
    button("Last position", "last", step(last)),
  ];
  const top = element("div");
  const bottom = element("div");
  const root = element("div", {
    class: "av av-viewer",
    tabindex: "0",
    role: "group",
    "aria-label": `Game viewer, ${headers.White ?? "White"} against ${headers.Black ?? "Black"}. `
      + "Left and right step through the moves, up and down choose a variation, F flips the board.",
    "data-lm-suppress-shortcuts": "true", // JupyterLab leaves our keys alone.
  },
  element("style", {}, STYLE),
  element("div", { class: "av-main" },
    element("div", { class: "av-left" }, top, board.svg, bottom,
      element("div", { class: "av-controls" }, ...backward, ...onward,
        button("Flip the board", "flip", () => flip(!board.flipped)), score),
      curve),
    element("div", { class: "av-right" },
      element("p", { class: "av-event" }, ...event), caption, moves, pieces)));

  const keys = {
    ArrowLeft: step(back), ArrowRight: step(forward), Home: step(first), End: step(last),
    ArrowUp: step(sibling(-1)), ArrowDown: step(sibling(1)), f: () => flip(!board.flipped),
  };
  root.addEventListener("keydown", (event) => {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    // Without a variation to go to, up and down scroll the page as always.
    if (/Up|Down/.test(event.key) && replay.nodes[replay.nodes[current].parent ?? 0].children.length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });

  const buttons = listMoves(replay, moves, (index) => go(index));
  drawCurve(replay, curve, (ply) => go(replay.line(current)[ply] ?? current));

  function flip(value, silent = false) {
    board.flipped = Boolean(value);
    top.replaceChildren(players[board.flipped ? 0 : 1]);
    bottom.replaceChildren(players[board.flipped ? 1 : 0]);
    if (current >= 0) board.draw(scene(current));
    if (!silent) onChange({ flipped: board.flipped });
  }

  function scene(index) {
    const at = replay.nodes[index];
    return {
      position: replay.position(index),
      before: index ? replay.position(at.parent) : null,
      move: at,
      check: at.extras.k,
      arrows: at.extras.a,
    };
  }

  function words(index) {
    const at = replay.nodes[index];
    if (!index) return "Starting position";
    const dead = at.blast.length ? `, explosion on ${at.slides[0]?.[1]}: ${blastInWords(replay.position(at.parent), at)}` : "";
    return `${replay.number(index)} ${at.san}${dead}`;
  }

  function go(index, silent = false) {
    if (!replay.nodes[index] || index === current) return;
    const following = replay.nodes[index].parent === current;
    current = index;
    const at = replay.nodes[index];
    if (following) board.play(scene(index));
    else {
      board.turn = (board.turn ?? 0) + 1;
      board.draw(scene(index));
    }
    const isEnd = index === replay.last;
    const errors = isEnd ? replay.data.errors ?? [] : [];
    caption.replaceChildren(element("b", {}, words(index)));
    for (const text of new Set(isEnd ? [...errors, replay.data.end ?? ""] : [])) {
      caption.append(element("bdi", {}, text), element("br"));
    }
    caption.classList.toggle("av-end", isEnd && !errors.length);
    caption.classList.toggle("av-bad", errors.length > 0);
    board.svg.setAttribute("aria-label", `Board. ${words(index)}`);
    pieces.textContent = positionInWords(replay.position(index));
    for (const control of backward) control.disabled = index === 0;
    for (const control of onward) control.disabled = at.children.length === 0;
    score.textContent = evaluation(at.extras);
    showClocks(index);
    markCurrent();
    moveCurve(replay, curve, index);
    if (!silent) onChange({ node: index, ply: at.depth });
  }

  function showClocks(index) {
    const known = [null, null];
    for (let at = index; at; at = replay.nodes[at].parent) {
      const color = (replay.ply + replay.nodes[at].depth - 1) % 2;
      const seconds = replay.nodes[at].extras.t;
      if (Number.isFinite(seconds)) known[color] ??= seconds;
      if (known[0] !== null && known[1] !== null) break;
    }
    players.forEach((row, color) => {
      row.querySelector(".av-clock").textContent = known[color] === null ? "" : clock(known[color]);
    });
  }

  function markCurrent() {
    for (const move of moves.querySelectorAll("[aria-current]")) {
      move.removeAttribute("aria-current");
      move.tabIndex = -1;
    }
    const move = buttons.get(current);
    if (!move) {
      moves.scrollTop = 0;
      return;
    }
    move.setAttribute("aria-current", "step");
    move.tabIndex = 0;
    // Scrolls the list only, never the page.
    const offset = move.offsetTop;
    if (offset < moves.scrollTop || offset + move.offsetHeight > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = offset - moves.clientHeight / 2;
    }
  }

  flip(flipped, true);
  el.replaceChildren(root);
  go(replay.nodes[node] ? node : 0, true);
  return { root, replay, go: (index) => go(index, true), flip: (value) => flip(value, true), get node() { return current; } };
}

// Writes the moves with their variations; returns the button of each.
function listMoves(replay, container, go) {
  const buttons = new Map();
  const comment = (text, into) => {
    if (text) into.append(element("bdi", { class: "av-comment", dir: "auto" }, String(text)), " ");
  };
  comment(replay.data.intro, container);
  const lines = replay.nodes[0].children.slice(0, 1).map((index) => [index, container, 0]);
  while (lines.length) {
    const [begin, into, level] = lines.shift();
    let numbered = false;
    for (let index = begin; index !== undefined; index = replay.nodes[index].children[0]) {
      const node = replay.nodes[index];
      const others = replay.nodes[node.parent].children;
      comment(node.extras.s, into);
      const number = replay.number(index);
      if (!numbered || !number.endsWith("...")) into.append(element("span", { class: "av-number" }, `${number}\u00a0`));
      const nags = (node.extras.n ?? []).filter(Number.isInteger);
      const spoken = nags.map((nag) => SPOKEN_NAGS[nag]).filter(Boolean).join(", ");
      const text = node.san + nags.map((nag) => NAGS[nag] ?? ` $${nag}`).join("");
      const move = element("button", {
        type: "button", class: "av-move", tabindex: "-1", "data-node": index, onclick: () => go(index),
        "aria-label": spoken ? `${number} ${node.san}, ${spoken}` : null,
      }, text);
      buttons.set(index, move);
      into.append(move, " ");
      comment(node.extras.c, into);
      numbered = !node.extras.c;
      if (index === others[0]) {
        for (const other of others.slice(1)) {
          // Indented no deeper than can be read on a phone.
          const block = element("div", { class: level < 6 ? "av-variation" : "", role: "group", "aria-label": "Variation" });
          into.append(block);
          lines.push([other, block, level + 1]);
          numbered = false;
        }
      }
    }
  }
  if (!buttons.size) container.append(element("span", { class: "av-number" }, "No moves."));
  return buttons;
}

// --- Evaluations -------------------------------------------------------------

function drawCurve(replay, svg, go) {
  const chances = replay.line(0).map((index) => chance(replay.nodes[index].extras));
  const known = chances.filter((value) => value !== null).length;
  if (known < 2) {
    svg.remove();
    return;
  }
  const width = 300 / Math.max(1, chances.length - 1);
  let level = 0;
  const points = chances.map((value, ply) => {
    level = value ?? level;
    return `${(ply * width).toFixed(1)},${(30 - 28 * level).toFixed(1)}`;
  });
  svg.innerHTML = '<rect width="300" height="60" fill="#555"/>'
    + `<polygon points="0,60 ${points.join(" ")} 300,60" fill="#f5f5f5"/>`
    + '<line x1="0" x2="300" y1="30" y2="30" stroke="#d9380c" stroke-width=".7"/>'
    + '<line class="av-now" y1="0" y2="60" stroke="#1f6fe0" stroke-width="2" vector-effect="non-scaling-stroke"/>';
  svg.setAttribute("aria-label", "Evaluation of the main line, White's advantage upwards");
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (chances.length - 1)));
  });
}

function moveCurve(replay, svg, index) {
  const now = svg.querySelector(".av-now");
  if (!now) return;
  const x = (300 * replay.nodes[index].depth) / Math.max(1, replay.line(0).length - 1);
  for (const end of ["x1", "x2"]) now.setAttribute(end, x.toFixed(1));
}

// --- In a notebook -----------------------------------------------------------

export default {
  render({ model, el }) {
    let viewer;
    const build = () => {
      viewer = createViewer(el, model.get("replay"), {
        node: model.get("node"),
        flipped: model.get("flipped"),
        onChange(values) {
          for (const [name, value] of Object.entries(values)) model.set(name, value);
          model.save_changes();
        },
      });
    };
    const listeners = {
      "change:replay": build,
      "change:node": () => viewer.go(model.get("node")),
      "change:flipped": () => viewer.flip(model.get("flipped")),
    };
    build();
    for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
    };
  },
};
