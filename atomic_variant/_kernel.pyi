from collections.abc import Callable
from typing import Any

import chess

class Function:
    """A compiled function that falls back on the Python function in whose place it stands."""

    def __new__(cls, name: str, function: Callable[..., Any], /) -> Function: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(self, instance: object, owner: type | None = None, /) -> Any: ...

def set_up(
    board_class: type[chess.Board],
    state_class: type[tuple[Any, ...]],
    moves: dict[int, list[chess.Move]],
    promotion_moves: dict[int, dict[int, list[chess.Move]]],
    /,
) -> None: ...
