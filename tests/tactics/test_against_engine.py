"""
What a real engine calls a mate is found, and in no more moves.

The environment variable ``ATOMIC_VARIANT_ENGINE`` holds its command line;
without it these tests are skipped.
"""

import os
import shlex

import chess.engine
import pytest

from atomic_variant import engine, kernel_active, tactics

from ..tools.compare_tactics import real

POSITIONS = 60


@pytest.mark.skipif(not kernel_active(), reason="three moves take seconds in Python")
def test_mates_of_an_engine_are_found_in_no_more_moves():
    command = os.environ.get(engine.COMMAND_VARIABLE)
    if not command:
        pytest.skip(f"no engine: {engine.COMMAND_VARIABLE} is not set")
    confirmed = 0
    with engine.open_engine(shlex.split(command), timeout=60.0) as opened:
        for board in real(31, POSITIONS):
            score = opened.analyse(board, chess.engine.Limit(depth=8), game=object())["score"].pov(board.turn)
            mate = score.mate()
            if mate is not None and 0 < mate <= 3:
                win = tactics.find_win(board, 3)
                assert win is not None, board.fen()
                assert win.moves <= mate, board.fen()
                confirmed += 1
    assert confirmed
