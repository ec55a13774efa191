// The viewer of a game in a notebook.

import { GameViewer } from "./control/gameviewer.js";

export default {
  render({ model, el }) {
    let viewer;
    const build = () => {
      viewer = new GameViewer(el, model.get("replay"), {
        node: model.get("node"),
        flipped: model.get("flipped"),
        look: model.get("look"),
        onChange(values) {
          for (const [name, value] of Object.entries(values)) model.set(name, value);
          model.save_changes();
        },
      });
    };
    const listeners = {
      "change:replay": build,
      "change:node": () => viewer.show(model.get("node")),
      "change:flipped": () => viewer.flip(model.get("flipped")),
    };
    build();
    for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
    return () => {
      viewer.pause();
      for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
    };
  },
};
