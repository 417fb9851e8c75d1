"""The folder of an embedded index: one process at a time uses it, and it is emptied in doubt."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from ..model.errors import StoreError
from ..util.locks import Ownership, lock_of, named

_MARKER = "recollect-index"
"""The file that tells that a folder is ours: what is in it can be thrown away."""
_IN_USE = "in-use"
"""A file that is there while the index is open. It names the start of the machine."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class FolderInUseError(StoreError):
    """Another process uses the folder of an index."""


class IndexFolder:
    """Take it, work in `data`, release it. Its methods block."""

    def __init__(self, path: Path, layout: str) -> None:
        """`layout` names what writes into it, and in which version of its format."""
        self.path = path
        self.data = path / "data"
        self.in_use = path / _IN_USE
        self._layout = layout
        self._owner: Ownership | None = None

    @property
    def descriptor(self) -> int:
        """Of the lock: a child that inherits it has the folder as long as it lives."""
        assert self._owner is not None  # noqa: S101 - only its owner asks
        return self._owner.descriptor

    def take(self) -> None:
        """Become the owner. What another layout or a machine that crashed left is removed.

        Raises:
            FolderInUseError: another process has it.
            StoreError: it cannot be used, or holds something else, which stays.
        """
        try:
            if self._is_foreign():
                raise StoreError(
                    f"{self.path} holds what is no index of Recollect's: name another folder by "
                    "index.uri"
                )
            # `mode` counts for the last folder only.
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path.mkdir(exist_ok=True, mode=0o700)
            if not self._marker.exists():
                self._marker.write_text("")
            owner = Ownership.claim(self.path / _MARKER)
            if owner.taken:
                holder = named(lock_of(self.path / _MARKER))
                raise FolderInUseError(f"the folder {self.path} is in use by {holder}")
            self._owner = owner
            self._prepare()
        except OSError as error:
            self.hand_over()
            raise StoreError(f"cannot use the folder {self.path}: {error}") from error

    def empty(self) -> None:
        """Remove what the index has written. Raises StoreError."""
        try:
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(self.data)
        except OSError as error:
            raise StoreError(f"cannot empty the folder {self.data}: {error}") from error

    def hand_over(self) -> None:
        """Leave it to the child that has inherited the lock, or to whoever comes."""
        if self._owner is not None:
            self._owner.release()
            self._owner = None

    def release(self) -> None:
        """Leave it after an orderly end."""
        self.in_use.unlink(missing_ok=True)
        self.hand_over()

    @property
    def _marker(self) -> Path:
        return self.path / _MARKER

    def _is_foreign(self) -> bool:
        if not self.path.exists() or self._marker.exists():
            return False
        return not self.path.is_dir() or any(self.path.iterdir())

    def _prepare(self) -> None:
        boot = _boot()
        left = self.in_use.read_text() if self.in_use.exists() else boot
        # Clients do not make sure that what they write is on the disk.
        if left != boot or self._marker.read_text() != self._layout:
            self.empty()
            self._marker.write_text(self._layout)
        self.in_use.write_text(boot)


def _boot() -> str:
    """Which start of the machine this is; empty where nobody tells."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
