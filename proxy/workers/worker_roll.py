"""Which workers serve: the supervisor notes it in the shared folder, and every worker reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from recollect.memory.model.errors import RecollectError
from recollect.memory.util.siblings import Sibling

_FILE = "roll.json"


class WorkerMissingError(RecollectError):
    """A worker does not serve at the moment; the others do."""

    code = "worker_restarts"
    advice = "a worker ended and is being started again: the log has the reason"


class Roll:
    """The supervisor's side."""

    def __init__(self, shared: Path, count: int) -> None:
        self._path = shared / _FILE
        self._pids: list[int | None] = [None] * count

    def note(self, number: int, pid: int | None) -> None:
        """A worker serves now, as this process, or does not any more."""
        self._pids[number] = pid
        half = self._path.with_suffix(".half")
        half.write_text(json.dumps(self._pids))
        half.replace(self._path)


class RollCall:
    """A worker's side."""

    def __init__(self, sibling: Sibling) -> None:
        self._sibling = sibling
        self._path = sibling.folder / _FILE

    def counts(self) -> dict[str, int]:
        """This worker, from 1, of how many, its process, and how many serve now."""
        pids = self._pids()
        return {
            "worker": self._sibling.number + 1,
            "of": self._sibling.count,
            "serving": sum(pid is not None for pid in pids),
            "pid": os.getpid(),
        }

    async def ping(self) -> None:
        """Raises WorkerMissingError unless all of them serve."""
        pids = self._pids()
        missing = [str(number + 1) for number, pid in enumerate(pids) if pid is None]
        if missing and len(missing) < len(pids):
            raise WorkerMissingError(f"not serving: worker {', '.join(missing)}")

    def _pids(self) -> list[int | None]:
        try:
            return list(json.loads(self._path.read_bytes()))
        except (OSError, ValueError):  # nobody serves yet
            return []
