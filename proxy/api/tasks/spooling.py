"""Receives the file of an import: to the disk as it comes, up to a bound."""

from __future__ import annotations

import logging
from asyncio import to_thread
from pathlib import Path

from aiohttp import web

from recollect.memory import InvalidInputError
from recollect.memory.transfer import check_header

from ..answers import detail
from .runner import disk_told
from .shelf import TaskShelf

log = logging.getLogger(__name__)

_CHUNK = 256 * 1024
_MAX_HEADER = 64 * 1024


async def spooled(
    request: web.Request, shelf: TaskShelf, task_id: str, *, most: int
) -> web.Response | None:
    """Write the body to the file of a task; an answer if that is not possible.

    Nothing is left if it fails, or if the client leaves.

    Raises:
        InvalidInputError: there is no body, or its first line is not the header of an export.
    """
    if (request.content_length or 0) > most:
        return _too_large(most)
    whole = False
    try:
        size = await _received(request, shelf, task_id, most)
        if 0 < size <= most:
            check_header(await to_thread(_first_line, shelf.lines(task_id)))
        whole = 0 < size <= most
    except OSError as error:
        if isinstance(error, ConnectionError):
            raise
        log.warning("an import cannot be kept: %s", error)
        return detail(507, disk_told(error))
    finally:
        if not whole:
            await to_thread(shelf.drop_lines, task_id)
    if not size:
        raise InvalidInputError("body", "expected the lines of an export")
    return None if whole else _too_large(most)


async def _received(request: web.Request, shelf: TaskShelf, task_id: str, most: int) -> int:
    size = 0
    with await to_thread(shelf.begin, task_id) as file:
        async for chunk in request.content.iter_chunked(_CHUNK):
            size += len(chunk)
            if size > most:
                break
            await to_thread(file.write, chunk)
    return size


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(_MAX_HEADER)


def _too_large(most: int) -> web.Response:
    return detail(413, f"the body exceeds {most} bytes (api.max_import_bytes)")
