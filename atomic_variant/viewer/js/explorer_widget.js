// The opening explorer in a notebook: a board to play on, and what was played there.

import { playModel } from "./control/playmodel.js";
import { element } from "./view/elements.js";
import { MovesTable } from "./view/movestable.js";

function choice(label, options, onchange) {
  const items = options.map(([value, words]) => element("option", { value }, words));
  return element("select", { "aria-label": label, onchange: (event) => onchange(event.target.value) }, ...items);
}

export default {
  render({ model, el }) {
    const { play, end } = playModel(model, el);
    const table = new MovesTable((uci) => model.send({ type: "move", uci, at: model.get("state").moves.length }));
    const { ratings, speeds } = model.get("table");
    const rating = choice("Ratings", [["", "all ratings"], ...ratings.map((low) => [String(low), `from ${low}`])],
      (value) => model.send({ type: "filter", rating: value }));
    const speed = choice("Speed", [["", "all speeds"], ...speeds.map((name) => [name, name])],
      (value) => model.send({ type: "filter", speed: value }));
    table.root.prepend(rating, speed);
    play.moves.after(table.root);
    const show = () => {
      const shown = model.get("table");
      table.show(shown.rows, shown.name);
      rating.value = shown.rating;
      speed.value = shown.speed;
    };
    show();
    model.on("change:table", show);
    return () => {
      model.off("change:table", show);
      end();
    };
  },
};
