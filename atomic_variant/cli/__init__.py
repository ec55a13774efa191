"""
The commands of ``python -m atomic_variant``, a module each.

A command has ``add_arguments(parser)``, which describes it, and ``run(args,
door)``, which works through a :class:`~._door.Door` and returns the exit
status: 0 if all is well, 1 if games have errors. What cannot be used is told
to the door, or raised as an :exc:`~._door.UnusableError`; the status is then 2.
A module is imported when its command is called. If ``args`` has ``files``,
the door reads them.
"""

COMMANDS = {
    "review": "check every move and say how each game ended",
    "check": "list what is wrong with games, with place and reason",
    "convert": "write games as clean PGN or as JSON lines",
    "stats": "count how games end, first moves, lengths, results by rating",
    "annotate": "add evaluations and better lines of an engine",
    "tactics": "count wins that were missed or allowed, proved without an engine",
    "puzzles": "find positions with one way to win, as a table, studies or a page to solve",
    "explore": "count the moves of openings in a file, and ask it",
    "svg": "draw a position, a move, or a ply of a game",
    "explain": "say why moves are illegal, what they explode, how the game stands",
}
"""What each command does."""
