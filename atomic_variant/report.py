"""
A review of games as one HTML file that opens from disk.

The file needs no server and no network: a summary with plots, a table of
games to search and sort, and the viewer for each game. Games are stored as
moves, and positions are worked out when somebody looks, so a thousand games
open at once. Its content security policy lets nothing run but the viewer.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, TextIO

import chess
import chess.pgn

from .boards.endings import EndingKind
from .pgn.conclusion import ENDS, Conclusion, conclude
from .statistics import Readings, Tally
from .text import counted, json_text, plain_text
from .viewer import data as replay
from .viewer import page

if TYPE_CHECKING:
    from .tactics import TurningPoint

MAX_GAMES = 5000
"""Games with a row of their own. More are counted, and the report says so."""

_RESULTS = {"1-0": "White won", "1/2-1/2": "Draw", "0-1": "Black won", "*": "No result"}
_SHADES = {"1-0": "#f4f1ea", "1/2-1/2": "#9a9a9a", "0-1": "#262626", "*": "url(#hatch)"}
_HATCH = (
    '<svg width="0" height="0" class="hatch" aria-hidden="true"><pattern id="hatch" width="6" height="6" '
    'patternUnits="userSpaceOnUse"><path d="M-1 7 7-1M-1 1 1-1M5 7l2-2" stroke="#777" stroke-width="1.5"/>'
    "</pattern></svg>"
)
"""No result, told from a colour on paper and in the dark."""
_LENGTH = 10
_MAX_LENGTH = 120


class Report:
    """
    Collects games for a report.

    Holds a few kilobytes for each game, of at most *max_games* games.

    >>> import io
    >>> from atomic_variant import pgn
    >>> report = Report("Two moves")
    >>> _ = report.add(pgn.read_game(io.StringIO('[Variant "Atomic"]\\n\\n1. e4 d5 *')))
    >>> page = io.StringIO()
    >>> report.write(page)
    >>> "<title>Two moves</title>" in page.getvalue()
    True
    """

    def __init__(self, title: str = "Games", *, max_games: int = MAX_GAMES) -> None:
        self.title = title
        self.max_games = max_games
        self.games = 0
        self.endings: Counter[tuple[str, str]] = Counter()
        """How often a game ended so (see :data:`atomic_variant.pgn.conclusion.ENDS`), with what result."""
        self.readings = Readings()
        """What the games were read as, and how they ended."""
        self.lengths: Counter[tuple[int, str]] = Counter()
        self.missed = self.allowed = 0
        """How many wins were missed, and allowed without need, in the games that came with their turning points."""
        self._tells_turning_points = False
        self._data: list[str] = []
        """The games that are listed."""

    def add(self, game: chess.pgn.Game, turning_points: Sequence[TurningPoint] | None = None) -> Conclusion:
        """
        Takes in a game; any of python-chess will do.

        With its *turning_points*, of which there may be none, the table tells
        how many wins it missed and needlessly allowed. What marks them on the
        board is :func:`atomic_variant.tactics.annotate`.

        Returns how it ended and what is wrong with it.
        """
        data = None
        if len(self._data) < self.max_games:
            data, conclusion = replay.encode_and_conclude(game)
        else:  # Only counted.
            conclusion = conclude(game)
        result = game.headers.get("Result", "*")
        result = result if result in _RESULTS else "*"
        plies = sum(1 for _ in game.mainline())
        self.games += 1
        rules = self.readings.add(game, conclusion)
        self.endings[conclusion.end, result] += 1
        self.lengths[min(max(plies - 1, 0) // _LENGTH, _MAX_LENGTH // _LENGTH), result] += 1
        facts: dict[str, str | int] = {"plies": plies, "variant": rules}
        if turning_points is not None:
            self._tells_turning_points = True
            missed = sum(point.missed is not None for point in turning_points)
            allowed = sum(point.allowed is not None for point in turning_points)
            self.missed += missed
            self.allowed += allowed
            facts |= {"missed": missed, "allowed": allowed}
        if data is not None:
            self._data.append(json_text(data | {"row": facts}, in_html=True))
        return conclusion

    def write(self, target: str | os.PathLike[str] | TextIO) -> None:
        """
        Writes the report to a file, which is replaced, or to an open text file.

        :raises: :exc:`OSError` if the file cannot be written.
        """
        text = self._page()
        if isinstance(target, str | os.PathLike):
            with open(target, "w", encoding="utf-8", newline="\n") as handle:
                handle.write(text)
        else:
            target.write(text)

    def _page(self) -> str:
        title = plain_text(self.title, 200)
        results = "".join(f'<option value="{result}">{name}</option>' for result, name in _RESULTS.items())
        together = self._together()
        body = f"""<header>
