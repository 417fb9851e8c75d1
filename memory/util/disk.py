"""Forces written data to the disk, and keeps small files for their owner alone."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def force(path: Path) -> None:
    """Sync a file, or the names in a folder, so that it survives a power loss. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_mtime(path: Path) -> tuple[int, int, int] | None:
    """Changes whenever the file is replaced or written; None if it cannot be looked at."""
    try:
        state = path.stat()
    except OSError:
        return None
    return (state.st_mtime_ns, state.st_size, state.st_ino)


@contextlib.contextmanager
def opened_within(folder: Path, name: str) -> Iterator[BinaryIO]:
    """Read a file below a folder that somebody else may have filled; `name` is parted by slashes.

    No link below the folder is followed, and nothing but a regular file is opened: a pipe would
    wait for ever, and a device may never end. Raises OSError.
    """
    with contextlib.ExitStack() as stack:
        *folders, last = name.split("/")
        at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, at)
        for each in folders:
            at = os.open(each, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            stack.callback(os.close, at)
        _expect_file(os.stat(last, dir_fd=at, follow_symlinks=False))
        file = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
        opened = stack.enter_context(os.fdopen(file, "rb"))
        _expect_file(os.fstat(file))
        yield opened


def _expect_file(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file, but a link, folder, pipe or device")


class MadeOnce:
    """A folder that is made if it was never there, and not again.

    If it is gone later, somebody moved it or unmounted its disk: a new one would be in the way of
    the old one, and hide what was written into it meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._was_there = folder.exists()

    def make(self) -> None:
        """See that it is there; others on this machine cannot enter one that is made.

        Raises:
            FileNotFoundError: it was there before.
            OSError: it cannot be made.
        """
        if self._was_there:
            self.folder.stat()
        else:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._was_there = True


def replace_text(path: Path, text: str, folder: MadeOnce | None = None) -> None:
    """Write a new file and rename it: a reader sees the old file or the new one.

    Others on this machine cannot read it, nor a folder that is made for it. `folder` is its folder,
    if that may be gone. Raises OSError.
    """
    (folder or MadeOnce(path.parent)).make()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    made = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except BaseException:
        made.unlink()
        raise
