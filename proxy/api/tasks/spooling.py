"""Receives the file of an import: to the disk as it comes, up to a bound."""

from __future__ import annotations

import logging
from asyncio import to_thread
from pathlib import Path

from aiohttp import web

from recollect.memory import InvalidInputError
from recollect.memory.transfer import check_header

from ..answers import detail
from .record import Task
from .runner import disk_told
from .spool import Spool, SpoolFullError

log = logging.getLogger(__name__)

_CHUNK = 256 * 1024
_MAX_HEADER = 64 * 1024


async def spooled(
    request: web.Request, spool: Spool, task: Task, *, most: int
) -> web.Response | None:
    """Write the body to the file of a task; an answer if that is not possible.

    A body of a known length that has no room is refused unread, any other as soon as it has none.
    Nothing is left if it fails, or if the client leaves.

    Raises:
        InvalidInputError: there is no body, or its first line is not the header of an export.
    """
    length = request.content_length or 0
    if length > most:
        return _too_large(most)
    whole = False
    try:
        await spool.hold(task, 0, expected=length)
        size = await _received(request, spool, task, most)
        if 0 < size <= most:
            check_header(await to_thread(_first_line, spool.store.lines(task.id)))
        whole = 0 < size <= most
    except SpoolFullError as error:
        return detail(507, str(error))
    except OSError as error:
        if isinstance(error, ConnectionError):
            raise
        log.warning("an import cannot be kept: %s", error)
        return detail(507, disk_told(error))
    finally:
        if not whole:
            await to_thread(spool.drop, task.id)
    if not size:
        raise InvalidInputError("body", "expected the lines of an export")
    return None if whole else _too_large(most)


async def _received(request: web.Request, spool: Spool, task: Task, most: int) -> int:
    size, length = 0, request.content_length or 0
    with await to_thread(spool.store.begin, task.id) as file:
        async for chunk in request.content.iter_chunked(_CHUNK):
            if size + len(chunk) > most:
                return size + len(chunk)
            await spool.hold(task, size + len(chunk), expected=length)
            await to_thread(file.write, chunk)
            size += len(chunk)
    spool.found(task, size)
    return size


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(_MAX_HEADER)


def _too_large(most: int) -> web.Response:
    return detail(413, f"the body exceeds {most} bytes (api.max_import_bytes)")
