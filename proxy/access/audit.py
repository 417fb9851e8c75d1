"""The record of what was done for an operator: who, what, whose, when, and with what result.

A record has ids and no text: nothing of a memory, a query or a credential.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .audit_file import AuditFile
from .rights import Grant, Right

log = logging.getLogger(__name__)

MAX_CHARS = 200
"""Kept of an id: a caller can put any text in its place."""


class AuditError(Exception):
    """The record cannot be written, so nothing was done."""


_LEAST = {"admin": Right.ADMIN, "writes": Right.WRITE, "all": Right.READ}
"""The least right whose use is on record, by `api.audit`."""


def is_audited(needed: Right, grant: Grant, chosen: str = "admin") -> bool:
    """Whether a permitted call is on record: the right that it needed, and who makes it.

    What acts on a whole tenant is, whoever does it. An operator has no memories of his own, so
    what he reads is somebody's: it is on record like his changes. Of others as much as is `chosen`.
    """
    return needed >= _LEAST[chosen] or (grant.administers and needed is not Right.NONE)


def record_of(
    operation: str,
    grant: Grant,
    *,
    ids: Mapping[str, Any],
    target: Mapping[str, Any],
    remote: str | None,
) -> dict[str, Any]:
    """A record without a result. `ids` are those of the scope, `target` those of the path."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "who": grant.who,
        "tenant": grant.owner.tenant,
        "operation": operation,
        **_shown({"user_id": grant.owner.user_id, **_named(ids)}),
        **_shown(target),
        "status": None,
        "remote": remote,
    }


def _named(ids: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in ids.items() if value is not None}


def _shown(values: Mapping[str, Any]) -> dict[str, str]:
    """The values that are ids, not longer than an id; what is no text is malformed and left out."""
    return {name: value[:MAX_CHARS] for name, value in values.items() if isinstance(value, str)}


class Audit:
    """Writes the records in their order, off the event loop."""

    def __init__(self, path: Path, chosen: str = "admin") -> None:
        """`chosen` is what is on record (`is_audited`)."""
        self.chosen = chosen
        self._file = AuditFile(path)
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="audit")

    @asynccontextmanager
    async def about(self, record: dict[str, Any], *, at_once: bool = False) -> AsyncIterator[None]:
        """Around an action: its record is written after it, with what the body put in `status`.

        `ms` is how long it took.

        With `at_once` it is written before, for an action that may never end. Otherwise a status
        of None says that the client left first. A record that cannot be written after the action
        waits in memory, and is written before the next action may begin.

        Raises:
            AuditError: records cannot be written; the body is not run.
        """
        try:
            await self._submitted(self._begin, _line(record) if at_once else b"")
        except OSError as error:
            raise AuditError from error
        began = time.perf_counter()
        try:
            yield
        finally:
            record["ms"] = round(1000 * (time.perf_counter() - began), 1)
            if not at_once:
                with contextlib.suppress(OSError):  # it is logged, and the record waits
                    await self._submitted(self._append, _line(record))

    def close(self) -> None:
        """Wait for the records that are being written."""
        self._writer.shutdown()
        self._file.close()
        if self._file.waiting:
            log.error("%d records of the audit log are lost", self._file.waiting)

    def _submitted(self, work: Callable[[bytes], None], line: bytes) -> Awaitable[None]:
        """Submitted now, awaited later: who is cancelled while waiting does not stop it."""
        return asyncio.shield(asyncio.wrap_future(self._writer.submit(work, line)))

    def _begin(self, line: bytes) -> None:
        """See that records can be written; only then there is one of this action."""
        self._append(b"")
        if line:
            self._append(line)

    def _append(self, line: bytes) -> None:
        try:
            self._file.append(line)
        except OSError as error:
            log.error(  # noqa: TRY400 - the advice is in the message, a traceback has none
                "the audit log %s cannot be written (%s): administrative actions are refused; "
                "make room, or name another file in api.audit_log",
                self._file.path,
                error.strerror,
            )
            raise


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"
