"""Receives the file of an import: into the database as it comes, up to a bound."""

from __future__ import annotations

from aiohttp import web

from recollect.memory import InvalidInputError
from recollect.memory.jobs import LeaseLostError
from recollect.memory.model.errors import ConflictError
from recollect.memory.model.tasks import TASK_PIECE, Task
from recollect.memory.transfer import check_header

from .formats import FORMAT, ImportFormat
from .runner import TaskRunner

_MAX_HEADER = 64 * 1024


async def spooled(
    request: web.Request, runner: TaskRunner, task: Task, *, most: int
) -> Task | None:
    """Write the body to the file of a task, and begin it; None if it has more than `most` bytes.

    A body of a known length that has no room is refused unread, any other as soon as it has none.
    Nothing is left if it fails, or if the client leaves.

    Raises:
        ConflictError: too many of the tenant's tasks wait.
        InvalidInputError: there is no body, or its first line is not the header of an export.
        SpoolFullError: there is no room.
        OSError, StateError: it cannot be kept, or the client left.
    """
    length = request.content_length or 0
    if length > most:
        return None
    begun = None
    try:
        await runner.expect(task, length)
        size = await runner.held(task, _received(request, runner, task, most))
        if not size:
            raise InvalidInputError("body", "expected an export")
        if size <= most:
            if task.asked[FORMAT] == ImportFormat.LINES:
                check_header((await runner.store.read(task, 0)).partition(b"\n")[0][:_MAX_HEADER])
            begun = await runner.received(task)
    except LeaseLostError as error:
        raise ConflictError("the file came too late: import it again") from error
    finally:
        if begun is None:
            await runner.store.remove(task)
    return begun


async def _received(request: web.Request, runner: TaskRunner, task: Task, most: int) -> int:
    data = bytearray()
    async for chunk in request.content.iter_chunked(TASK_PIECE):
        data += chunk
        if task.size + len(data) > most:
            return task.size + len(data)
        if len(data) >= TASK_PIECE:
            await runner.step(task, bytes(data))
            data.clear()
    await runner.step(task, bytes(data))
    return task.size
