"""
Draws explosion.svg, the picture on the front page: a move, and what it explodes.

    python examples/draw_explosion.py --out examples/explosion.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

from atomic_variant import AtomicBoard, svg


def draw() -> str:
    """The shortest way to lose a king: after 1. Nf3 d5 2. Ne5 Nc6 comes 3. Nxf7#."""
    board = AtomicBoard()
    for san in ["Nf3", "d5", "Ne5", "Nc6", "Nxf7#"]:
        board.push_san(san)
    return svg.strip(board, [4, 5], size=320, id_prefix="front-page")


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws the picture on the front page.")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("explosion.svg"), help="the file to write")
    parser.parse_args().out.write_text(draw() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
