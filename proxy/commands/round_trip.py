"""A memory's whole life, for `recollect check`: stored, found, erased, and found no more.

Its scope is its own (`CHECK_USER`), so that no chat is given it and nobody's memories are touched.
It leaves nothing, no tombstone either. A check that is killed in between leaves its memory, which
the next one after `LEFT_BEHIND` erases.
"""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from recollect.memory.model.scope import CHECK_USER

from .api_client import ProxyRefusedError, ask, headers_for, nothing_to_open, opened
from .findings import CheckFailedError
from .memories import TABLE
from .operated import operation_of, request_of

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

PART = "round trip"
LEFT_BEHIND = timedelta(minutes=10)
"""Age of a memory that no check still uses."""
_STORED = "Recollect checks itself, mark {}"
_MEND = "the parts above say why; else see the log of the proxy"


class CheckRequest(Protocol):
    """Calls an operation on memories."""

    async def __call__(self, word: str, **values: Any) -> Any:
        """The answer of the method with this name."""


async def _served(settings: Settings, word: str, **values: Any) -> Any:
    """Asks the running proxy."""
    sent = TABLE.sent[word](values) if word in TABLE.sent else values
    request = request_of(operation_of("", word), sent)
    return await asyncio.to_thread(ask, settings, settings.identity.tenant, *request)


async def _called(memory: AsyncMemory, word: str, **values: Any) -> Any:
    return await getattr(memory, word)(**values)


async def trouble_of(call: CheckRequest, mark: str) -> str:
    """What of the round trip failed; "" if it came back. It leaves nothing in the scope."""
    text, ids = _STORED.format(mark), {"user_id": CHECK_USER, "run_id": mark}
    added = await call("add", messages=text, infer=False, **ids)
    memory_id = added["results"][0]["id"]
    try:
        found = (await call("search", query=text, **ids))["results"]
    finally:
        await call("forget", memory_id=memory_id)
    if memory_id not in [one["id"] for one in found]:
        return "what was stored is not found"
    if (await call("search", query=text, **ids))["results"]:
        return "what was erased is still found"
    return ""


async def sweep(call: CheckRequest, now: datetime) -> None:
    """Erase what killed checks left behind."""
    for one in (await call("get_all", user_id=CHECK_USER))["results"]:
        if datetime.fromisoformat(one["created_at"]) < now - LEFT_BEHIND:
            await call("forget", memory_id=one["id"])


async def check_round_trip(settings: Settings, *, running: bool) -> str:
    """Through the running proxy, or else through the files, if there are any.

    Raises StoreError, StateError, EmbeddingError: a part of files fails.
    """
    tenant = settings.identity.tenant
    if running:
        if await asyncio.to_thread(headers_for, settings, tenant) is None:
            return "not tried: it needs api.enabled and api.token"
        try:
            return await _checked(partial(_served, settings))
        except ProxyRefusedError as error:
            raise CheckFailedError(str(error), _MEND) from None
    if missing := nothing_to_open(settings):
        return f"not tried: {missing}"
    async with opened(settings, tenant) as memory:
        return await _checked(partial(_called, memory))


async def _checked(call: CheckRequest) -> str:
    await sweep(call, datetime.now(UTC))
    if trouble := await trouble_of(call, secrets.token_hex(8)):
        raise CheckFailedError(trouble, _MEND)
    return "a memory was stored, found and erased"
