"""Calls to Qdrant, in a folder or on a server, with errors as those of a store."""

from __future__ import annotations

import asyncio
import fcntl
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...model.errors import InvalidInputError, StoreError
from .options import QdrantStoreOptions

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient, QdrantClient

LOCK = ".lock"
"""The file of a folder that the client locks."""


class Client:
    """One client of Qdrant. The local mode computes in a thread, one call at a time."""

    def __init__(
        self, shown: str, *, local: QdrantClient | None, remote: AsyncQdrantClient | None
    ) -> None:
        self._shown = shown
        self._local = local
        self._remote = remote
        self._one = asyncio.Lock()

    @classmethod
    async def open(cls, options: QdrantStoreOptions) -> Client:
        """Raises StoreError: the folder is in use, or cannot be opened."""
        if options.remote:
            return cls(options.shown, local=None, remote=_remote(options))
        if options.folder is None:
            raise InvalidInputError("store.uri", "expected the address of Qdrant, or a folder")
        return cls(
            options.shown, local=await asyncio.to_thread(_local, options.folder), remote=None
        )

    @property
    def embedded(self) -> bool:
        return self._local is not None

    async def call(self, name: str, **arguments: Any) -> Any:
        """Call a method of the client. Raises StoreError."""
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        try:
            if self._remote is not None:
                return await getattr(self._remote, name)(**arguments)
            async with self._one:
                return await asyncio.to_thread(getattr(self._local, name), **arguments)
        # The local mode raises ValueError and RuntimeError, and what SQLite and files do.
        except (ApiException, QdrantException, OSError, ValueError, RuntimeError) as error:
            raise self._failed(name, error) from error
        except Exception as error:
            if type(error).__module__.split(".")[0] not in {"sqlite3", "httpx", "httpcore"}:
                raise
            raise self._failed(name, error) from error

    async def close(self) -> None:
        if self._remote is not None:
            await self._remote.close()
        elif self._local is not None:
            await asyncio.to_thread(self._local.close)

    def _failed(self, name: str, error: Exception) -> StoreError:
        told = str(error).strip().partition("\n")[0][:300]
        return StoreError(
            f"Qdrant at {self._shown} failed ({name}): {type(error).__name__}: {told}"
        )


def _remote(options: QdrantStoreOptions) -> AsyncQdrantClient:
    from qdrant_client import AsyncQdrantClient

    with warnings.catch_warnings():
        # An API key over plain HTTP is the operator's choice, in a network of their own.
        warnings.simplefilter("ignore", UserWarning)
        return AsyncQdrantClient(
            url=options.uri,
            api_key=None if options.api_key is None else options.api_key.get_secret_value(),
            timeout=max(1, round(options.timeout_seconds)),
            check_compatibility=False,  # it asks the server before anything was called
        )


def _local(folder: Path) -> QdrantClient:
    from qdrant_client import QdrantClient

    try:
        folder.mkdir(parents=True, exist_ok=True)
        _check_free(folder)
        return QdrantClient(path=str(folder), force_disable_check_same_thread=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(
            f"the folder {folder} of Qdrant cannot be opened: {error} (one process at a time can "
            "use it; several need a server)"
        ) from error


def _check_free(folder: Path) -> None:
    """Try the client's own lock: a client that does not get it leaves its file open."""
    with (folder / LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
