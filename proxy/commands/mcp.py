"""`recollect mcp`: memory for a client that starts its MCP servers itself."""

from __future__ import annotations

import argparse
import logging
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from .api_client import add_scope_to, authority, headers_for, opened, scope_of
from .base import CommandError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from recollect.config import Settings
    from recollect.memory.model.types import Scope

    from ..mcp.desk import Desk
    from .arguments import CommandLine

DESCRIPTION = """\
Serve MCP on standard input and output, for one scope: tools to use memory on purpose, the profile
and the blocks as resources. It works through the proxy at listen.host and listen.port, with
api.token. If no proxy runs there, it opens the store itself, and no proxy can until it ends."""


def fill(parser: CommandLine) -> None:
    """Register ``mcp``."""
    parser.description = DESCRIPTION
    add_scope_to(parser)
    parser.add_argument("--read-only", action="store_true", help="no tools that write")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Serve until the client closes its end; 1 if memory cannot be opened."""
    from recollect.memory.util.extras import missing_extra

    from ..telemetry.logs import configure_logging

    if (missing := missing_extra("mcp")) is not None:
        raise CommandError(f"`recollect mcp` {missing}")
    configure_logging(settings.telemetry)
    scope = _scope(settings, options)
    from ..mcp.stdio import run_stdio

    run_stdio(_desk(settings, scope, read_only=options.read_only))
    return 0


def _scope(settings: Settings, options: argparse.Namespace) -> Scope:
    """The scope that the arguments name; without a user, that of a chat without one."""
    from recollect.config import is_loopback

    from ..access.identity import default_user

    if options.user is None:
        here = is_loopback(settings.listen.host)
        options.user = default_user(settings.identity, on_loopback=here)
    return scope_of(settings, options)


def _desk(
    settings: Settings, scope: Scope, *, read_only: bool
) -> AbstractAsyncContextManager[Desk]:
    headers = headers_for(settings, scope.tenant)
    if headers is None:
        return _opened(settings, scope, read_only=read_only)
    from ..access.identity import MEMORY_HEADER
    from ..mcp.proxied import proxied

    base = f"http://{authority(settings.listen.host, settings.listen.port)}"
    wanted = {MEMORY_HEADER: "read"} if read_only else {}
    logging.getLogger(__name__).info("memory is that of the proxy at %s", base)
    return proxied(f"{base}/mcp?{urlencode(scope.ids())}", {**headers, **wanted})


@asynccontextmanager
async def _opened(settings: Settings, scope: Scope, *, read_only: bool) -> AsyncIterator[Desk]:
    """The memory in the files. Raises StoreError, StateError, EmbeddingError."""
    from ..mcp.desk import OpenDesk

    ids = scope.ids()
    names, validates = settings.tools.names, settings.tools.validates
    async with opened(settings, scope.tenant, makes=True) as memory:
        tools = memory.tools(**ids, names=names, validates=validates, read_only=read_only)
        yield OpenDesk(memory, ids, tools)
