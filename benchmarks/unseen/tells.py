"""Tells turns to the product in this process as the proxy does, and asks in new conversations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from recollect.filters import Exchange, Fence, RequestRecallOptions, request_filters
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import Message, Scope, Turn, utc_now

FENCE = Fence(b"benchmark")
BESIDE = (
    "My sister lives in Leeds.", "I finished reading Dune last week.", "My car is a blue Volvo.",
    "I work as an accountant.", "Our wedding anniversary is on 12 June.",
)  # fmt: skip
"""What else a user has told."""


class Teller:
    """An engine, and the filters of a request in front of it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.filters = request_filters(
            RequestRecallOptions(), engine.recaller, engine.parts.tokens, FENCE
        )

    @classmethod
    @asynccontextmanager
    async def open(cls, **options: Any) -> AsyncIterator[Teller]:
        async with Engine.open(EngineOptions(**options)) as engine, engine.running():
            yield cls(engine)

    async def tell(
        self,
        user: str,
        text: str,
        answer: str = "I see.",
        *,
        at: datetime | None = None,
        conversation: str = "",
        **fields: Any,
    ) -> Turn:
        """Capture a turn as the proxy does, as of now if no time is given."""
        turn = Turn(
            id=f"{user}/{time.monotonic_ns()}",
            conversation_id=conversation or f"{user}/told",
            scope=Scope(tenant="bench", user_id=user),
            user_text=self.engine.redact(text),
            assistant_text=answer,
            model="none",
            created_at=at or utc_now(),
            **fields,
        )
        await self.engine.parts.state.conversations.record(turn)
        return turn

    async def settled(self) -> None:
        """Wait until every told turn is embedded."""
        await asyncio.sleep(0)
        while self.engine.indexer.depth:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)

    async def ask(self, user: str, text: str) -> tuple[str, Exchange]:
        """What is injected for a message in a new conversation, and the exchange."""
        exchange = Exchange(
            scope=Scope(tenant="bench", user_id=user),
            messages=[Message(role="user", content=text)],
            model="none",
            conversation_id=f"{user}/asked {time.monotonic_ns()}",
            turn_id=f"{user}/asked {time.monotonic_ns()}",
        )
        for each in self.filters:
            if exchange.verdict is None:
                await each.request(exchange)
        for each in self.filters:
            each.settle(exchange)
        return "\n".join(one.text for one in exchange.injections), exchange
