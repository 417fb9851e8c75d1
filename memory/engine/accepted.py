"""Tenants whose credentials the model server accepts, as all processes of a database saw it."""

from __future__ import annotations

import asyncio

from ..database.accepted import MOST_TENANTS, SqlAcceptedTenants
from ..database.changes import ChangeKind, ChangeLine
from ..model.errors import StateError
from ..model.owner import owning_tenant
from ..state.shared_log import SharedLog
from ..util.clock import CLOCK, Clock
from ..util.loops import guarded
from ..util.lru import Lru

RETRY_SECONDS = 2.0
"""After what could not be written or read."""


class AcceptedTenants:
    """Those that this process knows; the database has them for others, and for the next start."""

    def __init__(
        self, kept: SqlAcceptedTenants, log: SharedLog | None = None, *, clock: Clock = CLOCK
    ) -> None:
        """`log` tells what other processes see, and tells them."""
        self._tenants: Lru[str, bool] = Lru(MOST_TENANTS)
        self._kept = kept
        self._log = log
        self._clock = clock
        self._unwritten: dict[str, bool] = {}
        self._unread = True
        self._new = asyncio.Event()
        if log is not None:
            log.elsewhere.append(self._heard)
            log.missed.append(self._missed)

    def __contains__(self, tenant: object) -> bool:
        return isinstance(tenant, str) and self._tenants.get(tenant) is not None

    def judge(self, tenant: str, *, accepted: bool) -> None:
        """The model server was asked. Counts here at once; it is written by `run`."""
        if accepted is not (tenant in self):
            self._put(tenant, accepted)
            self._unwritten[tenant] = accepted
            self._new.set()

    async def run(self) -> None:
        """Write and read until cancelled; what could not be written is written later."""
        while True:
            if self._unread or self._unwritten:
                await self._clock.sleep(RETRY_SECONDS)
            else:
                self._new.clear()
                await self._new.wait()
            await guarded(self.settle)

    async def settle(self) -> None:
        """Write what is new here, and read all of them if that is due. Raises StateError."""
        writer = "" if self._log is None else self._log.name
        for tenant, accepted in list(self._unwritten.items()):
            await self._kept.judge(tenant, accepted=accepted, writer=writer)
            if self._unwritten.get(tenant) is accepted:
                del self._unwritten[tenant]
            if self._log is not None:
                self._log.wrote()
        if self._unread:
            await self._read()

    async def close(self) -> None:
        """Write what is not written yet."""
        if self._unwritten:
            await guarded(self.settle)

    async def _read(self) -> None:
        self._unread = False
        try:
            found = await self._kept.read()
        except StateError:
            self._unread = True
            raise
        # What is new here is newer than what was read.
        self._tenants.drop(lambda name: name not in self._unwritten)
        for name in found:
            if name not in self._unwritten:
                self._put(name, True)  # noqa: FBT003 - a set

    def _put(self, tenant: str, accepted: bool) -> None:
        if accepted:
            self._tenants.put(tenant, True)  # noqa: FBT003 - a set with a bound
        else:
            self._tenants.remove(tenant)

    def _heard(self, line: ChangeLine) -> None:
        if line.kind is ChangeKind.ACCEPTED and line.owner_ref not in self._unwritten:
            self._put(owning_tenant(line.owner_ref), bool(line.told[0]))

    def _missed(self) -> None:
        self._unread = True
        self._new.set()
