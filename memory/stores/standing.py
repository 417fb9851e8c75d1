"""An embedded store's folder in which nothing changes for a while, so that it can be copied."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from ..model.errors import StoreError
from . import ChromaStoreOptions, MilvusStoreOptions, QdrantStoreOptions, StoreOptions
from .chroma.client import LOCK as CHROMA_LOCK
from .milvus.lite_frozen import frozen
from .qdrant.client import LOCK as QDRANT_LOCK

NOT_COPIED = frozenset({"LOCK", CHROMA_LOCK, QDRANT_LOCK})
"""Names of files that say who uses a folder."""


def standing_still(options: StoreOptions) -> contextlib.AbstractContextManager[Path]:
    """A folder with what the store holds, in which nothing changes within the block.

    Milvus Lite makes a snapshot while it runs. The others have none: nobody else may use them.

    Raises:
        StoreError: it is in use, does not answer, or the disk refuses.
        StoreDamagedError: the folder is damaged.
    """
    folder = options.folder
    match options:
        case MilvusStoreOptions() if folder is not None:
            return frozen(folder)
        case ChromaStoreOptions() if folder is not None:
            return _held(folder, CHROMA_LOCK)
        case QdrantStoreOptions() if folder is not None:
            return _held(folder, QDRANT_LOCK)
        case _:
            raise StoreError(f"{options.shown} is no folder")


@contextlib.contextmanager
def _held(folder: Path, name: str) -> Iterator[Path]:
    with (folder / name).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                f"{folder} is in use, and can be copied only while it is not: stop Recollect for "
                "the backup, or use `recollect memories export`"
            ) from None
        yield folder
