"""Receives the file of an import: into the database as it comes, up to a bound."""

from __future__ import annotations

import logging

from aiohttp import web

from recollect.memory import InvalidInputError
from recollect.memory.model.errors import StateUnwritableError
from recollect.memory.model.tasks import TASK_PIECE, Task
from recollect.memory.transfer import check_header

from ..answers import detail
from .room import SpoolFullError
from .runner import TaskRunner, disk_told

log = logging.getLogger(__name__)

_MAX_HEADER = 64 * 1024


async def spooled(
    request: web.Request, runner: TaskRunner, task: Task, *, most: int
) -> web.Response | None:
    """Write the body to the file of a task; an answer if that is not possible.

    A body of a known length that has no room is refused unread, any other as soon as it has none.
    Nothing is left if it fails, or if the client leaves.

    Raises:
        ConflictError: too many of the tenant's tasks wait.
        InvalidInputError: there is no body, or its first line is not the header of an export.
    """
    length = request.content_length or 0
    if length > most:
        return _too_large(most)
    whole = False
    try:
        await runner.expect(task, length)
        size = await _received(request, runner, task, most)
        if 0 < size <= most:
            check_header((await runner.store.read(task, 0)).partition(b"\n")[0][:_MAX_HEADER])
        whole = 0 < size <= most
    except SpoolFullError as error:
        return detail(507, str(error))
    except (OSError, StateUnwritableError) as error:
        if isinstance(error, ConnectionError):
            raise
        log.warning("an import cannot be kept: %s", error)
        return detail(507, disk_told(error))
    finally:
        if not whole:
            await runner.unexpect(task)
    if not size:
        raise InvalidInputError("body", "expected the lines of an export")
    return None if whole else _too_large(most)


async def _received(request: web.Request, runner: TaskRunner, task: Task, most: int) -> int:
    data = bytearray()
    async for chunk in request.content.iter_chunked(TASK_PIECE):
        data += chunk
        if task.size + len(data) > most:
            return task.size + len(data)
        if len(data) >= TASK_PIECE:
            await runner.receive(task, bytes(data))
            data.clear()
    if data:
        await runner.receive(task, bytes(data))
    return task.size


def _too_large(most: int) -> web.Response:
    return detail(413, f"the body exceeds {most} bytes (api.max_import_bytes)")
