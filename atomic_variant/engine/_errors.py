"""What may go wrong with an engine."""

from __future__ import annotations

import chess.engine


class EngineNotFoundError(chess.engine.EngineError, FileNotFoundError):
    """There is no such program, or none was found."""


class UnsupportedVariantError(chess.engine.EngineError):
    """The engine does not play the variant, whatever it announces."""


class EngineTimeoutError(chess.engine.EngineTerminatedError, TimeoutError):
    """The engine did not answer in time and was stopped."""


class EngineOutputError(chess.engine.EngineTerminatedError):
    """The engine sent what no engine should, and was stopped."""


class EngineMoveError(EngineOutputError):
    """The engine answered an illegal move, or none, and was stopped."""


class EngineApproximationWarning(UserWarning):
    """The engine plays rules close to those of the board, but not the same."""


class AnnotationError(chess.engine.EngineError):
    """A game could not be annotated to its end; what is done stays in the game."""

    def __init__(self, message: str, ply: int) -> None:
        super().__init__(message)
        self.ply = ply
        """Half-moves from the start of the game to the position that failed."""

    def __reduce__(self) -> tuple[type[AnnotationError], tuple[str, int]]:
        return type(self), (str(self), self.ply)
