"""Text of strangers: from games, files and engines."""

from __future__ import annotations

import re

# Not allowed in XML, not even escaped; a surrogate is not even UTF-8.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain_text(text: object, limit: int = 300) -> str:
    """
    *text* of at most *limit* characters, fit for XML and JSON but not escaped.

    >>> plain_text("a\\x00b" + "c" * 1000, limit=6)
    'a\ufffdbcc…'
    """
    text = str(text)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return _UNFIT.sub("\ufffd", text)
