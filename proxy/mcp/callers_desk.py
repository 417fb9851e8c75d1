"""What a caller of `/mcp` does, as the memory API has it: on record, and paid by its tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from recollect.memory.model.errors import StateError
from recollect.memory.model.sums import PAYER, Payer
from recollect.memory.tools import ToolAnswer

from ..access.audit import Audit, AuditError, is_audited, record_of
from ..access.rights import Right
from ..api.request import ApiRequest
from .desk import Desk, Offer, Readable

DONE, REFUSED, FAILED = 200, 400, 500
"""The status of a record, as of the same request over REST."""
UNRECORDED = (
    "nothing was done: the audit log cannot be written, and this needs a record; the server's log "
    "names the file and the setting"
)


class CallersDesk:
    """A desk for one caller."""

    def __init__(self, desk: Desk, caller: ApiRequest, audit: Audit) -> None:
        self._desk = desk
        self._caller = caller
        self._audit = audit

    @property
    def offers(self) -> Sequence[Offer]:
        """Those of the desk."""
        return self._desk.offers

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        try:
            async with self._recorded(f"tool {name}") as record:
                answer = await self._desk.call(name, arguments)
                record["status"] = REFUSED if answer.is_error else DONE
                return answer
        except AuditError:
            return ToolAnswer({}, UNRECORDED)

    async def readings(self) -> Sequence[Readable]:
        async with self._read("list of resources"):
            return await self._desk.readings()

    async def read(self, uri: str) -> str:
        async with self._read("read resource"):
            return await self._desk.read(uri)

    @asynccontextmanager
    async def _read(self, what: str) -> AsyncIterator[None]:
        """Around reading. Raises StateError if it has to be on record and cannot be."""
        try:
            async with self._recorded(what) as record:
                yield
                record["status"] = DONE
        except AuditError:
            raise StateError(UNRECORDED) from None

    @asynccontextmanager
    async def _recorded(self, what: str) -> AsyncIterator[dict[str, Any]]:
        """Around what is done; the body puts its status. Raises AuditError."""
        caller = self._caller
        PAYER.set(Payer(caller.tenant))
        record = record_of(
            f"mcp {what}",
            caller.grant,
            ids=caller.ids,
            target={},
            remote=caller.http.remote,
        )
        record["status"] = FAILED
        if not is_audited(Right.READ, caller.grant):
            yield record
            return
        async with self._audit.about(record):
            yield record
