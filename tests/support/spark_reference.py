"""
Spark Chess a second time, square by square from the rules, for comparison only.

Positions are dictionaries from squares such as ``"e4"`` to letters such as
``"N"`` or ``"n"``. Nothing is shared with the board under test, nothing is
fast, and every rule is written as it reads.
"""

from __future__ import annotations

from collections.abc import Iterator

Position = dict[str, str]

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES = [file + rank for file in FILES for rank in RANKS]
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
LINES = {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}

BISHOP_ZONE = {square for square in SQUARES if square[0] in "ah" or square[1] in "18"} | {"b2", "g2", "b7", "g7"}
_KNIGHT_ZONE_AS_WRITTEN = "a1 b1 c1 f1 g1 h1 a8 b8 c8 f8 g8 h8 a2 a3 a6 a7 h2 h3 h6 h7 b2 g2 b7 g7"
KNIGHT_ZONE = set(_KNIGHT_ZONE_AS_WRITTEN.split())


def read(fen: str) -> tuple[Position, bool]:
    """Pieces and whether White is to move."""
    board, turn = fen.split()[:2]
    position = {}
    for rank, row in zip(reversed(RANKS), board.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                position[FILES[file] + rank] = letter
                file += 1
    return position, turn == "w"


def step(square: str, files: int, ranks: int) -> str | None:
    file = FILES.index(square[0]) + files
    rank = RANKS.index(square[1]) + ranks
    return FILES[file] + RANKS[rank] if 0 <= file < 8 and 0 <= rank < 8 else None


def is_white(letter: str) -> bool:
    return letter.isupper()


def kind(position: Position, square: str) -> str:
    return position[square].upper()


def stands(position: Position, square: str, white: bool) -> bool:
    return square in position and is_white(position[square]) == white


def steps(square: str, directions: list[tuple[int, int]]) -> set[str]:
    return {target for direction in directions if (target := step(square, *direction))}


def attacks(position: Position, square: str) -> set[str]:
    """What the piece on *square* attacks, as in chess."""
    piece = kind(position, square)
    if piece == "N":
        return steps(square, KNIGHT)
    if piece == "K":
        return steps(square, STRAIGHT + DIAGONAL)
    if piece == "P":
        ahead = 1 if is_white(position[square]) else -1
        return steps(square, [(-1, ahead), (1, ahead)])
    return {target for direction in LINES[piece] for target in line(position, square, direction, set())}


def line(position: Position, square: str, direction: tuple[int, int], transparent: set[str]) -> Iterator[str]:
    """The squares from *square* on, up to the first man that is not transparent."""
    target = step(square, *direction)
    while target:
        yield target
        if target in position and position[target] not in transparent:
            return
        target = step(target, *direction)


def influence(position: Position, square: str) -> set[str]:
    """What the piece on *square* influences: lines run on through own pieces that move along them."""
    piece = kind(position, square)
    if piece in "NK":
        return attacks(position, square)
    white = is_white(position[square])
    found: set[str] = set()
    for direction in LINES[piece]:
        through = "RQ" if direction in STRAIGHT else "BQ"
        found |= set(line(position, square, direction, set(through if white else through.lower())))
    return found


def nodes(position: Position, white: bool) -> set[str]:
    pieces = [square for square in position if stands(position, square, white) and kind(position, square) != "P"]
    return {square for square in SQUARES if sum(square in influence(position, piece) for piece in pieces) >= 2}


def king_is_attacked(position: Position, white: bool) -> bool:
    king = "K" if white else "k"
    return any(
        position.get(target) == king
        for square in position
        if stands(position, square, not white)
        for target in attacks(position, square)
    )


def ordinary_moves(position: Position, white: bool) -> set[str]:
    moves = set()
    for square in position:
        if not stands(position, square, white):
            continue
        targets = {target for target in attacks(position, square) if not stands(position, target, white)}
        if kind(position, square) == "P":
            targets = {target for target in targets if target in position}
            ahead = step(square, 0, 1 if white else -1)
            if ahead and ahead not in position:
                targets.add(ahead)
            last = "8" if white else "1"
            promoting = {target for target in targets if target[1] == last}
            moves |= {square + target + piece for target in promoting for piece in "qrbn"}
            targets -= promoting
        moves |= {square + target for target in targets}
    return moves


def shifts(position: Position, white: bool) -> set[str]:
    last = "8" if white else "1"
    pawn = "P" if white else "p"
    return {
        square + node
        for node in nodes(position, white)
        if node not in position and node[1] != last
        for square in position
        if position[square] == pawn and node != step(square, 0, 1 if white else -1)
    }


def swaps(position: Position, white: bool) -> set[str]:
    last = "8" if white else "1"
    own = [square for square in position if stands(position, square, white)]
    pawns = [square for square in own if kind(position, square) == "P"]
    knights = [square for square in own if kind(position, square) == "N"]
    moves = set()
    for square in own:
        for pawn in pawns:
            if kind(position, square) == "P" or square[1] == last:
                continue
            if kind(position, square) == "N":
                allowed = pawn in attacks(position, square)
            else:
                allowed = any({square, pawn} <= attacks(position, knight) for knight in knights)
                if kind(position, square) == "K" and king_is_attacked(position, white):
                    allowed = False
            if allowed:
                moves.add(square + pawn)
    return moves


def is_over(position: Position) -> bool:
    """Whether a king is gone or the material draws."""
    if not {"K", "k"} <= set(position.values()):
        return True
    kings = [square for square in position if kind(position, square) == "K"]
    others = [square for square in position if kind(position, square) != "K"]
    if kings[1] in attacks(position, kings[0]):
        return False
    if not others:
        return True
    if len(others) > 1 or kind(position, others[0]) not in "BN":
        return False
    lone = next(square for square in kings if is_white(position[square]) != is_white(position[others[0]]))
    zone = BISHOP_ZONE if kind(position, others[0]) == "B" else KNIGHT_ZONE
    return lone not in attacks(position, others[0]) and lone not in zone


def legal_moves(position: Position, white: bool) -> set[str]:
    if is_over(position):
        return set()
    return ordinary_moves(position, white) | shifts(position, white) | swaps(position, white)


def play(position: Position, move: str) -> Position:
    after = dict(position)
    origin, target, promotion = move[:2], move[2:4], move[4:]
    mover = after.pop(origin)
    if target in position and is_white(position[target]) == is_white(mover):
        after[origin] = position[target]  # A swap.
    after[target] = (promotion.upper() if is_white(mover) else promotion) if promotion else mover
    return after


def result(positions: list[tuple[Position, bool]]) -> str | None:
    """The end of a game that went through *positions*, the last of which is on the board."""
    position, white = positions[-1]
    kings = {"K", "k"} & set(position.values())
    if kings != {"K", "k"}:
        return "white" if kings == {"K"} else "black" if kings == {"k"} else "draw"
    if (position, white) in positions[:-1] or not legal_moves(position, white):
        return "draw"
    return None
