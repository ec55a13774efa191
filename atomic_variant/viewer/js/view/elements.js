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
};
const FILLED = new Set(["first", "back", "forward", "last"]);

export function button(label, icon, onclick, attributes = {}) {
  const control = element("button", { type: "button", "aria-label": label, title: label, onclick, ...attributes });
  if (icon) {
    const svg = drawing("0 0 24 24", { "aria-hidden": "true", width: 20, height: 20 });
    svg.innerHTML = `<path d="${ICONS[icon]}" stroke="currentColor" stroke-width="2" stroke-linecap="round" `
      + `stroke-linejoin="round" fill="${FILLED.has(icon) ? "currentColor" : "none"}"/>`;
    control.append(svg);
  }
  return control;
}

export function prefersCalm() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
