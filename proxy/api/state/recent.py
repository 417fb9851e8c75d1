"""The last chats of an owner, from all workers of this machine, with the texts of recalled lines.

The ring of `chat.recent_chats` has ids only. Texts are looked up with the reader's rights when they
are shown, so what was forgotten meanwhile has none.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from recollect.memory.model.errors import RecollectError
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import MemoryItem, OwnerRef, Scope, utc_now
from recollect.memory.util.sibling_messages import SiblingFailedError, SiblingMessages

from ...chat.recent_chats import MOST_CHATS, ChatDict, RecentChats

log = logging.getLogger(__name__)

Several = Callable[[OwnerRef, Sequence[str]], Awaitable[Mapping[str, MemoryItem]]]
"""Finds those of an owner with these ids. Raises StoreError, StateError."""

_TOPIC = "recent chats"
LOOK_SECONDS = 1.0
"""A follower sees a chat so long after it ended, at most."""
BEFORE = timedelta(seconds=5)
"""A stream begins with the chats of this time: whoever listed the last ones before misses none."""


class ChatsEverywhere:
    """The last chats, whichever worker had them."""

    def __init__(
        self, recent: RecentChats, several: Several, sibling_messages: SiblingMessages | None = None
    ) -> None:
        self._recent = recent
        self._several = several
        self._sibling_messages = sibling_messages
        if sibling_messages is not None:
            sibling_messages.on(_TOPIC, self._asked)

    async def of(self, owner_ref: OwnerRef, *, limit: int) -> list[ChatDict]:
        """The owner's last chats, newest first, without texts.

        Those of a worker that does not answer are missing.
        """
        found = self._recent.of(owner_ref, limit)
        for number in (
            () if self._sibling_messages is None else self._sibling_messages.sibling.others
        ):
            found += await self._ask(number, owner_ref, limit)
        return sorted(found, key=lambda chat: (chat["at"], chat["id"]), reverse=True)[:limit]

    async def shown(self, chats: Sequence[ChatDict], reader: OwnerRef) -> list[ChatDict]:
        """The same with the texts that this reader may see. If a part fails, without texts."""
        ids = {line["id"] for chat in chats for line in chat["recalled"]}
        try:
            items = await self._several(reader, sorted(ids))
        except RecollectError as error:
            log.warning("chats are shown without texts: %s: %s", error.code, error)
            items = {}
        return [_with_texts(chat, items) for chat in chats]

    async def _ask(self, number: int, owner_ref: OwnerRef, limit: int) -> list[ChatDict]:
        assert self._sibling_messages is not None  # noqa: S101 - there are others
        tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
        ids = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
        try:
            told = await self._sibling_messages.ask(
                number, _TOPIC, tenant=tenant, ids=ids, limit=limit
            )
        except SiblingFailedError:
            return []
        return cast("list[ChatDict]", told or [])

    async def _asked(self, asked: Mapping[str, Any]) -> list[ChatDict]:
        owner_ref = Owner(asked["tenant"]).owner_ref(**asked["ids"])
        return self._recent.of(owner_ref, asked["limit"])


class ChatStream:
    """An owner's chats as they end: `async for chat in stream`.

    More than `MOST_CHATS` of a tenant in a second are not all seen.
    """

    def __init__(self, chats: ChatsEverywhere, owner_ref: OwnerRef, reader: OwnerRef) -> None:
        """`reader` is whose rights the texts are read with."""
        self._chats = chats
        self._whose = owner_ref
        self._reader = reader
        self._since = utc_now() - BEFORE
        self._seen: frozenset[str] = frozenset()
        self._waiting: deque[ChatDict] = deque()
        self._closed = asyncio.Event()

    def __aiter__(self) -> ChatStream:
        return self

    async def __anext__(self) -> ChatDict:
        """The next chat. Safe to cancel: the next call goes on."""
        while not self._closed.is_set():
            if not self._waiting:
                await self._look()
            if self._waiting:
                return self._waiting.popleft()
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._closed.wait()
            except TimeoutError:
                continue
        raise StopAsyncIteration

    def close(self) -> None:
        """End the stream."""
        self._closed.set()

    async def _look(self) -> None:
        found = await self._chats.of(self._whose, limit=MOST_CHATS)
        new = [chat for chat in found if chat["id"] not in self._seen and self._is_new(chat)]
        shown = await self._chats.shown(new, self._reader) if new else []
        self._waiting.extend(reversed(shown))
        self._seen = frozenset(chat["id"] for chat in found)

    def _is_new(self, chat: ChatDict) -> bool:
        return datetime.fromisoformat(chat["at"]) >= self._since


def _with_texts(chat: ChatDict, items: Mapping[str, MemoryItem]) -> ChatDict:
    for line in chat["recalled"]:
        item = items.get(line["id"])
        if item is not None:
            line["memory"], line["status"] = item.text, item.status.value
    return chat
