"""Checks that the disk has room before anything is written.

Milvus Lite 3.2.2 discards its log before it has written the log's rows into files, and a log with a
half-written record ends there. Both are safe only if no write fails in the middle. So room is
reserved first: a refusal at this point has changed nothing, and the write can be repeated.

The child process and the parent share this module; it imports nothing of `memory`.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

MARK = "the disk takes no more"
"""Part of every message about the disk, so that it is recognised behind gRPC."""
PROBE = ".room"
"""A file of the data folder that exists only during the check."""
SPARE_BYTES = 1 << 20
"""Room for data besides the rows: manifests, footers, a new log."""
_REFUSALS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})


def require_room(data_dir: Path, size: int) -> None:
    """Reserve `size` bytes and release them.

    Raises:
        OSError: the disk refused; the message holds `MARK`.
    """
    probe = data_dir / PROBE
    try:
        descriptor = os.open(probe, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            _allocate(descriptor, size)
        finally:
            os.close(descriptor)
            probe.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, f"{MARK}: {error.strerror}") from error


def is_refusal(error: BaseException) -> bool:
    """Whether the disk refused a write, as opposed to a problem with the files on it."""
    if MARK in str(error):
        return True
    return isinstance(error, OSError) and error.errno in _REFUSALS


def _allocate(descriptor: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
        return
    # macOS has no such call: checking the free space is nearly as good.
    found = os.fstatvfs(descriptor)
    if found.f_bavail * found.f_frsize < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
