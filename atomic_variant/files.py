"""
Files that stand under their name when they are whole, and not before.

One manner for everybody who writes a file that a user named: commands,
explorers and their books, arrays of positions.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator

_unfinished: dict[str, int] = {}
"""What has still to take its place or to be removed, with the process that writes it."""


class Replacement:
    """
    A file that is written beside, under another name, and takes its place with :meth:`commit`.

    Until then an old file is as it was. A link stays one; owner, group and
    permissions of an old file are kept as far as the system lets us, and what
    may not be written to is not replaced either. What is no file, such as
    ``/dev/null`` or a pipe, is written to directly.

    :param name: The name that the file shall have.
    :raises: :exc:`OSError`, which names *name*.
    """

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.name = os.fspath(name)
        self.target = os.path.realpath(self.name)
        self.path = self.name
        """Where to write."""
        self.is_beside = False
        """Whether something has still to take its place, or to be removed."""
        try:
            old = os.stat(self.name)
        except FileNotFoundError:
            old = None
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)
        if old is None or stat.S_ISREG(old.st_mode):
            self._create(old)

    def _create(self, old: os.stat_result | None) -> None:
        if old is not None and not os.access(self.target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self.name)
        mode = stat.S_IMODE(old.st_mode) if old is not None else 0o666
        folder, base = os.path.split(self.target)
        self.path = os.path.join(folder, f".{base[:40]}.{secrets.token_hex(4)}.new")
        try:
            _unfinished[self.path] = os.getpid()  # Before it is there: a signal may come at any time.
            # Nobody else's file of that name is touched, and nobody reads what the old file hid.
            descriptor = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        except OSError as error:
            del _unfinished[self.path]
            raise type(error)(error.errno, error.strerror, self.name) from error
        self.is_beside = True
        try:
            if old is not None and hasattr(os, "fchmod"):
                for owner in ((old.st_uid, -1), (-1, old.st_gid)):
                    with contextlib.suppress(OSError):  # One of them may be allowed.
                        os.fchown(descriptor, *owner)
                with contextlib.suppress(OSError):
                    os.fchmod(descriptor, mode)
        finally:
            os.close(descriptor)

    def commit(self) -> None:
        """Puts the file in its place. Whoever wrote it has closed it."""
        if not self.is_beside:
            return
        # A name that outlives a loss of power must not be that of an empty file.
        descriptor = os.open(self.path, os.O_WRONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(self.path, self.target)
        self._forget()

    def discard(self) -> None:
        """Removes what has been written, unless it has taken its place. An old file stays."""
        if self.is_beside:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
            self._forget()

    def _forget(self) -> None:
        self.is_beside = False
        _unfinished.pop(self.path, None)


@contextlib.contextmanager
def replacing(name: str | os.PathLike[str]) -> Iterator[str]:
    """
    Where to write what shall stand under *name* when all is done, and only then; see :class:`Replacement`.

    :raises: :exc:`OSError` if it cannot be written.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "games.txt")
    ...     with replacing(file) as new:
    ...         written = pathlib.Path(new).write_text("1. Nf3")
    ...         before = file.exists()
    ...     before, file.read_text()
    (False, '1. Nf3')
    """
    new = Replacement(name)
    try:
        yield new.path
        new.commit()
    finally:
        new.discard()


def discard_all() -> None:
    """Removes what this process is writing, as it ends at once; one that it forked leaves that alone."""
    for path, process in list(_unfinished.items()):
        if process == os.getpid():
            with contextlib.suppress(OSError):
                os.unlink(path)
