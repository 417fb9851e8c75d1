"""One embedded Milvus Lite for several processes: their parent runs it, and they use it.

A note in the parent's folder tells the others where it is, or why it cannot be used.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from ...model.errors import StoreDamagedError, StoreError, StoreUnwritableError
from ...util.anchor import Anchor
from ...util.siblings import Sibling
from ...util.tasks import Tasks
from .lite import START_SECONDS, LiteEndpoint
from .lite_files import LiteFiles
from .lite_log import lost_log

log = logging.getLogger(__name__)

_NOTE = "store.json"
LOOK_SECONDS = 0.5
"""Interval in which the parent looks whether it runs. Its end is noticed this late."""
RETRY_SECONDS = 2.0
"""After this time a disk without room is tried again."""
_KINDS: Mapping[str, type[StoreError]] = {
    "damaged": StoreDamagedError,
    "unwritable": StoreUnwritableError,
    "down": StoreError,
}


class SharedLite:
    """The endpoint of one sibling."""

    def __init__(self, folder: Path, note: Path) -> None:
        self._note = note
        self._folder = folder.absolute()
        self._anchor: Anchor | None = None
        self._files = LiteFiles(self._gone, lambda: lost_log(self.pid, self._folder))

    @classmethod
    async def open(cls, folder: Path, sibling: Sibling) -> SharedLite:
        """Wait until the parent has started it, or tells why it cannot. Raises StoreError."""
        endpoint = cls(folder, sibling.folder / _NOTE)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while not endpoint._note.exists():  # noqa: ASYNC110 - another process makes it
                    await asyncio.sleep(0.02)
        await endpoint.address()
        with contextlib.suppress(OSError):
            endpoint._anchor = Anchor.of(endpoint._folder / "LOCK")
        return endpoint

    @property
    def pid(self) -> int | None:
        """The process id of Milvus Lite."""
        return self._read().get("pid")

    async def address(self) -> str:
        """The current address. Raises StoreError while there is none."""
        found = self._read()
        if "address" in found:
            return str(found["address"])
        told = found.get("told", "the embedded Milvus is being started")
        raise _KINDS[found.get("kind", "down")](told)

    def look(self, *, log_too: bool = True) -> str:
        """What happened to its files since they were opened, see `LiteFiles`."""
        return self._files.look(log_too=log_too)

    async def close(self) -> None:
        """It keeps running."""

    def _gone(self) -> str:
        return "" if self._anchor is None else self._anchor.gone

    def _read(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self._note.read_bytes()))
        except (OSError, ValueError):
            return {}


@contextlib.asynccontextmanager
async def running_lite(folder: Path, shared: Path) -> AsyncIterator[None]:
    """Run Milvus Lite on `folder` for the processes that look into `shared`.

    It is started again when it dies. While its files are damaged, or its disk is full, the others
    are told.

    Raises:
        StoreError: it cannot be started at all.
    """
    keeper = _Keeper(folder, shared / _NOTE)
    await keeper.start()
    tasks = Tasks()
    tasks.start(keeper.keep(), name="the embedded Milvus")
    try:
        yield
    finally:
        await tasks.drain(0)
        await keeper.close()


class _Keeper:
    """Starts it, watches it, and keeps the note true."""

    def __init__(self, folder: Path, note: Path) -> None:
        self._folder = folder
        self._note = note
        self._noted: dict[str, Any] = {}
        self._endpoint: LiteEndpoint | None = None

    async def start(self) -> None:
        """Raises StoreError if that is the end: neither damage nor a full disk is."""
        try:
            self._endpoint = await LiteEndpoint.open(self._folder)
        except (StoreDamagedError, StoreUnwritableError) as error:
            log.error("%s", error)  # noqa: TRY400 - the reason is in the line
            self._tell(_failure(error))
        else:
            await self._look(self._endpoint)

    async def keep(self) -> None:
        """Until cancelled."""
        while True:
            if self._endpoint is not None:
                await asyncio.sleep(LOOK_SECONDS)
                await self._look(self._endpoint)
            elif self._noted["kind"] == "damaged":
                await asyncio.Event().wait()
            else:
                await asyncio.sleep(RETRY_SECONDS)
                with contextlib.suppress(StoreError):
                    await self.start()

    async def close(self) -> None:
        if self._endpoint is not None:
            await self._endpoint.close()

    async def _look(self, endpoint: LiteEndpoint) -> None:
        try:
            self._tell({"address": await endpoint.address(), "pid": endpoint.pid})
        except StoreError as error:
            self._tell(_failure(error))

    def _tell(self, noted: dict[str, Any]) -> None:
        if noted == self._noted:
            return
        self._noted = noted
        half = self._note.with_suffix(".half")
        half.write_text(json.dumps(noted))
        half.replace(self._note)


def _failure(error: StoreError) -> dict[str, Any]:
    kind = next((word for word, each in _KINDS.items() if isinstance(error, each)), "down")
    return {"kind": kind, "told": str(error)}
