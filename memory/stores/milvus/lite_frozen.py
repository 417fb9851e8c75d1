"""A Milvus Lite folder that holds still while it is copied, whether it is served or not."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ...model.errors import StoreDamagedError, StoreError
from ...util.locks import Ownership, flock_holder, lock_of, named
from .lite_damage import find_damage
from .lite_snapshot import METHOD, SERVICE, snapshot_of, sweep_snapshot

ASK_SECONDS = 60.0
"""How long the serving process may take: a long search or a flush may be before it."""


@contextlib.contextmanager
def frozen(folder: Path) -> Iterator[Path]:
    """A folder with the rows of `folder`, in which nothing changes within the block.

    If a process serves the folder, that process makes a snapshot, which is removed afterwards. If
    none does, it is the folder itself, and no process can begin to serve it within the block.

    Raises:
        StoreError: the process that uses the folder does not answer, or the disk refuses.
        StoreDamagedError: the folder is damaged.
    """
    with contextlib.ExitStack() as stack:
        owner = stack.enter_context(_claimed(folder))
        if owner.taken:
            if stack.enter_context(_claimed(snapshot_of(folder))).taken:
                raise StoreError(f"{folder} is being copied by another process: try again")
            still = _snapshot(folder)
            stack.callback(sweep_snapshot, folder)
        else:
            _refuse_survivor(folder)
            still = folder
        if problem := find_damage(still):
            raise StoreDamagedError(f"{folder} is damaged: {problem}; see `recollect repair`")
        yield still


@contextlib.contextmanager
def _claimed(path: Path) -> Iterator[Ownership]:
    try:
        owner = Ownership.claim(path)
    except OSError as error:
        raise StoreError(f"cannot write {lock_of(path)}: {error}") from error
    try:
        yield owner
    finally:
        owner.release()


def _refuse_survivor(folder: Path) -> None:
    """A process whose parent died writes its rows for some seconds more."""
    if holder := flock_holder(folder / "LOCK"):
        raise StoreError(f"{folder} is in use by {holder}, which is ending: try again")


def _snapshot(folder: Path) -> Path:
    """Have the process that serves the folder make one."""
    import grpc  # type: ignore[import-untyped]

    note = lock_of(folder)
    address = note.read_text(encoding="utf-8", errors="replace").strip()
    if not address:
        raise StoreError(
            f"{folder} is in use by {named(note)}, which is starting, or of a version without "
            "backups: try again, or stop it first"
        )
    with grpc.insecure_channel(address) as channel:
        ask = channel.unary_unary(f"/{SERVICE}/{METHOD}")
        try:
            return Path(os.fsdecode(ask(b"", timeout=ASK_SECONDS)))
        except grpc.RpcError as error:
            raise _not_made(folder, error) from error


def _not_made(folder: Path, error: object) -> StoreError:
    import grpc

    if error.code() is grpc.StatusCode.FAILED_PRECONDITION:  # type: ignore[attr-defined]
        return StoreError(f"cannot copy {folder}: {error.details()}")  # type: ignore[attr-defined]
    holder = named(lock_of(folder))
    return StoreError(
        f"{folder} is in use by {holder}, which does not answer: run this command on the same "
        "machine, in the same container and as the same user, or stop that process first"
    )
