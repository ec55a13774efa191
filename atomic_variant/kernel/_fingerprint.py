"""
What a compiled kernel was built from.

The build compiles a fingerprint of its C sources into the kernel, and the
import compares it: an old kernel under new Python would give wrong answers.
"""

from __future__ import annotations

import os
import zlib

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_STUB = "_kernel.pyi"  # What Python may call, and with what.


def source_fingerprint(folder: str = _FOLDER) -> str | None:
    """
    The fingerprint of the sources in *folder*; ``None`` where there are none.

    They are in a copy of the repository, and not in an installed package.
    """
    names = [_STUB]
    for part in ("core", "python"):
        try:
            found = os.listdir(os.path.join(folder, part))
        except OSError:
            return None
        names += [os.path.join(part, name) for name in sorted(found) if name.endswith((".c", ".h"))]
    checksum = size = 0
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
        except OSError:
            return None
        checksum = zlib.crc32(text, zlib.crc32(os.path.basename(name).encode(), checksum))
        size += len(text)
    return f"{checksum:08x}-{size}"


def expected_fingerprint() -> str | None:
    """What a kernel must have been built from to belong to this package; ``None`` if that cannot be told."""
    try:
        from ._built import FINGERPRINT  # type: ignore[import-not-found,unused-ignore] # The build writes it.
    except ImportError:
        return source_fingerprint()
    return str(FINGERPRINT)
