// How many explosions there were on each square, as a board that glows.

import { FILES } from "../model/position.js";
import { drawing, element } from "./elements.js";

const STEP = 40;

export function heatMap(counts, caption) {
  const most = Math.max(1, ...Object.values(counts));
  const parts = [];
  const squares = [...FILES].flatMap((file) => [1, 2, 3, 4, 5, 6, 7, 8].map((rank) => file + rank));
  for (const square of squares) {
    const [x, y] = [STEP * FILES.indexOf(square[0]), STEP * (8 - Number(square[1]))];
    const count = counts[square] ?? 0;
    const heat = count ? (0.1 + (0.6 * count) / most).toFixed(2) : 0;
    parts.push(`<rect x="${x}" y="${y}" width="${STEP}" height="${STEP}" fill="#c2410c" fill-opacity="${heat}" stroke="#777"/>`
      + (count ? `<text x="${x + STEP / 2}" y="${y + STEP / 2 + 4}">${count}</text>` : ""));
  }
  [...FILES].forEach((name, index) => {
    parts.push(`<text x="${STEP * (index + 0.5)}" y="${8 * STEP + 15}">${name}</text>`
      + `<text x="-10" y="${STEP * (7.5 - index) + 4}">${index + 1}</text>`);
  });
  const said = squares.filter((square) => counts[square]).sort((a, b) => counts[b] - counts[a]).slice(0, 12)
    .map((square) => `${square} ${counts[square]}`).join(", ");
  const svg = drawing(`-20 -1 ${8 * STEP + 21} ${8 * STEP + 21}`, {
    class: "heat", role: "img", "aria-label": `Most explosions: ${said || "none"}`,
  });
  svg.innerHTML = parts.join("");
  return [element("figcaption", {}, caption), svg];
}
