"""Milvus Lite in its own process, started by `lite.py` as a script.

Milvus Lite 3 is pure Python: in the caller's process it would hold the caller's GIL during every
search. The process serves one Unix socket and reports on its first line of output whether it is
ready. It flushes and ends when its standard input closes: when the parent closes it, or dies.

It imports nothing of `memory` but `lite_damage`, `lite_disk`, `lite_query` and `lite_snapshot`, to
stay small.
"""

# ruff: noqa: SLF001 - Milvus Lite offers no other way to what `_patch_engine` changes

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import json
import logging
import os
import select
import shutil
import signal
import sys
import time
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

LOCK_WAIT_SECONDS = 5.0
"""How long to wait for a predecessor that is still shutting down."""
PARENT_CHECK_SECONDS = 1.0
"""How often the parent is looked for, in addition to waiting for the pipe to close."""
GRACE_SECONDS = 2.0
"""How long running calls may continue after the end was requested."""
MAX_MESSAGE_BYTES = 256 * 1024 * 1024
"""The same limit as a Milvus server has."""
BROKEN_LOG_EXIT = 70
"""Exit status after a failed write to the log or to a segment (EX_SOFTWARE of sysexits.h)."""


def main(data_dir: Path, socket_path: Path) -> int:
    """Serve until the parent ends; the exit status is 1 if the folder could not be opened."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr)
    _tame_libraries()
    try:
        database = _open(data_dir)
    except _RefusedError as refusal:
        _report({"error": refusal.kind, "detail": str(refusal)})
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = None
    try:
        server = _serve(database, data_dir, socket_path)
        _report({"ready": True})
        _wait_for_end(os.getppid())
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if server is not None:
            server.stop(GRACE_SECONDS).wait()
        _close(database)
        shutil.rmtree(socket_path.parent, ignore_errors=True)
    return 0


def _close(database: Any) -> None:
    """Flush and close; rows that the disk refuses stay in the log."""
    try:
        database.close()
    except OSError as error:
        if not _ours("lite_disk").is_refusal(error):
            raise
        logging.getLogger(__name__).error("not flushed: %s", error)  # noqa: TRY400 - it is expected


class _RefusedError(Exception):
    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def _tame_libraries() -> None:
    """Few threads, memory returned to the system, and no unused libraries."""
    # Arrow's own allocators keep freed memory: 170 MB more at 10,000 rows.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    _limit_malloc()
    # `import pymilvus` loads pandas (50 MB, a second); the server needs only its messages.
    _bare_package("pymilvus", _folders_of("pymilvus"))
    # 30 MB, for index types that are not used here; and 55 MB that pyarrow loads at the first read
    # if it can. Both work without them.
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


def _limit_malloc() -> None:
    """Two arenas, and free memory returned early (``mallopt(3)``). Only glibc has this."""
    import ctypes

    m_trim_threshold, m_arena_max = -1, -8
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(m_arena_max, 2)
        libc.mallopt(m_trim_threshold, 1 << 20)


def _folders_of(package: str) -> list[str]:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(package)
    return list(spec.submodule_search_locations)


def _bare_package(name: str, folders: list[str]) -> None:
    """Make `name` a package whose modules can be imported without running its ``__init__``."""
    package = types.ModuleType(name)
    package.__path__ = folders
    package.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    sys.modules[name] = package


def _open(data_dir: Path) -> Any:
    """Open the database with every collection, so that problems show now."""
    _bare_package("recollect_lite", [str(Path(__file__).parent)])
    damage, disk = _ours("lite_damage"), _ours("lite_disk")
    if not (data_dir / "collections").is_dir() and (problem := damage.find_damage(data_dir)):
        raise _RefusedError("foreign", problem)
    database = _locked(data_dir)
    # Lock first: what another process is writing is not damage.
    if problem := damage.find_damage(data_dir):
        raise _RefusedError("damaged", problem)
    damage.sweep_unborn(data_dir)
    _ours("lite_snapshot").sweep_snapshot(data_dir)
    _patch_engine()
    try:
        for name in database.list_collections():
            _flush_recovered(database.get_collection(name), data_dir)
    except Exception as error:  # any error must be reported to the parent
        logging.getLogger(__name__).exception("opening %s", data_dir)
        kind = "full" if disk.is_refusal(error) else "damaged"
        raise _RefusedError(kind, f"{type(error).__name__}: {error}") from error
    _guard_writes(data_dir)
    return database


def _flush_recovered(collection: Any, data_dir: Path) -> None:
    """Write the rows of the log into files if there is room; else they are served from memory."""
    disk = _ours("lite_disk")
    try:
        disk.require_room(data_dir, _size_of(collection) + disk.SPARE_BYTES)
    except OSError as error:
        logging.getLogger(__name__).warning("the log was not flushed: %s", error)
        return
    collection.flush()


def _ours(name: str) -> Any:
    """Import one of our modules as part of a package that imports nothing else."""
    return importlib.import_module(f"recollect_lite.{name}")


def _size_of(collection: Any) -> int:
    """Bytes of rows that a flush may write."""
    return int(collection._memtable.estimated_memory_bytes)


def _locked(data_dir: Path) -> Any:
    from milvus_lite.db import MilvusLite
    from milvus_lite.exceptions import DataDirLockedError

    deadline = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            return MilvusLite(str(data_dir))
        except DataDirLockedError as error:
            if time.monotonic() > deadline:
                raise _RefusedError("locked", str(error)) from error
            time.sleep(0.1)
        except OSError as error:
            kind = "full" if _ours("lite_disk").is_refusal(error) else "unusable"
            raise _RefusedError(kind, str(error)) from error


def _patch_engine() -> None:
    """Change behaviour of Milvus Lite 3.2.2 that cannot be configured."""
    from milvus_lite.engine.collection import Collection

    Collection._bg_compact_and_index = _compact_gently


def _guard_writes(data_dir: Path) -> None:
    """From here on a write that fails in the middle ends the process; see `_or_die`."""
    from milvus_lite.engine.collection import Collection
    from milvus_lite.storage.wal import WAL

    for name in ("write_insert", "write_delete"):
        setattr(WAL, name, _or_die(getattr(WAL, name), data_dir, lambda _, batch: batch.nbytes))
    Collection._trigger_flush = _or_die(Collection._trigger_flush, data_dir, _size_of)


def _compact_gently(collection: Any) -> None:
    """Compact one partition at a time.

    The original compacts all of them under the lock that every search needs, for half a second and
    more.
    """
    try:
        for partition in collection._manifest.list_partitions():
            with collection._maintenance_lock:
                compacted = collection._compaction_mgr.maybe_compact(
                    partition, collection._manifest, collection._delta_index
                )
                if compacted:
                    collection._refresh_segment_cache()
            if compacted:
                time.sleep(0.01)  # the lock is not fair: let waiting threads have it
    except Exception:
        # Nothing is lost: the files stay unmerged until the next flush.
        logging.getLogger(__name__).exception("compaction failed")


def _or_die(write: Any, data_dir: Path, size: Callable[..., int]) -> Any:
    """Refuse a write without room, and end the process if the write fails nevertheless.

    Reading a log stops at a half-written record, so every later record would be lost. A flush
    discards its log before it has written the rows, so the next flush would delete them. The
    process must therefore not continue. The next one reads the log up to the record that was never
    acknowledged, and begins a new one.
    """
    disk = _ours("lite_disk")

    def guarded(of: Any, *batch: Any) -> None:
        disk.require_room(data_dir, size(of, *batch) + disk.SPARE_BYTES)
        try:
            write(of, *batch)
        except Exception:
            logging.getLogger(__name__).exception("a write failed in the middle")
            os._exit(BROKEN_LOG_EXIT)

    return guarded


def _serve(database: Any, data_dir: Path, socket_path: Path) -> Any:
    import grpc  # type: ignore[import-untyped]
    from milvus_lite.adapter.grpc.servicer import MilvusServicer
    from pymilvus.grpc_gen import milvus_pb2_grpc

    servicer = _ours("lite_query").make_servicer(MilvusServicer)

    # One worker: Milvus Lite does not protect a flush from writes and searches on other threads.
    server = grpc.server(
        ThreadPoolExecutor(max_workers=1, thread_name_prefix="milvus-lite"),
        options=[
            ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
            ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
            # pymilvus pings every 10 s, even when idle. A server takes one ping in five minutes and
            # then disconnects the client (`too_many_pings`), unless it counts no strikes.
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_ping_strikes", 0),
        ],
    )
    milvus_pb2_grpc.add_MilvusServiceServicer_to_server(servicer(database), server)
    server.add_generic_rpc_handlers((_ours("lite_snapshot").handlers(database, data_dir),))
    server.add_insecure_port(f"unix:{socket_path}")
    server.start()
    return server


def _report(message: dict[str, Any]) -> None:
    """Write the only line on standard output; afterwards nobody reads it."""
    os.write(1, json.dumps(message).encode() + b"\n")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _wait_for_end(parent: int) -> None:
    while os.getppid() == parent:
        readable, _, _ = select.select([0], [], [], PARENT_CHECK_SECONDS)
        if readable and not os.read(0, 1024):
            return


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
