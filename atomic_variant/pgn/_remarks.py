"""What programs write into comments: clocks and evaluations."""

from __future__ import annotations

import chess
import chess.engine
import chess.pgn

_MAX_REMARK_SIZE = 40  # Longer clocks and evaluations are nonsense.


def parse_clock(comment: str) -> float | None:
    """As :meth:`chess.pgn.GameNode.clock`."""
    match = chess.pgn.CLOCK_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    return int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"])


def parse_evaluation(comment: str) -> chess.engine.PovScore | None:
    """As :meth:`chess.pgn.GameNode.eval`."""
    match = chess.pgn.EVAL_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    score: chess.engine.Score
    if match["mate"]:
        mate = int(match["mate"])
        score = chess.engine.MateGiven if mate == 0 else chess.engine.Mate(mate)
    else:
        score = chess.engine.Cp(round(float(match["cp"]) * 100))
    return chess.engine.PovScore(score, chess.WHITE)
