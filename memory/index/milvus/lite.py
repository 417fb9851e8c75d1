"""The embedded Milvus Lite: whoever needs a folder first starts the process that serves it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...model.errors import StoreError
from ...model.types import Vector
from ..folders import FolderInUseError, IndexFolder, our_folder
from ..port import IndexFilter, IndexMissingError, IndexRow
from .expr import for_lite, words
from .lite_child import packed, received

_CHILD = Path(__file__).with_name("lite_child.py")
_LAYOUT = "milvus-lite 3, 1"
"""Of the folder; another one is not read."""
_SOCKET = "socket-1"
"""The file of the folder that says where it is served; the number is that of the messages."""
_LOG = "log"
_START_SECONDS = 120.0
"""It takes a second on an ordinary core, much more on a busy fraction of one."""
_WRITE_SECONDS = 120.0
"""Of a write, which may wait while files are merged."""
_END_SECONDS = 15.0
_MAX_SOCKET_PATH = 100
"""Paths of Unix sockets are limited to 104 (macOS) or 108 (Linux) bytes."""

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class LiteIndex:
    """`VectorIndex` in Milvus Lite, shared by all processes that open the folder.

    A broken connection stays broken: open another one.
    """

    def __init__(self, stream: Stream, name: str, *, dim: int, seconds: float) -> None:
        self._stream: Stream | None = stream
        self._of = {"name": name, "dim": dim}
        self._seconds = seconds
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path, name: str, *, dim: int, seconds: float) -> LiteIndex:
        """Connect to the process that serves the folder, or start one. Raises StoreError."""
        path = await asyncio.to_thread(our_folder, path)
        try:
            async with asyncio.timeout(_START_SECONDS):
                while True:
                    stream = await _connected(path)
                    if stream is not None:
                        index = cls(stream, name, dim=dim, seconds=seconds)
                        with contextlib.suppress(StoreError):  # one that dies still takes calls
                            await index._call("hello")
                            return index
                        continue
                    # Another process may start one at this moment, or the last one may just end.
                    with contextlib.suppress(FolderInUseError):
                        await asyncio.to_thread(start, path)
                        continue
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise StoreError(f"the folder {path} is in use, and nobody serves it") from error

    async def put(self, rows: Sequence[IndexRow]) -> None:
        if not rows:
            return
        told = [
            (r.key, r.tenant, r.user, r.agent, r.run, r.kind, r.status, r.at, words(r.marks))
            for r in {row.key: row for row in rows}.values()
        ]
        vectors = {row.key: row.vector for row in rows}
        raw = np.asarray([*vectors.values()], np.float32).tobytes()
        await self._call("put", raw, rows=told, seconds=_WRITE_SECONDS)

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        raw = np.asarray(vector, np.float32).tobytes()
        answer = await self._call("search", raw, where=for_lite(asked), limit=limit)
        return [(key, min(max(score, -1.0), 1.0)) for key, score in answer["found"]]

    async def delete(self, keys: Sequence[int]) -> None:
        if keys:
            await self._call("delete", keys=list(keys), seconds=_WRITE_SECONDS)

    async def drop(self) -> None:
        await self._call("drop", seconds=_WRITE_SECONDS)

    async def ping(self) -> None:
        await self._call("ping")

    async def close(self) -> None:
        """The last one waits for the end of the process."""
        async with self._turn:
            if self._stream is None:
                return
            reader, writer = self._stream
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(_END_SECONDS):
                    writer.write(packed({"call": "bye"}))
                    await reader.read()
            self._hang_up()

    async def _call(
        self, call: str, raw: bytes = b"", *, seconds: float | None = None, **asked: Any
    ) -> dict[str, Any]:
        async with self._turn:
            if self._stream is None:
                raise StoreError("the embedded Milvus is not connected")
            reader, writer = self._stream
            try:
                async with asyncio.timeout(seconds or self._seconds):
                    writer.write(packed({"call": call, **self._of, **asked}, raw))
                    await writer.drain()
                    answer, _ = await received(reader)
            except (OSError, EOFError, TimeoutError) as error:
                self._hang_up()
                raise StoreError(f"the embedded Milvus failed: {type(error).__name__}") from error
            except BaseException:
                self._hang_up()  # its answer would be taken for that of the next call
                raise
        if "missing" in answer:
            raise IndexMissingError(f"milvus: {answer['missing']}")
        if "error" in answer:
            raise StoreError(f"milvus: {call} failed: {answer['error']}")
        return answer

    def _hang_up(self) -> None:
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None


async def _connected(path: Path) -> Stream | None:
    noted = await asyncio.to_thread(_noted, path)
    try:
        return await asyncio.open_unix_connection(noted["address"]) if noted else None
    except OSError:
        return None


def _noted(path: Path) -> dict[str, Any]:
    """Who serves the folder, or did so last."""
    try:
        return dict(json.loads((path / _SOCKET).read_bytes()))
    except (OSError, ValueError):
        return {}


def start(path: Path) -> None:
    """Start a process that serves the folder, and note where. A damaged folder is emptied.

    Raises:
        FolderInUseError: there is one.
        StoreError: it does not start.
    """
    folder = IndexFolder(path, _LAYOUT)
    folder.take()
    _bury(_noted(path), os.WNOHANG)
    try:
        report = _started(folder)
        if "address" not in report:
            folder.empty()
            report = _started(folder)
        if "address" not in report:
            raise StoreError(f"the embedded Milvus does not start: {report['error']}")
        (path / _SOCKET).write_text(json.dumps(report))
    except OSError as error:
        raise StoreError(f"the embedded Milvus does not start: {error}") from error
    finally:
        folder.hand_over()


def _started(folder: IndexFolder) -> dict[str, Any]:
    socket = _socket_dir() / "lite.sock"
    with (folder.path / _LOG).open("wb") as log:
        done = subprocess.run(  # noqa: S603 - our own script on our own interpreter
            # -P: do not import from the script's folder.
            [sys.executable, "-P", _CHILD, folder.data, folder.in_use, socket],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            pass_fds=[folder.descriptor],
            # Ctrl-C must end only those who use it, which need it while they shut down.
            start_new_session=True,
        )
    if not done.stdout:
        last = (folder.path / _LOG).read_text(errors="replace").strip().splitlines()[-1:]
        return {"error": "".join(last) or f"exit status {done.returncode}"}
    report = dict(json.loads(done.stdout))
    if "address" not in report:
        _bury(report, 0)
    return report


def _bury(report: dict[str, Any], how: int) -> None:
    """The first process of a container inherits those that left theirs, dead ones too."""
    pid = report.get("pid", 0)
    if pid > 1:  # 0 and less would be any child
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, how)


def _socket_dir() -> Path:
    """A folder that only we can enter."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    if len(bytes(folder)) <= _MAX_SOCKET_PATH - len("/lite.sock"):
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="recollect-", dir="/tmp"))
