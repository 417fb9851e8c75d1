"""A memory's whole life, for `recollect check`: stored, found, erased, and found no more.

Its scope is its own (`CHECK_USER`), so that no chat is given it and nobody's memories are touched.
It leaves nothing, no tombstone either. A check that is killed in between leaves its memory: the
next one on the same machine erases it at once, one elsewhere after `LEFT_BEHIND`.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

from recollect.memory.model.scope import CHECK_USER

from .api_client import ProxyRefusedError, ask, nothing_to_open
from .findings import CheckFailedError

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

PART = "round trip"
LEFT_BEHIND = timedelta(minutes=10)
"""Age of a memory that no check still uses, wherever it ran."""
_STORED = "Recollect checks itself, mark {}"
_MEND = "the parts above say why; else see the log of the proxy"


class CheckedMemories(Protocol):
    """The three operations, over REST or in this process."""

    async def add(self, text: str, mark: str) -> str:
        """Store the text as it is, in the run `mark`; its id."""

    async def search(self, text: str, mark: str) -> Sequence[Mapping[str, Any]]:
        """What is found for the text in the run `mark`."""

    async def every(self) -> Sequence[Mapping[str, Any]]:
        """Memories of all runs, at most a hundred."""

    async def erase(self, memory_ids: Sequence[str]) -> None:
        """Remove these everywhere."""


class ServedMemories:
    """The memories of the running proxy."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def add(self, text: str, mark: str) -> str:
        body = {"messages": text, "infer": False, **_ids(mark)}
        answer = await self._ask("/v1/memories/", "POST", body)
        return str(answer["results"][0]["id"])

    async def search(self, text: str, mark: str) -> Sequence[Mapping[str, Any]]:
        query = urlencode({"q": text, **_ids(mark)})
        return list((await self._ask(f"/v1/memories/search/?{query}", "GET"))["results"])

    async def every(self) -> Sequence[Mapping[str, Any]]:
        return list((await self._ask(f"/v1/memories/?user_id={CHECK_USER}", "GET"))["results"])

    async def erase(self, memory_ids: Sequence[str]) -> None:
        await self._ask("/v1/memories/forget", "POST", {"ids": list(memory_ids)})

    async def answers(self) -> bool:
        """Whether it has an API, and these settings a credential for it."""
        return await self._ask(f"/v1/memories/count?user_id={CHECK_USER}", "GET") is not None

    async def _ask(self, path: str, method: str, body: Any = None) -> Any:
        tenant = self._settings.identity.tenant
        return await asyncio.to_thread(ask, self._settings, tenant, path, method, body)


class OpenedMemories:
    """The memories of files that this process has opened."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory

    async def add(self, text: str, mark: str) -> str:
        added = await self._memory.add(text, user_id=CHECK_USER, run_id=mark, infer=False)
        return added["results"][0]["id"]

    async def search(self, text: str, mark: str) -> Sequence[Mapping[str, Any]]:
        return (await self._memory.search(text, user_id=CHECK_USER, run_id=mark))["results"]

    async def every(self) -> Sequence[Mapping[str, Any]]:
        return (await self._memory.get_all(user_id=CHECK_USER))["results"]

    async def erase(self, memory_ids: Sequence[str]) -> None:
        for memory_id in memory_ids:
            await self._memory.forget(memory_id)


def _ids(mark: str) -> dict[str, str]:
    return {"user_id": CHECK_USER, "run_id": mark}


def new_mark() -> str:
    """The name of a run: which process of which machine it is, and what makes it unique."""
    return f"{_machine()}-{os.getpid()}-{secrets.token_hex(8)}"


def _machine() -> str:
    """A digest of where process ids mean what they mean here: this machine, or this container."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return hashlib.sha256(f"{socket.gethostname()} {space}".encode()).hexdigest()[:8]


def is_over(mark: str) -> bool:
    """Whether the process of a run is known to have ended: it ran here, and is there no more."""
    machine, _, rest = mark.partition("-")
    number = rest.partition("-")[0]
    return machine == _machine() and number.isdecimal() and not _runs(int(number))


def _runs(process: int) -> bool:
    if os.name != "posix":
        return True  # elsewhere, asking could end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


async def trouble_of(memories: CheckedMemories, mark: str) -> str:
    """What of the round trip failed; "" if it came back. It leaves nothing in the scope."""
    text = _STORED.format(mark)
    memory_id = await memories.add(text, mark)
    try:
        found = [one["id"] for one in await memories.search(text, mark)]
    finally:
        await memories.erase([memory_id])
    if memory_id not in found:
        return "what was stored is not found"
    if await memories.search(text, mark):
        return "what was erased is still found"
    return ""


async def sweep(memories: CheckedMemories, now: datetime) -> None:
    """Erase what killed checks left behind."""
    left = [
        one["id"]
        for one in await memories.every()
        if is_over(one.get("run_id") or "")
        or datetime.fromisoformat(one["created_at"]) < now - LEFT_BEHIND
    ]
    if left:
        await memories.erase(left)


async def check_round_trip(settings: Settings, *, running: bool) -> str:
    """Through the running proxy, or else through the files, if there are any.

    Raises StoreError, StateError, EmbeddingError: a part of files fails.
    """
    if running:
        try:
            return await _through_the_proxy(ServedMemories(settings))
        except ProxyRefusedError as error:
            raise CheckFailedError(str(error), _MEND) from None
    if missing := nothing_to_open(settings):
        return f"not tried: {missing}"
    return await _in_this_process(settings)


async def _through_the_proxy(served: ServedMemories) -> str:
    if await served.answers():
        return await _checked(served)
    return "not tried: it needs api.enabled and api.token"


async def _in_this_process(settings: Settings) -> str:
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine

    async with Engine.open(settings) as engine:
        return await _checked(OpenedMemories(AsyncMemory(engine, tenant=settings.identity.tenant)))


async def _checked(memories: CheckedMemories) -> str:
    await sweep(memories, datetime.now(UTC))
    trouble = await trouble_of(memories, new_mark())
    if trouble:
        raise CheckFailedError(trouble, _MEND)
    return "a memory was stored, found and erased"
