"""A copy of a Milvus Lite folder at one moment, made by the process that serves it.

Files of rows never change once they are written: they are linked, so that searches wait for
milliseconds and not for the disk. Logs and manifests change, and are copied; they are small.

It imports nothing of `memory` but `lite_disk`: it runs in `lite_server.py`.
"""

# ruff: noqa: SLF001 - Milvus Lite has no public name for the lock of its files

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

from .lite_disk import PROBE

SERVICE, METHOD = "recollect.Lite", "Snapshot"
"""The call of gRPC by which another process asks for a snapshot; the answer is its path."""
_IMMUTABLE = ".parquet"
_LEFT_OUT = ("LOCK", PROBE, "*.tmp")


def snapshot_of(data_dir: Path) -> Path:
    """Where the snapshot of this folder is: beside it, because links need the same disk."""
    return data_dir.with_name(f"{data_dir.name}.snapshot")


def sweep_snapshot(data_dir: Path) -> None:
    """Remove what a backup that was killed has left: it would keep what is forgotten now."""
    shutil.rmtree(snapshot_of(data_dir), ignore_errors=True)


def handlers(database: Any, data_dir: Path) -> Any:
    """What the server answers to `METHOD`, on the thread that writes: nothing is written then."""
    import grpc  # type: ignore[import-untyped]

    def taken(_request: bytes, context: Any) -> bytes:
        try:
            return os.fsencode(take_snapshot(database, data_dir))
        except OSError as error:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            raise

    method = grpc.unary_unary_rpc_method_handler(taken)
    return grpc.method_handlers_generic_handler(SERVICE, {METHOD: method})


def take_snapshot(database: Any, data_dir: Path) -> Path:
    """Copy the folder beside itself, in place of an older snapshot.

    Raises:
        OSError: a file cannot be written; nothing is left of the copy.
    """
    sweep_snapshot(data_dir)
    target = snapshot_of(data_dir)
    ignore = shutil.ignore_patterns(*_LEFT_OUT)
    with contextlib.ExitStack() as stack:
        for name in database.list_collections():
            # Compaction, on its own thread, replaces files under this lock.
            stack.enter_context(database.get_collection(name)._maintenance_lock)
        try:
            shutil.copytree(data_dir, target, ignore=ignore, copy_function=_linked)
        except OSError:
            sweep_snapshot(data_dir)
            raise
    return target


def _linked(source: str, target: str) -> str:
    if source.endswith(_IMMUTABLE):
        # Not every disk has links.
        with contextlib.suppress(OSError):
            os.link(source, target)
            return target
    return shutil.copy2(source, target)
