"""The embedded Milvus Lite as a child process: starts, watches, restarts and ends it."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import logging
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from ...model.errors import StoreDamagedError, StoreError, StoreGoneError, StoreUnwritableError
from ...util.anchor import Anchor
from ...util.locks import Ownership, lock_of, named
from .lite_disk import is_refusal
from .lite_files import LiteFiles
from .lite_log import lost_log

log = logging.getLogger(__name__)

_SERVER = Path(__file__).with_name("lite_server.py")
START_SECONDS = 180.0
"""It takes a second on an ordinary core, much more on a busy fraction of one."""
_STOP_SECONDS = 15.0
"""How long the child may take to flush before it is killed."""
_MAX_BACKOFF_SECONDS = 30.0
_HEALTHY_SECONDS = 60.0
"""If the child ran this long, its folder did not cause its death: it is restarted at once."""
_MAX_SOCKET_PATH = 100
"""Paths of Unix sockets are limited to 104 (macOS) or 108 (Linux) bytes."""
_KEPT_LINES = 20


class LiteProcess:
    """One child process that serves one data folder. Its methods block: call them in a thread."""

    def __init__(self, data_dir: Path, start_seconds: float = START_SECONDS) -> None:
        self._data_dir = data_dir.absolute()
        self._start_seconds = start_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._socket_dir: Path | None = None
        self._owner: Ownership | None = None
        self._anchor: Anchor | None = None
        """A file of the folder that the child has open."""
        self._last_lines: collections.deque[str] = collections.deque(maxlen=_KEPT_LINES)

    @property
    def pid(self) -> int | None:
        """The child's process id while it exists."""
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def gone(self) -> str:
        """What happened to the folder since it was opened; empty if it is there."""
        return "" if self._anchor is None else self._anchor.gone

    @property
    def gone_log(self) -> str:
        """What happened to a log that is open; empty if it is there, and where nothing tells it.

        What is in it is in memory too: a flush writes it into other files.
        """
        return lost_log(self.pid, self._data_dir) if self.running else ""

    def start(self) -> str:
        """Start the child, wait until it serves, and return its address.

        A folder that a living process uses is an error at once. A child whose parent died gets some
        seconds to write its rows.

        Raises:
            StoreGoneError: the folder that was open before is not there.
            StoreError: the folder is damaged or in use, or it did not start in time.
        """
        self.stop()
        if gone := self.gone:
            # An empty folder would be made, and served as if nothing had been there.
            raise StoreGoneError(gone)
        self._prepare_folder()
        self._claim()
        self._socket_dir = _socket_dir()
        socket_path = self._socket_dir / "lite.sock"
        self._process = subprocess.Popen(  # noqa: S603 - our own script on our own interpreter
            # -P: do not import from the script's folder.
            [sys.executable, "-P", str(_SERVER), str(self._data_dir), str(socket_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C must end only the parent, which needs the store while it shuts down.
            start_new_session=True,
        )
        self._follow(self._process)
        try:
            self._await_ready(self._process)
        except StoreError:
            self.stop()
            raise
        self._anchor = Anchor.of(self._data_dir / "LOCK")
        address = f"unix:{socket_path}"
        if self._owner is not None:
            # For a backup, which another process asks for.
            self._owner.note(address)
        return address

    def stop(self) -> None:
        """End the child, cleanly if possible, remove its socket, and release the folder."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
        if self._reader is not None:
            self._reader.join(timeout=1.0)
            self._reader = None
        if self._socket_dir is not None:
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            self._socket_dir = None
        if self._owner is not None:
            self._owner.release()
            self._owner = None

    def obituary(self) -> str:
        """Its exit status and its last line of output."""
        code = self._process.poll() if self._process else None
        words = self._last_lines[-1] if self._last_lines else "no output"
        return f"exit status {code}: {words}"

    def _prepare_folder(self) -> None:
        if self._data_dir.exists():
            return
        try:
            # `mode` counts for the last folder only.
            self._data_dir.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._data_dir.mkdir(mode=0o700)
        except OSError as error:
            raise StoreError(f"cannot create {self._data_dir}: {error}") from error

    def _claim(self) -> None:
        try:
            self._owner = Ownership.claim(self._data_dir)
        except OSError as error:
            raise _not_usable(error, lock_of(self._data_dir)) from error
        if self._owner.taken:
            raise _in_use(self._data_dir, named(lock_of(self._data_dir)))

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None  # noqa: S101 - asked for above
        self._last_lines.clear()
        self._reader = threading.Thread(
            target=self._read_log, args=(process.stderr,), name="milvus-lite-log", daemon=True
        )
        self._reader.start()

    def _read_log(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                text = line.decode(errors="replace").rstrip()
                self._last_lines.append(text)
                log.warning("milvus-lite: %s", text)

    def _await_ready(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None  # noqa: S101 - asked for above
        with process.stdout as stream:
            readable, _, _ = select.select([stream], [], [], self._start_seconds)
            line = stream.readline() if readable else None
        if line is None:
            raise StoreError(
                f"the embedded Milvus on {self._data_dir} was not ready "
                f"after {self._start_seconds:g} seconds"
            )
        if not line:
            process.wait()
            raise StoreError(f"the embedded Milvus did not start: {self.obituary()}")
        _check_report(json.loads(line), self._data_dir)


class LiteEndpoint:
    """The address of an embedded Milvus Lite, which is restarted when it dies.

    A call that finds it dead fails at once and restarts it in a thread: no request waits for it.
    """

    def __init__(self, process: LiteProcess, address: str) -> None:
        self._process = process
        self._address = address
        self._started = time.monotonic()
        self._failures = 0
        self._files = LiteFiles(lambda: process.gone, lambda: process.gone_log)
        self._restart: asyncio.Future[str] | None = None

    @classmethod
    async def open(cls, data_dir: Path) -> LiteEndpoint:
        """Start it. Raises StoreError."""
        process = LiteProcess(data_dir)
        return cls(process, await asyncio.to_thread(process.start))

    @property
    def pid(self) -> int | None:
        """The child's process id, for measurements."""
        return self._process.pid

    async def address(self) -> str:
        """The current address. Raises StoreError while there is none."""
        if self._restart is not None:
            self._finish_restart(self._restart)
        elif not self._process.running:
            self._begin_restart()
        return self._address

    def look(self, *, log_too: bool = True) -> str:
        """What happened to its files since they were opened, see `LiteFiles`."""
        return self._files.look(log_too=log_too)

    async def close(self) -> None:
        """End the process, which flushes first."""
        if self._restart is not None:
            with contextlib.suppress(StoreError):
                await self._restart
        await asyncio.to_thread(self._process.stop)

    def _begin_restart(self) -> None:
        now = time.monotonic()
        if now - self._started > _HEALTHY_SECONDS:
            self._failures = 0
        wait = self._started + _backoff(self._failures) - now
        reason = self._process.obituary()
        if wait > 0:
            raise StoreError(f"the embedded Milvus stopped ({reason}); next try in {wait:.0f} s")
        log.error("the embedded Milvus stopped (%s): starting it again", reason)
        self._failures += 1
        self._started = now
        self._restart = asyncio.get_running_loop().run_in_executor(None, self._process.start)
        raise StoreError(f"the embedded Milvus stopped ({reason}) and is being started again")

    def _finish_restart(self, restart: asyncio.Future[str]) -> None:
        if not restart.done():
            raise StoreError("the embedded Milvus is being started again")
        self._restart = None
        self._address = restart.result()


def _backoff(failures: int) -> float:
    return 0.0 if failures == 0 else min(2.0 ** (failures - 1), _MAX_BACKOFF_SECONDS)


def _socket_dir() -> Path:
    """A folder that only we can enter: the socket gives access to every memory."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    if len(bytes(folder)) <= _MAX_SOCKET_PATH - len("/lite.sock"):
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="recollect-", dir="/tmp"))  # made with mode 0700


def _check_report(report: dict[str, str], data_dir: Path) -> None:
    detail = report.get("detail", "")
    match report.get("error"):
        case None:
            return
        case "locked":
            raise _in_use(data_dir, named(data_dir / "LOCK"))
        case "full":
            raise _unwritable(data_dir, detail)
        case "damaged":
            raise StoreDamagedError(
                f"the memory database {data_dir} is damaged: {detail}. Nothing was changed: "
                "restore it from a copy, or see `recollect repair`"
            )
        case _:
            raise StoreError(f"cannot use {data_dir} as a memory database: {detail}")


def _in_use(data_dir: Path, holder: str) -> StoreError:
    """The error about a folder that another process uses."""
    return StoreError(f"{data_dir} is in use by {holder}: stop it, or use another data_dir")


def _not_usable(error: OSError, path: Path) -> StoreError:
    """The error about a file that cannot be written; a full disk is distinct from a wrong path."""
    if is_refusal(error):
        return _unwritable(path, str(error))
    return StoreError(f"cannot write {path}: {error}")


def _unwritable(path: Path, detail: str) -> StoreUnwritableError:
    return StoreUnwritableError(
        f"{path}: {detail}. Nothing that was acknowledged is lost: make room, and Recollect tries "
        "again"
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None  # noqa: S101 - asked for at its start
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        log.warning("the embedded Milvus did not end in time: killed")
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
