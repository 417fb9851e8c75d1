"""Keeps tasks and their files in a folder: one small file for each task, replaced as a whole."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from pathlib import Path
from typing import BinaryIO

from recollect.memory.util.disk import MadeOnce, force

from .record import Task, loaded

log = logging.getLogger(__name__)

_RECORD, _LINES, _HALF = ".json", ".jsonl", ".half"


class TaskStore:
    """All methods block, for as long as the disk takes for a small file, and raise OSError."""

    def __init__(self, folder: Path) -> None:
        """The folder is made with the first task, in one that is there or is made once."""
        self.folder = folder
        self._beside = MadeOnce(folder.parent)

    def load(self) -> list[Task]:
        """Every task; a file that cannot be read is left alone and logged."""
        found = []
        for path in sorted(self.folder.glob(f"*{_RECORD}")):
            try:
                found.append(loaded(path.read_bytes()))
            except (OSError, ValueError) as error:
                log.warning("a task cannot be read (%s): %s", path.name, error)
        return found

    def save(self, task: Task, *, durably: bool = False) -> None:
        """Keep the task as it is now."""
        self._make()
        half = self.folder / f"{task.id}-{secrets.token_hex(4)}{_HALF}"
        with self._opened(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as file:
            file.write(task.dumped())
        if durably:
            force(half)
        half.replace(self.folder / f"{task.id}{_RECORD}")

    def lines(self, task_id: str) -> Path:
        """Where the lines of an export or an import are."""
        return self.folder / f"{task_id}{_LINES}"

    def begin(self, task_id: str) -> BinaryIO:
        """An empty file for lines, which only its owner can read."""
        self._make()
        return self._opened(self.lines(task_id), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def go_on(self, task_id: str, size: int) -> BinaryIO | None:
        """The file of lines, cut to so many bytes, to add more; None if it does not have them."""
        path = self.lines(task_id)
        if not path.exists() or path.stat().st_size < size:
            return None
        file = self._opened(path, os.O_WRONLY)
        file.truncate(size)
        file.seek(size)
        return file

    def drop_lines(self, task_id: str) -> bool:
        """Remove the file of lines; whether there was one."""
        try:
            self.lines(task_id).unlink()
        except FileNotFoundError:
            return False
        return True

    def size(self, task_id: str) -> int | None:
        """Bytes of the file of lines; None if there is none."""
        try:
            return self.lines(task_id).stat().st_size
        except FileNotFoundError:
            return None

    def remove(self, task_id: str) -> None:
        """Remove the task and its files."""
        self.drop_lines(task_id)
        (self.folder / f"{task_id}{_RECORD}").unlink(missing_ok=True)

    def sweep(self, known: set[str]) -> None:
        """Remove files that belong to no task: of a start that was killed."""
        for path in self.folder.glob("*"):
            if path.suffix in (_LINES, _HALF) and path.stem not in known:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _make(self) -> None:
        self._beside.make()
        self.folder.mkdir(exist_ok=True, mode=0o700)

    def _opened(self, path: Path, flags: int) -> BinaryIO:
        return os.fdopen(os.open(path, flags, 0o600), "wb")
