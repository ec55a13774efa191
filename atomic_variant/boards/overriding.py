"""What a class of boards cannot override, and what it can, at the price of the kernel's speed."""

from __future__ import annotations

NOT_FOR_OVERRIDING = {
    name: instead
    for instead, names in {
        "the legality of moves follows from has_checks, touching_kings_immune and is_variant_end()": (
            "is_legal", "generate_legal_moves", "generate_legal_ep", "generate_pseudo_legal_moves", "_is_safe",
            "_attacked_for_king", "is_into_check", "was_into_check", "checkers_mask", "gives_check",
        ),
        "touching kings are judged by touching_kings_immune": ("kings_touch", "_kings_connected"),
        "who may castle is decided by clean_castling_rights()": ("generate_castling_moves",),
        "what explodes is the same in all dialects; what else a move does goes into push()": (
            "explosion_mask", "_push_capture",
        ),
        "the board changes in push() and pop()": ("_set_piece_at", "_remove_piece_at", "_board_state"),
    }.items()
    for name in names
}  # fmt: skip
"""What the board does not ask when it plays, and what it asks instead."""

# What the compiled kernel does without asking the board, in four grounds; each
# includes those before it. A class that has one of these attributes from
# elsewhere is left to Python in everything that stands on that ground. Whoever
# makes a compiled function ask less of the board adds here what it no longer asks.
KERNEL_GROUNDS = (
    (  # What the legality of moves is made of.
        "is_variant_end", "clean_castling_rights", "generate_castling_moves", "generate_legal_ep",
        "generate_pseudo_legal_ep", "is_en_passant", "is_castling", "king", "piece_type_at", "_attacked_for_king",
        "_from_chess960", "_to_chess960",
    ),
    (  # The legality of moves itself, and what a move written down means.
        "generate_legal_moves", "is_legal", "find_move", "pieces_mask", "is_kingside_castling",
        "is_queenside_castling",
    ),
    (  # Checks, making and reading moves, copies and FEN.
        "legal_moves", "checkers_mask", "is_check", "push", "pop", "parse_san", "copy", "__init__", "__new__", "fen",
        "epd", "board_fen", "castling_xfen", "piece_at", "has_legal_en_passant", "set_fen", "_set_board_fen",
        "_set_castling_fen", "clear_stack", "_transposition_key", "is_irreversible", "is_zeroing", "is_capture",
        "_reduces_castling_rights", "has_kingside_castling_rights", "has_queenside_castling_rights",
    ),
    (  # How games end, and the words for it.
        "outcome", "describe_outcome", "endings", "is_variant_win", "is_variant_loss", "is_variant_draw",
        "is_checkmate", "is_stalemate", "is_insufficient_material", "has_insufficient_material",
        "is_seventyfive_moves", "is_fivefold_repetition", "can_claim_draw", "can_claim_fifty_moves",
        "can_claim_threefold_repetition", "is_repetition", "is_closed_position", "peek", "ply", "_lost_its_king",
        "_is_halfmoves", "is_fifty_moves", "_kind_of_variant_end", "explodes_king", "_algebraic_without_suffix",
    ),
)  # fmt: skip
