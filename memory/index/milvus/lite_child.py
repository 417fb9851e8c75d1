"""Milvus Lite in a process of its own, started by `lite.py` as a script.

It computes in Python: in the caller's process a search would hold the caller's GIL for up to 60 ms.
It serves everybody who connects to its socket, one call at a time, and ends when the last one has
gone. A call that fails ends it too: whoever starts the next one throws away what cannot be opened.

It imports nothing of Recollect, to stay small.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

_FIRST_SECONDS = 30.0
"""How long it waits for the first connection."""
_LINGER_SECONDS = 1.0
"""How long it waits for another one after the last."""
_SCALARS = ("tenant", "user", "agent", "run", "kind", "status", "at")
_MARKS_BYTES = 65_535
_LENGTHS = struct.Struct("<II")
"""Of the two parts of a message."""


class MissingError(Exception):
    """There is no such collection, or one for vectors of another size."""


class LiteCollections:
    """The collections of one folder."""

    def __init__(self, folder: Path) -> None:
        """Raises whatever Milvus Lite raises if the folder is damaged."""
        from milvus_lite.db import MilvusLite

        self._database = MilvusLite(str(folder))
        for name in self._database.list_collections():
            self._database.get_collection(name)

    def answer(self, asked: dict[str, Any], raw: bytes) -> dict[str, Any]:
        """What a call returns."""
        if asked["call"] == "hello":
            return {}
        if asked["call"] == "drop":
            return self._drop(asked["name"], asked["dim"])
        collection = self._collection(asked["name"], asked["dim"])
        match asked["call"]:
            case "put":
                self._put(collection, asked, raw)
            case "search":
                return {"found": self._search(collection, asked, raw)}
            case "delete":
                collection.delete(asked["keys"])
                collection.flush()
        return {}

    def close(self) -> None:
        self._database.close()

    def _collection(self, name: str, dim: int) -> Any:
        if not self._database.has_collection(name):
            raise MissingError(f"there is no collection {name}")
        collection = self._database.get_collection(name)
        [vector] = [each for each in collection.schema.fields if each.name == "vector"]
        if vector.dim != dim:
            raise MissingError(f"the collection {name} is for vectors of {vector.dim} numbers")
        return collection

    def _drop(self, name: str, dim: int) -> dict[str, Any]:
        """The folder is one index's: collections of other embedders go too."""
        from milvus_lite.schema.types import CollectionSchema, DataType, FieldSchema

        for each in self._database.list_collections():
            self._database.drop_collection(each)
        fields = [
            FieldSchema(name="key", dtype=DataType.INT64, is_primary=True),
            *(FieldSchema(name=each, dtype=DataType.INT64) for each in _SCALARS),
            FieldSchema(name="marks", dtype=DataType.VARCHAR, max_length=_MARKS_BYTES),
            FieldSchema(name="vector", dtype=DataType.FLOAT_VECTOR, dim=dim),
        ]
        self._database.create_collection(name, CollectionSchema(fields=fields))
        return {}

    def _put(self, collection: Any, asked: dict[str, Any], raw: bytes) -> None:
        import numpy as np

        vectors = np.frombuffer(raw, np.float32).reshape(-1, asked["dim"]).tolist()
        rows = zip(asked["rows"], vectors, strict=True)
        collection.insert(
            [
                {**dict(zip(("key", *_SCALARS, "marks"), row, strict=True)), "vector": vector}
                for row, vector in rows
            ]
        )
        # Rows outside of a file make searches slow, and a log that breaks loses them silently.
        collection.flush()

    def _search(self, collection: Any, asked: dict[str, Any], raw: bytes) -> list[Any]:
        import numpy as np

        [hits] = collection.search(
            [np.frombuffer(raw, np.float32)],
            top_k=asked["limit"],
            metric_type="IP",
            expr=asked["where"],
            output_fields=[],
        )
        return [(hit["id"], hit["distance"]) for hit in hits]