<h1><bdi>{escape(title)}</bdi></h1>
<p>{self._sentence()}</p>
</header>
<main>
<section class="plots" aria-label="Summary">
{_HATCH}
{_bars(f"How games ended{together}", self._by_kind())}
{_bars(f"How long games were, in plies{together}", self._by_length())}
<figure id="heat"></figure>
</section>
<section aria-labelledby="games-title">
<h2 id="games-title">Games</h2>
{self._omitted()}
<noscript><p>The games are listed where scripts run.</p></noscript>
<form class="search" role="search" id="filters">
<label>Search <input type="search" name="search" id="search" autocomplete="off"
placeholder="player, event, opening"></label>
<label>Ending <select name="kind" id="kind"><option value="">any</option></select></label>
<label>Rules <select name="variant"><option value="">any</option></select></label>
<label>Result <select name="result"><option value="">any</option>{results}</select></label>
<label>Rating from <input type="number" name="from" min="0" max="4000" step="50"></label>
<label>to <input type="number" name="to" min="0" max="4000" step="50"></label>
<label>Errors <select name="errors"><option value="">any</option><option value="with">with errors</option>
<option value="without">without</option></select></label>
<label><input type="checkbox" name="missed"> A win was missed</label>
<label>Order <select name="order"></select></label>
<label><input type="checkbox" name="down"> Last first</label>
<span><button type="button" id="pgn">Save as PGN</button> <button type="button" id="csv">Save as CSV</button></span>
<output id="found" aria-live="polite"></output>
</form>
<table class="games" id="table">
<thead><tr></tr></thead>
<tbody></tbody>
</table>
<nav class="pager" id="pager" aria-label="Pages of games"></nav>
</section>
</main>"""
        games = ",\n".join(self._data)
        values = {"games": f"[{games}]"}
        return page.document(title=title, style="report", body=body, module="report_page", values=values)

    def _sentence(self) -> str:
        tallies = self.readings.tallies
        sentences = []
        for name, tally in (tallies or {"": Tally()}).items():
            games = counted(tally.games, "game") + (f" of {name}" if len(tallies) > 1 else "")
            sentences.append(
                f"{games}: {tally.wins[EndingKind.EXPLOSION]} ended by explosion, "
                f"{tally.wins[EndingKind.CHECKMATE]} by checkmate, {tally.draws} drawn on the board, "
                f"{self._others(tally)}{tally.undecided} not decided there. "
                f"{tally.errors or 'None'} of them with errors."
            )
        if self._tells_turning_points:
            sentences.append(f"{self.missed} wins by force were missed, {self.allowed} allowed without need.")
        return f"{escape(str(self.readings))}.<br>{' '.join(sentences)}"

    @property
    def faulty(self) -> int:
        """How many games have errors."""
        return self.readings.errors

    @staticmethod
    def _others(tally: Tally) -> str:
        """Wins on the board by neither explosion nor mate."""
        main = EndingKind.EXPLOSION, EndingKind.CHECKMATE
        return "".join(f"{count} by {kind}, " for kind, count in tally.wins.items() if kind not in main)

    def _together(self) -> str:
        """Which variants a plot counts, if there are several."""
        names = list(self.readings.tallies)
        return f", {', '.join(names[:-1])} and {names[-1]} together" if len(names) > 1 else ""

    def _omitted(self) -> str:
        if self.games == len(self._data):
            return ""
        return f"<p>The first {len(self._data)} of {self.games} games are listed; the summary counts all of them.</p>"

    def _by_kind(self) -> dict[str, dict[str, int]]:
        table = {kind: {result: self.endings[kind, result] for result in _RESULTS} for kind in ENDS}
        return {kind: counts for kind, counts in table.items() if any(counts.values())}

    def _by_length(self) -> dict[str, dict[str, int]]:
        last = max((step for step, _ in self.lengths), default=-1)
        names = {step: f"{step * _LENGTH + 1}-{(step + 1) * _LENGTH}" for step in range(_MAX_LENGTH // _LENGTH)}
        names[0] = f"up to {_LENGTH}"
        names[_MAX_LENGTH // _LENGTH] = f"over {_MAX_LENGTH}"
        return {names[step]: {result: self.lengths[step, result] for result in _RESULTS} for step in range(last + 1)}


def game_page(game: chess.pgn.Game, *, ply: int = 0, orientation: chess.Color = chess.WHITE) -> str:
    """
    One game as an HTML page with the viewer, which needs nothing from elsewhere.

    :param game: Any game of python-chess.
    :param ply: After how many moves of the main line the viewer begins.
    :param orientation: Who is at the bottom.
    :raises: :exc:`ValueError` for a ply that the game does not have.

    >>> from atomic_variant import AtomicBoard, pgn
    >>> board = AtomicBoard()
    >>> move = board.push_san("e4")
    >>> "e2e4" in game_page(pgn.Game.from_board(board), ply=1)
    True
    """
    last = sum(1 for _ in game.mainline())
    if not 0 <= ply <= last:
        raise ValueError(f"the game has plies 0 to {last}, not {ply}")
    return page.game_page(game, node=ply, flipped=not orientation)


def write_report(
    target: str | os.PathLike[str] | TextIO,
    games: Iterable[chess.pgn.Game],
    *,
    title: str = "Games",
    max_games: int = MAX_GAMES,
) -> Report:
    """
    Writes a report on *games* and returns it, with its counts.

    :param target: A path or an open text file.
    :param games: Any games of python-chess; they are read once, one at a time.
    :param title: A headline, such as the name of the file.
    :param max_games: How many games are listed; all are counted.
    :raises: :exc:`OSError` if the file cannot be written.
    """
    report = Report(title, max_games=max_games)
    for game in games:
        report.add(game)
    report.write(target)
    return report


def _bars(caption: str, table: Mapping[str, Mapping[str, int]]) -> str:
    """A plot of counts by result that is a table at heart, for readers and printers of every kind."""
    most = max((sum(counts.values()) for counts in table.values()), default=1) or 1
    shown = [result for result in _RESULTS if any(counts[result] for counts in table.values())]
    legend = "".join(
        f'<li><svg width="14" height="14" aria-hidden="true">{_segment(0, 14, result)}</svg> {_RESULTS[result]}</li>'
        for result in shown
    )
    rows = []
    for name, counts in table.items():
        total = sum(counts.values())
        x = 0.0
        segments = []
        for result in shown:
            width = 300 * counts[result] / most
            segments.append(_segment(x, width, result) if width else "")
            x += width
        said = ", ".join(f"{_RESULTS[result]}: {counts[result]}" for result in shown if counts[result])
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td>{total}</td><td><svg viewBox="0 0 300 14" role="img" '
            f'aria-label="{said or "none"}" preserveAspectRatio="none">{"".join(segments)}</svg></td></tr>'
        )
    return (
        f'<figure><table class="bars"><caption>{escape(caption)}</caption><tbody>{"".join(rows)}</tbody></table>'
        f'<ul class="legend">{legend}</ul></figure>'
    )


def _segment(x: float, width: float, result: str) -> str:
    return (
        f'<rect x="{x:.1f}" y=".5" width="{max(width, 1):.1f}" height="13" fill="{_SHADES[result]}" '
        'stroke="#777" vector-effect="non-scaling-stroke"/>'
    )
