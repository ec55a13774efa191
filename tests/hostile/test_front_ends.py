"""A hostile front end cannot break the Python side of a widget."""

import contextlib

import pytest

from atomic_variant import AtomicBoard, pgn

pytest.importorskip("anywidget")
traitlets = pytest.importorskip("traitlets")
from atomic_variant import notebook  # noqa: E402 # It needs anywidget.

NASTY = [{}, [], None, 10**30, -1, "x" * 1000, "</script>", {"status": {}}, [[]], float("nan")]


def state_of(widget):
    return {name: getattr(widget, name) for name in widget.traits(sync=True)}


@pytest.mark.parametrize("value", NASTY, ids=repr)
@pytest.mark.parametrize(
    "make", [lambda: notebook.PlayBoard(), lambda: notebook.GameViewer(AtomicBoard("4k3/8/8/8/8/8/8/4K3 w - -"))]
)
def test_what_a_front_end_sets_changes_no_more_than_the_view(make, value):
    widget = make()
    before = state_of(widget)
    for name in before:
        # A view may be refused; nothing else is even looked at.
        refused = pytest.raises(traitlets.TraitError) if name in widget._from_front_end else contextlib.nullcontext()
        with contextlib.suppress(pytest.fail.Exception), refused:
            widget.set_state({name: value})
    after = state_of(widget)
    assert {name for name in before if after[name] != before[name]} <= widget._from_front_end
    assert widget._repr_mimebundle_()
    assert repr(widget)


@pytest.mark.parametrize(
    "message", [*NASTY, {"move": "e2e5"}, {"move": "e2e4", "at": -5}, {"move": {"a": 1}, "at": 0}, {"kind": 1}]
)
def test_a_message_that_makes_no_sense_changes_no_game(message):
    board = notebook.PlayBoard()
    board._handle_custom_msg(message, [])
    assert board.board.fen() == AtomicBoard().fen()
    assert board._repr_mimebundle_()


def test_a_ply_beyond_the_game_is_refused_and_changes_nothing():
    viewer = notebook.GameViewer(pgn.Game.from_board(AtomicBoard()))
    with pytest.raises(traitlets.TraitError, match="plies 0 to 0, not 1000"):
        viewer.set_state({"ply": 1000})
    assert viewer.ply == 0
    assert viewer._repr_mimebundle_()
