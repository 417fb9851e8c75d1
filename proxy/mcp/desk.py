"""What one client finds, as the protocol has it: the tools of a scope, and texts to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import unquote

from recollect.memory import AsyncMemory
from recollect.memory.model.daily_sums import PAYER, Payer
from recollect.memory.model.errors import NotFoundError, StateError
from recollect.memory.tools import Tool, ToolAnswer, ToolSet
from recollect.memory.util.destinations import MCP, Destination, read_by

from ..access.audit import Audit, AuditError, is_audited, record_of
from ..access.rights import Right
from ..api.dispatch import UNRECORDED
from ..api.request import ApiRequest
from ..telemetry.totals import Totals

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PROFILE_URI = "recollect://profile"
BLOCK_URI = "recollect://blocks/"
"""Before the label of a block."""
BLOCK_TEMPLATE = BLOCK_URI + "{label}"
CHAT_URI = "recollect://chat"
"""What a chat is given; before a slash and its message."""
CHAT_TEMPLATE = CHAT_URI + "/{message}"
SHOWN_URI_CHARS = 1000
"""Of a URI, in an error."""
DONE, REFUSED, FAILED = 200, 400, 500
"""The status of a record, as of the same request over REST."""
TEXT = "text/plain"
PROFILE = {
    "uri": PROFILE_URI,
    "name": "profile",
    "title": "Profile",
    "description": "What is known about the user as a person, most important first.",
    "mimeType": TEXT,
}
Shown = Mapping[str, Any]
"""A tool or a text as the protocol describes it."""
Recorded = Callable[[str], AbstractAsyncContextManager[dict[str, Any]]]
"""Around what is done; the body puts its status. Raises StateError if there can be no record."""


PROGRAM = Destination(MCP)
"""Whoever speaks the protocol: a model behind it that is not known."""


class Desk(Protocol):
    """Where the calls of one client are carried out, all for one scope."""

    @property
    def tools(self) -> Sequence[Shown]:
        """Those that it may call."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Run a tool; errors are answers, as of `ToolSet.call`."""

    async def readings(self) -> Sequence[Shown]:
        """The texts that there are. Raises RecollectError."""

    async def read(self, uri: str) -> str:
        """A text as it is now. Raises NotFoundError, and other RecollectErrors."""


@asynccontextmanager
async def unrecorded(_what: str) -> AsyncIterator[dict[str, Any]]:
    """For a user's own memory."""
    yield {}


def recorded_of(caller: ApiRequest, audit: Audit, totals: Totals) -> Recorded:
    """For a caller of `/mcp`: on record and counted as over REST, and paid by its tenant."""

    @asynccontextmanager
    async def counted(what: str) -> AsyncIterator[dict[str, Any]]:
        began, record = time.perf_counter(), dict[str, Any]()
        try:
            async with around(what) as record:
                yield record
        finally:
            seconds = time.perf_counter() - began
            totals.operation(f"mcp {what}", record.get("status", FAILED), seconds)

    @asynccontextmanager
    async def around(what: str) -> AsyncIterator[dict[str, Any]]:
        PAYER.set(Payer(caller.tenant))
        record = record_of(
            f"mcp {what}", caller.grant, ids=caller.ids, target={}, remote=caller.http.remote
        )
        record["status"] = FAILED
        right = Right.WRITE if what.startswith("tool ") else Right.READ
        if not is_audited(right, caller.grant, audit.chosen):
            yield record
            return
        try:
            async with audit.about(record):
                yield record
        except AuditError:
            raise StateError(UNRECORDED) from None

    return counted


class OpenDesk:
    """The tools and texts of a memory that is open in this process."""

    def __init__(
        self,
        memory: AsyncMemory,
        ids: Mapping[str, str],
        tools: ToolSet,
        recorded: Recorded = unrecorded,
    ) -> None:
        self._memory = memory
        self._ids = ids
        self._tools = tools
        self._recorded = recorded

    @property
    def tools(self) -> Sequence[Shown]:
        """Those of the set."""
        return [_shown(tool) for tool in self._tools.tools]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        try:
            async with self._recorded(f"tool {name}") as record:
                with read_by(PROGRAM):
                    answer = await self._tools.call(name, arguments)
                record["status"] = REFUSED if answer.is_error else DONE
                return answer
        except StateError as error:
            return ToolAnswer({}, str(error))

    async def readings(self) -> Sequence[Shown]:
        """The profile, then each block."""
        async with self._recorded("list of resources") as record:
            with read_by(PROGRAM):
                found = await self._memory.blocks.list(**self._ids)
            record["status"] = DONE
        return [PROFILE, *map(_block, found["results"])]

    async def read(self, uri: str) -> str:
        """The lines of the profile, the value of a block, or what a chat is given."""
        async with self._recorded("read resource") as record:
            try:
                with read_by(PROGRAM):
                    text = await self._text(uri)
            except NotFoundError:
                record["status"] = REFUSED
                raise
            record["status"] = DONE
        return text

    async def _text(self, uri: str) -> str:
        if uri == PROFILE_URI:
            found = await self._memory.profile(**self._ids)
            return "\n".join(f"- {line['memory']}" for line in found["results"])
        if uri == CHAT_URI or uri.startswith(f"{CHAT_URI}/"):
            message = unquote(uri.removeprefix(CHAT_URI)[1:])
            return await self._memory.blocks.compile(message or None, **self._ids)
        label = uri.removeprefix(BLOCK_URI)
        if not label or label == uri:
            known = f"{PROFILE_URI}, {BLOCK_TEMPLATE} or {CHAT_TEMPLATE}"
            raise NotFoundError(f"there is no {uri[:SHOWN_URI_CHARS]!r}: expected {known}")
        return (await self._memory.blocks.get(label, **self._ids))["value"]


def _shown(tool: Tool) -> Shown:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.effects.read_only,
            "destructiveHint": tool.effects.destructive,
            "idempotentHint": tool.effects.idempotent,
            "openWorldHint": False,
        },
    }


def _block(block: Mapping[str, Any]) -> Shown:
    return {
        "uri": BLOCK_URI + block["label"],
        "name": block["label"],
        "title": f"Block {block['label']}",
        "description": block["description"],
        "mimeType": TEXT,
    }
