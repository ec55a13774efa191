// The board to play on in a notebook.

import { PlayBoard } from "./control/playboard.js";

export default {
  render({ model, el }) {
    const play = new PlayBoard(el, {
      flipped: model.get("flipped"),
      look: model.get("look"),
      onMove: (uci) => model.send({ type: "move", uci, at: model.get("state").moves.length }),
      onAsk: (from, to) => model.send({ type: "why", from, to }),
      onTakeBack: () => model.send({ type: "take_back" }),
      onFlip(value) {
        model.set("flipped", value);
        model.save_changes();
      },
    });
    const update = () => play.update(model.get("state"));
    const flip = () => play.flip(model.get("flipped"));
    const answer = () => play.say(model.get("answer").text);
    update();
    model.on("change:answer", answer);
    model.on("change:state", update);
    model.on("change:flipped", flip);
    return () => {
      model.off("change:answer", answer);
      model.off("change:state", update);
      model.off("change:flipped", flip);
    };
  },
};
