"""
Text of strangers made fit to show: from games, files, engines, command lines.

Whoever writes a header or a comment, names a file or makes an engine may put
anything into it: escape sequences that steer a terminal, marks that turn the
direction of writing, characters that XML forbids. There is one manner for
everybody who shows such text:

* :func:`one_line` for messages, and :func:`printable` for text of many lines
  on a terminal;
* :func:`plain_text` for XML and HTML, which is still to be escaped;
* :func:`json_text` for JSON, :func:`csv_text` for tables.

What cannot be shown becomes ``U+FFFD``, what is cut off an ellipsis. All of it
takes a time in proportion to the text.
"""

from __future__ import annotations

import functools
import json
import re

MAX_NAME = 4096
"""Characters of the longest name of a file that is told in full."""

_UNFIT = "\ufffd"


def csv_text(value: object) -> object:
    """
    *value* for a table that spreadsheets open: no text of strangers becomes a formula.

    >>> csv_text("=1+1"), csv_text("Ann"), csv_text(-3)
    ("'=1+1", 'Ann', -3)
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULAS else value


_FORMULAS = frozenset("=+-@\t\r")


def counted(number: int, noun: str) -> str:
    """
    *number* things, their *noun* in the singular or with an *s*.

    >>> counted(1, "game"), counted(0, "game")
    ('1 game', '0 games')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def one_line(text: object, limit: int = 300) -> str:
    """
    *text* on one line of at most *limit* characters, fit for a terminal.

    Line ends and other white space become blanks, control characters,
    direction marks and surrogates ``U+FFFD``.

    >>> one_line("Ann\\n\\x1b[2J")
    'Ann \ufffd[2J'
    >>> one_line("a" * 1000, limit=6)
    'aaaaa…'
    """
    text = str(text).strip()
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return text if text.isprintable() else _shown(text)


def printable(text: str) -> str:
    """
    *text* of any length, fit for a terminal; line ends stay.

    >>> printable("1. e4 {\\x1b[2J}\\n")
    '1. e4 {\ufffd[2J}\\n'
    """
    return "\n".join(line if line.isprintable() else _shown(line) for line in text.split("\n"))


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else " " if char.isspace() else _UNFIT for char in text)


def plain_text(text: object, limit: int = 300) -> str:
    """
    *text* of at most *limit* characters, fit for XML and HTML but not escaped.

    Line ends stay.

    >>> plain_text("a\\x00b" + "c" * 1000, limit=6)
    'a\ufffdbcc…'
    """
    text = str(text)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return _no_xml().sub(_UNFIT, text)


def json_text(data: object, *, in_html: bool = False) -> str:
    """
    *data* as JSON on one line, readable but without characters that nobody sees.

    It says the same as that of :func:`json.dumps`, but for surrogates, which
    no file can hold.

    :param in_html: Whether it is for a script in a page, which nothing in it
        may end: HTML knows no escapes there.

    >>> json_text({"White": "Zoë\\x1b", "Black": "\u202e</script>"}, in_html=True)
    '{"White":"Zoë\\\\u001b","Black":"\\\\u202e\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    if not text.isprintable():
        text = _invisible().sub(_escaped, re.sub("[\ud800-\udfff]", _UNFIT, text))
    if in_html:
        text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return text


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


# Made when they are needed: it takes longer than to import all else here.


@functools.cache
def _no_xml() -> re.Pattern[str]:
    """
    What XML does not allow, not even escaped (a surrogate is not even UTF-8),
    and the controls from U+0080 on, which it allows and which mean nothing.
    """
    return re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@functools.cache
def _invisible() -> re.Pattern[str]:
    """
    What JSON escapes although it need not: controls and line ends, and marks
    that nobody sees.
    """
    return re.compile(
        "[\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
    )
