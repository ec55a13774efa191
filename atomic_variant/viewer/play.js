// A board to play on, for notebooks. front.py puts board.js before it; see there.
//
// Python knows the rules. It sends the legal moves with what they explode
// (`state`); the front end sends the move that was chosen and waits for the next
// state. A capture is shown before it is made: under the pointer, or on a touch
// screen with a first tap.

function createPlay(el, { onMove, onTakeBack, onFlip, flipped = false }) {
  const board = new Board({ tabindex: "0", role: "application", "aria-roledescription": "chess board" });
  let state = { position: "", legal: [], moves: [] };
  let position = {};
  let selected = null; // The square of the piece that is to move.
  let aimed = null; // The square under the pointer or the cursor.
  let cursor = "e2";
  let byKeys = false;
  let dragged = null;

  const status = element("p", { class: "av-caption", role: "status", "aria-live": "polite" });
  const spoken = element("p", { class: "av-hidden", "aria-live": "polite" });
  const pieces = element("p", { class: "av-hidden" });
  const moves = element("p", { class: "av-moves", "aria-label": "Moves so far" });
  const promotion = element("div", { class: "av-promotion", role: "group", "aria-label": "Promote to" });
  const takeBack = button("Take back", "undo", () => onTakeBack());
  const root = element("div", { class: "av av-play", role: "group", "aria-label": "Board to play on",
    "data-lm-suppress-shortcuts": "true" },
  element("style", {}, STYLE),
  element("div", { class: "av-main" },
    element("div", { class: "av-left" }, board.svg, promotion,
      element("div", { class: "av-controls" }, takeBack, button("Flip the board", "flip", () => flip(!board.flipped)))),
    element("div", { class: "av-right" }, status, moves, spoken, pieces)));

  const from = (square) => state.legal.filter(([uci]) => uci.slice(0, 2) === square);
  const to = (square) => from(selected).filter(([uci]) => uci.slice(2, 4) === square);

  function marks() {
    const under = [];
    const over = [];
    if (selected) {
      under.push(board.rect(selected, 'fill="#1f6fe0" fill-opacity=".45" data-selected=""'));
      for (const [uci, blast] of from(selected)) {
        const target = uci.slice(2, 4);
        const [x, y] = board.corner(target);
        over.push(blast
          ? `<circle cx="${x + 22.5}" cy="${y + 22.5}" r="19.5" fill="none" stroke="#c40018" stroke-width="4" data-target="${target}"/>`
          : `<circle cx="${x + 22.5}" cy="${y + 22.5}" r="7" fill="#0b5d1e" fill-opacity=".75" data-target="${target}"/>`);
      }
      over.push(preview());
    }
    if (byKeys) {
      const [x, y] = board.corner(cursor);
      over.push(`<rect x="${x + 2}" y="${y + 2}" width="41" height="41" fill="none" stroke="#1f6fe0" stroke-width="4"/>`);
    }
    return { marks: under.join(""), over: over.join("") };
  }

  // What the aimed move would explode: burning squares, a burst, crosses.
  function preview() {
    const blast = squares(aimed && to(aimed)[0]?.[1]);
    if (!blast.length) return "";
    const [x, y] = board.corner(aimed);
    const dead = blast.filter((square) => square !== selected);
    return dead.map((square) => board.rect(square, 'class="av-preview" fill="#e03a00" fill-opacity=".5"')).join("")
      + `<g class="av-preview-burst" opacity=".75" transform="translate(${x + 22.5} ${y + 22.5})">${board.burst()}</g>`
      + blast.filter((square) => position[square]?.toLowerCase() === "k").map((square) => board.cross(square)).join("");
  }

  function scene() {
    return { position, move: state.last && parseRow(state.last, 1), before: state.before && parsePlacement(state.before),
      check: state.check, ...marks() };
  }

  function draw() {
    board.turn = (board.turn ?? 0) + 1;
    board.draw(scene());
    const label = aimed && selected ? aimInWords() : "";
    if (spoken.textContent !== label) spoken.textContent = label;
  }

  function aimInWords() {
    const [move] = to(aimed);
    if (!move) return "";
    const blast = squares(move[1]).filter((square) => position[square]);
    return blast.length
      ? `${selected} ${aimed} would explode ${blast.map((square) => `${pieceName(position[square])} ${square}`).join(", ")}`
      : `${selected} to ${aimed}`;
  }

  function select(square) {
    selected = square && from(square).length ? square : null;
    aimed = null;
    promotion.replaceChildren();
    draw();
  }

  function aim(square) {
    if (square === aimed) return;
    aimed = square;
    if (selected) draw();
  }

  // Makes the move to a square, or asks what the pawn becomes.
  function make(square) {
    const choices = to(square);
    if (choices.length === 1) send(choices[0][0]);
    else if (choices.length) choosePromotion(choices);
    return choices.length > 0;
  }

  function send(uci) {
    selected = null;
    aimed = null;
    promotion.replaceChildren();
    draw();
    onMove(uci);
  }

  function choosePromotion(choices) {
    const white = position[selected] === position[selected].toUpperCase();
    const buttons = choices.map(([uci]) => {
      const letter = uci[4] ?? "q";
      const choice = button(`Promote to ${NAMES[letter] ?? letter}`, "", () => send(uci), { "data-promotion": letter });
      const picture = drawing("0 0 45 45", { "aria-hidden": "true" });
      const symbol = white ? letter.toUpperCase() : letter;
      picture.innerHTML = isPiece(symbol) ? ART.pieces[symbol] : "";
      choice.append(picture);
      return choice;
    });
    promotion.replaceChildren("Promote to", ...buttons, button("Do not promote", "close", () => select(null)));
    buttons[0].focus();
  }

  board.svg.addEventListener("pointerdown", (event) => {
    const square = board.squareAt(event);
    byKeys = false;
    if (!square || event.button > 0) return;
    event.preventDefault();
    board.svg.focus({ preventScroll: true });
    if (selected && to(square).length) {
      // A finger hides what it points at: the first tap shows, the second makes the move.
      const shown = aimed === square || event.pointerType !== "touch" || !to(square)[0][1];
      aim(square);
      if (shown) make(square);
      return;
    }
    dragged = from(square).length ? square : null;
    select(square === selected ? null : square);
    if (dragged) board.svg.setPointerCapture(event.pointerId);
  });
  board.svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" && !dragged) return;
    aim(board.squareAt(event));
    if (dragged && selected) drag(event);
  });
  board.svg.addEventListener("pointerup", (event) => {
    const square = board.squareAt(event);
    const was = dragged;
    dragged = null;
    if (was && square && square !== was && selected === was && !make(square)) draw();
    else if (was && square === was) draw();
  });
  board.svg.addEventListener("pointercancel", () => {
    dragged = null;
    draw();
  });
  board.svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") aim(null); // A finger that is lifted leaves too.
  });

  function drag(event) {
    const box = board.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((value) => (value / box.width) * SIZE - 22.5);
    const piece = board.svg.querySelector(`.av-piece[data-square="${dragged}"]`);
    piece?.setAttribute("transform", `translate(${x} ${y})`);
    piece?.parentNode.append(piece);
  }

  board.svg.addEventListener("keydown", (event) => {
    const sign = board.flipped ? -1 : 1;
    const ways = { ArrowLeft: [-sign, 0], ArrowRight: [sign, 0], ArrowUp: [0, sign], ArrowDown: [0, -sign] };
    const way = ways[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way) {
      const file = Math.min(7, Math.max(0, FILES.indexOf(cursor[0]) + way[0]));
      cursor = FILES[file] + Math.min(8, Math.max(1, Number(cursor[1]) + way[1]));
      byKeys = true;
      aimed = cursor;
      draw();
      const here = position[cursor] ? `${cursor}, ${pieceName(position[cursor])}` : cursor;
      spoken.textContent = [here, selected ? aimInWords() : ""].filter(Boolean).join(". ");
    } else if (event.key === "Enter" || event.key === " ") {
      byKeys = true;
      if (!(selected && make(cursor))) select(cursor === selected ? null : cursor);
    } else if (event.key === "Escape") select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function flip(value, silent = false) {
    board.flipped = Boolean(value);
    draw();
    if (!silent) onFlip(board.flipped);
  }

  function update(next) {
    const isNext = next.moves.length === (state.moves?.length ?? 0) + 1 || (next.last && next.moves.length > state.moves.length);
    state = { ...next, legal: (next.legal ?? []).filter(([uci]) => /^([a-h][1-8]){2}[a-z]?$/.test(uci)) };
    position = parsePlacement(state.position);
    selected = null;
    aimed = null;
    promotion.replaceChildren();
    if (isNext) board.play(scene());
    else draw();
    status.replaceChildren(element("bdi", {}, state.status ?? ""));
    status.classList.toggle("av-end", Boolean(state.over));
    moves.textContent = state.moves.map((san, index) => {
      const made = (state.ply ?? 0) + index;
      const number = `${Math.floor(made / 2) + 1}${made % 2 ? "..." : "."} `;
      return (made % 2 && index ? "" : number) + san;
    }).join(" ") || "No moves yet.";
    takeBack.disabled = !state.can_take_back;
    board.svg.setAttribute("aria-label",
      "Board. The arrow keys move a cursor, Enter picks a piece and its target, Escape puts it back.");
    pieces.textContent = positionInWords(position);
  }

  flip(flipped, true);
  el.replaceChildren(root);
  return { root, update, flip: (value) => flip(value, true) };
}

export default {
  render({ model, el }) {
    const play = createPlay(el, {
      flipped: model.get("flipped"),
      onMove: (uci) => model.send({ type: "move", uci, at: model.get("state").moves.length }),
      onTakeBack: () => model.send({ type: "take_back" }),
      onFlip(value) {
        model.set("flipped", value);
        model.save_changes();
      },
    });
    const update = () => play.update(model.get("state"));
    const flip = () => play.flip(model.get("flipped"));
    update();
    model.on("change:state", update);
    model.on("change:flipped", flip);
    return () => {
      model.off("change:state", update);
      model.off("change:flipped", flip);
    };
  },
};
