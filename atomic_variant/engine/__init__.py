"""
Engines: opening them safely, annotating games, playing matches.

:func:`open_engine` gives a :class:`chess.engine.SimpleEngine` that is known to
play the variant of a board, or an error that says why there is none. The
engine is then used as :mod:`chess.engine` describes. What goes wrong later
ends in an error too, with the engine and all its processes stopped:

===================================  ==========================================
:exc:`EngineNotFoundError`           no such program, or no engine was found
:exc:`UnsupportedVariantError`       it does not play the variant
:exc:`EngineTimeoutError`            it did not answer in time
:exc:`EngineMoveError`               it answered an illegal move, or none
:exc:`EngineOutputError`             it flooded its output, or sent nonsense
:exc:`AnnotationError`               a game could not be annotated to its end
===================================  ==========================================

All are :exc:`chess.engine.EngineError`; those for an engine that was stopped
are :exc:`chess.engine.EngineTerminatedError`. An engine is a program with all
the rights of the user: open only those that you trust.

Which engine plays which rules:

=========================  ====================================================
:class:`AtomicBoard`,      exactly, by engines that announce ``atomic``
``ChessPlayXAtomicBoard``
``IccAtomicBoard``         closely, as ``nocheckatomic`` of Fairy-Stockfish,
                           kept to our legal moves
``Buho21AtomicBoard``      closely, as ``atomic`` kept to our legal moves; a
                           Fairy-Stockfish that reads configuration files
                           learns that a player without a move loses
``SparkBoard``             exactly, by engines that announce ``sparkchess``
=========================  ====================================================

Close play gives an :exc:`EngineApproximationWarning` that says what the
engine does not know.

Without a command, that in the environment variable ``COMMAND_VARIABLE`` is
taken, or else the first of the usual ones that will do. :func:`annotate`
writes the engine and its limit into the header ``EVALUATED_BY``;
``VERDICTS`` says how much expected score a move loses to be a blunder, a mistake
or dubious. A ``Player`` of :func:`play` is an engine, or a function from a board
to a move.
"""

from ._annotation import EVALUATED_BY, VERDICTS, annotate
from ._errors import (
    AnnotationError,
    EngineApproximationWarning,
    EngineMoveError,
    EngineNotFoundError,
    EngineOutputError,
    EngineTimeoutError,
    UnsupportedVariantError,
)
from ._match import Adjudication, Clock, Player, person, play
from ._opening import COMMAND_VARIABLE, Engine, open_engine, open_engine_async, usual_commands

__all__ = [
    "COMMAND_VARIABLE",
    "EVALUATED_BY",
    "VERDICTS",
    "Adjudication",
    "AnnotationError",
    "Clock",
    "Engine",
    "EngineApproximationWarning",
    "EngineMoveError",
    "EngineNotFoundError",
    "EngineOutputError",
    "EngineTimeoutError",
    "Player",
    "UnsupportedVariantError",
    "annotate",
    "open_engine",
    "open_engine_async",
    "person",
    "play",
    "usual_commands",
]

for _class in (
    Engine,
    EngineApproximationWarning,
    EngineMoveError,
    EngineNotFoundError,
    EngineOutputError,
    EngineTimeoutError,
    UnsupportedVariantError,
    AnnotationError,
):
    _class.__module__ = __name__  # Tracebacks then tell where to import it from.
