"""Calls to Chroma, in a folder or on a server, with errors as those of a store."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ...model.errors import InvalidInputError, StoreError
from .options import ChromaStoreOptions

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.config import Settings

T = TypeVar("T")

LOCK = "recollect.lock"
"""The file of a folder that its user locks."""


class ChromaClient:
    """One client of Chroma. Its calls block, so they run in threads; in a folder one at a time."""

    def __init__(
        self, client: ClientAPI, options: ChromaStoreOptions, hold: contextlib.ExitStack
    ) -> None:
        """`hold` is closed with the client."""
        self._client = client
        self._shown = options.shown
        self._seconds = options.timeout_seconds
        self._hold = hold
        self._turns = asyncio.Semaphore(8 if options.remote else 1)
        self.remote = options.remote

    @classmethod
    async def open(cls, options: ChromaStoreOptions) -> ChromaClient:
        """Raises StoreError: the folder is in use, or the server does not answer."""
        if not options.remote and options.folder is None:
            raise InvalidInputError("store.uri", "expected the address of Chroma, or a folder")
        hold = contextlib.ExitStack()
        try:
            with _translated(options.shown, "open"):
                client = await asyncio.to_thread(_open, options, hold)
        except BaseException:
            hold.close()
            raise
        return cls(client, options, hold)

    async def call(self, name: str, work: Callable[[ClientAPI], T]) -> T:
        """Run `work` with the client in a thread. `name` tells people what failed.

        Raises StoreError.
        """
        async with self._turns:
            with _translated(self._shown, name):
                done = asyncio.to_thread(work, self._client)
                if not self.remote:
                    return await done  # a file has no time limit: the thread would go on
                async with asyncio.timeout(self._seconds):
                    return await done

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._hold:
            sessions = [*_sessions(self._client)]
            self._client.close()  # type: ignore[attr-defined]
            for session in sessions:
                session.close()


@contextlib.contextmanager
def _translated(shown: str, name: str) -> Iterator[None]:
    """Chroma raises its own errors, httpx's, and what SQLite and files do."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, httpx.HTTPError, OSError, ValueError, RuntimeError, TimeoutError) as error:
        told = str(error).strip().partition("\n")[0][:300]
        text = f"Chroma at {shown} failed ({name}): {type(error).__name__}: {told}"
        raise StoreError(text) from error


def _open(options: ChromaStoreOptions, hold: contextlib.ExitStack) -> ClientAPI:
    import chromadb

    if options.folder is None:
        return chromadb.HttpClient(settings=_settings(), **_address(options), **_names(options))
    _lock(options.folder, hold)
    return chromadb.PersistentClient(
        path=str(options.folder), settings=_settings(), **_names(options)
    )


def _sessions(client: ClientAPI) -> Iterator[Any]:
    """The connections of a client and of the one inside it: Chroma 1.5 closes neither."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            yield session


def _settings() -> Settings:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _names(options: ChromaStoreOptions) -> dict[str, Any]:
    return {"tenant": options.tenant, "database": options.database}


def _address(options: ChromaStoreOptions) -> dict[str, Any]:
    found = urlsplit(str(options.uri))
    ssl = found.scheme.lower() == "https"
    token = {} if options.token is None else {"X-Chroma-Token": options.token.get_secret_value()}
    port = found.port or (443 if ssl else 8000)
    return {"host": found.hostname or "", "port": port, "ssl": ssl, "headers": token}


def _lock(folder: Path, hold: contextlib.ExitStack) -> None:
    """Keep other processes out: Chroma itself lets several write into a folder, and loses rows."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = hold.enter_context((folder / LOCK).open("a"))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"the folder {folder} of Chroma is in use: one process at a time can use it; several "
            "need a server"
        ) from None