class LiteServer:
    """Serves them on a socket until nobody needs it."""

    def __init__(self, collections: LiteCollections, in_use: Path) -> None:
        """`in_use` is removed at an orderly end."""
        self._collections = collections
        self._in_use = in_use
        self._end, self._closed = asyncio.Event(), asyncio.Event()
        self._conversations: set[Any] = set()
        """The tasks of those who are connected."""
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, socket: Path) -> None:
        server = await asyncio.start_unix_server(self._serve, socket)
        self._wait(_FIRST_SECONDS)
        _report({"address": str(socket)})
        await self._end.wait()
        server.close()
        self._collections.close()
        self._in_use.unlink(missing_ok=True)
        shutil.rmtree(socket.parent, ignore_errors=True)
        self._closed.set()
        if self._conversations:
            await asyncio.wait(self._conversations, timeout=_LINGER_SECONDS)

    def _wait(self, seconds: float) -> None:
        """End if nobody has connected by then."""
        self._timer = asyncio.get_running_loop().call_later(seconds, self._end.set)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._timer is not None:
            self._timer.cancel()
        task = asyncio.current_task()
        self._conversations.add(task)
        try:
            with contextlib.suppress(ConnectionError, EOFError):
                await self._converse(reader, writer)
        finally:
            writer.close()
            self._conversations.discard(task)
            if not self._conversations:
                self._wait(_LINGER_SECONDS)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked, raw = await received(reader)
            if asked["call"] == "bye":
                if len(self._conversations) == 1:
                    self._end.set()
                    await self._closed.wait()  # whoever said it waits for that
                return
            reply = self._reply(asked, raw)
            writer.write(packed(reply))
            await writer.drain()
            if "error" in reply:
                os._exit(1)

    def _reply(self, asked: dict[str, Any], raw: bytes) -> dict[str, Any]:
        try:
            return self._collections.answer(asked, raw)
        except MissingError as error:
            return {"missing": str(error)}
        except Exception as error:  # noqa: BLE001 - all of them end the process
            return {"error": _told(error)}


def packed(head: dict[str, Any], raw: bytes = b"") -> bytes:
    """A message: an object, and bytes behind it."""
    told = json.dumps(head).encode()
    return _LENGTHS.pack(len(told), len(raw)) + told + raw


async def received(reader: asyncio.StreamReader) -> tuple[dict[str, Any], bytes]:
    """The next message. Raises EOFError at the end."""
    head, raw = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
    return json.loads(await reader.readexactly(head)), await reader.readexactly(raw)


def main(folder: Path, in_use: Path, socket: Path) -> int:
    """Leave the process that started it, open the folder, and serve; 1 if it cannot be opened."""
    if os.fork():
        return 0
    _tame_libraries()
    try:
        collections = LiteCollections(folder)
    except BaseException as error:  # noqa: BLE001 - it is reported
        _report({"error": _told(error)})
        return 1
    asyncio.run(LiteServer(collections, in_use).run(socket))
    return 0


def _report(message: dict[str, Any]) -> None:
    """Write the only line on standard output, and end it: the other side waits for that."""
    os.write(1, json.dumps({**message, "pid": os.getpid()}).encode())
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _tame_libraries() -> None:
    """Few threads, memory returned to the system, and no unused libraries."""
    # Arrow's own allocators keep freed memory: 170 MB more at 10,000 rows.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with contextlib.suppress(OSError, AttributeError):  # only glibc has it: two arenas, and trim
        libc = ctypes.CDLL(None)
        libc.mallopt(-8, 2)
        libc.mallopt(-1, 1 << 20)
    # Milvus Lite and Arrow work without them: 85 MB less.
    sys.meta_path.insert(0, _Absent("faiss", "pandas"))
    import pyarrow as pa  # type: ignore[import-untyped]

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


class _Absent:
    """An importer to which these packages are not installed."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def find_spec(self, name: str, *_: object) -> None:
        """Raises ModuleNotFoundError for these; leaves all others to the next importer."""
        if name in self._names:
            raise ModuleNotFoundError(name)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
