from collections.abc import Callable
from typing import Any, Literal

import chess

FINGERPRINT: str
"""Of the C sources that this was built from: see ``_fingerprint.py``."""

class Function:
    """A compiled function that falls back on the Python function in whose place it stands."""

    def __new__(cls, name: str, function: Callable[..., Any], /) -> Function: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(self, instance: object, owner: type | None = None, /) -> Any: ...

def set_up(
    *,
    board_class: type[chess.Board],
    state_class: type[tuple[Any, ...]],
    moves: dict[int, list[chess.Move]],
    promotion_moves: dict[int, dict[int, list[chess.Move]]],
    generate_legal_moves: Callable[..., Any],
    grounds: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]],
) -> None: ...

class Scanner:
    """
    Reads games out of PGN in UTF-8.

    *find_start* gets the values of the headers Variant, FEN, Event and Site
    and returns the board, the fields ``variant`` to ``chess960`` of a record,
    and the dictionary that remembers endings on boards of this class, or
    ``None`` to leave the game to Python; *find_ending* gets a board, the moves
    played on it and the result, and returns the ending.
    """

    def __new__(
        cls,
        *,
        find_start: Callable[..., tuple[chess.Board, tuple[Any, ...], dict[int, Any]] | None],
        find_ending: Callable[[chess.Board, list[chess.Move], str], Any],
        read_clock: Callable[[str], float | None],
        read_evaluation: Callable[[str], Any],
        record_class: type[Any],
        source: str | None,
        comments: bool,
        max_size: int,
        max_depth: int,
    ) -> Scanner: ...
    def scan(
        self,
        text: bytes,
        position: int,
        form: Literal["records", "columns", "trees", "written", "places"],
        is_all: bool,
        number: int,
        line: int,
        limit: int,
        until: int = ...,
        /,
    ) -> tuple[Any, int, int, int, bool]:
        """
        Reads up to *limit* games from *position*, where a game may begin, and none that begins at *until* or later.

        Returns the games, how many they are, where the next one begins, on
        which line, and whether it is one for Python.
        """
