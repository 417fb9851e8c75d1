"""Files of exports: whole, or not there under their name."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from ..util.disk import force

_MOST_LINKS = 40
"""One behind the other, as Linux follows them."""
ADMINISTRATOR = 0
"""The user whose links are everybody's."""


class NewFile:
    """A file that gets its name once it is whole; only its owner can read it. Blocks."""

    def __init__(self, target: Path) -> None:
        """Raises OSError: also if a file or a link of somebody else is in the way."""
        check_place(target)
        self._target = target
        self._made = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
        descriptor = os.open(self._made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self.size = self.lines = 0

    def write(self, data: bytes) -> None:
        """Add some lines. Raises OSError."""
        self._file.write(data)
        self.size += len(data)
        self.lines += data.count(b"\n")

    def finish(self) -> None:
        """Give the file its name; one of ours that was there is replaced. Raises OSError."""
        self._file.close()
        check_place(self._target)
        force(self._made)
        self._made.replace(self._target)

    def discard(self) -> None:
        """Remove what was written."""
        with contextlib.suppress(OSError):
            self._file.close()
            self._made.unlink()


def check_place(target: Path) -> None:
    """Whether a file may be written there, under that name.

    Raises PermissionError: it leads over a link of another user, would replace a file of one, or
    what is no file (a device, a folder). Links of the system's administrator are followed.
    """
    ours = os.geteuid()
    for link in _links(target.absolute().parent):
        if link.lstat().st_uid not in {ours, ADMINISTRATOR}:
            raise PermissionError(errno.EPERM, f"{link} is a link of another user", str(target))
    with contextlib.suppress(FileNotFoundError):
        there = target.lstat()
        if there.st_uid != ours:
            raise PermissionError(errno.EPERM, "it belongs to another user", str(target))
        if not stat.S_ISREG(target.stat().st_mode):
            raise PermissionError(errno.EPERM, "it is there, and is no file", str(target))


def _links(folder: Path, left: int = _MOST_LINKS) -> Iterator[Path]:
    """The links that lead to a folder, and those that these lead over."""
    for each in reversed((folder, *folder.parents)):
        if left and each.is_symlink():
            yield each
            yield from _links(each.parent / each.readlink(), left - 1)
