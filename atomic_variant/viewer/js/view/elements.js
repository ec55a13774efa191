// Elements of a page. Text is only ever set as text.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// The style that gives the board the width that was asked for.
export function boardWidth(look) {
  return Number.isInteger(look?.size) ? `--board: ${look.size}px` : null;
}

export function drawing(viewBox, attributes = {}) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", viewBox);
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  return svg;
}

// Drawn, since not every machine has a font with such signs.
const ICONS = {
  first: "M6 5v14M18 5 9 12l9 7z",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
  undo: "M9 6 4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3",
  close: "M6 6l12 12M18 6 6 18",
  play: "M7 4v16l13-8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  danger: "M12 3 22 20H2zM12 10v5M12 17.5v.2",
  blastback: "M12 12 8 5l-1 5-5 2 5 2 1 5zM21 6l-6 6 6 6z",
  blast: "M12 12l4-7 1 5 5 2-5 2-1 5zM3 6l6 6-6 6z",
  mistakeback: "M10 6l-6 6 6 6M14 9a3 3 0 1 1 4 3q-1 .5-1 2.5M17 18.5v.2",
  mistake: "M14 6l6 6-6 6M4 9a3 3 0 1 1 4 3q-1 .5-1 2.5M7 18.5v.2",
};
const FILLED = new Set(["first", "back", "forward", "last", "play", "pause", "blast", "blastback"]);

export function button(label, icon, onclick, attributes = {}) {
  const control = element("button", { type: "button", "aria-label": label, title: label, onclick, ...attributes });
  if (icon) setIcon(control, icon);
  return control;
}

export function setIcon(control, icon) {
  const svg = drawing("0 0 24 24", { "aria-hidden": "true", width: 20, height: 20 });
  svg.innerHTML = `<path d="${ICONS[icon]}" stroke="currentColor" stroke-width="2" stroke-linecap="round" `
    + `stroke-linejoin="round" fill="${FILLED.has(icon) ? "currentColor" : "none"}"/>`;
  control.replaceChildren(svg);
}

export function prefersCalm() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
