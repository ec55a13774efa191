// The board to play on, as the end of a widget that people see.

import { PlayBoard } from "./playboard.js";

// Shows what the model holds, and sends it what is done on the board. Returns the board, and how to end this.
export function playModel(model, el) {
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
  const followed = {
    "change:state": () => play.update(model.get("state")),
    "change:flipped": () => play.flip(model.get("flipped")),
    "change:answer": () => play.say(model.get("answer").text),
  };
  followed["change:state"]();
  for (const [name, follow] of Object.entries(followed)) model.on(name, follow);
  const end = () => {
    for (const [name, follow] of Object.entries(followed)) model.off(name, follow);
  };
  return { play, end };
}
