"""Milvus Lite in a process of its own, started by `lite.py` as a script.

It computes in Python: in the caller's process a search would hold the caller's GIL for up to 60 ms.
It serves everybody who connects to its socket, one call at a time, and ends when the last one has
gone. A call that fails ends it too: whoever starts the next one throws away what cannot be opened.

It imports nothing of Recollect, to stay small.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import socket
import sys
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

_FIRST_SECONDS = 30.0
"""How long it waits for the first connection."""
_LINGER_SECONDS = 1.0
"""How long it waits for another one after the last."""
_SCALARS = ("tenant", "user", "agent", "run", "kind", "status", "at")
_MARKS_BYTES = 65_535


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

    def answer(self, call: str, name: str = "", dim: int = 0, *asked: Any) -> Any:
        """What a call returns."""
        if call == "hello":
            return None
        if call == "drop":
            return self._drop(name, dim)
        collection = self._collection(name, dim)
        match call:
            case "put":
                self._put(collection, *asked)
            case "search":
                return self._search(collection, *asked)
            case "delete":
                collection.delete(*asked)
                collection.flush()
        return None

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

    def _drop(self, name: str, dim: int) -> None:
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

    def _put(self, collection: Any, rows: list[tuple[Any, ...]], vectors: Any) -> None:
        names = ("key", *_SCALARS, "marks", "vector")
        collection.insert(
            [
                dict(zip(names, (*row, vector), strict=True))
                for row, vector in zip(rows, vectors.tolist(), strict=True)
            ]
        )
        # Rows outside of a file make searches slow, and a log that breaks loses them silently.
        collection.flush()

    def _search(self, collection: Any, vector: Any, where: str, limit: int) -> list[Any]:
        [hits] = collection.search(
            [vector], top_k=limit, metric_type="IP", expr=where, output_fields=[]
        )
        return [(hit["id"], hit["distance"]) for hit in hits]


def serve(collections: LiteCollections, door: socket.socket, clients: list[Connection]) -> None:
    """Answer those who connect until nobody needs it; `clients` are those who are connected."""
    seconds = _FIRST_SECONDS
    while ready := wait([door, *clients], None if clients else seconds):
        for one in ready:
            if not isinstance(one, Connection):
                clients.append(Connection(door.accept()[0].detach()))
                continue
            call, *asked = _received(one)
            if call == "bye" and len(clients) == 1:
                return
            if call in ("bye", None):
                clients.remove(one)
                one.close()
            else:
                _reply(one, collections, call, *asked)
        seconds = _LINGER_SECONDS


def _received(client: Connection) -> tuple[Any, ...]:
    """The next call with what it asks for; at the end the call is None."""
    with contextlib.suppress(EOFError, OSError):
        return tuple(client.recv())
    return (None,)


def _reply(client: Connection, collections: LiteCollections, *asked: Any) -> None:
    try:
        reply = {"found": collections.answer(*asked)}
    except MissingError as error:
        reply = {"missing": str(error)}
    except Exception as error:  # noqa: BLE001 - all of them end the process
        reply = {"error": _told(error)}
    with contextlib.suppress(OSError):  # it has gone
        client.send(reply)
    if "error" in reply:
        os._exit(1)


def main(folder: Path, in_use: Path, address: Path) -> int:
    """Leave the process that started it, open the folder, and serve; 1 if it cannot be opened.

    `in_use` is removed at an orderly end.
    """
    if os.fork():
        return 0
    _tame_libraries()
    try:
        collections = LiteCollections(folder)
    except BaseException as error:  # noqa: BLE001 - it is reported
        _report({"error": _told(error)})
        return 1
    clients: list[Connection] = []  # the last one hears when this process ends
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(address))
        door.listen()
        _report({"address": str(address)})
        serve(collections, door, clients)
    collections.close()
    in_use.unlink(missing_ok=True)
    shutil.rmtree(address.parent, ignore_errors=True)
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
