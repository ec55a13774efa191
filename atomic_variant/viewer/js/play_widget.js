// The board to play on in a notebook.

import { playModel } from "./control/playmodel.js";

export default {
  render({ model, el }) {
    return playModel(model, el).end;
  },
};
