"""The protocol on standard input and output, which carry nothing else: logs go to stderr."""

from __future__ import annotations

import asyncio
import importlib.metadata
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from recollect.memory.model.errors import RecollectError
from recollect.memory.util.tasks import Tasks

from .calls import Calls
from .desk import Desk
from .envelope import INVALID_REQUEST, PARSE_ERROR
from .lines import InputLines, own_input

DRAIN_SECONDS = 5.0
"""How long the end waits for writes whose client is gone."""


async def serve_stdio(desk: AbstractAsyncContextManager[Desk]) -> None:
    """Serve one client until it closes its end. `desk` is opened for it.

    The streams are taken first, so that no process that the desk starts has them.
    """
    from mcp.server.stdio import stdio_server

    with own_input() as fd:
        lines: Any = InputLines(fd)  # the library wants a file of anyio, and iterates over it
        async with stdio_server(lines) as (read, write), desk as opened:
            await _serve(opened, read, write)


async def _serve(desk: Desk, read: Any, write: Any) -> None:
    from .protocol import Visit, server_of

    tasks = Tasks()
    server = server_of(lambda _: Visit(desk), Calls(tasks), importlib.metadata.version("recollect"))
    try:
        async with _sifted(read, write) as messages:
            await server.run(messages, write, server.create_initialization_options())
    finally:
        await tasks.drain(DRAIN_SECONDS)


@asynccontextmanager
async def _sifted(read: Any, write: Any) -> AsyncIterator[Any]:
    """The messages of a client; what is none is answered here, and the client may go on."""
    import anyio
    from mcp.shared.message import SessionMessage

    passed, messages = anyio.create_memory_object_stream[Any](0)

    async def sift() -> None:
        async with passed:
            async for item in read:
                if not isinstance(item, Exception):
                    await passed.send(item)
                elif (refusal := _refusal_of(item)) is not None:
                    await write.send(SessionMessage(refusal))

    async with anyio.create_task_group() as group:
        group.start_soon(sift)
        yield messages
        group.cancel_scope.cancel()


def _refusal_of(error: Exception) -> Any:
    """The answer to a line that is no message; None for an empty one."""
    from mcp_types import ErrorData, JSONRPCError
    from pydantic import ValidationError

    kinds = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    is_json = not any(each["type"] == "json_invalid" for each in kinds)
    if not is_json and not str(kinds[0]["input"]).strip():
        return None
    code, told = (
        (INVALID_REQUEST, "the line is no message of JSON-RPC 2.0")
        if is_json
        else (PARSE_ERROR, "the line is not JSON")
    )
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=told))


def run_stdio(desk: AbstractAsyncContextManager[Desk]) -> None:
    """The same in a loop of its own; SIGTERM ends it as the end of the input does.

    Raises RecollectError: the desk cannot be opened.
    """

    async def run() -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this is one
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await serve_stdio(desk)

    try:
        asyncio.run(run())
    except asyncio.CancelledError:
        return
    except BaseExceptionGroup as group:
        # The library opens in groups of tasks.
        if (ours := group.subgroup(RecollectError)) is None:
            raise
        raise _first(ours) from None


def _first(group: BaseExceptionGroup[RecollectError]) -> RecollectError:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, RecollectError)  # noqa: S101 - there are no others
    return error
