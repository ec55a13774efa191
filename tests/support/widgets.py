"""Widgets on a page of their own: the front end in a browser, the model in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from atomic_variant.viewer import bundle

_MODEL = """
const state = %s;
const listeners = {};
globalThis.outbox = [];
globalThis.model = {
  get: (name) => state[name],
  set(name, value) { state[name] = value; (this.changed ??= {})[name] = value; },
  save_changes() { outbox.push({ set: this.changed }); this.changed = {}; },
  send: (content) => outbox.push({ send: content }),
  on: (name, f) => (listeners[name] ??= []).push(f),
  off: (name, f) => { listeners[name] = (listeners[name] ?? []).filter((g) => g !== f); },
  receive(values) {
    for (const [name, value] of Object.entries(values)) {
      state[name] = value;
      for (const f of listeners[`change:${name}`] ?? []) f();
    }
  },
};
"""


class Page:
    """A page with one widget. :meth:`pump` carries messages between the two ends, as a kernel does."""

    def __init__(self, driver: Any, widget: Any, module: str, folder: Path, *, background: str = "#fff") -> None:
        self.driver = driver
        self.widget = widget
        self.state = self._state()
        text = bundle.module(module).replace("export default {", "const widget = {")
        model = _MODEL % json.dumps(self.state).replace("<", "\\u003c")
        path = folder / f"{module}.html"
        path.write_text(
            f'<!doctype html><meta charset="utf-8"><title>Widget</title><body style="background:{background}">'
            f'<div id="here"></div><script type="module">{text}{model}'
            'globalThis.Game = typeof Game === "undefined" ? null : Game;'
            'globalThis.done = widget.render({ model, el: document.getElementById("here") });</script>',
            encoding="utf-8",
        )
        driver.get(path.as_uri())

    def _state(self) -> dict[str, Any]:
        state = self.widget.get_state()
        return {
            name: state[name]
            for name in ("replay", "node", "ply", "flipped", "look", "state", "answer", "table")
            if name in state
        }

    def pump(self) -> None:
        """Delivers what the front end has sent, and what has changed in Python since."""
        for message in self.driver.execute_script("return outbox.splice(0)"):
            if "set" in message:
                self.widget.set_state(message["set"])
                self.state |= message["set"]
            else:
                self.widget._handle_custom_msg(message["send"], [])
        state = self._state()
        changed = {name: value for name, value in state.items() if value != self.state[name]}
        self.state = state
        self.driver.execute_script("model.receive(arguments[0])", changed)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def pieces(self) -> dict[str, int]:
        """How many pieces stand on each square that has any."""
        squares: list[str] = self.run(
            "return [...document.querySelectorAll('.av-piece')].map((piece) => piece.dataset.square)"
        )
        return {square: squares.count(square) for square in squares}
