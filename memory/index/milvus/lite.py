"""The embedded Milvus Lite: whoever needs a folder first starts the process that serves it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from multiprocessing.connection import Client, Connection
from pathlib import Path
from socket import SO_SNDTIMEO, SOL_SOCKET, socket
from typing import Any, Self

import numpy as np

from ...model.errors import InvalidInputError, StoreError
from ...model.types import Vector
from ..blocking import BlockingIndex, CallingThread
from ..folders import FolderInUseError, IndexFolder
from ..options import MilvusIndexOptions
from ..port import IndexFilter, IndexMissingError, IndexRow
from .expr import for_lite, words

_CHILD = Path(__file__).with_name("lite_child.py")
_LAYOUT = "milvus-lite 3, 1"
"""Of the folder; another one is not read."""
_SOCKET = "socket-2"
"""The file of the folder that says where it is served; the number is that of the messages."""
_LOG = "log"
_START_SECONDS = 120.0
"""It takes a second on an ordinary core, much more on a busy fraction of one."""
_WRITE_SECONDS = 120
"""Of a write, which may wait while files are merged."""
_END_SECONDS = 15.0
_MAX_SOCKET_PATH = 100
"""Paths of Unix sockets are limited to 104 (macOS) or 108 (Linux) bytes."""


class LiteIndex(BlockingIndex[MilvusIndexOptions]):
    """`VectorIndex` in Milvus Lite, shared by all processes that open the folder.

    A broken connection stays broken: open another one.
    """

    product = "Milvus Lite"
    errors = (EOFError,)
    batch = 1024

    @classmethod
    async def open(cls, options: MilvusIndexOptions, *, name: str, dim: int) -> Self:
        """Connect to the process that serves the folder, or start one.

        Raises:
            StoreError: it cannot be used.
            InvalidInputError: no folder is named.
        """
        if options.folder is None:
            raise InvalidInputError("index.uri", "expected the address of Milvus, or a folder")
        path = options.folder
        calls = CallingThread(cls.product, errors=cls.errors, seconds=_START_SECONDS, at_once=1)
        try:
            async with asyncio.timeout(_START_SECONDS):
                while (client := await asyncio.to_thread(_connected, path)) is None:
                    # Another process may start one at this moment, or the last one may just end.
                    try:
                        await asyncio.to_thread(start, path)
                    except FolderInUseError:
                        await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise StoreError(f"the folder {path} is in use, and nobody serves it") from error
        return cls(client, calls, options, f"{options.collection}_{name}", dim)

    async def ping(self) -> None:
        await self._call("ping", lambda: self._ask("ping"))

    def _put(self, rows: Sequence[IndexRow]) -> None:
        told = [(row.key, *row.scalars(), words(row.marks)) for row in rows]
        vectors = np.asarray([row.vector for row in rows], np.float32)
        self._ask("put", told, vectors, seconds=_WRITE_SECONDS)

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int, float]]:
        found: list[tuple[int, float]] = self._ask("search", vector, for_lite(asked), limit)
        return found

    def _remove(self, keys: Sequence[int]) -> None:
        self._ask("delete", list(keys), seconds=_WRITE_SECONDS)

    def _make(self) -> None:
        self._ask("drop", seconds=_WRITE_SECONDS)

    def _ask(self, call: str, *asked: Any, seconds: float | None = None) -> Any:
        client = self._client
        try:
            client.send((call, self._collection, self._dim, *asked))
            if not client.poll(seconds or self._options.call_seconds):
                raise TimeoutError
            answer = client.recv()
        except (OSError, EOFError):
            self._client = None
            client.close()
            raise
        if "missing" in answer:
            raise IndexMissingError(f"{self.product}: {answer['missing']}")
        if "error" in answer:
            raise StoreError(f"{self.product}: {call} failed: {answer['error']}")
        return answer["found"]

    def _shut(self, client: Connection) -> None:
        """The last one waits for the end of the process."""
        with contextlib.closing(client), contextlib.suppress(OSError, EOFError):
            client.send(("bye",))
            while client.poll(_END_SECONDS):
                client.recv()


def _connected(path: Path) -> Connection | None:
    """A connection to the process that serves the folder; None if there is none."""
    try:
        client = Client(_noted(path)["address"], "AF_UNIX")
    except (OSError, KeyError):
        return None
    with socket(fileno=os.dup(client.fileno())) as connection:
        # Of the connection, not of its number: a process that does not read holds nobody up.
        connection.setsockopt(SOL_SOCKET, SO_SNDTIMEO, struct.pack("ll", _WRITE_SECONDS, 0))
    try:
        client.send(("hello",))
        if client.poll(_START_SECONDS) and client.recv() == {"found": None}:
            return client
    except (OSError, EOFError):  # one that dies still takes calls
        pass
    client.close()
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
    address = _socket_dir() / "lite.sock"
    with (folder.path / _LOG).open("wb") as log:
        done = subprocess.run(  # noqa: S603 - our own script on our own interpreter
            # -P: do not import from the script's folder.
            [sys.executable, "-P", _CHILD, folder.data, folder.in_use, address],
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
