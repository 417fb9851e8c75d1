"""Does the disk take what is about to be written? Asked before, because afterwards is too late.

Milvus Lite 3.2.2 gives up its log before it has written the rows of it into files, and a log with a
half-written record ends there. Both are safe as long as no write fails in the middle. So room is
asked for first: what is refused then changed nothing, and can be tried again.

The child process and the parent share this module; it imports nothing of `memory`.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

MARK = "the disk takes no more"
"""In every message about it, so that it is recognised behind gRPC."""
PROBE = ".room"
"""A file of the data folder that exists for a moment only."""
SPARE_BYTES = 1 << 20
"""For what is written beside the rows: manifests, footers, a new log."""
_REFUSALS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})


def require_room(data_dir: Path, size: int) -> None:
    """Have the kernel set aside `size` bytes and give them back.

    Raises:
        OSError: it refused; the message holds `MARK`.
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
    """Whether this is the disk's refusal, and not something wrong with what lies on it."""
    if MARK in str(error):
        return True
    return isinstance(error, OSError) and error.errno in _REFUSALS


def _allocate(descriptor: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
        return
    # macOS has no such call: what is free is nearly as good.
    found = os.fstatvfs(descriptor)
    if found.f_bavail * found.f_frsize < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
