"""Sends exports: the lines of all memories as they are read, and files of them that are kept."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing

from aiohttp import web

from recollect.memory.model.errors import RecollectError, StateError
from recollect.memory.model.tasks import Task
from recollect.memory.state import SqlTasks

from ..answers import LINES
from ..sending import Load, Outlet

log = logging.getLogger(__name__)


class Exporting:
    """An export that has begun; `answer` sends it."""

    load = Load.READ.value

    def __init__(self, lines: AsyncIterator[bytes]) -> None:
        self._lines = lines

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """The lines. If a part fails, the answer breaks off without its last line.

        Raises RecollectError before anything was sent.
        """
        async with aclosing(self._lines) as lines:  # type: ignore[type-var]  # a generator
            # With the first page: a store that fails is answered as of any other operation.
            first = await anext(lines) + await anext(lines, b"")
            response = await outlet.begin(LINES)
            await outlet.write(first)
            try:
                async for data in lines:
                    await outlet.write(data)
            except RecollectError as error:
                log.warning("an export broke off: %s: %s", error.code, error)
                outlet.cut()
                return response
            return await outlet.end()


class ExportFile:
    """The file of an export, or the part of it that the request's Range names."""

    load = Load.READ.value

    def __init__(self, store: SqlTasks, task: Task, name: str) -> None:
        """A client keeps it under `name`."""
        self._store = store
        self._task = task
        self._name = name

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """The file. One that is removed meanwhile breaks off."""
        size = self._task.size
        try:
            wanted = part_of(outlet.request, size)
        except ValueError:
            return web.Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        headers = {
            "Accept-Ranges": "bytes",
            "Content-Disposition": f'attachment; filename="{self._name}"',
        }
        if wanted is not None:
            headers["Content-Range"] = f"bytes {wanted.start}-{wanted.stop - 1}/{size}"
        part = wanted or range(size)
        await outlet.begin(
            LINES, status=200 if wanted is None else 206, length=len(part), headers=headers
        )
        at = part.start
        try:
            while at < part.stop and (data := await self._store.read(self._task, at)):
                data = data[: part.stop - at]
                await outlet.write(data)
                at += len(data)
        except StateError as error:
            log.warning("the file of an export broke off: %s", error)
        if at < part.stop:
            outlet.cut()
        return await outlet.end()


def part_of(request: web.Request, size: int) -> range | None:
    """The bytes that a request's Range names; None if it asks for the whole file.

    Raises ValueError: the file has no such bytes, or the header is none of one range.
    """
    wanted = request.http_range
    if wanted.start is None and wanted.stop is None:
        return None
    part = range(size)[wanted]
    if not part:
        raise ValueError("no such bytes")
    return part
